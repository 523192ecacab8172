// The kill matrix in a real browser, over IndexedDB: after each stored event of a turn the worker is killed, the page
// is reloaded, or the tab crashes. The outcome must satisfy I1 to I5, and is printed as a table.
import type { Browser, BrowserContext, Page } from 'playwright/test'
import { allToolCalls } from '../../../src/core/data/message.js'
import { openToolCalls, type Session } from '../../../src/core/data/session.js'
import { crash, crashAndReload, tabOf } from '../../support/faults/crashed-tab.js'
import type { Endpoint } from '../../support/lab/endpoint.js'
import { losses, misruns, type Runs } from '../../support/lab/invariants.js'
import { callsWithAgent, killModel, repeatable } from '../../support/faults/kill-model.js'
import { isLong } from '../../support/project/long.js'
import { expect, test } from '../../support/page/session-page.js'

const names = ['read', 'write', 'pay', 'find', 'order']

const ways = {
  worker: { what: 'the worker is killed', tag: ['@F15'] },
  reload: { what: 'the page is reloaded', tag: ['@F1', '@F2', '@F3'] },
  crash: { what: 'the tab crashes and is reloaded', tag: ['@F4'] },
  left: { what: 'the tab crashes, and another tab continues', tag: ['@F4'] },
}
type Way = keyof typeof ways
interface Row {
  readonly line: string
  readonly isBroken: boolean
}

/** Undefined when the turn has no such fact. */
async function killed(
  browser: Browser,
  context: BrowserContext,
  site: string,
  endpoint: Endpoint,
  way: Way,
  fact: number,
): Promise<Row | undefined> {
  const broken: string[] = []
  const thrown: string[] = []
  const url = `${site}/test/pages/session/kill-matrix.html?fact=${fact}&endpoint=${encodeURIComponent(endpoint.url)}`
  const newPage = async (): Promise<Page> => {
    const page = await context.newPage()
    page.on('pageerror', (error) => thrown.push(error.message))
    return page
  }
  const page = await newPage()
  if (way === 'worker') await page.clock.install()
  await page.goto(url)
  await page.waitForFunction(() => window.agent?.status === 'idle')
  await page.evaluate(() => {
    Object.assign(window, { said: '' })
    void window.agent.send('Go').then(
      ({ reason, text }) => {
        Object.assign(window, { said: `${reason} ${text}` })
      },
      (error: { code: string }) => {
        Object.assign(window, { said: error.code })
      },
    )
  })
  const hasDied = await page.waitForFunction(() =>
    'hasDied' in window ? 'died' : (window as unknown as { said: string }).said,
  )
  const what = await hasDied.jsonValue()
  if (what === 'stop answer') return undefined
  if (what !== 'died')
    return {
      line: `${way.padEnd(6)} ${String(fact).padStart(2)}  BROKEN I2 before anything was killed the send came to ${what}`,
      isBroken: true,
    }
  const seen =
    (await page.evaluate(() => JSON.parse(localStorage.getItem('seen') ?? 'null') as Session | null)) ?? undefined
  let tab = tabOf(page)
  if (way === 'worker') {
    await page.evaluate(() => (window as unknown as { killWorker(): void }).killWorker())
    await page.clock.runFor(30_000)
    const said = await (await page.waitForFunction(() => (window as unknown as { said: string }).said)).jsonValue()
    if (said !== 'stop answer') broken.push(`I2 the send came to ${said}`)
  } else if (way === 'reload') {
    await page.reload()
  } else if (way === 'crash') {
    tab = await crashAndReload(browser, context, page, thrown)
  } else {
    await crash(context, page)
    const other = await newPage()
    await other.goto(url)
    tab = tabOf(other)
    await tab.until(() => ['idle', 'interrupted'].includes(window.agent?.status))
    // A complete turn needs no user. Any other turn waits for the user, because this tab did not start it.
    const found = await tab.evaluate(() => [window.agent.status, window.agent.session?.end?.reason])
    if (found[1] !== 'stop') {
      const went = await tab.evaluate(() =>
        window.agent.continue().then(
          ({ reason, text }) => `${reason} ${text}`,
          (error: { code: string }) => error.code,
        ),
      )
      if (found[0] !== 'interrupted' || went !== 'stop answer')
        broken.push(`I2 found ${found.join()}, and going on came to ${went}`)
    }
  }
  await tab.until(() => window.agent?.status === 'idle')
  const end = await tab.evaluate(() => window.agent.session?.end?.reason)
  if (end !== 'stop') broken.push(`I2 it rests as ${end}`)
  const next = await tab.evaluate(() =>
    window.agent.send('next').then(
      ({ text }) => text,
      (error: { code: string }) => error.code,
    ),
  )
  if (next !== 'next answer') broken.push(`I3 the next message came to ${next}`)
  const session = (await tab.evaluate(() => window.agent.session)) as Session
  const stock = await tab.evaluate(() => Object.fromEntries(Object.entries(localStorage)) as Record<string, string>)
  const runs: Runs = Object.fromEntries(names.map((name) => [name, Number(stock[name] ?? 0)]))
  if (openToolCalls(session).length > 0) broken.push(`I3 ${openToolCalls(session).join()} open`)
  broken.push(
    ...misruns(session, runs, repeatable).map((what) => `I4 ${what}`),
    ...losses(seen, session).map((what) => `I5 ${what}`),
  )
  // The next page reads the same from the disk.
  await tab.close()
  const reader = await newPage()
  await reader.goto(url)
  await reader.waitForFunction(() => window.agent?.status === 'idle')
  const stored = await reader.evaluate(() => window.agent.messages)
  if (JSON.stringify(stored) !== JSON.stringify(session.messages)) broken.push('I5 the next page finds other messages')
  broken.push(...thrown.map((message) => `I1 ${message}`))
  const codes = allToolCalls(session.messages).map(
    ({ part: { call, result } }) => `${call.id}:${result?.error?.code ?? 'ok'}`,
  )
  return {
    line: `${way.padEnd(6)} ${String(fact).padStart(2)}  runs ${names.map((name) => runs[name]).join('/')}  ${codes.join(' ')}  ${broken.length === 0 ? 'I1–I5 hold' : `BROKEN ${broken.join('; ')}`}`,
    isBroken: broken.length > 0,
  }
}

for (const [way, { what, tag }] of Object.entries(ways) as [Way, (typeof ways)[Way]][]) {
  test(
    `${what} after each event of a turn with parallel calls, an approval, todos and an agent`,
    { tag: ['@matrix', '@one-engine', ...tag] },
    async ({ browser, browserName, site, serveModel }) => {
      test.skip(tag.includes('@F4') && browserName !== 'chromium', 'Only Chromium can be crashed on demand')
      test.setTimeout(600_000)
      const endpoint = await serveModel(killModel(callsWithAgent))
      const rows: Row[] = []
      // Each way begins at another fact, so that together the ways of the default run cover all of them.
      const [first, step] = isLong ? [1, 1] : [1 + Object.keys(ways).indexOf(way), 4]
      for (let fact = first; ; fact += step) {
        const context = await browser.newContext()
        const row = await killed(browser, context, site, endpoint, way, fact)
        await context.close()
        if (row === undefined) break
        rows.push(row)
      }
      console.log(`${what} (runs: ${names.join('/')})\n${rows.map(({ line }) => line).join('\n')}`)
      expect(rows.length).toBeGreaterThanOrEqual(isLong ? 18 : 4)
      expect(rows.filter(({ isBroken }) => isBroken).map(({ line }) => line)).toEqual([])
    },
  )
}
