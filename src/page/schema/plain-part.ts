// Reduces a foreign JSON Schema to the part that may be checked on the page's own thread. Its patterns and references
// could block that thread.
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'

const isText = (value: unknown): boolean => typeof value === 'string'
const isNumber = (value: unknown): boolean => typeof value === 'number'
const isList = (value: unknown, fits: (item: unknown) => boolean): boolean => Array.isArray(value) && value.every(fits)
const isTexts = (value: unknown): boolean => isList(value, isText)
const areCheap = (value: unknown): boolean => isList(value, isCheap)
const isNote = (value: unknown): boolean => !isObject(value)
const isAny = (): boolean => true

/** Every keyword that is checked in linear time, and the form that its value must have. */
const cheapKeywords: ReadonlyMap<string, (value: unknown) => boolean> = new Map(
  (
    [
      [(value) => isText(value) || isTexts(value), 'type'],
      [isTexts, 'required'],
      [(value) => isObject(value) && Object.values(value).every(isCheap), 'properties'],
      [isCheap, 'additionalProperties items'],
      [areCheap, 'anyOf allOf oneOf'],
      [Array.isArray, 'enum'],
      [isNumber, 'minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength minItems maxItems'],
      [isAny, 'const default'],
      [isNote, '$schema $comment title description examples deprecated readOnly writeOnly nullable'],
    ] as [(value: unknown) => boolean, string][]
  ).flatMap(([fits, names]) => names.split(' ').map((name) => [name, fits])),
)

function isCheap(schema: unknown): boolean {
  return (
    typeof schema === 'boolean' ||
    (isObject(schema) && Object.entries(schema).every(([key, value]) => cheapKeywords.get(key)?.(value)))
  )
}

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
  const { patternProperties, additionalProperties, oneOf, ...rest } = schema as JsonObject
  const part: Record<string, JsonValue | undefined> =
    patternProperties === undefined ? { ...rest, additionalProperties } : rest
  // The branches become weaker, so that more than one may match: `oneOf` would reject valid values.
  if (Array.isArray(oneOf))
    part['allOf'] = [...(Array.isArray(rest['allOf']) ? (rest['allOf'] as JsonValue[]) : []), { anyOf: oneOf }]
  return Object.fromEntries(
    Object.entries(part).flatMap(([key, value]) => {
      const inner = value === undefined ? undefined : cheapInner(key, value)
      return inner !== undefined && cheapKeywords.get(key)?.(inner) ? [[key, inner]] : []
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
