// The turn loop: everything that happens from a user message to its `turn-end`, in this order. Only this file knows
// the order of the moves, and only `tool-calls.ts` that of a call. The details of each are in the file on the right.
//
//   nextMove            what comes next, decided by the session alone                                 next-move.ts
//   ├ call-model        one step:
//   │  StepTools        the tools of the request: as the page posted them, or as it answers           step-tools.ts
//   │  answerFor        the request, short enough (../prompt/), hooks, one more attempt if that helps step-answer.ts
//   │  └ modelStep      the stream of an answer, displayed as it arrives; retries                     model-step.ts
//   │  storeAnswer      `step-end`: the answer and its calls are stored
//   ├ run-calls         the calls of a step, each until its `tool-result`:                            tool-calls.ts
//   │  guardCall        the host refuses a call: not offered, no JSON, limits, repetitions            call-guards.ts
//   │  check, read      the page validates it and says what it would do; a call that only reads runs  reading-step.ts
//   │  askUser          the user approves, edits or denies it                                         ask-user.ts
//   │  startCall        `tool-start`, then the page runs it, or the host its own tool or an agent     tool-execution.ts
//   └ end               open calls are cancelled, `turn-end`
//
// The loop keeps no state between two moves but the tools of the newest request: so a resumed turn takes the same path
// as a new one.
import { toFailure, type Failure } from '../data/errors.js'
import { dropUndefined } from '../data/json.js'
import { ownToolCalls, textOf, type AssistantMessage, type Reason } from '../data/message.js'
import { ownsRuns } from '../data/model.js'
import { nextMove } from './next-move.js'
import { isReadingStep } from './reading-step.js'
import { answerFor, type StepAnswer, type StepPlan } from './step-answer.js'
import { StepTools } from './step-tools.js'
import { runCalls } from './tool-calls.js'
import { cancelOpenCalls } from './tool-execution.js'
import { isFencedOff, TurnAbort, type TurnDeps, type TurnOutcome } from './turn-deps.js'

/**
 * Runs the session's turn to its end: every call is settled, then `turn-end` is emitted. Resolves with undefined, and
 * leaves the turn open, if the signal was aborted as `closed`. Rejects only with the error of `emit` after which this
 * host must not write. `expect`: names of tools that the page must wait for when it resumes a turn after a reload.
 */
export async function runTurn(
  deps: TurnDeps,
  signal: AbortSignal,
  expect?: readonly string[],
): Promise<TurnOutcome | undefined> {
  const turn = deps.session().turn
  if (turn === undefined) return undefined
  let outcome: TurnOutcome
  try {
    outcome = await runMoves(deps, signal, new StepTools(deps, signal, expect))
  } catch (thrown) {
    if (isFencedOff(thrown)) throw thrown
    if (signal.aborted) {
      const kind = signal.reason instanceof TurnAbort ? signal.reason.kind : 'stopped'
      if (kind === 'closed') return undefined
      outcome = { reason: kind }
    } else {
      outcome = { reason: 'error', error: toFailure(thrown, 'bad-response') }
    }
  }
  const { reason, error } = outcome
  await cancelOpenCalls(deps, reason)
  await deps.emit(dropUndefined({ type: 'turn-end', at: deps.now(), turn: turn.id, reason, error }))
  return outcome
}

/** Makes moves until one ends the turn. Only a request, and calls that only read, may be ahead of the disk. */
async function runMoves(deps: TurnDeps, signal: AbortSignal, tools: StepTools): Promise<TurnOutcome> {
  for (;;) {
    if (signal.aborted) throw signal.reason
    const move = nextMove(deps.session(), deps.config())
    switch (move.move) {
      case 'call-model': {
        const { step, isNudge } = move
        const posted = tools.posted()
        if (posted === undefined || !deps.mayRequestAhead()) await deps.committed()
        if (step > 1 && deps.session().turn?.mode === 'manual') await deps.nextStepRequest(signal)
        const prepared = posted ?? (await tools.ask(step))
        if (prepared.stop && step > 1) return { reason: isNudge ? 'stop' : 'condition' }
        const offered = tools.offer(prepared)
        const answer = await answerFor(deps, signal, { step, isNudge, offered, toolChoice: prepared.toolChoice })
        tools.sent(answer.sent)
        const end = isNudge ? storeNudged(deps, step, answer) : storeAnswer(deps, signal, step, answer)
        if (end) return end
        break
      }
      case 'run-calls': {
        if (!tools.areKnown || deps.session().turn?.reads !== true) await deps.committed()
        const error = await runCalls(deps, signal, await tools.ofCalls(move.step))
        if (error && !signal.aborted) return { reason: 'error', error, isFatal: true }
        tools.afterCalls()
        break
      }
      case 'end':
        await deps.committed()
        return { reason: move.reason }
    }
  }
}

/** Stores an answer that is complete, or as far as it came. Returns how the turn ends, if it ends with this answer. */
function storeAnswer(
  deps: TurnDeps,
  signal: AbortSignal,
  step: StepPlan['step'],
  answer: StepAnswer,
): TurnOutcome | undefined {
  const { message, finish, failure } = answer
  const hasText = textOf(message).trim() !== ''
  const hasCalls = ownToolCalls(message).length > 0
  // What an agent on a server did has happened, also without words.
  const isRun = ownsRuns(deps.config())
  const hasEffect = isRun && (message.parts.length > 0 || answer.state !== undefined)
  if (hasText || hasCalls || hasEffect) store(deps, step, answer, message)
  if (signal.aborted) throw signal.reason
  const endWith = (reason: Reason, error?: Failure): TurnOutcome => dropUndefined({ reason, error })
  if (finish === 'length' || finish === 'content-filter') return endWith(finish)
  if (failure) return endWith('error', failure)
  if (hasCalls) return undefined
  if (finish === 'error') return endWith('error', { code: 'bad-response', message: 'The model reported an error.' })
  // A server may say `tool-calls` without a call. The text is the answer.
  if (hasText) return undefined
  return endWith(isRun ? 'stop' : 'no-answer')
}

/**
 * Stores what an answer to a nudge changes in the todo list. The text is dropped: the answer was already given. The
 * reasoning stays: providers reject a call without it.
 */
function storeNudged(deps: TurnDeps, step: StepPlan['step'], answer: StepAnswer): TurnOutcome | undefined {
  // The request offered all tools, so that it begins like the one before, but only the list may be updated.
  const parts = answer.message.parts.filter((part) =>
    part.type === 'tool-call' ? part.call.name === 'todo_write' : part.type === 'reasoning',
  )
  if (!parts.some((part) => part.type === 'tool-call')) return { reason: 'stop' }
  store(deps, step, answer, { ...answer.message, parts })
  return undefined
}

/** Not awaited: the loop waits for the commit, except with calls that only read. If it fails, the next event fails. */
function store(
  deps: TurnDeps,
  step: number,
  { sent, toolChoice, chars, added, state }: StepAnswer,
  answer: AssistantMessage,
): void {
  const message = dropUndefined({ ...answer, added })
  const event = dropUndefined({
    type: 'step-end',
    at: message.at,
    step,
    message,
    offered: [...sent.keys()],
    toolChoice,
    spent: deps.timeSpent(),
    chars,
    reads: isReadingStep(deps, sent, ownToolCalls(message)) || undefined,
    state,
  })
  deps.emit(event).catch(() => undefined)
}
