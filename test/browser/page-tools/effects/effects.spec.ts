// What an action is predicted to do, and what is stopped while it runs.
import { act, forecast, show } from '../../../support/page/effects.js'
import { expect, test } from '../../../support/page/one-page.js'
import { open } from '../../../support/page/page-tools-call.js'

test.beforeEach(async ({ page, site }) => {
  await open(page, `${site}/test/pages/page-tools/act-click.html`)
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
})

const rows = (buttons: string): string =>
  `<table><tr><td>Slack</td><td>${buttons}</td></tr><tr><td>Zoom</td><td><button>Open</button></td></tr></table>`

test.describe('a click', () => {
  for (const [effect, target, html] of [
    ['view', 'Menu', '<button aria-haspopup=menu aria-expanded=false>Menu</button>'],
    ['view', 'More', '<details><summary>More</summary>text</details>'],
    ['view', 'Help', '<button popovertarget=p>Help</button><div popover id=p>text</div>'],
    [
      'view',
      'Files',
      '<div role=tablist><button role=tab aria-selected=true>Home</button><button role=tab>Files</button></div><div role=tabpanel>x</div>',
    ],
    [
      'view',
      'Part two',
      '<h3><button aria-expanded=false aria-controls=x>Part two</button></h3><div id=x hidden>x</div>',
    ],
    ['view', 'Price', '<table><thead><tr><th aria-sort=none><button>Price</button></th></tr></thead></table>'],
    ['view', '2', '<nav aria-label=Pagination><button>1</button><button>2</button></nav>'],
    ['view', 'Next', '<p><button>Previous</button> Page 1 <button>Next</button></p>'],
    ['unknown', 'Next', '<p><button>Back</button> Step 1 <button>Next</button></p>'],
    ['unknown', 'Next', '<p><button>Previous</button> Page 1 <input aria-label=Name> <button>Next</button></p>'],
    ['view', 'More', '<p><button aria-haspopup=menu>More</button></p><div role=menu hidden></div>'],
    ['unknown', 'More', '<p><button aria-haspopup=menu>More</button></p><div hidden></div>'],
    ['view', 'Close', '<div role=dialog aria-label=Hi>Hello <button>Close</button></div>'],
    [
      'view',
      'Cancel',
      '<div role=dialog aria-label="Delete it?">Really? <button>Cancel</button><button>Delete</button></div>',
    ],
    ['view', 'Delete …', '<button aria-haspopup=dialog aria-expanded=false>Delete …</button>'],
    ['destroy', 'Delete', '<button aria-haspopup=dialog aria-expanded=false>Delete</button>'],
    ['destroy', 'Delete…', '<button>Delete…</button>'],
    ['send', 'Share', '<button aria-haspopup=dialog>Share</button>'],
    ['view', 'Settings', '<button aria-haspopup=dialog>Settings</button>'],
    ['view', 'Edit', '<button commandfor=e command=show-modal>Edit</button><dialog id=e>Name</dialog>'],
    ['view', 'Rename…', '<button>Rename…</button>'],
    ['view', 'Umbenennen ...', '<div role=menu><div role=menuitem>Umbenennen ...</div></div>'],
    ['unknown', 'Where we said…', '<div style="cursor:pointer" onclick="0">Where we said…</div>'],
    ['unknown', '…', '<button>…</button>'],
    ['view', 'Chapter', '<a href="#c">Chapter</a><h2 id=c>Chapter</h2>'],
    ['view', 'Text', '<label>Text <input></label>'],
    ['value', 'News', '<label><input type=checkbox>News</label>'],
    ['value', 'Send me mails', '<label><input type=checkbox>Send me mails</label>'],
    ['value', 'Dark', '<button role=switch aria-checked=false>Dark</button>'],
    ['unknown', 'Dark', '<button role=switch>Dark</button>'],
    ['value', '+', '<div><button>−</button> 2 <button>+</button></div>'],
    ['unknown', '+', '<div><button>+</button> 2</div>'],
    ['go', 'Orders', '<a href="/orders">Orders</a>'],
    ['unknown', 'Top', '<a href="#%">Top</a>'],
    ['unknown', 'Archive', '<table><tr><th scope=row><button>Archive</button></th><td>1</td></tr></table>'],
    ['unknown', 'Archive', '<table><tr><th><button>Archive</button></th><td>1</td></tr></table>'],
    [
      'unknown',
      'Login fails on Safari again',
      '<div style="cursor:pointer" onclick="0">Login fails on Safari again</div>',
    ],
    ['unknown', 'Archive', '<button>Archive</button>'],
    ['unknown', 'Menu', '<button aria-expanded=false>Menu</button>'],
    ['unknown', 'Files', '<button role=tab>Files</button>'],
    ['unknown', 'Card', '<div style="cursor:pointer" onclick="0">Card</div>'],
    ['unknown', 'Run', '<a href="javascript:void 0">Run</a>'],
    ['unknown', 'Find', '<form action="/find"><input name=q><button>Find</button></form>'],
    ['send', 'Save', '<button>Save</button>'],
    ['send', 'Speichern', '<button>Speichern</button>'],
    ['send', 'Go', '<form method=post action="/x"><button>Go</button></form>'],
    ['send', 'Save', '<form><input name=q><button>Save</button></form>'],
    ['send', 'Log out', '<a href="/logout">Log out</a>'],
    ['destroy', 'Delete', '<button>Delete</button>'],
    ['destroy', 'Pay now', '<form method=post action="/x"><button>Pay now</button></form>'],
    ['destroy', '削除', '<button>削除</button>'],
    ['destroy', 'Cancel subscription', '<button>Cancel subscription</button>'],
    ['destroy', 'Yes', '<div role=alertdialog aria-label="Delete Ann?"><p>Delete Ann?</p><button>Yes</button></div>'],
    ['destroy', 'Trash it', '<a href="/items/5/delete">Trash it</a>'],
    ['destroy', 'Delete menu', '<button aria-haspopup=menu aria-expanded=false>Delete menu</button>'],
    ['outside', 'Help', '<a href="https://help.example/">Help</a>'],
    ['outside', 'Mail', '<a href="mailto:a@b.example">Mail</a>'],
    ['outside', 'Get', '<a href="/file" download>Get</a>'],
    ['outside', 'Back', '<a href="/go?next=https://evil.example/">Back</a>'],
    ['outside', 'Go', '<form method=post action="https://evil.example/"><button>Go</button></form>'],
  ] as const)
    test(`${effect}: ${target} of ${html.slice(0, 60)}`, async ({ page }) => {
      await show(page, html)
      if (target === 'Find')
        await act(page, 'form_fill', { fields: [{ field: 'q', value: 'x' }] }, { effect: 'value', by: 'rule' })
      const { effect: found, preview } = await forecast(page, 'page_click', { target })
      expect(found).toBe(effect)
      expect(preview).toMatchObject({ effect })
    })

  test('its question names the row, and a task can cover it only if its name does not send', async ({ page }) => {
    await show(page, rows('<button>Archive</button> <button>Save</button> <button aria-label=""></button>'))
    const archive = await forecast(page, 'page_click', { target: 'Archive' })
    expect(archive.preview).toMatchObject({ in: 'Slack', task: { covers: 'unknown' } })
    expect((await forecast(page, 'page_click', { target: 'Save' })).preview['task']).toBeUndefined()
  })

  test('a link that would lose input says so', async ({ page }) => {
    await show(page, '<form method=post><label>Name <input></label></form><a href="/orders">Orders</a>')
    expect((await forecast(page, 'page_click', { target: 'Orders' })).preview['loses']).toBeUndefined()
    await act(page, 'form_fill', { fields: [{ field: 'Name', value: 'Ann' }] }, { effect: 'value', by: 'rule' })
    expect((await forecast(page, 'page_click', { target: 'Orders' })).preview['loses']).toBe(true)
  })

  test('an attribute of the page raises a class and never lowers it', async ({ page }) => {
    await show(
      page,
      '<button data-tool-agent-effect=destroy>Archive</button><button data-tool-agent-effect=view>Delete</button>',
    )
    expect((await forecast(page, 'page_click', { target: 'Archive' })).effect).toBe('destroy')
    expect((await forecast(page, 'page_click', { target: 'Delete' })).effect).toBe('destroy')
  })
})

