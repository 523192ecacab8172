// Predicts what an action will do, before it runs. page/answers/needs-approval.ts says which effect is asked about.
import { isAbove, mostSerious, type Effect, type TaskScope } from '../../core/data/effect.js'
import type { StoppedEffect } from '../../core/data/stopped-effect.js'
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { pingsOf } from '../border/read-departure.js'
import { leaks } from '../border/tightness.js'
import { ancestor, currentPage, elementsUnder, isTag, propertyOf, isHiddenInput } from '../dom/dom.js'
import { roleOf } from '../dom/accessible-name.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import { controlAt } from '../read/control-names.js'
import { isAmount } from '../read/amounts.js'
import { placeOf } from '../read/places.js'
import { controlEffect, endsInDots, nameOf } from './control-effect.js'
import { announced } from '../dom/openers.js'
import { confirmedEffect } from './page-confirmations.js'
import { declaredEffect, knownAs, seenRequest } from './declared-effects.js'
import { wasChangedByAction, unsavedInput } from './unsaved-input.js'
import { shownAddress } from '../sensitive/redact.js'
import { effectOfCodeName, effectOfWords } from './match-vocabulary.js'
import { effectOfControlWords } from './control-words.js'
import { effectOfQuery, effectOfRequest, siteOf } from './read-request.js'

/** The more serious of two effects. */
export const moreSerious = (one: Effect, other: Effect | undefined): Effect =>
  other !== undefined && isAbove(other, one) ? other : one

/** What a prediction says, as the question shows it. */
export interface Prediction {
  readonly effect: Effect
  /** The control that acts; absent for an address that the page does not link to. */
  readonly control?: Element
  /** Its role, name and place. */
  readonly known?: string
  readonly loses?: true
  /** It only confirms what the visitor has just allowed, which was of this effect. */
  readonly confirms?: Effect
  /** Its markup or its name says that it only opens something. */
  readonly announces?: true
  /** Nobody knows whether it leaves the page, and input would be lost. */
  readonly mayLose?: true
  readonly in?: string
  readonly task?: TaskScope
}

/** Whether the address carries that of another site, to which a server may redirect. */
const carriesSite = (url: URL): boolean =>
  [...url.searchParams.values()].some(
    (value) =>
      /^(https?:)?\/\//i.test(value) && URL.canParse(value, url.href) && siteOf(new URL(value, url.href)) !== undefined,
  )

/** The effect of opening an address of the page by a link. `name`: that of the link. */
export function linkEffect(url: URL, name: string, isDownload: boolean): Effect {
  if (siteOf(url) !== undefined || isDownload || carriesSite(url)) return 'outside'
  const acts = [...url.pathname.split('/').slice(-2).map(effectOfCodeName), effectOfQuery(url)].reduce<Effect>(
    (most, one) => moreSerious(most, one),
    'go',
  )
  // "Delete" and "Cancel booking" act, also by GET. "How to delete a page" does not begin so.
  const begins = name.trim().split(/\s+/).length <= 3 && effectOfWords(name.trim().split(/\s+/).slice(0, 2).join(' '))
  return begins === 'destroy' ? 'destroy' : acts
}

/** Whether an element has an attribute. A form may have a field that is named like the method. */
const has = (element: Element, name: string): boolean => Element.prototype.hasAttribute.call(element, name)

/** Whether a form has no field but one to search with. */
function isSearch(form: HTMLFormElement): boolean {
  const fields = [...unclobbered(form).elements].filter(
    (one) => isTag(one, 'input', 'textarea', 'select') && !isHiddenInput(one),
  )
  const texts = fields.filter((one) => /^(textbox|searchbox|combobox)$/.test(roleOf(one) ?? ''))
  const isNamed = roleOf(form) === 'search' || ancestor(form, (above) => roleOf(above) === 'search') !== null
  return isNamed || (texts.length === 1 && fields.length === 1 && roleOf(texts[0]!) === 'searchbox')
}

