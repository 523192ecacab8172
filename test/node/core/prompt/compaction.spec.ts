// Long conversations: what a request leaves out, and the summary that replaces older turns. The transcript stays whole.
import { compact, estimateTokens } from '../../../../src/core/prompt/compaction.js'
import { countChars } from '../../../../src/core/prompt/request-size.js'
import type { TurnDeps } from '../../../../src/core/loop/turn-deps.js'
import type { AgentEvent } from '../../../../src/core/data/event.js'
import type { JsonObject } from '../../../../src/core/data/json.js'
import { textOf } from '../../../../src/core/data/message.js'
import type { Message } from '../../../../src/core/data/message.js'
import type { ModelRequest } from '../../../../src/core/data/model.js'
import { reduce } from '../../../../src/core/state/reduce.js'
import { buildRequest, summaryCut } from '../../../../src/core/prompt/request.js'
import { emptySession, type Session } from '../../../../src/core/data/session.js'
import { sessionHeadOf } from '../../../../src/core/state/store.js'
import { memoryStore } from '../../../../src/host/store/memory-store.js'
import type { Reply } from '../../../support/lab/endpoint.js'
import { deferred, expect, test, until } from '../../../support/lab/lab.js'
import { messagesOf, resultsOf, toolNames } from '../../../support/lab/requests.js'

const call = (id: string, name: string, args: JsonObject = {}) => ({ id, name, arguments: args })
const removedResult = '[This result was removed'
const isNote = (body: JsonObject): boolean => JSON.stringify(body).includes('Summarize this conversation')
const long = 'A line of a report that nobody needs twice. '.repeat(40)
const reads = (count: number) =>
  Array.from({ length: count }, (_, index): Reply => ({ calls: [call(`r${index}`, 'read', { page: index })] }))
const read = {
  name: 'read',
  description: 'Reads a page of a report',
  inputSchema: { type: 'object', properties: { page: { type: 'number' } } },
  execute: ({ page }: { page: number }) => `${page}: ${long}`,
} as const

test('leaves nothing out without a limit', { tag: '@R6.8' }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start([...reads(8), { text: 'done' }])
  agent.registerTool(read)
  await agent.send('Read all')
  expect(resultsOf(endpoint.requests.at(-1)).map((text) => text.slice(0, 3))).toEqual([
    '0: ',
    '1: ',
    '2: ',
    '3: ',
    '4: ',
    '5: ',
    '6: ',
    '7: ',
  ])
})

test('a session of 10,000 messages sends at most 100,000 tokens by default', { tag: '@R6.8' }, async ({ lab }) => {
  const memory = memoryStore()
  const reads: [from: number, to: number][] = []
  const store = {
    ...memory,
    async read(id: string, limit: number) {
      const session = await memory.read(id, limit)
      if (session && session.messages.length > 0) reads.push([session.start, session.start + session.messages.length])
      return session
    },
  }
  const said = Array.from({ length: 10_000 }, (_, at): Message => {
    const parts = [{ type: 'text', text: `Number ${at}: ${'word '.repeat(30)}` }] as const
    return at % 2 ? { id: `m${at}`, role: 'assistant', parts, at } : { id: `m${at}`, role: 'user', parts, at }
  })
  const { epoch } = await store.claim('vast', 0)
  await store.commit('vast', epoch, {
    head: sessionHeadOf({ ...emptySession('vast', '', 1), epoch, messages: said }),
    messages: said.map((message, index) => ({ index, message })),
  })
  const handler = (body: JsonObject): Reply => (isNote(body) ? { text: 'They counted.' } : { text: 'ok' })
  const first = await lab.start(handler, { store, sessionId: 'vast' })
  await first.agent.send('Go on')
  for (const { raw } of first.endpoint.requests) expect(raw.length).toBeLessThan(400_000)
  const newest = first.endpoint.requests.at(-1)?.raw ?? ''
  expect(newest).toContain('They counted.')
  expect(newest).toContain('Number 9999')
  expect(newest).not.toContain('Number 1:')
  await first.agent.close()

  // The next host reads back what follows the summary, and not the rest.
  reads.splice(0)
  const second = await lab.start(handler, { store, sessionId: 'vast' })
  await second.agent.send('And on')
  const { upTo } = (await memory.read('vast', 0))?.note ?? {}
  expect(upTo).toBeGreaterThan(5_000)
  expect(Math.min(...reads.map(([from]) => from))).toBe(upTo)
  expect(second.endpoint.requests).toHaveLength(1)
})

