// The adapter against a real server: what it sends, what it makes of every kind of answer and fault, and how it stops.
import { expect, test } from 'playwright/test'
import { ToolAgentError } from '../../../../../src/core/data/errors.js'
import type { JsonObject, JsonValue } from '../../../../../src/core/data/json.js'
import type { ModelPart, ModelRequest } from '../../../../../src/core/data/model.js'
import { textChunks } from '../../../../../src/host/models/http/sse.js'
import { chatCompletions, type ChatCompletionsOptions } from '../../../../../src/host/models/openai/index.js'
import {
  startEndpoint,
  type Endpoint,
  type EndpointOptions,
  type Handler,
  type ScriptItem,
} from '../../../../support/lab/endpoint.js'

const request: ModelRequest = {
  model: 'test-model',
  system: '',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
  tools: [],
  toolChoice: 'auto',
}

function adapter(endpoint: string, options: Partial<ChatCompletionsOptions> = {}) {
  return chatCompletions({
    endpoint,
    credentials: 'same-origin',
    stream: true,
    headers: async () => ({}),
    limits: { responseBytes: 1_000_000 },
    ...options,
  })
}

interface Ran {
  readonly parts: ModelPart[]
  readonly text: string
  readonly calls: [string, string][]
  readonly finish: string | undefined
  readonly error: ToolAgentError | undefined
}

async function run(
  endpoint: string,
  options: Partial<ChatCompletionsOptions> = {},
  asked: ModelRequest = request,
  onPart?: () => void,
): Promise<Ran> {
  const parts: ModelPart[] = []
  let error: ToolAgentError | undefined
  try {
    for await (const part of adapter(endpoint, options).stream(asked, new AbortController().signal)) {
      parts.push(part)
      onPart?.()
    }
  } catch (thrown) {
    if (!(thrown instanceof ToolAgentError)) throw thrown
    error = thrown
  }
  const last = parts.at(-1)
  return {
    parts,
    error,
    text: parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join(''),
    calls: parts.flatMap((part): [string, string][] =>
      part.type === 'tool-call' ? [[part.toolName, part.input]] : [],
    ),
    finish: last?.type === 'finish' ? last.finishReason.unified : undefined,
  }
}

/** One run against a scripted server, closed and checked afterwards. */
async function against(
  script: readonly ScriptItem[] | Handler,
  options: Partial<ChatCompletionsOptions> = {},
  asked: ModelRequest = request,
  server: EndpointOptions = {},
): Promise<Ran & { endpoint: Endpoint; body: JsonObject }> {
  const endpoint = await startEndpoint(script, server)
  const ran = await run(endpoint.url, options, asked).finally(() => endpoint.stop())
  await endpoint.close()
  return { ...ran, endpoint, body: endpoint.requests[0]!.body! }
}

/** One run against a connection that does what it does only when a part of this one chunk has arrived. */
async function afterFirstPart(bytes: string, end: 'close' | 'reset' | 'hang'): Promise<Ran> {
  let arrived = (): void => {}
  const arrival = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const endpoint = await startEndpoint([{ raw: [bytes, arrival], end }])
  const ran = await run(endpoint.url, { linger: end === 'hang' ? 20 : 10_000 }, request, () => arrived())
  await endpoint.close()
  return ran
}

const chunk = (delta: JsonObject, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
const hello = chunk({ content: 'Hello' })
const openCall = chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'find', arguments: '{}' } }] })
const stop = chunk({}, 'stop')
const done = 'data: [DONE]\n\n'

