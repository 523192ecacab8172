// A relay between pages and models, as one function from a `Request` to a `Response`. It keeps the keys, checks who asks
// and what they ask for, and passes the answer on while it streams. It holds no conversation: every request is complete
// in itself, so any number of copies can run behind a load balancer. Runs in Node and on edge runtimes, without packages.
import { protocols } from './protocols.mjs'
import { rateLimiter } from './rate-limiter.mjs'
import { DirectResponse, joined, onAbort, readAll, sourceOf, Stopper, stopper, streamOf } from './direct.mjs'
import { invalid, reasonOf, Refusal } from './refusal.mjs'
import { keyFilter } from './key-filter.mjs'
import { bodyShape, isTooDeep } from './shapes.mjs'
import { usageReader } from './usage-reader.mjs'

/**
 * @typedef {object} Upstream A model server.
 * @property {import('./protocols.mjs').ProtocolName} protocol What it speaks.
 * @property {string} endpoint Its base URL, up to and including the version: `https://api.openai.com/v1`.
 * @property {string | undefined} [key] Its API key. Local servers need none.
 * @property {readonly string[]} models The models that pages may use.
 * @property {readonly string[]} [fields] Fields of a request that pages may set to any value, beside those that
 *   `<tool-agent>` itself sends: `['temperature', 'generationConfig.topP']`.
 * @property {Readonly<Record<string, string>>} [headers] Headers that the relay adds to each request, such as
 *   `anthropic-beta`.
 */
/**
 * @typedef {object} Limits
 * @property {number} bodyBytes Bytes of a request. Default: 20000000. A file of 5 MB takes 6.7 MB of them.
 * @property {number} tools Tools of a request. Default: 128.
 * @property {number} [outputTokens] Tokens of an answer. Larger or missing numbers in the request are replaced. Not
 *   limited by default.
 * @property {number} requestsPerMinute For each user. Default: 60.
 * @property {number} streams Answers at the same time, for each user. Default: 8.
 * @property {number} seconds The longest time of one answer. Default: 600.
 */
/**
 * @typedef {object} UsageReport
 * @property {string} user
 * @property {string} upstream
 * @property {string} model
 * @property {number} status Of the upstream's answer.
 * @property {number} [inputTokens] Undefined if the answer did not report it, for example because it was aborted.
 * @property {number} [outputTokens]
 * @property {number} milliseconds From the request to the end of the answer.
 * @property {'complete' | 'aborted'} outcome `aborted`: the user stopped, or the connection was lost.
 */
/**
 * What the relay needs of `fetch`.
 * @typedef {(url: URL, options: { method: string, headers: Record<string, string>, body: string, signal: AbortSignal, redirect: 'error' }) =>
 *   Promise<Response>} Fetch
 */
/**
 * @typedef {object} RelayOptions
 * @property {Readonly<Record<string, Upstream>>} upstreams By the first part of the path: a page that uses
 *   `endpoint="/models/openai"` reaches the upstream `openai`.
 * @property {(request: Request) => Promise<string | undefined> | string | undefined} user Identifies the user, for
 *   example by a session cookie. Undefined refuses the request.
 * @property {string} [prefix] The path of the relay on your site. Default: '/models'.
 * @property {readonly string[]} [origins] Other origins whose pages may ask. The relay's own is always allowed.
 * @property {Partial<Limits>} [limits]
 * @property {import('./rate-limiter.mjs').CreateLimiter} [limiter] Counts the requests and streams of the users.
 *   `redisLimiter(client)` counts for all copies of the relay together. Default: `rateLimiter`, for this one alone.
 * @property {(asked: { user: string, upstream: string, model: string }) =>
 *   Promise<true | { retryAfter: number }> | true | { retryAfter: number }} [allow] Called before each request, for a
 *   rule of the site, such as a budget. An object refuses the request, and names the seconds after which to try again.
 * @property {(report: UsageReport) => void} [onUsage] Receives the usage of each answer.
 * @property {(report: { upstream: string, field: string }) => void} [onDropped] Receives each field or header that the
 *   relay removed from a request, once. Default: a warning on the console.
 * @property {Fetch} [fetch] Sends the requests to the models. In Node, `nodeFetch` takes less
 *   CPU. Default: the built-in one.
 */

/** The limits that apply without options. */
export const defaults = { bodyBytes: 20_000_000, tools: 128, requestsPerMinute: 60, streams: 8, seconds: 600 }
/** Headers of the model's answer that the page may use. Cookies and the like stay here. */
const returned = ['content-type', 'retry-after', 'retry-after-ms', 'x-request-id', 'request-id']
/** Bytes of an error that are passed on. */
const errorBytes = 65_536
/** Fields and headers that are reported. Anybody can invent more. */
const mostDropped = 100
const decoder = new TextDecoder()

