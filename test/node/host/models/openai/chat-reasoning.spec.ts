// `reasoning_details`: the reasoning of models on OpenRouter. The next request must contain this list unchanged.
// Gemini 3 answers 400 to a second step without it.
import type { JsonObject, JsonValue } from '../../../../../src/core/data/json.js'
import type { ModelPart } from '../../../../../src/core/data/model.js'
import { AnswerBuilder } from '../../../../../src/host/models/answer/answer-builder.js'
import { chatAnswer } from '../../../../../src/host/models/openai/chat-stream.js'
import { expect, test } from '../../../../support/lab/lab.js'
import { messagesOf } from '../../../../support/lab/requests.js'

const delta = (fields: JsonObject, finish: string | null = null): JsonObject => ({
  choices: [{ index: 0, delta: fields, finish_reason: finish }],
})
const details = (...pieces: JsonObject[]): JsonObject => delta({ content: '', reasoning_details: pieces })
const text = (words: string | null, more: JsonObject = {}): JsonObject => ({
  type: 'reasoning.text',
  ...(words === null ? {} : { text: words }),
  format: 'anthropic-claude-v1',
  index: 0,
  ...more,
})
const encrypted = (data: string, more: JsonObject = {}): JsonObject => ({
  type: 'reasoning.encrypted',
  data,
  format: 'google-gemini-v1',
  index: 0,
  ...more,
})
const summary = (words: string, more: JsonObject = {}): JsonObject => ({
  type: 'reasoning.summary',
  summary: words,
  format: 'openai-responses-v1',
  index: 0,
  ...more,
})
const callOf = (id: string): JsonObject => ({
  index: 0,
  id,
  type: 'function',
  function: { name: 'find', arguments: '{"q":"tea"}' },
})

function assemble(events: readonly JsonValue[]): { shown: string; kept: JsonValue | undefined } {
  const assembly = new AnswerBuilder(chatAnswer, {
    url: 'http://test/v1/chat/completions',
    secrets: [],
    newId: () => 'made',
  })
  const parts: ModelPart[] = [...events.flatMap((event) => assembly.add(event)), ...assembly.end(true)]
  const metadata = parts.flatMap((part) =>
    'providerMetadata' in part && part.type === 'reasoning-end' && part.providerMetadata
      ? [part.providerMetadata['chatCompletions'] as JsonObject]
      : [],
  )
  return {
    shown: parts.map((part) => (part.type === 'reasoning-delta' ? part.delta : '')).join(''),
    kept: metadata.find((one) => one['reasoning_details'] !== undefined)?.['reasoning_details'],
  }
}

for (const [title, events, wanted] of [
  [
    'text in pieces and its signature are one detail',
    [details(text('Let me ')), details(text('see.')), details(text(null, { signature: 'sig' }))],
    { shown: 'Let me see.', kept: [{ ...text('Let me see.'), signature: 'sig' }] },
  ],
  [
    'details of two indexes stay two',
    [details(text('One')), details(text('Two', { index: 1 })), details(text('!', { index: 1, signature: 'b' }))],
    { shown: 'OneTwo!', kept: [text('One'), { ...text('Two!', { index: 1 }), signature: 'b' }] },
  ],
  [
    'a summary and encrypted data under the same index stay two',
    [details(summary('I ')), details(summary('look.')), details(encrypted('gAAA', { id: 'rs_1' }))],
    { shown: 'I look.', kept: [summary('I look.'), encrypted('gAAA', { id: 'rs_1' })] },
  ],
  [
    'encrypted data of two calls under the same index stay two',
    [details(encrypted('AA', { id: 'tool_1' })), details(encrypted('BB', { id: 'tool_2' }))],
    { shown: '', kept: [encrypted('AA', { id: 'tool_1' }), encrypted('BB', { id: 'tool_2' })] },
  ],
  [
    'text without an index goes on with the text before it',
    [details({ type: 'reasoning.text', text: 'Hm' }), details({ type: 'reasoning.text', text: ', tea' })],
    { shown: 'Hm, tea', kept: [{ type: 'reasoning.text', text: 'Hm, tea' }] },
  ],
  [
    'the details of one event are not joined',
    [details(text('One'), text('Two'))],
    { shown: 'OneTwo', kept: [text('One'), text('Two')] },
  ],
  [
    'text that comes as `reasoning` as well is shown once',
    [delta({ reasoning: 'Hm', reasoning_details: [text('Hm')] })],
    { shown: 'Hm', kept: [text('Hm')] },
  ],
  [
    'fields that nobody knows are kept, and what is no object is not',
    [details({ type: 'reasoning.new', index: 0, blob: { a: [1] } }), delta({ reasoning_details: ['x', null, 7] })],
    { shown: '', kept: [{ type: 'reasoning.new', index: 0, blob: { a: [1] } }] },
  ],
  [
    'an answer without details keeps none',
    [delta({ reasoning: 'Hm', reasoning_details: [] })],
    { shown: 'Hm', kept: undefined },
  ],
] as const) {
  test(`reasoning details: ${title}`, () => {
    expect(assemble([...events, delta({ content: 'Tea.' }, 'stop')])).toEqual(wanted)
  })
}

