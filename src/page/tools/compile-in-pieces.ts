// Compiles tools at once, as far as one task has time for them.
import { loadPart } from '../client/load-part.js'
import { compileTool, nextTask } from './compiled-tool.js'
import type { ToolEntry } from './registered-tool.js'

/** So many tools are registered or compiled in one task: most pages have fewer, and are ready at once. */
export const atOnce = 100

let compiledNow = 0
let later: Promise<typeof import('../tool-search/tool-search.js')> | undefined

/** As `compileTool`. Those that are too many for one task are compiled in later ones. */
export function compileInPieces(entry: ToolEntry): Promise<void> | undefined {
  if (compiledNow++ === 0) void nextTask().then(() => (compiledNow = 0))
  if (compiledNow <= atOnce) return compileTool(entry)
  later ??= loadPart(() => import('../tool-search/tool-search.js')).finally(() => (later = undefined))
  return later.then((part) => part.compileLater(entry))
}
