// Tells the model that a limit of the turn is near: once for each limit, as a line before the result of a call. What is
// used is counted from the messages, so a resumed turn tells the same.
import type { Limits } from '../data/tool.js'

/** How much of a limit is used when the model is told: a tenth is left, at least one. */
export const usedWhenTold = (limit: number): number => limit - Math.ceil(limit / 10)

/** What the turn has used when a call is made. */
export interface UsedLimits {
  /** Steps, with that of the call; undefined if an earlier call of the step tells about them. */
  readonly steps: number | undefined
  /** Calls, with this one. */
  readonly calls: number
  /** The tool of the call. */
  readonly tool: string
  /** Calls of this tool, with this one. */
  readonly callsOfTool: number
}

/** The notes that are due with this call. */
export function limitNotes(limits: Limits, used: UsedLimits): string[] {
  const notes: string[] = []
  const tell = (count: number | undefined, limit: number, what: string, todo: string): void => {
    if (count === undefined || count !== usedWhenTold(limit)) return
    const left = limit - count
    notes.push(`Note: ${left} of ${limit} ${what} ${left === 1 ? 'is' : 'are'} left in this turn. ${todo}`)
  }
  const most = 'Do what matters most, and tell the user what is still to do.'
  tell(used.steps, limits.steps, 'steps', `The last one must be your answer. ${most}`)
  tell(used.calls, limits.toolCalls, 'tool calls', most)
  // With a higher limit than that of all calls, it is never reached.
  if (limits.callsPerTool < limits.toolCalls)
    tell(used.callsOfTool, limits.callsPerTool, `calls of '${used.tool}'`, most)
  return notes
}

/** A line that `limitNotes` wrote. */
export const limitNote = /^Note: \d+ of \d+ .* (is|are) left in this turn\. .*$/
