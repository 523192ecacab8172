// What counts as a change beside the text of the page: the focus, the active item, values, states, formatting, and what
// live regions say. An action that did nothing says so.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, open } from '../../../support/page/page-tools-call.js'

interface Effect {
  changed: boolean
  changes: string
  default?: string
  error?: string
}
const press = (page: Page, target: string, key: string): Promise<Effect> => call(page, 'page_press', { target, key })
const click = (page: Page, target: string): Promise<Effect> => call(page, 'page_click', { target })
const wordsFor = (page: Page, tool: string, output: Effect): Promise<string> =>
  page.evaluate(
    ({ tool, output }) => {
      const { pageTools } = window as unknown as { pageTools: Map<string, { toModelOutput(result: object): string }> }
      return pageTools.get(tool)?.toModelOutput({ output }) ?? ''
    },
    { tool, output },
  )
/** Shows the markup and runs the script in it, which has `$(id)`. */
const show = (page: Page, html: string, script = ''): Promise<void> =>
  page.evaluate(
    ({ html, script }) => {
      const main = document.getElementById('main') as HTMLElement
      main.innerHTML = html
      const code = document.createElement('script')
      code.textContent = `{ const $ = (id) => document.getElementById(id); ${script} }`
      main.append(code)
    },
    { html, script },
  )

test.beforeEach(async ({ page, site }) => {
  await open(page, `${site}/test/pages/page-tools/act-focus.html`)
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
})

const composites: readonly (readonly [string, string, string, string])[] = [
  ['menu', 'menuitem', 'ArrowDown', 'tabindex="-1"'],
  ['tablist', 'tab', 'ArrowRight', 'tabindex="-1"'],
  ['tree', 'treeitem', 'ArrowDown', 'tabindex="-1"'],
  ['toolbar', 'button', 'ArrowRight', 'tabindex="-1"'],
  ['grid', 'gridcell', 'ArrowRight', 'tabindex="-1"'],
]
for (const [role, item, key, tab] of composites)
  test(`a key that moves the focus in a ${role} is no failure`, async ({ page }) => {
    const items = ['One', 'Two'].map((name) => `<div role="${item}" ${tab} aria-label="${name}">${name}</div>`).join('')
    await show(
      page,
      `<div role="${role}" id="list" aria-label="List">${role === 'grid' ? `<div role="row">${items}</div>` : items}</div>`,
      `$('list').onkeydown = (event) => { event.preventDefault(); $('list').querySelectorAll('[tabindex]')[1].focus() }
       $('list').querySelector('[tabindex]').focus()`,
    )
    const answer = await call<Effect>(page, 'page_press', { key })
    expect(answer.changed).toBe(true)
    expect(await wordsFor(page, 'page_press', answer)).toMatch(
      new RegExp(`^Pressed ${key} on ${item} "One"\\.\\nfocus: ${item} "Two" \\[ref=e\\d+\\]$`),
    )
  })

test('the active item of a widget that keeps the focus is told', async ({ page }) => {
  await show(
    page,
    `<input role="combobox" id="box" aria-label="Fruit" aria-controls="list" aria-expanded="true">
     <ul role="listbox" id="list" aria-label="Fruits"><li role="option" id="o1">Apple</li><li role="option" id="o2">Pear</li></ul>`,
    `$('box').onkeydown = () => $('box').setAttribute('aria-activedescendant', $('box').getAttribute('aria-activedescendant') === 'o1' ? 'o2' : 'o1')`,
  )
  expect((await press(page, 'Fruit', 'ArrowDown')).changes).toMatch(
    /^active: option "Apple" \[ref=e\d+\]\nfocus: combobox/,
  )
  const next = await press(page, 'Fruit', 'ArrowDown')
  expect(next.changed).toBe(true)
  expect(next.changes).toMatch(/^active: option "Pear" \[ref=e\d+\]\nfocus: combobox "Fruit" \[ref=e\d+\]$/)
})

