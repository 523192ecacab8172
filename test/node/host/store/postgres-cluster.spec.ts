// The processes of one PostgreSQL: who is alive, who works on a session, and their mail. Two processes have clocks that are
// wrong by a minute, and many ask at once.
import { postgresStore } from '../../../../src/server.js'
import { added, allOf, create, outcomeOf, question, sessionWith } from '../../../../src/testing/store/support.js'
import { expect, test } from '../../../support/postgres/postgres-test.js'
import { startProcess } from '../../../support/postgres/processes.js'
import { startPostgres, type Pool, type Postgres } from '../../../support/postgres/server.js'

test.setTimeout(300_000) // The first test installs the client and builds the processes.

/** Longer than a test takes on a slow machine: what is over is over because the test says so. */
const leaseTime = 600_000
const session = { user: 'anna', session: 'a' }

/** Lets the time of the database pass for the processes. */
const pass = (pool: Pool, ms: number) =>
  pool.query(`UPDATE tool_agent_processes SET until = until - interval '${ms} milliseconds'`)

/** Processes that are alive. */
async function members(postgres: Postgres, ...names: string[]) {
  const { pool, schema } = await postgres.place()
  const { cluster, ...store } = postgresStore(pool, { leaseTime })
  for (const name of names) await cluster.join(name)
  return { pool, schema, store, cluster }
}

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
      await old.ask('join')
      await next.ask('join')
      expect(await old.ask('lease')).toBe('old')
      expect(await old.ask('claim')).toBe(0)
      expect(await old.ask('create')).toBe('resolved')
      // The other one waits, as long as the first one is renewed.
      for (let time = 0; time < 5; time++) {
        expect(await next.ask('lease')).toBe('old')
        await pass(pool, leaseTime / 1.5)
        expect(await old.ask('renew')).toEqual(expect.arrayContaining(['old', 'next']))
        expect(await next.ask('renew')).toEqual(expect.arrayContaining(['old', 'next']))
      }
      expect(await old.ask('lease')).toBe('old')
      expect(await old.ask('write')).toBe('resolved')
      // It misses its renewals.
      await pass(pool, leaseTime / 1.5)
      await next.ask('renew')
      await pass(pool, leaseTime / 2)
      expect(await next.ask('lease')).toBe('next')
      // Before the new one has claimed the session.
      expect(await old.ask('write')).toBe('lost-session')
      expect(await old.ask('renew')).toBe(null)
      expect(await next.ask('claim')).toBe(2)
      expect(await next.ask('write')).toBe('resolved')
      expect(await old.ask('write')).toBe('lost-session')
      expect(await old.ask('lease')).toBe('next')
      // A lease of somebody else cannot be given back.
      await old.ask('release')
      expect(await old.ask('lease')).toBe('next')
      await old.ask('join')
      expect(await old.ask('renew')).toEqual(expect.arrayContaining(['old', 'next']))
      // One that is killed gives nothing back: its lease ends with it.
      await next.kill()
      expect(await old.ask('lease')).toBe('next')
      await pass(pool, leaseTime / 1.5)
      await old.ask('renew')
      await pass(pool, leaseTime / 2)
      expect(await old.ask('lease')).toBe('old')
      await old.ask('release')
      expect((await pool.query('SELECT FROM tool_agent_leases')).rows).toEqual([])
    } finally {
      await old.kill()
      await next.kill()
    }
  }
})

test('of many processes that ask at once, exactly one has the lease, also when the one that had it is over', async ({
  postgres,
}) => {
  const { schema, pool } = await postgres.place()
  const all = Array.from({ length: 10 }, () => postgresStore(postgres.pool({ schema, max: 1 }), { leaseTime }).cluster)
  await Promise.all(all.map((one, at) => one.join(`p${at}`)))
  const takeAll = () => Promise.all(all.map((one, at) => one.lease(session, `p${at}`)))
  for (let time = 0; time < 20; time++) {
    const holders = new Set(await takeAll())
    expect(holders.size).toBe(1)
    const [holder = ''] = holders
    const at = Number(holder.slice(1))
    if (time % 2 === 0) await all[at]!.release(session, holder, time % 4 === 0)
    else {
      await pool.query('UPDATE tool_agent_processes SET until = now() WHERE process = $1', [holder])
      const others = all.flatMap((one, own) => (own === at ? [] : [one.lease(session, `p${own}`)]))
      const after = new Set(await Promise.all(others))
      expect(after.size).toBe(1)
      expect(after).not.toContain(holder)
      await all[at]!.join(holder)
    }
  }
})

