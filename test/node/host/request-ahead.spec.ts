// A request leaves while the message in it is stored. Its answer is applied after the commit. Whatever has to be asked,
// or may have an effect, waits.
import { ToolAgentError } from '../../../src/core/data/errors.js'
import { toolCallsOf, type Message } from '../../../src/core/data/message.js'
import { emptySession } from '../../../src/core/data/session.js'
import { sessionHeadOf } from '../../../src/core/state/store.js'
import type { AgentOptions } from '../../../src/page/options.js'
import { deferred, expect, test, until } from '../../support/lab/lab.js'
import { later, slowStore } from '../../support/lab/slow-store.js'

const call = (name: string) => ({ id: name, name, arguments: {} })
const tool = (name: string, annotations = {}) => ({
  name,
  description: `Does what is called ${name} on this page`,
  annotations,
  execute: () => `${name} done`,
})

test(
  'a request leaves while its message is stored, and nothing of it is shown before',
  { tag: '@R6.1' },
  async ({ lab }) => {
    const stored = deferred()
    const { agent, endpoint } = await lab.start([{ text: 'Hello there' }], { store: slowStore(() => stored.promise) })
    const result = agent.send('Hi')
    await endpoint.received(1)
    await later()
    expect([agent.messages.length, agent.session?.draft, agent.queue.length]).toEqual([0, undefined, 1])
    stored.resolve()
    expect((await result).text).toBe('Hello there')
    expect(endpoint.requests).toHaveLength(1)
  },
)

test(
  'a request waits for its message if anything is asked before it, or the model is not a provider',
  { tag: '@R6.1' },
  async ({ lab }) => {
    const order: string[] = []
    const parts = [
      { type: 'text-delta' as const, id: '0', delta: 'ok' },
      { type: 'finish' as const, finishReason: 'stop' as const },
    ]
    const cases: Record<string, AgentOptions> = {
      headers: { headers: () => later().then(() => ({})) },
      hook: { hooks: { beforeModel: (request) => request } },
      page: {
        modelAdapter: {
          async *stream() {
            order.push('request')
            yield* parts
          },
        } as NonNullable<AgentOptions['modelAdapter']>,
      },
      providers: {},
    }
    for (const [name, options] of Object.entries(cases)) {
      order.length = 0
      const store = slowStore(async () => {
        await later()
        order.push('commit')
      })
      const reply = () => {
        order.push('request')
        return { text: 'ok' }
      }
      const { agent } = await lab.start(reply, { ...options, store })
      if (name === 'providers') agent.registerToolProvider(() => [tool('more')])
      expect((await agent.send('Hi')).text, name).toBe('ok')
      expect(order.slice(0, 2), name).toEqual(['commit', 'request'])
    }
  },
)

test(
  'a request waits for its message if older messages have to be read, or the conversation to be shortened',
  { tag: ['@R6.1', '@R6.8'] },
  async ({ lab }) => {
    const said = Array.from({ length: 220 }, (_, at): Message => {
      const parts = [{ type: 'text', text: `message ${at}.` }] as const
      return at % 2 ? { id: `m${at}`, role: 'assistant', parts, at } : { id: `m${at}`, role: 'user', parts, at }
    })
    const cases: [name: string, messages: readonly Message[], options: AgentOptions][] = [
      ['older', said, {}],
      ['shortened', said.slice(0, 20), { contextWindow: { tokens: 100 } }],
    ]
    for (const [name, messages, options] of cases) {
      const order: string[] = []
      const store = slowStore(async () => {
        // The files of a model may be loaded first.
        for (let round = 0; round < 4; round++) await later()
        order.push('commit')
      })
      const { epoch } = await store.claim(name, 0)
      const head = sessionHeadOf({ ...emptySession(name, '', 1), epoch, messages })
      await store.commit(name, epoch, { head, messages: messages.map((message, index) => ({ index, message })) })
      order.length = 0
      const reply = () => {
        order.push('request')
        return { text: 'ok' }
      }
      const { agent, endpoint } = await lab.start(reply, { ...options, store, sessionId: name })
      await agent.send('Go on')
      expect(order.slice(0, 2), name).toEqual(['commit', 'request'])
      expect(JSON.stringify(endpoint.requests[0]?.body), name).toContain('message 0.')
    }
  },
)

