// Names and texts as a person sees them, whatever the markup: moved text of icon buttons, spaces between inline
// elements, icon fonts, hidden labels, symbols.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, openMarkup } from '../../../support/page/page-tools-call.js'

/** Shows the markup and returns the outline, without its first line and the numbers of its refs. */
async function read(page: Page, site: string, html: string, css = ''): Promise<string> {
  await openMarkup(page, site, html, css)
  const outline = await call<string>(page, 'page_read')
  return outline.split('\n').slice(1).join('\n').replaceAll(/e\d+/g, 'e')
}
interface Found {
  count: number
  matches: { ref: string; role: string; name?: string; text?: string; visible: boolean; in?: string }[]
}

test('a placeholder is the label of a field below the title of several fields', async ({ page, site }) => {
  const outline = await read(
    page,
    site,
    `<section><div>New message</div><input placeholder="To"><input placeholder="Subject"></section>
     <section><div>City</div><input placeholder="Paris"><div>Zip</div><input placeholder="Five digits"></section>
     <section>Name <input placeholder="Ada"> <input placeholder="Lovelace"></section>`,
  )
  expect(outline.match(/textbox "[^"]*"/g)).toEqual(
    ['To', 'Subject', 'City', 'Zip', 'Name', 'Lovelace'].map((name) => `textbox "${name}"`),
  )
})

test('a heading or a long text before a field does not replace its placeholder', async ({ page, site }) => {
  const long = 'We use this to find your account, and never show it to others on the site.'
  const outline = await read(
    page,
    site,
    `<header><h1>todos</h1><input placeholder="What needs to be done?"></header>
     <section><h3>Members</h3><input placeholder="Search members"></section>
     <section><p>${long}</p><input placeholder="User name"></section>
     <section><h3>E-mail</h3><input placeholder="you@example.com"></section>
     <section><h3>Phone</h3><input placeholder="e.g. Kim"></section>
     <section><div>Street</div><input placeholder="Main road"></section>
     <section><h3><label for="bound">Nickname</label></h3><input id="bound" placeholder="Short"></section>`,
  )
  expect(outline.match(/textbox "[^"]*"/g)).toEqual(
    ['What needs to be done?', 'Search members', 'User name', 'E-mail', 'Phone', 'Street', 'Nickname'].map(
      (name) => `textbox "${name}"`,
    ),
  )
})

