// Several tabs on one session, in Node: what a tab that watches can do, and what becomes of locks, results and channels
// when one tab takes the session from another.
import { ToolAgentError } from '../../../../src/core/data/errors.js'
import { toolCallsOf, textOf, type Message } from '../../../../src/core/data/message.js'
import { emptySession } from '../../../../src/core/data/session.js'
import { sessionHeadOf, type Store } from '../../../../src/core/state/store.js'
import { prune } from '../../../../src/host/retention.js'
import { isShownEvent } from '../../../../src/host/tabs/shown-records.js'
import { memoryStore, type MemoryDisk } from '../../../../src/host/store/memory-store.js'
import { chunk } from '../../../support/faults/faults.js'
import { deferred, expect, test, until, type Bench, type Lab, type LabOptions } from '../../../support/lab/lab.js'
import type { AgentOptions } from '../../../../src/page/options.js'
import type { ScriptItem } from '../../../support/lab/endpoint.js'
import { FakeOrigin, type FakeTab } from '../../../support/lab/tabs.js'
import { hurry } from '../../../support/lab/timers.js'

const sessionId = 'shared'

test.beforeEach(() => {
  console.error = () => undefined
})

/** An origin whose drivers never receive the request to release the session, like a tab that hangs. */
class DeafOrigin extends FakeOrigin {
  isDeaf = false

  override tab(): FakeTab {
    const tab = super.tab()
    return {
      ...tab,
      channels: (name) => {
        const port = tab.channels(name)
        return {
          postMessage: (message) => {
            if (!this.isDeaf || (message as { type: string }).type !== 'yield') port.postMessage(message)
          },
          addEventListener: (type, listener) => port.addEventListener(type, listener),
          close: () => port.close(),
        }
      },
    }
  }
}

/** Two pages of one origin; the first drives, the second watches. */
async function two(
  lab: Lab,
  script: readonly ScriptItem[],
  disk: MemoryDisk = new Map(),
  options: AgentOptions & LabOptions = {},
): Promise<{ origin: DeafOrigin; first: Bench; second: Bench }> {
  const origin = new DeafOrigin()
  const first = await lab.start(script, { sessionId, disk, origin, ...options })
  await first.agent.connect()
  const timers = hurry(1_000)
  const second = await lab.start([], { sessionId, disk, origin, endpointServer: first.endpoint, ...options })
  await second.agent.connect()
  timers.stop()
  expect([first.agent.role, second.agent.role]).toEqual(['driver', 'mirror'])
  return { origin, first, second }
}

/** A stored session of so many turns, a question and an answer each. */
async function filled(disk: MemoryDisk, turns: number): Promise<void> {
  const messages = Array.from({ length: turns * 2 }, (_, index): Message =>
    index % 2 === 0
      ? { id: `u${index}`, role: 'user', parts: [{ type: 'text', text: `question ${index}` }], at: index }
      : { id: `a${index}`, role: 'assistant', parts: [{ type: 'text', text: `answer ${index}` }], at: index },
  )
  const store = memoryStore(disk)
  const { epoch } = await store.claim(sessionId, 0)
  await store.commit(sessionId, epoch, {
    head: sessionHeadOf({ ...emptySession(sessionId, '', 0), epoch, messages }),
    messages: messages.map((message, index) => ({ index, message })),
  })
}

test('a mirror loads older messages and whole results', { tag: '@R6.6' }, async ({ lab }) => {
  const disk: MemoryDisk = new Map()
  await filled(disk, 150)
  const { first, second } = await two(
    lab,
    [{ calls: [{ id: 'r', name: 'report', arguments: {} }] }, { text: 'done' }],
    disk,
    { limits: { resultChars: 500 } },
  )
  first.agent.registerTool({
    name: 'report',
    description: 'Gives a long report on what was asked, for reading',
    execute: () => 'x'.repeat(2_000),
  })
  await first.agent.send('Go')
  expect(second.agent.session?.start).toBe(100)
  await second.agent.loadOlder()
  expect(second.agent.session?.start).toBe(50)
  expect(second.agent.messages[0]?.id).toBe('u50')
  await until(second.agent, () => second.agent.session?.end !== undefined)
  const [report] = second.agent.messages.flatMap(toolCallsOf)
  expect(await second.agent.resultText(report?.call.id ?? '')).toHaveLength(2_000)
})

