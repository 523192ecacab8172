// A whole agent with the provider `ag-ui` against a server that speaks the protocol over HTTP: the page runs its tools,
// the server its own, and a run that the server owns is started once.
import type { JsonObject } from '../../../../../src/core/data/json.js'
import { agUi } from '../../../../../src/host/models/ag-ui/index.js'
import type { Agent } from '../../../../../src/page/agent.js'
import type { AgentOptions } from '../../../../../src/page/options.js'
import { deferred, expect, test as base, type Bench, type Lab } from '../../../../support/lab/lab.js'
import { aServer, Page, runs } from '../../../../support/server/sockets.js'
import {
  called,
  said,
  startRunServer,
  type RunInput,
  type RunScript,
  type RunServer,
} from '../../../../support/lab/run-server.js'

const options = { provider: 'ag-ui', todo: false, limits: { modelRetries: 3 } } as const satisfies AgentOptions

type Start = (script: RunScript, more?: Parameters<Lab['start']>[1]) => Promise<Bench & { readonly server: RunServer }>

const test = base.extend<{ start: Start }>({
  start: async ({ lab }, use) => {
    const servers: RunServer[] = []
    await use(async (script, more) => {
      const server = await startRunServer(script)
      servers.push(server)
      return { ...(await lab.start([], { ...options, endpoint: server.url, ...more })), server }
    })
    await Promise.all(servers.map((server) => server.close()))
  },
})

/** A tool of the page that counts its runs. */
function findTea(agent: Agent, more: JsonObject = {}): { runs: JsonObject[] } {
  const seen: { runs: JsonObject[] } = { runs: [] }
  agent.registerTool({
    name: 'find_tea',
    description: 'Finds tea by its name',
    inputSchema: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
    execute: (input: JsonObject) => {
      seen.runs.push(input)
      return `${String(input['q'])} tea`
    },
    ...more,
  })
  return seen
}

const wordsOf = (input: RunInput | undefined) => input?.messages.filter(({ role }) => role !== 'system')

test('a tool of the page runs here, and its result starts the next run of the same thread', async ({ start }) => {
  const { agent, server } = await start([
    { events: [...said('m1', 'I look ', 'for it.'), ...called('c1', 'find_tea', { q: 'green' }, { parent: 'm1' })] },
    { events: said('m2', 'Green tea.') },
  ])
  const tea = findTea(agent)
  const turn = await agent.send('Find tea')
  expect(turn).toMatchObject({ reason: 'stop', text: 'Green tea.', steps: 2 })
  expect(tea.runs).toEqual([{ q: 'green' }])
  const [first, second] = server.runs
  expect(first?.threadId).toBe(agent.session?.id)
  expect(second?.threadId).toBe(agent.session?.id)
  expect(second?.runId).not.toBe(first?.runId)
  expect(first?.tools).toEqual([
    {
      name: 'find_tea',
      description: 'Finds tea by its name',
      parameters: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
    },
  ])
  const [user] = wordsOf(first)!
  expect(user).toMatchObject({ role: 'user', content: expect.stringMatching(/Find tea$/) })
  expect(wordsOf(second)).toEqual([
    user,
    {
      id: 'm1',
      role: 'assistant',
      content: 'I look for it.',
      toolCalls: [{ id: 'c1', type: 'function', function: { name: 'find_tea', arguments: '{"q":"green"}' } }],
    },
    { id: 'result-c1', role: 'tool', toolCallId: 'c1', content: 'green tea' },
  ])
})

