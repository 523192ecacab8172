// The borders of a call that is held: reloads, a lost worker, hooks, the settings of approval, callers without a panel.
import type { ServerResponse } from 'node:http'
import { resultsOf } from '../../../support/lab/requests.js'
import {
  allow,
  asked,
  button,
  card,
  click,
  deny,
  handled,
  openHeld,
  post,
  readyPage,
} from '../../../support/page/held-page.js'
import { expect, send, settled, test } from '../../../support/page/session-page.js'

/** Sends, and once that was answered deletes. */
const twice = `async () => { await ${post('cart', 'a')}; await fetch('/api/cart/7', { method: 'DELETE' }) }`

test(
  'a reload without an answer: what was held was not sent, and what was sent before is told',
  { tag: '@R6.3' },
  async ({ page, site, serveModel }) => {
    const endpoint = await serveModel([click('Next'), { text: 'Done.' }])
    const arrived = await openHeld(page, site, endpoint, button(twice))
    await send(page, 'Go')
    await allow(page)
    await expect(card(page).locator('.warning')).toContainText('This may delete or pay')
    await asked(page)
    await page.reload()
    await readyPage(page)
    await settled(page)
    expect(arrived).toEqual(['POST /api/cart a'])
    const [told] = resultsOf(endpoint.requests[1])
    expect(told).toContain('Error (interrupted)')
    expect(told).toContain('The held request was not sent. The page may show it.')
    expect(told).toContain(
      'would send DELETE /api/cart/7. The page may show it. Before that: sent: POST /api/cart, 200.',
    )
  },
)

test(
  'a reload after the answer and before a result: it may have been sent',
  { tag: '@R6.3' },
  async ({ page, site, serveModel }) => {
    const endpoint = await serveModel([click('Next'), { text: 'Done.' }])
    let release = (): void => undefined
    const answer = (response: ServerResponse): void => {
      release = () => void response.destroy()
    }
    const arrived = await openHeld(page, site, endpoint, button(`() => ${post('pay', 'one')}`, { answer }))
    await send(page, 'Go')
    await allow(page)
    await expect.poll(() => arrived).toEqual(['POST /api/pay one'])
    await page.reload()
    release()
    await readyPage(page)
    await settled(page)
    expect(arrived).toEqual(['POST /api/pay one'])
    expect(await handled(page)).toBe(0)
    const [told] = resultsOf(endpoint.requests[1])
    expect(told).toContain('Error (interrupted)')
    expect(told).toContain('may still have happened')
  },
)

test('an answer that leads to another page is no interruption', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([click('Next'), { text: 'Done.' }])
  const save = `async () => { await ${post('pay', 'one')}; location.href = '/wallet?paid' }`
  const arrived = await openHeld(page, site, endpoint, button(save))
  await send(page, 'Go')
  await allow(page)
  await page.waitForURL('**/wallet?paid')
  await readyPage(page)
  await settled(page)
  expect(arrived).toEqual(['POST /api/pay one'])
  expect(resultsOf(endpoint.requests[1])[0]).toContain('navigated')
})

test('a lost worker withdraws nothing: the question stays, and is answered once', async ({
  page,
  site,
  serveModel,
}) => {
  const endpoint = await serveModel([click('Next'), { text: 'Done.' }])
  const head = `<script>
      const workers = []
      const Made = Worker
      window.Worker = class extends Made { constructor(...all) { super(...all); workers.push(this) } }
      window.killWorker = () => workers.at(-1).terminate()
    </script>`
  await page.clock.install()
  const arrived = await openHeld(page, site, endpoint, {
    ...button(`() => ${post('save', 'one')}`),
    // Not tight: the question after the press is about a control that only shows something.
    head,
    html: '<button id=go aria-haspopup=menu aria-expanded=false>Next</button><p id=out></p>',
  })
  await send(page, 'Go')
  await expect(card(page).locator('.warning')).toContainText('Nothing has been sent yet')
  await page.evaluate(() => (window as unknown as { killWorker(): void }).killWorker())
  await page.clock.runFor(15_000)
  expect(arrived).toEqual([])
  expect(await handled(page)).toBe(1)
  await page.clock.runFor(2_000)
  await allow(page)
  await settled(page)
  expect(arrived).toEqual(['POST /api/save one'])
  expect(await handled(page)).toBe(1)
})

