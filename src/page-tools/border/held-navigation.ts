// A navigation that was cancelled, and how it is done later: a link by a copy that is on no page, so that no listener of
// the page sees it; what a script began, by the same call.
import { viewOf } from '../dom/dom.js'
import { ignoreRejection } from '../../page/promises.js'
import type { Frozen } from './default-action.js'

/** What a link says about how it is followed. */
const ofLink = ['target', 'rel', 'referrerpolicy', 'download', 'ping', 'hreflang', 'type']

/** Takes the visit of a link. `does`: what the click opens, whatever the link says. */
export function freezeLink(link: Element, url: URL, does: string): Frozen {
  const view = viewOf(link)
  const copy = view.document.createElement('a')
  for (const name of ofLink) {
    const value = link.getAttribute(name)
    if (value !== null) copy.setAttribute(name, value)
  }
  copy.href = url.href
  if (does === 'open') copy.target = '_blank'
  if (does === 'download') copy.download ||= ''
  return { request: { method: 'GET', url }, redo: () => view.HTMLElement.prototype.click.call(copy) }
}

/** Takes what a script began, from its event. */
export function freezeNavigation(navigation: Navigation, event: NavigateEvent): Frozen {
  const { destination, navigationType, info } = event
  const { url, key } = destination
  const state = destination.getState()
  const redo = (): NavigationResult => {
    if (navigationType === 'traverse') return navigation.traverseTo(key, { info })
    if (navigationType === 'reload') return navigation.reload({ info, state })
    return navigation.navigate(url, { info, state, history: navigationType === 'replace' ? 'replace' : 'auto' })
  }
  return {
    request: { method: 'GET', url: new URL(url) },
    // The page that asked for it is told by its own promises.
    redo() {
      const { committed, finished } = redo()
      for (const ended of [committed, finished]) if (ended) void ignoreRejection(ended)
    },
  }
}
