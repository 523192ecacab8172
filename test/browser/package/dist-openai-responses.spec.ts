// The built package with the provider `openai-responses`, through the worker: several steps with parallel tools and
// reasoning, an error that is retried, a stop, a reload in the middle of a turn, and another protocol in between. The
// server refuses a request with missing or changed items.
import type { JsonObject } from '../../../src/core/data/json.js'
import type { Agent } from '../../../src/page/agent.js'
import { startEndpoint, type Handler, type Reply } from '../../support/lab/endpoint.js'
import { callItem, expectValid, itemsOf, messageItem, streamed } from '../../support/lab/responses-streams.js'
import { expect, test } from '../../support/project/dist.js'
import { serveStatic, strictPolicy } from '../../support/page/static-server.js'

const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<script type="module" src="/tool-agent/tool-agent.js"></script><script type="module" src="/page.js"></script></head>
<body><tool-agent endpoint="/v1" model="gpt-test" provider="openai-responses"></tool-agent></body></html>`

const script = `await customElements.whenDefined('tool-agent')
const agent = document.querySelector('tool-agent')
agent.headers = () => ({ authorization: 'Bearer sk-test-4711' })
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

const thought = (id: string): JsonObject => ({
  id,
  type: 'reasoning',
  summary: [{ type: 'summary_text', text: `Thought ${id}` }],
  encrypted_content: `gAAAA-${id}`,
})
const first = [
  thought('rs_1'),
  messageItem('I look both up.'),
  callItem('01', 'find_order', { query: 'teapot' }),
  callItem('02', 'find_guest', { query: 'Ada' }),
]
const second = [thought('rs_2'), callItem('03', 'find_order', { query: 'cups' })]
const third = [messageItem('All **found**.')]
const later = [thought('rs_4'), callItem('04', 'find_guest', { query: 'Grace' })]
const failed: Reply = {
  sse: [{ type: 'response.failed', response: { status: 'failed', error: { code: 'server_error', message: 'x' } } }],
  done: false,
}

/** Answers if the request contains exactly these items of the model. */
const after =
  (items: readonly JsonObject[], reply: Reply): Handler =>
  (body) => {
    expectValid(body)
    expect(itemsOf(body).filter(({ id }) => id !== undefined)).toEqual(items)
    return reply
  }
const hangs = (items: readonly JsonObject[], end: string): Reply => {
  const { raw } = streamed(items) as { raw: string }
  return { raw: [raw.slice(0, raw.indexOf(end))], end: 'hang' }
}

test('steps, an error, a stop, a reload and another protocol with the provider openai-responses', async ({
  page,
  dist,
}) => {
  const answered = [...first, ...second, ...third]
  const endpoint = await startEndpoint([
    after([], streamed(first)),
    after(first, failed),
    after(first, streamed(second)),
    after([...first, ...second], streamed(third)),
    // Stopped by the user.
    after(answered, hangs([messageItem('Half an answer')], 'event: response.output_item.done')),
    // Interrupted by a reload, then the same request again.
    after(answered, streamed(later)),
    after([...answered, ...later], hangs([messageItem('Never shown')], 'event: response.output_item.added')),
    after([...answered, ...later], streamed([messageItem('Grace is here.')])),
    // Chat completions get the conversation without the items.
    (body, { path }) => {
      expect(path).toBe('/v1/chat/completions')
      for (const own of ['rs_1', 'gAAAA', 'fc_01', 'Thought']) expect(JSON.stringify(body)).not.toContain(own)
      return { text: 'Hello from chat.' }
    },
    after([...answered, ...later, messageItem('Grace is here.')], streamed([messageItem('Back again.')])),
  ])
  const server = await serveStatic({
    folders: { '/tool-agent/': dist },
    files: { '/index.html': html, '/page.js': script },
    headers: { 'content-security-policy': strictPolicy },
    relay: { '/v1': endpoint.url },
  })
  const send = (text: string) =>
    page.evaluate(async (message) => {
      const agent = document.querySelector('tool-agent') as unknown as Agent
      const { text, reason } = await agent.send(message)
      return [text, reason]
    }, text)
  const panel = page.locator('tool-agent')
  const ready = () => page.waitForFunction(() => (globalThis as { isReady?: boolean }).isReady)
  try {
    await page.goto(server.url)
    await ready()
    expect(await send('Find my teapot and Ada')).toEqual(['All **found**.', 'stop'])
    const facts = await page.evaluate(() => {
      const agent = document.querySelector('tool-agent') as unknown as Agent
      return [(globalThis as unknown as { ran: string[] }).ran, agent.host, agent.storage]
    })
    expect(facts).toEqual([['find_order teapot', 'find_guest Ada', 'find_order cups'], 'worker', 'indexeddb'])
    expect(server.requests).toContain('/tool-agent/models/openai-responses.js')
    expect(server.requests).not.toContain('/tool-agent/models/openai.js')
    expect(endpoint.requests[0]!.headers['authorization']).toBe('Bearer sk-test-4711')

    const stopped = send('Tell me more')
    await expect(panel.getByText('Half an answer').first()).toBeVisible()
    await page.evaluate(() => (document.querySelector('tool-agent') as unknown as Agent).stop())
    expect(await stopped).toEqual(['Half an answer', 'stopped'])

    void send('Find Grace').catch(() => undefined)
    await endpoint.received(7)
    await page.reload()
    await ready()
    await expect(panel.getByText('Grace is here.').first()).toBeVisible()

    await page.evaluate(() => {
      const element = document.querySelector('tool-agent')!
      element.setAttribute('model', 'chat-test')
      element.setAttribute('provider', 'openai')
    })
    expect(await send('Hello?')).toEqual(['Hello from chat.', 'stop'])
    await page.evaluate(() => {
      const element = document.querySelector('tool-agent')!
      element.setAttribute('model', 'gpt-test')
      element.setAttribute('provider', 'openai-responses')
    })
    expect(await send('And now?')).toEqual(['Back again.', 'stop'])
  } finally {
    await server.close()
    await endpoint.stop()
  }
  await endpoint.close()
})