test('the hook and the cancelable event run again at the border, and may refuse there', async ({
  page,
  site,
  serveModel,
}) => {
  const endpoint = await serveModel([click('Next', 'a'), click('Other', 'b'), { text: 'Done.' }])
  const arrived = await openHeld(page, site, endpoint, {
    html: '<button id=first>Next</button><button id=second>Other</button>',
    script: `for (const path of ['first', 'second'])
      document.getElementById(path).onclick = () => fetch('/api/' + path, { method: 'POST' }).catch(() => {})`,
    setup: `window.seen = []
      element.hooks = { beforeTool: ({ id }, { preview }) => void seen.push('hook ' + id + ' ' + (preview?.held ?? false)) }
      element.addEventListener('tool-agent-tool-call', (event) => {
        const { id } = event.call
        seen.push('event ' + id)
        if (seen.filter((one) => one === 'event b').length === 2) event.preventDefault()
      })`,
  })
  await send(page, 'Go')
  await allow(page)
  await settled(page)
  const seen = (id: string) => [`hook ${id} false`, `event ${id}`, `hook ${id} true`, `event ${id}`]
  expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([
    ...seen('a'),
    ...seen('b'),
  ])
  expect(arrived).toEqual(['POST /api/first'])
  expect(resultsOf(endpoint.requests[2])[1]).toContain('The page refused this call')
})

test('with approval always there is one question, and with off only what leaves the site is held', async ({
  page,
  site,
  serveModel,
}) => {
  const endpoint = await serveModel([click('Next'), { text: 'Done.' }])
  const arrived = await openHeld(
    page,
    site,
    endpoint,
    button(`() => ${post('save', 'one')}`, { options: { approval: 'always' } }),
  )
  await send(page, 'Go')
  await asked(page)
  expect(await handled(page)).toBe(0)
  await allow(page)
  await settled(page)
  expect(arrived).toEqual(['POST /api/save one'])

  const other = await serveModel([click('Next'), { text: 'Done.' }])
  const save = `async () => { await fetch('/api/cart/7', { method: 'DELETE' })
    await fetch(elsewhere + '/api/track', { method: 'POST', body: 'x' }) }`
  const later = await openHeld(page, site, other, button(save, { options: { approval: 'off' } }))
  await send(page, 'Go')
  await asked(page)
  expect(later).toEqual(['DELETE /api/cart/7'])
  await deny(page)
  await settled(page)
  expect(later).toEqual(['DELETE /api/cart/7'])
})

test('without a panel the usual event has the question, and a call of the page itself is refused at once', async ({
  page,
  site,
  serveModel,
}) => {
  const endpoint = await serveModel([click('Next'), { text: 'Done.' }])
  const arrived = await openHeld(page, site, endpoint, {
    html: '<button id=go>Next</button><button id=menu aria-haspopup=menu aria-expanded=false>Menu</button>',
    script: `document.getElementById('go').onclick = () => { handled++; ${post('pay', 'one')} }
      document.getElementById('menu').onclick = () => void ${post('menu', 'two')}.catch(() => {})`,
    setup: `window.asked = []
      element.addEventListener('tool-agent-approval-request', (event) => {
        event.preventDefault()
        asked.push(event.approval.preview)
      })`,
  })
  const refusal = await page.evaluate(() =>
    window.agent.callTool('page_click', { target: 'Menu' }).then(
      () => 'ran',
      ({ code }: { code: string }) => code,
    ),
  )
  expect(refusal).toBe('needs-approval')
  await send(page, 'Go')
  await page.waitForFunction(() => (window as unknown as { asked: unknown[] }).asked.length > 0)
  expect(await page.evaluate(() => (window as unknown as { asked: unknown[] }).asked)).toMatchObject([{ held: true }])
  await page.evaluate(() => window.agent.approve('c'))
  await settled(page)
  expect(arrived).toEqual(['POST /api/pay one'])
})

