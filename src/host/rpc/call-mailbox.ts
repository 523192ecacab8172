// Values that the page sends for tool calls, which may arrive before or after the turn waits for them.
import { abortable } from '../../core/loop/abort.js'
import type { CallId } from '../../core/data/message.js'

/** At most one value and one waiter per call. */
export class CallMailbox<T> {
  readonly #values = new Map<CallId, T>()
  readonly #waiters = new Map<CallId, (value: T) => void>()

  /** Whether a turn waits for a value. */
  get isAwaited(): boolean {
    return this.#waiters.size > 0
  }

  /** Stores a value and passes it to the waiter. Only the first value of a call counts. */
  put(id: CallId, value: T): void {
    if (this.#values.has(id)) return
    this.#values.set(id, value)
    this.#waiters.get(id)?.(value)
    this.#waiters.delete(id)
  }

  /** Resolves with the value of the call as soon as it has one. Rejects with the signal's reason. */
  wait(id: CallId, signal: AbortSignal): Promise<T> {
    const value = this.#values.get(id)
    if (value !== undefined) return Promise.resolve(value)
    return abortable(
      signal,
      (resolve) => this.#waiters.set(id, resolve),
      () => this.#waiters.delete(id),
    )
  }

  /** Removes all values and waiters. The waiters' promises stay pending until their signals abort. */
  clear(): void {
    this.#values.clear()
    this.#waiters.clear()
  }
}
