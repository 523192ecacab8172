// page_click as a hand does it: two clicks, other buttons, held keys, a long press, and the mouse alone.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, open } from '../../../support/page/page-tools-call.js'

interface Clicked {
  readonly clicked: string
  readonly how?: string
  readonly changed: boolean
  readonly changes: string
}
const click = (page: Page, target: string, more: object = {}): Promise<Clicked> =>
  call(page, 'page_click', { target, ...more })
const forecast = (page: Page, input: object): Promise<{ effect: string; preview: object }> =>
  page.evaluate((input) => {
    const { pageTools } = window as unknown as {
      pageTools: Map<
        string,
        Record<symbol, { preview(input: object, run: object): { effect: string; preview: object } }>
      >
    }
    const run = { toolCallId: 'other', sessionId: 'session', messages: [] }
    return pageTools.get('page_click')![Symbol.for('tool-agent.internals')]!.preview(input, run)
  }, input)
const events = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { events: string[] }).events.splice(0))

test.beforeEach(async ({ page, site }) => {
  await open(page, `${site}/test/pages/page-tools/act-hand.html`)
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
})

test('a double click is two pairs of presses and clicks, and then one event of its own', async ({ page }) => {
  expect(await click(page, 'Oak', { how: 'double' })).toMatchObject({
    how: 'Double-clicked',
    changes: expect.stringContaining('Oak opened'),
  })
  expect(await events(page)).toEqual([
    ...[1, 2].flatMap((detail) => [
      'pointerdown oak mouse',
      `mousedown oak 0 ${detail}`,
      'pointerup oak mouse',
      `mouseup oak 0 ${detail}`,
      `click oak 0 ${detail}`,
    ]),
    'dblclick oak 0 2',
  ])
})

test('the second click of two never meets what the first one put there', async ({ page }) => {
  const answer = await click(page, 'Swap', { how: 'double' })
  expect(answer.changes).toContain('there was no second one')
  expect(await events(page)).not.toContainEqual(expect.stringContaining('trap'))
})

test('a right click opens the menu of the page, without a question and without a click', async ({ page }) => {
  const { effect, preview } = await forecast(page, { target: 'Oak', how: 'right' })
  expect(effect).toBe('view')
  expect(preview).toMatchObject({ does: 'click', how: 'right', target: expect.stringContaining('"Oak"') })
  const answer = await click(page, 'Oak', { how: 'right' })
  expect(answer).toMatchObject({ how: 'Right-clicked', changed: true })
  expect(answer.changes).toContain('menuitem "Rename"')
  expect(await events(page)).toEqual([
    'pointerdown oak mouse',
    'mousedown oak 2 1',
    'pointerup oak mouse',
    'mouseup oak 2 1',
    'auxclick oak 2 1',
    'contextmenu oak 2 1',
  ])
})

test('a right click that would send is stopped, and one without a menu says so', async ({ page }) => {
  await click(page, 'Oak', { how: 'right' })
  expect(await click(page, 'Rename', { how: 'right' })).toMatchObject({ error: 'needs-approval' })
  expect((await click(page, 'Plain', { how: 'right' })).changes).toContain('The page has no menu of its own there')
})

test('held keys are in all events, and are pressed and released around them', async ({ page }) => {
  expect(await click(page, 'Elm', { with: 'ctrl + Shift' })).toMatchObject({ how: 'Clicked with Control+Shift' })
  expect(await events(page)).toEqual([
    'keydown Control',
    'keydown Shift',
    'pointerdown elm mouse ctrl,shift',
    'mousedown elm 0 1 ctrl,shift',
    'pointerup elm mouse ctrl,shift',
    'mouseup elm 0 1 ctrl,shift',
    'click elm 0 1 ctrl,shift',
    'keyup Shift',
    'keyup Control',
  ])
  expect(await click(page, 'Elm', { with: 'Enter' })).toMatchObject({ error: 'invalid-input' })
})

test('a link with Control, or by the middle button, opens a tab, and the question says so', async ({ page }) => {
  for (const input of [{ with: 'Control' }, { how: 'middle' }]) {
    const { effect, preview } = await forecast(page, { target: 'Leaf', ...input })
    expect(effect).toBe('go')
    expect(preview).toMatchObject({ opens: 'tab', url: expect.stringContaining('?leaf') })
    const [opened, answer] = await Promise.all([
      page.context().waitForEvent('page', { timeout: 20_000 }),
      click(page, 'Leaf', input),
    ])
    await opened.close()
    expect(answer.changes).toContain('A new tab was requested')
    expect(page.url()).toContain('act-hand.html')
  }
  expect(await forecast(page, { target: 'Leaf', with: 'Alt' })).toMatchObject({ preview: { opens: 'download' } })
})

