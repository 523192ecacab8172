// The provider `openai`, a file of its own in what is built: whatever speaks chat completions.
export { chatCompletions as provider } from './chat-completions.js'
