// Error bodies in the formats of servers and relays: the reason is reported to the user.
import { expect, test } from 'playwright/test'
import { parseJson, type JsonValue } from '../../../../../src/core/data/json.js'
import { chatCompletions } from '../../../../../src/host/models/openai/index.js'
import { AnswerBuilder } from '../../../../../src/host/models/answer/answer-builder.js'
import { chatAnswer } from '../../../../../src/host/models/openai/chat-stream.js'
import { httpError, streamError } from '../../../../../src/host/models/http/http-errors.js'
import { missingCorpus } from '../../../../support/lab/corpora.js'
import { startEndpoint, type Reply } from '../../../../support/lab/endpoint.js'
import { otherRecordings } from '../../../../support/lab/streams.js'

const context = { url: 'http://test/v1/chat/completions', secrets: ['sk-secret-123456'] }
const refused = (status: number, body: JsonValue) => httpError(status, new Headers(), JSON.stringify(body), context)
const wrapped = (raw: JsonValue, code = 400, provider = 'Google AI Studio') => ({
  error: { message: 'Provider returned error', code, metadata: { raw, provider_name: provider } },
  user_id: 'user_1',
})

const overflow = {
  error: { message: 'prompt is too long: 250000 tokens > 200000 maximum', type: 'invalid_request_error' },
}
const kinds: [string, number, JsonValue, string, RegExp][] = [
  [
    'the reason of a provider behind OpenRouter, as text',
    400,
    wrapped('Gemini models require OpenRouter reasoning details to be preserved.'),
    'bad-request',
    /Provider returned error \(Google AI Studio\): Gemini models require/,
  ],
  [
    'the reason of a provider behind OpenRouter, as JSON in text',
    400,
    wrapped(JSON.stringify({ error: { message: 'At most 1 image per prompt.', code: 'x' } })),
    'bad-request',
    /Provider returned error \(Google AI Studio\): At most 1 image per prompt\.$/,
  ],
  [
    'the reason of a provider behind OpenRouter, as JSON',
    400,
    wrapped({ error: { message: 'At most 1 image.' } }),
    'bad-request',
    /: At most 1 image\.$/,
  ],
  [
    'a wrapped context overflow, as text',
    400,
    wrapped('This model’s maximum context length is 8192 tokens.'),
    'context-overflow',
    /8192/,
  ],
  ['a wrapped context overflow, as JSON in text', 400, wrapped(JSON.stringify(overflow)), 'context-overflow', /250000/],
  [
    'a wrapped context overflow under another status',
    502,
    wrapped({ type: 'error', ...overflow }, 502),
    'context-overflow',
    /250000/,
  ],
  [
    'a wrapped context overflow that has a code alone',
    400,
    wrapped(JSON.stringify({ error: { message: 'No.', code: 'context_length_exceeded' } })),
    'context-overflow',
    /No\./,
  ],
  [
    'a wrapped pace',
    429,
    wrapped('z-ai/glm is temporarily rate-limited upstream.', 429, 'BaseTen'),
    'rate-limited',
    /\(BaseTen\): z-ai\/glm is temporarily/,
  ],
  [
    'the name of an error beside its reason',
    400,
    { error: 'Bad Request', message: 'temperature must be a number' },
    'bad-request',
    /: Bad Request: temperature must be a number$/,
  ],
  [
    'several reasons',
    400,
    { statusCode: 400, error: 'Bad Request', message: ['model must be a string', 'messages is empty'] },
    'bad-request',
    /Bad Request: model must be a string; messages is empty$/,
  ],
  [
    'the name of an error that says as much as its reason',
    400,
    { error: 'Bad Request', message: 'Bad Request' },
    'bad-request',
    /status 400: Bad Request$/,
  ],
  [
    'a context overflow as the name of an error',
    400,
    { error: 'context_length_exceeded', message: 'Shorten it.' },
    'context-overflow',
    /Shorten it/,
  ],
  [
    'a model that is not there, as a code',
    400,
    { error: { message: 'The model `gpt-9` does not exist', code: 'model_not_found' } },
    'not-found',
    /gpt-9.*model attribute/,
  ],
  [
    'a model that one may not use',
    403,
    { error: { message: 'Project `p` does not have access to model `gpt-9`', code: 'model_not_found' } },
    'not-found',
    /does not have access.*model attribute/,
  ],
  [
    'a model that is not there, as the name of an error',
    400,
    { error: 'model_not_found', message: 'No model gpt-9' },
    'not-found',
    /No model gpt-9/,
  ],
  [
    'a model that is not there, in words',
    400,
    { error: { message: 'gpt-9 is not a valid model ID', code: 400 } },
    'not-found',
    /gpt-9 is not a valid model ID.*model attribute/,
  ],
  ['a code without words', 400, { error: { code: 'model_not_found' } }, 'not-found', /model_not_found/],
]

