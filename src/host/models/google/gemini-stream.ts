// Reads the events of one generateContent answer. A whole answer is handled as a stream of one event.
import { isObject, type JsonValue } from '../../../core/data/json.js'
import {
  type AnswerBuilder,
  type AnswerProtocol,
  type AnswerReader,
  type Call,
  type Fields,
} from '../answer/answer-builder.js'
import { badResponse, cutError, quoted } from '../http/answer-errors.js'
import { streamError } from '../http/http-errors.js'
import { GeminiCalls } from './gemini-calls.js'
import { metadataKey, textOf } from './gemini-names.js'

const malformed = /^(MALFORMED_FUNCTION_CALL|UNEXPECTED_TOOL_CALL|TOO_MANY_TOOL_CALLS)$/

/** How the answers of the Gemini API are read. */
export const geminiAnswer: AnswerProtocol = {
  name: 'Gemini',
  noun: 'an answer of Gemini',
  metadataKey,
  finishWords: {
    // Relays send FUNCTION_CALL.
    stop: /^(STOP|FUNCTION_CALL)$/,
    // CONTINUATION: one request reached its limit before the answer was complete.
    length: /^(MAX_TOKENS|CONTINUATION)$/,
    'content-filter':
      /SAFETY|RECITATION|^(BLOCKLIST|PROHIBITED_CONTENT|IMAGE_PROHIBITED_CONTENT|SPII|LANGUAGE|MODEL_ARMOR)$/,
    error: malformed,
  },
  reader: (answer) => new GeminiReader(answer),
}

/**
 * A signature belongs to the part in which it arrives, and that part must be sent back unchanged: so a signature ends
 * its block, and the next text begins another one.
 */
class GeminiReader implements AnswerReader {
  readonly #answer: AnswerBuilder
  readonly #calls: GeminiCalls
  #finish: string | undefined
  #finishMessage = ''
  /** The prompt was blocked. Such an answer has no candidates. */
  #isBlocked = false

  constructor(answer: AnswerBuilder) {
    this.#answer = answer
    this.#calls = new GeminiCalls(answer)
  }

  read(event: Fields): void {
    const { error, candidates, promptFeedback, usageMetadata } = event
    if (error !== undefined && error !== null) throw streamError(error as JsonValue, this.#answer.context)
    this.#addUsage(usageMetadata)
    const reason = isObject(promptFeedback) ? promptFeedback['blockReason'] : undefined
    if (typeof reason === 'string' && reason !== 'BLOCK_REASON_UNSPECIFIED' && !this.#isBlocked) {
      this.#isBlocked = true
      this.#answer.finish(reason, 'content-filter')
    }
    if (Array.isArray(candidates)) {
      this.#answer.recognize(textOf(event['responseId']), textOf(event['modelVersion']))
      const first = candidates.filter(isObject).filter((one) => Number(one['index'] ?? 0) === 0)
      for (const candidate of first) this.#addCandidate(candidate)
      return
    }
    this.#answer.failIfOther(event)
    if (promptFeedback === undefined && usageMetadata === undefined) this.#answer.ignore()
    else this.#answer.recognize()
  }

  end(): void {
    // Also an answer that was not streamed has a reason.
    if (!this.#answer.finished) throw cutError()
    if (this.#isBlocked || !malformed.test(this.#finish ?? '') || this.#answer.started) return
    // The next sample may be valid.
    const why = this.#finishMessage === '' ? '' : `: ${quoted(this.#finishMessage, this.#answer.context.secrets)}`
    throw badResponse(`The model wrote a tool call that the server could not read (${this.#finish})${why}`, {
      retry: true,
    })
  }

  calls(): Iterable<Call> {
    return this.#calls.complete()
  }

  #addCandidate(candidate: Fields): void {
    const content = isObject(candidate['content']) ? candidate['content'] : {}
    if (Array.isArray(content['parts']))
      for (const part of (content['parts'] as unknown[]).filter(isObject)) this.#addPart(part)
    this.#finishMessage = textOf(candidate['finishMessage']) ?? this.#finishMessage
    const reason = textOf(candidate['finishReason'])
    if (reason === undefined || this.#isBlocked) return
    this.#finish = reason
    this.#answer.finish(reason)
  }

  #addPart(part: Fields): void {
    const signature = textOf(part['thoughtSignature'])
    if (isObject(part['functionCall'])) {
      this.#answer.closeOpen()
      this.#calls.add(part['functionCall'], signature)
    } else if (typeof part['text'] === 'string') this.#addText(part['text'], part['thought'] === true, signature)
    else this.#answer.ignore()
  }

  #addText(text: string, isThought: boolean, signature: string | undefined): void {
    const type = isThought ? 'reasoning' : 'text'
    const thought = isThought ? { thought: true } : {}
    if (text !== '') this.#answer.inTurn(type, text, thought)
    // A stream sends the signature of a text after it, with an empty text.
    if (signature === undefined || this.#answer.closeOpen({ type, own: { signature, ...thought } })) return
    // A signature without any text is kept as reasoning without text, which nobody sees.
    this.#answer.closeOpen()
    this.#answer.inTurn('reasoning', '', thought)
    this.#answer.closeOpen({ own: { signature, ...thought } })
  }

  /** Gemini does not count thoughts as tokens of the candidate. */
  #addUsage(given: unknown): void {
    if (!isObject(given)) return
    const { promptTokenCount, cachedContentTokenCount, candidatesTokenCount: candidate, thoughtsTokenCount } = given
    const isCounted = candidate !== undefined || thoughtsTokenCount !== undefined
    this.#answer.usage(
      { total: promptTokenCount, cacheRead: cachedContentTokenCount },
      {
        total: isCounted ? Number(candidate ?? 0) + Number(thoughtsTokenCount ?? 0) : undefined,
        reasoning: thoughtsTokenCount,
      },
    )
  }
}
