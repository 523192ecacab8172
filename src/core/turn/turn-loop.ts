// A turn, from a user message to rest. The loop is a function over the session: before each step it looks at the
// newest message and does what is missing, so a resumed turn takes the same path as a new one.
import type { TurnOutcome as TurnEnd } from './sub-agent.js'
import { isFencedOff, modelStep, type StepOutcome } from './model-step.js'
import { HandlerError, runCalls } from './tool-calls.js'
import { trimmedMessages, countChars, compact, fittingRequest, type RequestBuilder } from '../prompt/compaction.js'
import { TurnAbort, type TurnDeps } from './turn-deps.js'
import { toFailure, type Failure } from '../data/errors.js'
import { builtinTools } from './builtin-tools.js'
import { dropUndefined, isObject } from '../data/json.js'
import { toolCallsOf, textOf, type AssistantMessage, type Reason, type ToolCallPart } from '../data/message.js'
import { mayHaveHappened } from '../prompt/failure-text.js'
import { failedResult } from '../prompt/tool-result.js'
import { countTurn } from './turn-counters.js'
import type { ModelRequest } from '../data/model.js'
import type { Prepared } from '../data/protocol.js'
import { buildRequest } from '../prompt/request.js'
import { openToolCalls, type Session } from '../data/session.js'
import type { ToolChoice, ToolSpec } from '../data/tool.js'

type End = NonNullable<TurnEnd>

/**
 * Runs the session's turn to its end: every call settled, then `turn-end`. Resolves early, with the turn left as it
 * is, when the signal was aborted as `closed`; rejects only with what `emit` rejects with when this host was fenced
 * off. `expect`: names of tools to wait for, where the turn is taken up again after a reload.
 */
export async function runTurn(deps: TurnDeps, signal: AbortSignal, expect?: readonly string[]): Promise<TurnEnd> {
  const turn = deps.session().turn
  if (turn === undefined) return undefined
  let end: End
  try {
    end = await steps(deps, signal, expect)
  } catch (thrown) {
    if (isFencedOff(thrown)) throw thrown
    if (signal.aborted) {
      const kind = signal.reason instanceof TurnAbort ? signal.reason.kind : 'stopped'
      if (kind === 'closed') return undefined
      end = { reason: kind }
    } else if (thrown instanceof HandlerError) {
      end = { reason: 'error', error: thrown.failure, isFatal: true }
    } else {
      end = { reason: 'error', error: toFailure(thrown, 'bad-response') }
    }
  }
  await cancelOpen(deps, end.reason)
  const { reason, error } = end
  await deps.emit(dropUndefined({ type: 'turn-end', at: deps.now(), turn: turn.id, reason, error }))
  return end
}

async function steps(deps: TurnDeps, signal: AbortSignal, expect: readonly string[] | undefined): Promise<End> {
  let offered: Offer | undefined
  let awaited = expect
  for (;;) {
    if (signal.aborted) throw signal.reason
    const session = deps.session()
    // Behind a note that was made for a model call which a crash cut, the newest message is the one before it.
    const place = session.messages.findLastIndex((message) => message.role !== 'summary')
    const newest = session.messages[place]
    const progress = countTurn(session)
    const counts = isCounted(session, place)
    const calls = counts ? toolCallsOf(newest) : []
    const isAnswer = counts && calls.length === 0
    if (isAnswer && !isNudgeDue(deps, session)) return { reason: 'stop' }
    if (calls.some((part) => part.result === undefined)) {
      // Taken up again: what their own request did not offer is not on offer to these calls, whatever the page has now.
      offered ??= new Map(
        [...offerOf(deps, await prepare(deps, signal, progress.steps, awaited))].filter(([name]) =>
          session.turn?.offered.includes(name),
        ),
      )
      awaited = undefined
      await runCalls(deps, signal, offered, runTurn)
      continue
    }
    if (calls.length > 0) {
      const end = endAfter(calls, progress.formatErrors > deps.config().limits.formatErrors)
      if (end) return end
      if (progress.nudged) return { reason: 'stop' }
    }
    if (!isAnswer && progress.steps >= deps.config().limits.steps) return { reason: 'max-steps' }

    if (session.turn?.mode === 'manual' && calls.length > 0) await deps.proceed(signal)
    const prepared = await prepare(deps, signal, progress.steps + 1, awaited)
    awaited = undefined
    if (prepared.stop && progress.steps > 0) return { reason: isAnswer ? 'stop' : 'condition' }
    offered = offerOf(deps, prepared)
    if (isAnswer) offered = new Map([...offered].filter(([name]) => name === 'todo_write'))
    const { sent, end } = await step(deps, signal, offered, prepared.toolChoice, isAnswer)
    if (end) return end
    offered = sent
  }
}

