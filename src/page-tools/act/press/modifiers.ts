// The keys that are held during a click or another key.
import { viewOf } from '../../dom/dom.js'
import { waitForFrame } from '../../fill/input-events.js'
import { asToolInput } from '../../hands/own-input.js'
import type { Modifiers } from '../../hands/keys.js'

const modifierKeys = [
  ['ctrlKey', 'Control', 17],
  ['shiftKey', 'Shift', 16],
  ['altKey', 'Alt', 18],
  ['metaKey', 'Meta', 91],
] as const

/**
 * Runs a step while the modifiers are held: each is pressed before, and released after it in reverse order, on the
 * element that takes keys then. A page that keeps the pressed keys in its state renders in between.
 */
export async function whileHeld<T>(held: Modifiers, receiver: () => Element, step: () => Promise<T>): Promise<T> {
  const down: Record<string, boolean> = {}
  const fire = (type: string, [, key, keyCode]: (typeof modifierKeys)[number]): void => {
    const on = receiver()
    const fields = { bubbles: true, composed: true, cancelable: true, key, code: `${key}Left`, keyCode, ...down }
    asToolInput(() => on.dispatchEvent(new (viewOf(on).KeyboardEvent)(type, fields)))
  }
  const keys = modifierKeys.filter(([property]) => held[property])
  for (const one of keys) {
    down[one[0]] = true
    fire('keydown', one)
    await waitForFrame()
  }
  try {
    return await step()
  } finally {
    for (const one of keys.toReversed()) {
      await waitForFrame()
      down[one[0]] = false
      fire('keyup', one)
    }
  }
}
