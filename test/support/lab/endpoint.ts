// A scripted OpenAI-compatible server on a loopback port. It sends the replies of the script in order, split into
// deltas like those of a real provider. An unexpected request gets a 500, and `close()` throws for it and for each
// unused reply. It also serves faults: resets, clean ends, stalls, floods, HTML, malformed and split bytes (`raw`,
// `html`, `refuse`). `faults.ts` lists them with the expected outcome.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { JsonObject, JsonValue } from '../../../src/core/data/json.js'
import { wordsOnly } from './words-only.js'

export interface ScriptedCall {
  /** Defaults to `call_<n>`, counted over the endpoint's life. */
  readonly id?: string
  readonly name: string
  /** A string is sent as it is, valid JSON or not. */
  readonly arguments: JsonObject | string
}

/** What a step of a `raw` reply can be: bytes, or a promise that holds the rest back. */
export type RawChunk = string | Uint8Array | Promise<unknown>

export type Reply =
  /** A complete answer. An array is sent with these exact deltas. `hold` is awaited after the first delta. */
  | {
      readonly text?: string | readonly string[]
      readonly reasoning?: string
      readonly calls?: readonly ScriptedCall[]
      /** `tool_calls` where there are calls, else `stop`. */
      readonly finish?: string
      readonly usage?: JsonObject
      readonly hold?: Promise<unknown>
    }
  | { readonly status: number; readonly body?: JsonValue; readonly headers?: Record<string, string> }
  | { readonly html: string; readonly status?: number }
  /** Bytes as they are under `text/event-stream`; `end` defaults to `close`. */
  | {
      readonly raw: string | Iterable<RawChunk>
      readonly end?: 'close' | 'reset' | 'hang'
      readonly headers?: Record<string, string>
    }
  /** One `data:` event each, then `[DONE]` unless `done` is false. */
  | { readonly sse: readonly JsonValue[]; readonly done?: boolean }
  /** A 200 with this JSON body for every request. */
  | { readonly json: JsonValue }
  /** The connection is reset before any byte. */
  | { readonly refuse: true }

export type Handler = (body: JsonObject, request: RecordedRequest) => Reply | Promise<Reply>
export type ScriptItem = Reply | Handler

export interface RecordedRequest {
  readonly method: string
  /** With its query, such as `/v1/chat/completions?key=1`. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Undefined where the body is not JSON. Without the facts of the page before the words of the user. */
  readonly body: JsonObject | undefined
  /** The body, byte for byte, read as UTF-8. */
  readonly raw: string
  /** The client went away before the reply was complete. */
  aborted: boolean
  /** Resolves when `aborted` becomes true. */
  readonly gone: Promise<void>
}

export interface Endpoint {
  /** Up to and including `/v1`. */
  readonly url: string
  readonly requests: readonly RecordedRequest[]
  /** Why calls were answered with a 500 or a 404 that the script did not ask for. */
  readonly unexpected: readonly string[]
  /** Preflights answered. */
  readonly preflights: number
  /** Replies that no request has used yet. */
  readonly left: number
  /** Appends to the script. */
  push(...items: ScriptItem[]): void
  /** Resolves once `count` requests have arrived. */
  received(count: number): Promise<void>
  /** Stops, then throws when a call was unexpected or a reply is left over. */
  close(): Promise<void>
  /** Stops without a check, for a `finally`. */
  stop(): Promise<void>
}

export interface EndpointOptions {
  /** Default true: any origin may call and read, with credentials. */
  readonly cors?: boolean
  /** Response headers that another origin may read; defaults to the two retry headers. */
  readonly expose?: readonly string[]
  /** False: one connection per request. Browsers repeat requests that were lost on a reused connection. */
  readonly keepAlive?: boolean
}

/** The addresses of models. Only those of chat completions know replies with `text` or `calls`. */
const paths = /\/v1(?:beta)?\/(chat\/completions|responses|messages|models\/[^/]+:(streamG|g)enerateContent)(\?|$)/

