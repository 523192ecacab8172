// Writes a text into a field with the events that a user would cause, as a whole or key by key, and leaves the field.
import { isTag } from '../dom/dom.js'
import { dispatchChange, dispatchInput, editWith, setNative, typing } from '../hands/edits.js'
import { enterField, leaveField } from '../hands/focus.js'
import { typeKey } from '../hands/keys.js'
import { asToolInput } from '../hands/own-input.js'
import { nextTask } from '../waiting/until.js'

/**
 * Enters a field and writes its text. The caller leaves the field later, because pop-ups close then. False if the page
 * rejects it.
 */
export const typeInto = (element: Element, text: string, typed: boolean): boolean =>
  asToolInput(() => {
    enterField(element)
    const write = (): void => setNative(element, 'value', text)
    if (typed) return editWith(element, typing(text), write)
    write()
    dispatchInput(element)
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

/**
 * Replaces the text of a field key by key, as a person does after selecting all, and leaves the field. Masks that keep
 * a value of their own take what keys write, and may undo a text that is there at once.
 */
export async function typeByKeys(element: Element, text: string): Promise<void> {
  if (!isTag(element, 'input')) return
  asToolInput(() => {
    enterField(element, true)
    element.select()
  })
  // Masks put the caret where they want it when the field is entered, and later.
  await nextTask()
  asToolInput(() => {
    if (element.selectionStart !== null) element.setSelectionRange(0, element.value.length)
    for (const key of text === '' ? ['Backspace'] : text) typeKey(element, key)
  })
  await nextTask()
  asToolInput(() => {
    dispatchChange(element)
    leaveField(element)
  })
}
