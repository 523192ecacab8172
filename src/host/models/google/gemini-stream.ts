// Turns the events of one generateContent answer into model parts, without any I/O. Calls are returned only at the end,
// after a finish reason; an end without one is an error. A whole answer is handled as a stream of one event.
import { dropUndefined, isObject, type JsonValue } from '../../../core/data/json.js'
import type { FinishReason, ModelPart, ModelUsage } from '../../../core/data/model.js'
import { badResponse, cutError, quoted } from '../http/answer-errors.js'
import type { AnswerAssembly, AnswerContext } from '../http/http-model.js'
import { streamError } from '../http/http-errors.js'
import { otherProtocolError } from '../http/other-protocols.js'
import { createGeminiCalls } from './gemini-calls.js'
import { metadataKey, textOf, toMetadata } from './gemini-names.js'

type Block = { readonly type: 'text' | 'reasoning'; readonly id: string }

/** The name of the protocol in errors. */
const protocolName = 'Gemini'

/** Creates the assembly of one answer. */
export function createGeminiAssembly(context: AnswerContext): AnswerAssembly {
  const calls = createGeminiCalls(context.newId)
  let block: Block | undefined
  let blocks = 0
  let finish: string | undefined
  let finishMessage = ''
  /** Why the prompt was blocked. Such an answer has no candidates. */
  let blocked: string | undefined
  let metadata: ModelPart | undefined
  let usage: ModelUsage | undefined
  /** Number of events and parts that this adapter does not know. */
  let ignored = 0
  /** After the first event of this protocol, events of other protocols are ignored. */
  let isOurs = false
  let started = false

  const close = (signature?: string): ModelPart[] => {
    if (block === undefined) return []
    const { type, id } = block
    block = undefined
    const own =
      signature === undefined ? {} : { signature, ...(type === 'reasoning' ? { thought: true as const } : {}) }
    return [dropUndefined({ type: `${type}-end`, id, providerMetadata: toMetadata(own) })]
  }
  const open = (type: Block['type'], isThought = type === 'reasoning'): ModelPart[] => {
    const closed = close()
    block = { type, id: `${type}-${blocks++}` }
    const own = isThought ? { thought: true as const } : {}
    return [...closed, dropUndefined({ type: `${type}-start`, id: block.id, providerMetadata: toMetadata(own) })]
  }

  const addText = (text: string, isThought: boolean, signature: string | undefined): ModelPart[] => {
    const type = isThought ? 'reasoning' : 'text'
    const parts: ModelPart[] = []
    if (text !== '') {
      if (block?.type !== type) parts.push(...open(type))
      parts.push({ type: `${type}-delta`, id: block!.id, delta: text })
    }
    if (signature === undefined) return parts
    // A stream sends the signature of a text after it, with an empty text.
    if (block?.type === type) return [...parts, ...close(signature)]
    // A signature without any text is kept as reasoning without text, which nobody sees.
    parts.push(...open('reasoning', isThought))
    const { id } = block!
    block = undefined
    const own = { signature, ...(isThought ? { thought: true as const } : {}) }
    return [...parts, dropUndefined({ type: 'reasoning-end', id, providerMetadata: toMetadata(own) })]
  }

  const addPart = (part: Record<string, unknown>): ModelPart[] => {
    const signature = textOf(part['thoughtSignature'])
    if (isObject(part['functionCall'])) {
      const closed = close()
      return [...closed, ...calls.add(part['functionCall'], signature)]
    }
    if (typeof part['text'] === 'string') return addText(part['text'], part['thought'] === true, signature)
    ignored++
    return []
  }

  const addCandidate = (candidate: Record<string, unknown>): ModelPart[] => {
    const content = isObject(candidate['content']) ? candidate['content'] : {}
    const found = Array.isArray(content['parts']) ? (content['parts'] as unknown[]).filter(isObject) : []
    const parts = found.flatMap(addPart)
    finish = textOf(candidate['finishReason']) ?? finish
    finishMessage = textOf(candidate['finishMessage']) ?? finishMessage
    return parts
  }

  const add = (event: JsonValue): ModelPart[] => {
    if (!isObject(event)) {
      ignored++
      return []
    }
    const error = event['error']
    if (error !== undefined && error !== null) throw streamError(error as JsonValue, context)
    const { candidates, promptFeedback } = event as Record<string, unknown>
    usage = usageOf(event['usageMetadata']) ?? usage
    const reason = isObject(promptFeedback) ? promptFeedback['blockReason'] : undefined
    if (typeof reason === 'string' && reason !== 'BLOCK_REASON_UNSPECIFIED') blocked ??= reason
    if (!Array.isArray(candidates)) {
      const other = isOurs ? undefined : otherProtocolError(event, protocolName)
      if (other) throw other
      if (promptFeedback === undefined && event['usageMetadata'] === undefined) ignored++
      else isOurs = true
      return []
    }
    isOurs = true
    metadata ??= metadataOf(event)
    const first = candidates.filter(isObject).filter((one) => Number(one['index'] ?? 0) === 0)
    const parts = first.flatMap(addCandidate)
    if (parts.length === 0 || started) return parts
    started = true
    return metadata === undefined ? parts : [metadata, ...parts]
  }

  return {
    get finished() {
      return finish !== undefined || blocked !== undefined
    },
    get started() {
      return started
    },
    add,
    addWhole(answer) {
      // A relay that ignores `alt=sse` sends the events as one list.
      const list: readonly JsonValue[] = Array.isArray(answer)
        ? (answer as readonly JsonValue[])
        : [answer as JsonValue]
      const parts = list.flatMap(add)
      if (!isOurs) {
        throw badResponse(
          `Expected an answer of ${protocolName}, received ${quoted(JSON.stringify(answer), context.secrets)}`,
        )
      }
      return parts
    },
    end() {
      const raw = blocked ?? finish
      if (raw === undefined) throw cutError()
      // The next sample may be valid.
      if (malformed.test(raw) && !started) {
        const why = finishMessage === '' ? '' : `: ${quoted(finishMessage, context.secrets)}`
        throw badResponse(`The model wrote a tool call that the server could not read (${raw})${why}`, { retry: true })
      }
      const head = started || metadata === undefined ? [] : [metadata]
      const unified = blocked === undefined ? unifiedOf(raw, calls.count > 0) : 'content-filter'
      return [
        ...head,
        ...close(),
        ...calls.end(),
        dropUndefined({
          type: 'finish',
          finishReason: { unified, raw },
          usage,
          providerMetadata: ignored === 0 ? undefined : { [metadataKey]: { ignored } },
        }),
      ]
    },
  }
}

