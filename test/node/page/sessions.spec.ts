// Which session an agent opens, which turns resume after a reload, and what a reloaded page waits for.
import { toolCallsOf } from '../../../src/core/data/message.js'
import { reduce } from '../../../src/core/state/reduce.js'
import { memoryStore } from '../../../src/host/store/memory-store.js'
import { Agent } from '../../../src/page/agent.js'
import { claimSlot } from '../../../src/page/tab/session-slot.js'
import { keepOutcomes, takeOutcomes } from '../../../src/page/tab/notes.js'
import { untilPageReady } from '../../../src/page/answers/prepare-step.js'
import { ToolRegistry } from '../../../src/page/tools/registry.js'
import { agentTool } from '../../../src/page/tools/agent-tool.js'
import { deferred, expect, test, until, type Bench } from '../../support/lab/lab.js'

const call = (id: string, name: string) => ({ id, name, arguments: {} })
test.beforeEach(() => {
  console.error = console.warn = () => undefined
})

test('a session is stored at its first message, not before', { tag: '@R6.2' }, async ({ lab }) => {
  const store = memoryStore()
  const { agent } = await lab.start([{ text: 'ok' }], { store, sessionId: 'new' })
  await agent.connect()
  expect([await store.list(''), await agent.sessions.list()]).toEqual([[], []])
  await agent.send('Hello')
  expect((await store.list('')).map(({ id }) => id)).toEqual(['new'])
})

test('opening another session stops the running turn first', { tag: '@R6.2' }, async ({ lab }) => {
  const store = memoryStore()
  const hold = deferred()
  const { agent } = await lab.start([{ text: ['half', ' and more'], hold: hold.promise }], { store, sessionId: 'one' })
  const sent = agent.send('Go')
  await until(agent, () => agent.session?.draft?.parts.length === 1)
  await agent.sessions.open('two')
  expect((await sent).reason).toBe('stopped')
  expect((await store.read('one', 9))?.end?.reason).toBe('stopped')
  expect([agent.session?.id, agent.messages]).toEqual(['two', []])
  hold.resolve()
})

test(
  'opens the session that sessionId names, else the last one of this tab and scope, else a new one',
  { tag: '@R6.2' },
  async ({ lab }) => {
    const store = memoryStore()
    const open = async (more: { sessionId?: string; scope?: string }) => {
      const { agent } = await lab.start([], { store, scope: 'which', ...more })
      await agent.connect()
      const { id } = agent.session!
      await agent.close()
      return id
    }
    const first = await open({})
    expect(await open({})).toBe(first)
    expect(await open({ sessionId: 'named' })).toBe('named')
    expect(await open({})).toBe('named')
    expect(await open({ scope: 'which else' })).not.toBe('named')
  },
)

test(
  'after a reload, agents of one page get their sessions in the order in which they connect',
  { tag: ['@R6.2', '@F13'] },
  () => {
    const scope = 'places'
    const key = `tool-agent:session:${scope}`
    const items = new Map<string, string>([[key, '["before"]']])
    Object.assign(globalThis, {
      sessionStorage: {
        getItem: (name: string) => items.get(name) ?? null,
        setItem: (name: string, value: string) => items.set(name, value),
        removeItem: (name: string) => items.delete(name),
      },
    })
    try {
      const none = new Set<string>()
      const [one, two, three] = [claimSlot(scope, none), claimSlot(scope, none), claimSlot(scope, none)]
      expect([one, two, three].map((place) => place.saved())).toEqual(['before', undefined, undefined])
      three.save('c')
      one.save('a')
      two.save('b')
      two.save('b2')
      for (const place of [one, two, three]) place.release()
      const again = [claimSlot(scope, none), claimSlot(scope, none)]
      expect(again.map((place) => place.saved())).toEqual(['a', 'b2'])
      // A session is saved in one slot only.
      again[0]?.save('c')
      const last = claimSlot(scope, new Set(['c']))
      expect([last.saved(), items.get(key)]).toEqual([undefined, '["c","b2",""]'])
      for (const place of [...again, last]) place.release()
      // An agent with a session id gets the slot of that session. Sessions that are open here are skipped.
      const named = claimSlot(scope, none, 'b2')
      const next = claimSlot(scope, new Set(['c', 'b2']))
      expect([named.saved(), next.saved()]).toEqual(['b2', undefined])
      for (const place of [named, next]) place.release()
    } finally {
      Reflect.deleteProperty(globalThis, 'sessionStorage')
    }
  },
)

