// What happened although it looks like nothing: switches that are drawn anew, panels that slide in, frames that load,
// requests that the page also sends by itself, messages that were there before. A wrong "nothing happened" makes a model
// undo its deed.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, openMarkup } from '../../../support/page/page-tools-call.js'

interface Effect {
  readonly changed: boolean
  readonly changes: string
  readonly error?: string
}

/** Shows markup and runs a script in it. */
async function show(page: Page, site: string, html: string, script: string, css = ''): Promise<void> {
  await openMarkup(page, site, html, css)
  await page.addScriptTag({ content: `{ const $ = (id) => document.getElementById(id); ${script} }` })
}
const click = (page: Page, target: string): Promise<Effect> => call(page, 'page_click', { target })
/** The references of the lines with these words. */
const refs = async (page: Page, words: RegExp): Promise<string[]> =>
  (await call<string>(page, 'page_read'))
    .split('\n')
    .filter((line) => words.test(line))
    .map((line) => /\[ref=(e\d+)\]/.exec(line)?.[1] ?? '')

/** Settings whose switches are boxes, all drawn anew by each press. */
const settings = `
  const state = { badge: true, spell: true, start: false }
  const names = { badge: 'Notification badge', spell: 'Spell check', start: 'Open at start' }
  const draw = () => ($('m').innerHTML = '<h3>Application</h3>' + Object.keys(state).map((key) =>
    '<div class=row><div><div>' + names[key] + '</div><div>Explains it</div></div>' +
    '<div class="sw ' + (state[key] ? 'active' : '') + '" data-key=' + key + '></div></div>').join(''))
  draw()
  document.addEventListener('click', ({ target }) => {
    const { key } = target.dataset
    if (!key) return
    state[key] = !state[key]
    draw()
    window.save?.()
  })`
const switches =
  '.row{display:flex;gap:20px}.sw{width:40px;height:20px;background:#ccc;cursor:pointer}.sw.active{background:#07f}'

test('the state of a switch that is drawn anew is told', async ({ page, site }) => {
  await show(page, site, '<main id="m"></main>', settings, switches)
  const [, spell] = await refs(page, /^ *- clickable/)
  for (const told of [
    /^look of clickable.* in "Spell check".*: background \(-active\)$/m,
    /^- clickable.* in "Spell check".* \[looks selected\]$/m,
  ]) {
    const { changed, changes } = await click(page, spell!)
    expect(changed, changes).toBe(true)
    expect(changes).toMatch(told)
    expect(changes).not.toMatch(/Notification|Open at start/)
  }
})

test('a request that the page also sends by itself is told', async ({ page, site }) => {
  await page.route(`${site}/api/*`, (route) => route.fulfill({ body: '{}' }))
  await show(
    page,
    site,
    '<button id="do">Save</button><button>Dead</button>',
    `const save = (name) => fetch('/api/' + name, { method: 'PUT', body: '{}' })
     window.save = save
     $('do').onclick = () => void save('state')`,
  )
  // Only what is sent after the wrappers are there, which an action installs, is known to be usual.
  await click(page, 'Dead')
  await page.evaluate(() => (window as unknown as { save(name: string): Promise<unknown> }).save('state'))
  const { changed, changes } = await click(page, 'Save')
  expect(changes).toMatch(/^sent: PUT \/api\/state, 200 \(the page also sends this by itself\)$/m)
  expect(changed).toBe(true)
  expect(changes).not.toContain('may have had no effect')
  expect(await click(page, 'Dead')).toMatchObject({ changed: false })
})

test('what a box saves at once is told by the fill', async ({ page, site }) => {
  await page.route(`${site}/api/*`, (route) => route.fulfill({ body: '{}' }))
  await show(
    page,
    site,
    '<label>Name <input></label><label><input type="checkbox" id="box"> Newsletter</label>',
    "$('box').onchange = () => void fetch('/api/state', { method: 'PUT', body: '{}' })",
  )
  const reports = await call<{ note?: string }[]>(page, 'form_fill', { fields: { Name: 'Ann', Newsletter: true } })
  expect(reports[0]).not.toHaveProperty('note')
  expect(reports[1]?.note).toMatch(
    /^(?:the page saved: PUT \/api\/state, 200|allowed and unanswered: PUT \/api\/state)$/,
  )
})

