// Turns as their caller and the user see them: stop, queue, continue, retries, and where errors are reported.
import { toolCallsOf } from '../../../../src/core/data/message.js'
import type { ToolRun, AnyTool } from '../../../../src/page/tools/tool.js'
import type { ToolAgentError } from '../../../../src/core/data/errors.js'
import { deferred, expect, test, until } from '../../../support/lab/lab.js'
import { resultsOf, toolNames } from '../../../support/lab/requests.js'

const tool = (name: string, more: Partial<AnyTool> = {}): AnyTool => ({
  name,
  description: `Does the work of ${name} for the user`,
  execute: () => `${name} ran`,
  ...more,
})
const call = (name: string, id?: string) => ({ name, arguments: {}, ...(id ? { id } : {}) })
const busy = { status: 503, body: { error: { message: 'busy' } } }
const chunk = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`

test('stop closes the streaming connection before turn-end', { tag: '@R5.2' }, async ({ lab }) => {
  const { agent, endpoint, log } = await lab.start([{ raw: [chunk('So far')], end: 'hang' }])
  const turn = agent.send('Go')
  await until(agent, () => agent.session?.draft?.parts.length === 1)
  agent.stop()
  expect(await turn).toMatchObject({ reason: 'stopped', text: 'So far' })
  await endpoint.requests[0]?.gone
  expect(endpoint.requests[0]?.aborted).toBe(true)
  expect(agent.messages.at(-1)).toMatchObject({ reason: 'stopped' })
  expect(log.at(-1)).toBe('post:turn-end')
})

test('stop aborts all running tools and ignores their late results', { tag: '@R5.2' }, async ({ lab }) => {
  const late = [deferred<string>(), deferred<string>()]
  const order: string[] = []
  const { agent, events, stored } = await lab.start([{ calls: [call('a'), call('b')] }])
  agent.registerTool(
    ['a', 'b'].map((name, index) =>
      tool(name, {
        execute: (_: unknown, { signal, report }: ToolRun) => {
          signal.addEventListener('abort', () => {
            order.push(`${name} aborted`)
            report({ message: 'too late' })
          })
          return late[index]?.promise
        },
      }),
    ),
  )
  const turn = agent.send('Go')
  await until(
    agent,
    () =>
      toolCallsOf(agent.messages.at(-1)).length === 2 &&
      toolCallsOf(agent.messages.at(-1)).every((part) => part.started),
  )
  agent.subscribe((event) => {
    if (event.type === 'tool-result' || event.type === 'turn-end') order.push(event.type)
  })
  agent.stop()
  await turn
  expect(order).toEqual(['a aborted', 'b aborted', 'tool-result', 'tool-result', 'turn-end'])
  const before = await stored()
  for (const one of late) one.resolve('late')
  // The next stored event follows everything that they could have caused.
  agent.remember('after', true)
  await until(agent, () => agent.session?.context['after'] === true)
  expect((await stored())?.messages).toEqual(before?.messages)
  expect(events.some(({ type }) => type === 'tool-progress')).toBe(false)
})

test('returns queued messages when the turn ends with an error', { tag: '@R5.3' }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start([{ status: 400, body: { error: { message: 'no such thing' } } }])
  const [first, second] = [agent.send('1'), agent.send('2')]
  await expect(first).rejects.toMatchObject({ code: 'bad-request' })
  await expect(second).rejects.toMatchObject({ code: 'cancelled' })
  expect(agent.queue).toEqual([])
  expect(endpoint.requests).toHaveLength(1)
})

test('queued messages run as one turn each, in order', { tag: '@R5.3' }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start([{ text: 'one' }, { text: 'two' }, { text: 'three' }])
  const results = await Promise.all(['1', '2', '3'].map((text) => agent.send(text)))
  expect(results.map(({ text }) => text)).toEqual(['one', 'two', 'three'])
  expect(endpoint.requests).toHaveLength(3)
})

test('continue() continues a stopped turn, if there is one', { tag: '@R5.5' }, async ({ lab }) => {
  const { agent } = await lab.start([{ raw: [chunk('Half')], end: 'hang' }, { text: ' and the rest' }])
  const turn = agent.send('Go')
  await until(agent, () => agent.session?.draft?.parts.length === 1)
  await expect(agent.continue()).rejects.toMatchObject({ code: 'invalid-option' })
  agent.stop()
  await turn
  expect(await agent.continue()).toMatchObject({ text: ' and the rest', reason: 'stop' })
  await expect(agent.continue()).rejects.toMatchObject({ code: 'invalid-option' })
})

test('the next model call of a stepped turn waits for its caller', { tag: '@R5.4' }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start([{ calls: [call('look')] }, { text: 'ok' }])
  agent.registerTool(tool('look'))
  const steps = agent.step('Go')
  const first = await steps.next()
  if (first.done) throw new Error('there is no step')
  await first.value.execute()
  // The next stored event follows everything that the host could have done on its own.
  agent.remember('later', true)
  await until(agent, () => agent.session?.context['later'] === true)
  agent.registerTool(tool('more'))
  await steps.next()
  expect(endpoint.requests.map(toolNames)).toEqual([
    ['todo_write', 'todo_read', 'look'],
    ['todo_write', 'todo_read', 'look', 'more'],
  ])
  await steps.return()
})

test('retries a busy server twice with a growing delay', { tag: '@R5.7' }, async ({ lab }) => {
  const { agent, endpoint, events } = await lab.start([busy, busy, busy])
  const error = await agent.send('Go').catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'server' })
  expect(endpoint.requests).toHaveLength(3)
  const delays = events.flatMap((event) => (event.type === 'step-retry' ? [event.delay] : []))
  expect(delays).toHaveLength(2)
  for (const [attempt, delay] of delays.entries()) {
    expect(delay).toBeGreaterThanOrEqual(250 * 2 ** attempt)
    expect(delay).toBeLessThanOrEqual(500 * 2 ** attempt)
  }
})

test('retries a connection that broke before the first part only', { tag: '@R5.7' }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start([
    { refuse: true },
    { text: 'ok' },
    { raw: [chunk('Half')], end: 'reset' },
  ])
  expect((await agent.send('Go')).text).toBe('ok')
  await expect(agent.send('Again')).rejects.toMatchObject({ turn: { text: 'Half' } })
  expect(endpoint.requests).toHaveLength(3)
  // Also if the server reports that a retry may help.
  endpoint.push({
    sse: [{ choices: [{ index: 0, delta: { content: 'Part' } }] }, { error: { message: 'Overloaded', code: 503 } }],
    done: false,
  })
  await expect(agent.send('And again')).rejects.toMatchObject({ code: 'server', turn: { text: 'Part' } })
  expect(endpoint.requests).toHaveLength(4)
})

test(
  'waits for Retry-After up to a minute, and does not retry an exceeded quota',
  { tag: '@R5.7' },
  async ({ lab }) => {
    const asked = async (reply: object) => {
      const { agent, events } = await lab.start([reply as never])
      const turn = agent.send('Go')
      turn.catch(() => undefined)
      await until(agent, () => events.some(({ type }) => type === 'step-retry' || type === 'turn-end'))
      agent.stop()
      await turn.catch(() => undefined)
      return events.flatMap((event) => (event.type === 'step-retry' ? [event.delay] : []))
    }
    expect(await asked({ status: 429, headers: { 'retry-after': '7' }, body: {} })).toEqual([7_000])
    expect(await asked({ status: 429, headers: { 'retry-after': '3600' }, body: {} })).toEqual([60_000])
    expect(
      await asked({
        status: 429,
        body: { error: { code: 'insufficient_quota', message: 'You exceeded your current quota' } },
      }),
    ).toEqual([])
  },
)

test('times out in silence between two parts, also after a comment', { tag: '@R5.7' }, async ({ lab }) => {
  const beat = deferred()
  const timer = setInterval(() => beat.resolve(), 10)
  const { agent } = await lab.start(() => ({ raw: [chunk('Half'), beat.promise, ': still here\n\n'], end: 'hang' }), {
    limits: { betweenParts: 150 },
  })
  try {
    await expect(agent.send('Go')).rejects.toMatchObject({ code: 'model-timeout', turn: { text: 'Half' } })
  } finally {
    clearInterval(timer)
  }
})

test('a tool’s error is its result, not an error of the agent', { tag: '@R5.8' }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start([{ calls: [call('broken')] }, { text: 'I see' }])
  const errors: unknown[] = []
  agent.observe((notice) => {
    if (notice.type === 'error') errors.push(notice.error)
  })
  agent.registerTool(
    tool('broken', {
      execute: () => {
        throw new Error('broken')
      },
    }),
  )
  expect(await agent.send('Go')).toMatchObject({
    reason: 'stop',
    text: 'I see',
    toolExecutions: [{ error: { code: 'execution-failed' } }],
  })
  expect(resultsOf(endpoint.requests[1])).toEqual(['Error (execution-failed): broken'])
  expect([errors, agent.error]).toEqual([[], null])
})

test('reports model errors to the user, and never stores them in messages', { tag: '@R5.8' }, async ({ lab }) => {
  const { agent, events, stored } = await lab.start([
    { calls: [call('look')] },
    ...Array.from({ length: 2 }, () => ({ status: 401, body: { error: { message: 'no key' } } })),
  ])
  agent.registerTool(tool('look'))
  const error = (await agent.send('Go').catch((thrown: unknown) => thrown)) as ToolAgentError
  expect(error).toMatchObject({
    code: 'unauthorized',
    turn: { reason: 'error', error: { code: 'unauthorized' }, toolExecutions: [{ output: 'look ran' }] },
  })
  expect(events.at(-1)).toMatchObject({ type: 'turn-end', reason: 'error', error: { code: 'unauthorized' } })
  expect(JSON.stringify((await stored())?.messages)).not.toContain('no key')
})

test('throws programmer errors immediately', { tag: '@R5.8' }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start([])
  const errors: unknown[] = []
  agent.observe((notice) => {
    if (notice.type === 'error') errors.push(notice.error)
  })
  expect(() => agent.registerTool({ name: 'not a name' })).toThrow(/1 to 64 letters/)
  expect(() => agent.configure({ limits: { steps: -1 } })).toThrow(/limits\.steps/)
  await expect(agent.send('Go', { toolChoice: 'maybe' as never })).rejects.toMatchObject({ code: 'invalid-option' })
  expect(errors).toEqual([])
  expect(endpoint.requests).toHaveLength(0)
})

test('a stop resolves the promise without an error', { tag: '@R5.8' }, async ({ lab }) => {
  const { agent, events } = await lab.start([{ raw: [chunk('Half')], end: 'hang' }])
  const errors: unknown[] = []
  agent.observe((notice) => {
    if (notice.type === 'error') errors.push(notice.error)
  })
  const turn = agent.send('Go')
  await until(agent, () => agent.session?.draft?.parts.length === 1)
  agent.stop()
  const result = await turn
  expect(result.reason).toBe('stopped')
  expect(result).not.toHaveProperty('error')
  expect(events.at(-1)).not.toHaveProperty('error')
  expect(errors).toEqual([])
})
