// What a press is about to send is held until the visitor has decided: it is sent once, or fails, and no handler of the
// page runs twice. A server counts what arrives.
import type { ServerResponse } from 'node:http'
import type { Page } from 'playwright/test'
import { resultsOf } from '../../../support/lab/requests.js'
import {
  allow,
  asked,
  button,
  card,
  click,
  deny,
  fill,
  handled,
  openHeld as open,
  post,
  readyPage as ready,
  type HeldPage,
} from '../../../support/page/held-page.js'
import { expect, send, settled, test } from '../../../support/page/session-page.js'

/** Shows the change at once, closes its dialog, and has one address for everything that it saves. */
const optimistic = {
  html: '<button id=credit>Credit</button><p id=balance>Balance 200</p><div id=dialog></div>',
  script: `let balance = 200
    const save = () => fetch('/api/state', { method: 'PUT', body: 'balance ' + balance })
    const at = (id) => document.getElementById(id)
    at('credit').onclick = () => {
      at('dialog').innerHTML = '<h2>Top up</h2><button id=go>Next</button>'
      at('go').onclick = () => {
        handled++
        balance -= 100
        at('balance').textContent = 'Balance ' + balance
        at('dialog').innerHTML = '<button id=other>Rename</button>'
        at('other').onclick = save
        save().then(({ status }) => (at('balance').textContent += ', saved ' + status), () => (at('balance').textContent += ', lost'))
      }
    }`,
}

test('what an optimistic page saves is held, asked about once, and sent once', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([click('Credit'), click('Next', 'n'), { text: 'Done.' }])
  const arrived = await open(page, site, endpoint, optimistic)
  await send(page, 'Go')
  await asked(page)
  // The page has shown the change already, and nothing was sent.
  await expect(page.locator('#balance')).toHaveText('Balance 100')
  expect(arrived).toEqual([])
  await allow(page)
  await settled(page)
  expect(arrived).toEqual(['PUT /api/state balance 100'])
  expect(await handled(page)).toBe(1)
  await expect(page.locator('#balance')).toHaveText('Balance 100, saved 200')
  const [, told] = resultsOf(endpoint.requests[2])
  expect(told).toContain('sent: PUT /api/state, 200')
  expect(told).toContain('Balance 100, saved 200')
})

test('what is refused fails for the page, and the model is told that the page may show it', async ({
  page,
  site,
  serveModel,
}) => {
  const endpoint = await serveModel([click('Credit'), click('Next', 'n'), { text: 'Done.' }])
  const arrived = await open(page, site, endpoint, optimistic)
  await send(page, 'Go')
  await deny(page)
  await settled(page)
  expect(arrived).toEqual([])
  expect(await handled(page)).toBe(1)
  await expect(page.locator('#balance')).toHaveText('Balance 100, lost')
  expect(resultsOf(endpoint.requests[2])[1]).toContain('was not sent. The page may show it')
})

test(
  'a reload before the answer sends nothing, and the model is told so',
  { tag: '@R6.3' },
  async ({ page, site, serveModel }) => {
    const endpoint = await serveModel([click('Next'), { text: 'Done.' }])
    const arrived = await open(page, site, endpoint, button(`() => ${post('pay', 'one')}`))
    await send(page, 'Go')
    await asked(page)
    await page.reload()
    await ready(page)
    await settled(page)
    expect(arrived).toEqual([])
    expect(await handled(page)).toBe(0)
    expect(resultsOf(endpoint.requests[1])[0]).toContain('The held request was not sent')
  },
)

