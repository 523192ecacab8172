// One call, from the model's request to the stored result: a fixed order of checks, ended by the first failure.
import { z } from 'zod'
import { toolCallsOf } from '../../../../src/core/data/message.js'
import { ToolAgentError } from '../../../../src/core/data/errors.js'
import type { AgentOptions } from '../../../../src/page/options.js'
import type { AnyTool, ToolRun } from '../../../../src/page/tools/tool.js'
import { deferred, expect, test, until } from '../../../support/lab/lab.js'
import { messagesOf, resultsOf, toolNames } from '../../../support/lab/requests.js'
import { hurry } from '../../../support/lab/timers.js'

const tool = (name: string, more: Partial<AnyTool> = {}): AnyTool => ({
  name,
  description: `Does the work of ${name} for the user`,
  execute: () => `${name} ran`,
  ...more,
})
const call = (name: string, input: object | string = {}, id?: string) => ({
  name,
  arguments: input as never,
  ...(id ? { id } : {}),
})
const idSchema = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }
const anything = { type: 'object', additionalProperties: true }
const codes = (result: { toolExecutions: readonly { error?: { code: string } }[] }) =>
  result.toolExecutions.map(({ error }) => error?.code)

test('a call passes every check once, in a fixed order', { tag: '@R2.0' }, async ({ lab }) => {
  const line: string[] = []
  const seen = (what: string) => {
    line.push(what)
    return true
  }
  const { agent, events, log } = await lab.start([{ calls: [call('pay', { id: '1' }, 'p')] }, { text: 'ok' }], {
    hooks: {
      beforeTool: () => {
        seen('beforeTool')
      },
      afterTool: () => {
        seen('afterTool')
      },
    },
  })
  agent.onToolCall(() => seen('event'))
  agent.registerTool(
    tool('pay', {
      inputSchema: z.object({ id: z.string().refine(() => seen('validate')) }),
      outputSchema: z.object({ paid: z.boolean().refine(() => seen('outputSchema')) }),
      needsApproval: () => seen('needsApproval'),
      execute: () => {
        seen(`execute after ${log.filter((entry) => entry === 'post:tool-start').length} stored start`)
        return { paid: true }
      },
      toModelOutput: () => {
        seen('toModelOutput')
        return 'Paid.'
      },
    }),
  )
  agent.subscribe((event) => {
    if (event.type === 'approval-request') {
      seen('asked')
      void agent.approve(event.callId, { input: { id: '2' } })
    }
    if (event.type === 'tool-result') seen('stored result')
  })
  await agent.send('Go')
  const once = line.filter((what, at) => what !== line[at - 1])
  expect(once).toEqual([
    'validate',
    'beforeTool',
    'event',
    'needsApproval',
    'asked',
    'validate',
    'execute after 1 stored start',
    'outputSchema',
    'toModelOutput',
    'afterTool',
    'stored result',
  ])
  expect(events.filter(({ type }) => type === 'tool-start' || type === 'tool-result')).toHaveLength(2)
})

test('the first failed check settles the call, and later checks do not run', { tag: '@R2.0' }, async ({ lab }) => {
  const line: string[] = []
  const { agent, endpoint } = await lab.start(
    [
      {
        calls: [
          call('nope', '{"bad'),
          call('pay', '{"bad'),
          call('pay', {}, 'x'.repeat(30)),
          call('pay', { id: 'hook' }),
          call('pay', { id: 'event' }),
          call('pay', { id: 'policy' }),
        ],
      },
      { text: 'ok' },
    ],
    {
      hooks: {
        beforeTool: ({ input }) => {
          const { id } = input as { id: string }
          line.push(`beforeTool ${id}`)
          return id === 'hook' ? { refuse: 'not this' } : undefined
        },
      },
    },
  )
  agent.onToolCall((_call, input) => {
    const { id } = input as { id: string }
    line.push(`event ${id}`)
    return id !== 'event'
  })
  agent.registerTool(
    tool('pay', {
      inputSchema: idSchema,
      needsApproval: ({ id }: { id: string }) => {
        line.push(`needsApproval ${id}`)
        throw new Error('cannot tell')
      },
      execute: () => {
        line.push('execute')
      },
    }),
  )
  await agent.send('Go')
  expect(
    resultsOf(endpoint.requests[1]).map((text) => /\((.*?)\)|parse failed/.exec(text)?.[1] ?? 'format-error'),
  ).toEqual(['unknown-tool', 'format-error', 'invalid-input', 'refused', 'refused', 'refused'])
  expect(line).toEqual([
    'beforeTool hook',
    'beforeTool event',
    'event event',
    'beforeTool policy',
    'event policy',
    'needsApproval policy',
  ])
})

