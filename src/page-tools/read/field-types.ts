// Decides which elements are fields, and of which type.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { isHtml, isTag, parentOf, rootOf } from '../dom/dom.js'
import { labelsOf } from '../dom/labels.js'
import { isPickerBox, opensCalendar, opensList } from '../dom/pop-ups.js'
import { toggleButtonsOf } from '../dom/toggle-group.js'
import type { Visibility } from '../dom/visibility.js'
import { datePartsOf } from './date-parts.js'
import type { FieldType } from './field.js'

const notFields = new Set(['hidden', 'submit', 'button', 'reset', 'image'])
/** Roles of fields. */
export const fieldRoles: ReadonlySet<string> = new Set([
  'textbox',
  'searchbox',
  'combobox',
  'listbox',
  'switch',
  'slider',
  'spinbutton',
  'checkbox',
  'radiogroup',
])

/** The type of a field; undefined for an element that is none. */
export function typeOf(element: Element): FieldType | undefined {
  if (isTag(element, 'input')) {
    if (notFields.has(element.type) || isBoxOfOption(element)) return undefined
    if (element.type === 'checkbox' && element.getAttribute('role') === 'switch') return 'checkbox'
    // A browser without this control shows a text field, which still expects the format of the type.
    const declared = element.getAttribute('type')?.toLowerCase()
    return (
      element.type === 'text' && /^(month|week|date|time|datetime-local)$/.test(declared ?? '')
        ? declared
        : element.type
    ) as FieldType
  }
  if (isTag(element, 'select')) return 'select'
  if (isTag(element, 'textarea')) return 'textarea'
  if (opensCalendar(element)) return 'combobox'
  const role = element.getAttribute('role')?.trim().split(/\s+/)[0]
  if (
    isEditable(element) ||
    (role && fieldRoles.has(role)) ||
    (/^(group|toolbar)$/.test(role ?? '') && element.querySelector('[role=spinbutton],[aria-pressed]')) ||
    opensList(element)
  )
    return widgetTypeOf(element, role)
  // Not only for its type: the returned field gives access to its value.
  return customTypeOf(element) && widgetTypeOf(element, role)
}

/** Whether the element is the root of a text that the user can edit. */
export function isEditable(element: Element): boolean {
  const editable = element.getAttribute('contenteditable')
  return editable !== null && editable.toLowerCase() !== 'false' && isHtml(element)
}

/** Whether an element of the page's own has a value that a script can read and set. A box with a role has none. */
export const holdsValueItself = (element: Element): boolean => 'value' in element

/** `custom` for a form-associated custom element. */
export function customTypeOf(element: Element): FieldType | undefined {
  const made = element.localName.includes('-')
    ? unclobbered(element.ownerDocument).defaultView?.customElements.get(element.localName)
    : undefined
  if (
    made &&
    (made as { formAssociated?: boolean }).formAssociated === true &&
    'value' in element &&
    !element.shadowRoot?.querySelector('input,textarea,select')
  )
    return 'custom'
  return undefined
}

/** Types of controls that pages hide, to render them in another way. */
const oftenHidden = new Set<FieldType>(['checkbox', 'radio', 'file', 'select', 'range'])
/**
 * Whether it is visible, or hidden behind a visible label or box, as styled checkboxes are. Invisible text fields are
 * not fields: they are traps for bots.
 */
export const isPerceivable = (element: Element, type: FieldType, visibility: Visibility): boolean =>
  visibility.isShown(element) ||
  ((oftenHidden.has(type) || isPickerBox(element)) && isSeenElsewhere(element, type, visibility)) ||
  (element.matches('input[role=combobox]') && hasFace(element, visibility))

/** Whether a text field that opens a list is invisible until then, inside of the box that a person sees and presses. */
function hasFace(element: Element, visibility: Visibility): boolean {
  if (!visibility.hasBox(element)) return false
  const isFace = (box: Element): boolean => {
    const { width, height } = box.getBoundingClientRect()
    return visibility.isShown(box) && width >= smallest && height >= smallest
  }
  let face = parentOf(element)
  for (let level = 0; face && level < 4 && !isFace(face); level++) face = parentOf(face)
  return (
    face !== null &&
    isFace(face) &&
    !face.matches('form,fieldset,dialog,body') &&
    [...face.querySelectorAll('input:not([type=hidden]),select,textarea')].every((one) => one === element)
  )
}

/** Pixels of the smallest box that can be pressed as a field. */
const smallest = 16

/** Whether it is the checkbox or radio button that an option of a list shows. */
const isBoxOfOption = (element: Element): boolean =>
  isTag(element, 'input') && /^(checkbox|radio)$/.test(element.type) && element.closest('[role=option]') !== null

/** Whether a listbox belongs to another control. Then it is not a field of its own. */
const isPopUp = (listbox: Element): boolean =>
  listbox.id !== '' &&
  ['controls', 'owns'].some(
    (name) =>
      rootOf(listbox).querySelector(
        `:is([role=combobox],[aria-haspopup=listbox])[aria-${name}~="${CSS.escape(listbox.id)}"]`,
      ) !== null,
  )

/** The type of an element with the role of a field, or that can be edited; undefined if it is not a field. */
function widgetTypeOf(element: Element, role: string | undefined): FieldType | undefined {
  if (isEditable(element)) return role === 'spinbutton' ? role : 'editable'
  const parts = role === 'group' ? datePartsOf(element) : undefined
  if (parts) return parts.type
  if (toggleButtonsOf(element).length > 0) return 'listbox'
  if (role && fieldRoles.has(role) && element.localName !== 'body') {
    // The text field inside a combobox is the field, not the element around it.
    const inner = element.querySelectorAll('input:not([type=hidden]),textarea,select,[contenteditable=true]')
    // Libraries put the box of an option into it.
    if ([...inner].some((one) => !isBoxOfOption(one))) return undefined
    if (role === 'listbox' && isPopUp(element)) return undefined
    if (role === 'radiogroup') return element.querySelector('[role=radio]') ? 'radio' : undefined
    if (role === 'textbox' || role === 'searchbox') return 'custom'
    return role as FieldType
  }
  return opensList(element) ? 'combobox' : customTypeOf(element)
}

/** Whether a control that is not visible itself has a visible label or box. */
function isSeenElsewhere(element: Element, type: FieldType, visibility: Visibility): boolean {
  // Sliders are often rendered by the element around the input.
  if (type === 'range')
    return visibility.hasBox(element) && element.parentElement !== null && visibility.isShown(element.parentElement)
  const labels = labelsOf(element, visibility) ?? []
  if (labels.some((label) => visibility.isShown(label) && visibility.level(label) === 'visible')) return true
  const around = parentOf(element)
  return (
    visibility.hasBox(element) &&
    around !== null &&
    visibility.isShown(around) &&
    visibility.style(element).opacity === '0'
  )
}
