// Two servers on one PostgreSQL, with real sockets: pages at one, sessions at the other, and servers that end or lose the
// database while turns run.
import type { ModelAdapter, ModelPart } from '../../../src/core/data/model.js'
import { allToolCalls } from '../../../src/core/data/message.js'
import { mailVersion } from '../../../src/server/cluster/links.js'
import { guestProtocol } from '../../../src/server/protocol/server-messages.js'
import { postgresStore, type SessionServerOptions } from '../../../src/server.js'
import { buysOnce } from '../../support/lab/actors.js'
import { deferred } from '../../support/lab/lab.js'
import { expect, test } from '../../support/postgres/postgres-test.js'
import type { Pool, Postgres } from '../../support/postgres/server.js'
import { asks, aServer, bought, Page, runs, type PageManner } from '../../support/server/sockets.js'

test.setTimeout(120_000)
test.beforeEach(() => {
  console.error = () => undefined
})

type Server = Awaited<ReturnType<typeof aServer>> & { readonly pool: Pool }

/** Servers on one new schema, each with a pool of its own. Those that are left open are closed. */
async function cluster<const T extends readonly ModelAdapter[]>(
  postgres: Postgres,
  models: T,
  given: Partial<SessionServerOptions> & { readonly leaseTime?: number } = {},
) {
  const { leaseTime, ...options } = given
  const { schema, pool } = await postgres.place()
  const servers: Server[] = []
  const start = async (model: ModelAdapter): Promise<Server> => {
    const own = postgres.pool({ schema })
    const store = postgresStore(own, leaseTime === undefined ? {} : { leaseTime })
    const server = { ...(await aServer(model, { ...options, store })), pool: own }
    servers.push(server)
    return server
  }
  const all = (await Promise.all(models.map(start))) as unknown as { [K in keyof T]: Server }
  return {
    all,
    schema,
    pool,
    start,
    anna: postgresStore(pool).forUser('anna'),
    close: () => Promise.all(servers.map(({ close }) => close())),
  }
}

/** A page of Anna at a server. */
const at = ({ host }: Server, manner: PageManner = { answers: runs }, user = 'anna') => new Page(host, user, manner)

/** A model that says half of its first answer, and waits until that is aborted. It says all of the others. */
function halfOnce() {
  const [begun, aborted] = [deferred(), deferred()]
  let isFirst = true
  const model: ModelAdapter = {
    async *stream(_request, signal): AsyncIterable<ModelPart> {
      yield { type: 'text-delta', id: '1', delta: 'Half' }
      if (isFirst) {
        isFirst = false
        begun.resolve()
        await new Promise((_, reject) => (signal.onabort = () => (aborted.resolve(), reject(signal.reason))))
      }
      yield { type: 'text-delta', id: '1', delta: ' and half' }
      yield { type: 'finish', finishReason: { unified: 'stop' } }
    },
  }
  return { begun, aborted, model }
}

const rests: ModelAdapter = {
  async *stream() {
    yield { type: 'text-delta', id: '1', delta: 'From the other one' }
    yield { type: 'finish', finishReason: { unified: 'stop' } }
  },
}

test('a page at one server has a session at another one, and decides and runs there', async ({ postgres }) => {
  const { all, anna, close } = await cluster(postgres, [buysOnce, rests])
  const [first, second] = all
  const desk = at(first, { answers: asks })
  expect((await desk.open('desk', 's')).mode).toBe('drive')
  const phone = at(second, { answers: asks })
  expect((await phone.open('phone', 's')).mode).toBe('mirror')
  desk.send('m1')
  await desk.acknowledged('m1')
  await phone.event('approval-request')
  phone.say({ type: 'decide', id: 'd1', callId: 'c1', hash: 'q1', decision: 'approve' })
  await phone.acknowledged('d1')
  await phone.event('turn-end')
  await desk.event('turn-end')
  // The call ran in the page that had described it, and the next step belongs to the page that decided.
  expect([desk.kinds(), phone.kinds()]).toEqual([['prepare', 'check', 'execute'], ['prepare']])
  // Both have seen the same, in the same order.
  const events = ({ seen }: Page) => seen.flatMap((one) => (one.type === 'event' ? [one.event.type] : []))
  expect(events(phone)).toEqual(events(desk).slice(-events(phone).length))
  // A message from there, too, and a file of the list of the other one.
  phone.send('m2')
  await phone.acknowledged('m2')
  const stranger = at(second, {}, 'ben')
  expect((await stranger.open('desk', 's')).session.messages).toEqual([])
  expect((await anna.read('s', 9))?.messages.filter(({ role }) => role === 'user')).toHaveLength(2)
  await close()
})

