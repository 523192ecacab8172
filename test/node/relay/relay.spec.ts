// The relay between a client and a scripted model server: what it checks, what it sends on, that it
// streams, and what it reports.
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib'
import { expect, test as base } from 'playwright/test'
import type { ModelRequest } from '../../../src/core/data/model.js'
import { isAboutFiles } from '../../../src/host/models/http/http-errors.js'
import { messagesBody } from '../../../src/host/models/anthropic/messages-request.js'
import { geminiBody } from '../../../src/host/models/google/gemini-request.js'
import { chatBody } from '../../../src/host/models/openai/chat-request.js'
import { promptCacheKey } from '../../../src/host/models/request/prompt-cache-key.js'
import { responsesBody } from '../../../src/host/models/openai-responses/responses-request.js'
import { createRelay, defaultLimits } from '../../../src/relay/create-relay.js'
import { toNodeHandler } from '../../../src/relay/node-handler.js'
import { rateLimiter } from '../../../src/relay/rate-limiter.js'
import { sessionCookie, signSession } from '../../../src/relay/session-cookie.js'
import { mostBytes as mostBytesOfPlayground } from '../../../playground/server/http.js'
import { mostBytes as mostBytesOfFiles } from '../../../src/ui/attachments/read-file.js'
import { deferred } from '../../support/lab/lab.js'

const key = 'sk-secret-4711'
const secret = 'signs the cookies'
const cookie = signSession('ada@example.org', { secret }).then((value) => `session=${value}`)

type Options = Parameters<typeof createRelay>[0]
type Report = Parameters<NonNullable<Options['onUsage']>>[0]

interface Received {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown>
  /** Resolves when the connection is closed. */
  readonly closed: Promise<void>
}

interface Bench {
  readonly received: Received[]
  readonly reports: Report[]
  /** What the relay removed from requests. */
  readonly dropped: unknown[]
  /** How the upstream answers the next requests. */
  answer: (response: ServerResponse) => void
  /** Starts a relay with these options and returns its URL. */
  start(options?: Partial<Options>): Promise<string>
  /** The base URL of the model server. */
  upstream(): string
  post(url: string, body: unknown, headers?: Record<string, string>, signal?: AbortSignal): Promise<Response>
}

const test = base.extend<{ bench: Bench }>({
  bench: async ({}, use) => {
    const servers: Server[] = []
    const listen = async (server: Server): Promise<string> => {
      servers.push(server)
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    }
    const received: Received[] = []
    const reports: Report[] = []
    const dropped: unknown[] = []
    const upstream = await listen(
      createServer((request, response) => {
        const parts: Buffer[] = []
        request.on('data', (part: Buffer) => parts.push(part))
        request.on('end', () => {
          const body = JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>
          const closed = new Promise<void>((resolve) => response.on('close', resolve))
          received.push({ url: request.url ?? '', headers: request.headers, body, closed })
          bench.answer(response)
        })
      }),
    )
    const bench: Bench = {
      received,
      reports,
      dropped,
      upstream: () => `${upstream}/v1`,
      answer: (response) => sse(response, [{ usage: { prompt_tokens: 12, completion_tokens: 3 } }, '[DONE]']),
      start: (options = {}) =>
        listen(
          nodeServer(
            createRelay({
              upstreams: {
                openai: { protocol: 'openai', endpoint: `${upstream}/v1`, key, models: ['small'] },
                responses: { protocol: 'openai-responses', endpoint: `${upstream}/v1`, key, models: ['small'] },
                anthropic: { protocol: 'anthropic', endpoint: `${upstream}/v1`, key, models: ['small'] },
                google: { protocol: 'google', endpoint: `${upstream}/v1beta`, key, models: ['small-1.5'] },
              },
              user: sessionCookie({ secret }),
              onUsage: (report) => reports.push(report),
              onDropped: (report) => dropped.push(report),
              ...options,
            }),
          ),
        ),
      post: async (url, body, headers = {}, signal) =>
        fetch(url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            origin: new URL(url).origin,
            cookie: `theme=dark; session=${await signSession('ada@example.org', { secret })}`,
            ...headers,
          },
          body: typeof body === 'string' ? body : JSON.stringify(body),
          ...(signal && { signal }),
        }),
    }
    await use(bench)
    for (const server of servers) {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    }
  },
})

function nodeServer(handle: Parameters<typeof toNodeHandler>[0]): Server {
  // Client and server share this process. While it makes a large body, a connection that is kept alive would time out,
  // and the client would write into it before it learns that.
  return createServer({ keepAliveTimeout: 0 }, toNodeHandler(handle))
}

function sse(response: ServerResponse, events: readonly unknown[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'set-cookie': 'a=b', 'x-request-id': 'r1' })
  for (const event of events) response.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
  response.end()
}

const small = { model: 'small', stream: true, messages: [{ role: 'user', content: 'Hi' }] }

const protocols = [
  {
    name: 'openai',
    path: '/models/openai/chat/completions',
    sent: '/v1/chat/completions',
    header: ['authorization', `Bearer ${key}`],
    body: small,
    events: [{ choices: [] }, { usage: { prompt_tokens: 12, completion_tokens: 3 } }, '[DONE]'],
  },
  {
    name: 'responses',
    path: '/models/responses/responses',
    sent: '/v1/responses',
    header: ['authorization', `Bearer ${key}`],
    body: { model: 'small', stream: true, input: [] },
    events: [{ type: 'response.completed', response: { usage: { input_tokens: 12, output_tokens: 3 } } }],
  },
  {
    name: 'anthropic',
    path: '/models/anthropic/messages',
    sent: '/v1/messages',
    header: ['x-api-key', key],
    body: small,
    events: [
      { type: 'message_start', message: { usage: { input_tokens: 2, cache_read_input_tokens: 10, output_tokens: 1 } } },
      { type: 'message_delta', usage: { output_tokens: 3 } },
    ],
  },
  {
    name: 'google',
    path: '/models/google/models/small-1.5:streamGenerateContent?alt=sse',
    sent: '/v1beta/models/small-1.5:streamGenerateContent?alt=sse',
    header: ['x-goog-api-key', key],
    body: { contents: [] },
    events: [{ usageMetadata: { promptTokenCount: 12, candidatesTokenCount: 1, thoughtsTokenCount: 2 } }],
  },
] as const

