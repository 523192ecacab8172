// What users have stored, on a disk that takes its time. A process that is killed leaves a beginning of what it has
// requested: what was written is there, also if nobody was told.
import type { Store } from '../../../../src/core/state/store.js'
import { memoryStore, type MemoryDisk } from '../../../../src/host/store/memory-store.js'
import type { Dice } from '../../lab/generator.js'
import type { Clock, TimerOwner } from './clock.js'

interface Request {
  readonly run: () => Promise<unknown>
  readonly settle: (outcome: Promise<unknown>) => void
}

/** Outlives the processes that use it. */
export class SharedDisk {
  readonly #clock: Clock
  readonly #dice: Dice
  readonly #users = new Map<string, MemoryDisk>()
  readonly #waiting: Request[] = []
  #freeAt = 0
  /** Until then, commits fail. */
  fullUntil = 0

  constructor(clock: Clock, dice: Dice) {
    this.#clock = clock
    this.#dice = dice
  }

  /** What is written of a user at this moment. */
  written(user: string): MemoryDisk {
    const disk = this.#users.get(user) ?? (new Map() as MemoryDisk)
    this.#users.set(user, disk)
    return disk
  }

  /** The stores of one process. */
  openedBy(owner: TimerOwner): { forUser(user: string): Store } {
    const stores = new Map<string, Store>()
    return {
      forUser: (user) => {
        const store = stores.get(user) ?? this.#store(user, owner)
        stores.set(user, store)
        return store
      },
    }
  }

  #store(user: string, owner: TimerOwner): Store {
    const memory = memoryStore(this.written(user))
    const later = <T>(work: () => Promise<T>): Promise<T> => this.#request(work, owner)
    return {
      ...memory,
      kind: 'server',
      claim: (...given) => later(() => memory.claim(...given)),
      commit: (...given) => {
        const change = structuredClone(given[2])
        return later(async () => {
          if (this.fullUntil > this.#clock.now) throw new Error('The disk is full')
          await memory.commit(given[0], given[1], change)
        })
      },
      read: (...given) => later(() => memory.read(...given)),
      messages: (...given) => later(() => memory.messages(...given)),
      list: (...given) => later(() => memory.list(...given)),
      delete: (...given) => later(() => memory.delete(...given)),
    }
  }

  #request<T>(run: () => Promise<T>, owner: TimerOwner): Promise<T> {
    if (owner.isDead) return new Promise(() => undefined)
    const takes =
      this.#dice.weighted([
        [0, 5],
        [3, 3],
        [400, 1],
      ] as const) * this.#dice.next()
    this.#freeAt = Math.max(this.#freeAt, this.#clock.now + takes)
    return new Promise((resolve, reject) => {
      const settle = (outcome: Promise<unknown>) => void (outcome as Promise<T>).then(resolve, reject)
      const request: Request = { run, settle }
      this.#waiting.push(request)
      this.#clock.after(this.#freeAt - this.#clock.now, owner, () => {
        const place = this.#waiting.indexOf(request)
        if (place < 0) return
        this.#waiting.splice(place, 1)
        const outcome = run()
        outcome.catch(() => undefined)
        // It is written, and its process learns that in a moment.
        this.#clock.after(this.#dice.next() * 3, owner, () => settle(outcome))
      })
    })
  }

  /** The process has ended: some of what it had requested is written, in its order. */
  processDied(): void {
    const written = this.#waiting.splice(0).slice(0, this.#dice.from(0, 3))
    for (const { run } of written) run().catch(() => undefined)
  }
}
