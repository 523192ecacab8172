// The restaurant: fills its form, looks for a free table, and quotes the page. The visitor sends the form.
import type { JsonValue } from '../../src/core/data/json.js'
import { fillFields, plainLabel, readFields, shownValue, type Field } from './form.js'
import { escape, readPage, Refused, refuse, use, type Message, type Rule } from './grammar.js'
import { isContent, type Token } from './lexer.js'
import type { Plan } from './replay.js'
import { clockOf } from './values.js'

const values = 'later|time|date_|days_|party|seating|occasion|diet|check|food|wish|name|email|phone'
const filling =
  'table book change instead f nameis lastis sit time date_ days_ party part seating occasion name forname email ' +
  'phone it weare allergy food not wish diet who_ check q later remove'
const asking = 'table time party part free open have q what book when'

/** Which kinds of values a field that is named may have. */
const kindsOf: Record<string, string> = {
  date: 'date_ days_',
  time: 'time',
  guests: 'party',
  name: 'name forname',
  email: 'email',
  phone: 'phone',
  notes: 'food wish',
}
/** Kinds whose value goes into the field of this name. */
const fieldOf: Record<string, string> = {
  date_: 'date',
  party: 'guests',
  seating: 'seating',
  occasion: 'occasion',
  email: 'email',
  phone: 'phone',
}

export const bookingRules: readonly Rule[] = [
  ['private', 'f change book phone num q it', refuse('private')],
  ['submit', 'table book q it', refuse('hand', 'Book the table')],
  ['filled', 'what q', readBack],
  ['date_ free|have|open', asking, check],
  ['date_ q', asking, check, (message) => !message.has('book')],
  ['open', 'when what q have not show days', hours],
  [values, filling, fill, isClear],
]

/** What no list of kinds can say about a message that fills the form. */
function isClear(message: Message): boolean {
  const isAbout = (kind: string, ...others: readonly string[]): boolean => !message.has(kind) || message.has(...others)
  return (
    // "Do you have vegan dishes?" is a question, and "can I book …?" is not.
    isAbout('q', 'book') &&
    // "No" belongs to a food, and a person to what is said about it.
    isOfFood(message) &&
    isAbout('who_', 'food', 'diet', 'occasion', 'check') &&
    isAbout('forname', 'email', 'phone') &&
    // "Today is my birthday" asks for no table today.
    (!message.has('occasion') || isAbout('date_', 'table', 'book', 'time', 'party')) &&
    isAbout('allergy', 'food', 'diet') &&
    isAbout('remove', 'check') &&
    !(message.has('later') && message.has('time')) &&
    // A field that is named has its value in the message.
    message.all('f').every((name) => message.has(...(kindsOf[name] ?? '').split(' '))) &&
    !message.isTwice('time', 'date_', 'party', 'seating', 'occasion', 'name', 'email', 'phone')
  )
}

/** Each "no" is said of a food or of a box: right before it, and in Japanese behind it. */
function isOfFood({ tokens, context }: Message): boolean {
  const kinds = tokens.filter(isContent).map(({ kind }) => kind)
  return kinds.every((kind, index) => {
    const isBehind = (context.language === 'ja' && kinds[index - 1] === 'food') || kinds[index - 1] === 'check'
    return kind !== 'not' || isBehind || /^(?:food|allergy|not|check)$/.test(kinds[index + 1] ?? '')
  })
}

/** "No high chair" and, in languages that deny at the end, "a high chair we do not need". */
function isOff({ tokens }: Message, token: Token): boolean {
  const content = tokens.filter((one) => isContent(one) && one.kind !== 'instead')
  const at = content.indexOf(token)
  return /^(?:not|remove)$/.test(content[at - 1]?.kind ?? '') || /^(?:not|remove)$/.test(content[at + 1]?.kind ?? '')
}

/** Quotes what the page says about its hours. */
function* hours(message: Message): Plan<string> {
  const text = yield* readPage(message)
  const lines = text.split('\n').flatMap((line) => /- text: (.+)$/.exec(line)?.[1] ?? [])
  const found = lines.filter((line) => /\bopen\b|\bclosed\b/i.test(line)).slice(0, 2)
  if (found.length === 0) throw new Refused(message.say('nothing'))
  return message.say('says', found.map(escape).join(' · '))
}

function* check(message: Message): Plan<string> {
  if (message.isTwice('date_', 'party', 'time')) throw new Refused(message.say('together', escape(message.text)))
  const [date = '', party] = [message.one('date_'), message.one('party')]
  const { value } = yield* use(message, 'check_tables', { date, ...(party ? { guests: Number(party) } : {}) })
  const times = (Array.isArray(value['times']) ? value['times'] : []).map(String)
  const said = message.say('says', escape(String(value['message'])))
  const token = message.tokens.find(({ kind }) => kind === 'time')
  const asked = token && clockOf(inHours(token, '12:00', '22:00'))
  const shown = `${times.slice(0, 12).join(', ')}${times.length > 12 ? ' …' : ''}`
  return `${message.day(date)}: ${said} ${asked ? `${asked}: ${times.includes(asked) ? '✔︎' : '✘'}` : shown}`.trim()
}

