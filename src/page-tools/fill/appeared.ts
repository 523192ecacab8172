// Knows which texts have appeared beside the fields of a call, such as the objections of a page that says them in words
// alone. What stood there before is no news, unless an earlier call has told it of the same field.
import type { PageSnapshot } from '../dom/page-snapshot.js'
import { toComparable, truncate } from '../dom/text.js'
import type { Field } from '../read/field.js'
import { fieldValueOf } from '../read/field-values.js'
import { linesBeside, type LineBeside } from '../read/lines-beside.js'
import type { FillAttempt } from './fill-attempt.js'
import { valueAsText } from './plan.js'

/** What is told of one field: so many lines, of so many characters. */
const most = { lines: 4, characters: 200 }
const texts = (lines: readonly string[]): string[] =>
  [...new Set(lines)].slice(0, most.lines).map((line) => truncate(line, most.characters))

/** A counter that goes on is the same line. */
const keyOf = (text: string): string => toComparable(text).replace(/\p{Nd}+/gu, '0')

/** What was told of an element, by the keys of the lines. It is told again while it stands there. */
const toldOf = new WeakMap<Element, Set<string>>()

/** The texts that have appeared, for the results of a call. */
export interface Appeared {
  /** Beside the field of an attempt. */
  beside(attempt: FillAttempt): readonly string[]
  /** Beside other fields, with their labels, in the form as a whole, or as an alert. */
  readonly elsewhere: readonly string[]
  /** All lines that are about a field, also those that stood there before, but not its label. */
  around(field: Field): string
}

const placeOf = ({ text, about }: LineBeside): string => [...about.map(({ label }) => label), keyOf(text)].join('\n')
const wordsOf = (text: string): ReadonlySet<string> => new Set(toComparable(text).split(' '))
const isToldAgain = ({ text, about: [field, ...others] }: LineBeside, written: ReadonlySet<Element>): boolean =>
  field !== undefined &&
  others.length === 0 &&
  written.has(field.element) &&
  toldOf.get(field.element)?.has(keyOf(text)) === true

/** Reads what stands beside the fields now. The result reads it again, and returns what has appeared. */
export function watchText(
  attempts: readonly FillAttempt[],
  { visibility, fields }: PageSnapshot,
): (after: PageSnapshot, attempts: readonly FillAttempt[]) => Appeared {
  const asked = attempts.flatMap(({ field }) => (field ? [field] : []))
  const before = asked.length > 0 ? linesBeside(asked, fields(), visibility) : []
  const places = new Set(before.map(placeOf))
  return (after, done) => {
    const current = done.flatMap(({ label, field, written }) => {
      const now = field && written ? after.fields().find((one) => one.label === label) : undefined
      return now ? [now] : []
    })
    const lines = current.length > 0 ? linesBeside(current, after.fields(), after.visibility) : []
    // A field that appears or gets another label changes which fields a line may be about.
    const labels = new Set(after.fields().map(({ label }) => label))
    const moved = new Set(
      before
        .filter(({ about }) => about.length !== 1 || about.some(({ label }) => !labels.has(label)))
        .map(({ text }) => keyOf(text)),
    )
    const isNew = (line: LineBeside): boolean =>
      /\p{L}/u.test(line.text) && !places.has(placeOf(line)) && !moved.has(keyOf(line.text))
    const values = new Map(
      current.map((field) => [field.label, wordsOf(`${field.label} ${field.ownLabel} ${valueOf(field, after, done)}`)]),
    )
    const written = new Set(current.map(({ element }) => element))
    const fresh = lines.filter((line) => isNew(line) || isToldAgain(line, written))
    return sorted(lines, fresh, { written: current, values })
  }
}

/** What was asked of a field, and what it holds, which the page may show beside it. */
const valueOf = (field: Field, { visibility }: PageSnapshot, done: readonly FillAttempt[]): string =>
  [fieldValueOf(field, visibility), done.find(({ label }) => label === field.label)?.entry.value]
    .map(valueAsText)
    .join(' ')

/** The field of a line: the only one by its place, the only one that was written, or the one that it names. */
function ownerOf({ text, about }: LineBeside, written: readonly Field[]): Field | undefined {
  const candidates = about.length > 0 ? about : written
  if (candidates.length === 1) return candidates[0]
  const changed = candidates.filter((field) => written.includes(field))
  if (changed.length === 1) return changed[0]
  const words = ` ${toComparable(text)} `
  const named = candidates.filter(({ ownLabel }) => words.includes(` ${toComparable(ownLabel)} `))
  return named.length === 1 ? named[0] : undefined
}

function sorted(
  lines: readonly LineBeside[],
  fresh: readonly LineBeside[],
  { written, values }: { written: readonly Field[]; values: ReadonlyMap<string, ReadonlySet<string>> },
): Appeared {
  const byLabel = new Map<string, string[]>(written.map(({ label }) => [label, []]))
  const elsewhere: string[] = []
  for (const line of fresh) {
    const owner = ownerOf(line, written)
    const own = owner && byLabel.get(owner.label)
    if (own) {
      // A tag, or a preview of the value.
      const known = values.get(owner.label)
      if ([...wordsOf(line.text)].every((word) => known?.has(word))) continue
      own.push(line.text)
      toldOf.set(owner.element, (toldOf.get(owner.element) ?? new Set()).add(keyOf(line.text)))
    } else elsewhere.push(owner ? `${owner.label}: ${line.text}` : line.text)
  }
  return {
    beside: ({ label }) => texts(byLabel.get(label) ?? []),
    elsewhere: texts(elsewhere),
    around: ({ label, ownLabel }) =>
      truncate(
        lines
          .filter(
            ({ text, about }) => about.length === 1 && about[0]?.label === label && keyOf(text) !== keyOf(ownLabel),
          )
          .map(({ text }) => text)
          .join(' '),
        most.characters,
      ),
  }
}
