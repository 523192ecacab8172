// Errors that the page's own code throws around a call: logged for the developer, passed to the page's error handler,
// and shown to the model as `exposeErrors` allows. The thrown object itself never leaves the page.
import { toErrorValue, toFailure, errorMessage, ToolAgentError, type Failure } from '../../core/data/errors.js'
import type { ToolCall } from '../../core/data/message.js'
import { turnContext, type Session } from '../../core/data/session.js'
import { mergeContextLayers } from '../context-layers.js'
import * as log from '../log.js'
import type { AgentOptions, ErrorHandler } from '../options.js'

/** What the errors of calls need from their agent. */
export interface ToolErrorDeps {
  /** The newest options; read again at each use, because they may change between two calls. */
  options(): AgentOptions
  session(): Session
  /** `shared`: the map that the tools of a turn share. */
  send(turn: string): { readonly shared: Map<string, unknown> }
  /** Reports to the programmer. `isLogged`: the console has shown the error already. */
  report(failure: Failure, isLogged?: boolean): void
  /** Keeps what the page threw: if the turn ends with this failure, `thrown` is the `cause` of the rejection. */
  threw(failure: Failure, thrown: unknown): void
}

/**
 * Logs what was thrown, unless `logErrors` is false. A `ToolAgentError` is not logged, because a tool throws one on
 * purpose to choose the code of its result. Returns whether it was logged.
 */
export function logThrown({ options }: ToolErrorDeps, call: ToolCall, thrown: unknown): boolean {
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
 * Logs what was thrown, and returns its message if `exposeErrors` shows it to the model, else undefined. An error that
 * is hidden from the model is reported.
 */
export function exposedMessage(
  deps: ToolErrorDeps,
  failure: Failure,
  thrown: unknown,
  call: ToolCall,
): string | undefined {
  const isLogged = logThrown(deps, call, thrown)
  const { exposeErrors = 'message' } = deps.options()
  if (exposeErrors === 'message') return failure.message
  deps.report(failure, isLogged)
  if (exposeErrors === 'generic') return undefined
  try {
    return String(exposeErrors(thrown, call))
  } catch (wrong) {
    deps.report(toFailure(wrong, 'execution-failed'))
    return undefined
  }
}

/** The failure of a call that the page refused by throwing. `why` is a sentence without its full stop. */
export function refusalFrom(deps: ToolErrorDeps, why: string, thrown: unknown, call: ToolCall): Failure {
  const message = exposedMessage(deps, { code: 'refused', message: errorMessage(thrown) }, thrown, call)
  return { code: 'refused', message: message === undefined ? `${why}.` : `${why}: ${message}` }
}

/**
 * Passes a failed call to the page's handler. A string that it returns replaces the text for the model. If it throws,
 * the turn ends with that error (`fatal`).
 */
export async function handleToolError(
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
