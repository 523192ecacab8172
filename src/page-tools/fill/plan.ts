// What planning a value and refusing it have in common.
import type { Refusal } from '../controls/control-kind.js'
import { truncate } from '../dom/text.js'

/** Matches a day such as 2026-11-27. */
export const isoDate = /^\d{4}-\d{2}-\d{2}$/
/** Input types whose value is a date or a time in a fixed format, each with an example. */
export const temporalFormats: ReadonlyMap<string, string> = new Map([
  ['date', '2026-11-27'],
  ['time', '19:30'],
  ['datetime-local', '2026-11-27T19:30'],
  ['month', '2026-11'],
  ['week', '2026-W48'],
])
/** A value as text; '' for null. */
export function valueAsText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(valueAsText).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The languages of the element and of the browser, the most important first. */
export const languagesOf = (element: Element): string[] =>
  [element.closest('[lang]')?.getAttribute('lang') ?? '', ...navigator.languages].filter((language) => language !== '')

/** A value that cannot be written. `later`: a later field may make it possible. */
export const refused = (problem: string, later = false): Refusal => ({ problem, ...(later ? { later } : {}) })

/** Labels in quotes for an error, the first `most` of them. */
export const listFields = (labels: readonly string[], most = 8): string =>
  labels
    .slice(0, most)
    .map((label) => JSON.stringify(truncate(label, 60)))
    .join(', ') + (labels.length > most ? ` and ${labels.length - most} more` : '')
