// The sizes of panel, launcher and inspector: they follow the text size of the browser, and never that of the page's root
// element, which many pages set to a size of their own.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { root } from '../../../support/project/build-once.js'
import { expect, PanelPage, test } from '../../../support/page/panel.js'

/** The text and the box of everything in the shadow root of an element, as it is drawn without a transition. */
const sizes = (page: Page, tag: string): Promise<string[]> =>
  page.evaluate(async (name) => {
    const host = document.querySelector(name)
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    // What turns has another box in each frame.
    for (const one of host?.shadowRoot?.getAnimations() ?? []) one.cancel()
    return [...(host?.shadowRoot?.querySelectorAll('*') ?? [])].map((element) => {
      const { fontSize, lineHeight, padding, margin, columnGap } = getComputedStyle(element)
      const { width, height } = element.getBoundingClientRect()
      const box = [width, height].map((value) => Math.round(value)).join('×')
      return [element.localName, element.className, box, fontSize, lineHeight, padding, margin, columnGap].join(' ')
    })
  }, tag)

const setRoot = (page: Page, size: string) =>
  page.evaluate((value) => {
    document.documentElement.style.fontSize = value
  }, size)

const fillPanel = async (panel: PanelPage): Promise<void> => {
  await panel.page.evaluate(() => {
    // The page gives it a height in its own unit.
    window.element.style.setProperty('--tool-agent-height', '544px')
    window.element.layout = 'floating'
    window.element.open = true
    window.fake.show(window.richSession())
  })
  await expect(panel.element.locator('tool-agent-call').first()).toBeAttached()
  await expect(panel.element.locator('.code-keyword').first()).toBeAttached()
}

test('the font size of the root element changes no size of panel, launcher and themes', async ({ panel, page }) => {
  await fillPanel(panel)
  const usual = await sizes(page, 'tool-agent')
  expect(usual.length).toBeGreaterThan(100)
  for (const size of ['62.5%', '8px', '50px']) {
    await setRoot(page, size)
    expect(await sizes(page, 'tool-agent'), size).toEqual(usual)
  }
  await page.evaluate(() => {
    window.element.open = false
  })
  const launcher = panel.element.locator('.launcher')
  await expect(launcher).toBeVisible()
  const style = await page.evaluateHandle(() => document.head.appendChild(document.createElement('style')))
  for (const theme of ['', ...readdirSync(join(root, 'themes'))]) {
    const css = theme === '' ? '' : readFileSync(join(root, 'themes', theme), 'utf8')
    await style.evaluate((element, text) => {
      element.textContent = text
    }, css)
    await setRoot(page, '16px')
    const closed = await launcher.boundingBox()
    const text = () =>
      panel.element.evaluate((one) => getComputedStyle(one.shadowRoot!.querySelector('.panel')!).fontSize)
    const font = await text()
    await setRoot(page, '10px')
    expect(await launcher.boundingBox(), theme).toEqual(closed)
    expect(await text(), theme).toBe(font)
  }
})

test('the inspector keeps its sizes, too', async ({ page, site }) => {
  await page.goto(`${site}/test/pages/panel/inspector.html`)
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
  await expect(page.locator('tool-agent-inspector')).toContainText('There is no')
  await page.locator('tool-agent-inspector').evaluate((element: HTMLElement) => {
    element.style.inlineSize = '600px'
  })
  const usual = await sizes(page, 'tool-agent-inspector')
  await setRoot(page, '62.5%')
  expect(await sizes(page, 'tool-agent-inspector')).toEqual(usual)
})

test('a larger text size of the browser enlarges panel and launcher', async ({
  playwright,
  browserName,
  launchOptions,
  site,
}) => {
  test.skip(browserName !== 'chromium', 'the setting is an option of Chromium')
  const args = [...(launchOptions.args ?? []), '--blink-settings=defaultFontSize=24']
  const browser = await playwright.chromium.launch({ ...launchOptions, args })
  const panel = new PanelPage(await browser.newPage())
  await panel.open(`${site}/test/pages/panel/panel.html`)
  await setRoot(panel.page, '10px')
  await fillPanel(panel)
  const text = () => panel.field.evaluate((field) => getComputedStyle(field).fontSize)
  expect(await text()).toBe('22.5px')
  await panel.page.evaluate(() => {
    window.element.open = false
  })
  await expect.poll(async () => (await panel.element.locator('.launcher').boundingBox())?.height).toBe(84)
  await browser.close()
})
