// Which text a person sees depends on colours: however they are written, whatever the browser's own background is, and
// whatever lies between the text and the background that styles tell.
import type { Page } from 'playwright/test'
import { expect, test } from '../support/site.js'
import { call, open } from './page-tools-call.js'

async function show(page: Page, site: string, html: string, css = ''): Promise<string> {
  await open(page, `${site}/test/pages/blank.html`)
  await page.evaluate(([html, css]) => {
    document.head.append(Object.assign(document.createElement('style'), { textContent: css }))
    document.body.innerHTML = html
  }, [html, css] as const)
  return call<string>(page, 'page_read')
}
const form = '<h1>Orders</h1><p>Two orders</p><label>Card number <input value="CANARY-4111"></label>'

const dark = ['oklch(0.145 0 0)', 'oklab(0.2 0 0)', 'lab(8 0 0)', 'lch(8 0 0)', 'color(srgb 0.1 0.1 0.1)', 'color(display-p3 0.1 0.1 0.1)', 'color-mix(in srgb, black 90%, white)', 'hsl(0 0% 8%)', 'color(srgb 0 0 0 / 0.9)']
const light = ['oklch(1 0 0)', 'oklab(1 0 0)', 'lab(100 0 0)', 'lch(100 0 0)', 'color(srgb 1 1 1)', 'color(display-p3 1 1 1)', 'color-mix(in oklab, white 99%, white)', 'hsl(0 0% 100%)', 'oklch(0.99 0 0)']

for (const [name, back, text] of [['dark on light', light, dark], ['light on dark', dark, light]] as const) {
  test(`S17 a page whose colours are not written as rgb is read, and its card numbers are private: ${name}`, async ({ page, site }) => {
    for (const [at, color] of text.entries()) {
      const css = `body{background:${back[at % 8]};color:${color}} input{color:inherit}`
      const outline = await show(page, site, form, css)
      expect(outline, css).toContain('heading "Orders"')
      expect(outline, css).toContain('Two orders')
      expect(await call(page, 'form_read'), css).toMatchObject({ fields: [{ label: 'Card number', private: 'card' }] })
      expect(await call(page, 'dom_query', { text: 'Two orders' }), css).toMatchObject({ count: 1 })
    }
  })
}

test('S2 text in the colour of its background is not read, however the two colours are written', async ({ page, site }) => {
  const pairs = [['white', 'white'], ...light.flatMap((color) => [['white', color], [color, 'white']]), ['oklch(1 0 0)', 'lab(100 0 0)'], ['lab(0 0 0)', 'oklch(0 0 0)'], ['rgb(17, 24, 39)', 'oklch(0.21 0.034 264.665)'], ['white', 'oklch(0 0 0 / 0.01)'], ['white', 'color(srgb 0 0 0 / 0)']]
  const outline = await show(page, site, `<h1>Seen</h1>${pairs.map(([back, color], at) => `<div style="background:${back}"><p style="color:${color}">HIDE${at} ${back} ${color}</p></div>`).join('')}`)
  expect(outline).toContain('Seen')
  expect(outline.match(/HIDE.*/g) ?? []).toEqual([])
})

test('S2 where the browser does not tell what a colour is, the text counts as seen', async ({ page, site }) => {
  await page.addInitScript(() => {
    const real = OffscreenCanvasRenderingContext2D.prototype.getImageData
    OffscreenCanvasRenderingContext2D.prototype.getImageData = function (...parts) { const image = real.apply(this, parts); image.data.fill(255); return image }
  })
  expect(await show(page, site, form, 'body{background:white;color:oklch(0.145 0 0)}')).toContain('Two orders')
})

const schemes = [['html{color-scheme:dark}', 'light'], ['html{color-scheme:only dark}', 'light'], ['html{color-scheme:light dark}', 'dark'], ['html{color-scheme:dark light}', 'dark'], ['meta', 'light']] as const
test('S17 a page that leaves its dark background to the browser is read, and its card numbers are private', async ({ page, site }) => {
  for (const [css, colorScheme] of schemes) {
    await page.emulateMedia({ colorScheme })
    await open(page, `${site}/test/pages/blank.html`)
    await page.evaluate(([html, css]) => {
      document.head.append(css === 'meta' ? Object.assign(document.createElement('meta'), { name: 'color-scheme', content: 'dark' }) : Object.assign(document.createElement('style'), { textContent: css }))
      document.body.innerHTML = html
    }, [form, css] as const)
    expect(await call(page, 'page_read'), css).toContain('Two orders')
    expect(await call(page, 'form_read'), css).toMatchObject({ fields: [{ label: 'Card number', private: 'card' }] })
  }
})

test('S17 a frame that leaves its dark background to the browser is read, in a light page and in a dark one', async ({ page, site }) => {
  for (const css of ['', 'html{color-scheme:dark}', 'body{background:#fff;color:#000}', 'html{color-scheme:dark}body{background:#000}']) {
    await open(page, `${site}/test/pages/blank.html`)
    await page.evaluate(async (css) => {
      document.head.append(Object.assign(document.createElement('style'), { textContent: css }))
      for (const scheme of ['light', 'dark']) {
        const frame = document.createElement('iframe')
        const loaded = new Promise((resolve) => { frame.onload = resolve })
        frame.srcdoc = `<style>html{color-scheme:${scheme}}</style><p>Frame ${scheme}</p>`
        document.body.append(frame)
        await loaded
      }
    }, css)
    const outline = await call(page, 'page_read')
    expect(outline, css).toContain('Frame light')
    expect(outline, css).toContain('Frame dark')
  }
})

test('S2 white text on the white of the browser is not read where the scheme is light or the preference is', async ({ page, site }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  for (const css of ['', 'html{color-scheme:light}', 'html{color-scheme:light dark}', 'html{color-scheme:dark light}', 'html{color-scheme:dark}body{background:#fff}']) {
    const outline = await show(page, site, '<h1 style="color:#000">Seen</h1><p style="color:#fff">HIDE</p>', css)
    expect(outline, css).toContain('Seen')
    expect(outline, css).not.toContain('HIDE')
  }
})

test('S17 with forced colours the page is read', async ({ page, site }) => {
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' })
  expect(await show(page, site, form)).toContain('Two orders')
})
