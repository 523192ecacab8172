// Settles the calls of one step in call order: guard, check, approve, then execute (`tool-execution.ts`). Every call
// ends in exactly one `tool-result`. Results keep the call order, because each result is stored in the part of its
// call.
import type { GuardedCall, OfferedTools, TurnDeps } from './turn-deps.js'
import type { Failure } from '../data/errors.js'
import { dropUndefined } from '../data/json.js'
import type { ToolCallPart } from '../data/message.js'
import type { Verdict } from '../data/protocol.js'
import { askUser } from './ask-user.js'
import { guardCall } from './call-guards.js'
import { latestToolCalls } from '../data/session.js'
import { allSettled, createSemaphore } from './semaphore.js'
import { superseded } from '../prompt/failure-text.js'
import { hasReadUntrustedText } from '../state/untrusted-text.js'
import { builtinToolNames } from '../data/tool.js'
import {
  failCall,
  repeatCall,
  runBuiltinCall,
  settleCall,
  startCall,
  whenFree,
  type CallBatch,
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
      begin(knownOutcome.then((outcome) => settleCall(batch, part, { outcome })))
    } else if (part.started) {
      begin(whenFree(batch, part, () => repeatCall(batch, part)))
    } else {
      const guarded = guardCall(batch, part)
      if (guarded.refused) await failCall(deps, id, { ...guarded, error: guarded.refused })
      else if (!guarded.problem && builtinToolNames.has(name)) await runBuiltinCall(batch, part, guarded.notes)
      else pending.push({ part, ...guarded })
    }
  }
  if (pending.length > 0) begin(runPendingCalls(batch, pending))
  await allSettled(work)
}

/** Checks all pending calls with one query. Then each call follows its own verdict. */
async function runPendingCalls(batch: CallBatch, pending: readonly PendingCall[]): Promise<void> {
  const verdicts = await requestVerdicts(batch, pending)
  await allSettled(
    pending.map((call) => {
      const verdict = verdicts.find((one) => one.callId === call.part.call.id)
      return followVerdict(batch, call, verdict)
    }),
  )
}

function requestVerdicts(
  { deps, signal, offered }: CallBatch,
  pending: readonly PendingCall[],
): Promise<readonly Verdict[]> {
  const calls = pending.map(({ part, problem }) => {
    const { id: callId, name, input, raw } = part.call
    return dropUndefined({ callId, name, input, raw, hash: offered.get(name)?.hash ?? '', problem })
  })
  return deps.ask({ type: 'check', calls, untrusted: hasReadUntrustedText(deps.rootSession()) }, signal)
}

/** Follows the page's verdict. While it is `ask`, the user decides on the call as the newest check described it. */
async function followVerdict(batch: CallBatch, pending: PendingCall, first: Verdict | undefined): Promise<void> {
  const { deps } = batch
  const { part, notes = [], text } = pending
  const callId = part.call.id
  let verdict = first ?? {
    callId,
    do: 'refuse' as const,
    error: { code: 'unavailable' as const, message: 'The page did not answer.' },
  }
  if (verdict.do === 'ask' || (verdict.do === 'run' && deps.earlyDenial(callId))) {
    const check = async () => (await requestVerdicts(batch, [{ part }]))[0]
    const answer = await askUser(batch, { callId, verdict, check })
    if (answer.error) return failCall(deps, callId, { error: answer.error, notes })
    const { execution } = answer
    if (execution)
      return whenFree(batch, part, () =>
        startCall(batch, part, { ...execution, notes: [...notes, ...execution.notes] }),
      )
    verdict = answer.verdict
  }
  if (verdict.do !== 'run') {
    if (verdict.fatal) batch.fatal.push(verdict.fatal)
    return failCall(deps, callId, { text, notes, ...verdict })
  }
  const { input } = verdict
  return whenFree(batch, part, () => startCall(batch, part, { input, notes }))
}
