// The interface to a model. Messages have the shape of the AI SDK's LanguageModelV4Prompt, without a system role. Parts
// have the shape of its LanguageModelV4StreamPart. So a model of that SDK needs only a short adapter.
import type { JsonObject, JsonValue } from './json.js'
import type { Metadata, ModelContent, ToolResult } from './message.js'
import type { ToolChoice } from './tool.js'

/** A tool, as the model reads it. */
export interface ModelTool {
  readonly type: 'function'
  /** Unique in the request. A `tool-call` part must repeat it exactly. */
  readonly name: string
  /** What the tool does and when to call it, in plain text. */
  readonly description: string
  /** JSON Schema of the arguments. The root is an object. */
  readonly inputSchema: JsonObject
}

/** A message of a request. `tool` messages contain the results of the calls in the assistant message before them. */
export type PromptMessage =
  | {
      readonly role: 'user'
      /** Never empty. */
      readonly content: readonly PromptUserPart[]
    }
  | {
      readonly role: 'assistant'
      /** At least one text or call; never reasoning alone. */
      readonly content: readonly PromptAssistantPart[]
    }
  | {
      readonly role: 'tool'
      /** One result for each call of the message before it, in call order. */
      readonly content: readonly PromptToolResult[]
    }

/** A part of a user message. */
export type PromptUserPart =
  | {
      readonly type: 'text'
      /** Not blank, without lone surrogates. */
      readonly text: string
    }
  | {
      readonly type: 'file'
      /** The media type, such as `image/png`. */
      readonly mediaType: string
      /** The content in base64, or a data URL. */
      readonly data: string
      /** The file name; absent if the user's file has none. */
      readonly filename?: string
      /** @internal The content is to be read from the store. No adapter gets it. */
      readonly upload?: string
    }

/** A part of an assistant message. */
export type PromptAssistantPart =
  | {
      readonly type: 'text'
      /** Without lone surrogates. Blank only if `providerOptions` is set. */
      readonly text: string
      /** The `providerMetadata` of this text. Must be sent back unchanged. */
      readonly providerOptions?: Metadata
    }
  | {
      readonly type: 'reasoning'
      /** Without lone surrogates. Blank only if `providerOptions` is set. */
      readonly text: string
      /** The `providerMetadata` of this reasoning, such as a signature. Must be sent back unchanged. */
      readonly providerOptions?: Metadata
    }
  | {
      readonly type: 'tool-call'
      /** Unique in the session. Not always the id that the model sent. */
      readonly toolCallId: string
      /** The name that the model wrote, or the offered name to which the turn corrected it. */
      readonly toolName: string
      /** The parsed arguments; `{}` if the model's text was not one JSON object. */
      readonly input: JsonValue
      /** The `providerMetadata` of this call. Must be sent back unchanged. */
      readonly providerOptions?: Metadata
    }

/** The result of one call. */
export interface PromptToolResult {
  readonly type: 'tool-result'
  /** The id of the call. */
  readonly toolCallId: string
  /** The tool name of the call. */
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
  /** The system text. An empty string if there is none. */
  readonly system: string
  /** The conversation, oldest first. It never ends with an assistant message. */
  readonly messages: readonly PromptMessage[]
  /** The tools on offer. If empty, an adapter must leave the field out of its request. */
  readonly tools: readonly ModelTool[]
  /** Which tools the model may call. */
  readonly toolChoice: ToolChoice
  /** The answer must be one JSON object. Absent: the answer is text. */
  readonly responseFormat?: ResponseFormat
  /** Set only for an agent on a server (`provider="ag-ui"`), which keeps a record of its own. */
  readonly conversation?: {
    /** The same in all requests of a conversation: the id of its session. */
    readonly id: string
    /** The state that page and agent share, at most 256 KB as JSON. Absent until one of them has set it. */
    readonly state?: JsonValue
  }
}

/** The schema of an answer in JSON. */
export type ResponseFormat = {
  /** A name for the schema, which some APIs require. */
  readonly name: string
  /** JSON Schema of the answer; the root is an object. */
  readonly schema: JsonObject
  /** The schema is in the subset that OpenAI enforces: every property required, no other properties. */
  readonly strict: boolean
}

/** Why the model stopped. `length`: output limit reached; `other`: a reason that is not in this list. */
export type FinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other'

/** Token counts of one model call, as far as they are reported. */
export interface ModelUsage {
  /** Tokens of the request. `cacheRead`, `cacheWrite`: those read from the provider's cache and written to it. */
  readonly inputTokens?: { readonly total?: number; readonly cacheRead?: number; readonly cacheWrite?: number }
  /** Tokens of the answer. `reasoning`: those of the reasoning. */
  readonly outputTokens?: { readonly total?: number; readonly reasoning?: number }
}

/**
 * A part of a streamed answer. The last part must be `finish`: a stream that ends without it counts as `stream-cut`.
 * `providerMetadata` is stored with its text, reasoning or call and sent back unchanged.
 */
