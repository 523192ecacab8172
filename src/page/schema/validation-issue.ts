// Words one issue of invalid arguments so that a model can correct it: where it is, and what was expected there.
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { isObject, type JsonObject } from '../../core/data/json.js'
import { pathText } from '../../core/data/plain-json.js'
import { schemaAt, jsonTypesAt } from './types.js'

/** One thing that is wrong with a value. */
export interface ValidationIssue {
  /** Where, such as `items[2].name`. Empty for the whole value. */
  readonly path: string
  /** What was expected and, where it helps, what was received. A phrase without a full stop. */
  readonly message: string
  /** The author of the schema wrote the message, in a `refine` or `superRefine` of zod, so visitors may read it. */
  readonly forVisitors?: true
}

type Key = PropertyKey | StandardSchemaV1.PathSegment
/** The issue of a schema library; zod 4 has `errors` of a union, zod 3 `unionErrors`. */
type LibraryIssue = StandardSchemaV1.Issue & {
  readonly code?: unknown
  readonly errors?: unknown
  readonly unionErrors?: unknown
}

/** A key of an issue's path. A symbol is named. */
function keyOf(key: Key): string | number {
  const plain = typeof key === 'object' ? key.key : key
  return typeof plain === 'symbol' ? String(plain) : plain
}

/** Converts an issue of a schema library. `value` is what was checked, `schema` the JSON Schema that the model saw. */
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
  // The library's own message, not one of the author.
  const isStockMessage = /undefined|required|missing/i.test(issue.message)
  if (path.length > 0 && isMissing(value, path) && (isStockMessage || code === 'invalid_type')) {
    return {
      path: pathText(plain),
      message: missingPropertyIssue(isStockMessage ? undefined : issue.message, schema, path),
    }
  }
  // For a pattern that does not match, zod 3 gives only the message "Invalid".
  const pattern = issue.message === 'Invalid' && schema ? schemaAt(schema, plain)?.['pattern'] : undefined
  return {
    path: pathText(plain),
    message: pattern === undefined ? (unionText(issue) ?? issue.message) : `must match the pattern ${String(pattern)}`,
    ...(code === 'custom' && issue.message !== 'Invalid input' && { forVisitors: true }),
  }
}

/**
 * The message for a missing property: `required (string)` with its type, or `required: …` with the author's message.
 */
export function missingPropertyIssue(
  message: string | undefined,
  schema: JsonObject | undefined,
  path: readonly (string | number)[],
): string {
  if (message !== undefined) return `required: ${message}`
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

/** The value at a path; undefined where it does not exist. */
function at(value: unknown, path: readonly (string | number)[]): unknown {
  let inner = value
  for (const key of path) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, key)) return undefined
    inner = (inner as Record<string, unknown>)[key]
  }
  return inner
}

/** The message for a union. zod's own is "Invalid input"; the issues of its branches have what they expected. */
function unionText(issue: LibraryIssue): string | undefined {
  const { errors, unionErrors, path: outer = [] } = issue
  const ofZod3 = Array.isArray(unionErrors)
    ? unionErrors.map((error: unknown) => (isObject(error) ? error['issues'] : undefined))
    : []
  const branches: readonly unknown[] = Array.isArray(errors) ? errors : ofZod3
  // In zod 3 the paths of the branches begin at the root, in zod 4 at the union.
  const depth = Array.isArray(unionErrors) ? outer.length : 0
  const texts = branches.flatMap((issues) => {
    const first: unknown = Array.isArray(issues) ? issues[0] : undefined
    if (!isObject(first) || typeof first['message'] !== 'string') return []
    const path = Array.isArray(first['path']) ? (first['path'] as Key[]).slice(depth).map(keyOf) : []
    return [path.length === 0 ? first['message'] : `${pathText(path)}: ${first['message']}`]
  })
  return texts.length === 0
    ? undefined
    : `${issue.message}, matches none of the alternatives: ${texts.slice(0, 5).join(' | ')}`
}

/**
 * The issues as one line: `query: required (string); items[2].count: expected number, received string`. At most ten.
 */
export function issuesText(issues: readonly ValidationIssue[]): string {
  const shown = issues.slice(0, 10).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  if (issues.length > shown.length) shown.push(`and ${issues.length - shown.length} more`)
  return shown.join('; ')
}
