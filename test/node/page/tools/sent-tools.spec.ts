// What a call is checked against: the tools of the request as it was sent, after every hook and provider.
import { agentTool } from '../../../../src/page/tools/agent-tool.js'
import type { AnyTool } from '../../../../src/page/tools/tool.js'
import { expect, test, until } from '../../../support/lab/lab.js'
import { resultsOf, toolNames } from '../../../support/lab/requests.js'

const call = (name: string, id?: string) => ({ name, arguments: {}, ...(id ? { id } : {}) })

/** A tool that counts how often it ran. */
function counter(name: string, more: Partial<AnyTool> = {}): AnyTool & { runs: number } {
  const made = {
    name,
    description: `Does the work of ${name} for the user`,
    runs: 0,
    ...more,
    execute: () => {
      made.runs++
      return `${name} ran`
    },
  }
  return made
}

/** A hook that takes one tool out of every request. */
const without = (name: string) => ({
  beforeModel: (request: { tools: readonly { name: string }[] }) =>
    ({ ...request, tools: request.tools.filter((tool) => tool.name !== name) }) as never,
})
const forbidding = { beforeModel: (request: object) => ({ ...request, toolChoice: 'none' }) as never }

test('a call to a tool that beforeModel removed from the request does not run', async ({ lab }) => {
  const { agent, endpoint } = await lab.start([{ calls: [call('pay'), call('look')] }, { text: 'ok' }], {
    todo: false,
    hooks: without('pay'),
  })
  const [pay, look] = [counter('pay'), counter('look')]
  agent.registerTool([pay, look])
  await agent.send('Go')
  expect(toolNames(endpoint.requests[0])).toEqual(['look'])
  expect([pay.runs, look.runs]).toEqual([0, 1])
  expect(resultsOf(endpoint.requests[1])).toEqual([
    expect.stringContaining("Error (unknown-tool): There is no tool 'pay'."),
    'look ran',
  ])
})

test('a call does not run after beforeModel set the tool choice to none, and the next request may offer it again', async ({
  lab,
}) => {
  let requests = 0
  const { agent, endpoint } = await lab.start([{ calls: [call('pay')] }, { calls: [call('pay')] }, { text: 'ok' }], {
    hooks: { beforeModel: (request) => (requests++ === 0 ? { ...request, toolChoice: 'none' } : request) },
  })
  const pay = counter('pay')
  agent.registerTool(pay)
  const { toolExecutions } = await agent.send('Go')
  expect(toolExecutions.map(({ error }) => error?.code)).toEqual(['refused', undefined])
  expect(resultsOf(endpoint.requests[1])).toEqual([expect.stringContaining('Answer with text')])
  expect(pay.runs).toBe(1)
})

test('a hook that allows tools again overrides a send with the tool choice none', async ({ lab }) => {
  const { agent } = await lab.start([{ calls: [call('pay')] }, { text: 'ok' }], {
    hooks: { beforeModel: (request) => ({ ...request, toolChoice: 'auto' as const }) },
  })
  const pay = counter('pay')
  agent.registerTool(pay)
  await agent.send('Go', { toolChoice: 'none' })
  expect(pay.runs).toBe(1)
})

test('a host tool that beforeModel removed does not run', async ({ lab }) => {
  const { agent } = await lab.start(
    [{ calls: [{ name: 'todo_write', arguments: { items: [{ text: 'a' }] } }] }, { text: 'ok' }],
    { hooks: without('todo_write') },
  )
  const { toolExecutions } = await agent.send('Go')
  expect(toolExecutions[0]?.error?.code).toBe('unknown-tool')
  expect(agent.todos).toEqual([])
})

