import { createServer, request as httpRequest, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test as base } from 'playwright/test'
import { playgroundHandler } from '../../../playground/server/plugin.js'
import { relayFrom } from '../../../playground/server/relay.js'
import { startEndpoint, type Endpoint, type Reply } from '../../support/lab/endpoint.js'

const key = 'sk-secret-4711'

interface Relay {
  /** Of the server that the page comes from. */
  readonly url: string
  readonly model: Endpoint
  readonly answers: (...replies: Reply[]) => void
}

const test = base.extend<{ relay: Relay }>({
  relay: async ({}, use) => {
    const model = await startEndpoint([])
    const server = await serve({ MODEL_ENDPOINT: `${model.url}/`, MODEL_NAME: 'big-model', MODEL_API_KEY: key })
    await use({
      url: addressOf(server),
      model,
      answers: (...replies) => {
        model.push(...replies)
      },
    })
    await stop(server)
    await model.close()
  },
})

async function serve(env: Record<string, string>): Promise<Server> {
  const handle = playgroundHandler(env)
  const server = createServer((request, response) => {
    handle(request, response, () => {
      response.writeHead(404).end()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return server
}
function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
async function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
}

const body = {
  model: 'what-the-page-says',
  messages: [{ role: 'user', content: 'hi' }],
  stream: true,
  temperature: 0.5,
}
async function post(url: string, headers: Record<string, string> = {}, sent: unknown = body): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof sent === 'string' ? sent : JSON.stringify(sent),
  })
}

test('the relay adds the key and the model name, and sends nothing else of the page', async ({ relay }) => {
  relay.answers({ text: 'hello' })
  const response = await post(relay.url, { cookie: 'session=1', authorization: 'Bearer of-the-page', 'x-other': '1' })
  expect(await response.text()).toContain('[DONE]')
  const [request] = relay.model.requests
  expect(request?.path).toBe('/v1/chat/completions')
  expect(request?.headers.authorization).toBe(`Bearer ${key}`)
  expect(request?.headers.cookie).toBeUndefined()
  expect(request?.headers['x-other']).toBeUndefined()
  expect(request?.body).toEqual({ ...body, model: 'big-model' })
})

test('the key never reaches the page: not in the configuration, not in an answer, not in an error that quotes it', async ({
  relay,
}) => {
  const seen: string[] = [await (await fetch(`${relay.url}/playground/config.json`)).text()]
  expect(JSON.parse(seen[0] ?? '')).toEqual({ relay: { model: 'big-model' } })
  relay.answers(
    { text: 'fine' },
    { status: 401, body: { error: { message: `Incorrect API key provided: ${key}` } } },
    { status: 403, body: `<h1>No</h1> ${key}`, headers: { 'content-type': 'text/html', 'set-cookie': `k=${key}` } },
  )
  for (const status of [200, 401, 403]) {
    const response = await post(relay.url)
    expect(response.status).toBe(status)
    seen.push(JSON.stringify([...response.headers]), await response.text())
  }
  expect(seen.join('\n')).not.toContain(key)
  expect(seen.join('\n')).not.toContain(relay.model.url)
})

test('the stream comes through unbuffered: the first words are here while the rest is not yet written', async ({
  relay,
}) => {
  let release = (): void => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  relay.answers({ raw: ['data: {"n":1}\n\n', held, 'data: {"n":2}\n\ndata: [DONE]\n\n'] })
  const response = await post(relay.url)
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader?.read())?.value).toBe('data: {"n":1}\n\n')
  release()
  let rest = ''
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) rest += part.value
  expect(rest).toBe('data: {"n":2}\n\ndata: [DONE]\n\n')
})

