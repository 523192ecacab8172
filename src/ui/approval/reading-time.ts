// Whether the user could read a question: an approval counts only after its card was completely visible, uncovered
// and at rest for the reading time, with the beginning and the end of its content on the screen. A click before that
// begins the time anew, because somebody who clicks at once does not read. Checks the card ten times a second.
import { unclobbered } from '../../core/data/dom-clobbering.js'

/** Milliseconds that the card, its beginning and its end must be visible before an approval counts. */
const readingTime = 500
/** Milliseconds between two checks. Browsers report `isVisible` at most this often. */
const checkInterval = 100
/** Pixels that the buttons may move between two checks. */
const restTolerance = 2
/** Pixels of the arguments that must be visible, if there are as many. */
const leastRead = 40
/** Pixels on the screen; smaller text cannot be read. */
const leastText = 9
/** Of the ancestors together. A card that shines through cannot be read. */
const leastOpacity = 0.9

/** An entry of an observer with `trackVisibility`, which only some browsers have. */
type VisibilityEntry = IntersectionObserverEntry & { readonly isVisible?: boolean }

/**
 * An observer of this page has reported a card as visible. Until then `isVisible` does not count: the browser may not
 * have it, or the page may have an effect, such as a filter on its root, with which it is never true.
 */
let hasReportedVisible = false

/** Why an approval does not count yet. */
export type ReadingState =
  /** It counts. */
  | 'ready'
  /** The reading time is not over, or the card is not on the screen. */
  | 'waiting'
  /** Something covers the card, or it is transparent or too small. */
  | 'covered'
  /** The end of the arguments was not on the screen. */
  | 'unread'
  /** The middle of a long value is not shown. */
  | 'cut'

/** The parts of a drawn card. */
export interface CardParts {
  /** The whole card; its root is the element to search for at a point. */
  readonly card: HTMLElement
  /** The title; its text must be large enough. */
  readonly title: HTMLElement
  /** The part that scrolls. */
  readonly reading: HTMLElement
  /** Follows the last argument. */
  readonly end: HTMLElement
  /** The buttons. They must not have moved. */
  readonly decision: HTMLElement
}

/** Checks one card until it is stopped. */
export class ReadingCheck {
  /** Why an approval does not count yet; `ready` if it does. */
  state: ReadingState = 'waiting'
  /** How many arguments are below the visible part. 0 if only a part of one is, undefined if the end is visible. */
  below: number | undefined
  /** The arguments are longer than their part of the card. */
  scrolls = false
  /** The end of the arguments was on the screen for the reading time. */
  isEndRead = false
  /** The beginning of the arguments was on the screen for the reading time. */
  isStartRead = false
  readonly #parts: () => CardParts | undefined
  readonly #onChange: () => void
  readonly #isComplete: () => boolean
  #timer: ReturnType<typeof setInterval> | undefined
  #observer: IntersectionObserver | undefined
  #observed: HTMLElement | undefined
  #entry: VisibilityEntry | undefined
  #place: readonly [number, number] | undefined
  /** Since when the card, the beginning and the end are visible without interruption; milliseconds. */
  readonly #since: { card?: number; start?: number; end?: number } = {}

  /**
   * @param parts The drawn parts; undefined until they are drawn.
   * @param mustReadEnd Whether the end must have been visible; undefined until that is known, and nothing counts then.
   * @param onChange Called after a change of the public fields.
   */
  constructor(parts: () => CardParts | undefined, isComplete: () => boolean, onChange: () => void) {
    this.#parts = parts
    this.#isComplete = isComplete
    this.#onChange = onChange
  }

