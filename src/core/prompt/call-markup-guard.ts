// Displays the text of an answer until it contains something that may be a tool call in markup. From there on the
// filter of `strip-call-markup.ts` decides, which few answers need.
import type { CallMarkupFilter } from './strip-call-markup.js'

/** Every opening marker of `strip-call-markup.ts` begins with one of these. */
const openings = ['<tool_call', '<|tool_call', '<start_function_call', '[TOOL_CALL', 'call:']
/** Characters of the longest opening. */
const longest = 20

/**
 * A filter that loads the complete one at the first opening. The start of an opening at the end of the text is held
 * back. `load` must not reject.
 */
export function createCallMarkupGuard(
  load: () => Promise<CallMarkupFilter>,
): (delta: string, isEnd: boolean) => Promise<string> {
  let filter: CallMarkupFilter | undefined
  // The text that is not displayed yet, and the character before it, which decides whether `call:` begins a word.
  let held = ''
  let last = ''
  return async (delta, isEnd) => {
    if (filter) return filter(delta, isEnd)
    const text = held + delta
    if (openings.some((opening) => text.includes(opening))) {
      filter = await load()
      return filter(last + text, isEnd).slice(last.length)
    }
    let at = isEnd ? text.length : Math.max(0, text.length - longest)
    while (at < text.length && !openings.some((opening) => opening.startsWith(text.slice(at)))) at++
    held = text.slice(at)
    last = text[at - 1] ?? last
    return text.slice(0, at)
  }
}
