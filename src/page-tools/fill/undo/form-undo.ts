// Implements form_undo: restores the fields of the last fill, except those that the user or the page has changed since.
import type { JsonValue } from '../../../core/data/json.js'
import type { ToolRun } from '../../../page/tools/tool.js'
import { isTag, viewOf } from '../../dom/dom.js'
import type { Field } from '../../read/form-fields.js'
import { Visibility } from '../../dom/visibility.js'
import { takeSnapshot, redactSecrets } from '../../dom/page-snapshot.js'
import { fieldValueOf } from '../../read/field-values.js'
import { problemOf } from '../form-fill.js'
import { isPickerBox, opensDialog } from '../../dom/pop-ups.js'
import { dispatchChange, enterField, dispatchInput, leaveField, waitForPageUpdates } from '../input-events.js'
import { asToolInput } from '../watch-user.js'
import { planWrite } from '../plan-write.js'
import { takeLatestUndo, type UndoRecord } from './undo-record.js'
import { writeField } from '../write.js'
import { setNative, writeText } from '../set-value.js'
import { guardFill } from '../../effects/guard-fill.js'
import { fieldStateOf } from '../../read/field-values.js'
import { restoreMixed, setCheckbox, toggleCheckbox } from '../checkboxes.js'
import { returnTo } from '../sliders.js'
import { writeEditor } from '../editors.js'
import { selectOption } from '../widgets.js'

/** Undoes the last fill of the session. `call`: only if it was this call. */
export async function runFormUndo(call: unknown, run: ToolRun): Promise<JsonValue> {
  const fills = takeLatestUndo(run.sessionId, call)
  if (fills.length === 0)
    return {
      fields: [],
      note: 'Nothing to undo: only the last fill of this conversation can be undone, and only once',
    }
  const done: { label: string; kept: UndoRecord; field: Field | undefined; problem?: string }[] = []
  const guard = guardFill(run)
  try {
    // In reverse order, because a field may have enabled a later one.
    for (const kept of [...fills].reverse()) {
      if (run.signal.aborted) break
      const field = kept.field.element.isConnected
        ? kept.field
        : takeSnapshot(run)
            .fields()
            .find(({ label }) => label === kept.field.label)
      let problem: string | undefined
      try {
        problem = whyNotRestorable(field, kept)
        if (field && problem === undefined) {
          problem = await restore(field, kept, run.signal)
          await waitForPageUpdates()
        }
      } catch (thrown) {
        // The other fields are restored nevertheless.
        problem = problemOf(thrown)
      }
      done.push({ label: kept.field.label, kept, field, ...(problem === undefined ? {} : { problem }) })
    }
    await guard.acted()
  } finally {
    guard.end()
  }
  guard.throwIfStopped()
  const snapshot = takeSnapshot(run)
  const results = done.reverse().map(({ label, kept, field, problem }): JsonValue => {
    const ok = problem === undefined && field !== undefined && fieldStateOf(field) === kept.before
    const now = field ? fieldValueOf(field, snapshot.visibility) : null
    return { field: label, now, ok, ...(ok ? {} : { problem: problem ?? 'The page did not restore the value' }) }
  })
  return redactSecrets(results, snapshot.fields())
}

function whyNotRestorable(field: Field | undefined, { after }: UndoRecord): string | undefined {
  if (!field) return 'The field is no longer on the page'
  if (field.secret) return 'sensitive-field: the field is private'
  return fieldStateOf(field) === after ? undefined : 'Skipped: the field was changed since'
}

/** Restores a raw state with the events of a user. Returns the problem, if any. */
async function restore(
  field: Field,
  { before: state, nodes, boxes }: UndoRecord,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { element, members, type } = field
  if (isTag(element, 'select')) {
    const wanted = JSON.parse(state) as boolean[]
    selectOption(element, (option) => wanted[option.index] === true)
  } else if (type === 'checkbox' || type === 'switch') {
    const wanted = JSON.parse(state) as boolean | 'mixed'
    return wanted === 'mixed' ? restoreMixed(boxes ?? [], signal) : (await setCheckbox(element, wanted, signal)).problem
  } else if (isTag(element, 'input') && type === 'radio') {
    const wanted = JSON.parse(state) as boolean[]
    const inputs = members.filter((member) => isTag(member, 'input'))
    if (!wanted.includes(true)) return uncheckAll(inputs)
    for (const [index, member] of inputs.entries())
      if (!member.checked && wanted[index] === true) toggleCheckbox(member)
  } else if (type === 'slider' || type === 'spinbutton') await returnTo(element, state, signal)
  else if (type === 'editable') {
    if (!(await restoreNodes(field, state, nodes))) return (await writeEditor(field, state)).problem
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
    element.replaceChildren(...nodes)
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
