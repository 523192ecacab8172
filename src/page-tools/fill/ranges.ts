// A range is one value for two fields: the thumbs of a slider, the days from and to. Finds the two fields that a label
// means, if they stand together and the value has two parts.
import type { JsonValue } from '../../core/data/json.js'
import { isObject } from '../../core/data/json.js'
import { parentOf, propertyOf } from '../dom/dom.js'
import { toComparable } from '../dom/text.js'
import type { Field } from '../read/field.js'
import { parseDay, parseTime } from './dates.js'
import type { FillAttempt, FillEntry } from './fill-attempt.js'
import { parseNumber } from './parse-values.js'

/** Words and signs between the two parts of a range, in the languages of the SDK. */
const between =
  /\s+(?:to|until|till|bis|à|au|jusqu'au|a|al|hasta|إلى|حتى|から|到|至)\s+|\s*[–—…~〜]\s*|\s*\.{2,3}\s*|\s+-\s+/iu
/** Two numbers with a hyphen. */
const hyphened = /^\s*(\d+(?:[.,]\d+)?)\s*-\s*(\d+(?:[.,]\d+)?)\s*$/

/** The parts from and to of a value: a list of two, an object with two values, or a text such as `3 to 7`. */
export function rangeIn(value: unknown): readonly [JsonValue, JsonValue] | undefined {
  const parts = partsOf(value)
  const [from, to] = parts as [JsonValue, JsonValue]
  return parts.length === 2 && parts.every(isBound) ? [from, to] : undefined
}

/** The parts of a text with words or signs of a range between them. */
export const rangeParts = (text: string): readonly string[] => text.trim().split(between)

function partsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[]
  if (isObject(value)) return Object.values(value)
  if (typeof value !== 'string') return []
  const [, from, to] = hyphened.exec(value) ?? []
  return from !== undefined && to !== undefined ? [from, to] : rangeParts(value)
}

/** Whether it may be an end of a range: a number, a day or a time. */
const isBound = (part: unknown): boolean =>
  typeof part === 'number' ||
  (typeof part === 'string' &&
    (parseDay(part) !== undefined || parseTime(part) !== undefined || parseNumber(part) !== undefined))

const rangeTypes = new Set<Field['type']>([
  'slider',
  'range',
  'spinbutton',
  'number',
  'text',
  'date',
  'time',
  'datetime-local',
  'month',
  'week',
  'combobox',
])

/** Whether the label or the group of a field means what was asked. */
function isMeant({ label, ownLabel, group }: Field, wanted: string): boolean {
  const words = wanted.split(' ')
  if ([label, ownLabel, group].some((name) => toComparable(name) === wanted)) return true
  const own = toComparable(ownLabel).split(' ')
  return words.every((word) => own.includes(word)) && own.length <= words.length + 2
}

/** Whether the closest element around both contains no other field. */
function standTogether(one: Field, other: Field, fields: readonly Field[]): boolean {
  // Fields of a form may hide its own `contains`.
  const has = (around: Element, { element }: Field): boolean => Node.prototype.contains.call(around, element)
  let around = parentOf(one.element)
  while (around && !has(around, other)) around = parentOf(around)
  return around !== null && fields.every((field) => field === one || field === other || !has(around, field))
}

/** A label that the markup ties to a field makes it a field of its own. */
const hasOwnLabel = ({ element }: Field): boolean =>
  element.hasAttribute('aria-labelledby') || (propertyOf(element, 'labels')?.length ?? 0) > 0

/** The two fields of a range in their order; undefined if the label means none, or another number of fields. */
export function rangeFields(asked: string, fields: readonly Field[]): readonly [Field, Field] | undefined {
  const wanted = toComparable(asked)
  if (wanted === '') return undefined
  const meant = fields.filter((field) => rangeTypes.has(field.type) && isMeant(field, wanted))
  const [first] = meant
  if (!first || meant.length > 2) return undefined
  const next = fields[fields.indexOf(first) + 1]
  const second = meant[1] ?? (next && !hasOwnLabel(next) && first.element.localName === 'input' ? next : undefined)
  return second && second.type === first.type && second.secret === undefined && standTogether(first, second, fields)
    ? [first, second]
    : undefined
}

/**
 * The attempts for the two fields of a range. The end is written first if the start would pass it: a thumb stops at the
 * other one.
 */
export function rangeAttempts(
  { asked, value }: FillEntry,
  fields: readonly Field[],
): readonly FillAttempt[] | undefined {
  const range = rangeIn(value)
  const pair = range && rangeFields(asked, fields)
  if (!range || !pair) return undefined
  const attempts = pair.map((field, at) => ({
    entry: { asked: field.label, value: range[at] ?? null },
    label: field.label,
    field,
    written: false,
    isRangeEnd: true as const,
  }))
  const end = parseNumber((pair[1].element as Partial<HTMLInputElement>).value ?? '') ?? NaN
  const now = Number(pair[1].element.getAttribute('aria-valuenow') ?? end)
  return typeof now === 'number' && (parseNumber(range[0]) ?? NaN) > now ? attempts.reverse() : attempts
}
