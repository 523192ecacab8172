// Right-to-left pages, and pages in a language that the panel does not know.
import { assistant, expect, question, test, user, type PanelPage } from '../../../support/page/panel.js'

/** Sets language and direction of the page, and waits until the panel has its words, or English ones. */
async function setPage(panel: PanelPage, lang: string, dir: 'ltr' | 'rtl', drawn = lang): Promise<void> {
  await panel.page.evaluate(
    ([language, direction]) => {
      document.documentElement.lang = language!
      document.documentElement.dir = direction!
    },
    [lang, dir],
  )
  await expect(panel.element.locator('.root')).toHaveAttribute('lang', drawn)
}

test('words in another language than the page have a language and a direction of their own', async ({ panel }) => {
  const root = panel.element.locator('.root')
  await setPage(panel, 'fa', 'rtl', 'en')
  await expect(root).toHaveAttribute('dir', 'ltr')
  await setPage(panel, 'pl', 'ltr', 'en')
  await setPage(panel, 'ar', 'rtl')
  await expect(root).not.toHaveAttribute('dir')
  await setPage(panel, 'de', 'ltr')
  await expect(root).not.toHaveAttribute('dir')
  await setPage(panel, 'en', 'rtl')
  await expect(root).not.toHaveAttribute('dir')
})

test('the panel opens on the side of its launcher', async ({ panel, page }) => {
  await page.evaluate(() => {
    window.element.layout = 'floating'
  })
  for (const [lang, dir] of [
    ['en', 'ltr'],
    ['en', 'rtl'],
    ['ar', 'rtl'],
  ] as const) {
    await setPage(panel, lang, dir)
    const launcher = (await panel.element.locator('.launcher').boundingBox())!
    await page.evaluate(() => {
      window.element.open = true
    })
    const box = (await panel.element.locator('section.panel').boundingBox())!
    expect([launcher.x < 640, box.x < 640], `${lang} ${dir}`).toEqual([dir === 'rtl', dir === 'rtl'])
    await page.evaluate(() => {
      window.element.open = false
    })
  }
})

test('the header is mirrored, and so is the arrow back', async ({ panel, page }) => {
  await setPage(panel, 'en', 'rtl')
  const gaps = await panel.element.locator('header').evaluate((header) => {
    const { left, right } = header.getBoundingClientRect()
    const title = header.querySelector('h2')!.getBoundingClientRect()
    const button = header.querySelector('button:last-child')!.getBoundingClientRect()
    return [right - title.right, button.left - left]
  })
  expect(gaps[0]).toBeGreaterThan(gaps[1]!)
  await page.getByRole('button', { name: 'Conversations' }).click()
  const back = panel.element.locator('.sessions header button').first().locator('.icon')
  expect(await back.evaluate((icon) => getComputedStyle(icon).scale)).toBe('-1 1')
  await setPage(panel, 'en', 'ltr')
  expect(await back.evaluate((icon) => getComputedStyle(icon).scale)).toBe('none')
})

test('a list and a table have the direction of their own text, with markers and columns', async ({ panel }) => {
  await setPage(panel, 'en', 'rtl')
  const texts = ['- one\n- two\n\n| a | b |\n|---|---|\n| c | d |', '1. واحد\n2. اثنان']
  await panel.show({ messages: [user('u', 'Hi'), ...texts.map((text, index) => assistant(`a${index}`, text))] })
  await expect(panel.element.locator('.text li')).toHaveCount(4)
  const directionOf = (selector: string) =>
    panel.element.locator(selector).evaluate((element) => getComputedStyle(element).direction)
  expect(await directionOf('.text ul')).toBe('ltr')
  expect(await directionOf('.text table')).toBe('ltr')
  expect(await directionOf('.text ol')).toBe('rtl')
  const [first, second] = await panel.element
    .locator('.text th')
    .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().left))
  expect(first).toBeLessThan(second!)
  expect(await panel.field.evaluate((field) => getComputedStyle(field).unicodeBidi)).toBe('plaintext')
})

