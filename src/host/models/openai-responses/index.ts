// The provider `openai-responses` for OpenAI's Responses API. It is built as a file of its own.
export { openaiResponses as provider } from './openai-responses.js'
