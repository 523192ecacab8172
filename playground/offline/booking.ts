// The restaurant: fills its form, looks for a free table, and reads the page. The visitor sends the form.
import { isObject, type JsonValue } from '../../src/core/data/json.js'
import {
  all,
  dayIn,
  done,
  escape,
  failed,
  failureIn,
  fits,
  isTwice,
  listOf,
  one,
  quoted,
  say,
  tried,
  type Context,
  type Intent,
  type Outcome,
} from './grammar.js'
import type { Token } from './lexer.js'
import { call, type Plan } from './replay.js'
import type { Call } from './transcript.js'
import { clockOf } from './values.js'

export interface Field {
  readonly label: string
  readonly name: string
  readonly value: JsonValue
  readonly type: string
  readonly options: readonly string[]
  readonly required: boolean
  readonly min: string
  readonly max: string
}

/** The fields that `form_read` lists. */
export function fieldsOf(made: Call | undefined): Field[] {
  const value = made?.result?.value
  const list = isObject(value) && Array.isArray(value['fields']) ? value['fields'] : []
  return list.filter(isObject).map((field) => ({
    label: String(field['label']),
    name: String(field['name'] ?? ''),
    value: (field['value'] ?? '') as JsonValue,
    type: String(field['type'] ?? ''),
    options: Array.isArray(field['options']) ? field['options'].map(String) : [],
    required: field['required'] === true,
    min: String(field['min'] ?? ''),
    max: String(field['max'] ?? ''),
  }))
}

export const plainLabel = (label: string): string => label.replace(/\s*\(.*\)$/, '')

const details = 'allergy food not wish diet who_ check'
const filling =
  'table book change instead f nameis lastis sit free form time date_ days_ party part seating occasion money budget name forname email phone url it delivery_ gift ' +
  details
const values = 'time|date_|days_|party|seating|occasion|diet|check|food|wish|name|email|phone|url|money'

const kindsOf: Record<string, string> = {
  date: 'date_|days_',
  time: 'time',
  guests: 'party',
  name: 'name|forname',
  email: 'email',
  phone: 'phone',
  notes: 'food|wish',
  budget: 'money',
  occasion: 'occasion',
  diet: 'diet|food',
}

/** The request as an intent of the restaurant's page. */
export function bookingIntent(tokens: readonly Token[]): Intent | undefined {
  const kinds = new Set(tokens.map(({ kind }) => kind))
  if (fits(tokens, 'private', 'f change book phone num q it unknown'))
    return (context) => failed(say(context, 'private'))
  if (fits(tokens, 'submit', 'table book q it')) return (context) => failed(say(context, 'hand', 'Book the table'))
  if (fits(tokens, 'filled', 'what q')) return readBack
  if (
    kinds.has('date_') &&
    fits(tokens, 'have|free|q|open date_', 'table time party part free open have q what book when')
  )
    if (!(kinds.has('book') && !kinds.has('free') && !kinds.has('have') && !kinds.has('open')))
      return (context) => check(context, tokens)
  if (fits(tokens, 'open', 'when what q have not')) return (context) => quote(context, /\bopen\b|\bclosed\b/i)
  if (fits(tokens, 'most|howmany people|book|howmany', 'howmany q most table f have'))
    return (context) => quote(context, /\bup to\b/i)
  if (fits(tokens, 'clear|remove f', 'form')) return (context) => clear(context, all(tokens, 'f').map(String))
  if (fits(tokens, 'clear form|all|table', 'form all table')) return (context) => failed(say(context, 'hand', 'Clear'))
  if (!fits(tokens, values, `${filling} q`)) return undefined
  // "Do you have vegan dishes?" is a question, and "can I book …?" is not.
  if (kinds.has('q') && !kinds.has('book')) return undefined
  // "No" belongs to a food; a person belongs to what is said about it.
  if (kinds.has('not') && !kinds.has('food')) return undefined
  if (kinds.has('who_') && !['food', 'diet', 'occasion', 'check'].some((kind) => kinds.has(kind))) return undefined
  if (kinds.has('forname') && !kinds.has('email') && !kinds.has('phone')) return undefined
  if (kinds.has('allergy') && !kinds.has('food') && !kinds.has('diet')) return undefined
  if (kinds.has('free') && !kinds.has('book')) return undefined
  if (kinds.has('money') && !all(tokens, 'f').includes('budget')) return undefined
  // A field that is named has its value in the message.
  if (all(tokens, 'f').some((name) => !(kindsOf[name] ?? '').split('|').some((kind) => kinds.has(kind))))
    return undefined
  if (isTwice(tokens, 'time', 'date_', 'party', 'seating', 'occasion', 'name', 'email', 'phone', 'money'))
    return undefined
  return (context) => fill(context, tokens)
}

