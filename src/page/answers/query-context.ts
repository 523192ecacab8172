// What all queries share: the state that outlives one query, and how their answers find context and messages.
import type { ActionForecast, ActionPermission } from '../../core/data/action.js'
import type { Failure } from '../../core/data/errors.js'
import type { JsonValue } from '../../core/data/json.js'
import { toolCallsOf, type CallId, type Message } from '../../core/data/message.js'
import type { ReadProgress } from '../../core/data/protocol.js'
import { turnContext, type Session } from '../../core/data/session.js'
import type { ToolContext } from '../../core/data/tool.js'
import { mergeContextLayers, visibleContext } from '../context-layers.js'
import type { AvailableTool, ToolSearch } from '../tools/available-tools.js'
import type { QueryDeps, CallPath } from './query-deps.js'
import type { Offers } from './offers.js'

/** Shared by all queries to one agent, as long as its page lives. */
export interface QueryContext {
  /** What the agent provides: options, session, registry, callbacks. The same object for all queries. */
  readonly deps: QueryDeps
  /** What the newest requests offered. */
  readonly offers: Offers
  /** What the newest check of each call found out. Needed again when it runs, and by its question. */
  readonly checks: Map<CallId, CallCheck>
  /** Searches the tools, once a conversation needs that. */
  search?: ToolSearch
  /** The programmer is warned about too many tools once per page. */
  hasWarnedAboutToolCount: boolean
}

/** What the newest check of a call found out. */
export interface CallCheck {
  /** What a page tool predicts about its action. */
  readonly forecast?: ActionForecast | undefined
  /** The same as it was before the call ran. */
  readonly described?: ActionForecast | undefined
  /** What the action may do; if it has to be asked about, after the user has approved it. */
  readonly permission?: ActionPermission | undefined
  /** A grant of the session would not cover consequences of the call. */
  readonly untrusted: boolean
  /**
   * The page holds what the call is about to send; it could not hold it any longer, so the call may run again; or why
   * the call is over.
   */
  readonly hold?: 'held' | 'expired' | Failure | undefined
}

/** One query on its way: where it comes from, how it is aborted, where its progress goes. */
export interface QueryRun {
  /** The agent that the query comes from. */
  readonly path: CallPath
  /** Aborted when the query is cancelled, the host is replaced, or the agent is closed. */
  readonly signal: AbortSignal
  /** Posts a value to the host before the answer. */
  readonly onProgress: (value: JsonValue | ReadProgress) => void
  /** Runs one call of a `read` with a signal of its own, because another result of the step must not abort it. */
  readonly runAlone: <T>(callId: CallId, work: (signal: AbortSignal) => Promise<T>) => Promise<T>
}

/** The tool context for one tool: the agent's, the session's and the send's, validated by its `contextSchema`. */
export function toolContextFor(deps: QueryDeps, { entry }: AvailableTool): ReturnType<typeof mergeContextLayers> {
  return mergeContextLayers(layersOf(deps), entry.contextSchema)
}

/**
 * What an approval of a tool with a question of its own is bound to beside its preview: the tool context that it reads,
 * as it is now. Undefined for other tools.
 */
export function questionContext(deps: QueryDeps, { entry }: AvailableTool): ToolContext | undefined {
  return entry.tool.question && visibleContext(layersOf(deps), entry.contextSchema)
}

function layersOf({ options, session }: QueryDeps): readonly ToolContext[] {
  return [options().toolContext ?? {}, turnContext(session())]
}

/** The messages of the agent that makes a call: those of the session, or those inside the outer calls. */
export function messagesAt({ messages }: Session, path: CallPath): readonly Message[] {
  return path.reduce<readonly Message[]>((outer, id) => {
    const agent = toolCallsOf(outer.at(-1)).find(({ call }) => call.id === id)
    return agent?.child?.messages ?? []
  }, messages)
}
