// The element moves to another document: that of a frame, or that of a template and back. Constructed style sheets belong
// to one document, and a browser takes them away from what leaves it.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/session-page.js'

/** Where an element is made, and where it is shown. */
type Move = (element: HTMLElement, frame: HTMLElement) => void

/** Opens a page with a frame. Returns the errors of the page. */
async function open(page: Page, site: string): Promise<readonly string[]> {
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  await page.goto(`${site}/test/pages/panel/element.html`)
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
  await page.evaluate(async () => {
    await window.load()
    document.body.insertAdjacentHTML(
      'beforeend',
      '<iframe title=Inside style="width: 100vw; height: 100vh; border: 0"></iframe>',
    )
  })
  return errors
}

/** Makes an element, moves it, and asks for its panel. */
const show = (page: Page, url: string, move: Move): Promise<void> =>
  page.evaluate(
    async ([endpoint, code]) => {
      const options = { endpoint, model: 'm', lang: 'en', layout: 'floating' }
      const element = Object.assign(document.createElement('tool-agent'), options)
      const moved = new Function('element', 'frame', `return (${code})(element, frame)`) as Move
      moved(element, document.querySelector('iframe')!.contentDocument!.body)
      await new Promise((resolve) => setTimeout(resolve))
      element.open = true
    },
    [url, move.toString()] as const,
  )

/** How an open panel looks. */
const look = (page: Page, place: 'page' | 'frame') => {
  const panel = (place === 'page' ? page : page.frameLocator('iframe')).locator('tool-agent section.panel')
  return panel.evaluate((one) => {
    const style = getComputedStyle(one)
    const { host } = one.getRootNode() as ShadowRoot
    const parts = [...one.querySelectorAll('header, textarea, button')].map((part) => getComputedStyle(part))
    return [getComputedStyle(host), style, ...parts].map(
      ({ backgroundColor, borderRadius, color, fontSize, position, display, cursor }) =>
        [backgroundColor, borderRadius, color, fontSize, position, display, cursor].join(' '),
    )
  })
}

const moves: Readonly<Record<string, readonly ['page' | 'frame', Move]>> = {
  'before it is drawn, into a frame': [
    'frame',
    (element, frame) => {
      document.body.append(element)
      frame.append(element)
    },
  ],
  'before it is in any document, into a frame': ['frame', (element, frame) => frame.append(element)],
  'through a template': [
    'page',
    (element) => {
      const template = document.createElement('template')
      template.content.append(element)
      document.body.append(template.content)
    },
  ],
}

for (const [name, [place, move]] of Object.entries(moves))
  test(`an element that moves ${name} looks as anywhere else`, async ({ page, site, serveModel }) => {
    const { url } = await serveModel([])
    const errors = await open(page, site)
    await show(page, url, (element) => document.body.append(element))
    await expect(page.locator('tool-agent textarea')).toBeVisible()
    const before = await look(page, 'page')
    expect(before.length).toBeGreaterThan(4)
    await page.evaluate(() => document.querySelector('tool-agent')!.remove())
    await show(page, url, move)
    await expect((place === 'page' ? page : page.frameLocator('iframe')).locator('tool-agent textarea')).toBeVisible()
    await expect.poll(() => look(page, place)).toEqual(before)
    expect(errors).toEqual([])
  })

test('a panel that is drawn keeps its look in a frame, and back in the page', async ({ page, site, serveModel }) => {
  const { url } = await serveModel([])
  const errors = await open(page, site)
  await show(page, url, (element) => document.body.append(element))
  await expect(page.locator('tool-agent textarea')).toBeVisible()
  const before = await look(page, 'page')
  await page.evaluate(() =>
    document.querySelector('iframe')!.contentDocument!.body.append(document.querySelector('tool-agent')!),
  )
  await expect(page.frameLocator('iframe').locator('tool-agent textarea')).toBeVisible()
  await expect.poll(() => look(page, 'frame')).toEqual(before)
  await page.evaluate(() =>
    document.body.append(document.querySelector('iframe')!.contentDocument!.querySelector('tool-agent')!),
  )
  await expect(page.locator('tool-agent textarea')).toBeVisible()
  await expect.poll(() => look(page, 'page')).toEqual(before)
  expect(errors).toEqual([])
})
