// The three demos without a browser: the shop's own tools, the fields of the booking form, and the desk's orders as a
// table in words. It says a sentence to the offline model as say-sentence.ts does in a browser, in a hundredth of the time.
import type { JsonObject, JsonValue } from '../../../src/core/data/json.js'
import type { ToolAgentElement } from '../../../src/ui/element/tool-agent-element.js'
import { availabilityOn } from '../../../playground/booking/house.js'
import type { ChatMessage, ChatRequest, Tool } from '../../../playground/server/chat.js'
import { offlineAnswer } from '../../../playground/offline/offline-model.js'
import { firstOrders, isLate, statuses, totalOf, type Order } from '../../../playground/orders/data.js'
import { registerTools, type ShopPage } from '../../../playground/shop/tools.js'
import { judge, type Outcome, type Sentence, type State } from './say-sentence.js'

const today = '2026-11-18'

/** A page of a demo: its tools, and what is on it. */
interface Demo {
  readonly title: string
  readonly tools: () => readonly string[]
  readonly run: (name: string, input: JsonObject, callId: string) => JsonValue | Promise<JsonValue>
  readonly state: () => State
}
type Field = { label: string; name: string; type: string; value: JsonValue; options?: string[]; required?: true } & {
  min?: string
  max?: string
  /** The value that the form sends for an option, where it differs. */
  sent?: Readonly<Record<string, string>>
  /** The value that the form sends for a checked box. */
  checked?: string
}

const text = (label: string, name: string, more: Partial<Field> = {}): Field => ({
  label,
  name,
  type: 'text',
  value: '',
  ...more,
})
const check = (label: string, name: string, checked = 'yes'): Field => ({
  label,
  name,
  type: 'checkbox',
  value: false,
  checked,
})
function cleared({ type, options }: Field): JsonValue {
  if (type === 'checkbox') return false
  return options ? 'All' : ''
}
const nothing: State = {
  fields: {},
  cart: {},
  coupon: '',
  rows: [],
  changes: {},
  dialog: '',
  path: '',
  isSubmitted: false,
}

/** Answers `form_read`, `form_fill` and `form_undo`. */
function form(fields: Field[], onchange: () => void = () => {}) {
  const last: JsonValue[] = []
  const fill = (asked: readonly { field: string; value: JsonValue }[]): JsonValue =>
    asked.map(({ field: label, value }) => {
      const field = fields.find((one) => one.label === label)
      if (!field) throw new Error(`There is no field ${label}`)
      const isOption = !field.options || [value].flat().every((one) => field.options?.includes(String(one)))
      if (isOption) {
        last.splice(0, Infinity, [label, field.value])
        field.value = value
        onchange()
      }
      return {
        field: label,
        asked: value,
        now: field.value,
        ok: isOption,
        ...(isOption ? {} : { problem: 'no option' }),
      }
    })
  return {
    sent: (): State['fields'] =>
      Object.fromEntries(
        fields.map(({ name, type, value, checked = 'yes', sent = {} }) => {
          if (type === 'checkbox') return [name, value === true ? checked : '']
          const all = [value].flat().map((one) => sent[String(one)] ?? String(one))
          return [name, Array.isArray(value) ? all : (all[0] ?? '')]
        }),
      ),
    run(name: string, input: JsonObject): JsonValue {
      if (name === 'form_read') return { fields: fields.map(({ sent: _sent, ...field }) => field as JsonObject) }
      if (name === 'form_fill') return fill(input['fields'] as { field: string; value: JsonValue }[])
      throw new Error(`No tool ${name}`)
    },
  }
}

