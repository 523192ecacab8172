// A page that is never left: 1,000 turns of three calls each, most with a model in the page, a share over the wire. What
// page and worker hold at the end is what they held after the first of them. Chromium alone counts objects and bytes.
import type { CDPSession } from 'playwright/test'
import { isObject } from '../../src/core/json.js'
import { expect, test } from '../support/session-page.js'

/** A DevTools session of the page or of its worker. */
interface Target { send(method: string, params?: object): Promise<unknown> }

/** The page's worker as a target of its own; Playwright has no session for it, so its messages go through the page's. */
async function workerOf(cdp: CDPSession): Promise<Target> {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(reason: unknown): void }>()
  let last = 0
  cdp.on('Target.receivedMessageFromTarget', ({ message }) => {
    const { id, result, error } = JSON.parse(message) as { id?: number; result?: unknown; error?: { message: string } }
    const one = waiting.get(id ?? -1)
    if (error) one?.reject(new Error(error.message))
    else one?.resolve(result)
  })
  const attached = new Promise<string>((resolve) => cdp.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => { if (targetInfo.type === 'worker') resolve(sessionId) }))
  await cdp.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false })
  const sessionId = await attached
  return { send: (method, params = {}) => new Promise((resolve, reject) => {
    const id = ++last
    waiting.set(id, { resolve, reject })
    cdp.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method, params }) }).catch(reject)
  }) }
}

const kinds = ['MessagePort', 'MessageChannel', 'BroadcastChannel', 'AbortController', 'AbortSignal', 'EventTarget']

/** Bytes in use, and how many objects of each kind live, once all garbage is gone. */
async function held(target: Target, more: readonly string[] = []): Promise<{ bytes: number; objects: Record<string, number> }> {
  const objects: Record<string, number> = {}
  for (let round = 0; round < 3; round++) await target.send('HeapProfiler.collectGarbage')
  const { usedSize } = await target.send('Runtime.getHeapUsage') as { usedSize: number }
  for (const kind of [...kinds, ...more]) {
    const { result } = await target.send('Runtime.evaluate', { expression: `${kind}.prototype`, objectGroup: 'soak' }) as { result: { objectId: string } }
    const { objects: list } = await target.send('Runtime.queryObjects', { prototypeObjectId: result.objectId, objectGroup: 'soak' }) as { objects: { objectId: string } }
    const { result: length } = await target.send('Runtime.callFunctionOn', { objectId: list.objectId, functionDeclaration: 'function () { return this.length }', returnByValue: true }) as { result: { value: number } }
    objects[kind] = length.value
  }
  await target.send('Runtime.releaseObjectGroup', { objectGroup: 'soak' })
  return { bytes: usedSize, objects }
}

const turns = Number(process.env['TURNS'] ?? 1_000)
const most = 40 * 2 ** 20

test('1,000 turns with tools in one page: under 40 MB more of heap in page and worker, no listener and no port left behind', async ({ page, context, open, site, serveModel, browserName }) => {
  test.skip(browserName !== 'chromium', 'Only Chromium counts objects and bytes on demand')
  test.skip(process.env['SOAK'] === undefined, 'Two minutes, on demand: SOAK=1 npm test -- soak')
  test.setTimeout(240_000)
  let last = 0
  const endpoint = await serveModel((body) => {
    const messages = Array.isArray(body['messages']) ? body['messages'].filter(isObject) : []
    return messages.at(-1)?.['role'] === 'tool' ? { text: 'All of it is done.' } : { calls: ['look', 'write', 'late'].map((name) => ({ id: `call-${++last}`, name, arguments: { n: 1 } })) }
  })
  const play = (count: number, length: number) => page.evaluate(([all, each]) => (window as unknown as { play(turns: number, length: number): Promise<number> }).play(all, each), [count, length] as const)
  const lines: string[] = []
  const rounds: [name: string, url: string, count: number][] = [
    ['with a model in the page', `${site}/test/pages/soak.html`, Math.round(turns * 0.8)],
    ['over the wire', open(endpoint).replace('session.html', 'soak.html'), Math.round(turns * 0.2)],
  ]
  for (const [name, url, count] of rounds) {
    await page.goto(url)
    await page.waitForFunction(() => window.agent?.host === 'worker')
    const cdp = await context.newCDPSession(page)
    const worker = await workerOf(cdp)
    await play(40, 20)
    const listeners = async () => (await cdp.send('Memory.getDOMCounters')).jsEventListeners
    const before = { page: await held(cdp as Target, ['Worker']), worker: await held(worker), listeners: await listeners() }
    const ms = await play(count, 20)
    const after = { page: await held(cdp as Target, ['Worker']), worker: await held(worker), listeners: await listeners() }
    const grown = (one: 'page' | 'worker') => after[one].bytes - before[one].bytes
    const mb = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MB`
    lines.push(`${count} turns ${name}: ${(ms / count).toFixed(1)} ms each; page ${mb(before.page.bytes)} ${mb(grown('page'))} more, worker ${mb(before.worker.bytes)} ${mb(grown('worker'))} more; listeners ${before.listeners} and ${after.listeners}; page ${JSON.stringify(before.page.objects)} ${JSON.stringify(after.page.objects)}; worker ${JSON.stringify(before.worker.objects)} ${JSON.stringify(after.worker.objects)}`)
    console.log(lines.at(-1))
    await cdp.detach()
    expect(grown('page') + grown('worker')).toBeLessThan(most)
    expect(after.page.objects).toEqual(before.page.objects)
    expect(after.worker.objects).toEqual(before.worker.objects)
    expect(after.listeners).toBeLessThanOrEqual(before.listeners)
  }
})
