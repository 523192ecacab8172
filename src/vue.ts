// The entry `tool-agent/vue`: the element as a component, and composables for the agent and its tools. Imports Vue,
// which the page brings.
export { ToolAgent, type ToolAgentEmits, type ToolAgentExposed, type ToolAgentProps } from './vue/tool-agent.js'
export { useAgent, useAgentState, type UseAgentOptions } from './vue/use-agent.js'
export { useTool, useToolRenderer, type UseToolOptions } from './vue/use-tool.js'
export type { ToolCallProps } from './wrappers/tool-cards.js'
