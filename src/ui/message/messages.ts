// The entry of the chunk that draws messages. Loaded with the session, or when the user is about to write.
import { cardStyles } from '../styles/message/cards.js'
import { transcriptStyles } from '../styles/transcript.js'
import { ToolCallCard } from './call/tool-call-card.js'
import { Transcript } from './transcript.js'

export { lastFill } from './call/call-state.js'
export { textsOf } from './message-texts.js'

/** The elements that the templates of messages use, by tag. */
export const messageParts = {
  'tool-agent-call': ToolCallCard,
  'tool-agent-transcript': Transcript,
}

/** The styles of messages. */
export const messageStyles = [transcriptStyles, cardStyles]
