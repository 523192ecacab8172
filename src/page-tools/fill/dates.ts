// Dates and times as people write them, turned into what native controls take. Pure: the page's language is an argument.
// What is not understood gives undefined, never a guess. Loaded with the first value or field that may be a date.
import { digitsOf } from './parse-values.js'

const pad = (value: number, length = 2): string => String(value).padStart(length, '0')

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

export interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

function valid(year: number, month: number, day: number): Day | undefined {
  const full = year < 100 ? year + (year < 70 ? 2000 : 1900) : year
  const date = new Date(Date.UTC(full, month - 1, day))
  return date.getUTCFullYear() === full && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
    ? { year: full, month, day }
    : undefined
}

const isoDay = ({ year, month, day }: Day): string => `${pad(year, 4)}-${pad(month)}-${pad(day)}`
const monthFirst = (language: string): boolean => {
  try {
    return (
      new Intl.DateTimeFormat(language || 'en', { timeZone: 'UTC' })
        .formatToParts(0)
        .findIndex(({ type }) => type === 'month') === 0
    )
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
  const text = digitsOf(String(value ?? '')).trim()
  const iso =
    /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:$|[T\s])/.exec(text) ??
    /^(\d{4})(\d{2})(\d{2})$/.exec(text) ??
    /^(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]/.exec(text)
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
  return americanOrder
    ? (valid(year, first, second) ?? valid(year, second, first))
    : (valid(year, second, first) ?? valid(year, first, second))
}

/** A day as a text box wants it, where words beside it say how: "mm/dd/yyyy", "TT.MM.JJJJ", "jj/mm/aaaa". */
export function formatDay({ year, month, day }: Day, hint: string): string | undefined {
  const found =
    /(?<!\p{L})(m{1,2}|[dtjg]{1,2}|[yja]{4})([-./ ])(m{1,2}|[dtjg]{1,2})\2(m{1,2}|[dtjg]{1,2}|[yja]{4})(?!\p{L})/iu.exec(
      hint,
    )
  if (!found) return undefined
  const kinds = [found[1], found[3], found[4]].map((part = '') =>
    part.length === 4 ? 'y' : /^m/i.test(part) ? 'm' : 'd',
  )
  if (new Set(kinds).size < 3) return undefined
  return kinds.map((kind) => (kind === 'y' ? pad(year, 4) : pad(kind === 'm' ? month : day))).join(found[2])
}

/** A time of day as hh:mm or hh:mm:ss. */
export function parseTime(value: unknown): string | undefined {
  const text = digitsOf(String(value ?? ''))
    .trim()
    .toLowerCase()
  if (/^(noon|midday|mittag|midi)$/.test(text)) return '12:00'
  if (/^(midnight|mitternacht|minuit)$/.test(text)) return '00:00'
  const found =
    /(?<![\d.:-])(\d{1,2})(?:\s*[:.h時시]\s*(\d{2})(?:[:.m](\d{2})(?:\.\d+)?s?)?)?\s*(?:[時시h]|uhr|o'clock)?\s*([ap])?\.?\s*(?:m\b\.?)?(?![\d-])/.exec(
      text,
    )
  if (!found) return undefined
  const half = found[4]
  if (found[2] === undefined && !half && !/[h時시]|uhr|clock/.test(text) && !/^\d{1,2}$/.test(text)) return undefined
  let hour = Number(found[1])
  const minute = Number(found[2] ?? 0)
  const second = Number(found[3] ?? 0)
  if (half && (hour < 1 || hour > 12)) return undefined
  if (half) hour = (hour % 12) + (half === 'p' ? 12 : 0)
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
  const text = digitsOf(String(value ?? '')).trim()
  const day = parseDay(text, languages)
  switch (type) {
    case 'date':
      return day && isoDay(day)
    case 'time':
      return parseTime(
        /^\d{4}-\d{2}-\d{2}[T ]/.test(text) ? text.slice(11).replace(/(z|[+-]\d{2}:?\d{2})$/i, '') : text,
      )
    case 'datetime-local': {
      const clock =
        /^\d{4}-\d{2}-\d{2}[T ](.+)$/.exec(text)?.[1]?.replace(/(z|[+-]\d{2}:?\d{2})$/i, '') ??
        /(\d{1,2}[:.h]\d{2}(?::\d{2})?\s*(?:[ap]\.?m\.?)?|\d{1,2}\s*[ap]\.?m\.?|\d{1,2}\s*uhr|noon|midnight)\s*$/i.exec(
          text,
        )?.[1]
      const time = clock === undefined ? undefined : parseTime(clock)
      return day && time ? `${isoDay(day)}T${time}` : undefined
    }
    case 'month': {
      const iso = /^(\d{4})[-/.](\d{1,2})(?!\d)/.exec(text) ?? undefined
      if (iso) return Number(iso[2]) >= 1 && Number(iso[2]) <= 12 ? `${iso[1]}-${pad(Number(iso[2]))}` : undefined
      if (day) return `${pad(day.year, 4)}-${pad(day.month)}`
      const turned = /^(\d{1,2})\s*[-/.]\s*(\d{4})$/.exec(text)
      if (turned)
        return Number(turned[1]) >= 1 && Number(turned[1]) <= 12 ? `${turned[2]}-${pad(Number(turned[1]))}` : undefined
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
    default:
      return undefined
  }
}

export const isSameDate = (one: Day | undefined, other: Day): boolean =>
  one?.year === other.year && one.month === other.month && one.day === other.day

/** Whether a field holds a day, written in the page's order or in either of the usual ones. */
export const holdsDay = (text: string, day: Day, languages: readonly string[]): boolean =>
  [languages, ['en-US'], ['en-GB']].some((order) => isSameDate(parseDay(text, order), day))

/** Whether a text is the day that was asked in numbers; undefined where that is no day. */
export function isSameDay(held: string, asked: string, languages: readonly string[]): boolean | undefined {
  const day = parseDay(asked, languages)
  return (
    day && (isSameDate(parseDay(held, languages), day) || held.split(/\D+/).join(' ') === asked.split(/\D+/).join(' '))
  )
}
