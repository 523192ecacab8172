// How the built files find their worker after a bundler moved them, and what the console reports if none starts.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { expect, test as base } from '../../support/project/dist.js'
import { serveStatic, type StaticOptions, type StaticServer } from '../../support/page/static-server.js'

const test = base.extend<{ serve: (options: StaticOptions) => Promise<StaticServer> }>({
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

const html = (
  head: string,
  attributes = '',
) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>${head}</head>
<body><tool-agent endpoint="/v1" model="m" ${attributes}></tool-agent></body></html>`
const tag = (script = '/tool-agent/tool-agent.js') => `<script type="module" src="${script}"></script>`

/** What Turbopack's runtime puts in the place of `URL` for a file that it moved: an address without an origin. */
const relativeUrl = `<script>
function RelativeURL(inputUrl) {
  const realUrl = new URL(inputUrl, 'x:/')
  const values = {}
  for (const key in realUrl) values[key] = realUrl[key]
  values.href = inputUrl
  values.pathname = inputUrl.replace(/[?#].*/, '')
  values.origin = values.protocol = ''
  values.toString = values.toJSON = () => inputUrl
  for (const key in values) Object.defineProperty(this, key, { enumerable: true, configurable: true, value: values[key] })
}
RelativeURL.prototype = URL.prototype
</script>`

/**
 * The files that name others by `import.meta.url`, rewritten as that bundler does; the others are moved and renamed.
 */
function asTurbopack(dist: string): Record<string, string> {
  const files: Record<string, string> = {}
  const moved = [
    'worker.js',
    'models/openai.js',
    'models/openai-responses.js',
    'models/google.js',
    'models/fallbacks.js',
    'models/text-protocol.js',
  ]
  for (const name of readdirSync(dist).filter((one) => one.endsWith('.js'))) {
    const code = readFileSync(join(dist, name), 'utf8')
    const patched = moved.reduce(
      (text, file) =>
        text.replaceAll(`new URL("./${file}",import.meta.url)`, `new RelativeURL("/media/${file.replace('/', '.')}")`),
      code,
    )
    if (patched !== code && name !== 'worker.js') files[`/tool-agent/${name}`] = patched
  }
  for (const file of moved) files[`/media/${file.replace('/', '.')}`] = readFileSync(join(dist, file), 'utf8')
  return files
}

interface Visit {
  readonly host: string
  readonly said: string[]
}

/** Opens the page and waits for the host of its agent. `said`: the console messages of the level info. */
async function visit(page: Page, url: string): Promise<Visit> {
  const said: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'info') said.push(message.text())
  })
  await page.goto(url)
  const host = await page.evaluate(async () => {
    await customElements.whenDefined('tool-agent')
    const elements = [...document.querySelectorAll('tool-agent')] as unknown as {
      agent: { host?: string; connect(): Promise<void> }
    }[]
    await Promise.all(elements.map(({ agent }) => agent.connect()))
    return elements[0]?.agent.host ?? ''
  })
  return { host, said }
}

test('the built file references its worker by the expression that bundlers recognize', async ({ dist }) => {
  const code = readdirSync(dist)
    .filter((one) => one.endsWith('.js'))
    .map((name) => readFileSync(join(dist, name), 'utf8'))
    .join('\n')
  expect(code.split('new URL("./worker.js",import.meta.url)')).toHaveLength(2)
})

test('the worker starts from a URL without an origin and loads its model provider', async ({ page, dist, serve }) => {
  const server = await serve({
    folders: { '/tool-agent/': dist },
    files: { '/index.html': html(relativeUrl + tag()), ...asTurbopack(dist) },
  })
  const { host, said } = await visit(page, server.url)
  expect(host).toBe('worker')
  expect(said).toEqual([])
  expect(server.requests).toContain('/media/worker.js')
  await expect.poll(() => server.requests).toContain('/media/models.openai.js')
})

test('a missing worker file is reported once in the console, with the fix, and the host runs in the page', async ({
  page,
  dist,
  serve,
}) => {
  const two = html(tag(), 'worker-url="/moved/worker.js"').replace(
    '</body>',
    '<tool-agent endpoint="/v1" model="m" scope="other" worker-url="/moved/worker.js"></tool-agent></body>',
  )
  const server = await serve({ folders: { '/tool-agent/': dist }, files: { '/index.html': two } })
  const { host, said } = await visit(page, server.url)
  expect(host).toBe('page')
  await expect.poll(() => said).toEqual([expect.stringMatching(/no worker[^]*\/moved\/worker\.js[^]*worker-url/i)])
})

test('a Content-Security-Policy that forbids workers is reported with its directive', async ({ page, dist, serve }) => {
  const server = await serve({
    folders: { '/tool-agent/': dist },
    files: { '/index.html': html(tag()) },
    headers: { 'content-security-policy': "worker-src 'none'" },
  })
  const { host, said } = await visit(page, server.url)
  expect(host).toBe('page')
  await expect.poll(() => said).toEqual([expect.stringContaining("worker-src 'self'")])
})

test('a script from another origin reports that its worker starts from a blob', async ({ page, dist, serve }) => {
  const cdn = await serve({ folders: { '/': dist }, headers: { 'access-control-allow-origin': '*' } })
  const server = await serve({ files: { '/index.html': html(tag(`${cdn.url}/tool-agent.js`)) } })
  const { host, said } = await visit(page, server.url)
  expect(host).toBe('blob-worker')
  await expect.poll(() => said).toEqual([expect.stringMatching(/another origin[^]*worker-url/)])
})
