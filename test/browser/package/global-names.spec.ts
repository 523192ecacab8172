// The package beside the code of a page: a Lit of the page's own under a list of Trusted Types policies, and every name
// that the package takes where a page could have the same. docs/reference.md lists them.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import type { Page } from 'playwright/test'
import { root, test as base } from '../../support/project/dist.js'
import { expect } from 'playwright/test'
import { serveStatic, strictPolicy, type StaticServer } from '../../support/page/static-server.js'

const ownLit = `import { html, LitElement } from 'lit'
customElements.define('own-greeting', class extends LitElement {
  render() { return html\`<p>Hello from the page</p>\` }
})
document.body.append(document.createElement('own-greeting'))`

const reply = [
  { choices: [{ delta: { content: 'All **done**.' }, finish_reason: null }] },
  { choices: [{ delta: {}, finish_reason: 'stop' }] },
]
const stream = `${reply.map((chunk) => `data: ${JSON.stringify(chunk)}`).join('\n\n')}\n\ndata: [DONE]\n\n`

const test = base.extend<
  { serve: (options: { policy?: string; page: string }) => Promise<StaticServer> },
  { lit: string }
>({
  /** A module of the page that brings Lit, as it is on npm. */
  lit: [
    async ({}, use) => {
      const build = await rolldown({
        cwd: root,
        input: 'own-lit',
        platform: 'browser',
        plugins: [
          {
            name: 'own-lit',
            resolveId: (id) => (id === 'own-lit' ? join(root, 'own-lit.js') : null),
            load: (id) => (id === join(root, 'own-lit.js') ? ownLit : null),
          },
        ],
      })
      const { output } = await build.generate({ format: 'es' })
      await use(output[0].code)
    },
    { scope: 'worker' },
  ],

  serve: async ({ dist, lit }, use) => {
    const servers: StaticServer[] = []
    await use(async ({ policy, page }) => {
      const server = await serveStatic({
        folders: { '/tool-agent/': dist },
        files: {
          '/index.html': page,
          '/own-lit.js': lit,
          '/ours-first.js': "import('/tool-agent/tool-agent.js')",
          '/ours-last.js':
            "await customElements.whenDefined('own-greeting')\nawait import('/tool-agent/tool-agent.js')",
          // Once the panel, and with it our Lit, is there.
          '/own-lit-last.js':
            "const timer = setInterval(() => { if (customElements.get('tool-agent-panel')) { clearInterval(timer); import('/own-lit.js') } }, 20)",
        },
        headers: policy === undefined ? {} : { 'content-security-policy': policy },
        middleware: (request, response, next) =>
          request.method === 'POST'
            ? void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream)
            : next(),
      })
      servers.push(server)
      return server
    })
    await Promise.all(servers.map((server) => server.close()))
  },
})

