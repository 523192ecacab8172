// One socket of one user: parses what arrives, opens the session of the page, and passes each message on in its order.
// What cannot be read or done is answered in words, and the socket stays open.
import { toFailure, type Failure } from '../core/data/errors.js'
import { formatId } from '../core/data/ids.js'
import { dropUndefined } from '../core/data/json.js'
import type { Store } from '../core/state/store.js'
import type { SessionActor } from '../host/session-actor.js'
import type { Link } from './cluster/links.js'
import type { Member } from './cluster/member.js'
import type { GuestMessage } from './protocol/guest-messages.js'
import { parseGuestMessage } from './protocol/parse-guest.js'
import { closeCodes, guestProtocol, oldestProtocol, type ServerMessage } from './protocol/server-messages.js'
import type { Done } from './sessions/commits.js'
import type { PageOpening } from './sessions/served-session.js'
import type { Joined, Sessions } from './sessions/sessions.js'
import type { SocketLike } from './socket.js'

/** What a connection needs from its server. */
export interface ConnectionDeps {
  readonly user: string
  readonly sessions: Sessions
  readonly store: Store
  /** This process in its cluster. */
  readonly member?: Member | undefined
  /**
   * Milliseconds between two pings. A socket that is silent for twice as long is closed. Absent for a link of another
   * process, which has greeted the page and looks after its socket.
   */
  readonly heartbeat?: number
  /** The socket has closed, or was closed here. */
  readonly closed: (connection: Connection) => void
}

/** Characters that may wait for a slow page. One that has more connects again, and gets a snapshot. */
const maxBuffered = 8_388_608
/** Messages of one socket that may wait for the one before them. */
const maxUnhandled = 1_000

/** A socket. */
export class Connection {
  readonly #socket: SocketLike & Partial<Pick<Link, 'sendSoon'>>
  readonly #deps: ConnectionDeps
  readonly #beat: ReturnType<typeof setInterval> | undefined
  // Messages are handled one after another: an `open` is over before the next one begins.
  #handled: Promise<void> = Promise.resolve()
  #unhandled = 0
  #joined: Joined | undefined
  // The process that works on the session of this page.
  #elsewhere: Link | undefined
  #isClosed = false
  #heardAt = Date.now()

