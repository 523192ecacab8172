// Against a `document.modelContext` that is not the browser's: it wants a text where the browser wants an object.
import { fileURLToPath } from 'node:url'
import { expect, test } from '../../../support/page/site.js'
import { call, open, tools } from '../../../support/page/webmcp-call.js'
import { modelContextSuite } from '../../../support/page/webmcp-suite.js'

const polyfill = fileURLToPath(
  new URL('../../../../node_modules/@mcp-b/webmcp-polyfill/dist/index.iife.js', import.meta.url),
)

test.beforeEach(async ({ page, site }) => {
  await page.addInitScript({ path: polyfill })
  await open(page, `${site}/test/pages/page-tools/webmcp.html`)
  expect(await page.evaluate(() => '__isWebMCPPolyfill' in document.modelContext)).toBe(true)
})

test.describe('where the polyfill works', () => {
  test.skip(
    ({ browserName }) => browserName !== 'chromium',
    'it wants origins isolated, as Chromium has them by itself',
  )
  modelContextSuite(test, 'polyfill')
})

test('where the list may not be read, forms are tools all the same', async ({ page, browserName }) => {
  if (browserName === 'chromium') {
    await page.evaluate(() => {
      document.modelContext.getTools = () =>
        Promise.reject(new DOMException('WebMCP is disabled by Permissions Policy', 'NotAllowedError'))
    })
  }
  expect((await tools(page)).map(({ name }) => name)).toEqual(['book.room', 'search_rooms', 'log_in', 'send_away'])
  await page.evaluate(() =>
    document.querySelector('#search')?.addEventListener('submit', (event) => {
      event.preventDefault()
      ;(event as { respondWith?(answer: unknown): void }).respondWith?.('two rooms')
    }),
  )
  expect(await call(page, 'search_rooms', { q: 'sea' })).toMatchObject({ submitted: true, answer: 'two rooms' })
})
