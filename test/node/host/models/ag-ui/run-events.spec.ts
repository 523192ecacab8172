// The events of runs, read by this adapter and by the client of AG-UI: after the same bytes, both must send the same
// conversation and have the same state. And whatever the cuts of the bytes, the answer is the same.
import { expect, test } from 'playwright/test'
import type { JsonObject, JsonValue } from '../../../../../src/core/data/json.js'
import { AnswerCollector } from '../../../../../src/core/loop/answer-collector.js'
import { readCalls } from '../../../../../src/core/loop/parse-tool-calls.js'
import type { AssistantMessage } from '../../../../../src/core/data/message.js'
import type { ModelRequest } from '../../../../../src/core/data/model.js'
import { emptySession } from '../../../../../src/core/data/session.js'
import { buildRequest } from '../../../../../src/core/prompt/request.js'
import { agUi } from '../../../../../src/host/models/ag-ui/index.js'
import { patched } from '../../../../../src/host/models/ag-ui/json-patch.js'
import { runInput } from '../../../../../src/host/models/ag-ui/run-input.js'
import { called, said as text } from '../../../../support/lab/run-server.js'
import { inPieces } from '../../../../support/lab/streams.js'
import { readWithAgUi } from '../../../../support/project/provider-packages.js'

const ids = { threadId: 'thread', runId: 'run' }
const begin = { type: 'RUN_STARTED', ...ids }
const finish = { type: 'RUN_FINISHED', ...ids }
const thought = (id: string, ...deltas: string[]): JsonObject[] => [
  { type: 'REASONING_START', messageId: id },
  { type: 'REASONING_MESSAGE_START', messageId: id, role: 'reasoning' },
  ...deltas.map((delta) => ({ type: 'REASONING_MESSAGE_CONTENT', messageId: id, delta })),
  { type: 'REASONING_MESSAGE_END', messageId: id },
  { type: 'REASONING_END', messageId: id },
]
const delta = (...operations: JsonObject[]): JsonObject => ({ type: 'STATE_DELTA', delta: operations })