export type ModelPart =
  /** Identifies the answer. It is not stored, and it does not count as the first part of the answer. */
  | {
      readonly type: 'response-metadata'
      /** The provider's id of the answer. */
      readonly id?: string
      /** The model that answers, in the provider's words. */
      readonly modelId?: string
      /** The name of the model in the request, if the adapter has chosen one of several. Stored with the message. */
      readonly model?: string
    }
  /**
   * The model is still at work, though it has nothing to show: a comment of the server, a ping, an empty event. It only
   * restarts the time limits `firstPart` and `betweenParts`. It is not stored, and the answer does not begin with it.
   */
  | {
      readonly type: 'alive'
    }
  /** A text begins. */
  | {
      readonly type: 'text-start'
      /** The same in all parts of one text. Different for each text of the answer. */
      readonly id: string
      /** Fields of later parts with the same `id` replace those of earlier ones. */
      readonly providerMetadata?: Metadata
    }
  /** More of the text. It may come without a `text-start`. */
  | {
      readonly type: 'text-delta'
      /** The `id` of the text. */
      readonly id: string
      /** Text to append. Empty is allowed: it shows that the model is still at work. */
      readonly delta: string
      /** As in `text-start`. */
      readonly providerMetadata?: Metadata
    }
  /** The text is complete. A second one of the same text is allowed. */
  | {
      readonly type: 'text-end'
      /** The `id` of the text. */
      readonly id: string
      /** The whole text. It replaces the deltas, for a server that sends the whole once more and lost one of them. */
      readonly text?: string
      /** As in `text-start`. */
      readonly providerMetadata?: Metadata
    }
  /** A block of reasoning begins. */
  | {
      readonly type: 'reasoning-start'
      /** The same in all parts of one block. Different for each reasoning block of the answer. */
      readonly id: string
      /** Fields of later parts with the same `id` replace those of earlier ones. */
      readonly providerMetadata?: Metadata
    }
  /** More of the reasoning. It may come without a `reasoning-start`. */
  | {
      readonly type: 'reasoning-delta'
      /** The `id` of the block. */
      readonly id: string
      /** Reasoning to append. Empty if `providerMetadata` carries it. */
      readonly delta: string
      /** As in `reasoning-start`. */
      readonly providerMetadata?: Metadata
    }
  /** The reasoning is complete. */
  | {
      readonly type: 'reasoning-end'
      /** The `id` of the block. */
      readonly id: string
      /** As in `text-end`. */
      readonly text?: string
      /** As in `reasoning-start`. */
      readonly providerMetadata?: Metadata
    }
  /** The model begins to write a call. For display only: `tool-call` must follow. */
  | {
      readonly type: 'tool-input-start'
      /** Must be the `toolCallId` of the later `tool-call`; otherwise the call is displayed twice. */
      readonly id: string
      /** The part of the name that is known so far. Only the name in `tool-call` decides which tool runs. */
      readonly toolName: string
    }
  /** More argument text, for display only. */
  | {
      readonly type: 'tool-input-delta'
      /** The `id` of the `tool-input-start`. */
      readonly id: string
      /** A piece of the argument text. It may end anywhere. */
      readonly delta: string
    }
  /** The argument text is complete, for display only. */
  | {
      readonly type: 'tool-input-end'
      /** The `id` of the `tool-input-start`. */
      readonly id: string
    }
  /** A complete call. It must be yielded exactly once. */
  | {
      readonly type: 'tool-call'
      /** The model's id. If it is empty or the session already uses it, the turn assigns another id. */
      readonly toolCallId: string
      /** As the model wrote it. The turn corrects the case, a prefix such as `functions.` and residue of a template. */
      readonly toolName: string
      /** The complete argument text, not parsed. May be empty or not JSON. */
      readonly input: string
      /** Stored with the call, such as a thought signature. */
      readonly providerMetadata?: Metadata
    }
  /** The server has run a call of this answer itself. Comes after its `tool-call`: no page may run that call. */
  | {
      readonly type: 'tool-result'
      /** The `toolCallId` of the call. */
      readonly toolCallId: string
      /** As it is stored. `elsewhere` must be set. */
      readonly result: ToolResult
    }
  /** The state that page and agent share is now this. */
  | {
      readonly type: 'state'
      /** The whole state, at most 256 KB as JSON. */
      readonly state: JsonValue
    }
  /** The answer is complete. Must be the last part. */
  | {
      readonly type: 'finish'
      /** Calls run only if `unified` is `stop` or `tool-calls`. `raw`: the provider's own word, for debugging. */
      readonly finishReason: { readonly unified: FinishReason; readonly raw?: string }
      /** Absent if the endpoint reports no counts. */
      readonly usage?: ModelUsage
      /** Not stored, because it belongs to no part of the message. */
      readonly providerMetadata?: Metadata
    }

/** Whether the answer has begun with this part. After it, the same request must not be sent again. */
export function beginsAnswer({ type }: ModelPart): boolean {
  return type !== 'response-metadata' && type !== 'alive'
}

/** A model. */
export interface ModelAdapter {
  /**
   * The adapter follows `ModelRequest.responseFormat`. Without it, a turn with the option `output` uses a final tool.
   * @default false
   */
  readonly supportsResponseFormat?: boolean
  /**
   * The adapter starts runs of an agent that a server owns: nothing is sent again, resumed or shortened.
   * @default false
   */
  readonly ownsRuns?: boolean
  /**
   * Streams one answer. Must end with a `finish` part, or throw a `ToolAgentError` with one of the model codes. Its
   * `details` may contain `status`, `retryAfter` (milliseconds) and `retry` (boolean). The adapter must not retry: the
   * turn does. Aborting `signal` must end the iteration immediately.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>
}

// The protocols of model endpoints, as the option `provider` names them. Each one is a folder of `host/models/` whose
// `index.ts` exports `provider`. With a new name here, the type check asks for its entries in the type `Provider`
// (`page/options.ts`), `page/client/spawn.ts` and `host/models/provider-imports.ts`.

/** Their names. Requests of these protocols have no effect on their servers. */
export const providerNames = ['openai', 'openai-responses', 'anthropic', 'google'] as const

/** One of the names. */
export type ProviderName = (typeof providerNames)[number] | typeof agentProvider

/** The provider for an agent on a server. A request starts a run, which has effects there. */
export const agentProvider = 'ag-ui'

/** Whether a request starts a run that a server owns: see decision 0030. */
export const ownsRuns = ({ provider }: { readonly provider?: string }): boolean => provider === agentProvider
