// Finds calls that repeat without progress: one call, or a short sequence of calls, that is made again with equal
// results. The same call with another result is progress, such as a key that moves on in a menu.
import { canonicalJson } from '../data/plain-json.js'
import type { ToolCallPart, ToolResult } from '../data/message.js'

/** Tools whose calls may repeat: `page_wait` waits for a change, `todo_read` has no effect. */
const repeatableTools: ReadonlySet<string> = new Set(['page_wait', 'todo_read'])

/** Longer sequences are not compared. */
const longestSequence = 6

/** A sequence of calls that is repeated. */
export interface Repetition {
  /** How many calls the sequence has: 1 for one call in a row. */
  readonly calls: number
  /** How often the sequence was made, the call that was asked about included: 1 for a new call. */
  readonly times: number
}

/**
 * The repetition that ends with this call, over all steps of the turn. Calls are equal if tool and arguments are, and
 * the results too, as far as they are known. `times` is 0 for a call that may repeat.
 */
export function repetitionBefore(calls: readonly ToolCallPart[], callId: string): Repetition {
  const guarded = calls.filter((part) => !repeatableTools.has(part.call.name))
  const index = guarded.findIndex((part) => part.call.id === callId)
  let most: Repetition = { calls: 1, times: index < 0 ? 0 : 1 }
  for (let length = 1; length <= longestSequence; length++) {
    let equal = 0
    while (areEqual(guarded[index - equal], guarded[index - equal - length])) equal++
    // The sequence need not be complete: its first call begins the next time.
    const times = Math.ceil(equal / length) + 1
    if (times > most.times) most = { calls: length, times }
  }
  return most
}

function areEqual(one: ToolCallPart | undefined, other: ToolCallPart | undefined): boolean {
  if (!one || !other || one.call.name !== other.call.name) return false
  if (canonicalJson(one.call.input) !== canonicalJson(other.call.input)) return false
  // Without a result yet, no progress is known.
  return !one.result || !other.result || contentOf(one.result) === contentOf(other.result)
}

/** What the tool returned. Not the text for the model, whose fence is different in each result. */
function contentOf({ error, output, cut }: ToolResult): string {
  return canonicalJson(error ? [error.code, error.message] : [output ?? null, cut?.chars ?? 0])
}
