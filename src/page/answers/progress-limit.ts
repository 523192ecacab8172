// Passes on at most ten progress values of a call per second, because each one is a message to the host and an event
// for every tab. A tool in a loop, or a server, may report thousands.
import type { JsonValue } from '../../core/data/json.js'

/** Values in any second. */
const most = 10
const second = 1_000

/** The progress of one call. Of more values than it passes on, the newest counts. */
export class ProgressLimit {
  readonly #pass: (value: JsonValue) => void
  /** When the newest values were passed on. */
  readonly #passedAt: number[] = []
  #held: { readonly value: JsonValue } | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(pass: (value: JsonValue) => void) {
    this.#pass = pass
  }

  /** Passes a value on, immediately or as soon as it may. */
  report(value: JsonValue): void {
    this.#held = { value }
    if (this.#timer === undefined) this.#next()
  }

  /** The call has ended. Its result replaces a value that is still held. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#held = undefined
  }

  #next(): void {
    this.#timer = undefined
    if (this.#held === undefined) return
    const now = performance.now()
    const [first = -Infinity] = this.#passedAt
    const wait = this.#passedAt.length < most ? 0 : first + second - now
    if (wait > 0) {
      this.#timer = setTimeout(() => this.#next(), wait)
      return
    }
    const { value } = this.#held
    this.#held = undefined
    this.#passedAt.push(now)
    if (this.#passedAt.length > most) this.#passedAt.shift()
    this.#pass(value)
  }
}