for (const { name, path, sent, header, body, events } of protocols) {
  test(`${name}: adds the key, sends nothing else of the page, and reports the usage`, async ({ bench }) => {
    bench.answer = (response) => sse(response, events)
    const url = await bench.start()
    const response = await bench.post(url + path, body, {
      authorization: 'Bearer of-the-page',
      'x-api-key': 'of-the-page',
      'x-goog-api-key': 'of-the-page',
      'anthropic-version': '2023-06-01',
      'x-other': '1',
    })
    expect(response.status).toBe(200)
    const text = await response.text()
    for (const event of events) expect(text).toContain(typeof event === 'string' ? event : JSON.stringify(event))
    const [request] = bench.received
    expect(request?.url).toBe(sent)
    expect(request?.body).toEqual(body)
    expect(request?.headers[header[0]]).toBe(header[1])
    expect(JSON.stringify(request?.headers)).not.toMatch(/of-the-page|cookie|x-other|origin/)
    expect(request?.headers['anthropic-version']).toBe(name === 'anthropic' ? '2023-06-01' : undefined)
    expect([response.headers.get('set-cookie'), response.headers.get('x-request-id')]).toEqual([null, 'r1'])
    expect(bench.reports).toEqual([
      {
        user: 'ada@example.org',
        upstream: name,
        model: name === 'google' ? 'small-1.5' : 'small',
        status: 200,
        inputTokens: 12,
        outputTokens: 3,
        milliseconds: expect.any(Number) as unknown as number,
        outcome: 'complete',
      },
    ])
  })
}

test('sends each chunk on before the next one arrives', async ({ bench }) => {
  let next: (text: string) => void = () => {}
  bench.answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    next = (text) => response.write(text)
    next('data: 1\n\n')
  }
  const response = await bench.post(`${await bench.start()}/models/openai/chat/completions`, small)
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (const text of ['data: 1\n\n', 'data: 2\n\n', 'data: 3\n\n']) {
    expect((await reader?.read())?.value).toBe(text)
    next(text.replace(/\d/, (digit) => String(Number(digit) + 1)))
  }
  await reader?.cancel()
})

test('a client that stops ends the request to the model, and its usage so far is reported', async ({ bench }) => {
  bench.answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`data: ${JSON.stringify({ usage: { prompt_tokens: 12 } })}\n\n`)
  }
  const url = await bench.start({ limits: { streams: 1, requestsPerMinute: 1e6 } })
  const client = new AbortController()
  const response = await bench.post(`${url}/models/openai/chat/completions`, small, {}, client.signal)
  await response.body?.getReader().read()
  expect((await bench.post(`${url}/models/openai/chat/completions`, small)).status).toBe(429)
  client.abort()
  await bench.received[0]?.closed
  await expect.poll(() => bench.reports).toMatchObject([{ outcome: 'aborted', inputTokens: 12 }])
  bench.answer = (answer) => sse(answer, ['[DONE]'])
  expect((await bench.post(`${url}/models/openai/chat/completions`, small)).status).toBe(200)
})

test('an answer that the model breaks off does not end normally', async ({ bench }) => {
  bench.answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: 1\n\n', () => response.destroy())
  }
  const response = await bench.post(`${await bench.start()}/models/openai/chat/completions`, small)
  await expect(response.text()).rejects.toThrow()
  expect(bench.reports).toMatchObject([{ outcome: 'aborted' }])
})

test('errors of the model keep their status and text, without the key', async ({ bench }) => {
  bench.answer = (response) => {
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '7' })
    response.end(JSON.stringify({ error: { message: `Too fast for ${key}` } }))
  }
  const response = await bench.post(`${await bench.start()}/models/openai/chat/completions`, small)
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7'])
  expect(await response.json()).toEqual({ error: { message: 'Too fast for [key]' } })
  // The text is cut in the middle of the key.
  bench.answer = (response) => {
    response.writeHead(500)
    response.end(`${'x'.repeat(65_530)}${key}`)
  }
  const long = await bench.post(`${await bench.start()}/models/openai/chat/completions`, small)
  expect((await long.text()).slice(65_520)).toBe('xxxxxxxxxx[key]')
})

test('an error is read up to its limit, and its connection is closed', async ({ bench }) => {
  let written = 0
  bench.answer = (response) => {
    response.writeHead(500)
    const more = () => {
      while (!response.destroyed && written < 100_000_000) {
        written += 100_000
        if (!response.write('x'.repeat(100_000))) return void response.once('drain', more)
      }
      response.end()
    }
    more()
  }
  const response = await bench.post(`${await bench.start()}/models/openai/chat/completions`, small)
  expect((await response.text()).length).toBe(65_536)
  await bench.received[0]?.closed
  expect(written).toBeLessThan(20_000_000)
})

test('a page that reads slowly slows the model down', async ({ bench }) => {
  const most = 100_000_000
  let written = 0
  const waits = deferred<void>()
  bench.answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const line = `data: ${'x'.repeat(99_992)}\n\n`
    const more = () => {
      while (!response.destroyed && written < most) {
        written += line.length
        if (response.write(line)) continue
        // All connections have taken what they take without a reader.
        const timer = setTimeout(waits.resolve, 1_000)
        response.once('drain', () => {
          clearTimeout(timer)
          more()
        })
        return
      }
      response.end()
    }
    more()
  }
  const response = await bench.post(`${await bench.start()}/models/openai/chat/completions`, small)
  await waits.promise
  expect(written).toBeLessThan(most / 2)
  let received = 0
  for await (const chunk of response.body!) received += chunk.length
  expect(received).toBe(most)
  expect(bench.reports).toMatchObject([{ outcome: 'complete' }])
})

