// What tells equal controls apart: the outline, the answers and the errors name the row, card, section or heading around
// a control, and an action takes this whole name back.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, openMarkup } from '../../../support/page/page-tools-call.js'

/** Shows markup; a click on it writes the id of what was clicked into the title. */
async function show(page: Page, site: string, html: string, css = ''): Promise<void> {
  await openMarkup(page, site, html, css)
  await page.evaluate(() => {
    document.addEventListener('click', ({ target }) => {
      document.title = (target as Element).closest('[id]')?.id ?? ''
    })
  })
}
/** The lines of controls, without the numbers of refs. */
async function controls(page: Page): Promise<string[]> {
  const outline = await call<string>(page, 'page_read', { filter: 'interactive' })
  return outline
    .replaceAll(/ \[ref=e\d+\]/g, '')
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
    .filter((line) => /^- (button|link|clickable|tab|option)/.test(line))
}
const click = (page: Page, target: string): Promise<{ clicked?: string; message?: string }> =>
  call(page, 'page_click', { target })

for (const [how, html, lines] of [
  [
    'a title in a box',
    `<div class="box"><div>Blue whale</div><div>Ocean</div><button id="a">Adopt</button></div>
     <div class="box"><div>Red panda</div><div>Forest</div><button id="b">Adopt</button></div>`,
    ['- button "Adopt" in "Blue whale"', '- button "Adopt" in "Red panda"'],
  ],
  [
    'the text of a list item',
    `<ul><li>Milk <button id="a">×</button></li><li>Bread <button id="b">×</button></li></ul>`,
    ['- button "×" in "Milk"', '- button "×" in "Bread"'],
  ],
  [
    'a heading before it',
    `<h2>Monday</h2><p><button id="a">Book</button></p><h2>Tuesday</h2><p><button id="b">Book</button></p>`,
    ['- button "Book" in "Monday"', '- button "Book" in "Tuesday"'],
  ],
  [
    'the name of a part',
    `<nav aria-label="Years"><button id="a">Next</button></nav>
     <div role="group" aria-label="Months"><button id="b">Next</button></div>`,
    ['- button "Next" in "Years"', '- button "Next" in "Months"'],
  ],
  [
    'a link in its row',
    `<div><div><a href="#1">draft.txt</a></div><div>3 KB <button id="a">Share</button></div></div>
     <div><div><a href="#2">final.txt</a></div><div>4 KB <button id="b">Share</button></div></div>`,
    [
      '- link "draft.txt" -> #1',
      '- button "Share" in "draft.txt"',
      '- link "final.txt" -> #2',
      '- button "Share" in "final.txt"',
    ],
  ],
  [
    'a box without a role',
    `<section><p><b>Anna</b> <span tabindex="0" id="a">☎</span></p><p><b>Boris</b> <span tabindex="0" id="b">☎</span></p></section>`,
    ['- clickable "☎" in "Anna"', '- clickable "☎" in "Boris"'],
  ],
] as const)
  test(`tells equal controls apart by ${how}, and clicks them by that name`, async ({ page, site }) => {
    await show(page, site, html)
    expect(await controls(page)).toEqual(lines)
    const [first, second] = lines.filter((line) => line.includes(' in "')).map((line) => line.slice(2))
    expect(await click(page, second!)).toMatchObject({ clicked: second })
    await expect(page).toHaveTitle('b')
    const plain = first!.replace(/^\w+ /, '').replaceAll('"', '')
    expect(await click(page, plain)).toMatchObject({ clicked: first })
    await expect(page).toHaveTitle('a')
  })

test('names the place of a control without a name, also if there is one only', async ({ page, site }) => {
  await show(
    page,
    site,
    '<div><h3>Profile picture</h3><p>None yet</p><button id="a"></button></div>',
    'button { width: 20px; height: 20px }',
  )
  expect(await controls(page)).toEqual(['- button "" in "Profile picture"'])
  expect(await click(page, 'button "" in "Profile picture"')).toMatchObject({
    clicked: 'button "" in "Profile picture"',
  })
  await expect(page).toHaveTitle('a')
})

