// The adapter of the Responses API against a real server: what it sends, how it reads answers and errors, how it repeats
// refused requests, and how it stops.
import { expect, test } from 'playwright/test'
import type { JsonObject, JsonValue } from '../../../../../src/core/data/json.js'
import type { ModelPart, ModelRequest, PromptMessage } from '../../../../../src/core/data/model.js'
import type { OpenAIResponsesOptions } from '../../../../../src/host/models/openai-responses/index.js'
import { startEndpoint, type Handler, type ScriptItem } from '../../../../support/lab/endpoint.js'
import { runAgainst, type Ran } from '../../../../support/lab/run-model.js'
import { adapter, answerOf, type ResponsesAnswer } from '../../../../support/recordings/openai-responses.js'
import { plainRequest } from '../../../../support/recordings/named-events.js'

const plain = plainRequest('gpt-test')

/** One run against a scripted server, closed and checked afterwards. */
async function against(
  script: readonly ScriptItem[] | Handler,
  asked: Partial<ModelRequest> = {},
  options: Partial<OpenAIResponsesOptions> = {},
): Promise<Ran & { readonly answer: ResponsesAnswer }> {
  const model = (endpoint: string) => adapter({ endpoint, ...options })
  const ran = await runAgainst(script, model, { ...plain, ...asked })
  return { ...ran, answer: answerOf(ran.parts) }
}

