// The time limit of one call. Apart from the limit of other tools, because the time that the visitor needs to answer a
// question of the server does not count.

/** A timer that can be paused. */
export class CallTime {
  readonly #controller = new AbortController()
  #left: number
  #startedAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #pauses = 0

  /** `limit`: milliseconds; 0 for no limit. Starts immediately. */
  constructor(limit: number) {
    this.#left = limit || Infinity
    this.#start()
  }

  /** Aborted when the time is over. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Stops the clock until the returned function is called. Pauses may overlap. */
  pause(): () => void {
    if (this.#pauses++ === 0) {
      clearTimeout(this.#timer)
      this.#left -= Date.now() - this.#startedAt
    }
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      if (--this.#pauses === 0) this.#start()
    }
  }

  /** Releases the timer. The signal is not aborted any more. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#left = Infinity
  }

  #start(): void {
    this.#startedAt = Date.now()
    if (this.#left <= 2 ** 31 - 1) this.#timer = setTimeout(() => this.#controller.abort(), Math.max(0, this.#left))
  }
}
