// What models and servers get wrong about calls, end to end: a scripted server sends it to a real agent, and a tool
// runs or does not. wire-assembly.spec.ts covers stream assembly, turn-loop.spec.ts the plain loop.
import { getEventListeners } from 'node:events'
import { z } from 'zod'
import type { JsonObject, JsonValue } from '../../../../src/core/data/json.js'
import { toolCallsOf } from '../../../../src/core/data/message.js'
import type { ToolRun } from '../../../../src/page/tools/tool.js'
import { startEndpoint, type Reply } from '../../../support/lab/endpoint.js'
import { deferred, expect, test, until } from '../../../support/lab/lab.js'
import { messagesOf, resultsOf } from '../../../support/lab/requests.js'

const delta = (fields: JsonObject, finish: string | null = null): JsonValue => ({
  choices: [{ index: 0, delta: fields, finish_reason: finish }],
})
const entry = (fields: JsonObject, finish: string | null = null) =>
  delta({ tool_calls: [{ index: 0, ...fields }] }, finish)
/** A step whose one call comes in these pieces of argument text. */
const pieces = (name: string, ...texts: string[]): Reply => ({
  sse: [
    entry({ id: 'c1', function: { name, arguments: '' } }),
    ...texts.map((text) => entry({ function: { arguments: text } })),
    delta({}, 'tool_calls'),
  ],
})
const call = (name: string, args: JsonObject | string = {}, id?: string): Reply => ({
  calls: [{ name, arguments: args, ...(id ? { id } : {}) }],
})

/** A tool that keeps what it was given. */
const keeper = (got: unknown[], more: object = {}) => ({
  name: 'keep',
  description: 'Keeps whatever it is given',
  execute: (input: unknown) => {
    got.push(input)
    return 'kept'
  },
  ...more,
})
const schema = (properties: JsonObject, required: string[] = []) => ({
  inputSchema: { type: 'object', properties, required },
})

/** What the console was warned of meanwhile. */
async function warnings(run: () => Promise<unknown>): Promise<string[]> {
  const said: string[] = []
  const { warn } = console
  console.warn = (...words: unknown[]) => {
    said.push(words.join(' '))
  }
  try {
    await run()
  } finally {
    console.warn = warn
  }
  return said
}

test(
  'calls without an id or with the same id all run, each with its own result',
  { tag: ['@C04', '@C05'] },
  async ({ lab }) => {
    const got: unknown[] = []
    const { agent, endpoint } = await lab.start([
      { calls: ['a', '', 'a', ''].map((id, p) => ({ name: 'keep', arguments: { p }, id })) },
      { text: 'Done' },
    ])
    agent.registerTool(
      keeper(got, {
        ...schema({ p: { type: 'number' } }),
        execute: ({ p }: { p: number }) => {
          got.push(p)
          return `kept ${p}`
        },
      }),
    )
    await agent.send('Go')
    expect(got).toEqual([0, 1, 2, 3])
    expect(resultsOf(endpoint.requests[1])).toEqual(['kept 0', 'kept 1', 'kept 2', 'kept 3'])
    const ids = toolCallsOf(agent.messages[1]).map((part) => part.call.id)
    expect(ids[0]).toBe('a')
    expect(new Set(ids.filter((id) => id !== '')).size).toBe(4)
  },
)

test('does not run arguments that parse before the stream ends', { tag: '@C12' }, async ({ lab }) => {
  const got: unknown[] = []
  const { agent, endpoint } = await lab.start([pieces('keep', '{"p":1}', ' ', '{"p":2}'), { text: 'I see' }])
  agent.registerTool(keeper(got, schema({ p: { type: 'number' } })))
  await agent.send('Go')
  expect(got).toEqual([])
  expect(resultsOf(endpoint.requests[1])).toEqual([expect.stringContaining('Tool call JSON parse failed')])
})

test('runs the calls of an answer that finished with stop', { tag: '@C20' }, async ({ lab }) => {
  const got: unknown[] = []
  const { agent, endpoint } = await lab.start([
    { calls: [{ name: 'keep', arguments: {} }], finish: 'stop' },
    { text: 'Done' },
  ])
  agent.registerTool(keeper(got))
  expect(await agent.send('Go')).toMatchObject({ reason: 'stop', text: 'Done', steps: 2 })
  expect(got).toEqual([{}])
  expect(resultsOf(endpoint.requests[1])).toEqual(['kept'])
})

