// Steps through a box that scrolls, screen by screen, and waits at its end for more. Afterwards the box stands where it
// stood before, unless the visitor has taken it. There is one such walk at a time.
import { unclobbered } from '../../../core/data/dom-clobbering.js'
import { stoppedWords } from '../../../core/data/stopped-effect.js'
import type { ToolRun } from '../../../page/tools/tool.js'
import { focusElement, isOffLimits, isTag, isWithin, pageRoots } from '../../dom/dom.js'
import { pageFocus } from '../../dom/page-focus.js'
import { takeSnapshot, type PageSnapshot } from '../../dom/page-snapshot.js'
import { endOf } from '../../dom/scroll-boxes.js'
import { ActionGuard } from '../../effects/action-guard.js'
import { unsavedInput } from '../../effects/unsaved-input.js'
import { asToolInput } from '../../hands/own-input.js'
import { moveBox, moveTo } from '../../hands/scroll.js'
import { holdsTyping } from '../../sensitive/sensitive-fields.js'
import { isBusy, patience, pause, stopwatch, until, waitForPageUpdates, type Deadline } from '../../waiting/until.js'

/** How a box is stepped through. */
export interface Course {
  readonly box: Element
  readonly direction: 'up' | 'down'
  readonly signal: AbortSignal
  /** When the walk ends at the latest. */
  readonly isLate: Deadline
  /** How many times the box may load more at its end. */
  readonly mostLoads: number
  /** Whether all growth is a load, and not the measuring of rows. */
  readonly growsByLoads?: boolean
  /** The next position; undefined for nine tenths of the visible height. */
  next?(): number | undefined
  /** Waits until the page shows what is at the new position. @default two frames */
  settle?(): Promise<void>
  /** What ends the wait for more at once. */
  isFound?(): boolean
}

/**
 * Why a walk ended: at the end of the box, after its time, after as many loads as it may cause, or because the page
 * puts the box back whenever it is moved.
 */
export type CourseEnd = 'end' | 'time' | 'loads' | 'put-back'

/** The milliseconds that the page needs to load or to draw more. */
export const timeForMore = (): number => (isBusy() ? patience.busyList : patience.moreRows).atMost

/** Waits at the end of a box. Returns whether it has become longer. */
async function loadsMore({ box, signal, isLate, isFound }: Course): Promise<boolean> {
  const height = box.scrollHeight
  const isLonger = (): boolean => box.scrollHeight !== height
  await until({
    done: () => isLonger() || isFound?.() || isLate(),
    ...patience.moreRows,
    atMost: timeForMore,
    signal,
  })
  return isLonger()
}

/** Yields at each position of a box, also at the first one. @throws the reason of the signal */
export async function* placesIn(course: Course): AsyncGenerator<undefined, CourseEnd> {
  const { box, direction, signal, isLate, mostLoads } = course
  const isAtEnd = (): boolean => {
    const end = endOf(box)
    return end === 'both' || end === (direction === 'up' ? 'top' : 'bottom')
  }
  /** Since when the box does not move. */
  let stuck: ReturnType<typeof stopwatch> | undefined
  for (let loads = 0, height = box.scrollHeight; ;) {
    signal.throwIfAborted()
    if (course.growsByLoads && box.scrollHeight > height) {
      loads++
      height = box.scrollHeight
    }
    yield undefined
    if (isLate()) return 'time'
    if (course.growsByLoads && loads >= mostLoads) return 'loads'
    if (!isAtEnd()) {
      const before = box.scrollTop
      const next = course.next?.()
      if (next === undefined) moveBox(box, direction)
      else moveTo(box, next)
      await (course.settle ?? waitForPageUpdates)()
      const isStuck = box.scrollTop === before && !isAtEnd()
      stuck = isStuck ? (stuck ?? stopwatch()) : undefined
      // A list that has measured its rows may put the box back, but then it lets go.
      if (!stuck || stuck() <= timeForMore()) {
        if (stuck) await pause(patience.moreRows.every)
        continue
      }
      return 'put-back'
    }
    if (loads === mostLoads) return mostLoads === 0 ? 'end' : 'loads'
    if (!(await loadsMore(course))) return isLate() ? 'time' : 'end'
    if (!course.growsByLoads) loads++
    await course.settle?.()
  }
}

