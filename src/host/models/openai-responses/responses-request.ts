// Turns a model request into the body of a Responses request. An answer becomes the items that the server sent, with
// their ids and in their order. Encrypted reasoning goes back only to the model that wrote it.
import { dropUndefined, isObject, type JsonObject, type JsonValue } from '../../../core/data/json.js'
import type { ModelRequest, PromptAssistantPart, PromptMessage, PromptToolResult } from '../../../core/data/model.js'
import { labelled, textOf, base64Of, fileContent, leftOut, plainType, type PromptFile } from '../request/files.js'
import { ownMetadata, usualIds, wireId, wireName } from '../request/names.js'
import { inputSchema } from '../request/tool-schema.js'
import { isRefused } from './responses-after-refusal.js'

/** The key of this adapter in the metadata of message parts. */
export const metadataKey = 'openaiResponses'

/** What the adapter stores with a part. */
export interface ItemMetadata {
  /** The name of the model in the request. The other fields are valid for this model only. */
  readonly model: string
  /** The position of the item in its answer. */
  readonly place: number
  /** The server's id of the item. */
  readonly id?: string
  /** A reasoning item, unchanged. */
  readonly item?: JsonObject
  /** What a message is: a comment between calls, or the answer. Newer models expect it back. */
  readonly phase?: string
  /** The text is a refusal. */
  readonly refusal?: true
}

/** How a body is built. `extra`: fields that replace those of the adapter. */
interface ResponsesBodyOptions {
  readonly stream: boolean
  readonly extra: JsonObject
}

/** The body of one request. */
export function responsesBody(request: ModelRequest, { stream, extra }: ResponsesBodyOptions): JsonObject {
  const { model, system, tools } = request
  const hasTools = tools.length > 0
  // A message, because some servers do not know `instructions`.
  const first = system.trim() === '' ? [] : [{ role: 'system', content: system }]
  return dropUndefined({
    model: model || undefined,
    input: [...first, ...request.messages.flatMap((message) => inputItems(message, model))],
    tools: hasTools ? tools.map(wireTool) : undefined,
    tool_choice: hasTools ? wireToolChoice(request.toolChoice) : undefined,
    store: false,
    include: isRefused(model, 'include') ? undefined : ['reasoning.encrypted_content'],
    text: request.responseFormat && { format: { ...request.responseFormat, type: 'json_schema' } },
    reasoning: canReason(model) && !isRefused(model, 'reasoning') ? { summary: 'auto' } : undefined,
    stream,
    ...extra,
  })
}

/** Other models refuse a request for a summary of their reasoning. */
function canReason(model: string): boolean {
  return /(^|\/)(o\d|gpt-[5-9]|codex)/.test(model) && !model.includes('-chat')
}

/** Without `strict: false` the API makes all properties required. */
function wireTool({ name, description, inputSchema: schema }: ModelRequest['tools'][number]): JsonObject {
  return { type: 'function', name, description, parameters: inputSchema(schema), strict: false }
}

/** `auto` is the default of the server and is left out. */
function wireToolChoice(choice: ModelRequest['toolChoice']): JsonValue | undefined {
  if (choice === 'auto') return undefined
  return typeof choice === 'string' ? choice : { type: 'function', name: choice.toolName }
}

function inputItems(message: PromptMessage, model: string): JsonObject[] {
  if (message.role === 'tool') return message.content.map(resultItem)
  if (message.role === 'assistant') return assistantItems(message.content, model)
  const content = message.content.flatMap((part) => (part.type === 'text' ? inputText(part.text) : [fileItem(part)]))
  return content.length > 0 ? [{ role: 'user', content }] : []
}

function inputText(text: string): JsonObject[] {
  return text.trim() === '' ? [] : [{ type: 'input_text', text }]
}

interface PlacedItem {
  readonly place: number
  readonly item: JsonObject
  /** The item of this model, with its id. */
  readonly isOwn: boolean
}

