// Validates the common part of JSON Schema. The full validator is loaded for all other schemas. Decision: both give the
// same errors in the same order, and a closed list of keywords decides which schemas are common.
import type { OutputUnit } from '@cfworker/json-schema'
import { isObject } from '../../core/data/json.js'
import { escapePointer } from '../schema/walk.js'

const isText = (value: unknown): boolean => typeof value === 'string'
const isNumber = (value: unknown): boolean => typeof value === 'number'
const isList = (value: unknown, fits: (item: unknown) => boolean): boolean => Array.isArray(value) && value.every(fits)
const isTexts = (value: unknown): boolean => isList(value, isText)
const areCommon = (value: unknown): boolean => isList(value, isCommon)
const isNote = (value: unknown): boolean => !isObject(value)
const isAny = (): boolean => true

/** Every keyword of common schemas, and the form that its value must have. */
export const isKnownKeyword: ReadonlyMap<string, (value: unknown) => boolean> = new Map(
  (
    [
      [(value) => isText(value) || isTexts(value), 'type'],
      [isTexts, 'required'],
      [(value) => isObject(value) && Object.values(value).every(isCommon), 'properties'],
      [isCommon, 'additionalProperties items'],
      [areCommon, 'anyOf allOf oneOf'],
      [Array.isArray, 'enum'],
      [isNumber, 'minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength minItems maxItems'],
      [isText, 'pattern'],
      [isAny, 'const default'],
      [isNote, '$schema $comment title description examples deprecated readOnly writeOnly nullable'],
    ] as [(value: unknown) => boolean, string][]
  ).flatMap(([fits, names]) => names.split(' ').map((name) => [name, fits])),
)

/** Whether `commonErrors` can replace the full validator. Not for draft 4, whose exclusive bounds are booleans. */
export function isCommon(schema: unknown): boolean {
  return (
    typeof schema === 'boolean' ||
    (isObject(schema) && Object.entries(schema).every(([key, value]) => isKnownKeyword.get(key)?.(value)))
  )
}

/** An error of a validator. Its message is made of the keyword. */
export type JsonSchemaError = Omit<OutputUnit, 'error'> & {
  /** The validator's own text, used where the keyword is a rare one. `commonErrors` gives none. */
  readonly error?: string
}

/**
 * The errors of a value, none if it is valid: those of `Validator.validate` without their texts, in its order. `schema`
 * must be a common one. Throws for a value that is not JSON, as the full validator does.
 */
export function commonErrors(value: unknown, schema: unknown, instance = '#', location = '#'): JsonSchemaError[] {
  const errors: JsonSchemaError[] = []
  if (!isObject(schema)) {
    // The full validator, too, gives this error the location of the value.
    return schema === true ? errors : [{ instanceLocation: instance, keyword: 'false', keywordLocation: instance }]
  }
  /** Adds an error of a keyword, followed by those of its inner schemas. */
  const fail = (keyword: string, inner: readonly JsonSchemaError[] = []): void => {
    errors.push({ instanceLocation: instance, keyword, keywordLocation: `${location}/${keyword}` }, ...inner)
  }
  /** Checks a property or item with an inner schema. */
  const failInside = (keyword: string, key: string | number, inner: unknown, segment = ''): void => {
    const found = commonErrors(
      (value as Record<string, unknown>)[key],
      inner,
      `${instance}/${pointer(String(key))}`,
      `${location}/${keyword}${segment}`,
    )
    if (found.length > 0) fail(keyword, found)
  }
  /** Fails where a limit is set and broken: a comparison with a missing one (undefined) is false. */
  const least = (keyword: string, size: number): void => {
    if (size < (schema[keyword] as number)) fail(keyword)
  }
  const most = (keyword: string, size: number): void => {
    if (size > (schema[keyword] as number)) fail(keyword)
  }

  const type = typeNameOf(value)
  if (!/^(null|array|object|string|number|boolean)$/.test(type))
    throw new Error(`Instances of "${type}" type are not supported.`)
  const { type: types, required, properties, additionalProperties, items, pattern } = schema
  if (
    types !== undefined &&
    ![types].flat().some((one) => one === type || (one === 'integer' && Number.isInteger(value)))
  )
    fail('type')
  if (schema['const'] !== undefined && !isSame(value, schema['const'])) fail('const')
  const { enum: allowed } = schema
  if (Array.isArray(allowed) && !allowed.some((one) => isSame(value, one))) fail('enum')
  for (const keyword of ['anyOf', 'allOf', 'oneOf']) {
    const branches = schema[keyword]
    if (!Array.isArray(branches)) continue
    const found = branches.map((branch, index) =>
      commonErrors(value, branch, instance, `${location}/${keyword}/${index}`),
    )
    const matches = found.filter(({ length }) => length === 0).length
    if (keyword === 'anyOf' ? matches === 0 : matches !== (keyword === 'oneOf' ? 1 : found.length))
      fail(keyword, found.flat())
  }

  if (isObject(value)) {
    for (const key of Array.isArray(required) ? required : []) if (!Object.hasOwn(value, String(key))) fail('required')
    const declared = isObject(properties) ? properties : {}
    for (const [key, inner] of Object.entries(declared)) {
      if (Object.hasOwn(value, key)) failInside('properties', key, inner, `/${pointer(key)}`)
    }
    if (additionalProperties !== undefined) {
      for (const key of Object.keys(value)) {
        if (!Object.hasOwn(declared, key)) failInside('additionalProperties', key, additionalProperties)
      }
    }
  } else if (Array.isArray(value)) {
    most('maxItems', value.length)
    least('minItems', value.length)
    if (items !== undefined) for (let index = 0; index < value.length; index++) failInside('items', index, items)
  } else if (typeof value === 'number') {
    least('minimum', value)
    most('maximum', value)
    if (value <= (schema['exclusiveMinimum'] as number)) fail('exclusiveMinimum')
    if (value >= (schema['exclusiveMaximum'] as number)) fail('exclusiveMaximum')
  } else if (typeof value === 'string') {
    const { length } = Array.from(value)
    least('minLength', length)
    most('maxLength', length)
    if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value)) fail('pattern')
  }
  return errors
}

/** The name of a value's type in JSON Schema; of a value that is not JSON, in JavaScript. */
function typeNameOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** A key as a segment of a location, escaped like the full validator does. */
function pointer(key: string): string {
  return encodeURI(escapePointer(key)).replaceAll('#', '%23')
}

/** Whether two JSON values are equal. The order of keys does not count. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return one === other
  const keys = Object.keys(one)
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key as never], other[key as never]))
  )
}
