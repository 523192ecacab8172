// All that crosses between page and host. Values are JSON, made on the sending side; receivers parse. Events are
// facts that any number of pages may see; asks are requests that only the driving page gets, answered once.
import type { JsonObject, JsonValue } from './json.js'
import type { Failure } from './failure.js'
import type { AgentEvent } from './event.js'
import type { Preview } from '../turn/action-preview.js'
import type { CallId, ToolCall, UserPart } from './message.js'
import type { ModelPart, ModelRequest } from './model.js'
import type { ContextChange, PageFacts, Session, TurnOptions } from './session.js'
import type { Limits, ToolChoice, ToolContext, ToolSpec } from './tool.js'

export const protocolVersion = 1

/** What a port needs: `MessagePort`, `Worker`, a worker's own scope, or an adapter of Node's. */
export interface Port {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  removeEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  start?(): void
  close?(): void
}

/** Everything configured on the host. What is a function stays on the page and is asked for. */
export interface HostConfig {
  /** Absolute base URL; undefined where none was given. */
  readonly endpoint?: string
  readonly model: string
  readonly provider: string
  /** URL of a provider's file, loaded by the host. */
  readonly providerUrl?: string
  /** The page streams the model itself. */
  readonly pageModel: boolean
  readonly instructions: string
  readonly limits: Limits
  readonly todo: false | { readonly afterRounds: number; readonly text: string }
  /** The model calls tools by markup in its text; the markers come together. */
  readonly textProtocol?: true | { readonly open?: string; readonly close?: string; readonly instructions?: string }
  /** URL of its file, loaded by the host. */
  readonly textProtocolUrl?: string
  readonly stream: boolean
  readonly credentials: 'same-origin' | 'include'
  readonly resume: 'auto' | 'ask' | 'never'
  readonly contextWindow: { readonly tokens?: number; readonly keepResults?: number }
  readonly hooks: { readonly beforeModel: boolean; readonly headers: boolean }
  /** Which sessions are deleted by themselves; `maxAge` in milliseconds since their last change. */
  readonly retention?: { readonly maxSessions?: number; readonly maxAge?: number }
  readonly debug: boolean
}

/** What came of one call on the page. `output` is JSON already; `model` is what `toModelOutput` made of it. */
export type ExecutionResult = {
  readonly callId: CallId
  readonly attempts: number
  readonly startedAt: number
  readonly endedAt: number
  readonly input?: JsonValue
  readonly context?: ContextChange
  /** Where it is untrusted: it is from a discovered tool or a provider's. */
  readonly foreign?: true
} & (
  | {
      readonly output: JsonValue
      /** The result text before cap and fence. */
      readonly text: string
      readonly content?: JsonValue
      readonly untrusted: boolean
      readonly error?: never
    }
  | {
      readonly error: Failure
      /** The message may quote the page. */
      readonly untrusted?: boolean
      /** What the model is told instead of code and message. */
      readonly text?: string
      /** A handler of the page threw: the turn ends with this error. */
      readonly fatal?: Failure
      readonly output?: never
    }
)

export type Verdict =
  | { readonly callId: CallId; readonly do: 'run'; readonly hash: string; readonly input: JsonValue }
  | {
      readonly callId: CallId
      readonly do: 'ask'
      readonly hash: string
      readonly input: JsonValue
      readonly title: string
      readonly preview?: Preview
      /** A yes holds for the session, also where the user did not say so. */ readonly once?: true
    }
  | {
      readonly callId: CallId
      readonly do: 'refuse'
      readonly error: Failure
      readonly text?: string
      readonly fatal?: Failure
      /** The message may quote the page. */ readonly untrusted?: boolean
    }

export interface Prepared {
  readonly tools: readonly ToolSpec[]
  readonly toolChoice?: ToolChoice
  /** The page's stop condition holds: the turn ends as `condition`. */
  readonly stop?: boolean
}

export interface CheckCall {
  readonly callId: CallId
  readonly name: string
  readonly input: JsonValue
  /** The argument text that was not JSON. */
  readonly raw?: string
  /** The definition that was offered; empty where none was. */
  readonly hash: string
  /** Why the host will not run it, so that the page's handlers can say it better. */
  readonly problem?: Failure
}

