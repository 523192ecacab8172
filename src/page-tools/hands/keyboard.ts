// The events of single keys, for widgets that take keys and for fields with a mask. Nothing is waited for in between.
import { editWith, setText, typing } from './edits.js'
import { cancelable, fire } from './events.js'
import { fieldsOfKey, type Modifiers } from './keys.js'

/** Dispatches `keydown` and `keyup`. */
export function pressKey(element: Element, key: string, held: Partial<Modifiers> = {}): void {
  const fields = { ...cancelable, ...fieldsOfKey(key), ...held }
  fire(element, 'keydown', fields)
  fire(element, 'keyup', fields)
}

/**
 * Presses one key in a text field: its events, and what the browser does for it where the page leaves that to the
 * browser. The key is a character, or Backspace for what is selected.
 */
export function typeKey(element: HTMLInputElement, key: string): void {
  const text = key === 'Backspace' ? '' : key
  const fields = fieldsOfKey(key)
  const down = { ...cancelable, ...fields, which: fields.keyCode }
  const charCode = key.charCodeAt(0)
  const press = { ...down, keyCode: charCode, charCode, which: charCode }
  if (fire(element, 'keydown', down) && (text === '' || fire(element, 'keypress', press)))
    editWith(element, typing(text), () => {
      const { value } = element
      const [start, end] = [element.selectionStart ?? value.length, element.selectionEnd ?? value.length]
      setText(element, value.slice(0, start) + text + value.slice(end), start + text.length)
    })
  fire(element, 'keyup', down)
}
