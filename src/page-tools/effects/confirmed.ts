// One deed, one question: if an action that the user allowed only opened a question of the page ("Delete? Cancel /
// Delete"), the button of that dialog is the deed that they allowed, and they are not asked twice.
import { isAbove, type Effect } from '../../core/data/effect.js'
import { ancestor, currentPage, elementsUnder, isTag } from '../dom/dom.js'
import { roleOf } from '../dom/roles.js'
import type { Visibility } from '../dom/visibility.js'

/** Milliseconds in which the confirmation must follow. */
const longest = 60_000

let open:
  | { readonly dialog: Element; readonly effect: Effect; readonly session: string; readonly at: number }
  | undefined

/** The dialogs that are shown now. */
export const shownDialogs = (visibility: Visibility): Element[] =>
  [...elementsUnder(currentPage().documentElement)].filter(
    (one) => (isTag(one, 'dialog') || /^(alert)?dialog$/.test(roleOf(one) ?? '')) && visibility.isShown(one),
  )

/** An allowed action did nothing but open this dialog. */
export function noteConfirmation(dialog: Element, effect: Effect, session: string): void {
  open = { dialog, effect, session, at: performance.now() }
}

/** Any other action ends it. */
export function forgetConfirmation(): void {
  open = undefined
}

/** Whether a click in the dialog that an allowed action opened does what the user allowed, and no more. */
export function isConfirming(control: Element, effect: Effect, session: string): boolean {
  if (open === undefined || open.session !== session || performance.now() - open.at > longest) return false
  const { dialog, effect: allowed } = open
  if (!dialog.isConnected || !/^(send|destroy)$/.test(allowed)) return false
  return ancestor(control, (above) => above === dialog) !== null && effect !== 'outside' && !isAbove(effect, allowed)
}
