// The part of the browser's Prompt API that the browser model uses. TypeScript's own library does not have it yet.
// Names are those of Chrome 148; the older names of extensions are optional.
import { errorMessage, ToolAgentError } from '../../core/data/errors.js'

/** One piece of a message: text, or an image as a blob. */
export interface LanguageModelContent {
  /** What the value is. */
  readonly type: 'text' | 'image'
  /** A text, or the bytes of an image. */
  readonly value: string | Blob
}

/** A message of the conversation. */
export interface LanguageModelMessage {
  /** `system` only as the first message. */
  readonly role: 'system' | 'user' | 'assistant'
  /** A text, or pieces. Messages of the assistant are texts. */
  readonly content: string | readonly LanguageModelContent[]
}

/** What a session must be able to read and write. */
export interface LanguageModelExpected {
  /** The kind of content. */
  readonly type: 'text' | 'image'
  /** Language tags. Without them any language may be refused later. */
  readonly languages?: readonly string[]
}

/** What `availability` and `create` are asked for. */
export interface LanguageModelNeeds {
  /** What is sent. */
  readonly expectedInputs: readonly LanguageModelExpected[]
  /** What the model writes. */
  readonly expectedOutputs: readonly LanguageModelExpected[]
}

/** A conversation with the model. It keeps what it was sent and what it answered. */
export interface LanguageModelSession extends EventTarget {
  /** Adds messages, and streams the answer as strings. */
  promptStreaming(
    input: readonly LanguageModelMessage[],
    options?: { readonly signal?: AbortSignal },
  ): ReadableStream<unknown>
  /** The tokens of these messages. */
  measureContextUsage?(
    input: readonly LanguageModelMessage[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<number>
  /** The older name of `measureContextUsage`. */
  measureInputUsage?: LanguageModelSession['measureContextUsage']
  /** Tokens that the session contains. */
  readonly contextUsage?: number
  /** The older name of `contextUsage`. */
  readonly inputUsage?: number
  /** Tokens that the session can contain. */
  readonly contextWindow?: number
  /** The older name of `contextWindow`. */
  readonly inputQuota?: number
  /** Frees its memory. */
  destroy(): void
}

/** The global `LanguageModel`. */
export interface LanguageModelApi {
  /** Whether the device can run the model, and whether it has to be downloaded. */
  availability(needs: LanguageModelNeeds): Promise<'unavailable' | 'downloadable' | 'downloading' | 'available'>
  /** Downloads the model if necessary, and creates a session with these messages. Aborting the signal destroys it. */
  create(
    options: LanguageModelNeeds & {
      readonly initialPrompts: readonly LanguageModelMessage[]
      readonly signal: AbortSignal
      readonly monitor?: (monitor: EventTarget) => void
    },
  ): Promise<LanguageModelSession>
}

/** The browser's model. @throws `unavailable` if the browser has none */
export function languageModelApi(): LanguageModelApi {
  const { LanguageModel } = globalThis as { LanguageModel?: LanguageModelApi }
  if (typeof LanguageModel?.create === 'function') return LanguageModel
  const isInsecure = globalThis.isSecureContext === false
  throw new ToolAgentError(
    'unavailable',
    isInsecure
      ? 'The built-in language model of the browser works only on pages that are loaded over https.'
      : 'This browser has no built-in language model. Use a browser with the Prompt API, such as Chrome 148 or newer ' +
          'on a desktop computer.',
    { details: { browserModel: 'missing' } },
  )
}

/** The error for a device on which the browser cannot run its model. */
export function unavailableModel(): ToolAgentError {
  return new ToolAgentError(
    'unavailable',
    'The built-in language model of this browser cannot run on this device. It needs about 22 GB of free storage, ' +
      'and 16 GB of memory or a graphics card with 4 GB.',
    { details: { browserModel: 'unavailable' } },
  )
}

/** The error for a conversation that is longer than the context window. Counts are tokens. */
export function contextOverflow(requested: unknown, available: unknown, cause?: unknown): ToolAgentError {
  return new ToolAgentError(
    'context-overflow',
    `The request is longer than the context window of the built-in model: ${String(requested ?? 'too many')} tokens, ` +
      `${String(available ?? 'fewer')} are left`,
    { cause },
  )
}

/** An error of the Prompt API with a code of a model call. */
export function toModelError(thrown: unknown): unknown {
  if (thrown instanceof ToolAgentError || !(thrown instanceof Error)) return thrown
  const message = `The built-in model failed: ${errorMessage(thrown)}`
  const { requested, contextWindow, quota } = thrown as { requested?: number; contextWindow?: number; quota?: number }
  switch (thrown.name) {
    case 'QuotaExceededError':
      return contextOverflow(requested, contextWindow ?? quota, thrown)
    case 'NetworkError':
      return new ToolAgentError('network', `The built-in model cannot be downloaded: ${errorMessage(thrown)}`, {
        cause: thrown,
        details: { retry: false },
      })
    case 'NotAllowedError':
    case 'SecurityError':
      return new ToolAgentError(
        'unavailable',
        `The browser did not start its built-in model: ${errorMessage(thrown)}. If it has to be downloaded, send the ` +
          'message again, because a download needs a click or a key press. A frame of another origin needs ' +
          'allow="language-model".',
        { cause: thrown, details: { browserModel: 'refused' } },
      )
    case 'NotSupportedError':
    case 'SyntaxError':
    case 'TypeError':
    case 'EncodingError':
      return new ToolAgentError('bad-request', message, { cause: thrown })
    default:
      return new ToolAgentError('server', message, { cause: thrown })
  }
}
