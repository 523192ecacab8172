// What the page's own code throws around a call: shown to the developer, handed to the page's error handler, and told to
// the model as `exposeErrors` allows. The thrown object itself never leaves the page.
import { toErrorValue, toFailure, errorMessage, ToolAgentError, type Failure } from '../../core/data/errors.js'
import type { ToolCall } from '../../core/data/message.js'
import { turnContext, type Session } from '../../core/data/session.js'
import { mergeContextLayers } from '../context-layers.js'
import * as log from '../log.js'
import type { AgentOptions, ErrorHandler } from '../options.js'

/** What the errors of calls need of their agent. */
export interface ToolErrorDeps {
  options(): AgentOptions
  session(): Session
  /** The map that the tools of a turn share. */
  send(turn: string): { readonly shared: Map<string, unknown> }
  /** `isLogged`: the console has shown it. */
  report(failure: Failure, isLogged?: boolean): void
  /** The page threw what ends the turn as `failure`: it becomes the `cause` of the rejection. */
  threw(failure: Failure, thrown: unknown): void
}

/** Logs what was thrown; not an error of ours, which a tool throws to choose the code of its result. */
export function logThrown({ options }: ToolErrorDeps, call: ToolCall, thrown: unknown): boolean {
  const isDeliberate = thrown instanceof ToolAgentError && thrown.code !== 'not-serializable'
  if (options().logErrors === false || isDeliberate) return false
  log.logThrownError(`Tool "${call.name}" failed in call ${call.id}: ${stackOf(thrown)}`)
  return true
}

/** Texts alone: the properties of an error, such as the request that failed, may hold credentials. */
function stackOf(thrown: unknown, depth = 0): string {
  if (!(thrown instanceof Error)) return typeof thrown === 'string' ? thrown : `${typeof thrown}, not an Error`
  if (thrown instanceof ToolAgentError) return `${thrown.code}: ${thrown.message}` // Its stack is ours.
  const { name, message, stack = '', cause } = thrown
  // Only Chromium's stacks begin with the message.
  const text = stack.startsWith(name) && stack.includes(message) ? stack : `${name}: ${message}\n${stack}`
  return cause instanceof Error && depth < 3 ? `${text}\nCaused by: ${stackOf(cause, depth + 1)}` : text
}

/**
 * Logs what was thrown, and gives its message as `exposeErrors` lets the model read it; undefined for none. What is
 * hidden from the model is reported.
 */
export function exposedMessage(
  desk: ToolErrorDeps,
  failure: Failure,
  thrown: unknown,
  call: ToolCall,
): string | undefined {
  const isLogged = logThrown(desk, call, thrown)
  const { exposeErrors = 'message' } = desk.options()
  if (exposeErrors === 'message') return failure.message
  desk.report(failure, isLogged)
  if (exposeErrors === 'generic') return undefined
  try {
    return String(exposeErrors(thrown, call))
  } catch (wrong) {
    desk.report(toFailure(wrong, 'execution-failed'))
    return undefined
  }
}

/** The failure of a call that the page refused by throwing. */
export function refusalFrom(desk: ToolErrorDeps, why: string, thrown: unknown, call: ToolCall): Failure {
  const message = exposedMessage(desk, { code: 'refused', message: errorMessage(thrown) }, thrown, call)
  return { code: 'refused', message: message === undefined ? `${why}.` : `${why}: ${message}` }
}

/** What the page's handler makes of a failed call: its text for the model, or the end of the turn where it throws. */
export async function handleToolError(
  desk: ToolErrorDeps,
  failure: Failure,
  call: ToolCall,
  handler: ErrorHandler | undefined,
  thrown?: unknown,
): Promise<{ text?: string; fatal?: Failure }> {
  if (handler === undefined) return {}
  try {
    const session = desk.session()
    const toolContext = await mergeContextLayers([desk.options().toolContext ?? {}, turnContext(session)], undefined)
    const { shared } = desk.send(session.turn?.id ?? '')
    const text = await handler(toErrorValue(failure, thrown), { call, toolContext, shared })
    return typeof text === 'string' ? { text } : {}
  } catch (wrong) {
    const fatal = toFailure(wrong, failure.code)
    desk.threw(fatal, wrong)
    return { fatal }
  }
}
