// The life of an agent's host: starts it, opens sessions in it, restarts it when it is lost or the page comes back from
// the back/forward cache, and closes it. Saves the session in the agent's slot, so that a reload opens it again.
import { toErrorValue, toFailure, ToolAgentError, type Failure } from '../../core/data/errors.js'
import { dropUndefined } from '../../core/data/json.js'
import { protocolVersion, type HostMessage } from '../../core/data/protocol.js'
import type { ToolContext } from '../../core/data/tool.js'
import type { QueryHandler } from '../answers/query-handler.js'
import type { AgentOptions } from '../options.js'
import { hostConfig } from './host-config.js'
import { turnError } from '../turn-result.js'
import { Connection } from './connection.js'
import { pageChange } from '../facts/page-facts.js'
import { pageAddress } from '../facts/address.js'
import { pageClosedError, type PendingTurns } from '../pending-turns.js'
import type { SessionReplica } from './session-replica.js'
import type { SpawnedHost } from './spawn.js'
import { openHere, type SessionSlot } from '../tab/session-slot.js'
import { keepOutcomes, tabId, takeAction, takeOutcomes } from '../tab/notes.js'

/** What a link needs from its agent. */
export interface HostLinkDeps {
  /** Receives the session and the events of the host. */
  readonly replica: SessionReplica
  /** The promises of sends; rejected if the host is lost for good. */
  readonly pending: PendingTurns
  /** Aborted when the agent is closed, with a `closed` error. */
  readonly closed: AbortSignal
  /** The options that are set now. */
  options(): AgentOptions
  /**
   * The agent's slot in the list of sessions of its tab, claimed again if the scope has changed. `sessionId`: prefer
   * the slot in which it is saved.
   */
  slot(sessionId?: string): SessionSlot
  /** Starts a host and resolves when it is ready. */
  spawn(workerUrl?: string): Promise<SpawnedHost>
  /** Creates what answers the queries of the host. */
  createQueryHandler(): QueryHandler
}

/** A request to open a session whose answer has not arrived. */
interface Opening {
  /** Undefined: a new session. */
  readonly id: string | undefined
  readonly toolContext: ToolContext | undefined
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Sessions that the hosts of closed agents still hold. Each promise resolves when its session is released. */
const releasing = new Map<string, Promise<void>>()

/** Whether this page was loaded by a reload. */
const isReloaded = (): boolean =>
  (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined)?.type === 'reload'

/** Connects one agent with its host. */
export class HostLink {
  /** Posts messages and requests to the host. */
  readonly connection: Connection
  readonly #deps: HostLinkDeps
  // Created when the host has started, so it is there whenever a session is open.
  #queryHandler: QueryHandler | undefined
  #tab = ''
  // Undefined before the first use, and after the host could not be started or restarted.
  #connected: Promise<void> | undefined
  // Settles with `#connected`, and before it when a new session was requested.
  #ready: Promise<void> | undefined
  #onRequested: () => void = () => undefined
  #opening: Opening | undefined
  // Sessions are opened one after another.
  #lastOpened: Promise<void> = Promise.resolve()
  // The id in the newest `open` message; undefined for a new session.
  #requestedId: string | undefined

  constructor(deps: HostLinkDeps) {
    this.#deps = deps
    this.connection = new Connection({
      spawn: deps.spawn,
      receive: (message) => this.#receive(message),
      onLost: () => this.#onHostLost(),
      before: () => this.#queryHandler?.posted.changed() ?? [],
    })
  }

  /** Settles with the connection that is being made; undefined if none was. */
  get connected(): Promise<void> | undefined {
    return this.#connected
  }
  /** Aborted when the agent is closed, with a `closed` error. */
  get closed(): AbortSignal {
    return this.#deps.closed
  }

  /** Answers the queries of the host. @throws `not-open` before the first connection. */
  queryHandler(): QueryHandler {
    if (this.#queryHandler === undefined) throw new ToolAgentError('not-open', 'No session is open yet')
    return this.#queryHandler
  }

  /** Starts the host and opens the session, once. After a failure the next call tries again. Rejects with `closed`. */
  connect(): Promise<void> {
    if (this.closed.aborted) return Promise.reject(this.closed.reason)
    if (this.#connected) return this.#connected
    const { session } = this.#deps.replica.state
    const requested = new Promise<void>((resolve) => {
      this.#onRequested = resolve
    })
    const connected = this.#connect(session && { id: session.id }).catch((thrown: unknown) => {
      this.#connected = undefined
      void this.connection.close()
      // Messages may have been posted behind the request.
      this.#deps.pending.rejectAll(thrown as ToolAgentError)
      throw thrown
    })
    this.#connected = connected
    this.#ready = Promise.race([requested, connected])
    this.#ready.catch(() => undefined) // Callers of `ready` receive the error.
    return connected
  }

