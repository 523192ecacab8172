// The entry `tool-agent/vue`: the element as a component, and composables for the agent and its tools. Imports Vue,
// which the page brings.
export { ToolAgent, type ToolAgentEmits, type ToolAgentExposed, type ToolAgentProps } from './vue/tool-agent.js'
export { useAgent, type UseAgentOptions } from './vue/use-agent.js'
export { useAgentState } from './vue/use-agent-state.js'
export { useTool, type UseToolOptions } from './vue/use-tool.js'
export { useToolRenderer } from './vue/use-tool-renderer.js'
export type { ToolCallProps } from './wrappers/tool-cards.js'
