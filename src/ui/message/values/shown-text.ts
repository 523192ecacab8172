// Text that comes from a model, a tool or a page, made safe to read: invisible characters become visible escapes. In a
// question, the space that could hide the end of a text is folded; what is cut keeps its two ends.

/** Text before a joiner, and after it: a joiner is part of words in scripts such as Arabic and Hindi, and of emoji. */
const joined = '[\\p{L}\\p{M}](?<![\\p{sc=Latn}\\p{sc=Grek}\\p{sc=Cyrl}\\p{sc=Hani}])|\\p{Extended_Pictographic}'
/** A variation selector is part of the symbol or ideograph before it. */
const varied = '[\\p{Emoji}\\p{S}\\p{P}\\p{sc=Hani}\\p{sc=Mong}]'
/** Characters that are invisible or change the direction of text. */
const invisible = new RegExp(
  [
    '(?![\\u200c\\u200d]|\\p{VS})\\p{DI}',
    `(?<!${joined}|\\p{EMod}|\\ufe0f)[\\u200c\\u200d]`,
    `[\\u200c\\u200d](?!${joined})`,
    `(?<!${varied})\\p{VS}`,
    '[\\u2028\\u2029\\ufff9-\\ufffb]',
    '(?![\\t\\n])\\p{Cc}',
  ].join('|'),
  'gu',
)

/** Replaces each invisible character by an escape such as `\u{202e}`, so that text cannot hide anything. */
export function toVisibleText(text: string): string {
  return text.replaceAll(invisible, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`)
}

/** The first 120 characters of a text, on one line. */
export function toSingleLine(text: string): string {
  return toVisibleText(text.trim().replaceAll(/\s+/g, ' ').slice(0, 120))
}

/** Blank lines beyond one are folded. */
const lineBreaks = /(?:[^\S\n]*\n){3,}/g
/** No sentence needs as many. Includes the blank of Braille, which is not white space. */
const spaces = /(?:[^\S\n]|\u2800){12,}/g

/** A text as a question shows it: invisible characters as escapes, `⏎ × 60` for sixty line breaks. */
export function foldedText(text: string): string {
  return toVisibleText(text.replaceAll(/\r\n?/g, '\n'))
    .replaceAll(lineBreaks, (found) => ` ⏎ × ${found.split('\n').length - 1} `)
    .replaceAll(spaces, (found) => ` ␣ × ${found.length} `)
}

/** The beginning and the end of a text, on one line; the whole text if it has at most `most` characters. */
export function cutMiddle(text: string, most: number): string {
  const line = toVisibleText(text).trim().replaceAll(/\s+/g, ' ')
  if (line.length <= most) return line
  const { head, tail } = endsOf(line, Math.ceil(most * 0.6), Math.floor(most * 0.4))
  return `${head}…${tail}`
}

/** The beginning and the end of a text. Keeps the halves of a character together. */
export function endsOf(text: string, head: number, tail: number): { readonly head: string; readonly tail: string } {
  return {
    head: text.slice(0, head).replace(/[\ud800-\udbff]$/, ''),
    tail: text.slice(-tail).replace(/^[\udc00-\udfff]/, ''),
  }
}
