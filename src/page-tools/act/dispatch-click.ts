// Simulates a mouse: the pointer and mouse events of a click in their order, the focus, and last the `click` that
// triggers the action of the element once.
import { currentPage, focusElement, isTag, parentOf, rootOf, viewOf } from '../dom/dom.js'
import { noteFocusByTool, pageFocus, placeHand } from '../dom/page-focus.js'
import { waitForPageUpdates } from '../fill/input-events.js'
import { asToolInput } from '../fill/watch-user.js'
import { activates, type ClickManner, plainClick } from './click-manner.js'
import { Finger, fingerId, rest } from './finger.js'
import type { ActionTarget } from './hit-point.js'
import { topmost } from './hit-point.js'
import { holdModifiers } from './press/modifiers.js'

type Fire = (type: string, more?: object, to?: Element) => boolean

/** Dispatches pointer and mouse events at the point of the target. `shared`: what all of them say. */
function firing({ on, x, y }: ActionTarget, shared: object = {}): Fire {
  const view = viewOf(on)
  const place = { clientX: x, clientY: y, screenX: x, screenY: y }
  const mouse = { bubbles: true, composed: true, cancelable: true, view, ...place, detail: 1, ...shared }
  const pointer = { pointerId: 1, pointerType: 'mouse', isPrimary: true }
  return (type, more = {}, to = on) => {
    if (type.startsWith('pointer'))
      return to.dispatchEvent(new view.PointerEvent(type, { ...mouse, ...pointer, detail: 0, ...more }))
    // Browsers dispatch these as pointer events, too.
    return /^(click|auxclick|contextmenu)$/.test(type)
      ? to.dispatchEvent(new view.PointerEvent(type, { ...mouse, ...pointer, ...more }))
      : to.dispatchEvent(new view.MouseEvent(type, { ...mouse, ...more }))
  }
}

/**
 * Moves the mouse over a target: over, enter and move events. Returns the elements under the pointer now.
 * @param inside elements that the pointer is in already, which get no enter events
 */
export function hoverOver(
  place: ActionTarget,
  inside: ReadonlySet<Element> = new Set(),
  held: object = {},
): ReadonlySet<Element> {
  const fire = firing(place, { detail: 0, ...held })
  const under: Element[] = []
  for (let node: Element | null = place.on; node && !isTag(node, 'html'); node = parentOf(node)) under.unshift(node)
  asToolInput(() => {
    for (const kind of ['pointer', 'mouse']) {
      if (!inside.has(place.on)) fire(`${kind}over`)
      for (const one of under)
        if (!inside.has(one)) fire(`${kind}enter`, { bubbles: false, composed: false, cancelable: false }, one)
      fire(`${kind}move`)
    }
  })
  return new Set(under)
}

/** How a click runs. */
export interface ClickRun {
  /** Default: one click with the main button. */
  readonly manner?: ClickManner
  /** Elements that the pointer is in already. */
  readonly inside?: ReadonlySet<Element> | undefined
  /** Runs after the mouse is released and before each click; it throws if the page has changed the target meanwhile. */
  ready(): void
  /** Opens the link that was clicked with the middle button: no browser does so for the events of a script. */
  follow?(): void
  readonly signal: AbortSignal
}

/** What became of a click beside the reactions of the page. */
export interface ClickOutcome {
  /** The page left a right click to the browser, whose menu no script can open. */
  readonly isMenuMissing?: boolean
  /** The first of two clicks changed what is at its place, so there was no second one. */
  readonly isHalf?: boolean
}

/** Clicks a target, with the events of the manner. One click has happened when the function returns. */
export async function dispatchClick(place: ActionTarget, run: ClickRun): Promise<ClickOutcome> {
  const { manner = plainClick, inside, signal } = run
  const { kind, held } = manner
  hoverOver(place, inside, held)
  const focusOf = (): Element => pageFocus() ?? currentPage().body
  const release = asToolInput(() => holdModifiers(held, focusOf()))
  try {
    const isMenuMissing = pressAndRelease(place, run, 1)
    if (kind !== 'double') return { isMenuMissing }
    const { on } = place
    const text = on.textContent
    await waitForPageUpdates()
    signal.throwIfAborted()
    const second = sameAgain(place, text)
    if (!second) return { isHalf: true }
    pressAndRelease(second, run, 2)
    if (second.on.isConnected) asToolInput(() => firing(second, { ...held, detail: 2 })('dblclick'))
    return {}
  } finally {
    asToolInput(() => release(focusOf()))
  }
}

