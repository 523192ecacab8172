// What form_fill reports on each field: what the page holds, not what was written.
import type { JsonValue } from '../../core/data/json.js'
import { isTag } from '../dom/dom.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import type { UserWatch } from '../hands/own-input.js'
import { fieldErrorOf, fieldStateOf, fieldValueOf } from '../read/field-values.js'
import type { Appeared } from './appeared.js'
import { problemOf, type FillAttempt } from './fill-attempt.js'
import { holdsValue } from './plan-write.js'
import { mayBeDay } from './typed-text.js'

/** The result for one field. */
export interface FillReport {
  /** Its unique label, or the requested name if no field matches. */
  readonly field: string
  /** The requested value. */
  readonly asked: JsonValue
  /** The value after the fill; null if there is no such field. */
  readonly now: JsonValue
  /** Whether the field holds the requested value and is valid. */
  readonly ok: boolean
  /** Why not, for the model. */
  readonly problem?: string
  /** What the page offered for the text, at most ten. Nothing of it was chosen. */
  readonly suggestions?: readonly string[]
  /** What the model can do with them, and what the page has sent because of the fill: with the last field. */
  readonly note?: string
  /** New lines of text beside the field, such as what the page objects to. */
  readonly appeared?: readonly string[]
  /** New lines beside other fields, in the form as a whole, or in an alert. Only in the last written result. */
  readonly elsewhere?: readonly string[]
}

/** Whether a text is a day or a time. */
const isMoment = (text: string): boolean => mayBeDay(text.split(/[T ]/)[0] ?? '') || /^\d{1,2}:\d{2}/.test(text)

/** Browsers do not check `minlength` for text that a script wrote. */
const tooShort = (element: Element): string | undefined =>
  isTag(element, 'input', 'textarea') && element.value !== '' && element.value.length < element.minLength
    ? `The text has ${element.value.length} characters, the minimum is ${element.minLength}`
    : undefined

/** The result of one entry: what the field holds now, and whether that is the requested value. */
function reportOn(
  one: FillAttempt,
  snapshot: PageSnapshot,
  { watch, appeared }: { watch: UserWatch; appeared: Appeared },
): FillReport {
  const { entry, plan } = one
  // A re-render may have replaced the element that was written.
  const current =
    one.field &&
    (one.field.element.isConnected ? one.field : snapshot.fields().find((field) => field.label === one.label))
  const lines = appeared.beside(one).filter((line) => !one.offer?.suggestions.includes(line))
  const resultOf = (offer: FillAttempt['offer']): Omit<FillReport, 'now' | 'ok'> => ({
    field: one.label,
    asked: entry.value,
    ...offer,
    ...(lines.length > 0 ? { appeared: lines } : {}),
  })
  const base = resultOf(one.offer)
  if (!current) return { ...base, now: null, ok: false, problem: one.problem ?? 'The field is no longer on the page' }
  const { visibility } = snapshot
  const now = fieldValueOf(current, visibility)
  if (one.problem !== undefined || !plan || plan.problem !== undefined)
    return { ...base, now, ok: false, problem: one.problem ?? 'Not written' }
  if (current.members.some((member) => watch.touched(member)))
    return { ...base, now, ok: false, problem: 'The user changed the field' }
  const error = fieldErrorOf(current, visibility, () => appeared.around(current)) ?? tooShort(current.element)
  if (!one.isHeld && !holdsValue(current, plan, visibility)) {
    const unchanged = one.before === fieldStateOf(current)
    return {
      ...base,
      now,
      ok: false,
      problem: `The page ${unchanged ? 'did not accept' : 'changed'} the value${error ? `: ${error}` : ''}`,
    }
  }
  if (error) return { ...base, now, ok: false, problem: error }
  // A picker offers its hours and minutes also beside the right one.
  const isRight = plan.text !== undefined && isMoment(plan.text)
  return { ...resultOf(isRight ? undefined : one.offer), now, ok: true }
}

/** What can be said of a field that cannot be read back. */
const unreadable = ({ label, entry, problem }: FillAttempt, thrown: unknown): FillReport => ({
  field: label,
  asked: entry.value,
  now: null,
  ok: false,
  problem: problem ?? problemOf(thrown),
})

/** Whether a field no longer holds what was in it after it was written. */
export function hasChangedSince({ field, written, after }: FillAttempt): boolean {
  if (!written || !field?.element.isConnected || after === undefined) return false
  try {
    return fieldStateOf(field) !== after
  } catch {
    return true // Unreadable, which the report says.
  }
}

/** Adds what the page has sent: a box that saves at once has done more than it shows. `at`: the last field written. */
const withSaved = (reports: readonly FillReport[], at: number, saved: readonly string[]): readonly FillReport[] =>
  saved.length === 0
    ? reports
    : reports.map((one, index) =>
        index === at ? { ...one, note: [one.note, ...saved].filter(Boolean).join(' ') } : one,
      )

/** The results of all entries. `saved`: what the page has sent because of the fill. */
export function reportAll(
  attempts: readonly FillAttempt[],
  after: PageSnapshot,
  { watch, appeared, saved }: { watch: UserWatch; appeared: Appeared; saved: readonly string[] },
): readonly FillReport[] {
  const last = attempts.findLast(({ written }) => written)
  const offered = new Set(attempts.flatMap(({ offer }) => offer?.suggestions ?? []))
  const others = appeared.elsewhere.filter((line) => !offered.has(line))
  const results = attempts.map((one) => {
    const elsewhere = one === last && others.length > 0 ? { elsewhere: others } : {}
    try {
      return { ...reportOn(one, after, { watch, appeared }), ...elsewhere }
    } catch (thrown) {
      return unreadable(one, thrown)
    }
  })
  return withSaved(
    results,
    attempts.findLastIndex(({ written }) => written),
    saved,
  )
}
