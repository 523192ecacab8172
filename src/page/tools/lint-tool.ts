// Hints in the console, each once: what makes a tool hard to use for a model, and names that have no effect. Loaded
// with the answers, so a page shows them as soon as its agent is connected.
import type { JsonValue } from '../../core/data/json.js'
import { pathText } from '../../core/data/plain-json.js'
import type { ToolSpec } from '../../core/data/tool.js'
import type { ToolEntry } from './registered-tool.js'
import * as log from '../log.js'
import type { Hooks } from '../options.js'
import { eachSchema } from '../schema/walk.js'
import type { AnyTool } from './tool.js'
import { annotationHints, lintDescription } from './validate-tool.js'

const annotationNames = [...annotationHints, 'title', 'openWorldHint']
const hookNames: readonly (keyof Hooks)[] = ['beforeModel', 'beforeTool', 'afterTool']
/** Names that other libraries give to our fields: a tool with one of them would silently lack it. */
const mistaken: ReadonlyMap<string, keyof AnyTool & string> = new Map([
  ['parameters', 'inputSchema'],
  ['input_schema', 'inputSchema'],
  ['schema', 'inputSchema'],
  ['args', 'inputSchema'],
  ['handler', 'execute'],
  ['run', 'execute'],
  ['invoke', 'execute'],
  ['callback', 'execute'],
  ['func', 'execute'],
])

/** What a name that has no effect probably means: `destructive` is `destructiveHint`, `onBeforeTool` is `beforeTool`. */
function unknownName(name: string, known: readonly string[]): string {
  const plain = name.toLowerCase().replace(/[^a-z]/g, '') || '-'
  const near = known.find((one) => one.toLowerCase().includes(plain) || plain.includes(one.toLowerCase()))
  return near ? `Did you mean "${near}"?` : `There are: ${known.join(', ')}`
}

/** Points out hooks that do not exist: they would never be called. */
export function lintHooks(hooks: Hooks = {}): void {
  for (const key of Object.keys(hooks)) {
    if ((hookNames as readonly string[]).includes(key)) continue
    log.logWarning(`hooks.${key} is not a hook and is never called. ${unknownName(key, hookNames)}`, `hooks ${key}`)
  }
}

/** Hints for the author, each once for a tool. */
export function lintTool({ tool, schema: { jsonSchema: schema }, source }: ToolEntry): void {
  const { name, description, annotations = {} } = tool
  const hint = (topic: string, message: string): void =>
    log.logWarning(`Tool "${name}": ${message}`, `${name} ${topic}`)
  if (typeof description !== 'function') lintDescription(name, description?.trim() ?? '')
  if (name.length > 30) hint('name', `its name has ${name.length} characters. Aim for 30: long names are mistyped.`)
  for (const [wrong, right] of mistaken) {
    if (wrong in tool && tool[right] === undefined)
      hint(wrong, `"${wrong}" is not a field of a tool. Did you mean "${right}"?`)
  }
  // A provider brings tools of others, which may carry annotations of others.
  for (const key of source === undefined ? Object.keys(annotations) : []) {
    if (annotationNames.includes(key)) continue
    hint(`annotation ${key}`, `"${key}" is not an annotation and has no effect. ${unknownName(key, annotationNames)}`)
  }
  const combined = ['anyOf', 'oneOf', 'allOf', 'not', 'enum'].find((key) => key in schema)
  if (combined !== undefined)
    hint('root', `"${combined}" at the root of the inputSchema is refused by some model providers.`)
  eachSchema(schema, (inner, path) => {
    const text: JsonValue | undefined = inner['description']
    if (path.length > 0 && typeof text === 'string' && text.length > 150) {
      hint(
        `parameter ${pathText(path)}`,
        `the description of ${pathText(path.filter((key, index) => !(key === 'properties' && index % 2 === 0)))} has ${text.length} characters. Aim for 150.`,
      )
    }
  })
}

/** OpenAI and others refuse a request with more tools. */
const manyTools = 128

/** Warns the programmer of a request that offers more tools than many models take. Returns whether it does. */
export function warnAboutToolCount(
  tools: readonly Pick<ToolSpec, 'name' | 'description' | 'inputSchema'>[],
  builtIn = 0,
): boolean {
  const count = tools.length + builtIn
  if (count <= manyTools) return false
  const size = JSON.stringify(
    tools.map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema })),
  ).length
  log.logWarning(
    `A request offers ${count} tools, with ${Math.ceil(size / 1024)} KiB of definitions that each step sends. ` +
      `Many models take at most ${manyTools}: offer fewer with activeTools, a tool provider or hooks.beforeModel.`,
  )
  return true
}
