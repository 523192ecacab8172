// The state machine of a host: which session it has, and whether it drives it or shows what another tab drives.
// Transitions (open, take over, yield, lose, close) run one after another, so no two of them can interleave.
import { toErrorValue, toFailure, ToolAgentError, type ErrorCode, type Failure } from '../core/data/errors.js'
import { formatId } from '../core/data/ids.js'
import { fingerprint } from '../core/state/fingerprint.js'
import { dropUndefined } from '../core/data/json.js'
import type { CallId } from '../core/data/message.js'
import type { ModelAdapter } from '../core/data/model.js'
import { protocolVersion, type HostConfig, type HostMessage, type PageMessage } from '../core/data/protocol.js'
import { emptySession, type Session } from '../core/data/session.js'
import { isSessionMissing, type Store } from '../core/state/store.js'
import type { TurnDeps } from '../core/loop/turn-deps.js'
import {
  openDrivenSession,
  recoverDrivenSession,
  windowSize,
  type DrivenSession,
  type DrivenSessionDeps,
  type DriveRequest,
  type OpenMessage,
} from './driven-session.js'
import { warmUp } from './models/resolve-model.js'
import { turnModel } from './models/turn-model.js'
import { answerRequest, type PageRequest } from './rpc/from-page.js'
import type { PageHandlers } from './rpc/port-listener.js'
import type { PageQueries } from './rpc/to-page.js'
import { deletedElsewhere, drivenElsewhere } from './store/epoch-guard.js'
import { Mirror } from './tabs/mirror.js'
import type { ChannelMessage, SessionChannel } from './tabs/session-channel.js'
import { lockOrSteal, lockPatience, type Origin, type SessionClaim } from './tabs/session-lock.js'

/** What the host does with its session. Only these combinations exist. */
type HostState =
  /** No session: before the first `open`, during a transition, and after `close`. */
  | { readonly at: 'closed' }
  /** This page runs the turns and writes. */
  | DrivenSession
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
  /** Queries to this page. The host closes them when it ends. */
  readonly queries: PageQueries
  /** See `TurnDeps.present`. */
  readonly present: TurnDeps['present']
  /** Posts to this page. */
  post(message: HostMessage): void
}

/** What a page can do with its host. Errors are posted to the page, except where a method returns a promise. */
export interface SessionHost {
  /**
   * The messages that change the host itself. `open` leaves the present session and opens another one. `unsaved` notes
   * tool calls for the next `open` or takeover. `remember` adds values to the tool context. `outcome` is ignored unless
   * this page drives the session. `request` is answered with a `reply`.
   */
  readonly handlers: Pick<PageHandlers, 'open' | 'configure' | 'unsaved' | 'remember' | 'outcome' | 'request'>
  /**
   * Runs `run` in this page after taking the session over from another tab, if one drives it. `turn`: the send that
   * gets the error if this page does not become the driver. `callId`: the call that the user decides on.
   */
  asDriver(run: (driven: DrivenSession) => void, turn?: string, callId?: CallId): void
  /**
   * Runs `run` if this page drives the session, else reports why it does not. `turn`: the send that gets that error.
   */
  ifDriving(run: (driven: DrivenSession) => void, turn?: string): void
  /** Stops the running turn, in the driver's tab if this page mirrors it. */
  stop(): void
  /** Waits for the transitions requested so far, then saves and releases the session and closes the store. */
  close(): Promise<void>
}

const notStorable: Failure = {
  code: 'storage',
  message: 'This session can no longer be stored. Start a new one.',
}

/** Errors after which this host must not write the session. */
type FencingCode = 'lost-session' | 'session-deleted' | 'storage'
const isFencing = (code: ErrorCode): code is FencingCode =>
  code === 'lost-session' || code === 'session-deleted' || code === 'storage'

const closed: HostState = { at: 'closed' }

