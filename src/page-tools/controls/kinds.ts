// The kinds of controls that tools read and fill: see control-kind.ts for how one is added.
import { isHtml, isTag, isTickBox } from '../dom/dom.js'
import { temporalFormats } from '../fill/plan.js'
import type { Field, FieldType } from '../read/field.js'
import { listbox, radioGroup, select } from './choice.js'
import { color } from './color.js'
import { custom } from './custom.js'
import { date } from './date.js'
import type { ControlKind } from './control-kind.js'
import { editor } from './editor.js'
import { file } from './file.js'
import { number } from './number.js'
import { popUp } from './pop-up.js'
import { range, slider } from './slider.js'
import { text } from './text.js'
import { toggle } from './toggle.js'

/** The most special first: the first that claims an element has it. */
const kinds: readonly ControlKind[] = [
  slider, // before editors: spin buttons may be edited
  editor,
  file,
  toggle,
  radioGroup,
  select,
  listbox,
  popUp,
  range,
  number,
  date,
  color,
  text,
  custom,
]

const byType = new Map(kinds.flatMap((kind) => kind.types.map((type) => [type, kind] as const)))

/** The kind that reads a field. */
export const kindOf = ({ type }: Pick<Field, 'type'>): ControlKind => byType.get(type) ?? text

/** The kind that writes a field, as its element is now. */
export const writingKindOf = ({ element, type }: Pick<Field, 'element' | 'type'>): ControlKind =>
  kinds.find((kind) => kind.writes?.(element)) ?? kindOf({ type })

/** Whether its label is that of a group, and each of its elements has a name of its own. */
export const isGroup = (field: Pick<Field, 'type'>): boolean => kindOf(field).joins !== undefined

/** Whether it can be filled together with others under the same legend or name. */
export const isOneOfSeveral = (field: Pick<Field, 'type'>): boolean => kindOf(field).together === field.type

/** Roles of fields. */
const fieldRoles: ReadonlySet<string> = new Set([
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

/** Inputs that hold no value of a user. */
const notFields = new Set(['hidden', 'submit', 'button', 'reset', 'image'])

/** The type of a native control; undefined for all other elements. */
function nativeTypeOf(element: Element): FieldType | undefined {
  if (isTag(element, 'select', 'textarea')) return element.localName
  if (!isTag(element, 'input')) return undefined
  // A browser without a control shows a text field, which still expects the format of the type.
  const declared = element.getAttribute('type')?.toLowerCase() ?? ''
  return element.type === 'text' && temporalFormats.has(declared) ? declared : element.type
}

/** The type of a field; undefined for an element that is none. */
export function typeOf(element: Element): FieldType | undefined {
  const native = nativeTypeOf(element)
  if (native !== undefined) return notFields.has(native) || isBoxOfOption(element) ? undefined : native
  const role = element.getAttribute('role')?.trim().split(/\s+/)[0]
  const isEditable = isEditableRoot(element)
  const hasFieldRole = role !== undefined && fieldRoles.has(role) && element.localName !== 'body'
  const isAround = hasFieldRole && !isEditable && holdsField(element)
  const candidate = { element, role: isAround ? undefined : role, hasFieldRole, isEditable }
  for (const kind of kinds) {
    const type = kind.claims?.(candidate)
    if (type !== undefined) return type
  }
  return undefined
}

/** The text field inside a combobox is the field, not the element around it. Libraries put boxes into options. */
const holdsField = (element: Element): boolean =>
  [...element.querySelectorAll('input:not([type=hidden]),textarea,select,[contenteditable=true]')].some(
    (one) => !isBoxOfOption(one),
  )

/** Whether it is the root of a text that the user can edit. */
function isEditableRoot(element: Element): boolean {
  const editable = element.getAttribute('contenteditable')
  return editable !== null && editable.toLowerCase() !== 'false' && isHtml(element)
}

/** Whether it is the checkbox or radio button that an option of a list shows. */
const isBoxOfOption = (element: Element): boolean => isTickBox(element) && element.closest('[role=option]') !== null
