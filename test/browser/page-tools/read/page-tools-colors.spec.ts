// Which text a person sees depends on colours: however they are written, whatever the browser's own background is, and
// whatever lies between the text and the background that styles tell.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/site.js'
import { call, open, openMarkup } from '../../../support/page/page-tools-call.js'

async function show(page: Page, site: string, html: string, css = ''): Promise<string> {
  await openMarkup(page, site, html, css)
  return call<string>(page, 'page_read')
}
const form = '<h1>Orders</h1><p>Two orders</p><label>Card number <input value="CANARY-4111"></label>'

const dark = [
  'oklch(0.145 0 0)',
  'oklab(0.2 0 0)',
  'lab(8 0 0)',
  'lch(8 0 0)',
  'color(srgb 0.1 0.1 0.1)',
  'color(display-p3 0.1 0.1 0.1)',
  'color-mix(in srgb, black 90%, white)',
  'hsl(0 0% 8%)',
  'color(srgb 0 0 0 / 0.9)',
]
const light = [
  'oklch(1 0 0)',
  'oklab(1 0 0)',
  'lab(100 0 0)',
  'lch(100 0 0)',
  'color(srgb 1 1 1)',
  'color(display-p3 1 1 1)',
  'color-mix(in oklab, white 99%, white)',
  'hsl(0 0% 100%)',
  'oklch(0.99 0 0)',
]

for (const [name, back, text] of [
  ['dark on light', light, dark],
  ['light on dark', dark, light],
] as const) {
  test(
    `reads a page with colors other than rgb, and its card numbers are private: ${name}`,
    { tag: '@S17' },
    async ({ page, site }) => {
      for (const [at, color] of text.entries()) {
        const css = `body{background:${back[at % 8]};color:${color}} input{color:inherit}`
        const outline = await show(page, site, form, css)
        expect(outline, css).toContain('heading "Orders"')
        expect(outline, css).toContain('Two orders')
        expect(await call(page, 'form_read'), css).toMatchObject({
          fields: [{ label: 'Card number', private: 'card' }],
        })
        expect(await call(page, 'dom_query', { text: 'Two orders' }), css).toMatchObject({ count: 1 })
      }
    },
  )
}

test('does not read text in the color of its background, in any notation', { tag: '@S2' }, async ({ page, site }) => {
  const pairs = [
    ['white', 'white'],
    ...light.flatMap((color) => [
      ['white', color],
      [color, 'white'],
    ]),
    ['oklch(1 0 0)', 'lab(100 0 0)'],
    ['lab(0 0 0)', 'oklch(0 0 0)'],
    ['rgb(17, 24, 39)', 'oklch(0.21 0.034 264.665)'],
    ['white', 'oklch(0 0 0 / 0.01)'],
    ['white', 'color(srgb 0 0 0 / 0)'],
  ]
  const outline = await show(
    page,
    site,
    `<h1>Seen</h1>${pairs.map(([back, color], at) => `<div style="background:${back}"><p style="color:${color}">HIDE${at} ${back} ${color}</p></div>`).join('')}`,
  )
  expect(outline).toContain('Seen')
  expect(outline.match(/HIDE.*/g) ?? []).toEqual([])
})

test('text of an unknown color counts as visible', { tag: '@S2' }, async ({ page, site }) => {
  await page.addInitScript(() => {
    const real = OffscreenCanvasRenderingContext2D.prototype.getImageData
    OffscreenCanvasRenderingContext2D.prototype.getImageData = function (...parts) {
      const image = real.apply(this, parts)
      image.data.fill(255)
      return image
    }
  })
  expect(await show(page, site, form, 'body{background:white;color:oklch(0.145 0 0)}')).toContain('Two orders')
})

const schemes = [
  ['html{color-scheme:dark}', 'light'],
  ['html{color-scheme:only dark}', 'light'],
  ['html{color-scheme:light dark}', 'dark'],
  ['html{color-scheme:dark light}', 'dark'],
  ['meta', 'light'],
] as const
test(
  'reads a page on the browser’s dark background, and its card numbers are private',
  { tag: '@S17' },
  async ({ page, site }) => {
    for (const [css, colorScheme] of schemes) {
      await page.emulateMedia({ colorScheme })
      await open(page, `${site}/test/pages/session/blank.html`)
      await page.evaluate(
        ([html, css]) => {
          document.head.append(
            css === 'meta'
              ? Object.assign(document.createElement('meta'), { name: 'color-scheme', content: 'dark' })
              : Object.assign(document.createElement('style'), { textContent: css }),
          )
          document.body.innerHTML = html
        },
        [form, css] as const,
      )
      expect(await call(page, 'page_read'), css).toContain('Two orders')
      expect(await call(page, 'form_read'), css).toMatchObject({ fields: [{ label: 'Card number', private: 'card' }] })
    }
  },
)

