// Each way by which something leaves the page while an action runs: it is held, asked about, and then done once or not
// at all. The listeners of the page run once.
import type { Page } from 'playwright/test'
import { begin, goOn, show } from '../../../support/page/effects.js'
import { expect, test as withPage } from '../../../support/page/one-page.js'
import { open } from '../../../support/page/page-tools-call.js'
import { serveStatic, type StaticServer } from '../../../support/page/static-server.js'

/** What a server got. */
interface Arrived {
  readonly method: string
  readonly url: string
  readonly type: string
  readonly body: string
  readonly referer: string
}

const test = withPage.extend<object, { server: StaticServer & { readonly arrived: Arrived[] } }>({
  /** The site, with a server that notes what it gets under `/sent`. */
  server: [
    async ({ site }, use) => {
      const arrived: Arrived[] = []
      const server = await serveStatic({
        relay: { '': site },
        middleware: (request, response, next) => {
          if (!request.url?.startsWith('/sent')) return next()
          const chunks: Buffer[] = []
          request.on('data', (chunk: Buffer) => chunks.push(chunk))
          request.on('end', () => {
            const type = request.headers['content-type'] ?? ''
            const boundary = /boundary=(\S+)/.exec(type)?.[1] ?? '\0'
            arrived.push({
              method: request.method ?? '',
              url: request.url ?? '',
              type: type.replace(boundary, '-'),
              referer: request.headers.referer ?? '',
              body: Buffer.concat(chunks).toString('latin1').replaceAll(boundary, '-'),
            })
            const isFile = request.url?.includes('list.csv')
            response
              .writeHead(200, {
                'content-type': isFile ? 'application/octet-stream' : 'text/html',
                ...(isFile ? { 'content-disposition': 'attachment; filename=list.csv' } : {}),
              })
              .end('<!doctype html><title>Sent</title>Sent')
          })
        },
      })
      await use({ ...server, arrived })
      await server.close()
    },
    { scope: 'worker' },
  ],
})

const menu = '<button id=b aria-haspopup=menu aria-expanded=false>Menu</button>'
const view = { effect: 'view', by: 'rule' }

test.beforeEach(({ server }) => void server.arrived.splice(0))

/** Shows a page with a menu, whose press runs the script. */
async function shown(page: Page, server: StaticServer, html: string, script: string, setUp = ''): Promise<void> {
  await open(page, `${server.url}/test/pages/page-tools/act-click.html`)
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
  await show(
    page,
    `${menu}${html}`,
    `window.ran = 0; ${setUp}; window.leave = () => { ${script} }
     document.querySelector('#b').onclick = () => { ran++; leave() }`,
  )
}
const press = (page: Page, permission = view) => begin(page, 'page_click', { target: 'Menu' }, permission)

