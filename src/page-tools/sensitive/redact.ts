// Removes private values from page text: those that are known, with their forms in a URL and numbers in groups, and all
// that have the shape of a secret. Every part of a pattern is bounded, so that matching takes linear time.
import { hideShapes } from './secret-shapes.js'

/** Before a value that is one word of a phrase: it is only recognized as a whole word, in its own case. */
export const wordMark = '\u0000'
/** Longer values are searched literally, because regular expressions have a size limit. */
const maxPatternLength = 200

const literal = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')

/** Matches a character itself or its form in a URL. */
function characterPattern(character: string): string {
  if (/\s/.test(character)) return '(?:\\s|\\+|%20){1,4}'
  if (/[a-z\d]/i.test(character)) return character
  const bytes = [...new TextEncoder().encode(character)]
    .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
    .join('')
  return `(?:${literal(character)}|${bytes}|${bytes.toUpperCase()})`
}

/** Three or four characters occur in many texts. They match only as a separate word, and not in a price or decimal. */
const asWord = (pattern: string): string =>
  `(?<![\\p{L}\\p{N}_$€£¥]|\\p{N}[.,:])${pattern}(?![\\p{L}\\p{N}_]|[.,:]\\p{N}|\\s?[€£¥])`

/** The patterns of one value; none if it is too short to be recognized. */
function patternsOf(secret: string): string[] {
  if (secret.startsWith(wordMark)) return [`(?<!\\p{L})${secret.slice(wordMark.length)}(?!\\p{L})`]
  const digits = secret.replace(/[\s.+/_·‐-―-]/g, '')
  if (/^\d{5,}$/.test(digits)) return [`(?<!\\d)${[...digits].join('(?:[\\s.+/_·‐-―-]|%20){0,2}')}(?!\\d)`, digits]
  const pattern = [...secret.replace(/\s+/g, ' ')].map(characterPattern).join('')
  if (secret.length >= 5) return [pattern]
  return secret.length >= 3 && /\d/.test(secret) ? [asWord(pattern)] : []
}

/**
 * A function that replaces the values by `[private]`, the longest first, and what has the shape of a secret. Values
 * under 3 characters, and letters under 5, are never recognized: they occur in ordinary words.
 */
export function redactEchoes(values: readonly string[]): (text: string) => string {
  const secrets = [...new Set(values.map((text) => text.trim()))].sort((one, other) => other.length - one.length)
  const long = secrets.filter((secret) => secret.length > maxPatternLength)
  const patterns = secrets.slice(long.length).flatMap(patternsOf)
  const echo = patterns.length === 0 ? undefined : new RegExp(patterns.join('|'), 'gu')
  return (text) => {
    const rest = hideShapes(long.reduce((rest, secret) => rest.replaceAll(secret, '[private]'), text))
    return echo ? rest.replace(echo, '[private]') : rest
  }
}
