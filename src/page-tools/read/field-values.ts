// Reads value, options, constraints and errors of a field as JSON. Of a private field it reports only whether it is
// filled.
import type { JsonObject, JsonValue } from '../../core/data/json.js'
import { kindOf } from '../controls/kinds.js'
import { byIds, isTag, propertyOf, isTickBox } from '../dom/dom.js'
import { isAriaTrue, isDisabled, isReadOnly, isRequired, valueTextOf } from '../dom/field-state.js'
import { normalizeText, truncate } from '../dom/text.js'
import { Visibility } from '../dom/visibility.js'
import { isWithheld, type Field, type Option } from './field.js'

const mostOptions = 60

/** The choices of a field; empty for one without. */
export const optionsOf = (field: Field, visibility: Visibility): Option[] =>
  kindOf(field).options?.(field, visibility) ?? []

/** Whether a private field has a value. The value itself must not leave this function. */
function isFilled(element: Element): boolean {
  if (isTag(element, 'input', 'textarea', 'select')) return element.value !== ''
  return element.textContent !== '' || Boolean(propertyOf(element, 'value'))
}

/**
 * The value of a field as JSON. Private fields and file inputs return only 'filled' or 'empty'.
 * @param clean Changes texts that were typed. The default is for models; a question shows what is sent.
 */
export function fieldValueOf(field: Field, visibility: Visibility, clean?: (text: string) => string): JsonValue {
  if (field.secret) return isFilled(field.element) ? 'filled' : 'empty'
  return kindOf(field).value(field, visibility, clean)
}

/**
 * The validation error of a field, at most 300 characters. Undefined for a field that the user has not touched yet.
 * @param beside Reads the text beside the field, for one that is marked without saying why
 */
export function fieldErrorOf(field: Field, visibility: Visibility, beside = (): string => ''): string | undefined {
  const { element } = field
  const validity = propertyOf(element, 'validity')
  const marked = isAriaTrue(element, 'aria-invalid')
  const holds = isTag(element, 'input', 'textarea') && !isTickBox(element) && element.value !== ''
  const wrong = validity?.valid === false && (holds || validity.badInput || element.matches(':user-invalid'))
  if (!marked && !wrong) return undefined
  if (field.secret) return 'invalid'
  const message = marked
    ? [...byIds(element, 'aria-errormessage'), ...byIds(element, 'aria-describedby')]
        .map((node) => visibility.visibleText(node))
        .join(' ')
    : ''
  return truncate(normalizeText(message || propertyOf(element, 'validationMessage') || beside()) || 'invalid', 300)
}

/** The raw state of a field, to compare and restore. Must not be called for private fields. */
export function fieldStateOf(field: Field): string {
  const kind = kindOf(field)
  return kind.state?.(field) ?? JSON.stringify(kind.value(field, new Visibility()))
}

function constraintsOf({ element, members }: Field): JsonObject {
  const found: Record<string, JsonValue> = {}
  if (members.some(isRequired)) found['required'] = true
  if (members.every(isDisabled)) found['disabled'] = true
  if (isReadOnly(element)) found['readonly'] = true
  if (isTag(element, 'input', 'textarea')) {
    for (const name of ['min', 'max', 'step', 'pattern'] as const) {
      const value = element.getAttribute(name)
      if (value !== null && value !== '' && !isTag(element, 'textarea') && !isTickBox(element))
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
    [isWithheld(field) ? 'state' : 'value']: fieldValueOf(field, visibility),
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
