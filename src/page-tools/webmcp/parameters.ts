// Derives the input schema of a form from its visible fields. Excludes private, file and read-only fields. Options are
// listed by label, and then by value, because pages and their documentation name options by either.
import type { JsonObject, JsonValue } from '../../core/data/json.js'
import { examples } from '../fill/plan.js'
import { isTag } from '../dom/dom.js'
import type { Field } from '../read/form-fields.js'
import type { Visibility } from '../dom/visibility.js'
import { isReadOnly, isRequired, valueTextOf } from '../dom/field-state.js'
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

/** A longer list is not in the schema. If an option does not match, the error lists the options. */
const mostOptions = 100
/** Whether a model may fill the field. */
export const isFillable = ({ element, secret, type }: Field): boolean =>
  !secret && type !== 'file' && type !== 'password' && !isReadOnly(element)

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

/** The labels, and after them the values that are not labels themselves. Without duplicates and empty texts. */
const withValues = (labels: readonly string[], values: readonly (string | undefined)[]): string[] => [
  ...new Set([...labels, ...values.flatMap((value) => (value ? [value] : []))]),
]

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
  const { element, type } = first
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
  if (type === 'checkbox' || type === 'switch') return { type: 'boolean', ...describe(group, '') }
  if (type === 'radio' || type === 'select' || type === 'listbox') return choice(first, visibility)
  if (type === 'number' || type === 'range' || type === 'slider' || type === 'spinbutton')
    return { ...numberOf(element, type), ...describe(group, '') }
  const example = examples.get(type)
  if (example !== undefined) {
    const limits = (['min', 'max'] as const).flatMap((name) =>
      element.getAttribute(name) ? [`${name} ${element.getAttribute(name)}`] : [],
    )
    return { type: 'string', ...describe(group, [`like ${example}`, ...limits].join(', ')) }
  }
  return { type: 'string', ...textOf(element), ...describe(group, '') }
}

function choice(field: Field, visibility: Visibility): JsonObject {
  const { element, members } = field
  const required = members.some(isRequired)
  const open = optionsOf(field, visibility).filter(
    ({ disabled, value }) => !disabled && !(required && value === '' && isTag(element, 'select')),
  )
  const options = [...new Set(open.map(({ label, value }) => label || value))]
  const names = withValues(
    options,
    open.map(({ value }) => value),
  )
  const one: JsonObject = {
    type: 'string',
    ...(options.length > 0 && options.length <= mostOptions ? { enum: names } : {}),
  }
  const description = describe([field], options.length > mostOptions ? `one of ${options.length} options` : '')
  const several =
    (isTag(element, 'select') && element.multiple) || element.getAttribute('aria-multiselectable') === 'true'
  return several ? { type: 'array', items: one, uniqueItems: true, ...description } : { ...one, ...description }
}

const numeric = (text: string | null): number | undefined =>
  text === null || text.trim() === '' || !Number.isFinite(Number(text)) ? undefined : Number(text)

function numberOf(element: Element, type: string): JsonObject {
  if (/^\P{Nd}+$/u.test(valueTextOf(element))) return { type: 'string' }
  const range = type === 'range'
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
    type: whole ? 'integer' : 'number',
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
  }
}

/** The constraints of a text field. A pattern that is not valid in JSON Schema is left to the browser. */
function textOf(element: Element): JsonObject {
  if (!isTag(element, 'input', 'textarea')) return {}
  const found: Record<string, JsonValue> = {}
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
  return found
}
