// The built package with the provider `anthropic`: a turn with two parallel tools through the worker, against a server
// of the Messages API that others wrote and that refuses a request with missing or changed thinking.
import { LLMock } from '@copilotkit/aimock'
import type { Agent } from '../../../src/page/agent.js'
import { expect, test } from '../../support/project/dist.js'
import { serveStatic, strictPolicy } from '../../support/page/static-server.js'

const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<script type="module" src="/tool-agent/tool-agent.js"></script><script type="module" src="/page.js"></script></head>
<body><tool-agent endpoint="/v1" model="claude-test" provider="anthropic"></tool-agent></body></html>`

const script = `await customElements.whenDefined('tool-agent')
const agent = document.querySelector('tool-agent')
agent.headers = () => ({ 'x-api-key': 'sk-ant-test-4711' })
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

test('two parallel tools run through the worker with the provider anthropic', async ({ page, dist }) => {
  const mock = new LLMock({ port: 0, host: '127.0.0.1', strict: true, chunkSize: 7 })
  await mock.start()
  const call = (name: string, query: string) => ({ name, arguments: JSON.stringify({ query }) })
  mock.on(
    { userMessage: 'teapot', hasToolResult: false },
    {
      content: 'I look both up.',
      toolCalls: [call('find_order', 'teapot'), call('find_guest', 'Ada')],
      reasoning: 'Two things.',
      reasoningSignature: 'sig-4711',
      redactedThinking: ['secret-4712'],
    },
  )
  mock.on({ userMessage: 'teapot', hasToolResult: true }, { content: 'Both **found**.' })
  const server = await serveStatic({
    folders: { '/tool-agent/': dist },
    files: { '/index.html': html, '/page.js': script },
    headers: { 'content-security-policy': strictPolicy },
    relay: { '/v1': `${mock.url}/v1` },
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
    expect(server.requests).toContain('/tool-agent/models/anthropic.js')
    expect(server.requests).not.toContain('/tool-agent/models/openai.js')
    const requests = mock.getRequests().filter(({ path }) => path.startsWith('/v1/messages'))
    expect(requests).toHaveLength(2)
    const sent = JSON.stringify(requests)
    for (const kept of ['sig-4711', 'secret-4712']) expect(sent.split(kept)).toHaveLength(2)
    expect(requests[0]!.headers).toMatchObject({ 'anthropic-version': '2023-06-01' })
    await page.reload()
    await expect(page.locator('tool-agent').locator('strong', { hasText: 'found' })).toBeVisible()
  } finally {
    await server.close()
    await mock.stop()
  }
})
