// Answers `execute`: runs a tool once per call id. A query for a call that ran or runs already gets the same outcome.
import { isStoppedEffect, type StoppedEffect } from '../../core/data/effect.js'
import { toFailure, type Failure } from '../../core/data/errors.js'
import { isObject, type JsonValue } from '../../core/data/json.js'
import type { CallId, ToolCall } from '../../core/data/message.js'
import type { ExecutionResult } from '../../core/data/protocol.js'
import { previewAction } from '../../core/loop/action-preview.js'
import type { QueryOf } from '../../core/loop/turn-deps.js'
import { isRepeatable } from '../../core/data/tool.js'
import { rememberAction } from '../client/tab-storage.js'
import { toJson } from '../schema/output-json.js'
import type { AvailableTool } from '../tools/available-tools.js'
import {
  checkOutput,
  executeTool,
  presentOutput,
  toPresented,
  type ExecutedTool,
  type RunFacts,
} from '../tools/execute-tool.js'
import { ProgressLimit } from './progress-limit.js'
import { summarize } from './summarize.js'
import { messagesAt, toolContextFor, type QueryContext, type QueryRun } from './query-context.js'
import { invalidInput, unavailableTool } from './call-failures.js'
import { resultSourceOf } from './offers.js'
import { presentFailure } from './tool-errors.js'

type ExecuteQuery = QueryOf<'execute'>

/** The executions of a page, by call. Each is kept until the session has its result, also for a restarted host. */
export class Executions {
  readonly #started = new Map<CallId, Promise<ExecutionResult>>()
  readonly #outcomes = new Map<CallId, ExecutionResult>()

  /** Calls whose tool has not ended. */
  get running(): CallId[] {
    return [...this.#started.keys()].filter((id) => !this.#outcomes.has(id))
  }

  /** Outcomes that the session does not have yet. */
  get outcomes(): ExecutionResult[] {
    return [...this.#outcomes.values()]
  }

  /**
   * The outcome of a call, started by the first query for it. A call that was stopped before an effect starts again:
   * the host requests that only for another attempt.
   */
  execute(context: QueryContext, query: ExecuteQuery, run: QueryRun): Promise<ExecutionResult> {
    const { callId } = query
    if (this.#outcomes.get(callId)?.stopped) this.discard(callId)
    const started = this.#started.get(callId)
    if (started) return started
    const execution = runTool(context, query, run)
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

  /** Call this when the session has the result of the call. */
  discard(callId: CallId): void {
    this.#outcomes.delete(callId)
    this.#started.delete(callId)
  }
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

/** Prepares a call, runs it, and presents what it returned. Every failure is part of the outcome. */
async function runTool(context: QueryContext, query: ExecuteQuery, run: QueryRun): Promise<ExecutionResult> {
  const { callId } = query
  const startedAt = Date.now()
  const prepared = await prepareCall(context, query, run, startedAt).catch((thrown: unknown) =>
    toFailure(thrown, 'execution-failed'),
  )
  if ('code' in prepared) return { callId, error: prepared, attempts: 0, startedAt, endedAt: Date.now() }
  const work = () => performCall(context, prepared, run)
  const executed = await (prepared.tool.spec.exclusive ? context.deps.lock.run(work) : work())
  return finishCall(context, prepared, executed)
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
  const { permission } = checks.get(callId) ?? {}
  const { effects } = deps.options()
  // What the user was asked about is allowed only if they have approved it.
  const isAllowed = permission?.by !== 'user' || approval !== undefined
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
  const forecast = checks.get(callId)?.forecast
  const { sessionId } = facts
  // The action may open another page. That page reads from this note which call left this one.
  if (forecast) {
    const { from, hides, answers } = forecast
    rememberAction(sessionId, { callId, from, hides, answers })
  }
  const progress = new ProgressLimit(onProgress)
  const report = (reported: unknown): void => progress.report(toJson(reported).json)
  const executed = await executeTool(tool.entry, tool.spec, value, facts, signal, report)
  progress.stop()
  // The action ended on this page. A stopped one may still navigate, so its note stays.
  if (forecast && !signal.aborted) rememberAction(sessionId, undefined)
  return executed
}

/** How a call ended, for its summary. */
type SummaryState = { readonly state: 'done'; readonly output: unknown } | { readonly state: 'failed' }

/** Presents what a tool returned. An output that cannot be presented is a failure like one the tool throws. */
async function finishCall(
  { deps, checks }: QueryContext,
  { query, tool, value, input }: ReadyCall,
  executed: ExecutedTool,
): Promise<ExecutionResult> {
  const { callId, name, made } = query
  const { attempts, startedAt, endedAt } = executed
  const { effect = 'view' } = checks.get(callId)?.permission ?? {}
  const common = { callId, input, attempts, startedAt, endedAt, ...(effect === 'view' ? {} : { effect }) }
  const call: ToolCall = { id: callId, name, input }
  const source = resultSourceOf(tool, made)
  const { locale } = deps.page()
  const summaryOf = async (end: SummaryState): Promise<{ summary?: string }> => {
    const summary = await summarize(
      tool.entry,
      { input: value as Record<string, unknown>, locale, ...end },
      deps.report,
    )
    return summary === undefined ? {} : { summary }
  }
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
  if (code !== 'needs-approval' || entry.tool[previewAction] === undefined || !isObject(details)) return undefined
  const { stopped } = details
  return Array.isArray(stopped) && stopped.every(isStoppedEffect)
    ? (stopped as unknown as readonly StoppedEffect[])
    : undefined
}
