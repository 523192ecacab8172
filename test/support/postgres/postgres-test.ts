// Tests with one PostgreSQL server for each worker. Where something is missing they are skipped, and counted so; with
// `REQUIRED_DATABASES` they fail.
import { test as base } from 'playwright/test'
import { isPostgresRequired, missingPostgres } from '../../../scripts/postgres.mjs'
import { startPostgres, type Postgres } from './server.js'

export { expect } from 'playwright/test'

interface WorkerFixtures {
  /** The server, or why there is none. */
  readonly startedPostgres: Postgres | string
}

export const test = base.extend<{ postgres: Postgres }, WorkerFixtures>({
  startedPostgres: [
    async ({}, use) => {
      const missing = missingPostgres()
      if (missing.length > 0) {
        const needed = `needs PostgreSQL: apt-get install ${missing.join(' ')}`
        if (isPostgresRequired()) throw new Error(`${needed}. REQUIRED_DATABASES requires it.`)
        return use(needed)
      }
      const postgres = await startPostgres()
      await use(postgres)
      await postgres.stop()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  async postgres({ startedPostgres }, use) {
    base.skip(typeof startedPostgres === 'string', String(startedPostgres))
    await use(startedPostgres as Postgres)
  },
})