type Offer = ReadonlyMap<string, ToolSpec>
/** What the request held when it was sent: calls of its answer run nothing else. */
interface Sent {
  readonly sent: Offer
  readonly toolChoice?: ToolChoice
}

/** One model call, stored when it is complete. An end where the turn ends with it. */
async function step(
  deps: TurnDeps,
  signal: AbortSignal,
  offered: Offer,
  choice: ToolChoice | undefined,
  nudge: boolean,
): Promise<Sent & { readonly end?: End }> {
  const number = countTurn(deps.session()).steps + 1
  let outcome = await call(deps, signal, number, offered, choice, nudge)
  // An empty answer may be a hiccup of the server: the same request once more.
  if (!nudge && isEmpty(outcome) && outcome.finish === 'stop')
    outcome = await call(deps, signal, number, offered, choice, nudge)
  const { message, finish, failure, chars, sent, toolChoice } = outcome
  const endsAs = (reason: Reason, error?: Failure) => ({ sent, end: dropUndefined({ reason, error }) })
  const keep = async (kept: AssistantMessage) => {
    const offered = [...sent.keys()]
    await deps.emit(
      dropUndefined({
        type: 'step-end',
        at: kept.at,
        step: number,
        message: kept,
        offered,
        toolChoice,
        spent: deps.spent(),
        chars,
      }),
    )
  }
  if (nudge) {
    // Its text is dropped, because the answer was given. Its reasoning stays: providers refuse a call without it.
    const parts = message.parts.filter((part) =>
      part.type === 'tool-call' ? part.call.name === 'todo_write' : part.type === 'reasoning',
    )
    if (!parts.some((part) => part.type === 'tool-call')) return endsAs('stop')
    await keep({ ...message, parts })
    return { sent }
  }
  const hasText = textOf(message).trim() !== ''
  const hasCalls = toolCallsOf(message).length > 0
  if (hasText || hasCalls) await keep(message)
  if (signal.aborted) throw signal.reason
  if (finish === 'length' || finish === 'content-filter') return endsAs(finish)
  if (failure) return endsAs('error', failure)
  if (hasCalls) return { sent }
  if (finish === 'error')
    return endsAs('error', { code: 'bad-response', message: 'The model reported an error and gave no reason.' })
  if (finish === 'tool-calls' || !hasText) return endsAs('no-answer')
  return { sent }
}

async function call(
  deps: TurnDeps,
  signal: AbortSignal,
  number: number,
  offered: Offer,
  choice: ToolChoice | undefined,
  nudge: boolean,
): Promise<StepOutcome & Sent & { readonly chars: number }> {
  const { model, instructions, todo, contextWindow } = deps.config()
  const build: RequestBuilder = (session, clear) =>
    buildRequest(
      session,
      [...offered.values()],
      choiceNow(session, choice),
      dropUndefined({
        model,
        instructions,
        reminder: todo,
        nudge,
        keepResults: clear ? (contextWindow.keepResults ?? 3) : undefined,
      }),
    )
  const ask = async (fitting: ModelRequest) => {
    const request = await trimmedMessages(deps, signal, fitting)
    const { tools, toolChoice } = request
    const sent = new Map([...offered].filter(([name]) => tools.some((tool) => tool.name === name)))
    const outcome = await modelStep(deps, signal, request, number, sent)
    const changed = toolChoice === fitting.toolChoice ? undefined : toolChoice
    return dropUndefined({ ...outcome, chars: countChars(request), sent, toolChoice: changed })
  }
  const outcome = await ask(await fittingRequest(deps, signal, number, build))
  if (outcome.failure?.code !== 'context-overflow') return outcome
  await compact(deps, signal, number, build)
  return ask(build(deps.session(), true))
}

