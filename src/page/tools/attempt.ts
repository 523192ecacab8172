// One attempt of a tool. It has one signal from its beginning to its end, and it may pause to ask the user: then its
// query is answered, no time-out runs, and the next query for the call goes on with it.
import type { StoppedEffect } from '../../core/data/stopped-effect.js'
import { ignoreRejection } from '../promises.js'
import type { FormQuestion } from '../../core/data/form-question.js'
import type { CompiledSchema } from '../schema/compiled-schema.js'

/** A question that a tool has asked, and what its answer must match. */
export interface AskedQuestion {
  readonly question: FormQuestion
  readonly schema: CompiledSchema
  /** Withdraws it. */
  readonly signal?: AbortSignal
}

/** What an attempt waits for: a permission for what it holds, or an answer to what it asks. */
export type Waiting =
  | { readonly held: readonly StoppedEffect[]; readonly asked?: never }
  | { readonly asked: AskedQuestion; readonly held?: never }

/** An attempt that waits for the user. */
export type PausedAttempt = Waiting & {
  /** The user has decided: what they allowed, or their answer. `signal`: that of the query which goes on. */
  goOn(decided: unknown, signal: AbortSignal): void
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

  /** For the tool: waits until the user has decided on what it holds or asks. Rejects when the attempt is aborted. */
  pause<T>(waiting: Waiting): Promise<T> {
    const { signal } = this
    if (signal.aborted) return ignoreRejection(Promise.reject(signal.reason as Error))
    this.stop()
    const allowed = new Promise<T>((resolve, reject) => {
      const onAbort = () => reject(signal.reason)
      signal.addEventListener('abort', onAbort, { once: true })
      const goOn: PausedAttempt['goOn'] = (decided, query) => {
        signal.removeEventListener('abort', onAbort)
        this.#query = query
        this.#follow(query)
        resolve(decided as T)
      }
      const paused: PausedAttempt = { ...waiting, goOn }
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
