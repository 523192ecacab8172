// An agent as a tool of another: the same loop inside a call, with instructions, tools and limits of its own.
import { toolCallsOf, allToolCalls, textOf } from '../../../../src/core/data/message.js'
import type { JsonObject } from '../../../../src/core/data/json.js'
import type { AgentEvent } from '../../../../src/core/data/event.js'
import type { ModelPart, ModelRequest } from '../../../../src/core/data/model.js'
import { memoryStore } from '../../../../src/host/store/memory-store.js'
import { agentTool } from '../../../../src/page/tools/agent-tool.js'
import type { Step } from '../../../../src/page/stepped/stepped-turn.js'
import type { ToolRun } from '../../../../src/page/tools/tool.js'
import type { Reply } from '../../../support/lab/endpoint.js'
import { deferred, expect, test, until } from '../../../support/lab/lab.js'
import { messagesOf, resultsOf, toolNames } from '../../../support/lab/requests.js'

const call = (id: string, name: string, args: JsonObject | string = {}) => ({ id, name, arguments: args })
const query = { type: 'object', properties: { query: { type: 'string' } } } as const
const systemOf = (body: JsonObject): string => String((body['messages'] as JsonObject[])[0]?.['content'])
const lastRole = (body: JsonObject): unknown => (body['messages'] as JsonObject[]).at(-1)?.['role']

/** Two scripts beside each other: the researcher's, known by its instructions, and the outer agent's. */
function byAgent(outer: Reply[], inner: Reply[]): (body: JsonObject) => Reply {
  return (body) => {
    const reply = (systemOf(body).includes('You research') ? inner : outer).shift()
    if (reply === undefined) throw new Error('A call that no script expects')
    return reply
  }
}

const researcher = (
  tools: Parameters<typeof agentTool>[0]['tools'],
  more: Partial<Parameters<typeof agentTool>[0]> = {},
) =>
  agentTool({
    name: 'research',
    description: 'Finds out about products and says what is known',
    instructions: 'You research products.',
    ...(tools ? { tools } : {}),
    ...more,
  })

test(
  'an agent as a tool has its own instructions, tools and steps, and its answer is the result',
  { tag: '@R5.6' },
  async ({ lab }) => {
    const { agent, endpoint, events } = await lab.start(
      byAgent(
        [{ text: 'I ask.', calls: [call('a', 'research', { task: 'Which teas are green?' })] }, { text: 'Sencha is.' }],
        [
          { calls: [call('x', 'find', { query: 'green' }), call('y', 'find', { query: 'tea' })] },
          { text: 'Only sencha.' },
        ],
      ),
      { instructions: 'You are a shop.', toolContext: { shop: 's1' } },
    )
    const runs: string[] = []
    const find = {
      name: 'find',
      description: 'Finds a product',
      inputSchema: query,
      execute: (input: { query: string }, run: ToolRun) => {
        runs.push(`${input.query} ${run.sessionId === agent.session?.id} ${run.toolContext['shop']}`)
        return input.query
      },
    }
    agent.registerTool([
      researcher([find]),
      { name: 'other', description: 'Is not for the researcher', execute: () => 1 },
    ])
    expect(await agent.send('Green tea?')).toMatchObject({
      text: 'Sencha is.',
      steps: 2,
      toolExecutions: [{ call: { name: 'research' }, output: 'Only sencha.', attempts: 1 }],
    })
    const [outer, first, second, last] = endpoint.requests
    expect(toolNames(outer)).toEqual(['todo_write', 'todo_read', 'research', 'other'])
    expect(toolNames(first)).toEqual(['find'])
    expect(systemOf(first!.body!)).toContain('You research products.')
    expect(systemOf(first!.body!)).not.toContain('You are a shop.')
    expect(messagesOf(first).slice(1)).toEqual([{ role: 'user', content: 'Which teas are green?' }])
    expect(resultsOf(second)).toEqual(['green', 'tea'])
    expect(resultsOf(last)).toEqual(['Only sencha.'])
    expect(runs).toEqual(['green true s1', 'tea true s1'])
    // Its messages are inside the call, and its events carry their path.
    const [part] = toolCallsOf(agent.messages[1])
    expect(part?.child?.messages.map((message) => [message.role, textOf(message)])).toEqual([
      ['user', 'Which teas are green?'],
      ['assistant', ''],
      ['assistant', 'Only sencha.'],
    ])
    expect(part?.child?.draft).toBeUndefined()
    expect(agent.messages).toHaveLength(3)
    expect(events.filter((event) => event.type === 'turn-end')).toHaveLength(2)
  },
)

