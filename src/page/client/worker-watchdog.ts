// Notices a worker that died or froze: it sends a heartbeat every 5 s.

/** How often the time of the last message is checked, in milliseconds. The check sends nothing. */
const checkInterval = 2_000
/** A worker that sends no message for this long counts as lost, in milliseconds. */
const heartbeatTimeout = 15_000
/** More time than this between two checks means that the page was suspended or throttled, in milliseconds. */
const suspendedAfter = 10_000

/** Watches one worker until it is stopped. */
export class WorkerWatchdog {
  readonly #timer: ReturnType<typeof setInterval>
  #lastMessageAt = Date.now()

  /** `onLost`: the worker has stopped responding. Called again at each check until `stop`. */
  constructor(onLost: () => void) {
    let lastCheckAt = this.#lastMessageAt
    this.#timer = setInterval(() => {
      const now = Date.now()
      // The page was suspended, so missed heartbeats do not count.
      if (now - lastCheckAt > suspendedAfter) this.#lastMessageAt = now
      lastCheckAt = now
      if (now - this.#lastMessageAt > heartbeatTimeout) onLost()
    }, checkInterval)
  }

  /** The worker sent a message. */
  noteMessage(): void {
    this.#lastMessageAt = Date.now()
  }

  /** Ends the checks. */
  stop(): void {
    clearInterval(this.#timer)
  }
}
