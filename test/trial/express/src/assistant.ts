import 'tool-agent'
import { createAgent, defineTool } from 'tool-agent/agent'
import { addToCart, card, euro, findProducts, loadCart, order, type Product } from './shop'

export function startAssistant(userId: string) {
  const agent = createAgent({
    endpoint: '/models/shop',
    model: 'gpt-5-mini',
    instructions: 'You help customers of a tea shop. Find the ids of products with find_products.',
    scope: userId,
    toolContext: { userId },
    pageContext: () =>
      location.hash ? `The product ${location.hash.slice(1)} is open.` : 'The list of products is open.',
  })
  /** The total that each question named. */
  const asked = new Map<string, number>()

  agent.registerTool([
    defineTool({
      name: 'find_products',
      title: 'Find products',
      description: 'Finds products by words of the name and by a maximum price in euro. Returns id, name and price.',
      inputSchema: { type: 'object', properties: { query: { type: 'string' }, maxPrice: { type: 'number' } } },
      annotations: { readOnlyHint: true },
      execute: ({ query, maxPrice }) => findProducts(query, maxPrice),
    }),
    defineTool({
      name: 'add_to_cart',
      title: 'Add to the cart',
      description: 'Adds a product to the cart. Find its id with find_products first. Returns the cart.',
      inputSchema: {
        type: 'object',
        properties: { productId: { type: 'string' }, quantity: { type: 'integer', minimum: 1, default: 1 } },
        required: ['productId'],
      },
      exclusive: true, // the page draws the cart that the newest call returns
      execute: ({ productId, quantity }) => addToCart(productId, quantity),
      undo: async ({ productId, quantity }) => void (await addToCart(productId, -quantity)),
    }),
    defineTool({
      name: 'check_out',
      title: 'Buy now',
      description: 'Buys what is in the cart. The customer is asked.',
      exclusive: true,
      question: async (_input, { toolCallId }) => {
        const { lines, total } = await loadCart()
        if (lines.length === 0) throw new Error('The cart is empty.')
        asked.set(toolCallId, total)
        return [
          { label: 'In the cart', value: lines.map(({ quantity, name }) => `${quantity} × ${name}`).join(', ') },
          { label: 'Total', value: euro(total) },
        ]
      },
      execute: (_input, { toolContext, sessionId, toolCallId }) => {
        if (toolContext['userId'] !== userId) throw new Error('Another customer has signed in.')
        return order(asked.get(toolCallId) ?? 0, `${sessionId}/${toolCallId}`)
      },
    }),
  ])
  agent.registerToolRenderer('find_products', ({ result }) => {
    if (result === undefined || result.error !== undefined) return null
    const list = document.createElement('div')
    list.append(...(result.output as Product[]).map(card))
    return list
  })
  document.body.append(
    Object.assign(document.createElement('tool-agent'), { agent, layout: 'floating', heading: 'Tea assistant' }),
  )
  return agent
}
