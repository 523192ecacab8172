// Collects the fields of a page. A radio group is one field, and every field has a label that is unique on the page.
// Over 300 lines because collecting and labelling share the drafts.
import { unclobbered } from '../../core/data/unclobbered.js'
import { byIds, elementsUnder, isOffLimits, isTag, parentOf, frameDocument, detachedFrom } from '../dom/dom.js'
import { sensitiveKindOf } from '../sensitive/sensitive-fields.js'
import { watchPasswords } from '../sensitive/watch-passwords.js'
import type { SensitiveKind } from '../sensitive/sensitive-fields.js'
import { asLabel, toComparable, toReadable, truncate } from '../dom/text.js'
import { datePartsOf } from './date-parts.js'
import { groupLabel, groupOf, labelOf, surroundings } from './field-labels.js'
import { isPopUp, opensList } from '../dom/pop-ups.js'
import type { Visibility } from '../dom/visibility.js'

/**
 * The type of a native or ARIA control. `editable` is a rich text editor, `custom` a form-associated custom element.
 */
export type FieldType =
  | 'text'
  | 'search'
  | 'email'
  | 'tel'
  | 'url'
  | 'password'
  | 'number'
  | 'range'
  | 'date'
  | 'time'
  | 'datetime-local'
  | 'month'
  | 'week'
  | 'color'
  | 'file'
  | 'textarea'
  | 'checkbox'
  | 'radio'
  | 'select'
  | 'editable'
  | 'switch'
  | 'slider'
  | 'spinbutton'
  | 'combobox'
  | 'listbox'
  | 'custom'

/** A field that a person can perceive. */
export interface Field {
  /** The control; the first one of several. */
  readonly element: HTMLElement
  /** The buttons of a radio group, or year, month and day of a date in three parts; otherwise only the element. */
  readonly members: readonly HTMLElement[]
  /** Decides how the field is read and written. */
  readonly type: FieldType
  /** The label, unique on the page. Models use it to address the field. */
  readonly label: string
  /** The label without what makes it unique. */
  readonly ownLabel: string
  /** The name of the fieldset or ARIA group around it; '' if none. */
  readonly group: string
  /** The `name` attribute; '' if none. */
  readonly name: string
  /** Its form; null if it has none, or if a field hides a property of the form. */
  readonly form: Element | null
  /** The kind of a private field. Its value must not be returned, compared or written. */
  readonly secret: SensitiveKind | undefined
}

