// Registers <tool-agent>. Importing it twice is not an error: the first definition stays.
import { ToolAgentElement } from './tool-agent-element.js'

declare global {
  interface HTMLElementTagNameMap {
    'tool-agent': ToolAgentElement
  }
}

// A server has no customElements.
if (typeof customElements !== 'undefined' && customElements.get('tool-agent') === undefined) {
  customElements.define('tool-agent', ToolAgentElement)
}
