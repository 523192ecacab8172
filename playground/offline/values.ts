// Reduces the tokens of a message to values: amounts, parties, times of day and days. Each rule is a pattern over kinds.
import type { Token } from './lexer.js'

/** An ISO date, such as `2026-11-27`. */
export type Day = string

const msPerDay = 86_400_000
export const addDays = (day: Day, count: number): Day =>
  new Date(Date.parse(day) + count * msPerDay).toISOString().slice(0, 10)
const weekdayOf = (day: Day): number => new Date(day).getUTCDay()

/** The first ISO date of a text that is a real day. */
export function parseDay(text: string): Day | undefined {
  const [day = ''] = /\d{4}-\d\d-\d\d/.exec(text) ?? []
  return !Number.isNaN(Date.parse(day)) && addDays(day, 0) === day ? day : undefined
}

type Part = Pick<Token, 'kind' | 'value'> & { readonly unsure?: boolean }
/** What the tokens mean together, or undefined where they mean nothing. */
type Rule = readonly [pattern: RegExp, make: (tokens: readonly Token[], now: Now | undefined) => Part | undefined]

const one = (tokens: readonly Token[], kind: string): Token | undefined => tokens.find((token) => token.kind === kind)
const numberOf = (tokens: readonly Token[], kind = 'num'): number => Number(one(tokens, kind)?.value ?? NaN)
const whole = (kind: string, value: number): Part | undefined => (Number.isInteger(value) ? { kind, value } : undefined)

const rules: readonly Rule[] = [
  [/euro num |num euro /, (tokens) => ({ kind: 'money', value: numberOf(tokens) })],
  [
    /num people (?:and )?num people /,
    (tokens) => whole('party', Number(tokens[0]?.value) + Number(tokens.at(-2)?.value)),
  ],
  [
    /(?:for |weare |in )*num people (?:table )?|(?:weare |for )*people num |num table for num people /,
    (tokens) => whole('party', numberOf(tokens)),
  ],
  [/f=guests (?:attime |to )?num /, (tokens) => whole('party', numberOf(tokens))],
  [
    /(?:part |attime )*(?:(?:pre\w* )?(?:clock|num)|clock) (?:oclock (?:num (?:minute )?)?)?(?:post\w* )?(?:oclock )?(?:attime |in )?(?:part )?/,
    timeOf,
  ],
  [/(?:for |weare )+num (?:for )?/, (tokens) => whole('party', numberOf(tokens))],
  [/date /, ([token]) => dayPart(parseDay(String(token?.value)))],
  [/dotted |slashed /, ([token], now) => dayPart(numericDay(token!, now))],
  [/(?:num|nth) (?:of )?mon (?:num )?/, monthDay],
  [/mon (?:num|nth) (?:dayunit |days )?(?:num )?/, monthDay],
  [
    /in num (?:days|weeks) |num (?:days|weeks) later /,
    (tokens, now) => dayPart(now && addDays(now.today, numberOf(tokens) * (one(tokens, 'weeks') ? 7 : 1))),
  ],
  [/day /, ([token], now) => dayPart(now && addDays(now.today, Number(token?.value)))],
  [/(?:it |next |nextweek )?wd (?:next )?/, weekday],
  [/date_ date_ |date_ and date_ /, ([first, ...rest]) => (rest.at(-1)?.value === first?.value ? first : undefined)],
  [/(?:from )date_ /, (tokens) => ({ kind: 'fromdate', value: one(tokens, 'date_')?.value ?? '' })],
  [/(?:until )date_ /, (tokens) => ({ kind: 'todate', value: one(tokens, 'date_')?.value ?? '' })],
  [/under money |money under /, (tokens) => ({ kind: 'most', value: numberOf(tokens, 'money') })],
]

const dayPart = (day: Day | undefined): Part | undefined =>
  day === undefined ? undefined : { kind: 'date_', value: day }

/** The tokens with each value in place of the tokens that say it. Days without a year are to come, or `past`. */
export function reduceValues(tokens: readonly Token[], today: Day | undefined, past = false): Token[] {
  const now = today === undefined ? undefined : { today, past }
  return rules.reduce(
    (list, rule) => reduce(list, rule, now),
    tokens.filter(({ kind }) => kind !== '_'),
  )
}

interface Now {
  readonly today: Day
  readonly past: boolean
}

function reduce(tokens: Token[], [pattern, make]: Rule, now: Now | undefined): Token[] {
  const done: Token[] = []
  for (let at = 0; at < tokens.length;) {
    const kinds = tokens.slice(at).map(({ kind, value }) => (kind === 'f' ? `f=${value}` : kind))
    const match = new RegExp(`^(?:${pattern.source})`).exec(`${kinds.join(' ')} `)?.[0] ?? ''
    const count = match.split(' ').length - 1
    const used = tokens.slice(at, at + count)
    const made = count > 0 ? make(used, now) : undefined
    if (made) {
      const [first] = used
      const meant = used.find((token) => token.meant)?.meant
      done.push({
        text: used.map(({ text }) => text).join(' '),
        start: first!.start,
        ...made,
        ...(meant ? { meant } : {}),
      })
      at += count
    } else done.push(tokens[at++]!)
  }
  return done
}

