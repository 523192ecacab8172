// The part of a foreign JSON Schema that may be checked on the page's own thread: its patterns and references could block
// it.
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import { isKnownKeyword } from './json-schema-common.js'

/**
 * The part of a schema that is checked in time proportional to schema and value: no regular expression, no reference. It
 * accepts whatever the whole schema accepts.
 */
export function plainPart(schema: JsonObject | boolean): JsonObject | boolean
export function plainPart(schema: JsonValue): JsonValue
export function plainPart(schema: JsonValue): JsonValue {
  if (!isObject(schema)) return schema
  // In older drafts a reference replaces its siblings.
  if ('$ref' in schema) return true
  const { pattern: _pattern, patternProperties, additionalProperties, oneOf, ...rest } = schema as JsonObject
  const part: Record<string, JsonValue | undefined> =
    patternProperties === undefined ? { ...rest, additionalProperties } : rest
  // With weaker branches, more than one may match.
  if (Array.isArray(oneOf))
    part['allOf'] = [...(Array.isArray(rest['allOf']) ? (rest['allOf'] as JsonValue[]) : []), { anyOf: oneOf }]
  return Object.fromEntries(
    Object.entries(part).flatMap(([key, value]) => {
      const inner = value === undefined ? undefined : cheapInner(key, value)
      return inner !== undefined && isKnownKeyword.get(key)?.(inner) ? [[key, inner]] : []
    }),
  )
}

function cheapInner(key: string, value: JsonValue): JsonValue {
  if (key === 'properties' && isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plainPart(inner as JsonValue)]))
  if ((key === 'anyOf' || key === 'allOf') && Array.isArray(value))
    return value.map((inner: JsonValue) => plainPart(inner))
  return key === 'items' || key === 'additionalProperties' ? plainPart(value) : value
}
