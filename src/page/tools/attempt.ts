// One attempt of a tool. It has one signal from its beginning to its end, and it may pause to ask the user: then its
// query is answered, no time-out runs, and the next query for the call goes on with it.
import type { StoppedEffect } from '../../core/data/stopped-effect.js'
import type { ActionPermission } from '../../core/data/action.js'
import { ignoreRejection } from '../promises.js'

/** An attempt that waits for the user. */
export interface PausedAttempt {
  /** What the tool holds until then. */
  readonly held: readonly StoppedEffect[]
  /** The user has allowed it. `signal`: that of the query which goes on. */
  goOn(permission: ActionPermission | undefined, signal: AbortSignal): void
}

/** Follows the signal of one query after the other, and the time limit of the tool while a query waits for it. */
export class Attempt {
  readonly #abort = new AbortController()
  readonly #timeout: number
  #timer: ReturnType<typeof setTimeout> | undefined
  #query: AbortSignal
  #isTimedOut = false
  #onPause: ((paused: PausedAttempt) => void) | undefined
  #paused: PausedAttempt | undefined

  /** `timeout`: milliseconds while a query waits; 0 for no limit. */
  constructor(timeout: number, query: AbortSignal) {
    this.#timeout = timeout
    this.#query = query
    this.#follow(query)
  }

  /** Aborted by its query, by the time-out, and by `end`. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** Whether the query that waits now was aborted. */
  get isCancelled(): boolean {
    return this.#query.aborted
  }

  /** Whether the tool took too long. */
  get isTimedOut(): boolean {
    return this.#isTimedOut
  }

  /** How the attempt ends, or that it pauses first. */
  next<T>(ended: Promise<T>): Promise<T | PausedAttempt> {
    return new Promise((resolve, reject) => {
      this.#onPause = resolve
      // A tool may pause before its first `await`.
      if (this.#paused) resolve(this.#paused)
      this.#paused = undefined
      ended.then(resolve, reject)
    })
  }

  /** For the tool: waits until the user has allowed what it holds. Rejects when the attempt is aborted. */
  pause(held: readonly StoppedEffect[]): Promise<ActionPermission | undefined> {
    this.stop()
    const { signal } = this
    const allowed = new Promise<ActionPermission | undefined>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      const goOn: PausedAttempt['goOn'] = (permission, query) => {
        this.#query = query
        this.#follow(query)
        resolve(permission)
      }
      const paused: PausedAttempt = { held, goOn }
      if (this.#onPause) this.#onPause(paused)
      else this.#paused = paused
    })
    return ignoreRejection(allowed)
  }

  /** Stops the time limit, and follows no query any more. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#query.removeEventListener('abort', this.#onAbort)
  }

  /** Aborts the attempt: the call was settled, or the page goes away. */
  end(reason: unknown): void {
    this.#abort.abort(reason)
  }

  #onAbort = (): void => this.end(this.#query.reason)

  #follow(query: AbortSignal): void {
    if (query.aborted) return this.end(query.reason)
    query.addEventListener('abort', this.#onAbort, { once: true })
    const ms = this.#timeout
    if (ms <= 0 || ms > 2 ** 31 - 1) return
    this.#timer = setTimeout(() => {
      this.#isTimedOut = true
      this.end(new DOMException(`Timed out after ${ms} ms`, 'TimeoutError'))
    }, ms)
  }
}