function prepare(
  deps: TurnDeps,
  signal: AbortSignal,
  number: number,
  expect: readonly string[] | undefined,
): Promise<Prepared> {
  const session = deps.session()
  const message = session.messages.findLast((one) => one.role === 'user')
  return deps.ask(
    dropUndefined({ type: 'prepare', turn: session.turn?.id ?? '', step: number, text: textOf(message), expect }),
    signal,
  )
}

const maxDepth = 2

function offerOf(deps: TurnDeps, prepared: Prepared): Offer {
  const own = builtinTools(deps.session(), deps.config().todo)
  // An agent of an agent may not call a third.
  const tools = prepared.tools.filter((spec) => spec.agent === undefined || deps.depth < maxDepth)
  return new Map([...tools, ...own].map((spec) => [spec.name, spec]))
}

/** A forced choice goes back to `auto` after its first use, or the model could never answer. */
function choiceNow(session: Session, prepared: ToolChoice | undefined): ToolChoice {
  const choice = prepared ?? session.turn?.options.toolChoice ?? 'auto'
  if (choice === 'auto' || choice === 'none') return choice
  return countTurn(session).calls.length > 0 ? 'auto' : choice
}

/** True for a message of this turn that counts, so not for what a continued turn began behind. */
function isCounted({ messages, start, turn }: Session, place: number): boolean {
  return messages[place]?.role === 'assistant' && turn !== undefined && start + place >= turn.counted
}

function isEmpty({ message, failure }: StepOutcome): boolean {
  return !failure && textOf(message).trim() === '' && toolCallsOf(message).length === 0
}

/** The model answered while an item is in progress, and the turn ran a tool. Once a turn: it ends behind the extra call. */
function isNudgeDue(deps: TurnDeps, session: Session): boolean {
  // In a stepped turn the last step is the answer, as its caller was told.
  if (deps.config().todo === false || session.turn?.mode === 'manual') return false
  if (!session.todos.some((todo) => todo.status === 'in_progress')) return false
  return countTurn(session).calls.some((part) => (part.result?.attempts ?? 0) > 0)
}

/** Whether the turn ends with the results of this step; read off the results, so that a reload comes to the same. */
function endAfter(calls: readonly ToolCallPart[], tooManyFormatErrors: boolean): End | undefined {
  for (const { result } of calls) {
    const { error } = result ?? {}
    if (error?.code === 'superseded') return { reason: 'superseded' }
    if (error?.code === 'limit') {
      const reason = isObject(error.details) ? error.details['reason'] : undefined
      return { reason: reason === 'repeated-calls' ? 'repeated-calls' : 'max-tool-calls' }
    }
  }
  if (tooManyFormatErrors) return { reason: 'format-errors' }
  if (calls.some((part) => part.result?.error)) return undefined
  const isDirect = calls.every((part) => part.result?.direct) || calls.at(-1)?.result?.direct === 'if-last'
  return isDirect ? { reason: 'direct' } : undefined
}

/** No turn ends with an open call. */
async function cancelOpen(deps: TurnDeps, reason: Reason): Promise<void> {
  const open = new Set(openToolCalls(deps.session()))
  const parts = deps
    .session()
    .messages.flatMap(toolCallsOf)
    .filter((part) => open.has(part.call.id))
  for (const part of parts) {
    const at = deps.now()
    const why =
      reason === 'stopped'
        ? 'Stopped by the user'
        : reason === 'interrupted'
          ? 'The user went on in another tab'
          : `The turn ended (${reason})`
    const code = reason === 'interrupted' ? reason : 'cancelled'
    const { started } = part
    const failure = started
      ? mayHaveHappened(code, `${why} while it ran.`, started.repeatable)
      : ({ code, message: `${why} before it ran.` } as const)
    await deps.emit({ type: 'tool-result', at, callId: part.call.id, result: failedResult(failure, at, { started }) })
  }
}
