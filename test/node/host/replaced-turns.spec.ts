// Answering again, and editing the newest message: what the model reads then, and what a crash, another tab, a file and
// a trace make of it.
import { allToolCalls, textOf } from '../../../src/core/data/message.js'
import type { JsonObject } from '../../../src/core/data/json.js'
import { reduce } from '../../../src/core/state/reduce.js'
import { memoryStore, type MemoryDisk } from '../../../src/host/store/memory-store.js'
import { isShownEvent } from '../../../src/host/tabs/shown-records.js'
import type { Agent } from '../../../src/page/agent.js'
import { replayTrace } from '../../../src/page/trace/replay.js'
import type { Trace } from '../../../src/page/trace/trace.js'
import type { Handler, RecordedRequest, ScriptItem } from '../../support/lab/endpoint.js'
import { expect, test, until } from '../../support/lab/lab.js'
import { messagesOf } from '../../support/lab/requests.js'
import { FakeOrigin } from '../../support/lab/tabs.js'
import { hurry } from '../../support/lab/timers.js'

const note = '[The user replaced this message.]'
const calls: ScriptItem = { text: 'I order it.', calls: [{ id: 'c', name: 'order', arguments: {} }] }

/** Registers a tool that must not run twice, and counts its runs. */
function order(agent: Agent): { count: number } {
  const runs = { count: 0 }
  agent.registerTool({ name: 'order', description: 'Orders', execute: () => `order ${++runs.count}` })
  return runs
}

/** Role and text of the messages that the model read, without the system text. */
const read = (request: RecordedRequest | undefined): string[] =>
  messagesOf(request)
    .slice(1)
    .map(({ role, content, tool_calls }) => `${String(role)}: ${String(content ?? '')}${tool_calls ? ' +call' : ''}`)

const texts = (agent: Agent): string[] =>
  agent.messages.map((one) => `${one.role}${one.replaced ? ' replaced' : ''}: ${textOf(one)}`)

test(
  'regenerate sends the message and its calls again, without the earlier answer',
  { tag: '@R5.9' },
  async ({ lab }) => {
    const { agent, endpoint } = await lab.start([
      { text: 'Hello' },
      calls,
      { text: 'Old answer' },
      { text: 'New answer' },
    ])
    const runs = order(agent)
    await agent.send('Hi')
    await agent.send('Order it')
    const { text, reason, toolExecutions } = await agent.regenerate()
    expect({ text, reason, toolExecutions }).toEqual({ text: 'New answer', reason: 'stop', toolExecutions: [] })
    expect(read(endpoint.requests.at(-1))).toEqual([
      'user: Hi',
      'assistant: Hello',
      'user: Order it',
      'assistant:  +call',
      'tool: order 1',
    ])
    expect(texts(agent)).toEqual([
      'user: Hi',
      'assistant: Hello',
      'user: Order it',
      'assistant replaced: I order it.',
      'assistant replaced: Old answer',
      'assistant: New answer',
    ])
    expect(runs.count).toBe(1)
  },
)

test(
  'an edited message replaces the old one, whose calls stay known to the model',
  { tag: '@R5.9' },
  async ({ lab }) => {
    const { agent, endpoint } = await lab.start([calls, { text: 'Old answer' }, { text: 'New' }, { text: 'Newest' }])
    order(agent)
    await agent.send('My password is hunter2, order it')
    expect((await agent.editLast('Order two')).text).toBe('New')
    expect(read(endpoint.requests.at(-1))).toEqual([
      `user: ${note}`,
      'assistant:  +call',
      'tool: order 1',
      'user: Order two',
    ])
    expect((await agent.editLast([{ type: 'text', text: 'Order three' }])).text).toBe('Newest')
    expect(read(endpoint.requests.at(-1))).toEqual([
      `user: ${note}`,
      'assistant:  +call',
      'tool: order 1',
      'user: Order three',
    ])
    expect(JSON.stringify(endpoint.requests.slice(2).map(({ body }) => body))).not.toContain('hunter2')
  },
)

test('a turn without calls leaves nothing in later requests', { tag: '@R5.9' }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start([{ text: 'Old' }, { text: 'New' }])
  await agent.send('Helo')
  await agent.editLast('Hello')
  expect(read(endpoint.requests.at(-1))).toEqual(['user: Hello'])
})

