// Turns the events of one Messages answer into model parts, without any I/O. Calls are returned only at the end, after
// the stop reason; an end without one is an error. A non-streamed answer is handled as the events of its blocks.
import { dropUndefined, isObject, type JsonObject, type JsonValue } from '../../../core/data/json.js'
import type { Metadata } from '../../../core/data/message.js'
import type { FinishReason, ModelPart, ModelUsage } from '../../../core/data/model.js'
import { badResponse, cutError, quoted } from '../http/answer-errors.js'
import { AnswerStart } from '../http/answer-start.js'
import type { AnswerAssembly, AnswerContext } from '../http/http-model.js'
import { streamError } from '../http/http-errors.js'
import { otherProtocolError } from '../http/other-protocols.js'
import { metadataKey } from './messages-request.js'

type Fields = Record<string, unknown>
interface TextBlock {
  readonly type: 'text' | 'reasoning'
  readonly id: string
  /** Of thinking only. */
  signature: string
  /** The encrypted content of redacted thinking. */
  readonly redacted?: string
}
interface CallBlock {
  readonly type: 'call'
  readonly id: string
  readonly name: string
  /** The input in the start of the block, which a stream leaves empty. */
  readonly given: string
  text: string
}

const protocolName = 'Anthropic Messages'
const reasons = new Map<string, FinishReason>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['pause_turn', 'stop'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content-filter'],
])

/**
 * The assembly of one answer. `model`: the name in the request, to which signatures are bound. Several blocks may be
 * open; an event names its block by the index. A relay may leave out the end of a block, so a new block with the same
 * index ends the old one, and `end` ends all others.
 */
export class MessagesAssembly implements AnswerAssembly {
  readonly #context: AnswerContext
  readonly #model: string
  /** By index. */
  readonly #openBlocks = new Map<unknown, TextBlock | CallBlock>()
  readonly #calls: CallBlock[] = []
  readonly #ids = new Set<string>()
  #blocks = 0
  readonly #start = new AnswerStart()
  #messageId: unknown
  #usage: Fields = {}
  #stopReason: string | undefined
  #stopDetails: JsonValue | undefined
  /** After the first event of this protocol, events of other protocols are ignored. */
  #isOurs = false
  #isStopped = false

  constructor(context: AnswerContext, model: string) {
    this.#context = context
    this.#model = model
  }

  get finished(): boolean {
    return this.#isStopped || this.#stopReason !== undefined
  }

  get started(): boolean {
    return this.#start.hasBegun
  }

  add(event: JsonValue): ModelPart[] {
    if (!isObject(event) || this.#isStopped) return []
    this.#failIfError(event)
    const { type, index } = event
    if (!this.#isOurs) {
      const other = otherProtocolError(event, protocolName)
      if (other) throw other
    }
    let parts: ModelPart[] = []
    if (type === 'message_start' && isObject(event['message'])) parts = this.#addMessage(event['message'])
    else if (type === 'content_block_start') parts = this.#open(index, event['content_block'])
    else if (type === 'content_block_delta') parts = this.#addDelta(index, event['delta'])
    else if (type === 'content_block_stop') parts = this.#stop(index)
    else if (type === 'message_delta') {
      this.#addStop(event['delta'])
      this.#addUsage(event['usage'])
    } else if (type === 'message_stop') this.#isStopped = true
    else return []
    this.#isOurs = true
    return this.#start.begin(parts)
  }

  addWhole(answer: JsonValue): ModelPart[] {
    const body: JsonValue | undefined = Array.isArray(answer) ? answer[0] : answer
    if (!isObject(body)) return this.#failAsOther(answer)
    this.#failIfError(body)
    if (body['type'] !== 'message' || !Array.isArray(body['content'])) return this.#failAsOther(answer)
    return [...this.add({ type: 'message_start', message: body as JsonObject }), ...this.add({ type: 'message_stop' })]
  }

  end(marked: boolean): ModelPart[] {
    if (this.#stopReason === undefined && (!(marked || this.#isStopped) || this.#calls.length > 0 || !this.#isOurs))
      throw cutError()
    return [
      ...this.#start.rest(),
      ...[...this.#openBlocks.keys()].flatMap((index) => this.#stop(index)),
      ...this.#calls.map(({ id, name, text, given }): ModelPart => ({
        type: 'tool-call',
        toolCallId: id,
        toolName: name,
        input: text || given,
      })),
      dropUndefined({
        type: 'finish',
        finishReason: dropUndefined({
          unified: this.#stopReason === undefined ? 'stop' : (reasons.get(this.#stopReason) ?? 'other'),
          raw: this.#stopReason,
        }),
        usage: usageOf(this.#usage),
        providerMetadata:
          this.#stopDetails === undefined ? undefined : { [metadataKey]: { stop_details: this.#stopDetails } },
      }),
    ]
  }

  #failAsOther(answer: JsonValue): never {
    throw (
      otherProtocolError(answer, protocolName) ??
      badResponse(`Expected a message, received ${quoted(JSON.stringify(answer), this.#context.secrets)}`)
    )
  }

  #failIfError(event: Fields): void {
    const error = event['error']
    if (isObject(error) || event['type'] === 'error') throw streamError((error ?? event) as JsonValue, this.#context)
  }

