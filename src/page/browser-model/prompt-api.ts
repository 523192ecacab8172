// The part of the browser's Prompt API that the browser model uses. TypeScript's own library does not have it yet. Names
// are those of Chrome 148; the older names of extensions are optional.
import { errorMessage, ToolAgentError } from '../../core/data/errors.js'

/** One piece of a message: text, or an image as a blob. */
export interface LanguageModelContent {
  readonly type: 'text' | 'image'
  readonly value: string | Blob
}

/** A message of the conversation. */
export interface LanguageModelMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string | readonly LanguageModelContent[]
}

/** What a session must be able to read and write. */
export interface LanguageModelExpected {
  readonly type: 'text' | 'image'
  readonly languages?: readonly string[]
}

/** What `availability` and `create` are asked for. */
export interface LanguageModelNeeds {
  readonly expectedInputs: readonly LanguageModelExpected[]
  readonly expectedOutputs: readonly LanguageModelExpected[]
}

/** A conversation with the model. It keeps what it was sent and what it answered. */
export interface LanguageModelSession extends EventTarget {
  promptStreaming(
    input: readonly LanguageModelMessage[],
    options?: { readonly signal?: AbortSignal },
  ): ReadableStream<unknown>
  measureContextUsage?(
    input: readonly LanguageModelMessage[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<number>
  measureInputUsage?: LanguageModelSession['measureContextUsage']
  readonly contextUsage?: number
  readonly inputUsage?: number
  readonly contextWindow?: number
  readonly inputQuota?: number
  destroy(): void
}

/** The global `LanguageModel`. */
export interface LanguageModelApi {
  availability(needs: LanguageModelNeeds): Promise<'unavailable' | 'downloadable' | 'downloading' | 'available'>
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
      : 'This browser has no built-in language model. Use a browser with the Prompt API, such as Chrome 148 or newer on a desktop computer.',
    { details: { browserModel: 'missing' } },
  )
}

/** The error for a device on which the browser cannot run its model. */
export function unavailableModel(): ToolAgentError {
  return new ToolAgentError(
    'unavailable',
    'The built-in language model of this browser cannot run on this device. It needs about 22 GB of free storage, and 16 GB of memory or a graphics card with 4 GB.',
    { details: { browserModel: 'unavailable' } },
  )
}

/** The error for a conversation that is longer than the context window. Counts are tokens. */
export function contextOverflow(requested: unknown, available: unknown, cause?: unknown): ToolAgentError {
  return new ToolAgentError(
    'context-overflow',
    `The request is longer than the context window of the built-in model: ${String(requested ?? 'too many')} tokens, ${String(available ?? 'fewer')} are left`,
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
        `The browser did not start its built-in model: ${errorMessage(thrown)}. If it has to be downloaded, send the message again, because a download needs a click or a key press. A frame of another origin needs allow="language-model".`,
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
