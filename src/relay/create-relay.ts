// A relay between pages and models, as one function from a `Request` to a `Response`. It keeps the keys, checks who
// asks and what they ask for, and passes the answer on while it streams. It holds no conversation: every request is
// complete in itself, so any number of copies can run behind a load balancer. Runs in Node and on edge runtimes,
// without packages.
import { readAll } from './bytes.js'
import { keyFilter, type KeyFilter } from './key-filter.js'
import { logError, logWarning } from './log.js'
import { protocols, type Json, type Protocol, type ProtocolName, type Usage } from './protocols.js'
import { rateLimiter, type CreateLimiter } from './rate-limiter.js'
import { invalid, reasonOf, Refusal } from './refusal.js'
import { unreferenced } from './runtime.js'
import { bodyShape, isTooDeep, type Shape } from './shapes.js'
import { usageReader, type UsageReader } from './usage-reader.js'

/** A model server. */
export interface Upstream {
  /** What it speaks. */
  readonly protocol: ProtocolName
  /** Its base URL, up to and including the version: `https://api.openai.com/v1`. */
  readonly endpoint: string
  /** Its API key. Local servers need none. */
  readonly key?: string | undefined
  /** The models that pages may use. */
  readonly models: readonly string[]
  /**
   * Fields of a request that pages may set to any value, beside those that `<tool-agent>` itself sends:
   * `['temperature', 'generationConfig.topP']`.
   */
  readonly fields?: readonly string[]
  /** Headers that the relay adds to each request, such as `anthropic-beta`. */
  readonly headers?: Readonly<Record<string, string>>
}

/** What requests may take. */
export interface RelayLimits {
  /**
   * Bytes of a request. A file of 5 MB takes 6.7 MB of them.
   * @default 20000000
   */
  readonly bodyBytes: number
  /**
   * Tools of a request.
   * @default 128
   */
  readonly tools: number
  /**
   * Tokens of an answer. Larger or missing numbers in the request are replaced.
   * @default none
   */
  readonly outputTokens?: number
  /**
   * Requests of each user in a minute.
   * @default 60
   */
  readonly requestsPerMinute: number
  /**
   * Answers at the same time, for each user.
   * @default 8
   */
  readonly streams: number
  /**
   * Seconds of one answer.
   * @default 600
   */
  readonly seconds: number
}

/** What one answer has used, when it has ended. */
export interface UsageReport {
  readonly user: string
  readonly upstream: string
  readonly model: string
  /** The status of the model's answer. */
  readonly status: number
  /** Undefined if the answer did not report it, for example because it was aborted. */
  readonly inputTokens?: number
  readonly outputTokens?: number
  /** From the request to the end of the answer. */
  readonly milliseconds: number
  /** `aborted`: the user stopped, or the connection was lost. */
  readonly outcome: 'complete' | 'aborted'
}

/** What the relay needs of `fetch`. */
export type RelayFetch = (
  url: URL,
  options: { method: string; headers: Record<string, string>; body: string; signal: AbortSignal; redirect: 'error' },
) => Promise<RelayAnswer>

/** What the relay needs of a `Response`. */
export interface RelayAnswer {
  readonly status: number
  readonly ok: boolean
  readonly headers: { get(name: string): string | null }
  readonly body: Response['body']
}

