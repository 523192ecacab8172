// Days and times of day as people write them. chrono-node finds and resolves them; this file adds "half past seven" and
// "on the 25th", which it does not know, and turns its results into ISO texts without a clock or a time zone.
import { GB as chrono, type ParsedResult } from 'chrono-node/en'
import { numberPattern, parseNumber, type Found } from './numbers.js'

/** An ISO date, such as `2026-11-27`. */
export type Day = string

const msPerDay = 86_400_000
/** Words after which a day without a year may be past. */
const past = /\b(?:since|from|before|until|till|after|last|ago|ordered|placed|came|arrived)\b/i

/** The first ISO date of a text that is a real day. */
export function parseDay(text: string): Day | undefined {
  const [, year, month, day] = /(\d{4})-(\d{2})-(\d{2})/.exec(text) ?? []
  return dayOf(Number(year), Number(month), Number(day))
}

function dayOf(year: number, month: number, day: number): Day | undefined {
  const date = new Date(Date.UTC(year, month - 1, day))
  if (Number.isNaN(date.getTime()) || date.getUTCMonth() !== (month - 1 + 12) % 12 || date.getUTCDate() !== day)
    return undefined
  return date.toISOString().slice(0, 10)
}

function addDays(day: Day, count: number): Day {
  return new Date(Date.parse(day) + count * msPerDay).toISOString().slice(0, 10)
}

/** `Friday, 27 November 2026`. */
export function dayInWords(day: Day): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' })
    .format(new Date(day))
    .replace(/^(\w+) /, '$1, ')
}

