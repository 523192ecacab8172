// The requests to one server: headers of the page's function with one retry after a refusal, upper limits for what the
// server sends, and a report when the stream of a call ends, because the client itself would wait for the result
// without an end. The client handles all messages of a chunk in one task, so the limits also keep the page responsive.
import { checkHeaders, type McpHeaders } from '../options.js'
import { leaveOutNulls } from './absent-fields.js'

/** Headers that the page cannot set, because the protocol sets them. */
const ofProtocol = /^(?:accept|content-type|last-event-id|mcp-.*)$/i
/** Marks the request of a call. Removed before the request is sent. */
const callHeader = 'tool-agent-call'

/** Messages of the stream of one call. A call with more ends. */
const mostMessages = 10_000
/** Messages per second of a stream that belongs to no call. The others wait at the server. */
const messagesPerSecond = 500
/** Bytes that the client handles in one task. */
const pieceBytes = 4_096

/** The server sent more than a limit allows. */
export class TooMuch extends Error {}

/** How the stream of a call ended: without an error, or with one, such as a message over the limit. */
export type StreamEnd = (error: Error | undefined) => void

/** What the request of one call tells. */
export interface CallWatch {
  /** Its answer has ended. */
  readonly onEnd: StreamEnd
  /** Asks the visitor to sign in; resolves with whether they have. Undefined: nobody can be asked. */
  readonly signIn?: (() => Promise<boolean>) | undefined
}

/** The tokens of the visitor. */
export interface Tokens {
  readonly headers: Given
  isSignInNeeded: boolean
  /** Resolves with true if there is another token than the one that was `sent`, without the visitor. */
  renew(response: Response, sent: string | undefined, mayRefresh: boolean): Promise<boolean>
}

type Given = Readonly<Record<string, string>>

/** A request that the server refused. */
interface Refused {
  /** Its headers. */
  readonly sent: Given
  /** Its token was not refreshed a moment ago. */
  readonly mayRefresh: boolean
  /** Asks the visitor, if there is anybody to ask and they were not asked for this request. */
  signIn(): Promise<boolean>
}

/** Sends the requests of one connection. */
export class McpHttp {
  readonly #headers: McpHeaders
  readonly #messageBytes: number
  readonly #oauth: Tokens | undefined
  readonly #calls = new Map<string, CallWatch>()
  #count = 0

  constructor(headers: McpHeaders, messageBytes: number, oauth?: Tokens) {
    this.#headers = headers
    this.#messageBytes = messageBytes
    this.#oauth = oauth
  }