test(
  'a reload after the answer runs nothing again, and sends nothing again',
  { tag: '@R6.3' },
  async ({ page, site, serveModel }) => {
    const endpoint = await serveModel([click('Next'), { text: 'Done.' }])
    let release = (): void => undefined
    const answer = (response: ServerResponse): void => {
      release = () => void response.destroy()
    }
    const arrived = await open(page, site, endpoint, button(`() => ${post('pay', 'one')}`, { answer }))
    await send(page, 'Go')
    await allow(page)
    await expect.poll(() => arrived).toEqual(['POST /api/pay one'])
    await page.reload()
    release()
    await ready(page)
    await settled(page)
    expect(arrived).toEqual(['POST /api/pay one'])
    expect(await handled(page)).toBe(0)
  },
)

test('the requests of one press are one question, and an identical one is sent once', async ({
  page,
  site,
  serveModel,
}) => {
  const endpoint = await serveModel([click('Next'), { text: 'Done.' }])
  const save = `() => Promise.all([${post('cart', 'a')}, ${post('cart', 'b')}, ${post('cart', 'a')}])
    .then((all) => all.map(({ status }) => status))`
  const arrived = await open(page, site, endpoint, button(save))
  await send(page, 'Go')
  await allow(page)
  await settled(page)
  expect(arrived).toEqual(['POST /api/cart a', 'POST /api/cart b'])
  await expect(page.locator('#out')).toHaveText('200,200,200')
})

test('uploads are no identical requests, and what a copy of a body says counts', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([click('Next'), { text: 'Done.' }])
  const save = `() => {
    const upload = (name) => {
      const body = new FormData()
      body.append('file', new File([name], name))
      const xhr = new XMLHttpRequest()
      xhr.open('POST', '/api/files')
      return new Promise((resolve) => { xhr.onloadend = () => resolve(xhr.status); xhr.send(body) })
    }
    const json = (path, content) => fetch(new Request('/api/' + path, { method: 'POST', body: JSON.stringify(content) }))
    return Promise.all([upload('a'), upload('b'), json('graphql', { query: 'query List { orders }' }).then(({ status }) => status)])
  }`
  const arrived = await open(page, site, endpoint, button(save))
  await send(page, 'Go')
  await asked(page)
  // A query only reads, so it did not wait.
  expect(arrived.map((one) => one.split(' ')[1])).toEqual(['/api/graphql'])
  await allow(page)
  await settled(page)
  expect(arrived.map((one) => one.split(' ')[1])).toEqual(['/api/graphql', '/api/files', '/api/files'])
  await expect(page.locator('#out')).toHaveText('200,200,200')
})

test('the question shows what was filled and is sent, and nothing private', async ({ page, site, serveModel }) => {
  const fields = [
    { field: 'Name', value: 'Ada' },
    { field: 'Note', value: 'Leave it at the door' },
  ]
  const endpoint = await serveModel([
    { calls: [{ id: 'f', name: 'form_fill', arguments: { fields } }] },
    click('Next'),
    { text: 'Done.' },
  ])
  const save = `() => fetch('/api/state', { method: 'POST', headers: { authorization: 'Bearer secret-token' },
    body: JSON.stringify({ who: { name: document.getElementById('name').value }, token: 'secret-token', note: 'other' }) })
    .then(({ status }) => status)`
  const arrived = await open(
    page,
    site,
    endpoint,
    button(save, { html: '<input id=name aria-label=Name><input aria-label=Note>' }),
  )
  await send(page, 'Go')
  await asked(page)
  await expect(card(page).locator('.warning')).toHaveText('Nothing has been sent yet. The page waits for your answer.')
  await expect(card(page).locator('.preview dt')).toHaveText(['Sent to', 'Name'])
  await expect(card(page).locator('.preview dd')).toHaveText(['/api/state', 'Ada'])
  expect(await page.evaluate(() => JSON.stringify(window.agent.messages))).not.toContain('secret-token')
  await allow(page)
  await settled(page)
  expect(arrived).toHaveLength(1)
})