test(
  'format errors precede limits, and limits precede the validation of arguments',
  { tag: '@R2.0' },
  async ({ lab }) => {
    const { agent } = await lab.start(
      [{ calls: [call('pay', { id: '1' }), call('pay', '{"bad'), call('pay', {})] }, { text: 'ok' }],
      { limits: { toolCalls: 1 } },
    )
    agent.registerTool(tool('pay', { inputSchema: idSchema }))
    expect(codes(await agent.send('Go'))).toEqual([undefined, 'format-error', 'limit'])
  },
)

test('validates an input again after a hook changed it', { tag: '@R2.0' }, async ({ lab }) => {
  const runs: unknown[] = []
  const { agent, events } = await lab.start(
    [{ calls: [call('pay', { id: '1' }), call('pay', { id: '2' })] }, { text: 'ok' }],
    {
      hooks: {
        beforeTool: ({ input }) => ({
          input: (input as { id: string }).id === '1' ? { id: { not: 'a text' } } : { id: 'changed' },
        }),
      },
    },
  )
  agent.registerTool(
    tool('pay', {
      inputSchema: idSchema,
      execute: (input: unknown) => {
        runs.push(input)
      },
    }),
  )
  expect(codes(await agent.send('Go'))).toEqual(['invalid-input', undefined])
  expect(runs).toEqual([{ id: 'changed' }])
  // Refused before it starts, not by the tool.
  expect(events.filter(({ type }) => type === 'tool-start')).toHaveLength(1)
})

test(
  'builtin tools run without hooks, events and approval, but with limits and the loop guard',
  { tag: '@R2.0' },
  async ({ lab }) => {
    const line: string[] = []
    const same = { calls: [call('todo_write', { items: [{ text: 'a' }] })] }
    const { agent, endpoint } = await lab.start([same, same, same, same, same], {
      approval: 'always',
      hooks: {
        beforeTool: ({ name }) => {
          line.push(name)
        },
        afterTool: ({ name }) => {
          line.push(name)
        },
      },
    })
    agent.onToolCall(({ name }) => {
      line.push(name)
      return false
    })
    expect((await agent.send('Go')).reason).toBe('repeated-calls')
    expect(line).toEqual([])
    expect(resultsOf(endpoint.requests[4]).map((text) => text.startsWith('Warning: '))).toEqual([
      false,
      false,
      true,
      true,
    ])
  },
)

test('rejects keys that reach a prototype, at any depth', { tag: '@R2.1' }, async ({ lab }) => {
  let runs = 0
  const { agent } = await lab.start([
    {
      calls: [
        call('put', '{"__proto__":{"a":1}}'),
        call('put', '{"list":[{"constructor":{}}]}'),
        call('put', '{"a":1}'),
      ],
    },
    { text: 'ok' },
  ])
  agent.registerTool(
    tool('put', {
      inputSchema: anything,
      execute: () => {
        runs++
      },
    }),
  )
  expect(codes(await agent.send('Go'))).toEqual(['invalid-input', 'invalid-input', undefined])
  expect(runs).toBe(1)
})

test('drops the calls of a filtered answer and ends the turn as content-filter', { tag: '@R2.1' }, async ({ lab }) => {
  let runs = 0
  const { agent, stored } = await lab.start([
    { text: 'I was about to', calls: [call('put', { a: 1 })], finish: 'content_filter' },
  ])
  agent.registerTool(
    tool('put', {
      inputSchema: anything,
      execute: () => {
        runs++
      },
    }),
  )
  expect(await agent.send('Go')).toMatchObject({
    reason: 'content-filter',
    text: 'I was about to',
    toolExecutions: [],
  })
  expect(runs).toBe(0)
  expect((await stored())?.messages.flatMap(toolCallsOf)).toEqual([])
})

