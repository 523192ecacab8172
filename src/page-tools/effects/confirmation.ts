// A page may ask back: after "Delete" on "Fix login" it shows "Delete Fix login? Cancel, Yes". The visitor has just
// allowed that, so the answer is part of it. Anything that says more than they have read, or was filled in, is asked
// about.
import type { Effect } from '../../core/data/effect.js'
import { ancestor, isWithin } from '../dom/dom.js'
import { isOpenedBy } from '../dom/openers.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import { toComparableName } from '../dom/text.js'
import { agrees } from './words.js'

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

/** The class that was allowed, if a control only confirms the newest press in the box that it has opened. */
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
