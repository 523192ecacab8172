// The pictures of one job: the page while it is filled, the question, what was changed, the review on the page, undone.
// page-agent has the first three: it presses without a question, and ends.
import { setTimeout as pause } from 'node:timers/promises'
import { composer } from '../support/ours.mjs'
import { midway, ourModel, pageOf, task, theirModel } from './page.mjs'

/** @typedef {import('playwright').Page} Page */
/** @typedef {'ours' | 'page-agent'} Product */
/** @typedef {'filling' | 'asking' | 'done' | 'review' | 'undone'} Step */

export const products = /** @type {const} */ (['ours', 'page-agent'])

/** Waits until what moves has ended. @param {Page} page */
const still = async (page) => {
  await page.evaluate(() => document.fonts.ready)
  await pause(700)
}

/** @param {Page} page @param {string} name @param {string} value */
const isFilled = (page, name, value) =>
  page.waitForFunction(
    ([name, value]) => /** @type {any} */ (document.querySelector(`input[name=${name}]`)).value === value,
    /** @type {const} */ ([name, value]),
  )

/** @param {Page} page @param {(step: Step) => Promise<void>} picture */
async function ourSteps(page, picture) {
  const panel = page.locator('tool-agent')
  await composer(page).fill(task)
  await composer(page).press('Enter')
  await isFilled(page, 'phone', '+47 555 01 23')
  // In the middle of the glide.
  await picture('filling')
  await panel.locator('.approvals:not([hidden]) .deny').waitFor()
  await still(page)
  await picture('asking')
  await panel.locator('.approvals .deny').click()
  await panel.locator('.receipt .foot .undo').waitFor()
  await page.waitForFunction(() => /** @type {any} */ (document.querySelector('tool-agent')).status === 'idle')
  await still(page)
  await picture('done')
  await panel.locator('[part=review-button]').click()
  await panel.locator('.review button[aria-pressed=false]').click()
  await still(page)
  await picture('review')
  await page.keyboard.press('Escape')
  if (!(await panel.locator('.panel').isVisible())) await panel.locator('.launcher').click()
  await panel.locator('.receipt .foot .undo').click()
  await isFilled(page, 'street', 'Strandgaten 3')
  await still(page)
  await picture('undone')
}

/** @param {Page} page @param {(step: Step) => Promise<void>} picture */
async function theirSteps(page, picture) {
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
  const ended = page.evaluate((text) => /** @type {any} */ (window).peer.send(text), task)
  await page.waitForFunction(
    (name) => /** @type {any} */ (document.querySelector(`input[name=${name}]`)).value !== '',
    midway,
  )
  await picture('filling')
  await page.waitForFunction(() => document.querySelector('#order')?.textContent === 'Order placed', undefined, {
    timeout: 120_000,
  })
  await picture('asking')
  await ended
  await still(page)
  await picture('done')
}

/**
 * Does the job once, and hands over each picture.
 * @param {Pick<import('../support/lab.mjs').Lab, 'browser' | 'site'>} lab
 * @param {{ product: Product, width: number, height: number, isDark: boolean, scale: number }} look
 * @param {(step: Step, png: Buffer) => void} write
 */
export async function takeStory(lab, { product, width, height, isDark, scale }, write) {
  const context = await lab.browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: scale,
    colorScheme: isDark ? 'dark' : 'light',
    isMobile: width < 500,
    hasTouch: width < 500,
    locale: 'en-US',
  })
  context.setDefaultTimeout(120_000)
  try {
    const page = await context.newPage()
    const model = lab.site.model(product === 'ours' ? ourModel : theirModel)
    await page.goto(lab.site.url + lab.site.add(pageOf(product, model.path, isDark)))
    if (product === 'ours') await composer(page).waitFor()
    await lab.site.quiet()
    const steps = product === 'ours' ? ourSteps : theirSteps
    await steps(page, async (step) => write(step, await page.screenshot()))
  } finally {
    await context.close()
  }
}
