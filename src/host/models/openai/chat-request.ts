// Turns a model request into the body of a chat completions request. The body contains only fields that every
// compatible server knows. Reasoning is sent back only in the field in which the server sent it.
import { thinkingAsWritten } from '../thinking-in-text.js'
import { dropUndefined, type JsonObject, type JsonValue } from '../../../core/data/json.js'
import type { ModelContent } from '../../../core/data/message.js'
import { memoize } from '../../../core/state/memoize.js'
import type {
  ModelRequest,
  PromptAssistantPart,
  PromptMessage,
  PromptToolResult,
  PromptUserPart,
} from '../../../core/data/model.js'
import { labelled, textOf, type PromptFile } from '../request/files.js'
import { ownMetadata, usualIds, wireId, wireName, type IdRule } from '../request/names.js'

/** The key of this adapter in the metadata of message parts. */
export const metadataKey = 'chatCompletions'

/** Mistral's servers and chat templates accept only ids of nine letters and digits. */
const shortIds: IdRule = { accepts: /^[a-z\d]{9}$/i, length: 9 }

/** The body of one request. */
export function chatBody(request: ModelRequest, options: { stream: boolean }): JsonObject {
  const { tools, responseFormat } = request
  const hasTools = tools.length > 0
  return dropUndefined({
    model: request.model || undefined,
    messages: chatMessages(request),
    tools: hasTools
      ? tools.map(({ name, description, inputSchema }) => ({
          type: 'function',
          function: { name, description, parameters: inputSchema },
        }))
      : undefined,
    tool_choice: hasTools ? wireToolChoice(request.toolChoice) : undefined,
    response_format: responseFormat && { type: 'json_schema', json_schema: responseFormat },
    stream: options.stream,
    stream_options: options.stream ? { include_usage: true } : undefined,
  })
}

/** `auto` is the default of every server and is left out. */
function wireToolChoice(choice: ModelRequest['toolChoice']): JsonValue | undefined {
  if (choice === 'auto') return undefined
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.toolName } }
}

function chatMessages(request: ModelRequest): JsonValue[] {
  const ids = /[sx]tral/i.test(request.model) ? shortIds : usualIds
  const messages: JsonValue[] = request.system === '' ? [] : [{ role: 'system', content: request.system }]
  for (const [index, message] of request.messages.entries()) {
    const hasReasoning = message.role === 'assistant' && message.content.some((part) => part.type === 'reasoning')
    const made = hasReasoning
      ? assistantMessage(message.content, ids, turnHasCalls(request.messages, index))
      : (ids === shortIds ? shortMessage : usualMessage)(message)
    messages.push(...made)
  }
  return messages
}

// Each message is translated once for all requests, by the form of its ids.
const usualMessage = memoize((message: PromptMessage) => chatMessage(message, usualIds))
const shortMessage = memoize((message: PromptMessage) => chatMessage(message, shortIds))

function chatMessage({ role, content }: PromptMessage, ids: IdRule): JsonValue[] {
  if (role === 'user') return userMessage(content)
  return role === 'assistant' ? assistantMessage(content, ids, false) : toolMessages(content, ids)
}

function userMessage(content: readonly PromptUserPart[]): JsonValue[] {
  const parts = content.filter((part) => part.type === 'file' || part.text !== '')
  if (parts.length === 0) return []
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  if (texts.length === parts.length) return [{ role: 'user', content: texts.join('\n\n') }]
  return [{ role: 'user', content: parts.map(contentPart) }]
}

function assistantMessage(content: readonly PromptAssistantPart[], ids: IdRule, withReasoning: boolean): JsonValue[] {
  const text = content.map(writtenText).join('')
  const calls = content.flatMap((part) => (part.type === 'tool-call' ? [toolCall(part, ids)] : []))
  // An aborted step may contain reasoning only, which servers reject as a message.
  if (text === '' && calls.length === 0) return []
  return [
    dropUndefined({
      role: 'assistant',
      content: text || null,
      ...(withReasoning ? reasoningFields(content) : {}),
      reasoning_details: reasoningDetails(content),
      tool_calls: calls.length > 0 ? calls : undefined,
    }),
  ]
}

