// Conversations of a server through a network that fails: sockets break, messages are lost, late or said twice, server
// and pages are killed, two devices of a user take part and another user attacks. Nothing runs twice, no message is
// lost, no question is decided twice, no other user sees anything, and pages, host and store end up equal. The default
// run plays 200 seeds in a simulation and 20 with real processes, the long run 10,000 and 1,000. `npm run cuts` plays
// any number; a seed of the simulation always does the same.
import { expect, test } from 'playwright/test'
import { isLong, seeds } from '../../support/project/long.js'
import { runCuts, type CutsLine } from '../../support/server/cuts/build.js'
import { driverHere } from '../../support/sqlite/run.js'

const one = process.env['CUTS_SEED']
const simulated = process.env['CUTS_SEEDS'] ?? seeds(200, 10_000).length
const withProcesses = process.env['CUTS_PROCESSES'] ?? seeds(20, 1_000).length
/** Of a process that plays them. */
const mostSeeds = 500
/** What must have happened in 200 worlds, so that the laws were tested on enough. The rarest happens twice in 100. */
const reached =
  'cut kill-server close-server crash reload leave duplicate stop continue sign-out full-disk hostile approve deny'
    .split(' ')
    .concat('send resolved,send lost,look done,set done,buy done,buy interrupted'.split(','))
    .concat('pay done,pay denied,pay interrupted,slow timeout,slow interrupted'.split(','))

test.describe.configure({ mode: 'parallel' })

/** The laws that were broken, and what has happened. */
function summed(lines: readonly CutsLine[]) {
  const broken = lines.flatMap((line) => ('broken' in line ? [line] : []))
  const [sums = {}] = lines.flatMap((line) => ('sums' in line ? [line.sums] : []))
  return { broken, sums }
}

/** Everything that happens in a world, and the command that plays it. */
async function traced(seed: number): Promise<string> {
  const lines = await runCuts('simulate', String(seed), '1', 'trace')
  const [world] = lines.flatMap((line) => ('plan' in line ? [[...line.plan, ...line.lines]] : []))
  return [...(world ?? []).map((line) => line.slice(0, 400)), `npm run cuts -- --seed ${seed}`].join('\n')
}

if (one !== undefined)
  test(`seed ${one} breaks no law`, async () => {
    console.log(await traced(Number(one)))
    expect(summed(await runCuts('simulate', one, '1')).broken).toEqual([])
  })
else {
  for (let first = 0; first < Number(simulated); first += mostSeeds) {
    const count = Math.min(mostSeeds, Number(simulated) - first)
    test(`seeds ${first} to ${first + count - 1} of cut connections break no law`, async () => {
      test.setTimeout(600_000)
      const { broken, sums } = summed(await runCuts('simulate', String(first), String(count)))
      console.log(`${count} simulated worlds: ${JSON.stringify(sums)}`)
      const [worst] = broken
      if (worst) throw new Error(`${JSON.stringify(broken, null, 1)}\n${await traced(worst.seed)}`)
      if (count >= 200) expect(reached.filter((what) => !sums[what])).toEqual([])
    })
  }

  if (Number(withProcesses) > 0)
    test(`${withProcesses} worlds with real processes and sockets break no law`, async () => {
      test.setTimeout(3_600_000)
      const driver = isLong ? 'better-sqlite3' : 'node:sqlite'
      const here = driverHere(driver)
      test.skip(typeof here === 'string', String(here))
      if (typeof here === 'string') return
      const lines = await runCuts('processes', '0', String(withProcesses), driver, here.node, here.folder)
      const { broken, sums } = summed(lines)
      console.log(`${withProcesses} worlds with processes: ${JSON.stringify(sums)}`)
      expect(broken).toEqual([])
      if (Number(withProcesses) >= 20)
        expect(['SIGKILL', 'runs', 'resolved'].filter((what) => (sums[what] ?? 0) < 2)).toEqual([])
    })
}
