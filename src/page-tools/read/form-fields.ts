// Collects the fields of a page. A radio group is one field, and every field has a label that is unique on the page.
// What only uncommon fields need is loaded on demand.
import { unclobbered } from '../../core/data/unclobbered.js'
import {
  byIds,
  detachedFrom,
  elementsUnder,
  frameDocument,
  isHtml,
  isOffLimits,
  isTag,
  propertyOf,
} from '../dom/dom.js'
import { sensitiveKindOf } from '../sensitive/sensitive-fields.js'
import { watchPasswords } from '../sensitive/watch-passwords.js'
import { toComparable, toReadable, truncate } from '../dom/text.js'
import type { Field, FieldDraft, FieldType } from './field.js'
import { uncommonFields } from './on-demand.js'
import { groupOf, labelOf } from './own-labels.js'
import { opensList } from '../dom/pop-ups.js'
import type { Visibility } from '../dom/visibility.js'

export type { Field, FieldType }

/** A form of a label to compare it with others. */
export const toComparableLabel = (label: string): string => toComparable(label) || label

const notFields = new Set(['hidden', 'submit', 'button', 'reset', 'image'])
/** Roles of fields. */
export const fieldRoles: ReadonlySet<string> = new Set([
  'textbox',
  'searchbox',
  'combobox',
  'listbox',
  'switch',
  'slider',
  'spinbutton',
  'checkbox',
  'radiogroup',
])

function typeOf(element: Element): FieldType | undefined {
  if (isTag(element, 'input')) {
    if (notFields.has(element.type)) return undefined
    if (element.type === 'checkbox' && element.getAttribute('role') === 'switch') return 'checkbox'
    // A browser without this control shows a text field, which still expects the format of the type.
    const declared = element.getAttribute('type')?.toLowerCase()
    return (
      element.type === 'text' && /^(month|week|date|time|datetime-local)$/.test(declared ?? '')
        ? declared
        : element.type
    ) as FieldType
  }
  if (isTag(element, 'select')) return 'select'
  if (isTag(element, 'textarea')) return 'textarea'
  const role = element.getAttribute('role')?.trim().split(/\s+/)[0]
  if (
    isEditable(element) ||
    (role && fieldRoles.has(role)) ||
    (role === 'group' && element.querySelector('[role=spinbutton]')) ||
    opensList(element)
  )
    return uncommonFields().widgetTypeOf(element, role)
  // Not only for its type: the returned field gives access to its value.
  return customTypeOf(element) && uncommonFields().widgetTypeOf(element, role)
}

/** Whether the element is the root of a text that the user can edit. */
export function isEditable(element: Element): boolean {
  const editable = element.getAttribute('contenteditable')
  return editable !== null && editable.toLowerCase() !== 'false' && isHtml(element)
}

/** `custom` for a form-associated custom element. */
export function customTypeOf(element: Element): FieldType | undefined {
  const made = element.localName.includes('-')
    ? unclobbered(element.ownerDocument).defaultView?.customElements.get(element.localName)
    : undefined
  if (
    made &&
    (made as { formAssociated?: boolean }).formAssociated === true &&
    'value' in element &&
    !element.shadowRoot?.querySelector('input,textarea,select')
  )
    return 'custom'
  return undefined
}

/** Types of controls that pages hide, to render them in another way. */
const oftenHidden = new Set<FieldType>(['checkbox', 'radio', 'file', 'select', 'range'])
/**
 * Whether it is visible, or hidden behind a visible label or box, as styled checkboxes are. Invisible text fields are
 * not fields: they are traps for bots.
 */
const isPerceivable = (element: Element, type: FieldType, visibility: Visibility): boolean =>
  visibility.isShown(element) || (oftenHidden.has(type) && uncommonFields().isSeenElsewhere(element, type, visibility))

/** The form of the control; null also for a form that cannot be read. */
export const formOf = (element: Element): Element | null => {
  const form = propertyOf(element, 'form') ?? element.closest('form')
  return form && detachedFrom(form) ? null : form
}

