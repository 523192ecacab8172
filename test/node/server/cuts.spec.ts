// Conversations of a server through a network that fails: sockets break, messages are lost, late or said twice, server
// and pages are killed, two devices of a user take part and another user attacks. Nothing runs twice, no message is
// lost, no question is decided twice, no other user sees anything, and pages, host and store end up equal. The default
// run plays 200 seeds in a simulation, 20 with real processes and 6 with two servers each on one PostgreSQL, the long run
// 10,000, 1,000 and 100. `npm run cuts` plays any number, from any seed, and sums up; a seed of the simulation always
// does the same.
import { appendFileSync } from 'node:fs'
import { expect, test } from '../../support/postgres/postgres-test.js'
import { packageFolder } from '../../support/project/installed-packages.js'
import { isLong, seeds } from '../../support/project/long.js'
import { runCuts, type CutsLine } from '../../support/server/cuts/build.js'
import { driverHere } from '../../support/sqlite/run.js'

const {
  CUTS_ALONE: one,
  CUTS_FIRST: begin = 0,
  CUTS_SEEDS: simulated = seeds(200, 10_000).length,
  CUTS_PROCESSES: withProcesses = seeds(20, 1_000).length,
  CUTS_CLUSTER: withClusters = seeds(6, 100).length,
  CUTS_UNTIL: until = Infinity,
  CUTS_RESULTS: results,
} = process.env
/** Of a process that plays them. */
const mostSeeds = { simulate: 200, processes: 100, cluster: 50 }
/** Turns that run while servers are replaced. */
const deployed = isLong ? 100 : 20
/** What must have happened in the first 200 worlds, so that the laws were tested on enough. */
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

/** Seeds in batches: the first of each, and how many. */
function batches(count: number, most: number): { first: number; count: number }[] {
  return Array.from({ length: Math.ceil(count / most) }, (_, at) => ({
    first: Number(begin) + at * most,
    count: Math.min(most, count - at * most),
  }))
}

/** Plays a batch, unless the time is over. `npm run cuts` reads what is noted. */
async function played(
  kind: 'simulate' | 'processes' | 'cluster',
  first: number,
  count: number,
  ...rest: readonly string[]
) {
  test.skip(Date.now() > Number(until), 'the time is over')
  const outcome = summed(await runCuts(kind, String(first), String(count), ...rest))
  const { broken, sums } = outcome
  console.log(`${kind} ${count} worlds from seed ${first}: ${JSON.stringify(sums)}`)
  if (results !== undefined)
    appendFileSync(results, `${JSON.stringify({ kind, first, count, broken: broken.map(({ seed }) => seed), sums })}\n`)
  return outcome
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
  for (const { first, count } of batches(Number(simulated), mostSeeds.simulate))
    test(`seeds ${first} to ${first + count - 1} of cut connections break no law`, async () => {
      test.setTimeout(1_200_000)
      const { broken, sums } = await played('simulate', first, count)
      const [worst] = broken
      if (worst) throw new Error(`${JSON.stringify(broken, null, 1)}\n${await traced(worst.seed)}`)
      if (first === 0 && count >= 200) expect(reached.filter((what) => !sums[what])).toEqual([])
    })

  test('worlds that once broke a law break none', async () => {
    const worlds = await Promise.all([4591, 7500, 8774].map((seed) => runCuts('simulate', String(seed), '1')))
    expect(worlds.flatMap((lines) => summed(lines).broken)).toEqual([])
  })

  test.describe('one after another', () => {
    // Each batch has a server of its own, and its worlds have limits of time.
    test.describe.configure({ mode: 'default' })
    for (const { first, count } of batches(Number(withProcesses), mostSeeds.processes))
      test(`seeds ${first} to ${first + count - 1} with real processes and sockets break no law`, async () => {
        test.setTimeout(1_200_000)
        const driver = isLong ? 'better-sqlite3' : 'node:sqlite'
        const here = driverHere(driver)
        test.skip(typeof here === 'string', String(here))
        if (typeof here === 'string') return
        const { broken, sums } = await played('processes', first, count, driver, here.node, here.folder)
        expect(broken).toEqual([])
        if (count >= 20) expect(['SIGKILL', 'runs', 'resolved'].filter((what) => (sums[what] ?? 0) < 2)).toEqual([])
      })

    for (const { first, count } of batches(Number(withClusters), mostSeeds.cluster))
      test(`seeds ${first} to ${first + count - 1} with two servers each on one PostgreSQL break no law`, async ({
        postgres,
      }) => {
        test.setTimeout(1_800_000)
        const { broken, sums } = await played('cluster', first, count, packageFolder('postgres'), postgres.folder)
        expect(broken).toEqual([])
        const all = ['SIGKILL', 'SIGTERM', 'SIGSTOP', 'cut-database', 'runs', 'resolved']
        if (count >= 6) expect(all.filter((what) => !sums[what])).toEqual([])
      })

    test('servers of the version before are replaced while turns run: all end, and no call runs twice', async ({
      postgres,
    }) => {
      test.setTimeout(600_000)
      const lines = await runCuts('deploy', '0', String(deployed), packageFolder('postgres'), postgres.folder)
      const { broken, sums } = summed(lines)
      console.log(`${deployed} turns while servers are replaced: ${JSON.stringify(sums)}`)
      expect(broken).toEqual([])
      const { resolved, 'running at end 1': atFirst, 'running at end 2': atSecond } = sums
      expect([resolved, atFirst, atSecond]).toEqual([deployed, deployed, deployed])
    })
  })
}
