// What a turn needs from the thread it runs on. `core/` must not read the clock, make random values, open a database
// or post to a port itself. All of that comes in here, so tests can replace every part.
import { ToolAgentError, type Failure } from '../data/errors.js'
import type { AgentEvent } from '../data/event.js'
import type { JsonValue } from '../data/json.js'
import type { CallId, Reason } from '../data/message.js'
import type { ModelAdapter, ModelRequest } from '../data/model.js'
import type {
  AnswerTo,
  ExecutionResult,
  HiddenTool,
  HostConfig,
  Offer,
  ProgressOf,
  QueryKind,
  QueryOf,
} from '../data/protocol.js'
import type { Session } from '../data/session.js'
import type { LongResult, TextRange } from '../state/store.js'
import type { SemaphoreSlot } from './semaphore.js'

/**
 * The tools of one model request, by name, and those that its answer calls with `use_tool`. A call runs only if they
 * have its tool.
 */
export type OfferedTools = ReadonlyMap<string, HiddenTool>

/**
 * The user's decision on an approval request. `superseded`: the user sent another message instead. `recheck`: the tool
 * or the page changed, so the page must check the call again.
 */
export type Decision =
  | {
      readonly do: 'approve'
      /** The input as the user changed it; absent if they did not. The page validates it again. */
      readonly input?: JsonValue
      /** What the user wrote. The model reads it before the result. */
      readonly reason?: string
      /**
       * `session`: the approval applies to the tool for the rest of the session. `task`: it covers `Preview.task` until
       * the turn ends.
       */
      readonly remember?: 'session' | 'task'
    }
  | {
      readonly do: 'deny'
      /** What the user wrote. The model reads it in the error. */
      readonly reason?: string
      /** They have done it themselves. */
      readonly doneByUser?: true
      /** Of a question of a running tool: `cancel` if it was closed. */
      readonly input?: JsonValue
    }
  | {
      /** The tool has ended while it waited for an answer. */
      readonly do: 'ended'
      readonly outcome: ExecutionResult
    }
  | { readonly do: 'superseded' }
  | { readonly do: 'recheck' }

/** What the caller of a stepped turn does with a call: the page runs it, or the caller supplies the result. */
export type CallCommand =
  | { readonly do: 'run' }
  | {
      readonly do: 'settle'
      /** Stored as if the tool had returned it. */
      readonly outcome: ExecutionResult
    }

/**
 * How a wait measures its time. `timer`: while the device is awake. `clock`: time in which the device sleeps counts,
 * too. `retry`: the same, and the user can end the wait.
 */
export type WaitKind = 'timer' | 'clock' | 'retry'

/** How a turn ended. */
export interface TurnOutcome {
  /** The same as in its `turn-end`. */
  readonly reason: Reason
  /** Set for the reason `error`. */
  readonly error?: Failure
  /** An error handler of the page threw `error`, so every enclosing turn must end with it, too. @default false */
  readonly isFatal?: boolean
}

/** One attempt of one step, for which the host creates a model. */
export interface ModelAttempt {
  /** The number of the step, from 1. */
  readonly step: number
  /** 0 for the first attempt. */
  readonly attempt: number
  /** The request that the model will stream. */
  readonly request: ModelRequest
}

/** What a turn reads and writes. */
interface SessionDeps {
  /**
   * The session after the newest event, also while its commit runs. Inside an agent's call: the session as that agent
   * sees it.
   */
  session(): Session
  /** The whole session, also inside an agent's call. */
  rootSession(): Session
  /**
   * Resolves when the event is reduced, committed if it is durable, and posted. Rejects with `lost-session` or
   * `session-deleted` when this host may no longer write. The turn must then end without another event.
   */
  emit(event: AgentEvent, path?: readonly CallId[]): Promise<void>
  /** Resolves when every event so far is committed. Rejects as `emit` does. */
  committed(): Promise<void>
  /**
   * Whether a request may be sent before that, although a crash can lose what it contains: nothing is asked before it,
   * and it has no effect.
   */
  mayRequestAhead(): boolean
  /** What of a result is stored beside its message. */
  longResult(callId: CallId): Promise<LongResult | undefined>
  /** Characters of the full text of a result that was cut. */
  resultText(callId: CallId, range: TextRange): Promise<string | undefined>
}

