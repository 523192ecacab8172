// The only code that writes the session that is driven; a stored one that nobody drives is renamed, imported and
// deleted by a request. It handles one event at a time: reduce, commit, post. `emit` resolves after the commit, so the
// turn loop writes ahead without knowing about a database. Only a request to a model may be built from events whose
// commit has not ended (`ahead`).
import { errorMessage, toErrorValue, toFailure, type Failure } from '../core/data/errors.js'
import { isDurable, type AgentEvent } from '../core/data/event.js'
import { allToolCalls, type CallId } from '../core/data/message.js'
import { dropUndefined, isObject } from '../core/data/json.js'
import { maxJsonChars } from '../core/data/plain-json.js'
import type { HostMessage } from '../core/data/protocol.js'
import { failedResult } from '../core/prompt/compose-result.js'
import { reduce } from '../core/state/reduce.js'
import { latestSummary, type Draft, type Session, type Turn } from '../core/data/session.js'
import { isSessionMissing, storeChangeFor, type Store, type StoreChange } from '../core/state/store.js'
import { copyToDisk, copyToMemory } from './store/memory-store.js'

/** The draft is stored after this many milliseconds … */
const checkpointMs = 500
/** … or after this many new characters, whichever comes first. */
const checkpointChars = 2_048

/**
 * Receives each event after its commit. `seq` grows by one per event. `path`: the calls of agents that it belongs in.
 */
export type PostEvent = (seq: number, path: readonly CallId[], event: AgentEvent) => void

/**
 * Writes one session into one store, and into memory after the database of a browser has failed. Once the disk was
 * full, the session stays in memory. After any other failure it is written to the store again: once, and while no turn
 * runs. The store of a server is never replaced: what is not committed there is an error, and not a second history.
 */
export class SessionWriter {
  #session: Session
  #seq = 0
  #store: Store
  #stored: boolean
  readonly #post: PostEvent
  readonly #now: () => number
  // Events wait here for the previous one, so that no two commits overlap.
  #chain: Promise<void> = Promise.resolve()
  // The events in the chain, oldest first.
  readonly #uncommitted = new Set<{ readonly event: AgentEvent; readonly path: readonly CallId[] }>()
  // `ahead`, until an event is emitted or committed.
  #ahead: Session | undefined
  // Set when another host took or deleted the session: nothing may be written from then on.
  #lost: unknown
  // The store to which a session in memory returns when no turn runs.
  #disk: Store | undefined
  // Absolute index of the first message that could be copied to memory. Earlier ones exist in the failed store only.
  #firstCopied = 0
  // `start` of the session as it was opened. Messages before it were read for the model and are not shown.
  readonly #shownFrom: number
  #checkpointAt = 0
  #uncheckpointed = 0
  // Characters of the draft so far.
  #draftLength = 0
  // Stores the draft when the model pauses and no further event triggers a checkpoint.
  #pauseTimer: ReturnType<typeof setTimeout> | undefined

  /** @param stored whether `store` has a record of the session; without one, the first commit creates it. */
  constructor(session: Session, stored: boolean, store: Store, now: () => number, post: PostEvent) {
    this.#session = session
    this.#shownFrom = session.start
    this.#stored = stored
    this.#store = store
    this.#now = now
    this.#post = post
  }

  /** The session as of the newest event that is committed. */
  get session(): Session {
    return this.#session
  }

