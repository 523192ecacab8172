// The calls of one step: check → approve → start → settle, in call order. Every path through here ends in exactly one
// `tool-result` a call; results keep call order because they stand in their call's part.
import { runSubAgent, type RunTurn } from './sub-agent.js'
import type { Decision, TurnDeps } from './turn-deps.js'
import type { Failure } from '../data/errors.js'
import { runBuiltinTool } from './builtin-tools.js'
import { dropUndefined } from '../data/json.js'
import type { CallId, ToolCallPart, ToolResult } from '../data/message.js'
import { failureText, mayHaveHappened } from '../prompt/failure-text.js'
import { approvalNotes, composeResult, failedResult } from '../prompt/tool-result.js'
import type { ExecutionResult, Verdict } from '../data/protocol.js'
import { composeResultText } from '../prompt/result-text.js'
import { unavailableToolFailure, guardCall, type GuardedCall } from './call-guards.js'
import { latestToolCalls } from '../data/session.js'
import { allSettled, createSemaphore, type SemaphoreSlot } from './semaphore.js'
import { isTainted } from '../state/untrusted-text.js'
import { builtinToolNames, isRepeatable, retryPause, type ToolSpec } from '../data/tool.js'

/** What the host grants the page beyond the time its own clock allows a call. */
const graceAfterTimeout = 5_000

type Offer = ReadonlyMap<string, ToolSpec>

/**
 * Settles every open call of the newest message. Rejects when the signal is aborted (calls stay open), when the host
 * was fenced off, and with the error of a page handler that asked for the turn to end (after all calls are settled).
 */
export async function runCalls(deps: TurnDeps, signal: AbortSignal, offered: Offer, runTurn: RunTurn): Promise<void> {
  const calls = latestToolCalls(deps.session())
  const fatal: Failure[] = []
  const round: Round = {
    deps,
    signal,
    offered,
    calls,
    slot: createSemaphore(deps.config().limits.concurrency),
    fatal,
    runTurn,
  }
  // Whoever steps through a turn decides on the order, too.
  const isManual = deps.session().turn?.mode === 'manual'
  if (isManual)
    await allSettled(calls.filter((part) => part.result === undefined).map((part) => whenOrdered(round, part)))
  for (const group of isManual ? [] : groups(calls, offered)) {
    let open = group.filter((part) => part.result === undefined)
    if (open.length > 0 && isSuperseded(deps)) {
      for (const part of open) if (!part.started) await refuse({ deps }, part.call.id, movedOn)
      // What had begun before a reload is seen to its end.
      open = open.filter((part) => part.started)
    }
    if (open.length > 0) await settleGroup(round, open)
  }
  if (fatal[0]) throw new HandlerError(fatal[0])
}

/** A handler of the page wants the turn to end, also the turn around an agent's. */
export class HandlerError extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

/** Runs when it is its turn: an exclusive tool alone, also beside those of other agents. Until then it has not started. */
function whenFree({ deps, slot, offered }: Round, { call }: ToolCallPart, run: () => Promise<void>): Promise<void> {
  return slot(() => (offered.get(call.name)?.exclusive ? deps.alone(run) : run()))
}

async function whenOrdered(round: Round, part: ToolCallPart): Promise<void> {
  const { deps, signal } = round
  const order = await deps.order(part.call.id, signal)
  if (order.do === 'run' && isSuperseded(deps)) return refuse(round, part.call.id, movedOn)
  return order.do === 'settle' ? settle(round, part, order.outcome, []) : settleGroup(round, [part])
}

const movedOn: Failure = { code: 'superseded', message: 'The user moved on without answering. It did not run.' }

/** The user went on to another message: nothing more of this step begins. */
function isSuperseded(deps: TurnDeps): boolean {
  return latestToolCalls(deps.session()).some((part) => part.result?.error?.code === 'superseded')
}

interface Round {
  readonly deps: TurnDeps
  readonly signal: AbortSignal
  readonly offered: Offer
  /** All calls of the step. */
  readonly calls: readonly ToolCallPart[]
  readonly slot: SemaphoreSlot
  readonly fatal: Failure[]
  readonly runTurn: RunTurn
}

type Pending = GuardedCall & { readonly part: ToolCallPart }

/** An exclusive call is a group of its own: checked when all before it are settled, settled before the next is checked. */
function groups(calls: readonly ToolCallPart[], offered: Offer): ToolCallPart[][] {
  const result: ToolCallPart[][] = []
  let shared: ToolCallPart[] | undefined
  for (const part of calls) {
    if (offered.get(part.call.name)?.exclusive) {
      result.push([part])
      shared = undefined
    } else if (shared) {
      shared.push(part)
    } else {
      result.push((shared = [part]))
    }
  }
  return result
}

