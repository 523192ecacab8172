// Puts fields back that a call has changed, except those that the user or the page has changed since: form_undo for the
// model, and the buttons Undo and Redo for the user.
import type { JsonValue } from '../../../core/data/json.js'
import type { FieldsPutBack, ToolRun } from '../../../page/tools/tool.js'
import { writingKindOf } from '../../controls/kinds.js'
import type { Field } from '../../read/field.js'
import { Visibility } from '../../dom/visibility.js'
import { takeSnapshot, redactSecrets } from '../../dom/page-snapshot.js'
import { fieldValueOf } from '../../read/field-values.js'
import { problemOf } from '../fill-attempt.js'
import { isTag } from '../../dom/dom.js'
import { opensDialog } from '../../dom/pop-ups.js'
import { patience, waitForPageUpdates } from '../../waiting/until.js'
import { planWrite, writeField, writeRun } from '../plan-write.js'
import { changesBy, type CallChanges, type ChangedField } from '../../definitions/undo-store.js'
import { latestChanges, noteBack } from './note-changes.js'
import { liveField, type LiveField, type UndoRecord } from './undo-record.js'
import { guardFill } from '../../effects/action-guard.js'
import { fieldStateOf } from '../../read/field-values.js'

/** How the values from before a call, or those that it wrote, were put back into one field. */
interface FieldBack {
  readonly label: string
  /** The field as it is now; undefined if it is no longer on the page. */
  readonly field: Field | undefined
  /** The raw state that it should have. */
  readonly wanted: string
  /** Why it was not written, as the model reads it. */
  problem?: string
  /** It was changed since, so it was left alone. */
  isKept?: true
}

/** Undoes the newest call of the session that has changed fields, once. */
export async function runFormUndo(run: ToolRun): Promise<JsonValue> {
  const changes = latestChanges(run.sessionId)
  if (changes === undefined)
    return {
      fields: [],
      note: 'Nothing to undo: only the last fill of this conversation can be undone, and only once',
    }
  const { fields: done, kept } = await restoreAll(changes, 'before', run)
  const snapshot = takeSnapshot(run)
  const results = done.map((one): JsonValue => {
    const { label, field, problem } = one
    const ok = holdsWanted(one)
    const now = field ? fieldValueOf(field, snapshot.visibility) : null
    return {
      field: label,
      now,
      ok,
      ...(ok ? {} : { problem: problem ?? 'The page did not restore the value' }),
      ...(one === done.at(-1) && kept.length > 0 ? { note: keptNote(kept) } : {}),
    }
  })
  return redactSecrets(results, snapshot.fields())
}

/** Puts back the values from before the call `run.toolCallId`, or those that it has written. For the user. */
export async function putBackFields(run: ToolRun, to: 'before' | 'after', label?: string): Promise<FieldsPutBack> {
  const changes = changesBy(run.sessionId, run.toolCallId)
  const only = changes?.fields.filter((one) => one.label === label)
  const { fields, kept } = changes
    ? await restoreAll(only && label !== undefined ? { ...changes, fields: only } : changes, to, run)
    : { fields: [], kept: [] }
  const labels = (which: (one: FieldBack) => boolean) => fields.filter(which).map(({ label }) => label)
  return {
    done: labels(holdsWanted),
    kept: labels((one) => one.isKept === true),
    lost: labels((one) => !holdsWanted(one) && one.isKept !== true),
    ...(kept.length > 0 ? { saved: labels(holdsWanted) } : {}),
  }
}

/** What the model reads of what the page has saved, and not saved again. */
const keptNote = (kept: readonly string[]): string =>
  `The page had saved the other value (${kept.join(', ')}) and has not saved this one, so its server keeps the other.`

const holdsWanted = ({ field, wanted, problem }: FieldBack): boolean =>
  problem === undefined && field !== undefined && fieldStateOf(field) === wanted

