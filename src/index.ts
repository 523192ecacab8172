// The public entry, for bundlers and for a script tag: everything of `tool-agent/agent`, and the element, defined.
import './define.js'

export * from './agent.js'
export {
  ToolAgentApprovalRequestEvent, ToolAgentErrorEvent, ToolAgentSessionChangeEvent, ToolAgentTodosChangeEvent,
  ToolAgentToolCallEvent, ToolAgentToolResultEvent, ToolAgentTurnEndEvent, ToolAgentTurnStartEvent,
} from './ui/element-events.js'
export type { Layout } from './ui/element-options.js'
export { ToolAgentElement } from './ui/tool-agent-element.js'