test(
  'cut arguments are a format error although the finish reason is tool_calls',
  { tag: ['@C22', '@R2.1'] },
  async ({ lab }) => {
    const got: unknown[] = []
    const { agent, endpoint } = await lab.start([
      pieces('keep', '{"p":1,"q":"un'),
      call('keep', { p: 2 }),
      { text: 'Done' },
    ])
    agent.registerTool(keeper(got, schema({ p: { type: 'number' }, q: { type: 'string' } })))
    const result = await agent.send('Go')
    expect(got).toEqual([{ p: 2 }])
    expect(result.toolExecutions.map(({ error }) => error?.code)).toEqual(['format-error', undefined])
    expect(resultsOf(endpoint.requests[1])[0]).toMatch(/^Tool call JSON parse failed/)
  },
)

for (const finish of ['content_filter', 'refusal']) {
  test(
    `calls of an answer that was filtered (${finish}) are dropped and do not run`,
    { tag: ['@C26', '@R2.1'] },
    async ({ lab }) => {
      const got: unknown[] = []
      const { agent } = await lab.start([{ text: 'I cannot', calls: [{ name: 'keep', arguments: {} }], finish }])
      agent.registerTool(keeper(got))
      expect(await agent.send('Go')).toMatchObject({ reason: 'content-filter', text: 'I cannot', toolExecutions: [] })
      expect(got).toEqual([])
      expect(toolCallsOf(agent.messages.at(-1))).toEqual([])
    },
  )
}

test('a required tool choice returns to auto after the first call', { tag: ['@C29', '@R1.4'] }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start([call('keep'), call('keep', { p: 2 }), { text: 'Done' }])
  agent.registerTool(keeper([], schema({ p: { type: 'number' } })))
  await agent.send('Go', { toolChoice: 'required' })
  expect(endpoint.requests.map(({ body }) => body?.['tool_choice'])).toEqual(['required', undefined, undefined])
})

test('every request contains the tools, also after calls and results', { tag: '@C30' }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start([call('keep'), { text: 'Done' }, { text: 'Again' }])
  agent.registerTool(keeper([]))
  await agent.send('Go')
  await agent.send('And?')
  const [first, ...others] = endpoint.requests.map(({ body }) => body?.['tools'])
  expect(first).toMatchObject([{}, {}, { function: { name: 'keep' } }])
  expect(others).toEqual([first, first])
})

test('null and missing arguments become an empty object', { tag: ['@C70', '@R2.1'] }, async ({ lab }) => {
  const got: unknown[] = []
  const { agent } = await lab.start([
    {
      sse: [
        entry({ id: 'a', function: { name: 'keep' } }),
        entry({ index: 1, id: 'b', function: { name: 'keep', arguments: null } }),
        delta({}, 'tool_calls'),
      ],
    },
    {
      json: {
        choices: [
          {
            message: {
              role: 'assistant',
              content: null,
              tool_calls: [{ id: 'c', type: 'function', function: { name: 'keep' } }],
            },
            finish_reason: 'tool_calls',
          },
        ],
      },
    },
    { text: 'Done' },
  ])
  agent.registerTool(keeper(got))
  await agent.send('Go')
  expect(got).toEqual([{}, {}, {}])
})

test('joins argument fragments and parses them once', { tag: ['@C72', '@R2.1'] }, async ({ lab }) => {
  const got: unknown[] = []
  const { agent } = await lab.start([
    pieces('keep', '{"text":"a', 'b', '","n":1', '2', ',"list":[', '3]}'),
    { text: 'Done' },
  ])
  agent.registerTool(
    keeper(
      got,
      schema({ text: { type: 'string' }, n: { type: 'number' }, list: { type: 'array', items: { type: 'number' } } }),
    ),
  )
  await agent.send('Go')
  expect(got).toEqual([{ text: 'ab', n: 12, list: [3] }])
})