test.describe('keys and addresses', () => {
  for (const [effect, key, html] of [
    ['view', 'Escape', '<button id=x>Open</button>'],
    ['view', 'ArrowDown', '<ul role=menu><li role=menuitem tabindex=0 id=x>Open</li></ul>'],
    ['value', 'ArrowUp', '<input id=x aria-label=Open type=range>'],
    ['value', 'a', '<input id=x aria-label=Open>'],
    ['value', '5', '<input id=x aria-label=Open type=number>'],
    ['value', 'Backspace', '<input id=x aria-label=Open type=number role=spinbutton>'],
    ['value', 'ArrowUp', '<input id=x aria-label=Open type=number>'],
    ['value', '1', '<input id=x aria-label=Open type=date>'],
    ['value', 'Delete', '<input id=x aria-label=Open type=time>'],
    ['unknown', 'a', '<input id=x aria-label=Open role=slider>'],
    ['unknown', 'a', '<div id=x tabindex=0 role=application aria-label=Open>mail</div>'],
    ['destroy', 'Delete', '<div role=list><div id=x tabindex=0 role=listitem aria-label=Open>mail</div></div>'],
    ['unknown', 'Control+Enter', '<textarea id=x aria-label=Open></textarea>'],
    ['destroy', 'Enter', '<button id=x aria-label=Open>Delete it</button>'.replace('aria-label=Open', '')],
  ] as const)
    test(`${key} on ${html.slice(0, 50)}: ${effect}`, async ({ page }) => {
      await show(page, html)
      await page.locator('#x').focus()
      expect((await forecast(page, 'page_press', { key })).effect).toBe(effect)
    })

  test('an address of a link is `go`, one that the model made is unknown', async ({ page }) => {
    await show(page, '<a href="/orders?page=2">Next</a>')
    expect((await forecast(page, 'page_navigate', { url: '/orders?page=2' })).effect).toBe('go')
    expect((await forecast(page, 'page_navigate', { url: '/orders?page=2&x=Ann' })).effect).toBe('unknown')
    expect((await forecast(page, 'page_navigate', { url: 'https://else.example/' })).effect).toBe('outside')
  })
})

