// The file with the rare parts of the worker: loaded on first use, once, in each kind of worker, and again after a
// failure.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LLMock } from '@copilotkit/aimock'
import type { Page } from 'playwright/test'
import { parseSync } from 'rolldown/utils'
import type { ToolAgentError } from '../../../src/core/data/errors.js'
import type { Agent } from '../../../src/page/agent.js'
import { expect, test as base } from '../../support/project/dist.js'
import { serveStatic, strictPolicy, type StaticOptions, type StaticServer } from '../../support/page/static-server.js'

interface Fixtures {
  mock: LLMock
  /** Serves a page author's site until the test is over. */
  serve: (options: StaticOptions) => Promise<StaticServer>
}

const test = base.extend<Fixtures>({
  mock: async ({}, use) => {
    const mock = new LLMock({ port: 0, host: '127.0.0.1', strict: true })
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

const file = '/tool-agent/worker-parts.js'

const html = (script = '/tool-agent/tool-agent.js', attributes = '') => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Shop</title><script type="module" src="${script}"></script></head>
<body><tool-agent endpoint="/v1" model="m" ${attributes}></tool-agent></body></html>`

const site = (dist: string, mock: LLMock, page = html()): StaticOptions => ({
  folders: { '/tool-agent/': dist },
  files: { '/index.html': page },
  headers: { 'content-security-policy': strictPolicy },
  relay: { '/v1': `${mock.url}/v1` },
})

// The model answers each message: with a `todo_write` first if the message asks for a list.
test.beforeEach(({ mock }) => {
  const lastUser = (messages: readonly { role: string; content?: unknown }[]) =>
    messages.findLastIndex(({ role }) => role === 'user')
  mock.on(
    {
      predicate: ({ messages }) =>
        JSON.stringify(messages[lastUser(messages)]?.content).includes('list') && messages.at(-1)?.role === 'user',
    },
    {
      toolCalls: [{ name: 'todo_write', arguments: JSON.stringify({ items: [{ text: 'One', status: 'completed' }] }) }],
    },
  )
  mock.on({ predicate: () => true }, { content: 'Done.' })
})

const send = (page: Page, text: string) =>
  page.evaluate(async (input) => {
    await customElements.whenDefined('tool-agent')
    const agent = document.querySelector('tool-agent') as unknown as Agent
    const { reason, toolExecutions } = await agent.send(input)
    return { reason, host: agent.host, errors: toolExecutions.map(({ error }) => error?.code) }
  }, text)

const list = (page: Page) =>
  page.evaluate(async () => {
    await customElements.whenDefined('tool-agent')
    const agent = (document.querySelector('tool-agent') as unknown as { agent: Agent }).agent
    return agent.sessions.list().then(
      (sessions) => ({ count: sessions.length }),
      ({ code, message }: ToolAgentError) => ({ code, message }),
    )
  })

const loads = ({ requests }: StaticServer) => requests.filter((path) => path === file).length

test('a worker loads the rare parts on first use, once, under a strict policy, and not for a reload at rest', async ({
  page,
  dist,
  mock,
  serve,
}) => {
  const server = await serve(site(dist, mock))
  await page.goto(server.url)
  expect(await send(page, 'hello')).toEqual({ reason: 'stop', host: 'worker', errors: [] })
  await page.reload()
  expect(await send(page, 'hello again')).toMatchObject({ reason: 'stop' })
  expect(loads(server)).toBe(0)

  expect(await list(page)).toEqual({ count: 1 })
  expect(await send(page, 'write a list')).toEqual({ reason: 'stop', host: 'worker', errors: [undefined] })
  expect(await list(page)).toEqual({ count: 1 })
  expect(loads(server)).toBe(1)
})

test('a worker from a blob loads the rare parts of the other origin', async ({ page, dist, mock, serve }) => {
  const cdn = await serve({ folders: { '/': dist }, headers: { 'access-control-allow-origin': '*' } })
  const { headers: _strict, ...plain } = site(dist, mock, html(`${cdn.url}/tool-agent.js`))
  const server = await serve(plain)
  await page.goto(server.url)
  expect(await send(page, 'write a list')).toEqual({ reason: 'stop', host: 'blob-worker', errors: [undefined] })
  expect(cdn.requests).toContain('/worker-parts.js')
})

test('a host in the page contains the rare parts', async ({ page, dist, mock, serve }) => {
  const policy = strictPolicy.replace("worker-src 'self'", "worker-src 'none'")
  const server = await serve({ ...site(dist, mock), headers: { 'content-security-policy': policy } })
  await page.goto(server.url)
  expect(await send(page, 'write a list')).toEqual({ reason: 'stop', host: 'page', errors: [undefined] })
  expect(loads(server)).toBe(0)
})

test('without the file, what needs it fails with its address, and works as soon as the file exists', async ({
  page,
  dist,
  mock,
  serve,
}) => {
  const options = site(dist, mock, html(undefined, 'worker-url="/moved/worker.js"'))
  const files: Record<string, string> = { ...options.files }
  for (const name of ['worker.js', 'models/openai.js']) files[`/moved/${name}`] = readFileSync(join(dist, name), 'utf8')
  const server = await serve({ ...options, files })
  await page.goto(server.url)
  expect(await send(page, 'hello')).toEqual({ reason: 'stop', host: 'worker', errors: [] })
  expect(await list(page)).toEqual({
    code: 'network',
    message: expect.stringContaining(`${server.url}/moved/worker-parts.js`),
  })
  // The call fails, the turn continues.
  expect(await send(page, 'write a list')).toEqual({ reason: 'stop', host: 'worker', errors: ['execution-failed'] })
  files['/moved/worker-parts.js'] = readFileSync(join(dist, 'worker-parts.js'), 'utf8')
  expect(await send(page, 'write a list')).toEqual({ reason: 'stop', host: 'worker', errors: [undefined] })
  expect(await list(page)).toEqual({ count: 1 })
})

/** A worker whose disk has no room for a message that says so. */
const fullDisk = `{
  const { put } = IDBObjectStore.prototype
  IDBObjectStore.prototype.put = function (value, key) {
    if (JSON.stringify(value).includes('fill the disk')) throw new DOMException('No room', 'QuotaExceededError')
    return put.call(this, value, key)
  }
}
`
/** A worker that must not use the storage. */
const blockedStorage = `Object.defineProperty(globalThis, 'indexedDB', {
  get() {
    throw new DOMException('Not allowed', 'SecurityError')
  },
})
`

/** A site with a changed worker. `files` can be changed while it is served. */
async function serveWorker(dist: string, mock: LLMock, serve: Fixtures['serve'], before: string) {
  const options = site(dist, mock, html(undefined, 'worker-url="/moved/worker.js"'))
  const files: Record<string, string> = { ...options.files }
  const copy = (name: string) => readFileSync(join(dist, name), 'utf8')
  files['/moved/worker.js'] = before + copy('worker.js')
  files['/moved/models/openai.js'] = copy('models/openai.js')
  const server = await serve({ ...options, files })
  return { server, addParts: () => (files['/moved/worker-parts.js'] = copy('worker-parts.js')) }
}

/** What a message that cannot be stored leads to. */
const outcome = (page: Page, text: string) =>
  page.evaluate(async (input) => {
    await customElements.whenDefined('tool-agent')
    const { agent } = document.querySelector('tool-agent') as unknown as { agent: Agent }
    return agent.send(input).then(
      ({ reason }) => ({ reason, storage: agent.storage, error: agent.error?.message }),
      ({ code, message }: ToolAgentError) => ({ code, message }),
    )
  }, text)

test('when the disk is full, a worker loads the rare parts and continues in memory', async ({
  page,
  dist,
  mock,
  serve,
}) => {
  const { server, addParts } = await serveWorker(dist, mock, serve, fullDisk)
  addParts()
  await page.goto(server.url)
  expect(await outcome(page, 'hello')).toEqual({ reason: 'stop', storage: 'indexeddb', error: undefined })
  expect(server.requests).not.toContain('/moved/worker-parts.js')
  expect(await outcome(page, 'fill the disk')).toEqual({
    reason: 'stop',
    storage: 'memory',
    error: expect.stringContaining('The browser’s storage is full'),
  })
  expect(server.requests).toContain('/moved/worker-parts.js')
})

test('when the disk is full and the rare parts are missing, the message fails, and the stored ones stay', async ({
  page,
  dist,
  mock,
  serve,
}) => {
  const { server, addParts } = await serveWorker(dist, mock, serve, fullDisk)
  await page.goto(server.url)
  expect(await outcome(page, 'hello')).toMatchObject({ reason: 'stop', storage: 'indexeddb' })
  expect(await outcome(page, 'fill the disk')).toEqual({
    code: 'storage',
    message: expect.stringMatching(/No room.*worker-parts\.js/),
  })
  addParts()
  await page.reload()
  expect(await outcome(page, 'hello again')).toMatchObject({ reason: 'stop', storage: 'indexeddb' })
  const texts = await page.evaluate(() =>
    (document.querySelector('tool-agent') as unknown as { agent: Agent }).agent.messages.flatMap(({ role, ...rest }) =>
      role === 'user' && 'parts' in rest ? rest.parts.map((part) => ('text' in part ? part.text : '')) : [],
    ),
  )
  expect(texts).toEqual(['hello', 'hello again'])
})

test('without storage and without the rare parts, a message fails with the address of the file', async ({
  page,
  dist,
  mock,
  serve,
}) => {
  const { server, addParts } = await serveWorker(dist, mock, serve, blockedStorage)
  await page.goto(server.url)
  expect(await outcome(page, 'hello')).toEqual({
    code: 'network',
    message: expect.stringContaining(`${server.url}/moved/worker-parts.js`),
  })
  addParts()
  await page.reload()
  expect(await outcome(page, 'hello')).toEqual({
    reason: 'stop',
    storage: 'memory',
    error: expect.stringContaining('Not allowed'),
  })
})

test('stop() does not wait for the rare parts', async ({ page, dist, mock, serve }) => {
  const server = await serve(site(dist, mock))
  let ask: () => void = () => undefined
  const asked = new Promise<void>((resolve) => {
    ask = resolve
  })
  await page.context().route('**/worker-parts.js', () => ask())
  await page.goto(server.url)
  await page.evaluate(async () => {
    await customElements.whenDefined('tool-agent')
    const agent = document.querySelector('tool-agent') as unknown as Agent
    Object.assign(window, { turn: agent.send('write a list') })
  })
  await asked
  const result = await page.evaluate(async () => {
    ;(document.querySelector('tool-agent') as unknown as Agent).stop()
    const { reason, toolExecutions } = await (window as unknown as { turn: ReturnType<Agent['send']> }).turn
    return { reason, errors: toolExecutions.map(({ error }) => error?.code) }
  })
  expect(result).toEqual({ reason: 'stopped', errors: ['cancelled'] })
})

test('the file is long enough that no bundler inlines it, and imports nothing', ({ dist }) => {
  const path = join(dist, 'worker-parts.js')
  expect(existsSync(path)).toBe(true)
  const code = readFileSync(path, 'utf8')
  expect(code.length).toBeGreaterThan(4_096)
  const { staticImports, dynamicImports } = parseSync(path, code).module
  expect([...staticImports, ...dynamicImports]).toEqual([])
})
