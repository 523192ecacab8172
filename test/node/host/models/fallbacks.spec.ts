// A list of models: the next one is used if a model is missing, overloaded or too small, but never after a part of the
// answer. The events name both models, and the message the one that answered.
import type { JsonObject } from '../../../../src/core/data/json.js'
import type { AgentEvent } from '../../../../src/core/data/event.js'
import type { Reply } from '../../../support/lab/endpoint.js'
import { expect, test } from '../../../support/lab/lab.js'

const missing: Reply = { status: 404, body: { error: { message: 'No such model', code: 'model_not_found' } } }
const busy = (status: number): Reply => ({
  status,
  body: { error: { message: 'Busy' } },
  headers: { 'retry-after-ms': '1' },
})
const tooLong: Reply = {
  status: 400,
  body: { error: { message: 'The maximum context length is 10 tokens', code: 'context_length_exceeded' } },
}
const modelsOf = (requests: readonly { readonly body: JsonObject | undefined }[]) =>
  requests.map(({ body }) => body!['model'])
const retriesIn = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'step-retry' ? [[event.delay, event.error.code, event.error.details]] : []))

// Each test has models of its own, because the adapter remembers which model failed.
test('a missing model is replaced, and later steps begin with the one that answered', async ({ lab }) => {
  const { agent, endpoint, events } = await lab.start(
    [missing, { calls: [{ name: 'find', arguments: {} }] }, { text: 'Found.' }, { text: 'Hello.' }],
    { model: ['a1', 'b1'] },
  )
  agent.registerTool({
    name: 'find',
    description: 'Finds something, for the test of fallback models',
    inputSchema: { type: 'object' },
    execute: () => 'here',
  })
  expect((await agent.send('Hi')).text).toBe('Found.')
  expect((await agent.send('And now?')).text).toBe('Hello.')
  expect(modelsOf(endpoint.requests)).toEqual(['a1', 'b1', 'b1', 'b1'])
  expect(retriesIn(events)).toEqual([
    [
      0,
      'not-found',
      { status: 404, retry: true, retryAfter: 0, model: 'a1', fallback: 'b1', provider: expect.anything() },
    ],
  ])
  const answers = agent.messages.filter((message) => message.role === 'assistant')
  expect(answers.map((message) => message.model)).toEqual(['b1', 'b1', 'b1'])
})

test('an overloaded model is replaced after the retries', async ({ lab }) => {
  for (const status of [429, 503, 529]) {
    const model = [`a${status}`, `b${status}`, `c${status}`]
    const { agent, endpoint, events } = await lab.start(
      [busy(status), busy(status), busy(status), busy(status), { text: 'Hello.' }],
      { model, limits: { modelRetries: 2 } },
    )
    expect((await agent.send('Hi')).text).toBe('Hello.')
    const [first, second, third] = model
    expect(modelsOf(endpoint.requests)).toEqual([first, first, first, second, third])
    const names = retriesIn(events).map(([, , details]) => (details as JsonObject)['fallback'])
    expect(names).toEqual([undefined, undefined, second, third])
  }
})

test('a model without quota is replaced immediately', async ({ lab }) => {
  const { agent, endpoint } = await lab.start(
    [{ status: 429, body: { error: { message: 'No credit', code: 'insufficient_quota' } } }, { text: 'Hello.' }],
    { model: ['a3', 'b3'] },
  )
  expect((await agent.send('Hi')).text).toBe('Hello.')
  expect(modelsOf(endpoint.requests)).toEqual(['a3', 'b3'])
})

test('a request that is too long goes to the next model, and a shorter one to the first again', async ({ lab }) => {
  const model = ['a4', 'b4']
  const script = [{ text: 'One.' }, tooLong, { text: 'Two.' }, { text: 'Three.' }]
  const { agent, endpoint } = await lab.start(script, { model })
  await agent.send('Hi')
  expect((await agent.send('A longer message')).text).toBe('Two.')
  const other = await lab.start([], { model, endpointServer: endpoint, sessionId: 'other' })
  expect((await other.agent.send('Hi')).text).toBe('Three.')
  expect(modelsOf(endpoint.requests)).toEqual(['a4', 'a4', 'b4', 'a4'])
})