test(
  'results are stored before a request contains them, so that every later one contains the same',
  { tag: '@R6.1' },
  async ({ lab }) => {
    for (const name of ['look', 'write']) {
      const order: string[] = []
      const store = slowStore(async ({ messages = [] }) => {
        const isResult = messages.some(({ message }) => toolCallsOf(message).some((part) => part.result))
        if (isResult) await later()
        order.push(isResult ? 'result' : 'commit')
      })
      const { agent } = await lab.start(
        (body) => {
          order.push('request')
          return JSON.stringify(body).includes('"role":"tool"') ? { text: 'ok' } : { calls: [call(name)] }
        },
        { store },
      )
      agent.registerTool([tool('look', { readOnlyHint: true }), tool('write')])
      expect((await agent.send('Go')).text).toBe('ok')
      expect(order.lastIndexOf('result'), name).toBeLessThan(order.lastIndexOf('request'))
    }
  },
)

test(
  'if the commit fails, nothing of the answer is stored, except in memory after an error of the disk',
  { tag: ['@F23', '@F25', '@F28'] },
  async ({ lab }) => {
    for (const code of ['lost-session', 'session-deleted', 'storage'] as const) {
      const failed = deferred()
      const store = slowStore(async () => {
        await failed.promise
        throw new ToolAgentError(code, 'Not here')
      })
      const { agent, endpoint } = await lab.start([{ text: 'Hello there' }], { store })
      const result = agent.send('Hi').then(
        ({ text }) => text,
        (error: ToolAgentError) => error.code,
      )
      await endpoint.received(1)
      failed.resolve()
      expect(await result).toBe(code === 'storage' ? 'Hello there' : code)
      expect(agent.messages).toHaveLength(code === 'storage' ? 2 : 0)
      if (code === 'storage') expect(agent.storage).toBe('memory')
      expect(endpoint.requests).toHaveLength(1)
    }
  },
)

test('a commit that fails for good ends the request that left before it', { tag: '@F23' }, async ({ lab }) => {
  const failed = deferred()
  const store = slowStore(async () => {
    await failed.promise
    throw new ToolAgentError('lost-session', 'Not here')
  })
  const { agent, endpoint } = await lab.start([{ raw: ': waits\n\n', end: 'hang' }], { store })
  const result = agent.send('Hi')
  await endpoint.received(1)
  failed.resolve()
  await expect(result).rejects.toMatchObject({ code: 'lost-session' })
  await endpoint.requests[0]?.gone
})

test(
  'another request of the step, after an error or an empty answer, leaves after the commit',
  { tag: ['@R6.1', '@R5.7'] },
  async ({ lab }) => {
    for (const first of [{ status: 503, body: 'busy', headers: { 'retry-after': '0' } }, { text: '' }]) {
      const order: string[] = []
      const stored = deferred()
      const store = slowStore(async () => {
        await stored.promise
        order.push('commit')
      })
      const script = [first, { text: 'ok' }]
      const reply = () => {
        order.push('request')
        return script.shift() ?? { text: 'none' }
      }
      const { agent, endpoint } = await lab.start(reply, { store })
      const result = agent.send('Hi')
      await endpoint.received(1)
      await later()
      stored.resolve()
      expect((await result).text).toBe('ok')
      expect(order.slice(0, 3)).toEqual(['request', 'commit', 'request'])
    }
  },
)

test('a stop ends a request whose message is still being stored', { tag: '@R5.2' }, async ({ lab }) => {
  const stored = deferred()
  const { agent, endpoint } = await lab.start([{ text: 'Hello there' }], { store: slowStore(() => stored.promise) })
  const result = agent.send('Hi')
  await endpoint.received(1)
  agent.stop()
  await later()
  stored.resolve()
  expect(await result).toMatchObject({ reason: 'stopped', text: '' })
  expect(agent.messages).toHaveLength(1)
})

test(
  'a host that dies between a request and the commit of its message loses nothing that was shown',
  { tag: ['@F3', '@F15'] },
  async ({ lab }) => {
    const bench = await lab.start(() => ({ text: 'Hello there' }), { worker: true, killBefore: 1 })
    const { agent, endpoint } = bench
    const result = agent.send('Hi')
    await bench.dead
    await endpoint.received(1)
    bench.killHost()
    expect((await result).text).toBe('Hello there')
    await until(agent, () => agent.status === 'idle')
    expect(agent.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
    expect(endpoint.requests, 'the endpoint may have seen it twice').toHaveLength(2)
  },
)
