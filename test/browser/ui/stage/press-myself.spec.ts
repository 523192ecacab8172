// "I'll press it myself": the turn waits until the visitor really did it, the call never runs, and the model is told.
import type { Page } from 'playwright/test'
import { asked, card, click, handled, openHeld } from '../../../support/page/held-page.js'
import { pressInPlace } from '../../../support/page/press.js'
import { expect, send, settled, test } from '../../../support/page/session-page.js'

const done = 'The user did this themselves, so the call did not run. Read the page before you go on.'
const myself = (page: Page) => card(page).getByRole('button', { name: 'I’ll press it myself' })

test('the call never runs, only a press of the visitor counts, and they can change their mind', async ({
  page,
  site,
  serveModel,
}) => {
  const endpoint = await serveModel([click('Place order'), { text: 'Thank you.' }])
  await openHeld(page, site, endpoint, {
    html: '<section><h2>Your order</h2><button id=pay onclick="handled++">Place order</button></section>',
    script: '',
    options: { layout: 'floating', open: true },
  })
  await send(page, 'Order')
  await asked(page)
  await pressInPlace(myself(page))
  await expect(card(page)).toContainText('Press it on the page. The assistant waits.')
  await expect(card(page).locator('.approve')).toBeHidden()
  await pressInPlace(card(page).getByRole('button', { name: 'Cancel' }))
  await expect(card(page).locator('.approve')).toBeVisible()
  await pressInPlace(myself(page))
  // A script of the page is not the visitor.
  await page.evaluate(() => document.querySelector<HTMLElement>('#pay')!.click())
  await expect(card(page)).toContainText('The assistant waits')
  expect(endpoint.requests).toHaveLength(1)
  await pressInPlace(page.locator('#pay'))
  await settled(page)
  expect(await handled(page)).toBe(2)
  expect(JSON.stringify(endpoint.requests[1]?.body)).toContain(done)
  await expect(page.locator('tool-agent-call .call')).toHaveAttribute('data-state', 'done')
})

test('it is told after the page that the press led to, which asks nothing', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([click('Place order'), { text: 'Thank you.' }])
  await openHeld(page, site, endpoint, {
    html: '<form action="/wallet" method=get><input name=q value=1><button id=pay>Place order</button></form>',
    script: '',
    options: { layout: 'floating', open: true },
  })
  await send(page, 'Order')
  await asked(page)
  await pressInPlace(myself(page))
  await expect(card(page)).toContainText('The assistant waits')
  await pressInPlace(page.locator('#pay'))
  await page.waitForURL('**/wallet?q=1')
  await settled(page)
  expect(endpoint.requests).toHaveLength(2)
  expect(JSON.stringify(endpoint.requests[1]?.body)).toContain(done)
})
