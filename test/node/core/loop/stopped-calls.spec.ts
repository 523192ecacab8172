// A call that was stopped before an effect: it is not settled, the user is asked, and it runs once more.
import { mostSerious, type Effect } from '../../../../src/core/data/effect.js'
import type { StoppedEffect } from '../../../../src/core/data/stopped-effect.js'
import { ToolAgentError } from '../../../../src/core/data/errors.js'
import { toolCallsOf } from '../../../../src/core/data/message.js'
import type { ActionPermission } from '../../../../src/core/data/action.js'
import { internals } from '../../../../src/core/data/tool.js'
import type { Agent } from '../../../../src/page/agent.js'
import type { AnyTool, ToolRun } from '../../../../src/page/tools/tool.js'
import { expect, test, until, type Bench } from '../../../support/lab/lab.js'
import { resultsOf } from '../../../support/lab/requests.js'

const send: StoppedEffect = { effect: 'send', does: 'request', method: 'POST', url: '/orders', operation: 'add' }
const destroy: StoppedEffect = { effect: 'destroy', does: 'request', method: 'DELETE', url: '/orders/1' }
const outside: StoppedEffect = { effect: 'outside', does: 'go', url: 'https://other.example/' }

/** A page tool that predicts `view`, and is stopped at each attempt before what `plan` says. */
function press(
  plan: readonly (StoppedEffect | undefined)[],
  more: Partial<AnyTool> = {},
): { readonly tool: AnyTool; readonly runs: (ActionPermission | undefined)[] } {
  const runs: (ActionPermission | undefined)[] = []
  const tool: AnyTool = {
    name: 'press',
    description: 'Presses a button of the page',
    annotations: { untrustedContentHint: true },
    execute: (_: unknown, { permission }: ToolRun) => {
      const stopped = plan[runs.length]
      runs.push(permission)
      if (stopped)
        throw new ToolAgentError('needs-approval', `Stopped before ${stopped.method ?? stopped.does}`, {
          details: { stopped: [{ ...stopped }] },
        })
      return 'pressed'
    },
    [internals]: {
      preview: (_: unknown, { stopped = [] }) => ({
        preview: { does: 'click', ...(stopped.length > 0 ? { stopped } : {}) },
        effect: mostSerious(['view', ...stopped.map(({ effect }) => effect)]) as Effect,
        from: '',
        hides: false,
      }),
    },
    ...more,
  }
  return { tool, runs }
}

const script = [{ calls: [{ id: 'p', name: 'press', arguments: {} }] }, { text: 'ok' }]
const partOf = (agent: Agent) => agent.messages.flatMap(toolCallsOf).find(({ call }) => call.id === 'p')
const isAsked = (agent: Agent) => () => agent.status === 'awaiting-approval'
const kinds = ({ events }: Bench) =>
  events.map(({ type }) => type).filter((type) => /^(approval-request|tool-start|tool-result)$/.test(type))

test(
  'a stopped call is not settled: the user is asked, and it runs once more',
  { tag: ['@R6.5', '@R7.1', '@R7.3'] },
  async ({ lab }) => {
    const after: unknown[] = []
    const bench = await lab.start(script, {
      hooks: { afterTool: (_, output) => void after.push(output) },
      onToolError: (error) => void after.push(error),
    })
    const { agent } = bench
    const { tool, runs } = press([send], { summary: ({ state }) => void after.push(state) })
    agent.registerTool(tool)
    const turn = agent.send('Go')
    await until(agent, isAsked(agent))
    expect(partOf(agent)).toMatchObject({ approval: { preview: { effect: 'send', stopped: [send] } } })
    expect(partOf(agent), 'the attempt does not count as started').not.toHaveProperty('started')
    expect(after).toEqual([])
    await agent.approve('p')
    await turn
    expect(partOf(agent)?.result?.output).toBe('pressed')
    expect(runs).toEqual([
      { effect: 'view', by: 'rule' },
      { effect: 'send', by: 'user', stopped: [send] },
    ])
    expect(kinds(bench)).toEqual(['tool-start', 'approval-request', 'tool-start', 'tool-result'])
    expect(after).toEqual(['done', 'pressed'].toReversed())
  },
)

