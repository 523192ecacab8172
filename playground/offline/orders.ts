// The order desk: filters, sorts and pages the table, opens an order and changes one order at a time, all by what a person
// could fill and press. What happened is what the page says afterwards.
import type { JsonValue } from '../../src/core/data/json.js'
import { fieldsOf, fillFields, plainLabel } from './booking.js'
import {
  all,
  done,
  escape,
  failed,
  failureIn,
  fits,
  isTwice,
  listOf,
  one,
  say,
  tried,
  type Context,
  type Intent,
  type Outcome,
} from './grammar.js'
import type { Token } from './lexer.js'
import { call, type Plan } from './replay.js'

interface Row {
  readonly number: string
  readonly open: string
  /** The cells without buttons. */
  readonly text: string
  readonly status: string
}

const filter = 'status late customer place date_ fromdate todate'
const filterWords = 'orders only show what all have q howmany who placed not_ it'

export function ordersIntent(given: readonly Token[], text: string): Intent | undefined {
  // A number with four digits is an order.
  const tokens = given.map((token) =>
    token.kind === 'num' && /^\d{4}$/.test(String(token.value)) ? { ...token, kind: 'number' } : token,
  )
  const kinds = new Set(tokens.map(({ kind }) => kind))
  const numbers = all(tokens, 'number').map(String)
  const number = numbers[0]
  const nth = one(tokens, 'nth')
  // "The last order" may be the newest.
  if (nth === -1 || nth === '-1') return undefined
  const order: Wanted | undefined =
    numbers.length < 2 && (number !== undefined || nth !== undefined) && !(number && nth)
      ? { number, nth: nth as number | undefined }
      : undefined
  if (fits(tokens, 'restore', 'q')) return (context) => press(context, 'Put all orders back as they were')
  if (fits(tokens, 'clearfilters', 'q all') || fits(tokens, 'clear|remove|delete filters', 'all q'))
    return (context) => press(context, 'Clear filters')
  if (fits(tokens, 'nextpage|prevpage', 'show open q'))
    return (context) => press(context, kinds.has('nextpage') ? 'Next page' : 'Previous page')
  if (fits(tokens, 'close', 'orders it q number')) return (context) => press(context, 'Close')
  if (fits(tokens, 'rows num', 'show change q')) return (context) => rows(context, String(one(tokens, 'num')))
  if (fits(tokens, 'sort col', 'orders asc desc q show') && !isTwice(tokens, 'col'))
    return (context) => sort(context, String(one(tokens, 'col')), kinds.has('desc'))
  if (fits(tokens, 'col asc|desc', 'orders q show sort') && !isTwice(tokens, 'col'))
    return (context) => sort(context, String(one(tokens, 'col')), kinds.has('desc'))
  if (fits(tokens, 'biggest|dearest|cheapest orders|col', 'what show q have who orders col') && !kinds.has('sort'))
    return (context) => extreme(context, !kinds.has('cheapest'))
  if (order) {
    const content = /(?:[:：]\s*)(\S[\s\S]*)$/.exec(text)?.[1]
    const quote = one(tokens, 'quote')
    const note = quote === undefined ? content : String(quote)
    const before = content === undefined ? tokens : tokens.filter(({ start }) => start < text.length - content.length)
    if (note !== undefined && fits(before, 'note number|nth', 'orders add change quote q'))
      return (context) => addNote(context, order, note)
    if (
      fits(tokens, 'change|add|status number|nth', 'orders status change add q') &&
      kinds.has('status') &&
      !isTwice(tokens, 'status')
    )
      return (context) => edit(context, order, 'Status', String(one(tokens, 'status')))
    if (fits(tokens, 'cancelorder number|nth', 'orders q'))
      return (context) => edit(context, order, 'Status', 'Cancelled')
    if (
      fits(tokens, 'ship|change date_ number|nth', 'ship change orders q col') &&
      kinds.has('ship') &&
      !isTwice(tokens, 'date_')
    )
      return (context) => edit(context, order, 'Ship by', String(one(tokens, 'date_')))
    if (fits(tokens, 'open|plants number|nth', 'orders show what q have')) return (context) => open(context, order)
    if (fits(tokens, 'number|nth', 'orders show what who howmuch q placed col status_ have') && !kinds.has('nth'))
      return (context) => tell(context, order)
    return undefined
  }
  // Each day is one on which orders were placed, so it has to be said.
  const hasDay = kinds.has('date_') || ((kinds.has('fromdate') || kinds.has('todate')) && kinds.has('status'))
  if (hasDay && !kinds.has('placed')) return undefined
  if (
    isTwice(tokens, 'status', 'customer', 'place', 'date_', 'fromdate', 'todate') ||
    (kinds.has('customer') && kinds.has('place'))
  )
    return undefined
  if (
    fits(tokens, filter.replaceAll(' ', '|'), `${filterWords} ${filter} from col`) &&
    (!kinds.has('from') || kinds.has('place') || kinds.has('customer')) &&
    (!kinds.has('col') || one(tokens, 'col') === 'Customer' || one(tokens, 'col') === 'Status')
  )
    return (context) => narrow(context, tokens)
  if (
    fits(tokens, 'orders', 'howmany q what have all show total') &&
    (kinds.has('howmany') || kinds.has('show') || kinds.has('all'))
  )
    return (context) => narrow(context, [])
  return undefined
}

