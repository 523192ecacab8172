// What a JSON Schema says about a value for people: its label, the values that it allows, the schemas inside. Pure.
import { isObject, type JsonObject, type JsonValue } from '../../../core/data/json.js'

/** One value that a schema allows, with its label. */
export interface Choice {
  /** The value. */
  readonly value: JsonValue
  /** The schema's title of the value, or the value as text. */
  readonly label: string
}

/** Steps through references and alternatives, so that a schema that refers to itself ends. */
const maxSteps = 8

/** The label of a value: the title in its schema, or words made from its key. */
export function labelOf(key: string, schema: JsonObject): string {
  const { title } = schema
  return typeof title === 'string' && title.trim() !== '' ? title : humanizeKey(key)
}

/**
 * A schema without titles. The titles of a tool that the page or a server offers could give a value another meaning, so
 * its arguments have the labels of their keys.
 */
export function withoutTitles(schema: JsonObject): JsonObject {
  const copy = (value: JsonValue | undefined): JsonValue => {
    if (Array.isArray(value)) return value.map(copy)
    if (!isObject(value)) return value ?? null
    const entries = Object.entries(value as JsonObject).filter(
      ([key, inner]) => inner !== undefined && !(key === 'title' && typeof inner === 'string'),
    )
    return Object.fromEntries(
      entries.map(([key, inner]) => [key, key === 'enum' || key === 'const' ? (inner ?? null) : copy(inner)]),
    )
  }
  return copy(schema) as JsonObject
}

/** `guestCount` → `Guest count`, `IBAN` → `IBAN`. A key that is not an identifier is not changed. */
function humanizeKey(key: string): string {
  if (!/^[\w$-]+$/.test(key)) return key
  const words = key
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
    .split(' ')
    .map((word) => (/^[A-Z\d]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(' ')
  return words === '' ? key : words.charAt(0).toUpperCase() + words.slice(1)
}

/** The schema of a property; {} if the schema does not declare it. */
export function propertySchema(root: JsonObject, schema: JsonObject, key: string): JsonObject {
  const { properties } = schema
  return isObject(properties) && Object.hasOwn(properties, key) ? resolve(root, properties[key] as JsonValue) : {}
}

/** The schema of the items of an array; {} if there is none for all of them. */
export function itemSchema(root: JsonObject, schema: JsonObject): JsonObject {
  return resolve(root, schema['items'])
}

/** Follows references inside the schema, and takes the only alternative that is not `null`. */
function resolve(root: JsonObject, given: JsonValue | undefined): JsonObject {
  let schema = given
  for (let step = 0; step < maxSteps && isObject(schema); step++) {
    const { $ref: reference, ...rest } = schema as JsonObject
    const alternatives = [schema['anyOf'], schema['oneOf']].find(Array.isArray) as JsonValue[] | undefined
    const other = alternatives?.filter((one) => !(isObject(one) && one['type'] === 'null'))
    if (typeof reference === 'string') {
      const target = at(root, reference)
      if (!isObject(target)) return rest
      schema = { ...(target as JsonObject), ...rest }
    } else if (other?.length === 1 && isObject(other[0])) {
      const { anyOf: _anyOf, oneOf: _oneOf, ...around } = schema as JsonObject
      schema = { ...(other[0] as JsonObject), ...around }
    } else return schema as JsonObject
  }
  return {}
}

/** The value that a JSON pointer such as `#/$defs/Address` leads to. */
function at(root: JsonObject, pointer: string): JsonValue | undefined {
  if (!pointer.startsWith('#')) return undefined
  let value: unknown = root
  for (const key of pointer.slice(1).split('/').slice(1)) {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~')
    value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  }
  return value as JsonValue | undefined
}

/** The only values that a schema allows; empty if it allows others. */
export function choicesOf(schema: JsonObject): readonly Choice[] {
  const { enum: values, oneOf, anyOf } = schema
  if (Array.isArray(values)) return values.map((value: JsonValue) => ({ value, label: textOf(value) }))
  const branches = [oneOf, anyOf].find(Array.isArray) as readonly unknown[] | undefined
  if (branches === undefined || !branches.every((one) => isObject(one) && 'const' in one)) return []
  return (branches as readonly JsonObject[]).map(({ const: value, title }) => ({
    value: value ?? null,
    label: typeof title === 'string' && title !== '' ? title : textOf(value ?? null),
  }))
}

/** A day as JSON Schema writes it, such as `2026-03-02`. */
export function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
