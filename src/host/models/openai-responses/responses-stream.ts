// Turns the events of one answer of the Responses API into model parts, without any I/O. Calls are returned only at the
// end, after the event that ends the response; an end without one is an error. A non-streamed answer is handled as the
// events of its items.
import { dropUndefined, isObject, type JsonObject, type JsonValue } from '../../../core/data/json.js'
import type { Metadata } from '../../../core/data/message.js'
import type { FinishReason, ModelPart, ModelUsage } from '../../../core/data/model.js'
import { badResponse, cutError, quoted } from '../http/answer-errors.js'
import { AnswerStart } from '../http/answer-start.js'
import type { AnswerAssembly, AnswerContext } from '../http/http-model.js'
import { streamError } from '../http/http-errors.js'
import { otherProtocolError } from '../http/other-protocols.js'
import { metadataKey, type ItemMetadata } from './responses-request.js'
import { usageOf } from './responses-usage.js'

type Fields = Record<string, unknown>
interface Message {
  readonly type: 'message'
  readonly place: number
  /** By the position of their content. */
  readonly texts: Map<unknown, { readonly id: string; text: string }>
  itemId?: string
  isDone: boolean
}
interface Reasoning {
  readonly type: 'reasoning'
  readonly place: number
  readonly id: string
  /** What is shown: the summary, or the reasoning itself where the server sends it. The first one counts. */
  source?: 'summary' | 'content'
  /** The position of the newest part. */
  part?: unknown
  text: string
  itemId?: string
  isDone: boolean
}
interface Call {
  readonly type: 'function_call'
  readonly place: number
  readonly id: string
  readonly name: string
  text: string
  itemId?: string
  isDone: boolean
}
type Item = Message | Reasoning | Call

const protocolName = 'OpenAI Responses'
const reasons = new Map<string, FinishReason>([
  ['completed', 'stop'],
  ['complete', 'stop'],
  ['max_output_tokens', 'length'],
  ['max_tokens', 'length'],
  ['content_filter', 'content-filter'],
])
/** A response with one of these states has no answer. Servers have several words for the end of one that has. */
const withoutAnswer = /^(?:failed|cancell?ed|error|expired|queued|in_progress)$/
/** Codes of errors that the same request would cause again. */
const permanentCodes = /^(?:invalid|image|empty|unsupported|failed_to)_/

/**
 * The assembly of one answer. `model`: the name in the request, to which encrypted reasoning is bound. An item can
 * arrive in pieces, as a whole when it is done, and once more in the response at the end. Each text is shown once, from
 * its pieces. A whole that differs replaces them, because a relay may lose or repeat a piece.
 */
export class ResponsesAssembly implements AnswerAssembly {
  readonly #context: AnswerContext
  readonly #model: string
  /** By their position in the answer. Not by id, because some servers change the ids between the events of an item. */
  readonly #items = new Map<unknown, Item>()
  readonly #callIds = new Set<string>()
  #blocks = 0
  readonly #start = new AnswerStart()
  #usage: ModelUsage | undefined
  /** The status of the response, or the reason why it is incomplete. */
  #ended: string | undefined
  /** After the first event of this protocol, events of other protocols are ignored. */
  #isOurs = false

  constructor(context: AnswerContext, model: string) {
    this.#context = context
    this.#model = model
  }

  get finished(): boolean {
    return this.#ended !== undefined
  }

  get started(): boolean {
    return this.#start.hasBegun
  }

