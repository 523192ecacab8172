// What the page knows now, in the words of its author: the option `pageContext`, read once for each message. A message
// must not fail or wait long because of it, so an error is logged and the entry is left out.
import { errorMessage } from '../../core/data/errors.js'
import { logWarning } from '../log.js'
import type { PageContext } from '../options.js'
import { contextText } from '../page-context-text.js'
import { untilAborted } from '../promises.js'

/** Milliseconds until a message is sent without it. */
const patience = 1000

/** The text of the option; undefined without one, if there is nothing to tell, or after an error. Never rejects. */
export async function readPageContext(option: PageContext | undefined): Promise<string | undefined> {
  try {
    const made = typeof option === 'function' ? Promise.resolve(option()) : option
    return contextText(made instanceof Promise ? await untilAborted(made, AbortSignal.timeout(patience)) : made)
  } catch (thrown) {
    logWarning(`pageContext was left out of a message: ${errorMessage(thrown)}`)
    return undefined
  }
}
