// The entry `tool-agent/mcp`: the tools of MCP servers for an agent. The client is loaded before the first step.
export { mcpTools, signInDialog, type McpTools } from './mcp/mcp-tools.js'
export { finishSignIn } from './mcp/sign-in-window.js'
export type { Elicitation, ElicitationAnswer, ElicitationHandler } from './mcp/client/elicitation.js'
export type { SignInDialogTexts, SignInHandler, SignInQuestion } from './mcp/client/sign-in.js'
export type { McpHeaders, McpOAuth, McpOptions } from './mcp/options.js'