test('names no place where the name, the address or the row tells enough', async ({ page, site }) => {
  await show(
    page,
    site,
    `<ul><li>One <button>Open</button></li><li>Two <button>Close</button></li></ul>
     <p><a href="/help">Help</a></p><p>Or <a href="/help">Help</a></p>
     <table><tr><th>Who<th>What</tr><tr><td>Ada<td><button>Edit</button></tr><tr><td>Bob<td><button>Edit</button></tr></table>
     <div><button>Add</button><button>Add</button></div>`,
  )
  const outline = await call<string>(page, 'page_read')
  expect(outline).not.toContain(' in "')
  expect(outline).toMatch(/\| Ada \| button "Edit" \[ref=e\d+\]\n/)
  // The row is its place in an answer.
  const ref = /Bob \| button "Edit" \[ref=(e\d+)\]/.exec(outline)?.[1] ?? ''
  expect(await click(page, ref)).toMatchObject({ clicked: 'button "Edit" in "Bob"' })
  expect(await click(page, 'Edit in Ada')).toMatchObject({ clicked: 'button "Edit" in "Ada"' })
})

test('a place is a whole one, and an ambiguous name lists the places', async ({ page, site }) => {
  await show(
    page,
    site,
    `<ul><li><b>Plan Basic</b> <button id="a">Choose</button></li><li><b>Plan Plus</b> <button id="b">Choose</button></li></ul>
     <button id="c">Log in</button>`,
  )
  const places = /button "Choose" in "Plan Basic" \[ref=e\d+\]\n.*button "Choose" in "Plan Plus" \[ref=e\d+\]/
  expect((await click(page, 'Choose')).message).toMatch(places)
  expect((await click(page, 'Choose in Plan')).message).toMatch(/^No clickable element is named/)
  expect((await click(page, 'Choose in Plan')).message).toMatch(places)
  expect((await click(page, 'link "Log in"')).message).toMatch(/^No clickable element is named/)
  expect(await page.title()).not.toMatch(/^[abc]$/)
  // A name may have the word itself.
  expect(await click(page, 'button "Log in"')).toMatchObject({ clicked: 'button "Log in"' })
  await expect(page).toHaveTitle('c')
})

test('a place repeats nothing private, also where it is cut', async ({ page, site }) => {
  const secret = 'CANARY word '.repeat(5).trim()
  await show(
    page,
    site,
    `<label>Password <input type="password" value="${secret}"></label>
     <ul><li><b>${secret}</b> <button>Use</button></li><li><div>It is now ${secret}</div><button>Use</button></li>
     <li>Other <button>Use</button></li></ul>
     <div data-tool-agent-ignore><h2>IGNORED</h2></div><p><button>Use</button></p>`,
  )
  const told = [
    await call<string>(page, 'page_read', { filter: 'interactive' }),
    JSON.stringify(await click(page, 'Use')),
    JSON.stringify(await call(page, 'dom_query', { name: 'Use' })),
    JSON.stringify(await click(page, 'Use in Other')),
  ].join('\n')
  expect(told).toContain('in "Other"')
  expect(told).toContain('in "[private]"')
  expect(told).not.toMatch(/CANARY|IGNORED/)
})

test('dom_query tells equal controls apart as the outline does', async ({ page, site }) => {
  await show(
    page,
    site,
    '<div><div>Kitchen</div><button>Dim</button></div><div><div>Hall</div><button>Dim</button></div>',
  )
  expect(await call(page, 'dom_query', { role: 'button' })).toMatchObject({
    matches: [
      { name: 'Dim', in: 'Kitchen' },
      { name: 'Dim', in: 'Hall' },
    ],
  })
})

