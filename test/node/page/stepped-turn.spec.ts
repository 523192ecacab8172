// Stepped turns: no call runs unless the caller executes it.
import { toolCallsOf } from '../../../src/core/data/message.js'
import { ToolAgentError } from '../../../src/core/data/errors.js'
import { memoryStore } from '../../../src/host/store/memory-store.js'
import type { Step, Steps } from '../../../src/page/stepped/stepped-turn.js'
import { deferred, expect, test, until } from '../../support/lab/lab.js'
import { messagesOf, resultsOf, toolNames } from '../../support/lab/requests.js'

const call = (id: string, name: string, args = {}) => ({ id, name, arguments: args })

async function stepOf(steps: Steps): Promise<Step> {
  const next = await steps.next()
  if (next.done) throw new Error('The turn has ended')
  return next.value
}

test(
  'every model call is a step, the last step has no calls, and the return value is the turn’s result',
  { tag: '@R5.4' },
  async ({ lab }) => {
    const { agent, endpoint } = await lab.start([
      { text: 'I look.', calls: [call('a', 'find', { query: 'tea' })] },
      { text: 'Green tea.' },
    ])
    const runs: unknown[] = []
    agent.registerTool({
      name: 'find',
      description: 'Finds a product',
      inputSchema: { type: 'object', properties: { query: { type: 'string' } } },
      execute: (input: unknown) => {
        runs.push(input)
        return 'green'
      },
    })
    const steps = agent.step('Tea?')
    const first = await stepOf(steps)
    expect(first).toMatchObject({
      number: 1,
      text: 'I look.',
      toolCalls: [{ id: 'a', name: 'find', input: { query: 'tea' } }],
    })
    expect(runs).toEqual([])
    expect(await first.execute()).toMatchObject([{ call: { id: 'a' }, output: 'green', attempts: 1 }])
    const second = await stepOf(steps)
    expect(second).toMatchObject({ number: 2, text: 'Green tea.', toolCalls: [] })
    expect(await steps.next()).toMatchObject({ done: true, value: { reason: 'stop', text: 'Green tea.', steps: 2 } })
    expect(await steps.next()).toMatchObject({ done: true })
    expect(runs).toEqual([{ query: 'tea' }])
    expect(resultsOf(endpoint.requests[1])).toEqual(['green'])
  },
)

test('repeating a failed model call does not start the step after it', async ({ lab }) => {
  const { agent, endpoint } = await lab.start([
    { calls: [call('a', 'find')] },
    { status: 503, body: {}, headers: { 'retry-after': '60' } },
    { calls: [call('b', 'find')] },
    { text: 'Found' },
  ])
  agent.registerTool({ name: 'find', description: 'Finds a product', execute: () => 'green' })
  const steps = agent.step('Tea?')
  await (await stepOf(steps)).execute()
  const stop = agent.subscribe((event) => {
    if (event.type === 'step-retry') agent.skipRetryDelay()
  })
  await (await stepOf(steps)).execute()
  stop()
  // A request would be sent in the next task.
  await agent.sessions.list()
  expect(endpoint.requests).toHaveLength(3)
  expect(await stepOf(steps)).toMatchObject({ number: 3, text: 'Found' })
})

test('a step is started only by its caller, not by skipping the wait before a retry', async ({ lab }) => {
  const { agent, log } = await lab.start([{ calls: [call('a', 'find')] }, { text: 'Found' }])
  agent.registerTool({ name: 'find', description: 'Finds a product', execute: () => 'green' })
  const steps = agent.step('Tea?')
  await (await stepOf(steps)).execute()
  agent.skipRetryDelay()
  const before = log.length
  // The page is asked what the next step offers, before the host replies.
  await agent.sessions.list()
  expect(log.slice(before)).not.toContain('post:prepare')
  expect(await stepOf(steps)).toMatchObject({ number: 2, text: 'Found' })
})

test(
  'a tool without execute is offered only in stepped turns, and the caller settles its calls',
  { tag: '@R5.4' },
  async ({ lab }) => {
    const { agent, endpoint } = await lab.start([
      { calls: [call('a', 'ask_bank'), call('b', 'ask_shop'), call('c', 'ask_bank')] },
      { text: 'ok' },
      { text: 'plain' },
    ])
    agent.registerTool([
      {
        name: 'ask_bank',
        description: 'Asks the bank of the user',
        inputSchema: { type: 'object', properties: { account: { type: 'string' } } },
      },
      {
        name: 'ask_shop',
        description: 'Asks the shop',
        toModelOutput: ({ output }: { output: { open: boolean } }) => (output.open ? 'It is open.' : 'It is closed.'),
      },
    ])
    for await (const step of agent.step('Go')) {
      if (step.toolCalls.length === 0) continue
      // Calls may be settled in any order; results are in call order.
      await step.settle('c', { balance: 3 })
      await step.settle('b', { open: true })
      await step.settle('a', new Error('The bank is closed'))
    }
    expect(toolNames(endpoint.requests[0])).toEqual(['todo_write', 'todo_read', 'ask_bank', 'ask_shop'])
    expect(resultsOf(endpoint.requests[1])).toEqual([
      'Error (execution-failed): The bank is closed',
      'It is open.',
      '{"balance":3}',
    ])
    await agent.send('And now?')
    expect(toolNames(endpoint.requests[2])).toEqual(['todo_write', 'todo_read'])
  },
)

