// A server process whose clock is wrong: it answers each line with what a lease, or the store, says. Arguments: the folder
// of the client, that of the socket, the schema, the milliseconds by which the clock is wrong, the id of the process.
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { postgresStore, type PostgresPool } from '../../../src/server.js'
import { added, allOf, answer, outcomeOf, question, sessionWith } from '../../../src/testing/store/support.js'
import { setClock } from '../server/cuts/clock.js'

const [packages = '', host = '', schema = '', wrong = '0', name = ''] = process.argv.slice(2)

const RealDate = Date
setClock(Number(wrong))

const { Pool } = createRequire(packages)('pg') as { Pool: new (options: object) => PostgresPool }
const pool = new Pool({ host, user: 'test', database: 'postgres', options: `-c search_path=${schema}` })
const { cluster, ...stored } = postgresStore(pool, { leaseTime: 600_000 })
const store = stored.forUser('anna')
const leased = { user: 'anna', session: 'a' }
const first = sessionWith('a', [question(0)])
let epoch = 0

/** What a test may ask. */
const commands = {
  join: () => cluster.join(name),
  lease: () => cluster.lease(leased, name),
  renew: () => cluster.renew(name),
  release: () => cluster.release(leased, name, false),
  async claim() {
    const claimed = await store.claim('a', 9)
    epoch = claimed.epoch
    return claimed.session?.messages.length ?? 0
  },
  create: () => outcomeOf(store.commit('a', epoch, allOf(first))),
  write: () => outcomeOf(store.commit('a', epoch, added(first, answer(1, `by ${name}`)))),
  clock: async () => Math.round((Date.now() - RealDate.now()) / 60_000),
}

/** The name of a command. */
export type Command = keyof typeof commands

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify((await commands[line as Command]()) ?? null)}\n`)
process.exit()