test('its calls are on disk before they run, and its events carry the path', { tag: '@R5.6' }, async ({ lab }) => {
  const bench = await lab.start(
    byAgent(
      [{ calls: [call('a', 'research', { task: 'x' })] }, { text: 'ok' }],
      [{ calls: [call('x', 'find')] }, { text: 'done' }],
    ),
  )
  const paths: string[] = []
  let stored: unknown
  bench.agent.subscribe((event, path) => {
    if (path.length > 0) paths.push(`${path.join()} ${event.type}`)
  })
  bench.agent.registerTool(
    researcher([
      {
        name: 'find',
        description: 'Finds',
        execute: async () => {
          stored = await bench.stored()
        },
      },
    ]),
  )
  await bench.agent.send('Go')
  expect(
    allToolCalls((stored as { messages: never[] }).messages).map(({ part, path }) => [
      part.call.id,
      path,
      part.started !== undefined,
    ]),
  ).toEqual([
    ['x', ['a'], true],
    ['a', [], true],
  ])
  expect(paths.filter((one) => !one.includes('delta') && !one.includes('input'))).toEqual([
    'a turn-start',
    'a step-start',
    'a step-end',
    'a tool-start',
    'a tool-result',
    'a step-start',
    'a step-end',
    'a turn-end',
  ])
})

test('it can be given the user’s words as they are, and what was said before', { tag: '@R5.6' }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start(
    byAgent(
      [
        { text: 'Hello.' },
        { text: 'Let me see.', calls: [call('a', 'research')] },
        { text: 'ok' },
        { calls: [call('b', 'tell', { task: 'Say it' })] },
        { text: 'ok' },
      ],
      [{ text: 'one' }, { text: 'two' }],
    ),
  )
  agent.registerTool([
    researcher([], { input: 'user-message', history: 'text' }),
    researcher([], { name: 'tell', history: 'text' }),
  ])
  await agent.send('Hi!')
  await agent.send('Which tea?')
  await agent.send('And now?')
  const inner = endpoint.requests.filter(({ body }) => systemOf(body!).includes('You research'))
  expect(messagesOf(inner[0]).slice(1)).toEqual([
    { role: 'user', content: 'Hi!' },
    { role: 'assistant', content: 'Hello.' },
    { role: 'user', content: 'Which tea?' },
  ])
  expect(toolNames(inner[0])).toBeUndefined()
  expect(
    messagesOf(inner[1])
      .slice(1)
      .map(({ role, content }) => [role, content]),
  ).toEqual([
    ['user', 'Hi!'],
    ['assistant', 'Hello.'],
    ['user', 'Which tea?'],
    ['assistant', 'Let me see.ok'],
    ['user', 'And now?'],
    ['user', 'Say it'],
  ])
})

test(
  'stop reaches the agent’s fetch and its tools at once, and everything inside is settled',
  { tag: '@R5.6' },
  async ({ lab }) => {
    const { agent, endpoint } = await lab.start(
      byAgent([{ calls: [call('a', 'research', { task: 'x' })] }, { text: 'later' }], [{ calls: [call('x', 'slow')] }]),
    )
    const began = deferred()
    const aborted = deferred()
    agent.registerTool(
      researcher([
        {
          name: 'slow',
          description: 'Takes its time',
          execute: (_: unknown, { signal }: ToolRun) =>
            new Promise(() => {
              signal.addEventListener('abort', () => aborted.resolve())
              began.resolve()
            }),
        },
      ]),
    )
    const sent = agent.send('Go')
    await began.promise
    agent.stop()
    expect(await sent).toMatchObject({ reason: 'stopped' })
    await aborted.promise
    expect(allToolCalls(agent.messages).map(({ part }) => part.result?.error?.code)).toEqual(['cancelled', 'cancelled'])
    expect(await agent.send('Again')).toMatchObject({ text: 'later' })
    expect(endpoint.requests).toHaveLength(3)
  },
)

