// Reads the events of one Messages answer. A non-streamed answer is handled as the events of its blocks.
import { isObject, type JsonObject, type JsonValue } from '../../../core/data/json.js'
import {
  textIn,
  type AnswerBuilder,
  type AnswerProtocol,
  type AnswerReader,
  type Block,
  type Call,
  type Fields,
} from '../answer/answer-builder.js'
import { badResponse } from '../http/answer-errors.js'
import { streamError } from '../http/http-errors.js'
import { metadataKey } from './messages-request.js'

/** A text, or thinking with its signature, or with the encrypted content of redacted thinking. */
type OpenBlock = Block & { signature: string; readonly redacted?: string }
interface OpenCall {
  readonly type: 'call'
  readonly call: Call
  /** The input in the start of the block, which a stream leaves empty. */
  readonly given: string
}

/** How the answers of the Messages API are read. */
export const messagesAnswer: AnswerProtocol = {
  name: 'Anthropic Messages',
  noun: 'a message',
  metadataKey,
  finishWords: {
    stop: /^(end_turn|stop_sequence|pause_turn)$/,
    'tool-calls': /^tool_use$/,
    length: /^(max_tokens|model_context_window_exceeded)$/,
    'content-filter': /^refusal$/,
  },
  reader: (answer) => new MessagesReader(answer),
}

/**
 * Several blocks may be open; an event names its block by the index. A relay may leave out the end of a block, so a new
 * block with the same index ends the old one, and `end` ends all others.
 */
class MessagesReader implements AnswerReader {
  readonly #answer: AnswerBuilder
  /** By index. */
  readonly #openBlocks = new Map<unknown, OpenBlock | OpenCall>()
  readonly #calls: OpenCall[] = []
  #messageId: unknown
  #usage: Fields = {}

  constructor(answer: AnswerBuilder) {
    this.#answer = answer
  }

  read(event: Fields): void {
    this.#failIfError(event)
    const { type, index } = event
    this.#answer.failIfOther(event)
    if (type === 'message_start' && isObject(event['message'])) this.#addMessage(event['message'])
    else if (type === 'content_block_start') this.#open(index, event['content_block'])
    else if (type === 'content_block_delta') this.#addDelta(index, event['delta'])
    else if (type === 'content_block_stop') this.#stop(index)
    else if (type === 'message_delta') {
      this.#addStop(event['delta'])
      this.#addUsage(event['usage'])
    } else if (type === 'message_stop') this.#answer.closeStream()
    else return
    this.#answer.recognize()
  }

  readWhole(answer: Fields): void {
    this.#failIfError(answer)
    if (answer['type'] !== 'message' || !Array.isArray(answer['content'])) return
    this.read({ type: 'message_start', message: answer })
    this.read({ type: 'message_stop' })
  }

  end(): void {
    for (const index of this.#openBlocks.keys()) this.#stop(index)
  }

  calls(): Call[] {
    return this.#calls.map(({ call, given }) => Object.assign(call, { input: call.input || given }))
  }

  #failIfError(event: Fields): void {
    const error = event['error']
    if (isObject(error) || event['type'] === 'error')
      throw streamError((error ?? event) as JsonValue, this.#answer.context)
  }

  #open(index: unknown, given: unknown): void {
    if (!isObject(given)) return
    this.#stop(index)
    const type = given['type']
    if (type === 'tool_use') {
      const input = given['input']
      const whole = typeof input === 'string' ? input : JSON.stringify(input ?? {})
      const call = this.#answer.callStart(textIn(given, 'id'), textIn(given, 'name'))
      const open: OpenCall = { type: 'call', call, given: whole }
      this.#calls.push(open)
      this.#openBlocks.set(index, open)
    } else if (type === 'text' || type === 'thinking' || type === 'redacted_thinking') {
      const redacted = type === 'redacted_thinking' ? { redacted: textIn(given, 'data') } : {}
      const block = this.#answer.open(type === 'text' ? 'text' : 'reasoning')
      this.#openBlocks.set(index, { ...block, ...redacted, signature: textIn(given, 'signature') })
      this.#answer.write(block, textIn(given, type === 'text' ? 'text' : 'thinking'))
    }
    // Other blocks are of tools that the server runs. Requests of this adapter never allow them.
  }

  #addDelta(index: unknown, delta: unknown): void {
    const open = this.#openBlocks.get(index)
    if (!isObject(delta) || open === undefined) return
    if (open.type === 'call') return this.#answer.callInput(open.call, textIn(delta, 'partial_json'))
    if (open.type === 'reasoning') open.signature += textIn(delta, 'signature')
    this.#answer.write(open, textIn(delta, open.type === 'text' ? 'text' : 'thinking'))
  }

  #stop(index: unknown): void {
    const open = this.#openBlocks.get(index)
    this.#openBlocks.delete(index)
    if (open === undefined) return
    if (open.type === 'call') {
      if (open.call.input === '' && open.given !== '{}') this.#answer.callInput(open.call, open.given)
      this.#answer.callEnd(open.call)
    } else if (open.type === 'text') this.#answer.close(open)
    else {
      // The API reads thinking only together with its signature, and only for the model that wrote it.
      const { redacted, signature } = open
      const model = this.#answer.context.request?.model ?? ''
      this.#answer.close(open, { own: { model, ...(redacted === undefined ? { signature } : { redacted }) } })
    }
  }

  #addMessage(message: Fields): void {
    if (this.#messageId !== undefined && message['id'] !== this.#messageId)
      throw badResponse('The stream contains a second answer before the end of the first one.')
    if (this.#messageId !== undefined) return
    this.#messageId = message['id'] ?? ''
    this.#answer.recognize(message['id'], message['model'])
    this.#addUsage(message['usage'])
    const content = Array.isArray(message['content']) ? (message['content'] as unknown[]) : []
    for (const [index, block] of content.entries()) {
      this.#open(`whole ${index}`, block)
      this.#stop(`whole ${index}`)
    }
    this.#addStop(message)
  }

  #addStop(fields: unknown): void {
    if (!isObject(fields)) return
    const { stop_reason: reason, stop_details: details } = fields
    if (typeof reason === 'string') this.#answer.finish(reason)
    if (isObject(details)) this.#answer.details({ stop_details: details as JsonObject })
  }

  /** Later events report some counts again. The API counts the input without what the cache reads or writes. */
  #addUsage(given: unknown): void {
    if (!isObject(given)) return
    const known = Object.entries(given).filter(([, value]) => value != null)
    const usage: Fields = (this.#usage = { ...this.#usage, ...Object.fromEntries(known) })
    const count = (name: string): number => (Number.isFinite(usage[name]) ? (usage[name] as number) : 0)
    const [read, written] = ['cache_read_input_tokens', 'cache_creation_input_tokens'] as const
    const details = usage['output_tokens_details']
    const { input_tokens: input, output_tokens: output } = usage
    const total = count('input_tokens') + count(written) + count(read)
    this.#answer.usage(
      Number.isFinite(input) ? { total, cacheRead: usage[read], cacheWrite: usage[written] } : {},
      Number.isFinite(output) ? { total: output, reasoning: isObject(details) && details['thinking_tokens'] } : {},
    )
  }
}
