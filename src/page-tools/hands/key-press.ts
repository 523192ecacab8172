// Dispatches a key with the events of a keyboard, and then does what the browser would do: synthetic events have no
// default action.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { ancestor, clickElement, currentPage, elementsUnder, isTag, viewOf } from '../dom/dom.js'
import { isUserTyping } from '../dom/page-focus.js'
import { Visibility } from '../dom/visibility.js'
import { currentGuard } from '../effects/action-guard.js'
import { nextTask } from '../fill/input-events.js'
import { asToolInput } from './own-input.js'
import { focusByUser } from './click.js'
import { commitEdit, editByKey, isTextField, radiosWith } from './default-actions.js'
import type { Key } from './keys.js'
import { isChord, isPrintable } from './keys.js'
import { whileHeld } from '../act/press/modifiers.js'
import type { KeyEffect, Press } from '../act/press/press.js'
import { requestSubmit } from '../act/consequence.js'

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
export async function dispatchKey(press: Press, run: KeyRun): Promise<KeyEffect> {
  const { on, key } = press
  const { KeyboardEvent } = viewOf(on)
  const isShown = (): boolean => on.checkVisibility({ visibilityProperty: true })
  const wasShown = isShown()
  // What is removed or hidden loses the focus, and with it the rest of the key.
  const isThere = (): boolean => on.isConnected && (!wasShown || isShown())
  const receiver = (): Element => (isThere() ? on : unclobbered(on.ownerDocument).body)
  const fire = (type: string, more: object): boolean =>
    asToolInput(() =>
      receiver().dispatchEvent(
        new KeyboardEvent(type, { bubbles: true, composed: true, cancelable: true, ...own, ...more }),
      ),
    )
  const { key: name, code, keyCode, ctrlKey, shiftKey, altKey, metaKey } = key
  const own = { key: name, code, keyCode, ctrlKey, shiftKey, altKey, metaKey }
  if (!isTag(on, 'body', 'dialog')) asToolInput(() => focusByUser(on))
  return whileHeld(key, receiver, async () => {
    run.signal.throwIfAborted()
    // Only keys that write a character, and Enter, cause `keypress`.
    const writes = isPrintable(key) || (name === 'Enter' && !isChord(key))
    // In a chat, Enter sends what was typed: the page then cancels what the key does by default.
    const isCommand = name === 'Enter' && !press.activates && !press.submit
    if (isCommand) currentGuard()?.mayRunCommand()
    let isOpen = fire('keydown', {})
    await nextTask()
    if (isOpen && writes && isThere()) {
      isOpen = fire('keypress', { charCode: name === 'Enter' ? 13 : name.charCodeAt(0) })
      await nextTask()
    }
    if (isOpen && isCommand) currentGuard()?.changesValue()
    let effect: KeyEffect = isOpen ? 'none' : 'canceled'
    // A button is clicked when Space is released.
    const isLate = name === ' ' && press.activates
    if (isOpen && !isLate && isThere()) effect = asToolInput(() => defaultOf(press, run))
    await run.wait()
    const isReleased = fire('keyup', {})
    await nextTask()
    if (isOpen && isLate && isThere()) {
      if (!isReleased) return 'canceled'
      return asToolInput(() => activate(press, run))
    }
    return effect
  })
}

/** Clicks or submits, as the browser does for the key, unless that leads elsewhere by now. */
function activate({ on, submit, activates }: Press, { isTurned, signal }: KeyRun): KeyEffect {
  signal.throwIfAborted()
  if (isTurned()) return 'turned'
  if (activates) clickElement(on)
  else if (submit?.button) clickElement(submit.button)
  else if (submit) requestSubmit(submit.form, null)
  return 'done'
}

function defaultOf(press: Press, run: KeyRun): KeyEffect {
  const { on, key, submit, activates } = press
  if (submit || activates) {
    commitEdit(on)
    return activate(press, run)
  }
  if (key.key === 'Tab' && !isChord(key)) return moveFocus(on, key.shiftKey)
  if (key.key === 'Escape' && !isChord(key) && closeTopmost(on)) return 'done'
  const byEdit = editByKey(on, key)
  return byEdit === 'none' ? scrollByKey(on, key) : byEdit
}