const panel = '<div class="panel"><h2>Options</h2><button>General</button></div>'
const css = `
  .panel { position: fixed; top: 0; right: 0; width: 300px; background: #eee }
  @keyframes slide { from { transform: translateX(100%) } }
  @keyframes fade { from { opacity: 0 } }
  @keyframes turn { to { transform: rotate(360deg) } }
  .spinner { width: 20px; height: 20px; animation: turn 1s linear infinite }`
for (const [what, script] of [
  ['slides in', "root.innerHTML = panel; root.firstChild.style.animation = 'slide .8s steps(1)'"],
  ['fades in', "root.innerHTML = panel; root.firstChild.style.animation = 'fade 1.2s .2s both'"],
  [
    'has a transition',
    "root.innerHTML = panel; const { style } = root.firstChild; style.opacity = 0; style.transition = 'opacity 1s steps(1)'; root.offsetWidth; style.opacity = 1",
  ],
  [
    'is animated by a script',
    "root.innerHTML = panel; root.firstChild.animate([{ transform: 'translateX(100%)' }, {}], { duration: 900, easing: 'steps(1)' })",
  ],
  [
    'is moved in each frame',
    `root.innerHTML = panel
     const start = performance.now()
     const step = () => {
       const left = Math.max(0, 1 - (performance.now() - start) / 800)
       root.firstChild.style.transform = 'translateX(' + (left > 0 ? 100 : 0) + '%) rotate(' + left / 100 + 'deg)'
       if (left > 0) requestAnimationFrame(step)
     }
     step()`,
  ],
  [
    'is in a shadow root',
    `const inner = root.attachShadow({ mode: 'open' })
     inner.innerHTML = '<style>@keyframes slide { from { transform: translateX(100%) } } .panel { position: fixed; top: 0; right: 0; width: 300px; animation: slide .8s steps(1) }</style>' + panel`,
  ],
] as const)
  test(`what ${what} is told when it is there`, async ({ page, site }) => {
    await show(
      page,
      site,
      '<button id="do">Settings</button><ul id="list"></ul><div id="root"></div><div class="spinner"></div>',
      `const root = $('root'), panel = ${JSON.stringify(panel)}
       const draw = () => ($('list').innerHTML = Array.from({ length: 9 }, (_, at) => '<li>Sender ' + at + ' <button>x</button></li>').join(''))
       draw()
       $('do').onclick = () => { draw(); ${script} }`,
      css,
    )
    const { changed, changes } = await click(page, 'Settings')
    expect(changed).toBe(true)
    expect(changes).toContain('heading "Options" [level=2]')
    expect(changes).toContain('button "General"')
  })

test('what never stops moving, or moved before, is not waited for', async ({ page, site }) => {
  await show(
    page,
    site,
    '<button>Dead</button><div class="spinner"></div><div style="width:40px;animation:turn 4.8s">Slow</div>',
    '',
    css,
  )
  // In frames and not on a clock: a busy machine renders few of them.
  await page.evaluate(() => {
    const scope = window as unknown as { frames: number }
    scope.frames = 0
    const count = (): void => {
      scope.frames++
      requestAnimationFrame(count)
    }
    requestAnimationFrame(count)
  })
  expect(await click(page, 'Dead')).toMatchObject({ changed: false })
  // 3.8 s; the longest wait has 4.
  expect(await page.evaluate(() => (window as unknown as { frames: number }).frames)).toBeLessThan(228)
})

test('what a frame shows is told, also if it loads slowly', async ({ page, site }) => {
  await page.route(`${site}/inner*`, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    await route.fulfill({ contentType: 'text/html', body: '<p>Invoice 12 is open</p>' })
  })
  await show(
    page,
    site,
    '<a href="/inner?1" target="view">Invoice 12</a><iframe name="view" id="view" srcdoc="<p>Nothing chosen</p>"></iframe><button id="do">Write</button>',
    "$('do').onclick = () => { $('view').contentDocument.body.innerHTML = '<p>Written into it</p>' }",
  )
  await page.frameLocator('#view').getByText('Nothing chosen').waitFor()
  expect((await click(page, 'Write')).changes).toContain('text: Written into it')
  const { changed, changes } = await click(page, 'Invoice 12')
  expect(changed).toBe(true)
  expect(changes).toContain('text: Invoice 12 is open')
})

