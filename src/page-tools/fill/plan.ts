// What is planned for a field before it is written.
import { isTag } from '../dom/dom.js'
import { chosenBeside } from '../dom/pop-ups.js'
import type { Visibility } from '../dom/visibility.js'
import type { Field, Option } from '../read/field.js'
import { fieldValueOf } from '../read/field-values.js'
import type { Day } from './dates.js'

/** What to write, in the form of the control, or why it cannot be written. */
export type WritePlan =
  | {
      readonly kind: 'text'
      /** The text to write, in the format of the control: `2026-11-27` for a date. Empty: clears the field. */
      readonly text: string
      /** The labels of the options that were chosen. */
      readonly labels?: readonly string[]
      /** The requested value if it was a number. */
      readonly number?: number
    }
  | {
      readonly kind: 'day'
      /** The days to pick in the calendar that the field opens: one, both ends of a range, or several. */
      readonly days: readonly Day[]
      /** The time that was asked beside a single day, as `14:30`. */
      readonly time?: string
    }
  | {
      readonly kind: 'check'
      /** The state that a checkbox or switch must have afterwards. */
      readonly checked: boolean | 'mixed'
    }
  | {
      readonly kind: 'choose'
      /** All options that must be chosen afterwards. Empty: none. */
      readonly options: readonly Option[]
    }
  | {
      readonly kind: 'number'
      /** The value that a slider or spin button must have afterwards. */
      readonly number: number
      /** Its text shows the value in another unit, such as seconds as minutes. */
      readonly isUnit?: true
      /** Its text is a word, and the number stands on the control or beside it. */
      readonly isSeen?: true
    }
  | {
      readonly kind: 'shown'
      /** The text that a slider or spin button must show afterwards, such as a month. */
      readonly text: string
      /** If a number was requested: the number of the text that must be this one. */
      readonly number?: number
      readonly at?: number
    }
  | {
      readonly kind: 'refused'
      /** Why the value cannot be written, as the model reads it. */
      readonly problem: string
      /** A later field may make it possible. */
      readonly later?: boolean
    }

/** Matches a day such as 2026-11-27. */
export const isoDate = /^\d{4}-\d{2}-\d{2}$/
/** Example values by the type of the field. */
export const examples: ReadonlyMap<string, string> = new Map([
  ['date', '2026-11-27'],
  ['time', '19:30'],
  ['datetime-local', '2026-11-27T19:30'],
  ['month', '2026-11'],
  ['week', '2026-W48'],
  ['color', '#3366cc'],
])
/** Input types whose value is a date or a time in a fixed format. */
export const temporalTypes = new Set(['date', 'time', 'datetime-local', 'month', 'week'])
/** A value as text; '' for null. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The languages of the element and of the browser, the most important first. */
export const languagesOf = (element: Element): string[] =>
  [element.closest('[lang]')?.getAttribute('lang') ?? '', ...navigator.languages].filter((language) => language !== '')

/** A plan that refuses. `later`: a later field may make it possible. */
export const refused = (problem: string, later = false): WritePlan => ({
  kind: 'refused',
  problem,
  ...(later ? { later } : {}),
})

/** The text that a field holds. */
export function heldTextOf(field: Field, visibility: Visibility): string {
  const { element } = field
  return isTag(element, 'input', 'textarea')
    ? element.value || chosenBeside(element, visibility, '', true)
    : textOf(fieldValueOf(field, visibility))
}
