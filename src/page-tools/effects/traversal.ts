// Where a step in the history leads. It cannot be cancelled once it has begun, so it is stopped where a script asks for
// it.
import type { StoppedEffect } from '../../core/data/stopped-effect.js'
import type { Departure } from '../border/departure.js'
import { shownAddress } from '../sensitive/redact.js'
import { siteOf } from './read-request.js'

interface Entry {
  readonly index: number
  readonly url: string | null
  readonly sameDocument: boolean
}
interface Navigation {
  readonly currentEntry: Entry | null
  entries(): readonly Entry[]
}

/** `history.go(steps)`; undefined if it leaves nothing. */
export function traversalOf(view: Window, steps: number): Departure | undefined {
  const what = effectOfTraversal(view, steps)
  // Two steps are no repetition of one.
  const request = { method: 'GET', url: new URL(view.location.href), isUnreadable: true }
  return what && { what, freeze: () => ({ request, redo: () => view.history.go(steps) }) }
}

/**
 * What `history.go(steps)` would do; undefined if it leaves nothing: a route of this page, or a step that is not there.
 * The browser tells the entries of this site alone, so a step beyond them leads to another one.
 */
function effectOfTraversal(view: Window, steps: number): StoppedEffect | undefined {
  if (view.history.length <= 1 && steps !== 0) return undefined
  const { navigation } = view as Window & { readonly navigation?: Navigation }
  const here = navigation?.currentEntry
  const entry = here ? navigation.entries()[here.index + steps] : undefined
  if (entry?.sameDocument === true && steps !== 0) return undefined
  if (entry?.url != null) return { effect: 'go', does: 'go', url: shownAddress(new URL(entry.url)) }
  // Of the page before this site the referrer knows the origin.
  const isReferrer = here !== null && here !== undefined && here.index + steps === -1
  const { referrer } = view.document
  const site = isReferrer && URL.canParse(referrer) ? siteOf(new URL(referrer)) : undefined
  return { effect: 'outside', does: 'go', ...(site ? { site } : {}) }
}
