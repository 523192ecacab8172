// What is published, served by a plain static server to a page with only the tag and a script, under the strictest
// policy, against an OpenAI-compatible server that others wrote.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LLMock } from '@copilotkit/aimock'
import type { Locator, Page } from 'playwright/test'
import type { ToolAgentError } from '../../../src/core/data/errors.js'
import type { Agent } from '../../../src/page/agent.js'
import { expect, test as base } from '../../support/project/dist.js'
import { serveStatic, strictPolicy, type StaticOptions, type StaticServer } from '../../support/page/static-server.js'

interface Fixtures {
  /** The model: a server that another project wrote. */
  mock: LLMock
  /** Serves a page author's site until the test is over. */
  serve: (options: StaticOptions) => Promise<StaticServer>
}

const test = base.extend<Fixtures>({
  mock: async ({}, use) => {
    const mock = new LLMock({ port: 0, host: '127.0.0.1', strict: true, chunkSize: 7 })
    await mock.start()
    await use(mock)
    await mock.stop()
  },
  serve: async ({}, use) => {
    const servers: StaticServer[] = []
    await use(async (options) => {
      const server = await serveStatic(options)
      servers.push(server)
      return server
    })
    await Promise.all(servers.map((server) => server.close()))
  },
})

const page = (more: { script?: string; attributes?: string } = {}) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Table for two</title>
<link rel="icon" href="/icon.svg">
<script src="/violations.js"></script>
<script type="module" src="${more.script ?? '/tool-agent/tool-agent.js'}"></script>
<script type="module" src="/page.js"></script></head>
<body>
<form aria-label="Booking"><label>Your name <input name="name"></label> <label>Guests <input name="guests" type="number"></label>
<label>Password <input name="password" type="password" value="hunter2"></label><button>Book</button></form>
<tool-agent endpoint="/v1" model="gpt-test" page-tools="read fill" ${more.attributes ?? ''}></tool-agent>
</body></html>`

const violations = `window.violations = []
addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample))`

const script = `await customElements.whenDefined('tool-agent')
const agent = document.querySelector('tool-agent')
agent.toolContext = { tenant: 'tenant-secret-4711' }
window.ran = []
document.querySelector('form').addEventListener('submit', (event) => { event.preventDefault(); ran.push('submit') })
agent.registerTool([
  {
    name: 'find_orders',
    description: 'Find the orders of the signed-in customer.',
    inputSchema: { type: 'object', properties: { query: { type: 'string', description: 'What to look for' } }, required: ['query'] },
    annotations: { readOnlyHint: true },
    async execute({ query }, { toolContext }) { ran.push('find_orders ' + query + ' ' + toolContext.tenant); return [{ id: 7, item: 'teapot' }] },
  },
  {
    name: 'cancel_order',
    title: 'Cancel an order',
    description: 'Cancel one order of the signed-in customer.',
    inputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
    annotations: { destructiveHint: true },
    async execute({ id }) { ran.push('cancel_order ' + id); return 'Cancelled' },
  },
])`

const site = (dist: string, mock: LLMock, html = page()): StaticOptions => ({
  folders: { '/tool-agent/': dist },
  files: {
    '/index.html': html,
    '/page.js': script,
    '/violations.js': violations,
    '/icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  },
  headers: { 'content-security-policy': `${strictPolicy}; report-uri /reports` },
  relay: { '/v1': `${mock.url}/v1` },
})

/** The conversation of these tests: each step is known by how many results the newest turn has. */
function converse(mock: LLMock): void {
  const step = (text: string, results: number) => ({
    predicate: ({ messages }: { messages: readonly { role: string; content?: unknown }[] }) => {
      const user = messages.findLastIndex(({ role }) => role === 'user')
      return (
        JSON.stringify(messages[user]?.content).includes(text) &&
        messages.slice(user).filter(({ role }) => role === 'tool').length === results
      )
    },
  })
  const call = (name: string, input: object) => ({ name, arguments: JSON.stringify(input) })
  mock.on(step('a table for 4', 0), {
    toolCalls: [
      call('todo_write', {
        items: [{ text: 'Read the form', status: 'in_progress' }, { text: 'Fill it' }, { text: 'Cancel order 7' }],
      }),
      call('form_read', {}),
      call('find_orders', { query: 'teapot' }),
    ],
  })
  mock.on(step('a table for 4', 3), {
    toolCalls: [
      call('form_fill', {
        fields: [
          { field: 'Your name', value: 'Ada Lovelace' },
          { field: 'Guests', value: '4' },
        ],
      }),
      call('cancel_order', { id: 7 }),
    ],
  })
  mock.on(step('a table for 4', 5), {
    toolCalls: [
      call('todo_write', {
        items: [
          { text: 'Read the form', status: 'completed' },
          { text: 'Fill it', status: 'completed' },
          { text: 'Cancel order 7', status: 'completed' },
        ],
      }),
    ],
  })
  mock.on(step('a table for 4', 6), {
    content: 'All done:\n\n- the form says **4 guests**\n- order `7` is cancelled\n\n<img src=x onerror=alert(1)>',
  })
  mock.on(step('my name is Grace', 0), {
    toolCalls: [
      call('page_read', {}),
      call('find_orders', { query: 'teapot' }),
      call('form_fill', { fields: [{ field: 'Your name', value: 'Grace Hopper' }] }),
    ],
  })
  mock.on(step('my name is Grace', 3), { content: 'Your **name** is in the form.' })
  mock.on(step('thank you', 0), { content: 'You are welcome.' })
}

/** The text in the transcript. The live region for screen readers also contains it. */
const answer = (element: Locator, text: string) => element.getByRole('article', { name: 'Assistant' }).getByText(text)

/** Both kinds of report. A last forbidden thing proves that reports do arrive. */
async function expectNoReports(visit: Page, server: StaticServer): Promise<void> {
  await visit.evaluate(
    () =>
      new Promise((resolve) => {
        const image = new Image()
        image.onerror = resolve
        image.src = 'http://127.0.0.1:9/canary.png'
      }),
  )
  await expect.poll(() => JSON.stringify(server.reports)).toContain('canary')
  expect(server.reports.filter((report) => !JSON.stringify(report).includes('canary'))).toEqual([])
  const seen = await visit.evaluate(() => (globalThis as unknown as { violations: string[] }).violations)
  expect(seen.filter((violation) => !violation.includes('canary'))).toEqual([])
}

test(
  'a page with the tag and a script works under a strict Content-Security-Policy',
  { tag: '@R9.4' },
  async ({ page: visit, dist, mock, serve }) => {
    converse(mock)
    const server = await serve(site(dist, mock))
    const errors: string[] = []
    visit.on('pageerror', (error) => errors.push(error.message))
    await visit.goto(server.url)
    const element = visit.locator('tool-agent')
    await element.getByRole('textbox').fill('Please book a table for 4 for Ada Lovelace, and cancel my teapot order')
    await element.getByRole('textbox').press('Enter')
    // The card counts a click once it could be read.
    await element.locator('.decision[data-ready]').locator('.approve').click()
    await expect(answer(element, '4 guests')).toBeVisible()

    await expect(visit.getByLabel('Your name')).toHaveValue('Ada Lovelace')
    await expect(visit.getByLabel('Guests')).toHaveValue('4')
    const facts = await visit.evaluate(() => {
      const agent = document.querySelector('tool-agent') as unknown as {
        agent: Agent
        storage: string
        status: string
        todos: { status: string }[]
      }
      const { ran } = globalThis as unknown as { ran: string[] }
      return {
        ran,
        host: agent.agent.host,
        storage: agent.storage,
        status: agent.status,
        todos: agent.todos.map(({ status }) => status),
      }
    })
    expect(facts).toEqual({
      ran: ['find_orders teapot tenant-secret-4711', 'cancel_order 7'],
      host: 'worker',
      storage: 'indexeddb',
      status: 'idle',
      todos: ['completed', 'completed', 'completed'],
    })
    // Markdown became elements, markup stayed text.
    await expect(element.locator('strong', { hasText: '4 guests' })).toBeVisible()
    await expect(element.locator('article img')).toHaveCount(0)

    await visit.reload()
    await expect(answer(element, '4 guests')).toBeVisible()
    await element.getByRole('textbox').fill('thank you')
    await element.getByRole('textbox').press('Enter')
    await expect(answer(element, 'You are welcome.')).toBeVisible()

    const sent = JSON.stringify(mock.getRequests())
    expect(sent).toContain('a table for 4')
    for (const secret of ['tenant-secret-4711', 'hunter2']) expect(sent).not.toContain(secret)
    expect(errors).toEqual([])
    // The page's tools and these two have common schemas.
    expect(server.requests.filter((path) => path.includes('json-schema') || path.includes('text-protocol'))).toEqual([])
    await expectNoReports(visit, server)
  },
)

test(
  'a usual visit requests nothing but the files of the page, of the SDK, and the model',
  { tag: ['@one-engine', '@R9.1'] },
  async ({ page: visit, dist, mock, serve }) => {
    converse(mock)
    const server = await serve(site(dist, mock))
    const elsewhere: string[] = []
    visit.on('request', (request) => {
      if (!request.url().startsWith(server.url)) elsewhere.push(request.url())
    })
    await visit.goto(server.url)
    const element = visit.locator('tool-agent')
    for (const [text, answered] of [
      ['Hi, my name is Grace', 'name'],
      ['thank you', 'You are welcome.'],
    ] as const) {
      await element.getByRole('textbox').fill(text)
      await element.getByRole('textbox').press('Enter')
      await expect(answer(element, answered).last()).toBeVisible()
    }
    await expect(visit.getByLabel('Your name')).toHaveValue('Grace Hopper')
    await expect(element.locator('strong', { hasText: 'name' })).toBeVisible()
    await answer(element, 'You are welcome.').hover()
    await expect(element.getByRole('button', { name: 'Copy' }).last()).toBeVisible()
    const pageFiles = ['/', '/icon.svg', '/page.js', '/violations.js']
    expect(elsewhere.filter((url) => !url.startsWith('blob:'))).toEqual([])
    const others = server.requests.filter((path) => !path.startsWith('/tool-agent/') && !pageFiles.includes(path))
    expect(new Set(others)).toEqual(new Set(['/v1/chat/completions']))
  },
)

for (const [stage, attributes] of [
  ['closed', 'layout="floating"'],
  ['visible', ''],
] as const) {
  test(
    `a ${stage} panel starts no worker and opens no database until the user is about to write`,
    { tag: ['@R9.1', '@one-engine'] },
    async ({ page: visit, dist, mock, serve }) => {
      converse(mock)
      const server = await serve(site(dist, mock, page({ attributes })))
      await visit.goto(server.url)
      const element = visit.locator('tool-agent')
      const launcher = element.getByRole('button', { name: 'Open the assistant' })
      await expect(stage === 'closed' ? launcher : element.getByRole('textbox')).toBeVisible()
      await visit.waitForLoadState('networkidle')
      const fetched = () =>
        [...new Set(server.requests)].flatMap((path) =>
          path.startsWith('/tool-agent/') ? [path.slice('/tool-agent/'.length)] : [],
        )
      // A visible panel fetches what draws and sends the first message, and starts nothing of it.
      const ahead = stage === 'visible' ? ['agent-client', 'conversation'] : []
      const early = () =>
        fetched().flatMap((file) => /worker|models|agent-client|conversation|page-tools/.exec(file)?.[0] ?? [])
      await expect.poll(() => early().toSorted()).toEqual(ahead)
      expect(visit.workers()).toEqual([])
      const state = () =>
        visit.evaluate(async () => {
          const { status, session } = document.querySelector('tool-agent') as unknown as Agent
          return { status, session, databases: (await indexedDB.databases()).map(({ name }) => name) }
        })
      expect(await state()).toEqual({ status: 'ready', session: undefined, databases: [] })

      if (stage === 'closed') await launcher.click()
      else await element.getByRole('textbox').focus()
      // The worker has its provider before there is a message.
      await expect.poll(fetched).toContain('models/openai.js')
      await expect(element.getByRole('textbox')).toBeFocused()
      await visit.keyboard.type('Hi, my name is Grace')
      await visit.keyboard.press('Enter')
      await expect(answer(element, 'is in the form')).toBeVisible()
      await expect(visit.getByLabel('Your name')).toHaveValue('Grace Hopper')
    },
  )
}

test(
  'a conversation of this tab is opened at once, also by a closed panel',
  { tag: '@one-engine' },
  async ({ page: visit, dist, mock, serve }) => {
    converse(mock)
    const server = await serve(site(dist, mock, page({ attributes: 'layout="floating"' })))
    await visit.goto(server.url)
    await visit.evaluate(() => (document.querySelector('tool-agent') as unknown as Agent).send('thank you'))
    const before = server.requests.length
    await visit.reload()
    await expect.poll(() => server.requests.slice(before)).toContain('/tool-agent/models/openai.js')
    await visit.locator('tool-agent').getByRole('button', { name: 'Open the assistant' }).click()
    await expect(answer(visit.locator('tool-agent'), 'You are welcome.')).toBeVisible()
  },
)

test('code that could not be loaded is loaded again when it is needed next', async ({
  page: visit,
  dist,
  mock,
  serve,
  browserName,
}) => {
  test.skip(browserName === 'firefox', 'Firefox keeps a failed import until the page is reloaded')
  converse(mock)
  const server = await serve(site(dist, mock, page({ attributes: 'layout="floating"' })))
  const failing = ['panel', 'agent-client']
  await visit.route(/\/(?:panel|agent-client)-[\w-]+\.js$/, (route) => {
    const name = failing.find((one) => route.request().url().includes(`/${one}-`))
    if (name === undefined) return route.continue()
    failing.splice(failing.indexOf(name), 1)
    return route.abort()
  })
  await visit.goto(server.url)
  const errors = await visit.evaluateHandle(() => {
    const heard: string[] = []
    document.addEventListener('tool-agent-error', (event) => {
      heard.push((event as Event & { error: ToolAgentError }).error.code)
    })
    return heard
  })
  const element = visit.locator('tool-agent')
  const launcher = element.getByRole('button', { name: 'Open the assistant' })
  await launcher.click()
  await expect.poll(() => errors.jsonValue()).toEqual(['network'])
  await expect(element.getByRole('alert')).toHaveText(
    'The assistant cannot be loaded. Check your connection and try again.',
  )
  await launcher.click()
  // The focus of the text field connects, which fails.
  await expect.poll(() => errors.jsonValue()).toEqual(['network', 'network'])
  await expect(element.getByRole('alert')).toBeVisible()
  await element.getByRole('textbox').blur()
  await element.getByRole('textbox').focus()
  await expect(element.getByRole('alert')).toHaveCount(0)
  await visit.keyboard.type('thank you')
  await visit.keyboard.press('Enter')
  await expect(answer(element, 'You are welcome.')).toBeVisible()
})

test('the code of an answer gets its colours under a strict policy', async ({ page: visit, dist, mock, serve }) => {
  mock.on({ userMessage: 'opening hours' }, { content: '```js\nconst today = 1\n```\n\nDone.' })
  const server = await serve(site(dist, mock))
  await visit.goto(server.url)
  const element = visit.locator('tool-agent')
  await element.getByRole('textbox').fill('Show the opening hours')
  await visit.keyboard.press('Enter')
  await expect(element.locator('pre .code-keyword')).toHaveText('const')
  expect(await visit.evaluate('violations')).toEqual([])
})

test('a script from another origin starts its worker from a blob', async ({ page: visit, dist, mock, serve }) => {
  converse(mock)
  const cdn = await serve({ folders: { '/': dist }, headers: { 'access-control-allow-origin': '*' } })
  const { headers: _strict, ...plain } = site(dist, mock, page({ script: `${cdn.url}/tool-agent.js` }))
  const server = await serve(plain)
  await visit.goto(server.url)
  const element = visit.locator('tool-agent')
  await element.getByRole('textbox').fill('thank you')
  await element.getByRole('textbox').press('Enter')
  await expect(answer(element, 'You are welcome.')).toBeVisible()
  expect(
    await visit.evaluate(() => (document.querySelector('tool-agent') as unknown as { agent: Agent }).agent.host),
  ).toBe('blob-worker')
  expect(server.requests.filter((path) => path.startsWith('/tool-agent/'))).toEqual([])
  expect(cdn.requests).toContain('/models/openai.js')
})

test(
  'where no worker may start, the same host runs in the page',
  { tag: '@F16' },
  async ({ page: visit, dist, mock, serve }) => {
    converse(mock)
    const server = await serve({
      ...site(dist, mock),
      headers: { 'content-security-policy': strictPolicy.replace("worker-src 'self'", "worker-src 'none'") },
    })
    await visit.goto(server.url)
    const element = visit.locator('tool-agent')
    await element.getByRole('textbox').fill('thank you')
    await element.getByRole('textbox').press('Enter')
    await expect(answer(element, 'You are welcome.')).toBeVisible()
    expect(
      await visit.evaluate(() => (document.querySelector('tool-agent') as unknown as { agent: Agent }).agent.host),
    ).toBe('page')
    // It has its provider with it.
    expect(server.requests).not.toContain('/tool-agent/models/openai.js')
  },
)

test(
  'a moved worker loads the model provider from its own folder, and reports a missing file until it exists',
  { tag: '@one-engine' },
  async ({ page: visit, dist, mock, serve }) => {
    converse(mock)
    const options = site(dist, mock, page({ attributes: 'worker-url="/moved/worker.js"' }))
    const files: Record<string, string> = {
      ...options.files,
      '/moved/worker.js': readFileSync(join(dist, 'worker.js'), 'utf8'),
    }
    const server = await serve({ ...options, files })
    await visit.goto(server.url)
    const send = () =>
      visit.evaluate(async () => {
        const agent = document.querySelector('tool-agent') as unknown as Agent & { limits: object }
        agent.limits = { modelRetries: 0 }
        return agent.send('thank you').then(
          ({ text }) => ({ text }),
          ({ code, message }: ToolAgentError) => ({ code, message }),
        )
      })
    expect(await send()).toEqual({
      code: 'unavailable',
      message: expect.stringContaining(`${server.url}/moved/models/openai.js`),
    })
    files['/moved/models/openai.js'] = readFileSync(join(dist, 'models/openai.js'), 'utf8')
    expect(await send()).toEqual({ text: 'You are welcome.' })
    expect(
      await visit.evaluate(() => (document.querySelector('tool-agent') as unknown as { agent: Agent }).agent.host),
    ).toBe('worker')
  },
)

test(
  'stop() does not wait for a loading model provider, and no model call follows',
  { tag: '@one-engine' },
  async ({ page: visit, dist, mock, serve }) => {
    converse(mock)
    const server = await serve(site(dist, mock))
    let arrive: () => Promise<void> = async () => undefined
    let ask: () => void = () => undefined
    const asked = new Promise<void>((resolve) => {
      ask = resolve
    })
    await visit.context().route('**/models/openai.js', (route) => {
      arrive = () => route.continue()
      ask()
    })
    // In Firefox the load event waits for what a worker imports.
    await visit.goto(server.url, { waitUntil: 'commit' })
    await visit.evaluate(async () => {
      await customElements.whenDefined('tool-agent')
      void (document.querySelector('tool-agent') as unknown as { agent: Agent }).agent.connect()
    })
    await asked
    const stopped = await visit.evaluate(async () => {
      const agent = document.querySelector('tool-agent') as unknown as Agent
      const turn = agent.send('thank you')
      await new Promise<void>((resolve) => {
        const off = agent.subscribe(({ type }) => {
          if (type === 'step-start') {
            off()
            resolve()
          }
        })
      })
      agent.stop()
      return (await turn).reason
    })
    expect(stopped).toBe('stopped')
    await arrive()
    await visit.evaluate(() => (document.querySelector('tool-agent') as unknown as Agent).send('thank you'))
    // One request, of the second message.
    expect(mock.getRequests()).toHaveLength(1)
  },
)

test(
  'the text protocol file loads only if the page enables it, in a worker and in the page',
  { tag: '@one-engine' },
  async ({ page: visit, dist, mock, serve }) => {
    converse(mock)
    for (const [host, policy] of [
      ['worker', strictPolicy],
      ['page', strictPolicy.replace("worker-src 'self'", "worker-src 'none'")],
    ] as const) {
      const server = await serve({ ...site(dist, mock), headers: { 'content-security-policy': policy } })
      await visit.goto(server.url)
      const said = await visit.evaluate(async () => {
        await customElements.whenDefined('tool-agent')
        const agent = document.querySelector('tool-agent') as unknown as Agent & { agent: Agent; textProtocol: true }
        agent.textProtocol = true
        const { text } = await agent.send('thank you')
        return { text, host: agent.agent.host }
      })
      expect(said).toEqual({ text: 'You are welcome.', host })
      expect(server.requests.filter((path) => path === '/tool-agent/models/text-protocol.js')).toHaveLength(
        host === 'worker' ? 1 : 0,
      )
    }
    const bodies = mock.getRequests().map(({ body }) => body as { tools?: unknown } | null)
    expect(bodies).toHaveLength(2)
    for (const body of bodies) {
      expect(body?.tools).toBeUndefined()
      expect(JSON.stringify(body)).toContain('[TOOL_CALL]')
    }
  },
)
