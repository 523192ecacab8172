// Turns a model request into the body of a Messages request: user and assistant messages in turn, results before other
// content, no blank text. Thinking goes back unchanged, but only to the model that signed it.
import { dropUndefined, isObject, type JsonObject, type JsonValue } from '../../../core/data/json.js'
import type { ModelContent } from '../../../core/data/message.js'
import type { ModelRequest, PromptAssistantPart, PromptMessage, PromptToolResult } from '../../../core/data/model.js'
import { maxTokensOf } from './messages-after-refusal.js'
import {
  labelled,
  base64Of,
  fileContent,
  leftOut,
  plainType,
  type FileContent,
  type PromptFile,
} from '../request/files.js'
import { ownMetadata, wireId, wireName, type IdRule } from '../request/names.js'
import { inputSchema } from '../request/tool-schema.js'

/** The key of this adapter in the metadata of message parts. */
export const metadataKey = 'anthropicMessages'

/** The API accepts no other ids of calls. */
const ids: IdRule = { accepts: /^[\w-]{1,64}$/ }

/** How a body is built. `extra`: fields that replace those of the adapter. */
interface MessagesBodyOptions {
  readonly stream: boolean
  readonly extra: JsonObject
}

type WireMessage = { readonly role: 'user' | 'assistant'; readonly content: readonly JsonObject[] }

/** The body of one request. */
export function messagesBody(request: ModelRequest, { stream, extra }: MessagesBodyOptions): JsonObject {
  const { model, system, toolChoice } = request
  const hasSystem = system.trim() !== ''
  const hasTools = request.tools.length > 0
  const { messages, isSystemMarked } = marked(wireMessages(request), maxMarks - countMarks(extra))
  const isForced = hasTools && toolChoice !== 'auto' && toolChoice !== 'none'
  const { thinking, ...added } = extra
  const isManual = isObject(thinking) && thinking['type'] === 'enabled'
  return dropUndefined({
    model: model || undefined,
    max_tokens: maxTokensOf(model),
    system: hasSystem ? [markIf(isSystemMarked, { type: 'text', text: system })] : undefined,
    messages,
    tools: hasTools ? wireTools(request.tools, isSystemMarked && !hasSystem) : undefined,
    tool_choice: hasTools ? wireToolChoice(toolChoice) : undefined,
    thinking: isManual && isForced ? undefined : thinking,
    stream,
    ...added,
  })
}

/** The server accepts no more. https://platform.claude.com/docs/en/build-with-claude/prompt-caching */
const maxMarks = 4

/** How many marks the author's own fields have. */
function countMarks(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const own = 'cache_control' in value ? 1 : 0
  return Object.values(value).reduce<number>((sum, inner) => sum + countMarks(inner), own)
}

/**
 * The server keeps the tokens up to a mark for some minutes, and reads them if a later request has a mark at the same
 * place. It looks back for only 20 blocks, so the end of the request before is marked again. Tools precede the system
 * text, so one mark covers both.
 */
function marked(
  messages: readonly WireMessage[],
  count: number,
): { readonly messages: readonly WireMessage[]; readonly isSystemMarked: boolean } {
  const answer = messages.findLastIndex(({ role }) => role === 'assistant')
  const ends = [messages.length - 1, answer - 1].filter((index) => index >= 0).slice(0, Math.max(0, count))
  return {
    messages: messages.map((message, index) => (ends.includes(index) ? markLast(message) : message)),
    isSystemMarked: count > ends.length,
  }
}

function markLast(message: WireMessage): WireMessage {
  const last = message.content.at(-1)
  return last ? { ...message, content: [...message.content.slice(0, -1), markIf(true, last)] } : message
}

function markIf(isMarked: boolean, block: JsonObject): JsonObject {
  return isMarked ? { ...block, cache_control: { type: 'ephemeral' } } : block
}

function wireTools(tools: ModelRequest['tools'], isMarked: boolean): JsonObject[] {
  return tools.map(({ name, description, inputSchema: schema }, index) => {
    const tool = { name, description, input_schema: inputSchema(schema) }
    return markIf(isMarked && index === tools.length - 1, tool)
  })
}

/** `auto` is the default of the server and is left out. */
function wireToolChoice(choice: ModelRequest['toolChoice']): JsonObject | undefined {
  if (choice === 'auto') return undefined
  if (choice === 'required') return { type: 'any' }
  return typeof choice === 'string' ? { type: choice } : { type: 'tool', name: choice.toolName }
}

