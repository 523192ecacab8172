// The element's DOM events: what the agent's events are for a page. All bubble and cross shadow roots.
import type { ToolAgentError } from '../../core/data/errors.js'
import type { JsonValue } from '../../core/data/json.js'
import type { Approval, CallId, Reason, ToolCall, ToolResult, UserMessage } from '../../core/data/message.js'
import type { Session } from '../../core/data/session.js'
import type { Todo } from '../../core/data/todo.js'

const open: EventInit = { bubbles: true, composed: true }

declare global {
  interface HTMLElementEventMap {
    'tool-agent-turn-start': ToolAgentTurnStartEvent
    'tool-agent-turn-end': ToolAgentTurnEndEvent
    'tool-agent-tool-call': ToolAgentToolCallEvent
    'tool-agent-tool-result': ToolAgentToolResultEvent
    'tool-agent-approval-request': ToolAgentApprovalRequestEvent
    'tool-agent-todos-change': ToolAgentTodosChangeEvent
    'tool-agent-session-change': ToolAgentSessionChangeEvent
    'tool-agent-error': ToolAgentErrorEvent
  }
}

/** A turn began; `message` is missing where it was continued or taken up again. */
export class ToolAgentTurnStartEvent extends Event {
  readonly turn: string
  readonly message: UserMessage | undefined
  constructor(turn: string, message: UserMessage | undefined) {
    super('tool-agent-turn-start', open)
    this.turn = turn
    this.message = message
  }
}

/** A turn came to rest. */
export class ToolAgentTurnEndEvent extends Event {
  readonly turn: string
  readonly reason: Reason
  readonly error: ToolAgentError | undefined
  constructor(turn: string, reason: Reason, error: ToolAgentError | undefined) {
    super('tool-agent-turn-end', open)
    this.turn = turn
    this.reason = reason
    this.error = error
  }
}

/** A call is about to be approved or run, in the page that runs it. `preventDefault()` refuses it. */
export class ToolAgentToolCallEvent extends Event {
  readonly call: ToolCall
  /** The validated arguments. */
  readonly input: JsonValue
  constructor(call: ToolCall, input: JsonValue) {
    super('tool-agent-tool-call', { ...open, cancelable: true })
    this.call = call
    this.input = input
  }
}

/** A call is settled. `path` holds the ids of the agent calls around it, outermost first. */
export class ToolAgentToolResultEvent extends Event {
  readonly call: ToolCall
  readonly result: ToolResult
  readonly path: readonly CallId[]
  constructor(call: ToolCall, result: ToolResult, path: readonly CallId[]) {
    super('tool-agent-tool-result', open)
    this.call = call
    this.result = result
    this.path = path
  }
}

/** A call waits for the user; again after a reload. `preventDefault()` hides the built-in card. */
export class ToolAgentApprovalRequestEvent extends Event {
  readonly call: ToolCall
  readonly approval: Approval
  constructor(call: ToolCall, approval: Approval) {
    super('tool-agent-approval-request', { ...open, cancelable: true })
    this.call = call
    this.approval = approval
  }
}

/** The todo list has changed. */
export class ToolAgentTodosChangeEvent extends Event {
  readonly todos: readonly Todo[]
  constructor(todos: readonly Todo[]) {
    super('tool-agent-todos-change', open)
    this.todos = todos
  }
}

/** Another session is shown, or this one has another title. */
export class ToolAgentSessionChangeEvent extends Event {
  readonly session: Session | undefined
  constructor(session: Session | undefined) {
    super('tool-agent-session-change', open)
    this.session = session
  }
}

/** An error for the user or for whoever builds the page. Errors of tools go to the model and are none. */
export class ToolAgentErrorEvent extends Event {
  readonly error: ToolAgentError
  constructor(error: ToolAgentError) {
    super('tool-agent-error', open)
    this.error = error
  }
}
