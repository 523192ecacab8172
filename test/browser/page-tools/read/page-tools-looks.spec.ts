// What a person sees without any text or ARIA: which tab is chosen, which switch is on, the value of a bar, the header of
// a column above a field.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, openMarkup } from '../../../support/page/page-tools-call.js'

const show = openMarkup
const outlineOf = async (page: Page): Promise<string> =>
  (await call<string>(page, 'page_read'))
    .split('\n')
    .slice(1)
    .join('\n')
    .replaceAll(/ \[ref=e\d+\]/g, '')
const click = (page: Page, target: string): Promise<{ changed: boolean; changes: string }> =>
  call(page, 'page_click', { target })

const pointed = '.p { cursor: pointer } .p.boxed { background: #eee }'

for (const [what, html, css = ''] of [
  ['a class', '<div><span class="p">Day</span><span class="p is-active">Week</span><span class="p">Year</span></div>'],
  ['a class of a module', '<p><a href="#1" class="t_1">Day</a> <a href="#2" class="t_1 t_selected__x9Kf">Week</a></p>'],
  ['a class of the box around', '<ul><li><a href="#1">Day</a></li><li class="current"><a href="#2">Week</a></li></ul>'],
  ['an attribute', '<div><button data-state="off">Day</button><button data-state="on">Week</button></div>'],
  [
    'a background',
    '<div><button>Day</button><button class="x7">Week</button><button>Year</button></div>',
    '.x7 { background: rgb(1, 2, 3); color: #fff }',
  ],
  [
    'a weight',
    '<div><button>Day</button><button>Year</button><button class="x7">Week</button></div>',
    '.x7 { font-weight: 700 } button { font-weight: 400 }',
  ],
  [
    'a line below',
    '<nav><a href="#1" class="n">Day</a><a href="#2" class="n m">Week</a><a href="#3" class="n">Year</a></nav>',
    '.n { border-bottom: 2px solid #fff } .m { border-color: #00f }',
  ],
] as const)
  test(`says which of several controls looks chosen: ${what}`, async ({ page, site }) => {
    await show(page, site, html, pointed + css)
    const lines = (await outlineOf(page)).split('\n')
    expect(lines.filter((line) => line.includes('[looks selected]'))).toHaveLength(1)
    expect(lines.find((line) => line.includes('[looks selected]'))).toContain('"Week"')
    const { matches } = await call<{ matches: { looks?: string }[] }>(page, 'dom_query', { name: 'Week' })
    expect(matches[0]).toMatchObject({ looks: 'selected' })
  })

for (const [what, html, css = ''] of [
  ['all have the class', '<div><span class="p active">A</span><span class="p active">B</span></div>'],
  ['there is one only', '<div><span class="p active">A</span> text</div>'],
  [
    'a state is there',
    '<div><button aria-pressed="false" class="active">A</button><button aria-pressed="true">B</button></div>',
  ],
  ['a word only contains it', '<div><span class="p interactive">A</span><span class="p">B</span></div>'],
  [
    'two look different',
    '<div><button class="x7">A</button><button>B</button></div>',
    '.x7 { background: rgb(1, 2, 3) }',
  ],
  [
    'a button is the most important one',
    '<div><button>Back</button><button>Skip</button><button class="x7">Save</button></div>',
    '.x7 { background: rgb(1, 2, 3) }',
  ],
  [
    'a border is missing at the end',
    '<nav><a href="#1" class="n">A</a><a href="#2" class="n">B</a><a href="#3" class="n">C</a></nav>',
    '.n { border-bottom: 1px solid #aaa } .n:last-child { border: 0 }',
  ],
  [
    'a control is disabled',
    '<div><button>A</button><button>B</button><button disabled class="active">C</button></div>',
  ],
] as const)
  test(`calls nothing chosen where ${what}`, async ({ page, site }) => {
    await show(page, site, html, pointed + css)
    expect(await outlineOf(page)).not.toContain('looks')
  })

test('a click on a switch made of boxes says how its look changed', async ({ page, site }) => {
  await show(
    page,
    site,
    `<p>Sound <span class="p sw" tabindex="0" title="Sound"><i></i></span></p>`,
    '.sw { display: inline-block; width: 40px; height: 20px; background: #aaa } .sw.lit { background: #080 }',
  )
  await page.evaluate(() => {
    document.querySelector('.sw')?.addEventListener('click', ({ currentTarget }) => {
      ;(currentTarget as Element).classList.toggle('lit')
    })
  })
  const first = await click(page, 'Sound')
  expect(first).toMatchObject({ changed: true })
  expect(first.changes).toMatch(/^look of clickable "Sound" \[ref=e\d+\]: background \(\+lit\)/)
  expect((await click(page, 'Sound')).changes).toContain(': background (-lit)')
})

test('the look of the focus is no change', async ({ page, site }) => {
  await show(page, site, '<button>Nothing</button>', 'button:focus { background: #ff0; border-color: red }')
  expect(await click(page, 'Nothing')).toMatchObject({ changed: false })
})

test('the choice of another tab is told by the outline, and once', async ({ page, site }) => {
  await show(
    page,
    site,
    '<div id="tabs"><span class="p on">Map</span><span class="p">List</span></div>',
    `${pointed} .on { background: #ccf }`,
  )
  await page.evaluate(() => {
    document.getElementById('tabs')?.addEventListener('click', ({ target, currentTarget }) => {
      for (const one of (currentTarget as Element).children) one.classList.toggle('on', one === target)
    })
  })
  const { changes } = await click(page, 'List')
  expect(changes).toMatch(/- clickable "List" \[ref=e\d+\] \[looks selected\]/)
  expect(changes).not.toContain('look of')
})

