// One socket after another to the server of the option `host`. Connects again after a break, each time later, and at
// once when the network is back; notices a server that is dead; lets the page renew its sign-in. What is said over a
// socket is for remote-port.ts.
import type { Failure } from '../../../core/data/failure.js'
import { parseJson, stringify } from '../../../core/data/json.js'
import type { GuestInput } from '../../../server/protocol/guest-messages.js'
import {
  closeCodes,
  guestProtocol,
  oldestProtocol,
  type ServerMessage,
} from '../../../server/protocol/server-messages.js'

/** What is needed of a `WebSocket`. */
export interface PageSocket {
  send(text: string): void
  close(code?: number): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  addEventListener(type: 'close', listener: (event: { code: number }) => void): void
  addEventListener(type: 'error', listener: () => void): void
}

/** How long things take, in milliseconds. */
export interface SocketTimes {
  /** A server may need to accept a socket. */
  readonly connect: number
  /** The longest wait before the first try to connect again. It doubles with each further try. */
  readonly firstWait: number
  /** The longest of these waits. */
  readonly longestWait: number
  /** A socket that has lasted this long was a good one: the next wait is a short one. */
  readonly stable: number
  /** The page asks whether a server still exists that was silent for this long. */
  readonly quiet: number
  /** It may need to answer. */
  readonly patience: number
  /** A break is not told before. */
  readonly untilTold: number
}

const defaultTimes: SocketTimes = {
  connect: 15_000,
  firstWait: 500,
  longestWait: 30_000,
  stable: 5_000,
  quiet: 40_000,
  patience: 10_000,
  untilTold: 3_000,
}

/** What a server says about a session. */
export type SessionMessage = Exclude<ServerMessage, { type: 'ready' | 'ping' | 'pong' }>

/** What a socket needs from its owner. */
export interface ServerSocketDeps {
  readonly url: string
  /** Opens a socket; `new WebSocket(url)` by default. */
  readonly open?: ((url: string) => PageSocket) | undefined
  readonly times?: Partial<SocketTimes> | undefined
  /** Renews the sign-in of the visitor. Undefined if the page has no function for that. */
  signIn(): Promise<unknown> | undefined
  /** The server has accepted a socket, and reads messages from now on. */
  ready(): void
  receive(message: SessionMessage): void
  /** The socket is broken. Another one follows. */
  broken(): void
  /** It has been broken for a while. */
  unreachable(failure: Failure): void
  /** No other socket follows. */
  ended(failure: Failure): void
}

/** A connection that is made again until it is closed, or cannot be made. */
export class ServerSocket {
  readonly #deps: ServerSocketDeps
  readonly #times: SocketTimes
  readonly #over = new AbortController()
  /** The version of the messages over this socket: the newest one that both sides speak. */
  protocol: number = guestProtocol
  #socket: PageSocket | undefined
  #isReady = false
  // A server has accepted one, so the address is right and another one is worth waiting for.
  #wasReady = false
  #readyAt = 0
  #failures = 0
  // The sign-in was renewed, and no server has accepted a socket since.
  #isRenewed = false
  #heardAt = 0
  #pingedAt: number | undefined
  // Ends a try to connect, or begins the next one.
  #timer: ReturnType<typeof setTimeout> | undefined
  #teller: ReturnType<typeof setTimeout> | undefined
  #beat: ReturnType<typeof setInterval> | undefined

  constructor(deps: ServerSocketDeps) {
    this.#deps = deps
    this.#times = { ...defaultTimes, ...deps.times }
  }

