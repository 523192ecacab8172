// Converts a value to the form that a control takes, or explains why it cannot be written. Also checks whether the
// control holds it afterwards.
import { holdsValueItself } from '../read/field-types.js'
import type { JsonValue } from '../../core/data/json.js'
import { byIds, isTag } from '../dom/dom.js'
import { checkedStateOf, isDisabled, isReadOnly, valueTextOf } from '../dom/field-state.js'
import { normalizeText, toComparable, truncate } from '../dom/text.js'
import type { Visibility } from '../dom/visibility.js'
import type { Field, Option } from '../read/field.js'
import { fieldValueOf, optionsOf } from '../read/field-values.js'
import { findOption, parseBoolean, wantedOptions } from './choices.js'
import { formatDate, holdsDay, isSameDay, parseDay, parseTemporal, parseTime } from './dates.js'
import { writtenNumber } from './number-notation.js'
import { numbersIn, parseNumber, sameValue } from './parse-values.js'
import { rangeIn, rangeParts } from './ranges.js'
import { examples, heldTextOf, isoDate, languagesOf, refused, temporalTypes, textOf, type WritePlan } from './plan.js'
import { isPickerBox, opensDialog } from '../dom/pop-ups.js'
import { toggleButtonsOf } from '../dom/toggle-group.js'
import { holdsSlider, outsideLimits, planSlider } from './sliders.js'
import { mayBeDay } from './typed-text.js'
import { parseColor } from './widgets.js'

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

/** Whether a text field takes the word: it holds or proposes one of them, or is an element of the page's own. */
const takesBoolean = ({ element, type }: Field): boolean =>
  type === 'custom' ||
  (isTag(element, 'input', 'textarea') &&
    [element.value, element.placeholder, ...(isTag(element, 'input') ? (element.list?.options ?? []) : [])].some(
      (one) => /^(true|false)$/i.test((typeof one === 'string' ? one : one.value).trim()),
    ))

/** Plans how to write a value into a field. Private fields, files and disabled fields are refused. */
export function planWrite(field: Field, value: JsonValue | undefined, visibility: Visibility): WritePlan {
  const { element, type } = field
  if (field.secret)
    return refused(`sensitive-field: ${JSON.stringify(field.label)} is private (${field.secret}); the user fills it`)
  if (type === 'file') return refused('sensitive-field: only the user can choose files')
  if (field.members.every(isDisabled)) return refused('The field is disabled', true)
  if (!isPlain(field)) return planSpecial(field, value, visibility)
  if (type === 'custom' && !holdsValueItself(element))
    return refused('It only takes keys: click it, then type with page_press')
  const text = typeof value === 'number' ? writtenNumber(element, value) : textOf(value)
  if (typeof value === 'boolean' && !takesBoolean(field))
    return refused(
      `${JSON.stringify(field.label)} takes a text and is no box to check. Pass the text, or another field`,
    )
  if (text === '') return { kind: 'text', text }
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
    formatted = formatDate(text, hint, element.value)
  }
  return {
    kind: 'text',
    text: formatted ?? text.replace(/\s*\n\s*/g, ' '),
    ...(typeof value === 'number' ? { number: value } : {}),
  }
}

/** Whether the field holds the planned value, perhaps in another format. */
export function holdsValue(field: Field, plan: WritePlan, visibility: Visibility): boolean {
  if (plan.kind === 'refused') return false
  return (plan.kind === 'text' && heldTextOf(field, visibility) === plan.text) || holdsSpecial(field, plan, visibility)
}

/**
 * `planWrite` for a field that is not plain. The caller has refused private and disabled fields. The order of the tests
 * counts: a date picker is often a read-only field or has the role of a combobox, so what opens a calendar comes before
 * what is read-only, and both come before the type. An empty text clears a field, but for a choice, a box and a slider
 * it is a value like others, so these come before it.
 */