test('values, cells and names of another direction stand beside their labels', async ({ panel, page }) => {
  await page.setViewportSize({ width: 390, height: 800 })
  await setPage(panel, 'ar', 'rtl')
  const table = '| الاسم | السعر |\n|--|--|\n| Hario | 24.90 |'
  await panel.show({
    status: 'awaiting-approval',
    messages: [
      user('u', 'Hi'),
      assistant(
        'a',
        table,
        question('c', { code: 'TEA10', items: Array.from({ length: 12 }, (_, index) => `Order number ${index}`) }),
      ),
    ],
  })
  await expect(panel.element.locator('.approval .raw')).toBeVisible()
  /** Where the text of an element begins, seen from the right edge of its box. */
  const gap = (selector: string) =>
    panel.element
      .locator(selector)
      .first()
      .evaluate((element) => {
        const range = document.createRange()
        range.selectNodeContents(element)
        const { right } = element.getBoundingClientRect()
        return Math.round(right - range.getBoundingClientRect().right)
      })
  expect(await gap('.approval dd')).toBeLessThan(4)
  expect(await gap('.approval dd li')).toBeLessThan(4)
  expect(await gap('.text td')).toBeLessThan(20)
  // The ellipsis is where a text ends.
  expect(
    await panel.element
      .locator('.call .title')
      .first()
      .evaluate((one) => one.getAttribute('dir')),
  ).toBe('auto')
})

test('texts in another direction than the page end at their own end, and quotes stand beside their line', async ({
  panel,
  page,
}) => {
  await setPage(panel, 'ar', 'rtl')
  /** The left edges of the first and the last character of an element. */
  const edges = (selector: string) =>
    panel.element
      .locator(selector)
      .first()
      .evaluate((element) => {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
        let text = walker.nextNode() as Text
        while (text.data.trim() === '') text = walker.nextNode() as Text
        const at = (index: number) => {
          const range = document.createRange()
          range.setStart(text, index)
          range.setEnd(text, index + 1)
          return range.getBoundingClientRect().left
        }
        return [at(0), at(text.data.trimEnd().length - 1)] as const
      })
  await page.evaluate(() => {
    Object.assign(window.element, {
      greeting: 'May I help?',
      suggestions: ['Where is my order?'],
      disclaimer: 'Answers may be wrong.',
    })
  })
  for (const selector of ['.greeting', '.suggestion']) {
    await expect(panel.element.locator(selector)).toBeVisible()
    const [first, last] = await edges(selector)
    expect(first, selector).toBeLessThan(last)
  }
  await panel.show({
    status: 'running',
    messages: [user('u', 'Hi'), assistant('a', { type: 'reasoning', text: 'Thoughts.' }, '> A quote.')],
  })
  const queued = 'Also look for a tray that is large enough for the pot and for the cup, and for some more'
  await page.evaluate((text) => {
    window.fake.wait({ turn: 't', text })
  }, queued)
  const line = panel.element.locator('.queued .line')
  await expect(line).toHaveText(queued)
  // The ellipsis is at the end of the text, which begins beside its label.
  expect(await line.evaluate((one) => getComputedStyle(one).direction)).toBe('ltr')
  await panel.element.locator('.aside > summary').click()
  for (const selector of ['.aside .plain', 'blockquote']) {
    const gap = await panel.element.locator(selector).evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      return element.getBoundingClientRect().right - range.getBoundingClientRect().right
    })
    expect(gap, selector).toBeLessThan(30)
  }
})

test('arguments are edited as JSON from left to right', async ({ panel }) => {
  await setPage(panel, 'ar', 'rtl')
  await panel.show({
    status: 'awaiting-approval',
    messages: [user('u', 'Hi'), assistant('a', question('c', { name: 'Ada', extra: [{ a: 1 }] }))],
  })
  await expect(panel.element.locator('.decision[data-ready]')).toBeVisible()
  await panel.element.locator('.approval .change').click()
  const json = panel.element.locator('.form .edit')
  await expect(json).toHaveValue(/"a": 1/)
  expect(await json.evaluate((one) => getComputedStyle(one).direction)).toBe('ltr')
})
