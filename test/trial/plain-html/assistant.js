import { euro } from './products.js'
import { card, cart, findProducts, order, readOrder, visitor } from './shop.js'

const assistant = document.querySelector('tool-agent')
// Before the element is defined, so that it never opens a conversation of another visitor.
assistant.setAttribute('scope', visitor.id)
await import('/tool-agent/tool-agent.js')
assistant.toolContext = { visitorId: visitor.id }

/** What each question was about, because the cart may change while it is open. */
const asked = new Map()

assistant.registerTool([
  {
    name: 'find_products',
    title: 'Find products',
    description:
      'Finds products by words of the name and by a maximum price in euro. Returns id, name, price and stock.',
    inputSchema: { type: 'object', properties: { query: { type: 'string' }, maxPrice: { type: 'number' } } },
    annotations: { readOnlyHint: true },
    execute: (input) => findProducts(input),
    summary: ({ state, output }) => (state === 'done' ? `Found products: ${output.length}` : undefined),
  },
  {
    name: 'add_to_cart',
    title: 'Add to the cart',
    description: 'Puts a product into the cart. Find its id with find_products first. Returns the cart and its total.',
    inputSchema: {
      type: 'object',
      properties: { productId: { type: 'string' }, quantity: { type: 'integer', minimum: 1, default: 1 } },
      required: ['productId'],
    },
    execute({ productId, quantity }) {
      cart.add(productId, quantity)
      return { lines: cart.lines, total: cart.total }
    },
    undo: ({ productId, quantity }) => cart.remove(productId, quantity),
  },
  {
    name: 'check_out',
    title: 'Buy now',
    description: 'Buys what is in the cart with the data of the check-out form. The visitor is asked.',
    exclusive: true,
    question(_input, { toolCallId }) {
      const content = readOrder()
      asked.set(toolCallId, JSON.stringify(content))
      return [
        { label: 'In the cart', value: content.lines.map(({ quantity, name }) => `${quantity} × ${name}`).join(', ') },
        { label: 'Total', value: euro(cart.total) },
        { label: 'To', value: `${content.name}, ${content.address}` },
        { label: 'Delivery', value: content.gift ? `${content.date}, as a gift` : content.date },
      ]
    },
    execute(_input, { toolContext, sessionId, toolCallId, signal }) {
      const content = readOrder()
      if (asked.get(toolCallId) !== JSON.stringify(content))
        throw new Error('The cart has changed. Call check_out again.')
      return order(content, { key: `${sessionId}/${toolCallId}`, visitorId: toolContext.visitorId, signal })
    },
  },
])

assistant.registerToolRenderer('find_products', ({ result }) => {
  if (result === undefined || result.error !== undefined) return null
  const list = document.createElement('div')
  list.append(...result.output.map(card))
  return list
})
