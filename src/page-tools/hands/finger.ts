// A finger on the page, and how long it rests.
import { viewOf } from '../dom/dom.js'
import { patience, until } from '../waiting/until.js'
import { fire } from './events.js'
import { fieldsAt, type Point } from './mouse.js'

/** The id of its pointer. */
export const fingerId = 2

/** Whether the browser knows touches. */
export const hasTouch = (element: Element): boolean => 'Touch' in viewOf(element) && 'TouchEvent' in viewOf(element)

/** A finger on an element: dispatches its pointer and touch events where it is. */
export class Finger {
  /** Where it is, in the viewport of the document. */
  at: Point
  readonly #on: Element

  constructor(on: Element, at: Point) {
    this.#on = on
    this.at = at
  }

  /** Dispatches a pointer or touch event. Returns false if the page cancels it. */
  fire(type: string, to: Element = this.#on): boolean {
    const view = viewOf(this.#on)
    const { clientX, clientY, screenX, screenY, ...fields } = fieldsAt(this.at, view)
    const place = { clientX, clientY, screenX, screenY }
    const shared = { ...fields, cancelable: !/cancel|capture/.test(type) }
    if (type.includes('pointer')) {
      const pointer = {
        pointerId: fingerId,
        pointerType: 'touch',
        isPrimary: true,
        pressure: 0.5,
        width: 20,
        height: 20,
      }
      const buttons = /up|cancel/.test(type) ? 0 : 1
      return fire(to, type, { ...shared, ...place, ...pointer, buttons })
    }
    const touch = new view.Touch({
      identifier: 0,
      target: this.#on,
      pageX: this.at.x + view.scrollX,
      pageY: this.at.y + view.scrollY,
      ...place,
    })
    const touches = /end|cancel/.test(type) ? [] : [touch]
    return fire(to, type, { ...shared, touches, targetTouches: touches, changedTouches: [touch] })
  }
}

/** Waits as long as a finger or a button rests for a long press. @throws the reason of the signal */
export async function rest(signal: AbortSignal): Promise<void> {
  await until({ done: () => false, ...patience.longPress, signal })
}
