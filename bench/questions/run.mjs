// `npm run questions`: how often the panel asks, and whether it asks about what matters. Plays every job with default
// settings and the real mouse, and compares the questions with what servers and browser observed. Prints a Markdown table
// and writes test-results/questions/*.json. Arguments: words that the name of a job must contain, and
//   --task              presses "Allow for this task" where it is offered
//   --approval=<mode>   the attribute of the element
//   --guard=off         without the guard that stops effects while an action runs
//   --dist <folder>     another build of the package; default: dist
//   --columns           this build with "Allow", with "Allow for this task", with approval off, and without the guard
//   --shots=<width>     photographs of all questions in a window of this width; with --dark on a dark page
//   --workers=<count>   jobs at the same time; default: 3
// Exits with 1 if a job of the usual columns did not end right or an effect was not asked about.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright'
import { candidates, launchSettings } from '../../scripts/browsers.mjs'
import { requireNode } from '../../scripts/node-version.mjs'
import { allJobs } from './all-jobs.mjs'
import { figuresOf, judge } from './figures.mjs'
import { runJob } from './job.mjs'
import { buildUnguarded } from './unguarded.mjs'

requireNode()
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    task: { type: 'boolean', default: false },
    approval: { type: 'string' },
    guard: { type: 'string' },
    dist: { type: 'string' },
    columns: { type: 'boolean', default: false },
    workers: { type: 'string', default: '3' },
    shots: { type: 'string' },
    dark: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
})
const root = fileURLToPath(new URL('../..', import.meta.url))
const dist = resolve(root, values.dist ?? 'dist')
if (!existsSync(`${dist}/tool-agent.js`)) {
  console.error(`${dist} has no tool-agent.js: run npm run build first.`)
  process.exit(1)
}
const chosen = allJobs.filter(({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)))

/** @typedef {{ title: string, approval?: string, guardOff?: boolean, forTask?: boolean }} Column */
/** @type {Column[]} */
const columns = values.columns
  ? [
      { title: 'Allow' },
      { title: 'Allow for this task', forTask: true },
      { title: 'approval off', approval: 'off' },
      { title: 'guard off', guardOff: true },
    ]
  : [
      {
        title:
          [
            ...(values.approval ? [`approval ${values.approval}`] : []),
            ...(values.guard === 'off' ? ['guard off'] : []),
            ...(values.task ? ['Allow for this task'] : []),
          ].join(', ') || 'Allow',
        guardOff: values.guard === 'off',
        forTask: values.task,
        ...(values.approval ? { approval: values.approval } : {}),
      },
    ]

const folder = `${root}test-results/questions/`
mkdirSync(`${folder}shots/`, { recursive: true })
const unguarded = columns.some(({ guardOff }) => guardOff) ? await buildUnguarded(root) : undefined
const [found] = candidates('chromium')
const browser = await chromium.launch(found ? launchSettings(found).launchOptions : {})
/** @type {{ column: Column, runs: import('./job.mjs').Run[] }[]} */
const results = []
try {
  for (const column of columns) {
    const waiting = chosen.entries()
    /** @type {import('./job.mjs').Run[]} */
    const runs = []
    const work = async () => {
      for (const [at, { name, job, app }] of waiting) {
        const run = await runJob(browser, {
          ...(app ? { app } : {}),
          job,
          dist: unguarded && column.guardOff ? unguarded.dist : dist,
          attributes: column.approval ? `approval="${column.approval}"` : '',
          forTask: column.forTask ?? false,
          ...(values.shots
            ? { shots: { folder: `${folder}shots/`, width: Number(values.shots), dark: values.dark } }
            : {}),
        })
        runs[at] = { ...run, name }
        report({ ...run, name })
      }
    }
    console.error(`${column.title}:`)
    await Promise.all(Array.from({ length: Number(values.workers) }, work))
    results.push({ column, runs })
    writeFileSync(
      `${folder}${column.title.toLowerCase().replaceAll(/\W+/g, '-')}.json`,
      JSON.stringify(
        { dist, figures: figuresOf(runs), jobs: runs.map((run) => ({ ...run, judged: judge(run) })) },
        null,
        2,
      ),
    )
  }
} finally {
  await browser.close()
  unguarded?.remove()
}

const tables = results.map(({ column, runs }) => ({ title: column.title, figures: figuresOf(runs) }))
console.log(`| ${chosen.length} jobs | ${tables.map(({ title }) => title).join(' | ')} |`)
console.log(`| --- |${' --- |'.repeat(tables.length)}`)
for (const row of Object.keys(tables[0]?.figures ?? {}))
  console.log(`| ${row} | ${tables.map(({ figures }) => Reflect.get(figures, row)).join(' | ')} |`)
console.log(`\nEach job: ${folder}`)
const usual = results.filter(({ column }) => column.approval === undefined && column.guardOff !== true)
process.exitCode = usual.some(({ runs }) => runs.some((run) => !run.ended || judge(run).missed.length > 0)) ? 1 : 0

/** One line per job, on the error output, so that the table stays alone. @param {import('./job.mjs').Run} run */
function report(run) {
  const { missed, questions } = judge(run)
  const kinds = questions.map(({ effect, kind, title }) =>
    values.verbose ? `\n    ${effect} ${kind}: ${title}` : kind,
  )
  const lines = [
    `${run.ended ? 'ok' : 'NO'}  ${run.name.padEnd(30)} questions ${questions.length} ${kinds.join(values.verbose ? '' : ' ')}`,
    ...(run.problem ? [`    ${run.problem.split('\n')[0]?.slice(0, 300)}`] : []),
    ...missed.map(({ effect, what }) => `    not asked: ${effect} ${what}`),
  ]
  console.error(lines.join('\n'))
}