function bookingDemo(): Demo {
  const seating = { 'Dining room': 'inside', Terrace: 'terrace', 'At the bar': 'bar' }
  const occasion = {
    'Choose…': '',
    Birthday: 'birthday',
    Anniversary: 'anniversary',
    'Family dinner': 'family',
    'Team dinner': 'team',
    'Client lunch': 'client',
  }
  const diets = ['Vegetarian', 'Vegan', 'Gluten-free', 'Lactose-free', 'Halal', 'Kosher']
  const required = { required: true } as const
  const booking = form([
    text('Date', 'date', { type: 'date', ...required }),
    text('Arrival time', 'time', { type: 'time', min: '12:00', max: '22:00', ...required }),
    text('Guests', 'guests', { type: 'number', value: '2', ...required }),
    text('Seating', 'seating', { value: 'Dining room', options: Object.keys(seating), sent: seating }),
    text('Occasion (optional)', 'occasion', { value: 'Choose…', options: Object.keys(occasion), sent: occasion }),
    ...['First name', 'Last name', 'E-mail'].map((label, index) =>
      text(label, ['firstName', 'lastName', 'email'][index]!, required),
    ),
    text('Phone (from nine guests)', 'phone'),
    text('Company website (for an invoice)', 'website'),
    text('Diet (any number)', 'diet', {
      value: [],
      options: diets,
      sent: Object.fromEntries(diets.map((diet) => [diet, diet.toLowerCase()])),
    }),
    text('Allergies and wishes (optional)', 'notes'),
    text('Budget per guest', 'budget', { value: '60' }),
    check('High chair', 'highChair'),
    check('Step-free way to the table', 'stepFree'),
    check('Newsletter, four times a year', 'newsletter'),
  ])
  return {
    title: 'Book a table · Halden',
    tools: () => ['check_tables', 'form_read', 'form_fill', 'form_undo', 'page_read'],
    state: () => ({ ...nothing, path: '/booking/', fields: booking.sent() }),
    run(name, input) {
      if (name === 'check_tables') return { ...availabilityOn(String(input['date']), Number(input['guests'] ?? 2)) }
      if (name !== 'page_read') return booking.run(name, input)
      return [
        '- text: A kitchen by the harbour, open Tuesday to Sunday from noon to ten in the evening.',
        '- text: Closed on Mondays',
        '- text: Up to twelve',
      ].join('\n')
    },
  }
}

/** A storage of the browser. */
function storage(): Storage {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  } as unknown as Storage
}

interface ShopTool {
  readonly name: string
  readonly inputSchema?: { parse(input: unknown): unknown }
  readonly execute: (input: never, run: never) => JsonValue | Promise<JsonValue>
}

function shopDemo({ page = '', cart = {} }: Sentence): Demo {
  const tools = new Map<string, ShopTool>()
  let path = page
  Object.assign(globalThis, {
    localStorage: storage(),
    sessionStorage: storage(),
    location: {
      search: page.slice(page.indexOf('?')),
      assign(address: string) {
        path = address
        open('cart')
      },
    },
  })
  const lines = Object.entries(cart).map(([productId, quantity]) => ({ productId, quantity }))
  localStorage.setItem('kettle-and-leaf-cart', JSON.stringify({ lines }))
  let listeners: ((event: unknown) => void)[] = []
  function open(opened: ShopPage): void {
    tools.clear()
    const element = {
      registerTool: (given: ShopTool | ShopTool[]) => {
        for (const tool of [given].flat()) tools.set(tool.name, tool)
      },
      registerToolProvider: () => {},
      addEventListener: (_type: string, listener: (event: unknown) => void) => listeners.push(listener),
      removeEventListener: () => {},
    }
    registerTools(element as unknown as ToolAgentElement, opened)
  }
  open(page.startsWith('cart') ? 'cart' : 'catalogue')
  const stored = (): { lines: { productId: string; quantity: number }[]; coupon?: string } =>
    JSON.parse(localStorage.getItem('kettle-and-leaf-cart') ?? '{}')
  return {
    title: 'Kettle & Leaf',
    tools: () => [...tools.keys()],
    state: () => ({
      ...nothing,
      path: `/shop/${path}`,
      cart: Object.fromEntries(stored().lines.map(({ productId, quantity }) => [productId, quantity])),
      coupon: stored().coupon ?? '',
    }),
    async run(name, input, callId) {
      const { city } = input
      // The tool of the shop takes four seconds.
      if (name === 'estimate_delivery') return { city: city ?? '', workingDays: 3, arrives: '2026-11-23' }
      const tool = tools.get(name)
      if (!tool) throw new Error(`No tool ${name}`)
      const context = { toolCallId: callId, toolContext: { customerId: 'c', warehouse: 'north' }, remember: () => {} }
      const result = await tool.execute((tool.inputSchema?.parse(input) ?? {}) as never, context as never)
      for (const listener of listeners) listener({ call: { id: callId } })
      listeners = []
      return result
    },
  }
}