test('a stop while its model streams ends that request', { tag: '@R5.6' }, async ({ lab }) => {
  const hold = deferred()
  const { agent, endpoint } = await lab.start(
    byAgent([{ calls: [call('a', 'research', { task: 'x' })] }], [{ text: ['so ', 'far'], hold: hold.promise }]),
  )
  agent.registerTool(researcher([]))
  const sent = agent.send('Go')
  await until(agent, () => allToolCalls(agent.messages)[0]?.part.child?.draft?.parts[0] !== undefined)
  agent.stop()
  expect(await sent).toMatchObject({ reason: 'stopped' })
  await endpoint.requests[1]?.gone
  expect(textOf(toolCallsOf(agent.messages[1])[0]?.child?.messages.at(-1))).toBe('so ')
  hold.resolve()
})

test(
  'its tools ask like any other, the answer counts inside, and an allowance holds for the session',
  { tag: '@R5.6' },
  async ({ lab }) => {
    const { agent, endpoint } = await lab.start(
      byAgent(
        [{ calls: [call('a', 'research', { task: 'x' })] }, { text: 'ok' }],
        [
          { calls: [call('x', 'pay', { amount: 3 }), call('y', 'pay', { amount: 4 })] },
          { calls: [call('z', 'pay', { amount: 5 })] },
          { text: 'paid' },
        ],
      ),
    )
    const paid: number[] = []
    agent.registerTool(
      researcher([
        {
          name: 'pay',
          description: 'Pays a bill',
          annotations: { consequentialHint: true },
          inputSchema: { type: 'object', properties: { amount: { type: 'number' } } },
          execute: ({ amount }: { amount: number }) => {
            paid.push(amount)
          },
        },
      ]),
    )
    const sent = agent.send('Go')
    await until(agent, () => allToolCalls(agent.messages).filter(({ part }) => part.approval).length === 2)
    expect(agent.status).toBe('awaiting-approval')
    expect(await agent.sessions.list()).toHaveLength(1)
    await agent.deny('x', { reason: 'too much' })
    await agent.approve('y', { remember: 'session', input: { amount: 1 } })
    expect(await sent).toMatchObject({ text: 'ok' })
    expect(paid).toEqual([1, 5])
    expect(agent.session?.grants).toMatchObject([{ tool: 'pay' }])
    expect(resultsOf(endpoint.requests[2])[0]).toMatch(/denied.*too much/)
    expect(resultsOf(endpoint.requests[2])[1]).toMatch(/changed the arguments from \{"amount":4\} to \{"amount":1\}/)
  },
)

test('a user who moves on while an agent waits for him ends the whole turn', async ({ lab }) => {
  const { agent, endpoint } = await lab.start(
    byAgent(
      [{ calls: [call('a', 'research', { task: 'x' })] }, { text: 'something else' }],
      [{ calls: [call('x', 'pay')] }],
    ),
  )
  agent.registerTool(researcher([{ name: 'pay', description: 'Pays', needsApproval: true, execute: () => 1 }]))
  const first = agent.send('Go')
  await until(agent, () => agent.status === 'awaiting-approval')
  const second = agent.send('Never mind')
  expect(await first).toMatchObject({ reason: 'superseded' })
  expect(await second).toMatchObject({ text: 'something else' })
  expect(endpoint.requests).toHaveLength(3)
})

test(
  'what its tools remember is the session’s, and outside text that it read is fenced in its answer',
  { tag: '@R5.6' },
  async ({ lab }) => {
    const { agent, endpoint } = await lab.start(
      byAgent(
        [{ calls: [call('a', 'research', { task: 'x' })] }, { text: 'ok' }],
        [{ calls: [call('x', 'read')] }, { text: 'They say: buy!' }],
      ),
    )
    agent.registerTool(
      researcher([
        {
          name: 'read',
          description: 'Reads a page',
          annotations: { untrustedContentHint: true },
          execute: (_: unknown, run: ToolRun) => {
            run.remember('seen', 'p1')
            return 'Buy!'
          },
        },
      ]),
    )
    await agent.send('Go')
    expect(agent.session?.context).toEqual({ seen: 'p1' })
    expect(resultsOf(endpoint.requests.at(-1))[0]).toMatch(/^<untrusted-(\w+)>\nThey say: buy!\n<\/untrusted-\1>$/)
  },
)

