// Looks up one place of a JSON Schema: the schema of a property or item, and the types that it allows.
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import { resolvePointer } from './walk.js'

/** A type of JSON Schema. */
export type JsonType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null'
/** The maximum number of references and combinations that are followed, because a schema may be circular. */
export const maxHops = 50

/** The type of a value; `number` for integers too. */
export function jsonTypeOf(value: JsonValue): JsonType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object'
}

/**
 * The schema with its `$ref` followed. Undefined where it is not an object: `true`, missing, or in another document.
 */
export function resolveReference(root: JsonObject, given: JsonValue | undefined): JsonObject | undefined {
  let schema = given
  for (let hops = 0; hops < maxHops && isObject(schema) && typeof schema['$ref'] === 'string'; hops++) {
    const { $ref, ...rest } = schema as JsonObject & { $ref: string }
    const target = resolvePointer(root, $ref)
    if (!isObject(target)) return undefined
    schema = { ...(target as JsonObject), ...rest }
  }
  return isObject(schema) ? (schema as JsonObject) : undefined
}

/** The schema of a property, declared or additional. Undefined where there is none. */
export function propertySchemaOf(root: JsonObject, schema: JsonObject, key: string): JsonObject | undefined {
  const declared = schema['properties']
  if (isObject(declared) && Object.hasOwn(declared, key)) return resolveReference(root, declared[key] as JsonValue)
  return resolveReference(root, schema['additionalProperties'])
}

/** The schema of an item of an array, by its index. Undefined where there is none. */
export function itemSchemaOf(root: JsonObject, schema: JsonObject, index: number): JsonObject | undefined {
  const { prefixItems, items, additionalItems } = schema
  const places = prefixItems ?? items
  if (!Array.isArray(places)) return resolveReference(root, items)
  const own = places[index] as JsonValue | undefined
  return resolveReference(root, own ?? (prefixItems === undefined ? additionalItems : items))
}

/** The list under a keyword such as `anyOf`, `enum` or `required`. Empty where it is missing. */
export function schemaList(schema: JsonObject, key: string): readonly JsonValue[] {
  const value = schema[key]
  return Array.isArray(value) ? value : []
}

/** The types that a schema allows. Undefined where it allows all. */
export function jsonTypesOf(
  root: JsonObject,
  given: JsonValue | undefined,
  hops = 0,
): ReadonlySet<JsonType> | undefined {
  const schema = resolveReference(root, given)
  if (schema === undefined || hops > maxHops) return undefined
  const limits: (ReadonlySet<JsonType> | undefined)[] = schemaList(schema, 'allOf').map((part) =>
    jsonTypesOf(root, part, hops + 1),
  )
  if (schema['type'] !== undefined) limits.push(new Set([schema['type']].flat() as JsonType[]))
  if (schema['const'] !== undefined) limits.push(new Set([jsonTypeOf(schema['const'])]))
  if (Array.isArray(schema['enum'])) limits.push(new Set(schema['enum'].map(jsonTypeOf)))
  for (const key of ['anyOf', 'oneOf']) {
    const branches = schemaList(schema, key).map((branch) => jsonTypesOf(root, branch, hops + 1))
    if (branches.length > 0 && !branches.includes(undefined))
      limits.push(new Set(branches.flatMap((set) => [...(set ?? [])])))
  }
  return limits.reduce(
    (one, two) => (one === undefined || two === undefined ? (one ?? two) : both(one, two)),
    undefined,
  )
}

/** The types in both sets. `integer` is a `number`. */
function both(one: ReadonlySet<JsonType>, two: ReadonlySet<JsonType>): ReadonlySet<JsonType> {
  const within = (type: JsonType, set: ReadonlySet<JsonType>): boolean =>
    set.has(type) || (type === 'integer' && set.has('number'))
  return new Set([...[...one].filter((type) => within(type, two)), ...[...two].filter((type) => within(type, one))])
}

/** The schema at a path in the arguments. */
export function schemaAt(root: JsonObject, path: readonly (string | number)[]): JsonObject | undefined {
  let schema: JsonObject | undefined = root
  for (const key of path) {
    if (schema === undefined) return undefined
    schema = typeof key === 'number' ? itemSchemaOf(root, schema, key) : propertySchemaOf(root, schema, key)
  }
  return schema
}

/** The types allowed at a path in the arguments. Empty where all are allowed. */
export function jsonTypesAt(root: JsonObject, path: readonly (string | number)[]): readonly JsonType[] {
  return [...(jsonTypesOf(root, schemaAt(root, path)) ?? [])]
}
