// Where a click lands, what a click that changed nothing reports, and long changes in short.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, open } from '../../../support/page/page-tools-call.js'

interface Clicked {
  clicked: string
  changed: boolean
  changes: string
  error?: string
  message?: string
}
const click = (page: Page, target: string, more: object = {}): Promise<Clicked> =>
  call(page, 'page_click', { target, ...more })
/** The text that the model receives for an output. */
const wordsFor = (page: Page, output: Clicked): Promise<string> =>
  page.evaluate((output) => {
    const { pageTools } = window as unknown as {
      pageTools: Map<string, { toModelOutput(result: object): string }>
    }
    return pageTools.get('page_click')?.toModelOutput({ output }) ?? ''
  }, output)
/** What the question of a click shows. */
const preview = (page: Page, input: object): Promise<object | undefined> =>
  page.evaluate((input) => {
    const { pageTools } = window as unknown as {
      pageTools: Map<string, Record<symbol, { preview(input: object, run: object): { preview: object } }>>
    }
    const run = { toolCallId: 'call', sessionId: 'session', messages: [] }
    return pageTools.get('page_click')?.[Symbol.for('tool-agent.internals')]?.preview(input, run).preview
  }, input)
const refOf = async (page: Page, selector: string): Promise<string> =>
  (await call<{ matches: { ref: string }[] }>(page, 'dom_query', { selector })).matches[0]?.ref ?? ''

test.beforeEach(async ({ page, site }) => {
  await open(page, `${site}/test/pages/page-tools/act-click.html`)
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
})

test.describe('a click lands where a click of the user would land', () => {
  for (const [name, panel, link] of [
    ['Second', 'Panel two', 'a2'],
    ['Third', 'Panel three', 'a3'],
    ['Fourth', 'Panel four', 'a4'],
  ] as const) {
    test(`on the link inside a tab: ${name}`, async ({ page }) => {
      const answer = await click(page, name, { role: 'tab' })
      expect(answer).toMatchObject({ clicked: `tab "${name}"`, changed: true })
      expect(answer.changes).toContain(panel)
      expect(await page.evaluate(() => (window as unknown as { clicks: string[] }).clicks)).toEqual([link])
    })
  }

  test('the question shows where the inner link leads', async ({ page, site }) => {
    expect(await preview(page, { target: 'Second', role: 'tab' })).toMatchObject({
      does: 'click',
      target: 'tab "Second"',
      url: `${site}/test/pages/page-tools/act-click.html#two`,
    })
  })

  test('not on another control inside, which has a name of its own', async ({ page }) => {
    await click(page, await refOf(page, '#card'))
    const clicks = await page.evaluate(() => (window as unknown as { clicks: string[] }).clicks)
    expect(clicks).toHaveLength(1)
    expect(clicks[0]).not.toBe('in-card')
  })
})

test.describe('a click that changes nothing', () => {
  test('says that only the focus moved', { tag: '@R8.2' }, async ({ page }) => {
    const answer = await click(page, 'Only focus')
    expect(answer.changed).toBe(false)
    expect(answer.changes).toMatch(/^focus: tab "Only focus" \[ref=e\d+\]\n.*No other change was seen\./)
    expect(await wordsFor(page, answer)).toMatch(
      /^Clicked tab "Only focus", but nothing happened that can be seen\.\nfocus: /,
    )
  })

  test('says that nothing happened, and what to do next', { tag: '@R8.2' }, async ({ page }) => {
    await click(page, 'Only focus')
    const answer = await click(page, 'Only focus')
    expect(await wordsFor(page, answer)).toMatch(
      /^Clicked tab "Only focus", but nothing happened that can be seen\.\nfocus: tab .*\nNo visible change\..*page_wait.*page_read/,
    )
  })

  test('is not claimed of a click that changed something', async ({ page }) => {
    const answer = await click(page, 'Add few')
    expect(answer.changed).toBe(true)
    expect(await wordsFor(page, answer)).toMatch(/^Clicked button "Add few"\.\n/)
    expect(answer.changes).not.toMatch(/No other change|No visible change/)
  })
})

