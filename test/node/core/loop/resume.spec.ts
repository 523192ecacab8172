// A host may die after any event. The next host opens the same store: the history is valid, the turn resumes or can be
// continued, and no unrepeatable call ran twice.
import { toolCallsOf } from '../../../../src/core/data/message.js'
import { resumesByItself } from '../../../../src/core/state/recover.js'
import type { Session, Turn } from '../../../../src/core/data/session.js'
import { isObject, type JsonObject } from '../../../../src/core/data/json.js'
import type { ToolAnnotations } from '../../../../src/core/data/tool.js'
import { keepOutcomes } from '../../../../src/page/tab/notes.js'
import type { Agent } from '../../../../src/page/agent.js'
import type { ToolRun } from '../../../../src/page/tools/tool.js'
import type { Handler, Reply } from '../../../support/lab/endpoint.js'
import { deferred, expect, test, until } from '../../../support/lab/lab.js'
import { messagesOf, resultsOf } from '../../../support/lab/requests.js'

const calls = [
  { id: 'r', name: 'read', arguments: {} },
  { id: 'w', name: 'write', arguments: {} },
  { id: 'p', name: 'pay', arguments: {} },
  { id: 't', name: 'todo_write', arguments: { items: [{ text: 'a' }] } },
]
/** Stateless, as a model is: calls first, then an answer. */
const model: Handler = (body) => {
  const messages = Array.isArray(body['messages']) ? body['messages'].filter(isObject) : []
  const last = messages.at(-1)
  if (last?.['role'] === 'user' && last['content'] === 'next') return { text: 'next answer' }
  return messages.some((message) => message['role'] === 'tool') ? { text: 'answer' } : { calls }
}

class Tools {
  readonly runs = { read: 0, write: 0, pay: 0 }
  register(agent: Agent): void {
    agent.registerTool([
      {
        name: 'read',
        description: 'Reads',
        annotations: { readOnlyHint: true },
        execute: () => `read ${++this.runs.read}`,
      },
      {
        name: 'write',
        description: 'Writes',
        execute: (_: unknown, run: ToolRun) => {
          run.remember('written', true)
          return `write ${++this.runs.write}`
        },
      },
      { name: 'pay', description: 'Pays', needsApproval: true, execute: () => `pay ${++this.runs.pay}` },
    ])
    agent.subscribe((event) => {
      if (event.type === 'approval-request') void agent.approve(event.callId).catch(() => undefined)
    })
  }
}

/**
 * Facts of the undisturbed turn: turn-start, step-end, todo result, question, 3 starts, 3 results, step-end, turn-end.
 */
const facts = 12

test('the steps of a resumed turn share the tools', async ({ lab }) => {
  const both = (body: JsonObject): Reply =>
    JSON.stringify(body['messages']).includes('"tool"')
      ? { text: 'ok' }
      : {
          calls: [
            { id: 'a', name: 'one', arguments: {} },
            { id: 'b', name: 'two', arguments: {} },
          ],
        }
  const first = await lab.start(both, { sessionId: 'sharing', killAfter: 2 })
  const maps: unknown[] = []
  const execute = (_: unknown, run: ToolRun) => {
    maps.push(run.shared)
  }
  const names = ['one', 'two'].map((name) => ({ name, description: 'Notes its map', execute }))
  first.agent.registerTool(names)
  void first.agent.send('Go')
  await first.dead
  const second = await lab.start([], { store: first.store, sessionId: 'sharing', endpointServer: first.endpoint })
  second.agent.registerTool(names)
  await second.agent.connect()
  await until(second.agent, () => second.agent.status === 'idle')
  expect(maps).toHaveLength(2)
  expect(maps[0]).toBe(maps[1])
})