test.describe('requests', () => {
  test('ignores a trailing slash of the endpoint and keeps its query', async () => {
    for (const [suffix, path] of [
      ['', '/v1/chat/completions'],
      ['/', '/v1/chat/completions'],
      ['/?api-version=7&a=b', '/v1/chat/completions?api-version=7&a=b'],
    ]) {
      const endpoint = await startEndpoint([{ text: 'x' }])
      expect((await run(endpoint.url + suffix)).finish).toBe('stop')
      expect(endpoint.requests[0]!.path).toBe(path)
      await endpoint.close()
    }
  })

  test('a plain question sends model, messages and the stream options only', async () => {
    const { body, endpoint } = await against([{ text: 'x' }])
    expect(body).toEqual({
      model: 'test-model',
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
      stream_options: { include_usage: true },
    })
    expect(endpoint.requests[0]!.headers['content-type']).toBe('application/json')
  })

  test('system text, tools, calls, results and files have the shapes of chat completions', async () => {
    const { body } = await against(
      [{ text: 'x' }],
      {},
      {
        ...request,
        system: 'Be brief.',
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Look' },
              { type: 'file', mediaType: 'image/png', data: 'AAAA' },
              {
                type: 'file',
                mediaType: 'application/pdf',
                data: 'data:application/pdf;base64,BBBB',
                filename: 'a.pdf',
              },
            ],
          },
          {
            role: 'assistant',
            content: [
              { type: 'text', text: 'I look.' },
              { type: 'tool-call', toolCallId: 'call_1', toolName: 'find', input: { q: 1 } },
              { type: 'tool-call', toolCallId: 'call_2', toolName: 'list', input: {} },
            ],
          },
          {
            role: 'tool',
            content: [
              { type: 'tool-result', toolCallId: 'call_1', toolName: 'find', output: { type: 'text', value: 'one' } },
              {
                type: 'tool-result',
                toolCallId: 'call_2',
                toolName: 'list',
                output: { type: 'error-text', value: 'failed' },
              },
            ],
          },
        ],
        tools: [
          { type: 'function', name: 'find', description: 'Finds', inputSchema: { type: 'object', properties: {} } },
        ],
        toolChoice: { type: 'tool', toolName: 'find' },
      },
    )
    expect(body['messages']).toEqual([
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,BBBB' } },
        ],
      },
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'find', arguments: '{"q":1}' } },
          { id: 'call_2', type: 'function', function: { name: 'list', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'one' },
      { role: 'tool', tool_call_id: 'call_2', content: 'failed' },
    ])
    expect(body['tools']).toEqual([
      {
        type: 'function',
        function: { name: 'find', description: 'Finds', parameters: { type: 'object', properties: {} } },
      },
    ])
    expect(body['tool_choice']).toEqual({ type: 'function', function: { name: 'find' } })
  })

  test('files in a result follow all results as a user message', async () => {
    const { body } = await against(
      [{ text: 'x' }],
      {},
      {
        ...request,
        messages: [
          ...request.messages,
          {
            role: 'assistant',
            content: [
              { type: 'tool-call', toolCallId: 'a', toolName: 'shot', input: {} },
              { type: 'tool-call', toolCallId: 'b', toolName: 'list', input: {} },
            ],
          },
          {
            role: 'tool',
            content: [
              {
                type: 'tool-result',
                toolCallId: 'a',
                toolName: 'shot',
                output: {
                  type: 'content',
                  value: [
                    { type: 'text', text: 'The page' },
                    { type: 'file', mediaType: 'image/png', data: 'AAAA' },
                  ],
                },
              },
              { type: 'tool-result', toolCallId: 'b', toolName: 'list', output: { type: 'text', value: 'two' } },
            ],
          },
        ],
      },
    )
    expect((body['messages'] as JsonValue[]).slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'The page\n(a file follows below)' },
      { role: 'tool', tool_call_id: 'b', content: 'two' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Files from the result of shot:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
    ])
  })

  test('sends reasoning back under its original field, only in turns with tool calls', { tag: '@C50' }, async () => {
    const reasoning = (text: string, field: string) => ({
      type: 'reasoning' as const,
      text,
      providerOptions: { chatCompletions: { field } },
    })
    const { body } = await against(
      [{ text: 'x' }],
      {},
      {
        ...request,
        messages: [
          ...request.messages,
          {
            role: 'assistant',
            content: [reasoning('no tools here', 'reasoning_content'), { type: 'text', text: 'Hello' }],
          },
          { role: 'user', content: [{ type: 'text', text: 'Find' }] },
          {
            role: 'assistant',
            content: [reasoning('first a word', 'reasoning_content'), { type: 'text', text: 'I will look' }],
          },
          {
            role: 'assistant',
            content: [
              reasoning('I should ', 'reasoning_content'),
              reasoning('find', 'reasoning_content'),
              { type: 'tool-call', toolCallId: 'a', toolName: 'find', input: {} },
            ],
          },
          {
            role: 'tool',
            content: [
              { type: 'tool-result', toolCallId: 'a', toolName: 'find', output: { type: 'text', value: 'one' } },
            ],
          },
          { role: 'assistant', content: [reasoning('one it is', 'reasoning'), { type: 'text', text: 'One' }] },
          { role: 'user', content: [{ type: 'text', text: 'More' }] },
          {
            role: 'assistant',
            content: [
              { type: 'reasoning', text: 'of another provider', providerOptions: { other: { signature: 's' } } },
              { type: 'tool-call', toolCallId: 'b', toolName: 'find', input: {} },
            ],
          },
          {
            role: 'tool',
            content: [
              { type: 'tool-result', toolCallId: 'b', toolName: 'find', output: { type: 'text', value: 'two' } },
            ],
          },
        ],
      },
    )
    const assistants = (body['messages'] as JsonObject[]).filter((message) => message['role'] === 'assistant')
    expect(assistants.map((message) => [message['reasoning_content'], message['reasoning']])).toEqual([
      [undefined, undefined],
      ['first a word', undefined],
      ['I should find', undefined],
      [undefined, 'one it is'],
      [undefined, undefined],
    ])
    expect(assistants[2]!['content']).toBeNull()
  })

  test('omits messages of reasoning only and empty texts', async () => {
    const { body } = await against(
      [{ text: 'x' }],
      {},
      {
        ...request,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: '' },
              { type: 'text', text: 'Hi' },
            ],
          },
          { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }] },
        ],
      },
    )
    expect(body['messages']).toEqual([{ role: 'user', content: 'Hi' }])
  })

  test('rewrites foreign ids consistently and replaces invalid names', { tag: '@C53' }, async () => {
    const long = `call|fc_${'x'.repeat(450)}`
    const { body } = await against(
      [{ text: 'x' }],
      {},
      {
        ...request,
        messages: [
          ...request.messages,
          {
            role: 'assistant',
            content: [
              { type: 'tool-call', toolCallId: long, toolName: 'do it!', input: {} },
              { type: 'tool-call', toolCallId: 'chatcmpl-tool-0123456789', toolName: 'f', input: {} },
            ],
          },
          {
            role: 'tool',
            content: [
              { type: 'tool-result', toolCallId: long, toolName: 'do it!', output: { type: 'text', value: 'r' } },
              {
                type: 'tool-result',
                toolCallId: 'chatcmpl-tool-0123456789',
                toolName: 'f',
                output: { type: 'text', value: 'r' },
              },
            ],
          },
        ],
      },
    )
    const [, assistant, first, second] = body['messages'] as [
      JsonObject,
      { tool_calls: { id: string; function: { name: string } }[] },
      JsonObject,
      JsonObject,
    ]
    expect(assistant.tool_calls[0]!.id).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
    expect(first['tool_call_id']).toBe(assistant.tool_calls[0]!.id)
    expect(assistant.tool_calls[0]!.function.name).toBe('do_it_')
    expect(second['tool_call_id']).toBe('chatcmpl-tool-0123456789')
  })

  test('replaces lone surrogates and keeps whole pairs', { tag: '@C55' }, async () => {
    const { endpoint, body } = await against(
      [{ text: 'x' }],
      {},
      { ...request, messages: [{ role: 'user', content: [{ type: 'text', text: 'a\ud83d b 😀 \\ud83d' }] }] },
    )
    expect((body['messages'] as JsonObject[])[0]!['content']).toBe('a\ufffd b 😀 \\ud83d')
    expect(endpoint.requests[0]!.raw).not.toMatch(/[^\\]\\ud83d/)
  })

  test('sends the page’s headers and passes bodies without them to onRequest', async () => {
    const seen: JsonValue[] = []
    const { endpoint, body } = await against([{ text: 'x' }], {
      headers: async (reason) => ({ authorization: 'Bearer secret-token', 'x-why': reason }),
      onRequest: (value) => seen.push(value),
      onResponse: (value) => seen.push(value),
    })
    expect(endpoint.requests[0]!.headers).toMatchObject({ authorization: 'Bearer secret-token', 'x-why': 'request' })
    expect(seen[0]).toEqual(body)
    expect(seen[1]).toMatchObject({ status: 200 })
    expect((seen[1] as { events: JsonValue[] }).events).toHaveLength(4)
    expect(JSON.stringify(seen)).not.toContain('secret-token')
  })

  test('an invalid header, a relative endpoint and one with a password are invalid-option', async () => {
    const bad = await run('http://127.0.0.1:9/v1', { headers: async () => ({ authorization: 'Bearer secret\ntoken' }) })
    expect(bad.error).toMatchObject({ code: 'invalid-option' })
    expect(bad.error!.message).not.toContain('secret')
    expect((await run('http://me:pass@127.0.0.1:9/v1')).error).toMatchObject({ code: 'invalid-option' })
    const { error } = await run('/v1?key=secret')
    expect(error).toMatchObject({
      code: 'invalid-option',
      message: 'endpoint: expected an absolute URL, received "/v1"',
    })
  })
})