export type PageQuery =
  | {
      readonly type: 'prepare'
      readonly turn: string
      readonly step: number
      /** The user's text, for tool providers. */
      readonly text: string
      /** Set when a turn is taken up again: the page answers when its document is complete and these are registered. */
      readonly expect?: readonly string[]
    }
  | { readonly type: 'headers'; readonly reason: 'request' | 'unauthorized' }
  | { readonly type: 'before-model'; readonly request: ModelRequest }
  | {
      readonly type: 'check'
      readonly calls: readonly CheckCall[]
      /** The model has read untrusted text: what was allowed for the session does not cover calls with consequences. */
      readonly tainted: boolean
    }
  | {
      readonly type: 'execute'
      readonly callId: CallId
      readonly name: string
      readonly input: JsonValue
      readonly hash: string
      readonly approval?: { readonly reason?: string; readonly edited: boolean }
      /** What an agent that runs as this tool has answered: only what follows an execution is left to do. */
      readonly made?: { readonly output: JsonValue; readonly untrusted: boolean; readonly foreign?: true }
    }
  | { readonly type: 'model'; readonly request: ModelRequest }

/** What each ask is answered with. */
export interface PageAnswers {
  prepare: Prepared
  headers: Record<string, string>
  'before-model': ModelRequest
  check: readonly Verdict[]
  execute: ExecutionResult
  /** The parts came as progress. */
  model: null
}

export interface HostSendOptions extends TurnOptions {
  readonly facts: PageFacts
}

export type PageMessage =
  | {
      readonly type: 'open'
      readonly protocol: number
      readonly sessionId?: string
      readonly scope: string
      readonly tab: string
      readonly url: string
      readonly config: HostConfig
      readonly mode: 'drive' | 'mirror'
      /** Calls the page is executing now. */
      readonly running: readonly CallId[]
      /** Outcomes whose `tool-result` the page has not seen. */
      readonly outcomes: readonly ExecutionResult[]
      /** The call during which the page before this one was left by an act of its own, and which pages those are. */
      readonly left?: { readonly callId: CallId; readonly from: string; readonly to: string }
      /** Context of a session that does not exist yet. */
      readonly toolContext?: ToolContext
    }
  /** Calls of a session that began while nothing could be stored, told before it is opened or taken over. */
  | { readonly type: 'unsaved'; readonly sessionId: string; readonly calls: readonly ToolCall[] }
  | { readonly type: 'configure'; readonly config: HostConfig }
  | {
      readonly type: 'send'
      readonly turn: string
      readonly input: readonly UserPart[]
      readonly options: HostSendOptions
      readonly whenBusy: 'queue' | 'interrupt'
      readonly mode?: 'manual'
    }
  | { readonly type: 'control'; readonly do: 'stop' | 'next' | 'close' }
  | { readonly type: 'control'; readonly do: 'drop'; readonly turn: string }
  | { readonly type: 'control'; readonly do: 'continue'; readonly turn: string; readonly facts: PageFacts }
  | {
      readonly type: 'decide'
      readonly callId: CallId
      readonly hash: string
      readonly decision: 'approve' | 'deny'
      readonly input?: JsonValue
      readonly reason?: string
      readonly remember?: 'session'
    }
  /** What the caller of a stepped turn does about a call. */
  | { readonly type: 'run'; readonly callId: CallId }
  | { readonly type: 'settle'; readonly outcome: ExecutionResult }
  | { readonly type: 'answer'; readonly ask: number; readonly value: unknown; readonly error?: never }
  | { readonly type: 'answer'; readonly ask: number; readonly error: Failure; readonly value?: never }
  | { readonly type: 'progress'; readonly ask: number; readonly value: JsonValue | ModelPart }
  | { readonly type: 'remember'; readonly context: ContextChange }
  | { readonly type: 'request'; readonly id: number; readonly what: RequestKind; readonly with: JsonObject }
  /** A late outcome of a call that ran when an earlier host died. */
  | { readonly type: 'outcome'; readonly outcome: ExecutionResult }
  | { readonly type: 'pong' }

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

export type HostMessage =
  | { readonly type: 'ready'; readonly protocol: number }
  | {
      readonly type: 'session'
      readonly session: Session
      readonly seq: number
      readonly mode: 'drive' | 'mirror'
      readonly storage: 'indexeddb' | 'memory'
      readonly stored: boolean
    }
  | { readonly type: 'event'; readonly seq: number; readonly path: readonly CallId[]; readonly event: AgentEvent }
  | { readonly type: 'ask'; readonly id: number; readonly path: readonly CallId[]; readonly ask: PageQuery }
  | { readonly type: 'cancel'; readonly ask: number }
  | { readonly type: 'reply'; readonly id: number; readonly value: unknown; readonly error?: never }
  | { readonly type: 'reply'; readonly id: number; readonly error: Failure; readonly value?: never }
  /** An error that belongs to no event. `turn`: the send or continue it answers. */
  | { readonly type: 'error'; readonly error: Failure; readonly turn?: string }
  | { readonly type: 'ping' }
  /** The last message: the session is stored and its lock released. */
  | { readonly type: 'closed' }
