// What the author of the page says about effects. Options of the page's script may lower an effect; the attribute
// `data-tool-agent-effect` only raises it, because HTML that users stored can carry attributes.
import { isAbove, isEffect, type DeclaredEffect, type Effect } from '../../core/data/effect.js'
import type { StoppedEffect } from '../../core/data/stopped-effect.js'
import { roleOf } from '../dom/accessible-name.js'
import { ancestor } from '../dom/dom.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import { truncate } from '../dom/text.js'
import { placeOf } from '../read/places.js'
import { nameOf } from './control-effect.js'

function isAbout({ selector, url }: DeclaredEffect, control: Element, address: URL | undefined): boolean {
  if (selector !== undefined && !control.closest(selector)) return false
  if (url === undefined) return selector !== undefined
  if (address?.origin !== location.origin) return false
  return url.endsWith('*') ? address.pathname.startsWith(url.slice(0, -1)) : address.pathname === url
}

/** What the controls of this page did, by `keyOf`: the effect, and the last request that only sends. */
const seen = new Map<string, { readonly effect: Effect; readonly request: StoppedEffect | undefined }>()

/** A control in words: its role, its name, and its row or card. Pages draw elements anew, and these stay. */
export function knownAs(control: Element, snapshot: PageSnapshot): string {
  const place = placeOf(control, snapshot)
  const name = `${roleOf(control) ?? control.localName} ${JSON.stringify(truncate(nameOf(control, snapshot), 80))}`
  return place ? `${name} in ${JSON.stringify(place)}` : name
}

/** The same on this path. A name may count: "Like 3" is "Like 4" by the next press. */
const keyOf = (known: string): string => `${location.pathname} ${known.replaceAll(/\d+/g, '#')}`

/** What a control sent last. */
export const seenRequest = (known: string): StoppedEffect | undefined => seen.get(keyOf(known))?.request

/** Notes what a control did. */
export function noteEffect(known: string, what: StoppedEffect): void {
  const { effect: before, request } = seen.get(keyOf(known)) ?? {}
  const { effect } = what
  seen.set(keyOf(known), {
    effect: before === undefined || isAbove(effect, before) ? effect : before,
    request: what.does === 'request' && effect === 'send' ? what : request,
  })
}

/** The effect of a control: as predicted, unless the author says otherwise, or it did more before. */
export function declaredEffect(
  control: Element,
  url: URL | undefined,
  { predicted, snapshot }: { readonly predicted: Effect; readonly snapshot: PageSnapshot },
): Effect {
  const own = snapshot.declared.find((entry) => isAbout(entry, control, url))?.effect
  const attribute = ancestor(control, (above) => above.hasAttribute('data-tool-agent-effect'))?.getAttribute(
    'data-tool-agent-effect',
  )
  const raised = [attribute, seen.get(keyOf(knownAs(control, snapshot)))?.effect].filter(isEffect)
  // Another site is never anything else.
  const base = predicted === 'outside' ? predicted : (own ?? predicted)
  return raised.reduce((most, one) => (isAbove(one, most) ? one : most), base)
}
