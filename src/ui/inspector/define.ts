// Registers <tool-agent-inspector>. Importing it twice is not an error: the first definition stays.
import { ToolAgentInspectorElement } from './inspector-element.js'
import { JsonEntry } from './json-entry.js'

declare global {
  interface HTMLElementTagNameMap {
    'tool-agent-inspector': ToolAgentInspectorElement
    'tool-agent-inspector-entry': JsonEntry
  }
}

// A server has no customElements.
if (typeof customElements !== 'undefined' && customElements.get('tool-agent-inspector') === undefined) {
  customElements.define('tool-agent-inspector-entry', JsonEntry)
  customElements.define('tool-agent-inspector', ToolAgentInspectorElement)
}
