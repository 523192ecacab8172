// The client against a server that another project wrote: the client reads its streams, and it accepts the requests.
import { LLMock } from '@copilotkit/aimock'
import { expect, test as base } from 'playwright/test'
import type { ModelPart, ModelRequest } from '../../../../../src/core/data/model.js'
import { chatCompletions } from '../../../../../src/host/models/openai/index.js'

const test = base.extend<{ mock: LLMock }>({
  mock: async ({}, use) => {
    const mock = new LLMock({ port: 0, host: '127.0.0.1', strict: true, chunkSize: 5 })
    await mock.start()
    await use(mock)
    await mock.stop()
  },
})

const question = (text: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'gpt-test',
  system: 'Be brief.',
  messages: [{ role: 'user', content: [{ type: 'text', text }] }],
  toolChoice: 'auto',
  tools: [
    {
      type: 'function',
      name: 'find',
      description: 'Finds',
      inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
    },
  ],
  ...more,
})

async function ask(
  mock: LLMock,
  request: ModelRequest,
  stream = true,
): Promise<{ parts: ModelPart[]; error: unknown }> {
  const model = chatCompletions({
    endpoint: `${mock.url}/v1`,
    credentials: 'omit',
    stream,
    headers: async () => ({}),
    limits: { responseBytes: 1_000_000 },
  })
  const parts: ModelPart[] = []
  try {
    for await (const part of model.stream(request, new AbortController().signal)) parts.push(part)
  } catch (error) {
    return { parts, error }
  }
  return { parts, error: undefined }
}

const said = (parts: readonly ModelPart[]) => ({
  text: parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join(''),
  reasoning: parts.map((part) => (part.type === 'reasoning-delta' ? part.delta : '')).join(''),
  calls: parts.flatMap((part) => (part.type === 'tool-call' ? [[part.toolCallId, part.toolName, part.input]] : [])),
  finish: parts.flatMap((part) => (part.type === 'finish' ? [part.finishReason.unified] : [])),
})

for (const stream of [true, false]) {
  test(`reads text, reasoning and parallel calls, ${stream ? 'streamed' : 'whole'}, and the next answer`, async ({
    mock,
  }) => {
    mock.on(
      { userMessage: 'tea', hasToolResult: false },
      {
        content: 'I look for tea.',
        reasoning: 'They want tea.',
        toolCalls: [
          { id: 'call_a', name: 'find', arguments: '{"q":"grüner Tee"}' },
          { id: 'call_b', name: 'find', arguments: '{}' },
        ],
      },
    )
    mock.on({ toolCallId: 'call_b', toolResultContains: 'two' }, { content: 'There are two.' })
    const first = await ask(mock, question('tea'), stream)
    expect(first.error).toBeUndefined()
    expect(said(first.parts)).toEqual({
      text: 'I look for tea.',
      reasoning: 'They want tea.',
      calls: [
        ['call_a', 'find', '{"q":"grüner Tee"}'],
        ['call_b', 'find', '{}'],
      ],
      finish: ['tool-calls'],
    })
    const second = await ask(
      mock,
      question('tea', {
        messages: [
          ...question('tea').messages,
          {
            role: 'assistant',
            content: [
              { type: 'text', text: 'I look for tea.' },
              ...['a', 'b'].map((id) => ({
                type: 'tool-call' as const,
                toolCallId: `call_${id}`,
                toolName: 'find',
                input: {},
              })),
            ],
          },
          {
            role: 'tool',
            content: ['one', 'two'].map((value, at) => ({
              type: 'tool-result' as const,
              toolCallId: at === 0 ? 'call_a' : 'call_b',
              toolName: 'find',
              output: { type: 'text' as const, value },
            })),
          },
        ],
      }),
      stream,
    )
    expect(second.error).toBeUndefined()
    expect(said(second.parts)).toMatchObject({ text: 'There are two.', finish: ['stop'] })
  })
}

test('reports an error status, a rate limit with its delay and a cut stream', async ({ mock }) => {
  mock.on(
    { userMessage: 'key' },
    { error: { message: 'Incorrect API key', type: 'invalid_request_error', code: 'invalid_api_key' }, status: 401 },
  )
  mock.on(
    { userMessage: 'slow down' },
    {
      error: { message: 'Rate limit reached', type: 'requests', code: 'rate_limit_exceeded' },
      status: 429,
      retryAfter: 3,
    },
  )
  mock.on(
    { userMessage: 'cut' },
    { toolCalls: [{ name: 'find', arguments: '{"q":"a long question"}' }] },
    { truncateAfterChunks: 5 },
  )
  expect((await ask(mock, question('key'))).error).toMatchObject({ code: 'unauthorized' })
  expect((await ask(mock, question('slow down'))).error).toMatchObject({
    code: 'rate-limited',
    details: { retryAfter: 3000, retry: true },
  })
  const cut = await ask(mock, question('cut'))
  // It resets the connection, which may throw away what was not read yet: then nothing had come.
  expect(cut.error).toMatchObject({ code: expect.stringMatching(/^(stream-cut|network)$/) })
  expect(said(cut.parts)).toMatchObject({ calls: [], finish: [] })
})
