// The value of a field of the page in words of the panel's language.
import type { JsonValue } from '../../../core/data/json.js'
import type { Words } from '../../i18n/en.js'
import { scalarText } from '../values/arguments-view.js'

/** As fields write dates and times, which nobody reads in that form. */
const machineDate = /^(\d{4})-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::\d\d)?)?)?$/

/** The value of a field in words; an empty string if it is empty. */
export function fieldText(value: JsonValue | undefined, words: Words): string {
  if (value === null || value === undefined || value === '') return ''
  if (typeof value === 'string') return dateText(value, words) ?? scalarText({}, value, words)
  if (typeof value !== 'object') return scalarText({}, value, words)
  return Array.isArray(value) ? value.map((one) => fieldText(one, words)).join(', ') : JSON.stringify(value)
}

/** A day, a month, or a day with a time; undefined for other texts, and for a day that no calendar has. */
function dateText(value: string, { language }: Words): string | undefined {
  const [, year, month, day, hour, minute] = machineDate.exec(value) ?? []
  if (year === undefined || month === undefined) return undefined
  const [time, numbers] = [hour !== undefined, [year, month, day ?? 1, hour ?? 0, minute ?? 0].map(Number)]
  const [y = 0, m = 1, d = 1, h = 0, min = 0] = numbers
  const date = new Date(Date.UTC(y, m - 1, d, h, min))
  if (date.getUTCMonth() !== m - 1 || date.getUTCDate() !== d) return undefined
  const style: Intl.DateTimeFormatOptions =
    day === undefined
      ? { year: 'numeric', month: 'long' }
      : { dateStyle: 'long', ...(time ? { timeStyle: 'short' } : {}) }
  return new Intl.DateTimeFormat(language, { ...style, timeZone: 'UTC' }).format(date)
}
