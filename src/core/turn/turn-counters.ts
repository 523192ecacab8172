// Counts what a turn has used so far. The counts are computed from its messages, so a reload cannot lose them.
import { canonicalJson } from '../data/json.js'
import { toolCallsOf, textOf, type Message, type ToolCallPart } from '../data/message.js'
import type { Session } from '../data/session.js'

/** What the running turn has used. A continued turn counts from zero: see `Turn.counted`. */
export interface TurnCounters {
  /** Complete model calls. */
  readonly steps: number
  /** All calls, in call order. */
  readonly calls: readonly ToolCallPart[]
  /** How many of the newest steps with calls, in a row, had arguments that were not one JSON object. */
  readonly formatErrors: number
  /** The extra call that updates the todo list after the answer was made. */
  readonly nudged: boolean
}

/** Tools whose calls may repeat: `page_wait` waits for a change, `todo_read` has no effect. */
const repeatableTools: ReadonlySet<string> = new Set(['page_wait', 'todo_read'])

/** The messages of the running turn that count against its limits. */
export function countedMessages(session: Session): readonly Message[] {
  const from = session.turn === undefined ? Infinity : session.turn.counted - session.start
  return session.messages.slice(Math.max(0, from))
}

/** Counts the running turn of the session. All zero without a turn. */
export function countTurn(session: Session): TurnCounters {
  const steps = countedMessages(session).filter((message) => message.role === 'assistant')
  let formatErrors = 0
  for (const step of steps) {
    const calls = toolCallsOf(step)
    if (calls.length === 0) continue
    formatErrors = calls.some((part) => part.call.raw !== undefined) ? formatErrors + 1 : 0
  }
  const [before, newest] = [steps.at(-2), steps.at(-1)]
  const nudged =
    before !== undefined && toolCallsOf(before).length === 0 && textOf(before) !== '' && toolCallsOf(newest).length > 0
  return { steps: steps.length, calls: steps.flatMap(toolCallsOf), formatErrors, nudged }
}

/**
 * The number of identical calls in a row that end with this one, over all steps of the turn: 1 for a new call, 0 for a
 * call that may repeat. Identical: the same tool with equal arguments.
 */
export function repetitions(calls: readonly ToolCallPart[], callId: string): number {
  const guarded = calls.filter((part) => !repeatableTools.has(part.call.name))
  const index = guarded.findIndex((part) => part.call.id === callId)
  const keyOf = (part: ToolCallPart | undefined) => part && `${part.call.name} ${canonicalJson(part.call.input)}`
  let count = 0
  while (index - count >= 0 && keyOf(guarded[index - count]) === keyOf(guarded[index])) count++
  return index < 0 ? 0 : count
}
