// What the page sends by itself, such as heartbeats and analytics, is no effect of an action.
import { keyOf, sentByItself } from './page-requests.js'
import { destroys, effectOfRequest, type PageRequest } from './read-request.js'
import { siteOf } from './site.js'

/**
 * Whether the page sent such a request before, by itself: the same operation at the same address. To other sites only
 * the origin counts. What deletes or pays is never usual.
 */
export function isUsual(request: PageRequest): boolean {
  const what = effectOfRequest(request, location.origin)
  if (what === undefined || destroys(request)) return false
  const isSame = (one: PageRequest): boolean => effectOfRequest(one, location.origin)?.operation === what.operation
  if (sentByItself().get(keyOf(request))?.some(isSame)) return true
  const { origin } = request.url
  return siteOf(request.url) !== undefined && [...sentByItself().values()].some(([one]) => one?.url.origin === origin)
}
