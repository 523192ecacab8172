// Which part of the page something belongs to: the column of a box, the option of a button, the row of a text that a
// filter finds, the list of a row.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, openMarkup } from '../../../support/page/page-tools-call.js'

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']
const boxes = (texts: readonly string[], tag = 'div'): string =>
  texts.map((text) => `<${tag}>${text}</${tag}>`).join('')
/** The lines of the outline without references. */
async function linesOf(page: Page, input: object = {}): Promise<string[]> {
  const outline = await call<string>(page, 'page_read', input)
  return outline
    .split('\n')
    .slice(1)
    .map((line) => line.replaceAll(/ \[(ref=e|level=)\d+\]/g, ''))
}

const css = `
  .grid { display: grid; grid-template-columns: repeat(5, 1fr); width: 800px }
  .clock { grid-template-columns: 60px repeat(5, 1fr) } .head { font-weight: bold }
  .row, .other { display: flex; width: 800px } .row > *, .other > * { flex: 1 }
  .free { position: relative; width: 800px; height: 200px } .free > div { position: absolute; width: 150px }`
const expected = ['- column "Tuesday"', '  - text: Dentist', '- column "Monday"', '  - text: Gym']
const grids = {
  'the first row of a grid': `<div class="grid">${boxes(days, 'h3')}<div style="grid-column:2">Dentist</div>
    <div style="grid-column:1">Gym</div></div>`,
  'a corner and hours': `<div class="grid clock"><div></div>${days.map((day) => `<div class="head">${day}</div>`).join('')}
    ${boxes(['9:00', '', 'Dentist', '', '', '', '10:00', 'Gym', '', '', '', ''])}</div>`,
  'a row of headers above columns': `<div class="grid head">${boxes(days)}</div><div class="grid">
    <div style="order:2"><p>Dentist</p></div><div style="order:1"><p>Gym</p></div><div style="order:3"></div></div>`,
  'a row of headers in a box of its own': `<div><div class="row">${boxes(days, 'b')}</div></div><div class="free">
    <div style="left:165px;top:5px">Dentist</div><div style="left:5px;top:50px">Gym</div></div>`,
  'rows below each other': `<div class="row head">${boxes(days)}</div>
    <div class="row">${boxes(['', 'Dentist', '', '', ''])}</div><div class="row">${boxes(['Gym', '', '', '', ''])}</div>`,
  'right to left': `<div class="grid" dir="rtl">${boxes(days, 'h3')}<div style="grid-column:2">Dentist</div>
    <div style="grid-column:1">Gym</div></div>`,
}

test('boxes under a row of headers are told with their column', async ({ page, site }) => {
  for (const [name, html] of Object.entries(grids)) {
    await openMarkup(page, site, html, css)
    const lines = (await linesOf(page)).filter(
      (line) => !/(Monday|Friday|day)"?$|:00$/.test(line) || /column/.test(line),
    )
    expect(lines, name).toEqual(expected)
  }
  await openMarkup(
    page,
    site,
    `<div class="grid">${boxes(days, 'h3')}<div style="grid-column:2/5">Trip <button>Cancel</button></div>
     <div style="grid-column:1/6">Holidays</div><div>Gym</div></div>`,
    css,
  )
  expect((await linesOf(page)).slice(5)).toEqual([
    '- column "Tuesday to Thursday"',
    '  - text: Trip',
    '  - button "Cancel"',
    '- text: Holidays',
    '- column "Monday"',
    '  - text: Gym',
  ])
})

test('what only looks like a grid has no columns', async ({ page, site }) => {
  const month = Array.from({ length: 31 }, (_, day) => `<div style="cursor:pointer">${day + 1}</div>`).join('')
  for (const html of [
    `<nav class="row">${['a', 'b', 'c'].map((name) => `<a href="/${name}">${name}</a>`).join('')}</nav>
     <div class="row">${boxes(['Tea', '', 'Milk'])}</div>`,
    `<div class="grid">${boxes(['One', 'Two', 'Three', 'Four', 'Five', 'Six'])}</div>`,
    // Each header has a text below it, in order.
    `<div class="row head">${boxes(['Name', 'City', 'Age'])}</div><div class="row">${boxes(['Ann', 'Bern', '7'])}</div>`,
    `<div class="grid">${boxes(days, 'b')}${month}</div>`,
  ]) {
    await openMarkup(page, site, html, css)
    expect((await linesOf(page)).join('\n')).not.toContain('column')
  }
})

