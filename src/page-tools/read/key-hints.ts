// What the page says about operating an element with keys, which is often for screen readers only.
import { ancestor, byIds } from '../dom/dom.js'
import { normalizeText } from '../dom/text.js'
import type { Visibility } from '../dom/visibility.js'

/** Names of keys in the languages of the SDK. */
const keys = new RegExp(
  '\\b(space ?bar|space|arrows?|keys?|keyboard|press (enter|return|escape)|leertaste|pfeiltasten?|eingabetaste|' +
    'flechas?|espaciadora|flèches?|espace)\\b|スペース|矢印|空格|方向键|المسافة|الأسهم',
  'i',
)

/** The description of an element that holds instructions for keys; undefined if it has none. */
export function keyHintOf(
  element: Element,
  visibility: Visibility,
): { readonly by: Element; readonly text: string } | undefined {
  for (const by of byIds(element, 'aria-describedby')) {
    const text = normalizeText(by.textContent ?? '')
    if (
      keys.test(text) &&
      !visibility.isOffLimits(by) &&
      ancestor(by, (above) => above.matches('input,textarea')) === null
    )
      return { by, text }
  }
  return undefined
}
