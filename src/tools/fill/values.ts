// Values as people write them, turned into what native controls take. Pure: the page's language is an argument. What
// is not understood gives undefined, never a guess.

const digits = (text: string): string => text.normalize('NFKC')
const pad = (value: number, length = 2): string => String(value).padStart(length, '0')

const yes = new Set('yes y true on 1 checked check x ja j oui o si sí sim tak ano da да evet kyllä igen ναι はい 是 예 네 نعم כן ok selected agree'.split(' '))
const no = new Set('no n false off 0 unchecked uncheck none nein non nao não nie ne nee нет hayır hayir ei nem όχι いいえ 否 不 아니요 아니오 لا לא nej nei'.split(' '))

/** Yes or no, in words of many languages. */
export function parseBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (value === null) return false
  const word = digits(String(value)).trim().toLowerCase().replace(/[.!]$/, '')
  return yes.has(word) ? true : no.has(word) || word === '' ? false : undefined
}

const decimals = new Map<string, string>()
/** What a language writes before the part of a number that is less than one. */
function decimalSign(language: string): string {
  const known = decimals.get(language)
  if (known !== undefined) return known
  let sign = '.'
  try {
    sign = new Intl.NumberFormat(language, { numberingSystem: 'latn' }).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? sign
  } catch { /* Not a language tag: as English has it. */ }
  decimals.set(language, sign)
  return sign
}

/** A number with or without separators, currency or unit. One sign before three digits is read as the first language has it; else it can only be decimal. */
export function parseNumber(value: unknown, languages: readonly string[] = []): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string') return undefined
  const text = digits(value).replace(/\u2212/g, '-').replace(/(\d)[\s'’\u00a0\u202f](?=\d{3}(?!\d))/g, '$1')
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
    const grouped = /^[-+]?[1-9]\d{0,2}([.,]\d{3})+$/.test(number) && (number.indexOf(sign) !== number.lastIndexOf(sign) || decimalSign(languages[0] ?? 'en') !== sign)
    number = grouped ? number.replaceAll(sign, '') : number.replace(',', '.')
  }
  const parsed = Number(number)
  return Number.isFinite(parsed) ? parsed : undefined
}

const monthsOf = new Map<string, Map<string, number>>()
/** Names of months in a language, as Intl has them, without their dots. */
function monthNames(language: string): Map<string, number> {
  const known = monthsOf.get(language)
  if (known) return known
  const names = new Map<string, number>()
  for (const options of [{ month: 'long' }, { month: 'short' }, { month: 'long', day: 'numeric' }] as const) {
    let format: Intl.DateTimeFormat
    try {
      format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
    } catch {
      break // Not a language tag: no names but the English ones.
    }
    for (let month = 0; month < 12; month++) {
      const part = format.formatToParts(Date.UTC(2026, month, 15)).find(({ type }) => type === 'month')
      if (part) names.set(part.value.toLowerCase().replace(/\./g, ''), month + 1)
    }
  }
  names.set('sept', 9)
  monthsOf.set(language, names)
  return names
}

export interface Day { readonly year: number; readonly month: number; readonly day: number }

function valid(year: number, month: number, day: number): Day | undefined {
  const full = year < 100 ? year + (year < 70 ? 2000 : 1900) : year
  const date = new Date(Date.UTC(full, month - 1, day))
  return date.getUTCFullYear() === full && date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? { year: full, month, day } : undefined
}

const isoDay = ({ year, month, day }: Day): string => `${pad(year, 4)}-${pad(month)}-${pad(day)}`
const monthFirst = (language: string): boolean => {
  try {
    return new Intl.DateTimeFormat(language || 'en', { timeZone: 'UTC' }).formatToParts(0).findIndex(({ type }) => type === 'month') === 0
  } catch {
    return true // Not a language tag: as English has it.
  }
}

/** The month a text names, in English or the page's language. */
function namedMonth(text: string, languages: readonly string[]): { month: number; rest: string } | undefined {
  for (const word of text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []) {
    for (const language of [...languages, 'en']) {
      const month = monthNames(language).get(word)
      if (month) return { month, rest: text.toLowerCase().replace(word, ' ') }
    }
  }
  return undefined
}

