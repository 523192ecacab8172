// The events of a person's hand, and the watch for the hand of the real one. Focus events are told, not made: moving
// the real focus would take the caret out of the box the user is typing in.
import { unclobbered } from '../../core/data/unclobbered.js'
import { currentPage, rootOf, viewOf } from '../dom/dom.js'

let writing = 0
/** Runs a step of ours; events that the browser fires meanwhile are not the user's. */
export function asToolInput<T>(step: () => T): T {
  writing++
  try {
    return step()
  } finally {
    writing--
  }
}

const isFocused = (element: HTMLElement): boolean => rootOf(element).activeElement === element

/** Where the focus was when a hand of ours came to an element. */
const cameFrom = new WeakMap<HTMLElement, Element | null>()

export function enterField(element: HTMLElement): void {
  cameFrom.delete(element)
  if (isFocused(element)) return
  cameFrom.set(element, unclobbered(element.ownerDocument).activeElement)
  const { FocusEvent } = viewOf(element)
  element.dispatchEvent(new FocusEvent('focus', { composed: true }))
  element.dispatchEvent(new FocusEvent('focusin', { bubbles: true, composed: true }))
}

export function leaveField(element: HTMLElement): void {
  if (isFocused(element)) {
    const before = cameFrom.get(element)
    if (before === undefined) return
    // The page has made the told focus a real one, perhaps to open something: left as a person leaves, and given back.
    pressKey(element, 'Tab')
    element.blur()
    if (before?.isConnected && before !== unclobbered(element.ownerDocument).body)
      (before as HTMLElement).focus({ preventScroll: true })
    return
  }
  const { FocusEvent } = viewOf(element)
  element.dispatchEvent(new FocusEvent('blur', { composed: true }))
  element.dispatchEvent(new FocusEvent('focusout', { bubbles: true, composed: true }))
}

/** False where the page refuses the input. */
export function dispatchBeforeInput(element: HTMLElement, data: string): boolean {
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

export function dispatchInput(element: HTMLElement, data: string | null): void {
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

export function dispatchChange(element: HTMLElement): void {
  element.dispatchEvent(new (viewOf(element).Event)('change', { bubbles: true }))
}

// Older widgets know keys by these numbers alone.
const keyCodes: Readonly<Record<string, number>> = {
  Backspace: 8,
  Tab: 9,
  Escape: 27,
  PageUp: 33,
  PageDown: 34,
  ArrowLeft: 37,
  ArrowUp: 38,
  ArrowRight: 39,
  ArrowDown: 40,
  Delete: 46,
}

export function pressKey(element: HTMLElement, key: string, shiftKey = false): void {
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

/** A whole click, for widgets that listen to its parts. */
export function dispatchMouseClick(element: HTMLElement): void {
  const { MouseEvent, PointerEvent } = viewOf(element)
  const { left, top, width, height } = element.getBoundingClientRect()
  const options = {
    bubbles: true,
    composed: true,
    cancelable: true,
    clientX: left + width / 2,
    clientY: top + height / 2,
  }
  // A menu chooses what the pointer was moved to.
  element.dispatchEvent(new PointerEvent('pointerover', { ...options, pointerType: 'mouse', isPrimary: true }))
  element.dispatchEvent(new PointerEvent('pointermove', { ...options, pointerType: 'mouse', isPrimary: true }))
  element.dispatchEvent(new MouseEvent('mouseover', options))
  element.dispatchEvent(new MouseEvent('mousemove', options))
  element.dispatchEvent(new PointerEvent('pointerdown', { ...options, pointerType: 'mouse', isPrimary: true }))
  element.dispatchEvent(new MouseEvent('mousedown', options))
  element.dispatchEvent(new PointerEvent('pointerup', { ...options, pointerType: 'mouse', isPrimary: true }))
  element.dispatchEvent(new MouseEvent('mouseup', options))
  element.click()
}

/** One turn of the queue: a page that draws at once has drawn. Between two deeds of a hand there is always one. */
export const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })

/**
 * Two frames, as a page needs to draw what changed. A tab in the background draws none: then some turns of the queue.
 */
export async function waitForPageUpdates(): Promise<void> {
  if (!currentPage().hidden) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 150)
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          clearTimeout(timer)
          resolve()
        }),
      )
    })
    return
  }
  // Timers of a hidden tab may take a minute; messages do not.
  for (let turns = 0; turns < 8; turns++) await nextTask()
}

export interface UserWatch {
  touched(element: Element): boolean
  end(): void
}

/** Notes which elements the user touches from now on. */
export function watchUser(documents: Iterable<Document>): UserWatch {
  const touched = new Set<EventTarget>()
  const ending = new AbortController()
  let moved = -Infinity
  const note = (event: Event): void => {
    if (!event.isTrusted || writing > 0) return
    if (event.type === 'focusin') {
      // A script may move the focus too; a person does it with a key or a pointer.
      if (event.timeStamp - moved < 1000) for (const target of event.composedPath()) touched.add(target)
      return
    }
    if (event.type === 'keydown' || event.type === 'pointerdown') moved = event.timeStamp
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
