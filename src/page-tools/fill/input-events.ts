// Waits for the page, and steps that wait.
import { currentPage, viewOf } from '../dom/dom.js'
import { scrollIntoReach } from '../dom/scrolling.js'
import { visitorsPlace } from '../hands/focus.js'
import { asToolInput } from '../hands/own-input.js'

/** Waits for one task, so that pages that render synchronously or in microtasks are up to date. */
export const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })

/** Waits some milliseconds. */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })

/** Whether the page says that it loads something. */
export const isBusy = (): boolean => currentPage().querySelector('[aria-busy=true]') !== null

/** Waits until the page has rendered so many frames. A hidden tab renders none: then waits for four tasks each. */
async function waitForFrames(count: number): Promise<void> {
  if (!currentPage().hidden) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 75 * count)
      const next = (left: number): void => {
        if (left > 0) requestAnimationFrame(() => next(left - 1))
        else {
          clearTimeout(timer)
          resolve()
        }
      }
      next(count)
    })
    return
  }
  // Timers of a hidden tab may be throttled to a minute; messages are not.
  for (let turns = 0; turns < 4 * count; turns++) await nextTask()
}

/** Scrolls a field into view that opens a pop-up: libraries hide the pop-up of a field that is out of view. */
export function bringIntoView(element: Element): void {
  const { top, bottom } = element.getBoundingClientRect()
  if (top < 0 || bottom > viewOf(element).innerHeight) scrollIntoReach(element)
}

/** Waits for two frames, so that the page has rendered its changes. */
export const waitForPageUpdates = (): Promise<void> => waitForFrames(2)

/**
 * Waits for a frame and a task after it. Then the page was told that it has been scrolled, and what it renders for a
 * press of a hand is there before the next one.
 */
export async function waitForFrame(): Promise<void> {
  await waitForFrames(1)
  await nextTask()
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
