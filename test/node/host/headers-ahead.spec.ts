// The values of `headers` come with a message whose turn starts at once, so that its request asks for nothing. They are
// credentials: nothing keeps them, and every other request asks.
import { protocolVersion, type HostMessage, type PageMessage } from '../../../src/core/data/protocol.js'
import { serve } from '../../../src/host/serve.js'
import { memoryStore } from '../../../src/host/store/memory-store.js'
import type { ChannelPort } from '../../../src/host/tabs/session-channel.js'
import { hostConfig } from '../../../src/page/client/host-config.js'
import type { AgentOptions } from '../../../src/page/options.js'
import { FakeOrigin, type FakeTab } from '../../support/lab/tabs.js'
import { deferred, expect, test, until, type Bench } from '../../support/lab/lab.js'
import { later, slowStore } from '../../support/lab/slow-store.js'

type Headers = NonNullable<AgentOptions['headers']>

const queriesIn = ({ log }: Bench) => log.filter((line) => line === 'post:headers').length
const keysOf = ({ endpoint }: Pick<Bench, 'endpoint'>) =>
  endpoint.requests.map(({ headers }) => headers['authorization'])
const look = {
  name: 'look',
  description: 'Looks at the page',
  annotations: { readOnlyHint: true },
  execute: () => 'seen',
}

/** Returns another key with each call. */
function keys() {
  const made: string[] = []
  const next = (reason: string) => {
    made.push(`secret-${made.length + 1}-${reason}`)
    return { authorization: made.at(-1)! }
  }
  return { made, next }
}

test('a request with headers leaves while its message is stored', { tag: '@R6.1' }, async ({ lab }) => {
  const cases: Record<string, Headers> = {
    object: { authorization: 'secret' },
    function: () => ({ authorization: 'secret' }),
    'an async function': async () => ({ authorization: await Promise.resolve('secret') }),
  }
  for (const [name, headers] of Object.entries(cases)) {
    const stored = deferred()
    const bench = await lab.start([{ text: 'Hello' }], { headers, store: slowStore(() => stored.promise) })
    const result = bench.agent.send('Hi')
    await bench.endpoint.received(1)
    await later()
    expect(bench.agent.messages, name).toHaveLength(0)
    stored.resolve()
    expect((await result).text).toBe('Hello')
    expect([keysOf(bench), queriesIn(bench)], name).toEqual([['secret'], 0])
  }
})

test(
  'a message is not held back for a slow headers function, which runs once per request',
  { tag: '@R6.1' },
  async ({ lab }) => {
    const key = deferred<string>()
    const { made, next } = keys()
    const bench = await lab.start([{ text: 'Hello' }, { text: 'Again' }], {
      headers: async (reason) =>
        made.length === 0 ? { authorization: next(reason).authorization + (await key.promise) } : next(reason),
    })
    const first = bench.agent.send('Hi')
    await until(bench.agent, () => bench.agent.messages.length > 0)
    await later()
    expect([bench.agent.messages.length, bench.endpoint.requests.length]).toEqual([1, 0])
    key.resolve('!')
    await first
    await bench.agent.send('More')
    expect(keysOf(bench)).toEqual(['secret-1-request!', 'secret-2-request'])
    expect([made.length, queriesIn(bench)]).toEqual([2, 1])
  },
)

test('only the first attempt of the first request uses them', { tag: ['@R5.7', '@F53'] }, async ({ lab }) => {
  const { made, next } = keys()
  const busy = { status: 503, body: 'busy', headers: { 'retry-after': '0' } }
  const bench = await lab.start(
    [{ status: 401, body: {} }, { calls: [{ name: 'look', arguments: {} }] }, { text: 'a' }, busy, { text: 'b' }],
    { headers: next },
  )
  bench.agent.registerTool(look)
  await bench.agent.send('Go')
  await bench.agent.send('Again')
  expect(keysOf(bench)).toEqual(made)
  expect(made.map((key) => key.split('-')[2])).toEqual(['request', 'unauthorized', 'request', 'request', 'request'])
  expect(queriesIn(bench)).toBe(3)
})

test('a message that waits for its turn has none', { tag: '@S26' }, async ({ lab }) => {
  const { made, next } = keys()
  const free = deferred()
  const bench = await lab.start([{ calls: [{ name: 'wait', arguments: {} }] }, { text: 'a' }, { text: 'b' }], {
    headers: next,
  })
  bench.agent.registerTool({ name: 'wait', description: 'Waits for the page', execute: () => free.promise })
  const first = bench.agent.send('Go')
  const second = bench.agent.send('And then')
  await later()
  free.resolve()
  await Promise.all([first, second])
  expect(bench.sent.flatMap((message) => (message.type === 'send' ? [message.headers] : []))).toEqual([
    { authorization: made[0] },
    undefined,
  ])
  expect(keysOf(bench)).toEqual(made)
})