test('the key is removed from an answer, wherever its bytes are cut', async ({ bench }) => {
  const event = `data: {"error":{"message":"Wrong key ${key}, not ${key.slice(0, 6)} or ${key}${key}"}}\n\n${key.slice(0, 6)}`
  const shown = event.replaceAll(key, '[key]')
  const url = await bench.start({ limits: { requestsPerMinute: 1e6 } })
  for (const type of ['text/event-stream', 'application/json']) {
    for (let cut = 1; cut < event.length; cut += 3) {
      bench.answer = (response) => {
        response.writeHead(200, { 'content-type': type })
        response.write(event.slice(0, cut), () => response.end(event.slice(cut)))
      }
      const response = await bench.post(`${url}/models/openai/chat/completions`, small, { cookie: await cookie })
      expect(await response.text(), `${type} ${cut}`).toBe(shown)
    }
  }
})

test('an answer that is encoded although the relay asks for none is decoded', async ({ bench }) => {
  const event = 'data: {"choices":[{"delta":{"content":"Hi"}}]}\n\n'
  for (const [encoding, encode] of [
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ] as const) {
    bench.answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': encoding })
      response.end(encode(event))
    }
    const response = await bench.post(`${await bench.start()}/models/openai/chat/completions`, small)
    expect(await response.text(), encoding).toBe(event)
  }
})

test('an encoded error without an end is not read to its end', async ({ bench }) => {
  bench.answer = (response) => {
    response.writeHead(500, { 'content-encoding': 'gzip' })
    const gzip = createGzip({ level: 0 })
    gzip.pipe(response)
    response.on('close', () => gzip.destroy())
    const more = () => {
      if (!gzip.destroyed) gzip.write('x'.repeat(100_000), more)
    }
    more()
  }
  const response = await bench.post(`${await bench.start()}/models/openai/chat/completions`, small)
  expect((await response.text()).length).toBe(65_536)
  await bench.received[0]?.closed
})

test('a handler around the relay gets a request and a response as any other', async ({ bench }) => {
  const events = [{ usage: { prompt_tokens: 12, completion_tokens: 3 } }, '[DONE]']
  const text = events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('')
  bench.answer = (response) => sse(response, events)
  const relay = createRelay({
    upstreams: { openai: { protocol: 'openai', endpoint: bench.upstream(), models: ['small'] } },
    user: (request) => new Headers(request.headers).get('x-user') ?? undefined,
  })
  const seen: unknown[] = []
  const wrappers: ((answer: Response) => Response | Promise<Response>)[] = [
    (answer) => {
      answer.headers.set('x-more', '1')
      return answer
    },
    (answer) => new Response(answer.body, { status: answer.status, headers: { 'x-more': '1' } }),
    async (answer) => {
      seen.push(await answer.clone().text(), answer.ok, answer.bodyUsed, answer instanceof Response)
      answer.headers.set('x-more', '1')
      return answer
    },
    async (answer) => new Response(await answer.text(), { headers: { 'x-more': '1' } }),
  ]
  for (const wrap of wrappers) {
    const server = nodeServer(async (request) => wrap(await relay(request)))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const response = await bench.post(`${url}/models/openai/chat/completions`, small, { 'x-user': 'ada' })
    expect([response.status, response.headers.get('x-more'), await response.text()], String(wrap)).toEqual([
      200,
      '1',
      text,
    ])
    await new Promise((done) => server.close(done).closeAllConnections())
  }
  expect(seen).toEqual([text, true, false, true])
})

test('as a fetch handler, it reads what is asked for, and cancelling the answer stops the model', async () => {
  let pulled = 0
  const cancelled = deferred<void>()
  const signals: AbortSignal[] = []
  const reports: Report[] = []
  const relay = createRelay({
    upstreams: { openai: { protocol: 'openai', endpoint: 'https://model.example/v1', key, models: ['small'] } },
    user: () => 'ada',
    onUsage: (report) => reports.push(report),
    fetch: (_url, { signal }) => {
      signals.push(signal)
      const body = new ReadableStream({
        pull(controller) {
          pulled++
          controller.enqueue(new TextEncoder().encode(`data: ${pulled} ${key}\n\n`))
          if (pulled === 1) controller.enqueue(new TextEncoder().encode('data: {"usage":{"prompt_tokens":12}}\n\n'))
        },
        cancel: () => cancelled.resolve(),
      })
      return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
    },
  })
  const ask = () =>
    relay(
      new Request('https://site.example/models/openai/chat/completions', {
        method: 'POST',
        headers: { origin: 'https://site.example' },
        body: JSON.stringify(small),
      }),
    )
  const reader = (await ask()).body!.pipeThrough(new TextDecoderStream()).getReader()
  const texts = await Promise.all([reader.read(), reader.read(), reader.read()])
  expect(texts.map(({ value }) => value)).toEqual([
    'data: 1 [key]\n\n',
    'data: {"usage":{"prompt_tokens":12}}\n\n',
    'data: 2 [key]\n\n',
  ])
  expect(pulled).toBeLessThan(8)
  expect(signals[0]?.aborted).toBe(false)
  await reader.cancel()
  await cancelled.promise
  expect(signals[0]?.aborted).toBe(true)
  // Also if nobody has read it.
  await (await ask()).body!.cancel()
  expect(signals[1]?.aborted).toBe(true)
  expect(reports).toMatchObject([{ outcome: 'aborted', inputTokens: 12 }, { outcome: 'aborted' }])
})

