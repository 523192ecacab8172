// postgresStore on a server of its own: the conformance of stores, and what several processes and broken connections do.
import type { EventEmitter } from 'node:events'
import type { Message } from '../../../../src/core/data/message.js'
import { sessionHeadOf, type StoreChange } from '../../../../src/core/state/store.js'
import { migrate } from '../../../../src/host/store/postgres/schema.js'
import type { Migration } from '../../../../src/host/store/sql-migrations.js'
import { postgresStore, type PostgresPool, type PostgresStore } from '../../../../src/server.js'
import { storeConformance } from '../../../../src/testing.js'
import { added, allOf, create, outcomeOf, question, sessionWith } from '../../../../src/testing/store/support.js'
import { deferred } from '../../../support/lab/lab.js'
import { expect, test } from '../../../support/postgres/postgres-test.js'
import { startPostgres, type Pool, type Postgres } from '../../../support/postgres/server.js'

test.setTimeout(600_000) // The first test installs the client, and the orders of the conformance are many statements.

interface Place {
  readonly schema: string
  pool: Pool
  store: PostgresStore
}

let server: Postgres

test.beforeEach(({ postgres }) => {
  server = postgres
})

const cases = storeConformance<Place>({
  async create() {
    const { schema, pool } = await server.place()
    return { schema, pool, store: postgresStore(pool) }
  },
  open: ({ store }) => store.forUser('somebody'),
  openAs: ({ store }, user) => store.forUser(user),
  hasFiles: () => true,
  async crash(place) {
    // The process before cannot go on with another connection.
    const ended = place.pool.end()
    await server.cut(place.schema)
    await ended
    place.pool = server.pool({ schema: place.schema })
    place.store = postgresStore(place.pool)
  },
  remove: ({ pool }) => pool.end(),
})
test.describe('conformance', { tag: ['@R6.1', '@F24', '@F41'] }, () => {
  for (const { title, skip, run } of cases) if (skip === undefined) test(title, run)
})

/** The same behind a pooler, without the long ones: which connection runs a statement must not matter. */
const pooled = storeConformance<PostgresStore>({
  create: async () => postgresStore(await server.pooled()),
  open: (store) => store.forUser('somebody'),
  openAs: (store, user) => store.forUser(user),
  hasFiles: () => true,
})
test.describe('behind PgBouncer', () => {
  for (const { title, skip, run } of pooled)
    if (skip === undefined && !/megabytes|orders|every text/.test(title)) test(title, run)
})

const id = 'a'
const first = sessionWith(id, [question(0)])
const draft = (step: number) => ({ id: 'd', step, parts: [] })
/** A change of every table. */
const everything = (at: number): StoreChange => ({
  ...added({ ...first, messages: Array.from({ length: at }, (_, index) => question(index)) }, question(at)),
  result: { callId: `c${at}`, value: at },
  draft: draft(at),
})

const png = (file: string, data = 'iVBORw0KGgo=') => ({ id: file, mediaType: 'image/png', data })
const withFile = (place: number, upload: string): Message => ({
  id: `m${place}`,
  role: 'user',
  at: 1,
  parts: [{ type: 'file', mediaType: 'image/png', data: '', upload }],
})

/** The newest state of the session: its epoch and revision, the ids of its messages, the step of its draft. */
async function stateOf(pool: Pool): Promise<unknown> {
  const { rows } = await pool.query(
    `SELECT epoch::float8, revision::integer,
      (SELECT json_agg(place ORDER BY place) FROM tool_agent_messages WHERE session = key) AS places,
      (SELECT draft::json->'step' FROM tool_agent_drafts WHERE session = key) AS step,
      (SELECT count(*)::integer FROM tool_agent_results WHERE session = key) AS results
    FROM tool_agent_sessions WHERE id = $1`,
    [id],
  )
  return rows[0]
}

/** A pool whose queries `change` may replace. */
function altered(
  pool: Pool,
  change: (sql: string, values: unknown[], run: () => ReturnType<Pool['query']>) => ReturnType<Pool['query']>,
): PostgresPool {
  return {
    query: (sql, values = []) => change(sql, values, () => pool.query(sql, values)),
    connect: () => pool.connect(),
  }
}

