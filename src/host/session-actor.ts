// One session under one lease: the lock, the claim in the store, the writer, the turns, and the pages that take part.
// It does not know how many pages there are, and runs without any: join and leave neither start nor stop a turn. Its
// owner, which obtained the lock, decides when it ends. See docs/decisions/0026-actor-and-guests.md.
import { toFailure, type ErrorCode, type Failure } from '../core/data/errors.js'
import type { AgentEvent } from '../core/data/event.js'
import { dropUndefined } from '../core/data/json.js'
import { allToolCalls, type CallId } from '../core/data/message.js'
import { ownsRuns, type ModelAdapter } from '../core/data/model.js'
import type { ExecutionResult, HostMessage, PageMessage } from '../core/data/protocol.js'
import { emptySession, latestToolCalls, type Session } from '../core/data/session.js'
import { recover, resumesByItself, unsavedCallEvents } from '../core/state/recover.js'
import type { Store } from '../core/state/store.js'
import type { Guest } from './guest.js'
import type { HostTools } from './host-tools.js'
import { turnModel } from './models/turn-model.js'
import { prune } from './retention.js'
import { mayUseMemory, SessionWriter } from './session-writer.js'
import { deletedElsewhere, firstEpoch } from './store/epoch-guard.js'
import { SessionChannel, type ChannelMessage } from './tabs/session-channel.js'
import type { Origin } from './tabs/session-lock.js'
import { Turns, type TurnCaller } from './turns.js'

/** How many messages a session opens with. The page requests older ones when the user scrolls to them. */
export const windowSize = 200

/** The page's request to open a session. */
export type OpenMessage = Extract<PageMessage, { type: 'open' }>

/** Errors after which the lease is lost: the session must not be written any more. */
export type FencingCode = 'lost-session' | 'session-deleted' | 'storage'
export const isFencing = (code: ErrorCode): code is FencingCode =>
  code === 'lost-session' || code === 'session-deleted' || code === 'storage'

/** What a session needs from the owner of its lease. */
export interface ActorDeps extends Origin {
  /** Replaces the model that the pages configure. */
  readonly model?: ModelAdapter
  /** Tools that run beside the host. @default none */
  readonly tools?: (actor: SessionActor) => HostTools
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** A random id. An empty prefix gives only the random part. */
  readonly id: (prefix: string) => string
  /** Reports an error to the user that belongs to no turn, also after the session was released. */
  reportThrown(thrown: unknown): void
  /** The lease is lost. The owner must call `abandon`. */
  onLost(actor: SessionActor, code: FencingCode): void
  /** See `TurnsDeps.refusal`. */
  refusal?(): Promise<Failure | undefined>
  /** An event was committed, if it is durable. Called before the pages get it. */
  onEvent?(event: AgentEvent, path: readonly CallId[]): void
  /** No turn runs any more, and no message waits; or the turn only waits for the user. */
  onIdle?(): void
  /** Another tab posted a valid message. */
  onChannelMessage(actor: SessionActor, message: ChannelMessage): void
}

/** Which session to drive, and for which page. */
export interface DriveRequest {
  /** The page that opens the session. It resumes the turn. */
  readonly guest: Guest
  /** The page's `open`. After a takeover: its newest one, without running calls. */
  readonly message: OpenMessage
  /** Where the session is read and written; memory replaces it while it fails. */
  readonly store: Store
  /** Id of the session. It differs from `message.sessionId` if that is absent or belongs to another scope. */
  readonly sessionId: string
  /** Releases the session's lock. */
  readonly release: () => void
  /** Whether the id was made for this request, so that no store can have the session. @default false */
  readonly isNew?: boolean | undefined
  /**
   * Whether an unfinished turn continues here; on a server, unless it was resumed too often without a complete step.
   * @default its mode and the page's `resume` option decide
   */
  readonly keepTurn?: boolean | undefined
}

/** A session that this host may write. */
export class SessionActor {
  readonly #deps: ActorDeps
  readonly #request: DriveRequest
  // Those that have joined. The guest of the request is not one before that.
  readonly #guests = new Set<Guest>()
  // The guest that was told that it drives.
  #shownDriver: Guest | undefined
  /** Holds the session and the store in use. */
  readonly writer: SessionWriter
  /** Its running and its queued turns. */
  readonly turns: Turns
  /** Other tabs that show the session. */
  readonly channel: SessionChannel
  /** Why the store could not write the claim; the session then continues in memory. */
  readonly failure: Failure | undefined
  readonly #tools: HostTools | undefined