function planSpecial(field: Field, value: JsonValue | undefined, visibility: Visibility): WritePlan {
  const { element, type } = field
  const text = textOf(value)
  if (isPickerBox(element) || type === 'combobox') {
    if (!opensDialog(element)) return { kind: 'text', text }
    return (
      planDays(value, languagesOf(element)) ??
      // A list with a field for searching is a dialog, too.
      (element.getAttribute('role') === 'combobox' && !isTag(element, 'input') ? { kind: 'text', text } : undefined) ??
      refused(`${JSON.stringify(text)} is not a valid date; use the format ${examples.get('date')}`)
    )
  }
  if (isReadOnly(element)) {
    // It may be a date that is chosen in a calendar.
    const days = element.matches('input:not([aria-readonly=true])') ? planDays(value, languagesOf(element)) : undefined
    return (
      days ??
      refused(
        isTag(element, 'input') && type !== 'checkbox'
          ? `The field is read-only. If it has a calendar, pass a date as ${examples.get('date')}`
          : 'The field is read-only',
        true,
      )
    )
  }
  if (type === 'checkbox' || type === 'switch') return planCheck(field, value)
  if (type === 'radio' || type === 'listbox' || isTag(element, 'select')) return planChoice(field, value, visibility)
  if (type === 'slider' || type === 'spinbutton') return planSlider(element, value)
  if (type === 'range' && valueTextOf(element) !== '') {
    const plan = planSlider(element, value)
    return plan.kind === 'number' ? { kind: 'text', text: String(plan.number) } : plan
  }
  if (text === '') return { kind: 'text', text }
  if (type === 'number' || type === 'range' || element.getAttribute('role') === 'spinbutton')
    return planNumber(field, value)
  if (temporalTypes.has(type)) {
    const parsed = parseTemporal(type, value, languagesOf(element))
    return parsed === undefined
      ? refused(`${JSON.stringify(text)} is not a valid ${type}; use the format ${examples.get(type)}`)
      : { kind: 'text', text: parsed }
  }
  if (type === 'color') {
    const color = parseColor(text)
    return color === undefined
      ? refused(`${JSON.stringify(text)} is not a valid color; use the format #3366cc`)
      : { kind: 'text', text: color }
  }
  return { kind: 'text', text }
}

function planCheck({ element, label, ownLabel }: Field, value: JsonValue | undefined): WritePlan {
  const text = textOf(value)
  const named = [label, ownLabel, isTag(element, 'input') ? element.value : ''].some(
    (name) => name !== '' && name.toLowerCase() === text.toLowerCase(),
  )
  // No press can be meant to make a box mixed, but it may be so already.
  const isMixed = text.toLowerCase() === 'mixed' && checkedStateOf(element) === 'mixed'
  const checked = isMixed ? 'mixed' : named || parseBoolean(value)
  return checked === undefined ? refused(`${JSON.stringify(text)} is not true or false`) : { kind: 'check', checked }
}

function planChoice(field: Field, value: JsonValue | undefined, visibility: Visibility): WritePlan {
  const { element } = field
  const options = optionsOf(field, visibility)
  const several =
    (isTag(element, 'select') && element.multiple) ||
    element.getAttribute('aria-multiselectable') === 'true' ||
    toggleButtonsOf(element).length > 0
  const asked = wantedOptions(value, options, several, languagesOf(element))
  if (!several && asked.length > 1) return refused('Only one option can be chosen')
  const chosen: Option[] = []
  for (const one of asked) {
    const match = findOption(one, options, languagesOf(element))
    if (!match.option) return refused(match.problem, true)
    chosen.push(match.option)
  }
  return { kind: 'choose', options: chosen }
}

function planNumber({ element, type }: Field, value: JsonValue | undefined): WritePlan {
  const text = textOf(value)
  const number = parseNumber(value, languagesOf(element))
  const held = type !== 'number' && isTag(element, 'input') ? element.value : ''
  // A text field that holds a word takes others, and no number.
  if (/^\P{Nd}*\p{L}\P{Nd}*$/u.test(held))
    return number === undefined
      ? { kind: 'text', text }
      : refused(`The field holds a word, such as ${JSON.stringify(truncate(normalizeText(held), 60))}, not a number`)
  if (number === undefined) return refused(`${JSON.stringify(text)} is not a number`)
  // A native number field validates by itself.
  const outside = outsideLimits(element, number)
  return outside ? refused(outside) : { kind: 'text', text: String(number) }
}

/** Whether the field has the planned state, options, number or day, or the planned text in another format. */
function holdsSpecial(field: Field, plan: Exclude<WritePlan, { kind: 'refused' }>, visibility: Visibility): boolean {
  if (plan.kind === 'text') return holdsText(field, plan, visibility)
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
    const labels = Array.isArray(now) ? (now as readonly JsonValue[]) : [now].filter((one) => one !== '')
    const wanted = plan.options.map(({ label }) => label).filter((label) => label !== '')
    return labels.length === wanted.length && wanted.every((label) => labels.includes(label))
  }
  if (plan.kind === 'number' || plan.kind === 'shown') return holdsSlider(field.element, plan)
  return holdsDays(String(now), plan, languagesOf(field.element))
}

