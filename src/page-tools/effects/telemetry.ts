// What pages measure is no effect of an action: page views, presses, errors. It is recognized by the shape of what
// libraries really send, also through a tunnel of this site (test/support/page/telemetry.json has what was measured),
// or by an address to which the page has measured by itself. Nothing that deletes or pays, and nothing that carries a
// value of the assistant, is telemetry. Nor is it an
// effect what a page sends by itself again and again, such as heartbeats.
import { isObject } from '../../core/data/json.js'
import { firstInputTime, timings } from '../border/timings.js'
import { carriesFilled, hasFilled } from './filled-values.js'
import { notedSince, sentByItself } from './page-requests.js'
import { destroys, type PageRequest, effectOfRequest } from './read-request.js'
import { keyOf } from './refused-deeds.js'

/** Characters. A longer body is not read. */
const mostRead = 200_000

function json(text: string | undefined): unknown {
  if (text === undefined || !/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What a text in Base64 says, as libraries pack their events; undefined if it is none. */
function unpacked(text: string): string | undefined {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)))
  } catch {
    return undefined
  }
}

/** The body as it is, and what its parameter `data` holds. */
function textsOf({ url, body }: PageRequest): readonly string[] {
  if (body === undefined || body.length > mostRead) return []
  const parameters = /^[\w.[\]%-]+=/.test(body) ? new URLSearchParams(body) : url.searchParams
  const data = parameters.get('data')
  return [body, ...(data ? [data, unpacked(data) ?? ''] : [])]
}

const has = (value: unknown, ...names: string[]): boolean => isObject(value) && names.every((name) => name in value)
const first = (value: unknown): unknown => (Array.isArray(value) ? (value as unknown[])[0] : value)

/** The names of what each library sends. */
const shapes: readonly ((text: string, path: string) => boolean)[] = [
  // Sentry: an envelope, whose second line says what the third one is.
  (text) => {
    const [head, item] = text.split('\n', 2).map(json)
    return has(head) && (has(head, 'sent_at') || has(head, 'dsn')) && has(item, 'type')
  },
  // Datadog: one event a line.
  (text) => has(json(text.split('\n', 1)[0]), '_dd', 'type'),
  // Segment and RudderStack.
  (text) => {
    const event = json(text)
    const one = has(event, 'batch') ? first((event as { batch: unknown }).batch) : event
    return has(one, 'messageId', 'type') && (has(one, 'anonymousId') || has(one, 'userId')) && has(one, 'context')
  },
  // Amplitude.
  (text) => {
    const body = json(text)
    return has(body, 'api_key', 'events') && has(first((body as { events: unknown }).events), 'event_type')
  },
  // Mixpanel.
  (text, path) => {
    const event = first(json(text))
    const { properties } = isObject(event) ? event : {}
    return /\/(?:track|engage|groups)\/?$/.test(path) && (has(properties, 'token') || has(event, '$token'))
  },
  // PostHog.
  (text) => {
    const body = first(json(text))
    const event = has(body, 'batch') ? first((body as { batch: unknown }).batch) : body
    const isKeyed = has(body, 'api_key') || has(body, 'token') || has(body, 'properties')
    return isKeyed && (has(event, 'uuid', 'event', 'properties') || has(body, 'distinct_id', 'token'))
  },
  // Plausible.
  (text, path) => {
    const body = json(text)
    return path.endsWith('/event') && (has(body, 'n', 'u', 'd') || has(body, 'name', 'url', 'domain'))
  },
]

/** Matomo, by its parameters. PostHog packs its events so that they cannot be read. */
function isByAddress({ url, body, isUnreadable }: PageRequest): boolean {
  const parameters = new URLSearchParams(`${url.search.slice(1)}&${body ?? ''}`)
  if (/\/(?:matomo|piwik)\.php$/.test(url.pathname) && parameters.has('idsite') && parameters.has('rec')) return true
  return isUnreadable === true && /\/(?:e|s|i\/v0\/e)\/$/.test(url.pathname)
}

/**
 * Whether the page has sent to this address without an action and without a press of the visitor, and never got an
 * answer: page views mostly. What was sent before the wrappers were there, the browser has timed: a beacon, or a
 * request to another site whose status the page may not read.
 */
function measuresItself(request: PageRequest): boolean {
  if (
    sentByItself()
      .get(keyOf(request))
      ?.some((one) => one.isUnanswered)
  )
    return true
  const { origin, pathname } = request.url
  const address = `${origin}${pathname}`
  const before = Math.min(notedSince(), firstInputTime())
  return timings().some(
    ({ name, startTime, initiatorType, responseStatus }) =>
      startTime < before &&
      (initiatorType === 'beacon' || (/^(?:fetch|other)$/.test(initiatorType) && responseStatus === 0)) &&
      name.replace(/[?#].*/s, '') === address,
  )
}

/**
 * Whether a request is telemetry by the way it is sent: the page cannot read an answer. A page may also send a deed so.
 * What goes to another site is none if the page never sent there by itself, and what goes to this site is none if
 * nobody knows what the action does.
 */
function isSentAway(request: PageRequest, isUnknown: boolean): boolean {
  if (request.isUnanswered !== true) return false
  return request.url.origin === location.origin ? !isUnknown : measuresItself(request)
}

/** Whether a request only measures what happens on the page. `isUnknown`: nobody knows what the action does. */
export function isTelemetry(request: PageRequest, isUnknown = false): boolean {
  if (request.method !== 'POST' || request.override !== undefined || destroys(request)) return false
  const texts = textsOf(request)
  const { pathname } = request.url
  const isKnown =
    isByAddress(request) ||
    texts.some((text) => shapes.some((fits) => fits(text, pathname))) ||
    isSentAway(request, isUnknown)
  if (!isKnown) return false
  const isRead = request.isUnreadable !== true && (request.body?.length ?? 0) <= mostRead
  return isRead ? !carriesFilled([request.url.href, ...texts]) : !hasFilled()
}

/**
 * Whether an address of another site alone says that it takes what Sentry or PostHog measure. Both keep the `fetch`
 * that is there as they are loaded, so that nobody sees what they send if they were there before the tag.
 */
export const isTelemetryAddress = ({ origin, pathname, searchParams }: URL): boolean =>
  origin !== location.origin &&
  ((/^\/api\/\d+\/envelope\/$/.test(pathname) && searchParams.has('sentry_key')) ||
    /^\/(?:(?:e|s|flags|i\/v0\/e)\/|array\/phc_\w+\/config)$/.test(pathname))

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
