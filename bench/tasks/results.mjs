// Runs tasks one after the other, with our tools or with page-agent, and says how each ended.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packages } from '../questions/server.mjs'
import { play } from '../questions/job.mjs'
import { installPeers } from '../support/peers.mjs'
import { allTasks } from './all-tasks.mjs'
import { apps, npmApps, tasksOf } from './applications/all-apps.mjs'
import { runAppTask } from './applications/app-run.mjs'
import { pageAgentPlayer } from './page-agent/player.mjs'
import { prepareContext, runTask } from './task-run.mjs'
import { hasPackages, serveTasks } from './task-site.mjs'

/**
 * What a run of one task says. `questions`, `wrongTargets` and what is sent are known of applications only.
 * @typedef {{ label: string, task: string, kind: string, passed: boolean, core: boolean, problem?: string,
 *   notes: string[], steps: import('./task-run.mjs').Step[], requests: { count: number, chars?: number, cost?: number },
 *   falseSuccesses: string[], wrongTargets?: string[], questions?: string[], faults: string[] }} Result
 */

/**
 * What page-agent did. `lacks`: actions that were wanted and do not exist. `pagesLeft`: how often another page was loaded.
 * @typedef {Result & { lacks: string[], pagesLeft: number }} PageAgentResult
 */

/** @typedef {ReturnType<typeof chooseTasks>} Chosen */

/** The tasks whose name contains one of some words; all of them without words. @param {readonly string[]} words */
export function chooseTasks(words) {
  const isChosen = (/** @type {{ label: string }} */ { label }) =>
    words.length === 0 || words.some((word) => label.includes(word))
  return {
    pages: allTasks.map((task) => ({ ...task, label: `${task.kind}/${task.name}` })).filter(isChosen),
    inApps: Object.entries({ applications: apps, 'npm applications': npmApps }).flatMap(([kind, some]) =>
      tasksOf(some)
        .map((one) => ({ ...one, kind, label: `${one.app.name}/${one.task.name}` }))
        .filter(isChosen),
    ),
  }
}

/** What has to be installed or built before some tasks can run. @param {Chosen & { dist?: string }} given */
export function missingFor({ pages, inApps, dist }) {
  const isMissing = () => inApps.some(({ app }) => app.needs && !existsSync(join(packages, app.needs)))
  if (isMissing()) installPeers()
  return [
    ...(pages.some(({ kind }) => kind === 'jquery-ui') && !hasPackages() ? ['run npm ci in test/frameworks'] : []),
    ...(dist !== undefined && inApps.length > 0 && !existsSync(join(dist, 'tool-agent.js'))
      ? ['run npm run build']
      : []),
    ...(isMissing() ? ['run npm ci in bench'] : []),
  ]
}

/** @param {{ needs?: string }} task */
const needs = (task) => (task.needs ? [`needs ${task.needs}`] : [])

/**
 * Runs tasks with our tools. `hasMistakes`: the policies get a wrong goal, of which what is wrong is no finding.
 * @param {import('playwright').Browser} browser
 * @param {Chosen & { dist: string, hasMistakes?: boolean, shots?: import('../questions/job.mjs').Shots }} options
 * @returns {AsyncGenerator<Result>}
 */
export async function* resultsOf(browser, { pages, inApps, dist, shots, hasMistakes = false }) {
  const context = await openTasks(browser)
  const page = await context.newPage()
  page.on('dialog', (dialog) => void dialog.accept())
  for (const task of pages) {
    const run = await runTask(page, task, hasMistakes ? task.mistake : task.goal)
    yield { ...pageResult(task, run), ...run, requests: { count: run.steps.length + 1 } }
  }
  await context.close()
  for (const { app, task, kind, label } of inApps) {
    const run = await runAppTask(browser, { app, task, goal: hasMistakes ? task.mistake : task.goal, dist, shots })
    const noFindings = hasMistakes ? { falseSuccesses: [], wrongTargets: [] } : {}
    yield { ...run, ...noFindings, ...appResult(task, run), label, kind }
  }
}