  /** The session as of the newest event. A commit may fail, so nobody may be shown it, and no call may run for it. */
  get ahead(): Session {
    const added = [...this.#uncommitted]
    if (added.length === 0) return this.#session
    this.#ahead ??= added.reduce((session, { event, path }) => reduce(session, event, path), this.#session)
    return this.#ahead
  }

  /** Number of the newest event. A snapshot carries it, so that a receiver knows which events the snapshot includes. */
  get seq(): number {
    return this.#seq
  }

  /** The store in use: the given one, or memory after that one failed. */
  get store(): Store {
    return this.#store
  }

  /** Whether a record of the session exists. */
  get stored(): boolean {
    return this.#stored
  }

  /** The session as a page shows it: without the messages that were read for the model only. */
  get shown(): Session {
    const { start, messages } = this.#session
    return start < this.#shownFrom
      ? { ...this.#session, start: this.#shownFrom, messages: messages.slice(this.#shownFrom - start) }
      : this.#session
  }

  /**
   * Resolves when the event is reduced, committed if it is durable, and posted.
   * @throws `lost-session` or `session-deleted` when another host took or deleted the session; `storage` when neither
   * the store nor memory can hold it. Every later `emit` rejects in the same way.
   */
  emit(event: AgentEvent, path: readonly CallId[] = []): Promise<void> {
    const entry = { event, path }
    this.#uncommitted.add(entry)
    this.#ahead = undefined
    // Called as soon as the session contains it.
    const onApplied = () => {
      this.#uncommitted.delete(entry)
      this.#ahead = undefined
    }
    const done = this.#chain.then(() => this.#apply(event, path, onApplied))
    this.#chain = done.catch(() => undefined) // The caller receives the error through `done`.
    return done
  }

  /** Resolves when every earlier event is committed. Throws as `emit` does. */
  async committed(): Promise<void> {
    await this.#chain
    if (this.#lost !== undefined) throw this.#lost
  }

  /** Whether the messages that the model needs are loaded. Otherwise the first event of the turn loads them. */
  isLoaded(turn: Turn): boolean {
    return this.#neededFrom(turn) >= this.#session.start
  }

  /**
   * Resolves when every earlier event is handled and the draft is stored. A session in memory is written to its store,
   * if it may return there. Never rejects. No turn may run here afterwards.
   */
  save(): Promise<void> {
    return (this.#chain = this.#chain.then(() => this.#saveDraft()).then(() => this.#saveMemory(this.#session)))
  }

  /**
   * Moves a session that began in memory to `store`, which became available later: now, or when the running turn ends.
   * A session that `store` already knows is not overwritten; then memory stays in use.
   */
  async moveTo(store: Store): Promise<void> {
    const { id } = this.#session
    if (this.#store.kind !== 'memory' || !(await isSessionMissing(store, id))) return
    await store.claim(id, 0)
    this.#disk = store
    await (this.#chain = this.#chain.then(() => (this.#session.turn ? undefined : this.#saveMemory(this.#session))))
  }

  /** Continues in memory, with a copy of everything that the store can still read. */
  async useMemory(): Promise<void> {
    const { store, first } = await copyToMemory(this.#session, this.#store)
    this.#store = store
    this.#firstCopied = first
  }

  /**
   * Ends the turn of a session that can no longer be written: open calls fail as `interrupted`, then the turn ends with
   * `error`. Changes this copy only, never the store. Returns the messages for this page; other tabs must not get them.
   */
  endLocally(error: Failure): HostMessage[] {
    const { turn, messages } = this.#session
    if (turn === undefined) return []
    const at = this.#now()
    const shown: HostMessage[] = []
    const add = (event: AgentEvent, path: readonly CallId[] = []) => {
      shown.push({ type: 'event', seq: ++this.#seq, path, event })
      this.#session = reduce(this.#session, event, path)
    }
    const result = failedResult({ code: 'interrupted', message: error.message }, at)
    for (const { part, path } of allToolCalls(messages))
      if (part.result === undefined) add({ type: 'tool-result', at, callId: part.call.id, result }, path)
    add({ type: 'turn-end', at, turn: turn.id, reason: 'error', error })
    // The host reports `error` itself, so the session that is shown afterwards must not contain it.
    const { end: _end, ...session } = this.#session
    this.#session = session
    return shown
  }

  async #apply(event: AgentEvent, path: readonly CallId[], onApplied: () => void): Promise<void> {
    if (this.#lost !== undefined) throw this.#lost
    if (event.type === 'turn-start' && path.length === 0) await this.#readOlder(event.turn)
    const next = reduce(this.#session, event, path)
    if (isDurable(event)) {
      // A turn that has only just begun does not run yet.
      const isIdle = this.#session.turn === undefined || next.turn === undefined
      await this.#commit(storeChangeFor(this.#session, next, event), isIdle ? next : undefined)
      this.#resetCheckpoint()
    } else if (next.draft !== this.#session.draft && next.draft !== undefined) {
      await this.#checkpoint(event, next.draft)
    }
    this.#session = next
    onApplied()
    this.#post(++this.#seq, path, withoutLongTexts(event))
  }

  /** The absolute index of the first message that the model needs: the one after the newest summary. */
  #neededFrom({ first }: Turn): number {
    return Math.max(this.#firstCopied, Math.min(latestSummary(this.#session)?.upTo ?? 0, first))
  }

  /** Reads the messages that the model needs and the page did not open with. */
  async #readOlder(turn: Turn): Promise<void> {
    const { id, start, messages } = this.#session
    const from = this.#neededFrom(turn)
    if (from >= start) return
    // If the read fails, this turn runs with the messages at hand, and the next turn reads again.
    const found = await this.#store.read(id, start + messages.length - from).catch(() => undefined)
    if (found === undefined || found.start >= start) return
    const older = found.messages.slice(Math.max(0, this.#firstCopied - found.start), start - found.start)
    this.#session = { ...this.#session, start: start - older.length, messages: [...older, ...messages] }
    this.#ahead = undefined
  }

  async #checkpoint(event: AgentEvent, draft: Draft): Promise<void> {
    if (event.type === 'step-start') {
      this.#checkpointAt = this.#now()
      this.#draftLength = 0
    }
    const added = 'delta' in event ? event.delta.length : 0
    this.#uncheckpointed += added
    this.#draftLength += added
    if (this.#uncheckpointed === 0) return
    // Each checkpoint writes the whole draft. The interval grows with the draft, or a long answer is written too often.
    const isDue =
      this.#uncheckpointed > Math.max(checkpointChars, this.#draftLength / 8) ||
      this.#now() - this.#checkpointAt > checkpointMs
    if (isDue) {
      this.#resetCheckpoint()
      await this.#commit({ draft })
    } else {
      this.#pauseTimer ??= setTimeout(() => {
        this.#chain = this.#chain.then(() => this.#saveDraft())
      }, checkpointMs)
    }
  }

  #resetCheckpoint(): void {
    this.#checkpointAt = this.#now()
    this.#uncheckpointed = 0
    clearTimeout(this.#pauseTimer)
    this.#pauseTimer = undefined
  }

  /** Stores the draft if it changed. Does not reject: the next event fails in the same way and reports the error. */
  async #saveDraft(): Promise<void> {
    const { draft } = this.#session
    const isSaved = this.#uncheckpointed === 0
    this.#resetCheckpoint()
    if (!isSaved && draft && this.#lost === undefined) await this.#commit({ draft }).catch(() => undefined)
  }

  /**
   * Writes a change, into memory if the store fails. `idle`: the session after the change, if no turn runs; it may then
   * return from memory to the disk.
   */
  async #commit(change: StoreChange, idle?: Session): Promise<void> {
    const { id, epoch } = this.#session
    const store = this.#store
    let error: Failure | undefined
    try {
      await store.commit(id, epoch, change)
    } catch (thrown) {
      error = toFailure(thrown, 'storage')
      if (error.code !== 'storage' || !mayUseMemory(store)) throw (this.#lost = toErrorValue(error, thrown))
      try {
        await this.useMemory()
        await this.#store.commit(id, epoch, change)
      } catch (cause) {
        const message = `${error.message} ${errorMessage(cause)}`
        throw (this.#lost = toErrorValue({ code: 'storage', message }, cause))
      }
      // A full disk may have room for one part and not for the next, so the session would move to and fro.
      this.#disk = isFull(error) ? undefined : store
    }
    this.#stored = true
    if (idle) await this.#returnToDisk(idle)
    if (this.#store.kind !== store.kind) this.#postStorage(error)
  }

  /** `#returnToDisk` outside of a commit. */
  async #saveMemory(session: Session): Promise<void> {
    if (this.#stored && (await this.#returnToDisk(session))) this.#postStorage()
  }

  /**
   * Writes a session that is in memory to the disk, if it may return there. Tries once. `session`: as of the newest
   * commit. Resolves with true if it is on the disk now.
   */
  async #returnToDisk(session: Session): Promise<boolean> {
    const disk = this.#disk
    this.#disk = undefined
    if (disk === undefined || this.#lost !== undefined) return false
    try {
      await copyToDisk(session, { store: this.#store, first: this.#firstCopied }, disk)
    } catch {
      return false // It stays in memory, and the user is told so.
    }
    this.#store = disk
    this.#firstCopied = 0
    return true
  }

  #postStorage(error?: Failure): void {
    const { kind } = this.#store
    this.#post(++this.#seq, [], dropUndefined({ type: 'storage-change', storage: kind, error }))
  }
}

/** Whether a session continues in memory when its store fails. */
export function mayUseMemory({ kind }: Store): boolean {
  return kind === 'indexeddb'
}

/** Whether a write failed because the disk has no room. */
function isFull({ details }: Failure): boolean {
  return isObject(details) && details['name'] === 'QuotaExceededError'
}

/** An event as it is posted: without texts of many megabytes. The page has made them, and the store has them. */
function withoutLongTexts(event: AgentEvent): AgentEvent {
  if (event.type !== 'tool-result') return event
  const { wholeOutput: _output, whole, ...rest } = event
  return whole === undefined || whole.length > maxJsonChars ? rest : { ...rest, whole }
}
