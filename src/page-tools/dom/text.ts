// Normalizes page text for models. Removes invisible characters, which can hide instructions, and prevents page text
// from imitating refs of the outline.

/** Soft hyphen, zero-width, bidi controls, separators, fillers, variation selectors, private use, tags, controls. */
const invisible = new RegExp(
  '[\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e' +
    '\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\\ue000-\\uf8ff' +
    '\\u{e0000}-\\u{e0fff}\\u{f0000}-\\u{10ffff}\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}]',
  'gu',
)

/** Removes invisible characters and replaces white space by single spaces, without spaces at the ends. */
export const normalizeText = (text: string): string =>
  text
    .replace(invisible, '')
    .replace(/[\p{Z}\p{Cc}\s]+/gu, ' ')
    .replaceAll('[ref=', '(ref=')
    .trim()

/** Removes invisible and control characters, but keeps spaces, tabs and line breaks. For values of fields. */
export const normalizeLines = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(invisible, '')
    .replace(/[^\S\n\t]/g, ' ')
    .replace(/(?![\n\t])\p{Cc}/gu, '')

/** Stand for white space that is shown as it is written, until a text is put together. No page can write them. */
const marks = new Map([
  ['\n', '\ufdd0'],
  [' ', '\ufdd1'],
  ['\t', '\ufdd2'],
])
const written = new Map([...marks].map(([space, mark]) => [mark, space]))
const anyMark = /[\ufdd0-\ufdd2]/g

/** A text as a style shows it: the white space that the style keeps is marked. */
export function markSpaces(text: string, whiteSpace: string): string {
  const own = text.replace(anyMark, '')
  if (!/^(pre|break-spaces)/.test(whiteSpace)) return own
  const lines = own.replace(/\r\n?/g, '\n')
  if (!/^(pre-line|preserve-breaks)/.test(whiteSpace)) return lines.replace(/[\n\t ]/g, (one) => marks.get(one)!)
  return lines.replace(/[^\S\n]*\n[^\S\n]*/g, marks.get('\n')!)
}

/** A text whose white space was marked, without that before its first and after its last line. */
export const readSpaces = (text: string): string =>
  text.search(anyMark) < 0
    ? normalizeText(text)
    : normalizeText(text)
        .replace(anyMark, (mark) => written.get(mark)!)
        .replace(/^(?:[ \t]*\n)+|\s+$/g, '')

/**
 * A text in one line: in quotes, as JSON, if it has line breaks or spaces that would be lost otherwise. `redact`
 * removes private values, which could not be recognized afterwards.
 */
export function inOneLine(text: string, redact: (text: string) => string): string {
  const line = normalizeText(text)
  return text === line || redact(line) !== line ? line : JSON.stringify(text)
}

