// The error class of the package and the closed list of codes. An error has one of three destinations: the model (as a
// tool result), the user (model and session errors) or the programmer (thrown immediately).
import { dropUndefined, type JsonValue } from './json.js'

/** Codes of failed model calls. They end the turn with the reason `error`, and are reported to the user. */
export const modelCodes = [
  /** The request did not reach the endpoint, or the connection broke. */
  'network',
  /** The device reports no network connection. The step waits until it is back. */
  'offline',
  /** The endpoint rejected the credentials (401, 403). */
  'unauthorized',
  /** The endpoint or the model does not exist (404). */
  'not-found',
  /** The endpoint received too many requests (429). `details.retryAfter`: milliseconds to wait. */
  'rate-limited',
  /** The endpoint failed (5xx). */
  'server',
  /** The endpoint rejected the request for another reason (4xx). */
  'bad-request',
  /** The answer does not follow the protocol, or is larger than a limit. */
  'bad-response',
  /** The request is longer than the context window of the model. It is compacted and sent once more. */
  'context-overflow',
  /** No part arrived within `limits.firstPart` or `limits.betweenParts`. */
  'model-timeout',
  /** The stream ended before the answer was complete. */
  'stream-cut',
] as const

/** Codes of failed calls. The model reads them in the tool result, and the turn continues unless noted. */
export const toolCodes = [
  /** The request did not offer a tool of this name. `details.nearest`: similar names. */
  'unknown-tool',
  /** The arguments are not one JSON object. */
  'format-error',
  /** The arguments do not match the tool's schema. `details`: the issues. */
  'invalid-input',
  /** The tool's function threw. */
  'execution-failed',
  /** The tool returned a value that JSON cannot hold, or too much of it. */
  'not-serializable',
  /** The tool did not finish within its time limit. It may still have happened. */
  'timeout',
  /** The user denied the call. */
  'denied',
  /** The approval policy, a hook of the page or the tool choice rejected the call. */
  'refused',
  /** The user sent another message instead of deciding on the call. The turn ends. */
  'superseded',
  /** The user or the page stopped the call. It may have happened if it had started. */
  'cancelled',
  /** The page was closed, or another tab took the session, before the result arrived. */
  'interrupted',
  /** The call exceeds a limit of the turn. The turn ends. `details.reason`: the reason of the end. */
  'limit',
  /** The tool was offered but is no longer registered, or its definition changed. */
  'unavailable',
  /** The tool context does not match the tool's `contextSchema`. */
  'invalid-context',
  /** The element that the model refers to is no longer in the page. */
  'stale-ref',
  /** The field may hold a secret, so page tools must not read or fill it. */
  'sensitive-field',
] as const

/** Codes of storage and host errors. They are reported to the user. */
export const sessionCodes = [
  /** The database rejected a read or a write. */
  'storage',
  /** Another tab took over the session, so this host must not write to it. */
  'lost-session',
  /** The session was deleted while it was open. */
  'session-deleted',
  /** The worker died or stopped answering. */
  'host-lost',
] as const

/** Codes of wrong use of the API. They are thrown to the caller. */
export const programmerCodes = [
  /** A tool of this name is already registered. */
  'duplicate-tool',
  /** The tool definition is not valid. */
  'invalid-tool',
  /** An option or argument is not valid. */
  'invalid-option',
  /** No model and no endpoint is configured. */
  'no-endpoint',
  /** The session has open calls, so the operation is not possible. */
  'open-calls',
  /** The agent is closed, or has no open session. */
  'closed',
] as const

/** Why something failed. See the lists of codes for the meaning of each code. */
export type ErrorCode =
  | (typeof modelCodes)[number]
  | (typeof toolCodes)[number]
  | (typeof sessionCodes)[number]
  | (typeof programmerCodes)[number]

/** An error as data: the form in which errors cross the port, are part of a result, and are stored. */
export interface Failure {
  readonly code: ErrorCode
  /** What went wrong, in English, and what to do. */
  readonly message: string
  /** Data about the error. Its form depends on `code`. */
  readonly details?: JsonValue
}

/** The error of this package. Check `code`; messages may change. */
export class ToolAgentError extends Error {
  override readonly name = 'ToolAgentError'
  readonly code: ErrorCode
  /** Data about the error. Its form depends on `code`. */
  readonly details?: JsonValue
  /** The `TurnResult` so far, if `send` rejects because its turn ended with an error. */
  turn?: unknown

  /** Separately loaded files have their own copy of this class. `instanceof` accepts an error of any copy. */
  static override [Symbol.hasInstance](thrown: unknown): boolean {
    return thrown instanceof Error && thrown.name === 'ToolAgentError'
  }

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; details?: JsonValue | undefined } = {}) {
    super(message, options)
    this.code = code
    if (options.details !== undefined) this.details = options.details
  }
}

/** The message of any thrown value. An error without a message gives its class name. Never throws. */
export function errorMessage(thrown: unknown): string {
  try {
    if (thrown instanceof Error)
      return thrown.message || (thrown.name === 'Error' ? thrown.constructor.name : thrown.name)
    if (typeof thrown === 'string') return thrown || 'Error'
    if (typeof thrown === 'object' && thrown !== null) {
      const { message } = thrown as { message?: unknown }
      if (typeof message === 'string' && message !== '') return message
      return JSON.stringify(thrown) ?? 'Error'
    }
    return String(thrown)
  } catch {
    return 'Error'
  }
}

/** Any thrown value as data. `code`: used for values that are not a `ToolAgentError`. */
export function toFailure(thrown: unknown, code: ErrorCode): Failure {
  if (thrown instanceof ToolAgentError) {
    return dropUndefined({ code: thrown.code, message: thrown.message, details: thrown.details })
  }
  return { code, message: errorMessage(thrown) }
}

/** The `ToolAgentError` of a failure, on the side that throws it. */
export function toErrorValue(failure: Failure, cause?: unknown): ToolAgentError {
  return new ToolAgentError(failure.code, failure.message, dropUndefined({ cause, details: failure.details }))
}
