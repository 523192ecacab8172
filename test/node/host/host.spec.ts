// The host without a real page: its guarantees for every behaviour of the page.
import { expect, test } from 'playwright/test'
import { serve } from '../../../src/host/serve.js'
import { memoryStore } from '../../../src/host/store/memory-store.js'
import { ToolAgentError } from '../../../src/core/data/errors.js'
import type { ModelAdapter, ModelPart } from '../../../src/core/data/model.js'
import { protocolVersion, type PageQuery, type HostMessage, type PageMessage } from '../../../src/core/data/protocol.js'
import { toolCallsOf } from '../../../src/core/data/message.js'
import type { Store } from '../../../src/core/state/store.js'
import type { ToolSpec } from '../../../src/core/data/tool.js'
import { hostConfig } from '../../../src/page/client/host-config.js'
import type { AgentOptions } from '../../../src/page/options.js'
import { deferred } from '../../support/lab/lab.js'
import { hurry } from '../../support/lab/timers.js'

const facts = { url: 'https://shop.example/cart', title: 'Cart', lang: 'en', timeZone: 'Europe/Berlin' }
const spec: ToolSpec = {
  name: 'buy',
  description: 'Buys',
  inputSchema: { type: 'object', properties: {} },
  annotations: {},
  exclusive: false,
  timeout: 1,
  maxRetries: 0,
  returnDirect: false,
  hash: 'h1',
}
const finish = (unified: 'stop' | 'tool-calls'): ModelPart => ({ type: 'finish', finishReason: { unified } })

/** Calls once, then answers. */
const model: ModelAdapter = {
  async *stream(request) {
    if (request.messages.some((message) => message.role === 'tool')) yield { type: 'text-delta', id: '1', delta: 'ok' }
    else yield { type: 'tool-call', toolCallId: 'c1', toolName: 'buy', input: '{}' }
    yield finish(request.messages.some((message) => message.role === 'tool') ? 'stop' : 'tool-calls')
  },
}

/** A page that answers asks with a function; undefined leaves the ask open. */
function handMade(
  store: Store | Promise<Store>,
  answer: (ask: PageQuery) => unknown,
  options: AgentOptions = {},
  adapter = model,
  isThere = true,
) {
  const { port1, port2 } = new MessageChannel()
  const { closed } = serve(port2, { store, model: adapter })
  const seen: HostMessage[] = []
  const listeners = new Set<() => void>()
  port1.addEventListener('message', (event: MessageEvent<HostMessage>) => {
    seen.push(event.data)
    if (event.data.type === 'ping' && isThere) port1.postMessage({ type: 'pong' })
    if (event.data.type === 'ask') {
      const value = answer(event.data.ask)
      if (value !== undefined) port1.postMessage({ type: 'answer', ask: event.data.id, value })
    }
    for (const listener of listeners) listener()
  })
  port1.start()
  const post = (message: PageMessage) => port1.postMessage(message)
  return {
    seen,
    post,
    closed,
    open: (more: object = {}) =>
      post({
        type: 'open',
        protocol: protocolVersion,
        sessionId: 's',
        scope: '',
        tab: 't',
        url: facts.url,
        mode: 'drive',
        running: [],
        outcomes: [],
        config: hostConfig(options),
        ...more,
      }),
    send: () =>
      post({
        type: 'send',
        turn: 'turn-1',
        input: [{ type: 'text', text: 'Go' }],
        options: { facts },
        whenBusy: 'queue',
      }),
    /** The first message, seen or to come, that fits. */
    until: <T extends HostMessage>(fits: (message: HostMessage) => message is T): Promise<T> =>
      new Promise((resolve) => {
        const check = () => {
          const found = seen.find(fits)
          if (!found) return
          listeners.delete(check)
          resolve(found)
        }
        listeners.add(check)
        check()
      }),
    close: () => port1.close(),
  }
}

const isEnd = (message: HostMessage): message is Extract<HostMessage, { type: 'event' }> =>
  message.type === 'event' && message.event.type === 'turn-end'
