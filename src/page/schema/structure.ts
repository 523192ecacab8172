// Mistakes in a JSON Schema written by hand that a validator would pass over or die of at the first call. They are
// found when the tool is registered, where its author can see them.
import { errorMessage } from '../../core/data/errors.js'
import { isObject, type JsonObject } from '../../core/data/json.js'
import { pathText } from '../../core/data/plain-json.js'
import { invalidSchema } from './kinds.js'
import { eachSchema, resolvePointer } from './walk.js'

const types: ReadonlySet<unknown> = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'])
const meant: ReadonlyMap<unknown, string> = new Map([
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

/** Throws `invalid-tool` with the place of the first mistake. */
export function checkStructure(root: JsonObject, what: string): void {
  const ids = new Set<string>()
  const anchors = new Set<string>()
  eachSchema(root, (schema, path) => {
    // Within a part that has an address of its own, `#` is that part: any local reference may be one of it.
    for (const key of ['$id', 'id'])
      if (typeof schema[key] === 'string') ids.add(schema[key]).add(path.length > 0 ? '#' : schema[key])
    for (const key of ['$anchor', '$dynamicAnchor']) if (typeof schema[key] === 'string') anchors.add(`#${schema[key]}`)
  })
  eachSchema(root, (schema, path) => {
    const fail = (keyword: string, problem: string): never => {
      throw invalidSchema(`${what}: ${pathText([...path, keyword])} ${problem}`)
    }
    for (const type of [schema['type'] ?? []].flat()) {
      if (!types.has(type))
        fail(
          'type',
          `is ${JSON.stringify(type)}, which is no JSON Schema type${meant.has(type) ? `: use "${meant.get(type)}"` : ''}`,
        )
    }
    for (const key of ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']) {
      const value = schema[key]
      if (value === undefined) continue
      if (!isObject(value)) return fail(key, 'must be an object')
      for (const [name, item] of Object.entries(value)) {
        if (!isObject(item) && typeof item !== 'boolean') fail(key, `has a "${name}" that is no schema`)
      }
    }
    for (const key of ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames']) {
      const value = schema[key]
      if (value !== undefined && typeof value === 'string') fail(key, 'must be a schema, such as { "type": "string" }')
    }
    for (const key of ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'enum']) {
      if (schema[key] !== undefined && !Array.isArray(schema[key])) fail(key, 'must be an array')
    }
    const { required } = schema
    if (required !== undefined && !(Array.isArray(required) && required.every((name) => typeof name === 'string'))) {
      fail('required', 'must be an array of property names, beside "properties"')
    }
    for (const pattern of [
      schema['pattern'] ?? [],
      ...Object.keys(isObject(schema['patternProperties']) ? schema['patternProperties'] : {}),
    ].flat()) {
      try {
        // Many patterns are written for other engines, without Unicode mode: the validator gets them converted.
        new RegExp(String(pattern))
      } catch (error) {
        fail('pattern', `is not a regular expression: ${errorMessage(error)}`)
      }
    }
    if ('$dynamicRef' in schema) fail('$dynamicRef', 'is not supported: use "$ref"')
    const { $ref } = schema
    if ($ref !== undefined && !resolves(root, $ref, ids, anchors)) {
      fail('$ref', `points at ${JSON.stringify($ref)}, which is not in this schema. Put it into "$defs"`)
    }
  })
}

function resolves(root: JsonObject, ref: unknown, ids: ReadonlySet<string>, anchors: ReadonlySet<string>): boolean {
  if (typeof ref !== 'string') return false
  if (anchors.has(ref)) return true
  const target = resolvePointer(root, ref)
  if (isObject(target) || typeof target === 'boolean') return true
  // A part may have an address of its own. The validator resolves it against the address of its parent.
  return [...ids].some((id) => fileOf(id) === fileOf(ref))
}

function fileOf(address: string): string | undefined {
  return address.replace(/#.*/, '').split('/').at(-1)
}
