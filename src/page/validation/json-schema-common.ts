// The part of JSON Schema that most tools are written in, checked without the full validator, which is loaded for all
// other schemas. Decision: the same answers, to the letter: which schemas are taken is told by a closed list of
// keywords, and the errors are those that the full validator gives, in its order.
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

/** Every keyword that is known, and the form in which it is. */
export const isKnownKeyword: ReadonlyMap<string, (value: unknown) => boolean> = new Map(
  (
    [
      [(value) => isText(value) || isTexts(value), 'type'],
      [isTexts, 'required'],
      [(value) => isObject(value) && Object.values(value).every(isCommon), 'properties'],
      [isCommon, 'additionalProperties items'],
      [areCommon, 'anyOf allOf oneOf'],
      [(value) => isList(value, isAny), 'enum'],
      [isNumber, 'minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength minItems maxItems'],
      [isText, 'pattern'],
      [isAny, 'const default'],
      [isNote, '$schema $comment title description examples deprecated readOnly writeOnly nullable'],
    ] as [(value: unknown) => boolean, string][]
  ).flatMap(([fits, names]) => names.split(' ').map((name) => [name, fits])),
)

/** Whether `commonErrors` can stand for the full validator. For any draft but 4, whose bounds mean something else. */
export function isCommon(schema: unknown): boolean {
  return (
    typeof schema === 'boolean' ||
    (isObject(schema) && Object.entries(schema).every(([key, value]) => isKnownKeyword.get(key)?.(value)))
  )
}

/** What is wrong with a value, as `Validator.validate` of `@cfworker/json-schema` says it. `schema` is a common one. */
export function commonErrors(value: unknown, schema: unknown, at = '#', place = '#'): OutputUnit[] {
  const errors: OutputUnit[] = []
  if (!isObject(schema)) {
    return schema === true
      ? errors
      : [{ instanceLocation: at, keyword: 'false', keywordLocation: at, error: 'False boolean schema.' }]
  }
  const fail = (keyword: string, error: string, inner: readonly OutputUnit[] = []): void => {
    errors.push({ instanceLocation: at, keyword, keywordLocation: `${place}/${keyword}`, error }, ...inner)
  }
  const inside = (keyword: string, error: string, key: string | number, inner: unknown, more = ''): void => {
    const found = commonErrors(
      (value as Record<string, unknown>)[key],
      inner,
      `${at}/${pointer(String(key))}`,
      `${place}/${keyword}${more}`,
    )
    if (found.length > 0) fail(keyword, error, found)
  }
  const bound = (keyword: string, breaks: (limit: number) => boolean, error: (limit: unknown) => string): void => {
    const limit = schema[keyword]
    if (limit !== undefined && breaks(limit as number)) fail(keyword, error(limit))
  }

  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  if (!/^(null|array|object|string|number|boolean)$/.test(type))
    throw new Error(`Instances of "${type}" type are not supported.`)
  const {
    type: types,
    const: fixed,
    enum: allowed,
    required,
    properties,
    additionalProperties,
    items,
    pattern,
  } = schema
  if (types !== undefined) {
    const list = [types].flat()
    if (!list.some((one) => one === type || (one === 'integer' && Number.isInteger(value)))) {
      fail('type', `Instance type "${type}" is invalid. Expected "${list.join('", "')}".`)
    }
  }
  if (fixed !== undefined && !isSame(value, fixed)) fail('const', `Instance does not match ${JSON.stringify(fixed)}.`)
  if (Array.isArray(allowed) && !allowed.some((one) => isSame(value, one)))
    fail('enum', `Instance does not match any of ${JSON.stringify(allowed)}.`)
  for (const keyword of ['anyOf', 'allOf', 'oneOf']) {
    const branches = schema[keyword]
    if (!Array.isArray(branches)) continue
    const found = branches.map((branch, index) => commonErrors(value, branch, at, `${place}/${keyword}/${index}`))
    const matches = found.filter(({ length }) => length === 0).length
    if (keyword === 'anyOf' ? matches === 0 : matches !== (keyword === 'oneOf' ? 1 : found.length)) {
      fail(
        keyword,
        keyword === 'anyOf'
          ? 'Instance does not match any subschemas.'
          : keyword === 'allOf'
            ? 'Instance does not match every subschema.'
            : `Instance does not match exactly one subschema (${matches} matches).`,
        found.flat(),
      )
    }
  }

  if (isObject(value)) {
    for (const key of Array.isArray(required) ? required : []) {
      if (!Object.hasOwn(value, String(key))) fail('required', `Instance does not have required property "${key}".`)
    }
    const declared = isObject(properties) ? properties : {}
    for (const [key, inner] of Object.entries(declared)) {
      if (Object.hasOwn(value, key))
        inside('properties', `Property "${key}" does not match schema.`, key, inner, `/${pointer(key)}`)
    }
    if (additionalProperties !== undefined) {
      for (const key of Object.keys(value)) {
        if (!Object.hasOwn(declared, key))
          inside(
            'additionalProperties',
            `Property "${key}" does not match additional properties schema.`,
            key,
            additionalProperties,
          )
      }
    }
  } else if (Array.isArray(value)) {
    const { length } = value
    bound(
      'maxItems',
      (limit) => length > limit,
      (limit) => `Array has too many items (${length} > ${limit}).`,
    )
    bound(
      'minItems',
      (limit) => length < limit,
      (limit) => `Array has too few items (${length} < ${limit}).`,
    )
    if (items !== undefined)
      for (let index = 0; index < length; index++) inside('items', 'Items did not match schema.', index, items)
  } else if (typeof value === 'number') {
    bound(
      'minimum',
      (limit) => value < limit,
      (limit) => `${value} is less than ${limit}.`,
    )
    bound(
      'maximum',
      (limit) => value > limit,
      (limit) => `${value} is greater than ${limit}.`,
    )
    bound(
      'exclusiveMinimum',
      (limit) => value <= limit,
      (limit) => `${value} is less than ${limit}.`,
    )
    bound(
      'exclusiveMaximum',
      (limit) => value >= limit,
      (limit) => `${value} is greater than or equal to ${limit}.`,
    )
  } else if (typeof value === 'string') {
    const { length } = [...value]
    bound(
      'minLength',
      (limit) => length < limit,
      (limit) => `String is too short (${length} < ${limit}).`,
    )
    bound(
      'maxLength',
      (limit) => length > limit,
      (limit) => `String is too long (${length} > ${limit}).`,
    )
    if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value))
      fail('pattern', 'String does not match pattern.')
  }
  return errors
}

function pointer(key: string): string {
  return encodeURI(escapePointer(key)).replaceAll('#', '%23')
}

function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return one === other
  const keys = Object.keys(one)
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key as never], other[key as never]))
  )
}
