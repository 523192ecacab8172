// Deltas to parts, without a server: each row of the case list about stream assembly, as events in and parts out. C25,
// C27 and C71 are of the wires of Gemini and Anthropic and wait for these; so says `waiting` in support/rows.ts.
import { expect, test } from 'playwright/test'
import type { JsonObject, JsonValue } from '../../../../../src/core/data/json.js'
import type { ModelPart } from '../../../../../src/core/data/model.js'
import { createChatAssembly } from '../../../../../src/host/models/openai/chat-stream.js'

function assemble(events: readonly JsonValue[], marked = true): ModelPart[] {
  let made = 0
  const assembly = createChatAssembly({
    url: 'http://test/v1/chat/completions',
    secrets: [],
    newId: () => `made_${++made}`,
  })
  return [...events.flatMap((event) => assembly.add(event)), ...assembly.end(marked)]
}

const delta = (fields: JsonObject, finish: string | null = null): JsonObject => ({
  choices: [{ index: 0, delta: fields, finish_reason: finish }],
})
const call = (...entries: JsonValue[]): JsonObject => delta({ tool_calls: entries })
const finish = (reason = 'tool_calls'): JsonObject => delta({}, reason)
const callsIn = (parts: readonly ModelPart[]): [string, string, string][] =>
  parts.flatMap((part) => (part.type === 'tool-call' ? [[part.toolCallId, part.toolName, part.input]] : []))
const textIn = (parts: readonly ModelPart[], type: 'text' | 'reasoning' = 'text'): string =>
  parts.map((part) => ('delta' in part && part.type === `${type}-delta` ? part.delta : '')).join('')
const finishOf = (parts: readonly ModelPart[]): string => {
  const last = parts.at(-1)
  return last?.type === 'finish' ? last.finishReason.unified : 'none'
}
const codeOf = (run: () => unknown): unknown => {
  try {
    run()
  } catch (error) {
    return (error as { code?: unknown }).code
  }
  return 'nothing thrown'
}

const fn = (name: string | undefined, args?: JsonValue): JsonObject => ({
  ...(name === undefined ? {} : { name }),
  ...(args === undefined ? {} : { arguments: args }),
})

