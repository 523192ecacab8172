// What the browser does by itself after an event: it follows a link, sends a form, opens a window.
import type { Effect, StoppedEffect } from '../../core/data/effect.js'
import { ancestor, currentPage, isTag } from '../dom/dom.js'
import { effectOfQuery } from '../effects/read-request.js'
import { siteOf } from '../effects/site.js'
import { effectOfCodeName } from '../effects/words.js'
import { shownAddress } from '../sensitive/redact-url.js'

/** What the browser does after a `click`, `auxclick` or `submit`; undefined for nothing. */
export function defaultOf(event: Event): StoppedEffect | undefined {
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
  return visitOf(link.getAttribute('href'), does)
}

/** Following an address; undefined if that leaves nothing. */
export function visitOf(address: string | null | undefined, does: StoppedEffect['does']): StoppedEffect | undefined {
  const base = currentPage().baseURI
  if (address == null || !URL.canParse(address, base)) return undefined
  const url = new URL(address, base)
  if (url.protocol === 'javascript:' || (does === 'go' && isSameDocument(url))) return undefined
  return leaving(url, does)
}

/** Opening a window; undefined for an address that cannot be parsed, which opens none. */
export function openingOf(address: string): StoppedEffect | undefined {
  // Where an empty window leads is not known.
  if (address === '') return { effect: 'unknown', does: 'open' }
  const base = currentPage().baseURI
  return URL.canParse(address, base) ? leaving(new URL(address, base), 'open') : undefined
}

/** Sending a form; undefined for one that only closes its dialog. */
export function submissionOf(form: HTMLFormElement, submitter: Element | null | undefined): StoppedEffect | undefined {
  const declared = (name: string): string | null =>
    submitter?.getAttribute(`form${name}`) ?? Element.prototype.getAttribute.call(form, name)
  const method = (declared('method') ?? 'get').toUpperCase()
  if (method === 'DIALOG') return undefined
  const base = currentPage().baseURI
  const address = declared('action') || currentPage().URL
  const url = URL.canParse(address, base) ? new URL(address, base) : new URL(base)
  const site = siteOf(url)
  const isNamed = effectOfCodeName(url.pathname.split('/').at(-1) ?? '') === 'destroy'
  const destroys = isNamed || effectOfQuery(url) === 'destroy'
  const sends: Effect = method === 'POST' ? 'send' : 'go'
  const onSite = destroys ? 'destroy' : sends
  return {
    effect: site === undefined ? onSite : 'outside',
    does: 'submit',
    method: method === 'POST' ? method : 'GET',
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

function leaving(url: URL, does: StoppedEffect['does']): StoppedEffect {
  const site = siteOf(url)
  const isOutside = site !== undefined || does === 'download'
  return { effect: isOutside ? 'outside' : 'go', does, url: shownAddress(url), ...(site ? { site } : {}) }
}
