// `tool-agent/models`: models by themselves, for `modelAdapter` and for `serve`.
export type { ModelAdapter, ModelPart, ModelRequest, ModelTool, PromptMessage } from './core/data/model.js'
export { chatCompletions, type ChatCompletionsOptions } from './host/models/openai/chat-completions.js'