/** A pool whose transactions `change` may alter, statement by statement. */
function alteredTransactions(
  pool: Pool,
  change: (sql: string, run: (sql?: string) => Promise<{ rows: unknown[] }>) => Promise<{ rows: unknown[] }>,
): PostgresPool {
  return {
    query: (sql, values) => pool.query(sql, values),
    async connect() {
      const client = await pool.connect()
      return {
        on: client.on!.bind(client),
        off: client.off!.bind(client),
        release: (isBroken) => client.release(isBroken),
        query: (sql, values) => change(sql, (instead = sql) => client.query(instead, values)),
      }
    },
  }
}

const broken = () => new Error('Connection terminated unexpectedly')
const isCommit = (sql: string) => sql.startsWith('WITH session AS')

test('of two connections that store a new session at the same time, exactly one has it', async () => {
  const { schema, pool } = await server.place()
  const stores = [pool, server.pool({ schema })].map((one) => postgresStore(one).forUser('u'))
  for (let at = 0; at < 20; at++) {
    const given = sessionWith(`new-${at}`, [question(0)])
    const epochs = await Promise.all(stores.map((store) => store.claim(given.id, 0)))
    const outcomes = await Promise.all(
      stores.map((store, host) =>
        outcomeOf(store.commit(given.id, epochs[host]!.epoch, allOf({ ...given, title: `of ${host}` }))),
      ),
    )
    expect(outcomes.toSorted()).toEqual(['lost-session', 'resolved'])
    const winner = outcomes.indexOf('resolved')
    expect(await stores[0]!.read(given.id, 9)).toMatchObject({ epoch: epochs[winner]!.epoch, title: `of ${winner}` })
  }
})

test('a hundred sessions are written at the same time over one connection, and over ten that break', async () => {
  for (const max of [1, 10]) {
    const { schema, pool } = await server.place({ max })
    const store = postgresStore(pool)
    let commits = 0
    let cuts = 0
    const write = async (user: string) => {
      const own = store.forUser(user)
      const { epoch } = await own.claim(id, 0)
      await own.commit(id, epoch, allOf(first))
      for (let at = 1; at < 5; at++) {
        await own.commit(id, epoch, everything(at))
        if (max > 1 && ++commits % 100 === 50) cuts += await server.cut(schema)
      }
      const read = await own.read(id, 99)
      expect(read?.messages.map((message) => message.id)).toEqual(['m0', 'm1', 'm2', 'm3', 'm4'])
      expect(await own.result(id, 'c4')).toEqual({ value: 4 })
    }
    await Promise.all(Array.from({ length: 100 }, (_, at) => write(`user ${at}`)))
    expect(cuts > 0).toBe(max > 1)
    // None was written twice.
    const { rows } = await pool.query('SELECT DISTINCT revision::integer AS revision FROM tool_agent_sessions')
    expect(rows).toEqual([{ revision: 5 }])
    await pool.end()
  }
})

test('a commit whose connection is cut leaves nothing behind, and runs again', async () => {
  const { schema, pool } = await server.place()
  const store = postgresStore(pool).forUser('u')
  await create(store, first)
  const before = await stateOf(pool)
  const blocker = await server.pool({ schema: `${schema}` }).connect()
  await blocker.query('BEGIN')
  await blocker.query('SELECT FROM tool_agent_sessions FOR UPDATE')
  const late = outcomeOf(store.commit(id, 1, everything(1)))
  const waiting = `SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'`
  let ended: string | undefined
  void late.then((outcome) => (ended = outcome))
  const waitingPid = async (not?: unknown) => {
    for (;;) {
      expect(ended).toBeUndefined()
      const { rows } = await pool.query(waiting, [schema])
      if (rows[0] && rows[0]['pid'] !== not) return rows[0]['pid']
    }
  }
  const pid = await waitingPid()
  await pool.query('SELECT pg_terminate_backend($1)', [pid])
  await waitingPid(pid)
  expect(await stateOf(pool)).toEqual(before)
  await blocker.query('COMMIT')
  blocker.release()
  expect(await late).toBe('resolved')
  expect(await stateOf(pool)).toEqual({ epoch: 1, revision: 2, places: [0, 1], step: 1, results: 1 })
})