const rows: { title: string; events: JsonValue[]; calls: [string, string, string][] }[] = [
  {
    title: 'C01 two complete calls under the same index with different ids are two calls',
    events: [
      call({ index: 0, id: 'a', function: fn('read', '{"p":1}') }),
      call({ index: 0, id: 'b', function: fn('write', '{"q":2}') }),
    ],
    calls: [
      ['a', 'read', '{"p":1}'],
      ['b', 'write', '{"q":2}'],
    ],
  },
  {
    title: 'C01 two calls of the same tool under the same index are two calls',
    events: [
      call({ index: 0, id: 'a', function: fn('read', '{"p":1}') }),
      call({ index: 0, id: 'b', function: fn('read', '{"p":2}') }),
    ],
    calls: [
      ['a', 'read', '{"p":1}'],
      ['b', 'read', '{"p":2}'],
    ],
  },
  {
    title: 'C01 two whole calls of the same tool under the same index without ids are two calls',
    events: [call({ index: 0, function: fn('read', '{"p":1}') }), call({ index: 0, function: fn('read', '{"p":2}') })],
    calls: [
      ['made_1', 'read', '{"p":1}'],
      ['made_2', 'read', '{"p":2}'],
    ],
  },
  {
    title: 'C01 calls under the same index whose arguments come later are two calls',
    events: [
      call({ index: 0, id: 'a', function: fn('read', '') }),
      call({ index: 0, function: fn(undefined, '{"p":1}') }),
      call({ index: 0, id: 'b', function: fn('write', '') }),
      call({ index: 0, function: fn(undefined, '{"q":2}') }),
    ],
    calls: [
      ['a', 'read', '{"p":1}'],
      ['b', 'write', '{"q":2}'],
    ],
  },
  {
    title: 'C01 two calls without arguments under the same index are two calls',
    events: [
      call({ index: 0, id: 'a', function: fn('read', '') }),
      call({ index: 0, id: 'b', function: fn('write', '') }),
    ],
    calls: [
      ['a', 'read', ''],
      ['b', 'write', ''],
    ],
  },
  {
    title: 'C02 without an index, arguments without an id go to the latest call',
    events: [
      call({ id: 'a', function: fn('read', '') }),
      call({ function: fn(undefined, '{"p"') }),
      call({ function: fn(undefined, ':1}') }),
      call({ id: 'b', function: fn('write', '{"q":') }),
      call({ function: fn(undefined, '2}') }),
    ],
    calls: [
      ['a', 'read', '{"p":1}'],
      ['b', 'write', '{"q":2}'],
    ],
  },
  {
    title: 'C02 without index and id, calls in one delta and calls in a row are told apart by their names',
    events: [
      call({ function: fn('read', '{"p":1}') }, { function: fn('write', '{}') }),
      call({ function: fn('list', '{}') }),
    ],
    calls: [
      ['made_1', 'read', '{"p":1}'],
      ['made_2', 'write', '{}'],
      ['made_3', 'list', '{}'],
    ],
  },
  {
    title: 'C02 with an id and a name each, calls without arguments are told apart without an index',
    events: [call({ id: 'a', function: fn('read', '') }), call({ id: 'b', function: fn('write', '') })],
    calls: [
      ['a', 'read', ''],
      ['b', 'write', ''],
    ],
  },
  {
    title: 'two entries of one delta are two calls, though they share an index',
    events: [call({ index: 0, function: fn('read', '') }, { index: 0, function: fn('write', '') })],
    calls: [
      ['made_1', 'read', ''],
      ['made_2', 'write', ''],
    ],
  },
  {
    title: 'two entries of one delta are two calls, though they have no index',
    events: [call({ function: fn('list', '') }, { function: fn('count', '') })],
    calls: [
      ['made_1', 'list', ''],
      ['made_2', 'count', ''],
    ],
  },
  {
    title: 'C02 an index on the first delta alone makes no difference',
    events: [call({ index: 0, id: 'a', function: fn('read', '{"p"') }), call({ function: fn(undefined, ':1}') })],
    calls: [['a', 'read', '{"p":1}']],
  },
  {
    title: 'C02 an index that is given from the second delta on goes on with the call',
    events: [call({ id: 'a', function: fn('read', '{"p"') }), call({ index: 0, function: fn(undefined, ':1}') })],
    calls: [['a', 'read', '{"p":1}']],
  },
  {
    title: 'C03 F63 a gap in the indexes leaves no hole',
    events: [
      call({ index: 1, id: 'a', function: fn('read', '{"p"') }),
      call({ index: 3, id: 'b', function: fn('write', '{"q"') }),
      call({ index: 1, function: fn(undefined, ':1}') }),
      call({ index: 3, function: fn(undefined, ':2}') }),
    ],
    calls: [
      ['a', 'read', '{"p":1}'],
      ['b', 'write', '{"q":2}'],
    ],
  },
  {
    title: 'C04 an empty, null or missing id is generated',
    events: [
      call({ index: 0, id: '', function: fn('read', '{}') }),
      call({ index: 1, id: null, function: fn('write', '{}') }),
      call({ index: 2, function: fn('list', '{}') }),
    ],
    calls: [
      ['made_1', 'read', '{}'],
      ['made_2', 'write', '{}'],
      ['made_3', 'list', '{}'],
    ],
  },
  {
    title: 'C04 an id that is empty on every later delta stays the first one',
    events: [
      call({ index: 0, id: 'a', function: fn('read', '') }),
      call({ index: 0, id: '', function: fn(undefined, '{"p":1}') }),
    ],
    calls: [['a', 'read', '{"p":1}']],
  },
  {
    title: 'C05 F63 the same id on two calls gives the second an id of its own',
    events: [
      call({ index: 0, id: 'a', function: fn('read', '{}') }),
      call({ index: 1, id: 'a', function: fn('write', '{}') }),
    ],
    calls: [
      ['a', 'read', '{}'],
      ['made_1', 'write', '{}'],
    ],
  },
  {
    title: 'C05 the same id and index on two calls of different tools are still two calls',
    events: [
      call({ index: 0, id: 'a', function: fn('read', '{}') }),
      call({ index: 0, id: 'a', function: fn('write', '{}') }),
    ],
    calls: [
      ['a', 'read', '{}'],
      ['made_1', 'write', '{}'],
    ],
  },
  {
    title: 'C07 an id repeated on every delta is one call',
    events: [
      call({ index: 0, id: 'a', function: fn('read', '') }),
      call({ index: 0, id: 'a', function: fn(undefined, '{"p"') }),
      call({ index: 0, id: 'a', function: fn(undefined, ':1}') }),
    ],
    calls: [['a', 'read', '{"p":1}']],
  },
  {
    title: 'C07 id and name repeated on every delta are one call',
    events: [
      call({ index: 0, id: 'a', type: 'function', function: fn('read', '') }),
      call({ index: 0, id: 'a', function: fn('read', '{"p"') }),
      call({ index: 0, id: 'a', function: fn('read', ':1}') }),
    ],
    calls: [['a', 'read', '{"p":1}']],
  },
  {
    title: 'C07 a whole call sent twice is one call',
    events: [
      call({ index: 0, id: 'a', function: fn('read', '{"p":1}') }),
      call({ index: 0, id: 'a', function: fn('read', '{"p":1}') }),
    ],
    calls: [['a', 'read', '{"p":1}']],
  },
  {
    title: 'C08 a new id on every delta without a name is one call',
    events: [
      call({ index: 0, id: 'a', function: fn('read', '{"p"') }),
      call({ index: 0, id: 'b', function: fn('', ':') }),
      call({ index: 0, id: 'c', function: fn(undefined, '1}') }),
    ],
    calls: [['a', 'read', '{"p":1}']],
  },
  {
    title: 'C09 a name that comes after the arguments began is waited for',
    events: [
      call({ index: 0, id: 'a', function: fn(undefined, '{"p"') }),
      call({ index: 0, function: fn('read', ':1}') }),
    ],
    calls: [['a', 'read', '{"p":1}']],
  },
  {
    title: 'C10 a name in pieces is joined until the arguments begin',
    events: [
      call({ index: 0, id: 'a', function: fn('get_') }),
      call({ index: 0, function: fn('weather') }),
      call({ index: 0, function: fn('', '{"p":1}') }),
    ],
    calls: [['a', 'get_weather', '{"p":1}']],
  },
  {
    title: 'C11 arguments as an object become text',
    events: [call({ index: 0, id: 'a', function: fn('read', { p: [1, { q: 'ü' }] }) })],
    calls: [['a', 'read', '{"p":[1,{"q":"ü"}]}']],
  },
  {
    title: 'C12 arguments that parse before the end go on until the end',
    events: [
      call({ index: 0, id: 'a', function: fn('read', '{}') }),
      call({ index: 0, function: fn(undefined, ' ') }),
      call({ index: 0, function: fn(undefined, '{"p":2}') }),
    ],
    calls: [['a', 'read', '{} {"p":2}']],
  },
  {
    title: 'C13 empty tool_calls, null entries and an entry with a null function leave no orphan',
    events: [
      delta({ content: '', tool_calls: [] }),
      delta({ tool_calls: null }),
      call(null),
      call({ index: 0, id: 'x', type: 'function', function: null }),
      call({ index: 1, id: 'a', function: fn('read', '{}') }),
      call({ index: 1, function: null }),
    ],
    calls: [['a', 'read', '{}']],
  },
  {
    title: 'C14 text between arguments does not close the call',
    events: [
      call({ index: 0, id: 'a', function: fn('read', '{"p"') }),
      delta({ content: 'One moment' }),
      call({ index: 0, function: fn(undefined, ':1}') }),
    ],
    calls: [['a', 'read', '{"p":1}']],
  },
  {
    title: 'C15 an empty role and a missing type are accepted',
    events: [delta({ role: '', content: '' }), call({ index: 0, id: 'a', function: fn('read', '{}') })],
    calls: [['a', 'read', '{}']],
  },
  {
    title: 'a call whose name never comes is kept for an answer that says so',
    events: [call({ index: 0, id: 'a', function: fn(undefined, '{"p":1}') })],
    calls: [['a', 'missing_name', '{"p":1}']],
  },
  {
    title: 'interleaved arguments of parallel calls stay apart',
    events: [
      call({ index: 0, id: 'a', function: fn('read', '') }, { index: 1, id: 'b', function: fn('write', '') }),
      call({ index: 1, function: fn(undefined, '{"q"') }, { index: 0, function: fn(undefined, '{"p"') }),
      call({ index: 0, function: fn(undefined, ':1}') }, { index: 1, function: fn(undefined, ':2}') }),
    ],
    calls: [
      ['a', 'read', '{"p":1}'],
      ['b', 'write', '{"q":2}'],
    ],
  },
]