export async function startEndpoint(
  script: readonly ScriptItem[] | Handler,
  options: EndpointOptions = {},
): Promise<Endpoint> {
  const handler = typeof script === 'function' ? script : undefined
  const items: ScriptItem[] = typeof script === 'function' ? [] : [...script]
  const requests: RecordedRequest[] = []
  const unexpected: string[] = []
  const waiting: { count: number; done: () => void }[] = []
  let preflights = 0
  let calls = 0

  const nextReply = async (request: RecordedRequest): Promise<Reply> => {
    const refused = (status: number, message: string): Reply => {
      unexpected.push(message)
      return { status, body: { error: { message, type: 'test_endpoint' } } }
    }
    if (!paths.test(request.path) || request.method !== 'POST') {
      return refused(404, `The test endpoint has nothing at ${request.method} ${request.path}`)
    }
    if (request.body === undefined)
      return refused(500, `The test endpoint got a body that is not JSON: ${request.raw.slice(0, 200)}`)
    const item = handler ?? items.shift()
    if (item === undefined)
      return refused(
        500,
        `The test endpoint got call ${requests.length}, more than its script has: ${request.raw.slice(-300)}`,
      )
    if (typeof item !== 'function') return item
    try {
      return await item(request.body, request)
    } catch (error) {
      return refused(500, `The test endpoint's script threw: ${String(error)}`)
    }
  }

  const server = createServer((incoming, response) => {
    void (async () => {
      if (options.keepAlive === false) response.shouldKeepAlive = false
      if (options.cors !== false) allowOrigin(incoming, response, options.expose ?? ['retry-after', 'retry-after-ms'])
      if (incoming.method === 'OPTIONS') {
        preflights++
        response.writeHead(204).end()
        return
      }
      const request = await record(incoming, response)
      requests.push(request)
      for (const one of waiting.splice(0)) {
        if (requests.length >= one.count) one.done()
        else waiting.push(one)
      }
      const reply = await nextReply(request)
      if (response.destroyed) return
      await answer(reply, request, response, () => `call_${++calls}`)
    })().catch((error: unknown) => {
      unexpected.push(`The test endpoint failed: ${String(error)}`)
      response.destroy()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The test endpoint has no port')

  const stop = async (): Promise<void> => {
    server.closeAllConnections()
    if (server.listening) await new Promise<void>((done) => server.close(() => done()))
  }
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    unexpected,
    get preflights() {
      return preflights
    },
    get left() {
      return items.length
    },
    push: (...more) => {
      items.push(...more)
    },
    received: (count) =>
      requests.length >= count
        ? Promise.resolve()
        : new Promise((done) => {
            waiting.push({ count, done })
          }),
    stop,
    async close() {
      await stop()
      const problems = [...unexpected]
      if (items.length > 0) problems.push(`The test endpoint has ${items.length} replies left over: ${describe(items)}`)
      if (problems.length > 0) throw new Error(problems.join('\n'))
    },
  }
}

async function record(incoming: IncomingMessage, response: ServerResponse): Promise<RecordedRequest> {
  const bytes: Uint8Array[] = []
  for await (const chunk of incoming) bytes.push(chunk as Uint8Array)
  const raw = Buffer.concat(bytes).toString('utf8')
  let body: JsonObject | undefined
  try {
    body = wordsOnly(JSON.parse(raw) as JsonObject)
  } catch {
    body = undefined
  }
  let left = (): void => {}
  const gone = new Promise<void>((done) => {
    left = done
  })
  const request: RecordedRequest = {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    body,
    raw,
    aborted: false,
    gone,
  }
  response.on('close', () => {
    if (response.writableFinished) return
    request.aborted = true
    left()
  })
  return request
}

async function answer(
  reply: Reply,
  request: RecordedRequest,
  response: ServerResponse,
  nextId: () => string,
): Promise<void> {
  if ('refuse' in reply) {
    response.socket?.resetAndDestroy()
  } else if ('status' in reply && !('html' in reply)) {
    json(response, reply.status, reply.body, reply.headers)
  } else if ('html' in reply) {
    response.writeHead(reply.status ?? 200, { 'content-type': 'text/html; charset=utf-8' }).end(reply.html)
  } else if ('json' in reply) {
    json(response, 200, reply.json)
  } else if ('raw' in reply) {
    openStream(response, reply.headers)
    for (const chunk of typeof reply.raw === 'string' ? [reply.raw] : reply.raw) {
      if (request.aborted) break
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) await write(response, chunk)
      else await Promise.race([chunk, request.gone])
    }
    if (reply.end === 'reset') response.socket?.resetAndDestroy()
    else if (reply.end === 'hang') await request.gone
    else response.end()
  } else if ('sse' in reply) {
    openStream(response)
    for (const event of reply.sse) await write(response, frame(event))
    if (reply.done !== false) await write(response, 'data: [DONE]\n\n')
    response.end()
  } else {
    const calls = (reply.calls ?? []).map((call) => ({ ...call, id: call.id ?? nextId() }))
    if (request.body?.['stream'] !== true) {
      await reply.hold
      json(response, 200, completionOf(reply, calls, request))
      return
    }
    openStream(response)
    for (const [index, event] of [...eventsOf(reply, calls, request)].entries()) {
      await write(response, frame(event))
      if (index === 1) await Promise.race([reply.hold, request.gone])
    }
    await write(response, 'data: [DONE]\n\n')
    response.end()
  }
}

type Answer = Extract<Reply, { text?: unknown }>
type NamedCall = ScriptedCall & { readonly id: string }

function head(request: RecordedRequest): JsonObject {
  return { id: 'chatcmpl-test', created: 1_700_000_000, model: request.body?.['model'] ?? 'test-model' }
}

function finishOf(reply: Answer): string {
  return reply.finish ?? ((reply.calls?.length ?? 0) > 0 ? 'tool_calls' : 'stop')
}

function usageOf(reply: Answer, request: RecordedRequest): JsonObject {
  const prompt = Math.ceil(request.raw.length / 4)
  const completion = Math.ceil(JSON.stringify([reply.text ?? '', reply.calls ?? []]).length / 4)
  return reply.usage ?? { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}

function argumentsOf(call: ScriptedCall): string {
  return typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments)
}

function* eventsOf(reply: Answer, calls: readonly NamedCall[], request: RecordedRequest): Generator<JsonObject> {
  const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
    ...head(request),
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  yield chunk({ role: 'assistant', content: '' })
  for (const piece of pieces(reply.reasoning ?? '', 12)) yield chunk({ reasoning_content: piece })
  for (const piece of typeof reply.text === 'string' ? pieces(reply.text, 7) : (reply.text ?? []))
    yield chunk({ content: piece })
  for (const [index, call] of calls.entries()) {
    yield chunk({
      tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }],
    })
    const text = argumentsOf(call)
    for (const piece of pieces(text, Math.max(3, Math.ceil(text.length / 5)))) {
      yield chunk({ tool_calls: [{ index, function: { arguments: piece } }] })
    }
  }
  yield chunk({}, finishOf(reply))
  yield { ...head(request), object: 'chat.completion.chunk', choices: [], usage: usageOf(reply, request) }
}

