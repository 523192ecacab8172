// Counts what a turn has used so far. The counts are computed from its messages, so a reload cannot lose them.
import { toolCallsOf, textOf, type Message, type ToolCallPart } from '../data/message.js'
import type { Session } from '../data/session.js'

/** What the running turn has used. A continued turn counts from zero: see `Turn.counted`. */
export interface TurnCounters {
  /** Complete model calls. */
  readonly steps: number
  /** All calls, in call order. */
  readonly calls: readonly ToolCallPart[]
  /**
   * How many of the newest steps with calls, in a row, had arguments that were not one JSON object, or a final answer
   * that does not match the schema of the option `output`.
   */
  readonly formatErrors: number
  /** The extra call that updates the todo list after the answer was made. */
  readonly nudged: boolean
}

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
    formatErrors = calls.some(isFormatError) ? formatErrors + 1 : 0
  }
  const [before, newest] = [steps.at(-2), steps.at(-1)]
  const nudged =
    before !== undefined && toolCallsOf(before).length === 0 && textOf(before) !== '' && toolCallsOf(newest).length > 0
  return { steps: steps.length, calls: steps.flatMap(toolCallsOf), formatErrors, nudged }
}

const isFormatError = ({ call, result }: ToolCallPart): boolean =>
  call.raw !== undefined || result?.error?.code === 'format-error'
