// One pass over arguments that did not validate: what a model wrote as text although a number or a boolean was asked
// for, and null for a field it meant to leave out. Lossless only: the text must be exactly what the value prints as.
import { canonicalJson, isObject, isRounded, type JsonObject, type JsonValue } from '../../core/data/json.js'
import { pathText } from '../../core/data/plain-json.js'
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
} from '../schema/types.js'

/** The integers that a number would round, where the schema wants a number: they run as no other, and the author is told. */
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
      `"${place}" came as an integer that a number cannot hold exactly: let the schema of such ids say string.`,
      `rounded ${place}`,
    )
    return [{ path: place, message: `${value} is more than a number can hold exactly` }]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value as JsonObject).flatMap(([key, item]) =>
    roundedNumbers(item, root, [...path, Array.isArray(value) ? Number(key) : key]),
  )
}

/** The value coerced along the JSON Schema; the same value, by identity, where there was nothing to do. */
export function coerceArguments(value: JsonValue, root: JsonObject): JsonValue {
  return along(root, value, root, 0)
}

function along(root: JsonObject, value: JsonValue, given: JsonValue | undefined, depth: number): JsonValue {
  const schema = resolveReference(root, given)
  if (schema === undefined || depth > maxHops) return value
  if (typeof value === 'string') return scalar(root, value, schema)
  if (typeof value !== 'object' || value === null) return value
  let result = Array.isArray(value)
    ? array(root, value, schema, depth)
    : object(root, value as JsonObject, schema, depth)
  for (const part of schemaList(schema, 'allOf')) result = along(root, result, part, depth + 1)
  const branch = branchFor(root, result, schema)
  return branch === undefined ? result : along(root, result, branch, depth + 1)
}

function scalar(root: JsonObject, text: string, schema: JsonObject): JsonValue {
  const types = jsonTypesOf(root, schema)
  if (types === undefined || types.has('string')) return text
  const number = Number(text)
  const exact = String(number) === text && Number.isFinite(number)
  if (exact && (types.has('number') || (types.has('integer') && Number.isInteger(number)))) return number
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

function array(root: JsonObject, items: readonly JsonValue[], schema: JsonObject, depth: number): JsonValue {
  const result = items.map((item, index) => along(root, item, itemSchemaOf(root, schema, index), depth + 1))
  return result.some((item, index) => item !== items[index]) ? result : items
}

function object(root: JsonObject, value: JsonObject, schema: JsonObject, depth: number): JsonValue {
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
    result[key] = along(root, item, inner, depth + 1)
    if (result[key] !== item) changed = true
  }
  return changed ? result : value
}

/** The alternative to follow: the first of those for this type whose required keys and fixed values are there. */
function branchFor(root: JsonObject, value: JsonValue, schema: JsonObject): JsonObject | undefined {
  return ['anyOf', 'oneOf']
    .flatMap((key) => schemaList(schema, key))
    .map((branch) => resolveReference(root, branch))
    .find(
      (branch) =>
        branch !== undefined &&
        jsonTypesOf(root, branch)?.has(jsonTypeOf(value)) !== false &&
        (!isObject(value) || fits(root, value as JsonObject, branch)),
    )
}

function fits(root: JsonObject, value: JsonObject, branch: JsonObject): boolean {
  if (schemaList(branch, 'required').some((key) => value[String(key)] === undefined)) return false
  const declared = isObject(branch['properties']) ? branch['properties'] : {}
  return Object.entries(declared).every(([key, given]) => {
    const inner = resolveReference(root, given as JsonValue)
    const item = value[key]
    if (inner === undefined || item === undefined) return true
    const fixed = inner['const'] === undefined ? schemaList(inner, 'enum') : [inner['const']]
    return (
      fixed.length === 0 ||
      fixed.some((allowed) => canonicalJson(allowed) === canonicalJson(along(root, item, inner, 0)))
    )
  })
}
