// Which departure an event begins: what the browser does by itself after it, as it follows a link, sends a form, opens
// a window. And where a step in the history leads, which is read where a script asks for it.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { isAbove, type Effect } from '../../core/data/effect.js'
import type { StoppedEffect } from '../../core/data/stopped-effect.js'
import { ancestor, currentPage, isTag, viewOf } from '../dom/dom.js'
import { normalizeText, truncate } from '../dom/text.js'
import type { View } from '../effects/page-requests.js'
import { effectOfQuery, effectOfRequest, siteOf, type PageRequest } from '../effects/read-request.js'
import { effectOfCodeName } from '../effects/match-vocabulary.js'
import { shownAddress } from '../sensitive/redact.js'
import type { Departure, Frozen } from './departure.js'
import { freezeLink, freezeNavigation, freezeVisit } from './held-navigation.js'
import { freezeEntries, freezeSubmission, type Sending } from './held-submission.js'

/** What the browser does after a `click`, `auxclick` or `submit`; undefined for nothing. */
export function departureOf(event: Event): Departure | undefined {
  const start = (event.composedPath()[0] ?? null) as Node | null
  if (event.type === 'submit') return submissionOf(start as HTMLFormElement, (event as Partial<SubmitEvent>).submitter)
  const link = ancestor(start, (above) => isTag(above, 'a', 'area') && above.hasAttribute('href'))
  const { button, ctrlKey, metaKey, shiftKey, altKey } = event as MouseEvent
  // The middle button follows a link by `auxclick`; the right one does not.
  if (!link || button === 2) return undefined
  const isHeld = button === 1 || ctrlKey || metaKey || shiftKey
  const isNew = isHeld || /^_blank$/i.test(link.getAttribute('target') ?? '')
  let does: StoppedEffect['does'] = isNew ? 'open' : 'go'
  if (link.hasAttribute('download') || (altKey && !isHeld)) does = 'download'
  const url = parse(link.getAttribute('href'), link.baseURI)
  if (!url) return undefined
  const pings = pingsOf(link)
  const sent = pings.map((ping) => effectOfRequest(ping, location.origin))
  const [visit, ...others] = [visitOf(url, does, link.getAttribute('download')), ...sent].filter(
    (one) => one !== undefined,
  )
  const what = others.reduce((most, one) => (most && isAbove(one.effect, most.effect) ? one : most), visit)
  if (!what) return undefined
  return { what, pings, freeze: () => freezeLink(link, url, does) }
}

/** What a script of the page has begun. */
export function navigationOf(event: NavigateEvent, view: View): Departure | undefined {
  const { destination, downloadRequest, formData, navigationType } = event
  const url = parse(destination.url, location.href)
  const isDownload = typeof downloadRequest === 'string'
  // A router that shows another view leaves nothing.
  if (url === undefined || (!isDownload && destination.sameDocument)) return undefined
  if (formData !== null) {
    const sending = { method: 'POST', url, attributes: [['enctype', 'multipart/form-data']] } as const
    return { what: sendingOf(sending), freeze: () => freezeEntries(formData, sending, view) }
  }
  const what =
    navigationType === 'reload' ? leavingTo(url, 'go') : visitOf(url, isDownload ? 'download' : 'go', downloadRequest)
  const freeze = (): Frozen =>
    isDownload ? freezeVisit(url, [['download', downloadRequest]], view) : freezeNavigation(view.navigation, event)
  return what && { what, freeze }
}

/** The requests that a link sends beside its visit. */
export const pingsOf = (link: Element): readonly PageRequest[] =>
  (link.getAttribute('ping') ?? '').split(/\s+/).flatMap((address) => {
    const url = address === '' ? undefined : parse(address, link.baseURI)
    return url ? [{ method: 'POST', url, isUnanswered: true }] : []
  })

const parse = (address: string | null, base: string): URL | undefined =>
  address !== null && URL.canParse(address, base) ? new URL(address, base) : undefined

/** Following an address; undefined if that leaves nothing. */
function visitOf(url: URL, does: StoppedEffect['does'], name?: string | null): StoppedEffect | undefined {
  if (url.protocol === 'javascript:' || (does === 'go' && isSameDocument(url))) return undefined
  return leavingTo(url, does, name)
}

