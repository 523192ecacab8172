// Which document this is, and which one was before it in its tab, for a server that goes on with what that one ran.
import { readItem, writeItem } from '../../tab/storage.js'
import { randomId } from '../../random-id.js'

const key = 'tool-agent:page'

/** The random id of this document. A duplicated tab is another one. */
export const documentId = randomId()
let before: string | undefined

/** Notes that this document goes. Only then may another one go on with what it ran. */
const noteGone = (): void => writeItem(key, documentId)

/** Call it before the document goes. */
export function watchDocument(): void {
  if (typeof window === 'object') window.addEventListener('pagehide', noteGone)
}

/** The document before this one in its tab, if it said that it goes. */
export function pageBefore(page: string): string | undefined {
  const noted = readItem(key)
  writeItem(key, undefined)
  // The page may have come back from the back/forward cache.
  if (noted !== undefined && noted !== page) before = noted
  return before
}
