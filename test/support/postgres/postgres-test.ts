// Tests with one PostgreSQL server for each worker. Where PostgreSQL is missing they are skipped, and counted so; with
// `REQUIRED_DATABASES` they fail.
import { test as base } from 'playwright/test'
import { missingPostgres, startPostgres, type Postgres } from './server.js'

export { expect } from 'playwright/test'

export const test = base.extend<{}, { postgres: Postgres }>({
  postgres: [
    async ({}, use) => {
      const missing = missingPostgres()
      base.skip(missing !== undefined, missing)
      const postgres = await startPostgres()
      await use(postgres)
      await postgres.stop()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
})
