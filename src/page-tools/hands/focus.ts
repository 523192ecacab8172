// Takes the real focus for a tool, and puts focus and selection back to where the visitor was. What the visitor types
// meanwhile goes to their own place: the first key ends the loan before the browser writes its character.
import { ancestor, blurElement, currentPage, focusElement, isTag, isWithin, rootOf, viewOf } from '../dom/dom.js'
import { focusedElement, isUserTyping } from '../dom/page-focus.js'
import { selectionOf } from './rich-text.js'
import { asToolInput, sinceKey } from './own-input.js'

/** Where the visitor is, until `end`. */
export interface VisitorsPlace {
  /** Whether an element has the focus. */
  readonly isMarked: boolean
  /** Gives focus and selection back, unless the visitor has gone elsewhere meanwhile. */
  putBack(): void
  /** Stops watching where the visitor goes. */
  end(): void
}

/** Remembers the focus and the selection. */
export function visitorsPlace(): VisitorsPlace {
  const focused = focusedElement()
  const before = isTag(focused, 'body', 'html') ? null : focused
  // The caret of a text field comes back with its focus. Elsewhere, the selection does not.
  const selection = isTag(before, 'input', 'textarea') ? null : selectionOf(before ?? currentPage().documentElement)
  const range = selection && selection.rangeCount > 0 ? selection.getRangeAt(0).cloneRange() : null
  let hasLeft = false
  const ending = new AbortController()
  window.addEventListener(
    'pointerdown',
    (event) => {
      if (event.isTrusted) hasLeft = true
    },
    { capture: true, passive: true, signal: ending.signal },
  )
  return {
    isMarked: before !== null,
    putBack() {
      const now = focusedElement()
      if (hasLeft || now === before) return
      if (before?.isConnected) focusElement(before)
      else blurElement(now)
      if (!selection || !range?.startContainer.isConnected) return
      // A selection in an editor gives it the focus again.
      const host = ancestor(range.startContainer, (above) => (above as Partial<HTMLElement>).isContentEditable === true)
      if (host && !(before && isWithin(before, host)) && before !== host) return selection.removeAllRanges()
      selection.removeAllRanges()
      selection.addRange(range)
    },
    end: () => ending.abort(),
  }
}

/** Milliseconds after a key in which the visitor is still typing. Taking the focus would end a composition. */
const typingPause = 1000
/** Whether a tool may take the focus: the visitor is not typing, to the agent or elsewhere. */
export const mayTakeFocus = (): boolean => !isUserTyping() && sinceKey() > typingPause

/**
 * Gives an element the real focus. Returns the function that leaves it and puts the focus back; undefined if it cannot
 * have the focus.
 */
export function takeFocus(element: Element): (() => void) | undefined {
  const hasFocus = (): boolean => rootOf(element).activeElement === element
  const place = visitorsPlace()
  withEvents(element, ['focus', 'focusin'], () => asToolInput(() => focusElement(element)))
  if (!hasFocus()) {
    place.end()
    return undefined
  }
  const ending = new AbortController()
  const leave = (): void => {
    ending.abort()
    place.end()
    if (!hasFocus()) return
    withEvents(element, ['blur', 'focusout'], () =>
      asToolInput(() => {
        blurElement(element)
        place.putBack()
      }),
    )
  }
  viewOf(element).addEventListener(
    'keydown',
    (event) => {
      if (!event.isTrusted || !hasFocus()) return
      // The key is none of the field's: its default action follows in the place that gets the focus now.
      event.stopImmediatePropagation()
      leave()
    },
    { capture: true, signal: ending.signal },
  )
  return leave
}

/** Runs a step that moves the focus. A window without the focus fires no events for it, so they are dispatched then. */
function withEvents(element: Element, [own, bubbling]: readonly [string, string], step: () => void): void {
  let isTold = false
  const note = (): void => {
    isTold = true
  }
  element.addEventListener(own, note, { capture: true, once: true })
  step()
  element.removeEventListener(own, note, { capture: true })
  if (isTold) return
  const { FocusEvent } = viewOf(element)
  element.dispatchEvent(new FocusEvent(own, { composed: true }))
  element.dispatchEvent(new FocusEvent(bubbling, { bubbles: true, composed: true }))
}