test(
  'a turn without progress is resumed three times and then waits for the user',
  { tag: '@R6.4' },
  async ({ lab }) => {
    const store = memoryStore()
    const sessionId = 'nowhere'
    const first = await lab.start(() => ({ raw: [], end: 'hang' }), { store, sessionId })
    void first.agent.send('Go')
    await until(first.agent, () => first.agent.session?.draft !== undefined)
    first.kill()
    for (let time = 1; time <= 3; time++) {
      const next = await lab.start([], { store, sessionId, endpointServer: first.endpoint })
      await next.agent.connect()
      await until(next.agent, () => next.agent.session?.draft !== undefined)
      expect(next.agent.session?.turn?.resumes).toBe(time)
      next.kill()
    }
    const last = await lab.start([], { store, sessionId, endpointServer: first.endpoint })
    await last.agent.connect()
    await until(last.agent, () => last.agent.status === 'interrupted')
    expect(last.agent.session?.end?.reason).toBe('interrupted')
  },
)

test('a completed step resets the count of resumes', { tag: '@R6.4' }, async ({ lab }) => {
  const { agent } = await lab.start([{ text: 'ok' }])
  const turns: (number | undefined)[] = []
  agent.subscribe((event) => {
    if (event.type !== 'step-end' || !agent.session) return
    const { session } = agent
    const resumed = session.turn ? { ...session, turn: { ...session.turn, resumes: 2 } } : session
    turns.push(
      reduce(resumed, {
        type: 'step-end',
        at: 1,
        step: 2,
        offered: [],
        message: { id: 'n', role: 'assistant', parts: [], at: 1 },
      }).turn?.resumes,
    )
  })
  await agent.send('Go')
  expect(turns).toEqual([0])
})

test('limits count over all pages of a turn: steps', { tag: '@R6.4' }, async ({ lab }) => {
  const options = { sessionId: 'counted', limits: { steps: 2 } }
  const first = await lab.start(() => ({ calls: [call(crypto.randomUUID(), 'look')] }), options)
  const look = (execute: () => unknown) => ({
    name: 'look',
    description: 'Looks',
    annotations: { readOnlyHint: true },
    execute,
  })
  const running = deferred()
  first.agent.registerTool(
    look(() => {
      running.resolve()
      return new Promise(() => undefined)
    }),
  )
  void first.agent.send('Go')
  await running.promise
  first.kill()
  const second = await lab.start([], { ...options, store: first.store, endpointServer: first.endpoint })
  second.agent.registerTool(look(() => crypto.randomUUID()))
  await second.agent.connect()
  await until(second.agent, () => second.agent.status === 'idle')
  expect(second.agent.session?.end?.reason).toBe('max-steps')
  expect(first.endpoint.requests).toHaveLength(2)
})