test('a client that goes away stops the model: before the first byte and in mid-stream', async ({ relay }) => {
  let release = (): void => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  relay.answers({ raw: [held], end: 'hang' }, { raw: ['data: {"n":1}\n\n'], end: 'hang' })
  for (const wait of [
    async () => {
      await relay.model.received(1)
    },
    async (response: Promise<Response>) => {
      await (await response).body?.getReader().read()
    },
  ]) {
    const controller = new AbortController()
    const response = fetch(`${relay.url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify(body),
      signal: controller.signal,
    })
    const settled = response.catch(() => undefined)
    await wait(response)
    controller.abort()
    await settled
    await relay.model.requests.at(-1)?.gone
  }
  release()
  expect(relay.model.requests.map(({ aborted }) => aborted)).toEqual([true, true])
})

test('a model that breaks off in mid-stream breaks the page’s stream off, too', async ({ relay }) => {
  relay.answers({ raw: ['data: {"n":1}\n\n'], end: 'reset' })
  const response = await post(relay.url)
  await expect(response.text()).rejects.toThrow()
})

test('errors are JSON with a reason: the model’s own, a page instead of one, no server, a redirect', async ({
  relay,
}) => {
  relay.answers(
    { status: 429, body: { error: { message: 'slow down' } }, headers: { 'retry-after': '7' } },
    { html: '<h1>Gateway</h1>', status: 502 },
    { status: 302, headers: { location: 'https://elsewhere.example/' } },
  )
  const limited = await post(relay.url)
  expect([limited.status, limited.headers.get('retry-after'), await limited.json()]).toEqual([
    429,
    '7',
    { error: { message: 'slow down' } },
  ])
  expect(await (await post(relay.url)).json()).toMatchObject({
    error: { code: 502, message: expect.stringContaining('Gateway') },
  })
  expect((await post(relay.url)).status).toBe(502)
  const nobody = await serve({ MODEL_ENDPOINT: 'http://127.0.0.1:9/v1', MODEL_API_KEY: key })
  const refused = await post(addressOf(nobody))
  expect(refused.status).toBe(502)
  expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining('cannot be reached') } })
  await stop(nobody)
})

test('a bad request never reaches the model', async ({ relay }) => {
  expect((await post(relay.url, {}, '{')).status).toBe(400)
  expect((await post(relay.url, {}, '[]')).status).toBe(400)
  expect((await fetch(`${relay.url}/v1/chat/completions`)).status).toBe(405)
  expect((await fetch(`${relay.url}/v1/models`)).status).toBe(404)
  expect(relay.model.requests.length).toBe(0)
})

test('other sites cannot spend the key: only requests of this origin are relayed', async ({ relay }) => {
  for (const headers of [
    { origin: 'https://elsewhere.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'null' },
  ]) {
    expect(await statusOf(relay.url, headers as Record<string, string>)).toBe(403)
  }
  expect(relay.model.requests.length).toBe(0)
  relay.answers({ text: 'ok' })
  expect(await statusOf(relay.url, { origin: relay.url, 'sec-fetch-site': 'same-origin' })).toBe(200)
})

/** By hand, because `fetch` sets headers of its own. */
function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${url}/v1/chat/completions`, { method: 'POST', headers }, (response) => {
      response.resume()
      response.on('end', () => {
        resolve(response.statusCode)
      })
    })
    request.on('error', reject)
    request.end(JSON.stringify(body))
  })
}

test('the offline model stays within reach when a relay is configured', async ({ relay }) => {
  const response = await fetch(`${relay.url}/offline/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ messages: body.messages }),
  })
  expect(await response.json()).toMatchObject({ model: 'offline' })
})

test('the settings are read once and say what is wrong with them', () => {
  expect(relayFrom({})).toBeUndefined()
  expect(relayFrom({ MODEL_ENDPOINT: ' ' })).toBeUndefined()
  expect(() => relayFrom({ MODEL_ENDPOINT: 'api.openai.com/v1' })).toThrow(/MODEL_ENDPOINT is not an http\(s\) URL/)
  expect(() => relayFrom({ MODEL_ENDPOINT: 'ftp://x/v1' })).toThrow(/MODEL_ENDPOINT/)
})

test('without a name of its own the relay passes on the model that the page names, and keeps a query', async () => {
  const model = await startEndpoint([{ text: 'x' }])
  const server = await serve({ MODEL_ENDPOINT: `${model.url}?api-version=2` })
  await (await post(addressOf(server))).text()
  expect(model.requests[0]?.path).toBe('/v1/chat/completions?api-version=2')
  expect(model.requests[0]?.body?.['model']).toBe('what-the-page-says')
  expect(model.requests[0]?.headers.authorization).toBeUndefined()
  await stop(server)
  await model.close()
})