for (const [what, html, name] of [
  ['a class of an icon font', '<button><i class="bi bi-pencil-square"></i></button>', 'pencil square'],
  ['a class with a size and a style', '<button><i class="fa-solid fa-lg fa-x"></i></button>', 'x'],
  ['a class of a set of drawings', '<button><svg class="lucide lucide-link"></svg></button>', 'link'],
  ['the class of a control itself', '<a class="codicon codicon-close" tabindex="0"></a>', 'close'],
  ['a symbol', '<button><svg><use href="/sprite.svg#icon-trash"></use></svg></button>', 'trash'],
  ['a title of a drawing', '<button><svg><title>Mute</title></svg></button>', 'Mute'],
  ['an attribute', '<button><svg data-icon="mdi:bell-outline"></svg></button>', 'bell'],
  ['an identifier of a component', '<button><svg data-testid="MoreVertIcon"></svg></button>', 'more vert'],
  ['a ligature', '<button><span class="material-icons" aria-hidden="true">arrow_back</span></button>', 'arrow back'],
  ['a file', '<button><img alt="" src="/icons/print-page.svg"></button>', 'print page'],
  ['a background', '<button><i style="background-image: url(/i/send-mail.svg)"></i></button>', 'send mail'],
] as const)
  test(`names an icon by ${what}`, async ({ page, site }) => {
    await show(page, site, `<p>Text</p>${html}`, 'i, svg, img, a { display: inline-block; width: 16px; height: 16px }')
    const role = html.startsWith('<a') ? 'clickable' : 'button'
    expect(await controls(page)).toEqual([`- ${role} "${name}"`])
    expect(await call(page, 'dom_query', { selector: html.startsWith('<a') ? 'a' : 'button' })).toMatchObject({
      matches: [{ name }],
    })
    expect(await click(page, name)).toMatchObject({ clicked: `${role} "${name}"` })
  })

test('takes no code, size or style for the name of an icon', async ({ page, site }) => {
  await show(
    page,
    site,
    `<button><i class="fa fa-fw fa-2x"></i></button><button><img alt="" src="/a/5f3c9d2e1b.png"></button>
     <button><svg data-icon="svg-24px"></svg></button>`,
    'i, svg, img { display: inline-block; width: 16px; height: 16px }',
  )
  expect(await controls(page)).toEqual(['- button ""', '- button ""', '- button ""'])
})

test('lists the boxes without a role in options and tree items, and rows that expand', async ({ page, site }) => {
  await show(
    page,
    site,
    `<div role="option" id="o"><span>Red</span> <span class="x" title="Remove">×</span></div>
     <div role="option"><span class="x">Blue</span></div>
     <div role="tree" aria-label="Files"><div role="treeitem" aria-expanded="false"><span class="x" id="arrow"><svg class="bi-chevron-right"></svg></span>src</div></div>
     <table role="treegrid" aria-label="Costs"><tr aria-expanded="false"><td role="gridcell">Travel<td role="gridcell">9</tr></table>`,
    '.x { cursor: pointer } svg { width: 9px; height: 9px }',
  )
  const outline = (await call<string>(page, 'page_read')).replaceAll(/ \[ref=e\d+\]/g, ' [ref]')
  expect(outline.split('\n').slice(1).join('\n')).toBe(
    [
      '- option "Red ×" [ref]',
      '  - clickable "Remove" [ref]',
      '- option "Blue" [ref]',
      '- tree "Files" [ref]',
      '  - treeitem "src" [ref] [collapsed]',
      '    - clickable "chevron right" [ref]',
      '- table "Costs" [ref]',
      '  - row [ref] [collapsed] | Travel | 9',
    ].join('\n'),
  )
  await click(page, 'chevron right')
  await expect(page).toHaveTitle('arrow')
})

