// Runs a relay, or any other `fetch` handler, as a Node HTTP server.
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { directReader, joined, readAll } from './direct.mjs'

/**
 * A server that answers with `handle`. Closing the connection aborts the signal of its request.
 * @param {(request: Request) => Promise<Response>} handle
 */
export function nodeServer(handle) {
  return createServer(async (incoming, outgoing) => {
    const closed = new AbortController()
    outgoing.on('close', () => closed.abort())
    try {
      const request = /** @type {Request} */ (/** @type {unknown} */ (new IncomingRequest(incoming, closed.signal)))
      const response = await handle(request)
      await send(response, outgoing, closed.signal)
    } catch (error) {
      // The answer broke off. The page must see that, so the connection is closed without an end.
      if (outgoing.headersSent) outgoing.destroy()
      else {
        console.error(error)
        outgoing.writeHead(500).end()
      }
    }
  })
}

/** @param {Response} response @param {import('node:http').ServerResponse} outgoing @param {AbortSignal} closed */
async function send(response, outgoing, closed) {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  /** @type {import('./direct.mjs').Reader | undefined} */
  const reader = /** @type {any} */ (response)[directReader] ?? response.body?.getReader()
  const stop = () => void reader?.cancel().catch(() => {})
  // It may have been closed while `handle` was running.
  if (closed.aborted) return stop()
  closed.addEventListener('abort', stop)
  // With the first bytes if they are there already.
  const flush = setImmediate(() => outgoing.flushHeaders())
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      clearImmediate(flush)
      if (!outgoing.write(part.value)) await drained(outgoing)
    }
  } finally {
    clearImmediate(flush)
    closed.removeEventListener('abort', stop)
  }
  outgoing.end()
}

/**
 * The request of a connection. It has method, address, headers and signal; everything else creates a `Request`, which
 * takes longer than the relay itself.
 */
class IncomingRequest {
  /** @type {import('node:http').IncomingMessage} */
  #incoming
  /** @type {Headers | undefined} */
  #headers
  /** @type {Request | undefined} */
  #whole
  #signal

  /** @param {import('node:http').IncomingMessage} incoming @param {AbortSignal} signal */
  constructor(incoming, signal) {
    this.#incoming = incoming
    this.#signal = signal
  }

  get method() {
    return this.#incoming.method ?? 'GET'
  }

  get url() {
    const { url = '/', headers } = this.#incoming
    return new URL(url, `http://${headers.host ?? 'localhost'}`).href
  }

  get headers() {
    this.#headers ??= new Headers(
      Object.entries(this.#incoming.headers).flatMap(([name, value]) =>
        (Array.isArray(value) ? value : [value]).flatMap((one) => (one === undefined ? [] : [[name, one]])),
      ),
    )
    return this.#headers
  }

  get signal() {
    return this.#signal
  }

  /** The whole `Request`. Its body is that of the connection. */
  get whole() {
    const hasBody = this.method !== 'GET' && this.method !== 'HEAD'
    this.#whole ??= new Request(this.url, {
      method: this.method,
      headers: this.headers,
      signal: this.#signal,
      ...(hasBody ? { body: /** @type {any} */ (Readable.toWeb(this.#incoming)), duplex: 'half' } : {}),
    })
    return this.#whole
  }

  /** @param {number} most @returns {Promise<Uint8Array | undefined>} */
  [readAll](most) {
    const incoming = this.#incoming
    return new Promise((resolve, reject) => {
      /** @type {Buffer[]} */
      const parts = []
      let size = 0
      incoming.on('data', (/** @type {Buffer} */ part) => {
        size += part.length
        if (size <= most) return void parts.push(part)
        // The rest is read and thrown away, so that the client sees the answer and not a broken connection.
        parts.length = 0
        resolve(undefined)
      })
      incoming.on('end', () => resolve(joined(parts)))
      incoming.on('error', reject)
    })
  }
}

// A handler gets something that behaves as a `Request` in every other way, too.
Object.setPrototypeOf(IncomingRequest.prototype, Request.prototype)
for (const name of /** @type {const} */ ([
  'body',
  'bodyUsed',
  'cache',
  'credentials',
  'destination',
  'integrity',
  'keepalive',
  'mode',
  'redirect',
  'referrer',
  'referrerPolicy',
])) {
  Object.defineProperty(IncomingRequest.prototype, name, {
    get() {
      return this.whole[name]
    },
  })
}
for (const name of /** @type {const} */ (['arrayBuffer', 'blob', 'clone', 'formData', 'json', 'text'])) {
  Object.defineProperty(IncomingRequest.prototype, name, {
    value() {
      return this.whole[name]()
    },
  })
}

/** @param {import('node:http').ServerResponse} outgoing @returns {Promise<void>} */
function drained(outgoing) {
  return new Promise((resolve) => {
    const end = () => {
      outgoing.off('drain', end)
      outgoing.off('close', end)
      resolve()
    }
    outgoing.once('drain', end)
    outgoing.once('close', end)
  })
}
