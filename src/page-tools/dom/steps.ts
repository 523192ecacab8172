// Work on a page that may take long, cut into steps. Who runs the steps decides whether the page runs in between.
import { elementsUnder } from './dom.js'
import type { Visibility } from './visibility.js'

/**
 * Work that yields wherever it may pause. If the page has changed in a pause, the work is resumed with what can be seen
 * since: all that was cached before is void.
 */
export type Steps<T> = Generator<undefined, T, Visibility | undefined>

/** Runs all steps at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** A step is as long as so many elements take: much shorter than a frame. */
export const elementsPerStep = 32

/** Calls a function for each of several things. */
export function* forEach<T>(all: Iterable<T>, visit: (one: T) => void): Steps<void> {
  let count = 0
  for (const one of all) {
    visit(one)
    if (++count % elementsPerStep === 0) yield
  }
}

/** Those that pass a test. */
export function* filter<T>(all: Iterable<T>, test: (one: T) => boolean): Steps<T[]> {
  const found: T[] = []
  yield* forEach(all, (one) => {
    if (test(one)) found.push(one)
  })
  return found
}

/** The elements under and including the root that pass a test, in rendered order. */
export const filterElements = (
  root: Element,
  visibility: Visibility,
  test: (element: Element) => boolean,
): Steps<Element[]> => filter(elementsUnder(root, visibility.children), test)