test(
  'counts one format error per step, and keeps the results of the valid calls',
  { tag: '@R2.2' },
  async ({ lab }) => {
    const bad = { calls: [call('put', '{"a":'), call('put', 'nonsense'), call('put', { a: 1 })] }
    const { agent, endpoint } = await lab.start([bad, bad, bad, bad])
    agent.registerTool(tool('put', { inputSchema: anything }))
    const result = await agent.send('Go')
    expect(result).toMatchObject({ reason: 'format-errors', steps: 4 })
    expect(codes(result).slice(0, 3)).toEqual(['format-error', 'format-error', undefined])
    expect(resultsOf(endpoint.requests[1])[2]).toBe('put ran')
  },
)

test('does not count arguments that fail the schema as format errors', { tag: '@R2.2' }, async ({ lab }) => {
  const wrong = (n: number) => ({ calls: [call('pay', { id: { n } })] })
  const { agent, endpoint } = await lab.start([1, 2, 3, 4, 5].map(wrong).concat({ text: 'done' } as never))
  agent.registerTool(tool('pay', { inputSchema: idSchema }))
  expect((await agent.send('Go')).reason).toBe('stop')
  expect(endpoint.requests).toHaveLength(6)
})

test(
  'stores the text of invalid arguments, and sends an empty object to the model',
  { tag: '@R2.2' },
  async ({ lab }) => {
    const { agent, endpoint, stored } = await lab.start([
      { calls: [call('put', '{"text": "x",}', 'bad-1')] },
      { text: 'ok' },
    ])
    agent.registerTool(tool('put', { inputSchema: anything }))
    await agent.send('Go')
    expect((await stored())?.messages.flatMap(toolCallsOf)[0]?.call).toEqual({
      id: 'bad-1',
      name: 'put',
      input: {},
      raw: '{"text": "x",}',
    })
    expect(messagesOf(endpoint.requests[1]).at(-2)).toMatchObject({ tool_calls: [{ function: { arguments: '{}' } }] })
    expect(resultsOf(endpoint.requests[1])[0]).toMatch(
      /^Tool call JSON parse failed\. Fix and retry\. Rules: strict RFC 8259 JSON, no trailing commas, no comments, no unescaped control characters in strings \(newline as \\n, tab as \\t\), all keys double-quoted\. Error: .+/,
    )
  },
)

test(
  'shows and runs the validated input: coerced, with defaults, without dropped keys',
  { tag: '@R2.3' },
  async ({ lab }) => {
    const runs: unknown[] = []
    const { agent } = await lab.start([{ calls: [call('add', { count: '2', extra: 'dropped' }, 'a')] }, { text: 'ok' }])
    agent.registerTool(
      tool('add', {
        needsApproval: true,
        inputSchema: z.object({ count: z.number(), gift: z.boolean().default(false) }),
        execute: (input: unknown) => {
          runs.push(input)
        },
      }),
    )
    const turn = agent.send('Go')
    await until(agent, () => agent.status === 'awaiting-approval')
    expect(toolCallsOf(agent.messages.at(-1))[0]?.approval?.input).toEqual({ count: 2, gift: false })
    await agent.approve('a')
    await turn
    expect(runs).toEqual([{ count: 2, gift: false }])
  },
)

test('coerces only without loss', { tag: '@R2.3' }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start([
    {
      calls: [
        call('add', { count: '9007199254740993' }),
        call('add', { count: '1e2x' }),
        call('add', { count: '007' }),
      ],
    },
    { text: 'ok' },
  ])
  agent.registerTool(
    tool('add', { inputSchema: { type: 'object', properties: { count: { type: 'number' } }, required: ['count'] } }),
  )
  expect(codes(await agent.send('Go'))).toEqual(['invalid-input', 'invalid-input', 'invalid-input'])
  expect(resultsOf(endpoint.requests[1]).every((text) => text.includes('count'))).toBe(true)
})

test(
  'starts calls in call order, even if the first one has to wait for the page',
  { tag: '@R2.4' },
  async ({ lab }) => {
    const { agent, events } = await lab.start([
      { calls: [call('one', {}, '1'), call('two', {}, '2'), call('three', {}, '3')] },
      { text: 'ok' },
    ])
    agent.registerTool([
      tool('one', { needsApproval: () => new Promise((resolve) => setImmediate(() => resolve(false))) }),
      tool('two'),
      tool('three'),
    ])
    await agent.send('Go')
    expect(events.flatMap((event) => (event.type === 'tool-start' ? [event.callId] : []))).toEqual(['1', '2', '3'])
  },
)

