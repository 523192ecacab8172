// Arguments of the reading tools that are given together: all of them count, or the call is an error.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, open } from '../../../support/page/page-tools-call.js'

interface Found {
  count: number
  matches: { role: string; name?: string; text?: string; visible: boolean }[]
}
const query = (page: Page, input: object): Promise<Found> => call(page, 'dom_query', input)
const texts = async (page: Page, input: object): Promise<string[]> =>
  (await query(page, input)).matches.map(({ name, text }) => text ?? name ?? '')

async function show(page: Page, site: string, markup: string): Promise<void> {
  await open(page, `${site}/test/pages/session/blank.html`)
  await page.evaluate((html) => {
    document.body.innerHTML = html
  }, markup)
}

const people = `
  <main><table><tr><td>Ann Lee</td><td><button>Delete</button></td></tr>
    <tr class="old"><td>Bob Ray</td><td><button>Delete</button></td></tr>
    <tr class="old"><td>Cy Bobson</td><td><button aria-label="Delete Cy">Delete</button></td></tr></table>
  <div class="card" tabindex="0"><p class="note">Call Bob</p></div><div class="card">Call Ann</div>
  <p class="note" style="display:none">Bob is hidden</p></main>`

test.describe('dom_query with several conditions', () => {
  test('finds the row with the text, not the first row', async ({ page, site }) => {
    await show(page, site, people)
    expect(await texts(page, { role: 'row', text: 'Bob', limit: 1 })).toEqual(['Bob Ray Delete'])
    expect(await query(page, { role: 'row', text: 'Bob' })).toMatchObject({ count: 2 })
    expect(await query(page, { role: 'row', text: 'Nobody' })).toEqual({ count: 0, matches: [] })
  })

  test('a selector does not switch the other conditions off', async ({ page, site }) => {
    await show(page, site, people)
    expect(await texts(page, { selector: 'tr.old', text: 'Bob Ray' })).toEqual(['Bob Ray Delete'])
    expect(await texts(page, { selector: '.card', text: 'Ann' })).toEqual(['Call Ann'])
    expect(await texts(page, { selector: '.old *', role: 'button', name: 'Delete Cy' })).toEqual(['Delete'])
    expect(await query(page, { selector: 'tr', role: 'button' })).toMatchObject({ count: 0 })
    // A hidden element is still found by its selector, but its text is not read.
    expect(await query(page, { selector: '.note', text: 'hidden' })).toMatchObject({ count: 0 })
    expect(await query(page, { selector: '.note[style]' })).toMatchObject({ matches: [{ visible: false }] })
  })

  test('a name and a text must both hold', async ({ page, site }) => {
    await show(
      page,
      site,
      `<section aria-label="Team"><h2>Team</h2><p>Bob</p></section><section aria-label="Team"><h2>Team</h2><p>Ann</p>
       </section><button aria-label="Save">Draft</button><button>Save</button>`,
    )
    expect(await texts(page, { role: 'region', name: 'Team', text: 'Ann' })).toEqual(['Team Ann'])
    expect(await query(page, { name: 'Save', text: 'Draft' })).toMatchObject({ count: 1, matches: [{ text: 'Draft' }] })
  })

  test('the whole name is looked for among what meets the other conditions', async ({ page, site }) => {
    await show(page, site, '<button>Save</button><nav><button>Save all</button></nav>')
    expect(await texts(page, { selector: 'nav button', name: 'Save' })).toEqual(['Save all'])
    expect(await texts(page, { role: 'button', name: 'Save' })).toEqual(['Save'])
  })

  test('a label and a role or selector must both hold', async ({ page, site }) => {
    await show(
      page,
      site,
      `<label>Email <input type="email" class="a"></label><label>Email <input type="checkbox" class="b"></label>
       <fieldset><legend>Size</legend><label><input type="radio" name="s"> S</label>
       <label><input type="radio" name="s"> M</label></fieldset>`,
    )
    expect(await query(page, { label: 'Email', role: 'checkbox' })).toMatchObject({
      count: 1,
      matches: [{ role: 'checkbox' }],
    })
    expect(await query(page, { label: 'Email', selector: '.a' })).toMatchObject({
      count: 1,
      matches: [{ role: 'textbox' }],
    })
    expect(await query(page, { label: 'Email', role: 'button' })).toMatchObject({ count: 0 })
    expect(await query(page, { label: 'Size' })).toMatchObject({ count: 1 })
    expect(await query(page, { label: 'Size', role: 'radio' })).toMatchObject({ count: 2 })
    expect(await query(page, { label: 'Size', role: 'radiogroup' })).toMatchObject({ count: 1 })
  })

  test('of nested matches, the outer one counts only if it has the text elsewhere', async ({ page, site }) => {
    await show(
      page,
      site,
      '<ul><li>Team A<ul><li>Bob</li></ul></li><li>Bobby’s team<ul><li>Little Bob</li></ul></li></ul>',
    )
    expect(await texts(page, { role: 'listitem', text: 'Bob' })).toEqual([
      'Bob',
      'Bobby’s team Little Bob',
      'Little Bob',
    ])
  })

  test('the value of a private field meets no condition', async ({ page, site }) => {
    await show(page, site, '<label>Password <input type="password" value="hunter2"></label><p id="p">hunter2 again</p>')
    expect(await query(page, { selector: 'p', text: 'hunter2' })).toMatchObject({ count: 0 })
    expect(await query(page, { selector: 'input', text: 'hunter2' })).toMatchObject({ count: 0 })
    expect(await query(page, { selector: 'p', text: 'again' })).toMatchObject({ count: 1 })
  })
})

