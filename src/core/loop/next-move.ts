// Decides what a turn does next. A pure function of the session and the configuration, so a turn that is resumed after
// a reload takes the same path as one that was never interrupted.
import { ownToolCalls, type AssistantMessage, type Reason, type ToolCallPart } from '../data/message.js'
import { ownsRuns } from '../data/model.js'
import type { HostConfig } from '../data/protocol.js'
import type { Session } from '../data/session.js'
import { countTurn, limitReason, type TurnCounters } from './turn-counters.js'

/** The next move of a turn: end it, run the open calls of the newest step, or call the model. */
export type Move =
  | {
      readonly move: 'end'
      /** The reason for the `turn-end`, as far as the session decides it. Aborts and errors have other reasons. */
      readonly reason: Reason
    }
  | {
      readonly move: 'run-calls'
      /** The number of the step whose calls are open, from 1. */
      readonly step: number
    }
  | {
      readonly move: 'call-model'
      /** The number of the step that begins, from 1. */
      readonly step: number
      /** The answer is complete, but the todo list is not: one extra call lets the model update the list. */
      readonly isNudge: boolean
    }

/** What of the configuration decides. */
type MoveConfig = Pick<HostConfig, 'limits' | 'todo'> & Partial<Pick<HostConfig, 'provider'>>

/**
 * The next move of the session's turn. The rules, in this order:
 * 1. An answer without calls ends the turn, unless the todo list needs an update.
 * 2. Open calls run.
 * 3. The results of a step can end the turn: see `reasonAfterCalls`.
 * 4. `limits.steps` ends the turn.
 * 5. The model is called.
 */
export function nextMove(session: Session, config: MoveConfig): Move {
  const { limits, todo } = config
  const counters = countTurn(session)
  const newest = newestCountedMessage(session)
  const calls = ownToolCalls(newest)
  const isAnswer = newest !== undefined && calls.length === 0
  const isNudge = isAnswer && todo !== false && !ownsRuns(config) && isTodoInProgress(session, counters)

  if (isAnswer && !isNudge) return { move: 'end', reason: 'stop' }
  if (calls.some((part) => part.result === undefined)) return { move: 'run-calls', step: counters.steps }
  const reason = reasonAfterCalls(calls, counters, limits.formatErrors)
  if (reason) return { move: 'end', reason }
  // A nudge is not counted: it only completes an answer that is already there.
  if (!isNudge && counters.steps >= limits.steps) return { move: 'end', reason: 'max-steps' }
  return { move: 'call-model', step: counters.steps + 1, isNudge }
}

/**
 * The newest message, if it is an assistant message that counts for this turn: not one that a continued turn follows.
 */
function newestCountedMessage({ messages, start, turn }: Session): AssistantMessage | undefined {
  // A summary that was made for a model call can follow the newest message, if a crash cut that call.
  const index = messages.findLastIndex((message) => message.role !== 'summary')
  const newest = messages[index]
  return newest?.role === 'assistant' && turn !== undefined && start + index >= turn.counted ? newest : undefined
}

/**
 * True if the turn ran a tool and an item of the todo list is still in progress. Never in a stepped turn, because its
 * caller receives the last step as the answer.
 */
function isTodoInProgress({ todos, turn }: Session, { calls }: TurnCounters): boolean {
  if (turn?.mode === 'manual' || !todos.some((todo) => todo.status === 'in_progress')) return false
  return calls.some((part) => (part.result?.attempts ?? 0) > 0)
}

/** Why the turn ends after the settled calls of its newest step; undefined if it continues or there are no calls. */
function reasonAfterCalls(
  calls: readonly ToolCallPart[],
  { calls: turnCalls, formatErrors, nudged }: TurnCounters,
  maxFormatErrors: number,
): Reason | undefined {
  if (calls.length === 0) return undefined
  for (const { result } of calls) {
    if (result?.error?.code === 'superseded') return 'superseded'
  }
  const limits = new Set(calls.map(limitReason))
  if (limits.has('repeated-calls')) return 'repeated-calls'
  // The model is told once, and can answer. If it calls again, the turn ends.
  const isLimited = (part: ToolCallPart): boolean => limitReason(part) === 'max-tool-calls'
  if (limits.has('max-tool-calls') && turnCalls.some((part) => isLimited(part) && !calls.includes(part)))
    return 'max-tool-calls'
  if (formatErrors > maxFormatErrors) return 'format-errors'
  if (!calls.some((part) => part.result?.error)) {
    const isDirect = calls.every((part) => part.result?.direct) || calls.at(-1)?.result?.direct === 'if-last'
    if (isDirect) return 'direct'
  }
  return nudged ? 'stop' : undefined
}
