// The public entry, for bundlers and for a script tag: everything of `tool-agent/agent`, and the element, defined.
import './ui/element/define.js'

export * from './agent.js'
export {
  ToolAgentApprovalRequestEvent,
  ToolAgentErrorEvent,
  ToolAgentSessionChangeEvent,
  ToolAgentTodosChangeEvent,
  ToolAgentToolCallEvent,
  ToolAgentToolResultEvent,
  ToolAgentTurnEndEvent,
  ToolAgentTurnStartEvent,
} from './ui/element/element-events.js'
export type { Layout } from './ui/element/element-options.js'
export { ToolAgentElement } from './ui/element/tool-agent-element.js'
