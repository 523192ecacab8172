// Settles the calls of one step in call order: guard, check, approve, then execute (`tool-execution.ts`). Every call
// ends in exactly one `tool-result`. Results keep the call order, because each result is stored in the part of its
// call.
import type { OfferedTools, TurnDeps } from './turn-deps.js'
import { isAbove, mostSerious, type Effect } from '../data/effect.js'
import type { StoppedEffect } from '../data/stopped-effect.js'
import type { Failure } from '../data/errors.js'
import { answerOf, mostQuestions, questionIn, type FormQuestion } from '../data/form-question.js'
import { dropUndefined } from '../data/json.js'
import type { CallId, Started, ToolCallPart } from '../data/message.js'
import type { QueryOf, Verdict } from '../data/protocol.js'
import { askForTool, askUser } from './ask-user.js'
import { guardCall, type GuardedCall } from './call-guards.js'
import { isReadingStep, startReading } from './reading-step.js'
import { stoppedBefore } from '../data/stopped-effect.js'
import { latestToolCalls } from '../data/session.js'
import { allSettled, createSemaphore } from './semaphore.js'
import { askedInVain, superseded } from '../prompt/failure-text.js'
import { hasUntrustedText } from '../state/untrusted-text.js'
import { hostToolNames } from './builtin-tools.js'
import {
  failCall,
  isStopped,
  repeatCall,
  runBuiltinCall,
  settleCall,
  startCall,
  whenFree,
  type CallBatch,
  type Execution,
  type StoppedOutcome,
} from './tool-execution.js'

/**
 * Settles every open call of the newest message. Rejects when the signal is aborted or this host must not write any
 * more (calls stay open). Resolves with an error if an error handler of the page threw: then the turn must end with
 * this error, and every turn around an agent's turn, too.
 */
export async function runCalls(
  deps: TurnDeps,
  signal: AbortSignal,
  offered: OfferedTools,
): Promise<Failure | undefined> {
  const calls = latestToolCalls(deps.session())
  const batch: CallBatch = {
    deps,
    signal,
    offered,
    calls,
    slot: createSemaphore(deps.config().limits.concurrency),
    fatal: [],
  }
  if (deps.session().turn?.mode === 'manual') {
    // The caller of a stepped turn decides in which order they run, too.
    const open = calls.filter((part) => part.result === undefined)
    await allSettled(open.map((part) => followCommand(batch, part)))
  } else {
    for (const group of groupCalls(calls, offered)) await settleOpenCalls(batch, group)
  }
  return batch.fatal[0]
}

/** Waits for the command of the caller of a stepped turn, then follows it. */
async function followCommand(batch: CallBatch, part: ToolCallPart): Promise<void> {
  const { deps, signal } = batch
  const command = await deps.callCommand(part.call.id, signal)
  if (command.do === 'settle') return settleCall(batch, part, { outcome: command.outcome })
  if (isSuperseded(deps)) return failCall(deps, part.call.id, { error: superseded })
  return settleGroup(batch, [part])
}

/** True if the user sent another message instead of deciding on a call: no other call of the step may start. */
function isSuperseded(deps: TurnDeps): boolean {
  return latestToolCalls(deps.session()).some((part) => part.result?.error?.code === 'superseded')
}

/**
 * Groups of calls that run in parallel. An exclusive call is a group of its own: it is checked after all calls before
 * it are settled, and it is settled before the next call is checked.
 */
function groupCalls(calls: readonly ToolCallPart[], offered: OfferedTools): ToolCallPart[][] {
  const groups: ToolCallPart[][] = []
  let shared: ToolCallPart[] | undefined
  for (const part of calls) {
    if (offered.get(part.call.name)?.exclusive) {
      groups.push([part])
      shared = undefined
    } else if (shared) {
      shared.push(part)
    } else {
      groups.push((shared = [part]))
    }
  }
  return groups
}

async function settleOpenCalls(batch: CallBatch, group: readonly ToolCallPart[]): Promise<void> {
  const { deps } = batch
  let open = group.filter((part) => part.result === undefined)
  if (open.length > 0 && isSuperseded(deps)) {
    for (const part of open) if (!part.started) await failCall(deps, part.call.id, { error: superseded })
    // Calls that started before a reload still run to their end.
    open = open.filter((part) => part.started)
  }
  if (open.length > 0) await settleGroup(batch, open)
}

/** A call that passed the host's guards and that the page has to check. */
type PendingCall = GuardedCall & { readonly part: ToolCallPart }

