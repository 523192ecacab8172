// Removes tool calls that a model wrote into its text, in the markup of its training, and that its server did not
// parse. They are never executed, because the server did not report them as calls. Only markup that names a tool of the
// request is removed, so a text about such markup stays complete.

/** Opening and closing markers. Gemma's `call:` has no closing marker: the call ends with its braces. */
const markers = [
  ['<tool_call>', '</tool_call>'],
  ['[TOOL_CALL]', '[/TOOL_CALL]'],
  ['<|tool_call_start|>', '<|tool_call_end|>'],
  ['<|tool_call>', '<tool_call|>'],
  ['<start_function_call>', '<end_function_call>'],
  ['call:', ''],
] as const
/** Characters that are held back at most, until a possible call is complete. */
const maxHeldChars = 50_000
/** The tool name of a call as JSON, as Python, in Gemma's form and in Qwen's XML. */
const toolNames = /"name"\s*:\s*"([^"]*)"|^\s*\[?\s*([\w.-]+)\(|^\s*call:([\w.:-]+)\{|<function=([\w.:-]+)>/g
/** Where a call may begin. `call:` must begin a word, so that a `c` inside a word is displayed immediately. */
const callStart = /[<[]|(?<!\w)c/g
/** What may follow an opening marker. */
const mayBecomeCall = /^\s*(?:[[{<]|[\w.:-]*$)/

/**
 * Returns what may be displayed after the next piece of text. A possible call is held back until it is complete or
 * turns out to be text. With `isEnd` the rest is released.
 */
export type CallMarkupFilter = (delta: string, isEnd: boolean) => string

/** A filter for one text of an answer. `isOffered`: whether the request offers a tool of this name. */
export function createCallMarkupFilter(isOffered: (name: string) => boolean): CallMarkupFilter {
  let held = ''
  // The character before `held`.
  let last = ''

  /** How many characters at the start of `text` are a call: 0 for none, undefined if more text is needed. */
  const callLength = (text: string, isEnd: boolean): number | undefined => {
    let length: number | undefined = 0
    for (const [open, close] of markers) {
      if (!text.startsWith(open)) {
        if (!isEnd && open.startsWith(text)) length = undefined
        continue
      }
      const rest = text.slice(open.length)
      const closed = close === '' ? bracketsEnd(rest) : rest.indexOf(close)
      const isOver = isEnd || closed >= 0
      const body = closed < 0 ? rest : rest.slice(0, closed)
      const given = close === '' ? `call:${body}` : body
      if ([...given.matchAll(toolNames)].some((match) => isOffered(match.slice(1).find(Boolean) ?? ''))) {
        if (!isOver) return undefined
        return open.length + (closed >= 0 ? closed + close.length : Math.max(bracketsEnd(rest), 0) || rest.length)
      }
      return isOver || !mayBecomeCall.test(rest) || (close === '' && !/^[\w.:-]*$/.test(rest)) ? 0 : undefined
    }
    return length
  }

  return (delta, isEnd) => {
    // Joined once and scanned by index. Joining at every possible start would copy a long text thousands of times.
    const text = last + held + delta
    let at = last.length
    const shown: string[] = []
    const keep = (): string => {
      last = text.charAt(at - 1)
      held = text.slice(at)
      return shown.join('')
    }
    for (;;) {
      callStart.lastIndex = at
      const next = callStart.exec(text)?.index ?? text.length
      shown.push(text.slice(at, next))
      at = next
      if (at === text.length) return keep()
      const rest = text.slice(at)
      const length = callLength(rest, isEnd || rest.length > maxHeldChars)
      if (length === undefined) return keep()
      if (length === 0) shown.push(text.charAt(at++))
      else at += length
    }
  }
}

/** The index after the first balanced pair of brackets; -1 if they are not closed. */
function bracketsEnd(text: string): number {
  let depth = 0
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[()[\]{}]/gs)) {
    if (token.length > 1) continue
    depth += '([{'.includes(token) ? 1 : -1
    if (depth <= 0) return index + 1
  }
  return -1
}