  add(event: JsonValue): ModelPart[] {
    if (!isObject(event) || this.#ended !== undefined) return []
    this.#failIfError(event)
    const type = String(event['type'])
    if (!this.#isOurs && !type.startsWith('response.')) {
      const other = otherProtocolError(event, protocolName)
      if (other) throw other
      if (type !== 'keepalive') return []
    }
    this.#isOurs = true
    return this.#start.begin(this.#addEvent(type, event))
  }

  addWhole(answer: JsonValue): ModelPart[] {
    const body: JsonValue | undefined = Array.isArray(answer) ? answer[0] : answer
    if (!isObject(body)) return this.#failAsOther(answer)
    this.#failIfError(body)
    if (!Array.isArray(body['output'])) return this.#failAsOther(answer)
    this.#isOurs = true
    return this.#start.begin(this.#endResponse(body))
  }

  end(marked: boolean): ModelPart[] {
    const all = [...this.#items.values()].sort((one, other) => one.place - other.place)
    const calls = all.filter((item) => item.type === 'function_call')
    if (this.#ended === undefined && (!marked || calls.length > 0 || !this.#isOurs)) throw cutError()
    const raw = this.#ended ?? 'completed'
    const unified = reasons.get(raw) ?? 'other'
    return [
      ...this.#start.rest(),
      ...all.flatMap((item) => (item.isDone ? [] : this.#close(item))),
      ...calls.map((call): ModelPart => ({
        type: 'tool-call',
        toolCallId: call.id,
        toolName: call.name,
        input: call.text,
        providerMetadata: this.#metadataOf(call, call.itemId === undefined ? {} : { id: call.itemId }),
      })),
      dropUndefined({
        type: 'finish',
        finishReason: { unified: unified === 'stop' && calls.length > 0 ? 'tool-calls' : unified, raw },
        usage: this.#usage,
      }),
    ]
  }

  #failAsOther(answer: JsonValue): never {
    throw (
      otherProtocolError(answer, protocolName) ??
      badResponse(`Expected a response, received ${quoted(JSON.stringify(answer), this.#context.secrets)}`)
    )
  }

  #fail(error: unknown): never {
    const isPermanent = isObject(error) && permanentCodes.test(String(error['code']))
    throw streamError((isPermanent ? { ...error, type: 'invalid_request' } : error) as JsonValue, this.#context)
  }

  #failIfError(event: Fields): void {
    const error = isObject(event['error']) ? event['error'] : undefined
    if (error || event['type'] === 'error') this.#fail(error ?? event)
  }

  #metadataOf(item: Item, fields: Partial<ItemMetadata>): Metadata {
    return { [metadataKey]: dropUndefined({ model: this.#model, place: item.place, ...fields }) as JsonObject }
  }

  #open(key: unknown, given: Fields): ModelPart[] {
    const place = typeof key === 'number' ? key : this.#items.size
    const type = given['type']
    const itemId = textIn(given, 'id') || undefined
    if (type === 'message')
      this.#items.set(key, dropUndefined({ type, place, texts: new Map(), itemId, isDone: false }))
    else if (type === 'reasoning') {
      const id = `reasoning-${this.#blocks++}`
      this.#items.set(key, dropUndefined({ type, place, id, text: '', itemId, isDone: false }))
      return [{ type: 'reasoning-start', id }]
    } else if (type === 'function_call') {
      const callId = textIn(given, 'call_id') || textIn(given, 'id')
      const id = callId === '' || this.#callIds.has(callId) ? this.#context.newId() : callId
      this.#callIds.add(id)
      // A missing name is answered like an unknown tool, so that the model can correct it.
      const call: Call = { type, place, id, name: textIn(given, 'name') || 'missing_name', text: '', isDone: false }
      this.#items.set(key, call)
      return [{ type: 'tool-input-start', id, toolName: call.name }, ...this.#addArguments(call, given['arguments'])]
    }
    // Items of tools that the server runs. Requests of this adapter never allow them.
    return []
  }

  #addArguments(call: Call, given: unknown): ModelPart[] {
    const delta = typeof given === 'string' ? given : JSON.stringify(given ?? '')
    if (delta === '' || delta === '""') return []
    call.text += delta
    return [{ type: 'tool-input-delta', id: call.id, delta }]
  }

  /** The complete arguments. They are shown only if no piece of them came before. */
  #setArguments(call: Call, given: unknown): ModelPart[] {
    const text = typeof given === 'string' ? given : JSON.stringify(given ?? '')
    if (call.text === '') return this.#addArguments(call, given)
    if (text !== '' && text !== '""') call.text = text
    return []
  }

  #addText(item: Message, index: unknown, delta: string): ModelPart[] {
    if (delta === '') return []
    const { id, text } = item.texts.get(index) ?? { id: `text-${this.#blocks++}`, text: '' }
    item.texts.set(index, { id, text: text + delta })
    return [{ type: 'text-delta', id, delta }]
  }

  /** The complete text. Some servers send an empty one. */
  #setText(item: Message, index: unknown, whole: string): ModelPart[] {
    const shown = item.texts.get(index)
    if (shown === undefined) return this.#addText(item, index, whole)
    if (whole === '' || whole === shown.text) return []
    shown.text = whole
    return [{ type: 'text-end', id: shown.id, text: whole }]
  }

  #setTexts(item: Message, content: readonly Fields[]): ModelPart[] {
    return content.flatMap((part, index) => this.#setText(item, index, wholeText(part)))
  }

  #addReasoning(item: Reasoning, source: 'summary' | 'content', event: Fields): ModelPart[] {
    const index = event[`${source}_index`] ?? 0
    const text = textIn(event, 'delta')
    item.source ??= source
    if (text === '' || item.source !== source) return []
    const isNext = item.part !== undefined && item.part !== index
    item.part = index
    const delta = isNext ? `\n\n${text}` : text
    item.text += delta
    return [{ type: 'reasoning-delta', id: item.id, delta }]
  }

