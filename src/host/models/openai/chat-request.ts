// Turns a model request into the body of a chat completions request. The body contains only fields that every
// compatible server knows. Reasoning is sent back only in the field in which the server sent it.
import { thinkingAsWritten } from '../../../core/data/thinking-marks.js'
import { dropUndefined, isObject, type JsonObject, type JsonValue } from '../../../core/data/json.js'
import { fingerprint } from '../../../core/state/fingerprint.js'
import { memoize } from '../../../core/state/memoize.js'
import { canonicalJson } from '../../../core/data/plain-json.js'
import type { Metadata, ModelContent } from '../../../core/data/message.js'
import type {
  ModelRequest,
  PromptAssistantPart,
  PromptMessage,
  PromptToolResult,
  PromptUserPart,
} from '../../../core/data/model.js'

/** The key of this adapter in the metadata of message parts. */
export const metadataKey = 'chatCompletions'

/** Mistral's servers and chat templates accept only ids of nine letters and digits. Set for each body. */
let hasShortIds = false

/** The body of one request. */
export function chatBody(request: ModelRequest, options: { stream: boolean }): JsonObject {
  hasShortIds = /[sx]tral/i.test(request.model)
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
  const messages: JsonValue[] = request.system === '' ? [] : [{ role: 'system', content: request.system }]
  for (const [index, message] of request.messages.entries()) {
    const hasReasoning = message.role === 'assistant' && message.content.some((part) => part.type === 'reasoning')
    const made = hasReasoning
      ? assistantMessage(message.content, turnHasCalls(request.messages, index))
      : chatMessage[hasShortIds ? 'short' : 'usual'](message)
    messages.push(...made)
  }
  return messages
}

// Each message is translated once for all requests, by the form of its ids.
const chatMessage = { usual: memoize(newChatMessage), short: memoize(newChatMessage) }

function newChatMessage({ role, content }: PromptMessage): JsonValue[] {
  if (role === 'user') return userMessage(content)
  return role === 'assistant' ? assistantMessage(content, false) : toolMessages(content)
}

function userMessage(content: readonly PromptUserPart[]): JsonValue[] {
  const parts = content.filter((part) => part.type === 'file' || part.text !== '')
  if (parts.length === 0) return []
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  if (texts.length === parts.length) return [{ role: 'user', content: texts.join('\n\n') }]
  return [
    {
      role: 'user',
      content: parts.map((part) => (part.type === 'text' ? { type: 'text', text: part.text } : filePart(part))),
    },
  ]
}

function assistantMessage(content: readonly PromptAssistantPart[], withReasoning: boolean): JsonValue[] {
  const text = content.map(writtenText).join('')
  const calls = content.flatMap((part) => (part.type === 'tool-call' ? [toolCall(part)] : []))
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

function toolCall(part: Extract<PromptAssistantPart, { type: 'tool-call' }>): JsonObject {
  return dropUndefined({
    id: wireId(part.toolCallId),
    type: 'function',
    function: { name: wireName(part.toolName), arguments: JSON.stringify(part.input) },
    extra_content: ownMetadata(part.providerOptions)['extra_content'],
  })
}

/** Reasoning under its original field. Thinking models of several providers reject a turn with calls without it. */
function reasoningFields(content: readonly PromptAssistantPart[]): JsonObject {
  const fields = new Map<string, string>()
  for (const part of content) {
    if (part.type !== 'reasoning') continue
    const field = ownMetadata(part.providerOptions)['field']
    if (field !== 'reasoning_content' && field !== 'reasoning') continue
    fields.set(field, (fields.get(field) ?? '') + part.text)
  }
  return Object.fromEntries(fields)
}

/** All `reasoning_details`, unchanged; undefined if the server sent none. */
function reasoningDetails(content: readonly PromptAssistantPart[]): JsonValue[] | undefined {
  const details = content.flatMap((part): JsonValue[] => {
    const own = part.type === 'reasoning' ? ownMetadata(part.providerOptions)['reasoning_details'] : undefined
    return Array.isArray(own) ? [...(own as readonly JsonValue[])] : []
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
function toolMessages(results: readonly PromptToolResult[]): JsonValue[] {
  const files: JsonValue[] = []
  const messages = results.map((result): JsonValue => {
    const { output } = result
    if (output.type !== 'content')
      return { role: 'tool', tool_call_id: wireId(result.toolCallId), content: output.value }
    const own = output.value.filter((part) => part.type === 'file')
    if (own.length > 0)
      files.push(
        { type: 'text', text: `Files from the result of ${wireName(result.toolName)}:` },
        ...own.flatMap(labelledFile),
      )
    return { role: 'tool', tool_call_id: wireId(result.toolCallId), content: textOf(output.value) }
  })
  return files.length === 0 ? messages : [...messages, { role: 'user', content: files }]
}

function textOf(content: ModelContent): string {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const files = content.length - texts.length
  return [
    ...texts,
    ...(files === 0 ? [] : [`(${files === 1 ? 'a file follows' : `${files} files follow`} below)`]),
  ].join('\n')
}

/** A file after its label, which marks untrusted content. */
function labelledFile(part: Extract<ModelContent[number], { type: 'file' }>): JsonObject[] {
  return [...(part.label ? [{ type: 'text', text: part.label }] : []), filePart(part)]
}

function filePart(part: { mediaType: string; data: string; filename?: string; name?: string }): JsonObject {
  const url = /^(data|https?):/i.test(part.data) ? part.data : `data:${part.mediaType};base64,${part.data}`
  if (part.mediaType.startsWith('image/')) return { type: 'image_url', image_url: { url } }
  const filename = part.filename ?? part.name ?? 'file'
  return { type: 'file', file: { filename, file_data: url } }
}

function ownMetadata(options: Metadata | undefined): JsonObject {
  const own = options?.[metadataKey]
  return isObject(own) ? (own as JsonObject) : {}
}

/** Replaces ids that servers reject, which another provider may have created. The same id gives the same result. */
function wireId(id: string): string {
  if ((hasShortIds ? /^[a-z\d]{9}$/i : /^[\w.:-]{1,64}$/).test(id)) return id
  const hash = fingerprint(canonicalJson(id))
  return hasShortIds ? hash.slice(7) : `${id.replace(/[^\w-]/g, '_').slice(0, 23)}_${hash}`
}

/** A tool name without characters that servers reject. Models invent such names. */
function wireName(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, 64) || 'missing_name'
}