/** Consecutive messages of one role become one message. Results stay first, because they follow their calls. */
function wireMessages(request: ModelRequest): WireMessage[] {
  const messages: WireMessage[] = []
  for (const message of request.messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = blocksOf(message, request.model)
    if (content.length === 0) continue
    const before = messages.at(-1)
    if (before?.role === role) messages[messages.length - 1] = { role, content: [...before.content, ...content] }
    else messages.push({ role, content })
  }
  return messages
}

function blocksOf(message: PromptMessage, model: string): JsonObject[] {
  if (message.role === 'tool') return message.content.map(resultBlock)
  if (message.role === 'assistant') {
    const blocks = message.content.flatMap((part) => assistantBlock(part, model))
    return blocks.some(({ type }) => type === 'text' || type === 'tool_use') ? blocks : []
  }
  return message.content.flatMap((part) => (part.type === 'text' ? textBlock(part.text) : [fileBlock(part)]))
}

function textBlock(text: string): JsonObject[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }]
}

function assistantBlock(part: PromptAssistantPart, model: string): JsonObject[] {
  if (part.type === 'text') return textBlock(part.text)
  if (part.type === 'tool-call') {
    const input = isObject(part.input) ? (part.input as JsonObject) : {}
    return [{ type: 'tool_use', id: wireId(part.toolCallId, ids), name: wireName(part.toolName), input }]
  }
  const { signature, redacted } = ownMetadata(part.providerOptions, metadataKey, { model }) ?? {}
  if (typeof redacted === 'string') return [{ type: 'redacted_thinking', data: redacted }]
  return typeof signature === 'string' ? [{ type: 'thinking', thinking: part.text, signature }] : []
}

function resultBlock({ toolCallId, output }: PromptToolResult): JsonObject {
  const isError = output.type === 'error-text'
  // The API refuses blank content, and an error without content.
  const ifBlank = isError ? 'The call failed.' : undefined
  const textOrNone = (text: string) => (text.trim() === '' ? ifBlank : text)
  return dropUndefined({
    type: 'tool_result',
    tool_use_id: wireId(toolCallId, ids),
    content: output.type === 'content' ? contentBlocks(output.value) : textOrNone(output.value),
    is_error: isError || undefined,
  })
}

function contentBlocks(content: ModelContent): JsonValue | undefined {
  const blocks = labelled(content).flatMap((part) => (part.type === 'text' ? textBlock(part.text) : [fileBlock(part)]))
  return blocks.length > 0 ? blocks : undefined
}

// Turns files of users and of tool results into content blocks. The API reads four image types, PDF and plain text. A
// note replaces any other file, because a refused file would end every later request of the session.

const imageTypes = /^image\/(?:jpeg|png|gif|webp)$/
const textTypes = /^(?:text\/|application\/(?:json|xml|yaml|javascript)$)|\+(?:json|xml)$/

/** The content block for a file. */
function fileBlock(file: PromptFile): JsonObject {
  const content = fileContent(file)
  const { name: title, data } = content
  const mediaType = plainType(content.mediaType)
  const isImage = imageTypes.test(mediaType)
  const isPdf = mediaType === 'application/pdf'
  const type = isImage ? 'image' : 'document'
  const named = isImage || !title ? {} : { title }
  if (isImage || isPdf) {
    const source = content.isRemote
      ? { type: 'url', url: data }
      : { type: 'base64', media_type: mediaType, data: base64Of(content) }
    return { type, source, ...named }
  }
  const text = textTypes.test(mediaType) ? textIn(content) : undefined
  if (text?.trim()) return { type, source: { type: 'text', media_type: 'text/plain', data: text }, ...named }
  const reason = text === undefined ? 'This model reads JPEG, PNG, GIF, WebP, PDF and text files.' : 'It is empty.'
  return { type: 'text', text: leftOut({ ...content, mediaType }, reason) }
}

/** The text of a file; undefined if its data is broken. */
function textIn({ isBase64, data }: FileContent): string | undefined {
  try {
    if (!isBase64) return decodeURIComponent(data)
    return new TextDecoder().decode(Uint8Array.from(atob(data), (char) => char.charCodeAt(0)))
  } catch {
    return undefined
  }
}
