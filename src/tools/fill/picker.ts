// Which fields open a calendar, and whether one holds a day: what is known before the calendar is worked, and after.
import { isTag } from '../dom.js'
import type { Day } from './values.js'
import { parseDay } from './values.js'

export const same = (one: Day | undefined, other: Day): boolean => one?.year === other.year && one.month === other.month && one.day === other.day

/** Whether the field opens something that may be a calendar. */
export const opensDialog = (element: Element): boolean => /^(dialog|grid)$/.test(element.getAttribute('aria-haspopup') ?? '')

/** A day as the field writes it: in the page's order, else in either. */
export const holdsDay = (text: string, day: Day, languages: readonly string[]): boolean =>
  [languages, ['en-US'], ['en-GB']].some((order) => same(parseDay(text, order), day))

/** A text box of a date that nobody types into: its value comes from the calendar alone. */
export const isPickerBox = (element: Element): boolean => isTag(element, 'input') && element.readOnly && element.getAttribute('aria-readonly') !== 'true' && (opensDialog(element) || element.getAttribute('role') === 'combobox' || element.getAttribute('aria-haspopup') === 'listbox')
