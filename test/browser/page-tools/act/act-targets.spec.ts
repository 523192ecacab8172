// The target of an action is a ref, a whole name or an exact visible text. A part of a name is an error that lists the
// near names; nothing else is clicked.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, open } from '../../../support/page/page-tools-call.js'

interface Acted {
  clicked?: string
  changes?: string
  error?: string
  message?: string
}
const click = (page: Page, target: string, role?: string): Promise<Acted> =>
  call(page, 'page_click', { target, ...(role ? { role } : {}) })
/** The ids of what was clicked, from the innermost element that was hit. */
const hits = (page: Page): Promise<string[]> => page.evaluate(() => (window as unknown as { hits: string[] }).hits)

async function show(page: Page, site: string, markup: string): Promise<void> {
  await open(page, `${site}/test/pages/session/blank.html`)
  await page.evaluate((html) => {
    document.body.innerHTML = html
    const hits: string[] = []
    Object.assign(window, { hits })
    document.addEventListener('click', ({ target }) =>
      hits.push((target as Element).id || (target as Element).localName),
    )
    document.addEventListener('submit', (event) => {
      event.preventDefault()
      hits.push('submit')
    })
  }, markup)
}

test.describe('a part of a name', () => {
  for (const [name, markup, target] of [
    ['a button', '<button>Delete all messages</button>', 'Delete'],
    ['a button with an element for it', '<button><b>Delete</b> all messages</button>', 'Delete'],
    ['a button of several elements', '<button><span>Delete</span> <span>all</span></button>', 'Delete'],
    ['a link', '<a href="#x">Pay now and close</a>', 'Pay now'],
    ['a menu item', '<div role="menuitem" tabindex="0">Sign out everywhere</div>', 'Sign out'],
    ['an option', '<ul role="listbox"><li role="option">Paris, Texas</li></ul>', 'Paris'],
    ['a label', '<label><input type="checkbox">Do not <b>send mail</b></label>', 'send mail'],
    ['a phrase in a clickable box', '<div tabindex="0"><b>Delete</b> all messages</div>', 'Delete'],
    ['a name with other signs', '<button>C++</button>', 'C'],
    ['a longer name than any', '<button>Delete</button>', 'Delete all'],
  ] as const) {
    test(`clicks nothing, and the error lists the near names: ${name}`, async ({ page, site }) => {
      await show(page, site, markup)
      const { error, message = '' } = await click(page, target)
      expect(error).toBe('invalid-input')
      expect(message).toMatch(/^No clickable element is named /)
      if (name !== 'a name with other signs') expect(message).toMatch(/(Near names|Similar texts):\n- .* \[ref=e\d+\]/)
      expect(await hits(page)).toEqual([])
    })
  }

  test('is no target of other tools or of a role either', async ({ page, site }) => {
    await show(
      page,
      site,
      `<form aria-label="Mail"><input aria-label="To"><button>Send to all</button></form>
       <ul role="listbox" tabindex="0" aria-label="Old mail"><li role="option" tabindex="-1">Delete all messages</li></ul>`,
    )
    expect(await click(page, 'Delete', 'option')).toMatchObject({ error: 'invalid-input' })
    expect(await call(page, 'form_submit', { button: 'Send' })).toMatchObject({ error: 'invalid-input' })
    expect(await call(page, 'page_press', { target: 'Delete', key: 'Enter' })).toMatchObject({ error: 'invalid-input' })
    expect(await call(page, 'page_scroll', { target: 'Delete' })).toMatchObject({ error: 'invalid-input' })
    expect(await hits(page)).toEqual([])
    expect(await call(page, 'form_submit', { button: 'Send to all' })).toMatchObject({ submitted: true })
  })
})

