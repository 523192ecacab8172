// The life of an agent's host: starts it, opens sessions in it, restarts it when it is lost or the page comes back from
// the back/forward cache, and closes it. Owns the agent's slot in the tab, so that a reload opens the same session.
// Over 300 lines because opening, restarting and closing change the same state.
import { toErrorValue, toFailure, ToolAgentError, type Failure } from '../../core/data/errors.js'
import { dropUndefined } from '../../core/data/json.js'
import { protocolVersion, type HostMessage } from '../../core/data/protocol.js'
import type { ToolContext } from '../../core/data/tool.js'
import type { Answers } from '../answers/answers.js'
import type { AgentOptions } from '../options.js'
import { hostConfig } from '../parse-options.js'
import { turnError } from '../turn-result.js'
import { Connection } from './connection.js'
import { pageAddress } from './page-info.js'
import type { PendingTurns } from './pending-turns.js'
import type { SessionReplica } from './session-replica.js'
import type { SpawnedHost } from './spawn.js'
import {
  claimSlot,
  keepOutcomes,
  tabId,
  takeAction,
  takeOutcomes,
  unsavedCalls,
  type SessionSlot,
} from './tab-storage.js'

/** The chunk that is loaded while the host starts. */
export type AnswersChunk = typeof import('../answers/answers-chunk.js')

/** What a link needs from its agent. */
export interface HostLinkDeps {
  /** Receives the session and the events of the host. */
  readonly replica: SessionReplica
  /** The promises of sends; rejected if the host is lost for good. */
  readonly pending: PendingTurns
  /** The options that are set now. */
  options(): AgentOptions
  /** Starts a host and resolves when it is ready. */
  spawn(workerUrl?: string): Promise<SpawnedHost>
  /** Makes the answers to the queries of the host. */
  createAnswers(chunk: AnswersChunk): Answers
}

/** A request to open a session whose answer has not arrived. */
interface Opening {
  /** Undefined: a new session. */
  readonly id: string | undefined
  readonly toolContext: ToolContext | undefined
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Ids of the sessions that are open in this document. Two agents of one scope must not pick the same one. */
const openHere = new Set<string>()
/**
 * Links of agents whose elements were removed from the document, each with the function that closes its agent early.
 */
const replaceable = new Map<HostLink, () => void>()
/** Sessions that the hosts of closed agents still hold. Each promise resolves when its session is released. */
const releasing = new Map<string, Promise<void>>()

/** Connects one agent with its host. */
export class HostLink {
  /** Posts messages and requests to the host. */
  readonly connection: Connection
  readonly #deps: HostLinkDeps
  // Made while the host starts, so they are there whenever a session is open.
  #answers: Answers | undefined
  #tab = ''
  #slot: SessionSlot | undefined
  // Undefined before the first use, and after the host could not be started or restarted.
  #connected: Promise<void> | undefined
  #opening: Opening | undefined
  // Sessions are opened one after another.
  #lastOpened: Promise<void> = Promise.resolve()
  // The id in the newest `open` message; undefined for a new session.
  #requestedId: string | undefined
  #stopCount = 0
  readonly #closing = new AbortController()
  // Resolves when the host of the closed agent has released its session.
  #released = Promise.resolve()

  constructor(deps: HostLinkDeps) {
    this.#deps = deps
    this.connection = new Connection({
      spawn: deps.spawn,
      receive: (message) => this.#receive(message),
      onLost: () => this.#onHostLost(),
    })
  }

  /** Settles with the connection that is being made; undefined if none was. */
  get connected(): Promise<void> | undefined {
    return this.#connected
  }
  /** Aborted when the agent is closed, with a `closed` error. */
  get closed(): AbortSignal {
    return this.#closing.signal
  }
  /** How often `stop` was called. A send that was not posted yet must not be posted after a stop. */
  get stopCount(): number {
    return this.#stopCount
  }

  /** The answers to the queries of the host. @throws `not-open` before the first connection. */
  answers(): Answers {
    if (this.#answers === undefined) throw new ToolAgentError('not-open', 'No session is open yet')
    return this.#answers
  }

  /** Starts the host and opens the session, once. After a failure the next call tries again. Rejects with `closed`. */
  connect(): Promise<void> {
    if (this.closed.aborted) return Promise.reject(this.closed.reason)
    const { session } = this.#deps.replica
    this.#connected ??= this.#connect(session && { id: session.id }).catch((thrown: unknown) => {
      this.#connected = undefined
      void this.connection.close()
      throw thrown
    })
    return this.#connected
  }

