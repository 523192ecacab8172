// Where in a JSON Schema other schemas stand. A property may be called `default` or `minimum`, so whoever looks at
// every schema must know which keyword holds schemas and which holds data.
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'

const single: ReadonlySet<string> = new Set([
  'items',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
])
const lists: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'])
const maps: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
])

type Path = readonly (string | number)[]

/** A copy in which `change` has seen every schema, inner ones first. `change` gets copies it may not keep. */
export function mapSchema(
  schema: JsonObject,
  change: (schema: JsonObject, path: Path) => JsonObject,
  path: Path = [],
): JsonObject {
  const inner = (value: JsonValue | undefined, ...keys: (string | number)[]): JsonValue | undefined =>
    isObject(value) ? mapSchema(value as JsonObject, change, [...path, ...keys]) : value
  const copy: Record<string, JsonValue | undefined> = {}
  for (const [key, value] of Object.entries(schema)) {
    if (Array.isArray(value) && lists.has(key)) {
      copy[key] = value.map((item: JsonValue, index) => inner(item, key, index) ?? null)
    } else if (isObject(value) && maps.has(key)) {
      copy[key] = Object.fromEntries(
        Object.entries(value).map(([name, item]) => [name, inner(item as JsonValue, key, name)]),
      )
    } else {
      copy[key] = single.has(key) ? inner(value, key) : value
    }
  }
  return change(copy, path)
}

/** Every schema, inner ones first, with its place. */
export function eachSchema(schema: JsonObject, look: (schema: JsonObject, path: Path) => void): void {
  mapSchema(schema, (inner, path) => {
    look(inner, path)
    return inner
  })
}

/** What a JSON pointer within the document (`#`, `#/$defs/a`) points at. */
export function resolvePointer(root: JsonObject, ref: string): JsonValue | undefined {
  if (ref === '#') return root
  if (!ref.startsWith('#/')) return undefined
  let value: JsonValue | undefined = root
  for (const raw of ref.slice(2).split('/')) {
    const key = unescaped(raw)
    if (!Array.isArray(value) && !isObject(value)) return undefined
    if (!Object.hasOwn(value, key)) return undefined
    value = (value as JsonObject)[key]
  }
  return value
}

function unescaped(segment: string): string {
  let text = segment
  try {
    text = decodeURIComponent(segment)
  } catch {
    // A lone % is no escape: the segment is meant as it stands.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** A key as a segment of a JSON pointer. */
export function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}
