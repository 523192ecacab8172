// Implements form_fill: writes many fields in one call, waits for the page, and reads them back. The result reports
// what the page holds, not what was written. It never submits.
import { ToolAgentError } from '../../core/data/errors.js'
import type { JsonValue } from '../../core/data/json.js'
import { withIndex } from '../../core/data/lists.js'
import type { DoneBefore } from '../../core/data/stopped-effect.js'
import type { ToolRun } from '../../page/tools/tool.js'
import { nowFilled, type FilledField } from '../border/sent-values.js'
import { placeHand } from '../dom/page-focus.js'
import { redactSecrets, takeSnapshot } from '../dom/page-snapshot.js'
import { normalizeText, truncate } from '../dom/text.js'
import { noteFilled, noteText } from '../effects/filled-values.js'
import { guardFill } from '../effects/action-guard.js'
import { noteChangedByAction } from '../effects/unsaved-input.js'
import { watchPage, type UserWatch } from '../hands/own-input.js'
import { focusedOf } from '../read/field.js'
import { patience, until } from '../waiting/until.js'
import { watchText } from './appeared.js'
import { entriesOf, matchAll } from './entries.js'
import type { FillAttempt } from './fill-attempt.js'
import { attempt, fillField, plainFields, settleBatch } from './fill-field.js'
import { hasChangedSince, reportAll, type FillReport } from './fill-report.js'
import { doneBy, heldField, lookAgain, untilAnswered, watchCovers } from './held-fill.js'
import { LateChanges } from './late-changes.js'
import { putBackWritten } from './undo/form-undo.js'
import { keepForUndo, type UndoRecord } from './undo/undo-record.js'

/** What is needed to undo what was written; undefined if nothing was. */
const recordOf = ({ field, before, was, nodes, boxes, after, written }: FillAttempt): UndoRecord | undefined =>
  field && written && before !== undefined && after !== undefined
    ? { field, before, was, nodes, boxes, after }
    : undefined

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
  const guard = guardFill(run, { ...(run.hold ? { ask: run.hold } : {}), filled, done })
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
    await until({ done: () => !guard.isUndecided, ...patience.body })
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
      await untilAnswered(guard, patience.answers, signal)
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
    await untilAnswered(guard, patience.savedAnswer, signal)
    await untilAllowed()
    signal.throwIfAborted()
    // A key without a target goes to the field that was filled last, as if a person had written there.
    const last = attempts.findLast(({ written, field }) => written && field?.element.isConnected)?.field
    if (last) placeHand(focusedOf(last))
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
