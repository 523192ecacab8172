// Changes the values of controls, with the events that a visitor's change causes. Values go through the setter of the
// prototype, because frameworks override the element's own.
import { isTag, viewOf } from '../dom/dom.js'
import { bubbling, fire } from './events.js'

/** Sets a property by the setter of the element's class, ignoring overrides of frameworks on the element. */
export function setNative(element: Element, property: string, value: unknown): void {
  const view = viewOf(element)
  let prototype = Object.getPrototypeOf(element) as object
  if (isTag(element, 'input')) prototype = view.HTMLInputElement.prototype
  else if (isTag(element, 'textarea')) prototype = view.HTMLTextAreaElement.prototype
  else if (isTag(element, 'select')) prototype = view.HTMLSelectElement.prototype
  else if (isTag(element, 'option')) prototype = view.HTMLOptionElement.prototype
  const setter = Object.getOwnPropertyDescriptor(prototype, property)?.set
  if (setter) setter.call(element, value)
  else Reflect.set(element, property, value)
}

/** What an edit of a text says of itself in its events. */
interface EditFields {
  readonly inputType: string
  readonly data?: string | null
}

/** That a text is typed; '' deletes what is there. */
export const typing = (text: string): EditFields =>
  text === '' ? { inputType: 'deleteContentBackward', data: null } : { inputType: 'insertText', data: text }

/** Changes a text with the events of an edit around it. False if the page cancels that. */
export function editWith(on: Element, fields: EditFields, change: () => void): boolean {
  if (!fire(on, 'beforeinput', { ...bubbling, ...fields, cancelable: true })) return false
  change()
  fire(on, 'input', { ...bubbling, ...fields })
  return true
}

/** Writes into a text field what a key or a paste makes of its text, with the caret behind it. */
export function setText(field: HTMLInputElement | HTMLTextAreaElement, value: string, caret: number): void {
  setNative(field, 'value', value)
  if (field.selectionStart !== null) field.setSelectionRange(caret, caret)
}

/** Dispatches `input`: of an edit, or of a control, which has changed as a whole. */
export function dispatchInput(element: Element, edit?: EditFields): void {
  fire(element, 'input', { ...bubbling, ...edit })
}

/** Dispatches `change`. */
export function dispatchChange(element: Element): void {
  fire(element, 'change', { bubbles: true })
}
