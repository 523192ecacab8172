// Text on its way to the model. One place takes out what no person sees (zero-width, bidi controls, tag characters,
// private use) and keeps page text from looking like an outline of ours.

// Soft hyphen, zero-width, bidi controls, separators, fillers, variation selectors, private use, tags, controls.
const unseen =
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ue000-\uf8ff\u{e0000}-\u{e0fff}\u{f0000}-\u{10ffff}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}]/gu

/** Text without what no person sees, white space as single blanks, also at its ends. */
export function collapseSpaces(text: string): string {
  return text
    .replace(unseen, '')
    .replace(/[\p{Z}\p{Cc}\s]+/gu, ' ')
    .replaceAll('[ref=', '(ref=')
}
export const normalizeText = (text: string): string => collapseSpaces(text).trim()

/** The same for values, whose lines matter. */
export function normalizeLines(text: string): string {
  return text
    .replace(unseen, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/[\0-\x09\x0b-\x1f\x7f-\x9f]/g, '')
}

/** Cut between characters, never inside one. */
export function truncate(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** For comparing what people call things: no case, accents, punctuation. */
export function toComparable(text: string): string {
  return text
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** A label as a person says it: without the asterisk and the colon. */
export function asLabel(text: string): string {
  // Cut first: a line of ten thousand stars would be looked through from each of them.
  return truncate(
    truncate(normalizeText(text), 400)
      .replace(/^[\s*:：•·|>–-]+|[\s*:：,•·|<–-]+$/g, '')
      .replace(/\s*\*\s*(?=\(|$)/g, ' ')
      .trim(),
    120,
  )
}

/** An attribute made readable: `billing_firstName` as `billing first name`; nothing where it is a code. */
export function toReadable(name: string): string {
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
