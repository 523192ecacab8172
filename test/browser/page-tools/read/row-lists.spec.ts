// Lists and grids of which only some rows are in the document: page_read and dom_query find the others, and leave the
// list where it was.
import type { Page } from 'playwright/test'
import { expect, longLists, openFramework, test } from '../../../support/page/frameworks.js'
import { call } from '../../../support/page/page-tools-call.js'

const draw = async (page: Page, kind: string, count: number): Promise<void> => {
  await page.evaluate(
    ([kind, count]) =>
      (window as unknown as { fixture: { draw(kind: string, count: number): void } }).fixture.draw(
        kind as string,
        count as number,
      ),
    [kind, count],
  )
  await page.getByText('Ann No0').first().waitFor()
}
const names = (page: Page, count: number): Promise<string[]> =>
  page.evaluate(
    (count) => (window as unknown as { fixture: { names(count: number): string[] } }).fixture.names(count),
    count,
  )
const read = (page: Page, input: object = {}): Promise<string> => call<string>(page, 'page_read', input)
/** The names of the rows that are read. A control also names its row, after `in`. */
const namesIn = (text: string): string[] =>
  [...text.replaceAll(/ in ".*?"/g, '').matchAll(/\b\p{L}+ No\d+/gu)].map(([name]) => name)
const refOfList = (text: string): string => /\(list (e\d+):/.exec(text)?.[1] ?? ''
/** Where all boxes and the window stand. */
const places = (page: Page): Promise<number[]> =>
  page.evaluate(() =>
    [scrollY, ...[...document.querySelectorAll('*')].map((one) => Math.round(one.scrollTop))].filter(Boolean),
  )
const scrollList = (page: Page, top: number): Promise<void> =>
  page.evaluate((top) => {
    const boxes = [...document.querySelectorAll('#app, #app *')].filter(
      (one) => one.scrollHeight > one.clientHeight + 50 && /auto|scroll/.test(getComputedStyle(one).overflowY),
    )
    ;(boxes[0] ?? document.documentElement).scrollTo(0, top)
  }, top)
/** The first row in view, after the list has drawn it. */
const isDrawnAt = (page: Page, pattern: RegExp): Promise<void> => page.getByText(pattern).first().waitFor()

test.beforeEach(async ({ page, site }) => {
  let loads = 0
  await page.route(`${site}/more?*`, (route) => route.fulfill({ body: String(++loads) }))
  await openFramework(page, site, longLists)
})

/** Kinds, whether the page knows the count, and whether rows have controls. */
const kinds = [
  ['tanstack', false],
  ['tanstack-dynamic', false],
  ['tanstack-window', false],
  ['react-window', true],
  ['virtuoso', false],
  ['virtuoso-table', false],
  ['ag-grid', true],
  ['clusterize', false],
  ['spacers', false],
  ['moved', false],
] as const
const sampled = new Set<string>(['ag-grid', 'spacers'])

for (const [kind, isKnown] of kinds)
  test(
    `${kind}: all rows, once and in order, and one by its words`,
    sampled.has(kind) ? {} : { tag: '@long' },
    async ({ page }) => {
      const count = 260
      await draw(page, kind, count)
      const plain = await read(page)
      expect(plain).toMatch(
        isKnown
          ? /\(list e\d+: \d+ of 260 rows are in the document: page_read/
          : /\(list e\d+: \d+ of about \d+ rows are in the document: page_read/,
      )
      expect(namesIn(plain).length).toBeLessThan(count)
      await scrollList(page, 1000)
      await isDrawnAt(page, /No(2|3|4)\d\b/)
      const before = await places(page)
      const whole = await read(page, { scope: refOfList(plain), maxChars: 40_000 })
      expect(namesIn(whole)).toEqual(await names(page, count))
      expect(whole).toContain(`all ${count} rows read`)
      expect(await places(page)).toEqual(before)
      const wanted = (await names(page, count))[240]!
      const one = await read(page, { filter: wanted })
      expect(namesIn(one)).toEqual([wanted])
      // What is not in the document has no reference.
      expect(one).not.toContain('[ref=')
      expect(await places(page)).toEqual(before)
      const query = await call<{ count: number; matches: { ref?: string; in?: string }[]; note: string }>(
        page,
        'dom_query',
        { text: wanted },
      )
      expect(query).toMatchObject({ count: 1, note: expect.stringMatching(/page_scroll/) })
      expect(query.matches[0]).not.toHaveProperty('ref')
      expect(await places(page)).toEqual(before)
      // The next step: the row is brought into the document, and then it can be clicked.
      const clicked = await call<{ message?: string }>(page, 'page_click', { target: wanted })
      expect(clicked.message).toMatch(/only \d+ of (about )?\d+ rows are in the document: page_scroll with target e\d+/)
      const scrolled = await call<{ found: boolean; visible: string }>(page, 'page_scroll', { text: wanted })
      expect(scrolled).toMatchObject({ found: true, visible: expect.stringContaining(wanted) })
    },
  )
