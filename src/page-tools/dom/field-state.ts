// What a field holds, allows and complains about, as JSON. A private field tells only whether it is filled.
import type { JsonObject, JsonValue } from '../../core/data/json.js'
import { byIds, isBarred, isOffLimits, isTag } from './dom.js'
import { normalizeText, normalizeLines, truncate } from './text.js'
import { dateIn } from '../read/date-parts.js'
import type { Field } from '../read/form-fields.js'
import { labelOf } from '../read/field-labels.js'
import { accessibleNameOf } from './accessible-name.js'
import { chosenBeside, popUpsOf } from './pop-ups.js'
import type { Visibility } from './visibility.js'

const mostOptions = 60

export interface Option {
  readonly label: string
  readonly value: string
  readonly chosen: boolean
  readonly disabled: boolean
  readonly element: HTMLElement
}

/** The choices of a select, a set of radio buttons, a data list or an ARIA listbox. */
export function optionsOf(field: Field, sight: Visibility): Option[] {
  const { element } = field
  if (isTag(element, 'select')) {
    return [...element.options]
      .filter((option) => !option.hidden && !isOffLimits(option) && sight.style(option).display !== 'none')
      .map((option) => ({
        label: normalizeText(option.label || option.text),
        value: option.value,
        chosen: option.selected,
        disabled: option.disabled || (isTag(option.parentElement, 'optgroup') && option.parentElement.disabled),
        element: option,
      }))
  }
  if (field.type === 'radio') {
    return field.members.map((member) => {
      const input = isTag(member, 'input') ? member : undefined
      const label = labelOf(member, sight)
      return {
        label,
        value: input?.value ?? member.getAttribute('data-value') ?? label,
        element: member,
        chosen: input ? input.checked : member.getAttribute('aria-checked') === 'true',
        disabled: isDisabled(member),
      }
    })
  }
  if (isTag(element, 'input') && element.list && !isOffLimits(element.list)) {
    return [...element.list.options]
      .filter((option) => !isOffLimits(option))
      .map((option) => ({
        label: normalizeText(option.label || option.value),
        value: option.value,
        chosen: option.value === element.value,
        disabled: option.disabled,
        element: option,
      }))
  }
  if (field.type === 'listbox' || field.type === 'combobox') {
    const boxes = field.type === 'listbox' ? [element] : popUpsOf(element)
    return boxes
      .flatMap((box) => [...box.querySelectorAll<HTMLElement>('[role=option]')])
      .filter((option) => sight.shows(option))
      .map((option) => {
        const label = accessibleNameOf(option, sight)
        return {
          label,
          value: option.getAttribute('data-value') ?? label,
          chosen: option.getAttribute('aria-selected') === 'true',
          disabled: isDisabled(option),
          element: option,
        }
      })
  }
  return []
}

export const isDisabled = (element: Element): boolean =>
  element.matches(':disabled') || ownAria(element, 'aria-disabled')
const ownAria = (element: Element, name: string): boolean => element.getAttribute(name) === 'true'
export const isReadOnly = (element: Element): boolean =>
  (isTag(element, 'input', 'textarea') && element.readOnly) || ownAria(element, 'aria-readonly')

/** Whether a private field holds something, without its value passing through our hands further than that. */
function isFilled(element: HTMLElement): boolean {
  if (isTag(element, 'input', 'textarea', 'select')) return element.value !== ''
  return element.textContent !== '' || Boolean((element as { value?: unknown }).value)
}

