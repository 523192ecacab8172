// The page's answers to a scripted host: a call runs once, however often the host queries it.
import { expect, test } from 'playwright/test'
import type { HostMessage, PageMessage } from '../../../../src/core/data/protocol.js'
import { emptySession } from '../../../../src/core/data/session.js'
import { Agent } from '../../../../src/page/agent.js'
import type { QueryContext, QueryRun } from '../../../../src/page/answers/query-context.js'
import { internals } from '../../../../src/core/data/tool.js'
import type { ToolRun } from '../../../../src/page/tools/tool.js'
import { Executions } from '../../../../src/page/answers/execute-call.js'
import { deferred } from '../../../support/lab/lab.js'

type Answer = Extract<PageMessage, { type: 'answer' }>

async function withHost(
  run: (
    agent: Agent,
    host: { post(message: HostMessage): void; answer(ask: number): Promise<Answer> },
  ) => Promise<void>,
): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  const answers = new Map<number, ReturnType<typeof deferred<Answer>>>()
  const slot = (ask: number) => answers.get(ask) ?? answers.set(ask, deferred<Answer>()).get(ask)!
  const post = (message: HostMessage) => port2.postMessage(message)
  port2.addEventListener('message', (event: MessageEvent<PageMessage>) => {
    if (event.data.type === 'open')
      post({
        type: 'session',
        session: emptySession('s', '', 1),
        seq: 0,
        mode: 'drive',
        storage: 'memory',
        stored: false,
      })
    if (event.data.type === 'answer') slot(event.data.ask).resolve(event.data)
  })
  port2.start()
  const agent = new Agent({}, async () => {
    port1.start()
    return { kind: 'page', port: port1, terminate: () => port1.close() }
  })
  try {
    await agent.connect()
    await run(agent, { post, answer: (ask) => slot(ask).promise })
  } finally {
    void agent.close()
    port1.close()
    port2.close()
  }
}

test(
  'two execute queries for one call run its tool once, and both get the outcome',
  { tag: ['@C100', '@F74', '@R6.5'] },
  async () => {
    await withHost(async (agent, { post, answer }) => {
      let runs = 0
      agent.registerTool({
        name: 'buy',
        description: 'Buys one of what is in the window',
        execute: () => `run ${++runs}`,
      })
      post({ type: 'ask', id: 1, path: [], ask: { type: 'prepare', turn: 't', step: 1, text: '' } })
      const { tools } = (await answer(1)).value as { tools: { hash: string }[] }
      const ask = { type: 'execute' as const, callId: 'c1', name: 'buy', input: {}, hash: tools[0]?.hash ?? '' }
      post({ type: 'ask', id: 2, path: [], ask })
      post({ type: 'ask', id: 3, path: [], ask })
      const [first, second] = await Promise.all([answer(2), answer(3)])
      expect(first.value).toMatchObject({ output: 'run 1' })
      expect(second.value).toEqual(first.value)
      expect(runs).toBe(1)
    })
  },
)

test('an execution without an approval is not allowed what the user was asked about', { tag: '@R7.3' }, async () => {
  await withHost(async (agent, { post, answer }) => {
    const seen: unknown[] = []
    agent.registerTool({
      name: 'press',
      description: 'Presses a button of the page, as the model asks for it',
      execute: (_: unknown, { permission }: ToolRun) => {
        seen.push(permission)
        return 'pressed'
      },
      [internals]: { preview: () => ({ preview: {}, effect: 'send', from: '', hides: false }) },
    })
    post({ type: 'ask', id: 1, path: [], ask: { type: 'prepare', turn: 't', step: 1, text: '' } })
    const { tools } = (await answer(1)).value as { tools: { hash: string }[] }
    const hash = tools[0]?.hash ?? ''
    const calls = ['c1', 'c2'].map((callId) => ({ callId, name: 'press', input: {}, hash }))
    post({ type: 'ask', id: 2, path: [], ask: { type: 'check', calls, untrusted: false } })
    await answer(2)
    const execute = { type: 'execute', name: 'press', input: {}, hash } as const
    post({ type: 'ask', id: 3, path: [], ask: { ...execute, callId: 'c1' } })
    await answer(3)
    post({ type: 'ask', id: 4, path: [], ask: { ...execute, callId: 'c2', approval: { edited: false } } })
    await answer(4)
    expect(seen).toEqual([undefined, { effect: 'send', by: 'user' }])
  })
})

test('an execution that cannot end is reported to its caller alone, and a later query starts it again', async () => {
  const schema = { validate: async () => ({ value: {}, json: {} }) }
  let tries = 0
  const context = {
    deps: {
      session: () => emptySession('s', '', 1),
      options: () => ({}),
      send: () => ({ shared: new Map() }),
      lock: { run: () => Promise.reject(new Error(`Not loaded, ${++tries}`)) },
    },
    offers: { current: () => ({ entry: { schema }, spec: { exclusive: true } }) },
    checks: new Map(),
  } as unknown as QueryContext
  const executions = new Executions()
  const query = { type: 'execute', callId: 'c', name: 'buy', input: {}, hash: '' } as const
  const { signal } = new AbortController()
  const run: QueryRun = { path: [], signal, onProgress: () => undefined, runAlone: (_id, work) => work(signal) }
  for (const count of [1, 2])
    await expect(executions.execute(context, query, run)).rejects.toThrow(`Not loaded, ${count}`)
  expect(executions.running).toEqual([])
})

test('a cancelled query aborts its tool and gets no answer', { tag: ['@C82', '@R5.2'] }, async () => {
  await withHost(async (agent, { post, answer }) => {
    const began = deferred()
    const aborted = deferred<unknown>()
    agent.registerTool({
      name: 'slow',
      description: 'Runs until it is aborted',
      execute: (_: unknown, { signal }: { signal: AbortSignal }) => {
        began.resolve()
        signal.addEventListener('abort', () => aborted.resolve(signal.reason))
        return new Promise(() => undefined)
      },
    })
    post({ type: 'ask', id: 1, path: [], ask: { type: 'prepare', turn: 't', step: 1, text: '' } })
    const { tools } = (await answer(1)).value as { tools: { hash: string }[] }
    let isAnswered = false
    void answer(2).then(() => {
      isAnswered = true
    })
    post({
      type: 'ask',
      id: 2,
      path: [],
      ask: { type: 'execute', callId: 'c1', name: 'slow', input: {}, hash: tools[0]?.hash ?? '' },
    })
    await began.promise
    post({ type: 'cancel', ask: 2 })
    // The reason proves that the query was cancelled: the time limit of the tool would abort it, too.
    expect(await aborted.promise).toMatchObject({ name: 'AbortError' })
    post({ type: 'ask', id: 3, path: [], ask: { type: 'prepare', turn: 't', step: 1, text: '' } })
    await answer(3)
    expect(isAnswered).toBe(false)
  })
})
