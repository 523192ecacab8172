// What one step may use: who brings tools, which names they get, and that nothing else runs.
import { builtinTools } from '../../../../src/core/loop/builtin-tools.js'
import { toolCallsOf, type Message } from '../../../../src/core/data/message.js'
import { emptySession } from '../../../../src/core/data/session.js'
import type { AnyTool } from '../../../../src/page/tools/tool.js'
import { expect, test, until } from '../../../support/lab/lab.js'
import { resultsOf, toolNames } from '../../../support/lab/requests.js'
import { hurry } from '../../../support/lab/timers.js'

const tool = (name: string, more: Partial<AnyTool> = {}): AnyTool => ({
  name,
  description: `Does the work of ${name} for the user`,
  annotations: { readOnlyHint: true },
  execute: () => `${name} ran`,
  ...more,
})
const call = (name: string, id?: string) => ({ name, arguments: {}, ...(id ? { id } : {}) })
const builtIn = ['todo_write', 'todo_read']

test(
  'a name in activeTools that no tool has throws before anything is sent; the names of built-in tools are known',
  { tag: '@R1.1' },
  async ({ lab }) => {
    const { agent, endpoint } = await lab.start([{ text: 'ok' }])
    agent.registerTool([tool('look'), tool('other')])
    await expect(agent.send('Go', { activeTools: ['look', 'loook'] })).rejects.toMatchObject({
      code: 'invalid-option',
      message: expect.stringContaining("'loook'"),
    })
    await agent.send('Go', { activeTools: ['look', 'todo_read'] })
    expect(endpoint.requests.map(toolNames)).toEqual([[...builtIn, 'look']])
  },
)

test('read_result is on offer from the first result on that was cut', { tag: '@R1.1' }, () => {
  const cut = { modelOutput: 'head…', output: 'head', cut: { chars: 99_999 }, endedAt: 1, attempts: 1 }
  const user: Message = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Hi' }], at: 1 }
  const turn: Message[] = [
    user,
    {
      id: 'a',
      role: 'assistant',
      at: 1,
      parts: [{ type: 'tool-call', call: { id: 'c', name: 'dump', input: {} }, result: cut }],
    },
  ]
  const names = (...messages: Message[]) =>
    builtinTools({ ...emptySession('s', '', 1), messages }, false).map(({ name }) => name)
  expect(names(user)).toEqual([])
  expect(names(...turn)).toEqual(['read_result'])
  // It stays after a summary: a change of the tools costs the cache of the provider.
  const summary: Message = { id: 's', role: 'summary', text: 'A dump was made', upTo: 2, at: 1 }
  expect(names(...turn, summary, user)).toEqual(['read_result'])
})

test(
  'a provider’s tool whose name is taken is left out and reported, and the first keeps its place',
  { tag: '@R1.2' },
  async ({ lab }) => {
    const { agent, endpoint } = await lab.start([{ calls: [call('look')] }, { text: 'ok' }])
    const errors: string[] = []
    agent.observe((notice) => {
      if (notice.type === 'error') errors.push(notice.error.code)
    })
    agent.registerTool(tool('look'))
    agent.registerToolProvider(() => [tool('look', { execute: () => 'the provider ran' }), tool('more')])
    await agent.send('Go')
    expect(toolNames(endpoint.requests[0])).toEqual([...builtIn, 'look', 'more'])
    expect(resultsOf(endpoint.requests[1])).toEqual(['look ran'])
    expect(errors).toEqual(['duplicate-tool', 'duplicate-tool'])
  },
)

test(
  'a provider that takes longer than five seconds gives no tools for that step and is reported',
  { tag: '@R1.2' },
  async ({ lab }) => {
    const { agent, endpoint } = await lab.start([{ text: 'ok' }])
    const errors: string[] = []
    agent.observe((notice) => {
      if (notice.type === 'error') errors.push(notice.error.message)
    })
    agent.registerTool(tool('look'))
    agent.registerToolProvider(() => new Promise(() => undefined))
    const clock = hurry(5_000)
    try {
      await agent.send('Go')
    } finally {
      clock.stop()
    }
    expect(toolNames(endpoint.requests[0])).toEqual([...builtIn, 'look'])
    expect(errors).toEqual([expect.stringContaining('5000 ms')])
  },
)

test(
  'foreign names are made to fit: a sign for each bad character, and a hash where that is too long or taken',
  { tag: '@R1.2' },
  async ({ lab }) => {
    const long = `maps.${'find'.repeat(20)}`
    const { agent, endpoint } = await lab.start([{ calls: [call('shop_find_all')] }, { text: 'ok' }])
    agent.registerTool(tool('is_taken'))
    const foreign = (name: string) => tool(name, { execute: () => `${name} ran` })
    agent.registerToolProvider(() => [foreign('shop.find all'), foreign('is.taken'), foreign(long), foreign('wé')])
    await agent.send('Go')
    const names = toolNames(endpoint.requests[0])?.map(String) ?? []
    expect(names).toEqual([
      ...builtIn,
      'is_taken',
      'shop_find_all',
      expect.stringMatching(/^is_taken_[0-9a-f]{6}$/),
      expect.stringMatching(/^maps_(find){13}_[0-9a-f]{6}$/),
      'w_',
    ])
    expect(names[5]).toHaveLength(64)
    // Run by what it was called where it comes from.
    expect(resultsOf(endpoint.requests[1])).toEqual(['shop.find all ran'])
  },
)

