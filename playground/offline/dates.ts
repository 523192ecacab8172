// Days and times of day as people write them, resolved against the page's own today. A day is an ISO date: no clock,
// no time zone.
import { numberPattern, parseNumber, type Found } from './numbers.js'

/** An ISO date, such as `2026-11-27`. */
export type Day = string

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const weekdayPattern =
  '(sunday|monday|tuesday|wednesday|thursday|friday|saturday|sun|mon|tues?|wed|thu(?:rs?)?|fri|sat)'
const monthPattern = `(${months.join('|')}|${months.map((name) => name.slice(0, 3)).join('|')}|sept)\\.?`
const msPerDay = 86_400_000

/** The first ISO date of a text that is a real day. */
export function parseDay(text: string): Day | undefined {
  const [, year, month, day] = /(\d{4})-(\d{2})-(\d{2})/.exec(text) ?? []
  return dayOf(Number(year), Number(month), Number(day))
}

function dayOf(year: number, month: number, day: number): Day | undefined {
  const date = new Date(Date.UTC(year, month - 1, day))
  if (Number.isNaN(date.getTime()) || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  return isoOf(date)
}

function isoOf(date: Date): Day {
  return date.toISOString().slice(0, 10)
}

function addDays(day: Day, count: number): Day | undefined {
  return day === '' ? undefined : isoOf(new Date(Date.parse(day) + count * msPerDay))
}

export function weekdayOf(day: Day): string {
  const name = weekdays[new Date(day).getUTCDay()] ?? ''
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** The ISO week of a day, as `<input type="week">` holds it. */
export function weekOf(day: Day): string {
  const thursday = new Date(Date.parse(day) + (4 - (new Date(day).getUTCDay() || 7)) * msPerDay)
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1)
  const week = Math.floor((thursday.getTime() - first) / msPerDay / 7) + 1
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}`
}

type Rule = readonly [pattern: RegExp, resolve: (match: RegExpExecArray, today: Day) => Day | undefined]

/** Of two rules the first that matches wins, so the exact ones stand first. */
const rules: readonly Rule[] = [
  [/\b(\d{4})-(\d{2})-(\d{2})\b/, (match) => parseDay(match[0])],
  [
    new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?:\\s+of)?\\s+${monthPattern}(?:,?\\s+(\\d{4})\\b)?`, 'i'),
    ([, day, month = '', year], today) => comingDate(year, monthOf(month), Number(day), today),
  ],
  [
    new RegExp(`\\b${monthPattern}\\s+(?:the\\s+)?(\\d{1,2})(?:st|nd|rd|th)?\\b(?!:)(?:,?\\s+(\\d{4})\\b)?`, 'i'),
    ([, month = '', day, year], today) => comingDate(year, monthOf(month), Number(day), today),
  ],
  [
    /\b(\d{1,2})\.(\d{1,2})\.(\d{4})?/,
    ([, day, month, year], today) => comingDate(year, Number(month), Number(day), today),
  ],
  [
    /\b(\d{1,2})\/(\d{1,2})\/(\d{4})\b/,
    ([, first, second, year], today) => slashDate(Number(first), Number(second), year, today),
  ],
  [/\bthe day after tomorrow\b|\bday after tomorrow\b/i, (_, today) => addDays(today, 2)],
  [/\btomorrow\b/i, (_, today) => addDays(today, 1)],
  [/\b(today|tonight|this (?:evening|afternoon|morning))\b/i, (_, today) => today],
  [
    new RegExp(`\\bin (a|${numberPattern}) (day|week)s?\\b`, 'i'),
    ([, count = '', unit], today) => {
      const number = count === 'a' ? 1 : parseNumber(count)
      return number === undefined ? undefined : addDays(today, number * (unit?.toLowerCase() === 'week' ? 7 : 1))
    },
  ],
  [
    new RegExp(`\\b${weekdayPattern} (in a|next) week\\b|\\bnext ${weekdayPattern}\\b`, 'i'),
    (match, today) => weekdayNextWeek(match[1] ?? match[3] ?? '', today),
  ],
  [/\b(?:sunday|monday|tuesday|wednesday|thursday|friday|saturday)\b/i, ([name], today) => comingWeekday(name, today)],
  [new RegExp(`\\b(?:on|this|coming) ${weekdayPattern}\\b`, 'i'), ([, name = ''], today) => comingWeekday(name, today)],
  [/\bon the (\d{1,2})(?:st|nd|rd|th)\b/i, ([, day], today) => comingDayOfMonth(Number(day), today)],
]

/** The first day that a text names. Without a today only dates with a year are days. */
export function findDay(text: string, today: Day | undefined): Found<Day> | undefined {
  for (const [pattern, resolve] of rules) {
    const match = pattern.exec(text)
    const value = match === null ? undefined : resolve(match, today ?? '')
    if (match !== null && value !== undefined) return { value, start: match.index, end: match.index + match[0].length }
  }
  return undefined
}

function monthOf(name: string): number {
  return months.findIndex((month) => month.startsWith(name.toLowerCase().slice(0, 3))) + 1
}