  /**
   * Claims the session, whose lock the owner holds; emits no event. If the database of a browser cannot write the claim
   * (its disk is full), the session continues in memory. So does a new session if it cannot even be read.
   * @throws what `Store.claim` throws, except there a failed write of an otherwise readable session.
   */
  static async open(deps: ActorDeps, request: DriveRequest): Promise<SessionActor> {
    const { message, store, sessionId, isNew } = request
    let failure: Failure | undefined
    const { epoch, session: stored } = await store.claim(sessionId, windowSize).catch(async (thrown: unknown) => {
      failure = toFailure(thrown, 'storage')
      if (failure.code !== 'storage' || !mayUseMemory(store)) throw thrown
      const session = isNew ? undefined : await store.read(sessionId, windowSize)
      return { epoch: session?.epoch ?? firstEpoch(), session }
    })
    const session = { ...(stored ?? emptySession(sessionId, message.scope, deps.now(), message.toolContext)), epoch }
    const actor = new SessionActor(deps, request, session, stored !== undefined, failure)
    if (failure) await actor.writer.useMemory()
    return actor
  }

  private constructor(
    deps: ActorDeps,
    request: DriveRequest,
    session: Session,
    isStored: boolean,
    failure: Failure | undefined,
  ) {
    const { model, now } = deps
    this.#deps = deps
    this.#request = request
    this.failure = failure
    this.channel = new SessionChannel(deps.channels, session.id, (message) => deps.onChannelMessage(this, message))
    let isCounted = isStored
    const writer = new SessionWriter(session, isStored, request.store, now, (seq, path, event) => {
      // A new session counts towards `maxSessions` from its first commit.
      if (!isCounted && writer.stored) {
        isCounted = true
        this.#prune()
      }
      deps.onEvent?.(event, path)
      this.post({ type: 'event', seq, path, event })
      // Posting costs a tenth of a model step. Start and end of a turn show each mirror that it has missed events.
      if (this.channel.isWatched || event.type.startsWith('turn-'))
        this.channel.post({ type: 'event', epoch: writer.session.epoch, seq, path, event })
    })
    this.writer = writer
    const guest = () => this.turns.guest
    this.#tools = deps.tools?.(this)
    this.turns = new Turns(
      {
        ...deps,
        tools: this.#tools,
        writer,
        model: turnModel({
          given: model,
          guest,
          now,
          show: (event, path) => {
            if (guest().config.debug) writer.emit(event, path).catch(() => undefined)
          },
        }),
        hasOwnModel: model !== undefined,
        present: (one) => (this.#guests.has(one) ? one : ([...this.#guests][0] ?? one)),
        isWatched: () => [...this.#guests].some(({ isConnected }) => isConnected),
        driverChanged: () => this.#showDriver(),
        idle: () => deps.onIdle?.(),
        report: (error, caller) => this.#report(error, caller),
      },
      request.guest,
    )
  }

  /**
   * A page takes part: it gets the session as it is, and then every event. The driver gets it in the mode `drive`, and
   * again when that changes. `running`: the calls that it still runs for an earlier host; `outcomes`: those that it has
   * the outcome of.
   */
  join(guest: Guest, running: readonly CallId[], outcomes: readonly ExecutionResult[]): void {
    this.#guests.add(guest)
    for (const callId of running) if (!this.turns.isHostCall(callId)) this.turns.knownCalls.add(callId)
    for (const outcome of outcomes) this.turns.outcome(outcome)
    const isDriver = this.turns.driver === guest
    if (isDriver) this.#shownDriver = guest
    this.#show(guest, isDriver)
  }

  /** A page takes part no more. Turns go on, also without any; another page drives from the next step on. */
  leave(guest: Guest): void {
    this.#guests.delete(guest)
    this.#showDriver()
  }

  /** Whether any page takes part. */
  get hasGuests(): boolean {
    return this.#guests.size > 0
  }

  #show(guest: Guest, isDriver: boolean): void {
    const { shown, seq, store, stored } = this.writer
    const mode = isDriver ? 'drive' : 'mirror'
    guest.post({ type: 'session', session: shown, seq, mode, storage: store.kind, stored })
  }

  /** Tells the page that drives now, and the one that did before. */
  #showDriver(): void {
    const [before, driver] = [this.#shownDriver, this.turns.driver]
    if (before === driver) return
    this.#shownDriver = driver
    for (const guest of [before, driver]) if (guest && this.#guests.has(guest)) this.#show(guest, guest === driver)
  }

  /** Posts to every page that takes part. */
  post(message: HostMessage): void {
    for (const guest of this.#guests) guest.post(message)
  }

  /**
   * Closes or resumes what an earlier host left open. Must run once, before the first turn. `signal`: the page that
   * opens the session goes.
   */
  async recover(signal: AbortSignal): Promise<void> {
    const { writer } = this
    const { now } = this.#deps
    const { context } = writer.session
    if (!isAtRest(writer.session)) await this.#settle(signal)
    if (writer.store.kind === 'server') this.turns.restore()
    const given = Object.entries(context).map(([key, value]) => dropUndefined({ key, value }))
    if (!writer.stored && given.length > 0) await writer.emit({ type: 'context-change', at: now(), context: given })
    this.#prune()
  }

  /** Emits the events that make the session a valid history again, and resumes its turn or not. */
  async #settle(signal: AbortSignal): Promise<void> {
    const { writer, turns } = this
    const { now, id } = this.#deps
    const { guest, message, keepTurn } = this.#request
    const unsavedCalls = await guest.queries.ask({ type: 'unsaved', sessionId: writer.session.id }, signal)
    const { session } = writer
    // A stepped turn never resumes: its caller was in another page. After a takeover the caller decides, because a
    // duplicated tab has the tab id of the driver. A server resumes without a person, so there a turn whose step cannot
    // be stored ends, too: it would call the model again each time.
    const { turn, status } = session
    const isServer = writer.store.kind === 'server'
    const isEndless = isServer && turn && !resumesByItself(session, 'auto', turn.tab, turn.lastAt)
    // A run that a server owns is not started again: only calls of this page are left to do.
    const isInRun = ownsRuns(message.config) && latestToolCalls(session).every(({ result }) => result)
    const goOn =
      turn?.mode !== 'manual' &&
      !isEndless &&
      !isInRun &&
      (keepTurn ?? resumesByItself(session, message.config.resume, message.tab, now()))
    // Who takes the session over in another tab has not seen what was allowed there.
    if (keepTurn && session.turn?.taskGrants) await writer.emit({ type: 'grants-end', at: now() })
    for (const event of unsavedCallEvents(session, unsavedCalls, now(), id('msg'))) await writer.emit(event)
    const isOwn = (name: string) => this.#tools?.has(name) === true
    const options = { at: now(), goOn, known: turns.knownCalls, left: message.left, boundary: id(''), isOwn }
    for (const { event, path } of recover(writer.session, options)) await writer.emit(event, path)
    const left = writer.session.turn
    // To ask the user again calls no model, and a session on a server ends while it waits for them.
    const isCounted = !isServer || status !== 'awaiting-approval'
    if (goOn && left) turns.resume(left, isCounted ? left.resumes + 1 : left.resumes)
  }

  /** Ends the lease: stops the turn, saves the session and releases it. */
  async end(kind: 'stopped' | 'interrupted' | 'closed'): Promise<void> {
    await this.turns.stop(kind)
    await this.writer.save()
    this.channel.close()
    this.#request.release()
  }

  /** The lease is lost: stops the turn without writing, and releases the lock. */
  abandon(): void {
    void this.turns.stop('closed')
    this.channel.close()
    this.#request.release()
  }

  /** Shows the end of a turn that can no longer be written. */
  endLocally(error: Failure): void {
    for (const message of this.writer.endLocally(error)) this.post(message)
  }

  #report(error: Failure, caller: TurnCaller | undefined): void {
    const { code } = error
    // The end of the turn carries this error to the caller of the turn.
    if (code === 'session-deleted' && caller && this.writer.session.turn?.id === caller.turn)
      this.endLocally(deletedElsewhere)
    else (caller?.guest ?? this).post(dropUndefined({ type: 'error', error, turn: caller?.turn }))
    if (isFencing(code)) this.#deps.onLost(this, code)
  }

  /** Deletes sessions as the page's `retention` option says. Does not wait for it. */
  #prune(): void {
    const { guest, message, store, sessionId } = this.#request
    const { now, reportThrown } = this.#deps
    const { retention } = guest.config
    if (retention) prune(store, this.#deps, message.scope, retention, sessionId, now()).catch(reportThrown)
  }
}

/** Whether nothing has to be recovered: no turn is running and no call is open, as after a crash or damage. */
function isAtRest({ turn, messages }: Session): boolean {
  return turn === undefined && allToolCalls(messages).every(({ part }) => part.result)
}