/** Thinking of the text goes back in the text, because some models require that. */
function writtenText(part: PromptAssistantPart): string {
  if (part.type === 'text') return part.text
  return part.type === 'reasoning' ? thinkingAsWritten(part.text, part.providerOptions) : ''
}

function toolCall(part: Extract<PromptAssistantPart, { type: 'tool-call' }>, ids: IdRule): JsonObject {
  return dropUndefined({
    id: wireId(part.toolCallId, ids),
    type: 'function',
    function: { name: wireName(part.toolName), arguments: JSON.stringify(part.input) },
    extra_content: ownMetadata(part.providerOptions, metadataKey)?.['extra_content'],
  })
}

/** Reasoning under its original field. Thinking models of several providers reject a turn with calls without it. */
function reasoningFields(content: readonly PromptAssistantPart[]): JsonObject {
  const fields = new Map<string, string>()
  for (const part of content) {
    if (part.type !== 'reasoning') continue
    const field = ownMetadata(part.providerOptions, metadataKey)?.['field']
    if (field !== 'reasoning_content' && field !== 'reasoning') continue
    fields.set(field, (fields.get(field) ?? '') + part.text)
  }
  return Object.fromEntries(fields)
}

/** All `reasoning_details`, unchanged; undefined if the server sent none. */
function reasoningDetails(content: readonly PromptAssistantPart[]): JsonValue[] | undefined {
  const details = content.flatMap((part): JsonValue[] => {
    const own = part.type === 'reasoning' ? ownMetadata(part.providerOptions, metadataKey) : undefined
    const list = own?.['reasoning_details']
    return Array.isArray(list) ? [...(list as readonly JsonValue[])] : []
  })
  return details.length > 0 ? details : undefined
}

/** Whether the turn of an assistant message, from one user message to the next, contains a tool call. */
function turnHasCalls(messages: readonly PromptMessage[], index: number): boolean {
  const hasCall = (message: PromptMessage): boolean =>
    message.role === 'assistant' && message.content.some((part) => part.type === 'tool-call')
  for (let at = index; at >= 0 && messages[at]!.role !== 'user'; at--) if (hasCall(messages[at]!)) return true
  for (let at = index + 1; at < messages.length && messages[at]!.role !== 'user'; at++)
    if (hasCall(messages[at]!)) return true
  return false
}

/** One message per result, in order. Tool messages cannot contain files, so these follow in one user message. */
function toolMessages(results: readonly PromptToolResult[], ids: IdRule): JsonValue[] {
  const files: JsonValue[] = []
  const messages = results.map(({ toolCallId, toolName, output }): JsonValue => {
    const message = { role: 'tool', tool_call_id: wireId(toolCallId, ids) }
    if (output.type !== 'content') return { ...message, content: output.value }
    const own = labelled(output.value.filter((part) => part.type === 'file'))
    if (own.length > 0)
      files.push({ type: 'text', text: `Files from the result of ${wireName(toolName)}:` }, ...own.map(contentPart))
    return { ...message, content: textOf(output.value) }
  })
  return files.length === 0 ? messages : [...messages, { role: 'user', content: files }]
}

function contentPart(part: PromptUserPart | ModelContent[number]): JsonObject {
  return part.type === 'text' ? { type: 'text', text: part.text } : filePart(part)
}

function filePart({ mediaType, data, filename, name }: PromptFile): JsonObject {
  const url = /^(data|https?):/i.test(data) ? data : `data:${mediaType};base64,${data}`
  if (mediaType.startsWith('image/')) return { type: 'image_url', image_url: { url } }
  return { type: 'file', file: { filename: filename ?? name ?? 'file', file_data: url } }
}
