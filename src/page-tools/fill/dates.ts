// Parses dates and times as people write them into the values of native date controls. All functions are pure and
// return undefined instead of guessing.
import { digitsOf } from './typed-text.js'

const pad = (value: number, length = 2): string => String(value).padStart(length, '0')

const monthsByLanguage = new Map<string, Map<string, number>>()
/** Month names of a language from Intl, in lower case and without dots, with their numbers from 1. */
function monthNames(language: string): Map<string, number> {
  const known = monthsByLanguage.get(language)
  if (known) return known
  const names = new Map<string, number>()
  for (const options of [{ month: 'long' }, { month: 'short' }, { month: 'long', day: 'numeric' }] as const) {
    let format: Intl.DateTimeFormat
    try {
      format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
    } catch {
      break // Not a language tag: only the English names apply.
    }
    for (let month = 0; month < 12; month++) {
      const part = format.formatToParts(Date.UTC(2026, month, 15)).find(({ type }) => type === 'month')
      if (part) names.set(part.value.toLowerCase().replace(/\./g, ''), month + 1)
    }
  }
  names.set('sept', 9)
  monthsByLanguage.set(language, names)
  return names
}

/** A calendar day without a time zone. */
export interface Day {
  /** With four digits. */
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  /** 1 to 31. */
  readonly day: number
}

type Digits = string | number | undefined

/** The day, if it exists. Two-digit years are 1970 to 2069. */
function validDay(yearText: Digits, monthText: Digits, dayText: Digits): Day | undefined {
  const [short, month, day] = [Number(yearText), Number(monthText), Number(dayText)]
  const year = short < 100 ? short + (short < 70 ? 2000 : 1900) : short
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
    ? { year, month, day }
    : undefined
}

const isoDay = ({ year, month, day }: Day): string => `${pad(year, 4)}-${pad(month)}-${pad(day)}`
/** Whether the language writes the month before the day. */
const isMonthFirst = (language: string): boolean => {
  try {
    return (
      new Intl.DateTimeFormat(language || 'en', { timeZone: 'UTC' })
        .formatToParts(0)
        .findIndex(({ type }) => type === 'month') === 0
    )
  } catch {
    return true // Not a language tag: use the English order.
  }
}

/** The month that a text names in one of the languages or in English, and the rest of the text. */
export function namedMonth(text: string, languages: readonly string[]): { month: number; rest: string } | undefined {
  for (const word of text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []) {
    for (const language of [...languages, 'en']) {
      const month = monthNames(language).get(word)
      if (month) return { month, rest: text.toLowerCase().replace(word, ' ') }
    }
  }
  return undefined
}

/** `27.11.2026`, `11/27/26`. */
const numericDay = new RegExp(
  '^\\D*?(?<first>\\d{1,2})\\s*(?<separator>[./-])\\s*(?<second>\\d{1,2})\\s*' +
    '\\k<separator>\\s*(?<year>\\d{4}|\\d{2})(?!\\d)',
)

/**
 * Parses a calendar day: ISO, with the name of the month, or in numbers. Numbers are read in the order of the first
 * language, or in the other order if only that is a valid day.
 */
export function parseDay(value: unknown, languages: readonly string[] = []): Day | undefined {
  const text = digitsOf(String(value ?? '')).trim()
  const iso =
    /^(?<year>\d{4})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})(?:$|[T\s])/.exec(text) ??
    /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})$/.exec(text) ??
    /^(?<year>\d{4})\s*[年년]\s*(?<month>\d{1,2})\s*[月월]\s*(?<day>\d{1,2})\s*[日일]/.exec(text)
  if (iso?.groups) return validDay(iso.groups['year'], iso.groups['month'], iso.groups['day'])
  const named = namedMonth(text, languages)
  if (named) {
    const year = /(?<!\d)\d{4}(?!\d)/.exec(named.rest)?.[0]
    const day = /(?<!\d)\d{1,2}(?!\d|:)/.exec(named.rest.replace(year ?? '', ' '))?.[0]
    return year && day ? validDay(year, named.month, day) : undefined
  }
  const numeric = numericDay.exec(text)?.groups
  if (!numeric) return undefined
  const { first, separator, second, year } = numeric
  // Only slashes are used for month/day/year. Dots and dashes mean day.month.year.
  return separator === '/' && isMonthFirst(languages[0] ?? 'en')
    ? (validDay(year, first, second) ?? validDay(year, second, first))
    : (validDay(year, second, first) ?? validDay(year, first, second))
}

