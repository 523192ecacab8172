// Registers <tool-agent-inspector>. Importing it twice is not an error: the first definition stays. The exported type
// is an interface, so that the declarations do not import Lit.
import type { Agent } from '../../page/agent.js'
import { ToolAgentInspectorElement as InspectorElement } from './inspector-element.js'
import { JsonEntry } from './inspector-views.js'

/** `<tool-agent-inspector for="id">`: events, model calls, tools and session of one agent. */
export interface ToolAgentInspectorElement extends HTMLElement {
  /** Id of the element whose agent is shown, as in the attribute `for`. */
  for: string | undefined
  /** The agent that is shown. Set it for an agent without an element; it takes precedence over `for`. */
  agent: Agent | undefined
  /**
   * The open tab.
   * @default 'events'
   */
  tab: 'events' | 'calls' | 'tools' | 'session'
}

/** The class of `<tool-agent-inspector>`. */
export const ToolAgentInspectorElement: new () => ToolAgentInspectorElement = InspectorElement

declare global {
  interface HTMLElementTagNameMap {
    'tool-agent-inspector': ToolAgentInspectorElement
  }
}

// A script may be loaded twice. A server that imports it has no registry.
if (typeof customElements !== 'undefined' && customElements.get('tool-agent-inspector') === undefined) {
  customElements.define('tool-agent-inspector-entry', JsonEntry)
  customElements.define('tool-agent-inspector', InspectorElement)
}
