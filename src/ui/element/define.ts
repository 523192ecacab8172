// Registers <tool-agent>. Importing it twice is not an error: the first definition stays. Its events are kept from the
// page from now on, because a listener that the page adds earlier gets them first.
import { isolateWindow } from '../isolation/isolation.js'
import { ToolAgentElement } from './tool-agent-element.js'

declare global {
  interface HTMLElementTagNameMap {
    'tool-agent': ToolAgentElement
  }
}

// A server has no customElements.
if (typeof customElements !== 'undefined' && customElements.get('tool-agent') === undefined) {
  isolateWindow(window)
  customElements.define('tool-agent', ToolAgentElement)
}
