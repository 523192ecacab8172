// Reads value, options, constraints and errors of a field as JSON. Of a private field it reports only whether it is
// filled.
import type { JsonObject, JsonValue } from '../../core/data/json.js'
import { byIds, isTag, propertyOf } from './dom.js'
import { normalizeText, normalizeLines, truncate } from './text.js'
import type { Field, Option } from '../read/field.js'
import { uncommonFields } from '../read/on-demand.js'
import { chosenBeside } from './pop-ups.js'
import type { Visibility } from './visibility.js'

const mostOptions = 60

export type { Option }

/** The choices of a select, radio group, datalist or ARIA listbox; empty for other fields. */
export const optionsOf = (field: Field, visibility: Visibility): Option[] =>
  /^(select|radio|listbox|combobox)$/.test(field.type) || (isTag(field.element, 'input') && field.element.list)
    ? uncommonFields().optionsOf(field, visibility)
    : []

/** Whether the element is disabled, natively or by ARIA. `aria-disabled` also applies to the contents. */
export const isDisabled = (element: Element): boolean =>
  element.matches(':disabled') || element.closest('[aria-disabled=true]') !== null
/** Whether an ARIA attribute is true. */
export const isAriaTrue = (element: Element, name: string): boolean => element.getAttribute(name) === 'true'
/** Whether the element is read-only, natively or by ARIA. */
export const isReadOnly = (element: Element): boolean =>
  (isTag(element, 'input', 'textarea') && element.readOnly) || isAriaTrue(element, 'aria-readonly')

/** Whether a private field has a value. The value itself must not leave this function. */
function isFilled(element: Element): boolean {
  if (isTag(element, 'input', 'textarea', 'select')) return element.value !== ''
  return element.textContent !== '' || Boolean(propertyOf(element, 'value'))
}

/**
 * The state of a checkbox, switch or another element that can be checked. `mixed`: it stands for several things, some
 * of which are checked. Libraries draw a native box as mixed and only mark it, without setting the property.
 */
export function checkedStateOf(element: Element): boolean | 'mixed' {
  const isNative = isTag(element, 'input')
  if (element.getAttribute('aria-checked') === 'mixed') return 'mixed'
  if (isNative && (element.indeterminate || element.getAttribute('data-indeterminate') === 'true')) return 'mixed'
  return isNative ? element.checked : isAriaTrue(element, 'aria-checked')
}

/** The text that a slider or spin button shows for its number, such as "November" or "21 °C"; '' if it has none. */
export const valueTextOf = (element: Element): string => normalizeText(element.getAttribute('aria-valuetext') ?? '')

/** The value of a field as JSON. Private fields and file inputs return only 'filled' or 'empty'. */
export function fieldValueOf(field: Field, visibility: Visibility): JsonValue {
  const { element, type } = field
  if (field.secret || type === 'file') return isFilled(element) ? 'filled' : 'empty'
  if (isTag(element, 'input') && type === 'checkbox') return checkedStateOf(element)
  if (type === 'range' && valueTextOf(element) !== '') return valueTextOf(element)
  if (isTag(element, 'input', 'textarea') && type !== 'radio')
    return normalizeLines(element.value) || chosenBeside(element, visibility, field.label)
  return uncommonFields().specialValueOf(field, visibility)
}

/** The validation error of a field, at most 300 characters. Undefined for a field that the user has not touched yet. */
export function fieldErrorOf(field: Field, visibility: Visibility): string | undefined {
  const { element } = field
  const validity = propertyOf(element, 'validity')
  const marked = isAriaTrue(element, 'aria-invalid')
  const holds =
    isTag(element, 'input', 'textarea') &&
    element.type !== 'checkbox' &&
    element.type !== 'radio' &&
    element.value !== ''
  const wrong = validity?.valid === false && (holds || validity.badInput || element.matches(':user-invalid'))
  if (!marked && !wrong) return undefined
  if (field.secret) return 'invalid'
  const message = marked
    ? [...byIds(element, 'aria-errormessage'), ...byIds(element, 'aria-describedby')]
        .map((node) => visibility.visibleText(node))
        .join(' ')
    : ''
  return truncate(normalizeText(message || propertyOf(element, 'validationMessage') || '') || 'invalid', 300)
}

/** Whether the field is required, natively or by ARIA. */
export const isRequired = (element: Element): boolean =>
  propertyOf(element, 'required') === true || isAriaTrue(element, 'aria-required')

function constraintsOf({ element, members, type }: Field): JsonObject {
  const found: Record<string, JsonValue> = {}
  if (members.some(isRequired)) found['required'] = true
  if (members.every(isDisabled)) found['disabled'] = true
  if (isReadOnly(element)) found['readonly'] = true
  if (isTag(element, 'input', 'textarea')) {
    for (const name of ['min', 'max', 'step', 'pattern'] as const) {
      const value = element.getAttribute(name)
      if (value !== null && value !== '' && !isTag(element, 'textarea') && type !== 'checkbox' && type !== 'radio')
        found[name] = truncate(normalizeText(value), 200)
    }
    if (element.maxLength > 0 && element.maxLength < 100_000) found['maxlength'] = element.maxLength
    if (element.minLength > 0) found['minlength'] = element.minLength
    if (isTag(element, 'input') && element.multiple) found['multiple'] = true
  }
  if (isTag(element, 'select') && element.multiple) found['multiple'] = true
  // The numbers behind words are nothing that can be filled in.
  const isWord = /^\P{Nd}+$/u.test(valueTextOf(element))
  for (const [name, attribute] of [
    ['min', 'aria-valuemin'],
    ['max', 'aria-valuemax'],
  ] as const) {
    const value = element.getAttribute(attribute)
    if (value !== null && found[name] === undefined && !isWord) found[name] = truncate(normalizeText(value), 40)
  }
  return found
}

/** A field as `form_read` gives it. */
export function describeField(field: Field, ref: string, visibility: Visibility): JsonObject {
  const { element, type, secret } = field
  const described = secret
    ? ''
    : normalizeText(
        byIds(element, 'aria-describedby')
          .map((node) => visibility.visibleText(node))
          .join(' '),
      )
  const error = fieldErrorOf(field, visibility)
  const options = secret ? [] : optionsOf(field, visibility)
  const placeholder = secret ? '' : normalizeText(element.getAttribute('placeholder') ?? '')
  return {
    label: field.label,
    ref,
    type,
    ...(field.name ? { name: normalizeText(field.name) } : {}),
    ...(field.group ? { group: field.group } : {}),
    ...(secret ? { private: secret } : {}),
    [secret || type === 'file' ? 'state' : 'value']: fieldValueOf(field, visibility),
    ...constraintsOf(field),
    ...(options.length > 0
      ? {
          options: options
            .filter((option) => !option.disabled)
            .slice(0, mostOptions)
            .map((option) => option.label),
        }
      : {}),
    ...(options.length > mostOptions ? { moreOptions: options.length - mostOptions } : {}),
    ...(placeholder && placeholder !== field.label ? { placeholder: truncate(placeholder, 100) } : {}),
    ...(described && described !== error ? { hint: truncate(described, 200) } : {}),
    ...(error ? { error } : {}),
  }
}
