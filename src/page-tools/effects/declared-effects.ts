// What the author of the page says about effects. Options of the page's script may lower a class; the attribute
// `data-tool-agent-effect` only raises it, because HTML that users stored can carry attributes.
import { isAbove, isEffect, type DeclaredEffect, type Effect, type StoppedEffect } from '../../core/data/effect.js'
import { ancestor } from '../dom/dom.js'

function isAbout({ selector, url }: DeclaredEffect, control: Element, address: URL | undefined): boolean {
  if (selector !== undefined && !control.closest(selector)) return false
  if (url === undefined) return selector !== undefined
  if (address?.origin !== location.origin) return false
  return url.endsWith('*') ? address.pathname.startsWith(url.slice(0, -1)) : address.pathname === url
}

/** What was seen in this conversation: a control that sent something is never predicted as harmless again. */
const seen = new WeakMap<Element, Effect>()
/** What a control sent last. */
const requests = new WeakMap<Element, StoppedEffect>()
export const seenRequest = (control: Element): StoppedEffect | undefined => requests.get(control)
/** Notes what a control did. */
export function noteEffect(control: Element, what: StoppedEffect): void {
  const { effect } = what
  if (what.does === 'request' && effect === 'send') requests.set(control, what)
  const before = seen.get(control)
  if (before === undefined || isAbove(effect, before)) seen.set(control, effect)
}

/** The class of a control: as predicted, unless the author says otherwise, or it did more before. */
export function declaredEffect(
  control: Element,
  url: URL | undefined,
  { predicted, declared }: { readonly predicted: Effect; readonly declared: readonly DeclaredEffect[] },
): Effect {
  const own = declared.find((entry) => isAbout(entry, control, url))?.effect
  const attribute = ancestor(control, (above) => above.hasAttribute('data-tool-agent-effect'))?.getAttribute(
    'data-tool-agent-effect',
  )
  const raised = [attribute, seen.get(control)].filter(isEffect)
  // Another site is never anything else.
  const base = predicted === 'outside' ? predicted : (own ?? predicted)
  return raised.reduce((most, one) => (isAbove(one, most) ? one : most), base)
}
