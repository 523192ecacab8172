// Runs a relay, or any other `fetch` handler, behind a Node HTTP server and the frameworks that are built on it. No
// module of Node is imported, so that one file runs in Node and on edge runtimes, and its types need no `@types/node`.
import { logError } from './log.js'

/**
 * A request of `node:http`, and of the servers that pass theirs on: Express, Fastify (`request.raw`), Connect, Vite.
 */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** The address before a framework removed the path where the handler is mounted. */
  readonly originalUrl?: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly readableEnded: boolean
  /** What a parser that ran earlier has read: an object, a text or bytes. */
  readonly body?: unknown
  on(event: 'data', listener: (bytes: Uint8Array<ArrayBuffer>) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'end', listener: () => void): unknown
  pause(): unknown
  resume(): unknown
}

/** An answer of `node:http`. */
export interface NodeResponse {
  readonly headersSent: boolean
  readonly destroyed: boolean
  readonly writableFinished: boolean
  writeHead(status: number, headers?: Record<string, string | string[]>): unknown
  flushHeaders(): void
  write(bytes: Uint8Array): boolean
  end(): unknown
  destroy(): unknown
  on(event: 'close' | 'drain', listener: () => void): unknown
}

/** A listener of `node:http`. Express, Connect and the middleware of Vite take it as it is. */
export type NodeHandler = (incoming: NodeRequest, outgoing: NodeResponse) => void

/**
 * A handler for `node:http` that answers with `handle`, such as a relay: `createServer(toNodeHandler(relay))`,
 * `app.use('/models', toNodeHandler(relay))`. Answers are passed on while they arrive. Closing the connection before
 * the answer has ended aborts the signal of the request. A body that a parser before it has read is taken from
 * `request.body`.
 */
export function toNodeHandler(handle: (request: Request) => Promise<Response>): NodeHandler {
  const answer: (...of: Parameters<NodeHandler>) => Promise<void> = async (incoming, outgoing) => {
    const closed = new AbortController()
    try {
      const request = requestOf(incoming, closed.signal)
      outgoing.on('close', () => {
        // Names the request, because Node aborts its signal only while something holds the request itself.
        if (!outgoing.writableFinished && !request.signal.aborted) closed.abort()
      })
      await send(await handle(request), outgoing, closed.signal)
    } catch (error) {
      logError(error)
      if (outgoing.headersSent) outgoing.destroy()
      else {
        outgoing.writeHead(500)
        outgoing.end()
      }
    }
  }
  return (incoming, outgoing) => void answer(incoming, outgoing)
}

function requestOf(incoming: NodeRequest, signal: AbortSignal): Request {
  const { method = 'GET', originalUrl, url = '/' } = incoming
  const headers = headersOf(incoming)
  const hasBody = method !== 'GET' && method !== 'HEAD'
  // The field `duplex` is not in the types of the DOM.
  const body = hasBody ? { body: bodyOf(incoming), duplex: 'half' } : {}
  const whole = new URL(originalUrl ?? url, `http://${headers.get('host') ?? 'localhost'}`)
  return new Request(whole, { method, headers, signal, ...body })
}

function headersOf({ headers }: NodeRequest): Headers {
  const all = Object.entries(headers).flatMap(([name, value = []]) =>
    name.startsWith(':') ? [] : [value].flat().map((one): [string, string] => [name, one]),
  )
  // A request of HTTP/2 names its host in a field of its own.
  const host = headers[':authority']
  if (typeof host === 'string' && headers['host'] === undefined) all.push(['host', host])
  return new Headers(all)
}

/** What a parser has read before, or the bytes while they arrive. Nothing is read before it is asked for. */
function bodyOf(incoming: NodeRequest): BodyInit {
  const { readableEnded, body } = incoming
  if (readableEnded) {
    if (body === undefined)
      throw new TypeError('The body of a request was read before the relay: mount the relay before what reads bodies')
    if (body instanceof Uint8Array) return body as Uint8Array<ArrayBuffer>
    return typeof body === 'string' ? body : JSON.stringify(body)
  }
  let isStarted = false
  let isCancelled = false
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        if (isStarted) return void incoming.resume()
        isStarted = true
        incoming.on('data', (bytes) => {
          if (isCancelled) return
          // One chunk for each pull. `enqueue` may call `pull` again.
          incoming.pause()
          controller.enqueue(bytes)
        })
        incoming.on('end', () => {
          if (!isCancelled) controller.close()
        })
        incoming.on('error', (error) => controller.error(error))
      },
      // The rest is read and thrown away, so that the client sees the answer and not a broken connection.
      cancel() {
        isCancelled = true
        incoming.resume()
      },
    },
    { highWaterMark: 0 },
  )
}

async function send(response: Response, outgoing: NodeResponse, closed: AbortSignal): Promise<void> {
  const cookies = response.headers.getSetCookie()
  const headers = { ...Object.fromEntries(response.headers), ...(cookies.length > 0 && { 'set-cookie': cookies }) }
  outgoing.writeHead(response.status, headers)
  if (response.body === null) {
    outgoing.end()
    return
  }
  outgoing.flushHeaders()
  const reader = response.body.getReader()
  // The page must see that the answer broke off, so the connection is closed without an end, also while it is full.
  reader.closed.catch(() => outgoing.destroy())
  const stop = () => void reader.cancel().catch(() => {})
  // It may have been closed while `handle` was running.
  if (closed.aborted) stop()
  else closed.addEventListener('abort', stop)
  let goOn: (() => void) | undefined
  for (const event of ['drain', 'close'] as const) outgoing.on(event, () => goOn?.())
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (outgoing.destroyed) return
      if (!outgoing.write(part.value)) await new Promise<void>((resolve) => (goOn = resolve))
    }
  } catch {
    // Reported by `reader.closed`.
    return
  }
  if (!outgoing.destroyed) outgoing.end()
}