test('page_wait needs all conditions at once', async ({ page, site }) => {
  await show(page, site, '<h1>Ready</h1><button>Go</button><p>Loading</p>')
  const wait = (input: object) => call(page, 'page_wait', { seconds: 0.3, ...input })
  expect(await wait({ text: 'Ready', role: 'button', name: 'Go' })).toMatchObject({ met: true })
  for (const wrong of [{ text: 'Late' }, { gone: 'Loading' }, { role: 'link' }, { name: 'Stop' }, { url: 'elsewhere' }])
    expect(await wait({ text: 'Ready', role: 'button', name: 'Go', ...wrong })).toMatchObject({ met: false })
})

test('page_read refuses a cursor with another scope or filter', async ({ page, site }) => {
  const lines = Array.from({ length: 60 }, (_, index) => `<p>Line ${index} of the page</p>`)
  await show(page, site, `<main>${lines.join('')}</main><nav><a href="#x">Top</a></nav>`)
  const first = await call<string>(page, 'page_read', { scope: 'main', maxChars: 500 })
  const cursor = /cursor "([^"]+)"/.exec(first)?.[1]
  expect(await call(page, 'page_read', { cursor, scope: 'main', maxChars: 500 })).toContain('of the page')
  for (const other of [{ scope: 'navigation' }, { filter: 'links' }])
    expect(await call(page, 'page_read', { cursor, ...other })).toMatchObject({
      error: 'invalid-input',
      message: expect.stringContaining('Omit scope and filter'),
    })
})

test.describe('long tables and lists', () => {
  const rows = (count: number, row: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => row(index)).join('')
  const table = (count: number): string =>
    `<table><caption>Orders</caption><tr><th>Order</th><th>Sum</th></tr>${rows(
      count,
      (index) => `<tr><td>A${index}</td><td><button>Pay ${index}</button></td></tr>`,
    )}</table>`

  test('the first rows are listed, a scope has all, and a filter finds any', async ({ page, site }) => {
    await show(page, site, `<main>${table(60)}<ul>${rows(40, (index) => `<li>Tea ${index}</li>`)}</ul></main>`)
    const whole = await call<string>(page, 'page_read', {})
    // The first of the 61 rows is the header.
    expect(whole).toContain('button "Pay 18"')
    expect(whole).not.toContain('"Pay 19"')
    const [, ref] = /\(list (e\d+): these are the first 20 of 61 rows: page_read with it as scope/.exec(whole) ?? []
    expect(whole).toContain('text: Tea 19')
    expect(whole).not.toContain('Tea 20')
    expect(whole).toContain('the first 20 of 40 rows')
    const scoped = await call<string>(page, 'page_read', { scope: ref })
    expect(scoped).toContain('"Pay 59"')
    expect(scoped).not.toContain('these are the first')
    expect(await call<string>(page, 'page_read', { filter: 'A57' })).toContain('"Pay 57"')
    expect(await call(page, 'page_click', { target: 'Pay 57' })).toMatchObject({ clicked: 'button "Pay 57"' })
  })

  test('30 rows are all listed, and so are the days of a calendar and the choices of a menu', async ({
    page,
    site,
  }) => {
    const days = `<table role=grid aria-label=May>${rows(
      5,
      (week) =>
        `<tr>${rows(7, (day) => `<td><button>${week * 7 + day + 1 > 31 ? '' : week * 7 + day + 1}</button></td>`)}</tr>`,
    )}</table>`
    const menu = `<div role=menu>${rows(50, (index) => `<div role=menuitem>Land ${index}</div>`)}</div>`
    await show(page, site, `<main>${table(29)}${days}${menu}</main>`)
    const whole = await call<string>(page, 'page_read', {})
    expect(whole).toContain('"Pay 28"')
    expect(whole).toContain('Land 49')
    expect(whole).not.toContain('these are the first')
  })

  test('equal lines of text are one', async ({ page, site }) => {
    const cells = '<tr><td>–</td><td>0.00</td></tr>'
    await show(page, site, `<main><table><tr><th>Name</th><th>Sum</th></tr>${cells.repeat(12)}</table></main>`)
    const whole = await call<string>(page, 'page_read', {})
    expect(whole).toContain('- | – | 0.00 (× 11 more like this)')
    expect(whole.match(/0\.00/g)).toHaveLength(1)
    // With buttons, each row is listed.
    await show(
      page,
      site,
      `<main><table><tr><th>Name</th></tr>${'<tr><td>–<button>Open</button></td></tr>'.repeat(12)}</table></main>`,
    )
    expect((await call<string>(page, 'page_read', {})).match(/button "Open"/g)).toHaveLength(12)
  })
})
