// The focus of the hand. That of most fields is simulated, because the real one would take the caret from where the
// visitor is typing. A field that may open a list gets the real one until it is left: pages ask for
// `document.activeElement` or `:focus-within` before they show a list. Then focus and selection go back to where the
// visitor was, and what the visitor types meanwhile goes there, too: the first key ends the loan before the browser
// writes its character.
import {
  ancestor,
  blurElement,
  currentPage,
  focusElement,
  isTag,
  isWithin,
  parentOf,
  rootOf,
  viewOf,
} from '../dom/dom.js'
import { isTypedInto } from '../dom/field-state.js'
import { focusedElement, isUserTyping, noteFocusByTool, placeHand } from '../dom/page-focus.js'
import { mayOpenList } from '../dom/pop-ups.js'
import { waitForPageUpdates } from '../waiting/until.js'
import { bubbling, fire } from './events.js'
import { pressKey } from './keys.js'
import { asToolInput, sinceKey } from './own-input.js'
import { selectionOf } from './rich-text.js'

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

const isFocused = (element: Element): boolean => rootOf(element).activeElement === element

/** Dispatches the events of a focus that comes or goes, as if it did. */
function simulate(element: Element, types: readonly [own: string, bubbling: string]): void {
  const [own, bubbled] = types
  fire(element, own, { composed: true })
  fire(element, bubbled, bubbling)
}
const coming = ['focus', 'focusin'] as const
const going = ['blur', 'focusout'] as const

/**
 * Gives an element the real focus. Returns the function that leaves it and puts the focus back; undefined if it cannot
 * have the focus.
 */
export function takeFocus(element: Element): (() => void) | undefined {
  const place = visitorsPlace()
  withEvents(element, coming, () => asToolInput(() => focusElement(element)))
  if (!isFocused(element)) {
    place.end()
    return undefined
  }
  const ending = new AbortController()
  const leave = (): void => {
    ending.abort()
    place.end()
    if (!isFocused(element)) return
    withEvents(element, going, () =>
      asToolInput(() => {
        blurElement(element)
        place.putBack()
      }),
    )
  }
  viewOf(element).addEventListener(
    'keydown',
    (event) => {
      if (!event.isTrusted || !isFocused(element)) return
      // The key is none of the field's: its default action follows in the place that gets the focus now.
      event.stopImmediatePropagation()
      leave()
    },
    { capture: true, signal: ending.signal },
  )
  return leave
}

/** Runs a step that moves the focus. A window without the focus fires no events for it, so they are dispatched then. */
function withEvents(element: Element, types: readonly [own: string, bubbling: string], step: () => void): void {
  const [own] = types
  let isTold = false
  const note = (): void => {
    isTold = true
  }
  element.addEventListener(own, note, { capture: true, once: true })
  step()
  element.removeEventListener(own, note, { capture: true })
  if (!isTold) simulate(element, types)
}

/** How each entered field is left. Absent for a field in which the visitor has the focus: that is not left. */
const leaving = new WeakMap<Element, () => void>()

/** Gives the field the focus if it needs it, or dispatches its events as if it got it. */
export function enterField(element: Element, needsFocus = mayOpenList(element)): void {
  if (isFocused(element)) return
  const former = leaving.get(element)
  if (!former && needsFocus && mayTakeFocus()) {
    const giveBack = takeFocus(element)
    // The page has heard that it lost the focus if that went elsewhere meanwhile.
    if (giveBack) return void leaving.set(element, giveBack)
  }
  const place = visitorsPlace()
  leaving.set(element, () => {
    former?.()
    place.end()
    if (!isFocused(element)) return simulate(element, going)
    // The page gave the field the real focus. Libraries finish what was typed when the field is left by Tab.
    pressKey(element, 'Tab')
    blurElement(element)
    place.putBack()
  })
  simulate(element, coming)
}

/** Leaves the field, and puts the focus back if it was taken. `always`: also one that was not entered. */
export function leaveField(element: Element, always = true): void {
  const leave = leaving.get(element)
  leaving.delete(element)
  if (leave) leave()
  else if (always && !isFocused(element)) simulate(element, going)
}

/**
 * Focuses the nearest focusable ancestor, as a mouse click does. While the user is typing to the agent, the real focus
 * stays there, but keys without a target go to that element. `isClick`: a text field under the mouse gets the caret,
 * which a person sees.
 */
export function focusByUser(on: Element, isClick = false): void {
  const isTyping = isUserTyping()
  const isTextAt = (node: Element): boolean => isClick && (isTypedInto(node) || (node as HTMLElement).isContentEditable)
  for (let node: Element | null = on; node; node = parentOf(node)) {
    const label: HTMLElement | null = isTag(node, 'label') ? node.control : null
    // A label passes the focus to its control on click.
    if (label) return isTyping ? placeHand(label) : noteFocusByTool(label, isTextAt(label))
    if (isTag(node, 'body')) return
    if (isTyping) {
      const { tabIndex = -1, isContentEditable } = node as Partial<HTMLElement>
      if (tabIndex >= 0 || node.hasAttribute('tabindex') || isContentEditable) return placeHand(node)
      continue
    }
    focusElement(node)
    if (rootOf(node).activeElement === node) return noteFocusByTool(node, isTextAt(node))
  }
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
