// Runs one task: opens its page, lets its policy act with the page tools, and asks the page whether the task is done.
// Also compares what the tools report with what the page observed.
import { origin } from './task-site.mjs'
import { handsFor } from './hands.mjs'

/**
 * @typedef {import('./hands.mjs').Hands} Hands
 * @typedef {Record<string, any>} Goal
 */

/**
 * A task. The page defines `taskDone()`, which must be false at the start and after the policy has run with `mistake`.
 * It may define `taskValues()`: what the application holds, by the label of each field.
 * @typedef {object} Task
 * @property {string} name its name, unique in the folder of its kind
 * @property {string} [page] the file without `.html`; default: the name
 * @property {string} [query] with the question mark; default: none
 * @property {string} task what a user would ask
 * @property {Goal} goal what the policy has to reach
 * @property {Goal} mistake a wrong goal
 * @property {string} [needs] the feature without which it fails
 * @property {string} [extra] why the tools need not be able to do it; such a task is not a core task
 * @property {(hands: Hands, goal: any) => Promise<void>} policy
 */

/**
 * One call as it was recorded.
 * @typedef {{ tool: string, input: Record<string, unknown>, answer: string }} Step
 */

/**
 * The result of a run.
 * @typedef {object} Run
 * @property {boolean} done whether the page says that the task is done
 * @property {string} [problem] why the policy gave up
 * @property {Step[]} steps
 * @property {string[]} falseSuccesses what a tool reported and the page did not observe
 * @property {string[]} faults errors of the page, and a task that was done at the start
 */

/** Counts events before any script of the page sees them. */
function countEvents() {
  const seen = { click: 0, keydown: 0, submit: 0, pointerover: 0 }
  Object.assign(window, { taskEvents: seen })
  for (const type of /** @type {const} */ (['click', 'keydown', 'submit', 'pointerover']))
    window.addEventListener(type, () => seen[type]++, { capture: true })
}

/**
 * Runs in the page: one call as the agent makes it.
 * @param {{ name: string, input: Record<string, unknown>, id: string }} call
 */
async function callInPage({ name, input, id }) {
  const scope = /** @type {any} */ (window)
  scope.taskTools ??= await import(/** @type {string} */ ('/tools/tools.js')).then((module) => ({
    page: [...module.readTools(), ...module.fillTools(), ...module.actTools()],
    offered: module.webMcpTools(),
  }))
  const { page, offered } = scope.taskTools
  const found = await offered({ message: '', sessionId: 's', toolContext: {}, url: location.href, shared: new Map() })
  const tools = [...page, ...(found ?? [])]
  const before = { ...scope.taskEvents }
  const counts = () =>
    Object.fromEntries(Object.entries(scope.taskEvents).map(([type, count]) => [type, count - before[type]]))
  if (name === 'tools') return { answer: JSON.stringify(tools.map((one) => [one.name, one.inputSchema])), events: {} }
  const tool = tools.find((one) => one.name === name)
  if (!tool) return { answer: `Error (not-found): there is no tool ${name}.`, events: {} }
  const unknown = Object.keys(input).filter((key) => !Object.hasOwn(tool.inputSchema?.properties ?? {}, key))
  if (unknown.length > 0) return { answer: `Error (invalid-input): ${name} has no ${unknown.join(', ')}.`, events: {} }
  const run = {
    signal: new AbortController().signal,
    toolContext: {},
    sessionId: 's',
    toolCallId: id,
    messages: [],
    shared: new Map(),
    remember() {},
    report() {},
  }
  /** @type {object[]} */
  let stopped = []
  // The user allows what the action is predicted to do, and what it was stopped before.
  const attempt = async () => {
    const { preview } = tool[Symbol.for('tool-agent.internals')] ?? {}
    const forecast = preview?.(input, stopped.length > 0 ? { ...run, stopped } : run)
    const permission = forecast?.effect && { effect: forecast.effect, by: 'user' }
    return tool.execute(input, permission ? { ...run, permission } : run)
  }
  const allowed = async () => {
    for (let count = 1; ; count++) {
      try {
        return await attempt()
      } catch (thrown) {
        const { code, details } = /** @type {any} */ (thrown)
        if (code !== 'needs-approval' || count === 3) throw thrown
        stopped = [...stopped, ...details.stopped]
      }
    }
  }
  try {
    const output = await allowed()
    const shown = tool.toModelOutput ? await tool.toModelOutput({ output, input, toolCallId: id }) : output
    const answer = typeof shown === 'string' ? shown : (JSON.stringify(shown) ?? 'null')
    const values = name === 'form_fill' && scope.taskValues ? scope.taskValues() : undefined
    return { answer, events: counts(), values }
  } catch (thrown) {
    const error = /** @type {{ code?: string, name: string, message: string }} */ (thrown)
    return { answer: `Error (${error.code ?? error.name}): ${error.message}`, events: counts() }
  }
}

