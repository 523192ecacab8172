// Pages whose controls have no role: boxes with a pointer cursor, icons without a text, dropdowns and calendars that a
// script draws.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, open, openMarkup } from '../../../support/page/page-tools-call.js'

/** Shows the markup and returns the outline, without its first line. */
async function read(page: Page, site: string, html: string, css = ''): Promise<string> {
  await openMarkup(page, site, html, css)
  return outlineOf(page)
}
const outlineOf = async (page: Page): Promise<string> =>
  (await call<string>(page, 'page_read')).split('\n').slice(1).join('\n')
/** The outline without the numbers of its refs, which depend on earlier tests. */
const plain = (outline: string): string => outline.replaceAll(/e\d+/g, 'e')

test.describe('boxes without a role', () => {
  test('lists the outermost box with a pointer cursor, and not what inherits its cursor', async ({ page, site }) => {
    const outline = await read(
      page,
      site,
      `<h1>Mail</h1><div class="go"><span>Send <b>mail</b></span></div>
       <ul class="go"><li>Inbox</li><li>Drafts</li></ul>
       <button class="go"><span>Real</span></button><label class="go">Name <input></label><p>Not this</p>`,
      '.go { cursor: pointer }',
    )
    expect(plain(outline)).toBe(
      [
        '- heading "Mail" [level=1]',
        '- clickable "Send mail" [ref=e]',
        '- clickable "Inbox" [ref=e]',
        '- clickable "Drafts" [ref=e]',
        '- button "Real" [ref=e]',
        '- textbox "Name" [ref=e]',
        '- text: Not this',
      ].join('\n'),
    )
  })

  test('lists boxes with an inline listener or a tab stop, and links without a target', async ({ page, site }) => {
    const outline = await read(
      page,
      site,
      `<div onclick="document.title='x'">Listener</div><div tabindex="0">Stop</div><a class="btn">Save</a>
       <a name="top">Anchor</a><div tabindex="-1">Focus only</div><div role="region" tabindex="0">Scrolls</div>`,
    )
    expect(plain(outline)).toBe(
      [
        '- clickable "Listener" [ref=e]',
        '- clickable "Stop" [ref=e]',
        '- clickable "Save" [ref=e]',
        '- text: Anchor',
        '- text: Focus only',
        '- text: Scrolls',
      ].join('\n'),
    )
  })

  test('a pointer cursor of the whole page lists nothing', async ({ page, site }) => {
    const outline = await read(page, site, '<p>One</p><div><p>Two</p></div>', 'body { cursor: pointer }')
    expect(outline).toBe('- text: One\n- text: Two')
  })

  test('a box with controls or headings inside keeps them, below a line of its own', async ({ page, site }) => {
    const outline = await read(
      page,
      site,
      `<div class="go">Folder A<button>Rename</button></div><div class="go"><a href="/x">Only a link</a></div>
       <div class="go"><h2>Card</h2><p>About it</p></div>
       <div class="go"><input type="checkbox" id="c"> <label for="c">Agree</label></div>
       <ul><li class="go"><span>Fruit</span><ul><li>Apple</li><li>Pear</li></ul></li></ul>`,
      '.go { cursor: pointer }',
    )
    expect(plain(outline)).toBe(
      [
        '- clickable "Folder A" [ref=e]',
        '  - button "Rename" [ref=e]',
        '- link "Only a link" [ref=e] -> /x',
        '- clickable [ref=e]',
        '  - heading "Card" [level=2]',
        '  - text: About it',
        '- checkbox "Agree" [ref=e]',
        '- clickable "Fruit" [ref=e]',
        '  - clickable "Apple" [ref=e]',
        '  - clickable "Pear" [ref=e]',
      ].join('\n'),
    )
  })

  test('lists the clickable icons and words of a clickable row below it', async ({ page, site }) => {
    const outline = await read(
      page,
      site,
      `<div class="row"><span class="icon" title="Not starred">☆</span><span>Lina</span><span>Minutes</span>
         <i class="icon fa fa-archive"></i><i class="icon fa fa-trash"></i></div>
       <div class="row"><b>Bill</b> <span><i class="unpaid"></i></span> <span style="cursor: pointer">Pay now</span>
         <span class="row-button">Later</span> <span title="Copy the number">⧉</span></div>`,
      `.row, .icon { cursor: pointer } .row { display: flex; gap: 4px }
       i { display: inline-block; width: 16px; height: 16px }`,
    )
    expect(plain(outline)).toBe(
      [
        '- clickable "Lina Minutes" [ref=e]',
        '  - clickable "Not starred" [ref=e]',
        '  - clickable "archive" [ref=e]',
        '  - clickable "trash" [ref=e]',
        '- clickable "Bill" [ref=e]',
        '  - clickable "Pay now" [ref=e]',
        '  - clickable "Later" [ref=e]',
        '  - clickable "Copy the number" [ref=e]',
      ].join('\n'),
    )
    const ref = /"trash" \[ref=(e\d+)\]/.exec(outline)?.[1] ?? ''
    await page.evaluate(() => {
      addEventListener('click', ({ target }) => void (document.title = (target as Element).className))
    })
    expect(await call(page, 'page_click', { target: ref })).toMatchObject({ clicked: 'clickable "trash"' })
    expect(await page.title()).toBe('icon fa fa-trash')
  })

  test('does not list a decoration of a clickable box, or a part with all of its text', async ({ page, site }) => {
    const outline = await read(
      page,
      site,
      `<div class="go"><i class="fa fa-home"></i> Home</div><div class="go"><span class="go">Send</span></div>
       <div class="go"><span title="The whole subject">The whole sub</span> <b>Today</b></div>
       <div class="all"><i>Some</i> words</div><div class="go"><i class="go fa fa-pencil"></i></div>
       <button class="go"><span class="go">Save</span> it</button>`,
      '.go, .all, .all * { cursor: pointer } .fa { display: inline-block; width: 16px; height: 16px }',
    )
    expect(plain(outline)).toBe(
      ['Home', 'Send', 'The whole sub Today', 'Some words', 'pencil']
        .map((name) => `- clickable "${name}" [ref=e]`)
        .concat('- button "Save it" [ref=e]')
        .join('\n'),
    )
  })

  test('names icons by title, ARIA, alternative text, and at last by the words of their class', async ({
    page,
    site,
  }) => {
    const outline = await read(
      page,
      site,
      `<i class="go fa fa-lg fa-trash"></i><i class="go" title="Star it"></i><span class="go" aria-label="Like"></span>
       <span class="go"><img alt="Print" width="9" height="9"></span>
       <i class="go x7f9 sc-bdvvtL icon-pencil" aria-hidden="true"></i>
       <div class="go layer" style="width:900px;height:500px"></div>`,
      '.go { cursor: pointer; display: inline-block; width: 20px; height: 20px }',
    )
    expect(plain(outline)).toBe(
      ['trash', 'Star it', 'Like', 'Print', 'pencil', 'layer']
        .map((name) => `- clickable "${name}" [ref=e]`)
        .join('\n'),
    )
  })

  test('lists clickable rows and cells of tables', async ({ page, site }) => {
    const outline = await read(
      page,
      site,
      `<table><tr><th class="go">Name</th><th>Age</th></tr><tr class="go"><td>Ada</td><td>36</td></tr>
       <tr><td class="go">Bob</td><td>41</td></tr></table>`,
      '.go { cursor: pointer }',
    )
    expect(plain(outline)).toBe(
      [
        '- table "" [ref=e]',
        '  - header: clickable "Name" [ref=e] | Age',
        '  - row [ref=e] [clickable] | Ada | 36',
        '  - | clickable "Bob" [ref=e] | 41',
      ].join('\n'),
    )
  })

  test('the lines do not name what is private, hidden or ignored', async ({ page, site }) => {
    await read(
      page,
      site,
      `<label>Password <input type="password" value="CANARY-word-1"></label>
       <i class="go CANARY-word-1"></i><i class="go" title="CANARY-word-1"></i><div class="go">CANARY-word-1</div>
       <div class="go"><img data-tool-agent-ignore alt="IGNORED" width="9" height="9"><b data-tool-agent-ignore>IGNORED</b></div>
       <section data-tool-agent-ignore><div class="go">IGNORED</div><i class="go" title="IGNORED"></i></section>
       <div class="go"><span style="display:none" title="HIDDEN">HIDDEN</span><img hidden alt="HIDDEN"></div>
       <div class="go" style="visibility:hidden" title="HIDDEN">HIDDEN</div>
       <div contenteditable="true"><i class="go" title="TYPED">TYPED</i></div>`,
      '.go { cursor: pointer; display: inline-block; min-width: 20px; height: 20px }',
    )
    const told = [await outlineOf(page)]
    for (const input of [{ target: 'CANARY-word-1' }, { target: 'IGNORED' }, { target: 'HIDDEN' }, { target: 'mail' }])
      told.push(JSON.stringify(await call(page, 'page_click', input)).replaceAll(input.target, ''))
    for (const text of ['CANARY-word-1', 'IGNORED', 'HIDDEN', 'mail'])
      told.push(
        JSON.stringify(await call(page, 'dom_query', { text })),
        JSON.stringify(await call(page, 'dom_query', { name: text })),
      )
    expect(told.join('\n')).toContain('[private]')
    expect(told.join('\n')).not.toMatch(/CANARY-word-1|IGNORED|HIDDEN/)
    expect(told[0]).not.toContain('clickable "TYPED"')
  })
})

