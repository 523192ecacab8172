// What the characters beside `*`, `_` and `~` are, which decides whether emphasis may start or end there. CommonMark
// separates letters, punctuation and spaces, and so expects a space between a word and punctuation. Chinese, Japanese
// and Korean write none: `**注意：**正文` would stay as it is. So their characters are classes of their own that never
// prevent emphasis, by the amended rule of https://github.com/tats-u/markdown-cjk-friendly/blob/main/specification.md.

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
