// The protocol of the Gemini API: `POST <endpoint>/models/<model>:streamGenerateContent?alt=sse`, or `:generateContent`
// for whole answers. The key belongs in the header `x-goog-api-key`, never in the URL.
import { ToolAgentError } from '../../../core/data/errors.js'
import { isObject, type JsonObject } from '../../../core/data/json.js'
import type { ModelAdapter } from '../../../core/data/model.js'
import { httpModel, type HttpModelOptions, type HttpProtocol } from '../http/http-model.js'
import { geminiBody } from './gemini-request.js'
import { geminiAnswer } from './gemini-stream.js'

/** Options of `generateContent`. `endpoint` is usually `https://generativelanguage.googleapis.com/v1beta`. */
export type GenerateContentOptions = HttpModelOptions

const protocol: HttpProtocol = {
  address(url, { model, stream }) {
    if (model.trim() === '') {
      throw new ToolAgentError(
        'invalid-option',
        'model: expected the name of a Gemini model, received "". Set it to a name such as "gemini-3-flash-preview".',
      )
    }
    // A name with a slash is a path already, such as `tunedModels/mine`.
    const path = model.includes('/') ? model : `models/${model}`
    const name = path.split('/').map(encodeURIComponent).join('/')
    url.pathname += `/${name}:${stream ? 'streamGenerateContent' : 'generateContent'}`
    if (stream) url.searchParams.set('alt', 'sse')
  },
  body: geminiBody,
  answer: geminiAnswer,
  relaxed: [withoutThoughts],
}

/** A model without thinking refuses the request for thoughts. */
function withoutThoughts({ generationConfig, ...rest }: JsonObject, text: string): JsonObject | undefined {
  if (!isObject(generationConfig) || !('thinkingConfig' in generationConfig) || !/thinking/i.test(text))
    return undefined
  const { thinkingConfig: _thoughts, ...config } = generationConfig as JsonObject
  return Object.keys(config).length > 0 ? { ...rest, generationConfig: config } : rest
}

/**
 * A model behind the Gemini API. Its stream throws `ToolAgentError`s with a model code, or `invalid-option` for a wrong
 * endpoint or header, or a missing model.
 */
export function generateContent(options: GenerateContentOptions): ModelAdapter {
  return httpModel(protocol, options)
}

/** The export of a lazy model file. */
export { generateContent as provider }
