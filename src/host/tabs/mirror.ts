// Shows a session that another tab drives: posts the driver's snapshots and events to the page, and notices when the
// driver is gone. A mirror never becomes the driver by itself.
import { abortable } from '../../core/loop/abort.js'
import { dropUndefined } from '../../core/data/json.js'
import type { CallId } from '../../core/data/message.js'
import type { HostMessage } from '../../core/data/protocol.js'
import { reduce } from '../../core/state/reduce.js'
import { emptySession, type Session } from '../../core/data/session.js'
import type { Store } from '../../core/state/store.js'
import { SessionChannel, type ChannelMessage } from './session-channel.js'
import {
  lockPatience,
  lockSession,
  stealSession,
  type Origin,
  type SessionClaim,
  untilUndriven,
} from './session-lock.js'
import { isFromDriver, isShownEvent, isShownSession } from './shown-records.js'

/** How many successive drivers a page waits for, one `lockPatience` each, before it steals the lock. */
const maxDrivers = 3

/** What a mirror needs from its host. */
export interface MirrorDeps extends Origin {
  /** Id of the session. */
  readonly id: string
  /** Scope of an empty session, which is shown while the driver has not stored the session yet. */
  readonly scope: string
  /** Read only: a mirror never claims or writes. */
  readonly store: Store
  /** The maximum number of messages to show at first. */
  readonly limit: number
  /** The session as this page has it, shown if the store cannot be read. */
  readonly known?: Session | undefined
  /** Posts to this page. */
  post(message: HostMessage): void
  /** Milliseconds since the epoch. */
  now(): number
  /** Another tab reports that the session was deleted. Must be checked in the store. */
  deleted(): void
}

/** One mirrored session. */
export class Mirror {
  readonly #deps: MirrorDeps
  readonly #channel: SessionChannel
  readonly #lifetime = new AbortController()
  // The newest event that the page has. After a gap the mirror requests a snapshot.
  #epoch = -1
  #seq = -1
  #onDriver: (() => void) | undefined
  // The request of this page to take the session over.
  #yieldRequest: Extract<ChannelMessage, { type: 'yield' }> | undefined
  #isKept = false
  // The session as the page shows it.
  #shown: Session | undefined

  constructor(deps: MirrorDeps) {
    this.#deps = deps
    this.#channel = new SessionChannel(deps.channels, deps.id, (message) => this.#receive(message))
  }

  /** Id of the session. */
  get id(): string {
    return this.#deps.id
  }

  /** The session as the page shows it. */
  get shown(): Session | undefined {
    return this.#shown
  }

  /** Shows the stored session, then follows the driver. Rejects if the store cannot be read, but still follows. */
  async open(): Promise<void> {
    const { id, limit, scope, store, known, now } = this.#deps
    try {
      const session = await store.read(id, limit)
      this.#show(session ?? emptySession(id, scope, now()), 0, session !== undefined)
    } catch (thrown) {
      if (known) this.#show(known, 0, true)
      throw thrown
    } finally {
      this.#channel.post({ type: 'hello' })
      void this.#watchDriver().catch(() => undefined) // Rejects only when the mirror is closed.
    }
  }

  /** Requests that the driver stops the turn. */
  stop(): void {
    this.#channel.post({ type: 'stop' })
  }

  /** Requests that the driver ends what the user allowed beyond one call. */
  endGrants(): void {
    this.#channel.post({ type: 'end-grants' })
  }

  /** Whether the driver keeps the session, because the user has decided on the call in its tab. */
  get isKept(): boolean {
    return this.#isKept
  }

  /**
   * Takes the session's lock: requests that the driver releases the session, and every later driver, and then steals
   * the lock. `callId`: the call that the user decides on; its turn then continues here. Resolves with the function
   * that releases the lock, or with undefined: the driver keeps the session (`isKept`), or a third tab was faster.
   */
  async takeLock(claim: SessionClaim, callId: CallId | undefined): Promise<(() => void) | undefined> {
    const { locks } = this.#deps
    let release: (() => void) | undefined
    this.#isKept = false
    this.#yieldRequest = dropUndefined({ type: 'yield', keep: callId !== undefined, callId })
    this.#channel.post(this.#yieldRequest)
    for (
      let drivers = 0, driver = NaN;
      release === undefined && !this.#isKept && driver !== this.#epoch && drivers < maxDrivers;
      drivers++
    ) {
      driver = this.#epoch
      release = await lockSession(locks, claim, lockPatience)
    }
    this.#yieldRequest = undefined
    if (release || this.#isKept) return release
    return locks && stealSession(locks, claim).catch(() => undefined)
  }

  /** Stops following the driver. Nothing is posted to the page after it. */
  close(): void {
    this.#lifetime.abort()
    this.#channel.close()
  }

  #receive(message: ChannelMessage): void {
    if (this.#lifetime.signal.aborted || !isFromDriver({ ...message })) return
    if (message.type === 'snapshot') {
      if (!isShownSession(message.session, this.id)) return
      // Another mirror requested this snapshot; the page already has it.
      if (message.session.epoch === this.#epoch && message.seq === this.#seq) return
      const { seq } = message
      const { epoch } = message.session
      if (epoch !== this.#epoch) {
        // A new driver has received nothing that its predecessor got. Its answer is ignored if it has nothing new.
        this.#channel.post({ type: 'hello' })
        if (this.#yieldRequest) this.#channel.post(this.#yieldRequest)
      }
      this.#epoch = epoch
      this.#seq = seq
      this.#show(message.session, seq, true)
      this.#onDriver?.()
    } else if (message.type === 'event') {
      if (!isShownEvent(message.event)) return
      if (message.epoch !== this.#epoch || message.seq > this.#seq + 1) return this.#channel.post({ type: 'hello' })
      if (message.seq <= this.#seq) return
      this.#seq = message.seq
      const { seq, path, event } = message
      this.#shown = this.#shown && reduce(this.#shown, event, path)
      this.#deps.post({ type: 'event', seq, path, event })
    } else if (message.type === 'kept') {
      this.#isKept ||= message.callId === this.#yieldRequest?.callId
    } else if (message.type === 'deleted') {
      this.#deps.deleted()
    }
  }

  #show(session: Session, seq: number, stored: boolean): void {
    this.#shown = session
    this.#deps.post({ type: 'session', session, seq, mode: 'mirror', storage: this.#deps.store.kind, stored })
  }

  /** Shows a turn without a driver as interrupted, so that the page offers to continue it. */
  async #watchDriver(): Promise<void> {
    const { locks, id, limit, store } = this.#deps
    const { signal } = this.#lifetime
    while (locks && !signal.aborted) {
      await untilUndriven(locks, id, signal)
      // If the store cannot be read, the session on screen is shown as interrupted.
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
