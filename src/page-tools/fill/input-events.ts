// Steps for a field that opens a pop-up: it must be in view, and the visitor keeps the focus.
import { viewOf } from '../dom/dom.js'
import { scrollIntoReach } from '../dom/scrolling.js'
import { visitorsPlace } from '../hands/focus.js'
import { asToolInput } from '../hands/own-input.js'
import { waitForPageUpdates } from '../waiting/until.js'

/** Scrolls a field into view that opens a pop-up: libraries hide the pop-up of a field that is out of view. */
export function bringIntoView(element: Element): void {
  const { top, bottom } = element.getBoundingClientRect()
  if (top < 0 || bottom > viewOf(element).innerHeight) scrollIntoReach(element)
}

/** Runs a step and restores the focus, which a pop-up may take while the user types elsewhere. */
export async function keepingFocus<T>(step: () => Promise<T>): Promise<T> {
  const place = visitorsPlace()
  try {
    const done = await step()
    await waitForPageUpdates()
    if (place.isMarked) asToolInput(() => place.putBack())
    return done
  } finally {
    place.end()
  }
}
