// The pool with the tables up to date. A connection that breaks is replaced, and its statement runs again: each one
// must have the same effect if it runs twice.
import { ToolAgentError } from '../../../core/data/errors.js'
import type { Row } from '../sql-values.js'
import { mayPass, postgresError, transactOn, type PostgresPool, type PostgresQueries } from './pool.js'
import { migrate } from './schema.js'

/** Milliseconds before each further attempt: a database that starts again, or a standby that takes over. */
const pauses = [50, 200, 1_000, 3_000]

export class PostgresConnection {
  readonly #pool: PostgresPool
  readonly #working = new Set<Promise<unknown>>()
  #migrated: Promise<void> | undefined
  #isClosed = false

  constructor(pool: PostgresPool) {
    this.#pool = pool
  }

  /** Brings the tables up to date, once. */
  migrate(): Promise<void> {
    this.#migrated ??= again(() => migrate(this.#pool)).catch((error: unknown) => {
      // The next call tries again.
      this.#migrated = undefined
      throw error
    })
    return this.#migrated
  }

  /**
   * The rows of a statement, which is a transaction of its own. `isAgain`: told before it runs again, because the
   * answer of the one before was lost.
   * @throws `storage`
   */
  rows(sql: string, values: unknown[], isAgain?: () => void): Promise<Row[]> {
    return this.#run(async () => (await this.#pool.query(sql, values)).rows as Row[], isAgain)
  }

  /** Runs `work` in a transaction, which an error of it undoes. It may run several times. @throws `storage` */
  transact<T>(work: (db: PostgresQueries) => Promise<T>, isAgain?: () => void): Promise<T> {
    return this.#run(() => transactOn(this.#pool, work), isAgain)
  }

  /** Runs `work` as something that was asked of the store: `close` waits for it, and nothing is asked after that. */
  task<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(new ToolAgentError('storage', 'The store was closed.'))
    const running = work()
    this.#working.add(running)
    const settled = () => this.#working.delete(running)
    running.then(settled, settled)
    return running
  }

  /** Resolves when all tasks have settled. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(this.#working)
  }

  async #run<T>(work: () => Promise<T>, isAgain?: () => void): Promise<T> {
    await this.migrate()
    return again(work, isAgain)
  }
}

/** Runs `work` until it does not fail for a reason that passes. @throws `storage` */
async function again<T>(work: () => Promise<T>, isAgain?: () => void): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const pause = pauses[attempt]
      if (pause === undefined || !mayPass(error)) throw postgresError(error)
      await new Promise<void>((resolve) => void setTimeout(resolve, pause))
      isAgain?.()
    }
  }
}
