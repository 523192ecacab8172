// Which fields a person can perceive. Pages hide many controls, to render them in another way.
import { parentOf } from '../dom/dom.js'
import { labelsOf } from '../dom/labels.js'
import { isPickerBox } from '../dom/pop-ups.js'
import type { Visibility } from '../dom/visibility.js'
import type { FieldType } from './field.js'

/** Types of controls that pages hide, to render them in another way. */
const oftenHidden = new Set<FieldType>(['checkbox', 'radio', 'file', 'select', 'range'])
/**
 * Whether it is visible, or hidden behind a visible label or box, as styled checkboxes are. Invisible text fields are
 * not fields: they are traps for bots.
 */
export const isPerceivable = (element: Element, type: FieldType, visibility: Visibility): boolean =>
  visibility.isShown(element) ||
  ((oftenHidden.has(type) || isPickerBox(element)) && isSeenElsewhere(element, type, visibility)) ||
  (element.matches('input[role=combobox]') && hasFace(element, visibility))

/** Whether a text field that opens a list is invisible until then, inside of the box that a person sees and presses. */
function hasFace(element: Element, visibility: Visibility): boolean {
  if (!visibility.hasBox(element)) return false
  const isFace = (box: Element): boolean => {
    const { width, height } = box.getBoundingClientRect()
    return visibility.isShown(box) && width >= smallest && height >= smallest
  }
  let face = parentOf(element)
  for (let level = 0; face && level < 4 && !isFace(face); level++) face = parentOf(face)
  return (
    face !== null &&
    isFace(face) &&
    !face.matches('form,fieldset,dialog,body') &&
    [...face.querySelectorAll('input:not([type=hidden]),select,textarea')].every((one) => one === element)
  )
}

/** Pixels of the smallest box that can be pressed as a field. */
const smallest = 16

/** Whether a control that is not visible itself has a visible label or box. */
function isSeenElsewhere(element: Element, type: FieldType, visibility: Visibility): boolean {
  // Sliders are often rendered by the element around the input.
  if (type === 'range')
    return visibility.hasBox(element) && element.parentElement !== null && visibility.isShown(element.parentElement)
  const labels = labelsOf(element, visibility) ?? []
  if (labels.some((label) => visibility.isShown(label) && visibility.level(label) === 'visible')) return true
  const around = parentOf(element)
  return (
    visibility.hasBox(element) &&
    around !== null &&
    visibility.isShown(around) &&
    visibility.style(element).opacity === '0'
  )
}
