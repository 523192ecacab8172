// One page for all tests of a worker, for specs whose tests begin by loading a document and keep nothing outside of it.
// A new page costs more than most of these tests. What a test leaves on the page itself is removed before the next one.
// A test that begins a navigation must wait for its end. Otherwise it collides with the navigation that empties the
// page.
import type { Page } from 'playwright/test'
import { test as withSite } from './site.js'

export const test = withSite.extend<{ page: Page }, { onePage: { page?: Page } }>({
  onePage: [
    async ({}, use) => {
      const kept: { page?: Page } = {}
      await use(kept)
      await kept.page?.context().close()
    },
    { scope: 'worker' },
  ],

  page: async ({ browser, onePage }, use) => {
    const page = (onePage.page ??= await (await browser.newContext()).newPage())
    await use(page)
    if (page.context().pages().length > 1) {
      // A window that was opened took the focus, and closing it does not always give it back.
      await page.context().close()
      delete onePage.page
      return
    }
    for (const event of ['request', 'pageerror'] as const) page.removeAllListeners(event)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.goto('about:blank')
    await page.mouse.move(0, 0)
  },
})
export { expect } from './site.js'
