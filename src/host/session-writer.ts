// The only writer of a session: reduce, commit, post, in this order and one event at a time. What `emit` promises is
// kept here: it resolves when the event is on disk, so the loop is write-ahead without knowing of a database.
import { toFailure, ToolAgentError, type Failure } from '../core/data/errors.js'
import { isDurable, type AgentEvent } from '../core/data/event.js'
import { allToolCalls, type CallId } from '../core/data/message.js'
import { reduce } from '../core/state/reduce.js'
import { latestSummary, type Session, type Turn } from '../core/data/session.js'
import { storeChangeFor, sessionHeadOf, type Store, type StoreChange } from '../core/data/store.js'
import { memoryStore } from './store/memory-store.js'

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
  // What memory stands in for, and the first message that memory has: what could not be read then stays as it is there.
  #disk: Store | undefined
  #from = 0
  // Where what a page opened with begins: what was read for the model alone is before it.
  readonly #opened: number
  #checkpointAt = 0
  #uncheckpointed = 0
  // Characters of the draft so far.
  #drafted = 0
  // A model may pause: what it said is kept without a word behind it, too.
  #pause: ReturnType<typeof setTimeout> | undefined

  constructor(session: Session, stored: boolean, store: Store, now: () => number, post: PostEvent) {
    this.session = session
    this.#opened = session.start
    this.stored = stored
    this.store = store
    this.#now = now
    this.#post = post
  }

  /** The session as a page shows it: without what was read for the model alone. */
  get shown(): Session {
    const { start, messages } = this.session
    return start < this.#opened
      ? { ...this.session, start: this.#opened, messages: messages.slice(this.#opened - start) }
      : this.session
  }

  /** Resolves when the event is reduced, committed where durable, and posted. */
  emit(event: AgentEvent, path: readonly CallId[] = []): Promise<void> {
    const done = this.#chain.then(() => this.#apply(event, path))
    this.#chain = done.catch(() => undefined) // Reported to whoever emitted.
    return done
  }

  /** Resolves when everything emitted so far is done, the draft is kept, and what memory holds is on the disk, where there is room again. */
  save(): Promise<void> {
    return (this.#chain = this.#chain
      .then(() => this.#keep())
      .then(() => (this.#lost === undefined ? this.#fromMemory() : undefined)))
  }

  /** Memory stood in for this store from the beginning, and it can be had now; a session that it knows is not written over. */
  async moveTo(disk: Store): Promise<void> {
    if (
      this.store.kind === 'memory' &&
      (await disk.read(this.session.id, 0).then(
        (found) => found === undefined,
        () => false,
      ))
    )
      this.#disk = disk
    await this.save()
  }

  async #apply(event: AgentEvent, path: readonly CallId[]): Promise<void> {
    if (this.#lost !== undefined) throw this.#lost
    if (event.type === 'turn-start') await this.#fromMemory()
    if (event.type === 'turn-start' && path.length === 0) await this.#readBack(event.turn)
    const next = reduce(this.session, event, path)
    if (isDurable(event)) {
      await this.#commit(storeChangeFor(this.session, next, event))
      this.#checkpointed()
    } else if (next.draft !== this.session.draft && next.draft !== undefined) {
      await this.#checkpoint(event, next)
    }
    // A fallback to memory claims anew while this event is under way.
    this.session = this.session.epoch === next.epoch ? next : { ...next, epoch: this.session.epoch }
    this.#post(++this.seq, path, event)
  }

  /** A session opens with its newest messages, and a request holds all of them behind the newest note. */
  async #readBack({ first }: Turn): Promise<void> {
    const { id, start, messages } = this.session
    const from = Math.max(this.#from, Math.min(latestSummary(this.session)?.upTo ?? 0, first))
    if (from >= start) return
    // Where that fails, the turn goes on with what there is, and the next one reads again.
    const found = await this.store.read(id, start + messages.length - from).catch(() => undefined)
    if (found === undefined || found.start >= start) return
    const older = found.messages.slice(Math.max(0, this.#from - found.start), start - found.start)
    this.session = { ...this.session, start: start - older.length, messages: [...older, ...messages] }
  }

  async #checkpoint(event: AgentEvent, next: Session): Promise<void> {
    if (event.type === 'step-start') {
      this.#checkpointAt = this.#now()
      this.#drafted = 0
    }
    const added = 'delta' in event ? event.delta.length : 0
    this.#uncheckpointed += added
    this.#drafted += added
    // A checkpoint writes the whole draft: as it grows, the steps do too, or a long answer is written hundreds of times.
    const isDue =
      this.#uncheckpointed > Math.max(checkpointChars, this.#drafted / 8) ||
      this.#now() - this.#checkpointAt > checkpointMs
    if (!isDue && this.#uncheckpointed > 0)
      this.#pause ??= setTimeout(() => {
        this.#chain = this.#chain.then(() => this.#keep())
      }, checkpointMs)
    if (!isDue || this.#uncheckpointed === 0 || next.draft === undefined) return
    this.#checkpointed()
    await this.#commit({ draft: next.draft })
  }

  #checkpointed(): void {
    this.#checkpointAt = this.#now()
    this.#uncheckpointed = 0
    clearTimeout(this.#pause)
    this.#pause = undefined
  }

  /** Keeps what there is of the draft; where that fails, the next event is told so. */
  async #keep(): Promise<void> {
    const { draft } = this.session
    const isKept = this.#uncheckpointed === 0
    this.#checkpointed()
    if (!isKept && draft && this.#lost === undefined) await this.#commit({ draft }).catch(() => undefined)
  }

  async #commit(change: StoreChange): Promise<void> {
    try {
      await this.store.commit(this.session.id, this.session.epoch, change)
    } catch (thrown) {
      const failure = toFailure(thrown, 'storage')
      if (failure.code !== 'storage' || this.store.kind === 'memory') {
        this.#lost = thrown instanceof ToolAgentError ? thrown : new ToolAgentError(failure.code, failure.message)
        throw this.#lost
      }
      // Cleared by the browser, not by the user: what is here is written anew.
      const isGone = await this.store.read(this.session.id, 0).then(
        (found) => found === undefined,
        () => false,
      )
      if (
        !isGone ||
        !(await this.#move(this.store, change).then(
          () => true,
          () => false,
        ))
      )
        await this.#toMemory(change, failure)
    }
    this.stored = true
  }

  /** Writes the whole session and a change of it into a store, and stays there. */
  async #move(to: Store, change: StoreChange): Promise<void> {
    const { id, start } = this.session
    const from = this.store
    const older = start <= this.#from ? [] : await from.messages(id, start, start - this.#from).catch(() => [])
    const { epoch } = await to.claim(id, 0)
    const session = { ...this.session, epoch }
    const messages = [...older, ...session.messages].map((message, place) => ({
      index: start - older.length + place,
      message,
    }))
    await to.commit(id, epoch, { head: sessionHeadOf(session), messages })
    for (const {
      part: { call, result },
    } of allToolCalls(messages.map(({ message }) => message))) {
      const value = result?.cut ? await from.result(id, call.id).catch(() => undefined) : undefined
      if (value !== undefined) await to.commit(id, epoch, { result: { callId: call.id, value } })
    }
    await to.commit(id, epoch, change.head ? { ...change, head: { ...change.head, epoch } } : change)
    this.session = session
    this.store = to
    this.#from = start - older.length
  }

  /** Memory stands in for the store, with all that can be read there. */
  async standIn(change: StoreChange = {}): Promise<void> {
    const disk = this.store
    this.#from = 0
    await this.#move(memoryStore(), change)
    this.#disk = disk
  }

  /** There may be room again by the next turn. */
  async #fromMemory(): Promise<void> {
    const disk = this.#disk
    if (
      disk === undefined ||
      !(await this.#move(disk, {}).then(
        () => true,
        () => false,
      ))
    )
      return
    this.#disk = undefined
    this.#from = 0
    this.#post(++this.seq, [], { type: 'storage-change', storage: disk.kind })
  }

  /** The disk is full or gone: the work goes on in memory, and says so. */
  async #toMemory(change: StoreChange, error: Failure): Promise<void> {
    try {
      await this.standIn(change)
    } catch (thrown) {
      this.#lost = thrown
      throw thrown
    }
    this.#post(++this.seq, [], { type: 'storage-change', storage: 'memory', error })
  }
}
