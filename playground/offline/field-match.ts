// The values that a sentence gives for the fields of a form: by the field's own label, by the kind of detail, by an
// option that is named. What fits no field becomes a note, or is handed back so that the answer can say so.
import type { JsonValue } from '../../src/core/data/json.js'
import type { Day } from './dates.js'
import { findDetails, type Detail } from './details.js'
import { placeChoices } from './field-choices.js'
import { best, freeTexts, placeDetail, timeFor } from './field-kinds.js'
import { namedValues } from './field-labels.js'
import type { Field } from './form.js'
import { parseNumber } from './numbers.js'
import { stem, wordsOf } from './words.js'

export interface Filling {
  readonly field: Field
  readonly value: JsonValue
}
export interface Match {
  readonly fillings: readonly Filling[]
  /** What was said and fits no field. */
  readonly unplaced: readonly string[]
  /** Days as they were said and understood. */
  readonly days: readonly Detail[]
  /** Times that were taken otherwise than they stand there: `at 8` as 20:00. */
  readonly guesses: readonly { readonly said: string; readonly value: string }[]
}

export function matchFields(fields: readonly Field[], text: string, today: Day | undefined): Match {
  const open = fields.filter(({ locked, type }) => !locked && type !== 'file' && type !== 'password')
  const { found, notes } = findDetails(text, today)
  const values = new Map<Field, JsonValue>()
  const unplaced: string[] = []
  const guesses: Match['guesses'][number][] = []
  for (const [field, value] of namedValues(open, text, today)) values.set(field, value)
  for (const detail of found) {
    const free = open.filter((field) => !values.has(field))
    const placed = placeDetail(detail, free, found)
    for (const [field, value] of placed) values.set(field, value)
    const times = detail.kind === 'time' ? [...values].filter(([one, value]) => isTimeOf(detail, one, value)) : []
    const taken = /\d\d:\d\d$/.exec(times.map(([, value]) => String(value)).join())?.[0]
    if (taken !== undefined && taken !== detail.value) guesses.push({ said: detail.said, value: taken })
    const isCovered = times.length > 0 || [...values.values()].some((value) => String(value).includes(detail.value))
    if (placed.length === 0 && !isCovered)
      unplaced.push(`${detail.kind === 'count' ? 'number of people' : detail.kind} ${detail.value}`)
  }
  const rest = found.reduce((left, { said }) => left.replace(said, ' , '), text)
  const used = new Set(
    placeChoices(
      open.filter((field) => !values.has(field)),
      rest,
      values,
    )
      .flatMap(wordsOf)
      .map(stem),
  )
  const wishes = notes
    .filter((note) => !wordsOf(note).every((word) => small.has(word) || used.has(stem(word))))
    .filter((note) => ![...values].some(([field, value]) => saysSo(note, field, value)))
  const box = notesField(
    open.filter((field) => !values.has(field)),
    wishes,
  )
  if (box !== undefined && wishes.length > 0) values.set(box, withNotes(box, wishes))
  else unplaced.push(...wishes)
  const fillings = fields.flatMap((field) => {
    const value = values.get(field)
    return value === undefined ? [] : [{ field, value }]
  })
  return { fillings, unplaced, days: found.filter(({ kind }) => kind === 'date'), guesses }
}

const small = new Set([
  'on',
  'in',
  'the',
  'a',
  'an',
  'at',
  'for',
  'it',
  'is',
  'by',
  'with',
  'our',
  'my',
  'to',
  'of',
  'please',
  'and',
  'we',
  'i',
  'would',
  'like',
  'prefer',
])

/** Whether a field has the time that was said, in the half of the day that the field allows. */
function isTimeOf(detail: Detail, field: Field, value: JsonValue): boolean {
  return field.type === 'time' && value === timeFor(detail, field)
}

/** A note such as `budget 60 euros` that a value was already taken from. */
function saysSo(note: string, field: Field, value: JsonValue): boolean {
  if (String(value).toLowerCase().includes(note.toLowerCase())) return true
  const said = wordsOf(note)
  const words = wordsOf(field.label)
  const isValue = (word: string): boolean => String(value).toLowerCase().includes(word) || parseNumber(word) === value
  return (
    words.some((word) => word.length > 3 && said.includes(word)) && (typeof value === 'boolean' || said.some(isValue))
  )
}

function notesField(fields: readonly Field[], wishes: readonly string[]): Field | undefined {
  const isDiet = wishes.some((wish) =>
    /\b(no|without|allerg\w*|vegetarian|vegan|gluten|lactose|halal|kosher|diet\w*|nuts?)\b/i.test(wish),
  )
  const fits = ({ type, label, name }: Field): number => {
    if (!freeTexts.includes(type)) return 0
    const said = wordsOf(`${label} ${name}`).join(' ')
    const isAsked =
      /\b(notes?|requests?|comments?|message|wish\w*|remarks?|special|anything|tell us|further|instructions?)\b/.test(
        said,
      )
    const isFood = /\b(diet\w*|allerg\w*|intoleran\w*|food|kitchen)\b/.test(said)
    const foodScore = isDiet ? 12 : 1
    return (type === 'textarea' ? 4 : 0) + (isAsked ? 6 : 0) + (isFood ? foodScore : 0)
  }
  return best(fields, fits)
}

/** What the visitor wrote there before stays. */
function withNotes(field: Field, wishes: readonly string[]): string {
  const before = typeof field.value === 'string' ? field.value.trim() : ''
  const added = wishes.filter((wish) => !before.toLowerCase().includes(wish.toLowerCase()))
  return [before, ...added].filter(Boolean).join('; ')
}