/** Quotes what the page says about something. */
function* quote(context: Context, about: RegExp): Plan<Outcome> {
  const made = yield* call('page_read', {})
  const lines = (made.result?.text ?? '').split('\n').flatMap((line) => /- text: (.+)$/.exec(line)?.[1] ?? [])
  const found = lines.filter((line) => about.test(line)).map(escape)
  return found.length === 0
    ? failed(say(context, 'nothing'))
    : done(say(context, 'says', found.slice(0, 2).join(' · ')))
}

function* check(context: Context, tokens: readonly Token[]): Plan<Outcome> {
  if (isTwice(tokens, 'date_', 'party')) return failed(say(context, 'date'))
  const date = String(one(tokens, 'date_'))
  const party = one(tokens, 'party')
  const made = yield* tried(context, 'check_tables', {
    date,
    ...(party === undefined ? {} : { guests: Number(party) }),
  })
  const { result } = made
  if (result === undefined || result.failed) return failed(failureIn(context, result))
  const { message, times } = (isObject(result.value) ? result.value : {}) as { message?: string; times?: string[] }
  const minutes = one(tokens, 'time')
  const asked = minutes === undefined ? undefined : clockOf(inHours(Number(minutes), tokens, '12:00', '22:00'))
  const isFree = asked === undefined ? '' : `${asked}: ${times?.includes(asked) ? '✔︎' : '✘'}`
  const list =
    times && times.length > 0 && asked === undefined
      ? `${times.slice(0, 12).join(', ')}${times.length > 12 ? ' …' : ''}`
      : ''
  return done(`${dayIn(context, date)}:`, say(context, 'says', escape(message ?? result.text)), isFree, list)
}

/** Fills the fields that the message has values for. */
function* fill(context: Context, tokens: readonly Token[]): Plan<Outcome> {
  const unclear = tokens.find(({ kind }) => kind === 'days_')
  if (unclear) {
    const days = String(unclear.value)
      .split(' ')
      .map((day) => dayIn(context, day))
    return {
      ...failed(say(context, 'day', escape(unclear.text), days[0]!, days[1]!)),
      offers: String(unclear.value).split(' '),
    }
  }
  const read = yield* call('form_read', {})
  const fields = fieldsOf(read)
  const given: [name: string, value: JsonValue][] = []
  const notes: string[] = []
  const named = String(one(tokens, 'name') ?? one(tokens, 'forname') ?? '')
  const [first = '', last, ...more] = named.split(' ').filter(Boolean)
  if (more.length > 0 || /\p{sc=Han}/u.test(named)) return failed(say(context, 'name', escape(named)))
  for (const token of tokens) {
    const { kind, value, unsure, text } = token
    if (kind === 'date_') given.push(['date', value])
    else if (kind === 'time') {
      const field = fields.find(({ name }) => name === 'time')
      const time = clockOf(inHours(Number(value), [token], field?.min ?? '', field?.max ?? ''))
      given.push(['time', time])
      if (unsure && time !== clockOf(Number(value))) notes.push(say(context, 'took', escape(text), time))
    } else if (kind === 'party') given.push(['guests', value])
    else if (kind === 'money') given.push(['budget', value])
    else if (kind === 'url') given.push(['website', value])
    else if (kind === 'email' || kind === 'phone' || kind === 'seating' || kind === 'occasion')
      given.push([kind, value])
    else if (kind === 'check') given.push([String(value), true])
  }
  if (last !== undefined) given.push(['firstName', first], ['lastName', last])
  else if (first !== '') given.push([tokens.some(({ kind }) => kind === 'lastis') ? 'lastName' : 'firstName', first])
  const diets = all(tokens, 'diet').map(String)
  if (diets.length > 0) given.push(['diet', diets])
  const wish = wishOf(tokens)
  if (wish !== '') given.push(['notes', wish])
  const made = yield* fillFields(
    context,
    given.map(([name, value]) => ({
      field: fields.find((field) => field.name === name || field.label === name)?.label ?? name,
      value,
    })),
  )
  if (!made.isDone) return made
  const part =
    tokens.some(({ kind }) => kind === 'part') && !tokens.some(({ kind }) => kind === 'time')
      ? say(context, 'time')
      : ''
  const needed = fields.filter(
    ({ required, value, name }) =>
      required && (value === '' || value === false) && !given.some(([key]) => key === name),
  )
  const missing =
    needed.length === 0
      ? ''
      : say(
          context,
          'missing',
          escape(
            listOf(
              context,
              needed.map(({ label }) => plainLabel(label)),
            ),
          ),
        )
  return done(made.text, ...notes, part, missing, say(context, 'submit', 'Book the table'))
}

