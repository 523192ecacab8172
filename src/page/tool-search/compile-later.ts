// Compiles the schemas of very many tools in short pieces of work, because the page must stay responsive meanwhile.
import { internals } from '../../core/data/tool.js'
import { compileTool, nextTask } from '../tools/compiled-tool.js'
import type { ToolEntry, ToolSchemas } from '../tools/registered-tool.js'

/** The longest piece of work on many tools, in milliseconds. */
export const longestPiece = 20

/** The tools that wait, in order. */
let queue: (() => void)[] = []
/** The compiled schemas of tools that a provider discovered, which offers the same definitions at each step. */
const known = new WeakMap<object, ToolSchemas>()

/** As `compileTool`, in a later task. */
export function compileLater(entry: ToolEntry): Promise<void> {
  return new Promise((resolve, reject) => {
    const compile = () => {
      try {
        resolve(compileOnce(entry))
      } catch (error) {
        reject(error)
      }
    }
    if (queue.push(compile) === 1) void compileQueue()
  })
}

async function compileQueue(): Promise<void> {
  let at = 0
  while (at < queue.length) {
    await nextTask()
    const end = performance.now() + longestPiece
    while (at < queue.length && performance.now() < end) queue[at++]?.()
  }
  queue = []
}

function compileOnce(entry: ToolEntry): Promise<void> | undefined {
  const { inputSchema, outputSchema } = entry.tool
  const isSame = entry.tool[internals]?.isDiscovered && inputSchema !== undefined && outputSchema === undefined
  const schemas = isSame ? known.get(inputSchema) : undefined
  if (schemas) return void Object.assign(entry, schemas)
  const pending = compileTool(entry)
  if (isSame && entry.schema) known.set(inputSchema, { schema: entry.schema })
  return pending
}
