// A navigation that was cancelled, and how it is done later: a link by a copy that is on no page, so that no listener
// of the page sees it; what a script began, by the same call.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { viewOf } from '../dom/dom.js'
import { wrap, type View } from '../effects/page-requests.js'
import { patience } from '../waiting/patience.js'
import type { Frozen } from './departure.js'

/** What a link says about how it is followed. */
const ofLink = ['target', 'rel', 'referrerpolicy', 'download', 'ping', 'hreflang', 'type']

/** Takes the visit of a link. `does`: what the click opens, whatever the link says. */
export function freezeLink(link: Element, url: URL, does: string): Frozen {
  const said = ofLink.flatMap((name) => {
    const value = link.getAttribute(name)
    return value === null ? [] : [[name, value] as const]
  })
  const forced: Partial<Record<string, readonly [string, string]>> = { open: ['target', '_blank'] }
  if (!link.hasAttribute('download')) forced['download'] = ['download', '']
  return freezeVisit(url, forced[does] ? [...said, forced[does]] : said, viewOf(link))
}

/** Takes a visit by a link with these attributes. */
export function freezeVisit(
  url: URL,
  attributes: readonly (readonly [name: string, value: string])[],
  view: View,
): Frozen {
  const copy = unclobbered(view.document).createElement('a')
  for (const [name, value] of attributes) copy.setAttribute(name, value)
  copy.href = url.href
  const { href } = url
  if (url.protocol === 'blob:') kept.set(href, kept.get(href) ?? false)
  return {
    request: { method: 'GET', url },
    redo() {
      view.HTMLElement.prototype.click.call(copy)
      setTimeout(() => giveUp(href), patience.saving)
    },
    drop: () => giveUp(href),
  }
}

/** Addresses of blobs that are held, and whether the page has given them up. */
const kept = new Map<string, boolean>()

const watched = new WeakSet<View>()

/** Keeps the addresses of blobs that are held. Does nothing the second time. */
export function watchBlobs(view: View): void {
  if (watched.has(view)) return
  watched.add(view)
  wrap(view.URL, 'revokeObjectURL', (_self, args, original) => {
    const address = String(args[0])
    // A click whose way a listener ends is held in a microtask.
    queueMicrotask(() => {
      if (kept.has(address)) kept.set(address, true)
      else original(...args)
    })
  })
}

function giveUp(address: string): void {
  const isGivenUp = kept.get(address)
  kept.delete(address)
  if (isGivenUp) URL.revokeObjectURL(address)
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
      for (const ended of [committed, finished]) ended?.catch(() => undefined)
    },
  }
}
