// Turns the events of one generateContent answer into model parts, without any I/O. Calls are returned only at the end,
// after a finish reason; an end without one is an error. A whole answer is handled as a stream of one event.
import { dropUndefined, isObject, type JsonValue } from '../../../core/data/json.js'
import type { FinishReason, ModelPart, ModelUsage } from '../../../core/data/model.js'
import { badResponse, cutError, quoted } from '../http/answer-errors.js'
import { AnswerStart } from '../http/answer-start.js'
import type { AnswerAssembly, AnswerContext } from '../http/http-model.js'
import { streamError } from '../http/http-errors.js'
import { otherProtocolError } from '../answer/other-protocols.js'
import { createGeminiCalls, type GeminiCalls } from './gemini-calls.js'
import { metadataKey, textOf, toMetadata } from './gemini-names.js'

type Block = { readonly type: 'text' | 'reasoning'; readonly id: string }

/** The name of the protocol in errors. */
const protocolName = 'Gemini'

/**
 * The assembly of one answer. At most one block is open. A signature belongs to the part in which it arrives, and that
 * part must be sent back unchanged: so a signature ends its block, and the next text begins another one.
 */
export class GeminiAssembly implements AnswerAssembly {
  readonly #context: AnswerContext
  readonly #calls: GeminiCalls
  #block: Block | undefined
  #blocks = 0
  #finish: string | undefined
  #finishMessage = ''
  /** Why the prompt was blocked. Such an answer has no candidates. */
  #blocked: string | undefined
  readonly #start = new AnswerStart()
  #usage: ModelUsage | undefined
  /** Number of events and parts that this adapter does not know. */
  #ignored = 0
  /** After the first event of this protocol, events of other protocols are ignored. */
  #isOurs = false

  constructor(context: AnswerContext) {
    this.#context = context
    this.#calls = createGeminiCalls(context.newId)
  }

  get finished(): boolean {
    return this.#finish !== undefined || this.#blocked !== undefined
  }

  get started(): boolean {
    return this.#start.hasBegun
  }

  add(event: JsonValue): ModelPart[] {
    if (!isObject(event)) {
      this.#ignored++
      return []
    }
    const error = event['error']
    if (error !== undefined && error !== null) throw streamError(error as JsonValue, this.#context)
    const { candidates, promptFeedback } = event as Record<string, unknown>
    this.#usage = usageOf(event['usageMetadata']) ?? this.#usage
    const reason = isObject(promptFeedback) ? promptFeedback['blockReason'] : undefined
    if (typeof reason === 'string' && reason !== 'BLOCK_REASON_UNSPECIFIED') this.#blocked ??= reason
    if (!Array.isArray(candidates)) {
      const other = this.#isOurs ? undefined : otherProtocolError(event, protocolName)
      if (other) throw other
      if (promptFeedback === undefined && event['usageMetadata'] === undefined) this.#ignored++
      else this.#isOurs = true
      return []
    }
    this.#isOurs = true
    this.#start.metadata ??= metadataOf(event)
    const first = candidates.filter(isObject).filter((one) => Number(one['index'] ?? 0) === 0)
    const parts = first.flatMap((candidate) => this.#addCandidate(candidate))
    return this.#start.begin(parts)
  }

  addWhole(answer: JsonValue): ModelPart[] {
    // A relay that ignores `alt=sse` sends the events as one list.
    const list: readonly JsonValue[] = Array.isArray(answer) ? (answer as readonly JsonValue[]) : [answer as JsonValue]
    const parts = list.flatMap((event) => this.add(event))
    if (!this.#isOurs) {
      throw badResponse(
        `Expected an answer of ${protocolName}, received ${quoted(JSON.stringify(answer), this.#context.secrets)}`,
      )
    }
    return parts
  }

  end(): ModelPart[] {
    const raw = this.#blocked ?? this.#finish
    if (raw === undefined) throw cutError()
    // The next sample may be valid.
    if (malformed.test(raw) && !this.#start.hasBegun) {
      const why = this.#finishMessage === '' ? '' : `: ${quoted(this.#finishMessage, this.#context.secrets)}`
      throw badResponse(`The model wrote a tool call that the server could not read (${raw})${why}`, { retry: true })
    }
    const unified = this.#blocked === undefined ? unifiedOf(raw, this.#calls.count > 0) : 'content-filter'
    return [
      ...this.#start.rest(),
      ...this.#close(),
      ...this.#calls.end(),
      dropUndefined({
        type: 'finish',
        finishReason: { unified, raw },
        usage: this.#usage,
        providerMetadata: this.#ignored === 0 ? undefined : { [metadataKey]: { ignored: this.#ignored } },
      }),
    ]
  }

  #close(signature?: string): ModelPart[] {
    if (this.#block === undefined) return []
    const { type, id } = this.#block
    this.#block = undefined
    const own =
      signature === undefined ? {} : { signature, ...(type === 'reasoning' ? { thought: true as const } : {}) }
    return [dropUndefined({ type: `${type}-end`, id, providerMetadata: toMetadata(own) })]
  }

  #open(type: Block['type'], isThought = type === 'reasoning'): ModelPart[] {
    const closed = this.#close()
    this.#block = { type, id: `${type}-${this.#blocks++}` }
    const own = isThought ? { thought: true as const } : {}
    return [...closed, dropUndefined({ type: `${type}-start`, id: this.#block.id, providerMetadata: toMetadata(own) })]
  }

  #addText(text: string, isThought: boolean, signature: string | undefined): ModelPart[] {
    const type = isThought ? 'reasoning' : 'text'
    const parts: ModelPart[] = []
    if (text !== '') {
      if (this.#block?.type !== type) parts.push(...this.#open(type))
      parts.push({ type: `${type}-delta`, id: this.#block!.id, delta: text })
    }
    if (signature === undefined) return parts
    // A stream sends the signature of a text after it, with an empty text.
    if (this.#block?.type === type) return [...parts, ...this.#close(signature)]
    // A signature without any text is kept as reasoning without text, which nobody sees.
    parts.push(...this.#open('reasoning', isThought))
    const { id } = this.#block!
    this.#block = undefined
    const own = { signature, ...(isThought ? { thought: true as const } : {}) }
    return [...parts, dropUndefined({ type: 'reasoning-end', id, providerMetadata: toMetadata(own) })]
  }

  #addPart(part: Record<string, unknown>): ModelPart[] {
    const signature = textOf(part['thoughtSignature'])
    if (isObject(part['functionCall'])) {
      const closed = this.#close()
      return [...closed, ...this.#calls.add(part['functionCall'], signature)]
    }
    if (typeof part['text'] === 'string') return this.#addText(part['text'], part['thought'] === true, signature)
    this.#ignored++
    return []
  }

  #addCandidate(candidate: Record<string, unknown>): ModelPart[] {
    const content = isObject(candidate['content']) ? candidate['content'] : {}
    const found = Array.isArray(content['parts']) ? (content['parts'] as unknown[]).filter(isObject) : []
    const parts = found.flatMap((part) => this.#addPart(part))
    this.#finish = textOf(candidate['finishReason']) ?? this.#finish
    this.#finishMessage = textOf(candidate['finishMessage']) ?? this.#finishMessage
    return parts
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

function metadataOf(event: Record<string, unknown>): ModelPart | undefined {
  const [id, modelId] = [textOf(event['responseId']), textOf(event['modelVersion'])]
  return (id ?? modelId) ? dropUndefined({ type: 'response-metadata', id, modelId }) : undefined
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
