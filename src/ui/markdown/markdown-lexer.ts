// Splits Markdown into tokens in bounded time. Text that would need quadratic time or a deep stack stays plain text.
// Of a growing text only the unfinished end is lexed again.
import { Lexer, type Links, type Token } from 'marked'

/** Characters. Longer paragraphs have no inline marks, because 100,000 times `_a` takes ten seconds. */
const inlineLimit = 5_000
/** Characters. A longer text stays plain text. */
const textLimit = 400_000
/** Quotes and lists that one line may open. */
const containerLimit = 100
/** Characters before the first list marker of a line. */
const indentLimit = 160

/** Top-level tokens; their joined `raw` is the text. Null when the text must stay plain. */
function lex(text: string, links: Links): Token[] | null {
  if (text.length > textLimit || nestsTooDeep(text)) return null
  const lexer = new Lexer({ gfm: true })
  lexer.tokens.links = links
  try {
    lexer.blockTokens(text, lexer.tokens)
    // Tables and lists add to the queue while it is processed, so it cannot be mapped.
    for (const { src, tokens } of lexer.inlineQueue) {
      if (src.length > inlineLimit) tokens.push({ type: 'escape', raw: src, text: src })
      else lexer.inlineTokens(src, tokens)
    }
    return [...lexer.tokens]
  } catch (thrown) {
    if (thrown instanceof RangeError) return null
    throw thrown
  }
}

/** Whether a line opens too many quotes and lists, or is indented too deep in them: each level scans the rest again. */
function nestsTooDeep(text: string): boolean {
  let containers = 0
  let opening = true
  let start = 0
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index)
    if (character === '\n') {
      containers = 0
      opening = true
      start = index + 1
    } else if (opening && !' \t0123456789'.includes(character)) {
      opening = character === '>' || ('-*+.)'.includes(character) && text.charAt(index + 1) === ' ')
      if (opening && (++containers > containerLimit || index - start > indentLimit + 2 * containers)) return true
    }
  }
  return false
}

/** With line feeds only, as the lexer requires. Otherwise the offsets would not match. */
function normalizeLines(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n')
}

/** The tokens of a complete text; null when it must stay plain. */
export function lexWhole(text: string): Token[] | null {
  return lex(normalizeLines(text), {})
}

/** Returns a lexer for one growing text. Settled tokens keep their identity. */
export function streamLexer(): (text: string) => Token[] | null {
  let settled: Token[] = []
  let links: Links = {}
  let lexed = ''
  return (text) => {
    const source = normalizeLines(text)
    if (!source.startsWith(lexed)) {
      settled = []
      links = {}
      lexed = ''
    }
    const tail = lex(source.slice(lexed.length), links)
    if (tail === null) return null
    const all = [...settled, ...tail]
    // A block is closed when another has started after it. One more stays open, because a blank line may belong to it.
    const blocks = tail.flatMap((token, index) => (token.type === 'space' ? [] : [index]))
    const closed = tail.slice(0, blocks.at(-2) ?? 0)
    const raw = closed.map((token) => token.raw).join('')
    if (raw !== '' && source.startsWith(raw, lexed.length)) {
      settled = [...settled, ...closed]
      lexed += raw
    }
    return all
  }
}
