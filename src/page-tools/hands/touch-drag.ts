// Drags with a finger that first rests, for lists whose items move after a long press.
import { viewOf } from '../dom/dom.js'
import { waitForPageUpdates } from '../waiting/until.js'
import { PointerCapture } from './capture.js'
import { Finger, fingerId, rest } from './finger.js'
import { firstSteps, keepStill, route, settled, type Aim } from './mouse-drag.js'
import type { ActionTarget, Point } from './mouse.js'
import { asToolInput } from './own-input.js'

/** Drags from the start to the aim. After an abort or an error the finger is lifted. */
export async function dragByTouch(start: ActionTarget, aim: Aim, signal: AbortSignal): Promise<void> {
  const { on } = start
  const view = viewOf(on)
  const capture = new PointerCapture(view, fingerId)
  const unwatch = keepStill(view)
  const finger = new Finger(on, start)
  const fire = (type: string, to: Element = on): boolean => finger.fire(type, to)
  const pause = async (): Promise<void> => {
    await waitForPageUpdates()
    signal.throwIfAborted()
  }
  const holder = (): Element => capture.update((type, to) => void fire(type, to)) ?? on
  const move = (point: Point): void =>
    asToolInput(() => {
      finger.at = point
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
    await rest(signal)
    // The page may measure the time in its frames.
    await pause()
    for (const point of firstSteps(start, aim.point)) {
      move(point)
      await pause()
    }
    if (!aim.isVisible) {
      aim.reveal()
      await pause()
    }
    for (let times = 0; times === 0 || (aim.isMissedBy(finger.at) && times < 3); times++) {
      const to = aim.point
      for (const point of [...route(finger.at, to), to]) {
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
