// Errors as plain data, and the closed list of their codes. The error class is in errors.ts, not here, because
// it refers to the result of a turn. A result contains failures, so one file would need a circular import.
import type { JsonValue } from './json.js'

/**
 * What went wrong. The list is closed, and code may branch on it; messages are for people and may change.
 *
 * A model call failed: reported to the user.
 * - `network`: the endpoint cannot be reached
 * - `offline`: the browser reports no connection
 * - `unauthorized`: status 401 or 403
 * - `not-found`: status 404, of the endpoint or of the model
 * - `rate-limited`: status 429
 * - `server`: status 5xx
 * - `bad-request`: another status of 4xx
 * - `bad-response`: the answer does not follow the protocol
 * - `stream-cut`: the answer ended early
 * - `context-overflow`: the request is longer than the model can read
 * - `request-too-large`: the files of the request have more bytes than the endpoint accepts
 * - `model-timeout`: no data within the time limit
 * - `unavailable`: the built-in model of the browser is missing, cannot run on this device, or was refused; or a file
 *   of the package is missing, blocked or of another version, as `details.load` says
 *
 * A tool call failed: reported to the model as the result of the call.
 * - `unknown-tool`: the request did not offer the tool
 * - `format-error`: the arguments are not JSON
 * - `invalid-input`: the arguments do not match the schema
 * - `execution-failed`: the tool threw
 * - `not-serializable`: the output of the tool is not JSON
 * - `timeout`: the tool took too long
 * - `denied`: the user denied the call
 * - `needs-approval`: the action was stopped before an effect that the user must be asked about
 * - `refused`: the page refused the call
 * - `superseded`: the user sent a message instead of deciding on the call
 * - `cancelled`: the turn was stopped
 * - `interrupted`: the page was closed or reloaded during the call
 * - `limit`: a limit of the turn was reached
 * - `unavailable`: the tool was unregistered or changed, or its code could not be loaded
 * - `invalid-context`: the tool context does not match the `contextSchema` of the tool
 * - `stale-ref`: the element is no longer on the page
 * - `sensitive-field`: page tools must not use this field
 *
 * The session is affected: reported to the user.
 * - `storage`: the session cannot be read or written
 * - `session-deleted`: the session was deleted
 * - `lost-session`: another tab or device has the session, or has deleted it
 * - `host-lost`: the worker stopped responding or cannot be started
 *
 * The program is wrong: thrown to the caller.
 * - `duplicate-tool`: the name of the tool is in use
 * - `invalid-tool`: the definition of the tool is wrong. A wrong schema may be reported later, when the agent connects
 * - `invalid-option`: the value does not fit the option
 * - `no-endpoint`: no model is configured: neither `endpoint` nor `modelAdapter` is set
 * - `open-calls`: `next()` of a stepped turn was called while a call is open
 * - `not-open`: the agent has not opened a session yet
 * - `closed`: the agent was closed and cannot be used again
 */
export type ErrorCode =
  | 'network'
  | 'offline'
  | 'unauthorized'
  | 'not-found'
  | 'rate-limited'
  | 'server'
  | 'bad-request'
  | 'bad-response'
  | 'context-overflow'
  | 'request-too-large'
  | 'model-timeout'
  | 'stream-cut'
  | 'unknown-tool'
  | 'format-error'
  | 'invalid-input'
  | 'execution-failed'
  | 'not-serializable'
  | 'timeout'
  | 'denied'
  | 'needs-approval'
  | 'refused'
  | 'superseded'
  | 'cancelled'
  | 'interrupted'
  | 'limit'
  | 'unavailable'
  | 'invalid-context'
  | 'stale-ref'
  | 'sensitive-field'
  | 'storage'
  | 'lost-session'
  | 'session-deleted'
  | 'host-lost'
  | 'duplicate-tool'
  | 'invalid-tool'
  | 'invalid-option'
  | 'no-endpoint'
  | 'open-calls'
  | 'not-open'
  | 'closed'

/** An error as data: it crosses the port, is part of a tool result, and is stored. */
export interface Failure {
  /** What kind of error it is. Code may branch on it. */
  readonly code: ErrorCode
  /** What went wrong and what to do about it. For people; may change between versions. */
  readonly message: string
  /** More about the error as data, such as the issues of a validation. */
  readonly details?: JsonValue
}
