// The order desk: filters, sorts and pages the table, opens an order and changes one order at a time, all by what a person
// could fill and press. What happened is what the page says afterwards.
import type { JsonValue } from '../../src/core/data/json.js'
import { fillFields, plainLabel, readFields, type Field } from './form.js'
import { escape, readPage, Refused, use, type Message, type Rule } from './grammar.js'
import type { Plan } from './replay.js'

const filters = 'status|late|customer|place'
const filterWords = 'orders only show what all have q howmany from it status late customer place change'
const isOneFilter = (message: Message): boolean =>
  !message.isTwice('status', 'customer', 'place') && !(message.has('customer') && message.has('place'))
/** "Make it only the new ones" changes no order. */
const isNarrow = (message: Message): boolean => isOneFilter(message) && (!message.has('change') || message.has('only'))
/** "The biggest order" is the one with the highest total. */
const isOfTotal = (message: Message): boolean => message.all('col').every((name) => name === 'Total')
/** One order is named, by its number or its place. "The last order" may be the newest. */
const isOneOrder = (message: Message): boolean =>
  message.all('number').length + message.all('nth').length === 1 && message.one('nth') !== '-1'

export const orderRules: readonly Rule[] = [
  ['filters clear|remove', 'all q', (message) => press(message, 'Clear filters')],
  ['nextpage', 'show open q', (message) => press(message, 'Next page')],
  ['prevpage', 'show open q', (message) => press(message, 'Previous page')],
  ['sort|asc|desc col', 'orders asc desc q show sort', sort, (message) => !message.isTwice('col')],
  ['best orders|sort|what|col', 'orders sort what show q have all howmuch col change', sort, isOfTotal],
  ['note number|nth', 'orders add q content', addNote, isOneOrder],
  [
    'change status number|nth',
    'orders col from q instead',
    setStatus,
    (message) => isOneOrder(message) && isOneFilter(message),
  ],
  ['cancelorder number|nth', 'orders q', setStatus, isOneOrder],
  ['open number|nth', 'orders show what q have', open, isOneOrder],
  [filters, filterWords, narrow, isNarrow],
  ['orders howmany|show|all', 'q what have all', narrow],
]

interface Row {
  readonly number: string
  /** The reference of the button that opens the order. */
  readonly open: string
  /** The cells without buttons. */
  readonly text: string
}

function rowsOf(outline: string): Row[] {
  return outline.split('\n').flatMap((line) => {
    const [, number, ref, rest] = /^\s*- \| button "(\d{4})" \[ref=(e\d+)\][^|]*\| (.*)$/.exec(line) ?? []
    if (number === undefined || ref === undefined || rest === undefined) return []
    const cells = rest.split(' | ').filter((cell) => !cell.startsWith('button '))
    return [{ number, open: ref, text: `${number}: ${escape(cells.join(' · '))}` }]
  })
}

function* press(message: Message, name: string): Plan<string> {
  const button = `button "${name}"`
  const line = (yield* readPage(message)).split('\n').find((each) => each.includes(button)) ?? ''
  if (/^ \[ref=e\d+\] \[disabled\]/.test(line.split(button)[1] ?? '')) throw new Refused(message.say('already'))
  yield* use(message, 'page_click', { target: name, role: 'button' })
  return yield* state(message)
}

/** What the page shows now: its filters, the count and the page of the table, and the first rows. */
function* state(message: Message): Plan<string> {
  const set = (yield* readFields(message)).filter((field) => isFilter(field) && field.value !== emptyOf(field))
  const shown = set.map(shownFilter)
  const page = yield* readPage(message)
  const count = /- (?:text|status): ((?:\d+|One|No) orders?|Page \d+ of \d+|No order fits[^\n]*)/g
  const said = [...page.matchAll(count)].map(([, text = '']) => escape(text))
  const rows = rowsOf(page).slice(0, 3)
  const filtered = shown.length > 0 ? message.say('filters', message.list(shown)) : message.say('nofilter')
  const quoted = said.length > 0 ? ` ${message.say('says', said.join(' · '))}` : ''
  return `${filtered}${quoted}${rows.map(({ text }) => `\n- ${text}`).join('')}`
}

const isFilter = ({ name }: Field): boolean => /^(?:text|status|from|to|late)$/.test(name)

const shownFilter = ({ label, value }: Field): string =>
  escape(value === true ? plainLabel(label) : `${label} “${String(value)}”`)

/** The value of a filter that filters nothing. */
function emptyOf({ type, name }: Field): JsonValue {
  if (type === 'checkbox') return false
  return name === 'status' ? 'All' : ''
}

function* narrow(message: Message): Plan<string> {
  const search = message.one('customer') ?? message.one('place')
  const status = message.one('status')
  const given = new Map<string, JsonValue>([
    ...(search === undefined ? [] : [['Search', search] as const]),
    ...(status === undefined ? [] : [['Status', status] as const]),
    ...(message.has('late') ? [['Late only', true] as const] : []),
  ])
  if (message.has('howmany') && given.size > 0) return yield* count(message, given)
  // "All orders from Berlin" are also those that another filter hides.
  if (message.has('all'))
    for (const field of (yield* readFields(message)).filter(isFilter))
      if (!given.has(field.label) && field.value !== emptyOf(field)) given.set(field.label, emptyOf(field))
  if (given.size > 0) yield* fillFields(message, [...given])
  return yield* state(message)
}