test(
  'checks an exclusive call after all earlier calls, and later calls after it',
  { tag: '@R2.4' },
  async ({ lab }) => {
    const hold = deferred()
    const checked: string[] = []
    const { agent } = await lab.start([{ calls: [call('slow'), call('fill'), call('after')] }, { text: 'ok' }], {
      hooks: {
        beforeTool: ({ name }) => {
          checked.push(name)
        },
      },
    })
    agent.registerTool([
      tool('slow', {
        execute: async () => {
          await hold.promise
          checked.push('slow done')
        },
      }),
      tool('fill', {
        exclusive: true,
        execute: async () => {
          await new Promise((resolve) => setImmediate(resolve))
          checked.push('fill done')
        },
      }),
      tool('after'),
    ])
    const turn = agent.send('Go')
    await until(agent, () => toolCallsOf(agent.messages.at(-1)).some((part) => part.started))
    hold.resolve()
    await turn
    expect(checked).toEqual(['slow', 'slow done', 'fill', 'fill done', 'after'])
  },
)

test('a call that awaits approval does not hold a slot', { tag: '@R2.4' }, async ({ lab }) => {
  const runs: string[] = []
  const { agent } = await lab.start([{ calls: [call('ask', {}, 'a'), call('b'), call('c')] }, { text: 'ok' }], {
    limits: { concurrency: 1 },
  })
  agent.registerTool([
    tool('ask', {
      needsApproval: true,
      execute: () => {
        runs.push('a')
      },
    }),
    ...['b', 'c'].map((name) =>
      tool(name, {
        execute: () => {
          runs.push(name)
        },
      }),
    ),
  ])
  const turn = agent.send('Go')
  await until(
    agent,
    () =>
      agent.status === 'awaiting-approval' &&
      toolCallsOf(agent.messages.at(-1)).filter((part) => part.result).length === 2,
  )
  expect(runs).toEqual(['b', 'c'])
  await agent.approve('a')
  await turn
  expect(runs).toEqual(['b', 'c', 'a'])
})

test('progress does not extend the time limit, and later values are ignored', { tag: '@R2.5' }, async ({ lab }) => {
  const goesOn = { isTrue: true }
  const { agent, events } = await lab.start([{ calls: [call('count')] }, { text: 'ok' }])
  agent.registerTool(
    tool('count', {
      timeout: 300,
      async *execute(_: unknown, { report }: ToolRun) {
        while (goesOn.isTrue) {
          report({ message: 'still here' })
          yield 'half'
          await new Promise((resolve) => setImmediate(resolve))
        }
      },
    }),
  )
  const result = await agent.send('Go')
  goesOn.isTrue = false
  // Reported by the page in time, not by a host that stopped waiting.
  expect(result.toolExecutions[0]?.error).toMatchObject({
    code: 'timeout',
    message: expect.stringContaining('within 300 ms'),
  })
  const at = events.findIndex(({ type }) => type === 'tool-result')
  expect(events.slice(at).filter(({ type }) => type === 'tool-progress')).toEqual([])
})

test('ignores the late result of an earlier attempt', { tag: '@R2.5' }, async ({ lab }) => {
  const late = deferred<string>()
  let runs = 0
  const { agent } = await lab.start([{ calls: [call('read')] }, { text: 'ok' }])
  agent.registerTool(
    tool('read', {
      annotations: { readOnlyHint: true },
      timeout: 20,
      execute: async () => {
        if (++runs === 1) return late.promise
        late.resolve('of the first attempt')
        await late.promise
        return 'of the second attempt'
      },
    }),
  )
  const clock = hurry(500)
  const result = await agent.send('Go').finally(() => clock.stop())
  expect(result.toolExecutions[0]).toMatchObject({ output: 'of the second attempt', attempts: 2 })
})

test('an attempt has 15 seconds by default, from the start of its function', { tag: '@R2.5' }, async ({ lab }) => {
  const hold = deferred()
  const { agent } = await lab.start([{ calls: [call('first'), call('second')] }, { text: 'ok' }], {
    limits: { concurrency: 1 },
  })
  let began = 0
  const clock = hurry(15_000)
  try {
    agent.registerTool([
      tool('first', { timeout: 0, execute: () => hold.promise }),
      tool('second', {
        execute: () => {
          began++
          return new Promise(() => undefined)
        },
      }),
    ])
    const turn = agent.send('Go')
    await until(agent, () => toolCallsOf(agent.messages.at(-1)).some((part) => part.started))
    // The second waits for its place; no clock runs for it.
    expect(clock.asked(15_000)).toBe(0)
    hold.resolve()
    expect(codes(await turn)).toEqual([undefined, 'timeout'])
    expect([began, clock.asked(15_000)]).toEqual([1, 1])
  } finally {
    clock.stop()
  }
})