/**
 * Formats a day as the hint of a text field asks: `mm/dd/yyyy` (English), `TT.MM.JJJJ` (German), `jj/mm/aaaa` (French),
 * `gg/mm/aaaa` (Italian), `dd-mm-jjjj` (Dutch). Undefined if the hint has no such pattern.
 */
export function formatDay({ year, month, day }: Day, hint: string): string | undefined {
  const monthOrDay = 'm{1,2}|[dtjg]{1,2}'
  const pattern = new RegExp(
    `(?<!\\p{L})(?<first>${monthOrDay}|[yja]{4})(?<separator>[-./ ])(?<second>${monthOrDay})` +
      `\\k<separator>(?<third>${monthOrDay}|[yja]{4})(?!\\p{L})`,
    'iu',
  )
  const { first = '', separator, second = '', third = '' } = pattern.exec(hint)?.groups ?? {}
  const numbers = [first, second, third].map((letters) => {
    if (letters.length === 4) return { unit: 'year', text: pad(year, 4) }
    return /^m/i.test(letters) ? { unit: 'month', text: pad(month) } : { unit: 'day', text: pad(day) }
  })
  if (new Set(numbers.map(({ unit }) => unit)).size < 3) return undefined
  return numbers.map(({ text }) => text).join(separator)
}

/**
 * Formats a day as the date that a field holds, such as `27.11.2026`. Undefined if that is no date, or if its numbers
 * do not tell which one is the month.
 */
function formatLike({ year, month, day }: Day, current: string): string | undefined {
  const {
    first = '',
    separator = '',
    second = '',
  } = /\d{4}$/.test(current) ? (numericDay.exec(current)?.groups ?? {}) : {}
  const isMonthFirst = Number(second) > 12
  if (first === '' || (separator === '/' && !isMonthFirst && Number(first) <= 12)) return undefined
  const length = Math.min(first.length, second.length)
  const numbers = [pad(day, length), pad(month, length)]
  return [...(isMonthFirst ? numbers.reverse() : numbers), pad(year, 4)].join(separator)
}

/**
 * Formats an ISO date as the hint asks (`formatDay`), or else as the current one is. Undefined if neither
 * tells a format, or if there is no such day.
 */
export function formatDate(iso: string, hint: string, current: string): string | undefined {
  const day = parseDay(iso)
  return day && (formatDay(day, hint) ?? formatLike(day, current))
}

/** `19:30`, `7.30 pm`, `19h30`, `19 Uhr`, `7 o'clock`, `19時30`. */
const clockTime = new RegExp(
  '(?<![\\d.:-])(?<hour>\\d{1,2})' +
    '(?:\\s*[:.h時시]\\s*(?<minute>\\d{2})(?:[:.m](?<second>\\d{2})(?:\\.\\d+)?s?)?)?' +
    "\\s*(?:[時시h]|uhr|o'clock)?\\s*(?<half>[ap])?\\.?\\s*(?:m\\b\\.?)?(?![\\d-])",
)

/** Parses a time of day into hh:mm, or hh:mm:ss if it has seconds. */
export function parseTime(value: unknown): string | undefined {
  const text = digitsOf(String(value ?? ''))
    .trim()
    .toLowerCase()
  if (/^(noon|midday|mittag|midi)$/.test(text)) return '12:00'
  if (/^(midnight|mitternacht|minuit)$/.test(text)) return '00:00'
  const parts = clockTime.exec(text)?.groups
  if (!parts) return undefined
  const { half } = parts
  if (!parts['minute'] && !half && !/[h時시]|uhr|clock/.test(text) && !/^\d{1,2}$/.test(text)) return undefined
  let hour = Number(parts['hour'])
  const minute = Number(parts['minute'] ?? 0)
  const second = Number(parts['second'] ?? 0)
  if (half && (hour < 1 || hour > 12)) return undefined
  if (half) hour = (hour % 12) + (half === 'p' ? 12 : 0)
  if (hour === 24 && minute === 0) hour = 0
  if (hour > 23 || minute > 59 || second > 59) return undefined
  return `${pad(hour)}:${pad(minute)}${second > 0 ? `:${pad(second)}` : ''}`
}

