// The built entry `tool-agent/mcp` in a page with a strict policy: what it loads and when, the question before the
// first use, the dialog for questions of the server, and a server of another origin.
import type { Page } from 'playwright/test'
import type { JsonObject } from '../../../src/core/data/json.js'
import type { Agent } from '../../../src/page/agent.js'
import { startEndpoint, type ScriptItem } from '../../support/lab/endpoint.js'
import { resultsOf } from '../../support/lab/requests.js'
import { startScriptedMcp, textTool, type ScriptedMcp, type ScriptedTool } from '../../support/mcp/scripted-server.js'
import { PanelPage } from '../../support/page/panel.js'
import { serveStatic, strictPolicy, type StaticServer } from '../../support/page/static-server.js'
import { expect, test as base } from '../../support/project/dist.js'

interface Visit {
  readonly page: Page
  readonly site: StaticServer
  readonly server: ScriptedMcp
  readonly endpoint: Awaited<ReturnType<typeof startEndpoint>>
  send(text: string): Promise<void>
}

interface Fixtures {
  /** Opens a page whose agent uses a scripted server; `isForeign`: from another origin than the page's. */
  visit: (script: ScriptItem[], tools: readonly ScriptedTool[], options?: { isForeign?: boolean }) => Promise<Visit>
}