test('a handler reads a request of the server as any other', async ({ bench }) => {
  const aborted: boolean[] = []
  const server = nodeServer(async (request) => {
    const names = [...request.headers.keys()].filter((name) => name.startsWith('x-'))
    const both = [request.headers.get('X-User'), request.headers.has('x-none'), request.headers.get('constructor')]
    aborted.push(request.signal.aborted)
    request.signal.addEventListener('abort', () => aborted.push(true))
    const { pathname } = new URL(request.url)
    return Response.json([request.method, pathname, names, both, await request.json(), request instanceof Request])
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const response = await bench.post(`${url}/a/../b`, { c: 1 }, { 'x-user': 'ada', 'x-other': '' })
  expect(await response.json()).toEqual(['POST', '/b', ['x-other', 'x-user'], ['ada', false, null], { c: 1 }, true])
  await new Promise((done) => server.close(done).closeAllConnections())
  // The answer has ended, so nothing was aborted.
  expect(aborted).toEqual([false])
})

test('a handler may set several cookies', async () => {
  const cookies = ['session=1; Path=/; HttpOnly', 'theme=dark; Expires=Wed, 21 Oct 2026 07:28:00 GMT']
  const server = nodeServer(() => {
    const headers = new Headers({ 'x-other': '1' })
    for (const cookie of cookies) headers.append('set-cookie', cookie)
    return Promise.resolve(new Response(null, { headers }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  expect([headers.get('x-other'), headers.getSetCookie()]).toEqual(['1', cookies])
  await new Promise((done) => server.close(done).closeAllConnections())
})

test('a redirect of the model is refused, and the key does not follow it', async ({ bench }) => {
  bench.answer = (response) => response.writeHead(307, { location: '/elsewhere' }).end()
  const response = await bench.post(`${await bench.start()}/models/openai/chat/completions`, small)
  expect(response.status).toBe(502)
  expect(bench.received).toHaveLength(1)
})

test('an exception of onUsage is logged, and the page gets its answer', async ({ bench }) => {
  const { error } = console
  const logged: unknown[] = []
  console.error = (value: unknown) => void logged.push(value)
  try {
    const down = new Error('The database is down')
    const url = await bench.start({
      onUsage: () => {
        throw down
      },
    })
    const response = await bench.post(`${url}/models/openai/chat/completions`, small)
    expect(await response.text()).not.toBe('')
    expect(logged).toEqual([down])
  } finally {
    console.error = error
  }
})

test('a model that cannot be reached is a 502 with the reason', async ({ bench }) => {
  const closed = createServer()
  await new Promise<void>((done) => closed.listen(0, '127.0.0.1', done))
  const { port } = closed.address() as AddressInfo
  await new Promise((done) => closed.close(done))
  const openai = { protocol: 'openai', endpoint: `http://127.0.0.1:${port}/v1`, key, models: ['small'] } as const
  const url = await bench.start({ upstreams: { openai } })
  const response = await bench.post(`${url}/models/openai/chat/completions`, small)
  expect([response.status, await response.text()]).toEqual([502, expect.stringContaining('ECONNREFUSED')])
})

test('an exception of a function of the site is logged, and the page learns nothing about it', async ({ bench }) => {
  const { error } = console
  const logged: unknown[] = []
  console.error = (value: unknown) => void logged.push(value)
  try {
    const down = new Error('The database at 10.0.0.7 is down')
    const url = await bench.start({ user: () => Promise.reject(down) })
    const response = await bench.post(`${url}/models/openai/chat/completions`, small)
    expect([response.status, await response.text()]).toEqual([500, expect.not.stringContaining('10.0.0.7')])
    expect(logged).toEqual([down])
  } finally {
    console.error = error
  }
})

test('an answer for a client that has left is not read', async () => {
  const asked = deferred<AbortSignal>()
  const answered = deferred<Response>()
  const server = nodeServer((request) => {
    asked.resolve(request.signal)
    return answered.promise
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const client = new AbortController()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  fetch(url, { signal: client.signal }).catch(() => undefined)
  const signal = await asked.promise
  client.abort()
  if (!signal.aborted) await new Promise((done) => signal.addEventListener('abort', done, { once: true }))
  await new Promise<unknown>((cancel) => {
    const body = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(99_999)), cancel })
    answered.resolve(new Response(body))
  })
  await new Promise((done) => server.close(done))
})

test('a client that leaves aborts the signal, also if only the handler of the signal is left in memory', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const asked = deferred<void>()
  const aborted = deferred<void>()
  const server = nodeServer((request) => {
    request.signal.addEventListener('abort', () => aborted.resolve())
    asked.resolve()
    return new Promise(() => {})
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const client = new AbortController()
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { signal: client.signal }).catch(() => undefined)
  await asked.promise
  // References of the task that created the request are gone in the next one.
  await new Promise((next) => setImmediate(next))
  collect()
  client.abort()
  await aborted.promise
  await new Promise((done) => server.close(done))
})

test('an answer that takes too long is broken off, also if the page reads nothing', async () => {
  const reported = deferred<Report>()
  const relay = createRelay({
    upstreams: { openai: { protocol: 'openai', endpoint: 'https://model.example/v1', models: ['small'] } },
    user: () => 'ada',
    limits: { seconds: 0.05 },
    onUsage: (report) => reported.resolve(report),
    fetch: () => Promise.resolve(new Response(new ReadableStream({ pull: () => new Promise(() => {}) }))),
  })
  const headers = { origin: 'https://site.example' }
  const asked = { method: 'POST', headers, body: JSON.stringify(small) }
  const response = await relay(new Request('https://site.example/models/openai/chat/completions', asked))
  expect(await reported.promise).toMatchObject({ status: 200, outcome: 'aborted' })
  await expect(response.text()).rejects.toThrow('The answer took too long')
})

test('an answer that breaks off closes the connection, also while the page reads nothing', async () => {
  const closed = deferred<void>()
  const handle = toNodeHandler(() => {
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(50_000_000))
        setImmediate(() => controller.error(new Error('The model is gone')))
      },
    })
    return Promise.resolve(new Response(body))
  })
  const server = createServer((request, response) => {
    response.on('close', () => closed.resolve())
    handle(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  await closed.promise
  await expect(response.text()).rejects.toThrow()
  await new Promise((done) => server.close(done))
})

test('refuses requests that the site does not allow, and asks no model', async ({ bench }) => {
  const url = await bench.start({ limits: { tools: 1, bodyBytes: 2_000 } })
  const path = '/models/openai/chat/completions'
  const expired = await signSession('ada', { secret, seconds: -1 })
  const forged = await signSession('ada', { secret: 'another' })
  const tool = { type: 'function', function: { name: 'a' } }
  const cases: [status: number, path: string, body: unknown, headers?: Record<string, string>][] = [
    [403, path, small, { origin: 'https://evil.example' }],
    [403, path, small, { origin: 'null' }],
    [401, path, small, { cookie: '' }],
    [401, path, small, { cookie: `session=${expired}` }],
    [401, path, small, { cookie: `session=${forged}` }],
    [401, path, small, { cookie: `session=${forged.replace(/\.[^.]*$/, '')}.a*b` }],
    [401, path, small, { cookie: `session=${forged.replace(/\.[^.]*$/, '')}.a` }],
    [404, '/models/openai/embeddings', small],
    [404, '/models/constructor/chat/completions', small],
    [404, '/models/google/models/../files:generateContent', {}],
    [404, '/other', small],
    [403, path, { ...small, model: 'large' }],
    [403, path, { messages: [] }],
    [403, '/models/google/models/large:streamGenerateContent?alt=sse', { contents: [] }],
    [400, path, '[1]'],
    [400, path, '{'],
    [400, path, { ...small, n: 5 }],
    [400, '/models/google/models/small-1.5:generateContent', { generationConfig: { candidateCount: 8 } }],
    [400, '/models/google/models/small-1.5:generateContent', { generation_config: { candidate_count: 8 } }],
    [400, path, { ...small, tools: [tool, tool] }],
    [400, path, { ...small, tools: [{ type: 'web_search' }] }],
    [400, '/models/responses/responses', { ...small, tools: [{ type: 'code_interpreter' }] }],
    [400, '/models/anthropic/messages', { ...small, tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
    [
      400,
      '/models/google/models/small-1.5:streamGenerateContent?alt=sse',
      { contents: [], tools: [{ googleSearch: {} }] },
    ],
    [413, path, { ...small, messages: ['a'.repeat(2_000)] }],
  ]
  for (const [status, to, body, headers] of cases) {
    const response = await bench.post(url + to, body, headers)
    const name = `${to} ${JSON.stringify(body).slice(0, 80)}`
    expect(response.status, name).toBe(status)
    expect(await response.json(), name).toMatchObject({
      error: { type: 'relay_error', message: expect.any(String) as unknown as string },
    })
  }
  expect((await fetch(url + path, { headers: { origin: url, cookie: '' } })).status).toBe(401)
  expect(bench.received).toEqual([])
})

test('only the fields that the element sends reach the model, and others are reported once', async ({ bench }) => {
  const url = await bench.start()
  const part = (file: object) => [{ role: 'user', content: [{ type: 'file', file }] }]
  const cases = [
    ['openai', small, { web_search_options: {}, plugins: [{ id: 'web' }], models: ['large'], fallbacks: ['large'] }],
    ['openai', small, { service_tier: 'priority', store: true, temperature: 2, ['__proto__x']: 1 }],
    ['openai', { ...small, messages: part({ file_id: 'file-1' }) }, {}],
    ['responses', { model: 'small', input: [] }, { background: true, previous_response_id: 'resp_1', prompt: {} }],
    ['responses', { model: 'small', input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }] }, {}],
    ['anthropic', small, { mcp_servers: [{ url: 'https://evil.example' }], container: 'c', betas: ['x'] }],
    ['google', { contents: [{ role: 'user', parts: [{ text: 'Hi', file_id: 'f' }] }] }, { cachedContent: 'c' }],
  ] as const
  for (const [name, body, more] of cases) {
    const path = protocols.find((one) => one.name === name)!.path
    for (let time = 0; time < 2; time++) {
      const response = await bench.post(url + path, { ...body, ...more }, { 'anthropic-beta': 'mcp-client-2025-04-04' })
      expect(response.status, JSON.stringify(more)).toBe(200)
      await response.text()
    }
    const sent = JSON.stringify(bench.received.at(-1)?.body)
    for (const key of [...Object.keys(more), 'file_id']) expect(sent).not.toContain(key)
    expect(JSON.parse(sent)).toEqual(JSON.parse(JSON.stringify(body).replace(/,?"file_id":"[\w-]*"/, '')))
    expect(bench.received.at(-1)?.headers['anthropic-beta']).toBeUndefined()
  }
  const names = bench.dropped.map((one) => JSON.stringify(one))
  expect(new Set(names).size).toBe(names.length)
  expect(names).toContain('{"upstream":"openai","field":"messages[].content[].file.file_id"}')
  expect(names).toContain('{"upstream":"anthropic","field":"mcp_servers"}')
  expect(names).toContain('{"upstream":"anthropic","field":"the header anthropic-beta"}')
  for (let index = 0; index < 300; index++) await bench.post(`${url}/other`, {})
  expect(bench.dropped.length).toBeLessThan(40)
})

test('the author allows further fields and adds headers', async ({ bench }) => {
  const endpoint = bench.upstream()
  const url = await bench.start({
    upstreams: {
      openai: { protocol: 'openai', endpoint, key, models: ['small'], fields: ['temperature', 'stream_options.more'] },
      anthropic: { protocol: 'anthropic', endpoint, models: ['small'], headers: { 'anthropic-beta': 'of-the-site' } },
      google: { protocol: 'google', endpoint, models: ['small-1.5'], fields: ['generationConfig.topP'] },
    },
  })
  const [chat, google] = ['openai', 'google'].map((name) => url + protocols.find((one) => one.name === name)!.path)
  await bench.post(chat!, { ...small, temperature: 1, stream_options: { include_usage: true, more: [1] }, top_p: 1 })
  await bench.post(google!, { contents: [], generationConfig: { topP: 1, topK: 1 } })
  await bench.post(`${url}/models/anthropic/messages`, small, { 'anthropic-beta': 'of-the-page' })
  expect(bench.received.map(({ body }) => body)).toEqual([
    { ...small, temperature: 1, stream_options: { include_usage: true, more: [1] } },
    { contents: [], generationConfig: { topP: 1 } },
    small,
  ])
  expect(bench.received[2]?.headers['anthropic-beta']).toBe('of-the-site')
  for (const fields of [['tools'], ['generationConfig'], ['generationConfig.maxOutputTokens'], ['tools.x']])
    expect(() =>
      createRelay({
        upstreams: { a: { protocol: 'google', endpoint, models: ['m'], fields } },
        user: () => 'ada',
      }),
    ).toThrow(/upstreams\.a\.fields: ".*" is checked by the relay itself/)
})

test('values of the wrong type or size are refused, and deep JSON is too', async ({ bench }) => {
  const url = await bench.start()
  const deep = `{"model":"small","messages":[],"tools":[{"type":"function","function":{"parameters":`
  const cases: [name: string, body: unknown][] = [
    ...[-1, 0, 1.5, 1e9, '5', true, [], {}].map((max_tokens): [string, unknown] => [
      'openai',
      { ...small, max_tokens },
    ]),
    ...[{}, 'all', 1, { length: 500 }].map((tools): [string, unknown] => ['openai', { ...small, tools }]),
    ['openai', { ...small, messages: {} }],
    ['openai', { ...small, messages: [{ role: 'user', content: [{ type: 'input_audio' }] }] }],
    ['openai', { ...small, stream: 'yes' }],
    ['openai', { ...small, n: 5 }],
    ['openai', `${deep}${'['.repeat(200)}${']'.repeat(200)}}}]}`],
    ['openai', '['.repeat(1_000_000)],
    ['openai', `{"a":"\\"","b":${'{"c":'.repeat(5_000)}1${'}'.repeat(5_000)}}`],
    ['responses', { model: 'small', input: [{ type: 'item_reference', id: 'msg_1' }] }],
    ['responses', { model: 'small', input: [], store: true }],
    ['responses', { model: 'small', input: [], max_output_tokens: -5 }],
    ['anthropic', { ...small, max_tokens: 1e12 }],
    ['anthropic', { ...small, tools: { type: 'web_search_20250305' } }],
    ['google', { contents: [], generationConfig: { maxOutputTokens: 0.5 } }],
    [
      'google',
      {
        contents: [{ parts: [{ fileData: { fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/a' } }] }],
      },
    ],
  ]
  for (const [name, body] of cases) {
    const response = await bench.post(url + protocols.find((one) => one.name === name)!.path, body)
    const text = JSON.stringify(body).slice(0, 90)
    expect(response.status, text).toBe(400)
    expect(await response.json(), text).toMatchObject({ error: { code: 'invalid_request' } })
  }
  expect(bench.received).toEqual([])
})

/** A body of each protocol with the place where a provider would fetch an address. */
const fetching: Readonly<Record<string, (address: string) => unknown>> = {
  openai: (url) => ({ ...small, messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] }),
  responses: (url) => ({
    model: 'small',
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_image', image_url: url },
          { type: 'input_file', file_url: url },
        ],
      },
    ],
  }),
  anthropic: (url) => ({
    ...small,
    messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url } }] }],
  }),
  google: (url) => ({ contents: [{ parts: [{ fileData: { fileUri: url, mimeType: 'image/png' } }] }] }),
}