test('what the answer leads to is sent to this site, but a deletion asks again', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([click('Next'), { text: 'Done.' }])
  const save = `async () => { await ${post('cart', 'a')}; await ${post('notes', 'b')};
    return (await fetch('/api/cart/7', { method: 'DELETE' })).status }`
  const arrived = await open(page, site, endpoint, button(save))
  await send(page, 'Go')
  await allow(page)
  await expect.poll(() => arrived).toEqual(['POST /api/cart a', 'POST /api/notes b'])
  await expect(card(page).locator('.warning')).toHaveText('This may delete or pay. You may not be able to undo it.')
  await allow(page)
  await settled(page)
  expect(arrived).toEqual(['POST /api/cart a', 'POST /api/notes b', 'DELETE /api/cart/7'])
  expect(await handled(page)).toBe(1)
})

/** A page that gives up its first request when the test says so. */
const givingUp = (save: string): HeldPage => {
  const page = button(save)
  return { ...page, script: `var giving = new AbortController();${page.script}` }
}
const giveUp = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const scope = window as unknown as { giving: AbortController }
    scope.giving.abort()
    scope.giving = new AbortController()
  })

test('if the page gives up, the question is about another press', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([click('Next'), { text: 'Done.' }])
  const save = `() => fetch('/api/pay', { method: 'POST', body: 'x', signal: giving.signal })`
  const arrived = await open(page, site, endpoint, givingUp(`${save}.then(({ status }) => status)`))
  await send(page, 'Go')
  await asked(page)
  await giveUp(page)
  await expect(page.locator('#out')).toHaveText('AbortError')
  // The button of the first card would answer a question that is not asked any more.
  await expect(card(page).locator('.warning')).toHaveText('This may delete or pay. You may not be able to undo it.')
  expect(arrived).toEqual([])
  await allow(page)
  await settled(page)
  expect(arrived).toEqual(['POST /api/pay x'])
  expect(await handled(page)).toBe(2)
})

test('if the page gives up and shows no such button any more, nothing was sent', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([click('Next'), { text: 'Done.' }])
  const save = `() => { document.getElementById('go').remove()
    return fetch('/api/pay', { method: 'POST', body: 'x', signal: giving.signal }) }`
  const arrived = await open(page, site, endpoint, givingUp(save))
  await send(page, 'Go')
  await asked(page)
  await giveUp(page)
  await settled(page)
  expect(arrived).toEqual([])
  expect(resultsOf(endpoint.requests[1])[0]).toContain('The held request was not sent')
})

test('who goes on by hand where the question waits has answered: nothing is sent twice', async ({
  page,
  site,
  serveModel,
}) => {
  const endpoint = await serveModel([click('Next'), { text: 'Done.' }])
  const arrived = await open(
    page,
    site,
    endpoint,
    button(`() => ${post('pay', 'one')}`, { html: '<button id=own>Own</button>' }),
  )
  await page.evaluate(() =>
    document.getElementById('own')?.addEventListener('click', () => void fetch('/api/own', { method: 'POST' })),
  )
  await send(page, 'Go')
  await asked(page)
  // What the visitor does elsewhere is theirs.
  await page.locator('#own').click()
  await expect.poll(() => arrived).toEqual(['POST /api/own'])
  await expect(card(page)).toBeVisible()
  await page.locator('#go').click()
  await settled(page)
  expect(arrived).toEqual(['POST /api/own', 'POST /api/pay one'])
  expect(resultsOf(endpoint.requests[1])[0]).toContain('by hand')
})

test('no other action runs while something is held, and reading does', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([click('Next'), { text: 'Done.' }])
  const html = '<button>Other</button><input aria-label=Name>'
  await open(page, site, endpoint, button(`() => ${post('pay', 'one')}`, { html }))
  await send(page, 'Go')
  await asked(page)
  const call = (name: string, input: object) =>
    page.evaluate(
      ({ name, input }) =>
        window.agent.callTool(name, input as never).then(
          (output) => JSON.stringify(output),
          ({ code, message }: { code: string; message: string }) => `${code} ${message}`,
        ),
      { name, input },
    )
  expect(await call('page_click', { target: 'Other' })).toMatch(/^unavailable .*waits for the answer of the user/)
  expect(await call('form_fill', { fields: [{ field: 'Name', value: 'Ada' }] })).toMatch(/^unavailable/)
  expect(await call('page_read', {})).toContain('Other')
  await allow(page)
  await settled(page)
  expect(await call('page_click', { target: 'Other' })).not.toMatch(/^unavailable/)
})