test.describe('a submission', () => {
  const form = 'document.forms[0]'
  const submit = `${form}.requestSubmit(${form}.querySelector('button'))`
  const fields = `<input name=a value="one &amp; two"><textarea name=t>line 1\nline 2</textarea><input type=checkbox name=c checked>
    <input type=checkbox name=off><select name=s multiple><option selected>x<option selected>y<option>z</select><input type=hidden name=h value=7>
    <input disabled name=d value=no><button name=by value=it>Go</button>`
  const files = `const give = (input, ...names) => { const all = new DataTransfer()
      for (const name of names) all.items.add(new File(['text of ' + name], name, { type: 'text/plain' })); input.files = all.files }
      for (const input of document.querySelectorAll('[type=file][multiple]')) give(input, 'a.txt', 'ü "b".txt')`
  const cases: readonly (readonly [what: string, html: string, script?: string, setUp?: string])[] = [
    ['by POST', `<form method=post action="/sent/plain?q=1">${fields}</form>`],
    ['by GET', `<form action="/sent/get?old=1#part">${fields}</form>`],
    ['as text', `<form method=post enctype="text/plain" action=/sent/text>${fields}</form>`],
    [
      'with files',
      `<form method=post enctype="multipart/form-data" action=/sent/files>${fields}<input type=file name=none><input type=file multiple name=some></form>`,
      submit,
      files,
    ],
    [
      'with names of files',
      `<form method=post action=/sent/names><input type=file multiple name=some></form>`,
      `${form}.submit()`,
      files,
    ],
    [
      'by a button that says how',
      `<form action=/other><input name=a value=1><button name=by value=2 formmethod=post formaction=/sent/button formenctype="multipart/form-data">Go</button></form>`,
    ],
    [
      'by an image',
      `<form method=post action=/sent/image><input type=image name=at alt=Go></form>`,
      `${form}.requestSubmit(document.querySelector('[type=image]'))`,
    ],
    [
      'in another charset',
      `<form method=post accept-charset=windows-1252 action=/sent/charset><input name=é value="é €"><input type=hidden name=_charset_><button>Go</button></form>`,
    ],
    [
      'with a direction',
      `<form method=post action=/sent/dir><input name=a value=אב dirname=a.dir dir=auto></form>`,
      `${form}.requestSubmit()`,
    ],
    ['without an event', `<form method=post action=/sent/direct>${fields}</form>`, `${form}.submit()`],
    [
      'by a press of its button',
      `<form method=post action=/sent/press>${fields}</form>`,
      `${form}.querySelector('button').click()`,
    ],
    ['with a base', `<base href=/sent/base/x><form method=post action=y>${fields}</form>`],
    [
      'with fields that hide its properties',
      `<form method=post action=/sent/hidden><input name=submit value=1><input name=action value=2><input name=method value=3><input name=target value=4><button>Go</button></form>`,
      `HTMLFormElement.prototype.requestSubmit.call(${form})`,
    ],
    [
      'to which the page adds',
      `<form method=post action=/sent/added>${fields}</form>`,
      submit,
      `window.added = 0; ${form}.addEventListener('formdata', ({ formData }) => formData.append('added', ++window.added))`,
    ],
    [
      'in a shadow root',
      '<div id=host></div>',
      "host.shadowRoot.querySelector('form').requestSubmit()",
      `host.attachShadow({ mode: 'open' }).innerHTML = '<form method=post action=/sent/shadow><input name=a value=1></form>'`,
    ],
    [
      'that a listener keeps from the window',
      `<form method=post action=/sent/kept>${fields}</form>`,
      submit,
      `${form}.onsubmit = (event) => event.stopPropagation()`,
    ],
  ]
  for (const [what, html, script = submit, setUp] of cases)
    test(`${what} is held, and then sent as the browser would`, async ({ page, server }) => {
      await shown(page, server, html, script, setUp)
      const native = page.waitForURL('**/sent/**')
      await page.evaluate(() => (window as unknown as { leave: () => void }).leave()).catch(() => undefined)
      await native
      const [expected] = server.arrived.splice(0)
      const address = new URL(page.url())

      await shown(
        page,
        server,
        html,
        script,
        `${setUp}; addEventListener('submit', () => (document.title = 'Submitted ' + ++window.submits)); window.submits = 0`,
      )
      expect(await press(page)).toMatchObject({ held: [{ does: 'submit', method: expected!.method }] })
      expect(server.arrived).toEqual([])
      // What was taken is sent, whatever the page changes meanwhile.
      await page.evaluate(() =>
        document.querySelectorAll('input:not([type=file])').forEach((one) => Reflect.set(one, 'value', 'changed')),
      )
      const left = page.waitForURL('**/sent/**')
      await goOn(page, true)
      await left
      expect(server.arrived).toEqual([expected])
      expect(page.url()).toBe(address.href)
    })
})

