// One session in several tabs, rule by rule: a mirror shows the events of the driver, and the tab that acts drives.
import { internals } from '../../../../src/core/data/tool.js'
import { toolCallsOf, textOf } from '../../../../src/core/data/message.js'
import type { MemoryDisk } from '../../../../src/host/store/memory-store.js'
import type { ToolRun } from '../../../../src/page/tools/tool.js'
import type { ChannelPort } from '../../../../src/host/tabs/session-channel.js'
import type { Handler, ScriptItem } from '../../../support/lab/endpoint.js'
import { deferred, expect, test, until, type Bench, type Lab } from '../../../support/lab/lab.js'
import { FakeOrigin } from '../../../support/lab/tabs.js'
import { hurry } from '../../../support/lab/timers.js'

const sessionId = 'shared'
const call = (id: string, name: string) => ({ id, name, arguments: {} })
/** What a page tool predicts about a control whose effect is not known. */
const unknownAction = () =>
  ({ preview: { task: { covers: 'unknown' } }, effect: 'unknown', from: '', hides: false }) as const
const texts = ({ agent }: Bench) => agent.messages.map(textOf)

interface Tabs {
  readonly origin: FakeOrigin
  readonly disk: MemoryDisk
  readonly first: Bench
  readonly second: Bench
}

/** Two tabs of one origin: the first drives, the second watches. */
async function two(
  lab: Lab,
  script: readonly ScriptItem[] | Handler,
  prepare: (bench: Bench) => void = () => undefined,
): Promise<Tabs> {
  const [origin, disk]: [FakeOrigin, MemoryDisk] = [new FakeOrigin(), new Map()]
  const first = await lab.start(script, { sessionId, disk, origin })
  prepare(first)
  await first.agent.connect()
  const second = await lab.start([], { sessionId, disk, origin, endpointServer: first.endpoint })
  prepare(second)
  await second.agent.connect()
  expect([first.agent.role, second.agent.role]).toEqual(['driver', 'mirror'])
  expect([first.agent.host, second.agent.host]).toEqual(['page', 'page'])
  return { origin, disk, first, second }
}

/** The origin for a tab that receives nothing from others: its worker hangs, or the browser froze it. */
function deaf(origin: FakeOrigin): FakeOrigin {
  return {
    tab: () => {
      const tab = origin.tab()
      return {
        ...tab,
        channels: (name: string): ChannelPort => {
          const port = tab.channels(name)
          return {
            postMessage: (message) => port.postMessage(message),
            close: () => port.close(),
            addEventListener: () => undefined,
          }
        },
      }
    },
  } as unknown as FakeOrigin
}

/** The channel of the session, as any script of the origin has it. */
const channelOf = (origin: FakeOrigin): ChannelPort => origin.tab().channels(`tool-agent:${sessionId}`)
/** All that has been posted so far has arrived. */
const arrived = async () => {
  for (let task = 0; task < 5; task++)
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
}

// A page that loads again is granted a moment, and a driver that lets go, too.
let timers: ReturnType<typeof hurry>
test.beforeEach(() => {
  timers = hurry(600, 1_000)
  console.error = console.warn = () => undefined
})
test.afterEach(() => timers.stop())

test(
  'a second tab mirrors the session live, and its stop reaches the driver',
  { tag: ['@F21', '@C120', '@R6.6'] },
  async ({ lab }) => {
    const hold = deferred()
    const { first, second } = await two(lab, [
      { text: 'the first answer' },
      { text: ['slow ', 'words'], hold: hold.promise },
    ])
    await first.agent.send('Hello')
    const sent = first.agent.send('More')
    await until(
      second.agent,
      () => second.agent.session?.draft?.parts.some((part) => part.type === 'text' && part.text === 'slow ') === true,
    )
    expect([second.agent.status, second.agent.role]).toEqual(['running', 'mirror'])
    second.agent.stop()
    expect(await sent).toMatchObject({ reason: 'stopped', text: 'slow ' })
    await until(second.agent, () => second.agent.status === 'idle')
    expect(texts(second)).toEqual(['Hello', 'the first answer', 'More', 'slow '])
    expect([first.agent.role, second.agent.role]).toEqual(['driver', 'mirror'])
    hold.resolve()
  },
)

