// The part of reading that only some pages need: uncommon-fields.ts. Reading is synchronous, so code that lacks the
// part throws `MissingPart`. `readFully` in page-snapshot.ts then loads it and reads again.
import type { JsonValue } from '../../core/data/json.js'
import type { Visibility } from '../dom/visibility.js'
import type { Field, FieldDraft, FieldType, Option } from './field.js'

/** What only uncommon fields need. */
export interface UncommonFields {
  /** The label of a control whose accessible name has no letters; not unique on the page. Empty if there is none. */
  labelWithoutName(element: Element, visibility: Visibility): string
  /** The label of a group of radio buttons. */
  groupLabel(members: readonly Element[], visibility: Visibility): string
  /** The labels of fields some of which are equal, each made unique. */
  uniqueLabels(drafts: readonly FieldDraft[], visibility: Visibility): string[]
  /** The type of an element with the role of a field, or that can be edited; undefined if it is not a field. */
  widgetTypeOf(element: Element, role: string | undefined): FieldType | undefined
  /** Whether a control that is not visible itself has a visible label or box. */
  isSeenElsewhere(element: Element, type: FieldType, visibility: Visibility): boolean
  /** Year, month and day of a date that is rendered as three fields; undefined for any other element. */
  datePartsOf(group: Element): Element[] | undefined
  /** See `optionsOf` in field-state.ts. */
  optionsOf(field: Field, visibility: Visibility): Option[]
  /** The value of a field that holds no plain text. */
  specialValueOf(field: Field, visibility: Visibility): JsonValue
  /** See `fieldStateOf` in write.ts. */
  stateOf(field: Field): string
}

/** Thrown where a part is missing. */
export class MissingPart extends Error {}

let part: UncommonFields | undefined

/** Makes the part available from now on. */
export const provideUncommonFields = (loaded: UncommonFields): void => {
  part = loaded
}

/** The part. @throws MissingPart until it is loaded */
export function uncommonFields(): UncommonFields {
  if (!part) throw new MissingPart('The code for uncommon fields is not loaded: read with readFully')
  return part
}