async function settleGroup(round: Round, open: readonly ToolCallPart[]): Promise<void> {
  const { deps, signal } = round
  const work: Promise<void>[] = []
  const begin = (one: Promise<void>) => {
    one.catch(() => undefined) // Met at the end; until then a call behind it may still be screened.
    work.push(one)
  }
  const pending: Pending[] = []
  for (const part of open) {
    // Calls that are refused are settled right here, so a stop between two of them has to be noticed here.
    if (signal.aborted) throw signal.reason
    const held = deps.held(part.call.id, signal)
    if (held) {
      begin(held.then((outcome) => settle(round, part, outcome, [])))
    } else if (part.started) {
      begin(whenFree(round, part, () => runAgain(round, part)))
    } else {
      const screened = guardCall(deps, round.offered, round.calls, part)
      if (screened.refused) await refuse(round, part.call.id, screened.refused, screened)
      else if (!screened.problem && builtinToolNames.has(part.call.name)) await runOnHost(round, part, screened.warning)
      else pending.push({ part, ...screened })
    }
  }
  if (pending.length > 0) begin(checkAll(round, pending))
  await allSettled(work)
}

/** One ask for all that the page has to check, then each call goes its own way. */
async function checkAll(round: Round, pending: readonly Pending[]): Promise<void> {
  const verdicts = await check(round, pending)
  await allSettled(
    pending.map(({ part, warning, text }) => {
      const given = verdicts.find((one) => one.callId === part.call.id)
      const verdict = given?.do === 'refuse' ? dropUndefined({ text, ...given }) : given
      return follow(round, part, verdict, warning === undefined ? [] : [warning])
    }),
  )
}

function check({ deps, signal, offered }: Round, pending: readonly Pending[]): Promise<readonly Verdict[]> {
  const calls = pending.map(
    ({
      part: {
        call: { id: callId, name, input, raw },
      },
      problem,
    }) => dropUndefined({ callId, name, input, raw, hash: offered.get(name)?.hash ?? '', problem }),
  )
  return deps.ask({ type: 'check', calls, tainted: isTainted(deps.root()) }, signal)
}

async function runOnHost(round: Round, part: ToolCallPart, warning: string | undefined): Promise<void> {
  const { deps } = round
  const { resultChars } = deps.config().limits
  const startedAt = deps.now()
  const outcome = await runBuiltinTool(part, round.calls, deps.session(), (callId) => deps.whole(callId), resultChars)
  const at = deps.now()
  const callId = part.call.id
  const common = { attempts: 1, startedAt, endedAt: at }
  const { error, text, todos } = outcome
  const marks = outcome.untrusted ? dropUndefined({ untrusted: true, foreign: outcome.foreign } as const) : {}
  const result: ToolResult =
    error === undefined
      ? {
          output: text,
          modelOutput: composeResultText({ ...outcome, callId, limit: Infinity, boundary: deps.nonce(), warning }).text,
          ...marks,
          ...common,
        }
      : { error, modelOutput: failureText(error), ...common }
  await deps.emit(dropUndefined({ type: 'tool-result', at, callId, result, todos }))
  if (todos) await deps.emit({ type: 'todos-change', todos })
}

/** Does what the verdict says; a question is asked until it is answered for the call as it stands. */
async function follow(
  round: Round,
  part: ToolCallPart,
  first: Verdict | undefined,
  notes: readonly string[],
): Promise<void> {
  const { deps, signal } = round
  const callId = part.call.id
  let verdict = first ?? {
    callId,
    do: 'refuse' as const,
    error: { code: 'unavailable' as const, message: 'The page did not answer for this call.' },
  }
  while (verdict.do === 'ask') {
    const { hash, title, input, preview, once } = verdict
    const approval = dropUndefined({ hash, title, input, at: deps.now(), preview })
    await deps.emit({ type: 'approval-request', at: approval.at, callId, approval })
    const decision = await deps.decision(callId, signal)
    if (decision.do === 'approve') {
      const { input: edited, reason } = decision
      const all = [...notes, ...approvalNotes(approval, edited, reason)]
      return whenFree(round, part, () =>
        start(
          round,
          part,
          edited ?? input,
          all,
          dropUndefined({ reason, edited: edited !== undefined }),
          decision.remember || once,
        ),
      )
    }
    if (decision.do !== 'recheck') return refuse(round, callId, refusal(decision))
    const [again] = await check(round, [{ part }])
    verdict = again ?? verdict
  }
  if (verdict.do === 'refuse') {
    if (verdict.fatal) round.fatal.push(verdict.fatal)
    return refuse(round, callId, verdict.error, verdict)
  }
  const denial = deps.denial(callId)
  if (denial) return refuse(round, callId, refusal(denial))
  const { input } = verdict
  return whenFree(round, part, () => start(round, part, input, notes))
}

function refusal(decision: Decision): Failure {
  if (decision.do !== 'deny') return movedOn
  const said = decision.reason ? ` They said: ${JSON.stringify(decision.reason)}` : ''
  return {
    code: 'denied',
    message: `The user denied this call. It did not run. Do not try it again unless they ask for it.${said}`,
  }
}

