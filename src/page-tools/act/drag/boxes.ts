// Where a drag goes: lists and their items, and the point at which a hand aims.
import { unclobbered } from '../../../core/data/dom-clobbering.js'
import { ancestor, parentOf, viewOf } from '../../dom/dom.js'
import { scrollIntoReach } from '../../hands/scroll.js'
import type { Point } from '../../hands/mouse.js'
import type { Aim } from '../../hands/mouse-drag.js'
import { isDraggable, isMarkedDraggable } from '../../read/affordances.js'

/** Where to drop, relative to the destination. */
export type DropPlace = 'before' | 'after' | 'on'

/** Where a drag ends: at an element, or at a distance in pixels. */
export type Goal =
  | {
      readonly element: Element
      readonly place: DropPlace
      /** What names it: a column without a name has its title. */
      readonly title: Element
    }
  | { readonly by: Point }

export const lists = 'ul,ol,table,[role=list],[role=listbox],[role=grid],[role=treegrid],[role=tree],[role=table]'
const items = 'li,tr,[role=listitem],[role=option],[role=row],[role=treeitem]'

/** The item of a list, or the draggable box, that an element belongs to; else the element itself. */
export const itemOf = (element: Element): Element =>
  ancestor(element, (above) => above.matches(items) || isDraggable(above)) ?? element

/** The two ancestors, or elements themselves, that are siblings; undefined if one contains the other. */
function siblingsAbove(one: Element, other: Element): readonly [Element, Element] | undefined {
  const below = new Map<Element, Element>()
  for (let node: Element | null = one, from = one; node; from = node, node = parentOf(node)) below.set(node, from)
  for (let node: Element | null = other, from = other; node; from = node, node = parentOf(node)) {
    const first = below.get(node)
    if (first) return first === node || from === node ? undefined : [first, from]
  }
  return undefined
}

/** Whether two elements look like two of one kind: tag and first class. */
export const isSameKind = (one: Element, other: Element): boolean =>
  one.localName === other.localName && one.classList[0] === other.classList[0]

const isFree = (element: Element): boolean => /absolute|fixed/.test(viewOf(element).getComputedStyle(element).position)

/**
 * The dragged item and the item it is dropped on, if both are in one list. A box without a role is a list for
 * children of one kind. What holds several draggable items is a column and no item.
 */
export function itemsOfOneList(source: Element, destination: Element): readonly [Element, Element] | undefined {
  const found = siblingsAbove(source, destination)
  const around = found && parentOf(found[0])
  if (!found || !around) return undefined
  const isItem = (item: Element, element: Element): boolean => item === element || isMarkedDraggable(item)
  const isPlain =
    isSameKind(found[0], found[1]) &&
    // Events of a calendar stand where they mean something, and in no order.
    (isMarkedDraggable(found[0]) || !isFree(found[0])) &&
    isItem(found[0], source) &&
    (isItem(found[1], destination) || isMarkedDraggable(found[0]))
  const isListed = around.matches(`${lists},tbody,[role=rowgroup]`)
  const isColumn = found.some((one) => one.querySelector(lists) !== null || manyDraggable(one))
  return (isListed || isPlain) && !isColumn ? found : undefined
}

const manyDraggable = (box: Element): boolean => [...box.querySelectorAll('*')].filter(isMarkedDraggable).length > 1

/** The box of an element that is visible: inside of the viewport and of all boxes around it that scroll or clip. */
export function visibleBox(element: Element): DOMRect {
  const view = viewOf(element)
  let { left, top, right, bottom } = element.getBoundingClientRect()
  ;[left, top] = [Math.max(left, 0), Math.max(top, 0)]
  ;[right, bottom] = [Math.min(right, view.innerWidth), Math.min(bottom, view.innerHeight)]
  for (let up = parentOf(element); up && up.ownerDocument === element.ownerDocument; up = parentOf(up)) {
    if (up.matches('body,html')) break
    const { overflowX, overflowY } = view.getComputedStyle(up)
    if (overflowX === 'visible' && overflowY === 'visible') continue
    const box = up.getBoundingClientRect()
    ;[left, top] = [Math.max(left, box.left), Math.max(top, box.top)]
    ;[right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)]
  }
  return new DOMRect(left, top, right - left, bottom - top)
}

const isIn = ({ x, y }: Point, box: DOMRect): boolean =>
  x >= box.left && x <= box.right && y >= box.top && y <= box.bottom

/** Whether the items of a list stand beside each other: an item overlaps its neighbour vertically. */
function isAcross(item: Element): boolean {
  const own = item.getBoundingClientRect()
  for (const beside of [item.nextElementSibling, item.previousElementSibling]) {
    const box = beside?.getBoundingClientRect()
    if (!box || box.width * box.height === 0) continue
    return Math.min(own.bottom, box.bottom) - Math.max(own.top, box.top) > Math.min(own.height, box.height) / 2
  }
  return false
}

/** The innermost list that a box consists of, beside headings and buttons. */
function listIn(box: Element): Element {
  if (box.matches(lists)) return box
  const inner = [...box.querySelectorAll(lists)]
  return inner.length === 1 && !box.matches(items) ? inner[0]! : box
}

/**
 * The point at which a box that stands freely must be released to stand beside another one: as events of a calendar or
 * bars of a chart. Undefined if one does not stand freely, or another of its kind is there.
 */
