// Numbers as people write them: digits, English words up to ninety-nine, a couple, a dozen.

const words = new Map<string, number>(
  [
    'zero',
    'one',
    'two',
    'three',
    'four',
    'five',
    'six',
    'seven',
    'eight',
    'nine',
    'ten',
    'eleven',
    'twelve',
    'thirteen',
    'fourteen',
    'fifteen',
    'sixteen',
    'seventeen',
    'eighteen',
    'nineteen',
  ].map((word, value) => [word, value]),
)
for (const [index, word] of ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'].entries()) {
  words.set(word, (index + 2) * 10)
}
const phrases = new Map([
  ['a couple of', 2],
  ['a couple', 2],
  ['a pair of', 2],
  ['half a dozen', 6],
  ['a dozen', 12],
  ['both', 2],
  ['another', 1],
])

const single = [...words.keys()].sort((a, b) => b.length - a.length).join('|')
/** Source of a regular expression for one number; nothing in it captures. */
export const numberPattern = `(?:${[...phrases.keys()].join('|')}|(?:(?:twen|thir|for|fif|six|seven|eigh|nine)ty-(?:${single}))|${single}|-?\\d+(?:[.,]\\d+)?)`

/** The value of a text that `numberPattern` matches; undefined for any other text. */
export function parseNumber(text: string): number | undefined {
  const word = text.trim().toLowerCase()
  const known = phrases.get(word) ?? words.get(word)
  if (known !== undefined) return known
  const [tens = '', ones = ''] = word.split('-')
  const ten = words.get(tens)
  const one = words.get(ones)
  if (ten !== undefined && one !== undefined) return ten + one
  return /^-?\d+([.,]\d+)?$/.test(word) ? Number(word.replace(',', '.')) : undefined
}

export interface Found<T> {
  readonly value: T
  /** Where it stands in the text. */
  readonly start: number
  readonly end: number
}

const pointing = /\b(?:the|this|that|which|each|first|second|third|last|next|other|same|\w+est)\s+$/i

/** Every number of a text, in order. Part of a word, a time, a date or a code is none, nor is the one in "that one". */
export function findNumbers(text: string): Found<number>[] {
  const pattern = new RegExp(`(?<![\\p{L}\\d.:/+-])${numberPattern}(?![\\p{L}\\d]|[:/]\\d|-\\d|[.,]\\d|@)`, 'giu')
  return [...text.matchAll(pattern)].flatMap((match) => {
    const value = parseNumber(match[0])
    const isPronoun = match[0].toLowerCase() === 'one' && pointing.test(text.slice(0, match.index))
    return value === undefined || isPronoun ? [] : [{ value, start: match.index, end: match.index + match[0].length }]
  })
}