/**
 * All fields under the root that a person can perceive, in rendered order. Labels are unique among them. Also watches
 * the root for password fields.
 */
export function fieldsUnder(root: Element, visibility: Visibility): Field[] {
  const drafts: FieldDraft[] = []
  // By name within the form. Some frameworks set no name: then by the group element around the buttons.
  const radios = new Map<string | Element, FieldDraft>()
  const forms = new Map<Element | null, number>()
  const inDates = new Set<Element>()
  watchPasswords(root.ownerDocument)
  for (const element of elementsUnder(root, visibility.children)) {
    if (element.shadowRoot) watchPasswords(element.shadowRoot)
    const inside = frameDocument(element)
    if (inside) watchPasswords(inside)
    const type = inDates.has(element) ? undefined : typeOf(element)
    if (!type || !isPerceivable(element, type, visibility)) continue
    const form = formOf(element)
    if (!forms.has(form)) forms.set(form, forms.size)
    const set =
      type === 'radio' && isTag(element, 'input')
        ? element.name ||
          element.getAttribute('formcontrolname') ||
          element.closest('fieldset,[role=radiogroup],[role=group]')
        : null
    if (set) {
      const key = typeof set === 'string' ? `${forms.get(form)}\n${set}` : set
      const group = radios.get(key)
      if (group) {
        group.members.push(element)
        continue
      }
      const draft: FieldDraft = {
        element,
        members: [element],
        type,
        ownLabel: '',
        group: '',
        form,
        secret: undefined,
      }
      radios.set(key, draft)
      drafts.push(draft)
      continue
    }
    const dateParts = type === 'date' && !isTag(element, 'input') ? uncommonFields().datePartsOf(element) : undefined
    for (const part of dateParts ?? []) inDates.add(part)
    const members =
      dateParts ??
      (type === 'radio' && !isTag(element, 'input')
        ? [...element.querySelectorAll('[role=radio]')].filter((radio) => !isOffLimits(radio))
        : [element])
    drafts.push({ element, members, type, ownLabel: '', group: '', form, secret: undefined })
  }
  for (const draft of drafts) {
    const isSet = draft.type === 'radio' && draft.members[0]?.localName === 'input' && draft.members.length > 0
    draft.ownLabel =
      isSet && (draft.members.length > 1 || groupOf(draft.element, visibility) !== '')
        ? uncommonFields().groupLabel(draft.members, visibility)
        : labelOf(draft.element, visibility)
    if (draft.ownLabel === '') draft.ownLabel = draft.type === 'editable' ? 'text' : draft.type
    draft.group = groupOf(draft.element, visibility)
    if (draft.group === draft.ownLabel) draft.group = ''
    // Invisible labels are not returned, but count for the decision whether the field is private.
    const tied = [...(propertyOf(draft.element, 'labels') ?? []), ...byIds(draft.element, 'aria-labelledby')]
      .map((label) => visibility.visibleText(label) || truncate(label.textContent ?? '', 200))
      .join(' ')
    const isGuess = [
      draft.type,
      'text',
      toReadable(draft.element.getAttribute('name') ?? ''),
      toReadable(draft.element.id),
    ].includes(draft.ownLabel)
    draft.secret = sensitiveKindOf(draft.element, isGuess ? '' : draft.ownLabel, tied, draft.group)
  }
  const labels = uniqueLabels(drafts, visibility)
  return drafts.map((draft, index) => ({
    ...draft,
    label: labels[index] ?? draft.ownLabel,
    name: draft.element.getAttribute('name') ?? '',
  }))
}

/** The labels of all fields, unique among them. */
function uniqueLabels(drafts: readonly FieldDraft[], visibility: Visibility): string[] {
  const labels = drafts.map(({ ownLabel }) => ownLabel)
  return new Set(labels.map(toComparableLabel)).size === labels.length
    ? labels
    : uncommonFields().uniqueLabels(drafts, visibility)
}