const page = (
  ...scripts: readonly string[]
) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title>
<link rel="icon" href="data:,">
<body><tool-agent endpoint="/v1" model="m" page-tools="read fill act"></tool-agent>
${scripts.map((src) => `<script type="module" src="${src}"></script>`).join('')}</body></html>`

async function ask(visit: Page): Promise<void> {
  const element = visit.locator('tool-agent')
  await element.getByRole('textbox').fill('Hello')
  await element.getByRole('textbox').press('Enter')
  await expect(element.locator('strong', { hasText: 'done' })).toBeVisible()
}

const withNames = (names: string) => strictPolicy.replace(/trusted-types [\w -]+$/, `trusted-types ${names}`)

for (const [title, scripts] of [
  ['first', ['/own-lit.js', '/ours-last.js']],
  ['last', ['/ours-first.js', '/own-lit-last.js']],
] as const) {
  test(`a page that loads a Lit of its own ${title} works under a list of policies`, async ({ page: visit, serve }) => {
    const errors: string[] = []
    visit.on('pageerror', (error) => errors.push(error.message))
    const { url } = await serve({ policy: withNames('lit-html tool-agent'), page: page(...scripts) })
    await visit.goto(url)
    await expect(visit.getByText('Hello from the page')).toBeVisible()
    await ask(visit)
    expect(errors).toEqual([])
    expect(
      await visit.evaluate(
        () => (document.querySelector('tool-agent') as { agent?: { host?: string } } | null)?.agent?.host,
      ),
    ).toBe('worker')
  })
}

test('a list of policies without tool-agent is named to the author; without enforcement nothing is missing', async ({
  page: visit,
  serve,
}) => {
  const logged: string[] = []
  visit.on('console', (message) => logged.push(message.text()))
  const enforced = await serve({ policy: withNames('lit-html'), page: page('/tool-agent/tool-agent.js') })
  await visit.goto(enforced.url)
  await expect(visit.locator('tool-agent').getByRole('alert')).toBeVisible()
  expect(logged.join('\n')).toContain('Add tool-agent to its directive trusted-types')

  const listed = withNames('lit-html').replace("require-trusted-types-for 'script'; ", '')
  const open = await serve({ policy: listed, page: page('/tool-agent/tool-agent.js') })
  await visit.goto(open.url)
  await ask(visit)
})

/** Kept by the observer in the page. */
interface Seen {
  readonly names: string[]
  readonly globals: string[]
}

/** Notes every name that is claimed. Runs before each script of the page. */
function observe(): void {
  const names: string[] = []
  const globals = new Set(Object.getOwnPropertyNames(globalThis))
  const note = (kind: string, name: unknown) => names.push(`${kind} ${String(name)}`)
  const around = <T extends object>(target: T, method: keyof T & string, kind: string) => {
    const original = target[method] as (...values: unknown[]) => unknown
    Object.defineProperty(target, method, {
      configurable: true,
      writable: true,
      value(this: unknown, ...values: unknown[]) {
        note(kind, values[0])
        return Reflect.apply(original, this, values)
      },
    })
  }
  const { trustedTypes } = globalThis as unknown as { trustedTypes?: object & { createPolicy: unknown } }
  if (trustedTypes) around(trustedTypes, 'createPolicy', 'policy')
  around(CustomElementRegistry.prototype, 'define', 'element')
  around(Symbol, 'for', 'symbol')
  around(Storage.prototype, 'setItem', 'storage')
  around(IDBFactory.prototype, 'open', 'database')
  around(LockManager.prototype, 'request', 'lock')
  around(Performance.prototype, 'measure', 'measure')
  around(Performance.prototype, 'mark', 'measure')
  around(EventTarget.prototype, 'dispatchEvent', 'dispatched')
  const Channel = BroadcastChannel
  globalThis.BroadcastChannel = class extends Channel {
    constructor(name: string) {
      super(name)
      note('channel', name)
    }
  }
  Object.assign(globalThis, {
    seen: (): Seen => ({
      names: [...new Set(names)],
      globals: Object.getOwnPropertyNames(globalThis).filter((name) => !globals.has(name) && name !== 'seen'),
    }),
  })
}

/** The names in the table of docs/reference.md: by kind, with `<…>` for what differs. */
function listed(): Map<string, string[]> {
  const text = readFileSync(join(root, 'docs/reference.md'), 'utf8')
  const [, section = ''] = /\n## Global names\n([^]*?)(?=\n## |$)/.exec(text) ?? []
  const rows = [...section.matchAll(/^\| ([\w ]+) \| (.*) \|$/gm)].slice(1)
  return new Map(
    rows.map(([, kind = '', names = '']) => [kind, [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)]),
  )
}

const kinds: Readonly<Record<string, string>> = {
  policy: 'Trusted Types policy',
  element: 'custom elements',
  symbol: 'registered symbols',
  storage: 'keys of sessionStorage and localStorage',
  database: 'database of IndexedDB',
  lock: 'Web Locks',
  channel: 'channels between tabs',
  measure: 'performance measures',
}

test('every name that the package takes is in the list of the reference, and no other', async ({
  page: visit,
  serve,
  dist,
}) => {
  const table = listed()
  const isListed = (kind: string, name: string) =>
    (table.get(kind) ?? []).some((one) =>
      new RegExp(`^${one.replaceAll('.', String.raw`\.`).replaceAll(/<\w+>/g, '.*')}$`).test(name),
    )
  await visit.addInitScript(observe)
  // Without a worker file the host runs in the page, where its names are observed too.
  await visit.route('**/worker.js', (route) => route.abort())
  const { url } = await serve({
    page: page('/tool-agent/tool-agent.js', '/tool-agent/inspector.js').replace(
      '<tool-agent ',
      '<tool-agent-inspector></tool-agent-inspector><tool-agent layout="floating" open ',
    ),
  })
  await visit.goto(url)
  await visit.evaluate(() => Object.assign(document.querySelector('tool-agent') ?? {}, { debug: true }))
  await ask(visit)
  await visit.waitForFunction(() =>
    (globalThis as unknown as { seen(): Seen }).seen().names.some((name) => name.startsWith('measure')),
  )
  await visit.locator('tool-agent').getByRole('textbox').fill('A draft')
  await visit.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: false })))
  const { names, globals } = await visit.evaluate(() => (globalThis as unknown as { seen(): Seen }).seen())

  const unlisted = names
    .map((entry): [string, string] => [entry.slice(0, entry.indexOf(' ')), entry.slice(entry.indexOf(' ') + 1)])
    .filter(([kind, name]) => kind in kinds && !isListed(kinds[kind] ?? '', name))
  expect(unlisted).toEqual([])
  expect(globals.filter((name) => !isListed('global variables', name))).toEqual([])
  // So that the check above cannot pass by seeing nothing.
  for (const kind of Object.keys(kinds))
    expect(
      names.some((entry) => entry.startsWith(`${kind} `)),
      kind,
    ).toBe(true)

  const code = readdirSync(dist)
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(join(dist, file), 'utf8'))
    .join('\n')
  for (const [kind, all] of table) {
    for (const name of all) expect(code.includes(name.replace(/<.*$/, '')), `${kind}: ${name}`).toBe(true)
  }
})
