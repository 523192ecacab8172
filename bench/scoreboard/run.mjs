// `npm run scoreboard`: runs the tasks of `npm run tasks` with our tools and with page-agent, keeps how each ended in
// results.json, and writes docs/scoreboard.md from it. Arguments: words that the name of a task must contain, and
//   --product <name>    only ours or only page-agent
//   --missing           only tasks of which no result is kept, after a run that was stopped
//   --page              runs nothing, and writes the page from what is kept
//   --lanes <number>    how many tasks run at the same time; default: 2
//   --transcripts       writes each call and its answer to test-results/scoreboard
// Without words and --missing, all kept results are replaced. A run of some tasks needs the versions of the others.
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright'
import { candidates, headlessShell, launchSettings } from '../../scripts/browsers.mjs'
import { requireNode } from '../../scripts/node-version.mjs'
import { peerVersions } from '../support/lab.mjs'
import { bundlePeers, installPeers } from '../support/peers.mjs'
import { chooseTasks, missingFor, pageAgentResultsOf, printResult, resultsOf } from '../tasks/results.mjs'
import { entryOf, pageOf } from './page.mjs'

/** @typedef {import('./page.mjs').Kept} Kept */

requireNode()
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    product: { type: 'string' },
    missing: { type: 'boolean', default: false },
    lanes: { type: 'string', default: '2' },
    page: { type: 'boolean', default: false },
    transcripts: { type: 'boolean', default: false },
  },
})
const root = fileURLToPath(new URL('../..', import.meta.url))
const dist = join(root, 'dist')
const lanes = Number(values.lanes)
const file = fileURLToPath(new URL('results.json', import.meta.url))
const [ours, pageAgent] = /** @type {const} */ (['tool-agent', 'page-agent'])
if (!values.page) await runAll()
writeFileSync(join(root, 'docs/scoreboard.md'), pageOf(JSON.parse(readFileSync(file, 'utf8'))))

async function runAll() {
  installPeers()
  const { 'page-agent': peer = '' } = peerVersions()
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const [found] = [headlessShell(), ...candidates('chromium')].filter((one) => one !== undefined)
  const browser = await chromium.launch(found ? launchSettings(found).launchOptions : {})
  const folder = mkdtempSync(join(tmpdir(), 'scoreboard-'))
  try {
    const versions = { [ours]: version, [pageAgent]: peer, Chromium: browser.version() }
    const isWhole = positionals.length === 0 && !values.missing && values.product === undefined
    if (isWhole) rmSync(file, { force: true })
    /** What is kept by now, also by another run at the same time. @returns {Kept} */
    const readKept = () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { versions, results: {} })
    const kept = readKept()
    if (JSON.stringify(kept.versions) !== JSON.stringify(versions))
      throw new Error(`The kept results are of ${JSON.stringify(kept.versions)}. Run all tasks again.`)
    const { pages, inApps } = chooseTasks(positionals)
    /** Some of the tasks that a product has to do. @param {'tool-agent' | 'page-agent'} product @param {number} lane */
    const chosenFor = (product, lane) => {
      const isChosen = (/** @type {{ label: string }} */ { label }, /** @type {number} */ at) =>
        at % lanes === lane &&
        (values.product ?? product) === product &&
        !(values.missing && kept.results[label]?.[product])
      return { pages: pages.filter(isChosen), inApps: inApps.filter(isChosen), dist }
    }
    const missing = missingFor({ pages, inApps, ...(values.product === pageAgent ? {} : { dist }) })
    if (missing.length > 0) throw new Error(`Something is not there: ${missing.join(', ')}`)
    await bundlePeers(folder, [pageAgent])
    /** @param {'tool-agent' | 'page-agent'} product @param {AsyncGenerator<import('../tasks/results.mjs').Result>} results */
    const keepAll = async (product, results) => {
      for await (const result of results) {
        printResult(result, values.transcripts ? join(root, 'test-results/scoreboard', product, '/') : undefined)
        const { label, kind, task } = result
        // A run that is stopped loses nothing.
        const all = readKept()
        all.results[label] = { ...all.results[label], kind, task, [product]: entryOf(result) }
        writeFileSync(`${file}.new`, `${JSON.stringify(all, null, 2)}\n`)
        renameSync(`${file}.new`, file)
      }
    }
    const numbers = Array.from({ length: lanes }, (_, lane) => lane)
    await Promise.all(numbers.map((lane) => keepAll(ours, resultsOf(browser, chosenFor(ours, lane)))))
    await Promise.all(
      numbers.map((lane) =>
        keepAll(pageAgent, pageAgentResultsOf(browser, { ...chosenFor(pageAgent, lane), peers: folder })),
      ),
    )
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