/** Moves the focus to the next element in the order of Tab. From the last one it moves to the first. */
function moveFocus(on: HTMLElement, backwards: boolean): KeyEffect {
  if (isUserTyping()) return 'kept-focus'
  const visibility = new Visibility()
  const scope = ancestor(on, (above) => above.matches('dialog:modal')) ?? currentPage().documentElement
  const all = [...elementsUnder(scope)]
  const isStop = (element: Element): element is HTMLElement =>
    ((element as HTMLElement).tabIndex >= 0 ||
      ((element as HTMLElement).isContentEditable && !element.hasAttribute('tabindex'))) &&
    // Firefox gives each dialog a tab index, but its Tab skips them.
    !isTag(element, 'iframe', 'html', 'body', 'dialog') &&
    !element.matches(':disabled') &&
    !ancestor(element, (above) => above.hasAttribute('inert')) &&
    // Only the whole editor is a stop, not its paragraphs.
    !((element as HTMLElement).isContentEditable && element.parentElement?.isContentEditable) &&
    visibility.hasBox(element)
  const stops = all.filter(isStop).filter((one) => !isTag(one, 'input') || one.type !== 'radio' || isGroupStop(one, on))
  const rank = (one: HTMLElement): number => (one.tabIndex > 0 ? one.tabIndex : Infinity)
  const ordered = stops.sort((one, other) => (rank(one) === rank(other) ? 0 : rank(one) - rank(other)))
  const at = ordered.indexOf(on)
  let next: HTMLElement | undefined
  if (at >= 0) next = ordered.at(backwards ? at - 1 : (at + 1) % ordered.length)
  else {
    // An element that Tab does not reach: continue from its place.
    const place = all.indexOf(on)
    const after = ordered.filter((one) => all.indexOf(one) > place)
    const before = ordered.filter((one) => all.indexOf(one) < place)
    next = backwards ? (before.at(-1) ?? ordered.at(-1)) : (after[0] ?? ordered[0])
  }
  if (!next || next === on) return 'none'
  commitEdit(on)
  next.focus()
  if (isTag(next, 'input') && isTextField(next)) next.select()
  return 'done'
}

/** Of a group of radio buttons, Tab reaches the checked one, or else the first. `from` is in the way of Tab itself. */
function isGroupStop(radio: HTMLInputElement, from: Element): boolean {
  if (radio === from || radio.name === '') return true
  const group = radiosWith(radio)
  if (group.includes(from as HTMLInputElement)) return false
  return radio === (group.find((one) => one.checked) ?? group[0])
}

/** Closes the topmost popover, or else the topmost modal dialog. Returns whether one was open. */
function closeTopmost(on: Element): boolean {
  const page = unclobbered(on.ownerDocument)
  const popover = [...page.querySelectorAll<HTMLElement>('[popover]:popover-open')]
    .filter((one) => one.getAttribute('popover') !== 'manual')
    .at(-1)
  if (popover) {
    popover.hidePopover()
    return true
  }
  const dialog = [...page.querySelectorAll<HTMLDialogElement>('dialog:modal')]
    .filter((one) => one.getAttribute('closedby') !== 'none')
    .at(-1)
  if (!dialog) return false
  if (dialog.dispatchEvent(new (viewOf(dialog).Event)('cancel', { cancelable: true }))) dialog.close()
  return true
}

/** Scrolls the nearest box that can scroll. Fields do not scroll. */
function scrollByKey(on: Element, key: Key): KeyEffect {
  if (isChord(key) || isTag(on, 'input', 'select', 'textarea') || (on as HTMLElement).isContentEditable) return 'none'
  const page = unclobbered(on.ownerDocument)
  const box =
    ancestor(
      on,
      (above) =>
        !isTag(above, 'body', 'html') &&
        /auto|scroll/.test(viewOf(above).getComputedStyle(above).overflowY) &&
        above.scrollHeight > above.clientHeight + 1,
    ) ??
    page.scrollingElement ??
    page.documentElement
  const screen = box.clientHeight * 0.9
  const distances = new Map([
    ['ArrowDown', 40],
    ['ArrowUp', -40],
    ['PageDown', screen],
    ['PageUp', -screen],
    [' ', key.shiftKey ? -screen : screen],
    ['Home', -box.scrollHeight],
    ['End', box.scrollHeight],
  ])
  const distance = distances.get(key.key)
  if (distance === undefined) return 'none'
  const before = box.scrollTop
  box.scrollBy({ top: distance, behavior: 'instant' })
  return box.scrollTop === before ? 'none' : 'done'
}
