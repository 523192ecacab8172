// Turns the events of one Messages answer into model parts, without any I/O. Calls are returned only at the end, after
// the stop reason; an end without one is an error. A non-streamed answer is handled as the events of its blocks.
import { dropUndefined, isObject, type JsonObject, type JsonValue } from '../../../core/data/json.js'
import type { Metadata } from '../../../core/data/message.js'
import type { FinishReason, ModelPart, ModelUsage } from '../../../core/data/model.js'
import { badResponse, cutError, quoted } from '../http/answer-errors.js'
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

/** Creates the assembly of one answer. `model`: the name in the request, to which signatures are bound. */
export function createMessagesAssembly(context: AnswerContext, model: string): AnswerAssembly {
  /** The open blocks by index. */
  const open = new Map<unknown, TextBlock | CallBlock>()
  const calls: CallBlock[] = []
  const ids = new Set<string>()
  let blocks = 0
  let metadata: ModelPart | undefined
  let messageId: unknown
  let usage: Fields = {}
  let stopReason: string | undefined
  let stopDetails: JsonValue | undefined
  /** After the first event of this protocol, events of other protocols are ignored. */
  let isOurs = false
  let isStopped = false
  let started = false

  const failAsOther = (answer: JsonValue): never => {
    throw (
      otherProtocolError(answer, protocolName) ??
      badResponse(`Expected a message, received ${quoted(JSON.stringify(answer), context.secrets)}`)
    )
  }
  const failIfError = (event: Fields): void => {
    const error = event['error']
    if (isObject(error) || event['type'] === 'error') throw streamError((error ?? event) as JsonValue, context)
  }

  const start = (index: unknown, given: unknown): ModelPart[] => {
    if (!isObject(given)) return []
    const text = (name: string): string => (typeof given[name] === 'string' ? given[name] : '')
    const parts = open.has(index) ? stop(index) : []
    const type = given['type']
    if (type === 'tool_use') {
      const id = text('id') === '' || ids.has(text('id')) ? context.newId() : text('id')
      ids.add(id)
      const input = given['input']
      const whole = typeof input === 'string' ? input : JSON.stringify(input ?? {})
      // A missing name is answered like an unknown tool, so that the model can correct it.
      const name = text('name') || 'missing_name'
      const call: CallBlock = { type: 'call', id, name, given: whole, text: '' }
      calls.push(call)
      open.set(index, call)
      return [...parts, { type: 'tool-input-start', id, toolName: name }]
    }
    if (type === 'text') {
      open.set(index, { type: 'text', id: `text-${blocks++}`, signature: '' })
      return [...parts, ...write(index, text('text'))]
    }
    if (type === 'thinking' || type === 'redacted_thinking') {
      const isRedacted = type === 'redacted_thinking'
      const block = { type: 'reasoning' as const, id: `reasoning-${blocks++}`, signature: text('signature') }
      open.set(index, isRedacted ? { ...block, redacted: text('data') } : block)
      return [...parts, { type: 'reasoning-start', id: block.id }, ...write(index, text('thinking'))]
    }
    // Blocks of tools that the server runs. Requests of this adapter never allow them.
    return parts
  }

  const write = (index: unknown, delta: string): ModelPart[] => {
    const block = open.get(index)
    if (block === undefined || delta === '') return []
    if (block.type !== 'call') return [{ type: `${block.type}-delta`, id: block.id, delta }]
    block.text += delta
    return [{ type: 'tool-input-delta', id: block.id, delta }]
  }

  const addDelta = (index: unknown, delta: unknown): ModelPart[] => {
    const block = open.get(index)
    if (!isObject(delta) || block === undefined) return []
    const name = { call: 'partial_json', text: 'text', reasoning: 'thinking' }[block.type]
    if (block.type === 'reasoning' && typeof delta['signature'] === 'string') block.signature += delta['signature']
    return typeof delta[name] === 'string' ? write(index, delta[name]) : []
  }

  const stop = (index: unknown): ModelPart[] => {
    const block = open.get(index)
    open.delete(index)
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
    const own: Metadata = redacted === undefined ? { model, signature } : { model, redacted }
    return [{ type: 'reasoning-end', id: block.id, providerMetadata: { [metadataKey]: own } }]
  }

  const addMessage = (message: Fields): ModelPart[] => {
    if (messageId !== undefined && message['id'] !== messageId)
      throw badResponse('The stream contains a second answer before the end of the first one.')
    if (messageId !== undefined) return []
    messageId = message['id'] ?? ''
    const [id, modelId] = [message['id'], message['model']].map((one) => (typeof one === 'string' ? one : undefined))
    if (id !== undefined || modelId !== undefined) metadata = dropUndefined({ type: 'response-metadata', id, modelId })
    addUsage(message['usage'])
    const content = Array.isArray(message['content']) ? (message['content'] as unknown[]) : []
    const parts = content.flatMap((block, index) => [...start(`whole ${index}`, block), ...stop(`whole ${index}`)])
    addStop(message)
    return parts
  }
  const addStop = (fields: unknown): void => {
    if (!isObject(fields)) return
    if (typeof fields['stop_reason'] === 'string') stopReason = fields['stop_reason']
    if (isObject(fields['stop_details'])) stopDetails = fields['stop_details'] as JsonObject
  }
  const addUsage = (given: unknown): void => {
    if (isObject(given))
      usage = { ...usage, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value != null)) }
  }

  const add = (event: JsonValue): ModelPart[] => {
    if (!isObject(event) || isStopped) return []
    failIfError(event)
    const { type, index } = event
    if (!isOurs) {
      const other = otherProtocolError(event, protocolName)
      if (other) throw other
    }
    let parts: ModelPart[] = []
    if (type === 'message_start' && isObject(event['message'])) parts = addMessage(event['message'])
    else if (type === 'content_block_start') parts = start(index, event['content_block'])
    else if (type === 'content_block_delta') parts = addDelta(index, event['delta'])
    else if (type === 'content_block_stop') parts = stop(index)
    else if (type === 'message_delta') {
      addStop(event['delta'])
      addUsage(event['usage'])
    } else if (type === 'message_stop') isStopped = true
    else return []
    isOurs = true
    if (parts.length === 0 || started) return parts
    started = true
    return metadata === undefined ? parts : [metadata, ...parts]
  }

  return {
    get finished() {
      return isStopped || stopReason !== undefined
    },
    get started() {
      return started
    },
    add,
    addWhole(answer) {
      const body: JsonValue | undefined = Array.isArray(answer) ? answer[0] : answer
      if (!isObject(body)) return failAsOther(answer)
      failIfError(body)
      if (body['type'] !== 'message' || !Array.isArray(body['content'])) return failAsOther(answer)
      return [...add({ type: 'message_start', message: body as JsonObject }), ...add({ type: 'message_stop' })]
    },
    end(marked) {
      if (stopReason === undefined && (!(marked || isStopped) || calls.length > 0 || !isOurs)) throw cutError()
      return [
        ...(started || metadata === undefined ? [] : [metadata]),
        ...[...open.keys()].flatMap(stop),
        ...calls.map(({ id, name, text, given }): ModelPart => ({
          type: 'tool-call',
          toolCallId: id,
          toolName: name,
          input: text || given,
        })),
        dropUndefined({
          type: 'finish',
          finishReason: dropUndefined({
            unified: stopReason === undefined ? 'stop' : (reasons.get(stopReason) ?? 'other'),
            raw: stopReason,
          }),
          usage: usageOf(usage),
          providerMetadata: stopDetails === undefined ? undefined : { [metadataKey]: { stop_details: stopDetails } },
        }),
      ]
    },
  }
}

/** The API counts the input without what it reads from or writes to the cache. */
function usageOf(usage: Fields): ModelUsage | undefined {
  const count = (value: unknown): number | undefined => (Number.isFinite(value) ? (value as number) : undefined)
  const [input, output] = [count(usage['input_tokens']), count(usage['output_tokens'])]
  const cacheRead = count(usage['cache_read_input_tokens'])
  const details = usage['output_tokens_details']
  const reasoning = isObject(details) ? count(details['thinking_tokens']) : undefined
  const written = count(usage['cache_creation_input_tokens']) ?? 0
  const inputTokens =
    input === undefined ? undefined : dropUndefined({ total: input + written + (cacheRead ?? 0), cacheRead })
  const outputTokens = output === undefined ? undefined : dropUndefined({ total: output, reasoning })
  if (inputTokens === undefined && outputTokens === undefined) return undefined
  return dropUndefined({ inputTokens, outputTokens })
}
