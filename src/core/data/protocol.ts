// Everything that crosses between page and host. All values are JSON. Events go to every page of the session. Queries
// go to the driving page only, and each is answered once.
// Over 300 lines because every message that crosses is defined here, and nowhere else.
import type { JsonObject, JsonValue } from './json.js'
import type { Failure } from './failure.js'
import type { AgentEvent } from './event.js'
import type { Preview } from '../calls/action-preview.js'
import type { CallId, ToolCall, UserPart } from './message.js'
import type { ModelPart, ModelRequest } from './model.js'
import type { ContextChange, PageFacts, Session, TurnOptions } from './session.js'
import type { Limits, ToolChoice, ToolContext, ToolSpec } from './tool.js'

/** Page and host must have the same version. Otherwise the page starts its own host. */
export const protocolVersion = 1

/** What a connection needs: a `MessagePort`, a `Worker`, the scope of a worker, or an adapter for Node. */
export interface Port {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  removeEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  start?(): void
  close?(): void
}

/** The options that the host needs. Functions stay on the page, and the host queries them. */
export interface HostConfig {
  /** Absolute base URL of the model's API. */
  readonly endpoint?: string
  /** The name of the model. */
  readonly model: string
  /** The name of the provider, such as `openai`. */
  readonly provider: string
  /** URL of the provider's module. The host loads it. */
  readonly providerUrl?: string
  /** The model is an object on the page, so the page streams its answers. */
  readonly pageModel: boolean
  /** The agent's part of the system text. */
  readonly instructions: string
  readonly limits: Limits
  /** When to remind the model of its todo list; false removes the todo tools. */
  readonly todo: false | { readonly afterRounds: number; readonly text: string }
  /** The model calls tools with markup in its text. `open` and `close` must be set together. */
  readonly textProtocol?: true | { readonly open?: string; readonly close?: string; readonly instructions?: string }
  /** URL of the module for `textProtocol`. The host loads it. */
  readonly textProtocolUrl?: string
  /** Stream the answers. */
  readonly stream: boolean
  /** `RequestInit.credentials` of the requests to the endpoint. */
  readonly credentials: 'same-origin' | 'include'
  /** What happens with an unfinished turn after a reload. */
  readonly resume: 'auto' | 'ask' | 'never'
  /** `tokens`: the longest request. `keepResults`: how many tool results a shortened request keeps. @default 3 */
  readonly contextWindow: { readonly tokens?: number; readonly keepResults?: number }
  /** Which hooks the page has. The host queries only these. */
  readonly hooks: { readonly beforeModel: boolean; readonly headers: boolean }
  /** Which sessions are deleted automatically. `maxAge`: milliseconds since their last change. */
  readonly retention?: { readonly maxSessions?: number; readonly maxAge?: number }
  /** Emit `step-request` and `step-response`. */
  readonly debug: boolean
}

/** How the execution of one call on the page ended. Times in milliseconds since the epoch. */
export type ExecutionResult = {
  readonly callId: CallId
  /** How often the tool's function was called. */
  readonly attempts: number
  readonly startedAt: number
  readonly endedAt: number
  /** The executed input. */
  readonly input?: JsonValue
  /** What the tool stored in the session's context. */
  readonly context?: ContextChange
  /** The tool was discovered or supplied by a tool provider. Set only if the result is untrusted. */
  readonly foreign?: true
} & (
  | {
      readonly output: JsonValue
      /** The text for the model, neither cut nor fenced. */
      readonly text: string
      /** What `toModelOutput` returned as content, instead of `text`. */
      readonly content?: JsonValue
      /** The result contains text from an untrusted source. */
      readonly untrusted: boolean
      readonly error?: never
    }
  | {
      readonly error: Failure
      /** The message may quote the page. */
      readonly untrusted?: boolean
      /** What the model reads instead of the code and message. */
      readonly text?: string
      /** An error handler of the page threw. The turn ends with this error. */
      readonly fatal?: Failure
      readonly output?: never
    }
)

