// What <tool-agent> loads to show itself: registers the elements that only its own templates use, and makes its panel.
import { ApprovalCard } from './approval-card.js'
import { Composer } from './composer.js'
import { Panel, type PanelHost } from './panel.js'
import { panelStyles } from './styles/panel.js'
import { ToolCallCard } from './tool-call-card.js'
import { Transcript } from './transcript.js'

const parts = {
  'tool-agent-call': ToolCallCard, 'tool-agent-approval': ApprovalCard, 'tool-agent-composer': Composer,
  'tool-agent-transcript': Transcript, 'tool-agent-panel': Panel,
}

declare global {
  interface HTMLElementTagNameMap {
    'tool-agent-call': ToolCallCard
    'tool-agent-approval': ApprovalCard
    'tool-agent-composer': Composer
    'tool-agent-transcript': Transcript
    'tool-agent-panel': Panel
  }
}

/** A panel for one element, with its styles in the element's shadow root. */
export function createPanel(host: PanelHost): Panel {
  for (const [name, part] of Object.entries(parts)) {
    // Another copy of the script that was loaded first has defined <tool-agent>, too, and draws with its own.
    if (customElements.get(name) === undefined) customElements.define(name, part as unknown as CustomElementConstructor)
  }
  host.element.shadowRoot?.adoptedStyleSheets.push(...panelStyles.flatMap(({ styleSheet }) => styleSheet ?? []))
  return new Panel(host)
}
