// Turns that lose their worker, disk or caller. Every waiting promise settles, and the turn does not wait for a lost
// caller.
import { ToolAgentError } from '../../../../src/core/data/errors.js'
import { openToolCalls } from '../../../../src/core/data/session.js'
import { memoryStore, type MemoryDisk } from '../../../../src/host/store/memory-store.js'
import { deferred, expect, test, until, type Bench, type Lab } from '../../../support/lab/lab.js'
import { FakeOrigin } from '../../../support/lab/tabs.js'

const pay = { name: 'pay', description: 'Pays what is owed, once, and says so', needsApproval: true }
const full = () => {
  throw new ToolAgentError('storage', 'The disk is full')
}

test.beforeEach(() => {
  console.error = () => undefined
})

test(
  'a stepped turn ends as interrupted if another tab decides on its call',
  { tag: ['@R5.4', '@R6.6'] },
  async ({ lab }) => {
    const origin = new FakeOrigin()
    const disk = new Map()
    const runs: string[] = []
    const tool = {
      ...pay,
      execute: () => {
        runs.push('pay')
        return 'paid'
      },
    }
    const one = await lab.start([{ calls: [{ name: 'pay', arguments: {} }] }, { text: 'Well' }], {
      sessionId: 's',
      origin,
      disk,
      tools: [tool],
    })
    const other = await lab.start([], { endpointServer: one.endpoint, sessionId: 's', origin, disk, tools: [tool] })
    await one.agent.connect()
    await other.agent.connect()
    const steps = one.agent.step('Go')
    const { value: step } = await steps.next()
    const executed = step && 'execute' in step ? step.execute().catch((error: Error) => error) : undefined
    await until(other.agent, () => other.agent.status === 'awaiting-approval')
    await other.agent.approve('call_1')
    await until(other.agent, () => other.agent.role !== 'mirror' && other.agent.status === 'interrupted')
    expect(other.agent.session?.end?.reason).toBe('interrupted')
    expect(openToolCalls(other.agent.session!)).toEqual([])
    expect((await steps.next()).value).toMatchObject({ reason: 'interrupted' })
    await executed
    expect(runs).toEqual([])
    expect((await other.agent.send('And now?')).text).toBe('Well')
  },
)

test(
  'a turn that was lost with its worker resolves as interrupted and does not restart',
  { tag: ['@F15', '@F28'] },
  async ({ lab }) => {
    let isFull = false
    const held = deferred()
    const { agent, endpoint, killHost } = await lab.start(
      [{ text: 'One' }, { text: ['Tw', 'o'], hold: held.promise }, { text: 'Three' }],
      {
        sessionId: 's',
        worker: true,
        onCommit: () => {
          if (isFull) full()
        },
      },
    )
    await agent.send('First')
    isFull = true
    const lost = agent.send('Second')
    await until(agent, () => agent.session?.draft !== undefined)
    expect(agent.storage).toBe('memory')
    isFull = false
    killHost()
    expect(await lost).toMatchObject({ reason: 'interrupted', steps: 0 })
    held.resolve()
    expect((await agent.send('Third')).text).toBe('Three')
    expect(endpoint.requests.length).toBe(3)
  },
)

test(
  'a session without disk space stays in memory, also when there is room again',
  { tag: ['@F28', '@F43'] },
  async ({ lab }) => {
    let isFull = true
    const disk = new Map()
    const inner = memoryStore(disk)
    const store = {
      ...inner,
      kind: 'indexeddb' as const,
      claim: async (id: string, limit: number) => (isFull ? full() : inner.claim(id, limit)),
      commit: async (...given: Parameters<typeof inner.commit>) => (isFull ? full() : inner.commit(...given)),
    }
    const { agent } = await lab.start([{ text: 'One' }, { text: 'Two' }], { sessionId: 's', store })
    expect((await agent.send('First')).text).toBe('One')
    expect(agent.storage).toBe('memory')
    expect(agent.error?.code).toBe('storage')
    isFull = false
    expect((await agent.send('Second')).text).toBe('Two')
    expect(agent.storage).toBe('memory')
    expect(await inner.read('s', Infinity)).toBeUndefined()
  },
)

/** A driver in the middle of an answer, a tab that watches it, and a disk that the latter can lose. */
async function watched(lab: Lab): Promise<{ one: Bench; other: Bench; disk: MemoryDisk; lose(isLost: boolean): void }> {
  const origin = new FakeOrigin()
  const disk: MemoryDisk = new Map()
  let isGone = false
  const inner = memoryStore(disk)
  const one = await lab.start([{ text: ['On', 'e'], hold: new Promise(() => undefined) }], {
    sessionId: 's',
    origin,
    disk,
  })
  const other = await lab.start([], {
    endpointServer: one.endpoint,
    sessionId: 's',
    origin,
    store: {
      ...inner,
      claim: async (...given) => (isGone ? full() : inner.claim(...given)),
      read: async (...given) => (isGone ? full() : inner.read(...given)),
    },
  })
  await one.agent.connect()
  await other.agent.connect()
  void one.agent.send('Go')
  await until(other.agent, () => other.agent.session?.draft !== undefined)
  return {
    one,
    other,
    disk,
    lose: (isLost) => {
      isGone = isLost
    },
  }
}

test(
  'a mirror offers to continue when the driver is gone, also if the store cannot be read',
  { tag: ['@F22', '@F34'] },
  async ({ lab }) => {
    const { one, other, disk, lose } = await watched(lab)
    lose(true)
    one.kill()
    await until(other.agent, () => other.agent.status === 'interrupted')
    expect(other.agent.messages.length).toBe(1)
    void other.agent.close()
    disk.clear() // What is shown is not what was stored last.
    lose(false)
  },
)

test(
  'a tab that cannot read the store on takeover reports it and offers to continue',
  { tag: ['@F22', '@F34'] },
  async ({ lab }) => {
    const { one, other, disk, lose } = await watched(lab)
    lose(true)
    one.kill()
    await other.agent.takeOver().catch(() => undefined)
    await until(other.agent, () => other.agent.status === 'interrupted')
    expect(other.agent.error?.code).toBe('storage')
    expect(other.agent.messages.length).toBe(1)
    void other.agent.close()
    disk.clear() // What is shown is not what was stored last.
    lose(false)
  },
)
