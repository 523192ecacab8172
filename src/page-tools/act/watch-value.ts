// Notes what an action has changed in the field that it operates, such as a checkbox that is clicked, so that the user
// can undo it as they undo a fill.
import type { ToolRun } from '../../page/tools/tool.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import type { Permission } from '../effects/action-guard.js'
import { kindOf } from '../controls/kinds.js'
import { keepForUndo } from '../fill/undo/undo-record.js'
import { isWithheld, type Field } from '../read/field.js'
import { fieldStateOf } from '../read/field-values.js'

/** The field that a control is, or is a part of. Not a private one. */
function fieldOf(control: Element, fields: readonly Field[]): Field | undefined {
  const open = fields.filter((field) => !isWithheld(field))
  return (
    open.find(({ members }) => members.includes(control)) ??
    open.find(({ element }) => Node.prototype.contains.call(element, control))
  )
}

/**
 * Reads the field that an action of the class `value` operates. The function that it returns reads the field again and
 * keeps the difference. Undefined for other actions and without a field.
 */
export function watchValue(
  { effect, control }: Permission,
  { fields }: PageSnapshot,
): ((after: PageSnapshot, run: ToolRun, saved: readonly string[]) => void) | undefined {
  const field = effect === 'value' && control ? fieldOf(control, fields()) : undefined
  if (field === undefined) return undefined
  const before = fieldStateOf(field)
  const nodes = kindOf(field).copy?.(field)
  return (after, run, saved) => {
    const now = field.element.isConnected
      ? field
      : after.fields().find(({ label, type }) => label === field.label && type === field.type)
    if (now) keepForUndo([{ field: now, before, after: fieldStateOf(now), nodes }], run, saved)
  }
}
