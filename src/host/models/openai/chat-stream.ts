// Reads the events of one chat completion. Its calls are complete only after a finish reason. A non-streamed answer is
// handled as a stream of one event.
import type { ToolAgentError } from '../../../core/data/errors.js'
import { dropUndefined, isObject, type JsonValue } from '../../../core/data/json.js'
import {
  textIn,
  type AnswerBuilder,
  type AnswerProtocol,
  type AnswerReader,
  type Block,
  type Call,
  type Fields,
} from '../answer/answer-builder.js'
import { otherProtocolError } from '../answer/other-protocols.js'
import { cutError } from '../http/answer-errors.js'
import { streamError } from '../http/http-errors.js'
import { ChatCalls } from './chat-calls.js'
import { chatFinishWords, createFinishReader } from './chat-finish.js'
import { createReasoningDetails } from './chat-reasoning.js'
import { metadataKey } from './chat-request.js'

/** How chat completions are read. */
export const chatAnswer: AnswerProtocol = {
  name: 'OpenAI chat completions',
  noun: 'a chat completion',
  metadataKey,
  finishWords: chatFinishWords,
  reader: (answer) => new ChatReader(answer),
}

/** A piece of text, and the field of reasoning that it came in. */
interface Piece {
  readonly type: Block['type']
  readonly text: string
  readonly field?: string
}

class ChatReader implements AnswerReader {
  readonly #answer: AnswerBuilder
  readonly #calls: ChatCalls
  readonly #details = createReasoningDetails()
  readonly #finish = createFinishReader()
  #firstReasoning: { readonly block: Block; readonly field?: string } | undefined
  /**
   * The first event, if none was part of a chat completion. Relays send events of their own before an answer, so only
   * an error or the end of the stream tells that all are of another protocol.
   */
  #foreign: Fields | undefined

  constructor(answer: AnswerBuilder) {
    this.#answer = answer
    this.#calls = new ChatCalls(answer)
  }

  read(event: Fields): void {
    this.#failIfError(event)
    const { choices, usage, x_groq: groq } = event
    if (isObject(groq)) this.#addUsage(groq['usage'])
    this.#addUsage(usage)
    if (!Array.isArray(choices)) {
      if (usage !== undefined) return
      this.#answer.ignore()
      if (!this.#answer.isRecognized) this.#foreign ??= event
      return
    }
    this.#foreign = undefined
    this.#answer.recognize(event['id'], event['model'])
    if (choices.length === 0 && usage !== undefined) this.#finish.addUsage()
    for (const choice of choices as unknown[]) {
      if (!isObject(choice) || Number(choice['index'] ?? 0) !== 0) continue
      this.#failIfError(choice)
      this.#addUsage(choice['usage'])
      const hasContent = this.#addDelta(isObject(choice['delta']) ? choice['delta'] : {})
      this.#finish.add(choice['finish_reason'], !hasContent)
      if (this.#finish.reason !== undefined) this.#answer.finish(this.#finish.reason)
    }
  }

  readWhole(answer: Fields): void {
    const first = Array.isArray(answer['choices']) ? (answer['choices'] as unknown[]).find(isObject) : undefined
    if (first === undefined || !isObject(first['message'])) return this.#failIfError(answer)
    const { message, finish_reason: reason } = first
    const entries = Array.isArray(message['tool_calls']) ? (message['tool_calls'] as unknown[]) : []
    const calls = entries.map((call, index) => (isObject(call) ? { ...call, index } : call))
    const delta = { ...message, tool_calls: calls }
    this.read({ ...answer, choices: [{ ...first, index: 0, delta, finish_reason: reason ?? 'stop' }] })
  }

  end(marked: boolean): void {
    if (this.#finish.reason === undefined) {
      const hasCalls = this.#calls.open
      const blank = this.#calls.allParse ? this.#finish.blankEnd(marked) : undefined
      if (blank !== undefined) this.#answer.finish(blank, hasCalls ? 'tool-calls' : 'stop')
      // Only the mark of the end: a complete answer that says nothing.
      else if (marked && !hasCalls && this.#foreign === undefined) this.#answer.recognize()
      else throw this.#named(cutError())
    }
    this.#closeDetails()
  }

  calls(): Iterable<Call> {
    return this.#calls.complete()
  }

  /** The error, but one that names the protocol if all events are of another one. */
  #named(error: ToolAgentError): ToolAgentError {
    return otherProtocolError(this.#foreign, chatAnswer.name) ?? error
  }

  /** Fails with the error in an event, in any of the shapes in use. */
  #failIfError(event: Fields): void {
    const { error, object, type } = event
    const isGiven = error !== undefined && error !== null && error !== false
    if (!isGiven && object !== 'error' && type !== 'error') return
    throw this.#named(streamError((isGiven ? error : event) as JsonValue, this.#answer.context))
  }

  /** Returns whether the delta has any content. */
  #addDelta(delta: Fields): boolean {
    const { reasoning_details: details, tool_calls: entries } = delta
    // Relays send the same text under several names.
    const field = ['reasoning_content', 'reasoning'].find(
      (name) => typeof delta[name] === 'string' && delta[name] !== '',
    )
    const detailed = Array.isArray(details) ? this.#details.add(details) : ''
    const pieces: readonly Piece[] = [
      dropUndefined({ type: 'reasoning', text: field === undefined ? detailed : String(delta[field]), field }),
      ...contentOf(delta['content']),
      { type: 'text', text: textIn(delta, 'refusal') },
    ]
    const texts = pieces.filter(({ text }) => text !== '')
    for (const { type, text, ...own } of texts) {
      const block = this.#answer.inTurn(type, text, own)
      if (type === 'reasoning') this.#firstReasoning ??= { block, ...own }
    }
    if (Array.isArray(entries)) this.#calls.add(entries)
    return texts.length > 0 || (Array.isArray(entries) && entries.length > 0)
  }

  /**
   * Only with the end of the answer: incomplete details would be refused. They belong to the first reasoning of the
   * answer.
   */
  #closeDetails(): void {
    if (this.#details.list.length === 0) return
    const { block, field } = this.#firstReasoning ?? { block: this.#answer.open('reasoning') }
    // Metadata of a later part replaces that of an earlier one, so it repeats the name of the field.
    this.#answer.close(block, { own: dropUndefined({ field, reasoning_details: this.#details.list }) })
  }

  #addUsage(usage: unknown): void {
    if (!isObject(usage)) return
    const detail = (name: string): Fields => (isObject(usage[name]) ? usage[name] : {})
    const { cached_tokens: cached, cache_write_tokens: cacheWrite } = detail('prompt_tokens_details')
    this.#answer.usage(
      // DeepSeek has a field of its own, OpenRouter one for what it wrote.
      { total: usage['prompt_tokens'], cacheRead: cached ?? usage['prompt_cache_hit_tokens'], cacheWrite },
      { total: usage['completion_tokens'], reasoning: detail('completion_tokens_details')['reasoning_tokens'] },
    )
  }
}

/** Text, or with some providers a list of text and thinking. */
function contentOf(content: unknown): Piece[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) return []
  return content.filter(isObject).flatMap((part): Piece[] => {
    if (typeof part['text'] === 'string') return [{ type: 'text', text: part['text'] }]
    const thinking = part['thinking']
    if (typeof thinking === 'string') return [{ type: 'reasoning', text: thinking }]
    return contentOf(thinking).map(({ text }) => ({ type: 'reasoning', text }))
  })
}
