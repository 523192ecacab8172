// Controls that choose from a pop-up: the ARIA combobox, and the button that opens a listbox. What they hold is drawn as
// text, by some libraries beside an empty text box.
import { byIds, isTag, rootOf } from './dom.js'
import { toComparable } from './text.js'
import type { Visibility } from './visibility.js'

/** A button that shows a value and opens the list of others; not the arrow beside a text box, which no key reaches. */
export const opensList = (element: Element): boolean =>
  element.matches('button[aria-haspopup=listbox],[role=button][aria-haspopup=listbox]') &&
  element.getAttribute('tabindex') !== '-1'

/** Whether its name would hold its value: it names itself, or has no other name than its text. */
export const namedByValue = (element: Element): boolean =>
  opensList(element) ||
  (element.matches('[role=combobox],[role=spinbutton]') &&
    byIds(element, 'aria-labelledby').some((label) => element.contains(label)))

/** The boxes that a control says it opens, while they are there. */
export const popUpsOf = (element: Element): Element[] => [
  ...new Set([...byIds(element, 'aria-controls'), ...byIds(element, 'aria-owns')]),
]

/** A listbox that another control has opened is no field of its own. */
export const isPopUp = (listbox: Element): boolean =>
  listbox.id !== '' &&
  ['controls', 'owns'].some(
    (name) =>
      rootOf(listbox).querySelector(
        `[role=combobox][aria-${name}~="${CSS.escape(listbox.id)}"],[aria-haspopup=listbox][aria-${name}~="${CSS.escape(listbox.id)}"]`,
      ) !== null,
  )

const others = 'label,legend,button,[role=button],[role=listbox],[role=log],[aria-live],[aria-hidden=true]'

/** The text that a combobox draws as chosen around its empty text box; `tall`: also over several lines. */
export function chosenBeside(element: Element, sight: Visibility, label = '', tall = false): string {
  if (!isTag(element, 'input') || element.value !== '' || element.getAttribute('role') !== 'combobox') return ''
  const told = new Set([...byIds(element, 'aria-describedby'), ...byIds(element, 'aria-labelledby')])
  let around = element.parentElement
  for (let level = 0; around && level < 4; level++, around = around.parentElement) {
    const isBox =
      !isTag(around, 'form', 'fieldset', 'td', 'li', 'label', 'body') &&
      around.querySelectorAll('input:not([type=hidden]),select,textarea,button[aria-haspopup]').length === 1
    if (!isBox || (!tall && around.getBoundingClientRect().height > 60)) return ''
    const text = sight.text(around, (node) => told.has(node) || node.matches(others))
    if (text !== '') return toComparable(text) === toComparable(label) ? '' : text
  }
  return ''
}
