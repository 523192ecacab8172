// The events of a session, named noun-verb. A durable event is committed before the turn continues. A transient event
// only updates the display. `at` is in milliseconds since the epoch, `step` counts from 1 in its turn.
import type { JsonValue } from './json.js'
import type { Failure } from './errors.js'
import type { Approval, AssistantMessage, CallId, Reason, ToolResult, UserMessage } from './message.js'
import type { ModelRequest } from './model.js'
import type { ContextChange, Grant, Turn } from './session.js'
import type { Todo } from './todo.js'
import type { ToolChoice } from './tool.js'

/** An event that is stored. The session after it is `reduce(session, event)`. */
export type DurableEvent =
  /** A turn begins (with the user's message), continues (without a message), or resumes after a reload. */
  | { readonly type: 'turn-start'; readonly at: number; readonly turn: Turn; readonly message?: UserMessage }
  /** A model call is complete and its calls are known. None of them has run yet. */
  | {
      readonly type: 'step-end'
      readonly at: number
      readonly step: number
      readonly message: AssistantMessage
      /** Names of the tools of the request. Only these can run. */
      readonly offered: readonly string[]
      /** The tool choice of the request, if a hook changed it. */
      readonly toolChoice?: ToolChoice
      /** Milliseconds that the turn has run, without waiting for the user. */
      readonly spent?: number
      /** Characters of the request, without files. */
      readonly chars?: number
    }
  /** The user has to decide on a call. */
  | { readonly type: 'approval-request'; readonly at: number; readonly callId: CallId; readonly approval: Approval }
  /** The page receives a call for execution. Stored before it runs. */
  | {
      readonly type: 'tool-start'
      readonly at: number
      readonly callId: CallId
      /** `ToolSpec.hash` of the tool. */
      readonly hash: string
      /** The executed input. */
      readonly input: JsonValue
      /** The call may run again after a crash. */
      readonly repeatable: boolean
      /** The user allowed the tool for the session. */
      readonly grant?: Grant
      /** What the user wrote when they approved the call. */
      readonly reason?: string
    }
  /** A call is settled. The result, the context change and the new todo list are stored in one transaction. */
  | {
      readonly type: 'tool-result'
      readonly at: number
      readonly callId: CallId
      readonly result: ToolResult
      /** The full text of a result that was cut. It goes to the results store, not into the message. */
      readonly whole?: string
      /** What the tool stored in the session's context. */
      readonly context?: ContextChange
      /** The new list, from `todo_write`. */
      readonly todos?: readonly Todo[]
    }
  /** The page changed the session's tool context. */
  | { readonly type: 'context-change'; readonly at: number; readonly context: ContextChange }
  /** A summary replaces the messages before the absolute index `upTo` in requests. `note`: its text. */
  | { readonly type: 'compact'; readonly at: number; readonly id: string; readonly upTo: number; readonly note: string }
  /** The user renamed the session. */
  | { readonly type: 'session-change'; readonly at: number; readonly title?: string }
  /** A turn ended. All its calls are settled. `turn`: its id. */
  | {
      readonly type: 'turn-end'
      readonly at: number
      readonly turn: string
      readonly reason: Reason
      /** Set for the reason `error`. */
      readonly error?: Failure
    }

/** An event that is displayed and not stored. After a reload it is not repeated. */
export type TransientEvent =
  /** A model call begins, or begins again after a failure. `id`: id of the later message. */
  | { readonly type: 'step-start'; readonly at: number; readonly step: number; readonly id: string }
  /** More text of the answer. */
  | { readonly type: 'text-delta'; readonly delta: string }
  /** More reasoning of the model. */
  | { readonly type: 'reasoning-delta'; readonly delta: string }
  /** The model begins to write a call. `id`: the model's id, which can differ from the later call id. */
  | { readonly type: 'tool-input-start'; readonly id: string; readonly name: string }
  /** More argument text of a call. */
  | { readonly type: 'tool-input-delta'; readonly id: string; readonly delta: string }
  /** The argument text of a call is complete. */
  | { readonly type: 'tool-input-end'; readonly id: string }
  /** A model call failed and will be repeated. */
  | {
      readonly type: 'step-retry'
      readonly step: number
      /** The number of the next attempt; the first attempt is 0. */
      readonly attempt: number
      /** Milliseconds until the next attempt; 0 while the step waits for the network. */
      readonly delay: number
      /** Why the last attempt failed. */
      readonly error: Failure
    }
  /** A running tool reports progress. */
  | { readonly type: 'tool-progress'; readonly callId: CallId; readonly value: JsonValue }
  /** The todo list changed. The change itself is stored with the `tool-result`. */
  | { readonly type: 'todos-change'; readonly todos: readonly Todo[] }
  /** The session is stored somewhere else now. `error`: why, if the database failed. */
  | { readonly type: 'storage-change'; readonly storage: 'indexeddb' | 'memory'; readonly error?: Failure }
  /** With `debug` only: what was sent to the model. Never contains headers. */
  | {
      readonly type: 'step-request'
      readonly at: number
      readonly step: number
      /** The number of the attempt, from 0. */
      readonly attempt: number
      readonly request: ModelRequest
      /** The HTTP body, if the model is an endpoint. */
      readonly body?: JsonValue
    }
  /** With `debug` only: what the model returned. */
  | {
      readonly type: 'step-response'
      readonly at: number
      readonly step: number
      /** The number of the attempt, from 0. */
      readonly attempt: number
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
  'context-change',
  'compact',
  'session-change',
  'turn-end',
])

/** True for an event that must be committed before the turn continues. */
export function isDurable(event: AgentEvent): event is DurableEvent {
  return durable.has(event.type)
}

/** Joins two successive deltas of the same text. Undefined if the events are not such deltas. */
export function joinDeltas(one: AgentEvent, other: AgentEvent): AgentEvent | undefined {
  if (!('delta' in one) || !('delta' in other) || one.type !== other.type) return undefined
  if (one.type === 'tool-input-delta' && other.type === 'tool-input-delta' && one.id !== other.id) return undefined
  return { ...other, delta: one.delta + other.delta }
}
