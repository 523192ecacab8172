// form_undo, as a model is told of it, and the last fill. What it does is loaded with its first call.
import type { Tool } from '../../page/tool.js'
import type { Field } from '../read/fields.js'

export interface Kept { readonly field: Field; readonly before: string; readonly after: string }
let last: readonly Kept[] = []

export function keepForUndo(fills: readonly Kept[]): void {
  if (fills.length > 0) last = fills
}

/** The last fill, once. */
export function takeLast(): readonly Kept[] {
  const fills = last
  last = []
  return fills
}

export const formUndo: Tool = {
  name: 'form_undo',
  title: 'Undo the last fill',
  description: 'Takes the last form_fill back: each field gets the value it had before, unless somebody changed it since. Answers for each what it holds now.',
  inputSchema: { type: 'object', properties: {} },
  annotations: { untrustedContentHint: true },
  timeout: 60_000,
  exclusive: true,
  execute: async (_input, run) => (await import('./restore.js')).undo(run),
}
