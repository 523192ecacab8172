// `run.ask`: what a running tool asks the user, how it is answered, and what is left of it when the page or the turn ends.
import { z } from 'zod'
import { toolCallsOf } from '../../../../src/core/data/message.js'
import { answersText } from '../../../../src/core/data/form-question.js'
import { questionProblem } from '../../../../src/core/data/question-bounds.js'
import { createAgent, type Agent } from '../../../../src/page/agent.js'
import { Attempt, type PausedAttempt } from '../../../../src/page/tools/attempt.js'
import type { AnyTool, AskOptions, ToolRun } from '../../../../src/page/tools/tool.js'
import { agentTool } from '../../../../src/page/tools/agent-tool.js'
import { scriptedModel } from '../../../../src/testing/scripted-model.js'
import { deferred, expect, test, until } from '../../../support/lab/lab.js'
import { resultsOf } from '../../../support/lab/requests.js'

const call = (name: string, id = name) => ({ name, arguments: {}, id })
const asks = (agent: Agent) => agent.questions[0]?.approval?.asks
const asked = (agent: Agent, message?: string) =>
  until(agent, () => asks(agent) !== undefined && (message === undefined || asks(agent)?.message === message))
const partOf = (agent: Agent, id: string) => agent.messages.flatMap(toolCallsOf).find((part) => part.call.id === id)

const size = z.object({ size: z.enum(['S', 'L']).meta({ title: 'Size' }), note: z.string().optional() })
/** A tool that asks for a size, and returns the answer. */
const order = (more: Partial<AnyTool> = {}, question: AskOptions = { message: 'Which size?', schema: size }) => ({
  name: 'order',
  title: 'Order a shirt',
  description: 'Orders a shirt',
  execute: (_: never, { ask }: ToolRun) => ask(question),
  ...more,
})

test('a tool gets the validated answer, and the model its result', { tag: '@R2.15' }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start([{ calls: [call('order')] }, { text: 'ok' }])
  agent.registerTool(order())
  const turn = agent.send('Go')
  await asked(agent)
  expect(agent.status).toBe('awaiting-approval')
  expect(asks(agent)).toEqual({
    hash: expect.stringMatching(/^[\da-f]{64}$/) as unknown as string,
    message: 'Which size?',
    schema: expect.objectContaining({
      properties: expect.objectContaining({ note: { type: 'string' } }) as object,
    }) as object,
  })
  expect(partOf(agent, 'order')).toMatchObject({ held: true, approval: { title: 'Order a shirt' } })
  for (const content of [{ size: 'M' }, {}, { size: 'S', colour: 'red' }])
    await expect(agent.answer('order', { action: 'accept', content })).rejects.toMatchObject({ code: 'invalid-input' })
  await expect(agent.approve('order')).rejects.toMatchObject({ code: 'invalid-option' })
  await expect(agent.answer('order', { action: 'yes' } as never)).rejects.toMatchObject({ code: 'invalid-option' })
  await agent.answer('order', { action: 'accept', content: { size: 'L' } })
  await agent.answer('order', { action: 'decline' })
  await turn
  expect(resultsOf(endpoint.requests[1])).toEqual(['{"action":"accept","content":{"size":"L"}}'])
  expect(partOf(agent, 'order')?.answers).toMatchObject([
    { message: 'Which size?', action: 'accept', content: { size: 'L' } },
  ])
  expect(agent.questions).toEqual([])
})

for (const action of ['decline', 'cancel'] as const)
  test(`the user answers ${action}, and the tool goes on`, { tag: '@R2.15' }, async ({ lab }) => {
    const { agent } = await lab.start([{ calls: [call('order')] }, { text: 'ok' }])
    agent.registerTool(order())
    const turn = agent.send('Go')
    await asked(agent)
    await (action === 'decline' ? agent.deny('order') : agent.answer('order', { action }))
    expect((await turn).toolExecutions[0]?.output).toEqual({ action })
  })

test('an answer that only the schema of the author refuses is asked again', { tag: '@R2.15' }, async ({ lab }) => {
  const { agent } = await lab.start([{ calls: [call('order')] }, { text: 'ok' }])
  const schema = z.object({ day: z.string().refine((day) => day !== 'Sunday', { error: 'Closed on Sunday.' }) })
  agent.registerTool(order({}, { message: 'When?', schema }))
  const turn = agent.send('Go')
  await asked(agent)
  await expect(agent.answer('order', { action: 'accept', content: { day: 'Sunday' } })).rejects.toMatchObject({
    details: [expect.objectContaining({ path: 'day', message: 'Closed on Sunday.' })],
  })
  await agent.answer('order', { action: 'accept', content: { day: 'Monday' } })
  expect((await turn).toolExecutions[0]?.output).toEqual({ action: 'accept', content: { day: 'Monday' } })
})

