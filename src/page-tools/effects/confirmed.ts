// One deed, one question: if an action that the user allowed only opened a question of the page ("Delete? Cancel /
// Delete"), the button of that question is the deed that they allowed, and they are not asked twice. A dialog with
// fields is another deed, and so is one that says something else: what is sent there, the user has not seen.
import { isAbove, type Effect } from '../../core/data/effect.js'
import { ancestor, currentPage, elementsUnder, isTag } from '../dom/dom.js'
import { nameOrText, roleOf } from '../dom/accessible-name.js'
import { isDialog } from '../dom/roles.js'
import type { Visibility } from '../dom/visibility.js'
import { agrees, closesDialog, effectOfWords } from './words.js'

/** Milliseconds in which the confirmation must follow. */
const longest = 60_000
/** Buttons of a question that is part of the page: to confirm, to close, and one more. */
const mostButtons = 3

let open:
  | {
      /** A dialog, or the button of a question that is part of the page. */
      readonly around: Element
      readonly effect: Effect
      /** The name of the control that was allowed. */
      readonly name: string
      readonly session: string
      readonly at: number
    }
  | undefined

/** The dialogs and buttons that are shown now. */
export const shownQuestions = (visibility: Visibility): Element[] =>
  [...elementsUnder(currentPage().documentElement)].filter(
    (one) => (isDialog(one) || isTag(one, 'button') || roleOf(one) === 'button') && visibility.isShown(one),
  )

/**
 * An allowed action sent nothing. If it only opened a question of the page, its confirmation needs no other one.
 * `fresh`: the dialogs and buttons that it showed.
 */
export function noteConfirmation(
  fresh: readonly Element[],
  {
    effect,
    name,
    session,
    visibility,
  }: Pick<NonNullable<typeof open>, 'effect' | 'name' | 'session'> & { readonly visibility: Visibility },
): void {
  const dialogs = fresh.filter(isDialog)
  const around = dialogs.length > 0 ? dialogs : buttonsOfQuestion(fresh, effect, visibility)
  if (around.length === 1) open = { around: around[0]!, effect, name, session, at: performance.now() }
}

/** Of few new buttons, one of which only closes, those that say the same as the action or agree to it. */
function buttonsOfQuestion(fresh: readonly Element[], effect: Effect, visibility: Visibility): readonly Element[] {
  const names = fresh.map((one) => nameOrText(one, visibility))
  if (fresh.length > mostButtons || !names.some(closesDialog)) return []
  return fresh.filter((_one, at) => agrees(names[at]!) || effectOfWords(names[at]!) === effect)
}

/** Any other action ends it. */
export function forgetConfirmation(): void {
  open = undefined
}

/** What a person would fill in before they agree. */
const fields =
  'input:not([type=hidden],[type=checkbox],[type=radio],[type=button],[type=submit],[type=reset]),textarea,select,' +
  '[contenteditable]:not([contenteditable=false])'

/** Whether two texts have a word in common. Scripts without spaces have the word inside of another one. */
const sharesWord = (one: string, other: string): boolean =>
  (one.toLowerCase().match(/\p{L}{2,}/gu) ?? []).some(
    (word) => (word.length > 2 || !/^[a-z]+$/.test(word)) && other.toLowerCase().includes(word),
  )

/**
 * The class that the user allowed, if a click in the question that an allowed action opened does just that: the
 * question has no fields, and its button says the same, or agrees to a question that does.
 */
export function confirmedEffect(
  control: Element,
  {
    effect,
    session,
    visibility,
  }: { readonly effect: Effect; readonly session: string; readonly visibility: Visibility },
): Effect | undefined {
  if (open === undefined || open.session !== session || performance.now() - open.at > longest) return undefined
  const { around, effect: allowed, name: deed } = open
  if (!around.isConnected || !/^(send|destroy)$/.test(allowed)) return undefined
  if (ancestor(control, (above) => above === around) === null || effect === 'outside' || isAbove(effect, allowed))
    return undefined
  const name = nameOrText(control, visibility)
  if (isDialog(around)) {
    if (around.querySelector(fields)) return undefined
    const question = `${nameOrText(around, visibility)} ${visibility.visibleText(around)}`
    const isAbout = sharesWord(deed, question) || question.split(/[.!?。！？]/).every((one) => !effectOfWords(one))
    if (!(agrees(name) ? isAbout : sharesWord(deed, name))) return undefined
  }
  return allowed
}
