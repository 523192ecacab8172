// The error class of the package. An error has one of three destinations: the model (as a tool result), the user (model
// and session errors) or the programmer (thrown immediately). The codes are in failure.ts.
import type { ErrorCode, Failure } from './failure.js'
import { dropUndefined, type JsonValue } from './json.js'
import type { TurnResult } from './turn-result.js'

export type { ErrorCode, Failure }

/** The error of this package. Check `code`; messages may change. */
export class ToolAgentError extends Error {
  /** The name of the class, by which `instanceof` knows an error of another file. */
  override readonly name = 'ToolAgentError'
  // Fields with `declare` generate no code. The constructor sets the first two; the end of a turn sets `turn`.
  /** The stable reason. Code may branch on it; `ErrorCode` lists all codes and who receives each of them. */
  declare readonly code: ErrorCode
  /** Data about the error. Its form depends on `code`. */
  declare readonly details?: JsonValue
  /** The result so far, if `send` rejects because its turn ended with an error. */
  declare turn?: TurnResult

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
