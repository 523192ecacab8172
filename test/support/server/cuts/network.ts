// Sockets between pages and a server through a network that fails. Within a socket, messages keep their order, as with
// TCP. When it breaks, each end loses what a random part of the way had left, and learns of it at a time of its own, or
// not at all. So the messages of an old socket may arrive after a new one has opened.
import type { Dice } from '../../lab/generator.js'
import type { SocketLike } from '../../../../src/server/socket.js'
import type { Clock, TimerOwner } from './clock.js'

type Listener = (event: { data?: unknown; code?: number }) => void

/** One end of a wire: a socket of a page, or of a server. */
class End {
  readonly listeners = new Map<string, Set<Listener>>()
  /** As of a WebSocket. */
  state: 0 | 1 | 2 | 3 = 0
  /** Messages on their way to it. */
  readonly coming: { at: number; isLost: boolean }[] = []
  lastArrival = 0
  /** What it sends gets lost. */
  isCut = false

  emit(type: string, event: { data?: unknown; code?: number } = {}): void {
    for (const listener of this.listeners.get(type) ?? []) listener(event)
  }
  on(type: string, listener: Listener): void {
    const all = this.listeners.get(type) ?? new Set()
    this.listeners.set(type, all.add(listener))
  }
}

/** What a wire tells who watches it. */
export interface WireWatch {
  /** A page has sent something, whether it arrives or not. */
  said?(text: string): void
  /** A server has. */
  answered?(text: string): void
  /** Something has arrived at a page. */
  heard?(text: string): void
}

const network: TimerOwner = { isDead: false }

/** A socket of a page and, once it is accepted, that of the server. */
export class Wire {
  readonly page = new End()
  readonly server = new End()
  readonly #clock: Clock
  readonly #dice: Dice
  readonly #watch: WireWatch

  constructor(clock: Clock, dice: Dice, watch: WireWatch) {
    this.#clock = clock
    this.#dice = dice
    this.#watch = watch
  }

  get #latency(): number {
    const longest = this.#dice.weighted([
      [2, 6],
      [30, 3],
      [450, 1],
    ] as const)
    return this.#dice.from(1, longest)
  }

  /** Asks for a socket. `accept`: serves it; returns false if no server is there. */
  open(accept: (socket: SocketLike) => boolean): void {
    this.#clock.after(this.#latency, network, () => {
      if (this.page.state !== 0) return
      const isThere = !this.page.isCut
      this.server.state = 1
      if (!isThere || !accept(this.#serverSocket())) {
        this.server.state = 3
        return this.#tellClosed(this.page, this.#latency, 1006)
      }
    })
  }

  /** The socket as a page has it. */
  pageSocket() {
    const { page } = this
    return {
      send: (text: string) => {
        this.#watch.said?.(text)
        if (page.state === 1) this.#send(page, this.server, text)
      },
      close: (code?: number) => this.#close(page, this.server, code ?? 1005),
      addEventListener: (type: string, listener: Listener) => page.on(type, listener),
    }
  }

  #serverSocket(): SocketLike {
    const { server } = this
    const socket = {
      send: (text: string) => {
        this.#watch.answered?.(text)
        this.#send(server, this.page, text)
      },
      close: (code?: number) => this.#close(server, this.page, code ?? 1005),
      addEventListener: (type: string, listener: Listener) => server.on(type, listener),
      get readyState() {
        return server.state
      },
    }
    return socket as SocketLike
  }

  #send(from: End, to: End, text: string): void {
    if (from.state !== 1 || from.isCut) return
    const message = { at: Math.max(to.lastArrival, this.#clock.now + this.#latency), isLost: false }
    to.lastArrival = message.at
    to.coming.push(message)
    const arrive = (): void => {
      if (message.at > this.#clock.now) return void this.#clock.after(message.at - this.#clock.now, network, arrive)
      const place = to.coming.indexOf(message)
      if (place >= 0) to.coming.splice(place, 1)
      if (message.isLost || to.state > 1) return
      if (to === this.page) {
        if (to.state === 0) {
          to.state = 1
          to.emit('open')
        }
        this.#watch.heard?.(text)
      }
      to.emit('message', { data: text })
    }
    this.#clock.after(message.at - this.#clock.now, network, arrive)
  }

  #close(from: End, to: End, code: number): void {
    if (from.state > 1) return
    from.state = 2
    this.#tellClosed(from, this.#latency, code)
    if (!from.isCut) this.#tellClosed(to, this.#latency, code)
  }

  #tellClosed(to: End, ms: number, code: number): void {
    const tell = (): void => {
      const left = to.lastArrival - this.#clock.now
      if (left > 0 && to.coming.some(({ isLost }) => !isLost)) return void this.#clock.after(left, network, tell)
      if (to.state === 3) return
      to.state = 3
      to.emit('close', { code })
    }
    this.#clock.after(ms, network, tell)
  }

  /** The way between the ends breaks. Each loses what it was sent from a random message on. */
  cut(): void {
    const dice = this.#dice
    const isSilent = dice.chance(0.15)
    for (const [to, from] of [
      [this.page, this.server],
      [this.server, this.page],
    ] as const) {
      from.isCut = true
      this.#lose(to, dice.chance(0.4) ? dice.from(10, 5_000) : 0)
      if (!isSilent || dice.chance(0.5)) this.#tellClosed(to, dice.chance(0.5) ? 1 : dice.from(1, 4_000), 1006)
    }
  }

  /** The process of the server has ended. */
  serverDied(): void {
    this.server.state = 3
    this.server.listeners.clear()
    this.#lose(this.page, 0)
    this.#tellClosed(this.page, this.#dice.from(1, 50), 1006)
  }

  /** The document of the page has ended. */
  pageDied(): void {
    if (this.page.state === 3) return
    this.page.state = 3
    this.page.listeners.clear()
    this.#lose(this.server, 0)
    this.page.isCut = true
    if (this.#dice.chance(0.8))
      this.#tellClosed(this.server, this.#dice.chance(0.5) ? 1 : this.#dice.from(1, 3_000), 1006)
  }

  #lose(to: End, later: number): void {
    const { length } = to.coming
    const kept = this.#dice.weighted([
      [0, 1],
      [length, 1],
      [this.#dice.from(0, length), 1],
    ])
    for (const [place, message] of to.coming.entries())
      if (place >= kept) message.isLost = true
      else message.at += later
    if (kept > 0) to.lastArrival += later
  }
}