/** The ISO week of a day, as `<input type="week">` holds it. */
export function weekOf(day: Day): string {
  const thursday = new Date(Date.parse(day) + (4 - (new Date(day).getUTCDay() || 7)) * msPerDay)
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1)
  const week = Math.floor((thursday.getTime() - first) / msPerDay / 7) + 1
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}`
}

function parse(text: string, today: Day, forwardDate: boolean): ParsedResult[] {
  const [year = 0, month = 1, day = 1] = today.split('-').map(Number)
  return chrono.parse(text, new Date(year, month - 1, day, 9), { forwardDate })
}

/** The first day that a text names. Without a today, only a date with a year is a day. */
export function findDay(text: string, today: Day | undefined): Found<Day> | undefined {
  const dotted = /\b(\d{1,2})\.(\d{1,2})\.(\d{4})?/.exec(text)
  if (dotted && (today ?? dotted[3])) {
    const value = comingDate(Number(dotted[2]), Number(dotted[1]), dotted[3], today ?? '')
    if (value) return { value, start: dotted.index, end: dotted.index + dotted[0].length }
  }
  const isDay = ({ start, text: said }: ParsedResult): boolean =>
    !/^now$/i.test(said) && (start.isCertain('day') || start.isCertain('weekday'))
  const from = today ?? '2000-01-01'
  // 29 February is a day in the next leap year.
  const years = /\bfeb/i.test(text) ? [0, 1, 2, 3, 4] : [0]
  const found = years
    .map((ahead) => `${Number(from.slice(0, 4)) + ahead}${ahead === 0 ? from.slice(4) : '-01-01'}`)
    .map((day) => parse(text, day, !past.test(text)).find(isDay))
    .find(Boolean)
  if (found && (today !== undefined || found.start.isCertain('year'))) {
    const { start, index } = found
    const day = dayOf(start.get('year') ?? 0, start.get('month') ?? 0, start.get('day') ?? 0)
    // On a Friday, "Friday" is in a week.
    const isSameWeekday = day === today && start.isCertain('weekday') && !start.isCertain('day')
    const value = day && isSameWeekday && !past.test(text) ? addDays(day, 7) : day
    if (value) {
      const end = index + found.text.length
      if (!start.isCertain('hour')) return { value, start: index, end }
      // `saturday 7pm`: the time is found apart.
      const time = timePart(found)
      return time.index > 0
        ? { value, start: index, end: index + time.index }
        : { value, start: index + time.length, end }
    }
  }
  const ofMonth = today === undefined ? null : /\b(?:on )?the (\d{1,2})(?:st|nd|rd|th)\b/i.exec(text)
  const value = ofMonth && today ? comingDayOfMonth(Number(ofMonth[1]), today) : undefined
  return ofMonth && value ? { value, start: ofMonth.index, end: ofMonth.index + ofMonth[0].length } : undefined
}

function comingDate(month: number, day: number, year: string | undefined, today: Day): Day | undefined {
  if (year !== undefined) return dayOf(Number(year), month, day)
  const years = [0, 1, 2, 3, 4].map((ahead) => dayOf(Number(today.slice(0, 4)) + ahead, month, day))
  return years.find((one) => one !== undefined && one >= today)
}

function comingDayOfMonth(day: number, today: Day): Day | undefined {
  const [year = 0, month = 1] = today.split('-').map(Number)
  const days = [0, 1, 2, 3].map((ahead) =>
    dayOf(year + Math.floor((month - 1 + ahead) / 12), ((month - 1 + ahead) % 12) + 1, day),
  )
  return days.find((one) => one !== undefined && one >= today)
}

const marker = '([ap]\\.?m\\b\\.?|in the (?:morning|afternoon|evening)\\b)'

/** True if a time names its half of the day: `3am`, `at 8 in the evening`, `03:00`, `noon`. */
export function saysHalf(said: string): boolean {
  return new RegExp(
    `\\d\\s*${marker}|\\b(?:${numberPattern})\\s+${marker}|\\b(?:noon|midday|midnight|evening|afternoon|morning|tonight)\\b|\\b0\\d[:h.]`,
    'i',
  ).test(said)
}

const evening = /\b(evening|tonight|dinner|afternoon|supper)\b/i

/** The first time of day that a text names, as `HH:MM`. */
export function findTime(text: string): Found<string> | undefined {
  const spoken = new RegExp(`\\b(half|quarter) (past|to) (${numberPattern})\\b(?:\\s*${marker})?`, 'i').exec(text)
  const hour = parseNumber(spoken?.[3] ?? '')
  if (spoken && hour !== undefined && hour <= 23) {
    const minute = spoken[1]?.toLowerCase() === 'half' ? 30 : 15
    const isTo = spoken[2]?.toLowerCase() === 'to'
    const whole = inHalf(isTo ? (hour + 23) % 24 : hour, spoken[4] ?? text)
    return found(whole, isTo ? 60 - minute : minute, spoken.index, spoken[0].length)
  }
  // chrono reads "at 8", but neither "around 8" nor "19h30" nor "at 19.30". The length must not change.
  const readable = text
    .replace(/\b(around|about) (?=\d{1,2}\b(?![:.]\d|\s*(?:people|persons|guests|euros?|eur|€|%|\/|-)))/gi, (word) =>
      'at'.padEnd(word.length),
    )
    .replace(/\b(\d{1,2})h(\d{2})\b/g, '$1:$2')
    .replace(/\bat (\d{1,2})\.(\d{2})\b(?!\.)/gi, 'at $1:$2')
  const hit = parse(readable, '2000-01-03', false).find(
    ({ start, text: said }) => !/^now$/i.test(said) && start.isCertain('hour'),
  )
  if (!hit) return undefined
  const { start } = hit
  const isSure = start.isCertain('meridiem') || /\bnoon|midday|midnight/i.test(hit.text)
  const read = start.get('hour') ?? 0
  const part = timePart(hit)
  const index = hit.index + part.index
  // The half of the day belongs to the time, but is not always a part of what chrono found.
  const half = /^\s*in the (?:morning|afternoon|evening)\b/i.exec(text.slice(index + part.length))?.[0].length ?? 0
  return found(isSure ? read : inHalf(read, text), start.get('minute') ?? 0, index, part.length + half)
}

/** The part of a result such as `on friday at 8pm` that is about the time. */
function timePart({ text }: ParsedResult): { index: number; length: number } {
  const match =
    /(?:\bat\s+)?\b(?:\d{1,2}(?::\d{2})?(?:\s*[ap]\.?m\b\.?)?|noon|midday|midnight)(?:\s+(?:in the (?:morning|afternoon|evening)|o['’]clock))?/i.exec(
      text.replace(/\b\d{4}-\d\d-\d\d\b|\b\d{1,2}(?:st|nd|rd|th)\b/g, (day) => '#'.repeat(day.length)),
    )
  return match ? { index: match.index, length: match[0].length } : { index: 0, length: text.length }
}

/** The hour in the half of the day that the words around it name. */
function inHalf(hour: number, words: string): number {
  if (/^p|pm\b|p\.m/i.test(words) || evening.test(words)) return hour < 12 ? hour + 12 : hour
  if (/^a\.?m|morning/i.test(words)) return hour === 12 ? 0 : hour
  return hour
}

function found(hour: number, minute: number, start: number, length: number): Found<string> | undefined {
  if (!(hour <= 23) || !(minute <= 59)) return undefined
  const value = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
  return { value, start, end: start + length }
}