test('questions of a call are asked one after another, and each once', { tag: '@R2.15' }, async ({ lab }) => {
  const { agent } = await lab.start([{ calls: [call('order')] }, { text: 'ok' }])
  const schema = { type: 'object', properties: {} } as const
  agent.registerTool(
    order({
      execute: (_: never, { ask }: ToolRun) =>
        Promise.all(
          ['First?', 'Second?'].map(async (message) => `${message} ${(await ask({ message, schema })).action}`),
        ),
    }),
  )
  const turn = agent.send('Go')
  await asked(agent, 'First?')
  await agent.answer('order', { action: 'accept', content: {} })
  await asked(agent, 'Second?')
  await agent.answer('order', { action: 'decline' })
  expect((await turn).toolExecutions[0]?.output).toEqual(['First? accept', 'Second? decline'])
})

test('no time-out runs while the user is asked, and the time begins anew after it', { tag: '@R2.5' }, async () => {
  const { signal } = new AbortController()
  const attempt = new Attempt(20, signal)
  const answered = attempt.pause<string>({ held: [] })
  const paused = await attempt.next(new Promise<PausedAttempt>(() => undefined))
  // A timer of the attempt would end before this one.
  await new Promise((resolve) => setTimeout(resolve, 40))
  expect(attempt.isTimedOut).toBe(false)
  paused.goOn('yes', signal)
  expect(await answered).toBe('yes')
  await new Promise((resolve) => attempt.signal.addEventListener('abort', resolve))
  expect(attempt.isTimedOut).toBe(true)
})

test('a call that asks holds no slot, and other exclusive tools run', { tag: '@R2.4' }, async ({ lab }) => {
  const script = [{ calls: [call('order'), call('other')] }, { text: 'ok' }]
  const { agent } = await lab.start(script, { limits: { concurrency: 1 } })
  const ran = deferred()
  agent.registerTool([order(), { name: 'other', description: 'Runs', execute: () => ran.resolve() }])
  const turn = agent.send('Go')
  await asked(agent)
  await ran.promise
  // The page's own lock of exclusive tools is free, too.
  agent.registerTool({ name: 'alone', description: 'Alone', exclusive: true, execute: () => 'done' })
  expect(await agent.callTool('alone')).toBe('done')
  await agent.answer('order', { action: 'cancel' })
  await turn
})

test('a call that only reads asks, too', { tag: '@R2.15' }, async ({ lab }) => {
  const { agent, log } = await lab.start([{ calls: [call('order'), call('look')] }, { text: 'ok' }])
  const annotations = { readOnlyHint: true }
  agent.registerTool([
    order({ annotations }),
    { name: 'look', description: 'Looks', annotations, execute: () => 'seen' },
  ])
  const turn = agent.send('Go')
  await asked(agent)
  await agent.answer('order', { action: 'accept', content: { size: 'S' } })
  expect((await turn).toolExecutions.map(({ output }) => output)).toEqual([
    { action: 'accept', content: { size: 'S' } },
    'seen',
  ])
  expect(log.length).toBeGreaterThan(0)
})

test('a tool of an agent inside a call asks', { tag: '@R2.15' }, async ({ lab }) => {
  const script = [
    { calls: [{ name: 'helper', arguments: { task: 'Order' }, id: 'helper' }] },
    { calls: [call('order')] },
    { text: 'inner' },
    { text: 'ok' },
  ]
  const { agent } = await lab.start(script)
  const tools = [order()]
  agent.registerTool(agentTool({ name: 'helper', description: 'Helps', instructions: 'Order.', tools }))
  const turn = agent.send('Go')
  await asked(agent)
  await agent.answer('order', { action: 'accept', content: { size: 'S' } })
  expect((await turn).text).toBe('ok')
})

