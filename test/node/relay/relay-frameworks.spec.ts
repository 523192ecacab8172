// The built relay in the frameworks of docs/relay.md: answers stream, a visitor who stops ends the request to the model,
// refusals keep their form, and a cookie that Express sets identifies the user.
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { installPackages, packageFolder } from '../../support/project/installed-packages.js'
import { expect, test as base } from '../../support/project/dist.js'

type Entry = typeof import('../../../src/relay.js')
type Relay = ReturnType<Entry['createRelay']>
type Login = (request: { body: { user: string } }, response: ExpressResponse) => Promise<void>
interface ExpressResponse {
  cookie(name: string, value: string, options: object): void
  end(): void
}
interface Running {
  readonly url: string
  stop(): Promise<void>
}
type Start = (entry: Entry, relay: Relay, login?: Login) => Promise<Running>

const secret = 'signs the cookies'

interface Model {
  readonly url: string
  /** The answers that are open. */
  readonly open: ServerResponse[]
}

const test = base.extend<
  { model: Model; start: (name: string, login?: Login) => Promise<string> },
  { frameworks: { entry: Entry; servers: Readonly<Record<string, Start>> } }
>({
  frameworks: [
    async ({ dist }, use) => {
      installPackages('relay')
      const entry = (await import(pathToFileURL(join(dist, 'relay.js')).href)) as Entry
      const file = pathToFileURL(join(packageFolder('relay'), 'servers.mjs')).href
      const { servers } = (await import(file)) as { servers: Record<string, Start> }
      await use({ entry, servers })
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  model: async ({}, use) => {
    const open: ServerResponse[] = []
    const server: Server = createServer((request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      open.push(response)
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    await use({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, open })
    await new Promise((done) => server.close(done).closeAllConnections())
  },
  start: async ({ frameworks: { entry, servers }, model }, use) => {
    const running: Running[] = []
    await use(async (name, login) => {
      const relay = entry.createRelay({
        upstreams: { openai: { protocol: 'openai', endpoint: model.url, models: ['small'] } },
        user: entry.sessionCookie({ secret }),
      })
      const server = await servers[name]!(entry, relay, login)
      running.push(server)
      return server.url
    })
    for (const server of running) await server.stop()
  },
})

const names = ['http', 'express', 'express after express.json()', 'fastify', 'hono']

function ask(url: string, options: { cookie?: string; signal?: AbortSignal; model?: string }): Promise<Response> {
  const { cookie, signal, model = 'small' } = options
  return fetch(`${url}/models/openai/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, ...(cookie && { cookie }) },
    // Longer than one packet, and than the usual limit of a parser.
    body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'a'.repeat(300_000) }] }),
    ...(signal && { signal }),
  })
}

for (const name of names) {
  test(
    `${name}: streams answers, refuses, and ends the request of a visitor who stops`,
    { tag: '@long' },
    async ({ frameworks, model, start }) => {
      const url = await start(name)
      const cookie = `session=${await frameworks.entry.signSession('ada', { secret })}`
      expect((await ask(url, {})).status).toBe(401)
      const wrong = await ask(url, { cookie, model: 'large' })
      expect([wrong.status, await wrong.json()]).toMatchObject([403, { error: { code: 'model_not_found' } }])

      const client = new AbortController()
      const asked = ask(url, { cookie, signal: client.signal })
      await expect.poll(() => model.open.length).toBe(1)
      const [answer] = model.open
      answer?.write('data: 1\n\n')
      const response = await asked
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
      expect((await reader.read()).value).toBe('data: 1\n\n')
      // The second part is sent only after the first one has arrived.
      answer?.write('data: 2\n\n')
      expect((await reader.read()).value).toBe('data: 2\n\n')
      const closed = new Promise((done) => answer?.on('close', done))
      client.abort()
      await closed

      const again = ask(url, { cookie })
      await expect.poll(() => model.open.length).toBe(2)
      model.open[1]?.end('data: [DONE]\n\n')
      expect(await (await again).text()).toBe('data: [DONE]\n\n')
    },
  )
}

test(
  'express: the login of the site sets the cookie that the relay reads',
  { tag: '@long' },
  async ({ frameworks, model, start }) => {
    const url = await start('express', async (request, response) => {
      const session = await frameworks.entry.signSession(request.body.user, { secret })
      response.cookie('session', session, { httpOnly: true, secure: true, sameSite: 'lax', maxAge: 86_400_000 })
      response.end()
    })
    const login = await fetch(`${url}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user: 'ada+é@example.org' }),
    })
    const set = login.headers.get('set-cookie') ?? ''
    expect(set).toMatch(/^session=[\w.-]+; .*HttpOnly; Secure; SameSite=Lax$/)
    const asked = ask(url, { cookie: set.split(';')[0]! })
    await expect.poll(() => model.open.length).toBe(1)
    model.open[0]?.end('data: [DONE]\n\n')
    expect((await asked).status).toBe(200)
  },
)