test(
  'retries repeatable tools three times after a timeout, with half a second between attempts',
  { tag: '@R2.6' },
  async ({ lab }) => {
    const { agent } = await lab.start([{ calls: [call('read')] }, { text: 'ok' }])
    const clock = hurry(500)
    // Half seconds that were waited for by the time of each attempt.
    const waits: number[] = []
    agent.registerTool(
      tool('read', {
        annotations: { idempotentHint: true },
        timeout: 5,
        execute: () => {
          waits.push(clock.asked(500))
          return new Promise(() => undefined)
        },
      }),
    )
    const result = await agent.send('Go').finally(() => clock.stop())
    expect([waits.map((count) => count - (waits[0] ?? 0)), result.toolExecutions[0]?.attempts]).toEqual([
      [0, 1, 2, 3],
      4,
    ])
  },
)

test('does not retry a tool that threw', { tag: '@R2.6' }, async ({ lab }) => {
  let runs = 0
  const { agent } = await lab.start([{ calls: [call('read')] }, { text: 'ok' }])
  agent.registerTool(
    tool('read', {
      annotations: { readOnlyHint: true, idempotentHint: true },
      maxRetries: 3,
      execute: () => {
        runs++
        throw new Error('broken')
      },
    }),
  )
  const result = await agent.send('Go')
  expect([runs, result.toolExecutions[0]?.attempts]).toEqual([1, 1])
})

test(
  'a stopped call reports that it may have happened, unless its tool is repeatable',
  { tag: '@R2.6' },
  async ({ lab }) => {
    const { agent } = await lab.start([{ calls: [call('read'), call('write')] }])
    const hang = () => new Promise(() => undefined)
    agent.registerTool([
      tool('read', { annotations: { readOnlyHint: true }, execute: hang }),
      tool('write', { execute: hang }),
    ])
    const turn = agent.send('Go')
    await until(
      agent,
      () =>
        toolCallsOf(agent.messages.at(-1)).length === 2 &&
        toolCallsOf(agent.messages.at(-1)).every((part) => part.started),
    )
    agent.stop()
    const messages = (await turn).toolExecutions.map(({ error }) => error?.message)
    expect(messages).toEqual([
      expect.not.stringContaining('may still have happened'),
      expect.stringContaining('It may still have happened: check before you repeat it.'),
    ])
  },
)

test('the page decides what the model reads of an error', { tag: '@R2.7' }, async ({ lab }) => {
  const said = async (options: AgentOptions) => {
    const { agent, endpoint } = await lab.start([{ calls: [call('broken')] }, { text: 'ok' }], options)
    agent.registerTool(
      tool('broken', {
        execute: () => {
          throw new Error('row 7 of users')
        },
      }),
    )
    await agent.send('Go')
    return resultsOf(endpoint.requests[1])[0]
  }
  expect(await said({})).toBe('Error (execution-failed): row 7 of users')
  expect(await said({ exposeErrors: 'generic' })).toBe('Error (execution-failed): The tool failed.')
  expect(await said({ onToolError: () => 'Ask again tomorrow' })).toBe('Ask again tomorrow')
})

test('a failing call does not stop the other calls of its step', { tag: '@R2.7' }, async ({ lab }) => {
  const hold = deferred<string>()
  const aborted: boolean[] = []
  const { agent, endpoint, events } = await lab.start([{ calls: [call('slow'), call('broken')] }, { text: 'ok' }])
  agent.registerTool([
    tool('slow', {
      execute: (_: unknown, { signal }: ToolRun) => {
        signal.addEventListener('abort', () => aborted.push(true))
        return hold.promise
      },
    }),
    tool('broken', {
      execute: () => {
        throw new Error('broken')
      },
    }),
  ])
  const turn = agent.send('Go')
  await until(agent, () => toolCallsOf(agent.messages.at(-1)).some((part) => part.result?.error))
  hold.resolve('slow done')
  await turn
  expect(resultsOf(endpoint.requests[1])).toEqual(['slow done', 'Error (execution-failed): broken'])
  expect(events.filter(({ type }) => type === 'tool-result')).toHaveLength(2)
  expect(aborted).toEqual([])
})

