// Turns JSON Schema into the subset that function declarations of Gemini have. One unknown keyword makes Gemini refuse
// the whole request, so only known ones are sent. Constraints without a counterpart are dropped: the page validates the
// arguments. A schema that the subset cannot express, such as a recursive one, is sent as JSON Schema.
// https://ai.google.dev/api/caching#Schema
import { dropUndefined, isObject, type JsonObject, type JsonValue } from '../../../core/data/json.js'

/** How a function declaration describes its arguments; `none` if there are no arguments. */
export type DeclaredSchema =
  | { readonly parameters: JsonObject }
  | { readonly parametersJsonSchema: JsonObject }
  | 'none'

/** Thrown, and caught in `geminiSchema`, where the subset cannot express a schema. */
class Inexpressible extends Error {}

/** Keywords that mean the same in both. */
const copied = ['minItems', 'maxItems', 'minLength', 'maxLength', 'pattern', 'minimum', 'maximum'] as const
/** The formats that Gemini knows. Any other one is refused. */
const formats: Readonly<Record<string, string>> = {
  'date-time': 'string',
  float: 'number',
  double: 'number',
  int32: 'integer',
  int64: 'integer',
}
const types = ['string', 'number', 'integer', 'boolean', 'array', 'object']
/** Any value. Gemini requires a type in each schema. */
const anyValue: JsonObject = { anyOf: ['string', 'number', 'boolean', 'object'].map((type) => ({ type })) }

/** The declaration of the arguments that `schema` describes. Its root is an object. */
export function geminiSchema(schema: JsonObject): DeclaredSchema {
  try {
    const parameters = convert({ type: 'object', ...schema }, { root: schema, path: [], count: { schemas: 0 } })
    if (parameters['type'] !== 'object') throw new Inexpressible()
    if (parameters['properties'] !== undefined) return { parameters }
    if (schema['additionalProperties']) throw new Inexpressible()
    return 'none'
  } catch (error) {
    // A reference may contain a percent sign that is no escape.
    if (!(error instanceof Inexpressible || error instanceof URIError)) throw error
    const { $schema: _dialect, ...parametersJsonSchema } = schema
    return { parametersJsonSchema }
  }
}

/** The maximum number of schemas in one declaration. References can multiply them. */
const maxSchemas = 2_000

interface Place {
  /** The number of schemas so far. */
  readonly count: { schemas: number }
  /** Contains the definitions that a reference names. */
  readonly root: JsonObject
  /** The references that are being resolved. */
  readonly path: readonly string[]
}

function convert(given: JsonValue | undefined, place: Place): JsonObject {
  if (given === true) return anyValue
  if (!isObject(given) || ++place.count.schemas > maxSchemas) throw new Inexpressible()
  const schema = given as JsonObject
  const reference = schema['$ref']
  if (typeof reference === 'string') {
    if (place.path.includes(reference)) throw new Inexpressible()
    const { $ref: _, ...beside } = schema
    const target = definition(place.root, reference)
    return convert(target === true ? beside : { ...target, ...beside }, {
      ...place,
      path: [...place.path, reference],
    })
  }
  if (Array.isArray(schema['allOf'])) return convert(merged(schema), place)
  return dropUndefined({ ...shape(schema, place), description: described(schema) })
}

function shape(schema: JsonObject, place: Place): JsonObject {
  const choices = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(choices)) {
    if (isObject(schema['properties'])) throw new Inexpressible()
    return union(
      choices.filter((one) => !isNull(one)).map((one) => convert(one as JsonValue, place)),
      choices.some(isNull),
    )
  }
  const type = typeOf(schema)
  if (Array.isArray(type)) {
    const real = type.filter((one) => one !== 'null')
    return union(
      real.map((one) => shape(withType(schema, one as string), place)),
      real.length < type.length,
    )
  }
  if (typeof type !== 'string') return anyValue
  if (!types.includes(type)) throw new Inexpressible()
  return dropUndefined({
    type,
    ...Object.fromEntries(copied.map((key) => [key, schema[key]])),
    minimum: schema['minimum'] ?? exclusive(schema, type, 1),
    maximum: schema['maximum'] ?? exclusive(schema, type, -1),
    format: formats[String(schema['format'])] === type ? schema['format'] : undefined,
    enum: type === 'string' ? textValues(schema) : undefined,
    ...(type === 'object' ? members(schema, place) : {}),
    ...(type === 'array' ? { items: itemsOf(schema, place) } : {}),
  })
}

const isNull = (schema: unknown): boolean =>
  isObject(schema) && (schema['type'] === 'null' || ('const' in schema && schema['const'] === null))

/** A schema of several types, for one of them. */
function withType(schema: JsonObject, type: string): JsonObject {
  const values = valuesOf(schema)?.filter((value) => value !== null)
  return { ...schema, type, enum: values, const: undefined }
}

/** One schema stays itself, so that a value which may be null needs no choice. */
function union(choices: readonly JsonObject[], nullable: boolean): JsonObject {
  if (choices.length === 0) throw new Inexpressible()
  const whole = choices.length === 1 ? choices[0]! : { anyOf: choices }
  return nullable ? { ...whole, nullable: true } : whole
}

