// Dispatches a key with the events of a keyboard, and then does what the browser would do: synthetic events have no
// default action.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { isTag, viewOf } from '../dom/dom.js'
import { currentGuard } from '../effects/action-guard.js'
import { nextTask, waitForFrame } from '../waiting/until.js'
import { commitEdit, defaultAction, type KeyOutcome } from './key-defaults.js'
import { cancelable, clickElement, fire, requestSubmit } from './events.js'
import { focusByUser } from './focus.js'
import { isChord, isPrintable, type Key, type Modifiers } from './keys.js'
import { asToolInput } from './own-input.js'

const modifierKeys = [
  ['ctrlKey', 'Control', 17],
  ['shiftKey', 'Shift', 16],
  ['altKey', 'Alt', 18],
  ['metaKey', 'Meta', 91],
] as const

/**
 * Runs a step while the modifiers are held: each is pressed before, and released after it in reverse order, on the
 * element that takes keys then. A page that keeps the pressed keys in its state renders in between.
 */
export async function whileHeld<T>(modifiers: Modifiers, receiver: () => Element, step: () => Promise<T>): Promise<T> {
  const down: Record<string, boolean> = {}
  const fireKey = (type: string, [, key, keyCode]: (typeof modifierKeys)[number]): void => {
    const on = receiver()
    asToolInput(() => fire(on, type, { ...cancelable, key, code: `${key}Left`, keyCode, ...down }))
  }
  const keys = modifierKeys.filter(([property]) => modifiers[property])
  for (const one of keys) {
    down[one[0]] = true
    fireKey('keydown', one)
    await waitForFrame()
  }
  try {
    return await step()
  } finally {
    for (const one of keys.toReversed()) {
      await waitForFrame()
      down[one[0]] = false
      fireKey('keyup', one)
    }
  }
}

/** A key press that is possible now. */
export interface Press {
  readonly key: Key
  /** The element that receives the key; the open modal dialog or the body if there is no target and no focus. */
  readonly on: HTMLElement
  /** The form that the key submits by markup, and the button that it clicks for that. */
  readonly submit?: { readonly form: HTMLFormElement; readonly button: HTMLElement | null }
  /** The key clicks the element. */
  readonly activates: boolean
}

/** How a key is pressed. */
export interface KeyRun {
  /**
   * Runs after `keydown` and before the default action, if that submits or clicks. Whether the page has changed what it
   * leads to meanwhile.
   */
  isTurned(): boolean
  /** Waits between the events, as long as a person takes at least. */
  wait(): Promise<void>
  readonly signal: AbortSignal
}

/** Presses the key on its element. What was pressed is released when it settles. */
export async function dispatchKey(press: Press, run: KeyRun): Promise<KeyOutcome> {
  const { on, key } = press
  const isShown = (): boolean => on.checkVisibility({ visibilityProperty: true })
  const wasShown = isShown()
  // What is removed or hidden loses the focus, and with it the rest of the key.
  const isThere = (): boolean => on.isConnected && (!wasShown || isShown())
  const receiver = (): Element => (isThere() ? on : unclobbered(on.ownerDocument).body)
  const fireKey = (type: string, more: object): boolean =>
    asToolInput(() => fire(receiver(), type, { ...cancelable, ...own, ...more }))
  const { key: name, code, keyCode, ctrlKey, shiftKey, altKey, metaKey } = key
  const own = { key: name, code, keyCode, ctrlKey, shiftKey, altKey, metaKey }
  const isMarked = press.activates || press.submit !== undefined
  const byDefault = (): KeyOutcome => defaultAction(on, key)?.() ?? 'none'
  if (!isTag(on, 'body', 'dialog')) asToolInput(() => focusByUser(on))
  return whileHeld(key, receiver, async () => {
    run.signal.throwIfAborted()
    // Only keys that write a character, and Enter, cause `keypress`.
    const writes = isPrintable(key) || (name === 'Enter' && !isChord(key))
    // In a chat, Enter sends what was typed: the page then cancels what the key does by default.
    const isCommand = name === 'Enter' && !isMarked
    if (isCommand) currentGuard()?.mayRunCommand()
    let isOpen = fireKey('keydown', {})
    await nextTask()
    if (isOpen && writes && isThere()) {
      const charCode = name === 'Enter' ? 13 : name.charCodeAt(0)
      isOpen = withoutOwnClick(viewOf(on), () => fireKey('keypress', { charCode }))
      await nextTask()
    }
    if (isOpen && isCommand) currentGuard()?.changesValue()
    let outcome: KeyOutcome = isOpen ? 'none' : 'canceled'
    // A button is clicked when Space is released.
    const isLate = name === ' ' && press.activates
    if (isOpen && !isLate && isThere()) outcome = asToolInput(() => (isMarked ? activate(press, run) : byDefault()))
    await run.wait()
    const isReleased = fireKey('keyup', {})
    await nextTask()
    if (isOpen && isLate && isThere()) {
      if (!isReleased) return 'canceled'
      return asToolInput(() => activate(press, run))
    }
    return outcome
  })
}

/** Firefox clicks a link for a `keypress` that a script has made. What the key does is done later, once. */
function withoutOwnClick(view: Window, fireKeypress: () => boolean): boolean {
  const end = (event: Event): void => {
    if ((event as { readonly mozInputSource?: number }).mozInputSource !== byKeyboard) return
    event.stopImmediatePropagation()
    event.preventDefault()
  }
  view.addEventListener('click', end, true)
  try {
    return fireKeypress()
  } finally {
    view.removeEventListener('click', end, true)
  }
}

/** `MouseEvent.mozInputSource` of a click that Firefox makes of a key; 0 for `click()`. */
const byKeyboard = 6

/** Clicks or submits, as the browser does for the key, unless that leads elsewhere by now. */
function activate({ on, submit, activates }: Press, { isTurned, signal }: KeyRun): KeyOutcome {
  commitEdit(on)
  signal.throwIfAborted()
  if (isTurned()) return 'turned'
  if (activates) clickElement(on)
  else if (submit?.button) clickElement(submit.button)
  else if (submit) requestSubmit(submit.form, null)
  return 'done'
}