const response = (output: readonly JsonValue[], more: JsonObject = {}): JsonObject => ({
  id: 'resp_1',
  object: 'response',
  model: 'gpt-test-1',
  status: 'completed',
  output,
  usage: { input_tokens: 5, output_tokens: 2 },
  ...more,
})
const says = (text: string, more: JsonObject = {}): JsonObject => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
  ...more,
})
const call = (callId: string, name: string, args = '{}'): JsonObject => ({
  type: 'function_call',
  id: `fc_${callId}`,
  call_id: callId,
  name,
  arguments: args,
  status: 'completed',
})
const thought: JsonObject = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [
    { type: 'summary_text', text: 'First.' },
    { type: 'summary_text', text: 'Second.' },
  ],
  encrypted_content: 'gAAAA-secret',
}
const ok: ScriptItem = { json: response([says('Hello')]) }
const refused = (message: string, more: JsonObject = {}, status = 400): ScriptItem => ({
  status,
  body: { error: { message, type: 'invalid_request_error', param: null, code: null, ...more } },
})
const tool = { type: 'function', name: 'find', description: 'Find', inputSchema: { type: 'object' } } as const
const stream = (...events: readonly JsonObject[]): ScriptItem => ({
  raw: events.map((event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
})
const created: JsonObject = { type: 'response.created', response: response([], { status: 'in_progress', usage: null }) }
const completed: JsonObject = { type: 'response.completed', response: response([]) }
const added = (output_index: number, item: JsonObject): JsonObject => ({
  type: 'response.output_item.added',
  output_index,
  item,
})
const done = (output_index: number, item: JsonObject): JsonObject => ({
  type: 'response.output_item.done',
  output_index,
  item,
})
const typeOf = ({ type }: JsonObject): string => String(type)
const user: PromptMessage = { role: 'user', content: [{ type: 'text', text: 'Hi' }] }

/** The conversation after an answer, as the session stores it: calls after the texts. */
function historyOf(parts: readonly ModelPart[]): PromptMessage[] {
  const texts = new Map<string, { type: 'text' | 'reasoning'; text: string; providerOptions?: JsonObject }>()
  const calls: Extract<ModelPart, { type: 'tool-call' }>[] = []
  for (const part of parts) {
    if (part.type === 'tool-call') calls.push(part)
    if (!/^(text|reasoning)-/.test(part.type) || !('id' in part)) continue
    const type = part.type.startsWith('text') ? 'text' : 'reasoning'
    const before = texts.get(part.id!) ?? { type, text: '' }
    const metadata = 'providerMetadata' in part ? part.providerMetadata : undefined
    texts.set(part.id!, {
      ...before,
      text: before.text + ('delta' in part ? part.delta : ''),
      ...(metadata ? { providerOptions: metadata } : {}),
    })
  }
  const results = calls.map(({ toolCallId, toolName }) => ({
    type: 'tool-result' as const,
    toolCallId,
    toolName,
    output: { type: 'text' as const, value: 'found' },
  }))
  return [
    user,
    {
      role: 'assistant',
      content: [
        ...texts.values(),
        ...calls.map(({ toolCallId, toolName, input, providerMetadata }) => ({
          type: 'tool-call' as const,
          toolCallId,
          toolName,
          input: JSON.parse(input || '{}') as JsonValue,
          ...(providerMetadata ? { providerOptions: providerMetadata } : {}),
        })),
      ],
    },
    ...(results.length > 0 ? [{ role: 'tool', content: results } as const] : [user]),
  ]
}

test.describe('requests', () => {
  test('a plain question asks for encrypted reasoning and stores nothing on the server', async () => {
    const { body, requests } = await against([ok], { system: 'Be brief.' }, { headers: async () => ({ a: 'b' }) })
    expect(body).toEqual({
      model: 'gpt-test',
      input: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
      ],
      store: false,
      include: ['reasoning.encrypted_content'],
      stream: true,
    })
    expect(requests[0]!.path).toBe('/v1/responses')
    expect(requests[0]!.headers).toMatchObject({ 'content-type': 'application/json', a: 'b' })
  })

  test('models that reason are asked for a summary, others are not', async () => {
    for (const [model, isAsked] of [
      ['gpt-5.1', true],
      ['openai/o4-mini', true],
      ['gpt-5-chat-latest', false],
      ['gpt-4.1', false],
      ['grok-4', false],
    ] as const) {
      const { body } = await against([ok], { model })
      expect(body['reasoning'], model).toEqual(isAsked ? { summary: 'auto' } : undefined)
    }
  })

  test('fields of the page replace those of the adapter', async () => {
    const { body } = await against([ok], { model: 'gpt-5' }, { body: { reasoning: { effort: 'low' }, store: true } })
    expect(body).toMatchObject({ reasoning: { effort: 'low' }, store: true })
  })

  test('tools are not strict, and each tool choice has the word of the API', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } }, anyOf: [{ required: ['a'] }] } as const
    for (const [toolChoice, wanted] of [
      ['auto', undefined],
      ['none', 'none'],
      ['required', 'required'],
      [
        { type: 'tool', toolName: 'find' },
        { type: 'function', name: 'find' },
      ],
    ] as const) {
      const { body } = await against([ok], { tools: [{ ...tool, inputSchema: schema }], toolChoice })
      expect(body['tool_choice']).toEqual(wanted)
      // The API refuses alternatives at the root of a schema.
      const parameters = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
      expect(body['tools']).toEqual([
        { type: 'function', name: 'find', description: 'Find', parameters, strict: false },
      ])
      expect((await against([ok], { toolChoice })).body).not.toHaveProperty('tool_choice')
    }
  })

  test('files have the shapes of the API, and a file that it cannot read is a note', async () => {
    const file = (mediaType: string, data: string, filename?: string) =>
      ({ type: 'file', mediaType, data, ...(filename ? { filename } : {}) }) as const
    const { body } = await against([ok], {
      messages: [
        {
          role: 'user',
          content: [
            file('image/jpg', 'AAAA'),
            file('image/png', 'data:image/png,%89PNG 100%'),
            file('image/webp', 'https://shop.example/a.webp'),
            file('application/pdf', 'data:application/pdf;base64,JVBE', 'a.pdf'),
            file('text/plain', 'QQ=='),
            file('application/pdf', 'https://shop.example/a.pdf'),
            file('image/svg+xml', 'AAAA', 'a.svg'),
            file('text/csv', ''),
          ],
        },
      ],
    })
    expect(body['input']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'input_image', image_url: 'data:image/jpeg;base64,AAAA' },
          { type: 'input_image', image_url: `data:image/png;base64,${btoa('\x89PNG 100%')}` },
          { type: 'input_image', image_url: 'https://shop.example/a.webp' },
          { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBE' },
          { type: 'input_file', filename: 'file.txt', file_data: 'data:text/plain;base64,QQ==' },
          { type: 'input_file', file_url: 'https://shop.example/a.pdf' },
          { type: 'input_text', text: expect.stringContaining('A file was left out ("a.svg", image/svg+xml)') },
          { type: 'input_text', text: expect.stringContaining('It is empty.') },
        ],
      },
    ])
  })

  test('calls and results of other protocols are plain items, with ids that the API accepts', async () => {
    const id = 'call|x'.repeat(20)
    const { body } = await against([ok], {
      messages: [
        user,
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'Hm', providerOptions: { anthropicMessages: { model: 'm', signature: 's' } } },
            { type: 'text', text: 'I look.', providerOptions: { generateContent: { signature: 's' } } },
            { type: 'tool-call', toolCallId: id, toolName: 'find it', input: { a: 1 } },
          ],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: id, toolName: 'find it', output: { type: 'error-text', value: 'No' } },
          ],
        },
      ],
    })
    const [, text, item, result] = body['input'] as JsonObject[]
    expect(text).toEqual({ role: 'assistant', content: 'I look.' })
    expect(item).toEqual({ type: 'function_call', call_id: result!['call_id'], name: 'find_it', arguments: '{"a":1}' })
    expect(String(item!['call_id'])).toMatch(/^[\w-]{1,64}$/)
    expect(result).toMatchObject({ type: 'function_call_output', output: 'No' })
  })

  const image = { type: 'file', mediaType: 'image/png', data: 'AAAA', label: 'Untrusted:' } as const
  const withImage: readonly PromptMessage[] = [
    user,
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: {} }] },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'c1',
          toolName: 'look',
          output: { type: 'content', value: [{ type: 'text', text: 'Here' }, image] },
        },
      ],
    },
  ]

  test('an image in a result stays in the result, after its label', async () => {
    const { body } = await against([ok], { messages: withImage })
    expect((body['input'] as JsonObject[]).at(-1)).toEqual({
      type: 'function_call_output',
      call_id: 'c1',
      output: [
        { type: 'input_text', text: 'Here' },
        { type: 'input_text', text: 'Untrusted:' },
        { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
      ],
    })
  })

  test('a server that accepts only text as a result gets the files in a message', async () => {
    const { requests, answer } = await against(
      [refused("Invalid type for 'input[2].output': expected a string, but got an array instead."), ok],
      { messages: withImage },
    )
    expect(answer.text).toBe('Hello')
    expect((requests[1]!.body!['input'] as JsonObject[]).slice(2)).toEqual([
      { type: 'function_call_output', call_id: 'c1', output: 'Here\nUntrusted:\n(files follow below)' },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Files from the result of c1:' },
          { type: 'input_text', text: 'Untrusted:' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
        ],
      },
    ])
  })

  test('a field that a server refuses is left out of this and of later requests for the model', async () => {
    const model = 'gpt-5-without-extras'
    const { requests } = await against(
      [
        refused('Encrypted content is not supported with this model.', { param: 'include' }),
        refused('Your organization must be verified to generate reasoning summaries.', {
          param: 'reasoning.summary',
        }),
        ok,
      ],
      { model },
    )
    const fields = requests.map(({ body }) => ['include', 'reasoning'].filter((name) => name in body!))
    expect(fields).toEqual([['include', 'reasoning'], ['reasoning'], []])
    const later = await against([ok], { model })
    expect(later.body).not.toHaveProperty('include')
    expect(later.body).not.toHaveProperty('reasoning')
    expect((await against([ok], { model: 'gpt-5-other' })).body).toHaveProperty('include')
    // A value of the page is not removed.
    const own = await against(
      [refused("Unsupported parameter: 'reasoning.effort'")],
      { model: 'gpt-5-own' },
      {
        body: { reasoning: { effort: 'minimal' } },
      },
    )
    expect(own.error).toMatchObject({ code: 'bad-request' })
  })
})

