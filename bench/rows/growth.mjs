// How a PostgreSQL grows with the conversations of two server processes: 10,000 turns of pages that come and go, half of
// them linked. What is stored must grow with the turns alone; leases and mail must not, also not while a backup keeps
// their old rows. The model answers at once.
import { setTimeout as pause } from 'node:timers/promises'
import { cpuOf } from '../support/postgres.mjs'
import { addErrors, addFailures, leave, newFigures, playTurns, startCluster } from '../support/server-load.mjs'

/** Turns of each page. */
const turnsOfPage = 10
/** Requests to the model in each turn. */
const steps = 3
/** Tables whose rows are stored for good. The others have rows of what happens now. */
const kept = ['sessions', 'messages', 'results', 'drafts']
const passing = ['mail', 'leases', 'processes']

/** @typedef {Record<string, { table: number, indexes: number }>} Sizes bytes, by table */

/** @param {Pick<import('../support/lab.mjs').Lab, 'isQuick' | 'log'>} lab */
export async function run({ isQuick, log }) {
  const [pages, groups, groupsOfBackup] = isQuick ? [10, 4, 2] : [100, 10, 5]
  const cluster = await startCluster()
  const { servers, pool, database } = cluster
  const { figures, add } = newFigures()
  let group = 0
  /** Pages come, have their turns, and go. @param {string} product */
  const play = async (product) => {
    const name = `quick${group++}`
    const { all } = await cluster.pagesOf(name, pages)
    const [begun, at] = [cpuOf(database.folder), performance.now()]
    /** @type {Record<string, number>} */
    const counts = {}
    let cpu = 0
    for (let turn = 0; turn < turnsOfPage; turn++) {
      const played = await playTurns(servers, `${name}-${turn}`, all)
      addFailures({ add }, product, played, log)
      for (const { statements, cpu: own } of played.measured) {
        cpu += own
        for (const [kind, count] of Object.entries(statements)) counts[kind] = (counts[kind] ?? 0) + count
      }
    }
    const [ended, seconds] = [cpuOf(database.folder), (performance.now() - at) / 1000]
    const turns = pages * turnsOfPage
    for (const [kind, count] of Object.entries(counts)) add(`statements per turn: ${kind}`, product, count / turns, ' ')
    const statements = Object.values(counts).reduce((sum, count) => sum + count, 0)
    add('statements per step', product, statements / turns / steps, ' ')
    add('turns per second', product, turns / seconds, ' ')
    add('CPU of the servers per turn', product, cpu / turns, 'ms')
    if (begun !== undefined && ended !== undefined)
      add('CPU of PostgreSQL per turn', product, (ended - begun) / turns, 'ms')
    addErrors({ add }, product, all, log)
    await leave(all)
    for (const table of ['mail', 'leases']) add(`rows left: ${table}`, product, await rowsLeft(pool, table))
  }
  /** @param {string} product @param {Sizes} sizes */
  const addPassing = (product, sizes) => {
    for (const table of passing) {
      const { table: own, indexes } = sizes[table] ?? { table: 0, indexes: 0 }
      add(`size of ${table} at the end`, product, (own + indexes) / 1024, 'KiB')
    }
  }
  try {
    await play('cluster')
    const before = await sizesOf(pool)
    for (let at = 1; at < groups; at++) await play('cluster')
    const after = await sizesOf(pool)
    const turns = (groups - 1) * pages * turnsOfPage
    for (const table of kept)
      for (const part of /** @type {const} */ (['table', 'indexes'])) {
        const grown = (after[table]?.[part] ?? 0) - (before[table]?.[part] ?? 0)
        add(`grown per turn: ${table}${part === 'table' ? '' : ', indexes'}`, 'cluster', grown / turns, 'bytes')
      }
    addPassing('after the first group', before)
    addPassing('cluster', after)
    // A transaction that reads: no row that was there when it began, or later, is freed until it ends.
    const backup = await pool.connect()
    try {
      await backup.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
      await backup.query('SELECT FROM tool_agent_sessions')
      for (let at = 0; at < groupsOfBackup; at++) await play('with a backup')
      await backup.query('COMMIT')
    } finally {
      backup.release()
    }
    addPassing('with a backup', await sizesOf(pool))
  } finally {
    await cluster.stop()
  }
  return figures
}

/** @param {import('../../test/support/postgres/server.js').Pool} pool @returns {Promise<Sizes>} */
async function sizesOf(pool) {
  const { rows } = await pool.query(
    `SELECT replace(relname, 'tool_agent_', '') AS name, pg_table_size(oid) AS own, pg_indexes_size(oid) AS indexes
    FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'`,
  )
  return Object.fromEntries(
    rows.map(({ name, own, indexes }) => [String(name), { table: Number(own), indexes: Number(indexes) }]),
  )
}

/**
 * Rows that are left when a cluster is idle, which may take some seconds on a busy machine.
 * @param {import('../../test/support/postgres/server.js').Pool} pool @param {string} table
 */
async function rowsLeft(pool, table) {
  const count = async () => Number((await pool.query(`SELECT count(*) FROM tool_agent_${table}`)).rows[0]?.['count'])
  let left = await count()
  for (let look = 0; left > 0 && look < 60; look++) {
    await pause(500)
    left = await count()
  }
  return left
}
