// scriptedModel(): the model of `tool-agent/testing`, as the tests of a page use it.
import { createAgent, ToolAgentError, type Agent, type AgentOptions } from '../../../src/agent.js'
import { scriptedModel, type ScriptedStep } from '../../../src/testing.js'
import { expect, test } from 'playwright/test'

const agents: Agent[] = []

function agentWith(steps: readonly ScriptedStep[], options: AgentOptions = {}) {
  const model = scriptedModel(steps)
  const agent = createAgent({ modelAdapter: model, scope: crypto.randomUUID(), logErrors: false, ...options })
  agents.push(agent)
  return { agent, model }
}

test.afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.close()
})

const findOrders = {
  name: 'find_orders',
  description: 'Finds orders by text',
  inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  execute: ({ query }: { query: string }) => `Found: ${query}`,
} as never

test('answers each request with the next step: a text, calls, or the result of a function', async () => {
  const { agent, model } = agentWith(
    [
      { text: 'Let me look.', calls: [{ name: 'find_orders', input: { query: 'tea' } }] },
      async ({ messages }) => `The result was: ${JSON.stringify(messages.at(-1)?.content[0])}`,
      'Goodbye.',
    ],
    { tools: [findOrders] },
  )
  expect((await agent.send('Find my tea')).text).toContain('Found: tea')
  expect((await agent.send('Thanks')).text).toBe('Goodbye.')
  expect(model.requests.map(({ messages }) => messages.at(-1)?.role)).toEqual(['user', 'tool', 'user'])
  expect(() => model.done()).not.toThrow()
})

test('gives calls without an id their own ids, and passes an argument text on as it is', async () => {
  const { agent, model } = agentWith(
    [
      {
        calls: [
          { name: 'find_orders', input: { query: 'tea' } },
          { name: 'find_orders', input: '{ "query": ' },
          { name: 'nothing', id: 'mine' },
        ],
      },
      ({ messages }) => {
        const results = messages.at(-1)?.content.flatMap((part) => (part.type === 'tool-result' ? [part] : [])) ?? []
        expect(results.map(({ toolCallId, output }) => `${toolCallId} ${output.type}`)).toEqual([
          'call_1 text',
          'call_2 error-text',
          'mine error-text',
        ])
        return 'Done.'
      },
    ],
    { tools: [findOrders] },
  )
  expect((await agent.send('Find my tea')).text).toBe('Done.')
  model.done()
})

test('an unexpected request fails the turn without a retry, and done() throws the same error', async () => {
  const { agent, model } = agentWith([{ calls: [{ name: 'find_orders' }] }], { tools: [findOrders] })
  const message =
    /unexpected request 2: the script has 1 steps\. The request ends with a tool message: .*find_orders.*Add a step/
  await expect(agent.send('Find my tea')).rejects.toMatchObject({
    code: 'bad-request',
    message: expect.stringMatching(message),
  })
  expect(model.requests).toHaveLength(2)
  expect(() => model.done()).toThrow(message)
})

test('done() fails if a step was not used', async () => {
  const { agent, model } = agentWith(['Hello.', 'More.'])
  await agent.send('Hi')
  expect(() => model.done()).toThrow(/1 of 2 steps were not used: the model received 1 requests/)
  await agent.send('More?')
  model.done()
})

test('a function that throws fails the turn, and done() throws its error', async () => {
  const { agent, model } = agentWith([
    ({ system }) => {
      expect(system).toBe('something else')
      return 'Never.'
    },
  ])
  await expect(agent.send('Hi')).rejects.toMatchObject({ code: 'bad-request' })
  expect(model.requests).toHaveLength(1)
  expect(() => model.done()).toThrow(/something else/)
})

test('ends an answer with the finish reason of its step', async () => {
  const { agent, model } = agentWith([{ text: 'Once upon a', finishReason: 'length' }])
  expect(await agent.send('Tell a story')).toMatchObject({ reason: 'length', text: 'Once upon a' })
  model.done()
})

test('refuses a step that is no answer', async () => {
  for (const [step, received] of [
    [null, 'null'],
    [7, 'number'],
    [[], 'an array'],
    [{ calls: [] }, 'an object without text and calls'],
  ] as const) {
    expect(() => scriptedModel(['Hello.', step as never])).toThrow(
      `scriptedModel: step 2: expected a string or an object with text or calls, received ${received}`,
    )
  }
  const { agent, model } = agentWith([() => undefined as never])
  await expect(agent.send('Hi')).rejects.toMatchObject({ code: 'bad-request' })
  expect(() => model.done()).toThrow(/the function of step 1: expected .* received undefined/)
})

test('a function that throws a model error fails its request like a model would', async () => {
  const throws = (code: 'unauthorized' | 'network', details?: { retryAfter: number }) => () => {
    throw new ToolAgentError(code, 'Scripted', { details })
  }
  const refused = agentWith([throws('unauthorized')])
  await expect(refused.agent.send('Hi')).rejects.toMatchObject({ code: 'unauthorized' })
  refused.model.done()
  const retried = agentWith([throws('network', { retryAfter: 0 }), 'Back again.'])
  expect((await retried.agent.send('Hi')).text).toBe('Back again.')
  retried.model.done()
})
