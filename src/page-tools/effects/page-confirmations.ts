// A page may ask back: after "Delete" on "Fix login" it shows "Delete Fix login? Cancel, Yes". The visitor has just
// allowed that, so the answer is part of it. Anything that says more than they have read, or was filled in, is asked
// about. The words of a dialog may not say what it is about: "2 products will be gone. OK" was opened by "Remove
// selected". Its button then asks as seriously as the press that opened it, which only raises a class and allows
// nothing.
import type { Effect } from '../../core/data/effect.js'
import { ancestor, isWithin } from '../dom/dom.js'
import { isOpenedBy } from '../dom/openers.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import { toComparableName } from '../dom/text.js'
import { agrees } from './match-vocabulary.js'
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { isDialog } from '../dom/roles.js'
import { Visibility } from '../dom/visibility.js'

/** A press that the visitor has allowed in a question, and that sent nothing. */
export interface AllowedPress {
  readonly control: Element
  readonly effect: Effect
  /** The name of the control. */
  readonly name: string
  /** The row, card or part around the control, as the question named it. */
  readonly place?: string | undefined
  /** What else the question was bound to. */
  readonly said: readonly string[]
}

let allowed: AllowedPress | undefined

/** The newest action was such a press. */
export function noteAllowed(press: AllowedPress): void {
  allowed = press
}

/** Another action begins. */
export function forgetAllowed(): void {
  allowed = undefined
}

/** Whether whole words stand in a text. */
const says = (text: string, words: string): boolean =>
  words !== '' && ` ${toComparableName(text)} `.includes(` ${toComparableName(words)} `)

/** The effect that was allowed, if a control only confirms the newest press in the box that it has opened. */
export function confirmedEffect(control: Element, name: string, snapshot: PageSnapshot): Effect | undefined {
  if (!allowed || !(agrees(name) || says(allowed.name, name))) return undefined
  const { control: opener, place, said } = allowed
  const box = ancestor(control, (above) => isOpenedBy(above, opener))
  if (!box || snapshot.fields().some(({ element }) => isWithin(element, box))) return undefined
  const text = snapshot.visibility.visibleText(box)
  const known = [allowed.name, place ?? '', ...said].join(' ')
  // Four thousand readers, or another amount, are news.
  const isNews = (text.match(/\d+/g) ?? []).some((number) => !new RegExp(`(?<!\\d)${number}(?!\\d)`).test(known))
  return !isNews && says(text, place ?? allowed.name) ? allowed.effect : undefined
}

const openedBy = new WeakMap<Element, Effect>()

const shownDialogs = (roots: readonly (Document | ShadowRoot)[]): readonly Element[] => {
  const visibility = new Visibility()
  return roots
    .flatMap((root) => [...unclobbered(root).querySelectorAll('dialog,[role]')])
    .filter((one) => isDialog(one) && visibility.isShown(one))
}

/** Watches which dialogs an action with this effect opens, until the returned function is called. */
export function watchDialogs(roots: readonly (Document | ShadowRoot)[], effect: Effect): () => void {
  const before = new Set(shownDialogs(roots))
  return () => {
    for (const dialog of shownDialogs(roots)) if (!before.has(dialog)) openedBy.set(dialog, effect)
  }
}

/** The effect of the press that opened a dialog, if that was to send or destroy. */
export function openedFor(dialog: Element): 'send' | 'destroy' | undefined {
  const effect = openedBy.get(dialog)
  return effect === 'send' || effect === 'destroy' ? effect : undefined
}