test('leaves out old results first and keeps the last three', { tag: '@R6.8' }, async ({ lab }) => {
  const { agent, endpoint, events } = await lab.start([...reads(8), { text: 'done' }], {
    contextWindow: { tokens: 3_000 },
  })
  agent.registerTool(read)
  await agent.send('Read all')
  const removed = endpoint.requests.map((request) => resultsOf(request).map((text) => text.startsWith(removedResult)))
  // The oldest are left out, and the newest three never.
  for (const one of removed) expect(one).toEqual([...one].sort((first, second) => Number(second) - Number(first)))
  for (const one of removed) expect(one.slice(-3)).not.toContain(true)
  // Old results are left out in batches: between two of them, what was sent stays.
  const counts = removed.map((one) => one.filter(Boolean).length)
  const batches = events.filter(({ type }) => type === 'clear').length
  expect(new Set(counts).size).toBe(batches + 1)
  expect(batches).toBeLessThan(4)
  expect(counts.at(-1)).toBeGreaterThan(2)
  // The first requests fitted.
  expect(resultsOf(endpoint.requests[2]).every((text) => text.includes('report'))).toBe(true)
  expect(JSON.stringify(agent.messages)).not.toContain('left out')
})

test('a reload and a mirror leave out the same results', { tag: '@R6.8' }, async ({ lab }) => {
  const first = await lab.start([...reads(8), { text: 'done' }], {
    contextWindow: { tokens: 3_000 },
    sessionId: 'same',
  })
  first.agent.registerTool(read)
  await first.agent.send('Read all')
  const before = resultsOf(first.endpoint.requests.at(-1))
  await first.agent.close()
  const second = await lab.start([{ text: 'ok' }], {
    contextWindow: { tokens: 3_000 },
    sessionId: 'same',
    store: first.store,
  })
  second.agent.registerTool(read)
  await second.agent.send('And?')
  expect(resultsOf(second.endpoint.requests[0])).toEqual(before)
})

test('contextWindow.keepResults sets how many results are kept', { tag: '@R6.8' }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start([...reads(6), { text: 'done' }], {
    contextWindow: { tokens: 1_500, keepResults: 1 },
  })
  agent.registerTool(read)
  await agent.send('Read all')
  expect(resultsOf(endpoint.requests.at(-1)).filter((text) => text.includes('report'))).toHaveLength(1)
})