test(
  'next() rejects with open-calls while a call is open, and changes nothing; a second settle throws',
  { tag: '@R5.4' },
  async ({ lab }) => {
    const { agent, endpoint } = await lab.start([{ calls: [call('a', 'one'), call('b', 'two')] }, { text: 'ok' }])
    const steps = agent.step('Go')
    agent.registerTool([
      { name: 'one', description: 'One', execute: () => 'ran' },
      { name: 'two', description: 'Two' },
    ])
    const step = await stepOf(steps)
    await step.execute(step.toolCalls[0]!)
    await expect(steps.next()).rejects.toMatchObject({
      code: 'open-calls',
      message: expect.stringContaining('two (b)'),
    })
    expect(endpoint.requests).toHaveLength(1)
    expect(agent.status).toBe('running')
    // Not awaited: the next step waits for it.
    void step.settle('b', 'by hand')
    expect(() => step.settle('b', 'again')).toThrow(/settled or executed before/)
    expect(() => step.execute('a')).toThrow(/settled or executed before/)
    expect(() => step.settle('x', 1)).toThrow(/no call 'x'/)
    expect((await stepOf(steps)).text).toBe('ok')
    expect(resultsOf(endpoint.requests[1])).toEqual(['ran', 'by hand'])
    await steps.return()
  },
)

test('settle throws for a value that is not JSON, and the call stays open', async ({ lab }) => {
  const { agent, endpoint } = await lab.start([{ calls: [call('a', 'one')] }, { text: 'ok' }])
  agent.registerTool({ name: 'one', description: 'One' })
  const steps = agent.step('Go')
  const step = await stepOf(steps)
  expect(() => step.settle('a', { go: () => 1 })).toThrow(expect.objectContaining({ code: 'not-serializable' }))
  await step.settle('a', undefined)
  await stepOf(steps)
  expect(resultsOf(endpoint.requests[1])).toEqual(['Success'])
  await steps.return()
})

test('leaving the loop stops only this turn; a queued send continues', { tag: '@R5.4' }, async ({ lab }) => {
  const { agent } = await lab.start([{ calls: [call('a', 'one')] }, { text: 'the second' }])
  agent.registerTool({ name: 'one', description: 'One', execute: () => 'ran' })
  const started = deferred()
  let waiting: Promise<unknown> = Promise.resolve()
  const stepping = (async () => {
    for await (const step of agent.step('Go')) {
      waiting = agent.send('Behind it')
      started.resolve()
      expect(step.toolCalls).toHaveLength(1)
      break
    }
  })()
  await stepping
  expect(await waiting).toMatchObject({ reason: 'stop', text: 'the second' })
  expect(toolCallsOf(agent.messages[1])[0]?.result).toMatchObject({ error: { code: 'cancelled' } })
})

test('execute validates, approves and looks up a call like any other turn does', async ({ lab }) => {
  const { agent, endpoint } = await lab.start([
    {
      calls: [
        call('a', 'pay', { amount: 'much' }),
        call('b', 'pay', { amount: 3 }),
        call('c', 'pya'),
        { id: 'd', name: 'pay', arguments: '{oops' },
        call('e', 'todo_write', { items: [{ text: 'Pay' }] }),
      ],
    },
    { text: 'ok' },
  ])
  agent.registerTool({
    name: 'pay',
    description: 'Pays',
    needsApproval: true,
    inputSchema: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
    execute: () => 'paid',
  })
  const steps = agent.step('Go')
  const step = await stepOf(steps)
  const all = step.execute()
  await until(agent, () => agent.status === 'awaiting-approval')
  await agent.approve('b')
  expect((await all).map(({ output, error }) => error?.code ?? output)).toEqual([
    'invalid-input',
    'paid',
    'unknown-tool',
    'format-error',
    expect.stringContaining('#1: Pay'),
  ])
  await stepOf(steps)
  expect(resultsOf(endpoint.requests[1])).toHaveLength(5)
  expect(agent.todos).toEqual([{ id: '1', text: 'Pay', status: 'pending' }])
  await steps.return()
})