test('passes integers beyond 2^53 to string fields without rounding', { tag: '@C74' }, async ({ lab }) => {
  const got: unknown[] = []
  const { agent, stored } = await lab.start([
    call(
      'keep',
      '{"order": 9007199254740993, "list":[-12345678901234567891], "n": 9007199254740992, "f": 0.12345678901234567891, "e": 1e21, "text": "9 \\"12345678901234567\\" 9007199254740993"}',
    ),
    { text: 'Done' },
  ])
  agent.registerTool(
    keeper(got, {
      inputSchema: z.object({
        order: z.string(),
        list: z.array(z.string()),
        n: z.number(),
        f: z.number(),
        e: z.number(),
        text: z.string(),
      }),
    }),
  )
  expect(await warnings(() => agent.send('Go'))).toEqual([])
  expect(got).toEqual([
    {
      order: '9007199254740993',
      list: ['-12345678901234567891'],
      n: 9007199254740992,
      f: 0.12345678901234568,
      e: 1e21,
      text: '9 "12345678901234567" 9007199254740993',
    },
  ])
  expect(JSON.stringify(await stored())).toContain('"order":"9007199254740993"')
})

test('rejects integers beyond 2^53 in number fields and warns the author', { tag: '@C74' }, async ({ lab }) => {
  for (const inputSchema of [
    schema({ parcel: { type: 'object', properties: { id: { type: 'integer' } } } }).inputSchema,
    z.object({ parcel: z.object({ id: z.number() }) }),
  ]) {
    const got: unknown[] = []
    const { agent, endpoint } = await lab.start([call('keep', '{"parcel":{"id":9007199254740993}}'), { text: 'I see' }])
    agent.registerTool(keeper(got, { inputSchema }))
    const said = await warnings(() => agent.send('Go'))
    expect(got).toEqual([])
    expect(resultsOf(endpoint.requests[1])).toEqual([
      expect.stringMatching(/invalid-input.*parcel\.id: 9007199254740993 is more than a number can hold/),
    ])
    // Warned once per path, so the second schema adds no warning.
    if (inputSchema instanceof z.ZodType) expect(said).toEqual([])
    else expect(said).toEqual([expect.stringMatching(/"parcel\.id".*schema.*string/)])
  }
})

test(
  'rejects prototype keys, and treats names of object methods as unknown tools',
  { tag: ['@C75', '@R2.1'] },
  async ({ lab }) => {
    const got: unknown[] = []
    const { agent, endpoint } = await lab.start([
      {
        calls: [
          { name: 'keep', arguments: '{"__proto__":{"polluted":1}}' },
          { name: 'keep', arguments: '{"deep":[{"constructor":{"prototype":{"polluted":1}}}]}' },
          ...['toString', 'constructor', '__proto__', 'hasOwnProperty'].map((name) => ({ name, arguments: {} })),
        ],
      },
      { text: 'I see' },
    ])
    agent.registerTool(keeper(got, schema({ deep: {} })))
    const result = await agent.send('Go')
    expect(got).toEqual([])
    expect(result.toolExecutions.map(({ error }) => error?.code)).toEqual([
      'invalid-input',
      'invalid-input',
      ...Array<string>(4).fill('unknown-tool'),
    ])
    expect(resultsOf(endpoint.requests[1])[0]).toContain('not allowed')
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  },
)

test('a missing required object is an error, never null for the tool', { tag: ['@C76', '@R2.3'] }, async ({ lab }) => {
  const got: unknown[] = []
  const { agent, endpoint } = await lab.start([
    {
      calls: [
        { name: 'keep', arguments: {} },
        { name: 'keep', arguments: { to: null } },
      ],
    },
    call('keep', { to: { city: 'Ulm' } }),
    { text: 'Done' },
  ])
  agent.registerTool(
    keeper(
      got,
      schema({ to: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } }, ['to']),
    ),
  )
  await agent.send('Go')
  expect(got).toEqual([{ to: { city: 'Ulm' } }])
  const [missing, nothing] = resultsOf(endpoint.requests[1])
  expect(missing).toMatch(/^Error \(invalid-input\).*to: required \(object\)/)
  expect(nothing).toMatch(/^Error \(invalid-input\).*to: expected object, received null/)
})

