// Dispatches the events that a user's input causes. The focus of most fields is simulated, because the real one would
// take the caret from where the visitor is typing. A field that may open a list gets the real one until it is left:
// pages ask for `document.activeElement` or `:focus-within` before they show a list.
import { mayOpenList } from './list-signs.js'
import { mayTakeFocus, takeFocus, visitorsPlace } from '../hands/focus.js'
import { asToolInput } from '../hands/own-input.js'
import { blurElement, clickElement, currentPage, rootOf, viewOf } from '../dom/dom.js'
import { scrollIntoReach } from '../dom/scrolling.js'

const isFocused = (element: Element): boolean => rootOf(element).activeElement === element

/** How each entered field is left. Absent for a field in which the visitor has the focus: that is not left. */
const leaving = new WeakMap<Element, () => void>()

function simulateFocus(element: Element): void {
  const { FocusEvent } = viewOf(element)
  element.dispatchEvent(new FocusEvent('focus', { composed: true }))
  element.dispatchEvent(new FocusEvent('focusin', { bubbles: true, composed: true }))
}

function simulateBlur(element: Element): void {
  const { FocusEvent } = viewOf(element)
  element.dispatchEvent(new FocusEvent('blur', { composed: true }))
  element.dispatchEvent(new FocusEvent('focusout', { bubbles: true, composed: true }))
}

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
    if (!isFocused(element)) return simulateBlur(element)
    // The page gave the field the real focus. Libraries finish what was typed when the field is left by Tab.
    pressKey(element, 'Tab')
    blurElement(element)
    place.putBack()
  })
  simulateFocus(element)
}

/** Leaves the field, and puts the focus back if it was taken. `always`: also one that was not entered. */
export function leaveField(element: Element, always = true): void {
  const leave = leaving.get(element)
  leaving.delete(element)
  if (leave) leave()
  else if (always && !isFocused(element)) simulateBlur(element)
}

/** Dispatches `beforeinput`. False if the page cancels it. */
export function dispatchBeforeInput(element: Element, data: string): boolean {
  const { InputEvent } = viewOf(element)
  return element.dispatchEvent(
    new InputEvent('beforeinput', {
      bubbles: true,
      composed: true,
      cancelable: true,
      inputType: data === '' ? 'deleteContentBackward' : 'insertText',
      data: data === '' ? null : data,
    }),
  )
}

/** Dispatches `input`, with data for text fields and without for other controls. */
export function dispatchInput(element: Element, data: string | null): void {
  const view = viewOf(element)
  element.dispatchEvent(
    data === null
      ? new view.Event('input', { bubbles: true, composed: true })
      : new view.InputEvent('input', {
          bubbles: true,
          composed: true,
          inputType: data === '' ? 'deleteContentBackward' : 'insertText',
          data: data === '' ? null : data,
        }),
  )
}

/** Dispatches `change`. */
export function dispatchChange(element: Element): void {
  element.dispatchEvent(new (viewOf(element).Event)('change', { bubbles: true }))
}

/** Dispatches all events of a mouse click, for widgets that listen to single ones. */
export function dispatchMouseClick(element: Element): void {
  const { MouseEvent, PointerEvent } = viewOf(element)
  const { left, top, width, height } = element.getBoundingClientRect()
  const options = {
    bubbles: true,
    composed: true,
    cancelable: true,
    clientX: left + width / 2,
    clientY: top + height / 2,
  }
  // Menus choose the item under the pointer, so it must move there first.
  element.dispatchEvent(new PointerEvent('pointerover', { ...options, pointerType: 'mouse', isPrimary: true }))
  element.dispatchEvent(new PointerEvent('pointermove', { ...options, pointerType: 'mouse', isPrimary: true }))
  element.dispatchEvent(new MouseEvent('mouseover', options))
  element.dispatchEvent(new MouseEvent('mousemove', options))
  element.dispatchEvent(new PointerEvent('pointerdown', { ...options, pointerType: 'mouse', isPrimary: true }))
  element.dispatchEvent(new MouseEvent('mousedown', options))
  element.dispatchEvent(new PointerEvent('pointerup', { ...options, pointerType: 'mouse', isPrimary: true }))
  element.dispatchEvent(new MouseEvent('mouseup', options))
  clickElement(element)
}

// Older widgets only read `keyCode`.
const keyCodes: Readonly<Record<string, number>> = {
  Backspace: 8,
  Tab: 9,
  Enter: 13,
  Escape: 27,
  PageUp: 33,
  PageDown: 34,
  ArrowLeft: 37,
  ArrowUp: 38,
  ArrowRight: 39,
  ArrowDown: 40,
  Delete: 46,
}

/** Dispatches `keydown` and `keyup`. */
export function pressKey(element: Element, key: string, shiftKey = false): void {
  const { KeyboardEvent } = viewOf(element)
  const options = {
    key,
    code: key,
    keyCode: keyCodes[key] ?? 0,
    shiftKey,
    bubbles: true,
    composed: true,
    cancelable: true,
  }
  element.dispatchEvent(new KeyboardEvent('keydown', options))
  element.dispatchEvent(new KeyboardEvent('keyup', options))
}

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
