// Turns the events of one chat completion into model parts, without any I/O. Calls are returned only at the end, after
// a finish reason; an end without one is an error. A non-streamed answer is handled as a stream of one event.
import type { ToolAgentError } from '../../../core/data/errors.js'
import { dropUndefined, isObject, type JsonObject, type JsonValue } from '../../../core/data/json.js'
import type { ModelPart, ModelUsage } from '../../../core/data/model.js'
import { createCallAssembly } from './chat-calls.js'
import { createFinishReader, unifiedOf } from './chat-finish.js'
import { createReasoningDetails } from './chat-reasoning.js'
import { metadataKey } from './chat-request.js'
import { badResponse, cutError, quoted } from '../http/answer-errors.js'
import type { AnswerAssembly, AnswerContext } from '../http/http-model.js'
import { streamError } from '../http/http-errors.js'
import { otherProtocolError } from '../http/other-protocols.js'

type Block = { readonly type: 'text' | 'reasoning'; readonly id: string }

/** Creates the assembly of one answer. */
export function createChatAssembly(context: AnswerContext): AnswerAssembly {
  const calls = createCallAssembly(context.newId)
  const details = createReasoningDetails()
  const finish = createFinishReader()
  let block: Block | undefined
  let blocks = 0
  let firstReasoning: { readonly id: string; readonly field: string | undefined } | undefined
  let metadata: ModelPart | undefined
  let usage: ModelUsage | undefined
  /** Number of events that are not part of a chat completion. */
  let ignored = 0
  /** After the first chat completion event, events of other protocols are ignored. */
  let isOurs = false
  /** The first event, if no event was part of a chat completion. */
  let foreign: unknown
  let started = false

  const fail = (error: JsonValue): never => {
    throw namingProtocol(foreign, streamError(error, context))
  }
  const failAsOther = (answer: JsonValue): never => {
    const received = quoted(JSON.stringify(answer), context.secrets)
    throw namingProtocol(answer, badResponse(`Expected a chat completion, received ${received}`))
  }
  const close = (): ModelPart[] => {
    if (block === undefined) return []
    const { type, id } = block
    block = undefined
    return [{ type: `${type}-end`, id }]
  }
  const write = (type: Block['type'], delta: string, field?: string): ModelPart[] => {
    if (delta === '') return []
    if (block?.type === type) return [{ type: `${type}-delta`, id: block.id, delta }]
    const closed = close()
    block = { type, id: `${type}-${blocks++}` }
    if (type === 'reasoning') firstReasoning ??= { id: block.id, field }
    const providerMetadata = field === undefined ? undefined : { [metadataKey]: { field } }
    return [
      ...closed,
      dropUndefined({ type: `${type}-start`, id: block.id, providerMetadata }),
      { type: `${type}-delta`, id: block.id, delta },
    ]
  }

  /**
   * Only with the end of the answer: incomplete details would be refused. They belong to the first reasoning of the
   * answer.
   */
  const detailParts = (): ModelPart[] => {
    if (details.list.length === 0) return []
    const { id, field } = firstReasoning ?? { id: `reasoning-${blocks++}`, field: undefined }
    return [
      ...(firstReasoning === undefined ? [{ type: 'reasoning-start', id } as const] : []),
      // Metadata of a later part replaces that of an earlier one, so it repeats the name of the field.
      {
        type: 'reasoning-end',
        id,
        providerMetadata: { [metadataKey]: dropUndefined({ field, reasoning_details: details.list }) },
      },
    ]
  }

  const addDelta = (delta: Record<string, unknown>): ModelPart[] => {
    const parts: ModelPart[] = []
    // Relays send the same text under several names.
    const field = ['reasoning_content', 'reasoning'].find(
      (name) => typeof delta[name] === 'string' && delta[name] !== '',
    )
    const detailed = Array.isArray(delta['reasoning_details']) ? details.add(delta['reasoning_details']) : ''
    parts.push(...write('reasoning', field === undefined ? detailed : String(delta[field]), field))
    for (const piece of contentOf(delta['content'])) parts.push(...write(piece.type, piece.text))
    if (typeof delta['refusal'] === 'string') parts.push(...write('text', delta['refusal']))
    if (Array.isArray(delta['tool_calls'])) parts.push(...calls.add(delta['tool_calls']))
    return parts
  }

  const add = (event: unknown): ModelPart[] => {
    if (!isObject(event)) {
      ignored++
      return []
    }
    const error = errorOf(event)
    if (error !== undefined) return fail(error)
    usage =
      usageOf(event['usage']) ?? usageOf(isObject(event['x_groq']) ? event['x_groq']['usage'] : undefined) ?? usage
    const choices = event['choices']
    if (!Array.isArray(choices)) {
      if (event['usage'] !== undefined) return []
      ignored++
      if (!isOurs) foreign ??= event
      return []
    }
    isOurs = true
    foreign = undefined
    metadata ??= metadataOf(event)
    if (choices.length === 0 && event['usage'] !== undefined) finish.addUsage()
    const parts: ModelPart[] = []
    for (const choice of choices as unknown[]) {
      if (!isObject(choice) || Number(choice['index'] ?? 0) !== 0) continue
      const failure = errorOf(choice)
      if (failure !== undefined) return fail(failure)
      usage = usageOf(choice['usage']) ?? usage
      const delta = isObject(choice['delta']) ? choice['delta'] : {}
      const found = addDelta(delta)
      parts.push(...found)
      const entries = delta['tool_calls']
      finish.add(choice['finish_reason'], found.length === 0 && !(Array.isArray(entries) && entries.length > 0))
    }
    if (parts.length === 0 || started) return parts
    started = true
    return metadata === undefined ? parts : [metadata, ...parts]
  }

  return {
    get finished() {
      return finish.reason !== undefined
    },
    get started() {
      return started
    },
    add,
    addWhole(answer) {
      const body: JsonValue | undefined = Array.isArray(answer) ? answer[0] : answer
      if (!isObject(body)) return failAsOther(answer)
      const first = Array.isArray(body['choices']) ? (body['choices'] as unknown[]).find(isObject) : undefined
      if (first === undefined || !isObject(first['message'])) {
        const error = errorOf(body)
        return error === undefined ? failAsOther(answer) : fail(error)
      }
      const { message } = first
      const entries = Array.isArray(message['tool_calls']) ? (message['tool_calls'] as unknown[]) : []
      const delta = {
        ...message,
        tool_calls: entries.map((call, index) => (isObject(call) ? { ...call, index } : call)),
      }
      return add({ ...body, choices: [{ ...first, index: 0, delta, finish_reason: first['finish_reason'] ?? 'stop' }] })
    },
    end(marked) {
      const raw = finish.reason ?? (calls.allParse ? finish.blankEnd(marked) : undefined)
      const isWhole = marked && !calls.open && foreign === undefined
      if (raw === undefined && !isWhole) throw namingProtocol(foreign, cutError())
      const withoutReason = calls.open ? 'tool-calls' : 'stop'
      const head = started || metadata === undefined ? [] : [metadata]
      return [
        ...head,
        ...close(),
        ...detailParts(),
        ...calls.end(),
        dropUndefined({
          type: 'finish',
          finishReason: dropUndefined({
            unified: finish.reason === undefined ? withoutReason : unifiedOf(finish.reason),
            raw,
          }),
          usage,
          providerMetadata: ignored === 0 ? undefined : { [metadataKey]: { ignored } },
        }),
      ]
    },
  }
}