/** The days of a value, to be picked in a calendar: one, perhaps with a time, both ends of a range, or several. */
function planDays(value: JsonValue | undefined, languages: readonly string[]): WritePlan | undefined {
  const text = textOf(value)
  const parts: readonly unknown[] = Array.isArray(value) && value.length > 0 ? value : (rangeIn(value) ?? [text])
  const days = parts.map((part) => parseDay(part, languages)).filter((day) => day !== undefined)
  if (days.length < parts.length) return undefined
  const time = days.length === 1 ? parseTemporal('datetime-local', text, languages)?.split('T')[1] : undefined
  return { kind: 'day', days, ...(time === undefined ? {} : { time }) }
}

/** Whether the text of a field has exactly these days, and the time. */
function holdsDays(
  held: string,
  { days, time }: Extract<WritePlan, { kind: 'day' }>,
  languages: readonly string[],
): boolean {
  const [day] = days
  if (!day) return false
  if (days.length === 1)
    return (
      holdsDay(held, day, languages) &&
      (time === undefined || parseTemporal('datetime-local', held, languages)?.split('T')[1] === time)
    )
  const listed = held.split(/\s*[,;]\s+/)
  const size = listed.length / days.length
  // A comma may also be between the day and the year.
  const grouped = days.map((_, at) => listed.slice(at * size, (at + 1) * size).join(' '))
  const ways = [rangeParts(held), Number.isInteger(size) ? grouped : listed]
  return ways.some(
    (parts) => parts.length === days.length && days.every((one, at) => holdsDay(parts[at] ?? '', one, languages)),
  )
}

/** Whether both are the same time, or the same day and time, in any format. */
function isSameMoment(held: string, text: string, languages: readonly string[]): boolean {
  if (!/\d:\d{2}/.test(text)) return false
  const moment = parseTemporal('datetime-local', text, languages)
  if (moment !== undefined) return parseTemporal('datetime-local', held, languages) === moment
  return /^\d/.test(text) && parseTime(text) !== undefined && parseTime(held) === parseTime(text)
}

/**
 * Whether a text has these labels and no other words. A field may show only some of several values, and the number of
 * the others: "Tea + 2", "Tea, 2 more", "3 chosen".
 */
function holdsLabels(held: string, labels: readonly string[]): boolean {
  let rest = toComparable(held)
  const missing: string[] = []
  for (const label of labels.map(toComparable).sort((one, other) => other.length - one.length)) {
    const without = rest.replace(label, ' ')
    if (without === rest) missing.push(label)
    rest = without
  }
  if (missing.length === 0) return labels.length < 2 || !/[\p{L}\p{N}]/u.test(rest)
  return labels.length > 1 && numbersIn(rest).join() === String(missing.length)
}

/**
 * Whether a telephone field holds a number without its country code, which the control beside it shows now, such as a
 * button with a flag and "+41".
 */
function holdsNumberBeside(element: Element, held: string, asked: string): boolean {
  const digits = (text: string): string => text.replace(/\D/g, '')
  const national = digits(held).replace(/^0/, '')
  const code = digits(asked).slice(0, -national.length)
  if (!/^\s*(?:\+|00)/.test(asked) || national.length < 5 || !digits(asked).endsWith(national)) return false
  const country = code.replace(/^00/, '')
  if (!/^[1-9]\d{0,3}$/.test(country)) return false
  const isShown = (one: Element): boolean =>
    [one.textContent, one.getAttribute('aria-label'), one.getAttribute('title')].some((text) =>
      new RegExp(`\\+\\s*${country}(?!\\d)`).test(text ?? ''),
    )
  let around = element.parentElement
  for (let level = 0; around && level < 3 && !isTag(around, 'form', 'body'); level++, around = around.parentElement)
    if (around.querySelectorAll('input:not([type=hidden])').length > 1) return false
    else if ([...around.querySelectorAll('button,[role=button],[role=combobox],select')].some(isShown)) return true
  return false
}

function holdsText(
  field: Field,
  { text, labels = [], number }: Extract<WritePlan, { kind: 'text' }>,
  visibility: Visibility,
): boolean {
  const { element, type } = field
  const held = heldTextOf(field, visibility)
  if (labels.length > 0 && holdsLabels(held, labels)) return true
  if (labels.length > 1) return false
  const sameDay = mayBeDay(text) ? isSameDay : undefined
  if (sameValue(held, text, languagesOf(element), number, sameDay)) return true
  if (isSameMoment(held, text, languagesOf(element)) || holdsNumberBeside(element, held, text)) return true
  return (type === 'number' || type === 'range') && Number(held) === Number(text) && held !== ''
}
