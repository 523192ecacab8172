// The adapter of the Messages API against a real server: what it sends, how it reads answers and errors, how it repeats
// refused requests, and how it stops.
import { expect, test } from 'playwright/test'
import type { JsonObject, JsonValue } from '../../../../../src/core/data/json.js'
import type { ModelRequest } from '../../../../../src/core/data/model.js'
import type { AnthropicMessagesOptions } from '../../../../../src/host/models/anthropic/index.js'
import { startEndpoint, type Handler, type ScriptItem } from '../../../../support/lab/endpoint.js'
import { runAgainst, type Ran } from '../../../../support/lab/run-model.js'
import { adapter, answerOf, type MessagesAnswer } from '../../../../support/recordings/anthropic.js'
import { plainRequest } from '../../../../support/recordings/named-events.js'

const plain = plainRequest('claude-test')

/** One run against a scripted server, closed and checked afterwards. */
async function against(
  script: readonly ScriptItem[] | Handler,
  asked: Partial<ModelRequest> = {},
  options: Partial<AnthropicMessagesOptions> = {},
): Promise<Ran & { readonly answer: MessagesAnswer }> {
  const model = (endpoint: string) => adapter({ endpoint, ...options })
  const ran = await runAgainst(script, model, { ...plain, ...asked })
  return { ...ran, answer: answerOf(ran.parts) }
}

