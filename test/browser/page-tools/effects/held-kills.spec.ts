// The kill matrix of what is held: the page is reloaded or closed, or the worker is killed, at a random moment while a
// request is held, or just after it was allowed. Counted where requests arrive: nothing twice, nothing without an answer.
import type { BrowserContext, Page } from 'playwright/test'
import { openHeld, readyPage } from '../../../support/page/held-page.js'
import { seeds } from '../../../support/project/long.js'
import { expect, send, settled, test } from '../../../support/page/session-page.js'

/** So many kills share a browser context and a server. */
const batch = 10

const head = `<script>
  const workers = []
  const Made = Worker
  window.Worker = class extends Made { constructor(...all) { super(...all); workers.push(this) } }
  window.killWorker = () => workers.at(-1).terminate()
</script>`
/** What only shows something runs first, whether the border is tight or not. */
const html = '<button id=go aria-haspopup=menu aria-expanded=false>Next</button>'
const script = `document.getElementById('go').onclick = () => {
    localStorage.setItem('presses', Number(localStorage.getItem('presses') ?? 0) + 1)
    const retry = (left) => fetch('/api/save', { method: 'POST', body: 'one' }).catch(() => left > 0 && setTimeout(retry, 40, left - 1))
    void retry(3)
  }`

/** Random numbers from 0 to 1, the same ones for a seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed * 0x9e3779b1
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** One kill. Returns how it was done, and whether the user had allowed the call by then. */
async function kill(context: BrowserContext, page: Page, seed: number): Promise<[how: string, allowed: boolean]> {
  const random = randomFrom(seed)
  const pause = (most: number) => page.clock.runFor(Math.floor(random() * most))
  await pause(400)
  let isAllowed = random() < 0.5
  const approve = (on: Page) => on.evaluate(() => void window.agent.approve('c').catch(() => undefined))
  if (isAllowed) await approve(page)
  await pause(60)
  const how = ['reload', 'worker', 'worker, then reload', 'close'][seed % 4]!
  if (how.startsWith('worker')) await page.evaluate(() => (window as unknown as { killWorker(): void }).killWorker())
  if (how === 'worker') {
    await page.clock.runFor(17_000)
    await page.waitForFunction(() => ['awaiting-approval', 'idle'].includes(window.agent.status))
    const isQuestion = await page.evaluate(() => window.agent.status === 'awaiting-approval')
    if (isQuestion && random() < 0.5) {
      isAllowed = true
      await approve(page)
    } else if (isQuestion) await page.evaluate(() => window.agent.stop())
    await page.clock.runFor(3_000)
    await settled(page)
    return [how, isAllowed]
  }
  let next = page
  if (how === 'close') {
    next = await context.newPage()
    await next.goto(page.url())
    await page.close()
  } else await page.reload()
  await readyPage(next)
  // A turn that was cut ends, or goes on with its next step.
  await next.waitForFunction(() => ['idle', 'ready'].includes(window.agent.status))
  return [how, isAllowed]
}

for (const first of seeds(1, 20))
  test(
    `kills ${first * batch} to ${first * batch + batch - 1} while a request is held`,
    { tag: ['@matrix', '@R6.3'] },
    async ({ browser, site, serveModel }) => {
      test.setTimeout(300_000)
      const press = { calls: [{ id: 'c', name: 'page_click', arguments: { target: 'Next' } }] }
      const endpoint = await serveModel((body) => {
        const messages = body['messages'] as { role: string }[]
        return messages.at(-1)?.role === 'user' ? press : { text: 'Done.' }
      })
      const lines: string[] = []
      for (let seed = first * batch; seed < (first + 1) * batch; seed++) {
        const context = await browser.newContext()
        try {
          const page = await context.newPage()
          await page.clock.install()
          const arrived = await openHeld(page, site, endpoint, { html, script, head })
          await send(page, 'Go')
          await page.waitForFunction(() => window.agent.status === 'awaiting-approval')
          const [how, isAllowed] = await kill(context, page, seed)
          const [left = page] = context.pages()
          const presses = await left.evaluate(() => Number(localStorage.getItem('presses')))
          const isWrong = arrived.length > (isAllowed ? 1 : 0) || presses !== 1
          if (isWrong)
            lines.push(`seed ${seed}: ${how}, ${isAllowed ? '' : 'not '}allowed: ${presses} presses, ${arrived.join()}`)
        } finally {
          await context.close()
        }
      }
      expect(lines).toEqual([])
    },
  )
