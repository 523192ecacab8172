// The server of `tool-agent dev`: which files it serves, which pages may use it, and where model requests go.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test as base } from 'playwright/test'
import { parseArguments } from '../../../cli/arguments.js'
import { startDevServer } from '../../../cli/dev-server.js'
import { startEndpoint } from '../../support/lab/endpoint.js'

const test = base.extend<{ folder: string; start: (env?: NodeJS.ProcessEnv) => Promise<string> }>({
  folder: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'tool-agent-dev-'))
    mkdirSync(join(folder, 'site/inside'), { recursive: true })
    writeFileSync(join(folder, 'secret.txt'), 'secret')
    writeFileSync(join(folder, 'site/.env'), 'secret')
    writeFileSync(join(folder, 'site/index.html'), 'start')
    writeFileSync(join(folder, 'site/inside/index.html'), 'inside')
    writeFileSync(join(folder, 'site/a.js'), 'script')
    mkdirSync(join(folder, 'sdk/models'), { recursive: true })
    writeFileSync(join(folder, 'sdk/tool-agent.js'), 'sdk')
    writeFileSync(join(folder, 'sdk/models/openai.js'), 'client')
    await use(join(folder, 'site'))
    rmSync(folder, { recursive: true, force: true })
  },
  start: async ({ folder }, use) => {
    const closers: (() => void)[] = []
    await use(async (env = {}) => {
      const { url, close } = await startDevServer({ folder, port: 0 }, env, join(folder, '../sdk'))
      closers.push(close)
      return url
    })
    for (const close of closers) close()
  },
})

const question = { model: 'any', messages: [{ role: 'user', content: 'Hello' }] }

function ask(url: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(question),
  })
}

/** `fetch` normalizes paths and sets `Host` itself. */
function rawGet(url: string, path: string, host?: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(url)
    const headers = { host: host ?? `127.0.0.1:${port}` }
    request({ host: '127.0.0.1', port, path, headers }, (response) => {
      let body = ''
      response.on('data', (chunk: Buffer) => (body += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
    })
      .on('error', reject)
      .end()
  })
}

test('serves the files of the folder, and an index for a folder', async ({ start }) => {
  const url = await start()
  expect(await (await fetch(url)).text()).toBe('start')
  expect(await (await fetch(`${url}/inside/`)).text()).toBe('inside')
  const script = await fetch(`${url}/a.js`)
  expect(script.headers.get('content-type')).toContain('text/javascript')
  expect(await script.text()).toBe('script')
  expect((await fetch(`${url}/missing.js`)).status).toBe(404)
  expect((await fetch(`${url}/favicon.ico`)).status).toBe(204)
  expect((await fetch(`${url}/a.js`, { method: 'POST' })).status).toBe(405)
})

