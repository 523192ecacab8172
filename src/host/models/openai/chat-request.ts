// A model request as the body of an OpenAI chat completions call. What one provider alone wants is not here: the body
// holds the fields that every compatible server knows, and reasoning goes back only to whoever sent it that way.
import {
  canonicalJson,
  dropUndefined,
  fingerprint,
  isObject,
  toWellFormed,
  type JsonObject,
  type JsonValue,
} from '../../../core/data/json.js'
import type { Metadata, ModelContent } from '../../../core/data/message.js'
import type {
  ModelRequest,
  PromptAssistantPart,
  PromptMessage,
  PromptToolResult,
  PromptUserPart,
} from '../../../core/data/model.js'

/** The key under which this adapter keeps what it wants back, in the metadata of parts. */
export const metadataKey = 'chatCompletions'

export function chatBody(request: ModelRequest, options: { stream: boolean }): JsonObject {
  const { tools, toolChoice } = request
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
    tool_choice:
      !hasTools || toolChoice === 'auto'
        ? undefined
        : typeof toolChoice === 'string'
          ? toolChoice
          : { type: 'function', function: { name: toolChoice.toolName } },
    stream: options.stream,
    stream_options: options.stream ? { include_usage: true } : undefined,
  })
}

/** The bytes of a body. */
export function bodyText(body: JsonObject): string {
  return JSON.stringify(body, (_key, value: unknown) => (typeof value === 'string' ? toWellFormed(value) : value))
}

function chatMessages(request: ModelRequest): JsonValue[] {
  const messages: JsonValue[] = request.system === '' ? [] : [{ role: 'system', content: request.system }]
  for (const [index, message] of request.messages.entries()) {
    if (message.role === 'user') messages.push(...userMessage(message.content))
    else if (message.role === 'assistant')
      messages.push(...assistantMessage(message.content, turnHasCalls(request.messages, index)))
    else messages.push(...toolMessages(message.content))
  }
  return messages
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
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const calls = content.flatMap((part) => (part.type === 'tool-call' ? [toolCall(part)] : []))
  // What is left of an aborted step may be reasoning alone, which no server takes as a message.
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

function toolCall(part: Extract<PromptAssistantPart, { type: 'tool-call' }>): JsonObject {
  return dropUndefined({
    id: wireId(part.toolCallId),
    type: 'function',
    function: { name: wireName(part.toolName), arguments: JSON.stringify(part.input) },
    extra_content: ownMetadata(part.providerOptions)['extra_content'],
  })
}

/** Under the field it came in: thinking models of several providers refuse a turn of calls without it. */
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

/** As they came, whether the turn has calls or not; absent where the server sent none. */
function reasoningDetails(content: readonly PromptAssistantPart[]): JsonValue[] | undefined {
  const details = content.flatMap((part): JsonValue[] => {
    const own = part.type === 'reasoning' ? ownMetadata(part.providerOptions)['reasoning_details'] : undefined
    return Array.isArray(own) ? [...(own as readonly JsonValue[])] : []
  })
  return details.length > 0 ? details : undefined
}

/** Whether the turn around an assistant message, from one user message to the next, asked for a tool. */
function turnHasCalls(messages: readonly PromptMessage[], index: number): boolean {
  const asked = (message: PromptMessage): boolean =>
    message.role === 'assistant' && message.content.some((part) => part.type === 'tool-call')
  for (let at = index; at >= 0 && messages[at]!.role !== 'user'; at--) if (asked(messages[at]!)) return true
  for (let at = index + 1; at < messages.length && messages[at]!.role !== 'user'; at++)
    if (asked(messages[at]!)) return true
  return false
}

/** One message a result, in order; files cannot ride in them and follow in a user message behind all results. */
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

/** A file and, before it, the line that says it is from outside. */
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

/** Ids of another provider may hold what this one refuses; a call and its result are rewritten alike. */
function wireId(id: string): string {
  if (/^[\w.:-]{1,64}$/.test(id)) return id
  return `${id.replace(/[^\w-]/g, '_').slice(0, 23)}_${fingerprint(canonicalJson(id))}`
}

/** A name the model invented may hold what the server refuses in a history. */
function wireName(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, 64) || 'missing_name'
}