test.describe('controls that scripts draw', () => {
  test('lists controls inside a tab, and a submenu below its entry', async ({ page, site }) => {
    const outline = await read(
      page,
      site,
      `<div role="tablist" aria-label="Files"><div role="tab" aria-selected="true">a.txt <button aria-label="Close a.txt">x</button></div></div>
       <ul role="menubar" aria-label="Bar"><li role="none"><a role="menuitem" aria-haspopup="true" href="#f">File</a>
         <ul role="menu"><li role="none"><a role="menuitem" href="#n">New</a></li></ul></li></ul>
       <ul role="tree" aria-label="Tree"><li role="treeitem" aria-expanded="true">Root<ul role="group"><li role="treeitem">Leaf</li></ul></li></ul>`,
    )
    expect(plain(outline)).toBe(
      [
        '- tablist "Files" [ref=e]',
        '  - tab "a.txt x" [ref=e] [selected]',
        '    - button "Close a.txt" [ref=e]',
        '- menubar "Bar" [ref=e]',
        '  - menuitem "File" [ref=e] [opens menu] -> #f',
        '    - menuitem "New" [ref=e] -> #n',
        '- tree "Tree" [ref=e]',
        '  - treeitem "Root" [ref=e] [expanded]',
        '    - treeitem "Leaf" [ref=e]',
      ].join('\n'),
    )
  })

  test('a link in a menu item with the same name is not listed twice', async ({ page, site }) => {
    const outline = await read(
      page,
      site,
      '<ul role="menu" aria-label="M"><li role="menuitem"><a href="/a">A</a></li></ul>',
    )
    expect(plain(outline)).toBe('- menu "M" [ref=e]\n  - menuitem "A" [ref=e]')
  })

  test('lists a dropdown that is drawn over a hidden select', async ({ page, site }) => {
    const outline = await read(
      page,
      site,
      `<div class="wrapper"><div class="hide"><select><option>Slow</option><option selected>Medium</option></select></div>
       <div class="drawn"><span class="label">Medium</span></div><div class="items"><ul><li>Slow</li><li>Medium</li></ul></div></div>`,
      `.wrapper { cursor: pointer; position: relative } .items { display: none }
       .hide { position: relative; overflow: hidden; width: 0; height: 0 } .drawn { border: 1px solid; overflow: hidden }`,
    )
    expect(plain(outline)).toBe('- clickable "Medium" [ref=e] [opens list]')
    await page.addStyleTag({ content: '.items { display: block !important }' })
    expect(plain(await outlineOf(page))).toContain('  - clickable "Slow" [ref=e]\n  - clickable "Medium" [ref=e]')
  })

  test('the value of a widget is no part of its label, closed or open', async ({ page, site }) => {
    await open(page, `${site}/test/pages/session/blank.html`)
    const draw = (isOpen: boolean): Promise<void> =>
      page.evaluate(
        (labelledBy) => {
          document.body.innerHTML = `<label for="pick">Size <span id="pick" role="combobox" tabindex="0"
          aria-owns="list" ${labelledBy}>small</span></label>
          <ul id="list" role="listbox"><li id="o" role="option">small</li><li role="option">large</li></ul>
          <button id="headlessui-listbox-button-:r3:" aria-haspopup="listbox">Blue</button>`
        },
        isOpen ? 'aria-expanded="true" aria-labelledby="o"' : 'aria-expanded="false"',
      )
    for (const isOpen of [false, true]) {
      await draw(isOpen)
      const outline = await call<string>(page, 'page_read')
      expect(outline).toContain('combobox "Size"')
      expect(outline).not.toContain('headlessui')
    }
    expect(await call(page, 'page_click', { target: 'Size' })).toMatchObject({ clicked: 'combobox "Size"' })
  })

  test('aria-disabled of a container disables its controls', async ({ page, site }) => {
    const outline = await read(
      page,
      site,
      '<div role="toolbar" aria-disabled="true"><button>Bold</button></div><button>Italic</button>',
    )
    expect(outline).toMatch(/button "Bold" \[ref=e\d+\] \[disabled\]/)
    expect(outline).toMatch(/button "Italic" \[ref=e\d+\]$/)
    expect(await call(page, 'page_click', { target: 'Bold' })).toMatchObject({
      error: 'unavailable',
      message: expect.stringContaining('disabled'),
    })
  })

  test('tells the buttons of a toolbar without names apart by their classes and symbols', async ({ page, site }) => {
    const outline = await read(
      page,
      site,
      `<div><button class="ql-bold"><svg width="9" height="9"></svg></button><button class="ql-italic"></button>
       <button class="tool"><svg width="9" height="9"><use href="#icon-undo"></use></svg></button>
       <button class="tool"><svg width="9" height="9"><title>Redo</title></svg></button></div>`,
    )
    expect(plain(outline)).toBe(
      ['bold', 'italic', 'undo', 'Redo'].map((name) => `- button "${name}" [ref=e]`).join('\n'),
    )
    expect(await call(page, 'page_click', { target: 'bold' })).toMatchObject({ clicked: expect.any(String) })
  })

  test('names a drawing by its own title or its class, not by a part of it', async ({ page, site }) => {
    const drawing = (title: string, inner: string): string =>
      `<div class="workarea" style="cursor:crosshair" onmousedown="1"><svg width="80" height="80">${title}<g>${inner}<rect width="9" height="9"/></g></svg></div>`
    const outline = await read(page, site, drawing('', '<title>Layer 1</title>'))
    expect(outline).toContain('"workarea"')
    expect(outline).not.toContain('Layer 1')
    expect(await read(page, site, drawing('<title>Plan</title>', '<title>Layer 1</title>'))).toContain('"Plan"')
  })

  const weeks = (day: (number: number) => string): string =>
    [1, 8, 15, 22, 29]
      .map(
        (first) =>
          `<tr>${[0, 1, 2, 3, 4, 5, 6].map((more) => (first + more > 31 ? '<td></td>' : day(first + more))).join('')}</tr>`,
      )
      .join('')
  const head = '<tr><th>Mo</th><th>Tu</th><th>We</th><th>Th</th><th>Fr</th><th>Sa</th><th>Su</th></tr>'

  test('prints a calendar of links in a table on one line', async ({ page, site }) => {
    const outline = await read(
      page,
      site,
      `<table>${head}${weeks((day) => (day === 2 ? '<td>2</td>' : `<td${day === 4 ? ' aria-selected="true"' : ''}><a href="#"${day === 3 ? ' aria-current="date"' : ''}>${day}</a></td>`))}</table>`,
    )
    expect(outline).toMatch(
      /^- table "" \[ref=e\d+\]\n {2}- header: Mo \| .*\n {2}- days \(number=ref\): 1=e\d+ 2 3=e\d+ \[current\] 4=e\d+ \[selected\] 5=e\d+ .* 7=e\d+ \/ 8=e\d+ .* 31=e\d+$/,
    )
    expect(outline.length).toBeLessThan(420)
    const ref = / 17=(e\d+)/.exec(outline)?.[1] ?? ''
    expect(await call(page, 'page_click', { target: ref })).toMatchObject({ clicked: 'link "17"' })
  })

  test('prints a calendar of boxes on one line, and a table of numbers as it is', async ({ page, site }) => {
    const boxes = Array.from({ length: 30 }, (_, index) => `<span class="go">${index + 1}</span>`).join('')
    const outline = await read(
      page,
      site,
      `<h2>May</h2><div>${boxes}</div>`,
      '.go { cursor: pointer; display: inline-block }',
    )
    expect(outline).toMatch(/^- heading "May" \[level=2\]\n- days \(number=ref\): 1=e\d+ .* 30=e\d+$/)
    const table = await read(
      page,
      site,
      `<table>${head}${weeks((day) => `<td>${day === 9 ? '9 Party' : day}</td>`)}</table>`,
    )
    expect(table).toContain('- | 8 | 9 Party | 10')
  })
})

