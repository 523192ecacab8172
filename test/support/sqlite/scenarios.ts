// What sqliteStore does beyond the conformance of stores, each as a function that returns what the test compares.
import { readdirSync, readFileSync } from 'node:fs'
import { sqliteStore, type SqliteHandle, type Store } from '../../../src/server.js'
import type { Migration } from '../../../src/host/store/sql-migrations.js'
import { migrate } from '../../../src/host/store/sqlite/schema.js'
import { added, answer, create, outcomeOf, question, sessionWith } from '../../../src/testing/store/support.js'
import type { Handle } from './driver.js'

type Scenario = (open: (file: string) => Handle, folder: string) => unknown

/** The message of what was thrown; `nothing` if nothing was. */
function thrownBy(work: () => unknown): string {
  try {
    work()
    return 'nothing'
  } catch (error) {
    return `${(error as { code?: string }).code}: ${(error as Error).message}`
  }
}

/** A handle that notes what it executes. */
function noted(db: Handle): { handle: Handle; sql: string[] } {
  const sql: string[] = []
  const handle: Handle = {
    exec(text) {
      sql.push(text)
      return db.exec(text)
    },
    prepare: (text) => db.prepare(text),
    close: () => db.close(),
  }
  return { handle, sql }
}

const large = (at: number) => ({ result: { callId: `c${at}`, value: 'x'.repeat(4_000_000) } })

async function userDeleted(open: (file: string) => Handle, folder: string): Promise<unknown> {
  const db = open(`${folder}/users.db`)
  const store = sqliteStore(db)
  const [anna, ben] = [store.forUser('anna'), store.forUser('ben')]
  const write = async (of: Store, secret: string) => {
    const session = sessionWith('a', [question(0, `${secret} question`)], { title: `${secret} title` })
    await create(of, session)
    await of.commit('a', 1, { result: { callId: 'c', value: `${secret} result ${'x'.repeat(9_000)}` } })
    await of.commit('a', 1, { draft: { id: 'd', step: 0, parts: [{ type: 'text', text: `${secret} draft` }] } })
    const bounds = { most: 1_000_000, before: 0 }
    for (const id of ['sent', 'unsent'])
      await of.files?.add({ id, mediaType: 'image/png', data: `${secret} file ${'x'.repeat(9_000)}` }, bounds)
    const file = { type: 'file', mediaType: 'image/png', data: '', upload: 'sent' } as const
    await of.commit('a', 1, { messages: [{ index: 0, message: { id: 'm0', role: 'user', parts: [file], at: 0 } }] })
    // Deleted and replaced contents must not stay either.
    await of.commit('a', 1, { messages: [{ index: 0, message: question(0, `${secret} new`) }] })
    await create(of, sessionWith('b', [question(0, `${secret} deleted`)]))
    await of.delete('b')
  }
  await write(anna, 'alpha-secret')
  await write(ben, 'beta-secret')
  const running = anna.commit('a', 1, added(sessionWith('a', [question(0)]), answer(1, 'alpha-secret late')))
  await store.deleteUser('anna')
  await running
  const files = readdirSync(folder).filter((name) => name.startsWith('users.db'))
  const found = (text: string) => files.filter((name) => readFileSync(`${folder}/${name}`).includes(text)).length > 0
  return {
    left: [await anna.read('a', 9), await anna.list('me'), await anna.result('a', 'c')],
    late: await outcomeOf(anna.commit('a', 1, { draft: null })),
    others: (await ben.read('a', 9))?.messages.length,
    bytes: [found('alpha-secret'), found('beta-secret')],
    unknown: await outcomeOf(store.deleteUser('nobody')),
    empty: await outcomeOf(store.deleteUser('')),
  }
}

async function diskFull(open: (file: string) => Handle, folder: string): Promise<unknown> {
  const db = open(`${folder}/full.db`)
  const store = sqliteStore(db).forUser('u')
  await create(store, sessionWith('a', [question(0)]))
  const { page_count: pages } = db.prepare('PRAGMA page_count').get() as { page_count: number }
  db.exec(`PRAGMA max_page_count = ${pages + 100}`)
  const draft = { id: 'd', step: 0, parts: [] }
  const failed: unknown[] = []
  const note = (error: unknown) => {
    failed.push({ message: (error as Error).message, details: (error as { details?: unknown }).details })
    return 'failed'
  }
  // One that is too large, beside two that are not.
  const outcomes = await Promise.all([
    store.commit('a', 1, { draft }).then(() => 'stored', note),
    store.commit('a', 1, large(1)).then(() => 'stored', note),
    store.commit('a', 1, { result: { callId: 'c2', value: 'short' } }).then(() => 'stored', note),
  ])
  const read = await store.read('a', 9)
  return {
    outcomes,
    failed,
    draft: read?.draft,
    results: [await store.result('a', 'c1'), await store.result('a', 'c2')],
  }
}