/** The session stores calls after the texts of an answer; here all items have the order of the server. */
function assistantItems(content: readonly PromptAssistantPart[], model: string): JsonObject[] {
  const items: PlacedItem[] = []
  for (const part of content) {
    const own = ownMetadata<ItemMetadata>(part.providerOptions, metadataKey, { model })
    const place = own?.place ?? Infinity
    const before = items.at(-1)
    if (part.type === 'reasoning') {
      if (own?.item) items.push({ place, item: own.item, isOwn: false })
    } else if (part.type === 'tool-call') {
      items.push({ place, item: callItem(part, own), isOwn: own !== undefined })
    } else if (own?.id !== undefined) {
      const text = own.refusal
        ? { type: 'refusal', refusal: part.text }
        : { type: 'output_text', text: part.text, annotations: [] }
      const shared = before?.item['id'] === own.id ? (before.item['content'] as readonly JsonValue[]) : undefined
      if (shared) items.pop()
      const { id, phase } = own
      const fields = { type: 'message', role: 'assistant', id, status: 'completed', phase }
      items.push({ place, item: dropUndefined({ ...fields, content: [...(shared ?? []), text] }), isOwn: true })
    } else if (part.text.trim() !== '') {
      items.push({ place, item: { role: 'assistant', content: part.text }, isOwn: false })
    }
  }
  items.sort((one, other) => (one.place === other.place ? 0 : one.place - other.place))
  // The API refuses reasoning that is not followed by an item of the same answer.
  const last = items.findLastIndex(({ isOwn }) => isOwn)
  return items.filter(({ item }, index) => index < last || item['type'] !== 'reasoning').map(({ item }) => item)
}

function callItem(
  { toolCallId, toolName, input }: Extract<PromptAssistantPart, { type: 'tool-call' }>,
  own: ItemMetadata | undefined,
): JsonObject {
  return dropUndefined({
    type: 'function_call',
    id: own?.id,
    call_id: wireId(toolCallId, usualIds),
    name: wireName(toolName),
    arguments: JSON.stringify(isObject(input) ? input : {}),
    status: own?.id === undefined ? undefined : 'completed',
  })
}

function resultItem({ toolCallId, output }: PromptToolResult): JsonObject {
  return { type: 'function_call_output', call_id: wireId(toolCallId, usualIds), output: outputOf(output) }
}

/** A plain text, because some servers know no other output; with files a list. */
function outputOf({ type, value }: PromptToolResult['output']): JsonValue {
  if (type !== 'content') return value
  if (value.every((part) => part.type === 'text')) return textOf(value)
  return labelled(value).flatMap((part) => (part.type === 'text' ? inputText(part.text) : [fileItem(part)]))
}

// Turns files of users and of tool results into input items. The API reads four image types, PDF, text and office
// documents. A note replaces any other file, because a refused file would end every later request of the session.

const imageTypes = /^image\/(?:jpeg|png|gif|webp)$/
const office = /^application\/(?:rtf|msword|vnd\.(?:ms-|openxmlformats-officedocument\.|oasis\.opendocument\.))/
const text = /^text\/|^application\/(?:pdf|json|xml|yaml|javascript)$|\+(?:json|xml)$/

/** The input item for a file. */
function fileItem(file: PromptFile): JsonObject {
  const content = fileContent(file)
  const { name, data, isRemote } = content
  const mediaType = plainType(content.mediaType)
  const url = isRemote ? data : `data:${mediaType};base64,${base64Of(content)}`
  if (imageTypes.test(mediaType)) return { type: 'input_image', image_url: url }
  const isFile = (office.test(mediaType) || text.test(mediaType)) && !mediaType.startsWith('image/')
  if (isFile && data !== '')
    return isRemote
      ? { type: 'input_file', file_url: url }
      : { type: 'input_file', filename: name || fileName(mediaType), file_data: url }
  const reason = data === '' ? 'It is empty.' : 'This model reads JPEG, PNG, GIF, WebP, PDF, text and office files.'
  return { type: 'input_text', text: leftOut({ ...content, mediaType }, reason) }
}

/** The API reads the type of a file from the ending of its name. */
function fileName(mediaType: string): string {
  const ending = /^(?:text\/plain|.*\.)/.test(mediaType) ? 'txt' : mediaType.replace(/^.*[/+]/, '')
  return `file.${ending}`
}
