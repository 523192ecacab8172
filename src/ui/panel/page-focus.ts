// Where the focus of the page is.
import { unclobbered } from '../../core/data/dom-clobbering.js'

/** The element with the focus, also inside shadow roots. Undefined if no element has it. */
export function focusedElement(): Element | undefined {
  let active: Element | null = unclobbered(document).activeElement
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement
  return active === null || active.matches('body, html') ? undefined : active
}
