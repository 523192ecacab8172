// Whether all that a page sends can be held. Only then a press whose effect nobody knows may run without a question. In
// doubt it cannot: what a page did before the wrappers were there is not known, and neither is what it will send with.
import { currentPage, elementsUnder, isTag } from '../dom/dom.js'
import { earlyBorder } from '../effects/early-border.js'
import { passed, watchedSince } from '../effects/page-requests.js'

/** Why something may leave the page unseen. */
export type Leak =
  /** The first script of the page was none of ours: others may have kept `fetch`, or opened a socket. */
  | 'late'
  /** The browser has timed a request that did not pass the wrappers. */
  | 'unseen'
  /** The page has a socket, a connection or a worker. */
  | 'channel'
  /** The page has a frame, or was opened by another window, which can send for it. */
  | 'window'
  /** The browser has no Navigation API, so a script can leave the page. */
  | 'navigation'

/** The ways out that are known of this page; empty if its border is tight. */
export function leaks(): readonly Leak[] {
  const early = earlyBorder()
  if (early?.isFirst !== true) return ['late']
  const found: Record<Leak, boolean> = {
    late: false,
    unseen: hasUnseen(),
    // What the page leaves with a service worker may be sent later.
    channel: early.hasChannel || Boolean((navigator as Partial<Navigator>).serviceWorker?.controller),
    window: window.opener !== null || window.parent !== window || hasFrame(),
    navigation: !('navigation' in window),
  }
  return (Object.keys(found) as Leak[]).filter((one) => found[one])
}

const hasFrame = (): boolean =>
  [...elementsUnder(currentPage().documentElement)].some((one) => isTag(one, 'iframe', 'object', 'embed'))

/** Once a request was not seen, the next may not be either. */
let isUnseen = false

function hasUnseen(): boolean {
  isUnseen ||= performance
    .getEntriesByType('resource')
    .some(
      (entry) =>
        /^(fetch|xmlhttprequest|beacon)$/.test((entry as PerformanceResourceTiming).initiatorType) &&
        entry.startTime > watchedSince &&
        !passed.has(entry.name.split('#')[0]!),
    )
  return isUnseen
}