const message = (content: readonly JsonValue[], more: JsonObject = {}): JsonObject => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-test-1',
  content,
  stop_reason: 'end_turn',
  usage: { input_tokens: 5, output_tokens: 2 },
  ...more,
})
const ok: ScriptItem = { json: message([{ type: 'text', text: 'Hello' }]) }
const refused = (text: string, type = 'invalid_request_error', status = 400): ScriptItem => ({
  status,
  body: { type: 'error', error: { type, message: text }, request_id: 'req_1' },
})
const tool = { type: 'function', name: 'find', description: 'Find', inputSchema: { type: 'object' } } as const
const mark = { cache_control: { type: 'ephemeral' } }
const start = { type: 'message_start', message: message([], { stop_reason: null }) }
const stream = (...events: readonly JsonObject[]): ScriptItem => ({
  raw: events.map((event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
})
const block = (index: number, content: JsonObject, ...deltas: readonly JsonObject[]): JsonObject[] => [
  { type: 'content_block_start', index, content_block: content },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
]
const ended = (reason: string, usage: JsonObject = { output_tokens: 7 }): JsonObject[] => [
  { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage },
  { type: 'message_stop' },
]
const call = (id: string, name: string): JsonObject => ({ type: 'tool_use', id, name, input: {} })
const json = (text: string): JsonObject => ({ type: 'input_json_delta', partial_json: text })

test.describe('requests', () => {
  test('a plain question sends model, limit and message, with the headers for browsers', async () => {
    const { body, requests } = await against([ok], {}, { headers: async () => ({ 'x-api-key': 'sk-ant-12345678' }) })
    expect(body).toEqual({
      model: 'claude-test',
      max_tokens: 32_000,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', ...mark }] }],
      stream: true,
    })
    expect(requests[0]!.path).toBe('/v1/messages')
    expect(requests[0]!.headers).toMatchObject({
      'content-type': 'application/json',
      'x-api-key': 'sk-ant-12345678',
      'anthropic-version': '2023-06-01',
      'anthropic-dangerous-direct-browser-access': 'true',
    })
  })

  test('headers of the page replace the headers of the adapter', async () => {
    const { requests } = await against([ok], {}, { headers: async () => ({ 'Anthropic-Version': '2099-01-01' }) })
    expect(requests[0]!.headers['anthropic-version']).toBe('2099-01-01')
  })

  test('system text and tools form a prefix with one cache mark', async () => {
    const { body } = await against([ok], { system: 'Be brief.', tools: [tool, { ...tool, name: 'other' }] })
    expect(body['system']).toEqual([{ type: 'text', text: 'Be brief.', ...mark }])
    expect(body['tools']).toEqual(
      ['find', 'other'].map((name) => ({ name, description: 'Find', input_schema: { type: 'object' } })),
    )
    expect(body).not.toHaveProperty('tool_choice')
    const without = await against([ok], { tools: [tool, { ...tool, name: 'other' }] })
    expect(without.body['tools']).toEqual([
      { name: 'find', description: 'Find', input_schema: { type: 'object' } },
      { name: 'other', description: 'Find', input_schema: { type: 'object' }, ...mark },
    ])
  })

  test('each tool choice has the word of the API, and none without tools', async () => {
    for (const [toolChoice, wanted] of [
      ['auto', undefined],
      ['none', { type: 'none' }],
      ['required', { type: 'any' }],
      [
        { type: 'tool', toolName: 'find' },
        { type: 'tool', name: 'find' },
      ],
    ] as const) {
      const { body } = await against([ok], { tools: [tool], toolChoice })
      expect(body['tool_choice']).toEqual(wanted)
      const without = await against([ok], { toolChoice })
      expect(Object.keys(without.body)).toEqual(['model', 'max_tokens', 'messages', 'stream'])
    }
  })

  test('an image in a percent-encoded data URL is sent in base64', async () => {
    const { body } = await against([ok], {
      messages: [
        { role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: 'data:image/png,%89PNG 100%' }] },
      ],
    })
    const data = Buffer.from('\x89PNG 100%', 'latin1').toString('base64')
    expect(JSON.stringify(body)).toContain(JSON.stringify({ type: 'base64', media_type: 'image/png', data }))
  })

  test('calls, results and files have the shapes of the API, and roles alternate', async () => {
    const { body } = await against([ok], {
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Look' }] },
        {
          role: 'user',
          content: [
            { type: 'file', mediaType: 'image/jpg', data: 'AAAA' },
            { type: 'file', mediaType: 'application/pdf', data: 'data:application/pdf;base64,JVBE', filename: 'a.pdf' },
            { type: 'file', mediaType: 'text/csv', data: 'data:text/csv,a%2Cb', filename: 'a.csv' },
            { type: 'file', mediaType: 'image/png', data: 'https://shop.example/a.png' },
            { type: 'file', mediaType: 'image/svg+xml', data: btoa('<svg/>'), filename: 'a.svg' },
            { type: 'file', mediaType: 'video/mp4', data: 'AAAA', filename: 'a.mp4' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: ' ' },
            { type: 'text', text: 'I look.' },
            { type: 'tool-call', toolCallId: 'call.1:x', toolName: 'shop.find', input: { q: 'pot' } },
            { type: 'tool-call', toolCallId: 'b', toolName: 'find', input: {} },
            { type: 'tool-call', toolCallId: 'c', toolName: 'find', input: {} },
            { type: 'tool-call', toolCallId: 'd', toolName: 'find', input: {} },
          ],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'call.1:x', toolName: 'shop.find', output: { type: 'text', value: '' } },
            { type: 'tool-result', toolCallId: 'b', toolName: 'find', output: { type: 'error-text', value: 'No' } },
            { type: 'tool-result', toolCallId: 'c', toolName: 'find', output: { type: 'error-text', value: '' } },
            {
              type: 'tool-result',
              toolCallId: 'd',
              toolName: 'find',
              output: {
                type: 'content',
                value: [
                  { type: 'text', text: 'From the page:' },
                  { type: 'file', mediaType: 'image/webp', data: 'AAAA', label: 'From the page:' },
                  { type: 'file', mediaType: 'image/gif', data: 'BBBB', label: 'From another page:' },
                ],
              },
            },
          ],
        },
        { role: 'user', content: [{ type: 'text', text: 'And now?' }] },
      ],
    })
    const messages = body['messages'] as { role: string; content: JsonObject[] }[]
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    const image = (mediaType: string, data: string) => ({
      type: 'image',
      source: { type: 'base64', media_type: mediaType, data },
    })
    expect(messages[0]!.content).toEqual([
      { type: 'text', text: 'Look' },
      image('image/jpeg', 'AAAA'),
      {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' },
        title: 'a.pdf',
      },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a,b' }, title: 'a.csv' },
      { type: 'image', source: { type: 'url', url: 'https://shop.example/a.png' } },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: '<svg/>' }, title: 'a.svg' },
      {
        type: 'text',
        text: '[A file was left out ("a.mp4", video/mp4). This model reads JPEG, PNG, GIF, WebP, PDF and text files.]',
        ...mark,
      },
    ])
    const id = String(messages[1]!.content[1]!['id'])
    expect(id).toMatch(/^call_1_x_[\da-f]{16}$/)
    expect(messages[1]!.content).toEqual([
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id, name: 'shop_find', input: { q: 'pot' } },
      { type: 'tool_use', id: 'b', name: 'find', input: {} },
      { type: 'tool_use', id: 'c', name: 'find', input: {} },
      { type: 'tool_use', id: 'd', name: 'find', input: {} },
    ])
    expect(messages[2]!.content).toEqual([
      { type: 'tool_result', tool_use_id: id },
      { type: 'tool_result', tool_use_id: 'b', content: 'No', is_error: true },
      { type: 'tool_result', tool_use_id: 'c', content: 'The call failed.', is_error: true },
      {
        type: 'tool_result',
        tool_use_id: 'd',
        content: [
          { type: 'text', text: 'From the page:' },
          image('image/webp', 'AAAA'),
          { type: 'text', text: 'From another page:' },
          image('image/gif', 'BBBB'),
        ],
      },
      { type: 'text', text: 'And now?', ...mark },
    ])
  })

  const asked = (count: number): ModelRequest['messages'] => {
    const ids = Array.from({ length: count }, (_, index) => `c${index}`)
    return [
      {
        role: 'assistant',
        content: ids.map((toolCallId) => ({ type: 'tool-call', toolCallId, toolName: 'find', input: {} })),
      },
      {
        role: 'tool',
        content: ids.map((toolCallId) => ({
          type: 'tool-result',
          toolCallId,
          toolName: 'find',
          output: { type: 'text', value: '1' },
        })),
      },
    ]
  }
  /** Indexes of the messages whose last block has a mark. */
  const markedMessages = (body: JsonObject) =>
    (body['messages'] as { content: JsonObject[] }[]).flatMap(({ content }, index) =>
      content.at(-1)?.['cache_control'] ? [index] : [],
    )

  test('the end of this request and that of the one before have a cache mark', async () => {
    const { body } = await against([ok], { system: 'Help.', messages: [...plain.messages, ...asked(1)] })
    expect((body['messages'] as JsonObject[])[2]).toEqual({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'c0', content: '1', ...mark }],
    })
    expect(markedMessages(body)).toEqual([0, 2])
    expect(body['system']).toEqual([{ type: 'text', text: 'Help.', ...mark }])
    expect(JSON.stringify(body).split('cache_control')).toHaveLength(4)
  })

  test('a step with 25 parallel calls marks the end before them, too', async () => {
    // The server looks back for 20 blocks only.
    const { body } = await against([ok], { messages: [...plain.messages, ...asked(2), ...asked(25)] })
    expect(markedMessages(body)).toEqual([2, 4])
  })

  test('there are at most four marks, with those of the author', async () => {
    const messages = [...plain.messages, ...asked(1)]
    const counts = []
    for (const own of [0, 1, 2, 3, 4]) {
      const metadata = { marks: Array.from({ length: own }, () => ({ ...mark })) }
      const { body } = await against([ok], { system: 'Help.', messages }, { body: { metadata } })
      counts.push([JSON.stringify(body).split('cache_control').length - 1, markedMessages(body)])
    }
    expect(counts).toEqual([
      [3, [0, 2]],
      [4, [0, 2]],
      [4, [0, 2]],
      [4, [2]],
      [4, []],
    ])
  })

  test('schemas become draft 2020-12 with an object and no alternatives at the root', async () => {
    const inputSchema: JsonObject = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      anyOf: [
        {
          type: 'object',
          properties: { id: { type: 'integer' }, items: { type: 'string' } },
          required: ['id', 'items'],
        },
        { type: 'object', properties: { id: { type: 'string' }, count: { type: 'number' } }, required: ['id'] },
      ],
      properties: {
        pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }], additionalItems: false },
        age: { type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
      },
      required: ['pair'],
    }
    const { body } = await against([ok], { tools: [{ ...tool, inputSchema }] })
    expect((body['tools'] as JsonObject[])[0]!['input_schema']).toEqual({
      type: 'object',
      properties: {
        pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
        age: { type: 'integer', exclusiveMinimum: 0, maximum: 9 },
        id: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
        items: { type: 'string' },
        count: { type: 'number' },
      },
      required: ['pair', 'id'],
    })
    const plain: JsonObject = {
      type: 'object',
      properties: { oneOf: { oneOf: [{ type: 'string' }, { type: 'null' }] }, id: { type: 'string', enum: ['a'] } },
      required: ['id'],
      additionalProperties: false,
    }
    const same = await against([ok], { tools: [{ ...tool, inputSchema: plain }] })
    expect((same.body['tools'] as JsonObject[])[0]!['input_schema']).toEqual(plain)
  })

  test('thinking goes back to the model that signed it, and to no other', async () => {
    const thought = (text: string, own: JsonObject) =>
      ({ type: 'reasoning', text, providerOptions: { anthropicMessages: own } }) as const
    const asked: Partial<ModelRequest> = {
      messages: [
        ...plain.messages,
        {
          role: 'assistant',
          content: [
            thought('Mine', { model: 'claude-test', signature: 'sig-1' }),
            thought('', { model: 'claude-test', redacted: 'secret-1' }),
            thought('', { model: 'claude-test', signature: 'sig-2' }),
            thought('Another model', { model: 'claude-other', signature: 'sig-3' }),
            {
              type: 'reasoning',
              text: 'Another provider',
              providerOptions: { chatCompletions: { field: 'reasoning' } },
            },
            { type: 'reasoning', text: 'Cut before its signature' },
            { type: 'text', text: 'Hello' },
          ],
        },
        { role: 'user', content: [{ type: 'text', text: 'Bye' }] },
      ],
    }
    const { body } = await against([ok], asked)
    expect((body['messages'] as JsonObject[])[1]!['content']).toEqual([
      { type: 'thinking', thinking: 'Mine', signature: 'sig-1' },
      { type: 'redacted_thinking', data: 'secret-1' },
      { type: 'thinking', thinking: '', signature: 'sig-2' },
      { type: 'text', text: 'Hello' },
    ])
  })

  test('fields of the option body are added, and manual thinking is left out if a tool is forced', async () => {
    const body = { thinking: { type: 'enabled', budget_tokens: 2000 }, max_tokens: 9000, temperature: 1 }
    expect((await against([ok], { tools: [tool] }, { body })).body).toMatchObject(body)
    const forced = await against([ok], { tools: [tool], toolChoice: 'required' }, { body })
    expect(forced.body).toMatchObject({ max_tokens: 9000, tool_choice: { type: 'any' } })
    expect(forced.body).not.toHaveProperty('thinking')
    const adaptive = { thinking: { type: 'adaptive' } }
    const both = await against([ok], { tools: [tool], toolChoice: 'required' }, { body: adaptive })
    expect(both.body).toMatchObject({ ...adaptive, tool_choice: { type: 'any' } })
  })
})

