// Converts the JSON Schema of a tool into one that strict servers (Anthropic's Messages API, OpenAI's Responses API)
// accept: draft 2020-12, with an object at its root and without alternatives there. The page checks the arguments
// against the tool's own schema.
import { isObject, type JsonObject, type JsonValue } from '../../../core/data/json.js'

const choices = ['allOf', 'anyOf', 'oneOf'] as const
/** Keywords with a map of schemas, with a list of schemas, and with one schema. */
const maps = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])
const lists = new Set<string>([...choices, 'prefixItems'])
const single = new Set([
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
])

/** The `input_schema` of a tool. */
export function inputSchema(schema: JsonObject): JsonObject {
  return { ...withoutChoices(modern(schema) as JsonObject), type: 'object' }
}

/** Merges alternatives at the root. A property is required if `allOf` or every alternative requires it. */
function withoutChoices(schema: JsonObject): JsonObject {
  if (!choices.some((key) => Array.isArray(schema[key]))) return schema
  const { allOf, anyOf, oneOf, ...rest } = schema
  let properties = isObject(schema['properties']) ? schema['properties'] : {}
  const required = new Set(namesIn(schema['required']))
  for (const given of [allOf, anyOf, oneOf]) {
    const branches = Array.isArray(given)
      ? (given as readonly JsonValue[]).filter(isObject).map((one) => withoutChoices(one as JsonObject))
      : []
    for (const branch of branches) {
      const own = isObject(branch['properties']) ? branch['properties'] : {}
      const merged = Object.entries(own).map(([name, one]) => [name, either(properties[name], one, given === allOf)])
      properties = { ...properties, ...Object.fromEntries(merged) }
    }
    const every = (name: string) => given === allOf || branches.every((one) => namesIn(one['required']).includes(name))
    for (const name of branches.flatMap((one) => namesIn(one['required']))) if (every(name)) required.add(name)
  }
  return {
    ...rest,
    properties: properties as JsonObject,
    ...(required.size > 0 ? { required: [...required] } : {}),
  }
}

/** Two schemas of one property: both must fit (`isBoth`), or one of them. */
function either(known: unknown, other: unknown, isBoth: boolean): JsonValue {
  if (known === undefined || JSON.stringify(known) === JSON.stringify(other)) return other as JsonValue
  return { [isBoth ? 'allOf' : 'anyOf']: [known as JsonValue, other as JsonValue] }
}

function namesIn(required: unknown): string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}

/** Replaces keywords of older drafts. `items` as a list and boolean limits make the API refuse the request. */
function modern(schema: JsonValue | undefined): JsonValue | undefined {
  if (!isObject(schema)) return schema
  const found: Record<string, JsonValue | undefined> = {}
  for (const [key, value] of Object.entries(schema) as [string, JsonValue][]) {
    if (key === '$schema' || key === 'id' || key === 'additionalItems') continue
    if (key === 'items' && Array.isArray(value)) {
      found['prefixItems'] = (value as readonly JsonValue[]).map((one) => modern(one) ?? true)
      const more = schema['additionalItems'] as JsonValue | undefined
      if (more !== undefined) found['items'] = modern(more)
    } else if (maps.has(key) && isObject(value)) {
      found[key] = Object.fromEntries(
        Object.entries(value).map(([name, one]) => [name, modern(one as JsonValue)]),
      ) as JsonObject
    } else if (lists.has(key) && Array.isArray(value)) {
      found[key] = (value as readonly JsonValue[]).map((one) => modern(one) ?? true)
    } else found[key] = single.has(key) ? modern(value) : value
  }
  for (const side of ['Minimum', 'Maximum'] as const) {
    const exclusive = `exclusive${side}`
    const limit = side.toLowerCase()
    if (typeof found[exclusive] !== 'boolean') continue
    const { [exclusive]: isExclusive, [limit]: value } = found
    delete found[exclusive]
    if (isExclusive !== true || value === undefined) continue
    delete found[limit]
    found[exclusive] = value
  }
  return found
}