test(
  'a mirror of a long session shows its newest messages, whatever the driver read for the model',
  { tag: '@R6.6' },
  async ({ lab }) => {
    const disk: MemoryDisk = new Map()
    await filled(disk, 150)
    const { origin, first } = await two(lab, [{ text: 'one' }], disk)
    await first.agent.send('Go')
    const timers = hurry(1_000)
    const third = await lab.start([], { sessionId, disk, origin, endpointServer: first.endpoint })
    await third.agent.connect()
    timers.stop()
    // The snapshot of the driver, not the stored session.
    await until(third.agent, () => third.agent.session?.start === 100)
    expect(third.agent.messages).toHaveLength(202)
  },
)

test(
  'a send resolves as interrupted with its own steps when another tab takes the session',
  { tag: '@R6.6' },
  async ({ lab }) => {
    const answer = deferred()
    const { origin, first, second } = await two(lab, [
      { text: 'one' },
      { text: ['half', ' and more'], hold: answer.promise },
      { text: 'from the second' },
    ])
    await first.agent.send('First')
    const sent = first.agent.send('Second')
    await until(first.agent, () => (first.agent.session?.draft?.parts.length ?? 0) > 0)
    // It does not receive the request to release the session.
    origin.isDeaf = true
    const timers = hurry(1_000)
    const reply = second.agent.send('Third')
    const result = await sent
    timers.stop()
    expect(result).toMatchObject({ reason: 'interrupted' })
    expect(result.steps).toBeLessThanOrEqual(1)
    expect(result.text).not.toBe('one')
    origin.isDeaf = false
    expect((await reply).text).toBe('from the second')
    answer.resolve()
  },
)

test(
  'a takeover that the store rejects releases the lock, and the tab keeps mirroring',
  { tag: '@R6.6' },
  async ({ lab }) => {
    const disk: MemoryDisk = new Map()
    await filled(disk, 1)
    const origin = new DeafOrigin()
    const first = await lab.start([{ text: 'hello' }], { sessionId, disk, origin })
    await first.agent.connect()
    let isBroken = false
    const own = memoryStore(disk)
    const sound = async () => {
      if (isBroken) throw new Error('The disk is gone')
    }
    const timers = hurry(1_000)
    const second = await lab.start([], {
      sessionId,
      origin,
      endpointServer: first.endpoint,
      store: {
        ...own,
        claim: (id, limit) => sound().then(() => own.claim(id, limit)),
        read: (id, limit) => sound().then(() => own.read(id, limit)),
      },
    })
    await second.agent.connect()
    timers.stop()
    expect(second.agent.role).toBe('mirror')
    isBroken = true
    await expect(second.agent.send('Hello')).rejects.toThrow()
    await expect(second.agent.takeOver()).rejects.toThrow('The disk is gone')
    isBroken = false
    expect((await second.agent.send('Hello')).text).toBe('hello')
    await until(first.agent, () => first.agent.session?.end !== undefined)
  },
)

test(
  'of two tabs that take the session at once, one drives and one mirrors',
  { tag: ['@F21', '@R6.6'] },
  async ({ lab }) => {
    const disk: MemoryDisk = new Map()
    await filled(disk, 1)
    const { origin, first, second } = await two(lab, [{ text: 'a' }, { text: 'b' }], disk)
    const timers = hurry(1_000)
    const third = await lab.start([], { sessionId, disk, origin, endpointServer: first.endpoint })
    await third.agent.connect()
    origin.isDeaf = true
    await Promise.allSettled([second.agent.takeOver(), third.agent.takeOver()])
    await until(second.agent, () => [second, third].filter(({ agent }) => agent.role === 'driver').length === 1)
    await until(first.agent, () => first.agent.role === 'mirror')
    timers.stop()
    origin.isDeaf = false
    const driver = second.agent.role === 'driver' ? second : third
    const other = driver === second ? third : second
    expect((await driver.agent.send('One')).text).toBe('a')
    expect((await other.agent.send('Two')).text).toBe('b')
    expect([driver.agent.role, other.agent.role]).toEqual(['mirror', 'driver'])
  },
)

