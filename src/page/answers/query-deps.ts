// What the answers to queries need from their agent, as types. Without imports from this folder, so that all its files
// can use it.
import type { Failure } from '../../core/data/errors.js'
import type { JsonValue } from '../../core/data/json.js'
import type { CallId, ToolCall } from '../../core/data/message.js'
import type { PageMessage } from '../../core/data/protocol.js'
import type { Session } from '../../core/data/session.js'
import type { AgentState } from '../agent-state.js'
import type { AgentOptions, SendOptions } from '../options.js'
import type { ExclusiveLock } from '../promises.js'
import type { ToolRegistry } from '../tools/registry.js'
import type { ToolProvider } from '../tools/tool.js'

/** What the errors of calls need from their agent. */
export interface ToolErrorDeps {
  /** The newest options; read again at each use, because they may change between two calls. */
  options(): AgentOptions
  /** The newest session, as far as events have arrived. */
  session(): Session
  /** `shared`: the map that the tools of a turn share. */
  send(turn: string): { readonly shared: Map<string, unknown> }
  /** Reports to the programmer. `isLogged`: the console has shown the error already. */
  report(failure: Failure, isLogged?: boolean): void
  /** Keeps what the page threw: if the turn ends with this failure, `thrown` is the `cause` of the rejection. */
  threw(failure: Failure, thrown: unknown): void
}

/** Ids of the calls of agents that a query comes from, outermost first. Empty for the user's own turn. */
export type CallPath = readonly CallId[]

/** What the answers to queries need from their agent. */
export interface QueryDeps extends ToolErrorDeps {
  /** Tools that the page registered. */
  readonly registry: ToolRegistry
  /** Sources of further tools, which are queried at each step. */
  readonly providers: ReadonlySet<ToolProvider>
  /** Shared by all calls on this page, so that exclusive tools run one after another. */
  readonly lock: ExclusiveLock
  /** The options of a send, which may hold functions and so stay on the page, and the map that its tools share. */
  send(turn: string): { readonly options: SendOptions | undefined; readonly shared: Map<string, unknown> }
  /** Address and language of the page as of now. */
  page(): { readonly url: string; readonly locale: string }
  /** Dispatches the cancelable `tool-call` event. False: a listener canceled it, so the call is refused. */
  isAllowed(call: ToolCall, input: JsonValue): boolean
  /** Aborted when the agent is closed. */
  readonly closed: AbortSignal
  /** Where progress is shown, and the session while it may not be open yet: then it is new. */
  readonly state: Pick<AgentState, 'setProgress' | 'notify' | 'session'>
  /** Why a tool cannot ask the user anything; undefined if it can. */
  noQuestions(): string | undefined
  /** Stops the running turn. */
  stopTurn(): void
  /** Sends a message to the host. */
  post(message: PageMessage): void
}

/** Where the text of a result is from. */
export interface ResultSource {
  /** It is fenced before the model reads it. */
  readonly untrusted: boolean
  /** Untrusted because of a discovered tool or a provider's. */
  readonly foreign?: true
  /** A result that repeats an earlier one is sent as what changed. */
  readonly repeats?: true
}
