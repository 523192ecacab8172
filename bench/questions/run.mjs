// `npm run questions`: how often the panel asks, and whether it asks about what matters. Plays every job with default
// settings and the real mouse, and compares the questions with what servers and browser observed. Jobs whose truth is the
// data of their server are also played with "Allow for this task" and with "Don't allow". Prints Markdown tables, one of
// them by what the pages are built like, and writes test-results/questions/*.json. Arguments: words that the name or the
// group of a job must contain, and
//   --task              only presses "Allow for this task" where it is offered
//   --deny              only denies what is about a deed
//   --allow             only allows
//   --approval=<mode>   the attribute of the element
//   --guard=off         without the guard that stops effects while an action runs
//   --dist <folder>     another build of the package; default: dist
//   --columns           this build with "Allow", with "Allow for this task", with approval off, and without the guard
//   --shots=<width>     photographs of all questions in a window of this width; with --dark on a dark page
//   --workers=<count>   jobs at the same time; default: 4
//   --verbose           also the questions of each job, and what its calls answered where it did not end right
// Exits with 1 if a job of the usual columns did not end right or an effect was not asked about.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright'
import { candidates, launchSettings } from '../../scripts/browsers.mjs'
import { requireNode } from '../../scripts/node-version.mjs'
import { allJobs } from './all-jobs.mjs'
import { figuresOf, groupTable, judge, judgeChanges } from './figures.mjs'
import { runJob } from './job.mjs'
import { buildUnguarded } from './unguarded.mjs'

requireNode()
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    task: { type: 'boolean', default: false },
    deny: { type: 'boolean', default: false },
    allow: { type: 'boolean', default: false },
    approval: { type: 'string' },
    guard: { type: 'string' },
    dist: { type: 'string' },
    columns: { type: 'boolean', default: false },
    workers: { type: 'string', default: '4' },
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
const chosen = allJobs.filter(
  ({ name, app }) =>
    positionals.length === 0 || positionals.some((word) => name.includes(word) || word === (app?.group ?? 'plain')),
)

/**
 * `onlyState`: jobs whose truth is the data of their server.
 * @typedef {{ title: string, approval?: string, guardOff?: boolean, visitor?: import('./job.mjs').Visitor,
 *   onlyState?: boolean }} Column
 */

/** @returns {Column[]} */
function chosenColumns() {
  if (values.columns)
    return [
      { title: 'Allow' },
      { title: 'Allow for this task', visitor: 'task' },
      { title: 'approval off', approval: 'off' },
      { title: 'guard off', guardOff: true },
    ]
  const settings = {
    guardOff: values.guard === 'off',
    ...(values.approval ? { approval: values.approval } : {}),
  }
  const named = [
    ...(values.approval ? [`approval ${values.approval}`] : []),
    ...(settings.guardOff ? ['guard off'] : []),
  ]
  const title = (/** @type {string} */ visitor) => [...named, visitor].join(', ')
  const isAll = !values.allow && !values.task && !values.deny
  return [
    ...(isAll || values.allow ? [{ ...settings, title: named.join(', ') || 'Allow' }] : []),
    ...(isAll || values.task
      ? [{ ...settings, title: title('Allow for this task'), visitor: /** @type {const} */ ('task'), onlyState: isAll }]
      : []),
    ...(isAll || values.deny
      ? [{ ...settings, title: title('Don\u2019t allow'), visitor: /** @type {const} */ ('deny'), onlyState: true }]
      : []),
  ]
}
const columns = chosenColumns()

