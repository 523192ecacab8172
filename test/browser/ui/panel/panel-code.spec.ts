// Code in answers has colours, which load with the first code; and tables and code can be copied.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright/test'
import { assistant, expect, test, user } from '../../../support/page/panel.js'

const kinds = ['keyword', 'string', 'number', 'name', 'comment', 'added', 'removed'] as const
const script = '// Adds\nconst sum = add("a", 1)'
const fenced = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``
/** Every kind of word. */
const allKinds = `${fenced('js', script)}\n\n${fenced('diff', '+ new\n- old')}`

const words = (code: Locator): Promise<string[]> =>
  code.evaluate((element) => [...element.querySelectorAll('span')].map((one) => `${one.className} ${one.textContent}`))

const colourFiles = (page: Page): string[] => {
  const files: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('highlight')) files.push(request.url())
  })
  return files
}

test('words of code have the colours of their kinds, and the text stays as it is', async ({ panel }) => {
  await panel.show({ messages: [user('u', 'Code?'), assistant('a', fenced('ts', script))] })
  const code = panel.element.locator('pre code')
  await expect(code.locator('.code-keyword')).toHaveText('const')
  await expect(code).toHaveText(script)
  expect(await words(code)).toEqual([
    'code-comment // Adds',
    'code-keyword const',
    'code-name add',
    'code-string "a"',
    'code-number 1',
  ])
})

test('code stays plain while it is written, and gets its colours with its last line', async ({ panel }) => {
  await panel.stream()
  const code = panel.element.locator('pre code')
  for (const delta of ['\n\n```js\n', 'const one', ' = 1\n', 'let two']) await panel.emit({ type: 'text-delta', delta })
  await expect(code).toHaveText('const one = 1\nlet two')
  await expect(code.locator('span')).toHaveCount(0)
  // The number of times that a word lost its colour.
  await code.evaluate((element) => {
    new MutationObserver((changes) => {
      const removed = changes.flatMap((one) => [...one.removedNodes]).filter((node) => node instanceof HTMLElement)
      element.setAttribute('data-removed', String(Number(element.getAttribute('data-removed')) + removed.length))
    }).observe(element, { childList: true })
  })
  await panel.emit({ type: 'text-delta', delta: '\n```\n' })
  await expect(code.locator('.code-keyword')).toHaveText(['const', 'let'])
  for (const delta of ['\nAnd', ' more', ' text.\n\nEnd']) await panel.emit({ type: 'text-delta', delta })
  await expect(panel.element.locator('.text').last()).toContainText('End')
  await expect(code.locator('.code-keyword')).toHaveText(['const', 'let'])
  await expect(code).toHaveAttribute('data-removed', '0')
})

test('the colours load with the first code that can have some', async ({ panel, page }) => {
  const files = colourFiles(page)
  const plain = ['Text', fenced('', script), fenced('brainfuck', '++'), fenced('js', 'x'.repeat(10_001))].join('\n\n')
  await panel.show({ messages: [user('u', 'Code?'), assistant('a', plain)] })
  await expect(panel.element.locator('pre')).toHaveCount(3)
  expect(files).toEqual([])
  await panel.show({ messages: [user('u', 'Code?'), assistant('a', plain), assistant('b', fenced('js', script))] })
  await expect(panel.element.locator('.code-keyword')).toHaveText('const')
  expect(files).toHaveLength(1)
  await expect(panel.element.locator('pre').nth(2).locator('span')).toHaveCount(0)
})

test('code stays plain when the colours cannot be loaded, and the panel says nothing', async ({ panel, page }) => {
  await page.route('**/*highlight*', (route) => route.abort())
  const failed = page.waitForEvent('console', (message) => message.text().startsWith('[tool-agent] network'))
  await panel.show({ messages: [user('u', 'Code?'), assistant('a', fenced('js', script))] })
  await failed
  await expect(panel.element.locator('pre code')).toHaveText(script)
  await expect(panel.element.getByRole('alert')).toHaveCount(0)
})