test('a tab opened while an answer streams shows the text so far', { tag: '@R6.6' }, async ({ lab }) => {
  const hold = deferred()
  const [origin, disk]: [FakeOrigin, MemoryDisk] = [new FakeOrigin(), new Map()]
  const first = await lab.start([{ text: ['so far', ' and on'], hold: hold.promise }], { sessionId, disk, origin })
  const sent = first.agent.send('Go')
  await until(first.agent, () => first.agent.session?.draft?.parts.length === 1)
  const second = await lab.start([], { sessionId, disk, origin, endpointServer: first.endpoint })
  await second.agent.connect()
  // Its messages arrive without an answer of the model in between.
  await until(second.agent, () => JSON.stringify(second.agent.session?.draft ?? null).includes('so far'))
  hold.resolve()
  await sent
  await until(second.agent, () => second.agent.status === 'idle')
  expect(texts(second)).toEqual(['Go', 'so far and on'])
})

test(
  'sending in a second tab takes over: the turn of the first is interrupted, and it mirrors',
  { tag: ['@F21', '@R6.6'] },
  async ({ lab }) => {
    let aborted = 0
    const running = deferred()
    let runs = 0
    const { first, second } = await two(
      lab,
      [{ calls: [call('b', 'buy')] }, { calls: [call('l', 'look')] }, { text: 'from the second' }],
      ({ agent }) => {
        agent.registerTool([
          {
            name: 'buy',
            description: 'Buys, and hangs',
            execute: (_: unknown, { signal }: ToolRun) => {
              running.resolve()
              signal.addEventListener('abort', () => {
                aborted++
              })
              return new Promise(() => undefined)
            },
          },
          {
            name: 'look',
            description: 'Looks',
            execute: () => {
              runs++
              return 'seen'
            },
          },
        ])
      },
    )
    const sent = first.agent.send('Go')
    await running.promise
    const answer = second.agent.send('Here')
    expect(await sent).toMatchObject({ reason: 'interrupted' })
    expect(aborted).toBe(1)
    expect((await answer).text).toBe('from the second')
    expect(
      second.agent.messages.flatMap(toolCallsOf).map(({ result }) => result?.error?.message ?? result?.output),
    ).toEqual([
      'The user continued in another tab while it ran. It may still have happened: check before you repeat it.',
      'seen',
    ])
    await until(
      first.agent,
      () => first.agent.role === 'mirror' && first.agent.status === 'idle' && first.agent.messages.length === 5,
    )
    expect([texts(first), second.agent.role, runs]).toEqual([texts(second), 'driver', 1])
  },
)

test('a question answered in a second tab continues its turn there', { tag: '@R6.6' }, async ({ lab }) => {
  const runs: Bench[] = []
  const { first, second } = await two(lab, [{ calls: [call('p', 'pay')] }, { text: 'paid it' }], (bench) => {
    bench.agent.registerTool({
      name: 'pay',
      description: 'Pays',
      needsApproval: true,
      execute: () => {
        runs.push(bench)
        return 'paid'
      },
    })
  })
  const sent = first.agent.send('Go')
  await until(second.agent, () => second.agent.status === 'awaiting-approval')
  await second.agent.approve('p')
  await until(second.agent, () => second.agent.session?.end?.reason === 'stop')
  expect(texts(second)).toEqual(['Go', '', 'paid it'])
  expect(runs).toEqual([second])
  expect((await sent).reason).toBe('interrupted')
  expect(first.agent.role).toBe('mirror')
})

