// Executes one call and stores its result: `tool-start` (write-ahead), then the page or the host runs it, then
// `tool-result`. Every function here ends in exactly one `tool-result` for its call, or rejects.
import type { Settlement } from './builtin-tools.js'
import { runBuiltinTool } from './run-builtin-tool.js'
import { runSubAgent } from './sub-agent.js'
import type { OfferedTools, TurnDeps } from './turn-deps.js'
import { isStoppedEffect, stoppedBefore, type StoppedEffect } from '../data/stopped-effect.js'
import type { Effect, TaskGrant } from '../data/effect.js'
import type { Failure } from '../data/errors.js'
import { answersText, type AnsweredQuestion } from '../data/form-question.js'
import { dropUndefined, type JsonValue } from '../data/json.js'
import { latestToolCalls } from '../data/session.js'
import { toolCallsOf, type CallId, type Reason, type Started, type ToolCallPart } from '../data/message.js'
import { failureText, heldNotSent, mayHaveHappened, unavailableToolFailure } from '../prompt/failure-text.js'
import { composeResult, failedResult, stoppedText } from '../prompt/compose-result.js'
import type { ExecutionResult } from '../data/protocol.js'
import { capText, fenceUntrusted } from '../prompt/cut-and-fence.js'
import type { SemaphoreSlot } from './semaphore.js'
import { isRepeatable, retryPause, type ToolSpec } from '../data/tool.js'

/** Milliseconds that the host waits for the page beyond the tool's own time limit, which the page enforces. */
const graceAfterTimeout = 5_000

/** The calls of one step while they are settled. */
export interface CallBatch {
  /** The dependencies of the turn that made the calls; inside an agent's call, those of that agent. */
  readonly deps: TurnDeps
  /** The signal of the turn. After an abort nothing here settles a call; the turn settles those that are open. */
  readonly signal: AbortSignal
  /** The tools of the request that led to these calls. A call of any other tool does not run. */
  readonly offered: OfferedTools
  /** All calls of the step, also the settled ones. */
  readonly calls: readonly ToolCallPart[]
  /** Limits how many calls run at once. */
  readonly slot: SemaphoreSlot
  /** Errors of page handlers that end the turn. The first one is reported, after all calls are settled. */
  readonly fatal: Failure[]
}

/** What runs, and what the result reports about it. */
export interface Execution {
  /** The input that runs: validated by the page, edited by the user, or stored with the start of a repeated call. */
  readonly input: JsonValue
  /** Lines before the result text: warnings, and what the user changed or wrote. */
  readonly notes: readonly string[]
  /** Set if the user approved the call. */
  readonly approval?: { readonly reason?: string; readonly edited: boolean }
  /** The user allowed the tool for the session. */
  readonly grant?: boolean | undefined
  /** The user allowed effects until the task is done. */
  readonly taskGrant?: TaskGrant | undefined
  /** What the preview of the approved question says that the action does. */
  readonly effect?: Effect | undefined
  /** The call goes on with what the user has answered to its tool. */
  readonly answer?: AnsweredQuestion | undefined
  /** The page runs the call already: waits for its outcome. */
  readonly running?: (signal: AbortSignal, onProgress: (value: JsonValue) => void) => Promise<ExecutionResult>
}

/** Why a call failed without a result of its tool, and what the model reads. */
export interface CallFailure {
  /** Stored in the result. The model reads its code and message, unless `text` is set. */
  readonly error: Failure
  /** Replaces code and message for the model. It is the page author's own text, so it is never fenced. */
  readonly text?: string | undefined
  /** The message may quote the page, so the model reads it inside a fence. */
  readonly untrusted?: boolean | undefined
  /** The call ran and was stopped before it did this. The model reads it after the message, inside a fence. */
  readonly stopped?: readonly StoppedEffect[] | undefined
  /** What the user had answered to the tool. The model reads it after the message, inside a fence. */
  readonly answers?: readonly AnsweredQuestion[] | undefined
  /** Set if the call had started, so it may have happened. */
  readonly started?: Started | undefined
  /** See `Execution.notes`. */
  readonly notes?: readonly string[] | undefined
}

/**
 * Waits for a slot, then runs. An exclusive tool also waits for every other exclusive tool of the turn, including those
 * of agents. `tool-start` must not be emitted before.
 */
