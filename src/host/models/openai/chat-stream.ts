// Turns the events of one chat completion into model parts, without any I/O. Calls are returned only at the end, after
// a finish reason; an end without one is an error. A non-streamed answer is handled as a stream of one event.
import type { ToolAgentError } from '../../../core/data/errors.js'
import { dropUndefined, isObject, type JsonObject, type JsonValue } from '../../../core/data/json.js'
import type { ModelPart, ModelUsage } from '../../../core/data/model.js'
import { createCallAssembly, type CallAssembly } from './chat-calls.js'
import { createFinishReader, unifiedOf } from './chat-finish.js'
import { createReasoningDetails } from './chat-reasoning.js'
import { metadataKey } from './chat-request.js'
import { badResponse, cutError, quoted } from '../http/answer-errors.js'
import { AnswerStart } from '../http/answer-start.js'
import type { AnswerAssembly, AnswerContext } from '../http/http-model.js'
import { streamError } from '../http/http-errors.js'
import { otherProtocolError } from '../answer/other-protocols.js'

type Block = { readonly type: 'text' | 'reasoning'; readonly id: string }

/**
 * The assembly of one answer. At most one block is open: text and reasoning that alternate become blocks in the order
 * in which they arrive. Nothing is decided by the size of a delta, so any cut of the stream gives the same answer.
 */
export class ChatAssembly implements AnswerAssembly {
  readonly #context: AnswerContext
  readonly #calls: CallAssembly
  readonly #details = createReasoningDetails()
  readonly #finish = createFinishReader()
  #block: Block | undefined
  #blocks = 0
  #firstReasoning: { readonly id: string; readonly field: string | undefined } | undefined
  readonly #start = new AnswerStart()
  #usage: ModelUsage | undefined
  /** Number of events that are not part of a chat completion. */
  #ignored = 0
  /** After the first chat completion event, events of other protocols are ignored. */
  #isOurs = false
  /** The first event, if no event was part of a chat completion. */
  #foreign: unknown

  constructor(context: AnswerContext) {
    this.#context = context
    this.#calls = createCallAssembly(context.newId)
  }

  get finished(): boolean {
    return this.#finish.reason !== undefined
  }

  get started(): boolean {
    return this.#start.hasBegun
  }

