// Failures of calls that several answers give, and errors that the page's own code throws around a call: logged for the
// developer, passed to the page's error handler, and shown to the model as `exposeErrors` allows. The thrown object
// itself never leaves the page.
import { toErrorValue, toFailure, errorMessage, ToolAgentError, type Failure } from '../../core/data/errors.js'
import { dropUndefined } from '../../core/data/json.js'
import type { ToolCall } from '../../core/data/message.js'
import type { CheckCall, Verdict } from '../../core/data/protocol.js'
import { turnContext } from '../../core/data/session.js'
import { mergeContextLayers } from '../context-layers.js'
import * as log from '../log.js'
import type { ErrorHandler } from '../options.js'
import type { ResultSource, ToolErrorDeps } from './query-deps.js'
import { issuesText, type ValidationIssue } from '../schema/validation-issue.js'

/**
 * Logs what was thrown, unless `logErrors` is false. A `ToolAgentError` is not logged, because a tool throws one on
 * purpose to choose the code of its result. Returns whether it was logged.
 */
function logThrown({ options }: ToolErrorDeps, call: ToolCall, thrown: unknown): boolean {
  const isDeliberate = thrown instanceof ToolAgentError && thrown.code !== 'not-serializable'
  if (options().logErrors === false || isDeliberate) return false
  log.logThrownError(`Tool "${call.name}" failed in call ${call.id}: ${stackOf(thrown)}`)
  return true
}

/** Strings only: other properties of an error, such as the request that failed, may hold credentials. */
function stackOf(thrown: unknown, depth = 0): string {
  if (!(thrown instanceof Error)) return typeof thrown === 'string' ? thrown : `${typeof thrown}, not an Error`
  // The stack of our own error points into this package.
  if (thrown instanceof ToolAgentError) return `${thrown.code}: ${thrown.message}`
  const { name, message, stack = '', cause } = thrown
  // Only Chromium's stacks begin with the message.
  const text = stack.startsWith(name) && stack.includes(message) ? stack : `${name}: ${message}\n${stack}`
  return cause instanceof Error && depth < 3 ? `${text}\nCaused by: ${stackOf(cause, depth + 1)}` : text
}

/**
 * Logs what was thrown, and returns whether `exposeErrors` shows its message to the model. An error that is hidden from
 * the model is reported.
 */
function isExposed(deps: ToolErrorDeps, failure: Failure, thrown: unknown, call: ToolCall): boolean {
  const isLogged = logThrown(deps, call, thrown)
  const isShown = deps.options().exposeErrors !== 'generic'
  if (!isShown) deps.report(failure, isLogged)
  return isShown
}

/** The failure of a call that the page refused by throwing. `why` is a sentence without its full stop. */
export function refusalFrom(deps: ToolErrorDeps, why: string, thrown: unknown, call: ToolCall): Failure {
  const failure: Failure = { code: 'refused', message: errorMessage(thrown) }
  return { ...failure, message: isExposed(deps, failure, thrown, call) ? `${why}: ${failure.message}` : `${why}.` }
}

/** The verdict on a call that does not run. */
export type Refusal = Extract<Verdict, { do: 'refuse' }>

/** Why a call is refused, and the page's handler for that kind of failure. */
export interface RefusalReason {
  /** What the model reads, unless the handler returns another text. */
  readonly error: Failure
  /** Undefined where the page cannot word this kind of failure. */
  readonly handler?: ErrorHandler | undefined
  /** What was thrown, passed to the handler as the `cause`. */
  readonly thrown?: unknown
}

/** Refuses a call, with the text that the page's handler gives for the model. */
export async function refuseCall(
  deps: ToolErrorDeps,
  { callId, name, input, raw }: CheckCall,
  { error, handler, thrown }: RefusalReason,
): Promise<Refusal> {
  const call = dropUndefined({ id: callId, name, input, raw })
  return { callId, do: 'refuse', error, ...(await handleToolError(deps, error, call, handler, thrown)) }
}

/** A call that failed after its tool was called. */
export interface FailedCall {
  /** With its original message, which `exposeErrors` may hide from the model. */
  readonly error: Failure
  /** What the tool threw. Never sent to the host. */
  readonly thrown: unknown
  /** With the arguments as they were executed. Passed to `onToolError`. */
  readonly call: ToolCall
  /** Where a result of the tool would be from. */
  readonly source: ResultSource
}

/** What the model reads of a call that failed, but was not cancelled, as `exposeErrors` and `onToolError` allow. */
export async function presentFailure(
  deps: ToolErrorDeps,
  { error: failure, thrown, call, source }: FailedCall,
): Promise<{ error: Failure; text?: string; fatal?: Failure } & Partial<ResultSource>> {
  if (failure.code === 'not-serializable') logThrown(deps, call, thrown)
  // Any other code was chosen by the tool or by this package, so its message is meant for the model.
  const isShown = failure.code !== 'execution-failed' || isExposed(deps, failure, thrown, call)
  const error = isShown ? failure : { code: failure.code, message: 'The tool failed.' }
  // What the tool threw may quote the page. The message of a time-out is ours.
  const isQuoting = source.untrusted && error.code !== 'timeout'
  return {
    error,
    ...(isQuoting ? source : {}),
    ...(await handleToolError(deps, error, call, deps.options().onToolError, thrown)),
  }
}

/**
 * Passes a failed call to the page's handler. A string that it returns replaces the text for the model. If it throws,
 * the turn ends with that error (`fatal`).
 */
async function handleToolError(
  deps: ToolErrorDeps,
  failure: Failure,
  call: ToolCall,
  handler: ErrorHandler | undefined,
  thrown?: unknown,
): Promise<{ text?: string; fatal?: Failure }> {
  if (handler === undefined) return {}
  try {
    const session = deps.session()
    const toolContext = await mergeContextLayers([deps.options().toolContext ?? {}, turnContext(session)], undefined)
    const { shared } = deps.send(session.turn?.id ?? '')
    const text = await handler(toErrorValue(failure, thrown), { call, toolContext, shared })
    return typeof text === 'string' ? { text } : {}
  } catch (wrong) {
    const fatal = toFailure(wrong, failure.code)
    deps.threw(fatal, wrong)
    return { fatal }
  }
}

/** The tool was unregistered or replaced since it was offered. */
export function unavailableTool(name: string): Failure {
  return { code: 'unavailable', message: `The tool '${name}' is no longer available on this page.` }
}

/** The arguments do not match the input schema. `details` lists all issues, the message at most ten. */
export function invalidInput(issues: readonly ValidationIssue[]): Failure {
  return {
    code: 'invalid-input',
    message: `The arguments do not fit the tool. ${issuesText(issues)}`,
    details: issues.map((issue) => ({ ...issue })),
  }
}