async function durability(open: (file: string) => Handle, folder: string): Promise<unknown> {
  const { handle, sql } = noted(open(`${folder}/durability.db`))
  const store = sqliteStore(handle)
  const [one, other] = [store.forUser('one'), store.forUser('other')]
  await create(one, sessionWith('a', [question(0)]))
  await create(other, sessionWith('a', [question(0)]))
  const draft = (step: number) => ({ draft: { id: 'd', step, parts: [] } })
  sql.length = 0
  await Promise.all([one.commit('a', 1, draft(1)), other.commit('a', 1, draft(1)), one.commit('a', 1, draft(2))])
  const relaxed = sql.splice(0)
  const level = () => (handle.prepare('PRAGMA synchronous').get() as { synchronous: number }).synchronous
  const levels = [level()]
  await Promise.all([
    one.commit('a', 1, draft(3)),
    other.commit('a', 1, { ...draft(2), strict: true }),
    one.commit('a', 9, { ...draft(9), strict: true }).catch(() => undefined),
  ])
  const strict = sql.splice(0)
  levels.push(level())
  await one.commit('a', 1, draft(4))
  levels.push(level())
  await one.delete('a')
  return { relaxed, strict, levels: [...levels, level()] }
}

function versions(open: (file: string) => Handle, folder: string): unknown {
  const db = open(`${folder}/versions.db`)
  sqliteStore(db).close()
  const now: Migration[] = [
    { oldest: 1, sql: '' },
    { oldest: 1, sql: '' },
  ]
  const expand: Migration = { oldest: 1, sql: 'ALTER TABLE tool_agent_sessions ADD COLUMN extra TEXT' }
  const contract: Migration = { oldest: 3, sql: 'ALTER TABLE tool_agent_sessions RENAME COLUMN head TO content' }
  const broken: Migration = { oldest: 4, sql: 'ALTER TABLE tool_agent_nothing ADD COLUMN extra TEXT' }
  const version = () => ({ ...(db.prepare('SELECT * FROM tool_agent_schema').get() as object) })
  const within = (all: readonly Migration[]) => {
    db.exec('BEGIN')
    try {
      migrate(db, all)
      db.exec('COMMIT')
    } catch (error) {
      db.exec('ROLLBACK')
      throw error
    }
  }
  const seen: unknown[] = [version()]
  within([...now, expand])
  seen.push(
    version(),
    thrownBy(() => sqliteStore(db).close()),
    version(),
  )
  seen.push(thrownBy(() => within([...now, expand, broken])).slice(0, 20), version())
  within([...now, expand, contract])
  seen.push(
    version(),
    thrownBy(() => sqliteStore(db)),
  )
  // The refused store has released its lock.
  seen.push(
    thrownBy(() => sqliteStore(db)).slice(0, 7),
    thrownBy(() => within([...now, expand, contract])),
  )
  return seen
}

async function mistakes(open: (file: string) => Handle, folder: string): Promise<unknown> {
  const file = `${folder}/mistakes.db`
  const db = open(file)
  const store = sqliteStore(db)
  const [waiting, late] = [store.forUser('u'), store.forUser('u')]
  const seen: Record<string, unknown> = {
    users: ['', undefined, null, 7, {}].map((user) => thrownBy(() => store.forUser(user as string))),
    handles: [undefined, {}, file].map((handle) => thrownBy(() => sqliteStore(handle as unknown as SqliteHandle))),
    sameHandle: thrownBy(() => sqliteStore(db)),
    sameFile: thrownBy(() => sqliteStore(open(file))),
  }
  const stored = create(waiting, sessionWith('a', [question(0)]))
  await stored
  const last = waiting.commit('a', 1, { draft: { id: 'd', step: 0, parts: [] } })
  store.close()
  store.close()
  seen['last'] = await outcomeOf(last)
  seen['closed'] = await Promise.all([
    late.read('a', 1).then(() => 'read', String),
    late.commit('a', 1, { draft: null }).then(() => 'stored', String),
  ])
  const again = sqliteStore(open(file)).forUser('u')
  seen['again'] = (await again.read('a', 1))?.draft
  db.close()
  const memory = open(':memory:')
  const inMemory = sqliteStore(memory).forUser('u')
  await create(inMemory, sessionWith('a', [question(0)]))
  seen['memory'] = (await inMemory.list('me')).length
  return seen
}

/** The author, or another program, writes to the database for longer than the handle waits. */
async function busy(open: (file: string) => Handle, folder: string): Promise<unknown> {
  const { handle, sql } = noted(open(`${folder}/busy.db`))
  handle.exec('PRAGMA busy_timeout = 20')
  const store = sqliteStore(handle).forUser('u')
  await create(store, sessionWith('a', [question(0)]))
  const other = open(`${folder}/busy.db`)
  other.exec('BEGIN IMMEDIATE')
  sql.length = 0
  const commits = [1, 2, 3].map((step) => outcomeOf(store.commit('a', 1, { draft: { id: 'd', step, parts: [] } })))
  const outcomes = await Promise.all(commits)
  const attempts = sql.length
  const read = (await store.read('a', 1))?.draft
  other.exec('ROLLBACK')
  return { outcomes, attempts, read, after: await outcomeOf(store.commit('a', 1, { draft: null })) }
}

async function backup(open: (file: string) => Handle, folder: string): Promise<unknown> {
  const store = sqliteStore(open(`${folder}/live.db`)).forUser('u')
  const session = sessionWith('a', [question(0)])
  await create(store, session)
  // As `sqlite3` does, or another process.
  const other = open(`${folder}/live.db`)
  other.exec(`VACUUM INTO '${folder}/copy.db'`)
  other.close()
  await store.commit('a', 1, added(session, answer(1)))
  const copy = await sqliteStore(open(`${folder}/copy.db`))
    .forUser('u')
    .read('a', 9)
  return [copy?.messages.length, (await store.read('a', 9))?.messages.length]
}

export const scenarios: Record<string, Scenario> = {
  backup,
  busy,
  userDeleted,
  diskFull,
  durability,
  versions,
  mistakes,
}