test.describe('items', () => {
  const plan = [
    thought,
    says('I look.', { phase: 'commentary', status: 'completed' }),
    call('call_a', 'find', '{"q":"a"}'),
    { ...thought, id: 'rs_2', summary: [] },
    call('call_b', 'find', '{"q":"b"}'),
  ]

  const delta = (kind: string, text: string, more: JsonObject): JsonObject => ({
    type: `response.${kind}.delta`,
    delta: text,
    ...more,
  })
  const whole = (kind: string, more: JsonObject): JsonObject => ({ type: `response.${kind}.done`, ...more })
  const text = (said: string, more: JsonObject = {}) => delta('output_text', said, more)
  const args = (json: string, more: JsonObject = {}) => delta('function_call_arguments', json, more)
  const openCall = (id: string, callId: string): JsonObject => ({
    type: 'function_call',
    id,
    call_id: callId,
    name: 'find',
    arguments: '',
  })
  const noPlace = ({ output_index: _place, ...event }: JsonObject): JsonObject => event
  const placements: Readonly<Record<string, readonly JsonObject[]>> = {
    'a text that was not announced': [text('o', { output_index: 0, item_id: 'm' }), text('k', { output_index: 0 })],
    'a text with an id alone, not announced': [text('o', { item_id: 'm' }), text('k', { item_id: 'm' })],
    'a text with nothing but its words': [text('o'), text('k')],
    'only the end of a text': [whole('output_text', { item_id: 'm', output_index: 0, text: 'ok' })],
    'only the end of a content part': [
      whole('content_part', { item_id: 'm', part: { type: 'output_text', text: 'ok' } }),
    ],
    'a content part in place of the item': [
      { type: 'response.content_part.added', item_id: 'm', output_index: 0, part: { type: 'output_text', text: '' } },
      text('ok', { item_id: 'm', output_index: 0 }),
    ],
    'announced with a place, written with an id': [
      added(0, says('', { id: 'm', content: [] })),
      text('ok', { item_id: 'm' }),
    ],
    'announced with an id, written with a place': [
      noPlace(added(0, says('', { id: 'm', content: [] }))),
      text('ok', { output_index: 0 }),
    ],
    'ids that change, without places': [
      noPlace(added(0, says('', { id: 'm', content: [] }))),
      text('ok', { item_id: 'other' }),
    ],
    'reasoning and text at one place': [
      added(0, { type: 'reasoning', id: 'rs', summary: [] }),
      delta('reasoning_summary_text', 'Hm.', { output_index: 0, item_id: 'rs' }),
      text('ok', { output_index: 0, item_id: 'm' }),
    ],
    'an item that is done before its text': [
      added(0, says('', { id: 'm', content: [] })),
      done(0, says('', { id: 'm', content: [] })),
      text('ok', { output_index: 0, item_id: 'm' }),
    ],
  }
  for (const [name, events] of Object.entries(placements))
    test(`the text is shown: ${name}`, async () => {
      const end = { type: 'response.completed', response: response([]) }
      expect((await against([stream(created, ...events, end)])).answer).toMatchObject({ text: 'ok', finish: 'stop' })
    })

  const callPlacements: Readonly<Record<string, readonly JsonObject[]>> = {
    'the id of the call in place of that of its item': [
      noPlace(added(0, openCall('fc_1', 'call_1'))),
      args('{"q":', { call_id: 'call_1' }),
      args('"a"}', { call_id: 'call_1' }),
    ],
    'two calls with an item id alone, in turns': [
      noPlace(added(0, openCall('fc_1', 'call_1'))),
      noPlace(added(1, openCall('fc_2', 'call_2'))),
      args('{"q":', { item_id: 'fc_1' }),
      args('{}', { item_id: 'fc_2' }),
      args('"a"}', { item_id: 'fc_1' }),
    ],
    'a call that only its end names': [
      whole('function_call_arguments', { item_id: 'fc_1', call_id: 'call_1', name: 'find', arguments: '{"q":"a"}' }),
    ],
    'arguments before the name': [
      args('{"q":"a"}', { item_id: 'fc_1' }),
      noPlace(done(0, { ...openCall('fc_1', 'call_1'), arguments: '{"q":"a"}' })),
    ],
    'all items at one place': [
      added(0, says('', { id: 'm', content: [] })),
      text('ok', { output_index: 0 }),
      added(0, openCall('fc_1', 'call_1')),
      args('{"q":"a"}', { output_index: 0, item_id: 'fc_1' }),
    ],
  }
  for (const [name, events] of Object.entries(callPlacements))
    test(`the call runs: ${name}`, async () => {
      const end = { type: 'response.completed', response: response([]) }
      const { answer } = await against([stream(created, ...events, end)])
      expect(answer.calls[0]).toEqual(['find', { q: 'a' }])
      expect(answer.finish).toBe('tool-calls')
    })

  test('what the last event adds to the items of the stream is read', async () => {
    const end = { type: 'response.completed', response: response([says('ok'), call('call_1', 'find', '{"q":"a"}')]) }
    const { answer } = await against([stream(created, text('ok', { item_id: 'msg_1' }), end)])
    expect(answer).toMatchObject({ text: 'ok', calls: [['find', { q: 'a' }]] })
  })

  test('arguments that fit no call are an error, not nothing', async () => {
    const calls = ['1', '2'].map((id) => noPlace(added(0, openCall(`fc_${id}`, `call_${id}`))))
    const { error } = await against([stream(created, ...calls, args('{}', { item_id: 'fc_3' }), completed)])
    expect(error).toMatchObject({ code: 'bad-response', message: expect.stringContaining('fc_3') })
  })

  test('an answer goes back as the items that the server sent, in their order', async () => {
    const { parts, answer } = await against([{ json: response(plan) }])
    expect(answer.reasoning).toBe('First.\n\nSecond.')
    expect(answer.calls).toEqual([
      ['find', { q: 'a' }],
      ['find', { q: 'b' }],
    ])
    const { body } = await against([ok], { messages: historyOf(parts) })
    expect((body['input'] as JsonObject[]).slice(1, 6)).toEqual(plan)
  })

  test('another model gets the texts and calls without reasoning and ids', async () => {
    const { parts } = await against([{ json: response(plan) }])
    const { body } = await against([ok], { messages: historyOf(parts), model: 'gpt-other' })
    expect((body['input'] as JsonObject[]).slice(1, 4)).toEqual([
      { role: 'assistant', content: 'I look.' },
      { type: 'function_call', call_id: 'call_a', name: 'find', arguments: '{"q":"a"}' },
      { type: 'function_call', call_id: 'call_b', name: 'find', arguments: '{"q":"b"}' },
    ])
    expect(JSON.stringify(body)).not.toContain('secret')
  })

  test('a server that refuses the items gets them without reasoning and ids', async () => {
    const { parts } = await against([{ json: response(plan) }])
    const { requests, answer } = await against(
      [refused('The encrypted content gAAA could not be verified.', { code: 'invalid_encrypted_content' }), ok],
      { messages: historyOf(parts) },
    )
    expect(answer.text).toBe('Hello')
    const input = requests[1]!.body!['input'] as JsonObject[]
    expect(input.map(({ type }) => type)).toEqual([
      undefined,
      'message',
      'function_call',
      'function_call',
      'function_call_output',
      'function_call_output',
    ])
    expect(input.filter((item) => 'id' in item || 'phase' in item)).toEqual([])
    expect(requests[1]!.body).toHaveProperty('include')
  })

  test('reasoning without an item after it is left out, as after a stop', async () => {
    const { parts } = await against([{ json: response([thought, says('Hello')]) }])
    const [first, answer, last] = historyOf(parts) as [PromptMessage, PromptMessage, PromptMessage]
    const cut = { role: 'assistant', content: [answer.content[0], { type: 'text', text: 'Hel' }] } as PromptMessage
    const { body } = await against([ok], { messages: [first, cut, last] })
    expect((body['input'] as JsonObject[])[1]).toEqual({ role: 'assistant', content: 'Hel' })
  })

  test('reasoning that the server sends as text goes back as text', async () => {
    const item = { type: 'reasoning', id: 'rs_9', summary: [], content: [{ type: 'reasoning_text', text: 'Hm.' }] }
    const { parts, answer } = await against([
      stream(
        created,
        added(0, { type: 'reasoning', id: 'rs_9', summary: [], content: [] }),
        { type: 'response.reasoning_text.delta', output_index: 0, content_index: 0, delta: 'Hm' },
        { type: 'response.reasoning_text.delta', output_index: 0, content_index: 0, delta: '.' },
        done(0, { ...item, status: 'completed' }),
        done(1, says('Hello')),
        completed,
      ),
    ])
    expect(answer).toMatchObject({ reasoning: 'Hm.', text: 'Hello', items: [item] })
    const { body } = await against([ok], { messages: historyOf(parts) })
    expect((body['input'] as JsonObject[])[1]).toEqual(item)
  })

  test('deltas without an index are one part, and another index begins a new paragraph', async () => {
    const delta = (text: string, more: JsonObject = {}): JsonObject => ({
      type: 'response.reasoning_summary_text.delta',
      output_index: 0,
      delta: text,
      ...more,
    })
    const { answer } = await against([
      stream(
        created,
        added(0, { ...thought, summary: [] }),
        delta('Fir'),
        delta('st.'),
        delta('Second.', { summary_index: 1 }),
        done(0, thought),
        done(1, says('Hello')),
        completed,
      ),
    ])
    expect(answer.reasoning).toBe('First.\n\nSecond.')
  })

  test('a reasoning item without content is not stored, because the server does not keep it either', async () => {
    const { encrypted_content: _secret, ...bare } = thought
    const { parts, answer } = await against([{ json: response([bare, says('Hello')]) }])
    expect(answer).toMatchObject({ reasoning: 'First.\n\nSecond.', items: [] })
    const { body } = await against([ok], { messages: historyOf(parts) })
    expect((body['input'] as JsonObject[])[1]).toMatchObject({ type: 'message', id: 'msg_1' })
  })
})

