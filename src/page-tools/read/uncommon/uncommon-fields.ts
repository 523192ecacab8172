// Fields that many pages do not have: without an accessible name, with equal labels, with options, and those of
// libraries. Loaded with the first page that has one (on-demand.ts). Chunks of rare tools register it at once.
import type { JsonValue } from '../../../core/data/json.js'
import { byIds, isBarred, isHtml, isTag, parentOf, propertyOf, rootOf } from '../../dom/dom.js'
import { accessibleNameOf } from '../../dom/accessible-name.js'
import { checkedStateOf, isAriaTrue, isDisabled, valueTextOf, type Option } from '../../dom/field-state.js'
import { isPartOfPopUp, opensList } from '../../dom/pop-ups.js'
import { normalizeLines, normalizeText } from '../../dom/text.js'
import { createVisibility, type Visibility } from '../../dom/visibility.js'
import { dateIn, datePartsOf } from './date-parts.js'
import { groupLabel, labelWithoutName, radioLabels } from './field-labels.js'
import { customTypeOf, isEditable, fieldRoles, type Field, type FieldType } from '../form-fields.js'
import { provideUncommonFields } from '../on-demand.js'
import { uniqueLabels } from './unique-labels.js'

/** The elements that a control opens, by `aria-controls` and `aria-owns`, while they exist. */
export const popUpsOf = (element: Element): Element[] => [
  ...new Set([...byIds(element, 'aria-controls'), ...byIds(element, 'aria-owns')]),
]

/** Whether a listbox belongs to another control. Then it is not a field of its own. */
const isPopUp = (listbox: Element): boolean =>
  listbox.id !== '' &&
  ['controls', 'owns'].some(
    (name) =>
      rootOf(listbox).querySelector(
        `:is([role=combobox],[aria-haspopup=listbox])[aria-${name}~="${CSS.escape(listbox.id)}"]`,
      ) !== null,
  )

function widgetTypeOf(element: Element, role: string | undefined): FieldType | undefined {
  if (isEditable(element)) return role === 'spinbutton' ? role : 'editable'
  if (role === 'group' && datePartsOf(element)) return 'date'
  if (role && fieldRoles.has(role) && element.localName !== 'body') {
    // The text field inside a combobox is the field, not the element around it.
    if (element.querySelector('input:not([type=hidden]),textarea,select,[contenteditable=true]')) return undefined
    if (role === 'listbox' && isPopUp(element)) return undefined
    if (role === 'radiogroup') return element.querySelector('[role=radio]') ? 'radio' : undefined
    if (role === 'textbox' || role === 'searchbox') return 'custom'
    return role as FieldType
  }
  return opensList(element) ? 'combobox' : customTypeOf(element)
}

function isSeenElsewhere(element: Element, type: FieldType, visibility: Visibility): boolean {
  // Sliders are often rendered by the element around the input.
  if (type === 'range')
    return visibility.hasBox(element) && element.parentElement !== null && visibility.isShown(element.parentElement)
  const labels = [...(propertyOf(element, 'labels') ?? [])]
  if (labels.some((label) => visibility.isShown(label) && visibility.level(label) === 'visible')) return true
  const around = parentOf(element)
  return (
    visibility.hasBox(element) &&
    around !== null &&
    visibility.isShown(around) &&
    visibility.style(element).opacity === '0'
  )
}

function optionsOf(field: Field, visibility: Visibility): Option[] {
  const { element } = field
  if (isTag(element, 'select')) {
    return [...element.options]
      .filter(
        (option) => !option.hidden && !visibility.isOffLimits(option) && visibility.style(option).display !== 'none',
      )
      .map((option) => ({
        label: normalizeText(option.label || option.text),
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

function specialValueOf(field: Field, visibility: Visibility): JsonValue {
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
    return isAriaTrue(element, 'aria-multiselectable') ? chosen : (chosen[0] ?? '')
  }
  if (type === 'date') return dateIn(field.members)
  if (type === 'switch' || type === 'checkbox') return checkedStateOf(element)
  if (type === 'slider' || type === 'spinbutton')
    return valueTextOf(element) || normalizeText(element.getAttribute('aria-valuenow') ?? '')
  if (type === 'combobox') return visibility.visibleText(element, isPartOfPopUp(element))
  if (type === 'custom') {
    const value: unknown = propertyOf(element, 'value')
    if (typeof value === 'number' || typeof value === 'boolean') return value
    return typeof value === 'string' ? normalizeLines(value) : ''
  }
  // `innerText` of an editor keeps its lines, but also has hidden and ignored text. Use it only if there is none.
  const isVisible = (node: Element): boolean =>
    node.textContent === '' || (!isBarred(node) && visibility.level(node) === 'visible' && visibility.hasBox(node))
  return isHtml(element) && [...element.querySelectorAll('*')].every(isVisible)
    ? normalizeLines(element.innerText).trim()
    : visibility.visibleText(element)
}

function stateOf(field: Field): string {
  const { element, members, type } = field
  if (isTag(element, 'select')) return JSON.stringify([...element.options].map((option) => option.selected))
  if (type === 'checkbox' || type === 'switch') return JSON.stringify(checkedStateOf(element))
  if (isTag(element, 'input')) return JSON.stringify(members.map((member) => isTag(member, 'input') && member.checked))
  if (type === 'editable') return propertyOf(element, 'innerText') ?? ''
  if (type === 'slider' || type === 'spinbutton')
    return element.getAttribute('aria-valuenow') ?? element.getAttribute('aria-valuetext') ?? ''
  const value = specialValueOf(field, createVisibility())
  return type === 'custom' ? String(value) : JSON.stringify(value)
}

/** Makes this part available. A call, because bundlers drop an import that only has an effect. */
export function registerUncommonFields(): void {
  provideUncommonFields({
    labelWithoutName,
    groupLabel,
    uniqueLabels,
    widgetTypeOf,
    isSeenElsewhere,
    datePartsOf,
    optionsOf,
    specialValueOf,
    stateOf,
  })
}
