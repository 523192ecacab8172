// The todo list and its reminder.
import { parseTodos, renderTodos } from '../../../../src/core/data/todo.js'
import { buildRequest } from '../../../../src/core/prompt/request.js'
import { defaultReminder } from '../../../../src/core/data/tool.js'
import { toolCallsOf } from '../../../../src/core/data/message.js'
import { expect, test, until } from '../../../support/lab/lab.js'
import { messagesOf, resultsOf, toolNames } from '../../../support/lab/requests.js'

const items = (...texts: string[]) => ({
  items: texts.map((text, index) => ({ text, status: index === 0 ? 'in_progress' : 'pending' })),
})
const write = (...texts: string[]) => ({ calls: [{ name: 'todo_write', arguments: items(...texts) }] })
const tick = (n: number) => ({ calls: [{ name: 'tick', arguments: { n } }] })
const clock = {
  name: 'tick',
  description: 'Ticks',
  inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
  execute: ({ n }: { n: number }) => `tick ${n}`,
}
const reminder = '<reminder>Update your todos.</reminder>'

test('replaces the whole list, or keeps the old one and reports one error', { tag: '@R4.1' }, () => {
  const error = (input: unknown) => parseTodos(input as never).error
  expect(error({ items: Array.from({ length: 21 }, () => ({ text: 'x' })) })).toBe('Max 20 todos allowed')
  expect(error({ items: [{ text: 'a' }, { text: '  ' }] })).toBe('Item 2: text required')
  expect(error({ items: [{ text: 'a' }, { text: 'b', status: 'x' }] })).toBe("Item 2: invalid status 'x'")
  expect(error({ items: [{ text: 'a', id: '2' }, { text: 'b' }] })).toBe('Item 2: id used twice')
  expect(
    error({
      items: [
        { text: 'a', status: 'in_progress' },
        { text: 'b', status: 'IN_PROGRESS' },
      ],
    }),
  ).toBe('Only one task can be in_progress at a time')
  expect(parseTodos({ items: null }).todos).toEqual([])
  expect(
    parseTodos({
      items: [
        { text: ' a ', status: ' Completed ' },
        { id: 'x', text: 'b' },
      ],
    }).todos,
  ).toEqual([
    { id: '1', text: 'a', status: 'completed' },
    { id: 'x', text: 'b', status: 'pending' },
  ])
})

test('todo_write without items is an error and keeps the list', async ({ lab }) => {
  for (const args of ['{"todos":[{"text":"b"}]}', '{}', '']) {
    const { agent, endpoint } = await lab.start([
      write('a'),
      { calls: [{ name: 'todo_write', arguments: args }] },
      { text: 'ok' },
      { text: '' },
    ])
    const { toolExecutions } = await agent.send('Go')
    expect(toolExecutions[1]?.error?.code, args).toBe('invalid-input')
    expect(resultsOf(endpoint.requests[2])[1], args).toContain('items: expected the whole list')
    expect(
      agent.todos.map(({ text }) => text),
      args,
    ).toEqual(['a'])
  }
})

test('an empty list and null clear the list', () => {
  expect(parseTodos({ items: [] }).todos).toEqual([])
  expect(parseTodos({ items: null }).todos).toEqual([])
})

test('accepts numbers as text, and errors name the position of the item', () => {
  expect(parseTodos({ items: [{ id: 2, text: 2026 }] }).todos).toEqual([{ id: '2', text: '2026', status: 'pending' }])
  expect(
    parseTodos({
      items: [
        { id: 7, text: 'a' },
        { id: '7', text: 'b' },
      ],
    }).error,
  ).toBe('Item 2: id used twice')
})

test('renders one line per item and a count', { tag: '@R4.1' }, () => {
  expect(
    renderTodos([
      { id: '1', text: 'a', status: 'completed' },
      { id: '2', text: 'b', status: 'in_progress' },
      { id: '3', text: 'c', status: 'pending' },
    ]),
  ).toBe('[x] #1: a\n[>] #2: b\n[ ] #3: c\n(1/3 completed)')
})