test(
  'a tool that the server ran is a finished call between its texts, which nobody is asked about or runs',
  { tag: '@R5.11' },
  async ({ start }) => {
    const { agent, server, events, stored } = await start(
      [
        {
          events: [
            ...said('m1', 'I look it up.'),
            ...called('c1', 'find_tea', { q: 'black' }, { parent: 'm1', result: '{"found":2}' }),
            ...said('m2', 'Two teas.'),
          ],
        },
        { events: said('m3', 'Yes.') },
      ],
      { approval: 'always' },
    )
    const tea = findTea(agent)
    const turn = await agent.send('Find tea')
    expect(turn).toMatchObject({ reason: 'stop', text: expect.stringContaining('Two teas.'), steps: 1 })
    expect(tea.runs).toEqual([])
    expect(server.runs).toHaveLength(1)
    expect(events.filter(({ type }) => type === 'approval-request' || type === 'tool-start')).toEqual([])
    const [, answer] = agent.messages
    expect(answer?.role === 'assistant' && answer.parts.map(({ type }) => type)).toEqual(['text', 'tool-call', 'text'])
    expect(answer?.role === 'assistant' && answer.parts[1]).toMatchObject({
      call: { id: 'c1', name: 'find_tea', input: { q: 'black' } },
      result: { elsewhere: true, output: { found: 2 }, untrusted: true },
    })
    expect((await stored())?.messages).toEqual(agent.messages)
    await agent.send('Sure?')
    expect(wordsOf(server.runs[1])?.slice(1, 4)).toEqual([
      {
        id: 'm1',
        role: 'assistant',
        content: 'I look it up.',
        toolCalls: [{ id: 'c1', type: 'function', function: { name: 'find_tea', arguments: '{"q":"black"}' } }],
      },
      { id: 'c1-result', role: 'tool', toolCallId: 'c1', content: '{"found":2}' },
      { id: 'm2', role: 'assistant', content: 'Two teas.' },
    ])
  },
)

test(
  'calls of the server count for no limit and no repetition, and those of the page still do',
  { tag: '@R5.11' },
  async ({ start }) => {
    const same = (id: string) => called(id, 'look', { at: 'shelf' }, { result: 'empty' })
    const page = (id: string) => called(id, 'find_tea', { q: 'green' })
    const { agent } = await start(
      [
        { events: ['a', 'b', 'c', 'd', 'e', 'f', 'g'].flatMap(same) },
        ...['p1', 'p2', 'p3', 'p4', 'p5'].map((id) => ({ events: [...same(`s${id}`), ...page(id)] })),
      ],
      { limits: { ...options.limits, toolCalls: 6, callsPerStep: 2 } },
    )
    const tea = findTea(agent)
    expect(await agent.send('Look')).toMatchObject({ reason: 'stop', steps: 1 })
    expect(await agent.send('Find')).toMatchObject({ reason: 'repeated-calls' })
    expect(tea.runs).toHaveLength(4)
  },
)

test(
  'what the server ran stays in an answer that was cut, and calls of the page in it do not run',
  { tag: '@R5.11' },
  async ({ start }) => {
    const { agent, server } = await start([
      {
        events: [...called('c1', 'pay', { eur: 5 }, { result: 'paid' }), ...called('c2', 'find_tea', { q: 'x' })],
        end: 'cut',
      },
    ])
    const tea = findTea(agent)
    await expect(agent.send('Pay')).rejects.toMatchObject({ code: 'stream-cut' })
    expect(tea.runs).toEqual([])
    expect(server.runs).toHaveLength(1)
    expect(agent.messages[1]).toMatchObject({
      parts: [{ call: { id: 'c1', name: 'pay' }, result: { elsewhere: true } }],
    })
  },
)

