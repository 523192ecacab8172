// Values as people write them, turned into what native controls take. Pure: the page's language is an argument. What
// is not understood gives undefined, never a guess. Dates and times are in dates.ts.

/** Digits and letters of any width as the usual ones. */
export const digitsOf = (text: string): string => text.normalize('NFKC')

const decimals = new Map<string, string>()
/** What a language writes before the part of a number that is less than one. */
function decimalSign(language: string): string {
  const known = decimals.get(language)
  if (known !== undefined) return known
  let sign = '.'
  try {
    sign =
      new Intl.NumberFormat(language, { numberingSystem: 'latn' })
        .formatToParts(1.5)
        .find(({ type }) => type === 'decimal')?.value ?? sign
  } catch {
    /* Not a language tag: as English has it. */
  }
  decimals.set(language, sign)
  return sign
}

/** A number with or without separators, currency or unit. One sign before three digits is read as the first language has it; else it can only be decimal. */
export function parseNumber(value: unknown, languages: readonly string[] = []): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string') return undefined
  const text = digitsOf(value)
    .replace(/\u2212/g, '-')
    .replace(/(\d)[\s'’\u00a0\u202f](?=\d{3}(?!\d))/g, '$1')
  const found = text.match(/[-+]?\d[\d.,]*(?:e[-+]?\d+)?|[-+]?[.,]\d+/gi)
  if (found?.length !== 1 || !found[0]) return undefined
  let number = found[0].replace(/[.,]+$/, '')
  const dot = number.lastIndexOf('.')
  const comma = number.lastIndexOf(',')
  if (dot >= 0 && comma >= 0) {
    const decimal = dot > comma ? '.' : ','
    number = number.replaceAll(decimal === '.' ? ',' : '.', '').replace(decimal, '.')
  } else if (comma >= 0 || dot >= 0) {
    const sign = comma >= 0 ? ',' : '.'
    const grouped =
      /^[-+]?[1-9]\d{0,2}([.,]\d{3})+$/.test(number) &&
      (number.indexOf(sign) !== number.lastIndexOf(sign) || decimalSign(languages[0] ?? 'en') !== sign)
    number = grouped ? number.replaceAll(sign, '') : number.replace(',', '.')
  }
  const parsed = Number(number)
  return Number.isFinite(parsed) ? parsed : undefined
}

// A text as typed: one kind of blank, quote and dash.
const typed = (text: string): string =>
  digitsOf(text)
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[‐‑–\u2212]/g, '-')
    .trim()
/** Whether a text may be a day in numbers. */
export const mayBeDay = (text: string): boolean => /^\d{1,4}([-./])\d{1,2}\1\d{1,4}$/.test(typed(text))
const leadingSign = (text: string): string => (/^[^\p{L}\p{N}]*/u.exec(text)?.[0] ?? '').replace(/[^-+]/g, '')
/** A text that is one number and no code: what begins with nought is a code, and what is longer than numbers are exact. */
const wholeNumber = (text: string, languages: readonly string[]): number | undefined =>
  text.length <= 40 &&
  /^[\p{Sc}%\s]*-?[\p{Sc}\s]*(?!0\d)[\d.,'\s]*\d[\p{Sc}%\s]*$/u.test(text) &&
  text.replace(/\D/g, '').length <= 15
    ? parseNumber(text, languages)
    : undefined

/**
 * Whether a page that writes a text its own way still holds what was asked: a number or a day as its language has it,
 * separators that came to it, and those that a telephone number or a code can do without. A sign that is lost is a
 * change. `number` is what was asked, where it was given as a number. `sameDay` is needed where `mayBeDay(asked)`.
 */
export function sameValue(
  held: string,
  asked: string,
  languages: readonly string[] = [],
  number?: number,
  sameDay?: (held: string, asked: string, languages: readonly string[]) => boolean | undefined,
): boolean {
  if (held === asked) return true
  const [now, wanted] = [typed(held), typed(asked)]
  if (wanted === '' || now === wanted) return now === wanted
  if (leadingSign(now) !== leadingSign(wanted)) return false
  const isSameDay = mayBeDay(wanted) ? sameDay?.(now, wanted, languages) : undefined
  if (isSameDay !== undefined) return isSameDay
  const [count, other] = [number ?? wholeNumber(wanted, languages), wholeNumber(now, languages)]
  if (count !== undefined && other !== undefined) return count === other
  const loose = (text: string): string => text.replace(/[\s\-./()]/g, '')
  if (/^\+?\d{7,}$/.test(loose(wanted))) return loose(now) === loose(wanted)
  // Blanks within a code of letters and digits are for the eye.
  const needed = /^(?=.*\d)(?=.*\p{L})[\p{Lu}\d ]{5,}$/u.test(digitsOf(asked).trim())
    ? wanted.replaceAll(' ', '')
    : wanted
  let at = 0
  for (const character of now) {
    if (needed.startsWith(character, at)) at += character.length
    else if (/[\p{L}\p{M}\p{N}+]/u.test(character) || (at > 0 && /[#@]/.test(character))) return false
  }
  return at === needed.length
}

/** How near two texts are, 0 to 1, by the pairs of letters they share. */
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
