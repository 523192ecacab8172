// A worker that is lost while the page stays open: before it has opened the session, while the user presses stop, and
// when no other worker can be started.
import { ToolAgentError } from '../../../src/core/data/errors.js'
import { toolCallsOf } from '../../../src/core/data/message.js'
import { memoryStore } from '../../../src/host/store/memory-store.js'
import type { ToolRun } from '../../../src/page/tools/tool.js'
import { deferred, expect, test, until, type Bench, type Lab } from '../../support/lab/lab.js'

test.beforeEach(() => {
  console.error = () => undefined
})

test(
  'replaces a worker that dies before opening the session, and pending calls continue',
  { tag: '@F15' },
  async ({ lab }) => {
    const inner = memoryStore()
    let hangs = true
    const asked = deferred()
    const bench = await lab.start([{ text: 'hello' }], {
      worker: true,
      store: {
        ...inner,
        claim: (id, limit) => {
          if (!hangs) return inner.claim(id, limit)
          asked.resolve()
          return new Promise(() => undefined)
        },
      },
    })
    const sent = bench.agent.send('Hello')
    await asked.promise
    hangs = false
    bench.killHost()
    expect((await sent).text).toBe('hello')
  },
)

test(
  'when a worker dies while it opens another session, the next worker opens that one',
  { tag: '@F15' },
  async ({ lab }) => {
    const inner = memoryStore()
    let hangs = false
    const asked = deferred()
    const bench = await lab.start([{ text: 'one' }, { text: 'two' }], {
      worker: true,
      store: {
        ...inner,
        claim: (id, limit) => {
          if (!hangs) return inner.claim(id, limit)
          asked.resolve()
          return new Promise(() => undefined)
        },
      },
    })
    await bench.agent.send('Hello')
    const first = bench.agent.session?.id
    hangs = true
    const created = bench.agent.sessions.create()
    await asked.promise
    hangs = false
    bench.killHost()
    expect(await created).not.toBe(first)
    expect(bench.agent.session?.id).toBe(await created)
    expect((await bench.agent.send('Again')).text).toBe('two')
  },
)

/** A model that calls a tool which runs until the test ends it. */
async function withSlowTool(
  lab: Lab,
): Promise<Bench & { running: ReturnType<typeof deferred<void>>; aborted: ReturnType<typeof deferred<void>> }> {
  const running = deferred()
  const aborted = deferred()
  const bench = await lab.start([{ calls: [{ name: 'slow', arguments: {} }] }], { worker: true })
  bench.agent.registerTool({
    name: 'slow',
    description: 'Waits until it is told to end',
    timeout: 0,
    execute: (_: unknown, { signal }: ToolRun) => {
      signal.addEventListener('abort', () => aborted.resolve())
      running.resolve()
      return new Promise(() => undefined)
    },
  })
  return { ...bench, running, aborted }
}

test('stop aborts a tool that an earlier worker started', { tag: ['@F15', '@R5.2'] }, async ({ lab }) => {
  const { agent, killHost, running, aborted } = await withSlowTool(lab)
  const sent = agent.send('Go')
  await running.promise
  killHost()
  await until(agent, () => agent.session?.turn?.resumes === 1)
  agent.stop()
  expect((await sent).reason).toBe('stopped')
  await aborted.promise
})

test('close aborts a tool that an earlier worker started', { tag: ['@F15', '@R6.7'] }, async ({ lab }) => {
  const { agent, killHost, running, aborted } = await withSlowTool(lab)
  agent.send('Go').catch(() => undefined)
  await running.promise
  killHost()
  await until(agent, () => agent.session?.turn?.resumes === 1)
  void agent.close()
  await aborted.promise
})

test(
  'the outcome of an earlier worker’s tool does not answer a query of the next worker',
  { tag: '@F15' },
  async ({ lab }) => {
    const slow = deferred()
    const paid = deferred()
    const paying = deferred()
    const running = deferred()
    const { agent, killHost } = await lab.start(
      [
        {
          calls: [
            { name: 'slow', arguments: {} },
            { name: 'pay', arguments: {} },
          ],
        },
        { text: 'done' },
      ],
      { worker: true },
    )
    agent.registerTool([
      {
        name: 'slow',
        description: 'Takes its time over what it does',
        execute: async () => {
          running.resolve()
          await slow.promise
          return 'slow'
        },
      },
      {
        name: 'pay',
        description: 'Pays what is to be paid',
        needsApproval: true,
        execute: async () => {
          paying.resolve()
          await paid.promise
          return 'paid'
        },
      },
    ])
    const sent = agent.send('Go')
    await running.promise
    await until(agent, () => agent.status === 'awaiting-approval')
    killHost()
    await until(agent, () => agent.session?.turn?.resumes === 1)
    const [, pay] = agent.messages.flatMap(toolCallsOf)
    await agent.approve(pay?.call.id ?? '')
    await paying.promise
    slow.resolve()
    await until(agent, () => agent.messages.flatMap(toolCallsOf).some((part) => part.result))
    paid.resolve()
    expect((await sent).toolExecutions.map(({ output }) => output)).toEqual(['slow', 'paid'])
  },
)

test('a stop while the next worker starts cancels the queue', { tag: '@F15' }, async ({ lab }) => {
  const held = deferred()
  const bench = await lab.start(() => ({ text: ['a', 'b'], hold: held.promise }), { worker: true })
  const { agent } = bench
  const sent = agent.send('Go')
  const queued = agent.send('And then')
  await until(agent, () => (agent.session?.draft?.parts.length ?? 0) > 0)
  bench.killHost()
  agent.stop()
  agent.drop('nothing')
  await expect(queued).rejects.toMatchObject({ code: 'cancelled' })
  expect((await sent).reason).toBe('stopped')
  held.resolve()
})

test(
  'a worker that cannot be replaced leaves the turn interrupted, and it continues once the store is back',
  { tag: ['@F15', '@F34'] },
  async ({ lab }) => {
    const inner = memoryStore()
    let isLost = false
    const refuse = () => {
      throw new ToolAgentError('storage', 'The disk is gone')
    }
    const { agent, killHost } = await lab.start(
      [{ text: ['On', 'e'], hold: new Promise(() => undefined) }, { text: 'two' }],
      {
        worker: true,
        store: {
          ...inner,
          read: async (id, limit) => (isLost ? refuse() : inner.read(id, limit)),
          claim: async (id, limit) => (isLost ? refuse() : inner.claim(id, limit)),
        },
      },
    )
    const sent = agent.send('Go')
    await until(agent, () => agent.session?.draft !== undefined)
    isLost = true
    killHost()
    expect(await sent.catch((error: { code: string }) => error.code)).toBe('host-lost')
    expect(agent.status).toBe('interrupted')
    isLost = false
    expect((await agent.continue()).text).toBe('two')
  },
)