test.describe('a run is started once', { tag: '@R5.10' }, () => {
  const silent = [
    ['a connection that ends after the request', { lost: true }, 'network'],
    ['a connection that ends after the status', { events: [], end: 'cut' }, 'stream-cut'],
    ['an empty stream', { events: [], end: 'none' }, 'stream-cut'],
    ['an error of the run', { events: [], end: { type: 'RUN_ERROR', message: 'No tool format', code: 'x' } }, 'server'],
    ['the status 500', { status: 500 }, 'server'],
    ['the status 504', { status: 504 }, 'server'],
  ] as const
  for (const [what, run, code] of silent)
    test(`${what} is not tried again`, async ({ start }) => {
      const { agent, server } = await start([run, { events: said('m', 'Twice') }])
      await expect(agent.send('Go')).rejects.toMatchObject({ code })
      expect(server.runs).toHaveLength(1)
    })

  test('a request for an object is not sent again in another mode', async ({ start }) => {
    const { agent, server } = await start([{ status: 400 }, { events: said('m', 'Twice') }])
    const output = { type: 'object', properties: { price: { type: 'number' } } } as const
    await expect(agent.send('Go', { output })).rejects.toMatchObject({ code: 'bad-request' })
    expect(server.runs).toHaveLength(1)
  })

  test('a server that refused with 429 or 503 is asked again', async ({ start }) => {
    const headers = { 'retry-after': '0' }
    const { agent, server } = await start([
      { status: 429, headers },
      { status: 503, headers },
      { events: said('m', 'Now') },
    ])
    expect(await agent.send('Go')).toMatchObject({ text: 'Now' })
    expect(server.runs).toHaveLength(3)
  })

  test('a run without words ends the turn, and no second one follows', async ({ start }) => {
    const { agent, server } = await start([
      { events: [] },
      { events: [{ type: 'STATE_SNAPSHOT', snapshot: { a: 1 } }] },
    ])
    expect(await agent.send('Go')).toMatchObject({ reason: 'stop', text: '' })
    expect(await agent.send('Go')).toMatchObject({ reason: 'stop', text: '' })
    expect(agent.state).toEqual({ a: 1 })
    expect(server.runs).toHaveLength(2)
  })

  test('a tool without a result that the page does not have was run by the server', async ({ start }) => {
    const { agent, server } = await start([{ events: [...called('c1', 'search', {}), ...said('m1', 'Found.')] }])
    expect(await agent.send('Go')).toMatchObject({ reason: 'stop' })
    expect(server.runs).toHaveLength(1)
    expect(agent.messages[1]).toMatchObject({ parts: [{ result: { elsewhere: true } }, { text: 'Found.' }] })
  })

  test('a call that a later run repeats is not made again', async ({ start }) => {
    const call = called('c1', 'find_tea', { q: 'green' })
    const { agent } = await start([{ events: call }, { events: [...call, ...said('m1', 'Done.')] }])
    const tea = findTea(agent)
    expect(await agent.send('Go')).toMatchObject({ reason: 'stop', text: 'Done.' })
    expect(tea.runs).toHaveLength(1)
  })
})

test('a snapshot of the conversation does not say again what earlier runs have said', async ({ start }) => {
  const call = { id: 'c1', type: 'function', function: { name: 'find_tea', arguments: '{"q":"green"}' } }
  const messages = (...more: JsonObject[]) => [
    { id: 'u', role: 'user', content: 'Find tea' },
    { id: 'm1', role: 'assistant', content: 'I look.', toolCalls: [call] },
    ...more,
  ]
  const end = { id: 'm2', role: 'assistant', content: 'Green tea.' }
  const { agent } = await start([
    {
      events: [
        ...said('m1', 'I look.'),
        ...called('c1', 'find_tea', { q: 'green' }, { parent: 'm1' }),
        { type: 'MESSAGES_SNAPSHOT', messages: messages() },
      ],
    },
    { events: [{ type: 'MESSAGES_SNAPSHOT', messages: messages({ id: 'r1', role: 'tool', toolCallId: 'c1' }, end) }] },
  ])
  const tea = findTea(agent)
  expect(await agent.send('Find tea')).toMatchObject({ text: 'Green tea.', steps: 2 })
  expect(tea.runs).toHaveLength(1)
})

test('a question about a tool of the page is asked as for any model', async ({ start }) => {
  const { agent } = await start(
    [{ events: called('c1', 'find_tea', { q: 'green' }) }, { events: said('m', 'No tea.') }],
    {
      approval: 'always',
    },
  )
  const tea = findTea(agent)
  agent.subscribe((event) => {
    if (event.type === 'approval-request') void agent.deny(event.callId)
  })
  expect(await agent.send('Go')).toMatchObject({ reason: 'stop', text: 'No tea.' })
  expect(tea.runs).toEqual([])
})

test('reasoning is shown, and what a provider encrypted goes back', async ({ start }) => {
  const { agent, server } = await start([
    {
      events: [
        { type: 'REASONING_START', messageId: 'r' },
        { type: 'REASONING_MESSAGE_START', messageId: 'r1', role: 'reasoning' },
        { type: 'REASONING_MESSAGE_CONTENT', messageId: 'r1', delta: 'Tea, ' },
        { type: 'REASONING_MESSAGE_CONTENT', messageId: 'r1', delta: 'then.' },
        { type: 'REASONING_MESSAGE_END', messageId: 'r1' },
        { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'r1', encryptedValue: 'c2VjcmV0' },
        { type: 'REASONING_END', messageId: 'r' },
        ...said('m1', 'Tea.'),
      ],
      end: { type: 'RUN_FINISHED', usage: [{ inputTokens: 5, outputTokens: 2 }, { inputTokens: 1 }] },
    },
    { events: said('m2', 'Yes.') },
  ])
  expect(await agent.send('Go')).toMatchObject({ text: 'Tea.', usage: { inputTokens: 6, outputTokens: 2 } })
  expect(agent.messages[1]).toMatchObject({
    parts: [
      { type: 'reasoning', text: 'Tea, then.' },
      { type: 'text', text: 'Tea.' },
    ],
  })
  await agent.send('Sure?')
  expect(wordsOf(server.runs[1])?.[1]).toEqual({
    id: 'r1',
    role: 'reasoning',
    content: 'Tea, then.',
    encryptedValue: 'c2VjcmV0',
  })
})

