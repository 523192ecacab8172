// Checks and copies JSON values: no key that reaches a prototype, no endless nesting, nothing that is not JSON. And
// makes JSON of what a tool returned, for the session, with its text for the model.
import { withIndex } from '../../core/data/lists.js'
import { isObject, isPrototypeKey, type JsonValue } from '../../core/data/json.js'
import { pathText, jsonText, maxJsonChars, plainJson } from '../../core/data/plain-json.js'
import type { ValidationIssue } from './validation-issue.js'

/** The maximum number of levels that arguments may be nested. */
export const maxValueDepth = 200

/** The first key that would reach an object's prototype when it is copied, or that values are nested too deep. */
export function forbiddenKey(value: JsonValue, path: readonly (string | number)[] = []): ValidationIssue | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (path.length > maxValueDepth) return { path: '', message: `nested more than ${maxValueDepth} levels deep` }
  if (Array.isArray(value)) {
    for (const [index, item] of withIndex(value)) {
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

/** A deep copy. Properties that are undefined are dropped, as in JSON. */
export function copyOf(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(copyOf)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value as Record<string, JsonValue | undefined>).flatMap(([key, item]) =>
      item === undefined ? [] : [[key, copyOf(item)]],
    ),
  )
}

/**
 * JSON and text of a value. The text of a string is the string, of undefined `Success`, of an empty string
 * `(empty result)`, of anything else its JSON text.
 * `most`: the longest JSON text, in characters; by default what a message can hold.
 * @throws `not-serializable` with the path of the value that JSON cannot hold
 */
export function toJson(value: unknown, most = maxJsonChars): { json: JsonValue; text: string } {
  const json = plainJson(value, undefined, most)
  if (json === undefined) return { json: null, text: 'Success' }
  const text = jsonText(json, undefined, most)
  if (json === '') return { json, text: '(empty result)' }
  return { json, text: typeof json === 'string' ? json.toWellFormed() : text }
}
