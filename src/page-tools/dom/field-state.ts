// What a control is like: its states, native or by ARIA, whether one types into it, and the buttons of a group.
import { isTag, propertyOf } from './dom.js'
import { normalizeText } from './text.js'

/** Whether the element is disabled, natively or by ARIA. `aria-disabled` also applies to the contents. */
export const isDisabled = (element: Element): boolean =>
  element.matches(':disabled') || element.closest('[aria-disabled=true]') !== null
/** Whether an ARIA attribute is true. */
export const isAriaTrue = (element: Element, name: string): boolean => element.getAttribute(name) === 'true'
/** Whether the element is read-only, natively or by ARIA. */
export const isReadOnly = (element: Element): boolean =>
  (isTag(element, 'input', 'textarea') && element.readOnly) || isAriaTrue(element, 'aria-readonly')

/** A field with a text of one or several lines. */
export type TextField = HTMLInputElement | HTMLTextAreaElement

/** Whether text is typed into the field. */
export const isTextField = (element: Element): element is TextField =>
  isTag(element, 'textarea') ||
  (isTag(element, 'input') && /^(text|search|tel|url|email|password|number)$/.test(element.type))

/** Whether one types into the field: a text, or the parts of a date or time. */
export const isTypedInto = (element: Element): boolean =>
  isTextField(element) || (isTag(element, 'input') && /^(date|month|week|time|datetime-local)$/.test(element.type))

/** Whether a whole text can be typed into it at once: a field or a rich text. Other elements only take keys. */
export const takesWholeText = (on: HTMLElement): boolean => isTextField(on) || on.isContentEditable

/**
 * The state of a checkbox, switch or another element that can be checked. `mixed`: it stands for several things, some
 * of which are checked. Libraries draw a native box as mixed and only mark it, without setting the property.
 */
export function checkedStateOf(element: Element): boolean | 'mixed' {
  const isNative = isTag(element, 'input')
  if (element.getAttribute('aria-checked') === 'mixed') return 'mixed'
  if (isNative && (element.indeterminate || element.getAttribute('data-indeterminate') === 'true')) return 'mixed'
  return isNative ? element.checked : isAriaTrue(element, 'aria-checked')
}

/** The text that a slider or spin button shows for its number, such as "November" or "21 °C"; '' if it has none. */
export const valueTextOf = (element: Element): string => normalizeText(element.getAttribute('aria-valuetext') ?? '')

/** Whether the field is required, natively or by ARIA. */
export const isRequired = (element: Element): boolean =>
  propertyOf(element, 'required') === true || isAriaTrue(element, 'aria-required')

/** Roles of elements that show a number. */
export const barRoles = /^(progressbar|meter|scrollbar|separator)$/

/** The value of a bar, meter or splitter; '' if it has none, as a line between two texts. */
export function barValueOf(element: Element): string {
  const text = normalizeText(element.getAttribute('aria-valuetext') || element.getAttribute('aria-valuenow') || '')
  if (text !== '') return text
  return (isTag(element, 'progress') && element.hasAttribute('value')) || isTag(element, 'meter')
    ? `${element.value} of ${element.max}`
    : ''
}

const buttons = ':is(button,[role=button])[aria-pressed]'
const otherControls =
  'input:not([type=hidden]),select,textarea,a[href],[contenteditable=true],button:not([aria-pressed])'

/** The buttons of a group that contains nothing but toggle buttons; empty for other elements. */
export function toggleButtonsOf(group: Element): Element[] {
  const role = group.getAttribute('role')
  // A toolbar is one of commands, unless a visible text says what its buttons are the choices of.
  if (role !== 'group' && !(role === 'toolbar' && group.hasAttribute('aria-labelledby'))) return []
  const found = [...group.querySelectorAll(buttons)]
  return found.length > 1 && group.querySelector(otherControls) === null ? found : []
}

/** Whether a button of the group is pressed. */
export const isPressed = (button: Element): boolean => isAriaTrue(button, 'aria-pressed')
