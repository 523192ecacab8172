// The entry `tool-agent/mcp`: the tools of MCP servers for an agent. The client is loaded before the first step.
export { elicitationDialog, mcpTools, type McpTools } from './mcp/mcp-tools.js'
export type {
  Elicitation,
  ElicitationAnswer,
  ElicitationDialogTexts,
  ElicitationHandler,
} from './mcp/client/elicitation.js'
export type { McpHeaders, McpOptions } from './mcp/options.js'
