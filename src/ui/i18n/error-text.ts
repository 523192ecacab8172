// What a visitor reads about an error: one sentence for each code, never its message, which is for developers.
import type { Failure } from '../../core/data/errors.js'
import { isObject } from '../../core/data/json.js'
import type { Words } from './en.js'

/** The sentence for an error: a general one for a code without one. */
export function errorText({ code, details }: Failure, words: Words): string {
  const { problems, problem, full } = words.notices
  const isFull = code === 'storage' && isObject(details) && details['name'] === 'QuotaExceededError'
  // Elsewhere, the code means a model that the browser does not have.
  if (code === 'unavailable' && isObject(details) && 'load' in details) return words.unloaded
  return isFull ? full : (problems[code] ?? problem)
}