/** Counts orders with other filters, and puts back those of the visitor: a question changes nothing. */
function* count(message: Message, given: ReadonlyMap<string, JsonValue>): Plan<string> {
  const before = (yield* readFields(message)).filter(isFilter)
  // "How many of them" are those that the page shows.
  const wanted = (field: Field): JsonValue =>
    given.get(field.label) ?? (message.has('it') ? field.value : emptyOf(field))
  const changed = before.filter((field) => wanted(field) !== field.value)
  if (changed.length > 0)
    yield* fillFields(
      message,
      changed.map((field) => [field.label, wanted(field)]),
    )
  const [, found] = /- (?:text|status): ((?:\d+|One|No) orders?|No order fits)/.exec(yield* readPage(message)) ?? []
  if (changed.length > 0)
    yield* fillFields(
      message,
      changed.map(({ label, value }) => [label, value]),
    )
  if (found === undefined) throw new Refused(message.say('unclear'))
  const set = before.map((field) => ({ ...field, value: wanted(field) }))
  const filters = set.filter((field) => field.value !== emptyOf(field)).map(shownFilter)
  return message.say('counted', message.list(filters), found)
}

/** Presses the head of a column until it shows the wanted direction. */
function* sort(message: Message): Plan<string> {
  const column = message.one('col') ?? 'Total'
  const wanted = message.has('desc') || message.one('best') === 'high' ? 'descending' : 'ascending'
  for (let presses = 0; presses < 3; presses++) {
    const heads = /- header: .*/.exec(yield* readPage(message))?.[0] ?? ''
    const [, head = '', now] =
      new RegExp(`button "${column}" \\[ref=(e\\d+)\\](?: \\[(ascending|descending)\\])?`).exec(heads) ?? []
    if (now === wanted) return `${column} ${wanted === 'descending' ? '↓' : '↑'}. ${yield* state(message)}`
    yield* use(message, 'page_click', { target: head })
  }
  throw new Refused(message.say('unclear'))
}

/** The row of an order, which is searched for where it is not shown. */
function* rowOf(message: Message): Plan<Row> {
  const [number, nth] = [message.one('number'), Number(message.one('nth'))]
  const find = (rows: readonly Row[]): Row | undefined =>
    number === undefined ? rows[nth - 1] : rows.find((row) => row.number === number)
  const shown = find(rowsOf(yield* readPage(message)))
  if (shown) return shown
  if (number === undefined) throw new Refused(message.say('nothing'))
  yield* fillFields(message, [['Search', number]])
  const found = find(rowsOf(yield* readPage(message)))
  if (!found) throw new Refused(message.say('noorder', number))
  return found
}

function* open(message: Message): Plan<string> {
  const row = yield* rowOf(message)
  const { text } = yield* use(message, 'page_click', { target: row.open })
  if (!text.includes(`Order ${row.number}`)) throw new Refused(message.say('unclear'))
  const plants = [...text.matchAll(/^\s*- \| ([^|\n]+) \| (\d+) \| [^|\n]+ \| ([^|\n]+)$/gm)].map(
    ([, plant = '', count = '', sum = '']) => escape(`${count} × ${plant.trim()} (${sum.trim()})`),
  )
  return [message.say('opened', row.number), `${row.text}.`, message.list(plants)].join(' ').trim()
}

/** Changes the status of an order in its row. The message of the page says whether it is saved. */
function* setStatus(message: Message): Plan<string> {
  // An open order covers the table, and has buttons of its own.
  const isCovered = (yield* readPage(message)).includes('- dialog "Order')
  const own = message.has('cancelorder') ? 'Cancel this order' : 'Close'
  if (isCovered) throw new Refused(message.say('hand', own))
  const { number, text } = yield* rowOf(message)
  const status = message.has('cancelorder') ? 'Cancelled' : (message.one('status') ?? '')
  if (text.replace(/ · late$/, '').endsWith(` ${status}`)) return `${message.say('already')} ${text}`
  yield* use(message, 'page_click', { target: `Edit order ${number}` })
  yield* fillFields(message, [[`Status, order ${number}`, status]])
  const saved = yield* use(message, 'page_click', { target: `Save order ${number}` })
  const row = rowsOf(yield* readPage(message)).find((each) => each.number === number)
  return `${quoted(message, saved.text, new RegExp(`Order ${number} is saved\\.`))} ${row?.text ?? ''}`.trim()
}

function* addNote(message: Message): Plan<string> {
  yield* open(message)
  yield* fillFields(message, [['New note', message.one('content') ?? '']])
  const { text } = yield* use(message, 'page_click', { target: 'Add note' })
  return quoted(message, text, /The note is kept with order \d{4}\./)
}

/** What the page announced. */
function quoted(message: Message, text: string, pattern: RegExp): string {
  const [found] = pattern.exec(text) ?? []
  if (found === undefined) throw new Refused(message.say('unclear'))
  return message.say('says', found)
}