const buttons = { left: [0, 1], middle: [1, 4], right: [2, 2] } as const

/** Presses and releases a button. Returns whether the page left a right click to the browser. */
function pressAndRelease(
  place: ActionTarget,
  { manner = plainClick, ready, follow }: ClickRun,
  detail: number,
): boolean {
  const { on } = place
  const [button, pressed] = buttons[manner.kind === 'right' || manner.kind === 'middle' ? manner.kind : 'left']
  const fire = firing(place, { ...manner.held, button, detail })
  asToolInput(() => {
    // Canceling `pointerdown` suppresses mouse events and the focus.
    const byMouse = fire('pointerdown', { buttons: pressed, pressure: 0.5 })
    if (byMouse && fire('mousedown', { buttons: pressed })) focusByUser(on, true)
    fire('pointerup')
    if (byMouse) fire('mouseup')
  })
  // Some menu entries act on `mousedown` and disappear.
  if (!on.isConnected) return false
  ready()
  return asToolInput(() => {
    const isDefault = fire(activates(manner) ? 'click' : 'auxclick')
    if (isDefault && manner.kind === 'middle') follow?.()
    return manner.kind === 'right' && on.isConnected && fire('contextmenu')
  })
}

/** The target at the same point for a second click, if it is still there; a new element may have the same text. */
function sameAgain(place: ActionTarget, text: string | null): ActionTarget | undefined {
  const { on, x, y } = place
  const now = topmost(on.ownerDocument, x, y)
  if (!now) return undefined
  if (on.isConnected) return on.contains(now) || now.contains(on) ? place : undefined
  return now.localName === on.localName && now.textContent === text ? { ...place, on: now } : undefined
}

/**
 * A long press: a finger, or the mouse, rests on the target. The browser sends `contextmenu` for a finger. There is no
 * click at the end. After an abort it is released.
 */
export async function pressLong(place: ActionTarget, by: 'touch' | 'mouse', run: ClickRun): Promise<void> {
  const { on } = place
  const { ready, signal, manner = plainClick } = run
  const fireMouse = firing(place, { ...manner.held, button: 0 })
  const finger = by === 'touch' ? new Finger(on, place) : undefined
  const fire = (pointer: string, mouse: string, touch: string): void => {
    const buttons = pointer === 'pointerdown' ? 1 : 0
    if (!finger) {
      const byMouse = fireMouse(pointer, { buttons, pressure: buttons / 2 })
      if (byMouse) fireMouse(mouse, { buttons })
    } else {
      finger.fire(pointer)
      finger.fire(touch)
    }
  }
  if (!finger) hoverOver(place, run.inside, manner.held)
  ready()
  asToolInput(() => fire('pointerdown', 'mousedown', 'touchstart'))
  let isDone = false
  try {
    await rest(signal)
    isDone = true
  } finally {
    asToolInput(() => {
      if (isDone && finger && on.isConnected) fireMouse('contextmenu', { pointerType: 'touch', pointerId: fingerId })
      if (isDone) fire('pointerup', 'mouseup', 'touchend')
      else fire('pointercancel', 'mouseup', 'touchcancel')
    })
  }
}

/** Whether the agent's own field has the focus and unsent text. Then tools must not take the focus. */
export function isUserTyping(): boolean {
  const own = currentPage().activeElement
  const typing = own && /^tool-agent(-|$)/.test(own.localName) ? own.shadowRoot?.activeElement : null
  return isTag(typing, 'textarea', 'input') && typing.value !== ''
}

/**
 * Focuses the nearest focusable ancestor, as a mouse click does. While the user is typing to the agent, the real focus
 * stays there, but keys without a target go to that element. `isClick`: a text field under the mouse gets the caret,
 * which a person sees.
 */
export function focusByUser(on: Element, isClick = false): void {
  const isTyping = isUserTyping()
  const isTextAt = (node: Element): boolean =>
    isClick && (isTag(node, 'textarea', 'input') || (node as HTMLElement).isContentEditable)
  for (let node: Element | null = on; node; node = parentOf(node)) {
    const label: HTMLElement | null = isTag(node, 'label') ? node.control : null
    // A label passes the focus to its control on click.
    if (label) return isTyping ? placeHand(label) : undefined
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
