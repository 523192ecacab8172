// What a press is about to send is held until the visitor has decided: it is sent once, or fails, and no handler of the
// page runs twice. A server counts what arrives.
import type { Locator, Page, Route } from 'playwright/test'
import type { ScriptItem } from '../../../support/lab/endpoint.js'
import { resultsOf } from '../../../support/lab/requests.js'
import { pressInPlace } from '../../../support/page/press.js'
import { expect, send, settled, test } from '../../../support/page/session-page.js'

const click = (target: string, id = 'c'): ScriptItem => ({
  calls: [{ id, name: 'page_click', arguments: { target } }],
})

/** What the server got: method, path and body. */
type Arrived = string[]

interface Shown {
  /** The page has a script, which counts its runs of a handler in `handled`. */
  readonly html: string
  readonly script: string
  readonly answer?: (route: Route) => Promise<void>
  readonly options?: object
}

/** Opens a page of its own, with the element, whose requests to `/api/` are answered and noted. */
async function open(
  page: Page,
  site: string,
  endpoint: { url: string },
  { html, script, answer = (route) => route.fulfill({ json: { ok: true } }), options = {} }: Shown,
): Promise<Arrived> {
  const arrived: Arrived = []
  const element = { endpoint: endpoint.url, model: 'm', pageTools: 'read fill act', resume: 'auto', ...options }
  const body = `<!doctype html><html lang=en><meta charset=utf-8><title>Wallet</title>
    <link rel=stylesheet href=/test/pages/panel/panel.css><main><h1>Wallet</h1>${html}</main>
    <script>window.handled = 0;${script}</script>
    <script type=module>
      await import('/src/index.ts')
      const element = Object.assign(document.createElement('tool-agent'), ${JSON.stringify(element)})
      document.body.append(element)
      window.agent = element.agent
    </script>`
  await page.route('**/wallet**', (route) => route.fulfill({ contentType: 'text/html', body }))
  await page.route('**/api/**', async (route) => {
    const { request } = { request: route.request() }
    arrived.push(`${request.method()} ${new URL(request.url()).pathname} ${request.postData() ?? ''}`.trim())
    await answer(route)
  })
  await page.goto(`${site}/wallet`)
  await ready(page)
  return arrived
}

const ready = (page: Page) =>
  page.waitForFunction(
    () =>
      ['ready', 'idle'].includes(window.agent?.status) && window.agent.tools.some(({ name }) => name === 'page_click'),
  )
const card = (page: Page): Locator => page.locator('tool-agent-approval')
const asked = (page: Page) => expect(card(page).locator('.decision[data-ready]')).toBeVisible()
async function allow(page: Page): Promise<void> {
  await asked(page)
  await pressInPlace(card(page).locator('.approve'))
}
async function deny(page: Page): Promise<void> {
  await asked(page)
  await pressInPlace(card(page).locator('.deny'))
}
const handled = (page: Page) => page.evaluate(() => (window as unknown as { handled: number }).handled)
/** How many questions the newest turn had. */
const questions = (page: Page) =>
  page.evaluate(() => (window as unknown as { questions: number }).questions)

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
  expect(resultsOf(endpoint.requests[2])[1]).toContain('was not sent, even if the page shows it')
})