test('a claim whose connection is cut within its transaction raises the epoch once', async () => {
  const { pool } = await server.place()
  await create(postgresStore(pool).forUser('u'), first)
  let cuts = 0
  const cutting: PostgresPool = {
    query: (sql, values) => pool.query(sql, values),
    async connect() {
      const client = await pool.connect()
      return {
        on: client.on!.bind(client),
        off: client.off!.bind(client),
        release: (isBroken) => client.release(isBroken),
        async query(sql, values) {
          const answered = await client.query(sql, values)
          if (sql.startsWith('UPDATE') && cuts++ === 0) {
            // Between two statements: the connection says so with an event `error` first, which would end the process.
            const ended = new Promise((resolve) => (client as unknown as EventEmitter).once('end', resolve))
            const { rows } = (await client.query('SELECT pg_backend_pid() AS pid')) as { rows: { pid: number }[] }
            await pool.query('SELECT pg_terminate_backend($1)', [rows[0]!.pid])
            await ended
          }
          return answered
        },
      }
    },
  }
  const { epoch, session } = await postgresStore(cutting).forUser('u').claim(id, 9)
  expect([cuts, epoch, session?.messages.length]).toEqual([2, 2, 1])
})

test('a commit whose answer is lost is written once, and one that arrives late changes nothing', async () => {
  for (const kind of ['answer', 'late'] as const) {
    const { pool } = await server.place()
    let isNext = true
    const delayed: (() => unknown)[] = []
    const losing = altered(pool, async (sql, _values, run) => {
      if (!isCommit(sql)) return run()
      isNext = !isNext
      if (isNext) return run()
      // Every other attempt fails: after the statement, or before it, which then runs when others are over.
      if (kind === 'answer') await run()
      else delayed.push(run)
      throw broken()
    })
    const store = postgresStore(losing).forUser('u')
    const { epoch } = await store.claim(id, 0)
    await store.commit(id, epoch, allOf(first))
    await store.commit(id, epoch, everything(1))
    await store.commit(id, epoch, { draft: draft(7) })
    await store.commit(id, epoch, { ...everything(2), draft: null })
    const expected = { epoch, revision: 3, places: [0, 1, 2], step: null, results: 2 }
    expect(await stateOf(pool)).toEqual(expected)
    // A session that is written with an epoch that it had before.
    await store.claim('b', 0)
    expect(await outcomeOf(store.commit('b', 4, { ...allOf(sessionWith('b', [question(0)])), whole: true }))).toBe(
      'resolved',
    )
    expect(delayed).toHaveLength(kind === 'late' ? 5 : 0)
    for (const run of delayed) {
      await run()
      expect(await stateOf(pool)).toEqual(expected)
    }
  }
})

test('a host whose database has lost its commits is told, and writes nothing', async () => {
  const { pool } = await server.place()
  const store = postgresStore(pool).forUser('u')
  await create(store, first)
  const { rows } = await pool.query('SELECT head, revision FROM tool_agent_sessions')
  await store.commit(id, 1, everything(1))
  // As a standby that takes over without the newest commit.
  await pool.query('UPDATE tool_agent_sessions SET head = $1, revision = $2', [rows[0]!['head'], rows[0]!['revision']])
  await pool.query('DELETE FROM tool_agent_messages WHERE place = 1')
  expect(await outcomeOf(store.commit(id, 1, everything(2)))).toBe('lost-session')
  expect((await store.claim(id, 9)).session?.messages).toEqual([question(0)])
  expect(await outcomeOf(store.commit(id, 2, everything(1)))).toBe('resolved')
})

test('a conflict that another isolation reports is no error', async () => {
  const { schema, pool } = await server.place({ settings: '-c default_transaction_isolation=repeatable\\ read' })
  const store = postgresStore(pool).forUser('u')
  await create(store, first)
  const other = await server.pool({ schema }).connect()
  await other.query('BEGIN')
  await other.query('UPDATE tool_agent_sessions SET scope = scope')
  const late = outcomeOf(store.commit(id, 1, everything(1)))
  const waiting = "SELECT FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'"
  while ((await pool.query(waiting, [schema])).rows.length === 0);
  await other.query('COMMIT')
  other.release()
  expect(await late).toBe('resolved')
})

