// When a server wants to be asked again, in milliseconds: from its headers, Google's `RetryInfo`, or the words of its
// error.
import { isObject } from '../../../core/data/json.js'

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }
const amount = String.raw`\d+(?:\.\d+)?\s*(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?)(?![a-z])`
const durationPattern = new RegExp(String.raw`^\s*(?:${amount}[\s,]*)+$`, 'i')
const inWords = new RegExp(
  String.raw`(?:try again|retry|wait)(?: your request)?(?: in| after| for)?:? ((?:${amount}(?:,? and|,)?\s*)+)`,
  'i',
)

/**
 * From `retry-after-ms`, or from `Retry-After` in seconds, as a duration such as `5s`, or as a date. A relay may add a
 * second value to that of the server; the longer wait counts. Undefined if there is none that can be read.
 */
export function retryAfterOf(headers: Headers): number | undefined {
  // The comma in a date is followed by its day, that between two values by a number or a weekday.
  const valuesOf = (name: string) => (headers.get(name) ?? '').split(/,(?!\s*\d{1,2}[ -][a-z])/i)
  return (
    longest(valuesOf('retry-after-ms').map((value) => numberOf(value))) ?? longest(valuesOf('retry-after').map(waitOf))
  )
}

/** From Google's `RetryInfo`, such as `"34.07s"`. */
export function retryInfoOf(details: unknown): number | undefined {
  if (!Array.isArray(details)) return undefined
  return longest(
    details.map((item) => {
      const delay: unknown = isObject(item) ? item['retryDelay'] : undefined
      return typeof delay === 'string' ? durationOf(delay) : undefined
    }),
  )
}

/** From a message such as `Please try again in 1.2s`. */
export function retryInWords(message: string): number | undefined {
  return durationOf(inWords.exec(message)?.[1] ?? '')
}

function waitOf(value: string): number | undefined {
  const seconds = numberOf(value)
  if (seconds !== undefined) return seconds * 1000
  // `Date.parse` also reads texts that are no dates.
  const date = /\d:\d\d|^\s*\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : Number.NaN
  return durationOf(value) ?? (Number.isNaN(date) ? undefined : Math.max(0, date - Date.now()))
}

function durationOf(text: string): number | undefined {
  const plain = text.replace(/\band\b/gi, ' ')
  if (!durationPattern.test(plain)) return undefined
  let sum = 0
  for (const [, number = '', unit = ''] of plain.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi)) {
    const name = unit.toLowerCase()
    sum += Number(number) * (units[name.startsWith('milli') ? 'ms' : name] ?? units[name[0]!] ?? 0)
  }
  return Math.round(sum)
}

function numberOf(value: string): number | undefined {
  const number = value.trim() === '' ? Number.NaN : Number(value)
  return number >= 0 && number < Infinity ? number : undefined
}

function longest(waits: readonly (number | undefined)[]): number | undefined {
  const known = waits.filter((wait) => wait !== undefined)
  return known.length === 0 ? undefined : Math.round(Math.max(...known))
}