test('bars, meters and splitters are listed with their values', async ({ page, site }) => {
  await show(
    page,
    site,
    `<p><label>Disk <meter value="3" max="10">3</meter></label></p>
     <div role="progressbar" aria-label="Import" aria-valuenow="40" aria-valuetext="40 %">Forty</div>
     <progress aria-label="Working"></progress><progress aria-label="Copy" value="2" max="8"></progress><hr>
     <div role="separator" tabindex="0" aria-label="Sidebar" aria-valuenow="30">&nbsp;</div>
     <table><tr><th>File<th>Done</tr><tr><td>a.zip<td><progress aria-label="a" value="1" max="4"></progress></tr></table>`,
  )
  const outline = await outlineOf(page)
  for (const line of [
    '- meter "Disk": 3 of 10',
    '- progressbar "Import": 40 %',
    '- progressbar "Working"\n',
    '- progressbar "Copy": 2 of 8',
    '- separator "Sidebar": 30',
    '| a.zip | progressbar "a": 1 of 4',
  ])
    expect(outline).toContain(line)
  expect(outline).not.toContain('Forty')
  expect(outline.match(/separator/g)).toHaveLength(1)
  expect(await call(page, 'dom_query', { role: 'meter' })).toMatchObject({ matches: [{ value: '3 of 10' }] })
})

test('instructions for keys are listed once, and not those that are off limits', async ({ page, site }) => {
  await show(
    page,
    site,
    `<p id="k" hidden>Press space to lift, arrow keys to move.</p><p id="n">The first one is free.</p>
     <p id="i" data-tool-agent-ignore>Press the secret key</p>
     <button aria-describedby="k">Alpha</button><button aria-describedby="k">Beta</button>
     <button aria-describedby="n">Gamma</button><button aria-describedby="i">Delta</button>`,
  )
  const outline = await outlineOf(page)
  expect(outline).toContain('- button "Alpha" [keys: Press space to lift, arrow keys to move.]\n- button "Beta"\n')
  expect(outline.match(/keys:/g)).toHaveLength(1)
})

test('a field in a table is named by the header of its column, and told apart by its row', async ({ page, site }) => {
  await show(
    page,
    site,
    `<table><thead><tr><th>Dish<th>Price<th>Guests<th></tr></thead>
       <tr><td>Soup<td>4<td><input><td></tr><tr><td>Stew<td>9<td><input><td></tr></table>
     <table><tr><th>Street<td><input></tr><tr><th>Town<td><input></tr></table>`,
  )
  const { fields } = await call<{ fields: { label: string }[] }>(page, 'form_read')
  expect(fields.map(({ label }) => label)).toEqual(['Soup: Guests', 'Stew: Guests', 'Street', 'Town'])
})

test('a list, a table or a toolbar beside a field is not its label', async ({ page, site }) => {
  await show(
    page,
    site,
    `<ul><li>Apples</li><li>Pears</li></ul><input name="fruit">
     <section><table><tr><td>1</td><td>Paid</td></tr></table><input name="invoice"></section>
     <section><div role="toolbar"><span role="button" tabindex="0">Heading 2</span></div>
     <div contenteditable="true" data-placeholder="Story"></div></section>`,
    '[contenteditable] { height: 20px }',
  )
  const { fields } = await call<{ fields: { label: string }[] }>(page, 'form_read')
  expect(fields.map(({ label }) => label)).toEqual(['fruit', 'invoice', 'Story'])
})

test('says which switch made of boxes is on, each alone in its row, also when the page draws all anew', async ({
  page,
  site,
}) => {
  await show(
    page,
    site,
    '<main></main>',
    '.row { display: flex; gap: 20px } .s { width: 40px; height: 20px; border-radius: 10px; background: #ccc; cursor: pointer } .s.active { background: #07f }',
  )
  await page.evaluate(() => {
    const state = new Map([
      ['Notification badge', true],
      ['Spell check', true],
      ['Open at start', false],
    ])
    const main = document.querySelector('main')!
    const draw = (): void => {
      main.innerHTML = [...state]
        .map(
          ([name, on]) =>
            `<div class="row"><div><div>${name}</div><div>Explains it</div></div><div class="s toggle-switch ${on ? 'active' : ''}" data-name="${name}"></div></div>`,
        )
        .join('')
    }
    main.addEventListener('click', ({ target }) => {
      const name = (target as HTMLElement).dataset['name']
      if (name !== undefined) state.set(name, !state.get(name))
      draw()
    })
    draw()
  })
  const switches = async (): Promise<string[]> =>
    (await outlineOf(page)).split('\n').filter((line) => line.startsWith('  - clickable'))
  expect(await switches()).toEqual([
    '  - clickable "toggle switch" in "Notification badge" [looks selected]',
    '  - clickable "toggle switch" in "Spell check" [looks selected]',
    '  - clickable "toggle switch" in "Open at start"',
  ])
  const { changed, changes } = await click(page, 'toggle switch in Spell check')
  expect(changed).toBe(true)
  expect(changes).toMatch(/^look of clickable "toggle switch" in "Spell check" .*-active\)$/m)
  expect(changes).not.toMatch(/"(?:Notification badge|Open at start)"/)
  expect((await switches())[1]).toBe('  - clickable "toggle switch" in "Spell check"')
})
