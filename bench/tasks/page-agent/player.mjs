// page-agent in a page, with a policy as its model: each request of page-agent brings its browser state, and the answer is
// the next action of the policy. Where the page loads another one, page-agent is started again with the same task.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { requestMeter } from '../../support/provider-order.mjs'
import { pageAgentHands } from './hands.mjs'

/** @typedef {import('playwright').Page} Page */
/** @typedef {import('playwright').Route} Route */

/** The longest wait for the next request of page-agent, in milliseconds. */
const patience = 60_000
/**
 * What differs from the defaults: more than 40 steps, so that no task ends because of it, and no animated glow over the
 * page, which nothing needs that is not seen.
 */
const settings = { maxSteps: 100, enableMask: false }

/** @param {object} action @returns {object} a completion of the chat protocol */
const completionOf = (action) => ({
  id: 'bench',
  object: 'chat.completion',
  created: 1,
  model: 'bench',
  choices: [
    {
      index: 0,
      finish_reason: 'tool_calls',
      message: {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call', type: 'function', function: { name: 'AgentOutput', arguments: JSON.stringify({ action }) } },
        ],
      },
    },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
})

/**
 * A player of one task.
 * @param {{ task: string, peers: string }} options `peers`: the folder of the bundled peers
 */
export function pageAgentPlayer({ task, peers }) {
  const meter = requestMeter('chat')
  /** @type {import('../applications/app-run.mjs').TimedStep[]} */
  const steps = []
  /** The request that waits for an action. @type {{ route: Route, state: string, result: string } | undefined} */
  let waiting
  let isLeaving = false
  let loads = 0
  let wake = () => {}

  /** @param {Route} route */
  const receive = (route) => {
    const body = route.request().postDataJSON()
    meter.add(body)
    const text = String(body.messages.at(-1).content)
    const [, state = ''] = /<browser_state>\n([\s\S]*)\n\n<\/browser_state>/.exec(text) ?? []
    const results = [...text.matchAll(/\nAction Results: ([\s\S]*?)\n<\/step_\d+>/g)]
    waiting = { route, state, result: results.at(-1)?.[1] ?? '' }
    wake()
  }

  /** Waits for the next request of page-agent. A page that is being left sends none that counts. */
  const next = async () => {
    const end = Date.now() + patience
    while (!waiting || isLeaving) {
      const left = end - Date.now()
      if (left <= 0) throw new Error(`page-agent sent no request within ${patience / 1000} seconds`)
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, left)
        wake = () => {
          clearTimeout(timer)
          resolve(undefined)
        }
      })
    }
    return waiting
  }
  /** @param {Record<string, object>} action @returns {Promise<boolean>} whether page-agent got it */
  const reply = async (action) => {
    const { route } = await next()
    waiting = undefined
    return route.fulfill({ json: completionOf(action) }).then(
      () => true,
      () => false,
    )
  }
  const { hands, lacks } = pageAgentHands({
    observe: async () => (await next()).state,
    act: async (action) => {
      const sentAt = Date.now()
      // The page may have been left before the action came.
      if (!(await reply(action))) await reply(action)
      const { result, state } = await next()
      const [tool = ''] = Object.keys(action)
      const input = action[tool]
      steps.push({
        tool,
        input: /** @type {Record<string, unknown>} */ (input),
        answer: `${result}\n${state}`,
        sentAt,
        endedAt: Date.now(),
      })
      return result
    },
  })

  return {
    hands,
    lacks,
    steps,
    requests: meter.sum,
    /** How many pages were loaded while the policy played. */
    pagesLeft: () => loads,
    model: { answer: async () => {} },
    /** Starts page-agent in each page that is loaded. @param {Page} page */
    async prepare(page) {
      page.setDefaultNavigationTimeout(2 * patience)
      await page.route('**/page-agent-model/chat/completions', receive)
      await page.route('**/peers/page-agent/*', (route) => {
        const { pathname } = new URL(route.request().url())
        const body = readFileSync(join(peers, pathname.slice('/peers/'.length)), 'utf8')
        return route.fulfill({ contentType: 'text/javascript', body })
      })
      const isOfPage = (/** @type {import('playwright').Request} */ request) =>
        request.isNavigationRequest() && request.frame() === page.mainFrame()
      page.on('request', (request) => {
        if (isOfPage(request)) isLeaving = true
      })
      const stay = (/** @type {import('playwright').Request} */ request) => {
        if (isOfPage(request)) isLeaving = false
        wake()
      }
      page.on('requestfailed', stay)
      page.on('download', () => {
        isLeaving = false
        wake()
      })
      page.on('domcontentloaded', () => {
        isLeaving = false
        waiting = undefined
        loads++
      })
      page.on('load', async () => {
        if (!page.url().startsWith('http')) return
        // A page that is left at once has none.
        await page.evaluate(startPageAgent, { task, settings }).catch(() => undefined)
      })
    },
    async begin() {
      await next()
      loads = 0
      return async () => {
        await reply({ done: { text: 'Done.', success: true } }).catch(() => undefined)
      }
    },
  }
}

/** Runs in the page. @param {{ task: string, settings: object }} options */
async function startPageAgent({ task, settings: own }) {
  await import(/** @type {string} */ ('/peers/page-agent/index.js'))
  // The task goes on until the policy ends it.
  void (/** @type {any} */ (window).startPeer({ endpoint: '/page-agent-model', ...own }).send(task))
}