for (const [title, status, body, code, says] of kinds) {
  test(`an error status shows ${title}`, () => {
    expect(refused(status, body)).toMatchObject({ code, message: expect.stringMatching(says) })
  })
}

test('an error in a stream shows the reason of a provider behind OpenRouter too', () => {
  expect(streamError(wrapped(JSON.stringify(overflow)).error, context)).toMatchObject({
    code: 'context-overflow',
    message: expect.stringContaining('250000'),
  })
})

test('the reason of a provider behind OpenRouter contains no header', () => {
  expect(refused(400, wrapped('Wrong key sk-secret-123456')).message).toContain('Wrong key …')
})

for (const [server, status, message] of [
  ['Ollama', 400, 'registry.ollama.ai/library/gemma3:4b does not support tools'],
  ['vLLM', 400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
  [
    'OpenRouter',
    404,
    'No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs',
  ],
  ['Groq', 400, '`tool calling` is not supported with this model'],
  ['Mistral', 400, 'Function calling is not enabled for this model'],
  ['llama.cpp', 500, 'tools param requires --jinja flag'],
] as const) {
  test(`an error about missing tool support names textProtocol: ${server}`, () => {
    expect(refused(status, { error: { message } }).message).toContain('textProtocol')
    expect(refused(status, wrapped({ error: { message } }, status)).message).toContain('textProtocol')
  })
}

test('an error about the sent tools does not name textProtocol', () => {
  for (const message of [
    'Invalid schema for function "find": None is not of type "array".',
    "An assistant message with 'tool_calls' must be followed by tool messages.",
    "'tool_choice' is only allowed when 'tools' are specified.",
    'Duplicate tool name: find',
    'temperature is not supported with this model',
  ])
    expect(refused(400, { error: { message } }).message).not.toContain('textProtocol')
})

const events = {
  'Anthropic Messages': { type: 'message_start', message: { type: 'message', role: 'assistant', content: [] } },
  'OpenAI Responses': { type: 'response.created', response: { object: 'response' } },
  Gemini: { candidates: [{ content: { parts: [{ text: 'Hi' }] } }] },
} as const
const wholes = {
  'Anthropic Messages': { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Hi' }] },
  'OpenAI Responses': { object: 'response', output: [] },
  Gemini: { candidates: [{ content: { parts: [{ text: 'Hi' }] } }] },
} as const

async function answered(reply: Reply): Promise<unknown> {
  const endpoint = await startEndpoint([reply])
  const model = chatCompletions({
    endpoint: endpoint.url,
    credentials: 'omit',
    stream: true,
    headers: async () => ({}),
    limits: { responseBytes: 100_000 },
  })
  try {
    const parts = model
      .stream({ model: 'm', system: '', messages: [], tools: [], toolChoice: 'auto' }, new AbortController().signal)
      [Symbol.asyncIterator]()
    while (!(await parts.next()).done);
    return undefined
  } catch (error) {
    return error
  } finally {
    await endpoint.close()
  }
}

for (const [protocol, provider] of [
  ['Anthropic Messages', 'anthropic'],
  ['OpenAI Responses', 'openai-responses'],
  ['Gemini', 'google'],
] as const) {
  test(`names the protocol of another API and its provider: ${protocol}`, async () => {
    const named = {
      code: 'bad-response',
      details: { retry: false, protocol },
      message:
        `The endpoint uses the protocol ${protocol}, expected OpenAI chat completions. ` +
        `Check the endpoint attribute or set provider="${provider}".`,
    }
    expect(await answered({ sse: [events[protocol]], done: false })).toMatchObject(named)
    expect(await answered({ sse: [events[protocol]], done: true })).toMatchObject(named)
    expect(await answered({ json: wholes[protocol] })).toMatchObject(named)
  })
}

test('ignores events of another protocol within a chat completion', () => {
  const assembly = new AnswerBuilder(chatAnswer, { ...context, newId: () => 'made' })
  assembly.add({ choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: null }] })
  expect(assembly.add({ type: 'response.created' })).toEqual([])
})

