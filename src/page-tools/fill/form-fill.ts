// Implements form_fill: writes many fields in one call, waits for the page, and reads them back. The result reports
// what the page holds, not what was written. It never submits.
import { ToolAgentError } from '../../core/data/errors.js'
import { isObject, type JsonValue } from '../../core/data/json.js'
import { withIndex } from '../../core/data/lists.js'
import type { DoneBefore } from '../../core/data/stopped-effect.js'
import type { ToolRun } from '../../page/tools/tool.js'
import { nowFilled, type FilledField } from '../border/sent-values.js'
import { kindOf } from '../controls/kinds.js'
import { isTag } from '../dom/dom.js'
import { isRef } from '../dom/element-refs.js'
import { highlight } from '../dom/highlight.js'
import { placeHand } from '../dom/page-focus.js'
import { redactSecrets, takeSnapshot, type PageSnapshot } from '../dom/page-snapshot.js'
import { normalizeText, truncate } from '../dom/text.js'
import { Visibility } from '../dom/visibility.js'
import { noteFilled, noteText } from '../effects/filled-values.js'
import { guardFill } from '../effects/guard-fill.js'
import { noteChangedByAction } from '../effects/unsaved-input.js'
import { watchPage, type UserWatch } from '../hands/own-input.js'
import { fieldErrorOf, fieldStateOf, fieldValueOf } from '../read/field-values.js'
import type { Field } from '../read/field.js'
import { watchText, type Appeared } from './appeared.js'
import { membersOf } from './choices.js'
import { problemOf, type FillAttempt, type FillEntry } from './fill-attempt.js'
import { doneBy, heldField, longestAnswer, lookAgain, untilAnswered, watchCovers } from './held-fill.js'
import { wantedText } from './holds-text.js'
import { pause, waitForPageUpdates } from './input-events.js'
import { LateChanges } from './late-changes.js'
import { matchField, type FieldMatch } from './match-field.js'
import { holdsValue, planWrite, writeField, writeRun } from './plan-write.js'
import { rangeAttempts } from './ranges.js'
import { mayBeDay } from './typed-text.js'
import { putBackWritten } from './undo/form-undo.js'
import { keepForUndo, type UndoRecord } from './undo/undo-record.js'

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

function entriesOf(input: Record<string, unknown>): FillEntry[] {
  const given = input['fields']
  // Some models send an object of values by label.
  const byLabel = isObject(given) ? Object.entries(given).map(([field, value]) => ({ field, value })) : []
  const list: unknown[] = Array.isArray(given) ? given : byLabel
  return list.map((item) => {
    const field = isObject(item) ? (item['field'] ?? item['label'] ?? item['ref'] ?? item['name']) : undefined
    if (!isObject(item) || (typeof field !== 'string' && typeof field !== 'number'))
      throw new ToolAgentError('invalid-input', 'Each item of `fields` must be { field, value }')
    return { asked: String(field), value: (item['value'] ?? null) as JsonValue }
  })
}

/** The field with exactly this label or ref. Everything else needs `matchField`. */
function fieldCalled(asked: string, { visibility, refs, fields }: PageSnapshot): Field | undefined {
  const text = asked.trim()
  if (isRef(text)) {
    const element = refs.find(text, visibility)
    return fields().find((field) => field.element === element)
  }
  const found = fields().filter(({ label }) => label === text)
  return found.length === 1 ? found[0] : undefined
}

/** Runs a step of one field. If it throws, that is the result of this field alone, unless the call was stopped. */
async function attempt(one: FillAttempt, run: ToolRun, step: () => Promise<void>): Promise<void> {
  try {
    await step()
  } catch (error) {
    run.signal.throwIfAborted()
    one.problem = problemOf(error)
    one.later = false
    if (!one.field || one.before === undefined) return
    // It may have been written in part.
    one.written = true
    try {
      one.after = fieldStateOf(one.field)
    } catch {
      one.after ??= one.before // Unreadable, which is the problem that the model reads.
    }
  }
}

