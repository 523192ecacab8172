// The documentation site in a browser: accessibility of every page in light and dark, wide and narrow; search, menu, colour
// switch and copy buttons; addresses that moved; and that a page works without scripts and loads nothing from elsewhere.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import { expect, test as base, type Page } from 'playwright/test'
import { navigation, pageOf, type Entry } from '../../../site/navigation.mjs'
import { serveStatic } from '../../support/page/static-server.js'
import { builtSite, siteBase } from '../../support/project/site.js'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The address of an entry and of those below it. */
const urlsOf = ({ file, inside = [] }: Entry): string[] => [
  pageOf(file)?.replace(/\.md$/, '.html') ?? file,
  ...inside.flatMap(urlsOf),
]
const urls = ['index.html', ...navigation().flatMap(({ entries }) => entries.flatMap(urlsOf))]

const test = base.extend<{ faults: string[] }, { docs: string }>({
  /** The address of the site, below the path that it was built for. */
  docs: [
    async ({}, use) => {
      const server = await serveStatic({ folders: { [siteBase]: await builtSite() } })
      await use(server.url + siteBase)
      await server.close()
    },
    { scope: 'worker', timeout: 900_000 },
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
        const url = request.url()
        if (!url.startsWith(docs) && !/^(?:data|blob):/.test(url)) faults.push(url)
      })
      await use(faults)
      expect(faults).toEqual([])
    },
    { auto: true },
  ],
})

test.describe.configure({ mode: 'parallel' })

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

/** Whether VitePress has taken over the page, so that its buttons work. */
const isReady = (page: Page) => page.waitForFunction(() => '__vue_app__' in (document.querySelector('#app') ?? {}))

const isDark = (page: Page) => page.evaluate(() => document.documentElement.classList.contains('dark'))

for (const url of urls) {
  test(`${url}: axe finds nothing, wide and light, narrow and dark`, { tag: '@long' }, async ({ page, docs }) => {
    // The longest pages take axe many seconds.
    test.setTimeout(400_000)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(docs + url)
    for (const [scheme, size] of [
      ['light', wide],
      ['dark', narrow],
    ] as const) {
      // Playwright cannot emulate the colour scheme in a Firefox of the system.
      await page.evaluate((value) => localStorage.setItem('vitepress-theme-appearance', value), scheme)
      await page.setViewportSize(size)
      await page.reload({ waitUntil: 'load' })
      await isReady(page)
      expect(await isDark(page)).toBe(scheme === 'dark')
      expect(await violations(page), `${size.width} ${scheme}`).toEqual([])
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
        'the page does not scroll sideways',
      ).toBe(0)
    }
  })
}

/** What axe finds in the search box of VitePress, which its settings cannot change: decision 0018. */
const ofSearchBox = /^(?:label-content-name-mismatch|nested-interactive) /

test('search works by keyboard, and axe finds nothing in it that is ours', { tag: '@long' }, async ({ page, docs }) => {
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(request.url()))
  await page.goto(`${docs}api/agent.html`)
  await isReady(page)
  expect(loaded.join(), 'the index is loaded with the first use').not.toContain('localSearchIndex')
  await page.keyboard.press('/')
  const input = page.getByRole('searchbox')
  await expect(input).toBeFocused()
  await page.keyboard.type('ollama')
  await expect(page.locator('.result').first()).toContainText('Ollama')
  expect((await violations(page)).filter((one) => !ofSearchBox.test(one))).toEqual([])
  await page.keyboard.press('Escape')
  await expect(input).toBeHidden()

  await page.keyboard.press('Control+k')
  await input.fill('xyzzyqwx')
  await expect(page.getByText('No results for')).toBeVisible()
  await input.fill('ollama')
  await expect(page.locator('.result').first()).toContainText('Ollama')
  await input.press('Enter')
  await expect(page).toHaveURL(`${docs}models.html#ollama`)
})

test('the scene on the home page fills a form, asks, and says what it did', async ({ page, docs }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(docs)
  const scene = page.frameLocator('iframe')
  await expect(scene.getByLabel('Name', { exact: true })).toHaveValue('Ada Lovelace')
  await expect(scene.getByLabel('Wishes')).toHaveValue('No shellfish')
  await expect(scene.locator('tool-agent')).toContainText('I have asked for a table')
  await expect(scene.locator('#booked')).toHaveText('Your request is sent.')
  await page.getByRole('button', { name: 'Play again' }).click()
  await expect(scene.locator('#booked')).toHaveText('Your request is sent.')
})

test('a section and a page that moved lead to where they are now', async ({ page, docs }) => {
  const moved = JSON.parse(readFileSync('site/moved.json', 'utf8')) as Record<string, string>
  for (const address of ['api/elements.html', 'api/elements.html#tool-agent-parts', 'tools.html#result-text']) {
    await page.goto(docs + address)
    await expect(page).toHaveURL(docs + (moved[address] ?? address))
    await expect(page.locator(`[id="${moved[address]?.split('#')[1]}"]`)).toBeInViewport()
  }
})

test(
  'the menu of a narrow window opens, closes by Escape and leads to a page',
  { tag: '@long' },
  async ({ page, docs }) => {
    await page.setViewportSize(narrow)
    await page.goto(`${docs}tools.html`)
    await isReady(page)
    const menu = page.getByRole('button', { name: 'Menu', exact: true })
    await menu.click()
    const sidebar = page.locator('.VPSidebar')
    await expect(sidebar).toBeInViewport()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(sidebar).not.toBeInViewport()
    await expect(menu).toBeFocused()
    await menu.press('Enter')
    await sidebar.getByRole('link', { name: 'Sessions', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Sessions/)
  },
)

test('the colour switch is remembered', { tag: '@long' }, async ({ page, docs }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${docs}start.html`)
  await isReady(page)
  await page.getByRole('switch').first().click()
  expect(await isDark(page)).toBe(true)
  await page.goto(`${docs}decisions/index.html`)
  expect(await isDark(page)).toBe(true)
})

test('a button copies the code', { tag: '@long' }, async ({ page, docs, context, browserName }) => {
  test.skip(browserName !== 'chromium', 'only Chromium lets a test read the clipboard')
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${docs}start.html`)
  await isReady(page)
  const block = page.locator('div[class*="language-"]').first()
  await block.hover()
  await block.getByRole('button').click()
  await expect(block.locator('button.copied')).toBeVisible()
  expect((await page.evaluate(() => navigator.clipboard.readText())).trim()).toBe(
    (await block.locator('code').textContent())?.trim(),
  )
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('pages and links work', { tag: '@long' }, async ({ page, docs, browserName }) => {
    test.skip(browserName !== 'chromium', 'Playwright cannot turn scripts off in a Firefox of the system')
    await page.setViewportSize(wide)
    await page.goto(`${docs}tools.html`)
    await page.locator('.VPSidebar').getByRole('link', { name: 'Languages', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Languages/)
    await expect(page.locator('#right-to-left')).toBeAttached()
  })
})