export function whenFree<T>(
  { deps, slot, offered }: CallBatch,
  { call }: ToolCallPart,
  run: () => Promise<T>,
): Promise<T> {
  return slot(() => (offered.get(call.name)?.exclusive ? deps.runExclusively(run) : run()))
}

/** Settles a call that does not run, or whose result will never arrive. */
export async function failCall(
  deps: TurnDeps,
  callId: CallId,
  { error, text, untrusted, stopped = [], answers = [], started, notes = [] }: CallFailure,
): Promise<void> {
  const at = deps.now()
  const isFenced = untrusted === true && text === undefined
  const { resultChars } = deps.config().limits
  const fence = (quoted: string) => fenceUntrusted(capText(quoted, resultChars, callId), deps.nonce())
  const own = isFenced ? fence(failureText(error)) : text
  const more = [
    ...(stopped.length > 0 ? [stoppedText(stopped, error.code === 'denied')] : []),
    ...(answers.length > 0 ? [answersText(answers)] : []),
  ]
  const modelText = more.length > 0 ? [own ?? failureText(error), ...more.map(fence)].join('\n') : own
  const result = failedResult(error, at, { text: modelText, untrusted: isFenced || more.length > 0, started, notes })
  await deps.emit({ type: 'tool-result', at, callId, result })
}

/** How an attempt ended that was stopped before an effect. The call is not settled. */
export type StoppedOutcome = ExecutionResult & { readonly stopped: readonly StoppedEffect[] }

/**
 * Emits `tool-start`, runs the tool and settles the call. A tool that is no longer offered is refused. A call that was
 * stopped before an effect is not settled: its outcome is returned.
 */
export async function startCall(
  batch: CallBatch,
  part: ToolCallPart,
  execution: Execution,
): Promise<StoppedOutcome | undefined> {
  const { deps, signal } = batch
  const { id: callId, name } = part.call
  const spec = batch.offered.get(name)
  if (spec === undefined) {
    await failCall(deps, callId, { error: unavailableToolFailure(name) })
    return undefined
  }
  if (signal.aborted) throw signal.reason
  const { hash } = spec
  const { input, grant, taskGrant, running, answer } = execution
  await deps.emit(
    dropUndefined({
      type: 'tool-start',
      at: deps.now(),
      callId,
      hash,
      input,
      repeatable: isRepeatable(spec),
      grant: grant ? { tool: name, hash } : undefined,
      taskGrant,
      reason: execution.approval?.reason,
      answer,
      unstored: running ? true : undefined,
    }),
  )
  return executeCall(batch, { part, spec }, execution)
}

/**
 * Runs a call again that a crash interrupted, with the same id and input. Only if its tool may run twice and its
 * definition has not changed. Returns as `startCall` does.
 */
export async function repeatCall(batch: CallBatch, part: ToolCallPart): Promise<StoppedOutcome | undefined> {
  const { call, started } = part
  const spec = batch.offered.get(call.name)
  if (spec === undefined || spec.hash !== started?.hash || !isRepeatable(spec)) {
    await failCall(batch.deps, call.id, { error: unavailableToolFailure(call.name) })
    return undefined
  }
  const execution = { input: started.input, notes: [] }
  // The tool asked something, which no tool waits for any more. It asks again.
  return part.held ? startCall(batch, part, execution) : executeCall(batch, { part, spec }, execution)
}