function matchEntry(entry: FillEntry, snapshot: PageSnapshot): FillAttempt[] {
  const range = rangeAttempts(entry, snapshot.fields())
  if (range) return [...range]
  const field = fieldCalled(entry.asked, snapshot)
  const found: FieldMatch = field ? { field } : matchField(entry.asked, snapshot.fields(), snapshot)
  if (found.problem !== undefined)
    return [
      {
        entry,
        label: entry.asked,
        written: false,
        problem: found.problem,
        later: found.stale !== true,
      },
    ]
  if (found.field) return [{ entry, label: found.field.label, field: found.field, written: false }]
  return membersOf(entry, found.group)
}

/** The attempts for all entries, in their order. */
function matchAll(entries: readonly FillEntry[], snapshot: PageSnapshot): FillAttempt[] {
  return entries.flatMap((entry) => {
    try {
      return matchEntry(entry, snapshot)
    } catch (thrown) {
      return [{ entry, label: entry.asked, written: false, problem: problemOf(thrown) }]
    }
  })
}

/** Plans and writes one field. Waits until the page has rendered it, or adds a plain field to the batch instead. */
async function fillField(one: FillAttempt, watch: UserWatch, run: ToolRun, batch?: FillAttempt[]): Promise<void> {
  const { entry } = one
  // An earlier field may have caused a re-render of this one.
  if (one.field && !one.field.element.isConnected)
    one.field =
      takeSnapshot(run)
        .fields()
        .find(({ label }) => label === one.label) ?? one.field
  const { field } = one
  if (!field) return
  const plan = planWrite(field, entry.value, new Visibility())
  const touched = field.members.some((member) => watch.touched(member))
  if (touched) {
    one.problem = 'Skipped: the user is editing this field'
    return
  }
  one.plan = plan
  if (plan.problem !== undefined) {
    one.problem = plan.problem
    one.later = plan.later === true
    return
  }
  if (one.before === undefined) {
    one.before = fieldStateOf(field)
    one.was = fieldValueOf(field, new Visibility())
  }
  one.nodes ??= kindOf(field).copy?.(field)
  const written = await writeField(field, plan, writeRun(run.signal))
  const { plan: changed, problem, offer, plain, boxes, isHeld } = written
  // A calendar that refuses a day writes nothing, and another field may change what it offers.
  one.later = problem !== undefined && plan.later === true
  one.written = !one.later
  if (changed) one.plan = wantedText(changed, plan.write)
  if (problem !== undefined) one.problem = problem
  one.offer = offer
  one.isHeld = isHeld
  if (boxes) one.boxes = boxes
  if (plain && batch) batch.push(one)
  else await waitForPageUpdates()
  one.after = fieldStateOf(field)
  highlight(field)
}

/** Fields that are written before the page has rendered the last one. The user may soon type in a focused one. */
const plainFields = ':is(input,textarea):read-write:not(:focus)'

/**
 * Waits until the page has rendered the fields of a batch. Some pages lose a value if several change at once: these are
 * written again, each alone.
 */
