// Finds mistakes in a JSON Schema that a validator ignores, or throws for at the first call. They are reported when the
// tool is compiled, where its author sees them.
import { isObject, type JsonObject } from '../../core/data/json.js'
import { pathText } from '../../core/data/plain-json.js'
import { invalidSchema } from './check-schema.js'
import { eachSchema, isPattern, jsonTypes, resolvePointer } from './walk.js'
import { received } from '../checks.js'

/** Types of other languages, and the JSON Schema type for each. */
const typeHints: ReadonlyMap<unknown, string> = new Map([
  ['float', 'number'],
  ['double', 'number'],
  ['int', 'integer'],
  ['bool', 'boolean'],
  ['str', 'string'],
  ['text', 'string'],
  ['date', 'string'],
  ['list', 'array'],
  ['dict', 'object'],
  ['map', 'object'],
])

/**
 * Checks a schema with all its parts. Returns whether a pattern in it is valid only without Unicode mode.
 * @throws `invalid-tool` with the path of the first mistake
 */
export function checkStructure(root: JsonObject, what: string): boolean {
  let hasLegacyPattern = false
  const ids = new Set<string>()
  const anchors = new Set<string>()
  eachSchema(root, (schema, path) => {
    // In a part with its own `$id`, `#` is that part. So `#/…` in it is not checked against the root.
    for (const key of ['$id', 'id'])
      if (typeof schema[key] === 'string') ids.add(schema[key]).add(path.length > 0 ? '#' : schema[key])
    for (const key of ['$anchor', '$dynamicAnchor']) if (typeof schema[key] === 'string') anchors.add(`#${schema[key]}`)
  })
  eachSchema(root, (schema, path) => {
    const fail = (keyword: string, problem: string): never => {
      throw invalidSchema(`${what}: ${pathText([...path, keyword])} ${problem}`)
    }
    for (const type of [schema['type'] ?? []].flat()) {
      const hint = typeHints.has(type) ? `: use "${typeHints.get(type)}"` : ''
      if (!jsonTypes.has(type)) fail('type', `is ${JSON.stringify(type)}, which is not a JSON Schema type${hint}`)
    }
    for (const key of ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']) {
      const value = schema[key]
      if (value === undefined) continue
      if (!isObject(value)) return fail(key, `is ${received(value)}: expected an object`)
      for (const [name, item] of Object.entries(value)) {
        if (!isObject(item) && typeof item !== 'boolean')
          fail(key, `has ${received(item)} at "${name}": expected a schema`)
      }
    }
    for (const key of ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames']) {
      const value = schema[key]
      if (value !== undefined && typeof value === 'string')
        fail(key, `is ${received(value)}: expected a schema, such as { "type": "string" }`)
    }
    for (const key of ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'enum']) {
      const value = schema[key]
      if (value !== undefined && !Array.isArray(value)) fail(key, `is ${received(value)}: expected an array`)
    }
    const { required } = schema
    if (required !== undefined && !(Array.isArray(required) && required.every((name) => typeof name === 'string'))) {
      fail('required', `is ${received(required)}: expected an array of property names, beside "properties"`)
    }
    const { pattern = [], patternProperties = {} } = schema
    for (const source of [pattern, Object.keys(patternProperties as object)].flat().map(String)) {
      if (isPattern(source, 'u')) continue
      // Many patterns are written for engines without Unicode mode. The validator gets them converted.
      hasLegacyPattern = true
      if (!isPattern(source, '')) fail('pattern', `is not a regular expression: ${JSON.stringify(source)}`)
    }
    if ('$dynamicRef' in schema) fail('$dynamicRef', 'is not supported: use "$ref"')
    const { $ref } = schema
    if ($ref !== undefined && !resolves(root, $ref, ids, anchors)) {
      fail('$ref', `points at ${JSON.stringify($ref)}, which is not in this schema. Put it into "$defs"`)
    }
  })
  return hasLegacyPattern
}

/** Whether a reference has a target in this document. */
function resolves(root: JsonObject, ref: unknown, ids: ReadonlySet<string>, anchors: ReadonlySet<string>): boolean {
  if (typeof ref !== 'string') return false
  if (anchors.has(ref)) return true
  const target = resolvePointer(root, ref)
  if (isObject(target) || typeof target === 'boolean') return true
  // A part may have its own `$id`, which the validator resolves against that of its parent. Only file names are
  // compared.
  return [...ids].some((id) => fileOf(id) === fileOf(ref))
}

/** The file name of an address, without its fragment. */
function fileOf(address: string): string | undefined {
  return address.replace(/#.*/, '').split('/').at(-1)
}
