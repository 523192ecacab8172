// Controls that choose from a pop-up: ARIA comboboxes, and buttons that open a listbox. Libraries render the chosen
// value as text, some of them beside an empty text field.
import { byIds, isTag } from './dom.js'
import { toComparable } from './text.js'
import type { Visibility } from './visibility.js'

/** Whether it is a button that shows a value and opens a listbox. Excludes the arrow beside a combobox: tabindex -1. */
export const opensList = (element: Element): boolean =>
  element.matches('button[aria-haspopup=listbox],[role=button][aria-haspopup=listbox]') &&
  element.getAttribute('tabindex') !== '-1'

/** Whether the accessible name of the control contains its value, so that it cannot be the label. */
export const namedByValue = (element: Element): boolean =>
  opensList(element) ||
  (element.matches('[role=combobox],[role=spinbutton]') &&
    byIds(element, 'aria-labelledby').some((label) => element.contains(label) || label.matches('[role=option]')))

const popUps =
  'dialog,[popover],table,:is([role=dialog],[role=alertdialog],[role=listbox],[role=grid],[role=tree],[role=menu])'
/** Whether an element is a list or calendar that the control has opened, whose text is not its value. */
export function isPartOfPopUp(control: Element): (element: Element) => boolean {
  const named = new Set([...byIds(control, 'aria-controls'), ...byIds(control, 'aria-owns')])
  return (element) => named.has(element) || element.matches(popUps)
}

/** The elements that a control opens, by `aria-controls` and `aria-owns`, while they exist. */
export const popUpsOf = (element: Element): Element[] => [
  ...new Set([...byIds(element, 'aria-controls'), ...byIds(element, 'aria-owns')]),
]

const others = 'label,legend,button,[role=button],[role=log],[aria-live],[aria-hidden=true]'

/** The chosen value that a combobox renders around its empty text field. `tall` also reads several lines. */
export function chosenBeside(element: Element, visibility: Visibility, label = '', tall = false): string {
  if (!isTag(element, 'input') || element.value !== '' || element.getAttribute('role') !== 'combobox') return ''
  const descriptions = new Set([...byIds(element, 'aria-describedby'), ...byIds(element, 'aria-labelledby')])
  const isPopUp = isPartOfPopUp(element)
  let around = element.parentElement
  for (let level = 0; around && level < 4; level++, around = around.parentElement) {
    const isBox =
      !isTag(around, 'form', 'fieldset', 'td', 'li', 'label', 'body') &&
      around.querySelectorAll('input:not([type=hidden]),select,textarea,button[aria-haspopup]').length === 1
    if (!isBox || (!tall && around.getBoundingClientRect().height > 60)) return ''
    const text = visibility.visibleText(
      around,
      (node) => descriptions.has(node) || isPopUp(node) || node.matches(others),
    )
    if (text !== '') return toComparable(text) === toComparable(label) ? '' : text
  }
  return ''
}
