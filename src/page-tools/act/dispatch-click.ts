// Simulates a mouse click: the pointer and mouse events in their order, the focus, and last the element's own
// `click()`, which triggers its action once.
import { clickElement, currentPage, focusElement, isTag, parentOf, rootOf, viewOf } from '../dom/dom.js'
import { noteFocusByTool, placeHand } from '../dom/page-focus.js'
import { asToolInput } from '../fill/watch-user.js'
import type { ActionTarget } from './hit-point.js'

type Fire = (type: string, more?: object, to?: Element) => boolean

/** Dispatches pointer and mouse events at the point of the target. */
function firing({ on, x, y }: ActionTarget): Fire {
  const view = viewOf(on)
  const mouse = { bubbles: true, composed: true, cancelable: true, view, clientX: x, clientY: y, detail: 1 }
  const pointer = { ...mouse, detail: 0, pointerId: 1, pointerType: 'mouse', isPrimary: true }
  return (type, more = {}, to = on) =>
    to.dispatchEvent(
      type.startsWith('pointer')
        ? new view.PointerEvent(type, { ...pointer, ...more })
        : new view.MouseEvent(type, { ...mouse, ...more }),
    )
}

/**
 * Moves the mouse over a target: over, enter and move events. Returns the elements under the pointer now.
 * @param inside elements that the pointer is in already, which get no enter events
 */
export function hoverOver(place: ActionTarget, inside: ReadonlySet<Element> = new Set()): ReadonlySet<Element> {
  const fire = firing(place)
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

/**
 * Clicks a target. `ready` runs after the mouse is released and before the click; it throws if the page has changed the
 * target meanwhile. `inside`: elements that the pointer is in already.
 */
export function dispatchClick(place: ActionTarget, ready: () => void, inside?: ReadonlySet<Element>): void {
  const { on } = place
  const fire = firing(place)
  hoverOver(place, inside)
  asToolInput(() => {
    // Canceling `pointerdown` suppresses mouse events and the focus.
    const byMouse = fire('pointerdown', { buttons: 1 })
    if (byMouse && fire('mousedown', { buttons: 1 })) focusByUser(on, true)
    fire('pointerup')
    if (byMouse) fire('mouseup')
  })
  // Some menu entries act on `mousedown` and disappear.
  if (!on.isConnected) return
  ready()
  asToolInput(() => clickElement(on))
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