/** A calendar day: ISO, spoken with the month's name, or in numbers in the order the language has. */
export function parseDay(value: unknown, languages: readonly string[] = []): Day | undefined {
  const text = digits(String(value ?? '')).trim()
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:$|[T\s])/.exec(text) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? /^(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]/.exec(text)
  if (iso) return valid(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const named = namedMonth(text, languages)
  if (named) {
    const year = /(?<!\d)\d{4}(?!\d)/.exec(named.rest)?.[0]
    const day = /(?<!\d)(\d{1,2})(?!\d|:)/.exec(named.rest.replace(year ?? '', ' '))?.[1]
    return year && day ? valid(Number(year), named.month, Number(day)) : undefined
  }
  const parts = /^\D*?(\d{1,2})\s*([./-])\s*(\d{1,2})\s*\2\s*(\d{4}|\d{2})(?!\d)/.exec(text)
  if (!parts) return undefined
  const [first, second, year] = [Number(parts[1]), Number(parts[3]), Number(parts[4])]
  const americanOrder = parts[2] === '/' && monthFirst(languages[0] ?? 'en')
  return americanOrder ? valid(year, first, second) ?? valid(year, second, first) : valid(year, second, first) ?? valid(year, first, second)
}

/** A day as a text box wants it, where words beside it say how: "mm/dd/yyyy", "TT.MM.JJJJ", "jj/mm/aaaa". */
export function formatDay({ year, month, day }: Day, hint: string): string | undefined {
  const found = /(?<!\p{L})(m{1,2}|[dtjg]{1,2}|[yja]{4})([-./ ])(m{1,2}|[dtjg]{1,2})\2(m{1,2}|[dtjg]{1,2}|[yja]{4})(?!\p{L})/iu.exec(hint)
  if (!found) return undefined
  const kinds = [found[1], found[3], found[4]].map((part = '') => (part.length === 4 ? 'y' : /^m/i.test(part) ? 'm' : 'd'))
  if (new Set(kinds).size < 3) return undefined
  return kinds.map((kind) => (kind === 'y' ? pad(year, 4) : pad(kind === 'm' ? month : day))).join(found[2])
}

/** A time of day as hh:mm or hh:mm:ss. */
export function parseTime(value: unknown): string | undefined {
  const text = digits(String(value ?? '')).trim().toLowerCase()
  if (/^(noon|midday|mittag|midi)$/.test(text)) return '12:00'
  if (/^(midnight|mitternacht|minuit)$/.test(text)) return '00:00'
  const found = /(?<![\d.:-])(\d{1,2})(?:\s*[:.h時시]\s*(\d{2})(?:[:.m](\d{2})(?:\.\d+)?s?)?)?\s*(?:[時시h]|uhr|o'clock)?\s*([ap])?\.?\s*(?:m\b\.?)?(?![\d-])/.exec(text)
  if (!found) return undefined
  const half = found[4]
  if (found[2] === undefined && !half && !/[h時시]|uhr|clock/.test(text) && !/^\d{1,2}$/.test(text)) return undefined
  let hour = Number(found[1])
  const minute = Number(found[2] ?? 0)
  const second = Number(found[3] ?? 0)
  if (half && (hour < 1 || hour > 12)) return undefined
  if (half) hour = hour % 12 + (half === 'p' ? 12 : 0)
  if (hour === 24 && minute === 0) hour = 0
  if (hour > 23 || minute > 59 || second > 59) return undefined
  return `${pad(hour)}:${pad(minute)}${second > 0 ? `:${pad(second)}` : ''}`
}

/** The ISO week a day lies in, as a week control has it. */
function weekOf({ year, month, day }: Day): string {
  const date = new Date(Date.UTC(year, month - 1, day))
  date.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7))
  const first = Date.UTC(date.getUTCFullYear(), 0, 1)
  return `${date.getUTCFullYear()}-W${pad(Math.ceil(((date.getTime() - first) / 86_400_000 + 1) / 7))}`
}