test.describe('answers', () => {
  test('text, reasoning, parallel calls and usage arrive', async () => {
    const { text, calls, finish, parts } = await against([
      {
        reasoning: 'Let me think',
        text: 'I look',
        calls: [
          { name: 'find', arguments: { q: 'ä long query' } },
          { name: 'list', arguments: '' },
        ],
      },
    ])
    expect({ text, calls, finish }).toEqual({
      text: 'I look',
      calls: [
        ['find', '{"q":"ä long query"}'],
        ['list', ''],
      ],
      finish: 'tool-calls',
    })
    expect(parts.at(-1)).toMatchObject({
      usage: { inputTokens: { total: expect.any(Number) }, outputTokens: { total: expect.any(Number) } },
    })
  })

  test('stream: false requests one JSON answer and gives the same parts', async () => {
    const { body, text, calls, finish, parts } = await against(
      [{ reasoning: 'Hm', text: 'I look', calls: [{ name: 'find', arguments: { q: 1 } }] }],
      { stream: false },
    )
    expect(body).toMatchObject({ stream: false })
    expect(body).not.toHaveProperty('stream_options')
    expect({ text, calls, finish }).toEqual({ text: 'I look', calls: [['find', '{"q":1}']], finish: 'tool-calls' })
    expect(parts.some((part) => part.type === 'reasoning-delta' && part.delta === 'Hm')).toBe(true)
  })

  test('accepts a JSON answer to a stream request', { tag: '@F57' }, async () => {
    const seen: JsonValue[] = []
    const { text, finish } = await against(
      [{ json: { choices: [{ message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }] } }],
      { onResponse: (value) => seen.push(value) },
    )
    expect({ text, finish }).toEqual({ text: 'Hello', finish: 'stop' })
    expect(seen).toMatchObject([{ status: 200, body: { choices: [{}] } }])
  })

  test('two calls with the same id in a whole answer are two calls', { tag: '@C05' }, async () => {
    const { parts } = await against([
      {
        json: {
          choices: [
            {
              message: {
                tool_calls: [
                  { id: 'a', function: { name: 'f', arguments: '{}' } },
                  { id: 'a', function: { name: 'f', arguments: '{}' } },
                ],
              },
              finish_reason: 'tool_calls',
            },
          ],
        },
      },
    ])
    const ids = parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
    expect(ids[0]).toBe('a')
    expect(ids[1]).toMatch(/^call_[0-9a-f]{24}$/)
  })

  test(
    'reads a stream byte by byte, with CRLF or CR, a BOM, comments, several data lines and other fields',
    { tag: ['@C19', '@F60', '@F61'] },
    async () => {
      const event = JSON.stringify({ choices: [{ index: 0, delta: { content: 'Grüße 👋🏽 日本' } }] }, null, 1).split(
        '\n',
      )
      const plain = [
        ': hello',
        '',
        'event: message',
        'id: 7',
        'retry: 10',
        ...event.map((line) => `data:${line}`),
        '',
        ':',
        ':ping',
        '',
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}`,
        '',
        'data: ',
        '',
        'data:[DONE]',
        '',
        '',
      ].join('\n')
      for (const newline of ['\n', '\r\n', '\r']) {
        const bytes = new TextEncoder().encode(`\uFEFF${plain.replaceAll('\n', newline)}`)
        const pieces = Array.from(bytes, (byte) => Uint8Array.of(byte))
        const stream = new ReadableStream<Uint8Array>({
          pull(controller) {
            const next = pieces.shift()
            if (next === undefined) controller.close()
            else controller.enqueue(next)
          },
        })
        const { text, finish } = await run('http://test/v1', { fetch: async () => new Response(stream) })
        expect({ text, finish }, JSON.stringify(newline)).toEqual({ text: 'Grüße 👋🏽 日本', finish: 'stop' })
      }
    },
  )

  test('joins a character whose bytes arrive one at a time', { tag: '@F60' }, async () => {
    const said = 'Grüße 👋🏽 日本'
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of new TextEncoder().encode(said)) controller.enqueue(Uint8Array.of(byte))
        controller.close()
      },
    })
    let text = ''
    for await (const chunk of textChunks(new Response(body), { signal: new AbortController().signal, limit: 1_000 }))
      text += chunk
    expect(text).toBe(said)
  })

  test(
    'a finish reason without [DONE] is success, also if the connection stays open or breaks after it',
    { tag: '@F47' },
    async () => {
      for (const end of ['close', 'hang', 'reset'] as const) {
        const { text, finish, calls } = await afterFirstPart(hello + openCall + stop, end)
        expect({ text, finish, calls }, end).toEqual({ text: 'Hello', finish: 'stop', calls: [['find', '{}']] })
      }
    },
  )

  test('the last event needs no blank line after it', async () => {
    const { finish } = await against([{ raw: [hello, stop.trimEnd()] }])
    expect(finish).toBe('stop')
  })

  test('[DONE] without a finish reason completes a text and cuts an open call', { tag: '@F48' }, async () => {
    expect((await against([{ raw: [hello, done] }])).finish).toBe('stop')
    const cut = await against([{ raw: [hello, openCall, done] }])
    expect(cut).toMatchObject({ error: { code: 'stream-cut' }, calls: [], text: 'Hello' })
  })

  test('ignores everything after [DONE]', async () => {
    const { text, finish } = await against([{ raw: [hello, stop, done, chunk({ content: 'more' })] }])
    expect({ text, finish }).toEqual({ text: 'Hello', finish: 'stop' })
  })

  test('reads a stream with a wrong content type', async () => {
    const { text } = await against([{ raw: [hello, stop, done], headers: { 'content-type': 'text/html' } }])
    expect(text).toBe('Hello')
  })
})

test.describe('faults of the endpoint', () => {
  test(
    'an end without a finish reason is stream-cut, with the text so far and no call',
    { tag: ['@C18', '@F46'] },
    async () => {
      const cut = await against([{ raw: [hello, openCall] }])
      expect(cut).toMatchObject({
        text: 'Hello',
        calls: [],
        finish: undefined,
        error: { code: 'stream-cut', details: { retry: false } },
      })
      expect((await against([{ raw: [] }])).error).toMatchObject({ code: 'stream-cut' })
      const inLine = await against([{ raw: [hello, openCall, stop.slice(0, 30)] }])
      expect(inLine).toMatchObject({ text: 'Hello', calls: [], error: { code: 'stream-cut' } })
    },
  )

  test('a reset during the stream is stream-cut, before the first part a network error', { tag: '@F45' }, async () => {
    expect(await afterFirstPart(hello + openCall, 'reset')).toMatchObject({
      text: 'Hello',
      calls: [],
      error: { code: 'stream-cut' },
    })
    expect((await against([{ raw: [': ping\n\n'], end: 'reset' }])).error).toMatchObject({
      code: 'network',
      details: { retry: true },
    })
  })

  test('an unreachable server is a network error that names the usual causes', async () => {
    const { error } = await against([{ refuse: true }])
    expect(error).toMatchObject({ code: 'network', details: { retry: true } })
    for (const cause of ['server is down', 'CORS', 'mixed content', 'connect-src'])
      expect(error!.message).toContain(cause)
  })

  test('does not follow redirects', async () => {
    const { error, endpoint } = await against([{ status: 307, headers: { location: '/v1/elsewhere' } }])
    expect(error).toMatchObject({ code: 'network' })
    expect(endpoint.requests).toHaveLength(1)
  })

  test('an error object in a stream with status 200 is that error', { tag: '@F58' }, async () => {
    const cut = await against([
      { raw: [hello, `data: ${JSON.stringify({ error: { message: 'boom', code: 500 } })}\n\n`, stop, done] },
    ])
    expect(cut).toMatchObject({ text: 'Hello', error: { code: 'server' } })
    expect(
      (
        await against([
          { raw: `event: error\ndata: ${JSON.stringify({ message: 'rate limit', type: 'rate_limit_exceeded' })}\n\n` },
        ])
      ).error,
    ).toMatchObject({ code: 'rate-limited' })
    expect((await against([{ json: { error: { message: 'nope', code: 404 } } }])).error).toMatchObject({
      code: 'not-found',
    })
  })

  test('a line that is not JSON is bad-response, and the text before it stays', { tag: '@F59' }, async () => {
    const bad = await against([{ raw: [hello, 'data: {"choices":[{"delta":\n\n', stop, done] }])
    expect(bad).toMatchObject({ text: 'Hello', error: { code: 'bad-response' } })
    expect(bad.error!.message).toContain('not JSON')
  })

  test('an HTML page is bad-response and named, whatever its content type', { tag: '@F56' }, async () => {
    for (const reply of [
      { html: '<!doctype html><title>Sign in</title>' },
      { raw: '\n  <html>', headers: { 'content-type': 'text/event-stream' } },
    ]) {
      const { error } = await against([reply])
      expect(error).toMatchObject({ code: 'bad-response', details: { retry: false } })
      expect(error!.message).toContain('HTML')
    }
    const gateway = await against([{ html: '<h1>Bad gateway</h1>', status: 502 }])
    expect(gateway.error).toMatchObject({ code: 'server', details: { status: 502, retry: true } })
    expect(gateway.error!.message).toContain('HTML')
  })

  test('quotes a body that is neither a stream nor a completion, as bad-response', async () => {
    for (const [reply, words] of [
      [{ raw: 'It works!' }, 'It works!'],
      [{ json: { hello: 1 } }, '{"hello":1}'],
      [{ json: { choices: [] } }, 'choices'],
      [{ json: '[1,2' }, '[1,2'],
    ] as const) {
      const { error } = await against([reply])
      expect(error).toMatchObject({ code: 'bad-response' })
      expect(error!.message).toContain(words)
    }
  })

  test('keeps the bytes within the limit if more arrive in the same read', { tag: '@F62' }, async () => {
    const all = chunk({ content: 'Half' }) + 'x'.repeat(1_000)
    const { error, text } = await run('http://127.0.0.1:9/v1', {
      limits: { responseBytes: 500 },
      fetch: async () => new Response(new Blob([all]).stream(), { headers: { 'content-type': 'text/event-stream' } }),
    })
    expect(error).toMatchObject({ code: 'bad-response' })
    expect(text).toBe('Half')
  })

  test('rejects an answer longer than responseBytes and closes the connection', { tag: '@F62' }, async () => {
    const endless: Handler = () => ({
      raw: Array.from({ length: 200 }, () => chunk({ content: 'x'.repeat(1000) })),
      end: 'hang',
    })
    const endpoint = await startEndpoint(endless)
    const { error, parts } = await run(endpoint.url, { limits: { responseBytes: 20_000 } })
    expect(error).toMatchObject({ code: 'bad-response' })
    expect(error!.message).toContain('responseBytes')
    expect(parts.length).toBeLessThan(25)
    await endpoint.requests[0]!.gone
    await endpoint.close()
  })

  test('reads one line of a megabyte and fifty thousand tiny chunks', { tag: '@F62' }, async () => {
    const line = await against([{ raw: [chunk({ content: 'y'.repeat(900_000) }), stop, done] }])
    expect(line.text.length).toBe(900_000)
    const tiny = await run('http://test/v1', {
      limits: { responseBytes: 10_000_000 },
      fetch: async () =>
        new Response(new Blob([...Array.from({ length: 50_000 }, () => chunk({ content: 'z' })), stop, done]).stream()),
    })
    expect(tiny.text.length).toBe(50_000)
  })

  test('each status has its code and tells whether a retry may help', async () => {
    const rows: [number, JsonValue, string, boolean][] = [
      [400, { error: { message: 'bad field' } }, 'bad-request', false],
      [403, { error: { message: 'no' } }, 'unauthorized', false],
      [404, { error: { message: 'The model `x` does not exist', code: 'model_not_found' } }, 'not-found', false],
      [402, { error: { message: 'Insufficient Balance' } }, 'rate-limited', false],
      [408, '', 'server', true],
      [409, { error: { message: 'Could not get a lock' } }, 'server', true],
      [409, { error: { message: 'prompt is too long' } }, 'context-overflow', false],
      [422, { detail: [{ msg: 'field required' }] }, 'bad-request', false],
      [429, { error: { message: 'Rate limit reached', code: 'rate_limit_exceeded' } }, 'rate-limited', true],
      [
        429,
        {
          error: {
            message: 'You exceeded your current quota, please check your plan and billing details.',
            type: 'insufficient_quota',
            code: 'insufficient_quota',
          },
        },
        'rate-limited',
        false,
      ],
      [429, { error: { message: 'Account suspended', type: 'exceeded_current_quota_error' } }, 'rate-limited', false],
      [
        429,
        [
          {
            error: {
              code: 429,
              status: 'RESOURCE_EXHAUSTED',
              message: 'You exceeded your current quota',
              details: [{ retryDelay: '34.5s' }],
            },
          },
        ],
        'rate-limited',
        true,
      ],
      [500, { error: { message: 'oops' } }, 'server', true],
      [502, 'bad gateway', 'server', true],
      [503, '', 'server', true],
      [529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'server', true],
      [
        400,
        { error: { message: 'Failed to call a function', code: 'tool_use_failed', failed_generation: '<f>' } },
        'bad-response',
        true,
      ],
      [413, '', 'context-overflow', false],
    ]
    for (const [status, body, code, retry] of rows) {
      const { error } = await against([{ status, body }])
      expect(error, `${status} ${JSON.stringify(body)}`).toMatchObject({ code, details: { status, retry } })
    }
    const google = await against([{ status: 429, body: rows[11]![1] }])
    expect(google.error).toMatchObject({ details: { retryAfter: 34_500 } })
  })

  test('providers’ wordings for a request that is too long are context-overflow', { tag: '@F54' }, async () => {
    const words = [
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
      'prompt is too long: 213462 tokens > 200000 maximum',
      'Your input exceeds the context window of this model',
      'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)',
      'Please reduce the length of the messages or completion.',
      'the request exceeds the available context size. try increasing the context size',
      'Input is too long for requested model',
      "This model's maximum prompt length is 131072 but the request contains 537812 tokens",
      'Your request exceeded model token limit: 131072',
      'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      'Range of input length should be [1, 30720]',
      'tokens to keep from the initial prompt is greater than the context length',
      'Prompt exceeds max length',
    ]
    for (const message of words) {
      expect((await against([{ status: 400, body: { error: { message } } }])).error, message).toMatchObject({
        code: 'context-overflow',
        details: { retry: false },
      })
    }
    expect(
      (await against([{ status: 400, body: { error: { message: 'no', code: 'context_length_exceeded' } } }])).error,
    ).toMatchObject({ code: 'context-overflow' })
  })

  test('reads Retry-After in seconds, as a date and in milliseconds', { tag: '@F51' }, async () => {
    const wait = async (headers: Record<string, string>): Promise<number> => {
      const { error } = await against([{ status: 429, body: {}, headers }])
      return (error!.details as { retryAfter: number }).retryAfter
    }
    expect(await wait({ 'retry-after': '7' })).toBe(7000)
    expect(await wait({ 'retry-after': '7', 'retry-after-ms': '1250' })).toBe(1250)
    const dated = await wait({ 'retry-after': new Date(Date.now() + 90_000).toUTCString() })
    expect(dated).toBeGreaterThan(80_000)
    expect(dated).toBeLessThanOrEqual(90_000)
    const later = new Date(Date.now() + 40_000).toUTCString()
    expect(await wait({ 'retry-after': `${later}, ${later}` })).toBeGreaterThan(30_000)
    expect(await wait({ 'retry-after': `3, ${later}` })).toBeGreaterThan(30_000)
    expect(await wait({ 'retry-after': new Date(Date.now() - 90_000).toUTCString() })).toBe(0)
    for (const [value, milliseconds] of [
      ['5, 10', 10_000],
      ['5,5', 5_000],
      ['0.4', 400],
      ['5s', 5_000],
      ['1m30s', 90_000],
      ['250ms', 250],
      ['2 minutes', 120_000],
      ['soon', undefined],
      ['soon 5', undefined],
      ['-5', undefined],
      ['Infinity', undefined],
      ['', undefined],
    ] as const)
      expect(await wait({ 'retry-after': value }), value).toBe(milliseconds)
    expect(await wait({ 'retry-after-ms': '5, 10' })).toBe(10)
    expect(await wait({ 'retry-after-ms': '-1', 'retry-after': '7' })).toBe(7_000)
    expect((await against([{ status: 503, headers: { 'retry-after': '2' } }])).error).toMatchObject({
      code: 'server',
      details: { retryAfter: 2000 },
    })
  })

  test('reads in the words of an error when to try again', { tag: '@F51' }, async () => {
    for (const [message, milliseconds] of [
      ['Rate limit reached for gpt-4 on tokens per min. Limit: 10000. Please try again in 1.2s. Visit …', 1_200],
      ['Rate limit reached. Please try again in 20ms.', 20],
      ['Please try again in 6m0s.', 360_000],
      ['Please retry after 26 seconds.', 26_000],
      ['Try again in 1 minute and 5 seconds', 65_000],
      ['Please retry in 34.074824224s.', 34_075],
      ['Try again in a moment', undefined],
      ['You may retry 3 more times', undefined],
      ['Please try again in 5 months', undefined],
    ] as const) {
      for (const reply of [
        { status: 429, body: { error: { message } } },
        { status: 503, body: { message } },
      ]) {
        const { error } = await against([reply])
        expect((error!.details as { retryAfter?: number }).retryAfter, message).toBe(milliseconds)
      }
    }
    const both = { status: 429, body: { error: { message: 'Try again in 9s' } }, headers: { 'retry-after': '2' } }
    expect((await against([both])).error).toMatchObject({ details: { retryAfter: 2_000 } })
  })

  test('requests new headers once after a 401', { tag: '@F53' }, async () => {
    const asked: string[] = []
    const headers = async (reason: string) => {
      asked.push(reason)
      return { authorization: `Bearer token-of-${reason}` }
    }
    const renewed = await against([{ status: 401 }, { text: 'Hello' }], { headers })
    expect(renewed).toMatchObject({ text: 'Hello', error: undefined })
    expect(renewed.endpoint.requests.map((one) => one.headers.authorization)).toEqual([
      'Bearer token-of-request',
      'Bearer token-of-unauthorized',
    ])
    const refused = await against(
      [
        { status: 401, body: { error: { message: 'expired' } } },
        { status: 401, body: { error: { message: 'still expired' } } },
      ],
      { headers },
    )
    expect(refused.error).toMatchObject({ code: 'unauthorized', details: { status: 401, retry: false } })
    expect(refused.error!.message).toContain('still expired')
    expect(asked).toEqual(['request', 'unauthorized', 'request', 'unauthorized'])
  })

  test('rewrites ids to nine characters for models of Mistral only', async () => {
    const asked = (model: string): ModelRequest => ({
      ...request,
      model,
      messages: [
        ...request.messages,
        {
          role: 'assistant',
          content: [
            { type: 'tool-call', toolCallId: 'call_a:1', toolName: 'find', input: { id: 'stays' } },
            { type: 'tool-call', toolCallId: 'abcdef123', toolName: 'find', input: {} },
          ],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'call_a:1', toolName: 'find', output: { type: 'text', value: 'one' } },
            { type: 'tool-result', toolCallId: 'abcdef123', toolName: 'find', output: { type: 'text', value: 'two' } },
          ],
        },
      ],
    })
    const idsFor = async (model: string): Promise<string[]> => {
      const { endpoint } = await against([{ text: 'Hi.' }], {}, asked(model))
      const [, call, ...results] = endpoint.requests[0]!.body!['messages'] as JsonObject[]
      const calls = call!['tool_calls'] as { id: string; function: JsonObject }[]
      expect(calls[0]?.function['arguments']).toBe('{"id":"stays"}')
      const ids = calls.map(({ id }) => id)
      expect(results.map((message) => message['tool_call_id'])).toEqual(ids)
      return ids
    }
    expect(await idsFor('mistral-medium-latest')).toEqual([expect.stringMatching(/^[a-z0-9]{9}$/), 'abcdef123'])
    expect(await idsFor('mistralai/Mixtral-8x7B')).toEqual([expect.stringMatching(/^[a-z0-9]{9}$/), 'abcdef123'])
    expect(await idsFor('gpt-4.1')).toEqual(['call_a:1', 'abcdef123'])
  })

  test('retries once without stream_options if the server rejects them', async () => {
    const refusal = {
      status: 422,
      body: { detail: [{ msg: 'Extra inputs are not permitted', loc: ['body', 'stream_options'] }] },
    }
    const sent: JsonValue[] = []
    const { text, endpoint } = await against([refusal, { text: 'Hello' }], { onRequest: (body) => sent.push(body) })
    expect(text).toBe('Hello')
    expect(endpoint.requests.map(({ body }) => 'stream_options' in body!)).toEqual([true, false])
    expect(sent).toEqual(endpoint.requests.map(({ body }) => body))
    expect((await against([refusal, refusal])).error).toMatchObject({ code: 'bad-request', details: { status: 422 } })
  })

  test('passes the response of a failed call to onResponse', async () => {
    const seen: JsonValue[] = []
    await against([{ status: 500, body: { error: { message: 'oops' } } }], { onResponse: (body) => seen.push(body) })
    await run('http://127.0.0.1:9/v1', {
      onResponse: (body) => seen.push(body),
      headers: async () => {
        throw new Error('no')
      },
    })
    expect(seen).toEqual([{ status: 500, body: { error: { message: 'oops' } } }])
  })

  test('a headers function that throws is unauthorized, with its message', async () => {
    const { error } = await run('http://127.0.0.1:9/v1', {
      headers: async () => {
        throw new Error('the token service is down')
      },
    })
    expect(error).toMatchObject({ code: 'unauthorized' })
    expect(error!.message).toContain('the token service is down')
  })

  test('cuts a server’s message to 500 characters and removes headers that it echoes', async () => {
    const body = {
      error: {
        message: `Wrong key sk-secret-123456 ${'long '.repeat(300)}`,
        type: 'sk-secret-123456',
        param: 'x'.repeat(2000),
      },
    }
    const { error } = await against([{ status: 403, body }], {
      headers: async () => ({ authorization: 'Bearer sk-secret-123456' }),
    })
    expect(error!.message).toContain('Wrong key …')
    expect(error!.message.length).toBeLessThan(800)
    expect(JSON.stringify([error!.message, error!.details])).not.toContain('sk-secret')
    expect(JSON.stringify(error!.details).length).toBeLessThan(800)
  })

  test('no message contains the query of the endpoint', async () => {
    const endpoint = await startEndpoint([{ status: 404 }])
    const { error } = await run(`${endpoint.url}?key=secret-key`)
    expect(error!.message).toContain('/v1/chat/completions')
    expect(error!.message).not.toContain('secret-key')
    await endpoint.close()
  })
})

test.describe('stopping', () => {
  const reason = new Error('the user stopped')

  test('an abort during the stream throws its reason and closes the connection', async () => {
    const endpoint = await startEndpoint([{ text: ['Hel', 'lo'], hold: new Promise(() => {}) }])
    const abort = new AbortController()
    const iterator = adapter(endpoint.url).stream(request, abort.signal)[Symbol.asyncIterator]()
    let part = await iterator.next()
    while (part.value?.type !== 'text-delta') part = await iterator.next()
    const next = iterator.next()
    abort.abort(reason)
    await expect(next).rejects.toBe(reason)
    await endpoint.requests[0]!.gone
    await endpoint.close()
  })

  test('an abort before the start, while headers are pending or before the first byte throws its reason', async () => {
    const endpoint = await startEndpoint([{ raw: [], end: 'hang' }])
    const abort = new AbortController()
    const first = adapter(endpoint.url).stream(request, abort.signal)[Symbol.asyncIterator]().next()
    await endpoint.received(1)
    abort.abort(reason)
    await expect(first).rejects.toBe(reason)
    await endpoint.close()
    const waiting = new AbortController()
    const held = adapter('http://127.0.0.1:9/v1', { headers: () => new Promise(() => {}) })
      .stream(request, waiting.signal)
      [Symbol.asyncIterator]()
      .next()
    waiting.abort(reason)
    await expect(held).rejects.toBe(reason)
    const asked: string[] = []
    const early = adapter('http://127.0.0.1:9/v1', {
      fetch: async () => {
        asked.push('fetch')
        return new Response()
      },
    })
    await expect(early.stream(request, AbortSignal.abort(reason))[Symbol.asyncIterator]().next()).rejects.toBe(reason)
    expect(asked).toEqual([])
  })

  test('returns no part after an abort, not even one that has arrived', async () => {
    const abort = new AbortController()
    const parts: ModelPart[] = []
    const body = hello + openCall + stop + done
    const failed = (async () => {
      for await (const part of adapter('http://test/v1', { fetch: async () => new Response(body) }).stream(
        request,
        abort.signal,
      )) {
        parts.push(part)
        if (part.type === 'text-delta') abort.abort(reason)
      }
    })()
    await expect(failed).rejects.toBe(reason)
    expect(parts.at(-1)).toMatchObject({ type: 'text-delta' })
  })

  test('closing the iterator ends the request, even during a read', async () => {
    const endpoint = await startEndpoint([{ raw: [hello], end: 'hang' }])
    const iterator = adapter(endpoint.url).stream(request, new AbortController().signal)[Symbol.asyncIterator]()
    await iterator.next()
    await iterator.next()
    const next = iterator.next().catch((error: unknown) => error)
    await iterator.return!()
    await next
    await endpoint.requests[0]!.gone
    await endpoint.close()
  })
})