test('thinking that was shown as text is reasoning in every tab once it is known', async ({ lab }) => {
  const pause = deferred()
  const more = deferred()
  const { first, second } = await two(lab, [
    {
      raw: [
        chunk({ content: 'The user greets.' }),
        pause.promise,
        chunk({ content: '\n</think>\n\nHello' }),
        more.promise,
        chunk({ content: ' there' }, 'stop'),
      ],
    },
  ])
  const drafts = () => [first, second].map(({ agent }) => agent.session?.draft?.parts)
  const bothShow = async (parts: readonly object[]) => {
    for (const { agent } of [first, second])
      await until(agent, () => agent.session?.draft?.parts.length === parts.length)
    expect(drafts()).toMatchObject([parts, parts])
  }
  const turn = first.agent.send('Hi')
  await bothShow([{ type: 'text', text: 'The user greets.' }])
  pause.resolve()
  const thought = { type: 'reasoning', text: 'The user greets.' }
  await bothShow([thought, { type: 'text', text: 'Hello' }])
  more.resolve()
  expect(await turn).toMatchObject({ text: 'Hello there', reason: 'stop' })
  // The end of the turn is an event of its own.
  await until(second.agent, () => second.agent.session?.end !== undefined)
  expect(second.agent.messages).toEqual(first.agent.messages)
  expect(first.agent.messages.at(-1)).toMatchObject({ parts: [thought, { type: 'text', text: 'Hello there' }] })
})

test(
  'a turn whose session is deleted in another tab rejects its send with its own steps only',
  { tag: '@F25' },
  async ({ lab }) => {
    const answer = deferred()
    const { first, second } = await two(lab, [{ text: 'one' }, { text: ['half', ' and more'], hold: answer.promise }])
    await first.agent.send('First')
    const sent = first.agent.send('Second')
    await until(first.agent, () => (first.agent.session?.draft?.parts.length ?? 0) > 0)
    await second.agent.sessions.delete(sessionId)
    await expect(sent).rejects.toMatchObject({ code: 'session-deleted', turn: { reason: 'error', steps: 0, text: '' } })
    answer.resolve()
    await expect(first.agent.send('Third')).rejects.toMatchObject({ code: 'session-deleted' })
  },
)

test(
  'a turn whose session is deleted while a tool runs ends without an open call',
  { tag: '@F25' },
  async ({ lab }) => {
    for (const isTold of [true, false]) {
      const disk: MemoryDisk = new Map()
      const { first, second } = await two(lab, [{ calls: [{ name: 'buy', arguments: {} }] }], disk)
      const [started, hold] = [deferred(), deferred()]
      let isAborted = false
      first.agent.registerTool({
        name: 'buy',
        description: 'Buys',
        async execute(_, { signal }) {
          signal.addEventListener('abort', () => {
            isAborted = true
            hold.resolve()
          })
          started.resolve()
          await hold.promise
        },
      })
      const sent = first.agent.send('Buy').catch((thrown: unknown) => thrown)
      await started.promise
      // By word of the other tab, or by the commit that finds nothing to write to.
      if (isTold) await second.agent.sessions.delete(sessionId)
      else {
        disk.delete(sessionId)
        hold.resolve()
      }
      expect(await sent).toMatchObject({
        code: 'session-deleted',
        turn: { reason: 'error', toolExecutions: [{ call: { name: 'buy' }, error: { code: 'interrupted' } }] },
      })
      await until(first.agent, () => first.agent.role === 'mirror')
      expect(
        first.events.slice(-2).map((event) => [event.type, event.type === 'turn-end' && event.error?.code]),
      ).toEqual([
        ['tool-result', false],
        ['turn-end', 'session-deleted'],
      ])
      expect(first.agent.messages.flatMap(toolCallsOf).map(({ result }) => result?.error?.code)).toEqual([
        'interrupted',
      ])
      expect([isAborted, first.agent.status, first.agent.error?.code, disk.has(sessionId)]).toEqual([
        isTold,
        'idle',
        'session-deleted',
        false,
      ])
    }
  },
)

