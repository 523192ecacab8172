// A page with the built package and one provider, for the specs that run every protocol in a browser: two tools that
// only read, and the bodies of all requests as the worker sent them.
import type { Page } from 'playwright/test'
import { expect } from 'playwright/test'
import type { Agent } from '../../../src/page/agent.js'
import { serveStatic, strictPolicy, type StaticServer } from '../page/static-server.js'

/** The attributes of the element that choose a model. */
export interface ProviderSettings {
  readonly provider: string
  /** The base URL below the page's own origin. */
  readonly endpoint: string
  readonly model: string
}

export interface ProviderPage extends StaticServer {
  /** The bodies of the requests to the models, as text, in order. */
  readonly bodies: readonly string[]
  /** Sends a message and resolves with the text and the reason of the turn, or with the code of its error. */
  send(text: string): Promise<(string | undefined)[]>
  /** Changes the model of the element. */
  use(settings: ProviderSettings): Promise<void>
  /** Resolves when the element has its tools. */
  ready(): Promise<void>
  /** Which tools ran with which argument, also before a reload. */
  ran(): Promise<readonly string[]>
}

const script = `await customElements.whenDefined('tool-agent')
const agent = document.querySelector('tool-agent')
agent.headers = () => ({ authorization: 'Bearer sk-test-4711', 'x-api-key': 'sk-test-4711', 'x-goog-api-key': 'sk-test-4711' })
window.ran = JSON.parse(sessionStorage.getItem('ran') ?? '[]')
for (const name of ['find_order', 'find_guest'])
  agent.registerTool({
    name,
    description: 'Finds something by its name, for the test of parallel calls.',
    inputSchema: { type: 'object', properties: { query: { type: 'string', description: 'What to find' } }, required: ['query'] },
    annotations: { readOnlyHint: true },
    execute({ query }) {
      ran.push(name + ' ' + query)
      sessionStorage.setItem('ran', JSON.stringify(ran))
      return { found: query }
    },
  })
window.isReady = true`

/** Serves the page, with the paths of all four protocols relayed to `origin`, and opens it. */
export async function openProviderPage(
  page: Page,
  { dist, origin, settings }: { readonly dist: string; readonly origin: string; readonly settings: ProviderSettings },
): Promise<ProviderPage> {
  const { provider, endpoint, model } = settings
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<script type="module" src="/tool-agent/tool-agent.js"></script><script type="module" src="/page.js"></script></head>
<body><tool-agent endpoint="${endpoint}" model="${model}" provider="${provider}"></tool-agent></body></html>`
  const bodies: string[] = []
  const server = await serveStatic({
    folders: { '/tool-agent/': dist },
    files: { '/index.html': html, '/page.js': script },
    headers: { 'content-security-policy': strictPolicy },
    relay: { '/v1': `${origin}/v1`, '/v1beta': `${origin}/v1beta` },
    middleware: (request, _response, next) => {
      if (request.method === 'POST') {
        const chunks: Buffer[] = []
        const place = bodies.push('') - 1
        request.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          bodies[place] = Buffer.concat(chunks).toString('utf8')
        })
      }
      next()
    },
  })
  const ready = async () => {
    await page.waitForFunction(() => (globalThis as { isReady?: boolean }).isReady)
  }
  await page.goto(server.url)
  await ready()
  return {
    ...server,
    bodies,
    ready,
    send: (text) =>
      page.evaluate(async (message) => {
        const agent = document.querySelector('tool-agent') as unknown as Agent
        try {
          const { text, reason } = await agent.send(message)
          return [text, reason]
        } catch (error) {
          return [(error as { code: string }).code]
        }
      }, text),
    use: (next) =>
      page.evaluate(
        (attributes) => {
          const element = document.querySelector('tool-agent')!
          for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
        },
        { ...next },
      ),
    ran: () => page.evaluate(() => (globalThis as unknown as { ran: string[] }).ran),
  }
}

/** Waits until the panel shows a text. */
export async function expectShown(page: Page, text: string): Promise<void> {
  await expect(page.locator('tool-agent').getByText(text).first()).toBeVisible()
}