async function settleGroup(batch: CallBatch, open: readonly ToolCallPart[]): Promise<void> {
  const { deps, signal } = batch
  const work: Promise<void>[] = []
  const begin = (one: Promise<void>) => {
    // `allSettled` below reports the rejection. Until then the next call may still be guarded.
    one.catch(() => undefined)
    work.push(one)
  }
  const pending: PendingCall[] = []
  for (const part of open) {
    const { id, name } = part.call
    // Refused calls are settled in this loop, so it must notice a stop between two of them.
    if (signal.aborted) throw signal.reason
    const knownOutcome = deps.outcomeFromPage(id, signal)
    if (knownOutcome) {
      begin(
        knownOutcome.then((outcome) =>
          isStopped(outcome) ? afterStop(batch, { part }, outcome) : settleCall(batch, part, { outcome }),
        ),
      )
    } else if (part.started) {
      begin(whenFree(batch, part, () => repeatCall(batch, part)).then((outcome) => afterStop(batch, { part }, outcome)))
    } else {
      const guarded = guardCall(batch, part)
      if (guarded.refused) await failCall(deps, id, { ...guarded, error: guarded.refused })
      else if (!guarded.problem && hostToolNames.has(name)) await runBuiltinCall(batch, part, guarded.notes)
      else pending.push({ part, ...guarded })
    }
  }
  if (pending.length > 0) begin(runPendingCalls(batch, pending))
  await allSettled(work)
}

/** Checks all pending calls with one query, which runs them, too, if they only read. Each then follows its verdict. */
async function runPendingCalls(batch: CallBatch, pending: readonly PendingCall[]): Promise<void> {
  const { deps, signal, offered, calls } = batch
  // Its start is not stored, so the stored step must say so.
  const reads = pending.length === calls.length && deps.session().turn?.reads && isReadingStep(deps, offered, calls)
  const query = checkQuery(batch, pending)
  const message = deps.session().messages.at(-1)
  const reading =
    reads && message?.role === 'assistant' ? startReading(deps, { ...query, type: 'read', message }, signal) : undefined
  const verdicts = await (reading ? reading.verdicts : deps.ask(query, signal))
  await allSettled(
    pending.map((call) => {
      const { id } = call.part.call
      const verdict = verdicts.find((one) => one.callId === id)
      const running: Execution['running'] = reading && ((aborts, onProgress) => reading.outcome(id, aborts, onProgress))
      return followVerdict(batch, call, { verdict, stopped: stoppedBefore(call.part.approval), attempt: 1, running })
    }),
  )
}

/** `known`: what the call was stopped before. @default what its stored question says */
function checkQuery(
  { deps, offered }: CallBatch,
  pending: readonly PendingCall[],
  known?: readonly StoppedEffect[],
  held?: true,
): QueryOf<'check'> {
  const calls = pending.map(({ part, problem }) => {
    const { id: callId, name, input, raw } = part.call
    const stopped = known ?? stoppedBefore(part.approval)
    const hash = offered.get(name)?.hash ?? ''
    const before = stopped.length > 0 ? stopped : undefined
    return dropUndefined({ callId, name, input, raw, hash, problem, stopped: before, held })
  })
  return { type: 'check', calls, untrusted: hasUntrustedText(deps.rootSession()) }
}

/** Checks one call again. */
async function newVerdict(
  batch: CallBatch,
  pending: PendingCall,
  stopped: readonly StoppedEffect[],
  held: true | undefined,
): Promise<Verdict | undefined> {
  return (await batch.deps.ask(checkQuery(batch, [pending], stopped, held), batch.signal))[0]
}

/** A call that is about to run. */
interface CallAttempt {
  /** The page's newest verdict; undefined if it gave none. */
  readonly verdict: Verdict | undefined
  /** What earlier attempts were stopped before. */
  readonly stopped: readonly StoppedEffect[]
  /** The page holds what was stopped. */
  readonly held?: true | undefined
  /** The number of the attempt, from 1. */
  readonly attempt: number
  /** The page runs the call already, if the verdict is `run`. */
  readonly running?: Execution['running']
}

/**
 * How often a call may run: once, and again for each more serious effect that was stopped, for each change, or for what
 * is held.
 */
const maxAttempts = 3

