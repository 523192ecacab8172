// Everything that crosses between page and host. All values are JSON. Events go to every page of the session. Queries
// go to the driving page only, and each is answered once.
import type { JsonObject, JsonValue } from './json.js'
import type { Failure } from './failure.js'
import type { AnsweredQuestion } from './form-question.js'
import type { Effect } from './effect.js'
import type { StoppedEffect } from './stopped-effect.js'
import type { AgentEvent } from './event.js'
import type { Preview } from './action.js'
import type { AssistantMessage, CallId, Message, ToolCall, Undone, UserPart, ValueChange } from './message.js'
import type { ModelPart, ModelRequest } from './model.js'
import type { ContextChange, PageFacts, Session, SessionSummary, StorageKind, TurnOptions } from './session.js'
import type { Limits, ToolAnnotations, ToolChoice, ToolContext, ToolSpec } from './tool.js'

/** Page and host must have the same version. Otherwise the page starts its own host. */
export const protocolVersion = 6

/** What a connection needs: a `MessagePort`, a `Worker`, the scope of a worker, or an adapter for Node. */
export interface Port {
  /** Sends JSON to the other end. Messages must arrive complete, once and in this order. Must not throw. */
  postMessage(message: unknown): void
  /** Calls `listener` with each message of the other end, in `data`. No message may be lost after it. */
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  /** Removes a listener that was added. */
  removeEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  /** Called after the listener was added, because a `MessagePort` keeps its messages until then. */
  start?(): void
  /** Called after the last message was posted. That message must still arrive. */
  close?(): void
}

/** The options that the host needs. Functions stay on the page, and the host queries them. */
export interface HostConfig {
  /** Absolute base URL of the model's API. */
  readonly endpoint?: string
  /** The name of the model. */
  readonly model: string
  /**
   * The models to use if that one is not available, in this order, and the provider of all models. Only with the
   * provider `fallbacks`.
   */
  readonly fallbacks?: {
    readonly models: readonly string[]
    readonly provider: string
    readonly providerUrl?: string
  }
  /** The name of the provider, such as `openai`. */
  readonly provider: string
  /** URL of the provider's module. The host loads it. */
  readonly providerUrl?: string
  /** The model is an object on the page, so the page streams its answers. */
  readonly pageModel: boolean
  /** False: the model of the page ignores `ModelRequest.responseFormat` and would answer with any text. */
  readonly responseFormat: boolean
  /** The agent's part of the system text. */
  readonly instructions: string
  /** All limits, with the defaults filled in. */
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
  readonly resume: 'auto' | 'ask'
  /**
   * `tokens`: the longest request, 100,000 by default. `clearAt`: above it, old results are left out. `keepResults`:
   * how many of the newest results stay, 3 by default.
   */
  readonly contextWindow: { readonly tokens?: number; readonly clearAt?: number; readonly keepResults?: number }
  /** Which hooks the page has. The host queries only these. */
  readonly hooks: { readonly beforeModel: boolean; readonly headers: boolean; readonly stopWhen: boolean }
  /** Which sessions are deleted automatically. `maxAge`: milliseconds since their last change. */
  readonly retention?: { readonly maxSessions?: number; readonly maxAge?: number }
  /** Emit `step-request` and `step-response`. */
  readonly debug: boolean
}

