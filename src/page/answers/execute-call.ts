// Answers `execute`: runs a tool once per call id. A query for a call that ran or runs already gets the same outcome.
import { isStoppedEffect, type StoppedEffect } from '../../core/data/stopped-effect.js'
import { toFailure, type Failure } from '../../core/data/errors.js'
import { isObject, type JsonValue } from '../../core/data/json.js'
import type { CallId, ToolCall } from '../../core/data/message.js'
import type { ExecutionResult, QueryOf } from '../../core/data/protocol.js'
import { internals, isRepeatable } from '../../core/data/tool.js'
import { heldNotSent } from '../../core/prompt/failure-text.js'
import { rememberAction } from '../tab/notes.js'
import { toJson } from '../schema/json-value.js'
import type { AvailableTool } from '../tools/available-tools.js'
import {
  checkOutput,
  executeTool,
  presentOutput,
  toPresented,
  type EndedTool,
  type ExecutedTool,
  type PausedTool,
  type RunFacts,
} from '../tools/execute-tool.js'
import { ProgressLimit } from './progress-limit.js'
import { summarize } from './tool-words.js'
import { messagesAt, toolContextFor, type CallCheck, type QueryContext, type QueryRun } from './query-context.js'
import { invalidInput, unavailableTool, presentFailure } from './tool-errors.js'
import { resultSourceOf } from './offers.js'

type ExecuteQuery = QueryOf<'execute'>

/** The executions of a page, by call. Each is kept until the session has its result, also for a restarted host. */
export class Executions {
  readonly #started = new Map<CallId, Promise<ExecutionResult>>()
  readonly #outcomes = new Map<CallId, ExecutionResult>()
  /** Calls that hold what they are about to send, until the user has decided. */
  readonly #paused = new Map<CallId, PausedCall>()

