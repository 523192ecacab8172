// Sign-in, the relay to the model, the cart and the orders of each user, and the built page.
import express from 'express'
import { createRelay, sessionCookie, signSession, toNodeHandler } from 'tool-agent/relay'

const { PORT = '8787', MODEL_ENDPOINT = 'https://api.openai.com/v1', MODEL_API_KEY } = process.env
const { SESSION_SECRET: secret = 'only for development, 32 characters or more' } = process.env

const products = [
  { id: 'sencha', name: 'Sencha green tea', price: 12.5 },
  { id: 'assam', name: 'Assam black tea', price: 9.9 },
  { id: 'kyusu', name: 'Kyusu teapot', price: 48 },
  { id: 'glass', name: 'Glass teapot', price: 29 },
]
const carts = new Map()
const orders = new Map()
const linesOf = (user) => carts.get(user) ?? []
const cartOf = (user) => ({
  lines: linesOf(user),
  total: linesOf(user).reduce((sum, { price, quantity }) => sum + price * quantity, 0),
})

const user = sessionCookie({ secret })
const relay = createRelay({
  upstreams: { shop: { protocol: 'openai', endpoint: MODEL_ENDPOINT, key: MODEL_API_KEY, models: ['gpt-5-mini'] } },
  user,
})
const cookie = { httpOnly: true, secure: true, sameSite: 'lax' }

const app = express()
app.use('/models', toNodeHandler(relay))
app.use(express.json())
app.post('/login', async (request, response) => {
  const { name } = request.body
  if (!/^\w{2,20}$/.test(name)) return void response.status(400).json('Write a name of 2 to 20 letters.')
  const session = await signSession(`user-${name}`, { secret })
  response.cookie('session', session, { ...cookie, maxAge: 86_400_000 }).json({ id: `user-${name}` })
})
app.use('/api', async (request, response, next) => {
  response.locals.user = await user(request)
  if (response.locals.user === undefined) return void response.status(401).json('Sign in first.')
  next()
})
app.get('/api/products', ({ query: { q = '', maxPrice = Infinity } }, response) => {
  const words = q.toLowerCase().split(/\s+/)
  const matches = ({ name }) => words.every((word) => name.toLowerCase().includes(word))
  response.json(products.filter((product) => product.price <= Number(maxPrice) && matches(product)))
})
app.get('/api/cart', (_request, response) => void response.json(cartOf(response.locals.user)))
app.post('/api/cart', (request, response) => {
  const { productId, quantity } = request.body
  const product = products.find(({ id }) => id === productId)
  if (!product) return void response.status(404).json(`There is no product "${productId}". Find its id first.`)
  const lines = linesOf(response.locals.user)
  const had = lines.find(({ id }) => id === productId)?.quantity ?? 0
  const others = lines.filter(({ id }) => id !== productId)
  carts.set(
    response.locals.user,
    [...others, { ...product, quantity: had + quantity }].filter((line) => line.quantity > 0),
  )
  response.json(cartOf(response.locals.user))
})
app.get('/api/orders', (_request, response) => void response.json(orders.get(response.locals.user) ?? []))
app.post('/api/orders', (request, response) => {
  const mine = orders.get(response.locals.user) ?? []
  const key = request.get('idempotency-key')
  const cart = cartOf(response.locals.user)
  let placed = mine.find((order) => order.key === key)
  if (!placed) {
    // What the user has seen in the question is what is ordered, or nothing is.
    if (cart.lines.length === 0 || request.body.total !== cart.total)
      return void response.status(409).json('The cart has changed. Ask again.')
    placed = { ...cart, key, number: mine.length + 1 }
    orders.set(response.locals.user, [...mine, placed])
    carts.delete(response.locals.user)
  }
  response.json({ number: placed.number, total: placed.total })
})
app.use(express.static(new URL('dist', import.meta.url).pathname))
const server = app.listen(Number(PORT), '127.0.0.1', (error) => {
  if (error) throw error
  console.log(`http://127.0.0.1:${server.address().port}`)
})
