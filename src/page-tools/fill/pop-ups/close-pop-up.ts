// Closes what a field has opened and what stays open after the field was left. A key for it reaches everything around
// the field: a box that lies over the page closes too, and with it all that was filled in there. So Escape is pressed
// only where no such box is, and a press beside the field does it elsewhere. What still stays open is left open.
import { ancestor, isTag, parentOf, viewOf } from '../../dom/dom.js'
import { isAction, roleOf } from '../../dom/roles.js'
import { Visibility } from '../../dom/visibility.js'
import { pressKey } from '../../hands/keys.js'
import { dispatchMouseClick } from '../../hands/mouse.js'
import { asToolInput } from '../../hands/own-input.js'

const controls = 'input:not([type=hidden]),select,textarea,button,a[href],[tabindex]:not([tabindex="-1"])'
const boxes = 'dialog,[role=dialog],[role=alertdialog],[aria-modal],[popover]'

/** Whether something outside of the field itself is in the box: fields have parts that are positioned, too. */
const holdsMore = (box: Element, field: Element, visibility: Visibility): boolean =>
  [...box.querySelectorAll(controls)].some((one) => one !== field) || visibility.visibleText(box) !== ''

/** Whether it lies over the page, with or without the role of a dialog. */
const liesOver = (box: Element, field: Element, visibility: Visibility): boolean => {
  if (box.matches(boxes)) return true
  const { position } = visibility.style(box)
  return position === 'fixed' || (position === 'absolute' && holdsMore(box, field, visibility))
}

/** The innermost box around a field that lies over the page; null if there is none. */
function boxAround(field: Element): Element | null {
  const visibility = new Visibility()
  return ancestor(parentOf(field), (box) => !isTag(box, 'body', 'html') && liesOver(box, field, visibility))
}

/** Whether Escape on a field may close more than what the field has opened. */
export const isInBox = (field: Element): boolean => boxAround(field) !== null

/** Closes a pop-up of the field by a key on the target, or by a press beside the field. */
export function dismiss(field: Element, popUp: Element, target: Element = field): void {
  if (isInBox(field)) pressBeside(field, popUp)
  else asToolInput(() => pressKey(target, 'Escape'))
}

/**
 * Presses the mouse on the nearest element that holds more than the field and its pop-up. Does nothing where that may
 * be an action of its own, or where it may meet the backdrop that closes the box.
 */
export function pressBeside(field: Element, popUp: Element): void {
  const visibility = new Visibility()
  const box = boxAround(field)
  const isOther = (one: Element): boolean => one !== field && !popUp.contains(one) && !one.contains(popUp)
  const free = ancestor(
    parentOf(field),
    (around) => around === box || [...around.querySelectorAll(controls)].some(isOther),
  )
  if (!free || isTag(free, 'html') || (free === box && coversWindow(box))) return
  const acts = ancestor(
    free,
    (around) => around.matches('a,button,label,summary,[onclick]') || isAction(roleOf(around)),
  )
  if (acts || visibility.style(free).cursor === 'pointer') return
  asToolInput(() => dispatchMouseClick(free))
}

/** Whether it is as large as the window, as a backdrop is. */
function coversWindow(box: Element): boolean {
  const { width, height } = box.getBoundingClientRect()
  const { innerWidth, innerHeight } = viewOf(box)
  return width >= innerWidth * 0.95 && height >= innerHeight * 0.95
}