/** The type of a schema, derived from its other keywords if it names none. */
function typeOf(schema: JsonObject): JsonValue | undefined {
  if (schema['type'] !== undefined) {
    const values = valuesOf(schema)
    return schema['type'] === 'string' && values?.includes(null) ? ['string', 'null'] : schema['type']
  }
  if (isObject(schema['properties'])) return 'object'
  if (schema['items'] !== undefined || schema['prefixItems'] !== undefined) return 'array'
  const found = [...new Set(valuesOf(schema)?.map((value) => (value === null ? 'null' : typeof value)))]
  return found.length > 1 ? found : found[0]
}

function valuesOf(schema: JsonObject): readonly JsonValue[] | undefined {
  if (schema['const'] !== undefined) return [schema['const']]
  return Array.isArray(schema['enum']) ? (schema['enum'] as readonly JsonValue[]) : undefined
}

/** The values of an enum of texts. Gemini rejects empty ones, and values of another type. */
function textValues(schema: JsonObject): string[] | undefined {
  const values = valuesOf(schema)?.filter((value) => typeof value === 'string')
  return values === undefined || values.length === 0 || values.includes('') ? undefined : values
}

/** The description, with the values and the format that the subset cannot express. */
function described(schema: JsonObject): string | undefined {
  const texts = [schema['description'] ?? schema['title']].filter((text) => typeof text === 'string' && text !== '')
  const values = valuesOf(schema)
  if (values && (values.includes('') || values.some((value) => typeof value !== 'string' && value !== null)))
    texts.push(`One of: ${values.map((value) => JSON.stringify(value)).join(', ')}.`)
  const format = schema['format']
  if (typeof format === 'string' && formats[format] === undefined) texts.push(`Format: ${format}.`)
  return texts.length === 0 ? undefined : texts.join(' ')
}

/** An exclusive limit is one further for integers. For other numbers the nearest limit includes it. */
function exclusive(schema: JsonObject, type: string, step: 1 | -1): number | undefined {
  const limit = schema[step === 1 ? 'exclusiveMinimum' : 'exclusiveMaximum']
  if (typeof limit !== 'number') return undefined
  return type === 'integer' && Number.isInteger(limit) ? limit + step : limit
}

/** The properties of an object. Gemini rejects required properties that are not described. */
function members(schema: JsonObject, place: Place): JsonObject {
  const given = isObject(schema['properties']) ? Object.entries(schema['properties'] as JsonObject) : []
  const described = given.filter(([, one]) => one !== false && one !== undefined)
  if (described.length === 0) return {}
  const names = described.map(([name]) => name)
  const required = Array.isArray(schema['required'])
    ? (schema['required'] as unknown[]).filter((name) => names.includes(String(name)))
    : []
  return dropUndefined({
    properties: Object.fromEntries(described.map(([name, one]) => [name, convert(one, place)])),
    required: required.length > 0 ? (required as JsonValue) : undefined,
    // Gemini writes properties in alphabetical order otherwise.
    propertyOrdering: names.length > 1 ? names : undefined,
  })
}

/** The items of an array. Gemini requires them. A tuple becomes an array of any of its items. */
function itemsOf(schema: JsonObject, place: Place): JsonObject {
  const items = schema['prefixItems'] ?? schema['items']
  if (!Array.isArray(items)) return items === undefined || items === false ? anyValue : convert(items, place)
  return items.length === 0
    ? anyValue
    : union(
        items.map((one) => convert(one as JsonValue, place)),
        false,
      )
}

/** A schema with the keywords of its `allOf`. */
function merged({ allOf, ...rest }: JsonObject): JsonObject {
  const given = allOf as readonly JsonValue[]
  const parts = given.filter(isObject) as readonly JsonObject[]
  const isNested = parts.some((part) => ['$ref', 'allOf', 'anyOf', 'oneOf'].some((key) => key in part))
  if (parts.length < given.length || (parts.length > 1 && isNested)) throw new Inexpressible()
  const all = [...parts, rest]
  const properties = Object.fromEntries(
    all.flatMap((part) => (isObject(part['properties']) ? Object.entries(part['properties'] as JsonObject) : [])),
  )
  const required = all.flatMap((part) => (Array.isArray(part['required']) ? (part['required'] as JsonValue[]) : []))
  return dropUndefined({
    ...Object.fromEntries(all.flatMap((part) => Object.entries(part))),
    properties: Object.keys(properties).length > 0 ? properties : undefined,
    required: required.length > 0 ? [...new Set(required)] : undefined,
  })
}

/** The schema that a reference names, such as `#/$defs/item`. */
function definition(root: JsonObject, reference: string): JsonObject | true {
  const [start, ...steps] = reference.split('/')
  let target: unknown = start === '#' ? root : undefined
  for (const step of steps) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    target = isObject(target) && Object.hasOwn(target, key) ? target[key] : undefined
  }
  if (target !== true && !isObject(target)) throw new Inexpressible()
  return target as JsonObject | true
}
