// What form_undo does: the last fill, taken back field by field. What the user or the page changed since is left as it
// is. Loaded with its first call.
import type { JsonValue } from '../../core/data/json.js'
import type { ToolRun } from '../../page/tools/tool.js'
import { isTag, viewOf } from '../dom/dom.js'
import type { Field } from '../read/form-fields.js'
import { createSight } from '../dom/visibility.js'
import { startReading, withoutSecrets } from '../dom/page-snapshot.js'
import { valueOf } from '../dom/field-state.js'
import { isPickerBox, opensDialog } from './date-picker-field.js'
import { asOurs, change, enter, input, leave, settle } from './input-events.js'
import { planFor } from './plan-write.js'
import { takeLast, type Kept } from './form-undo.js'
import { select, setNative, stateOf, toggle, write, writeEditable, writeText } from './write.js'
import { slide } from './widgets.js'

export async function undo(call: unknown, run: ToolRun): Promise<JsonValue> {
  const fills = takeLast(run.sessionId, call)
  if (fills.length === 0)
    return {
      fields: [],
      note: 'There is nothing left to take back: only the last fill of this conversation, and only once',
    }
  const done: { label: string; kept: Kept; field: Field | undefined; problem?: string }[] = []
  // Backwards, because a field may have made a later one possible.
  for (const kept of [...fills].reverse()) {
    if (run.signal.aborted) break
    const field = kept.field.element.isConnected
      ? kept.field
      : startReading(run)
          .fields()
          .find(({ label }) => label === kept.field.label)
    let problem = !field
      ? 'The field is no longer on the page'
      : field.secret
        ? 'sensitive-field: the field is private'
        : stateOf(field) === kept.after
          ? undefined
          : 'Left alone: it was changed since'
    if (field && problem === undefined) {
      problem = await restore(field, kept, run.signal)
      await settle()
    }
    done.push({ label: kept.field.label, kept, field, ...(problem === undefined ? {} : { problem }) })
  }
  const reading = startReading(run)
  const results = done.reverse().map(({ label, kept, field, problem }): JsonValue => {
    const ok = problem === undefined && field !== undefined && stateOf(field) === kept.before
    const now = field ? valueOf(field, reading.sight) : null
    return { field: label, now, ok, ...(ok ? {} : { problem: problem ?? 'The page did not take it back' }) }
  })
  return withoutSecrets(results, reading.fields())
}

/** Puts a raw state back, as a hand would. The answer is what stands in the way. */
async function restore(field: Field, { before: state, nodes }: Kept, signal: AbortSignal): Promise<string | undefined> {
  const { element, members, type } = field
  if (isTag(element, 'select')) {
    const wanted = JSON.parse(state) as boolean[]
    select(element, (option) => wanted[option.index] === true)
  } else if (isTag(element, 'input') && (type === 'checkbox' || type === 'radio')) {
    const wanted = JSON.parse(state) as boolean[]
    const inputs = members as readonly HTMLInputElement[]
    if (type === 'radio' && !wanted.includes(true)) return empty(inputs)
    for (const [index, member] of inputs.entries())
      if (member.checked !== wanted[index] && (type === 'checkbox' || wanted[index])) toggle(member)
  } else if (type === 'slider' || type === 'spinbutton') await slide(element, Number(state), signal)
  else if (type === 'editable') {
    if (!(await putBack(field, state, nodes))) writeEditable(element, state)
  } else if ((isTag(element, 'input', 'textarea') && !isPickerBox(element)) || type === 'custom') {
    const { problem } = await write(field, { kind: 'text', text: state }, state, signal)
    // What stood in a combobox need not be one of its options.
    if (problem !== undefined && isTag(element, 'input') && element.value !== state)
      await writeText(element, state, true)
  } else {
    const value = isTag(element, 'input') ? state : (JSON.parse(state) as JsonValue)
    if (value === '' && opensDialog(element)) return 'It was empty before, and a calendar only chooses days'
    return (await write(field, await planFor(field, value, createSight()), value, signal)).problem
  }
  return undefined
}

/** A rich text with its markup. An editor that keeps a document of its own takes back its own step, or draws its own text again: then only the text can be written. */
async function putBack(field: Field, state: string, nodes: readonly Node[] = []): Promise<boolean> {
  const { element } = field
  if (nodes.every((node) => node.nodeType === 3)) return false
  asOurs(() => {
    const undoing = { bubbles: true, composed: true, inputType: 'historyUndo' }
    const { InputEvent } = viewOf(element)
    if (!element.dispatchEvent(new InputEvent('beforeinput', { ...undoing, cancelable: true }))) return
    element.replaceChildren(...nodes)
    element.dispatchEvent(new InputEvent('input', undoing))
  })
  await settle()
  return stateOf(field) === state
}

/** No click empties a set of radio buttons. Where a script keeps the choice, emptying the boxes would only hide it. */
function empty(inputs: readonly HTMLInputElement[]): string | undefined {
  if (inputs.some((one) => Reflect.ownKeys(one).length > 0 || one.getRootNode() !== one.ownerDocument))
    return 'Nothing was chosen before, and a choice cannot be taken away by hand'
  for (const one of inputs)
    if (one.checked)
      asOurs(() => {
        enter(one)
        setNative(one, 'checked', false)
        input(one, null)
        change(one)
        leave(one)
      })
  return undefined
}
