// The summary of an ended call for the user: one line of plain text, stored with the result.
import { toFailure } from '../../core/data/errors.js'
import { visibleText } from '../visible-text.js'
import { untilAborted } from '../promises.js'
import type { ToolEntry } from '../tools/registered-tool.js'
import type { EndedCall } from '../tools/tool.js'

/** Characters of a summary that are stored. */
const longestSummary = 200
/** Milliseconds until a call is settled without the summary. */
const summaryTimeout = 1000

/**
 * Calls the tool's `summary`. Undefined without one, or if it returns nothing. An error in it is passed to `report` and
 * affects nothing else, and so is one second without a text. Never rejects.
 */
export async function summarize(
  { name, tool }: ToolEntry,
  call: EndedCall,
  report: (failure: ReturnType<typeof toFailure>) => void,
): Promise<string | undefined> {
  if (tool.summary === undefined) return undefined
  try {
    const made = Promise.resolve(tool.summary(call as never))
    const text: unknown = await untilAborted(made, AbortSignal.timeout(summaryTimeout))
    if (text === undefined) return undefined
    if (typeof text !== 'string') throw new TypeError(`expected a string, received ${typeof text}`)
    return visibleText(text).replaceAll(/\s+/g, ' ').trim().slice(0, longestSummary) || undefined
  } catch (thrown) {
    const failure = toFailure(thrown, 'invalid-tool')
    report({ ...failure, message: `Tool "${name}": its summary failed: ${failure.message}` })
    return undefined
  }
}