  /** Starts, or goes on with the parts that are drawn now. */
  start(): void {
    const card = this.#parts()?.card
    if (card === undefined) return
    if (this.#observed !== card) {
      this.#observer?.disconnect()
      this.#observed = card
      this.#entry = undefined
      // `trackVisibility` and `delay` are not in every browser, so TypeScript does not know them.
      const options: IntersectionObserverInit & { trackVisibility: boolean; delay: number } = {
        threshold: [0, 0.9, 0.99],
        trackVisibility: true,
        delay: checkInterval,
      }
      this.#observer = new IntersectionObserver((entries) => {
        this.#entry = entries.at(-1)
        if (this.#entry?.isVisible === true) hasReportedVisible = true
        this.check()
      }, options)
      this.#observer.observe(card)
    }
    this.#timer ??= setInterval(this.check, checkInterval)
  }

  /** Stops; the reading time begins again with `start`. */
  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#observer?.disconnect()
    this.#observed = undefined
    this.restart()
  }

  /** The content has changed: the user must read it again. */
  restart(): void {
    this.isStartRead = false
    this.isEndRead = false
    this.#interrupt()
    this.state = 'waiting'
  }

  /** The user wanted to allow it too early: the reading time begins anew. What was read stays read. */
  startAnew(): void {
    this.#interrupt()
  }

  /** Checks now, and returns whether an approval counts. */
  check = (): ReadingState => {
    const summary = (): string => [this.state, this.below, this.scrolls, this.isEndRead].join()
    const before = summary()
    this.state = this.#next()
    if (summary() !== before) this.#onChange()
    return this.state
  }

  #next(): ReadingState {
    const parts = this.#parts()
    if (parts === undefined) return this.#interrupt()
    const { reading, end } = parts
    const view = reading.getBoundingClientRect()
    const isEndVisible = end.getBoundingClientRect().top <= view.bottom + 1
    this.below = isEndVisible
      ? undefined
      : [...reading.querySelectorAll('.arguments dt, .preview dt')].filter(
          (term) => term.getBoundingClientRect().bottom > view.bottom,
        ).length
    this.scrolls = reading.scrollHeight > reading.clientHeight + 1
    const { left, top } = parts.decision.getBoundingClientRect()
    const place = this.#place
    this.#place = [left, top]
    if (unclobbered(document).hidden || (this.#entry?.intersectionRatio ?? 0) < 0.99) return this.#interrupt()
    if (this.#isCovered(parts)) {
      this.#interrupt()
      return 'covered'
    }
    if (place !== undefined && Math.hypot(place[0] - left, place[1] - top) > restTolerance) this.#interrupt()
    // `scrollHeight` is rounded.
    const isEnough = view.height + 1 >= Math.min(leastRead, reading.scrollHeight)
    const isCardRead = this.#lasts('card', true)
    this.isStartRead = this.#lasts('start', isEnough && reading.scrollTop < leastRead / 2) || this.isStartRead
    const isCut = reading.querySelector('.cut') !== null
    this.isEndRead = this.#lasts('end', isEnough && isEndVisible && !isCut) || this.isEndRead
    if (!isCardRead || !this.isStartRead || !this.#isComplete()) return 'waiting'
    if (isCut) return 'cut'
    if (this.isEndRead) return 'ready'
    // The end is on the screen, and only its time is not over.
    return isEndVisible ? 'waiting' : 'unread'
  }

  /** Whether a condition has held without interruption for the reading time. */
  #lasts(key: 'card' | 'start' | 'end', holds: boolean): boolean {
    if (!holds) {
      delete this.#since[key]
      return false
    }
    const now = performance.now()
    const since = (this.#since[key] ??= now)
    return now - since >= readingTime
  }

  #interrupt(): 'waiting' {
    for (const key of ['card', 'start', 'end'] as const) delete this.#since[key]
    return 'waiting'
  }

  #isCovered({ card, title }: CardParts): boolean {
    if (hasReportedVisible && this.#entry?.isVisible === false) return true
    const box = card.getBoundingClientRect()
    const scale = card.offsetWidth === 0 ? 0 : box.width / card.offsetWidth
    if (Number.parseFloat(getComputedStyle(title).fontSize) * scale < leastText) return true
    if (opacityOf(card) < leastOpacity) return true
    return [0.1, 0.5, 0.9].some((y) =>
      [0.1, 0.5, 0.9].some((x) => !isOnTop(card, box.left + box.width * x, box.top + box.height * y)),
    )
  }
}

/** The opacity of an element with its ancestors, up to the one in the top layer. */
function opacityOf(card: Element): number {
  let opacity = 1
  for (let element: Element | null = card; element !== null; element = parentOf(element)) {
    opacity *= Number(getComputedStyle(element).opacity)
    if (element.matches(':popover-open, :modal')) break
  }
  return opacity
}

function parentOf(element: Element): Element | null {
  const root = element.getRootNode()
  return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null)
}

/** Whether the element is on top at a point. Checks each tree, because some browsers search one tree only. */
function isOnTop(element: Element, x: number, y: number): boolean {
  const root = element.getRootNode()
  if (!(root instanceof ShadowRoot || root instanceof Document)) return false
  const hit = unclobbered<Document | ShadowRoot>(root).elementFromPoint(x, y)
  if (hit === null || !element.contains(hit)) return false
  return root instanceof Document || isOnTop(root.host, x, y)
}
