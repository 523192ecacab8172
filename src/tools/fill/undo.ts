// The last fill, to be taken back field by field. What the user or the page changed since is left as it is.
import type { JsonValue } from '../../core/json.js'
import type { Tool } from '../../page/tool.js'
import type { Field } from '../read/fields.js'
import { startReading, withoutSecrets } from '../read/reading.js'
import { valueOf } from '../read/state.js'
import { settle } from './events.js'
import { restore, stateOf } from './write.js'

export interface Kept { readonly field: Field; readonly before: string; readonly after: string }
let last: readonly Kept[] = []

export function keepForUndo(fills: readonly Kept[]): void {
  if (fills.length > 0) last = fills
}

export const formUndo: Tool = {
  name: 'form_undo',
  title: 'Undo the last fill',
  description: 'Takes the last form_fill back: each field gets the value it had before, unless somebody changed it since. Answers for each what it holds now.',
  inputSchema: { type: 'object', properties: {} },
  annotations: { untrustedContentHint: true },
  timeout: 60_000,
  exclusive: true,
  async execute(_input, run) {
    const fills = last
    last = []
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
  },
}
