// `npm run tasks`: runs every task in Chromium and prints a Markdown table. Small pages get the page tools alone;
// applications get the whole element with its default settings, and the mouse answers its questions. Arguments: words
// that the name of a task must contain, and
//   --transcripts       writes each call and its answer to test-results/tasks
//   --mistakes          the same policies with a wrong goal, which no task may accept
//   --dist <folder>     another build of the package; default: dist
// Exits with 1 if a core task of a page fails, a tool reports what did not happen, or a mistake is accepted.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright'
import { candidates, launchSettings } from '../../scripts/browsers.mjs'
import { requireNode } from '../../scripts/node-version.mjs'
import { packages } from '../questions/server.mjs'
import { installPeers } from '../support/peers.mjs'
import { allTasks } from './all-tasks.mjs'
import { apps, npmApps, tasksOf } from './applications/all-apps.mjs'
import { runAppTask } from './applications/app-run.mjs'
import { prepareContext, runTask } from './task-run.mjs'
import { hasPackages, serveTasks } from './task-site.mjs'

/**
 * What a run of one task says, for the table. `questions`, `wrongTargets` and what is sent are known of applications only.
 * @typedef {{ label: string, kind: string, passed: boolean, core: boolean, notes: string[], steps: import('./task-run.mjs').Step[],
 *   requests: { count: number, chars?: number, cost?: number }, falseSuccesses: string[], wrongTargets?: string[], questions?: string[], faults: string[] }} Result
 */

requireNode()
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    transcripts: { type: 'boolean', default: false },
    mistakes: { type: 'boolean', default: false },
    dist: { type: 'string' },
  },
})
const root = fileURLToPath(new URL('../..', import.meta.url))
const dist = resolve(root, values.dist ?? 'dist')
const folder = `${root}test-results/tasks/`
const isChosen = (/** @type {string} */ label) =>
  positionals.length === 0 || positionals.some((word) => label.includes(word))
const pages = allTasks.filter(({ kind, name }) => isChosen(`${kind}/${name}`))
const inApps = Object.entries({ applications: apps, 'npm applications': npmApps }).flatMap(([kind, some]) =>
  tasksOf(some)
    .map((one) => ({ ...one, kind, label: `${one.app.name}/${one.task.name}` }))
    .filter(({ label }) => isChosen(label)),
)
const isMissing = () => inApps.some(({ app }) => app.needs && !existsSync(join(packages, app.needs)))
if (isMissing()) installPeers()
const missing = [
  ...(pages.some(({ kind }) => kind === 'jquery-ui') && !hasPackages() ? ['run npm ci in test/frameworks'] : []),
  ...(inApps.length > 0 && !existsSync(join(dist, 'tool-agent.js')) ? ['run npm run build'] : []),
  ...(isMissing() ? ['run npm ci in bench'] : []),
]
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
  if (pages.length > 0) await runPages()
  for (const { app, task, kind, label } of inApps) {
    const run = await runAppTask(browser, { app, task, goal: values.mistakes ? task.mistake : task.goal, dist })
    const notes = run.done ? [] : [(run.problem ?? 'not done').split('\n')[0] ?? '', ...needs(task)]
    // Of a wrong goal, what is wrong is no finding.
    report(
      {
        ...run,
        ...(values.mistakes ? { falseSuccesses: [], wrongTargets: [] } : {}),
        label,
        kind,
        core: true,
        passed: run.done,
        notes,
        faults: [],
      },
      task.task,
    )
  }
} finally {
  await browser.close()
}

async function runPages() {
  const context = await browser.newContext()
  await prepareContext(context)
  await serveTasks(context)
  const page = await context.newPage()
  page.on('dialog', (dialog) => void dialog.accept())
  for (const task of pages) {
    const run = await runTask(page, task, values.mistakes ? task.mistake : task.goal)
    const passed = run.done && run.problem === undefined
    const [problem = ''] = (run.problem ?? '').split('\n')
    const notes = [
      ...(passed ? [] : [problem || 'taskDone() is false', ...needs(task)]),
      ...(task.extra ? [`not a core task: ${task.extra}`] : []),
    ]
    const core = task.extra === undefined
    const label = `${task.kind}/${task.name}`
    report({ ...run, label, kind: 'pages', core, passed, notes, requests: { count: run.steps.length + 1 } }, task.task)
  }
  await context.close()
}

/** @param {{ needs?: string | undefined }} task */
function needs({ needs: feature }) {
  return feature === undefined ? [] : [`needs ${feature}`]
}

/** Keeps a result, and prints it on the error output, so that the table stays alone. @param {Result} result @param {string} task */
function report(result, task) {
  results.push(result)
  const { label, passed, steps, questions, notes, falseSuccesses, wrongTargets, faults } = result
  const lines = [
    `${passed ? 'yes' : 'NO '}  ${label.padEnd(34)} ${steps.length} calls${questions ? `, ${questions.length} questions` : ''}`,
    ...notes.map((text) => text.slice(0, 200)),
    ...falseSuccesses.map((text) => `FALSE SUCCESS: ${text.slice(0, 300)}`),
    ...(wrongTargets ?? []).map((path) => `WRONG TARGET: ${path}`),
    ...faults.map((text) => `FAULT: ${text}`),
  ]
  console.error(lines.join('\n       '))
  if (!values.transcripts) return
  const calls = steps.map(({ tool, input, answer }) => `> ${tool} ${JSON.stringify(input)}\n${answer}\n`)
  const text = [task, '', ...calls, ...(questions ?? []), ...lines].join('\n')
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}${label.replaceAll('/', '-')}.txt`, text)
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
