// From what an agent says to the DOM events a page hears.
import { toErrorValue } from '../../core/data/errors.js'
import { toolCallsOf, type CallId, type Message, type ToolCallPart } from '../../core/data/message.js'
import type { Agent, Notice } from '../../page/agent.js'
import { pendingApprovals } from '../message/call-state.js'
import {
  ToolAgentApprovalRequestEvent,
  ToolAgentErrorEvent,
  ToolAgentSessionChangeEvent,
  ToolAgentTodosChangeEvent,
  ToolAgentToolResultEvent,
  ToolAgentTurnEndEvent,
  ToolAgentTurnStartEvent,
} from './element-events.js'

/** The DOM events of one notice. Turns of agent tools are no turns of the page; their results and questions are told. */
export function domEvents(notice: Notice, agent: Agent): Event[] {
  if (notice.type === 'error') return [new ToolAgentErrorEvent(toErrorValue(notice.error))]
  if (notice.type === 'session') {
    // What waits for the user waits again after a reload, and a page that asks in its own way has to know.
    return [
      new ToolAgentSessionChangeEvent(agent.session),
      ...pendingApprovals(agent.messages).flatMap(({ part }) => question(part)),
    ]
  }
  if (notice.type !== 'event') return []
  const { event, path } = notice
  const call = 'callId' in event ? callPart(agent.messages, path, event.callId) : undefined
  if (event.type === 'approval-request') return call === undefined ? [] : question(call)
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

function question({ call, approval }: ToolCallPart): Event[] {
  return approval === undefined ? [] : [new ToolAgentApprovalRequestEvent(call, approval)]
}

/** The part of a call, newest message first: calls in motion are young. */
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
