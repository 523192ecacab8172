// Collects the fields of a page that a person can perceive. Pages hide many controls, to render them in another way. A
// radio group is one field, and every field has a label that is unique on the page.
import { kindOf, typeOf } from '../controls/kinds.js'
import { isDrawnAround } from '../controls/shown.js'
import { byIds, detachedFrom, elementsUnder, frameDocument, propertyOf, parentOf } from '../dom/dom.js'
import { labelsOf } from '../dom/accessible-name.js'
import { sensitiveKindOf } from '../sensitive/sensitive-fields.js'
import { watchPasswords } from '../sensitive/watch-passwords.js'
import { elementsPerStep, finish, type Steps } from '../dom/steps.js'
import { toReadable, truncate } from '../dom/text.js'
import type { Field, FieldDraft, FieldType } from './field.js'
import { groupOf } from './own-labels.js'
import { uniqueLabels } from './unique-labels.js'
import { groupLabel, labelOf } from './field-labels.js'
import type { Visibility } from '../dom/visibility.js'
import { isPickerBox } from '../dom/pop-ups.js'

export type { Field }

/** The form of the control; null also for a form that cannot be read. */
export const formOf = (element: Element): Element | null => {
  const form = propertyOf(element, 'form') ?? element.closest('form')
  return form && detachedFrom(form) ? null : form
}

/**
 * All fields under the root that a person can perceive, in rendered order. Labels are unique among them. Also watches
 * the root for password fields.
 */
export const fieldsUnder = (root: Element, visibility: Visibility): Field[] => finish(fieldSteps(root, visibility))

/** `fieldsUnder`, in steps. */
export function* fieldSteps(root: Element, visibility: Visibility): Steps<Field[]> {
  const drafts: FieldDraft[] = []
  const sets = new Map<string | Element, FieldDraft>()
  const forms = new Map<Element | null, number>()
  const inParts = new Set<Element>()
  watchPasswords(root.ownerDocument)
  let seen = 0
  for (const element of elementsUnder(root, visibility.children)) {
    if (++seen % elementsPerStep === 0) yield
    if (element.shadowRoot) watchPasswords(element.shadowRoot)
    const inside = frameDocument(element)
    if (inside) watchPasswords(inside)
    const type = inParts.has(element) ? undefined : typeOf(element)
    if (!type || !isPerceivable(element, type, visibility)) continue
    const form = formOf(element)
    if (!forms.has(form)) forms.set(form, forms.size)
    const kind = kindOf({ type })
    const joined = kind.joins?.(element, visibility)
    const key = typeof joined === 'string' ? `${forms.get(form)}\n${joined}` : joined
    const set = key ? sets.get(key) : undefined
    if (set) {
      set.members.push(element)
      continue
    }
    const parts = kind.parts?.(element)
    for (const part of parts ?? []) inParts.add(part)
    const draft: FieldDraft = {
      element,
      members: parts ?? [element],
      isSet: joined !== undefined,
      type,
      ownLabel: '',
      group: '',
      form,
      secret: undefined,
    }
    if (key) sets.set(key, draft)
    drafts.push(draft)
  }
  for (const draft of drafts) {
    yield
    draft.ownLabel =
      draft.isSet && (draft.members.length > 1 || groupOf(draft.element, visibility) !== '')
        ? groupLabel(draft.members, visibility)
        : labelOf(draft.element, visibility)
    if (draft.ownLabel === '') draft.ownLabel = kindOf(draft).label ?? draft.type
    draft.group = groupOf(draft.element, visibility)
    if (draft.group === draft.ownLabel) draft.group = ''
    // Invisible labels are not returned, but count for the decision whether the field is private.
    const tied = [...(labelsOf(draft.element, visibility) ?? []), ...byIds(draft.element, 'aria-labelledby')]
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

/**
 * Whether it is visible, or hidden behind a visible label or box, as styled checkboxes are. Invisible text fields are
 * not fields: they are traps for bots.
 */
const isPerceivable = (element: Element, type: FieldType, visibility: Visibility): boolean =>
  visibility.isShown(element) ||
  kindOf({ type }).isDrawn?.(element, visibility, type) === true ||
  (isPickerBox(element) && isDrawnAround(element, visibility)) ||
  (element.matches('input[role=combobox]') && hasFace(element, visibility))

/** Whether a text field that opens a list is invisible until then, inside of the box that a person sees and presses. */
function hasFace(element: Element, visibility: Visibility): boolean {
  if (!visibility.hasBox(element)) return false
  const isFace = (box: Element): boolean => {
    const { width, height } = box.getBoundingClientRect()
    return visibility.isShown(box) && width >= smallest && height >= smallest
  }
  let face = parentOf(element)
  for (let level = 0; face && level < 4 && !isFace(face); level++) face = parentOf(face)
  return (
    face !== null &&
    isFace(face) &&
    !face.matches('form,fieldset,dialog,body') &&
    [...face.querySelectorAll('input:not([type=hidden]),select,textarea')].every((one) => one === element)
  )
}

/** Pixels of the smallest box that can be pressed as a field. */
const smallest = 16
