// Plans, writes and checks the value of one field: what all kinds of controls have in common. See ../controls.
import type { JsonValue } from '../../core/data/json.js'
import type { Plan, WriteResult, WriteRun } from '../controls/control-kind.js'
import { writingKindOf } from '../controls/kinds.js'
import { textState } from '../controls/shown.js'
import { daysOfReadOnly } from '../controls/pop-up.js'
import { isTag } from '../dom/dom.js'
import { isDisabled, isReadOnly } from '../dom/field-state.js'
import type { Visibility } from '../dom/visibility.js'
import { checkChoice, checkOption } from '../effects/option-guard.js'
import type { Field } from '../read/field.js'
import { fieldValueOf } from '../read/field-values.js'
import { refused, temporalFormats, valueAsText } from './plan.js'

/** Plans how to write a value into a field. Private fields, files and disabled fields are refused. */
export function planWrite(field: Field, value: JsonValue | undefined, visibility: Visibility): Plan {
  const kind = writingKindOf(field)
  if (field.secret)
    return refused(`sensitive-field: ${JSON.stringify(field.label)} is private (${field.secret}); the user fills it`)
  if (kind.refusal !== undefined) return refused(kind.refusal)
  if (field.members.every(isDisabled)) return refused('The field is disabled', true)
  if (isReadOnly(field.element) && !kind.takesReadOnly) return planReadOnly(field.element, value)
  return kind.plan(field, value, visibility)
}

/** It may be a date that is chosen in a calendar. */
const planReadOnly = (element: Element, value: JsonValue | undefined): Plan =>
  daysOfReadOnly(element, value) ??
  refused(
    isTag(element, 'input') && element.type !== 'checkbox'
      ? `The field is read-only. If it has a calendar, pass a date as ${temporalFormats.get('date')}`
      : 'The field is read-only',
    true,
  )

/** What a kind of control may use while it writes. */
export const writeRun = (signal: AbortSignal): WriteRun => ({ signal, checkOption, checkChoice })

/** Writes a planned value. */
export const writeField = async (field: Field, plan: Plan, run: WriteRun): Promise<WriteResult> =>
  plan.problem === undefined ? plan.write(field, run) : { problem: plan.problem }

/** Whether the field holds the planned value, perhaps in another format. */
export function holdsValue(field: Field, plan: Plan, visibility: Visibility): boolean {
  if (plan.problem !== undefined) return false
  const value = fieldValueOf(field, visibility)
  const text = isTag(field.element, 'input', 'textarea') ? textState(field, visibility) : valueAsText(value)
  return plan.holds(field, { value, text })
}
