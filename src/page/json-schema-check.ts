// Validation of plain JSON Schema. Common schemas are checked here, the full validator is loaded at the first call of a
// tool whose schema needs it; it interprets the schema and compiles nothing, so a page without `unsafe-eval` gets no
// violation report.
import type { OutputUnit, SchemaDraft } from '@cfworker/json-schema'
import { isObject, type JsonObject, type JsonValue } from '../core/json.js'
import { pathText } from '../core/plain-json.js'
import { required, type Issue } from './issue.js'
import { commonErrors, isCommon } from './json-schema-common.js'
import { invalid } from './schema-kind.js'

/** The issues of a value, none if it is valid. Throws `invalid-tool` if the schema itself cannot be used. */
export type JsonCheck = (value: JsonValue) => Promise<readonly Issue[]>

/**
 * Formats (`email`, `date`, …) are checked, too: who writes one means it. A schema without `$schema` is draft 2020-12.
 * The schema is the callee's from here on: the validator writes into it.
 */
export function jsonCheck(own: JsonObject | boolean, what: string): JsonCheck {
  const draft = draftOf(own)
  let loaded: Promise<(value: JsonValue) => OutputUnit[]> | undefined
  const load = async (): Promise<(value: JsonValue) => OutputUnit[]> => {
    if (draft !== '4' && isCommon(own)) return (value) => commonErrors(value, own)
    const { Validator } = await import('@cfworker/json-schema')
    const validator = new Validator(own, draft, false)
    return (value) => {
      const { valid, errors } = validator.validate(value)
      return valid ? [] : errors
    }
  }
  return async (value) => {
    let errors: OutputUnit[]
    try {
      loaded ??= load()
      errors = (await loaded)(value)
    } catch (error) {
      // A chunk that did not arrive may do so next time.
      loaded = undefined
      throw invalid(`${what} cannot be used: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`, error)
    }
    return errors.length === 0 ? [] : issuesOf(errors, value, typeof own === 'boolean' ? {} : own)
  }
}

function draftOf(schema: JsonObject | boolean): SchemaDraft {
  const dialect = typeof schema === 'boolean' ? '' : String(schema['$schema'] ?? '')
  if (/draft-0[67]\b/.test(dialect)) return '7'
  if (/draft-04\b/.test(dialect)) return '4'
  return dialect.includes('2019-09') ? '2019-09' : '2020-12'
}

/** Keywords that only say that something inside did not fit; the inner error follows. */
const wrappers: ReadonlySet<string> = new Set([
  'properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'items', 'prefixItems',
  'additionalItems', 'unevaluatedItems', '$ref', '$recursiveRef', 'allOf', 'if', 'dependentSchemas', 'propertyNames',
])

function issuesOf(errors: readonly OutputUnit[], value: JsonValue, schema: JsonObject): Issue[] {
  const issues: Issue[] = []
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
  const unique = issues.filter(({ path, message }) => !seen.has(`${path}\n${message}`) && seen.add(`${path}\n${message}`))
  return unique.length > 0 ? unique : [{ path: '', message: errors[0]?.error ?? 'does not fit the schema' }]
}

function alternatives(error: OutputUnit, errors: readonly OutputUnit[], prefix: string, value: JsonValue, schema: JsonObject): Issue {
  const path = pathText(pathOf(error.instanceLocation, value))
  const inner = errors.filter((each) => each.keywordLocation.startsWith(prefix) && !wrappers.has(each.keyword) && !['anyOf', 'oneOf'].includes(each.keyword))
  const texts = new Set(inner.map((each) => {
    const issue = issueOf(each, value, schema)
    return issue.path === path || issue.path === '' ? issue.message : `${issue.path}: ${issue.message}`
  }))
  if (inner.length === 0 || error.keyword === 'oneOf' && !error.error.includes('(0 matches)')) return { path, message: error.error }
  return { path, message: `none of the alternatives fits: ${[...texts].slice(0, 5).join(' | ')}` }
}

function issueOf({ keyword, error, instanceLocation }: OutputUnit, value: JsonValue, schema: JsonObject): Issue {
  const path = pathOf(instanceLocation, value)
  const name = /"([^]*)"\.$/.exec(error)?.[1]
  switch (keyword) {
    case 'required':
      if (name !== undefined) return { path: pathText([...path, name]), message: required(undefined, schema, [...path, name]) }
      break
    case 'type': {
      const [, got, expected] = /^Instance type "(.*)" is invalid\. Expected (.*)\.$/.exec(error) ?? []
      if (got !== undefined && expected !== undefined) {
        return { path: pathText(path), message: `expected ${expected.replaceAll('"', '').replaceAll(', ', ' or ')}, got ${got}` }
      }
      break
    }
    case 'enum': return { path: pathText(path), message: error.replace(/^Instance does not match any of /, 'must be one of ').replace(/\.$/, '') }
    case 'const': return { path: pathText(path), message: error.replace(/^Instance does not match /, 'must be ').replace(/\.$/, '') }
    case 'false': return { path: pathText(path), message: path.length === 0 ? 'nothing is allowed here' : 'is not a known field' }
  }
  return { path: pathText(path), message: error.replace(/\.$/, '') }
}

/** `#/items/2/name` as keys; a number where an array stands. */
function pathOf(location: string, value: JsonValue): (string | number)[] {
  let inner: unknown = value
  return location.split('/').slice(1).map((segment) => {
    const key = decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~')
    const place = Array.isArray(inner) ? Number(key) : key
    inner = isObject(inner) || Array.isArray(inner) ? (inner as Record<string, unknown>)[key] : undefined
    return place
  })
}
