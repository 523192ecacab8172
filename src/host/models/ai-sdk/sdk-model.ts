// The types of the AI SDK that `fromAiSdk` uses, as far as it uses them. They are structural, so that no package of the
// SDK is needed.

/** The options of one call of an AI SDK model, as far as this adapter sets them. */
export interface AiSdkCallOptions {
  /** The messages, with the system text as the first one. */
  readonly prompt: readonly unknown[]
  /** The tools on offer; absent if there are none. */
  readonly tools?: readonly unknown[]
  /** Which tools the model may call; absent without tools. */
  readonly toolChoice?: unknown
  /** The form of the answer; absent for text. */
  readonly responseFormat?: unknown
  /** The stream also has each event as the provider sent it, which shows that the model is still at work. */
  readonly includeRawChunks?: boolean
  /** Ends the request. */
  readonly abortSignal?: AbortSignal
}

/** A language model of the AI SDK: `LanguageModelV3` or `LanguageModelV4` of `@ai-sdk/provider`. */
export interface AiSdkModel {
  /** `v3` or `v4`. */
  readonly specificationVersion: string
  /** The provider's name. Metadata goes back only to the provider that attached it. */
  readonly provider: string
  /** The name of the model, which replaces the option `model`. */
  readonly modelId: string
  /** Streams one answer. */
  doStream(options: AiSdkCallOptions): PromiseLike<{ readonly stream: ReadableStream<unknown> }>
}