test('a stop, a model error and a limit end the steps as they end a send', async ({ lab }) => {
  const { agent } = await lab.start(
    [{ calls: [call('a', 'one')] }, { status: 500, body: 'broken' }, { calls: [call('b', 'one')] }],
    { limits: { modelRetries: 0, steps: 1 } },
  )
  agent.registerTool({ name: 'one', description: 'One', execute: () => 'ran' })
  const stopped = agent.step('Go')
  const step = await stepOf(stopped)
  agent.stop()
  await expect(step.execute().catch((thrown: unknown) => [thrown])).resolves.toBeDefined()
  expect(await stopped.next()).toMatchObject({ done: true, value: { reason: 'stopped' } })
  const failed = agent.step('Go')
  const error: unknown = await failed.next().catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ToolAgentError)
  expect(error).toMatchObject({ code: 'server', turn: { reason: 'error' } })
  expect(await failed.next()).toMatchObject({ done: true })
  const limited = agent.step('Go')
  await (await stepOf(limited)).execute()
  expect(await limited.next()).toMatchObject({ done: true, value: { reason: 'max-steps' } })
})

test('a direct return ends the steps without another model call', async ({ lab }) => {
  const { agent, endpoint } = await lab.start([{ calls: [call('a', 'report')] }])
  agent.registerTool({ name: 'report', description: 'Reports', returnDirect: true, execute: () => ({ total: 3 }) })
  const steps = agent.step('Go')
  await (await stepOf(steps)).execute()
  expect(await steps.next()).toMatchObject({
    done: true,
    value: { reason: 'direct', outputs: [{ total: 3 }], text: undefined },
  })
  expect(endpoint.requests).toHaveLength(1)
})

test('sends nothing before the first next(), and accepts the options and the signal of send', async ({ lab }) => {
  const { agent, endpoint } = await lab.start([{ calls: [call('a', 'own')] }])
  const abort = new AbortController()
  const steps = agent.step('Go', {
    tools: [{ name: 'own', description: 'Comes with the turn' }],
    instructions: 'Be brief.',
    signal: abort.signal,
  })
  expect(endpoint.requests).toHaveLength(0)
  await stepOf(steps)
  expect(toolNames(endpoint.requests[0])).toContain('own')
  expect(String(messagesOf(endpoint.requests[0])[0]?.['content'])).toContain('Be brief.')
  abort.abort()
  expect(await steps.next().catch((thrown: unknown) => thrown)).toMatchObject({ code: 'open-calls' })
  await until(agent, () => agent.status === 'idle')
  expect(await steps.next()).toMatchObject({ done: true, value: { reason: 'stopped' } })
  await expect(agent.step('  ').next()).rejects.toMatchObject({ code: 'invalid-option' })
})

test('a stepped turn is not resumed after a reload, and continue() rejects', { tag: '@R5.4' }, async ({ lab }) => {
  const first = await lab.start(
    (body) => (JSON.stringify(body).includes('"tool"') ? { text: 'ok' } : { calls: [call('a', 'read')] }),
    { sessionId: 'stepped' },
  )
  let runs = 0
  const read = { name: 'read', description: 'Reads', annotations: { readOnlyHint: true }, execute: () => ++runs }
  first.agent.registerTool(read)
  await stepOf(first.agent.step('Go'))
  first.kill()
  const second = await lab.start([], { store: first.store, sessionId: 'stepped', endpointServer: first.endpoint })
  second.agent.registerTool(read)
  await second.agent.connect()
  await until(second.agent, () => second.agent.session?.turn === undefined)
  expect(toolCallsOf(second.agent.messages.at(-1))[0]?.result).toMatchObject({ error: { code: 'interrupted' } })
  await expect(second.agent.continue()).rejects.toMatchObject({
    code: 'invalid-option',
    message: 'There is no turn to continue. Use send().',
  })
  expect(runs).toBe(0)
  expect(first.endpoint.requests).toHaveLength(1)
})

test(
  'exclusive calls that are executed together start one after another, and waiting does not count as time',
  { tag: '@R2.5' },
  async ({ lab }) => {
    const { agent } = await lab.start([{ calls: [call('a', 'one'), call('b', 'one'), call('c', 'two')] }])
    const order: string[] = []
    agent.subscribe((event) => {
      if (event.type === 'tool-start' || event.type === 'tool-result') order.push(`${event.callId} ${event.type}`)
    })
    agent.registerTool([
      { name: 'one', description: 'One', exclusive: true, execute: () => 1 },
      { name: 'two', description: 'Two', execute: () => 2 },
    ])
    const steps = agent.step('Go')
    await (await stepOf(steps)).execute()
    await steps.return()
    expect(order.filter((line) => !line.startsWith('c'))).toEqual([
      'a tool-start',
      'a tool-result',
      'b tool-start',
      'b tool-result',
    ])
    expect(order.indexOf('c tool-start')).toBeLessThan(order.indexOf('b tool-start'))
  },
)

