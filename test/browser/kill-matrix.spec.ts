// The kill matrix in a real browser, over IndexedDB: behind each stored fact of a turn the worker is killed or the
// page is loaded again. The outcome is held against I1 to I5, and printed as a table.
import type { BrowserContext } from 'playwright/test'
import { isObject } from '../../src/core/json.js'
import { everyCall } from '../../src/core/message.js'
import { openCalls, type Session } from '../../src/core/session.js'
import type { Endpoint, Handler } from '../support/endpoint.js'
import { losses, misruns, type Runs } from '../support/invariants.js'
import { expect, test } from '../support/session-page.js'

const calls = [
  { id: 'r', name: 'read', arguments: {} }, { id: 'w', name: 'write', arguments: {} }, { id: 'p', name: 'pay', arguments: {} },
  { id: 't', name: 'todo_write', arguments: { items: [{ text: 'a' }] } }, { id: 'a', name: 'research', arguments: { task: 'find and order' } },
]
const inside = [{ id: 'f', name: 'find', arguments: {} }, { id: 'o', name: 'order', arguments: {} }]
const model: Handler = (body) => {
  const messages = Array.isArray(body['messages']) ? body['messages'].filter(isObject) : []
  const last = messages.at(-1)
  if (last?.['role'] === 'user' && last['content'] === 'next') return { text: 'next answer' }
  const isInside = String(messages[0]?.['content']).includes('You research')
  if (last?.['role'] === 'tool') return { text: isInside ? 'found and ordered' : 'answer' }
  // Told to go on behind an answer that was complete, with only its turn's end unsaid.
  if (!isInside && last?.['content'] !== 'Go') return { text: 'answer' }
  return { calls: isInside ? inside : calls }
}
const names = ['read', 'write', 'pay', 'find', 'order']
const repeatable = new Set(['read', 'find'])

type Way = 'worker' | 'reload'
interface Row { readonly line: string; readonly isBroken: boolean }

/** Undefined when the turn has no such fact. */
async function killed(context: BrowserContext, site: string, endpoint: Endpoint, way: Way, fact: number): Promise<Row | undefined> {
  const broken: string[] = []
  const page = await context.newPage()
  const url = `${site}/test/pages/kill-matrix.html?fact=${fact}&endpoint=${encodeURIComponent(endpoint.url)}`
  page.on('pageerror', (error) => broken.push(`I1 ${error.message}`))
  if (way === 'worker') await page.clock.install()
  await page.goto(url)
  await page.waitForFunction(() => window.agent?.status === 'idle')
  await page.evaluate(() => { Object.assign(window, { said: '' }); void window.agent.send('Go').then(({ reason, text }) => { Object.assign(window, { said: `${reason} ${text}` }) }, (error: { code: string }) => { Object.assign(window, { said: error.code }) }) })
  const hasDied = await page.waitForFunction(() => ('hasDied' in window ? 'died' : (window as unknown as { said: string }).said))
  if (await hasDied.jsonValue() !== 'died') return undefined
  const seen = await page.evaluate(() => JSON.parse(localStorage.getItem('seen') ?? 'null') as Session | null) ?? undefined
  if (way === 'worker') {
    await page.evaluate(() => (window as unknown as { killWorker(): void }).killWorker())
    await page.clock.runFor(30_000)
    const said = await (await page.waitForFunction(() => (window as unknown as { said: string }).said)).jsonValue()
    if (said !== 'stop answer') broken.push(`I2 the send came to ${said}`)
  } else {
    await page.reload()
  }
  await page.waitForFunction(() => window.agent?.status === 'idle')
  const next = await page.evaluate(() => window.agent.send('next').then(({ text }) => text, (error: { code: string }) => error.code))
  if (next !== 'next answer') broken.push(`I3 the next message came to ${next}`)
  const [session, runs] = await page.evaluate((all) => [window.agent.session, Object.fromEntries(all.map((name) => [name, Number(localStorage.getItem(name) ?? 0)]))] as const, names) as [Session, Runs]
  if (openCalls(session).length > 0) broken.push(`I3 ${openCalls(session).join()} open`)
  broken.push(...misruns(session, runs, repeatable).map((what) => `I4 ${what}`), ...losses(seen, session).map((what) => `I5 ${what}`))
  // Another page reads the same from the disk.
  await page.reload()
  await page.waitForFunction(() => window.agent?.status === 'idle')
  const stored = await page.evaluate(() => window.agent.messages)
  if (JSON.stringify(stored) !== JSON.stringify(session.messages)) broken.push('I5 the next page finds other messages')
  await page.close()
  const codes = everyCall(session.messages).map(({ part: { call, result } }) => `${call.id}:${result?.error?.code ?? 'ok'}`)
  return { line: `${way.padEnd(6)} ${String(fact).padStart(2)}  runs ${names.map((name) => runs[name]).join('/')}  ${codes.join(' ')}  ${broken.length === 0 ? 'I1–I5 hold' : `BROKEN ${broken.join('; ')}`}`, isBroken: broken.length > 0 }
}

for (const way of ['worker', 'reload'] as const) {
  const what = { worker: 'F15 the worker is killed', reload: 'F1 F2 F3 the page is loaded again' }[way]
  test(`${what} behind each fact of a turn with parallel calls, an approval, a todo write and an agent: I1 to I5 hold`, async ({ browser, site, serveModel }) => {
    test.setTimeout(240_000)
    const endpoint = await serveModel(model)
    const rows: Row[] = []
    for (let fact = 1; ; fact++) {
      const context = await browser.newContext()
      const row = await killed(context, site, endpoint, way, fact)
      await context.close()
      if (row === undefined) break
      rows.push(row)
    }
    console.log(`${what} (runs: ${names.join('/')})\n${rows.map(({ line }) => line).join('\n')}`)
    expect(rows.length).toBeGreaterThanOrEqual(18)
    expect(rows.filter(({ isBroken }) => isBroken).map(({ line }) => line)).toEqual([])
  })
}