for (const act of ['ends', 'takes over'] as const)
  test(`a mirror shows what is allowed for the task, and ${act} it`, { tag: ['@R6.6', '@R7.2'] }, async ({ lab }) => {
    const press = (id: string) => ({ calls: [call(id, 'press')] })
    const grants = (bench: Bench) => bench.agent.session?.turn?.taskGrants
    const { first, second } = await two(
      lab,
      [press('1'), press('2'), ...(act === 'ends' ? [] : [{ text: 'ok' }])],
      ({ agent }) => {
        agent.registerTool({
          name: 'press',
          description: 'Presses a button of the page',
          needsApproval: (_, { toolCallId }) => toolCallId === '2',
          execute: (_: unknown, { toolCallId }: ToolRun) => toolCallId,
          [internals]: { preview: unknownAction },
        })
        agent.subscribe((event) => {
          if (event.type === 'approval-request' && event.callId === '1' && agent.role === 'driver')
            void agent.approve('1', { for: 'task' })
        })
      },
    )
    const sent = first.agent.send('Go')
    await until(second.agent, () => second.agent.status === 'awaiting-approval' && grants(second)?.length === 1)
    if (act === 'ends') {
      second.agent.endGrants()
      await until(second.agent, () => grants(second) === undefined)
      await until(first.agent, () => grants(first) === undefined)
      expect(first.agent.role).toBe('driver')
      first.agent.stop()
      await sent
      return
    }
    await second.agent.approve('2')
    await until(second.agent, () => second.agent.session?.end?.reason === 'stop')
    // Taking the session over has ended it before the call ran.
    const kinds = second.events.map((event) => ('callId' in event ? `${event.type} ${event.callId}` : event.type))
    expect(kinds.indexOf('grants-end')).toBeGreaterThan(0)
    expect(kinds.indexOf('grants-end')).toBeLessThan(kinds.indexOf('tool-start 2'))
    await sent
  })

test('a resumed turn keeps what is allowed for the task', { tag: ['@R6.4', '@R7.2'] }, async ({ lab }) => {
  const press = (id: string) => ({ calls: [call(id, 'press')] })
  const prepare = ({ agent }: Bench, hold?: () => void) => {
    agent.registerTool([
      {
        name: 'press',
        description: 'Presses a button of the page',
        execute: () => 'pressed',
        [internals]: { preview: unknownAction },
      },
      {
        name: 'look',
        description: 'Looks around',
        annotations: { readOnlyHint: true },
        execute: () => (hold ? new Promise(hold) : 'seen'),
      },
    ])
  }
  const looking = deferred()
  const first = await lab.start([press('1'), { calls: [call('l', 'look')] }, press('2'), { text: 'ok' }], { sessionId })
  prepare(first, () => looking.resolve())
  first.agent.subscribe((event) => {
    if (event.type === 'approval-request') void first.agent.approve(event.callId, { for: 'task' })
  })
  void first.agent.send('Go').catch(() => undefined)
  await looking.promise
  first.kill()
  const next = await lab.start([], { store: first.store, sessionId, endpointServer: first.endpoint })
  prepare(next)
  await next.agent.connect()
  await until(next.agent, () => next.agent.status === 'idle')
  expect(next.events.some(({ type }) => type === 'approval-request')).toBe(false)
  expect(next.agent.messages.flatMap(toolCallsOf).map(({ result }) => result?.output)).toEqual([
    'pressed',
    'seen',
    'pressed',
  ])
})

test('takeOver() makes a tab the driver without a message', { tag: '@R6.6' }, async ({ lab }) => {
  const { first, second } = await two(lab, [{ text: 'one' }])
  await first.agent.send('Hello')
  await second.agent.takeOver()
  await until(first.agent, () => first.agent.role === 'mirror')
  expect([second.agent.role, texts(second)]).toEqual(['driver', ['Hello', 'one']])
})

