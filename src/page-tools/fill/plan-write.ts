// Converts a value to the form that a control takes, or explains why it cannot be written. Also checks whether the
// control holds it afterwards.
import type { JsonValue } from '../../core/data/json.js'
import { byIds, isTag } from '../dom/dom.js'
import type { Field } from '../read/form-fields.js'
import { chosenBeside } from '../dom/pop-ups.js'
import type { Visibility } from '../dom/visibility.js'
import { isDisabled, isReadOnly, fieldValueOf } from '../dom/field-state.js'
import type { Option } from '../dom/field-state.js'
import type { Day } from './dates.js'
import { isPickerBox } from './pop-ups/date-picker-field.js'
import { mayBeDay } from './typed-text.js'

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
      /** The day to pick in the calendar that the field opens. */
      readonly day: Day
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
/** Input types whose value is a date or a time in a fixed format. */
export const temporalTypes = new Set(['date', 'time', 'datetime-local', 'month', 'week'])
/** Loaded on demand, because most forms have no dates. */
const dates = (): Promise<typeof import('./dates.js')> => import('./dates.js')
/** Loaded on demand, because most fields take plain text. */
const special = () => import('./plan-special.js')

/** A value as text; '' for null. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The languages of the element and of the browser, the most important first. */
export const languagesOf = (element: Element): string[] =>
  [element.closest('[lang]')?.getAttribute('lang') ?? '', ...navigator.languages].filter((language) => language !== '')

const plainTypes = new Set<Field['type']>([
  'text',
  'search',
  'email',
  'tel',
  'url',
  'password',
  'textarea',
  'editable',
  'custom',
])
/** Whether the field takes any text, without options, limits or a format. */
const isPlain = ({ element, type }: Field): boolean =>
  plainTypes.has(type) && !isPickerBox(element) && !isReadOnly(element) && element.getAttribute('role') !== 'spinbutton'

/**
 * Loads the code for a field, so that a fill does not stop for it between two fields.
 * @throws if it cannot be loaded
 */
export async function loadPlansFor(field: Field): Promise<void> {
  const { type } = field
  if (isPlain(field)) return
  const isTyped = type === 'number' || type === 'combobox'
  const writer = /^(slider|spinbutton|range)$/.test(type) ? import('./sliders.js') : !isTyped && import('./widgets.js')
  await Promise.all([special(), temporalTypes.has(type) ? dates() : writer])
}

/** A plan that refuses. `later`: a later field may make it possible. */
export const refused = (problem: string, later = false): WritePlan => ({
  kind: 'refused',
  problem,
  ...(later ? { later } : {}),
})

/** Plans how to write a value into a field. Private fields, files and disabled fields are refused. */
export async function planWrite(
  field: Field,
  value: JsonValue | undefined,
  visibility: Visibility,
): Promise<WritePlan> {
  const { element, type } = field
  if (field.secret)
    return refused(`sensitive-field: ${JSON.stringify(field.label)} is private (${field.secret}); the user fills it`)
  if (type === 'file') return refused('sensitive-field: only the user can choose files')
  if (field.members.every(isDisabled)) return refused('The field is disabled', true)
  if (!isPlain(field)) return (await special()).planSpecial(field, value, visibility)
  const text = textOf(value)
  if (text === '') return { kind: 'text', text }
  if (mayBeDay(text)) await dates() // Load it before writing, so that reading the field back cannot fail.
  if (isTag(element, 'input', 'textarea') && element.maxLength >= 0 && text.length > element.maxLength) {
    return refused(`The text has ${text.length} characters, the maximum is ${element.maxLength}`)
  }
  if (!isTag(element, 'input')) return { kind: 'text', text }
  // A hint such as mm/dd/yyyy asks for another format of an ISO date.
  let formatted: string | undefined
  if (isoDate.test(text)) {
    const hint = [
      element.placeholder,
      field.label,
      ...byIds(element, 'aria-describedby').map((node) => visibility.visibleText(node)),
    ].join(' ')
    formatted = (await dates()).formatDate(text, hint, element.value)
  }
  return {
    kind: 'text',
    text: formatted ?? text.replace(/\s*\n\s*/g, ' '),
    ...(typeof value === 'number' ? { number: value } : {}),
  }
}

/** The text that a field holds. */
export function heldTextOf(field: Field, visibility: Visibility): string {
  const { element } = field
  return isTag(element, 'input', 'textarea')
    ? element.value || chosenBeside(element, visibility, '', true)
    : textOf(fieldValueOf(field, visibility))
}

/** Whether the field holds the planned value, perhaps in another format. */
export async function holdsValue(field: Field, plan: WritePlan, visibility: Visibility): Promise<boolean> {
  if (plan.kind === 'refused') return false
  return (
    (plan.kind === 'text' && heldTextOf(field, visibility) === plan.text) ||
    (await special()).holdsSpecial(field, plan, visibility)
  )
}