for (const failing of ['read', 'claim'] as const) {
  const title = `a page whose next session cannot be ${failing === 'read' ? 'read' : 'claimed'}`
  /** A store that fails from the moment at which a session is opened or, later, claimed. */
  const lossy = (disk: MemoryDisk) => {
    const own = memoryStore(disk)
    const state = { isLost: false }
    let isClaimed = false
    const fails = () => {
      if (state.isLost && (isClaimed || failing === 'read')) throw new ToolAgentError('storage', 'The disk is lost')
    }
    const store: Store = {
      ...own,
      kind: 'indexeddb',
      read: async (...given) => (fails(), own.read(...given)),
      claim: async (...given) => ((isClaimed ||= state.isLost), fails(), own.claim(...given)),
    }
    return { store, state }
  }

  test(`${title} still mirrors the one that it shows`, { tag: ['@R6.6', '@F22'] }, async ({ lab }) => {
    const disk: MemoryDisk = new Map()
    const origin = new FakeOrigin()
    const rest = deferred()
    const first = await lab.start([{ text: ['on', 'e'], hold: rest.promise }, { text: 'two' }], {
      sessionId,
      disk,
      origin,
      worker: true,
    })
    await first.agent.connect()
    const { store, state } = lossy(disk)
    const second = await lab.start([], { sessionId, store, origin, endpointServer: first.endpoint })
    const timers = hurry(1_000, 600)
    await second.agent.connect()
    void first.agent.send('First').catch(() => undefined)
    await until(second.agent, () => second.agent.status === 'running')
    state.isLost = true
    await expect(second.agent.sessions.create()).rejects.toMatchObject({ code: 'storage' })
    expect([second.agent.role, second.agent.status]).toEqual(['mirror', 'running'])
    first.kill()
    await until(second.agent, () => second.agent.status === 'interrupted')
    timers.stop()
    rest.resolve()
    state.isLost = false
    expect((await second.agent.continue()).text).toBe('two')
    expect(second.agent.session?.id).toBe(sessionId)
  })

  test(`${title} continues in the one that it drove`, async ({ lab }) => {
    const { store, state } = lossy(new Map())
    const { agent } = await lab.start([{ text: 'one' }, { text: 'two' }], {
      sessionId,
      store,
      origin: new FakeOrigin(),
    })
    await agent.send('First')
    state.isLost = true
    await expect(agent.sessions.create()).rejects.toMatchObject({ code: 'storage' })
    expect(agent.session?.id).toBe(sessionId)
    state.isLost = false
    expect((await agent.send('Second')).text).toBe('two')
    expect(agent.messages.map(textOf)).toEqual(['First', 'one', 'Second', 'two'])
  })
}

test('saves a session from memory before another tab takes it', { tag: '@F34' }, async ({ lab }) => {
  let isLost = false
  const disk: MemoryDisk = new Map()
  const rest = deferred()
  const look = { calls: [{ name: 'look', arguments: {} }] }
  const replies = [look, { text: ['on', 'e'], hold: rest.promise }, { text: 'two' }]
  const { first, second } = await two(lab, replies, disk, {
    onCommit: () => {
      if (isLost) throw new Error('The connection was lost')
    },
  })
  first.agent.registerTool({ name: 'look', description: 'Looks', execute: () => String((isLost = true)) })
  void first.agent.send('First')
  await until(first.agent, () => first.agent.storage === 'memory')
  isLost = false
  expect((await second.agent.send('Second')).text).toBe('two')
  expect(second.agent.messages.map(textOf)).toEqual(['First', expect.any(String), 'Second', 'two'])
  await until(first.agent, () => first.agent.session?.end?.turn === second.agent.session?.end?.turn)
  rest.resolve()
})

