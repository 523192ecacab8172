// Calls that a model wrote into its text, in the markup it was trained on, where its server did not read them. They are
// taken out of the text and never executed: nobody said that they were meant. Only what names a tool of this request
// counts, so that a text about such markup stays one.

/** Each with what it ends with; Gemma's may stand bare, with nothing but its braces. */
const forms = [
  ['<tool_call>', '</tool_call>'],
  ['[TOOL_CALL]', '[/TOOL_CALL]'],
  ['<|tool_call_start|>', '<|tool_call_end|>'],
  ['<|tool_call>', '<tool_call|>'],
  ['<start_function_call>', '<end_function_call>'],
  ['call:', ''],
] as const
/** Characters that are held back at most. */
const longest = 50_000
/** JSON; Python; Gemma's; Qwen's XML. */
const names = /"name"\s*:\s*"([^"]*)"|^\s*\[?\s*([\w.-]+)\(|^\s*call:([\w.:-]+)\{|<function=([\w.:-]+)>/g
/** Where one may begin; a bare one begins a word, so that the `c` of another is shown at once. */
const begins = /[<[]|(?<!\w)c/g
const mayBecomeCall = /^\s*(?:[[{<]|[\w.:-]*$)/

/** What the next piece of a text shows; a possible call is held back until it is known for one or let go. */
export type CallMarkupFilter = (delta: string, isEnd: boolean) => string

export function createCallMarkupFilter(isOffered: (name: string) => boolean): CallMarkupFilter {
  let held = ''
  // The character before what is held.
  let last = ''

  /** How many characters at the start of `text` are a call: 0 for none, undefined while it is open. */
  const callLength = (text: string, isEnd: boolean): number | undefined => {
    let length: number | undefined = 0
    for (const [open, close] of forms) {
      if (!text.startsWith(open)) {
        if (!isEnd && open.startsWith(text)) length = undefined
        continue
      }
      const rest = text.slice(open.length)
      const closed = close === '' ? bracketsEnd(rest) : rest.indexOf(close)
      const isOver = isEnd || closed >= 0
      const body = closed < 0 ? rest : rest.slice(0, closed)
      const given = close === '' ? `call:${body}` : body
      if ([...given.matchAll(names)].some((match) => isOffered(match.slice(1).find(Boolean) ?? ''))) {
        if (!isOver) return undefined
        return open.length + (closed >= 0 ? closed + close.length : Math.max(bracketsEnd(rest), 0) || rest.length)
      }
      return isOver || !mayBecomeCall.test(rest) || (close === '' && !/^[\w.:-]*$/.test(rest)) ? 0 : undefined
    }
    return length
  }

  return (delta, isEnd) => {
    // Joined once and walked by index: joining at each place where a call may begin copies a long text thousands of times.
    const text = last + held + delta
    let at = last.length
    const shown: string[] = []
    const keep = (): string => {
      last = text.charAt(at - 1)
      held = text.slice(at)
      return shown.join('')
    }
    for (;;) {
      begins.lastIndex = at
      const next = begins.exec(text)?.index ?? text.length
      shown.push(text.slice(at, next))
      at = next
      if (at === text.length) return keep()
      const rest = text.slice(at)
      const length = callLength(rest, isEnd || rest.length > longest)
      if (length === undefined) return keep()
      if (length === 0) shown.push(text.charAt(at++))
      else at += length
    }
  }
}

/** Where the first brackets of a text are closed again; -1 where they are not. */
function bracketsEnd(text: string): number {
  let depth = 0
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[()[\]{}]/gs)) {
    if (token.length > 1) continue
    depth += '([{'.includes(token) ? 1 : -1
    if (depth <= 0) return index + 1
  }
  return -1
}