test('takeOver() is not rejected by unrelated errors', async ({ lab }) => {
  const { first, second } = await two(lab, [{ text: 'one' }])
  await first.agent.send('Hello')
  second.agent.registerTool({
    name: 'broken',
    description: () => {
      throw new Error('No words')
    },
    execute: () => 1,
  })
  const taking = second.agent.takeOver()
  // The page reports the error while it waits for its host.
  await second.agent.connect()
  expect([second.agent.tools.length, second.agent.error?.message, second.agent.role]).toEqual([
    1,
    expect.stringContaining('No words'),
    'mirror',
  ])
  await taking
  expect(second.agent.role).toBe('driver')
})

test('takeOver() rejects when its agent is closed', async ({ lab }) => {
  const { second } = await two(lab, [])
  const taking = second.agent.takeOver()
  await second.agent.connect()
  const rejected = expect(taking).rejects.toMatchObject({ code: 'closed' })
  await second.agent.close()
  await rejected
})

test(
  'without a driver a mirror offers to continue and does not drive by itself',
  { tag: ['@F22', '@R6.6'] },
  async ({ lab }) => {
    const running = deferred()
    const { origin, first, second } = await two(
      lab,
      [{ calls: [call('b', 'buy')] }, { text: 'on it goes' }],
      ({ agent }) => {
        agent.registerTool({
          name: 'buy',
          description: 'Buys, and hangs',
          execute: () => {
            running.resolve()
            return new Promise(() => undefined)
          },
        })
      },
    )
    void first.agent.send('Go')
    await running.promise
    await until(second.agent, () => second.agent.status === 'running')
    first.kill()
    await until(second.agent, () => second.agent.status === 'interrupted')
    expect([
      second.agent.role,
      origin.held.filter((name) => name === `tool-agent:${sessionId}`),
      second.agent.messages.flatMap(toolCallsOf)[0]?.result,
    ]).toEqual(['mirror', [], undefined])
    expect((await second.agent.continue()).text).toBe('on it goes')
    expect(second.agent.messages.flatMap(toolCallsOf)[0]?.result?.error?.code).toBe('interrupted')
  },
)

test(
  'a driver that reloads keeps driving, and its mirror never offers to continue',
  { tag: '@R6.6' },
  async ({ lab }) => {
    const hold = deferred()
    const running = deferred()
    let runs = 0
    const prepare = ({ agent }: Bench) =>
      agent.registerTool({
        name: 'look',
        description: 'Looks; hangs the first time',
        annotations: { readOnlyHint: true },
        execute: () => (++runs === 1 ? (running.resolve(), new Promise(() => undefined)) : 'seen'),
      })
    const { origin, disk, first, second } = await two(
      lab,
      [{ calls: [call('l', 'look')] }, { text: ['looked', ' again'], hold: hold.promise }],
      prepare,
    )
    void first.agent.send('Go')
    await running.promise
    await until(second.agent, () => second.agent.messages.length === 2)
    const seen: (string | undefined)[] = []
    second.agent.observe(() => {
      seen.push(second.agent.status)
    })
    // The moment that a page is granted to be there again ends when the test says so.
    timers.stop()
    const granted = deferred<() => void>()
    const { setTimeout: original } = globalThis
    globalThis.setTimeout = ((work: () => void, ms?: number) =>
      ms === 600 ? granted.resolve(work) : original(work, ms)) as typeof setTimeout
    try {
      first.kill()
      const end = await granted.promise
      const again = await lab.start([], { sessionId, disk, origin, endpointServer: first.endpoint })
      prepare(again)
      await again.agent.connect()
      expect(again.agent.role).toBe('driver')
      end()
      await arrived()
      hold.resolve()
      await until(second.agent, () => second.agent.status === 'idle' && second.agent.messages.length === 3)
      expect(seen).not.toContain('interrupted')
      expect([second.agent.role, runs]).toEqual(['mirror', 2])
    } finally {
      globalThis.setTimeout = original
    }
  },
)