/**
 * Creates the relay.
 * @param {RelayOptions} options
 * @returns {(request: Request) => Promise<Response>} Never rejects. Aborting the request's signal, or cancelling the body
 *   of the response, aborts the request to the model.
 * @throws {TypeError} if the options cannot work.
 */
export function createRelay(options) {
  const { upstreams, prefix = '/models', onUsage, onDropped = warn } = options
  /** @type {Map<string, import('./shapes.mjs').Shape>} */
  const shapes = new Map()
  for (const [name, { protocol, endpoint, models, fields }] of Object.entries(upstreams)) {
    if (!Object.hasOwn(protocols, protocol))
      throw new TypeError(
        `upstreams.${name}.protocol: expected ${Object.keys(protocols).join(', ')}, received ${protocol}`,
      )
    if (!URL.canParse(endpoint)) throw new TypeError(`upstreams.${name}.endpoint: not a URL: ${endpoint}`)
    if (models.length === 0) throw new TypeError(`upstreams.${name}.models: name at least one model`)
    try {
      shapes.set(name, bodyShape(protocols[protocol].fields, fields))
    } catch (error) {
      throw new TypeError(`upstreams.${name}.fields: ${error instanceof Error ? error.message : error}`)
    }
  }
  /** What was reported as removed. @type {Set<string>} */
  const dropped = new Set()
  const limits = { ...defaults, ...options.limits }
  const limiter = (options.limiter ?? rateLimiter)(limits)
  const send = options.fetch ?? globalThis.fetch

  return async (request) => {
    try {
      return await relay(request)
    } catch (error) {
      if (request.signal.aborted) return new Response(null, { status: 499 })
      if (error instanceof Refusal) return refused(error)
      // A function of the site failed. Its error may contain what the page must not learn.
      console.error(error)
      return refused(new Refusal(500, 'internal_error', 'The relay failed'))
    }
  }

  /** @param {Request} request */
  async function relay(request) {
    const startedAt = Date.now()
    checkOrigin(request, options.origins ?? [])
    const user = await options.user(request)
    if (user === undefined) throw new Refusal(401, 'unauthenticated', 'Sign in to use the assistant')
    const { pathname, search } = new URL(request.url)
    const isSse = new URLSearchParams(search).get('alt') === 'sse'
    const { name, upstream, protocol, rest, pathModel } = route(pathname)
    if (request.method !== 'POST')
      throw new Refusal(405, 'method_not_allowed', 'Use POST', { headers: { allow: 'POST' } })
    const body = await readBody(request, limits.bodyBytes)
    const model = pathModel ?? body['model']
    checkBody(body, { name, model, upstream, protocol })
    const allowed = (await options.allow?.({ user, upstream: name, model })) ?? true
    if (allowed !== true) throw tooMany('Too many requests', allowed.retryAfter)
    const slot = await limiter.take(user)
    if ('refused' in slot) throw overLimit(slot)
    const stopped = new Stopper()
    const forget = onAbort(request, (reason) => stopped.stop(reason))
    const timer = setTimeout(() => stopped.stop(new Error('The answer took too long')), limits.seconds * 1000)
    // In Node, the timer of an answer that nobody reads must not keep the process alive.
    if (typeof timer === 'object') timer.unref()
    const release = () => {
      slot.release()
      clearTimeout(timer)
      forget()
    }
    let hasEnded = false
    try {
      const answer = await ask({ request, name, upstream, protocol, rest, isSse, body, stopped })
      return await passOn(answer, {
        request,
        upstream,
        protocol,
        end(usage, outcome) {
          // Aborting makes the read fail and the page's reader cancel.
          if (hasEnded) return
          hasEnded = true
          release()
          if (outcome === 'aborted') stopped.stop()
          const milliseconds = Date.now() - startedAt
          try {
            onUsage?.({ user, upstream: name, model, status: answer.status, ...usage, milliseconds, outcome })
          } catch (error) {
            // The page still gets its answer.
            console.error(error)
          }
        },
      })
    } catch (error) {
      release()
      stopped.stop()
      throw error
    }
  }

  /** @param {{ refused: 'requests' | 'streams' | 'unavailable', retryAfter: number }} taken */
  function overLimit({ refused, retryAfter }) {
    if (refused === 'requests')
      return tooMany(`At most ${limits.requestsPerMinute} requests per minute are allowed`, retryAfter)
    if (refused === 'streams')
      return tooMany(`At most ${limits.streams} answers at the same time are allowed`, retryAfter)
    return new Refusal(503, 'limits_unavailable', 'The relay cannot count requests at the moment', after(retryAfter))
  }

  /** @param {string} pathname */
  function route(pathname) {
    const [, name = '', rest = ''] =
      (pathname.startsWith(`${prefix}/`) && /^\/([^/]+)(\/.*)$/.exec(pathname.slice(prefix.length))) || []
    const upstream = Object.hasOwn(upstreams, name) ? upstreams[name] : undefined
    const protocol = upstream && protocols[upstream.protocol]
    const match = protocol?.path.exec(rest)
    if (!upstream || !protocol || !match) throw new Refusal(404, 'not_found', `The relay has nothing at ${pathname}`)
    return { name, upstream, protocol, rest, pathModel: match.groups?.['model'] }
  }

  /**
   * @param {import('./protocols.mjs').Json} body
   * @param {{ name: string, model: unknown, upstream: Upstream, protocol: import('./protocols.mjs').Protocol }} target
   */
  function checkBody(body, { name, model, upstream, protocol }) {
    if (typeof model !== 'string' || !upstream.models.includes(model))
      throw new Refusal(403, 'model_not_found', `This site does not offer the model ${JSON.stringify(model)}`)
    protocol.normalize?.(body)
    if (protocol.hostedTools(body)?.length) throw invalid('tools: tools that the provider runs itself are not allowed')
    shapes.get(name)?.(body, '', (field) => drop(name, field))
    const tools = protocol.countTools(body)
    if (tools > limits.tools) throw invalid(`tools: at most ${limits.tools} are allowed, received ${tools}`)
    if (limits.outputTokens !== undefined) protocol.limitOutput(body, limits.outputTokens)
  }

  /** Reports once what was removed. @param {string} upstream @param {string} field */
  function drop(upstream, field) {
    const shown = field.slice(0, 200)
    const key = `${upstream} ${shown}`
    if (dropped.has(key) || dropped.size >= mostDropped) return
    dropped.add(key)
    try {
      onDropped({ upstream, field: shown })
    } catch (error) {
      console.error(error)
    }
  }

  /**
   * @param {{ request: Request, name: string, upstream: Upstream, protocol: import('./protocols.mjs').Protocol,
   *   rest: string, isSse: boolean, body: object, stopped: Stopper }} call
   */
  function ask({ request, name: upstreamName, upstream, protocol, rest, isSse, body, stopped }) {
    if (request.headers.has('anthropic-beta')) drop(upstreamName, 'the header anthropic-beta')
    const url = new URL(upstream.endpoint)
    url.pathname = url.pathname.replace(/\/+$/, '') + rest
    if (isSse) url.searchParams.set('alt', 'sse')
    /** @type {Record<string, string>} */
    const headers = { 'content-type': 'application/json', 'accept-encoding': 'identity' }
    for (const [name, pattern] of Object.entries({ accept: /^[\w*/+.;,= -]{1,200}$/, ...protocol.forwarded })) {
      const value = request.headers.get(name)
      if (value !== null && pattern.test(value)) headers[name] = value
    }
    const own = { ...upstream.headers, ...(upstream.key ? protocol.headers(upstream.key) : {}) }
    for (const [name, value] of Object.entries(own)) headers[name.toLowerCase()] = value
    const options = {
      method: 'POST',
      headers,
      // Written again, so that the model receives exactly what was checked.
      body: JSON.stringify(body),
      // The key must not follow a redirect to another host.
      redirect: /** @type {const} */ ('error'),
      get signal() {
        return stopped.signal
      },
      [stopper]: stopped,
    }
    return send(url, options).catch((error) => {
      throw new Refusal(502, 'upstream_unreachable', `The model cannot be reached: ${reasonOf(error)}`)
    })
  }
}