/**
 * Runs tasks with page-agent. `peers`: the folder of the bundled peers.
 * @param {import('playwright').Browser} browser
 * @param {Chosen & { dist: string, peers: string }} options
 * @returns {AsyncGenerator<PageAgentResult>}
 */
export async function* pageAgentResultsOf(browser, { pages, inApps, dist, peers }) {
  for (const task of pages) {
    const context = await openTasks(browser)
    const page = await context.newPage()
    page.on('dialog', (dialog) => void dialog.accept())
    const player = pageAgentPlayer({ task: task.task, peers })
    await player.prepare(page)
    const run = await runTask(page, task, task.goal, player)
    yield { ...run, ...pageResult(task, run), ...whatDid(player) }
    await context.close()
  }
  for (const { app, task, kind, label } of inApps) {
    const player = pageAgentPlayer({ task: task.task, peers })
    const run = await runAppTask(browser, {
      app,
      task,
      goal: task.goal,
      dist,
      play: async (own, options) => ({
        ...(await play(own, { ...options, player })),
        calls: player.steps,
        requests: player.requests(),
        questions: [],
      }),
    })
    yield { ...run, ...appResult(task, run), label, kind, ...whatDid(player) }
  }
}

/** @param {ReturnType<typeof pageAgentPlayer>} player */
const whatDid = ({ steps, lacks, requests, pagesLeft }) => ({
  steps,
  lacks,
  requests: requests(),
  pagesLeft: pagesLeft(),
})

/** A context that has the pages of tasks. @param {import('playwright').Browser} browser */
async function openTasks(browser) {
  const context = await browser.newContext()
  await prepareContext(context)
  await serveTasks(context)
  return context
}

/** @param {Chosen['pages'][number]} task @param {import('./task-run.mjs').Run} run */
function pageResult(task, run) {
  const passed = run.done && run.problem === undefined
  const [problem = ''] = (run.problem ?? '').split('\n')
  const notes = [
    ...(passed ? [] : [problem || 'taskDone() is false', ...needs(task)]),
    ...(task.extra ? [`not a core task: ${task.extra}`] : []),
  ]
  return { label: task.label, task: task.task, kind: 'pages', core: task.extra === undefined, passed, notes }
}

/** @param {Chosen['inApps'][number]['task']} task @param {import('./applications/app-run.mjs').AppRun} run */
function appResult(task, run) {
  const notes = run.done ? [] : [(run.problem ?? 'not done').split('\n')[0] ?? '', ...needs(task)]
  return { task: task.task, core: true, passed: run.done, notes, faults: [] }
}

/**
 * Prints a result on the error output, so that the table stays alone. With a folder, writes each call and its answer there.
 * @param {Result} result @param {string} [folder]
 */
export function printResult(result, folder) {
  const { label, task, passed, steps, questions, notes, falseSuccesses, wrongTargets = [], faults } = result
  const lines = [
    `${passed ? 'yes' : 'NO '}  ${label.padEnd(34)} ${steps.length} calls${questions ? `, ${questions.length} questions` : ''}`,
    ...notes.map((text) => text.slice(0, 200)),
    ...falseSuccesses.map((text) => `FALSE SUCCESS: ${text.slice(0, 300)}`),
    ...wrongTargets.map((path) => `WRONG TARGET: ${path}`),
    ...faults.map((text) => `FAULT: ${text}`),
  ]
  console.error(lines.join('\n       '))
  if (folder === undefined) return
  const calls = steps.map(({ tool, input, answer }) => `> ${tool} ${JSON.stringify(input)}\n${answer}\n`)
  const text = [task, '', ...calls, ...(questions ?? []), ...lines].join('\n')
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}${label.replaceAll('/', '-')}.txt`, text)
}
