// The protocol of OpenAI-compatible endpoints: `POST <endpoint>/chat/completions`.
import type { ModelAdapter } from '../../../core/data/model.js'
import { httpModel, type HttpModelOptions, type HttpProtocol } from '../http/http-model.js'
import { chatBody } from './chat-request.js'
import { chatAnswer } from './chat-stream.js'
import { promptCacheKey, type PromptCacheKeyOptions } from '../request/prompt-cache-key.js'

/** Options of `chatCompletions`. */
export interface ChatCompletionsOptions extends HttpModelOptions, PromptCacheKeyOptions {}

const protocol: Omit<HttpProtocol, 'body'> = {
  address(url) {
    url.pathname += '/chat/completions'
  },
  answer: chatAnswer,
  relaxed: [
    // Some servers do not know `stream_options`.
    ({ stream_options: streamOptions, ...rest }, text) =>
      streamOptions !== undefined && text.includes('stream_options') ? rest : undefined,
  ],
}

/**
 * A model at an OpenAI-compatible endpoint. Its stream throws `ToolAgentError`s with a model code, or
 * `invalid-option` for a wrong endpoint or header.
 */
export function chatCompletions(options: ChatCompletionsOptions): ModelAdapter {
  const body: HttpProtocol['body'] = (request, asked) => ({
    ...chatBody(request, asked),
    ...promptCacheKey(options, request),
  })
  return httpModel({ ...protocol, body }, options)
}

/** The export of a lazy model file. */
export { chatCompletions as provider }
