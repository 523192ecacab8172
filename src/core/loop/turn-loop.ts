// Runs a turn, from the user message to its `turn-end`. The loop keeps no state of its own: `nextMove` reads the
// session before each step, so a resumed turn takes the same path as a new one.
import { isHollowAnswer, modelStep, requestAfterHook, type StepOutcome } from './model-step.js'
import { nextMove, type Move } from './next-move.js'
import { isReadingStep } from './reading-step.js'
import { runCalls } from './tool-calls.js'
import { failCall } from './tool-execution.js'
import { fittingRequest, requestAfterRejection, requestWithFewerFiles } from '../prompt/compaction.js'
import { countChars } from '../prompt/request-size.js'
import { isFencedOff, TurnAbort, type OfferedTools, type TurnDeps, type TurnOutcome } from './turn-deps.js'
import { toFailure, type Failure } from '../data/errors.js'
import { builtinTools } from './builtin-tools.js'
import { dropUndefined } from '../data/json.js'
import { toolCallsOf, textOf, type AssistantMessage, type Reason, type RequestAddition } from '../data/message.js'
import { heldNotSent, mayHaveHappened } from '../prompt/failure-text.js'
import { stoppedBefore } from '../data/stopped-effect.js'
import { countTurn } from './turn-counters.js'
import type { ModelRequest } from '../data/model.js'
import type { Prepared } from '../data/protocol.js'
import { buildRequest, requestAddition, type RequestBuilder } from '../prompt/request.js'
import type { Session } from '../data/session.js'
import type { ToolChoice } from '../data/tool.js'

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
    outcome = await runMoves(deps, signal, expect)
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

async function runMoves(
  deps: TurnDeps,
  signal: AbortSignal,
  expect: readonly string[] | undefined,
): Promise<TurnOutcome> {
  let offered: OfferedTools | undefined
  let expected = expect
  // Whether the newest offer of the page is as good as an answer. After an action, components register their tools a
  // frame later, and then the page must be asked.
  let isFresh = expect === undefined
  const prepare = async (step: number): Promise<Prepared> => {
    const { turn, messages } = deps.session()
    const text = textOf(messages.findLast((message) => message.role === 'user'))
    const query = dropUndefined({ type: 'prepare', turn: turn?.id ?? '', step, text, expect: expected })
    const prepared = await deps.ask(query, signal)
    expected = undefined // Only the first query after a reload waits for tools.
    return prepared
  }
  for (;;) {
    if (signal.aborted) throw signal.reason
    const move = nextMove(deps.session(), deps.config())
    const posted: Prepared | undefined = move.move === 'call-model' && isFresh ? deps.postedOffer() : undefined
    // Only a request, and calls that only read, may be ahead of the disk.
    const isReading = move.move === 'run-calls' && offered !== undefined && deps.session().turn?.reads === true
    if (!isReading && (posted === undefined || !deps.mayRequestAhead())) await deps.committed()
    switch (move.move) {
      case 'end':
        return { reason: move.reason }
      case 'run-calls': {
        offered ??= offeredBefore(deps, await prepare(move.step))
        const error = await runCalls(deps, signal, offered)
        if (error && !signal.aborted) return { reason: 'error', error, isFatal: true }
        isFresh = deps.session().turn?.reads === true && !deps.config().hooks.stopWhen
        break
      }
      case 'call-model': {
        const { step, isNudge } = move
        if (step > 1 && deps.session().turn?.mode === 'manual') await deps.nextStepRequest(signal)
        const { tools, toolChoice, stop } = posted ?? (await prepare(step))
        isFresh = false
        if (stop && step > 1) return { reason: isNudge ? 'stop' : 'condition' }
        offered = offeredTools(deps, tools)
        const { sent, end } = await runStep(deps, signal, { step, isNudge, offered, toolChoice })
        if (end) return end
        offered = sent
      }
    }
  }
}

interface StepPlan extends Pick<Extract<Move, { move: 'call-model' }>, 'step' | 'isNudge'> {
  readonly offered: OfferedTools
  /** The tool choice that the page's hook returned. */
  readonly toolChoice: ToolChoice | undefined
  /** The answer before wrote a call as text. */
  readonly isCallLeaked?: boolean
}

interface SentRequest {
  /** What the request had besides the messages. */
  readonly added?: RequestAddition
  /** The tools of the request as it was sent. Calls in its answer can run only these. */
  readonly sent: OfferedTools
  /** The tool choice of the request, if a hook changed it. */
  readonly toolChoice?: ToolChoice
}

