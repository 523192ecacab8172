// `npm run tasks`: runs every task in Chromium and prints a table. Arguments: words that the name of a task must contain;
// `--transcripts` writes each call and its answer to test-results/tasks. Exits with 1 if a core task fails.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'
import { candidates, launchSettings } from '../../scripts/browsers.mjs'
import { requireNode } from '../../scripts/node-version.mjs'
import { allTasks } from './all-tasks.mjs'
import { prepareContext, runTask } from './task-run.mjs'
import { hasPackages, serveTasks } from './task-site.mjs'

requireNode()
const args = process.argv.slice(2)
const words = args.filter((arg) => !arg.startsWith('--'))
const folder = fileURLToPath(new URL('../../test-results/tasks/', import.meta.url))
const isRecorded = args.includes('--transcripts')
const chosen = allTasks.filter(
  ({ kind, name }) => words.length === 0 || words.some((word) => `${kind}/${name}`.includes(word)),
)
if (!hasPackages()) {
  console.log('jQuery UI is not installed: run npm ci in test/frameworks first.')
  process.exit(1)
}
if (isRecorded) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
}

const median = (/** @type {number[]} */ numbers) =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0
const length = (/** @type {{ answer: string }[]} */ steps) => steps.reduce((sum, { answer }) => sum + answer.length, 0)

const [found] = candidates('chromium')
const browser = await chromium.launch(found ? launchSettings(found).launchOptions : {})
const context = await browser.newContext()
await prepareContext(context)
await serveTasks(context)
const page = await context.newPage()
page.on('dialog', (dialog) => void dialog.accept())
/** @type {{ core: boolean, run: import('./task-run.mjs').Run }[]} */
const results = []
try {
  console.log(`${'task'.padEnd(34)} passed  calls  characters`)
  for (const task of chosen) {
    const run = await runTask(page, task, task.goal)
    results.push({ core: task.extra === undefined, run })
    const passed = run.done && run.problem === undefined
    const [problem = ''] = (run.problem ?? '').split('\n')
    const reason = problem || 'taskDone() is false'
    const notes = [
      ...(passed ? [] : [`${reason.slice(0, 160)}${task.needs ? ` (needs ${task.needs})` : ''}`]),
      ...(task.extra ? [`not a core task: ${task.extra}`] : []),
      ...run.falseSuccesses.map((text) => `FALSE SUCCESS: ${text}`),
      ...run.faults.map((text) => `FAULT: ${text}`),
    ]
    const label = `${task.kind}/${task.name}`.padEnd(34)
    const counts = `${String(run.steps.length).padStart(5)}  ${String(length(run.steps)).padStart(10)}`
    console.log([`${label} ${passed ? 'yes   ' : 'NO    '}  ${counts}`, ...notes].join('\n    '))
    if (isRecorded) writeFileSync(`${folder}${task.kind}-${task.name}.txt`, transcript(task, run))
  }
} finally {
  await browser.close()
}

const passed = results.filter(({ run }) => run.done && run.problem === undefined)
const failedCore = results.filter((one) => one.core && !passed.includes(one))
const reads = results.flatMap(({ run }) => run.steps.filter(({ tool }) => tool === 'page_read'))
const wrong = results.flatMap(({ run }) => run.falseSuccesses)
console.log(`
tasks passed                    ${passed.length} of ${results.length}
core tasks that failed          ${failedCore.length}
median calls                    ${median(results.map(({ run }) => run.steps.length))}
median characters of page_read  ${median(reads.map(({ answer }) => answer.length))}
false successes                 ${wrong.length}`)
if (isRecorded) console.log(`transcripts                     ${folder}`)
process.exitCode = failedCore.length + wrong.length > 0 || results.some(({ run }) => run.faults.length > 0) ? 1 : 0

/** @param {import('./task-run.mjs').Task} task @param {import('./task-run.mjs').Run} run */
function transcript({ task }, { steps, problem, done }) {
  const calls = steps.map(({ tool, input, answer }) => `> ${tool} ${JSON.stringify(input)}\n${answer}\n`)
  return [`${task}\n`, ...calls, `done: ${done}`, ...(problem === undefined ? [] : [`stopped: ${problem}`])].join('\n')
}