/** "No shellfish" as it was written, from its first word to its last. */
function wishOf(tokens: readonly Token[]): string {
  const said = tokens.flatMap((token, index) => {
    if (token.kind === 'wish') return [token.text]
    if (token.kind !== 'food') return []
    const before = tokens
      .slice(0, index)
      .findLast(({ kind }) => kind === 'not' || kind === 'allergy' || kind === 'food')
    return before && before.kind !== 'food' && before.start < token.start
      ? [`${before.text} ${token.text}`]
      : [token.text]
  })
  return said.join(', ')
}

/** The half of the day that lies in the opening hours. */
function inHours(minutes: number, tokens: readonly Token[], min: string, max: string): number {
  const isUnsure = tokens.some(({ kind, unsure }) => kind === 'time' && unsure)
  const later = minutes + 720
  return isUnsure && clockOf(minutes) < min && clockOf(later) <= max && later < 1440 ? later : minutes
}

/** Fills fields by label, and reports what each holds now. */
export function* fillFields(
  context: Context,
  fields: readonly { readonly field: string; readonly value: JsonValue }[],
): Plan<Outcome> {
  const made = yield* tried(context, 'form_fill', { fields: fields.map(({ field, value }) => ({ field, value })) })
  const { result } = made
  if (result === undefined || result.failed) return failed(failureIn(context, result))
  const answer = isObject(result.value) ? result.value['fields'] : result.value
  const list: readonly unknown[] = Array.isArray(answer) ? answer : []
  const filled: string[] = []
  const emptied: string[] = []
  const problems: string[] = []
  for (const line of list.filter(isObject)) {
    const label = escape(plainLabel(String(line['field'])))
    const now = shown(context, line['now'] as JsonValue)
    if (line['ok'] !== true)
      problems.push(
        say(context, 'refused', `${label} (${now})`, escape(String(line['problem'] ?? '…')).replace(/\.$/, '')),
      )
    else if (now === '') emptied.push(label)
    else filled.push(`${label} (${now})`)
  }
  const text = done(
    filled.length > 0 ? say(context, 'filled', listOf(context, filled)) : '',
    emptied.length > 0 ? say(context, 'cleared', listOf(context, emptied)) : '',
    ...problems,
  ).text
  return text === ''
    ? failed(say(context, 'failed', escape(result.text.slice(0, 200))))
    : { text, isDone: problems.length === 0 || filled.length > 0 }
}

function shown(context: Context, value: JsonValue | undefined): string {
  if (Array.isArray(value))
    return listOf(
      context,
      value.map((each) => shown(context, each)),
    )
  if (typeof value === 'boolean') return value ? '✔︎' : ''
  return /^\d{4}-\d\d-\d\d$/.test(String(value)) ? dayIn(context, String(value)) : escape(String(value ?? ''))
}

function* readBack(context: Context): Plan<Outcome> {
  const made = yield* call('form_read', {})
  const filled = fieldsOf(made).filter(
    ({ value, type }) =>
      value !== '' &&
      value !== false &&
      !/readonly|disabled/.test(type) &&
      !(Array.isArray(value) && value.length === 0),
  )
  return done(
    say(
      context,
      'filled',
      listOf(
        context,
        filled.map(({ label, value }) => `${escape(plainLabel(label))} (${shown(context, value)})`),
      ),
    ),
  )
}

const fieldNames: Record<string, readonly string[]> = { name: ['firstName', 'lastName'], guests: [] }

function* clear(context: Context, names: readonly string[]): Plan<Outcome> {
  const fields = fieldsOf(yield* call('form_read', {}))
  const wanted = names.flatMap((name) => fieldNames[name] ?? [name])
  const found = wanted.flatMap((name) => fields.find((field) => field.name === name) ?? [])
  if (found.length === 0) return failed(say(context, 'nofield', quoted(context, names)))
  return yield* fillFields(
    context,
    found.map(({ label, value }) => ({ field: label, value: Array.isArray(value) ? [] : '' })),
  )
}