/** The address with the hidden fields and the button of a form as its parameters. */
function withHidden(url: URL, form: HTMLFormElement, button: Element | null): URL {
  const all = new URL(url.href)
  for (const one of [...unclobbered(form).elements, button])
    if (isHiddenInput(one) || (one !== null && one === button && isTag(one, 'button', 'input')))
      all.searchParams.append((one as HTMLInputElement).name, (one as HTMLInputElement).value)
  return all
}

/** The class of submitting a form. `method`: in upper case; `url`: where it leads. */
export function formEffect(
  { form, button }: { readonly form: HTMLFormElement; readonly button: Element | null },
  { method, url }: { readonly method: string; readonly url: URL | undefined },
  snapshot: PageSnapshot,
): Effect {
  const said = button ? effectOfControlWords(button, snapshot) : undefined
  if (method === 'DIALOG') return said ?? 'view'
  if (url === undefined || siteOf(url) !== undefined) return 'outside'
  const words = [
    said,
    ...url.pathname.split('/').slice(-1).map(effectOfCodeName),
    effectOfQuery(withHidden(url, form, button)),
  ]
  if (words.includes('destroy')) return 'destroy'
  // Unless its button says that it sends, validation or a script may keep it, and what is sent then can be held.
  if (method !== 'GET' && said === undefined && leaks().length === 0) return 'unknown'
  if (method !== 'GET' || words.includes('send')) return 'send'
  // What a script does with a form without address and method nobody knows, unless it searches.
  if (!has(form, 'action') && !has(form, 'method') && !isSearch(form)) return 'unknown'
  return [...unclobbered(form).elements].some(wasChangedByAction) ? 'unknown' : 'go'
}

/** A link that is followed or a form that is submitted, as far as markup says; undefined for neither. */
export interface Lead {
  readonly url: URL | undefined
  readonly method?: string
  readonly sender?: { readonly form: HTMLFormElement; readonly button: HTMLElement | null }
  readonly opens?: 'tab' | 'download' | undefined
}

/** The effect of what a link sends beside its visit: `ping` is a POST. */
function pingEffect(element: Element): Effect | undefined {
  const link = ancestor(element, (above) => isTag(above, 'a', 'area') && above.hasAttribute('ping'))
  return mostSerious(link ? pingsOf(link).map((ping) => effectOfRequest(ping, location.origin)?.effect) : [])
}

/** The effect of a click on an element, with what its question needs. */
export function predictClick(element: Element, by: Lead | undefined, snapshot: PageSnapshot): Prediction {
  const control = controlAt(element, snapshot.visibility)
  const name = nameOf(control, snapshot)
  let effect: Effect
  if (by?.sender) effect = formEffect(by.sender, { method: by.method ?? 'GET', url: by.url }, snapshot)
  else if (by && leadsAway(by.url))
    effect = moreSerious(linkEffect(by.url!, name, by.opens === 'download'), pingEffect(element))
  else if (by && isAnchor(by.url)) effect = 'view'
  else effect = controlEffect(control, snapshot)
  return predicted(control, declaredEffect(control, by?.url, { predicted: effect, snapshot }), snapshot, by)
}

/** The effect of what only shows something: the mouse over an element, or the menu of a right click. */
export const predictView = (element: Element, snapshot: PageSnapshot): Prediction =>
  predicted(controlAt(element, snapshot.visibility), 'view', snapshot)

/** Adds to a class what the question about it shows. */
export function predicted(control: Element, effect: Effect, snapshot: PageSnapshot, by?: Lead): Prediction {
  // The total above a button is what it costs, and not what it is in.
  const around = placeOf(control, snapshot, (text) => !isAmount(text))
  const confirms =
    by || effect === 'outside' ? undefined : confirmedEffect(control, nameOf(control, snapshot), snapshot)
  const loses = effect === 'go' && by?.opens === undefined && by?.sender === undefined && unsavedInput(snapshot)
  const known = knownAs(control, snapshot)
  return {
    effect,
    control,
    known,
    ...(around ? { in: around } : {}),
    ...(loses ? { loses: true } : {}),
    ...(by === undefined && announcesMore(control, snapshot) ? { announces: true } : {}),
    ...(confirms ? { confirms } : {}),
    ...(effect === 'unknown' && unsavedInput(snapshot) ? { mayLose: true } : {}),
    ...taskScope(effect, { name: nameOf(control, snapshot), known }, by),
  }
}

