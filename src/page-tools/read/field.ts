// What the tools know about a field of a page, and about its options.
import { isTag } from '../dom/dom.js'
import type { SensitiveKind } from '../sensitive/sensitive-terms.js'

/**
 * The type of a control, as models read it: of a native input, `select`, `textarea`, the role of an ARIA widget,
 * `editable` for an editor of rich text, `custom` for an element of the page's own. Each is in one of ../controls.
 */
export type FieldType = string

/** A field that a person can perceive. */
export interface Field {
  /** The control; the first one of several. */
  readonly element: Element
  /** The buttons of a radio group, or year, month and day of a date in three parts; otherwise only the element. */
  readonly members: readonly Element[]
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

/** Whether nothing but "filled" may be told of its value: it is private, or has files. */
export const isWithheld = ({ secret, type }: Pick<Field, 'secret' | 'type'>): boolean =>
  secret !== undefined || type === 'file'

/** The element that has the focus if the field has it: of a group of radio buttons, the checked one. */
export const focusedOf = ({ members, element }: Pick<Field, 'members' | 'element'>): Element =>
  members.find((one) => isTag(one, 'input') && one.checked) ?? element

/** A choice of a field. */
export interface Option {
  /** The visible text. */
  readonly label: string
  /** The submitted value; the label if the option has none. */
  readonly value: string
  /** Whether it is selected or checked now. */
  readonly chosen: boolean
  /** Whether the user cannot choose it: it or its `<optgroup>` is disabled. */
  readonly disabled: boolean
  /** The `<option>`, radio button or ARIA option. */
  readonly element: Element
}

/** A field while its label is searched. */
export interface FieldDraft {
  element: Element
  members: Element[]
  /** Several elements, or one that could be one of several. */
  readonly isSet: boolean
  type: FieldType
  ownLabel: string
  group: string
  form: Element | null
  secret: SensitiveKind | undefined
}
