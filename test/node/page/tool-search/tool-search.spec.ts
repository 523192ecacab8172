// A conversation with very many tools: what its requests contain, and what a call of a tool that they do not contain
// may do. How well the search finds is measured by `npm run bench -- tools`.
import type { JsonValue } from '../../../../src/core/data/json.js'
import { toolCallsOf } from '../../../../src/core/data/message.js'
import { internals } from '../../../../src/core/data/tool.js'
import { memoryStore } from '../../../../src/host/store/memory-store.js'
import type { Agent } from '../../../../src/page/agent.js'
import { agentTool } from '../../../../src/page/tools/agent-tool.js'
import type { AnyTool } from '../../../../src/page/tools/tool.js'
import { expect, test, until } from '../../../support/lab/lab.js'
import { messagesOf, resultsOf, toolNames } from '../../../support/lab/requests.js'

const amount = { type: 'object', properties: { amount: { type: 'integer' } }, required: ['amount'] } as const

/** Tools of a shop, most of them of no use here. */
function manyTools(count: number, ran: unknown[] = []): AnyTool[] {
  const others = Array.from({ length: count - 1 }, (_, at) => ({
    name: `record_${at}`,
    description: `Returns the record number ${at} of the warehouse.`,
    annotations: { readOnlyHint: true },
    execute: () => at,
  }))
  const invoice: AnyTool = {
    name: 'create_invoice',
    description: 'Creates an invoice for a customer.',
    inputSchema: amount,
    execute: (input: unknown) => {
      ran.push(input)
      return 'Invoice 7'
    },
  }
  return [...others, invoice]
}

const find = (id = 'f', query = 'create invoice bill') => ({ id, name: 'find_tools', arguments: { query } })
const use = (id = 'u', input: JsonValue = { amount: 3 }, name = 'create_invoice') => ({
  id,
  name: 'use_tool',
  arguments: { name, input },
})
const calls = (agent: Agent) => agent.messages.flatMap(toolCallsOf)

test('offers a search instead of very many tools, and runs what it has found', async ({ lab }) => {
  const ran: unknown[] = []
  const tools = [...manyTools(120, ran), { ...manyTools(1)[0]!, name: 'help', alwaysOffered: true }]
  const script = [{ calls: [find()] }, { calls: [use()] }, { text: 'Done' }]
  const { agent, endpoint } = await lab.start(script, { tools, todo: false })
  const { toolExecutions } = await agent.send('Bill 3 euros')
  const names = ['find_tools', 'use_tool', 'help']
  expect(endpoint.requests.map(toolNames)).toEqual([names, names, names])
  expect(resultsOf(endpoint.requests[1])[0]).toContain(
    '{"name":"create_invoice","description":"Creates an invoice for a customer.","input":{"type":"object",',
  )
  expect(ran).toEqual([{ amount: 3 }])
  expect(toolExecutions.map(({ call }) => call)).toMatchObject([
    { name: 'find_tools' },
    { name: 'create_invoice', input: { amount: 3 } },
  ])
  expect(calls(agent)[1]).toMatchObject({ title: 'Create invoice', started: { input: { amount: 3 } } })
})

test('repeats in later requests what the model wrote', async ({ lab }) => {
  const { agent, endpoint } = await lab.start(
    [{ calls: [find()] }, { calls: [use()] }, { text: 'Done' }, { text: 'Hi' }],
    {
      tools: manyTools(120),
    },
  )
  await agent.send('Bill')
  await agent.send('Hello')
  const [first, ...later] = endpoint.requests.map((request) => JSON.stringify(messagesOf(request)).slice(0, -1))
  later.reduce((before, after) => {
    expect(after.startsWith(before)).toBe(true)
    return after
  }, first!)
  const written = messagesOf(endpoint.requests[3]).flatMap(
    ({ tool_calls }) => (tool_calls ?? []) as { function: unknown }[],
  )
  expect(written.map((one) => one.function)).toEqual([
    { name: 'find_tools', arguments: '{"query":"create invoice bill"}' },
    { name: 'use_tool', arguments: '{"name":"create_invoice","input":{"amount":3}}' },
  ])
  expect(new Set(endpoint.requests.map(({ body }) => JSON.stringify(body?.['tools']))).size).toBe(1)
})

test('answers with the definition what was not found, and runs it the next time', { tag: '@R1.3' }, async ({ lab }) => {
  const ran: unknown[] = []
  const { agent, endpoint } = await lab.start([{ calls: [use('a')] }, { calls: [use('b')] }, { text: 'Done' }], {
    tools: manyTools(120, ran),
  })
  await agent.send('Bill')
  expect(resultsOf(endpoint.requests[1])[0]).toMatch(/Read this definition.*"name":"create_invoice".*"amount"/)
  expect(calls(agent).map(({ result }) => result?.error?.code)).toEqual(['unknown-tool', undefined])
  expect(ran).toEqual([{ amount: 3 }])
})