test('refuses while a turn runs, without a turn, and for a stepped turn', async ({ lab }) => {
  const { agent, endpoint } = await lab.start([{ text: 'Stepped' }])
  await expect(agent.regenerate()).rejects.toMatchObject({ code: 'invalid-option' })
  await expect(agent.editLast('  ')).rejects.toMatchObject({ code: 'invalid-option' })
  for await (const _ of agent.step('Hi'));
  await expect(agent.regenerate()).rejects.toMatchObject({ code: 'invalid-option' })
  expect(agent.messages.some((one) => one.replaced)).toBe(false)
  expect(endpoint.requests).toHaveLength(1)
})

test('a stop right after regenerate counts, and the next one answers', async ({ lab }) => {
  const { agent, endpoint } = await lab.start([{ text: 'Old' }, { text: 'New' }])
  await agent.send('Hi')
  const again = agent.regenerate()
  agent.stop()
  await expect(again).rejects.toMatchObject({ code: 'cancelled' })
  expect(texts(agent)).toEqual(['user: Hi', 'assistant: Old'])
  expect(endpoint.requests).toHaveLength(1)
  expect((await agent.regenerate()).text).toBe('New')
})

test('an event for a turn that has ended does not touch a running one', () => {
  const session = {
    id: 's',
    scope: '',
    createdAt: 1,
    updatedAt: 1,
    epoch: 1,
    start: 0,
    status: 'running' as const,
    messages: [{ id: 'u', role: 'user' as const, parts: [], at: 1 }],
    todos: [],
    context: {},
    grants: [],
    turn: {
      id: 't',
      tab: '',
      url: '',
      startedAt: 1,
      first: 0,
      resumes: 0,
      lastAt: 1,
      spent: 0,
      mode: 'auto' as const,
      options: {},
      facts: { url: '', title: '', lang: '', timeZone: 'UTC' },
      offered: [],
      counted: 0,
    },
  }
  const after = reduce(session, {
    type: 'turn-replaced',
    at: 2,
    from: 0,
    end: { turn: 't', reason: 'interrupted', at: 2 },
  })
  expect(after).toEqual({ ...session, updatedAt: 2, turn: { ...session.turn, lastAt: 2 } })
})

for (const act of ['regenerate', 'editLast'] as const) {
  test(
    `${act}: the page is killed directly before and after each event`,
    { tag: ['@R5.9', '@F15'] },
    async ({ lab }) => {
      test.setTimeout(60_000)
      const timers = hurry(600)
      try {
        const handler: Handler = (body) => {
          const messages = body['messages'] as { role: string; content?: string }[]
          const last = messages.at(-1)
          if (last?.role === 'user' && last.content === 'Order it') return calls as never
          return { text: `answer ${messages.length}` }
        }
        const { endpoint } = await lab.start(handler)
        // The first turn has six events. Then: turn-replaced, turn-start, step-end, turn-end.
        for (const when of ['killBefore', 'killAfter'] as const)
          for (let fact = 7; fact <= 11; fact++) {
            const disk: MemoryDisk = new Map()
            const origin = new FakeOrigin()
            const options = { sessionId: `${act}-${when}-${fact}`, disk, origin, endpointServer: endpoint }
            const first = await lab.start([], { ...options, [when]: fact })
            const runs = order(first.agent)
            await first.agent.send('Order it')
            const replaced = act === 'regenerate' ? first.agent.regenerate() : first.agent.editLast('Order two')
            const isDead = await Promise.race([first.dead.then(() => true), replaced.then(() => false)])
            first.kill()
            const stored = await memoryStore(disk).read(options.sessionId, Infinity)
            const second = await lab.start([], options)
            order(second.agent)
            await second.agent.connect()
            const name = `${act} ${when} ${fact}`
            await until(second.agent, () => ['idle', 'interrupted'].includes(second.agent.status))
            if (second.agent.status === 'interrupted') await second.agent.continue()
            const { messages, session } = second.agent
            expect(session?.end?.reason, name).toBe('stop')
            // The call ran once and is there, whatever was lost.
            expect(
              allToolCalls(messages).map(({ part }) => part.result?.output),
              name,
            ).toEqual(['order 1'])
            expect(runs.count, name).toBe(1)
            const isReplaced = stored?.messages.some((one) => one.replaced) === true
            expect(
              messages.some((one) => one.replaced),
              name,
            ).toBe(isReplaced)
            const newest = textOf(messages.findLast((one) => one.role === 'user'))
            expect(newest, name).toBe(act === 'editLast' && isReplaced ? 'Order two' : 'Order it')
            if (!isDead) expect(isReplaced, name).toBe(true)
            for (const bench of [first, second]) {
              void bench.agent.close()
              bench.kill()
            }
          }
      } finally {
        timers.stop()
      }
    },
  )
}

