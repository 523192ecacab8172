// Finds the pairs of `*`, `_` and `~~` among the parts of a text, by the rules of CommonMark: what the characters
// beside a mark are decides whether emphasis may start or end there. CommonMark separates letters, punctuation and
// spaces, and so expects a space between a word and punctuation. Chinese, Japanese and Korean write none: `**注意：**正文`
// would stay as it is. So their characters are classes of their own that never prevent emphasis, by the amended rule of
// https://github.com/tats-u/markdown-cjk-friendly/blob/main/specification.md.
import type { Span } from './syntax-tree.js'

/** Marks inside each other. Deeper ones stay text, because each level needs some of the stack. */
const depthLimit = 16

/** A run of `*`, `_` or `~` that may start or end emphasis. */
export interface Mark {
  readonly type: 'mark'
  readonly sign: string
  readonly length: number
  readonly opens: boolean
  readonly closes: boolean
  /** How many of its signs are not used yet. */
  left: number
}

/** Turns pairs of marks into emphasis. */
export function emphasize(parts: readonly (Span | Mark)[]): Span[] {
  const found: (Span | Mark)[] = []
  const openers: { readonly mark: Mark; readonly index: number }[] = []
  for (const part of parts) {
    if (typeof part === 'string' || part.type !== 'mark') {
      found.push(part)
      continue
    }
    while (part.closes && part.left > 0) {
      const at = openers.findLastIndex(({ mark }) => belongTogether(mark, part))
      const opener = openers[at]
      if (opener === undefined) break
      const { mark, index } = opener
      const spans = asSpans(found.slice(index + 1))
      const depth = 1 + Math.max(0, ...spans.map(depthOf))
      if (depth > depthLimit) break
      const used = Math.min(mark.left, part.left, 2)
      mark.left -= used
      part.left -= used
      found.length = mark.left > 0 ? index + 1 : index
      openers.length = mark.left > 0 ? at + 1 : at
      const type = used === 2 ? 'strong' : 'em'
      found.push({ type: part.sign === '~' ? 'del' : type, spans, depth })
    }
    if (part.left === 0) continue
    if (part.opens) openers.push({ mark: part, index: found.length })
    found.push(part)
  }
  return asSpans(found)
}

/** Whether two marks can start and end the same emphasis. */
function belongTogether(opener: Mark, closer: Mark): boolean {
  if (opener.sign !== closer.sign) return false
  if (opener.sign === '~') return opener.length === closer.length
  const isAmbiguous = (opener.closes || closer.opens) && (opener.length + closer.length) % 3 === 0
  return !isAmbiguous || (opener.length % 3 === 0 && closer.length % 3 === 0)
}

/** Marks that no other belongs to are text. */
function asSpans(parts: readonly (Span | Mark)[]): Span[] {
  return parts.map((part) => (typeof part !== 'string' && part.type === 'mark' ? part.sign.repeat(part.left) : part))
}

function depthOf(span: Span): number {
  if (typeof span === 'string') return 0
  if ('depth' in span) return span.depth
  return span.type === 'link' ? Math.max(0, ...span.spans.map(depthOf)) : 0
}

/** A character beside a mark. `cjk` and `cjk-sign`: a letter and a punctuation sign of Chinese, Japanese or Korean. */
export type CharacterClass = 'space' | 'sign' | 'word' | 'cjk' | 'cjk-sign'

/** Characters that Unicode calls wide, fullwidth or halfwidth, except emoji, and Hangul. */
const cjk = new RegExp(
  String.raw`[\u1100-\u11ff\u20a9\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\u303e\u3041-\u3247\u3250-\ua4c6` +
    String.raw`\ua960-\ua97c\uac00-\ud7fb\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uffee` +
    String.raw`\u{16fe0}-\u{1b2fb}\u{1d300}-\u{1d376}\u{20000}-\u{3fffd}]`,
  'u',
)
/** Chooses one of two forms of the character before it, and is no character itself. */
const formSelector = /[\ufe00-\ufe0e]/
/** Chooses a form of a Chinese character. */
const ideographSelector = /[\u{e0100}-\u{e01ef}]/u
/** Of the width of a Chinese character if U+FE01 follows. */
const quotes = /[\u2018\u2019\u201c\u201d]/

export const isSign = (found: CharacterClass): boolean => found === 'sign' || found === 'cjk-sign'

/** The class of the character at an index; the end of the text is a space. */
export function classAfter(text: string, index: number): CharacterClass {
  const code = text.codePointAt(index)
  return classOf(code === undefined ? '' : String.fromCodePoint(code))
}

/** The class of the character that ends at an index; the start of the text is a space. */
export function classBefore(text: string, index: number): CharacterClass {
  const last = characterBefore(text, index)
  if (ideographSelector.test(last)) return 'cjk'
  if (!formSelector.test(last)) return classOf(last)
  const shaped = characterBefore(text, index - last.length)
  if (last === '\ufe01' && quotes.test(shaped)) return 'cjk-sign'
  const found = classOf(shaped)
  return found === 'space' ? 'word' : found
}

const characterBefore = (text: string, end: number): string =>
  /.$/su.exec(text.slice(Math.max(0, end - 2), end))?.[0] ?? ''

function classOf(character: string): CharacterClass {
  if (character === '' || /\s/.test(character)) return 'space'
  const sign = /[\p{P}\p{S}]/u.test(character)
  if (cjk.test(character)) return sign ? 'cjk-sign' : 'cjk'
  return sign ? 'sign' : 'word'
}