const isError = (message: HostMessage): message is Extract<HostMessage, { type: 'error' }> => message.type === 'error'
const answers = (ask: PageQuery): unknown => {
  if (ask.type === 'prepare') return { tools: [spec] }
  if (ask.type === 'check') return ask.calls.map(({ callId, input }) => ({ callId, do: 'run', hash: 'h1', input }))
  return undefined
}

const bought = { callId: 'c1', attempts: 1, startedAt: 1, endedAt: 2, output: 'x', text: 'x', untrusted: false }

test('an execution that the page never answers times out with a warning to the model', { tag: '@R2.5' }, async () => {
  const store = memoryStore()
  // The time-out of the tool, and the 5 s that the page is granted after it.
  const clock = hurry(5_001)
  const page = handMade(store, answers)
  page.open()
  page.send()
  const { event } = await page.until(isEnd).finally(clock.stop)
  expect(clock.asked(5_001)).toBe(1)
  expect(event).toMatchObject({ reason: 'stop' })
  const [part] = toolCallsOf((await store.read('s', 10))?.messages[1])
  expect(part?.result?.error).toMatchObject({
    code: 'timeout',
    message: expect.stringContaining('may still have happened'),
  })
  expect(page.seen.some((message) => message.type === 'cancel')).toBe(true)
  page.close()
})

test('ignores answers to cancelled queries and second answers', { tag: '@R5.2' }, async () => {
  const store = memoryStore()
  const page = handMade(store, answers)
  page.open()
  page.send()
  const isExecute = (message: HostMessage): message is Extract<HostMessage, { type: 'ask' }> =>
    message.type === 'ask' && message.ask.type === 'execute'
  const ask = await page.until(isExecute)
  page.post({ type: 'control', do: 'stop' })
  await page.until(isEnd)
  const before = await store.read('s', 10)
  const late = { callId: 'c1', attempts: 1, startedAt: 1, endedAt: 2, output: 'late', text: 'late', untrusted: false }
  page.post({ type: 'answer', ask: ask.id, value: late })
  page.post({ type: 'request', id: 1, what: 'stored', with: {} })
  await page.until((message): message is Extract<HostMessage, { type: 'reply' }> => message.type === 'reply')
  expect(await store.read('s', 10)).toEqual(before)
  expect(toolCallsOf(before?.messages[1])[0]?.result?.error?.code).toBe('cancelled')
  page.close()
})

test('rejects a page of another protocol version and opens no session', { tag: '@F20' }, async () => {
  const page = handMade(memoryStore(), answers)
  page.open({ protocol: protocolVersion + 1 })
  expect((await page.until(isError)).error).toMatchObject({
    code: 'host-lost',
    message: expect.stringMatching(new RegExp(`the worker protocol ${protocolVersion}\\. Reload the page`)),
  })
  expect(page.seen.some((message) => message.type === 'session')).toBe(false)
  page.close()
})

test(
  'a session id of another scope opens a separate session of this scope, also at the next load',
  { tag: '@R6.2' },
  async () => {
    const store = memoryStore()
    const isOpened = (message: HostMessage): message is Extract<HostMessage, { type: 'session' }> =>
      message.type === 'session'
    const ids = []
    for (const [scope, before] of [
      ['ada', 0],
      ['grace', 0],
      ['grace', 3],
      ['ada', 3],
      ['grace', 3],
    ] as const) {
      // Independent of the other session.
      if (ids.length === 4) await store.delete('s')
      const page = handMade(store, (ask) => (ask.type === 'execute' ? bought : answers(ask)))
      page.open({ scope })
      const { session } = await page.until(isOpened)
      expect([scope, session.scope, session.messages.length]).toEqual([scope, scope, before])
      ids.push(session.id)
      if (before === 0) {
        page.send()
        await page.until(isEnd)
      }
      expect(page.seen.filter(isError)).toEqual([])
      page.close()
    }
    expect(ids).toEqual(['s', ids[1], ids[1], 's', ids[1]])
    expect(ids[1]).toMatch(/^s@\w+$/)
  },
)

