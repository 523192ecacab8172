// A page that stays open: many turns of three calls each, most with a model in the page, some over HTTP. At the end,
// page and worker use as much memory as after the first turns. Only Chromium counts objects and bytes.
import type { BrowserContext, CDPSession, Page } from 'playwright/test'
import { isObject } from '../../../src/core/data/json.js'
import { expect, test } from '../../support/page/session-page.js'

/** A DevTools session of the page or of its worker. */
interface Target {
  send(method: string, params?: object): Promise<unknown>
}

/**
 * The page's worker as a target of its own; Playwright has no session for it, so its messages go through the page's.
 */
async function workerOf(cdp: CDPSession): Promise<Target> {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(reason: unknown): void }>()
  let last = 0
  cdp.on('Target.receivedMessageFromTarget', ({ message }) => {
    const { id, result, error } = JSON.parse(message) as { id?: number; result?: unknown; error?: { message: string } }
    const one = waiting.get(id ?? -1)
    if (error) one?.reject(new Error(error.message))
    else one?.resolve(result)
  })
  const attached = new Promise<string>((resolve) =>
    cdp.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
      if (targetInfo.type === 'worker') resolve(sessionId)
    }),
  )
  await cdp.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false })
  const sessionId = await attached
  return {
    send: (method, params = {}) =>
      new Promise((resolve, reject) => {
        const id = ++last
        waiting.set(id, { resolve, reject })
        cdp
          .send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method, params }) })
          .catch(reject)
      }),
  }
}

const kinds = ['MessagePort', 'MessageChannel', 'BroadcastChannel', 'AbortController', 'AbortSignal', 'EventTarget']

/**
 * The kinds of objects of which there are more: more than two, because the browser drops the object of an element and
 * makes it again, and far fewer than a leak of one per turn.
 */
const grown = (before: Record<string, number>, after: Record<string, number>): string[] =>
  Object.keys(after).filter((kind) => (after[kind] ?? 0) > (before[kind] ?? 0) + 2)

/** Bytes in use, and the number of objects of each kind, after a garbage collection. */
async function held(
  target: Target,
  more: readonly string[] = [],
): Promise<{ bytes: number; objects: Record<string, number> }> {
  const objects: Record<string, number> = {}
  for (let round = 0; round < 3; round++) await target.send('HeapProfiler.collectGarbage')
  const { usedSize } = (await target.send('Runtime.getHeapUsage')) as { usedSize: number }
  for (const kind of [...kinds, ...more]) {
    const { result } = (await target.send('Runtime.evaluate', {
      expression: `${kind}.prototype`,
      objectGroup: 'soak',
    })) as { result: { objectId: string } }
    const { objects: list } = (await target.send('Runtime.queryObjects', {
      prototypeObjectId: result.objectId,
      objectGroup: 'soak',
    })) as { objects: { objectId: string } }
    const { result: length } = (await target.send('Runtime.callFunctionOn', {
      objectId: list.objectId,
      functionDeclaration: 'function () { return this.length }',
      returnByValue: true,
    })) as { result: { value: number } }
    objects[kind] = length.value
  }
  await target.send('Runtime.releaseObjectGroup', { objectGroup: 'soak' })
  return { bytes: usedSize, objects }
}

/** About two minutes. */
const turns = 1_000
const most = (40 * 2 ** 20 * turns) / 1_000
const play = (page: Page, count: number) =>
  page.evaluate(
    (all) => (window as unknown as { play(turns: number, length: number): Promise<number> }).play(all, 20),
    count,
  )

interface Holding {
  readonly bytes: number
  readonly listeners: number
  readonly page: Record<string, number>
  readonly worker: Record<string, number>
}

/** What page and worker hold before and after so many turns. */
async function around(
  page: Page,
  context: BrowserContext,
  url: string,
  count: number,
  warmUp: number,
): Promise<{ before: Holding; after: Holding; line: string }> {
  await page.goto(url)
  await page.waitForFunction(() => window.agent?.host === 'worker')
  const cdp = await context.newCDPSession(page)
  const worker = await workerOf(cdp)
  const look = async (): Promise<Holding> => {
    const [inPage, inWorker] = [await held(cdp as Target, ['Worker']), await held(worker)]
    return {
      bytes: inPage.bytes + inWorker.bytes,
      listeners: (await cdp.send('Memory.getDOMCounters')).jsEventListeners,
      page: inPage.objects,
      worker: inWorker.objects,
    }
  }
  await play(page, warmUp)
  const before = await look()
  const ms = await play(page, count)
  const after = await look()
  await cdp.detach()
  const mb = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MB`
  const line = `${count} turns, ${(ms / count).toFixed(1)} ms each; heap ${mb(before.bytes)} before, ${mb(after.bytes)} after; listeners ${before.listeners}, ${after.listeners}; page ${JSON.stringify(before.page)} ${JSON.stringify(after.page)}; worker ${JSON.stringify(before.worker)} ${JSON.stringify(after.worker)}`
  return { before, after, line }
}

test.beforeEach(({ browserName }) => {
  test.skip(browserName !== 'chromium', 'Only Chromium counts objects and bytes on demand')
})

test(
  `${turns.toLocaleString('en')} turns with tools in one page: under ${most / 2 ** 20} MB more of heap in page and worker, no listener and no port left behind`,
  { tag: '@long' },
  async ({ page, context, open, site, serveModel }) => {
    test.setTimeout(600_000)
    let last = 0
    const endpoint = await serveModel((body) => {
      const messages = Array.isArray(body['messages']) ? body['messages'].filter(isObject) : []
      return messages.at(-1)?.['role'] === 'tool'
        ? { text: 'All of it is done.' }
        : { calls: ['look', 'write', 'late'].map((name) => ({ id: `call-${++last}`, name, arguments: { n: 1 } })) }
    })
    const rounds: [name: string, url: string, count: number][] = [
      ['with a model in the page', `${site}/test/pages/session/soak.html`, Math.round(turns * 0.8)],
      ['over the wire', open(endpoint).replace('session.html', 'soak.html'), Math.round(turns * 0.2)],
    ]
    for (const [name, url, count] of rounds) {
      const { before, after, line } = await around(page, context, url, count, 40)
      console.log(`${name}: ${line}`)
      expect(after.bytes - before.bytes).toBeLessThan(most)
      expect(grown(before.page, after.page)).toEqual([])
      expect(grown(before.worker, after.worker)).toEqual([])
      expect(after.listeners).toBeLessThanOrEqual(before.listeners)
    }
  },
)

test(
  'the leak measurement detects a page that keeps a port, a listener and text per turn',
  { tag: '@long' },
  async ({ page, context, site }) => {
    const { before, after, line } = await around(page, context, `${site}/test/pages/session/soak.html?leak`, 20, 20)
    console.log(line)
    expect(after.page['MessagePort']).toBe((before.page['MessagePort'] ?? 0) + 20)
    expect(after.listeners).toBeGreaterThanOrEqual(before.listeners + 20)
    expect(after.bytes - before.bytes).toBeGreaterThan((40 * 2 ** 20 * 20) / 1_000)
  },
)