test('stores the list in the session, emits it as an event, and reads it back', { tag: '@R4.1' }, async ({ lab }) => {
  const { agent, endpoint, events } = await lab.start([
    write('a', 'b'),
    { calls: [{ name: 'todo_read', arguments: {} }] },
    { calls: [{ name: 'todo_write', arguments: { items: null } }] },
    { calls: [{ name: 'todo_read', arguments: {} }] },
    { text: 'ok' },
  ])
  await agent.send('Go')
  const list = '[>] #1: a\n[ ] #2: b\n(0/2 completed)'
  expect(resultsOf(endpoint.requests[4])).toEqual([list, list, 'No todos.', 'No todos.'])
  expect(agent.todos).toEqual([])
  expect(events.filter((event) => event.type === 'todos-change')).toHaveLength(2)
})

test('rejects two writes in one step and keeps the list', { tag: ['@C92', '@R4.1'] }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start([
    write('a'),
    { calls: [...write('b').calls, ...write('c').calls] },
    { text: 'ok' },
    { text: '' },
  ])
  await agent.send('Go')
  expect(
    resultsOf(endpoint.requests[2])
      .slice(1)
      .every((text) => /invalid-input.*one call per step/.test(text)),
  ).toBe(true)
  expect(agent.todos.map((todo) => todo.text)).toEqual(['a'])
})

test(
  'reminds after every three rounds without a write, in the first result',
  { tag: ['@C45', '@R4.2'] },
  async ({ lab }) => {
    const { agent, endpoint, stored } = await lab.start([
      write('a', 'b'),
      ...[1, 2, 3, 4, 5, 6].map(tick),
      { calls: [{ name: 'todo_write', arguments: { items: [] } }] },
      { text: 'ok' },
    ])
    agent.registerTool(clock)
    await agent.send('Go')
    const reminded = endpoint.requests.map((request) => resultsOf(request).findIndex((text) => text.includes(reminder)))
    expect(reminded).toEqual([-1, -1, -1, -1, 3, 3, 3, 3, 3])
    expect(resultsOf(endpoint.requests[4])[3]).toBe(`${reminder}\ntick 3`)
    // What was sent stays, also in what later turns send.
    const last = resultsOf(endpoint.requests.at(-1))
    expect(last.flatMap((text, index) => (text.includes(reminder) ? [index] : []))).toEqual([3, 6])
    for (const [index, request] of endpoint.requests.entries()) expect(last.slice(0, index)).toEqual(resultsOf(request))
    expect(JSON.stringify((await stored())?.messages)).toContain('<reminder>')
  },
)

test('only a successful write resets the reminder', { tag: ['@C94', '@C95', '@R4.2'] }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start([
    write('a'),
    tick(1),
    { calls: [{ name: 'todo_write', arguments: { items: [{ text: '' }] } }] },
    tick(2),
    { calls: [{ name: 'tick', arguments: { n: 3 } }, ...write('a').calls] },
    tick(4),
    tick(5),
    { calls: [{ name: 'todo_write', arguments: { items: null } }] },
    { text: 'ok' },
  ])
  agent.registerTool(clock)
  await agent.send('Go')
  expect(endpoint.requests.map((request) => request.raw.includes('<reminder>'))).toEqual([
    false,
    false,
    false,
    false,
    true,
    true,
    true,
    true,
    true,
  ])
  const [, , , , reminded, ...later] = endpoint.requests.map((request) => request.raw.split('<reminder>').length)
  expect(later).toEqual([reminded, reminded, reminded, reminded])
})

