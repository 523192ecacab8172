// form_undo, as a model is told of it, and the last fill. What it does is loaded with its first call.
import type { Tool, ToolRun } from '../../page/tools/tool.js'
import type { Field } from '../read/form-fields.js'

export interface UndoRecord {
  readonly field: Field
  readonly before: string
  readonly after: string
  /** What a rich text was made of, copied. */ readonly nodes?: readonly Node[] | undefined
}
let last: { readonly session: string; readonly call: string; readonly fills: readonly UndoRecord[] } | undefined

export function keepForUndo(fills: readonly UndoRecord[], { sessionId, toolCallId }: ToolRun): void {
  if (fills.some(({ before, after }) => before !== after)) last = { session: sessionId, call: toolCallId, fills }
}

/**
 * The last fill, once. A card's button means the fill of that card, and no conversation takes back what another did.
 */
export function takeLatestUndo(session: string, call: unknown): readonly UndoRecord[] {
  if (last?.session !== session || (call !== undefined && call !== last.call)) return []
  const { fills } = last
  last = undefined
  return fills
}

export const formUndo: Tool = {
  name: 'form_undo',
  title: 'Undo the last fill',
  description:
    'Undoes the last form_fill: restores the value each field had before, unless it was changed since. ' +
    'Returns what each field holds now.',
  inputSchema: { type: 'object', properties: {} },
  annotations: { untrustedContentHint: true },
  timeout: 60_000,
  exclusive: true,
  execute: async (input, run) => (await import('./form-undo.run.js')).runFormUndo(input['call'], run),
}
