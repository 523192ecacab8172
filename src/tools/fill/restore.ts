// What form_undo does: the last fill, taken back field by field. What the user or the page changed since is left as it
// is. Loaded with its first call.
import type { JsonValue } from '../../core/json.js'
import type { ToolRun } from '../../page/tool.js'
import { isTag } from '../dom.js'
import type { Field } from '../read/fields.js'
import { startReading, withoutSecrets } from '../read/reading.js'
import { valueOf } from '../read/state.js'
import { asOurs, change, click, enter, input, leave, settle } from './events.js'
import { takeLast, type Kept } from './undo.js'
import { setNative, slide, stateOf, temporal, writeEditable, writeText } from './write.js'

export async function undo(run: ToolRun): Promise<JsonValue> {
  const fills = takeLast()
  const done: { label: string; kept: Kept; field: Field | undefined; problem?: string }[] = []
  // Backwards, because a field may have made a later one possible.
  for (const kept of [...fills].reverse()) {
    if (run.signal.aborted) break
    const field = kept.field.element.isConnected ? kept.field : startReading(run).fields().find(({ label }) => label === kept.field.label)
    const problem = !field ? 'The field is no longer on the page' : field.secret ? 'sensitive-field: the field is private' : stateOf(field) === kept.after ? undefined : 'Left alone: it was changed since'
    if (field && problem === undefined) {
      await restore(field, kept.before, run.signal)
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

/** Puts a raw state back, with the events that tell the page so. */
async function restore(field: Field, state: string, signal: AbortSignal): Promise<void> {
  const { element, members, type } = field
  if (type === 'editable') { writeEditable(element, (JSON.parse(state) as [[unknown, unknown, string]])[0][2]); return }
  if (isTag(element, 'select') || (isTag(element, 'input') && (type === 'checkbox' || type === 'radio'))) {
    const wanted = JSON.parse(state) as boolean[]
    asOurs(() => {
      enter(element)
      if (isTag(element, 'select')) {
        for (const [index, option] of [...element.options].entries()) if (option.selected !== wanted[index]) setNative(option, 'selected', wanted[index] === true)
        input(element, null)
        change(element)
      }
      else for (const [index, member] of (members as readonly HTMLInputElement[]).entries()) {
        if (member.checked === wanted[index]) continue
        // No click empties a set of radio buttons.
        if (type === 'checkbox' || wanted[index]) member.click()
        else if (!wanted.includes(true)) { setNative(member, 'checked', false); input(member, null); change(member) }
      }
      leave(element)
    })
    return
  }
  if (isTag(element, 'input', 'textarea') || type === 'custom') {
    writeText(element, state, !temporal.has(type) && type !== 'range' && type !== 'color')
    return
  }
  const [[checked, now]] = JSON.parse(state) as [[string | null, string | null]]
  if (now !== null) { await slide(element, Number(now), signal); return }
  if (checked !== null && element.getAttribute('aria-checked') !== checked) asOurs(() => click(element))
}
