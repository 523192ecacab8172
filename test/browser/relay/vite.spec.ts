// The relay with the development server of Vite, in a browser: behind the short form of `server.proxy`, which changes the
// header `host`, and as a middleware.
import { createServer as createHttpServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test as base } from 'playwright/test'
import { createServer, type InlineConfig, type ViteDevServer } from 'vite'
import { createRelay } from '../../../src/relay/create-relay.js'
import { toNodeHandler } from '../../../src/relay/node-handler.js'

const relay = createRelay({
  upstreams: { openai: { protocol: 'openai', endpoint: 'https://model.example/v1', models: ['small'] } },
  user: () => 'developer',
  fetch: () => Promise.resolve(new Response('data: [DONE]\n\n', { headers: { 'content-type': 'text/event-stream' } })),
})

const test = base.extend<{ serve: (settings: InlineConfig) => Promise<string>; server: Server }>({
  server: async ({}, use) => {
    const server = createHttpServer(toNodeHandler(relay))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    await use(server)
    await new Promise((done) => server.close(done).closeAllConnections())
  },
  serve: async ({}, use) => {
    const root = mkdtempSync(join(tmpdir(), 'tool-agent-vite-'))
    writeFileSync(join(root, 'index.html'), '<!doctype html><title>Shop</title>')
    let vite: ViteDevServer | undefined
    await use(async (settings) => {
      vite = await createServer({
        root,
        configFile: false,
        logLevel: 'error',
        ...settings,
        server: { ...settings.server, port: 0, host: '127.0.0.1' },
      })
      await vite.listen()
      return `http://127.0.0.1:${(vite.httpServer!.address() as AddressInfo).port}`
    })
    await vite?.close()
    rmSync(root, { recursive: true })
  },
})

function ask(path: string): Promise<[number, string]> {
  const body = JSON.stringify({ model: 'small', stream: true, messages: [] })
  const headers = { 'content-type': 'application/json' }
  return fetch(path, { method: 'POST', headers, body }).then(async (answer) => [answer.status, await answer.text()])
}

const path = '/models/openai/chat/completions'

test('the short form of the proxy works', async ({ page, serve, server }) => {
  const { port } = server.address() as AddressInfo
  await page.goto(await serve({ server: { proxy: { '/models': `http://127.0.0.1:${port}` } } }))
  expect(await page.evaluate(ask, path)).toEqual([200, 'data: [DONE]\n\n'])
})

test('as a middleware, it needs no server of its own', async ({ page, serve }) => {
  const plugin = {
    name: 'relay',
    configureServer: ({ middlewares }: ViteDevServer) => void middlewares.use('/models', toNodeHandler(relay)),
  }
  await page.goto(await serve({ plugins: [plugin] }))
  expect(await page.evaluate(ask, path)).toEqual([200, 'data: [DONE]\n\n'])
})

test('a page of another origin is refused', async ({ page, serve, server }) => {
  const { port } = server.address() as AddressInfo
  const url = await serve({ server: { proxy: { '/models': `http://127.0.0.1:${port}` } } })
  const refused = page.waitForResponse((response) => response.request().method() === 'POST')
  // Another port is another origin. Without a type, the browser asks for no permission first.
  await page.goto(`http://127.0.0.1:${port}/models`)
  await page.evaluate(
    (to) => void fetch(to, { method: 'POST', mode: 'no-cors', body: '{}' }).catch(() => {}),
    url + path,
  )
  expect((await refused).status()).toBe(403)
})