  /** Calls whose tool has not ended. */
  get running(): CallId[] {
    return [...this.#started.keys()].filter((id) => !this.#outcomes.has(id))
  }

  /** Outcomes that the session does not have yet. */
  get outcomes(): ExecutionResult[] {
    return [...this.#outcomes.values()]
  }

  /** Outcomes for the next page. It cannot send what this one holds. */
  get outcomesToKeep(): ExecutionResult[] {
    return this.outcomes.filter(({ held }) => !held)
  }

  /**
   * The outcome of a call, started by the first query for it. A call that is held goes on, because the user has allowed
   * that. A call that was stopped before an effect starts again: the host requests that only for another attempt.
   */
  execute(context: QueryContext, query: ExecuteQuery, run: QueryRun): Promise<ExecutionResult> {
    const { callId } = query
    const paused = this.#paused.get(callId)
    this.#paused.delete(callId)
    if (paused) this.#outcomes.delete(callId)
    else if (this.#outcomes.get(callId)?.stopped) this.discard(callId)
    const started = paused ? undefined : this.#started.get(callId)
    if (started) return started
    const execution = this.#finish(
      context,
      run,
      paused ? resumeTool(context, paused, run) : runTool(context, query, run),
    )
    this.#started.set(callId, execution)
    void execution.then(
      (outcome) => {
        // The host settles a stopped call itself, so it does not read this outcome.
        if (run.signal.aborted) {
          this.discard(callId)
          context.checks.delete(callId)
        } else this.#outcomes.set(callId, outcome)
      },
      // A part of the code could not be loaded. The caller of this function reports it.
      () => this.discard(callId),
    )
    return execution
  }

  /** The outcome of a call that was started before; undefined for any other. */
  started(callId: CallId): Promise<ExecutionResult> | undefined {
    return this.#started.get(callId)
  }

  /** A call that never runs has this result. */
  settle(callId: CallId, error: Failure): void {
    const now = Date.now()
    this.#outcomes.set(callId, { callId, attempts: 0, startedAt: now, endedAt: now, error })
  }

  /** Call this when the session has the result of the call. What it holds fails. */
  discard(callId: CallId, why = 'The call was settled'): void {
    this.#paused.get(callId)?.end(new DOMException(why, 'AbortError'))
    this.#paused.delete(callId)
    this.#outcomes.delete(callId)
    this.#started.delete(callId)
  }

  /** The page goes away: what is held fails. */
  abortPaused(why: string): void {
    for (const callId of this.#paused.keys()) this.discard(callId, why)
  }

  /** The outcome of a call. If it waits for the user, it is kept until they have decided. */
  async #finish(context: QueryContext, run: QueryRun, running: Promise<RanCall>): Promise<ExecutionResult> {
    const ran = await running
    if (!('executed' in ran)) return ran
    const { call, executed } = ran
    if (!executed.held) return finishCall(context, call, executed)
    // The host does not wait for it any more, so nobody will be asked.
    if (run.signal.aborted) void executed.end(run.signal.reason)
    else this.#keepPaused(context, call, executed)
    return heldOutcome(context, call, executed)
  }

  #keepPaused(context: QueryContext, call: ReadyCall, executed: PausedTool): void {
    const { callId } = call.query
    const end = (reason: unknown): void => {
      const ended = executed.end(reason)
      // It may put something back. No other tool of its kind starts before that is done.
      if (call.tool.spec.exclusive) void context.deps.lock.run(() => ended)
    }
    const paused = { call, executed, end }
    this.#paused.set(callId, paused)
    noteHold(context, callId, 'held')
    void executed.ended.then(async (ended) => {
      if (this.#paused.get(callId) !== paused) return
      // It cannot be held any longer. If the user may be asked about another attempt, they are.
      this.#paused.delete(callId)
      const outcome = await finishCall(context, call, ended)
      this.#outcomes.set(callId, outcome)
      noteHold(context, callId, outcome.stopped ? 'expired' : (outcome.error ?? 'expired'))
      context.deps.post({ type: 'outcome', outcome })
    })
  }
}

/** A call that waits for the user. */
interface PausedCall {
  readonly call: ReadyCall
  readonly executed: PausedTool
  /** Ends it: nobody will allow what it holds. */
  end(reason: unknown): void
}

/** How a query for a call ended: prepared and executed, or refused before. */
type RanCall = { readonly call: ReadyCall; readonly executed: ExecutedTool } | ExecutionResult

function noteHold({ checks }: QueryContext, callId: CallId, hold: CallCheck['hold']): void {
  const check = checks.get(callId)
  if (check) checks.set(callId, { ...check, hold })
}

/** What is known of a call once its arguments and its tool context are valid. */
interface ReadyCall {
  readonly query: ExecuteQuery
  /** Its definition is the one that was checked. */
  readonly tool: AvailableTool
  /** What `execute` gets: the schema's output. */
  readonly value: unknown
  /** The same as JSON, as it is stored. */
  readonly input: JsonValue
  /** What `execute` gets as its second argument, without the parts of one attempt. */
  readonly facts: RunFacts
  /** When the query arrived, in milliseconds since the epoch. */
  readonly startedAt: number
}

/** Prepares a call and runs it. Every failure is part of the outcome. */
async function runTool(context: QueryContext, query: ExecuteQuery, run: QueryRun): Promise<RanCall> {
  const { callId } = query
  const startedAt = Date.now()
  const prepared = await prepareCall(context, query, run, startedAt).catch((thrown: unknown) =>
    toFailure(thrown, 'execution-failed'),
  )
  if ('code' in prepared) return { callId, error: prepared, attempts: 0, startedAt, endedAt: Date.now() }
  const work = () => performCall(context, prepared, run)
  const executed = await (prepared.tool.spec.exclusive ? context.deps.lock.run(work) : work())
  return { call: prepared, executed }
}

/** Lets a call go on that the user has allowed. */
async function resumeTool(
  context: QueryContext,
  { call, executed }: PausedCall,
  { signal }: QueryRun,
): Promise<RanCall> {
  const { callId } = call.query
  noteHold(context, callId, undefined)
  const { permission, forecast } = context.checks.get(callId) ?? {}
  const work = () =>
    whileNoted(call.facts.sessionId, { callId, forecast, signal, isAllowed: true }, () =>
      executed.goOn(permission, signal),
    )
  return { call, executed: await (call.tool.spec.exclusive ? context.deps.lock.run(work) : work()) }
}

/** A call that is noted while it may leave the page. */
interface NotedCall {
  readonly callId: CallId
  readonly signal: AbortSignal
  /** What it held was allowed. */
  readonly isAllowed?: boolean
}

/** Runs an action. It may open another page, which reads from the note that this makes which call left the page. */
async function whileNoted<T>(
  sessionId: string,
  { callId, forecast, signal, isAllowed }: Pick<CallCheck, 'forecast'> & NotedCall,
  run: () => Promise<T>,
): Promise<T> {
  if (!forecast) return run()
  const { from, hides, answers } = forecast
  rememberAction(sessionId, { callId, from, hides, answers, isAllowed })
  const ran = await run()
  // The action ended on this page, or waits there. A stopped one may still navigate, so its note stays.
  if (!signal.aborted) rememberAction(sessionId, undefined)
  return ran
}

/** That a call waits for the user. */
function heldOutcome({ checks }: QueryContext, call: ReadyCall, { held, attempts, startedAt, endedAt }: PausedTool) {
  const { callId } = call.query
  const { effect = 'view' } = checks.get(callId)?.permission ?? {}
  const error: Failure = { code: 'needs-approval', message: `Nobody could be asked. ${heldNotSent}` }
  const common = { callId, input: call.input, attempts, startedAt, endedAt, ...(effect === 'view' ? {} : { effect }) }
  return { ...common, error, stopped: held, held: true, untrusted: true } as const
}

/** Validates again: the tool, the arguments or the context may have changed since the check. */
async function prepareCall(
  { deps, offers, checks }: QueryContext,
  query: ExecuteQuery,
  { path }: QueryRun,
  startedAt: number,
): Promise<ReadyCall | Failure> {
  const { callId, name, hash, made, approval } = query
  // An agent that ran as a tool ends as the tool that was offered, whatever is registered by now.
  const tool = made ? offers.offered(name, path) : offers.current(name, hash, path)
  if (tool === undefined) return unavailableTool(name)
  const checked = await tool.entry.schema.validate(query.input)
  if ('issues' in checked) return invalidInput(checked.issues)
  const session = deps.session()
  const { permission, forecast } = checks.get(callId) ?? {}
  const { effects } = deps.options()
  // What the user was asked about is allowed only if they have approved it.
  const isAllowed = permission?.by !== 'user' || approval !== undefined || forecast?.confirms === true
  const facts: RunFacts = {
    toolContext: await toolContextFor(deps, tool),
    sessionId: session.id,
    toolCallId: callId,
    messages: messagesAt(session, path),
    shared: deps.send(session.turn?.id ?? '').shared,
    stopTurn: () => deps.stopTurn(),
    ...(approval ? { approval } : {}),
    ...(permission && isAllowed ? { permission } : {}),
    ...(effects ? { effects } : {}),
  }
  return { query, tool, value: checked.value, input: checked.json, facts, startedAt }
}

/** Runs the tool's function. A call that an agent has answered already (`made`) runs nothing. */
async function performCall(
  { checks }: QueryContext,
  { query, tool, value, facts, startedAt }: ReadyCall,
  { signal, onProgress }: QueryRun,
): Promise<ExecutedTool> {
  const { callId, made } = query
  if (made) return { output: made.output, context: [], attempts: 1, startedAt, endedAt: Date.now() }
  const { forecast } = checks.get(callId) ?? {}
  const progress = new ProgressLimit(onProgress)
  const waiting = {
    signal,
    onProgress: (reported: unknown): void => progress.report(toJson(reported).json),
    mayPause: tool.entry.tool[internals]?.preview !== undefined,
  }
  const executed = await whileNoted(facts.sessionId, { callId, forecast, signal }, () =>
    executeTool(tool.entry, tool.spec, value, facts, waiting),
  )
  progress.stop()
  return executed
}

/** How a call ended, for its summary. */
type SummaryState = { readonly state: 'done'; readonly output: unknown } | { readonly state: 'failed' }

/** Presents what a tool returned. An output that cannot be presented is a failure like one the tool throws. */
async function finishCall(
  { deps, checks }: QueryContext,
  { query, tool, value, input }: ReadyCall,
  executed: EndedTool,
): Promise<ExecutionResult> {
  const { callId, name, made } = query
  const { attempts, startedAt, endedAt } = executed
  const { effect = 'view' } = checks.get(callId)?.permission ?? {}
  const common = { callId, input, attempts, startedAt, endedAt, ...(effect === 'view' ? {} : { effect }) }
  const call: ToolCall = { id: callId, name, input }
  const source = resultSourceOf(tool, made)
  const { locale } = deps.page()
  const summaryOf = (end: SummaryState): ReturnType<typeof summarize> =>
    summarize(tool.entry, { input: value as Record<string, unknown>, locale, ...end }, deps.report)
  const failed = async (error: Failure, thrown: unknown): Promise<ExecutionResult> => {
    if (error.code === 'cancelled') return { ...common, error }
    const stopped = stoppedEffects(tool, error)
    if (stopped) return { ...common, error, stopped, ...(source.untrusted ? source : {}) }
    return {
      ...common,
      ...(await presentFailure(deps, { error, thrown, call, source })),
      ...(await summaryOf({ state: 'failed' })),
    }
  }
  if (executed.failure) return failed(executed.failure, executed.thrown)
  try {
    const returned = toPresented(executed.output)
    await checkOutput(tool.entry, returned.output)
    const own = presentOutput(tool.entry, { id: callId, input: value }, executed.output, returned)
    const changed: unknown = await deps.options().hooks?.afterTool?.(call, own.output)
    const replaced = changed === undefined ? undefined : toPresented(changed)
    const presented = replaced ?? own
    const summary = await summaryOf({ state: 'done', output: replaced === undefined ? executed.output : changed })
    return { ...common, ...presented, ...source, ...summary, context: executed.context }
  } catch (thrown) {
    return failed(lostOutput(toFailure(thrown, 'execution-failed'), isRepeatable(tool.spec)), thrown)
  }
}

/** An output that cannot be kept is not a reason to do the same again. */
function lostOutput(failure: Failure, repeatable: boolean): Failure {
  if (failure.code !== 'not-serializable') return failure
  const advice = repeatable ? 'The tool has run.' : 'The tool has run: do not repeat it only to get its result.'
  return { ...failure, message: `${failure.message} ${advice}` }
}

/**
 * What a page tool stopped: nothing if the action is not the one any more that the user allowed. Undefined for every
 * other failure. The call has not ended then, because the user may be asked about it: no hook and no handler sees it.
 */
function stoppedEffects({ entry }: AvailableTool, { code, details }: Failure): readonly StoppedEffect[] | undefined {
  if (code !== 'needs-approval' || entry.tool[internals]?.preview === undefined || !isObject(details)) return undefined
  const { stopped } = details
  return Array.isArray(stopped) && stopped.every(isStoppedEffect)
    ? (stopped as unknown as readonly StoppedEffect[])
    : undefined
}
