// Who decides about requests, and which ones were refused. Libraries send a failed request again by themselves: what
// was stopped or refused stays so for a while.
import { decideBy, type LateCode, type RequestGate } from '../effects/page-requests.js'
import type { PageRequest } from '../effects/read-request.js'
import { deedOf, isRefusedDeed } from '../effects/refused-deeds.js'
import { stopXhr } from './held-xhr.js'

/** Milliseconds after a stop in which libraries may send the same request again by themselves. */
const retryTime = 30_000
/** When a request was stopped, by what it is about. */
const stoppedAt = new Map<string, number>()

/** Whether this was refused, or stopped a moment ago, and the user has not touched the page since. */
export const isRetry = (request: PageRequest): boolean =>
  isRefusedDeed(request) || performance.now() - (stoppedAt.get(deedOf(request)) ?? -Infinity) < retryTime

/** A request was stopped. */
export const noteStopped = (request: PageRequest): void => void stoppedAt.set(deedOf(request), performance.now())

const late: LateCode = { stop: stopXhr, isRetry, pressed: () => stoppedAt.clear() }

/** The newest one decides. Reading the page has one of its own, also while another action waits for the user. */
const gates: RequestGate[] = []

/** Lets `decider` decide, until the returned function is called. */
export function setRequestGate(decider: RequestGate): () => void {
  gates.push(decider)
  decideBy(decider, late)
  return () => {
    const place = gates.indexOf(decider)
    if (place >= 0) gates.splice(place, 1)
    decideBy(gates.at(-1), late)
  }
}
