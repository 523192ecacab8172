// What clicks and keys must not touch: parts that are off limits, the text that the user is typing, changed values.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, open } from '../../../support/page/page-tools-call.js'

interface Acted {
  default?: string
  error?: string
  message?: string
}

const add = (page: Page, html: string): Promise<void> =>
  page.evaluate((html) => {
    const box = document.createElement('div')
    box.innerHTML = html
    document.querySelector('main')?.prepend(box)
  }, html)
const press = (page: Page, target: string, key: string): Promise<Acted> => call(page, 'page_press', { target, key })

test.beforeEach(async ({ page, site }) => {
  await open(page, `${site}/test/pages/page-tools/act-press.html`)
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
})

test.describe('parts that are off limits', () => {
  test('arrow keys skip a radio button that is off limits', async ({ page }) => {
    await add(
      page,
      `<label><input type="radio" name="tier" checked> Basic</label>
      <label data-tool-agent-ignore><input type="radio" name="tier" id="paid"> Paid</label>
      <label><input type="radio" name="tier" id="free-tier"> None</label>`,
    )
    expect(await press(page, 'tier', 'ArrowDown')).toMatchObject({ default: 'done' })
    await expect(page.locator('#paid')).not.toBeChecked()
    await expect(page.locator('#free-tier')).toBeChecked()
  })

  test('a click does not land on a part inside that is off limits', async ({ page }) => {
    await add(
      page,
      `<div role="button" tabindex="0" style="width: 300px; display: flex"><span>Order</span>
      <span data-tool-agent-ignore id="wipe" style="flex: 1">Delete all</span></div>`,
    )
    await page.evaluate(() => {
      const clicks: string[] = []
      Object.assign(window, { clicks })
      document.addEventListener('click', ({ target }) => clicks.push((target as Element).id || 'row'))
    })
    await call(page, 'page_click', { target: 'Order', role: 'button' })
    expect(await page.evaluate(() => (window as unknown as { clicks: string[] }).clicks)).toEqual(['row'])
  })

  test('a label inside of the target does not change a field that is off limits', async ({ page }) => {
    await add(
      page,
      `<div role="button" tabindex="0"><label for="kept" style="display: block">Toggle it</label></div>
      <div data-tool-agent-ignore><input type="checkbox" id="kept"></div>`,
    )
    expect(await call(page, 'page_click', { target: 'Toggle it', role: 'button' })).toMatchObject({
      error: 'unavailable',
    })
    await expect(page.locator('#kept')).not.toBeChecked()
  })
})

test.describe('text that the user is typing to the agent', () => {
  test.beforeEach(({ page }) =>
    page.evaluate(() => {
      const panel = document.createElement('tool-agent-panel')
      panel.attachShadow({ mode: 'open' }).innerHTML = '<textarea>mine</textarea>'
      document.body.append(panel)
      panel.shadowRoot?.querySelector('textarea')?.focus()
    }),
  )

  for (const key of ['x', 'Delete', 'Control+A'])
    test(`${key} in rich text does not edit it or move its focus`, async ({ page }) => {
      expect(await press(page, 'Rich', key)).toMatchObject({ default: 'kept-focus' })
      await page.keyboard.press('End')
      await page.keyboard.type('!')
      await expect(page.locator('tool-agent-panel textarea')).toHaveValue('mine!')
      await expect(page.locator('#rich')).toHaveText('rich')
    })
})

test('arrow keys step fields that allow any value', async ({ page }) => {
  await add(
    page,
    `<label>Weight <input type="number" step="any" max="4" value="3" id="weight"></label>
    <label>Gain <input type="range" step="any" min="0" max="10" value="5" id="gain"></label>`,
  )
  for (const isMoved of [true, false])
    expect(await press(page, 'Weight', 'ArrowUp')).toMatchObject({ default: isMoved ? 'done' : 'none' })
  await expect(page.locator('#weight')).toHaveValue('4')
  await press(page, 'Gain', 'ArrowLeft')
  await expect(page.locator('#gain')).toHaveValue('4.9')
  await press(page, 'Gain', 'PageUp')
  await expect(page.locator('#gain')).toHaveValue('5.9')
})

test('a value that changes while the button is hovered makes the click void', async ({ page }) => {
  await add(page, '<form id="pay"><label>Amount <input id="amount" value="10"></label><button>Pay</button></form>')
  await page.evaluate(() => {
    const amount = document.querySelector<HTMLInputElement>('#amount')
    document.querySelector('#pay button')?.addEventListener('mouseover', () => {
      if (amount) amount.value = '9999'
    })
    document.querySelector('#pay')?.addEventListener('submit', (event) => {
      event.preventDefault()
      Object.assign(window, { paid: amount?.value })
    })
    const { pageTools } = window as unknown as {
      pageTools: Map<string, Record<symbol, { preview(...all: object[]): object }>>
    }
    const run = { toolCallId: 'call', sessionId: 'session', messages: [] }
    pageTools.get('page_click')?.[Symbol.for('tool-agent.internals')]?.preview({ target: 'Pay', hover: true }, run)
  })
  expect(await call(page, 'page_click', { target: 'Pay', hover: true })).toMatchObject({
    error: 'unavailable',
    message: expect.stringContaining('the value of "Amount" changed'),
  })
  expect(await page.evaluate(() => 'paid' in window)).toBe(false)
})

test('a list that grows beside a button is no changed value, where nobody was asked', async ({ page }) => {
  await add(
    page,
    '<section><label>Search <input></label><ol></ol><nav><button id="next">Onward</button></nav></section>',
  )
  await page.evaluate(() => {
    document.querySelector('#next')?.addEventListener('click', () => Object.assign(window, { went: true }))
    const { pageTools } = window as unknown as {
      pageTools: Map<string, Record<symbol, { preview(...all: object[]): object }>>
    }
    const run = { toolCallId: 'call', sessionId: 'session', messages: [] }
    pageTools.get('page_click')?.[Symbol.for('tool-agent.internals')]?.preview({ target: 'Onward' }, run)
    // The field is no longer near enough to belong to the button.
    for (let row = 0; row < 60; row++)
      document.querySelector('section ol')?.insertAdjacentHTML('beforeend', '<li>A row of the list</li>')
  })
  expect(await call(page, 'page_click', { target: 'Onward' })).toMatchObject({ clicked: 'button "Onward"' })
  expect(await page.evaluate(() => 'went' in window)).toBe(true)
})

test('the error of a long name searches the page for a few words only', async ({ page }) => {
  await add(page, '<p>alpha</p><p>omega</p>')
  const long = ['alpha', ...Array.from({ length: 500 }, (_, index) => `word${index}`), 'omega'].join(' ')
  const { message } = await call<Acted>(page, 'page_click', { target: long })
  expect(message).toContain('"alpha"')
  expect(message).not.toContain('"omega"')
})
