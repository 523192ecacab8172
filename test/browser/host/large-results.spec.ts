// Results of several megabytes in IndexedDB, with a worker: after a reload, in another tab, and after a deletion.
import { expect, runs, send, settled, test } from '../../support/page/session-page.js'
import { resultsOf } from '../../support/lab/requests.js'

/** Characters of the rows that the page returns, as JSON. */
const size = Number(process.env['LARGE_RESULT'] ?? 6_000_000)

test(
  'a large result is stored in parts, read after a reload and in another tab, and deleted with its session',
  { tag: ['@R2.8', '@R6.1', '@R6.6'] },
  async ({ page, context, open, serveModel }) => {
    const endpoint = await serveModel([
      { calls: [{ name: 'dump', arguments: {}, id: 'd' }] },
      { text: 'read' },
      { calls: [{ name: 'read_result', arguments: { call_id: 'd', offset: 5_000_000, limit: 40 }, id: 'r' }] },
      { text: 'read on' },
    ])
    const url = open(endpoint, '&session=large')
    await page.goto(url)
    const [ms, text] = await page.evaluate(async (chars) => {
      const rows = Array.from({ length: chars / 100 }, (_, index) => `row ${index} `.padEnd(97, 'x'))
      window.agent.registerTool({
        name: 'dump',
        description: 'Gives all rows that there are, for reading',
        execute: () => {
          Object.assign(window, { ranAt: performance.now() })
          return rows
        },
      })
      await window.agent.send('Go')
      const { ranAt } = window as unknown as { ranAt: number }
      return [performance.now() - ranAt, JSON.stringify(rows)] as const
    }, size)
    test.info().annotations.push({ type: 'ms', description: String(ms) })
    expect(await page.evaluate(() => window.agent.storage)).toBe('indexeddb')
    await page.reload()
    await page.waitForFunction(() => window.agent?.status === 'idle' && window.agent.messages.length > 2)
    expect((await page.evaluate(() => window.agent.resultText('d'))) === text).toBe(true)
    await page.evaluate(() => window.agent.send('And then?'))
    expect(resultsOf(endpoint.requests[3]).at(-1)).toContain(text.slice(5_000_000, 5_000_040))
    const second = await context.newPage()
    await second.goto(url)
    await second.waitForFunction(() => window.agent?.role === 'mirror')
    expect((await second.evaluate(() => window.agent.resultText('d'))) === text).toBe(true)
    await page.evaluate(() => window.agent.sessions.delete(window.agent.session!.id))
    const left = await page.evaluate(
      () =>
        new Promise<unknown>((resolve, reject) => {
          const opening = indexedDB.open('tool-agent')
          opening.onerror = () => reject(opening.error ?? new Error('Not opened'))
          opening.onsuccess = () => {
            const request = opening.result.transaction('results').objectStore('results').getAllKeys()
            request.onsuccess = () => resolve(request.result)
          }
        }),
    )
    expect(left).toEqual([])
  },
)

test(
  'a reload while a large result is written keeps all of it, or reads it again',
  { tag: ['@F2', '@F3'] },
  async ({ page, open, serveModel }) => {
    const endpoint = await serveModel((body) =>
      JSON.stringify(body).includes('"role":"tool"')
        ? { text: 'done' }
        : { calls: [{ name: 'large', arguments: {}, id: 'l' }] },
    )
    await page.goto(open(endpoint))
    await send(page, 'Go')
    await expect.poll(() => runs(page, 'large')).toBe(1)
    await page.reload()
    await settled(page)
    expect(await page.evaluate(async () => (await window.agent.resultText('l'))?.length)).toBe(6_000_001)
  },
)