/** A date without a year is the next one that is not past. */
function comingDate(year: string | undefined, month: number, day: number, today: Day): Day | undefined {
  if (year !== undefined) return dayOf(Number(year), month, day)
  if (today === '') return undefined
  const first = Number(today.slice(0, 4))
  for (const candidate of [first, first + 1, first + 2, first + 3, first + 4]) {
    const found = dayOf(candidate, month, day)
    if (found !== undefined && found >= today) return found
  }
  return undefined
}

/** `3/12/2026` is read day first, as most of the world does, unless that is no date. */
function slashDate(first: number, second: number, year: string | undefined, today: Day): Day | undefined {
  return comingDate(year, second, first, today) ?? comingDate(year, first, second, today)
}

/** The next such weekday after today: on a Friday, "Friday" is in a week. */
function comingWeekday(name: string, today: Day): Day | undefined {
  if (today === '') return undefined
  const wanted = weekdays.findIndex((weekday) => weekday.startsWith(name.toLowerCase().slice(0, 3)))
  const ahead = (wanted - new Date(today).getUTCDay() + 7) % 7
  return addDays(today, ahead === 0 ? 7 : ahead)
}

/** "Next Friday" is the Friday of the next calendar week, which begins on Monday. */
function weekdayNextWeek(name: string, today: Day): Day | undefined {
  if (today === '') return undefined
  return comingWeekday(name, addDays(today, (7 - new Date(today).getUTCDay()) % 7) ?? '')
}

function comingDayOfMonth(day: number, today: Day): Day | undefined {
  if (today === '') return undefined
  const year = Number(today.slice(0, 4))
  const month = Number(today.slice(5, 7))
  for (let ahead = 0; ahead < 4; ahead++) {
    const index = month - 1 + ahead
    const found = dayOf(year + Math.floor(index / 12), (index % 12) + 1, day)
    if (found !== undefined && found >= today) return found
  }
  return undefined
}

const marker = '([ap]\\.?m\\b\\.?|in the (?:morning|afternoon|evening)\\b)'

/** True where a time was said so that it means one half of the day: `3am`, `at 8 in the evening`, `03:00`, `noon`. */
export function saysHalf(said: string): boolean {
  return new RegExp(
    `\\d\\s*${marker}|\\b(?:${numberPattern})\\s+${marker}|\\b(?:noon|midday|midnight)\\b|\\b0\\d[:h.]`,
    'i',
  ).test(said)
}

/** The first time of day that a text names, as `HH:MM`. */
export function findTime(text: string): Found<string> | undefined {
  const at = (match: RegExpExecArray | null, hour: number, minute: number): Found<string> | undefined => {
    if (match === null || !(hour <= 23) || !(minute <= 59)) return undefined
    const value = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
    return { value, start: match.index, end: match.index + match[0].length }
  }
  const half = (hour: number, marker: string): number => {
    if (/^p|afternoon|evening/i.test(marker)) return hour < 12 ? hour + 12 : hour
    if (/^a|morning/i.test(marker)) return hour === 12 ? 0 : hour
    return hour
  }
  const evening = /\b(evening|tonight|dinner|afternoon|supper)\b/i.test(text) ? 'pm' : ''
  const clock = new RegExp(`(?<![\\d:+-])(\\d{1,2})[:h](\\d{2})(?::\\d{2})?(?![\\d:])(?:\\s*${marker})?`, 'i').exec(
    text,
  )
  const marked = /(?<![\d:.])(\d{1,2})\s*([ap]\.?m\b\.?)/i.exec(text)
  const dotted = /\bat (\d{1,2})\.(\d{2})\b(?!\.)/i.exec(text)
  const past = new RegExp(`\\b(half|quarter) (past|to) (${numberPattern})\\b(?:\\s*${marker})?`, 'i').exec(text)
  const bare =
    /\b(?:at|around|about) (\d{1,2})\b(?![:.]\d|\s*(?:people|persons|guests|euros?|%|\/|-))(?:\s*o['’]clock)?(?:\s+(in the (?:morning|afternoon|evening))\b)?/i.exec(
      text,
    )
  const word = /\b(noon|midday|midnight)\b/i.exec(text)
  return (
    at(clock, half(Number(clock?.[1]), clock?.[3] ?? ''), Number(clock?.[2])) ??
    at(marked, half(Number(marked?.[1]), marked?.[2] ?? ''), 0) ??
    at(dotted, Number(dotted?.[1]), Number(dotted?.[2])) ??
    at(past, ...pastHour(past, half, evening)) ??
    at(bare, half(Number(bare?.[1]), bare?.[2] ?? evening), 0) ??
    at(word, word?.[1]?.toLowerCase() === 'midnight' ? 0 : 12, 0)
  )
}

function pastHour(
  match: RegExpExecArray | null,
  half: (hour: number, marker: string) => number,
  evening: string,
): [number, number] {
  const hour = half(parseNumber(match?.[3] ?? '') ?? NaN, match?.[4] ?? evening)
  if (match?.[1]?.toLowerCase() === 'half') return [hour, 30]
  return match?.[2]?.toLowerCase() === 'to' ? [(hour + 23) % 24, 45] : [hour, 15]
}
