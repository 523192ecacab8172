// The entry of the panel chunk: registers the elements that the panel's templates use, and creates the panel.
import { html, render } from 'lit'
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { trustedTypesPolicy } from '../../page/trusted-types.js'
import type { ApprovalCard } from '../approval/approval-card.js'
import type { Questions } from '../approval/questions.js'
import { Composer } from './composer.js'
import type { CopyBlock, MessageActions } from '../message/message-actions.js'
import type { LongText } from '../message/values/long-text.js'
import { Panel } from './panel.js'
import { adoptStyles, definePart, type PanelHost } from './render-context.js'
import type { SessionMenu } from '../sessions/session-menu.js'
import { floatingStyles } from '../styles/layout.js'
import { panelStyles } from '../styles/panel.js'
import type { ToolCallCard } from '../message/call/tool-call-card.js'
import type { Transcript } from '../message/transcript.js'

const parts = {
  'tool-agent-composer': Composer,
  'tool-agent-panel': Panel,
}

declare global {
  interface HTMLElementTagNameMap {
    'tool-agent-text': LongText
    'tool-agent-call': ToolCallCard
    'tool-agent-approval': ApprovalCard
    'tool-agent-sessions': SessionMenu
    'tool-agent-message-actions': MessageActions
    'tool-agent-copy': CopyBlock
    'tool-agent-questions': Questions
    'tool-agent-composer': Composer
    'tool-agent-transcript': Transcript
    'tool-agent-panel': Panel
  }
}

/** Creates the panel of one element and adds its styles to the element's shadow root. @throws as `requireTemplates` */
export function createPanel(host: PanelHost): Panel {
  requireTemplates()
  for (const [name, part] of Object.entries(parts)) definePart(name, part)
  adoptStyles(host.element, ...panelStyles, floatingStyles)
  return new Panel(host)
}

/**
 * Throws if the page allows no templates: it enforces Trusted Types without the policy. A page whose policy `default`
 * accepts HTML passes.
 */
function requireTemplates(): void {
  if (trustedTypesPolicy() !== undefined) return
  try {
    render(html`<p></p>`, unclobbered(document).createDocumentFragment())
  } catch (cause) {
    throw new TypeError(
      'The Content-Security-Policy of the page does not allow the Trusted Types policy tool-agent, or another copy ' +
        'of this script has taken it. Add tool-agent to its directive trusted-types, and load the script once.',
      { cause },
    )
  }
}