/** The options of `createRelay`. */
export interface RelayOptions {
  /**
   * The model servers, by the first part of the path: a page that uses `endpoint="/models/openai"` reaches the upstream
   * `openai`.
   */
  readonly upstreams: Readonly<Record<string, Upstream>>
  /**
   * Identifies the user, for example by a session cookie. Undefined refuses the request with 401. `sessionCookie` is
   * for sites without sessions of their own.
   */
  readonly user: (request: Request) => Promise<string | undefined> | string | undefined
  /**
   * The path of the relay on your site.
   * @default /models
   */
  readonly prefix?: string
  /**
   * Other origins whose pages may ask: `['https://shop.example']`. The relay's own is always allowed.
   * @default none
   */
  readonly origins?: readonly string[]
  /**
   * What requests may take.
   * @default see below
   */
  readonly limits?: Partial<RelayLimits>
  /**
   * Counts the requests and streams of the users. `redisLimiter(client)` counts for all copies of the relay together.
   * @default `rateLimiter`, for this copy alone
   */
  readonly limiter?: CreateLimiter
  /**
   * Called before each request, for a rule of the site, such as a budget. An object refuses the request with 429, and
   * names the seconds after which to try again.
   * @default none
   */
  readonly allow?: (asked: {
    user: string
    upstream: string
    model: string
  }) => Promise<true | { retryAfter: number }> | true | { retryAfter: number }
  /**
   * Receives the usage of each answer.
   * @default none
   */
  readonly onUsage?: (report: UsageReport) => void
  /**
   * Receives each field or header that the relay removed from a request, once.
   * @default a warning on the console
   */
  readonly onDropped?: (report: { upstream: string; field: string }) => void
  /**
   * Sends the requests to the models, for example through a proxy.
   * @default the built-in `fetch`
   */
  readonly fetch?: RelayFetch
}

/**
 * A relay. It never rejects. Aborting the signal of the request, or cancelling the body of the response, aborts the
 * request to the model.
 */
export type Relay = (request: Request) => Promise<Response>

/** The limits that apply without options. */
export const defaultLimits: RelayLimits = {
  bodyBytes: 20_000_000,
  tools: 128,
  requestsPerMinute: 60,
  streams: 8,
  seconds: 600,
}
/** Headers of the model's answer that the page may use. Cookies and the like stay here. */
const returned = ['content-type', 'retry-after', 'retry-after-ms', 'x-request-id', 'request-id']
/** Bytes of an error that are passed on. */
const errorBytes = 65_536
/** Fields, headers and origins that are reported. Anybody can invent more. */
const mostReported = 100
const decoder = new TextDecoder()

/** Where a request goes. */
interface Route {
  readonly name: string
  readonly upstream: Upstream
  readonly protocol: Protocol
  readonly rest: string
  readonly isSse: boolean
  /** The model that the path names. */
  readonly pathModel: string | undefined
}

/**
 * Creates a relay: a function from the request of a page to the answer of a model. It runs wherever there are `Request`
 * and `Response`: as a route of Next.js or Hono, as the `fetch` of a worker, and with `toNodeHandler` in Node.
 * @throws TypeError if the options cannot work.
 */
