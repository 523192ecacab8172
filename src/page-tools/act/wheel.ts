// Turns the wheel of the mouse over what has nothing to scroll by itself: pages that move their contents with a handler
// of `wheel`, maps and canvases. The browser does nothing by default for the events of a script.
import { viewOf } from '../dom/dom.js'
import { heightOf, isPage, shownPartOf } from '../dom/scroll-boxes.js'
import { turnWheelAt } from '../hands/mouse.js'
import { topmost } from '../hands/point.js'
import { patience, until } from '../waiting/until.js'

/** So many turns reach an end. */
const mostTurns = 30

/** Turns the wheel once in the middle of a box, by nine tenths of its height. */
function turn(box: Element, isUp: boolean): void {
  const view = viewOf(box)
  const { left, width } = box.getBoundingClientRect()
  const { top, bottom } = shownPartOf(box)
  const x = isPage(box) ? view.innerWidth / 2 : left + width / 2
  const y = (Math.max(top, 0) + Math.min(bottom, view.innerHeight)) / 2
  const on = topmost(box.ownerDocument, x, y) ?? box
  const deltaY = heightOf(box) * (isUp ? -0.9 : 0.9)
  turnWheelAt({ on, x, y }, deltaY)
}

/**
 * Turns the wheel, until the end for `top` and `bottom`, or until `isDone`. `look`: what is seen now, to notice that it
 * moves. Returns whether anything moved.
 */
export async function turnWheel(
  box: Element,
  to: string,
  { look, isDone, signal }: { look(): string; isDone(): boolean; readonly signal: AbortSignal },
): Promise<boolean> {
  const isUp = to === 'up' || to === 'top'
  let hasMoved = false
  for (let turns = 0; turns < mostTurns; turns++) {
    const before = look()
    turn(box, isUp)
    if (!(await untilMoved(before, look, signal))) break
    hasMoved = true
    if (isDone()) break
  }
  return hasMoved
}

/** Waits until something has moved and rests. Returns false if nothing moves. */
async function untilMoved(before: string, look: () => string, signal: AbortSignal): Promise<boolean> {
  let last = before
  await until({
    done(passed) {
      const now = look()
      if (now === before && passed() < patience.wheel.begin) return false
      const isAtRest = now === last
      last = now
      return isAtRest
    },
    ...patience.wheel,
    waitsFirst: true,
    signal,
  })
  return last !== before
}
