// Translates the agent's notices into the DOM events of the element.
import { toErrorValue } from '../../core/data/errors.js'
import { toolCallsOf, type CallId, type Message, type ToolCallPart, pendingApprovals } from '../../core/data/message.js'
import type { Agent, Notice } from '../../page/agent.js'
import {
  ToolAgentApprovalRequestEvent,
  ToolAgentErrorEvent,
  ToolAgentSessionChangeEvent,
  ToolAgentTodosChangeEvent,
  ToolAgentToolResultEvent,
  ToolAgentTurnEndEvent,
  ToolAgentTurnStartEvent,
} from './element-events.js'

/**
 * The DOM events of one notice, in order.
 * Agents inside tool calls have no turn events, but their results and approval requests are dispatched.
 */
export function domEvents(notice: Notice, agent: Agent): Event[] {
  if (notice.type === 'error') return [new ToolAgentErrorEvent(toErrorValue(notice.error))]
  if (notice.type === 'session') {
    // After a reload, calls still wait for the user, and the page may ask with its own interface.
    return [
      new ToolAgentSessionChangeEvent(agent.session),
      ...pendingApprovals(agent.messages).flatMap(({ part }) => approvalEvents(part)),
    ]
  }
  if (notice.type !== 'event') return []
  const { event, path } = notice
  const call = 'callId' in event ? callPart(agent.messages, path, event.callId) : undefined
  if (event.type === 'approval-request') return call === undefined ? [] : approvalEvents(call)
  if (event.type === 'tool-result')
    return call === undefined ? [] : [new ToolAgentToolResultEvent(call.call, event.result, path)]
  if (path.length > 0) return []
  switch (event.type) {
    case 'turn-start':
      return [new ToolAgentTurnStartEvent(event.turn.id, event.message)]
    case 'turn-end':
      return [new ToolAgentTurnEndEvent(event.turn, event.reason, event.error && toErrorValue(event.error))]
    case 'todos-change':
      return [new ToolAgentTodosChangeEvent(event.todos)]
    case 'session-change':
      return [new ToolAgentSessionChangeEvent(agent.session)]
    default:
      return []
  }
}

function approvalEvents({ call, approval }: ToolCallPart): Event[] {
  return approval === undefined ? [] : [new ToolAgentApprovalRequestEvent(call, approval)]
}

/** Finds the part of a call. Searches the newest message first, because running calls are in it. */
function callPart(messages: readonly Message[], path: readonly CallId[], callId: CallId): ToolCallPart | undefined {
  const [outer, ...inner] = path
  const wanted = outer ?? callId
  let found: ToolCallPart | undefined
  messages.findLast((message) => {
    found = toolCallsOf(message).find((part) => part.call.id === wanted)
    return found !== undefined
  })
  return outer === undefined || found === undefined ? found : callPart(found.child?.messages ?? [], inner, callId)
}
