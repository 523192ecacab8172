// What a page pays for an agent, on a processor that is 4 times slower: a page with a button, without an agent, with a
// closed or an open one, and while an answer of 10,000 tokens streams. A person clicks the button of the page.
import { setTimeout as pause } from 'node:timers/promises'
import { ourPage, peerPage } from '../support/ours.mjs'
import { counter, interactionToNextPaint, observeCost } from '../support/page-cost.mjs'
import { tokens } from './burst.mjs'

const slowdown = 4
/** Clicks per measurement, and the milliseconds between them. */
const clicks = { count: 10, everyMs: 500 }
/** An answer that streams while the clicks happen. @param {number} count of tokens */
const answerOf = (count) => ({ pieces: tokens(count), perWrite: 20, pauseMs: 100_000 / count })

const body = `<h1>Shop</h1>${counter}
<ul style="block-size: 12rem; overflow: auto">${Array.from({ length: 200 }, (_, at) => `<li><a href="#p${at}">Product ${at}</a> <button type="button">Add</button></li>`).join('')}</ul>`

/** @param {import('../support/lab.mjs').Lab} lab */
export async function run(lab) {
  const { site } = lab

  /**
   * `ready`: what must be on the page first. With `streamed` it is a text field, and the answer to a question has so many
   * tokens.
   * @param {(endpoint: string) => string} htmlOf @param {{ ready?: string, streamed?: number }} [options]
   */
  const visit = async (htmlOf, { ready, streamed } = {}) => {
    const model = site.model(() => answerOf(streamed ?? 0))
    const context = await lab.newContext()
    await context.addInitScript(observeCost)
    const page = await lab.open(undefined, { context })
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    await page.goto(site.url + site.add(htmlOf(model.path)))
    if (ready !== undefined) await page.locator(ready).last().waitFor()
    await site.quiet()
    const button = await page.locator('#count').boundingBox()
    if (button === null) throw new Error('The button of the page is not visible')
    if (ready !== undefined && streamed !== undefined) {
      await page.locator(ready).last().click()
      await page.keyboard.type('Tell me everything.')
      await page.keyboard.press('Enter')
      await lab.until(() => model.requests.length > 0)
      await page.evaluate(() => {
        ;/** @type {any} */ (window).cost.blocking = 0
      })
    }
    for (let count = 0; count < clicks.count; count++) {
      await page.mouse.click(button.x + 5, button.y + 5)
      await pause(clicks.everyMs)
    }
    const clicked = Number(await page.locator('output').textContent())
    if (clicked !== clicks.count) throw new Error(`Expected ${clicks.count} clicks, received ${clicked}`)
    const cost = await page.evaluate(() => /** @type {any} */ (window).cost)
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await session.send('Runtime.getHeapUsage')
    await context.close()
    return {
      'total blocking time': cost.blocking,
      'layout shift': cost.shift,
      INP: interactionToNextPaint(cost.clicks, clicks.count),
      heap: usedSize / 2 ** 20,
    }
  }
  const floating = (/** @type {string} */ more) => (/** @type {string} */ endpoint) =>
    ourPage({ endpoint, body, attributes: `layout="floating" page-tools="read fill" ${more}` })
  const peer = (/** @type {string} */ name) => (/** @type {string} */ endpoint) => peerPage(name, { endpoint, body })
  const ours = 'tool-agent textarea'
  const deepChat = 'deep-chat #text-input'
  const figures = await lab.inTurns(
    lab.isQuick ? 2 : 4,
    {
      'no agent': () => visit(() => `<!doctype html><title>Shop</title><link rel="icon" href="data:,">${body}`),
      'ours, closed': () => visit(floating(''), { ready: 'tool-agent button' }),
      'ours, open': () => visit(floating('open'), { ready: ours }),
      'page-agent, open': () => visit(peer('page-agent'), { ready: 'html[data-ready]' }),
      'deep-chat, open': () => visit(peer('deep-chat'), { ready: deepChat }),
      'ours, streaming': () => visit(floating('open'), { ready: ours, streamed: 10_000 }),
      // It needs minutes for 10,000.
      'deep-chat, streaming 500': () => visit(peer('deep-chat'), { ready: deepChat, streamed: 500 }),
    },
    { 'layout shift': 'score', heap: 'MiB' },
  )
  const blocking = (/** @type {string} */ product) =>
    figures.find((one) => one.what === 'total blocking time' && one.product === product)?.values ?? []
  const without = blocking('no agent')
  const added = blocking('ours, closed').map((value, round) => value - (without[round] ?? 0))
  return [...figures, { what: 'added blocking time', product: 'ours, closed', unit: 'ms', values: added }]
}
