import { useRef, useState } from 'react'
import type { AgentOptions } from 'tool-agent/agent'
import { ToolAgent, useAgent, useAgentState, useTool, useToolRenderer, type ToolCallProps } from 'tool-agent/react'
import { euro, findProducts, placeOrder, productOf, products, totalOf, withMore, type Line, type Product } from './shop'

/** The signed-in customer. */
const customerId = 'customer-1001'
const empty = { cart: [] as Line[], form: { name: '', address: '' } }

/** Outside of App, so that it is not mounted by each render. Styles are inline, because it is inside of the panel. */
function Found({ state, output, error }: ToolCallProps<{ query?: string; maxPrice?: number }, Product[]>) {
  if (state === 'failed') return <p>{error.message}</p>
  if (state !== 'done') return <p>Looking …</p>
  return output.map(({ id, name, price }) => (
    <p key={id} className="card" style={{ border: '1px solid', borderRadius: 8, padding: 8 }}>
      {name}, {euro(price)}
    </p>
  ))
}

export function App({ model }: { model: AgentOptions }) {
  const [{ cart, form }, setShop] = useState(empty)
  const [message, setMessage] = useState('')
  // The newest cart and form, also between two calls of one answer, when React has not rendered yet.
  const newest = useRef(empty)
  const change = (part: Partial<typeof empty>) => setShop((newest.current = { ...newest.current, ...part }))
  const add = (productId: string, quantity: number) => {
    change({ cart: withMore(newest.current.cart, productId, quantity) })
    return newest.current.cart
  }
  const order = async (shop: typeof empty, customer: string, key: string, signal?: AbortSignal) => {
    const total = totalOf(shop.cart)
    const { number } = await placeOrder({ customerId: customer, cart: shop.cart, total, ...shop.form }, key, signal)
    change(empty)
    setMessage(`Thank you! Order ${number} over ${euro(total)} is on its way.`)
    return { number, total }
  }

  const agent = useAgent({
    ...model,
    instructions: 'You help customers of a tea shop. Fill the check-out form with form_fill before check_out.',
    scope: customerId,
    toolContext: { customerId },
  })
  const todos = useAgentState(agent, ({ todos }) => todos)
  useTool({
    name: 'find_products',
    title: 'Find products',
    description:
      'Finds products by words of the name and by a maximum price in euro. Returns id, name, price and stock.',
    inputSchema: { type: 'object', properties: { query: { type: 'string' }, maxPrice: { type: 'number' } } },
    annotations: { readOnlyHint: true },
    execute: ({ query, maxPrice }) => findProducts(query, maxPrice),
  })
  useTool({
    name: 'add_to_cart',
    title: 'Add to the cart',
    description: 'Puts a product into the cart. Find its id with find_products first. Returns the cart.',
    inputSchema: {
      type: 'object',
      properties: { productId: { type: 'string' }, quantity: { type: 'integer', minimum: 1, default: 1 } },
      required: ['productId'],
    },
    execute: ({ productId, quantity }) => add(productId, quantity),
    undo: ({ productId, quantity }) => void add(productId, -quantity),
  })
  const asked = useRef(new Map<string, typeof empty>())
  useTool({
    name: 'check_out',
    title: 'Buy now',
    description: 'Buys what is in the cart with the data of the check-out form. The customer is asked.',
    exclusive: true,
    question: (_input, { toolCallId }) => {
      const shop = newest.current
      if (shop.cart.length === 0) throw new Error('The cart is empty.')
      if (!shop.form.name || !shop.form.address) throw new Error('The check-out form is not complete.')
      asked.current.set(toolCallId, shop)
      const lines = shop.cart.map(({ productId, quantity }) => `${quantity} × ${productOf(productId).name}`)
      return [
        { label: 'In the cart', value: lines.join(', ') },
        { label: 'Total', value: euro(totalOf(shop.cart)) },
        { label: 'To', value: `${shop.form.name}, ${shop.form.address}` },
      ]
    },
    execute: (_input, { toolContext, sessionId, toolCallId, signal }) => {
      const shop = asked.current.get(toolCallId)
      // The customer may have changed the cart while the question was open.
      if (shop === undefined || shop !== newest.current) throw new Error('The cart has changed. Call check_out again.')
      return order(shop, String(toolContext['customerId']), `${sessionId}/${toolCallId}`, signal)
    },
  })
  const cards = useToolRenderer(agent, 'find_products', Found)

  return (
    <main>
      <h1>Tea shop</h1>
      {products.map(({ id, name, price }) => (
        <p key={id}>
          {name}, {euro(price)} <button onClick={() => add(id, 1)}>Add {name}</button>
        </p>
      ))}
      <ul id="todos">
        {todos.map(({ id, text, status }) => (
          <li key={id}>{`${text}: ${status}`}</li>
        ))}
      </ul>
      <h2>Your cart</h2>
      <ul id="cart">
        {cart.map(({ productId, quantity }) => (
          <li key={productId}>{`${quantity} × ${productOf(productId).name}`}</li>
        ))}
      </ul>
      <p id="total">{euro(totalOf(cart))}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void order(newest.current, customerId, crypto.randomUUID())
        }}
      >
        {(['name', 'address'] as const).map((key) => (
          <label key={key}>
            {key === 'name' ? 'Name' : 'Address'}
            <input
              required
              value={form[key]}
              onChange={({ target }) => change({ form: { ...newest.current.form, [key]: target.value } })}
            />
          </label>
        ))}
        <button>Order</button>
      </form>
      <p role="status">{message}</p>
      <ToolAgent agent={agent} pageTools="read fill" heading="Tea assistant" />
      {cards}
    </main>
  )
}
