// Shop administration: fields in the rows save themselves, actions for the selected rows, and dialogs that confirm.

const product = (/** @type {number} */ id, /** @type {string} */ name, /** @type {number} */ price, stock = 5) => ({
  id,
  name,
  price,
  stock,
  active: true,
})

/** @type {import('../server.mjs').App} */
export const app = {
  name: 'shop',
  data: () => ({
    products: [
      product(1, 'Blue mug', 12),
      product(2, 'Red mug', 11),
      product(3, 'Oak tray', 30, 0),
      product(4, 'Wool blanket', 60),
      product(5, 'Candle', 8),
    ],
    orders: [
      { id: 1001, customer: 'Ada Lovelace', total: 24, state: 'paid' },
      { id: 1002, customer: 'Tom Reed', total: 60, state: 'paid' },
    ],
    settings: { currency: 'EUR' },
    mails: [],
  }),
  handle({ method, path, body }, data) {
    if (path === '/api/all') return { json: data }
    if (path === '/api/export.csv') return { file: { name: 'products.csv', text: 'name,price\n' } }
    if (path === '/api/settings') return { json: Object.assign(data.settings, body) }
    if (path === '/api/products/bulk') {
      const ids = new Set(body.ids)
      if (body.action === 'delete')
        data.products = data.products.filter((/** @type {{ id: number }} */ one) => !ids.has(one.id))
      else for (const one of data.products) if (ids.has(one.id)) one.active = false
      return { json: {} }
    }
    const [, kind = '', id, action] = /^\/api\/(products|orders)\/(\d+)(?:\/(\w+))?$/.exec(path) ?? []
    const found = data[kind]?.find((/** @type {{ id: number }} */ one) => one.id === Number(id))
    if (!found) return undefined
    if (method === 'PATCH') Object.assign(found, body)
    if (method === 'DELETE') data.products.splice(data.products.indexOf(found), 1)
    if (action === 'refund') found.state = 'refunded'
    if (action === 'receipt') data.mails.push(found.id)
    return { json: found }
  },
  effectOf({ method, path, body }) {
    if (method === 'GET') return path === '/api/export.csv' ? 'go' : 'view'
    if (method === 'PATCH') return 'value'
    return method === 'DELETE' || path.endsWith('/refund') || body?.action === 'delete' ? 'destroy' : 'send'
  },
  jobs: [
    {
      name: 'price',
      task: 'The blue mug costs 14 now.',
      effects: [],
      async policy({ read, fill }) {
        await read()
        await fill({ 'Price of Blue mug': 14 })
      },
      done: ({ data }) => data.products[0].price === 14,
    },
    {
      name: 'hide',
      task: 'Do not show the oak tray in the shop.',
      effects: [],
      async policy({ read, fill }) {
        await read()
        await fill({ 'Oak tray visible': false })
      },
      done: ({ data }) => data.products[2].active === false,
    },
    {
      name: 'sort',
      task: 'Which product is the dearest? Sort by price.',
      effects: [],
      async policy({ read, click }) {
        await read()
        await click('Price', { role: 'button' })
        await click('Price', { role: 'button' })
        await read()
      },
      done: async ({ page }) => (await page.locator('tbody tr').first().textContent())?.includes('Wool blanket'),
    },
    {
      name: 'filter',
      task: 'Which products are sold out?',
      effects: [],
      async policy({ read, click, fill }) {
        await read()
        await click('Filter')
        await fill({ 'Only sold out': true })
        await read()
      },
      done: async ({ page }) => (await page.locator('tbody tr').count()) === 1,
    },
    {
      name: 'delete',
      task: 'Delete the candle.',
      effects: ['destroy DELETE /api/products/5'],
      async policy({ read, click }) {
        await read()
        await click('⋮', { near: 'Candle' })
        await read()
        await click('Delete', { role: 'menuitem' })
        await read()
        await click('Delete product')
      },
      done: ({ data }) => data.products.length === 4,
    },
    {
      name: 'delete-cancel',
      task: 'Ask for the deletion of the red mug, read the warning, and keep it.',
      effects: [],
      async policy({ read, click }) {
        await read()
        await click('⋮', { near: 'Red mug' })
        await read()
        await click('Delete', { role: 'menuitem' })
        await read()
        await click('Keep it')
      },
      done: ({ data }) => data.products.length === 5,
    },
    {
      name: 'bulk-hide',
      task: 'Hide both mugs.',
      effects: ['send POST /api/products/bulk'],
      async policy({ read, fill, click }) {
        await read()
        await fill({ 'Select Blue mug': true, 'Select Red mug': true })
        await read()
        await click('Hide selected')
      },
      done: ({ data }) => data.products.filter((/** @type {{ active: boolean }} */ one) => !one.active).length === 2,
    },
    {
      name: 'bulk-delete',
      task: 'Delete both mugs.',
      effects: ['destroy POST /api/products/bulk'],
      async policy({ read, fill, click }) {
        await read()
        await fill({ 'Select Blue mug': true, 'Select Red mug': true })
        await read()
        await click('Remove selected')
        await read()
        await click('OK')
      },
      done: ({ data }) => data.products.length === 3,
    },
    {
      name: 'refund',
      task: 'Refund the order of Tom Reed, and mail him the receipt.',
      effects: ['destroy POST /api/orders/1002/refund', 'send POST /api/orders/1002/receipt'],
      async policy({ read, click }) {
        await read()
        await click('Orders', { role: 'tab' })
        await read()
        await click('Order 1002')
        await read()
        await click('Refund')
        await click('Mail receipt')
      },
      done: ({ data }) => data.orders[1].state === 'refunded' && data.mails.length === 1,
    },
    {
      name: 'export',
      task: 'Export the products, and use dollars from now on.',
      effects: ['outside download products.csv'],
      async policy({ read, click, fill }) {
        await read()
        await fill({ Currency: 'USD' })
        await click('Export')
      },
      done: ({ data }) => data.settings.currency === 'USD',
    },
  ],
}
