// The worker and its provider start in every place of the package: in the bundle of a page author, with Vite's
// development server, which moves packages into its own folder, and in this project served from source.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mergeTests, type Page } from 'playwright/test'
import { build, createServer, type InlineConfig } from 'vite'
import type { ToolAgentError } from '../../../src/core/data/errors.js'
import type { Agent } from '../../../src/page/agent.js'
import { expect, test as withDist } from '../../support/project/dist.js'
import { packInto } from '../../support/project/package.js'
import { test as withSite } from '../../support/page/site.js'
import { serveStatic } from '../../support/page/static-server.js'

const test = mergeTests(withDist, withSite).extend<object, { consumer: string }>({
  /** A project that has the package installed. */
  consumer: [
    async ({ dist }, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'tool-agent-consumer-'))
      packInto(dist, join(folder, 'node_modules/tool-agent'))
      mkdirSync(join(folder, 'app'))
      writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }')
      writeFileSync(
        join(folder, 'index.html'),
        '<!doctype html><title>App</title><tool-agent endpoint="/v1" model="m" page-tools="read"></tool-agent><label>Your PIN code for delivery <input></label><label>Guests <select><option>2</select></label><script type="module" src="/app/main.js"></script>',
      )
      writeFileSync(
        join(folder, 'app/main.js'),
        "import { createAgent } from 'tool-agent'\nimport { readTools } from 'tool-agent/tools'\ncreateAgent().registerTool(readTools())",
      )
      await use(folder)
      rmSync(folder, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
})

const quiet = (root: string): InlineConfig => ({ root, configFile: false, logLevel: 'error' })

/** Connects the page's agent. Its `host` is then `page` if no worker starts. */
async function expectWorker(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await expect
    .poll(
      () =>
        page.evaluate(async () => {
          const element = document.querySelector('tool-agent') as unknown as { agent?: Agent } | null
          await element?.agent?.connect()
          return element?.agent?.host
        }),
      { timeout: 15_000 },
    )
    .toBe('worker')
  // An answer of this server, which has no model, is one that the provider read.
  const code = page.evaluate(() =>
    (document.querySelector('tool-agent') as unknown as Agent).send('Hello').then(
      () => 'none',
      (error: ToolAgentError) => error.code,
    ),
  )
  expect(await code).toBe('not-found')
  const listed = page.evaluate(async () => {
    const { agent } = document.querySelector('tool-agent') as unknown as { agent: Agent }
    return (await agent.sessions.list()).length
  })
  expect(await listed).toBe(1)
}

test('a Vite bundle starts the worker and loads its model provider', async ({ page, consumer }) => {
  await build({ ...quiet(consumer), build: { emptyOutDir: true } })
  const server = await serveStatic({ folders: { '/': join(consumer, 'dist') } })
  await expectWorker(page, server.url)
  for (const file of [/^\/assets\/worker-[\w-]+\.js$/, /^\/assets\/openai-[\w-]+\.js$/])
    expect(
      server.requests.some((path) => file.test(path)),
      `${file}`,
    ).toBe(true)
  // The select and the words of the label need parts that load with the first page that has such a field.
  const outline = page.evaluate(() =>
    (document.querySelector('tool-agent') as unknown as { agent: Agent }).agent.callTool('page_read'),
  )
  expect(JSON.stringify(await outline)).toContain('Guests')
  await server.close()
})

test('the Vite development server starts the worker of the installed package and loads its model provider', async ({
  page,
  consumer,
}) => {
  const server = await createServer({
    ...quiet(consumer),
    server: { host: '127.0.0.1', port: 0, hmr: false, ws: false },
  })
  await server.listen()
  const address = server.httpServer?.address()
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await expectWorker(page, `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`)
  // It was moved, so this is the case that had to be tried.
  expect(requests.some((path) => path.includes('/.vite/deps/tool-agent'))).toBe(true)
  await server.close()
})