test('a tool that has changed since it was found is shown again', { tag: '@R1.3' }, async ({ lab }) => {
  const ran: unknown[] = []
  const { agent } = await lab.start([{ calls: [find()] }, { text: 'Found' }, { calls: [use('a')] }, { text: 'Hm' }], {
    tools: manyTools(120, ran),
  })
  await agent.send('Look')
  agent.registerTool({ ...manyTools(1, ran)[0]!, description: 'Creates an invoice and sends it.' }, { replace: true })
  await agent.send('Bill')
  expect(calls(agent)[1]?.result?.error?.message).toContain('Creates an invoice and sends it.')
  expect(ran).toEqual([])
})

test('a found tool that the model calls directly runs, and later requests say use_tool', async ({ lab }) => {
  const ran: unknown[] = []
  const direct = { id: 'd', name: 'create_invoice', arguments: { amount: 4 } }
  const { agent, endpoint } = await lab.start([{ calls: [find()] }, { calls: [direct] }, { text: 'Done' }], {
    tools: manyTools(120, ran),
  })
  await agent.send('Bill')
  expect(ran).toEqual([{ amount: 4 }])
  expect(JSON.stringify(messagesOf(endpoint.requests[2]))).toContain(
    String.raw`"name":"use_tool","arguments":"{\"name\":\"create_invoice\",\"input\":{\"amount\":4}}"`,
  )
})

test(
  'a name that is in no catalogue, and one outside of activeTools, is unknown',
  { tag: '@R1.3' },
  async ({ lab }) => {
    const { agent } = await lab.start(
      [{ calls: [find(), use('a', {}, 'nothing'), use('b', {}, 'record_1')] }, { text: 'No' }],
      {
        tools: manyTools(120),
        toolSearch: true,
      },
    )
    await agent.send('Bill', { activeTools: ['create_invoice'] })
    const [found, ...others] = calls(agent)
    expect(found?.result?.output).toMatchObject({ found: [{ name: 'create_invoice' }] })
    expect(others.map(({ result }) => result?.error?.message)).toEqual([
      "There is no tool 'nothing'. Search for one with find_tools.",
      "There is no tool 'record_1'. Search for one with find_tools.",
    ])
  },
)

test('checks the input, asks by the own name, and counts the limits of the inner tool', async ({ lab }) => {
  const ran: unknown[] = []
  const asked: string[] = []
  const [invoice] = manyTools(1, ran)
  const tools = [...manyTools(120).slice(0, -1), { ...invoice!, annotations: { consequentialHint: true } }]
  const wrong = [use('a', { amount: 'many' }), use('b', 'no JSON'), use('c', '{"amount":5}'), use('d')]
  const { agent, endpoint } = await lab.start([{ calls: [find()] }, { calls: wrong }, { text: 'Done' }], {
    tools,
    limits: { callsPerTool: 3 },
    hooks: { beforeTool: ({ name }) => void asked.push(name) },
  })
  agent.subscribe((event) => {
    if (event.type !== 'approval-request') return
    expect(event.approval.title).toBe('Create invoice')
    void agent.approve(event.callId)
  })
  await agent.send('Bill')
  expect(resultsOf(endpoint.requests[2]).slice(1)).toEqual([
    expect.stringContaining('Error (invalid-input)'),
    expect.stringContaining('Tool call JSON parse failed'),
    expect.stringContaining('Invoice 7'),
    expect.stringContaining("at most 3 calls of 'create_invoice' per turn"),
  ])
  expect(ran).toEqual([{ amount: 5 }])
  expect(asked).toEqual(['find_tools', 'create_invoice'])
})

test('the same inner call five times in a row ends the turn', async ({ lab }) => {
  const { agent } = await lab.start(
    [{ calls: [find()] }, ...['a', 'b', 'c', 'd', 'e'].map((id) => ({ calls: [use(id)] }))],
    { tools: manyTools(120) },
  )
  expect((await agent.send('Bill')).reason).toBe('repeated-calls')
})

test('decides with the first request, and keeps that over a reload', async ({ lab }) => {
  const store = memoryStore()
  const options = { store, sessionId: 'one', todo: false as const }
  const first = await lab.start([{ calls: [find()] }, { text: 'Found' }], { ...options, tools: manyTools(120) })
  await first.agent.send('Look')
  await first.agent.close()
  const ran: unknown[] = []
  const second = await lab.start([{ calls: [use()] }, { text: 'Done' }], { ...options, tools: manyTools(3, ran) })
  await second.agent.send('Bill')
  expect(toolNames(second.endpoint.requests[0])).toEqual(['find_tools', 'use_tool'])
  expect(ran).toEqual([{ amount: 3 }])
})

