// Facts, noun-verb. A durable event is committed before the loop goes on; a transient one only moves the display.
import type { JsonValue } from './json.js'
import type { Failure } from './failure.js'
import type { Approval, AssistantMessage, CallId, Reason, ToolResult, UserMessage } from './message.js'
import type { ModelRequest } from './model.js'
import type { ContextChange, Grant, Turn } from './session.js'
import type { Todo } from './todo.js'
import type { ToolChoice } from './tool.js'

export type DurableEvent =
  /** A turn begins (with the user's message), is continued (without), or is taken up again after a reload. */
  | { readonly type: 'turn-start'; readonly at: number; readonly turn: Turn; readonly message?: UserMessage }
  /** A model call is complete and its calls are known; nothing of it has run yet. */
  | {
      readonly type: 'step-end'
      readonly at: number
      readonly step: number
      readonly message: AssistantMessage
      readonly offered: readonly string[]
      /** Only where a hook changed it. */ readonly toolChoice?: ToolChoice
      readonly spent?: number
      readonly chars?: number
    }
  | { readonly type: 'approval-request'; readonly at: number; readonly callId: CallId; readonly approval: Approval }
  | {
      readonly type: 'tool-start'
      readonly at: number
      readonly callId: CallId
      readonly hash: string
      readonly input: JsonValue
      readonly repeatable: boolean
      readonly grant?: Grant
    }
  /** Outcome, what the tool remembered and, for `todo_write`, the new list: one event, one transaction. */
  | {
      readonly type: 'tool-result'
      readonly at: number
      readonly callId: CallId
      readonly result: ToolResult
      /** The whole text of a result that was cut; goes to the results store, not into the message. */
      readonly whole?: string
      readonly context?: ContextChange
      readonly todos?: readonly Todo[]
    }
  | { readonly type: 'context-change'; readonly at: number; readonly context: ContextChange }
  | { readonly type: 'compact'; readonly at: number; readonly id: string; readonly upTo: number; readonly note: string }
  | { readonly type: 'session-change'; readonly at: number; readonly title?: string }
  | {
      readonly type: 'turn-end'
      readonly at: number
      readonly turn: string
      readonly reason: Reason
      readonly error?: Failure
    }

export type TransientEvent =
  | { readonly type: 'step-start'; readonly at: number; readonly step: number; readonly id: string }
  | { readonly type: 'text-delta'; readonly delta: string }
  | { readonly type: 'reasoning-delta'; readonly delta: string }
  | { readonly type: 'tool-input-start'; readonly id: string; readonly name: string }
  | { readonly type: 'tool-input-delta'; readonly id: string; readonly delta: string }
  | { readonly type: 'tool-input-end'; readonly id: string }
  | {
      readonly type: 'step-retry'
      readonly step: number
      readonly attempt: number
      readonly delay: number
      readonly error: Failure
    }
  | { readonly type: 'tool-progress'; readonly callId: CallId; readonly value: JsonValue }
  | { readonly type: 'todos-change'; readonly todos: readonly Todo[] }
  | { readonly type: 'storage-change'; readonly storage: 'indexeddb' | 'memory'; readonly error?: Failure }
  /** With `debug` alone. The request is what the wire was given, never headers. */
  | {
      readonly type: 'step-request'
      readonly at: number
      readonly step: number
      readonly attempt: number
      readonly request: ModelRequest
      readonly body?: JsonValue
    }
  | {
      readonly type: 'step-response'
      readonly at: number
      readonly step: number
      readonly attempt: number
      readonly body: JsonValue
    }

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

export function isDurable(event: AgentEvent): event is DurableEvent {
  return durable.has(event.type)
}

/** Two deltas of one text as one; undefined where they are not. */
export function joinDeltas(one: AgentEvent, other: AgentEvent): AgentEvent | undefined {
  if (!('delta' in one) || !('delta' in other) || one.type !== other.type) return undefined
  if (one.type === 'tool-input-delta' && other.type === 'tool-input-delta' && one.id !== other.id) return undefined
  return { ...other, delta: one.delta + other.delta }
}
