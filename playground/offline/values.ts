// Reduces the tokens of a message to values: amounts, parties, times of day and days. Each rule is a pattern over kinds.
import type { Token } from './lexer.js'

/** An ISO date, such as `2026-11-27`. */
export type Day = string

const msPerDay = 86_400_000
const addDays = (day: Day, count: number): Day =>
  new Date(Date.parse(day) + count * msPerDay).toISOString().slice(0, 10)
const weekdayOf = (day: Day): number => new Date(day).getUTCDay()

/** The first ISO date of a text that is a real day. */
export function parseDay(text: string): Day | undefined {
  const [day = ''] = /\d{4}-\d\d-\d\d/.exec(text) ?? []
  return !Number.isNaN(Date.parse(day)) && addDays(day, 0) === day ? day : undefined
}

type Part = Pick<Token, 'kind' | 'value'> & { readonly unsure?: boolean }
/** What the tokens mean together, or undefined where they mean nothing. `today` is the day of the page. */
type Rule = readonly [pattern: string, make: (tokens: readonly Token[], today: Day) => Part | undefined]

const one = (tokens: readonly Token[], kind: string): Token | undefined => tokens.find((token) => token.kind === kind)
const numberOf = (tokens: readonly Token[], kind: string): number => Number(one(tokens, kind)?.value ?? NaN)
const sumOf = (tokens: readonly Token[], kind: string): number =>
  tokens.reduce((sum, token) => sum + (token.kind === kind ? Number(token.value) : 0), 0)
const dayPart = (day: Day | undefined): Part | undefined => (day ? { kind: 'date_', value: day } : undefined)
/** `unsure` where nothing but a number of people is said: "one is vegan" may be one of them. */
function partyOf(tokens: readonly Token[]): Part | undefined {
  const value = sumOf(tokens, 'num')
  const unsure = tokens.every(({ kind }) => /^(?:num|people|and)$/.test(kind))
  return Number.isInteger(value) ? { kind: 'party', value, unsure } : undefined
}

const rules: readonly Rule[] = [
  ['euro num |num euro ', (tokens) => ({ kind: 'money', value: numberOf(tokens, 'num') })],
  ['(?:under )+money |money under ', (tokens) => ({ kind: 'most', value: numberOf(tokens, 'money') })],
  ['num people (?:and )?num people ', partyOf],
  [
    '(?:for |weare |in )*num people (?:table )?|(?:weare |for )*people num (?:people )?|num table for num people ',
    partyOf,
  ],
  ['f=guests (?:attime |to )?num ', partyOf],
  ['(?:in|for) num oclock ', durationOf],
  [
    '(?:part |attime )*(?:shift )?(?:clock |num )(?:oclock (?:num (?:minute )?)?)?(?:shift )*(?:oclock )?(?:attime |in )?(?:part )?',
    timeOf,
  ],
  ['(?:for |weare )+num (?:for )?', partyOf],
  ['date ', ([token]) => dayPart(parseDay(String(token?.value)))],
  ['dotted |slashed ', ([token], today) => dayPart(numericDay(token!, today))],
  ['(?:num|nth) (?:of )?mon (?:num )?|mon (?:num|nth) (?:dayunit |days )?(?:num )?', monthDay],
  [
    'in num (?:days|weeks) ',
    (tokens, today) => dayPart(addDays(today, numberOf(tokens, 'num') * (one(tokens, 'weeks') ? 7 : 1))),
  ],
  ['day ', ([token], today) => dayPart(addDays(today, Number(token?.value)))],
  ['(?:it |next |nextweek )?wd (?:next )?', weekday],
  ['date_ date_ |date_ and date_ ', ([first, ...rest]) => (rest.at(-1)?.value === first?.value ? first : undefined)],
]

/** The tokens with each value in place of the tokens that say it. Days without a year are to come. */
export function reduceValues(tokens: readonly Token[], today: Day | undefined): Token[] {
  const values = rules.reduce(
    (list, rule) => (today === undefined ? list : reduce(list, rule, today)),
    tokens.filter(({ kind }) => kind !== '_'),
  )
  return withoutDenied(values)
}

/** "Not the terrace, the bar" and "seven instead of eight": what is denied goes, where another value of its kind is named. */
function withoutDenied(tokens: readonly Token[]): Token[] {
  const isOther = (at: number): boolean => {
    const { kind, value } = tokens[at] ?? { kind: '' }
    const isValue = /^(?:seating|date_|time|party|num|status)$/.test(kind)
    return isValue && tokens.some((one) => one.kind === kind && one.value !== value)
  }
  /** Where the value stands that this word denies: before it in Japanese, and where nothing follows that can be denied. */
  const deniedBy = (at: number): number => {
    const { kind, text } = tokens[at] ?? { kind: '', text: '' }
    if (!/^(?:not|remove|clear)$/.test(kind)) return -1
    const isBefore = /\p{sc=Hiragana}/u.test(text)
    if (isOther(at + 1) && !isBefore) return at + 1
    const isOfNext = /^(?:food|allergy|check)$/.test(tokens[at + 1]?.kind ?? '') && !isBefore
    return isOther(at - 1) && !isOfNext ? at - 1 : -1
  }
  const denied = new Map(tokens.map((_token, at) => [deniedBy(at), at] as const).filter(([at]) => at >= 0))
  const words = new Set(denied.values())
  return tokens.flatMap((token, at) => {
    if (words.has(at)) return []
    return denied.has(at) ? [{ ...token, kind: 'instead' }] : [token]
  })
}

