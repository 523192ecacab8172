// Groups of toggle buttons, of which one or several are pressed. Libraries build segmented controls from them.
import { isAriaTrue } from './field-state.js'

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
