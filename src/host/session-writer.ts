// The only writer of a session: reduce, commit, post, in this order and one event at a time. What `emit` promises is
// kept here: it resolves when the event is on disk, so the loop is write-ahead without knowing of a database.
import { failureOf, ToolAgentError, type Failure } from '../core/errors.js'
import { isDurable, type AgentEvent } from '../core/event.js'
import type { CallId } from '../core/message.js'
import { reduce } from '../core/reduce.js'
import type { Session } from '../core/session.js'
import { changeOf, headOf, type Store, type StoreChange } from '../core/store.js'
import { memoryStore } from './store/memory.js'

const checkpointMs = 500
const checkpointChars = 2_048

export type PostEvent = (seq: number, path: readonly CallId[], event: AgentEvent) => void

export class SessionWriter {
  /** The session as of the newest event. */
  session: Session
  /** Number of the newest event; a snapshot says which events it holds. */
  seq = 0
  store: Store
  /** Whether a record of it exists; a session is created at its first event. */
  stored: boolean
  readonly #post: PostEvent
  readonly #now: () => number
  // Events that came before it is done wait here, so that no two commits overlap.
  #chain: Promise<void> = Promise.resolve()
  // Set when another host took the session or deleted it: nothing may be written from then on.
  #lost: unknown
  #checkpointAt = 0
  #uncheckpointed = 0

  constructor(session: Session, stored: boolean, store: Store, now: () => number, post: PostEvent) {
    this.session = session
    this.stored = stored
    this.store = store
    this.#now = now
    this.#post = post
  }

  /** Resolves when the event is reduced, committed where durable, and posted. */
  emit(event: AgentEvent, path: readonly CallId[] = []): Promise<void> {
    const done = this.#chain.then(() => this.#apply(event, path))
    this.#chain = done.catch(() => undefined) // Reported to whoever emitted.
    return done
  }

  /** Resolves when everything emitted so far is done. */
  settled(): Promise<void> {
    return this.#chain
  }

  async #apply(event: AgentEvent, path: readonly CallId[]): Promise<void> {
    if (this.#lost !== undefined) throw this.#lost
    const next = reduce(this.session, event, path)
    if (isDurable(event)) {
      await this.#commit(changeOf(this.session, next, event))
      this.#uncheckpointed = 0
    } else if (next.draft !== this.session.draft && next.draft !== undefined) {
      await this.#checkpoint(event, next)
    }
    // A fallback to memory claims anew while this event is under way.
    this.session = this.session.epoch === next.epoch ? next : { ...next, epoch: this.session.epoch }
    this.#post(++this.seq, path, event)
  }

  async #checkpoint(event: AgentEvent, next: Session): Promise<void> {
    if (event.type === 'step-start') this.#checkpointAt = this.#now()
    this.#uncheckpointed += 'delta' in event ? event.delta.length : 0
    const isDue = this.#uncheckpointed > checkpointChars || this.#now() - this.#checkpointAt > checkpointMs
    if (!isDue || this.#uncheckpointed === 0 || next.draft === undefined) return
    this.#checkpointAt = this.#now()
    this.#uncheckpointed = 0
    await this.#commit({ draft: next.draft })
  }

  async #commit(change: StoreChange): Promise<void> {
    try {
      await this.store.commit(this.session.id, this.session.epoch, change)
    } catch (thrown) {
      const failure = failureOf(thrown, 'storage')
      if (failure.code !== 'storage' || this.store.kind === 'memory') {
        this.#lost = thrown instanceof ToolAgentError ? thrown : new ToolAgentError(failure.code, failure.message)
        throw this.#lost
      }
      await this.#toMemory(change, failure)
    }
    this.stored = true
  }

  /** The disk is full or gone: the work goes on in memory, and says so. */
  async #toMemory(change: StoreChange, error: Failure): Promise<void> {
    const store = memoryStore()
    const { epoch } = await store.claim(this.session.id, 0)
    const session = { ...this.session, epoch }
    const messages = session.messages.map((message, index) => ({ index: session.start + index, message }))
    try {
      await store.commit(session.id, epoch, { head: headOf(session), messages })
      await store.commit(session.id, epoch, change.head ? { ...change, head: { ...change.head, epoch } } : change)
    } catch (thrown) {
      this.#lost = thrown
      throw thrown
    }
    this.session = session
    this.store = store
    this.#post(++this.seq, [], { type: 'storage-change', storage: 'memory', error })
  }
}