for (const { title, events, calls } of rows) {
  test(title, () => {
    const parts = assemble([...events, finish()])
    expect(callsIn(parts)).toEqual(calls)
    expect(finishOf(parts)).toBe('tool-calls')
    // What is shown while streaming is the same calls: one start each, all text, one end.
    for (const [id, name, text] of calls) {
      expect(parts.filter((part) => part.type === 'tool-input-start' && part.id === id)).toEqual([
        { type: 'tool-input-start', id, toolName: name },
      ])
      expect(parts.map((part) => (part.type === 'tool-input-delta' && part.id === id ? part.delta : '')).join('')).toBe(
        text,
      )
      expect(parts.filter((part) => part.type === 'tool-input-end' && part.id === id)).toHaveLength(1)
    }
    // Whatever had come: without a finish nothing is a call.
    expect(codeOf(() => assemble(events, false))).toBe('stream-cut')
    expect(codeOf(() => assemble(events, true))).toBe('stream-cut')
  })
}

test('no call comes out before the finish was seen', { tag: '@C12' }, () => {
  const assembly = createChatAssembly({ url: '', secrets: [], newId: () => 'made' })
  const before = [
    ...assembly.add(call({ index: 0, id: 'a', function: fn('read', '{"p":1}') })),
    ...assembly.add(finish()),
  ]
  expect(before.map((part) => part.type)).toEqual(['tool-input-start', 'tool-input-delta'])
  expect(assembly.end(false).map((part) => part.type)).toEqual(['tool-input-end', 'tool-call', 'finish'])
})

