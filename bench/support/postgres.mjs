// A PostgreSQL server of its own for the rows that need one, and what it did.
import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { missingPostgres } from '../../scripts/postgres.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const support = new URL('../../test/support/', import.meta.url)

/**
 * Starts the server of the tests. It waits for the disk, as in production.
 * @returns {Promise<import('../../test/support/postgres/server.js').Postgres>}
 */
export async function startDatabase() {
  const missing = missingPostgres()
  if (missing.length > 0) throw new Error(`This row needs PostgreSQL: apt-get install ${missing.join(' ')}`)
  const esbuild = createRequire(new URL('../package.json', import.meta.url))('esbuild')
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [fileURLToPath(new URL('postgres/server.ts', support))],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    // Its files look for packages from where they are.
    define: { 'import.meta.url': JSON.stringify(new URL('project/installed-packages.ts', support).href) },
    logLevel: 'error',
  })
  const { startPostgres } = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
  )
  return startPostgres({ isDurable: true })
}

/**
 * A pool of `pg`, which counts the statements of its connections.
 * @param {{ host: string, schema: string }} place @param {Map<string, number>} statements
 * @returns {import('../../src/server.js').PostgresPool}
 */
export function openPool({ host, schema }, statements) {
  const { Pool } = createRequire(new URL('../../test/postgres/', import.meta.url))('pg')
  const pool = new Pool({ host, user: 'test', database: 'postgres', options: `-c search_path=${schema}` })
  pool.on('error', () => undefined)
  pool.on('connect', (/** @type {any} */ client) => {
    const query = client.query.bind(client)
    client.query = (/** @type {[string, ...unknown[]]} */ ...given) => {
      const kind = kindOf(given[0])
      statements.set(kind, (statements.get(kind) ?? 0) + 1)
      return query(...given)
    }
  })
  return pool
}

/** What a statement is for. @param {string} sql */
function kindOf(sql) {
  if (/^(BEGIN|COMMIT)/.test(sql)) return 'transaction'
  if (sql.includes('INSERT INTO tool_agent_mail')) return 'mail that is sent'
  if (sql.includes('tool_agent_mail')) return 'mail that is read'
  return /tool_agent_(leases|processes)/.test(sql) ? 'lease' : 'conversation'
}

/**
 * Milliseconds of CPU of a server since it started; undefined where `/proc` does not tell.
 * @param {string} folder that of its socket
 */
export function cpuOf(folder) {
  try {
    const [main = ''] = readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n')
    let ticks = 0
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const [, , parent, ...fields] = statOf(pid)
      const [user = 0, system = 0, ofEnded = 0, systemOfEnded = 0] = fields.slice(9).map(Number)
      if (pid === main) ticks += user + system + ofEnded + systemOfEnded
      else if (parent === main) ticks += user + system
    }
    return ticks * 10
  } catch {
    return undefined
  }
}

/** The fields of a process: its id, its state, its parent, and so on. A process may end meanwhile. @param {string} pid */
function statOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/\(.*\)/s, '')
      .split(/ +/)
  } catch {
    return []
  }
}