const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<link rel="icon" href="/icon.svg"><script src="/violations.js"></script>
<script type="module" src="/tool-agent/tool-agent.js"></script><script type="module" src="/page.js"></script></head>
<body><tool-agent endpoint="/v1" model="gpt-test" page-tools="read fill act"></tool-agent></body></html>`
const violations = `window.violations = []
addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective + ' ' + event.blockedURI))`
const script = (url: string) => `import { mcpTools } from '/tool-agent/mcp.js'
const agent = document.querySelector('tool-agent')
await customElements.whenDefined('tool-agent')
agent.registerToolProvider(mcpTools({ url: '${url}', name: 'shop', onElicitation: ({ ask }) => ask() }))`

const test = base.extend<Fixtures>({
  visit: async ({ page, dist }, use) => {
    const closing: (() => Promise<unknown>)[] = []
    await use(async (items, tools, { isForeign = false } = {}) => {
      const endpoint = await startEndpoint(items)
      const server = await startScriptedMcp(tools)
      const { origin } = new URL(server.url)
      const policy = isForeign
        ? strictPolicy.replace("connect-src 'self'", `connect-src 'self' ${origin}`)
        : strictPolicy
      const site = await serveStatic({
        folders: { '/tool-agent/': dist },
        files: {
          '/index.html': html,
          '/violations.js': violations,
          '/page.js': script(isForeign ? server.url : '/server/mcp'),
          '/icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
        },
        headers: { 'content-security-policy': policy },
        relay: { '/v1': endpoint.url, '/server': origin },
      })
      closing.push(
        () => site.close(),
        () => server.stop(),
        () => endpoint.close(),
      )
      await page.goto(site.url)
      return {
        page,
        site,
        server,
        endpoint,
        async send(text) {
          const box = page.locator('tool-agent').getByRole('textbox')
          await box.fill(text)
          await box.press('Enter')
        },
      }
    })
    for (const close of closing) await close()
  },
})

const call = (name: string, args = {}) => ({ calls: [{ name, arguments: args }] })
const isClient = (path: string) => /\/mcp-server-[\w-]+\.js$/.test(path)
const reported = (page: Page) => page.evaluate(() => (globalThis as unknown as { violations: string[] }).violations)

test('loads the client before the first step, asks before the first use, and breaks no strict policy', async ({
  visit,
}) => {
  const tools = [textTool('search', 'Green tea', { title: 'Search', annotations: { readOnlyHint: true } })]
  const { page, site, server, endpoint, send } = await visit([call('shop_search'), { text: 'One: green tea.' }], tools)
  await expect.poll(() => site.requests).toContain('/tool-agent/mcp.js')
  await page.waitForLoadState('networkidle')
  expect(site.requests.filter(isClient)).toEqual([])
  expect(server.messages).toEqual([])
  await send('Find tea')
  const card = page.locator('tool-agent .decision[data-ready]')
  await expect(card).toBeVisible()
  // The visitor sees whose tool it is.
  await expect(page.locator('tool-agent')).toContainText(`Search (${new URL(site.url).host})`)
  expect(server.count('tools/call')).toBe(0)
  await card.locator('.approve').click()
  await expect(
    page.locator('tool-agent').getByRole('article', { name: 'Assistant' }).getByText('One: green tea.'),
  ).toBeVisible()
  expect(site.requests.filter(isClient)).toHaveLength(1)
  expect(resultsOf(endpoint.requests[1])[0]).toContain('Green tea')
  expect(await reported(page)).toEqual([])
})

/** A tool whose server asks the visitor, and returns the answer as JSON. */
const asking = (message: string, requestedSchema: JsonObject): ScriptedTool => ({
  ...textTool('order', ''),
  handler: async (one) => ({
    content: [
      { type: 'text', text: JSON.stringify(await one.ask('elicitation/create', { message, requestedSchema })) },
    ],
  }),
})
const question = (page: Page) => page.locator('tool-agent tool-agent-approval')
/** Reads the question as a visitor does, its beginning first and then its end, and presses the button. */
async function sendAnswer(page: Page): Promise<void> {
  await new PanelPage(page).read()
  await page.locator('tool-agent .decision[data-ready] .approve').click()
}

test('a question of the server names it in the panel; the visitor’s answer is sent', async ({ visit }) => {
  const requestedSchema = {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Your name', minLength: 2 },
      mail: { type: 'string', format: 'email', description: 'For the receipt' },
      guests: { type: 'integer', minimum: 1, default: 2 },
      size: { type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large'] },
    },
    required: ['name', 'size'],
  }
  const { page, site, endpoint, send } = await visit(
    [call('shop_order'), call('shop_order'), { text: 'Done.' }],
    [asking('<b>Details?</b>', requestedSchema)],
  )
  await send('Order')
  await page.locator('tool-agent .decision[data-ready]').locator('.approve').click()
  const card = question(page)
  await expect(card.getByRole('heading')).toContainText(new URL(site.url).host)
  await expect(card).toContainText('<b>Details?</b>')
  await expect(card).toContainText('Your answer is sent to this server.')
  await card.getByLabel('Your name').fill('Ada')
  await card.getByLabel('Size').selectOption('Large')
  await sendAnswer(page)
  await expect.poll(() => endpoint.requests.length).toBe(2)
  expect(resultsOf(endpoint.requests[1])[0]).toContain(
    '{"action":"accept","content":{"name":"Ada","guests":2,"size":"l"}}',
  )
  await card.getByRole('button', { name: 'Decline' }).click()
  await expect.poll(() => endpoint.requests.length).toBe(3)
  expect(resultsOf(endpoint.requests[2])[1]).toContain('{"action":"decline"}')
  expect(await reported(page)).toEqual([])
})

test('Stop stops a turn whose server asks, and no name of a field can disable the form', async ({ visit }) => {
  const clobbering = ['addEventListener', 'querySelector', 'append', 'remove', 'method', 'parentNode', 'id']
  const requestedSchema = {
    type: 'object',
    properties: {
      ...Object.fromEntries(clobbering.map((name) => [name, { type: 'string' }])),
      'na\u202eme\u200b': { type: 'string', enum: ['a\u202eb'] },
    },
    required: ['method'],
  }
  const { page, server, endpoint, send } = await visit(
    [call('shop_order'), call('shop_order')],
    [asking('Details?', requestedSchema)],
  )
  await send('Order')
  await page.locator('tool-agent .decision[data-ready]').locator('.approve').click()
  const card = question(page)
  await sendAnswer(page)
  await expect(card.getByLabel('Method')).toBeFocused()
  await card.getByLabel('Method').fill('post')
  await card.locator('select').selectOption('0')
  await sendAnswer(page)
  await expect.poll(() => endpoint.requests.length).toBe(2)
  expect(resultsOf(endpoint.requests[1])[0]).toContain(
    JSON.stringify({ action: 'accept', content: { method: 'post', 'na\u202eme\u200b': 'a\u202eb' } }),
  )
  await expect(card).toBeVisible()
  await page.locator('tool-agent').getByRole('button', { name: 'Stop' }).click()
  await expect(card).toHaveCount(0)
  await expect(page.locator('tool-agent')).toContainText('Stopped.')
  await server.arrived('notifications/cancelled')
})

test('a flood of progress neither stops the page nor Stop', async ({ visit }) => {
  const flooding: ScriptedTool = {
    ...textTool('count', ''),
    handler: (one) => {
      one.flood(3_000)
      return undefined
    },
  }
  const { page, server, send } = await visit([call('shop_count')], [flooding])
  await send('Count')
  await page.locator('tool-agent .decision[data-ready]').locator('.approve').click()
  await expect(page.locator('tool-agent').getByText(/Row \d{2,}/)).toBeVisible()
  // How long a task of the page waits, and how soon a press of Stop ends the turn.
  const { longest, stopped } = await page.evaluate(async () => {
    const element = document.querySelector('tool-agent') as HTMLElement & { agent: Agent }
    let longest = 0
    for (let last = performance.now(), end = last + 500; last < end;) {
      await new Promise((resolve) => setTimeout(resolve))
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }
    const pressedAt = performance.now()
    element.shadowRoot!.querySelector<HTMLElement>('button.stop')!.click()
    while (element.agent.status !== 'idle') await new Promise((resolve) => setTimeout(resolve))
    return { longest, stopped: performance.now() - pressedAt }
  })
  expect(longest).toBeLessThan(1_500)
  expect(stopped).toBeLessThan(3_000)
  await server.arrived('notifications/cancelled')
})

test('a server of another origin works, and a dead one does not stop the turn', async ({ visit, browserName }) => {
  test.skip(browserName === 'firefox', 'Playwright does not report a request to a dead server from this Firefox')
  const { page, server, endpoint, send } = await visit(
    [call('shop_look'), { text: 'Seen.' }, { text: 'Without tools.' }],
    [textTool('look', 'ran')],
    { isForeign: true },
  )
  const logged: string[] = []
  page.on('console', (message) => logged.push(message.text()))
  await send('Look')
  await page.locator('tool-agent .decision[data-ready]').locator('.approve').click()
  await expect(page.locator('tool-agent').getByRole('article', { name: 'Assistant' }).getByText('Seen.')).toBeVisible()
  await server.arrived('GET')
  // The page has noticed the loss of the stream when it opens the stream again.
  const streamAgain = page.waitForRequest((request) => request.method() === 'GET' && request.url() === server.url)
  await server.stop()
  await streamAgain
  await send('Again')
  await expect.poll(() => endpoint.requests.length).toBe(3)
  await expect(
    page.locator('tool-agent').getByRole('article', { name: 'Assistant' }).getByText('Without tools.'),
  ).toBeVisible()
  await expect(page.locator('tool-agent')).toContainText('One of the assistant’s actions does not work on this page')
  await expect.poll(() => logged.join()).toContain(`the MCP server ${new URL(server.url).origin} is not available`)
  await server.start()
})
