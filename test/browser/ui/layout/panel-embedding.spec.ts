// The panel and its launcher in pages whose styles, dialogs and layers could harm them, and which must stay unchanged.
import type { Page } from 'playwright/test'
import { corpusFiles, missingCorpus } from '../../../support/lab/corpora.js'
import { expect, test, type PanelPage } from '../../../support/page/panel.js'

const harmful = `
  text-shadow: 2px 2px red; -webkit-text-fill-color: lime; -webkit-text-stroke: 1px blue; cursor: help;
  visibility: hidden; text-wrap: nowrap; hyphens: auto; word-break: break-all; font-variant: small-caps;
  text-transform: uppercase; letter-spacing: 4px; list-style: square; caret-color: red; pointer-events: none;
  user-select: none; line-height: 4; white-space: pre; text-align: right; color: red; font-size: 40px;
  writing-mode: vertical-rl; tab-size: 20; quotes: none; text-indent: 3em`

/** Every computed property of parts that a user sees, except the colour scheme, which the page chooses. */
const looks = (panel: PanelPage, selectors: readonly string[]) =>
  panel.element.evaluate(
    (element, names) =>
      names.map((name) => {
        const part = element.shadowRoot?.querySelector(name)
        if (!part) throw new Error(`no ${name}`)
        return Object.fromEntries(
          [...getComputedStyle(part)]
            .filter((property) => !property.startsWith('--') && property !== 'color-scheme')
            .map((property) => [property, getComputedStyle(part).getPropertyValue(property)]),
        )
      }),
    selectors,
  )

async function openFloating(panel: PanelPage): Promise<void> {
  await panel.page.evaluate(() => {
    window.element.layout = 'floating'
    window.element.open = true
  })
  const section = panel.element.locator('section.panel')
  await expect(section).toBeVisible()
  await expect(section.locator('.grip')).toBeAttached()
  await section.evaluate((one) => Promise.all(one.getAnimations().map((animation) => animation.finished)))
}

const addStyle = (page: Page, css: string) =>
  page.evaluate((text) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    document.adoptedStyleSheets.push(sheet)
  }, css)

const parts = ['.panel', 'header h2', '.greeting', 'textarea', 'button.send', 'header button'] as const

for (const [what, css] of [
  ['inherited styles', `body { ${harmful} }`],
  ['inherited styles of its own element', `tool-agent { ${harmful} !important }`],
  ['a reset of everything', '* { all: unset !important }'],
] as const) {
  test(`${what} of the page do not reach the launcher or the panel`, async ({ panel, page }) => {
    await page.evaluate(() => {
      window.element.layout = 'floating'
    })
    await expect(panel.element.locator('.launcher')).toBeVisible()
    const launcher = await looks(panel, ['.launcher', '.launcher svg'])
    await addStyle(page, css)
    expect(await looks(panel, ['.launcher', '.launcher svg'])).toEqual(launcher)
    await page.evaluate(() => {
      document.adoptedStyleSheets = []
    })
    await openFloating(panel)
    const before = await looks(panel, parts)
    await addStyle(page, css)
    expect(await looks(panel, parts)).toEqual(before)
  })
}

test('an inline panel keeps its look, too, but is hidden with the part of the page that it is in', async ({
  panel,
  page,
}) => {
  const before = await looks(panel, ['header h2', 'textarea', 'button.send'])
  await addStyle(page, `main, body { ${harmful.replace('visibility: hidden;', '')} } tool-agent { width: 600px }`)
  const after = await looks(panel, ['header h2', 'textarea', 'button.send'])
  for (const [index, look] of after.entries()) {
    const { width: _width, ...rest } = look
    for (const name of ['text-shadow', 'cursor', 'pointer-events', 'font-size', 'color', 'letter-spacing'])
      expect(rest[name], name).toBe(before[index]?.[name])
  }
  await addStyle(page, 'body { visibility: hidden }')
  await expect(panel.element.locator('section.panel')).toBeHidden()
})

