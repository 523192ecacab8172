// Reads the events of one answer of the Responses API. An item can arrive in pieces, as a whole when it is done, and
// once more in the response at the end. Each text is shown once, from its pieces. A whole that differs replaces them,
// because a relay may lose or repeat a piece. A non-streamed answer is handled as the response at the end.
import { dropUndefined, isObject, type JsonObject, type JsonValue } from '../../../core/data/json.js'
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
import { missingName } from '../request/names.js'
import { metadataKey, type ItemMetadata } from './responses-request.js'

interface AnyItem {
  /** The position in the answer. */
  readonly place: number
  isDone: boolean
}
interface Message extends AnyItem {
  readonly type: 'message'
  /** By the position of their content. */
  readonly texts: Map<unknown, { readonly block: Block; text: string }>
}
interface Reasoning extends AnyItem {
  readonly type: 'reasoning'
  readonly block: Block
  /** What is shown: the summary, or the reasoning itself where the server sends it. The first one counts. */
  source?: 'summary' | 'content'
  /** The position of the newest part. */
  part?: unknown
  text: string
}
interface CallItem extends AnyItem {
  readonly type: 'function_call'
  readonly call: Call
  /** The id that the complete item has. */
  itemId?: string
}
type Item = Message | Reasoning | CallItem
/** The events of a text, of reasoning and of arguments, and the type of the item that they belong to. */
const itemTypes = new Map<string, Item['type']>([
  ['output_text', 'message'],
  ['refusal', 'message'],
  ['content_part', 'message'],
  ['reasoning_summary_text', 'reasoning'],
  ['reasoning_text', 'reasoning'],
  ['function_call_arguments', 'function_call'],
])
/** A response with one of these states has no answer. Servers have several words for the end of one that has. */
const withoutAnswer = /^(?:failed|cancell?ed|error|expired|queued|in_progress)$/
/** Codes of errors that the same request would cause again. */
const permanentCodes = /^(?:invalid|image|empty|unsupported|failed_to)_/

/** How the answers of the Responses API are read. */
export const responsesAnswer: AnswerProtocol = {
  name: 'OpenAI Responses',
  noun: 'a response',
  metadataKey,
  finishWords: {
    stop: /^completed?$/,
    length: /^max_(output_)?tokens$/,
    'content-filter': /^content_filter$/,
  },
  reader: (answer) => new ResponsesReader(answer),
}

class ResponsesReader implements AnswerReader {
  readonly #answer: AnswerBuilder
  /** By their position in the answer. Not by id, because some servers change the ids between the events of an item. */
  readonly #items = new Map<unknown, Item>()
  /** By each id that an event has given them. For events without a position. */
  readonly #byId = new Map<string, Item>()

  constructor(answer: AnswerBuilder) {
    this.#answer = answer
  }

  read(event: Fields): void {
    this.#failIfError(event)
    const type = String(event['type'])
    if (!this.#answer.isRecognized && !type.startsWith('response.')) {
      this.#answer.failIfOther(event)
      if (type !== 'keepalive') return
    }
    this.#answer.recognize()
    this.#addEvent(type, event)
  }

  readWhole(answer: Fields): void {
    this.#failIfError(answer)
    if (!Array.isArray(answer['output'])) return
    this.#answer.recognize()
    this.#endResponse(answer)
  }

