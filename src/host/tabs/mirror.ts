// A host whose session another tab drives: it shows what the driver tells, notices when there is no driver any more,
// and never becomes one by itself.
import { abortable } from '../../core/turn/abort.js'
import { dropUndefined } from '../../core/data/json.js'
import type { CallId } from '../../core/data/message.js'
import type { HostMessage } from '../../core/data/protocol.js'
import { reduce } from '../../core/state/reduce.js'
import { emptySession, type Session } from '../../core/data/session.js'
import type { Store } from '../../core/data/store.js'
import { SessionChannel, type Channels, type ChannelMessage } from './session-channel.js'
import { untilUndriven, type Locks } from './session-lock.js'

export interface MirrorDeps {
  readonly id: string
  readonly scope: string
  readonly store: Store
  readonly channels: Channels | undefined
  readonly locks: Locks | undefined
  /** How many messages it opens with. */
  readonly limit: number
  /** As this page knows it, where the store cannot be read. */
  readonly known?: Session | undefined
  post(message: HostMessage): void
  now(): number
  deleted(): void
}

export class Mirror {
  readonly #desk: MirrorDeps
  readonly #channel: SessionChannel
  readonly #life = new AbortController()
  // Which events the page has seen; with a gap it is told everything anew.
  #epoch = -1
  #seq = -1
  #onDriver: (() => void) | undefined
  // What the user of this page requests from the driver.
  #wish: Extract<ChannelMessage, { type: 'yield' }> | undefined
  #isKept = false
  // As the page sees it.
  #shown: Session | undefined

  constructor(desk: MirrorDeps) {
    this.#desk = desk
    this.#channel = new SessionChannel(desk.channels, desk.id, (message) => this.#hear(message))
  }

  get id(): string {
    return this.#desk.id
  }

  get shown(): Session | undefined {
    return this.#shown
  }

  /** Shows the stored session at once, then what the driver says. */
  async open(): Promise<void> {
    const { id, limit, scope, store, known, now } = this.#desk
    try {
      const session = await store.read(id, limit)
      this.#show(session ?? emptySession(id, scope, now()), 0, session !== undefined)
    } catch (thrown) {
      if (known) this.#show(known, 0, true)
      throw thrown
    } finally {
      this.#channel.post({ type: 'hello' })
      void this.#watch().catch(() => undefined) // Ends with the mirror alone.
    }
  }

  stop(): void {
    this.#channel.post({ type: 'stop' })
  }

  /** Changes when another host drives. */
  get driver(): number {
    return this.#epoch
  }

  /** The driver keeps the session, because the user has decided on the call in its tab. */
  get isKept(): boolean {
    return this.#isKept
  }

  /**
   * Asks the driver to release the session, and any host that becomes the driver until `stopAsking`. The lock shows whether it
   * does. `callId`: the call that the user decides on, whose turn is then continued here.
   */
  ask(callId: CallId | undefined): void {
    this.#isKept = false
    this.#wish = dropUndefined({ type: 'yield', keep: callId !== undefined, callId })
    this.#channel.post(this.#wish)
  }

  stopAsking(): void {
    this.#wish = undefined
  }

  close(): void {
    this.#life.abort(new DOMException('The mirror was closed', 'AbortError'))
    this.#channel.close()
  }

  #hear(message: ChannelMessage): void {
    if (this.#life.signal.aborted) return
    if (message.type === 'snapshot') {
      // Asked for by another tab that watches: the page has seen all of it.
      if (message.session.epoch === this.#epoch && message.seq === this.#seq) return
      // A host that has just become the driver has not heard what its predecessor was asked.
      if (message.session.epoch !== this.#epoch && this.#wish) this.#channel.post(this.#wish)
      this.#epoch = message.session.epoch
      this.#seq = message.seq
      this.#show(message.session, message.seq, true)
      this.#onDriver?.()
    } else if (message.type === 'event') {
      if (message.epoch !== this.#epoch || message.seq > this.#seq + 1) return this.#channel.post({ type: 'hello' })
      if (message.seq <= this.#seq) return
      this.#seq = message.seq
      const { seq, path, event } = message
      this.#shown = this.#shown && reduce(this.#shown, event, path)
      this.#desk.post({ type: 'event', seq, path, event })
    } else if (message.type === 'kept') {
      this.#isKept ||= message.callId === this.#wish?.callId
    } else if (message.type === 'deleted') {
      this.#desk.deleted()
    }
  }

  #show(session: Session, seq: number, stored: boolean): void {
    this.#shown = session
    this.#desk.post({ type: 'session', session, seq, mode: 'mirror', storage: this.#desk.store.kind, stored })
  }

  /** A turn without a driver is interrupted: the page offers to go on with it. */
  async #watch(): Promise<void> {
    const { locks, id, limit, store } = this.#desk
    const { signal } = this.#life
    while (locks && !signal.aborted) {
      await untilUndriven(locks, id, signal)
      // What cannot be read is interrupted as well.
      const session = await store.read(id, limit).catch(() => this.#shown)
      if (signal.aborted) return
      this.#epoch = -1
      if (session) this.#show(session.turn ? { ...session, status: 'interrupted' } : session, 0, true)
      await abortable<void>(signal, (resolve) => {
        this.#onDriver = resolve
      })
    }
  }
}
