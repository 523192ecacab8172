// Parses and compares values as people write them. All functions are pure: the languages are an argument. They return
// undefined instead of guessing. Dates and times are in dates.ts.
import { toComparable } from '../dom/text.js'
import { asTyped, digitsOf, mayBeDay } from './typed-text.js'

const decimals = new Map<string, string>()
/** The decimal separator of a language. */
export function decimalSign(language: string): string {
  const known = decimals.get(language)
  if (known !== undefined) return known
  let sign = '.'
  try {
    sign =
      new Intl.NumberFormat(language, { numberingSystem: 'latn' })
        .formatToParts(1.5)
        .find(({ type }) => type === 'decimal')?.value ?? sign
  } catch {
    // Not a language tag: use the English separator.
  }
  decimals.set(language, sign)
  return sign
}

/** One number: an integer or decimal with separators, perhaps an exponent; or a fraction such as `.5`. */
const numberPattern = /[-+]?\d[\d.,]*(?:e[-+]?\d+)?|[-+]?[.,]\d+/gi
/** A number in groups of three digits, such as `1.234` or `1,234,567`. */
const groupedPattern = /^[-+]?[1-9]\d{0,2}(?:[.,]\d{3})+$/

/** The numbers of a text, as they are written, without spaces between groups of digits. */
const numeralsIn = (text: string): readonly string[] =>
  digitsOf(text)
    .replace(/\u2212/g, '-')
    .replace(/(?<=\d)[\s'’\u00a0\u202f](?=\d{3}(?!\d))/g, '')
    .match(numberPattern) ?? []

/** All numbers of a text. */
export const numbersIn = (text: string, languages: readonly string[] = []): number[] =>
  numeralsIn(text).flatMap((numeral) => parseNumber(numeral, languages) ?? [])

/**
 * Parses a number with or without separators, currency or unit. A single separator before exactly three digits is
 * ambiguous (`1.234`): the first language decides. Undefined if the text has no number, or several.
 */
export function parseNumber(value: unknown, languages: readonly string[] = []): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string') return undefined
  const numbers = numeralsIn(value)
  if (numbers.length !== 1 || !numbers[0]) return undefined
  let number = numbers[0].replace(/[.,]+$/, '')
  const dot = number.lastIndexOf('.')
  const comma = number.lastIndexOf(',')
  if (dot >= 0 && comma >= 0) {
    const decimal = dot > comma ? '.' : ','
    number = number.replaceAll(decimal === '.' ? ',' : '.', '').replace(decimal, '.')
  } else if (comma >= 0 || dot >= 0) {
    const separator = comma >= 0 ? ',' : '.'
    const isGrouped =
      groupedPattern.test(number) &&
      (number.indexOf(separator) !== number.lastIndexOf(separator) || decimalSign(languages[0] ?? 'en') !== separator)
    number = isGrouped ? number.replaceAll(separator, '') : number.replace(',', '.')
  }
  const parsed = Number(number)
  return Number.isFinite(parsed) ? parsed : undefined
}

/**
 * The numbers that a text may mean, with a point and with a comma for the decimals. None if it has other words than a
 * short unit or currency, or several numbers.
 */
export function numberReadings(text: string): readonly number[] {
  const numerals = numeralsIn(text)
  const [numeral = ''] = numerals
  if (numerals.length !== 1 || (text.match(/\p{L}/gu) ?? []).length > 4) return []
  const readings = [
    // Groups of two before the last three digits: 12,34,567 in India.
    [/^[-+]?(?:\d+|\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})+,\d{3})(?:\.\d*)?$/, ','],
    [/^[-+]?(?:\d+|\d{1,3}(?:\.\d{3})+)(?:,\d*)?$/, '.'],
  ] as const
  return readings.flatMap(([form, group]) =>
    form.test(numeral) ? [Number(numeral.replaceAll(group, '').replace(',', '.'))] : [],
  )
}