/** Runs, each the events between its start and its end. */
const runs: Readonly<Record<string, readonly JsonObject[]>> = {
  'a text': text('m1', 'Grüße 👋', ' and "more"\n', 'at the end.'),
  'two texts': [...text('m1', 'One.'), ...text('m2', 'Two.')],
  'a text in chunks': [
    { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm1', role: 'assistant', delta: 'One, ' },
    { type: 'TEXT_MESSAGE_CHUNK', delta: 'two.' },
    { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm2', delta: 'Three.' },
  ],
  'texts at the same time': [
    { type: 'TEXT_MESSAGE_START', messageId: 'm1', role: 'assistant' },
    { type: 'TEXT_MESSAGE_START', messageId: 'm2', role: 'assistant' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'a' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm2', delta: 'b' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'c' },
    { type: 'TEXT_MESSAGE_END', messageId: 'm1' },
    { type: 'TEXT_MESSAGE_END', messageId: 'm2' },
  ],
  'a tool of the server': [
    ...text('m1', 'I look.'),
    ...called('c1', 'search', { q: 'tea', n: 2 }, { parent: 'm1', result: '[{"name":"green"}]' }),
    ...text('m2', 'Green.'),
  ],
  'tools of the server in parallel, with results that come late': [
    ...called('c1', 'search', { q: 'a' }, { parent: 'm0' }),
    ...called('c2', 'search', { q: 'b' }, { parent: 'm0' }),
    { type: 'TOOL_CALL_RESULT', messageId: 'r2', toolCallId: 'c2', content: 'B', role: 'tool' },
    { type: 'TOOL_CALL_RESULT', messageId: 'r1', toolCallId: 'c1', content: 'A', role: 'tool' },
    ...text('m1', 'Both.'),
  ],
  'a tool of the server without a message': [
    ...called('c1', 'search', {}, { result: 'nothing' }),
    ...text('m1', 'Nothing.'),
  ],
  'a call in chunks': [
    { type: 'TOOL_CALL_CHUNK', toolCallId: 'c1', toolCallName: 'search', parentMessageId: 'm0', delta: '{"q":' },
    { type: 'TOOL_CALL_CHUNK', delta: '"tea"}' },
    { type: 'TOOL_CALL_RESULT', messageId: 'r1', toolCallId: 'c1', content: 'tea', role: 'tool' },
    ...text('m1', 'Tea.'),
  ],
  'a start that is said twice': [
    ...called('c1', 'search', { q: 'tea' }, { parent: 'm0', result: 'tea' }),
    { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'search', parentMessageId: 'm0' },
    { type: 'TOOL_CALL_END', toolCallId: 'c1' },
    ...text('m1', 'Tea.'),
  ],
  reasoning: [...thought('r1', 'They want ', 'tea.'), ...text('m1', 'Tea.')],
  'encrypted reasoning': [
    ...thought('r1', 'Hm.'),
    { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'r1', encryptedValue: 'c2VjcmV0' },
    ...text('m1', 'Tea.'),
  ],
  'steps, activities and events of its own': [
    { type: 'STEP_STARTED', stepName: 'plan' },
    { type: 'ACTIVITY_SNAPSHOT', messageId: 'a1', activityType: 'PLAN', content: { steps: [] } },
    { type: 'CUSTOM', name: 'mine', value: { a: 1 } },
    { type: 'RAW', event: { b: 2 } },
    { type: 'STEP_FINISHED', stepName: 'plan' },
    ...text('m1', 'Done.'),
  ],
  'state with patches of each kind': [
    { type: 'STATE_SNAPSHOT', snapshot: { list: [1, 2, 3], deep: { 'a/b': 1, 'c~d': 2 }, text: 'x' } },
    delta({ op: 'add', path: '/list/1', value: 9 }, { op: 'remove', path: '/list/0' }),
    delta({ op: 'replace', path: '/deep/a~1b', value: { z: null } }, { op: 'remove', path: '/deep/c~0d' }),
    delta({ op: 'copy', from: '/list', path: '/copied' }, { op: 'move', from: '/text', path: '/deep/text' }),
    delta({ op: 'test', path: '/deep/text', value: 'x' }, { op: 'add', path: '/list/-', value: [] }),
    // Left out by both, as a whole.
    delta({ op: 'add', path: '/new', value: 1 }, { op: 'test', path: '/list/0', value: 'other' }),
    delta({ op: 'remove', path: '/missing' }),
    ...text('m1', 'Done.'),
  ],
  'a snapshot of what was not streamed': [
    {
      type: 'MESSAGES_SNAPSHOT',
      messages: [
        { id: 'u1', role: 'user', content: 'Hi' },
        {
          id: 'm1',
          role: 'assistant',
          content: 'I look.',
          toolCalls: [{ id: 'c1', type: 'function', function: { name: 'search', arguments: '{"q":"tea"}' } }],
        },
        { id: 'r1', role: 'tool', toolCallId: 'c1', content: 'tea' },
        { id: 'm2', role: 'assistant', content: 'Tea.' },
      ],
    },
  ],
  'a snapshot that repeats what was streamed': [
    ...text('m1', 'Tea.'),
    {
      type: 'MESSAGES_SNAPSHOT',
      messages: [
        { id: 'u1', role: 'user', content: 'Hi' },
        { id: 'm1', role: 'assistant', content: 'Tea.' },
      ],
    },
  ],
  'an agent inside of the run': [
    ...text('m1', 'Inner words.').map((event) => ({ ...event, subagentRunId: 's1' })),
    ...text('m2', 'Outer words.'),
  ],
}

const bodyOf = (events: readonly JsonObject[]): string =>
  [begin, ...events, finish].map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')

const request: ModelRequest = {
  model: '',
  system: '',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
  tools: [],
  toolChoice: 'auto',
  conversation: { id: 'thread', state: {} },
}

interface Reading {
  readonly message: AssistantMessage
  readonly state: JsonValue | undefined
  readonly finish: string
}

/** What the adapter makes of a body in pieces. The boundaries of fences and times are random. */
async function readInPieces(body: string, cuts: Iterable<number>): Promise<Reading> {
  const options = { endpoint: 'http://agent/', headers: async () => ({}), credentials: 'omit', stream: true } as const
  const fetched = inPieces(new TextEncoder().encode(body), cuts)
  const model = agUi({ ...options, limits: { responseBytes: 1e6 }, fetch: fetched, linger: 0 })
  const collector = new AnswerCollector(() => (text) => text, 100)
  for await (const part of model.stream(request, new AbortController().signal)) collector.add(part)
  const taken = new Set<string>()
  const parts = collector.parts((call) =>
    readCalls([call], new Map(), { taken, isComplete: true, create: () => 'new' }),
  )
  const { finish: reason, state } = collector
  const text = JSON.stringify(parts, (key, value: unknown) => (key === 'endedAt' ? 0 : value))
  const stable = text.replace(/untrusted-[0-9a-f]{16}/g, 'untrusted-0')
  const message: AssistantMessage = { id: 'msg', role: 'assistant', at: 0, parts: JSON.parse(stable) as never }
  return { message, state, finish: reason }
}

/** The messages of the next run, and its state. */
function nextInput({ message, state = {} }: Reading): JsonObject {
  const session = {
    ...emptySession('thread', '', 0),
    messages: [{ id: 'u', role: 'user', at: 0, parts: [{ type: 'text', text: 'Hi' }] } as const, message],
  }
  const settings = { model: '', instructions: '', tools: [], toolChoice: 'auto', reminder: false } as const
  const { messages } = buildRequest(session, settings)
  // Without the request to go on, which follows an answer.
  const said = messages.filter(({ role }, index) => role !== 'user' || index === 0)
  const next = { ...request, messages: said, conversation: { id: 'thread', state } }
  return runInput(next)
}

/** Results of parallel calls in the order of their calls, as every model gets them; theirs are in the order of arrival. */
function inCallOrder(messages: readonly JsonObject[]): JsonObject[] {
  const place = new Map(
    messages.flatMap((message, index) => [
      [message['id'], index] as const,
      ...((message['toolCalls'] ?? []) as { id: string }[]).map(
        ({ id }, call) => [id, index + (call + 1) / 100] as const,
      ),
    ]),
  )
  const placeOf = ({ id, role, toolCallId }: JsonObject): number => place.get(role === 'tool' ? toolCallId : id) ?? NaN
  return messages.toSorted((one, other) => placeOf(one) - placeOf(other))
}

test('after each run, the next one has the messages and the state that their client has', async () => {
  const names = Object.keys(runs)
  const bodies = names.map((name) => bodyOf(runs[name]!))
  const inputs = await Promise.all(bodies.map(async (body) => nextInput(await readInPieces(body, []))))
  const before = runInput(request)
  const { faults, results } = readWithAgUi(
    [before, ...inputs],
    bodies.map((body) => ({ messages: [{ id: 'u1', role: 'user', content: 'Hi' }], state: {}, body })),
  )
  expect(faults).toEqual([before, ...inputs].map(() => ''))
  const theirs = results.map(({ messages, state, error }, index) => ({
    name: names[index],
    error,
    state,
    // Activities are for views, and reasoning goes back only where a provider has encrypted it.
    messages: inCallOrder(
      messages.slice(1).filter(({ role, encryptedValue }) => {
        return role !== 'activity' && (role !== 'reasoning' || encryptedValue !== undefined)
      }),
    ),
  }))
  const ours = inputs.map(({ state, messages }, index) => ({
    name: names[index],
    error: undefined,
    state,
    messages: (messages as readonly JsonObject[]).slice(1),
  }))
  expect(ours).toEqual(theirs)
})

for (const [name, events] of Object.entries(runs))
  test(`every cut of the bytes gives the same answer: ${name}`, async () => {
    const body = bodyOf(events)
    const whole = await readInPieces(body, [])
    expect(whole.finish).toMatch(/^(stop|tool-calls)$/)
    const { length } = new TextEncoder().encode(body)
    for (let cut = 1; cut < length; cut++) expect(await readInPieces(body, [cut])).toEqual(whole)
    expect(
      await readInPieces(
        body,
        Array.from({ length }, (_none, index) => index),
      ),
    ).toEqual(whole)
  })

test('a patch leaves the document as it was, and refuses what names a prototype', () => {
  const document = { a: { b: [1] } } as const
  expect(patched(document, [{ op: 'add', path: '/a/b/0', value: 0 }])).toEqual({ a: { b: [0, 1] } })
  expect(document).toEqual({ a: { b: [1] } })
  const add = (path: string) => [{ op: 'add', path, value: 1 }]
  for (const path of [
    '/__proto__/x',
    '/a/constructor',
    '/a/b/prototype',
    '/toString/x',
    '/a/b/3',
    '/a/b/01',
    'a',
    '/~2',
  ])
    expect(patched(document, add(path)), path).toBeUndefined()
  expect(patched(document, [{ op: 'move', from: '/a', path: '/a/b/0' }])).toBeUndefined()
  expect(patched(document, [{ op: 'remove', path: '' }])).toBeUndefined()
  expect(patched(document, [{ op: 'replace', path: '', value: 1 }])).toBe(1)
  expect(patched(document, { op: 'add' })).toBeUndefined()
})