function reduce(tokens: Token[], [pattern, make]: Rule, today: Day): Token[] {
  const done: Token[] = []
  for (let at = 0; at < tokens.length;) {
    const kinds = tokens.slice(at).map(({ kind, value }) => (kind === 'f' ? `f=${value}` : kind))
    const match = new RegExp(`^(?:${pattern})`).exec(`${kinds.join(' ')} `)?.[0] ?? ''
    const used = tokens.slice(at, at + match.split(' ').length - 1)
    const made = used.length > 0 ? make(used, today) : undefined
    if (made) {
      done.push({ text: used.map(({ text }) => text).join(' '), start: used[0]!.start, ...made })
      at += used.length
    } else done.push(tokens[at++]!)
  }
  return done
}

/** "In two hours" and "for two hours" are no times of day, and nothing that a rule needs. */
function durationOf([, number, unit]: readonly Token[]): Part | undefined {
  const isTime = !/^(?:hour|heure|hora)/i.test(unit?.text ?? '') || Number(number?.value) >= 12
  return isTime ? undefined : { kind: 'duration', value: '' }
}

/** Minutes since midnight. Without a word for it, a number alone is no time. */
function timeOf(tokens: readonly Token[]): Part | undefined {
  const first = tokens.findIndex(({ kind }) => kind === 'num' || kind === 'clock')
  const isSaid =
    tokens.some(({ kind }, index) => /^(?:clock|oclock|shift)$/.test(kind) || (kind === 'attime' && index < first)) ||
    tokens.at(-1)?.kind === 'part'
  if (!isSaid || tokens.filter(({ kind }) => kind === 'part').length > 1) return undefined
  const numbers = tokens.filter(({ kind }) => kind === 'num').map(({ value }) => Number(value))
  const clock = one(tokens, 'clock')
  const [hour = NaN, minute = 0] = clock ? String(clock.value).split(':').map(Number) : numbers
  if (!Number.isInteger(hour) || !Number.isInteger(minute) || hour > 24 || minute > 59) return undefined
  const part = one(tokens, 'part')?.value
  const isLate = part === 'afternoon' || part === 'evening' || (part === 'noon' && hour < 4)
  const half = (isLate && hour < 12 ? 720 : 0) - (part === 'morning' && hour === 12 ? 720 : 0)
  const value = hour * 60 + minute + half + sumOf(tokens, 'shift')
  return { kind: 'time', value, unsure: part === undefined && value < 720 }
}

/** `19:30`. */
export const clockOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60) % 24).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** The next day with this month and day of the month. */
function coming([month, day]: readonly [number, number], year: number, today: Day): Day | undefined {
  const first = Number(today.slice(0, 4))
  const years = Number.isNaN(year) ? [0, 1, 2, 3, 4].map((count) => first + count) : [year]
  return years
    .map((each) => parseDay(`${each}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`))
    .find((each) => each !== undefined && each >= today)
}

function monthDay(tokens: readonly Token[], today: Day): Part | undefined {
  const numbers = tokens.filter(({ kind }) => kind === 'num' || kind === 'nth').map(({ value }) => Number(value))
  const year = numbers.find((value) => value >= 2000) ?? NaN
  if (numbers.length === 2 && Number.isNaN(year)) return undefined
  const day = numbers.find((value) => value <= 31) ?? NaN
  return dayPart(coming([numberOf(tokens, 'mon') + 1, day], year, today))
}

/** `5/12` is another day in another country. */
function numericDay({ kind, text }: Token, today: Day): Day | undefined {
  const [first = 0, second = 0, year = NaN] = (text.match(/\d+/g) ?? []).map(Number)
  if (kind === 'dotted' || first > 12) return coming([second, first], year, today)
  return second > 12 || first === second ? coming([first, second], year, today) : undefined
}

/** "Next Friday" is clear only where the coming Friday is in the next week; both days are in the value otherwise. */
function weekday(tokens: readonly Token[], today: Day): Part | undefined {
  const wanted = numberOf(tokens, 'wd')
  const day = addDays(today, (wanted - weekdayOf(today) + 7) % 7 || 7)
  const monday = 7 - ((weekdayOf(today) + 6) % 7)
  const inNextWeek = addDays(today, monday + ((wanted + 6) % 7))
  if (one(tokens, 'nextweek')) return dayPart(inNextWeek)
  return one(tokens, 'next') && day !== inNextWeek ? { kind: 'days_', value: `${day} ${inNextWeek}` } : dayPart(day)
}
