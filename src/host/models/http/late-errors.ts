// Errors whose wording is loaded when they happen (http-errors.ts), because most visits see none of them. The code of a
// protocol is synchronous, so it throws a `LateError`, and `explained` turns it into the error for the turn.
import { ToolAgentError, type ErrorCode } from '../../../core/data/errors.js'
import { dropUndefined, type JsonValue } from '../../../core/data/json.js'
import type { ErrorContext } from './answer-errors.js'
import { bundledHttpErrors } from './bundled-http-errors.js'
import type * as HttpErrors from './http-errors.js'
import { within } from './sse.js'

/** Loads the code that words errors. */
export type LoadHttpErrors = () => Promise<typeof HttpErrors>

/** How long the code may take to load, in milliseconds. The network that failed the request may fail this, too. */
const patience = 2_000

/** An error that is worded later. */
export class LateError extends Error {
  /** The error if the code cannot be loaded. It has the same code as the other one, as far as the status tells. */
  readonly plain: ToolAgentError
  /** Words the error. */
  readonly explain: (errors: typeof HttpErrors) => ToolAgentError

  constructor(plain: ToolAgentError, explain: (errors: typeof HttpErrors) => ToolAgentError) {
    super(plain.message)
    this.plain = plain
    this.explain = explain
  }
}

/** The codes of error statuses; see `classify` in http-errors.ts, which also reads the answer. */
const codes: Readonly<Record<number, ErrorCode>> = {
  401: 'unauthorized',
  402: 'rate-limited',
  403: 'unauthorized',
  404: 'not-found',
  413: 'context-overflow',
  429: 'rate-limited',
}

/** An error by its status alone. */
export function statusError({ url }: ErrorContext, status: number | undefined, problem: string): ToolAgentError {
  const retry = status === undefined || status >= 500 || [408, 425, 429].includes(status)
  const code = codes[status ?? 0] ?? (retry ? 'server' : 'bad-request')
  return new ToolAgentError(code, `${url} ${problem}`, { details: dropUndefined({ status, retry }) })
}

/** The error for an error object in a stream, or in a whole answer with status 200. */
export function streamError(error: JsonValue | undefined, context: ErrorContext): LateError {
  return new LateError(statusError(context, undefined, 'reported an error'), (errors) =>
    errors.streamError(error, context),
  )
}

/**
 * The worded error. Uses `load` where the code is not bundled. Rejects with the reason of the signal when it aborts.
 */
export async function explained(
  error: LateError,
  load: LoadHttpErrors | undefined,
  signal: AbortSignal,
): Promise<ToolAgentError> {
  const errors = await within((bundledHttpErrors ?? load)?.() ?? Promise.resolve(undefined), signal, patience).catch(
    () => undefined, // The error without the wording is reported.
  )
  signal.throwIfAborted()
  return errors ? error.explain(errors) : error.plain
}
