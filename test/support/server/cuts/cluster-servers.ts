// Two servers on one schema of PostgreSQL, behind a load balancer without sticky sessions. One of them has a wrong clock.
// They are killed, closed, and stand still for longer than their lease; their connections to the database are cut.
import { createRequire } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import type { Session } from '../../../../src/core/data/session.js'
import { postgresStore, type PostgresPool } from '../../../../src/server.js'
import { Dice } from '../../lab/generator.js'
import { setClock } from './clock.js'
import type { PlannedAct } from './plan.js'
import type { LabServers } from './processes.js'
import { ServerProcess, type ServerCommand } from './server-process.js'
import type { ServedStore } from './serve.js'

/** Where a PostgreSQL is. */
export interface PostgresPlace {
  /** The folder in which `pg` is installed. */
  readonly packages: string
  /** The folder of its socket. */
  readonly host: string
}

type Pool = PostgresPool & {
  on(event: 'error', listener: () => void): unknown
  end(): Promise<void>
}

/** A pool whose connections have the name of the schema. */
function poolOf({ packages, host }: PostgresPlace, schema: string, max: number): Pool {
  const { Pool: PgPool } = createRequire(packages)('pg') as { Pool: new (options: object) => Pool }
  const options = `-c search_path=${schema}`
  const pool = new PgPool({ host, user: 'test', database: 'postgres', max, options, application_name: schema })
  // A connection that broke while nobody used it.
  pool.on('error', () => undefined)
  return pool
}

/** What a process serves, as its arguments say. */
export function openPostgres([packages = '', host = '', leaseTime, clock]: readonly string[]) {
  setClock(Number(clock))
  return (schema: string): ServedStore => {
    const pool = poolOf({ packages, host }, schema, 5)
    const store = postgresStore(pool, { leaseTime: Number(leaseTime) })
    return { ...store, close: () => store.close().then(() => pool.end()) }
  }
}

/** What may happen to a server. */
const faults = ['SIGKILL', 'SIGTERM', 'SIGSTOP', 'cut-database'] as const
/** Of a world, at most. */
const mostFaults = 6

/** The servers of one world. */
export class ClusterServers implements LabServers {
  readonly leaseTime: number
  readonly brokenTime: number
  readonly #schema: string
  readonly #dice: Dice
  readonly #pool: Pool
  readonly #pageWait: () => number
  readonly #failures: string[] = []
  #servers: readonly ServerProcess[]
  readonly #clocks: readonly number[]
  readonly #place: PostgresPlace
  #faults = 0

  /** @param given `isRolling`: servers of the version before, to which nothing happens but `update` */
  constructor(place: PostgresPlace, seed: number, given: { readonly isRolling?: boolean } = {}) {
    const dice = new Dice(seed * 2 + 3)
    this.#dice = dice
    this.#place = place
    this.#schema = `cuts_${process.pid}_${seed}`
    this.leaseTime = given.isRolling ? 15_000 : dice.one([1_000, 1_500, 2_000])
    // One that is over is noticed with the next renewal.
    this.brokenTime = given.isRolling ? 1_000 : this.leaseTime * 2
    this.#pool = poolOf(place, this.#schema, 2)
    this.#clocks = [0, dice.one([-60_000, 60_000])]
    this.#pageWait = () => (given.isRolling ? 30_000 : dice.one([0, 150, 600]))
    this.#servers = this.#clocks.map((clock) => this.#server(clock, given.isRolling ? 'run-before' : 'run'))
  }

  #server(clock: number, program: ServerCommand['program']): ServerProcess {
    const { packages, host } = this.#place
    const args = ['postgres', packages, host, String(this.leaseTime), String(clock)]
    return new ServerProcess({ node: process.execPath, program, args }, this.#schema, this.#pageWait)
  }

  /** One of those that seem to run. */
  get port(): number | undefined {
    const ports = this.#servers.flatMap(({ port }) => (port === undefined ? [] : [port]))
    return ports.length === 0 ? undefined : this.#dice.one(ports)
  }

  async open(): Promise<void> {
    await this.#pool.query(`CREATE SCHEMA ${this.#schema}`)
    await this.start()
  }

  async start(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.start()))
  }

  begin(horizon: number, fault: () => void): void {
    const dice = this.#dice
    if (horizon > 0) for (const at of dice.times(dice.from(2, 4), () => dice.from(0, horizon))) setTimeout(fault, at)
  }

  fault({ ms }: Pick<PlannedAct, 'ms'>): string | undefined {
    const dice = this.#dice
    const server = dice.one(this.#servers)
    if (this.#faults >= mostFaults || server.port === undefined) return undefined
    this.#faults += 1
    const fault = dice.one(faults)
    if (fault === 'SIGSTOP') server.pause(this.leaseTime * dice.one([0.5, 1.3, 2]))
    else if (fault === 'cut-database') void this.#cut()
    else
      void server
        .end(fault)
        .then(() => wait(ms))
        .then(() => server.start())
    return fault
  }

  async #cut(): Promise<void> {
    await this.#pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = $1 AND pid <> pg_backend_pid() AND random() < ${this.#dice.one([0.3, 1])}`,
      [this.#schema],
    )
  }

  /** Replaces one server after another, in the middle of what it does. Each new one takes pages before the old one ends. */
  async update(program: ServerCommand['program'], ends: (what: string) => void): Promise<void> {
    for (const [place, server] of this.#servers.entries()) {
      const next = this.#server(this.#clocks[place] ?? 0, program)
      await next.start()
      this.#servers = [...this.#servers, next]
      ends(`running at end ${place + 1}`)
      await server.end('SIGTERM')
      await server.close()
      this.#servers = this.#servers.filter((one) => one !== server)
      this.#failures.push(...server.failures)
    }
  }

  read(user: string, id: string): Promise<Session | undefined> {
    return postgresStore(this.#pool).forUser(user).read(id, 200)
  }

  async close(): Promise<string[]> {
    await Promise.all(this.#servers.map((server) => server.end('SIGTERM')))
    const left = await this.#pool.query('SELECT process, session FROM tool_agent_leases')
    await Promise.all(this.#servers.map((server) => server.close()))
    await this.#pool.query(`DROP SCHEMA ${this.#schema} CASCADE`)
    await this.#pool.end()
    return [
      ...this.#failures,
      ...this.#servers.flatMap(({ failures }) => failures),
      ...left.rows.map((row) => `a lease is left: ${JSON.stringify(row)}`),
    ]
  }
}