test(
  'a denied call that was stopped says what it would have done, as untrusted text',
  { tag: '@R7.4' },
  async ({ lab }) => {
    const { agent, endpoint } = await lab.start(script)
    const { tool, runs } = press([send])
    agent.registerTool(tool)
    const turn = agent.send('Go')
    await until(agent, isAsked(agent))
    await agent.deny('p', { reason: 'too dear' })
    await turn
    const [text = ''] = resultsOf(endpoint.requests[1])
    expect(text).toMatch(/denied.*stopped before it had this effect.*too dear/)
    expect(text).toMatch(
      /<untrusted-\w+>\nRefused: would send POST \/orders \(add\)\. The page may show it\.\n<\/untrusted/,
    )
    expect(partOf(agent)?.result).toMatchObject({
      attempts: 0,
      untrusted: true,
      error: { code: 'denied', details: { reason: 'too dear', stopped: [send] } },
    })
    expect(runs).toHaveLength(1)
  },
)

test('a second stop before the same effect settles the call with its error', { tag: '@R7.1' }, async ({ lab }) => {
  const bench = await lab.start(script)
  const { agent } = bench
  const { tool, runs } = press([send, { ...send, url: '/pay' }])
  agent.registerTool(tool)
  const turn = agent.send('Go')
  await until(agent, isAsked(agent))
  await agent.approve('p')
  await turn
  expect(partOf(agent)?.result?.error).toMatchObject({ code: 'needs-approval' })
  expect(resultsOf(bench.endpoint.requests[1])[0]).toMatch(/^<untrusted-[^]*needs-approval[^]*POST/)
  expect(kinds(bench)).toEqual(['tool-start', 'approval-request', 'tool-start', 'tool-result'])
  expect(runs).toHaveLength(2)
})

test('a stop before a more serious effect asks again, at most twice', { tag: '@R7.1' }, async ({ lab }) => {
  const bench = await lab.start(script)
  const { agent } = bench
  const { tool, runs } = press([send, destroy, outside])
  agent.registerTool(tool)
  const questions: unknown[] = []
  agent.subscribe((event) => {
    if (event.type !== 'approval-request') return
    questions.push(event.approval.preview?.stopped)
    void agent.approve('p')
  })
  await agent.send('Go')
  expect(questions).toEqual([[send], [send, destroy]])
  expect(runs.map((permission) => permission?.effect)).toEqual(['view', 'send', 'destroy'])
  expect(partOf(agent)?.result?.error?.code).toBe('needs-approval')
})

test(
  'with approval off a stopped call runs again without a question, unless it leads elsewhere',
  { tag: '@R7.1' },
  async ({ lab }) => {
    const bench = await lab.start([...script, { calls: [{ id: 'q', name: 'press', arguments: {} }] }, { text: 'ok' }], {
      approval: 'off',
    })
    const { agent } = bench
    const { tool, runs } = press([send, undefined, outside])
    agent.registerTool(tool)
    await agent.send('Go')
    expect(partOf(agent)?.result?.output).toBe('pressed')
    expect(runs).toEqual([
      { effect: 'view', by: 'off' },
      { effect: 'send', by: 'off', stopped: [send] },
    ])
    const turn = agent.send('Again')
    await until(agent, isAsked(agent))
    await agent.deny('q')
    await turn
    expect(kinds(bench).filter((type) => type === 'approval-request')).toHaveLength(1)
  },
)

test('a stopped call that the page refuses by then is settled with the refusal', { tag: '@R2.0' }, async ({ lab }) => {
  const { agent } = await lab.start(script, {
    hooks: { beforeTool: (_, { effect }) => (effect === 'send' ? { refuse: 'Nothing is sent here' } : undefined) },
  })
  agent.registerTool(press([send]).tool)
  await agent.send('Go')
  expect(partOf(agent)?.result?.error).toEqual({ code: 'refused', message: 'Nothing is sent here' })
})

