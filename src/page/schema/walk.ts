// Visits every schema inside a JSON Schema. A property may be called `default` or `minimum`, so the keywords that hold
// schemas are listed here; all others hold data.
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'

/** Keywords with one schema. */
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
/** Keywords with an array of schemas. */
const lists: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'])
/** Keywords with schemas by name. */
const maps: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
])

/** Keys from the root of the document. */
type Path = readonly (string | number)[]

/** A copy in which every schema is replaced by what `change` returns for it, inner schemas first. */
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

/** Calls `visit` for every schema with its path, inner schemas first. */
export function eachSchema(schema: JsonObject, visit: (schema: JsonObject, path: Path) => void): void {
  mapSchema(schema, (inner, path) => {
    visit(inner, path)
    return inner
  })
}

/** The target of a JSON pointer in this document (`#`, `#/$defs/a`). Undefined where it does not exist. */
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

/** A segment of a JSON pointer as a key. */
function unescaped(segment: string): string {
  let text = segment
  try {
    text = decodeURIComponent(segment)
  } catch {
    // A single % is not an escape sequence, so the segment is used as it is.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** A key as a segment of a JSON pointer. */
export function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** The types of JSON Schema. */
export const jsonTypes: ReadonlySet<unknown> = new Set('object array string number integer boolean null'.split(' '))

/** Whether a regular expression compiles. `flags`: 'u' for Unicode mode, in which the validator runs it. */
export function isPattern(source: string, flags: 'u' | ''): boolean {
  try {
    return Boolean(new RegExp(source, flags))
  } catch {
    return false
  }
}

/** Whether a pattern in a schema is valid only without Unicode mode. */
export function hasLegacyPattern(root: JsonObject): boolean {
  let isLegacy = false
  eachSchema(root, ({ pattern = '', patternProperties = {} }) => {
    isLegacy ||= ![pattern, ...Object.keys(patternProperties as object)].every((source) =>
      isPattern(String(source), 'u'),
    )
  })
  return isLegacy
}
