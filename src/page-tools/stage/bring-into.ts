// Scrolls an element into the part of the window that the panel leaves free, through frames and boxes that scroll.
import type { Box } from '../../page/tools/shown-on-page.js'
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { isTag, parentOf, viewOf } from '../dom/dom.js'
import { isScrolled } from '../dom/scroll-limits.js'
import { scrollIntoReach } from '../hands/scroll.js'
import { boxOf, clipsAround, commonPart, grown, windowBox } from './rects.js'

/** CSS pixels around the element that should be free, too. */
const room = 24

/** Whether all of it is in a part of the window. */
function isInside(box: Box | undefined, { left, top, right, bottom }: Box): boolean {
  return box !== undefined && box.left >= left && box.top >= top && box.right <= right && box.bottom <= bottom
}

/** Whether all of an element is visible in a part of the window, with some room around it where the window has it. */
function isVisibleIn(element: Element, free: Box): boolean {
  const whole = boxOf(element)
  const seen = boxOf(element, clipsAround(element))
  if (!whole || !seen || seen.bottom - seen.top < whole.bottom - whole.top - 1) return false
  return isInside(commonPart(grown(whole, room), windowBox()), free)
}

/** A box that scrolls, and what shows its contents: a frame shows its page. */
interface Scroller {
  readonly box: Element
  readonly view: Element | undefined
}

/** The boxes around an element that a person can scroll, from the outside. What is fixed stays where it is. */
function scrollersAround(element: Element): readonly Scroller[] {
  const found: Scroller[] = []
  let isFixed = false
  for (let box: Element | null = element; box; box = parentOf(box)) {
    const view = viewOf(box)
    const { overflowY, position } = view.getComputedStyle(box)
    if (isTag(box, 'html')) {
      const frame = parentOf(box) ?? undefined
      if (!isFixed) found.unshift({ box: unclobbered(view.document).scrollingElement ?? box, view: frame })
      isFixed = false
    } else if (!isFixed && box !== element && !isTag(box, 'body') && isScrolled(overflowY))
      found.unshift({ box, view: box })
    if (position === 'fixed') isFixed = true
  }
  return found
}

/** Scrolls by a distance, as far as the boxes around the element can: the outer ones first, which do not cut it. */
function scrollBy(element: Element, distance: number): void {
  let rest = distance
  for (const { box, view } of scrollersAround(element)) {
    const [whole, shown] = [boxOf(element), view && boxOf(view)]
    const least = whole && shown ? Math.min(0, whole.bottom - shown.bottom) : rest
    const most = whole && shown ? Math.max(0, whole.top - shown.top) : rest
    const before = box.scrollTop
    box.scrollBy({ top: Math.max(least, Math.min(rest, most)), behavior: 'instant' })
    rest -= box.scrollTop - before
    if (Math.abs(rest) < 1) return
  }
}

/** Scrolls the element into `free`, with the part of the page around it if that fits. Does nothing if it is there. */
export function bringInto(element: Element, free: Box, part: Element | undefined): void {
  if (isVisibleIn(element, free)) return
  if (!isInside(boxOf(element, clipsAround(element)), windowBox())) scrollIntoReach(element)
  const box = boxOf(element)
  if (!box || isVisibleIn(element, free)) return
  const around = part && boxOf(part)
  const height = free.bottom - free.top
  const fits = around && around.bottom - around.top + room <= height
  const { top, bottom } = fits ? around : box
  scrollBy(element, (top + bottom) / 2 - (free.top + free.bottom) / 2)
}
