// Tasks in the shop administration of the questions benchmark.
import { app as shop } from '../../../questions/shop/app.mjs'

const named = (/** @type {any} */ state, /** @type {string} */ name) =>
  state.products.find((/** @type {{ name: string }} */ one) => one.name === name)

/** @type {import('../app-run.mjs').TaskApp} */
export const app = {
  ...shop,
  tasks: [
    {
      name: 'prices',
      task: 'The red mug costs 9 now, and the candle 7.',
      goal: { 'Price of Red mug': 9, 'Price of Candle': 7 },
      mistake: { 'Price of Blue mug': 9, 'Price of Candle': 7 },
      want(state) {
        named(state, 'Red mug').price = 9
        named(state, 'Candle').price = 7
      },
      async policy({ read, fill }, prices) {
        await read()
        await fill(prices)
      },
    },
    {
      name: 'hide-sold-out',
      task: 'Hide every product that is sold out.',
      goal: { filter: true },
      mistake: { filter: false },
      want: (state) => (named(state, 'Oak tray').active = false),
      async policy({ read, click, fill, matching }, { filter }) {
        await read()
        await click('Filter')
        await fill({ 'Only sold out': filter })
        await fill({ [await matching(/^(.* visible)$/)]: false })
      },
    },
    {
      name: 'delete-dearest',
      task: 'Delete the dearest product.',
      goal: { presses: 2 },
      mistake: { presses: 1 },
      want: (state) => state.products.splice(3, 1),
      async policy({ read, click, matching }, { presses }) {
        await read()
        for (let count = 0; count < presses; count++) await click('Price', { role: 'button' })
        const first = await matching(/^Select (.*)$/)
        await click('⋮', { near: `Select ${first}` })
        await read()
        await click('Delete', { role: 'menuitem' })
        await read()
        await click('Delete product')
      },
    },
    {
      name: 'ask-and-keep',
      task: 'Start to delete the wool blanket, then keep it and set its price to 45.',
      goal: { product: 'Wool blanket', button: 'Keep it' },
      mistake: { product: 'Wool blanket', button: 'Delete product' },
      want: (state) => (named(state, 'Wool blanket').price = 45),
      async policy({ read, click, fill }, { product, button }) {
        await read()
        await click('⋮', { near: `Select ${product}` })
        await read()
        await click('Delete', { role: 'menuitem' })
        await read()
        await click(button)
        await fill({ [`Price of ${product}`]: 45 })
      },
    },
    {
      name: 'bulk-delete',
      task: 'Delete both mugs at once.',
      goal: { names: ['Blue mug', 'Red mug'] },
      mistake: { names: ['Blue mug', 'Oak tray'] },
      want: (state) => state.products.splice(0, 2),
      async policy({ read, fill, click }, { names }) {
        await read()
        await fill(Object.fromEntries(names.map((/** @type {string} */ name) => [`Select ${name}`, true])))
        await read()
        await click('Remove selected')
        await read()
        await click('OK')
      },
    },
    {
      name: 'refund',
      task: 'Refund the order of Tom Reed and mail him the receipt.',
      goal: { order: 'Order 1002' },
      mistake: { order: 'Order 1001' },
      want(state) {
        state.orders[1].state = 'refunded'
        state.mails.push(1002)
      },
      async policy({ read, click }, { order }) {
        await read()
        await click('Orders', { role: 'tab' })
        await read()
        await click(order)
        await read()
        await click('Refund')
        await click('Mail receipt')
      },
    },
  ],
}
