// Elements of the page's own: form-associated custom elements, and boxes with the role of a text field.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { propertyOf } from '../dom/dom.js'
import { normalizeLines } from '../dom/text.js'
import { Visibility } from '../dom/visibility.js'
import { refused, valueAsText } from '../fill/plan.js'
import type { ControlKind } from './control-kind.js'
import { restoreText, writtenText } from './text.js'

/** Whether a script can read and set its value. A box with a role has none. */
const holdsValueItself = (element: Element): boolean => 'value' in element

/** Whether it is a form-associated custom element without a field inside. */
function isCustomField(element: Element): boolean {
  const made = element.localName.includes('-')
    ? unclobbered(element.ownerDocument).defaultView?.customElements.get(element.localName)
    : undefined
  return (
    made !== undefined &&
    (made as { formAssociated?: boolean }).formAssociated === true &&
    holdsValueItself(element) &&
    !element.shadowRoot?.querySelector('input,textarea,select')
  )
}

/** An element of the page's own. */
export const custom: ControlKind = {
  types: ['custom'],
  claims({ element, role, hasFieldRole }) {
    const isNamed = role === 'textbox' || role === 'searchbox'
    return isNamed || (!hasFieldRole && isCustomField(element)) ? 'custom' : undefined
  },
  value({ element }, visibility, clean = normalizeLines) {
    if (!holdsValueItself(element)) return visibility.visibleText(element)
    const value: unknown = propertyOf(element, 'value')
    if (typeof value === 'number' || typeof value === 'boolean') return value
    return typeof value === 'string' ? clean(value) : ''
  },
  state: (field) => String(custom.value(field, new Visibility())),
  plan: ({ element }, value) =>
    holdsValueItself(element)
      ? writtenText({ text: valueAsText(value) }, value)
      : refused('It only takes keys: click it, then type with page_press'),
  restore: restoreText,
}
