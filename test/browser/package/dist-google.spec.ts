// The built package with the provider `google`: a turn with two parallel tools through the worker, against a server of
// the Gemini API that others wrote.
import { LLMock } from '@copilotkit/aimock'
import type { Agent } from '../../../src/page/agent.js'
import { serveStatic, strictPolicy } from '../../support/page/static-server.js'
import { expect, test } from '../../support/project/dist.js'

const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<script type="module" src="/tool-agent/tool-agent.js"></script><script type="module" src="/page.js"></script></head>
<body><tool-agent endpoint="/v1beta" model="gemini-3-test" provider="google"></tool-agent></body></html>`

const script = `await customElements.whenDefined('tool-agent')
const agent = document.querySelector('tool-agent')
agent.headers = () => ({ 'x-goog-api-key': 'key-of-the-test' })
window.ran = []
for (const name of ['find_order', 'find_guest'])
  agent.registerTool({
    name,
    description: 'Finds something by its name, for the test of parallel calls.',
    inputSchema: { type: 'object', properties: { query: { type: 'string', description: 'What to find' } }, required: ['query'] },
    annotations: { readOnlyHint: true },
    execute({ query }) { ran.push(name + ' ' + query); return { found: query } },
  })
window.isReady = true`

test('two parallel tools run through the worker with the provider google', async ({ page, dist }) => {
  const mock = new LLMock({ port: 0, host: '127.0.0.1', strict: true, chunkSize: 7 })
  await mock.start()
  const call = (name: string, query: string) => ({ name, arguments: JSON.stringify({ query }) })
  mock.on(
    { userMessage: 'teapot', hasToolResult: false },
    { content: 'I look both up.', toolCalls: [call('find_order', 'teapot'), call('find_guest', 'Ada')] },
  )
  mock.on({ userMessage: 'teapot', hasToolResult: true }, { content: 'Both **found**.' })
  const server = await serveStatic({
    folders: { '/tool-agent/': dist },
    files: { '/index.html': html, '/page.js': script },
    headers: { 'content-security-policy': strictPolicy },
    relay: { '/v1beta': `${mock.url}/v1beta` },
  })
  try {
    await page.goto(server.url)
    await page.waitForFunction(() => (globalThis as { isReady?: boolean }).isReady)
    const turn = await page.evaluate(async () => {
      const agent = document.querySelector('tool-agent') as unknown as Agent
      const { text, reason } = await agent.send('Find my teapot and Ada')
      const { ran } = globalThis as unknown as { ran: string[] }
      return { text, reason, ran, host: agent.host, storage: agent.storage }
    })
    expect(turn).toEqual({
      text: 'Both **found**.',
      reason: 'stop',
      ran: ['find_order teapot', 'find_guest Ada'],
      host: 'worker',
      storage: 'indexeddb',
    })
    expect(server.requests).toContain('/tool-agent/models/google.js')
    expect(server.requests).not.toContain('/tool-agent/models/openai.js')
    const requests = mock.getRequests().filter(({ path }) => path.includes(':streamGenerateContent'))
    expect(requests).toHaveLength(2)
    expect(requests[1]!.headers).toHaveProperty('x-goog-api-key')
    expect(requests.every(({ path }) => !path.includes('key'))).toBe(true)
    await page.reload()
    await expect(page.locator('tool-agent').locator('strong', { hasText: 'found' })).toBeVisible()
  } finally {
    await server.close()
    await mock.stop()
  }
})
