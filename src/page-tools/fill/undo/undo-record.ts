// The record of the last fill, for form_undo.
import type { ToolRun } from '../../../page/tools/tool.js'
import type { Box } from '../checkboxes.js'
import type { Field } from '../../read/form-fields.js'

/** A field that was filled. */
export interface UndoRecord {
  /** As it was when it was filled. Its element may have been replaced since then. */
  readonly field: Field
  /** The raw state to restore. */
  readonly before: string
  /** The raw state after the fill. Undo skips the field if it has another one. */
  readonly after: string
  /** Copies of the contents of a rich text editor. */
  readonly nodes?: readonly Node[] | undefined
  /** The boxes that changed with a mixed checkbox, as they were before. */
  readonly boxes?: readonly Box[] | undefined
}
let last: { readonly session: string; readonly call: string; readonly fills: readonly UndoRecord[] } | undefined

/** Records a fill that changed something. It replaces the last one. */
export function keepForUndo(fills: readonly UndoRecord[], { sessionId, toolCallId }: ToolRun): void {
  if (fills.some(({ before, after }) => before !== after)) last = { session: sessionId, call: toolCallId, fills }
}

/**
 * Takes the last fill of this session, once. `call` restricts it to one call, because the button of a card undoes that
 * fill only.
 */
export function takeLatestUndo(session: string, call: unknown): readonly UndoRecord[] {
  if (last?.session !== session || (call !== undefined && call !== last.call)) return []
  const { fills } = last
  last = undefined
  return fills
}
