// What is wrong with some arguments, in words a model can act on: where, and what was expected there.
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { isObject, type JsonObject } from '../../core/data/json.js'
import { pathText } from '../../core/data/plain-json.js'
import { schemaAt, jsonTypesAt } from '../schema/types.js'

/** `path` such as `items[2].name`, empty for the whole. */
export interface ValidationIssue {
  readonly path: string
  readonly message: string
}

type Key = PropertyKey | StandardSchemaV1.PathSegment
type LibraryIssue = StandardSchemaV1.Issue & {
  readonly code?: unknown
  readonly errors?: unknown
  readonly unionErrors?: unknown
}

function keyOf(key: Key): string | number {
  const plain = typeof key === 'object' ? key.key : key
  return typeof plain === 'symbol' ? String(plain) : plain
}

/** An issue of a schema library; `value` is what was checked, `schema` the JSON Schema that the model saw. */
export function toValidationIssue(
  issue: StandardSchemaV1.Issue,
  value: unknown,
  schema: JsonObject | undefined,
): ValidationIssue {
  const path = (issue.path ?? []).map(keyOf)
  const { code } = issue as LibraryIssue
  const plain = path.map((key) =>
    typeof key === 'string' && Array.isArray(parentOf(value, path, key)) ? Number(key) : key,
  )
  const stock = /undefined|required|missing/i.test(issue.message)
  if (path.length > 0 && isMissing(value, path) && (stock || code === 'invalid_type')) {
    return { path: pathText(plain), message: missingPropertyIssue(stock ? undefined : issue.message, schema, path) }
  }
  // zod 3 says no more of a pattern.
  const pattern = issue.message === 'Invalid' && schema ? schemaAt(schema, plain)?.['pattern'] : undefined
  return {
    path: pathText(plain),
    message:
      pattern === undefined ? (unionText(issue) ?? issue.message) : `does not match the pattern ${String(pattern)}`,
  }
}

/** `required (string)`, with the type that the model was told, or with the author's own words. */
export function missingPropertyIssue(
  words: string | undefined,
  schema: JsonObject | undefined,
  path: readonly (string | number)[],
): string {
  if (words !== undefined) return `required: ${words}`
  const types = schema === undefined ? [] : jsonTypesAt(schema, path)
  return types.length === 0 ? 'required' : `required (${types.join(' or ')})`
}

function parentOf(value: unknown, path: readonly (string | number)[], key: string | number): unknown {
  return at(value, path.slice(0, path.indexOf(key)))
}

function isMissing(value: unknown, path: readonly (string | number)[]): boolean {
  const parent = at(value, path.slice(0, -1))
  return isObject(parent) && parent[String(path.at(-1))] === undefined
}

function at(value: unknown, path: readonly (string | number)[]): unknown {
  let inner = value
  for (const key of path) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, key)) return undefined
    inner = (inner as Record<string, unknown>)[key]
  }
  return inner
}

/** zod says "Invalid input" of a union; its branches say what they wanted. */
function unionText(issue: LibraryIssue): string | undefined {
  const branches = Array.isArray(issue.errors)
    ? issue.errors
    : Array.isArray(issue.unionErrors)
      ? issue.unionErrors.map((error: unknown) => (isObject(error) ? error['issues'] : undefined))
      : []
  const depth = Array.isArray(issue.unionErrors) ? (issue.path?.length ?? 0) : 0
  const texts = branches.flatMap((issues: unknown) => {
    const first: unknown = Array.isArray(issues) ? issues[0] : undefined
    if (!isObject(first) || typeof first['message'] !== 'string') return []
    const path = Array.isArray(first['path']) ? (first['path'] as Key[]).slice(depth).map(keyOf) : []
    return [path.length === 0 ? first['message'] : `${pathText(path)}: ${first['message']}`]
  })
  return texts.length === 0 ? undefined : `${issue.message}, none of these fits: ${texts.slice(0, 5).join(' | ')}`
}
