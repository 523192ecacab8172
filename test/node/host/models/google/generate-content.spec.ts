// The adapter of the Gemini API against a real server: what it sends, what it makes of answers and errors, how it stops.
import { expect, test } from 'playwright/test'
import type { ToolAgentError } from '../../../../../src/core/data/errors.js'
import type { JsonObject, JsonValue } from '../../../../../src/core/data/json.js'
import type { ModelRequest, PromptMessage } from '../../../../../src/core/data/model.js'
import { generateContent, type GenerateContentOptions } from '../../../../../src/host/models/google/index.js'
import { startEndpoint, type ScriptItem } from '../../../../support/lab/endpoint.js'
import { runAgainst, type Ran } from '../../../../support/lab/run-model.js'
import { geminiAnswerOf, type GeminiAnswer } from '../../../../support/recordings/google.js'

const request: ModelRequest = {
  model: 'gemini-2.0-flash',
  system: '',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
  tools: [],
  toolChoice: 'auto',
}
const tool = (name: string, inputSchema: JsonObject = { type: 'object' }): ModelRequest['tools'][number] => ({
  type: 'function',
  name,
  description: `Runs ${name}`,
  inputSchema,
})
const user = (text: string): PromptMessage => ({ role: 'user', content: [{ type: 'text', text }] })

const chunk = (parts: readonly JsonValue[], more: JsonObject = {}, event: JsonObject = {}): JsonObject => ({
  candidates: [{ content: { role: 'model', parts }, ...more }],
  ...event,
})
const stop = chunk([], { finishReason: 'STOP' })
const text = (words: string): JsonObject => chunk([{ text: words }])

async function against(
  script: readonly ScriptItem[],
  asked: Partial<ModelRequest> = {},
  options: Partial<GenerateContentOptions> = {},
): Promise<Omit<Ran, 'error'> & GeminiAnswer & { readonly thrown: ToolAgentError | undefined }> {
  const model = (endpoint: string) =>
    generateContent({
      endpoint,
      credentials: 'omit',
      stream: true,
      headers: async () => ({ 'x-goog-api-key': 'key-of-the-test' }),
      limits: { responseBytes: 1_000_000 },
      ...options,
    })
  const { error: thrown, ...ran } = await runAgainst(script, model, { ...request, ...asked })
  return { ...geminiAnswerOf(ran.parts), ...ran, thrown }
}
const sse = (...events: JsonValue[]): ScriptItem => ({ sse: events, done: false })
const contents = async (messages: readonly PromptMessage[], model = 'gemini-2.0-flash'): Promise<JsonValue> =>
  (await against([sse(stop)], { messages, model })).body['contents']!