  #close(item: Item, given: Fields = {}): ModelPart[] {
    item.isDone = true
    const id = textIn(given, 'id') || undefined
    if (id !== undefined) item.itemId = id
    if (item.type === 'function_call') {
      return [...this.#setArguments(item, given['arguments']), { type: 'tool-input-end', id: item.id }]
    }
    if (item.type === 'reasoning') {
      const source = item.source ?? (listIn(given, 'summary').length > 0 ? 'summary' : 'content')
      const texts = listIn(given, source).map((part) => textIn(part, 'text'))
      const whole = texts.filter((text) => text !== '').join('\n\n')
      const parts: ModelPart[] =
        item.text === '' && whole !== '' ? [{ type: 'reasoning-delta', id: item.id, delta: whole }] : []
      const text = item.text === '' || whole === '' || whole === item.text ? undefined : whole
      // The server does not store the item, so it must contain what is sent back.
      const isWhole = textIn(given, 'encrypted_content') !== '' || listIn(given, 'content').length > 0
      const { status: _status, ...kept } = given
      const providerMetadata = isWhole ? this.#metadataOf(item, { item: kept as JsonObject }) : undefined
      return [...parts, dropUndefined({ type: 'reasoning-end', id: item.id, text, providerMetadata })]
    }
    const content = listIn(given, 'content')
    const phase = textIn(given, 'phase') || undefined
    const parts = this.#setTexts(item, content)
    for (const [index, { id: textId }] of item.texts) {
      const refusal = content[Number(index)]?.['type'] === 'refusal' || undefined
      const fields = dropUndefined({ id, phase, refusal })
      const providerMetadata = id === undefined ? undefined : this.#metadataOf(item, fields)
      parts.push(dropUndefined({ type: 'text-end', id: textId, providerMetadata }))
    }
    return parts
  }

  #addResponse(response: Fields): void {
    const [id, modelId] = ['id', 'model'].map((name) => textIn(response, name) || undefined)
    this.#start.metadata ??= dropUndefined({ type: 'response-metadata', id, modelId })
  }

  #endResponse(response: Fields): ModelPart[] {
    this.#addResponse(response)
    const details = response['incomplete_details']
    const status = textIn(response, 'status') || 'completed'
    this.#usage = usageOf(response['usage'])
    if (withoutAnswer.test(status)) this.#fail(response['error'] ?? { message: `Status: ${status}` })
    this.#ended = (isObject(details) && textIn(details, 'reason')) || status
    const hasItems = this.#items.size > 0
    const items = [...this.#items.values()]
    return listIn(response, 'output').flatMap((given, index) => {
      const id = textIn(given, 'id')
      const named = items.find((item) => id !== '' && item.itemId === id)
      // The list may lack items of the stream, so a text is replaced only where the ids are equal.
      if (named?.type === 'message' && named.isDone) return this.#setTexts(named, listIn(given, 'content'))
      const item = named ?? this.#items.get(index)
      if (item) return item.isDone || item.type !== given['type'] ? [] : this.#close(item, given)
      const parts = hasItems ? [] : this.#open(index, given)
      const opened = this.#items.get(index)
      return opened ? [...parts, ...this.#close(opened, given)] : parts
    })
  }

  #addEvent(type: string, event: Fields): ModelPart[] {
    if (isObject(event['response'])) {
      if (/^response\.(completed|incomplete|failed|cancelled|done)$/.test(type))
        return this.#endResponse(event['response'])
      // Not by the id, because some servers change it between the events.
      if (type === 'response.created' && this.#items.size > 0)
        throw badResponse('The stream contains a second answer before the end of the first one.')
      this.#addResponse(event['response'])
      return []
    }
    const given = isObject(event['item']) ? event['item'] : undefined
    const key = event['output_index'] ?? event['item_id'] ?? given?.['id']
    const item = this.#items.get(key)
    if (type === 'response.output_item.added' && given && !item) return this.#open(key, given)
    if (type === 'response.output_item.done' && given) {
      const parts = item ? [] : this.#open(key, given)
      const opened = this.#items.get(key)
      return opened && !opened.isDone ? [...parts, ...this.#close(opened, given)] : parts
    }
    if (!item || item.isDone) return []
    const [, kind = '', step] = /^response\.(\w+)\.(delta|done)$/.exec(type) ?? []
    if (item.type === 'function_call' && kind === 'function_call_arguments')
      return step === 'delta' ? this.#addArguments(item, event['delta']) : this.#setArguments(item, event['arguments'])
    if (item.type === 'message' && (kind === 'output_text' || kind === 'refusal')) {
      const index = event['content_index'] ?? 0
      if (step === 'done') return this.#setText(item, index, wholeText(event))
      return this.#addText(item, index, textIn(event, 'delta'))
    }
    if (step !== 'delta') return []
    if (item.type === 'reasoning' && kind === 'reasoning_summary_text')
      return this.#addReasoning(item, 'summary', event)
    if (item.type === 'reasoning' && kind === 'reasoning_text') return this.#addReasoning(item, 'content', event)
    return []
  }
}

/** The text of a content part, or of the event that ends it. */
function wholeText(fields: Fields): string {
  return textIn(fields, 'text') || textIn(fields, 'refusal')
}

function textIn(fields: Fields, name: string): string {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}

function listIn(fields: Fields, name: string): Fields[] {
  const value = fields[name]
  return Array.isArray(value) ? (value as unknown[]).map((one) => (isObject(one) ? one : {})) : []
}