const malformed = /^(MALFORMED_FUNCTION_CALL|UNEXPECTED_TOOL_CALL|TOO_MANY_TOOL_CALLS)$/
const filtered = /SAFETY|RECITATION|^(BLOCKLIST|PROHIBITED_CONTENT|IMAGE_PROHIBITED_CONTENT|SPII|LANGUAGE|MODEL_ARMOR)$/

function unifiedOf(raw: string, hasCalls: boolean): FinishReason {
  // Relays send FUNCTION_CALL.
  if (raw === 'STOP' || raw === 'FUNCTION_CALL') return hasCalls ? 'tool-calls' : 'stop'
  // CONTINUATION: one request reached its limit before the answer was complete.
  if (raw === 'MAX_TOKENS' || raw === 'CONTINUATION') return 'length'
  if (filtered.test(raw)) return 'content-filter'
  return malformed.test(raw) ? 'error' : 'other'
}

function metadataOf(event: Record<string, unknown>): ModelPart {
  const [id, modelId] = [textOf(event['responseId']), textOf(event['modelVersion'])]
  return dropUndefined({ type: 'response-metadata', id, modelId })
}

/** The counts of an event. Gemini does not count thoughts as tokens of the candidate. */
function usageOf(given: unknown): ModelUsage | undefined {
  if (!isObject(given)) return undefined
  const { promptTokenCount, cachedContentTokenCount, candidatesTokenCount: candidate, thoughtsTokenCount } = given
  const isCounted = candidate !== undefined || thoughtsTokenCount !== undefined
  const usage: ModelUsage = dropUndefined({
    inputTokens: counts({ total: promptTokenCount, cacheRead: cachedContentTokenCount }),
    outputTokens: counts({
      total: isCounted ? Number(candidate ?? 0) + Number(thoughtsTokenCount ?? 0) : undefined,
      reasoning: thoughtsTokenCount,
    }),
  })
  return (usage.inputTokens ?? usage.outputTokens) ? usage : undefined
}

function counts(fields: Record<string, unknown>): Record<string, number> | undefined {
  const numbers = Object.entries(fields).filter((field): field is [string, number] => Number.isFinite(field[1]))
  return numbers.length === 0 ? undefined : Object.fromEntries(numbers)
}
