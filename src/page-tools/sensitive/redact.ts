// Removes private values from what is read. From a text: those that are known, with their forms in a URL and numbers in
// groups, and all that have the shape of a secret. From an address: the values of parameters that are named like one.
// Every part of a pattern is bounded, so that matching takes linear time.
import { sensitiveKindIn } from './sensitive-kind.js'
import { normalizeText, truncate } from '../dom/text.js'

/** Beginnings of keys, each with the least number of characters that follow. */
const prefixes: readonly (readonly [source: string, least: number])[] = [
  ['[srp]k[-_](?:live|test|prod|proj|ant|or|svcacct|admin)[-_]', 8],
  ['whsec_', 8],
  ['gh[opsur]_', 16],
  ['github_pat_', 16],
  ['gl(?:pat|dt|rt|ptt|soat|agent)-', 12],
  ['xox[abeoprs]-|xapp-', 10],
  ['(?:AKIA|ASIA)(?=[A-Z\\d])', 12],
  ['AIza', 24],
  ['ya29\\.', 16],
  ['npm_|pypi-|rubygems_', 24],
  ['hf_|gsk_|xai-|nvapi-|r8_|tvly-|pplx-', 20],
  ['dop_v1_|doo_v1_|dckr_pat_|glsa_|lin_api_|ntn_|secret_|hvs\\.|sntrys_|phc_|phx_', 20],
  ['shp(?:at|ca|pa|ss)_|sq0(?:csp|atp)-|EAAA', 20],
  ['SG\\.', 24],
  ['key-(?=[\\da-f]{32})', 24],
  ['AGE-SECRET-KEY-', 20],
]

/** Publishable keys of payment providers are made for pages. */
const publishable = '(?!pk[-_])'
const body = (least: number): string => `[\\w.=+/~-]{${least},}`
const hasDigit = '(?=[\\w.=+/~-]{0,60}\\d)'

const prefixed = prefixes.map(([source, least]) => `(?:${source})${hasDigit}${body(least)}`).join('|')
const keyEnd = 'PRIVATE KEY(?: BLOCK)?-----'

const shapes = new RegExp(
  [
    `(?<![\\p{L}\\p{N}])${publishable}(?:${prefixed})`,
    // A key without a word in its prefix needs a long run: "sk-spinner-1-of-3" is a class.
    `(?<![\\p{L}\\p{N}])sk-(?=[\\w-]{0,40}[A-Za-z\\d]{16})${hasDigit}[\\w-]{16,}`,
    '(?<![\\p{L}\\p{N}])eyJ[\\w-]{6,}\\.eyJ[\\w-]{6,}(?:\\.[\\w-]*)?',
    `-----BEGIN [A-Z ]{0,30}${keyEnd}[^"]{0,8000}?(?:-----END [A-Z ]{0,30}${keyEnd}|$)`,
    'otpauth(?:-migration)?://[^\\s"\'<>]+',
    'https://hooks\\.slack\\.com/(?:services|workflows)/[\\w/]{20,}',
    'https://(?:ptb\\.|canary\\.)?discord(?:app)?\\.com/api/webhooks/\\d+/[\\w-]{20,}',
    // The token of a bot of Telegram.
    '(?<![\\p{L}\\p{N}])\\d{8,10}:AA[\\w-]{30,}',
    // A password in an address.
    '(?<=[a-z][a-z\\d+.-]{1,20}://[^\\s/:@"]{0,64}:)[^\\s/:@"]{3,128}(?=@[^\\s/"])',
    '(?<=(?<!\\p{L})(?:Bearer|Basic) )(?=[\\w.=+/~-]{0,60}\\d)[\\w.=+/~-]{20,}',
  ].join('|'),
  'gu',
)
/** A part of each shape, so that most texts need no search. */
const maybe = /[_-]|AKIA|ASIA|AIza|eyJ|\.|otpauth|Bearer|Basic|:AA|@/

/** The text with `[private]` in place of each secret that is known by its shape. */
export const hideShapes = (text: string): string => (maybe.test(text) ? text.replace(shapes, '[private]') : text)

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

/** Replaces the values of private parameters in query and fragment by `[private]`. Also accepts a part of a URL. */
export const withoutPrivateParameters = (url: string): string =>
  url.replace(/([?&#])([^=?&#]+)=[^&#]*/g, (whole, sign: string, name: string) => {
    const [decoded = ''] = new URLSearchParams(`${name}=`).keys()
    return sensitiveKindIn(decoded) ? `${sign}${name}=[private]` : whole
  })

/** A redacted absolute URL of at most 200 characters. */
export function redactedUrl(address: string): string {
  const url = new URL(address)
  const whole = url.origin === location.origin ? url.pathname + url.search + url.hash : url.href
  return truncate(normalizeText(withoutPrivateParameters(whole)), 200)
}

/** The address without its private parts: a path on this site, or the whole address of another one. */
export function shownAddress(url: URL, withQuery = true): string {
  const bare = withQuery ? url.href : `${url.protocol}//${url.host}${url.pathname}`
  return /^https?:$/.test(url.protocol) || withQuery ? redactedUrl(bare) : url.protocol
}