test('then replaces older turns with a fenced summary', { tag: ['@R6.8', '@C61'] }, async ({ lab }) => {
  let notes = 0
  const { agent, endpoint, events } = await lab.start(
    (body) => {
      if (isNote(body)) return { text: `Note ${++notes}: the user likes tea.` }
      const { length } = body['messages'] as unknown[]
      return length < 3 && JSON.stringify(body).includes('Plan')
        ? { calls: [call('t', 'todo_write', { items: [{ text: 'Brew' }] }), call('k', 'keep')] }
        : { text: long }
    },
    { contextWindow: { tokens: 1_800 }, instructions: 'Be kind.' },
  )
  agent.registerTool({
    name: 'keep',
    description: 'Keeps something in the context',
    execute: (_: unknown, run) => {
      run.remember('cup', 'blue')
      return 'kept'
    },
  })
  await agent.send('Plan the tea')
  for (const text of ['First', 'Second', 'Third', 'Fourth']) await agent.send(text)
  expect(notes).toBeGreaterThan(0)
  const noted = endpoint.requests.filter(({ body }) => body && isNote(body))
  expect(noted[0]?.body?.['tools']).toBeUndefined()
  expect(String(messagesOf(noted[0])[1]?.['content'])).toContain('User: Plan the tea')
  const last = messagesOf(endpoint.requests.at(-1))
  expect(last[0]).toMatchObject({ role: 'system', content: expect.stringContaining('Be kind.') })
  expect(String(last[0]?.['content'])).not.toContain('likes tea')
  expect(String(last[1]?.['content'])).toMatch(
    /^Notes on the conversation so far:\n<untrusted-(\w+)>\nNote \d: the user likes tea\.\n<\/untrusted-\1>$/,
  )
  // What is left begins with a user's message and holds the newest.
  expect(last[2]).toMatchObject({ role: 'user' })
  expect(last.at(-1)).toMatchObject({ role: 'user', content: 'Fourth' })
  expect(agent.todos).toHaveLength(1)
  expect(agent.session?.context).toEqual({ cup: 'blue' })
  expect(agent.messages.filter((message) => message.role === 'user')).toHaveLength(5)
  expect(agent.messages.filter((message) => message.role === 'summary').length).toBe(notes)
  expect(events.filter((event) => event.type === 'compact')).toHaveLength(notes)
})

test(
  'a context-overflow error compacts once, and a second one ends the turn',
  { tag: ['@F54', '@R6.8'] },
  async ({ lab }) => {
    const tooLong: Reply = {
      status: 400,
      body: {
        error: { message: 'This model’s maximum context length is 8192 tokens', code: 'context_length_exceeded' },
      },
    }
    const { agent, endpoint } = await lab.start([
      { text: 'one' },
      tooLong,
      { text: 'A note.' },
      { text: 'two' },
      tooLong,
      { text: 'Another.' },
      tooLong,
    ])
    await agent.send('First')
    expect(await agent.send('Second')).toMatchObject({ text: 'two', steps: 1 })
    expect(
      messagesOf(endpoint.requests[3])
        .slice(1)
        .map(({ content }) => String(content).replace(/untrusted-\w+/g, 'x')),
    ).toEqual(['Notes on the conversation so far:\n<x>\nA note.\n</x>', 'Second'])
    await expect(agent.send('Third')).rejects.toMatchObject({ code: 'context-overflow' })
    expect(endpoint.requests).toHaveLength(7)
  },
)

test('passes the summary request through beforeModel', { tag: '@R6.8' }, async ({ lab }) => {
  const tooLong: Reply = {
    status: 400,
    body: { error: { message: 'This model’s maximum context length is 8192 tokens', code: 'context_length_exceeded' } },
  }
  const { agent, endpoint } = await lab.start([{ text: 'one' }, tooLong, { text: 'A note.' }, { text: 'two' }], {
    hooks: { beforeModel: (request) => JSON.parse(JSON.stringify(request).replaceAll('4711', '****')) as ModelRequest },
  })
  await agent.send('My PIN is 4711')
  await agent.send('Second')
  expect(endpoint.requests.map(({ raw }) => /4711|\*{4}/.exec(raw)?.[0])).toEqual(['****', '****', '****', undefined])
})

test('a stop after a summary sets the reason on the last message before it', { tag: '@R6.8' }, async ({ lab }) => {
  const hold = deferred()
  let asked = 0
  const { agent } = await lab.start(
    (body) => {
      if (isNote(body)) return { text: 'A note.' }
      if ((body['messages'] as JsonObject[]).at(-1)?.['role'] === 'tool')
        return { text: ['', 'never'], hold: hold.promise }
      return ++asked < 3 ? { text: long } : { calls: [call('a', 'read', { page: 1 })] }
    },
    { contextWindow: { tokens: 1_700 } },
  )
  agent.registerTool(read)
  await agent.send('First')
  await agent.send('Second')
  const sent = agent.send('Third')
  await until(agent, () => agent.messages.at(-1)?.role === 'summary' && agent.session?.draft !== undefined)
  agent.stop()
  expect(await sent).toMatchObject({ reason: 'stopped' })
  expect(agent.messages.slice(-2)).toMatchObject([{ role: 'assistant', reason: 'stopped' }, { role: 'summary' }])
  hold.resolve()
})