test.describe('a navigation', () => {
  const link = (attributes: string): string => `<a id=l ${attributes}>Next</a>`
  const cases: readonly (readonly [what: string, html: string, script: string])[] = [
    ['by an address', '', "location.href = '/sent/next?a=1#b'"],
    ['that replaces the entry', '', "location.replace('/sent/next')"],
    [
      'by the Navigation API',
      '',
      "navigation.navigate('/sent/next', { state: { a: 1 }, history: 'replace' }).finished.catch(() => {})",
    ],
    ['by a link that a script clicks', link('href=/sent/next'), 'l.click()'],
    ['by a link without a referrer', link('href=/sent/next rel=noreferrer'), 'l.click()'],
    ['by a link with a policy', link('href=/sent/next referrerpolicy=origin'), 'l.click()'],
    ['by a link that is on no page', '', "Object.assign(document.createElement('a'), { href: '/sent/next' }).click()"],
    [
      'by a link whose click stays in it',
      link('href=/sent/next onclick="event.stopPropagation()"'),
      "l.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))",
    ],
    [
      'by a meta element',
      '',
      "document.head.insertAdjacentHTML('beforeend', '<meta http-equiv=refresh content=\"0; url=/sent/next\">')",
    ],
  ]
  for (const [what, html, script] of cases)
    test(`${what} is held, and then made as by the page`, async ({ page, server }) => {
      const entries = (): Promise<unknown> =>
        page.evaluate(() => [location.href, history.length, navigation.currentEntry?.getState()])
      await shown(page, server, html, script)
      const first = await page.evaluate(() => history.length)
      const native = page.waitForURL('**/sent/**')
      await page.evaluate(() => (window as unknown as { leave: () => void }).leave()).catch(() => undefined)
      await native
      const [expected] = server.arrived.splice(0)
      const after = (await entries()) as [string, number, unknown]

      await shown(page, server, html, script)
      const length = await page.evaluate(() => history.length)
      expect(await press(page)).toMatchObject({ held: [{ does: 'go', effect: 'go' }] })
      expect(server.arrived).toEqual([])
      expect(await page.evaluate(() => (window as unknown as { ran: number }).ran)).toBe(1)
      const left = page.waitForURL('**/sent/**')
      await goOn(page, true)
      await left
      expect(server.arrived).toEqual([expected])
      const now = (await entries()) as [string, number, unknown]
      expect([now[0], now[2]]).toEqual([after[0], after[2]])
      expect(now[1] - length).toBe(after[1] - first)
    })
})

// In Firefox a step has its own order of events, nothing is told of downloads, and links send no pings.
test('a reload and a step in the history are held, and then made', { tag: '@one-engine' }, async ({ page, server }) => {
  for (const step of ['location.reload()', 'navigation.reload()', 'history.back()', 'history.go(-1)']) {
    await page.goto(`${server.url}/sent/before`)
    await shown(page, server, '', step.startsWith('navigation') ? `${step}.finished.catch(() => {})` : step)
    const here = page.url()
    expect(await press(page), step).toMatchObject({ held: [{ does: 'go' }] })
    expect(page.url()).toBe(here)
    const left = page.waitForEvent('framenavigated')
    await goOn(page, true)
    await left
    expect(page.url().includes('/sent/before'), step).toBe(step.startsWith('history'))
  }
})

test('what is refused is not done, and leaves the page as it is', async ({ page, server, browserName }) => {
  const others: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url)) others.push(request.url())
  })
  page.on('download', (download) => others.push(download.url()))
  const form = '<form method=post action=/sent/form target=f><input name=a value=1><button>Go</button></form>'
  const ways: readonly (readonly [script: string, held: object])[] = [
    ['document.forms[0].requestSubmit()', { does: 'submit', effect: 'send' }],
    ['document.forms[0].submit()', { does: 'submit', effect: 'send' }],
    [
      "document.forms[0].target = 'f'; document.forms[0].action = 'https://else.example/x'; document.forms[0].submit()",
      { does: 'submit', effect: 'outside', site: 'https://else.example' },
    ],
    ["location.href = '/sent/next'", { does: 'go', effect: 'go' }],
    ["location.href = 'https://else.example/'", { does: 'go', effect: 'outside', site: 'https://else.example' }],
    [
      "Object.assign(document.createElement('a'), { href: 'mailto:ann@example.com' }).click()",
      { does: 'go', effect: 'outside', site: 'mailto:' },
    ],
    [
      "Object.assign(document.createElement('a'), { href: '/sent/list.csv', download: '' }).click()",
      { does: 'download', effect: 'outside' },
    ],
    ["location.href = '/sent/list.csv'", { does: 'go', effect: 'go' }],
    [
      "Object.assign(document.createElement('a'), { href: '/sent/next', ping: '/sent/account/delete' }).click()",
      { does: 'request', effect: 'destroy', url: '/sent/account/delete' },
    ],
  ]
  // Firefox has no event for it.
  const mail = [
    ["location.href = 'mailto:ann@example.com'", { does: 'go', effect: 'outside', site: 'mailto:' }],
  ] as const
  for (const [script, held] of [...ways, ...(browserName === 'firefox' ? [] : mail)]) {
    await shown(page, server, form, script)
    expect(await press(page), script).toMatchObject({ held: [held] })
    expect(await goOn(page, false), script).toMatchObject({ message: 'denied' })
    expect(
      await page.evaluate(() => [(window as unknown as { ran: number }).ran, document.forms[0]?.isConnected]),
    ).toEqual([1, true])
  }
  expect(page.url()).toContain('act-click.html')
  expect(server.arrived).toEqual([])
  expect(others).toEqual([])
})

