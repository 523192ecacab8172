// The one file that registers the element. Loading the script twice is no error; anything else is.
import { ToolAgentElement } from './tool-agent-element.js'

declare global {
  interface HTMLElementTagNameMap {
    'tool-agent': ToolAgentElement
  }
}

// Where there is no document (a server), there is nothing to register.
if (typeof customElements !== 'undefined' && customElements.get('tool-agent') === undefined) {
  customElements.define('tool-agent', ToolAgentElement)
}