test('a turn resumed after a summary continues with the todo list call', { tag: '@R6.8' }, async ({ lab }) => {
  const tooLong: Reply = {
    status: 400,
    body: {
      error: { message: 'This model’s maximum context length is 8192 tokens', code: 'context_length_exceeded' },
    },
  }
  let refused = 0
  const handler = (body: JsonObject): Reply => {
    if (isNote(body)) return { text: 'A note.' }
    const messages = body['messages'] as JsonObject[]
    if (!JSON.stringify(messages).includes('Plan')) return { text: 'Hello.' }
    if (String(messages.at(-1)?.['content']).startsWith('<reminder>'))
      return ++refused === 1 ? tooLong : { calls: [call('u', 'todo_write', { items: null })] }
    return messages.at(-1)?.['role'] === 'tool'
      ? { text: 'Planned.' }
      : { calls: [call('t', 'todo_write', { items: [{ text: 'Brew', status: 'in_progress' }] })] }
  }
  const first = await lab.start(handler, { sessionId: 'note' })
  await first.agent.send('Hi')
  void first.agent.send('Plan the tea')
  await until(first.agent, () => first.events.some(({ type }) => type === 'compact'))
  first.kill()
  const second = await lab.start([], { store: first.store, sessionId: 'note', endpointServer: first.endpoint })
  await second.agent.connect()
  await until(second.agent, () => second.agent.status === 'idle')
  expect(toolNames(first.endpoint.requests.at(-1))).toEqual(['todo_write', 'todo_read'])
  expect(second.agent.session?.end?.reason).toBe('stop')
  expect(second.agent.todos).toEqual([])
  expect(second.agent.messages.filter((message) => textOf(message) === 'Planned.')).toHaveLength(1)
})

test('summarizes what the model read of each call, not its raw output', { tag: '@R6.8' }, async ({ lab }) => {
  const tooLong: Reply = {
    status: 400,
    body: {
      error: { message: 'This model’s maximum context length is 8192 tokens', code: 'context_length_exceeded' },
    },
  }
  const { agent, endpoint } = await lab.start(
    [
      { calls: [call('a', 'find'), call('b', 'show'), call('c', 'fail')] },
      { text: 'one' },
      tooLong,
      { text: 'A note.' },
      { text: 'two' },
    ],
    { onToolError: () => 'It failed.' },
  )
  agent.registerTool([
    {
      name: 'find',
      description: 'Finds a customer',
      execute: () => ({ secret: 'PIN 1234' }),
      toModelOutput: () => 'Shown to the user.',
    },
    {
      name: 'show',
      description: 'Shows a picture',
      execute: () => 'PIN 1234',
      toModelOutput: () => ({
        type: 'content',
        value: [
          { type: 'text', text: 'A picture:' },
          { type: 'file', mediaType: 'image/png', data: 'AAAA' },
        ],
      }),
    },
    {
      name: 'fail',
      description: 'Fails',
      execute: () => {
        throw new Error('PIN 1234')
      },
    },
  ])
  await agent.send('First')
  await agent.send('Second')
  expect(endpoint.requests.filter(({ raw }) => raw.includes('PIN 1234'))).toEqual([])
  expect(String(messagesOf(endpoint.requests[3])[1]?.['content'])).toContain(
    'Tool find({}) returned Shown to the user.\n' +
      'Tool show({}) returned A picture: [file]\nTool fail({}) returned It failed.',
  )
})

test('uses the user’s messages as the summary if the model fails', { tag: '@R6.8' }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start((body) => (isNote(body) ? { status: 500 } : { text: long }), {
    contextWindow: { tokens: 1_200 },
  })
  for (const text of ['I am Ada', 'Second', 'Third']) await agent.send(text)
  expect(String(messagesOf(endpoint.requests.at(-1))[1]?.['content'])).toContain('- I am Ada')
  expect(agent.status).toBe('idle')
})