  end(marked: boolean): void {
    if (marked && !this.#answer.hasCalls && !this.#answer.finished) this.#answer.finish('completed')
    for (const item of this.#ordered()) if (!item.isDone) this.#close(item)
  }

  calls(): Call[] {
    return this.#ordered().flatMap((item) => {
      if (item.type !== 'function_call') return []
      return Object.assign(item.call, { own: this.#ownOf(item, dropUndefined({ id: item.itemId })) })
    })
  }

  #ordered(): Item[] {
    return [...this.#items.values()].sort((one, other) => one.place - other.place)
  }

  #fail(error: unknown): never {
    const isPermanent = isObject(error) && permanentCodes.test(String(error['code']))
    throw streamError((isPermanent ? { ...error, type: 'invalid_request' } : error) as JsonValue, this.#answer.context)
  }

  #failIfError(event: Fields): void {
    const error = isObject(event['error']) ? event['error'] : undefined
    if (error || event['type'] === 'error') this.#fail(error ?? event)
  }

  /** Encrypted reasoning and ids are bound to the model of the request. */
  #ownOf({ place }: Item, fields: Partial<ItemMetadata>): JsonObject {
    return dropUndefined({ model: this.#answer.context.request?.model ?? '', place, ...fields }) as JsonObject
  }

  #open(key: unknown, given: Fields): Item | undefined {
    const item = this.#newItem(typeof key === 'number' ? key : this.#items.size, given)
    // Items of tools that the server runs are left out. Requests of this adapter never allow them.
    if (item === undefined) return undefined
    this.#items.set(key, item)
    for (const id of idsOf(given)) this.#byId.set(id, item)
    if (item.type === 'function_call') this.#answer.callInput(item.call, argumentText(given['arguments']))
    return item
  }

  #newItem(place: number, given: Fields): Item | undefined {
    const type = given['type']
    const isDone = false
    if (type === 'message') return { type, place, isDone, texts: new Map() }
    if (type === 'reasoning') return { type, place, isDone, block: this.#answer.open('reasoning'), text: '' }
    if (type !== 'function_call') return undefined
    const id = textIn(given, 'call_id') || textIn(given, 'id')
    return { type, place, isDone, call: this.#answer.callStart(id, textIn(given, 'name')) }
  }

  #nameLate({ call }: CallItem, given: Fields): void {
    if (call.name === missingName) call.name = textIn(given, 'name') || missingName
  }

  /** The complete arguments. They are shown only if no piece of them came before. */
  #setArguments({ call }: CallItem, given: unknown): void {
    const text = argumentText(given)
    if (call.input === '') this.#answer.callInput(call, text)
    else if (text !== '') call.input = text
  }

  #addText(item: Message, index: unknown, delta: string): void {
    if (delta === '') return
    const { block, text } = item.texts.get(index) ?? { block: this.#answer.open('text'), text: '' }
    item.texts.set(index, { block, text: text + delta })
    this.#answer.write(block, delta)
  }

