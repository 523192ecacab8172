// The one error class. An error has one of three destinations: the model (as a tool
// result), the user (a model or storage error), the programmer (thrown at once).
import type { ErrorCode, Failure } from './failure.js'
import { dropUndefined, type JsonValue } from './json.js'
import type { TurnResult } from './turn-result.js'

export type { ErrorCode, Failure }

/** The error of this package: a code from a closed list and a message that says what to do. */
export class ToolAgentError extends Error {
  override readonly name = 'ToolAgentError'
  readonly code: ErrorCode
  readonly details?: JsonValue
  /** The result so far, if `send` rejects because its turn ended with an error. */
  turn?: TurnResult

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