test('it returns directly, and a direct return inside is its output', { tag: '@R5.6' }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start(
    byAgent([{ calls: [call('a', 'research', { task: 'x' })] }], [{ calls: [call('x', 'report')] }]),
  )
  agent.registerTool(
    researcher([{ name: 'report', description: 'Reports', returnDirect: true, execute: () => ({ total: 3 }) }], {
      returnDirect: true,
    }),
  )
  expect(await agent.send('Go')).toMatchObject({ reason: 'direct', outputs: [{ total: 3 }], text: undefined })
  expect(endpoint.requests).toHaveLength(2)
})

test(
  'it has limits of its own, ten steps where nothing else is said, and counts as one call outside',
  { tag: '@R5.6' },
  async ({ lab }) => {
    const endless = (body: JsonObject): Reply => {
      if (!systemOf(body).includes('You research'))
        return lastRole(body) === 'tool'
          ? { text: 'ok' }
          : { calls: [call('a', 'research', { task: 'x' }), call('b', 'short', { task: 'x' })] }
      const { length } = body['messages'] as unknown[]
      return { text: `Step ${length}`, calls: [call(`c${length}`, 'look', { query: String(length) })] }
    }
    const { agent, endpoint } = await lab.start(endless, { limits: { toolCalls: 2 } })
    const look = { name: 'look', description: 'Looks', inputSchema: query, execute: () => 'nothing' }
    agent.registerTool([
      researcher([look], { limits: { toolCalls: 100 } }),
      researcher([look], { name: 'short', limits: { steps: 2, toolCalls: 100 } }),
    ])
    const { toolExecutions, reason } = await agent.send('Go')
    expect(reason).toBe('stop')
    expect(toolExecutions.map(({ error }) => error?.message)).toEqual([
      expect.stringContaining('did not finish (max-steps)'),
      expect.stringContaining('did not finish (max-steps)'),
    ])
    const [ten, two] = toolCallsOf(agent.messages[1]).map(
      (part) => part.child?.messages.filter((message) => message.role === 'assistant').length,
    )
    expect([ten, two]).toEqual([10, 2])
    expect(endpoint.requests).toHaveLength(14)
  },
)