test(
  'a host killed after any event: the next page finishes the turn, and no unrepeatable call runs twice',
  { tag: ['@R6.3', '@R6.5'] },
  async ({ lab }) => {
    const rows: string[] = []
    for (let killAfter = 1; killAfter <= facts; killAfter++) {
      const tools = new Tools()
      const sessionId = `matrix-${killAfter}`
      const first = await lab.start(model, { killAfter, sessionId })
      tools.register(first.agent)
      void first.agent.send('Go')
      await first.dead
      const second = await lab.start([], { store: first.store, sessionId, endpointServer: first.endpoint })
      tools.register(second.agent)
      await second.agent.connect()
      await until(second.agent, () => second.agent.status === 'idle')
      expect(tools.runs.write, `write after ${killAfter}`).toBeLessThanOrEqual(1)
      expect(tools.runs.pay, `pay after ${killAfter}`).toBeLessThanOrEqual(1)
      const results = second.agent.messages
        .flatMap(toolCallsOf)
        .map(({ call, result }) => `${call.id}:${result?.error?.code ?? 'ok'}`)
      rows.push(
        `${String(killAfter).padStart(2)}  ${second.agent.session?.end?.reason}  ${results.join(' ')}  runs ${JSON.stringify(tools.runs)}`,
      )
      expect(second.agent.session?.end?.reason).toBe('stop')
      expect((await second.agent.send('next')).text).toBe('next answer')
    }
    console.log(`kill matrix, one row a fact:\n${rows.join('\n')}`)
  },
)

test('the kill matrix covers the whole turn', async ({ lab }) => {
  const tools = new Tools()
  const { agent, log } = await lab.start(model)
  tools.register(agent)
  await agent.send('Go')
  expect(log.filter((line) => line.startsWith('commit:head'))).toHaveLength(facts)
})

test(
  'runs a started repeatable call again with the same id, and settles others as interrupted',
  { tag: ['@C42', '@F2', '@R6.3'] },
  async ({ lab }) => {
    const ids: string[] = []
    const hang = { isOver: false }
    const tool = (name: string, hints: ToolAnnotations) => ({
      name,
      description: name,
      annotations: hints,
      execute: (_: unknown, { toolCallId }: ToolRun) => {
        ids.push(toolCallId)
        return hang.isOver ? `${name} done` : new Promise(() => undefined)
      },
    })
    const first = await lab.start(
      (body) =>
        JSON.stringify(body).includes('"tool"')
          ? { text: 'ok' }
          : {
              calls: [
                { id: 'look-1', name: 'look', arguments: {} },
                { id: 'buy-1', name: 'buy', arguments: {} },
              ],
            },
      { sessionId: 's1' },
    )
    const tools = [tool('look', { readOnlyHint: true }), tool('buy', {})]
    first.agent.registerTool(tools)
    void first.agent.send('Go')
    await until(first.agent, () => toolCallsOf(first.agent.messages.at(-1)).filter((part) => part.started).length === 2)
    first.kill()
    hang.isOver = true
    const second = await lab.start([], { store: first.store, sessionId: 's1', endpointServer: first.endpoint })
    second.agent.registerTool(tools)
    await second.agent.connect()
    await until(second.agent, () => second.agent.status === 'idle')
    expect(ids.sort()).toEqual(['buy-1', 'look-1', 'look-1'])
    const [look, buy] = resultsOf(second.endpoint.requests[1])
    expect(look).toBe('look done')
    expect(buy).toMatch(/^Error \(interrupted\).*It may still have happened: check before you repeat it\.$/)
  },
)

test(
  'uses a result that the page kept instead of recovering the call',
  { tag: ['@C42', '@F5', '@R6.3'] },
  async ({ lab }) => {
    let runs = 0
    const began = deferred()
    const first = await lab.start(
      (body) =>
        JSON.stringify(body).includes('"tool"')
          ? { text: 'ok' }
          : { calls: [{ id: 'buy-1', name: 'buy', arguments: {} }] },
      { sessionId: 's2' },
    )
    const buy = {
      name: 'buy',
      description: 'Buys',
      execute: () => {
        runs++
        began.resolve()
        return new Promise(() => undefined)
      },
    }
    first.agent.registerTool(buy)
    void first.agent.send('Go')
    await began.promise
    first.kill()
    keepOutcomes('s2', [
      { callId: 'buy-1', attempts: 1, startedAt: 1, endedAt: 2, output: 'bought', text: 'bought', untrusted: false },
    ])
    const second = await lab.start([], { store: first.store, sessionId: 's2', endpointServer: first.endpoint })
    second.agent.registerTool(buy)
    await second.agent.connect()
    await until(second.agent, () => second.agent.status === 'idle')
    expect(runs).toBe(1)
    expect(second.agent.messages.flatMap(toolCallsOf)[0]?.result?.output).toBe('bought')
  },
)