test.describe('requests', () => {
  test('a plain question sends its contents only, and the key in a header only', async () => {
    const { requests, body, finish } = await against([sse(stop)])
    expect(finish).toBe('stop')
    expect(requests[0]).toMatchObject({
      path: '/v1/models/gemini-2.0-flash:streamGenerateContent?alt=sse',
      headers: { 'content-type': 'application/json', 'x-goog-api-key': 'key-of-the-test' },
    })
    expect(body).toEqual({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] })
  })

  test('a whole answer is requested from another address', async () => {
    const { requests } = await against([{ json: stop }], {}, { stream: false })
    expect(requests[0]!.path).toBe('/v1/models/gemini-2.0-flash:generateContent')
  })

  test('the name of the model is encoded, and may be a path', async () => {
    const paths: string[] = []
    const send: typeof fetch = async (url) => {
      paths.push(String(url))
      return new Response(JSON.stringify(stop))
    }
    const options = { endpoint: 'http://test/v1beta/?version=7', fetch: send }
    for (const model of ['a b?c', 'tunedModels/mine']) await against([], { model }, options)
    expect(paths).toEqual([
      'http://test/v1beta/models/a%20b%3Fc:streamGenerateContent?version=7&alt=sse',
      'http://test/v1beta/tunedModels/mine:streamGenerateContent?version=7&alt=sse',
    ])
  })

  test('a missing model is an invalid option, and nothing is sent', async () => {
    const { thrown, requests } = await against([], { model: '' })
    expect(thrown).toMatchObject({ code: 'invalid-option', message: expect.stringMatching(/^model: .* received ""/) })
    expect(requests).toEqual([])
  })

  test('system text and tools have the shapes of Gemini', async () => {
    const schema = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] }
    const { body } = await against([sse(stop)], { system: 'Be brief.', tools: [tool('find', schema), tool('list')] })
    expect(body).toEqual({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
      tools: [
        {
          functionDeclarations: [
            { name: 'find', description: 'Runs find', parameters: schema },
            { name: 'list', description: 'Runs list' },
          ],
        },
      ],
    })
  })

  test('Gemma gets the system text before the first message', async () => {
    const { body } = await against([sse(stop)], { system: 'Be brief.', model: 'gemma-3-27b-it' })
    expect(body).toEqual({ contents: [{ role: 'user', parts: [{ text: 'Be brief.' }, { text: 'Hi' }] }] })
  })

  for (const [choice, config] of [
    ['auto', undefined],
    ['none', { mode: 'NONE' }],
    ['required', { mode: 'ANY' }],
    [
      { type: 'tool', toolName: 'find' },
      { mode: 'ANY', allowedFunctionNames: ['find'] },
    ],
  ] as const) {
    test(`the tool choice ${JSON.stringify(choice)} is ${JSON.stringify(config)}`, async () => {
      const { body } = await against([sse(stop)], { tools: [tool('find')], toolChoice: choice })
      expect(body['toolConfig']).toEqual(config && { functionCallingConfig: config })
    })
  }

  test('calls, results and errors alternate, and empty texts are left out', async () => {
    const metadata = { generateContent: { signature: 'sig', id: 'server-1' } }
    expect(
      await contents([
        user('Find'),
        user('tea'),
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'Hm', providerOptions: { generateContent: { thought: true } } },
            { type: 'text', text: '' },
            { type: 'text', text: 'I look.' },
            { type: 'tool-call', toolCallId: 'a', toolName: 'find', input: { q: 'tea' }, providerOptions: metadata },
            { type: 'tool-call', toolCallId: 'b', toolName: 'drop', input: [] },
          ],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'a', toolName: 'find', output: { type: 'text', value: 'green' } },
            { type: 'tool-result', toolCallId: 'b', toolName: 'drop', output: { type: 'error-text', value: 'No.' } },
          ],
        },
        user('Thanks'),
      ]),
    ).toEqual([
      { role: 'user', parts: [{ text: 'Find' }, { text: 'tea' }] },
      {
        role: 'model',
        parts: [
          { text: 'Hm', thought: true },
          { text: 'I look.' },
          { functionCall: { id: 'server-1', name: 'find', args: { q: 'tea' } }, thoughtSignature: 'sig' },
          { functionCall: { name: 'drop', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'server-1', name: 'find', response: { output: 'green' } } },
          { functionResponse: { name: 'drop', response: { error: 'No.' } } },
        ],
      },
      { role: 'user', parts: [{ text: 'Thanks' }] },
    ])
  })

  test('what other adapters stored is left out, and Gemini 3 gets a value for the missing signature', async () => {
    const messages: PromptMessage[] = [
      user('Go'),
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Other', providerOptions: { anthropic: { signature: 'x', thought: true } } },
          { type: 'text', text: 'I look.', providerOptions: { chatCompletions: { signature: 'x' } } },
          { type: 'tool-call', toolCallId: 'call:1 ä', toolName: 'my tool', input: { a: 1 } },
          { type: 'tool-call', toolCallId: 'b', toolName: '9-lives', input: {} },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'call:1 ä', toolName: 'my tool', output: { type: 'text', value: '1' } },
          { type: 'tool-result', toolCallId: 'b', toolName: '9-lives', output: { type: 'text', value: '2' } },
        ],
      },
    ]
    const expected = (signature: JsonObject) => [
      { role: 'user', parts: [{ text: 'Go' }] },
      {
        role: 'model',
        parts: [
          { text: 'I look.' },
          { functionCall: { name: 'my_tool', args: { a: 1 } }, ...signature },
          { functionCall: { name: '_.9-lives', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'my_tool', response: { output: '1' } } },
          { functionResponse: { name: '_.9-lives', response: { output: '2' } } },
        ],
      },
    ]
    for (const old of ['gemini-2.5-pro', 'gemini-2.0-flash-001', 'gemini-1.5-pro', 'gemma-3'])
      expect(await contents(messages, old), old).toEqual(expected({}))
    for (const recent of ['gemini-3-pro-preview', 'gemini-3.5-flash', 'gemini-flash-latest'])
      expect(await contents(messages, recent), recent).toEqual(
        expected({ thoughtSignature: 'skip_thought_signature_validator' }),
      )
  })

  test('files of the user are inline data, and URLs are file data', async () => {
    const file = (mediaType: string, data: string) => ({ type: 'file' as const, mediaType, data, filename: 'a' })
    expect(
      await contents([
        {
          role: 'user',
          content: [
            file('image/png', 'AAAA'),
            file('application/pdf', 'data:application/pdf;base64,BBBB'),
            file('text/plain', 'data:text/plain,gr%C3%BCn'),
            file('text/plain', 'data:text/plain,100% grün'),
            file('image/png', 'data:image/png,%89PNG'),
            file('image/png', 'https://example.com/a.png'),
          ],
        },
      ]),
    ).toEqual([
      {
        role: 'user',
        parts: [
          { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
          { inlineData: { mimeType: 'application/pdf', data: 'BBBB' } },
          { inlineData: { mimeType: 'text/plain', data: Buffer.from('grün').toString('base64') } },
          { inlineData: { mimeType: 'text/plain', data: Buffer.from('100% grün').toString('base64') } },
          { inlineData: { mimeType: 'image/png', data: Buffer.from('\x89PNG', 'latin1').toString('base64') } },
          { fileData: { mimeType: 'image/png', fileUri: 'https://example.com/a.png' } },
        ],
      },
    ])
  })

  test('files of results are in the result for Gemini 3, and after all results for older models', async () => {
    const messages: PromptMessage[] = [
      user('Look'),
      {
        role: 'assistant',
        content: ['a', 'b'].map((id) => ({
          type: 'tool-call',
          toolCallId: id,
          toolName: 'photo',
          input: {},
          providerOptions: { generateContent: { signature: id } },
        })),
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'a',
            toolName: 'photo',
            output: {
              type: 'content',
              value: [
                { type: 'text', text: 'Taken' },
                { type: 'text', text: 'untrusted:' },
                { type: 'file', mediaType: 'image/png', data: 'AAAA', label: 'untrusted:' },
              ],
            },
          },
          { type: 'tool-result', toolCallId: 'b', toolName: 'photo', output: { type: 'text', value: 'None' } },
        ],
      },
    ]
    const inlineData = { mimeType: 'image/png', data: 'AAAA' }
    const last = { functionResponse: { name: 'photo', response: { output: 'None' } } }
    expect(((await contents(messages, 'gemini-3-pro-preview')) as JsonObject[])[2]!['parts']).toEqual([
      {
        functionResponse: { name: 'photo', response: { output: 'Taken\nuntrusted:' }, parts: [{ inlineData }] },
      },
      last,
    ])
    expect(((await contents(messages)) as JsonObject[])[2]!['parts']).toEqual([
      {
        functionResponse: {
          name: 'photo',
          response: { output: 'Taken\nuntrusted:\n(a file follows below)' },
        },
      },
      last,
      { text: 'Files from the result of photo:' },
      { text: 'untrusted:' },
      { inlineData },
    ])
  })

  test('thinking models are asked for their thoughts, once more without where the server refuses', async () => {
    const { requests, finish } = await against(
      [{ status: 400, body: { error: { code: 400, message: 'Thinking is not enabled for this model.' } } }, sse(stop)],
      { model: 'gemini-2.5-flash' },
    )
    expect(finish).toBe('stop')
    expect(requests.map(({ body }) => body!['generationConfig'])).toEqual([
      { thinkingConfig: { includeThoughts: true } },
      undefined,
    ])
    const image = await against([sse(stop)], { model: 'gemini-2.5-flash-image' })
    expect(image.body['generationConfig']).toBeUndefined()
  })
})

