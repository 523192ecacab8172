// The tool context: three layers, for tools only. The offer: providers, tools of a send, tools that are registered and
// unregistered during a turn.
import { memoryStore } from '../../../../src/host/store/memory-store.js'
import { expect, test, until } from '../../../support/lab/lab.js'
import { resultsOf, toolNames } from '../../../support/lab/requests.js'
import { Agent } from '../../../../src/page/agent.js'
import type { ToolContext } from '../../../../src/core/data/tool.js'
import type { ToolRun } from '../../../../src/page/tools/tool.js'

const look = (seen: unknown[], more: object = {}) => ({
  name: 'look',
  description: 'Looks',
  annotations: { readOnlyHint: true },
  execute: (_: unknown, { toolContext }: ToolRun) => {
    seen.push(toolContext)
  },
  ...more,
})
const callLook = { calls: [{ name: 'look', arguments: {} }] }

test(
  'defaults, session and send make one context, later wins, and no value of it is in any byte of any request',
  { tag: ['@R3.1', '@R3.6'] },
  async ({ lab }) => {
    const seen: unknown[] = []
    const { agent, endpoint } = await lab.start([callLook, { text: 'ok' }, callLook, { text: 'ok' }], {
      toolContext: { a: 'secret-default', b: 'secret-default', c: 'secret-default' },
    })
    agent.registerTool(
      look(seen, {
        execute: (_: unknown, run: ToolRun) => {
          seen.push(run.toolContext)
          run.remember('b', 'secret-remembered')
          return 'done'
        },
      }),
    )
    await agent.send('Go', { toolContext: { c: 'secret-send' } })
    await agent.send('Again')
    expect(seen).toEqual([
      { a: 'secret-default', b: 'secret-default', c: 'secret-send' },
      { a: 'secret-default', b: 'secret-remembered', c: 'secret-default' },
    ])
    for (const request of endpoint.requests) {
      expect(request.raw).not.toContain('secret-')
      expect(JSON.stringify(request.headers)).not.toContain('secret-')
    }
  },
)

test(
  'what a tool remembers wins over the send layer of the same turn, and a failed call remembers nothing',
  { tag: '@R2.9' },
  async ({ lab }) => {
    const seen: unknown[] = []
    let runs = 0
    const { agent } = await lab.start([callLook, callLook, callLook, { text: 'ok' }])
    agent.registerTool(
      look(seen, {
        execute: (_: unknown, run: ToolRun) => {
          seen.push(run.toolContext)
          run.remember('k', `run-${++runs}`)
          if (runs === 2) throw new Error('failed')
        },
      }),
    )
    await agent.send('Go', { toolContext: { k: 'sent' } })
    expect(seen).toEqual([{ k: 'sent' }, { k: 'run-1' }, { k: 'run-1' }])
    expect(agent.session?.context).toEqual({ k: 'run-3' })
  },
)

test('tools get a frozen copy; the author keeps the object', { tag: '@R3.4' }, async ({ lab }) => {
  const mine = { cart: { items: [1] } }
  const { agent, endpoint } = await lab.start([callLook, { text: 'ok' }], { toolContext: mine })
  agent.registerTool(
    look([], {
      execute: (_: unknown, { toolContext }: ToolRun) => {
        ;(toolContext['cart'] as { items: number[] }).items.push(2)
      },
    }),
  )
  await agent.send('Go')
  expect(resultsOf(endpoint.requests[1])[0]).toMatch(/execution-failed/)
  mine.cart.items.push(3)
  expect(mine.cart.items).toEqual([1, 3])
})

test('a context that JSON cannot hold throws where it is set and names the key', { tag: '@R3.3' }, async ({ lab }) => {
  const { agent } = await lab.start([])
  expect(() => agent.configure({ ...agent.options, toolContext: { good: 1, bad: (() => 1) as never } })).toThrow(
    /toolContext\.bad/,
  )
  await expect(agent.send('Go', { toolContext: { size: 1n as never } })).rejects.toThrow(/size/)
  await expect(agent.send('Go', { toolContext: { seen: new Map() as never } })).rejects.toThrow(/seen.*Map/)
})

