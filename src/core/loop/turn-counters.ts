// Counts what a turn has used so far. The counts are computed from its messages, so a reload cannot lose them.
import { ownToolCalls, textOf, type Message, type ToolCallPart } from '../data/message.js'
import { isObject } from '../data/json.js'
import type { Session } from '../data/session.js'

/** What the running turn has used. A continued turn counts from zero: see `Turn.counted`. */
export interface TurnCounters {
  /** Complete model calls. */
  readonly steps: number
  /**
   * All calls, in call order. Without those that were too many for their step: the model is told to call again. And
   * without those that a server ran itself.
   */
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
    const calls = ownToolCalls(step)
    if (calls.length === 0) continue
    formatErrors = calls.some(isFormatError) ? formatErrors + 1 : 0
  }
  const [before, newest] = [steps.at(-2), steps.at(-1)]
  const nudged =
    before !== undefined &&
    ownToolCalls(before).length === 0 &&
    textOf(before) !== '' &&
    ownToolCalls(newest).length > 0
  return {
    steps: steps.length,
    calls: steps.flatMap(ownToolCalls).filter((part) => limitReason(part) !== perStep),
    formatErrors,
    nudged,
  }
}

/** The reason of a call that was too many for its step. It does not end the turn. */
export const perStep = 'calls-per-step'

/** Which limit refused the call: the reason of the turn's end, or `perStep`. Undefined for any other call. */
export function limitReason({ result }: ToolCallPart): string | undefined {
  const { error } = result ?? {}
  if (error?.code !== 'limit') return undefined
  const reason = isObject(error.details) ? error.details['reason'] : undefined
  return typeof reason === 'string' ? reason : 'max-tool-calls'
}

const isFormatError = ({ call, result }: ToolCallPart): boolean =>
  call.raw !== undefined || result?.error?.code === 'format-error'
