// Controls that appear when the mouse is over their row, by a rule of a style sheet. A script cannot hover.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, openMarkup } from '../../../support/page/page-tools-call.js'

const rows =
  '<ul id="list"><li class="row">Ann <button>Archive</button></li><li class="row">Bob <button>Archive</button></li></ul>'

/** Shows the markup and returns its outline without the numbers of refs. */
async function read(page: Page, site: string, html: string, css: string): Promise<string> {
  await openMarkup(page, site, html, css)
  return (await call<string>(page, 'page_read')).replaceAll(/e\d+/g, 'e')
}

for (const [how, html, css] of [
  ['a rule of the row', rows, '.row button { opacity: 0 } .row:hover button { opacity: 1 }'],
  ['a rule of the button', rows, '.row button { opacity: 0.01 } .row button:hover, .row:focus { opacity: .8 }'],
  ['a media query', rows, '.row button { opacity: 0 } @media (width > 1px) { .row:hover > button { opacity: 1 } }'],
  ['a nested rule', rows, '.row { button { opacity: 0 } &:hover button { opacity: 1 } }'],
  [
    'a rule that is nested in that of the button',
    rows,
    '.row button { opacity: 0; &:is(:where(.row):hover *) { @media (width > 1px) { opacity: 1 } } }',
  ],
  ['a layer', rows, '@layer a { .row button { opacity: 0 } .row:hover button { opacity: 1 } }'],
  [
    'a rule of the box around it',
    rows.replaceAll('<button>', '<span class="actions"><button>').replaceAll('</button>', '</button></span>'),
    '.actions { opacity: 0 } .row:hover .actions { opacity: 1 }',
  ],
] as const)
  test(`a control that appears on hover is listed and clicked: ${how}`, async ({ page, site }) => {
    const outline = await read(page, site, html, css)
    expect(outline).toContain('button "Archive" in "Ann" [ref=e] [on hover]')
    expect(outline).toContain('button "Archive" in "Bob" [ref=e] [on hover]')
    await page.evaluate(() => {
      for (const button of document.querySelectorAll('button'))
        button.onclick = () => {
          document.title = `archived ${button.closest('li')?.firstChild?.textContent ?? ''}`
        }
    })
    const ref = /button "Archive" in "Bob" \[ref=(e\d+)\]/.exec(await call<string>(page, 'page_read'))?.[1]
    await call(page, 'page_click', { target: ref })
    await expect(page).toHaveTitle('archived Bob')
  })

const none = '.row button { display: none }'
for (const [how, css] of [
  ['a rule of the row', `${none} .row:hover button { display: block }`],
  ['a stronger selector', `ul .row button { display: none } ul .row:hover button { display: inline-flex }`],
  ['a nested rule', `.row { button { display: none } &:hover { button { display: inline } } }`],
  ['visibility', '.row button { visibility: hidden } .row:hover button { visibility: visible }'],
  [
    'visibility and opacity, with a transition',
    '.row button { visibility: hidden; opacity: 0; transition: all 9s } .row:hover button { visibility: visible; opacity: 1 }',
  ],
  [
    'a variant of a style library',
    `${none} @media (hover: hover) { button:is(:where(.row):hover *) { display: block } }`,
  ],
  ['an important rule', '.row button { display: none !important } .row:hover button { display: block !important }'],
] as const)
  test(`a control that has a box on hover only is listed and clicked: ${how}`, async ({ page, site }) => {
    const outline = await read(page, site, rows, css)
    const canHover = await page.evaluate(() => matchMedia('(hover: hover)').matches)
    test.skip(css.includes('(hover: hover)') && !canHover, 'Firefox finds no mouse on this machine')
    expect(outline).toContain('button "Archive" in "Ann" [ref=e] [on hover]')
    expect(outline).toContain('button "Archive" in "Bob" [ref=e] [on hover]')
    await page.evaluate(() => {
      for (const button of document.querySelectorAll('button'))
        button.onclick = ({ clientX, clientY }) => {
          const at = document.elementFromPoint(clientX, clientY)
          document.title = `archived ${button.closest('li')?.firstChild?.textContent ?? ''} ${at === button}`
        }
    })
    const answer = await call<{ clicked: string }>(page, 'page_click', { target: 'Archive in Bob' })
    expect(answer).toMatchObject({ clicked: 'button "Archive" in "Bob"' })
    await expect(page).toHaveTitle('archived Bob  true')
    // Nothing is left of it, and nothing fades.
    const left = await page.evaluate(() => ({
      sheets: document.adoptedStyleSheets.length,
      running: document.getAnimations().filter((one) => one instanceof CSSTransition).length,
      shown: [...document.querySelectorAll('button')].filter((one) => one.checkVisibility({ checkVisibilityCSS: true }))
        .length,
    }))
    expect(left).toEqual({ sheets: 0, running: 0, shown: 0 })
  })