/** The half of the day that lies in the opening hours. */
function inHours({ value, unsure }: Token, min: string, max: string): number {
  const [minutes, later] = [Number(value), Number(value) + 720]
  return unsure && clockOf(minutes) < min && later < 1440 && clockOf(later) <= max ? later : minutes
}

/** Fills the fields that the message has values for. */
function* fill(message: Message): Plan<string> {
  const unclear = message.tokens.find(({ kind }) => kind === 'days_')
  if (unclear) {
    const days = String(unclear.value).split(' ')
    throw new Refused(message.say('day', escape(unclear.text), ...days.map((day) => message.day(day))), days)
  }
  const fields = yield* readFields(message)
  const given = new Map<string, JsonValue>(namesIn(message))
  // "One is vegan": one of the guests.
  const isAmong = message.has('diet', 'food') && !message.has('table', 'book', 'date_', 'time', 'change', 'instead')
  for (const token of message.tokens) {
    const { kind, value, unsure } = token
    if (kind === 'check') given.set(String(value), !isOff(message, token))
    else if (fieldOf[kind] !== undefined && !(isAmong && unsure)) given.set(fieldOf[kind], value)
  }
  const time = message.tokens.find(({ kind }) => kind === 'time')
  const later = message.one('later')
  if (later !== undefined)
    given.set('time', moved(String(fields.find(({ name }) => name === 'time')?.value), later, message))
  if (time) given.set('time', clockIn(time, fields, message))
  if (message.has('diet')) given.set('diet', message.all('diet'))
  const wish = wishOf(message)
  if (wish !== '') given.set('notes', wish)
  // In the order of the form.
  const wanted = fields.flatMap(({ name, label }): [string, JsonValue][] => {
    const value = given.get(name) ?? given.get(label)
    return value === undefined ? [] : [[label, value]]
  })
  if (wanted.length < given.size) throw new Refused(message.say('nofield', [...given.keys()].join(', ')))
  const filled = yield* fillFields(message, wanted)
  const needed = fields.filter(
    ({ required, value, name }) => required && (value === '' || value === false) && !given.has(name),
  )
  const missing = message.list(needed.map(({ label }) => plainLabel(label)))
  return [
    filled,
    ...message.notes.splice(0),
    ...(message.has('part') && !time ? [message.say('time')] : []),
    ...(needed.length > 0 ? [message.say('missing', escape(missing))] : []),
    message.say('submit', 'Book the table'),
  ].join(' ')
}

function clockIn(time: Token, fields: readonly Field[], message: Message): string {
  const { min = '', max = '' } = fields.find(({ name }) => name === 'time') ?? {}
  const clock = clockOf(inHours(time, min, max))
  if (clock !== clockOf(Number(time.value))) message.notes.push(message.say('took', escape(time.text), clock))
  return clock
}

/** The time that the form has, so many minutes later. */
function moved(clock: string, minutes: string, message: Message): string {
  const [hour = NaN, minute = NaN] = clock.split(':').map(Number)
  if (Number.isNaN(hour + minute)) throw new Refused(message.say('time'))
  return clockOf(hour * 60 + minute + Number(minutes))
}

/** First and last name, where a message tells them apart. */
function namesIn(message: Message): [string, string][] {
  const named = message.one('name') ?? message.one('forname') ?? ''
  const [first = '', last, ...more] = named.split(' ')
  if (more.length > 0 || /\p{sc=Han}/u.test(named)) throw new Refused(message.say('name', escape(named)))
  if (last !== undefined)
    return [
      ['firstName', first],
      ['lastName', last],
    ]
  return first === '' ? [] : [[message.has('lastis') ? 'lastName' : 'firstName', first]]
}

/** Wishes and foods as they were written: "no shellfish" with its first word. */
function wishOf({ tokens, text: whole }: Message): string {
  const about = tokens.filter(({ kind }) => /^(?:not|allergy|food|wish)$/.test(kind))
  return about
    .flatMap(({ kind, text, start }, index) => {
      const before = about[index - 1]
      if (kind === 'wish' || (kind === 'food' && (!before || /food|wish/.test(before.kind)))) return [text]
      return kind === 'food' ? [whole.slice(before?.start, start + text.length)] : []
    })
    .join(', ')
}

function* readBack(message: Message): Plan<string> {
  const ours = new Set([...Object.values(fieldOf), 'time', 'firstName', 'lastName', 'diet', 'notes'])
  const fields = (yield* readFields(message)).filter(({ name, type }) => ours.has(name) || type === 'checkbox')
  const shown = fields.map(({ label, value }) => [escape(plainLabel(label)), shownValue(message, value)] as const)
  const filled = shown.filter(([, value]) => value !== '' && value !== 'Choose…')
  return message.say('filled', message.list(filled.map(([label, value]) => `${label} (${value})`)))
}
