// The events of a session, named noun-verb. A durable event is committed before the turn continues. A transient event
// only updates the display. `at` is in milliseconds since the epoch, `step` counts from 1 in its turn.
import type { JsonValue } from './json.js'
import type { TaskGrant } from './effect.js'
import type { Failure } from './failure.js'
import type { AnsweredQuestion } from './form-question.js'
import type {
  Approval,
  AssistantMessage,
  CallId,
  Fact,
  Reason,
  ToolResult,
  Undone,
  Usage,
  UserMessage,
} from './message.js'
import type { ModelRequest } from './model.js'
import type { ContextChange, Grant, StorageKind, Turn, TurnEnd, WaitingMessage } from './session.js'
import type { Todo } from './todo.js'
import type { ToolChoice } from './tool.js'

/**
 * An event that is stored. The session after it is `reduce(session, event)`. `at` becomes `Session.updatedAt` and
 * `Turn.lastAt`.
 */
export type DurableEvent =
  /** A turn begins (with the user's message), continues (without a message), or resumes after a reload. */
  | {
      readonly type: 'turn-start'
      /** Milliseconds since the epoch. */
      readonly at: number
      /** The record of the turn, as the session holds it from now on. It has another `resumes` after each reload. */
      readonly turn: Turn
      /** What the user sent; absent if the turn continues or resumes, because the session has the message. */
      readonly message?: UserMessage
      /** The facts of the newest message, if the user wrote it: now, instead of another, or with an older version. */
      readonly facts?: readonly Fact[]
    }
  /** A model call is complete and its calls are known. Only calls that read may run during the commit. */
  | {
      readonly type: 'step-end'
      /** Milliseconds since the epoch, the same as in `message`. */
      readonly at: number
      /** The number of the step in its turn, from 1; 0 for a step that was rebuilt from calls that only a page knew. */
      readonly step: number
      /** The complete answer. It replaces the draft. */
      readonly message: AssistantMessage
      /** Names of the tools of the request. Only these can run. */
      readonly offered: readonly string[]
      /** The tool choice of the request, if a hook changed it. */
      readonly toolChoice?: ToolChoice
      /** Milliseconds that the turn has run, without waiting for the user. */
      readonly spent?: number
      /** Characters of the request, without files. */
      readonly chars?: number
      /** All its calls only read, so their starts may not be stored. */
      readonly reads?: true
      /** The state that page and agent share, if the answer has set it. */
      readonly state?: JsonValue
    }
  /** The user has to decide on a call. */
  | {
      readonly type: 'approval-request'
      /** Milliseconds since the epoch. */
      readonly at: number
      /**
       * The call that waits. Its host keeps it open until the user decides. If it had started, it was stopped before it
       * had its effect, and counts as not started.
       */
      readonly callId: CallId
      /** The question. It replaces an earlier question for the same call. */
      readonly approval: Approval
    }
  /** The page receives a call for execution. Stored before it runs, unless all calls of its step only read. */
  | {
      readonly type: 'tool-start'
      /** Milliseconds since the epoch. */
      readonly at: number
      /**
       * The call that starts. A call that runs again after a crash has no second `tool-start`. One that was stopped
       * before an effect has another for each new attempt.
       */
      readonly callId: CallId
      /** `ToolSpec.hash` of the tool. */
      readonly hash: string
      /** The executed input. */
      readonly input: JsonValue
      /** The call may run again after a crash. */
      readonly repeatable: boolean
      /** @internal On a server: id of the tab of the page that is asked. */
      readonly tab?: string
      /** The user allowed the tool for the session. */
      readonly grant?: Grant
      /** The user allowed effects until the task is done. */
      readonly taskGrant?: TaskGrant
      /** What the user wrote when they approved the call. */
      readonly reason?: string
      /** The call goes on with this answer to its question. Without one, it begins anew. */
      readonly answer?: AnsweredQuestion
      /** The page runs the call already, and the event is not stored: all calls of the step only read. */
      readonly unstored?: true
    }
  /** A call is settled. The result, the context change and the new todo list are stored in one transaction. */
  | {
      readonly type: 'tool-result'
      /** Milliseconds since the epoch. */
      readonly at: number
      /** The settled call. Each call has exactly one `tool-result`; it may have no `tool-start`. */
      readonly callId: CallId
      /** The result, as the model and the user get it. */
      readonly result: ToolResult
      /** The full text of a result that was cut. It goes to the results store, not into the message. */
      readonly whole?: string
      /** The JSON text of an output that is too long for the message, if `whole` is not that text. Stored likewise. */
      readonly wholeOutput?: string
      /** What the tool stored in the session's context. */
      readonly context?: ContextChange
      /** The new list, from `todo_write`. */
      readonly todos?: readonly Todo[]
    }
  /** The user undid a call, or took that back. Happens while no turn runs. */
  | {
      readonly type: 'tool-undo'
      /** Milliseconds since the epoch. */
      readonly at: number
      /** The settled call. */
      readonly callId: CallId
      /** How the undo stands; absent if the user took it back. */
      readonly undone?: Undone
    }
  /** What the user allowed beyond one call ended: they took it back, or the task has changed its page. */
  | {
      readonly type: 'grants-end'
      /** Milliseconds since the epoch. */
      readonly at: number
      /** The user took back everything that they allowed, also for the session. @default only for the task */
      readonly all?: true
      /** Only grants for other pages and those that are too old have ended. @default all of the task have */
      readonly page?: string
    }
  /** The page changed the session's tool context. */
  | {
      readonly type: 'context-change'
      /** Milliseconds since the epoch. */
      readonly at: number
      /** The changed keys only. */
      readonly context: ContextChange
      /** The page has set the state that it shares with an agent on a server. */
      readonly state?: JsonValue
    }
  /** Requests leave out the results of older messages. */
  | {
      readonly type: 'clear'
      /** Milliseconds since the epoch. */
      readonly at: number
      /** Absolute index of the first message whose results requests still have. */
      readonly upTo: number
    }
  /** A summary replaces older messages in requests. */
  | {
      readonly type: 'compact'
      /** Milliseconds since the epoch. */
      readonly at: number
      /** The id of the new summary message. */
      readonly id: string
      /** Absolute index of the first message that requests still contain. */
      readonly upTo: number
      /** The text of the summary. */
      readonly note: string
      /** Tokens of the request that the endpoint rejected as too long, as estimated; absent if none was rejected. */
      readonly rejected?: number
      /** Tokens of the model call that wrote the summary. */
      readonly usage?: Usage
    }
  /** The user renamed the session; or, on a server, other messages wait. */
  | {
      readonly type: 'session-change'
      /** Milliseconds since the epoch. */
      readonly at: number
      /** The new title, not empty; absent leaves the title unchanged. */
      readonly title?: string
      /** @internal All messages that wait now; absent leaves them unchanged. */
      readonly waiting?: readonly WaitingMessage[]
    }
  /**
   * The newest turn, or its answer only, is replaced. Its messages stay in the session with `replaced` set, and its
   * calls stay known to the model. The session is `interrupted` until the turn that continues it starts. Ignored while
   * a turn runs.
   */
  | {
      readonly type: 'turn-replaced'
      /** Milliseconds since the epoch. */
      readonly at: number
      /**
       * How the session is until a turn continues it: as if the replaced turn was interrupted. Its `turn` is empty if
       * the end of that turn is not known, as in an imported session.
       */
      readonly end: TurnEnd
      /** Absolute index of the first replaced message. */
      readonly from: number
      /** What the user wrote instead; absent if only the answer is replaced. */
      readonly message?: UserMessage
    }
  /** A turn ended. All its calls are settled. */
  | {
      readonly type: 'turn-end'
      /** Milliseconds since the epoch. */
      readonly at: number
      /** Id of the turn that ended: `Turn.id`. */
      readonly turn: string
      /** Why it ended. Also set on the last message of the turn, if the model wrote that message. */
      readonly reason: Reason
      /** Set for the reason `error`. */
      readonly error?: Failure
    }