test(
  'a call that waits behind an approval does not run if the user sends another message',
  { tag: '@R5.3' },
  async ({ lab }) => {
    const { agent } = await lab.start([{ calls: [call('a', 'pay'), call('b', 'one')] }, { text: 'something else' }])
    let runs = 0
    agent.registerTool([
      { name: 'pay', description: 'Pays', needsApproval: true, execute: () => ++runs },
      { name: 'one', description: 'One', execute: () => ++runs },
    ])
    const steps = agent.step('Go')
    const step = await stepOf(steps)
    const paid = step.execute('a')
    await until(agent, () => agent.status === 'awaiting-approval')
    const next = agent.send('Never mind')
    expect((await paid).error).toMatchObject({ code: 'superseded' })
    expect((await step.execute('b')).error).toMatchObject({ code: 'superseded' })
    expect(await steps.next()).toMatchObject({ done: true, value: { reason: 'superseded' } })
    expect(await next).toMatchObject({ text: 'something else' })
    expect(runs).toBe(0)
  },
)

test(
  'leaving the loop before the message is posted or stored sends nothing to the model',
  { tag: '@R5.4' },
  async ({ lab }) => {
    const inner = memoryStore()
    const stored = deferred()
    const commit = async (...args: Parameters<typeof inner.commit>) => {
      await stored.promise
      return inner.commit(...args)
    }
    const { agent, endpoint } = await lab.start([{ text: 'later' }], { store: { ...inner, commit } })
    const read = deferred()
    const early = agent.step('Go', {
      get instructions() {
        read.resolve()
        return ''
      },
    })
    const first = early.next()
    await read.promise // Its options were looked at; now the host is being started.
    expect(await early.return()).toMatchObject({ done: true })
    expect(await first).toMatchObject({ done: true })
    await agent.connect()
    const late = agent.step('Go')
    const second = late.next()
    await until(agent, () => agent.queue.length === 1)
    await agent.sessions.list() // The host has received the message, which waits for the store.
    const left = late.return()
    await agent.sessions.list() // And that it was left.
    stored.resolve()
    expect(await left).toMatchObject({ done: true, value: { reason: 'stopped' } })
    expect(await second).toMatchObject({ done: true })
    expect(await late.next()).toMatchObject({ done: true })
    expect(await agent.send('Again')).toMatchObject({ text: 'later' })
    expect(endpoint.requests).toHaveLength(1)
  },
)

test('a next() while the turn is ending does not advance the following turn', { tag: '@R5.4' }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start([
    { calls: [call('a', 'report')] },
    { calls: [call('b', 'one')] },
    { text: 'ok' },
  ])
  agent.registerTool([
    { name: 'report', description: 'Reports', returnDirect: true, execute: () => 3 },
    { name: 'one', description: 'One', execute: () => 1 },
  ])
  const first = agent.step('Go')
  await (await stepOf(first)).execute()
  expect(await first.next()).toMatchObject({ value: { reason: 'direct' } })
  const second = agent.step('And now?')
  await (await stepOf(second)).execute()
  const before: number[] = []
  const stop = agent.subscribe((event) => {
    if (event.type === 'step-start') before.push(endpoint.requests.length)
  })
  await agent.sessions.list() // The host has done all that it does by itself.
  await agent.sessions.list()
  stop()
  expect(before).toEqual([])
  await stepOf(second)
  await second.return()
})

test('time between two steps does not count towards the time limit of the turn', async ({ lab }) => {
  const { agent } = await lab.start([{ calls: [call('a', 'one')] }, { text: 'ok' }], { limits: { turn: 900 } })
  agent.registerTool({ name: 'one', description: 'One', execute: () => 'ran' })
  const steps = agent.step('Go')
  const step = await stepOf(steps)
  // Meanwhile another turn, which started later and spends its time itself, has reached the same limit.
  const other = await lab.start([{ calls: [call('a', 'one')] }], { limits: { turn: 900 } })
  other.agent.registerTool({ name: 'one', description: 'One', timeout: 0, execute: () => new Promise(() => undefined) })
  expect(await other.agent.send('Go')).toMatchObject({ reason: 'max-time' })
  await step.execute()
  expect((await stepOf(steps)).text).toBe('ok')
  expect(await steps.next()).toMatchObject({ value: { reason: 'stop' } })
})
