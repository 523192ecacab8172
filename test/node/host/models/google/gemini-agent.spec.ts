// A whole agent with the provider `google` against a scripted server: what Gemini signed comes back in every later
// request, also after a reload, and a session can change its provider.
import type { JsonObject, JsonValue } from '../../../../../src/core/data/json.js'
import type { AgentOptions } from '../../../../../src/page/options.js'
import type { RecordedRequest, ScriptItem } from '../../../../support/lab/endpoint.js'
import { deferred, expect, test } from '../../../../support/lab/lab.js'

const options = { provider: 'google', model: 'gemini-3-pro-preview' } as const satisfies AgentOptions
const chunk = (parts: readonly JsonValue[], finishReason?: string): JsonObject => ({
  candidates: [{ content: { role: 'model', parts }, ...(finishReason === undefined ? {} : { finishReason }) }],
  usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 2, thoughtsTokenCount: 3 },
  modelVersion: 'gemini-3-pro-preview',
  responseId: 'r',
})
const sse = (...events: JsonObject[]): ScriptItem => ({ sse: events, done: false })
const said = (text: string): ScriptItem =>
  sse(chunk([{ text }]), chunk([{ text: '', thoughtSignature: `of ${text}` }], 'STOP'))

const thought = { text: 'They want two teas.', thought: true }
const first = { functionCall: { id: 'srv-1', name: 'find', args: { q: 'green' } }, thoughtSignature: 'c2lnbmF0dXJl' }
const second = { functionCall: { id: 'srv-2', name: 'find', args: { q: 'black' } } }
const answerWithCalls = sse(
  chunk([{ text: 'They want ', thought: true }]),
  chunk([{ text: 'two teas.', thought: true }]),
  chunk([{ text: 'I look.' }]),
  chunk([first, second]),
  chunk([{ text: '' }], 'STOP'),
)
/** The steps of the turn as they were answered. */
const firstStep = [
  { role: 'user', parts: [{ text: 'Find teas' }] },
  { role: 'model', parts: [thought, { text: 'I look.' }, first, second] },
  {
    role: 'user',
    parts: [
      { functionResponse: { id: 'srv-1', name: 'find', response: { output: 'green tea' } } },
      { functionResponse: { id: 'srv-2', name: 'find', response: { output: 'black tea' } } },
    ],
  },
]
const find = {
  name: 'find',
  description: 'Finds tea by its name',
  inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
  execute: ({ q }: JsonObject) => `${String(q)} tea`,
} as const
const contentsOf = (request: RecordedRequest | undefined): JsonValue | undefined => request?.body?.['contents']

test('the second step and later turns get thoughts, signatures and ids back unchanged, also after a reload', async ({
  lab,
}) => {
  const { agent, endpoint, store, kill } = await lab.start([answerWithCalls, said('Both.'), said('Yes.')], {
    ...options,
    sessionId: 'tea',
  })
  agent.registerTool(find)
  const turn = await agent.send('Find teas')
  expect(turn).toMatchObject({ reason: 'stop', text: 'Both.' })
  expect(turn.toolExecutions.map(({ output }) => output)).toEqual(['green tea', 'black tea'])
  expect(agent.messages[1]).toMatchObject({ usage: { inputTokens: 7, outputTokens: 5 } })
  expect(contentsOf(endpoint.requests[1])).toEqual(firstStep)
  kill()
  const next = await lab.start([], { ...options, todo: false, store, sessionId: 'tea', endpointServer: endpoint })
  next.agent.registerTool(find)
  await next.agent.send('Sure?')
  expect(contentsOf(endpoint.requests[2])).toEqual([
    ...firstStep,
    { role: 'model', parts: [{ text: 'Both.', thoughtSignature: 'of Both.' }] },
    { role: 'user', parts: [{ text: 'Sure?' }] },
  ])
  expect(endpoint.requests[2]!.body!['tools']).toEqual([
    {
      functionDeclarations: [
        {
          name: 'find',
          description: 'Finds tea by its name',
          parameters: { type: 'object', properties: { q: { type: 'string' } } },
        },
      ],
    },
  ])
})

