// A kind of control: how it is recognized, read, written and put back. To add one, write a file in this folder that
// exports one, and enter it in kinds.ts. Reading, form_fill, undo and WebMCP ask only that list. Native controls are
// told apart by `typeOf` there, and a role of a field that stands around an input is in `fieldRoles`.
//
// It gets fields that are open: private, disabled and read-only ones are refused before. It imports nothing that asks
// the list (read/field-values, dom/page-snapshot, effects/): what it needs of these comes with the call.
import type { JsonValue } from '../../core/data/json.js'
import type { Visibility } from '../dom/visibility.js'
import type { Field, FieldType, Option } from '../read/field.js'

/** What an element says of itself that is no native control, looked at once for all kinds. */
export interface Candidate {
  readonly element: Element
  /** The first ARIA role. Undefined if it is that of a field and stands around the field. */
  readonly role: string | undefined
  /** It has the role of a field, perhaps around it. */
  readonly hasFieldRole: boolean
  /** The root of a text that the user can edit. */
  readonly isEditable: boolean
}

/** A kind of control. */
export interface ControlKind {
  /** The types of its fields: of native controls, and those that `claims` returns. */
  readonly types: readonly FieldType[]
  /**
   * The type of an element that is no native control, as models read it. Undefined for other kinds. The first kind of
   * the list decides.
   */
  claims?(candidate: Candidate): FieldType | undefined
  /** It also writes a field of another type while its element looks so, such as a text field that opens a calendar. */
  writes?(element: Element): boolean
  /**
   * What makes several elements one field: those with the same key, within a form. Null: alone, but labelled as such a
   * group. Undefined for an element that is one field by itself.
   */
  joins?(element: Element, visibility: Visibility): string | Element | null | undefined
  /** The parts of a field that has several. They are no fields of their own. */
  parts?(element: Element): Element[] | undefined
  /** Pages hide it and draw it in another way: whether a person sees that. Default: no. */
  isDrawn?(element: Element, visibility: Visibility, type: FieldType): boolean
  /** The type of which several under one legend or name can be filled together, by a list of their labels. */
  readonly together?: FieldType
  /** The label of one that the page gives none. Default: its type. */
  readonly label?: string
  /** Selects what acts inside of it, which the outline lists below its line. */
  readonly inside?: string
  /** The role that the outline says. Default: that of the element. */
  readonly role?: string
  /** Why no tool fills it, for the model. */
  readonly refusal?: string
  /** A read-only field can be filled, because its value is chosen in a pop-up. */
  readonly takesReadOnly?: true

  /** The value as JSON. `clean` changes texts that were typed. */
  value(field: Field, visibility: Visibility, clean?: (text: string) => string): JsonValue
  /** The raw state, to compare and to restore. Default: the value as JSON. */
  state?(field: Field): string
  /** What a state does not have, for `restore`: copies of the contents of an editor. */
  copy?(field: Field): Node[]
  /** The choices. */
  options?(field: Field, visibility: Visibility): Option[]
  /** What the line of the outline says of it in brackets: its type, if no role says it, and its state. */
  flags?(field: Field, value: JsonValue): string[]
  /** The flags say all of its value. */
  readonly isState?: true
  /** The values that it takes, for the schemas of WebMCP: `format` is a text as in an example. Default: any text. */
  readonly takes?: 'boolean' | 'choice' | 'number' | 'format'
  /** The example, for a kind that takes a format. */
  example?(type: FieldType): string | undefined

  /** Parses a value: what is wanted of the field, or why it cannot be written. */
  plan(field: Field, value: JsonValue | undefined, visibility: Visibility): Plan
  /** Puts a raw state back, with the events of a user. Returns the problem, if any. Default: `refill`. */
  restore?(field: Field, former: Former): Promise<string | undefined>
}

/** What is wanted of a field, or why that is refused. */
export type Plan = Wanted | Refusal

/** What is wanted of a field. */
export interface Wanted {
  readonly problem?: never
  /** The text that is written, if it is one. */
  readonly text?: string
  /** Where it is not written, a later field may make it possible: a calendar offers other days then. */
  readonly later?: true
  /** Whether the field has it now, perhaps in another format. */
  holds(field: Field, current: CurrentValue): boolean
  /** Writes it with the events of a user. Yields to the event loop between two actions. */
  write(field: Field, run: WriteRun): Promise<WriteResult>
}

/** Why a value cannot be written. */
export interface Refusal {
  /** For the model. */
  readonly problem: string
  /** A later field may make it possible. */
  readonly later?: boolean
}

/** What a field holds now: its value, and as a text. */
export interface CurrentValue {
  readonly value: JsonValue
  readonly text: string
}

/** What a kind may use while it writes. */
export interface WriteRun {
  readonly signal: AbortSignal
  /**
   * Must be called before an option is chosen by a click.
   * @throws `needs-approval` if the option acts, and the user was not asked
   */
  checkOption(option: Element, field: Element): void
  /**
   * Must be called before a box or a native option is chosen.
   * @throws `needs-approval` if it deletes or pays, and the user was not asked
   */
  checkChoice(choice: Element): void
}

/** A text that a field should hold. */
export interface TextPlan {
  /** In the format of the control: `2026-11-27` for a date. Empty: clears the field. */
  readonly text: string
  /** The labels of the options that were chosen. */
  readonly labels?: readonly string[]
  /** The requested value if it was a number. */
  readonly number?: number
}

/** The result of writing. */
export interface WriteResult {
  /** The field should hold this text instead, such as the label of an option. */
  readonly plan?: TextPlan
  /** Why the value could not be written, as the model reads it. Undefined if it was written. */
  readonly problem?: string | undefined
  /** What the page offered for the text, of which nothing was chosen. */
  readonly offer?: { readonly suggestions: readonly string[]; readonly note: string }
  /** The boxes that changed with a mixed checkbox, as they were before. */
  readonly boxes?: readonly BoxState[]
  /** The editor itself said that it holds the text. It may show only a part of it. */
  readonly isHeld?: true
  /** The page showed no list: further fields can be written before it has rendered. */
  readonly plain?: true
}

/** A checkbox and its state before a press. */
export interface BoxState {
  readonly element: Element
  /** Finds it again if the page renders it anew, and names it for the model. */
  readonly name: string
  readonly state: boolean | 'mixed'
  /** What a native box submits, which a mixed one does not show. */
  readonly checked: boolean
  /** Its state when the fill was done, for form_undo. */
  readonly after?: boolean | 'mixed'
}

/** What a field had, to be put back. */
export interface Former {
  readonly state: string
  /** The boxes that changed with it. */
  readonly boxes: readonly BoxState[]
  /** What `copy` had returned. */
  readonly nodes: readonly Node[]
  readonly run: WriteRun
  /** Fills in the value of the state, as a call would. Returns the problem, if any. */
  refill(): Promise<string | undefined>
}
