// Watches for real input of the user, so that a fill keeps what the user types meanwhile. The watch begins with the
// call, before the code of form_fill is loaded.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { currentPage, elementsUnder, frameDocument } from '../dom/dom.js'

let writing = 0
/** Runs a synchronous step of a tool. Trusted events during it do not count as input of the user. */
export function asToolInput<T>(step: () => T): T {
  writing++
  try {
    return step()
  } finally {
    writing--
  }
}

let lastKey = -Infinity
/** Milliseconds since the user pressed a key, as far as a watch has seen it. */
export const sinceKey = (): number => performance.now() - lastKey

/** Knows which elements the user has interacted with. */
export interface UserWatch {
  /** Whether the user has typed, clicked, pasted or focused in the element since the watch began. */
  touched(element: Element): boolean
  /** Removes the listeners. */
  end(): void
}

/** Records which elements the user interacts with, from now on. */
function watchUser(documents: Iterable<Document>): UserWatch {
  const touched = new Set<EventTarget>()
  const ending = new AbortController()
  let moved = -Infinity
  const note = (event: Event): void => {
    if (!event.isTrusted || writing > 0) return
    if (event.type === 'focusin') {
      // Scripts move the focus, too. Only a focus shortly after a key or pointer event is the user's.
      if (event.timeStamp - moved < 1000) for (const target of event.composedPath()) touched.add(target)
      return
    }
    if (event.type === 'keydown' || event.type === 'pointerdown') moved = event.timeStamp
    if (event.type === 'keydown') lastKey = event.timeStamp
    if (event.type === 'keydown' && (event as KeyboardEvent).key === 'Tab') return
    for (const target of event.composedPath()) touched.add(target)
  }
  for (const page of documents) {
    for (const type of ['keydown', 'beforeinput', 'input', 'pointerdown', 'paste', 'drop', 'focusin']) {
      unclobbered(page).addEventListener(type, note, { capture: true, passive: true, signal: ending.signal })
    }
  }
  return { touched: (element) => touched.has(element), end: () => ending.abort() }
}

/** The page and its same-origin frames. */
function pageDocuments(): Set<Document> {
  const found = new Set<Document>([document])
  for (const element of elementsUnder(currentPage().documentElement)) {
    const inside = frameDocument(element)
    if (inside) found.add(inside)
  }
  return found
}

/** Records which elements of the page and its same-origin frames the user interacts with, from now on. */
export const watchPage = (): UserWatch => watchUser(pageDocuments())