test('controls in options and items of trees are named by them', async ({ page, site }) => {
  const options = ['Bucket List', 'Climb Everest']
  await openMarkup(
    page,
    site,
    `<div role="listbox" aria-label="Goals" tabindex="0">${options
      .map((name) => `<div role="option" aria-selected="false">${name} <button>favorite</button></div>`)
      .join('')}</div>
     <ul role="tree" aria-label="Files"><li role="treeitem" aria-expanded="true" tabindex="-1">Docs <button>more</button>
       <ul role="group"><li role="treeitem" tabindex="-1">Bills <button>more</button></li></ul></li></ul>
     <label>Country <select><option><span aria-hidden="true">🇨🇭</span><span>Switzerland</span><span>CHF</span></option>
       <option>Fr<b>anc</b>e</option></select></label>
     <table role="grid"><tr>${[25, 26, 27].map((day) => `<td role="gridcell" tabindex="-1">${day}</td>`).join('')}</tr>
       <tr>${[2, 3, 27].map((day) => `<td role="gridcell" tabindex="-1">${day}</td>`).join('')}</tr></table>`,
  )
  const lines = (await linesOf(page)).join('\n')
  expect(lines).toContain('  - button "favorite" in "Bucket List"\n  - button "favorite" in "Climb Everest"')
  expect(lines).toMatch(/button "more" in "Docs"\n[^]*button "more" in "Bills"/)
  expect(lines).toContain('options: Switzerland CHF | France]: Switzerland CHF')
  const found = await call<{ matches: { in?: string }[] }>(page, 'dom_query', { role: 'button', name: 'favorite' })
  expect(found.matches.map((match) => match.in)).toEqual(options)
  expect(await call(page, 'page_click', { target: 'button "favorite" in "Climb Everest"' })).not.toHaveProperty('error')
  const cells = await call<{ matches: object[] }>(page, 'dom_query', { role: 'gridcell', text: '27' })
  expect(cells.matches).toHaveLength(2)
  for (const cell of cells.matches) expect(cell).not.toHaveProperty('in')
})

test('a filter of words finds a row with its controls, and a heading with its lines', async ({ page, site }) => {
  const row = (name: string, subject: string, style = ''): string =>
    `<div style="${style}"><p>${name}</p><p>${subject}</p><button aria-label="Archive">A</button></div>`
  await openMarkup(
    page,
    site,
    `<main><h1>Inbox</h1>${row('Ben', 'Invoice 77')}${row('Ann', 'Lunch')}
     <div>${row('Cid', 'Rent', 'cursor:pointer')}${row('Dee', 'Party', 'cursor:pointer')}</div>
     <section><h2>Vaccinations</h2><p>Tetanus</p><p>Flu</p><h2>Others</h2><p>None</p></section></main>`,
  )
  const main = (...lines: string[]): string[] => ['- main', ...lines.map((line) => `  ${line}`)]
  expect(await linesOf(page, { filter: 'Lunch' })).toEqual(
    main('- text: Ann', '- text: Lunch', '- button "Archive" in "Ann"'),
  )
  expect(await linesOf(page, { filter: 'Party' })).toEqual(
    main('- clickable', '  - text: Dee', '  - text: Party', '  - button "Archive" in "Dee"'),
  )
  expect(await linesOf(page, { filter: 'vaccinations' })).toEqual(
    main('- heading "Vaccinations"', '- text: Tetanus', '- text: Flu'),
  )
  // A kind of items is told alone.
  expect(await linesOf(page, { filter: 'headings' })).toEqual(
    main('- heading "Inbox"', '- heading "Vaccinations"', '- heading "Others"'),
  )
})

test('rows whose space holds something else are no long list', async ({ page, site }) => {
  const items = Array.from(
    { length: 4 },
    (_, at) => `<li role="treeitem" aria-expanded="false" tabindex="-1">Item ${at}</li>`,
  )
  const fields = Array.from(
    { length: 13 },
    (_, at) => `<div style="height:50px"><label>Field ${at} <input></label></div>`,
  )
  for (const html of [
    `<div style="padding-top:10px"><nav style="float:left;width:200px"><ul role="tree" class="t">${items.join('')}</ul></nav>
     <section style="margin-left:220px">${'Long text. '.repeat(9000)}</section></div>`,
    `<div style="padding:20px"><form style="margin-top:10px"><div>${fields.join('')}</div>
     <div><canvas height="900" width="200"></canvas></div></form></div>`,
  ]) {
    await openMarkup(page, site, html, 'body { margin: 0 } .t li { height: 170px }')
    expect(await call<string>(page, 'page_read')).not.toMatch(/\(list e\d+/)
  }
})