test('text around a call is one text', { tag: '@C14' }, () => {
  const parts = assemble([
    delta({ content: 'One ' }),
    call({ index: 0, id: 'a', function: fn('read', '{}') }),
    delta({ content: 'moment' }),
    finish(),
  ])
  expect(textIn(parts)).toBe('One moment')
  expect(parts.filter((part) => part.type === 'text-start')).toHaveLength(1)
  expect(parts.filter((part) => part.type === 'text-end')).toHaveLength(1)
})

test('reasoning under both names is taken once, and says which name it came under', { tag: '@C16' }, () => {
  const parts = assemble([
    delta({ reasoning: 'Let me ', reasoning_content: 'Let me ' }),
    delta({ reasoning: 'see', reasoning_content: 'see' }),
    delta({ content: 'Done' }),
    finish('stop'),
  ])
  expect(textIn(parts, 'reasoning')).toBe('Let me see')
  expect(textIn(parts)).toBe('Done')
  expect(parts.map((part) => part.type)).toEqual([
    'reasoning-start',
    'reasoning-delta',
    'reasoning-delta',
    'reasoning-end',
    'text-start',
    'text-delta',
    'text-end',
    'finish',
  ])
  expect(parts[0]).toMatchObject({ providerMetadata: { chatCompletions: { field: 'reasoning_content' } } })
  const other = assemble([delta({ reasoning: 'Hm' }), finish('stop')])
  expect(other[0]).toMatchObject({ providerMetadata: { chatCompletions: { field: 'reasoning' } } })
})