test('a question about one manner does not allow another one', async ({ page }) => {
  const answer = await page.evaluate(async () => {
    const { pageTools } = window as unknown as {
      pageTools: Map<
        string,
        { execute(input: object, run: object): Promise<unknown> } & Record<
          symbol,
          { preview(input: object, run: object): void }
        >
      >
    }
    const tool = pageTools.get('page_click')!
    const run = {
      toolCallId: 'one',
      sessionId: 'session',
      messages: [],
      signal: new AbortController().signal,
      report() {},
      permission: { effect: 'destroy', by: 'user' },
    }
    tool[Symbol.for('tool-agent.internals')]!.preview({ target: 'Pay now', how: 'right' }, run)
    return tool.execute({ target: 'Pay now' }, run).catch((error: Error) => error.message)
  })
  expect(answer).toContain('The action changed after it was checked')
  expect(await page.locator('#log').textContent()).toBe('')
})

test('neither the right nor the middle button, nor a long press, submits a form', async ({ page }) => {
  for (const how of ['right', 'middle', 'hold', 'hover']) await click(page, 'Pay now', { how })
  expect(await page.locator('#log').textContent()).toBe('')
  await click(page, 'Pay now')
  await expect(page.locator('#log')).toHaveText('paid')
})

test('a long press is one of a finger, and if nothing changes one of the mouse, without a click', async ({
  page,
  browserName,
}) => {
  const knowsTouch = browserName === 'chromium'
  if (knowsTouch) {
    expect((await click(page, 'Press long', { how: 'hold' })).changes).toContain('long by finger')
    expect(await events(page)).toEqual([
      'pointerdown touched touch',
      'touchstart touched',
      'contextmenu touched 0 1',
      'pointerup touched touch',
      'touchend touched',
    ])
  }
  expect(await click(page, 'Press with mouse', { how: 'hold' })).toMatchObject({
    how: 'Held down',
    changes: expect.stringContaining('long by mouse'),
  })
  expect(await events(page)).not.toContainEqual(expect.stringMatching(/^(aux)?click/))
})

test('the mouse alone shows what it shows, and presses nothing', async ({ page }) => {
  const answer = await click(page, 'Tip', { how: 'hover' })
  expect(answer).toMatchObject({ how: 'Moved the mouse over', changed: true })
  expect(answer.changes).toContain('It is a tip')
  expect(await events(page)).toEqual([])
})

test('a click says where it is', async ({ page }) => {
  await click(page, 'Plain')
  const [x, y] = await page.evaluate(() => (window as unknown as { point: [number, number] }).point)
  const { left, top, right, bottom } = await page.evaluate(() =>
    document.getElementById('plain')!.getBoundingClientRect().toJSON(),
  )
  expect(x! > left && x! < right && y! > top && y! < bottom).toBe(true)
})

test.describe('form_submit with a button that submits nothing by markup', () => {
  const submit = (page: Page, input: object): Promise<object> => call(page, 'form_submit', input)

  test('clicks it, and says whether that submitted a form', async ({ page }) => {
    expect(await submit(page, { form: 'wish', button: 'Make a wish' })).toMatchObject({
      clicked: true,
      submitted: true,
      form: 'button "Make a wish"',
      changes: expect.stringContaining('wished'),
    })
    expect(await submit(page, { button: 'Go on' })).toMatchObject({
      clicked: true,
      submitted: false,
      changes: expect.stringContaining('went on'),
    })
  })

  test('asks as a click does', async ({ page }) => {
    const forecasts = await page.evaluate(() => {
      const { pageTools } = window as unknown as {
        pageTools: Map<
          string,
          Record<symbol, { preview(input: object, run: object): { effect: string; preview: object } }>
        >
      }
      const run = { toolCallId: 'other', sessionId: 'session', messages: [] }
      const key = Symbol.for('tool-agent.internals')
      return [
        pageTools.get('form_submit')![key]!.preview({ button: 'Make a wish' }, run),
        pageTools.get('page_click')![key]!.preview({ target: 'Make a wish' }, run),
      ]
    })
    expect(forecasts[0]).toEqual(forecasts[1])
    expect(forecasts[0]).toMatchObject({ effect: 'unknown', preview: { does: 'click' } })
  })
})
