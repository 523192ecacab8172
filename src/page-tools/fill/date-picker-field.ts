// Which fields open a calendar or a list.
import { isTag } from '../dom/dom.js'

/** Whether the field opens something that may be a calendar. */
export const opensDialog = (element: Element): boolean =>
  /^(dialog|grid)$/.test(element.getAttribute('aria-haspopup') ?? '')

/** A text box of a date that nobody types into: its value comes from the calendar alone. */
export const isPickerBox = (element: Element): boolean =>
  isTag(element, 'input') &&
  element.readOnly &&
  element.getAttribute('aria-readonly') !== 'true' &&
  (opensDialog(element) ||
    element.getAttribute('role') === 'combobox' ||
    element.getAttribute('aria-haspopup') === 'listbox')
