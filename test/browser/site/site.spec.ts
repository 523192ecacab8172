// The documentation site in a browser: accessibility of every page in light and dark, wide and narrow; search, menu, colour
// switch and copy buttons; and that a page works without scripts and loads nothing from elsewhere.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import { expect, test as base, type Page } from 'playwright/test'
import { buildPages } from '../../../scripts/site.mjs'
import { apiPages } from '../../../site/api/api-pages.mjs'
import { flat, navigation } from '../../../site/navigation.mjs'
import { serveStatic } from '../../support/page/static-server.js'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Every page, as the build writes them. */
const urls = [
  'index.html',
  ...flat(navigation(apiPages().flatMap(({ url, title }) => (url === 'api/index.html' ? [] : [{ url, title }])))).map(
    ({ url }) => url,
  ),
]

const test = base.extend<{ faults: string[] }, { docs: string }>({
  /** The address of the site, below a path, as it is hosted below any path. */
  docs: [
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'tool-agent-site-'))
      await buildPages(folder)
      const server = await serveStatic({ folders: { '/some/path/': folder } })
      await use(`${server.url}/some/path/`)
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  /** Errors in the console and requests to other origins, which must be none. */
  faults: [
    async ({ page, docs }, use) => {
      const faults: string[] = []
      page.on('pageerror', (error) => faults.push(String(error)))
      page.on('console', (message) => {
        if (message.type() === 'error') faults.push(message.text())
      })
      page.on('request', (request) => {
        if (!request.url().startsWith(docs) && !request.url().startsWith('data:')) faults.push(request.url())
      })
      await use(faults)
      expect(faults).toEqual([])
    },
    { auto: true },
  ],
})

const wide = { width: 1280, height: 900 }
const narrow = { width: 390, height: 844 }

/** What axe finds, one line for each element. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const results = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  )
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')} ${failureSummary}`),
  )
}

for (const url of urls) {
  test(
    `${url}: axe finds nothing, wide and narrow, light and dark`,
    { tag: '@long' },
    async ({ page, docs, browserName }) => {
      // The longest pages take axe many seconds.
      test.setTimeout(400_000)
      for (const size of [wide, narrow]) {
        await page.setViewportSize(size)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
          await page.goto(docs + url, { waitUntil: 'load' })
          const themeButton = page.locator('#theme')
          const isPressed = String(colorScheme === 'dark')
          // Playwright cannot emulate the colour scheme in a Firefox of the system, so there the button sets it.
          if (browserName !== 'chromium' && (await themeButton.getAttribute('aria-pressed')) !== isPressed)
            await themeButton.click()
          await expect(themeButton).toHaveAttribute('aria-pressed', isPressed)
          expect(await violations(page), `${size.width} ${colorScheme}`).toEqual([])
          expect(
            await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
            'the page does not scroll sideways',
          ).toBe(0)
        }
      }
    },
  )
}

test('search works by keyboard, and axe finds nothing in it', { tag: '@long' }, async ({ page, docs }) => {
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(request.url()))
  await page.goto(`${docs}api/agent.html`)
  await page.locator('main').waitFor()
  expect(loaded.join(), 'the index is loaded with the first use').not.toContain('search-index')
  await page.keyboard.press('/')
  const input = page.getByRole('searchbox', { name: 'Search the documentation' })
  await expect(input).toBeFocused()
  await page.keyboard.type('ollama')
  await expect(page.getByRole('status').filter({ hasText: /result/ })).toBeVisible()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await violations(page)).toEqual([])
  }
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('.search li a').first()).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(input).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(input).toBeHidden()

  await page.keyboard.press('Control+k')
  await input.fill('xyzzyqwx')
  await expect(page.getByText('Nothing found')).toBeVisible()
  await input.fill('ollama')
  await expect(page.locator('.search li').first()).toContainText('Ollama')
  await input.press('Enter')
  await expect(page).toHaveURL(`${docs}models.html#ollama`)
})

test(
  'the menu of a narrow window opens, closes by Escape and leads to a page',
  { tag: '@long' },
  async ({ page, docs }) => {
    await page.setViewportSize(narrow)
    await page.goto(`${docs}tools.html`)
    const menu = page.getByRole('button', { name: 'Menu', exact: true })
    await menu.click()
    await expect(page.getByRole('navigation', { name: 'Documentation' })).toBeVisible()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(menu).toBeFocused()
    await expect(page.getByRole('navigation', { name: 'Documentation' })).toBeHidden()
    await menu.press('Enter')
    await page.getByRole('link', { name: 'Sessions', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sessions')
  },
)

test('the colour switch is remembered', { tag: '@long' }, async ({ page, docs }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(`${docs}start.html`)
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const before = await background()
  await page.getByRole('button', { name: 'Dark' }).click()
  const dark = await background()
  expect(dark).not.toBe(before)
  await page.goto(`${docs}decisions/index.html`)
  expect(await background()).toBe(dark)
  await page.getByRole('button', { name: 'Dark' }).click()
  expect(await background()).toBe(before)
})

test('a button copies the code without the label', { tag: '@long' }, async ({ page, docs, context, browserName }) => {
  test.skip(browserName !== 'chromium', 'only Chromium lets a test read the clipboard')
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${docs}start.html`)
  const block = page.locator('.code').first()
  await block.getByRole('button', { name: 'Copy' }).click()
  await expect(block.getByRole('status')).toHaveText('Copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await block.locator('code').textContent())
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test(
    'pages, menu and contents work, and no button is shown',
    { tag: '@long' },
    async ({ page, docs, browserName }) => {
      test.skip(browserName !== 'chromium', 'Playwright cannot turn scripts off in a Firefox of the system')
      await page.setViewportSize(narrow)
      await page.goto(`${docs}tools.html`)
      await expect(page.getByRole('button')).toHaveCount(0)
      await page.getByRole('link', { name: 'Menu', exact: true }).click()
      await page.getByRole('link', { name: 'Languages', exact: true }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Languages')
      await page.getByRole('link', { name: 'Right to left', exact: true }).click()
      await expect(page).toHaveURL(/#right-to-left$/)
    },
  )
})