test(
  'a name with residue runs the one tool that it fits, and later requests have the right name',
  {
    tag: '@R1.3',
  },
  async ({ lab }) => {
    const names = [
      'find_orders<|channel|>commentary',
      'find_orders<|channel|>json',
      'functions.find_orders<|channel|>commentary',
      'functions/find_orders',
      'find_orders<|constrain|>json',
      ' find_orders ',
      'assistant<|channel|>commentary to=functions.find_orders',
      'functions.find_orders:3',
      'find_orders<｜tool▁sep｜>',
      'default_api.find_orders',
      'tools.find_orders',
      'find-orders',
      'Find_Orders',
      'findOrders',
      '"find_orders"',
    ]
    const { agent, endpoint } = await lab.start([
      { calls: names.map((name, index) => ({ name, arguments: { n: index } })) },
      { text: 'I see' },
    ])
    const got: unknown[] = []
    const numbered = schema({ n: { type: 'integer' } })
    agent.registerTool([keeper(got, { name: 'find_orders', ...numbered }), keeper([], { name: 'find_order' })])
    await agent.send('Go')
    expect(got).toEqual(names.map((_, index) => ({ n: index })))
    expect(endpoint.requests[1]?.raw.match(/"name":"find_orders"/g)).toHaveLength(names.length + 1)
  },
)

test('a name with residue that fits two tools, or none, runs nothing', { tag: '@R1.3' }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start([
    {
      calls: ['find-orders', 'find_orders keep', 'other.find_it', '<|channel|>', 'shop.keep'].map((name) => ({
        name,
        arguments: {},
      })),
    },
    { text: 'I see' },
  ])
  const got: unknown[] = []
  agent.registerTool(['find_orders', 'findOrders', 'keep'].map((name) => keeper(got, { name })))
  await agent.send('Go')
  expect(got).toEqual([])
  expect(resultsOf(endpoint.requests[1])).toEqual(Array(5).fill(expect.stringContaining('unknown-tool')))
})

test('a name that matches two tools in another case runs neither', { tag: ['@C77', '@R1.3'] }, async ({ lab }) => {
  const got: unknown[] = []
  const { agent, endpoint } = await lab.start([
    {
      calls: [
        { name: 'KEEP', arguments: {} },
        { name: 'Keep', arguments: {} },
      ],
    },
    { text: 'I see' },
  ])
  agent.registerTool([keeper(got), keeper([], { name: 'Keep' })])
  await agent.send('Go')
  expect(got).toEqual([])
  expect(resultsOf(endpoint.requests[1])).toEqual([
    expect.stringMatching(/unknown-tool.*'KEEP'.*'keep', 'Keep'/),
    'kept',
  ])
})

test(
  'counts repetitions of successful calls, and another call resets the count',
  { tag: ['@C78', '@R2.12'] },
  async ({ lab }) => {
    const got: unknown[] = []
    const same = call('keep', { a: 1, b: 2 })
    const turned = call('keep', '{"b":2,"a":1}')
    const { agent, endpoint } = await lab.start([
      same,
      turned,
      call('keep', { a: 2 }),
      same,
      turned,
      same,
      { text: 'Done' },
    ])
    agent.registerTool(keeper(got, schema({ a: { type: 'number' }, b: { type: 'number' } })))
    expect((await agent.send('Go')).reason).toBe('stop')
    expect(
      resultsOf(endpoint.requests[6]).map((text) =>
        text.startsWith('Warning: this is the same call for the third time'),
      ),
    ).toEqual([false, false, false, false, false, true])
  },
)

test('ignores the result of an attempt that timed out', { tag: ['@C80', '@R2.5'] }, async ({ lab }) => {
  let attempt = 0
  const { agent, events, stored } = await lab.start([call('read'), { text: 'Done' }])
  agent.registerTool({
    name: 'read',
    description: 'Reads from a slow place',
    timeout: 20,
    annotations: { readOnlyHint: true },
    execute: (_: unknown, { signal, remember }: ToolRun) =>
      ++attempt > 1
        ? 'in time'
        : new Promise((resolve) => {
            signal.addEventListener('abort', () => {
              remember('seen', 'late')
              resolve('too late')
            })
          }),
  })
  const result = await agent.send('Go')
  expect(result.toolExecutions).toMatchObject([{ output: 'in time', attempts: 2 }])
  expect(events.filter((event) => event.type === 'tool-result')).toHaveLength(1)
  expect(JSON.stringify(await stored())).not.toContain('late')
})