test('a process that is over has no lease, and none that it left is lost', async ({ postgres }) => {
  const { pool, store, cluster } = await members(postgres, 'p', 'q')
  const written = store.forUser('anna')
  await create(written, sessionWith('a', [question(0)]))
  const epoch = async () => (await written.read('a', 0))?.epoch
  expect(await cluster.lease(session, 'p')).toBe('p')
  expect(await epoch()).toBe(2)
  expect(await cluster.lease(session, 'p')).toBe('p')
  expect(await epoch()).toBe(2)
  await pool.query("UPDATE tool_agent_processes SET until = now() WHERE process = 'p'")
  expect(await cluster.renew('p')).toBeUndefined()
  // Nobody has worked meanwhile, but nobody can know.
  expect(await outcomeOf(cluster.lease(session, 'p'))).toBe('storage')
  // As many as are asked for, each once, and with a new epoch.
  for (const id of ['b', 'c']) {
    await cluster.lease({ user: 'anna', session: id }, 'q')
    await cluster.release({ user: 'anna', session: id }, 'q', true)
  }
  const adopted = [...(await cluster.adopt('q', 2)), ...(await cluster.adopt('q', 2)), ...(await cluster.adopt('q', 2))]
  expect(adopted.toSorted((one, other) => one.session.localeCompare(other.session))).toEqual([
    session,
    { user: 'anna', session: 'b' },
    { user: 'anna', session: 'c' },
  ])
  expect(await epoch()).toBe(3)
  expect(await outcomeOf(written.commit('a', 2, { draft: null }))).toBe('lost-session')
  await cluster.leave('q')
  await cluster.join('r')
  expect(await cluster.adopt('r', 9)).toHaveLength(3)
})

test('sessions that were adopted are not lost with the answer that names them', async ({ postgres }) => {
  const { pool, cluster } = await members(postgres, 'p', 'q')
  for (const id of ['a', 'b', 'c']) await cluster.lease({ user: 'anna', session: id }, 'p')
  await cluster.leave('p')
  let isCut = false
  const cut = {
    connect: () => pool.connect(),
    async query(text: string, values?: unknown[]) {
      const answer = await pool.query(text, values)
      if (isCut || !text.includes('adopted')) return answer
      isCut = true
      throw Object.assign(new Error('cut'), { code: '08006' })
    },
  }
  const adopted = await postgresStore(cut).cluster.adopt('q', 2)
  expect(isCut).toBe(true)
  expect(adopted.map(({ session: id }) => id).toSorted()).toEqual(['a', 'b', 'c'])
})

test('odd names of users and sessions are leases of their own, and go with their user', async ({ postgres }) => {
  const { pool, store, cluster } = await members(postgres, 'p')
  const odd = ['a', '\ud800', '"a"', 'a\0']
  for (const user of odd) for (const id of odd) expect(await cluster.lease({ user, session: id }, 'p')).toBe('p')
  await cluster.leave('p')
  await cluster.join('q')
  const adopted = await cluster.adopt('q', 99)
  expect(new Set(adopted.map(({ user, session: id }) => JSON.stringify([user, id])))).toEqual(
    new Set(odd.flatMap((user) => odd.map((id) => JSON.stringify([user, id])))),
  )
  await store.deleteUser('a')
  expect((await pool.query('SELECT FROM tool_agent_leases')).rows).toHaveLength(12)
})

test('a take-over that waits sees what the process before has stored first meanwhile', async ({ postgres }) => {
  const { pool, store, cluster } = await members(postgres, 'old', 'next')
  await cluster.lease(session, 'old')
  const written = store.forUser('anna')
  const { epoch } = await written.claim('a', 9)
  await pool.query("UPDATE tool_agent_processes SET until = now() WHERE process = 'old'")
  const held = await pool.connect()
  await held.query('BEGIN')
  await held.query('SELECT FROM tool_agent_leases FOR UPDATE')
  const taken = cluster.lease(session, 'next')
  const waiting =
    "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%DELETE FROM tool_agent_processes%'"
  await expect.poll(async () => (await pool.query(waiting)).rows.length).toBe(1)
  const stored = sessionWith('a', [question(0)])
  await written.commit('a', epoch, allOf(stored))
  await held.query('COMMIT')
  held.release()
  expect(await taken).toBe('next')
  expect(await outcomeOf(written.commit('a', epoch, added(stored, question(1))))).toBe('lost-session')
})