test('an error object in the stream is an error with the provider’s words', { tag: '@C17' }, () => {
  const errors: [JsonValue, string][] = [
    [{ error: { message: 'Overloaded', type: 'overloaded_error', code: 529 } }, 'server'],
    [{ error: { message: 'Slow down', type: 'rate_limit_error' } }, 'rate-limited'],
    [
      { error: { message: 'maximum context length is 4096 tokens', code: 'context_length_exceeded' } },
      'context-overflow',
    ],
    [{ error: 'it broke' }, 'server'],
    [{ object: 'error', message: 'bad', type: 'BadRequestError', code: 400 }, 'bad-request'],
    [
      {
        choices: [
          { index: 0, delta: {}, finish_reason: 'error', error: { code: 502, message: 'Provider returned error' } },
        ],
      },
      'server',
    ],
    [{ choices: [], error: { code: 401, message: 'no' } }, 'unauthorized'],
  ]
  for (const [event, code] of errors) {
    expect(
      codeOf(() => assemble([delta({ content: 'Hello' }), event, finish('stop')])),
      JSON.stringify(event),
    ).toBe(code)
  }
  let caught: unknown
  try {
    assemble([errors[0]![0]])
  } catch (error) {
    caught = error
  }
  expect(caught).toMatchObject({
    details: { status: 529, retry: true, provider: { type: 'overloaded_error', code: 529 } },
  })
  expect(String((caught as Error).message)).toContain('Overloaded')
})

test('a null error field is no error', () => {
  expect(textIn(assemble([{ ...delta({ content: 'Hello' }, 'stop'), error: null }]))).toBe('Hello')
})

test(
  'usage comes from a chunk without choices, from the last choice chunk, or from a provider’s own place',
  { tag: '@C19' },
  () => {
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 5,
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 2 },
    }
    const wanted = { inputTokens: { total: 10, cacheRead: 4 }, outputTokens: { total: 5, reasoning: 2 } }
    expect(assemble([delta({ content: 'a' }), finish('stop'), { choices: [], usage }]).at(-1)).toMatchObject({
      usage: wanted,
    })
    expect(assemble([{ ...delta({ content: 'a' }, 'stop'), usage }]).at(-1)).toMatchObject({ usage: wanted })
    expect(assemble([{ ...delta({ content: 'a' }, 'stop'), x_groq: { usage } }]).at(-1)).toMatchObject({
      usage: wanted,
    })
    expect(assemble([delta({ content: 'a' }, 'stop'), { choices: [], usage: null }]).at(-1)).not.toHaveProperty('usage')
  },
)

test('the finish reason is passed on as it means, whatever calls came with it', { tag: '@C20' }, () => {
  const one = call({ index: 0, id: 'a', function: fn('read', '{}') })
  const reasons: [string, string][] = [
    ['stop', 'stop'],
    ['tool_calls', 'tool-calls'],
    ['function_call', 'tool-calls'],
    ['length', 'length'],
    ['max_tokens', 'length'],
    ['content_filter', 'content-filter'],
    ['SAFETY', 'content-filter'],
    ['MALFORMED_FUNCTION_CALL', 'error'],
    ['error', 'error'],
    ['whatever', 'other'],
  ]
  for (const [raw, unified] of reasons) {
    expect(assemble([one, finish(raw)]).at(-1), raw).toMatchObject({ finishReason: { unified, raw } })
  }
})

test('a reason that forbids execution stays', () => {
  const one = call({ index: 0, id: 'a', function: fn('read', '{}') })
  expect(finishOf(assemble([one, finish('length'), finish('stop')]))).toBe('length')
  expect(finishOf(assemble([one, finish('length'), finish('')]))).toBe('length')
  expect(finishOf(assemble([one, finish('stop'), finish('tool_calls')]))).toBe('tool-calls')
})

