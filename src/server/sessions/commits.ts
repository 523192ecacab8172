// Who waits for which commit. A message is acknowledged when what it does is stored; the same message, sent again
// meanwhile, waits for the same commit.
import type { Failure } from '../../core/data/failure.js'

/** Called once: with an error, the message has had no effect. */
export type Done = (error?: Failure) => void

/** Messages that may wait for one commit. */
const maxWaiting = 100

/** Waits for commits, by a key. */
export class Commits {
  readonly #waiting = new Map<string, Done[]>()

  /** The number of keys that somebody waits for. */
  get size(): number {
    return this.#waiting.size
  }

  /** Whether somebody waits already. */
  isAwaited(key: string): boolean {
    return this.#waiting.has(key)
  }

  /** Calls `done` when the key is settled. */
  wait(key: string, done: Done): void {
    const waiting = this.#waiting.get(key)
    if (waiting && waiting.length >= maxWaiting) done(tooMany)
    else if (waiting) waiting.push(done)
    else this.#waiting.set(key, [done])
  }

  /** Calls everybody who waits for the key. */
  settle(key: string, error?: Failure): void {
    const waiting = this.#waiting.get(key) ?? []
    this.#waiting.delete(key)
    for (const done of waiting) done(error)
  }
}

const tooMany: Failure = { code: 'limit', message: 'Too many messages about the same call wait already.' }
