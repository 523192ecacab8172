// One press of a hand: the events that a mouse causes, in their order, focus on the way, and at the end the element’s
// own click, which does what it does once.
import { isTag, currentPage, parentOf, rootOf, viewOf } from '../dom/dom.js'
import { asToolInput } from '../fill/input-events.js'
import type { ActionTarget } from './resolve-target.js'

/**
 * `ready` is asked after the button is down and up again, before the click that counts: a page may have changed the
 * target meanwhile.
 */
export function dispatchClick({ on, x, y }: ActionTarget, ready: () => void): void {
  const view = viewOf(on)
  const mouse = { bubbles: true, composed: true, cancelable: true, view, clientX: x, clientY: y, detail: 1 }
  const pointer = { ...mouse, detail: 0, pointerId: 1, pointerType: 'mouse', isPrimary: true }
  const fire = (type: string, more: object = {}, to = on): boolean =>
    to.dispatchEvent(
      type.startsWith('pointer')
        ? new view.PointerEvent(type, { ...pointer, ...more })
        : new view.MouseEvent(type, { ...mouse, ...more }),
    )
  const entered: Element[] = []
  for (let node: Element | null = on; node && !isTag(node, 'html'); node = parentOf(node)) entered.unshift(node)
  asToolInput(() => {
    for (const kind of ['pointer', 'mouse']) {
      fire(`${kind}over`)
      for (const one of entered) fire(`${kind}enter`, { bubbles: false, composed: false, cancelable: false }, one)
      fire(`${kind}move`)
    }
    // A page that takes the pointer for itself gets no mouse events, and no focus moves.
    const byMouse = fire('pointerdown', { buttons: 1 })
    if (byMouse && fire('mousedown', { buttons: 1 })) focus(on)
    fire('pointerup')
    if (byMouse) fire('mouseup')
  })
  // It went away under the hand, as entries of menus do that act when the button goes down.
  if (!on.isConnected) return
  ready()
  asToolInput(() => {
    if (on.namespaceURI === 'http://www.w3.org/1999/xhtml') view.HTMLElement.prototype.click.call(on)
    else fire('click')
  })
}

/**
 * To the nearest element that takes it, as a mouse moves it; away from a field of our own only where nothing is written
 * in it.
 */
function focus(on: Element): void {
  const own = currentPage().activeElement
  const typing = own && /^tool-agent(-|$)/.test(own.localName) ? own.shadowRoot?.activeElement : null
  if (isTag(typing, 'textarea', 'input') && typing.value !== '') return
  for (let node: Element | null = on; node; node = parentOf(node)) {
    const label: HTMLElement | null = isTag(node, 'label') ? node.control : null
    // A label gives it to its control when the click comes.
    if (label) return
    ;(node as Partial<HTMLElement>).focus?.({ preventScroll: true })
    if (rootOf(node).activeElement === node || isTag(node, 'body')) return
  }
}
