// Runs one task in an application: the element with its default settings, a policy as the model, and the mouse for the
// questions. What the server or the page holds at the end is compared with what it should hold.
import { isDeepStrictEqual } from 'node:util'
import { playInPanel } from '../../questions/job.mjs'
import { falseSuccessesOf } from '../task-run.mjs'

/**
 * @typedef {import('../hands.mjs').Hands} Hands
 * @typedef {Record<string, any>} Goal
 */

/**
 * A task in an application. `policy` returns the answer to the user, if the task is a question.
 * @typedef {object} AppTask
 * @property {string} name unique in its application
 * @property {string} task what a user would ask
 * @property {string} [path] default: that of the application
 * @property {Goal} goal what the policy has to reach
 * @property {Goal} mistake a wrong goal
 * @property {string} [needs] the feature without which it fails
 * @property {(state: any, goal: any) => unknown} want changes the state at the start into the right one at the end;
 *   `state.answer` is what the policy has to return
 * @property {(hands: Hands, goal: any) => Promise<unknown>} policy
 */

/**
 * An application with its tasks. `state` is what its server or page holds; default: the data of the server.
 * `needs` is the package from npm without which it cannot run.
 * @typedef {import('../../questions/server.mjs').App & { path?: string, needs?: string, tasks: AppTask[],
 *   state?: (world: { data: any, page: import('playwright').Page }) => unknown }} TaskApp
 */

/**
 * Plays a policy with a product.
 * @typedef {(browser: import('playwright').Browser, options: Parameters<typeof playInPanel>[1]) =>
 *   Promise<Omit<Awaited<ReturnType<typeof playInPanel>>, 'calls'> & { calls: TimedStep[] }>} Play
 */

/** @typedef {import('../task-run.mjs').Step & { sentAt: number, endedAt: number }} TimedStep */

/**
 * @typedef {object} AppRun
 * @property {boolean} done whether the state is right, and no other
 * @property {string} [problem] why the policy gave up
 * @property {import('../task-run.mjs').Step[]} steps
 * @property {import('../../support/provider-order.mjs').RequestSum} requests of the model
 * @property {string[]} questions
 * @property {string[]} falseSuccesses what a tool reported and the page did not observe, and a policy that was told of no
 *   problem although the state is not right
 * @property {string[]} wrongTargets parts of the state that changed and should not
 */

/**
 * The parts of a state by their path. Items of a list are known by their `id`, `title` or `name`.
 * @param {any} state
 * @returns {Map<string, unknown>}
 */
function partsOf(state, path = '') {
  if (typeof state !== 'object' || state === null) return new Map([[path, state]])
  const keyOf = (/** @type {any} */ one) => one?.id ?? one?.title ?? one?.name
  const isKeyed = Array.isArray(state) && state.every((one) => keyOf(one) !== undefined)
  const entries = Object.entries(state).map(([key, value]) => ({ key: isKeyed ? keyOf(value) : key, value }))
  const parts = new Map(entries.flatMap(({ key, value }) => [...partsOf(value, `${path}.${key}`)]))
  return isKeyed ? parts.set(`${path}.order`, entries.map(({ key }) => key).join()) : parts
}

/** The paths at which two states differ. @param {unknown} one @param {unknown} other */
function differences(one, other) {
  const [before, after] = [partsOf(one), partsOf(other)]
  const paths = new Set([...before.keys(), ...after.keys()])
  return [...paths].filter((path) => before.get(path) !== after.get(path))
}

/**
 * Compares the state at the end with the one that the task wants. `missing`: the paths that are not as wanted.
 * `wrongTargets`: the items of the start, such as `.cards.2`, of which a part changed that had to stay.
 * @param {{ start: unknown, wanted: unknown, end: unknown }} states
 * @returns {{ missing: string[], wrongTargets: string[] }}
 */
export function judgeState({ start, wanted, end }) {
  const itemOf = (/** @type {string} */ path) => path.split('.').slice(0, 3).join('.')
  const known = new Set([...partsOf(start).keys()].map(itemOf))
  const asked = new Set(differences(start, wanted))
  const changed = differences(start, end).filter((path) => !asked.has(path))
  return {
    missing: differences(wanted, end),
    wrongTargets: [...new Set(changed.map(itemOf))].filter((item) => known.has(item)),
  }
}

/** Tells which events of a page no hand of a person made, and when. */
function reportEvents() {
  const report = /** @type {any} */ (window).benchSawEvent
  for (const type of ['click', 'keydown', 'submit'])
    window.addEventListener(
      type,
      ({ isTrusted }) => void ((!isTrusted || type === 'submit') && report(type, Date.now())),
      { capture: true },
    )
}

/**
 * @param {import('playwright').Browser} browser
 * @param {{ app: TaskApp, task: AppTask, goal: Goal, dist: string, play?: Play,
 *   shots?: import('../../questions/job.mjs').Shots | undefined }} options `play` plays the policy with another product;
 *   default: with the panel
 * @returns {Promise<AppRun>}
 */
export async function runAppTask(browser, { app, task, goal, dist, shots, play = playInPanel }) {
  /** @type {{ type: string, at: number }[]} */
  const events = []
  /** @type {any} */
  let start
  /** @type {any} */
  let end
  /** @type {unknown} */
  let answer
  const stateOf = async (/** @type {import('../../questions/job.mjs').World} */ world) =>
    JSON.parse(JSON.stringify(await (app.state?.(world) ?? world.data)))
  const path = task.path ?? app.path
  const played = await play(browser, {
    app,
    dist,
    name: task.name,
    task: task.task,
    ...(path === undefined ? {} : { path }),
    ...(shots === undefined ? {} : { shots }),
    prepare: async (context) => {
      await context.exposeBinding('benchSawEvent', (_source, type, at) => void events.push({ type, at }))
      await context.addInitScript(reportEvents)
    },
    policy: async (world) => {
      start = await stateOf(world)
      answer = await task.policy(world.hands, goal)
    },
    isRight: async (world) => {
      end = await stateOf(world)
      if (answer !== undefined) end.answer = answer
      return isDeepStrictEqual(end, wanted())
    },
  })
  function wanted() {
    const state = structuredClone(start)
    task.want(state, task.goal)
    return state
  }

  const { calls, isRight } = played
  const problem = played.problem || (end === undefined ? 'The state could not be read' : undefined)
  if (start !== undefined && isDeepStrictEqual(start, wanted())) throw new Error(`${task.name}: nothing has to change`)
  const { missing, wrongTargets } =
    end === undefined ? { missing: [], wrongTargets: [] } : judgeState({ start, wanted: wanted(), end })
  const stated = calls.flatMap((call) => {
    const during = events.filter(({ at }) => at >= call.sentAt && at <= call.endedAt)
    return falseSuccessesOf(call, { events: Object.fromEntries(during.map(({ type }) => [type, 1])) })
  })
  const done = isRight && problem === undefined
  return {
    done,
    ...(problem === undefined ? {} : { problem }),
    steps: calls,
    requests: played.requests,
    questions: played.questions.map(({ effect, title }) => `${effect}: ${title}`),
    falseSuccesses: [
      ...stated,
      ...(problem === undefined && !isRight ? [`No tool told a problem. Not right: ${missing.join(', ')}`] : []),
    ],
    wrongTargets,
  }
}