test.describe('answers', () => {
  const call = (name: string, args: JsonObject, more: JsonObject = {}): JsonObject => ({
    functionCall: { name, args, ...more },
  })

  test('text, thoughts and signatures become parts that are sent back unchanged', async () => {
    const { parts } = await against([
      sse(
        chunk([{ text: 'I think', thought: true }], {}, { responseId: 'r1', modelVersion: 'gemini-x' }),
        chunk([{ text: ' so.', thought: true }]),
        chunk([{ text: 'Hel' }, { text: 'lo' }]),
        chunk([{ text: '', thoughtSignature: 'after-text' }]),
        chunk([{ ...call('find', { q: 1 }, { id: 'srv' }), thoughtSignature: 'of-call' }, call('find', { q: 2 })]),
        chunk([{ text: '', thoughtSignature: 'alone' }], { finishReason: 'STOP' }),
      ),
    ])
    const kept = parts.flatMap((part) =>
      part.type.endsWith('-start') || part.type.endsWith('-end') || part.type === 'tool-call'
        ? [[part.type, 'providerMetadata' in part ? part.providerMetadata : undefined]]
        : [],
    )
    expect(parts[0]).toEqual({ type: 'response-metadata', id: 'r1', modelId: 'gemini-x' })
    expect(kept).toEqual([
      ['reasoning-start', { generateContent: { thought: true } }],
      ['reasoning-end', undefined],
      ['text-start', undefined],
      ['text-end', { generateContent: { signature: 'after-text' } }],
      ['tool-input-start', undefined],
      ['tool-input-start', undefined],
      ['reasoning-start', undefined],
      ['reasoning-end', { generateContent: { signature: 'alone' } }],
      ['tool-input-end', undefined],
      ['tool-call', { generateContent: { signature: 'of-call', id: 'srv' } }],
      ['tool-input-end', undefined],
      ['tool-call', undefined],
    ])
    expect(parts.filter((part) => part.type === 'text-delta').map(({ delta }) => delta)).toEqual(['Hello'])
  })

  test('two signed texts stay two parts', async () => {
    const { parts } = await against([
      sse(
        chunk([
          { text: 'One', thoughtSignature: 'a' },
          { text: 'Two', thoughtSignature: 'b' },
        ]),
        stop,
      ),
    ])
    expect(parts.filter((part) => part.type === 'text-end')).toEqual([
      { type: 'text-end', id: 'text-0', providerMetadata: { generateContent: { signature: 'a' } } },
      { type: 'text-end', id: 'text-1', providerMetadata: { generateContent: { signature: 'b' } } },
    ])
  })

  test('parallel calls get unique ids, and a name for the wire its own name', async () => {
    const { parts, calls, finish, raw } = await against([
      sse(
        chunk([call('find', { q: 1 }, { id: 'x' }), call('find', { q: 2 }, { id: 'x' }), call('_.9-lives', {})]),
        chunk([{ functionCall: { name: 'bare' } }], { finishReason: 'STOP' }),
      ),
    ])
    expect(calls).toEqual([
      ['find', { q: 1 }],
      ['find', { q: 2 }],
      ['9-lives', {}],
      ['bare', {}],
    ])
    expect({ finish, raw }).toEqual({ finish: 'tool-calls', raw: 'STOP' })
    const relayed = await against([sse(chunk([call('find', {})], { finishReason: 'FUNCTION_CALL' }))])
    expect(relayed.finish).toBe('tool-calls')
    const ids = parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
    expect(new Set(ids).size).toBe(4)
    expect(ids[0]).toBe('x')
  })

  for (const [reason, unified] of [
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content-filter'],
    ['RECITATION', 'content-filter'],
    ['IMAGE_SAFETY', 'content-filter'],
    ['PROHIBITED_CONTENT', 'content-filter'],
    ['MALFORMED_FUNCTION_CALL', 'error'],
    ['OTHER', 'other'],
    ['SOMETHING_NEW', 'other'],
  ] as const) {
    test(`the finish reason ${reason} is ${unified}`, async () => {
      const { finish, raw } = await against([sse(chunk([{ text: 'Hi' }], { finishReason: reason }))])
      expect({ finish, raw }).toEqual({ finish: unified, raw: reason })
    })
  }

  test('a call that the model wrote wrongly may be retried, if nothing was shown', async () => {
    const reply = chunk([], { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'print(find(' })
    const { thrown } = await against([sse(reply)])
    expect(thrown).toMatchObject({ code: 'bad-response', details: { retry: true } })
    expect(thrown?.message).toContain('(MALFORMED_FUNCTION_CALL): print(find(')
  })

  test('a blocked prompt ends by the content filter', async () => {
    const blocked = { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 3 } }
    for (const reply of [sse(blocked), { json: blocked }]) {
      const { finish, raw, usage } = await against([reply])
      expect({ finish, raw, usage }).toEqual({
        finish: 'content-filter',
        raw: 'SAFETY',
        usage: { inputTokens: { total: 3 } },
      })
    }
  })

  test('usage counts thoughts as output, and the cache', async () => {
    const counted = (usageMetadata: JsonObject) => chunk([], { finishReason: 'STOP' }, { usageMetadata })
    const full = { promptTokenCount: 9, cachedContentTokenCount: 4, candidatesTokenCount: 5, thoughtsTokenCount: 20 }
    expect((await against([sse(counted(full))])).usage).toEqual({
      inputTokens: { total: 9, cacheRead: 4 },
      outputTokens: { total: 25, reasoning: 20 },
    })
    expect((await against([sse(counted({ trafficType: 'ON_DEMAND' }))])).usage).toBeUndefined()
  })

  test('a relay that ignores alt=sse may send a list of events', async () => {
    const { text: words, finish } = await against([{ json: [text('Hel'), text('lo'), stop] }])
    expect({ words, finish }).toEqual({ words: 'Hello', finish: 'stop' })
  })

  test('a stream without a finish reason is cut, with or without [DONE]', async () => {
    const events = [chunk([{ text: 'Hi' }, call('find', {})])]
    for (const reply of [sse(...events), { sse: events }, { json: events[0]! }]) {
      const { thrown, calls } = await against([reply])
      expect(thrown?.code).toBe('stream-cut')
      expect(calls).toEqual([])
    }
  })

  test('further candidates are ignored, and parts of unknown kinds are counted', async () => {
    const { text: words, parts } = await against([
      sse({ candidates: [{ index: 1, content: { parts: [{ text: 'no' }] } }] }, text('yes'), {
        candidates: [{ index: 0, content: { parts: [{ executableCode: {} }] }, finishReason: 'STOP' }],
      }),
    ])
    expect(words).toBe('yes')
    expect(parts.at(-1)).toMatchObject({ providerMetadata: { generateContent: { ignored: 1 } } })
  })

  test('another protocol is named', async () => {
    const { thrown } = await against([sse({ choices: [{ delta: { content: 'Hi' } }] })])
    expect(thrown?.message).toContain('uses the protocol OpenAI chat completions, expected Gemini.')
    expect((await against([{ json: { hello: 1 } }])).thrown?.message).toContain(
      'Expected an answer of Gemini, received {"hello":1}',
    )
  })
})

