// The keys that are held during a click or another key: each is pressed before, and released after it in reverse order.
import { viewOf } from '../../dom/dom.js'
import type { Modifiers } from './keys.js'

const modifierKeys = [
  ['ctrlKey', 'Control', 17],
  ['shiftKey', 'Shift', 16],
  ['altKey', 'Alt', 18],
  ['metaKey', 'Meta', 91],
] as const

/** Presses the modifiers on an element. Returns how to release them, on the element that has the focus then. */
export function holdModifiers(held: Modifiers, on: Element): (on: Element) => void {
  const down: Record<string, boolean> = {}
  const fire = (type: string, to: Element, [, key, keyCode]: (typeof modifierKeys)[number]): boolean =>
    to.dispatchEvent(
      new (viewOf(to).KeyboardEvent)(type, {
        bubbles: true,
        composed: true,
        cancelable: true,
        key,
        code: `${key}Left`,
        keyCode,
        ...down,
      }),
    )
  const pressed = modifierKeys.filter(([property]) => held[property])
  for (const one of pressed) {
    down[one[0]] = true
    fire('keydown', on, one)
  }
  return (last) => {
    for (const one of pressed.reverse()) {
      down[one[0]] = false
      fire('keyup', last, one)
    }
  }
}