/**
 * Counts four characters as a token, up to its context window: it reads only the end of the request and reports no
 * error.
 */
const cutAt = (window: number) => (body: JsonObject) => ({
  prompt_tokens: Math.min(window, Math.floor(JSON.stringify(body).length / 4)),
  completion_tokens: 5,
})

test('compacts if the endpoint silently truncates requests', { tag: ['@R6.8', '@C127'] }, async ({ lab }) => {
  const usage = cutAt(2_048)
  const { agent, endpoint } = await lab.start((body) =>
    isNote(body) ? { text: 'A note.' } : { text: long.repeat(4), usage: usage(body) },
  )
  for (const text of ['First', 'Second', 'Third']) await agent.send(text)
  expect(agent.session?.measured).toMatchObject({ tokens: 2_048, isCut: true })
  expect(JSON.stringify(endpoint.requests)).not.toContain('A note.')
  await agent.send('Fourth')
  expect(String(messagesOf(endpoint.requests.at(-1))[1]?.['content'])).toContain('A note.')
})

for (const [what, usage] of [
  ['a constant', { prompt_tokens: 500, completion_tokens: 5 }],
  ['a constant between two sizes of a window', { prompt_tokens: 2_500, completion_tokens: 5 }],
  ['a constant larger than the request', { prompt_tokens: 131_072, completion_tokens: 5 }],
  ['a constant of a few tokens', { prompt_tokens: 4, completion_tokens: 5 }],
] as const) {
  test(
    `an endpoint that reports ${what} for every request loses no tool result and no turn`,
    { tag: '@R6.8' },
    async ({ lab }) => {
      const { agent, endpoint } = await lab.start([
        { text: 'hello', usage },
        ...reads(8).map((reply) => ({ ...reply, usage })),
        { text: 'done', usage },
        { text: 'again', usage },
      ])
      agent.registerTool(read)
      for (const text of ['Hi', 'Read all', 'And?']) await agent.send(text)
      expect(resultsOf(endpoint.requests.at(-1)).map((text) => text.slice(0, 3))).toEqual([
        '0: ',
        '1: ',
        '2: ',
        '3: ',
        '4: ',
        '5: ',
        '6: ',
        '7: ',
      ])
      expect(
        messagesOf(endpoint.requests.at(-1))
          .filter(({ role }) => role === 'user')
          .map(({ content }) => content),
      ).toEqual(['Hi', 'Read all', 'And?'])
    },
  )
}

test('estimates by characters if the endpoint reports a constant count', { tag: '@R6.8' }, async ({ lab }) => {
  const usage = { prompt_tokens: 4, completion_tokens: 5 }
  const { agent, endpoint } = await lab.start(
    [...reads(8).map((reply) => ({ ...reply, usage })), { text: 'done', usage }],
    { contextWindow: { tokens: 3_000 } },
  )
  agent.registerTool(read)
  await agent.send('Read all')
  expect(resultsOf(endpoint.requests.at(-1)).filter((text) => text.startsWith(removedResult)).length).toBeGreaterThan(2)
})

test('leaves out all old results if the endpoint cuts requests silently', { tag: '@R6.8' }, async ({ lab }) => {
  // It counts at most its window, whatever it was sent.
  const usage = { prompt_tokens: 4_096, completion_tokens: 5 }
  const { agent, endpoint } = await lab.start([
    ...reads(9).map((reply) => ({ ...reply, usage })),
    { text: 'done', usage },
  ])
  agent.registerTool({ ...read, execute: ({ page }: { page: number }) => `${page}: ${long.repeat(2)}` })
  await agent.send('Read all')
  // One result can follow until the count shows again that the request was cut.
  const whole = resultsOf(endpoint.requests.at(-1)).filter((text) => !text.startsWith(removedResult))
  expect(whole.length).toBeLessThanOrEqual(4)
})

