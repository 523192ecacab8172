// Runs a relay, or any other `fetch` handler, behind a Node HTTP server and the frameworks that are built on it.
import { DirectResponse, joined, readAll, sourceOf, standIn, Stopper, stopper, streamOf } from './direct.js'
import { logError } from './log.js'
import { afterEvents, nodeSource, type NodeRequest, type NodeResponse } from './node.js'

/** A listener of `node:http`. Express, Connect and the middleware of Vite take it as it is. */
export type NodeHandler = (incoming: NodeRequest, outgoing: NodeResponse) => void

/**
 * A handler for `node:http` that answers with `handle`, such as a relay: `createServer(toNodeHandler(relay))`,
 * `app.use('/models', toNodeHandler(relay))`. Answers are passed on while they arrive. Closing the connection before
 * the answer has ended aborts the signal of the request. A body that a parser before it has read is taken from
 * `request.body`.
 */
export function toNodeHandler(handle: (request: Request) => Promise<Response>): NodeHandler {
  return (incoming, outgoing) => {
    const request = new IncomingRequest(incoming)
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) request[stopper].stop()
    })
    const answer = async () => {
      try {
        send(await handle(request as unknown as Request), outgoing)
      } catch (error) {
        logError(error)
        if (outgoing.headersSent) outgoing.destroy()
        else {
          outgoing.writeHead(500)
          outgoing.end()
        }
      }
    }
    void answer()
  }
}

function send(response: Response, outgoing: NodeResponse): void {
  const { status } = response
  outgoing.writeHead(
    status,
    response instanceof DirectResponse ? response.plainHeaders : Object.fromEntries(response.headers),
  )
  const source = sourceOf(response)
  if (source === undefined) {
    outgoing.end()
    return
  }
  let isEnding = false
  // With the first bytes if they are there already.
  const keepHeaders = afterEvents(() => outgoing.flushHeaders())
  const flow = source({
    write(bytes) {
      keepHeaders()
      return outgoing.write(bytes)
    },
    end() {
      isEnding = true
      keepHeaders()
      outgoing.end()
    },
    // The page must see that the answer broke off, so the connection is closed without an end.
    fail: () => void outgoing.destroy(),
  })
  const stop = () => {
    keepHeaders()
    if (!isEnding) flow.cancel()
  }
  // It may have been closed while `handle` was running.
  if (outgoing.destroyed) {
    stop()
    return
  }
  outgoing.on('drain', () => flow.resume())
  outgoing.on('close', stop)
}

/** The headers of a request. Everything but reading one creates `Headers`. */
class IncomingHeaders {
  readonly #incoming: NodeRequest['headers']
  #whole: Headers | undefined

  constructor(incoming: NodeRequest['headers']) {
    this.#incoming = incoming
  }

  get(name: string): string | null {
    if (this.#whole) return this.#whole.get(name)
    const key = name.toLowerCase()
    const value = Object.hasOwn(this.#incoming, key) ? this.#incoming[key] : this.#inHttp2(key)
    return Array.isArray(value) ? value.join(', ') : (value ?? null)
  }

  has(name: string): boolean {
    return this.get(name) !== null
  }

  get whole(): Headers {
    const all = Object.entries(this.#incoming).flatMap(([name, value = []]) =>
      name.startsWith(':') ? [] : [value].flat().map((one): [string, string] => [name, one]),
    )
    this.#whole ??= new Headers(all)
    const host = this.#inHttp2('host')
    if (host !== undefined && !this.#whole.has('host')) this.#whole.set('host', host)
    return this.#whole
  }

  /** A request of HTTP/2 names its host in a field of its own. */
  #inHttp2(name: string): string | undefined {
    const host = this.#incoming[':authority']
    return name === 'host' && typeof host === 'string' ? host : undefined
  }
}

standIn(IncomingHeaders, Headers)

/** The request of a connection. It has method, address, headers and signal; everything else creates a `Request`. */
class IncomingRequest {
  readonly #incoming: NodeRequest
  #headers: Headers | undefined
  #whole: Request | undefined
  /** Stopped when the connection is closed before the answer has ended. */
  readonly [stopper] = new Stopper()

  constructor(incoming: NodeRequest) {
    this.#incoming = incoming
  }

  get method(): string {
    return this.#incoming.method ?? 'GET'
  }

  get url(): string {
    const { originalUrl, url = '/' } = this.#incoming
    return new URL(originalUrl ?? url, `http://${this.headers.get('host') ?? 'localhost'}`).href
  }

  get headers(): Headers {
    this.#headers ??= new IncomingHeaders(this.#incoming.headers) as unknown as Headers
    return this.#headers
  }

  get signal(): AbortSignal {
    return this[stopper].signal
  }

  /** The whole `Request`. Its body is that of the connection. */
  get whole(): Request {
    const hasBody = this.method !== 'GET' && this.method !== 'HEAD'
    // The field `duplex` is not in the types of the DOM.
    const body = { body: this.#body(), duplex: 'half' }
    this.#whole ??= new Request(this.url, {
      method: this.method,
      headers: [...this.headers],
      signal: this.signal,
      ...(hasBody ? body : {}),
    })
    return this.#whole
  }

  #body(): BodyInit {
    const parsed = bytesOfParsed(this.#incoming)
    return (parsed as BodyInit | undefined) ?? streamOf(nodeSource(this.#incoming))
  }

  async [readAll](most: number): Promise<Uint8Array | undefined> {
    const incoming = this.#incoming
    const parsed = bytesOfParsed(incoming)
    if (parsed) return parsed.length > most ? undefined : parsed
    return new Promise((resolve, reject) => {
      const parts: Uint8Array[] = []
      let size = 0
      incoming.on('data', (part) => {
        size += part.length
        if (size <= most) {
          parts.push(part)
          return
        }
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

/** The bytes of a body that something has read before; undefined if it has not been read. */
function bytesOfParsed({ readableEnded, body }: NodeRequest): Uint8Array | undefined {
  if (!readableEnded) return undefined
  if (body instanceof Uint8Array) return body
  if (body === undefined)
    throw new TypeError('The body of a request was read before the relay: mount the relay before what reads bodies')
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body))
}