const ofClaude = [{ ...text('They want tea.'), signature: 'c2ln' }, encrypted('AAA=', { id: 'tool_1', index: 1 })]
const streamed = {
  sse: [
    details(text('They want ')),
    details(text('tea.')),
    details(text(null, { signature: 'c2ln' })),
    delta({ tool_calls: [callOf('tool_1')] }),
    details(encrypted('AAA=', { id: 'tool_1', index: 1 })),
    delta({}, 'tool_calls'),
  ],
}
const whole = {
  json: {
    choices: [
      {
        message: { content: null, reasoning_details: ofClaude, tool_calls: [callOf('tool_1')] },
        finish_reason: 'tool_calls',
      },
    ],
  },
}
const find = {
  name: 'find',
  description: 'Finds tea by its name',
  inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
  execute: () => 'green',
} as const

for (const [how, reply] of [
  ['a stream', streamed],
  ['a whole answer', whole],
] as const) {
  test(`reasoning details of ${how} are shown and sent back unchanged, also after a reload`, async ({ lab }) => {
    const { agent, endpoint, store, kill } = await lab.start([reply, { text: 'Green tea.' }, { text: 'Yes.' }], {
      sessionId: 'tea',
    })
    agent.registerTool(find)
    expect((await agent.send('Find tea')).text).toBe('Green tea.')
    expect(agent.messages[1]).toMatchObject({
      parts: expect.arrayContaining([expect.objectContaining({ type: 'reasoning', text: 'They want tea.' })]),
    })
    kill()
    const next = await lab.start([], { store, sessionId: 'tea', endpointServer: endpoint })
    await next.agent.send('Sure?')
    const asked = endpoint.requests
      .slice(1)
      .map((request) => messagesOf(request).find(({ tool_calls: calls }) => calls !== undefined))
    expect(asked.map((message) => message?.['reasoning_details'])).toEqual([ofClaude, ofClaude])
  })
}

test('reasoning details of a turn without calls are sent back too', async ({ lab }) => {
  const { agent, endpoint } = await lab.start([
    { sse: [details(summary('Simple.')), delta({ content: 'Hello' }), delta({}, 'stop')] },
    { text: 'Still here' },
  ])
  await agent.send('Hi')
  await agent.send('There?')
  expect(messagesOf(endpoint.requests[1])[2]).toEqual({
    role: 'assistant',
    content: 'Hello',
    reasoning_details: [summary('Simple.')],
  })
})

test('reasoning in both forms is sent back in both forms, in a turn with calls', async ({ lab }) => {
  const { agent, endpoint } = await lab.start([
    {
      sse: [
        delta({ reasoning_content: 'They want tea.', reasoning_details: [text('They want tea.')] }),
        delta({ tool_calls: [callOf('a')] }),
        delta({}, 'tool_calls'),
      ],
    },
    { text: 'Green tea.' },
  ])
  agent.registerTool(find)
  await agent.send('Find tea')
  expect(messagesOf(endpoint.requests[1])[2]).toMatchObject({
    reasoning_content: 'They want tea.',
    reasoning_details: [text('They want tea.')],
  })
})

test('reasoning details of a stream that was cut are not sent back', async ({ lab }) => {
  const { agent, endpoint } = await lab.start([
    { sse: [details(text('They ')), delta({ content: 'Half' })], done: false },
    { text: 'Whole' },
  ])
  await expect(agent.send('Hi')).rejects.toMatchObject({ code: 'stream-cut' })
  await agent.send('Again')
  expect(JSON.stringify(messagesOf(endpoint.requests[1]))).not.toContain('reasoning_details')
})

test('the extra request for the todo list keeps its reasoning details', async ({ lab }) => {
  const todo = (id: string, status: string): JsonObject => ({
    ...callOf(id),
    function: { name: 'todo_write', arguments: JSON.stringify({ items: [{ text: 'Brew', status }] }) },
  })
  const { agent, endpoint } = await lab.start([
    { sse: [delta({ tool_calls: [todo('a', 'in_progress')] }), delta({}, 'tool_calls')] },
    { text: 'Done.' },
    {
      sse: [
        details(encrypted('AAA=', { id: 'b' })),
        delta({ tool_calls: [todo('b', 'completed')] }),
        delta({}, 'tool_calls'),
      ],
    },
    { text: 'Hello.' },
  ])
  await agent.send('Brew')
  await agent.send('Hi')
  const asked = messagesOf(endpoint.requests.at(-1)).find(({ tool_calls: calls }) =>
    JSON.stringify(calls ?? '').includes('completed'),
  )
  expect(asked?.['reasoning_details']).toEqual([encrypted('AAA=', { id: 'b' })])
})
