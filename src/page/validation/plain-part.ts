// Reduces a foreign JSON Schema to the part that may be checked on the page's own thread. Its patterns and references
// could block that thread.
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import { isKnownKeyword } from './json-schema-common.js'

/**
 * The part of a schema without regular expressions and references, which is checked in linear time. It must accept
 * every value that the whole schema accepts.
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
  // The branches become weaker, so that more than one may match: `oneOf` would reject valid values.
  if (Array.isArray(oneOf))
    part['allOf'] = [...(Array.isArray(rest['allOf']) ? (rest['allOf'] as JsonValue[]) : []), { anyOf: oneOf }]
  return Object.fromEntries(
    Object.entries(part).flatMap(([key, value]) => {
      const inner = value === undefined ? undefined : cheapInner(key, value)
      return inner !== undefined && isKnownKeyword.get(key)?.(inner) ? [[key, inner]] : []
    }),
  )
}

/** The value of a keyword, with its inner schemas reduced too. */
function cheapInner(key: string, value: JsonValue): JsonValue {
  if (key === 'properties' && isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plainPart(inner as JsonValue)]))
  if ((key === 'anyOf' || key === 'allOf') && Array.isArray(value))
    return value.map((inner: JsonValue) => plainPart(inner))
  return key === 'items' || key === 'additionalProperties' ? plainPart(value) : value
}
