// The first request of a turn names the forms of the page, so that a model can fill one without reading it first.
import type { Page } from 'playwright/test'
import type { Endpoint } from '../../../support/lab/endpoint.js'
import { expect, send, settled, test } from '../../../support/page/session-page.js'

const open = async (page: Page, site: string, endpoint: Endpoint): Promise<void> => {
  await page.goto(`${site}/test/pages/page-tools/act-turn.html?endpoint=${encodeURIComponent(endpoint.url)}`)
  await page.waitForFunction(() => window.agent?.tools.some(({ name }) => name === 'page_click'))
}
/** The line of the first request that names the forms. */
const formsIn = (endpoint: Endpoint): string | undefined =>
  /Forms: [^\\]*(?=\\n)/.exec(endpoint.requests[0]?.raw ?? '')?.[0]
/** Loads the code of the page tools, as the first focus of the text field does. */
const loadTools = (page: Page) => page.evaluate(() => window.agent.callTool('form_read'))

test(
  'a form is filled by its label without a call of form_read',
  { tag: '@S17' },
  async ({ page, site, serveModel }) => {
    const fields = [{ field: 'Name', value: 'Ada' }]
    const endpoint = await serveModel([
      { calls: [{ id: '1', name: 'form_fill', arguments: { fields } }] },
      { text: 'Filled.' },
    ])
    await open(page, site, endpoint)
    await loadTools(page)
    await send(page, 'I am Ada')
    await settled(page)
    // The card number is private.
    expect(formsIn(endpoint)).toBe('Forms: Order: Name (text)')
    await expect(page.getByLabel('Name')).toHaveValue('Ada')
  },
)

test('the focus of the text field loads what names the forms', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([{ text: 'Hello.' }])
  await open(page, site, endpoint)
  const loaded = page.waitForResponse((response) => response.url().includes('implementation'))
  await page.locator('tool-agent textarea').focus()
  await loaded
  await page.waitForLoadState('networkidle')
  await page.keyboard.type('Hi')
  await page.keyboard.press('Enter')
  await settled(page)
  expect(formsIn(endpoint)).toBe('Forms: Order: Name (text)')
})

test('a suggestion loads what names the forms', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([{ text: 'Hello.' }])
  await open(page, site, endpoint)
  await page.evaluate(() => {
    const element = document.querySelector('tool-agent')
    if (element) element.suggestions = ['Fill the form']
  })
  const requested = page.waitForRequest(/implementation/)
  await page.getByRole('button', { name: 'Fill the form' }).click()
  await requested
  await settled(page)
})

test('no form is named on a page that is too large to be read at once', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([{ text: 'Hello.' }])
  await open(page, site, endpoint)
  await loadTools(page)
  await page.evaluate(() => {
    for (let index = 0; index < 3_000; index++) document.body.append(document.createElement('span'))
  })
  await send(page, 'Hi')
  await settled(page)
  expect(formsIn(endpoint)).toBeUndefined()
})

test('no form is named if the page cannot be filled', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([{ text: 'Hello.' }])
  await open(page, site, endpoint)
  await loadTools(page)
  await page.evaluate(() => {
    const element = document.querySelector('tool-agent')
    if (element) element.pageTools = 'read'
  })
  await expect.poll(() => page.evaluate(() => window.agent.tools.map(({ name }) => name))).not.toContain('form_fill')
  await send(page, 'Hi')
  await settled(page)
  expect(formsIn(endpoint)).toBeUndefined()
})
