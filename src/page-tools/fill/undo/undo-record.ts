// What is needed to undo a change of a field, beside what is stored: its element, and copies of what a state does not
// have. It lives as long as the document.
import type { JsonValue } from '../../../core/data/json.js'
import type { ToolRun } from '../../../page/tools/tool.js'
import type { BoxState } from '../../controls/control-kind.js'
import type { Field } from '../../read/field.js'
import type { ChangedField } from '../../definitions/undo-store.js'
import { addChanges } from './note-changes.js'

/** A field that was changed. */
export interface UndoRecord {
  /** As it was when it was changed. Its element may have been replaced since then. */
  readonly field: Field
  /** The raw state to restore. */
  readonly before: string
  /** The value before the change, as a person reads it. */
  readonly was?: JsonValue | undefined
  /** The raw state after the change. */
  readonly after: string
  /** Copies of the contents of a rich text editor, from before the change. */
  readonly nodes?: readonly Node[] | undefined
  /** The boxes that changed with a mixed checkbox, as they were before. */
  readonly boxes?: readonly BoxState[] | undefined
}

/** What this document knows of a changed field. */
export interface LiveField extends Pick<UndoRecord, 'field' | 'boxes'> {
  /** Copies of the contents of a rich text editor, before and after the change. */
  readonly nodes: { before?: readonly Node[] | undefined; after?: readonly Node[] | undefined }
}

const live = new Map<string, LiveField>()
const keyOf = (session: string, call: string, label: string): string => JSON.stringify([session, call, label])
/** Fields that are remembered with their elements. */
const most = 500

/** Records what a call has changed, if it has. `saved`: where the page has saved it. */
export function keepForUndo(
  records: readonly UndoRecord[],
  { sessionId, toolCallId }: ToolRun,
  saved: readonly string[],
): void {
  const merged = new Map<string, UndoRecord>()
  for (const one of records) {
    const first = merged.get(one.field.label)
    merged.set(one.field.label, first ? { ...one, before: first.before, was: first.was, nodes: first.nodes } : one)
  }
  const changed = [...merged.values()].filter(({ before, after }) => before !== after)
  if (changed.length === 0) return
  for (const { field, nodes, boxes } of changed) {
    const key = keyOf(sessionId, toolCallId, field.label)
    const known = live.get(key)
    live.delete(key)
    live.set(key, { field, boxes: known?.boxes ?? boxes, nodes: { before: known?.nodes.before ?? nodes } })
  }
  for (const old of [...live.keys()].slice(0, Math.max(0, live.size - most))) live.delete(old)
  const fields = changed.map(({ field: { label, type }, before, was, after }): ChangedField => ({
    label,
    type,
    before,
    was,
    after,
  }))
  addChanges(sessionId, { call: toolCallId, fields, saved })
}

/** What this document knows of a field; undefined after a reload. */
export function liveField(session: string, call: string, { label }: ChangedField): LiveField | undefined {
  return live.get(keyOf(session, call, label))
}