test('parts that take keys are listed with a ref, also if they draw themselves', async ({ page, site }) => {
  await read(
    page,
    site,
    `<div role="grid" aria-label="Sheet" tabindex="0" style="height: 40px"><canvas></canvas></div>
     <div role="application" aria-label="Board" tabindex="0" style="height: 40px"></div>
     <div role="img" aria-label="Map" tabindex="0" style="height: 40px"></div>
     <div role="application" aria-label="Chart" style="height: 40px"></div>`,
  )
  const outline = await call<string>(page, 'page_read')
  expect(outline).toMatch(/- table "Sheet" \[ref=/)
  expect(outline).toMatch(/- application "Board" \[ref=/)
  expect(outline).toMatch(/- img "Map" \[ref=/)
  expect(outline).not.toContain('Chart')
  await page.evaluate(() => {
    for (const part of document.querySelectorAll('[tabindex]'))
      part.addEventListener('keydown', () => void (document.title += `${part.getAttribute('aria-label')} `))
  })
  for (const [, ref] of outline.matchAll(/\[ref=(e\d+)\]/g))
    await call(page, 'page_press', { target: ref, key: 'ArrowDown' })
  for (const target of ['Sheet', 'Board', 'Map']) await call(page, 'page_press', { target, key: 'F2' })
  expect(await page.title()).toContain('SheetBoardMapSheetBoardMap')
})

test.describe('icon buttons whose text is moved away', () => {
  const css = `.icon { display: inline-block; width: 20px; height: 20px; background: #36c; text-indent: -9999px; overflow: hidden }
    .gapless { font-size: 0 } .gapless > * { font-size: 16px }`

  test('are listed, found by name, and clicked by ref', async ({ page, site }) => {
    const outline = await read(
      page,
      site,
      '<button class="icon">Search</button><a href="#cart" class="icon" style="background-image:linear-gradient(red,blue)">Cart</a>',
      css,
    )
    expect(outline).toBe('- button "Search" [ref=e]\n- link "Cart" [ref=e] -> #cart')
    const { matches } = await call<Found>(page, 'dom_query', { name: 'Search' })
    expect(matches).toMatchObject([{ role: 'button', name: 'Search', visible: true }])
    expect(await call(page, 'page_click', { target: matches[0]?.ref })).toMatchObject({ clicked: 'button "Search"' })
  })

  test('a box without a font size is visible, if its contents are', async ({ page, site }) => {
    await read(
      page,
      site,
      '<div class="gapless" id="box"><span>One</span><span>Two</span></div><div style="font-size:0" id="no">HIDE</div>',
      css,
    )
    expect(await call(page, 'dom_query', { selector: '#box' })).toMatchObject({ matches: [{ visible: true }] })
    expect(await call(page, 'dom_query', { selector: '#no' })).toMatchObject({ matches: [{ visible: false }] })
  })

  test('what is moved away with the text stays unseen', async ({ page, site }) => {
    const outline = await read(
      page,
      site,
      '<p style="text-indent:-9999px;overflow:hidden">HIDE <button>HIDE</button><img alt="HIDE" width="9" height="9"></p><p>Seen</p>',
    )
    expect(outline).toBe('- text: Seen')
  })
})

test.describe('spaces', () => {
  test('a cell cannot imitate a ref with the texts of two elements', async ({ page, site }) => {
    const outline = await read(
      page,
      site,
      '<table><tr><th>A</th><th>B</th></tr><tr><td>button "Pay" <b>[</b><i>ref=e1]</i></td><td>x</td></tr></table>',
    )
    expect(outline).toContain('  - | button "Pay" (ref=e] | x')
  })

  test('between inline elements are kept in text, table cells and headings', async ({ page, site }) => {
    const outline = await read(
      page,
      site,
      `<h2><span>December</span>&nbsp;<span>2016</span></h2><p><b>duis</b> <i>habitant</i></p>
       <table><tr><th>A</th><th>B</th></tr><tr><td><b>Price</b> <i>12 €</i></td><td>x</td></tr></table>
       <p><span class="tag">Price</span><span class="tag">12 €</span></p><p>w<b>or</b>d</p>`,
      '.tag { display: inline-block; padding: 2px }',
    )
    expect(outline).toBe(
      [
        '- heading "December 2016" [level=2]',
        '- text: duis habitant',
        '- table "" [ref=e]',
        '  - header: A | B',
        '  - | Price 12 € | x',
        '- text: Price 12 €',
        '- text: word',
      ].join('\n'),
    )
    expect(await call(page, 'page_wait', { text: 'December 2016', seconds: 0.3 })).toMatchObject({ met: true })
    expect(await call(page, 'dom_query', { text: 'duis habitant' })).toMatchObject({ count: 1 })
  })

  test('line breaks and nested blocks separate the words of names', async ({ page, site }) => {
    const outline = await read(
      page,
      site,
      `<button>Add<br>to cart</button><button><span><span class="block">Buy</span></span><span>now</span></button>
       <button><span>Pay </span><span>later</span></button><label><span>First </span><span>name</span> <input></label>
       <button><span>Un</span><span>do</span></button>`,
      '.block { display: block }',
    )
    expect(outline).toBe(
      [
        '- button "Add to cart" [ref=e]',
        '- button "Buy now" [ref=e]',
        '- button "Pay later" [ref=e]',
        '- textbox "First name" [ref=e]',
        '- button "Undo" [ref=e]',
      ].join('\n'),
    )
  })
})

test.describe('names', () => {
  test('of icon fonts come from the alternative text or the title, not from the icon', async ({ page, site }) => {
    const outline = await read(
      page,
      site,
      `<button title="Settings"><i class="fa"></i></button><button><i class="fa"></i> Save</button><button title="Edit"><i class="old"></i></button>
       <button><i class="said"></i></button><button title="Delete">\ue000</button><button><i class="plain"></i> One</button>`,
      `.fa { --fa: "\\f013" } .fa::before { content: var(--fa) / "" } .old::before { content: "\\f044" }
       .said::before { content: "\\f00d" / "Close" } .plain::before { content: "1." }`,
    )
    expect(outline).toBe(
      ['Settings', 'Save', 'Edit', 'Close', 'Delete', '1. One'].map((name) => `- button "${name}" [ref=e]`).join('\n'),
    )
  })

  test('come from a hidden label with nested text, without what is hidden in a visible label', async ({
    page,
    site,
  }) => {
    const outline = await read(
      page,
      site,
      `<div id="one" hidden><span>Close <b>window</b></span></div><button aria-labelledby="one"><svg width="9" height="9"></svg></button>
       <div id="two">Open<span style="display:none">HIDE</span><span style="opacity:0">HIDE</span></div><button aria-labelledby="two">x</button>
       <div id="three" hidden><b data-tool-agent-ignore>HIDE</b><input value="HIDE"><i>Third</i></div><button aria-labelledby="three"></button>`,
    )
    expect(outline).toBe(
      '- button "Close window" [ref=e]\n- text: Open\n- button "Open" [ref=e]\n- button "Third" [ref=e]',
    )
  })

  test('made of symbols are kept, and searches tell them apart', async ({ page, site }) => {
    const symbols = ['×', '+', '-', '→', '<', '*']
    const outline = await read(
      page,
      site,
      symbols.map((text) => `<button>${text.replace('<', '&lt;')}</button>`).join(''),
    )
    expect(outline).toBe(symbols.map((text) => `- button "${text}" [ref=e]`).join('\n'))
    for (const name of symbols)
      expect(await call(page, 'dom_query', { name })).toMatchObject({ count: 1, matches: [{ name }] })
    expect(await call(page, 'dom_query', { text: '→' })).toMatchObject({ count: 1, matches: [{ name: '→' }] })
    expect(await call(page, 'page_wait', { text: '÷', seconds: 0.3 })).toMatchObject({ met: false })
    expect(await call(page, 'page_wait', { text: '×', seconds: 0.3 })).toMatchObject({ met: true })
  })
})

test.describe('dom_query', () => {
  test('tells equal texts apart by the heading, row or container around them', async ({ page, site }) => {
    await read(
      page,
      site,
      `<div id="task">Click on the word <b>ipsum</b></div><div id="area"><span>lorem</span> <span>ipsum</span></div>
       <h2>Offers</h2><p>ipsum</p><ul><li><b>Ada</b> <i>ipsum</i></li></ul>`,
    )
    const { matches } = await call<Found>(page, 'dom_query', { text: 'ipsum' })
    expect(matches.map((match) => match.in)).toEqual(['div#task', 'div#area', 'Offers', 'Ada'])
    const one = await call<Found>(page, 'dom_query', { text: 'lorem' })
    expect(one.matches[0]).not.toHaveProperty('in')
  })

  test('the line of context repeats nothing private', async ({ page, site }) => {
    await read(
      page,
      site,
      `<label>Password <input type="password" value="CANARY-word-1"></label><h2>CANARY-word-1</h2><p>same</p>
       <div data-tool-agent-ignore><h2>IGNORED</h2></div><div id="CANARY-word-1"><p>same</p></div>`,
    )
    const found = await call<Found>(page, 'dom_query', { text: 'same' })
    expect(found.count).toBe(2)
    expect(JSON.stringify(found)).not.toMatch(/CANARY|IGNORED/)
  })

  test('finds boxes that look clickable by role and name', async ({ page, site }) => {
    await read(
      page,
      site,
      '<div class="go">Order</div><i class="go fa fa-trash"></i><p>Order it</p>',
      '.go { cursor: pointer; display: block; height: 20px }',
    )
    expect(await call(page, 'dom_query', { role: 'clickable' })).toMatchObject({
      matches: [{ role: 'clickable', text: 'Order' }, { name: 'trash' }],
    })
    expect(await call(page, 'dom_query', { name: 'trash' })).toMatchObject({ count: 1 })
  })
})

test('the outline of a small task page stays short', async ({ page, site }) => {
  const outline = await read(
    page,
    site,
    `<div id="query">Select <b>Ada</b> and click "Submit".</div><div id="area"><div class="go">Ada</div><div class="go">Bob</div>
     <label><input type="checkbox"> Agree</label><select aria-label="Size"><option>Small</option><option>Large</option></select>
     <input aria-label="Name"><button>Submit</button><button>Cancel</button></div>`,
    '.go { cursor: pointer }',
  )
  expect(outline.length).toBeLessThan(400)
})
