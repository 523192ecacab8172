// A tea shop with a login. Its assistant runs here: conversations and their files are in conversations.db, or in the
// PostgreSQL that DATABASE_URL names, orders in shop.db, and the page has only the panel and its own tool. See
// docs/server.md.
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import pg from 'pg'
import { chatCompletions } from 'tool-agent/models'
import { postgresStore, SessionServer, sqliteStore, upgradeHandler, uploadHandler } from 'tool-agent/server'
import { WebSocketServer } from 'ws'

const { PORT = '3000', MODEL_ENDPOINT = 'http://127.0.0.1:8790/v1', MODEL_API_KEY = '' } = process.env
const { DATABASE_URL, DATA = '.' } = process.env
const folder = fileURLToPath(new URL('.', import.meta.url))
const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css' }

const shop = new Database(join(DATA, 'shop.db'))
shop.exec('CREATE TABLE IF NOT EXISTS orders (number INTEGER PRIMARY KEY, user TEXT NOT NULL, tea TEXT NOT NULL)')

const orderTea = {
  name: 'order_tea',
  description: 'Orders a tea for the signed-in customer, who pays for it. Returns the number of the order.',
  inputSchema: { type: 'object', properties: { tea: { type: 'string' } }, required: ['tea'] },
  annotations: { consequentialHint: true },
  question: ({ tea }) => `Order ${tea} and pay for it?`,
  execute: ({ tea }, { toolContext }) => {
    const order = shop.prepare('INSERT INTO orders (user, tea) VALUES (?, ?)').run(toolContext.user, tea)
    return { number: Number(order.lastInsertRowid) }
  },
}

const pool = DATABASE_URL ? new pg.Pool({ connectionString: DATABASE_URL }) : undefined
pool?.on('error', (error) => console.error(error))
const store = pool ? postgresStore(pool) : sqliteStore(new Database(join(DATA, 'conversations.db')))
const assistant = new SessionServer({
  store,
  model: chatCompletions({
    endpoint: MODEL_ENDPOINT,
    headers: async () => (MODEL_API_KEY ? { authorization: `Bearer ${MODEL_API_KEY}` } : {}),
    credentials: 'omit',
    stream: true,
    limits: { responseBytes: 4_194_304 },
  }),
  modelName: 'gpt-5-mini',
  instructions: 'You help the customers of a tea shop.',
  tools: [orderTea],
})

// The users and their passwords, and who is signed in, by the value of the cookie. Yours are in a database.
const passwords = { anna: 'sencha', ben: 'assam' }
const signedIn = new Map()
const sessionOf = ({ headers }) => /(?:^|; )session=([\w-]+)/.exec(headers.cookie ?? '')?.[1]
const userOf = (request) => signedIn.get(sessionOf(request))

async function answer(request, response) {
  const path = normalize(new URL(request.url, 'http://localhost').pathname)
  if (request.method === 'POST') {
    let body = ''
    for await (const part of request) if ((body += part).length > 1_000) return response.writeHead(413).end()
    const { user, password } = Object.fromEntries(new URLSearchParams(body))
    const before = userOf(request)
    if (before) assistant.closeUser(before)
    signedIn.delete(sessionOf(request))
    const session = randomUUID()
    if (Object.hasOwn(passwords, user ?? '') && passwords[user] === password) signedIn.set(session, user)
    const cookie = `session=${session}; Path=/; HttpOnly; SameSite=Lax`
    return response.writeHead(303, { location: '/', 'set-cookie': cookie }).end()
  }
  const page = userOf(request) ? 'shop.html' : 'login.html'
  const isSdk = path.startsWith('/tool-agent/')
  const file = isSdk ? join('node_modules', path.replace('/', '').replace('/', '/dist/')) : page
  const body = await readFile(join(folder, file))
  response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' }).end(body)
}

const authenticate = (request) => userOf(request) && { user: userOf(request) }
// The page connects to this path, and posts there what its customer attaches.
const upload = uploadHandler(assistant, { authenticate })
const http = createServer((request, response) => {
  if (request.url === '/assistant' && request.method !== 'GET') return upload(request, response)
  answer(request, response).catch((error) => response.writeHead(error.code === 'ENOENT' ? 404 : 500).end())
})
const webSockets = new WebSocketServer({ noServer: true, maxPayload: 1_048_576 })
http.on('upgrade', upgradeHandler(assistant, { webSockets, authenticate }))
http.listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${http.address().port}/`))
process.once('SIGTERM', async () => {
  http.close()
  await assistant.close()
  await store.close()
  await pool?.end()
  process.exit()
})