test('an agent may call an agent, but that one no third', { tag: '@R5.6' }, async ({ lab }) => {
  const names: unknown[] = []
  const { agent } = await lab.start((body) => {
    const tools =
      (body['tools'] as { function: { name: string } }[] | undefined)?.map((tool) => tool.function.name) ?? []
    names.push(tools)
    if (lastRole(body) === 'tool') return { text: 'done' }
    const next = ['outer', 'middle', 'deep', 'fourth'].find((name) => tools.includes(name))
    return next ? { calls: [call('same', next, { task: next })] } : { text: 'the end' }
  })
  const make = (name: string, tools: Parameters<typeof agentTool>[0]['tools']) =>
    agentTool({ name, description: 'An agent inside an agent', instructions: `You are ${name}.`, tools: tools ?? [] })
  agent.registerTool(
    make('outer', [
      make('middle', [make('deep', []), { name: 'plain', description: 'Is no agent', execute: () => 1 }]),
    ]),
  )
  await agent.send('Go')
  expect(names).toEqual([
    ['todo_write', 'todo_read', 'outer'],
    ['middle'],
    ['plain'],
    ['middle'],
    ['todo_write', 'todo_read', 'outer'],
  ])
  // The same id from every model is three ids in the session.
  const ids = allToolCalls(agent.messages).map(({ part }) => part.call.id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('its failures go to the model that called it; a handler that throws ends the turn around it', async ({ lab }) => {
  const script = () =>
    byAgent(
      [{ calls: [call('a', 'research', { task: 'x' })] }, { text: 'I could not ask.' }],
      [{ status: 400, body: { error: { message: 'No such model' } } }],
    )
  const { agent, endpoint } = await lab.start(script())
  agent.registerTool(researcher([], { model: 'small' }))
  expect(await agent.send('Go')).toMatchObject({ text: 'I could not ask.' })
  expect(endpoint.requests.map(({ body }) => body?.['model'])).toEqual(['test-model', 'small', 'test-model'])
  expect(resultsOf(endpoint.requests[2])[0]).toMatch(/did not finish \(.*No such model/)
  const cause = new Error('enough')
  const strict = await lab.start(
    byAgent([{ calls: [call('a', 'research', { task: 'x' })] }], [{ calls: [call('x', 'fail')] }]),
    {
      onToolError: () => {
        throw cause
      },
    },
  )
  strict.agent.registerTool(
    researcher([
      {
        name: 'fail',
        description: 'Fails',
        execute: () => {
          throw new Error('broken')
        },
      },
    ]),
  )
  await expect(strict.agent.send('Go')).rejects.toMatchObject({ message: 'enough', cause })
  expect(strict.endpoint.requests).toHaveLength(2)
})

test(
  'after a crash it is never run again, and what it had open is settled inside',
  { tag: '@R5.6' },
  async ({ lab }) => {
    const first = await lab.start(
      byAgent([{ calls: [call('a', 'research', { task: 'x' })] }, { text: 'on' }], [{ calls: [call('x', 'slow')] }]),
      { sessionId: 'agent-crash' },
    )
    const began = deferred()
    let runs = 0
    const tool = researcher(
      [
        {
          name: 'slow',
          description: 'Reads for long',
          annotations: { readOnlyHint: true },
          execute: () => {
            runs++
            began.resolve()
            return new Promise(() => undefined)
          },
        },
      ],
      { annotations: { readOnlyHint: true } },
    )
    first.agent.registerTool(tool)
    void first.agent.send('Go')
    await began.promise
    first.kill()
    const second = await lab.start([], { store: first.store, sessionId: 'agent-crash', endpointServer: first.endpoint })
    second.agent.registerTool(tool)
    await second.agent.connect()
    await until(second.agent, () => second.agent.status === 'idle')
    expect(allToolCalls(second.agent.messages).map(({ part }) => [part.call.id, part.result?.error?.code])).toEqual([
      ['x', 'interrupted'],
      ['a', 'interrupted'],
    ])
    expect(toolCallsOf(second.agent.messages[1])[0]?.result?.error?.message).toMatch(/may still have happened/)
    expect(runs).toBe(1)
  },
)

test('the hooks and the cancelable event see the agent’s call and its own calls', async ({ lab }) => {
  const seen: string[] = []
  const { agent, endpoint } = await lab.start(
    byAgent(
      [{ calls: [call('a', 'research', { task: 'x' })] }, { text: 'ok' }],
      [{ calls: [call('x', 'find')] }, { text: 'done' }],
    ),
    {
      hooks: {
        beforeTool: ({ name }) => {
          seen.push(`before ${name}`)
        },
        afterTool: ({ name }, output) => {
          seen.push(`after ${name}`)
          return name === 'research' ? `${String(output)}!` : undefined
        },
        beforeModel: ({ tools }) => {
          seen.push(`model ${tools.length}`)
        },
      },
    },
  )
  agent.registerTool(researcher([{ name: 'find', description: 'Finds', execute: () => 1 }]))
  await agent.send('Go')
  expect(seen).toEqual([
    'model 3',
    'before research',
    'model 1',
    'before find',
    'after find',
    'model 1',
    'after research',
    'model 3',
  ])
  expect(resultsOf(endpoint.requests.at(-1))).toEqual(['done!'])
})

test('usage counts what the agent cost; the reminder does not count its rounds', async ({ lab }) => {
  const usage = { prompt_tokens: 10, completion_tokens: 1 }
  const { agent, endpoint } = await lab.start(
    byAgent(
      [
        { calls: [call('t', 'todo_write', { items: [{ text: 'Ask' }] })], usage },
        { calls: [call('a', 'research', { task: 'x' })], usage },
        { text: 'ok', usage },
      ],
      [...['1', '2', '3'].map((id) => ({ calls: [call(id, 'find', { query: id })], usage })), { text: 'done', usage }],
    ),
  )
  agent.registerTool(researcher([{ name: 'find', description: 'Finds', inputSchema: query, execute: () => 1 }]))
  expect((await agent.send('Go')).usage).toEqual({ inputTokens: 70, outputTokens: 7, totalTokens: 77 })
  expect(agent.usage).toEqual({ inputTokens: 70, outputTokens: 7, totalTokens: 77 })
  expect(endpoint.requests.map(({ raw }) => raw.includes('<reminder>'))).toEqual(Array.from({ length: 7 }, () => false))
})

test('what agentTool cannot use throws where it is made or registered', async ({ lab }) => {
  const { agent } = await lab.start([])
  const base = { name: 'research', description: 'Finds out about products', instructions: 'You research.' }
  expect(() => agentTool({ ...base, instructions: ' ' })).toThrow(/instructions: expected a text.*received " "/)
  expect(() => agentTool({ ...base, input: 'text' as never })).toThrow(
    /input: expected 'model' or 'user-message', received "text"/,
  )
  expect(() => agentTool({ ...base, limits: { step: 3 } as never })).toThrow(/limits.step: there is no such limit/)
  expect(() => agentTool({ ...base, execute: () => 1 } as never)).toThrow(/execute: there is no such option/)
  expect(() => agentTool({ ...base, limits: null as never })).toThrow(
    expect.objectContaining({
      code: 'invalid-tool',
      message: 'Tool "research": limits: expected an object, received null',
    }),
  )
  for (const tools of [null, {}, 'find'])
    expect(() => agentTool({ ...base, tools: tools as never })).toThrow(/tools: expected an array of tools, received/)
  const one = { name: 'one', description: 'One of two with the same name', execute: () => 1 }
  expect(() => agent.registerTool(agentTool({ ...base, tools: [one, one] }))).toThrow(/two tools called "one"/)
  expect(() => agent.registerTool(agentTool({ ...base, tools: [{ ...one, name: 'todo_write' }] }))).toThrow(/built-in/)
  await expect(agent.callTool('research')).rejects.toMatchObject({ code: 'unknown-tool' })
})

const isAgentEvent = (event: AgentEvent): boolean => event.type === 'tool-start'
test('two agents run beside each other, each with its own offer', async ({ lab }) => {
  const { agent, events } = await lab.start((body) => {
    if (lastRole(body) === 'tool') return { text: 'done' }
    const system = systemOf(body)
    if (system.includes('You are one')) return { calls: [call('c', 'only_one')] }
    if (system.includes('You are two')) return { calls: [call('c', 'only_two'), call('d', 'only_one')] }
    return { calls: [call('a', 'one', { task: 'x' }), call('b', 'two', { task: 'y' })] }
  })
  const make = (name: string) =>
    agentTool({
      name,
      description: 'One of two agents at work',
      instructions: `You are ${name}.`,
      tools: [{ name: `only_${name}`, description: 'Belongs to one agent alone', execute: () => name }],
    })
  agent.registerTool([make('one'), make('two')])
  await agent.send('Go')
  expect(
    allToolCalls(agent.messages).map(({ part, path }) => [
      path.join(),
      part.call.name,
      part.result?.error?.code ?? part.result?.output,
    ]),
  ).toEqual([
    ['a', 'only_one', 'one'],
    ['', 'one', 'done'],
    ['b', 'only_two', 'two'],
    ['b', 'only_one', 'unknown-tool'],
    ['', 'two', 'done'],
  ])
  expect(events.filter(isAgentEvent)).toHaveLength(4)
})

test(
  'two agents whose models give the same call id at the same time have two calls',
  { tag: '@R5.6' },
  async ({ lab }) => {
    const [asked, go, ended, stored] = [deferred(), deferred(), deferred(), deferred()]
    let [waiting, over] = [0, 0]
    async function* stream({ system, messages }: ModelRequest): AsyncGenerator<ModelPart> {
      const name = /You are (one|two)/.exec(system)?.[1]
      if (messages.at(-1)?.role === 'tool') {
        yield { type: 'text-delta', id: 't', delta: 'done' }
        yield { type: 'finish', finishReason: { unified: 'stop' } }
        return
      }
      if (name === undefined)
        for (const tool of ['one', 'two'])
          yield { type: 'tool-call', toolCallId: tool, toolName: tool, input: '{"task":"x"}' }
      else yield { type: 'tool-call', toolCallId: 'call_0', toolName: `only_${name}`, input: '{}' }
      if (name !== undefined && ++waiting === 2) asked.resolve()
      if (name !== undefined) await go.promise
      yield { type: 'finish', finishReason: { unified: 'tool-calls' } }
      if (name !== undefined && ++over === 2) ended.resolve()
    }
    const inner = memoryStore()
    const commit = async (...args: Parameters<typeof inner.commit>) => {
      if (waiting === 2) await stored.promise
      return inner.commit(...args)
    }
    const { agent } = await lab.start([], { modelAdapter: { stream }, store: { ...inner, commit } })
    const make = (name: string) =>
      agentTool({
        name,
        description: 'One of two agents at work',
        instructions: `You are ${name}.`,
        tools: [{ name: `only_${name}`, description: 'Belongs to one agent alone', execute: () => name }],
      })
    agent.registerTool([make('one'), make('two')])
    const sent = agent.send('Go')
    await asked.promise
    go.resolve()
    await ended.promise
    await agent.sessions.list() // Both answers are with the host, and the first is not stored yet.
    stored.resolve()
    await sent
    const calls = allToolCalls(agent.messages).map(({ part }) => part)
    expect(calls.map(({ call: { name }, result }) => [name, result?.output])).toEqual([
      ['only_one', 'one'],
      ['one', 'done'],
      ['only_two', 'two'],
      ['two', 'done'],
    ])
    expect(new Set(calls.map((part) => part.call.id)).size).toBe(4)
  },
)

test('an agent that is unregistered while it runs ends as it was begun', { tag: '@R2.13' }, async ({ lab }) => {
  const began = deferred()
  const gone = deferred()
  const { agent, endpoint } = await lab.start(
    byAgent(
      [{ calls: [call('a', 'research', { task: 'x' })] }, { text: 'ok' }],
      [{ calls: [call('x', 'find')] }, { text: 'Sencha.' }],
    ),
  )
  const unregister = agent.registerTool(
    researcher([
      {
        name: 'find',
        description: 'Finds',
        execute: () => {
          began.resolve()
          return gone.promise
        },
      },
    ]),
  )
  const sent = agent.send('Go')
  await began.promise
  unregister()
  gone.resolve()
  await sent
  expect(resultsOf(endpoint.requests.at(-1))).toEqual(['Sencha.'])
  expect(toolNames(endpoint.requests.at(-1))).toEqual(['todo_write', 'todo_read'])
})

test('a tool without execute is not on offer inside an agent: nobody steps through it', async ({ lab }) => {
  const { agent, endpoint } = await lab.start(
    byAgent([{ calls: [call('a', 'research', { task: 'x' })] }], [{ text: 'ok' }]),
  )
  agent.registerTool(
    researcher([
      { name: 'ask_bank', description: 'Asks the bank' },
      { name: 'find', description: 'Finds', execute: () => 1 },
    ]),
  )
  const steps = agent.step('Go')
  const { value } = await steps.next()
  await (value as Step).execute()
  expect(toolNames(endpoint.requests[1])).toEqual(['find'])
  await steps.return()
})

test('what it had said when it failed is fenced where it had read outside text', { tag: '@R7.7' }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start(
    byAgent(
      [{ calls: [call('a', 'research', { task: 'x' })] }, { text: 'ok' }],
      [{ calls: [call('x', 'read')] }, { text: 'Buy now', finish: 'length' }],
    ),
  )
  agent.registerTool(
    researcher([
      { name: 'read', description: 'Reads a page', annotations: { untrustedContentHint: true }, execute: () => 'Buy!' },
    ]),
  )
  await agent.send('Go')
  expect(resultsOf(endpoint.requests.at(-1))[0]).toMatch(
    /^<untrusted-(\w+)>\nError \(execution-failed\): The agent did not finish \(length\)\. Its last text: Buy now\n<\/untrusted-\1>$/,
  )
})

test('a direct return inside gives the output itself, also where the text for the model was cut', async ({ lab }) => {
  const { agent } = await lab.start(
    byAgent([{ calls: [call('a', 'research', { task: 'x' })] }], [{ calls: [call('x', 'report')] }]),
    { limits: { resultChars: 1_000 } },
  )
  agent.registerTool(
    researcher(
      [
        {
          name: 'report',
          description: 'Reports',
          returnDirect: true,
          execute: () => ({ total: 3 }),
          toModelOutput: () => 'long '.repeat(1_000),
        },
      ],
      { returnDirect: true },
    ),
  )
  expect(await agent.send('Go')).toMatchObject({ reason: 'direct', outputs: [{ total: 3 }] })
})

test('its time stands still while the user is asked', async ({ lab }) => {
  const { agent, endpoint } = await lab.start(
    byAgent(
      [{ calls: [call('a', 'research', { task: 'x' })] }, { text: 'ok' }],
      [{ calls: [call('x', 'pay')] }, { text: 'Paid.' }],
    ),
  )
  agent.registerTool(
    researcher([{ name: 'pay', description: 'Pays a bill', needsApproval: true, execute: () => 'paid' }], {
      limits: { turn: 3_000 },
    }),
  )
  const sent = agent.send('Go')
  await until(agent, () => agent.status === 'awaiting-approval')
  // Another agent, which started later and waits for no approval, has reached the same limit meanwhile.
  const other = await lab.start(
    byAgent([{ calls: [call('a', 'research', { task: 'x' })] }, { text: 'ok' }], [{ calls: [call('x', 'slow')] }]),
  )
  other.agent.registerTool(
    researcher(
      [{ name: 'slow', description: 'Takes its time', timeout: 0, execute: () => new Promise(() => undefined) }],
      { limits: { turn: 3_000 } },
    ),
  )
  await other.agent.send('Go')
  expect(resultsOf(other.endpoint.requests.at(-1))[0]).toMatch(/did not finish \(max-time\)/)
  await agent.approve('x')
  await sent
  expect(resultsOf(endpoint.requests.at(-1))).toEqual(['Paid.'])
})

test('a page that is left while an agent speaks leaves no half sentence in its call', async ({ lab }) => {
  const hold = deferred()
  const handler = (body: JsonObject): Reply => {
    if (systemOf(body).includes('You are one')) return { text: ['I am', ' not done'], hold: hold.promise }
    if (systemOf(body).includes('You are two'))
      return lastRole(body) === 'tool' ? { text: 'done' } : { calls: [call('x', 'wait_for')] }
    return lastRole(body) === 'tool'
      ? { text: 'ok' }
      : { calls: [call('a', 'one', { task: 'x' }), call('b', 'two', { task: 'y' })] }
  }
  const go = deferred()
  const make = (name: string) =>
    agentTool({
      name,
      description: 'One of two agents at work',
      instructions: `You are ${name}.`,
      tools: [{ name: 'wait_for', description: 'Waits for the other', execute: () => go.promise }],
    })
  const first = await lab.start(handler, { sessionId: 'half' })
  first.agent.registerTool([make('one'), make('two')])
  void first.agent.send('Go')
  const child = (agent: typeof first.agent, at: number) => toolCallsOf(agent.messages[1])[at]?.child
  await until(
    first.agent,
    () =>
      child(first.agent, 0)?.draft?.parts[0] !== undefined &&
      allToolCalls(first.agent.messages)[1]?.part.started !== undefined,
  )
  go.resolve() // The next events of the other agent are stored, together with the text so far of this one.
  await until(first.agent, () => toolCallsOf(first.agent.messages[1])[1]?.result !== undefined)
  first.kill()
  const second = await lab.start([], { store: first.store, sessionId: 'half', endpointServer: first.endpoint })
  second.agent.registerTool([make('one'), make('two')])
  await second.agent.connect()
  expect(second.agent.messages).not.toEqual([])
  await until(second.agent, () => second.agent.status === 'idle')
  expect(toolCallsOf(second.agent.messages[1])[0]?.result).toMatchObject({ error: { code: 'interrupted' } })
  expect(child(second.agent, 0)).toBeDefined()
  expect(child(second.agent, 0)?.draft).toBeUndefined()
  hold.resolve()
})