  /** The complete text. Some servers send an empty one. */
  #setText(item: Message, index: unknown, whole: string): void {
    const shown = item.texts.get(index)
    if (shown === undefined) return this.#addText(item, index, whole)
    if (whole === '' || whole === shown.text) return
    shown.text = whole
    this.#answer.close(shown.block, { text: whole })
  }

  #setTexts(item: Message, content: readonly Fields[]): void {
    for (const [index, part] of content.entries()) this.#setText(item, index, wholeText(part))
  }

  #addReasoning(item: Reasoning, source: 'summary' | 'content', event: Fields): void {
    const index = event[`${source}_index`] ?? 0
    const text = textIn(event, 'delta')
    item.source ??= source
    if (text === '' || item.source !== source) return
    const isNext = item.part !== undefined && item.part !== index
    item.part = index
    const delta = isNext ? `\n\n${text}` : text
    item.text += delta
    this.#answer.write(item.block, delta)
  }

  #close(item: Item, given: Fields = {}): void {
    item.isDone = true
    const id = textIn(given, 'id') || undefined
    if (item.type === 'function_call') {
      if (id !== undefined) item.itemId = id
      this.#nameLate(item, given)
      this.#setArguments(item, given['arguments'])
      this.#answer.callEnd(item.call)
    } else if (item.type === 'reasoning') this.#closeReasoning(item, given)
    else {
      const content = listIn(given, 'content')
      const phase = textIn(given, 'phase') || undefined
      this.#setTexts(item, content)
      for (const [index, { block }] of item.texts) {
        const refusal = content[Number(index)]?.['type'] === 'refusal' || undefined
        const own = id === undefined ? undefined : this.#ownOf(item, dropUndefined({ id, phase, refusal }))
        this.#answer.close(block, { own })
      }
    }
  }

  #closeReasoning(item: Reasoning, given: Fields): void {
    const source = item.source ?? (listIn(given, 'summary').length > 0 ? 'summary' : 'content')
    const texts = listIn(given, source).map((part) => textIn(part, 'text'))
    const whole = texts.filter((text) => text !== '').join('\n\n')
    if (item.text === '') this.#answer.write(item.block, whole)
    const text = item.text === '' || whole === '' || whole === item.text ? undefined : whole
    // The server does not store the item, so it must contain what is sent back.
    const isWhole = textIn(given, 'encrypted_content') !== '' || listIn(given, 'content').length > 0
    const { status: _status, ...kept } = given
    const own = isWhole ? this.#ownOf(item, { item: kept as JsonObject }) : undefined
    this.#answer.close(item.block, { own, text })
  }

  #endResponse(response: Fields): void {
    this.#addResponse(response)
    const { incomplete_details: details, usage } = response
    const status = textIn(response, 'status') || 'completed'
    if (withoutAnswer.test(status)) this.#fail(response['error'] ?? { message: `Status: ${status}` })
    if (isObject(usage)) {
      const { input_tokens_details: input, output_tokens_details: output } = usage
      this.#answer.usage(
        { total: usage['input_tokens'], cacheRead: isObject(input) && input['cached_tokens'] },
        { total: usage['output_tokens'], reasoning: isObject(output) && output['reasoning_tokens'] },
      )
    }
    this.#answer.finish((isObject(details) && textIn(details, 'reason')) || status)
    this.#answer.closeStream()
    const streamed = new Set(this.#items.values())
    const isWhole = streamed.size === 0
    for (const [index, given] of listIn(response, 'output').entries()) {
      const named = this.#named(given)
      // The list may lack items of the stream, so a text is replaced only where the ids are equal.
      if (named?.type === 'message' && named.isDone) {
        streamed.delete(named)
        this.#setTexts(named, listIn(given, 'content'))
        continue
      }
      const placed = this.#items.get(index)
      const isSame = (item: Item): boolean => item.type === given['type'] && streamed.has(item)
      const item = [named, placed, ...streamed].find((one) => one !== undefined && isSame(one))
      if (item) {
        streamed.delete(item)
        if (!item.isDone) this.#close(item, given)
      }
      // Reasoning behind the items that it led to would be sent back in the wrong order.
      else if (given['type'] !== 'reasoning' || isWhole) this.#openAndClose(index, given)
    }
  }

  #addResponse(response: Fields): void {
    this.#answer.recognize(textIn(response, 'id') || undefined, textIn(response, 'model') || undefined)
  }

  #openAndClose(position: unknown, given: Fields): void {
    const opened = this.#open(this.#freeKey(position), given)
    if (opened) this.#close(opened, given)
  }

  /** Gateways give several items one position. */
  #freeKey(position: unknown): unknown {
    return this.#items.has(position) || position === undefined ? Symbol() : position
  }

  #named(fields: Fields): Item | undefined {
    return idsOf(fields).flatMap((id) => this.#byId.get(id) ?? [])[0]
  }

  /**
   * The item of an event: by its position, then by an id. Gateways leave out one or both, or the event that announces
   * it, or give all items one position. Then it is the newest item of its type, or a new one.
   */
  #itemOf(type: Item['type'], event: Fields): Item {
    const { output_index: position, item_id: id, call_id: callId, name } = event
    const placed = this.#items.get(position)
    const known = [placed, this.#named(event)].find((item) => item?.type === type)
    if (known) return known
    const open = [...this.#items.values()].filter((item) => item.type === type && !item.isDone)
    const isPlaced = position !== undefined && placed === undefined
    const newest = isPlaced ? undefined : open.at(-1)
    const ids = idsOf(event)
    // Arguments in the wrong call would be worse than none.
    if (newest && type === 'function_call' && open.length > 1)
      throw badResponse(`The stream has arguments of a call that it did not announce: ${ids.join(', ') || 'no id'}`)
    if (newest) for (const one of ids) this.#byId.set(one, newest)
    return newest ?? (this.#open(this.#freeKey(position), { type, id, call_id: callId, name }) as Item)
  }

  #addEvent(type: string, event: Fields): void {
    if (isObject(event['response'])) {
      if (/^response\.(completed|incomplete|failed|cancelled|done)$/.test(type))
        return this.#endResponse(event['response'])
      // Not by the id, because some servers change it between the events.
      if (type === 'response.created' && this.#items.size > 0)
        throw badResponse('The stream contains a second answer before the end of the first one.')
      return this.#addResponse(event['response'])
    }
    const given = isObject(event['item']) ? event['item'] : undefined
    if (given) return this.#addItem(type, event['output_index'], given)
    const [, kind = '', step] = /^response\.(\w+)\.(delta|done)$/.exec(type) ?? []
    const itemType = itemTypes.get(kind)
    if (itemType === undefined || (kind === 'content_part' && !isText(event['part']))) return
    const item = this.#itemOf(itemType, event)
    // A server may say early that an item is done. One that has its content takes no more.
    if (!item.isDone || isBlank(item)) this.#addContent(item, kind, step === 'done', event)
  }

  #addItem(type: string, position: unknown, given: Fields): void {
    const isAdded = type === 'response.output_item.added'
    if (!isAdded && type !== 'response.output_item.done') return
    const named = this.#named(given)
    const item = [this.#items.get(position), named].find((one) => one?.type === given['type'])
    const isOther = isAdded && item?.isDone === true && named === undefined
    if (item !== undefined && !isOther) {
      if (!isAdded && !item.isDone) this.#close(item, given)
    } else if (isAdded) this.#open(this.#freeKey(position), given)
    else this.#openAndClose(position, given)
  }

  #addContent(item: Item, kind: string, isWhole: boolean, event: Fields): void {
    if (item.type === 'function_call') {
      if (!isWhole) return this.#answer.callInput(item.call, argumentText(event['delta']))
      this.#nameLate(item, event)
      return this.#setArguments(item, event['arguments'])
    }
    if (item.type === 'message') {
      const index = event['content_index'] ?? 0
      if (!isWhole) return this.#addText(item, index, textIn(event, 'delta'))
      return this.#setText(item, index, wholeText(isObject(event['part']) ? event['part'] : event))
    }
    const source = kind === 'reasoning_text' ? 'content' : 'summary'
    if (!isWhole) this.#addReasoning(item, source, event)
    else if (item.text === '') this.#addReasoning(item, source, { ...event, delta: event['text'] })
  }
}

/** The ids of an item, or of an event about it. */
function idsOf(fields: Fields): string[] {
  return ['item_id', 'id', 'call_id'].map((name) => textIn(fields, name)).filter((id) => id !== '')
}

/** Arguments as text. Servers send nothing, an empty text or an object, too. */
function argumentText(given: unknown): string {
  const text = typeof given === 'string' ? given : JSON.stringify(given ?? '')
  return text === '""' ? '' : text
}

function isText(part: unknown): boolean {
  return isObject(part) && (part['type'] === 'output_text' || part['type'] === 'refusal')
}

function isBlank(item: Item): boolean {
  if (item.type === 'message') return item.texts.size === 0
  return (item.type === 'reasoning' ? item.text : item.call.input) === ''
}

/** The text of a content part, or of the event that ends it. */
function wholeText(fields: Fields): string {
  return textIn(fields, 'text') || textIn(fields, 'refusal')
}

function listIn(fields: Fields, name: string): Fields[] {
  const value = fields[name]
  return Array.isArray(value) ? (value as unknown[]).map((one) => (isObject(one) ? one : {})) : []
}