export function createRelay(options: RelayOptions): Relay {
  const { upstreams, prefix = '/models', onUsage, onDropped = warnOfDropped } = options
  const shapes = shapesOf(upstreams)
  const limits: RelayLimits = { ...defaultLimits, ...options.limits }
  const limiter = (options.limiter ?? rateLimiter)(limits)
  const send: RelayFetch = options.fetch ?? globalThis.fetch
  const reportOnce = onceEach()
  const checkOrigin = originCheck(options.origins ?? [], reportOnce)

  return async (request) => {
    try {
      return await relay(request)
    } catch (error) {
      if (request.signal.aborted) return new Response(null, { status: 499 })
      if (error instanceof Refusal) return refused(error)
      // A function of the site failed. Its error may contain what the page must not learn.
      logError(error)
      return refused(new Refusal(500, 'internal_error', { message: 'The relay failed' }))
    }
  }

  async function relay(request: Request): Promise<Response> {
    const startedAt = Date.now()
    checkOrigin(request)
    const user = await options.user(request)
    if (user === undefined) throw new Refusal(401, 'unauthenticated', { message: 'Sign in to use the assistant' })
    const route = routeOf(new URL(request.url))
    const { name, upstream, protocol } = route
    if (request.method !== 'POST')
      throw new Refusal(405, 'method_not_allowed', { message: 'Use POST', headers: { allow: 'POST' } })
    const body = await readBody(request, limits.bodyBytes)
    const model = checkBody(body, route)
    const allowed = (await options.allow?.({ user, upstream: name, model })) ?? true
    if (allowed !== true) throw tooMany('Too many requests', allowed.retryAfter)
    const slot = await limiter.take(user)
    if ('refused' in slot) throw overLimit(slot)
    const stopped = new AbortController()
    const stop = () => stopped.abort(request.signal.reason)
    if (request.signal.aborted) stop()
    else request.signal.addEventListener('abort', stop)
    const late = () => stopped.abort(new Error('The answer took too long'))
    const timer = unreferenced(setTimeout(late, limits.seconds * 1000))
    const release = () => {
      slot.release()
      clearTimeout(timer)
      request.signal.removeEventListener('abort', stop)
    }
    let hasEnded = false
    try {
      const answer = await ask(request, { route, body, signal: stopped.signal })
      return await passOn(answer, {
        upstream,
        protocol,
        signal: stopped.signal,
        end(usage, outcome) {
          // Aborting makes the read fail and the page's reader cancel.
          if (hasEnded) return
          hasEnded = true
          release()
          if (outcome === 'aborted') stopped.abort()
          const milliseconds = Date.now() - startedAt
          try {
            onUsage?.({ user, upstream: name, model, status: answer.status, ...usage, milliseconds, outcome })
          } catch (error) {
            // The page still gets its answer.
            logError(error)
          }
        },
      })
    } catch (error) {
      release()
      stopped.abort()
      throw error
    }
  }

  function overLimit({ refused, retryAfter }: { refused: string; retryAfter: number }): Refusal {
    if (refused === 'requests')
      return tooMany(`At most ${limits.requestsPerMinute} requests per minute are allowed`, retryAfter)
    if (refused === 'streams')
      return tooMany(`At most ${limits.streams} answers at the same time are allowed`, retryAfter)
    const message = 'The relay cannot count requests at the moment'
    return new Refusal(503, 'limits_unavailable', { message, headers: after(retryAfter) })
  }

  function routeOf({ pathname, searchParams }: URL): Route {
    const [, name = '', rest = ''] =
      (pathname.startsWith(`${prefix}/`) && /^\/([^/]+)(\/.*)$/.exec(pathname.slice(prefix.length))) || []
    const upstream = Object.hasOwn(upstreams, name) ? upstreams[name] : undefined
    const protocol = upstream && protocols[upstream.protocol]
    const match = protocol?.path.exec(rest)
    if (!upstream || !protocol || !match)
      throw new Refusal(404, 'not_found', { message: `The relay has nothing at ${pathname}` })
    const isSse = searchParams.get('alt') === 'sse'
    return { name, upstream, protocol, rest, isSse, pathModel: match.groups?.['model'] }
  }

  /** Removes from a body what pages may not send, and returns its model. */
  function checkBody(body: Json, { name, pathModel, upstream, protocol }: Route): string {
    const model = pathModel ?? body['model']
    if (typeof model !== 'string' || !upstream.models.includes(model)) {
      const message = `This site does not offer the model ${JSON.stringify(model)}`
      throw new Refusal(403, 'model_not_found', { message })
    }
    protocol.normalize?.(body)
    if (protocol.hostedTools(body).length > 0)
      throw invalid('tools: tools that the provider runs itself are not allowed')
    shapes.get(name)?.(body, '', (field) => drop(name, field))
    const tools = protocol.countTools(body)
    if (tools > limits.tools) throw invalid(`tools: at most ${limits.tools} are allowed, received ${tools}`)
    if (limits.outputTokens !== undefined) protocol.limitOutput(body, limits.outputTokens)
    return model
  }

  /** Reports once what was removed. */
  function drop(upstream: string, field: string): void {
    const shown = field.slice(0, 200)
    reportOnce(`${upstream} ${shown}`, () => onDropped({ upstream, field: shown }))
  }

  async function ask(
    request: Request,
    { route, body, signal }: { route: Route; body: Json; signal: AbortSignal },
  ): Promise<RelayAnswer> {
    const { name: upstreamName, upstream, protocol, rest, isSse } = route
    if (request.headers.has('anthropic-beta')) drop(upstreamName, 'the header anthropic-beta')
    const url = new URL(upstream.endpoint)
    url.pathname = url.pathname.replace(/\/+$/, '') + rest
    if (isSse) url.searchParams.set('alt', 'sse')
    const headers: Record<string, string> = { 'content-type': 'application/json', 'accept-encoding': 'identity' }
    for (const [name, pattern] of Object.entries({ accept: /^[\w*/+.;,= -]{1,200}$/, ...protocol.forwarded })) {
      const value = request.headers.get(name)
      if (value !== null && pattern.test(value)) headers[name] = value
    }
    const own = { ...upstream.headers, ...(upstream.key ? protocol.headers(upstream.key) : {}) }
    for (const [name, value] of Object.entries(own)) headers[name.toLowerCase()] = value
    try {
      return await send(url, {
        method: 'POST',
        headers,
        // Written again, so that the model receives exactly what was checked.
        body: JSON.stringify(body),
        // The key must not follow a redirect to another host.
        redirect: 'error',
        signal,
      })
    } catch (error) {
      const message = `The model cannot be reached: ${reasonOf(error)}`
      throw new Refusal(502, 'upstream_unreachable', { message })
    }
  }
}