/** The error, but one that names the protocol if `answer` is an answer of another protocol. */
function namingProtocol(answer: unknown, error: ToolAgentError): ToolAgentError {
  return (answer === undefined ? undefined : otherProtocolError(answer, 'OpenAI chat completions')) ?? error
}

/** The error in an event, in any of the shapes in use. */
function errorOf(event: Record<string, unknown>): JsonValue | undefined {
  const error = event['error']
  if (error !== undefined && error !== null && error !== false) return error as JsonValue
  return event['object'] === 'error' || event['type'] === 'error' ? (event as JsonObject) : undefined
}

/** Text, or with some providers a list of text and thinking. */
function contentOf(content: unknown): { type: Block['type']; text: string }[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) return []
  return content.filter(isObject).flatMap((part): { type: Block['type']; text: string }[] => {
    if (typeof part['text'] === 'string') return [{ type: 'text', text: part['text'] }]
    const thinking = part['thinking']
    if (typeof thinking === 'string') return [{ type: 'reasoning', text: thinking }]
    return contentOf(thinking).map(({ text }) => ({ type: 'reasoning', text }))
  })
}

function metadataOf(event: Record<string, unknown>): ModelPart | undefined {
  const [id, modelId] = [event['id'], event['model']].map((field) => (typeof field === 'string' ? field : undefined))
  return id === undefined && modelId === undefined
    ? undefined
    : dropUndefined({ type: 'response-metadata', id, modelId })
}

function usageOf(usage: unknown): ModelUsage | undefined {
  if (!isObject(usage)) return undefined
  const detail = (name: string): Record<string, unknown> => (isObject(usage[name]) ? usage[name] : {})
  const inputTokens = counts({
    total: usage['prompt_tokens'],
    cacheRead: detail('prompt_tokens_details')['cached_tokens'],
  })
  const outputTokens = counts({
    total: usage['completion_tokens'],
    reasoning: detail('completion_tokens_details')['reasoning_tokens'],
  })
  return inputTokens === undefined && outputTokens === undefined
    ? undefined
    : dropUndefined({ inputTokens, outputTokens })
}

function counts(fields: Record<string, unknown>): Record<string, number> | undefined {
  const numbers = Object.entries(fields).filter((field): field is [string, number] => Number.isFinite(field[1]))
  return numbers.length === 0 ? undefined : Object.fromEntries(numbers)
}