test(
  'stop aborts a tool’s fetch, and the call is settled as cancelled',
  { tag: ['@C82', '@R5.2', '@F77'] },
  async ({ lab }) => {
    const shop = await startEndpoint([{ raw: ': waiting\n\n', end: 'hang' }])
    const order: string[] = []
    const { agent, endpoint, stored } = await lab.start([call('buy', {}, 'buy-1'), { text: 'next' }])
    agent.subscribe((event) => {
      if (event.type === 'tool-result' || event.type === 'turn-end') order.push(event.type)
    })
    agent.registerTool({
      name: 'buy',
      description: 'Buys from a shop that takes its time',
      async execute(_: unknown, { signal }: ToolRun) {
        signal.addEventListener('abort', () => order.push('aborted'))
        const answer = await fetch(`${shop.url}/chat/completions`, { method: 'POST', body: '{}', signal })
        return answer.text()
      },
    })
    const turn = agent.send('Go')
    await shop.received(1)
    agent.stop()
    await shop.requests[0]?.gone
    expect(await turn).toMatchObject({ reason: 'stopped', toolExecutions: [{ error: { code: 'cancelled' } }] })
    expect(order).toEqual(['aborted', 'tool-result', 'turn-end'])
    expect((await stored())?.end).toMatchObject({ reason: 'stopped' })
    await agent.send('And now')
    expect(resultsOf(endpoint.requests[1])).toEqual([
      expect.stringMatching(/^Error \(cancelled\): Stopped by the user while it ran/),
    ])
    await shop.stop()
  },
)

