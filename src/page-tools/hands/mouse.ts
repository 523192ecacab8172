// The events of the mouse at a point.
import { viewOf } from '../dom/dom.js'
import { cancelable, clickElement, fire } from './events.js'
import { asToolInput } from './own-input.js'

/** A point in the viewport of a document. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** Where a click hits: the topmost element there, which receives the events, and the point in its document. */
export interface ActionTarget {
  readonly on: Element
  readonly x: number
  readonly y: number
}

/** What the events of a hand say about its place. */
export const fieldsAt = ({ x, y }: Point, view: Window) => ({
  ...cancelable,
  view,
  clientX: x,
  clientY: y,
  screenX: x,
  screenY: y,
})

/** Dispatches an event of the mouse at the point of a target. `fields`: what else it says. False if it is canceled. */
export function fireMouse({ on, ...at }: ActionTarget, type: string, fields: object = {}, to = on): boolean {
  const pointer = { pointerId: 1, pointerType: 'mouse', isPrimary: true }
  const isPointer = type.includes('pointer')
  const isClick = /^(click|auxclick|contextmenu)$/.test(type)
  const own = { ...fieldsAt(at, viewOf(on)), detail: 1, ...(isPointer || isClick ? pointer : {}), ...fields }
  return asToolInput(() => fire(to, type, isPointer ? { ...own, detail: 0 } : own))
}

/** Turns the wheel once at the point of a target. */
export function turnWheelAt({ on, ...at }: ActionTarget, deltaY: number): void {
  const view = viewOf(on)
  const fields = { ...fieldsAt(at, view), deltaY }
  asToolInput(() => {
    fire(on, 'wheel', fields)
    // A name that some pages still listen to.
    if ('onmousewheel' in view) fire(on, 'mousewheel', fields)
  })
}

/** Dispatches all events of a mouse click at once, for widgets that listen to single ones. */
export function dispatchMouseClick(element: Element): void {
  const { left, top, width, height } = element.getBoundingClientRect()
  const mouse = { ...cancelable, clientX: left + width / 2, clientY: top + height / 2 }
  const pointer = { ...mouse, pointerType: 'mouse', isPrimary: true }
  // Menus choose the item under the pointer, so it must move there first.
  const types = 'pointerover pointermove mouseover mousemove pointerdown mousedown pointerup mouseup'
  for (const type of types.split(' ')) fire(element, type, type.startsWith('pointer') ? pointer : mouse)
  clickElement(element)
}
