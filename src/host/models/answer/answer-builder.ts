// One answer while it arrives. The reader of a protocol translates each event into a few calls of the builder: texts,
// reasoning, calls, usage, finish. What holds for every protocol exists here, once: ids, names, whose metadata it is,
// and when an answer is complete. Nothing may depend on how the stream is cut, and nothing here does I/O.
//
// A new protocol adds a reader (`AnswerReader`) in a folder of its own. What only its servers do stays in that reader.
// The lists that it is entered in: CONTRIBUTING.md, "Add a model provider".
import { isObject, dropUndefined, type JsonObject, type JsonValue } from '../../../core/data/json.js'
import type { Metadata } from '../../../core/data/message.js'
import type { FinishReason, ModelPart, ModelUsage } from '../../../core/data/model.js'
import { badResponse, cutError, quoted, type ErrorContext } from '../http/answer-errors.js'
import { missingName } from '../request/names.js'
import { otherProtocolError } from './other-protocols.js'

/** The fields of an event. */
export type Fields = Readonly<Record<string, unknown>>

/** Translates the events of one answer. */
export interface AnswerReader {
  /** Reads one event of the stream. Throws the error that the server reports in it. */
  read(event: Fields): void
  /** Reads an answer that was not streamed. Without it, such an answer is an event of the stream, or a list of them. */
  readWhole?(answer: Fields): void
  /** The stream is over. `marked`: the server sent `[DONE]`, or the answer was not streamed. */
  end?(marked: boolean): void
  /** The calls, in their order. Asked for once, at the end of a complete answer: calls of a cut answer must not run. */
  calls(): Iterable<Call>
}

/** How the answers of one protocol are read. */
export interface AnswerProtocol {
  /** As `other-protocols.ts` and errors name it. */
  readonly name: string
  /** A whole answer, in errors: `a message`. */
  readonly noun: string
  /** The key of the provider in the metadata of message parts. */
  readonly metadataKey: string
  /** The server's words for why it stopped. Any other word is `other`. */
  readonly finishWords: FinishWords
  /** Creates the reader of one answer. */
  reader(answer: AnswerBuilder): AnswerReader
}

/** What reading an answer needs from the outside. */
export interface AnswerContext extends ErrorContext {
  /** A unique id, for a call that the server sent without one. */
  readonly newId: () => string
}

/** The words for each reason. */
export type FinishWords = Partial<Record<FinishReason, RegExp>>

/** The finish reason that a server's own word means. */
export function finishReasonOf(words: FinishWords, raw: string): FinishReason {
  const found = (Object.entries(words) as [FinishReason, RegExp][]).find(([, pattern]) => pattern.test(raw))
  return found?.[0] ?? 'other'
}

/** A text, or a block of reasoning. */
export interface Block {
  readonly type: 'text' | 'reasoning'
  readonly id: string
}

/** A call. */
export interface Call {
  /** Unique in the answer: the server's, or a new one. */
  readonly id: string
  name: string
  /** The arguments so far, as text. */
  input: string
  isEnded: boolean
  /** What the provider stores with it. */
  own?: JsonObject | undefined
}

/** Builds the parts of one answer. Readers call the methods up to `failIfOther`, the endpoint client the others. */
export class AnswerBuilder {
  /** The request, what errors may say, and new ids. */
  readonly context: AnswerContext
  readonly #protocol: AnswerProtocol
  readonly #reader: AnswerReader
  /** What was made of the event that is being read. If reading throws, none of it is returned. */
  #parts: ModelPart[] = []
  #metadata: ModelPart | undefined
  #blocks = 0
  #open: Block | undefined
  readonly #callIds = new Set<string>()
  #usage: ModelUsage | undefined
  #finish: { readonly unified: FinishReason; readonly raw?: string } | undefined
  #details: JsonObject = {}
  #ignored = 0
  #isRecognized = false
  #isClosed = false
  #hasBegun = false

  constructor(protocol: AnswerProtocol, context: AnswerContext) {
    this.context = context
    this.#protocol = protocol
    this.#reader = protocol.reader(this)
  }