test(
  'a context schema passes only its keys, and a misfit names keys without values',
  { tag: '@R3.5' },
  async ({ lab }) => {
    const seen: unknown[] = []
    const contextSchema = { type: 'object', properties: { tenant: { type: 'number' } }, required: ['tenant'] }
    const { agent, endpoint } = await lab.start([callLook, { text: 'ok' }, callLook, { text: 'ok' }], {
      toolContext: { tenant: 7, other: 'private' },
    })
    const warnings: string[] = []
    const { warn } = console
    console.warn = (_prefix, message: string) => warnings.push(message)
    agent.registerTool(look(seen, { contextSchema }))
    await agent.send('Go')
    expect(seen).toEqual([{ tenant: 7 }])
    expect(warnings).toEqual([])
    await agent.send('Again', { toolContext: { tenant: { secret: 'value' } } })
    console.warn = warn
    expect(warnings).toEqual([expect.stringMatching(/^Tool "look": .* Wrong or missing: tenant\. .* toolContext/)])
    const text = resultsOf(endpoint.requests[3]).at(-1)
    expect(text).toMatch(/invalid-context.*tenant/)
    expect(text).not.toContain('value')
  },
)

test('a misfit of the context is named whatever the name of its key is', { tag: '@R3.5' }, async ({ lab }) => {
  const key = 'tenant.id "of the shop"'
  const contextSchema = { type: 'object', properties: { [key]: { type: 'number' } }, required: [key] }
  const { agent, endpoint } = await lab.start([callLook, { text: 'ok' }])
  agent.registerTool(look([], { contextSchema }))
  await agent.send('Go')
  expect(resultsOf(endpoint.requests[1]).at(-1)).toContain(`Wrong or missing: ${key}`)
})

test(
  'a provider is asked before every step; one that throws gives no tools for that step and is reported',
  { tag: ['@R1.1', '@R1.2'] },
  async ({ lab }) => {
    let asked = 0
    const { agent, endpoint } = await lab.start([{ calls: [{ name: 'p1', arguments: {} }] }, { text: 'ok' }])
    const errors: string[] = []
    agent.observe((notice) => {
      if (notice.type === 'error') errors.push(notice.error.message)
    })
    agent.registerToolProvider(({ message }) => [{ name: `p${++asked}`, description: message, execute: () => asked }])
    agent.registerToolProvider(() => {
      throw new Error('no tools today')
    })
    await agent.send('Tell me')
    expect(endpoint.requests.map(toolNames)).toEqual([
      ['todo_write', 'todo_read', 'p1'],
      ['todo_write', 'todo_read', 'p2'],
    ])
    expect(errors[0]).toContain('no tools today')
  },
)

test(
  'tools of a send win for its turn alone, or with activeTools are the only ones',
  { tag: '@R1.1' },
  async ({ lab }) => {
    const tool = (description: string) => ({ name: 'who', description, execute: () => description })
    const { agent, endpoint } = await lab.start([
      { calls: [{ name: 'who', arguments: {} }] },
      { text: 'ok' },
      { text: 'ok' },
      { text: 'ok' },
    ])
    agent.registerTool([
      tool('the agent tool'),
      { name: 'other', description: 'Another tool', execute: () => 'another' },
    ])
    await agent.send('1', { tools: [tool('the send tool')] })
    expect(resultsOf(endpoint.requests[1])).toEqual(['the send tool'])
    await agent.send('2', { tools: [tool('the send tool')], activeTools: ['who'] })
    await agent.send('3')
    expect(toolNames(endpoint.requests[2])).toEqual(['todo_write', 'todo_read', 'who'])
    expect(endpoint.requests[3]?.raw).toContain('the agent tool')
  },
)

test(
  'a tool registered while a turn runs is on offer at the next step; one taken away is unavailable',
  { tag: ['@C88', '@C89', '@R2.13'] },
  async ({ lab }) => {
    const { agent, endpoint } = await lab.start([
      {
        calls: [
          { name: 'first', arguments: {} },
          { name: 'gone', arguments: {} },
        ],
      },
      { text: 'ok' },
    ])
    const remove = agent.registerTool({ name: 'gone', description: 'Goes away', exclusive: true, execute: () => 'ran' })
    agent.registerTool({
      name: 'first',
      description: 'Changes the tools',
      execute: () => {
        remove()
        agent.registerTool({ name: 'later', description: 'Comes later', execute: () => 'ran' })
      },
    })
    await agent.send('Go')
    expect(resultsOf(endpoint.requests[1])[1]).toMatch(/unavailable/)
    expect(toolNames(endpoint.requests[1])).toContain('later')
    expect(toolNames(endpoint.requests[1])).not.toContain('gone')
  },
)