test('a question about a stopped call occupies no slot', { tag: '@R2.4' }, async ({ lab }) => {
  const { agent } = await lab.start(
    [{ calls: ['press', 'look'].map((name) => ({ id: name[0] ?? '', name, arguments: {} })) }, { text: 'ok' }],
    { limits: { concurrency: 1 } },
  )
  let looks = 0
  agent.registerTool([press([send]).tool, { name: 'look', description: 'Looks around', execute: () => ++looks }])
  const turn = agent.send('Go')
  await until(agent, () => agent.status === 'awaiting-approval' && looks === 1)
  await agent.approve('p')
  await turn
  expect(partOf(agent)?.result?.output).toBe('pressed')
})

test('a preview that ignores what was stopped still asks about it', { tag: '@R7.1' }, async ({ lab }) => {
  const { agent } = await lab.start(script)
  const { tool } = press([send], {
    [internals]: { preview: () => ({ preview: {}, effect: 'view', from: '', hides: false }) },
  })
  agent.registerTool(tool)
  const turn = agent.send('Go')
  await until(agent, isAsked(agent))
  expect(partOf(agent)?.approval?.preview).toEqual({ effect: 'send', stopped: [send] })
  await agent.approve('p')
  await turn
})

test('a tool that is not a page tool cannot ask by throwing', { tag: '@R7.1' }, async ({ lab }) => {
  const { agent } = await lab.start(script)
  const { tool, runs } = press([send])
  const { [internals]: _preview, ...own } = tool
  agent.registerTool(own)
  await agent.send('Go')
  expect(partOf(agent)?.result?.error?.code).toBe('needs-approval')
  expect(runs).toEqual([undefined])
})

for (const malformed of [[], [{ effect: 'all', does: 'request' }], [{ effect: 'send', does: 'x' }], 'send'])
  test(`what was stopped is validated: ${JSON.stringify(malformed)}`, { tag: '@R7.1' }, async ({ lab }) => {
    const { agent } = await lab.start(script)
    agent.registerTool(
      press([], {
        execute: () => {
          throw new ToolAgentError('needs-approval', 'Stopped', { details: { stopped: malformed } })
        },
      }).tool,
    )
    await agent.send('Go')
    expect(partOf(agent)?.result?.error?.code).toBe('needs-approval')
  })

test(
  'after a reload the question about a stopped call is asked again',
  { tag: ['@R6.3', '@F78', '@C101'] },
  async ({ lab }) => {
    const first = await lab.start(script, { sessionId: 'stopped' })
    const before = press([send])
    first.agent.registerTool(before.tool)
    void first.agent.send('Go').catch(() => undefined)
    await until(first.agent, isAsked(first.agent))
    first.kill()
    const second = await lab.start([], { store: first.store, sessionId: 'stopped', endpointServer: first.endpoint })
    const { tool, runs } = press([])
    second.agent.registerTool(tool)
    await second.agent.connect()
    await until(second.agent, () => second.events.some(({ type }) => type === 'approval-request'))
    expect(partOf(second.agent)?.approval?.preview).toMatchObject({ effect: 'send', stopped: [send] })
    expect(runs).toEqual([])
    await second.agent.approve('p')
    await until(second.agent, () => second.agent.status === 'idle')
    expect(runs).toEqual([{ effect: 'send', by: 'user', stopped: [send] }])
    expect(partOf(second.agent)?.result?.output).toBe('pressed')
  },
)

test(
  'when the host is lost, a stopped call is asked about and runs once more',
  { tag: ['@F15', '@R6.5'] },
  async ({ lab }) => {
    const bench = await lab.start(script, { worker: true })
    const { agent } = bench
    const { tool, runs } = press([send])
    agent.registerTool(tool)
    const turn = agent.send('Go')
    await until(agent, isAsked(agent))
    const asked = () => bench.events.filter(({ type }) => type === 'approval-request').length
    bench.killHost()
    await until(agent, () => asked() === 2 && agent.status === 'awaiting-approval')
    await agent.approve('p')
    await turn
    expect(partOf(agent)?.result?.output).toBe('pressed')
    expect(runs).toHaveLength(2)
  },
)
