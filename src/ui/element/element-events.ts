// The DOM events of <tool-agent>. All bubble and cross shadow roots.
import type { ToolAgentError } from '../../core/data/errors.js'
import type { JsonValue } from '../../core/data/json.js'
import type { Approval, CallId, Reason, ToolCall, ToolResult, UserMessage } from '../../core/data/message.js'
import type { Session } from '../../core/data/session.js'
import type { Todo } from '../../core/data/todo.js'
import type { ToolAgentFeedbackEvent } from './feedback-event.js'

const eventInit: EventInit = { bubbles: true, composed: true }

/**
 * The events of `<tool-agent>` by their names. They bubble, so listeners of the element, of what it is in, of the
 * document and of the window have these types.
 */
export interface ToolAgentEventMap {
  /** A turn started. */
  'tool-agent-turn-start': ToolAgentTurnStartEvent
  /** A turn ended; `reason` says why. */
  'tool-agent-turn-end': ToolAgentTurnEndEvent
  /** A call is about to be approved or run. `preventDefault()` refuses it. */
  'tool-agent-tool-call': ToolAgentToolCallEvent
  /** A call has its result. */
  'tool-agent-tool-result': ToolAgentToolResultEvent
  /** A call waits for the user. `preventDefault()` hides the built-in card. */
  'tool-agent-approval-request': ToolAgentApprovalRequestEvent
  /** The task list changed. */
  'tool-agent-todos-change': ToolAgentTodosChangeEvent
  /** Another conversation is shown, or its title changed. */
  'tool-agent-session-change': ToolAgentSessionChangeEvent
  /** A visitor rated an answer. Only with `feedback`. */
  'tool-agent-feedback': ToolAgentFeedbackEvent
  /** An error for the user or the developer of the page. */
  'tool-agent-error': ToolAgentErrorEvent
}

declare global {
  // The maps of elements, documents and windows extend this one.
  interface GlobalEventHandlersEventMap extends ToolAgentEventMap {}
}

/** A turn started. */
export class ToolAgentTurnStartEvent extends Event {
  /** The id of the turn. */
  declare readonly turn: string
  /** The user's message. Undefined when a turn was continued or resumed. */
  declare readonly message: UserMessage | undefined
  constructor(turn: string, message: UserMessage | undefined) {
    super('tool-agent-turn-start', eventInit)
    this.turn = turn
    this.message = message
  }
}

/** A turn ended. */
export class ToolAgentTurnEndEvent extends Event {
  /** The id of the turn. */
  declare readonly turn: string
  /** Why the turn ended. */
  declare readonly reason: Reason
  /** The error that ended the turn, if `reason` is `error`. */
  declare readonly error: ToolAgentError | undefined
  constructor(turn: string, reason: Reason, error: ToolAgentError | undefined) {
    super('tool-agent-turn-end', eventInit)
    this.turn = turn
    this.reason = reason
    this.error = error
  }
}

/** A call is about to be approved or run by this page. `preventDefault()` refuses it. */
export class ToolAgentToolCallEvent extends Event {
  /** The call as the model made it. */
  declare readonly call: ToolCall
  /** The validated arguments. */
  declare readonly input: JsonValue
  constructor(call: ToolCall, input: JsonValue) {
    super('tool-agent-tool-call', { ...eventInit, cancelable: true })
    this.call = call
    this.input = input
  }
}

/** A call has its result. */
export class ToolAgentToolResultEvent extends Event {
  /** The call as the model made it. */
  declare readonly call: ToolCall
  /** The output, or the error that the model receives. */
  declare readonly result: ToolResult
  /** The ids of the agent calls around this call, outermost first. */
  declare readonly path: readonly CallId[]
  constructor(call: ToolCall, result: ToolResult, path: readonly CallId[]) {
    super('tool-agent-tool-result', eventInit)
    this.call = call
    this.result = result
    this.path = path
  }
}

/** A call waits for the user. Dispatched again after a reload. `preventDefault()` hides the built-in card. */
export class ToolAgentApprovalRequestEvent extends Event {
  /** The call as the model made it. */
  declare readonly call: ToolCall
  /** What the user decides about: title, validated arguments, and a preview of page actions. */
  declare readonly approval: Approval
  constructor(call: ToolCall, approval: Approval) {
    super('tool-agent-approval-request', { ...eventInit, cancelable: true })
    this.call = call
    this.approval = approval
  }
}

/** The task list changed. */
export class ToolAgentTodosChangeEvent extends Event {
  /** The whole list. */
  declare readonly todos: readonly Todo[]
  constructor(todos: readonly Todo[]) {
    super('tool-agent-todos-change', eventInit)
    this.todos = todos
  }
}

/** Another session is open, or the title of the session changed. */
export class ToolAgentSessionChangeEvent extends Event {
  /** The open session. */
  declare readonly session: Session | undefined
  constructor(session: Session | undefined) {
    super('tool-agent-session-change', eventInit)
    this.session = session
  }
}

/** An error for the user or the developer of the page. Errors of tools go to the model and dispatch no such event. */
export class ToolAgentErrorEvent extends Event {
  /** The error. Its `code` is stable; its message is not. */
  declare readonly error: ToolAgentError
  constructor(error: ToolAgentError) {
    super('tool-agent-error', eventInit)
    this.error = error
  }
}
