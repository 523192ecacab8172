// Controls that appear when the mouse is over their row, by a rule of a style sheet. A script cannot hover.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, openMarkup } from '../../../support/page/page-tools-call.js'

const rows =
  '<ul><li class="row">Ann <button>Archive</button></li><li class="row">Bob <button>Archive</button></li></ul>'

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

for (const [what, css] of [
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