/**
 * Puts back all fields of a call, except those that have been changed since. The results have their order. `kept`:
 * where the page had saved them and has not saved again what was put back.
 */
async function restoreAll(
  { call, fields, saved = [] }: CallChanges,
  to: 'before' | 'after',
  run: ToolRun,
): Promise<{ readonly fields: readonly FieldBack[]; readonly kept: readonly string[] }> {
  const done: FieldBack[] = []
  const guard = guardFill(run)
  try {
    // In reverse order, because a field may have enabled a later one.
    for (const changed of to === 'before' ? [...fields].reverse() : fields) {
      if (run.signal.aborted) break
      const live = liveField(run.sessionId, call, changed)
      const field = live?.field.element.isConnected ? live.field : foundAgain(changed, run)
      const one: FieldBack = { label: changed.label, field, wanted: changed[to] }
      done.push(one)
      try {
        const was = to === 'before' ? changed.after : changed.before
        if (!field) one.problem = 'The field is no longer on the page'
        else if (field.secret) one.problem = 'sensitive-field: the field is private'
        else if (fieldStateOf(field) === one.wanted) continue
        else if (fieldStateOf(field) !== was) {
          one.isKept = true
          one.problem = 'Skipped: the field was changed since'
        } else {
          const problem = await restore(field, { state: one.wanted, to, live }, run.signal)
          if (problem !== undefined) one.problem = problem
          await waitForPageUpdates()
        }
      } catch (thrown) {
        // The other fields are restored nevertheless.
        one.problem = problemOf(thrown)
      }
    }
    const isWhole = changesBy(run.sessionId, call)?.fields.length === fields.length
    if (isWhole && done.some((one) => one.isKept || holdsWanted(one))) noteBack(run.sessionId, call, to === 'before')
    await guard.acted()
  } finally {
    guard.end()
  }
  guard.throwIfStopped()
  const kept = [...new Set(saved)].filter((one) => !guard.saved.includes(one))
  return { fields: to === 'before' ? done.reverse() : done, kept }
}

/** Puts a field back that a call has written, unless it was changed since. The call may have been stopped by now. */
export async function putBackWritten({ field, before, after, boxes, nodes }: UndoRecord, run: ToolRun): Promise<void> {
  const guard = guardFill({})
  try {
    const now = field.element.isConnected ? field : foundAgain(field, run)
    if (!now || fieldStateOf(now) !== after) return
    const live = { field, boxes, nodes: { before: nodes } }
    await restore(now, { state: before, to: 'before', live }, AbortSignal.timeout(patience.putBack))
    await waitForPageUpdates()
  } catch {
    // What became of it is on the page, where the model is told to look.
  } finally {
    guard.end()
  }
}

/** The field that was rendered anew, or the same field after a reload. */
const foundAgain = ({ label, type }: Pick<ChangedField, 'label' | 'type'>, run: ToolRun): Field | undefined =>
  takeSnapshot(run)
    .fields()
    .find((field) => field.label === label && field.type === type)

/** Restores a raw state with the events of a user. Returns the problem, if any. */
function restore(
  field: Field,
  {
    state,
    to,
    live,
  }: { readonly state: string; readonly to: 'before' | 'after'; readonly live: LiveField | undefined },
  signal: AbortSignal,
): Promise<string | undefined> {
  const kind = writingKindOf(field)
  const run = writeRun(signal)
  if (live && to === 'before') live.nodes.after = kind.copy?.(field)
  const refill = async (): Promise<string | undefined> => {
    const value = isTag(field.element, 'input') ? state : (JSON.parse(state) as JsonValue)
    if (value === '' && opensDialog(field.element)) return 'The field was empty before, and a calendar cannot clear it'
    return (await writeField(field, planWrite(field, value, new Visibility()), run)).problem
  }
  if (!kind.restore) return refill()
  return kind.restore(field, { state, boxes: live?.boxes ?? [], nodes: live?.nodes[to] ?? [], run, refill })
}