/** Calls the model once and stores the complete answer. `end` is set if the turn ends with this answer. */
async function runStep(
  deps: TurnDeps,
  signal: AbortSignal,
  plan: StepPlan,
): Promise<{ readonly sent: OfferedTools; readonly end?: TurnOutcome }> {
  const { step, isNudge } = plan
  let answer = await callModel(deps, signal, plan)
  // The request is sent once more. For a call that was written as text, it says so.
  if (!isNudge && isHollowAnswer(answer))
    answer = await callModel(deps, signal, { ...plan, isCallLeaked: answer.isCallLeaked })
  const { finish, failure, chars, sent, toolChoice, added } = answer
  const message = dropUndefined({ ...answer.message, added })
  const endWith = (reason: Reason, error?: Failure) => ({ sent, end: dropUndefined({ reason, error }) })
  // Not awaited: the loop waits for the commit, except with calls that only read. If it fails, so does the next event.
  const store = (stored: AssistantMessage): void => {
    const event = dropUndefined({
      type: 'step-end',
      at: stored.at,
      step,
      message: stored,
      offered: [...sent.keys()],
      toolChoice,
      spent: deps.timeSpent(),
      chars,
      reads: isReadingStep(deps, sent, toolCallsOf(stored)) || undefined,
    })
    deps.emit(event).catch(() => undefined)
  }
  if (isNudge) {
    // The text is dropped: the answer was already given. The reasoning stays: providers reject a call without it.
    // The request offered all tools, so that it begins like the one before, but only the list may be updated.
    const parts = message.parts.filter((part) =>
      part.type === 'tool-call' ? part.call.name === 'todo_write' : part.type === 'reasoning',
    )
    if (!parts.some((part) => part.type === 'tool-call')) return endWith('stop')
    store({ ...message, parts })
    return { sent }
  }
  const hasText = textOf(message).trim() !== ''
  const hasCalls = toolCallsOf(message).length > 0
  if (hasText || hasCalls) store(message)
  if (signal.aborted) throw signal.reason
  if (finish === 'length' || finish === 'content-filter') return endWith(finish)
  if (failure) return endWith('error', failure)
  if (hasCalls) return { sent }
  if (finish === 'error') return endWith('error', { code: 'bad-response', message: 'The model reported an error.' })
  // A server may say `tool-calls` without a call. The text is the answer.
  if (!hasText) return endWith('no-answer')
  return { sent }
}

/** One model call, with a second attempt after compaction if the request was too long or had files of older turns. */
async function callModel(
  deps: TurnDeps,
  signal: AbortSignal,
  { step, offered, toolChoice, isNudge, isCallLeaked = false }: StepPlan,
): Promise<StepOutcome & SentRequest & { readonly chars: number }> {
  const { model, instructions, todo } = deps.config()
  const settings = { model, instructions, tools: [...offered.values()], reminder: todo, nudge: isNudge, isCallLeaked }
  const build: RequestBuilder = (session) =>
    buildRequest(session, { ...settings, toolChoice: nextToolChoice(session, toolChoice) })
  const send = async (built: ModelRequest) => {
    const added = requestAddition(deps.session(), settings)
    const request = await requestAfterHook(deps, signal, built)
    const sent = new Map([...offered].filter(([name]) => request.tools.some((tool) => tool.name === name)))
    const outcome = await modelStep(deps, signal, { request, step, offered: sent })
    const changed = request.toolChoice === built.toolChoice ? undefined : request.toolChoice
    return dropUndefined({ ...outcome, chars: countChars(request), sent, toolChoice: changed, added })
  }
  const request = await fittingRequest(deps, signal, { step, build })
  const outcome = await send(request)
  const code = outcome.failure?.code
  if (code === 'context-overflow') return send(await requestAfterRejection(deps, signal, { step, build }, request))
  if (code !== 'request-too-large') return outcome
  const smaller = await requestWithFewerFiles(deps, signal, { step, build })
  return smaller ? send(smaller) : outcome
}

/** How deep agents may be nested: an agent inside an agent must not call a third one. */
const maxAgentDepth = 2

/** The tools of the next request. Those of the host come first: they are in every request. */
function offeredTools(deps: TurnDeps, tools: Prepared['tools']): OfferedTools {
  const allowed = tools.filter((spec) => spec.agent === undefined || deps.depth < maxAgentDepth)
  return new Map([...builtinTools(deps.session(), deps.config().todo), ...allowed].map((spec) => [spec.name, spec]))
}

/** The tools for the open calls of a resumed turn: only those that the request of these calls offered. */
function offeredBefore(deps: TurnDeps, { tools }: Prepared): OfferedTools {
  const names = deps.session().turn?.offered
  return new Map([...offeredTools(deps, tools)].filter(([name]) => names?.includes(name)))
}

/** A forced choice returns to `auto` after the first call. Otherwise the model could never answer. */
function nextToolChoice(session: Session, prepared: ToolChoice | undefined): ToolChoice {
  const choice = prepared ?? session.turn?.options.toolChoice ?? 'auto'
  if (choice === 'auto' || choice === 'none') return choice
  return countTurn(session).calls.length > 0 ? 'auto' : choice
}

/** Settles every open call with an error: no turn may end with an open call. */
async function cancelOpenCalls(deps: TurnDeps, reason: Reason): Promise<void> {
  const code = reason === 'interrupted' ? reason : 'cancelled'
  let cause = reason === 'stopped' ? 'Stopped by the user' : `The turn ended (${reason})`
  if (reason === 'interrupted') cause = 'The user continued in another tab'
  for (const { call, started, held, approval, result } of deps.session().messages.flatMap(toolCallsOf)) {
    if (result !== undefined) continue
    if (held) {
      const error = { code, message: `${cause}. ${heldNotSent}` } as const
      await failCall(deps, call.id, { error, started, stopped: stoppedBefore(approval) })
      continue
    }
    const error = started
      ? mayHaveHappened(code, `${cause} while it ran.`, started.repeatable)
      : ({ code, message: `${cause} before it ran.` } as const)
    await failCall(deps, call.id, { error, started })
  }
}
