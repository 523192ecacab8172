// A tool as found on the page. Its texts are cleaned and shortened, because they are written by the page and sent to
// the model.
import type { ActionForecast } from '../../core/data/action.js'
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import type { ToolAnnotations } from '../../core/data/tool.js'
import type { ToolRun } from '../../page/tools/tool.js'
import { normalizeText, truncate } from '../dom/text.js'

/** A tool of the page, before it becomes a tool of the agent. */
export interface DiscoveredTool {
  /** What the model sees. A change of it needs a new approval. */
  readonly definition: {
    readonly name: string
    readonly title?: string
    readonly description: string
    readonly inputSchema?: JsonObject
    readonly annotations: ToolAnnotations & { readonly autosubmit?: boolean }
  }
  /** Whether it must not run beside other tools. */
  readonly exclusive: boolean
  /** Milliseconds. @default the agent's own timeout */
  readonly timeout?: number
  /**
   * What the call may lead to, for a tool that can open another page. `claim` is the description that the approval
   * shows. Undefined: the call always ends on this page.
   */
  forecast?(claim: string): ActionForecast
  /** Calls the tool of the page. Rejects with its error. */
  run(input: Record<string, JsonValue>, run: ToolRun): Promise<unknown>
}

/** Maximum characters of the description of a tool and of a parameter, and of a title. */
export const budgets = { tool: 500, parameter: 150, title: 60 }

/** Text of the page, cleaned and shortened; '' if it is not a string. */
export const toToolName = (text: unknown, most: number): string =>
  typeof text === 'string' ? truncate(normalizeText(text), most) : ''

/** Keywords whose contents are data. */
const values = new Set(['enum', 'const', 'default', 'examples'])
/** Cleans and shortens descriptions and titles of a schema. Values are not changed. */
export function withinBudget(schema: JsonValue, depth = 0): JsonValue {
  if (depth > 50 || typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return (schema as readonly JsonValue[]).map((item) => withinBudget(item, depth + 1))
  return Object.fromEntries(
    Object.entries(schema as JsonObject).map(([key, value = null]) => {
      if (typeof value === 'string' && /^(description|title)$/.test(key))
        return [key, toToolName(value, budgets.parameter)]
      return [key, values.has(key) ? value : withinBudget(value, depth + 1)]
    }),
  )
}

/** The schema that a page provides as an object or as JSON; undefined if it has none. Throws if the JSON is invalid. */
export function schemaFrom(given: unknown): JsonObject | undefined {
  const schema: unknown = typeof given === 'string' && given !== '' ? JSON.parse(given) : given
  return isObject(schema) ? { type: 'object', ...(withinBudget(schema as JsonObject) as JsonObject) } : undefined
}