test('colours of code have a contrast of 4.5 to 1 in every theme, light and dark', async ({ panel, page }) => {
  await panel.show({ messages: [user('u', 'Code?'), assistant('a', allKinds)] })
  for (const kind of kinds) await expect(panel.element.locator(`.code-${kind}`).first()).toBeVisible()
  const css = ['paper', 'graphite', 'bloom'].map((name) =>
    readFileSync(fileURLToPath(new URL(`../../../../themes/${name}.css`, import.meta.url)), 'utf8'),
  )
  const low = await page.evaluate(
    ([names, themes]) => {
      const root = window.element.shadowRoot!
      const sheet = new CSSStyleSheet()
      document.adoptedStyleSheets.push(sheet)
      const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!
      // A canvas converts a colour of any space.
      const luminance = (colour: string): number => {
        canvas.fillStyle = colour
        canvas.fillRect(0, 0, 1, 1)
        const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => {
          const share = value / 255
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
        })
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue
      }
      const found: string[] = []
      for (const theme of ['', ...themes])
        for (const scheme of ['light', 'dark']) {
          sheet.replaceSync(theme)
          window.element.style.colorScheme = scheme
          const back = luminance(getComputedStyle(root.querySelector('.code')!).backgroundColor)
          for (const name of names) {
            const front = luminance(getComputedStyle(root.querySelector(`.code-${name}`)!).color)
            const ratio = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05)
            if (!(ratio >= 4.5)) found.push(`${name} ${scheme} ${ratio.toFixed(2)} ${theme.slice(0, 20)}`)
          }
        }
      return found
    },
    [[...kinds], css] as const,
  )
  expect(low).toEqual([])
})

const table =
  '| Tea | Price |\n|:--|--:|\n| **Sencha** [here](https://tea.example/x) | € 8 |\n| =1+1 | -3 |\n| a<br>b | <i> |'

test('a table is copied for spreadsheets and for text editors', async ({ panel, page, context, browserName }) => {
  test.skip(browserName !== 'chromium', 'only Chromium lets a test read the clipboard')
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await panel.show({ messages: [user('u', 'Teas?'), assistant('a', `${table}\n\n${fenced('js', script)}`)] })
  await panel.element.locator('table').hover()
  const button = panel.element.getByRole('button', { name: 'Copy the table: Tea, Price' })
  await button.click()
  await expect(panel.element.getByRole('button', { name: 'Copied' })).toHaveCount(1)
  const [text, html] = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read()
    return Promise.all(['text/plain', 'text/html'].map(async (type) => (await item!.getType(type)).text()))
  })
  // A spreadsheet would compute what starts like a formula.
  expect(text).toBe("Tea\tPrice\nSencha here (tea.example)\t€ 8\n'=1+1\t-3\na b\t<i>")
  const shown = await page.evaluate((written) => {
    const doc = new DOMParser().parseFromString(written!, 'text/html')
    return [...doc.querySelectorAll('tr')].map((row) =>
      [...row.children].map((cell) => `${cell.localName} ${cell.textContent}`),
    )
  }, html)
  expect(shown).toEqual([
    ['th Tea', 'th Price'],
    ['td Sencha here (tea.example)', 'td € 8'],
    ["td '=1+1", 'td -3'],
    ['td ab', 'td <i>'],
  ])
  await panel.element.getByRole('button', { name: 'Copy the code' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(script)
})

test('the button of a table covers none of its texts', async ({ panel }) => {
  await panel.show({ messages: [user('u', 'Teas?'), assistant('a', `Text before\n\n${table}`)] })
  await panel.element.locator('table').hover()
  const button = panel.element.getByRole('button', { name: /^Copy the table/ })
  await expect(button).toBeVisible()
  const isCovered = await button.evaluate((one) => {
    const box = one.getBoundingClientRect()
    const cells = [...one.closest('.table')!.querySelectorAll('th, td')]
    return cells.some((cell) => {
      const range = document.createRange()
      range.selectNodeContents(cell)
      const text = range.getBoundingClientRect()
      return text.left < box.right && box.left < text.right && text.top < box.bottom - 1 && box.top < text.bottom - 1
    })
  })
  expect(isCovered).toBe(false)
})

test('code fades at the edges that have more, and only there', async ({ panel, browserName }) => {
  test.skip(browserName !== 'chromium', 'the others do not know yet how far an element is scrolled')
  const long = `const answer = '${'long '.repeat(30)}'`
  await panel.show({
    messages: [user('u', 'Code?'), assistant('a', `${fenced('js', 'go()')}\n\n${fenced('js', long)}`)],
  })
  await expect(panel.element.locator('.code-keyword')).toHaveText('const')
  const fades = (at: number) =>
    panel.element.locator('.code pre').evaluateAll(async (all, left) => {
      const [, last] = all
      last!.scrollLeft = left
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      return all.map((one) => /to \w+/.exec(getComputedStyle(one).maskImage)?.[0] ?? 'none')
    }, at)
  expect(await fades(0)).toEqual(['none', 'to left'])
  expect(await fades(40)).toEqual(['none', 'to left'])
  expect(await fades(9_999)).toEqual(['none', 'to right'])
})