test('a host forgets those of a message that has to wait', { tag: '@S26' }, async ({ lab }) => {
  const { endpoint } = await lab.start([{ text: 'a' }, { text: 'b' }])
  const { port1, port2 } = new MessageChannel()
  serve(port2, { store: memoryStore() })
  const ended: string[] = []
  const done = deferred()
  port1.addEventListener('message', ({ data }: MessageEvent<HostMessage>) => {
    if (data.type === 'ask')
      port1.postMessage({
        type: 'answer',
        ask: data.id,
        value: data.ask.type === 'prepare' ? { tools: [] } : { authorization: 'asked for' },
      })
    if (data.type !== 'event' || data.event.type !== 'turn-end') return
    ended.push(data.event.reason)
    if (ended.length === 2) done.resolve()
  })
  port1.start()
  const post = (message: PageMessage) => port1.postMessage(message)
  const config = hostConfig({ endpoint: endpoint.url, model: 'm', headers: {} })
  const address = { url: 'https://shop.example/', title: '' }
  post({
    type: 'open',
    protocol: protocolVersion,
    scope: '',
    tab: 't',
    mode: 'drive',
    running: [],
    outcomes: [],
    config,
    url: address.url,
  })
  for (const turn of ['first', 'second'])
    post({
      type: 'send',
      turn,
      input: [{ type: 'text', text: 'Go' }],
      options: { facts: { ...address, lang: 'en', timeZone: 'UTC' } },
      whenBusy: 'queue',
      headers: { authorization: `of the ${turn}` },
    })
  await done.promise
  port1.close()
  expect(keysOf({ endpoint })).toEqual(['of the first', 'asked for'])
})

test('those that come too late for a worker are not for the next one', { tag: '@S26' }, async ({ lab }) => {
  const slow = deferred<string>()
  const { made, next } = keys()
  const bench = await lab.start([{ text: 'a' }], {
    headers: async (reason) => {
      const { authorization } = next(reason)
      return { authorization: made.length === 1 ? `${authorization}-${await slow.promise}` : authorization }
    },
    worker: true,
    killBefore: 1,
  })
  const sent = bench.agent.send('Go')
  await bench.dead
  bench.killHost()
  slow.resolve('late')
  await sent
  expect(bench.sent.flatMap((message) => (message.type === 'send' ? [message.headers] : []))).toEqual([
    undefined,
    undefined,
  ])
  expect(keysOf(bench)).toEqual(['secret-2-request'])
})

test('values of an earlier option are not used', { tag: '@S26' }, async ({ lab }) => {
  const read = deferred<string>()
  const asked = deferred()
  const bench = await lab.start([{ text: 'a' }], {
    headers: () => {
      asked.resolve()
      return { authorization: 'of-ada' }
    },
    pageContext: () => read.promise,
  })
  const sent = bench.agent.send('Go')
  await asked.promise
  bench.agent.configure({ ...bench.agent.options, headers: () => ({ authorization: 'of-bob' }) })
  read.resolve('')
  await sent
  expect(keysOf(bench)).toEqual(['of-bob'])
})

/** An origin that keeps what its tabs say to each other. */
class HeardOrigin extends FakeOrigin {
  readonly said: unknown[] = []

  override tab(): FakeTab {
    const tab = super.tab()
    const open = (name: string): ChannelPort => {
      const port = tab.channels(name)
      const { said } = this
      return {
        postMessage: (message) => {
          said.push(message)
          port.postMessage(message)
        },
        addEventListener: (type, listener) => port.addEventListener(type, listener),
        close: () => port.close(),
      }
    }
    return { ...tab, channels: open }
  }
}

test(
  'nothing keeps them: no record, event, trace, line of the console, other tab or other worker',
  { tag: ['@S26', '@R5.7'] },
  async ({ lab }) => {
    const origin = new HeardOrigin()
    const written: unknown[] = []
    const store = slowStore(async (change) => void written.push(change))
    const logged: unknown[] = []
    const original = { ...console }
    for (const name of ['debug', 'error', 'info', 'log', 'warn'] as const)
      console[name] = (...line: unknown[]) => void logged.push(line)
    try {
      const { made, next } = keys()
      const given = { debug: true, logErrors: true, store, origin }
      // Dies before it has stored the second message, which the page then posts to another worker.
      const bench = await lab.start(
        ({ messages }) => {
          return JSON.stringify(messages).includes('seen')
            ? { text: 'Done' }
            : { calls: [{ name: 'look', arguments: {} }] }
        },
        { ...given, headers: next, worker: true, killBefore: 6 },
      )
      const { agent, sent } = bench
      agent.registerTool(look)
      await agent.send('Go')
      const mirror = await lab.start([], { ...given, tab: 'other', sessionId: agent.session?.id ?? '' })
      await mirror.agent.connect()
      await until(mirror.agent, () => mirror.agent.messages.length > 0)
      const second = agent.send('And again')
      await bench.dead
      bench.killHost()
      await second
      await later()
      expect(made.length).toBeGreaterThan(3)
      expect(sent.flatMap((message) => (message.type === 'send' ? [message.headers?.['authorization']] : []))).toEqual([
        made[0],
        made[2],
        undefined,
      ])
      const kept = {
        written,
        stored: await bench.stored(),
        seen: [bench.events, mirror.events],
        sessions: [agent.session, mirror.agent.session],
        traces: [await agent.exportTrace(), await mirror.agent.exportTrace()],
        exported: await agent.sessions.export(agent.session?.id ?? ''),
        said: origin.said,
        logged,
        otherMessages: sent.filter(({ type }) => type !== 'send' && type !== 'answer'),
      }
      for (const [name, value] of Object.entries(kept)) {
        const text = JSON.stringify(value)
        expect(text.length, name).toBeGreaterThan(2)
        expect(text, name).not.toContain('secret-')
      }
    } finally {
      Object.assign(console, original)
    }
  },
)
