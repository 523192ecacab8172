import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRelay, sessionCookie, signSession, toNodeHandler } from 'tool-agent/relay'
import { productOf, totalOf } from './products.js'

const folder = fileURLToPath(new URL('.', import.meta.url))
const sdk = join(folder, 'node_modules/tool-agent/dist')
const pages = ['/index.html', '/products.js', '/shop.js', '/assistant.js']
const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css' }
const policy =
  "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; style-src 'self'; " +
  "img-src 'self' data:; require-trusted-types-for 'script'; trusted-types tool-agent"
const secret = process.env.SESSION_SECRET ?? 'only for development, 32 characters or more'

/** The files of the shop, its relay and its orders. A test passes the `fetch` with which the relay asks the model. */
export function createShop(fetch) {
  const { MODEL_ENDPOINT = 'https://api.openai.com/v1', MODEL_API_KEY } = process.env
  const upstream = { protocol: 'openai', endpoint: MODEL_ENDPOINT, key: MODEL_API_KEY, models: ['gpt-5-mini'] }
  const user = sessionCookie({ secret })
  const models = toNodeHandler(createRelay({ upstreams: { tea: upstream }, user, fetch }))
  const orders = []

  async function answer(request, response) {
    const path = normalize(new URL(request.url, 'http://shop').pathname)
    const send = (status, value) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (path.startsWith('/models/')) return models(request, response)
    if (path === '/me') return send(200, { id: await user(request) })
    if (path === '/orders' && request.method === 'POST') {
      const { lines, visitorId, ...form } = JSON.parse(Buffer.concat(await request.toArray()).toString())
      const key = request.headers['idempotency-key']
      if ((await user(request)) !== visitorId) return send(403, 'another visitor')
      if (!lines.every(({ id, quantity }) => quantity <= productOf(id)?.stock)) return send(409, 'not in stock')
      let placed = orders.find((one) => one.key === key)
      if (!placed)
        orders.push((placed = { key, number: 1001 + orders.length, visitorId, lines, ...form, total: totalOf(lines) }))
      return send(200, { number: placed.number, total: placed.total })
    }
    const name = path === '/' ? '/index.html' : path
    const file = name.startsWith('/tool-agent/') ? join(sdk, name.slice('/tool-agent/'.length)) : join(folder, name)
    if (!file.startsWith(sdk) && !pages.includes(name)) return send(404, 'not found')
    const body = await readFile(file)
    response.setHeader('content-security-policy', policy)
    if (name === '/index.html' && (await user(request)) === undefined) {
      const session = await signSession(`visitor-${crypto.randomUUID()}`, { secret })
      response.setHeader('set-cookie', `session=${session}; HttpOnly; Secure; SameSite=Lax; Path=/`)
    }
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' }).end(body)
  }
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.writeHead(error.code === 'ENOENT' ? 404 : 500).end())
  })
  return { server, orders }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  createShop().server.listen(8080, '127.0.0.1', () => console.log('http://127.0.0.1:8080/'))
