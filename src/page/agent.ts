// SKELETON: the public surface of the agent; the body follows. Types here are what ui/ may count on.
import type { AgentEvent } from '../core/event.js'
import type { JsonValue } from '../core/json.js'
import type { CallId, Message } from '../core/message.js'
import type { Session, SessionSummary } from '../core/session.js'
import type { Todo } from '../core/todo.js'
import type { Failure } from '../core/errors.js'
import type { ToolContext } from '../core/tool.js'
import type { AgentOptions, SendInput, SendOptions, TurnResult } from './options.js'
import type { AnyTool, ToolProvider } from './tool.js'

/** What a listener of `subscribe` hears: every session event, and what only the page knows. */
export type Notice =
  | { readonly type: 'event'; readonly path: readonly CallId[]; readonly event: AgentEvent }
  /** The replica was replaced: opened, created or switched. */
  | { readonly type: 'session' }
  /** status, host, storage, tools, queue or error changed. */
  | { readonly type: 'change' }
  /** An error for the user or the programmer. */
  | { readonly type: 'error'; readonly error: Failure }

export interface RegisteredTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonValue
  readonly annotations: JsonValue
  readonly tool: AnyTool
}

export type AgentStatus = 'loading' | 'idle' | 'running' | 'awaiting-approval' | 'interrupted'
export type HostKind = 'worker' | 'blob-worker' | 'page' | 'mirror'

export declare class Agent {
  constructor(options?: AgentOptions)
  /** Assigning an option takes effect at the next step. */
  readonly options: Readonly<AgentOptions>
  configure(options: AgentOptions): void
  /** undefined while loading. Identity changes with every change. */
  readonly session: Session | undefined
  readonly messages: readonly Message[]
  readonly todos: readonly Todo[]
  readonly tools: readonly RegisteredTool[]
  readonly status: AgentStatus
  readonly host: HostKind | undefined
  readonly storage: 'indexeddb' | 'memory' | undefined
  /** Texts of sends that wait their turn. */
  readonly queue: readonly { readonly turn: string; readonly text: string }[]
  /** The newest error that belongs to no turn (no endpoint, storage, invalid option); null when dismissed. */
  readonly error: Failure | null
  dismissError(): void
  /** Progress of running calls by call id: the newest value reported. */
  readonly progress: ReadonlyMap<CallId, JsonValue>
  subscribe(listener: (notice: Notice) => void): () => void
  registerTool(tool: AnyTool | readonly AnyTool[], options?: { signal?: AbortSignal; replace?: boolean }): () => void
  registerToolProvider(provider: ToolProvider, options?: { signal?: AbortSignal }): () => void
  send(input: SendInput, options?: SendOptions): Promise<TurnResult>
  stop(): void
  continue(): Promise<TurnResult>
  approve(callId: CallId, options?: { input?: JsonValue; reason?: string; remember?: 'session' }): Promise<void>
  deny(callId: CallId, options?: { reason?: string }): Promise<void>
  takeOver(): Promise<void>
  close(): void
  callTool(name: string, input: JsonValue, options?: { toolContext?: ToolContext; signal?: AbortSignal }): Promise<JsonValue>
  remember(key: string, value: JsonValue | undefined): void
  loadOlder(): Promise<void>
  /** The whole text of a result that was cut. */
  resultText(callId: CallId): Promise<string | undefined>
  readonly sessions: {
    list(): Promise<SessionSummary[]>
    create(options?: { toolContext?: ToolContext }): Promise<string>
    open(id: string): Promise<void>
    rename(id: string, title: string): Promise<void>
    delete(id: string): Promise<void>
    clear(): Promise<void>
    /** The stored record as it is, for inspectors. */
    stored(id: string): Promise<Session | undefined>
  }
}
export declare function createAgent(options?: AgentOptions): Agent
