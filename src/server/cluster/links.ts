// Links between processes: each is a socket of a user, whose page is connected to one process while the session is open
// in another one. What is sent over them goes as mail, in its order. Mail that got lost breaks all links with its
// process, as a broken connection does: pages connect again, and send again what was not acknowledged.
import { toFailure } from '../../core/data/errors.js'
import { formatId } from '../../core/data/ids.js'
import { parseJson } from '../../core/data/json.js'
import type { Mail } from '../../core/state/cluster.js'
import { soon } from '../../host/soon.js'
import * as log from '../../page/log.js'
import { closeCodes } from '../protocol/server-messages.js'
import type { SocketLike } from '../socket.js'

/** The version of mail. A process leaves mail of a newer one. */
export const mailVersion = 1

/** Milliseconds that deltas wait for the next ones: each mail is a transaction. */
const deltaTime = 50

/** What a process tells all others. */
export type Notice =
  /** These sessions of a user were deleted. */
  | { readonly type: 'deleted'; readonly user: string; readonly sessions: readonly string[] }
  /** A user has signed out. */
  | { readonly type: 'close-user'; readonly user: string }

/** What one process says to another one. */
type Frame =
  /** Opens a link for a page of a user. */
  | { readonly type: 'open'; readonly link: string; readonly user: string }
  /** What a page or a server says. */
  | { readonly type: 'text'; readonly link: string; readonly text: string }
  | { readonly type: 'close'; readonly link: string; readonly code: number }
  | Notice

/** The text of a mail, as JSON. */
interface Body {
  readonly from: string
  /** From 1, for each pair of processes. */
  readonly number: number
  readonly frames: readonly Frame[]
}

/** What the links of a process need. */
export interface LinksDeps {
  /** The id of this process. */
  readonly own: string
  readonly post: (mail: Mail) => Promise<void>
  /** Another process has opened a link for a page of a user. */
  readonly accept: (link: Link, user: string) => void
  readonly noticed: (notice: Notice) => void
}

/** One end of a link: a socket. `close` is told to listeners also after `close()`. */
export class Link implements SocketLike {
  readonly #push: (frame: Frame, mayWait: boolean) => void
  readonly #id: string
  readonly #texts: ((event: { data: unknown }) => void)[] = []
  readonly #ends: ((event: { code: number }) => void)[] = []
  readyState = 1
  /** Characters that are not posted yet. */
  bufferedAmount = 0

  constructor(id: string, push: (frame: Frame, mayWait: boolean) => void) {
    this.#id = id
    this.#push = push
  }

  send(text: string): void {
    this.#say(text, false)
  }

  /** Sends what may wait for the next texts, such as a delta. */
  sendSoon(text: string): void {
    this.#say(text, true)
  }