for (const [what, html, name] of [
  ['a title of the control', '<button title="Rotate"><img alt="icon" src="/a/5f3c9d2e1b.png"></button>', 'Rotate'],
  ['a title of the picture', '<button><img alt="image 3" title="Rotate" src="data:,"></button>', 'Rotate'],
  ['a tooltip', '<button data-tooltip="Rotate"><img alt="IMG_0042.png" src="data:,"></button>', 'Rotate'],
  ['a file', '<button><img alt="icône" src="/icons/rotate.svg"></button>', 'rotate'],
  ['an id', '<button id="rotateLeft" class="rounded-circle border-0 p-2 hover:bg-gray-100"></button>', 'rotate left'],
  ['what the picture says', '<button title="Rotate"><img alt="Turn" src="data:,"></button>', 'Turn'],
  ['a word', '<button title="Rotate">Image</button>', 'Image'],
  ['nothing else', '<button><img alt="icon" src="data:,"></button>', 'icon'],
] as const)
  test(`names a picture whose alternative text may say nothing by ${what}`, async ({ page, site }) => {
    await show(
      page,
      site,
      `<p>Text</p>${html}`,
      'img { width: 16px; height: 16px } button { min-width: 20px; height: 20px }',
    )
    expect(await controls(page)).toEqual([`- button "${name}"`])
    expect(await click(page, name)).toMatchObject({ clicked: `button "${name}"` })
  })

test('names a box by its title if its picture says nothing', async ({ page, site }) => {
  await show(
    page,
    site,
    '<div class="t" title="Ellipse"><img alt="icon" src="data:,"></div><div title="Circle"><img class="t" alt="icon" src="data:,"></div><p><img alt="picture" src="data:,"> Beside</p>',
    'img { width: 16px; height: 16px } .t { cursor: pointer; width: 20px; height: 20px }',
  )
  const outline = await call<string>(page, 'page_read')
  expect(outline).toContain('clickable "Ellipse"')
  expect(outline).toContain('clickable "Circle"')
  expect(outline).not.toMatch(/icon|picture/)
})

test('lists a button that is in a row and in none of its cells', async ({ page, site }) => {
  const row = (name: string, more = '') =>
    `<div role="row" class="row"><span role="gridcell">${name}</span>${more}<span role="gridcell">Oslo</span><i><button>Star</button></i></div>`
  await show(
    page,
    site,
    `<div role="grid" aria-label="Customers">${row('Ann')}${row('Bob', '<div><button>Pin</button></div>')}</div>`,
    '',
  )
  const outline = (await call<string>(page, 'page_read')).replaceAll(/ \[ref=e\d+\]/g, '')
  expect(outline).toContain('- | Ann | Oslo | button "Star"\n')
  expect(outline).toContain('- | Bob | Oslo | button "Pin" button "Star"')
  expect(await click(page, 'Star in Bob')).toMatchObject({ clicked: 'button "Star" in "Bob"' })
})

test('takes a name and a place without their emoji and symbols, and no other word', async ({ page, site }) => {
  await show(
    page,
    site,
    `<button id="a">📄 Invoices 13</button><button id="b">Orders</button>
     <div><div>📁 Photos</div><button id="c">⋯</button></div><div><div>📁 Music</div><button id="d">⋯</button></div>`,
  )
  await click(page, 'Invoices 13')
  await expect(page).toHaveTitle('a')
  await click(page, '⭐ Orders')
  await expect(page).toHaveTitle('b')
  for (const target of ['⋯ in 📁 Music', 'button "⋯" in "Music"']) {
    await page.evaluate(() => {
      document.title = ''
    })
    expect(await click(page, target)).toMatchObject({ clicked: 'button "⋯" in "Music"' })
    await expect(page).toHaveTitle('d')
  }
  expect((await click(page, 'Invoices')).message).toMatch(/^No clickable element is named/)
})

test('says in answers where a control is whose name is a number or a symbol, also if there is one only', async ({
  page,
  site,
}) => {
  await show(
    page,
    site,
    '<div><h3>Maya Brown</h3><p>So it is.</p><button id="a">256</button></div><button id="b">Next</button>',
  )
  expect(await click(page, '256')).toMatchObject({ clicked: 'button "256" in "Maya Brown"' })
  expect(await controls(page)).toEqual(['- button "256"', '- button "Next"'])
})
