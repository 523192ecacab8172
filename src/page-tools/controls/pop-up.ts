// Controls whose value is chosen in what they open: a list, or a calendar.
import type { JsonValue } from '../../core/data/json.js'
import { isTag } from '../dom/dom.js'
import { chosenIn, isPickerBox, opensCalendar, opensDialog, opensList, popUpsOf } from '../dom/pop-ups.js'
import { holdsDay, parseDay, parseTemporal, type Day } from '../fill/dates.js'
import { wantedText } from '../fill/holds-text.js'
import { languagesOf, refused, temporalFormats, valueAsText } from '../fill/plan.js'
import { pickDays } from '../fill/pop-ups/calendar.js'
import { chooseFromList } from '../fill/pop-ups/combobox.js'
import { rangeIn, rangeParts } from '../fill/ranges.js'
import type { Field } from '../read/field.js'
import type { ControlKind, Plan, Wanted } from './control-kind.js'
import { optionsIn } from './shown.js'

/** The days of a value, to be picked in a calendar: one, perhaps with a time, both ends of a range, or several. */
export function planDays(value: JsonValue | undefined, languages: readonly string[]): Wanted | undefined {
  const text = valueAsText(value)
  const parts: readonly unknown[] = Array.isArray(value) && value.length > 0 ? value : (rangeIn(value) ?? [text])
  const days = parts.map((part) => parseDay(part, languages)).filter((day) => day !== undefined)
  if (days.length < parts.length) return undefined
  const time = days.length === 1 ? parseTemporal('datetime-local', text, languages)?.split('T')[1] : undefined
  return {
    later: true,
    holds: ({ element }, current) => holdsDays(String(current.value), { days, time }, languagesOf(element)),
    write: async ({ element }, { signal }) => ({
      problem: await pickDays(element, days, languagesOf(element), signal),
    }),
  }
}

/** The days for a read-only text field, which may open a calendar. */
export const daysOfReadOnly = (element: Element, value: JsonValue | undefined): Wanted | undefined =>
  element.matches('input:not([aria-readonly=true])') ? planDays(value, languagesOf(element)) : undefined

/** Whether the text of a field has exactly these days, and the time. */
function holdsDays(
  current: string,
  { days, time }: { readonly days: readonly Day[]; readonly time: string | undefined },
  languages: readonly string[],
): boolean {
  const [day] = days
  if (!day) return false
  if (days.length === 1)
    return (
      holdsDay(current, day, languages) &&
      (time === undefined || parseTemporal('datetime-local', current, languages)?.split('T')[1] === time)
    )
  const listed = current.split(/\s*[,;]\s+/)
  const size = listed.length / days.length
  // A comma may also be between the day and the year.
  const grouped = days.map((_, at) => listed.slice(at * size, (at + 1) * size).join(' '))
  const ways = [rangeParts(current), Number.isInteger(size) ? grouped : listed]
  return ways.some(
    (parts) => parts.length === days.length && days.every((one, at) => holdsDay(parts[at] ?? '', one, languages)),
  )
}

/**
 * A date picker is often a read-only field or has the role of a combobox, so what opens a calendar comes before what
 * opens a list.
 */
function planPopUp({ element }: Field, value: JsonValue | undefined): Plan {
  const text = valueAsText(value)
  const fromList = (): Plan => wantedText({ text }, (field, run) => chooseFromList(field, text, value, run))
  if (!opensDialog(element)) return fromList()
  const days = planDays(value, languagesOf(element))
  if (days) return days
  // A list with a field for searching is a dialog, too.
  return element.getAttribute('role') === 'combobox' && !isTag(element, 'input')
    ? fromList()
    : refused(`${JSON.stringify(text)} is not a valid date; use the format ${temporalFormats.get('date')}`)
}

/** A combobox or button that opens a list or a calendar, and text fields that take their value only from there. */
export const popUp: ControlKind = {
  types: ['combobox'],
  claims: ({ element, role, hasFieldRole }) =>
    opensCalendar(element) || role === 'combobox' || (!hasFieldRole && opensList(element)) ? 'combobox' : undefined,
  writes: isPickerBox,
  takesReadOnly: true,
  value: ({ element }, visibility) => chosenIn(element, visibility),
  options: ({ element }, visibility) => optionsIn(popUpsOf(element), visibility),
  plan: planPopUp,
}
