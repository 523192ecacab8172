// The boxes and pages that a person can scroll: finding them, and where they stand.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { isTag, viewOf } from './dom.js'
import { isScrolled, scrollLimits, type ScrollLimits } from './scroll-limits.js'
import { filterElements, finish, type Steps } from './steps.js'
import type { Visibility } from './visibility.js'

/** Whether the element stands for its page, which the window scrolls. */
export const isPage = (box: Element): boolean => isTag(box, 'html', 'body')
/** The element that contains all that the box scrolls. */
export const contentsOf = (box: Element): Element => (isPage(box) ? unclobbered(box.ownerDocument).body : box)
/** The height of the visible part of a box, in pixels. */
export const heightOf = (box: Element): number => (isPage(box) ? viewOf(box).innerHeight : box.clientHeight)
/** The visible part of a box, in coordinates of its window. */
export function shownPartOf(box: Element): { readonly top: number; readonly bottom: number } {
  const top = isPage(box) ? 0 : box.getBoundingClientRect().top + box.clientTop
  return { top, bottom: top + heightOf(box) }
}
/** Whether something scrolls from side to side (`x`), or up and down. */
export type Axis = 'x' | 'y'

/** Whether the window scrolls this page. */
export function scrollsPage(box: Element, axis: Axis = 'y'): boolean {
  const { overflowX, overflowY } = viewOf(box).getComputedStyle(box)
  if (axis === 'x') return !/hidden|clip/.test(overflowX) && box.scrollWidth > box.clientWidth + 1
  return !/hidden|clip/.test(overflowY) && box.scrollHeight > heightOf(box) + 1
}

/** The element whose position is that of the page around an element. */
export const pageOf = (element: Element): Element => {
  const page = unclobbered(element.ownerDocument)
  return page.scrollingElement ?? page.documentElement
}

/** Whether a person can scroll the element itself up or down, or from side to side. */
export function isScrollable(
  element: Element,
  style = viewOf(element).getComputedStyle(element),
  axis: Axis = 'y',
): boolean {
  if (isPage(element) || element.clientHeight === 0) return false
  return axis === 'x'
    ? isScrolled(style.overflowX) && element.scrollWidth > element.clientWidth + 1
    : isScrolled(style.overflowY) && element.scrollHeight > element.clientHeight + 1
}

/** The area of the visible part of an element, in pixels. */
export const areaOf = (element: Element): number => element.clientWidth * element.clientHeight

/** Whether it is a box that a person can scroll, and no field. */
function isScrollBox(element: Element, visibility: Visibility, axis: Axis): boolean {
  const style = visibility.style(element)
  return (
    isScrolled(axis === 'x' ? style.overflowX : style.overflowY) &&
    !isTag(element, 'textarea', 'input', 'select') &&
    isScrollable(element, style, axis) &&
    visibility.hasBox(element)
  )
}

const knownBoxes = new WeakMap<Visibility, Map<Element, readonly Element[]>>()

/** The boxes under an element that a person can scroll up and down, without fields. In steps. */
export function* scrollBoxSteps(root: Element, visibility: Visibility): Steps<readonly Element[]> {
  let known = knownBoxes.get(visibility)
  if (!known) knownBoxes.set(visibility, (known = new Map<Element, readonly Element[]>()))
  const isBox = (element: Element): boolean => isScrollBox(element, visibility, 'y')
  const found = known.get(root) ?? (yield* filterElements(root, visibility, isBox))
  known.set(root, found)
  return found
}

/** The boxes under an element that a person can scroll up and down, without fields. */
export const scrollBoxesUnder = (root: Element, visibility: Visibility): readonly Element[] =>
  finish(scrollBoxSteps(root, visibility))

/** The largest visible box under the element that a person can scroll. `least`: the area that it must exceed. */
export function largestBoxUnder(
  root: Element,
  visibility: Visibility,
  least = 0,
  axis: Axis = 'y',
): Element | undefined {
  let found: Element | undefined
  const isAcross = (element: Element): boolean => isScrollBox(element, visibility, 'x')
  const boxes = axis === 'x' ? finish(filterElements(root, visibility, isAcross)) : scrollBoxesUnder(root, visibility)
  for (const element of boxes) if (areaOf(element) > Math.max(least, found ? areaOf(found) : 0)) found = element
  return found
}

/** Between which positions a box can be scrolled. */
export const limitsOfBox = (box: Element): ScrollLimits =>
  scrollLimits(box, viewOf(box).getComputedStyle(box), heightOf(box))

/** The end that a box has reached; `both` if there is nothing to scroll, null if neither is reached. */
export function endOf(box: Element): 'top' | 'bottom' | 'both' | null {
  const { top, bottom } = limitsOfBox(box)
  return reached(box.scrollTop, ['top', top], ['bottom', bottom])
}

/** `endOf` from side to side. */
export function sideOf(box: Element): 'left' | 'right' | 'both' | null {
  const { left, right } = limitsOfBox(box)
  return reached(box.scrollLeft, ['left', left], ['right', right])
}

function reached<A extends string, B extends string>(
  at: number,
  [first, least]: readonly [A, number],
  [last, most]: readonly [B, number],
): A | B | 'both' | null {
  const [isFirst, isLast] = [at <= least + 1, at >= most - 1]
  if (isFirst && isLast) return 'both'
  if (isFirst) return first
  return isLast ? last : null
}