test('a request about a session that is open elsewhere is answered there', async ({ postgres }) => {
  const { all, anna, close } = await cluster(postgres, [buysOnce, buysOnce])
  const [first, second] = all
  const desk = at(first)
  await desk.open('desk', 's')
  desk.send('m1')
  await desk.event('turn-end')
  const phone = at(second)
  await phone.open('phone', 'other')
  const epoch = (await anna.read('s', 0))?.epoch
  phone.say({ type: 'request', id: 1, what: 'rename', with: { id: 's', title: 'Tea' } })
  expect(await phone.until((one) => one.type === 'reply' && one.id === 1)).toEqual({
    type: 'reply',
    id: 1,
    value: null,
  })
  expect(await anna.read('s', 0)).toMatchObject({ title: 'Tea', epoch })
  expect(desk.closed).toBeUndefined()
  // One that nobody has open.
  desk.vanish()
  await expect
    .poll(async () => (await all[0].pool.query("SELECT FROM tool_agent_leases WHERE session = 's'")).rows.length)
    .toBe(1)
  const back = at(first)
  await back.open('desk', 's')
  phone.say({ type: 'request', id: 2, what: 'delete', with: { id: 's' } })
  expect(await phone.until((one) => one.type === 'reply' && one.id === 2)).toMatchObject({ value: null })
  expect(await back.untilClosed()).toBe(4404)
  expect(await anna.read('s', 0)).toBeUndefined()
  const gone = at(second)
  await gone.open('tablet', 'other')
  first.server.closeUser('anna')
  expect(await Promise.all([phone.untilClosed(), gone.untilClosed()])).toEqual([4401, 4401])
  await close()
})

test('a server that closes leaves its turn to another one, without a page', async ({ postgres }) => {
  const { begun, model } = halfOnce()
  const ends = deferred<string>()
  const hooks = { onEnd: ({ reason }: { reason: string }) => ends.resolve(reason) }
  const { all, anna, pool, close } = await cluster(postgres, [model, rests], {
    hooks,
    limits: { pageWait: 0 },
    leaseTime: 3_000,
  })
  const [first, second] = all
  const desk = at(first)
  await desk.open('desk', 's')
  desk.send('m1')
  await begun.promise
  desk.vanish()
  await desk.untilClosed()
  await first.server.close()
  expect(await ends.promise).toBe('stop')
  const { messages = [], turn } = (await anna.read('s', 9)) ?? {}
  expect([JSON.stringify(messages), turn]).toEqual([expect.stringContaining('From the other one'), undefined])
  // Nothing is left of either.
  await second.server.close()
  for (const table of ['leases', 'processes', 'mail'])
    expect((await pool.query(`SELECT FROM tool_agent_${table}`)).rows).toEqual([])
  await close()
})

test('a server that is over works on nothing: another one goes on with its page, and the call runs once', async ({
  postgres,
}) => {
  const ran: string[] = []
  const held = deferred()
  const { all, anna, pool, close } = await cluster(postgres, [buysOnce, buysOnce], { leaseTime: 3_000 })
  const [first, second] = all
  const desk = at(first, {
    answers: (ask) => {
      if (ask.type !== 'execute') return runs(ask)
      ran.push(ask.callId)
      held.resolve()
      return undefined
    },
  })
  await desk.open('desk', 's', { page: 'document' })
  const phone = at(second)
  await phone.open('phone', 's')
  desk.send('m1')
  await held.promise
  // As if it had been too slow to renew.
  const before = (await pool.query('SELECT process FROM tool_agent_leases')).rows
  await pool.query('UPDATE tool_agent_processes SET until = now() WHERE process = $1', [before[0]!['process']])
  // Its pages connect again: the one at the other server, too.
  expect(await phone.untilClosed()).toBe(4503)
  expect([4500, 4503]).toContain(await desk.untilClosed())
  const back = at(second, { answers: (ask) => (ask.type === 'execute' ? undefined : runs(ask)) })
  await back.open('desk', 's', { page: 'document', outcomes: [bought(ran[0]!)] })
  await back.event('turn-end')
  const calls = allToolCalls((await anna.read('s', 9))?.messages ?? []).map(({ part }) => part.result?.output)
  expect([ran.length, calls, back.kinds().includes('execute')]).toEqual([1, ['yes'], false])
  await close()
})

