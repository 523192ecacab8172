// Questions about JSON values that come from a model: are they safe to copy around, and are they JSON at all.
import { isObject, isPrototypeKey, type JsonValue } from '../../core/data/json.js'
import { pathText } from '../../core/data/plain-json.js'
import type { ValidationIssue } from '../validation/validation-issue.js'

const maxDepth = 200

/** The first key that could reach an object's prototype when somebody copies it, or the place that is too deep. */
export function forbiddenKey(value: JsonValue, path: readonly (string | number)[] = []): ValidationIssue | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (path.length > maxDepth) return { path: '', message: `nested more than ${maxDepth} levels deep` }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const issue = forbiddenKey(item, [...path, index])
      if (issue !== undefined) return issue
    }
    return undefined
  }
  for (const key of Object.keys(value)) {
    if (isPrototypeKey(key)) return { path: pathText([...path, key]), message: 'this key is not allowed' }
    const issue = forbiddenKey((value as Record<string, JsonValue>)[key] ?? null, [...path, key])
    if (issue !== undefined) return issue
  }
  return undefined
}

/** Whether a value is JSON as it stands: nothing in it would change on its way through JSON text. */
export function isJson(value: unknown, depth = 0): value is JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || depth > maxDepth) return false
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth + 1))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) return false
  return isObject(value) && Object.values(value).every((item) => item === undefined || isJson(item, depth + 1))
}

/** A copy that shares nothing; properties that are undefined are gone, as in JSON. */
export function copyOf(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(copyOf)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value as Record<string, JsonValue | undefined>).flatMap(([key, item]) =>
      item === undefined ? [] : [[key, copyOf(item)]],
    ),
  )
}
