// Words the errors of a JSON Schema validator like all other issues: where, what was expected, what was received. They
// are made of the keyword and the schema at its location.
import type { OutputUnit } from '@cfworker/json-schema'
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import { pathText } from '../../core/data/plain-json.js'
import { jsonTypeOf } from './types.js'
import { resolvePointer } from './walk.js'
import { missingPropertyIssue, type ValidationIssue } from './validation-issue.js'

/** Keywords whose error only says that an inner schema failed. The error of the inner schema follows. */
const wrappers: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'items',
  'prefixItems',
  'additionalItems',
  'unevaluatedItems',
  '$ref',
  '$recursiveRef',
  'allOf',
  'if',
  'dependentSchemas',
  'propertyNames',
])

/** How a limit is worded, and what it counts; nothing for a limit of the number itself. */
const limits: ReadonlyMap<string, readonly [words: string, unit: string]> = new Map([
  ['minimum', ['a number >=', '']],
  ['maximum', ['a number <=', '']],
  ['exclusiveMinimum', ['a number >', '']],
  ['exclusiveMaximum', ['a number <', '']],
  ['multipleOf', ['a multiple of', '']],
  ['minLength', ['at least', 'character']],
  ['maxLength', ['at most', 'character']],
  ['minItems', ['at least', 'item']],
  ['maxItems', ['at most', 'item']],
  ['minProperties', ['at least', 'key']],
  ['maxProperties', ['at most', 'key']],
])

/** What was validated: the value, and the schema with its definitions. */
interface Subject {
  readonly value: JsonValue
  readonly schema: JsonObject
}

/** The issues that the errors of a value stand for: at least one, none twice. */
export function toValidationIssues(
  errors: readonly OutputUnit[],
  value: JsonValue,
  schema: JsonObject,
): ValidationIssue[] {
  const subject = { value, schema }
  const issues: ValidationIssue[] = []
  for (let index = 0; index < errors.length; index++) {
    const error = errors[index]
    if (error === undefined || wrappers.has(error.keyword)) continue
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf') {
      const inner = innerErrors(error, errors.slice(index + 1))
      index += inner.length
      issues.push(alternativesIssue(error, inner, subject))
    } else {
      issues.push(...issuesOf(error, subject))
    }
  }
  const unique = new Map(issues.map((issue) => [JSON.stringify(issue), issue]))
  return unique.size > 0 ? [...unique.values()] : [{ path: '', message: 'does not match the schema' }]
}

/** The errors of the branches of a combining keyword, which follow its own error. */
function innerErrors({ keywordLocation }: OutputUnit, following: readonly OutputUnit[]): OutputUnit[] {
  // The validator gives the schema `false` the location of the value. Such an error belongs to the one before it.
  const end = following.findIndex(
    (error) => error.keyword !== 'false' && !error.keywordLocation.startsWith(`${keywordLocation}/`),
  )
  return following.slice(0, end === -1 ? undefined : end)
}

/** One issue for `anyOf` or `oneOf`, with at most five issues of its branches. */
function alternativesIssue(error: OutputUnit, inner: readonly OutputUnit[], subject: Subject) {
  const { keyword, keywordLocation, instanceLocation } = error
  const path = pathText(locate(instanceLocation, subject.value).path)
  const branches = keywordAt(subject.schema, keywordLocation)
  const failed = (branch: unknown, index: number): boolean =>
    branch === false || inner.some((each) => each.keywordLocation.startsWith(`${keywordLocation}/${index}/`))
  const matches =
    keyword === 'oneOf' && Array.isArray(branches)
      ? branches.filter((branch, index) => !failed(branch, index)).length
      : 0
  if (matches > 0) return { path, message: `matches ${matches} of the alternatives, expected exactly one` }
  const texts = new Set(
    inner
      .filter((each) => !wrappers.has(each.keyword) && each.keyword !== 'anyOf' && each.keyword !== 'oneOf')
      .flatMap((each) => issuesOf(each, subject))
      .map((issue) => (issue.path === path || issue.path === '' ? issue.message : `${issue.path}: ${issue.message}`)),
  )
  const list = texts.size === 0 ? '' : `: ${[...texts].slice(0, 5).join(' | ')}`
  return { path, message: `matches none of the alternatives${list}` }
}

/** One issue for an error; one for each missing property. */
function issuesOf(error: OutputUnit, { value: root, schema }: Subject): ValidationIssue[] {
  const { path, value } = locate(error.instanceLocation, root)
  const rule = keywordAt(schema, error.keywordLocation)
  if (error.keyword === 'required' && Array.isArray(rule)) {
    const missing = rule.filter((name) => !isObject(value) || !Object.hasOwn(value, String(name))).map(String)
    return missing.map((name) => ({
      path: pathText([...path, name]),
      message: missingPropertyIssue(undefined, schema, [...path, name]),
    }))
  }
  return [{ path: pathText(path), message: messageOf(error, rule, value, path.length === 0) }]
}

/** `rule`: the value of the keyword, undefined where its location cannot be followed. */
function messageOf({ keyword, error }: OutputUnit, rule: unknown, value: JsonValue, isRoot: boolean): string {
  if (keyword === 'false') return isRoot ? 'no value is allowed' : 'unrecognized key'
  const limit = limits.get(keyword)
  if (rule !== undefined && limit) {
    const [words, unit] = limit
    const counted = unit === '' ? '' : ` ${unit}${rule === 1 ? '' : 's'}`
    return `expected ${words} ${String(rule)}${counted}, received ${sizeOf(value)}`
  }
  if (rule !== undefined)
    switch (keyword) {
      case 'type':
        return `expected ${[rule].flat().join(' or ')}, received ${jsonTypeOf(value)}`
      case 'enum':
        return `expected one of ${JSON.stringify(rule).slice(1, -1)}`
      case 'const':
        return `expected ${JSON.stringify(rule)}`
      case 'pattern':
        return `must match the pattern ${String(rule)}`
      case 'format':
        return `expected a string of the format ${String(rule)}`
    }
  // A keyword that is rare, or beyond a reference to an address: in the validator's own words.
  return error?.replace(/\.$/, '') ?? 'does not match the schema'
}

/** What the limits of a type count: the number itself, characters, items or keys. */
function sizeOf(value: JsonValue): number {
  if (typeof value === 'number') return value
  if (typeof value === 'string') return [...value].length
  return Object.keys(value ?? {}).length
}

/** The value at a location such as `#/properties/a/$ref/pattern`. Local references on the way are followed. */
function keywordAt(schema: JsonObject, location: string): unknown {
  let value: unknown = schema
  for (const segment of location.split('/').slice(1)) {
    const key = keyOf(segment)
    const inner = childOf(value, key)
    value = key === '$ref' && typeof inner === 'string' ? resolvePointer(schema, inner) : inner
  }
  return value
}

/** The place `#/items/2/name` as keys, a number for an item of an array, and the value there. */
function locate(location: string, root: JsonValue): { path: (string | number)[]; value: JsonValue } {
  let value: unknown = root
  const path = location
    .split('/')
    .slice(1)
    .map((segment) => {
      const key = keyOf(segment)
      const step = Array.isArray(value) ? Number(key) : key
      value = childOf(value, key)
      return step
    })
  return { path, value: value as JsonValue }
}

/** A property or item; undefined where there is none. */
function childOf(value: unknown, key: string): unknown {
  return isObject(value) || Array.isArray(value) ? (value as Record<string, unknown>)[key] : undefined
}

/** A segment of a location as a key. The validator escapes it like a URL fragment. */
function keyOf(segment: string): string {
  return decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~')
}
