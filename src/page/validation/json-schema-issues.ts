// What a validator of JSON Schema found, in the words of all issues: where, and what was expected there. Loaded with the
// first arguments that do not fit.
import type { OutputUnit } from '@cfworker/json-schema'
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import { pathText } from '../../core/data/plain-json.js'
import { missingPropertyIssue, type ValidationIssue } from './validation-issue.js'
import { resolvePointer } from '../schema/walk.js'

/** Keywords that only say that something inside did not fit; the inner error follows. */
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

/** At least one issue for the errors of a value. */
export function toValidationIssues(
  errors: readonly OutputUnit[],
  value: JsonValue,
  schema: JsonObject,
): ValidationIssue[] {
  const issues: ValidationIssue[] = []
  let branches = ''
  let within = false
  for (const error of errors) {
    // The location of `false` schemas is that of the value, so they belong to whatever came before them.
    within = branches !== '' && (error.keyword === 'false' ? within : error.keywordLocation.startsWith(branches))
    if (within || wrappers.has(error.keyword)) continue
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf') {
      branches = `${error.keywordLocation}/`
      within = true
      issues.push(alternatives(error, errors, branches, value, schema))
    } else {
      issues.push(issueOf(error, value, schema))
    }
  }
  const seen = new Set<string>()
  const unique = issues.filter(
    ({ path, message }) => !seen.has(`${path}\n${message}`) && seen.add(`${path}\n${message}`),
  )
  return unique.length > 0 ? unique : [{ path: '', message: errors[0]?.error ?? 'does not fit the schema' }]
}

function alternatives(
  error: OutputUnit,
  errors: readonly OutputUnit[],
  prefix: string,
  value: JsonValue,
  schema: JsonObject,
): ValidationIssue {
  const path = pathText(pathOf(error.instanceLocation, value))
  const inner = errors.filter(
    (each) =>
      each.keywordLocation.startsWith(prefix) &&
      !wrappers.has(each.keyword) &&
      !['anyOf', 'oneOf'].includes(each.keyword),
  )
  const texts = new Set(
    inner.map((each) => {
      const issue = issueOf(each, value, schema)
      return issue.path === path || issue.path === '' ? issue.message : `${issue.path}: ${issue.message}`
    }),
  )
  if (inner.length === 0 || (error.keyword === 'oneOf' && !error.error.includes('(0 matches)')))
    return { path, message: error.error }
  return { path, message: `none of the alternatives fits: ${[...texts].slice(0, 5).join(' | ')}` }
}

function issueOf(
  { keyword, keywordLocation, error, instanceLocation }: OutputUnit,
  value: JsonValue,
  schema: JsonObject,
): ValidationIssue {
  const path = pathOf(instanceLocation, value)
  const name = /"([^]*)"\.$/.exec(error)?.[1]
  switch (keyword) {
    case 'required':
      if (name !== undefined)
        return { path: pathText([...path, name]), message: missingPropertyIssue(undefined, schema, [...path, name]) }
      break
    case 'type': {
      const [, got, expected] = /^Instance type "(.*)" is invalid\. Expected (.*)\.$/.exec(error) ?? []
      if (got !== undefined && expected !== undefined) {
        return {
          path: pathText(path),
          message: `expected ${expected.replaceAll('"', '').replaceAll(', ', ' or ')}, got ${got}`,
        }
      }
      break
    }
    case 'pattern': {
      const pattern = keywordAt(schema, keywordLocation)
      if (typeof pattern === 'string') return { path: pathText(path), message: `does not match the pattern ${pattern}` }
      break
    }
    case 'enum':
      return {
        path: pathText(path),
        message: error.replace(/^Instance does not match any of /, 'must be one of ').replace(/\.$/, ''),
      }
    case 'const':
      return {
        path: pathText(path),
        message: error.replace(/^Instance does not match /, 'must be ').replace(/\.$/, ''),
      }
    case 'false':
      return { path: pathText(path), message: path.length === 0 ? 'nothing is allowed here' : 'is not a known field' }
  }
  return { path: pathText(path), message: error.replace(/\.$/, '') }
}

/** The value at `#/properties/a/$ref/pattern`. References on the way are followed. */
function keywordAt(schema: JsonObject, location: string): unknown {
  let value: unknown = schema
  for (const segment of location.split('/').slice(1)) {
    const key = keyOf(segment)
    const inner = isObject(value) || Array.isArray(value) ? (value as Record<string, unknown>)[key] : undefined
    value = key === '$ref' && typeof inner === 'string' ? resolvePointer(schema, inner) : inner
  }
  return value
}

function keyOf(segment: string): string {
  return decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~')
}

/** `#/items/2/name` as keys; a number where an array stands. */
function pathOf(location: string, value: JsonValue): (string | number)[] {
  let inner: unknown = value
  return location
    .split('/')
    .slice(1)
    .map((segment) => {
      const key = keyOf(segment)
      const place = Array.isArray(inner) ? Number(key) : key
      inner = isObject(inner) || Array.isArray(inner) ? (inner as Record<string, unknown>)[key] : undefined
      return place
    })
}