test('does not compact for an implausibly high token count', { tag: '@R6.8' }, async ({ lab }) => {
  const usage = { prompt_tokens: 50_000, completion_tokens: 5 }
  const { agent, endpoint } = await lab.start(
    [...reads(4).map((reply) => ({ ...reply, usage })), { text: 'done', usage }],
    { contextWindow: { tokens: 8_000 } },
  )
  agent.registerTool(read)
  await agent.send('Read all')
  expect(resultsOf(endpoint.requests.at(-1)).every((text) => text.includes('report'))).toBe(true)
})

test('counts cached tokens that are reported next to the prompt tokens', { tag: '@R6.8' }, async ({ lab }) => {
  const { agent } = await lab.start([
    { text: 'one', usage: { prompt_tokens: 4, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 1_840 } } },
    {
      text: 'two',
      usage: { prompt_tokens: 2_000, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 1_840 } },
    },
  ])
  const { usage } = await agent.send('First')
  expect(usage).toMatchObject({ inputTokens: 1_844, outputTokens: 5 })
  expect((await agent.send('Second')).usage).toMatchObject({ inputTokens: 2_000 })
})

test('does not count the bytes of images as text', { tag: '@R6.8' }, async ({ lab }) => {
  const data = 'A'.repeat(400_000)
  const { agent, endpoint } = await lab.start(
    [
      { calls: [call('p', 'picture')], usage: { prompt_tokens: 0, completion_tokens: 0 } },
      { text: 'a cat' },
      { text: 'yes' },
    ],
    { contextWindow: { tokens: 4_000 } },
  )
  agent.registerTool({
    name: 'picture',
    description: 'Takes a picture of the page',
    execute: () => 'x',
    toModelOutput: () => ({ type: 'content', value: [{ type: 'file', mediaType: 'image/png', data }] }),
  })
  await agent.send('What is there?')
  await agent.send('Sure?')
  expect(endpoint.requests.slice(1).map(({ raw }) => raw.includes(data))).toEqual([true, true])
})

test('the bytes of files do not count, and a text like a file does', { tag: '@R6.8' }, () => {
  const file = (data: string) => ({ type: 'file' as const, mediaType: 'image/png', data })
  const requestWith = (data: string, text: string): ModelRequest => ({
    model: 'm',
    system: '',
    messages: [
      { role: 'user', content: [file(data), { type: 'text', text }, { ...file(data), filename: 'a.png' }] },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'c', toolName: 't', output: { type: 'content', value: [file(data)] } },
        ],
      },
    ],
    tools: [],
    toolChoice: 'auto',
  })
  const text = JSON.stringify(file('x'.repeat(50)))
  expect(countChars(requestWith('A'.repeat(1_000), text))).toBe(countChars(requestWith('', text)))
  const quoted = JSON.stringify(text).length - JSON.stringify('').length
  expect(countChars(requestWith('', text)) - countChars(requestWith('', ''))).toBe(quoted)
})

test('estimates from the reported count, and from characters before the first count', { tag: '@R6.8' }, () => {
  const request: ModelRequest = {
    model: 'm',
    system: '',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'x'.repeat(4_000) }] }],
    tools: [],
    toolChoice: 'auto',
  }
  expect(estimateTokens(request, undefined)).toBeGreaterThan(1_000)
  expect(estimateTokens(request, undefined)).toBeLessThan(1_050)
  const wide = {
    ...request,
    messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: '漢'.repeat(4_000) }] }],
  }
  expect(estimateTokens(wide, undefined)).toBeGreaterThan(4_000)
  expect(estimateTokens(request, { tokens: 300, chars: 2_000 })).toBeGreaterThan(600)
  expect(estimateTokens(request, { tokens: 300, chars: 2_000 })).toBeLessThan(650)
  // A count of less than one or more than eight characters a token is not believed.
  for (const tokens of [1, 100, 5_000])
    expect(estimateTokens(request, { tokens, chars: 2_000 })).toBe(estimateTokens(request, undefined))
})

