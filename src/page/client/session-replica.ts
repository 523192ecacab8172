// Keeps the page's copy of the open session: the host sends it once when it opens, and then events, which are reduced
// into the copy with the reducer that the host uses. Also settles the promises of turns.
import type { Failure } from '../../core/data/errors.js'
import type { AgentEvent } from '../../core/data/event.js'
import type { JsonValue } from '../../core/data/json.js'
import { allToolCalls, isStoredBeside, type CallId } from '../../core/data/message.js'
import type { HostMessage } from '../../core/data/protocol.js'
import type { Session, Turn, TurnEnd } from '../../core/data/session.js'
import type { TurnResult } from '../../core/data/turn-result.js'
import { reduce } from '../../core/state/reduce.js'
import type { AgentState } from '../agent-state.js'
import type { QueryHandler } from '../answers/query-handler.js'
import { Recorder } from '../trace/recorder.js'
import { turnError, turnResult } from '../turn-result.js'
import type { PendingTurns } from '../pending-turns.js'
import { noteUnsaved } from '../tab/notes.js'
import type { SpawnedHost } from './spawn.js'

/** What a replica needs from its agent. */
export interface SessionReplicaDeps {
  /** Holds the session, and notifies the views. */
  readonly state: AgentState
  /** The promises of sends, which events settle. */
  readonly pending: PendingTurns
  /** @throws `not-open` before the host was started for the first time. */
  queryHandler(): QueryHandler
  /** Whether the option `debug` is set. */
  readonly isDebug: () => boolean
}

/** Changes the page's copy of the open session. Only this class does. */
export class SessionReplica {
  /** Has the session. */
  readonly state: AgentState
  /** Outputs longer than the session keeps, until the result of their turn has been made. */
  readonly fullOutputs = new Map<CallId, JsonValue>()
  /** Records the events for `exportTrace`. */
  readonly recorder: Recorder
  readonly #deps: SessionReplicaDeps
  // What the page's code threw in the running turn, by the failure made of it: exceptions cannot cross the port.
  readonly #causes = new Map<string, unknown>()
  // The session is in memory, and an older state of it is in the database.
  #isStoredStateOld = false

  constructor(deps: SessionReplicaDeps) {
    this.#deps = deps
    this.state = deps.state
    this.recorder = new Recorder(deps.isDebug)
  }

  /** Replaces the session by the one that the host has opened. `settle`: see `SpawnedHost`. */
  replace(
    { session, mode, storage, stored }: Extract<HostMessage, { type: 'session' }>,
    settle?: SpawnedHost['settle'],
  ): void {
    const { state } = this
    const { turn: running } = state.session ?? {}
    state.session = session
    this.recorder.opened(session)
    state.isDriver = mode === 'drive'
    if (storage !== 'memory') this.#clearStorageError()
    state.storage = storage
    this.#isStoredStateOld = storage === 'memory' && stored
    if (settle) settle(this, this.#deps.pending, running)
    else if (state.isDriver) {
      if (!session.turn) noteUnsaved(session.id)
    } else {
      // The user continued in another tab, so turns of this page have ended.
      this.#deps.pending.forEach((one, turn) => {
        if (one.isStarted) one.resolve(running?.id === turn ? this.#result(running, 'interrupted') : this.lostResult())
      })
    }
    state.progress = new Map()
    const asked = new Set(allToolCalls(session.messages).map(({ part }) => part.approval?.hash))
    for (const hash of state.questions.keys()) if (!asked.has(hash)) state.questions.delete(hash)
    this.#deps.queryHandler().dropUnstored()
    // Results that the previous host stored without reporting them.
    for (const { part } of allToolCalls(session.messages))
      if (part.result) this.#deps.queryHandler().acknowledge(part.call.id)
    state.notify({ type: 'session' })
  }

  /** Reduces an event into the session. Ignored while no session is open. */
  apply(path: readonly CallId[], event: AgentEvent): void {
    const before = this.state.session
    if (before === undefined) return
    this.state.session = reduce(before, event, path)
    this.recorder.saw(path, event)
    this.#follow(before, path, event)
    this.state.notify({ type: 'event', path, event })
  }

  /** Does what an event means for the page besides the session. `before` is the session without the event. */
  #follow(before: Session, path: readonly CallId[], event: AgentEvent): void {
    const { state } = this
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
        if (!isOfTurn || !this.#isStoredStateOld || !state.isDriver || event.repeatable) return
        const found = allToolCalls(before.messages.slice(-1)).find(({ part }) => part.call.id === event.callId)
        if (found) noteUnsaved(before.id, found.part.call)
        return
      }
      case 'tool-progress':
        state.setProgress(event.callId, event.value)
        return
      case 'tool-result': {
        const handler = this.#deps.queryHandler()
        const outcome = handler.outcomes.find(({ callId }) => callId === event.callId)
        if (isStoredBeside(event.result) && outcome?.output !== undefined)
          this.fullOutputs.set(event.callId, outcome.output)
        handler.acknowledge(event.callId)
        state.setProgress(event.callId, undefined)
        return
      }
      case 'storage-change':
        if (event.error) state.report(event.error)
        else {
          noteUnsaved(before.id)
          this.#clearStorageError()
        }
        state.storage = event.storage
        this.#isStoredStateOld = event.storage === 'memory'
        return
      case 'turn-end':
        if (!isOfTurn || !before.turn) return
        state.questions.clear()
        if (!this.#isStoredStateOld && state.isDriver) noteUnsaved(before.id)
        this.endTurn(before.turn, event)
    }
  }

  /** Settles the promise of a turn that has ended. `turn` is its record from before the end. */
  endTurn(
    turn: { readonly counted: number },
    { turn: id, reason, error }: Pick<TurnEnd, 'turn' | 'reason' | 'error'>,
  ): void {
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
    return turnResult(this.state.opened(), { turn, reason, error }, this.fullOutputs)
  }

  /** Shows a running turn as interrupted, because there is no host to run it. */
  interrupt(): void {
    const { session } = this.state
    if (session?.turn) this.state.session = { ...session, status: 'interrupted' }
  }

  /** Remembers an exception, so that it becomes the `cause` of the rejection if its failure ends the turn. */
  addCause(failure: Failure, thrown: unknown): void {
    const key = causeKey(failure)
    if (!this.#causes.has(key)) this.#causes.set(key, thrown)
  }

  /** A storage error is obsolete once the session can be stored. */
  #clearStorageError(): void {
    const { state } = this
    if (state.storage === 'memory' && state.error?.code === 'storage') state.dismissError()
  }
}

const causeKey = ({ code, message }: Failure) => `${code} ${message}`