/** Shortens to at most `most` UTF-16 units, with an ellipsis. Never splits a surrogate pair. */
export function truncate(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** Letters that Unicode does not take apart, and the Greek sigma at the end of a word. */
const plainLetters = new Map(
  Object.entries({
    æ: 'ae',
    ø: 'o',
    œ: 'oe',
    ð: 'd',
    đ: 'd',
    ħ: 'h',
    ı: 'i',
    ł: 'l',
    ŧ: 't',
    þ: 'th',
    ß: 'ss',
    ς: 'σ',
  }),
)

/** A text without accents, in lower case, in plain letters. Also for the source of a regular expression. */
const withoutAccents = (text: string): string => text.normalize('NFKD').replace(/\p{M}+/gu, '')
export const fold = (text: string): string =>
  withoutAccents(text).replace(/[æøœðđħıłŧþßς]/gu, (letter) => plainLetters.get(letter) ?? letter)

/** A form for comparing names: lower case, no accents, words separated by one space, `camelCase` split. */
export function toComparable(text: string): string {
  const lower = withoutAccents(text.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')).toLowerCase()
  return fold(lower)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/**
 * A form in which a whole name is compared: one case, one space between words, no asterisk, colon or ellipsis, and one
 * form of each quotation mark and dash, because the outline writes `"` as `'`. All other characters count: `C++` is
 * not `C`. A text of nothing else stays as it is.
 */
export function foldName(text: string): string {
  const folded = normalizeText(text)
    .normalize('NFC')
    .toLowerCase()
    .replace(/["'`´‘’‚‛“”„‟«»]/gu, "'")
    .replace(/[‐‑‒–—−]/gu, '-')
    .replace(/\.{3,}|…/gu, '…')
  return normalizeText(folded.replace(/[*:：＊…]/gu, ' ')) || folded
}

const symbolsBefore = /^(?:[\p{Extended_Pictographic}\p{So}\p{Emoji_Modifier}]\s*|[^\p{L}\p{N}\s"'([{«„“]+\s+)+/u
const symbolsAfter = /(?:\s*[\p{Extended_Pictographic}\p{So}\p{Emoji_Modifier}]|\s+[^\p{L}\p{N}\s"')\]}»“”]+)+$/u
/** A text without emoji and symbols before and after its words. One without letters stays as it is. */
export function withoutSymbols(text: string): string {
  const words = text.replace(symbolsBefore, '').replace(symbolsAfter, '')
  return /\p{L}/u.test(words) ? words : text
}

/** Whether the text contains the words, or exactly the symbols if there are no words: `×`. */
export function containsWords(text: string, wanted: string): boolean {
  const words = toComparable(wanted)
  return words === '' ? normalizeText(text).includes(normalizeText(wanted)) : toComparable(text).includes(words)
}
/** `toComparable`, but a text of symbols only stays as it is. */
export const toComparableName = (text: string): string => toComparable(text) || normalizeText(text)

/** Cleans a label: no leading or trailing punctuation, no asterisk of required fields. At most 120 characters. */
export function asLabel(text: string): string {
  // Truncate first: the patterns take quadratic time on a long run of asterisks.
  return truncate(
    truncate(normalizeText(text), 400)
      .replace(/^[\s*:：•·|>–-]+|[\s*:：,•·|<–-]+$/g, '')
      .replace(/\s*\*\s*(?=\(|$)/g, ' ')
      .trim(),
    120,
  )
}

/** An identifier of React's `useId`, in the forms of versions 18, 19.0 and 19.1. */
const reactId = /:[rR]\w*:|«[rR]\w*»|_[rR]_\w*_/
/** Whether a library made the identifier up. An element that is drawn anew has another one. */
export const isGeneratedId = (id: string): boolean => reactId.test(id)

/** Turns an identifier into words: `billing_firstName` into `billing first name`. Empty if it is a generated code. */
export function toReadable(name: string): string {
  if (reactId.test(name)) return ''
  const last = name
    .split(/[.[\]$:]+/)
    .filter((part) => /\p{L}{2}/u.test(part))
    .slice(-2)
    .join(' ')
  const words = toComparable(last)
    .split(' ')
    .filter((word) => !/\d{4,}|^[a-f\d]{6,}$|^(id|input|field|txt|tb|ctl|ctl\d+|form|control)$/.test(word))
  return /\p{L}{2}/u.test(words.join(' ')) ? words.join(' ').normalize('NFC') : ''
}

/** A form of a label to compare it with others. */
export const toComparableLabel = (label: string): string => toComparable(label) || label

/** What stands in an `alt` for want of a text: the word for a picture, with a number or not, or the name of a file. */
const emptyWords = new RegExp(
  '^(?:(?:icons?|ico|image|img|picture|pic|photo|graphic|svg|png|alt|untitled|thumbnail|null|undefined|bild|symbol|' +
    'icone?|icône|icono|imagen|ícono|immagine|图标|图片|图像|アイコン|画像|أيقونة|صورة)(?:[\\s_-]*\\d+)?[\\s,]*)+$|' +
    '^\\S+\\.(?:svg|png|jpe?g|gif|webp|avif|ico|bmp)$|^(?:img|dsc|image)[\\s_-]?\\d+$',
  'i',
)
/** Whether a name tells no more than that there is a picture: `icon`, `image 3`, `IMG_0042.png`. */
export const saysNothing = (name: string): boolean =>
  !/[\p{L}\p{N}]/u.test(name) || (name.length <= 200 && emptyWords.test(name.trim()))