test('the launcher stays in its corner, above the page and clickable', async ({ panel, page }) => {
  await page.evaluate(() => {
    window.element.layout = 'floating'
    const bar = document.createElement('div')
    Object.assign(bar.style, { position: 'fixed', inset: '0', zIndex: '2147483647', background: 'yellow' })
    document.body.append(bar)
    document.body.style.cssText = 'height: 3000px; contain: paint; overflow: clip; pointer-events: none'
    document.documentElement.style.cssText = 'transform: translateY(-100px); content-visibility: auto; z-index: -1'
    scrollTo(0, 500)
  })
  const launcher = panel.element.locator('.launcher')
  const { width, height } = page.viewportSize()!
  const corner = () =>
    launcher.evaluate(
      (one, size) => {
        const { right, bottom } = one.getBoundingClientRect()
        return [size.width - right, size.height - bottom].every((gap) => gap >= 15 && gap <= 40)
      },
      { width, height },
    )
  expect(await corner()).toBe(true)
  await page.evaluate(() => {
    document.querySelector('main')!.append(window.element)
  })
  expect(await corner()).toBe(true)
  await launcher.click()
  await expect(panel.field).toBeFocused()
})

test('a modal dialog of a component library leaves the panel usable', async ({ panel, page }) => {
  await openFloating(panel)
  // As Radix does it: no pointer events on the body, other children hidden from screen readers, a focus trap.
  await page.evaluate(() => {
    document.body.style.pointerEvents = 'none'
    const dialog = document.createElement('div')
    dialog.setAttribute('role', 'dialog')
    dialog.tabIndex = -1
    dialog.style.cssText = 'position: fixed; inset: 20% 60% 20% 10%; pointer-events: auto; background: white'
    dialog.innerHTML = '<button>Inside</button>'
    for (const one of document.body.children) one.setAttribute('aria-hidden', 'true')
    document.body.append(dialog)
  })
  await panel.field.click()
  await page.keyboard.type('Hello')
  await expect(panel.field).toHaveValue('Hello')
  await panel.element.getByRole('button', { name: 'Send', includeHidden: true }).click()
  expect(await panel.asked('send')).toHaveLength(1)
})

const uglyPages = ['1337x_signup.html', 'hindustantimes', 'vkplay']
/** Large pages with many styles of their own, for the long run. */
const largePages = ['www_microfocus_com_signup', 'google_store_checkout', 'apple_signup', 'opticsplanet_checkout']
test.describe('pages of others', () => {
  const files = [...uglyPages, ...largePages].flatMap(
    (name) => corpusFiles('forms', '.html').find((file) => file.name.includes(name)) ?? [],
  )
  test.skip(files.length === 0, missingCorpus('forms', uglyPages.length + largePages.length))

  for (const { name, read } of files) {
    const tag = largePages.some((large) => name.includes(large)) ? '@long' : []
    test(`${name} keeps its places and styles, and the panel its look`, { tag }, async ({ panel, page }) => {
      await openFloating(panel)
      const look = await looks(panel, parts)
      await page.evaluate(() => {
        window.element.open = false
      })
      // Without scripts, and without requests: only its markup and styles.
      await page.route('**/*', (route) => route.abort())
      await page.evaluate((html) => {
        const other = new DOMParser().parseFromString(html, 'text/html')
        for (const script of other.querySelectorAll('script, iframe, link, img, meta')) script.remove()
        const { element } = window
        document.head.append(...other.head.childNodes)
        document.body.replaceWith(other.body)
        element.remove()
        element.layout = 'floating'
      }, read())
      const state = () =>
        page.evaluate(() => {
          const { scrollWidth, scrollHeight } = document.documentElement
          const all = [...document.querySelectorAll('body, body *:not(tool-agent)')].map((one) => {
            const { x, y, width, height } = one.getBoundingClientRect()
            const { color, font, display, margin, cursor } = getComputedStyle(one)
            return [x, y, width, height, color, font, display, margin, cursor].join(' ')
          })
          return [scrollWidth, scrollHeight, ...all]
        })
      const before = await state()
      expect(before.length).toBeGreaterThan(10)
      await page.evaluate(() => {
        document.body.append(window.element)
      })
      await expect(panel.element.locator('.launcher')).toBeVisible()
      expect(await state()).toEqual(before)
      await panel.element.locator('.launcher').click()
      await expect(panel.field).toBeVisible()
      expect(await state()).toEqual(before)
      await panel.field.blur()
      await panel.element
        .locator('section.panel')
        .evaluate((one) => Promise.all(one.getAnimations().map((animation) => animation.finished)))
      const { length } = look
      for (const [index, after] of (await looks(panel, parts)).entries()) {
        expect(index).toBeLessThan(length)
        for (const property of ['font-size', 'color', 'background-color', 'cursor', 'text-shadow', 'border-radius'])
          expect(after[property], property).toBe(look[index]?.[property])
      }
    })
  }
})
