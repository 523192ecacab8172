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
import { otherProtocolError } from '../answer/other-protocols.js'
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
  name: string
  text: string
  itemId?: string
  isDone: boolean
}
type Item = Message | Reasoning | Call
/** The events of a text, of reasoning and of arguments, and the type of the item that they belong to. */
const itemTypes = new Map<string, Item['type']>([
  ['output_text', 'message'],
  ['refusal', 'message'],
  ['content_part', 'message'],
  ['reasoning_summary_text', 'reasoning'],
  ['reasoning_text', 'reasoning'],
  ['function_call_arguments', 'function_call'],
])
/** Answered like an unknown tool, so that the model can correct it. */
const missingName = 'missing_name'

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
  /** By each id that an event has given them. For events without a position. */
  readonly #byId = new Map<string, Item>()
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
    const parts = this.#openItem(key, place, given)
    const item = this.#items.get(key)
    if (item) for (const id of idsOf(given)) this.#byId.set(id, item)
    return parts
  }

  #openItem(key: unknown, place: number, given: Fields): ModelPart[] {
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
      const call: Call = { type, place, id, name: textIn(given, 'name') || missingName, text: '', isDone: false }
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
      if (item.name === missingName) item.name = textIn(given, 'name') || missingName
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
    if (id ?? modelId) this.#start.metadata ??= dropUndefined({ type: 'response-metadata', id, modelId })
  }

  #endResponse(response: Fields): ModelPart[] {
    this.#addResponse(response)
    const details = response['incomplete_details']
    const status = textIn(response, 'status') || 'completed'
    this.#usage = usageOf(response['usage'])
    if (withoutAnswer.test(status)) this.#fail(response['error'] ?? { message: `Status: ${status}` })
    this.#ended = (isObject(details) && textIn(details, 'reason')) || status
    const streamed = new Set(this.#items.values())
    const isWhole = streamed.size === 0
    return listIn(response, 'output').flatMap((given, index) => {
      const named = idsOf(given).flatMap((id) => this.#byId.get(id) ?? [])[0]
      // The list may lack items of the stream, so a text is replaced only where the ids are equal.
      if (named?.type === 'message' && named.isDone) {
        streamed.delete(named)
        return this.#setTexts(named, listIn(given, 'content'))
      }
      const placed = this.#items.get(index)
      const isSame = (item: Item): boolean => item.type === given['type'] && streamed.has(item)
      const item = [named, placed, ...streamed].find((one) => one !== undefined && isSame(one))
      if (item) {
        streamed.delete(item)
        return item.isDone ? [] : this.#close(item, given)
      }
      // Reasoning behind the items that it led to would be sent back in the wrong order.
      if (given['type'] === 'reasoning' && !isWhole) return []
      return this.#openAndClose(index, given)
    })
  }

  #openAndClose(position: unknown, given: Fields): ModelPart[] {
    const key = this.#items.has(position) || position === undefined ? Symbol() : position
    const parts = this.#open(key, given)
    const opened = this.#items.get(key)
    return opened ? [...parts, ...this.#close(opened, given)] : parts
  }

  /**
   * The item of an event: by its position, then by an id. Gateways leave out one or both, or the event that announces
   * it, or give all items one position. Then it is the newest item of its type, or a new one.
   */
  #itemOf(type: Item['type'], event: Fields): { readonly item: Item; readonly parts: ModelPart[] } {
    const placed = this.#items.get(event['output_index'])
    const ids = idsOf(event)
    const named = ids.flatMap((id) => this.#byId.get(id) ?? [])[0]
    const known = [placed, named].find((item) => item?.type === type)
    if (known) return { item: known, parts: [] }
    const open = [...this.#items.values()].filter((item) => item.type === type && !item.isDone)
    const isPlaced = event['output_index'] !== undefined && placed === undefined
    const newest = isPlaced ? undefined : open.at(-1)
    // Arguments in the wrong call would be worse than none.
    if (newest && type === 'function_call' && open.length > 1)
      throw badResponse(`The stream has arguments of a call that it did not announce: ${ids.join(', ') || 'no id'}`)
    if (newest) {
      for (const id of ids) this.#byId.set(id, newest)
      return { item: newest, parts: [] }
    }
    const { output_index: position, item_id: id, call_id: callId, name } = event
    const key = this.#items.has(position) || position === undefined ? Symbol() : position
    const parts = this.#open(key, { type, id, call_id: callId, name })
    return { item: this.#items.get(key) as Item, parts }
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
    if (given) return this.#addItem(type, event, given)
    const [, kind = '', step] = /^response\.(\w+)\.(delta|done)$/.exec(type) ?? []
    const itemType = itemTypes.get(kind)
    if (itemType === undefined || (kind === 'content_part' && !isText(event['part']))) return []
    const { item, parts } = this.#itemOf(itemType, event)
    // A server may say early that an item is done. One that has its content takes no more.
    if (item.isDone && !isBlank(item)) return parts
    return [...parts, ...this.#addContent(item, kind, step === 'done', event)]
  }

  #addItem(type: string, event: Fields, given: Fields): ModelPart[] {
    const isAdded = type === 'response.output_item.added'
    if (!isAdded && type !== 'response.output_item.done') return []
    const position = event['output_index']
    const placed = this.#items.get(position)
    const named = idsOf(given).flatMap((id) => this.#byId.get(id) ?? [])[0]
    const item = [placed, named].find((one) => one?.type === given['type'])
    const isOther = isAdded && item?.isDone === true && named === undefined
    if (item === undefined || isOther) {
      if (!isAdded) return this.#openAndClose(position, given)
      return this.#open(placed || position === undefined ? Symbol() : position, given)
    }
    return isAdded || item.isDone ? [] : this.#close(item, given)
  }

  #addContent(item: Item, kind: string, isWhole: boolean, event: Fields): ModelPart[] {
    if (item.type === 'function_call') {
      if (!isWhole) return this.#addArguments(item, event['delta'])
      if (item.name === missingName) item.name = textIn(event, 'name') || missingName
      return this.#setArguments(item, event['arguments'])
    }
    if (item.type === 'message') {
      const index = event['content_index'] ?? 0
      if (!isWhole) return this.#addText(item, index, textIn(event, 'delta'))
      return this.#setText(item, index, wholeText(isObject(event['part']) ? event['part'] : event))
    }
    const source = kind === 'reasoning_text' ? 'content' : 'summary'
    if (!isWhole) return this.#addReasoning(item, source, event)
    return item.text === '' ? this.#addReasoning(item, source, { ...event, delta: event['text'] }) : []
  }
}

/** The ids of an item, or of an event about it. */
function idsOf(fields: Fields): string[] {
  return ['item_id', 'id', 'call_id'].map((name) => textIn(fields, name)).filter((id) => id !== '')
}

function isText(part: unknown): boolean {
  return isObject(part) && (part['type'] === 'output_text' || part['type'] === 'refusal')
}

function isBlank(item: Item): boolean {
  return item.type === 'message' ? item.texts.size === 0 : item.text === ''
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
