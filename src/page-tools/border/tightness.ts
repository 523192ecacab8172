// Whether all that a page sends can be held. Only then a press whose effect nobody knows may run without a question. In
// doubt it cannot: what the page did before the tag was there is not known, so it counts what it has done since.
import { currentPage, elementsUnder, isTag } from '../dom/dom.js'
import { usesChannel } from '../effects/page-requests.js'
import { isTelemetryAddress } from '../effects/telemetry.js'
import { earlyBorder } from '../../page/early-border.js'
import { timings } from './timings.js'

/** Why something may leave the page unseen. */
export type Leak =
  /** Other scripts ran before, which may have kept `fetch`, and no request was seen yet that could have been held. */
  | 'unproven'
  /** The browser has timed a request that was not seen. */
  | 'unseen'
  /** The page sends on a socket, a connection or to a worker after an input. */
  | 'channel'
  /** A frame without an address has a `fetch` of its own, and another window can send for the page. */
  | 'window'
  /** The browser has no Navigation API, so a script can leave the page. */
  | 'navigation'

/** The ways out that are known of this page; empty if its border is tight. */
export function leaks(): readonly Leak[] {
  const { since = 0, passed = new Map<string, number>(), isFirst, isFrozen = true } = earlyBorder() ?? {}
  const timed = new Map<string, number>()
  for (const { name, startTime, initiatorType } of timings()) {
    // A library that measures says nothing about how the page itself sends.
    if (startTime <= since || initiatorType === 'other' || isTelemetryAddress(new URL(name))) continue
    const url = name.split('#')[0]!
    timed.set(url, (timed.get(url) ?? 0) + 1)
  }
  // Each passes before it is timed, and some are never timed.
  const isSeen = ([url, times]: readonly [string, number]): boolean => times <= (passed.get(url) ?? 0)
  const found: Record<Leak, boolean> = {
    unproven: isFrozen || !(isFirst || timed.size > 0),
    unseen: ![...timed].every(isSeen),
    channel: usesChannel(),
    window: window.opener !== null || window.parent !== window || hasEmptyFrame(),
    navigation: !('navigation' in window),
  }
  return (Object.keys(found) as Leak[]).filter((one) => found[one])
}

const hasEmptyFrame = (): boolean =>
  [...elementsUnder(currentPage().documentElement)].some(
    (one) => isTag(one, 'iframe') && /^(?:about:.*)?$/i.test(one.getAttribute('src') ?? ''),
  )