test('a provider is given only files and public addresses to fetch', async ({ bench }) => {
  const url = await bench.start({ limits: { requestsPerMinute: 1e6 } })
  const refused = [
    'http://example.com/a.png',
    'http://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    'gs://bucket/a.png',
    'ftp://example.com/a',
    '//example.com/a.png',
    'https://169.254.169.254/',
    'https://0251.0376.0251.0376/',
    'https://2852039166/',
    'https://127.1:8443/a',
    'https://10.0.0.7/',
    'https://172.20.1.1/',
    'https://192.168.1.1/',
    'https://100.64.0.1/',
    'https://[::1]/',
    'https://[::ffff:169.254.169.254]/',
    'https://[fd00:ec2::254]/',
    'https://[2002:a9fe:a9fe::]/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://metadata.google.internal/',
    'https://metadata/',
    'https://printer.local/',
    'https://example.com@169.254.169.254/',
    'https://example.com\\@169.254.169.254/',
    ' https://example.com/',
    'ht\ntps://example.com/',
    'https://example.com /',
  ]
  const passed = [
    'https://example.com/a.png?size=2&name=b@c',
    'HTTPS://images.example.com:8443/a.png',
    'https://93.184.216.34/a.png',
    'https://[2606:2800:220:1::1]/a.png',
    'https://10.example.com/a.png',
    'data:image/png;base64,iVBORw0KGgo=',
  ]
  for (const { name, path } of protocols) {
    const body = fetching[name]!
    for (const address of refused) {
      const response = await bench.post(url + path, body(address))
      expect(response.status, `${name} ${address}`).toBe(400)
      expect(await response.text()).toMatch(/expected a data URL or an https URL of a public host, received/)
    }
    expect(bench.received).toEqual([])
    for (const address of passed) {
      const response = await bench.post(url + path, body(address))
      expect(response.status, `${name} ${address}`).toBe(200)
      await response.text()
      expect(bench.received.pop()?.body).toEqual(body(address))
    }
  }
})