test.describe('streamed arguments', () => {
  const named = (name: string): JsonObject => chunk([{ functionCall: { name, willContinue: true } }])
  const more = (willContinue: boolean, ...partialArgs: JsonObject[]): JsonObject =>
    chunk([{ functionCall: { partialArgs, ...(willContinue ? { willContinue } : {}) } }])
  const end = chunk([{ functionCall: {} }])

  test('values at paths become nested arguments, and their text is shown while it arrives', async () => {
    const { calls, parts } = await against([
      sse(
        named('order'),
        more(true, { jsonPath: '$.to', stringValue: 'An', willContinue: true }),
        more(true, { jsonPath: '$.to', stringValue: 'na "A"', willContinue: true }),
        more(true, { jsonPath: '$.to', stringValue: '' }),
        more(
          true,
          { jsonPath: '$.items[0].name', stringValue: 'tea' },
          { jsonPath: '$.items[0].count', numberValue: 2 },
        ),
        more(true, { jsonPath: '$.items[1].hot', boolValue: false }, { jsonPath: '$.items[]' }),
        more(true, { jsonPath: '$["a.b"]', nullValue: null }, { jsonPath: '$.none[]' }, { jsonPath: '$.map' }),
        more(true, { jsonPath: '$.grid[0][0]', numberValue: 1 }, { jsonPath: '$.grid[0][1]', numberValue: 2 }),
        more(true, { jsonPath: '$.__proto__', stringValue: 'x' }),
        end,
        stop,
      ),
    ])
    const wanted = {
      to: 'Anna "A"',
      items: [{ name: 'tea', count: 2 }, { hot: false }],
      'a.b': null,
      none: [],
      map: {},
      grid: [[1, 2]],
      ['__proto__']: 'x',
    }
    expect(calls).toEqual([['order', JSON.parse(JSON.stringify(wanted))]])
    expect(parts.filter((part) => part.type === 'tool-input-delta').length).toBeGreaterThan(1)
    expect(Object.hasOwn(calls[0]![1] as object, '__proto__')).toBe(true)
  })

  test('a text that is not complete at the end gives a call that cannot run', async () => {
    const { parts } = await against([
      sse(named('find'), more(true, { jsonPath: '$.q', stringValue: 'te', willContinue: true }), stop),
    ])
    expect(parts.find((part) => part.type === 'tool-call')).toMatchObject({ input: '{"q":"te"' })
  })

  for (const path of ['$.a[5]', '$.a[0].b[2]', '$..x', '$.a[']) {
    test(`the path ${path} is refused`, async () => {
      const { thrown, calls } = await against([
        sse(named('find'), more(false, { jsonPath: path, numberValue: 1 }), stop),
      ])
      expect(thrown?.code).toBe('bad-response')
      expect(calls).toEqual([])
    })
  }
})

