// Removes tool calls that a model wrote into its text, in the markup of its training, and that its server did not
// parse. They are never executed, because the server did not report them as calls. Only markup that names a tool of the
// request is removed, and none inside code, so a text about such markup stays complete.
//
// A call is an opening mark, a body and a closing mark. Two kinds of marks are in use, and both are read by their form,
// so that a new model needs no code of its own: tags (`<tool_call>`, `<ns:invoke name="x">`, `[TOOL_CALL]`) and special
// tokens (`<|tool_call_begin|>`, `<｜DSML｜invoke>`).
import { CodeReader } from './markdown-code.js'

/** Characters that are held back at most, until a possible call is complete. */
const maxHeldChars = 50_000
/** Where a call may begin. `call:` must begin a word, so that a `c` inside a word is displayed immediately. */
const callStart = /[<[]|(?<!\w)c/g

/** The words of tags around calls. `parameter` and `arg_key` begin a call that lost its opening. */
const words = 'tool_calls?|function_calls?|functioncall|tool_use|invoke|function|parameter|arg_key|arg_value'
/** What may stand before the word: a namespace, or DeepSeek's own. */
const space = '(?:[a-z]{2,10}:|[|｜]DSML[|｜])?'
const tag = new RegExp(`^<(/?)(${space})(${words})(=[\\w.:-]+|\\s[^<>]{0,200})?\\s*>`)
const partialTag = /^<\/?[|｜]?[A-Za-z]{0,10}[|｜:]?[a-z_]{0,15}(?:[=\s][^<>]{0,200})?$/
const parameterWord = /^(?:parameter|arg_key|arg_value)$/
/** Parameters without the tag before them, up to the tag that closes their call. */
const lostOpening = new RegExp(
  `(?:<${space}(?:parameter|arg_key|arg_value)[^<>]*>[^]*?</${space}(?:parameter|arg_key|arg_value)>\\s*)+` +
    `</${space}(?:tool_calls?|function_calls?|invoke|function)>`,
  'y',
)
const token = /^<[|｜]([\w▁.-]{1,40})[|｜]>/
const partialToken = /^<[|｜][\w▁.-]{0,40}[|｜]?$/
/** Marks of other forms, and what closes them; '' where the call ends with its brackets. */
const otherMarks: ReadonlyMap<string, string> = new Map([
  ['[TOOL_CALL]', '[/TOOL_CALL]'],
  ['[TOOL_CALLS]', ''],
  ['<|tool_call>', '<tool_call|>'],
  ['<start_function_call>', '<end_function_call>'],
  ['call:', ''],
])
const header = '<|channel|>'

/** The places of a tool name: in JSON, Python, Gemma's form, tags, behind a token, in harmony's header, alone. */
const toolNames = new RegExp(
  [
    /"name"\s*:\s*"([^"]*)"/,
    /^\s*\[?\s*([\w.-]+?)(?:\.call)?\(/,
    /^\s*call:([\w.:-]+)\{/,
    /<[^<>]*?function=([\w.:-]+)>/,
    /<[^<>]*?(?:invoke|function)\s[^<>]*?name=["']?([\w.:-]+)/,
    /(?:begin|start|sep)[|｜]>\s*(?:function<[|｜]tool▁sep[|｜]>)?\s*([\w.:-]+)/,
    /\bto=([\w.:-]+)/,
    /^\s*([\w.:-]+)\s*(?=<arg_key>|\[ARGS\]|\[CALL_ID\]|\{|$)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)
/** What may follow an opening mark. */
const mayBecomeCall = /^\s*(?:[[{<]|$|[\w.:-]+\s*(?:$|[<[({]))/

/** What may stand between `[TOOL_CALLS]` and the brackets of the arguments. */
const mistralName = /^\s*[\w.-]*(?:\[CALL_ID\][\w-]*)?(?:\[ARGS\])?/

/** Where a call begins, and how it ends. */
interface Opening {
  /** The characters of the mark. */
  readonly length: number
  /** What ends the call; '' for its brackets. */
  readonly close: RegExp | string
  /** A part of the mark that is read as the begin of the body. */
  readonly prefix?: string
  /** No text about such markup has it, so no tool has to be named. */
  readonly isCertain?: boolean
}

/** The opening at the start of the text; `partial` if more text decides. */
function openingAt(text: string, isEnd: boolean, isAfterCall: boolean): Opening | 'partial' | undefined {
  for (const [open, close] of otherMarks)
    if (text.startsWith(open)) return { length: open.length, close, ...(open === 'call:' ? { prefix: open } : {}) }
  const [mark = '', slash, inside = '', word = '', more = ''] = tag.exec(text) ?? []
  if (mark !== '') return tagOpening({ mark, isClosing: slash === '/', inside, word, more }, isAfterCall)
  const [special = '', name = ''] = token.exec(text) ?? []
  if (special !== '') return tokenOpening(special, name)
  if (isEnd) return undefined
  const isPartial =
    (text.startsWith('<') && (partialTag.test(text) || partialToken.test(text))) ||
    [...otherMarks.keys()].some((open) => open.startsWith(text))
  return isPartial ? 'partial' : undefined
}

interface Tag {
  readonly mark: string
  readonly isClosing: boolean
  /** The namespace. */
  readonly inside: string
  readonly word: string
  /** What follows the word. */
  readonly more: string
}

function tagOpening({ mark, isClosing, inside, word, more }: Tag, isAfterCall: boolean): Opening | undefined {
  const { length } = mark
  const isOwn = inside.includes('DSML')
  // The rest of a call, or of one whose opening was lost.
  if (isClosing) return isOwn || isAfterCall ? { length, close: /(?:)/y, isCertain: true } : undefined
  if (parameterWord.test(word)) return { length: 0, close: lostOpening, isCertain: true }
  // A tag that is alone on purpose, such as `<function>`, is HTML or a text about it.
  if ((word === 'invoke' || word === 'function') && more === '') return undefined
  const close = `</${inside}${word}>`
  return { length, close, prefix: mark, isCertain: isOwn }
}

function tokenOpening(mark: string, name: string): Opening | undefined {
  if (mark === header) return { length: mark.length, close: /<\|(?:call|end|return)\|>/g }
  if (name === 'python_tag') return { length: mark.length, close: /<\|e(?:om|ot)_id\|>/g }
  const close = name.replace(/(begin|start)$/, 'end')
  if (close === name || !/tool|function/.test(name)) return undefined
  return { length: mark.length, close: mark.replace(name, close), prefix: mark }
}

/**
 * Returns what may be displayed after the next piece of text. A possible call is held back until it is complete or
 * turns out to be text. With `isEnd` the rest is released.
 */
export interface CallMarkupFilter {
  (delta: string, isEnd: boolean): string
}

/**
 * A filter for one text of an answer. `isOffered`: whether the request offers a tool of this name. `onCall`: called for
 * each call that is removed.
 */
export function createCallMarkupFilter(
  isOffered: (name: string) => boolean,
  onCall: () => void = () => undefined,
): CallMarkupFilter {
  let held = ''
  // The character before `held`.
  let last = ''
  const code = new CodeReader()
  /** Nothing but space follows the newest call. */
  let isAfterCall = false

  /** How many characters at the start of `text` are a call: 0 for none, undefined if more text is needed. */
  const callLength = (text: string, isEnd: boolean): number | undefined => {
    const opening = openingAt(text, isEnd, isAfterCall)
    if (opening === 'partial') return undefined
    if (opening === undefined) return 0
    const rest = text.slice(opening.length)
    const closed = closingIn(rest, opening)
    const isOver = isEnd || closed !== undefined
    const body = rest.slice(0, closed?.at)
    const isCall = opening.isCertain
      ? closed !== undefined || (isEnd && opening.length > 0)
      : namesIn(body).some(isOffered) ||
        (opening.prefix !== undefined && namesIn(opening.prefix + body).some(isOffered))
    if (!isCall) return isOver || !(opening.isCertain || mayBecome(opening, rest)) ? 0 : undefined
    if (!isOver) return undefined
    if (closed) return opening.length + closed.end
    // A name alone may be a text about the markup.
    if (!opening.isCertain && /^\s*[\w.:-]*\s*$/.test(rest) && !/[\s=]/.test(opening.prefix ?? '')) return 0
    return opening.length + (Math.max(bracketsEnd(rest), 0) || rest.length)
  }

  return (delta, isEnd) => {
    // Joined once and scanned by index. Joining at every possible start would copy a long text thousands of times.
    const text = last + held + delta
    let at = last.length
    const shown: string[] = []
    const show = (piece: string): void => {
      shown.push(piece)
      code.add(piece)
      if (piece.trim() !== '') isAfterCall = false
    }
    const keep = (): string => {
      last = text.charAt(at - 1)
      held = text.slice(at)
      return shown.join('')
    }
    for (;;) {
      callStart.lastIndex = at
      const next = callStart.exec(text)?.index ?? text.length
      show(text.slice(at, next))
      at = next
      if (at === text.length) return keep()
      const rest = text.slice(at)
      const length = code.isInCode ? 0 : callLength(rest, isEnd || rest.length > maxHeldChars)
      if (length === undefined) return keep()
      if (length === 0) show(text.charAt(at++))
      else {
        at += length
        isAfterCall = true
        onCall()
      }
    }
  }
}

function mayBecome({ prefix = '', close }: Opening, rest: string): boolean {
  if (prefix === 'call:') return /^[\w.:-]*$/.test(rest)
  if (close instanceof RegExp && prefix === '' && rest.length < 200) return true
  return mayBecomeCall.test(rest)
}

function namesIn(body: string): string[] {
  return [...body.matchAll(toolNames)].map((match) => match.slice(1).find(Boolean) ?? '')
}

/** Where the closing mark begins and ends; undefined if there is none yet. */
function closingIn(rest: string, { close }: Opening): { readonly at: number; readonly end: number } | undefined {
  if (close === '') {
    const [name = ''] = mistralName.exec(rest) ?? []
    const end = bracketsEnd(rest.slice(name.length))
    return end < 0 ? undefined : { at: name.length + end, end: name.length + end }
  }
  if (typeof close === 'string') {
    const at = rest.indexOf(close)
    return at < 0 ? undefined : { at, end: at + close.length }
  }
  close.lastIndex = 0
  const found = close.exec(rest)
  return found === null ? undefined : { at: found.index, end: found.index + found[0].length }
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