test('whatever the adapters of the SDK write passes unchanged', async ({ bench }) => {
  const url = await bench.start()
  const image = { type: 'file', mediaType: 'image/png', data: 'iVBORw0KGgo=', filename: 'a.png' } as const
  const pdf = { type: 'file', mediaType: 'application/pdf', data: 'JVBERi0=', filename: 'a.pdf' } as const
  const schema = { type: 'object', properties: { a: { type: 'string', enum: ['x'] } }, required: ['a'] } as const
  const call = { type: 'tool-call', toolCallId: 'call_1', toolName: 'find', input: { a: { b: [1] } } } as const
  const value = [{ type: 'text', text: 'found' }, { ...pdf, label: 'a file', name: 'a.pdf' }, image] as const
  const results = (output: object) => ({ role: 'tool', content: [{ ...call, type: 'tool-result', output }] })
  const own = {
    chatCompletions: { field: 'reasoning', reasoning_details: [{ type: 'x' }] },
    openaiResponses: { model: 'small', place: 0, id: 'rs_1', item: { type: 'reasoning', id: 'rs_1', summary: [] } },
    anthropicMessages: { model: 'small', signature: 's' },
    gemini: { signature: 's', thought: true },
  }
  const request = {
    model: 'small',
    system: 'Be kind.',
    messages: [
      {
        role: 'user',
        content: [{ type: 'text', text: 'Hi' }, image, pdf, { ...image, data: 'https://a.example/b.png' }],
      },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm', providerOptions: own },
          {
            type: 'text',
            text: 'I look.',
            providerOptions: { openaiResponses: { ...own.openaiResponses, id: 'msg_1' } },
          },
          call,
        ],
      },
      results({ type: 'content', value }),
      { role: 'user', content: [{ type: 'text', text: 'And?' }] },
      { role: 'assistant', content: [{ ...call, toolCallId: 'call_2' }] },
      results({ type: 'error-text', value: 'No.' }),
    ],
    tools: [{ type: 'function', name: 'find', description: 'Finds', inputSchema: schema }],
    toolChoice: 'auto',
  } as unknown as ModelRequest
  const responseFormat = { name: 'final', schema: { ...schema }, strict: true }
  for (const asked of [
    request,
    { ...request, toolChoice: { toolName: 'find' } },
    { ...request, toolChoice: 'required', responseFormat },
  ] as ModelRequest[]) {
    for (const stream of [true, false]) {
      const google = { ...asked, model: 'small-1.5' }
      const bodies = {
        openai: chatBody(asked, { stream }),
        responses: responsesBody(asked, { stream, extra: {} }),
        anthropic: messagesBody(asked, { stream, extra: {} }),
        google: geminiBody(google),
      }
      for (const { name, path } of protocols) {
        const response = await bench.post(url + path, bodies[name])
        expect([response.status, await response.text()], name).toEqual([200, expect.any(String)])
        expect(bench.received.at(-1)?.body, name).toEqual(JSON.parse(JSON.stringify(bodies[name])))
      }
    }
  }
  expect(bench.dropped).toEqual([])
})

