// What a visitor reads about an error: its own sentences for each code, never its message, which is for developers.
import type { Failure } from '../../core/data/errors.js'
import { isObject } from '../../core/data/json.js'
import type { ErrorWords, Words } from './en.js'

/** The sentences for an error: what happened and what to do about it. General ones for a code without its own. */
export function errorText(failure: Failure, words: Words): string {
  const said = wordsOf(failure, words)
  // Sentences in Chinese and Japanese stand without a space between them.
  return typeof said === 'string' ? said : said.join(/^(ja|zh)$/.test(words.language) ? '' : ' ')
}

/** The sentence that says what happened, for an error about which something is done already. */
export function problemText(failure: Failure, words: Words): string {
  const said = wordsOf(failure, words)
  return typeof said === 'string' ? said : said[0]
}

function wordsOf({ code, details }: Failure, words: Words): ErrorWords {
  const { problems, problem, full } = words.notices
  const isFull = code === 'storage' && isObject(details) && details['name'] === 'QuotaExceededError'
  // Elsewhere, the code means a model that the browser does not have.
  if (code === 'unavailable' && isObject(details) && 'load' in details) return words.unloaded
  return isFull ? full : (problems[code] ?? problem)
}
