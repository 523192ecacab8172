// When a page has stopped changing after an action: no mutation, no animation that the action began, no frame that
// loads, no request without an answer. Every wait has a limit.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { currentPage, frameDocument, isElement, isPageChange, isTag, pageRoots } from '../dom/dom.js'
import { stageAnimation } from '../stage/layer.js'
import type { ActionGuard } from '../effects/action-guard.js'
import { isBusy, patience, until } from '../waiting/until.js'

type Root = Document | ShadowRoot

const { action } = patience

function longestWait({ canHold, isHolding, isLeaving, isSending }: ActionGuard): number {
  if (isLeaving) return patience.navigation.atMost
  if (isHolding) return action.held
  return isSending && canHold ? patience.answers.atMost : action.atMost
}

const latestOf = (changed: number | undefined, answered: number): number | undefined =>
  changed === undefined && answered === -Infinity ? undefined : Math.max(changed ?? answered, answered)

/** The animations and transitions that run and end by themselves. A spinner never ends. */
export const runningAnimations = (roots: Iterable<Root>): Animation[] =>
  [...roots].flatMap((root) =>
    unclobbered(root)
      .getAnimations()
      .filter(({ playState, effect, id }) => {
        const end = effect?.getComputedTiming().endTime
        return playState === 'running' && id !== stageAnimation && typeof end === 'number' && end < action.animation
      }),
  )

/** Watches the page from its creation until `end`. */
export class PageWatch {
  readonly #roots: Set<Root>
  readonly #before: ReadonlySet<Animation>
  readonly #observer: MutationObserver
  readonly #ending = new AbortController()
  /** Frames that have left their page and have no other one yet. */
  readonly #loading = new Set<Element>()
  #changedAt: number | undefined

  /** `onChange` is called with the changes of the page, at once. */
  constructor(roots: readonly Root[], onChange: (records: readonly MutationRecord[]) => void) {
    this.#roots = new Set(roots)
    this.#before = new Set(runningAnimations(roots))
    this.#observer = new MutationObserver((records) => {
      if (!records.some(isPageChange)) return
      this.#changedAt = performance.now()
      onChange(records)
    })
    for (const root of roots) this.#watch(root)
  }

  /** Whether something that the action set in motion is still moving. A hidden tab moves nothing. */
  get isMoving(): boolean {
    return !currentPage().hidden && runningAnimations(this.#roots).some((one) => !this.#before.has(one))
  }

  /** Removes all listeners. */
  end(): void {
    this.#observer.disconnect()
    this.#ending.abort()
  }

  /** Waits until the page is still, for a limited time. */
  async untilStill(signal: AbortSignal, guard: ActionGuard): Promise<void> {
    await until({
      done: (passed) => guard.isStopped || this.#isStill(guard, passed()),
      atMost: () => longestWait(guard),
      every: action.every,
      waitsFirst: true,
      signal,
    })
  }

  /** `passed`: the milliseconds since the wait began. */
  #isStill(guard: ActionGuard, passed: number): boolean {
    const now = performance.now()
    if (this.isMoving) this.#changedAt = now
    const changed = latestOf(this.#changedAt, guard.answeredAt)
    const quiet = changed === undefined ? passed : now - changed
    const isLate = quiet >= action.answer
    // What the page sends because of an answer belongs to the action as long as it can be held.
    const isAnswered = guard.isSending ? !guard.canHold && isLate : !guard.isReading || isLate
    const isUnchanged = quiet >= (changed === undefined && !guard.isHolding ? action.nothing : action.still)
    const isDone = isUnchanged && !guard.isLeaving && !isBusy() && isAnswered && this.#loading.size === 0
    // A shadow root may be new without any mutation, and its contents may still be moving.
    return isDone && !this.#watchNew(pageRoots())
  }

  /** Returns whether there is a new root in which something moves. */
  #watchNew(roots: readonly Root[]): boolean {
    const fresh = roots.filter((root) => !this.#roots.has(root))
    for (const root of fresh) {
      this.#roots.add(root)
      this.#watch(root)
    }
    return fresh.length > 0 && this.isMoving
  }

  #watch(root: Root): void {
    this.#observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true })
    const { signal } = this.#ending
    // Loads of frames do not bubble.
    unclobbered(root).addEventListener('load', (event) => this.#noteLoad(event.target as Node | null), {
      capture: true,
      signal,
    })
    const view = unclobbered(root as Partial<Document>).defaultView
    const frame = view?.frameElement
    if (frame) view.addEventListener('beforeunload', () => this.#loading.add(frame), { signal })
  }

  #noteLoad(frame: Node | null): void {
    if (!isElement(frame) || !isTag(frame, 'iframe')) return
    this.#loading.delete(frame)
    this.#changedAt = performance.now()
    const inside = frameDocument(frame)
    if (inside) this.#watchNew([inside])
  }
}
