// Moves the boxes and pages that a person can scroll, without an animation.
import { unclobbered } from '../../core/data/dom-clobbering.js'
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