  #say(text: string, mayWait: boolean): void {
    if (this.readyState !== 1) return
    this.bufferedAmount += text.length
    this.#push({ type: 'text', link: this.#id, text }, mayWait)
  }

  close(code = 1000): void {
    if (this.readyState !== 1) return
    this.#push({ type: 'close', link: this.#id, code }, false)
    this.ended(code)
  }

  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  addEventListener(type: 'close' | 'error', listener: (event: { code: number }) => void): void
  addEventListener(type: string, listener: (event: never) => void): void {
    if (type === 'message') this.#texts.push(listener as (event: { data: unknown }) => void)
    if (type === 'close') this.#ends.push(listener as (event: { code: number }) => void)
  }

  /** The other end has sent this. */
  received(text: string): void {
    for (const listener of this.#texts) listener({ data: text })
  }

  /** The other end has closed it, or is gone. */
  ended(code: number): void {
    if (this.readyState !== 1) return
    this.readyState = 3
    for (const listener of this.#ends) listener({ code })
  }
}

/** The links of one process. */
export class Links {
  readonly #deps: LinksDeps
  readonly #peers = new Map<string, Peer>()

  constructor(deps: LinksDeps) {
    this.#deps = deps
  }

  /** Opens a link to a process, for a page of this user. */
  connect(process: string, user: string): Link {
    return this.#peer(process).connect(user)
  }

  /** Tells something to a process. */
  tell(process: string, notice: Notice): void {
    this.#peer(process).push(notice)
  }

  /** Takes mail. */
  receive(text: string): void {
    const body = parseJson(text) as Body | undefined
    if (body) this.#peer(body.from).receive(body)
  }

  /**
   * Ends the links with processes that are over, and lets the others notice mail that got lost. `asked`: when it was
   * not known yet who is alive, by `performance.now()`. A process may have joined, and opened links, since then.
   */
  beat(alive: ReadonlySet<string>, asked: number): void {
    for (const [process, peer] of this.#peers)
      if (alive.has(process)) peer.beat()
      else if (peer.since < asked) {
        this.#peers.delete(process)
        peer.drop()
      }
  }

  /** This process is over: nobody reads what it sends, and it reads nothing. */
  drop(): void {
    for (const peer of this.#peers.values()) peer.drop()
    this.#peers.clear()
  }

  /** Resolves when what was sent is posted. */
  async posted(): Promise<void> {
    await Promise.all([...this.#peers.values()].map((peer) => peer.posted()))
  }

  #peer(process: string): Peer {
    const known = this.#peers.get(process)
    if (known) return known
    const peer = new Peer(process, this.#deps)
    this.#peers.set(process, peer)
    return peer
  }
}

/** Another process. */
class Peer {
  readonly since = performance.now()
  readonly #process: string
  readonly #deps: LinksDeps
  readonly #links = new Map<string, Link>()
  #frames: Frame[] = []
  #sent = 0
  #received = 0
  #isUrgent = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #posting: Promise<void> | undefined
  #isGone = false

  constructor(process: string, deps: LinksDeps) {
    this.#process = process
    this.#deps = deps
  }

  connect(user: string): Link {
    const id = formatId(crypto.getRandomValues(new Uint8Array(12)))
    const link = this.#add(id)
    this.push({ type: 'open', link: id, user })
    return link
  }

  push(frame: Frame, mayWait = false): void {
    if (this.#isGone) return
    this.#frames.push(frame)
    this.#isUrgent ||= !mayWait
    this.#schedule()
  }

  /** Mail without content: if one before it got lost, its number says so. */
  beat(): void {
    if (this.#links.size === 0 || this.#posting) return
    this.#isUrgent = true
    this.#schedule()
  }

  /** The process is over. */
  drop(): void {
    this.#isGone = true
    clearTimeout(this.#timer)
    this.#frames = []
    for (const link of this.#links.values()) link.ended(closeCodes.restarts)
  }

  async posted(): Promise<void> {
    while (this.#posting || this.#frames.length > 0) {
      this.#isUrgent = true
      this.#schedule()
      await this.#posting
    }
  }

  receive({ number, frames }: Body): void {
    // The same once more: its transaction ran again.
    if (number <= this.#received) return
    const isLost = number > this.#received + 1
    this.#received = number
    if (isLost) this.#break()
    for (const frame of frames) this.#take(frame)
  }

  #take(frame: Frame): void {
    if (frame.type === 'deleted' || frame.type === 'close-user') return this.#deps.noticed(frame)
    if (frame.type === 'open') return this.#deps.accept(this.#add(frame.link), frame.user)
    const link = this.#links.get(frame.link)
    if (frame.type === 'close') link?.ended(frame.code)
    else if (link) link.received(frame.text)
    // It was broken here, and the other end does not know yet.
    else this.push({ type: 'close', link: frame.link, code: closeCodes.restarts })
  }

  #add(id: string): Link {
    const link = new Link(id, (frame, mayWait) => this.push(frame, mayWait))
    this.#links.set(id, link)
    link.addEventListener('close', () => void this.#links.delete(id))
    return link
  }

  #break(): void {
    for (const link of this.#links.values()) link.close(closeCodes.restarts)
  }

  #schedule(): void {
    if (this.#posting || this.#isGone) return
    if (this.#isUrgent) {
      clearTimeout(this.#timer)
      this.#timer = undefined
      this.#posting = this.#post().finally(() => {
        this.#posting = undefined
        if (this.#frames.length > 0) this.#schedule()
      })
    } else if (this.#frames.length > 0)
      this.#timer ??= setTimeout(() => {
        this.#isUrgent = true
        this.#schedule()
      }, deltaTime)
  }

  async #post(): Promise<void> {
    // What belongs together arrives together.
    await new Promise<void>((resolve) => void soon(resolve))
    if (this.#isGone) return
    const frames = this.#frames
    this.#frames = []
    this.#isUrgent = false
    const body: Body = { from: this.#deps.own, number: ++this.#sent, frames }
    try {
      await this.#deps.post({ to: this.#process, version: mailVersion, body: JSON.stringify(body) })
    } catch (thrown) {
      log.logError(toFailure(thrown, 'storage'))
      this.#break()
    }
    for (const frame of frames) {
      const link = frame.type === 'text' ? this.#links.get(frame.link) : undefined
      if (link && frame.type === 'text') link.bufferedAmount -= frame.text.length
    }
  }
}
