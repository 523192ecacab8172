// A floating panel grows with its content. Nothing of the page may count that as a layout shift, and its lines stay sharp.
import type { Page } from 'playwright/test'
import { expect, send, settled, test } from '../../../support/page/session-page.js'
import { openHeld } from '../../../support/page/held-page.js'

/** Adds up the layout shifts that a browser reports. */
const watchShifts = (page: Page) =>
  page.evaluate(() => {
    const scope = window as unknown as { shifts: number }
    scope.shifts = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) scope.shifts += (entry as unknown as { value: number }).value
    }).observe({ type: 'layout-shift' })
  })
/** Of a text that scrolls in the panel. A panel that moves is ten times as much. */
const smallShift = 0.01

const panelOf = (page: Page) => page.locator('tool-agent section.panel')
const still = (page: Page) =>
  panelOf(page).evaluate((one) => Promise.all(one.getAnimations().map((animation) => animation.finished)))

async function open(page: Page, site: string, endpoint: { readonly url: string }, direction = 'ltr'): Promise<void> {
  await openHeld(page, site, endpoint, {
    html: '<p>A page.</p>',
    // The style sheet of the test pages sets a height.
    script: `document.documentElement.dir = '${direction}'
      document.querySelector('tool-agent').style.setProperty('--tool-agent-height', 'initial')`,
    options: { layout: 'floating', open: true },
  })
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.locator('tool-agent textarea').waitFor()
  await still(page)
}

for (const direction of ['ltr', 'rtl'])
  test(`a panel that grows shifts nothing: ${direction}`, async ({ page, site, serveModel, browserName }) => {
    test.skip(browserName !== 'chromium', 'Only Chromium reports layout shifts.')
    const long = Array.from({ length: 12 }, (_, index) => `Line ${index} of the answer.`).join('\n\n')
    await open(page, site, await serveModel([{ text: 'A short answer.' }, { text: long }]), direction)
    const before = (await panelOf(page).boundingBox())!
    await watchShifts(page)
    for (const text of ['Hello', 'More']) {
      // Not by a key or a press: browsers excuse what follows one.
      await send(page, text)
      await settled(page)
    }
    await expect.poll(async () => (await panelOf(page).boundingBox())!.height).toBeGreaterThan(before.height + 100)
    await still(page)
    const after = (await panelOf(page).boundingBox())!
    expect([before.y + before.height, after.y + after.height]).toEqual([780, 780])
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
    expect(await page.evaluate(() => (window as unknown as { shifts: number }).shifts)).toBeLessThan(smallShift)
  })

/** How much a colour of a pixel differs at most, of 255. */
const mostDifferent = (page: Page, ...pictures: readonly Buffer[]): Promise<number> =>
  page.evaluate(
    async (sources) => {
      const [one, other] = await Promise.all(
        sources.map(async (source) => {
          const image = Object.assign(new Image(), { src: `data:image/png;base64,${source}` })
          await image.decode()
          const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d')!
          canvas.drawImage(image, 0, 0)
          return canvas.getImageData(0, 0, image.width, image.height).data
        }),
      )
      return one!.reduce((most, value, index) => Math.max(most, Math.abs(value - other![index]!)), 0)
    },
    pictures.map((picture) => picture.toString('base64')),
  )
/** Round corners and icons differ by up to 34, and texts that are half a pixel away by more than 100. */
const blurred = 60

for (const deviceScaleFactor of [1, 1.25, 1.5, 2])
  test.describe(`at scale factor ${deviceScaleFactor}`, () => {
    test.use({ deviceScaleFactor })
    test('a panel that stands still is drawn as one that is not lifted', async ({ page, site, serveModel }) => {
      await open(page, site, await serveModel([{ text: 'A short answer.' }]))
      await send(page, 'Hello')
      await settled(page)
      await still(page)
      await panelOf(page).evaluate((one) => one.style.setProperty('--_fit', '417.3px'))
      const lifted = await page.screenshot({ animations: 'disabled', caret: 'hide' })
      await panelOf(page).evaluate((one) => {
        one.style.cssText += '; transform: none; inset-block: auto var(--_bottom)'
      })
      const plain = await page.screenshot({ animations: 'disabled', caret: 'hide' })
      expect(await mostDifferent(page, lifted, plain)).toBeLessThan(blurred)
    })
  })
