// Reads value, options, constraints and errors of a field as JSON. Of a private field it reports only whether it is
// filled.
import { holdsValueItself } from './field-types.js'
import type { JsonObject, JsonValue } from '../../core/data/json.js'
import { accessibleNameOf } from '../dom/accessible-name.js'
import { byIds, isBarred, isElement, isHtml, isTag, isText, propertyOf } from '../dom/dom.js'
import { checkedStateOf, isAriaTrue, isDisabled, isReadOnly, isRequired, valueTextOf } from '../dom/field-state.js'
import { chosenBeside, chosenIn, popUpsOf } from '../dom/pop-ups.js'
import { isPressed, toggleButtonsOf } from '../dom/toggle-group.js'
import { normalizeLines, normalizeText, truncate } from '../dom/text.js'
import { Visibility } from '../dom/visibility.js'
import { dateIn, isPartsType } from './date-parts.js'
import type { Field, Option } from './field.js'
import { radioLabels } from './field-labels.js'

const mostOptions = 60

/** What an option shows. Parts of their own are words of their own: a flag, a name and a currency. */
function labelOfOption(option: HTMLOptionElement): string {
  if (option.childElementCount === 0 || option.getAttribute('label')) return normalizeText(option.label || option.text)
  const textIn = (node: Node): string =>
    [...node.childNodes]
      .map((child, at, all) => {
        if (!isElement(child)) return isText(child) ? child.data : ''
        const isLeftOut = child.getAttribute('aria-hidden') === 'true' || isTag(child, 'script')
        const text = isLeftOut ? '' : textIn(child)
        return isElement(all[at - 1]) ? ` ${text}` : text
      })
      .join('')
  return normalizeText(textIn(option)) || normalizeText(option.text)
}