test.describe('page_click by text', () => {
  const html = `<div id="area"><div>Submit</div><button>Submit later</button><span>No</span><span>no</span></div>`

  test('clicks the element that has exactly this text, before a name that only contains it', async ({ page, site }) => {
    await read(page, site, html)
    await page.evaluate(() => {
      const area = document.querySelector('#area') as HTMLElement
      area.addEventListener('click', ({ target }) => {
        document.title = `Clicked ${(target as Element).textContent ?? ''}`
      })
    })
    expect(await call(page, 'page_click', { target: 'Submit' })).toMatchObject({ clicked: 'div "Submit"' })
    expect(await page.title()).toBe('Clicked Submit')
    await call(page, 'page_click', { target: 'no' })
    expect(await page.title()).toBe('Clicked no')
    expect(await call(page, 'page_click', { target: 'later' })).toMatchObject({
      error: 'invalid-input',
      message: expect.stringMatching(/Near names:\n- \w+ "Submit later" \[ref=e\d+\]/),
    })
  })

  test('clicks the control that the text is all of', async ({ page, site }) => {
    await read(page, site, '<a class="btn"><b>Now</b> or never</a><p>Other</p>', '.btn { cursor: pointer }')
    expect(await call(page, 'page_click', { target: 'Now or never' })).toMatchObject({
      clicked: 'clickable "Now or never"',
    })
    expect(await call(page, 'page_click', { target: 'Now' })).toMatchObject({
      error: 'invalid-input',
      message: expect.stringContaining('Near names:\n- clickable "Now or never" [ref='),
    })
  })

  test('tells symbols apart, and exact case from loose matches', async ({ page, site }) => {
    await read(
      page,
      site,
      `<button>×</button><button>+</button><button>-</button><button>→</button><button aria-label=""><svg></svg></button>
       <button>No</button><button>no</button>`,
    )
    for (const target of ['×', '+', '-', '→', 'No', 'no'])
      expect(await call(page, 'page_click', { target })).toMatchObject({ clicked: `button "${target}"` })
    expect(await call(page, 'page_click', { target: 'NO' })).toMatchObject({
      message: expect.stringContaining('matches 2 elements'),
    })
  })

  test('an unknown name reports what is there, texts included, and which tool finds more', async ({ page, site }) => {
    await read(
      page,
      site,
      '<p>Send the order</p><button>Cancel</button><div class="go">Back</div>',
      '.go { cursor: pointer }',
    )
    const { message } = await call<{ message: string }>(page, 'page_click', { target: 'Send it' })
    expect(message).toMatch(/^No clickable element is named "Send it"\./)
    expect(message).toMatch(/p "Send the order" \[ref=e\d+\]/)
    expect(message).toMatch(/button "Cancel" \[ref=e\d+\]/)
    expect(message).toMatch(/clickable "Back" \[ref=e\d+\]/)
    expect(message).toContain('dom_query')
  })
})