test('a tool that ends while it waits has its result, and its question is gone', { tag: '@R2.15' }, async ({ lab }) => {
  const { agent } = await lab.start([{ calls: [call('order')] }, { text: 'ok' }])
  const soon = deferred()
  agent.registerTool(
    order({
      execute: (_: never, { ask }: ToolRun) =>
        Promise.race([ask({ message: 'Now?', schema: size }), soon.promise.then(() => 'without an answer')]),
    }),
  )
  const turn = agent.send('Go')
  await asked(agent)
  soon.resolve()
  expect((await turn).toolExecutions[0]?.output).toBe('without an answer')
  expect(agent.questions).toEqual([])
})

test('an answer that crosses the end of the tool changes nothing', { tag: '@R2.15' }, async ({ lab }) => {
  const { agent } = await lab.start([{ calls: [call('order')] }, { text: 'ok' }])
  const soon = deferred()
  agent.registerTool(
    order({
      execute: (_: never, { ask }: ToolRun) =>
        Promise.race([ask({ message: 'Now?', schema: size }), soon.promise.then(() => 'without an answer')]),
    }),
  )
  const turn = agent.send('Go')
  await asked(agent)
  // The answer leaves first, and is heard after the tool has ended.
  const answered = agent.answer('order', { action: 'decline' })
  soon.resolve()
  await answered
  const [ran] = (await turn).toolExecutions
  expect([{ action: 'decline' }, 'without an answer']).toContainEqual(ran?.output)
  expect(agent.questions).toEqual([])
})

test('a tool withdraws its question, which ends as cancel', { tag: '@R2.15' }, async ({ lab }) => {
  for (const isEarly of [true, false]) {
    const { agent } = await lab.start([{ calls: [call('order')] }, { text: 'ok' }])
    const withdrawn = new AbortController()
    agent.registerTool(
      order({
        execute: (_: never, { ask }: ToolRun) => {
          const answer = ask({ message: 'Now?', schema: size, signal: withdrawn.signal })
          if (isEarly) setTimeout(() => withdrawn.abort())
          return answer
        },
      }),
    )
    const turn = agent.send('Go')
    if (!isEarly) {
      await asked(agent)
      withdrawn.abort()
    }
    expect((await turn).toolExecutions[0]?.output).toEqual({ action: 'cancel' })
  }
})

for (const [how, code, end] of [
  ['Stop', 'cancelled', (agent: Agent) => agent.stop()],
  ['another message', 'superseded', (agent: Agent) => agent.send('No')],
] as const)
  test(`${how} ends the call, and the tool learns it`, { tag: '@R2.15' }, async ({ lab }) => {
    const { agent } = await lab.start(
      how === 'Stop' ? [{ calls: [call('order')] }] : [{ calls: [call('order')] }, { text: 'ok' }],
    )
    const told = deferred<string>()
    agent.registerTool(
      order({
        execute: (_: never, { ask }: ToolRun) =>
          ask({ message: 'Which size?', schema: size }).catch((reason: Error) => told.resolve(reason.message)),
      }),
    )
    const turn = agent.send('Go')
    await asked(agent)
    await end(agent)
    await turn.catch(() => undefined)
    expect(await told.promise).toBe('The call was settled')
    expect(partOf(agent, 'order')?.result?.error?.code).toBe(code)
  })

test('a question that is no form is refused', { tag: '@R2.15' }, async ({ lab }) => {
  const texts = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, { type: 'string' }]))
  const wrong: readonly [unknown, unknown, string][] = [
    ['', {}, 'message: expected a text'],
    ['x'.repeat(2_001), {}, 'message: expected at most 2000 characters, received 2001'],
    ['?', texts(21), 'schema: expected at most 20 fields, received 21'],
    ['?', { a: { type: 'object' } }, 'schema.properties.a: expected a text, a number'],
    ['?', { a: { type: 'array', items: { type: 'string' } } }, 'schema.properties.a: expected a text'],
    ['?', { a: { enum: Array.from({ length: 201 }, (_, at) => `c${at}`) } }, 'schema: expected at most 200 choices'],
  ]
  for (const [message, properties, problem] of wrong)
    expect(questionProblem({ message, schema: { type: 'object', properties } })).toContain(problem)
  const { agent } = await lab.start([{ calls: [call('order')] }, { text: 'ok' }])
  agent.registerTool(
    order({}, { message: 'Where?', schema: { type: 'object', properties: { a: { type: 'object' } } } }),
  )
  const { toolExecutions } = await agent.send('Go')
  expect(toolExecutions[0]?.error).toMatchObject({
    code: 'invalid-option',
    message: expect.stringMatching(/^run\.ask: schema\.properties\.a: expected a text/) as unknown as string,
  })
})

