// `run.ask` of an attempt: its questions are asked one after another, by code that is loaded with the first one.
import { ToolAgentError } from '../../core/data/errors.js'
import type { CallId } from '../../core/data/message.js'
import { loadPart } from '../client/load-part.js'
import type { Attempt } from './attempt.js'
import type { ToolRun } from './tool.js'

/** Loads what asks, and what checks answers. */
export const loadAsking = () => loadPart(() => import('../asking/ask-user.js'))

/** `ask` of a run in which nobody can be asked. */
export const askNobody =
  (why: string): ToolRun['ask'] =>
  () =>
    Promise.reject(new ToolAgentError('unavailable', `run.ask: ${why}`))

/** `ask` of an attempt. `refusal`: why nobody can be asked. */
export function askDuring(attempt: Attempt, callId: CallId, refusal: string | undefined): ToolRun['ask'] {
  if (refusal !== undefined) return askNobody(refusal)
  let [count, last] = [0, Promise.resolve<unknown>(undefined)]
  return ((options) => {
    const number = ++count
    const next = last.then(async () => (await loadAsking()).askUser(attempt, options, { callId, number }))
    last = next.catch(() => undefined)
    return next
  }) as ToolRun['ask']
}