function freePlace(source: Element, item: Element, place: 'before' | 'after', start: Point): (() => Point) | undefined {
  const around = parentOf(item)
  if (source === item || !around || !isFree(source) || !isFree(item) || !isSameKind(source, item)) return undefined
  const peers = [...around.children].filter((one) => isSameKind(one, item)).map((one) => one.getBoundingClientRect())
  const differ = (of: 'width' | 'height'): boolean => peers.some((box) => Math.abs(box[of] - peers[0]![of]) > 2)
  const isAcross = differ('width') && !differ('height')
  const own = source.getBoundingClientRect()
  const at = (): Point => {
    const box = item.getBoundingClientRect()
    const middle = { x: box.left + box.width / 2, y: box.top + box.height / 2 }
    if (isAcross)
      return { ...middle, x: place === 'after' ? box.right + start.x - own.left : box.left - own.right + start.x }
    return { ...middle, y: place === 'after' ? box.bottom + start.y - own.top : box.top - own.bottom + start.y }
  }
  const point = at()
  const isTaken = unclobbered(item.ownerDocument)
    .elementsFromPoint(point.x, point.y)
    .some((hit) => ancestor(hit, (above) => above !== source && parentOf(above) === around && isSameKind(above, item)))
  return isTaken ? undefined : at
}

/** Where a drag goes that holds the source at `start`. */
export const aimAt = (source: Element, goal: Goal, start: Point): Aim =>
  'by' in goal
    ? {
        point: { x: start.x + goal.by.x, y: start.y + goal.by.y },
        isVisible: true,
        reveal() {},
        isMissedBy: () => false,
      }
    : new ElementAim(source, goal, start)

/** The aim at a destination: at an item, at one end of it, or into the free space of a list. */
class ElementAim implements Aim {
  readonly #goal: Exclude<Goal, { by: Point }>
  readonly #item: Element
  readonly #end: 'first' | 'last' | undefined
  readonly #isAcross: boolean
  readonly #isBackwards: boolean
  readonly #isSameList: boolean
  /** Beside the destination, where boxes stand freely and nothing stands yet. */
  readonly #free: (() => Point) | undefined

  /** `start`: where the hand holds the source. */
  constructor(source: Element, goal: Exclude<Goal, { by: Point }>, start: Point) {
    this.#goal = goal
    this.#free = goal.place === 'on' ? undefined : freePlace(itemOf(source), itemOf(goal.element), goal.place, start)
    const pair = itemsOfOneList(source, goal.element)
    this.#isSameList = pair !== undefined
    let item = goal.place === 'on' ? listIn(goal.element) : (pair?.[1] ?? itemOf(goal.element))
    let end: 'first' | 'last' | undefined
    if (goal.place !== 'on') end = goal.place === 'before' ? 'first' : 'last'
    if (pair && end) {
      // Items make place towards the old place of the dragged one. The slot after "C" is that of the next item, if
      // the drag comes from there.
      const isForward = Boolean(pair[0].compareDocumentPosition(pair[1]) & Node.DOCUMENT_POSITION_FOLLOWING)
      const other = isForward ? item.previousElementSibling : item.nextElementSibling
      if (isForward === (end === 'first') && other && other !== pair[0] && isSameKind(other, item)) {
        item = other
        end = end === 'first' ? 'last' : 'first'
      }
    }
    this.#item = item
    this.#end = end
    this.#isAcross = isAcross(item)
    this.#isBackwards = this.#isAcross && viewOf(item).getComputedStyle(parentOf(item) ?? item).direction === 'rtl'
  }

  get point(): Point {
    if (this.#free) return this.#free()
    const box = this.#end ? this.#item.getBoundingClientRect() : visibleBox(this.#item)
    const middle = { x: box.left + box.width / 2, y: box.top + box.height / 2 }
    if (this.#end) {
      const share = (this.#end === 'first') === this.#isBackwards ? 0.75 : 0.25
      return this.#isAcross
        ? { ...middle, x: box.left + box.width * share }
        : { ...middle, y: box.top + box.height * (this.#end === 'first' ? 0.25 : 0.75) }
    }
    const last = this.#item.matches(lists) ? this.#item.lastElementChild?.getBoundingClientRect() : undefined
    // Below the last item of a list.
    return last && box.bottom - last.bottom > 8 ? { ...middle, y: (box.bottom + last.bottom) / 2 } : middle
  }

  get isVisible(): boolean {
    if (this.#free) {
      const { innerWidth, innerHeight } = viewOf(this.#item)
      return isIn(this.#free(), new DOMRect(0, 0, innerWidth, innerHeight))
    }
    const box = visibleBox(this.#item)
    return box.width > 0 && box.height > 0 && isIn(this.point, box)
  }

  reveal(): void {
    scrollIntoReach(this.#item)
  }

  isMissedBy(point: Point): boolean {
    if (this.#free || !this.#item.isConnected) return false
    const box = this.#item.getBoundingClientRect()
    if (!this.#end) return !this.#isSameList && this.#goal.place === 'on' && !isIn(point, box)
    const now = this.#isAcross ? (point.x - box.left) / box.width : (point.y - box.top) / box.height
    const isBeyond = this.#isBackwards ? now < 0.5 : now > 0.5
    return isBeyond === (this.#end === 'first')
  }
}