  /** `again`: what to open with another host; undefined for the first connection. */
  async #connect(again?: Pick<Opening, 'id'> & Partial<Opening>): Promise<void> {
    this.closed.throwIfAborted()
    const loading = import('../answers/answers-chunk.js')
    loading.catch(() => undefined) // Awaited below, unless the host fails first.
    const tab = tabId()
    const { sessionId, workerUrl } = this.#deps.options()
    if (!again) this.#replaceOther()
    // Before anything is awaited, because the agents of a page get their slots in the order in which they connect.
    if (!again && sessionId === undefined) this.#claimSlot()
    await this.connection.start(workerUrl)
    const chunk = await loading
    this.#tab = await tab
    this.closed.throwIfAborted()
    this.#answers ??= this.#deps.createAnswers(chunk)
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
      if (id !== undefined && this.#deps.replica.session?.id !== id) openHere.delete(id)
    }
  }

  /** The id of the session that this slot had open before a reload; undefined if the options name a session. */
  #savedId(): string | undefined {
    return this.#deps.options().sessionId === undefined ? this.#claimSlot().saved() : undefined
  }

  /** The agent's slot in the list of sessions of this tab. Each scope has its own list. */
  #claimSlot(sessionId?: string): SessionSlot {
    const { scope = '' } = this.#deps.options()
    if (this.#slot?.scope === scope) return this.#slot
    this.#slot?.release()
    return (this.#slot = claimSlot(scope, openHere, sessionId))
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
    const action = id === undefined || this.answers().running.length > 0 ? undefined : takeAction(id)
    const left = action && (await (await import('./page-change.js')).pageChange(action, url))
    const options = this.#deps.options()
    const { running, outcomes } = this.answers()
    return new Promise<void>((resolve, reject) => {
      this.#opening = { id, toolContext, resolve, reject }
      this.postUnsaved(id)
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
    })
  }

  /**
   * Posts the calls that started while nothing could be stored. Must be called before any message that can make this
   * page the driver, because another tab may have noted them.
   */
  postUnsaved(sessionId = this.#deps.replica.session?.id ?? ''): void {
    const calls = unsavedCalls(sessionId)
    if (calls.length > 0) this.connection.post({ type: 'unsaved', sessionId, calls })
  }

  /** Stops the running turn. A host that is being restarted is stopped after it has started. */
  stop(): void {
    this.#stopCount++
    if (this.connection.kind) this.connection.post({ type: 'control', do: 'stop' })
  }

  #receive(message: HostMessage): void {
    switch (message.type) {
      case 'session':
        return this.#onSession(message)
      case 'event':
        return this.#deps.replica.apply(message.path, message.event)
      case 'ask':
        return void this.answers().receive(message.id, message.path, message.ask)
      case 'cancel':
        return this.answers().cancel(message.ask)
      case 'error':
        return this.#onError(message.error, message.turn)
      case 'ping':
        return this.connection.post({ type: 'pong' })
      case 'ready':
      case 'reply':
      case 'closed':
        return
    }
  }

  #onSession(message: Extract<HostMessage, { type: 'session' }>): void {
    const { replica } = this.#deps
    const { id } = message.session
    if (replica.session) openHere.delete(replica.session.id)
    openHere.add(id)
    if (message.mode === 'drive') this.#claimSlot(id).save(id)
    this.#opening?.resolve()
    this.#opening = undefined
    replica.replace(message)
  }

  #onError(error: Failure, turn: string | undefined): void {
    const { pending, replica } = this.#deps
    const sent = turn === undefined ? undefined : pending.get(turn)
    if (sent) return sent.reject(turnError(error))
    if (this.#opening && turn === undefined) {
      this.#opening.reject(turnError(error))
      this.#opening = undefined
    }
    replica.report(error)
  }

  /** The worker stopped responding. A new one receives what still runs in this page. */
  #onHostLost(): void {
    if (this.closed.aborted) return
    const lost: Failure = { code: 'host-lost', message: 'The worker stopped responding and was started again.' }
    this.#deps.replica.report(lost)
    this.#answers?.hostChanged()
    this.#restart(toErrorValue(lost))
  }

  /** Replaces the host and opens the session again: immediately, or when the page is `shown` again. */
  #restart(why: ToolAgentError, shown?: Promise<void>): void {
    void this.connection.close(why)
    const { replica, pending } = this.#deps
    const { id, turn: running } = replica.session ?? {}
    const rejectTurns = (message: string) => pending.rejectAll(new ToolAgentError('host-lost', message))
    // A session that was being opened is opened by the new host.
    const waiting = this.#opening
    this.#opening = undefined
    this.#lastOpened = Promise.resolve()
    if (waiting && id !== undefined && waiting.id !== id) rejectTurns(why.message)
    const stopCount = this.#stopCount
    const again = (this.#connected = shown
      ? shown.then(() => this.#connect(waiting ?? { id: this.#savedId() ?? id }))
      : this.#connect(waiting ?? { id }))
    again
      .then(() => {
        if (this.#connected !== again) return // The new host was lost as well.
        const { turn, end } = replica.opened()
        pending.repost(new Set([turn?.id ?? '', end?.turn ?? '']), replica.lostResult(), shown && why)
        // The turn had ended, but the old host did not report it.
        if (running && running.id === end?.turn) replica.endTurn(running, end)
        // The user stopped the turn while no host was running.
        if (this.#stopCount !== stopCount) this.connection.post({ type: 'control', do: 'stop' })
      })
      .catch((thrown: unknown) => {
        if (this.#connected !== again || this.closed.aborted) return
        // `continue()` connects again.
        this.#connected = undefined
        void this.connection.close()
        replica.interrupt()
        const failure = toFailure(thrown, 'host-lost')
        rejectTurns(failure.message)
        replica.report(failure)
      })
    if (waiting) again.then(waiting.resolve, waiting.reject)
  }

  readonly #onPageHide = ({ persisted }: PageTransitionEvent): void => {
    this.#keepOutcomes()
    // In the back/forward cache the worker is frozen and would keep the session's lock, so it is closed. A session in
    // memory exists only in its host, so that host is kept.
    if (persisted && this.#deps.replica.storage === 'memory') return
    this.#answers?.abortAll('The page was closed')
    if (!persisted) return
    // As after a reload, the next host must know nothing of what ran here.
    this.#answers = undefined
    const shown = new Promise<void>((resolve) => window.addEventListener('pageshow', () => resolve(), { once: true }))
    this.#restart(new ToolAgentError('cancelled', 'The page was closed before this was done'), shown)
  }

  /** Saves results that the host may not have stored, for the next page that opens the session. */
  #keepOutcomes(): void {
    const { session } = this.#deps.replica
    if (session && this.#answers) keepOutcomes(session.id, this.#answers.outcomes)
  }

  /**
   * Lets the next agent of the same scope and session id close this one early, when it connects: its element was
   * removed from the document and may be replaced. Undefined: it is no longer replaceable.
   */
  setReplaceable(release: (() => void) | undefined): void {
    if (release === undefined) replaceable.delete(this)
    else replaceable.set(this, release)
  }

  /** Closes the agent that this one replaces, if there is one, so that its slot is free. */
  #replaceOther(): void {
    const { scope = '', sessionId } = this.#deps.options()
    for (const [link, release] of replaceable) {
      const other = link.#deps.options()
      if (link !== this && (other.scope ?? '') === scope && other.sessionId === sessionId) return release()
    }
  }

  /** Aborts running tools and releases the session; resolves when that is done. */
  close(): Promise<void> {
    if (this.closed.aborted) return this.#released
    const closed = new ToolAgentError('closed', 'The agent was closed; create a new one')
    this.#closing.abort(closed)
    replaceable.delete(this)
    const { replica, pending } = this.#deps
    const { session } = replica
    if (replica.isDriver) this.#keepOutcomes()
    this.#opening?.reject(closed)
    this.#answers?.abortAll('The agent was closed')
    if (typeof window === 'object') window.removeEventListener('pagehide', this.#onPageHide)
    if (session) openHere.delete(session.id)
    this.#slot?.release()
    pending.rejectAll(closed)
    const released = (this.#released = this.connection.close())
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
