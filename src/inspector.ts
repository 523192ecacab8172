// `tool-agent/inspector`: defines <tool-agent-inspector>, for whoever builds the page. A file of its own, so that visitors
// never load it.
import { ToolAgentInspectorElement } from './ui/inspector/inspector-element.js'
import { JsonEntry } from './ui/inspector/json-entry.js'

declare global {
  interface HTMLElementTagNameMap {
    'tool-agent-inspector': ToolAgentInspectorElement
    'tool-agent-inspector-entry': JsonEntry
  }
}

// Loading the script twice is no error; anything else is. A server that imports it has nothing to define.
if (typeof customElements !== 'undefined' && customElements.get('tool-agent-inspector') === undefined) {
  customElements.define('tool-agent-inspector-entry', JsonEntry)
  customElements.define('tool-agent-inspector', ToolAgentInspectorElement)
}

export { ToolAgentInspectorElement }