/** The page that drives the session, and the model. */
interface PageDeps {
  /** The newest configuration. Read again before each step, because the page can change it. */
  config(): HostConfig
  /** Sends a query to the driving page. Aborting `signal` cancels it there. */
  ask<K extends QueryKind>(
    query: QueryOf<K>,
    signal: AbortSignal,
    onProgress?: (value: ProgressOf<K>) => void,
    path?: readonly CallId[],
  ): Promise<AnswerTo<K>>
  /** The tools that the page has posted for this turn, for the next request; undefined if it must be asked. */
  postedOffer(): Offer | undefined
  /**
   * The result of a call that started on an earlier host, if the page has it or still runs the call. Undefined for a
   * call that the page does not know.
   */
  outcomeFromPage(callId: CallId, signal: AbortSignal): Promise<ExecutionResult> | undefined
  /** Resolves when the page has confirmed that it is still open. */
  untilPagePresent(signal: AbortSignal): Promise<void>
  /** The model for one attempt of one step. Rejects with `no-endpoint` or `invalid-option`. */
  model(attempt: ModelAttempt, path?: readonly CallId[]): Promise<ModelAdapter>
}

/** What the user decides about calls, or the caller of a stepped turn. */
interface DecisionDeps {
  /** Resolves with the user's decision on the approval request of this call. */
  userDecision(callId: CallId, signal: AbortSignal): Promise<Decision>
  /** The user's denial of a restored approval request, if it arrived before the page could check the call again. */
  earlyDenial(callId: CallId): Decision | undefined
  /** In a stepped turn: resolves with what the caller does with an open call. */
  callCommand(callId: CallId, signal: AbortSignal): Promise<CallCommand>
  /** In a stepped turn: resolves when the caller requests the next step. */
  nextStepRequest(signal: AbortSignal): Promise<void>
}

/** What is shared with the agents inside the turn. */
interface AgentDeps {
  /** The number of enclosing agent calls: 0 for the user's own turn. */
  readonly depth: number
  /**
   * Runs the turn loop for an agent inside a call. A dependency, because importing the loop would be an import cycle.
   * Resolves with undefined when the turn stays open.
   */
  runTurn(deps: TurnDeps, signal: AbortSignal): Promise<TurnOutcome | undefined>
  /**
   * Ids of all calls of this turn, including those of a step that is not stored yet. Shared, because agents call their
   * models in parallel.
   */
  readonly callIds: Set<CallId>
  /** Runs one exclusive tool at a time, across the turn and the agents inside it. */
  readonly runExclusively: SemaphoreSlot
}

/** Time, chance and the network. */
interface DeviceDeps {
  /** Milliseconds since the epoch. */
  now(): number
  /** Milliseconds that this turn has run, on all its hosts, without the time spent waiting for the user. */
  timeSpent(): number
  /** Resolves after `ms` milliseconds. @param kind `timer` by default */
  wait(ms: number, signal: AbortSignal, kind?: WaitKind): Promise<void>
  /** Resolves when the device reports a network connection. */
  untilOnline(signal: AbortSignal): Promise<void>
  /** A new random id with this prefix. */
  id(prefix: string): string
  /** At least 64 random bits as text: the boundary of a fence around untrusted text. */
  nonce(): string
  /** A random number from 0 to less than 1. */
  random(): number
}

/**
 * The thread around a turn. Optional `path`: ids of the enclosing agent calls, outermost first; empty for the user's
 * own turn. A method that takes a signal rejects with the signal's reason as soon as it is aborted.
 */
export interface TurnDeps extends SessionDeps, PageDeps, DecisionDeps, AgentDeps, DeviceDeps {}

/** Why a turn's signal was aborted. `closed`: the page closes; open calls stay open and the turn can be resumed. */
export class TurnAbort extends Error {
  override readonly name = 'AbortError'
  /** The reason with which the turn ends; `closed` does not end it. */
  readonly kind: 'stopped' | 'interrupted' | 'max-time' | 'closed'

  constructor(kind: TurnAbort['kind']) {
    super(`The turn was ${kind}`)
    this.kind = kind
  }
}

/**
 * Throws the signal's reason if it was aborted as `closed`: nothing may be settled, because the turn will be resumed.
 */
export function throwIfClosed({ reason }: AbortSignal): void {
  if (reason instanceof TurnAbort && reason.kind === 'closed') throw reason
}

/** True for errors after which this host must not write: another host took the session, or it was deleted. */
export function isFencedOff(thrown: unknown): boolean {
  return thrown instanceof ToolAgentError && (thrown.code === 'lost-session' || thrown.code === 'session-deleted')
}
