// `tool-agent/inspector`: defines <tool-agent-inspector>, for developers. A separate entry, so visitors do not load it.
export { ToolAgentInspectorElement } from './ui/inspector/define.js'
