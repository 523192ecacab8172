// Scrolls an element into the part of the window that the panel leaves free, through frames and boxes that scroll.
import type { Box } from '../../page/tools/page-stage.js'
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { isTag, parentOf, viewOf } from '../dom/dom.js'
import { isScrolled, scrollIntoReach } from '../dom/scrolling.js'
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

/** Scrolls by a distance, as far as the boxes around the element can: the inner ones first. */
function scrollBy(element: Element, distance: number): void {
  let rest = distance
  const move = (box: Element): void => {
    const before = box.scrollTop
    box.scrollBy({ top: rest, behavior: 'instant' })
    rest -= box.scrollTop - before
  }
  for (let box: Element | null = element; box && Math.abs(rest) >= 1; box = parentOf(box)) {
    const view = viewOf(box)
    const { overflowY, position } = view.getComputedStyle(box)
    if (isTag(box, 'html')) move(unclobbered(view.document).scrollingElement ?? box)
    else if (box !== element && !isTag(box, 'body') && isScrolled(overflowY)) move(box)
    // What is fixed does not move with the page, but a frame around it does.
    if (position === 'fixed') while (box && !isTag(box, 'html')) box = parentOf(box)
    if (!box) return
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
