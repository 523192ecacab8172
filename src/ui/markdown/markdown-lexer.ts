// Text to tokens in bounded time. What would be quadratic (or deeper than the stack) is left as text, and of a text
// that grows only the open end is lexed again.
import { Lexer, type Links, type Token } from 'marked'

/** Above this, a paragraph's inline marks are not looked for: 100 000 times `_a` takes ten seconds. */
const inlineLimit = 5_000
const textLimit = 400_000
const containerLimit = 100
/** Characters before the first list marker of a line. */
const indentLimit = 160

/** Top-level tokens, whose `raw` joined is the text; null where the text is better shown as it is. */
function lex(text: string, links: Links): Token[] | null {
  if (text.length > textLimit || nestsTooDeep(text)) return null
  const lexer = new Lexer({ gfm: true })
  lexer.tokens.links = links
  try {
    lexer.blockTokens(text, lexer.tokens)
    // The queue grows while tables and lists are worked off, so it is not a list to map over.
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

/** A line that opens more quotes and lists, or stands deeper in them, than anybody writes: each level scans the rest again. */
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

/** As the lexer wants it: with line feeds alone, so that offsets hold. */
function normal(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n')
}

export function lexWhole(text: string): Token[] | null {
  return lex(normal(text), {})
}

/** A lexer for one text that grows. Tokens that are settled keep their identity. */
export function lexGrowing(): (text: string) => Token[] | null {
  let settled: Token[] = []
  let links: Links = {}
  let done = ''
  return (text) => {
    const source = normal(text)
    if (!source.startsWith(done)) {
      settled = []
      links = {}
      done = ''
    }
    const tail = lex(source.slice(done.length), links)
    if (tail === null) return null
    const all = [...settled, ...tail]
    // A block is closed once another has begun behind it. One more stays open, since a blank line can go either way.
    const blocks = tail.flatMap((token, index) => (token.type === 'space' ? [] : [index]))
    const closed = tail.slice(0, blocks.at(-2) ?? 0)
    const raw = closed.map((token) => token.raw).join('')
    if (raw !== '' && source.startsWith(raw, done.length)) {
      settled = [...settled, ...closed]
      done += raw
    }
    return all
  }
}
