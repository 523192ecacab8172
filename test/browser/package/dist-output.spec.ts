// The option `output` of `send` in the built package: the worker, its rare parts, the panel, and a reload in mid-turn.
import type { JsonObject } from '../../../src/core/data/json.js'
import type { ToolAgentElement } from '../../../src/ui/element/tool-agent-element.js'
import { startEndpoint } from '../../support/lab/endpoint.js'
import { messagesOf } from '../../support/lab/requests.js'
import { serveStatic, strictPolicy } from '../../support/page/static-server.js'
import { expect, test } from '../../support/project/dist.js'

const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<script type="module" src="/tool-agent/tool-agent.js"></script><script type="module" src="/page.js"></script></head>
<body><tool-agent endpoint="/v1" model="m"></tool-agent></body></html>`
const script = `document.querySelector('tool-agent').registerTool({
  name: 'find_orders', description: 'Finds the orders of the visitor and returns them', annotations: { readOnlyHint: true },
  execute: () => [{ item: 'Teapot', count: 2 }],
})`
const schema = {
  type: 'object',
  properties: { item: { type: 'string' }, count: { type: 'integer' } },
  required: ['item', 'count'],
}
const answer = { item: 'Teapot', count: 2 }

test('a turn ends with a validated object, shown as one line, also after a reload', async ({ page, dist }) => {
  let isHanging = false
  const endpoint = await startEndpoint(async (_body, request) => {
    const roles = messagesOf(request).map(({ role }) => role)
    if (roles.at(-1) === 'user') return { calls: [{ name: 'find_orders', arguments: {} }] }
    // The first answer does not match.
    const results = roles.slice(roles.lastIndexOf('user')).filter((role) => role === 'tool').length
    if (results === 2 && isHanging) {
      isHanging = false
      return { raw: [': \n\n', new Promise(() => undefined)], end: 'hang' }
    }
    return { calls: [{ name: 'final_result', arguments: results === 1 ? { item: 'Teapot' } : answer }] }
  })
  const server = await serveStatic({
    folders: { '/tool-agent/': dist },
    files: { '/index.html': html, '/page.js': script },
    headers: { 'content-security-policy': strictPolicy },
    relay: { '/v1': endpoint.url },
  })
  const send = (text: string) =>
    page.evaluate(
      async ({ text, output }) => {
        const { agent } = document.querySelector<ToolAgentElement>('tool-agent')!
        const { object, reason, steps } = await agent.send(text, { output: output as JsonObject })
        return { object: object as unknown, reason, steps }
      },
      { text, output: schema },
    )
  try {
    await page.goto(`${server.url}/index.html`)
    await page.waitForFunction(() => customElements.get('tool-agent') !== undefined)
    expect(await send('What did I order?')).toEqual({ object: answer, reason: 'direct', steps: 3 })
    expect(await page.evaluate(() => document.querySelector<ToolAgentElement>('tool-agent')!.agent.host)).toBe('worker')
    const cards = page.locator('tool-agent details.call')
    await expect(cards).toHaveCount(3)
    await expect(cards.last().locator('summary')).toContainText('Answer')
    await expect(cards.last()).not.toHaveAttribute('open')
    await expect(page.locator('tool-agent').getByRole('log')).not.toContainText('"item"')

    isHanging = true
    const sent = endpoint.requests.length
    void send('And now?').catch(() => undefined)
    await endpoint.received(sent + 3)
    await page.reload()
    await page.waitForFunction(() => {
      const { agent } = document.querySelector<ToolAgentElement>('tool-agent')!
      return agent.session?.end !== undefined && agent.status === 'idle'
    })
    const [end, last] = await page.evaluate(() => {
      const { session } = document.querySelector<ToolAgentElement>('tool-agent')!.agent
      return [session!.end, session!.messages.at(-1)] as const
    })
    expect(end).toMatchObject({ reason: 'direct', options: { output: schema } })
    expect(last).toMatchObject({ parts: [{ call: { name: 'final_result' }, result: { output: answer } }] })
  } finally {
    await server.close()
    await endpoint.stop()
  }
})
