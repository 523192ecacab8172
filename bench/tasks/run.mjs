// `npm run tasks`: runs every task in Chromium and prints a Markdown table. Small pages get the page tools alone;
// applications get the whole element with its default settings, and the mouse answers its questions. Arguments: words
// that the name of a task must contain, and
//   --transcripts       writes each call and its answer to test-results/tasks
//   --pictures          of tasks in applications alone: photographs after each action, of each question and of the end,
//                       1280 and 390 pixels wide, in test-results/tasks/pictures
//   --mistakes          the same policies with a wrong goal, which no task may accept
//   --dist <folder>     another build of the package; default: dist
// Exits with 1 if a core task of a page fails, a tool reports what did not happen, or a mistake is accepted.
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright'
import { candidates, launchSettings } from '../../scripts/browsers.mjs'
import { requireNode } from '../../scripts/node-version.mjs'
import { chooseTasks, missingFor, printResult, resultsOf } from './results.mjs'

/** @typedef {import('./results.mjs').Result} Result */

requireNode()
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    transcripts: { type: 'boolean', default: false },
    mistakes: { type: 'boolean', default: false },
    pictures: { type: 'boolean', default: false },
    dist: { type: 'string' },
  },
})
const root = fileURLToPath(new URL('../..', import.meta.url))
const dist = resolve(root, values.dist ?? 'dist')
const folder = `${root}test-results/tasks/`
const chosen = { ...chooseTasks(positionals), dist }
const missing = missingFor(chosen)
if (missing.length > 0) {
  console.error(`Something is not there: ${missing.join(', ')}.`)
  process.exit(1)
}
if (values.transcripts) rmSync(folder, { recursive: true, force: true })

const [found] = candidates('chromium')
const browser = await chromium.launch(found ? launchSettings(found).launchOptions : {})
/** @type {Result[]} */
const results = []
try {
  for (const width of values.pictures ? [1280, 390] : [undefined]) {
    const shots = width === undefined ? undefined : { folder: `${folder}pictures/`, width, dark: false, story: true }
    const some = shots === undefined ? chosen : { ...chosen, pages: [], shots }
    for await (const result of resultsOf(browser, { ...some, hasMistakes: values.mistakes })) {
      results.push(result)
      printResult(result, values.transcripts ? folder : undefined)
    }
  }
} finally {
  await browser.close()
}

const sum = (/** @type {number[]} */ numbers) => numbers.reduce((total, one) => total + one, 0)
const median = (/** @type {number[]} */ numbers) =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0

/** @param {Result[]} some @returns {Record<string, string>} */
function figuresOf(some) {
  const both = (/** @type {(one: Result) => number} */ count) =>
    `${median(some.map(count))}; ${sum(some.map(count)).toLocaleString('en')}`
  const hasState = some.some(({ wrongTargets }) => wrongTargets !== undefined)
  return {
    'tasks right': `${some.filter(({ passed }) => passed).length} of ${some.length}`,
    'false successes': String(sum(some.map(({ falseSuccesses }) => falseSuccesses.length))),
    'tasks with a wrong target': hasState
      ? String(some.filter(({ wrongTargets = [] }) => wrongTargets.length > 0).length)
      : '–',
    'steps (requests), median; all': both(({ requests }) => requests.count),
    'calls, median; all': both(({ steps }) => steps.length),
    'questions, median; all': hasState ? both(({ questions = [] }) => questions.length) : '–',
    'characters of requests, median; all': hasState ? both(({ requests: { chars = 0 } }) => chars) : '–',
    'new characters + 0.1 x repeated, median; all': hasState
      ? both(({ requests: { cost = 0 } }) => Math.round(cost))
      : '–',
    'characters of answers, median; all': both(({ steps }) => sum(steps.map(({ answer }) => answer.length))),
  }
}

const columns = ['pages', 'applications', 'npm applications', 'all'].map((title) => ({
  title,
  figures: figuresOf(results.filter(({ kind }) => title === 'all' || title === kind)),
}))
console.log(`| ${values.mistakes ? 'with a wrong goal' : ''} | ${columns.map(({ title }) => title).join(' | ')} |`)
console.log(`| --- |${' --- |'.repeat(columns.length)}`)
for (const row of Object.keys(columns[0]?.figures ?? {}))
  console.log(`| ${row} | ${columns.map(({ figures }) => figures[row]).join(' | ')} |`)
if (values.transcripts) console.log(`\nTranscripts: ${folder}`)
const isBad = values.mistakes
  ? results.some(({ passed }) => passed)
  : results.some(
      ({ kind, core, passed, falseSuccesses, faults }) =>
        faults.length > 0 || (kind === 'pages' && ((core && !passed) || falseSuccesses.length > 0)),
    )
process.exitCode = isBad ? 1 : 0
