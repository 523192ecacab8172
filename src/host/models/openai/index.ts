// The provider `openai` for every server with chat completions. It is built as a file of its own.
export { chatCompletions as provider } from './chat-completions.js'