/** Whether a control says that it opens a menu or a dialog, as `aria-haspopup` and a name with three dots do. */
const announcesMore = (control: Element, snapshot: PageSnapshot): boolean =>
  announced(control) !== '' || endsInDots(nameOf(control, snapshot))

function taskScope(
  effect: Effect,
  { name, known }: { readonly name: string; readonly known: string },
  by: Lead | undefined,
): Pick<Prediction, 'task'> {
  if (effect === 'unknown') return name.trim() === '' || effectOfWords(name) ? {} : { task: { covers: 'unknown' } }
  const seen = effect === 'send' ? seenRequest(known) : undefined
  if (seen?.method && seen.url) return sendScope(seen.method, seen.url, seen.operation, known)
  if (effect !== 'send' || !by?.sender || !by.url) return {}
  return sendScope(by.method ?? 'POST', shownAddress(by.url, false), undefined, known)
}

/** What a grant for the task covers of a request. `control`: see `knownAs`. */
const sendScope = (
  method: string,
  url: string,
  operation: string | undefined,
  control: string,
): Pick<Prediction, 'task'> => ({
  task: { covers: 'send', method, url, ...(operation ? { operation } : {}), control },
})

/** Whether a link leads to another document or route, not to a place of this page or into a script. */
const leadsAway = (url: URL | undefined): boolean => {
  if (url === undefined || url.protocol === 'javascript:') return false
  const here = new URL(currentPage().URL)
  const isSamePage = url.origin === here.origin && url.pathname === here.pathname && url.search === here.search
  // `#/orders` and `#!orders` are routes.
  return !isSamePage || /^#[/!]/.test(url.hash)
}
/** The name in the fragment of an address. */
function fragmentOf({ hash }: URL): string {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return hash.slice(1) // A percent sign that encodes nothing.
  }
}
/** Whether it leads to an element of this page. */
const isAnchor = (url: URL | undefined): boolean =>
  url !== undefined &&
  url.hash.length > 1 &&
  url.protocol !== 'javascript:' &&
  currentPage().getElementById(fragmentOf(url)) !== null

/** The effect of opening an address that the model named: `go` only if the page has exactly this link. */
export function addressEffect(url: URL, snapshot: PageSnapshot): Prediction {
  if (siteOf(url) !== undefined || carriesSite(url)) return { effect: 'outside' }
  const link = [...elementsUnder(currentPage().documentElement, snapshot.visibility.children)].find(
    (one) => isTag(one, 'a', 'area') && propertyOf(one as never, 'href' as never) === url.href,
  )
  if (link === undefined) return { effect: 'unknown', ...(unsavedInput(snapshot) ? { loses: true } : {}) }
  return predicted(link, linkEffect(url, nameOf(link, snapshot), false), snapshot, { url })
}

/** A prediction after an attempt that was stopped: at least as serious as what it was stopped before. */
export function afterStop(
  prediction: Prediction,
  stopped: readonly StoppedEffect[],
  control: Element,
  snapshot: PageSnapshot,
): Prediction {
  const effect = stopped.reduce<Effect>((most, one) => moreSerious(most, one.effect), prediction.effect)
  const { task: _task, ...rest } = prediction
  const [only] = stopped
  const isPlainSend = effect === 'send' && stopped.length === 1 && only?.does === 'request' && only.method && only.url
  return {
    ...rest,
    effect,
    ...(isPlainSend ? sendScope(only.method!, only.url!, only.operation, knownAs(control, snapshot)) : {}),
  }
}
