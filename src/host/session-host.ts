// The state machine of one port: which session its page has, and whether the page drives it or shows what another tab
// drives. The page is the only guest of the session that it drives, so when it leaves, that session is released.
// Transitions (open, take over, yield, lose, close) run one after another, so no two of them can interleave.
import { toErrorValue, toFailure, ToolAgentError, type Failure } from '../core/data/errors.js'
import { formatId } from '../core/data/ids.js'
import { fingerprint } from '../core/state/fingerprint.js'
import { dropUndefined } from '../core/data/json.js'
import type { CallId } from '../core/data/message.js'
import type { ModelAdapter } from '../core/data/model.js'
import {
  protocolVersion,
  type ExecutionResult,
  type HostConfig,
  type PageMessage,
  type RequestMessage,
} from '../core/data/protocol.js'
import { emptySession, type Session } from '../core/data/session.js'
import { isSessionMissing, type Store } from '../core/state/store.js'
import type { Guest } from './guest.js'
import { warmUp } from './models/resolve-model.js'
import { answerRequest, type StoreRequest } from './requests.js'
import {
  isFencing,
  SessionActor,
  windowSize,
  type ActorDeps,
  type DriveRequest,
  type FencingCode,
  type OpenMessage,
} from './session-actor.js'
import { deletedElsewhere, drivenElsewhere } from './store/epoch-guard.js'
import { Mirror } from './tabs/mirror.js'
import type { ChannelMessage } from './tabs/session-channel.js'
import { lockOrSteal, lockPatience, type Origin, type SessionClaim } from './tabs/session-lock.js'

/** What the host does with its session. Only these combinations exist. */
type HostState =
  /** No session: before the first `open`, during a transition, and after `close`. */
  | { readonly at: 'closed' }
  /** This page runs the turns and writes. */
  | { readonly at: 'driving'; readonly actor: SessionActor }
  /** Another tab drives the session and this page shows it. */
  | { readonly at: 'mirroring'; readonly mirror: Mirror }
  /** The session was deleted or cannot be stored; nothing can run until another one is opened. */
  | { readonly at: 'gone'; readonly failure: Failure }

/** What a session host needs from the thread it runs on. */
export interface SessionHostDeps extends Origin {
  /** Replaces the model that the page configures. */
  readonly model?: ModelAdapter
  /** The store of all sessions. If the promise rejects, opening a session fails with that error. */
  readonly store: Store | Promise<Store>
  /** The page. The host closes its queries when it ends. */
  readonly guest: Guest
}

const notStorable: Failure = {
  code: 'storage',
  message: 'This session can no longer be stored. Start a new one.',
}

const closed: HostState = { at: 'closed' }

const now = (): number => Date.now()

/**
 * The host of one page. It has no session at first. Errors are posted to the page, except where a method returns a
 * promise.
 */
export class SessionHost {
  readonly #deps: SessionHostDeps
  readonly #guest: Guest
  readonly #actorDeps: ActorDeps
  #state: HostState = closed
  // A takeover opens the session with it again.
  #newestOpen: OpenMessage | undefined
  #store: Promise<Store>
  // The reason for a store in memory is reported once.
  #isStoreReported = false
  // The end of the last transition. The next one starts after it.
  #transitions: Promise<unknown> = Promise.resolve()
  readonly #closing = new AbortController()

