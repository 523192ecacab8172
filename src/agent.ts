// The entry `tool-agent/agent`: the agent without an element, for frameworks and for pages that have their own view.
// Must not import Lit.
export { ToolAgentError, type ErrorCode, type Failure } from './core/data/errors.js'
export type { AgentEvent } from './core/data/event.js'
export type { DurableEvent, TransientEvent } from './core/data/event.js'
export type { JsonArray, JsonObject, JsonValue } from './core/data/json.js'
export type {
  Approval,
  AssistantMessage,
  AssistantPart,
  CallId,
  Draft,
  DraftPart,
  Fact,
  FilePart,
  Message,
  Metadata,
  ModelContent,
  ModelOutput,
  Reason,
  ReasoningPart,
  RequestAddition,
  Started,
  SummaryMessage,
  TextPart,
  ToolCall,
  ToolCallPart,
  ToolResult,
  Usage,
  UserMessage,
  UserPart,
} from './core/data/message.js'
export type {
  FinishReason,
  ModelAdapter,
  ModelPart,
  ModelRequest,
  ModelTool,
  ModelUsage,
  PromptAssistantPart,
  PromptMessage,
  PromptToolResult,
  PromptUserPart,
  ResponseFormat,
} from './core/data/model.js'
export type {
  ContextChange,
  Grant,
  PageFacts,
  Session,
  SessionStatus,
  SessionSummary,
  StorageKind,
  Turn,
  TurnEnd,
  TurnOptions,
} from './core/data/session.js'
export type { HostConfig } from './core/data/protocol.js'
export type { Todo, TodoStatus } from './core/data/todo.js'
export type { Effect, TaskGrant, TaskScope } from './core/data/effect.js'
export type { StoppedEffect } from './core/data/stopped-effect.js'
export type { Preview } from './core/data/action.js'
export type { AnsweredQuestion, FormAnswer, FormQuestion } from './core/data/form-question.js'
export type { ToolExecution, TurnResult } from './core/data/turn-result.js'
export type { Limits, ToolAnnotations, ToolChoice, ToolContext } from './core/data/tool.js'
export {
  Agent,
  createAgent,
  type AgentRole,
  type AgentStatus,
  type HostKind,
  type Notice,
  type QueuedMessage,
  type RegisteredTool,
  type ToolRenderer,
} from './page/agent.js'
export { agentState, type AgentSelector, type AgentStore, type IsEqual } from './page/agent-selection.js'
export type { CallToolOptions } from './page/tools/call-tool.js'
export type { ApproveOptions, DenyOptions } from './page/client/decisions.js'
export type {
  AgentOptions,
  AgentToolOptions,
  ErrorHandler,
  Hooks,
  PageToolToken,
  PageToolTokens,
  Provider,
  SendInput,
  SendOptions,
  ToolHookContext,
} from './page/options.js'
export type { AgentSessions } from './page/client/agent-sessions.js'
export {
  defineTool,
  type AnyTool,
  type ApprovalRun,
  type AskOptions,
  type AskResult,
  type ContextOf,
  type EndedCall,
  type ToolQuestion,
  type ToolSummary,
  type InputOf,
  type JsonSchema,
  type ModelOutputOf,
  type Schema,
  type Tool,
  type ToolProvider,
  type ToolRun,
  type ToolWith,
  type ToolWithoutInput,
  type ZodLike,
} from './page/tools/tool.js'
export { agentTool } from './page/tools/agent-tool.js'
export type { Step, Steps } from './page/stepped/stepped-turn.js'
export { toolsFrom } from './page/tools/tools-from.js'
export type { RegisterOptions } from './page/tools/registry.js'
export type { Trace, TracedTool, TraceEntry } from './page/trace/trace.js'
