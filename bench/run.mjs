// `npm run bench`: measures the built package and other products in turns in one Chromium, and prints medians, ratios and
// the noise of the run. Arguments: names of rows; `plots` draws how the costs grow; `--quick` runs fewer rounds;
// `--json file` writes the record, `--docs` the tables of docs/performance.md. Exits with 1 if a row fails, not if an aim
// is missed.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from '../scripts/build.mjs'
import { requireNode } from '../scripts/node-version.mjs'
import { rows } from './rows.mjs'
import { openLab, peerVersions } from './support/lab.mjs'
import { bundlePeers, installPeers } from './support/peers.mjs'
import { columns, markdownOf, marks, outcomeCells, outcomeOf, tableOf } from './support/report.mjs'

requireNode()
const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    docs: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
})
const unknown = names.filter((name) => name !== 'plots' && !rows.some((row) => row.name === name))
if (unknown.length > 0)
  fail(`Unknown row ${unknown.join(', ')}. Rows: ${rows.map(({ name }) => name).join(', ')}, plots`)
const { quick: isQuick } = values

const log = (/** @type {string} */ text) => console.log(text)
installPeers()
await buildIfStale()
const folder = mkdtempSync(join(tmpdir(), 'tool-agent-bench-'))
const begin = Date.now()
/** @type {Awaited<ReturnType<typeof openLab>> | undefined} */
let lab
try {
  const chosen = rows.filter(({ name, isLong }) => (names.length === 0 ? !isLong : names.includes(name)))
  if (names.includes('plots') || chosen.some(({ hasNoPage }) => !hasNoPage)) {
    await bundlePeers(join(folder, 'peers'))
    lab = await openLab({ dist, peers: join(folder, 'peers'), isQuick, log })
  }
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  const machine = {
    node: process.version,
    chromium: lab?.browser.version() ?? 'not used',
    cores: cpus().length,
    load: loadavg()[0],
  }
  log(
    `commit ${commit}, Chromium ${machine.chromium}, Node ${machine.node}, ${machine.cores} cores, load ${machine.load?.toFixed(1)}`,
  )
  const record = {
    date: new Date(begin).toISOString(),
    commit,
    isQuick,
    machine,
    peers: peerVersions(),
    rows: /** @type {(import('./support/report.mjs').RowRecord & { seconds: number, load: number })[]} */ ([]),
  }
  for (const row of chosen) {
    const started = Date.now()
    const load = loadavg()[0] ?? 0
    log(`\n${row.name}: ${row.about}`)
    try {
      const { run } = await row.load()
      const figures = await run(lab ?? /** @type {import('./support/lab.mjs').Lab} */ ({ isQuick, log }))
      const { head, lines } = tableOf(figures)
      for (const line of columns([head, ...lines])) log(`  ${line}`)
      const outcomes = row.aims.map((aim) => ({ text: aim.text, outcome: outcomeOf(figures, aim) }))
      const compared = outcomes.map(({ text, outcome }) =>
        outcome ? outcomeCells(outcome) : [text, '-', 'not measured'],
      )
      for (const line of columns(compared)) log(`  ${line}`)
      const seconds = (Date.now() - started) / 1000
      log(`  ${seconds.toFixed(0)} s, load ${load.toFixed(1)} to ${(loadavg()[0] ?? 0).toFixed(1)}`)
      record.rows.push({ name: row.name, about: row.about, figures, outcomes, seconds, load })
    } catch (error) {
      process.exitCode = 1
      log(`  FAILED: ${error instanceof Error ? error.stack : String(error)}`)
    }
  }
  if (lab && names.includes('plots')) {
    const { drawPlots } = await import('./support/plots.mjs')
    for (const file of await drawPlots(lab, join(root, 'docs/images'))) log(`written ${file}`)
  }
  if (values.docs) writeDocs(record)
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(record, null, 2)}\n`)
  log(`\n${((Date.now() - begin) / 1000).toFixed(0)} s altogether`)
} finally {
  await lab?.close()
  rmSync(folder, { recursive: true, force: true })
}

/** @param {string} text @returns {never} */
function fail(text) {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

/** Builds dist/ if it is missing or older than a file of src/. */
async function buildIfStale() {
  const entry = join(dist, 'tool-agent.js')
  const built = existsSync(entry) ? statSync(entry).mtimeMs : 0
  const newest = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).reduce(
    (latest, file) => Math.max(latest, statSync(join(root, 'src', file)).mtimeMs),
    0,
  )
  if (newest <= built) return
  log(built === 0 ? 'dist/ does not exist. Building it.' : 'dist/ is older than src/. Building it.')
  await build({ root })
}

/**
 * Replaces the results in docs/performance.md.
 * @param {{
 *   date: string, commit: string, peers: Record<string, string>,
 *   machine: { node: string, chromium: string, cores: number },
 *   rows: (import('./support/report.mjs').RowRecord & { load: number })[],
 * }} given
 */
function writeDocs({ date, commit, machine, peers, rows: measured }) {
  const path = join(root, 'docs/performance.md')
  const text = readFileSync(path, 'utf8')
  const mark = marks.begin(names)
  const begin = text.indexOf(mark)
  const end = text.indexOf(marks.end, begin)
  if (begin < 0 || end < 0) throw new Error(`${path} does not have the lines ${mark} and ${marks.end}`)
  const versions = Object.entries(peers)
    .filter(([name]) => name !== 'esbuild' && name !== 'zod')
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')
  const loads = measured.map(({ load }) => load)
  const about = [
    `Measured on ${date.slice(0, 10)} at commit ${commit}, with Chromium ${machine.chromium}, Node ${machine.node.slice(1)}, ` +
      `${machine.cores} cores, load ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}.`,
    ...(names.length === 0 ? [`Compared with ${versions}.`] : []),
  ].join(' ')
  const results = markdownOf({ about, rows: measured })
  writeFileSync(path, `${text.slice(0, begin)}${mark}\n\n${results}\n\n${text.slice(end)}`)
}