async function executeCall(
  batch: CallBatch,
  { part, spec }: { readonly part: ToolCallPart; readonly spec: ToolSpec },
  { input, notes, approval, answer, running }: Execution,
): Promise<StoppedOutcome | undefined> {
  const { deps, signal } = batch
  const { id: callId, name } = part.call
  const startedAt = deps.now()
  // The host runs an agent itself. The page then only does what follows an execution, such as its hooks.
  const made = spec.agent && (await runSubAgent(deps, signal, { callId, agent: spec.agent, input }))
  if (made?.error) {
    await settleCall(batch, part, { notes, outcome: { callId, attempts: 1, startedAt, endedAt: deps.now(), ...made } })
    return undefined
  }
  const attempts = spec.maxRetries + 1
  const allowed = spec.timeout > 0 ? spec.timeout * attempts + retryPause * spec.maxRetries + graceAfterTimeout : 0
  const timeout = new AbortController()
  const done = new AbortController()
  if (allowed > 0)
    deps.wait(allowed, done.signal).then(
      () => timeout.abort(),
      () => undefined,
    )
  const onProgress = (value: JsonValue) => {
    // Progress is only displayed, so a failed emit is ignored.
    void deps.emit({ type: 'tool-progress', callId, value }).catch(() => undefined)
  }
  let outcome: ExecutionResult
  try {
    const aborts = AbortSignal.any([signal, timeout.signal])
    const query = dropUndefined({ type: 'execute', callId, name, input, hash: spec.hash, approval, answer, made })
    outcome = await (running ? running(aborts, onProgress) : deps.ask(query, aborts, onProgress))
  } catch (thrown) {
    if (signal.aborted || !timeout.signal.aborted) throw thrown
    const error = mayHaveHappened('timeout', `The page did not answer within ${allowed} ms.`, isRepeatable(spec))
    outcome = { callId, attempts, startedAt, endedAt: deps.now(), error }
  } finally {
    done.abort()
  }
  if (isStopped(outcome)) return outcome
  const lines = outcome.error?.code === 'interrupted' ? [...notes, ...answersOf(deps, callId)] : notes
  await settleCall(batch, part, { notes: lines, outcome: made ? { ...outcome, startedAt } : outcome })
  return undefined
}

/** What the user has answered to the tool of a call that was lost with its page. */
function answersOf(deps: TurnDeps, callId: CallId): string[] {
  const { answers } = latestToolCalls(deps.session()).find(({ call }) => call.id === callId) ?? {}
  return answers ? [fenceUntrusted(answersText(answers), deps.nonce())] : []
}

/**
 * Whether an attempt was stopped before an effect that the user must be asked about, or before anything, because the
 * action is not the one any more that they have allowed.
 */
export function isStopped(outcome: ExecutionResult): outcome is StoppedOutcome {
  const { error, stopped } = outcome
  return error?.code === 'needs-approval' && stopped?.every(isStoppedEffect) === true
}

/** Stores the result of a call that ran. Rejects if the turn was aborted: then the turn settles its open calls. */
export async function settleCall(
  { deps, signal, offered, fatal }: CallBatch,
  { call }: ToolCallPart,
  { outcome, notes = [], resultChars = deps.config().limits.resultChars, todos }: Settlement,
): Promise<void> {
  if (signal.aborted) throw signal.reason
  const { id: callId, name, input } = call
  const { input: executed, ...rest } = outcome
  // The executed input is stored only if it differs from what the model wrote.
  const isSame = executed !== undefined && JSON.stringify(executed) === JSON.stringify(input)
  const { result, whole, wholeOutput } = composeResult(isSame ? (rest as ExecutionResult) : outcome, {
    callId,
    resultChars,
    boundary: deps.nonce(),
    notes,
    direct: offered.get(name)?.returnDirect ?? false,
  })
  if (outcome.error !== undefined && outcome.fatal) fatal.push(outcome.fatal)
  const context = outcome.error === undefined && outcome.context?.length ? outcome.context : undefined
  const event = { type: 'tool-result', at: deps.now(), callId, result, whole, wholeOutput, context, todos } as const
  await deps.emit(dropUndefined(event))
}

/** Runs a tool that the host answers itself. `notes`: the lines of the guards. */
export function runBuiltinCall(batch: CallBatch, part: ToolCallPart, notes: readonly string[] = []): Promise<void> {
  return runBuiltinTool(batch, part.call, { notes, settle: (settled) => settleCall(batch, part, settled) })
}

/** Settles every open call with an error: no turn may end with an open call. */
export async function cancelOpenCalls(deps: TurnDeps, reason: Reason): Promise<void> {
  const code = reason === 'interrupted' ? reason : 'cancelled'
  let cause = reason === 'stopped' ? 'Stopped by the user' : `The turn ended (${reason})`
  if (reason === 'interrupted') cause = 'The user continued in another tab'
  for (const { call, started, held, answers, approval, result } of deps.session().messages.flatMap(toolCallsOf)) {
    if (result !== undefined) continue
    if (held && !approval?.asks) {
      const error = { code, message: `${cause}. ${heldNotSent}` } as const
      await failCall(deps, call.id, { error, started, stopped: stoppedBefore(approval) })
      continue
    }
    const error = started
      ? mayHaveHappened(code, `${cause} while it ran.`, started.repeatable)
      : ({ code, message: `${cause} before it ran.` } as const)
    await failCall(deps, call.id, { error, started, answers })
  }
}