/** The shapes of the bodies of each upstream. */
function shapesOf(upstreams: RelayOptions['upstreams']): ReadonlyMap<string, Shape> {
  const shapes = new Map<string, Shape>()
  for (const [name, { protocol, endpoint, models, fields }] of Object.entries(upstreams)) {
    if (!Object.hasOwn(protocols, protocol))
      throw new TypeError(
        `upstreams.${name}.protocol: expected ${Object.keys(protocols).join(', ')}, received ${String(protocol)}`,
      )
    if (!URL.canParse(endpoint)) throw new TypeError(`upstreams.${name}.endpoint: not a URL: ${endpoint}`)
    if (models.length === 0) throw new TypeError(`upstreams.${name}.models: name at least one model`)
    try {
      shapes.set(name, bodyShape(protocols[protocol].fields, fields))
    } catch (error) {
      throw new TypeError(`upstreams.${name}.fields: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return shapes
}

/** Reports each thing once, and only the first ones. An exception of a function of the site is logged. */
function onceEach(): (key: string, report: () => void) => void {
  const reported = new Set<string>()
  return (key, report) => {
    if (reported.has(key) || reported.size >= mostReported) return
    reported.add(key)
    try {
      report()
    } catch (error) {
      logError(error)
    }
  }
}

/**
 * Refuses requests of foreign pages. A browser says itself whether the page has the origin that it asks, and no page
 * can forge this header; so it holds behind a proxy that changes the host. Without it, the host of the page must be
 * that of the request: only hosts are compared, because a relay often runs behind a proxy that ends TLS.
 */
function originCheck(origins: readonly string[], reportOnce: ReturnType<typeof onceEach>): (request: Request) => void {
  return ({ headers, url }) => {
    const origin = headers.get('origin') ?? ''
    if (origins.includes(origin)) return
    const site = headers.get('sec-fetch-site')
    if (site === 'same-origin') return
    const host = headers.get('host') ?? new URL(url).host
    if (site === null && URL.canParse(origin) && new URL(origin).host === host) return
    if (site !== 'cross-site' && URL.canParse(origin))
      reportOnce(`origin ${origin.slice(0, 200)}`, () =>
        logWarning(
          `The relay refused a page of ${origin.slice(0, 200)}, because the request is for the host ${host}. If this ` +
            'is your page, a proxy has changed the header "host": keep it, or name the page in the option "origins".',
        ),
      )
    throw new Refusal(403, 'origin_not_allowed', { message: 'Only pages of this site may use the relay' })
  }
}

async function readBody(request: Request, most: number): Promise<Json> {
  const isLonger = Number(request.headers.get('content-length') ?? 0) > most
  const bytes = isLonger ? undefined : await readAll(request.body, most)
  if (bytes === undefined) {
    const message = `A request may have at most ${most} bytes`
    throw new Refusal(413, 'request_too_large', { message, limit: most })
  }
  const text = decoder.decode(bytes)
  if (isTooDeep(text)) throw invalid('The body has too many lists or objects inside each other')
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Json
  } catch {
    // Reported below.
  }
  throw invalid('The body must be a JSON object')
}

interface PassOnOptions {
  readonly upstream: Upstream
  readonly protocol: Protocol
  /** Aborted when the page has left, and when the answer takes too long. */
  readonly signal: AbortSignal
  /** Called when the answer has ended, has broken off or is no longer read. A second call has no effect. */
  end(usage: Partial<Usage>, outcome: UsageReport['outcome']): void
}

/** The response for the page. Its body is the model's answer while it arrives, or the text of an error. */
async function passOn(answer: RelayAnswer, options: PassOnOptions): Promise<Response> {
  const headers: Record<string, string> = { 'cache-control': 'no-store', 'x-accel-buffering': 'no' }
  for (const name of returned) {
    const value = answer.headers.get(name)
    if (value !== null) headers[name] = value
  }
  const { status } = answer
  // Some servers quote the key that they refuse.
  const filter = keyFilter(options.upstream.key)
  if (!answer.ok || answer.body === null) {
    // The status counts, also if the connection breaks.
    const text = answer.body ? await beginningOf(answer.body, filter) : ''
    options.end({}, 'complete')
    return new Response(text, { status, headers })
  }
  const usage = usageReader(options.protocol, /text\/event-stream/i.test(headers['content-type'] ?? ''))
  return new Response(streamOf(answer.body, { ...options, filter, usage }), { status, headers })
}

/** The answer without the key. One chunk is read for each that is asked for, so a slow page slows the model down. */
function streamOf(
  body: ReadableStream<Uint8Array>,
  { filter, usage, signal, end }: PassOnOptions & { filter: KeyFilter; usage: UsageReader },
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // Also while the page reads nothing.
        signal.addEventListener('abort', () => {
          end(usage.end(), 'aborted')
          controller.error(signal.reason)
        })
      },
      async pull(controller) {
        try {
          for (let part = await reader.read(); !part.done; part = await reader.read()) {
            usage.add(part.value)
            const filtered = filter.add(part.value)
            if (filtered.length > 0) return controller.enqueue(filtered)
          }
          end(usage.end(), 'complete')
          const rest = filter.end()
          if (rest.length > 0) controller.enqueue(rest)
          controller.close()
        } catch (error) {
          end(usage.end(), 'aborted')
          controller.error(error)
        }
      },
      cancel(reason) {
        end(usage.end(), 'aborted')
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

/** The first bytes of an error. The rest is not read. */
async function beginningOf(body: ReadableStream<Uint8Array>, filter: KeyFilter): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let left = errorBytes
  const add = (bytes: Uint8Array) => {
    text += decoder.decode(bytes.subarray(0, left), { stream: true })
    left = Math.max(0, left - bytes.length)
  }
  const reader = body.getReader()
  try {
    while (left > 0) {
      const { value } = await reader.read()
      add(value ? filter.add(value) : filter.end())
      if (!value) break
    }
  } catch {
    // The part that arrived is passed on.
  }
  void reader.cancel().catch(() => {})
  return text
}

function warnOfDropped({ upstream, field }: { upstream: string; field: string }): void {
  const what = JSON.stringify(field)
  logWarning(`The relay removed ${what} from a request to ${upstream}. If the model needs it, allow it in "fields".`)
}

function tooMany(message: string, seconds: number): Refusal {
  return new Refusal(429, 'rate_limit_exceeded', { message, headers: after(seconds) })
}

function after(seconds: number): Record<string, string> {
  return { 'retry-after': String(Math.max(1, Math.ceil(seconds))) }
}

function refused({ status, code, message, headers, limit }: Refusal): Response {
  return Response.json(
    { error: { message, type: 'relay_error', code, limit } },
    { status, headers: { 'cache-control': 'no-store', ...headers } },
  )
}
