// Draws every state of the panel on contact sheets, to look at: `npm run test:long -- contact-sheets` writes them to
// test-results/contact-sheets/, one series for each look. It fails if a state leaves the window.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/site.js'
import { lookName, looks, showState, type Look } from './show-state.js'
import { states, type PanelState } from './states.js'

const folder = 'test-results/contact-sheets'
/** States on one sheet. */
const perSheet = 12

/** Each width in one colour scheme, and Arabic on a phone. */
const drawn = looks.filter(
  ({ language, scheme, width }) => (scheme === 'light') === (width === 1280) && (language === 'en' || width === 390),
)

/** What a visitor sees of the element, with some of the page around it. */
async function picture(page: Page, state: PanelState): Promise<Buffer> {
  const size = page.viewportSize()!
  const selector =
    state.page === 'inspector'
      ? 'tool-agent-inspector'
      : 'tool-agent >> css=.panel:visible, .launcher:visible, dialog:modal'
  const boxes = await Promise.all((await page.locator(selector).all()).map((one) => one.boundingBox()))
  const all = boxes.flatMap((box) => box ?? [])
  const x = Math.max(0, Math.min(...all.map((box) => box.x)) - 12)
  const y = Math.max(0, Math.min(...all.map((box) => box.y)) - 12)
  const right = Math.min(size.width, Math.max(...all.map((box) => box.x + box.width)) + 12)
  const bottom = Math.min(size.height, Math.max(...all.map((box) => box.y + box.height)) + 12)
  return page.screenshot({ clip: { x, y, width: right - x, height: bottom - y } })
}

/** One picture with all of them, and their names. */
async function sheet(page: Page, pictures: readonly { name: string; png: Buffer }[], { width }: Look): Promise<Buffer> {
  await page.setViewportSize({ width: width === 1280 ? 2000 : 1800, height: 1000 })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('about:blank')
  const figures = pictures.map(
    ({ name, png }) =>
      `<figure><figcaption>${name}</figcaption><img src="data:image/png;base64,${png.toString('base64')}"></figure>`,
  )
  await page.setContent(`<!doctype html><style>
    body { margin: 8px; display: grid; grid-template-columns: repeat(6, 1fr); gap: 8px; font: 13px sans-serif; background: #ccc }
    figure { margin: 0; min-width: 0 } img { max-width: 100%; max-height: 640px }</style>${figures.join('')}`)
  return page.screenshot({ fullPage: true })
}

for (const look of drawn) {
  for (let start = 0; start < states.length; start += perSheet) {
    const number = start / perSheet + 1
    test(`contact sheet ${lookName(look)}, ${number}`, { tag: '@long' }, async ({ page, site }) => {
      const pictures = []
      for (const state of states.slice(start, start + perSheet)) {
        const panel = await showState(page, site, state, look)
        const { width } = page.viewportSize()!
        if (state.page === undefined && !state.isClosed) {
          const box = await panel.element.locator('section.panel').boundingBox()
          expect(box?.x, state.name).toBeGreaterThanOrEqual(0)
          expect(box!.x + box!.width, state.name).toBeLessThanOrEqual(width)
          // Nothing needs scrolling to the side, except what scrolls by itself.
          const isWide = await panel.element
            .locator('section.panel')
            .evaluate((one) => one.scrollWidth > one.clientWidth)
          expect(isWide, state.name).toBe(false)
        }
        pictures.push({ name: state.name, png: await picture(page, state) })
      }
      await mkdir(folder, { recursive: true })
      const file = `${lookName(look).replaceAll(' ', '-')}-${number}.png`
      await writeFile(join(folder, file), await sheet(page, pictures, look))
    })
  }
}
