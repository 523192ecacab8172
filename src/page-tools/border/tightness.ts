// Whether all that a page sends can be held. Only then a press whose effect nobody knows may run without a question.
import { pageSends, passed } from '../effects/page-requests.js'

/** Why something may leave the page unseen. */
export type Leak =
  /** `fetch` or `XMLHttpRequest` was replaced before the page tools were there: the page may call the original. */
  | 'replaced'
  /** The browser has timed a request that did not pass the wrappers. */
  | 'unseen'
  /** The page sends on a socket, by WebRTC or to a worker when somebody acts. */
  | 'socket'
  /** The browser has no Navigation API, so a script can leave the page. */
  | 'navigation'

/** The ways out that are known of this page; empty if its border is tight. */
export function leaks(): readonly Leak[] {
  const { isReplaced, hasPosted } = pageSends
  return [
    ...(isReplaced ? (['replaced'] as const) : []),
    ...(hasUnseen() ? (['unseen'] as const) : []),
    ...(hasPosted ? (['socket'] as const) : []),
    ...('navigation' in window ? [] : (['navigation'] as const)),
  ]
}

/** Once a request was not seen, the next may not be either. */
let isUnseen = false

function hasUnseen(): boolean {
  const { since } = pageSends
  isUnseen ||= performance
    .getEntriesByType('resource')
    .some(
      (entry) =>
        /^(fetch|xmlhttprequest|beacon)$/.test((entry as PerformanceResourceTiming).initiatorType) &&
        entry.startTime > since &&
        !passed.has(entry.name.split('#')[0]!),
    )
  return isUnseen
}
