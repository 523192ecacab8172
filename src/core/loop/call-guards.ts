// Checks that the host makes before the page sees a call: the tool must be offered, the arguments must be JSON, the
// limits must hold, and the call must not repeat without end.
import { formatErrorText, nearestNames } from './parse-tool-calls.js'
import { unavailableToolFailure } from '../prompt/failure-text.js'
import type { OfferedTools, TurnDeps } from './turn-deps.js'
import type { Failure } from '../data/errors.js'
import type { ToolCallPart, ToolResult } from '../data/message.js'
import { countTurn, perStep } from './turn-counters.js'
import type { Limits } from '../data/tool.js'
import { findToolsName } from './tool-names.js'
import { canonicalJson } from '../data/plain-json.js'

/** Repetitions without progress: from the third on, the result begins with a warning; the fifth does not run. */
const warnAt = 3
const refuseAt = 5

/** The calls of a step. */
interface StepCalls {
  readonly deps: TurnDeps
  readonly offered: OfferedTools
  /** All calls of the step, in call order. */
  readonly calls: readonly ToolCallPart[]
}

/** The outcome of the guards. Empty: the call passed. */
export type GuardedCall = {
  /** The call must not run. The page does not see it. */
  readonly refused?: Failure
  /** The call cannot run, but the handlers of the page may replace the error text. */
  readonly problem?: Failure
  /** What the model reads instead of the code and message of `refused` or `problem`. */
  readonly text?: string
  /** The message of `refused` quotes what others have written. */
  readonly untrusted?: boolean
  /** These lines precede its result, also that of a call that does not run. */
  readonly notes?: readonly string[]
}

/** Guards one call of a step. */
export function guardCall(step: StepCalls, part: ToolCallPart): GuardedCall {
  const guarded = applyGuards(step, part)
  if (guarded.refused?.code === 'limit') return guarded
  const { deps, calls } = step
  const turn = countTurn(deps.session())
  const callsSoFar = turn.calls.slice(0, turn.calls.findIndex((one) => one.call.id === part.call.id) + 1)
  const notes = [
    ...(guarded.notes ?? []),
    ...limitNotes(deps.config().limits, {
      steps: calls.indexOf(part) === 0 && !turn.nudged ? turn.steps : undefined,
      calls: callsSoFar.length,
      tool: part.call.name,
      callsOfTool: callsSoFar.filter((one) => one.call.name === part.call.name).length,
    }),
  ]
  return notes.length > 0 ? { ...guarded, notes } : guarded
}

function applyGuards({ deps, offered, calls }: StepCalls, part: ToolCallPart): GuardedCall {
  const { call } = part
  const session = deps.session()
  const { limits } = deps.config()
  const { options, offered: names, toolChoice = options?.toolChoice } = session.turn ?? {}
  if (toolChoice === 'none') {
    return { refused: { code: 'refused', message: 'Do not call tools in this turn. Answer with text.' } }
  }
  if (!offered.has(call.name)) {
    if (names?.includes(call.name)) return { refused: unavailableToolFailure(call.name) }
    return { problem: unknownToolFailure(call.name, offered) }
  }
  const { unread } = offered.get(call.name) ?? {}
  if (unread) return { refused: unread.error, untrusted: unread.untrusted }
  if (call.raw !== undefined) {
    return {
      problem: { code: 'format-error', message: 'The arguments were not one JSON object' },
      text: formatErrorText(call.raw),
    }
  }
  const { length: bytes } = new TextEncoder().encode(JSON.stringify(call.input))
  if (bytes > limits.argumentBytes) {
    const message = `Limit reached: at most ${limits.argumentBytes} bytes of arguments, received ${bytes}.`
    return { refused: { code: 'invalid-input', message } }
  }
  const { calls: turnCalls } = countTurn(session)
  const index = turnCalls.findIndex((one) => one.call.id === call.id)
  const sameTool = turnCalls.slice(0, index + 1).filter((one) => one.call.name === call.name).length
  const limit = (message: string, reason = 'max-tool-calls'): GuardedCall => ({
    refused: { code: 'limit', message, details: { reason } },
  })
  if (calls.indexOf(part) >= limits.callsPerStep)
    return limit(`Only ${limits.callsPerStep} calls run per step, and this one did not. Call again.`, perStep)
  const answer = 'Answer the user now: what is done, and what is still to do.'
  if (index >= limits.toolCalls) return limit(`Limit reached: at most ${limits.toolCalls} calls per turn. ${answer}`)
  if (sameTool > limits.callsPerTool)
    return limit(`Limit reached: at most ${limits.callsPerTool} calls of '${call.name}' per turn. ${answer}`)
  const repeated = repetitionBefore(turnCalls, call.id)
  if (repeated.times >= refuseAt)
    return limit(
      repeated.calls === 1
        ? 'The same call was made five times in a row. It did not run.'
        : `The same ${repeated.calls} calls were made five times in a row, with the same results. It did not run.`,
      'repeated-calls',
    )
  return repeated.times < warnAt ? {} : { notes: [repetitionWarning(repeated)] }
}

/** The line before the result of a call that was made, or whose sequence was made, three or four times in a row. */
function repetitionWarning({ calls, times }: Repetition): string {
  const time = times === warnAt ? 'third' : 'fourth'
  return calls === 1
    ? `Warning: this is the same call for the ${time} time in a row. ` +
        'Its result will not change: do something else, or answer.'
    : `Warning: these ${calls} calls are made for the ${time} time in a row, with the same results. ` +
        'Do something else, or answer.'
}

/** A line that `repetitionWarning` wrote. */
export const repetitionNote = /^Warning: (this is the same call|these \d+ calls are made) for the .*$/

function unknownToolFailure(name: string, offered: OfferedTools): Failure {
  const known = name.slice(0, 80)
  const nearest = nearestNames(known, offered)
  const names = nearest.map((one) => `'${one}'`).join(', ')
  let advice = nearest.length > 0 ? `Did you mean ${names}?` : 'No tools available.'
  if (offered.has(findToolsName)) advice = `Search for one with ${findToolsName}.`
  return { code: 'unknown-tool', message: `There is no tool '${known}'. ${advice}`, details: { nearest } }
}

// Tells the model that a limit of the turn is near: once for each limit, as a line before the result of a call. What is
// used is counted from the messages, so a resumed turn tells the same.

/** How much of a limit is used when the model is told: a tenth is left, at least one. */
const usedWhenTold = (limit: number): number => limit - Math.ceil(limit / 10)

/** What the turn has used when a call is made. */
interface UsedLimits {
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
function limitNotes(limits: Limits, used: UsedLimits): string[] {
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

// Finds calls that repeat without progress: one call, or a short sequence of calls, that is made again with equal
// results. The same call with another result is progress, such as a key that moves on in a menu.

/** Tools whose calls may repeat: `page_wait` waits for a change, `todo_read` has no effect. */
const repeatableTools: ReadonlySet<string> = new Set(['page_wait', 'todo_read'])

/** Longer sequences are not compared. */
const longestSequence = 6

/** A sequence of calls that is repeated. */
interface Repetition {
  /** How many calls the sequence has: 1 for one call in a row. */
  readonly calls: number
  /** How often the sequence was made, the call that was asked about included: 1 for a new call. */
  readonly times: number
}

/**
 * The repetition that ends with this call, over all steps of the turn. Calls are equal if tool and arguments are, and
 * the results too, as far as they are known. `times` is 0 for a call that may repeat.
 */
function repetitionBefore(calls: readonly ToolCallPart[], callId: string): Repetition {
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
