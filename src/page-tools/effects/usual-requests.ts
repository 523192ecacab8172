// What the page sends by itself, such as heartbeats, is no effect of an action.
import { carriesFilled } from './filled-values.js'
import { keyOf, sentByItself } from './page-requests.js'
import { destroys, effectOfRequest, type PageRequest } from './read-request.js'

/** Characters. A longer body holds the state of an application, which any deed may change. */
const mostUsual = 2_000

/** A text without what is another one each time: identifiers and times. */
const withoutTimes = (text: string): string =>
  text.replaceAll(/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b|\b\d{4}-\d\d-\d\dT[\d:.]+Z?|\d{10,}/gi, '#')

/**
 * Whether the page sent such a request before, by itself: a short one, with the same operation at the same address.
 * What deletes or pays is never usual, nor what carries a value of the assistant. `isExact`: the text must be the same,
 * because a page may have one address for all that it reads and saves, and nobody knows what the action does.
 */
export function isUsual(request: PageRequest, isExact: boolean): boolean {
  const what = effectOfRequest(request, location.origin)
  if (what === undefined || destroys(request) || request.isUnreadable) return false
  const { body = '', url } = request
  if (body.length > mostUsual || carriesFilled([url.href, body])) return false
  const isSame = (one: PageRequest): boolean =>
    isExact
      ? withoutTimes(`${one.url.search} ${one.body ?? ''}`) === withoutTimes(`${url.search} ${body}`)
      : effectOfRequest(one, location.origin)?.operation === what.operation
  return sentByItself().get(keyOf(request))?.some(isSame) ?? false
}