test.describe('a whole name', () => {
  for (const [name, written] of [
    ['Save changes', '  save   CHANGES '],
    ['Save as…', 'Save as...'],
    ['Save as...', 'Save as'],
    ['Choose file:', 'Choose file'],
    ['Choose plan *', 'Choose plan'],
    ['Say “yes”', 'Say "yes"'],
    ['Don’t save', "Don't save"],
    ['2019–2020', '2019-2020'],
    ['Café', 'Cafe\u0301'],
  ] as const) {
    test(`is compared without case, spaces, *, : and …: ${name}`, async ({ page, site }) => {
      await show(page, site, `<button id="one">${name}</button><button>${name} and more</button>`)
      await click(page, written)
      expect(await hits(page)).toEqual(['one'])
    })
  }

  for (const sign of ['*', '…', ':', '×']) {
    test(`may be a sign alone: ${sign}`, async ({ page, site }) => {
      await show(page, site, `<button>*</button><button>…</button><button>:</button><button>×</button>`)
      expect(await click(page, sign)).toMatchObject({ clicked: `button "${sign}"` })
    })
  }

  test('is also the name as page_read shows it', async ({ page, site }) => {
    await show(
      page,
      site,
      `<ul role="tree"><li role="treeitem" id="fruits" aria-expanded="true" tabindex="0">Fruits<ul role="group">
         <li role="treeitem" tabindex="-1" id="apples">Apples</li></ul></li></ul>
       <table><tr><td>Ann</td><td><input type="checkbox" aria-label="Pick"></td></tr>
       <tr><td>Bob</td><td><input type="checkbox" aria-label="Pick" id="bob"></td></tr></table>`,
    )
    expect(await click(page, 'Fruits')).toMatchObject({ clicked: expect.stringContaining('treeitem "Fruits') })
    expect(await click(page, 'Apples')).toMatchObject({ clicked: 'treeitem "Apples"' })
    const outline = await call<string>(page, 'page_read')
    const label = [...outline.matchAll(/checkbox "([^"]*Bob[^"]*)"/g)][0]?.[1] ?? ''
    expect(label).not.toBe('')
    await click(page, label)
    expect((await hits(page)).at(-1)).toBe('bob')
  })

  test('of several equal elements is an error with the list', async ({ page, site }) => {
    await show(page, site, '<button>Reply</button><button>reply</button><section><p>Reply all</p></section>')
    expect(await click(page, 'REPLY')).toMatchObject({ message: expect.stringMatching(/matches 2 elements.*\[ref=e/s) })
    expect(await click(page, 'Reply')).toMatchObject({ clicked: 'button "Reply"' })
  })

  test('of a control in a box that shows nothing else means the control', async ({ page, site }) => {
    await show(
      page,
      site,
      `<div style="cursor: pointer; padding: 30px"><button id="b">Order</button></div>
       <ul role="tablist"><li role="tab" tabindex="0"><a href="#a" id="a">Details</a></li></ul>`,
    )
    expect(await click(page, 'Order')).toMatchObject({ clicked: 'button "Order"' })
    expect(await click(page, 'Details')).toMatchObject({ clicked: 'tab "Details"' })
    expect(await hits(page)).toEqual(['b', 'a'])
  })
})

test.describe('an exact visible text', () => {
  const mail = `<div id="bar" style="cursor: pointer; width: 600px"><span id="r">Reply</span> <span id="f">Forward</span>
    <span id="d"><i>Delete</i></span></div>`

  for (const [target, id] of [
    ['Reply', 'r'],
    ['forward', 'f'],
    ['Delete', 'i'],
  ] as const) {
    test(`in a clickable box is clicked at its own place: ${target}`, async ({ page, site }) => {
      await show(page, site, mail)
      expect((await click(page, target)).clicked).toMatch(
        new RegExp(`^\\w+ "${target}" in clickable "Reply Forward Delete"$`, 'i'),
      )
      expect(await hits(page)).toEqual([id])
    })
  }

  test('is named with its box in the question, also for a ref', async ({ page, site }) => {
    await show(page, site, `${mail}<button id="all"><b id="part">Delete</b> all messages</button>`)
    const { matches } = await call<{ matches: { ref: string }[] }>(page, 'dom_query', { selector: '#part' })
    expect(await click(page, matches[0]?.ref ?? '')).toMatchObject({
      clicked: 'b "Delete" in button "Delete all messages"',
    })
  })

  test('that a wide box consists of is clicked itself, not the empty middle of the box', async ({ page, site }) => {
    await show(page, site, '<div id="box" tabindex="0" style="width: 600px"><span id="words">Archive</span></div>')
    expect(await click(page, 'Archive')).toMatchObject({ clicked: 'clickable "Archive"' })
    expect(await hits(page)).toEqual(['words'])
  })

  test('of a title in a clickable card is clicked, a heading outside is not', async ({ page, site }) => {
    await show(page, site, '<div tabindex="0"><h3 id="t">Alpha</h3><p>About alpha</p></div><h2>Beta</h2>')
    expect(await click(page, 'Alpha')).toMatchObject({ clicked: expect.stringContaining('heading "Alpha"') })
    expect(await click(page, 'Beta')).toMatchObject({ error: 'invalid-input' })
    expect(await hits(page)).toEqual(['t'])
  })

  test('in shadow roots', async ({ page, site }) => {
    await show(page, site, '<x-bar></x-bar>')
    await page.evaluate((html) => {
      document.querySelector('x-bar')!.attachShadow({ mode: 'open' }).innerHTML = html
      document
        .querySelector('x-bar')!
        .shadowRoot!.addEventListener('click', ({ target }) =>
          (window as unknown as { hits: string[] }).hits.push((target as Element).id),
        )
    }, mail)
    await click(page, 'Forward')
    expect((await hits(page))[0]).toBe('f')
  })
})

test.describe('a text field', () => {
  test('gets the focus by a click on its name', async ({ page, site }) => {
    await show(
      page,
      site,
      `<textarea aria-label="Message"></textarea><label>Your name: <input id="name"></label>
       <input type="search" aria-label="Search"><button id="go">Search</button><input type="range" aria-label="Volume">`,
    )
    expect(await click(page, 'Message')).toMatchObject({ clicked: 'textbox "Message"' })
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe('textarea')
    await click(page, 'Your name')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('name')
    // Beside a button of the same name, the button is meant.
    expect(await click(page, 'Search')).toMatchObject({ clicked: 'button "Search"' })
    // A click in the middle of a slider would change its value.
    expect(await click(page, 'Volume')).toMatchObject({ error: 'invalid-input' })
  })

  test('that is a select is set with form_fill', async ({ page, site }) => {
    await show(page, site, '<label>Country <select><option>Peru</option></select></label>')
    expect(await click(page, 'Country')).toMatchObject({ message: expect.stringContaining('is set with form_fill') })
  })
})

test.describe('what lies over the target', () => {
  const outline = (page: Page): Promise<string> => call(page, 'page_read')
  const refIn = (text: string, words: string): string =>
    new RegExp(`${words.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)} \\[ref=(e\\d+)\\]`).exec(text)?.[1] ?? ''

  for (const [name, own, layer, css] of [
    ['a layer with utility classes', '', '<div class="absolute inset-0 z-10 cursor-pointer"></div>', ''],
    [
      'a span with a class that says something',
      ' "cover"',
      '<span class="cover"></span>',
      '.cover { position: absolute; inset: 0; cursor: pointer }',
    ],
    ['a link without an address', '', '<a style="position: absolute; inset: 0; cursor: pointer"></a>', ''],
  ] as const)
    test(`an empty layer over a card is listed with its place, and the error names it: ${name}`, async ({
      page,
      site,
    }) => {
      const cards = ['Basic', 'Pro', 'Team'].map(
        (plan) => `<div class="card" id="${plan}"><h4>${plan} plan</h4><p>Text</p>${layer}</div>`,
      )
      const style = `.card { position: relative; width: 260px; height: 60px; border: 1px solid; margin: 6px }
        .absolute { position: absolute } .inset-0 { inset: 0 } .cursor-pointer { cursor: pointer } ${css}`
      await show(page, site, `<style>${style}</style>${cards.join('')}`)
      await page.evaluate(() => {
        const { hits } = window as unknown as { hits: string[] }
        for (const card of document.querySelectorAll('.card'))
          card.lastElementChild!.addEventListener('click', () => hits.push(card.id))
      })
      const read = await outline(page)
      const ref = refIn(read, `clickable${own} in "Pro plan"`)
      expect(read).toMatch(/clickable .*in "Basic plan" .*\n[^]*clickable .*in "Team plan" /)
      const [heading] = (await call<{ matches: { ref: string }[] }>(page, 'dom_query', { text: 'Pro plan' })).matches
      const { message } = await click(page, heading!.ref)
      expect(message).toContain(
        `heading "Pro plan" is covered by clickable${own || ' ""'} in "Pro plan" [ref=${ref}]. Close`,
      )
      expect(await click(page, ref)).toMatchObject({ clicked: expect.stringContaining('in "Pro plan"') })
      await click(page, `clickable${own} in "Team plan"`)
      expect((await hits(page)).filter((hit) => /^[A-Z]/.test(hit))).toEqual(['Pro', 'Team'])
    })

  const fixed = 'position: fixed; inset: 0; background: #0008'
  const tour = 'position: fixed; left: 40px; top: 200px; width: 300px; background: #fff'
  for (const [name, over] of [
    [
      'a modal in its shade',
      `<div style="${fixed}"><div style="${tour}"><h2>New here?</h2><button>Skip</button></div></div>`,
    ],
    [
      'a shade beside its modal',
      `<div style="${fixed}"></div><div style="${tour}">New here? <button>Skip</button></div>`,
    ],
    [
      'a tour in its portal',
      `<div id="portal"><div style="${fixed}"></div><div style="${tour}"><p>New here?</p><a href="#" onclick="return false">Skip</a></div></div>`,
    ],
    [
      'a bar',
      `<div style="position: fixed; inset: 0 0 auto 0; height: 120px; background: #fff">Cookies <b onclick="1" style="cursor: pointer">Skip</b></div>`,
    ],
  ] as const)
    test(`a cover without a role is named with its controls: ${name}`, async ({ page, site }) => {
      await show(page, site, `<div id="app"><button id="go">Deploy</button>${'<p>Row</p>'.repeat(3)}</div>${over}`)
      const { error, message = '' } = await click(page, 'Deploy')
      expect(error).toBe('unavailable')
      expect(message).toMatch(
        /^button "Deploy" is covered by div ".*" \[ref=e\d+\]\. Close or use that first: (button|link|clickable) "Skip" \[ref=e\d+\]\.$/,
      )
      const ref = /"Skip" \[ref=(e\d+)\]/.exec(message)?.[1] ?? ''
      expect(await click(page, ref)).toMatchObject({ clicked: expect.stringContaining('"Skip"') })
    })
})

test.describe('what overflow: hidden cuts off', () => {
  const shell = `<style>body { margin: 0; height: 100vh; overflow: hidden } #app { height: 100vh; overflow: hidden }
    header { height: 60px } #side { overflow: hidden; width: 200px } #side > * { display: block; width: 180px; height: 140px; cursor: pointer }</style>`
  const names = ['Intro', 'Agenda', 'Plan', 'Goals', 'Team', 'Risks', 'Costs', 'Questions', 'Thank You']
  const scrolled = (page: Page): Promise<number[]> =>
    page.evaluate(() => ['app', 'side'].map((id) => document.getElementById(id)?.scrollTop ?? 0))

  for (const [name, item] of [
    ['boxes', (text: string) => `<div class="slide slide-preview"><div class="slide-title">${text}</div></div>`],
    ['buttons', (text: string) => `<button>${text}</button>`],
    ['links', (text: string) => `<a href="#${text}">${text}</a>`],
  ] as const)
    test(`is not listed, and no press scrolls it: ${name}`, async ({ page, site }) => {
      const slides = names.map(item).join('')
      await show(
        page,
        site,
        `${shell}<div id="app"><header><button>Present</button></header><div id="side">${slides}</div></div>`,
      )
      const read = await call<string>(page, 'page_read')
      // The window is 720 px high: of the fifth one 100 px are visible, and it can be clicked where it is.
      expect(read).toMatch(/"Present"[^]*"Intro"[^]*"Team"/)
      expect(read).not.toMatch(/slide.preview|Risks|Thank You/)
      expect(await click(page, 'Team')).toMatchObject({ clicked: expect.stringContaining('"Team"') })
      expect(await click(page, 'Thank You')).toMatchObject({ error: 'invalid-input' })
      const last = await page.evaluate(() => document.querySelector('#side')!.children.length)
      const selector = `#side > :nth-child(${last})`
      const [found] = (await call<{ matches: { ref: string }[] }>(page, 'dom_query', { selector })).matches
      if (found)
        expect(await click(page, found.ref)).toMatchObject({
          error: 'unavailable',
          message: expect.stringMatching(/ is (cut off by a box around it|hidden)/),
        })
      expect(await scrolled(page)).toEqual([0, 0])
    })

  test('stays where it is, while boxes that a person scrolls in it are scrolled', async ({ page, site }) => {
    const list = `<div id="list" style="height: 300px; overflow: auto">${names.map((text) => `<p style="height: 90px"><button>${text}</button></p>`).join('')}</div>`
    const aside = '<div style="width: 900px; height: 20px"></div>'
    for (const dir of ['ltr', 'rtl']) {
      await show(
        page,
        site,
        `<div dir="${dir}" id="app" style="width: 400px; height: 400px; overflow: hidden">${aside}${list}<p style="height: 300px"></p></div>`,
      )
      expect(await call(page, 'page_read')).toContain('button "Thank You"')
      expect(await click(page, 'Thank You')).toMatchObject({ clicked: 'button "Thank You"' })
      const places = await page.evaluate(() =>
        ['app', 'list'].map((id) => {
          const { scrollLeft, scrollTop } = document.getElementById(id)!
          return [scrollLeft, scrollTop > 0]
        }),
      )
      expect(places).toEqual([
        [0, false],
        [0, true],
      ])
    }
  })
})

test('an option of a closed list is no target, and the error names its list and form_fill', async ({ page, site }) => {
  await show(
    page,
    site,
    `<label>County <select><option>Kent</option><option value="or">Orange</option></select></label>
     <select aria-label="Colour" multiple hidden><option>Orange</option></select><label>Fruit <input value="Orange"></label>`,
  )
  for (const target of ['Orange', 'option "Orange"', 'orange', '"Orange" in "County"']) {
    const { error, message } = await click(page, target)
    expect(error, target).toBe('invalid-input')
    expect(message, target).toMatch(/It is an option of combobox "County" \[ref=e\d+\]: choose it with form_fill\./)
    expect(message, target).not.toContain('Colour')
  }
})

test.describe('a press whose effect the page takes back', () => {
  for (const [name, markup] of [
    ['a radio button in its label', '<label><input type="radio" name="a" onclick="return false">Statement</label>'],
    ['a label that cancels', '<label onclick="return false"><input type="radio" name="a">Statement</label>'],
    [
      'a label beside it',
      '<input type="radio" name="a" id="r" onclick="event.preventDefault()"><label for="r">Statement</label>',
    ],
    [
      'a radio button that cannot be seen',
      '<label><input type="radio" name="a" onclick="return false" style="opacity: 0; position: absolute"><span>Statement</span></label>',
    ],
    ['a checkbox', '<label><input type="checkbox" onclick="return false">Statement</label>'],
    [
      'a group that chooses the other one again',
      '<label><input type="radio" name="a" checked>Other</label><label><input type="radio" name="a" onchange="document.querySelector(`input`).checked = true">Statement</label>',
    ],
  ] as const)
    test(`is told as nothing that can be seen: ${name}`, async ({ page, site }) => {
      await show(page, site, markup)
      expect(await click(page, 'Statement')).toMatchObject({
        clicked: expect.stringContaining('"Statement"'),
        changed: false,
        changes: expect.stringContaining('Only the focus moved'),
      })
    })
})

test('what opens a menu by a right click is listed as that, and may be a heading', async ({ page, site }) => {
  await show(
    page,
    site,
    `<style>.file { cursor: context-menu }</style>
     <div class="file">report.pdf <b>3 MB</b></div><p oncontextmenu="hits.push('menu'); return false">Show password</p>
     <p oncontextmenu="return false">Only a text</p><img alt="A cat" width="80" height="80" oncontextmenu="event.preventDefault(); return false">
     <section id="area"><h2>Vault</h2></section>`,
  )
  await page.evaluate(() => {
    const { hits } = window as unknown as { hits: string[] }
    document.getElementById('area')!.addEventListener('contextmenu', () => hits.push('area'))
  })
  const read = await call<string>(page, 'page_read')
  expect(read.replaceAll(/e\d+/g, 'e')).toContain(
    '- clickable "report.pdf 3 MB" [ref=e] [right click]\n- clickable "Show password" [ref=e] [right click]\n- text: Only a text\n',
  )
  for (const target of ['Show password', 'Vault'])
    expect(await call(page, 'page_click', { target, how: 'right' })).toMatchObject({ how: 'Right-clicked' })
  expect(await hits(page)).toEqual(['menu', 'area'])
  expect(await click(page, 'Vault')).toMatchObject({ error: 'invalid-input' })
})