test('treats content parts as JSON unless toModelOutput returned them', { tag: ['@C57', '@R2.8'] }, async ({ lab }) => {
  const content = [{ type: 'text', text: 'Looks like a content part' }]
  const { agent, endpoint } = await lab.start([{ calls: [call('plain'), call('made')] }, { text: 'ok' }])
  agent.registerTool([
    tool('plain', { execute: () => content }),
    tool('made', { execute: () => 1, toModelOutput: () => ({ type: 'content', value: content }) }),
  ])
  await agent.send('Go')
  expect(resultsOf(endpoint.requests[1])).toEqual([JSON.stringify(content), 'Looks like a content part'])
})

test('every result has a text, also for empty values', { tag: ['@C56', '@R2.8'] }, async ({ lab }) => {
  const values: Record<string, unknown> = { nothing: undefined, blank: '', list: [], nil: null, text: 'as it is' }
  const { agent, endpoint } = await lab.start([
    { calls: Object.keys(values).map((name) => call(name)) },
    { text: 'ok' },
  ])
  agent.registerTool(Object.entries(values).map(([name, value]) => tool(name, { execute: () => value })))
  await agent.send('Go')
  expect(resultsOf(endpoint.requests[1])).toEqual(['Success', '(empty result)', '[]', 'null', 'as it is'])
})