test(
  'a mirror reports a session deleted by retention; without locks recent sessions are kept',
  { tag: '@F25' },
  async ({ lab }) => {
    const disk: MemoryDisk = new Map()
    const { origin, first, second } = await two(lab, [{ text: 'one' }, { text: 'two' }], disk)
    await first.agent.send('First')
    const timers = hurry(600)
    first.kill()
    await until(second.agent, () => second.agent.session?.end !== undefined)
    timers.stop()
    const tab = origin.tab()
    const now = Date.now() + 1_000
    const store = memoryStore(disk)
    await prune(store, { channels: tab.channels }, '', { maxSessions: 0 }, 'own', now)
    expect(await store.list('')).toHaveLength(1)
    await prune(store, tab, '', { maxSessions: 0 }, 'own', now)
    await until(second.agent, () => second.agent.error?.code === 'session-deleted')
    await expect(second.agent.send('Hello')).rejects.toMatchObject({ code: 'session-deleted' })
    await second.agent.sessions.create()
    await second.agent.send('Second')
  },
)

test('a denial counts even if the tool has changed', { tag: ['@C101', '@R7.3'] }, async ({ lab }) => {
  const disk: MemoryDisk = new Map()
  const { first, second } = await two(lab, [{ calls: [{ name: 'pay', arguments: {} }] }, { text: 'not paid' }], disk)
  let runs = 0
  const pay = (description: string) => ({
    name: 'pay',
    description,
    needsApproval: true,
    execute: () => {
      runs++
    },
  })
  first.agent.registerTool(pay('Pays a bill with the money of the user'))
  second.agent.registerTool(pay('Pays a bill in another way than before'))
  const sent = first.agent.send('Go')
  await until(second.agent, () => second.agent.status === 'awaiting-approval')
  const [question] = second.agent.messages.flatMap(toolCallsOf)
  await second.agent.deny(question?.call.id ?? '')
  expect((await sent).reason).toBe('interrupted')
  await until(second.agent, () => second.agent.session?.end !== undefined)
  await until(first.agent, () => first.agent.session?.end?.at === second.agent.session?.end?.at)
  expect(second.agent.messages.flatMap(toolCallsOf)[0]?.result?.error?.code).toBe('denied')
  expect(runs).toBe(0)
})

test('a mirror ignores events that its panel cannot render', { tag: '@S23' }, () => {
  const failure = { code: 'network', message: 'No answer' }
  const at = 1
  const started = { at, callId: 'a', hash: 'h', input: {}, repeatable: false }
  const good = [
    { type: 'step-retry', step: 1, attempt: 1, delay: 500, error: failure },
    { type: 'session-change', at, title: 'Mine' },
    { type: 'storage-change', storage: 'memory', error: failure },
    { type: 'turn-end', at, turn: 't', reason: 'error', error: failure },
    { type: 'approval-request', at, callId: 'a', approval: { hash: 'h', title: 'Pay', input: {}, at } },
    { type: 'tool-start', ...started, taskGrant: { at, page: '', scope: { covers: 'unknown' } } },
    { type: 'grants-end', at },
    { type: 'grants-end', at, all: true },
  ]
  const bad = [
    { type: 'step-retry', step: 1, attempt: 1, delay: 500 },
    { type: 'step-retry', step: 1, attempt: 1, delay: 'long', error: failure },
    { type: 'session-change', at, title: {} },
    { type: 'storage-change', storage: 'elsewhere' },
    { type: 'storage-change', storage: 'memory', error: 'full' },
    { type: 'turn-end', at, turn: 't', reason: 'error', error: {} },
    { type: 'approval-request', at, callId: 'a', approval: { hash: 'h', title: 'Pay' } },
    { type: 'tool-start', ...started, taskGrant: { at, page: '', scope: { covers: 'all' } } },
    { type: 'grants-end', at, page: {} },
    { type: 'grants-end', at, all: 'yes' },
  ]
  expect(good.filter((event) => !isShownEvent(event))).toEqual([])
  expect(bad.filter(isShownEvent)).toEqual([])
})