test('limits count over all pages of a turn: time', { tag: '@R6.4' }, async ({ lab }) => {
  // The test calls the callbacks of the host's timers itself.
  const { setInterval: interval } = globalThis
  const seconds = new Set<() => void>()
  globalThis.setInterval = ((work: () => void, ms?: number) => {
    if (ms === 1_000) seconds.add(work)
    return interval(work, ms === 1_000 ? 2 ** 30 : ms)
  }) as typeof setInterval
  const pass = (count: number) => {
    for (let second = 0; second < count; second++) for (const work of seconds) work()
  }
  try {
    const hold = deferred()
    const options = { sessionId: 'timed', limits: { turn: 5_000 } }
    let asked = 0
    const first = await lab.start(
      () =>
        ++asked === 1 ? hold.promise.then(() => ({ calls: [call('l', 'look')] })) : { raw: [], end: 'hang' as const },
      options,
    )
    const running = deferred()
    const look = (execute: () => unknown) => ({
      name: 'look',
      description: 'Looks',
      annotations: { readOnlyHint: true },
      execute,
    })
    first.agent.registerTool(
      look(() => {
        running.resolve()
        return new Promise(() => undefined)
      }),
    )
    void first.agent.send('Go')
    await first.endpoint.received(1)
    pass(3)
    hold.resolve()
    await running.promise
    first.kill()
    seconds.clear()
    const second = await lab.start([], { ...options, store: first.store, endpointServer: first.endpoint })
    second.agent.registerTool(look(() => 'seen'))
    await second.agent.connect()
    await first.endpoint.received(2)
    pass(1)
    expect(second.agent.status).toBe('running')
    pass(1)
    await until(second.agent, () => second.agent.status !== 'running')
    expect(second.agent.session?.end?.reason).toBe('max-time')
  } finally {
    globalThis.setInterval = interval
  }
})

test(
  'a reloaded page is ready when its document is complete and its tools are registered, or after a limit',
  { tag: '@R6.4' },
  async () => {
    const window = new EventTarget()
    const document = { readyState: 'interactive' }
    Object.assign(globalThis, { window, document })
    try {
      const registry = new ToolRegistry({ onError: () => undefined })
      const seen: string[] = []
      const look = { name: 'look', description: 'Looks at what is there', execute: () => undefined }
      const ready = (name: string, limit = 60_000, signal = new AbortController().signal) =>
        untilPageReady(['look'], registry, limit, signal).then(() => {
          seen.push(name)
        })
      const task = () =>
        new Promise((resolve) => {
          setImmediate(resolve)
        })
      registry.register(look)
      const loading = ready('loaded')
      await task()
      expect(seen).toEqual([])
      document.readyState = 'complete'
      window.dispatchEvent(new Event('load'))
      await loading
      const other = new ToolRegistry({ onError: () => undefined })
      const waiting = untilPageReady(['look'], other, 60_000, new AbortController().signal).then(() => {
        seen.push('registered')
      })
      await task()
      expect(seen).toEqual(['loaded'])
      other.register(look)
      await waiting
      await untilPageReady(['never'], other, 1, new AbortController().signal).then(() => {
        seen.push('late')
      })
      await untilPageReady(['never'], other, 60_000, AbortSignal.abort()).then(() => {
        seen.push('stopped')
      })
      expect(seen).toEqual(['loaded', 'registered', 'late', 'stopped'])
    } finally {
      for (const name of ['window', 'document']) Reflect.deleteProperty(globalThis, name)
    }
  },
)

test('a new host waits for a tool that a lost host started, and uses its result', { tag: '@F15' }, async ({ lab }) => {
  const running = deferred()
  const finish = deferred<string>()
  let runs = 0
  const { agent, killHost } = await lab.start([{ calls: [call('b', 'buy')] }, { text: 'done' }], { worker: true })
  agent.registerTool({
    name: 'buy',
    description: 'Buys when it is told to',
    timeout: 0,
    execute: () => {
      runs++
      running.resolve()
      return finish.promise
    },
  })
  const sent = agent.send('Go')
  await running.promise
  const opened = new Promise<void>((resolve) =>
    agent.observe((notice) => {
      if (notice.type === 'session') resolve()
    }),
  )
  killHost()
  await opened
  await until(agent, () => agent.session?.turn?.resumes === 1)
  finish.resolve('bought')
  expect(await sent).toMatchObject({ text: 'done', toolExecutions: [{ output: 'bought' }] })
  expect(runs).toBe(1)
})