test(
  'a result is cut, fenced and prefixed with the warning, in this order, and stored as sent',
  { tag: '@R2.8' },
  async ({ lab }) => {
    const same = { calls: [call('page')] }
    const { agent, endpoint, stored } = await lab.start([same, same, same, { text: 'ok' }], {
      limits: { resultChars: 600 },
    })
    agent.registerTool(
      tool('page', {
        annotations: { untrustedContentHint: true, readOnlyHint: true },
        execute: () => 'word '.repeat(1_000),
      }),
    )
    await agent.send('Go')
    const third = resultsOf(endpoint.requests[3])[2]
    expect(third).toMatch(
      /^Warning: .* third time .*\n<untrusted-([0-9a-f]+)>\nword [^]*read_result\([^]*word \n<\/untrusted-\1>$/,
    )
    expect((await stored())?.messages.flatMap(toolCallsOf)[2]?.result?.modelOutput).toBe(third)
  },
)

test('read_result fences untrusted text and rejects ranges outside of it', { tag: '@R2.8' }, async ({ lab }) => {
  const read = (offset: number, limit: number) => call('read_result', { call_id: 'dump-1', offset, limit })
  const { agent, endpoint } = await lab.start(
    [
      { calls: [call('dump', {}, 'dump-1')] },
      { calls: [read(100, 5), read(99_999, 5), read(-1, 5), read(0, 0), call('read_result', { call_id: 'other' })] },
      { text: 'ok' },
    ],
    { limits: { resultChars: 600 } },
  )
  agent.registerTool(
    tool('dump', { annotations: { untrustedContentHint: true }, execute: () => '0123456789'.repeat(200) }),
  )
  await agent.send('Go')
  const [, first, ...others] = resultsOf(endpoint.requests[2])
  expect(first).toMatch(/^<untrusted-([0-9a-f]+)>\nCharacters 100 to 105 of 2000:\n01234\n<\/untrusted-\1>$/)
  expect(others).toEqual([
    'Error (invalid-input): offset: expected less than 2000, received 99999',
    'Error (invalid-input): offset: expected an integer >= 0, received -1',
    'Error (invalid-input): limit: expected an integer >= 1, received 0',
    'Error (invalid-input): call_id: expected the id of a cut result, received "other"',
  ])
})

test('remember() with undefined deletes the key for this turn and later ones', { tag: '@R2.9' }, async ({ lab }) => {
  const seen: unknown[] = []
  const look = { calls: [call('look')] }
  const { agent } = await lab.start([
    { calls: [call('set')] },
    { calls: [call('drop')] },
    look,
    { text: 'ok' },
    look,
    { text: 'ok' },
  ])
  agent.registerTool([
    tool('set', {
      execute: (_: unknown, { remember }: ToolRun) => {
        remember('cart', 'c1')
      },
    }),
    tool('drop', {
      execute: (_: unknown, { remember }: ToolRun) => {
        remember('cart', undefined)
      },
    }),
    tool('look', {
      execute: (_: unknown, { toolContext }: ToolRun) => {
        seen.push(toolContext)
      },
    }),
  ])
  await agent.send('Go')
  await agent.send('Again')
  expect(seen).toEqual([{}, {}])
})

test('discards the context changes of an attempt that timed out', { tag: '@R2.9' }, async ({ lab }) => {
  let runs = 0
  const { agent } = await lab.start([{ calls: [call('read')] }, { text: 'ok' }])
  agent.registerTool(
    tool('read', {
      annotations: { readOnlyHint: true },
      timeout: 20,
      execute: (_: unknown, { remember }: ToolRun) => {
        if (++runs === 1) {
          remember('first', true)
          return new Promise(() => undefined)
        }
        remember('second', true)
        return 'ok'
      },
    }),
  )
  const clock = hurry(500)
  await agent.send('Go').finally(() => clock.stop())
  expect(agent.session?.context).toEqual({ second: true })
})

test(
  'a step with only direct results ends the turn with all outputs, in call order',
  { tag: '@R2.10' },
  async ({ lab }) => {
    const { agent, endpoint } = await lab.start([{ calls: [call('show'), call('also')] }, { text: 'next' }])
    agent.registerTool([
      tool('show', { returnDirect: true, execute: () => 1 }),
      tool('also', { returnDirect: 'if-last', execute: () => 2 }),
    ])
    expect(await agent.send('Go')).toMatchObject({ reason: 'direct', outputs: [1, 2], steps: 1 })
    expect(endpoint.requests).toHaveLength(1)
    // History still holds calls and results.
    await agent.send('And now?')
    expect(resultsOf(endpoint.requests[1])).toEqual(['1', '2'])
  },
)

for (const [how, more] of [
  ['denied', { needsApproval: true }],
  [
    'refused',
    {
      needsApproval: () => {
        throw new Error('no')
      },
    },
  ],
  ['timeout', { timeout: 5, execute: () => new Promise(() => undefined) }],
] as const) {
  test(`a step with a call that is ${how} does not end as direct`, { tag: '@R2.10' }, async ({ lab }) => {
    const { agent } = await lab.start([{ calls: [call('bad', {}, 'bad-1'), call('show')] }, { text: 'I heard of it' }])
    agent.registerTool([
      tool('bad', { returnDirect: true, ...more } as Partial<AnyTool>),
      tool('show', { returnDirect: 'if-last' }),
    ])
    const turn = agent.send('Go')
    if (how === 'denied') {
      await until(agent, () => agent.status === 'awaiting-approval')
      await agent.deny('bad-1')
    }
    expect(await turn).toMatchObject({
      reason: 'stop',
      text: 'I heard of it',
      toolExecutions: [{ error: { code: how } }, { output: 'show ran' }],
    })
  })
}

test('a turn ends at its time limit and can be continued', { tag: '@R2.11' }, async ({ lab }) => {
  const { agent } = await lab.start([{ calls: [call('slow')] }, { text: 'done' }], { limits: { turn: 500 } })
  agent.registerTool(tool('slow', { timeout: 0, execute: () => new Promise(() => undefined) }))
  const result = await agent.send('Go')
  expect([result.reason, ...codes(result)]).toEqual(['max-time', 'cancelled'])
  expect((await agent.continue()).text).toBe('done')
})

test(
  'calls before a limit keep their results, and continue() resets the counters',
  { tag: '@R2.11' },
  async ({ lab }) => {
    const { agent, endpoint } = await lab.start(
      [{ calls: [call('a'), call('b')] }, { calls: [call('b')] }, { calls: [call('c')] }, { text: 'done' }],
      { limits: { toolCalls: 1 } },
    )
    agent.registerTool(['a', 'b', 'c'].map((name) => tool(name)))
    expect((await agent.send('Go')).reason).toBe('max-tool-calls')
    const result = await agent.continue()
    expect(result).toMatchObject({ reason: 'stop', text: 'done', toolExecutions: [{ output: 'c ran' }] })
    const limited = expect.stringContaining('limit')
    expect(resultsOf(endpoint.requests[2])).toEqual(['a ran', limited, limited])
  },
)

test(
  'another call resets the repetition count, and the order of keys does not matter',
  { tag: '@R2.12' },
  async ({ lab }) => {
    let runs = 0
    const same = [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ].map((input) => call('put', input))
    const script = [...same, ...same, call('other'), ...same, ...same].map((one) => ({ calls: [one] }))
    const { agent } = await lab.start([...script, { text: 'ok' }])
    agent.registerTool([
      tool('put', {
        inputSchema: anything,
        execute: () => {
          runs++
        },
      }),
      tool('other'),
    ])
    expect((await agent.send('Go')).reason).toBe('stop')
    expect(runs).toBe(8)
    const again = await lab.start([...same, ...same, ...same].slice(0, 5).map((one) => ({ calls: [one] })))
    again.agent.registerTool(tool('put', { inputSchema: anything }))
    expect((await again.agent.send('Go')).reason).toBe('repeated-calls')
  },
)

test('counts repetitions inside one step, including failed calls', { tag: '@R2.12' }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start(
    [2, 1, 2].map((length) => ({ calls: Array.from({ length }, () => call('broken')) })),
  )
  agent.registerTool(
    tool('broken', {
      execute: () => {
        throw new Error('broken')
      },
    }),
  )
  const result = await agent.send('Go')
  expect(result.reason).toBe('repeated-calls')
  expect(codes(result)).toEqual([
    'execution-failed',
    'execution-failed',
    'execution-failed',
    'execution-failed',
    'limit',
  ])
  expect(result.toolExecutions.map(({ modelOutput }) => String(modelOutput).startsWith('Warning: '))).toEqual([
    false,
    false,
    true,
    true,
    false,
  ])
  expect(endpoint.requests).toHaveLength(3)
})