test('what cannot be read is named', async ({ page, site }) => {
  await show(
    page,
    site,
    '<button id="do">Draw</button><x-panel style="display:block;width:100px;height:50px"></x-panel>',
    `customElements.define('x-panel', class extends HTMLElement {
       root = this.attachShadow({ mode: 'closed' })
       show() { this.root.innerHTML = '<p>Drawn</p>' }
     })
     $('do').onclick = () => document.querySelector('x-panel').show()`,
  )
  const { changed, changes } = await click(page, 'Draw')
  expect(changed).toBe(false)
  expect(changes).toContain('What <x-panel> shows cannot be read: the effect may be there.')
})

test('a message that was there before is told if the press shows it again', async ({ page, site }) => {
  await show(
    page,
    site,
    '<div id="m"></div>',
    `const draw = () => ($('m').innerHTML = '<p role="alert">Card declined</p><button>Pay</button><button>Hide and pay</button><button>Shake</button>')
     draw()
     $('m').addEventListener('click', ({ target }) => {
       const alert = document.querySelector('[role=alert]')
       if (target.textContent === 'Pay') draw()
       else if (target.textContent === 'Shake') alert.className = 'shake' + Math.random()
       else {
         alert.textContent = ''
         setTimeout(() => (alert.textContent = 'Card declined'), 50)
       }
     })`,
  )
  for (const name of ['Pay', 'Shake', 'Hide and pay']) {
    const { changed, changes } = await click(page, name)
    expect(changed, name).toBe(true)
    expect(changes, name).toMatch(/^shown again: Card declined$/m)
  }
})

test('a box that got contents is told by these, and not by its look', async ({ page, site }) => {
  await show(
    page,
    site,
    '<section><button id="do">Route</button><div id="box"></div></section>',
    "$('do').onclick = () => { $('box').innerHTML = '<b style=\"color:red\">Bern Basel</b>' }",
  )
  const { changes } = await click(page, 'Route')
  expect(changes).toContain('Bern Basel')
  expect(changes).not.toContain('look of')
})

test('a focus that nobody sees is not told', async ({ page, site }) => {
  await show(
    page,
    site,
    '<div id="dialog" role="dialog" aria-label="Hint"><button id="close">Close</button></div><button id="back" style="opacity:0;position:absolute;left:-9999px"></button>',
    "$('close').onclick = () => { $('dialog').hidden = true; $('back').focus() }",
  )
  expect((await click(page, 'Close')).changes).not.toContain('focus: button ""')
})

