// Recognizes fields that open a calendar or a list.
import { isTag } from '../../dom/dom.js'

/** Whether the field opens a dialog or grid, which may be a calendar. */
export const opensDialog = (element: Element): boolean =>
  /^(dialog|grid)$/.test(element.getAttribute('aria-haspopup') ?? '')

/** Whether it is a text field that cannot be typed into and takes its value only from a pop-up. */
export const isPickerBox = (element: Element): boolean =>
  isTag(element, 'input') &&
  element.readOnly &&
  element.getAttribute('aria-readonly') !== 'true' &&
  (opensDialog(element) ||
    element.getAttribute('role') === 'combobox' ||
    element.getAttribute('aria-haspopup') === 'listbox')
