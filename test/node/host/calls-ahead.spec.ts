// The calls of a step that only reads run while the step is stored. Nothing of them is shown before, and nothing is kept
// of a step that could not be stored. Any other call waits.
import { ToolAgentError } from '../../../src/core/data/errors.js'
import { toolCallsOf } from '../../../src/core/data/message.js'
import type { StoreChange } from '../../../src/core/state/store.js'
import { deferred, expect, test, type Bench } from '../../support/lab/lab.js'
import { call, tool } from '../../support/lab/reading-tool.js'
import { resultsOf } from '../../support/lab/requests.js'
import { later, slowStore } from '../../support/lab/slow-store.js'

/** Whether a change stores a step with calls, before they have results. */
const isStep = ({ messages = [] }: StoreChange): boolean =>
  messages.some(({ message }) => toolCallsOf(message).length > 0 && toolCallsOf(message).every((part) => !part.result))
/** What the page has been shown of calls. */
const shown = ({ agent, events }: Bench): unknown[] => [
  ...agent.messages.flatMap(toolCallsOf),
  ...agent.progress.values(),
  ...events.filter(({ type }) => /^tool-(start|progress|result)$/.test(type)),
]

test(
  'calls that only read run while their step is stored, and nothing of them is shown before',
  { tag: ['@R6.1', '@R2.0'] },
  async ({ lab }) => {
    const stored = deferred()
    const ran: string[] = []
    const store = slowStore((change) => (isStep(change) ? stored.promise : undefined))
    const bench = await lab.start([{ text: 'Let me see', calls: [call('look'), call('peek')] }, { text: 'ok' }], {
      store,
    })
    const { agent, endpoint } = bench
    const run = (name: string) =>
      tool(name, (_input: never, { messages, report }) => {
        report({ message: name })
        ran.push(`${name} after ${messages.length} messages`)
        return `${name} done`
      })
    agent.registerTool([run('look'), run('peek')])
    const result = agent.send('Go')
    await expect
      .poll(() => ran, 'they have the message that made them')
      .toEqual(['look after 2 messages', 'peek after 2 messages'])
    await later()
    expect(shown(bench)).toEqual([])
    expect(endpoint.requests).toHaveLength(1)
    stored.resolve()
    expect((await result).text).toBe('ok')
    expect(ran).toHaveLength(2)
    expect(resultsOf(endpoint.requests[1])).toEqual(['look done', 'peek done'])
    const order = bench.events
      .map(({ type }) => type)
      .filter((type) => /^(step-end|tool-start|tool-result)$/.test(type))
    expect(order).toEqual(['step-end', 'tool-start', 'tool-start', 'tool-result', 'tool-result', 'step-end'])
  },
)

test(
  'any other call waits for the commit of its step, also for the check',
  { tag: ['@R6.1', '@C58'] },
  async ({ lab }) => {
    const others = {
      writes: [call('look'), call('write')],
      'waits for others': [call('look'), call('alone')],
      'was not offered': [call('look'), call('nothing')],
      'is refused by the host': [call('look', {}, 'a'), call('look', { far: 'x'.repeat(99) }, 'b')],
      'is more than the page runs at once': [call('look', {}, 'a'), call('look', {}, 'b'), call('look', {}, 'c')],
    }
    for (const [why, calls] of Object.entries(others)) {
      const stored = deferred()
      const seen: string[] = []
      const begun = deferred()
      const store = slowStore((change) => {
        if (!isStep(change)) return undefined
        begun.resolve()
        return stored.promise
      })
      const { agent } = await lab.start([{ calls }, { text: 'ok' }], {
        store,
        limits: { concurrency: 2, argumentBytes: 64 },
        hooks: {
          beforeTool: ({ name }) => {
            seen.push(name)
            return undefined
          },
        },
      })
      agent.registerTool([
        tool('look', () => 'seen'),
        tool('write', () => 'written', { annotations: {} }),
        tool('alone', () => 'seen', { exclusive: true }),
      ])
      const result = agent.send('Go')
      await begun.promise
      await later()
      expect(seen, why).toEqual([])
      stored.resolve()
      expect((await result).text, why).toBe('ok')
      expect(seen, why).not.toEqual([])
    }
  },
)