test('the prompt cache key of the OpenAI protocols is passed on', async ({ bench }) => {
  const url = await bench.start()
  const request = { model: 'small', system: 'Be kind.', messages: [], tools: [] } as unknown as ModelRequest
  const wanted = promptCacheKey({ endpoint: '/models/openai', promptCacheKey: true }, request)
  expect(wanted).toEqual({ prompt_cache_key: expect.stringMatching(/./) })
  const bodies = {
    openai: { ...chatBody(request, { stream: true }), ...wanted },
    responses: responsesBody(request, { stream: true, extra: wanted }),
  }
  for (const name of ['openai', 'responses'] as const) {
    const response = await bench.post(url + protocols.find((one) => one.name === name)!.path, bodies[name])
    expect([response.status, await response.text()], name).toEqual([200, expect.any(String)])
    expect(bench.received.at(-1)?.body, name).toMatchObject(wanted)
  }
  expect(bench.dropped).toEqual([])
})

test('a session cookie needs no escapes, so any framework sets it unchanged', async () => {
  const check = sessionCookie({ secret })
  for (let index = 0; index < 100; index++) {
    const user = `ada+${index}.ü/${'x'.repeat(index % 5)}@example.org`
    const value = await signSession(user, { secret })
    // What `res.cookie` of Express writes.
    expect(encodeURIComponent(value)).toBe(value)
    const request = (cookie: string) => new Request('http://a.example', { headers: { cookie } })
    for (let time = 0; time < 2; time++) expect(await check(request(`a=b; session=${value}; c=d`))).toBe(user)
    expect(await check(request(`session="${value}"`))).toBe(user)
    expect(await check(request(`session=${value}a`))).toBeUndefined()
    expect(await check(request(`xsession=${value}`))).toBeUndefined()
  }
})

test('the size of a body without a content-length is limited, too', async () => {
  const relay = createRelay({
    upstreams: { openai: { protocol: 'openai', endpoint: 'http://127.0.0.1:1', models: ['small'] } },
    user: () => 'ada',
    limits: { bodyBytes: 100 },
  })
  let pulled = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled++
      controller.enqueue(new Uint8Array(60))
    },
  })
  const request = new Request('http://site.example/models/openai/chat/completions', {
    method: 'POST',
    headers: { origin: 'https://site.example' },
    body,
    duplex: 'half',
  } as RequestInit)
  expect((await relay(request)).status).toBe(413)
  expect(pulled).toBeLessThan(10)
})

test('a request with the largest files of the composer passes, and a larger one learns the limit', async ({
  bench,
}) => {
  const url = `${await bench.start()}/models/openai/chat/completions`
  const withFile = (bytes: number): ModelRequest => ({
    model: 'small',
    system: 'Be kind.',
    messages: [
      {
        role: 'user',
        content: [{ type: 'file', mediaType: 'application/pdf', data: Buffer.alloc(bytes).toString('base64') }],
      },
    ],
    tools: [],
    toolChoice: 'auto',
  })
  const body = chatBody(withFile(mostBytesOfFiles), { stream: true })
  expect((await bench.post(url, body)).status).toBe(200)
  expect(JSON.stringify(bench.received[0]?.body).length).toBe(JSON.stringify(body).length)

  const tooLarge = withFile(defaultLimits.bodyBytes)
  const refused = await bench.post(url, chatBody(tooLarge, { stream: true }))
  const text = await refused.text()
  expect([refused.status, JSON.parse(text)]).toEqual([
    413,
    {
      error: {
        message: 'A request may have at most 20000000 bytes',
        type: 'relay_error',
        code: 'request_too_large',
        limit: 20_000_000,
      },
    },
  ])
  expect(isAboutFiles(refused.status, text, tooLarge)).toBe(true)
  expect(bench.received).toHaveLength(1)
})

test('a request has room for all files that the panel attaches to one message, and for a conversation', () => {
  const base64 = Math.ceil(mostBytesOfFiles / 3) * 4
  // 100,000 tokens, after which older turns are summarized, of four characters, of at most three bytes.
  const conversation = 100_000 * 4 * 3
  expect(base64 + conversation).toBeLessThan(defaultLimits.bodyBytes)
  expect(base64 + conversation).toBeLessThan(mostBytesOfPlayground)
})

