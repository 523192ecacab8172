// What the stage, the receipt and the marks cost a page, beside the same jobs with stage="off": a job fills a form, asks
// before a press, is denied and is undone. On a processor that is 4 times slower a person clicks a button of the page
// meanwhile; without that, the heap is read after many jobs in one tab.
import { setTimeout as pause } from 'node:timers/promises'
import { composer, ourPage } from '../support/ours.mjs'
import { counter, interactionToNextPaint, observeCost } from '../support/page-cost.mjs'
import { resultsIn } from '../support/site.mjs'

const slowdown = 4
/** Jobs with clicks beside them, and the milliseconds between clicks. */
const clicked = { jobs: 12, everyMs: 150 }
/** Jobs before the first reading of the heap, which fill the caches, and before the second. */
const warmUps = 5
const many = 50

const names = ['Name', 'Street', 'Postcode', 'City', 'Country', 'Phone', 'Company', 'Note']
const body = `<h1>Shop</h1>${counter}
<form><section>${names.map((name) => `<p><label>${name} <input name="${name.toLowerCase()}"></label></p>`).join('')}</section>
<section><p>Total € 409.90</p><button type="button">Place order</button></section></form>`

/** The model of a job, by how many results it has. @type {Parameters<import('../support/lab.mjs').Lab['site']['model']>[0]} */
const answer = (request) => {
  const fields = names.map((field) => ({ field, value: `${field} of Kari` }))
  const steps = [
    { calls: [{ name: 'form_fill', arguments: { fields } }] },
    { calls: [{ name: 'page_click', arguments: { target: 'Place order' } }] },
  ]
  return steps[resultsIn(request)] ?? { pieces: ['The form is filled in.'] }
}

/** Collects the milliseconds between frames. */
function observeFrames() {
  const frames = /** @type {number[]} */ ([])
  ;/** @type {any} */ (window).betweenFrames = frames
  let last = performance.now()
  const frame = (/** @type {number} */ now) => {
    frames.push(now - last)
    last = now
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
}

/** Does one thing with mouse or keys at a time: a click of the page would take the focus from a key that is pressed. */
function oneHand() {
  let last = Promise.resolve()
  return (/** @type {() => Promise<void>} */ work) => (last = last.then(work))
}

/** One job, as a visitor sees it. @param {import('playwright').Page} page @param {ReturnType<typeof oneHand>} hand */
async function job(page, hand) {
  const ended = await page.evaluate(() => /** @type {any} */ (window).turnsEnded)
  const press = async (/** @type {import('playwright').Locator} */ button) => {
    await button.waitFor()
    await hand(() => button.press('Enter'))
  }
  await hand(async () => {
    await composer(page).fill('Fill in the form and order.')
    await composer(page).press('Enter')
  })
  await press(page.locator('tool-agent .approvals:not([hidden]) .deny'))
  await page.waitForFunction((count) => /** @type {any} */ (window).turnsEnded > count, ended)
  // Not "Redo" of the job before, while this one is drawn.
  await press(page.locator('tool-agent .receipt .foot .undo', { hasText: 'Undo' }).last())
  await page.waitForFunction(() => document.querySelector('input')?.value === '')
}

/** @param {import('../support/lab.mjs').Lab} lab */
export async function run(lab) {
  const { site } = lab
  /** @param {string} stage @param {(page: import("playwright").Page) => Promise<unknown>} [prepare] before the page loads */
  const open = async (stage, prepare) => {
    const model = site.model(answer)
    const context = await lab.newContext()
    context.setDefaultTimeout(120_000)
    const page = await lab.open(undefined, { context })
    await prepare?.(page)
    const attributes = `layout="floating" open page-tools="read fill act" stage="${stage}"`
    await page.goto(site.url + site.add(ourPage({ endpoint: model.path, body, attributes })))
    await composer(page).waitFor()
    await site.quiet()
    return { page, context, session: await context.newCDPSession(page) }
  }
  const slow = async (/** @type {string} */ stage) => {
    const { page, context, session } = await open(stage, async (page) => {
      await page.addInitScript(observeCost)
      await page.addInitScript(observeFrames)
    })
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    const button = await page.locator('#count').boundingBox()
    if (button === null) throw new Error('The button of the page is not visible')
    // What is loaded and compiled once is measured by other rows. With its first question the panel also grows to its
    // full height, once, at its upper edge, with the stage and without it: the browser counts that as 0.10 unless a key
    // was pressed within half a second before.
    const hand = oneHand()
    await job(page, hand)
    await page.evaluate(() => {
      const { cost, betweenFrames } = /** @type {any} */ (window)
      Object.assign(cost, { blocking: 0, shift: 0, clicks: {} })
      betweenFrames.length = 0
    })
    let isOver = false
    let count = 0
    const clicks = (async () => {
      while (!isOver) {
        await hand(() => page.mouse.click(button.x + 5, button.y + 5))
        count++
        await pause(clicked.everyMs)
      }
    })()
    try {
      for (let done = 0; done < clicked.jobs; done++) await job(page, hand)
    } finally {
      isOver = true
      await clicks
    }
    const { cost, betweenFrames } = await page.evaluate(() => {
      const { cost, betweenFrames } = /** @type {any} */ (window)
      return { cost, betweenFrames }
    })
    await context.close()
    const frames = /** @type {number[]} */ (betweenFrames).sort((one, other) => one - other)
    return {
      INP: interactionToNextPaint(cost.clicks, count),
      'frame, 95th percentile': frames[Math.floor(frames.length * 0.95)] ?? 0,
      'total blocking time': cost.blocking,
      'layout shift': cost.shift,
    }
  }
  const heap = async (/** @type {string} */ stage) => {
    const { page, context, session } = await open(stage)
    const used = async () => {
      await session.send('HeapProfiler.collectGarbage')
      return (await session.send('Runtime.getHeapUsage')).usedSize / 2 ** 20
    }
    const jobs = lab.isQuick ? 5 : many
    const hand = oneHand()
    for (let count = 0; count < warmUps; count++) await job(page, hand)
    const before = await used()
    for (let count = 0; count < jobs; count++) await job(page, hand)
    const after = await used()
    await context.close()
    return { 'heap after all jobs': after, 'heap per job': ((after - before) * 1024) / jobs }
  }
  const units = { 'layout shift': 'score', 'heap after all jobs': 'MiB', 'heap per job': 'KiB' }
  const rounds = lab.isQuick ? 1 : 4
  return [
    ...(await lab.inTurns(rounds, { 'stage auto': () => slow('auto'), 'stage off': () => slow('off') }, units)),
    ...(await lab.inTurns(
      lab.isQuick ? 1 : 2,
      { 'stage auto': () => heap('auto'), 'stage off': () => heap('off') },
      units,
    )),
  ]
}