test('the reminder depends on open items, the todo option and its threshold', { tag: '@R4.2' }, async ({ lab }) => {
  const done = { calls: [{ name: 'todo_write', arguments: { items: [{ text: 'a', status: 'completed' }] } }] }
  const script = [done, tick(1), tick(2), tick(3), { text: 'ok' }]
  const { agent, endpoint } = await lab.start(script)
  agent.registerTool(clock)
  await agent.send('Go')
  expect(endpoint.requests.some((request) => request.raw.includes('<reminder>'))).toBe(false)

  const off = await lab.start([tick(1), { text: 'ok' }], { todo: false })
  off.agent.registerTool(clock)
  await off.agent.send('Go')
  expect(toolNames(off.endpoint.requests[0])).toEqual(['tick'])

  const own = await lab.start(
    [write('a'), tick(1), { calls: [{ name: 'todo_write', arguments: { items: null } }] }, { text: 'ok' }],
    { todo: { afterRounds: 1, text: 'Mind the list!' } },
  )
  own.agent.registerTool(clock)
  await own.agent.send('Go')
  expect(resultsOf(own.endpoint.requests[2])[1]).toBe('Mind the list!\ntick 1')
})

test(
  'an answer with an item in progress causes one extra call, for todo_write only',
  { tag: '@R4.3' },
  async ({ lab }) => {
    const { agent, endpoint } = await lab.start([
      write('a'),
      { text: 'All done.' },
      {
        text: 'I will update',
        calls: [{ name: 'todo_write', arguments: { items: [{ text: 'a', status: 'completed' }] } }],
      },
      { text: 'And now this' },
    ])
    const result = await agent.send('Go')
    expect(result).toMatchObject({ reason: 'stop', text: 'All done.' })
    // All tools, so that the request begins like the one before.
    expect(toolNames(endpoint.requests[2])).toEqual(['todo_write', 'todo_read'])
    expect(messagesOf(endpoint.requests[2]).at(-1)).toMatchObject({ role: 'user' })
    expect(String(messagesOf(endpoint.requests[2]).at(-1)?.['content'])).toContain('<reminder>')
    expect(agent.todos[0]?.status).toBe('completed')
    expect(JSON.stringify(agent.messages)).not.toContain('I will update')
    // The reminder stays between the answer and the call.
    await agent.send('Next')
    const sent = messagesOf(endpoint.requests[2])
    expect(messagesOf(endpoint.requests[3]).slice(0, sent.length)).toEqual(sent)
    expect(messagesOf(endpoint.requests[3])[sent.length]).toMatchObject({ role: 'assistant', tool_calls: [{}] })
  },
)

test('makes the extra call once per turn, and not after a direct result', { tag: '@R4.3' }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start([
    write('a'),
    { text: 'Done.' },
    { text: 'No need.' },
    { calls: [{ name: 'show', arguments: {} }] },
  ])
  agent.registerTool({ name: 'show', description: 'Shows', returnDirect: true, execute: () => 'shown' })
  expect((await agent.send('Go')).text).toBe('Done.')
  expect((await agent.send('Show')).reason).toBe('direct')
  expect(endpoint.requests).toHaveLength(4)
})

test('a rejected write keeps the list and reports the reason to the model', { tag: '@R4.1' }, async ({ lab }) => {
  const bad = {
    calls: [{ name: 'todo_write', arguments: { items: [{ text: 'kept?' }, { text: 'b', status: 'paused' }] } }],
  }
  const { agent, endpoint } = await lab.start([write('a'), bad, { text: 'ok' }, { text: '' }])
  await agent.send('Go')
  expect(resultsOf(endpoint.requests[2])[1]).toBe("Error (invalid-input): Item 2: invalid status 'paused'")
  expect(agent.todos).toEqual([{ id: '1', text: 'a', status: 'in_progress' }])
})

test(
  'counts rounds across turns and reloads, and does not remind on a new message',
  { tag: '@R4.2' },
  async ({ lab }) => {
    const first = await lab.start(
      [write('a'), tick(1), { text: 'ok' }, { text: '' }, tick(2), { text: 'ok' }, { text: '' }],
      { sessionId: 'rounds' },
    )
    first.agent.registerTool(clock)
    await first.agent.send('Go')
    await first.agent.send('On')
    void first.agent.close()
    const second = await lab.start([], { sessionId: 'rounds', store: first.store, endpointServer: first.endpoint })
    second.agent.registerTool(clock)
    first.endpoint.push(tick(3), { text: 'ok' }, { text: '' })
    await second.agent.send('And on')
    const inResults = second.endpoint.requests.map((request) => resultsOf(request).at(-1)?.includes(reminder) ?? false)
    expect(inResults).toEqual([false, false, false, false, false, false, false, false, true, true])
    first.endpoint.push({ text: 'You are welcome' })
    await second.agent.send('Thanks')
    expect(messagesOf(second.endpoint.requests.at(-1)).at(-1)?.['content']).toBe('Thanks')
  },
)