/** @param {Request} request @param {readonly string[]} origins */
function checkOrigin(request, origins) {
  const origin = request.headers.get('origin') ?? ''
  const own = request.headers.get('host') ?? new URL(request.url).host
  // Compares hosts, because a relay often runs behind a proxy that ends TLS.
  if (URL.canParse(origin) && (origins.includes(origin) || new URL(origin).host === own)) return
  throw new Refusal(403, 'origin_not_allowed', 'Only pages of this site may use the relay')
}

/** @param {Request} request @param {number} most @returns {Promise<import('./protocols.mjs').Json>} */
async function readBody(request, most) {
  const isLonger = Number(request.headers.get('content-length') ?? 0) > most
  const bytes = isLonger ? undefined : await (isDirect(request) ? request[readAll](most) : readBytes(request, most))
  if (bytes === undefined)
    throw new Refusal(413, 'request_too_large', `A request may have at most ${most} bytes`, { limit: most })
  const text = decoder.decode(bytes)
  if (isTooDeep(text)) throw invalid('The body has too many lists or objects inside each other')
  try {
    const body = JSON.parse(text)
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  } catch {
    // Reported below.
  }
  throw invalid('The body must be a JSON object')
}

/**
 * Whether a request is of `nodeServer`, which takes bodies directly.
 * @param {Request} request
 * @returns {request is Request & { [readAll](most: number): Promise<Uint8Array | undefined> }}
 */