test('if no model is left, the turn ends with the last error, or shortens the conversation', async ({ lab }) => {
  const { agent, endpoint } = await lab.start([missing, missing, missing, { text: 'Hello.' }], { model: ['a5', 'b5'] })
  const code = (error: { turn: { error: { code: string } } }) => error.turn.error.code
  expect(await agent.send('Hi').then(() => 'done', code)).toBe('not-found')
  // All models failed a moment ago, so the first one is tried again.
  expect(await agent.send('Hi').then(() => 'done', code)).toBe('not-found')
  expect(modelsOf(endpoint.requests)).toEqual(['a5', 'b5', 'a5'])
  agent.configure({ endpoint: endpoint.url, logErrors: false, model: 'a5' })
  expect((await agent.send('Hi')).text).toBe('Hello.')
})

test('other errors, and any error after the first part, keep the model', async ({ lab }) => {
  const cut: Reply = {
    raw: `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Hel' } }] })}\n\ndata: ${JSON.stringify({ error: { message: 'Overloaded', code: 503 } })}\n\n`,
  }
  const { agent, endpoint, events } = await lab.start(
    [{ status: 400, body: { error: { message: 'Bad field' } } }, { status: 401 }, { status: 401 }, cut],
    { model: ['a6', 'b6'] },
  )
  const code = (error: { turn: { error: { code: string } } }) => error.turn.error.code
  for (const wanted of ['bad-request', 'unauthorized', 'server'])
    expect(await agent.send('Hi').then(() => 'done', code)).toBe(wanted)
  expect(modelsOf(endpoint.requests)).toEqual(['a6', 'a6', 'a6', 'a6'])
  expect(retriesIn(events)).toEqual([])
  expect(agent.messages.at(-1)).toMatchObject({ parts: [{ type: 'text', text: 'Hel' }], model: 'a6' })
})

test('a single model is sent as before, without a name in the message', async ({ lab }) => {
  const { agent, endpoint } = await lab.start([{ text: 'One.' }, { text: 'Two.' }], { model: 'a7' })
  await agent.send('Hi')
  agent.configure({ endpoint: endpoint.url, logErrors: false, model: ['b7'] })
  await agent.send('Hi')
  expect(modelsOf(endpoint.requests)).toEqual(['a7', 'b7'])
  expect(agent.messages.some((message) => 'model' in message)).toBe(false)
})

test('the fallback of each provider binds its items to the model that answered', async ({ lab }) => {
  const thinking = { type: 'thinking', thinking: 'Hm', signature: 'sig-8' }
  const message = (content: JsonObject[]): Reply => ({
    json: { type: 'message', id: 'msg_1', role: 'assistant', content, stop_reason: 'end_turn' },
  })
  const { agent, endpoint } = await lab.start(
    [missing, message([thinking, { type: 'text', text: 'One.' }]), message([{ type: 'text', text: 'Two.' }])],
    { model: ['a8', 'b8'], provider: 'anthropic' },
  )
  await agent.send('Hi')
  await agent.send('Again')
  expect(modelsOf(endpoint.requests)).toEqual(['a8', 'b8', 'b8'])
  expect(JSON.stringify(endpoint.requests[2]!.body)).toContain('sig-8')
})

test('a wrong list is refused', async ({ lab }) => {
  const { agent, endpoint } = await lab.start([], { model: 'a9' })
  for (const model of [[], ['a', ''], [5]])
    expect(() => agent.configure({ endpoint: endpoint.url, model: model as string[] })).toThrow(
      'model: expected a string or a list of names',
    )
})