async function settleBatch(batch: FillAttempt[], watch: UserWatch, run: ToolRun): Promise<void> {
  if (batch.length > 0) await waitForPageUpdates()
  for (const one of batch.splice(0))
    await attempt(one, run, async () => {
      const state = one.field && fieldStateOf(one.field)
      if (state !== one.after && state === one.before) await fillField(one, watch, run)
      if (one.field) one.after = fieldStateOf(one.field)
    })
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
function hasChangedSince({ field, written, after }: FillAttempt): boolean {
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
function reportAll(
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

/** What is needed to undo what was written; undefined if nothing was. */
const recordOf = ({ field, before, was, nodes, boxes, after, written }: FillAttempt): UndoRecord | undefined =>
  field && written && before !== undefined && after !== undefined
    ? { field, before, was, nodes, boxes, after }
    : undefined

/** A key without a target goes to the field that was filled last, as if a person had written there. */
function placeHandIn(field: Field | undefined): void {
  if (!field) return
  placeHand(field.members.find((one) => isTag(one, 'input') && one.type === 'radio' && one.checked) ?? field.element)
}

/**
 * Fills fields and reports on each. What was written can be undone by form_undo, also if the call is stopped. `watch`
 * must have begun with the call; it ends with it.
 * @throws `invalid-input` if there are no fields
 */
export async function fillForm(
  input: Record<string, unknown>,
  run: ToolRun,
  watch: UserWatch = watchPage(),
): Promise<FillReport[]> {
  const entries = entriesOf(input)
  if (entries.length === 0)
    throw new ToolAgentError('invalid-input', '`fields` must be a non-empty list of { field, value }.')
  const { signal } = run
  const attempts: FillAttempt[] = []
  // The page may send it at the first event.
  for (const value of entries.flatMap((entry) => entry.value)) if (typeof value !== 'boolean') noteText(String(value))
  const filled: FilledField[] = []
  /** The field that is put back unless the user allows what its value led to. */
  let waiting: FillAttempt | undefined
  const done = (): DoneBefore => doneBy(attempts, waiting)
  const guard = guardFill(run, { ...(run.ask ? { ask: run.ask } : {}), filled, done })
  const late = new LateChanges()
  const batch: FillAttempt[] = []
  const putBack = async (): Promise<void> => {
    const record = waiting && recordOf(waiting)
    guard.end()
    if (!waiting || !record) return
    waiting.written = false
    await putBackWritten(record, run)
  }
  /** Asks about what is held, before the next field. Then the rest of them is looked at anew. */
  const untilAllowed = async (rest: readonly FillAttempt[] = []): Promise<void> => {
    while (guard.isUndecided) await pause(10)
    while (guard.isHolding && !guard.isStopped) {
      await settleBatch(batch, watch, run)
      waiting = heldField(attempts, guard.held)
      const isCovered = watchCovers()
      try {
        await guard.settleHeld()
      } catch (error) {
        // If the visitor has gone on by hand, what they see stays.
        if (signal.aborted) await putBack()
        throw error
      }
      if (guard.isStopped) await putBack()
      guard.throwIfStopped()
      waiting = undefined
      await untilAnswered(guard, longestAnswer.allowed, signal)
      const snapshot = takeSnapshot(run)
      for (const one of rest) lookAgain(one, snapshot, { watch, isCovered })
    }
    guard.throwIfStopped()
  }
  try {
    const snapshot = takeSnapshot(run)
    attempts.push(...matchAll(entries, snapshot))
    const appearedSince = watchText(attempts, snapshot)
    for (const [index, one] of withIndex(attempts)) {
      signal.throwIfAborted()
      run.report({ message: `Filling ${truncate(normalizeText(one.label), 60)}`, fraction: index / attempts.length })
      if (!one.field?.element.matches(plainFields)) await settleBatch(batch, watch, run)
      if (one.field && one.problem !== undefined) continue
      if (one.field) filled.push(nowFilled(one.field))
      await attempt(one, run, () => fillField(one, watch, run, batch))
      await untilAllowed(attempts.slice(index + 1))
    }
    await settleBatch(batch, watch, run)
    await untilAllowed()
    for (const one of attempts)
      if (one.isRangeEnd && hasChangedSince(one)) await attempt(one, run, () => fillField(one, watch, run))
    // A field may have enabled an earlier entry: a list of cities, a part of the form.
    for (const [index, one] of withIndex(attempts)) {
      if (!one.later || one.written || attempts.every((other) => !other.written)) continue
      signal.throwIfAborted()
      const [again] = matchAll([one.entry], takeSnapshot(run))
      if (!again?.field) continue
      attempts[index] = again
      await attempt(again, run, () => fillField(again, watch, run))
    }
    await guard.acted()
    await untilAllowed()
    await late.settled(() => attempts.some(hasChangedSince), signal)
    await untilAnswered(guard, longestAnswer.saved, signal)
    await untilAllowed()
    signal.throwIfAborted()
    placeHandIn(attempts.findLast(({ written, field }) => written && field?.element.isConnected)?.field)
    const after = takeSnapshot(run)
    const told = reportAll(attempts, after, { watch, appeared: appearedSince(after, attempts), saved: guard.report })
    return redactSecrets(told as unknown as JsonValue[], after.fields()) as unknown as FillReport[]
  } finally {
    guard.end()
    late.end()
    watch.end()
    const changed = attempts.flatMap(({ field, written }) => (written && field ? [field] : []))
    for (const { members } of changed) for (const member of members) noteChangedByAction(member)
    // A question about the fill has shown its values.
    if (changed.length > 0 && !run.approval) noteFilled(changed, takeSnapshot(run))
    keepForUndo(
      attempts.flatMap((one) => recordOf(one) ?? []),
      run,
      guard.saved,
    )
  }
}