test('the worker starts where a development server has moved the scripts without the worker', async ({
  page,
  dist,
}) => {
  // As Vite 5 to 7 do. Vite 8, which this project has, also moves the worker.
  const moved = '/app/node_modules/.cache/vite/client/deps/'
  const server = await serveStatic({
    folders: { [moved]: dist, '/app/node_modules/tool-agent/dist/': dist },
    files: {
      '/index.html': `<tool-agent endpoint="/v1" model="m"></tool-agent><script type="module" src="${moved}tool-agent.js"></script>`,
    },
    middleware(request, response, next) {
      const isLeftOut = /\/deps\/(?:worker|models\/)/.test(request.url ?? '')
      if (isLeftOut) response.writeHead(404).end()
      else next()
    },
  })
  try {
    await expectWorker(page, `${server.url}/index.html`)
    expect(server.requests.filter((path) => path.includes('/deps/worker'))).toEqual([])
  } finally {
    await server.close()
  }
})

test('after a hot reload the agent has its tools and its session, and the old worker has ended', async ({
  page,
  consumer,
}) => {
  const agent = (instructions: string): string => `import { createAgent } from 'tool-agent/agent'
export const agent = createAgent({ endpoint: '/v1', model: 'm', instructions: '${instructions}' })
agent.registerTool({ name: 'own', description: 'Its own.', execute: () => 1 })
import.meta.hot?.dispose(() => { void agent.close() })`
  const files: Record<string, string> = {
    'hot.html': '<!doctype html><title>Hot</title><script type="module" src="/app/hot.js"></script>',
    'app/agent.js': agent('first'),
    'app/tools.js':
      "import { agent } from './agent.js'\nagent.registerTool({ name: 'other', description: 'Registered elsewhere.', execute: () => 2 })",
    'app/hot.js': `import 'tool-agent'
import { agent } from './agent.js'
import './tools.js'
const element = document.createElement('tool-agent')
element.agent = agent
document.body.append(element)
import.meta.hot.accept(['./agent.js', './tools.js'], ([edited]) => { if (edited) element.agent = edited.agent })`,
  }
  for (const [name, code] of Object.entries(files)) writeFileSync(join(consumer, name), code)
  const server = await createServer({ ...quiet(consumer), server: { host: '127.0.0.1', port: 0 } })
  await server.listen()
  try {
    await page.addInitScript(() => {
      const ended: unknown[] = []
      const { terminate } = Worker.prototype
      Worker.prototype.terminate = function () {
        ended.push(this)
        terminate.call(this)
      }
      Object.assign(window, { ended })
    })
    const address = server.httpServer?.address()
    await page.goto(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/hot.html`)
    const state = () =>
      page.evaluate(() => {
        const { agent, session } = document.querySelector('tool-agent') as unknown as {
          agent: Agent
          session?: { id: string }
        }
        return {
          host: agent.host,
          id: session?.id,
          instructions: agent.options.instructions,
          tools: agent.tools.map((tool) => tool.name),
        }
      })
    await expect.poll(async () => (await state()).host).toBe('worker')
    const before = await state()
    expect(before).toMatchObject({ instructions: 'first', tools: ['own', 'other'] })
    writeFileSync(join(consumer, 'app/agent.js'), agent('second'))
    await expect.poll(state).toEqual({ ...before, instructions: 'second' })
    await expect.poll(() => page.evaluate(() => (window as unknown as { ended: unknown[] }).ended.length)).toBe(1)
  } finally {
    await server.close()
  }
})

test('the development server resolves the worker expression to the worker’s source', async ({ page, devSite }) => {
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await page.goto(`${devSite}/test/pages/session/blank.html`)
  await page.evaluate(async () => {
    const source = '/src/index.ts'
    await import(source)
    const element = document.body.appendChild(document.createElement('tool-agent')) as unknown as { agent: Agent }
    await element.agent.connect()
  })
  await expect
    .poll(() => page.evaluate(() => (document.querySelector('tool-agent') as unknown as { agent: Agent }).agent.host), {
      timeout: 15_000,
    })
    .toBe('worker')
  expect(requests).toContain('/src/host/worker.ts')
})
