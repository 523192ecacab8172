// What the page sends by itself, such as heartbeats, is no effect of an action.
import { carriesFilled } from './filled-values.js'
import { sentByItself } from './page-requests.js'
import { destroys, effectOfRequest, type PageRequest } from './read-request.js'
import { keyOf } from './refused-deeds.js'

/** Characters. A longer body holds the state of an application, which any deed may change. */
const mostUsual = 2_000

/** The text of a request without what is another one each time: identifiers, times and counts. */
const textOf = ({ url, body = '' }: PageRequest): string =>
  `${url.search} ${body}`.replaceAll(
    /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b|\b\d{4}-\d\d-\d\dT[\d:.]+Z?|\d+/gi,
    '#',
  )

/**
 * Whether the page sent such a request before, by itself: a short one, which said the same at the same address. A page
 * may have one address for all that it saves, and name what is done in any field. What deletes or pays is never usual,
 * nor what carries a value of the assistant.
 */
export function isUsual(request: PageRequest): boolean {
  const { body = '', url } = request
  if (effectOfRequest(request, location.origin) === undefined || destroys(request) || request.isUnreadable) return false
  if (body.length > mostUsual || carriesFilled([url.href, body])) return false
  return (
    sentByItself()
      .get(keyOf(request))
      ?.some((one) => textOf(one) === textOf(request)) ?? false
  )
}