test('Stop and another message end the hold', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([click('Next'), click('More', 'd'), { text: 'Done.' }])
  const arrived = await open(page, site, endpoint, {
    html: '<button id=a>Next</button><button id=b>More</button><p id=out></p>',
    script: `for (const id of ['a', 'b'])
      document.getElementById(id).onclick = () => {
        handled++
        fetch('/api/pay', { method: 'POST', body: id })
          .catch(({ name }) => (document.getElementById('out').textContent += id + ' ' + name + ' '))
      }`,
  })
  await send(page, 'Go')
  await asked(page)
  await page.evaluate(() => window.agent.stop())
  await settled(page)
  await expect(page.locator('#out')).toHaveText('a TypeError')
  await send(page, 'Go')
  await asked(page)
  await send(page, 'No')
  await settled(page)
  await expect(page.locator('#out')).toHaveText('a TypeError b TypeError')
  expect(arrived).toEqual([])
  expect(await handled(page)).toBe(2)
})

test('what a control was seen to send is asked about before it is pressed again', async ({
  page,
  site,
  serveModel,
}) => {
  const endpoint = await serveModel([click('Next'), click('Next', 'd'), { text: 'Done.' }])
  const arrived = await open(page, site, endpoint, button(`() => ${post('pay', 'one')}`))
  await send(page, 'Go')
  await allow(page)
  await expect.poll(() => endpoint.requests.length).toBe(2)
  await asked(page)
  expect(await handled(page)).toBe(1)
  await allow(page)
  await settled(page)
  // One question each.
  expect(arrived).toEqual(['POST /api/pay one', 'POST /api/pay one'])
  expect(await handled(page)).toBe(2)
})

test('where the border is not tight, the question comes before the press', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([click('Next'), { text: 'Done.' }])
  const arrived = await open(page, site, endpoint, button(`() => ${post('state', 'b')}`, { isProven: false }))
  await send(page, 'Go')
  await asked(page)
  expect(await handled(page)).toBe(0)
  await deny(page)
  await settled(page)
  expect(await handled(page)).toBe(0)
  expect(arrived).toEqual([])
})

test('the border is tight once a request was seen to pass, and not where something may leave unseen', async ({
  page,
  site,
}) => {
  const proof = `await (await fetch('/proof')).text()`
  const kept = `window.kept = fetch`
  const frozen = `Object.defineProperty(window, 'fetch', { value: fetch, writable: false, configurable: false })`
  const worker = `window.channel = new Worker(URL.createObjectURL(new Blob([''])))
    own.onclick = () => channel.postMessage('a')`
  const cases: readonly (readonly [why: string, head: string, later: string, leaks: readonly string[]])[] = [
    ['a request was seen', '', proof, []],
    ['before anything was seen', '', '', ['unproven']],
    ['before anything was seen of a page that keeps fetch', kept, '', ['unproven']],
    ['a request was not seen', kept, `${proof}; await (await kept('/proof')).text()`, ['unseen']],
    ['fetch is frozen', frozen, proof, ['unproven', 'unseen']],
    ['an empty frame', '', `${proof}; document.body.append(document.createElement('iframe'))`, ['window']],
    ['another window has opened it', 'window.opener = {}', proof, ['window']],
    ['a script can leave the page', 'delete window.navigation', proof, ['navigation']],
    ['it sends to a worker after a press', '', `${worker}; ${proof}`, ['channel']],
  ]
  let body = ''
  await page.route('**/tight', (route) => route.fulfill({ contentType: 'text/html', body }))
  await page.route('**/proof', (route) => route.fulfill({ json: {} }))
  for (const [why, head, later, leaks] of cases) {
    body = `<!doctype html><title>Tight</title><script>${head}</script><button id=own>Own</button>
      <script type=module>
        const { actTools } = await import('/src/tools.ts')
        const { leaks } = await import('/src/page-tools/border/tightness.ts')
        actTools()
        ${later}
        window.leaks = leaks
      </script>`
    await page.goto(`${site}/tight`)
    await page.waitForFunction(() => 'leaks' in window)
    await page.locator('#own').click()
    const found = await page.evaluate(() => (window as unknown as { leaks(): string[] }).leaks())
    expect([why, found]).toEqual([why, leaks])
  }
})