test.describe('while an action runs', () => {
  const view = { effect: 'view', by: 'rule' }
  const value = { effect: 'value', by: 'rule' }
  const menu = '<button id=b aria-haspopup=menu aria-expanded=false>Menu</button>'

  for (const [what, script, stopped] of [
    [
      'a request',
      "fetch('/orders', { method: 'POST' }).catch(() => {})",
      { does: 'request', method: 'POST', url: '/orders' },
    ],
    ['a deletion', "fetch('/orders/5', { method: 'DELETE' }).catch(() => {})", { effect: 'destroy', method: 'DELETE' }],
    [
      'a microtask',
      "void (async () => { for (let i = 0; i < 20; i++) await null; fetch('/orders', { method: 'PUT' }).catch(() => {}) })()",
      { method: 'PUT' },
    ],
    [
      'an XMLHttpRequest',
      "const x = new XMLHttpRequest(); x.open('POST', '/x'); x.onerror = () => { document.title = 'failed ' + x.status }; x.send('a')",
      { method: 'POST', url: '/x' },
    ],
    [
      'a beacon that pays',
      "document.title = String(navigator.sendBeacon('/api/payments', 'x'))",
      { effect: 'destroy', url: '/api/payments' },
    ],
    ['a window', "document.title = String(window.open('https://else.example/'))", { does: 'open', effect: 'outside' }],
    ['a submission', 'document.forms[0].submit()', { does: 'submit', method: 'POST' }],
    ['a requested submission', 'document.forms[0].requestSubmit()', { does: 'submit' }],
    [
      'a mutation of GraphQL',
      "fetch('/graphql', { method: 'POST', body: JSON.stringify({ operationName: 'deleteIssue', query: 'mutation deleteIssue { x }' }) }).catch(() => {})",
      { effect: 'destroy', operation: 'deleteIssue' },
    ],
  ] as const)
    test(`${what} above the class is stopped, and does not reach the server`, async ({ page, site }) => {
      const sent: string[] = []
      page.on('request', (request) => {
        if (request.method() !== 'GET') sent.push(request.url())
      })
      await show(
        page,
        `${menu}<form method=post action="/sent"></form>`,
        `document.querySelector('#b').onclick = () => { ${script} }`,
      )
      const answer = await act(page, 'page_click', { target: 'Menu' }, view)
      expect(answer).toMatchObject({ error: 'needs-approval', details: { stopped: [stopped] } })
      expect(page.url()).toContain(site)
      expect(sent).toEqual([])
    })

  test('a step in the history that leaves the site is stopped, and one to a route of the page is not', async ({
    page,
    site,
  }) => {
    await page.route('https://else.example/*', (route) =>
      route.fulfill({ contentType: 'text/html', body: 'Elsewhere' }),
    )
    await page.goto('https://else.example/from')
    await open(page, `${site}/test/pages/page-tools/act-click.html`)
    const go = (step: string): Promise<void> =>
      show(page, menu, `document.querySelector('#b').onclick = () => { ${step} }`)
    for (const [step, stopped] of [
      ['history.back()', { effect: 'outside', does: 'go' }],
      ['history.go(-1)', { effect: 'outside', does: 'go' }],
      ['history.go()', { effect: 'go', does: 'go' }],
    ] as const) {
      await go(step)
      const answer = await act(page, 'page_click', { target: 'Menu' }, view)
      expect(answer, step).toMatchObject({ error: 'needs-approval', details: { stopped: [stopped] } })
    }
    expect(page.url()).toContain(site)
    const { preview } = await forecast(page, 'page_click', { target: 'Menu' }, [{ effect: 'outside', does: 'go' }])
    expect(preview).toMatchObject({ effect: 'outside' })

    await go("history.pushState({}, '', '#/orders'); history.back()")
    expect(await act(page, 'page_click', { target: 'Menu' }, view)).not.toHaveProperty('error')
    await expect.poll(() => page.evaluate(() => location.hash)).toBe('')

    await go('setTimeout(() => history.back(), 0)')
    void act(page, 'page_click', { target: 'Menu' }, { effect: 'outside', by: 'user' }).catch(() => undefined)
    await page.waitForURL('https://else.example/from')
  })

  // Tests share a page.
  test.afterEach(({ page }) => page.context().unrouteAll())
  const elsewhere = 'https://else.example/x?d=1'
  const left = { effect: 'outside', site: 'https://else.example' }
  for (const [what, script, stopped] of [
    [
      'a link in a new tab whose listener ends the event',
      `link.onclick = (event) => event.stopPropagation(); link.click()`,
      { ...left, does: 'open' },
    ],
    [
      'a link in a new tab, where a listener around it ends the event',
      `document.addEventListener('click', (event) => { if (event.target === link) event.stopImmediatePropagation() }, true)
       link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))`,
      { ...left, does: 'open' },
    ],
    [
      'a link in a new tab whose listener ends the event in the old way',
      `link.onclick = (event) => { event.cancelBubble = true }; link.click()`,
      { ...left, does: 'open' },
    ],
    [
      'a download whose listener ends the event',
      `link.target = ''; link.href = '/file'; link.download = 'f'; link.onclick = (event) => event.stopPropagation(); link.click()`,
      { effect: 'outside', does: 'download' },
    ],
    [
      'a form that is sent to a new tab, whose listener ends the event',
      `form.onsubmit = (event) => event.stopPropagation(); form.requestSubmit()`,
      { ...left, does: 'submit', method: 'POST' },
    ],
    [
      'a form of this site in a new tab, whose listener ends the event',
      `form.action = '/sent'; form.onsubmit = (event) => event.stopImmediatePropagation(); form.requestSubmit()`,
      { effect: 'send', does: 'submit', method: 'POST' },
    ],
    [
      'a link that is in no document',
      `const own = document.createElement('a'); own.href = '${elsewhere}'; own.target = '_blank'; own.click()`,
      { ...left, does: 'open' },
    ],
    [
      'a link in a part that is in no document, and whose listener ends the event',
      `const part = document.createElement('div'), own = link; part.append(own); own.onclick = (event) => event.stopPropagation()
       own.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))`,
      { ...left, does: 'open' },
    ],
    [
      'a link by an event that does not bubble',
      `link.dispatchEvent(new MouseEvent('click', { cancelable: true }))`,
      { ...left, does: 'open' },
    ],
    [
      'a link in an open shadow root by an event that stays there',
      `const root = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' }); root.append(link)
       root.firstChild.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))`,
      { ...left, does: 'open' },
    ],
    [
      'a link in a closed shadow root',
      `const inner = inside('<a href="${elsewhere}" target=_blank>There</a>'); inner.click()`,
      { ...left, does: 'open' },
    ],
    [
      'a link in a closed shadow root in another one, by an event that does not bubble',
      `const own = document.createElement('span'); inside('<i></i>').append(own)
       const root = own.attachShadow({ mode: 'closed' }); root.innerHTML = '<a href="${elsewhere}" target=_blank><u>There</u></a>'
       root.firstChild.dispatchEvent(new MouseEvent('click', { cancelable: true }))`,
      { ...left, does: 'open' },
    ],
    [
      'a link in a closed shadow root, around what is clicked, whose listener ends the event',
      `const inner = inside('<a href="${elsewhere}" target=_blank><u>There</u></a>'); inner.onclick = (event) => event.stopPropagation()
       inner.firstChild.click()`,
      { ...left, does: 'open' },
    ],
    [
      'a link that a listener in a closed shadow root makes',
      `const inner = inside('<button>Go</button>')
       inner.onclick = () => { const own = document.createElement('a'); own.href = '${elsewhere}'; own.target = '_blank'; inner.after(own); own.click() }
       inner.click()`,
      { ...left, does: 'open' },
    ],
    [
      'a window that a listener in a closed shadow root opens',
      `const inner = inside('<button>Go</button>'); inner.onclick = () => open('${elsewhere}'); inner.click()`,
      { ...left, does: 'open' },
    ],
    [
      'a form in a closed shadow root that is sent to a new tab',
      `inside('<form method=post target=_blank action="${elsewhere}"><input name=n value=secret></form>').requestSubmit()`,
      { ...left, does: 'submit', method: 'POST' },
    ],
    [
      'a form in a closed shadow root whose button is clicked',
      `inside('<form method=post target=_blank action="${elsewhere}"><button name=n>Send</button></form>').firstChild.click()`,
      { ...left, does: 'submit', method: 'POST' },
    ],
    [
      'a form in a closed shadow root whose button is clicked from a label',
      `inside('<label>L<input type=submit form=f></label>').after(Object.assign(document.createElement('form'), { id: 'f', method: 'post', target: '_blank', action: '${elsewhere}' }))
       closed.querySelector('label').click()`,
      { ...left, does: 'submit', method: 'POST' },
    ],
  ] as const)
    test(`${what} is stopped`, async ({ page }) => {
      const asked: string[] = []
      const context = page.context()
      await context.route('**/*', async (route) => {
        asked.push(route.request().url())
        await route.fulfill({ body: '' })
      })
      await show(
        page,
        `${menu}<a id=link href="${elsewhere}" target=_blank>There</a>
         <form id=form method=post target=_blank action="${elsewhere}"><input name=n value=secret></form>`,
        `let closed
         const inside = (html) => {
           const host = document.createElement('div')
           document.body.append(host)
           closed = host.attachShadow({ mode: 'closed' })
           closed.innerHTML = html
           return closed.firstChild
         }
         document.querySelector('#b').onclick = () => { ${script} }`,
      )
      const answer = await act(page, 'page_click', { target: 'Menu' }, view)
      expect(answer).toMatchObject({ error: 'needs-approval', details: { stopped: [stopped] } })
      expect(asked).toEqual([])
      expect(context.pages()).toHaveLength(1)
    })

  test('a link in a closed shadow root that the page cancels is a router, and nothing was stopped', async ({
    page,
  }) => {
    await show(
      page,
      `${menu}<div id=host></div>`,
      `const root = host.attachShadow({ mode: 'closed' })
       root.innerHTML = '<a href="${elsewhere}" target=_blank>There</a>'
       host.onclick = (event) => { document.title = String(event.defaultPrevented); event.preventDefault() }
       document.querySelector('#b').onclick = () => root.firstChild.click()`,
    )
    expect(await act(page, 'page_click', { target: 'Menu' }, view)).not.toHaveProperty('error')
    await expect(page).toHaveTitle('false')
  })

  // An image is no base of an address, so a relative one seems to be none at all.
  const near = { effect: 'outside', site: 'http://else.example' }
  for (const [what, script, stopped] of [
    [
      'a request',
      `fetch('//else.example/orders', { method: 'POST' }).catch(() => {})`,
      { ...near, does: 'request', method: 'POST', url: 'http://else.example/orders' },
    ],
    [
      'a request of this site',
      `fetch('orders', { method: 'POST' }).catch(() => {})`,
      { does: 'request', method: 'POST', url: '/test/pages/page-tools/orders' },
    ],
    ['a beacon', `navigator.sendBeacon('pay', 'x')`, { method: 'POST', url: '/test/pages/page-tools/pay' }],
    [
      'an XMLHttpRequest',
      `const own = new XMLHttpRequest(); own.open('DELETE', 'orders/5'); own.send()`,
      { effect: 'destroy', url: '/test/pages/page-tools/orders/5' },
    ],
    ['a window', `open('//else.example/x')`, { ...near, does: 'open' }],
    ['a link', `link.click()`, { ...near, does: 'open' }],
    ['a submission', `form.submit()`, { does: 'submit', method: 'POST', url: '/sent' }],
  ] as const)
    test(`${what} is stopped where elements have the names baseURI and URL`, async ({ page }) => {
      const sent: string[] = []
      await page.context().route('**/*', async (route) => {
        sent.push(route.request().url())
        await route.fulfill({ body: '' })
      })
      await show(
        page,
        `${menu}<a id=link href="//else.example/x" target=_blank>There</a><form id=form method=post action="/sent"></form>
         <img name=baseURI><img name=URL><form name=defaultView></form>`,
        `document.querySelector('#b').onclick = () => { ${script} }`,
      )
      expect(await page.evaluate(() => typeof document.baseURI)).toBe('object')
      sent.length = 0
      expect(await act(page, 'page_click', { target: 'Menu' }, view)).toMatchObject({
        error: 'needs-approval',
        details: { stopped: [stopped] },
      })
      expect(sent).toEqual([])
    })

  test('a listener that ends an event and cancels it is a router, and sees what it did', async ({ page }) => {
    await show(
      page,
      `${menu}<a id=link href="${elsewhere}" target=_blank>There</a><form id=form method=post action="${elsewhere}"></form>`,
      `const seen = []
       link.onclick = (event) => { event.stopPropagation(); seen.push(event.defaultPrevented); event.preventDefault(); seen.push(event.defaultPrevented) }
       form.onsubmit = (event) => { event.stopPropagation(); seen.push(event.defaultPrevented); event.returnValue = false; seen.push(event.defaultPrevented) }
       document.querySelector('#b').onclick = () => { link.click(); form.requestSubmit(); document.title = String(seen) }`,
    )
    expect(await act(page, 'page_click', { target: 'Menu' }, view)).not.toHaveProperty('error')
    await expect(page).toHaveTitle('false,true,false,true')
  })

  test('what the user allowed opens, also if a listener ends the event', async ({ page }) => {
    const context = page.context()
    await context.route('https://else.example/**', (route) => route.fulfill({ body: 'There' }))
    await show(
      page,
      `${menu}<a id=link href="${elsewhere}" target=_blank>There</a>`,
      `link.onclick = (event) => event.stopPropagation()`,
    )
    await forecast(page, 'page_click', { target: 'There' })
    const opened = context.waitForEvent('page')
    expect(await act(page, 'page_click', { target: 'There' }, { effect: 'outside', by: 'user' })).not.toHaveProperty(
      'error',
    )
    expect((await opened).url()).toBe(elsewhere)
  })

  for (const [when, send] of [
    ['while the page is watched', 'setTimeout(() => x.send(), 200)'],
    ['after the answer', 'window.sendLate = () => x.send()'],
  ] as const)
    test(`an XMLHttpRequest that the action opened is not sent ${when}`, async ({ page }) => {
      const sent: string[] = []
      page.on('request', (request) => {
        if (request.method() !== 'GET') sent.push(request.url())
      })
      await show(
        page,
        menu,
        `document.querySelector('#b').onclick = () => {
           const x = new XMLHttpRequest()
           x.onerror = () => { document.title = 'failed' }
           x.open('POST', '/orders')
           ${send}
         }`,
      )
      const answer = await act(page, 'page_click', { target: 'Menu' }, view)
      await page.evaluate(() => (window as { sendLate?: () => void }).sendLate?.())
      await expect(page).toHaveTitle('failed')
      expect(sent).toEqual([])
      if (when === 'while the page is watched')
        expect(answer).toMatchObject({ error: 'needs-approval', details: { stopped: [{ url: '/orders' }] } })
      // What it was seen to do: the next press asks first.
      expect((await forecast(page, 'page_click', { target: 'Menu' })).effect).toBe('send')
      if (when === 'after the answer') return
      const again = await act(page, 'page_click', { target: 'Menu' }, { effect: 'send', by: 'user' })
      expect(again.changes).toContain('sent: POST /orders')
    })

  test('what failed fails as if offline', async ({ page }) => {
    await show(
      page,
      menu,
      `document.querySelector('#b').onclick = () => fetch('/x', { method: 'POST' }).catch((error) => { document.title = error.name + ': ' + error.message })`,
    )
    await act(page, 'page_click', { target: 'Menu' }, view)
    await expect(page).toHaveTitle('TypeError: Failed to fetch')
  })

  test('queries, usual requests, and what a value saves are not stopped', async ({ page }) => {
    await show(
      page,
      `${menu}<label>Name <input id=n></label>`,
      `document.querySelector('#b').onclick = () => {
         fetch('/graphql', { method: 'POST', body: JSON.stringify({ query: 'query list { x }' }) })
         fetch('/beat', { method: 'POST' })
       }
       document.querySelector('#n').onchange = () => fetch('/save', { method: 'PATCH' })`,
    )
    await page.evaluate(() => fetch('/beat', { method: 'POST' }))
    expect(await act(page, 'page_click', { target: 'Menu' }, view)).not.toHaveProperty('error')
    expect(await act(page, 'form_fill', { fields: [{ field: 'Name', value: 'Ann' }] }, value)).not.toHaveProperty(
      'error',
    )
    await page.evaluate(() => {
      document.querySelector<HTMLInputElement>('#n')!.onchange = () =>
        void fetch('/save', { method: 'DELETE' }).catch(() => undefined)
    })
    expect(await act(page, 'form_fill', { fields: [{ field: 'Name', value: 'Bob' }] }, value)).toMatchObject({
      error: 'needs-approval',
    })
  })

  for (const [what, before, later] of [
    [
      'another operation at the same address',
      `fetch('/rpc', { method: 'POST', body: '{"op":"like"}' })`,
      `fetch('/rpc', { method: 'POST', body: '{"op":"leave"}' })`,
    ],
    [
      'another operation that no word tells, in a field of any name',
      `fetch('/rpc', { method: 'POST', body: '{"m":"list","at":1}' })`,
      `fetch('/rpc', { method: 'POST', body: '{"m":"handOver","at":1}' })`,
    ],
    [
      'a query makes no mutation usual',
      `fetch('/graphql', { method: 'POST', body: JSON.stringify({ query: 'query me { x }' }) })`,
      `fetch('/graphql', { method: 'POST', body: JSON.stringify({ query: 'mutation rename { x }' }) })`,
    ],
    [
      'what deletes, though the page does it all the time',
      `fetch('/rows/1', { method: 'DELETE' })`,
      `fetch('/rows/1', { method: 'DELETE' })`,
    ],
    [
      'reading from another site makes it no place to send to',
      `fetch('https://else.example/me').catch(() => {})`,
      `fetch('https://else.example/me', { method: 'POST' }).catch(() => {})`,
    ],
    [
      'another address of a site that it sends to',
      `fetch('https://else.example/me', { method: 'POST' }).catch(() => {})`,
      `fetch('https://else.example/orders', { method: 'POST' }).catch(() => {})`,
    ],
    [
      'the state of a whole application',
      `fetch('/rpc', { method: 'POST', body: JSON.stringify({ rows: 'x'.repeat(3_000) }) })`,
      `fetch('/rpc', { method: 'POST', body: JSON.stringify({ rows: 'y'.repeat(3_000) }) })`,
    ],
  ] as const)
    test(`is not usual: ${what}`, async ({ page }) => {
      await page.route(/\/(rpc|graphql|rows|me)/, (route) => route.fulfill({ json: {} }))
      await show(page, menu, `document.querySelector('#b').onclick = () => { ${later}.catch(() => {}) }`)
      await page.evaluate(`${before}.then(() => {})`)
      expect(await act(page, 'page_click', { target: 'Menu' }, view)).toMatchObject({ error: 'needs-approval' })
    })

  test('telemetry passes and is told, unless it carries what the assistant wrote', async ({ page }) => {
    await page.route(/\/(collect|api\/event)/, (route) => route.fulfill({ json: {} }))
    const events = `
      navigator.sendBeacon('/collect', 'en=press&to=' + encodeURIComponent(n.value))
      fetch('https://stats.example/collect', { method: 'POST', mode: 'no-cors', body: 'en=press' }).catch(() => {})
      fetch('/t/api/event', { method: 'POST', body: JSON.stringify({ n: 'press', u: location.href, d: 'x' }) })`
    await show(page, `${menu}<label>Name <input id=n></label>`, `b.onclick = () => { ${events} }`)
    // Its view of the page goes there, too.
    await page.evaluate(() => navigator.sendBeacon('https://stats.example/collect?en=view'))
    const { changes } = await act(page, 'page_click', { target: 'Menu' }, view)
    expect(changes).toContain('telemetry: /collect, https://stats.example/collect, /t/api/event')
    expect(changes).not.toContain('sent:')
    await act(page, 'form_fill', { fields: [{ field: 'Name', value: 'Ada Lovelace' }] }, value)
    expect(await act(page, 'page_click', { target: 'Menu' }, view)).toMatchObject({
      error: 'needs-approval',
      details: { stopped: [{ url: '/collect' }] },
    })
  })

  test('is not usual: what the visitor did by a press of their own', async ({ page }) => {
    await page.route('**/rpc', (route) => route.fulfill({ json: {} }))
    const post = "fetch('/rpc', { method: 'POST', body: '{}' }).catch(() => {})"
    await show(page, `${menu}<button id=own>Own</button>`, `b.onclick = own.onclick = () => { ${post} }`)
    await page.locator('#own').click()
    expect(await act(page, 'page_click', { target: 'Menu' }, view)).toMatchObject({ error: 'needs-approval' })
  })

  test('a fill sends no form, follows no menu, opens no window, and chooses no command', async ({ page, site }) => {
    const requests: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() !== 'script') requests.push(`${request.method()} ${request.url()}`)
    })
    await show(
      page,
      `<form method=post action="https://else.example/"><label>Name <input name=n></label>
         <label>Country <select onchange="form.submit()"><option>A<option>B</select></label></form>
       <label>Jump <select onchange="location.href = '/jumped'"><option>x<option>y</select></label>
       <label>Pop <select onchange="window.open('/popped')"><option>x<option>y</select></label>`,
    )
    for (const [field, value_] of [
      ['Country', 'B'],
      ['Jump', 'y'],
      ['Pop', 'y'],
    ]) {
      const answer = await act(page, 'form_fill', { fields: [{ field, value: value_ }] }, value)
      expect(answer, field).toMatchObject({ error: 'needs-approval' })
    }
    expect(page.url()).toBe(`${site}/test/pages/page-tools/act-click.html`)
    expect(requests).toEqual([])
  })

  test('after the answer of the user the same call may do it, and says what was sent', async ({ page }) => {
    await page.route('**/orders', (route) => route.fulfill({ status: 201, body: '' }))
    await show(
      page,
      menu,
      `document.querySelector('#b').onclick = () => { fetch('/orders', { method: 'POST' }).catch(() => {}) }`,
    )
    const first = await act(page, 'page_click', { target: 'Menu' }, view)
    const stopped = first.details?.stopped ?? []
    const again = await forecast(page, 'page_click', { target: 'Menu' }, stopped)
    expect(again).toMatchObject({
      effect: 'send',
      preview: { stopped, task: { covers: 'send', method: 'POST', url: '/orders', control: 'button "Menu"' } },
    })
    const done = await act(page, 'page_click', { target: 'Menu' }, { effect: 'send', by: 'user' })
    expect(done.changes).toContain('sent: POST /orders, 201')
    // What was allowed once is not allowed again.
    expect(await act(page, 'page_click', { target: 'Menu' }, view)).toMatchObject({ error: 'needs-approval' })
  })

  test('a grant for the task covers the same control, and the same request of it', async ({ page }) => {
    await page.route('**/api/*', (route) => route.fulfill({ status: 201, body: '' }))
    await show(
      page,
      rows('<button class=b>Star</button>').replace('Open', 'Star'),
      `for (const one of document.querySelectorAll('button'))
        one.onclick = () => fetch(window.address ?? '/api/star', { method: 'POST', body: window.body }).catch(() => {})`,
    )
    const star = (place: string) => ({ target: `Star in ${place}` })
    const stopped = [{ effect: 'send', does: 'request', method: 'POST', url: '/api/star' }]
    const first = await forecast(page, 'page_click', star('Slack'), stopped)
    const task = { covers: 'send', method: 'POST', url: '/api/star', control: 'button "Star" in "Slack"' }
    expect(first.preview).toMatchObject({ task })
    const granted = { effect: 'send', by: 'task' }
    await act(page, 'page_click', star('Slack'), { effect: 'send', by: 'user' })
    // It is known by now what the control sends, so the check finds the grant.
    expect((await forecast(page, 'page_click', star('Slack'))).preview['task']).toEqual(task)
    expect((await act(page, 'page_click', star('Slack'), granted)).changes).toContain('sent: POST /api/star, 201')
    // Another row has another scope.
    expect((await forecast(page, 'page_click', star('Zoom'), stopped)).preview['task']).not.toEqual(task)
    for (const change of ["window.address = '/api/pin'", "window.address = undefined; window.body = 'op=pin'"]) {
      await page.evaluate(change)
      await forecast(page, 'page_click', star('Slack'))
      expect(await act(page, 'page_click', star('Slack'), granted), change).toMatchObject({ error: 'needs-approval' })
    }
  })

  test('what the page did on both attempts of a call is told, so that it can be corrected', async ({ page }) => {
    await page.route('**/shapes', (route) => route.fulfill({ status: 200, body: '' }))
    const more = '<label>X <input id="x" type="number" value="120"></label>'
    await show(
      page,
      menu + more,
      `document.querySelector('#b').onclick = () => {
        const x = document.querySelector('#x')
        x.value = Number(x.value) + 10
        fetch('/shapes', { method: 'PUT' }).catch(() => {})
      }`,
    )
    expect(await act(page, 'page_click', { target: 'Menu' }, view)).toMatchObject({ error: 'needs-approval' })
    const { changes } = await act(page, 'page_click', { target: 'Menu' }, { effect: 'send', by: 'user' })
    expect(changes).toMatch(/may have happened twice\..*After the first time it was:\n- spinbutton "X".*: 130\n/s)
    expect(changes).toMatch(/new or changed:\n- spinbutton "X".*: 140/)
    // What changed on one attempt only needs no word.
    const next = await act(page, 'page_click', { target: 'Menu' }, { effect: 'send', by: 'user' })
    expect(next.changes).not.toContain('twice')
  })

  test('an allowed press of an unknown control may send, and a grant for the task may not', async ({ page }) => {
    await page.route('**/archive', (route) => route.fulfill({ status: 204, body: '' }))
    await show(
      page,
      '<button id=b>Archive</button>',
      `document.querySelector('#b').onclick = () => { fetch('/archive', { method: 'POST' }).catch(() => {}) }`,
    )
    expect(await act(page, 'page_click', { target: 'Archive' }, { effect: 'unknown', by: 'task' })).toMatchObject({
      error: 'needs-approval',
    })
    const allowed = await act(page, 'page_click', { target: 'Archive' }, { effect: 'unknown', by: 'user' })
    expect(allowed.changes).toContain('sent: POST /archive, 204')
  })

  for (const [what, deed, dialog, target, effect] of [
    ['a question that only asks again', 'Delete Ann', 'Delete Ann?', 'Yes, delete', 'destroy'],
    ['a question that only asks again, and a button that agrees', 'Delete Ann', 'Delete Ann?', 'OK', 'destroy'],
    [
      'a dialog with a field',
      'Transfer money',
      'Transfer <input aria-label=To value=Mallory>',
      'Transfer now',
      'destroy',
    ],
    ['a button that says something else', 'Remove from cart', 'Pay 9000 € to M?', 'Pay now', 'destroy'],
    ['what goes to others', 'Save draft', 'Publish to 4000 subscribers?', 'Publish now', 'send'],
    ['a dialog whose words do not say it', 'Remove selected', '2 products will be gone.', 'OK', 'destroy'],
    ['a dialog of boxes', 'Share report', 'Anyone on the internet', 'Share', 'send'],
  ] as const)
    test(`is a question of its own, though a press that was allowed has opened it: ${what}`, async ({ page }) => {
      const role = what.endsWith('boxes') ? '' : 'role=dialog aria-label=Question'
      await show(
        page,
        `<button id=b>${deed}</button><div ${role} hidden id=d><p>${dialog}</p> ` +
          `<button>Cancel</button><button id=c>${target}</button></div>`,
        `document.querySelector('#b').onclick = () => { document.querySelector('#d').hidden = false }
         document.querySelector('#c').onclick = () => { fetch('/deed', { method: 'POST' }).catch(() => {}) }`,
      )
      await forecast(page, 'page_click', { target: deed })
      await act(page, 'page_click', { target: deed }, { effect: 'destroy', by: 'user' })
      expect((await forecast(page, 'page_click', { target })).effect).toBe(effect)
      expect(await act(page, 'page_click', { target }, view)).toMatchObject({ error: 'needs-approval' })
    })

  test('a request that another frame has made is stopped as well', async ({ page, site }) => {
    const requests: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET') requests.push(request.url())
    })
    await show(
      page,
      `${menu}<iframe id=f></iframe>`,
      `document.querySelector('#b').onclick = () => {
         const { Request } = document.querySelector('#f').contentWindow
         fetch(new Request('${site}/orders', { method: 'POST' })).catch(() => {})
       }`,
    )
    expect(await act(page, 'page_click', { target: 'Menu' }, view)).toMatchObject({ error: 'needs-approval' })
    expect(requests).toEqual([])
  })

  const list = (field: string, id: string): string =>
    `${field}<ul role=listbox id=${id}><li role=option>Watch</li><li role=option>Pin</li></ul>`
  const postOnChoice = `for (const one of document.querySelectorAll('[role=option]'))
    one.onclick = () => { fetch('/act', { method: 'POST' }).catch(() => {}); document.title = one.textContent }`

  for (const [what, html] of [
    [
      'a list without a label',
      list('<input role=combobox aria-label=Action aria-controls=l aria-expanded=true> <input aria-label=Other>', 'l'),
    ],
    [
      'a palette',
      `<div role=dialog>${list('<input role=combobox aria-label=Action aria-controls=l aria-expanded=true>', 'l')}</div>`,
    ],
  ] as const)
    test(`a fill that chooses from ${what} may run a command: what it sends is stopped`, async ({ page }) => {
      const requests: string[] = []
      page.on('request', (request) => {
        if (request.method() !== 'GET') requests.push(request.url())
      })
      await show(page, html, postOnChoice)
      const input = { fields: [{ field: 'Action', value: 'Watch' }] }
      const answer = await act(page, 'form_fill', input, value)
      expect(answer).toMatchObject({ error: 'needs-approval' })
      // A palette closes with its command, so it asks before.
      expect(await page.title()).toBe(what === 'a palette' ? 'Clicks' : 'Watch')
      expect(requests).toEqual([])
    })

  test('a fill that chooses from a list with a label saves, and says so', async ({ page }) => {
    await page.route('**/act', (route) => route.fulfill({ status: 204, body: '' }))
    await show(
      page,
      list('<label>Action <input role=combobox aria-controls=l aria-expanded=true></label>', 'l'),
      postOnChoice,
    )
    const requested = page.waitForRequest('**/act')
    await act(page, 'form_fill', { fields: [{ field: 'Action', value: 'Watch' }] }, value)
    await requested
  })

  test('a question about a button in a dialog shows the values of the dialog', async ({ page }) => {
    await show(
      page,
      '<label>Other <input value=x></label><div role=dialog><label>To <input value=ada></label><label>Code <input type=password value=secret></label><button>Send</button></div>',
    )
    const { preview } = await forecast(page, 'page_click', { target: 'Send' })
    expect(preview['values']).toMatchObject([
      { field: 'To', value: 'ada' },
      { field: 'Code', private: true },
    ])
    expect(JSON.stringify(preview)).not.toContain('secret')
  })

  test('wrappers keep what the page can see of them', async ({ page }) => {
    const seen = await page.evaluate(async () => {
      const inside = document.createElement('iframe')
      document.body.append(inside)
      const { fetch: plain } = inside.contentWindow as unknown as typeof globalThis
      const answer = await fetch('/test/pages/page-tools/act-click.html')
      const request = new XMLHttpRequest()
      return {
        fetch: [fetch.name, fetch.length, answer.status] as const,
        plain: [plain.name, plain.length] as const,
        xhr: request instanceof XMLHttpRequest && request.open.name,
        submit: HTMLFormElement.prototype.submit.name,
      }
    })
    expect(seen).toEqual({ fetch: ['fetch', 1, 200], plain: ['fetch', 1], xhr: 'open', submit: 'submit' })
  })
})

