// Checks that the host makes before the page sees a call: the tool must be offered, the arguments must be JSON, the
// limits must hold, and the call must not repeat without end.
import { formatErrorText, nearestNames } from './parse-tool-calls.js'
import { unavailableToolFailure } from '../prompt/failure-text.js'
import type { OfferedTools, TurnDeps } from './turn-deps.js'
import type { Failure } from '../data/errors.js'
import type { ToolCallPart } from '../data/message.js'
import { countTurn, perStep } from './turn-counters.js'
import { limitNotes } from './limit-notes.js'
import { repetitionBefore, type Repetition } from './repetitions.js'

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
  const advice =
    nearest.length > 0 ? `Did you mean ${nearest.map((one) => `'${one}'`).join(', ')}?` : 'No tools available.'
  return { code: 'unknown-tool', message: `There is no tool '${known}'. ${advice}`, details: { nearest } }
}