test('a host that dies between the steps goes on with the signatures', async ({ lab }) => {
  const gate = deferred()
  const { agent, endpoint, store, kill } = await lab.start([answerWithCalls, said('Both.')], {
    ...options,
    sessionId: 'tea',
  })
  let runs = 0
  agent.registerTool({
    ...find,
    annotations: { readOnlyHint: true },
    execute: async (input) => {
      if (++runs === 2) gate.resolve()
      if (runs <= 2) await new Promise(() => undefined)
      return find.execute(input as JsonObject)
    },
  })
  agent.send('Find teas').catch(() => undefined)
  await gate.promise
  kill()
  const next = await lab.start([], { ...options, store, sessionId: 'tea', endpointServer: endpoint })
  next.agent.registerTool({ ...find, annotations: { readOnlyHint: true } })
  await next.agent.connect()
  await endpoint.received(2)
  await expect.poll(() => next.agent.status).toBe('idle')
  expect(contentsOf(endpoint.requests[1])).toEqual(firstStep)
})

test('a session can change from chat completions to Gemini and back', async ({ lab }) => {
  const { agent, endpoint, store, kill } = await lab.start(
    [
      {
        reasoning: 'Chat thinks.',
        text: 'I look.',
        calls: [
          { id: 'call_1', name: 'find', arguments: { q: 'green' } },
          { id: 'call_2', name: 'find', arguments: { q: 'black' } },
        ],
      },
      { text: 'Both.' },
      answerWithCalls,
      said('Again.'),
      { text: 'Fine.' },
    ],
    { sessionId: 'tea' },
  )
  agent.registerTool(find)
  await agent.send('Find teas')
  kill()
  const gemini = await lab.start([], { ...options, store, sessionId: 'tea', endpointServer: endpoint })
  gemini.agent.registerTool(find)
  expect((await gemini.agent.send('Find teas')).text).toBe('Again.')
  const foreign = [
    { role: 'user', parts: [{ text: 'Find teas' }] },
    {
      role: 'model',
      parts: [
        { text: 'I look.' },
        {
          functionCall: { name: 'find', args: { q: 'green' } },
          thoughtSignature: 'skip_thought_signature_validator',
        },
        { functionCall: { name: 'find', args: { q: 'black' } } },
      ],
    },
    {
      role: 'user',
      parts: ['green', 'black'].map((name) => ({
        functionResponse: { name: 'find', response: { output: `${name} tea` } },
      })),
    },
    { role: 'model', parts: [{ text: 'Both.' }] },
  ]
  expect(contentsOf(endpoint.requests[3])).toEqual([...foreign, ...firstStep])
  gemini.kill()
  const chat = await lab.start([], { store, sessionId: 'tea', endpointServer: endpoint })
  chat.agent.registerTool(find)
  expect((await chat.agent.send('Thanks')).text).toBe('Fine.')
  expect(JSON.stringify(endpoint.requests[4]!.body)).not.toMatch(/c2lnbmF0dXJl|They want two teas|of Again/)
})

test('a stream that was cut runs no call', async ({ lab }) => {
  const { agent } = await lab.start([sse(chunk([first, second]))], options)
  let runs = 0
  agent.registerTool({ ...find, execute: () => ++runs })
  await expect(agent.send('Find teas')).rejects.toMatchObject({ code: 'stream-cut' })
  expect(runs).toBe(0)
})

test('a call that the model wrote wrongly is asked for again', async ({ lab }) => {
  const { agent } = await lab.start([sse(chunk([], 'MALFORMED_FUNCTION_CALL')), said('Done.')], options)
  expect((await agent.send('Go')).text).toBe('Done.')
})

test('stop ends a turn in the middle of an answer', async ({ lab }) => {
  const { agent, endpoint } = await lab.start(
    [{ raw: [`data: ${JSON.stringify(chunk([{ text: 'Half' }]))}\n\n`], end: 'hang' }],
    options,
  )
  const turn = agent.send('Go')
  await expect.poll(() => JSON.stringify(agent.session?.draft ?? '')).toContain('Half')
  agent.stop()
  expect(await turn).toMatchObject({ reason: 'stopped', text: 'Half' })
  await endpoint.requests[0]!.gone
})
