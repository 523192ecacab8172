// What a turn needs from the thread it runs on. `core/` has no clock, no random values, no database and no port:
// they all come in here.
import type { AgentEvent } from '../data/event.js'
import type { JsonValue } from '../data/json.js'
import type { CallId } from '../data/message.js'
import type { ModelAdapter, ModelRequest } from '../data/model.js'
import type { PageAnswers, PageQuery, HostConfig, ExecutionResult } from '../data/protocol.js'
import type { Session } from '../data/session.js'
import type { SemaphoreSlot } from './semaphore.js'

export type QueryOf<K extends PageQuery['type']> = Extract<PageQuery, { type: K }>

/** What the user did about a question. `recheck`: the tool or the page changed since, so it has to be asked anew. */
export type Decision =
  | { readonly do: 'approve'; readonly input?: JsonValue; readonly reason?: string; readonly remember: boolean }
  | { readonly do: 'deny'; readonly reason?: string }
  | { readonly do: 'superseded' }
  | { readonly do: 'recheck' }

/** What the caller of a stepped turn does about a call: has the page run it, or gives its outcome. */
export type ToolOrder = { readonly do: 'run' } | { readonly do: 'settle'; readonly outcome: ExecutionResult }

export interface TurnDeps {
  /** The session as of the newest event; inside an agent's call, as that agent sees it. */
  session(): Session
  /** The whole session, wherever the turn runs. */
  root(): Session
  /** Ids that calls of this turn have, those of a step that is not stored yet among them: agents ask their models side by side. */
  readonly callIds: Set<CallId>
  /** Runs what may not run beside another such, in the whole turn. */
  readonly alone: SemaphoreSlot
  /** How many agents' calls this turn runs in: 0 for the user's own turn. */
  readonly depth: number
  /** Newest configuration; read at each step. */
  config(): HostConfig
  /**
   * Resolves when the event is reduced, committed where durable, and posted. Rejects with `lost-session` or
   * `session-deleted` when this host may no longer write; the turn then ends without a word.
   */
  emit(event: AgentEvent, path?: readonly CallId[]): Promise<void>
  /** Asks the driving page. Aborting `signal` cancels it there and rejects here at once with the signal's reason. */
  ask<K extends PageQuery['type']>(
    ask: QueryOf<K>,
    signal: AbortSignal,
    onProgress?: (value: unknown) => void,
    path?: readonly CallId[],
  ): Promise<PageAnswers[K]>
  /** The model for one attempt of one step. Throws `no-endpoint` or `invalid-option`. */
  model(
    attempt: { step: number; attempt: number; request: ModelRequest },
    path?: readonly CallId[],
  ): Promise<ModelAdapter>
  decision(callId: CallId, signal: AbortSignal): Promise<Decision>
  /** The user's no to a restored question, from before the page could be asked whether it still is one. */
  denial(callId: CallId): Decision | undefined
  /** In a stepped turn: what the caller does about an open call. */
  order(callId: CallId, signal: AbortSignal): Promise<ToolOrder>
  /** In a stepped turn: resolves when the caller wants the next step. */
  proceed(signal: AbortSignal): Promise<void>
  /** Milliseconds this turn has run, over all its hosts, without waiting for the user. */
  spent(): number
  /** An outcome the page holds, or will send for a call it is still running; undefined for a call it does not know. */
  held(callId: CallId, signal: AbortSignal): Promise<ExecutionResult> | undefined
  /** The whole text of a result that was cut. */
  whole(callId: CallId): Promise<string | undefined>
  /** Milliseconds since the epoch. */
  now(): number
  id(prefix: string): string
  /** At least 64 random bits as text, for the fence. */
  nonce(): string
  random(): number
  /** Resolves when the device has a network, as far as it knows. */
  online(signal: AbortSignal): Promise<void>
  /** Resolves when the page has said that it is still there. */
  present(signal: AbortSignal): Promise<void>
  /** Rejects with the signal's reason when it is aborted. */
  wait(ms: number, signal: AbortSignal, byClock?: boolean): Promise<void>
}

/** Why a turn's signal was aborted. `closed`: the page goes away, so nothing is settled and the turn can be resumed. */
export class TurnAbort extends Error {
  override readonly name = 'AbortError'
  readonly kind: 'stopped' | 'interrupted' | 'max-time' | 'closed'

  constructor(kind: TurnAbort['kind']) {
    super(`The turn was ${kind}`)
    this.kind = kind
  }
}