test('serves the SDK and the relay that a page of init names, and a copy of the project comes first', async ({
  start,
  folder,
}) => {
  const url = await start()
  const text = async (path: string) => (await fetch(url + path)).text()
  expect(await text('/tool-agent/tool-agent.js')).toBe('sdk')
  expect(await text('/tool-agent/models/openai.js'), 'a model is asked with POST; this is a file').toBe('client')
  for (const path of ['/tool-agent/..%2fsecret.txt', '/tool-agent/%2e%2e/secret.txt', '/tool-agent/.env'])
    expect([403, 404], path).toContain((await rawGet(url, path)).status)
  const relayed = await fetch(`${url}/models/openai/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(question),
  })
  expect(JSON.stringify(await relayed.json())).toContain('offline')
  mkdirSync(join(folder, 'tool-agent'))
  writeFileSync(join(folder, 'tool-agent/tool-agent.js'), 'copy')
  expect(await text('/tool-agent/tool-agent.js')).toBe('copy')
})

test('redirects a folder without a slash, so that its relative addresses work', async ({ start }) => {
  const response = await fetch(`${await start()}/inside?a=1`, { redirect: 'manual' })
  expect(response.status).toBe(302)
  expect(response.headers.get('location')).toBe('/inside/?a=1')
})

test('serves nothing outside of the folder, and no name that starts with a dot', async ({ start }) => {
  const url = await start()
  for (const path of [
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/..%5csecret.txt',
    '/.env',
    '/%2eenv',
  ]) {
    const { status, body } = await rawGet(url, path)
    expect([403, 404], path).toContain(status)
    expect(body, path).not.toBe('secret')
  }
  expect((await rawGet(url, '/%')).status).toBe(400)
})

test('refuses pages of other sites and foreign names of this address', async ({ start }) => {
  const url = await start()
  expect((await ask(url, { origin: 'https://shop.example' })).status).toBe(403)
  expect((await ask(url, { origin: 'null' })).status).toBe(403)
  expect((await ask(url, { origin: 'http://localhost.shop.example' })).status).toBe(403)
  expect((await rawGet(url, '/index.html', 'shop.example')).status).toBe(403)
})

test('a page of another local port may use the model', async ({ start }) => {
  const url = await start()
  const origin = 'http://localhost:5173'
  const before = await fetch(`${url}/v1/chat/completions`, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-headers': 'content-type' },
  })
  expect(before.status).toBe(204)
  expect(before.headers.get('access-control-allow-headers')).toBe('content-type')
  const answer = await ask(url, { origin })
  expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
  expect(JSON.stringify(await answer.json())).toContain('offline')
})

test('forwards to the endpoint of the environment, with its key and model', async ({ start }) => {
  const endpoint = await startEndpoint([{ text: 'Hi.' }])
  const env = { MODEL_ENDPOINT: endpoint.url, MODEL_NAME: 'big', MODEL_API_KEY: 'sk-secret' }
  const answer = await ask(await start(env), { origin: 'http://localhost:3000' })
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain('Hi.')
  expect(endpoint.requests[0]?.path).toBe('/v1/chat/completions')
  expect(endpoint.requests[0]?.headers.authorization).toBe('Bearer sk-secret')
  expect(endpoint.requests[0]?.body).toMatchObject({ model: 'big' })
  await endpoint.close()
})

test('prints the address of a page only where there is one that it can show', async ({ folder }) => {
  const printed = async () => {
    const { message, close } = await startDevServer({ folder, port: 0 }, {}, folder)
    close()
    return message
  }
  expect(await printed()).toMatch(/^Page {3}http:\/\/127\.0\.0\.1:\d+\/\nModel {2}http/)
  writeFileSync(join(folder, 'package.json'), '{ "devDependencies": { "vite": "8.3.8" } }')
  expect(await printed(), 'a page that Vite serves').toMatch(/^Model {2}http/)
  rmSync(join(folder, 'package.json'))
  rmSync(join(folder, 'index.html'))
  expect(await printed(), 'a framework without index.html').toMatch(/^Model {2}http/)
})

test('says what is wrong with a folder, a port or an endpoint', async ({ start, folder }) => {
  const port = Number(new URL(await start()).port)
  const failure = async (settings: { folder: string; port: number }, env = {}): Promise<string> =>
    startDevServer(settings, env, folder).then(
      () => 'started',
      (error: unknown) => String(error),
    )
  expect(await failure({ folder, port })).toContain(`port ${port} is in use. Choose another with --port`)
  expect(await failure({ folder: join(folder, 'none'), port: 0 })).toContain('there is no folder')
  expect(await failure({ folder, port: 0 }, { MODEL_ENDPOINT: 'model' })).toContain('MODEL_ENDPOINT')
})

test('reads the arguments of the command', () => {
  const dev = (...args: string[]) => parseArguments(['dev', ...args], {})
  expect(dev()).toEqual({ command: 'dev', settings: { folder: '.', port: 8790 } })
  expect(dev('public', '--port', '9000')).toEqual({ command: 'dev', settings: { folder: 'public', port: 9000 } })
  expect(() => parseArguments(['dev', '--port', 'x'], {})).toThrow('expected a number from 0 to 65535, received "x"')
  expect(() => parseArguments(['dev', 'a', 'b'], {})).toThrow('expected one folder, received 2')
})

test('a symbolic link is followed only inside of the folder', async ({ folder, start }) => {
  writeFileSync(join(folder, 'inside/page.html'), 'linked')
  symlinkSync(join(folder, 'inside'), join(folder, 'near'))
  symlinkSync(join(folder, '..'), join(folder, 'above'))
  symlinkSync(join(folder, '../secret.txt'), join(folder, 'far.txt'))
  symlinkSync(join(folder, '.env'), join(folder, 'env.txt'))
  symlinkSync(join(folder, 'gone'), join(folder, 'broken'))
  const url = await start()
  expect(await (await fetch(`${url}/near/page.html`)).text()).toBe('linked')
  for (const path of ['/far.txt', '/above/secret.txt', '/env.txt', '/above/'])
    expect((await fetch(url + path)).status, path).toBe(403)
  expect((await fetch(`${url}/broken`)).status).toBe(404)
})

test('a page of another site may link to a page, and include nothing', async ({ start }) => {
  const url = await start()
  const statusOf = async (kind: string, from: string, more = {}): Promise<number> => {
    const headers = { 'sec-fetch-site': from, 'sec-fetch-dest': kind, ...more }
    return (await fetch(`${url}/a.js`, { headers })).status
  }
  for (const kind of ['script', 'image', 'style', 'iframe', 'empty']) {
    expect(await statusOf(kind, 'cross-site'), kind).toBe(403)
    expect(await statusOf(kind, 'same-origin'), kind).toBe(200)
    // The development server of a framework, with the other name of this computer.
    expect(await statusOf(kind, 'cross-site', { origin: 'http://localhost:5173' }), kind).toBe(200)
  }
  expect(await statusOf('document', 'cross-site')).toBe(200)
  expect((await fetch(`${url}/a.js`)).headers.get('cross-origin-resource-policy')).toBe('same-origin')
})