test('a tool of an inner agent that beforeModel removed does not run', async ({ lab }) => {
  for (const hooks of [
    without('pay'),
    {
      beforeModel: (request: { system: string }) =>
        (request.system.includes('You pay') ? { ...request, toolChoice: 'none' } : request) as never,
    },
  ]) {
    const { agent } = await lab.start(
      [
        { calls: [{ name: 'clerk', arguments: { task: 'Pay' } }] },
        { calls: [call('pay')] },
        { text: 'No' },
        { text: 'ok' },
      ],
      { hooks },
    )
    const pay = counter('pay')
    agent.registerTool(
      agentTool({ name: 'clerk', description: 'Pays what is open', instructions: 'You pay bills.', tools: [pay] }),
    )
    await agent.send('Go')
    expect(pay.runs).toBe(0)
  }
})

test('a stepped turn does not execute a tool that beforeModel removed', async ({ lab }) => {
  const { agent } = await lab.start([{ calls: [call('pay')] }, { text: 'ok' }], { hooks: without('pay') })
  const pay = counter('pay')
  agent.registerTool(pay)
  for await (const step of agent.step('Go')) await step.execute()
  expect(pay.runs).toBe(0)
})

test('with the text protocol a tool that beforeModel removed does not run', async ({ lab }) => {
  const { agent } = await lab.start([{ text: '[TOOL_CALL]{"name":"pay","args":{}}[/TOOL_CALL]' }, { text: 'ok' }], {
    textProtocol: true,
    hooks: without('pay'),
  })
  const pay = counter('pay')
  agent.registerTool(pay)
  const { toolExecutions } = await agent.send('Go')
  expect(toolExecutions.map(({ error }) => error?.code)).toEqual(['unknown-tool'])
  expect(pay.runs).toBe(0)
})

for (const [what, hooks] of [
  ['removed', without('pay')],
  ['forbade', forbidding],
] as const) {
  test(`a resumed turn does not run a call to a tool that beforeModel ${what} before the crash`, async ({ lab }) => {
    const sessionId = `resumed-${what}`
    // The second fact is the end of the first step: its call is known and has not run.
    const first = await lab.start([{ calls: [call('pay', 'call_pay_12345')] }, { text: 'ok' }], {
      hooks,
      sessionId,
      killAfter: 2,
    })
    first.agent.registerTool(counter('pay'))
    void first.agent.send('Go')
    await first.dead
    const second = await lab.start([], { endpointServer: first.endpoint, store: first.store, sessionId })
    const pay = counter('pay')
    second.agent.registerTool(pay)
    await second.agent.connect()
    await until(second.agent, () => second.agent.status === 'idle')
    expect(resultsOf(second.endpoint.requests[1])).toEqual([expect.stringContaining('Error (')])
    expect(pay.runs).toBe(0)
  })
}

test('an active tool that neither a registered tool nor a provider has rejects the send at its first step', async ({
  lab,
}) => {
  const { agent, endpoint } = await lab.start([{ text: 'ok' }])
  agent.registerTool(counter('look'))
  agent.registerToolProvider(() => [counter('found')])
  await expect(agent.send('Go', { activeTools: ['look', 'fund'] })).rejects.toMatchObject({
    code: 'invalid-option',
    message: "activeTools: no tool is called 'fund'",
  })
  expect(endpoint.requests).toHaveLength(0)
  await agent.send('Go', { activeTools: ['look', 'found', 'todo_read'] })
  expect(toolNames(endpoint.requests[0])).toEqual(['todo_write', 'todo_read', 'look', 'found'])
})

test('active tools are not checked at a later step, nor while a provider failed', async ({ lab }) => {
  const { agent, endpoint } = await lab.start([{ calls: [call('found')] }, { text: 'ok' }, { text: 'ok' }])
  let asked = 0
  const unregister = agent.registerToolProvider(() => (asked++ === 0 ? [counter('found')] : []))
  await agent.send('Go', { activeTools: ['found'] })
  unregister()
  agent.registerToolProvider(() => {
    throw new Error('offline')
  })
  await agent.send('Go', { activeTools: ['found'] })
  expect(endpoint.requests.map(toolNames)).toEqual([
    ['todo_write', 'todo_read', 'found'],
    ['todo_write', 'todo_read'],
    ['todo_write', 'todo_read'],
  ])
})