test('a call asks at most 20 questions', { tag: '@R2.15' }, async ({ lab }) => {
  const { agent } = await lab.start([{ calls: [call('order')] }, { text: 'ok' }])
  agent.registerTool(
    order({
      execute: async (_: never, { ask }: ToolRun) => {
        for (;;) await ask({ message: 'Again?', schema: { type: 'object' } })
      },
    }),
  )
  let questions = 0
  agent.subscribe((event) => {
    if (event.type !== 'approval-request') return
    questions += 1
    void agent.answer('order', { action: 'decline' })
  })
  expect((await agent.send('Go')).toolExecutions[0]?.error?.code).toBe('limit')
  expect(questions).toBe(20)
})

test('where nobody can be asked, it rejects as unavailable', { tag: '@R2.15' }, async () => {
  const modelAdapter = scriptedModel([{ calls: [{ name: 'order' }] }, 'ok'])
  const alone = createAgent({ modelAdapter, tools: [order()] })
  const { toolExecutions } = await alone.send('Go')
  expect(toolExecutions[0]?.error).toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('agent.observe()') as unknown as string,
  })
  await expect(alone.callTool('order')).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('callTool') as unknown as string,
  })
  await alone.close()
})

test.describe('after a reload', () => {
  const next = { type: 'object', properties: { next: { type: 'string' } } } as const
  /** Asks for a size and then something else. */
  const two = (runs: string[], more: Partial<AnyTool> = {}) =>
    order({
      execute: async (_: never, { ask }: ToolRun) => {
        runs.push('ran')
        const first = await ask({ message: 'Which size?', schema: size })
        const second = await ask({ message: 'And then?', schema: next })
        return [first, second]
      },
      ...more,
    })

  test('a tool that may run twice runs again and asks again', { tag: '@R6.3' }, async ({ lab }) => {
    const runs: string[] = []
    const first = await lab.start([{ calls: [call('order')] }], { sessionId: 'again' })
    const annotations = { idempotentHint: true }
    first.agent.registerTool(two(runs, { annotations }))
    void first.agent.send('Go').catch(() => undefined)
    await asked(first.agent, 'Which size?')
    await first.agent.answer('order', { action: 'accept', content: { size: 'S' } })
    await asked(first.agent, 'And then?')
    await first.agent.close()
    const second = await lab.start([{ text: 'ok' }], { store: first.store, sessionId: 'again' })
    second.agent.registerTool(two(runs, { annotations }))
    await second.agent.connect()
    await asked(second.agent, 'Which size?')
    expect(partOf(second.agent, 'order')?.answers).toBeUndefined()
    await second.agent.answer('order', { action: 'accept', content: { size: 'L' } })
    await asked(second.agent, 'And then?')
    await second.agent.answer('order', { action: 'decline' })
    await until(second.agent, () => second.agent.status === 'idle')
    expect(runs).toEqual(['ran', 'ran'])
    expect(partOf(second.agent, 'order')?.result?.output).toEqual([
      { action: 'accept', content: { size: 'L' } },
      { action: 'decline' },
    ])
  })

  test('any other call is interrupted, and the model reads what was answered', { tag: '@R6.3' }, async ({ lab }) => {
    const runs: string[] = []
    const first = await lab.start([{ calls: [call('order')] }], { sessionId: 'once' })
    first.agent.registerTool(two(runs))
    void first.agent.send('Go').catch(() => undefined)
    await asked(first.agent, 'Which size?')
    await first.agent.answer('order', { action: 'accept', content: { size: 'S' } })
    await asked(first.agent, 'And then?')
    await first.agent.close()
    const second = await lab.start([{ text: 'ok' }], { store: first.store, sessionId: 'once' })
    second.agent.registerTool(two(runs))
    await second.agent.connect()
    await until(second.agent, () => second.agent.status === 'idle')
    expect(runs).toEqual(['ran'])
    const [text] = resultsOf(second.endpoint.requests[0])
    expect(text).toContain('Error (interrupted): The page was closed or reloaded while the tool asked the user.')
    expect(text).toContain(
      answersText([{ hash: '', message: 'Which size?', action: 'accept', content: { size: 'S' } }]),
    )
    expect(partOf(second.agent, 'order')?.result?.untrusted).toBe(true)
  })
})