test.describe('a value', () => {
  const value = { effect: 'value', by: 'rule' } as const
  for (const [what, html] of [
    ['a text area', '<textarea id=b aria-label=Message>I quit</textarea>'],
    ['an editor', '<div id=b contenteditable role=textbox aria-label=Message>I quit</div>'],
  ] as const)
    test(`Enter in ${what} that the page takes for itself sends, and Enter that writes a line does not`, async ({
      page,
    }) => {
      const sent: string[] = []
      await page.route('**/api/**', (route) => {
        sent.push(route.request().url())
        return route.fulfill({ json: {} })
      })
      const post = "fetch('/api/messages', { method: 'POST', body: 'I quit' }).catch(() => {})"
      await show(
        page,
        html,
        `b.onkeydown = (event) => { if (event.key === 'Enter') { event.preventDefault(); ${post} } }`,
      )
      const stopped = [{ effect: 'send', does: 'request', url: '/api/messages' }]
      expect(await act(page, 'page_press', { target: 'Message', key: 'Enter' }, value)).toMatchObject({
        error: 'needs-approval',
        details: { stopped },
      })
      expect(sent).toEqual([])
      await show(page, html, `b.oninput = () => { ${post} }`)
      const saved = await act(page, 'page_press', { target: 'Message', key: 'Enter' }, value)
      expect(saved).toMatchObject({ changes: expect.stringContaining('the page saved: POST /api/messages, 200') })
    })

  for (const [what, html, tool, input, option] of [
    [
      'an arrow key',
      '<label>Bulk action <select id=b><option>Choose<option>Delete all messages</select></label>',
      'page_press',
      { target: 'Bulk action', key: 'ArrowDown' },
      'Delete all messages',
    ],
    [
      'a fill',
      '<label>Bulk action <select id=b><option>Choose<option>Alle Nachrichten löschen</select></label>',
      'form_fill',
      { fields: [{ field: 'Bulk action', value: 'Alle Nachrichten löschen' }] },
      'Alle Nachrichten löschen',
    ],
    [
      'a fill of a box',
      '<label><input type=checkbox id=b>Pay the open invoice now</label>',
      'form_fill',
      { fields: [{ field: 'Pay the open invoice now', value: true }] },
      'Pay the open invoice now',
    ],
    [
      'a fill of a palette with a hidden label',
      '<div role=dialog aria-label="Command palette"><label for=i style="position:absolute;width:1px;height:1px;' +
        'overflow:hidden;clip-path:inset(50%)">Command menu</label><input id=i role=combobox aria-controls=l ' +
        'aria-expanded=true aria-autocomplete=list autocomplete=off><div id=l role=listbox aria-label=Suggestions>' +
        '<div role=option id=b aria-selected=true>Home</div><div role=option>Enter the void</div></div></div>',
      'form_fill',
      { fields: [{ field: 'Command menu', value: 'Enter the void' }] },
      'Enter the void',
    ],
  ] as const)
    test(`what says that it deletes or pays, or is a command, is not chosen without a question: ${what}`, async ({
      page,
    }) => {
      await show(page, html, "b.addEventListener('change', () => { document.title = 'changed' })")
      const answer = await act(page, tool, input, value)
      const failed = JSON.stringify(answer)
      expect(failed).toContain('needs-approval')
      expect(failed).toContain(option)
      expect(await page.title()).not.toBe('changed')
    })
})