test('a server that loses the database ends what it works on, and works again when it is back', async ({
  postgres,
}) => {
  const { begun, aborted, model } = halfOnce()
  const { all, schema, pool, start, close } = await cluster(postgres, [model], { leaseTime: 3_000 })
  const [first] = all
  const desk = at(first)
  await desk.open('desk', 's')
  desk.send('m1')
  await begun.promise
  await pool.query(`ALTER SCHEMA ${schema} RENAME TO ${schema}_away`)
  // It cannot renew, so it is over after the time of a lease: it asks the model no more.
  await aborted.promise
  expect([4500, 4503]).toContain(await desk.untilClosed())
  await pool.query(`ALTER SCHEMA ${schema}_away RENAME TO ${schema}`)
  // Another one goes on with it, or itself when it has begun anew.
  const second = await start(model)
  const phone = at(second)
  await phone.open('desk', 's')
  await phone.event('turn-end')
  // The first one is a member again.
  await expect(async () => {
    const again = at(first)
    void again.open('laptop', 's2')
    const answer = await again.until(({ type }) => type === 'session' || type === 'refused')
    again.vanish()
    expect(answer.type).toBe('session')
  }).toPass()
  await close()
})

test('mail that got lost breaks the links, and pages open their sessions again', async ({ postgres }) => {
  const { all, pool, close } = await cluster(postgres, [buysOnce, buysOnce], { leaseTime: 3_000 })
  const [first, second] = all
  await at(first).open('desk', 's')
  const phone = at(second)
  await phone.open('phone', 's')
  await pool.query(
    'CREATE FUNCTION lose() RETURNS trigger AS $$ BEGIN RETURN NULL; END $$ LANGUAGE plpgsql; ' +
      'CREATE TRIGGER lose BEFORE INSERT ON tool_agent_mail FOR EACH ROW EXECUTE FUNCTION lose()',
  )
  phone.send('m1')
  await expect.poll(async () => (await second.pool.query('SELECT FROM tool_agent_mail')).rows.length).toBe(0)
  await pool.query('DROP TRIGGER lose ON tool_agent_mail')
  expect(await phone.untilClosed()).toBe(4503)
  const back = at(second)
  await back.open('phone', 's')
  back.send('m1')
  await back.acknowledged('m1')
  await close()
})

test('a page whose session cannot be leased now connects again', async ({ postgres }) => {
  const { all, schema, pool, close } = await cluster(postgres, [rests])
  const [first] = all
  await at(first).open('laptop', 'other')
  const desk = at(first)
  await desk.until(({ type }) => type === 'ready')
  await pool.query(`ALTER SCHEMA ${schema} RENAME TO ${schema}_away`)
  void desk.open('desk', 's')
  expect(await desk.untilClosed()).toBe(4500)
  // A server that ends says nothing of it: others take over when its lease is over.
  await first.server.close()
  await pool.query(`ALTER SCHEMA ${schema}_away RENAME TO ${schema}`)
  await close()
})

test('a page that is greeted by a newer process than that of its session connects again', async ({ postgres }) => {
  const { all, pool, close } = await cluster(postgres, [rests])
  await at(all[0]).open('desk', 's')
  const [lease] = (await pool.query('SELECT process FROM tool_agent_leases')).rows
  const { cluster: newer } = postgresStore(pool)
  await newer.join('newer')
  const opening = { type: 'open', protocol: guestProtocol + 1, session: 's', tab: 't', page: 'p' }
  const frames = [
    { type: 'open', link: 'l', user: 'anna' },
    { type: 'text', link: 'l', text: JSON.stringify({ ...opening, running: [], outcomes: [] }) },
  ]
  const body = JSON.stringify({ from: 'newer', number: 1, frames })
  await newer.post({ to: String(lease?.['process']), version: mailVersion, body })
  await expect
    .poll(async () => (await newer.collect('newer', mailVersion, [])).map((one) => JSON.parse(one.body) as unknown))
    .toMatchObject([{ frames: [{ type: 'close', link: 'l', code: 4503 }] }])
  await close()
})

test('pages at other processes do not count as sockets of a server', async ({ postgres }) => {
  const { all, close } = await cluster(postgres, [rests, rests], { limits: { sockets: 2 } })
  const [first, second] = all
  await at(first).open('desk', 's')
  await at(second).open('phone', 's')
  await at(first).open('tablet', 's')
  const fourth = at(first)
  expect(await fourth.untilClosed()).toBe(4429)
  await close()
})