test('sends a summary that is older than the loaded messages', { tag: '@R6.8' }, async ({ lab }) => {
  const store = memoryStore()
  const first = await lab.start((body) => (isNote(body) ? { text: 'The user is Ada.' } : { text: 'ok' }), {
    store,
    sessionId: 'old',
    contextWindow: { tokens: 100 },
  })
  await first.agent.send('I am Ada')
  await first.agent.send('Second')
  expect(first.agent.session?.note?.text).toBe('The user is Ada.')
  // More messages than a session opens with.
  const { epoch, session } = await store.claim('old', Infinity)
  const more = Array.from({ length: 240 }, (_, index): Message => ({
    id: `more${index}`,
    role: index % 2 === 0 ? 'user' : 'assistant',
    parts: [{ type: 'text', text: `${index}` }],
    at: 1,
  }))
  await store.commit('old', epoch, {
    head: { ...sessionHeadOf(session!), epoch, length: session!.messages.length + more.length },
    messages: more.map((message, place) => ({ index: session!.messages.length + place, message })),
  })
  const second = await lab.start([], { store, sessionId: 'old', endpointServer: first.endpoint })
  await second.agent.send('Who am I?')
  expect(second.agent.session?.start).toBeGreaterThan(10)
  expect(String(messagesOf(first.endpoint.requests.at(-1))[1]?.['content'])).toContain('The user is Ada.')
})

const said = (count: number) =>
  Array.from({ length: count }, (_, index): Message => ({
    id: `m${index}`,
    role: index % 2 === 0 ? 'user' : 'assistant',
    parts: [{ type: 'text', text: `words ${index}` }],
    at: 1,
  }))

test(
  'after a reload the request contains the whole conversation, and the page its newest part',
  { tag: '@R6.8' },
  async ({ lab }) => {
    const store = memoryStore()
    const session = { ...emptySession('long', '', 1), epoch: 1, messages: said(260) }
    await store.claim('long', 0)
    await store.commit('long', 1, {
      whole: true,
      head: sessionHeadOf(session),
      messages: session.messages.map((message, index) => ({ index, message })),
    })
    const { agent, endpoint } = await lab.start([{ text: 'one' }, { text: 'two' }], { store, sessionId: 'long' })
    for (const [turn, text] of ['Go on', 'And on'].entries()) {
      await agent.send(text)
      const sent = messagesOf(endpoint.requests.at(-1)).slice(1)
      expect([sent.length, sent[0]?.['content'], sent.at(-1)?.['content']]).toEqual([261 + 2 * turn, 'words 0', text])
      expect([agent.session?.start, agent.messages.length]).toEqual([60, 202 + 2 * turn])
    }
  },
)

test('after a reload loads only the messages after the newest summary', { tag: '@R6.8' }, async ({ lab }) => {
  const inner = memoryStore()
  const limits: number[] = []
  const store = {
    ...inner,
    read: (id: string, limit: number) => {
      limits.push(limit)
      return inner.read(id, limit)
    },
  }
  const note = { id: 'note', role: 'summary', text: 'The user is Ada.', upTo: 20, at: 1 } as const
  const messages = [...said(22), note, ...said(262).slice(22)]
  const session: Session = { ...emptySession('noted', '', 1), epoch: 1, messages, note }
  await inner.claim('noted', 0)
  await inner.commit('noted', 1, {
    whole: true,
    head: sessionHeadOf(session),
    messages: messages.map((message, index) => ({ index, message })),
  })
  const { agent, endpoint } = await lab.start([{ text: 'ok' }], { store, sessionId: 'noted' })
  await agent.send('Who am I?')
  const sent = messagesOf(endpoint.requests.at(-1))
    .slice(1)
    .map(({ content }) => String(content))
  expect([sent.length, sent[1], sent.at(-1)]).toEqual([1 + 242 + 1, 'words 20', 'Who am I?'])
  expect(sent[0]).toContain('The user is Ada.')
  expect(Math.max(...limits)).toBe(263 - 20)
})

