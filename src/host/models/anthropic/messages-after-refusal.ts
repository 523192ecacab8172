// What may be changed in a body after a refusal that names its reason.
import { isObject, type JsonObject, type JsonValue } from '../../../core/data/json.js'
import type { RelaxRule } from '../http/http-model.js'

/** The output limits that servers reported, by model. Saves one refused request per model call. */
const knownLimits = new Map<string, number>()
const defaultMaxTokens = 32_000
/** With less space for the answer the request counts as too long, so that the session is shortened. */
const leastAnswer = 4096

/** The `max_tokens` for a model: 32000, or less if a server refused that. */
export function maxTokensOf(model: string): number {
  return knownLimits.get(model) ?? defaultMaxTokens
}

/** The rules, in the order in which they are tried. */
export const messagesRelaxed: readonly RelaxRule[] = [withLowerLimit, withoutThinking, withoutCacheControl]

function withLowerLimit(body: JsonObject, text: string): JsonObject | undefined {
  const current = Number(body['max_tokens'])
  // "max_tokens: 32000 > 8192, which is the maximum …", or from DeepSeek "the valid range of max_tokens is [1, 8192]".
  const [, least, range] = /max_tokens: \d+ > (\d+)|max_tokens is \[\d+, ?(\d+)\]/.exec(text) ?? []
  const limit = Number(least ?? range)
  if (limit > 0 && limit < current) {
    knownLimits.set(String(body['model'] ?? ''), limit)
    return { ...body, max_tokens: limit }
  }
  // "input length and `max_tokens` exceed context limit: 180000 + 32000 > 200000"
  const [, input, context] = /exceed context limit: (\d+) \+ \d+ > (\d+)/.exec(text) ?? []
  const rest = Number(context) - Number(input)
  return rest >= leastAnswer && rest < current ? { ...body, max_tokens: rest } : undefined
}

/** Signatures are bound to a model and a server. A body without thinking blocks is always accepted. */
function withoutThinking(body: JsonObject, text: string): JsonObject | undefined {
  if (!/thinking/.test(text) || !/signature|cannot be modified|expected/i.test(text)) return undefined
  const isThinking = (block: unknown) => isObject(block) && String(block['type']).endsWith('thinking')
  const messages = (body['messages'] as readonly JsonObject[]).map((message) => {
    const content = message['content'] as readonly JsonValue[]
    return content.some(isThinking) ? { ...message, content: content.filter((block) => !isThinking(block)) } : message
  })
  if (messages.some((message, index) => message !== (body['messages'] as readonly JsonValue[])[index])) {
    return { ...body, messages: messages.filter(({ content }) => (content as readonly JsonValue[]).length > 0) }
  }
  // "Expected `thinking` or `redacted_thinking`, but found `tool_use`", if another model made the calls of this turn.
  const { thinking, ...rest } = body
  return thinking === undefined ? undefined : rest
}

function withoutCacheControl(body: JsonObject, text: string): JsonObject | undefined {
  const whole = JSON.stringify(body)
  if (!text.includes('cache_control')) return undefined
  const without = JSON.stringify(body, (key, value: unknown) => (key === 'cache_control' ? undefined : value))
  return without === whole ? undefined : (JSON.parse(without) as JsonObject)
}