/** The choices of a select, radio group, datalist or ARIA listbox; empty for other fields. */
export function optionsOf(field: Field, visibility: Visibility): Option[] {
  const { element } = field
  if (isTag(element, 'select')) {
    return [...element.options]
      .filter(
        (option) => !option.hidden && !visibility.isOffLimits(option) && visibility.style(option).display !== 'none',
      )
      .map((option) => ({
        label: labelOfOption(option),
        value: option.value,
        chosen: option.selected,
        disabled: option.disabled || (isTag(option.parentElement, 'optgroup') && option.parentElement.disabled),
        element: option,
      }))
  }
  if (field.type === 'radio') {
    const labels = radioLabels(field.members, visibility)
    return field.members.map((member, at) => {
      const input = isTag(member, 'input') ? member : undefined
      const label = labels[at] ?? ''
      return {
        label,
        value: input?.value ?? member.getAttribute('data-value') ?? label,
        element: member,
        chosen: input ? input.checked : member.getAttribute('aria-checked') === 'true',
        disabled: isDisabled(member),
      }
    })
  }
  if (isTag(element, 'input') && element.list && !visibility.isOffLimits(element.list)) {
    return [...element.list.options]
      .filter((option) => !visibility.isOffLimits(option))
      .map((option) => ({
        label: normalizeText(option.label || option.value),
        value: option.value,
        chosen: option.value === element.value,
        disabled: option.disabled,
        element: option,
      }))
  }
  const toggles = field.type === 'listbox' ? toggleButtonsOf(element) : []
  if (toggles.length > 0)
    return toggles.map((button) => {
      const label = accessibleNameOf(button, visibility)
      const value = button.getAttribute('value') ?? label
      return { label, value, chosen: isPressed(button), disabled: isDisabled(button), element: button }
    })
  if (field.type === 'listbox' || field.type === 'combobox') {
    const boxes = field.type === 'listbox' ? [element] : popUpsOf(element)
    return boxes
      .flatMap((box) => [...box.querySelectorAll('[role=option]')])
      .filter((option) => visibility.isShown(option))
      .map((option) => {
        const label = accessibleNameOf(option, visibility)
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

/** Whether a private field has a value. The value itself must not leave this function. */
function isFilled(element: Element): boolean {
  if (isTag(element, 'input', 'textarea', 'select')) return element.value !== ''
  return element.textContent !== '' || Boolean(propertyOf(element, 'value'))
}

/**
 * The value of a field as JSON. Private fields and file inputs return only 'filled' or 'empty'.
 * @param clean Changes texts that were typed. The default is for models; a question shows what is sent.
 */
export function fieldValueOf(field: Field, visibility: Visibility, clean = normalizeLines): JsonValue {
  const { element, type } = field
  if (field.secret || type === 'file') return isFilled(element) ? 'filled' : 'empty'
  if (isTag(element, 'input') && type === 'checkbox') return checkedStateOf(element)
  if (type === 'range' && valueTextOf(element) !== '') return valueTextOf(element)
  if (isTag(element, 'input', 'textarea') && type !== 'radio')
    return clean(element.value) || chosenBeside(element, visibility, field.label)
  return specialValueOf(field, visibility, clean)
}

/**
 * The validation error of a field, at most 300 characters. Undefined for a field that the user has not touched yet.
 * @param beside Reads the text beside the field, for one that is marked without saying why
 */
export function fieldErrorOf(field: Field, visibility: Visibility, beside = (): string => ''): string | undefined {
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
  return truncate(normalizeText(message || propertyOf(element, 'validationMessage') || beside()) || 'invalid', 300)
}

/** The value of a field that holds no plain text. */
function specialValueOf(field: Field, visibility: Visibility, clean = normalizeLines): JsonValue {
  const { element, type } = field
  if (type === 'radio') return optionsOf(field, visibility).find((option) => option.chosen)?.label ?? ''
  if (isTag(element, 'select')) {
    const chosen = optionsOf(field, visibility)
      .filter((option) => option.chosen)
      .map((option) => option.label)
    return element.multiple ? chosen : (chosen[0] ?? '')
  }
  if (type === 'listbox') {
    const chosen = optionsOf(field, visibility)
      .filter((option) => option.chosen)
      .map((option) => option.label)
    return isAriaTrue(element, 'aria-multiselectable') || chosen.length > 1 ? chosen : (chosen[0] ?? '')
  }
  if (isPartsType(type)) return dateIn(element)
  if (type === 'switch' || type === 'checkbox') return checkedStateOf(element)
  if (type === 'slider' || type === 'spinbutton')
    return valueTextOf(element) || normalizeText(element.getAttribute('aria-valuenow') ?? '')
  if (type === 'combobox') return chosenIn(element, visibility)
  if (type === 'custom') {
    if (!holdsValueItself(element)) return visibility.visibleText(element)
    const value: unknown = propertyOf(element, 'value')
    if (typeof value === 'number' || typeof value === 'boolean') return value
    return typeof value === 'string' ? clean(value) : ''
  }
  // `innerText` of an editor keeps its lines, but also has hidden and ignored text. Use it only if there is none.
  const isVisible = (node: Element): boolean =>
    node.textContent === '' || (!isBarred(node) && visibility.level(node) === 'visible' && visibility.hasBox(node))
  return isHtml(element) && [...element.querySelectorAll('*')].every(isVisible)
    ? clean(element.innerText).trim()
    : visibility.visibleText(element)
}

/** The raw state of a field, to compare and restore. Must not be called for private fields. */
export function fieldStateOf(field: Field): string {
  const { element, type } = field
  return isTag(element, 'input', 'textarea') && type !== 'checkbox' && type !== 'radio'
    ? element.value || chosenBeside(element, new Visibility(), '', true)
    : stateOf(field)
}

/** `fieldStateOf` for a field that holds no plain text. */
function stateOf(field: Field): string {
  const { element, members, type } = field
  if (isTag(element, 'select')) return JSON.stringify([...element.options].map((option) => option.selected))
  if (type === 'checkbox' || type === 'switch') return JSON.stringify(checkedStateOf(element))
  if (isTag(element, 'input')) return JSON.stringify(members.map((member) => isTag(member, 'input') && member.checked))
  if (type === 'editable') return propertyOf(element, 'innerText') ?? ''
  if (type === 'slider' || type === 'spinbutton')
    return element.getAttribute('aria-valuenow') ?? element.getAttribute('aria-valuetext') ?? ''
  const value = specialValueOf(field, new Visibility())
  return type === 'custom' ? String(value) : JSON.stringify(value)
}

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