  #open(index: unknown, given: unknown): ModelPart[] {
    if (!isObject(given)) return []
    const text = (name: string): string => (typeof given[name] === 'string' ? given[name] : '')
    const parts = this.#openBlocks.has(index) ? this.#stop(index) : []
    const type = given['type']
    if (type === 'tool_use') {
      const id = text('id') === '' || this.#ids.has(text('id')) ? this.#context.newId() : text('id')
      this.#ids.add(id)
      const input = given['input']
      const whole = typeof input === 'string' ? input : JSON.stringify(input ?? {})
      // A missing name is answered like an unknown tool, so that the model can correct it.
      const name = text('name') || 'missing_name'
      const call: CallBlock = { type: 'call', id, name, given: whole, text: '' }
      this.#calls.push(call)
      this.#openBlocks.set(index, call)
      return [...parts, { type: 'tool-input-start', id, toolName: name }]
    }
    if (type === 'text') {
      this.#openBlocks.set(index, { type: 'text', id: `text-${this.#blocks++}`, signature: '' })
      return [...parts, ...this.#write(index, text('text'))]
    }
    if (type === 'thinking' || type === 'redacted_thinking') {
      const isRedacted = type === 'redacted_thinking'
      const block = { type: 'reasoning' as const, id: `reasoning-${this.#blocks++}`, signature: text('signature') }
      this.#openBlocks.set(index, isRedacted ? { ...block, redacted: text('data') } : block)
      return [...parts, { type: 'reasoning-start', id: block.id }, ...this.#write(index, text('thinking'))]
    }
    // Blocks of tools that the server runs. Requests of this adapter never allow them.
    return parts
  }

  #write(index: unknown, delta: string): ModelPart[] {
    const block = this.#openBlocks.get(index)
    if (block === undefined || delta === '') return []
    if (block.type !== 'call') return [{ type: `${block.type}-delta`, id: block.id, delta }]
    block.text += delta
    return [{ type: 'tool-input-delta', id: block.id, delta }]
  }

  #addDelta(index: unknown, delta: unknown): ModelPart[] {
    const block = this.#openBlocks.get(index)
    if (!isObject(delta) || block === undefined) return []
    const name = { call: 'partial_json', text: 'text', reasoning: 'thinking' }[block.type]
    if (block.type === 'reasoning' && typeof delta['signature'] === 'string') block.signature += delta['signature']
    return typeof delta[name] === 'string' ? this.#write(index, delta[name]) : []
  }

  #stop(index: unknown): ModelPart[] {
    const block = this.#openBlocks.get(index)
    this.#openBlocks.delete(index)
    if (block === undefined) return []
    if (block.type === 'call') {
      const isWhole = block.text === '' && block.given !== '{}' && block.given !== ''
      return [
        ...(isWhole ? [{ type: 'tool-input-delta', id: block.id, delta: block.given } as const] : []),
        { type: 'tool-input-end', id: block.id },
      ]
    }
    if (block.type === 'text') return [{ type: 'text-end', id: block.id }]
    const { redacted, signature } = block
    const own: Metadata = redacted === undefined ? { model: this.#model, signature } : { model: this.#model, redacted }
    return [{ type: 'reasoning-end', id: block.id, providerMetadata: { [metadataKey]: own } }]
  }

  #addMessage(message: Fields): ModelPart[] {
    if (this.#messageId !== undefined && message['id'] !== this.#messageId)
      throw badResponse('The stream contains a second answer before the end of the first one.')
    if (this.#messageId !== undefined) return []
    this.#messageId = message['id'] ?? ''
    const [id, modelId] = [message['id'], message['model']].map((one) => (typeof one === 'string' ? one : undefined))
    if (id !== undefined || modelId !== undefined)
      this.#start.metadata = dropUndefined({ type: 'response-metadata', id, modelId })
    this.#addUsage(message['usage'])
    const content = Array.isArray(message['content']) ? (message['content'] as unknown[]) : []
    const parts = content.flatMap((block, index) => [
      ...this.#open(`whole ${index}`, block),
      ...this.#stop(`whole ${index}`),
    ])
    this.#addStop(message)
    return parts
  }

  #addStop(fields: unknown): void {
    if (!isObject(fields)) return
    if (typeof fields['stop_reason'] === 'string') this.#stopReason = fields['stop_reason']
    if (isObject(fields['stop_details'])) this.#stopDetails = fields['stop_details'] as JsonObject
  }

  #addUsage(given: unknown): void {
    if (isObject(given))
      this.#usage = {
        ...this.#usage,
        ...Object.fromEntries(Object.entries(given).filter(([, value]) => value != null)),
      }
  }
}

/** The API counts the input without what it reads from or writes to the cache. */
function usageOf(usage: Fields): ModelUsage | undefined {
  const count = (value: unknown): number | undefined => (Number.isFinite(value) ? (value as number) : undefined)
  const [input, output] = [count(usage['input_tokens']), count(usage['output_tokens'])]
  const cacheRead = count(usage['cache_read_input_tokens'])
  const details = usage['output_tokens_details']
  const reasoning = isObject(details) ? count(details['thinking_tokens']) : undefined
  const cacheWrite = count(usage['cache_creation_input_tokens'])
  const inputTokens =
    input === undefined
      ? undefined
      : dropUndefined({ total: input + (cacheWrite ?? 0) + (cacheRead ?? 0), cacheRead, cacheWrite })
  const outputTokens = output === undefined ? undefined : dropUndefined({ total: output, reasoning })
  if (inputTokens === undefined && outputTokens === undefined) return undefined
  return dropUndefined({ inputTokens, outputTokens })
}
