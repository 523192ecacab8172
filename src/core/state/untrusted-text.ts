// After the model has read untrusted text, a call with consequences is asked about again, even if the user has allowed
// its tool for the session. First-party reads of the page count in their turn; what foreign tools said counts as long
// as it is sent to the model.
import { allToolCalls, type ToolResult } from '../data/message.js'
import { summaryCut } from '../prompt/request.js'
import { isFenced } from '../prompt/result-text.js'
import type { Session } from '../data/session.js'

/** Whether a result holds text or files from an untrusted source. */
export function isUntrusted(result: ToolResult | undefined): boolean {
  if (result === undefined) return false
  const { untrusted, modelOutput = '' } = result
  // Results that were stored before the field existed are recognised by their fence.
  if (untrusted !== undefined) return untrusted
  if (typeof modelOutput === 'string') return isFenced(modelOutput)
  return modelOutput.value.some((part) => part.type === 'text' && isFenced(part.text))
}

/** Whether a call with consequences must be asked about whatever was allowed before. `session` is the whole one. */
export function isTainted(session: Session): boolean {
  const { messages, start, turn } = session
  const ofTurn = messages.slice(Math.max(0, (turn?.first ?? Infinity) - start))
  return (
    allToolCalls(ofTurn).some(({ part }) => isUntrusted(part.result)) ||
    allToolCalls(messages.slice(summaryCut(session))).some(({ part }) => part.result?.foreign === true)
  )
}
