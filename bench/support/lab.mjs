// One Chromium, the site and the measuring instruments that the rows share.
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { chromium } from 'playwright'
import { candidates, launchSettings } from '../../scripts/browsers.mjs'
import { median } from './numbers.mjs'
import { startSite } from './site.mjs'

/**
 * What a row measured for one product: a list of values, one per round.
 * @typedef {{ what: string, product: string, unit: string, values: number[] }} Figure
 */

/** @typedef {import('playwright').Page} Page */

/**
 * An event of a trace. `ts` and `dur` are microseconds on the clock, `tdur` of thread time.
 * @typedef {{ name: string, ph: string, pid: number, tid: number, ts: number, dur?: number, tdur?: number, args?: any }} TraceEvent
 */

/**
 * Chromium finds no other address than that of the site. A route of Playwright would do the same, but with one route, each
 * request of a page makes a detour through this process, which takes up to 4 ms and more for a long body.
 */
const onlyTheSite = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'

/** Counts and times turns, and finds elements in open shadow roots; runs before the scripts of every page. */
function prepare() {
  const scope = /** @type {any} */ (window)
  scope.turnsEnded = 0
  const sent = (/** @type {KeyboardEvent} */ { key, timeStamp }) => {
    if (key === 'Enter') scope.sentAt = timeStamp
  }
  addEventListener('keydown', sent, { capture: true })
  const ended = () => {
    scope.turnsEnded++
    scope.turnTime = performance.now() - scope.sentAt
  }
  document.addEventListener('tool-agent-turn-end', ended, { capture: true })
  /** The first match in the document and in its open shadow roots. @param {string} selector @param {ParentNode} [root] */
  scope.findDeep = (selector, root = document) => {
    const own = root.querySelector(selector)
    if (own) return own
    for (const element of root.querySelectorAll('*')) {
      const found = element.shadowRoot ? scope.findDeep(selector, element.shadowRoot) : null
      if (found) return found
    }
    return null
  }
}

/**
 * Opens the browser and the site. `dist`: the folder of the built package; `peers`: that of the bundled peers.
 * @param {{ dist: string, peers: string, isQuick: boolean, log: (text: string) => void }} options
 */
export async function openLab({ dist, peers, isQuick, log }) {
  const site = await startSite({ '/tool-agent/': dist, '/peers/': peers })
  const [found] = candidates('chromium')
  const { args = [], ...launchOptions } = found ? launchSettings(found).launchOptions : {}
  const browser = await chromium.launch({ ...launchOptions, args: [...args, onlyTheSite] })

  /**
   * A page in a context of its own, without anything cached or stored.
   * @param {string} [path] @param {{ context?: import('playwright').BrowserContext }} [options]
   */
  const open = async (path, { context } = {}) => {
    const own = context ?? (await newContext())
    const page = await own.newPage()
    page.on('pageerror', (error) => log(`a page threw ${error.message}`))
    if (path !== undefined) await page.goto(site.url + path)
    return page
  }
  /** A context of its own. */
  const newContext = async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    await context.addInitScript(prepare)
    return context
  }

  /**
   * What a page's main thread did during `work`, as the events of a trace that have a duration.
   * @param {Page} page @param {() => Promise<unknown>} work @returns {Promise<TraceEvent[]>}
   */
  const trace = async (page, work) => {
    await browser.startTracing(page, {
      // What the page does, the category of `RunTask`, and that of the marks.
      categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'blink.user_timing'],
    })
    await page.evaluate(() => performance.mark('bench-start'))
    await work()
    await page.evaluate(() => performance.mark('bench-end'))
    const { traceEvents: events } = JSON.parse((await browser.stopTracing()).toString('utf8'))
    const isMark =
      (/** @type {string} */ wanted) =>
      (/** @type {TraceEvent} */ { name }) =>
        name === wanted
    const start = events.find(isMark('bench-start'))
    const end = events.findLast(isMark('bench-end'))
    if (!start || !end) throw new Error('The trace has no marks')
    return events.filter(
      (/** @type {TraceEvent} */ { ph, pid, tid, ts }) =>
        ph === 'X' && pid === start.pid && tid === start.tid && ts > start.ts && ts < end.ts,
    )
  }

  return {
    site,
    browser,
    /** The folder of the built package. */
    dist,
    isQuick,
    log,
    open,
    newContext,
    median,

    /** Waits until a condition of this process is true, at most 30 seconds. @param {() => boolean} condition */
    async until(condition) {
      for (const end = performance.now() + 30_000; !condition(); await pause(5))
        if (performance.now() > end) throw new Error('The condition was not met within 30 seconds')
    },

    /**
     * Milliseconds of thread time that the main thread of a page spent during `work`, and its milliseconds on the clock.
     * @param {Page} page @param {() => Promise<unknown>} work
     */
    async cpu(page, work) {
      const session = await page.context().newCDPSession(page)
      await session.send('Performance.enable', { timeDomain: 'threadTicks' })
      const read = async () => {
        const { metrics } = await session.send('Performance.getMetrics')
        return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
      }
      const before = await read()
      const begin = performance.now()
      await work()
      const wall = performance.now() - begin
      const main = (await read()) - before
      await session.detach()
      return { main, wall }
    },

    /**
     * The tasks of a page's main thread during `work`: the longest one and their sum, in milliseconds of thread time, and
     * the longest one on the clock.
     * @param {Page} page @param {() => Promise<unknown>} work
     */
    async tasks(page, work) {
      const tasks = (await trace(page, work)).filter(({ name }) => name === 'RunTask')
      if (tasks.length === 0) throw new Error('The trace has no tasks')
      const times = tasks.map(({ dur = 0, tdur = dur }) => tdur / 1000)
      return {
        longest: Math.max(...times),
        longestWall: Math.max(...tasks.map(({ dur = 0 }) => dur / 1000)),
        sum: times.reduce((sum, time) => sum + time, 0),
      }
    },

    trace,

    /**
     * Runs each product once per round, in an order that rotates, and collects what they return.
     * @param {number} rounds
     * @param {Record<string, () => Promise<Record<string, number>>>} products
     * @param {Record<string, string>} units by what was measured
     * @returns {Promise<Figure[]>}
     */
    async inTurns(rounds, products, units) {
      const names = Object.keys(products)
      /** @type {Map<string, Figure>} */
      const figures = new Map()
      for (let round = 0; round < rounds; round++) {
        for (let turn = 0; turn < names.length; turn++) {
          const product = names[(turn + round) % names.length] ?? ''
          const results = (await products[product]?.()) ?? {}
          for (const [what, value] of Object.entries(results)) {
            const key = JSON.stringify([what, product])
            const figure = figures.get(key) ?? { what, product, unit: units[what] ?? 'ms', values: [] }
            figure.values.push(value)
            figures.set(key, figure)
          }
        }
      }
      return [...figures.values()]
    },

    /** Ends the browser and the site. */
    async close() {
      await browser.close()
      await site.close()
    },
  }
}

/** @typedef {Awaited<ReturnType<typeof openLab>>} Lab */

/** The exact versions of the compared packages. */
export function peerVersions() {
  const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return /** @type {Record<string, string>} */ (dependencies)
}