test('every commit but that of a draft alone waits for the disk, whatever the database does by default', async () => {
  const own = await startPostgres({ isDurable: true })
  try {
    const { schema, pool } = await own.place({ settings: '-c synchronous_commit=off' })
    const store = postgresStore(pool).forUser('u')
    await create(store, first)
    for (let at = 1; at < 4; at++) {
      await store.commit(id, at, everything(at))
      await own.crash()
      await own.start()
      expect(await stateOf(own.pool({ schema }))).toMatchObject({
        epoch: at,
        places: Array.from({ length: at + 1 }, (_, place) => place),
      })
      // A claim as well: two hosts with one epoch would both write.
      expect((await store.claim(id, 0)).epoch).toBe(at + 1)
      await own.crash()
      await own.start()
      expect(await stateOf(own.pool({ schema }))).toMatchObject({ epoch: at + 1 })
    }
    await store.delete(id)
    await own.crash()
    await own.start()
    expect(await stateOf(own.pool({ schema }))).toBeUndefined()
  } finally {
    await own.stop()
  }
})

test('a draft alone does not wait for the disk, unless it is strict', async () => {
  const { pool } = await server.place()
  const sent: string[] = []
  const store = postgresStore(
    altered(pool, (sql, _values, run) => {
      if (isCommit(sql)) sent.push(/'(on|off)'(?: END)?, true/.exec(sql)![1]!)
      return run()
    }),
  ).forUser('u')
  await create(store, first)
  await store.commit(id, 1, { draft: draft(1) })
  await store.commit(id, 1, { draft: draft(2), strict: true })
  await store.commit(id, 1, { draft: null })
  expect(sent).toEqual(['on', 'off', 'on', 'on'])
})

test('processes that start together on an empty database create the tables once', async () => {
  const { schema, pool } = await server.place()
  const stores = Array.from({ length: 8 }, () => postgresStore(server.pool({ schema })))
  const outcomes = stores.map((store, at) =>
    outcomeOf(at % 2 === 0 ? store.migrate() : create(store.forUser('u'), sessionWith(`s${at}`, [question(0)]))),
  )
  expect(await Promise.all(outcomes)).toEqual(outcomes.map(() => 'resolved'))
  expect((await pool.query('SELECT * FROM tool_agent_schema')).rows).toEqual([{ version: 1, oldest: 1 }])
  expect(await stores[0]!.forUser('u').list('me')).toHaveLength(4)
})

test('an older release works with an expanded schema, and refuses one from which something was removed', async () => {
  const { pool } = await server.place()
  await postgresStore(pool).migrate()
  const step = (oldest: number, sql: string): Migration => ({ oldest, sql })
  const expand = step(1, 'ALTER TABLE tool_agent_sessions ADD COLUMN extra text')
  const contract = step(2, 'ALTER TABLE tool_agent_sessions RENAME COLUMN head TO content')
  const nothing = step(3, 'ALTER TABLE tool_agent_nothing ADD COLUMN extra text')
  const version = async () => (await pool.query('SELECT * FROM tool_agent_schema')).rows[0]
  await migrate(pool, [step(1, ''), expand])
  expect(await version()).toEqual({ version: 2, oldest: 1 })
  await create(postgresStore(pool).forUser('u'), first)
  // A migration that fails changes nothing.
  await expect(migrate(pool, [step(1, ''), expand, step(3, contract.sql), nothing])).rejects.toThrow(
    'tool_agent_nothing',
  )
  expect(await version()).toEqual({ version: 2, oldest: 1 })
  await create(postgresStore(pool).forUser('v'), first)
  await migrate(pool, [step(1, ''), expand, contract])
  await expect(postgresStore(pool).migrate()).rejects.toMatchObject({
    code: 'storage',
    message:
      'The database has version 3 of the conversations, which code of version 2 or newer can read; this is version 1. ' +
      'Install the newer tool-agent again, or restore a backup.',
  })
})