const sameValue = (/** @type {unknown} */ one, /** @type {unknown} */ other) =>
  String(one).toLowerCase().trim() === String(other).toLowerCase().trim()

/**
 * What an answer reports and the page did not observe.
 * @param {Step} step
 * @param {{ events: Record<string, number>, values?: Record<string, unknown> }} observed
 * @returns {string[]}
 */
export function falseSuccessesOf({ tool, input, answer }, { events, values }) {
  const fired = (/** @type {string} */ type) => (events[type] ?? 0) > 0
  const found = []
  if (tool === 'page_click' && answer.startsWith('Clicked') && !input['hover'] && !fired('click'))
    found.push(`${answer.split('\n')[0]} The page received no click.`)
  if (tool === 'page_press' && !answer.startsWith('Error') && !fired('keydown'))
    found.push(`${answer.split('\n')[0]} The page received no key.`)
  if (tool === 'form_submit' && answer.startsWith('Submitted') && !fired('submit'))
    found.push(`${answer.split('\n')[0]} The page received no submit event.`)
  if (tool === 'form_fill' && answer.startsWith('['))
    for (const { field, ok, asked, now } of JSON.parse(answer))
      if (ok && values && Object.hasOwn(values, field)) {
        const held = values[field]
        if (!sameValue(held, asked) && !sameValue(held, now))
          found.push(`form_fill reported ${field} = ${JSON.stringify(now)}. The page holds ${JSON.stringify(held)}.`)
      }
  return found
}

/**
 * Runs a policy once on a fresh page.
 * @param {import('playwright').Page} page a page whose context answers by `serveTasks`
 * @param {Task & { kind: string }} task
 * @param {Goal} goal
 * @param {{ hands: Hands, begin: () => Promise<() => Promise<unknown>> }} [player] another product; default: the page
 *   tools
 * @returns {Promise<Run>}
 */
export async function runTask(page, task, goal, player) {
  /** @type {Run} */
  const run = { done: false, steps: [], falseSuccesses: [], faults: [] }
  const note = (/** @type {Error} */ error) => void run.faults.push(`The page threw ${error.message}`)
  page.on('pageerror', note)
  try {
    await page.goto('about:blank')
    await page.goto(`${origin}/${task.kind}/${task.page ?? task.name}.html${task.query ?? ''}`)
    await page.evaluate(() => sessionStorage.clear())
    await page.reload()
    const isDone = () => page.evaluate(() => /** @type {any} */ (window).taskDone() === true)
    if (await isDone()) run.faults.push('taskDone() is true at the start')
    const end = await player?.begin()
    try {
      await task.policy(player?.hands ?? handsFor((tool, input = {}) => perform(page, run, tool, input)), goal)
    } catch (thrown) {
      run.problem = /** @type {Error} */ (thrown).message
    }
    await end?.()
    run.done = await becomesDone(page)
  } finally {
    page.off('pageerror', note)
  }
  return run
}

/**
 * Whether the task is done within a second: the page may still apply the last action, or be loading.
 * @param {import('playwright').Page} page
 */
async function becomesDone(page) {
  const isDone = () => /** @type {any} */ (window).taskDone?.() === true
  // A busy machine may need more than a second to ask.
  if (await page.evaluate(isDone).catch(() => false)) return true
  return page.waitForFunction(isDone, undefined, { timeout: 1_000 }).then(
    () => true,
    () => false,
  )
}

/**
 * Prepares a context for `runTask`.
 * @param {import('playwright').BrowserContext} context
 */
export const prepareContext = (context) => context.addInitScript(countEvents)

/**
 * One call, recorded. If the page navigates, the answer is the one that the agent gives on the next page.
 * @param {import('playwright').Page} page
 * @param {Run} run
 * @param {string} tool
 * @param {Record<string, unknown>} input
 */
async function perform(page, run, tool, input) {
  const from = page.url()
  const id = `call-${run.steps.length}`
  const hasLeft = page.waitForEvent('framenavigated', { timeout: 15_000 }).catch(() => undefined)
  let answer
  try {
    const observed = await page.evaluate(callInPage, { name: tool, input, id })
    answer = observed.answer
    run.falseSuccesses.push(...falseSuccessesOf({ tool, input, answer }, observed))
  } catch (thrown) {
    if (!/context was destroyed|navigat/i.test(/** @type {Error} */ (thrown).message)) throw thrown
    await hasLeft
    await page.waitForLoadState()
    answer = JSON.stringify({ navigated: { from, to: page.url() } })
  }
  run.steps.push({ tool, input, answer })
  return answer
}