  /**
   * Resolves when a message can be posted: its session is open or, if that is new, requested, because the host handles
   * both in order. Rejects as `connect` does.
   */
  ready(): Promise<void> {
    const connected = this.connect()
    connected.catch(() => undefined) // A message that was posted before is rejected with the same error.
    return this.#ready ?? connected
  }

  /** `again`: what to open with another host; undefined for the first connection. */
  async #connect(again?: Pick<Opening, 'id'> & Partial<Opening>): Promise<void> {
    this.closed.throwIfAborted()
    const tab = tabId()
    const { sessionId, workerUrl } = this.#deps.options()
    await this.connection.start(workerUrl)
    this.#tab = await tab
    this.closed.throwIfAborted()
    this.#queryHandler ??= this.#deps.createQueryHandler()
    if (typeof window === 'object') window.addEventListener('pagehide', this.#onPageHide)
    const saved = again ? undefined : this.#savedId()
    const free = saved !== undefined && openHere.has(saved) ? undefined : saved
    const id = again ? again.id : (sessionId ?? free)
    // Before anything is awaited, because another agent of this scope may be connecting at the same time.
    if (id !== undefined) openHere.add(id)
    this.#requestedId = id
    // If an agent that was just closed still held the session, this one would become a mirror of it.
    if (id !== undefined) await releasing.get(id)
    try {
      await this.open(id, again?.toolContext)
    } finally {
      if (id !== undefined && this.#deps.replica.state.session?.id !== id) openHere.delete(id)
    }
  }

  /** The id of the session that this slot had open before a reload; undefined if the options name a session. */
  #savedId(): string | undefined {
    return this.#deps.options().sessionId === undefined ? this.#deps.slot().saved() : undefined
  }

  /** Opens a session, after those that were requested before. Without an id it is a new one. */
  open(id: string | undefined, toolContext?: ToolContext): Promise<void> {
    const opened = this.#lastOpened.then(() => this.#openNow(id, toolContext))
    this.#lastOpened = opened.catch(() => undefined) // The caller receives the error.
    return opened
  }

  async #openNow(id: string | undefined, toolContext: ToolContext | undefined): Promise<void> {
    const { url } = pageAddress()
    // A saved action is of the previous page, unless tools are still running on this one.
    const action = id === undefined || this.queryHandler().running.length > 0 ? undefined : takeAction(id)
    // Who reloads while what they have allowed is on its way does not know what became of it.
    const left = action && !(action.isAllowed && isReloaded()) ? await pageChange(action, url) : undefined
    const options = this.#deps.options()
    const { running, outcomes } = this.queryHandler()
    return new Promise<void>((resolve, reject) => {
      this.#opening = { id, toolContext, resolve, reject }
      this.connection.post(
        dropUndefined({
          type: 'open',
          protocol: protocolVersion,
          scope: options.scope ?? '',
          tab: this.#tab,
          url,
          config: hostConfig(options),
          mode: 'drive',
          running,
          outcomes: [...outcomes, ...(id === undefined ? [] : takeOutcomes(id))],
          sessionId: id,
          left,
          toolContext,
        }),
      )
      if (id === undefined) this.#onRequested()
    })
  }

  /** Stops the running turn. A host that is being restarted is stopped after it has started (`stopCount`). */
  stop(): void {
    if (this.connection.kind) this.connection.post({ type: 'control', do: 'stop' })
  }