test(
  'replaces a failing store by memory, continues the turn and reports it',
  { tag: ['@F28', '@F34', '@F43', '@R6.1'] },
  async () => {
    const inner = memoryStore()
    let commits = 0
    const failing: Store = {
      ...inner,
      kind: 'indexeddb',
      async commit(id, epoch, change) {
        if (++commits > 3) throw new ToolAgentError('storage', 'The disk is full')
        await inner.commit(id, epoch, change)
      },
    }
    const page = handMade(failing, (ask) => (ask.type === 'execute' ? bought : answers(ask)))
    page.open()
    page.send()
    expect((await page.until(isEnd)).event).toMatchObject({ reason: 'stop' })
    const told = page.seen.flatMap((message) =>
      message.type === 'event' && message.event.type === 'storage-change' ? [message.event] : [],
    )
    expect(told).toEqual([
      { type: 'storage-change', storage: 'memory', error: { code: 'storage', message: 'The disk is full' } },
    ])
    page.close()
  },
)

test(
  'a session that cannot be claimed on a full disk is read and continues in memory',
  { tag: ['@F28', '@R6.1'] },
  async () => {
    const inner = memoryStore()
    const before = handMade(
      inner,
      answers,
      {},
      {
        async *stream() {
          yield { type: 'text-delta', id: '1', delta: 'saved' }
          yield finish('stop')
        },
      },
    )
    before.open()
    before.send()
    await before.until(isEnd)
    const full: Store = {
      ...inner,
      kind: 'indexeddb',
      claim: async () => {
        throw new ToolAgentError('storage', 'The disk is full')
      },
    }
    const page = handMade(full, answers)
    page.open()
    const opened = await page.until(
      (message): message is Extract<HostMessage, { type: 'session' }> => message.type === 'session',
    )
    expect([opened.mode, opened.storage, opened.session.messages.length]).toEqual(['drive', 'memory', 2])
    expect((await page.until(isError)).error).toMatchObject({ code: 'storage', message: 'The disk is full' })
    before.close()
    page.close()
  },
)

test('sends pings at the given interval until it is closed', { tag: '@F15' }, async () => {
  const { port1, port2 } = new MessageChannel()
  const { closed } = serve(port2, { store: memoryStore(), heartbeat: 1 })
  const seen: string[] = []
  await new Promise<void>((resolve) => {
    port1.addEventListener('message', ({ data }: MessageEvent<HostMessage>) => {
      if (seen.push(data.type) === 4) resolve()
    })
    port1.start()
  })
  expect(seen).toEqual(['ready', 'ping', 'ping', 'ping'])
  port1.postMessage({ type: 'control', do: 'close' })
  await closed
  port1.close()
})

test('does not write a session deleted elsewhere, reports it and is no longer busy', { tag: '@F25' }, async () => {
  const store = memoryStore()
  const hold = deferred()
  const page = handMade(
    store,
    answers,
    {},
    {
      async *stream() {
        await hold.promise
        yield { type: 'text-delta', id: '1', delta: 'x' }
        yield finish('stop')
      },
    },
  )
  page.open()
  page.send()
  await page.until(
    (message): message is Extract<HostMessage, { type: 'event' }> =>
      message.type === 'event' && message.event.type === 'step-start',
  )
  await store.delete('s')
  hold.resolve()
  expect((await page.until(isEnd)).event).toMatchObject({ turn: 'turn-1', error: { code: 'session-deleted' } })
  const mirrored = await page.until(
    (message): message is Extract<HostMessage, { type: 'session' }> =>
      message.type === 'session' && message.mode === 'mirror',
  )
  expect(mirrored.session.status).toBe('idle')
  expect(await store.read('s', 10)).toBeUndefined()
  page.close()
})

test('reports a store that cannot be opened, and still closes', async () => {
  const page = handMade(Promise.reject(new Error('No disk')), answers)
  page.open()
  expect((await page.until(isError)).error).toMatchObject({ code: 'storage', message: 'No disk' })
  page.post({ type: 'control', do: 'close' })
  await page.until((message): message is Extract<HostMessage, { type: 'closed' }> => message.type === 'closed')
  await page.closed
})