test(
  'a driver that does not release its lock loses it; its send resolves, and it mirrors',
  { tag: ['@F23', '@R6.6'] },
  async ({ lab }) => {
    const hold = deferred()
    const [origin, disk]: [FakeOrigin, MemoryDisk] = [new FakeOrigin(), new Map()]
    const first = await lab.start(
      [{ text: ['half', ' and the rest'], hold: hold.promise }, { text: 'from the second' }],
      { sessionId, disk, origin: deaf(origin) },
    )
    const sent = first.agent.send('Go')
    await until(first.agent, () => first.agent.session?.draft?.parts.length === 1)
    const second = await lab.start([], { sessionId, disk, origin, tab: 'another', endpointServer: first.endpoint })
    await second.agent.connect()
    expect(second.agent.role).toBe('mirror')
    const answer = second.agent.send('Here')
    expect(await sent).toMatchObject({ reason: 'interrupted' })
    expect((await answer).text).toBe('from the second')
    await until(first.agent, () => first.agent.role === 'mirror')
    hold.resolve()
    await arrived()
    expect((await second.stored())?.messages).toEqual(second.agent.messages)
    expect([second.agent.role, JSON.stringify(second.agent.messages).includes('and the rest')]).toEqual([
      'driver',
      false,
    ])
  },
)

test('a page of the same tab steals the lock of a driver that does not answer', { tag: '@R6.6' }, async ({ lab }) => {
  const [origin, disk]: [FakeOrigin, MemoryDisk] = [new FakeOrigin(), new Map()]
  const first = await lab.start([{ text: 'one' }, { text: 'two' }], { sessionId, disk, origin: deaf(origin) })
  await first.agent.send('Hello')
  const answerTime = hurry(600, 900, 1_000)
  const second = await lab.start([], { sessionId, disk, origin, endpointServer: first.endpoint })
  await second.agent.connect()
  answerTime.stop()
  expect([second.agent.role, texts(second)]).toEqual(['driver', ['Hello', 'one']])
  expect((await second.agent.send('Again')).text).toBe('two')
  await until(first.agent, () => first.agent.role === 'mirror')
})

test('a page of the same tab does not steal the lock of a driver that answers', { tag: '@R6.6' }, async ({ lab }) => {
  const { origin, first, second } = await two(lab, [{ text: 'one' }])
  expect(origin.held.filter((name) => name === `tool-agent:${sessionId}`)).toHaveLength(1)
  await first.agent.send('Hello')
  await until(second.agent, () => second.agent.messages.length === 2)
  expect([first.agent.role, second.agent.role]).toEqual(['driver', 'mirror'])
})

test('a driver posts its events only while another tab can show them', { tag: '@R6.6' }, async ({ lab }) => {
  const origin = new FakeOrigin()
  const disk: MemoryDisk = new Map()
  const posted: string[] = []
  channelOf(origin).addEventListener('message', ({ data }) => {
    const { type, event } = data as { type: string; event?: { type: string } }
    posted.push(event?.type ?? type)
  })
  const first = await lab.start([{ text: 'one' }, { text: 'two' }], { sessionId, disk, origin })
  await first.agent.send('Hello')
  await arrived()
  expect(posted).toEqual(['snapshot', 'turn-start', 'turn-end'])
  const second = await lab.start([], { sessionId, disk, origin, endpointServer: first.endpoint })
  await second.agent.connect()
  await until(second.agent, () => second.agent.messages.length === 2)
  posted.length = 0
  await first.agent.send('More')
  await until(second.agent, () => second.agent.status === 'idle' && second.agent.messages.length === 4)
  expect(posted).toEqual(expect.arrayContaining(['turn-start', 'step-start', 'text-delta', 'step-end', 'turn-end']))
  expect(second.agent.session).toEqual(first.agent.session)
})

test('a mirror follows the driver after the next without a gap', { tag: '@R6.6' }, async ({ lab }) => {
  const { origin, disk, first, second } = await two(lab, [{ text: 'one' }])
  const third = await lab.start([], { sessionId, disk, origin, endpointServer: first.endpoint })
  await third.agent.connect()
  await second.agent.send('One')
  await third.agent.takeOver()
  await arrived()
  // Outside of a turn, so no later event could show that it is missing.
  third.agent.remember('note', 1)
  for (const { agent } of [first, second, third]) await until(agent, () => agent.session?.context['note'] === 1)
})

