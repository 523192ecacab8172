// The tree that selectors are matched against. It has no elements of the agent, ignored parts, hidden inputs or
// contents of private fields; they do not count for combinators and positions either.
import { elementsUnder, isElement, nativeProperty, currentPage, parentOf, isHiddenInput } from '../dom/dom.js'

/** Where an element is in the public tree. */
export interface TreePosition {
  /** Null at the top of a document or shadow root. */
  readonly parent: Element | null
  /** Whether it is a private field, whose contents are not in the tree. */
  readonly isPrivate: boolean
  /** Position among the siblings, from 1. */
  readonly nth: number
  /** The number of siblings, including itself. */
  readonly count: number
  /** Position among the siblings with the same tag, from 1. */
  readonly nthOfType: number
  /** The number of siblings with the same tag, including itself. */
  readonly countOfType: number
}

/** The public tree of the whole page, with open shadow roots and same-origin frames. */
export interface PublicTree {
  /** In document order: parents come before their children. */
  readonly places: ReadonlyMap<Element, TreePosition>
  /** Children by parent element, document or shadow root, in document order. */
  readonly siblings: ReadonlyMap<Node, readonly Element[]>
}

/** The local name in lower case. */
export const tagOf = (element: Element): string => nativeProperty('Element', element, 'localName').toLowerCase()

/** Builds the public tree of the page as it is now. */
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
    if (isHiddenInput(element)) continue
    if (isPrivate(element)) sealed.add(element)
    let up = nativeProperty('Node', element, 'parentNode')
    // Skip forms that cannot be read, and the root element of a frame's document.
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
    // Slots may render the children of a host in another order than the document's.
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