test.describe('answers', () => {
  test('parallel calls whose deltas alternate are two calls in the order of the server', async () => {
    const delta = (output_index: number, text: string): JsonObject => ({
      type: 'response.function_call_arguments.delta',
      item_id: `changes ${text}`,
      output_index,
      delta: text,
    })
    const { answer, parts } = await against([
      stream(
        created,
        added(1, { ...call('b', 'second'), arguments: '' }),
        added(0, { ...call('a', 'first'), arguments: '' }),
        delta(0, '{"q":'),
        delta(1, '{"p":'),
        delta(0, '1}'),
        delta(1, '2}'),
        done(0, call('a', 'first', '{"q":1}')),
        done(1, call('b', 'second', '{"p":2}')),
        completed,
      ),
    ])
    expect(answer.calls).toEqual([
      ['first', { q: 1 }],
      ['second', { p: 2 }],
    ])
    expect(answer).toMatchObject({ finish: 'tool-calls', raw: 'completed', ids: ['fc_a', 'fc_b'] })
    expect(parts[0]).toEqual({ type: 'response-metadata', id: 'resp_1', modelId: 'gpt-test-1' })
  })

  test('calls with the same id, or without one, get ids of their own', async () => {
    const { parts } = await against([
      { json: response([call('same', 'a'), call('same', 'b'), { type: 'function_call', name: 'c', arguments: '' }]) },
    ])
    const ids = parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
    expect(new Set(ids).size).toBe(3)
    expect(ids[0]).toBe('same')
  })

  test('a refusal is shown as text and goes back as a refusal', async () => {
    const refusal = { type: 'refusal', refusal: 'I cannot help with that.' }
    const message = { type: 'message', id: 'msg_2', role: 'assistant', status: 'completed', content: [refusal] }
    const { answer, parts } = await against([
      stream(
        created,
        added(0, { ...message, content: [] }),
        { type: 'response.refusal.delta', output_index: 0, content_index: 0, delta: 'I cannot ' },
        { type: 'response.refusal.delta', output_index: 0, content_index: 0, delta: 'help with that.' },
        done(0, message),
        completed,
      ),
    ])
    expect(answer).toMatchObject({ text: refusal.refusal, finish: 'stop' })
    const { body } = await against([ok], { messages: historyOf(parts) })
    expect((body['input'] as JsonObject[])[1]).toEqual(message)
  })

  test('two contents of one message are two texts, and go back as one message', async () => {
    const message = says('One', { status: 'completed' })
    const whole = {
      ...message,
      content: [
        { type: 'output_text', text: 'One', annotations: [] },
        { type: 'output_text', text: 'Two', annotations: [] },
      ],
    }
    const { answer, parts } = await against([{ json: response([whole]) }])
    expect(answer.text).toBe('OneTwo')
    const { body } = await against([ok], { messages: historyOf(parts) })
    expect((body['input'] as JsonObject[])[1]).toEqual(whole)
  })

  test('an incomplete response ends with its reason', async () => {
    for (const [reason, finish] of [
      ['max_output_tokens', 'length'],
      ['content_filter', 'content-filter'],
      ['something_new', 'other'],
    ] as const) {
      const more = { status: 'incomplete', incomplete_details: { reason } }
      const partial = says('Hel')
      for (const script of [
        { json: response([partial], more) },
        stream(created, done(0, partial), { type: 'response.incomplete', response: response([partial], more) }),
      ]) {
        const { answer } = await against([script])
        expect(answer).toMatchObject({ text: 'Hel', finish, raw: reason })
      }
    }
  })

  test('a stream that ends without the event of the end returns no call', async () => {
    for (const script of [
      stream(created, done(0, call('a', 'x'))),
      { sse: [created, done(0, call('a', 'x'))] },
      { raw: 'data: [DONE]\n\n' },
    ])
      expect(await against([script])).toMatchObject({ answer: { calls: [] }, error: { code: 'stream-cut' } })
    // Without calls the mark of the end is enough.
    expect((await against([{ sse: [created, done(0, says('Hello'))] }])).answer).toMatchObject({ text: 'Hello' })
  })

  test('the whole text replaces what a relay lost or repeated, whichever event brings it', async () => {
    const delta = (text: string, more: JsonObject = {}): JsonObject => ({
      type: 'response.output_text.delta',
      output_index: 0,
      content_index: 0,
      delta: text,
      ...more,
    })
    const begin = added(0, says('', { content: [] }))
    const textDone = { type: 'response.output_text.done', output_index: 0, content_index: 0, text: 'One two.' }
    const whole = says('One two.')
    const end = { type: 'response.completed', response: response([whole]) }
    const bare = { type: 'response.completed', response: response([]) }
    for (const pieces of [['One '], ['One ', 'two.', 'two.'], ['two.'], []]) {
      for (const events of [[textDone, bare], [done(0, whole), bare], [end], [textDone, done(0, whole), end]]) {
        const ran = await against([stream(created, begin, ...pieces.map((piece) => delta(piece)), ...events)])
        expect(ran.answer.text, `${pieces.join('|')} ${events.map(typeOf).join()}`).toBe('One two.')
      }
    }
    // An item that was closed without its content.
    const closed = await against([stream(created, begin, delta('One '), done(0, says('', { content: [] })), end)])
    expect(closed.answer.text).toBe('One two.')
    // A wrong text that ends with a broken connection.
    const cut = await against([stream(created, begin, delta('One '), textDone)])
    expect(cut).toMatchObject({ answer: { text: 'One two.' }, error: { code: 'stream-cut' } })
    // Some servers send no text at the end, and it deletes nothing.
    const empty = await against([stream(created, begin, delta('One two.'), { ...textDone, text: '' }, bare)])
    expect(empty.answer.text).toBe('One two.')
  })

  test('a list at the end that lacks an item does not move texts to other messages', async () => {
    const [first, second] = [says('First.', { id: 'a' }), says('Second.', { id: 'b' })]
    const items = [thought, first, { ...thought, id: 'rs_2' }, second]
    const end = { type: 'response.completed', response: response([first, second]) }
    const { answer } = await against([stream(created, ...items.map((item, index) => done(index, item)), end)])
    expect(answer.text).toBe('First.Second.')
  })

  test('the whole reasoning and the whole refusal replace their pieces', async () => {
    const piece = (type: string, text: string): JsonObject => ({ type, output_index: 0, summary_index: 0, delta: text })
    const reasoned = await against([
      stream(
        created,
        added(0, { ...thought, summary: [] }),
        piece('response.reasoning_summary_text.delta', 'Fi'),
        {
          ...done(0, thought),
        },
        completed,
      ),
    ])
    expect(reasoned.answer.reasoning).toBe('First.\n\nSecond.')
    const refusal = { type: 'refusal', refusal: 'I cannot do that.' }
    const declined = await against([
      stream(
        created,
        added(0, says('', { content: [] })),
        piece('response.refusal.delta', 'I can'),
        {
          type: 'response.refusal.done',
          output_index: 0,
          content_index: 0,
          refusal: refusal.refusal,
        },
        completed,
      ),
    ])
    expect(declined.answer.text).toBe(refusal.refusal)
  })

  test('servers have several words for the end of a response, and none of them drops its text', async () => {
    for (const status of ['complete', 'done', 'succeeded']) {
      const body = response([says('Hello')], { status })
      for (const reply of [{ json: body }, stream(created, { type: 'response.completed', response: body })]) {
        const { answer, error } = await against([reply])
        expect([answer.text, answer.raw, error], status).toEqual(['Hello', status, undefined])
      }
    }
    expect((await against([{ json: response([says('Hello')], { status: 'complete' }) }])).answer.finish).toBe('stop')
    for (const status of ['failed', 'cancelled', 'queued', 'in_progress'])
      expect((await against([{ json: response([], { status }) }])).error, status).toMatchObject({ code: 'server' })
  })

  test('a second response inside the first one fails the stream', async () => {
    const other = { type: 'response.created', response: response([], { id: 'resp_2' }) }
    const { error, answer } = await against([stream(created, done(0, call('a', 'x')), other, completed)])
    expect(error).toMatchObject({ code: 'bad-response', message: expect.stringContaining('second answer') })
    expect(answer.calls).toEqual([])
  })
})