interface Wanted {
  readonly number: string | undefined
  /** The place in the table that is shown. */
  readonly nth: number | undefined
}

const buttonRow = /^\s*- \| button "(\d{4})" \[ref=(e\d+)\][^|]*\| (.*)$/
function rowsOf(outline: string): Row[] {
  return outline.split('\n').flatMap((line) => {
    const [, number, ref, rest = ''] = buttonRow.exec(line) ?? []
    if (number === undefined || ref === undefined) return []
    const cells = rest.split(' | ').filter((cell) => !cell.startsWith('button '))
    return [{ number, open: ref, text: escape(cells.join(' · ')), status: cells.at(-1) ?? '' }]
  })
}

function* outline(): Plan<string> {
  return (yield* call('page_read', {})).result?.text ?? ''
}

/** Presses a button by its name, and quotes what the page announces. */
function* press(context: Context, name: string): Plan<Outcome> {
  const page = yield* outline()
  const line = page.split('\n').find((each) => each.includes(`button "${name}"`))
  if (line === undefined) return failed(say(context, 'nothing'))
  if (line.split(`button "${name}"`)[1]?.match(/^ \[ref=e\d+\] \[disabled\]/)) return failed(say(context, 'already'))
  const made = yield* tried(context, 'page_click', { target: name, role: 'button' })
  if (made.result?.failed !== false) return failed(failureIn(context, made.result))
  return done(yield* state(context))
}

/** What the page shows now: its filters, the count and the page of the table. */
function* state(context: Context): Plan<string> {
  const fields = fieldsOf(yield* call('form_read', {})).filter(
    ({ name, value }) =>
      /^(?:text|status|from|to|late)$/.test(name) && value !== '' && value !== false && value !== 'All',
  )
  const page = yield* outline()
  const texts = [
    ...page.matchAll(
      /- (?:text|status): ((?:\d+|One|No) orders?|Page \d+ of \d+|All orders are [^\n]*|No order fits[^\n]*)/g,
    ),
  ].map(([, found = '']) => escape(found))
  const filters = fields.map(({ label, value }) =>
    escape(value === true ? plainLabel(label) : `${plainLabel(label)} “${String(value)}”`),
  )
  const first = rowsOf(page)
    .slice(0, 3)
    .map(({ number, text }) => `\n- ${number} · ${text}`)
    .join('')
  return `${filters.length > 0 ? say(context, 'filters', listOf(context, filters)) : say(context, 'nofilter')} ${say(context, 'says', texts.join(' · '))}${first}`
}

function* narrow(context: Context, tokens: readonly Token[]): Plan<Outcome> {
  const from = one(tokens, 'fromdate') ?? one(tokens, 'date_')
  const to = one(tokens, 'todate') ?? one(tokens, 'date_')
  const search = one(tokens, 'customer') ?? one(tokens, 'place')
  const fields: { field: string; value: JsonValue }[] = []
  if (search !== undefined) fields.push({ field: 'Search', value: String(search) })
  if (one(tokens, 'status') !== undefined) fields.push({ field: 'Status', value: String(one(tokens, 'status')) })
  if (tokens.some(({ kind }) => kind === 'late')) fields.push({ field: 'Late only', value: true })
  if (from !== undefined) fields.push({ field: 'Ordered from', value: String(from) })
  if (to !== undefined) fields.push({ field: 'Ordered to', value: String(to) })
  if (fields.length > 0) {
    const made = yield* fillFields(context, fields)
    if (!made.isDone) return made
  }
  return done(yield* state(context))
}

function* rows(context: Context, count: string): Plan<Outcome> {
  const made = yield* fillFields(context, [{ field: 'Rows per page', value: count }])
  return made.isDone ? done(made.text, yield* state(context)) : made
}