test.describe('refused requests', () => {
  test('a limit above that of the model is lowered, also for the next request', async () => {
    const text = 'max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for claude-old'
    const first = await against([refused(text), ok], { model: 'claude-old' })
    expect(first.answer.text).toBe('Hello')
    expect(first.requests.map(({ body }) => body!['max_tokens'])).toEqual([32_000, 8192])
    const second = await against([ok], { model: 'claude-old' })
    expect(second.body['max_tokens']).toBe(8192)
    const range = 'Invalid max_tokens value, the valid range of max_tokens is [1, 4000]'
    expect((await against([refused(range), ok], { model: 'deep' })).body['max_tokens']).toBe(4000)
  })

  test('a limit that does not fit into the context is lowered while enough is left for an answer', async () => {
    const over = (input: number) =>
      refused(`input length and \`max_tokens\` exceed context limit: ${input} + 32000 > 200000, decrease it`)
    const { body, answer } = await against([over(190_000), ok])
    expect([body['max_tokens'], answer.text]).toEqual([10_000, 'Hello'])
    const full = await against([over(198_000)])
    expect(full.error).toMatchObject({ code: 'context-overflow' })
    expect((await against([ok])).body['max_tokens']).toBe(32_000)
  })

  test('refused thinking blocks are left out, and nothing else', async () => {
    const own = { anthropicMessages: { model: 'claude-test', signature: 'old' } }
    const asked: Partial<ModelRequest> = {
      messages: [
        ...plain.messages,
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'Hm', providerOptions: own },
            { type: 'text', text: 'Hello' },
          ],
        },
        ...plain.messages,
      ],
    }
    const invalid = refused('messages.1.content.0: Invalid `signature` in `thinking` block')
    const { requests, answer } = await against([invalid, ok], asked)
    expect(answer.text).toBe('Hello')
    expect((requests[0]!.body!['messages'] as JsonObject[])[1]!['content']).toHaveLength(2)
    expect((requests[1]!.body!['messages'] as JsonObject[])[1]!['content']).toEqual([{ type: 'text', text: 'Hello' }])
    // Without thinking blocks the same refusal is final.
    expect((await against([invalid])).error).toMatchObject({ code: 'bad-request' })
  })

  test('thinking is switched off if the calls of the turn have none, because another model made them', async () => {
    const text = 'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.'
    const { body, answer } = await against([refused(text), ok], {}, { body: { thinking: { type: 'enabled' } } })
    expect(answer.text).toBe('Hello')
    expect(body).not.toHaveProperty('thinking')
  })

  test('cache marks are left out for a server that does not know them', async () => {
    const text = 'system.0.cache_control: Extra inputs are not permitted'
    const { body, answer } = await against([refused(text), ok], { system: 'Be brief.' })
    expect(answer.text).toBe('Hello')
    expect(body['system']).toEqual([{ type: 'text', text: 'Be brief.' }])
  })
})