test('a conversation that began without a search has none later', async ({ lab }) => {
  const { agent, endpoint } = await lab.start([{ text: 'Hi' }, { text: 'Hi' }], { tools: manyTools(2), todo: false })
  await agent.send('Hello')
  agent.registerTool(manyTools(150).slice(1, -1))
  await agent.send('Hello')
  expect(endpoint.requests.map((request) => toolNames(request)?.length)).toEqual([2, 150])
})

test('auto searches above 100 tools or 40,000 characters; true and false decide', async ({ lab }) => {
  const searches = async (tools: readonly AnyTool[], toolSearch?: 'auto' | boolean) => {
    const options = toolSearch === undefined ? {} : { toolSearch }
    const { agent, endpoint } = await lab.start([{ text: 'Hi' }], { tools, ...options })
    await agent.send('Hello')
    return toolNames(endpoint.requests[0])?.includes('find_tools')
  }
  const long = manyTools(30).map((tool) => ({ ...tool, description: 'It returns a record. '.repeat(70) }))
  expect(await searches(manyTools(100))).toBe(false)
  expect(await searches(manyTools(101))).toBe(true)
  expect(await searches(long)).toBe(true)
  expect(await searches(long, false)).toBe(false)
  expect(await searches(manyTools(2), true)).toBe(true)
  expect(await searches(manyTools(101).map((tool) => ({ ...tool, alwaysOffered: true })))).toBe(false)
})

test('fences what others have written about their tools', async ({ lab }) => {
  const foreign = manyTools(2).map((tool) => ({ ...tool, [internals]: { isDiscovered: true as const } }))
  const { agent } = await lab.start(
    [{ calls: [find('a')] }, { text: 'None' }, { calls: [find('b')] }, { calls: [use()] }, { text: 'Found' }],
    { tools: manyTools(121).slice(1, -1) },
  )
  await agent.send('Look')
  agent.registerToolProvider(() => foreign)
  const asked: boolean[] = []
  agent.subscribe((event) => {
    if (event.type === 'approval-request') void agent.approve(event.callId)
    if (event.type === 'approval-request') asked.push(true)
  })
  await agent.send('Look again')
  const [own, others] = calls(agent).map(({ result }) => result)
  expect([own?.untrusted, own?.foreign]).toEqual([undefined, undefined])
  expect([others?.untrusted, others?.foreign]).toEqual([true, true])
  expect(others?.modelOutput).toMatch(/^<untrusted-.*create_invoice/s)
  // As the first use of each tool of others.
  expect(asked).toEqual([true])
})

test('reads from text what a model without tool calls writes', async ({ lab }) => {
  const ran: unknown[] = []
  const written = (name: string, args: unknown) => ({
    text: `[TOOL_CALL]${JSON.stringify({ name, args })}[/TOOL_CALL]`,
  })
  const { agent, endpoint } = await lab.start(
    [
      written('find_tools', { query: 'create invoice' }),
      written('use_tool', { name: 'create_invoice', input: { amount: 6 } }),
      { text: 'Done' },
    ],
    { tools: manyTools(120, ran), textProtocol: true },
  )
  await agent.send('Bill')
  expect(ran).toEqual([{ amount: 6 }])
  expect(JSON.stringify(messagesOf(endpoint.requests[2]))).toContain('use_tool')
})

test('an agent in a call searches its own tools', async ({ lab }) => {
  const ran: unknown[] = []
  const clerk = agentTool({
    name: 'clerk',
    description: 'Does the books',
    instructions: 'Book',
    tools: manyTools(120, ran),
  })
  const task = { id: 't', name: 'clerk', arguments: { task: 'Bill' } }
  const { agent, endpoint } = await lab.start(
    [{ calls: [task] }, { calls: [find()] }, { calls: [use()] }, { text: 'Billed' }, { text: 'Done' }],
    { tools: [clerk], todo: false },
  )
  await agent.send('Bill')
  expect(endpoint.requests.map(toolNames)).toEqual([
    ['clerk'],
    ['find_tools', 'use_tool'],
    ['find_tools', 'use_tool'],
    ['find_tools', 'use_tool'],
    ['clerk'],
  ])
  expect(ran).toEqual([{ amount: 3 }])
})

test('a question about a found tool is asked again after a reload', async ({ lab }) => {
  const ran: unknown[] = []
  const store = memoryStore()
  const tools = manyTools(120, ran).map((tool) => ({ ...tool, needsApproval: tool.name === 'create_invoice' }))
  const options = { store, sessionId: 'one', tools }
  const first = await lab.start([{ calls: [find()] }, { calls: [use()] }, { text: 'Done' }], options)
  void first.agent.send('Bill')
  await until(first.agent, () => first.agent.status === 'awaiting-approval')
  first.kill()
  const next = await lab.start([{ text: 'Done' }], { ...options, endpointServer: first.endpoint })
  await next.agent.connect()
  await until(next.agent, () => next.agent.status === 'awaiting-approval')
  await next.agent.approve('u')
  await until(next.agent, () => next.agent.status === 'idle')
  expect(ran).toEqual([{ amount: 3 }])
})
