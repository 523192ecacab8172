// The requests to one server: headers of the page's function with one retry after 401, an upper limit for each
// message, and a report when the stream of a call ends, because the client itself would wait for the result without an
// end.
import { checkHeaders, type McpHeaders } from './options.js'

/** Headers that the page cannot set, because the protocol sets them. */
const ofProtocol = /^(?:accept|content-type|last-event-id|mcp-.*)$/i
/** Marks the request of a call. Removed before the request is sent. */
const callHeader = 'tool-agent-call'

/** The server sent a message over the limit. */
export class MessageTooLong extends Error {
  /** `most`: the limit in bytes. */
  constructor(most: number) {
    super(`The server sent a message of more than ${most} bytes.`)
  }
}

/** How the stream of a call ended: without an error, or with one, such as a message over the limit. */
export type StreamEnd = (error: Error | undefined) => void

/** Sends the requests of one connection. */
export class McpHttp {
  readonly #headers: McpHeaders
  readonly #messageBytes: number
  readonly #calls = new Map<string, StreamEnd>()
  #count = 0

  constructor(headers: McpHeaders, messageBytes: number) {
    this.#headers = headers
    this.#messageBytes = messageBytes
  }

  /** Returns the headers that mark the request of one call; `onEnd` is called when its answer has ended. */
  watch(onEnd: StreamEnd): { readonly headers: Record<string, string>; stop(): void } {
    const call = String(++this.#count)
    this.#calls.set(call, onEnd)
    return { headers: { [callHeader]: call }, stop: () => void this.#calls.delete(call) }
  }

  /** The `fetch` of the client. */
  readonly fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const own = new Headers(init.headers)
    const call = own.get(callHeader)
    own.delete(callHeader)
    let response = await this.#send(url, init, own)
    if (response.status === 401 && typeof this.#headers === 'function') {
      const challenge = response.headers.get('www-authenticate') ?? ''
      await response.body?.cancel()
      response = await this.#send(url, init, own, challenge)
    }
    return this.#limited(response, (error) => {
      if (call !== null) this.#calls.get(call)?.(error)
    })
  }

  /** `challenge`: undefined for the first attempt. */
  async #send(url: string | URL, init: RequestInit, own: Headers, challenge?: string): Promise<Response> {
    const given: unknown =
      typeof this.#headers === 'function'
        ? await (challenge === undefined ? this.#headers() : this.#headers(challenge))
        : this.#headers
    checkHeaders(given)
    const headers = new Headers(Object.entries(given).filter(([name]) => !ofProtocol.test(name)))
    for (const [name, value] of own) headers.set(name, value)
    return fetch(url, { ...init, headers })
  }

  #limited(response: Response, onEnd: StreamEnd): Response {
    if (response.body === null || response.status !== 200) return response
    const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')
    const body = limitMessages(response.body, { most: this.#messageBytes, isStream, onEnd })
    const { status, statusText, headers } = response
    return new Response(body, { status, statusText, headers })
  }
}

/** The same bytes, with an error once a message exceeds `most`. Messages of an event stream end at empty lines. */
function limitMessages(
  body: ReadableStream<Uint8Array>,
  { most, isStream, onEnd }: { most: number; isStream: boolean; onEnd: StreamEnd },
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let size = 0
  let before = 0
  let isLineEmpty = true
  const count = (chunk: Uint8Array) => {
    for (const byte of isStream ? chunk : []) {
      // A line ends with CR, LF or both.
      const isEnd = byte === 10 || byte === 13
      const isSecondHalf = byte === 10 && before === 13
      if (!isSecondHalf) {
        size = isEnd && isLineEmpty ? 0 : size + 1
        isLineEmpty = isEnd
      }
      if (size > most) break
      before = byte
    }
    if (!isStream) size += chunk.length
  }
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await reader.read()
        if (done) {
          controller.close()
          return onEnd(undefined)
        }
        count(value)
        if (size > most) throw new MessageTooLong(most)
        controller.enqueue(value)
      } catch (thrown) {
        const error = thrown instanceof Error ? thrown : new Error(String(thrown))
        controller.error(error)
        onEnd(error)
        await reader.cancel(error).catch(() => undefined)
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
