// Writes one field of a call of form_fill, or several plain ones before the page renders.
import type { ToolRun } from '../../page/tools/tool.js'
import { kindOf } from '../controls/kinds.js'
import { showFilled } from '../stage/filled.js'
import { takeSnapshot } from '../dom/page-snapshot.js'
import { Visibility } from '../dom/visibility.js'
import type { UserWatch } from '../hands/own-input.js'
import { fieldStateOf, fieldValueOf } from '../read/field-values.js'
import { waitForPageUpdates } from '../waiting/until.js'
import { problemOf, type FillAttempt } from './fill-attempt.js'
import { wantedText } from './holds-text.js'
import { planWrite, writeField, writeRun } from './plan-write.js'

/** Runs a step of one field. If it throws, that is the result of this field alone, unless the call was stopped. */
export async function attempt(one: FillAttempt, run: ToolRun, step: () => Promise<void>): Promise<void> {
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

/** Plans and writes one field. Waits until the page has rendered it, or adds a plain field to the batch instead. */
export async function fillField(
  one: FillAttempt,
  watch: UserWatch,
  run: ToolRun,
  batch?: FillAttempt[],
): Promise<void> {
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
  showFilled(field)
}

/** Fields that are written before the page has rendered the last one. The user may soon type in a focused one. */
export const plainFields = ':is(input,textarea):read-write:not(:focus)'

/**
 * Waits until the page has rendered the fields of a batch. Some pages lose a value if several change at once: these are
 * written again, each alone.
 */
export async function settleBatch(batch: FillAttempt[], watch: UserWatch, run: ToolRun): Promise<void> {
  if (batch.length > 0) await waitForPageUpdates()
  for (const one of batch.splice(0))
    await attempt(one, run, async () => {
      const state = one.field && fieldStateOf(one.field)
      if (state !== one.after && state === one.before) await fillField(one, watch, run)
      if (one.field) one.after = fieldStateOf(one.field)
    })
}