test('a user who signs out is also signed out at a server that has just begun', async ({ postgres }) => {
  const { all, start, close } = await cluster(postgres, [rests], { leaseTime: 600_000 })
  const [first] = all
  await at(first).open('desk', 's')
  const phone = at(await start(rests))
  await phone.open('phone', 'other')
  first.server.closeUser('anna')
  expect(await phone.untilClosed()).toBe(4401)
  await close()
})

test('a page that says more than the database takes is closed', async ({ postgres }) => {
  const { all, pool, close } = await cluster(postgres, [rests, rests])
  const [first, second] = all
  await at(first).open('desk', 's')
  const phone = at(second)
  await phone.open('phone', 's')
  const client = await pool.connect()
  await client.query('BEGIN')
  await client.query('LOCK TABLE tool_agent_mail IN ACCESS EXCLUSIVE MODE')
  for (let sent = 0; sent < 48; sent++) phone.send(`m${sent}`, 'x'.repeat(190_000))
  expect(await phone.untilClosed()).toBe(4508)
  await client.query('ROLLBACK')
  client.release()
  await close()
})

/** Statements that fail, or do nothing. `happened`: one has. */
async function broken(pool: Pool, when: string, how: 'RETURN NULL' | "RAISE EXCEPTION 'broken'") {
  await pool.query(
    'CREATE SEQUENCE broken; CREATE FUNCTION break() RETURNS trigger AS ' +
      `$$ BEGIN PERFORM nextval('broken'); ${how}; END $$ LANGUAGE plpgsql; ` +
      `CREATE TRIGGER break BEFORE ${when} FOR EACH ROW EXECUTE FUNCTION break()`,
  )
  return {
    happened: () =>
      expect.poll(async () => (await pool.query('SELECT is_called FROM broken')).rows[0]?.['is_called']).toBe(true),
    repair: () => pool.query('DROP FUNCTION break CASCADE'),
  }
}

test('a page whose first mail got lost opens its session again', async ({ postgres }) => {
  const { all, pool, close } = await cluster(postgres, [rests, rests], { leaseTime: 3_000 })
  const [first, second] = all
  await at(first).open('desk', 's')
  const phone = at(second)
  const loss = await broken(pool, 'INSERT ON tool_agent_mail', 'RETURN NULL')
  void phone.open('phone', 's')
  await loss.happened()
  await loss.repair()
  expect(await phone.untilClosed()).toBe(4503)
  await close()
})

test('a lease that could not be given back is given back later, so that its turn goes on', async ({ postgres }) => {
  const [begun, goesOn, ends] = [deferred(), deferred(), deferred<string>()]
  const model: ModelAdapter = {
    async *stream(...given) {
      begun.resolve()
      await goesOn.promise
      yield* rests.stream(...given)
    },
  }
  const hooks = { onEnd: ({ reason }: { reason: string }) => ends.resolve(reason) }
  const { all, pool, close } = await cluster(postgres, [model], { hooks, limits: { pageWait: 0 } })
  const desk = at(all[0])
  await desk.open('desk', 's')
  desk.send('m1')
  await begun.promise
  desk.vanish()
  const lease = await broken(pool, 'UPDATE ON tool_agent_leases', "RAISE EXCEPTION 'broken'")
  await pool.query('CREATE TRIGGER break BEFORE UPDATE ON tool_agent_sessions FOR EACH ROW EXECUTE FUNCTION break()')
  goesOn.resolve()
  await lease.happened()
  await pool.query('DROP TRIGGER break ON tool_agent_sessions; ALTER SEQUENCE broken RESTART')
  await lease.happened()
  await lease.repair()
  expect(await ends.promise).toBe('stop')
  await close()
})

test('a server that is over while it closes does not begin anew', async ({ postgres }) => {
  const { all, pool, close } = await cluster(postgres, [rests, rests], { leaseTime: 3_000 })
  const [first, second] = all
  await at(first).open('desk', 's')
  await at(second).open('phone', 's')
  const [lease] = (await pool.query('SELECT process FROM tool_agent_leases')).rows
  const alive = (like: unknown) =>
    expect.poll(
      async () =>
        (await pool.query('SELECT FROM tool_agent_processes WHERE until > now() AND process LIKE $1', [like])).rows
          .length,
    )
  const client = await pool.connect()
  await client.query('BEGIN')
  // Neither mail nor a renewal gets through.
  await client.query('LOCK TABLE tool_agent_mail IN ACCESS EXCLUSIVE MODE')
  const closing = first.server.close()
  await alive(lease?.['process']).toBe(0)
  await client.query('ROLLBACK')
  client.release()
  await closing
  await second.server.close()
  await alive('%').toBe(0)
  await close()
})