test(
  'a download is held with what it holds, also if the page gives its address up',
  { tag: '@one-engine' },
  async ({ page, server }) => {
    const make = `const a = Object.assign(document.createElement('a'), { href: URL.createObjectURL(new Blob(['a,b'])), download: 'list.csv' })`
    const ways = [
      `${make}; a.click(); URL.revokeObjectURL(a.href)`,
      `${make}; document.body.append(a); a.dispatchEvent(new MouseEvent('click')); a.remove(); setTimeout(() => URL.revokeObjectURL(a.href))`,
      "Object.assign(document.createElement('a'), { href: 'data:text/csv,a%2Cb', download: 'list.csv' }).click()",
    ]
    for (const script of ways) {
      await shown(page, server, '', script)
      const downloads: string[] = []
      page.on('download', (one) => downloads.push(one.suggestedFilename()))
      expect(await press(page), script).toMatchObject({
        held: [{ does: 'download', effect: 'outside', url: 'list.csv' }],
      })
      // Long enough for the page to give it up.
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)))
      expect(downloads).toEqual([])
      const download = page.waitForEvent('download')
      const ended = await goOn(page, true)
      const stream = await (await download).createReadStream()
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk as Buffer)
      expect(Buffer.concat(chunks).toString(), script).toBe('a,b')
      expect(downloads, script).toEqual(['list.csv'])
      expect(ended?.changes, script).toMatch(/^download: list.csv\n/)
      page.removeAllListeners('download')
    }
    // What was refused is given up, too.
    await shown(page, server, '', `${make}; a.click(); URL.revokeObjectURL(a.href); window.address = a.href`)
    await press(page)
    await goOn(page, false)
    const isGone = (): Promise<boolean> =>
      page.evaluate(() =>
        fetch((window as unknown as { address: string }).address).then(
          () => false,
          () => true,
        ),
      )
    await expect.poll(isGone).toBe(true)
  },
)

