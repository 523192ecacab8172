// Converts a value to the form that a control takes, or explains why it cannot be written. Also checks whether the
// control holds it afterwards.
import type { JsonValue } from '../../core/data/json.js'
import { byIds, isTag } from '../dom/dom.js'
import type { Field } from '../read/form-fields.js'
import { chosenBeside } from '../dom/pop-ups.js'
import type { Visibility } from '../dom/visibility.js'
import { isDisabled, isReadOnly, optionsOf, fieldValueOf } from '../dom/field-state.js'
import type { Option } from '../dom/field-state.js'
import { toComparable } from '../dom/text.js'
import type { Day } from './dates.js'
import { isPickerBox, opensDialog } from './pop-ups/date-picker-field.js'
import { mayBeDay, parseNumber, sameValue } from './parse-values.js'

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
      readonly checked: boolean
    }
  | {
      readonly kind: 'choose'
      /** All options that must be chosen afterwards. Empty: none. */
      readonly options: readonly Option[]
    }
  | { readonly kind: 'number'; readonly number: number }
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
const examples = new Map([
  ['date', '2026-11-27'],
  ['time', '19:30'],
  ['datetime-local', '2026-11-27T19:30'],
  ['month', '2026-11'],
  ['week', '2026-W48'],
])

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The languages of the element and of the browser, the most important first. */
export const languagesOf = (element: Element): string[] =>
  [element.closest('[lang]')?.getAttribute('lang') ?? '', ...navigator.languages].filter((language) => language !== '')

/** Plans how to write a value into a field. Private fields, files and disabled fields are refused. */
export async function planWrite(
  field: Field,
  value: JsonValue | undefined,
  visibility: Visibility,
): Promise<WritePlan> {
  const { element, type } = field
  const refused = (problem: string, later = false): WritePlan => ({
    kind: 'refused',
    problem,
    ...(later ? { later } : {}),
  })
  if (field.secret)
    return refused(`sensitive-field: ${JSON.stringify(field.label)} is private (${field.secret}); the user fills it`)
  if (type === 'file') return refused('sensitive-field: only the user can choose files')
  if (field.members.every(isDisabled)) return refused('The field is disabled', true)
  const text = textOf(value)
  // A native number field validates by itself. Sliders and spin buttons would stop at their limit without an error.
  const outside = (number: number): string => {
    const bound = (native: 'min' | 'max', most: number): number =>
      Number(
        type === 'range'
          ? (element as HTMLInputElement)[native] || Math.min(100, Math.max(0, most))
          : (element.getAttribute(`aria-value${native}`) ?? most),
      )
    const [min, max] = [bound('min', -Infinity), bound('max', Infinity)]
    return number < min || number > max ? `${number} is not between ${min} and ${max}` : ''
  }
  if (isPickerBox(element) || type === 'combobox') {
    if (!opensDialog(element)) return { kind: 'text', text }
    const day = (await dates()).parseDay(text, languagesOf(element))
    return day
      ? { kind: 'day', day }
      : refused(`${JSON.stringify(text)} is not a valid date; use the format ${examples.get('date')}`)
  }
  if (isReadOnly(element)) {
    // It may be a date that is chosen in a calendar.
    const day = element.matches('input:not([aria-readonly=true])')
      ? (await dates()).parseDay(text, languagesOf(element))
      : undefined
    return day
      ? { kind: 'day', day }
      : refused(`The field is read-only. If it has a calendar, pass a date as ${examples.get('date')}`, true)
  }
  if (type === 'checkbox' || type === 'switch') {
    const named = [field.label, field.ownLabel, isTag(element, 'input') ? element.value : ''].some(
      (name) => name !== '' && name.toLowerCase() === text.toLowerCase(),
    )
    const checked = named ? true : (await import('./choices.js')).parseBoolean(value)
    return checked === undefined ? refused(`${JSON.stringify(text)} is not true or false`) : { kind: 'check', checked }
  }
  if (type === 'radio' || type === 'listbox' || isTag(element, 'select')) {
    const { findOption, wantedOptions } = await import('./choices.js')
    const options = optionsOf(field, visibility)
    const several =
      (isTag(element, 'select') && element.multiple) || element.getAttribute('aria-multiselectable') === 'true'
    const asked = wantedOptions(value, options, several, languagesOf(element))
    if (!several && asked.length > 1) return refused('Only one option can be chosen')
    const chosen: Option[] = []
    for (const one of asked) {
      const match = await findOption(one, options, languagesOf(element))
      if (!match.option) return refused(match.problem, true)
      chosen.push(match.option)
    }
    return { kind: 'choose', options: chosen }
  }
  if (type === 'slider' || type === 'spinbutton') {
    const number = parseNumber(value, languagesOf(element))
    if (number === undefined) return refused(`${JSON.stringify(text)} is not a number`)
    return outside(number) ? refused(outside(number)) : { kind: 'number', number }
  }
  if (text === '') return { kind: 'text', text }
  if (mayBeDay(text)) await dates() // Load it before writing, so that reading the field back cannot fail.
  if (type === 'number' || type === 'range' || element.getAttribute('role') === 'spinbutton') {
    const number = parseNumber(value, languagesOf(element))
    if (number === undefined) return refused(`${JSON.stringify(text)} is not a number`)
    if (outside(number)) return refused(outside(number))
    return { kind: 'text', text: String(number) }
  }
  if (temporalTypes.has(type)) {
    const parsed = (await dates()).parseTemporal(type, value, languagesOf(element))
    return parsed === undefined
      ? refused(`${JSON.stringify(text)} is not a valid ${type}; use the format ${examples.get(type)}`)
      : { kind: 'text', text: parsed }
  }
  if (type === 'color') {
    const color = (await import('./widgets.js')).parseColor(text)
    return color === undefined
      ? refused(`${JSON.stringify(text)} is not a valid color; use the format #3366cc`)
      : { kind: 'text', text: color }
  }
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

/** Whether the field holds the planned value, perhaps in another format. */
export async function holdsValue(field: Field, plan: WritePlan, visibility: Visibility): Promise<boolean> {
  const now = fieldValueOf(field, visibility)
  if (plan.kind === 'check') return now === plan.checked
  if (plan.kind === 'choose') {
    if (isTag(field.element, 'select')) {
      const chosen = [...field.element.selectedOptions].map((option) => option.value + option.label)
      return (
        chosen.length === plan.options.length &&
        plan.options.every(({ element }) => isTag(element, 'option') && chosen.includes(element.value + element.label))
      )
    }
    const labels = Array.isArray(now) ? (now as readonly JsonValue[]) : [now]
    return plan.options.every((option) => labels.includes(option.label))
  }
  if (plan.kind === 'number') return Number(field.element.getAttribute('aria-valuenow')) === plan.number
  if (plan.kind === 'day') return (await dates()).holdsDay(String(now), plan.day, languagesOf(field.element))
  if (plan.kind !== 'text') return false
  const { element } = field
  const held = isTag(element, 'input', 'textarea')
    ? element.value || chosenBeside(element, visibility, '', true)
    : textOf(now)
  if (
    plan.labels &&
    plan.labels.length > 0 &&
    plan.labels.every((label) => toComparable(held).includes(toComparable(label)))
  )
    return true
  const sameDay = mayBeDay(plan.text) ? (await dates()).isSameDay : undefined
  if (sameValue(held, plan.text, languagesOf(element), plan.number, sameDay)) return true
  return (field.type === 'number' || field.type === 'range') && Number(held) === Number(plan.text) && held !== ''
}
