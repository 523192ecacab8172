// Values that stand behind a field's own label: `Occasion: birthday`, `set Guests to 6`.
import type { JsonValue } from '../../src/core/data/json.js'
import { colorIn } from './field-choices.js'
import { findDay, findTime, weekOf, type Day } from './dates.js'
import { timeFor } from './field-kinds.js'
import type { Field } from './form.js'
import { numberPattern, parseNumber } from './numbers.js'
import { escapePattern, mentions, wordsOf } from './words.js'

/** Each field whose label the text names, with the value behind it. */
export function namedValues(fields: readonly Field[], text: string, today: Day | undefined): [Field, JsonValue][] {
  const found: [Field, JsonValue][] = []
  for (const field of [...fields].sort((a, b) => b.label.length - a.label.length)) {
    for (const label of [field.label, field.name].filter((one) => one.length > 2)) {
      const source = `(?<![\\p{L}\\d])${wordsOf(label).map(escapePattern).join('[\\s_-]+')}\\s*(?::|=|\\bis\\b|\\bto\\b|\\bshould be\\b)\\s*["'“]?([^,;"”\\n]+?)["'”]?(?=\\s*(?:[,;\\n]|$|\\.(?:\\s|$)|\\band\\b))`
      const raw = new RegExp(source, 'iu').exec(text)?.[1]?.trim()
      const value = raw === undefined ? undefined : convert(field, raw, today)
      if (value === undefined) continue
      found.push([field, value])
      break
    }
  }
  for (const [, key = '', raw = ''] of text.matchAll(
    /(?:^|[,;\n]|\band\b)\s*([\p{L}][\p{L}\d -]{1,40}?)\s*:\s*([^,;\n]+)/gu,
  )) {
    const meant = fields.filter((field) => mentions(field.label, key) && !found.some(([other]) => other === field))
    const value = meant.length === 1 && meant[0] ? convert(meant[0], raw.trim(), today) : undefined
    if (meant[0] && value !== undefined) found.push([meant[0], value])
  }
  return found
}

const plain = (text: string): string => wordsOf(text).join(' ')

const truths = new Map([
  ['yes', true],
  ['true', true],
  ['on', true],
  ['checked', true],
  ['no', false],
  ['false', false],
  ['off', false],
  ['unchecked', false],
])

/** The text as a value of the field's type; undefined where it is none. */
function convert(field: Field, raw: string, today: Day | undefined): JsonValue | undefined {
  switch (field.type) {
    case 'number':
    case 'range':
    case 'slider':
    case 'spinbutton': {
      const number = new RegExp(numberPattern, 'i').exec(raw)?.[0]
      return number === undefined ? undefined : parseNumber(number)
    }
    case 'date':
      return findDay(raw, today)?.value
    case 'time': {
      const time = findTime(raw)
      return time && timeFor({ value: time.value, said: raw }, field)
    }
    case 'datetime-local': {
      const day = findDay(raw, today)?.value
      return day && `${day}T${findTime(raw)?.value ?? '12:00'}`
    }
    case 'month':
      return findDay(raw, today)?.value.slice(0, 7)
    case 'week': {
      const day = findDay(raw, today)?.value
      return day && weekOf(day)
    }
    case 'color':
      return colorIn(raw)
    case 'checkbox':
    case 'switch':
      return truths.get(raw.toLowerCase())
    default:
      break
  }
  if (field.options.length === 0) return raw
  const option =
    field.options.find((one) => plain(one) === plain(raw)) ??
    field.options.find((one) => plain(one).includes(plain(raw)))
  return option
}
