// Deltas to parts, without a server: each case of stream assembly, as events in and parts out. C25, C27 and C71 concern
// the formats of Gemini and Anthropic, which have no client yet.
import type { ToolAgentError } from '../../../../../src/core/data/errors.js'
import { expect, test } from 'playwright/test'
import type { JsonObject, JsonValue } from '../../../../../src/core/data/json.js'
import type { ModelPart } from '../../../../../src/core/data/model.js'
import { AnswerBuilder } from '../../../../../src/host/models/answer/answer-builder.js'
import { chatAnswer } from '../../../../../src/host/models/openai/chat-stream.js'

function assemble(events: readonly JsonValue[], marked = true): ModelPart[] {
  let made = 0
  const assembly = new AnswerBuilder(chatAnswer, {
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
    return (error as ToolAgentError).code
  }
  return 'nothing thrown'
}

const fn = (name: string | undefined, args?: JsonValue): JsonObject => ({
  ...(name === undefined ? {} : { name }),
  ...(args === undefined ? {} : { arguments: args }),
})

const rows: { tag?: string | string[]; title: string; events: JsonValue[]; calls: [string, string, string][] }[] = [
  {
    tag: '@C01',
    title: 'two complete calls under the same index with different ids are two calls',
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
    tag: '@C01',
    title: 'two calls of the same tool under the same index are two calls',
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
    tag: '@C01',
    title: 'two whole calls of the same tool under the same index without ids are two calls',
    events: [call({ index: 0, function: fn('read', '{"p":1}') }), call({ index: 0, function: fn('read', '{"p":2}') })],
    calls: [
      ['made_1', 'read', '{"p":1}'],
      ['made_2', 'read', '{"p":2}'],
    ],
  },
  {
    tag: '@C01',
    title: 'calls under the same index whose arguments arrive later are two calls',
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
    tag: '@C01',
    title: 'two calls without arguments under the same index are two calls',
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
    tag: '@C02',
    title: 'without an index, arguments without an id go to the latest call',
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
    tag: '@C02',
    title: 'without index and id, calls are distinguished by their names',
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
    tag: '@C02',
    title: 'without an index, calls without arguments are distinguished by id and name',
    events: [call({ id: 'a', function: fn('read', '') }), call({ id: 'b', function: fn('write', '') })],
    calls: [
      ['a', 'read', ''],
      ['b', 'write', ''],
    ],
  },
  {
    title: 'two entries of one delta are two calls even with the same index',
    events: [call({ index: 0, function: fn('read', '') }, { index: 0, function: fn('write', '') })],
    calls: [
      ['made_1', 'read', ''],
      ['made_2', 'write', ''],
    ],
  },
  {
    title: 'two entries of one delta are two calls even without an index',
    events: [call({ function: fn('list', '') }, { function: fn('count', '') })],
    calls: [
      ['made_1', 'list', ''],
      ['made_2', 'count', ''],
    ],
  },
  {
    tag: '@C02',
    title: 'an index on the first delta only makes no difference',
    events: [call({ index: 0, id: 'a', function: fn('read', '{"p"') }), call({ function: fn(undefined, ':1}') })],
    calls: [['a', 'read', '{"p":1}']],
  },
  {
    tag: '@C02',
    title: 'an index from the second delta on continues the call',
    events: [call({ id: 'a', function: fn('read', '{"p"') }), call({ index: 0, function: fn(undefined, ':1}') })],
    calls: [['a', 'read', '{"p":1}']],
  },
  {
    tag: ['@C03', '@F63'],
    title: 'a gap in the indexes leaves no hole',
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
    tag: '@C04',
    title: 'an empty, null or missing id is generated',
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
    tag: '@C04',
    title: 'keeps the first id if later deltas have an empty one',
    events: [
      call({ index: 0, id: 'a', function: fn('read', '') }),
      call({ index: 0, id: '', function: fn(undefined, '{"p":1}') }),
    ],
    calls: [['a', 'read', '{"p":1}']],
  },
  {
    tag: ['@C05', '@F63'],
    title: 'the second of two calls with the same id gets a new id',
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
    tag: '@C05',
    title: 'the same id and index on two calls of different tools are still two calls',
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
    tag: '@C07',
    title: 'an id repeated on every delta is one call',
    events: [
      call({ index: 0, id: 'a', function: fn('read', '') }),
      call({ index: 0, id: 'a', function: fn(undefined, '{"p"') }),
      call({ index: 0, id: 'a', function: fn(undefined, ':1}') }),
    ],
    calls: [['a', 'read', '{"p":1}']],
  },
  {
    tag: '@C07',
    title: 'id and name repeated on every delta are one call',
    events: [
      call({ index: 0, id: 'a', type: 'function', function: fn('read', '') }),
      call({ index: 0, id: 'a', function: fn('read', '{"p"') }),
      call({ index: 0, id: 'a', function: fn('read', ':1}') }),
    ],
    calls: [['a', 'read', '{"p":1}']],
  },
  {
    tag: '@C07',
    title: 'a whole call sent twice is one call',
    events: [
      call({ index: 0, id: 'a', function: fn('read', '{"p":1}') }),
      call({ index: 0, id: 'a', function: fn('read', '{"p":1}') }),
    ],
    calls: [['a', 'read', '{"p":1}']],
  },
  {
    tag: '@C08',
    title: 'a new id on every delta without a name is one call',
    events: [
      call({ index: 0, id: 'a', function: fn('read', '{"p"') }),
      call({ index: 0, id: 'b', function: fn('', ':') }),
      call({ index: 0, id: 'c', function: fn(undefined, '1}') }),
    ],
    calls: [['a', 'read', '{"p":1}']],
  },
  {
    tag: '@C09',
    title: 'waits for a name that arrives after the arguments began',
    events: [
      call({ index: 0, id: 'a', function: fn(undefined, '{"p"') }),
      call({ index: 0, function: fn('read', ':1}') }),
    ],
    calls: [['a', 'read', '{"p":1}']],
  },
  {
    tag: '@C10',
    title: 'joins the pieces of a name until the arguments begin',
    events: [
      call({ index: 0, id: 'a', function: fn('get_') }),
      call({ index: 0, function: fn('weather') }),
      call({ index: 0, function: fn('', '{"p":1}') }),
    ],
    calls: [['a', 'get_weather', '{"p":1}']],
  },
  {
    tag: '@C11',
    title: 'arguments as an object become text',
    events: [call({ index: 0, id: 'a', function: fn('read', { p: [1, { q: 'ü' }] }) })],
    calls: [['a', 'read', '{"p":[1,{"q":"ü"}]}']],
  },
  {
    tag: '@C12',
    title: 'arguments that parse early are not complete before the end',
    events: [
      call({ index: 0, id: 'a', function: fn('read', '{}') }),
      call({ index: 0, function: fn(undefined, ' ') }),
      call({ index: 0, function: fn(undefined, '{"p":2}') }),
    ],
    calls: [['a', 'read', '{} {"p":2}']],
  },
  {
    tag: '@C13',
    title: 'empty tool_calls, null entries and a null function create no call',
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
    tag: '@C14',
    title: 'text between arguments does not close the call',
    events: [
      call({ index: 0, id: 'a', function: fn('read', '{"p"') }),
      delta({ content: 'One moment' }),
      call({ index: 0, function: fn(undefined, ':1}') }),
    ],
    calls: [['a', 'read', '{"p":1}']],
  },
  {
    tag: '@C15',
    title: 'an empty role and a missing type are accepted',
    events: [delta({ role: '', content: '' }), call({ index: 0, id: 'a', function: fn('read', '{}') })],
    calls: [['a', 'read', '{}']],
  },
  {
    title: 'keeps a call without a name, so that the model gets an error for it',
    events: [call({ index: 0, id: 'a', function: fn(undefined, '{"p":1}') })],
    calls: [['a', 'missing_name', '{"p":1}']],
  },
  {
    title: 'separates interleaved arguments of parallel calls',
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

for (const { tag, title, events, calls } of rows) {
  test(title, tag === undefined ? {} : { tag }, () => {
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
    // Without a finish there are no calls, whatever the stream contained before.
    expect(codeOf(() => assemble(events, false))).toBe('stream-cut')
    expect(codeOf(() => assemble(events, true))).toBe('stream-cut')
  })
}

test('returns no call before the finish reason', { tag: '@C12' }, () => {
  const assembly = new AnswerBuilder(chatAnswer, { url: '', secrets: [], newId: () => 'made' })
  const before = [
    ...assembly.add(call({ index: 0, id: 'a', function: fn('read', '{"p":1}') })),
    ...assembly.add(finish()),
  ]
  expect(before.map((part) => part.type)).toEqual(['tool-input-start', 'tool-input-delta'])
  expect(assembly.end(false).map((part) => part.type)).toEqual(['tool-input-end', 'tool-call', 'finish'])
})

test('joins the text before and after a call', { tag: '@C14' }, () => {
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

test('reads reasoning under both fields once and records the field', { tag: '@C16' }, () => {
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

test('an error object in the stream is an error with the provider’s message', { tag: '@C17' }, () => {
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

test('ignores a null error field', () => {
  expect(textIn(assemble([{ ...delta({ content: 'Hello' }, 'stop'), error: null }]))).toBe('Hello')
})

test(
  'reads usage from a chunk without choices, the last choice chunk or a provider’s own field',
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

test('maps the finish reason by its meaning, whatever calls came with it', { tag: '@C20' }, () => {
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

test('keeps a finish reason that forbids execution', () => {
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

test('[DONE] without a finish reason completes a text, not a call', { tag: '@F48' }, () => {
  expect(finishOf(assemble([delta({ content: 'Hello' })], true))).toBe('stop')
  expect(codeOf(() => assemble([delta({ content: 'Hello' })], false))).toBe('stream-cut')
})

test('ignores and counts unknown events and parts', { tag: '@F64' }, () => {
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

test('ignores all choices except the first', () => {
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

test('reads text and thinking from content parts', () => {
  const parts = assemble([
    delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }] }),
    delta({ content: [{ type: 'text', text: 'Hello' }] }),
    finish('stop'),
  ])
  expect(textIn(parts, 'reasoning')).toBe('Hm')
  expect(textIn(parts)).toBe('Hello')
})

test('keeps what a provider attaches to a call', () => {
  const extra = { google: { thought_signature: 'abc' } }
  const parts = assemble([call({ index: 0, id: 'a', function: fn('read', '{}'), extra_content: extra }), finish()])
  expect(parts.find((part) => part.type === 'tool-call')).toMatchObject({
    providerMetadata: { chatCompletions: { extra_content: extra } },
  })
})

test('names like constructor are ordinary tool names', () => {
  const parts = assemble([
    call({ index: 0, id: 'constructor', function: fn('toString', '{"__proto__":1}') }),
    finish('constructor'),
  ])
  expect(callsIn(parts)).toEqual([['constructor', 'toString', '{"__proto__":1}']])
  expect(finishOf(parts)).toBe('other')
})

test('returns the model’s name and id with the first part', () => {
  const parts = assemble([
    { id: 'x', model: 'm', ...delta({ role: 'assistant', content: '' }) },
    { id: 'x', model: 'm', ...delta({ content: 'a' }, 'stop') },
  ])
  expect(parts[0]).toEqual({ type: 'response-metadata', id: 'x', modelId: 'm' })
})