for (const [what, html, script, told] of [
  [
    'a progress bar by ARIA',
    '<div role="progressbar" id="bar" aria-label="Upload" aria-valuenow="40">&nbsp;</div>',
    "$('bar').ariaValueNow = '80'",
    /progressbar "Upload" \[ref=e\d+\]: 80 \(was 40\)/,
  ],
  [
    'a native progress bar',
    '<progress id="bar" aria-label="Upload" value="4" max="10"></progress>',
    "$('bar').value = 8",
    /progressbar "Upload" \[ref=e\d+\]: 8 of 10 \(was 4 of 10\)/,
  ],
  [
    'a meter',
    '<meter id="bar" aria-label="Disk" value="4" max="10"></meter>',
    "$('bar').value = 8",
    /meter "Disk" \[ref=e\d+\]: 8 of 10 \(was 4 of 10\)/,
  ],
  [
    'a scroll bar with words',
    '<div role="scrollbar" id="bar" aria-label="Line" aria-valuenow="1" aria-valuetext="first">&nbsp;</div>',
    "$('bar').ariaValueText = 'second'",
    /scrollbar "Line" \[ref=e\d+\]: second \(was first\)/,
  ],
  [
    'a selected row',
    '<table><tr id="bar" aria-selected="false"><td>Ann</td><td>1</td></tr><tr><td>Bob</td><td>2</td></tr></table>',
    "$('bar').ariaSelected = 'true'",
    /row .*\[selected\]/,
  ],
  [
    'a sorted column',
    '<table><tr><th id="bar" aria-sort="ascending">Name</th></tr></table>',
    "$('bar').ariaSort = 'descending'",
    /columnheader "Name" \[ref=e\d+\]: \[sort: descending\] \(was \[sort: ascending\]\)/,
  ],
  [
    'a hidden live region',
    '<p role="status" id="bar" class="heard"></p>',
    "$('bar').textContent = 'Saved'",
    /^announced: Saved$/m,
  ],
  [
    'a hidden live region that says the same again',
    '<p aria-live="polite" id="bar" class="heard">Saved</p>',
    "$('bar').textContent = 'Saved'",
    /^announced again: Saved$/m,
  ],
  [
    'a hidden live region whose text is on the page, too',
    '<p>Saved items</p><output id="bar" class="heard"></output>',
    "$('bar').textContent = 'Saved'; setTimeout(() => ($('bar').textContent = ''), 50)",
    /^announced: Saved$/m,
  ],
  [
    'an underlined text',
    '<div contenteditable role="textbox" aria-label="Letter" id="bar">At in <span id="part">eget</span></div>',
    "$('part').outerHTML = '<u>eget</u>'",
    /formatting of textbox "Letter" \[ref=e\d+\]: underline/,
  ],
  [
    'a larger text',
    '<div contenteditable role="textbox" aria-label="Letter" id="bar" style="font-size:16px">At in eget</div>',
    "$('bar').style.fontSize = '18px'",
    /formatting of textbox "Letter" \[ref=e\d+\]: size 18px/,
  ],
  [
    'a text that is no longer bold',
    '<div contenteditable role="textbox" aria-label="Letter" id="bar"><b id="part">At</b> in</div>',
    "$('part').outerHTML = 'At'",
    /formatting of textbox "Letter" \[ref=e\d+\]: no longer bold/,
  ],
  [
    'a text area in bold',
    '<textarea aria-label="Letter" id="bar">At in</textarea>',
    "$('bar').style.fontWeight = 'bold'",
    /formatting of textbox "Letter" \[ref=e\d+\]: bold/,
  ],
] as const)
  test(`a click that changes ${what} is no failure`, async ({ page }) => {
    await show(page, `<button id="do">Do it</button>${html}`, `$('do').onclick = () => { ${script} }`)
    const answer = await click(page, 'Do it')
    expect(answer.changed).toBe(true)
    expect(answer.changes).toMatch(told)
    expect(await wordsFor(page, 'page_click', answer)).toMatch(/^Clicked button "Do it"\.\n/)
  })

test('a splitter that a key moves tells its value, and not that the key has no default', async ({ page }) => {
  await show(
    page,
    '<div role="separator" tabindex="0" id="bar" aria-label="Sidebar" aria-valuenow="200">&nbsp;</div>',
    "$('bar').onkeydown = () => $('bar').setAttribute('aria-valuenow', '210')",
  )
  const found = JSON.stringify(await call(page, 'dom_query', { selector: '#bar' }))
  const answer = await press(page, /"ref":"(e\d+)"/.exec(found)?.[1] ?? '', 'ArrowRight')
  expect(await wordsFor(page, 'page_press', answer)).toMatch(
    /^Pressed ArrowRight on separator "Sidebar"\.\nseparator "Sidebar" \[ref=e\d+\]: 210 \(was 200\)\nfocus: separator "Sidebar"/,
  )
})

