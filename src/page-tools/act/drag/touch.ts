// Drags with a finger that first rests, for lists whose items move after a long press.
import { viewOf } from '../../dom/dom.js'
import { asToolInput } from '../../fill/watch-user.js'
import { waitForPageUpdates } from '../../fill/input-events.js'
import type { ActionTarget } from '../hit-point.js'
import { Aim, fieldsAt, type Goal, type Point } from './boxes.js'
import { PointerCapture } from './capture.js'
import { firstSteps, keepStill, route, settled } from './hand.js'

const pointerId = 2
/** Milliseconds that the finger rests. Libraries wait for up to half a second. */
const longPress = 600

/** Whether the browser knows touches. */
export const hasTouch = (element: Element): boolean => 'Touch' in viewOf(element) && 'TouchEvent' in viewOf(element)

/** Drags from the start to the goal. After an abort or an error the finger is lifted. */
export async function dragByTouch(
  start: ActionTarget,
  source: Element,
  goal: Goal,
  signal: AbortSignal,
): Promise<void> {
  const { on } = start
  const view = viewOf(on)
  const aim = 'by' in goal ? undefined : new Aim(source, goal)
  const by = 'by' in goal ? { x: start.x + goal.by.x, y: start.y + goal.by.y } : start
  const capture = new PointerCapture(view, pointerId)
  const unwatch = keepStill(view)
  let at: Point = start
  const fire = (type: string, to: Element = on): boolean => {
    const { clientX, clientY, screenX, screenY, ...fields } = fieldsAt(at, view)
    const place = { clientX, clientY, screenX, screenY }
    const shared = { ...fields, cancelable: !/cancel|capture/.test(type) }
    if (type.includes('pointer')) {
      const pointer = { pointerId, pointerType: 'touch', isPrimary: true, pressure: 0.5, width: 20, height: 20 }
      const buttons = /up|cancel/.test(type) ? 0 : 1
      return to.dispatchEvent(new view.PointerEvent(type, { ...shared, ...place, ...pointer, buttons }))
    }
    const touch = new view.Touch({
      identifier: 0,
      target: on,
      pageX: at.x + view.scrollX,
      pageY: at.y + view.scrollY,
      ...place,
    })
    const touches = /end|cancel/.test(type) ? [] : [touch]
    return to.dispatchEvent(
      new view.TouchEvent(type, { ...shared, touches, targetTouches: touches, changedTouches: [touch] }),
    )
  }
  const pause = async (): Promise<void> => {
    await waitForPageUpdates()
    signal.throwIfAborted()
  }
  const holder = (): Element => capture.update((type, to) => void fire(type, to)) ?? on
  const move = (point: Point): void =>
    asToolInput(() => {
      at = point
      fire('pointermove', holder())
      fire('touchmove')
    })
  let isDown = false
  capture.begin()
  try {
    asToolInput(() => {
      isDown = true
      fire('pointerdown')
      fire('touchstart')
    })
    for (const since = performance.now(); performance.now() - since < longPress;) await pause()
    const goalNow = (): Point => aim?.point ?? by
    for (const point of firstSteps(start, goalNow())) {
      move(point)
      await pause()
    }
    if (aim && !aim.isVisible) {
      aim.reveal()
      await pause()
    }
    for (let times = 0; times === 0 || (aim?.isMissedBy(at) && times < 3); times++) {
      const to = goalNow()
      for (const point of [...route(at, to), to]) {
        move(point)
        await pause()
      }
    }
    asToolInput(() => {
      isDown = false
      fire('pointerup', holder())
      fire('touchend')
    })
  } finally {
    if (isDown)
      asToolInput(() => {
        fire('pointercancel', holder())
        fire('touchcancel')
      })
    capture.end()
    unwatch()
  }
  await settled(on.ownerDocument, signal)
}