const saving = `fetch('/api/state', { method: 'PUT', body: 'b' })`
for (const [what, script, save, sent] of [
  [
    'kept or frozen',
    `const kept = window.fetch; Object.defineProperty(window, 'fetch', { value: kept, writable: false, configurable: false })`,
    `kept('/api/kept', { method: 'PUT', body: 'a' }).then(() => ${saving})`,
    ['PUT /api/kept a', 'PUT /api/state b'],
  ],
  ['put back', 'const old = window.fetch; setInterval(() => { window.fetch = old })', saving, ['PUT /api/state b']],
] as const)
  test(`what a page that begins with the tag sends by a fetch that it has ${what} is held`, async ({
    page,
    site,
    serveModel,
  }) => {
    const endpoint = await serveModel([click('Next'), { text: 'Done.' }])
    const plain = button(`() => ${save}`)
    const arrived = await open(page, site, endpoint, { ...plain, isFirst: true, script: `${script};${plain.script}` })
    await send(page, 'Go')
    await asked(page)
    expect(await handled(page)).toBe(1)
    expect(arrived).toEqual([])
    await allow(page)
    await settled(page)
    expect(arrived).toEqual(sent)
  })

test('what a page sends by itself to the same address makes no deed usual, and its heartbeat is no question', async ({
  page,
  site,
  serveModel,
}) => {
  const endpoint = await serveModel([click('Next'), { text: 'Done.' }])
  const { html, script } = button(`() => rpc('handOver', { id: 2 }).then(({ status }) => status)`)
  const rpc = `const rpc = (method, params) =>
      fetch('/api/rpc', { method: 'POST', body: JSON.stringify({ method, params, at: Date.now() }) })
    const beat = () => rpc('list', {})
    window.beat = beat`
  const arrived = await open(page, site, endpoint, { html, script: `${rpc};${script}` })
  // The wrappers are there by now: the page has sent this by itself.
  await page.evaluate(() => (window as unknown as { beat: () => Promise<unknown> }).beat())
  await send(page, 'Go')
  await asked(page)
  expect(await handled(page)).toBe(1)
  await page.evaluate(() => (window as unknown as { beat: () => Promise<unknown> }).beat())
  expect(arrived.map((one) => /"method":"(\w+)"/.exec(one)?.[1])).toEqual(['list', 'list'])
  await allow(page)
  await settled(page)
  expect(arrived.map((one) => /"method":"(\w+)"/.exec(one)?.[1])).toEqual(['list', 'list', 'handOver'])
})

test('a beacon to this site whose shape is not known is held', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([click('Next'), { text: 'Done.' }])
  const arrived = await open(page, site, endpoint, button(`async () => navigator.sendBeacon('/api/done', 'order 7')`))
  await send(page, 'Go')
  await asked(page)
  await expect(page.locator('#out')).toHaveText('true')
  expect(arrived).toEqual([])
  await allow(page)
  await settled(page)
  await expect.poll(() => arrived).toEqual(['POST /api/done order 7'])
})

