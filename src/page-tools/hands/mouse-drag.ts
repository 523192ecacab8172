// A hand that drags with a mouse: it presses, moves in steps, and releases, with the events of a browser in order.
// What is draggable by markup is dragged as browsers do: the pointer is cancelled, and drag events follow.
import { times } from '../../core/data/lists.js'
import { runningAnimations } from '../act/stillness.js'
import { ancestor, isTag, parentOf, viewOf } from '../dom/dom.js'
import { patience, until, waitForPageUpdates } from '../waiting/until.js'
import { PointerCapture } from './capture.js'
import { hoverOver } from './click.js'
import { focusByUser } from './focus.js'
import { fireMouse, type ActionTarget, type Point } from './mouse.js'
import { NativeDrag } from './native-drag.js'
import { asToolInput } from './own-input.js'
import { topmost } from './point.js'

const pointerId = 1
/** Pixels of the first moves, below and above the thresholds of libraries, and of each further step. */
const [firstMoves, stepLength] = [[2, 6, 12], 24]
const [fewestSteps, mostSteps] = [4, 20]
/** Moves to a destination that has made place. */
const mostCorrections = 3

/** Where a drag goes, as it is now: a destination moves and makes place meanwhile. */
export interface Aim {
  /** The point at which to release. */
  readonly point: Point
  /** Whether the point is where the user can see it. */
  readonly isVisible: boolean
  /** Scrolls the destination into view. */
  reveal(): void
  /** Whether the destination has made place, so that the point is on its wrong side now. */
  isMissedBy(point: Point): boolean
}

/** How far a hand moves at first, and in how many steps it goes on. */
export function route(from: Point, to: Point): Point[] {
  const distance = Math.hypot(to.x - from.x, to.y - from.y)
  const at = (share: number): Point => ({ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share })
  const steps = Math.min(mostSteps, Math.max(fewestSteps, Math.round(distance / stepLength)))
  return times(steps, (step) => at((step + 1) / steps))
}

/** The first small moves in the direction of the goal. */
export function firstSteps(from: Point, to: Point): Point[] {
  const distance = Math.hypot(to.x - from.x, to.y - from.y)
  return firstMoves
    .filter((length) => length < distance)
    .map((length) => ({
      x: from.x + ((to.x - from.x) / distance) * length,
      y: from.y + ((to.y - from.y) / distance) * length,
    }))
}

/** Waits until what was dropped no longer moves, for a limited time. */
export async function settled(page: Document, signal: AbortSignal): Promise<void> {
  const isAtRest = (): boolean => runningAnimations([page]).length === 0
  await until({ done: isAtRest, ...patience.drop, waitsFirst: true, signal })
  await waitForPageUpdates()
}

/** One drag with the mouse. Created for the target and used once. */
export class MouseHand {
  readonly #start: ActionTarget
  readonly #signal: AbortSignal
  readonly #page: Document
  readonly #view: Window & typeof globalThis
  readonly #capture: PointerCapture
  #at: Point
  #over: Element
  /** Mouse events are suppressed, because the page cancelled `pointerdown`. */
  #isPointerOnly = false
  #native: NativeDrag | undefined
  #isPressed = false

  constructor(start: ActionTarget, signal: AbortSignal) {
    this.#start = start
    this.#signal = signal
    this.#page = start.on.ownerDocument
    this.#view = viewOf(start.on)
    this.#capture = new PointerCapture(this.#view, pointerId)
    this.#at = start
    this.#over = start.on
  }

  /** Whether the page did not accept what the browser dragged. */
  get isRefused(): boolean {
    return this.#native !== undefined && !this.#native.isAccepted
  }

  /** Whether the browser dragged it. */
  get isNative(): boolean {
    return this.#native !== undefined
  }

