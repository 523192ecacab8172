// How a page may write a private value somewhere else: as it is, as part of an address, a number in groups. Every part of
// a pattern is bounded: a page's text of any length is looked through in one go.

const mostSigns = 200

const literal = (sign: string): string => sign.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')

/** A sign as it is, or as addresses write it. */
function signOf(sign: string): string {
  if (/\s/.test(sign)) return '(?:\\s|\\+|%20){1,4}'
  if (/[a-z\d]/i.test(sign)) return sign
  const bytes = [...new TextEncoder().encode(sign)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
  return `(?:${literal(sign)}|${bytes}|${bytes.toUpperCase()})`
}

/** Three or four digits are found in many a text: only where they stand alone, and are no price. */
const alone = (pattern: string): string =>
  `(?<![\\p{L}\\p{N}_$€£¥]|\\p{N}[.,:])${pattern}(?![\\p{L}\\p{N}_]|[.,:]\\p{N}|\\s?[€£¥])`

function patternOf(secret: string): string[] {
  const digits = secret.replace(/[\s.+/_·‐-―-]/g, '')
  if (/^\d{5,}$/.test(digits)) return [`(?<!\\d)${[...digits].join('(?:[\\s.+/_·‐-―-]|%20){0,2}')}(?!\\d)`, digits]
  const pattern = [...secret.replace(/\s+/g, ' ')].map(signOf).join('')
  return secret.length >= 5 ? [pattern] : secret.length >= 3 && /\d/.test(secret) ? [alone(pattern)] : []
}

/** A text without any of the values, the longest first; undefined where there is nothing to look for. */
export function redactEchoes(held: readonly string[]): ((text: string) => string) | undefined {
  const secrets = [...new Set(held.map((text) => text.trim()))].sort((one, other) => other.length - one.length)
  // An engine takes no pattern of any length: what somebody wrote pages of is looked for as it is.
  const long = secrets.filter((secret) => secret.length > mostSigns)
  const patterns = secrets.slice(long.length).flatMap(patternOf)
  if (long.length + patterns.length === 0) return undefined
  const echo = patterns.length === 0 ? undefined : new RegExp(patterns.join('|'), 'gu')
  return (text) => {
    const rest = long.reduce((rest, secret) => rest.replaceAll(secret, '[private]'), text)
    return echo ? rest.replace(echo, '[private]') : rest
  }
}