test(
  'validates messages of other scripts before showing them, and never stores them',
  { tag: '@R6.6' },
  async ({ lab }) => {
    const { origin, first, second } = await two(lab, [{ text: 'one' }, { text: 'two' }])
    await first.agent.send('Hello')
    await until(second.agent, () => second.agent.status === 'idle' && second.agent.messages.length === 2)
    const before = second.agent.session
    const epoch = before?.epoch ?? 0
    const channel = channelOf(origin)
    const bad = [
      null,
      1,
      {},
      { type: 'step-end' },
      { type: 'step-end', message: { role: 'assistant', parts: 3 }, offered: [] },
      { type: 'tool-result', callId: 1 },
      { type: 'turn-start', turn: {} },
      { type: 'todos-change', todos: [{}] },
    ]
    // Each would be the next.
    for (const event of bad)
      for (let seq = 1; seq < 12; seq++) channel.postMessage({ type: 'event', epoch, seq, path: [], event })
    for (const other of [
      null,
      'x',
      {},
      { type: 'snapshot' },
      { type: 'yield' },
      { type: 'snapshot', seq: 1, session: { ...before, messages: [{}] } },
      { type: 'snapshot', seq: 1, session: { ...before, id: 'other' } },
    ])
      channel.postMessage(other)
    await arrived()
    expect(second.agent.session).toEqual(before)
    expect(first.agent.role).toBe('driver')
    // A lie in the right shape is shown at most: whoever drives reads the store.
    channel.postMessage({ type: 'snapshot', seq: 99, session: { ...before, messages: [], title: 'A lie' } })
    await until(second.agent, () => second.agent.session?.title === 'A lie')
    await second.agent.send('More')
    expect([texts(second), second.agent.session?.title]).toEqual([['Hello', 'one', 'More', 'two'], 'Hello'])
  },
)

test('a mirror that missed an event gets a snapshot and shows no event twice', { tag: '@R6.6' }, async ({ lab }) => {
  const { origin, first, second } = await two(lab, [{ text: 'one' }])
  await first.agent.send('Hello')
  await until(second.agent, () => second.agent.status === 'idle' && second.agent.messages.length === 2)
  const epoch = second.agent.session?.epoch ?? 0
  const channel = channelOf(origin)
  const titles: (string | undefined)[] = []
  second.agent.observe(() => {
    titles.push(second.agent.session?.title)
  })
  const named = (title: string) => ({ path: [], event: { type: 'session-change', at: 1, title } })
  // A repeated event, one of an earlier driver, and one after a gap.
  channel.postMessage({ type: 'event', epoch, seq: 1, ...named('Told before') })
  for (let seq = 1; seq < 12; seq++)
    channel.postMessage({ type: 'event', epoch: epoch + 1, seq, ...named('Of another driver') })
  channel.postMessage({ type: 'event', epoch, seq: 1_000, ...named('Behind a gap') })
  await arrived()
  first.agent.remember('note', 1)
  for (const { agent } of [first, second]) await until(agent, () => agent.session?.context['note'] === 1)
  expect(new Set(titles)).toEqual(new Set(['Hello']))
  expect(second.agent.session).toEqual(first.agent.session)
})

test(
  'a session deleted elsewhere is left by its driver and its mirror',
  { tag: ['@F25', '@R6.6'] },
  async ({ lab }) => {
    const { origin, disk, first, second } = await two(lab, [{ text: 'one' }])
    await first.agent.send('Hello')
    const third = await lab.start([], { sessionId: 'other', disk, origin, endpointServer: first.endpoint })
    await third.agent.connect()
    await third.agent.sessions.delete(sessionId)
    for (const { agent } of [first, second]) {
      await until(agent, () => agent.error?.code === 'session-deleted' && agent.status === 'idle')
      await expect(agent.send('Still there?')).rejects.toMatchObject({ code: 'session-deleted' })
    }
    expect(disk.has(sessionId)).toBe(false)
  },
)

