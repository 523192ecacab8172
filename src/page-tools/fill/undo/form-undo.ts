// Puts fields back that a call has changed, except those that the user or the page has changed since: form_undo for the
// model, and the buttons Undo and Redo for the user.
import { withIndex } from '../../../core/data/lists.js'
import type { JsonValue } from '../../../core/data/json.js'
import type { FieldsPutBack, ToolRun } from '../../../page/tools/tool.js'
import { isTag, viewOf } from '../../dom/dom.js'
import type { Field } from '../../read/form-fields.js'
import { Visibility } from '../../dom/visibility.js'
import { takeSnapshot, redactSecrets } from '../../dom/page-snapshot.js'
import { fieldValueOf } from '../../read/field-values.js'
import { problemOf } from '../fill-attempt.js'
import { isPickerBox, opensDialog } from '../../dom/pop-ups.js'
import { dispatchChange, enterField, dispatchInput, leaveField, waitForPageUpdates } from '../input-events.js'
import { asToolInput } from '../watch-user.js'
import { planWrite } from '../plan-write.js'
import {
  changesBy,
  latestChanges,
  noteBack,
  type CallChanges,
  type ChangedField,
} from '../../definitions/undo-store.js'
import { copiesOf, liveField, type LiveField, type UndoRecord } from './undo-record.js'
import { writeField } from '../write.js'
import { setNative, writeText } from '../set-value.js'
import { guardFill } from '../../effects/guard-fill.js'
import { fieldStateOf } from '../../read/field-values.js'
import { restoreMixed, setCheckbox, toggleCheckbox } from '../checkboxes.js'
import { returnTo } from '../sliders.js'
import { writeEditor } from '../editors.js'
import { selectOption } from '../widgets.js'

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
export async function putBackFields(run: ToolRun, to: 'before' | 'after'): Promise<FieldsPutBack> {
  const changes = changesBy(run.sessionId, run.toolCallId)
  const { fields, kept } = changes ? await restoreAll(changes, to, run) : { fields: [], kept: [] }
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
    if (done.some((one) => one.isKept || holdsWanted(one))) noteBack(run.sessionId, call, to === 'before')
    await guard.acted()
  } finally {
    guard.end()
  }
  guard.throwIfStopped()
  const kept = [...new Set(saved)].filter((one) => !guard.saved.includes(one))
  return { fields: to === 'before' ? done.reverse() : done, kept }
}

/** Milliseconds. */
const longestPutBack = 5_000

/** Puts a field back that a call has written, unless it was changed since. The call may have been stopped by now. */
export async function putBackWritten({ field, before, after, boxes, nodes }: UndoRecord, run: ToolRun): Promise<void> {
  const guard = guardFill({})
  try {
    const now = field.element.isConnected ? field : foundAgain(field, run)
    if (!now || fieldStateOf(now) !== after) return
    const live = { field, boxes, nodes: { before: nodes } }
    await restore(now, { state: before, to: 'before', live }, AbortSignal.timeout(longestPutBack))
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
async function restore(
  field: Field,
  {
    state,
    to,
    live,
  }: { readonly state: string; readonly to: 'before' | 'after'; readonly live: LiveField | undefined },
  signal: AbortSignal,
): Promise<string | undefined> {
  const { element, members, type } = field
  if (isTag(element, 'select')) {
    const wanted = JSON.parse(state) as boolean[]
    selectOption(element, (option) => wanted[option.index] === true)
  } else if (type === 'checkbox' || type === 'switch') {
    const wanted = JSON.parse(state) as boolean | 'mixed'
    return wanted === 'mixed'
      ? restoreMixed(live?.boxes ?? [], signal)
      : (await setCheckbox(element, wanted, signal)).problem
  } else if (isTag(element, 'input') && type === 'radio') {
    const wanted = JSON.parse(state) as boolean[]
    const inputs = members.filter((member) => isTag(member, 'input'))
    if (!wanted.includes(true)) return uncheckAll(inputs)
    for (const [index, member] of withIndex(inputs))
      if (!member.checked && wanted[index] === true) toggleCheckbox(member)
  } else if (type === 'slider' || type === 'spinbutton') await returnTo(element, state, signal)
  else if (type === 'editable') {
    if (live && to === 'before') live.nodes.after = copiesOf(element)
    if (!(await restoreNodes(field, state, live?.nodes[to]))) return (await writeEditor(field, state)).problem
  } else if ((isTag(element, 'input', 'textarea') && !isPickerBox(element)) || type === 'custom') {
    // A date of a read-only field was chosen in a calendar, so that its script knows it.
    const plan = isTag(element, 'input') && element.readOnly ? planWrite(field, state, new Visibility()) : undefined
    if (plan?.kind === 'day') await writeField(field, plan, state, signal)
    if (plan?.kind === 'day' && fieldStateOf(field) === state) return undefined
    const { problem } = await writeField(field, { kind: 'text', text: state }, state, signal)
    // The former text of a combobox may not be one of its options.
    if (problem !== undefined && isTag(element, 'input') && element.value !== state)
      await writeText(element, state, true)
  } else {
    const value = isTag(element, 'input') ? state : (JSON.parse(state) as JsonValue)
    if (value === '' && opensDialog(element)) return 'The field was empty before, and a calendar cannot clear it'
    return (await writeField(field, planWrite(field, value, new Visibility()), value, signal)).problem
  }
  return undefined
}

/**
 * Restores a rich text with its markup. Returns false if an editor with its own document model rejects that; then only
 * the text can be restored.
 */
async function restoreNodes(field: Field, state: string, nodes: readonly Node[] = []): Promise<boolean> {
  const { element } = field
  if (nodes.every((node) => node.nodeType === 3)) return false
  asToolInput(() => {
    const undoing = { bubbles: true, composed: true, inputType: 'historyUndo' }
    const { InputEvent } = viewOf(element)
    if (!element.dispatchEvent(new InputEvent('beforeinput', { ...undoing, cancelable: true }))) return
    // Copies, because the user may undo and redo several times.
    element.replaceChildren(...nodes.map((node) => node.cloneNode(true)))
    element.dispatchEvent(new InputEvent('input', undoing))
  })
  await waitForPageUpdates()
  return fieldStateOf(field) === state
}

/**
 * Unchecks all radio buttons, which no click can do. Impossible if a framework keeps the state: only the page would
 * look empty.
 */
function uncheckAll(inputs: readonly HTMLInputElement[]): string | undefined {
  if (inputs.some((one) => Reflect.ownKeys(one).length > 0 || one.getRootNode() !== one.ownerDocument))
    return 'Nothing was chosen before, and radio buttons cannot be cleared'
  for (const one of inputs)
    if (one.checked)
      asToolInput(() => {
        enterField(one)
        setNative(one, 'checked', false)
        dispatchInput(one, null)
        dispatchChange(one)
        leaveField(one)
      })
  return undefined
}
