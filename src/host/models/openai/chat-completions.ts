// The protocol of OpenAI-compatible endpoints: `POST <endpoint>/chat/completions`.
import type { JsonObject, JsonValue } from '../../../core/data/json.js'
import { fingerprint } from '../../../core/state/fingerprint.js'
import type { ModelAdapter } from '../../../core/data/model.js'
import { httpModel, type HttpModelOptions, type HttpProtocol } from '../http/http-model.js'
import { chatBody } from './chat-request.js'
import { createChatAssembly } from './chat-stream.js'

/** Options of `chatCompletions`. */
export type ChatCompletionsOptions = HttpModelOptions

const protocol: HttpProtocol = {
  address(url) {
    url.pathname += '/chat/completions'
  },
  body: chatBody,
  assembly: createChatAssembly,
  relaxed(body, text) {
    const { stream_options: streamOptions, ...rest } = body
    // Some servers do not know `stream_options`.
    if (streamOptions !== undefined && text.includes('stream_options')) return rest
    return text.includes('length of 9') ? withShortIds(body) : undefined
  },
}

/** The body with ids of calls as Mistral requires them: nine letters and digits. Undefined if they have that form. */
function withShortIds(body: JsonObject): JsonObject | undefined {
  const messages = JSON.stringify(body['messages'], (key, value: unknown) =>
    /^(?:tool_call_)?id$/.test(key) && !/^[a-z\d]{9}$/i.test(String(value))
      ? fingerprint(String(value)).slice(7)
      : value,
  )
  if (messages === JSON.stringify(body['messages'])) return undefined
  return { ...body, messages: JSON.parse(messages) as JsonValue }
}

/**
 * A model at an OpenAI-compatible endpoint. Its stream throws `ToolAgentError`s with a model code, or
 * `invalid-option` for a wrong endpoint or header.
 */
export function chatCompletions(options: ChatCompletionsOptions): ModelAdapter {
  return httpModel(protocol, options)
}