test('callTool validates, runs and throws the error of the tool itself, without a transcript', async ({ lab }) => {
  const { agent } = await lab.start([])
  class Sold extends Error {}
  agent.registerTool({
    name: 'buy',
    description: 'Buys',
    needsApproval: true,
    inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    execute: ({ n }: { n: number }) => {
      if (n > 1) throw new Sold('sold out')
      return { bought: n }
    },
  })
  expect(await agent.callTool('buy', { n: '1' })).toEqual({ bought: 1 })
  await expect(agent.callTool('buy', { n: 2 })).rejects.toBeInstanceOf(Sold)
  await expect(agent.callTool('buy', {})).rejects.toMatchObject({ code: 'invalid-input' })
  await expect(agent.callTool('bye', {})).rejects.toMatchObject({ code: 'unknown-tool' })
  expect(agent.messages).toEqual([])
})

test('callTool runs in the session that is about to open, without one where no host starts, and not on a closed agent', async ({
  lab,
}) => {
  const who = {
    name: 'who',
    description: 'Tells its session',
    execute: (_: unknown, { sessionId }: ToolRun) => sessionId,
  }
  const { agent } = await lab.start([], { sessionId: 'named', tools: [who] })
  void agent.connect()
  expect([agent.session, await agent.callTool('who')]).toEqual([undefined, 'named'])
  const alone = new Agent({ tools: [who] }, () => Promise.reject(new Error('no host here')))
  void alone.connect().catch(() => undefined)
  expect(await alone.callTool('who')).toBe('')
  await alone.close()
  await expect(alone.callTool('who')).rejects.toMatchObject({ code: 'closed' })
})

test('a forced tool choice goes back to auto after its first use', { tag: ['@C29', '@R1.4'] }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start([callLook, { text: 'ok' }])
  agent.registerTool(look([]))
  await agent.send('Go', { toolChoice: { type: 'tool', toolName: 'look' } })
  expect(endpoint.requests.map((request) => request.body?.['tool_choice'] ?? 'auto')).toEqual([
    { type: 'function', function: { name: 'look' } },
    'auto',
  ])
})

test('wrong options throw when they are set, with their name', async ({ lab }) => {
  const { agent } = await lab.start([])
  const set = (options: object) => () => agent.configure(options)
  expect(set({ endpoint: 'http://example.com/v1' })).toThrow(/endpoint.*https/)
  expect(set({ resume: 'maybe' })).toThrow(/^resume: expected 'auto' or 'ask', received "maybe"$/)
  expect(set({ resume: 'never' })).toThrow(/^resume: expected 'auto' or 'ask', received "never"$/)
  expect(set({ limits: { step: 3 } })).toThrow(/limits\.step: there is no such limit/)
  expect(set({ endPoint: '/v1' })).toThrow(/endPoint: there is no such option/)
  const without = await lab.start([])
  without.agent.configure({})
  await expect(without.agent.send('Go')).rejects.toMatchObject({
    code: 'no-endpoint',
    message: expect.stringContaining('endpoint'),
  })
})