const columns = ['Order', 'Customer', 'Ordered', 'Ship by', 'Total', 'Status'] as const
const keys: Record<string, (order: Order) => string | number> = {
  Order: ({ number }) => number,
  Customer: ({ customer }) => customer,
  Ordered: ({ ordered }) => ordered,
  'Ship by': ({ shipBy }) => shipBy,
  Total: totalOf,
  Status: ({ status }) => status,
}
const euros = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' })

function ordersDemo(): Demo {
  let orders = firstOrders(today)
  let sorted = { column: 'Order', down: true }
  let page = 1
  let dialog = ''
  const changes: Record<string, { status?: string; notes?: string[] }> = {}
  const names = [...statuses.values()]
  const codes = Object.fromEntries([...statuses].map(([code, name]) => [name, code]))
  const fields: Field[] = [
    text('Search', 'text'),
    text('Status', 'status', { value: 'All', options: ['All', ...names], sent: { All: '', ...codes } }),
    text('Ordered from', 'from'),
    text('Ordered to', 'to'),
    check('Late only', 'late', 'on'),
  ]
  const edited: Field[] = []
  const filters = form(fields, () => (page = 1))
  const value = (name: string): string => String(filters.sent()[name])
  const found = (): Order[] =>
    orders
      .filter(({ number, customer, city }) =>
        `${number} ${customer} ${city}`.toLowerCase().includes(value('text').toLowerCase()),
      )
      .filter(({ status, ordered }) => (value('status') || status) === status && ordered >= value('from'))
      .filter((order) => order.ordered <= (value('to') || '9') && (value('late') === '' || isLate(order, today)))
      .sort((one, other) => {
        const [a, b] = [one, other].map((order) => keys[sorted.column]?.(order) ?? '')
        const order = Number(a! > b!) - Number(a! < b!) || one.number - other.number
        return sorted.down ? -order : order
      })
  const row = (order: Order): string =>
    `${order.customer} ${order.city} | ${order.ordered} | ${order.shipBy} | ${euros.format(totalOf(order))} | ` +
    `${statuses.get(order.status)}${isLate(order, today) ? ' · late' : ''}`
  const shown = (): Order[] => found().slice((page - 1) * 8, page * 8)
  const outline = (): string => {
    const pages = Math.max(1, Math.ceil(found().length / 8))
    return [
      '- button "Clear filters" [ref=e1]',
      `- text: ${found().length === 1 ? 'One order' : `${found().length} orders`}`,
      `- header: ${columns
        .map((name, index) => {
          const state = sorted.column === name ? ` [${sorted.down ? 'descending' : 'ascending'}]` : ''
          return `button "${name}" [ref=e${10 + index}]${state}`
        })
        .join(' | ')} | `,
      ...shown().map(
        (order, index) =>
          `- | button "${order.number}" [ref=e${20 + index}] [opens dialog] | ${row(order)} | button "Edit"`,
      ),
      `- button "Previous page" [ref=e2]${page === 1 ? ' [disabled]' : ''}`,
      `- text: Page ${page} of ${pages}`,
      `- button "Next page" [ref=e3]${page === pages ? ' [disabled]' : ''}`,
      '- button "Put all orders back as they were" [ref=e4]',
    ].join('\n')
  }
  const change = (number: number, what: Partial<Order>): void => {
    orders = orders.map((order) => (order.number === number ? { ...order, ...what } : order))
  }
  const click = (target: string): string => {
    const [, index = ''] = /^e(\d\d)$/.exec(target) ?? []
    const number = Number(/\d{4}/.exec(target)?.[0])
    if (index >= '20') {
      const opened = shown()[Number(index) - 20]!
      dialog = `Order ${opened.number}`
      return `${dialog}\n- | Hosta | 2 | €14.00 | €28.00`
    }
    if (index >= '10') {
      const column = columns[Number(index) - 10]!
      sorted = { column, down: sorted.column === column && !sorted.down }
    } else if (target === 'Clear filters') for (const one of fields) one.value = cleared(one)
    else if (target === 'Next page') page++
    else if (target === 'Previous page') page--
    else if (target === 'Add note') {
      const note = String(edited.pop()?.value)
      changes[dialog.slice(6)] = { notes: [note] }
      return `The note is kept with order ${dialog.slice(6)}.`
    } else if (target.startsWith('Edit order')) {
      const { status, shipBy } = orders.find((order) => order.number === number)!
      const options = { options: names }
      edited.splice(0, Infinity, text(`Status, order ${number}`, 's', { value: statuses.get(status)!, ...options }))
      edited.push(text(`Ship by, order ${number}`, 'd', { value: shipBy }))
    } else if (target.startsWith('Save order')) {
      const [state, day] = edited.map((one) => String(one.value))
      const status = codes[state ?? ''] as Order['status']
      change(number, { status, shipBy: day ?? '' })
      changes[number] = { status }
      return `Order ${number} is saved.`
    }
    return 'done'
  }
  return {
    title: 'Orders · Fernhill Nursery',
    tools: () => ['form_read', 'form_fill', 'form_undo', 'page_read', 'page_click'],
    state: () => ({
      ...nothing,
      path: '/orders/',
      fields: filters.sent(),
      rows: shown().map((order) => `${order.number} ${row(order).replaceAll(' | ', ' ')} Edit`),
      changes: structuredClone(changes),
      dialog,
    }),
    run(name, input) {
      if (name === 'page_read') return outline()
      if (name === 'page_click') return `Clicked.\n${click(String(input['target']))}`
      const [{ field }] = (input['fields'] ?? [{ field: '' }]) as [{ field: string }]
      if (field === 'New note') edited.push(text('New note', 'note'))
      return /order \d|New note/.test(field) ? form(edited).run(name, input) : filters.run(name, input)
    },
  }
}