test.describe('errors', () => {
  const failed = (code: number, status: string, message: string, details: JsonValue = []): ScriptItem => ({
    status: code,
    body: { error: { code, message, status, details } },
  })
  const retryInfo = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.4s' }]

  for (const [title, reply, code, details] of [
    [
      'a wrong key',
      failed(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.'),
      'unauthorized',
      { status: 400, retry: false },
    ],
    ['no permission', failed(403, 'PERMISSION_DENIED', 'No'), 'unauthorized', { status: 403, retry: false }],
    ['an unknown model', failed(404, 'NOT_FOUND', 'models/x is not found'), 'not-found', { retry: false }],
    [
      'a rate limit',
      failed(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota', retryInfo),
      'rate-limited',
      { status: 429, retry: true, retryAfter: 34_400 },
    ],
    ['an overloaded model', failed(503, 'UNAVAILABLE', 'The model is overloaded.'), 'server', { retry: true }],
    [
      'a request that is too long',
      failed(400, 'INVALID_ARGUMENT', 'The input token count (2000000) exceeds the maximum number of tokens allowed'),
      'context-overflow',
      { retry: false },
    ],
    ['a wrong request', failed(400, 'INVALID_ARGUMENT', 'Unknown name "x"'), 'bad-request', { retry: false }],
    [
      'an error in the stream',
      sse(text('Hi'), { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }),
      'server',
      { status: 503, retry: true },
    ],
    [
      'an error in the stream without a code',
      sse({ error: { message: 'Later', status: 'RESOURCE_EXHAUSTED' } }),
      'rate-limited',
      { status: 429, retry: true },
    ],
    [
      'an error in a list',
      { json: [{ error: { code: 500, message: 'Broken', status: 'INTERNAL' } }] },
      'server',
      { status: 500, retry: true },
    ],
  ] as const) {
    test(`${title} is ${code}`, async () => {
      const { thrown, calls } = await against([reply])
      expect(thrown).toMatchObject({ code, details })
      expect(thrown!.message).not.toContain('key-of-the-test')
      expect(calls).toEqual([])
    })
  }

  test('a 401 is repeated once with new headers', async () => {
    const reasons: string[] = []
    const { finish, requests } = await against(
      [{ status: 401, body: {} }, sse(stop)],
      {},
      {
        headers: async (reason) => {
          reasons.push(reason)
          return { authorization: `Bearer ${reason}` }
        },
      },
    )
    expect(finish).toBe('stop')
    expect(reasons).toEqual(['request', 'unauthorized'])
    expect(requests.map(({ headers }) => headers['authorization'])).toEqual(['Bearer request', 'Bearer unauthorized'])
  })

  test('a stop ends the iteration and the request', async () => {
    const endpoint = await startEndpoint([{ raw: [`data: ${JSON.stringify(text('Hi'))}\n\n`], end: 'hang' }])
    const stopping = new AbortController()
    const model = generateContent({
      endpoint: endpoint.url,
      credentials: 'omit',
      stream: true,
      headers: async () => ({}),
      limits: { responseBytes: 1000 },
    })
    const seen: string[] = []
    const running = (async () => {
      for await (const part of model.stream(request, stopping.signal)) {
        seen.push(part.type)
        stopping.abort(new Error('stopped'))
      }
    })()
    await expect(running).rejects.toThrow('stopped')
    await endpoint.requests[0]!.gone
    expect(seen).toEqual(['text-start'])
    await endpoint.close()
  })
})