/** Follows the page's verdict. While it is `ask`, the user decides on the call as the newest check described it. */
async function followVerdict(
  batch: CallBatch,
  pending: PendingCall,
  { verdict: first, stopped, held, attempt, running }: CallAttempt,
): Promise<void> {
  const { deps } = batch
  const { part, notes = [], text } = pending
  const callId = part.call.id
  let verdict = first ?? {
    callId,
    do: 'refuse' as const,
    error: { code: 'unavailable' as const, message: 'The page did not answer.' },
  }
  let execution: Execution | undefined
  if (verdict.do === 'ask' || (verdict.do === 'run' && deps.earlyDenial(callId))) {
    const check = () => newVerdict(batch, { part }, stopped, held)
    const answer = await askUser(batch, { callId, verdict, stopped, check })
    if (answer.error)
      return failCall(deps, callId, { error: answer.error, stopped, notes, started: startOf(deps, callId) })
    if (answer.execution) execution = { ...answer.execution, notes: [...notes, ...answer.execution.notes] }
    else verdict = answer.verdict
  }
  if (execution === undefined) {
    if (verdict.do === 'refuse') {
      if (verdict.fatal) batch.fatal.push(verdict.fatal)
      return failCall(deps, callId, { text, notes, stopped, started: startOf(deps, callId), ...verdict })
    }
    execution = dropUndefined({ input: verdict.input, notes, running: verdict === first ? running : undefined })
  }
  const { effect, notes: lines } = execution
  const started = execution
  const outcome = await whenFree(batch, part, () => startCall(batch, part, started))
  return afterStop(batch, { ...pending, notes: lines }, outcome, { stopped, effect, attempt })
}

/** What an attempt was allowed to do. */
interface AllowedAttempt {
  /** What the attempts before it were stopped before. */
  readonly stopped: readonly StoppedEffect[]
  /** What the user allowed. */
  readonly effect?: Effect | undefined
  /** The number of the attempt. */
  readonly attempt: number
}

/**
 * Checks a call again that was stopped before an effect, and lets it run once more if the page or the user allows that.
 * A call that is stopped again before something that is not more serious is settled with its error; one whose action
 * has changed is asked about anew. Does nothing without an outcome: then the call is settled.
 */
async function afterStop(
  batch: CallBatch,
  pending: PendingCall,
  outcome: StoppedOutcome | undefined,
  { stopped: before, effect, attempt }: AllowedAttempt = { stopped: [], attempt: 1 },
): Promise<void> {
  if (outcome === undefined) return
  const { part, notes = [] } = pending
  const { held } = outcome
  const asks = held && questionIn(outcome.error!)
  if (asks) return followQuestion(batch, pending, asks)
  const hasChanged = outcome.stopped.length === 0
  const isNew =
    held ||
    hasChanged ||
    before.length === 0 ||
    isMoreSerious(outcome.stopped, [effect, ...before.map((one) => one.effect)])
  // What is held was not tried: that is one question more.
  if (!isNew || attempt >= maxAttempts + (held ? 1 : 0)) return settleCall(batch, part, { outcome, notes })
  // What was held before was sent.
  const stopped = held ? outcome.stopped : [...before, ...outcome.stopped]
  const verdict = await newVerdict(batch, pending, stopped, held)
  return followVerdict(batch, pending, { verdict, stopped, held, attempt: attempt + 1 })
}

/** The tool of a running call waits for an answer of the user: asks them, and lets it go on. */
async function followQuestion(
  batch: CallBatch,
  pending: Pick<GuardedCall, 'notes'> & { readonly part: ToolCallPart },
  asks: FormQuestion,
): Promise<void> {
  const { deps } = batch
  const { notes = [] } = pending
  const part = partOf(deps, pending.part.call.id) ?? pending.part
  const { call, started, answers = [] } = part
  if (answers.length >= mostQuestions)
    return failCall(deps, call.id, { error: { code: 'limit', message: 'The tool asked too often.' }, started, notes })
  const decision = await askForTool(batch, part, asks)
  if (decision.do === 'superseded') return failCall(deps, call.id, { error: askedInVain, started, notes, answers })
  if (decision.do === 'ended') return settleCall(batch, part, { outcome: decision.outcome, notes })
  const { hash, message } = asks
  const execution = { input: started?.input ?? call.input, notes, answer: { hash, message, ...answerOf(decision) } }
  const outcome = await whenFree(batch, part, () => startCall(batch, part, execution))
  return afterStop(batch, pending, outcome)
}

function partOf(deps: TurnDeps, callId: CallId): ToolCallPart | undefined {
  return latestToolCalls(deps.session()).find(({ call }) => call.id === callId)
}

/** The start of a call that has run, and that the page holds. */
function startOf(deps: TurnDeps, callId: CallId): Started | undefined {
  const part = partOf(deps, callId)
  return part?.held && part.started
}

function isMoreSerious(stopped: readonly StoppedEffect[], allowed: readonly (Effect | undefined)[]): boolean {
  const top = mostSerious(stopped.map(({ effect }) => effect))
  const limit = mostSerious(allowed)
  return top !== undefined && (limit === undefined || isAbove(top, limit))
}
