// The page's copy of the open session: the host sends it once when it opens, and then events, which are reduced into
// the copy with the reducer that the host uses. Also settles the promises of turns, and notifies the views.
import { toFailure, ToolAgentError, type Failure } from '../../core/data/errors.js'
import type { AgentEvent } from '../../core/data/event.js'
import type { JsonValue } from '../../core/data/json.js'
import { allToolCalls, type CallId, type Message } from '../../core/data/message.js'
import type { HostMessage } from '../../core/data/protocol.js'
import type { Session, Turn, TurnEnd } from '../../core/data/session.js'
import type { TurnResult } from '../../core/data/turn-result.js'
import { reduce } from '../../core/state/reduce.js'
import type { Answers } from '../answers/answers.js'
import * as log from '../log.js'
import { Recorder } from '../trace/recorder.js'
import { turnError, turnResult } from '../turn-result.js'
import type { PendingTurns } from './pending-turns.js'
import { noteUnsaved } from './tab-storage.js'

/** What an observer of an agent receives: every event of the session, and the changes that have no event. */
export type Notice =
  /** An event was reduced into the session. */
  | {
      readonly type: 'event'
      /** The ids of the calls whose sub-agents emitted it, outermost first. Empty for the agent's own. */
      readonly path: readonly CallId[]
      /** Durable or transient. The session already includes it. */
      readonly event: AgentEvent
    }
  /** The session was replaced: opened, created or switched. */
  | { readonly type: 'session' }
  /** Status, host, role, storage, tools, queue, progress or error changed. */
  | { readonly type: 'change' }
  /** An error for the user or the programmer that belongs to no call and no awaited promise. */
  | {
      readonly type: 'error'
      /** Its message is for people. Not stored. */
      readonly error: Failure
    }

/** What a replica needs from its agent. */
export interface SessionReplicaDeps {
  /** The promises of sends, which events settle. */
  readonly pending: PendingTurns
  /** @throws `not-open` before the host was started for the first time. */
  answers(): Answers
  /** Whether the option `debug` is set. */
  readonly isDebug: () => boolean
}

/** The page's copy of the open session. Only this class changes it. */
export class SessionReplica {
  /** Undefined until a session is open. Immutable: every change replaces it. */
  session: Session | undefined
  /** Whether this page runs the turns; false if it mirrors another tab. */
  isDriver = true
  /** Where the host stores the session; undefined until one is open. */
  storage: 'indexeddb' | 'memory' | undefined
  /** The newest error that belongs to no turn; null if there is none or it was dismissed. */
  error: Failure | null = null
  /** The newest progress value of each running call. */
  readonly progress = new Map<CallId, JsonValue>()
  /** Outputs longer than the session keeps, until the result of their turn has been made. */
  readonly fullOutputs = new Map<CallId, JsonValue>()
  /** Records the events for `exportTrace`. */
  readonly recorder: Recorder
  readonly #deps: SessionReplicaDeps
  readonly #observers = new Set<(notice: Notice) => void>()
  // What the page's code threw in the running turn, by the failure made of it: exceptions cannot cross the port.
  readonly #causes = new Map<string, unknown>()
  // The session is in memory, and an older state of it is in the database.
  #isStoredStateOld = false

  constructor(deps: SessionReplicaDeps) {
    this.#deps = deps
    this.recorder = new Recorder(deps.isDebug)
  }

  /** The open session. @throws `not-open` */
  opened(): Session {
    if (this.session === undefined) throw new ToolAgentError('not-open', 'No session is open yet')
    return this.session
  }

