// What using an element leads to by markup alone: a link that is followed, or a form that is submitted by a button.
// What scripts of the page do cannot be told from it.
import type { Preview } from '../../core/data/action.js'
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { ancestor, elementsUnder, isOffLimits, isTag } from '../dom/dom.js'
import { normalizeText, truncate } from '../dom/text.js'
import type { Lead } from '../effects/predict-effect.js'
import { siteOf } from '../effects/read-request.js'

/** Where an action leads. `whole` is the URL that is not truncated. */
export type Destination = Pick<Preview, 'url' | 'method' | 'site' | 'opens'> & { readonly whole?: string }

/** A URL; undefined for a text that is none. */
export function parse(address: string, base: string): URL | undefined {
  try {
    return new URL(address, base)
  } catch {
    return undefined // Not a URL: the browser does not navigate.
  }
}

const shown = (url: URL): string =>
  /^(javascript|data):$/.test(url.protocol) ? url.protocol : truncate(normalizeText(url.href), 400)
const opens = (target: string | null | undefined): Pick<Preview, 'opens'> =>
  /^_blank$/i.test(target ?? '') ? { opens: 'tab' } : {}

/** The link around an element, in HTML or SVG. */
function linkOf(element: Element): { element: Element; href: string } | undefined {
  const hrefOf = (one: Element): string | null =>
    one.localName === 'a' || isTag(one, 'area')
      ? (one.getAttribute('href') ?? one.getAttributeNS('http://www.w3.org/1999/xlink', 'href'))
      : null
  const link = ancestor(element, (above) => hrefOf(above) !== null)
  return link ? { element: link, href: hrefOf(link) ?? '' } : undefined
}

/** Whether it is a submit button. */
export const isSubmit = (element: Element): element is HTMLButtonElement | HTMLInputElement =>
  (isTag(element, 'button') && element.type === 'submit') ||
  (isTag(element, 'input') && (element.type === 'submit' || element.type === 'image'))

/** A form and the button that submits it. */
export interface ActionSender {
  /** The form that is submitted. */
  readonly form: HTMLFormElement
  /** Its submit button; null if the form is submitted without one. */
  readonly button: HTMLElement | null
}

/** Whether a click acts on the element itself, so that a label around it does not activate its control. */
const interactive = (element: Element): boolean =>
  element.matches('button,input,select,textarea,details,summary') || linkOf(element)?.element === element

/** The link that is followed, or the form that is submitted. */
type Consequence = { readonly link: Element; readonly href: string } | ActionSender

/** What a click on the element triggers by markup alone. What scripts of the page do cannot be predicted. */
export function consequenceOf(element: Element): Consequence | undefined {
  const nearest = ancestor(element, (above) => isTag(above, 'label') || interactive(above))
  if (!isTag(nearest, 'label') || !nearest.control) return consequenceUpFrom(element)
  // A label clicks its control; a button around the label is clicked as well. A link around it is not followed.
  const around = ancestor(nearest, isSubmit)
  return consequenceUpFrom(nearest.control) ?? (around ? consequenceUpFrom(around) : undefined)
}

/** If a link and a button contain one another, browsers act on the inner one. */
function consequenceUpFrom(element: Element): Consequence | undefined {
  const link = linkOf(element)
  const button = ancestor(element, (above) => (isSubmit(above) && above.form !== null) || above === link?.element)
  if (button && isSubmit(button) && button.form) return { form: button.form, button }
  return link && { link: link.element, href: link.href }
}

/** Where a link leads. `forced`: what the click opens, whatever the link says. */
export function linkDestination(link: Element, href: string, forced?: 'tab' | 'download'): Destination {
  const url = parse(href, link.baseURI)
  if (!url) return {}
  // The `ping` attribute also sends a request to another site.
  const pinged = (link.getAttribute('ping') ?? '')
    .split(/\s+/)
    .flatMap((one) => (one === '' ? [] : [parse(one, link.baseURI)]))
    .find((one) => one && siteOf(one))
  const site = siteOf(url) ?? (pinged && siteOf(pinged))
  return {
    url: shown(url),
    whole: `${url.href} ${link.getAttribute('ping') ?? ''}`,
    ...(site ? { site } : {}),
    ...(link.hasAttribute('download') ? { opens: 'download' } : opens(link.getAttribute('target') ?? baseTarget(link))),
    ...(forced ? { opens: forced } : {}),
  }
}

const baseTarget = (element: Element): string | null | undefined =>
  unclobbered(element.ownerDocument).querySelector('base[target]')?.getAttribute('target')

/** Where a form leads. Read from attributes, because a field named `action` hides the property. */
export function formDestination(form: HTMLFormElement, button: Element | null): Destination {
  const declared = (name: string): string | null => button?.getAttribute(`form${name}`) ?? form.getAttribute(name)
  const method = (declared('method') ?? 'get').toUpperCase()
  if (method === 'DIALOG') return { method }
  const url = parse(declared('action') || unclobbered(form.ownerDocument).URL, unclobbered(form).baseURI)
  if (!url) return {}
  const site = siteOf(url)
  return {
    url: shown(url),
    whole: url.href,
    method: method === 'POST' ? method : 'GET',
    ...(site ? { site } : {}),
    ...opens(declared('target') ?? baseTarget(form)),
  }
}

/** What sending a form leads to, for the prediction. */
export function leadOfForm(sender: ActionSender, { whole, method }: Destination): Lead {
  return { sender, method: method ?? 'GET', url: whole === undefined ? undefined : parse(whole, whole) }
}

/** The first submit button of the form, which Enter would press. */
export function defaultButton(form: HTMLFormElement): HTMLButtonElement | HTMLInputElement | null {
  for (const element of elementsUnder(unclobbered(form.ownerDocument).documentElement))
    if (isSubmit(element) && element.form === form && !isOffLimits(element)) return element
  return null
}