test('an interrupt ends the turn with its words, and the next run says that nobody has answered', async ({ start }) => {
  const interrupts = [{ id: 'i1', reason: 'tool_call', message: 'Refund 5 EUR?' }]
  const { agent, server } = await start([
    { events: said('m1', 'One moment.'), end: { type: 'RUN_FINISHED', outcome: { type: 'interrupt', interrupts } } },
    { events: said('m2', 'No refund.') },
  ])
  await expect(agent.send('Refund')).rejects.toMatchObject({
    code: 'bad-request',
    message: expect.stringContaining('waits for an answer that this page cannot give'),
  })
  expect(agent.messages[1]).toMatchObject({ parts: [{ text: 'One moment.' }, { text: 'Refund 5 EUR?' }] })
  expect(await agent.send('Then not')).toMatchObject({ text: 'No refund.' })
  expect(server.runs[0]?.resume).toBeUndefined()
  expect(server.runs[1]?.resume).toEqual([{ interruptId: 'i1', status: 'cancelled' }])
})

test.describe('shared state', { tag: '@R5.12' }, () => {
  test('it is read, observed, stored with the step, and sent with the next run', async ({ start }) => {
    const gate = deferred()
    const { agent, server, stored } = await start([
      {
        events: [
          { type: 'STATE_SNAPSHOT', snapshot: { cart: ['tea'] } },
          { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/cart/-', value: 'cup' }] },
          gate.promise,
          ...said('m1', 'Added.'),
        ],
      },
      { events: said('m2', 'Yes.') },
    ])
    const seen: unknown[] = []
    agent.subscribe((event) => {
      if (event.type !== 'step-state') return
      seen.push(agent.state)
      if (seen.length === 2) gate.resolve()
    })
    await agent.send('Add')
    expect(seen).toEqual([{ cart: ['tea'] }, { cart: ['tea', 'cup'] }])
    expect((await stored())?.state).toEqual({ cart: ['tea', 'cup'] })
    expect(server.runs[0]?.state).toEqual({})
    agent.state = { cart: [] }
    await agent.send('Sure?')
    expect(server.runs[1]?.state).toEqual({ cart: [] })
    expect(agent.state).toEqual({ cart: [] })
  })

  test('a patch that does not fit, or names a prototype, changes nothing', async ({ start }) => {
    const delta = (...operations: JsonObject[]): JsonObject => ({ type: 'STATE_DELTA', delta: operations })
    const { agent } = await start([
      {
        events: [
          { type: 'STATE_SNAPSHOT', snapshot: { a: 1 } },
          delta({ op: 'replace', path: '/a', value: 2 }, { op: 'remove', path: '/missing' }),
          delta({ op: 'add', path: '/__proto__/polluted', value: true }),
          delta({ op: 'add', path: '/constructor', value: {} }),
          ...said('m1', 'Done.'),
        ],
      },
    ])
    await agent.send('Go')
    expect(agent.state).toEqual({ a: 1 })
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  test('more than 256 KB is refused from both sides', async ({ start }) => {
    const { agent } = await start([{ events: [{ type: 'STATE_SNAPSHOT', snapshot: 'x'.repeat(300_000) }] }])
    await expect(agent.send('Go')).rejects.toMatchObject({ code: 'bad-response' })
    agent.state = 'x'.repeat(300_000)
    await expect.poll(() => agent.error?.code).toBe('invalid-option')
    expect(agent.state).toBeUndefined()
  })
})

test.describe('after a crash', { tag: '@R5.10' }, () => {
  test('a run that was not over is not started again', async ({ lab, start }) => {
    const { agent, server, store, kill } = await start(
      [{ events: [...said('m1', 'I begin.'), new Promise(() => undefined)] }, { events: said('m2', 'Again.') }],
      { sessionId: 'tea' },
    )
    const sent = agent.send('Go')
    sent.catch(() => undefined)
    await expect.poll(() => agent.session?.draft?.parts).toMatchObject([{ text: 'I begin.' }])
    kill()
    const next = await lab.start([], { ...options, endpoint: server.url, store, sessionId: 'tea' })
    await next.agent.connect()
    await expect.poll(() => next.agent.status).toBe('interrupted')
    expect(server.runs).toHaveLength(1)
  })

  test('calls of the page that were left open go on, and none runs twice', async ({ lab, start }) => {
    const { agent, server, store, kill } = await start(
      [{ events: called('c1', 'find_tea', { q: 'green' }) }, { events: said('m2', 'Green.') }],
      { sessionId: 'tea', approval: 'always' },
    )
    findTea(agent)
    const asked = new Promise<void>((resolve) => {
      agent.subscribe(({ type }) => {
        if (type === 'approval-request') resolve()
      })
    })
    agent.send('Go').catch(() => undefined)
    await asked
    kill()
    const next = await lab.start([], { ...options, endpoint: server.url, store, sessionId: 'tea', approval: 'always' })
    const tea = findTea(next.agent)
    await next.agent.connect()
    await expect.poll(() => next.agent.status).toBe('awaiting-approval')
    await next.agent.approve('c1')
    await expect.poll(() => next.agent.status).toBe('idle')
    expect(tea.runs).toHaveLength(1)
    expect(server.runs).toHaveLength(2)
  })

  test('whenever the host dies, no run and no call of the page happens twice', async ({ lab, start }) => {
    const answer = ({ messages }: RunInput) => ({
      events:
        messages.at(-1)?.role === 'tool'
          ? said('m2', 'Bought.')
          : [...called('s1', 'search', {}, { result: 'one' }), ...called('c1', 'buy', { id: 1 })],
    })
    let buys = 0
    const buy = {
      name: 'buy',
      description: 'Buys a thing by its id',
      inputSchema: { type: 'object', properties: { id: { type: 'number' } } },
      execute: () => `bought ${++buys}`,
    } as const
    const ends: string[] = []
    const undisturbed = await start([answer, answer])
    undisturbed.agent.registerTool(buy)
    await undisturbed.agent.send('Go')
    for (let killAt = 1; killAt <= undisturbed.moments.length; killAt++) {
      buys = 0
      const sessionId = `s${killAt}`
      const first = await start([answer, answer, answer], { sessionId, killAt })
      first.agent.registerTool(buy)
      await Promise.race([first.agent.send('Go').catch(() => undefined), first.dead])
      first.kill()
      const { store, server } = first
      const next = await lab.start([], { ...options, endpoint: server.url, store, sessionId })
      next.agent.registerTool(buy)
      await next.agent.connect()
      await expect.poll(() => next.agent.status).toMatch(/^(idle|interrupted)$/)
      const begun = server.runs.map(({ messages }) => messages.at(-1)?.role)
      expect(new Set(begun).size, `${killAt}: ${begun.join()}`).toBe(begun.length)
      expect(buys, `${killAt}`).toBeLessThanOrEqual(1)
      ends.push(`${next.agent.session?.end?.reason ?? 'none'} ${begun.length} ${buys}`)
    }
    expect(ends).toContain('interrupted 1 0')
    expect(ends).toContain('stop 2 1')
  })
})

test('an agent behind a server of conversations runs the tools of the page in the page', async () => {
  const server = await startRunServer([
    { events: [{ type: 'STATE_SNAPSHOT', snapshot: { at: 1 } }, ...called('c1', 'buy', {})] },
    { events: said('m1', 'Bought.') },
  ])
  const { url: endpoint } = server
  const io = { headers: async () => ({}), credentials: 'omit', stream: true, limits: { responseBytes: 1e6 } } as const
  const { host, disks, close } = await aServer(agUi({ ...io, endpoint }))
  const page = new Page(host, 'anna', { answers: runs })
  await page.open('desk', 's')
  page.send('m1')
  await page.event('turn-end')
  expect(page.kinds()).toContain('execute')
  expect(server.runs.map(({ threadId, state }) => [threadId, state])).toEqual([
    ['s', {}],
    ['s', { at: 1 }],
  ])
  expect(await disks.forUser('anna').read('s', 9)).toMatchObject({ state: { at: 1 }, end: { reason: 'stop' } })
  await close()
  await server.close()
})
