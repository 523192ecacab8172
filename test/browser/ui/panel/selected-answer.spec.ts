// What a visitor has selected in an answer stays selected while the answer grows.
import type { Locator } from 'playwright/test'
import { expect, test, type PanelPage } from '../../../support/page/panel.js'

/** Selects eight signs of the text in an element, from an index on. Returns what is selected. */
const select = (element: Locator, from: number): Promise<string> =>
  element.evaluate((box, start) => {
    const text = document.createTreeWalker(box, NodeFilter.SHOW_TEXT).nextNode()
    if (text === null) throw new Error('no text')
    getSelection()?.setBaseAndExtent(text, start, text, start + 8)
    return String(getSelection())
  }, from)
const selected = (panel: PanelPage): Promise<string> => panel.page.evaluate(() => String(getSelection()))

const growing: Readonly<Record<string, { start: string; more: string; box: string; end?: string }>> = {
  'a paragraph': { start: '\n\nFirst words of a long paragraph', more: ' and more words', box: '.text > p:last-child' },
  'a paragraph that becomes bold': {
    start: '\n\nFirst words of **a',
    more: ' bold** part',
    box: '.text > p:last-child',
  },
  'a quote': { start: '\n\n> quoted words of somebody', more: ' and more', box: 'blockquote p' },
  'a list item': { start: '\n\n- item number one', more: ' of the list', box: 'li' },
  'a heading': { start: '\n\n## Words of a heading', more: ' and more', box: 'h3' },
  'code without a language': {
    start: '\n\n```\nplain line 0\n',
    more: 'plain line 1\n',
    box: 'pre code',
    end: '```\n',
  },
  'code with a language': { start: '\n\n```js\nconst x0 = 0\n', more: 'const x1 = 1\n', box: 'pre code', end: '```\n' },
}

for (const [name, { start, more, box, end = '\n\nDone.' }] of Object.entries(growing)) {
  test(`a selection in ${name} stays while it grows and ends`, async ({ panel }) => {
    await panel.stream()
    await panel.emit({ type: 'text-delta', delta: start })
    const element = panel.element.locator(box).last()
    // The text appears in pieces, and what stood there before may match the box too.
    await expect(element).toContainText(/[a-z][\w =]{9}/.exec(start)?.[0] ?? start)
    const words = await select(element, 2)
    expect(words).toHaveLength(8)
    for (let step = 0; step < 3; step++) {
      const before = (await element.textContent())?.length ?? 0
      await panel.emit({ type: 'text-delta', delta: more })
      await expect.poll(async () => (await element.textContent())?.length ?? 0).toBeGreaterThan(before)
      expect(await selected(panel)).toBe(words)
    }
    await panel.emit({ type: 'text-delta', delta: end }, { type: 'text-delta', delta: '\n\nThe last words.' })
    await expect(panel.element.locator('.text').last()).toContainText('The last words.')
    expect(await selected(panel)).toBe(words)
  })
}

test('code gets its colours when its selection is gone', async ({ panel, page }) => {
  await panel.stream()
  await panel.emit({ type: 'text-delta', delta: '\n\n```js\nconst one = 1\n```\n\n```js\nlet two = 2\n' })
  const code = panel.element.locator('pre code')
  await expect(code.first().locator('.code-keyword')).toHaveText('const')
  const words = await select(code.last(), 0)
  await panel.emit({ type: 'text-delta', delta: '```\n\n```js\nlet three = 3\n```\n' })
  // What came later has its colours, so those of the selected code were found as well.
  await expect(code.last().locator('.code-keyword')).toHaveText('let')
  expect(await selected(panel)).toBe(words)
  await page.evaluate(() => getSelection()?.removeAllRanges())
  await expect(code.nth(1).locator('.code-keyword')).toHaveText('let')
  await expect(code.nth(1)).toHaveText('let two = 2')
})