test('finds the end of the summary with a few requests in thousands of turns', { tag: '@R6.8' }, async () => {
  const turn = {
    first: 3_998,
    options: {},
    startedAt: 1,
    facts: { url: 'http://x/', title: 'X', lang: 'en', timeZone: 'UTC' },
  } as unknown as NonNullable<Session['turn']>
  const session: Session = {
    ...emptySession('vast', '', 1),
    messages: said(3_999),
    turn,
    measured: { tokens: 1, chars: 1 },
  }
  const settings = { model: 'm', instructions: '', tools: [], toolChoice: 'auto', reminder: false } as const
  const request = (upTo: number) =>
    buildRequest({ ...session, note: { id: '', role: 'summary', text: '', upTo, at: 0 } }, settings)
  const tokens = 20_000
  const events: AgentEvent[] = []
  const deps = {
    session: () => session,
    rootSession: () => session,
    config: () => ({ model: 'm', hooks: {}, contextWindow: { tokens } }),
    now: () => 1,
    id: () => 'n',
    nonce: () => 'n',
    emit: (event: AgentEvent) => {
      events.push(event)
      return Promise.resolve()
    },
    model: () => Promise.reject(new Error('none')),
    wait: () => Promise.resolve(),
    callIds: new Set(),
    random: () => 0,
  } as unknown as TurnDeps
  let builds = 0
  await compact(deps, new AbortController().signal, {
    step: 1,
    build: (given) => {
      builds++
      return buildRequest(given, settings)
    },
  })
  const upTo = events.find((event) => event.type === 'compact')?.upTo ?? 0
  expect(builds).toBeLessThan(15)
  expect(summaryCut({ ...session, note: { id: '', role: 'summary', text: '', upTo, at: 0 } })).toBe(upTo)
  expect(countChars(request(upTo))).toBeLessThan(tokens * 0.5)
  expect(countChars(request(upTo - 2))).toBeGreaterThanOrEqual(tokens * 0.5)
})

test('writes no summary if leaving out old results is enough', { tag: '@R6.8' }, async ({ lab }) => {
  const { agent, endpoint, events } = await lab.start([{ text: 'hello' }, ...reads(8), { text: 'done' }], {
    contextWindow: { tokens: 3_000 },
  })
  agent.registerTool(read)
  await agent.send('Hi')
  await agent.send('Read all')
  expect(resultsOf(endpoint.requests.at(-1)).filter((text) => text.startsWith('[This result was removed'))).not.toEqual(
    [],
  )
  expect(events.filter(({ type }) => type === 'compact')).toEqual([])
  expect(
    messagesOf(endpoint.requests.at(-1))
      .filter(({ role }) => role === 'user')
      .map(({ content }) => content),
  ).toEqual(['Hi', 'Read all'])
})

for (const [tokens, grown] of [
  [5_000, { isCut: true }],
  [500, {}],
] as const)
  test(
    `the same count of ${tokens} tokens ${tokens === 500 ? 'is never' : 'is, for a request that grew,'} truncation`,
    { tag: '@R6.8' },
    async ({ lab }) => {
      const { agent } = await lab.start([{ text: 'one', usage: { prompt_tokens: tokens, completion_tokens: 5 } }])
      await agent.send('First')
      const { session } = agent
      const step = (chars: number) =>
        reduce(session!, {
          type: 'step-end',
          at: 1,
          step: 2,
          offered: [],
          chars,
          message: {
            id: 'n',
            role: 'assistant',
            at: 1,
            parts: [{ type: 'text', text: 'two' }],
            usage: { inputTokens: tokens, outputTokens: 5, totalTokens: tokens + 5 },
          },
        }).measured
      const before = session?.measured?.chars ?? 0
      expect(step(before)).toEqual({ tokens, chars: before })
      expect(step(before * 2)).toEqual({ tokens, chars: before * 2, ...grown })
    },
  )