/** Sending a form; undefined for one that only closes its dialog. */
export function submissionOf(
  form: HTMLFormElement,
  submitter: HTMLElement | null | undefined = null,
): Departure | undefined {
  const declared = (name: string): string | null =>
    submitter?.getAttribute(`form${name}`) ?? Element.prototype.getAttribute.call(form, name)
  const method = (declared('method') ?? 'get').toUpperCase()
  if (method === 'DIALOG') return undefined
  const page = unclobbered(viewOf(form).document)
  const sending: Sending = {
    method: method === 'POST' ? method : 'GET',
    url: parse(declared('action') || page.URL, page.baseURI) ?? new URL(page.baseURI),
    attributes: ['enctype', 'target', 'accept-charset', 'rel'].flatMap((name) => {
      const value = declared(name)
      return value === null ? [] : [[name, value] as const]
    }),
  }
  return { what: sendingOf(sending), form, freeze: () => freezeSubmission(form, submitter, sending) }
}

function sendingOf({ method, url }: Sending): StoppedEffect {
  const site = siteOf(url)
  const isNamed = effectOfCodeName(url.pathname.split('/').at(-1) ?? '') === 'destroy'
  const destroys = isNamed || effectOfQuery(url) === 'destroy'
  const sends: Effect = method === 'POST' ? 'send' : 'go'
  const onSite = destroys ? 'destroy' : sends
  return {
    effect: site === undefined ? onSite : 'outside',
    does: 'submit',
    method,
    url: shownAddress(url),
    ...(site ? { site } : {}),
  }
}

const isSameDocument = (url: URL): boolean => {
  const here = new URL(currentPage().URL)
  return (
    url.origin === here.origin && url.pathname === here.pathname && url.search === here.search && url.href.includes('#')
  )
}

/** Leaving for an address. `name`: that of a file, where the address says nothing. */
export function leavingTo(url: URL, does: StoppedEffect['does'], name?: string | null): StoppedEffect {
  const site = siteOf(url)
  const isOutside = site !== undefined || does === 'download'
  const shown = name && /^(blob|data):$/.test(url.protocol) ? truncate(normalizeText(name), 80) : shownAddress(url)
  return { effect: isOutside ? 'outside' : 'go', does, url: shown, ...(site ? { site } : {}) }
}

interface Entry {
  readonly index: number
  readonly url: string | null
  readonly sameDocument: boolean
}
interface Navigation {
  readonly currentEntry: Entry | null
  entries(): readonly Entry[]
}

/** `history.go(steps)`, which cannot be cancelled once it has begun; undefined if it leaves nothing. */
export function traversalOf(view: Window, steps: number): Departure | undefined {
  const what = effectOfTraversal(view, steps)
  // Two steps are no repetition of one.
  const request = { method: 'GET', url: new URL(view.location.href), isUnreadable: true }
  return what && { what, freeze: () => ({ request, redo: () => view.history.go(steps) }) }
}

/**
 * What `history.go(steps)` would do; undefined if it leaves nothing: a route of this page, or a step that is not there.
 * The browser tells the entries of this site alone, so a step beyond them leads to another one.
 */
function effectOfTraversal(view: Window, steps: number): StoppedEffect | undefined {
  if (view.history.length <= 1 && steps !== 0) return undefined
  const { navigation } = view as Window & { readonly navigation?: Navigation }
  const here = navigation?.currentEntry
  const entry = here ? navigation.entries()[here.index + steps] : undefined
  if (entry?.sameDocument === true && steps !== 0) return undefined
  if (entry?.url != null) return { effect: 'go', does: 'go', url: shownAddress(new URL(entry.url)) }
  // Of the page before this site the referrer knows the origin.
  const isReferrer = here !== null && here !== undefined && here.index + steps === -1
  const { referrer } = view.document
  const site = isReferrer && URL.canParse(referrer) ? siteOf(new URL(referrer)) : undefined
  return { effect: 'outside', does: 'go', ...(site ? { site } : {}) }
}