  constructor(deps: SessionHostDeps) {
    this.#deps = deps
    this.#guest = deps.guest
    this.#actorDeps = {
      ...deps,
      now,
      id: (prefix) => `${prefix}${prefix && '_'}${formatId(crypto.getRandomValues(new Uint8Array(16)))}`,
      reportThrown: (thrown) => this.#reportThrown(thrown),
      onLost: (actor, code) => this.#transition(() => this.#lose(actor, code)),
      onChannelMessage: (actor, message) => this.#onChannelMessage(actor, message),
    }
    this.#store = Promise.resolve(deps.store)
    void this.#store.then(({ later }) => later && this.#adoptStore(later)).catch(() => undefined)
  }

  /** Leaves the present session and opens another one. */
  open(message: OpenMessage): void {
    this.#transition(() => this.#open(message))
  }

  /** Replaces the configuration, from the next step on. */
  configure(config: HostConfig): void {
    this.#guest.config = config
    if (!this.#deps.model) warmUp(config)
  }

  /** Adds values to the tool context and sets the shared state, if this page drives the session. */
  remember({ context, state }: Pick<Extract<PageMessage, { type: 'remember' }>, 'context' | 'state'>): void {
    this.ifDriving(({ writer }) => {
      const event = dropUndefined({ type: 'context-change', at: now(), context, state })
      // A failed write is also reported by the turn or by a `storage-change` event.
      writer.emit(event).catch((thrown: unknown) => this.#reportThrown(thrown))
    })
  }

  /** Takes the outcome of a call that the page ran. Ignored unless this page drives the session. */
  outcome(outcome: ExecutionResult): void {
    void this.#transitions.then(() => this.#actor?.turns.outcome(outcome))
  }

  /** Takes the tools of a turn. Ignored unless this page has sent its message to the session that it drives. */
  offer({ turn, offer }: Extract<PageMessage, { type: 'offer' }>): void {
    void this.#transitions.then(() => this.#guest.changeOffer(turn, offer))
  }

  /** Answers a request of the page with a `reply`. */
  request(message: RequestMessage): void {
    const { id } = message
    const answer = message.what === 'take-over' ? this.#driveHere() : this.#answer(message)
    void answer.then(
      (value) => this.#guest.post({ type: 'reply', id, value }),
      (thrown: unknown) => this.#guest.post({ type: 'reply', id, error: toFailure(thrown, 'storage') }),
    )
  }

  /**
   * Runs `run` in this page after taking the session over from another tab, if one drives it. `turn`: the send that
   * gets the error if this page does not become the driver. `callId`: the call that the user decides on.
   */
  asDriver(run: (actor: SessionActor) => void, turn?: string, callId?: CallId): void {
    let mayRun = false
    this.#transition(async () => {
      mayRun = await this.#takeOver(callId)
    }, turn)
    void this.#transitions.then(() => {
      if (mayRun) this.#runOrReport(run, turn)
    })
  }

  /**
   * Runs `run` if this page drives the session, else reports why it does not. `turn`: the send that gets that error.
   */
  ifDriving(run: (actor: SessionActor) => void, turn?: string): void {
    void this.#transitions.then(() => this.#runOrReport(run, turn))
  }

  /** Stops the running turn, in the driver's tab if this page mirrors it. */
  stop(): void {
    void this.#transitions.then(() => {
      void this.#actor?.turns.stop()
      this.#mirror?.stop()
    })
  }

  /** Ends what the user allowed beyond one call, also from a page that mirrors the session. */
  endGrants(page?: string): void {
    void this.#transitions.then(() => {
      this.#actor?.turns.endGrants(page)
      if (page === undefined) this.#mirror?.endGrants()
    })
  }

  /** Waits for the transitions requested so far, then saves and releases the session and closes the store. */
  async close(): Promise<void> {
    // The page answers no queries any more. One of a transition must not keep the session locked.
    this.#closing.abort(new ToolAgentError('closed', 'The page was closed.'))
    await this.#transitions
    this.#guest.queries.close()
    await this.#leave('closed')
    // Not awaited: a store that is still being opened must not block closing. The error of one that failed to open
    // was reported when the session was opened.
    void this.#store.then((opened) => opened.close()).catch(() => undefined)
  }

  get #actor(): SessionActor | undefined {
    return this.#state.at === 'driving' ? this.#state.actor : undefined
  }

  get #mirror(): Mirror | undefined {
    return this.#state.at === 'mirroring' ? this.#state.mirror : undefined
  }

  #report(error: Failure, turn?: string): void {
    this.#guest.post(dropUndefined({ type: 'error', error, turn }))
  }

  #reportThrown(thrown: unknown, turn?: string): void {
    this.#report(toFailure(thrown, 'storage'), turn)
  }

  /** Queues a transition. Its error is reported to the page and does not stop the next one. */
  #transition(run: () => unknown, turn?: string): void {
    this.#transitions = this.#transitions.then(run).catch((thrown: unknown) => this.#reportThrown(thrown, turn))
  }

  #runOrReport(run: (actor: SessionActor) => void, turn?: string): void {
    const actor = this.#actor
    if (actor) run(actor)
    else this.#report(this.#whyNotDriving(), turn)
  }

  #whyNotDriving(): Failure {
    return this.#state.at === 'gone' ? this.#state.failure : drivenElsewhere
  }

  /** A database that was unavailable opens later: moves the session from memory to it, or opens the stored session. */
  async #adoptStore(later: Promise<Store>): Promise<void> {
    const available = await later
    this.#transition(() => {
      this.#store = later
      const writer = this.#actor?.writer
      if (writer?.stored) return writer.moveTo(available)
      return this.#newestOpen && this.#open(this.#newestOpen)
    })
  }

  async #open(message: OpenMessage): Promise<void> {
    const { protocol, scope, sessionId: name } = message
    if (protocol !== protocolVersion) {
      return this.#report({
        code: 'host-lost',
        message: `The page uses protocol ${protocol}, the worker protocol ${protocolVersion}. Reload the page.`,
      })
    }
    this.configure(message.config)
    const store = await this.#store
    // Nothing can be stored under a new id. A session that cannot be read must not replace the present one.
    const sessionId = name === undefined ? this.#actorDeps.id('session') : await this.#idInScope(store, name, scope)
    const before = this.#actor?.writer.shown ?? this.#mirror?.shown
    await this.#leave('stopped')
    this.#newestOpen = message
    this.#guest.tab = message.tab
    const claim = this.#claimFor(message, sessionId)
    const release = message.mode === 'drive' ? await lockOrSteal(this.#deps, claim, lockPatience) : undefined
    if (release === undefined) return this.#watch(store, sessionId)
    try {
      await this.#drive({ message, store, sessionId, isNew: name === undefined, release })
    } catch (thrown) {
      // Reported first, or the page takes the session that it follows again for the one that it requested.
      this.#reportThrown(thrown)
      // Rejects only because the store cannot be read, which has just been reported.
      if (before && this.#state.at === 'closed') await this.#watch(store, before.id, before).catch(() => undefined)
    }
  }

  /**
   * The id of the session named `name` in this scope. A name that another scope uses gets a suffix, which is the same
   * at the next load.
   */
  async #idInScope(store: Store, name: string, scope: string): Promise<string> {
    const suffixed = `${name}@${fingerprint(scope)}`
    const [plain, own] = (await Promise.all([store.read(name, 0), store.read(suffixed, 0)])).map(
      (session) => session?.scope,
    )
    if (own !== scope && (plain ?? scope) === scope) return name
    return (own ?? scope) === scope ? suffixed : this.#actorDeps.id('session')
  }

  #claimFor({ tab }: OpenMessage, sessionId: string): SessionClaim {
    return {
      id: sessionId,
      tab,
      // Queued, because the lock can be stolen while this host still opens the session.
      onLost: () =>
        this.#transition(() => {
          const actor = this.#actor
          if (actor?.writer.session.id === sessionId) return this.#lose(actor, 'lost-session')
        }),
    }
  }

  /** Shows a session that another tab drives. `known`: the session as this page has it, if the store cannot be read. */
  async #watch(store: Store, sessionId: string, known?: Session): Promise<void> {
    const scope = this.#newestOpen?.scope ?? ''
    const mirror: Mirror = new Mirror({
      ...this.#deps,
      post: this.#guest.post,
      id: sessionId,
      scope,
      store,
      limit: windowSize,
      known,
      now,
      deleted: () =>
        this.#transition(async () => {
          if (!(await this.#isDeleted(sessionId)) || this.#mirror !== mirror) return
          this.#report(deletedElsewhere)
          mirror.close()
          this.#showGone(emptySession(sessionId, scope, now()), deletedElsewhere)
        }),
    })
    this.#state = { at: 'mirroring', mirror }
    await mirror.open()
  }

  /** Any script of the origin can post that a session was deleted, so the store is checked. */
  async #isDeleted(sessionId: string): Promise<boolean> {
    return isSessionMissing(await this.#store, sessionId)
  }

  /** Shows a session that can no longer be changed. */
  #showGone(session: Session, failure: Failure): void {
    this.#state = { at: 'gone', failure }
    this.#guest.post({ type: 'session', session, seq: 0, mode: 'mirror', storage: 'memory', stored: false })
  }

  /**
   * Makes this page the driver, so that its tools run. `callId`: the call that the user decides on; its turn continues
   * here. Resolves with false if the user has decided on that call in the driver's tab; then this page stays a mirror.
   */
  async #takeOver(callId?: CallId): Promise<boolean> {
    const mirror = this.#mirror
    if (mirror === undefined || this.#newestOpen === undefined) return true
    const { id: sessionId, shown } = mirror
    const claim = this.#claimFor(this.#newestOpen, sessionId)
    const release = await mirror.takeLock(claim, callId)
    if (release === undefined) return !mirror.isKept
    mirror.close()
    this.#state = closed
    const { left: _left, ...rest } = this.#newestOpen
    const message = { ...rest, running: [], outcomes: [] }
    const store = await this.#store
    try {
      await this.#drive({
        message,
        store,
        sessionId,
        release,
        keepTurn: callId !== undefined,
      })
    } catch (thrown) {
      if (this.#state.at === 'closed') await this.#watch(store, sessionId, shown)
      throw thrown
    }
    return true
  }

  /** Takes the session over. Rejects if this page does not drive it then. */
  async #driveHere(): Promise<null> {
    const taken = this.#transitions.then(() => this.#takeOver())
    this.#transition(() => taken)
    await taken
    if (!this.#actor) throw toErrorValue(this.#whyNotDriving())
    return null
  }

  /** Drives a session whose lock this host holds. On an error the lock is released. */
  async #drive(given: Omit<DriveRequest, 'guest'>): Promise<void> {
    const guest = this.#guest
    const request = { ...given, guest }
    try {
      const actor = await SessionActor.open(this.#actorDeps, request)
      const { session, seq } = actor.writer
      this.#state = { at: 'driving', actor }
      actor.channel.post({ type: 'snapshot', session, seq })
      actor.join(guest, request.message.running, request.message.outcomes)
      const reason = actor.failure ?? (this.#isStoreReported ? undefined : request.store.failure)
      if (reason) this.#report(reason)
      this.#isStoreReported = true
      await actor.recover(this.#closing.signal)
    } catch (thrown) {
      const { code } = toFailure(thrown, 'storage')
      const actor = this.#actor
      // The page already shows the session, so it must be shown as lost.
      if (actor) await this.#lose(actor, isFencing(code) ? code : 'storage')
      else request.release()
      throw thrown
    }
  }

  #onChannelMessage(actor: SessionActor, message: ChannelMessage): void {
    if (this.#actor !== actor) return
    const { channel, writer, turns } = actor
    if (message.type === 'hello') channel.post({ type: 'snapshot', session: writer.shown, seq: writer.seq })
    else if (message.type === 'stop') void turns.stop()
    else if (message.type === 'end-grants') turns.endGrants()
    else if (message.type === 'yield') this.#transition(() => this.#yieldTo(actor, message))
    else if (message.type === 'deleted')
      this.#transition(async () => {
        if (writer.stored && (await this.#isDeleted(writer.session.id))) await this.#lose(actor, 'session-deleted')
      })
  }

  /**
   * The user acts in another tab, which takes the session, unless the user has already decided on the same call here.
   */
  async #yieldTo(actor: SessionActor, { keep, callId }: Extract<ChannelMessage, { type: 'yield' }>): Promise<void> {
    if (this.#actor !== actor) return
    if (callId !== undefined && actor.turns.isDecided(callId)) return actor.channel.post({ type: 'kept', callId })
    const { writer } = actor
    await this.#leave(keep ? 'closed' : 'interrupted')
    await this.#watch(await this.#store, writer.session.id, writer.shown)
  }

  /** Another tab took or deleted the session, or nothing can be written: stops driving without writing. */
  async #lose(actor: SessionActor, code: FencingCode): Promise<void> {
    if (this.#actor !== actor) return
    const { writer } = actor
    this.#state = closed
    actor.abandon()
    if (code === 'lost-session') return this.#watch(await this.#store, writer.session.id, writer.shown)
    const failure = code === 'storage' ? notStorable : deletedElsewhere
    actor.endLocally(failure)
    const { turn: _turn, draft: _draft, ...rest } = writer.shown
    if (code === 'session-deleted') this.#report(failure)
    this.#showGone({ ...rest, status: 'idle' }, failure)
  }

  /** Leaves the session. Its only page is gone then, so the lease ends. */
  async #leave(kind: 'stopped' | 'interrupted' | 'closed'): Promise<void> {
    const actor = this.#actor
    this.#mirror?.close()
    this.#state = closed
    await actor?.end(kind)
    actor?.leave(this.#guest)
  }

  async #answer<K extends StoreRequest>(request: RequestMessage<K>): Promise<unknown> {
    await this.#transitions
    const writer = this.#actor?.writer
    const disk = await this.#store
    return answerRequest(request, {
      ...this.#deps,
      store: writer?.store ?? disk,
      disk,
      writer,
      watched: this.#mirror?.id,
      scope: this.#newestOpen?.scope ?? '',
      now,
    })
  }
}