test('a live region in a shadow root is heard', async ({ page }) => {
  await show(
    page,
    '<button id="do">Do it</button><div id="host"></div>',
    `const root = $('host').attachShadow({ mode: 'open' })
     root.innerHTML = '<style>p { position: absolute; width: 1px; height: 1px; overflow: hidden }</style><p role="status"></p>'
     $('do').onclick = () => { root.querySelector('p').textContent = 'Copied' }`,
  )
  expect((await click(page, 'Do it')).changes).toMatch(/^announced: Copied$/m)
})

test.describe('an action that did nothing', () => {
  for (const [what, html, script] of [
    ['a dead button', '', ''],
    [
      'a dead button beside bars, states and an editor',
      '<progress value="1" max="2"></progress><table><tr aria-selected="true"><td>Ann</td></tr></table><div contenteditable role="textbox" aria-label="Letter"><b>At</b></div><p role="status" class="heard">Ready</p>',
      '',
    ],
    [
      'a live region that is hidden from everybody',
      '<p role="status" id="bar" hidden></p>',
      "$('bar').textContent = 'Saved'",
    ],
    [
      'a live region that is rendered anew',
      '<div id="bar"><p role="status" class="heard">Ready</p></div>',
      "$('bar').innerHTML = $('bar').innerHTML",
    ],
    [
      'a value that is set as it was',
      '<div role="progressbar" id="bar" aria-label="Up" aria-valuenow="4">&nbsp;</div>',
      "$('bar').setAttribute('aria-valuenow', '4')",
    ],
  ] as const)
    test(`says so: ${what}`, async ({ page }) => {
      await show(page, `<button id="do">Do it</button>${html}`, `$('do').onclick = () => { ${script} }`)
      const answer = await click(page, 'Do it')
      expect(answer.changed).toBe(false)
      expect(await wordsFor(page, 'page_click', answer)).toMatch(
        /^Clicked button "Do it", but nothing happened that can be seen\.\nfocus: button "Do it" \[ref=e\d+\]\nOnly the focus moved/,
      )
    })

  test('also a key whose target gets the focus', async ({ page }) => {
    await show(
      page,
      '<input aria-label="Name"><div role="menu" aria-label="M"><div role="menuitem" tabindex="-1">One</div></div>',
    )
    for (const target of ['Name', 'One']) {
      const answer = await press(page, target, 'F2')
      expect(answer.changed, target).toBe(false)
      expect(answer.changes).toMatch(/^focus: .*\nOnly the focus moved/)
    }
  })

  test('but a click into a text does what it is for', async ({ page }) => {
    await show(page, '<div contenteditable role="textbox" aria-label="Letter" id="bar">At</div>')
    const ref = /textbox "Letter" \[ref=(e\d+)\]/.exec(await call<string>(page, 'page_read'))?.[1] ?? ''
    expect(await click(page, ref)).toMatchObject({
      changed: true,
      changes: expect.stringMatching(/^focus: textbox "Letter"/),
    })
  })
})

test('values and states of private fields are not told', { tag: ['@S17', '@S18'] }, async ({ page }) => {
  await show(
    page,
    `<button id="do">Do it</button>
     <label>Password <input type="password" id="pass" value="hunter2-canary"></label>
     <div contenteditable aria-label="Recovery phrase" id="phrase"><i tabindex="0" id="word">CANARY</i> phrase of words</div>
     <div role="progressbar" id="bar" aria-label="Strength" aria-valuenow="1">&nbsp;</div>
     <p role="status" id="said" class="heard"></p>
     <div role="separator" id="line" aria-label="Line" aria-valuenow="1">&nbsp;</div>`,
    `$('do').onclick = () => {
       $('bar').setAttribute('aria-valuetext', 'hunter2-canary is weak')
       $('line').setAttribute('aria-valuetext', 'x'.repeat(290) + 'hunter2-canary')
       $('said').textContent = 'y'.repeat(292) + ' hunter2-canary is weak'
       $('phrase').innerHTML = '<u tabindex="0" id="word" aria-selected="true">CANARY</u> phrase of words'
       $('phrase').setAttribute('aria-activedescendant', 'word')
       $('word').focus()
       getSelection().selectAllChildren($('phrase'))
     }`,
  )
  const answer = await click(page, 'Do it')
  expect(answer.changes).toContain('[private] is weak')
  expect(answer.changes).not.toMatch(/hunter|CANARY|phrase of words/)
})