test('closing during a turn settles nothing, so the next page can resume it', { tag: '@R6.7' }, async () => {
  const store = memoryStore()
  const page = handMade(store, answers)
  page.open()
  page.send()
  await page.until(
    (message): message is Extract<HostMessage, { type: 'ask' }> =>
      message.type === 'ask' && message.ask.type === 'execute',
  )
  page.post({ type: 'control', do: 'close' })
  await page.closed
  const session = await store.read('s', 10)
  expect(session?.turn?.id).toBe('turn-1')
  expect(toolCallsOf(session?.messages[1])[0]?.result).toBeUndefined()
  page.close()
})

test('closing while the host asks for unsaved calls settles nothing', { tag: ['@R6.5', '@R6.7'] }, async () => {
  const store = memoryStore()
  const first = handMade(store, answers)
  first.open()
  first.send()
  await first.until((message): message is HostMessage => message.type === 'ask' && message.ask.type === 'execute')
  first.post({ type: 'control', do: 'close' })
  await first.closed
  const before = await store.read('s', 10)
  const second = handMade(store, () => undefined)
  second.open()
  await second.until((message): message is HostMessage => message.type === 'ask' && message.ask.type === 'unsaved')
  second.post({ type: 'control', do: 'close' })
  await second.closed
  expect(await store.read('s', 10)).toEqual({ ...before, epoch: before!.epoch + 1 })
  first.close()
  second.close()
})

test('a decision on a question that has changed asks again', { tag: ['@C100', '@R7.3'] }, async () => {
  let checks = 0
  const page = handMade(memoryStore(), (ask) => {
    if (ask.type === 'check')
      return ask.calls.map(({ callId, input }) => ({
        callId,
        do: 'ask',
        hash: `shown-${++checks}`,
        input,
        title: 'Buy',
      }))
    if (ask.type === 'execute') return bought
    return answers(ask)
  })
  page.open()
  page.send()
  const question = (hash: string) =>
    page.until(
      (message): message is Extract<HostMessage, { type: 'event' }> =>
        message.type === 'event' && message.event.type === 'approval-request' && message.event.approval.hash === hash,
    )
  await question('shown-1')
  page.post({ type: 'decide', callId: 'c1', hash: 'something else', decision: 'approve' })
  await question('shown-2')
  expect(page.seen.some((message) => message.type === 'ask' && message.ask.type === 'execute')).toBe(false)
  for (let click = 0; click < 2; click++)
    page.post({ type: 'decide', callId: 'c1', hash: 'shown-2', decision: 'approve' })
  await page.until(isEnd)
  expect(page.seen.filter((message) => message.type === 'ask' && message.ask.type === 'execute')).toHaveLength(1)
  page.close()
})

test('ignores messages that are not part of the protocol', async () => {
  const page = handMade(memoryStore(), answers)
  for (const junk of [null, 'text', 7, [], { type: 3 }, { type: 'constructor' }, { type: '__proto__' }])
    page.post(junk as never)
  page.open()
  await page.until((message): message is Extract<HostMessage, { type: 'session' }> => message.type === 'session')
  page.close()
})

test('a connection cut by navigation settles nothing until the page answers a ping', { tag: '@F3' }, async () => {
  const store = memoryStore()
  const cut: ModelAdapter = {
    async *stream() {
      yield { type: 'text-delta', id: '1', delta: 'Hel' }
      throw new ToolAgentError('stream-cut', 'The connection broke in the middle of the answer.')
    },
  }
  const page = handMade(store, answers, {}, cut, false)
  page.open()
  page.send()
  await page.until((message): message is Extract<HostMessage, { type: 'ping' }> => message.type === 'ping')
  const left = await store.read('s', 10)
  expect([left?.status, left?.messages.length]).toEqual(['running', 1])
  expect(page.seen.some(isEnd)).toBe(false)
  // It was not left after all.
  page.post({ type: 'pong' })
  expect((await page.until(isEnd)).event).toMatchObject({ reason: 'error', error: { code: 'stream-cut' } })
  page.close()
})