test(
  'todo_read and page_wait may repeat and do not reset the count of other calls',
  { tag: '@R2.12' },
  async ({ lab }) => {
    const read = call('todo_read')
    const wait = call('page_wait')
    const { agent } = await lab.start([...Array.from({ length: 6 }, () => ({ calls: [read, wait] })), { text: 'ok' }])
    agent.registerTool(tool('page_wait'))
    expect((await agent.send('Go')).reason).toBe('stop')
    const row = await lab.start(Array.from({ length: 5 }, () => ({ calls: [call('same'), read] })))
    row.agent.registerTool(tool('same'))
    expect((await row.agent.send('Go')).reason).toBe('repeated-calls')
  },
)

test(
  'runs the function that is registered when the call starts, if its definition is unchanged',
  { tag: '@R2.13' },
  async ({ lab }) => {
    const seen: string[] = []
    const { agent } = await lab.start([{ calls: [call('swap'), call('work')] }, { text: 'ok' }], {
      limits: { concurrency: 1 },
    })
    const work = (who: string) =>
      tool('work', {
        execute: () => {
          seen.push(who)
        },
      })
    agent.registerTool([
      tool('swap', {
        execute: () => {
          agent.registerTool(work('the new function'), { replace: true })
        },
      }),
      work('the old function'),
    ])
    await agent.send('Go')
    expect(seen).toEqual(['the new function'])
  },
)

test('a running call finishes although its tool is unregistered or replaced', { tag: '@R2.13' }, async ({ lab }) => {
  const [began, hold] = [deferred(), deferred<string>()]
  const { agent, endpoint } = await lab.start([{ calls: [call('slow')] }, { text: 'ok' }])
  const remove = agent.registerTool(
    tool('slow', {
      execute: () => {
        began.resolve()
        return hold.promise
      },
    }),
  )
  const turn = agent.send('Go')
  await began.promise
  remove()
  agent.registerTool(tool('slow', { description: 'Does something else than was offered', execute: () => 'another' }))
  hold.resolve('its own')
  await turn
  expect(resultsOf(endpoint.requests[1])).toEqual(['its own'])
  expect(toolNames(endpoint.requests[1])).toContain('slow')
})

test('a tool can set the code of its error', { tag: '@R2.7' }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start([{ calls: [call('gone')] }, { text: 'ok' }])
  agent.registerTool(
    tool('gone', {
      execute: () => {
        throw new ToolAgentError('stale-ref', 'The field is gone')
      },
    }),
  )
  await agent.send('Go')
  expect(resultsOf(endpoint.requests[1])).toEqual(['Error (stale-ref): The field is gone'])
})
