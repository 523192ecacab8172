// The event of the buttons "Good answer" and "Bad answer".
import type { AssistantMessage } from '../../core/data/message.js'

/** How a visitor rated an answer. Undefined: they withdrew their rating. */
export type Rating = 'good' | 'bad' | undefined

/** A visitor rated an answer. Nothing is stored or sent: the page decides what to do with it. */
export class ToolAgentFeedbackEvent extends Event {
  /** The last message of the turn that the visitor rated. */
  declare readonly message: AssistantMessage
  /** The rating; undefined if the visitor withdrew it. */
  declare readonly rating: Rating
  constructor(message: AssistantMessage, rating: Rating) {
    super('tool-agent-feedback', { bubbles: true, composed: true })
    this.message = message
    this.rating = rating
  }
}