/** Creates the host of one page, without a session. */
export function createSessionHost(deps: SessionHostDeps): SessionHost {
  const { queries, post } = deps
  let state: HostState = closed
  let config: HostConfig | undefined
  // The last `open` message. A takeover opens the session with it again.
  let newest: OpenMessage | undefined
  let unsaved: Extract<PageMessage, { type: 'unsaved' }> | undefined
  let store = Promise.resolve(deps.store)
  // The reason for a store in memory is reported once.
  let isStoreReported = false
  // The end of the last transition. The next one starts after it.
  let transitions: Promise<unknown> = Promise.resolve()

  const now = () => Date.now()
  const report = (error: Failure, turn?: string) => post(dropUndefined({ type: 'error', error, turn }))
  const reportThrown = (thrown: unknown, turn?: string) => report(toFailure(thrown, 'storage'), turn)
  /** The driven session. A function, because TypeScript does not see that other functions change `state`. */
  const driving = (): DrivenSession | undefined => (state.at === 'driving' ? state : undefined)
  const mirrorOf = (current: HostState): Mirror | undefined => (current.at === 'mirroring' ? current.mirror : undefined)

  const currentConfig = (): HostConfig => {
    if (config === undefined) throw new ToolAgentError('not-open', 'No session is open.')
    return config
  }

  const drivenDeps: DrivenSessionDeps = {
    ...deps,
    model: turnModel({
      given: deps.model,
      queries,
      config: currentConfig,
      now,
      show: (event, path) => {
        if (config?.debug)
          void driving()
            ?.writer.emit(event, path)
            .catch(() => undefined)
      },
    }),
    config: currentConfig,
    now,
    id: (prefix) => `${prefix}${prefix && '_'}${formatId(crypto.getRandomValues(new Uint8Array(16)))}`,
    reportThrown,
    onTurnError,
    onChannelMessage,
  }

  // A database that was unavailable opens later: move the session from memory to it, or open the stored session.
  const adopt = async (later: Promise<Store>): Promise<void> => {
    const available = await later
    transition(() => {
      store = later
      const writer = driving()?.writer
      if (writer?.stored) return writer.moveTo(available)
      return newest && open(newest)
    })
  }
  void store.then(({ later }) => later && adopt(later)).catch(() => undefined)

  /** Queues a transition. Its error is reported to the page and does not stop the next one. */
  function transition(run: () => unknown, turn?: string): void {
    transitions = transitions.then(run).catch((thrown: unknown) => reportThrown(thrown, turn))
  }

  async function open(message: OpenMessage): Promise<void> {
    const { protocol, scope } = message
    if (protocol !== protocolVersion) {
      return report({
        code: 'host-lost',
        message: `The page uses protocol ${protocol}, the worker protocol ${protocolVersion}. Reload the page.`,
      })
    }
    await leave('stopped')
    configure(message)
    newest = message
    const opened = await store
    const { sessionId: name } = message
    // Nothing can be stored under a new id.
    const sessionId = name === undefined ? drivenDeps.id('session') : await idInScope(opened, name, scope)
    const claim = claimFor(message, sessionId)
    const release = message.mode === 'drive' ? await lockOrSteal(deps, claim, lockPatience) : undefined
    if (release === undefined) return watch(opened, sessionId)
    await drive({ message, store: opened, sessionId, isNew: name === undefined, release, unsaved })
  }

  /**
   * The id of the session named `name` in this scope. A name that another scope uses gets a suffix, which is the same
   * at the next load.
   */
  async function idInScope(opened: Store, name: string, scope: string): Promise<string> {
    const suffixed = `${name}@${fingerprint(scope)}`
    const [plain, own] = (await Promise.all([opened.read(name, 0), opened.read(suffixed, 0)])).map(
      (session) => session?.scope,
    )
    if (own !== scope && (plain ?? scope) === scope) return name
    return (own ?? scope) === scope ? suffixed : drivenDeps.id('session')
  }

  const claimFor = ({ tab }: OpenMessage, sessionId: string): SessionClaim => ({
    id: sessionId,
    tab,
    // Queued, because the lock can be stolen while this host still opens the session.
    onLost: () =>
      transition(() => {
        const driven = driving()
        if (driven?.writer.session.id === sessionId) return lose(driven, 'lost-session')
      }),
  })

  /** Shows a session that another tab drives. `known`: the session as this page has it, if the store cannot be read. */
  async function watch(opened: Store, sessionId: string, known?: Session): Promise<void> {
    const scope = newest?.scope ?? ''
    const mirror: Mirror = new Mirror({
      ...deps,
      id: sessionId,
      scope,
      store: opened,
      limit: windowSize,
      known,
      now,
      deleted: () =>
        transition(async () => {
          if (!(await isDeleted(sessionId)) || mirrorOf(state) !== mirror) return
          report(deletedElsewhere)
          mirror.close()
          showGone(emptySession(sessionId, scope, now()), deletedElsewhere)
        }),
    })
    state = { at: 'mirroring', mirror }
    await mirror.open()
  }

  /** Any script of the origin can post that a session was deleted, so the store is checked. */
  const isDeleted = async (sessionId: string): Promise<boolean> => isSessionMissing(await store, sessionId)

  /** Shows a session that can no longer be changed. */
  function showGone(session: Session, failure: Failure): void {
    state = { at: 'gone', failure }
    post({ type: 'session', session, seq: 0, mode: 'mirror', storage: 'memory', stored: false })
  }

  /**
   * Makes this page the driver, so that its tools run. `callId`: the call that the user decides on; its turn continues
   * here. Resolves with false if the user has decided on that call in the driver's tab; then this page stays a mirror.
   */
  async function takeOver(callId?: CallId): Promise<boolean> {
    const mirror = mirrorOf(state)
    if (mirror === undefined || newest === undefined) return true
    const { id: sessionId, shown } = mirror
    const claim = claimFor(newest, sessionId)
    const release = await mirror.takeLock(claim, callId)
    if (release === undefined) return !mirror.isKept
    mirror.close()
    state = closed
    const { left: _left, ...rest } = newest
    const message = { ...rest, running: [], outcomes: [] }
    const opened = await store
    try {
      await drive({ message, store: opened, sessionId, release, unsaved, keepTurn: callId !== undefined })
    } catch (thrown) {
      if (state.at === 'closed') await watch(opened, sessionId, shown)
      throw thrown
    }
    return true
  }

  /** Drives a session whose lock this host holds. On an error the lock is released. */
  async function drive(request: DriveRequest): Promise<void> {
    try {
      const driven = await openDrivenSession(drivenDeps, request)
      const { session, seq, store: used, stored } = driven.writer
      state = driven
      driven.channel.post({ type: 'snapshot', session, seq })
      post({ type: 'session', session, seq, mode: 'drive', storage: used.kind, stored })
      const reason = driven.failure ?? (isStoreReported ? undefined : request.store.failure)
      if (reason) report(reason)
      isStoreReported = true
      await recoverDrivenSession(drivenDeps, driven, request)
    } catch (thrown) {
      const { code } = toFailure(thrown, 'storage')
      const driven = driving()
      // The page already shows the session, so it must be shown as lost.
      if (driven) await lose(driven, isFencing(code) ? code : 'storage')
      else request.release()
      throw thrown
    }
  }

  function onTurnError(driven: DrivenSession, error: Failure, turn: string | undefined): void {
    const { writer } = driven
    const { code } = error
    // The end of the turn carries this error to the caller of the turn.
    if (code === 'session-deleted' && turn !== undefined && writer.session.turn?.id === turn)
      writer.endLocally(deletedElsewhere).forEach(post)
    else report(error, turn)
    if (isFencing(code)) transition(() => lose(driven, code))
  }

  function onChannelMessage(channel: SessionChannel, message: ChannelMessage): void {
    const driven = driving()
    if (driven?.channel !== channel) return
    const { writer, turns } = driven
    if (message.type === 'hello') channel.post({ type: 'snapshot', session: writer.shown, seq: writer.seq })
    else if (message.type === 'stop') void turns.stop()
    else if (message.type === 'yield') transition(() => yieldTo(driven, message))
    else if (message.type === 'deleted')
      transition(async () => {
        if (writer.stored && (await isDeleted(writer.session.id))) await lose(driven, 'session-deleted')
      })
  }

  /**
   * The user acts in another tab, which takes the session, unless the user has already decided on the same call here.
   */
  async function yieldTo(
    driven: DrivenSession,
    { keep, callId }: Extract<ChannelMessage, { type: 'yield' }>,
  ): Promise<void> {
    if (state !== driven) return
    if (callId !== undefined && driven.turns.isDecided(callId)) return driven.channel.post({ type: 'kept', callId })
    const { writer } = driven
    await leave(keep ? 'closed' : 'interrupted')
    await watch(await store, writer.session.id, writer.shown)
  }

  /** Another tab took or deleted the session, or nothing can be written: stops driving without writing. */
  async function lose(driven: DrivenSession, code: FencingCode): Promise<void> {
    if (state !== driven) return
    const { writer, turns, channel, release } = driven
    state = closed
    void turns.stop('closed')
    channel.close()
    release()
    if (code === 'lost-session') return watch(await store, writer.session.id, writer.shown)
    const failure = code === 'storage' ? notStorable : deletedElsewhere
    writer.endLocally(failure).forEach(post)
    const { turn: _turn, draft: _draft, ...rest } = writer.shown
    if (code === 'session-deleted') report(failure)
    showGone({ ...rest, status: 'idle' }, failure)
  }

  /** Ends the running turn, saves the session and releases it. */
  async function leave(kind: 'stopped' | 'interrupted' | 'closed'): Promise<void> {
    const driven = driving()
    mirrorOf(state)?.close()
    state = closed
    if (driven === undefined) return
    await driven.turns.stop(kind)
    await driven.writer.save()
    driven.channel.close()
    driven.release()
  }

  function configure(message: { readonly config: HostConfig }): void {
    config = message.config
    if (!deps.model) warmUp(config)
  }

  const whyNotDriving = (): Failure => (state.at === 'gone' ? state.failure : drivenElsewhere)

  function runOrReport(run: (driven: DrivenSession) => void, turn?: string): void {
    const driven = driving()
    if (driven) run(driven)
    else report(whyNotDriving(), turn)
  }

  const ifDriving: SessionHost['ifDriving'] = (run, turn) => void transitions.then(() => runOrReport(run, turn))

  /** Takes the session over. Rejects if this page does not drive it then. */
  async function driveHere(): Promise<void> {
    const taken = transitions.then(() => takeOver())
    transition(() => taken)
    await taken
    if (!driving()) throw toErrorValue(whyNotDriving())
  }

  async function answerWhenSettled(request: PageRequest): Promise<unknown> {
    await transitions
    const writer = driving()?.writer
    const disk = await store
    return answerRequest(request, {
      ...deps,
      store: writer?.store ?? disk,
      disk,
      writer,
      watched: mirrorOf(state)?.id,
      scope: newest?.scope ?? '',
      now,
    })
  }

  return {
    handlers: {
      open: (message) => transition(() => open(message)),
      configure,
      unsaved(message) {
        unsaved = message
      },
      // A failed write is also reported by the turn or by a `storage-change` event.
      remember: ({ context }) =>
        ifDriving(({ writer }) => {
          writer.emit({ type: 'context-change', at: now(), context }).catch(reportThrown)
        }),
      request(message) {
        const { id } = message
        const answer = message.what === 'take-over' ? driveHere() : answerWhenSettled(message)
        void answer.then(
          (value) => post({ type: 'reply', id, value: value ?? null }),
          (thrown: unknown) => post({ type: 'reply', id, error: toFailure(thrown, 'storage') }),
        )
      },
      outcome: ({ outcome }) => void transitions.then(() => driving()?.turns.outcome(outcome)),
    },
    asDriver(run, turn, callId) {
      let mayRun = false
      transition(async () => {
        mayRun = await takeOver(callId)
      }, turn)
      void transitions.then(() => {
        if (mayRun) runOrReport(run, turn)
      })
    },
    ifDriving,
    stop: () =>
      void transitions.then(() => {
        void driving()?.turns.stop()
        mirrorOf(state)?.stop()
      }),
    async close() {
      await transitions
      queries.close()
      await leave('closed')
      // Not awaited: a store that is still being opened must not block closing. The error of one that failed to open
      // was reported when the session was opened.
      void store.then((opened) => opened.close()).catch(() => undefined)
    },
  }
}