  /** Makes the connection. Call it once. */
  start(): void {
    this.#beat = setInterval(() => this.#listen(), this.#times.patience)
    if (typeof window === 'object') {
      const { signal } = this.#over
      for (const type of ['online', 'pageshow', 'visibilitychange'])
        window.addEventListener(type, () => this.#wake(), { signal, capture: true })
    }
    this.#connect()
  }

  /** Whether messages can be sent. */
  get isReady(): boolean {
    return this.#isReady
  }

  /** Sends a message. Call it only while it is ready. */
  send(text: string): void {
    this.#socket?.send(text)
  }

  /** Closes it for good. */
  close(): void {
    if (this.#over.signal.aborted) return
    this.#over.abort()
    this.#drop(1000)
    clearInterval(this.#beat)
    clearTimeout(this.#teller)
  }

  #end(failure: Failure): void {
    if (this.#over.signal.aborted) return
    this.close()
    this.#deps.ended(failure)
  }

  #connect(): void {
    clearTimeout(this.#timer)
    const { url, open = (address: string): PageSocket => new WebSocket(address) } = this.#deps
    let socket: PageSocket
    try {
      socket = open(url)
    } catch {
      return this.#end(unreachable(url))
    }
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => {
      if (this.#socket === socket) this.#receive(data)
    })
    socket.addEventListener('close', ({ code }) => this.#lost(socket, code))
    // An error is followed by a close.
    socket.addEventListener('error', () => undefined)
    this.#timer = setTimeout(() => this.#lost(socket), this.#times.connect)
  }

  #receive(data: unknown): void {
    const message = parseJson(String(data)) as ServerMessage | undefined
    this.#heardAt = Date.now()
    this.#pingedAt = undefined
    switch (message?.type) {
      case 'ready':
        this.protocol = Math.min(message.newest ?? message.protocol, guestProtocol)
        if (this.protocol < message.protocol || this.protocol < oldestProtocol)
          return this.#end(otherProtocol(message.protocol))
        clearTimeout(this.#timer)
        clearTimeout(this.#teller)
        this.#teller = undefined
        this.#isReady = this.#wasReady = true
        this.#isRenewed = false
        this.#readyAt = this.#heardAt
        return this.#deps.ready()
      case 'ping':
        return this.send(stringify({ type: 'pong' } satisfies GuestInput))
      case 'pong':
        return
      default:
        if (message) this.#deps.receive(message)
    }
  }

  /** The socket of this try is of no use any more. `code`: why the server closed it. */
  #lost(socket: PageSocket, code?: number): void {
    if (this.#socket !== socket) return
    const wasReady = this.#isReady
    this.#drop()
    if (wasReady) {
      if (Date.now() - this.#readyAt >= this.#times.stable) this.#failures = 0
      this.#deps.broken()
      this.#teller ??= setTimeout(() => this.#deps.unreachable(broken()), this.#times.untilTold)
    }
    const final = finalFailures.get(code)
    if (final) return this.#end(final)
    // A browser does not tell a page why a socket was refused, such as with 401.
    if (code === closeCodes.unauthorized || (!wasReady && !this.#isRenewed)) void this.#renew(code)
    else this.#again()
  }

  /** Lets the page renew the sign-in of its visitor, and connects again with its new cookies. */
  async #renew(code: number | undefined): Promise<void> {
    this.#isRenewed = true
    try {
      const renewed = this.#deps.signIn()
      if (renewed === undefined && code === closeCodes.unauthorized) return this.#end(signedOut)
      if (renewed === undefined) return this.#again()
      await renewed
    } catch {
      if (!this.#wasReady || code === closeCodes.unauthorized) return this.#end(signedOut)
      // Without a network, the page cannot renew it either.
      this.#isRenewed = false
      return this.#again()
    }
    if (this.#over.signal.aborted) return
    if (this.#wasReady) this.#again()
    else this.#connect()
  }

  #again(): void {
    // It was connected meanwhile, because the network is back.
    if (this.#over.signal.aborted || this.#socket) return
    if (!this.#wasReady) return this.#end(unreachable(this.#deps.url))
    const longest = Math.min(this.#times.longestWait, this.#times.firstWait * 2 ** this.#failures)
    this.#failures += 1
    clearTimeout(this.#timer)
    // At random, so that the pages of a server that starts again do not come all at once.
    this.#timer = setTimeout(() => this.#connect(), (longest * (1 + Math.random())) / 2)
  }

  /** The network may be back, or the page was asleep. */
  #wake(): void {
    if (this.#isReady) return this.#listen()
    if (this.#socket || !this.#wasReady) return
    this.#failures = 0
    this.#connect()
  }

  /** Asks a silent server whether it still exists, and gives it up if it does not answer. */
  #listen(): void {
    if (!this.#isReady || !this.#socket) return
    const now = Date.now()
    if (this.#pingedAt === undefined) {
      if (now - this.#heardAt < this.#times.quiet) return
      this.#pingedAt = now
      this.send(stringify({ type: 'ping' } satisfies GuestInput))
    } else if (now - this.#pingedAt >= this.#times.patience) this.#lost(this.#socket)
  }

  /** Leaves the socket, which may be one that never answers. */
  #drop(code?: number): void {
    clearTimeout(this.#timer)
    const socket = this.#socket
    this.#socket = undefined
    this.#isReady = false
    this.#pingedAt = undefined
    socket?.close(code)
  }
}

/** Closes after which no socket would be accepted, or should not be opened. */
const finalFailures: ReadonlyMap<number | undefined, Failure> = new Map<number | undefined, Failure>([
  [closeCodes.deleted, { code: 'session-deleted', message: 'This session was deleted.' }],
  [
    closeCodes.replaced,
    {
      code: 'lost-session',
      message: 'This session is open in another assistant of this page, or in the page that followed it.',
    },
  ],
  [
    closeCodes.tooMany,
    { code: 'rate-limited', message: 'This user has more pages open than the server allows. Close some of them.' },
  ],
])

const signedOut: Failure = {
  code: 'unauthorized',
  message:
    'The sign-in of this user has ended, so the server does not talk to this page. Renew it in the hook signIn, or ' +
    'let the user sign in again.',
}

const offline: Failure = { code: 'offline', message: 'The browser is offline.' }
const isOffline = (): boolean => typeof navigator === 'object' && navigator.onLine === false

function broken(): Failure {
  const message = 'The connection to the server of host is broken. The page connects again and then goes on.'
  return isOffline() ? offline : { code: 'network', message }
}

function unreachable(url: string): Failure {
  if (isOffline()) return offline
  const message =
    `host: no socket could be opened to ${url}. Is the server running, does it know this user, may the origin of ` +
    'this page connect (upgradeHandler), and does the policy of this page allow it (connect-src)?'
  return { code: 'network', message }
}

const otherProtocol = (theirs: number): Failure => ({
  code: 'unavailable',
  message:
    `host: the server speaks protocol ${theirs}, so ` +
    (theirs > guestProtocol
      ? 'this page is too old for it. Reload the page; if that does not help, update tool-agent in the page.'
      : 'it is too old for this page. Update tool-agent on the server.'),
  details: { load: 'version' },
})