  #receive(message: HostMessage): void {
    switch (message.type) {
      case 'session':
        return this.#onSession(message)
      case 'event':
        return this.#deps.replica.apply(message.path, message.event)
      case 'ask':
        return void this.queryHandler().receive(message)
      case 'question':
        return void this.#deps.replica.state.questions.set(message.hash, message.tool)
      case 'cancel':
        return this.queryHandler().cancel(message.ask)
      case 'error':
        return this.#onError(message.error, message.turn)
      case 'ping':
        return this.connection.post({ type: 'pong' })
      case 'closed':
        if (message.error) this.#giveUp(message.error)
        return
      case 'ready':
      case 'reply':
        return
    }
  }

  #onSession(message: Extract<HostMessage, { type: 'session' }>): void {
    const { replica } = this.#deps
    const { id } = message.session
    const { session: before } = replica.state
    if (before) openHere.delete(before.id)
    openHere.add(id)
    // With a server, other pages may drive it, and none takes it from this one.
    const { host } = this.connection
    if (host?.settle || message.mode === 'drive') this.#deps.slot(id).save(id)
    this.#opening?.resolve()
    this.#opening = undefined
    replica.replace(message, host?.settle)
  }

  #onError(error: Failure, turn: string | undefined): void {
    const { pending, replica } = this.#deps
    const sent = turn === undefined ? undefined : pending.get(turn)
    if (sent) return sent.reject(turnError(error))
    // After a break, what is being opened is opened over the next socket.
    const isRepaired = this.connection.kind === 'server' && (error.code === 'network' || error.code === 'offline')
    if (this.#opening && turn === undefined && !isRepaired) {
      this.#opening.reject(turnError(error))
      this.#opening = undefined
    }
    replica.state.report(error)
  }

  /** The worker stopped responding. A new one receives what still runs in this page. */
  #onHostLost(): void {
    if (this.closed.aborted) return
    const lost: Failure = { code: 'host-lost', message: 'The worker stopped responding and was started again.' }
    this.#deps.replica.state.report(lost)
    this.#queryHandler?.hostChanged()
    this.#restart(toErrorValue(lost))
  }

  /** Replaces the host and opens the session again: immediately, or when the page is `shown` again. */
  #restart(why: ToolAgentError, shown?: Promise<void>): void {
    void this.connection.close(why)
    const { replica, pending } = this.#deps
    const { state } = replica
    const { id, turn: running } = state.session ?? {}
    // A session that was being opened is opened by the new host.
    const waiting = this.#opening
    this.#opening = undefined
    this.#lastOpened = Promise.resolve()
    if (waiting && id !== undefined && waiting.id !== id)
      pending.rejectAll(new ToolAgentError('host-lost', why.message))
    const { stopCount } = pending
    const again = (this.#connected = shown
      ? shown.then(() => this.#connect(waiting ?? { id: this.#savedId() ?? id }))
      : this.#connect(waiting ?? { id }))
    // The messages that were posted to the lost host are posted first.
    this.#ready = undefined
    again
      .then(() => {
        if (this.#connected !== again) return // The new host was lost as well.
        const { turn, end } = state.opened()
        pending.repost(new Set([turn?.id ?? '', end?.turn ?? '']), replica.lostResult(), shown && why)
        // The turn had ended, but the old host did not report it.
        if (running && running.id === end?.turn) replica.endTurn(running, end)
        // The user stopped the turn while no host was running.
        if (pending.stopCount !== stopCount) this.connection.post({ type: 'control', do: 'stop' })
      })
      .catch((thrown: unknown) => {
        if (this.#connected === again) this.#giveUp(toFailure(thrown, 'host-lost'), 'host-lost')
      })
    if (waiting) again.then(waiting.resolve, waiting.reject)
  }

  /** There is no host any more. The next use starts another one: `continue()` connects again. */
  #giveUp(failure: Failure, code = failure.code): void {
    if (this.closed.aborted) return
    const { replica, pending } = this.#deps
    const why = new ToolAgentError(code, failure.message)
    this.#connected = this.#ready = undefined
    void this.connection.close()
    this.#opening?.reject(why)
    this.#opening = undefined
    replica.interrupt()
    pending.rejectAll(why)
    replica.state.report(failure)
  }

  readonly #onPageHide = ({ persisted }: PageTransitionEvent): void => {
    this.#keepOutcomes()
    // In the back/forward cache the worker is frozen and would keep the session's lock, so it is closed. A session in
    // memory exists only in its host, so that host is kept.
    if (persisted && this.#deps.replica.state.storage === 'memory') return
    this.#queryHandler?.abortAll('The page was closed')
    if (!persisted) return
    // As after a reload, the next host must know nothing of what ran here.
    this.#queryHandler = undefined
    const shown = new Promise<void>((resolve) => window.addEventListener('pageshow', () => resolve(), { once: true }))
    this.#restart(pageClosedError(), shown)
  }

  /** Saves results that the host may not have stored, for the next page that opens the session. */
  #keepOutcomes(): void {
    const { session } = this.#deps.replica.state
    if (!session || !this.#queryHandler) return
    this.#queryHandler.dropUnstored()
    keepOutcomes(session.id, this.#queryHandler.outcomesToKeep)
  }

  /**
   * Aborts running tools and releases the session; resolves when that is done. Must be called once, after `closed` was
   * aborted.
   */
  close(): Promise<void> {
    const { closed } = this
    const { replica, pending } = this.#deps
    const { session, isDriver } = replica.state
    if (isDriver) this.#keepOutcomes()
    this.#opening?.reject(closed.reason)
    this.#queryHandler?.abortAll('The agent was closed')
    if (typeof window === 'object') window.removeEventListener('pagehide', this.#onPageHide)
    if (session) openHere.delete(session.id)
    pending.rejectAll(closed.reason as ToolAgentError)
    const released = this.connection.close()
    const id = session?.id ?? this.#requestedId
    if (id !== undefined) {
      releasing.set(id, released)
      void released.then(() => {
        if (releasing.get(id) === released) releasing.delete(id)
      })
    }
    return released
  }
}
