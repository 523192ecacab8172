// Runs a relay, or any other `fetch` handler, as a Node HTTP server.
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { DirectResponse, joined, readAll, sourceOf, standIn, Stopper, stopper } from './direct.mjs'

/**
 * A server that answers with `handle`. Closing the connection before the answer has ended aborts the signal of its request.
 * @param {(request: Request) => Promise<Response>} handle
 */
export function nodeServer(handle) {
  return createServer(async (incoming, outgoing) => {
    const request = new IncomingRequest(incoming)
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) request[stopper].stop()
    })
    try {
      send(await handle(/** @type {Request} */ (/** @type {unknown} */ (request))), outgoing)
    } catch (error) {
      console.error(error)
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(500).end()
    }
  })
}

/** @param {Response} response @param {import('node:http').ServerResponse} outgoing */
function send(response, outgoing) {
  const { status } = response
  outgoing.writeHead(
    status,
    response instanceof DirectResponse ? response.plainHeaders : Object.fromEntries(response.headers),
  )
  const source = sourceOf(response)
  if (source === undefined) return void outgoing.end()
  let isEnding = false
  // With the first bytes if they are there already.
  const flush = setImmediate(() => outgoing.flushHeaders())
  const flow = source({
    write(bytes) {
      clearImmediate(flush)
      return outgoing.write(bytes)
    },
    end() {
      isEnding = true
      clearImmediate(flush)
      outgoing.end()
    },
    // The page must see that the answer broke off, so the connection is closed without an end.
    fail: () => void outgoing.destroy(),
  })
  const stop = () => {
    clearImmediate(flush)
    if (!isEnding) flow.cancel()
  }
  // It may have been closed while `handle` was running.
  if (outgoing.destroyed) return stop()
  outgoing.on('drain', () => flow.resume())
  outgoing.on('close', stop)
}

/** The headers of a request. Everything but reading one creates `Headers`. */
class IncomingHeaders {
  #incoming
  /** @type {Headers | undefined} */
  #whole

  /** @param {import('node:http').IncomingHttpHeaders} incoming */
  constructor(incoming) {
    this.#incoming = incoming
  }

  /** @param {string} name */
  get(name) {
    if (this.#whole) return this.#whole.get(name)
    const key = name.toLowerCase()
    const value = Object.hasOwn(this.#incoming, key) ? this.#incoming[key] : undefined
    return Array.isArray(value) ? value.join(', ') : (value ?? null)
  }

  /** @param {string} name */
  has(name) {
    return this.get(name) !== null
  }

  get whole() {
    this.#whole ??= new Headers(
      Object.entries(this.#incoming).flatMap(([name, value = []]) => [value].flat().map((one) => [name, one])),
    )
    return this.#whole
  }
}

standIn(IncomingHeaders, Headers)

/**
 * The request of a connection. It has method, address, headers and signal; everything else creates a `Request`.
 */
class IncomingRequest {
  #incoming
  /** @type {Headers | undefined} */
  #headers
  /** @type {Request | undefined} */
  #whole;
  /** Stopped when the connection is closed before the answer has ended. */
  [stopper] = new Stopper()

  /** @param {import('node:http').IncomingMessage} incoming */
  constructor(incoming) {
    this.#incoming = incoming
  }

  get method() {
    return this.#incoming.method ?? 'GET'
  }

  get url() {
    const { url = '/', headers } = this.#incoming
    return new URL(url, `http://${headers.host ?? 'localhost'}`).href
  }

  get headers() {
    this.#headers ??= /** @type {Headers} */ (/** @type {unknown} */ (new IncomingHeaders(this.#incoming.headers)))
    return this.#headers
  }

  get signal() {
    return this[stopper].signal
  }

  /** The whole `Request`. Its body is that of the connection. */
  get whole() {
    const hasBody = this.method !== 'GET' && this.method !== 'HEAD'
    this.#whole ??= new Request(this.url, {
      method: this.method,
      headers: [...this.headers],
      signal: this.signal,
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

standIn(IncomingRequest, Request)
