// Which process works on a session of PostgreSQL: two processes whose clocks are wrong by a minute, and many at once.
import { PostgresConnection } from '../../../../src/host/store/postgres/connection.js'
import { leaseTime, postgresLeases, renewalTime } from '../../../../src/host/store/postgres/leases.js'
import { postgresStore } from '../../../../src/server.js'
import { added, allOf, create, outcomeOf, question, sessionWith } from '../../../../src/testing/store/support.js'
import { expect, test } from '../../../support/postgres/postgres-test.js'
import { startProcess } from '../../../support/postgres/processes.js'
import type { Pool } from '../../../support/postgres/server.js'

test.setTimeout(300_000) // The first test installs the client and builds the processes.

/** Lets the time of the database pass for the leases. */
const pass = (pool: Pool, ms: number) =>
  pool.query(`UPDATE tool_agent_leases SET until = until - interval '${ms} milliseconds'`)

test('a clock that is wrong by a minute changes nothing, and what a process writes after its lease is refused', async ({
  postgres,
}) => {
  for (const clocks of [
    [-60_000, 60_000],
    [60_000, -60_000],
  ] as const) {
    const { schema, pool } = await postgres.place()
    const place = { folder: postgres.folder, schema }
    const old = await startProcess(place, 'old', clocks[0])
    const next = await startProcess(place, 'next', clocks[1])
    try {
      expect([await old.ask('clock'), await next.ask('clock')]).toEqual(clocks.map((ms) => ms / 60_000))
      expect(await old.ask('lease')).toEqual({ isHeld: true, isNew: true })
      expect(await old.ask('claim')).toBe(0)
      expect(await old.ask('create')).toBe('resolved')
      // The other one waits, as long as the lease is renewed.
      for (let time = 0; time < 5; time++) {
        const lease = (await next.ask('lease')) as { isHeld: boolean; process: string; ms: number }
        expect(lease).toMatchObject({ isHeld: false, process: 'old' })
        expect(lease.ms).toBeGreaterThan(0)
        expect(lease.ms).toBeLessThanOrEqual(leaseTime)
        await pass(pool, leaseTime - renewalTime)
        expect(await old.ask('renew')).toEqual([{ user: 'anna', session: 'a' }])
      }
      expect(await old.ask('lease')).toEqual({ isHeld: true, isNew: false })
      expect(await old.ask('write')).toBe('resolved')
      // It misses its renewals.
      await pass(pool, leaseTime)
      expect(await next.ask('lease')).toEqual({ isHeld: true, isNew: true })
      // Before the new one has claimed the session.
      expect(await old.ask('write')).toBe('lost-session')
      expect(await old.ask('renew')).toEqual([])
      expect(await next.ask('claim')).toBe(2)
      expect(await next.ask('write')).toBe('resolved')
      expect(await old.ask('write')).toBe('lost-session')
      expect(await old.ask('lease')).toMatchObject({ isHeld: false, process: 'next' })
      // A lease of somebody else cannot be given back.
      await old.ask('release')
      expect(await old.ask('lease')).toMatchObject({ isHeld: false, process: 'next' })
      // One that is killed gives nothing back: its lease ends by itself.
      await next.kill()
      expect(await old.ask('lease')).toMatchObject({ isHeld: false, process: 'next' })
      await pass(pool, leaseTime)
      expect(await old.ask('lease')).toEqual({ isHeld: true, isNew: true })
      await old.ask('release')
      expect((await pool.query('SELECT FROM tool_agent_leases')).rows).toEqual([])
    } finally {
      await old.kill()
      await next.kill()
    }
  }
})

test('of many processes that ask at once, exactly one has the lease', async ({ postgres }) => {
  const { schema } = await postgres.place()
  const all = Array.from({ length: 10 }, () =>
    postgresLeases(new PostgresConnection(postgres.pool({ schema, max: 1 }))),
  )
  const takeAll = async () => {
    const leases = await Promise.all(all.map((one, at) => one.lease('u', 's', `p${at}`)))
    const holder = leases.findIndex(({ isHeld }) => isHeld)
    expect(leases.filter(({ isHeld }) => isHeld)).toEqual([{ isHeld: true, isNew: true }])
    return holder
  }
  for (let time = 0; time < 20; time++) await all[0]!.release('u', 's', `p${await takeAll()}`)
})

test('a lease that is over must be asked for again, also by the process that held it', async ({ postgres }) => {
  const { pool } = await postgres.place()
  const leases = postgresLeases(new PostgresConnection(pool))
  const store = postgresStore(pool).forUser('u')
  await create(store, sessionWith('s', [question(0)]))
  await leases.lease('u', 's', 'p')
  expect((await store.read('s', 0))?.epoch).toBe(2)
  await pass(pool, leaseTime)
  expect(await leases.renew('p')).toEqual([])
  // Nobody has worked meanwhile, but nobody can know.
  expect(await leases.lease('u', 's', 'p')).toEqual({ isHeld: true, isNew: true })
  expect(await leases.lease('u', 's', 'p')).toEqual({ isHeld: true, isNew: false })
  expect((await store.read('s', 0))?.epoch).toBe(3)
  expect(await outcomeOf(store.commit('s', 2, { draft: null }))).toBe('lost-session')
})

test('one renewal is for all leases of a process, and for no other', async ({ postgres }) => {
  const { pool } = await postgres.place()
  const leases = postgresLeases(new PostgresConnection(pool))
  const odd = ['a', '\ud800', '"a"', 'a\0']
  for (const user of odd) for (const session of odd) await leases.lease(user, session, 'p')
  await leases.lease('b', 'b', 'q')
  const renewed = await leases.renew('p')
  expect(new Set(renewed.map(({ user, session }) => JSON.stringify([user, session])))).toEqual(
    new Set(odd.flatMap((user) => odd.map((session) => JSON.stringify([user, session])))),
  )
  await postgresStore(pool).deleteUser('a')
  expect(await leases.renew('p')).toHaveLength(12)
  expect(await leases.renew('q')).toEqual([{ user: 'b', session: 'b' }])
})

test('a take-over that waits sees what the process before has stored first meanwhile', async ({ postgres }) => {
  const { pool } = await postgres.place()
  const leases = postgresLeases(new PostgresConnection(pool))
  await leases.lease('u', 's', 'old')
  const store = postgresStore(pool).forUser('u')
  const { epoch } = await store.claim('s', 9)
  await pass(pool, leaseTime)
  const held = await pool.connect()
  await held.query('BEGIN')
  await held.query('SELECT FROM tool_agent_leases FOR UPDATE')
  const taken = leases.lease('u', 's', 'next')
  const waiting =
    "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%INTO tool_agent_leases%'"
  await expect.poll(async () => (await pool.query(waiting)).rows.length).toBe(1)
  const session = sessionWith('s', [question(0)])
  await store.commit('s', epoch, allOf(session))
  await held.query('COMMIT')
  held.release()
  expect(await taken).toEqual({ isHeld: true, isNew: true })
  expect(await outcomeOf(store.commit('s', epoch, added(session, question(1))))).toBe('lost-session')
})