/** A form by POST whose button does not say that it sends. */
const form = (script = ''): HeldPage => ({
  html: `<form id=form method=post action=/api/join><label>Name <input name=name required></label><button>Next</button></form>
    <p id=out></p>`,
  script: `document.getElementById('form').addEventListener('submit', (event) => { handled++; ${script} })`,
  answer: (response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end(
      `<!doctype html><html lang=en><title>Joined</title><h1>Welcome</h1>
        <script type=module>
          await import('/src/index.ts')
          const element = document.createElement('tool-agent')
          Object.assign(element, JSON.parse(sessionStorage.getItem('element')))
          document.body.append(element)
          window.agent = element.agent
        </script>`,
    ),
})
const fillName = () => fill({ Name: 'Ada' })
const keepOptions = (page: Page, url: string) =>
  page.evaluate(
    (endpoint) =>
      sessionStorage.setItem(
        'element',
        JSON.stringify({ endpoint, model: 'm', pageTools: 'read fill act', resume: 'auto' }),
      ),
    url,
  )

test('a form that its fields or a script keep needs no question, and one that is sent is held', async ({
  page,
  site,
  serveModel,
}) => {
  const endpoint = await serveModel([click('Next'), fillName(), click('Next', 'd'), { text: 'Done.' }])
  const arrived = await open(page, site, endpoint, form("document.getElementById('out').textContent = 'Sending'"))
  await keepOptions(page, endpoint.url)
  await send(page, 'Go')
  await asked(page)
  // The empty field has kept the first press, and the second one was sent by the browser.
  expect(endpoint.requests).toHaveLength(3)
  expect(await handled(page)).toBe(1)
  await expect(page.locator('#out')).toHaveText('Sending')
  await expect(card(page).locator('.preview dd')).toContainText(['Ada'])
  await expect(card(page).locator('.preview dt', { hasText: 'Name' })).toHaveCount(1)
  expect(arrived).toEqual([])
  await allow(page)
  await page.waitForURL('**/api/join')
  await ready(page)
  await settled(page)
  expect(arrived).toEqual(['POST /api/join name=Ada'])
  // The next page has ended the call.
  expect(resultsOf(endpoint.requests[3])[2]).toContain('/api/join')
  expect(resultsOf(endpoint.requests[3])[2]).not.toContain('Error')
})

test('a form that is refused stays as it is', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([fillName(), click('Next'), { text: 'Done.' }])
  const arrived = await open(page, site, endpoint, form())
  await send(page, 'Go')
  await deny(page)
  await settled(page)
  expect(arrived).toEqual([])
  expect(await handled(page)).toBe(1)
  await expect(page.locator('input[name=name]')).toHaveValue('Ada')
  expect(resultsOf(endpoint.requests[2])[1]).toContain('was not sent')
})

test(
  'a reload while a form is held sends nothing, and is not its navigation',
  { tag: '@R6.3' },
  async ({ page, site, serveModel }) => {
    const endpoint = await serveModel([fillName(), click('Next'), { text: 'Done.' }])
    const arrived = await open(page, site, endpoint, form())
    await send(page, 'Go')
    await asked(page)
    await page.reload()
    await ready(page)
    await settled(page)
    expect(arrived).toEqual([])
    expect(resultsOf(endpoint.requests[2])[1]).toContain('The held request was not sent')
  },
)

test('a form that a script handles needs no question', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([fillName(), click('Next'), { text: 'Done.' }])
  const arrived = await open(
    page,
    site,
    endpoint,
    form("event.preventDefault(); document.getElementById('out').textContent = 'Step 2'"),
  )
  await send(page, 'Go')
  await settled(page)
  await expect(card(page)).toHaveCount(0)
  await expect(page.locator('#out')).toHaveText('Step 2')
  expect(arrived).toEqual([])
  expect(resultsOf(endpoint.requests[2])[1]).toContain('Step 2')
})
