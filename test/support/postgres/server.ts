// A PostgreSQL server of one worker, on a socket in a temporary folder: no port, nothing that another program could reach.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pgBouncer, postgresPrograms } from '../../../scripts/postgres.mjs'
import type { PostgresClient, PostgresPool } from '../../../src/server.js'
import { installPackages, packageFolder } from '../project/installed-packages.js'

/** What the tests use of a `Pool` of `pg` beside what the store uses. */
export interface Pool extends PostgresPool {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'connect', listener: (client: PostgresClient) => void): unknown
  end(): Promise<void>
}

/** Where a pool connects to. */
export interface PoolOptions {
  /** The database. @default 'postgres' */
  readonly database?: string
  /** The schema in which its tables are. */
  readonly schema?: string
  readonly max?: number
  /** Settings of its connections, as `-c name=value`. */
  readonly settings?: string
}

/** A running server. */
export interface Postgres {
  /** The folder of its socket, which is the host of a connection. */
  readonly folder: string
  /** A pool of connections. The server ends those that are left open. */
  pool(options?: PoolOptions): Pool
  /** An empty schema, and a pool for it. */
  place(options?: PoolOptions): Promise<{ readonly schema: string; readonly pool: Pool }>
  /** An empty database, and a pool for it behind PgBouncer, which gives each transaction another of two connections. */
  pooled(): Promise<Pool>
  /** Ends the connections of a schema, as a network or an administrator does. Returns how many there were. */
  cut(schema: string): Promise<number>
  /** Ends at once all that the server does, as a loss of power would as far as it concerns its own memory. */
  crash(): Promise<void>
  /** Starts again after a crash. */
  start(): Promise<void>
  /** Ends it and removes its files. */
  stop(): Promise<void>
}

/** The user that runs the server: PostgreSQL refuses to run as root. */
function owner(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout)
  return { uid: id('-u'), gid: id('-g') }
}

/** Starts a server. `isDurable`: it waits for the disk; the others are faster. */
export async function startPostgres({ isDurable = false } = {}): Promise<Postgres> {
  installPackages('postgres')
  const bin = postgresPrograms()
  if (bin === undefined) throw new Error('There is no PostgreSQL here.')
  const user = owner()
  const folder = mkdtempSync(join(tmpdir(), 'tool-agent-postgres-'))
  chmodSync(folder, 0o700)
  if (user) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const init = ['-D', data, '-U', 'test', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions']
  const made = spawnSync(join(bin, 'initdb'), init, { ...user, cwd: folder, encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)
  const { Pool: PgPool } = createRequire(packageFolder('postgres'))('pg') as { Pool: new (options: object) => Pool }

  const pools: Pool[] = []
  let server: ChildProcess | undefined
  let bouncing: ReturnType<typeof startBouncer> | undefined
  let schemas = 0
  const settings = {
    listen_addresses: '',
    unix_socket_directories: folder,
    fsync: isDurable ? 'on' : 'off',
    max_connections: '250',
    log_min_messages: 'panic',
  }
  const postgres: Postgres = {
    folder,
    pool({ database = 'postgres', schema, max = 10, settings = '' } = {}) {
      const options = schema === undefined ? settings : `-c search_path=${schema} ${settings}`
      const pool = new PgPool({ host: folder, user: 'test', database, max, options, application_name: schema })
      // A connection that broke while nobody used it.
      pool.on('error', () => undefined)
      pools.push(pool)
      return pool
    },
    async place(options) {
      const schema = `place_${schemas++}`
      const pool = postgres.pool({ ...options, schema })
      await admin.query(`CREATE SCHEMA ${schema}`)
      return { schema, pool }
    },
    async pooled() {
      const database = `pooled_${schemas++}`
      await admin.query(`CREATE DATABASE ${database}`)
      bouncing ??= startBouncer(folder, user)
      await bouncing.ready
      const pool = new PgPool({ host: join(folder, 'bouncer'), port: 6432, user: 'test', database, max: 10 })
      pool.on('error', () => undefined)
      pools.push(pool)
      return pool
    },
    async cut(schema) {
      const all = await admin.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1',
        [schema],
      )
      return all.rows.length
    },
    async start() {
      const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
      const started = spawn(join(bin, 'postgres'), ['-D', data, ...args], { ...user, cwd: folder, stdio: 'ignore' })
      server = started
      const isReady = () => spawnSync(join(bin, 'pg_isready'), ['-h', folder, '-t', '1']).status === 0
      while (!isReady()) {
        if (started.exitCode !== null) throw new Error(`postgres ended with ${started.exitCode}`)
        await new Promise<void>((resolve) => void setTimeout(resolve, 20))
      }
    },
    async crash() {
      const ended = once(server!, 'exit')
      // The server ends its processes without writing what it holds in memory.
      server!.kill('SIGQUIT')
      await ended
    },
    async stop() {
      // Not awaited: a test that failed may not have given a connection back.
      for (const pool of pools) pool.end().catch(() => undefined)
      bouncing?.process.kill('SIGKILL')
      if (server && server.exitCode === null) await postgres.crash()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  const admin = postgres.pool({ max: 2 })
  try {
    await postgres.start()
  } catch (error) {
    await postgres.stop()
    throw error
  }
  return postgres
}

/** Starts PgBouncer in front of the server in `folder`. */
function startBouncer(folder: string, user: { uid: number; gid: number } | undefined) {
  const own = join(folder, 'bouncer')
  mkdirSync(own)
  const settings = [
    '[databases]',
    `* = host=${folder} user=test`,
    '[pgbouncer]',
    'listen_port = 6432',
    `unix_socket_dir = ${own}`,
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 2',
  ]
  writeFileSync(join(own, 'bouncer.ini'), settings.join('\n'))
  if (user) chownSync(own, user.uid, user.gid)
  const process = spawn(pgBouncer()!, [join(own, 'bouncer.ini')], {
    ...user,
    cwd: own,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ready = new Promise<void>((resolve, reject) => {
    let text = ''
    process.stderr.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes('process up')) resolve()
    })
    process.once('exit', () => reject(new Error(`pgbouncer ended: ${text}`)))
  })
  return { process, ready }
}
