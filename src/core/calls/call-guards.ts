// Checks that the host makes before the page sees a call: the tool must be offered, the arguments must be JSON, the
// limits must hold, and the call must not repeat without end.
import { formatErrorText, nearestNames } from './parse-tool-calls.js'
import { unavailableToolFailure } from '../prompt/failure-text.js'
import type { GuardedCall, OfferedTools, TurnDeps } from '../turn/turn-deps.js'
import type { Failure } from '../data/errors.js'
import type { ToolCallPart } from '../data/message.js'
import { countTurn } from '../turn/turn-counters.js'
import { repetitions } from './repetitions.js'

/** Identical calls in a row: from the third on, the result begins with a warning; the fifth does not run. */
const warnAt = 3
const refuseAt = 5

/** Guards one call of a step. `calls`: all calls of the step, in call order. */
export function guardCall(
  {
    deps,
    offered,
    calls,
  }: { readonly deps: TurnDeps; readonly offered: OfferedTools; readonly calls: readonly ToolCallPart[] },
  part: ToolCallPart,
): GuardedCall {
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
  const turnCalls = countTurn(session).calls
  const index = turnCalls.findIndex((one) => one.call.id === call.id)
  const sameTool = turnCalls.slice(0, index + 1).filter((one) => one.call.name === call.name).length
  const limit = (message: string, reason = 'max-tool-calls'): GuardedCall => ({
    refused: { code: 'limit', message, details: { reason } },
  })
  if (calls.indexOf(part) >= limits.callsPerStep)
    return limit(`Limit reached: at most ${limits.callsPerStep} calls per step.`)
  if (index >= limits.toolCalls) return limit(`Limit reached: at most ${limits.toolCalls} calls per turn.`)
  if (sameTool > limits.callsPerTool)
    return limit(`Limit reached: at most ${limits.callsPerTool} calls of '${call.name}' per turn.`)
  const repeated = repetitions(turnCalls, call.id)
  if (repeated >= refuseAt)
    return limit('The same call was made five times in a row. It did not run.', 'repeated-calls')
  if (repeated < warnAt) return {}
  return { warning: repetitionWarning(repeated) }
}

/** The line before the result of a call that was made three or four times in a row. */
export function repetitionWarning(times: number): string {
  const time = times === warnAt ? 'third' : 'fourth'
  return (
    `Warning: this is the same call for the ${time} time in a row. ` +
    'Its result will not change: do something else, or answer.'
  )
}

function unknownToolFailure(name: string, offered: OfferedTools): Failure {
  const known = name.slice(0, 80)
  const nearest = nearestNames(known, offered)
  const advice =
    nearest.length > 0 ? `Did you mean ${nearest.map((one) => `'${one}'`).join(', ')}?` : 'No tools available.'
  return { code: 'unknown-tool', message: `There is no tool '${known}'. ${advice}`, details: { nearest } }
}
