// The protocol of OpenAI's Responses API: `POST <endpoint>/responses`. Nothing is stored on the server: each request
// contains the whole conversation, with the encrypted reasoning of the model.
import type { JsonObject } from '../../../core/data/json.js'
import type { ModelAdapter } from '../../../core/data/model.js'
import { promptCacheKey, type PromptCacheKeyOptions } from '../request/prompt-cache-key.js'
import { httpModel, type HttpModelOptions, type HttpProtocol } from '../http/http-model.js'
import { responsesRelaxed } from './responses-after-refusal.js'
import { responsesBody } from './responses-request.js'
import { responsesAnswer } from './responses-stream.js'

/** Options of `openaiResponses`. `endpoint` is usually `https://api.openai.com/v1`. */
export interface OpenAIResponsesOptions extends HttpModelOptions, PromptCacheKeyOptions {
  /**
   * Fields that are added to each body and replace those of the adapter, such as `reasoning` or `max_output_tokens`.
   * @default none; models that reason get `reasoning: { summary: 'auto' }`
   */
  readonly body?: JsonObject
}

const protocol: Omit<HttpProtocol, 'body'> = {
  address(url) {
    url.pathname += '/responses'
  },
  answer: responsesAnswer,
  relaxed: responsesRelaxed,
}

/**
 * A model behind an endpoint with OpenAI's Responses API. Its stream throws `ToolAgentError`s with a model code, or
 * `invalid-option` for a wrong endpoint or header.
 */
export function openaiResponses(options: OpenAIResponsesOptions): ModelAdapter {
  const body: HttpProtocol['body'] = (request, { stream }) =>
    responsesBody(request, { stream, extra: { ...promptCacheKey(options, request), ...options.body } })
  return httpModel({ ...protocol, body }, options)
}

/** The export of a lazy model file. */
export { openaiResponses as provider }
