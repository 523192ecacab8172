// `npm run cuts`: plays conversations of a server while connections are cut, server and pages are killed, and disks are
// full. Prints the first seed that breaks a law, with all that happened in it, and at the end one line for everything.
// `--seeds 10000`, `--processes 1000` and `--cluster 100` are the numbers of simulated worlds, of those with real
// processes, and of those with two servers each on one PostgreSQL, from `--seed 0` on, and `--minutes 120` is when no
// further batch begins; these are the defaults. If one of the numbers is given, the others are 0. A run that has stopped
// says how to go on. `--seed 17` alone plays one simulated world again and prints it.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/** What the spec notes of each batch. @typedef {{ kind: 'simulate' | 'processes' | 'cluster', first: number, count: number, broken: number[], sums: Record<string, number> }} Batch */

const text = { type: /** @type {const} */ ('string') }
const { values } = parseArgs({ options: { seeds: text, processes: text, cluster: text, seed: text, minutes: text } })
/** @param {'seeds' | 'processes' | 'cluster' | 'seed' | 'minutes'} name @param {number} usual */
const number = (name, usual) => {
  const value = Number(values[name] ?? usual)
  if (value >= 0 && (Number.isInteger(value) || name === 'minutes')) return value
  process.stderr.write(`--${name} expects a number from 0, received ${values[name]}\n`)
  process.exit(1)
}
const hasCount = [values.seeds, values.processes, values.cluster].some((value) => value !== undefined)
const isAlone = values.seed !== undefined && !hasCount
const first = number('seed', 0)
/** @param {number} count */
const usual = (count) => (hasCount ? 0 : count)
const wanted = {
  simulate: number('seeds', usual(10_000)),
  processes: number('processes', usual(1_000)),
  cluster: number('cluster', usual(100)),
}
const minutes = number('minutes', 120)
const begin = Date.now()
const folder = mkdtempSync(join(tmpdir(), 'tool-agent-cuts-results-'))
const results = join(folder, 'batches.jsonl')
// Ctrl+C ends the run, and what it has played is summed up.
process.on('SIGINT', () => undefined)

const { status } = spawnSync(
  process.execPath,
  [
    fileURLToPath(new URL('test.mjs', import.meta.url)),
    '--long',
    'server/cuts.spec.ts',
    '--project=node',
    '--workers=2',
    '--reporter=line',
  ],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      ...(isAlone
        ? { CUTS_ALONE: String(first) }
        : {
            CUTS_FIRST: String(first),
            CUTS_SEEDS: String(wanted.simulate),
            CUTS_PROCESSES: String(wanted.processes),
            CUTS_CLUSTER: String(wanted.cluster),
            CUTS_UNTIL: String(begin + minutes * 60_000),
            CUTS_RESULTS: results,
          }),
    },
  },
)
process.exitCode = status ?? 1
if (!isAlone) sumUp(existsSync(results) ? readFileSync(results, 'utf8').trim().split('\n') : [])
rmSync(folder, { recursive: true, force: true })

/** @param {readonly string[]} lines */
function sumUp(lines) {
  const batches = lines.map((line) => /** @type {Batch} */ (JSON.parse(line)))
  const parts = [
    playedOf(batches, 'simulate', 'simulated worlds'),
    playedOf(batches, 'processes', 'with real processes'),
    playedOf(batches, 'cluster', 'with two servers on one PostgreSQL'),
  ]
  const broken = batches.flatMap((batch) => batch.broken)
  /** @param {readonly string[]} names */
  const sum = (...names) =>
    batches
      .flatMap(({ sums }) => names.map((name) => sums[name] ?? 0))
      .reduce((all, one) => all + one, 0)
      .toLocaleString('en-US')
  const happened = [
    `${sum('cut')} cuts`,
    `${sum('kill-server', 'SIGKILL')} servers killed`,
    `${sum('SIGSTOP')} stopped for a while`,
    `${sum('cut-database')} cuts of a database`,
    `${sum('crash')} pages killed`,
    `${sum('send resolved', 'send rejected', 'send lost', 'resolved', 'rejected', 'lost', 'pending')} messages`,
  ]
  const time = `${((Date.now() - begin) / 60_000).toFixed(0)} min`
  const laws = broken.length === 0 ? 'no law was broken' : `a law was broken in seeds ${broken.join(', ')}`
  process.stdout.write(`\ncuts: ${parts.join(', ')}: ${laws}. ${happened.join(', ')}. ${time}\n`)
  const left = /** @type {const} */ (['simulate', 'processes', 'cluster']).flatMap((kind) => restOf(batches, kind))
  for (const command of left) process.stdout.write(`Not played yet: ${command}\n`)
  // A run that stopped before its end has shown less than it was asked for.
  if (left.length > 0) process.exitCode = 1
}

/** @param {readonly Batch[]} batches @param {Batch['kind']} kind @param {string} called */
function playedOf(batches, kind, called) {
  const own = batches.filter((batch) => batch.kind === kind)
  const count = own.reduce((all, batch) => all + batch.count, 0).toLocaleString('en-US')
  if (own.length === 0) return `0 ${called}`
  const from = Math.min(...own.map((batch) => batch.first))
  const to = Math.max(...own.map((batch) => batch.first + batch.count - 1))
  return `${count} ${called} (seeds ${from} to ${to})`
}

/** The command that plays what is left, from the first seed that was not played. @param {readonly Batch[]} batches @param {Batch['kind']} kind */
function restOf(batches, kind) {
  let next = first
  const own = batches.filter((batch) => batch.kind === kind).sort((one, other) => one.first - other.first)
  for (const batch of own) if (batch.first === next) next += batch.count
  const left = first + wanted[kind] - next
  if (left <= 0) return []
  const name = kind === 'simulate' ? 'seeds' : kind
  return [`npm run cuts -- --seed ${next} --${name} ${left}`]
}
