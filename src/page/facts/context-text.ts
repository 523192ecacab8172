// The text of the option `pageContext`, as it is checked when the option is set and sent with a message.
import { strictJson } from '../tool-context.js'

/** Characters that are sent. A longer text is an error, because a part of it could say something else. */
const longest = 2000

/**
 * A text as it is, another value as JSON; undefined for nothing.
 * @throws TypeError for what JSON cannot hold, and for more than 2,000 characters
 */
export function contextText(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const text = typeof value === 'string' ? value : JSON.stringify(strictJson(value))
  if (text.length > longest) throw new TypeError(`at most ${longest} characters are allowed, received ${text.length}`)
  return text
}
