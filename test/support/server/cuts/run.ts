// Plays worlds of seeds, in a process of its own: in a simulation, time, timers and random numbers are its own. Prints a
// line of JSON for each seed that breaks a law, and one with the sums.
// Arguments: `simulate`, the first seed, the number of seeds, and `trace` for everything that happens; or `processes`,
// the first seed, the number of seeds, a driver of SQLite, a Node that has it, and the folder of its package.
import { readFileSync, writeSync } from 'node:fs'
import { driver, type DriverName } from '../../sqlite/driver.js'
import { PageProgram } from './document.js'
import { planOf, planWritten } from './plan.js'
import { ProcessLab } from './processes.js'
import type { ServerCommand } from './server-process.js'
import { serve } from './serve.js'
import { play } from './world.js'

const [command = '', ...rest] = process.argv.slice(2)
const say = (value: unknown) => void writeSync(1, `${JSON.stringify(value)}\n`)
/** Worlds with one server at a time. */
const atOnce = 10

function pageProgram(): PageProgram {
  // What a fault has to say is printed by the agent.
  console.error = console.warn = () => undefined
  return new PageProgram(readFileSync(new URL('page.js', import.meta.url), 'utf8'))
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
  const lab = new ProcessLab(command, pageProgram())
  await lab.open()
  for (let at = 0; at < seeds.length; at += atOnce) {
    const group = seeds.slice(at, at + atOnce)
    for (const [place, broken] of (await lab.play(group.map(planOf))).entries())
      if (broken.length > 0) say({ seed: group[place], broken })
  }
  await lab.close()
  return lab.sums
}

if (command === 'serve') {
  const [name = '', folder = ''] = rest
  await serve(driver(name as DriverName, folder), say)
} else {
  const [first, count, how = '', node = '', folder = ''] = rest
  const seeds = Array.from({ length: Number(count) }, (_, at) => Number(first) + at)
  const sums =
    command === 'simulate' ? simulate(seeds, how === 'trace') : processes(seeds, { node, driver: how, folder })
  say({ seeds: seeds.length, sums: await sums })
}
process.exit()
