// Tracks whether the model has read untrusted text. If so, a call with consequences needs approval again, even if the
// user allowed its tool for the session. Text of the page counts in its own turn. Text of foreign tools counts as long
// as it is part of the request.
import { allToolCalls, textOf, type ToolResult } from '../data/message.js'
import { summaryCut } from '../prompt/request.js'
import { isFenced } from '../prompt/cut-and-fence.js'
import type { Session } from '../data/session.js'

/** True if the result contains text or files from an untrusted source. */
export function isUntrusted(result: ToolResult | undefined): boolean {
  if (result === undefined) return false
  const { untrusted, modelOutput = '' } = result
  // Results that were stored before the field existed are recognized by their fence.
  if (untrusted !== undefined) return untrusted
  if (typeof modelOutput === 'string') return isFenced(modelOutput)
  return modelOutput.value.some((part) => part.type === 'text' && isFenced(part.text))
}

/**
 * True if the model has read untrusted text that still counts: then approval for the session does not cover calls with
 * consequences. `session` must be the whole session, not that of an agent inside a call.
 */
export function hasReadUntrustedText(session: Session): boolean {
  const { messages, start, turn } = session
  const turnMessages = messages.slice(Math.max(0, (turn?.first ?? Infinity) - start))
  return (
    allToolCalls(turnMessages).some(({ part }) => isUntrusted(part.result)) ||
    // Text of the page that the user quotes, and attached text files, are fenced and follow the user's own text.
    turnMessages.some((message) => isFenced(textOf(message))) ||
    allToolCalls(messages.slice(summaryCut(session))).some(({ part }) => part.result?.foreign === true)
  )
}