/** How the execution of one call on the page ended. Times in milliseconds since the epoch. */
export type ExecutionResult = {
  /** The call that ran. */
  readonly callId: CallId
  /** How often the tool's function was called. */
  readonly attempts: number
  /** When the first attempt began. */
  readonly startedAt: number
  /** When the last attempt ended. */
  readonly endedAt: number
  /** The executed input. Absent if it is not known; then `call.input` counts. */
  readonly input?: JsonValue
  /** What the tool stored in the session's context. */
  readonly context?: ContextChange
  /** What the tool's `summary` returned: one line of at most 200 characters. */
  readonly summary?: string
  /** What it returned beside its text: at most 200 characters each. */
  readonly change?: ValueChange
  /** `ToolResult.effect`. */
  readonly effect?: Effect
  /** The tool was discovered or supplied by a tool provider. Set only if the result is untrusted. */
  readonly foreign?: true
  /** A result that repeats an earlier one is sent as what changed. */
  readonly repeats?: true
  /** With the error `needs-approval`: what the call was about to do when it was stopped; empty if it changed. */
  readonly stopped?: readonly StoppedEffect[]
  /**
   * The page holds what was stopped, or the tool waits for an answer to the question in `error`: another `execute` of
   * the call goes on with it, and its result makes it fail.
   */
  readonly held?: true
} & (
  | {
      /** What the tool returned, in full. The user and the page get it; the model reads `text` or `content`. */
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
      /** Why the last attempt failed. */
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

/** The page's verdict on a call: it may run, the user must approve it, or it is refused. */
export type Verdict =
  | {
      /** The `callId` of the query. */
      readonly callId: CallId
      readonly do: 'run'
      /** `ToolSpec.hash` of the tool. */
      readonly hash: string
      /** The input to run: validated, with defaults and coercions applied. */
      readonly input: JsonValue
    }
  | {
      /** The `callId` of the query. */
      readonly callId: CallId
      readonly do: 'ask'
      /** `Approval.hash`, not that of the tool. It binds a decision to exactly what is shown. */
      readonly hash: string
      /** The input to show and to run, unless the user changes it. */
      readonly input: JsonValue
      /** What the user reads as the name of the tool. */
      readonly title: string
      /** What the action will do; absent if the tool cannot predict it. */
      readonly preview?: Preview
      /** Origin and path of the page. Set if the preview has a `task`. */
      readonly page?: string
      /** An approval applies to the session, even if the user did not request that. */
      readonly once?: true
    }
  | {
      /** The `callId` of the query. */
      readonly callId: CallId
      readonly do: 'refuse'
      /** Why the call does not run. Stored in its result. */
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

/** A tool that a request does not offer, and that `use_tool` may call. */
export interface HiddenTool extends ToolSpec {
  /** The conversation has not shown this definition to the model, so its call does not run, and fails with this. */
  readonly unread?: {
    /** Contains the definition. */
    readonly error: Failure
    /** Others have written it. */
    readonly untrusted: boolean
  }
}

/** The tools of a turn that the page posts before it is asked. */
export interface Offer {
  /** Names the offer in queries about its calls. A newer offer of the page has a higher number. */
  readonly number: number
  /** As in `Prepared`. */
  readonly tools: Prepared['tools']
}

/** For how long a question may allow its call, beside this once. */
export type ApprovalOffer = 'session' | 'task'

/** What a question shows about the tool of its call. */
export interface QuestionTool {
  /** The JSON Schema of the arguments. */
  readonly inputSchema: JsonObject
  /** The hints of the tool. */
  readonly annotations: ToolAnnotations
  /** For how long the question may allow its call, beside this once. */
  readonly offers: readonly ApprovalOffer[]
}

/** A call that the page has to check. */
export interface CheckCall {
  /** The verdict repeats it. */
  readonly callId: CallId
  /** The tool's name. It is a tool that was offered, unless `problem` is set. */
  readonly name: string
  /** The parsed arguments, not validated; `{}` if `raw` is set. */
  readonly input: JsonValue
  /** The argument text, if it was not one JSON object. */
  readonly raw?: string
  /** `ToolSpec.hash` of the offered definition; empty if the tool was not offered. */
  readonly hash: string
  /** Why the host will not run it. The page's error handlers may replace the text for the model. */
  readonly problem?: Failure
  /** The call ran and was stopped before it did this. The user must be asked before it runs again. */
  readonly stopped?: readonly StoppedEffect[]
  /** The page holds what was stopped. The call is not predicted again, because it does not run again. */
  readonly held?: true
}

/** What `check` and `read` ask about. */
export interface CheckedStep {
  /** Calls of one step, in call order. Those that the host refused are included only with a `problem`. */
  readonly calls: readonly CheckCall[]
  /**
   * The request contains untrusted text, so approval for the session does not cover calls with consequences. The page
   * also counts the descriptions of foreign tools.
   */
  readonly untrusted: boolean
}

/** What the page reports while it answers `read`: first the verdicts on all calls, then what happens to each call. */
export type ReadProgress =
  | { readonly verdicts: readonly Verdict[] }
  | { readonly callId: CallId; readonly value: JsonValue }
  | { readonly outcome: ExecutionResult }

/**
 * What the host asks the driving page, by name: the fields of the query, its answer, and what the page reports before
 * it. A new query is one entry here and one in `page/answers/query-handler.ts`.
 */
export interface Queries {
  /**
   * Before a step: which tools are on offer? Not sent for the first step of a turn with an `offer`, nor after a step
   * that only read. The answer waits while the tools of a resumed turn are not registered yet.
   */
  prepare: {
    readonly fields: {
      /** `Turn.id`. An agent inside a call has that of the user's turn. */
      readonly turn: string
      /** The number of the step in its turn, from 1. */
      readonly step: number
      /** The user's text, for tool providers. */
      readonly text: string
      /** For a resumed turn: the page answers when its document is complete and these tools are registered. */
      readonly expect?: readonly string[]
    }
    readonly answer: Prepared
  }
  /** Headers for a request to the endpoint, by name. Sent only if the page has a headers function. */
  headers: {
    readonly fields: {
      /** `unauthorized`: the endpoint rejected the last headers with the status 401. */
      readonly reason: 'request' | 'unauthorized'
    }
    readonly answer: Record<string, string>
  }
  /** The `beforeModel` hook may change the request. Sent only if the page has this hook. */
  'before-model': {
    readonly fields: {
      /** The request as the host would send it. */
      readonly request: ModelRequest
    }
    /** The request to send instead: the whole of it, also if the hook changed nothing. */
    readonly answer: ModelRequest
  }
  /**
   * The definitions of tools that the request did not offer, and that its answer calls with `use_tool`. Those that the
   * turn may not use are left out.
   */
  tools: { readonly fields: { readonly names: readonly string[] }; readonly answer: readonly HiddenTool[] }
  /** May these calls run? One verdict per call. A call without one is refused as `unavailable`. */
  check: { readonly fields: CheckedStep; readonly answer: readonly Verdict[] }
  /**
   * May these calls run? Those that may, and need no question, run at once. Only for a step whose calls all read.
   * Answered when every call that ran has ended.
   */
  read: {
    readonly fields: CheckedStep & {
      /** The message that made the calls. Its commit may still run, so the page may not have received it. */
      readonly message: AssistantMessage
    }
    readonly progress: ReadProgress
    readonly answer: null
  }
  /** Run a tool. A tool that fails is an answer with `error`, not an error of the query. */
  execute: {
    readonly fields: {
      /** The call to run, or to go on with, if it is held. The commit of its `tool-start` precedes the query. */
      readonly callId: CallId
      /** The name of an offered tool. */
      readonly name: string
      /** The input to run. The page validates it again, because its tool may have changed since the check. */
      readonly input: JsonValue
      /** `ToolSpec.hash` of the offered definition. */
      readonly hash: string
      /** Set if the user approved the call. `reason`: what they wrote. `edited`: they changed the input. */
      readonly approval?: { readonly reason?: string; readonly edited: boolean }
      /** The user's answer to the question for which the call waits: it goes on with it. */
      readonly answer?: AnsweredQuestion
      /** The answer of an agent that runs as this tool. The page only does what follows an execution. */
      readonly made?: { readonly output: JsonValue; readonly untrusted: boolean; readonly foreign?: true }
    }
    /** What the tool reported. */
    readonly progress: JsonValue
    readonly answer: ExecutionResult
  }
  /** Stream a model call, for a model that is an object on the page. */
  model: {
    readonly fields: {
      /** The request to stream, after `beforeModel`. */
      readonly request: ModelRequest
    }
    /** The parts. The host checks them, because the model is of the page's author. */
    readonly progress: JsonValue | ModelPart
    readonly answer: null
  }
  /**
   * Which calls of the session started while nothing could be stored? They must not run again. Sent before an
   * unfinished turn is recovered, when the host holds the session's lock: until then the driver in another tab may
   * start calls.
   */
  unsaved: {
    readonly fields: {
      /** `Session.id`. */
      readonly sessionId: string
    }
    readonly answer: readonly ToolCall[]
  }
}

/** The name of a query. */
export type QueryKind = keyof Queries
/** A query as it is sent. */
export type QueryOf<K extends QueryKind> = { readonly type: K } & Queries[K]['fields']
/** Any query. */
export type PageQuery = { [K in QueryKind]: QueryOf<K> }[QueryKind]
/** What the page answers a query. */
export type AnswerTo<K extends QueryKind> = Queries[K]['answer']
/** What the page reports before it answers a query. */
export type ProgressOf<K extends QueryKind> = Queries[K] extends { readonly progress: infer P } ? P : never

/** About the open session, or the one with this id. */
interface OneSession {
  readonly id?: string
}

/**
 * What the page requests of the host, by name: the arguments and the reply. A new request is one entry here and one in
 * `host/requests.ts`.
 */
export interface Requests {
  /** The sessions of the scope, newest change first. */
  sessions: { readonly with: Record<string, never>; readonly reply: SessionSummary[] }
  /** At most `limit` messages before the absolute index `before`, oldest first. */
  messages: {
    readonly with: OneSession & { readonly before: number; readonly limit: number }
    readonly reply: Message[]
  }
  /** What of a result is stored beside its message: the output, else the text; null if nothing is. */
  result: { readonly with: OneSession & { readonly callId: CallId }; readonly reply: JsonValue }
  /** The content of an uploaded file of a session, in base64; null if there is none. */
  file: { readonly with: OneSession & { readonly upload: string }; readonly reply: string | null }
  /** A session as the inspector shows it; null if it is not stored. */
  stored: { readonly with: OneSession; readonly reply: Session | null }
  /** Sets a title that the user entered. */
  rename: { readonly with: OneSession & { readonly title: string }; readonly reply: null }
  /** Replaces the newest turn by one with another message, or its answer only. Starts no turn: `continue` does. */
  replace: { readonly with: { readonly input?: readonly UserPart[] }; readonly reply: null }
  /** The user undid a call, or took that back (null). `path`: the agents around the call. */
  undo: {
    readonly with: {
      readonly callId: CallId
      readonly path: readonly CallId[]
      readonly undone: Omit<Undone, 'at'> | null
    }
    readonly reply: null
  }
  /** Deletes a session. */
  delete: { readonly with: OneSession; readonly reply: null }
  /** Deletes all sessions of the scope. */
  clear: { readonly with: Record<string, never>; readonly reply: null }
  /** A session as JSON. */
  export: { readonly with: OneSession; readonly reply: JsonObject }
  /** Stores what was exported as a session with this id, and replies with the id. */
  import: {
    readonly with: { readonly id: string; readonly data: JsonValue | undefined; readonly toolContext: boolean }
    readonly reply: string
  }
  /** Whether arguments that the user has changed match a tool that runs beside the host: else `invalid-input`. */
  validate: {
    readonly with: OneSession & { readonly callId: CallId; readonly input: JsonValue }
    readonly reply: null
  }
  /** Makes this page the driver of its session. */
  'take-over': { readonly with: Record<string, never>; readonly reply: null }
}

/** The name of a request. */
export type RequestKind = keyof Requests
/** A request as it is sent. It gets one `reply`. */
export type RequestMessage<K extends RequestKind = RequestKind> = {
  [One in K]: {
    readonly type: 'request'
    /** Chosen by the page. The `reply` repeats it. */
    readonly id: number
    /** What is requested. */
    readonly what: One
    /** The arguments, by name. */
    readonly with: Requests[One]['with']
  }
}[K]

/** The options of a `send` message. */
export interface HostSendOptions extends TurnOptions {
  /** What the page is when the user sends. The host keeps them for the whole turn. */
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
      /** `protocolVersion` of the page. With another one the host reports `host-lost` and opens nothing. */
      readonly protocol: number
      /** @default a new session */
      readonly sessionId?: string
      /** The option `scope`, or an empty string. Sessions of another scope are neither read nor listed. */
      readonly scope: string
      /** Id of the tab. */
      readonly tab: string
      /** The page's address. The host does not read it. */
      readonly url: string
      /** The options of the page, until the next `configure`. */
      readonly config: HostConfig
      /** `drive`: this page runs the turns, unless another tab does. `mirror`: it only shows the session. */
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
  /** Replaces the configuration. */
  | {
      readonly type: 'configure'
      /** All options, not only the changed ones. A running turn uses them from its next step. */
      readonly config: HostConfig
    }
  /** Starts a turn, or queues it. */
  | {
      readonly type: 'send'
      /** A new id for the turn. An `error` with this id: the turn did not start, or its end cannot be stored. */
      readonly turn: string
      /** The parts of the user's message. */
      readonly input: readonly UserPart[]
      /** The options of `send` that are JSON, and the page facts. */
      readonly options: HostSendOptions
      /** While another turn runs: wait for its end, or stop it first. */
      readonly whenBusy: 'queue' | 'interrupt'
      /** Set for a stepped turn, whose caller decides on each call. */
      readonly mode?: 'manual'
      /** The tools on offer. Absent: the host must ask. */
      readonly offer?: Offer
      /**
       * The answer to the first `headers` query of the turn. Credentials: only the first attempt of the first request
       * of a turn that starts at once may use them. Nothing may keep them.
       */
      readonly headers?: AnswerTo<'headers'>
    }
  /** The tools of a turn have changed. Posted before whatever is posted next. */
  | {
      readonly type: 'offer'
      /** The `turn` of the `send`. Ignored for any other turn. */
      readonly turn: string
      /** Replaces the offer of the `send`. Absent: the host must ask. */
      readonly offer?: Offer
    }
  /** Controls the running turn or the host. */
  | {
      readonly type: 'control'
      /**
       * `stop`: stops the turn and drops the queue. `retry`: a failed model call is repeated without waiting. `next`:
       * the caller of a stepped turn requests the next step. `close`: saves the session, releases it and ends the host.
       */
      readonly do: 'stop' | 'retry' | 'next' | 'close'
    }
  /** Removes a queued message, or stops its turn if that runs already. */
  | {
      readonly type: 'control'
      readonly do: 'drop'
      /** The `turn` of the `send`. */
      readonly turn: string
    }
  /** Continues the newest turn, unless it ended as `stop` or `direct` or was a stepped turn. */
  | {
      readonly type: 'control'
      readonly do: 'continue'
      /** A new id: the continued turn is another turn. */
      readonly turn: string
      /** They replace those of the earlier turn. */
      readonly facts: PageFacts
    }
  /** What the user allowed beyond one call ends. */
  | {
      readonly type: 'control'
      readonly do: 'end-grants'
      /** Origin and path of the page: ends only those of the task for other pages or too old. @default everything */
      readonly page?: string
    }
  /** The user's decision on a call. Ignored for a call that does not wait for one. */
  | {
      readonly type: 'decide'
      /** The call that the user decides on. */
      readonly callId: CallId
      /** `Approval.hash` of the question that the user saw. If it is not the newest, an approval starts a new check. */
      readonly hash: string
      /** A denial counts even if the question has changed. */
      readonly decision: 'approve' | 'deny'
      /** With `deny`: the user has done it themselves. */
      readonly doneByUser?: true
      /**
       * The input as the user changed it; absent if they did not. To a question of a running tool: the content of the
       * answer; with `deny`, `cancel` if the question was closed.
       */
      readonly input?: JsonValue
      /** What the user wrote about their decision. The model reads it. */
      readonly reason?: string
      /**
       * `session`: the approval applies to the tool for the rest of the session. `task`: it covers `Preview.task` until
       * the turn ends. @default this call only
       */
      readonly remember?: 'session' | 'task'
    }
  /** The caller of a stepped turn lets the page run a call. */
  | {
      readonly type: 'run'
      /** An open call of the newest step. The first `run` or `settle` of a call counts. */
      readonly callId: CallId
    }
  /** The caller of a stepped turn supplies the result of a call. */
  | {
      readonly type: 'settle'
      /** The result. The tool does not run. */
      readonly outcome: ExecutionResult
    }
  /** The answer to a query. */
  | {
      readonly type: 'answer'
      /** The `id` of the query. Ignored if the query was answered or cancelled. */
      readonly ask: number
      /** The answer that `Queries` declares for the query. */
      readonly value: unknown
      readonly error?: never
    }
  /** The page could not answer a query. */
  | {
      readonly type: 'answer'
      /** The `id` of the query. */
      readonly ask: number
      /** The query rejects with it on the host. */
      readonly error: Failure
      readonly value?: never
    }
  /** Something happened before the answer to a query. */
  | {
      readonly type: 'progress'
      /** The `id` of the `execute`, `read` or `model` query. */
      readonly ask: number
      /** The progress that `Queries` declares for the query. */
      readonly value: ProgressOf<'execute' | 'read' | 'model'>
    }
  /** Changes the session's tool context, or the state that the page shares with an agent on a server. */
  | {
      readonly type: 'remember'
      /** The changed keys only. */
      readonly context: ContextChange
      /** The whole state; absent leaves it unchanged. */
      readonly state?: JsonValue
    }
  | RequestMessage
  /** The result of a call that was running when an earlier host ended. */
  | {
      readonly type: 'outcome'
      /** Ignored unless this page drives the session. */
      readonly outcome: ExecutionResult
    }
  /** The answer to `ping`. */
  | { readonly type: 'pong' }

/** A message from the host to the page. */
export type HostMessage =
  /** The first message: the host accepts messages. */
  | {
      readonly type: 'ready'
      /** `protocolVersion` of the host. With another one the page must not use this host. */
      readonly protocol: number
    }
  /** The whole session, when it is opened and when the replica must be replaced. */
  | {
      readonly type: 'session'
      /** It replaces the replica of the page. Its older messages may not be loaded: see `Session.start`. */
      readonly session: Session
      /** The number of the last event in `session`. */
      readonly seq: number
      /** `drive`: this host runs the turns. `mirror`: a host in another tab does. */
      readonly mode: 'drive' | 'mirror'
      /** Where the session is stored. In `memory` it is lost when the page closes. */
      readonly storage: StorageKind
      /** False for a new session that is not stored yet. */
      readonly stored: boolean
    }
  /** An event of the session. */
  | {
      readonly type: 'event'
      /** Increases by one with each event of the session. */
      readonly seq: number
      /** Ids of the enclosing agent calls, outermost first; empty for the user's own turn. */
      readonly path: readonly CallId[]
      /** Committed already, if it is durable. */
      readonly event: AgentEvent
    }
  /** A query to the driving page. */
  | {
      readonly type: 'ask'
      /** Unique for this host. The `answer` repeats it. */
      readonly id: number
      /** Ids of the enclosing agent calls, outermost first; empty for the user's own turn. */
      readonly path: readonly CallId[]
      /** The query. */
      readonly ask: PageQuery
      /** The `Offer.number` that the newest request used. Absent: it used the answer to the newest `prepare`. */
      readonly offer?: number
    }
  /** What a question shows about a tool that runs beside the host. Posted before the question. */
  | {
      readonly type: 'question'
      /** `Approval.hash` of the question. */
      readonly hash: string
      /** The tool as it is offered. */
      readonly tool: QuestionTool
    }
  /** A query was aborted. An answer to it is ignored. */
  | {
      readonly type: 'cancel'
      /** The `id` of the query. The page aborts what it does for it. */
      readonly ask: number
    }
  /** The reply to a request of the page. */
  | {
      readonly type: 'reply'
      /** The `id` of the request. */
      readonly id: number
      /** The reply that `Requests` declares for the request. */
      readonly value: unknown
      readonly error?: never
    }
  /** A request of the page failed. */
  | {
      readonly type: 'reply'
      /** The `id` of the request. */
      readonly id: number
      /** The request rejects with it on the page. */
      readonly error: Failure
      readonly value?: never
    }
  /** An error that is not part of an event. */
  | {
      readonly type: 'error'
      /** For the caller of `turn`, otherwise for the user. */
      readonly error: Failure
      /** The `turn` of the `send` or `continue` that failed; absent if the error belongs to no turn. */
      readonly turn?: string
    }
  /** Checks that the page is still open. */
  | { readonly type: 'ping' }
  /** The last message: the session is stored and its lock released. */
  | {
      readonly type: 'closed'
      /** Why, if the page has not asked for it: a server that does not take this page. */
      readonly error?: Failure
    }
