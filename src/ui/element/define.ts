// Registers <tool-agent>. Importing it twice is not an error: the first definition stays. Its events are kept from the
// page from now on, because a listener that the page adds earlier gets them first.
import { installBorder, isFirstScript } from '../../page/early-border.js'
import { isolateWindow } from '../isolation/isolation.js'
import { fetchVisiblePanel, ToolAgentElement } from './tool-agent-element.js'

declare global {
  interface HTMLElementTagNameMap {
    'tool-agent': ToolAgentElement
  }
}

// A server has no customElements.
if (typeof customElements !== 'undefined' && customElements.get('tool-agent') === undefined) {
  fetchVisiblePanel()
  isolateWindow(window)
  // Before any script that comes later keeps what it sends with.
  if (Document.prototype.querySelector.call(document, 'tool-agent[page-tools]')) installBorder(isFirstScript())
  customElements.define('tool-agent', ToolAgentElement)
}