// Snowflake Cortex ends its answers so.
for (const blank of ['', 'null']) {
  const read = (args: string): JsonObject => ({ index: 0, id: 'a', function: fn('read', args) })
  const end = finish(blank)
  const usage: JsonObject = { choices: [], usage: { prompt_tokens: 10, completion_tokens: 5 } }
  /** A server that gives every delta this reason. */
  const always = (fields: JsonObject): JsonObject => delta(fields, blank)

  for (const [title, events, marked] of [
    ['before [DONE]', [call(read('{"p":1}')), end], true],
    ['before the end of the stream', [call(read('{"p":1}')), end], false],
    ['with empty fields', [call(read('{"p":1}')), delta({ content: '', tool_calls: [] }, blank)], false],
    ['before the usage', [always({ tool_calls: [read('{"p":1}')] }), end, usage], false],
    [
      'on every delta, before [DONE]',
      [always({ tool_calls: [read('{"p":')] }), always({ tool_calls: [{ index: 0, function: fn(undefined, '1}') }] })],
      true,
    ],
  ] as const) {
    test(`a finish reason of "${blank}" ${title} ends an answer whose calls are complete`, () => {
      const parts = assemble(events, marked)
      expect(callsIn(parts)).toEqual([['a', 'read', '{"p":1}']])
      expect(parts.at(-1)).toMatchObject({ finishReason: { unified: 'tool-calls', raw: blank } })
    })
  }

  test(`a finish reason of "${blank}" ends an answer of text`, () => {
    expect(finishOf(assemble([delta({ content: 'Hello' }), end], false))).toBe('stop')
  })

  for (const [title, events, marked] of [
    ['whose call is not complete', [call(read('{"p":')), end], true],
    [
      'that has it on every delta and breaks off between two',
      [always({ role: 'assistant' }), always({ tool_calls: [read('{"p":1}')] })],
      false,
    ],
    [
      'that has it on every delta and breaks off at an empty one',
      [always({ tool_calls: [read('{"p":1}')] }), end],
      false,
    ],
    ['that goes on after it without an end', [end, call(read('{"p":1}'))], false],
    ['that has it before the call, and a usage, and no end', [end, usage, call(read('{"p":1}'))], false],
  ] as const) {
    test(`a finish reason of "${blank}" does not end an answer ${title}`, () => {
      expect(codeOf(() => assemble(events, marked))).toBe('stream-cut')
    })
  }
}

test('a call without a finish reason is not complete, even before [DONE]', () => {
  expect(codeOf(() => assemble([call({ index: 0, id: 'a', function: fn('read', '{}') }), delta({})], true))).toBe(
    'stream-cut',
  )
})

test('a text without a finish reason is complete behind [DONE], a call is not', { tag: '@F48' }, () => {
  expect(finishOf(assemble([delta({ content: 'Hello' })], true))).toBe('stop')
  expect(codeOf(() => assemble([delta({ content: 'Hello' })], false))).toBe('stream-cut')
})

test('unknown events and parts are ignored and counted', { tag: '@F64' }, () => {
  const parts = assemble([
    { type: 'ping' },
    7,
    delta({ content: 'Hello', audio: { x: 1 } }),
    { object: 'unknown' },
    finish('stop'),
  ])
  expect(textIn(parts)).toBe('Hello')
  expect(parts.at(-1)).toMatchObject({ providerMetadata: { chatCompletions: { ignored: 3 } } })
})

test('other choices than the first are left out', () => {
  expect(
    textIn(
      assemble([
        {
          choices: [
            { index: 1, delta: { content: 'no' }, finish_reason: 'stop' },
            { index: 0, delta: { content: 'yes' }, finish_reason: 'stop' },
          ],
        },
      ]),
    ),
  ).toBe('yes')
})

test('content in parts gives its text and its thinking', () => {
  const parts = assemble([
    delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }] }),
    delta({ content: [{ type: 'text', text: 'Hello' }] }),
    finish('stop'),
  ])
  expect(textIn(parts, 'reasoning')).toBe('Hm')
  expect(textIn(parts)).toBe('Hello')
})

test('what a provider attached to a call comes with it', () => {
  const extra = { google: { thought_signature: 'abc' } }
  const parts = assemble([call({ index: 0, id: 'a', function: fn('read', '{}'), extra_content: extra }), finish()])
  expect(parts.find((part) => part.type === 'tool-call')).toMatchObject({
    providerMetadata: { chatCompletions: { extra_content: extra } },
  })
})

test('names of object properties are ordinary names', () => {
  const parts = assemble([
    call({ index: 0, id: 'constructor', function: fn('toString', '{"__proto__":1}') }),
    finish('constructor'),
  ])
  expect(callsIn(parts)).toEqual([['constructor', 'toString', '{"__proto__":1}']])
  expect(finishOf(parts)).toBe('other')
})

test('the model’s name and id come with the first part', () => {
  const parts = assemble([
    { id: 'x', model: 'm', ...delta({ role: 'assistant', content: '' }) },
    { id: 'x', model: 'm', ...delta({ content: 'a' }, 'stop') },
  ])
  expect(parts[0]).toEqual({ type: 'response-metadata', id: 'x', modelId: 'm' })
})