  /** Replaces the session by the one that the host has opened. */
  replace({ session, mode, storage, stored }: Extract<HostMessage, { type: 'session' }>): void {
    const { turn: running } = this.session ?? {}
    this.session = session
    this.recorder.opened(session)
    this.isDriver = mode === 'drive'
    if (storage !== 'memory') this.#clearStorageError()
    this.storage = storage
    this.#isStoredStateOld = storage === 'memory' && stored
    if (this.isDriver) {
      if (!session.turn) noteUnsaved(session.id)
    } else {
      // The user continued in another tab, so turns of this page have ended.
      this.#deps.pending.resolveStarted((turn) =>
        running?.id === turn ? this.#result(running, 'interrupted') : this.lostResult(),
      )
    }
    this.progress.clear()
    // Results that the previous host stored without reporting them.
    for (const { part } of allToolCalls(session.messages))
      if (part.result) this.#deps.answers().acknowledge(part.call.id)
    this.notify({ type: 'session' })
  }

  /** Reduces an event into the session. Ignored while no session is open. */
  apply(path: readonly CallId[], event: AgentEvent): void {
    const before = this.session
    if (before === undefined) return
    this.session = reduce(before, event, path)
    this.recorder.saw(path, event)
    this.#follow(before, path, event)
    this.notify({ type: 'event', path, event })
  }

  /** Does what an event means for the page besides the session. `before` is the session without the event. */
  #follow(before: Session, path: readonly CallId[], event: AgentEvent): void {
    const isOfTurn = path.length === 0
    switch (event.type) {
      case 'turn-start': {
        const pending = this.#deps.pending.get(event.turn.id)
        if (!isOfTurn) return
        if (pending) pending.isStarted = true
        return this.#causes.clear()
      }
      case 'tool-start': {
        // After a reload the stored state does not show that this call has started, so the tab notes it.
        if (!isOfTurn || !this.#isStoredStateOld || !this.isDriver || event.repeatable) return
        const found = allToolCalls(before.messages.slice(-1)).find(({ part }) => part.call.id === event.callId)
        if (found) noteUnsaved(before.id, found.part.call)
        return
      }
      case 'tool-progress':
        this.progress.set(event.callId, event.value)
        return
      case 'tool-result': {
        const answers = this.#deps.answers()
        const outcome = answers.outcomes.find(({ callId }) => callId === event.callId)
        if (event.whole !== undefined && outcome?.output !== undefined)
          this.fullOutputs.set(event.callId, outcome.output)
        answers.acknowledge(event.callId)
        this.progress.delete(event.callId)
        return
      }
      case 'storage-change':
        if (event.error) this.report(event.error)
        else {
          noteUnsaved(before.id)
          this.#clearStorageError()
        }
        this.storage = event.storage
        this.#isStoredStateOld = event.storage === 'memory'
        return
      case 'turn-end':
        if (!isOfTurn || !before.turn) return
        if (!this.#isStoredStateOld && this.isDriver) noteUnsaved(before.id)
        this.endTurn(before.turn, event)
    }
  }

  /** Settles the promise of a turn that has ended. `turn` is its record from before the end. */
  endTurn(turn: Turn, { turn: id, reason, error }: Pick<TurnEnd, 'turn' | 'reason' | 'error'>): void {
    const result = this.#result(turn, reason, error)
    this.fullOutputs.clear()
    const pending = this.#deps.pending.get(id)
    if (error) pending?.reject(turnError(error, result, this.#causes.get(causeKey(error))))
    else pending?.resolve(result)
  }

  /** The result of a turn that was lost with its host: interrupted, without messages. */
  lostResult(): TurnResult {
    return this.#result({ counted: Infinity }, 'interrupted')
  }

  #result(turn: Pick<Turn, 'counted'>, reason: TurnEnd['reason'], error?: Failure): TurnResult {
    return turnResult(this.opened(), { turn, reason, error }, this.fullOutputs)
  }

  /**
   * Adds messages that come before the first one, unless the session changed since they were requested for `session`.
   */
  prepend(session: Session, older: readonly Message[]): void {
    const now = this.opened()
    if (now.id !== session.id || now.start !== session.start) return
    this.session = { ...now, start: now.start - older.length, messages: [...older, ...now.messages] }
    this.notify({ type: 'change' })
  }

  /** Shows a running turn as interrupted, because there is no host to run it. */
  interrupt(): void {
    if (this.session?.turn) this.session = { ...this.session, status: 'interrupted' }
  }

  /** Remembers an exception, so that it becomes the `cause` of the rejection if its failure ends the turn. */
  addCause(failure: Failure, thrown: unknown): void {
    const key = causeKey(failure)
    if (!this.#causes.has(key)) this.#causes.set(key, thrown)
  }

  /** Shows an error to the observers, and logs it unless it was logged already. */
  report(error: Failure, isLogged = false): void {
    this.error = error
    if (!isLogged) log.logError(error)
    this.notify({ type: 'error', error })
  }

  /** Sets the error to null. */
  dismissError(): void {
    this.error = null
    this.notify({ type: 'change' })
  }

  /** A storage error is obsolete once the session can be stored. */
  #clearStorageError(): void {
    if (this.storage === 'memory' && this.error?.code === 'storage') this.dismissError()
  }

  /** Calls the listener with every notice. Returns a function that unsubscribes. */
  observe(listener: (notice: Notice) => void): () => void {
    this.#observers.add(listener)
    return () => this.#observers.delete(listener)
  }

  /** Calls the observers. An exception of one is logged and does not reach the others. */
  notify(notice: Notice): void {
    for (const observer of this.#observers) {
      try {
        observer(notice)
      } catch (thrown) {
        log.logError(toFailure(thrown, 'execution-failed')) // An exception of an observer must not stop the agent.
      }
    }
  }
}

const causeKey = ({ code, message }: Failure) => `${code} ${message}`
