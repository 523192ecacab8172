// Derives the input schema of a form from its visible fields. Excludes private, file and read-only fields.
import type { JsonObject, JsonValue } from '../../core/data/json.js'
import { isMultiple } from '../controls/choice.js'
import { kindOf, isOneOfSeveral } from '../controls/kinds.js'
import { isTag } from '../dom/dom.js'
import { isReadOnly, isRequired, valueTextOf } from '../dom/field-state.js'
import type { Visibility } from '../dom/visibility.js'
import { isWithheld, type Field } from '../read/field.js'
import { optionsOf } from '../read/field-values.js'
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
    const key = isOneOfSeveral(field) && field.name ? field.name : groups.size
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
  const { schema, hint = '' } = schemasOf[kindOf(first).takes ?? 'text'](first, visibility)
  return { ...schema, ...describe(group, hint) }
}

/** A schema, and what its description should add in brackets. */
interface FieldSchema {
  readonly schema: JsonObject
  readonly hint?: string
}

/** A longer list is not in the schema. If an option does not match, the error lists the options. */
const mostOptions = 100

/** The labels, and after them the values that are not labels themselves. Without duplicates and empty texts. */
const withValues = (labels: readonly string[], values: readonly (string | undefined)[]): string[] => [
  ...new Set([...labels, ...values.flatMap((value) => (value ? [value] : []))]),
]

/** Options are listed by label, and then by value, because pages and their documentation name options by either. */
function choiceOf(field: Field, visibility: Visibility): FieldSchema {
  const { element, members } = field
  const required = members.some(isRequired)
  const open = optionsOf(field, visibility).filter(
    ({ disabled, value }) => !disabled && !(required && value === '' && isTag(element, 'select')),
  )
  const labels = [...new Set(open.map(({ label, value }) => label || value))]
  const names = withValues(
    labels,
    open.map(({ value }) => value),
  )
  const one: JsonObject = {
    type: 'string',
    ...(labels.length > 0 && labels.length <= mostOptions ? { enum: names } : {}),
  }
  return {
    schema: isMultiple(element) ? { type: 'array', items: one, uniqueItems: true } : one,
    ...(labels.length > mostOptions ? { hint: `one of ${labels.length} options` } : {}),
  }
}

const numeric = (text: string | null): number | undefined =>
  text === null || text.trim() === '' || !Number.isFinite(Number(text)) ? undefined : Number(text)

/** A whole number, unless its steps are smaller, and its limits. */
function numberOf({ element }: Field): FieldSchema {
  if (/^\P{Nd}+$/u.test(valueTextOf(element))) return { schema: { type: 'string' } }
  const range = isTag(element, 'input') && element.type === 'range'
  const minimum =
    numeric(element.getAttribute('min') ?? element.getAttribute('aria-valuemin')) ?? (range ? 0 : undefined)
  const maximum =
    numeric(element.getAttribute('max') ?? element.getAttribute('aria-valuemax')) ?? (range ? 100 : undefined)
  const step = element.getAttribute('step')
  const whole =
    isTag(element, 'input') &&
    step?.toLowerCase() !== 'any' &&
    Number.isInteger(numeric(step) ?? 1) &&
    Number.isInteger(minimum ?? 0)
  return {
    schema: {
      type: whole ? 'integer' : 'number',
      ...(minimum === undefined ? {} : { minimum }),
      ...(maximum === undefined ? {} : { maximum }),
    },
  }
}

/** The limits of a text. A pattern that is not valid in JSON Schema is left to the browser. */
function textOf({ element }: Field): FieldSchema {
  if (!isTag(element, 'input', 'textarea')) return { schema: { type: 'string' } }
  const found: Record<string, JsonValue> = { type: 'string' }
  const pattern = isTag(element, 'input') && !element.multiple ? element.getAttribute('pattern') : null
  if (pattern) {
    try {
      found['pattern'] = new RegExp(`^(?:${pattern})$`, 'u').source
    } catch {
      // The browser checks it when the form is filled.
    }
  }
  if (element.minLength > 0) found['minLength'] = element.minLength
  if (element.maxLength >= 0) found['maxLength'] = element.maxLength
  return { schema: found satisfies JsonObject }
}

/** A text in the format of a native control. */
const exampleOf = (field: Field): FieldSchema => ({
  schema: { type: 'string' },
  hint: [
    `like ${kindOf(field).example?.(field.type)}`,
    ...(['min', 'max'] as const).flatMap((name) =>
      field.element.getAttribute(name) ? [`${name} ${field.element.getAttribute(name)}`] : [],
    ),
  ].join(', '),
})

/** The schemas of single fields, by what their kind takes. */
const schemasOf = {
  boolean: (): FieldSchema => ({ schema: { type: 'boolean' } }),
  choice: choiceOf,
  number: numberOf,
  format: exampleOf,
  text: textOf,
}
