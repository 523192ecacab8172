// What the host can say of a call before the page sees it: on offer? JSON? within the limits? the same again and again?
import { formatErrorText, nearestNames } from './parse-tool-calls.js'
import type { TurnDeps } from './turn-deps.js'
import type { Failure } from '../data/errors.js'
import type { ToolCallPart } from '../data/message.js'
import { repetitions, countTurn } from './turn-counters.js'
import type { ToolSpec } from '../data/tool.js'

/** A refusal, a problem that the page's handlers may say better, `text` for the model with either, or a warning. */
export type GuardedCall = {
  readonly refused?: Failure
  readonly text?: string
  readonly problem?: Failure
  readonly warning?: string
}

/** `calls`: all calls of the step. */
export function guardCall(
  deps: TurnDeps,
  offered: ReadonlyMap<string, ToolSpec>,
  calls: readonly ToolCallPart[],
  part: ToolCallPart,
): GuardedCall {
  const { call } = part
  const session = deps.session()
  const { limits } = deps.config()
  const { options, offered: names, toolChoice = options?.toolChoice } = session.turn ?? {}
  if (toolChoice === 'none') {
    return { refused: { code: 'refused', message: 'Tools may not be called in this turn. Answer with text.' } }
  }
  if (!offered.has(call.name)) {
    if (names?.includes(call.name)) return { refused: unavailableToolFailure(call.name) }
    const near = nearestNames(call.name.slice(0, 80), offered)
    const advice =
      near.length > 0 ? ` Did you mean ${near.map((name) => `'${name}'`).join(', ')}?` : ' No tools are on offer.'
    return {
      problem: {
        code: 'unknown-tool',
        message: `There is no tool '${call.name.slice(0, 80)}'.${advice}`,
        details: { nearest: near },
      },
    }
  }
  if (call.raw !== undefined) {
    return {
      problem: { code: 'format-error', message: 'The arguments were not one JSON object' },
      text: formatErrorText(call.raw),
    }
  }
  if (new TextEncoder().encode(JSON.stringify(call.input)).length > limits.argumentBytes) {
    return {
      refused: {
        code: 'invalid-input',
        message: `The arguments are longer than ${limits.argumentBytes} bytes. Send less in one call.`,
      },
    }
  }
  const progress = countTurn(session).calls
  const place = progress.findIndex((one) => one.call.id === call.id)
  const sameTool = progress.slice(0, place + 1).filter((one) => one.call.name === call.name).length
  const inStep = calls.indexOf(part) + 1
  const limit = (message: string, reason: string): GuardedCall => ({
    refused: { code: 'limit', message, details: { reason } },
  })
  if (inStep > limits.callsPerStep)
    return limit(`Only ${limits.callsPerStep} calls may be made in one step.`, 'max-tool-calls')
  if (place + 1 > limits.toolCalls)
    return limit(`The limit of ${limits.toolCalls} calls in a turn is reached.`, 'max-tool-calls')
  if (sameTool > limits.callsPerTool)
    return limit(`The limit of ${limits.callsPerTool} calls of '${call.name}' in a turn is reached.`, 'max-tool-calls')
  const repeated = repetitions(progress, call.id)
  if (repeated >= 5) return limit('The same call was made five times in a row. It was not run again.', 'repeated-calls')
  if (repeated >= 3)
    return {
      warning: `Warning: this is the same call for the ${repeated === 3 ? 'third' : 'fourth'} time in a row. Its result will not change: do something else, or answer.`,
    }
  return {}
}

/** What is said of a tool that was offered and is not there any more. */
export function unavailableToolFailure(name: string): Failure {
  return { code: 'unavailable', message: `The tool '${name}' is no longer available on this page.` }
}