test.describe('recorded streams of other protocols', () => {
  test.skip(otherRecordings.length === 0, missingCorpus('streams', 1))

  test('each protocol is named, or the stream’s own error is shown', () => {
    const found = new Map<string, number>()
    for (const { name, events: lines } of otherRecordings) {
      const assembly = new AnswerBuilder(chatAnswer, { ...context, newId: () => 'made' })
      let error: unknown
      try {
        for (const line of lines) assembly.add(parseJson(line)!)
        assembly.end(false)
      } catch (thrown) {
        error = thrown
      }
      const { code, details } = error as { code: string; details?: { protocol?: string } }
      const protocol = details?.protocol ?? code
      found.set(protocol, (found.get(protocol) ?? 0) + 1)
      if (name.startsWith('anthropic')) expect(protocol, name).toBe('Anthropic Messages')
      if (/responses\//.test(name)) expect(protocol, name).toBe('OpenAI Responses')
      if (name.startsWith('google'))
        expect(protocol, name).toBe(name.includes('interactions/') ? 'Gemini Interactions' : 'Gemini')
    }
    console.log(
      `Recorded streams of other protocols: ${[...found].map(([protocol, count]) => `${protocol} ${count}`).join(', ')}`,
    )
  })
})

test('words for a context that is too long are told from other limits', () => {
  const tooLong = [
    'The decoder prompt (length 5000) is longer than the maximum model length of 4096.',
    'Prompt 超长',
    'Prompt length 9000 exceeds maximum 8192',
    'Prompt length 5000 is greater than max_seq_len 4096',
    'Input exceeds the max input token limit',
    'maximum number of input tokens is 4096',
    'The prompt is 140000 tokens which exceeds 127072',
    "total tokens exceeds the model's max of 4096",
    'context_overflow',
    'Input validation error: `inputs` must have less than 4095 tokens. Given: 5000',
    'length of prompt_tokens (5000) must be less than max_seq_len (4096).',
    'The conversation is too long: 5000 tokens',
    'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000',
    // The wordings of @mariozechner/pi-ai, overflow.js.
    'prompt is too long: 213462 tokens > 200000 maximum',
    'Your input exceeds the context window of this model',
    'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)',
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens",
    'Please reduce the length of the messages or completion',
    "This endpoint's maximum context length is 131072 tokens.",
    'prompt token count of 140000 exceeds the limit of 128000',
    'the request exceeds the available context size, try increasing it',
    'The number of tokens to keep from the initial prompt is greater than the context length',
    'invalid params, context window exceeds limit (2013)',
    'Your request exceeded model token limit: 262144',
    'Prompt contains 33000 tokens, too large for model with 32768 maximum context length',
    'prompt too long; exceeded max context length by 5 tokens',
  ]
  for (const message of tooLong)
    expect([message, refused(400, { error: { message } }).code]).toEqual([message, 'context-overflow'])
  const others = [
    'max_tokens is too large: 100000. This model supports at most 16384 completion tokens.',
    'max_tokens exceeds the maximum of 8192 tokens',
    'tools[3].function.description: too long',
    'input[3].name: string is longer than 64',
    'The input is not valid JSON',
    'temperature exceeds the maximum of 2',
  ]
  for (const message of others)
    expect([message, refused(400, { error: { message } }).code]).toEqual([message, 'bad-request'])
  const wait = { message: 'Too many tokens, please wait before trying again.' }
  expect(refused(400, { __type: 'ThrottlingException', ...wait })).toMatchObject({
    code: 'rate-limited',
    details: { retry: true },
  })
  expect(refused(429, wait).code).toBe('rate-limited')
})