/** The page's verdict on a call. `ask`: the user must approve it. `input`: the validated input. */
export type Verdict =
  | { readonly callId: CallId; readonly do: 'run'; readonly hash: string; readonly input: JsonValue }
  | {
      readonly callId: CallId
      readonly do: 'ask'
      readonly hash: string
      readonly input: JsonValue
      readonly title: string
      readonly preview?: Preview
      /** An approval applies to the session, even if the user did not request that. */
      readonly once?: true
    }
  | {
      readonly callId: CallId
      readonly do: 'refuse'
      readonly error: Failure
      /** What the model reads instead of the code and message. */
      readonly text?: string
      /** An error handler of the page threw. The turn ends with this error. */
      readonly fatal?: Failure
      /** The message may quote the page. */
      readonly untrusted?: boolean
    }

/** The page's answer before each step. */
export interface Prepared {
  /** The tools on offer. */
  readonly tools: readonly ToolSpec[]
  /** Replaces the tool choice of the turn for this step. */
  readonly toolChoice?: ToolChoice
  /** The page's stop condition is met: the turn ends as `condition`. */
  readonly stop?: boolean
}

/** A call that the page has to check. */
export interface CheckCall {
  readonly callId: CallId
  readonly name: string
  readonly input: JsonValue
  /** The argument text, if it was not one JSON object. */
  readonly raw?: string
  /** `ToolSpec.hash` of the offered definition; empty if the tool was not offered. */
  readonly hash: string
  /** Why the host will not run it. The page's error handlers may replace the text for the model. */
  readonly problem?: Failure
}

/** A query of the host to the driving page. */
export type PageQuery =
  /** Before each step: which tools are on offer? */
  | {
      readonly type: 'prepare'
      readonly turn: string
      readonly step: number
      /** The user's text, for tool providers. */
      readonly text: string
      /** For a resumed turn: the page answers when its document is complete and these tools are registered. */
      readonly expect?: readonly string[]
    }
  /** Headers for a request to the endpoint. `unauthorized`: the endpoint rejected the last ones. */
  | { readonly type: 'headers'; readonly reason: 'request' | 'unauthorized' }
  /** The `beforeModel` hook may change the request. */
  | { readonly type: 'before-model'; readonly request: ModelRequest }
  /** May these calls run? Answered for all calls at once. */
  | {
      readonly type: 'check'
      readonly calls: readonly CheckCall[]
      /** The model has read untrusted text, so approval for the session does not cover calls with consequences. */
      readonly tainted: boolean
    }
  /** Run a tool. */
  | {
      readonly type: 'execute'
      readonly callId: CallId
      readonly name: string
      readonly input: JsonValue
      /** `ToolSpec.hash` of the offered definition. */
      readonly hash: string
      /** Set if the user approved the call. `reason`: what they wrote. `edited`: they changed the input. */
      readonly approval?: { readonly reason?: string; readonly edited: boolean }
      /** The answer of an agent that runs as this tool. The page only does what follows an execution. */
      readonly made?: { readonly output: JsonValue; readonly untrusted: boolean; readonly foreign?: true }
    }
  /** Stream a model call, for a model that is an object on the page. */
  | { readonly type: 'model'; readonly request: ModelRequest }

/** The answer to each query. */
export interface PageAnswers {
  prepare: Prepared
  headers: Record<string, string>
  'before-model': ModelRequest
  check: readonly Verdict[]
  execute: ExecutionResult
  /** The parts were sent as progress. */
  model: null
}

/** The options of a `send` message. */
export interface HostSendOptions extends TurnOptions {
  readonly facts: PageFacts
}

/** A call that navigated from one page to another. */
export interface PageChange {
  readonly callId: CallId
  /** The address of the first page, without private values. */
  readonly from: string
  /** The address of the second page, without private values. */
  readonly to: string
  /** What the second page answers the call, as JSON. Undefined if it answers nothing. */
  readonly answer?: JsonValue
}