test(
  'what a beacon and a ping send is kept, and the result says that nobody knows more',
  { tag: '@one-engine' },
  async ({ page, server }) => {
    await shown(page, server, '', "window.told = navigator.sendBeacon('/sent/beacon', 'order 7')")
    const unasked = { effect: 'unknown', by: 'rule' }
    expect(await press(page, unasked)).toMatchObject({ held: [{ does: 'request', url: '/sent/beacon' }] })
    expect(await page.evaluate(() => (window as unknown as { told: boolean }).told)).toBe(true)
    expect((await goOn(page, true))?.changes).toContain('allowed and unanswered: POST /sent/beacon')
    await expect
      .poll(() => server.arrived.map(({ method, url, body }) => `${method} ${url} ${body}`))
      .toEqual(['POST /sent/beacon order 7'])
    server.arrived.splice(0)

    // Its visit shows another part of the page, so that the page stays.
    await shown(page, server, '<a id=l href="#there" ping=/sent/ping>Part</a>', 'l.click()')
    expect(await press(page)).toMatchObject({ held: [{ does: 'request', method: 'POST', url: '/sent/ping' }] })
    expect(server.arrived).toEqual([])
    expect((await goOn(page, true))?.changes).toContain('allowed and unanswered: POST /sent/ping')
    expect(page.url()).toContain('#there')
    await expect.poll(() => server.arrived.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /sent/ping'])
  },
)

test('messages on a socket are held in their order while the events of a press run, and later ones are told', async ({
  page,
  server,
}) => {
  const got: string[] = []
  await page.routeWebSocket('**/socket', (socket) => socket.onMessage((message) => got.push(String(message))))
  const setUp = `const socket = new WebSocket('/socket'.replace(/^/, location.origin.replace(/^http/, 'ws')))
    window.opened = new Promise((resolve) => { socket.onopen = resolve })`
  const opened = async (script: string): Promise<void> => {
    await shown(page, server, '', script, setUp)
    await page.evaluate(() => (window as unknown as { opened: Promise<unknown> }).opened)
    got.splice(0)
  }
  const message = (op: string): string => `socket.send(JSON.stringify({ op: '${op}' }))`
  const reading = `socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: 'query Orders { id }' } }))`
  const both = `${reading}; ${message('add')}; Promise.resolve().then(() => { ${message('add')} })`

  await opened(both)
  const held = { does: 'request', method: 'SEND', url: '/socket', operation: 'add', effect: 'send' }
  expect(await press(page)).toMatchObject({ held: [held, held] })
  expect(got).toEqual([expect.stringContaining('query Orders')])
  const ended = await goOn(page, true)
  expect(ended?.changes).toContain('allowed and unanswered: SEND /socket (add)')
  expect(got.slice(1)).toEqual(['{"op":"add"}', '{"op":"add"}'])

  await opened(both)
  await press(page)
  await goOn(page, false)
  expect(got).toHaveLength(1)

  // What deletes is another class, and bytes are held, too.
  await opened(`${message('deleteOrder')}; const bytes = new Uint8Array([1, 2]); socket.send(bytes); bytes[0] = 9`)
  expect(await press(page)).toMatchObject({ held: [{ effect: 'destroy' }, { effect: 'send' }] })
  await goOn(page, true)
  await expect.poll(() => got).toEqual(['{"op":"deleteOrder"}', '\u0001\u0002'])

  await opened(`setTimeout(() => { ${message('note')} }, 50)`)
  expect((await press(page)).changes).toContain('sent: SEND /socket (note)')
  expect(got).toEqual(['{"op":"note"}'])

  // A socket that is closed meanwhile sends nothing.
  await opened(`${message('add')}; socket.close()`)
  expect((await press(page)).changes).toContain('given up by the page: SEND /socket (add)')
  expect(got).toEqual([])
})

test('a window is held, and opened without a handle; where the page uses it, its handler runs again', async ({
  page,
  server,
}) => {
  const windows: string[] = []
  page.context().on('page', (one) => windows.push(one.url()))
  const held = { does: 'open', effect: 'go', url: '/sent/help' }
  const open = "window.open('/sent/help')"
  for (const [script, told] of [
    [`const w = ${open}; document.title = w && !w.closed ? 'open' : 'blocked'; w.opener = null; w.focus()`, 'open'],
    ["document.title = String(window.open('/sent/help', '_blank', 'noopener'))", 'null'],
    [
      "Object.assign(document.createElement('a'), { href: '/sent/help', target: '_blank' }).click(); document.title = 'link'",
      'link',
    ],
  ] as const) {
    await shown(page, server, '', script)
    expect(await press(page), script).toMatchObject({ held: [held] })
    expect(await page.title(), script).toBe(told)
    expect(windows).toEqual([])
    const opened = page.context().waitForEvent('page')
    expect((await goOn(page, true))?.changes, script).toContain('opened in a new tab: /sent/help')
    const other = await opened
    await other.waitForURL('**/sent/help')
    expect(await other.evaluate(() => window.opener)).toBe(null)
    await other.close()
    windows.splice(0)
  }
  const stopped = { error: 'needs-approval', details: { stopped: [{ does: 'open' }] } }
  for (const script of [
    `const w = ${open}; w.postMessage('x', '*')`,
    `const w = ${open}; w.location = '/sent/other'`,
    `const w = ${open}; setTimeout(() => { document.title = String(w.closed) })`,
    `const w = window.open(''); if (w) w.location = '/sent/help'`,
  ]) {
    await shown(page, server, '', script)
    expect(await press(page), script).toMatchObject(stopped)
  }
  expect(windows).toEqual([])
  // The question before the next press is answered by the real window.
  await shown(page, server, '', `const w = ${open}; document.title = String(w.closed); w.close()`)
  const allowed = { effect: 'go', by: 'user' }
  expect(await press(page, allowed)).not.toHaveProperty('error')
  expect(windows).toHaveLength(1)
})

test('what follows a view, a key or the mouse a moment later is held', async ({ page, server }) => {
  const unknown = { effect: 'unknown', by: 'rule' }
  const post = (path: string, body: string): string =>
    `fetch('${path}', { method: 'POST', body: '${body}' }).catch(() => {})`
  const cases = [
    // A library that bundles what it sends.
    [
      'page_click',
      { target: 'Terms' },
      view,
      '<details id=d><summary>Terms</summary>text</details>',
      `d.querySelector('summary').onclick = () => setTimeout(() => { ${post('/sent/update', '{"calls":[{"method":"deleteAll"}]}')} }, 5)`,
      '/sent/update',
    ],
    [
      'page_press',
      { key: 'Escape' },
      view,
      '<div role=dialog aria-label="New post" aria-modal=true id=d><label>Text <textarea>long text</textarea></label></div>',
      "document.onkeydown = ({ key }) => { if (key === 'Escape') { document.onkeydown = null; d.remove(); setTimeout(() => fetch('/sent/drafts/1', { method: 'DELETE' }).catch(() => {}), 10) } }",
      '/sent/drafts/1',
    ],
    [
      'page_click',
      { target: 'Add member' },
      unknown,
      '<form id=f><label>Name <input value=Ann></label><button>Add member</button></form>',
      `f.onsubmit = async (event) => { event.preventDefault(); await fetch('/test/pages/panel/panel.css'); ${post('/sent/members', 'x')} }`,
      '/sent/members',
    ],
    [
      'page_click',
      { target: 'Rate 5 stars', how: 'hover' },
      view,
      '<button id=rate>Rate 5 stars</button>',
      `rate.onmouseenter = () => { rate.onmouseenter = null; setTimeout(() => { ${post('/sent/rate', '5')} }, 300) }`,
      '/sent/rate',
    ],
  ] as const
  for (const [tool, input, permission, html, script, url] of cases) {
    await shown(page, server, html, '', script)
    expect(await begin(page, tool, input, permission), url).toMatchObject({ held: [{ does: 'request', url }] })
    expect(await goOn(page, false)).toMatchObject({ message: 'denied' })
  }
  expect(server.arrived).toEqual([])
})

test('what cannot be held is stopped: the page would block, or would send it when it goes away', async ({
  page,
  server,
}) => {
  for (const script of [
    "const xhr = new XMLHttpRequest(); xhr.open('POST', '/sent/sync', false); try { xhr.send('x') } catch ({ name }) { document.title = name }",
    "try { fetchLater('/sent/later', { method: 'POST', body: 'x' }) } catch ({ name }) { document.title = name === 'TypeError' ? 'NetworkError' : name }",
  ]) {
    await shown(page, server, '', script)
    if (script.includes('fetchLater') && !(await page.evaluate(() => 'fetchLater' in window))) continue
    expect(await press(page), script).toMatchObject({
      error: 'needs-approval',
      details: { stopped: [{ does: 'request', method: 'POST' }] },
    })
    expect(await page.title()).toBe('NetworkError')
  }
  expect(server.arrived).toEqual([])
})

test('what the page sends while the user is asked is another question, and a visit allows nothing to be sent', async ({
  page,
  server,
}) => {
  const remove = "void fetch('/sent/b', { method: 'DELETE' }).catch(() => {})"
  await shown(page, server, '', "fetch('/sent/a', { method: 'POST', body: 'x' }).catch(() => {})")
  expect(await press(page)).toMatchObject({ held: [{ url: '/sent/a' }] })
  await page.evaluate(remove)
  expect(await goOn(page, true)).toMatchObject({ held: [{ url: '/sent/b', effect: 'destroy' }] })
  expect(server.arrived.map(({ url }) => url)).toEqual(['/sent/a'])
  await goOn(page, false)

  const download = "Object.assign(document.createElement('a'), { href: 'data:,x', download: 'x' }).click()"
  await shown(page, server, '', download)
  expect(await press(page)).toMatchObject({ held: [{ does: 'download' }] })
  await page.evaluate("void fetch('/sent/c', { method: 'POST' }).catch(() => {})")
  expect(await goOn(page, true)).toMatchObject({ held: [{ url: '/sent/c' }] })
  await goOn(page, false)
  expect(server.arrived.map(({ url }) => url)).toEqual(['/sent/a'])
})
