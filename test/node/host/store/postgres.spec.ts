// postgresStore on a server of its own.
import { storeConformance } from '../../../../src/testing.js'
import { postgresStore, type PostgresStore } from '../../../../src/server.js'
import { expect, test } from '../../../support/postgres/postgres-test.js'
import type { Pool, Postgres } from '../../../support/postgres/server.js'

interface Place {
  readonly schema: string
  pool: Pool
  store: PostgresStore
}

let server: Postgres

test.beforeAll(({ postgres }) => {
  server = postgres
})

const cases = storeConformance<Place>({
  async create() {
    const { schema, pool } = await server.place()
    return { schema, pool, store: postgresStore(pool) }
  },
  open: ({ store }) => store.forUser('somebody'),
  openAs: ({ store }, user) => store.forUser(user),
  async crash(place) {
    await place.pool.query('SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = $1', [place.schema])
    place.pool = server.pool({ schema: place.schema })
    place.store = postgresStore(place.pool)
  },
  async remove({ schema, pool }) {
    await pool.query(`DROP SCHEMA ${schema} CASCADE`)
    await pool.end()
  },
})
for (const { title, skip, run } of cases) if (skip === undefined) test(`conformance: ${title}`, run)