/** A message from the page to the host. */
export type PageMessage =
  /** Opens a session, or resumes it after the last host ended. */
  | {
      readonly type: 'open'
      readonly protocol: number
      /** @default a new session */
      readonly sessionId?: string
      readonly scope: string
      /** Id of the tab. */
      readonly tab: string
      readonly url: string
      readonly config: HostConfig
      readonly mode: 'drive' | 'mirror'
      /** Calls that the page is executing. */
      readonly running: readonly CallId[]
      /** Results for which the page has not received a `tool-result`. */
      readonly outcomes: readonly ExecutionResult[]
      /** The call that navigated away from the previous page. */
      readonly left?: PageChange
      /** The tool context for a new session. */
      readonly toolContext?: ToolContext
    }
  /** Calls that started while nothing could be stored. Sent before the session is opened or taken over. */
  | { readonly type: 'unsaved'; readonly sessionId: string; readonly calls: readonly ToolCall[] }
  /** Replaces the configuration. */
  | { readonly type: 'configure'; readonly config: HostConfig }
  /** Starts a turn, or queues it. `turn`: its new id. */
  | {
      readonly type: 'send'
      readonly turn: string
      readonly input: readonly UserPart[]
      readonly options: HostSendOptions
      readonly whenBusy: 'queue' | 'interrupt'
      readonly mode?: 'manual'
    }
  /** `stop`: stops the turn. `next`: the caller of a stepped turn requests the next step. `close`: stores and ends. */
  | { readonly type: 'control'; readonly do: 'stop' | 'next' | 'close' }
  /** Removes a queued message. */
  | { readonly type: 'control'; readonly do: 'drop'; readonly turn: string }
  /** Continues an interrupted turn. */
  | { readonly type: 'control'; readonly do: 'continue'; readonly turn: string; readonly facts: PageFacts }
  /** The user's decision. Ignored unless `hash` is that of the newest approval request of the call. */
  | {
      readonly type: 'decide'
      readonly callId: CallId
      readonly hash: string
      readonly decision: 'approve' | 'deny'
      readonly input?: JsonValue
      readonly reason?: string
      readonly remember?: 'session'
    }
  /** The caller of a stepped turn lets the page run a call. */
  | { readonly type: 'run'; readonly callId: CallId }
  /** The caller of a stepped turn supplies the result of a call. */
  | { readonly type: 'settle'; readonly outcome: ExecutionResult }
  /** The answer to a query, or its error. `ask`: the id of the query. */
  | { readonly type: 'answer'; readonly ask: number; readonly value: unknown; readonly error?: never }
  | { readonly type: 'answer'; readonly ask: number; readonly error: Failure; readonly value?: never }
  /** Progress of a running tool, or a part of a model that the page streams. */
  | { readonly type: 'progress'; readonly ask: number; readonly value: JsonValue | ModelPart }
  /** Changes the session's tool context. */
  | { readonly type: 'remember'; readonly context: ContextChange }
  /** A request to the host. `with`: its arguments. */
  | { readonly type: 'request'; readonly id: number; readonly what: RequestKind; readonly with: JsonObject }
  /** The result of a call that was running when an earlier host ended. */
  | { readonly type: 'outcome'; readonly outcome: ExecutionResult }
  /** The answer to `ping`. */
  | { readonly type: 'pong' }

/** What a page can request from the host. */
export type RequestKind =
  | 'sessions'
  | 'messages'
  | 'result'
  | 'export'
  | 'import'
  | 'rename'
  | 'delete'
  | 'clear'
  | 'stored'
  | 'take-over'

/** A message from the host to the page. */
export type HostMessage =
  /** The first message: the host accepts messages. */
  | { readonly type: 'ready'; readonly protocol: number }
  /** The whole session, when it is opened and when the replica must be replaced. */
  | {
      readonly type: 'session'
      readonly session: Session
      /** The number of the last event in `session`. */
      readonly seq: number
      /** `drive`: this host runs the turns. `mirror`: a host in another tab does. */
      readonly mode: 'drive' | 'mirror'
      readonly storage: 'indexeddb' | 'memory'
      /** False for a new session that is not stored yet. */
      readonly stored: boolean
    }
  /** An event. `seq` increases by one with each event. `path`: ids of the enclosing agent calls. */
  | { readonly type: 'event'; readonly seq: number; readonly path: readonly CallId[]; readonly event: AgentEvent }
  /** A query to the driving page. */
  | { readonly type: 'ask'; readonly id: number; readonly path: readonly CallId[]; readonly ask: PageQuery }
  /** The query was aborted. The page must not answer it. */
  | { readonly type: 'cancel'; readonly ask: number }
  /** The reply to a request of the page, or its error. */
  | { readonly type: 'reply'; readonly id: number; readonly value: unknown; readonly error?: never }
  | { readonly type: 'reply'; readonly id: number; readonly error: Failure; readonly value?: never }
  /** An error outside of a turn's events. `turn`: the `send` or `continue` that failed. */
  | { readonly type: 'error'; readonly error: Failure; readonly turn?: string }
  /** Checks that the page is still open. */
  | { readonly type: 'ping' }
  /** The last message: the session is stored and its lock released. */
  | { readonly type: 'closed' }