  /** Returns the headers that mark the request of one call. */
  watch(watch: CallWatch): { readonly headers: Record<string, string>; stop(): void } {
    const call = String(++this.#count)
    this.#calls.set(call, watch)
    return { headers: { [callHeader]: call }, stop: () => void this.#calls.delete(call) }
  }

  /** The `fetch` of the client. */
  readonly fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const own = new Headers(init.headers)
    const call = own.get(callHeader)
    own.delete(callHeader)
    const send = (given: Given) => fetch(url, { ...init, headers: allHeaders(given, own) })
    const watch = () => (call === null ? undefined : this.#calls.get(call))
    let given = await this.#given()
    let response = await send(given)
    let signIn = call === null ? undefined : watch()?.signIn
    const askOnce = async () => {
      const ask = signIn
      signIn = undefined
      return (await ask?.()) ?? false
    }
    for (const isRefused of [isUnauthorized, hasTooFewScopes]) {
      // A new token may have too few scopes, which another request finds out. One that was refreshed may be refused
      // too.
      for (let mayRefresh = true; isRefused(response); mayRefresh = false) {
        const renewed = await this.#renewed(response, { sent: given, mayRefresh, signIn: askOnce })
        if (renewed === undefined) break
        given = renewed
        await response.body?.cancel()
        response = await send(given)
        if (this.#oauth === undefined || !mayRefresh) break
      }
    }
    if (this.#oauth && response.ok) this.#oauth.isSignInNeeded = false
    return this.#limited(response, call === null ? undefined : (error) => watch()?.onEnd(error))
  }

  async #given(challenge?: string): Promise<Given> {
    const given: unknown =
      typeof this.#headers === 'function'
        ? await (challenge === undefined ? this.#headers() : this.#headers(challenge))
        : this.#headers
    checkHeaders(given)
    return { ...given, ...this.#oauth?.headers }
  }

  /** Other headers for a refused request; undefined if there are none. */
  async #renewed(response: Response, { sent, mayRefresh, signIn }: Refused): Promise<Given | undefined> {
    if (typeof this.#headers === 'function') return this.#given(response.headers.get('www-authenticate') ?? '')
    const oauth = this.#oauth
    if (oauth === undefined) return undefined
    if (await oauth.renew(response, sent['authorization'], mayRefresh)) return this.#given()
    return oauth.isSignInNeeded && (await signIn()) ? this.#given() : undefined
  }

  /** `onEnd`: undefined for a request that is no call. */
  #limited(response: Response, onEnd: StreamEnd | undefined): Response {
    if (response.body === null || response.status !== 200) return response
    const headers = new Headers(response.headers)
    const type = headers.get('content-type') ?? ''
    const isStream = /^text\/event-stream\b/i.test(type)
    // The client would refuse a message that is not called JSON.
    if (/^(?:text\/(?:plain|json)\b|$)/i.test(type)) headers.set('content-type', 'application/json')
    const meter = isStream
      ? new StreamMeter(this.#messageBytes, onEnd !== undefined)
      : new BodyMeter(this.#messageBytes)
    const body = leaveOutNulls(limited(response.body, meter, onEnd), isStream)
    const { status, statusText } = response
    return new Response(body, { status, statusText, headers })
  }
}

/** The headers of the page, and above them those of the protocol. */
function allHeaders(given: Given, own: Headers): Headers {
  const headers = new Headers(Object.entries(given).filter(([name]) => !ofProtocol.test(name)))
  for (const [name, value] of own) headers.set(name, value)
  return headers
}

const isUnauthorized = ({ status }: Response): boolean => status === 401

/** Other refusals with 403 are final: a new token does not help. */
const hasTooFewScopes = ({ status, headers }: Response): boolean =>
  status === 403 && /\berror="?insufficient_scope\b/i.test(headers.get('www-authenticate') ?? '')

/** The same answer, whose body fails once it is longer than `most` bytes. */
export function bounded(response: Response, most: number): Response {
  if (response.body === null) return response
  const { status, statusText, headers } = response
  return new Response(limited(response.body, new BodyMeter(most), undefined), { status, statusText, headers })
}

/** Counts what arrives. */
interface Meter {
  /** Resolves when the next bytes may be passed on. @throws TooMuch */
  admit(piece: Uint8Array): Promise<void> | void
}

/** A body that is one message. */
class BodyMeter implements Meter {
  readonly #most: number
  #size = 0

  constructor(most: number) {
    this.#most = most
  }

  admit(piece: Uint8Array): void {
    // The client would handle all messages of a list in one task. Only a list of requests had one as its answer.
    if (this.#size === 0 && /^\s*\[/.test(new TextDecoder().decode(piece)))
      throw new TooMuch('The server sent a list of messages instead of one.')
    this.#size += piece.length
    if (this.#size > this.#most) throw tooLong(this.#most)
  }
}

/** An event stream, whose messages end at empty lines. */
class StreamMeter implements Meter {
  readonly #most: number
  readonly #isCall: boolean
  #messages = 0
  #second = { startedAt: 0, messages: 0 }
  #size = 0
  #before = 0
  #isLineEmpty = true

  constructor(most: number, isCall: boolean) {
    this.#most = most
    this.#isCall = isCall
  }

  async admit(piece: Uint8Array): Promise<void> {
    // Otherwise a server that sends without a pause keeps the page in one task.
    await nextTask()
    if (!this.#isCall) await this.#pace()
    this.#count(piece)
    if (this.#isCall && this.#messages > mostMessages)
      throw new TooMuch(`The server sent more than ${mostMessages} messages during the call.`)
  }

  async #pace(): Promise<void> {
    const now = performance.now()
    const { startedAt, messages } = this.#second
    const left = startedAt + 1_000 - now
    if (left > 0 && this.#messages - messages < messagesPerSecond) return
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, left))
    this.#second = { startedAt: performance.now(), messages: this.#messages }
  }

  #count(piece: Uint8Array): void {
    for (const byte of piece) {
      // A line ends with CR, LF or both.
      const isEnd = byte === 10 || byte === 13
      const isSecondHalf = byte === 10 && this.#before === 13
      this.#before = byte
      if (isSecondHalf) continue
      if (isEnd && this.#isLineEmpty) {
        if (this.#size > 0) this.#messages++
        this.#size = 0
      } else if (++this.#size > this.#most) throw tooLong(this.#most)
      this.#isLineEmpty = isEnd
    }
  }
}

function tooLong(most: number): TooMuch {
  return new TooMuch(`The server sent a message of more than ${most} bytes.`)
}

/** The same bytes in pieces, with an error once a limit is exceeded. */
function limited(
  body: ReadableStream<Uint8Array>,
  meter: Meter,
  onEnd: StreamEnd | undefined,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let rest = new Uint8Array()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        if (rest.length === 0) {
          const { value, done } = await reader.read()
          if (done) {
            controller.close()
            return onEnd?.(undefined)
          }
          rest = new Uint8Array(value)
        }
        const piece = rest.subarray(0, pieceBytes)
        rest = rest.subarray(pieceBytes)
        await meter.admit(piece)
        controller.enqueue(piece)
      } catch (thrown) {
        const error = thrown instanceof Error ? thrown : new Error(String(thrown))
        controller.error(error)
        onEnd?.(error)
        await reader.cancel(error).catch(() => undefined)
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/** A new task. A timer would wait up to a second in a page that is not visible. */
function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}
