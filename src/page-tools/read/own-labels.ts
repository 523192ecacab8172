// The labels that the markup gives a control or a part of the page: accessible names and groups. The search for labels
// of controls without a name is in field-labels.ts.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { ancestor, isBarred, isTag, parentOf } from '../dom/dom.js'
import { accessibleNameOf } from '../dom/accessible-name.js'
import { cachedPerSnapshot } from '../dom/per-snapshot.js'
import { namedByValue } from '../dom/pop-ups.js'
import { asLabel } from '../dom/text.js'
import type { Visibility } from '../dom/visibility.js'
import { holdsTyping } from '../sensitive/sensitive-fields.js'

/** Whether a text has letters, in any language. */
export const isLetters = (text: string): boolean => /\p{L}/u.test(text)

/** The accessible name of a control, without its value. */
export const ownNameOf = (element: Element, visibility: Visibility): string =>
  namedByValue(element) ? asLabel(element.getAttribute('aria-label') ?? '') : accessibleNameOf(element, visibility)

/** The texts of labels for elements that no browser ties a label to, such as the box around a group, by their ids. */
const labelsOfBoxes = cachedPerSnapshot((root: Node, visibility) => {
  const texts = new Map<string, string>()
  for (const label of unclobbered(root as Document | ShadowRoot).querySelectorAll('label[for]')) {
    const id = label.getAttribute('for') ?? ''
    if ((label as Partial<HTMLLabelElement>).control === null && mayLabel(label))
      texts.set(id, asLabel(visibility.visibleText(label)))
  }
  return texts
})

/** The text of a visible label that names the box by its id; empty if there is none. */
export const labelOfBox = (box: Element, visibility: Visibility): string =>
  box.id === '' ? '' : (labelsOfBoxes(box.getRootNode(), visibility).get(box.id) ?? '')

/** Whether it is a `<label>` that the markup ties to nothing. */
const isLoose = (element: Element): boolean =>
  isTag(element, 'label') && element.control === null && !element.hasAttribute('for') && mayLabel(element)

/** Text fields and selects, of which a range has two. */
const typedFields = 'input:not([type=hidden],[type=radio],[type=checkbox],[type=button],[type=submit]),select,textarea'

/**
 * The text of a `<label>` directly before a box that is tied to nothing, so that it can only be about this box. Before
 * more than a range it is about the first field of the box, and says nothing of the others.
 */
export function looseLabel(box: Element, visibility: Visibility): string {
  let before = box.previousElementSibling
  while (before && !visibility.isShown(before)) before = before.previousElementSibling
  return before && isLoose(before) && box.querySelectorAll(typedFields).length <= 2
    ? asLabel(visibility.visibleText(before))
    : ''
}

/** The box around the control that has such a label. */
export const looselyLabelled = (element: Element, visibility: Visibility): Element | null =>
  ancestor(element, (above) => isTag(above, 'form', 'body') || looseLabel(above, visibility) !== '')

/** The name of the fieldset, ARIA group or labelled box around the control; empty if there is none. */
export function groupOf(element: Element, visibility: Visibility): string {
  for (let node = parentOf(element); node && !isTag(node, 'form', 'body'); node = parentOf(node)) {
    const label = labelOfBox(node, visibility) || looseLabel(node, visibility)
    if (isLetters(label)) return label
    if (isTag(node, 'fieldset') || /^(radio)?group$/.test(node.getAttribute('role') ?? '')) {
      const name = accessibleNameOf(node, visibility)
      if (isLetters(name)) return name
    }
  }
  return ''
}

/** Whether the element may be part of a label: it is not inside an input field or an ignored part. */
export const mayLabel = (element: Element): boolean =>
  ancestor(element, (above) => holdsTyping(above) || isBarred(above)) === null
/** The first match that may be part of a label. */
export const firstIn = (part: Element, selector: string): Element | undefined =>
  [...Element.prototype.querySelectorAll.call(part, selector)].find(mayLabel)

const ownTextRoles =
  /^(button|link|tab|tablist|toolbar|option|listbox|list|menu|menubar|menuitem\w*|tree|grid|table|dialog|navigation)$/
/** Whether its text is its own: that of a link, a button, or a list, table, menu or toolbar beside the control. */
export const hasOwnText = (element: Element): boolean =>
  isTag(element, 'a', 'button', 'option', 'ul', 'ol', 'table', 'nav', 'summary') ||
  ownTextRoles.test(element.getAttribute('role') ?? '')
