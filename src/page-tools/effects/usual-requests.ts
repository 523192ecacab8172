// What the page sends by itself, such as heartbeats, is no effect of an action.
import { carriesFilled } from './filled-values.js'
import { keyOf, sentByItself } from './page-requests.js'
import { destroys, effectOfRequest, type PageRequest } from './read-request.js'

/** Characters. A longer body holds the state of an application, which any deed may change. */
const mostUsual = 2_000

/**
 * Whether the page sent such a request before, by itself: a short one, with the same operation at the same address.
 * What deletes or pays is never usual, nor what carries a value of the assistant.
 */
export function isUsual(request: PageRequest): boolean {
  const what = effectOfRequest(request, location.origin)
  if (what === undefined || destroys(request) || request.isUnreadable) return false
  const { body = '', url } = request
  if (body.length > mostUsual || carriesFilled([url.href, body])) return false
  const isSame = (one: PageRequest): boolean => effectOfRequest(one, location.origin)?.operation === what.operation
  return sentByItself().get(keyOf(request))?.some(isSame) ?? false
}