const notFields = new Set(['hidden', 'submit', 'button', 'reset', 'image'])
const widgets = new Set([
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
  const editable = element.getAttribute('contenteditable')
  if (editable !== null && editable.toLowerCase() !== 'false') return role === 'spinbutton' ? role : 'editable'
  if (role === 'group' && datePartsOf(element)) return 'date'
  if (role && widgets.has(role) && element.localName !== 'body') {
    // The text field inside a combobox is the field, not the element around it.
    if (element.querySelector('input:not([type=hidden]),textarea,select,[contenteditable=true]')) return undefined
    if (role === 'listbox' && isPopUp(element)) return undefined
    if (role === 'radiogroup') return element.querySelector('[role=radio]') ? 'radio' : undefined
    if (role === 'textbox' || role === 'searchbox') return 'custom'
    return role as FieldType
  }
  if (opensList(element)) return 'combobox'
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

const toggles = new Set<FieldType>(['checkbox', 'radio', 'file', 'select'])
/**
 * Whether it is visible, or hidden behind a visible label or box, as styled checkboxes are. Invisible text fields are
 * not fields: they are traps for bots.
 */
function isPerceivable(element: Element, type: FieldType, visibility: Visibility): boolean {
  if (visibility.isShown(element)) return true
  // Sliders are often rendered by the element around the input.
  if (type === 'range')
    return visibility.hasBox(element) && element.parentElement !== null && visibility.isShown(element.parentElement)
  if (!toggles.has(type)) return false
  const labels = [...((element as Partial<HTMLInputElement>).labels ?? [])]
  if (labels.some((label) => visibility.isShown(label) && visibility.level(label) === 'visible')) return true
  const around = parentOf(element)
  return (
    visibility.hasBox(element) &&
    around !== null &&
    visibility.isShown(around) &&
    visibility.style(element).opacity === '0'
  )
}

/** The form of the control; null also for a form that cannot be read. */
export const formOf = (element: Element): Element | null => {
  const form = (element as Partial<HTMLInputElement>).form ?? element.closest('form')
  return form && detachedFrom(form) ? null : form
}

interface Draft {
  element: HTMLElement
  members: HTMLElement[]
  type: FieldType
  ownLabel: string
  group: string
  form: Element | null
  secret: SensitiveKind | undefined
}

/**
 * All fields under the root that a person can perceive, in rendered order. Labels are unique among them. Also watches
 * the root for password fields.
 */
export function fieldsUnder(root: Element, visibility: Visibility): Field[] {
  const drafts: Draft[] = []
  // By name within the form. Some frameworks set no name: then by the group element around the buttons.
  const radios = new Map<string | Element, Draft>()
  const forms = new Map<Element | null, number>()
  const inDates = new Set<Element>()
  watchPasswords(root.ownerDocument)
  for (const element of elementsUnder(root, visibility.children)) {
    if (element.shadowRoot) watchPasswords(element.shadowRoot)
    const inside = frameDocument(element)
    if (inside) watchPasswords(inside)
    const type = inDates.has(element) ? undefined : typeOf(element)
    if (!type || !isPerceivable(element, type, visibility)) continue
    const control = element as HTMLElement
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
        group.members.push(control)
        continue
      }
      const draft: Draft = {
        element: control,
        members: [control],
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
    const dateParts = type === 'date' ? datePartsOf(element) : undefined
    for (const part of dateParts ?? []) inDates.add(part)
    const members =
      dateParts ??
      (type === 'radio' && !isTag(element, 'input')
        ? [...element.querySelectorAll<HTMLElement>('[role=radio]')].filter((radio) => !isOffLimits(radio))
        : [control])
    drafts.push({ element: control, members, type, ownLabel: '', group: '', form, secret: undefined })
  }
  for (const draft of drafts) {
    const isSet = draft.type === 'radio' && draft.members[0]?.localName === 'input' && draft.members.length > 0
    draft.ownLabel =
      isSet && (draft.members.length > 1 || groupOf(draft.element, visibility) !== '')
        ? groupLabel(draft.members, visibility)
        : labelOf(draft.element, visibility)
    if (draft.ownLabel === '') draft.ownLabel = draft.type === 'editable' ? 'text' : draft.type
    draft.group = groupOf(draft.element, visibility)
    if (draft.group === draft.ownLabel) draft.group = ''
    // Invisible labels are not returned, but count for the decision whether the field is private.
    const tied = [
      ...((draft.element as Partial<HTMLInputElement>).labels ?? []),
      ...byIds(draft.element, 'aria-labelledby'),
    ]
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

/** What distinguishes fields that share a label, such as the parts of a date: placeholder or identifiers. */
const ownHints: readonly ((element: Element | undefined) => string)[] = [
  (element) => asLabel(element?.getAttribute('placeholder') ?? ''),
  (element) => toReadable(element?.getAttribute('name') ?? ''),
  (element) => toReadable(element?.id ?? ''),
]

/** Extends equal labels by the group, row, section or form, then by hints, and at last by a number. */
function uniqueLabels(drafts: readonly Draft[], visibility: Visibility): string[] {
  const labels = drafts.map((draft) => draft.ownLabel)
  const equalLabels = (): number[][] => {
    const byLabel = new Map<string, number[]>()
    for (const [index, label] of labels.entries()) {
      const key = toComparable(label) || label
      const same = byLabel.get(key)
      if (same) same.push(index)
      else byLabel.set(key, [index])
    }
    return [...byLabel.values()].filter((indexes) => indexes.length > 1)
  }
  for (const indexes of equalLabels()) {
    const options = indexes.map((index) => {
      const draft = drafts[index]
      return draft
        ? [draft.group, ...surroundings(draft.element, visibility)].filter(
            (text) => text !== '' && text !== draft.ownLabel,
          )
        : []
    })
    // Counted instead of compared in pairs: a page may have thousands of fields without a name.
    const holders = new Map<string, number>()
    for (const texts of options) for (const text of new Set(texts)) holders.set(text, (holders.get(text) ?? 0) + 1)
    indexes.forEach((index, at) => {
      const distinctive =
        options[at]?.find((text) => holders.get(text) === 1) ??
        options[at]?.find((text) => (holders.get(text) ?? 0) < options.length)
      if (distinctive) labels[index] = `${distinctive}: ${drafts[index]?.ownLabel ?? ''}`
    })
  }
  for (const indexes of equalLabels()) {
    for (const hintOf of ownHints) {
      const hints = indexes.map((index) => hintOf(drafts[index]?.element))
      if (
        new Set(hints).size < hints.length ||
        !hints.every(
          (text, at) =>
            /\p{L}{2}/u.test(text) && toComparable(text) !== toComparable(drafts[indexes[at] ?? 0]?.ownLabel ?? ''),
        )
      )
        continue
      indexes.forEach((index, at) => {
        labels[index] = `${labels[index] ?? ''} (${hints[at] ?? ''})`
      })
      break
    }
  }
  for (const indexes of equalLabels()) {
    indexes.forEach((index, at) => {
      labels[index] = `${labels[index] ?? ''} (${at + 1})`
    })
  }
  // A label with a number may equal another label that already ended in this number.
  for (let round = 0; round < 3; round++)
    for (const indexes of equalLabels())
      indexes.slice(1).forEach((index, at) => {
        labels[index] = `${labels[index] ?? ''} (${at + 2})`
      })
  return labels
}
