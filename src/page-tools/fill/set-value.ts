// Sets the value of a control with the events that a user would cause. Values go through the setter of the prototype,
// because frameworks override the element's own.
import { isTag, viewOf } from '../dom/dom.js'
import { dispatchBeforeInput, dispatchChange, dispatchInput, enterField, leaveField, nextTask } from './input-events.js'
import { asToolInput } from '../hands/own-input.js'

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

/**
 * Enters a field and writes its text. The caller leaves the field later, because pop-ups close then. False if the page
 * rejects it.
 */
export const typeInto = (element: Element, text: string, typed: boolean): boolean =>
  asToolInput(() => {
    enterField(element)
    if (typed && !dispatchBeforeInput(element, text)) return false
    setNative(element, 'value', text)
    dispatchInput(element, typed ? text : null)
    return true
  })

/**
 * Writes a text and leaves the field. False if the page rejects it. `typed`: with the events of typing. `chosen` runs
 * before leaving; if it returns true, it has left the field.
 */
export async function writeText(
  element: Element,
  text: string,
  typed: boolean,
  chosen?: () => Promise<boolean>,
): Promise<boolean> {
  const accepted = typeInto(element, text, typed)
  if (accepted) await nextTask()
  if (accepted && (await chosen?.())) return true
  asToolInput(() => {
    if (accepted) dispatchChange(element)
    leaveField(element)
  })
  return accepted
}
