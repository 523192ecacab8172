// The built package with a list of models: the worker loads the file for fallbacks, which loads the provider. The panel
// shows which model answers instead of which.
import type { Agent } from '../../../src/page/agent.js'
import { startEndpoint } from '../../support/lab/endpoint.js'
import { expect, test } from '../../support/project/dist.js'
import { serveStatic, strictPolicy } from '../../support/page/static-server.js'

const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<script type="module" src="/tool-agent/tool-agent.js"></script><script type="module" src="/page.js"></script></head>
<body><tool-agent endpoint="/v1"></tool-agent></body></html>`
const script = `await customElements.whenDefined('tool-agent')
document.querySelector('tool-agent').model = ['large-model', 'small-model']
window.isReady = true`

test('the worker uses the next model, and the panel shows why', async ({ page, dist }) => {
  let answer = (): void => undefined
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  const busy = { status: 429, body: { error: { message: 'No credit', code: 'insufficient_quota' } } }
  const endpoint = await startEndpoint([
    busy,
    async () => {
      await held
      return { text: 'Hello.' }
    },
    { text: 'Again.' },
  ])
  const server = await serveStatic({
    folders: { '/tool-agent/': dist },
    files: { '/index.html': html, '/page.js': script },
    headers: { 'content-security-policy': strictPolicy },
    relay: { '/v1': endpoint.url },
  })
  const send = () =>
    page.evaluate(async () => {
      const { agent } = document.querySelector('tool-agent') as unknown as { agent: Agent }
      const { text } = await agent.send('Hi')
      const message = agent.messages.at(-1)
      return [text, message?.role === 'assistant' && message.model, agent.host]
    })
  try {
    await page.goto(server.url)
    await page.waitForFunction(() => (globalThis as { isReady?: boolean }).isReady)
    const sent = send()
    await expect(page.locator('tool-agent').getByRole('timer')).toHaveText(
      'The assistant is busy. small-model answers instead of large-model.',
    )
    answer()
    expect(await sent).toEqual(['Hello.', 'small-model', 'worker'])
    expect(await send()).toEqual(['Again.', 'small-model', 'worker'])
    expect(endpoint.requests.map(({ body }) => body!['model'])).toEqual(['large-model', 'small-model', 'small-model'])
    for (const file of ['fallbacks', 'openai']) expect(server.requests).toContain(`/tool-agent/models/${file}.js`)
    await page.reload()
    await expect(page.locator('tool-agent').getByText('Again.').first()).toBeVisible()
  } finally {
    answer()
    await server.close()
    await endpoint.stop()
  }
  await endpoint.close()
})
