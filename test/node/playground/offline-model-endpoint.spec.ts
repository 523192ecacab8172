import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test as base } from 'playwright/test'
import type { JsonObject } from '../../../src/core/data/json.js'
import { offlineHandler } from '../../../playground/server/offline-handler.js'
import { playgroundHandler } from '../../../playground/server/plugin.js'

const test = base.extend<{ endpoint: string; served: string }>({
  endpoint: async ({}, use) => {
    await serving((request, response) => {
      void offlineHandler(request, response, 0)
    }, use)
  },
  served: async ({}, use) => {
    const handle = playgroundHandler({ OFFLINE_MODEL_DELAY: '0' })
    await serving((request, response) => {
      handle(request, response, () => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('a page')
      })
    }, use)
  },
})

async function serving(
  listener: Parameters<typeof createServer>[1],
  use: (url: string) => Promise<void>,
): Promise<void> {
  const server: Server = createServer(listener as never)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
}

const tools = [
  {
    type: 'function',
    function: {
      name: 'note_add',
      description: 'Add a note.',
      parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    },
  },
]
const call = {
  messages: [{ role: 'user', content: 'add a note: Ä long nöte — with 🫖 and “quotes”, and more of it to be cut' }],
  tools,
}

async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}
async function events(response: Response): Promise<string[]> {
  return (await response.text())
    .split('\n\n')
    .filter(Boolean)
    .map((event) => event.replace(/^data: /, ''))
}

interface Chunk {
  choices: {
    delta: {
      content?: string
      tool_calls?: { index: number; id?: string; function: { name?: string; arguments: string } }[]
    }
    finish_reason: string | null
  }[]
  usage?: JsonObject
}

test('a stream has text in words, arguments in pieces, a finish reason, a usage chunk and the end marker', async ({
  endpoint,
}) => {
  const response = await post(`${endpoint}/v1/chat/completions`, { ...call, stream: true })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const all = await events(response)
  expect(all.at(-1)).toBe('[DONE]')
  const chunks = all.slice(0, -1).map((event) => JSON.parse(event) as Chunk)
  const pieces = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])
  expect(pieces[0]).toMatchObject({
    index: 0,
    id: expect.stringMatching(/^call_/),
    function: { name: 'note_add', arguments: '' },
  })
  expect(pieces.length).toBeGreaterThan(4)
  expect(JSON.parse(pieces.map((piece) => piece.function.arguments).join(''))).toEqual({
    text: 'Ä long nöte — with 🫖 and “quotes”, and more of it to be cut',
  })
  expect(chunks.map(({ choices }) => choices[0]?.finish_reason).filter(Boolean)).toEqual(['tool_calls'])
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } })
})

test('streamed or not, the answer is the same', async ({ endpoint }) => {
  const question = { messages: [{ role: 'user', content: 'who are you?' }], tools }
  const whole = (await (await post(`${endpoint}/chat/completions`, question)).json()) as {
    choices: { message: { content: string }; finish_reason: string }[]
  }
  const streamed = (await events(await post(`${endpoint}/chat/completions`, { ...question, stream: true })))
    .slice(0, -1)
    .flatMap((event) => (JSON.parse(event) as Chunk).choices[0]?.delta.content ?? [])
  expect(streamed.length).toBeGreaterThan(20)
  expect(streamed.join('')).toBe(whole.choices[0]?.message.content)
  expect(whole.choices[0]?.finish_reason).toBe('stop')
})

test('pauses can be asked for by query or header, and end when the client goes away', async ({ endpoint }) => {
  const patient = new AbortController()
  const slow = ['?delay=10000', ''].map(async (query) => {
    const response = await fetch(`${endpoint}/chat/completions${query}`, {
      method: 'POST',
      body: JSON.stringify({ ...call, stream: true }),
      signal: patient.signal,
      headers: query === '' ? { 'x-offline-delay': '10000' } : {},
    })
    return response.text()
  })
  const first = await Promise.race([
    ...slow,
    post(`${endpoint}/chat/completions?delay=soon`, { ...call, stream: true }).then((response) => response.text()),
  ])
  expect(first).toContain('[DONE]')
  patient.abort()
  for (const answer of await Promise.allSettled(slow)) expect(answer.status).toBe('rejected')
})

test('a bad body is a 400, another path a 404, another method a 405, each as JSON that says why', async ({
  endpoint,
}) => {
  for (const [response, status, reason] of [
    [await post(`${endpoint}/v1/chat/completions`, '{"messages":'), 400, /not JSON/],
    [await post(`${endpoint}/v1/chat/completions`, { messages: [] }), 400, /messages/],
    [await post(`${endpoint}/v1/chat/completions`, '[]'), 400, /object/],
    [await post(`${endpoint}/v1/embeddings`, call), 404, /\/v1\/embeddings/],
    [await fetch(`${endpoint}/v1/chat/completions`), 405, /POST/],
  ] as const) {
    expect(response.status).toBe(status)
    const { error } = (await response.json()) as { error: { message: string } }
    expect(error.message).toMatch(reason)
  }
})

test('messages of any shape are read leniently', async ({ endpoint }) => {
  for (const messages of [
    [null],
    [{ role: 'user' }],
    [{ role: 'user', content: [{ type: 'text', text: 'hello' }, { type: 'image_url' }] }],
    [
      { role: 'assistant', tool_calls: [{}, { function: { name: 'x', arguments: '{' } }] },
      { role: 'tool', content: 5 },
    ],
  ]) {
    expect(
      (await post(`${endpoint}/chat/completions`, { messages, tools: [{}, 5, { function: { name: 'x' } }] })).status,
    ).toBe(200)
  }
})

test('without a relay both paths are the offline model, and the page learns that there is none', async ({ served }) => {
  for (const path of ['/v1', '/offline/v1']) {
    const answer = (await (await post(`${served}${path}/chat/completions`, call)).json()) as { model: string }
    expect(answer.model).toBe('offline')
  }
  expect(await (await fetch(`${served}/playground/config.json`)).json()).toEqual({ relay: null })
})

test('pages of the playground are sent with the strict policy, other requests pass untouched', async ({ served }) => {
  for (const path of ['/', '/playground/booking/', '/playground/shop/cart.html?x=1']) {
    const policy = (await fetch(served + path)).headers.get('content-security-policy') ?? ''
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toContain('unsafe')
  }
  const other = await fetch(`${served}/test/pages/session/blank.html`)
  expect(other.headers.get('content-security-policy')).toBeNull()
  expect(await other.text()).toBe('a page')
})

test('only pages of this origin are answered', async ({ served }) => {
  for (const headers of [
    { origin: 'https://elsewhere.example' },
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'null' },
  ]) {
    expect((await post(`${served}/offline/v1/chat/completions`, call, headers as Record<string, string>)).status).toBe(
      403,
    )
  }
  expect((await post(`${served}/offline/v1/chat/completions`, call, { origin: served })).status).toBe(200)
})
