// What the user reads about the calls of a usual visit, in English. summaries.ts has the other tools and languages.
import type { EndedCall } from '../page/tools/tool.js'
import type { FillReport } from './fill/form-fill.run.js'

/** The sentence for a successful call that reads, or that filled all fields; undefined for others. */
export function usualSummary(name: string, { output }: EndedCall): string | undefined {
  if (name === 'page_read') return 'Read the page'
  if (name === 'form_read') return 'Read the form'
  if (name !== 'form_fill') return undefined
  const fields = output as readonly FillReport[]
  return fields.every(({ ok }) => ok) ? `Filled ${fields.length} field${fields.length === 1 ? '' : 's'}` : undefined
}