test.describe('answers', () => {
  test('thinking, text and parallel calls arrive as parts, and calls only at the end', async () => {
    const { parts } = await against([
      stream(
        start,
        ...block(
          0,
          { type: 'thinking', thinking: '', signature: '' },
          { type: 'thinking_delta', thinking: 'Hm' },
          {
            type: 'signature_delta',
            signature: 'sig',
          },
        ),
        ...block(1, { type: 'redacted_thinking', data: 'secret' }),
        ...block(2, { type: 'text', text: '' }, { type: 'text_delta', text: 'I look.' }),
        { type: 'content_block_start', index: 3, content_block: call('toolu_a', 'find') },
        { type: 'content_block_start', index: 4, content_block: call('toolu_b', 'open') },
        { type: 'content_block_delta', index: 4, delta: json('{"id":') },
        { type: 'ping' },
        { type: 'content_block_delta', index: 3, delta: json('{"q":"a"}') },
        { type: 'content_block_delta', index: 4, delta: json('2}') },
        { type: 'content_block_stop', index: 3 },
        { type: 'content_block_stop', index: 4 },
        ...block(5, call('toolu_c', 'list'), json('')),
        ...ended('tool_use', {
          input_tokens: 10,
          cache_read_input_tokens: 100,
          cache_creation_input_tokens: 20,
          output_tokens: 30,
          output_tokens_details: { thinking_tokens: 12 },
        }),
      ),
    ])
    const own = (fields: JsonObject) => ({ anthropicMessages: { model: 'claude-test', ...fields } })
    expect(parts.filter(({ type }) => !type.startsWith('tool-input'))).toEqual([
      { type: 'response-metadata', id: 'msg_1', modelId: 'claude-test-1' },
      { type: 'reasoning-start', id: 'reasoning-0' },
      { type: 'reasoning-delta', id: 'reasoning-0', delta: 'Hm' },
      { type: 'reasoning-end', id: 'reasoning-0', providerMetadata: own({ signature: 'sig' }) },
      { type: 'reasoning-start', id: 'reasoning-1' },
      { type: 'reasoning-end', id: 'reasoning-1', providerMetadata: own({ redacted: 'secret' }) },
      { type: 'text-delta', id: 'text-2', delta: 'I look.' },
      { type: 'text-end', id: 'text-2' },
      { type: 'tool-call', toolCallId: 'toolu_a', toolName: 'find', input: '{"q":"a"}' },
      { type: 'tool-call', toolCallId: 'toolu_b', toolName: 'open', input: '{"id":2}' },
      { type: 'tool-call', toolCallId: 'toolu_c', toolName: 'list', input: '{}' },
      {
        type: 'finish',
        finishReason: { unified: 'tool-calls', raw: 'tool_use' },
        usage: {
          inputTokens: { total: 130, cacheRead: 100, cacheWrite: 20 },
          outputTokens: { total: 30, reasoning: 12 },
        },
      },
    ])
    const shown = parts.flatMap((part) =>
      'delta' in part && part.type === 'tool-input-delta' ? [part.id + part.delta] : [],
    )
    expect(shown.join(' ')).toContain('toolu_b{"id":')
  })

  test('each stop reason has its meaning', async () => {
    for (const [raw, unified] of [
      ['end_turn', 'stop'],
      ['stop_sequence', 'stop'],
      ['pause_turn', 'stop'],
      ['tool_use', 'tool-calls'],
      ['max_tokens', 'length'],
      ['model_context_window_exceeded', 'length'],
      ['refusal', 'content-filter'],
      ['something_new', 'other'],
    ]) {
      const { parts } = await against([stream(start, ...block(0, { type: 'text', text: 'Hi' }), ...ended(raw!))])
      expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified, raw } })
    }
  })

  test('nothing counts after the end of the answer', async () => {
    const first = [start, ...block(0, { type: 'text', text: 'Hi' }), ...ended('end_turn')]
    const second = [
      { ...start, message: message([], { id: 'msg_2' }) },
      ...block(0, call('a', 'x')),
      ...ended('tool_use'),
    ]
    const { answer, error } = await against([stream(...first, ...second)])
    expect(error).toBeUndefined()
    expect(answer).toMatchObject({ text: 'Hi', calls: [], finish: 'stop' })
  })

  test('missing and repeated ids of calls are replaced, and a missing name is named', async () => {
    const { parts } = await against(
      [
        stream(
          start,
          ...block(0, call('a', 'x')),
          ...block(1, call('a', 'y')),
          ...block(2, call('', '')),
          ...ended('tool_use'),
        ),
      ],
      {},
      {
        newId: (
          (made) => () =>
            `made-${made++}`
        )(1),
      },
    )
    const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [[part.toolCallId, part.toolName]] : []))
    expect(calls).toEqual([
      ['a', 'x'],
      ['made-1', 'y'],
      ['made-2', 'missing_name'],
    ])
  })

  test('a whole answer with calls arrives as the same parts', async () => {
    const content = [
      { type: 'thinking', thinking: 'Hm', signature: 'sig' },
      { type: 'tool_use', id: 'a', name: 'find', input: { q: 'ä' } },
    ]
    const { answer } = await against([{ json: message(content, { stop_reason: 'tool_use' }) }], {}, { stream: false })
    expect(answer).toEqual({
      text: '',
      reasoning: 'Hm',
      thinking: [{ thinking: 'Hm', signature: 'sig' }],
      calls: [['find', { q: 'ä' }]],
      finish: 'tool-calls',
      raw: 'tool_use',
      usage: { inputTokens: { total: 5 }, outputTokens: { total: 2 } },
    })
  })

  test('a stream without a stop reason is cut, except after its last event without calls', async () => {
    const text = block(0, { type: 'text', text: 'Hi' })
    const noReason: JsonObject = { type: 'message_delta', delta: { stop_reason: null }, usage: { output_tokens: 1 } }
    expect((await against([stream(start, ...text, noReason)])).error).toMatchObject({ code: 'stream-cut' })
    const complete = await against([stream(start, ...text, noReason, { type: 'message_stop' })])
    expect(complete.answer).toMatchObject({ text: 'Hi', finish: 'stop' })
    const cut = await against([stream(start, ...block(0, call('a', 'x'), json('{}')), { type: 'message_stop' })])
    expect(cut.error).toMatchObject({ code: 'stream-cut' })
    expect(cut.answer.calls).toEqual([])
  })
})