function isDirect(request) {
  return readAll in request
}

/** All bytes; undefined if there are more than `most`. @param {Request} request @param {number} most */
async function readBytes(request, most) {
  /** @type {Uint8Array[]} */
  const parts = []
  let size = 0
  const reader = request.body?.getReader()
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    size += part.value.length
    if (size > most) {
      void reader?.cancel().catch(() => {})
      return undefined
    }
    parts.push(part.value)
  }
  return joined(parts)
}

/**
 * The response for the page. `end` is called when the answer has ended, has broken off or is no longer read.
 * @param {Response} answer
 * @param {{ request: Request, upstream: Upstream, protocol: import('./protocols.mjs').Protocol,
 *   end: (usage: Partial<import('./protocols.mjs').Usage>, outcome: 'complete' | 'aborted') => void }} target
 */
async function passOn(answer, { request, upstream, protocol, end }) {
  /** @type {Record<string, string>} */
  const headers = { 'cache-control': 'no-store', 'x-accel-buffering': 'no' }
  for (const name of returned) {
    const value = answer.headers.get(name)
    if (value !== null) headers[name] = value
  }
  const { status } = answer
  const source = sourceOf(answer)
  // Some servers quote the key that they refuse.
  const filter = keyFilter(upstream.key)
  if (!answer.ok || source === undefined) {
    // The status counts, also if the connection breaks.
    const text = source ? await beginningOf(source, filter) : ''
    end({}, 'complete')
    return new Response(text, { status, headers })
  }
  const usage = usageReader(protocol, /text\/event-stream/i.test(headers['content-type'] ?? ''))
  /** @type {import('./direct.mjs').Source} */
  const passed = (sink) => {
    const flow = source({
      write(bytes) {
        usage.add(bytes)
        const filtered = filter.add(bytes)
        return filtered.length === 0 || sink.write(filtered)
      },
      end() {
        end(usage.end(), 'complete')
        const rest = filter.end()
        if (rest.length > 0) sink.write(rest)
        sink.end()
      },
      fail(error) {
        end(usage.end(), 'aborted')
        sink.fail(error)
      },
    })
    return {
      resume: flow.resume,
      cancel(reason) {
        end(usage.end(), 'aborted')
        flow.cancel(reason)
      },
    }
  }
  if (!isDirect(request)) return new Response(streamOf(passed), { status, headers })
  return /** @type {Response} */ (/** @type {unknown} */ (new DirectResponse(passed, { status, headers })))
}

/** The first bytes of an error. The rest is not read. @param {import('./direct.mjs').Source} source @param {ReturnType<typeof keyFilter>} filter @returns {Promise<string>} */
function beginningOf(source, filter) {
  const decoder = new TextDecoder()
  let text = ''
  let left = errorBytes
  return new Promise((resolve) => {
    /** @param {Uint8Array} bytes */
    const add = (bytes) => {
      text += decoder.decode(bytes.subarray(0, left), { stream: true })
      left = Math.max(0, left - bytes.length)
    }
    const flow = source({
      write(bytes) {
        add(filter.add(bytes))
        if (left > 0) return true
        resolve(text)
        flow.cancel()
        return false
      },
      end() {
        add(filter.end())
        resolve(text)
      },
      // The part that arrived is passed on.
      fail: () => resolve(text),
    })
  })
}

/** @param {{ upstream: string, field: string }} report */
function warn({ upstream, field }) {
  console.warn(
    `The relay removed ${JSON.stringify(field)} from a request to ${upstream}. If the model needs it, allow it in "fields".`,
  )
}

/** @param {string} message @param {number} seconds */
function tooMany(message, seconds) {
  return new Refusal(429, 'rate_limit_exceeded', message, after(seconds))
}

/** @param {number} seconds */
function after(seconds) {
  return { headers: { 'retry-after': String(Math.max(1, Math.ceil(seconds))) } }
}

/** @param {Refusal} refusal */
function refused({ status, code, message, headers, limit }) {
  return Response.json(
    { error: { message, type: 'relay_error', code, limit } },
    { status, headers: { 'cache-control': 'no-store', ...headers } },
  )
}
