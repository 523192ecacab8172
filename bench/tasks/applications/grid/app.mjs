// A grid of 2,400 rows, most of which are not in the document: cells that a double click edits, sorting, selection, and
// a star per row that appears when the mouse is over it.
import { fileURLToPath } from 'node:url'

const cities = ['Accra', 'Arica', 'Bergen', 'Kobe', 'Kumasi', 'Nara', 'Oslo', 'Talca']
const countries = ['Ghana', 'Chile', 'Norway', 'Japan', 'Ghana', 'Japan', 'Norway', 'Chile']
const customers = () =>
  Array.from({ length: 2400 }, (_, at) => ({
    id: at + 1,
    name: `Customer ${String(at + 1).padStart(4, '0')}`,
    city: cities[at % 8],
    country: countries[at % 8],
    credit: ((at * 7919) % 2400) * 10,
    state: 'active',
    vip: false,
  }))

const row = (/** @type {any} */ state, /** @type {number} */ id) =>
  state.customers.find((/** @type {{ id: number }} */ one) => one.id === id)

/** Scrolls the grid until the text can be read. @param {import('../../hands.mjs').Hands} hands @param {string} text */
async function reach({ find, scrollTo, sees }, text) {
  if (!sees(text)) await scrollTo(text, await find('Customers', { role: 'grid' }).catch(() => undefined))
}

/** Double-clicks a text, types into the field that it becomes, and presses Enter. @param {import('../../hands.mjs').Hands} hands @param {string} target @param {string} value */
async function edit({ click, use, fieldHolding, press }, target, value) {
  await click(target, { how: 'double' })
  const field = await fieldHolding(target)
  await use('form_fill', { fields: [{ field, value }] })
  await press('Enter', field)
}

/** @type {import('../app-run.mjs').TaskApp} */
export const app = {
  name: 'grid',
  folder: fileURLToPath(new URL('.', import.meta.url)),
  data: () => ({ customers: customers() }),
  handle({ method, path, body }, data) {
    if (path === '/api/customers') return { json: data.customers }
    if (path === '/api/bulk') {
      const ids = new Set(body.ids)
      if (body.state === undefined)
        data.customers = data.customers.filter((/** @type {{ id: number }} */ one) => !ids.has(one.id))
      else for (const one of data.customers) if (ids.has(one.id)) one.state = body.state
      return { json: {} }
    }
    const [, id] = /^\/api\/customers\/(\d+)$/.exec(path) ?? []
    return method === 'PATCH' ? { json: Object.assign(row(data, Number(id)), body) } : undefined
  },
  tasks: [
    {
      name: 'far-row',
      task: 'Star customer 1777.',
      goal: { customer: 'Customer 1777' },
      mistake: { customer: 'Customer 1778' },
      want: (state) => (row(state, 1777).vip = true),
      async policy(hands, { customer }) {
        await hands.read()
        await reach(hands, customer)
        await hands.click('☆', { inside: customer })
      },
    },
    {
      name: 'found-row',
      task: 'Find customer 2012 and star it.',
      goal: { customer: 'Customer 2012' },
      mistake: { customer: 'Customer 2013' },
      want: (state) => (row(state, 2012).vip = true),
      async policy({ read, fill, click }, { customer }) {
        await read()
        await fill({ 'Search 2,400 customers': customer })
        await read()
        await click('☆')
      },
    },
    {
      name: 'edit-cell',
      task: 'Customer 0003 has moved to Hamar.',
      needs: "page_click({ how: 'double' })",
      goal: { customer: 'Customer 0003', city: 'Bergen' },
      mistake: { customer: 'Customer 0007', city: 'Oslo' },
      want: (state) => (row(state, 3).city = 'Hamar'),
      async policy(hands, { customer, city }) {
        await hands.fill({ 'Search 2,400 customers': customer })
        await hands.read()
        await edit(hands, city, 'Hamar')
      },
    },
    {
      name: 'highest-credit',
      task: 'Which customer has the highest credit?',
      goal: { presses: 2 },
      mistake: { presses: 1 },
      want(state) {
        const sorted = state.customers.toSorted(
          (/** @type {any} */ one, /** @type {any} */ other) => other.credit - one.credit,
        )
        state.answer = sorted[0].name
      },
      async policy({ read, click }, { presses }) {
        await read()
        for (let count = 0; count < presses; count++) await click('Credit')
        return /Customer \d{4}/.exec(await read())?.[0]
      },
    },
    {
      name: 'count-in-norway',
      task: 'How many customers are in Norway and how many in Oslo?',
      goal: { country: 'Norway' },
      mistake: { country: 'Chile' },
      want: (state) => (state.answer = '600 300'),
      async policy({ read, fill }, { country }) {
        await read()
        await fill({ Country: country })
        const [, inCountry] = /(\d+) customers, /.exec(await read()) ?? []
        await fill({ 'Search 2,400 customers': 'Oslo' })
        const [, inCity] = /(\d+) customers, /.exec(await read()) ?? []
        return `${inCountry} ${inCity}`
      },
    },
    {
      name: 'block-selected',
      task: 'Block customer 0005.',
      goal: { customer: 'Customer 0005' },
      mistake: { customer: 'Customer 0006' },
      want: (state) => (row(state, 5).state = 'blocked'),
      async policy({ read, click }, { customer }) {
        await read()
        await click(customer)
        await read()
        await click('Block')
      },
    },
    {
      name: 'block-range',
      task: 'Block customers 0002 to 0004 at once.',
      needs: "page_click({ with: 'Shift' })",
      goal: { last: 'Customer 0004' },
      mistake: { last: 'Customer 0005' },
      want(state) {
        for (const id of [2, 3, 4]) row(state, id).state = 'blocked'
      },
      async policy({ read, click }, { last }) {
        await read()
        await click('Customer 0002')
        await click(last, { with: 'Shift' })
        await read()
        await click('Block')
      },
    },
    {
      name: 'close-by-menu',
      task: 'Close the account of customer 0009, with the menu of its row.',
      needs: "page_click({ how: 'right' })",
      goal: { customer: 'Customer 0009' },
      mistake: { customer: 'Customer 0010' },
      want: (state) => (row(state, 9).state = 'closed'),
      async policy({ read, click }, { customer }) {
        await read()
        await click(customer, { how: 'right' })
        await read()
        await click('Close account')
      },
    },
  ],
}
