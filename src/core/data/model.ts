// The seam to a model. Messages have the shape of the AI SDK's LanguageModelV4Prompt (without a system role), parts
// that of its LanguageModelV4StreamPart, so that a model of that SDK fits with an adapter of a few lines.
import type { JsonObject, JsonValue } from './json.js'
import type { Metadata, ModelContent } from './message.js'
import type { ToolChoice } from './tool.js'

export interface ModelTool {
  readonly type: 'function'
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
}

export type PromptMessage =
  | { readonly role: 'user'; readonly content: readonly PromptUserPart[] }
  | { readonly role: 'assistant'; readonly content: readonly PromptAssistantPart[] }
  | { readonly role: 'tool'; readonly content: readonly PromptToolResult[] }

export type PromptUserPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'file'; readonly mediaType: string; readonly data: string; readonly filename?: string }

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

export interface PromptToolResult {
  readonly type: 'tool-result'
  readonly toolCallId: string
  readonly toolName: string
  readonly output:
    | { readonly type: 'text'; readonly value: string }
    | { readonly type: 'error-text'; readonly value: string }
    | { readonly type: 'content'; readonly value: ModelContent }
}

/** One model call. `tools` is empty when there are none; the wire then leaves the field out. */
export interface ModelRequest {
  readonly model: string
  readonly system: string
  readonly messages: readonly PromptMessage[]
  readonly tools: readonly ModelTool[]
  readonly toolChoice: ToolChoice
}

export type FinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other'

export interface ModelUsage {
  readonly inputTokens?: { readonly total?: number; readonly cacheRead?: number }
  readonly outputTokens?: { readonly total?: number; readonly reasoning?: number }
}

/**
 * What a model streams. A call is yielded once, complete, as `tool-call` with its argument text unparsed;
 * `tool-input-*` before it is for display. The last part is `finish`; a stream that ends without one was cut.
 */
export type ModelPart =
  | { readonly type: 'response-metadata'; readonly id?: string; readonly modelId?: string }
  | { readonly type: 'text-start'; readonly id: string; readonly providerMetadata?: Metadata }
  | { readonly type: 'text-delta'; readonly id: string; readonly delta: string; readonly providerMetadata?: Metadata }
  | { readonly type: 'text-end'; readonly id: string; readonly providerMetadata?: Metadata }
  | { readonly type: 'reasoning-start'; readonly id: string; readonly providerMetadata?: Metadata }
  | {
      readonly type: 'reasoning-delta'
      readonly id: string
      readonly delta: string
      readonly providerMetadata?: Metadata
    }
  | { readonly type: 'reasoning-end'; readonly id: string; readonly providerMetadata?: Metadata }
  | { readonly type: 'tool-input-start'; readonly id: string; readonly toolName: string }
  | { readonly type: 'tool-input-delta'; readonly id: string; readonly delta: string }
  | { readonly type: 'tool-input-end'; readonly id: string }
  | {
      readonly type: 'tool-call'
      readonly toolCallId: string
      readonly toolName: string
      /** The argument text as it came, all fragments joined; may be empty or not JSON. */
      readonly input: string
      readonly providerMetadata?: Metadata
    }
  | {
      readonly type: 'finish'
      readonly finishReason: { readonly unified: FinishReason; readonly raw?: string }
      readonly usage?: ModelUsage
      readonly providerMetadata?: Metadata
    }

/**
 * A model. `stream` must fail with a `ToolAgentError` of a model code (`unauthorized`, `rate-limited`, `stream-cut`…),
 * never end early in silence: an iteration that ends without a `finish` part counts as `stream-cut`. `details` of the
 * error may hold `{ status, retryAfter (ms), retry: boolean }`; the loop decides on retries. Aborting `signal` ends
 * the iteration at once.
 */
export interface ModelAdapter {
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>
}
