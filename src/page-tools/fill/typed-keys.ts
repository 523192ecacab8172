// Types a text key by key, as a person does after selecting all. Masks that keep a value of their own take what keys
// write, and may undo a text that is there at once.
import { isTag, viewOf } from '../dom/dom.js'
import { dispatchChange, enterField, leaveField, nextTask } from './input-events.js'
import { setNative } from './set-value.js'
import { asToolInput } from '../hands/own-input.js'

const codes = new Map([
  [',', ['Comma', 188]],
  ['.', ['Period', 190]],
  ['-', ['Minus', 189]],
  [' ', ['Space', 32]],
  ['Backspace', ['Backspace', 8]],
] as const)

function eventsOf(key: string): { readonly down: KeyboardEventInit; readonly press: KeyboardEventInit } {
  const isDigit = /^\d$/.test(key)
  const upper = key.toUpperCase()
  const [code, keyCode] = codes.get(key as ',') ?? [`${isDigit ? 'Digit' : 'Key'}${upper}`, upper.charCodeAt(0)]
  const shared = { key, code, bubbles: true, composed: true, cancelable: true }
  const charCode = key.charCodeAt(0)
  return {
    down: { ...shared, keyCode, which: keyCode } as KeyboardEventInit,
    press: { ...shared, keyCode: charCode, charCode, which: charCode } as KeyboardEventInit,
  }
}

/**
 * Presses one key in a text field: its events, and what the browser does for it where the page leaves that to the
 * browser. The key is a character, or Backspace for what is selected.
 */
export function typeKey(element: HTMLInputElement, key: string): void {
  const { InputEvent, KeyboardEvent } = viewOf(element)
  const isText = key !== 'Backspace'
  const { down, press } = eventsOf(key)
  const isLeft =
    element.dispatchEvent(new KeyboardEvent('keydown', down)) &&
    (!isText || element.dispatchEvent(new KeyboardEvent('keypress', press)))
  const inputType = isText ? 'insertText' : 'deleteContentBackward'
  const input = { bubbles: true, composed: true, inputType, data: isText ? key : null }
  if (isLeft && element.dispatchEvent(new InputEvent('beforeinput', { ...input, cancelable: true }))) {
    const { value } = element
    const [start, end] = [element.selectionStart ?? value.length, element.selectionEnd ?? value.length]
    setNative(element, 'value', value.slice(0, start) + (isText ? key : '') + value.slice(end))
    const caret = start + (isText ? key.length : 0)
    if (element.selectionStart !== null) element.setSelectionRange(caret, caret)
    element.dispatchEvent(new InputEvent('input', input))
  }
  element.dispatchEvent(new KeyboardEvent('keyup', down))
}

/** Replaces the text of a field by keys, and leaves the field. */
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
