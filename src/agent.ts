// The entry `tool-agent/agent`: the agent without an element, for frameworks and for pages that have their own view.
// Must not import Lit.
export { ToolAgentError, type ErrorCode, type Failure } from './core/data/errors.js'
export type { AgentEvent } from './core/data/event.js'
export type { JsonArray, JsonObject, JsonValue } from './core/data/json.js'
export type {
  AssistantMessage,
  Message,
  Reason,
  SummaryMessage,
  ToolCall,
  ToolCallPart,
  ToolResult,
  Usage,
  UserMessage,
} from './core/data/message.js'
export type { ModelAdapter, ModelPart, ModelRequest } from './core/data/model.js'
export type { Session, SessionSummary } from './core/data/session.js'
export type { Todo } from './core/data/todo.js'
export type { ToolExecution, TurnResult } from './core/data/turn-result.js'
export type { Limits, ToolAnnotations, ToolChoice, ToolContext } from './core/data/tool.js'
export {
  Agent,
  createAgent,
  type AgentRole,
  type AgentStatus,
  type HostKind,
  type Notice,
  type RegisteredTool,
  type ToolRenderer,
} from './page/agent.js'
export type { CallToolOptions } from './page/tools/call-tool.js'
export type { ApproveOptions, DenyOptions } from './page/client/decisions.js'
export type {
  AgentOptions,
  AgentToolOptions,
  ErrorHandler,
  Hooks,
  PageToolToken,
  Provider,
  SendInput,
  SendOptions,
} from './page/options.js'
export {
  defineTool,
  type AnyTool,
  type ApprovalRun,
  type InputOf,
  type JsonSchema,
  type Schema,
  type Tool,
  type ToolProvider,
  type ToolRun,
  type ToolWith,
} from './page/tools/tool.js'
export { agentTool } from './page/tools/agent-tool.js'
export type { Step, Steps } from './page/client/stepped-turn.js'
export { toolsFrom } from './page/tools/tools-from.js'
export type { Trace } from './page/trace/trace.js'
