// On a phone the panel is a line while tools change the page. A panel that fills the window is modal.
import { fill, openHeld } from '../../../support/page/held-page.js'
import { expect, send, settled, test } from '../../../support/page/session-page.js'
import { drawn, watchStage } from '../../../support/page/stage.js'

const form = '<form><label>Name <input id=name></label><label>City <input id=city></label></form>'
const phone = { width: 390, height: 844 }

test('a panel on a phone is a line while the page is filled, and is as high as before when the answer starts', async ({
  page,
  site,
  serveModel,
}) => {
  let answer = (): void => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  const endpoint = await serveModel([
    fill({ Name: 'Ada', City: 'London' }),
    async () => {
      await answered
      return { text: 'I filled in both.' }
    },
  ])
  await watchStage(page)
  await openHeld(page, site, endpoint, { html: form, script: '', options: { layout: 'floating', open: true } })
  await page.setViewportSize(phone)
  await send(page, 'Fill it in')
  const panel = page.locator('tool-agent section.panel')
  await expect(panel).toHaveAttribute('data-place', 'bar')
  await expect(panel).not.toHaveAttribute('aria-modal', 'true')
  expect((await panel.boundingBox())!.height).toBeLessThanOrEqual(72)
  await expect(page.locator('#city')).toHaveValue('London')
  await expect(panel.locator('.bar')).toContainText('Fill')
  await expect(panel.locator('.bar').getByRole('button', { name: 'Stop' })).toBeFocused()
  await expect.poll(async () => (await drawn(page)).filter(({ name }) => name === 'ring').length).toBeGreaterThan(0)
  answer()
  await settled(page)
  await expect(panel).not.toHaveAttribute('data-place')
  await expect(panel).toHaveAttribute('aria-modal', 'true')
  await expect(panel.locator('.grow textarea')).toBeFocused()
  // It is drawn anew, with its animation.
  await expect.poll(async () => Math.round((await panel.boundingBox())!.height)).toBe(phone.height)
})

test('the keyboard stays in a panel that fills the window, and Escape closes it from anywhere', async ({
  page,
  site,
  serveModel,
}) => {
  const endpoint = await serveModel([])
  await openHeld(page, site, endpoint, { html: form, script: '', options: { layout: 'floating' } })
  // 1280 × 800 at 200 % zoom.
  await page.setViewportSize({ width: 640, height: 400 })
  await page.locator('tool-agent .launcher').press('Enter')
  await expect(page.locator('tool-agent .grow textarea')).toBeFocused()
  const inPanel = () => page.evaluate(() => document.activeElement?.localName === 'tool-agent')
  for (let count = 0; count < 12; count++) {
    await page.keyboard.press('Tab')
    // The last one may be the window of the browser.
    if (!(await inPanel())) expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true)
  }
  await page.evaluate(() => document.querySelector<HTMLElement>('#city')!.focus())
  await page.keyboard.press('Shift+Tab')
  expect(await inPanel()).toBe(true)
  await page.evaluate(() => document.querySelector<HTMLElement>('#city')!.focus())
  await page.keyboard.press('Escape')
  await expect(page.locator('tool-agent section.panel')).toBeHidden()
  await expect(page.locator('tool-agent .launcher')).toBeFocused()
})