test.describe('errors', () => {
  test('a status has its code, and names whether a retry can help', async () => {
    for (const [status, type, text, code, retry] of [
      [400, 'invalid_request_error', 'messages: at least one message is required', 'bad-request', false],
      [400, 'invalid_request_error', 'prompt is too long: 208310 tokens > 200000 maximum', 'context-overflow', false],
      [403, 'permission_error', 'Your key may not use this model', 'unauthorized', false],
      [404, 'not_found_error', 'model: claude-nine', 'not-found', false],
      [413, 'request_too_large', 'Request exceeds the maximum size', 'context-overflow', false],
      [429, 'rate_limit_error', 'Number of request tokens has exceeded your rate limit', 'rate-limited', true],
      [500, 'api_error', 'Internal server error', 'server', true],
      [529, 'overloaded_error', 'Overloaded', 'server', true],
    ] as const) {
      const { error } = await against([refused(text, type, status)])
      expect(error, text).toMatchObject({ code, details: { status, retry }, message: expect.stringContaining(text) })
    }
  })

  test('a 401 asks the page for new headers once', async () => {
    const wrong = refused('invalid x-api-key', 'authentication_error', 401)
    const reasons: string[] = []
    const headers = async (reason: string) => {
      reasons.push(reason)
      return { 'x-api-key': `key-${reason}` }
    }
    const { error, requests } = await against([wrong, wrong], {}, { headers })
    expect(error).toMatchObject({ code: 'unauthorized' })
    expect(error!.message).not.toContain('key-unauthorized')
    expect(reasons).toEqual(['request', 'unauthorized'])
    expect(requests.map((one) => one.headers['x-api-key'])).toEqual(['key-request', 'key-unauthorized'])
  })

  test('the time to wait comes with a rate limit', async () => {
    const body = { type: 'error', error: { type: 'rate_limit_error', message: 'Slow down' } }
    const { error } = await against([{ status: 429, body, headers: { 'retry-after': '7' } }])
    expect(error).toMatchObject({ code: 'rate-limited', details: { retry: true, retryAfter: 7000 } })
  })

  test('an error in the stream has the code of its type, and no call is returned', async () => {
    for (const [type, code, retry] of [
      ['overloaded_error', 'server', true],
      ['api_error', 'server', true],
      ['rate_limit_error', 'rate-limited', true],
      ['authentication_error', 'unauthorized', false],
      ['invalid_request_error', 'bad-request', false],
    ] as const) {
      const { error, answer } = await against([
        stream(start, ...block(0, call('a', 'x'), json('{}')), { type: 'error', error: { type, message: 'No luck' } }),
      ])
      expect(error, type).toMatchObject({ code, details: { retry }, message: expect.stringContaining('No luck') })
      expect(answer.calls).toEqual([])
    }
  })

  test('an error with status 200 and the answer of another protocol are recognized', async () => {
    const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
    expect((await against([{ json: overloaded }])).error).toMatchObject({ code: 'server' })
    const chat = { choices: [{ index: 0, delta: { content: 'Hi' }, message: { content: 'Hi' } }] }
    for (const reply of [{ json: chat }, { sse: [chat] }]) {
      const { error } = await against([reply])
      expect(error).toMatchObject({ code: 'bad-response', details: { protocol: 'OpenAI chat completions' } })
    }
    expect((await against([{ json: { hello: 1 } }])).error!.message).toContain('Expected a message')
  })

  test('an abort ends the iteration and the request', async () => {
    const endpoint = await startEndpoint([
      {
        raw: [
          `data: ${JSON.stringify(start)}\n\n`,
          `data: ${JSON.stringify(block(0, { type: 'text', text: 'Hi' })[0])}\n\n`,
        ],
        end: 'hang',
      },
    ])
    const controller = new AbortController()
    const texts: string[] = []
    const reading = (async () => {
      for await (const part of adapter({ endpoint: endpoint.url }).stream(plain, controller.signal)) {
        if (part.type !== 'text-delta') continue
        texts.push(part.delta)
        controller.abort(new Error('stopped'))
      }
    })()
    await expect(reading).rejects.toThrow('stopped')
    expect(texts).toEqual(['Hi'])
    await endpoint.requests[0]!.gone
    await endpoint.close()
  })
})