test(
  'with no near name, and none on offer, an unknown call runs nothing and says so',
  { tag: '@R1.3' },
  async ({ lab }) => {
    const { agent, endpoint } = await lab.start([{ calls: [call('constructor'), call('x')] }, { text: 'ok' }], {
      todo: false,
    })
    await agent.send('Go')
    expect(resultsOf(endpoint.requests[1])).toEqual([
      "Error (unknown-tool): There is no tool 'constructor'. No tools available.",
      "Error (unknown-tool): There is no tool 'x'. No tools available.",
    ])
  },
)

test('the nearest three names are told, nearest first, and no more', { tag: '@R1.3' }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start([{ calls: [call('find_ordrs')] }, { text: 'ok' }])
  agent.registerTool(['delete_account', 'find_orders', 'find_order', 'find_or', 'find_o'].map((name) => tool(name)))
  await agent.send('Go')
  expect(resultsOf(endpoint.requests[1])).toEqual([
    "Error (unknown-tool): There is no tool 'find_ordrs'. Did you mean 'find_orders', 'find_order', 'find_or'?",
  ])
})

test(
  'two names that differ in case alone are two: another case of them runs neither',
  { tag: '@R1.3' },
  async ({ lab }) => {
    const { agent, endpoint } = await lab.start([{ calls: [call('GO'), call('Go')] }, { text: 'ok' }])
    agent.registerTool([tool('go'), tool('Go')])
    await agent.send('Do it')
    expect(resultsOf(endpoint.requests[1])).toEqual([expect.stringContaining('unknown-tool'), 'Go ran'])
  },
)

test(
  'a call taken up again after a reload runs only what its own request offered, whatever the next page has',
  { tag: '@R1.3' },
  async ({ lab }) => {
    let danger = 0
    const script = (body: object) =>
      JSON.stringify(body).includes('"tool"') ? { text: 'ok' } : { calls: [call('look', 'l'), call('danger', 'd')] }
    // Killed after the step: its calls are stored, and none was checked.
    const first = await lab.start(script, { sessionId: 'offer-1', killAfter: 2 })
    first.agent.registerTool(tool('look'))
    void first.agent.send('Go').catch(() => undefined)
    await first.dead
    const second = await lab.start([], { store: first.store, sessionId: 'offer-1', endpointServer: first.endpoint })
    second.agent.registerTool([
      tool('look'),
      tool('danger', {
        execute: () => {
          danger++
        },
      }),
    ])
    await second.agent.connect()
    await until(second.agent, () => second.agent.status === 'idle')
    expect(
      second.agent.messages.flatMap(toolCallsOf).map(({ result }) => result?.output ?? result?.error?.code),
    ).toEqual(['look ran', 'unknown-tool'])
    expect(danger).toBe(0)
  },
)

test('without tools the request has no tools field and no tool choice', { tag: '@R1.4' }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start([{ text: 'ok' }], { todo: false })
  await agent.send('Go', { toolChoice: 'required' })
  expect(Object.keys(endpoint.requests[0]?.body ?? {}).filter((key) => key.startsWith('tool'))).toEqual([])
})

test.describe('many tools in one request', () => {
  const many = (count: number, prefix = 'tool') =>
    Array.from({ length: count }, (_, index) => tool(`${prefix}_${index}`))
  let warnings: string[] = []
  const { warn } = console
  test.beforeEach(() => {
    warnings = []
    console.warn = (...values: unknown[]) => void warnings.push(values.join(' '))
  })
  test.afterEach(() => {
    console.warn = warn
  })

  test('more than 128 are warned of once, with their number and size', async ({ lab }) => {
    const { agent, endpoint } = await lab.start([{ calls: [call('tool_0')] }, { text: 'one' }, { text: 'two' }], {
      toolSearch: false,
    })
    agent.registerTool(many(127))
    await agent.send('Go')
    await agent.send('Again')
    expect(toolNames(endpoint.requests[0])).toHaveLength(129)
    // The code of the hints is loaded when it is needed.
    await expect
      .poll(() => warnings)
      .toEqual([expect.stringMatching(/^\[tool-agent\] A request offers 129 tools, with \d+ KiB of definitions/)])
    const size = JSON.stringify(endpoint.requests[0]?.body?.['tools']).length / 1024
    expect(Math.abs(Number(/(\d+) KiB/.exec(warnings[0] ?? '')?.[1]) - size)).toBeLessThan(10)
  })

  test('128 are not', async ({ lab }) => {
    const { agent, endpoint } = await lab.start([{ text: 'one' }, { text: 'two' }], { toolSearch: false })
    agent.registerTool(many(126))
    await agent.send('Go')
    agent.configure({ ...agent.options, todo: false })
    agent.registerTool(many(2, 'more'))
    await agent.send('Again')
    expect(endpoint.requests.map((request) => toolNames(request)?.length)).toEqual([128, 128])
    expect(warnings).toEqual([])
  })

  test('what hooks.beforeModel leaves is counted', async ({ lab }) => {
    const keep = { count: 20 }
    const { agent } = await lab.start([{ text: 'one' }, { text: 'two' }], {
      toolSearch: false,
      hooks: { beforeModel: (request) => ({ ...request, tools: request.tools.slice(0, keep.count) }) },
    })
    agent.registerTool(many(200))
    await agent.send('Go')
    expect(warnings).toEqual([])
    keep.count = 150
    await agent.send('Again')
    await expect.poll(() => warnings).toEqual([expect.stringContaining('offers 150 tools')])
  })
})
