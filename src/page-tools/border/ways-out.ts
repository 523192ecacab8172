// The ways in which scripts of the page send, as one list: how each is watched, and how it is held.
import { watchRequests, type RequestGate, type View } from '../effects/page-requests.js'
import { holdFetch, type FetchBorder } from './held-fetch.js'
import { holdBeacon, holdFrame } from './held-messages.js'
import { watchBlobs } from './held-navigation.js'
import { holdXhr, watchHeldXhr, type XhrBorder } from './held-xhr.js'

/** Watches the scripts of a window. Does nothing the second time. */
export function watchWaysOut(view: View): void {
  watchRequests(view)
  watchHeldXhr(view)
  watchBlobs(view)
}

/** How each way is held. `reading` is asked when a request is made whose body may have to be read first. */
export const holdWaysOut = (
  border: XhrBorder,
  reading: () => FetchBorder,
): Pick<RequestGate, 'holdFetch' | 'holdXhr' | 'holdBeacon' | 'holdFrame'> => ({
  holdFetch: (request, sent) => holdFetch(request, sent, reading()),
  holdXhr: (request, sent) => holdXhr(request, sent, border),
  holdBeacon: (request, sent) => holdBeacon(request, sent, reading()),
  holdFrame: (request, sent) => holdFrame(request, sent, border),
})