  add(event: unknown): ModelPart[] {
    if (!isObject(event)) {
      this.#ignored++
      return []
    }
    const error = errorOf(event)
    if (error !== undefined) return this.#fail(error)
    this.#usage =
      usageOf(event['usage']) ??
      usageOf(isObject(event['x_groq']) ? event['x_groq']['usage'] : undefined) ??
      this.#usage
    const choices = event['choices']
    if (!Array.isArray(choices)) {
      if (event['usage'] !== undefined) return []
      this.#ignored++
      if (!this.#isOurs) this.#foreign ??= event
      return []
    }
    this.#isOurs = true
    this.#foreign = undefined
    this.#start.metadata ??= metadataOf(event)
    if (choices.length === 0 && event['usage'] !== undefined) this.#finish.addUsage()
    const parts: ModelPart[] = []
    for (const choice of choices as unknown[]) {
      if (!isObject(choice) || Number(choice['index'] ?? 0) !== 0) continue
      const failure = errorOf(choice)
      if (failure !== undefined) return this.#fail(failure)
      this.#usage = usageOf(choice['usage']) ?? this.#usage
      const delta = isObject(choice['delta']) ? choice['delta'] : {}
      const found = this.#addDelta(delta)
      parts.push(...found)
      const entries = delta['tool_calls']
      this.#finish.add(choice['finish_reason'], found.length === 0 && !(Array.isArray(entries) && entries.length > 0))
    }
    return this.#start.begin(parts)
  }

  addWhole(answer: JsonValue): ModelPart[] {
    const body: JsonValue | undefined = Array.isArray(answer) ? answer[0] : answer
    if (!isObject(body)) return this.#failAsOther(answer)
    const first = Array.isArray(body['choices']) ? (body['choices'] as unknown[]).find(isObject) : undefined
    if (first === undefined || !isObject(first['message'])) {
      const error = errorOf(body)
      return error === undefined ? this.#failAsOther(answer) : this.#fail(error)
    }
    const { message } = first
    const entries = Array.isArray(message['tool_calls']) ? (message['tool_calls'] as unknown[]) : []
    const delta = {
      ...message,
      tool_calls: entries.map((call, index) => (isObject(call) ? { ...call, index } : call)),
    }
    return this.add({
      ...body,
      choices: [{ ...first, index: 0, delta, finish_reason: first['finish_reason'] ?? 'stop' }],
    })
  }

  end(marked: boolean): ModelPart[] {
    const raw = this.#finish.reason ?? (this.#calls.allParse ? this.#finish.blankEnd(marked) : undefined)
    const isWhole = marked && !this.#calls.open && this.#foreign === undefined
    if (raw === undefined && !isWhole) throw namingProtocol(this.#foreign, cutError())
    const withoutReason = this.#calls.open ? 'tool-calls' : 'stop'
    return [
      ...this.#start.rest(),
      ...this.#close(),
      ...this.#detailParts(),
      ...this.#calls.end(),
      dropUndefined({
        type: 'finish',
        finishReason: dropUndefined({
          unified: this.#finish.reason === undefined ? withoutReason : unifiedOf(this.#finish.reason),
          raw,
        }),
        usage: this.#usage,
        providerMetadata: this.#ignored === 0 ? undefined : { [metadataKey]: { ignored: this.#ignored } },
      }),
    ]
  }

  #fail(error: JsonValue): never {
    throw namingProtocol(this.#foreign, streamError(error, this.#context))
  }

  #failAsOther(answer: JsonValue): never {
    const received = quoted(JSON.stringify(answer), this.#context.secrets)
    throw namingProtocol(answer, badResponse(`Expected a chat completion, received ${received}`))
  }

  #close(): ModelPart[] {
    if (this.#block === undefined) return []
    const { type, id } = this.#block
    this.#block = undefined
    return [{ type: `${type}-end`, id }]
  }

  #write(type: Block['type'], delta: string, field?: string): ModelPart[] {
    if (delta === '') return []
    if (this.#block?.type === type) return [{ type: `${type}-delta`, id: this.#block.id, delta }]
    const closed = this.#close()
    this.#block = { type, id: `${type}-${this.#blocks++}` }
    if (type === 'reasoning') this.#firstReasoning ??= { id: this.#block.id, field }
    const providerMetadata = field === undefined ? undefined : { [metadataKey]: { field } }
    return [
      ...closed,
      dropUndefined({ type: `${type}-start`, id: this.#block.id, providerMetadata }),
      { type: `${type}-delta`, id: this.#block.id, delta },
    ]
  }

  /**
   * Only with the end of the answer: incomplete details would be refused. They belong to the first reasoning of the
   * answer.
   */
  #detailParts(): ModelPart[] {
    if (this.#details.list.length === 0) return []
    const { id, field } = this.#firstReasoning ?? { id: `reasoning-${this.#blocks++}`, field: undefined }
    return [
      ...(this.#firstReasoning === undefined ? [{ type: 'reasoning-start', id } as const] : []),
      // Metadata of a later part replaces that of an earlier one, so it repeats the name of the field.
      {
        type: 'reasoning-end',
        id,
        providerMetadata: { [metadataKey]: dropUndefined({ field, reasoning_details: this.#details.list }) },
      },
    ]
  }

  #addDelta(delta: Record<string, unknown>): ModelPart[] {
    const parts: ModelPart[] = []
    // Relays send the same text under several names.
    const field = ['reasoning_content', 'reasoning'].find(
      (name) => typeof delta[name] === 'string' && delta[name] !== '',
    )
    const detailed = Array.isArray(delta['reasoning_details']) ? this.#details.add(delta['reasoning_details']) : ''
    parts.push(...this.#write('reasoning', field === undefined ? detailed : String(delta[field]), field))
    for (const piece of contentOf(delta['content'])) parts.push(...this.#write(piece.type, piece.text))
    if (typeof delta['refusal'] === 'string') parts.push(...this.#write('text', delta['refusal']))
    if (Array.isArray(delta['tool_calls'])) parts.push(...this.#calls.add(delta['tool_calls']))
    return parts
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
    // DeepSeek has a field of its own, OpenRouter one for what it wrote.
    cacheRead: detail('prompt_tokens_details')['cached_tokens'] ?? usage['prompt_cache_hit_tokens'],
    cacheWrite: detail('prompt_tokens_details')['cache_write_tokens'],
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
