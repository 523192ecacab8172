// A page of a server: its socket breaks and comes back, it goes for good, or it answers what nobody asked.
import { expect, test } from 'playwright/test'
import type { JsonValue } from '../../../src/core/data/json.js'
import { toolCallsOf, type CallId } from '../../../src/core/data/message.js'
import type { ModelAdapter, ModelPart } from '../../../src/core/data/model.js'
import type { ExecutionResult, HostConfig, HostMessage } from '../../../src/core/data/protocol.js'
import { hostConfig } from '../../../src/page/client/host-config.js'
import { parseGuestMessage } from '../../../src/server/protocol/parse-guest.js'
import { RemotePage } from '../../../src/server/remote-page.js'
import { anActor, buysOnce, send, tool } from '../../support/lab/actors.js'

type Asked = Extract<HostMessage, { type: 'ask' }>

const bought = (callId: CallId) => ({ callId, attempts: 1, startedAt: 1, endedAt: 2, output: 'yes', text: 'yes' })
const outcome = (callId: CallId): ExecutionResult => ({ ...bought(callId), untrusted: true })

/** The sockets of a page, one after another. Only what arrives as text counts. */
function aPage(pageWait = 60_000, config = hostConfig({})) {
  const page = new RemotePage({ tab: 't', config, pageWait })
  const asked: Asked[] = []
  const waiting = new Set<() => void>()
  const refused: string[] = []
  const cancelled: number[] = []
  let close = () => {}
  let isDeaf = false
  return {
    page,
    asked,
    refused,
    cancelled,
    kinds: () => asked.map(({ ask }) => ask.type),
    /** A new socket. Returns what says that it is closed. `document`: another one after a reload. */
    connect: (running: readonly CallId[] = [], outcomes: readonly ExecutionResult[] = [], document = 'p1') => {
      const socket = (text: string) => {
        if (isDeaf) return
        const message = JSON.parse(text) as HostMessage
        if (message.type === 'ask') asked.push(message)
        if (message.type === 'cancel') cancelled.push(message.ask)
        for (const look of waiting) look()
      }
      isDeaf = false
      page.attach(socket, { page: document, running, outcomes })
      close = () => page.detach(socket)
      return close
    },
    /** What is sent from now on over the newest socket does not arrive. */
    deafen: () => {
      isDeaf = true
    },
    /** Closes the newest socket. */
    close: () => close(),
    /** The newest query of a kind, seen or to come. */
    query: (kind: Asked['ask']['type'], count = 1): Promise<Asked> =>
      new Promise((resolve) => {
        const look = () => {
          const found = asked.filter(({ ask }) => ask.type === kind)[count - 1]
          if (!found) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      }),
    answer: ({ id }: { id: number }, value: JsonValue) => {
      const text = JSON.stringify({ type: 'answer', id: `a${id}`, ask: id, value })
      const { value: message } = parseGuestMessage(text)
      if (message?.type !== 'answer') throw new Error('The page sent no answer')
      const error = page.answer(message)
      if (error) refused.push(error.message)
    },
  }
}

const run: JsonValue = [{ callId: 'c1', do: 'run', hash: 'h1', input: {} }]
const offered = { path: '/', tools: [tool] } as unknown as JsonValue

async function untilCalled(pageWait?: number, model: ModelAdapter = buysOnce, config?: HostConfig) {
  const page = aPage(pageWait, config)
  const { actor } = await anActor(page.page.guest, model)
  page.connect()
  actor.join(page.page.guest, [], [])
  actor.turns.send(send('t1'), page.page.guest)
  page.answer(await page.query('prepare'), offered)
  page.answer(await page.query('check'), run)
  const execute = await page.query('execute')
  const ended = async () => {
    await expect.poll(() => actor.writer.session.end?.reason).toBeDefined()
    const calls = actor.writer.session.messages.flatMap(toolCallsOf)
    return { reason: actor.writer.session.end?.reason, result: calls[0]?.result, calls: calls.length }
  }
  return { page, actor, execute, ended }
}

test('a call goes on while the socket is broken, and its outcome counts once', async () => {
  const { page, actor, ended } = await untilCalled()
  page.close()
  page.connect(['c1'])
  // It still runs there, so it is not sent again.
  expect(page.kinds()).toEqual(['prepare', 'check', 'execute'])
  page.close()
  page.connect([], [outcome('c1')])
  expect(page.page.settle(outcome('c1'))).toBe(false)
  page.answer(await page.query('prepare', 2), { path: '/', tools: [] })
  expect(await ended()).toMatchObject({ reason: 'stop', calls: 1, result: { output: 'yes', untrusted: true } })
  expect(page.kinds().filter((kind) => kind === 'execute')).toHaveLength(1)
  await actor.end('closed')
})

test('the time that a turn waits for the socket of its page does not count towards its limit', async () => {
  const { setInterval: interval } = globalThis
  const ticks: (() => void)[] = []
  globalThis.setInterval = ((work: () => void, ms?: number) => {
    if (ms === 1_000) ticks.push(work)
    return interval(work, ms === 1_000 ? 2 ** 30 : ms)
  }) as typeof setInterval
  try {
    const seconds = () => [1, 2, 3].forEach(() => ticks.forEach((tick) => tick()))
    const config = hostConfig({ limits: { turn: 3_000 } })
    const away = await untilCalled(undefined, buysOnce, config)
    away.page.close()
    seconds()
    away.page.connect([], [outcome('c1')])
    away.page.answer(await away.page.query('prepare', 2), offered)
    expect(await away.ended()).toMatchObject({ reason: 'stop' })
    // With a socket, the time that the call takes counts.
    const there = await untilCalled(undefined, buysOnce, config)
    seconds()
    expect(await there.ended()).toMatchObject({ reason: 'max-time' })
    await Promise.all([away, there].map(({ actor }) => actor.end('closed')))
  } finally {
    globalThis.setInterval = interval
  }
})

test('a socket that closes late takes nothing from the one that the page has now', async () => {
  const page = aPage(0)
  const { actor } = await anActor(page.page.guest, buysOnce)
  const closeFirst = page.connect()
  actor.join(page.page.guest, [], [])
  page.connect()
  closeFirst()
  actor.turns.send(send('t1'), page.page.guest)
  page.answer(await page.query('prepare'), offered)
  page.answer(await page.query('check'), run)
  await page.query('execute')
  page.page.settle(outcome('c1'))
  page.answer(await page.query('prepare', 2), { path: '/', tools: [] })
  await expect.poll(() => actor.writer.session.end?.reason).toBe('stop')
  expect(actor.writer.session.messages.flatMap(toolCallsOf)[0]?.result?.output).toBe('yes')
  await actor.end('closed')
})

test('a document that was reloaded may not run the call of the one before it again', async () => {
  const { page, actor, ended } = await untilCalled()
  page.close()
  page.connect([], [], 'p2')
  page.answer(await page.query('prepare', 2), { path: '/', tools: [] })
  const { result } = await ended()
  expect(result?.error).toMatchObject({ code: 'interrupted', message: expect.stringContaining('may still have') })
  expect(page.kinds()).toEqual(['prepare', 'check', 'execute', 'prepare'])
  await actor.end('closed')
})

test('other queries are sent again to the next socket, and answered once', async () => {
  const page = aPage()
  const { actor } = await anActor(page.page.guest, buysOnce)
  page.connect()
  actor.join(page.page.guest, [], [])
  actor.turns.send(send('t1'), page.page.guest)
  const first = await page.query('prepare')
  page.close()
  page.connect()
  expect(await page.query('prepare', 2)).toEqual(first)
  page.answer(first, { path: '/', tools: [] })
  page.answer(first, offered)
  page.answer(await page.query('check'), [
    { callId: 'c1', do: 'refuse', error: { code: 'unknown-tool', message: 'No.' } },
  ])
  page.answer(await page.query('prepare', 3), { path: '/', tools: [] })
  await expect.poll(() => actor.writer.session.end?.reason).toBe('stop')
  expect(actor.writer.session.messages.flatMap(toolCallsOf)[0]?.result?.error?.code).toBe('unknown-tool')
  await actor.end('closed')
})

test('a call or a cancellation that is lost with a socket is sent again to the page that does not know it', async () => {
  const page = aPage()
  const { actor } = await anActor(page.page.guest, buysOnce)
  page.connect()
  actor.join(page.page.guest, [], [])
  actor.turns.send(send('t1'), page.page.guest)
  page.answer(await page.query('prepare'), offered)
  const check = await page.query('check')
  page.deafen()
  page.answer(check, run)
  await expect.poll(() => toolCallsOf(actor.writer.session.messages.at(-1))[0]?.started).toBeDefined()
  page.close()
  expect(page.kinds()).toEqual(['prepare', 'check'])
  page.connect()
  const { id } = await page.query('execute')
  page.deafen()
  await actor.turns.stop()
  page.close()
  expect(page.cancelled).toEqual([])
  page.connect(['c1'])
  expect(page.cancelled).toEqual([id])
  await actor.end('closed')
})

test('a call that was asked for without a socket has not begun, so the next socket runs it', async () => {
  const page = aPage()
  const { actor } = await anActor(page.page.guest, buysOnce)
  page.connect()
  actor.join(page.page.guest, [], [])
  actor.turns.send(send('t1'), page.page.guest)
  page.answer(await page.query('prepare'), offered)
  const check = await page.query('check')
  page.close()
  page.answer(check, run)
  await expect.poll(() => toolCallsOf(actor.writer.session.messages.at(-1))[0]?.started).toBeDefined()
  page.connect()
  page.answer(await page.query('execute'), bought('c1'))
  page.answer(await page.query('prepare', 2), { path: '/', tools: [] })
  await expect.poll(() => actor.writer.session.end?.reason).toBe('stop')
  expect(actor.writer.session.messages.flatMap(toolCallsOf)[0]?.result?.output).toBe('yes')
  await actor.end('closed')
})

test('what was cancelled without a socket is cancelled at the next one, if the page has it', async () => {
  const { page, actor, execute } = await untilCalled()
  page.close()
  await actor.turns.stop()
  expect(page.cancelled).toEqual([])
  // As long as it runs there: this may be lost, too.
  for (const running of [['c1'], ['c1'], [], ['c1']]) {
    page.connect(running)
    page.close()
  }
  expect(page.cancelled).toEqual([execute.id, execute.id])
  await actor.end('closed')
})

test('a call of an earlier server ends with the page that still runs it', async () => {
  for (const how of ['is given up', 'comes back without it', 'brings its outcome'] as const) {
    const page = aPage(how === 'is given up' ? 0 : 60_000)
    const settled: ExecutionResult[] = []
    page.connect(['c1'])
    page.page.adopt(['c1'], (one) => settled.push(one))
    page.close()
    if (how !== 'is given up') page.connect([], how === 'brings its outcome' ? [outcome('c1')] : [], 'p2')
    await expect.poll(() => settled.length, how).toBe(1)
    expect(settled[0]?.error?.code, how).toBe(how === 'brings its outcome' ? undefined : 'interrupted')
    // Once, and of no other call.
    expect([page.page.settle(outcome('c1')), page.page.settle(outcome('c2'))]).toEqual([false, false])
    expect(settled).toHaveLength(1)
  }
})

test('a turn goes on when nobody waits for its page any more, at each query', async () => {
  // Before the offer, before the check, and while the call runs.
  for (const at of ['prepare', 'check', 'execute'] as const) {
    const page = aPage(0)
    const { actor } = await anActor(page.page.guest, buysOnce)
    page.connect()
    actor.join(page.page.guest, [], [])
    actor.turns.send(send('t1'), page.page.guest)
    if (at !== 'prepare') page.answer(await page.query('prepare'), offered)
    if (at === 'execute') page.answer(await page.query('check'), run)
    await page.query(at)
    page.close()
    actor.leave(page.page.guest)
    await expect.poll(() => actor.writer.session.end?.reason, at).toBe('stop')
    const code = { prepare: 'unknown-tool', check: 'unavailable', execute: 'interrupted' }[at]
    expect(actor.writer.session.messages.flatMap(toolCallsOf)[0]?.result?.error?.code, at).toBe(code)
    expect(page.kinds().at(-1)).toBe(at)
    await actor.end('closed')
  }
})

test('calls that only read end with their page, also those that had begun', async () => {
  const reads: ModelAdapter = {
    async *stream({ messages }): AsyncIterable<ModelPart> {
      const isDone = messages.at(-1)?.role === 'tool'
      for (const id of isDone ? [] : ['c1', 'c2'])
        yield { type: 'tool-call', toolCallId: id, toolName: 'buy', input: '{}' }
      if (isDone) yield { type: 'text-delta', id: '1', delta: 'Read.' }
      yield { type: 'finish', finishReason: { unified: isDone ? 'stop' : 'tool-calls' } }
    },
  }
  for (const isBegun of [false, true, 'answered'] as const) {
    const page = aPage(0)
    const { actor } = await anActor(page.page.guest, reads)
    page.connect()
    actor.join(page.page.guest, [], [])
    const spec = { ...tool, annotations: { readOnlyHint: true } }
    actor.turns.send(send('t1', { offer: { number: 1, tools: [spec] } }), page.page.guest)
    const { id } = await page.query('read')
    const verdicts = ['c1', 'c2'].map((callId) => ({ callId, do: 'run', hash: 'h1', input: {} }))
    if (isBegun === true)
      for (const value of [{ verdicts }, { outcome: bought('c1') }] as unknown as JsonValue[])
        expect(page.page.progress({ type: 'progress', ask: id, value })).toBeUndefined()
    // It says that it has read, and has reported nothing.
    if (isBegun === 'answered') page.answer({ id }, null)
    page.close()
    await expect.poll(() => actor.writer.session.end?.reason).toBe('stop')
    const [one, two] = actor.writer.session.messages.flatMap(toolCallsOf)
    expect(two?.result?.error?.code).toBe(isBegun === true ? 'interrupted' : 'unavailable')
    expect(one?.result?.output ?? one?.result?.error?.code).toBe(isBegun === true ? 'yes' : 'unavailable')
    await actor.end('closed')
  }
})

test('an answer to a page that is not waited for any more counts for no query of the next one', async () => {
  const first = await untilCalled()
  const next = await untilCalled()
  for (const { id } of first.page.asked) next.page.answer({ id }, bought('c1'))
  expect(next.page.page.query(next.execute.id)).toBeDefined()
  for (const { actor } of [first, next]) await actor.end('closed')
})

test('an answer counts for what was asked, of the page that was asked', async () => {
  const { page, actor, execute, ended } = await untilCalled()
  const other = aPage()
  other.connect()
  // Another page, a query that nobody sent, and one that has been answered.
  other.answer(execute, { ...bought('c1'), output: 'forged' })
  page.answer({ id: 999 }, bought('c1'))
  page.answer(await page.query('prepare'), { path: '/', tools: [] })
  expect([...page.refused, ...other.refused]).toEqual([])
  expect(actor.writer.session.end).toBeUndefined()
  // Another call, with the right number: the page cannot be believed about this one.
  page.answer(execute, { ...bought('c2') })
  expect(page.refused).toEqual([expect.stringContaining('expected c1, received c2')])
  page.answer(execute, bought('c1'))
  page.answer(await page.query('prepare', 2), { path: '/', tools: [], toolChoice: 'none' })
  expect(page.refused[1]).toContain('answer to prepare.toolChoice')
  expect(await ended()).toMatchObject({ reason: 'stop', result: { error: { code: 'interrupted' } } })
  await actor.end('closed')
})
