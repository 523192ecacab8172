// Plans and writes fields that do not take any text: with options, states, limits or a format. Loaded with the first of
// them, or with a field that is not called by its exact label or ref.
import { registerUncommonFields } from '../read/uncommon/uncommon-fields.js'
import type { JsonValue } from '../../core/data/json.js'
import { isTag } from '../dom/dom.js'
import type { Field } from '../read/form-fields.js'
import { normalizeText, toComparable, truncate } from '../dom/text.js'
import type { Visibility } from '../dom/visibility.js'
import { checkedStateOf, isReadOnly, optionsOf, fieldValueOf, valueTextOf } from '../dom/field-state.js'
import type { Option } from '../dom/field-state.js'
import { findOption, parseBoolean, wantedOptions } from './choices.js'
import { isPickerBox, opensDialog } from './pop-ups/date-picker-field.js'
import { parseNumber, sameValue } from './parse-values.js'
import { heldTextOf, languagesOf, refused, temporalTypes, textOf } from './plan-write.js'
import type { WritePlan } from './plan-write.js'
import type { WriteResult } from './write.js'
import { mayBeDay } from './typed-text.js'

registerUncommonFields()

export { membersOf } from './choices.js'
export { matchField } from './match-field.js'

/** Loaded on demand, because most forms have no dates. */
const dates = (): Promise<typeof import('./dates.js')> => import('./dates.js')
/** Loaded on demand, because each form has few of them. */
const widgets = () => import('./widgets.js')
const sliders = () => import('./sliders.js')
const examples = new Map([
  ['date', '2026-11-27'],
  ['time', '19:30'],
  ['datetime-local', '2026-11-27T19:30'],
  ['month', '2026-11'],
  ['week', '2026-W48'],
])

/** `planWrite` for a field that is not plain. The caller has refused private and disabled fields. */
export async function planSpecial(
  field: Field,
  value: JsonValue | undefined,
  visibility: Visibility,
): Promise<WritePlan> {
  const { element, type } = field
  const text = textOf(value)
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
      : refused(
          isTag(element, 'input') && type !== 'checkbox'
            ? `The field is read-only. If it has a calendar, pass a date as ${examples.get('date')}`
            : 'The field is read-only',
          true,
        )
  }
  if (type === 'checkbox' || type === 'switch') {
    const named = [field.label, field.ownLabel, isTag(element, 'input') ? element.value : ''].some(
      (name) => name !== '' && name.toLowerCase() === text.toLowerCase(),
    )
    // No press can be meant to make a box mixed, but it may be so already.
    const isMixed = text.toLowerCase() === 'mixed' && checkedStateOf(element) === 'mixed'
    const checked = isMixed ? 'mixed' : named || parseBoolean(value)
    return checked === undefined ? refused(`${JSON.stringify(text)} is not true or false`) : { kind: 'check', checked }
  }
  if (type === 'radio' || type === 'listbox' || isTag(element, 'select')) {
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
  if (type === 'slider' || type === 'spinbutton') return (await sliders()).planSlider(element, value)
  if (type === 'range' && valueTextOf(element) !== '') {
    const plan = (await sliders()).planSlider(element, value)
    return plan.kind === 'number' ? { kind: 'text', text: String(plan.number) } : plan
  }
  if (text === '') return { kind: 'text', text }
  if (mayBeDay(text)) await dates() // Load it before writing, so that reading the field back cannot fail.
  if (type === 'number' || type === 'range' || element.getAttribute('role') === 'spinbutton') {
    const number = parseNumber(value, languagesOf(element))
    const held = type !== 'number' && isTag(element, 'input') ? element.value : ''
    if (/^\P{Nd}*\p{L}\P{Nd}*$/u.test(held))
      // A text field that holds a word takes others, and no number.
      return number === undefined
        ? { kind: 'text', text }
        : refused(`The field holds a word, such as ${JSON.stringify(truncate(normalizeText(held), 60))}, not a number`)
    if (number === undefined) return refused(`${JSON.stringify(text)} is not a number`)
    // A native number field validates by itself.
    const outside = (await sliders()).outsideLimits(element, number)
    return outside ? refused(outside) : { kind: 'text', text: String(number) }
  }
  if (temporalTypes.has(type)) {
    const parsed = (await dates()).parseTemporal(type, value, languagesOf(element))
    return parsed === undefined
      ? refused(`${JSON.stringify(text)} is not a valid ${type}; use the format ${examples.get(type)}`)
      : { kind: 'text', text: parsed }
  }
  if (type === 'color') {
    const color = (await widgets()).parseColor(text)
    return color === undefined
      ? refused(`${JSON.stringify(text)} is not a valid color; use the format #3366cc`)
      : { kind: 'text', text: color }
  }
  return { kind: 'text', text }
}

/** Whether the field has the planned state, options, number or day, or the planned text in another format. */
export async function holdsSpecial(
  field: Field,
  plan: Exclude<WritePlan, { kind: 'refused' }>,
  visibility: Visibility,
): Promise<boolean> {
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
    const labels = Array.isArray(now) ? (now as readonly JsonValue[]) : [now]
    return plan.options.every((option) => labels.includes(option.label))
  }
  if (plan.kind === 'number' || plan.kind === 'shown') return (await sliders()).holdsSlider(field.element, plan)
  return (await dates()).holdsDay(String(now), plan.day, languagesOf(field.element))
}

async function holdsText(
  field: Field,
  { text, labels = [], number }: Extract<WritePlan, { kind: 'text' }>,
  visibility: Visibility,
): Promise<boolean> {
  const { element, type } = field
  const held = heldTextOf(field, visibility)
  if (labels.length > 0 && labels.every((label) => toComparable(held).includes(toComparable(label)))) return true
  const sameDay = mayBeDay(text) ? (await dates()).isSameDay : undefined
  if (sameValue(held, text, languagesOf(element), number, sameDay)) return true
  return (type === 'number' || type === 'range') && Number(held) === Number(text) && held !== ''
}

/** `writeField` for a field whose value is not set as a text. */
export async function writeSpecial(
  field: Field,
  plan: Exclude<WritePlan, { kind: 'refused' }>,
  value: JsonValue | undefined,
  signal: AbortSignal,
): Promise<WriteResult> {
  const { element, type } = field
  switch (plan.kind) {
    case 'number':
    case 'shown':
      return (await sliders()).setSlider(element, plan, signal)
    case 'check':
    case 'choose':
      return (await widgets()).operateWidget(field, plan, signal)
    case 'day':
      return {
        problem: await (await import('./pop-ups/calendar.js')).pickDay(element, plan.day, languagesOf(element), signal),
      }
    case 'text':
      break
    default:
      return plan satisfies never
  }
  if (type === 'editable') {
    ;(await widgets()).writeEditable(element, plan.text)
    return {}
  }
  if (type === 'date' && !isTag(element, 'input')) {
    await (await sliders()).fillDate(field, plan.text, signal)
    return {}
  }
  return (await import('./pop-ups/combobox.js')).chooseFromList(field, plan.text, value, signal)
}