/** The ISO 8601 week of a day, such as 2026-W48. */
function weekOf({ year, month, day }: Day): string {
  const date = new Date(Date.UTC(year, month - 1, day))
  date.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7))
  const first = Date.UTC(date.getUTCFullYear(), 0, 1)
  return `${date.getUTCFullYear()}-W${pad(Math.ceil(((date.getTime() - first) / 86_400_000 + 1) / 7))}`
}

const withoutOffset = (time: string): string => time.replace(/(z|[+-]\d{2}:?\d{2})$/i, '')

const timeAtEnd = /(?:\d{1,2}[:.h]\d{2}(?::\d{2})?\s*(?:[ap]\.?m\.?)?|\d{1,2}\s*(?:[ap]\.?m\.?|uhr)|noon|midnight)\s*$/i

/** Two digits; undefined if the number is not between 1 and `most`. */
const twoDigits = (number: Digits, most: number): string | undefined =>
  Number(number) >= 1 && Number(number) <= most ? pad(Number(number)) : undefined

/**
 * The `value` of an input of this type: date, time, datetime-local, month or week. Undefined if the text has no such
 * value, and for any other type. Offsets from UTC are ignored.
 */
export function parseTemporal(type: string, value: unknown, languages: readonly string[] = []): string | undefined {
  const text = digitsOf(String(value ?? '')).trim()
  const day = parseDay(text, languages)
  switch (type) {
    case 'date':
      return day && isoDay(day)
    case 'time':
      return parseTime(/^\d{4}-\d{2}-\d{2}[T ]/.test(text) ? withoutOffset(text.slice(11)) : text)
    case 'datetime-local': {
      const clock =
        (/^\d{4}-\d{2}-\d{2}[T ].+$/.test(text) ? withoutOffset(text.slice(11)) : undefined) ??
        timeAtEnd.exec(text)?.[0]
      const time = clock === undefined ? undefined : parseTime(clock)
      return day && time ? `${isoDay(day)}T${time}` : undefined
    }
    case 'month': {
      const yearFirst = /^(?<year>\d{4})[-/.](?<month>\d{1,2})(?!\d)/.exec(text)?.groups
      if (!yearFirst && day) return `${pad(day.year, 4)}-${pad(day.month)}`
      const parts = yearFirst ?? /^(?<month>\d{1,2})\s*[-/.]\s*(?<year>\d{4})$/.exec(text)?.groups
      if (parts) {
        const month = twoDigits(parts['month'], 12)
        return month && `${parts['year']}-${month}`
      }
      const named = namedMonth(text, languages)
      const year = named && /(?<!\d)\d{4}(?!\d)/.exec(named.rest)?.[0]
      return named && year ? `${year}-${pad(named.month)}` : undefined
    }
    case 'week': {
      const found =
        /(?<year>\d{4})\D{0,3}w(?:eek)?\s*(?<week>\d{1,2})/i.exec(text) ??
        /(?:w|week|kw|semaine|woche)\s*\.?(?<week>\d{1,2})\D+(?<year>\d{4})/i.exec(text)
      if (!found?.groups) return day && weekOf(day)
      const week = twoDigits(found.groups['week'], 53)
      return week && `${found.groups['year']}-W${week}`
    }
    default:
      return undefined
  }
}

/** Whether both are the same day; false if the first is undefined. */
export const isSameDate = (one: Day | undefined, other: Day): boolean =>
  one?.year === other.year && one.month === other.month && one.day === other.day

/** Whether a field contains the day: in the order of the page's language, American or British, or as `5 Dec 26`. */
export function holdsDay(text: string, day: Day, languages: readonly string[]): boolean {
  if ([languages, ['en-US'], ['en-GB']].some((order) => isSameDate(parseDay(text, order), day))) return true
  const named = namedMonth(text, languages)
  const numbers = named?.rest.match(/\d+/g)?.map(Number) ?? []
  return named?.month === day.month && numbers.join() === `${day.day},${day.year % 100}`
}

/** Whether the text of a field means the same day as the requested one; undefined if that is not a day. */
export function isSameDay(current: string, asked: string, languages: readonly string[]): boolean | undefined {
  const day = parseDay(asked, languages)
  return (
    day &&
    (isSameDate(parseDay(current, languages), day) || current.split(/\D+/).join(' ') === asked.split(/\D+/).join(' '))
  )
}