test('after a page was drawn anew, what changed is told in its own row', async ({ page, site }) => {
  await show(
    page,
    site,
    '<div id="m"></div>',
    `const starred = new Set(['Emma Reed'])
     const draw = () => ($('m').innerHTML = ['Jo Olsen', 'Emma Reed', 'Max Cole', 'Ada Moss'].map((name) =>
       '<div class=line><div class=who>' + name.replace(/[a-z ]/g, '') + '</div><div>' + name + '</div><span><button>' +
       (starred.has(name) ? 'star' : 'star_border') + '</button><button>edit</button></span></div>').join(''))
     draw()
     $('m').addEventListener('click', ({ target }) => {
       starred.add(target.closest('.line').children[1].textContent)
       draw()
     })`,
  )
  const [, max] = await refs(page, /button "star_border"/)
  const { changes } = await click(page, max!)
  expect(changes).toMatch(/button "star" in "M/)
  expect(changes).not.toMatch(/"(ER|Emma Reed|JO|Jo Olsen|AM|Ada Moss)"/)
})

test('a reference to a box with wrappers lives on when the page is drawn anew', async ({ page, site }) => {
  await show(
    page,
    site,
    '<div id="m"></div>',
    `let chosen = ''
     const draw = () => ($('m').innerHTML = ['Monday', 'Tuesday'].map((name) =>
       '<div class="list' + (name === chosen ? ' on' : '') + '" data-name=' + name + '><div><div>' + name + '</div></div></div>').join(''))
     draw()
     $('m').addEventListener('click', ({ target }) => {
       chosen = target.closest('[data-name]').dataset.name
       window.chosen = chosen
       draw()
     })`,
    '.list{cursor:pointer}.on{background:#07f}',
  )
  const [monday, tuesday] = await refs(page, /"(Mon|Tues)day"/)
  for (const [ref, name] of [
    [monday, 'Monday'],
    [tuesday, 'Tuesday'],
    [monday, 'Monday'],
  ] as const) {
    expect(await click(page, ref!)).toMatchObject({ changed: true })
    expect(await page.evaluate(() => (window as unknown as { chosen: string }).chosen)).toBe(name)
  }
})

test('another order of what was there is told', async ({ page, site }) => {
  await show(
    page,
    site,
    `<button id="sort">Oldest first</button>
     <ul id="list">${['Ada', 'Bob', 'Cid'].map((name) => `<li>${name} <button>Up</button></li>`).join('')}</ul>`,
    `$('sort').onclick = () => [...$('list').children].reverse().forEach((one) => $('list').append(one))
     $('list').onclick = ({ target }) => {
       const row = target.closest('button') && target.closest('li')
       row?.previousElementSibling?.before(row)
     }`,
  )
  const names = ({ changes }: Effect): string[] =>
    [...changes.split('now in this order:')[1]!.matchAll(/^- text: (.*)$/gm)].map(([, name]) => name!)
  const sorted = await click(page, 'Oldest first')
  expect(sorted.changed, sorted.changes).toBe(true)
  expect(names(sorted)).toEqual(['Cid', 'Bob', 'Ada'])
  const [, , last] = await refs(page, /button "Up"/)
  expect(names(await click(page, last!))).toEqual(['Ada', 'Bob'])
})

test('the look of the row or the box around what was pressed is told', async ({ page, site }) => {
  await show(
    page,
    site,
    `<table><tr><td>Ada</td><td>Paris</td></tr><tr><td>Bob</td><td>Rome</td></tr></table>
     <div class="card"><p>Basic</p></div>`,
    `document.onclick = ({ target }) => target.closest('tr,.card')?.classList.toggle('picked')`,
    'tr,.card{cursor:pointer}.picked{background:#cdf}',
  )
  for (const [name, mark] of [
    ['Bob', '+'],
    ['Bob', '-'],
    ['Basic', '+'],
  ] as const) {
    const { changed, changes } = await click(page, name)
    expect(changed, changes).toBe(true)
    expect(changes).toMatch(new RegExp(`^look of .*${name}.*: background \\(\\${mark}picked\\)$`, 'm'))
  }
})

test('a color that a script gives to what was pressed is told, although it has the focus', async ({ page, site }) => {
  await show(
    page,
    site,
    '<button id="like">♥</button><button id="other">Other</button>',
    `$('like').onclick = () => ($('like').style.color = 'red')`,
    'button:focus{color:green}',
  )
  expect((await click(page, '♥')).changes).toMatch(/^look of button "♥" \[ref=e\d+\]: color$/m)
  expect(await click(page, 'Other')).toMatchObject({ changed: false })
})

test('a box that shows the chosen entry of its list is not taken for the entry', async ({ page, site }) => {
  await show(
    page,
    site,
    `<div id="box" class="pick">Choose</div>
     <div id="list" hidden><div class="pick">Ghana</div><div class="pick">Greece</div></div>`,
    `$('box').onclick = () => ($('list').hidden = false)
     $('list').onclick = ({ target }) => {
       $('box').textContent = target.textContent
       $('list').hidden = true
     }`,
    '.pick{cursor:pointer}',
  )
  const [box] = await refs(page, /Choose/)
  await click(page, 'Choose')
  const { changes } = await click(page, 'Greece')
  expect(changes).toContain(`new or changed:\n- clickable "Greece" [ref=${box}]`)
  expect(changes).not.toContain('anew')
})
