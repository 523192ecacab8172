// What users do in several tabs at the same moment, over many interleavings: a call that is approved in all of them
// runs exactly once,
// and a message that is sent in each ends with an answer or a clear reason.
import { toolCallsOf } from '../../../../src/core/data/message.js'
import { memoryStore, type MemoryDisk } from '../../../../src/host/store/memory-store.js'
import { expect, test, until, type Bench, type Lab } from '../../../support/lab/lab.js'
import { seeds } from '../../../support/project/long.js'
import { FakeOrigin } from '../../../support/lab/tabs.js'
import { hurry } from '../../../support/lab/timers.js'

const sessionId = 'shared'

test.beforeEach(() => {
  console.error = console.warn = () => undefined
})

/** Numbers from 0 to 1, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32
  }
}

/** Some tasks later: the order of what two tabs do depends on how many. */
async function pause(random: () => number, most: number): Promise<void> {
  for (let tasks = Math.floor(random() * most); tasks > 0; tasks--)
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
}

interface Tabs {
  readonly tabs: readonly [Bench, ...Bench[]]
  readonly runs: string[]
  /** Sends and decisions go through in this many tasks at most. */
  readonly random: () => number
}

/** Two or three tabs of one origin whose stores take random time; the first drives, the others watch. */
async function several(lab: Lab, seed: number, script: Parameters<Lab['start']>[0]): Promise<Tabs> {
  const random = randomOf(seed)
  const [origin, disk]: [FakeOrigin, MemoryDisk] = [new FakeOrigin(), new Map()]
  const runs: string[] = []
  const start = async (name: string, first?: Bench): Promise<Bench> => {
    const own = memoryStore(disk)
    const store = {
      ...own,
      commit: async (...given: Parameters<typeof own.commit>) => {
        await pause(random, 6)
        return own.commit(...given)
      },
    }
    const bench = await lab.start(script, {
      sessionId,
      origin,
      store,
      ...(first ? { endpointServer: first.endpoint } : {}),
    })
    bench.agent.registerTool({
      name: 'pay',
      description: 'Pays the bill of the user',
      needsApproval: true,
      execute: async () => {
        runs.push(name)
        await pause(random, 6)
        return 'paid'
      },
    })
    await bench.agent.connect()
    expect(bench.agent.role).toBe(first ? 'mirror' : 'driver')
    return bench
  }
  const first = await start('first')
  // A page waits a second for the lock before it becomes a mirror.
  const timers = hurry(1_000)
  const others = [await start('second', first), ...(seed % 3 === 0 ? [await start('third', first)] : [])]
  timers.stop()
  return { tabs: [first, ...others], runs, random }
}

const settled = ({ agent }: Bench) => until(agent, () => agent.status === 'idle' && agent.session?.end !== undefined)

for (const seed of seeds(40, 300)) {
  test(`a call approved in several tabs at once runs exactly once, interleaving ${seed}`, async ({ lab }) => {
    const { tabs, runs, random } = await several(lab, seed, (body) =>
      JSON.stringify(body).includes('"tool"') ? { text: 'done' } : { calls: [{ id: 'p', name: 'pay', arguments: {} }] },
    )
    const ends: unknown[] = []
    void tabs[0].agent.send('Pay').then(
      ({ reason }) => ends.push(reason),
      (error: { code: string }) => ends.push(error.code),
    )
    for (const { agent } of tabs) await until(agent, () => agent.status === 'awaiting-approval')
    const answers = [...tabs]
      .sort(() => random() - 0.5)
      .map(async ({ agent }) => {
        await pause(random, seed % 2 === 0 ? 12 : 60)
        await agent.approve('p').catch(() => undefined) // It is no question any more.
      })
    await Promise.all(answers)
    for (const tab of tabs) await settled(tab)
    expect(runs).toHaveLength(1)
    for (const { agent } of tabs)
      expect(agent.messages.flatMap(toolCallsOf).map(({ result }) => result?.output ?? result?.error?.code)).toEqual([
        'paid',
      ])
    expect(tabs.map(({ agent }) => agent.error)).toEqual(tabs.map(() => null))
    expect(tabs.filter(({ agent }) => agent.role === 'driver')).toHaveLength(1)
    await expect.poll(() => ends).toHaveLength(1)
    expect(['stop', 'interrupted']).toContain(ends[0])
  })

  test(`messages sent in several tabs at once end with an answer or a reason, interleaving ${seed}`, async ({
    lab,
  }) => {
    const { tabs, random } = await several(lab, seed, () => ({ text: ['an ', 'answer'] }))
    const ends = await Promise.all(
      [...tabs]
        .sort(() => random() - 0.5)
        .map(async ({ agent }) => {
          await pause(random, seed % 2 === 0 ? 12 : 60)
          return agent.send('Hello').then(
            ({ reason }) => reason,
            (error: { code: string }) => error.code,
          )
        }),
    )
    for (const end of ends) expect(['stop', 'interrupted', 'lost-session', 'cancelled']).toContain(end)
    expect(ends).toContain('stop')
    for (const tab of tabs) await settled(tab)
    await expect.poll(() => new Set(tabs.map(({ agent }) => agent.messages.map(({ id }) => id).join())).size).toBe(1)
    expect(tabs.filter(({ agent }) => agent.role === 'driver')).toHaveLength(1)
  })
}
