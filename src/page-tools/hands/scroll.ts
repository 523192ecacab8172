// Moves the boxes and pages that a person can scroll, or all that are around an element, without an animation.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { isTag, parentOf, viewOf } from '../dom/dom.js'
import { heightOf, isPage, limitsOfBox } from '../dom/scroll-boxes.js'
import { eventFor, fire } from './events.js'

/** Tells the page at once that a box was scrolled. The browser does so before its next frame. */
export function announceScroll(box: Element): void {
  const page = unclobbered(box.ownerDocument)
  if (isPage(box)) page.dispatchEvent(eventFor(box, 'scroll', { bubbles: true }))
  else fire(box, 'scroll', {})
}

/** Moves a box to a position, without an animation. */
export function moveTo(box: Element, top: number): void {
  box.scrollTo({ top, behavior: 'instant' })
  // A hidden tab has no frames.
  if (unclobbered(box.ownerDocument).hidden) announceScroll(box)
}

/** Moves a box to an end, or by nine tenths of its visible height or width. */
export function moveBox(box: Element, to: string): void {
  if (to === 'left' || to === 'right') {
    const way = box.clientWidth * (to === 'left' ? -0.9 : 0.9)
    box.scrollTo({ left: box.scrollLeft + way, behavior: 'instant' })
    if (unclobbered(box.ownerDocument).hidden) announceScroll(box)
    return
  }
  const { top, bottom } = limitsOfBox(box)
  const screen = heightOf(box) * 0.9
  const places = new Map([
    ['top', top],
    ['bottom', bottom],
    ['up', box.scrollTop - screen],
  ])
  moveTo(box, places.get(to) ?? box.scrollTop + screen)
}

/**
 * Scrolls an element into view as a person can: what only a script can scroll stays where it is, because nobody could
 * scroll it back. The page itself scrolls in any case: it may be locked while a dialog is open.
 */
export function scrollIntoReach(element: Element, inline: ScrollLogicalPosition = 'nearest'): void {
  const kept: [box: Element, axis: 'scrollLeft' | 'scrollTop', position: number][] = []
  for (let box = parentOf(element); box; box = parentOf(box)) {
    if (isTag(box, 'html', 'body')) continue
    const { overflowX, overflowY } = viewOf(box).getComputedStyle(box)
    if (overflowX === 'hidden') kept.push([box, 'scrollLeft', box.scrollLeft])
    if (overflowY === 'hidden') kept.push([box, 'scrollTop', box.scrollTop])
  }
  element.scrollIntoView({ block: 'center', inline, behavior: 'instant' })
  for (const [box, axis, position] of kept)
    if (box[axis] !== position) box.scrollTo({ [axis === 'scrollTop' ? 'top' : 'left']: position, behavior: 'instant' })
}

/** Scrolls a field into view that opens a pop-up: libraries hide the pop-up of a field that is out of view. */
export function bringIntoView(element: Element): void {
  const { top, bottom } = element.getBoundingClientRect()
  if (top < 0 || bottom > viewOf(element).innerHeight) scrollIntoReach(element)
}
