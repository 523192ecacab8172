// The one error class and the closed list of codes. An error has one of three destinations: the model (as a tool
// result), the user (a model or storage error), the programmer (thrown at once).
import { dropUndefined, type JsonValue } from './json.js'

export const modelCodes = [
  'network',
  'offline',
  'unauthorized',
  'not-found',
  'rate-limited',
  'server',
  'bad-request',
  'bad-response',
  'context-overflow',
  'model-timeout',
  'stream-cut',
] as const
export const toolCodes = [
  'unknown-tool',
  'format-error',
  'invalid-input',
  'execution-failed',
  'not-serializable',
  'timeout',
  'denied',
  'refused',
  'superseded',
  'cancelled',
  'interrupted',
  'limit',
  'unavailable',
  'invalid-context',
  'stale-ref',
  'sensitive-field',
] as const
export const sessionCodes = ['storage', 'lost-session', 'session-deleted', 'host-lost'] as const
export const programmerCodes = [
  'duplicate-tool',
  'invalid-tool',
  'invalid-option',
  'no-endpoint',
  'open-calls',
  'closed',
] as const

export type ErrorCode =
  | (typeof modelCodes)[number]
  | (typeof toolCodes)[number]
  | (typeof sessionCodes)[number]
  | (typeof programmerCodes)[number]

/** An error as data: what crosses the port, stands in a result, or is stored. */
export interface Failure {
  readonly code: ErrorCode
  readonly message: string
  readonly details?: JsonValue
}

/** The error of this package: a code from a closed list and a message that says what to do. */
export class ToolAgentError extends Error {
  override readonly name = 'ToolAgentError'
  readonly code: ErrorCode
  readonly details?: JsonValue
  /** The `TurnResult` so far, where `send` rejects because its turn ended by an error. */
  turn?: unknown

  /** A file that is loaded on its own, such as a provider's, has a copy of this class: an error of any copy is one. */
  static override [Symbol.hasInstance](thrown: unknown): boolean {
    return thrown instanceof Error && thrown.name === 'ToolAgentError'
  }

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; details?: JsonValue | undefined } = {}) {
    super(message, options)
    this.code = code
    if (options.details !== undefined) this.details = options.details
  }
}

/** The message of whatever was thrown; an error without one gives its class name. */
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

/** Whatever was thrown as data, with `code` for what is not ours. */
export function toFailure(thrown: unknown, code: ErrorCode): Failure {
  if (thrown instanceof ToolAgentError) {
    return dropUndefined({ code: thrown.code, message: thrown.message, details: thrown.details })
  }
  return { code, message: errorMessage(thrown) }
}

/** Data back to an error, on the side that throws it. */
export function toErrorValue(failure: Failure, cause?: unknown): ToolAgentError {
  return new ToolAgentError(failure.code, failure.message, dropUndefined({ cause, details: failure.details }))
}