test(
  'ignores a false report of deletion, during a turn and in a mirror',
  { tag: ['@S23', '@R6.6'] },
  async ({ lab }) => {
    const hold = deferred()
    const { origin, first, second } = await two(lab, [
      { text: 'one' },
      { text: ['half', ' and more'], hold: hold.promise },
    ])
    await first.agent.send('Hello')
    await until(second.agent, () => second.agent.status === 'idle' && second.agent.messages.length === 2)
    const sent = first.agent.send('More')
    await until(second.agent, () => (second.agent.session?.draft?.parts.length ?? 0) > 0)
    channelOf(origin).postMessage({ type: 'deleted' })
    await arrived()
    hold.resolve()
    expect((await sent).text).toBe('half and more')
    await until(second.agent, () => second.agent.status === 'idle')
    expect(texts(second)).toEqual(['Hello', 'one', 'More', 'half and more'])
    expect([first, second].map(({ agent }) => [agent.role, agent.error])).toEqual([
      ['driver', null],
      ['mirror', null],
    ])
  },
)

test('ignores a report of deletion for a session that is not stored yet', { tag: '@S23' }, async ({ lab }) => {
  const origin = new FakeOrigin()
  const { agent } = await lab.start([{ text: 'one' }], { sessionId, origin })
  await agent.connect()
  channelOf(origin).postMessage({ type: 'deleted' })
  await arrived()
  expect((await agent.send('Hello')).text).toBe('one')
})

test('a takeover by a duplicated tab does not resume the old turn', { tag: ['@F26', '@R6.2'] }, async ({ lab }) => {
  const running = deferred()
  const { first, second } = await two(
    lab,
    (body) => {
      const last = (body['messages'] as { role: string; content: string }[]).at(-1)
      return last?.role === 'user' && last.content === 'Go' ? { calls: [call('l', 'look')] } : { text: 'answered' }
    },
    ({ agent }) => {
      agent.registerTool({
        name: 'look',
        description: 'Looks, and hangs',
        annotations: { readOnlyHint: true },
        execute: () => {
          running.resolve()
          return new Promise(() => undefined)
        },
      })
    },
  )
  void first.agent.send('Go')
  await running.promise
  await until(second.agent, () => second.agent.status === 'running')
  first.kill()
  await until(second.agent, () => second.agent.status === 'interrupted')
  expect((await second.agent.send('Here')).text).toBe('answered')
  expect(texts(second)).toEqual(['Go', '', 'Here', 'answered'])
  expect(second.agent.messages.flatMap(toolCallsOf)[0]?.result?.error?.code).toBe('interrupted')
})

test('a closed agent releases its session immediately, also during a turn', { tag: '@R6.7' }, async ({ lab }) => {
  const running = deferred()
  let aborted = false
  const { origin, first, second } = await two(
    lab,
    [{ calls: [call('b', 'buy')] }, { text: 'on it goes' }],
    ({ agent }) => {
      agent.registerTool({
        name: 'buy',
        description: 'Buys, and hangs',
        execute: (_: unknown, { signal }: ToolRun) => {
          running.resolve()
          signal.addEventListener('abort', () => {
            aborted = true
          })
          return new Promise(() => undefined)
        },
      })
    },
  )
  void first.agent.send('Go').catch(() => undefined)
  await running.promise
  await until(second.agent, () => second.agent.status === 'running')
  void first.agent.close()
  expect(aborted).toBe(true)
  await until(second.agent, () => second.agent.status === 'interrupted')
  expect(origin.held).toEqual([])
  // No call was settled, so the turn can be continued.
  expect((await second.stored())?.turn).toBeDefined()
  expect(second.agent.messages.flatMap(toolCallsOf)[0]?.result).toBeUndefined()
  expect((await second.agent.continue()).text).toBe('on it goes')
})
