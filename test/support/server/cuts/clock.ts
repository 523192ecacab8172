// Time that passes when nothing else can happen. Timers belong to an owner and end with it, as those of a process or a
// document do. What waits for no timer runs to its end before the next one fires, so a run depends on its seed alone.
import { setImmediate as tick } from 'node:timers'

/** Who has timers: a process or a document. */
export interface TimerOwner {
  isDead: boolean
}

interface Timer {
  at: number
  readonly order: number
  readonly owner: TimerOwner
  readonly run: () => void
  readonly every: number | undefined
  isOver: boolean
  unref(): Timer
  ref(): Timer
  hasRef(): boolean
}

/** The clock of one simulated world. */
export class Clock {
  now = 1_700_000_000_000
  /** Timers that have fired. */
  fired = 0
  #order = 0
  // A binary heap by time and order.
  readonly #heap: Timer[] = []

  /** Runs `work` in so many milliseconds, unless its owner is dead by then. */
  after(ms: number, owner: TimerOwner, work: () => void, every?: number): Timer {
    const timer: Timer = {
      at: this.now + Math.max(0, Math.ceil(ms)),
      order: this.#order++,
      owner,
      run: work,
      every,
      isOver: false,
      unref: () => timer,
      ref: () => timer,
      hasRef: () => true,
    }
    this.#push(timer)
    return timer
  }

  /** Resolves in so many milliseconds; never, if the owner is dead by then. */
  pause(ms: number, owner: TimerOwner): Promise<void> {
    return new Promise((resolve) => this.after(ms, owner, resolve))
  }

  /** The timers of a document or a process. */
  timersOf(owner: TimerOwner) {
    const begin =
      (isRepeated: boolean) =>
      (work: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) =>
        this.after(Math.max(1, Number(ms) || 0), owner, () => work(...given), isRepeated ? Number(ms) || 1 : undefined)
    const end = (timer: Timer | undefined | null) => {
      if (timer) timer.isOver = true
    }
    return { setTimeout: begin(false), clearTimeout: end, setInterval: begin(true), clearInterval: end }
  }

  /** Lets time pass until `isDone`, or until it is `end`. Returns whether it is done. */
  async run(end: number, isDone: () => boolean = () => false): Promise<boolean> {
    for (;;) {
      await new Promise<void>((resolve) => void tick(resolve))
      if (isDone()) return true
      const timer = this.#pop(end)
      if (timer === undefined) return false
      this.now = timer.at
      this.fired += 1
      timer.run()
      if (timer.every !== undefined && !timer.isOver) {
        timer.at = this.now + timer.every
        this.#push(timer)
      }
    }
  }

  #pop(end: number): Timer | undefined {
    for (;;) {
      const first = this.#heap[0]
      if (first === undefined || first.at > end) {
        this.now = Math.max(this.now, end)
        return undefined
      }
      const last = this.#heap.pop()!
      if (this.#heap.length > 0) this.#sink(last)
      if (!first.isOver && !first.owner.isDead) return first
    }
  }

  #push(timer: Timer): void {
    const heap = this.#heap
    let at = heap.length
    heap.push(timer)
    while (at > 0) {
      const above = (at - 1) >> 1
      if (isBefore(heap[above]!, timer)) break
      heap[at] = heap[above]!
      at = above
    }
    heap[at] = timer
  }

  #sink(timer: Timer): void {
    const heap = this.#heap
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= heap.length) break
      if (below + 1 < heap.length && isBefore(heap[below + 1]!, heap[below]!)) below += 1
      if (isBefore(timer, heap[below]!)) break
      heap[at] = heap[below]!
      at = below
    }
    heap[at] = timer
  }
}

const isBefore = (one: Timer, other: Timer) => one.at < other.at || (one.at === other.at && one.order < other.order)

/** The clock of this process is wrong by so many milliseconds. Its timers are not. */
export function setClock(wrong: number): void {
  const RealDate = Date
  globalThis.Date = class extends RealDate {
    constructor(...given: [] | [number]) {
      super(...((given.length === 0 ? [RealDate.now() + wrong] : given) as [number]))
    }
    static override now = () => RealDate.now() + wrong
  } as DateConstructor
}