function completionOf(reply: Answer, calls: readonly NamedCall[], request: RecordedRequest): JsonObject {
  const text = typeof reply.text === 'string' ? reply.text : (reply.text?.join('') ?? null)
  return {
    ...head(request),
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text,
          ...(reply.reasoning === undefined ? {} : { reasoning_content: reply.reasoning }),
          ...(calls.length === 0
            ? {}
            : {
                tool_calls: calls.map((call) => ({
                  id: call.id,
                  type: 'function',
                  function: { name: call.name, arguments: argumentsOf(call) },
                })),
              }),
        },
        finish_reason: finishOf(reply),
      },
    ],
    usage: usageOf(reply, request),
  }
}

function pieces(text: string, size: number): string[] {
  const found: string[] = []
  for (let at = 0; at < text.length; at += size) found.push(text.slice(at, at + size))
  return found
}

function frame(event: JsonValue): string {
  return `data: ${JSON.stringify(event)}\n\n`
}

function openStream(response: ServerResponse, headers: Record<string, string> = {}): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    ...headers,
  })
  response.flushHeaders()
}

/** Each write leaves as a packet of its own where the kernel allows, so that clients see real chunks. */
function write(response: ServerResponse, chunk: string | Uint8Array): Promise<void> {
  if (response.destroyed) return Promise.resolve()
  response.socket?.setNoDelay(true)
  return new Promise((done) => {
    response.once('close', done)
    response.write(chunk, () => {
      response.off('close', done)
      done()
    })
  })
}

function json(
  response: ServerResponse,
  status: number,
  body: JsonValue | undefined,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : (JSON.stringify(body) ?? ''))
}

function allowOrigin(incoming: IncomingMessage, response: ServerResponse, expose: readonly string[]): void {
  const { origin } = incoming.headers
  response.setHeader('access-control-allow-origin', origin ?? '*')
  response.setHeader('vary', 'origin')
  if (origin !== undefined) response.setHeader('access-control-allow-credentials', 'true')
  if (expose.length > 0) response.setHeader('access-control-expose-headers', expose.join(', '))
  if (incoming.method !== 'OPTIONS') return
  response.setHeader('access-control-allow-methods', 'GET, POST, OPTIONS')
  response.setHeader('access-control-allow-headers', incoming.headers['access-control-request-headers'] ?? '*')
  response.setHeader('access-control-allow-private-network', 'true')
}

function describe(items: readonly ScriptItem[]): string {
  return items
    .map((item) => (typeof item === 'function' ? 'a function' : JSON.stringify(item).slice(0, 120)))
    .join(', ')
}
