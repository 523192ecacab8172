// The target of an action that the user was asked about, and the menu, list or popover around it. With the menu closed,
// the name of the target must not mean something else on the page.
import { currentPage, elementsUnder, isTag, parentOf } from '../dom/dom.js'
import { roleOf } from '../dom/accessible-name.js'
import { isCollapsed, isModal, namedBy, openerOf, openersIn } from '../dom/openers.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import { describeControl } from './resolve-target.js'

/** What the target of an approved click is, so that nothing else takes its place. */
export interface ApprovedTarget {
  readonly target: Element
  /** Role and name, redacted. */
  readonly words: string
  /** Whether a person saw it. An item of a menu that opens on hover is not. */
  readonly isShown: boolean
  /** What holds it, if another element opened that. */
  readonly place: PopUpPlace | undefined
}

/** A pop-up and the element that opened it. */
export interface PopUpPlace {
  readonly popUp: Element
  readonly opener: HTMLElement
  /** Role and name of the opener, redacted. */
  readonly openerWords: string
  /** Whether the opener said that it is expanded. */
  readonly wasExpanded: boolean
  /** The place of the target among what has its role in the pop-up, from 0. */
  readonly index: number
}

/** What has the role of the target in the pop-up, in document order. */
const peersOf = (target: string, popUp: Element, { visibility }: PageSnapshot): Element[] =>
  [...elementsUnder(popUp)].filter((one) => (roleOf(one) ?? one.localName) === target && visibility.isShown(one))

/** What must be remembered about the target of a click while the user decides. */
export function rememberTarget(target: Element, words: string, snapshot: PageSnapshot): ApprovedTarget {
  const isShown = snapshot.visibility.isShown(target)
  const openers = isShown ? openersIn() : []
  let place: PopUpPlace | undefined
  for (let popUp = parentOf(target); popUp && openers.length > 0 && !place; popUp = parentOf(popUp)) {
    if (isTag(popUp, 'body', 'html') || isModal(popUp)) break
    const opener = openerOf(popUp, openers)
    if (!opener) continue
    place = {
      popUp,
      opener,
      openerWords: describeControl(opener, snapshot),
      wasExpanded: opener.getAttribute('aria-expanded') === 'true',
      index: peersOf(roleOf(target) ?? target.localName, popUp, snapshot).indexOf(target),
    }
  }
  return { target, words, isShown, place }
}

/** Whether the target of now cannot be the one that was approved: that is still there, or another opener holds this. */
export function isAnotherTarget(before: ApprovedTarget, now: ApprovedTarget): boolean {
  if (before.target === now.target) return false
  if (before.target.isConnected) return true
  const { place } = before
  if (!place) return false
  return place.opener.isConnected ? now.place?.opener !== place.opener : now.place?.openerWords !== place.openerWords
}

/** Whether what held the target closed since. Then nothing may be searched by its name. */
export function hasClosed({ target, isShown, place, ...rest }: ApprovedTarget, snapshot: PageSnapshot): boolean {
  if (!isShown) return false
  const isThere = target.isConnected && snapshot.visibility.isShown(target)
  // A target that was replaced is searched as usual.
  if (!place) return target.isConnected && !isThere
  const collapsed = isCollapsed(place.opener, place.popUp)
  if (collapsed ?? (place.wasExpanded && place.opener.isConnected)) return true
  return !isThere && !findAgain({ target, isShown, place, ...rest }, snapshot)
}

/** The target in its pop-up that is open now: same role, name and place. */
export function findAgain({ target, words, place }: ApprovedTarget, snapshot: PageSnapshot): Element | undefined {
  if (!place) return undefined
  const { opener, popUp } = place
  const openers = openersIn()
  const role = roleOf(target) ?? target.localName
  const boxes = [popUp, ...namedBy(opener), ...elementsUnder(currentPage().body)].filter(
    (one, at) =>
      one.isConnected &&
      (at === 0 || roleOf(one) === roleOf(popUp)) &&
      snapshot.visibility.hasBox(one) &&
      openerOf(one, openers) === opener,
  )
  for (const box of boxes) {
    const found = peersOf(role, box, snapshot)[place.index]
    if (found && describeControl(found, snapshot) === words) return found
  }
  return undefined
}