test('the tokens of an answer are limited in each protocol', async ({ bench }) => {
  const url = await bench.start({ limits: { outputTokens: 100 } })
  const bodies = [
    ['/models/openai/chat/completions', { ...small, max_tokens: 5_000 }],
    ['/models/openai/chat/completions', small],
    ['/models/openai/chat/completions', { ...small, max_completion_tokens: 50 }],
    ['/models/openai/chat/completions', { ...small, max_tokens: 5, max_completion_tokens: 5_000 }],
    ['/models/responses/responses', { model: 'small', input: [] }],
    ['/models/anthropic/messages', { ...small, max_tokens: 32_000 }],
    ['/models/google/models/small-1.5:generateContent', { contents: [], generationConfig: { responseMimeType: 'a' } }],
    ['/models/google/models/small-1.5:generateContent', { generation_config: { max_output_tokens: 5_000 } }],
  ] as const
  for (const [path, body] of bodies) await (await bench.post(url + path, body)).text()
  expect(bench.received.map(({ body }) => body)).toEqual([
    { ...small, max_tokens: 100 },
    { ...small, max_completion_tokens: 100 },
    { ...small, max_completion_tokens: 50 },
    { ...small, max_tokens: 5, max_completion_tokens: 100 },
    { model: 'small', input: [], max_output_tokens: 100 },
    { ...small, max_tokens: 100 },
    { contents: [], generationConfig: { responseMimeType: 'a', maxOutputTokens: 100 } },
    { generationConfig: { maxOutputTokens: 100 } },
  ])
})

test('a shared counter may refuse a request, and says when to try again', async ({ bench }) => {
  const asked: unknown[] = []
  const url = await bench.start({
    allow: (request) => {
      asked.push(request)
      return asked.length === 1 ? true : { retryAfter: 20.5 }
    },
  })
  expect((await bench.post(`${url}/models/openai/chat/completions`, small)).status).toBe(200)
  const refused = await bench.post(`${url}/models/openai/chat/completions`, small)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '21'])
  expect(asked[0]).toEqual({ user: 'ada@example.org', upstream: 'openai', model: 'small' })
  expect(bench.received).toHaveLength(1)
})

test('the rate of each user is limited, and users that rest are forgotten', () => {
  let now = 0
  const limiter = rateLimiter({ requestsPerMinute: 2, streams: 5 }, () => now)
  const take = (user: string) => {
    const slot = limiter.take(user)
    if ('release' in slot) slot.release()
    return 'release' in slot ? 'taken' : Math.round(slot.retryAfter)
  }
  expect(['ada', 'ada', 'ada', 'bob'].map(take)).toEqual(['taken', 'taken', 30, 'taken'])
  now = 30_000
  expect(['ada', 'ada'].map(take)).toEqual(['taken', 30])
  now = 200_000
  expect(take('cleo')).toBe('taken')
  expect(limiter.size).toBe(1)
})

test('options that cannot work throw when the relay is created', () => {
  const create = (upstream: object): unknown => {
    try {
      return createRelay({ upstreams: { a: upstream as never }, user: () => 'ada' })
    } catch (error) {
      return String(error)
    }
  }
  const good = { protocol: 'openai', endpoint: 'https://a.example', models: ['m'] }
  expect(create({ ...good, protocol: 'cohere' })).toMatch(/upstreams\.a\.protocol: expected .*, received cohere/)
  expect(create({ ...good, endpoint: 'a.example' })).toMatch(/upstreams\.a\.endpoint: not a URL/)
  expect(create({ ...good, models: [] })).toMatch(/at least one model/)
})

test('the word of the browser about the origin counts more than the host, which a proxy may have changed', async ({
  bench,
}) => {
  const { warn } = console
  const logged: string[] = []
  console.warn = (value: unknown) => void logged.push(String(value))
  try {
    const url = `${await bench.start({ origins: ['https://friend.example'] })}/models/openai/chat/completions`
    const cases: [status: number, origin: string, site?: string][] = [
      // The page and the proxy of a development server.
      [200, 'http://localhost:5173', 'same-origin'],
      [403, 'http://localhost:5173'],
      [403, 'http://localhost:5173', 'same-site'],
      [403, 'https://evil.example', 'cross-site'],
      // Another scheme or port of the same machine is another origin.
      [403, new URL(url).origin, 'cross-site'],
      [200, new URL(url).origin],
      [200, 'https://friend.example', 'cross-site'],
      [403, 'null', 'cross-site'],
      [403, ''],
    ]
    for (const [status, origin, site] of cases) {
      const response = await bench.post(url, small, { origin, ...(site && { 'sec-fetch-site': site }) })
      expect(response.status, `${origin} ${site}`).toBe(status)
      await response.text()
    }
    const host = new URL(url).host
    expect(logged).toEqual([
      `The relay refused a page of http://localhost:5173, because the request is for the host ${host}. If this is your ` +
        'page, a proxy has changed the header "host": keep it, or name the page in the option "origins".',
    ])
  } finally {
    console.warn = warn
  }
})

test('a framework may remove its path and parse the body before the relay', async ({ bench }) => {
  const relay = createRelay({
    upstreams: { openai: { protocol: 'openai', endpoint: bench.upstream(), models: ['small'] } },
    user: () => 'ada',
    limits: { bodyBytes: 500 },
  })
  const handle = toNodeHandler(relay)
  const parse: Record<string, (text: string) => unknown> = {
    json: (text) => JSON.parse(text),
    text: (text) => text,
    bytes: (text) => Buffer.from(text),
    none: () => undefined,
  }
  const server = createServer((request, response) => {
    const [, kind = '', path = ''] = /^\/(\w+)(\/.*)$/.exec(request.url ?? '') ?? []
    const more = { originalUrl: path, url: path.replace('/models', '') }
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () =>
      // When the stream counts as ended.
      setImmediate(() =>
        handle(Object.assign(request, more, { body: parse[kind]?.(Buffer.concat(parts).toString()) }), response),
      ),
    )
  })
  const { error } = console
  const logged: string[] = []
  console.error = (value: unknown) => void logged.push(String(value))
  try {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const ask = async (kind: string, body: object) =>
      (await bench.post(`${url}/${kind}/models/openai/chat/completions`, body)).status
    expect([await ask('json', small), await ask('text', small), await ask('bytes', small)]).toEqual([200, 200, 200])
    expect(bench.received.map(({ body }) => body)).toEqual([small, small, small])
    expect(await ask('json', { ...small, model: 'x'.repeat(600) })).toBe(413)
    expect(await ask('none', small)).toBe(500)
    expect(logged).toEqual([expect.stringContaining('mount the relay before what reads bodies')])
  } finally {
    console.error = error
    await new Promise((done) => server.close(done).closeAllConnections())
  }
})