test('an error about an option names the option, the expected value and the actual one', async ({ lab }) => {
  const { agent } = await lab.start([])
  for (const [options, message] of [
    [{ contextWindow: { tokens: 'x' } }, 'contextWindow.tokens: expected a number of at least 1, received "x"'],
    [{ contextWindow: { tokens: 0 } }, 'contextWindow.tokens: expected a number of at least 1, received 0'],
    [
      { contextWindow: { foo: 1 } },
      'contextWindow.foo: there is no such option. There are: tokens, clearAt, keepResults',
    ],
    [{ contextWindow: null }, 'contextWindow: expected an object, received null'],
    [{ model: [] }, 'model: expected a string or a list of names, received an array'],
    [{ model: 5 }, 'model: expected a string or a list of names, received 5'],
    [{ headers: true }, 'headers: expected an object or a function, received true'],
    [{ retention: { maxSessions: -1 } }, 'retention.maxSessions: expected a number of at least 0, received -1'],
    [{ limits: { steps: Number.NaN } }, 'limits.steps: expected a number of at least 0, received NaN'],
  ] as [object, string][])
    expect(() => agent.configure(options)).toThrow(expect.objectContaining({ code: 'invalid-option', message }))
  expect(() => agent.configure({ context: { tokens: 1 } } as object)).toThrow(
    /^context: there is no such option\. There are: .*contextWindow/,
  )
  agent.configure({
    ...agent.options,
    contextWindow: { tokens: 1_000, keepResults: 0 },
    limits: { steps: Infinity },
    retention: { maxAge: Infinity },
  })
})

test('invalid messages, titles and session ids reject; methods of a closed agent reject with closed', async ({
  lab,
}) => {
  const { agent, endpoint } = await lab.start([{ calls: [{ id: 'c', name: 'pay', arguments: {} }] }])
  for (const wrong of [5, null, undefined, {}, ['Hello'], [{ type: 'text' }], [{ type: 'file', data: 'x' }]]) {
    await expect(agent.send(wrong as never), JSON.stringify(wrong)).rejects.toMatchObject({
      code: 'invalid-option',
      message: expect.stringMatching(/^send: expected a text, or an array of /),
    })
  }
  await agent.connect()
  const id = agent.session?.id ?? ''
  for (const [given, name] of [
    [() => agent.sessions.rename(id, 5 as never), 'sessions.rename: title'],
    [() => agent.sessions.rename(undefined as never, 'x'), 'sessions.rename'],
    [() => agent.sessions.open(''), 'sessions.open'],
    [() => agent.sessions.open(undefined as never), 'sessions.open'],
    [() => agent.sessions.delete('  '), 'sessions.delete'],
  ] as const)
    await expect(given()).rejects.toMatchObject({
      code: 'invalid-option',
      message: expect.stringContaining(`${name}: expected a non-empty string`),
    })
  expect([agent.session?.id, endpoint.requests.length]).toEqual([id, 0])
  agent.registerTool({ name: 'pay', description: 'Pays', needsApproval: true, execute: () => 'paid' })
  void agent.send('Go').catch(() => undefined)
  await until(agent, () => agent.status === 'awaiting-approval')
  await agent.close()
  await expect(agent.approve('c')).rejects.toMatchObject({ code: 'closed' })
  await expect(agent.deny('c')).rejects.toMatchObject({ code: 'closed' })
})

test(
  'the context of a new session and the one of a send outlive a reload, and the send’s ends with its turn',
  { tag: '@R3.1' },
  async ({ lab }) => {
    const seen: unknown[] = []
    const script = (body: object) => (JSON.stringify(body).includes('"tool"') ? { text: 'ok' } : callLook)
    // Killed after the step. The call may have run while the step was stored, and runs again.
    const first = await lab.start(script, { killAfter: 3 })
    first.agent.registerTool(look([]))
    const sessionId = await first.agent.sessions.create({ toolContext: { tenant: 't1', who: 'session' } })
    void first.agent.send('Go', { toolContext: { who: 'send', cart: 'cart-of-send' } }).catch(() => undefined)
    await first.dead
    const second = await lab.start([], { sessionId, store: first.store, endpointServer: first.endpoint })
    second.agent.registerTool(look(seen))
    await second.agent.connect()
    await until(second.agent, () => second.agent.status === 'idle')
    expect(seen).toEqual([{ tenant: 't1', who: 'send', cart: 'cart-of-send' }])
    expect(second.agent.session?.context).toEqual({ tenant: 't1', who: 'session' })
    expect(JSON.stringify(await second.stored())).not.toContain('cart-of-send')
  },
)

test(
  'the context that a session is begun with is stored before its first message; a session without one is not',
  { tag: '@R3.1' },
  async ({ lab }) => {
    const store = memoryStore()
    const { agent } = await lab.start([], { store })
    const id = await agent.sessions.create({ toolContext: { tenant: 't1' } })
    await agent.sessions.create()
    await agent.sessions.create({ toolContext: {} })
    expect((await agent.sessions.list()).map((session) => session.id)).toEqual([id])
    await agent.sessions.open(id)
    expect(agent.session?.context).toEqual({ tenant: 't1' })
  },
)