test('puts the reminder into the first result only, before the fence', { tag: '@R4.2' }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start(
    [
      write('a'),
      { calls: [...tick(1).calls, ...tick(2).calls] },
      { calls: [{ name: 'todo_write', arguments: { items: null } }] },
      { text: 'ok' },
    ],
    { todo: { afterRounds: 1 } },
  )
  agent.registerTool({ ...clock, annotations: { untrustedContentHint: true } })
  await agent.send('Go')
  expect(resultsOf(endpoint.requests[2])[1]).toMatch(
    /^<reminder>Update your todos\.<\/reminder>\n<untrusted-[0-9a-f]+>\ntick 1\n/,
  )
  expect(resultsOf(endpoint.requests[2])[2]).toMatch(/^<untrusted-[0-9a-f]+>\ntick 2\n/)
})

test('does not remind if todo_write is not offered', { tag: '@R4.2' }, async ({ lab }) => {
  const { agent } = await lab.start([write('a'), tick(1), tick(2), tick(3), { text: 'ok' }, { text: '' }])
  agent.registerTool(clock)
  await agent.send('Go')
  // As if the answers after the results had not come, whose requests have the reminder.
  const messages = agent.messages.slice(
    0,
    agent.messages.findLastIndex((message) => toolCallsOf(message).length > 0) + 1,
  )
  const session = { ...agent.session!, messages }
  const tools = ['todo_write', 'tick'].map((name) => ({
    name,
    description: name,
    inputSchema: {},
    annotations: {},
    exclusive: false,
    timeout: 0,
    maxRetries: 0,
    returnDirect: false,
    hash: 'h',
  }))
  const reminded = (offer: typeof tools) =>
    JSON.stringify(
      buildRequest(session, {
        model: 'm',
        instructions: '',
        tools: offer,
        toolChoice: 'auto',
        reminder: defaultReminder,
      }),
    ).includes(reminder)
  expect([reminded(tools), reminded(tools.slice(1))]).toEqual([true, false])
})

test('makes no extra call in a turn that ran no tool', { tag: '@R4.3' }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start([
    write('a'),
    { text: 'ok' },
    { text: '' },
    { text: 'just words' },
    { calls: [{ name: 'nope', arguments: {} }] },
    { text: 'no such tool' },
  ])
  await agent.send('Go')
  expect((await agent.send('Hello')).text).toBe('just words')
  expect((await agent.send('Do it')).text).toBe('no such tool')
  expect(endpoint.requests).toHaveLength(6)
})

test('makes no extra call after a stop or a limit', { tag: '@R4.3' }, async ({ lab }) => {
  const limited = await lab.start([write('a')], { limits: { steps: 1 } })
  expect((await limited.agent.send('Go')).reason).toBe('max-steps')
  const { agent, endpoint } = await lab.start([write('a'), tick(1)])
  agent.registerTool({ ...clock, execute: () => new Promise(() => undefined) })
  const turn = agent.send('Go')
  await until(agent, () => toolCallsOf(agent.messages.at(-1)).some((part) => part.started))
  agent.stop()
  expect((await turn).reason).toBe('stopped')
  expect(endpoint.requests).toHaveLength(2)
})

test('makes one extra call, even if it leaves an item in progress', { tag: '@R4.3' }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start([write('a'), { text: 'Done.' }, write('a', 'b')])
  expect((await agent.send('Go')).text).toBe('Done.')
  expect(endpoint.requests).toHaveLength(3)
  expect(agent.todos).toHaveLength(2)
})
