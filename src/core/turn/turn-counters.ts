// What a turn has used so far, read off its messages: counters that a reload cannot lose.
import { canonicalJson } from '../data/json.js'
import { toolCallsOf, textOf, type Message, type ToolCallPart } from '../data/message.js'
import type { Session } from '../data/session.js'

export interface TurnCounters {
  readonly steps: number
  /** Every call of the counted part of the turn, in call order. */
  readonly calls: readonly ToolCallPart[]
  /** Steps in a row, up to the newest one with calls, whose arguments were not JSON. */
  readonly formatErrors: number
  /** The one extra call for the todo list was made and settled. */
  readonly nudged: boolean
}

/** Calls that may repeat: they look at something that changes by itself, or change nothing. */
const unguarded: ReadonlySet<string> = new Set(['page_wait', 'todo_read'])

/** Messages of the running turn that count against its limits. */
export function countedMessages(session: Session): readonly Message[] {
  const from = session.turn === undefined ? Infinity : session.turn.counted - session.start
  return session.messages.slice(Math.max(0, from))
}

export function countTurn(session: Session): TurnCounters {
  const counted = countedMessages(session)
  const steps = counted.filter((message) => message.role === 'assistant')
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

/** How many identical calls in a row end with this one, over the steps of the turn; 0 for one that may repeat. */
export function repetitions(calls: readonly ToolCallPart[], callId: string): number {
  const guarded = calls.filter((part) => !unguarded.has(part.call.name))
  const place = guarded.findIndex((part) => part.call.id === callId)
  const key = (part: ToolCallPart | undefined) => part && `${part.call.name} ${canonicalJson(part.call.input)}`
  let count = 0
  while (place - count >= 0 && key(guarded[place - count]) === key(guarded[place])) count++
  return place < 0 ? 0 : count
}
