// Tracks whether a request of the session contains untrusted text. If so, a call with consequences needs approval
// again, even if the user allowed its tool for the session.
import { latestSummary, type Session } from '../data/session.js'
import { allToolCalls, type Message, type ToolResult } from '../data/message.js'
import { isFenced } from '../prompt/cut-and-fence.js'
import { hasPageWords, turnFacts } from '../prompt/facts.js'
import { sentMessages } from '../prompt/request.js'

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
 * True if the newest request contains text that is not from the user, the author or the model: then approval for the
 * session does not cover calls with consequences. Old results count also where a shortened request leaves them out,
 * because the answers to them remain, and so do imported messages, which anyone may have written. The page knows the
 * descriptions of foreign tools and adds them. `session` must be the whole session, not that of an agent inside a call.
 */
export function hasUntrustedText(session: Session): boolean {
  const sent = sentMessages(session)
  return (
    Boolean(session.imported) ||
    (session.turn !== undefined && hasPageWords(turnFacts(session.turn))) ||
    // A summary is fenced: it may repeat what the model has read.
    latestSummary(session) !== undefined ||
    sent.some(quotesUntrustedText) ||
    allToolCalls(sent).some(({ part }) => isUntrusted(part.result))
  )
}

/** Text of the page that the user quotes, attached text files and facts of the page are fenced in the message. */
function quotesUntrustedText(message: Message): boolean {
  if (message.role === 'assistant') return hasPageWords(message.added?.facts ?? [])
  if (message.role !== 'user' || message.replaced) return false
  return hasPageWords(message.facts ?? []) || message.parts.some((part) => part.type === 'text' && isFenced(part.text))
}