async function refuse(
  { deps }: Pick<Round, 'deps'>,
  callId: CallId,
  error: Failure,
  { text, untrusted }: { readonly text?: string | undefined; readonly untrusted?: boolean } = {},
): Promise<void> {
  const at = deps.now()
  const said =
    untrusted && text === undefined
      ? composeResultText({
          text: failureText(error),
          callId,
          limit: deps.config().limits.resultChars,
          untrusted,
          boundary: deps.nonce(),
        }).text
      : text
  await deps.emit({
    type: 'tool-result',
    at,
    callId,
    result: failedResult(error, at, { text: said, untrusted: untrusted && text === undefined }),
  })
}

async function start(
  round: Round,
  part: ToolCallPart,
  input: ToolCallPart['call']['input'],
  notes: readonly string[],
  approval?: { reason?: string; edited: boolean },
  grant = false,
): Promise<void> {
  const { deps, signal } = round
  const spec = round.offered.get(part.call.name)
  if (spec === undefined) return refuse(round, part.call.id, unavailableToolFailure(part.call.name))
  if (signal.aborted) throw signal.reason
  const { name: tool, hash } = spec
  await deps.emit(
    dropUndefined({
      type: 'tool-start',
      at: deps.now(),
      callId: part.call.id,
      hash,
      input,
      repeatable: isRepeatable(spec),
      grant: grant ? { tool, hash } : undefined,
    }),
  )
  await execute(round, part, spec, input, notes, approval)
}

/** A call that a crash cut, of a tool that may run twice: the same id, the same input, if the tool is still the same. */
async function runAgain(round: Round, part: ToolCallPart): Promise<void> {
  const spec = round.offered.get(part.call.name)
  if (spec === undefined || part.started === undefined || spec.hash !== part.started.hash || !isRepeatable(spec)) {
    return refuse(round, part.call.id, unavailableToolFailure(part.call.name))
  }
  await execute(round, part, spec, part.started.input, [])
}

async function execute(
  round: Round,
  part: ToolCallPart,
  spec: ToolSpec,
  input: ToolCallPart['call']['input'],
  notes: readonly string[],
  approval?: { reason?: string; edited: boolean },
): Promise<void> {
  const { deps, signal } = round
  const { id: callId, name } = part.call
  const startedAt = deps.now()
  const made = spec.agent && (await runSubAgent(deps, signal, part, spec.agent, input, round.runTurn))
  if (made?.error) return settle(round, part, { callId, attempts: 1, startedAt, endedAt: deps.now(), ...made }, notes)
  const attempts = spec.maxRetries + 1
  const allowed = spec.timeout > 0 ? spec.timeout * attempts + retryPause * spec.maxRetries + graceAfterTimeout : 0
  const late = new AbortController()
  const done = new AbortController()
  if (allowed > 0)
    deps.wait(allowed, done.signal).then(
      () => late.abort(),
      () => undefined,
    )
  const onProgress = (value: unknown) => {
    void deps.emit({ type: 'tool-progress', callId, value: value as never }).catch(() => undefined) // Display only.
  }
  let outcome: ExecutionResult
  try {
    const ask = dropUndefined({ type: 'execute', callId, name, input, hash: spec.hash, approval, made })
    outcome = await deps.ask(ask, AbortSignal.any([signal, late.signal]), onProgress)
  } catch (thrown) {
    if (signal.aborted || !late.signal.aborted) throw thrown
    const error = mayHaveHappened('timeout', `The page did not answer within ${allowed} ms.`, isRepeatable(spec))
    outcome = { callId, attempts, startedAt, endedAt: deps.now(), error }
  } finally {
    done.abort()
  }
  await settle(round, part, made ? { ...outcome, startedAt } : outcome, notes)
}

async function settle(
  round: Round,
  part: ToolCallPart,
  outcome: ExecutionResult,
  notes: readonly string[],
): Promise<void> {
  const { deps, signal, offered } = round
  // A stopped turn has settled this call, or is about to: what arrives now changes nothing.
  if (signal.aborted) throw signal.reason
  const { id: callId, input } = part.call
  const { input: ran, ...rest } = outcome
  const isSame = ran !== undefined && JSON.stringify(ran) === JSON.stringify(input)
  const { result, whole } = composeResult(isSame ? (rest as ExecutionResult) : outcome, {
    callId,
    resultChars: deps.config().limits.resultChars,
    boundary: deps.nonce(),
    notes,
    direct: offered.get(part.call.name)?.returnDirect ?? false,
  })
  if (outcome.error !== undefined && outcome.fatal) round.fatal.push(outcome.fatal)
  const context =
    outcome.error === undefined && outcome.context && outcome.context.length > 0 ? outcome.context : undefined
  await deps.emit(dropUndefined({ type: 'tool-result', at: deps.now(), callId, result, whole, context }))
}