/** What has ended a walk from outside. */
export interface Interruption {
  /** `visitor`: scrolled or pressed something; `effect`: the page was about to do more than show other rows. */
  readonly by: 'visitor' | 'effect' | undefined
  /** What was stopped, in words, for `effect`. */
  readonly what: string
}

/** Watches for the visitor. `taken`: whether the box must stay where it is. */
function watchVisitor(box: Element, top: number): { has: boolean; taken: boolean; end(): void } {
  const ending = new AbortController()
  const watch = { has: false, taken: false, end: () => ending.abort() }
  const note = (event: Event): void => {
    const [target] = event.composedPath()
    if (!event.isTrusted || watch.has || (target as Partial<Node>).nodeType === undefined) return
    if (isOffLimits(target as Node)) return
    watch.has = true
    // What is under the finger or the mouse must not move away. The wheel and keys start from where the visitor was.
    if (event.type === 'pointerdown') watch.taken = true
    else moveTo(box, top)
  }
  const pages = pageRoots().filter((root) => root.nodeType === 9)
  for (const page of new Set([...pages, box.ownerDocument]))
    for (const type of ['wheel', 'touchmove', 'pointerdown', 'keydown'])
      unclobbered(page as Document).addEventListener(type, note, {
        capture: true,
        passive: true,
        signal: ending.signal,
      })
  return watch
}

/** Why the contents of a part must stay in the document: input that would be lost. Undefined if there is none. */
export function inputIn(part: Element, { fields }: Pick<PageSnapshot, 'fields'>): string | undefined {
  const focus = pageFocus()
  if (focus && holdsTyping(focus) && isWithin(focus, part)) return 'the user is in a field of it'
  const own = fields().filter(({ element }) => isWithin(element, part))
  return unsavedInput({ fields: () => own }) ? 'it has input that was not sent' : undefined
}

let last: Promise<void> = Promise.resolve()

/**
 * Runs a step that scrolls the box, and puts it and the focus back. What the page does meanwhile beyond showing more is
 * stopped, as for an action that only shows something.
 */
export async function keepingPlace<T>(
  box: Element,
  run: ToolRun,
  step: (interruption: () => Interruption) => Promise<T>,
): Promise<T> {
  const before = last
  let release = (): void => undefined
  last = new Promise((resolve) => {
    release = resolve
  })
  await before
  const { scrollTop: top, scrollLeft: left } = box
  const snapshot = takeSnapshot(run)
  const page = unclobbered(box.ownerDocument)
  const focus = page.activeElement
  const isInside = focus !== null && focus !== box && isWithin(focus, box)
  const focused =
    isInside && !isTag(focus, 'body', 'html') && !isOffLimits(focus)
      ? snapshot.refs.refFor(focus, snapshot.visibility)
      : undefined
  const guard = new ActionGuard({ effect: 'view', by: 'rule' }, pageRoots())
  const visitor = watchVisitor(box, top)
  try {
    return await step(() => {
      if (guard.stopped[0]) return { by: 'effect', what: stoppedWords(guard.stopped[0]) }
      return { by: visitor.has ? 'visitor' : undefined, what: '' }
    })
  } finally {
    // A list whose rows have been measured meanwhile may move once more.
    for (let attempts = 0, steady = 0; attempts < 8 && steady < 2 && !visitor.taken; attempts++) {
      if (attempts > 0 && visitor.has) break
      moveTo(box, top)
      box.scrollLeft = left
      await waitForPageUpdates()
      steady = Math.abs(box.scrollTop - top) <= 1 ? steady + 1 : 0
    }
    if (focused !== undefined && !focus?.isConnected && page.activeElement === page.body) {
      const { refs, visibility } = takeSnapshot(run)
      asToolInput(() => focusElement(refs.find(focused, visibility)))
    }
    visitor.end()
    guard.end()
    release()
  }
}
