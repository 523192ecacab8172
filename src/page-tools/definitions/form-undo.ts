// The definition of form_undo, as models see it.
import { internals } from '../../core/data/tool.js'
import { forecastFill } from '../effects/forecast-fill.js'
import type { Tool } from '../../page/tools/tool.js'
import { implementation } from './implementation.js'

/** `form_undo`. */
export const formUndo: Tool = {
  name: 'form_undo',
  title: 'Undo the last fill',
  description: 'Undoes the last form_fill, except fields changed since.',
  inputSchema: { type: 'object', properties: {} },
  annotations: { untrustedContentHint: true },
  timeout: 60_000,
  exclusive: true,
  [internals]: { preview: (_input, run) => forecastFill(run) },
  execute: async (_input, run) => (await implementation()).runFormUndo(run),
}
