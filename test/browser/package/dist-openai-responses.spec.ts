// The built package with the provider `openai-responses`, through the worker: several steps with parallel tools and
// reasoning, an error that is retried, a stop, a reload in the middle of a turn, and another protocol in between. The
// server refuses a request with missing or changed items.
import type { JsonObject } from '../../../src/core/data/json.js'
import type { Agent } from '../../../src/page/agent.js'
import { startEndpoint, type Handler, type Reply } from '../../support/lab/endpoint.js'
import { callItem, expectValid, itemsOf, messageItem, streamed } from '../../support/lab/responses-streams.js'
import { expect, test } from '../../support/project/dist.js'
import { openProviderPage } from '../../support/recordings/provider-page.js'

const settings = { provider: 'openai-responses', endpoint: '/v1', model: 'gpt-test' }

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
  const site = await openProviderPage(page, { dist, origin: new URL(endpoint.url).origin, settings })
  const panel = page.locator('tool-agent')
  try {
    expect(await site.send('Find my teapot and Ada')).toEqual(['All **found**.', 'stop'])
    const facts = await page.evaluate(() => {
      const { agent } = document.querySelector('tool-agent') as unknown as { agent: Agent }
      return [(globalThis as unknown as { ran: string[] }).ran, agent.host, agent.storage]
    })
    expect(facts).toEqual([['find_order teapot', 'find_guest Ada', 'find_order cups'], 'worker', 'indexeddb'])
    expect(site.requests).toContain('/tool-agent/models/openai-responses.js')
    expect(site.requests).not.toContain('/tool-agent/models/openai.js')
    expect(endpoint.requests[0]!.headers['authorization']).toBe('Bearer sk-test-4711')

    const stopped = site.send('Tell me more')
    await expect(panel.getByText('Half an answer').first()).toBeVisible()
    await page.evaluate(() => (document.querySelector('tool-agent') as unknown as Agent).stop())
    expect(await stopped).toEqual(['Half an answer', 'stopped'])

    void site.send('Find Grace').catch(() => undefined)
    await endpoint.received(7)
    await page.reload()
    await site.ready()
    await expect(panel.getByText('Grace is here.').first()).toBeVisible()

    await site.use({ ...settings, provider: 'openai', model: 'chat-test' })
    expect(await site.send('Hello?')).toEqual(['Hello from chat.', 'stop'])
    await site.use(settings)
    expect(await site.send('And now?')).toEqual(['Back again.', 'stop'])
  } finally {
    await site.close()
    await endpoint.stop()
  }
  await endpoint.close()
})