test(
  'resume="ask" keeps the streamed text, settles the calls, and continues on request',
  { tag: ['@R5.5', '@F1', '@R6.3'] },
  async ({ lab }) => {
    const half = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: `Half of the ${'x'.repeat(3_000)}` } }] })}\n\n`
    const first = await lab.start([{ raw: half, end: 'hang' }, { text: 'the end' }], { sessionId: 's3', resume: 'ask' })
    void first.agent.send('Go')
    await until(first.agent, () => first.log.some((line) => line.includes('draft')))
    first.kill()
    const second = await lab.start([], {
      store: first.store,
      sessionId: 's3',
      resume: 'ask',
      endpointServer: first.endpoint,
    })
    await second.agent.connect()
    await until(second.agent, () => second.agent.status === 'interrupted')
    expect(second.agent.messages.at(-1)).toMatchObject({ role: 'assistant', reason: 'interrupted' })
    expect(await second.agent.continue()).toMatchObject({ text: 'the end', reason: 'stop' })
    expect(messagesOf(second.endpoint.requests[1]).at(-1)).toMatchObject({ role: 'user' })
  },
)

test('a resumed turn waits for its tools, and missing ones are unavailable', { tag: '@R6.4' }, async ({ lab }) => {
  const first = await lab.start(
    (body) =>
      JSON.stringify(body).includes('"tool"')
        ? { text: 'ok' }
        : {
            calls: [
              { id: 'a', name: 'late', arguments: {} },
              { id: 'b', name: 'never', arguments: {} },
            ],
          },
    { sessionId: 's4', killAfter: 2 },
  )
  first.agent.registerTool([
    { name: 'late', description: 'Comes late', execute: () => 'early' },
    { name: 'never', description: 'Never comes back', execute: () => 'early' },
  ])
  void first.agent.send('Go')
  await first.dead
  const second = await lab.start([], {
    store: first.store,
    sessionId: 's4',
    endpointServer: first.endpoint,
    limits: { resumeWait: 300 },
  })
  await second.agent.connect()
  second.agent.registerTool({ name: 'late', description: 'Comes late', execute: () => 'here I am' })
  await until(second.agent, () => second.agent.status === 'idle')
  expect(second.agent.messages.flatMap(toolCallsOf).map(({ result }) => result?.output ?? result?.error?.code)).toEqual(
    ['here I am', 'unavailable'],
  )
})

test(
  'a host whose session another host claimed stops writing and reports it',
  { tag: ['@F24', '@R6.1'] },
  async ({ lab }) => {
    const hold = deferred<string>()
    const first = await lab.start([{ calls: [{ name: 'slow', arguments: {} }] }, { text: 'never' }].slice(0, 1), {
      sessionId: 's5',
    })
    first.agent.registerTool({ name: 'slow', description: 'Slow', execute: () => hold.promise })
    const turn = first.agent.send('Go')
    await until(first.agent, () => toolCallsOf(first.agent.messages.at(-1)).some((part) => part.started))
    await first.store.claim('s5', 10)
    hold.resolve('late')
    await expect(turn).rejects.toMatchObject({ code: 'lost-session' })
    await until(first.agent, () => first.agent.role === 'mirror')
    expect(toolCallsOf((await first.store.read('s5', 10))?.messages.at(-1))[0]?.result).toBeUndefined()
    first.kill()
  },
)

test(
  'resumes a turn automatically in its own tab, soon after its last event, at most three times',
  { tag: '@R6.4' },
  async ({ lab }) => {
    const { agent } = await lab.start(model)
    let running: Session | undefined
    agent.subscribe((event) => {
      if (event.type === 'turn-start') running = agent.session
    })
    await agent.send('next')
    if (!running?.turn) throw new Error('no turn was seen')
    const session = running
    const { turn } = running
    const now = turn.lastAt + 60_000
    const at = (more: Partial<Turn>) =>
      resumesByItself({ ...session, turn: { ...turn, ...more } }, 'auto', turn.tab, now)
    expect(at({})).toBe(true)
    expect(at({ resumes: 2 })).toBe(true)
    expect(at({ resumes: 3 })).toBe(false)
    expect(at({ lastAt: now - 5 * 60_000 })).toBe(false)
    expect(at({ tab: 'another' })).toBe(false)
    expect(at({ mode: 'manual' })).toBe(false)
    expect(resumesByItself(session, 'ask', turn.tab, now)).toBe(false)
  },
)

test(
  'accepts a decision on a restored approval request before the tools are registered',
  { tag: ['@C101', '@R6.3', '@R7.3'] },
  async ({ lab }) => {
    const script: Handler = (body) =>
      JSON.stringify(body).includes('"tool"') ? { text: 'ok' } : { calls: [{ id: 'p', name: 'pay', arguments: {} }] }
    let runs = 0
    const pay = {
      name: 'pay',
      description: 'Pays a bill with the money of the user',
      needsApproval: true,
      execute: () => {
        runs++
      },
    }
    const first = await lab.start(script, { sessionId: 's6' })
    first.agent.registerTool(pay)
    void first.agent.send('Go').catch(() => undefined)
    await until(first.agent, () => first.agent.status === 'awaiting-approval')
    first.kill()
    const second = await lab.start([], { store: first.store, sessionId: 's6', endpointServer: first.endpoint })
    const other = {
      name: 'other',
      description: 'Is registered so late that the turn has to wait',
      execute: () => undefined,
    }
    second.agent.registerTool(pay)
    await second.agent.connect()
    expect(second.agent.status).toBe('awaiting-approval')
    await second.agent.approve('p')
    second.agent.registerTool(other)
    await until(second.agent, () => second.agent.status === 'idle')
    expect(runs).toBe(1)
  },
)

test(
  'a denied restored call does not run on a page that would not have asked',
  { tag: ['@C101', '@R6.3', '@R7.3'] },
  async ({ lab }) => {
    const script: Handler = (body) =>
      JSON.stringify(body).includes('"tool"') ? { text: 'ok' } : { calls: [{ id: 'p', name: 'pay', arguments: {} }] }
    let runs = 0
    const pay = (needsApproval: boolean) => ({
      name: 'pay',
      description: 'Pays a bill with the money of the user',
      needsApproval,
      execute: () => {
        runs++
      },
    })
    const first = await lab.start(script, { sessionId: 's6n' })
    first.agent.registerTool(pay(true))
    void first.agent.send('Go').catch(() => undefined)
    await until(first.agent, () => first.agent.status === 'awaiting-approval')
    first.kill()
    const second = await lab.start([], { store: first.store, sessionId: 's6n', endpointServer: first.endpoint })
    await second.agent.connect()
    await second.agent.deny('p', { reason: 'Not today' })
    second.agent.registerTool(pay(false))
    await until(second.agent, () => second.agent.status === 'idle')
    expect(runs).toBe(0)
    expect(second.agent.messages[1]).toMatchObject({
      parts: [{ result: { error: { code: 'denied', message: expect.stringContaining('Not today') } } }],
    })
  },
)

test(
  'a turn that replaced the tools does not get the registered ones after a reload',
  { tag: '@R1.1' },
  async ({ lab }) => {
    let danger = 0
    const first = await lab.start(
      (body) =>
        JSON.stringify(body).includes('"tool"')
          ? { text: 'ok' }
          : { calls: [{ id: 'd', name: 'danger', arguments: {} }] },
      { sessionId: 's7', killAfter: 1, limits: { resumeWait: 20 } },
    )
    const tools = [
      {
        name: 'danger',
        description: 'Is not on offer in this turn',
        execute: () => {
          danger++
        },
      },
    ]
    first.agent.registerTool(tools)
    void first.agent
      .send('Go', {
        tools: [{ name: 'safe', description: 'Is the only tool of this turn', execute: () => undefined }],
        activeTools: ['safe'],
      })
      .catch(() => undefined)
    await first.dead
    const second = await lab.start([], {
      store: first.store,
      sessionId: 's7',
      endpointServer: first.endpoint,
      limits: { resumeWait: 20 },
    })
    second.agent.registerTool(tools)
    await second.agent.connect()
    await until(second.agent, () => second.agent.status === 'idle')
    expect(danger).toBe(0)
  },
)

test('a stop during a resumed call and a pending check causes no unhandled rejection', async ({ lab }) => {
  const script: Handler = () => ({
    calls: [
      { id: 'l', name: 'look', arguments: {} },
      { id: 'p', name: 'pay', arguments: {} },
    ],
  })
  const looked = deferred()
  const asked = deferred()
  const look = {
    name: 'look',
    description: 'Looks for as long as it may',
    annotations: { readOnlyHint: true },
    execute: () => {
      looked.resolve()
      return new Promise(() => undefined)
    },
  }
  const pay = (needsApproval: boolean | (() => Promise<boolean>)) => ({
    name: 'pay',
    description: 'Pays a bill',
    needsApproval,
    execute: () => 'paid',
  })
  const first = await lab.start(script, { sessionId: 's8' })
  first.agent.registerTool([look, pay(true)])
  void first.agent.send('Go')
  await looked.promise
  await until(first.agent, () => first.agent.status === 'awaiting-approval')
  first.kill()
  const again = deferred()
  const second = await lab.start([], { store: first.store, sessionId: 's8', endpointServer: first.endpoint })
  second.agent.registerTool([
    {
      ...look,
      execute: () => {
        again.resolve()
        return new Promise(() => undefined)
      },
    },
    pay(() => {
      asked.resolve()
      return new Promise(() => undefined)
    }),
  ])
  await second.agent.connect()
  await Promise.all([again.promise, asked.promise])
  second.agent.stop()
  await until(second.agent, () => second.agent.status === 'idle')
  expect(second.agent.messages.flatMap(toolCallsOf).map(({ result }) => result?.error?.code)).toEqual([
    'cancelled',
    'cancelled',
  ])
})

test('a started call of a superseded turn runs again after a reload', { tag: '@R5.3' }, async ({ lab }) => {
  const script: Handler = () => ({
    calls: [
      { id: 'l', name: 'look', arguments: {} },
      { id: 'p', name: 'pay', arguments: {} },
    ],
  })
  const pay = {
    name: 'pay',
    description: 'Pays a bill with the money of the user',
    needsApproval: true,
    execute: () => 'paid',
  }
  const look = {
    name: 'look',
    description: 'Looks at what is there, for a while',
    annotations: { readOnlyHint: true },
  }
  const first = await lab.start(script, { sessionId: 's9' })
  first.agent.registerTool([{ ...look, execute: () => new Promise(() => undefined) }, pay])
  void first.agent.send('Go').catch(() => undefined)
  await until(
    first.agent,
    () =>
      first.agent.status === 'awaiting-approval' &&
      toolCallsOf(first.agent.messages.at(-1)).some((part) => part.started),
  )
  void first.agent.send('Something else').catch(() => undefined)
  await until(first.agent, () => toolCallsOf(first.agent.messages.at(-1)).some((part) => part.result))
  first.kill()
  const second = await lab.start([], { store: first.store, sessionId: 's9', endpointServer: first.endpoint })
  second.agent.registerTool([{ ...look, execute: () => 'looked' }, pay])
  await second.agent.connect()
  await until(second.agent, () => second.agent.status === 'idle')
  expect(second.agent.messages.flatMap(toolCallsOf).map(({ result }) => result?.output ?? result?.error?.code)).toEqual(
    ['looked', 'superseded'],
  )
  expect(second.agent.session?.end?.reason).toBe('superseded')
})
