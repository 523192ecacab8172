// Derives the input schema of a form from its visible fields. Excludes private, file and read-only fields.
import type { JsonObject, JsonValue } from '../../core/data/json.js'
import { withValues } from '../controls/choice.js'
import { kindOf } from '../controls/kinds.js'
import { textSchema } from '../controls/text.js'
import type { Visibility } from '../dom/visibility.js'
import { isReadOnly, isRequired } from '../dom/field-state.js'
import { isWithheld, type Field } from '../read/field.js'
import { toComparable } from '../dom/text.js'
import { budgets, toToolName } from './discovered-tool.js'

/** A property of the schema. */
export interface Parameter {
  /** Its name, unique within the form. */
  readonly key: string
  /** The field, or the checkboxes that share a name. */
  readonly fields: readonly Field[]
  /** The type, the constraints and the description of its value. */
  readonly schema: JsonObject
  /** Whether the form cannot be submitted without it. False for a group of checkboxes. */
  readonly required: boolean
}

/** Whether a model may fill the field. */
export const isFillable = (field: Field): boolean =>
  !isWithheld(field) && field.type !== 'password' && !isReadOnly(field.element)

/** The parameters of a form. `fields` are its fields, in order. */
export function parametersOf(fields: readonly Field[], visibility: Visibility): Parameter[] {
  const groups = new Map<string | number, Field[]>()
  for (const field of fields.filter(isFillable)) {
    const key = field.type === 'checkbox' && field.name ? field.name : groups.size
    groups.set(key, [...(groups.get(key) ?? []), field])
  }
  const taken = new Set<string>()
  return [...groups.values()].map((group) => {
    const [first] = group as [Field, ...Field[]]
    const key = keyFrom(first.name || toComparable(first.ownLabel), taken)
    return {
      key,
      fields: group,
      required: group.some(({ members }) => members.some(isRequired)) && group.length === 1,
      schema: schemaOf(group, visibility),
    }
  })
}

/** The name of a checkbox within its group. */
export const memberName = (field: Field, group: readonly Field[]): string =>
  group.filter(({ ownLabel }) => ownLabel === field.ownLabel).length > 1 ? field.label : field.ownLabel

/** The submitted value of a checkbox; undefined if the page gives it none. */
const ownValueOf = ({ element }: Field): string | undefined => element.getAttribute('value') || undefined

/**
 * Which checkboxes of a group are chosen by these names. A name is a label of the group, or else a value. The result is
 * in the order of the group.
 */
export function chosenMembers(group: readonly Field[], chosen: readonly JsonValue[]): boolean[] {
  const labels = group.map((field) => memberName(field, group))
  return group.map((field, index) => {
    const value = ownValueOf(field)
    return (
      chosen.includes(labels[index] ?? '') || (value !== undefined && !labels.includes(value) && chosen.includes(value))
    )
  })
}

/** A property name that all model APIs accept: `user[name]` becomes `user_name_`. */
function keyFrom(name: string, taken: Set<string>): string {
  const fit = name
    .replace(/[^A-Za-z0-9_.-]/g, '_')
    .slice(0, 60)
    .replace(/^(?:__proto__|constructor|prototype)?$/, '$&_')
  let key = fit
  for (let count = 2; taken.has(key); count++) key = `${fit}_${count}`
  taken.add(key)
  return key
}

/** The description: of the author, or else the visible label. A hint such as the format follows. */
function describe(group: readonly Field[], more: string): JsonObject {
  const [first] = group as [Field]
  const set = group.length > 1 || first.members.length > 1
  const own =
    first.element.getAttribute('toolparamdescription') ??
    (set ? first.element.closest('fieldset')?.getAttribute('toolparamdescription') : undefined)
  const hint = more === '' ? '' : ` (${toToolName(more, 80)})`
  const description =
    toToolName(
      toToolName(own, budgets.parameter) || (group.length > 1 ? first.group || first.name : first.ownLabel),
      budgets.parameter - hint.length,
    ) + hint
  return description === '' ? {} : { description }
}

function schemaOf(group: readonly Field[], visibility: Visibility): JsonObject {
  const [first] = group as [Field]
  if (group.length > 1)
    return {
      type: 'array',
      items: {
        type: 'string',
        enum: withValues(
          group.map((field) => memberName(field, group)),
          group.map(ownValueOf),
        ),
      },
      uniqueItems: true,
      ...describe(group, ''),
    }
  const { schema, hint = '' } = kindOf(first).schema?.(first, visibility) ?? textSchema(first)
  return { ...schema, ...describe(group, hint) }
}
