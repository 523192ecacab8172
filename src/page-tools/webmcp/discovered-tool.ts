// A tool as it was found on the page, before it becomes one of the agent: its words cut and cleaned, because they are
// the page's and go to the model.
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import type { ToolAnnotations } from '../../core/data/tool.js'
import type { ToolRun } from '../../page/tools/tool.js'
import { normalizeText, truncate } from '../dom/text.js'

export interface DiscoveredTool {
  readonly definition: {
    readonly name: string
    readonly title?: string
    readonly description: string
    readonly inputSchema?: JsonObject
    readonly annotations: ToolAnnotations & { readonly autosubmit?: boolean }
  }
  readonly exclusive: boolean
  /** Milliseconds; the agent's own where missing. */
  readonly timeout?: number
  run(input: Record<string, JsonValue>, run: ToolRun): Promise<unknown>
}

/** How long the words of a tool, of a parameter and of a title may be. */
export const budgets = { tool: 500, parameter: 150, title: 60 }

export const toToolName = (text: unknown, most: number): string =>
  typeof text === 'string' ? truncate(normalizeText(text), most) : ''

const values = new Set(['enum', 'const', 'default', 'examples'])
/** The same schema with its descriptions and titles cleaned and cut; what stands for values is left as it is. */
export function withinBudget(schema: JsonValue, depth = 0): JsonValue {
  if (depth > 50 || typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return (schema as readonly JsonValue[]).map((item) => withinBudget(item, depth + 1))
  return Object.fromEntries(
    Object.entries(schema as JsonObject).map(([key, value = null]) => [
      key,
      typeof value === 'string' && (key === 'description' || key === 'title')
        ? toToolName(value, budgets.parameter)
        : values.has(key)
          ? value
          : withinBudget(value, depth + 1),
    ]),
  )
}

/** What a page gave as the schema of a tool: an object, or its text; undefined where there is none. */
export function schemaFrom(given: unknown): JsonObject | undefined {
  const schema: unknown = typeof given === 'string' && given !== '' ? JSON.parse(given) : given
  return isObject(schema) ? { type: 'object', ...(withinBudget(schema as JsonObject) as JsonObject) } : undefined
}
