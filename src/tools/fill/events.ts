// The events of a person's hand, and the watch for the hand of the real one. Focus events are told, not made: moving
// the real focus would take the caret out of the box the user is typing in.
import { viewOf } from '../dom.js'

let writing = 0
/** Runs a step of ours; events that the browser fires meanwhile are not the user's. */
export function asOurs<T>(step: () => T): T {
  writing++
  try {
    return step()
  } finally {
    writing--
  }
}

const isFocused = (element: HTMLElement): boolean => (element.getRootNode() as Document | ShadowRoot).activeElement === element

export function enter(element: HTMLElement): void {
  if (isFocused(element)) return
  const { FocusEvent } = viewOf(element)
  element.dispatchEvent(new FocusEvent('focus', { composed: true }))
  element.dispatchEvent(new FocusEvent('focusin', { bubbles: true, composed: true }))
}

export function leave(element: HTMLElement): void {
  if (isFocused(element)) return
  const { FocusEvent } = viewOf(element)
  element.dispatchEvent(new FocusEvent('blur', { composed: true }))
  element.dispatchEvent(new FocusEvent('focusout', { bubbles: true, composed: true }))
}

/** False where the page refuses the input. */
export function beforeInput(element: HTMLElement, data: string): boolean {
  const { InputEvent } = viewOf(element)
  return element.dispatchEvent(new InputEvent('beforeinput', { bubbles: true, composed: true, cancelable: true, inputType: data === '' ? 'deleteContentBackward' : 'insertText', data: data === '' ? null : data }))
}

export function input(element: HTMLElement, data: string | null): void {
  const view = viewOf(element)
  element.dispatchEvent(data === null
    ? new view.Event('input', { bubbles: true, composed: true })
    : new view.InputEvent('input', { bubbles: true, composed: true, inputType: data === '' ? 'deleteContentBackward' : 'insertText', data: data === '' ? null : data }))
}

export function change(element: HTMLElement): void {
  element.dispatchEvent(new (viewOf(element).Event)('change', { bubbles: true }))
}

export function press(element: HTMLElement, key: string): void {
  const { KeyboardEvent } = viewOf(element)
  const options = { key, code: key, bubbles: true, composed: true, cancelable: true }
  element.dispatchEvent(new KeyboardEvent('keydown', options))
  element.dispatchEvent(new KeyboardEvent('keyup', options))
}

/** A whole click, for widgets that listen to its parts. */
export function click(element: HTMLElement): void {
  const { MouseEvent, PointerEvent } = viewOf(element)
  const options = { bubbles: true, composed: true, cancelable: true }
  element.dispatchEvent(new PointerEvent('pointerdown', { ...options, pointerType: 'mouse', isPrimary: true }))
  element.dispatchEvent(new MouseEvent('mousedown', options))
  element.dispatchEvent(new PointerEvent('pointerup', { ...options, pointerType: 'mouse', isPrimary: true }))
  element.dispatchEvent(new MouseEvent('mouseup', options))
  element.click()
}

/** Two frames, as a page needs to draw what changed. A tab in the background draws none: then some turns of the queue. */
export async function settle(): Promise<void> {
  if (!document.hidden) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 150)
      requestAnimationFrame(() => requestAnimationFrame(() => { clearTimeout(timer); resolve() }))
    })
    return
  }
  // Timers of a hidden tab may take a minute; messages do not.
  for (let turn = 0; turn < 8; turn++) {
    await new Promise<void>((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => { port1.close(); resolve() }
      port2.postMessage(null)
    })
  }
}

export interface Watch { touched(element: Element): boolean; end(): void }

/** Notes which elements the user touches from now on. */
export function watchUser(documents: Iterable<Document>): Watch {
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
      page.addEventListener(type, note, { capture: true, passive: true, signal: ending.signal })
    }
  }
  return { touched: (element) => touched.has(element), end: () => ending.abort() }
}