test('respects aria-disabled on an element around the target', async ({ page }) => {
  const answer = await click(page, 'Cut')
  expect(answer).toMatchObject({
    error: 'unavailable',
    message: expect.stringMatching(
      /button "Cut" is disabled, because toolbar "Tools off" around it is\. Use page_read/,
    ),
  })
  expect(await page.locator('#log').textContent()).toBe('')
  expect(await page.evaluate(() => (window as unknown as { clicks: string[] }).clicks)).toEqual([])
})

test.describe('changes of many items', () => {
  test('name the container and the number, and keep the first items', async ({ page }) => {
    const { changes } = await click(page, 'Next month')
    expect(changes).toMatch(
      /- button "Day 1 of 6".*\n.*- button "Day 2 of 6".*\n.*- button "Day 3 of 6".*\n.*\(and 28 more in group "Days" \[ref=e\d+\]: page_read\)/,
    )
    expect(changes).not.toContain('Day 4 of 6')
    const [, gone] = changes.split('gone:\n')
    expect(gone).toMatch(/Day 1 of 5.*\n.*Day 2 of 5.*\n.*Day 3 of 5.*\n\(and 28 more in group "Days"/)
    expect(gone).not.toContain('Day 4 of 5')
    // The heading is no part of the group.
    expect(changes).toContain('heading "Month 6"')
  })

  test('count the controls in the rows of a table', async ({ page }) => {
    const { changes } = await click(page, 'Next page')
    expect(changes).toMatch(/- \| button "6\/1".*\n.*\(and 28 more in table "Calendar" \[ref=e\d+\]: page_read\)/)
    expect(changes).not.toContain('"6/8"')
    expect(changes.length).toBeLessThan(2_000)
  })

  test('are listed up to ten, and alerts always', async ({ page }) => {
    const few = await click(page, 'Add few')
    expect(few.changes).toContain('button "Item 10"')
    expect(few.changes).not.toContain('more')
    await page.locator('#list').evaluate((list) => list.replaceChildren())
    const many = await click(page, 'Open many')
    expect(many.changes).toContain('Eleven were added')
    expect(many.changes).toMatch(/button "Item 3".*\n.*\(and 8 more in main \[ref=e\d+\]: page_read\)/)
  })
})

test.describe('hover', () => {
  test('opens a menu by script before its item is clicked', async ({ page }) => {
    // The item was visible when it was read, and the menu has closed since.
    await page.locator('#script-menu').evaluate((menu) => menu.classList.add('open'))
    const ref = await refOf(page, '#export')
    await page.locator('#script-menu').evaluate((menu) => menu.classList.remove('open'))
    expect(await click(page, ref)).toMatchObject({
      error: 'unavailable',
      message: expect.stringContaining('is hidden'),
    })
    const answer = await click(page, ref, { hover: true })
    expect(answer).toMatchObject({ clicked: 'menuitem "Export"', changed: true })
    expect(answer.changes).toContain('exported')
  })

  test('shows in the question where the hidden item leads, and checks it again', async ({ page, site }) => {
    await page.locator('#script-menu').evaluate((menu) => menu.classList.add('open'))
    const target = await refOf(page, '#print')
    await page.locator('#script-menu').evaluate((menu) => menu.classList.remove('open'))
    const address = `${site}/test/pages/page-tools/act-click.html#print`
    expect(await preview(page, { target, hover: true })).toMatchObject({
      does: 'click',
      target: 'menuitem "Print"',
      url: address,
    })
    await page.locator('#print a').evaluate((link) => link.setAttribute('href', '#other'))
    expect(await click(page, target, { hover: true })).toMatchObject({
      error: 'unavailable',
      message: expect.stringContaining('it now leads to'),
    })
    await preview(page, { target, hover: true })
    expect(await click(page, target, { hover: true })).toMatchObject({
      clicked: 'menuitem "Print"',
      url: '/test/pages/page-tools/act-click.html#other',
    })
  })

  test('waits for the page between hover and click, and enters the target once', async ({ page }) => {
    expect((await click(page, 'Slow hover')).changes).toContain('not armed, entered 1 times')
    await page.reload()
    await open(page, page.url())
    expect((await click(page, 'Slow hover', { hover: true })).changes).toContain('yes armed, entered 1 times')
  })
})