test('mail arrives in its order, until it is read, and mail of a newer version waits', async ({ postgres }) => {
  const { pool, cluster } = await members(postgres, 'p', 'q')
  const woken: string[] = []
  const stop = await cluster.listen(
    'p',
    () => woken.push('p'),
    () => undefined,
  )
  expect(stop).toBeDefined()
  woken.length = 0
  for (let at = 0; at < 250; at++) await cluster.post({ to: 'p', version: 1 + (at % 5 === 4 ? 1 : 0), body: `${at}` })
  await cluster.post({ to: 'q', version: 1, body: 'other' })
  const bodies: string[] = []
  for (let read: string[] = []; ;) {
    const arrived = await cluster.collect('p', 1, read)
    // Asked again without a receipt, the same comes again.
    expect(await cluster.collect('p', 1, read)).toEqual(arrived)
    if (arrived.length === 0) break
    bodies.push(...arrived.map(({ body }) => body))
    read = arrived.map(({ id }) => id)
  }
  expect(bodies).toEqual(Array.from({ length: 250 }, (_, at) => `${at}`).filter((_, at) => at % 5 !== 4))
  await expect.poll(() => woken.length).toBeGreaterThan(0)
  expect(await cluster.collect('p', 2, [])).toHaveLength(50)
  // What nobody reads goes.
  await pool.query("UPDATE tool_agent_mail SET at = at - interval '61 seconds'")
  await cluster.renew('p')
  expect((await pool.query('SELECT FROM tool_agent_mail')).rows).toEqual([])
  stop!()
})

test('mail that arrives after newer mail is found until the second renewal', async ({ postgres }) => {
  const { pool, cluster } = await members(postgres, 'p')
  await cluster.renew('p')
  for (const renewals of [1, 2]) {
    const late = await pool.connect()
    await late.query('BEGIN')
    await late.query("INSERT INTO tool_agent_mail (process, version, body) VALUES ('p', 1, 'late')")
    await cluster.post({ to: 'p', version: 1, body: 'newer' })
    const [newer] = await cluster.collect('p', 1, [])
    expect(newer?.body).toBe('newer')
    for (let time = 0; time < renewals; time++) await cluster.renew('p')
    await late.query('COMMIT')
    late.release()
    const arrived = await cluster.collect('p', 1, [newer!.id])
    expect(arrived.map(({ body }) => body)).toEqual(renewals === 1 ? ['late'] : [])
    const ids = arrived.map(({ id }) => id)
    expect(await cluster.collect('p', 1, ids)).toEqual([])
  }
})

test('mail that is sent after a crash of the database arrives', async () => {
  const own = await startPostgres()
  try {
    const { cluster } = await members(own, 'p')
    for (let at = 0; at < 5; at++) {
      await cluster.post({ to: 'p', version: 1, body: `${at}` })
      const [one] = await cluster.collect('p', 1, [])
      await cluster.collect('p', 1, [one!.id])
      await cluster.renew('p')
    }
    await own.crash()
    await own.start()
    await cluster.post({ to: 'p', version: 1, body: 'after' })
    expect(await cluster.collect('p', 1, [])).toMatchObject([{ body: 'after' }])
  } finally {
    await own.stop()
  }
})

test('behind a pooler in transaction mode nobody is told, and that is known', async ({ postgres }) => {
  const pool = await postgres.pooled()
  const { cluster } = postgresStore(pool)
  await cluster.join('p')
  expect(
    await cluster.listen(
      'p',
      () => undefined,
      () => undefined,
    ),
  ).toBeUndefined()
  // Another pool may listen.
  const { pool: direct } = await postgres.place()
  const listening = postgresStore(pool, { listenOn: direct }).cluster
  const stop = await listening.listen(
    'p',
    () => undefined,
    () => undefined,
  )
  expect(stop).toBeDefined()
  stop!()
})

test('a connection that listens and breaks is told', async ({ postgres }) => {
  const { schema, cluster } = await members(postgres, 'p')
  const lost = new Promise<void>((resolve) => {
    void cluster.listen('p', () => undefined, resolve).then(() => postgres.cut(schema))
  })
  await lost
})