test(
  'the defaults never leave the page: no message to the host and no record holds them',
  { tag: '@R3.2' },
  async ({ lab }) => {
    const seen: unknown[] = []
    const { agent, sent, stored } = await lab.start([callLook, { text: 'ok' }], {
      toolContext: { token: 'secret-default' },
    })
    agent.registerTool(look(seen))
    await agent.send('Go', { toolContext: { cart: 'c1' } })
    expect(seen).toEqual([{ token: 'secret-default', cart: 'c1' }])
    expect(JSON.stringify(sent)).not.toContain('secret-default')
    expect(JSON.stringify(await stored())).not.toContain('secret-default')
  },
)

test(
  'the context is copied when a tool starts: a proxy of a store works, and each call sees what stands there then',
  { tag: '@R3.3' },
  async ({ lab }) => {
    const seen: unknown[] = []
    const state = { user: { name: 'Ada' } }
    const store = new Proxy(state, { get: (target, key) => (key === 'user' ? new Proxy(target.user, {}) : undefined) })
    const { agent } = await lab.start([callLook, callLook, { text: 'ok' }], { toolContext: store })
    agent.registerTool(
      look(seen, {
        execute: (_: unknown, { toolContext }: ToolRun) => {
          seen.push(toolContext)
          state.user.name = 'Grace'
        },
      }),
    )
    await agent.send('Go')
    expect(seen).toEqual([{ user: { name: 'Ada' } }, { user: { name: 'Grace' } }])
  },
)

test(
  'keys that reach a prototype are refused wherever a context is set',
  { tag: ['@S24', '@R3.3'] },
  async ({ lab }) => {
    const { agent } = await lab.start([])
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      const toolContext = JSON.parse(`{"${key}":{"polluted":1}}`) as ToolContext
      const refused = { code: 'invalid-option', message: expect.stringContaining(`the key ${key} is not allowed`) }
      expect(() => agent.remember(key, 1)).toThrow(expect.objectContaining(refused))
      expect(() => agent.configure({ ...agent.options, toolContext })).toThrow(expect.objectContaining(refused))
      await expect(agent.send('Go', { toolContext })).rejects.toMatchObject(refused)
      await expect(agent.sessions.create({ toolContext })).rejects.toMatchObject(refused)
    }
  },
)

test(
  'what JSON cannot hold is refused where it is remembered or given to a session, by key',
  { tag: '@R3.3' },
  async ({ lab }) => {
    const { agent, endpoint } = await lab.start([callLook, { text: 'ok' }])
    agent.registerTool(
      look([], {
        execute: (_: unknown, { remember }: ToolRun) => {
          remember('basket', new Map([['a', 1]]) as never)
        },
      }),
    )
    await agent.send('Go')
    expect(resultsOf(endpoint.requests[1])[0]).toMatch(
      /^Error \(invalid-option\): remember\.basket: JSON cannot hold it/,
    )
    expect(() => agent.remember('clock', (() => 1) as never)).toThrow(/remember\.clock/)
    await expect(agent.sessions.create({ toolContext: { size: 1n as never } })).rejects.toThrow(/toolContext\.size/)
    expect(agent.session?.context).toEqual({})
  },
)

test('every level of what a tool gets is frozen, and nothing of the author’s is', { tag: '@R3.4' }, async ({ lab }) => {
  const mine = { cart: { items: [{ id: 1 }] } }
  const frozen: boolean[] = []
  const { agent } = await lab.start([callLook, { text: 'ok' }], { toolContext: mine })
  agent.registerTool(
    look([], {
      execute: (_: unknown, { toolContext }: ToolRun) => {
        const { cart } = toolContext as unknown as typeof mine
        frozen.push(...[toolContext, cart, cart.items, cart.items[0]].map((one) => Object.isFrozen(one)))
      },
    }),
  )
  await agent.send('Go')
  expect(frozen).toEqual([true, true, true, true])
  expect([mine, mine.cart, mine.cart.items].some((one) => Object.isFrozen(one))).toBe(false)
})
