// Reads the token counts of a response. Counts that the server does not report stay absent.
import { dropUndefined, isObject } from '../../../core/data/json.js'
import type { ModelUsage } from '../../../core/data/model.js'

/** The token counts of a response; undefined if it reports none. */
export function usageOf(usage: unknown): ModelUsage | undefined {
  if (!isObject(usage)) return undefined
  const detail = (name: string): Record<string, unknown> => (isObject(usage[name]) ? usage[name] : {})
  const inputTokens = counts({
    total: usage['input_tokens'],
    cacheRead: detail('input_tokens_details')['cached_tokens'],
  })
  const outputTokens = counts({
    total: usage['output_tokens'],
    reasoning: detail('output_tokens_details')['reasoning_tokens'],
  })
  return inputTokens === undefined && outputTokens === undefined
    ? undefined
    : dropUndefined({ inputTokens, outputTokens })
}

function counts(fields: Record<string, unknown>): Record<string, number> | undefined {
  const numbers = Object.entries(fields).filter((field): field is [string, number] => Number.isFinite(field[1]))
  return numbers.length === 0 ? undefined : Object.fromEntries(numbers)
}