test.describe('errors', () => {
  test('an error event and a failed response have the code of their error', async () => {
    for (const [fields, code, retry] of [
      [{ code: 'server_error' }, 'server', true],
      [{ code: 'rate_limit_exceeded' }, 'rate-limited', true],
      [{ code: 'insufficient_quota', type: 'insufficient_quota' }, 'rate-limited', false],
      [{ code: 'invalid_prompt' }, 'bad-request', false],
      [{ code: 'image_parse_error' }, 'bad-request', false],
      [{ code: 'context_length_exceeded', type: 'invalid_request_error' }, 'context-overflow', false],
    ] as const) {
      const error = { ...fields, message: 'No luck' }
      for (const event of [
        { type: 'error', error },
        { type: 'response.failed', response: response([], { status: 'failed', error }) },
      ]) {
        const ran = await against([stream(created, event)])
        const wanted = { code, details: { retry }, message: expect.stringContaining('No luck') }
        expect(ran.error, `${event.type} ${fields.code}`).toMatchObject(wanted)
        // Nothing of the answer was shown, so the turn may try again.
        expect(ran.parts).toEqual([])
      }
      const whole = await against([{ json: response([], { status: 'failed', error }) }])
      expect(whole.error).toMatchObject({ code })
    }
    const flat = await against([stream(created, { type: 'error', code: 'server_error', message: 'No luck' })])
    expect(flat.error).toMatchObject({ code: 'server', details: { retry: true } })
  })

  test('an error after the first text runs no call', async () => {
    const { error, answer } = await against([
      stream(created, done(0, says('Hel')), done(1, call('a', 'x')), {
        type: 'error',
        error: { code: 'server_error', message: 'No luck' },
      }),
    ])
    expect(error).toMatchObject({ code: 'server' })
    expect(answer).toMatchObject({ text: 'Hel', calls: [] })
  })

  test('the answer of another protocol is named, with the provider to set', async () => {
    const chat = { choices: [{ index: 0, delta: { content: 'Hi' }, message: { content: 'Hi' } }] }
    for (const reply of [{ json: chat }, { sse: [chat] }]) {
      const { error } = await against([reply])
      expect(error).toMatchObject({ code: 'bad-response', details: { protocol: 'OpenAI chat completions' } })
      expect(error!.message).toContain('set provider="openai".')
    }
    expect((await against([{ json: { hello: 1 } }])).error!.message).toContain('Expected a response')
  })

  test('an abort ends the iteration and the request', async () => {
    const endpoint = await startEndpoint([
      {
        raw: [created, done(0, says('Hi'))].map((event) => `data: ${JSON.stringify(event)}\n\n`),
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
