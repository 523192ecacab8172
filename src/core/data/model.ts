// The interface to a model. Messages have the shape of the AI SDK's LanguageModelV4Prompt (without a system role), and
// parts that of its LanguageModelV4StreamPart. A model of that SDK therefore needs only a short adapter.
import type { JsonObject, JsonValue } from './json.js'
import type { Metadata, ModelContent } from './message.js'
import type { ToolChoice } from './tool.js'

/** A tool, as the model reads it. */
export interface ModelTool {
  readonly type: 'function'
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. The root is an object. */
  readonly inputSchema: JsonObject
}

/** A message of a request. `tool` messages contain the results of the calls in the assistant message before them. */
export type PromptMessage =
  | { readonly role: 'user'; readonly content: readonly PromptUserPart[] }
  | { readonly role: 'assistant'; readonly content: readonly PromptAssistantPart[] }
  | { readonly role: 'tool'; readonly content: readonly PromptToolResult[] }

/** A part of a user message. `data` is base64 or a data URL. */
export type PromptUserPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'file'; readonly mediaType: string; readonly data: string; readonly filename?: string }

/** A part of an assistant message. `providerOptions`: the metadata that the provider sent with this part. */
export type PromptAssistantPart =
  | { readonly type: 'text'; readonly text: string; readonly providerOptions?: Metadata }
  | { readonly type: 'reasoning'; readonly text: string; readonly providerOptions?: Metadata }
  | {
      readonly type: 'tool-call'
      readonly toolCallId: string
      readonly toolName: string
      readonly input: JsonValue
      readonly providerOptions?: Metadata
    }

/** The result of one call. */
export interface PromptToolResult {
  readonly type: 'tool-result'
  /** The id of the call. */
  readonly toolCallId: string
  readonly toolName: string
  /** What the model reads. */
  readonly output:
    | { readonly type: 'text'; readonly value: string }
    | { readonly type: 'error-text'; readonly value: string }
    | { readonly type: 'content'; readonly value: ModelContent }
}

/** One model call. */
export interface ModelRequest {
  /** The name of the model, from the option `model`. */
  readonly model: string
  /** The system text. Empty for none. */
  readonly system: string
  /** The conversation, oldest first. It never ends with an assistant message. */
  readonly messages: readonly PromptMessage[]
  /** The tools on offer. If empty, an adapter must leave the field out of its request. */
  readonly tools: readonly ModelTool[]
  /** Which tools the model may call. */
  readonly toolChoice: ToolChoice
}

/** Why the model stopped. `length`: output limit reached; `other`: a reason that is not in this list. */
export type FinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other'

/** Token counts of one model call, as far as they are reported. */
export interface ModelUsage {
  /** Tokens of the request. `cacheRead`: those read from the provider's cache. */
  readonly inputTokens?: { readonly total?: number; readonly cacheRead?: number }
  /** Tokens of the answer. `reasoning`: those of the reasoning. */
  readonly outputTokens?: { readonly total?: number; readonly reasoning?: number }
}

/**
 * A part of a streamed answer. The last part must be `finish`: a stream that ends without it counts as `stream-cut`.
 * `id` joins the parts of one text, one reasoning block or one call. `providerMetadata` is stored and sent back
 * unchanged.
 */
export type ModelPart =
  /** The provider's ids of the answer and the model. Does not count as the first part of the answer. */
  | { readonly type: 'response-metadata'; readonly id?: string; readonly modelId?: string }
  /** A text begins. */
  | { readonly type: 'text-start'; readonly id: string; readonly providerMetadata?: Metadata }
  /** More of the text. */
  | { readonly type: 'text-delta'; readonly id: string; readonly delta: string; readonly providerMetadata?: Metadata }
  /** The text is complete. */
  | { readonly type: 'text-end'; readonly id: string; readonly providerMetadata?: Metadata }
  /** A block of reasoning begins. */
  | { readonly type: 'reasoning-start'; readonly id: string; readonly providerMetadata?: Metadata }
  /** More of the reasoning. */
  | {
      readonly type: 'reasoning-delta'
      readonly id: string
      readonly delta: string
      readonly providerMetadata?: Metadata
    }
  /** The reasoning is complete. */
  | { readonly type: 'reasoning-end'; readonly id: string; readonly providerMetadata?: Metadata }
  /** The model begins to write a call. For display only: `tool-call` must follow. */
  | { readonly type: 'tool-input-start'; readonly id: string; readonly toolName: string }
  /** More argument text, for display only. */
  | { readonly type: 'tool-input-delta'; readonly id: string; readonly delta: string }
  /** The argument text is complete, for display only. */
  | { readonly type: 'tool-input-end'; readonly id: string }
  /** A complete call. It must be yielded exactly once. */
  | {
      readonly type: 'tool-call'
      readonly toolCallId: string
      readonly toolName: string
      /** The complete argument text, not parsed. May be empty or not JSON. */
      readonly input: string
      readonly providerMetadata?: Metadata
    }
  /** The answer is complete. Must be the last part. `raw`: the provider's own word for the reason. */
  | {
      readonly type: 'finish'
      readonly finishReason: { readonly unified: FinishReason; readonly raw?: string }
      readonly usage?: ModelUsage
      readonly providerMetadata?: Metadata
    }

/** A model. */
export interface ModelAdapter {
  /**
   * Streams one answer. Must end with a `finish` part, or throw a `ToolAgentError` with one of the model codes. Its
   * `details` may contain `status`, `retryAfter` (milliseconds) and `retry` (boolean). The adapter must not retry: the
   * turn does. Aborting `signal` must end the iteration immediately.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>
}
