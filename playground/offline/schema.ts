// The little of JSON Schema that the offline model needs: an object's properties, the type of each, and a text turned
// into a value of that type. What does not fit stays a text, so that the page's own validation can say what is wrong.
import { isObject, type JsonObject, type JsonValue } from '../../src/core/data/json.js'
import { parseJson } from './chat.js'
import { parseNumber } from './numbers.js'

export interface Property {
  readonly name: string
  readonly schema: JsonObject
  readonly required: boolean
  readonly kind: Kind
  /** Allowed values, where they are listed. */
  readonly options: readonly JsonValue[]
  readonly description: string
}
export type Kind = 'string' | 'number' | 'boolean' | 'array' | 'object' | 'unknown'

export function propertiesOf(schema: JsonObject): Property[] {
  const root = resolve(schema, schema)
  const { properties } = root
  const required = Array.isArray(root['required']) ? root['required'] : []
  if (!isObject(properties)) return []
  return Object.entries(properties).map(([name, raw]) => {
    const own = resolve(isObject(raw) ? (raw as JsonObject) : {}, schema)
    const description = [own['title'], own['description']].filter((text) => typeof text === 'string').join('. ')
    return {
      name,
      schema: own,
      required: required.includes(name),
      kind: kindOf(own),
      options: optionsOf(own),
      description,
    }
  })
}

/** Follows a reference inside the schema, and of alternatives takes the first that is not null. */
function resolve(schema: JsonObject, root: JsonObject, depth = 0): JsonObject {
  if (depth > 5) return schema
  const reference = schema['$ref']
  if (typeof reference === 'string' && reference.startsWith('#/')) {
    let target: unknown = root
    for (const key of reference.slice(2).split('/')) target = isObject(target) ? target[key] : undefined
    return isObject(target) ? resolve(target as JsonObject, root, depth + 1) : schema
  }
  const alternatives = schema['anyOf'] ?? schema['oneOf']
  if (!Array.isArray(alternatives)) return schema
  const options = alternatives.flatMap((one) => (isObject(one) ? [resolve(one as JsonObject, root, depth + 1)] : []))
  const constants = options.filter((one) => 'const' in one)
  if (constants.length > 1) return { ...schema, enum: constants.map((one) => one['const'] ?? null) }
  return { ...schema, ...options.find((one) => one['type'] !== 'null') }
}

function kindOf(schema: JsonObject): Kind {
  const type = Array.isArray(schema['type']) ? schema['type'].find((one) => one !== 'null') : schema['type']
  switch (type) {
    case 'string':
    case 'boolean':
    case 'array':
    case 'object':
      return type
    case 'number':
    case 'integer':
      return 'number'
    default:
      break
  }
  const [first] = optionsOf(schema)
  if (typeof first === 'string') return 'string'
  if (typeof first === 'number') return 'number'
  return isObject(schema['properties']) ? 'object' : 'unknown'
}

function optionsOf(schema: JsonObject): JsonValue[] {
  if (Array.isArray(schema['enum'])) return schema['enum']
  return schema['const'] === undefined ? [] : [schema['const']]
}

const truths = new Map([
  ['true', true],
  ['yes', true],
  ['on', true],
  ['false', false],
  ['no', false],
  ['off', false],
])

/** The text as a value of the property's type; the text itself where it is none. */
export function coerce(text: string, property: Pick<Property, 'kind' | 'options' | 'schema'>): JsonValue {
  const plain = unquote(text)
  const option = property.options.find((one) => String(one).toLowerCase() === plain.toLowerCase())
  if (option !== undefined) return option
  switch (property.kind) {
    case 'number':
      return parseNumber(plain) ?? plain
    case 'boolean':
      return truths.get(plain.toLowerCase()) ?? plain
    case 'object':
      return parseJson(text) ?? plain
    case 'array': {
      const whole = parseJson(text)
      if (Array.isArray(whole)) return whole
      const items = isObject(property.schema['items']) ? (property.schema['items'] as JsonObject) : {}
      const each = { kind: kindOf(items), options: optionsOf(items), schema: items }
      return text
        .split(/\s*,\s*/)
        .filter((item) => item !== '')
        .map((item) => coerce(item, each))
    }
    case 'string':
      return plain
    case 'unknown':
      return parseJson(text) ?? plain
  }
}

function unquote(text: string): string {
  const trimmed = text.trim()
  return /^(["'`“”])([\s\S]*)["'`“”]$/.exec(trimmed)?.[2] ?? trimmed
}