/** An event that is displayed and not stored. After a reload it is not repeated. */
export type TransientEvent =
  /** A model call begins, or begins again after a failure. It starts an empty draft. */
  | {
      readonly type: 'step-start'
      /** Milliseconds since the epoch. */
      readonly at: number
      /** The number of the step in its turn, from 1. An attempt that is repeated has the same number. */
      readonly step: number
      /** The id of the later message. Each attempt has another one. */
      readonly id: string
    }
  /** More text of the answer. */
  | {
      readonly type: 'text-delta'
      /** Markdown to append. Without tool calls that the model wrote as markup. */
      readonly delta: string
    }
  /**
   * The end of the text that was shown is taken back: it was thinking, which follows as reasoning, or the model has
   * replaced it.
   */
  | {
      readonly type: 'text-retract'
      /** How many characters at the end of the text were not part of the answer. */
      readonly length: number
    }
  /** More reasoning of the model. */
  | {
      readonly type: 'reasoning-delta'
      /** Text to append to the newest reasoning. */
      readonly delta: string
    }
  /** The agent has changed the state that it shares with the page. It is stored with `step-end`. */
  | {
      readonly type: 'step-state'
      /** The whole state. */
      readonly state: JsonValue
    }
  /** The model begins to write a call. */
  | {
      readonly type: 'tool-input-start'
      /** The model's id, which can differ from the later call id. */
      readonly id: string
      /** The tool name as the model wrote it. It is not necessarily a tool that was offered. */
      readonly name: string
    }
  /** More argument text of a call. */
  | {
      readonly type: 'tool-input-delta'
      /** The `id` of the `tool-input-start`. */
      readonly id: string
      /** A piece of JSON text. It may end anywhere, and the whole may be invalid. */
      readonly delta: string
    }
  /** The argument text of a call is complete. */
  | {
      readonly type: 'tool-input-end'
      /** The `id` of the `tool-input-start`. */
      readonly id: string
    }
  /** A model call failed and will be repeated. */
  | {
      readonly type: 'step-retry'
      /** The number of the step that is repeated, from 1. */
      readonly step: number
      /** The number of the next attempt; the first attempt is 0. */
      readonly attempt: number
      /** Milliseconds until the next attempt; 0 while the step waits for the network. */
      readonly delay: number
      /**
       * Why the last attempt failed. If the next attempt uses another model, `details.model` is the one that failed and
       * `details.fallback` the next one.
       */
      readonly error: Failure
    }
  /** A running tool reports progress. */
  | {
      readonly type: 'tool-progress'
      /** The running call. */
      readonly callId: CallId
      /** What the tool passed to `report`, or yielded before its last value. Replaces the value before it. */
      readonly value: JsonValue
    }
  /** The todo list changed. The change itself is stored with the `tool-result`. */
  | {
      readonly type: 'todos-change'
      /** The whole new list; empty if it was cleared. */
      readonly todos: readonly Todo[]
    }
  /** The session is stored somewhere else now. */
  | {
      readonly type: 'storage-change'
      /** Where it is from now on. A session in `memory` is lost when the page closes. */
      readonly storage: StorageKind
      /** Why the database failed; absent if the session moved back to it. */
      readonly error?: Failure
    }
  /** With `debug` only: what was sent to the model. Never contains headers. */
  | {
      readonly type: 'step-request'
      /** Milliseconds since the epoch. */
      readonly at: number
      /** The number of the step in its turn, from 1. */
      readonly step: number
      /** The number of the attempt, from 0. */
      readonly attempt: number
      /** The request after `hooks.beforeModel`. With `textProtocol`: with its tools and results as text. */
      readonly request: ModelRequest
      /** The HTTP body, if the model is an endpoint. */
      readonly body?: JsonValue
    }
  /** With `debug` only: what the model returned. */
  | {
      readonly type: 'step-response'
      /** Milliseconds since the epoch. */
      readonly at: number
      /** The number of the step in its turn, from 1. */
      readonly step: number
      /** The number of the attempt, from 0. */
      readonly attempt: number
      /** `{ status, events }` of a stream, `{ status, body }` of any other response, `{ parts }` of a page's model. */
      readonly body: JsonValue
    }

/** Everything that happens in a session, in order. */
export type AgentEvent = DurableEvent | TransientEvent

const durable: ReadonlySet<string> = new Set<DurableEvent['type']>([
  'turn-start',
  'step-end',
  'approval-request',
  'tool-start',
  'tool-result',
  'tool-undo',
  'grants-end',
  'context-change',
  'clear',
  'compact',
  'session-change',
  'turn-replaced',
  'turn-end',
])

/** True for an event that must be committed before the turn continues. */
export function isDurable(event: AgentEvent): event is DurableEvent {
  return durable.has(event.type) && !('unstored' in event)
}

/** Joins two successive deltas of the same text. Undefined if the events are not such deltas. */
export function joinDeltas(one: AgentEvent, other: AgentEvent): AgentEvent | undefined {
  if (!('delta' in one) || !('delta' in other) || one.type !== other.type) return undefined
  if (one.type === 'tool-input-delta' && other.type === 'tool-input-delta' && one.id !== other.id) return undefined
  return { ...other, delta: one.delta + other.delta }
}
