// The page as selectors see it: without the agent, ignored parts, hidden inputs and the contents of private fields. As if
// these did not exist, for combinators and positions as well.
import { elementsUnder, isElement, isTag, nativeProperty, currentPage, parentOf } from '../dom/dom.js'

export interface TreePosition {
  readonly parent: Element | null
  readonly isPrivate: boolean
  /** Positions among the siblings, from 1, and how many there are; the same among siblings of the same tag. */
  readonly nth: number
  readonly count: number
  readonly nthOfType: number
  readonly countOfType: number
}

export interface PublicTree {
  /** In the order of the page: parents come before their children. */
  readonly places: ReadonlyMap<Element, TreePosition>
  /** Children by parent, document or shadow root, in the order of the tree. */
  readonly siblings: ReadonlyMap<Node, readonly Element[]>
}

export const tagOf = (element: Element): string => nativeProperty('Element', element, 'localName').toLowerCase()

export function publicTree(isPrivate: (element: Element) => boolean): PublicTree {
  const sealed = new Set<Element>()
  const parents = new Map<Element, Element | null>()
  const siblings = new Map<Node, Element[]>()
  for (const element of elementsUnder(currentPage().documentElement)) {
    const around = parentOf(element)
    if (around && sealed.has(around)) {
      sealed.add(element)
      continue
    }
    if (isTag(element, 'input') && element.type === 'hidden') continue
    if (isPrivate(element)) sealed.add(element)
    let up = nativeProperty('Node', element, 'parentNode')
    // A form that cannot be read is passed over, and so is the root of a frame's document.
    while (isElement(up) && !parents.has(up)) up = nativeProperty('Node', up, 'parentNode')
    parents.set(element, isElement(up) ? up : null)
    if (!up) continue
    const list = siblings.get(up)
    if (list) list.push(element)
    else siblings.set(up, [element])
  }
  const places = new Map<Element, TreePosition>()
  const alone = { nth: 1, count: 1, nthOfType: 1, countOfType: 1 }
  for (const [element, parent] of parents) places.set(element, { parent, isPrivate: sealed.has(element), ...alone })
  for (const [parent, list] of siblings) {
    // Slots show the children of a host in another order than they have.
    if (isElement(parent) && nativeProperty('Element', parent, 'shadowRoot'))
      list.sort((one, other) => (isBefore(one, other) ? -1 : 1))
    countPositions(list, places)
  }
  return { siblings, places }
}

const isBefore = (one: Element, other: Element): boolean =>
  (Node.prototype.compareDocumentPosition.call(one, other) & 4) !== 0

function countPositions(list: readonly Element[], places: Map<Element, TreePosition>): void {
  const byType = new Map<string, number>()
  const positions = list.map((element) => {
    const position = (byType.get(tagOf(element)) ?? 0) + 1
    byType.set(tagOf(element), position)
    return position
  })
  list.forEach((element, index) => {
    const place = places.get(element)
    if (!place) return
    const ofType = { nthOfType: positions[index] ?? 1, countOfType: byType.get(tagOf(element)) ?? 1 }
    places.set(element, { ...place, nth: index + 1, count: list.length, ...ofType })
  })
}