/** The value or state; never the value of a private field or the name of a file. */
export function fieldValueOf(field: Field, sight: Visibility): JsonValue {
  const { element, type } = field
  if (field.secret || type === 'file') return isFilled(element) ? 'filled' : 'empty'
  if (isTag(element, 'input') && type === 'checkbox') return element.indeterminate ? 'mixed' : element.checked
  if (type === 'radio') return optionsOf(field, sight).find((option) => option.chosen)?.label ?? ''
  if (isTag(element, 'select')) {
    const chosen = optionsOf(field, sight)
      .filter((option) => option.chosen)
      .map((option) => option.label)
    return element.multiple ? chosen : (chosen[0] ?? '')
  }
  if (type === 'listbox') {
    const chosen = optionsOf(field, sight)
      .filter((option) => option.chosen)
      .map((option) => option.label)
    return ownAria(element, 'aria-multiselectable') ? chosen : (chosen[0] ?? '')
  }
  if (isTag(element, 'input', 'textarea'))
    return normalizeLines(element.value) || chosenBeside(element, sight, field.label)
  if (type === 'date') return dateIn(field.members)
  if (type === 'switch' || type === 'checkbox') return ownAria(element, 'aria-checked')
  if (type === 'slider' || type === 'spinbutton')
    return normalizeText(element.getAttribute('aria-valuetext') ?? element.getAttribute('aria-valuenow') ?? '')
  if (type === 'combobox') return sight.text(element)
  if (type === 'custom' && 'value' in element) {
    const { value } = element as { value: unknown }
    return typeof value === 'number' || typeof value === 'boolean'
      ? value
      : typeof value === 'string'
        ? normalizeLines(value)
        : ''
  }
  // The browser's own text of an editor has its lines; it also has what a style hides and what is to be left alone.
  const isSeen = (node: Element): boolean =>
    node.textContent === '' || (!isBarred(node) && sight.seen(node) === 'seen' && sight.hasBox(node))
  return [...element.querySelectorAll('*')].every(isSeen)
    ? normalizeLines(element.innerText).trim()
    : sight.text(element)
}

/** What the page says is wrong with the value now; silent about a field nobody has touched. */
export function fieldErrorOf(field: Field, sight: Visibility): string | undefined {
  const { element } = field
  const validity = (element as Partial<HTMLInputElement>).validity
  const marked = ownAria(element, 'aria-invalid')
  const holds =
    isTag(element, 'input', 'textarea') &&
    element.type !== 'checkbox' &&
    element.type !== 'radio' &&
    element.value !== ''
  const wrong = validity?.valid === false && (holds || validity.badInput || element.matches(':user-invalid'))
  if (!marked && !wrong) return undefined
  if (field.secret) return 'invalid'
  const said = marked
    ? [...byIds(element, 'aria-errormessage'), ...byIds(element, 'aria-describedby')]
        .map((node) => sight.text(node))
        .join(' ')
    : ''
  return truncate(
    normalizeText(said || (element as Partial<HTMLInputElement>).validationMessage || '') || 'invalid',
    300,
  )
}

export const isRequired = (element: HTMLElement): boolean =>
  (element as Partial<HTMLInputElement>).required === true || ownAria(element, 'aria-required')

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
  for (const [name, attribute] of [
    ['min', 'aria-valuemin'],
    ['max', 'aria-valuemax'],
  ] as const) {
    const value = element.getAttribute(attribute)
    if (value !== null && found[name] === undefined) found[name] = truncate(normalizeText(value), 40)
  }
  return found
}

/** A field as `form_read` gives it. */
export function describeField(field: Field, ref: string, sight: Visibility): JsonObject {
  const { element, type, secret } = field
  const described = secret
    ? ''
    : normalizeText(
        byIds(element, 'aria-describedby')
          .map((node) => sight.text(node))
          .join(' '),
      )
  const error = fieldErrorOf(field, sight)
  const options = secret ? [] : optionsOf(field, sight)
  const placeholder = secret ? '' : normalizeText(element.getAttribute('placeholder') ?? '')
  return {
    label: field.label,
    ref,
    type,
    ...(field.name ? { name: normalizeText(field.name) } : {}),
    ...(field.group ? { group: field.group } : {}),
    ...(secret
      ? { private: secret, state: fieldValueOf(field, sight) }
      : type === 'file'
        ? { state: fieldValueOf(field, sight) }
        : { value: fieldValueOf(field, sight) }),
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