/** The \`+\` and \`-\` before the first letter or digit. */
const leadingSign = (text: string): string => (/^[^\p{L}\p{N}]*/u.exec(text)?.[0] ?? '').replace(/[^-+]/g, '')
/**
 * The number that is the whole text. A leading zero or more than 15 digits means a code, not a number: numbers are
 * exact only up to 15 digits.
 */
const wholeNumber = (text: string, languages: readonly string[]): number | undefined =>
  text.length <= 40 &&
  /^[\p{Sc}%\s]*-?[\p{Sc}\s]*(?!0\d)[\d.,'\s]*\d[\p{Sc}%\s]*$/u.test(text) &&
  text.replace(/\D/g, '').length <= 15
    ? parseNumber(text, languages)
    : undefined

/**
 * Whether a field that reformats its text still holds the requested value. Equal are numbers and days in the format of
 * the language, added separators, and missing separators of telephone numbers and codes. A lost sign is a difference.
 * `number` is the requested value if it was a number. `sameDay` must be passed if `mayBeDay(requested)`.
 */
export function sameValue(
  current: string,
  requested: string,
  languages: readonly string[] = [],
  number?: number,
  sameDay?: (current: string, requested: string, languages: readonly string[]) => boolean | undefined,
): boolean {
  if (current === requested) return true
  const [now, wanted] = [asTyped(current), asTyped(requested)]
  if (wanted === '' || now === wanted) return now === wanted
  if (leadingSign(now) !== leadingSign(wanted)) return false
  if (number !== undefined && numberReadings(now).includes(number)) return true
  const isSameDay = mayBeDay(wanted) ? sameDay?.(now, wanted, languages) : undefined
  if (isSameDay !== undefined) return isSameDay
  const [wantedNumber, heldNumber] = [number ?? wholeNumber(wanted, languages), wholeNumber(now, languages)]
  if (wantedNumber !== undefined && heldNumber !== undefined) return wantedNumber === heldNumber
  const loose = (text: string): string => text.replace(/[\s\-./()]/g, '')
  if (/^\+?\d{7,}$/.test(loose(wanted))) return loose(now) === loose(wanted)
  // Spaces within a code of capital letters and digits have no meaning.
  const needed = /^(?=.*\d)(?=.*\p{L})[\p{Lu}\d ]{5,}$/u.test(digitsOf(requested).trim())
    ? wanted.replaceAll(' ', '')
    : wanted
  // All characters of the requested text must follow in order; other punctuation may be between them.
  let at = 0
  for (const character of now) {
    if (needed.startsWith(character, at)) at += character.length
    else if (/[\p{L}\p{M}\p{N}+]/u.test(character) || (at > 0 && /[#@]/.test(character))) return false
  }
  return at === needed.length
}

/** The similarity of two texts, 0 to 1: the share of letter pairs that they have in common (Dice coefficient). */
export function likeness(one: string, other: string): number {
  const pairs = (text: string): Map<string, number> => {
    const found = new Map<string, number>()
    const padded = ` ${text} `
    for (let index = 0; index < padded.length - 1; index++) {
      const pair = padded.slice(index, index + 2)
      found.set(pair, (found.get(pair) ?? 0) + 1)
    }
    return found
  }
  const [a, b] = [pairs(one), pairs(other)]
  let shared = 0
  for (const [pair, count] of a) shared += Math.min(count, b.get(pair) ?? 0)
  return (2 * shared) / (one.length + other.length + 2)
}

/** The labels most similar to the requested one, at most five. */
export function similarFields(asked: string, labels: readonly string[]): string[] {
  const wanted = toComparable(asked)
  return labels
    .map((label) => ({ label, score: likeness(wanted, toComparable(label)) }))
    .sort((a, b) => b.score - a.score)
    .filter(({ score }, index) => index < 5 && (score > 0.2 || index < 3))
    .map(({ label }) => label)
}