  /** Begins a block. A text without `isShown` begins with its first delta. */
  open(type: Block['type'], own?: JsonObject, isShown = type === 'reasoning'): Block {
    const block = { type, id: `${type}-${this.#blocks++}` }
    if (isShown)
      this.#parts.push(dropUndefined({ type: `${type}-start`, id: block.id, providerMetadata: this.#as(own) }))
    return block
  }

  /** More of a block. */
  write({ type, id }: Block, delta: string): void {
    if (delta !== '') this.#parts.push({ type: `${type}-delta`, id, delta })
  }

  /** Ends a block. `text`: the whole text, which replaces the deltas. */
  close({ type, id }: Block, { own, text }: { own?: JsonObject | undefined; text?: string | undefined } = {}): void {
    this.#parts.push(dropUndefined({ type: `${type}-end`, id, text, providerMetadata: this.#as(own) }))
  }

  /**
   * For servers that do not number their texts: at most one block is open, and more of its type belongs to it.
   * Returns that block. `own` belongs to the start of a new one.
   */
  inTurn(type: Block['type'], delta: string, own?: JsonObject): Block {
    if (this.#open?.type !== type) {
      this.closeOpen()
      this.#open = this.open(type, own, true)
    }
    this.write(this.#open, delta)
    return this.#open
  }

  /** Ends the block of `inTurn`, or the one of this type. Returns whether there was one. */
  closeOpen({ type, own }: { readonly type?: Block['type']; readonly own?: JsonObject } = {}): boolean {
    if (this.#open === undefined || (type ?? this.#open.type) !== this.#open.type) return false
    this.close(this.#open, { own })
    this.#open = undefined
    return true
  }

  /** Begins a call. A missing or repeated id gets a new one, and a missing name is answered like an unknown tool. */
  callStart(id: string, name: string): Call {
    const isNew = id !== '' && !this.#callIds.has(id)
    const call = { id: isNew ? id : this.context.newId(), name: name || missingName, input: '', isEnded: false }
    this.#callIds.add(call.id)
    this.#parts.push({ type: 'tool-input-start', id: call.id, toolName: call.name })
    return call
  }

  /** More of the arguments of a call. */
  callInput(call: Call, delta: string): void {
    if (delta === '') return
    call.input += delta
    this.#parts.push({ type: 'tool-input-delta', id: call.id, delta })
  }

  /** The arguments of a call are complete. */
  callEnd(call: Call): void {
    if (!call.isEnded) this.#parts.push({ type: 'tool-input-end', id: call.id })
    call.isEnded = true
  }

  /** A part that only this protocol has. */
  emit(part: ModelPart): void {
    this.#parts.push(part)
  }

  /** Whether a call has begun. */
  get hasCalls(): boolean {
    return this.#callIds.size > 0
  }

  /** The token counts. Only numbers count, and the newest counts replace earlier ones. */
  usage(input: Fields, output: Fields): void {
    this.#usage = usageOf(input, output) ?? this.#usage
  }

  /** Why the answer ended, in the server's word. After it only the usage can follow. */
  finish(raw: string, unified = finishReasonOf(this.#protocol.finishWords, raw)): void {
    this.#finish = { unified, raw }
  }

  /** Fields for debugging that belong to no part of the message. They are not stored. */
  details(fields: JsonObject): void {
    this.#details = { ...this.#details, ...fields }
  }

  /** Counts an event or a part that the reader does not know. */
  ignore(): void {
    this.#ignored++
  }

  /**
   * The event belongs to this protocol. After the first one, events of other protocols are ignored. `id`, `model`: what
   * the server says about the answer; the first ones count.
   */
  recognize(id?: unknown, model?: unknown): void {
    this.#isRecognized = true
    const [text, modelId] = [id, model].map((one) => (typeof one === 'string' ? one : undefined))
    if ((text ?? modelId) !== undefined)
      this.#metadata ??= dropUndefined({ type: 'response-metadata', id: text, modelId })
  }

  /** Whether an event of this protocol has arrived. */
  get isRecognized(): boolean {
    return this.#isRecognized
  }

  /** Throws an error that names the protocol, if none of ours has arrived and this event belongs to another API. */
  failIfOther(event: Fields): void {
    const error = this.#isRecognized ? undefined : otherProtocolError(event, this.#protocol.name)
    if (error) throw error
  }

  /** The server ends the stream here. No later event is read. */
  closeStream(): void {
    this.#isClosed = true
  }

  /** Whether the end of the answer was reported. After it only the usage can follow. */
  get finished(): boolean {
    return this.#isClosed || this.#finish !== undefined
  }

  /** Whether any part was returned. */
  get started(): boolean {
    return this.#hasBegun
  }

  /** Reads one event, and returns what it adds. Throws the error that the server reports in it. */
  add(event: JsonValue): ModelPart[] {
    if (!this.#isClosed) this.#read(event)
    return this.#take()
  }

  /** Reads an answer that was not streamed. */
  addWhole(answer: JsonValue): ModelPart[] {
    const list = Array.isArray(answer) ? (answer as readonly JsonValue[]) : [answer]
    if (this.#reader.readWhole === undefined) for (const event of list) this.#read(event)
    else if (isObject(list[0])) this.#reader.readWhole(list[0])
    if (!this.#isRecognized) {
      const { name, noun } = this.#protocol
      const received = quoted(JSON.stringify(answer), this.context.secrets)
      throw otherProtocolError(answer, name) ?? badResponse(`Expected ${noun}, received ${received}`)
    }
    return this.#take()
  }

  /** Ends the answer. `marked`: as in `AnswerReader.end`. Throws `stream-cut` if the answer is not complete. */
  end(marked: boolean): ModelPart[] {
    this.closeOpen()
    this.#reader.end?.(marked)
    // Without a reason, only an answer whose end is marked is complete, and never one with calls.
    const isWhole = !this.hasCalls && (marked || this.#isClosed)
    if (!this.#isRecognized || (this.#finish === undefined && !isWhole)) throw cutError()
    for (const call of this.#reader.calls()) {
      this.callEnd(call)
      const { id: toolCallId, name: toolName, input, own } = call
      this.#parts.push(
        dropUndefined({ type: 'tool-call', toolCallId, toolName, input, providerMetadata: this.#as(own) }),
      )
    }
    const own = dropUndefined({ ...this.#details, ignored: this.#ignored || undefined })
    const given = this.#finish ?? { unified: 'stop' }
    // A server without a word for calls ends an answer with calls by its usual word.
    const isByCalls = given.unified === 'stop' && this.hasCalls && !this.#protocol.finishWords['tool-calls']
    const finishReason = isByCalls ? { ...given, unified: 'tool-calls' as const } : given
    this.#parts.push(
      dropUndefined({ type: 'finish', finishReason, usage: this.#usage, providerMetadata: this.#as(own) }),
    )
    return this.#take()
  }

  #read(event: JsonValue): void {
    if (isObject(event)) this.#reader.read(event)
    else this.#ignored++
  }

  /** The parts since the last time. What the server says about the answer goes before the first ones. */
  #take(): ModelPart[] {
    const parts = this.#parts
    this.#parts = []
    if (parts.length === 0 || this.#hasBegun) return parts
    this.#hasBegun = true
    return this.#metadata ? [this.#metadata, ...parts] : parts
  }

  #as(own: JsonObject | undefined): Metadata | undefined {
    return own && Object.keys(own).length > 0 ? { [this.#protocol.metadataKey]: own } : undefined
  }
}

/** The token counts of an answer; undefined if there is none. A count that a server does not report stays absent. */
export function usageOf(input: Fields, output: Fields): ModelUsage | undefined {
  const [inputTokens, outputTokens] = [input, output].map((fields): Record<string, number> | undefined => {
    const numbers = Object.entries(fields).filter((field): field is [string, number] => Number.isFinite(field[1]))
    return numbers.length === 0 ? undefined : Object.fromEntries(numbers)
  })
  return (inputTokens ?? outputTokens) ? dropUndefined({ inputTokens, outputTokens }) : undefined
}

/** The text in a field; an empty one for anything else. */
export function textIn(fields: Fields, name: string): string {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}
