// Coerces arguments that are invalid: strings to the number, boolean, list or object that the schema expects, 1 and 0
// to booleans, and null to a missing field. Lossless only: a string must be a way to write the value.
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import { canonicalJson, isRounded, parseExact, pathText } from '../../core/data/plain-json.js'
import { forbiddenKey } from './json-value.js'
import type { ValidationIssue } from './validation-issue.js'
import * as log from '../log.js'
import {
  itemSchemaOf,
  schemaList,
  maxHops,
  propertySchemaOf,
  resolveReference,
  jsonTypeOf,
  jsonTypesAt,
  jsonTypesOf,
} from './types.js'

/**
 * An issue for each integer that a number would round, where the schema expects a number. A rounded id would name
 * another thing, so the call must not run. The author is warned to use strings.
 */
export function roundedNumbers(
  value: JsonValue | undefined,
  root: JsonObject,
  path: readonly (string | number)[] = [],
): ValidationIssue[] {
  if (typeof value === 'string') {
    const types = isRounded(value) ? jsonTypesAt(root, path) : []
    if (types.includes('string') || !types.some((type) => type === 'number' || type === 'integer')) return []
    const place = pathText(path)
    log.logWarning(
      `"${place}" received an integer that a number cannot hold exactly. In the schema of such ids, use type string.`,
      `rounded ${place}`,
    )
    return [{ path: place, message: `${value} is more than a number can hold exactly` }]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value as JsonObject).flatMap(([key, item]) =>
    roundedNumbers(item, root, [...path, Array.isArray(value) ? Number(key) : key]),
  )
}

/** The value with every part coerced as the JSON Schema allows. Returns `value` itself where nothing changed. */
export function coerceArguments(value: JsonValue, root: JsonObject): JsonValue {
  return coerce(root, value, root, 0)
}

/** Follows references and combinations, at most `maxHops` deep. */
function coerce(root: JsonObject, value: JsonValue, given: JsonValue | undefined, depth: number): JsonValue {
  const schema = resolveReference(root, given)
  if (schema === undefined || depth > maxHops) return value
  if (typeof value === 'string') return coerceString(root, value, schema, depth)
  if (value === 1 || value === 0) return coerceBit(root, value, schema)
  if (typeof value !== 'object' || value === null) return value
  let result = Array.isArray(value)
    ? coerceItems(root, value, schema, depth)
    : coerceFields(root, value as JsonObject, schema, depth)
  for (const part of schemaList(schema, 'allOf')) result = coerce(root, result, part, depth + 1)
  const branch = branchFor(root, result, schema)
  return branch === undefined ? result : coerce(root, result, branch, depth + 1)
}

/** A string where the schema allows no string. */
function coerceString(root: JsonObject, text: string, schema: JsonObject, depth: number): JsonValue {
  const types = jsonTypesOf(root, schema)
  if (types === undefined || types.has('string')) return text
  const number = numberOf(text)
  if (number !== undefined && (types.has('number') || (types.has('integer') && Number.isInteger(number)))) return number
  if (types.has('boolean') && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  const parsed = types.has('array') || types.has('object') ? listOrObject(text) : undefined
  if (parsed === undefined || !types.has(Array.isArray(parsed) ? 'array' : 'object')) return text
  return coerce(root, parsed, schema, depth + 1)
}

/** The number that the text writes, also with zeros at its end; undefined if a number would not print like it. */
function numberOf(text: string): number | undefined {
  const digits = text.replace(/^(-?\d+)(?:\.0+|(\.\d*[1-9])0+)$/, '$1$2')
  const number = Number(digits)
  return String(number) === digits && Number.isFinite(number) ? number : undefined
}

/** The list or object that a text is as JSON. Some models write it like that where it is inside of other arguments. */
function listOrObject(text: string): JsonValue | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    const value = parseExact(text)
    return forbiddenKey(value) === undefined ? value : undefined
  } catch {
    return undefined
  }
}

/** A 1 or 0 where the schema allows a boolean and no number. */
function coerceBit(root: JsonObject, value: 0 | 1, schema: JsonObject): JsonValue {
  const types = jsonTypesOf(root, schema)
  return types?.has('boolean') && !types.has('number') && !types.has('integer') ? value === 1 : value
}

/** Returns `items` itself where no item changed. */
function coerceItems(root: JsonObject, items: readonly JsonValue[], schema: JsonObject, depth: number): JsonValue {
  const result = items.map((item, index) => coerce(root, item, itemSchemaOf(root, schema, index), depth + 1))
  return result.some((item, index) => item !== items[index]) ? result : items
}

/** Coerces each field, and drops an optional one that is null where null is not allowed. */
function coerceFields(root: JsonObject, value: JsonObject, schema: JsonObject, depth: number): JsonValue {
  const required = schemaList(schema, 'required')
  const declared = isObject(schema['properties']) ? schema['properties'] : {}
  const result: Record<string, JsonValue> = {}
  let changed = false
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue
    const inner = propertySchemaOf(root, schema, key)
    const optional = Object.hasOwn(declared, key) && !required.includes(key)
    if (item === null && optional && jsonTypesOf(root, inner)?.has('null') === false) {
      changed = true
      continue
    }
    result[key] = coerce(root, item, inner, depth + 1)
    if (result[key] !== item) changed = true
  }
  return changed ? result : value
}

/** The alternative to coerce by: the first that allows this type and whose required keys and fixed values match. */
function branchFor(root: JsonObject, value: JsonValue, schema: JsonObject): JsonObject | undefined {
  return ['anyOf', 'oneOf']
    .flatMap((key) => schemaList(schema, key))
    .map((branch) => resolveReference(root, branch))
    .find(
      (branch) =>
        branch !== undefined &&
        jsonTypesOf(root, branch)?.has(jsonTypeOf(value)) !== false &&
        (!isObject(value) || matches(root, value as JsonObject, branch)),
    )
}

/** Whether an object has the required keys of a branch, and the constants that tell branches apart. */
function matches(root: JsonObject, value: JsonObject, branch: JsonObject): boolean {
  if (schemaList(branch, 'required').some((key) => value[String(key)] === undefined)) return false
  const declared = isObject(branch['properties']) ? branch['properties'] : {}
  return Object.entries(declared).every(([key, given]) => {
    const inner = resolveReference(root, given as JsonValue)
    const item = value[key]
    if (inner === undefined || item === undefined) return true
    const fixed = inner['const'] === undefined ? schemaList(inner, 'enum') : [inner['const']]
    return (
      fixed.length === 0 ||
      fixed.some((allowed) => canonicalJson(allowed) === canonicalJson(coerce(root, item, inner, 0)))
    )
  })
}