test('a stepped turn asks by the same event, and goes on with its answer', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([click('Next', 'a'), click('Other', 'b'), { text: 'Done.' }])
  const arrived = await openHeld(page, site, endpoint, {
    html: '<button id=first>Next</button><button id=second>Other</button>',
    script: `for (const path of ['first', 'second'])
      document.getElementById(path).onclick = () => fetch('/api/' + path, { method: 'POST' }).catch(() => {})`,
    setup: `window.asked = []
      element.addEventListener('tool-agent-approval-request', (event) => {
        event.preventDefault()
        asked.push(event.approval.preview.held)
        void agent[event.call.id === 'a' ? 'approve' : 'deny'](event.call.id)
      })`,
  })
  await page.evaluate(async () => {
    for await (const step of window.agent.step('Go')) for (const call of step.toolCalls) await step.execute(call)
  })
  expect(await page.evaluate(() => (window as unknown as { asked: unknown[] }).asked)).toEqual([true, true])
  expect(arrived).toEqual(['POST /api/first'])
  expect(resultsOf(endpoint.requests[2])[1]).toContain('Refused: would send POST /api/second. The page may show it.')
})

test('a call from another agent sends nothing that its tool was not called for, and is refused at once', async ({
  page,
  site,
  serveModel,
}) => {
  const endpoint = await serveModel([])
  const arrived = await openHeld(page, site, endpoint, {
    html: '<button id=menu aria-haspopup=menu aria-expanded=false>Menu</button><p id=out></p>',
    script: `document.modelContext = Object.assign(new EventTarget(), {
        registerTool: async (tool) => { window.offered = tool }, getTools: async () => [] })
      document.getElementById('menu').onclick = () => void ${post('menu', 'two')}
        .catch(({ name }) => { document.getElementById('out').textContent = name })`,
    setup: `const { exposeToWebMcp } = await import('/src/tools.ts')
      exposeToWebMcp(agent, { tools: ['page_click'] })`,
  })
  await page.waitForFunction(() => 'offered' in window)
  const answer = await page.evaluate(() =>
    (window as unknown as { offered: { execute(input: object): Promise<object> } }).offered.execute({ target: 'Menu' }),
  )
  expect(JSON.stringify(answer)).toContain('Error (needs-approval)')
  expect(JSON.stringify(answer)).toContain('/api/menu')
  expect(answer).toMatchObject({ isError: true })
  await expect(page.locator('#out')).toHaveText('TypeError')
  await expect(card(page)).toHaveCount(0)
  expect(arrived).toEqual([])
})

for (const [decision, decide] of [
  ['Allow', allow],
  ['Don’t allow', deny],
] as const)
  test(`${decision} in another tab takes the session there, and nothing that was held is sent`, async ({
    page,
    site,
    serveModel,
  }) => {
    const endpoint = await serveModel([click('Next'), { text: 'Done.' }])
    const arrived = await openHeld(
      page,
      site,
      endpoint,
      button(`() => ${post('pay', 'one')}`, { options: { sessionId: 'shared', scope: 'held' } }),
    )
    await send(page, 'Go')
    await asked(page)
    const other = await page.context().newPage()
    await other.setViewportSize({ width: 1280, height: 1400 })
    await other.goto(page.url())
    await decide(other)
    await settled(other)
    await expect(page.locator('#out')).toHaveText('TypeError')
    expect(arrived).toEqual([])
    expect(resultsOf(endpoint.requests[1])[0]).toContain('The held request was not sent. The page may show it.')
    expect(await handled(page)).toBe(1)
    expect(await handled(other)).toBe(0)
  })