const folder = `${root}test-results/questions/`
mkdirSync(`${folder}shots/`, { recursive: true })
const unguarded = columns.some(({ guardOff }) => guardOff) ? await buildUnguarded(root) : undefined
const [found] = candidates('chromium')
const browser = await chromium.launch(found ? launchSettings(found).launchOptions : {})
/** @type {{ column: Column, runs: import('./job.mjs').Run[] }[]} */
const results = []
try {
  for (const column of columns) {
    const waiting = jobsOf(column).entries()
    /** @type {import('./job.mjs').Run[]} */
    const runs = []
    const work = async () => {
      for (const [at, { name, job, app }] of waiting) {
        const run = await runJob(browser, {
          ...(app ? { app } : {}),
          job,
          dist: unguarded && column.guardOff ? unguarded.dist : dist,
          attributes: column.approval ? `approval="${column.approval}"` : '',
          visitor: column.visitor ?? 'allow',
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
    // A run of tests empties the folder of results.
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      `${folder}${column.title.toLowerCase().replaceAll(/\W+/g, '-')}.json`,
      JSON.stringify(
        {
          dist,
          figures: figuresOf(runs),
          jobs: runs.map((run) => ({ ...run, judged: run.changes ? judgeChanges(run) : judge(run) })),
        },
        null,
        2,
      ),
    )
  }
} finally {
  await browser.close()
  unguarded?.remove()
}

const plain = results.map(({ column, runs }) => ({ column, runs: runs.filter(({ changes }) => !changes) }))
const tables = plain
  .filter(({ runs }) => runs.length > 0)
  .map(({ column, runs }) => ({ title: column.title, count: runs.length, figures: figuresOf(runs) }))
if (tables[0]) {
  console.log(`| ${tables[0].count} plain jobs | ${tables.map(({ title }) => title).join(' | ')} |`)
  console.log(`| --- |${' --- |'.repeat(tables.length)}`)
  for (const row of Object.keys(tables[0].figures))
    console.log(`| ${row} | ${tables.map(({ figures }) => Reflect.get(figures, row)).join(' | ')} |`)
}
const usual = results.filter(({ column }) => column.approval === undefined && column.guardOff !== true)
const of = (/** @type {import('./job.mjs').Visitor} */ visitor) =>
  usual.filter(({ column }) => (column.visitor ?? 'allow') === visitor).flatMap(({ runs }) => runs)
if (usual.length > 0) console.log(`\n${groupTable({ allow: of('allow'), task: of('task'), deny: of('deny') })}`)
for (const { column, runs } of results.filter((one) => !usual.includes(one)))
  console.log(`\n${column.title}:\n\n${groupTable({ allow: runs, task: [], deny: [] })}`)
console.log(`\nEach job: ${folder}`)
process.exitCode = usual.some(({ runs }) => runs.some((run) => !run.ended || missedBy(run).length > 0)) ? 1 : 0

/** @param {Column} column */
function jobsOf({ onlyState, visitor }) {
  return chosen.filter(
    ({ job }) =>
      !onlyState || (job.changes && (visitor !== 'deny' || job.changes.some(({ effect }) => effect !== 'value'))),
  )
}

/** What happened without a question. @param {import('./job.mjs').Run} run */
function missedBy(run) {
  return run.changes ? judgeChanges(run).missed : judge(run).missed
}

/** One line per job, on the error output, so that the table stays alone. @param {import('./job.mjs').Run} run */
function report(run) {
  const found = run.changes ? judgeChanges(run) : undefined
  const kindOf = found
    ? (/** @type {import('./job.mjs').Question} */ one) => (found.idle.includes(one) ? 'idle' : one.answer)
    : undefined
  const questions = judge(run).questions.map((one, at) => {
    const [own] = run.questions.slice(at)
    const kind = kindOf && own ? kindOf(own) : one.kind
    return values.verbose ? `\n    ${one.effect} ${kind}: ${one.title}` : kind
  })
  const faults = found
    ? [
        ...found.unnamed.map(({ what }) => `not named: ${what}`),
        ...found.granted.map(({ what }) => `by the grant: ${what}`),
        ...found.late.map(({ what }) => `later, not asked: ${what}`),
        ...found.twice.map((what) => `ran twice: ${what}`),
        ...(run.differs
          ? [
              `page and server differ${found.isTold ? ', as the answer says' : ''}`,
              ...(values.verbose ? [`  shown: ${run.differs.shown}`, `  held:  ${run.differs.held}`] : []),
            ]
          : []),
      ]
    : []
  const lines = [
    `${run.ended ? 'ok' : 'NO'}  ${run.name.padEnd(30)} questions ${questions.length} ${questions.join(values.verbose ? '' : ' ')}`,
    ...(run.problem ? [`    ${run.problem.split('\n')[0]?.slice(0, 300)}`] : []),
    ...missedBy(run).map(({ effect, what }) => `    not asked: ${effect} ${what}`),
    ...faults.map((fault) => `    ${fault}`),
    ...(values.verbose && !run.ended
      ? run.calls.map((call) => `--- ${call.intent} ${call.tool} ${JSON.stringify(call.input)}\n${call.answer}`)
      : []),
  ]
  console.error(lines.join('\n'))
}
