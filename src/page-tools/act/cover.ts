// What lies over a target, in words that name a way past it: the box with its ref, and the controls with which a person
// could close or use it. Modals, tours and layers of cards often have no role.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { elementsUnder, isOffLimits, isTag, isWithin, parentOf, viewOf } from '../dom/dom.js'
import { accessibleNameOf, roleOf } from '../dom/accessible-name.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import { looksClickable } from '../read/clickables.js'
import { isInsidePrivate } from '../read/named-parts.js'
import { isControl, listedControl } from './resolve-target.js'

/** So many controls of a cover are listed. */
const mostControls = 4

/** The cover and the boxes around it that do not hold the target as well, from the inside. */
function boxesOver(cover: Element, target: Element): Element[] {
  const boxes: Element[] = []
  for (let box: Element | null = cover; box && !isTag(box, 'body', 'html'); box = parentOf(box)) {
    if (isWithin(target, box)) break
    boxes.push(box)
  }
  return boxes
}

/** The controls that lie under no cover. `isOnTop`: whether a click would reach the element. */
function reachableIn(root: Element, snapshot: PageSnapshot, isOnTop: (element: Element) => boolean): Element[] {
  const { visibility } = snapshot
  const found: Element[] = []
  for (const one of elementsUnder(root, visibility.children)) {
    if (found.length === mostControls) break
    if (!isControl(one) && !looksClickable(one, visibility)) continue
    if (visibility.isShown(one) && !isInsidePrivate(one, snapshot) && isOnTop(one)) found.push(one)
  }
  return found
}

/** Whether it is as large as most of the window, such as the shade behind a modal. */
function isShade(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect()
  const { innerWidth, innerHeight } = viewOf(element)
  return width * height > (innerWidth * innerHeight) / 2
}

/** What an error says about a target that something covers: the end of its sentence, and what to do. */
export function coveredBy(
  cover: Element,
  target: Element,
  snapshot: PageSnapshot,
  isOnTop: (element: Element) => boolean,
): readonly [why: string, advice: string] {
  const { visibility } = snapshot
  const boxes = boxesOver(cover, target)
  const outer = boxes.at(-1)
  if (outer === undefined || isOffLimits(cover)) return ['is covered by another element', 'Close or use that first.']
  const named =
    boxes.find((box) => roleOf(box) !== null && accessibleNameOf(box, visibility) !== '') ??
    boxes.find((box) => looksClickable(box, visibility)) ??
    outer
  const inside = reachableIn(outer, snapshot, isOnTop).filter((one) => one !== named)
  // The shade of a modal may stand beside it.
  const isApart = inside.length === 0 && isShade(cover)
  const ways = isApart ? reachableIn(unclobbered(cover.ownerDocument).body, snapshot, isOnTop) : inside
  const controls = ways.map((one) => listedControl(one, snapshot))
  const first = controls.length > 0 ? `: ${controls.join(', ')}` : ''
  return [`is covered by ${listedControl(named, snapshot)}`, `Close or use that first${first}.`]
}
