// Invariants of every session, checked on generated sessions: no turn ends with an open call, each request is a
// valid history, each call runs at most once, replica = host = stored, and late events change nothing. The default run
// plays the first seeds and those that reach every kind of end and failure; the long run plays 200. `SEEDS=2000` plays
// more, `SEED=17` plays and prints one.
import { smaller, scriptOf, written, type Script } from '../../../support/lab/generator.js'
import { expect, test, type Lab } from '../../../support/lab/lab.js'
import { isLong } from '../../../support/project/long.js'
import { play } from '../../../support/lab/play.js'

const one = process.env['SEED']
const first = Number(process.env['FROM'] ?? 1)
const total = Number(process.env['SEEDS'] ?? (isLong ? 200 : 40))
/** These seeds reach every kind at least twice. After a change of the generator, `SEEDS=200` prints what is reached. */
const covering = process.env['SEEDS'] === undefined ? [53, 59, 64, 84, 104, 110, 116, 130, 163] : []
const batch = 20
/** What the sessions of a default run must reach. Otherwise the invariants would be checked on too little. */
const reached = [
  'reason stop',
  'reason stopped',
  'reason error',
  'reason direct',
  'reason length',
  'reason superseded',
  'reason max-steps',
  'reason max-tool-calls',
  'reason content-filter',
  'reason no-answer',
  'reason interrupted',
  'code none',
  'code cancelled',
  'code interrupted',
  'code timeout',
  'code denied',
  'code superseded',
  'code execution-failed',
  'code not-serializable',
  'code format-error',
  'code invalid-input',
  'code unknown-tool',
  'code unavailable',
  'code refused',
  'code limit',
  'error stream-cut',
  'error server',
  'error network',
  'error bad-response',
  'host died after a fact',
  'act stop',
  'act send',
  'act drop',
  'act kill',
  'act close',
  'act unregister',
  'act redefine',
  'act remember',
  'act continue',
  'decision edit',
  'decision leave',
  'decision always',
  'decision twice',
]

// The agent prints errors that reject no promise. Here hundreds of them are expected.
test.beforeEach(() => {
  console.error = () => undefined
  console.warn = () => undefined
})

let played = 0
const sum = new Map<string, number>()
const add = (tally: ReadonlyMap<string, number>) => {
  played++
  for (const [what, count] of tally) sum.set(what, (sum.get(what) ?? 0) + count)
}

if (one !== undefined) {
  test(`the session of seed ${one} breaks no law`, async ({ lab }) => {
    const script = scriptOf(Number(one))
    console.log(written(script))
    const { failures, tally } = await play(lab, script)
    console.log([...tally].map(([what, count]) => `${what} ${count}`).join(', '))
    expect(failures).toEqual([])
  })
} else {
  test.describe.configure({ mode: 'default' })
  const playAll = async (lab: Lab, seeds: readonly number[]): Promise<void> => {
    test.setTimeout(120_000)
    for (const seed of seeds) {
      const script = scriptOf(seed)
      const { failures, tally } = await play(lab, script)
      add(tally)
      if (failures.length > 0) throw new Error(await explained(lab, script, failures))
    }
  }
  for (let from = first; from < first + total; from += batch) {
    const to = Math.min(from + batch, first + total) - 1
    test(
      `sessions of the seeds ${from} to ${to} keep all laws`,
      { tag: ['@R2', '@R2.4', '@R5.1', '@R5.2', '@R5.3', '@R6.1', '@R6.5'] },
      ({ lab }) =>
        playAll(
          lab,
          Array.from({ length: to - from + 1 }, (_, index) => from + index),
        ),
    )
  }
  const others = covering.filter((seed) => seed < first || seed >= first + total)
  if (others.length > 0)
    test(`sessions of the seeds ${others.join(', ')} keep all laws`, ({ lab }) => playAll(lab, others))

  test('the sessions reach every kind of end, failure and action', () => {
    // A session that broke an invariant ended its worker, so the sums of that worker are missing.
    const all = total + others.length
    test.skip(played < all, `${played} of ${all} sessions were summed up`)
    const lines = [...sum].sort(([a], [b]) => (a < b ? -1 : 1)).map(([what, count]) => `${what} ${count}`)
    console.log(`Sessions of ${all} seeds: ${lines.join(', ')}`)
    if (total >= 200 || covering.length > 0) expect(reached.filter((what) => !sum.has(what))).toEqual([])
  })
}

/** A smaller script that breaks one of the same invariants, and the command that plays it. */
async function explained(lab: Lab, script: Script, failures: readonly string[]): Promise<string> {
  const kind = (failure: string) => failure.replace(/[\w-]*\d[\w-]*/g, '…').slice(0, 40)
  const kinds = new Set(failures.map(kind))
  let least = script
  let found = failures
  const end = Date.now() + 20_000
  for (
    let isSmaller = !failures.some((failure) => failure.includes('never came to rest'));
    isSmaller && Date.now() < end;
  ) {
    isSmaller = false
    for (const candidate of smaller(least)) {
      if (Date.now() > end) break
      const { failures: now } = await play(lab, candidate)
      if (!now.some((failure) => kinds.has(kind(failure)))) continue
      least = candidate
      found = now
      isSmaller = true
      break
    }
  }
  return `seed ${script.seed} broke ${failures.length} laws:\n  ${failures.join('\n  ')}\nSEED=${script.seed} plays it alone. A smaller script breaks ${found.length}:\n  ${found.join('\n  ')}\n${written(least)}`
}
