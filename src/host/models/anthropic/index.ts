// The protocol of Anthropic's Messages API: `POST <endpoint>/messages`.
import type { JsonObject } from '../../../core/data/json.js'
import type { ModelAdapter } from '../../../core/data/model.js'
import { httpModel, type HttpModelOptions, type HttpProtocol } from '../http/http-model.js'
import { messagesRelaxed } from './messages-after-refusal.js'
import { messagesBody } from './messages-request.js'
import { messagesAnswer } from './messages-stream.js'

/** Options of `anthropicMessages`. */
export interface AnthropicMessagesOptions extends HttpModelOptions {
  /**
   * Fields that are added to each body and replace those of the adapter, such as `thinking` or `max_tokens`. A manual
   * `thinking` (type `enabled`) is left out of a request that forces a tool, because the API refuses both together.
   * @default none; `max_tokens` is 32000, or the most that the model allows
   */
  readonly body?: JsonObject
}

const protocol: Omit<HttpProtocol, 'body'> = {
  // Without the last header the API refuses requests of web pages. Other servers ignore it.
  headers: { 'anthropic-version': '2023-06-01', 'anthropic-dangerous-direct-browser-access': 'true' },
  address(url) {
    url.pathname += '/messages'
  },
  answer: messagesAnswer,
  relaxed: messagesRelaxed,
}

/**
 * A model behind an endpoint with Anthropic's Messages API. Its stream throws `ToolAgentError`s with a model code, or
 * `invalid-option` for a wrong endpoint or header.
 */
export function anthropicMessages(options: AnthropicMessagesOptions): ModelAdapter {
  const body: HttpProtocol['body'] = (request, { stream }) =>
    messagesBody(request, { stream, extra: options.body ?? {} })
  return httpModel({ ...protocol, body }, options)
}

/** The export of a lazy model file. */
export { anthropicMessages as provider }