test(
  'if the step cannot be stored, its outcomes are dropped, except in memory after an error of the disk',
  { tag: ['@F23', '@F25', '@F28'] },
  async ({ lab }) => {
    for (const code of ['lost-session', 'session-deleted', 'storage'] as const) {
      const failed = deferred()
      const ended = deferred()
      let runs = 0
      const store = slowStore(async (change) => {
        if (!isStep(change)) return
        await failed.promise
        throw new ToolAgentError(code, 'Not here')
      })
      const bench = await lab.start(
        (body) => (JSON.stringify(body).includes('"role":"tool"') ? { text: 'ok' } : { calls: [call('look')] }),
        { store },
      )
      const { agent, endpoint } = bench
      agent.registerTool(
        tool('look', () => {
          runs++
          ended.resolve()
          return 'seen'
        }),
      )
      const result = agent.send('Go').then(
        ({ text, reason }) => text || reason,
        (error: ToolAgentError) => error.code,
      )
      await ended.promise
      await later()
      failed.resolve()
      const isInMemory = code === 'storage'
      expect(await result).toBe(code === 'storage' ? 'ok' : code)
      expect([agent.messages.flatMap(toolCallsOf).length, runs, endpoint.requests.length]).toEqual(
        isInMemory ? [1, 1, 2] : [0, 1, 1],
      )
    }
  },
)

test('a stop while the step is stored settles its calls once', { tag: '@R5.2' }, async ({ lab }) => {
  const stored = deferred()
  const running = deferred()
  const aborted = deferred()
  const { agent, endpoint } = await lab.start([{ calls: [call('look')] }], {
    store: slowStore((change) => (isStep(change) ? stored.promise : undefined)),
  })
  agent.registerTool(
    tool('look', (_input: never, { signal }) => {
      signal.addEventListener('abort', () => aborted.resolve())
      running.resolve()
      return new Promise(() => undefined)
    }),
  )
  const result = agent.send('Go')
  await running.promise
  agent.stop()
  await aborted.promise
  stored.resolve()
  expect((await result).reason).toBe('stopped')
  expect(toolCallsOf(agent.messages.at(-1)).map((part) => part.result?.error?.code)).toEqual(['cancelled'])
  expect(endpoint.requests).toHaveLength(1)
})

test(
  'a host that dies before the step is stored leaves nothing of it, also if the model uses the id again',
  { tag: ['@F2', '@F15'] },
  async ({ lab }) => {
    // The outcome of the first call must not become that of the second one.
    let asked = 0
    let isFirst = true
    const store = slowStore((change) => (isFirst && isStep(change) ? new Promise(() => undefined) : undefined))
    const bench = await lab.start(
      (body) => {
        if (JSON.stringify(body).includes('"role":"tool"')) return { text: 'ok' }
        asked++
        return { calls: [call('look', { at: asked }, 'call_0')] }
      },
      { worker: true, store },
    )
    const { agent, endpoint } = bench
    const ended: number[] = []
    agent.registerTool(
      tool(
        'look',
        async ({ at }: { at: number }) => {
          ended.push(at)
          return `seen at ${at}`
        },
        { inputSchema: { type: 'object', properties: { at: { type: 'integer' } } } },
      ),
    )
    const result = agent.send('Go')
    await expect.poll(() => ended).toEqual([1])
    await later()
    isFirst = false
    bench.killHost()
    expect((await result).text).toBe('ok')
    expect(ended).toEqual([1, 2])
    expect(resultsOf(endpoint.requests.at(-1))).toEqual(['seen at 2'])
    expect(agent.messages.flatMap(toolCallsOf).map((part) => part.result?.output)).toEqual(['seen at 2'])
  },
)
