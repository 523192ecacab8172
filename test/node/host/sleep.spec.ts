// A device that slept: its timers stopped, the wall clock did not. The test triggers the one-second ticks of the host.
import { chunk } from '../../support/faults/faults.js'
import { deferred, expect, test, until } from '../../support/lab/lab.js'

const half = chunk({ content: 'Half' })
const end = [chunk({ content: ' and the rest' }), chunk({}, 'stop'), 'data: [DONE]\n\n']

/** From now on the clock is that much ahead, until the test ends. */
function sleep(ms: number): void {
  const { now } = Date
  Date.now = () => now() + ms
}
const { now } = Date
const { setInterval: interval } = globalThis
/** What the host does each second. */
const seconds = new Set<() => void>()
const tick = () => {
  for (const work of seconds) work()
}
test.beforeEach(() => {
  seconds.clear()
  globalThis.setInterval = ((work: () => void, ms?: number) => {
    if (ms === 1_000) seconds.add(work)
    return interval(work, ms === 1_000 ? 2 ** 30 : ms)
  }) as typeof setInterval
})
test.afterEach(() => {
  Object.assign(globalThis, { setInterval: interval })
  Date.now = now
})

for (const [what, before] of [
  ['before the first part', []],
  ['in mid-text', [half]],
] as const) {
  test(
    `an answer that stalled ${what} while the device slept ends on wake-up, and the next message works`,
    { tag: '@F11' },
    async ({ lab }) => {
      const { agent, endpoint } = await lab.start([{ raw: [...before], end: 'hang' }, { text: 'next works' }])
      const turn = agent.send('Go')
      turn.catch(() => undefined)
      await endpoint.received(1)
      if (before.length > 0) await until(agent, () => agent.session?.draft?.parts.length === 1)
      tick()
      tick()
      expect(agent.status).toBe('running')
      sleep(10 * 60_000)
      tick()
      tick()
      await expect(turn).rejects.toMatchObject({
        code: 'model-timeout',
        turn: { text: before.length > 0 ? 'Half' : '' },
      })
      expect((await agent.send('Next')).text).toBe('next works')
    },
  )
}

test('a clock that is set forward does not end a live answer', { tag: ['@F11', '@F44'] }, async ({ lab }) => {
  const go = deferred()
  const { agent } = await lab.start([{ raw: [half, go.promise, ...end] }])
  const turn = agent.send('Go')
  await until(agent, () => agent.session?.draft?.parts.length === 1)
  sleep(10 * 60_000)
  tick()
  go.resolve()
  await until(agent, () => JSON.stringify(agent.session).includes(' and the rest'))
  tick()
  expect(await turn).toMatchObject({ reason: 'stop', text: 'Half and the rest' })
})

test('a retry delay that passed during sleep ends on wake-up', { tag: '@F11' }, async ({ lab }) => {
  const { agent, events } = await lab.start([{ status: 429, headers: { 'retry-after': '60' } }, { text: 'there' }])
  const turn = agent.send('Go')
  await until(agent, () => events.some(({ type }) => type === 'step-retry'))
  sleep(10 * 60_000)
  tick()
  tick()
  expect((await turn).text).toBe('there')
})

test('a tool that runs while the device sleeps keeps its own timeout', { tag: '@F11' }, async ({ lab }) => {
  const begun = deferred()
  const finish = deferred()
  const { agent } = await lab.start([{ calls: [{ name: 'slow', arguments: {} }] }, { text: 'done' }])
  agent.registerTool({
    name: 'slow',
    description: 'Ends when it is told to',
    execute: async () => {
      begun.resolve()
      await finish.promise
      return 'slowly'
    },
  })
  const turn = agent.send('Go')
  await begun.promise
  sleep(10 * 60_000)
  tick()
  tick()
  finish.resolve()
  expect((await turn).toolExecutions).toMatchObject([{ output: 'slowly' }])
})