const message = (role: string, said: string, more: Partial<ChatMessage> = {}): ChatMessage => ({
  role,
  text: said,
  calls: [],
  callId: '',
  ...more,
})

/** Says the sentence to a new page of its demo. */
export async function sayInNode(sentence: Sentence): Promise<Outcome> {
  const demo = { booking: bookingDemo, shop: () => shopDemo(sentence), orders: ordersDemo }[sentence.demo]()
  const messages: ChatMessage[] = []
  for (const said of sentence.before ?? []) await turn(said, demo, messages)
  const before = demo.state()
  const { answer, calls } = await turn(sentence.say, demo, messages)
  return judge(sentence, { before, after: demo.state(), answer, calls })
}

async function turn(said: string, demo: Demo, messages: ChatMessage[]): Promise<{ answer: string; calls: string[] }> {
  const facts = `Today: ${today}\nPage title: ${demo.title}\nPage address: https://demo.example/`
  messages.push(message('user', `Facts from the page, not written by the user:\n${facts}\n\n${said}`))
  const made: string[] = []
  for (let step = 0; step < 20; step++) {
    const tools = demo.tools().map((name): Tool => ({ name, description: '', schema: {} }))
    const request: ChatRequest = { model: 'offline', messages, tools, toolChoice: 'auto', stream: false }
    const { parts } = offlineAnswer(request, { hasButtons: true })
    const answer = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
    const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [part] : []))
    messages.push(message('assistant', answer, { calls: calls.map(({ id, name, input }) => ({ id, name, input })) }))
    if (calls.length === 0) return { answer, calls: made }
    for (const { id, name, input } of calls) {
      made.push(name)
      const result = await Promise.resolve()
        .then(() => demo.run(name, input, id))
        .then((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
        .catch((error: unknown) => `Error (execution-failed): ${(error as Error).message}`)
      messages.push(message('tool', result, { callId: id }))
    }
  }
  throw new Error(`Not at an end after 20 requests: ${said}`)
}