/** The value of a date-like control, in the form its `value` has. */
export function parseTemporal(type: string, value: unknown, languages: readonly string[] = []): string | undefined {
  const text = digits(String(value ?? '')).trim()
  const day = parseDay(text, languages)
  switch (type) {
    case 'date': return day && isoDay(day)
    case 'time': return parseTime(/^\d{4}-\d{2}-\d{2}[T ]/.test(text) ? text.slice(11).replace(/(z|[+-]\d{2}:?\d{2})$/i, '') : text)
    case 'datetime-local': {
      const clock = /^\d{4}-\d{2}-\d{2}[T ](.+)$/.exec(text)?.[1]?.replace(/(z|[+-]\d{2}:?\d{2})$/i, '') ?? /(\d{1,2}[:.h]\d{2}(?::\d{2})?\s*(?:[ap]\.?m\.?)?|\d{1,2}\s*[ap]\.?m\.?|\d{1,2}\s*uhr|noon|midnight)\s*$/i.exec(text)?.[1]
      const time = clock === undefined ? undefined : parseTime(clock)
      return day && time ? `${isoDay(day)}T${time}` : undefined
    }
    case 'month': {
      const iso = /^(\d{4})[-/.](\d{1,2})(?!\d)/.exec(text) ?? undefined
      if (iso) return Number(iso[2]) >= 1 && Number(iso[2]) <= 12 ? `${iso[1]}-${pad(Number(iso[2]))}` : undefined
      if (day) return `${pad(day.year, 4)}-${pad(day.month)}`
      const turned = /^(\d{1,2})\s*[-/.]\s*(\d{4})$/.exec(text)
      if (turned) return Number(turned[1]) >= 1 && Number(turned[1]) <= 12 ? `${turned[2]}-${pad(Number(turned[1]))}` : undefined
      const named = namedMonth(text, languages)
      const year = named && /(?<!\d)\d{4}(?!\d)/.exec(named.rest)?.[0]
      return named && year ? `${year}-${pad(named.month)}` : undefined
    }
    case 'week': {
      const named = /(\d{4})\D{0,3}w(?:eek)?\s*(\d{1,2})/i.exec(text) ?? undefined
      const turned = /(?:w|week|kw|semaine|woche)\s*\.?(\d{1,2})\D+(\d{4})/i.exec(text) ?? undefined
      const [year, week] = named ? [named[1], named[2]] : turned ? [turned[2], turned[1]] : []
      if (year && week) return Number(week) >= 1 && Number(week) <= 53 ? `${year}-W${pad(Number(week))}` : undefined
      return day && weekOf(day)
    }
    default: return undefined
  }
}

// A text as typed: one kind of blank, quote and dash.
const typed = (text: string): string => digits(text).toLowerCase().replace(/\s+/g, ' ').replace(/[‘’ʼ]/g, "'").replace(/[“”]/g, '"').replace(/[‐‑–\u2212]/g, '-').trim()
const leadingSign = (text: string): string => (/^[^\p{L}\p{N}]*/u.exec(text)?.[0] ?? '').replace(/[^-+]/g, '')
/** A text that is one number and no code: what begins with nought is a code, and what is longer than numbers are exact. */
const wholeNumber = (text: string, languages: readonly string[]): number | undefined =>
  (text.length <= 40 && /^[\p{Sc}%\s]*-?[\p{Sc}\s]*(?!0\d)[\d.,'\s]*\d[\p{Sc}%\s]*$/u.test(text) && text.replace(/\D/g, '').length <= 15 ? parseNumber(text, languages) : undefined)

/**
 * Whether a page that writes a text its own way still holds what was asked: a number or a day as its language has it,
 * separators that came to it, and those that a telephone number or a code can do without. A sign that is lost is a
 * change. `number` is what was asked, where it was given as a number.
 */
export function sameValue(held: string, asked: string, languages: readonly string[] = [], number?: number): boolean {
  if (held === asked) return true
  const [now, wanted] = [typed(held), typed(asked)]
  if (wanted === '' || now === wanted) return now === wanted
  if (leadingSign(now) !== leadingSign(wanted)) return false
  if (/^\d{1,4}([-./])\d{1,2}\1\d{1,4}$/.test(wanted)) {
    const day = parseDay(wanted, languages)
    const other = day && parseDay(now, languages)
    if (day) return (other && isoDay(other)) === isoDay(day) || now.split(/\D+/).join(' ') === wanted.split(/\D+/).join(' ')
  }
  const [count, other] = [number ?? wholeNumber(wanted, languages), wholeNumber(now, languages)]
  if (count !== undefined && other !== undefined) return count === other
  const loose = (text: string): string => text.replace(/[\s\-./()]/g, '')
  if (/^\+?\d{7,}$/.test(loose(wanted))) return loose(now) === loose(wanted)
  // Blanks within a code of letters and digits are for the eye.
  const needed = /^(?=.*\d)(?=.*\p{L})[\p{Lu}\d ]{5,}$/u.test(digits(asked).trim()) ? wanted.replaceAll(' ', '') : wanted
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