/** Presses the head of a column until it shows the wanted direction. */
function* sort(context: Context, column: string, down: boolean): Plan<Outcome> {
  const wanted = down ? 'descending' : 'ascending'
  for (let presses = 0; presses < 3; presses++) {
    const head = new RegExp(`button "${column}" \\[ref=(e\\d+)\\](?: \\[(ascending|descending)\\])?`).exec(
      (yield* outline()).match(/- header: .*/)?.[0] ?? '',
    )
    if (head?.[1] === undefined) return failed(say(context, 'nothing'))
    if (head[2] === wanted) return done(`${column} ${down ? '↓' : '↑'}.`, yield* state(context))
    const made = yield* tried(context, 'page_click', { target: head[1] })
    if (made.result?.failed !== false) return failed(failureIn(context, made.result))
  }
  return failed(say(context, 'unclear'))
}

function* extreme(context: Context, isBiggest: boolean): Plan<Outcome> {
  const sorted = yield* sort(context, 'Total', isBiggest)
  if (!sorted.isDone) return sorted
  const [first] = rowsOf(yield* outline())
  return first ? done(`${first.number}: ${first.text}`) : failed(say(context, 'nothing'))
}

/** The row of an order, which is searched for where it is not shown. */
function* rowOf(context: Context, { number, nth }: Wanted): Plan<Row | Outcome> {
  const find = (list: readonly Row[]): Row | undefined =>
    number === undefined ? list.at(Number(nth) - (Number(nth) > 0 ? 1 : 0)) : list.find((row) => row.number === number)
  const shown = find(rowsOf(yield* outline()))
  if (shown) return shown
  if (number === undefined) return failed(say(context, 'nothing'))
  const made = yield* fillFields(context, [{ field: 'Search', value: number }])
  if (!made.isDone) return made
  return find(rowsOf(yield* outline())) ?? failed(say(context, 'noorder', number))
}

function* tell(context: Context, order: Wanted): Plan<Outcome> {
  const row = yield* rowOf(context, order)
  return 'isDone' in row ? row : done(`${row.number}: ${row.text}`)
}

function* open(context: Context, order: Wanted): Plan<Outcome> {
  const row = yield* rowOf(context, order)
  if ('isDone' in row) return row
  const made = yield* tried(context, 'page_click', { target: row.open })
  const text = made.result?.text ?? ''
  if (made.result?.failed !== false) return failed(failureIn(context, made.result))
  if (!text.includes(`Order ${row.number}`)) return failed(say(context, 'unclear'))
  const plants = [...text.matchAll(/^\s*- \| ([^|\n]+) \| (\d+) \| [^|\n]+ \| ([^|\n]+)$/gm)].map(
    ([, plant = '', count = '', sum = '']) => escape(`${count} × ${plant.trim()} (${sum.trim()})`),
  )
  return done(
    say(context, 'opened', row.number),
    `${row.text}.`,
    plants.length > 0 ? `${listOf(context, plants)}.` : '',
  )
}

/** Changes an order in its row. The message of the page says whether it is saved. */
function* edit(context: Context, order: Wanted, label: 'Status' | 'Ship by', value: string): Plan<Outcome> {
  const row = yield* rowOf(context, order)
  if ('isDone' in row) return row
  if (label === 'Status' && row.status.startsWith(value))
    return done(`${say(context, 'already')} ${row.number}: ${row.text}`)
  const begun = yield* tried(context, 'page_click', { target: `Edit order ${row.number}` })
  if (begun.result?.failed !== false) return failed(failureIn(context, begun.result))
  const filled = yield* fillFields(context, [{ field: `${label}, order ${row.number}`, value }])
  if (!filled.isDone) return filled
  const saved = yield* tried(context, 'page_click', { target: `Save order ${row.number}` })
  if (saved.result?.failed !== false) return failed(failureIn(context, saved.result))
  return said(
    context,
    saved.result.text,
    new RegExp(`Order ${row.number} (?:is saved|cannot leave before it was placed)\\.`),
    yield* rowText(row.number),
  )
}

/** The row after a change. */
function* rowText(number: string): Plan<string> {
  const row = rowsOf(yield* outline()).find((each) => each.number === number)
  return row ? `${row.number}: ${row.text}` : ''
}

function said(context: Context, text: string, message: RegExp, row: string): Outcome {
  const found = message.exec(text)?.[0]
  if (found === undefined) return failed(say(context, 'unclear'), row)
  return { ...done(say(context, 'says', found), row), isDone: !found.includes('cannot') }
}

function* addNote(context: Context, order: Wanted, note: string): Plan<Outcome> {
  const opened = yield* open(context, order)
  if (!opened.isDone) return opened
  const filled = yield* fillFields(context, [{ field: 'New note', value: note }])
  if (!filled.isDone) return filled
  const made = yield* tried(context, 'page_click', { target: 'Add note' })
  if (made.result?.failed !== false) return failed(failureIn(context, made.result))
  return said(context, made.result.text, /The note is kept with order \d{4}\./, '')
}
