// The part of a request that the offline model reads, and the parts it answers with. A request comes from the page, or as
// OpenAI chat completions over HTTP. The latter are read leniently: a field that is missing or of another type counts as
// absent.
import { isObject, type JsonObject, type JsonValue } from '../../src/core/data/json.js'
import type { ModelRequest, PromptMessage } from '../../src/core/data/model.js'

export interface Tool {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly schema: JsonObject
}

export interface ChatMessage {
  readonly role: string
  readonly text: string
  /** Calls of an assistant message. */
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: JsonObject }[]
  /** The call that a tool message answers. */
  readonly callId: string
}

export interface ChatRequest {
  readonly model: string
  readonly messages: readonly ChatMessage[]
  readonly tools: readonly Tool[]
  readonly toolChoice: 'auto' | 'none' | 'required' | { readonly tool: string }
  readonly stream: boolean
}

export type OfflinePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool-call'; readonly id: string; readonly name: string; readonly input: JsonObject }

/** The request as the model uses it. Throws an `Error` with a message for the caller where there are no messages. */
export function parseRequest(body: unknown): ChatRequest {
  if (!isObject(body)) throw new Error('The body must be a JSON object')
  const { messages, tools, model, stream } = body
  if (!Array.isArray(messages) || messages.length === 0)
    throw new Error('messages must be an array with at least one message')
  return {
    model: typeof model === 'string' && model !== '' ? model : 'offline',
    messages: messages.map(parseMessage),
    tools: Array.isArray(tools) ? tools.flatMap(parseTool) : [],
    toolChoice: parseChoice(body['tool_choice']),
    stream: stream === true,
  }
}

function parseMessage(raw: unknown): ChatMessage {
  const message = isObject(raw) ? raw : {}
  const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'] : []
  return {
    role: typeof message['role'] === 'string' ? message['role'] : '',
    text: contentText(message['content']),
    calls: calls.flatMap((call: unknown) => {
      if (!isObject(call) || !isObject(call['function'])) return []
      const { name, arguments: text } = call['function']
      return typeof name === 'string' ? [{ id: String(call['id'] ?? ''), name, input: parseObject(text) }] : []
    }),
    callId: typeof message['tool_call_id'] === 'string' ? message['tool_call_id'] : '',
  }
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .flatMap((part: unknown) => (isObject(part) && typeof part['text'] === 'string' ? [part['text']] : []))
    .join('\n\n')
}

function parseTool(raw: unknown): Tool[] {
  const definition = isObject(raw) ? raw['function'] : undefined
  if (!isObject(definition) || typeof definition['name'] !== 'string') return []
  const { name, description, parameters } = definition
  return [
    {
      name,
      description: typeof description === 'string' ? description : '',
      schema: isObject(parameters) ? (parameters as JsonObject) : {},
    },
  ]
}

function parseChoice(raw: unknown): ChatRequest['toolChoice'] {
  if (raw === 'none' || raw === 'required') return raw
  const chosen = isObject(raw) ? raw['function'] : undefined
  return isObject(chosen) && typeof chosen['name'] === 'string' ? { tool: chosen['name'] } : 'auto'
}

function parseObject(text: unknown): JsonObject {
  const value = typeof text === 'string' ? parseJson(text) : (text as JsonValue | undefined)
  return isObject(value) ? (value as JsonObject) : {}
}

/** The value, or undefined where the text is not JSON. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

/** The request of an agent in this page. */
export function chatRequestOf({ model, system, messages, tools, toolChoice }: ModelRequest): ChatRequest {
  return {
    model,
    messages: [{ role: 'system', text: system, calls: [], callId: '' }, ...messages.flatMap(messagesOf)],
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, schema: inputSchema })),
    toolChoice: typeof toolChoice === 'object' ? { tool: toolChoice.toolName } : toolChoice,
    stream: true,
  }
}

function messagesOf(message: PromptMessage): ChatMessage[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', text: textOf(message.content), calls: [], callId: '' }]
    case 'assistant': {
      const calls = message.content.flatMap((part) =>
        part.type === 'tool-call' ? [{ id: part.toolCallId, name: part.toolName, input: objectOf(part.input) }] : [],
      )
      return [{ role: 'assistant', text: textOf(message.content), calls, callId: '' }]
    }
    case 'tool':
      return message.content.map(({ toolCallId, output }) => ({
        role: 'tool',
        text: typeof output.value === 'string' ? output.value : textOf(output.value),
        calls: [],
        callId: toolCallId,
      }))
  }
}

function textOf(parts: readonly { readonly type: string; readonly text?: string }[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text ?? ''] : [])).join('\n\n')
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? (value as JsonObject) : {}
}