test('a mirror shows a replaced turn, and can replace one itself', async ({ lab }) => {
  const disk: MemoryDisk = new Map()
  const origin = new FakeOrigin()
  const first = await lab.start([{ text: 'One' }, { text: 'Two' }, { text: 'Three' }], {
    sessionId: 'shared',
    disk,
    origin,
  })
  await first.agent.connect()
  const options = { sessionId: 'shared', disk, origin, endpointServer: first.endpoint }
  const second = await lab.start([], options)
  await first.agent.send('Hi')
  await second.agent.connect()
  await first.agent.regenerate()
  await until(second.agent, () => texts(second.agent).join() === 'user: Hi,assistant replaced: One,assistant: Two')
  expect(second.agent.role).toBe('mirror')
  expect((await second.agent.editLast('Hello')).text).toBe('Three')
  expect(second.agent.role).toBe('driver')
  await until(first.agent, () => texts(first.agent).at(-1) === 'assistant: Three')
})

test('a mirror ignores an event that another script made up', () => {
  const event = { type: 'turn-replaced', at: 1, from: 0, end: { turn: 't', reason: 'interrupted', at: 1 } }
  const message = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Hi' }], at: 1 }
  expect(isShownEvent(event)).toBe(true)
  expect(isShownEvent({ ...event, message })).toBe(true)
  for (const wrong of [
    { from: -1 },
    { end: { turn: 1 } },
    { message: { ...message, role: 'assistant' } },
    { message: {} },
  ])
    expect(isShownEvent({ ...event, ...wrong }), JSON.stringify(wrong)).toBe(false)
})

test('a file and a reload keep what was replaced', async ({ lab }) => {
  const { agent, endpoint } = await lab.start([{ text: 'One' }, { text: 'Two' }, { text: 'Three' }])
  await agent.send('Hi')
  await agent.regenerate()
  const file = JSON.parse(JSON.stringify(await agent.sessions.export())) as JsonObject
  const before = texts(agent)
  await agent.sessions.open(await agent.sessions.import(file))
  expect(texts(agent)).toEqual(before)
  // An imported session has no end of a turn.
  expect((await agent.regenerate()).text).toBe('Three')
  expect(read(endpoint.requests.at(-1))).toEqual(['user: Hi'])
})

test('a trace replays replaced turns', async ({ lab }) => {
  const script: ScriptItem[] = [{ text: 'One' }, { text: 'Two' }, { text: 'Three' }]
  const { agent } = await lab.start(script, { debug: true })
  await agent.send('Hi')
  await agent.regenerate()
  await agent.editLast('Hello')
  const replay = replayTrace(JSON.parse(JSON.stringify(await agent.exportTrace())) as Trace)
  const again = await lab.start([], replay.options)
  await replay.run(again.agent)
  expect(replay.left).toBe(0)
  expect(texts(again.agent)).toEqual(texts(agent))
})

test('a failed model call is repeated without waiting when the user wants it', { tag: '@R5.7' }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start([
    { status: 503, body: {}, headers: { 'retry-after': '60' } },
    { status: 503, body: {}, headers: { 'retry-after': '60' } },
    { text: 'Here again' },
  ])
  const began = Date.now()
  const sent = agent.send('Hi')
  for (const attempt of [1, 2]) {
    await new Promise<void>((resolve) => {
      const stop = agent.subscribe((event) => {
        if (event.type !== 'step-retry' || event.attempt !== attempt) return
        stop()
        resolve()
      })
    })
    agent.skipRetryDelay()
  }
  expect((await sent).text).toBe('Here again')
  expect(endpoint.requests).toHaveLength(3)
  expect(Date.now() - began).toBeLessThan(30_000)
})