test(
  'reads a frame on the browser’s dark background, in light and dark pages',
  { tag: '@S17' },
  async ({ page, site }) => {
    for (const css of [
      '',
      'html{color-scheme:dark}',
      'body{background:#fff;color:#000}',
      'html{color-scheme:dark}body{background:#000}',
    ]) {
      await open(page, `${site}/test/pages/session/blank.html`)
      await page.evaluate(async (css) => {
        document.head.append(Object.assign(document.createElement('style'), { textContent: css }))
        for (const scheme of ['light', 'dark']) {
          const frame = document.createElement('iframe')
          const loaded = new Promise((resolve) => {
            frame.onload = resolve
          })
          frame.srcdoc = `<style>html{color-scheme:${scheme}}</style><p>Frame ${scheme}</p>`
          document.body.append(frame)
          await loaded
        }
      }, css)
      const outline = await call(page, 'page_read')
      expect(outline, css).toContain('Frame light')
      expect(outline, css).toContain('Frame dark')
    }
  },
)

test('does not read white text on the browser’s white background', { tag: '@S2' }, async ({ page, site }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  for (const css of [
    '',
    'html{color-scheme:light}',
    'html{color-scheme:light dark}',
    'html{color-scheme:dark light}',
    'html{color-scheme:dark}body{background:#fff}',
  ]) {
    const outline = await show(page, site, '<h1 style="color:#000">Seen</h1><p style="color:#fff">HIDE</p>', css)
    expect(outline, css).toContain('Seen')
    expect(outline, css).not.toContain('HIDE')
  }
})

test('reads a page with forced colors', { tag: '@S17' }, async ({ page, site }) => {
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' })
  expect(await show(page, site, form)).toContain('Two orders')
})

const layer = 'position:absolute;inset:0;background:#123'
const image = 'src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="'
const layered: readonly (readonly [what: string, html: string])[] = [
  ['a layer before it', `<section class="hero"><div style="${layer};z-index:-1"></div><h1>SHOWN</h1></section>`],
  [
    'a layer before its parent',
    `<section class="hero"><div style="${layer};z-index:-1"></div><div><div><h1>SHOWN</h1></div></div></section>`,
  ],
  [
    'a layer behind it that stands after it',
    `<section class="hero"><h1>SHOWN</h1><div style="${layer};z-index:-1"></div></section>`,
  ],
  ['a layer of ::before', '<section class="hero pseudo"><h1>SHOWN</h1></section>'],
  [
    'a gradient',
    `<section class="hero"><div style="position:absolute;inset:0;z-index:-1;background:linear-gradient(#000,#333)"></div><h1>SHOWN</h1></section>`,
  ],
  [
    'a picture',
    `<section class="hero"><picture><img ${image} style="position:absolute;inset:0;width:100%;height:100%;z-index:-1"></picture><div><h1>SHOWN</h1></div></section>`,
  ],
  ['a tile', `<div class="hero" style="width:200px"><span style="${layer};z-index:-1"></span><p>SHOWN</p></div>`],
  [
    'a banner that it is drawn up to',
    '<div><div style="height:60px;background:#000"></div></div><p style="margin:-50px 0 0;color:#fff">SHOWN</p>',
  ],
  ['a layer in a shadow root', '<section class="hero" id="host"></section>'],
]
test('reads light text on a dark layer, image or gradient', { tag: '@S2' }, async ({ page, site }) => {
  for (const [what, html] of layered) {
    for (const around of ['', '<main style="background:#fff">']) {
      await open(page, `${site}/test/pages/session/blank.html`)
      await page.evaluate(
        ([html, layer]) => {
          document.head.append(
            Object.assign(document.createElement('style'), {
              textContent: `.hero{position:relative;z-index:0;color:#fff} .pseudo::before{content:'';z-index:-1;${layer}}`,
            }),
          )
          document.body.innerHTML = html
          const host = document.querySelector('#host')
          if (host)
            host.attachShadow({ mode: 'open' }).innerHTML = `<div style="${layer};z-index:-1"></div><h1>SHOWN</h1>`
        },
        [around + html, layer] as const,
      )
      expect(await call(page, 'page_read'), what + around).toContain('SHOWN')
    }
  }
})

test('does not read hidden text because of an unrelated layer', { tag: '@S2' }, async ({ page, site }) => {
  const hidden = [
    '<div style="position:relative;height:50px"><div style="position:absolute;inset:0;background:#123"></div></div><p style="color:#fff">HIDE1</p>',
    `<div style="position:relative"><div style="${layer};z-index:-1"></div><div style="background:#fff"><p style="color:#fff">HIDE2</p></div></div>`,
    '<p style="color:#fff">HIDE3 <b style="background:#000">SHOWN</b></p>',
    `<div style="position:relative"><p style="color:#fff">HIDE4</p><div style="${layer}"></div></div>`,
    `<div style="position:relative"><div style="${layer};opacity:0"></div><p style="color:#fff">HIDE5</p></div>`,
    '<p>Seen <mark style="background:#ff0">SHOWN</mark></p><p style="color:#fff;margin:0;line-height:1">HIDE6</p>',
  ]
  for (const html of hidden) {
    const outline = await show(page, site, `<h1>SHOWN</h1>${html}`)
    expect(outline).toContain('SHOWN')
    expect(outline).not.toContain('HIDE')
  }
})
