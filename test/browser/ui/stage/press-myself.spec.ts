// "I'll press it myself": the turn waits until the visitor really did it, the call never runs, and the model is told.
import type { Page } from 'playwright/test'
import { asked, card, click, fill, handled, openHeld } from '../../../support/page/held-page.js'
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

test('the receipt says that the visitor pressed it, and not that nothing was sent', async ({
  page,
  site,
  serveModel,
}) => {
  const endpoint = await serveModel([
    fill({ име: 'Нина' }),
    click('нарачка'),
    { text: 'благодарам.' },
    click('нарачка', 'again'),
  ])
  // Boxes without markup, which know nothing of forms.
  await openHeld(page, site, endpoint, {
    html: `<div class=box><div>име</div><input name=name></div>
      <div class=box style="border: 1px solid; padding: 1em"><div>вашата кошница</div>
        <div id=pay tabindex=0 style="cursor: pointer">нарачка</div></div>`,
    script: `document.querySelector('#pay').onclick = () => handled++`,
    // Otherwise it would be pressed without a question.
    isProven: false,
    options: { layout: 'floating', open: true },
  })
  await send(page, 'Order')
  await asked(page)
  await pressInPlace(myself(page))
  await expect(card(page)).toContainText('The assistant waits')
  await pressInPlace(page.locator('#pay'))
  await settled(page)
  expect(await handled(page)).toBe(1)
  const receipt = page.locator('tool-agent .receipt')
  await expect(receipt.locator('.head .title')).toHaveText('1 change')
  await expect(receipt.locator('[data-tool=page_click] .title')).toHaveText(
    'Pressed by you: “нарачка” in “вашата кошница”',
  )
  await expect(receipt.locator('[part=undo]')).toHaveText('Undo')

  await test.step('what they said that they would press, and did not, is called that', async () => {
    await send(page, 'Again')
    await asked(page)
    await pressInPlace(myself(page))
    await page.locator('tool-agent button.stop').click()
    await settled(page)
    await expect(page.locator('tool-agent .call[data-tool=page_click] .title').last()).toHaveText(
      /^Not pressed: “нарачка”/,
    )
    expect(await handled(page)).toBe(1)
  })
})

test('what they have pressed is no longer left for them', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([fill({ Name: 'Nino' }), click('Place order'), { text: 'Thank you.' }])
  await openHeld(page, site, endpoint, {
    html: `<form onsubmit="event.preventDefault()"><label>Name <input name=name></label>
      <label>PIN <input type=password name=pin></label><button id=pay>Place order</button></form>`,
    script: '',
    options: { layout: 'floating', open: true },
  })
  await send(page, 'Order')
  await asked(page)
  await pressInPlace(myself(page))
  await expect(card(page)).toContainText('The assistant waits')
  await pressInPlace(page.locator('#pay'))
  await settled(page)
  await expect(page.locator('tool-agent .receipt .left')).toHaveText('Left for you: PIN')
})
