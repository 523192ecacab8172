// What a user has typed, without the files and quotes of the message.
import { textOf, type Message } from '../../core/data/message.js'

/** The text of a message. Of a user's message, only what they have typed. */
export const ownTextOf = (message: Message | undefined): string =>
  textOf(
    message?.role === 'user' ? { ...message, parts: message.parts.filter((part) => part.name === undefined) } : message,
  )
