// Dates and times: native fields, and groups of spin buttons for day, month, year, hours and minutes.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import type { JsonValue } from '../../core/data/json.js'
import { blurElement, focusElement, isTag } from '../dom/dom.js'
import { parseTemporal } from '../fill/dates.js'
import { wantedText } from '../fill/holds-text.js'
import { languagesOf, refused, temporalFormats, valueAsText } from '../fill/plan.js'
import { keepingFocus } from '../hands/focus.js'
import { pressKey } from '../hands/keys.js'
import { asToolInput } from '../hands/own-input.js'
import { dateIn, datePartsOf, partNumber, partNumbers } from '../read/date-parts.js'
import type { Field } from '../read/field.js'
import { waitForPageUpdates } from '../waiting/until.js'
import type { ControlKind, Refusal } from './control-kind.js'
import { textState } from './shown.js'
import { moveSlider } from './slider.js'
import { restoreText, text, writtenText } from './text.js'

/** Fills the spin buttons of a date or time, as a native control has its value; an empty one clears them. */
function fillDate(field: Field, date: string, signal: AbortSignal): Promise<void> {
  return keepingFocus(() => fillParts(field, date, signal))
}

const startsAtZero = (part: Element): boolean =>
  part.getAttribute('aria-valuemin') === '0' && Number(part.getAttribute('aria-valuemax')) < 60

async function fillParts({ element, members }: Field, date: string, signal: AbortSignal): Promise<void> {
  for (const [part, number] of partNumbers(element, date)) {
    focusElement(part)
    await waitForPageUpdates()
    // The first step of an empty part that counts from 0 is 0, which is no move.
    if (date !== '' && partNumber(part) === undefined && startsAtZero(part)) {
      asToolInput(() => pressKey(part, 'ArrowUp'))
      await waitForPageUpdates()
    }
    if (date !== '') await moveSlider(part, number, signal)
    // A key may clear the whole part, one digit, or nothing.
    for (let presses = 0; date === '' && part.hasAttribute('aria-valuenow') && presses < 10; presses++) {
      asToolInput(() => pressKey(part, presses % 2 === 0 ? 'Delete' : 'Backspace'))
      await waitForPageUpdates()
    }
    await waitForPageUpdates()
  }
  asToolInput(() => blurElement(unclobbered(members[0]?.ownerDocument ?? document).activeElement))
}

/** The value of a native control for what was asked. Empty: clears the field. */
function dateFor({ element, type }: Field, value: JsonValue | undefined): string | Refusal {
  const asked = valueAsText(value)
  if (asked === '') return asked
  return (
    parseTemporal(type, value, languagesOf(element)) ??
    refused(`${JSON.stringify(asked)} is not a valid ${type}; use the format ${temporalFormats.get(type)}`)
  )
}

/** A date or time. In parts, it has the value of a native one. */
export const date: ControlKind = {
  ...text,
  types: [...temporalFormats.keys()],
  claims: ({ element, role }) => (role === 'group' ? datePartsOf(element)?.type : undefined),
  parts: (element) => (isTag(element, 'input') ? undefined : [...(datePartsOf(element)?.units.values() ?? [])]),
  value: (field, visibility, clean) =>
    isTag(field.element, 'input') ? text.value(field, visibility, clean) : dateIn(field.element),
  state: (field) => (isTag(field.element, 'input') ? textState(field) : JSON.stringify(dateIn(field.element))),
  flags: ({ type }) => [type],
  takes: 'format',
  example: (type) => temporalFormats.get(type),
  plan(field, value) {
    const wanted = dateFor(field, value)
    if (typeof wanted !== 'string') return wanted
    if (isTag(field.element, 'input')) return writtenText({ text: wanted }, value)
    return wantedText({ text: wanted }, async (one, { signal }) => {
      await fillDate(one, wanted, signal)
      return {}
    })
  },
  restore: (field, former) => (isTag(field.element, 'input') ? restoreText(field, former) : former.refill()),
}
