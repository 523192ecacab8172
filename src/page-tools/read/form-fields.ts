// The fields of a page as people count them: a set of radio buttons is one, and each has a label no other has.
import { unclobbered } from '../../core/data/unclobbered.js'
import { byIds, elementsUnder, isOffLimits, isTag, parentOf, frameDocument, detachedFrom } from '../dom/dom.js'
import { sensitiveKindOf, watchPasswords } from '../sensitive/sensitive-fields.js'
import type { SensitiveKind } from '../sensitive/sensitive-fields.js'
import { asLabel, toComparable, toReadable, truncate } from '../dom/text.js'
import { datePartsOf } from './date-parts.js'
import { groupLabel, groupOf, labelOf, surroundings } from './field-labels.js'
import { isPopUp, opensList } from '../dom/pop-ups.js'
import type { Visibility } from '../dom/visibility.js'

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

export interface Field {
  readonly element: HTMLElement
  /** The members of a set of radio buttons, in order; year, month and day of a date in three boxes; else the element alone. */
  readonly members: readonly HTMLElement[]
  readonly type: FieldType
  /** Unique on the page. */
  readonly label: string
  /** What the control itself is called; several may share it. */
  readonly ownLabel: string
  readonly group: string
  readonly name: string
  readonly form: Element | null
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
    // Where the browser has no such control, the text box still wants its form of value.
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
    // A combobox around a real text box is told by the box.
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
/** Shown, or hidden behind a label or box that is shown, as designers do with checkboxes. A text box that is out of sight is a trap for robots. */
function isPerceivable(element: Element, type: FieldType, visibility: Visibility): boolean {
  if (visibility.isShown(element)) return true
  // The thumb that is drawn is the box around it.
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

/** All fields a person perceives under the root, in order. Labels are unique over what was collected. */
export function fieldsUnder(root: Element, visibility: Visibility): Field[] {
  const drafts: Draft[] = []
  // By name within the form; a framework that keeps the choice by itself gives no name, and then by the box around them.
  const radios = new Map<string | Element, Draft>()
  const forms = new Map<Element | null, number>()
  const inDates = new Set<Element>()
  watchPasswords(root.ownerDocument)
  for (const element of elementsUnder(root)) {
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
    // A label that nobody sees is not told, but says what the field is for.
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

const own: readonly ((element: Element | undefined) => string)[] = [
  (element) => asLabel(element?.getAttribute('placeholder') ?? ''),
  (element) => toReadable(element?.getAttribute('name') ?? ''),
  (element) => toReadable(element?.id ?? ''),
]

/** Equal labels get what a person would say: the group, the row, the section, the form, and at last a number. */
function uniqueLabels(drafts: readonly Draft[], visibility: Visibility): string[] {
  const labels = drafts.map((draft) => draft.ownLabel)
  const twins = (): number[][] => {
    const byLabel = new Map<string, number[]>()
    for (const [index, label] of labels.entries()) {
      const key = toComparable(label) || label
      const same = byLabel.get(key)
      if (same) same.push(index)
      else byLabel.set(key, [index])
    }
    return [...byLabel.values()].filter((indexes) => indexes.length > 1)
  }
  for (const indexes of twins()) {
    const options = indexes.map((index) => {
      const draft = drafts[index]
      return draft
        ? [draft.group, ...surroundings(draft.element, visibility)].filter(
            (text) => text !== '' && text !== draft.ownLabel,
          )
        : []
    })
    // Counted, not compared: a page may have thousands of boxes without a name.
    const holders = new Map<string, number>()
    for (const texts of options) for (const text of new Set(texts)) holders.set(text, (holders.get(text) ?? 0) + 1)
    indexes.forEach((index, at) => {
      const telling =
        options[at]?.find((text) => holders.get(text) === 1) ??
        options[at]?.find((text) => (holders.get(text) ?? 0) < options.length)
      if (telling) labels[index] = `${telling}: ${drafts[index]?.ownLabel ?? ''}`
    })
  }
  // Boxes of one date share a label; what stands in them, or what the programmer called them, tells them apart.
  for (const indexes of twins()) {
    for (const read of own) {
      const told = indexes.map((index) => read(drafts[index]?.element))
      if (
        new Set(told).size < told.length ||
        !told.every(
          (text, at) =>
            /\p{L}{2}/u.test(text) && toComparable(text) !== toComparable(drafts[indexes[at] ?? 0]?.ownLabel ?? ''),
        )
      )
        continue
      indexes.forEach((index, at) => {
        labels[index] = `${labels[index] ?? ''} (${told[at] ?? ''})`
      })
      break
    }
  }
  for (const indexes of twins()) {
    indexes.forEach((index, at) => {
      labels[index] = `${labels[index] ?? ''} (${at + 1})`
    })
  }
  // A number may meet a label that ends in the same number.
  for (let round = 0; round < 3; round++)
    for (const indexes of twins())
      indexes.slice(1).forEach((index, at) => {
        labels[index] = `${labels[index] ?? ''} (${at + 2})`
      })
  return labels
}
