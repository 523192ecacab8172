// A step whose calls only read: one query checks and runs them, and their starts are not stored. Any other step stores
// what it is about to do first.
import { toolCallsOf } from '../../../../src/core/data/message.js'
import type { Agent } from '../../../../src/page/agent.js'
import { agentTool } from '../../../../src/page/tools/agent-tool.js'
import type { AnyTool, ToolRun } from '../../../../src/page/tools/tool.js'
import { deferred, expect, test, until, type Bench } from '../../../support/lab/lab.js'
import { call, tool } from '../../../support/lab/reading-tool.js'
import { resultsOf } from '../../../support/lab/requests.js'

const stopped = async (agent: Agent) => {
  agent.stop()
  await until(agent, () => agent.status === 'idle')
  return undefined
}
const queries = ({ log }: Bench) =>
  log.filter((line) => /^post:(check|execute|read)$/.test(line)).map((l) => l.slice(5))

test(
  'calls that only read are checked, in call order, and run with one query, and no start is stored',
  { tag: ['@R6.1', '@R2.4'] },
  async ({ lab }) => {
    const line: string[] = []
    const bench = await lab.start([{ calls: [call('one'), call('two'), call('three')] }, { text: 'ok' }], {
      hooks: {
        beforeTool: ({ name }) => {
          line.push(`check ${name}`)
          return name === 'two' ? { refuse: 'not this' } : undefined
        },
      },
    })
    const run = (name: string) => tool(name, () => void line.push(`run ${name}`))
    bench.agent.registerTool([run('one'), run('two'), run('three')])
    await bench.agent.send('Go')
    expect(line).toEqual(['check one', 'check two', 'check three', 'run one', 'run three'])
    expect(resultsOf(bench.endpoint.requests[1]).map((text) => text.includes('refused'))).toEqual([false, true, false])
    expect(queries(bench)).toEqual(['read'])
    const { log } = bench
    const between = log.slice(log.indexOf('post:step-end'), log.lastIndexOf('post:step-start'))
    expect(
      between.filter((one) => one.startsWith('commit:')),
      'commits of the results alone',
    ).toHaveLength(3)
    expect(between.indexOf('post:tool-start')).toBeLessThan(between.lastIndexOf('post:tool-result'))
  },
)

test(
  'a step with any call that may do more stores its start before it runs',
  { tag: ['@R6.1', '@C58'] },
  async ({ lab }) => {
    const others: readonly AnyTool[] = [
      tool('other', () => 'written', { annotations: {} }),
      tool('other', () => 'written', { annotations: { idempotentHint: true } }),
      tool('other', () => 'read', { exclusive: true }),
      agentTool({
        name: 'other',
        description: 'Looks into it',
        instructions: 'You look.',
        tools: [tool('find', () => 'found')],
      }),
    ]
    for (const other of others) {
      const bench = await lab.start((body) => {
        const isInside = JSON.stringify(body).includes('You look')
        if (isInside || JSON.stringify(body).includes('"role":"tool"')) return { text: 'ok' }
        const task = other.agent ? { task: 'look' } : {}
        return { calls: [call('look'), { ...call('other'), arguments: task }] }
      })
      bench.agent.registerTool([tool('look', () => 'seen'), other])
      await bench.agent.send('Go')
      expect(queries(bench).includes('read'), JSON.stringify(other.annotations)).toBe(false)
      const starts = bench.events.filter((event) => event.type === 'tool-start')
      expect(starts.map((event) => 'unstored' in event)).toEqual([false, false])
    }
  },
)

test('of calls that only read, one that is asked about starts as stored', { tag: '@R2.0' }, async ({ lab }) => {
  const { agent, events, stored, ...rest } = await lab.start([{ calls: [call('look'), call('peek')] }, { text: 'ok' }])
  agent.registerTool([tool('look', () => 'seen'), tool('peek', () => 'seen', { needsApproval: true })])
  const result = agent.send('Go')
  await until(agent, () => toolCallsOf(agent.messages.at(-1)).some((part) => part.result && part.call.name === 'look'))
  await until(agent, () => agent.status === 'awaiting-approval')
  expect(toolCallsOf((await stored())?.messages.at(-1)).map((part) => part.started !== undefined)).toEqual([
    true,
    false,
  ])
  await agent.approve('peek')
  await result
  expect(queries({ agent, events, stored, ...rest })).toEqual(['read', 'execute'])
  const starts = events.filter((event) => event.type === 'tool-start')
  expect(starts.map((event) => [event.callId, 'unstored' in event])).toEqual([
    ['look', true],
    ['peek', false],
  ])
})

test('a stop between the check and the run of calls that only read runs none', { tag: '@R5.2' }, async ({ lab }) => {
  let runs = 0
  const { agent } = await lab.start([{ calls: [call('one'), call('two')] }])
  agent.registerTool([tool('one', () => void runs++), tool('two', () => void runs++)])
  agent.configure({
    ...agent.options,
    hooks: { beforeTool: ({ name }) => (name === 'two' ? stopped(agent) : undefined) },
  })
  expect((await agent.send('Go')).reason).toBe('stopped')
  await new Promise((resolve) => setTimeout(resolve))
  expect(runs).toBe(0)
})

test(
  'a call that only reads and was cut by a crash may have run, and runs again if the turn continues',
  { tag: ['@R6.3', '@F2'] },
  async ({ lab }) => {
    for (const resume of ['ask', 'auto'] as const) {
      const model = (body: object) =>
        JSON.stringify(body).includes('"role":"tool"') ? { text: 'ok' } : { calls: [call('look')] }
      const started = deferred()
      const first = await lab.start(model, { sessionId: `cut-${resume}`, resume })
      first.agent.registerTool(
        tool('look', () => {
          started.resolve()
          return new Promise(() => undefined)
        }),
      )
      void first.agent.send('Go').catch(() => undefined)
      await started.promise
      expect((await first.stored())?.turn?.reads).toBe(true)
      first.kill()
      let runs = 0
      const second = await lab.start(model, { sessionId: `cut-${resume}`, resume, store: first.store })
      second.agent.registerTool(tool('look', () => `seen ${++runs}`))
      await second.agent.connect()
      await until(second.agent, () => second.agent.status !== 'running')
      const [part] = second.agent.messages.flatMap(toolCallsOf)
      if (resume === 'auto') expect(runs).toBe(1)
      else
        expect(part?.result?.error?.message).toBe(
          'The page was closed or reloaded before this had a result. It may have run.',
        )
    }
  },
)

test(
  'the outcomes of calls that only read survive the death of the worker, each by itself',
  { tag: '@F15' },
  async ({ lab }) => {
    const model = (body: object) =>
      JSON.stringify(body).includes('"role":"tool"') ? { text: 'ok' } : { calls: [call('quick'), call('slow')] }
    const bench = await lab.start(model, { worker: true })
    const { agent } = bench
    const end = deferred()
    const runs = { quick: 0, slow: 0 }
    const aborted: string[] = []
    agent.registerTool([
      tool('quick', () => `quick ${++runs.quick}`),
      tool('slow', async (_input: never, { signal }: ToolRun) => {
        signal.addEventListener('abort', () => aborted.push('slow'))
        runs.slow++
        await end.promise
        return 'slow'
      }),
    ])
    const result = agent.send('Go')
    await until(agent, () => toolCallsOf(agent.messages.at(-1))[0]?.result !== undefined)
    bench.killHost()
    await until(agent, () => agent.status === 'running')
    end.resolve()
    expect((await result).text).toBe('ok')
    expect([runs, aborted]).toEqual([{ quick: 1, slow: 1 }, []])
  },
)
