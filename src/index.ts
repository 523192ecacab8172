// The entry `tool-agent`, for bundlers and script tags: exports what `tool-agent/agent` exports, and defines the
// element.
import './ui/element/define.js'

export * from './agent.js'
export {
  ToolAgentApprovalRequestEvent,
  ToolAgentErrorEvent,
  type ToolAgentEventMap,
  ToolAgentSessionChangeEvent,
  ToolAgentTodosChangeEvent,
  ToolAgentToolCallEvent,
  ToolAgentToolResultEvent,
  ToolAgentTurnEndEvent,
  ToolAgentTurnStartEvent,
} from './ui/element/element-events.js'
export type { Rating, ToolAgentFeedbackEvent } from './ui/element/feedback-event.js'
export type { Layout, MessageActions } from './ui/element/element-options.js'
export type { PanelWords } from './ui/i18n/languages/languages.js'
export { ToolAgentElement } from './ui/element/tool-agent-element.js'
