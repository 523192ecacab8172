// What a dialog is about, where its words do not say it: "2 products will be gone. OK" was opened by "Remove selected".
// Its button then asks as seriously as the press that opened it. This only raises a class, and allows nothing.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import type { Effect } from '../../core/data/effect.js'
import { isDialog } from '../dom/roles.js'
import { Visibility } from '../dom/visibility.js'

const openedBy = new WeakMap<Element, Effect>()

const shownDialogs = (roots: readonly (Document | ShadowRoot)[]): readonly Element[] => {
  const visibility = new Visibility()
  return roots
    .flatMap((root) => [...unclobbered(root).querySelectorAll('dialog,[role]')])
    .filter((one) => isDialog(one) && visibility.isShown(one))
}

/** Watches which dialogs an action of a class opens, until the returned function is called. */
export function watchDialogs(roots: readonly (Document | ShadowRoot)[], effect: Effect): () => void {
  const before = new Set(shownDialogs(roots))
  return () => {
    for (const dialog of shownDialogs(roots)) if (!before.has(dialog)) openedBy.set(dialog, effect)
  }
}

/** The class of the press that opened a dialog, if that was to send or destroy. */
export function openedFor(dialog: Element): 'send' | 'destroy' | undefined {
  const effect = openedBy.get(dialog)
  return effect === 'send' || effect === 'destroy' ? effect : undefined
}
