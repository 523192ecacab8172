// Counts identical calls in a row.
import { canonicalJson } from '../data/plain-json.js'
import type { ToolCallPart } from '../data/message.js'

/** Tools whose calls may repeat: `page_wait` waits for a change, `todo_read` has no effect. */
const repeatableTools: ReadonlySet<string> = new Set(['page_wait', 'todo_read'])

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
