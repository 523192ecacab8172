// Plays worlds of seeds, in a process of its own: in a simulation, time, timers and random numbers are its own. Prints a
// line of JSON for each seed that breaks a law, and one with the sums.
// Arguments: `simulate`, the first seed, the number of seeds, and `trace` for everything that happens; or `processes`,
// the first seed, the number of seeds, a driver of SQLite, a Node that has it, and the folder of its package; or
// `cluster`, the first seed, the number of seeds, the folder of `pg`, and the folder of the socket of PostgreSQL; or
// `deploy` with the same, which replaces servers of the version before while so many turns run.
import { readFileSync, writeSync } from 'node:fs'
import { sqliteStore } from '../../../../src/server.js'
import { driver, type DriverName, type Handle } from '../../sqlite/driver.js'
import { ClusterServers, openPostgres, type PostgresPlace } from './cluster-servers.js'
import { PageProgram } from './document.js'
import { deployDevices, deployPlanOf, planOf, planWritten } from './plan.js'
import { ProcessLab, SqliteServer } from './processes.js'
import type { ServerCommand } from './server-process.js'
import { serve } from './serve.js'
import { play } from './world.js'

const [command = '', ...rest] = process.argv.slice(2)
const say = (value: unknown) => void writeSync(1, `${JSON.stringify(value)}\n`)
/** Worlds with one server at a time, and those that have two of their own. */
const atOnce = { processes: 10, cluster: 2 }
/** Milliseconds in which faults happen. */
const horizons = { processes: 1_500, cluster: 4_000, deploy: 0 }

function pageProgram(name: 'page' | 'page-before' = 'page'): PageProgram {
  // What a fault has to say is printed by the agent.
  console.error = console.warn = () => undefined
  return new PageProgram(readFileSync(new URL(`${name}.js`, import.meta.url), 'utf8'))
}

async function simulate(seeds: readonly number[], isTraced: boolean): Promise<object> {
  const program = pageProgram()
  const sums = new Map<string, number>()
  for (const seed of seeds) {
    const plan = planOf(seed)
    const lines: string[] = []
    const { broken, tally } = await play(plan, program, isTraced ? (line) => lines.push(line) : undefined)
    if (isTraced) say({ plan: planWritten(plan).split('\n'), lines })
    for (const [what, by] of tally) sums.set(what, (sums.get(what) ?? 0) + by)
    if (broken.length > 0) say({ seed, broken })
  }
  return Object.fromEntries([...sums].sort(([one], [other]) => (one < other ? -1 : 1)))
}

async function processes(seeds: readonly number[], command: ServerCommand): Promise<object> {
  const program = pageProgram()
  const lab = new ProcessLab(new SqliteServer(command), horizons.processes, () => program)
  await lab.open()
  for (let at = 0; at < seeds.length; at += atOnce.processes) {
    const group = seeds.slice(at, at + atOnce.processes)
    for (const [place, broken] of (await lab.play(group.map(planOf))).entries())
      if (broken.length > 0) say({ seed: group[place], broken })
  }
  await lab.close()
  return lab.sums
}

/** Each world has two servers on a schema of its own. */
async function cluster(seeds: readonly number[], place: PostgresPlace): Promise<object> {
  const program = pageProgram()
  const left = [...seeds]
  const sums: Record<string, number> = {}
  const work = async () => {
    for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
      const lab = new ProcessLab(new ClusterServers(place, seed), horizons.cluster, () => program)
      await lab.open()
      const [lines = []] = await lab.play([planOf(seed)])
      const broken = [...(await lab.close()), ...lines]
      if (broken.length > 0) say({ seed, broken })
      for (const [what, by] of Object.entries(lab.sums)) sums[what] = (sums[what] ?? 0) + by
    }
  }
  await Promise.all(Array.from({ length: atOnce.cluster }, work))
  return sums
}

/** Both servers of the version before are replaced while turns run, half of them of pages of that version. */
async function deploy(turns: number, place: PostgresPlace): Promise<object> {
  const programs = [pageProgram(), pageProgram('page-before')]
  const servers = new ClusterServers(place, 0, { isRolling: true })
  const lab = new ProcessLab(servers, horizons.deploy, ({ seed }) => programs[seed % 2]!)
  await lab.open()
  // Each turn runs while the one server ends, and while the other one does: some of its calls wait for that.
  const moment = () => {
    let come: () => void = () => undefined
    return { came: new Promise<void>((resolve) => (come = resolve)), come: () => come() }
  }
  const [begun, firstEnd, secondEnd] = [moment(), moment(), moment()]
  const ends = [firstEnd, secondEnd]
  let first = 0
  lab.hold = (run) => {
    if (run === 1 && ++first === turns) begun.come()
    return { 1: firstEnd.came, 8: secondEnd.came }[run]
  }
  const plans = Array.from({ length: turns / deployDevices.length }, (_, seed) => deployPlanOf(seed))
  const worlds = await lab.play(plans, async () => {
    await begun.came
    await servers.update('run', () => {
      ends.shift()?.come()
      lab.count(
        `running at end ${2 - ends.length}`,
        lab.worlds.reduce((all, { running }) => all + running, 0),
      )
    })
  })
  for (const [seed, lines] of worlds.entries()) {
    const broken = [...lines, ...lab.worlds[seed]!.undone()]
    if (broken.length > 0) say({ seed, broken })
  }
  const broken = await lab.close()
  if (broken.length > 0) say({ seed: -1, broken })
  return lab.sums
}

const openSqlite = (open: (file: string) => Handle) => (file: string) => sqliteStore(open(file))

if (command === 'serve') {
  const [name = '', ...given] = rest
  const [folder = ''] = given
  await serve(name === 'postgres' ? openPostgres(given) : openSqlite(driver(name as DriverName, folder)), say)
} else {
  const [first, count, how = '', where = '', folder = ''] = rest
  const seeds = Array.from({ length: Number(count) }, (_, at) => Number(first) + at)
  const sums = {
    simulate: () => simulate(seeds, how === 'trace'),
    processes: () => processes(seeds, { node: where, program: 'run', args: [how, folder] }),
    cluster: () => cluster(seeds, { packages: how, host: where }),
    deploy: () => deploy(seeds.length, { packages: how, host: where }),
  }[command]
  say({ seeds: seeds.length, sums: await sums?.() })
}
process.exit()
