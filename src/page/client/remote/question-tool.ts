// What a server says about the tool of a question. It is drawn beside a decision, so only what is known is taken, and
// nothing that is too deep to be drawn.
import { isObject, type JsonObject } from '../../../core/data/json.js'
import type { HostMessage } from '../../../core/data/protocol.js'
import type { ToolAnnotations } from '../../../core/data/tool.js'

/** Levels of a schema. A deeper one is left out: the question names its fields then. */
const maxDepth = 32

const hints = [
  'readOnlyHint',
  'destructiveHint',
  'idempotentHint',
  'untrustedContentHint',
  'consequentialHint',
  'openWorldHint',
] as const satisfies readonly (keyof ToolAnnotations)[]

/** The message with what is known of it; undefined if it is about no question. */
export function parseQuestion(given: unknown): Extract<HostMessage, { type: 'question' }> | undefined {
  const { hash, tool } = isObject(given) ? given : {}
  if (typeof hash !== 'string' || !isObject(tool)) return undefined
  const { inputSchema, annotations, offers } = tool
  const said: Readonly<Record<string, unknown>> = isObject(annotations) ? annotations : {}
  const isDrawable = isObject(inputSchema) && !Array.isArray(inputSchema) && isFlat(inputSchema, maxDepth)
  return {
    type: 'question',
    hash,
    tool: {
      inputSchema: isDrawable ? (inputSchema as JsonObject) : {},
      annotations: Object.fromEntries(hints.flatMap((hint) => (said[hint] === true ? [[hint, true]] : []))),
      // What is for a task is about an action on a page.
      offers: Array.isArray(offers) && offers.includes('session') ? ['session'] : [],
    },
  }
}

function isFlat(value: unknown, levels: number): boolean {
  if (!isObject(value) && !Array.isArray(value)) return true
  return levels > 0 && Object.values(value as object).every((item) => isFlat(item, levels - 1))
}
