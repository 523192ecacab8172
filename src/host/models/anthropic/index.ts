// The provider `anthropic` for servers with the Messages API. It is built as a file of its own.
export { anthropicMessages as provider } from './anthropic-messages.js'