test('a role that may change rows alone can use the tables', async () => {
  const { schema, pool } = await server.place()
  await postgresStore(pool).migrate()
  await pool.query('CREATE ROLE assistant')
  await pool.query(`GRANT USAGE ON SCHEMA ${schema} TO assistant`)
  await pool.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO assistant`)
  const store = postgresStore(server.pool({ schema, settings: '-c role=assistant' }))
  await create(store.forUser('u'), first)
  await store.forUser('u').claim(id, 0)
  await store.deleteUser('u')
  expect(await stateOf(pool)).toBeUndefined()
})

test('deletes everything of a user in one statement, and nothing of others', async () => {
  const { pool } = await server.place()
  const sent: string[] = []
  const store = postgresStore(
    altered(pool, (sql, _values, run) => {
      sent.push(sql)
      return run()
    }),
  )
  const [anna, ben] = [store.forUser('anna'), store.forUser('ben')]
  for (const of of [anna, ben]) {
    for (const one of ['a', 'b']) {
      await create(of, sessionWith(one, [question(0)]))
      await of.commit(one, 1, { result: { callId: 'c', value: 'long' }, draft: draft(1) })
    }
    // One belongs to a conversation, the other to none.
    for (const file of ['sent', 'unsent']) await of.files!.add(png(file), { most: 99, before: 0 })
    await of.commit('a', 1, added(first, withFile(1, 'sent')))
  }
  const rowsOf = async () =>
    Promise.all(
      ['sessions', 'messages', 'results', 'drafts', 'files'].map(
        async (table) => (await pool.query(`SELECT FROM tool_agent_${table}`)).rows.length,
      ),
    )
  expect(await rowsOf()).toEqual([4, 6, 4, 4, 4])
  sent.length = 0
  await store.deleteUser('anna')
  expect(sent).toHaveLength(1)
  expect(await rowsOf()).toEqual([2, 3, 2, 2, 2])
  expect((await ben.list('me')).length).toBe(2)
  expect(await outcomeOf(anna.commit('a', 1, { draft: null }))).toBe('session-deleted')
  expect(await outcomeOf(store.deleteUser('nobody'))).toBe('resolved')
  expect(await outcomeOf(store.deleteUser(''))).toBe('invalid-option')
})

test('deletes the conversations of all users that nobody has used since a time', async () => {
  const { pool } = await server.place()
  const store = postgresStore(pool)
  await store.migrate()
  await pool.query(
    `INSERT INTO tool_agent_sessions (user_id, id, scope, updated, epoch, revision, length, head)
    SELECT 'u' || n % 7, 's' || n, 'me', n, 1, 1, 0, '{}' FROM generate_series(1, 1200) AS n`,
  )
  await pool.query(
    `INSERT INTO tool_agent_files (user_id, id, session, added, type, size, content)
    SELECT user_id, id, key, 1, 'image/png', 4, 'abc' FROM tool_agent_sessions WHERE updated IN (7, 1001)`,
  )
  expect(
    await Promise.all([store.deleteUnused(1_000), store.deleteUnused(1_000)]).then(([one, other]) => one + other),
  ).toBe(999)
  const { rows } = await pool.query('SELECT count(*)::integer, min(updated) FROM tool_agent_sessions')
  expect(rows).toEqual([{ count: 201, min: 1_000 }])
  expect((await pool.query('SELECT id FROM tool_agent_files')).rows).toEqual([{ id: 's1001' }])
  expect(await store.deleteUnused(1_000)).toBe(0)
  await expect(store.deleteUnused(Number.NaN)).rejects.toMatchObject({ code: 'invalid-option' })
})

test('processes that add files for one user at the same time wait for each other, and none exceeds the room', async () => {
  const { schema, pool } = await server.place()
  await postgresStore(pool).migrate()
  const bounds = { most: 1_000, before: 0 }
  const large = (file: string) => png(file, 'x'.repeat(600))
  const [held, mayCommit] = [deferred<void>(), deferred<void>()]
  const holding = alteredTransactions(pool, async (sql, run) => {
    if (sql !== 'COMMIT') return run()
    held.resolve()
    await mayCommit.promise
    return run()
  })
  const one = outcomeOf(postgresStore(holding).forUser('u').files!.add(large('one'), bounds))
  await held.promise
  const other = postgresStore(server.pool({ schema }))
  let ended: string | undefined
  const two = outcomeOf(other.forUser('u').files!.add(large('two'), bounds)).then((outcome) => (ended = outcome))
  const waiting = "SELECT FROM pg_stat_activity WHERE application_name = $1 AND wait_event = 'advisory'"
  while ((await pool.query(waiting, [schema])).rows.length === 0) expect(ended).toBeUndefined()
  // It is about this user alone.
  await other.forUser('v').files!.add(large('two'), bounds)
  mayCommit.resolve()
  expect([await one, await two]).toEqual(['resolved', 'request-too-large'])

  const stores = Array.from({ length: 8 }, () => postgresStore(server.pool({ schema, max: 2 })).forUser('w').files!)
  const outcomes = await Promise.all(
    Array.from({ length: 32 }, (_, at) => outcomeOf(stores[at % 8]!.add(png(`f${at}`, 'x'.repeat(100)), bounds))),
  )
  expect(outcomes.filter((outcome) => outcome === 'resolved')).toHaveLength(10)
  expect(new Set(outcomes)).toEqual(new Set(['resolved', 'request-too-large']))
  const sum =
    "SELECT sum(size)::integer, sum(length(content))::integer AS bytes FROM tool_agent_files WHERE user_id = 'w'"
  expect((await pool.query(sum)).rows).toEqual([{ sum: 1_000, bytes: 750 }])
})

test('a process that stands still in a transaction keeps no lock, and runs it again when it goes on', async () => {
  const { schema, pool } = await server.place()
  await postgresStore(pool).migrate()
  let stands = true
  const [standing, goesOn] = [deferred<void>(), deferred<void>()]
  const still = alteredTransactions(pool, async (sql, run) => {
    if (sql !== 'COMMIT' || !stands) return run(sql.replace("'30s'", "'1s'"))
    stands = false
    standing.resolve()
    await goesOn.promise
    return run()
  })
  const bounds = { most: 1_000, before: 0 }
  const one = outcomeOf(
    postgresStore(still)
      .forUser('u')
      .files!.add(png('one', 'x'.repeat(400)), bounds),
  )
  await standing.promise
  // So that a wait without end is an error.
  await postgresStore(server.pool({ schema, settings: '-c lock_timeout=20s' }))
    .forUser('u')
    .files!.add(png('two', 'x'.repeat(600)), bounds)
  expect((await pool.query('SELECT id FROM tool_agent_files')).rows).toEqual([{ id: 'two' }])
  goesOn.resolve()
  expect(await one).toBe('resolved')
  expect((await pool.query('SELECT sum(size)::integer FROM tool_agent_files')).rows).toEqual([{ sum: 1_000 }])
})

test('a file whose answer was lost is added once, and counts once', async () => {
  const { pool } = await server.place()
  await postgresStore(pool).migrate()
  let losses = 0
  const losing = alteredTransactions(pool, async (sql, run) => {
    const answered = await run()
    if (sql === 'COMMIT' && losses++ === 0) throw broken()
    return answered
  })
  const { files } = postgresStore(losing).forUser('u')
  await files!.add(png('one', 'x'.repeat(600)), { most: 1_000, before: 0 })
  expect(losses).toBe(2)
  expect((await pool.query('SELECT id, size FROM tool_agent_files')).rows).toEqual([{ id: 'one', size: 600 }])
})

test('files that were never sent are deleted without waiting for those that somebody holds', async () => {
  // So that a wait is an error, and not one without end.
  const { schema, pool } = await server.place({ settings: '-c lock_timeout=5s' })
  const files = postgresStore(pool).forUser('u').files!
  const bounds = { most: 1_000, before: 0 }
  for (const file of ['held', 'old']) await files.add(png(file), bounds)
  const other = await server.pool({ schema }).connect()
  await other.query('BEGIN')
  // As a message does that is sent just now.
  await other.query("SELECT FROM tool_agent_files WHERE id = 'held' FOR UPDATE")
  await postgresStore(pool)
    .forUser('v')
    .files!.add(png('new'), { most: 1_000, before: Date.now() + 60_000 })
  await other.query('COMMIT')
  other.release()
  expect((await pool.query('SELECT id FROM tool_agent_files ORDER BY id')).rows).toEqual([
    { id: 'held' },
    { id: 'new' },
  ])
})

test('a forgotten user, a wrong pool, a wrong encoding and a closed store are refused in words', async () => {
  const { pool } = await server.place()
  const store = postgresStore(pool)
  const thrown = (work: () => unknown) => {
    try {
      work()
    } catch (error) {
      return String(error)
    }
    return 'nothing'
  }
  expect(['', undefined, 7].map((user) => thrown(() => store.forUser(user as string)))).toEqual(
    ['an empty text', 'undefined', '7'].map(
      (received) => `ToolAgentError: postgresStore expected the id of a user, received ${received}.`,
    ),
  )
  for (const wrong of [undefined, {}, 'postgres://localhost', { query: () => undefined }])
    expect(thrown(() => postgresStore(wrong as unknown as PostgresPool))).toBe(
      'ToolAgentError: postgresStore expects a pool: new Pool({ connectionString }) of pg.',
    )
  await pool.query("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'")
  await expect(postgresStore(server.pool({ database: 'latin' })).migrate()).rejects.toMatchObject({
    code: 'storage',
    message: "The database has the encoding LATIN1, expected UTF8. Create it with ENCODING 'UTF8'.",
  })
  const user = store.forUser('u')
  const last = create(user, first)
  await last
  const commit = outcomeOf(user.commit(id, 1, everything(1)))
  await store.close()
  // It has waited, and the pool is still open.
  expect(await stateOf(pool)).toMatchObject({ revision: 2 })
  expect(await commit).toBe('resolved')
  await expect(user.read(id, 1)).rejects.toThrow('The store was closed.')
  await expect(user.files!.add(png('late'), { most: 99, before: 0 })).rejects.toThrow('The store was closed.')
})

test('an error says nothing of the server, and one that may pass is tried again', async () => {
  const { pool } = await server.place()
  const failing = (error: Error, times: number) => {
    let left = times
    return altered(pool, (sql, _values, run) => (isCommit(sql) && left-- > 0 ? Promise.reject(error) : run()))
  }
  const sqlError = (code: string) => Object.assign(new Error('10.0.0.7 refused "shop"'), { code })
  const outcome = async (error: Error, times = 99) => {
    const own = postgresStore(failing(error, times)).forUser('u')
    const { epoch } = await own.claim(id, 0)
    return own.commit(id, epoch, allOf(first)).then(
      () => own.delete(id),
      ({ code, message, details }: { code: string; message: string; details?: unknown }) => ({
        code,
        message,
        details,
      }),
    )
  }
  const unreachable = { code: 'storage', message: 'The database cannot be reached.', details: undefined }
  expect(await outcome(sqlError('ECONNREFUSED'))).toEqual(unreachable)
  expect(await outcome(sqlError('42501'), 1)).toEqual({
    ...unreachable,
    message: 'The database failed (SQLSTATE 42501).',
  })
  expect(await outcome(sqlError('53100'), 1)).toEqual({
    code: 'storage',
    message: 'The disk of the server is full, so this conversation cannot be saved.',
    details: { name: 'QuotaExceededError' },
  })
  for (const code of ['57P01', '25P03', '08006', '40P01', 'ECONNRESET'])
    expect(await outcome(sqlError(code), 2), code).toBeUndefined()
})

test('the first use of a database that cannot be reached fails, and a later one succeeds', async () => {
  const { pool } = await server.place()
  let isDown = true
  const store = postgresStore(
    altered(pool, (_sql, _values, run) => (isDown ? Promise.reject(new Error('down')) : run())),
  )
  await expect(store.migrate()).rejects.toMatchObject({ message: 'The database cannot be reached.' })
  isDown = false
  await create(store.forUser('u'), first)
  expect(sessionHeadOf((await store.forUser('u').read(id, 9))!)).toMatchObject({ id, length: 1 })
})
