// The entry `tool-agent/react`: the element as a component, and hooks for the agent and its tools. Imports React, which
// the page brings. The build adds the directive 'use client', which servers that render React components need.
export { ToolAgent, type ToolAgentProps } from './react/tool-agent.js'
export { useAgent, useAgentState, type UseAgentOptions } from './react/use-agent.js'
export { useTool, useToolRenderer, type UseToolOptions } from './react/use-tool.js'
export type { ToolCallProps } from './wrappers/tool-cards.js'