/** Minutes since midnight. Without a word for it, a number alone is no time. */
function timeOf(tokens: readonly Token[]): Part | undefined {
  const kinds = tokens.map(({ kind }) => kind)
  const pre = kinds.find((kind) => kind.startsWith('pre'))
  const post = kinds.find((kind) => kind.startsWith('post'))
  const isSaid = kinds.some((kind) => /^(?:clock|oclock|pre\w*|post\w*|attime)$/.test(kind)) || kinds.at(-1) === 'part'
  if (!isSaid || kinds.filter((kind) => kind === 'part').length > 1) return undefined
  const clock = one(tokens, 'clock')
  const [first, second] = tokens.filter(({ kind }) => kind === 'num')
  const [hour = NaN, minute = 0] = clock
    ? String(clock.value).split(':').map(Number)
    : [Number(first?.value), Number(second?.value ?? 0)]
  const part = one(tokens, 'part')?.value
  const shifts: Record<string, number> = {
    prehalf: 30,
    prequarter: 15,
    prequarterto: -15,
    prehalfto: -30,
    posthalf: 30,
    postquarter: 15,
    postquarterto: -15,
  }
  if (!Number.isInteger(hour) || !Number.isInteger(minute) || hour > 24 || minute > 59) return undefined
  const isLate = part === 'afternoon' || part === 'evening' || (part === 'noon' && hour < 4)
  const isEarly = part === 'morning' && hour === 12
  const shifted =
    hour * 60 +
    minute +
    (isLate && hour < 12 ? 720 : 0) -
    (isEarly ? 720 : 0) +
    (shifts[pre ?? ''] ?? 0) +
    (shifts[post ?? ''] ?? 0)
  return { kind: 'time', value: shifted, unsure: part === undefined && shifted < 720 }
}

/** `19:30`. */
export const clockOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60) % 24).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** The next day with this month and day of the month, or the last. */
function coming(month: number, day: number, year: number, now: Now | undefined): Day | undefined {
  const first = Number(now?.today.slice(0, 4))
  const years = Number.isNaN(year) ? [0, 1, 2, 3, 4].map((count) => first + (now?.past ? -count : count)) : [year]
  const days = years.map((each) =>
    parseDay(`${each}-${String(month + 1).padStart(2, '0')}-${String(day).padStart(2, '0')}`),
  )
  const isRight = (each: Day): boolean => !now || (now.past ? each <= now.today : each >= now.today)
  return days.find((each) => each !== undefined && (!Number.isNaN(year) || isRight(each)))
}

function monthDay(tokens: readonly Token[], now: Now | undefined): Part | undefined {
  const numbers = tokens.filter(({ kind }) => kind === 'num' || kind === 'nth').map(({ value }) => Number(value))
  const year = numbers.find((value) => value >= 2000) ?? NaN
  const day = numbers.find((value) => value <= 31) ?? NaN
  if (numbers.length === 2 && Number.isNaN(year)) return undefined
  return dayPart(coming(numberOf(tokens, 'mon'), day, year, now))
}

/** `5/12` is another day in another country. */
function numericDay({ kind, text }: Token, now: Now | undefined): Day | undefined {
  const [first = 0, second = 0, year = NaN] = (text.match(/\d+/g) ?? []).map(Number)
  if (kind === 'dotted') return coming(second - 1, first, year, now)
  if (first > 12) return coming(second - 1, first, year, now)
  return second > 12 || first === second ? coming(first - 1, second, year, now) : undefined
}

/** "Next Friday" is clear only where the coming Friday is in the next week; both days are in the value otherwise. */
function weekday(tokens: readonly Token[], now: Now | undefined): Part | undefined {
  if (now === undefined) return undefined
  const { today, past } = now
  if (past)
    return one(tokens, 'next') || one(tokens, 'nextweek')
      ? undefined
      : dayPart(addDays(today, -((weekdayOf(today) - numberOf(tokens, 'wd') + 7) % 7)))
  const ahead = (numberOf(tokens, 'wd') - weekdayOf(today) + 7) % 7 || 7
  const monday = 7 - ((weekdayOf(today) + 6) % 7)
  const day = addDays(today, ahead)
  const inNextWeek = addDays(today, monday + ((numberOf(tokens, 'wd') + 6) % 7))
  if (one(tokens, 'nextweek')) return dayPart(inNextWeek)
  return one(tokens, 'next') && day !== inNextWeek ? { kind: 'days_', value: `${day} ${inNextWeek}` } : dayPart(day)
}