test('removes listeners from a signal that outlives its call', { tag: '@C83' }, async ({ lab }) => {
  const { signal } = new AbortController()
  const { agent } = await lab.start([call('keep'), { text: '1' }, { text: '2' }])
  agent.registerTool(keeper([]), { signal })()
  agent.registerTool(keeper([]))
  agent.registerToolProvider(() => null, { signal })()
  await agent.send('Go', { signal })
  await agent.send('Again', { signal })
  await agent.callTool('keep', {}, { signal })
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('reports the class name of an error without message and name', { tag: ['@C84', '@R2.7'] }, async ({ lab }) => {
  class OrderGone extends Error {}
  const { agent, endpoint } = await lab.start([call('keep'), { text: 'I see' }])
  agent.registerTool(
    keeper([], {
      execute: () => {
        throw new OrderGone()
      },
    }),
  )
  await agent.send('Go')
  expect(resultsOf(endpoint.requests[1])).toEqual(['Error (execution-failed): OrderGone'])
})

test('treats a result with isError as a normal result', { tag: '@C85' }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start([call('keep'), { text: 'I see' }])
  agent.registerTool(keeper([], { execute: () => ({ isError: true, content: 'no stock' }) }))
  const [execution] = (await agent.send('Go')).toolExecutions
  expect(execution).toMatchObject({ output: { isError: true, content: 'no stock' } })
  expect(execution).not.toHaveProperty('error')
  expect(resultsOf(endpoint.requests[1])).toEqual(['{"isError":true,"content":"no stock"}'])
})

test(
  'converts values that JSON does not have, and reports the path of those it cannot convert',
  { tag: ['@C87', '@R2.8', '@F72'] },
  async ({ lab }) => {
    const loop: { self?: unknown } = {}
    loop.self = loop
    const results: unknown[] = [
      { id: 12345678901234567890n, map: new Map([['a', 1]]), loop },
      { list: [() => 1] },
      { mark: Symbol('x') },
      {
        inner: {
          get price() {
            throw new Error('gone')
          },
        },
      },
      new Proxy(
        { a: 1 },
        {
          ownKeys: () => {
            throw new Error('closed')
          },
        },
      ),
    ]
    const { agent, endpoint } = await lab.start([
      { calls: results.map((_, index) => ({ name: 'give', arguments: { index } })) },
      { text: 'I see' },
    ])
    agent.registerTool({
      name: 'give',
      description: 'Gives one of several odd things',
      ...schema({ index: { type: 'integer' } }),
      execute: ({ index }: { index: number }) => results[index],
    })
    await agent.send('Go')
    expect(resultsOf(endpoint.requests[1])).toEqual([
      '{"id":"12345678901234567890","map":[["a",1]],"loop":{"self":"[Circular]"}}',
      ...[
        'list[0] is a function',
        'mark is a symbol',
        'inner.price throws when it is read',
        'throws when it is read',
      ].map((why) =>
        expect.stringMatching(new RegExp(`^Error \\(not-serializable\\): .*${why.replace(/[[\]]/g, '\\$&')}`)),
      ),
    ])
  },
)

test(
  'a tool that is unregistered during its approval request does not run',
  { tag: ['@C88', '@R2.13', '@F78'] },
  async ({ lab }) => {
    const got: unknown[] = []
    const { agent, endpoint } = await lab.start([call('keep', {}, 'k1'), { text: 'I see' }])
    const remove = agent.registerTool(keeper(got, { needsApproval: true }))
    const turn = agent.send('Go')
    await until(agent, () => agent.status === 'awaiting-approval')
    remove()
    await agent.approve('k1')
    expect((await turn).reason).toBe('stop')
    expect(got).toEqual([])
    expect(resultsOf(endpoint.requests[1])).toEqual([
      expect.stringMatching(/^Error \(unavailable\): The tool 'keep' is no longer available/),
    ])
  },
)

test('does not run a tool whose definition changed after it was offered', { tag: '@F73' }, async ({ lab }) => {
  const { agent } = await lab.start([{ calls: [{ id: 'p', name: 'pay', arguments: {} }] }, { text: 'ok' }])
  const runs: string[] = []
  const pay = (what: string, annotations = {}) => ({
    name: 'pay',
    description: `Pays ${what}`,
    annotations,
    needsApproval: true,
    execute: () => {
      runs.push(what)
    },
  })
  const remove = agent.registerTool(pay('one bill'))
  const sent = agent.send('Go')
  await until(agent, () => agent.status === 'awaiting-approval')
  remove()
  agent.registerTool({ ...pay('all bills'), needsApproval: false })
  await agent.approve('p').catch(() => undefined)
  if (agent.status === 'awaiting-approval') await agent.deny('p').catch(() => undefined)
  await sent
  expect(runs).toEqual([])
})

test('a tool that is unregistered while it runs finishes', { tag: ['@C88', '@R2.13', '@F73'] }, async ({ lab }) => {
  const [began, hold] = [deferred(), deferred<string>()]
  const { agent, endpoint } = await lab.start([call('keep'), { text: 'Done' }])
  const remove = agent.registerTool(
    keeper([], {
      execute: () => {
        began.resolve()
        return hold.promise
      },
    }),
  )
  const turn = agent.send('Go')
  await began.promise
  remove()
  hold.resolve('to the end')
  await turn
  expect(resultsOf(endpoint.requests[1])).toEqual(['to the end'])
})

test('text next to calls does not end the turn, and turn-end is the last event', { tag: '@C91' }, async ({ lab }) => {
  const hold = deferred<string>()
  const { agent, events } = await lab.start([
    {
      text: 'Here is the answer.',
      calls: [
        { name: 'keep', arguments: {} },
        { name: 'slow', arguments: {} },
      ],
    },
    { text: 'Now it is.' },
  ])
  agent.registerTool([
    keeper([]),
    { name: 'slow', description: 'Takes as long as the test wants', execute: () => hold.promise },
  ])
  let isOver = false
  const turn = agent.send('Go').finally(() => {
    isOver = true
  })
  await until(agent, () => toolCallsOf(agent.messages.at(-1)).some((part) => part.result))
  expect(isOver).toBe(false)
  expect(agent.status).toBe('running')
  hold.resolve('slow')
  expect(await turn).toMatchObject({ text: 'Now it is.' })
  const types = events.map((event) => event.type).filter((type) => /^(step-end|tool-result|turn-end)$/.test(type))
  expect(types).toEqual(['step-end', 'tool-result', 'tool-result', 'step-end', 'turn-end'])
  expect(events.at(-1)?.type).toBe('turn-end')
})

test('settles stopped calls before the turn ends', { tag: ['@C91', '@R5.2'] }, async ({ lab }) => {
  const { agent, events } = await lab.start([
    {
      text: 'Working',
      calls: [
        { name: 'slow', arguments: {} },
        { name: 'slow', arguments: {} },
      ],
    },
  ])
  agent.registerTool({
    name: 'slow',
    description: 'Never comes to an end',
    execute: () => new Promise(() => undefined),
  })
  const turn = agent.send('Go')
  await until(agent, () => toolCallsOf(agent.messages.at(-1)).filter((part) => part.started).length === 2)
  agent.stop()
  await turn
  expect(events.map((event) => event.type).slice(-3)).toEqual(['tool-result', 'tool-result', 'turn-end'])
})

test('a direct result contains no reminder', { tag: ['@C93', '@R4.2'] }, async ({ lab }) => {
  const tick = (n: number) => call('keep', { n })
  const { agent, endpoint, stored } = await lab.start([
    { calls: [{ name: 'todo_write', arguments: { items: [{ text: 'a' }, { text: 'b' }] } }] },
    tick(1),
    tick(2),
    call('show'),
    { text: 'Next' },
  ])
  agent.registerTool([
    keeper([], schema({ n: { type: 'number' } })),
    { name: 'show', description: 'Shows something to the user', returnDirect: true, execute: () => 'shown' },
  ])
  const result = await agent.send('Go')
  expect(result).toMatchObject({ reason: 'direct', outputs: ['shown'], steps: 4 })
  await agent.send('And?')
  expect(endpoint.requests).toHaveLength(5)
  expect(endpoint.requests.some(({ raw }) => raw.includes('<reminder>'))).toBe(false)
  expect(JSON.stringify([result, agent.messages, await stored()])).not.toContain('<reminder>')
  expect(messagesOf(endpoint.requests[4]).at(-1)).toMatchObject({ role: 'user', content: 'And?' })
})

test('base64 in a result is a note for the model, and whole for the page', async ({ lab }) => {
  const bytes = Buffer.from(Array.from({ length: 45_000 }, (_, at) => (at * 7919) % 251)).toString('base64')
  const url = `data:image/png;base64,${bytes}`
  const inLines = bytes.replace(/.{76}/g, '$&\r\n')
  const words = 'Some-Words2/of+a_path-that-is-long-and-has-no-space-at-all/Item-'
  const list = Array.from({ length: 40 }, (_, at) => `${words}${'x'.repeat(at % 3)}${at}`).join('\n')
  const results: readonly unknown[] = [
    { ok: true, screenshot: url },
    { file: bytes },
    `See ${url} here`,
    { file: inLines, url: `data:application/pdf;base64,${inLines}` },
    `${inLines}\nThat was it`,
    'x'.repeat(3_000),
    list,
  ]
  const { agent, endpoint } = await lab.start([
    { calls: results.map((_, at) => ({ name: 'shoot', arguments: { at } })) },
    { text: 'ok' },
  ])
  agent.registerTool({
    name: 'shoot',
    description: 'Takes a picture of a part of the page',
    inputSchema: { type: 'object', properties: { at: { type: 'integer' } }, required: ['at'] },
    execute: ({ at }: { at: number }) => results[at],
  })
  const { toolExecutions } = await agent.send('Go')
  expect(resultsOf(endpoint.requests[1])).toEqual([
    '{"ok":true,"screenshot":"[image/png, 45 kB: left out, it is base64]"}',
    '{"file":"[file, 45 kB: left out, it is base64]"}',
    'See [image/png, 45 kB: left out, it is base64] here',
    '{"file":"[file, 45 kB: left out, it is base64]","url":"[application/pdf, 45 kB: left out, it is base64]"}',
    '[file, 45 kB: left out, it is base64]\nThat was it',
    'x'.repeat(3_000),
    list,
  ])
  expect(toolExecutions.map(({ output }) => output)).toEqual(results)
})
