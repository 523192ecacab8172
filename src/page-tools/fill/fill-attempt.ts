// The state of the entries of a call while the form is filled.
import { ToolAgentError } from '../../core/data/errors.js'
import { isObject, type JsonValue } from '../../core/data/json.js'
import { normalizeText, truncate } from '../dom/text.js'
import type { BoxState, Plan, WriteResult } from '../controls/control-kind.js'
import type { Field } from '../read/field.js'

/** A requested field and value. */
export interface FillEntry {
  /** The label, name or ref. */
  readonly asked: string
  /** The requested value; null if the call has none. */
  readonly value: JsonValue
}

/** The state of one entry while the form is filled. */
export interface FillAttempt {
  /** What was requested. For a group of checkboxes, one entry for each of them. */
  readonly entry: FillEntry
  /** The unique label of the field, or the requested name while no field matches. */
  label: string
  /** Absent if no field matches. Replaced if the page renders the field again. */
  field?: Field
  /** Absent until the field was planned. Replaced if the field should hold another text than planned. */
  plan?: Plan
  /** The raw state before the first write, for form_undo. Absent while nothing was written. */
  before?: string
  /** The value before the first write, for the card of the call. */
  was?: JsonValue
  /** The raw state after writing, for form_undo. Absent while nothing was written. */
  after?: string
  /** The boxes that changed with a mixed checkbox, as they were before. */
  boxes?: readonly BoxState[]
  /** Copies of the contents of a rich text editor before writing. */
  nodes?: Node[] | undefined
  /** Why the value was not written or not accepted, as the model reads it. Absent if there was no problem. */
  problem?: string
  offer?: WriteResult['offer']
  isHeld?: WriteResult['isHeld'] | undefined
  /** One of two ends of a range, which may move with the other one: then it is written again. */
  isRangeEnd?: true
  /** Another field may make it possible, so try again at the end. */
  later?: boolean
  /** Whether the field was written, accepted or not. Only written fields are recorded for form_undo. */
  written: boolean
}

/**
 * Why a step of a field threw, for the model. Errors of a page may say what it expects; type errors are mistakes in
 * code, whose texts say nothing.
 */
export function problemOf(thrown: unknown): string {
  if (thrown instanceof ToolAgentError) return thrown.message
  const { name, message } = (
    isObject(thrown) || thrown instanceof Error ? thrown : { message: thrown }
  ) as Partial<Error>
  const said = /^(Type|Reference)Error$/.test(name ?? '') || typeof message !== 'string' ? '' : normalizeText(message)
  return (
    `The page failed while the field was used${said ? `: ${JSON.stringify(truncate(said, 200))}` : ''}. ` +
    'Read what it holds now. Try page_click or page_press, or ask the user to fill it'
  )
}