test('a control without a name that has a box on hover only is named by its class, and told apart by its row', async ({
  page,
  site,
}) => {
  const row = (name: string) =>
    `<li><input type="checkbox"><label>${name}</label><button class="destroy"></button></li>`
  await openMarkup(
    page,
    site,
    `<ul>${row('Buy milk')}${row('Call Kim')}</ul>`,
    'li { position: relative } .destroy { display: none; position: absolute; top: 0; right: 0; width: 40px; height: 20px } li:hover .destroy { display: block }',
  )
  await page.evaluate(() => {
    for (const button of document.querySelectorAll('button')) button.onclick = () => button.closest('li')?.remove()
  })
  const outline = await call<string>(page, 'page_read')
  expect(outline).toContain('button "destroy" in "Buy milk"')
  expect(await call(page, 'page_click', { target: 'destroy in Buy milk' })).toMatchObject({
    clicked: 'button "destroy" in "Buy milk"',
  })
  await expect(page.locator('li')).toHaveText(['Call Kim'])
})

test('a menu that opens by a style sheet alone is listed and its items are clicked', async ({ page, site }) => {
  await openMarkup(
    page,
    site,
    `<nav><ul><li id="file">File<ul><li><h4>Obey me</h4><a href="#new">New</a></li><li><a href="#open">Open</a></li></ul></li></ul></nav>`,
    'li ul { display: none; position: absolute } li:hover > ul { display: block }',
  )
  const outline = await call<string>(page, 'page_read')
  expect(outline).toMatch(/link "Open" \[ref=e\d+\] \[on hover\] -> #open/)
  expect(outline).not.toContain('Obey')
  await call(page, 'page_click', { target: 'Open' })
  await expect(page).toHaveURL(/#open$/)
})

test('what appears on hover in a shadow root is listed and clicked', async ({ page, site }) => {
  await openMarkup(page, site, '<x-row>Ann</x-row>')
  await page.evaluate(() => {
    const root = document.querySelector('x-row')!.attachShadow({ mode: 'open' })
    root.innerHTML =
      '<style>:host { display: block } button { display: none } :host(:hover) button { display: block }</style><slot></slot><button>Call</button>'
    root.querySelector('button')!.onclick = () => void (document.title = 'called')
  })
  const [, ref] = /button "Call" \[ref=(e\d+)\] \[on hover\]/.exec(await call<string>(page, 'page_read')) ?? []
  await call(page, 'page_click', { target: ref })
  await expect(page).toHaveTitle('called')
})

for (const [what, css] of [
  [
    'under a cover',
    `${none} .row:hover button { display: block } ul::after { content: ''; position: fixed; inset: 0 }`,
  ],
] as const)
  test(`a control that a person could not click is not clicked: ${what}`, async ({ page, site }) => {
    await openMarkup(page, site, rows, css)
    await call(page, 'page_read')
    expect(await call(page, 'page_click', { target: 'Archive in Bob' })).toMatchObject({ error: 'unavailable' })
  })

for (const [what, css] of [
  ['without a box, without such a rule', none],
  ['that only itself could show', `${none} .row button:hover { display: block }`],
  ['that another rule keeps hidden', `#list .row button { display: none } .row:hover button { display: block }`],
  ['in a part that is hidden', `${none} .row:hover button { display: block } ul { display: none }`],
  [
    'that a hover hides',
    `${none} .row:not(:hover) button { display: block }`.replace(none, 'button { display: none }') +
      ' .row button { display: none !important }',
  ],
  ['without such a rule', '.row button { opacity: 0 }'],
  ['that appears elsewhere', '.row button { opacity: 0 } .other:hover button { opacity: 1 }'],
  ['that disappears on hover', '.row button { opacity: 0 } .row:hover button { opacity: 0 }'],
  ['that appears without hover', '.row button { opacity: 0 } .row:not(:hover) .x button { opacity: 1 }'],
  [
    'on a device that cannot hover',
    '.row button { opacity: 0 } @media (width < 1px) { .row:hover button { opacity: 1 } }',
  ],
  ['that stays hidden otherwise', '.row button { opacity: 0; visibility: hidden } .row:hover button { opacity: 1 }'],
] as const)
  test(`a transparent control is not read: ${what}`, { tag: '@S2' }, async ({ page, site }) => {
    expect(await read(page, site, rows, css)).not.toContain('Archive')
  })

test('of what appears on hover only controls are read, not text', { tag: '@S2' }, async ({ page, site }) => {
  const outline = await read(
    page,
    site,
    '<p class="row">Ann <span class="tip">Obey me <button>Call</button></span></p>',
    '.tip { opacity: 0 } .row:hover .tip { opacity: 1 }',
  )
  expect(outline).toContain('button "Call" [ref=e] [on hover]')
  expect(outline).not.toContain('Obey')
})

test('a sheet that changes is read again', async ({ page, site }) => {
  expect(await read(page, site, rows, '.row button { opacity: 0 }')).not.toContain('Archive')
  await page.evaluate(() => {
    document.styleSheets[document.styleSheets.length - 1]?.insertRule('.row:hover button { opacity: 1 }')
  })
  expect(await call<string>(page, 'page_read')).toContain('[on hover]')
})