test('a turn that a lost host started without reporting it is not sent twice', { tag: '@F15' }, async ({ lab }) => {
  // The endpoint may get the request of the lost host, too.
  const model = (body: object) => ({ text: JSON.stringify(body).includes('Next') ? 'two' : 'one' })
  const bench: Bench = await lab.start(model, { worker: true, killAfter: 1 })
  const sent = bench.agent.send('Go')
  await bench.dead
  bench.killHost()
  expect((await sent).text).toBe('one')
  expect((await bench.agent.send('Next')).text).toBe('two')
  expect(bench.agent.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
})

test('the calls of a sub-agent end with their page and are not started again', { tag: '@R6.3' }, async ({ lab }) => {
  const running = deferred()
  const runs: string[] = []
  const prepare = ({ agent }: Bench) =>
    agent.registerTool(
      agentTool({
        name: 'research',
        description: 'Finds',
        instructions: 'You research.',
        tools: [
          {
            name: 'find',
            description: 'Finds',
            annotations: { readOnlyHint: true },
            execute: () => {
              runs.push('find')
              running.resolve()
              return new Promise(() => undefined)
            },
          },
        ],
      }),
    )
  const first = await lab.start(
    (body) => {
      const messages = body['messages'] as { role: string; content: string }[]
      if (messages[0]?.content.includes('You research')) return { calls: [call('f', 'find')] }
      return messages.at(-1)?.role === 'tool'
        ? { text: 'ok' }
        : { calls: [{ id: 'r', name: 'research', arguments: { task: 'x' } }] }
    },
    { sessionId: 'inside' },
  )
  prepare(first)
  void first.agent.send('Go')
  await running.promise
  first.kill()
  const second = await lab.start([], { store: first.store, sessionId: 'inside', endpointServer: first.endpoint })
  prepare(second)
  await second.agent.connect()
  await until(second.agent, () => second.agent.status === 'idle')
  const [research] = second.agent.messages.flatMap(toolCallsOf)
  expect([
    research?.result?.error?.code,
    research?.child?.messages.flatMap(toolCallsOf)[0]?.result?.error?.code,
    runs,
  ]).toEqual(['interrupted', 'interrupted', ['find']])
})

test('an outcome that a page saved is returned once', { tag: '@F5' }, () => {
  keepOutcomes('kept', [
    { callId: 'b', attempts: 1, startedAt: 1, endedAt: 2, output: 'bought', text: 'bought', untrusted: false },
  ])
  expect(takeOutcomes('kept').map(({ callId }) => callId)).toEqual(['b'])
  expect(takeOutcomes('kept')).toEqual([])
})

test(
  'a page that is closed saves tool results that the host has not stored',
  { tag: ['@F5', '@R6.3'] },
  async ({ lab }) => {
    const window = new EventTarget()
    Object.assign(globalThis, { window })
    try {
      const running = deferred()
      const finish = deferred<string>()
      const { agent, kill } = await lab.start([{ calls: [call('b', 'buy')] }], { sessionId: 'left' })
      agent.registerTool({
        name: 'buy',
        description: 'Buys when it is told to',
        execute: () => {
          running.resolve()
          return finish.promise
        },
      })
      void agent.send('Go').catch(() => undefined)
      await running.promise
      kill()
      finish.resolve('bought')
      for (let task = 0; task < 5; task++)
        await new Promise((resolve) => {
          setImmediate(resolve)
        })
      window.dispatchEvent(Object.assign(new Event('pagehide'), { persisted: false }))
      expect(takeOutcomes('left')).toMatchObject([{ callId: 'b', output: 'bought' }])
    } finally {
      Reflect.deleteProperty(globalThis, 'window')
    }
  },
)

test('methods that need an open session reject with not-open before one is open', async () => {
  const agent = new Agent({}, () => Promise.reject(new Error('no host here')))
  expect([agent.status, agent.host, agent.role]).toEqual(['ready', undefined, undefined])
  await expect(agent.loadOlder()).rejects.toMatchObject({ code: 'not-open' })
  await expect(agent.exportTrace()).rejects.toMatchObject({ code: 'not-open' })
})
