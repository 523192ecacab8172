// `tool-agent/models`: model adapters to pass as `modelAdapter` or to `serve`.
export type {
  FinishReason,
  ModelAdapter,
  ModelPart,
  ModelRequest,
  ModelTool,
  ModelUsage,
  PromptAssistantPart,
  PromptMessage,
  PromptToolResult,
  PromptUserPart,
  ResponseFormat,
} from './core/data/model.js'
export { fromAiSdk } from './host/models/ai-sdk/from-ai-sdk.js'
export type { AiSdkCallOptions, AiSdkModel } from './host/models/ai-sdk/sdk-prompt.js'
export type { ModelIo, ProviderOptions } from './host/models/provider.js'
export type { HttpModelOptions } from './host/models/http/http-model.js'
export { agUi, type AgUiOptions } from './host/models/ag-ui/index.js'
export { generateContent, type GenerateContentOptions } from './host/models/google/index.js'
export { openaiResponses, type OpenAIResponsesOptions } from './host/models/openai-responses/index.js'
export { chatCompletions, type ChatCompletionsOptions } from './host/models/openai/index.js'
export { anthropicMessages, type AnthropicMessagesOptions } from './host/models/anthropic/index.js'