  // One object for the whole life of the socket: the session knows the socket by it.
  readonly #link = {
    send: (text: string, mayWait = false): void => {
      if (this.#isClosed || this.#socket.readyState !== 1) return
      if ((this.#socket.bufferedAmount ?? 0) > maxBuffered) return this.close(closeCodes.slow)
      if (mayWait && this.#socket.sendSoon) this.#socket.sendSoon(text)
      else this.#socket.send(text)
    },
    close: (code: number): void => this.close(code),
  }

  constructor(socket: SocketLike, deps: ConnectionDeps) {
    this.#socket = socket
    this.#deps = deps
    socket.addEventListener('message', ({ data }) => this.#receive(data))
    socket.addEventListener('close', () => this.#ended())
    // An error is followed by a close.
    socket.addEventListener('error', () => undefined)
    const { heartbeat } = deps
    if (heartbeat === undefined) return
    this.#beat = setInterval(() => this.#pulse(heartbeat), heartbeat)
    this.#post({ type: 'ready', protocol: oldestProtocol, newest: guestProtocol })
  }

  /** Whether its page has its socket at another process. */
  get isLink(): boolean {
    return this.#deps.heartbeat === undefined
  }

  /** Closes the socket. Does not wait for the other end, which may be gone. */
  close(code: number): void {
    if (this.#isClosed) return
    this.#ended()
    this.#socket.close(code)
  }

  #post(message: ServerMessage): void {
    this.#link.send(JSON.stringify(message))
  }

  #ended(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearInterval(this.#beat)
    this.#leave()
    this.#deps.closed(this)
  }

  #leave(): void {
    const joined = this.#joined
    this.#joined = undefined
    joined?.session.leave(joined.page, this.#link)
    const elsewhere = this.#elsewhere
    this.#elsewhere = undefined
    elsewhere?.close()
  }

  #pulse(heartbeat: number): void {
    if (Date.now() - this.#heardAt > 2 * heartbeat) return this.close(closeCodes.silent)
    this.#post({ type: 'ping' })
  }

  #receive(data: unknown): void {
    if (this.#isClosed) return
    this.#heardAt = Date.now()
    if (typeof data !== 'string') return this.#refuse(notText)
    if (this.#unhandled >= maxUnhandled) return this.close(closeCodes.slow)
    const { value: message, error, ...rest } = parseGuestMessage(data)
    if (message === undefined) return this.#refuse(error, 'id' in rest ? rest.id : undefined)
    if (message.type === 'ping') return this.#post({ type: 'pong' })
    if (message.type === 'pong') return
    this.#unhandled += 1
    this.#handled = this.#handled
      .then(() => this.#handle(message, data))
      .catch((thrown: unknown) => this.#refuse(toFailure(thrown, 'storage'), idOf(message)))
      .finally(() => {
        this.#unhandled -= 1
      })
  }

  #refuse(error: Failure, id?: string | number): void {
    this.#post(dropUndefined({ type: 'refused', id, error }))
  }

  async #handle(message: GuestMessage, text: string): Promise<void> {
    if (this.#isClosed) return
    if (message.type === 'open') return this.#open(message, text)
    if (this.#elsewhere) {
      if (this.#elsewhere.bufferedAmount > maxBuffered) return this.close(closeCodes.slow)
      return this.#elsewhere.send(text)
    }
    const actor = await this.#joined?.session.actor()
    if (this.#joined && actor) return this.#dispatch(this.#joined, actor, message)
    // Another process asks for its page, which has a session there.
    if (this.isLink && message.type === 'request' && 'id' in message.with && message.with.id !== undefined)
      return this.#request(message, message.with.id)
    return this.#refuse(notOpen, idOf(message))
  }

  async #open({ protocol, session: name, ...opening }: Extract<GuestMessage, { type: 'open' }>, text: string) {
    if (protocol < oldestProtocol || protocol > guestProtocol) {
      // The process that has greeted the page speaks it. One of the two is replaced soon.
      if (this.isLink) return this.close(closeCodes.restarts)
      return this.#refuse(otherProtocol(protocol))
    }
    this.#leave()
    const id = name ?? `session_${formatId(crypto.getRandomValues(new Uint8Array(16)))}`
    const joined = await this.#join(id, opening)
    if (joined === undefined) return
    // Who has opened this link was told of a process that has the session no more.
    if (typeof joined === 'string' && this.isLink) return this.close(closeCodes.restarts)
    if (typeof joined === 'string') this.#relay(joined, text)
    else this.#joined = joined
    // The socket may have closed meanwhile.
    if (this.#isClosed) this.#leave()
  }

  /** A page that cannot open its session now connects again. */
  async #join(id: string, opening: PageOpening): Promise<Joined | string | undefined> {
    const { user, sessions, store } = this.#deps
    try {
      return await sessions.join({ user, id, store }, opening, this.#link)
    } catch (thrown) {
      const error = toFailure(thrown, 'storage')
      this.#refuse(error)
      if (error.code === 'storage') this.close(closeCodes.storage)
      return undefined
    }
  }

  /** Another process works on the session: it gets what the page says from now on. */
  #relay(process: string, opening: string): void {
    const { member, user } = this.#deps
    const link = member?.connect(process, user)
    if (link === undefined) return
    this.#elsewhere = link
    link.addEventListener('message', ({ data }) => this.#link.send(String(data)))
    // As if that process had this socket.
    link.addEventListener('close', ({ code }) => {
      if (this.#elsewhere === link) this.close(code)
    })
    link.send(opening)
  }

  #request(message: Extract<GuestMessage, { type: 'request' }>, id: string): void {
    const { user, store, sessions } = this.#deps
    void sessions.request({ place: { user, id, store }, link: this.#link }, message, (answer) =>
      this.#post({ type: 'reply', id: message.id, ...answer }),
    )
  }

  #dispatch(
    { session, page }: Joined,
    actor: SessionActor,
    message: Exclude<GuestMessage, { type: 'open' }>,
  ): void | Promise<void> {
    const { turns } = actor
    const done: Done = (error) => {
      const id = idOf(message)
      if (error) this.#refuse(error, id)
      else if (typeof id === 'string') this.#post({ type: 'acknowledged', id })
    }
    switch (message.type) {
      case 'send':
        return session.send(actor, page, message, done)
      case 'continue':
        return session.continue(actor, page, message, done)
      case 'decide':
        return session.decide(actor, page, message, done)
      case 'answer':
        return session.answer(page, message, done)
      case 'outcome':
        return session.outcome(actor, page, message, done)
      case 'progress': {
        const error = page.progress(message)
        return error && this.#refuse(error)
      }
      case 'stop':
        return void turns.stop()
      case 'drop':
        return turns.drop(message.turn)
      case 'retry':
        return turns.endRetryWait()
      case 'end-grants':
        return turns.endGrants(message.page)
      case 'offer':
        return page.guest.changeOffer(message.turn, message.offer)
      case 'request':
        return this.#request(message, session.place.id)
      case 'ping':
      case 'pong':
    }
  }
}

/** The id by which a message is acknowledged, answered or refused. */
function idOf(message: GuestMessage): string | number | undefined {
  return 'id' in message ? message.id : undefined
}

const notText: Failure = {
  code: 'invalid-option',
  message: 'A message is not text. Send the text of JSON.stringify().',
}
const notOpen: Failure = { code: 'not-open', message: 'No session is open on this socket. Send `open` first.' }
const otherProtocol = (protocol: number): Failure => ({
  code: 'host-lost',
  message:
    protocol < oldestProtocol
      ? `The page speaks protocol ${protocol}, which is too old for this server. Reload the page.`
      : `The page speaks protocol ${protocol}, which is too new for this server. Update tool-agent on the server.`,
})