  /** Drags to the aim. After an abort or an error nothing on the page is held any more. */
  async drag(aim: Aim): Promise<void> {
    const unwatch = keepStill(this.#view)
    this.#capture.begin()
    try {
      const mayDragNatively = this.#press()
      await this.#pause()
      let isNativeTried = !mayDragNatively
      for (const point of firstSteps(this.#start, aim.point)) {
        this.#move(point)
        if (!isNativeTried && Math.hypot(point.x - this.#start.x, point.y - this.#start.y) > 3) {
          isNativeTried = true
          this.#beginNatively()
        }
        await this.#pause()
      }
      if (!aim.isVisible) {
        aim.reveal()
        await this.#pause()
        this.#move(this.#at)
        await this.#pause()
      }
      await this.#moveTo(aim.point)
      for (let times = 0; aim.isMissedBy(this.#at) && times < mostCorrections; times++) await this.#moveTo(aim.point)
      this.#release()
    } catch (error) {
      this.#cancel()
      throw error
    } finally {
      this.#capture.end()
      unwatch()
    }
    await settled(this.#page, this.#signal)
  }

  async #moveTo(goal: Point): Promise<void> {
    for (const point of route(this.#at, goal)) {
      this.#move(point)
      await this.#pause()
    }
    // Libraries that compare two moves, or wait for a frame, see the hand at rest.
    for (let times = 0; times < 2; times++) {
      this.#move(goal)
      await this.#pause()
    }
  }

  async #pause(): Promise<void> {
    this.#signal.throwIfAborted()
    await waitForPageUpdates()
    this.#signal.throwIfAborted()
  }

  #fire(type: string, more: object, to: Element): boolean {
    return fireMouse({ ...this.#at, on: this.#start.on }, type, more, to)
  }

  /** The element that has captured the pointer. */
  #holder(): Element | undefined {
    return this.#capture.update((type, to) => void this.#fire(type, { cancelable: false }, to))
  }

  #receiver(): Element {
    return this.#holder() ?? this.#over
  }

  /** Returns whether the browser may begin a drag of its own. */
  #press(): boolean {
    const { on } = this.#start
    hoverOver(this.#start)
    return asToolInput(() => {
      this.#isPressed = true
      this.#isPointerOnly = !this.#fire('pointerdown', { buttons: 1, pressure: 0.5 }, on)
      if (this.#isPointerOnly) return true
      const isDefault = this.#fire('mousedown', { buttons: 1 }, on)
      if (isDefault) focusByUser(on)
      return isDefault
    })
  }

  #move(point: Point): void {
    const moved = { movementX: point.x - this.#at.x, movementY: point.y - this.#at.y }
    this.#at = point
    const under = topmost(this.#page, point.x, point.y) ?? this.#page.documentElement
    asToolInput(() => {
      if (this.#native) return this.#native.moveOver(under, point)
      const holder = this.#holder()
      if (!holder) this.#enter(under)
      const to = holder ?? under
      this.#over = under
      this.#fire('pointermove', { button: -1, buttons: 1, pressure: 0.5, ...moved }, to)
      if (!this.#isPointerOnly) this.#fire('mousemove', { buttons: 1, ...moved }, to)
    })
  }

  /** Boundary events from the element under the pointer to another one. */
  #enter(to: Element): void {
    const from = this.#over
    if (from === to) return
    const around = (element: Element): Element[] => {
      const all: Element[] = []
      for (let node: Element | null = element; node && node.ownerDocument === this.#page; node = parentOf(node))
        all.push(node)
      return all
    }
    const [left, entered] = [around(from), around(to)]
    for (const kind of this.#isPointerOnly ? ['pointer'] : ['pointer', 'mouse']) {
      const silent = { bubbles: false, cancelable: false, buttons: 1 }
      if (from.isConnected) this.#fire(`${kind}out`, { buttons: 1, relatedTarget: to }, from)
      for (const one of left)
        if (!entered.includes(one)) this.#fire(`${kind}leave`, { ...silent, relatedTarget: to }, one)
      this.#fire(`${kind}over`, { buttons: 1, relatedTarget: from }, to)
      for (const one of entered.toReversed())
        if (!left.includes(one)) this.#fire(`${kind}enter`, { ...silent, relatedTarget: from }, one)
    }
  }

  /** Begins the drag of the browser, if the target can be dragged and the page does not cancel it. */
  #beginNatively(): void {
    const dragged = this.#start.on.isConnected ? draggedBy(this.#start.on) : null
    if (!dragged) return
    asToolInput(() => {
      const drag = new NativeDrag(dragged, this.#start)
      if (!drag.begin(this.#at)) return
      this.#fire('pointercancel', { button: -1, cancelable: false }, this.#receiver())
      this.#capture.release((type, to) => void this.#fire(type, { cancelable: false }, to))
      this.#isPressed = false
      this.#native = drag
    })
  }

  #release(): void {
    asToolInput(() => {
      if (this.#native) return this.#native.drop()
      const to = this.#receiver()
      this.#isPressed = false
      this.#fire('pointerup', { buttons: 0 }, to)
      if (!this.#isPointerOnly) this.#fire('mouseup', { buttons: 0 }, to)
      this.#capture.release((type, held) => void this.#fire(type, { cancelable: false }, held))
    })
  }

  /** Gives up: the pointer is cancelled, and the mouse is released where it was pressed. */
  #cancel(): void {
    asToolInput(() => {
      if (this.#native) return this.#native.cancel()
      if (!this.#isPressed) return
      this.#isPressed = false
      this.#at = this.#start
      const to = this.#receiver()
      this.#fire('pointermove', { button: -1, buttons: 1, pressure: 0.5 }, to)
      if (!this.#isPointerOnly) this.#fire('mousemove', { buttons: 1 }, to)
      this.#fire('pointercancel', { button: -1, cancelable: false }, to)
      if (!this.#isPointerOnly) this.#fire('mouseup', { buttons: 0 }, to)
      this.#capture.release((type, held) => void this.#fire(type, { cancelable: false }, held))
    })
  }
}

/** The element that the browser would drag: the nearest one that is draggable, which links and images are. */
export function draggedBy(on: Element): Element | null {
  const { getComputedStyle } = viewOf(on)
  return ancestor(on, (above) => {
    if (above.getAttribute('draggable')?.toLowerCase() === 'true') return true
    if (!isTag(above, 'img') && !(isTag(above, 'a') && above.hasAttribute('href'))) return false
    const { webkitUserDrag } = getComputedStyle(above) as CSSStyleDeclaration & { webkitUserDrag?: string }
    return (above as HTMLElement).draggable && webkitUserDrag !== 'none'
  })
}

/** Keeps the moves of the user's own mouse from the page, which would end the drag. Returns how to stop. */
export function keepStill(view: Window & typeof globalThis): () => void {
  const ending = new AbortController()
  const ignore = (event: Event): void => {
    if (event.isTrusted) event.stopImmediatePropagation()
  }
  for (const type of ['pointermove', 'mousemove', 'pointerover', 'pointerout', 'mouseover', 'mouseout'])
    view.addEventListener(type, ignore, { capture: true, passive: true, signal: ending.signal })
  return () => ending.abort()
}
