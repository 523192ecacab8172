// `tool-agent/inspector`: defines <tool-agent-inspector>, for developers. A separate entry, so visitors do not load it.
import './ui/inspector/define.js'

export { ToolAgentInspectorElement } from './ui/inspector/inspector-element.js'
