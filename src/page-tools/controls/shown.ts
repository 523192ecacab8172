// What several kinds of controls have in common: how pages draw them, a text, and options.
import { accessibleNameOf, labelsOf } from '../dom/accessible-name.js'
import { isTag, parentOf } from '../dom/dom.js'
import { isDisabled } from '../dom/field-state.js'
import { chosenBeside } from '../dom/pop-ups.js'
import { normalizeLines, normalizeText } from '../dom/text.js'
import { Visibility } from '../dom/visibility.js'
import type { Field, Option } from '../read/field.js'

/** Whether a control that is not visible itself has a visible label, or lies transparent in a visible box. */
export function isDrawnAround(element: Element, visibility: Visibility): boolean {
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

/** The text of a text field, or else what it has chosen and shows beside itself. */
export function textIn(
  { element, label }: Field,
  visibility: Visibility,
  clean: (text: string) => string = normalizeLines,
): string {
  return isTag(element, 'input', 'textarea') ? clean(element.value) || chosenBeside(element, visibility, label) : ''
}

/** The raw state of a text field. */
export const textState = ({ element }: Field, visibility = new Visibility()): string =>
  isTag(element, 'input', 'textarea') ? element.value || chosenBeside(element, visibility, '', true) : ''

/** The ARIA options that are visible in the boxes. */
export const optionsIn = (boxes: readonly Element[], visibility: Visibility): Option[] =>
  boxes
    .flatMap((box) => [...box.querySelectorAll('[role=option]')])
    .filter((option) => visibility.isShown(option))
    .map((option) => {
      const label = accessibleNameOf(option, visibility)
      return {
        label,
        value: option.getAttribute('data-value') ?? label,
        chosen: option.getAttribute('aria-selected') === 'true',
        disabled: isDisabled(option),
        element: option,
      }
    })

/** What a text field proposes in a `<datalist>`. */
export function proposalsOf({ element }: Field, visibility: Visibility): Option[] {
  const list = isTag(element, 'input') ? element.list : null
  if (!isTag(element, 'input') || !list || visibility.isOffLimits(list)) return []
  return [...list.options]
    .filter((option) => !visibility.isOffLimits(option))
    .map((option) => ({
      label: normalizeText(option.label || option.value),
      value: option.value,
      chosen: option.value === element.value,
      disabled: option.disabled,
      element: option,
    }))
}
