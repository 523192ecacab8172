// Every fault of the model endpoint with a whole agent: at the first step of a turn, and after a call that ran. There
// is no unhandled rejection, the turn ends with its reason, the displayed text is kept, nothing runs twice, and the
// next message works, on this page and on the next page that opens the session.
import { isObject, type JsonObject } from '../../../../src/core/data/json.js'
import { toolCallsOf, textOf, type Message } from '../../../../src/core/data/message.js'
import type { Agent } from '../../../../src/page/agent.js'
import type { TurnResult } from '../../../../src/core/data/turn-result.js'
import type { AgentOptions } from '../../../../src/page/options.js'
import { chunk, faults, type Fault } from '../../../support/faults/faults.js'
import { deferred, expect, test, until, type Bench, type LabOptions } from '../../../support/lab/lab.js'
import { hurry } from '../../../support/lab/timers.js'

const table: string[] = []
test.afterAll(() => {
  console.log(['fault'.padEnd(96) + 'where'.padEnd(13) + 'requests  ends as', ...table].join('\n'))
})

/** Runs of each call, over all benches of a test. */
type Runs = Map<string, number>

/** `onRun`: before a call has run. */
function withBuy(agent: Agent, runs: Runs, onRun = () => {}): void {
  agent.registerTool({
    name: 'buy',
    description: 'Buys',
    inputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    execute: ({ n }: { n: number }, run) => {
      onRun()
      runs.set(run.toolCallId, (runs.get(run.toolCallId) ?? 0) + 1)
      return `bought ${n}`
    },
  })
}

/** How a turn ended: its reason, or the code of its error, and its message. */
async function ended(turn: Promise<TurnResult>): Promise<{ how: string; says: string; result: TurnResult }> {
  try {
    const result = await turn
    return { how: result.reason, says: '', result }
  } catch (thrown) {
    const { code, message, turn: result } = thrown as { code?: string; message: string; turn: TurnResult }
    if (code === undefined) throw thrown
    return { how: code, says: message, result }
  }
}

/** The text that the newest answer was shown with. */
function shown(agent: Agent, onPart: () => void): () => string {
  let text = ''
  agent.subscribe((event) => {
    if (event.type === 'step-start') text = ''
    if (event.type !== 'text-delta') return
    text += event.delta
    onPart()
  })
  return () => text
}

/** Time limits end immediately, so the test does not wait. */
function shortLimits({ limits }: Fault): JsonObject {
  return Object.fromEntries(Object.entries(limits ?? {}).map(([name, value]) => [name, value === 500 ? 60 : value]))
}

/** A fault with a long text must not lead to a summary, which would be one more request. */
const contextWindow = { tokens: 10_000_000 }

async function meet(
  fault: Fault,
  later: boolean,
  first: Bench,
  start: (options: AgentOptions & LabOptions) => Promise<Bench>,
): Promise<void> {
  const rejections: unknown[] = []
  const unheard = (reason: unknown) => {
    rejections.push(reason)
  }
  process.on('unhandledRejection', unheard)
  const { endpoint, store } = first
  const runs: Runs = new Map()
  expect((await first.agent.send('Before')).text).toBe('saved')
  const saved = first.agent.messages
  const sessionId = first.agent.session?.id ?? ''
  void first.agent.close()

  // The short limit applies to the faulty answer only, not to the one before it.
  const limits = shortLimits(fault)
  const { agent, stored } = await start({
    endpointServer: endpoint,
    store,
    sessionId,
    contextWindow,
    limits: later && fault.limits?.['steps'] === undefined ? {} : limits,
  })
  withBuy(agent, runs, () => agent.configure({ ...agent.options, limits }))
  const part = deferred()
  const text = shown(agent, part.resolve)
  const before = endpoint.requests.length
  endpoint.push(
    ...(later ? [{ calls: [{ id: 'early', name: 'buy', arguments: { n: 0 } }] }] : []),
    ...fault.script(part.promise, later),
  )
  const { how, says } = await ended(agent.send('Meet it'))
  const requests = endpoint.requests.length - before
  table.push(
    `${fault.name.padEnd(95)} ${(later ? 'behind a call' : 'first step').padEnd(14)} ${String(requests).padEnd(7)} ${how}`,
  )
  expect(how).toBe(fault.outcome)
  expect(endpoint.left, 'no more and no fewer requests than the fault allows').toBe(0)
  if (fault.says) expect(says).toMatch(fault.says)

  // I2: the session rests and contains the reason.
  expect(['idle', 'interrupted']).toContain(agent.status)
  expect(agent.session?.turn).toBeUndefined()
  expect(agent.session?.end).toMatchObject(
    says === '' ? { reason: how } : { reason: 'error', error: { code: how, message: says } },
  )
  // I5: what was saved is as it was, and what was shown is kept.
  const { messages } = agent
  expect(messages.slice(0, saved.length)).toEqual(saved)
  const newest = messages.at(-1)
  if (text() !== '') expect(textOf(newest)).toBe(text())
  if (fault.text !== undefined && fault.text !== 'flood') expect(text()).toBe(fault.text)
  if (fault.text === 'flood') expect(text()).toMatch(/^(flood)+$/)
  // I4: each call once, and the ones that were cut off never.
  const parts = messages.slice(saved.length).flatMap(toolCallsOf)
  const settled = parts.filter(({ call }) => call.id !== 'early')
  for (const [id, count] of runs) expect([id, count]).toEqual([id, 1])
  expect(runs.has('early')).toBe(later)
  if (fault.buys !== -1) expect(runs.size - Number(later)).toBe(fault.buys ?? 0)
  expect(settled.flatMap(({ result }) => (result?.error ? [result.error.code] : []))).toEqual(fault.codes ?? [])

  // I3: the next message, here.
  endpoint.push({ text: 'next works' })
  agent.configure({ ...agent.options, limits: {} })
  expect((await agent.send('Next')).text).toBe('next works')
  expect(await stored()).toMatchObject({ messages: agent.messages })
  const last = agent.messages
  void agent.close()
  // And on the page that opens the session next.
  const again = await start({ endpointServer: endpoint, store, sessionId, contextWindow })
  withBuy(again.agent, runs)
  await again.agent.connect()
  expect(again.agent.messages).toEqual(last)
  endpoint.push({ text: 'and again' })
  expect((await again.agent.send('After a reload')).text).toBe('and again')
  expect(usersOf(endpoint.requests.at(-1)?.body)).toEqual(expect.arrayContaining(['After a reload']))
  expect(again.agent.messages.filter((message: Message) => message.role === 'user')).toHaveLength(4)
  for (const [id, count] of runs) expect([id, count]).toEqual([id, 1])
  // I1: also of what is reported late.
  await new Promise((resolve) => {
    setImmediate(() => setImmediate(resolve))
  })
  process.off('unhandledRejection', unheard)
  expect(rejections).toEqual([])
}

function usersOf(body: JsonObject | undefined): unknown[] {
  const messages = body?.['messages']
  return Array.isArray(messages)
    ? messages
        .filter(isObject)
        .filter(({ role }) => role === 'user')
        .map(({ content }) => content)
    : []
}

// The default run plays each fault in one of the two places, the long run in both.
for (const [index, fault] of faults.entries()) {
  for (const later of [false, true]) {
    const details = later === (index % 2 === 1) ? {} : { tag: '@long' }
    test(`${fault.name}: ${fault.outcome}${later ? ', after a call that ran' : ''}`, details, async ({ lab }) => {
      // The pauses between two attempts, with the smallest random part, and the wait for the usage after a finish.
      const { random } = Math
      Math.random = () => 0
      const clock = hurry(...(fault.limits ? [] : [250, 500, 3_000]))
      try {
        const first = await lab.start([{ text: 'saved' }])
        await meet(fault, later, first, (options) => lab.start([], options))
      } finally {
        clock.stop()
        Math.random = random
      }
    })
  }
}

test('continues a cut turn on request and repeats no call', { tag: ['@F45', '@F52'] }, async ({ lab }) => {
  const runs: Runs = new Map()
  const part = deferred()
  const { agent, endpoint } = await lab.start([
    { calls: [{ id: 'a', name: 'buy', arguments: { n: 1 } }] },
    { refuse: true },
    { status: 503, headers: { 'retry-after-ms': '1' } },
    { refuse: true },
    { text: 'whole' },
  ])
  shown(agent, part.resolve)
  withBuy(agent, runs)
  expect((await ended(agent.send('Go'))).how).toBe('network')
  expect((await agent.continue()).text).toBe('whole')
  expect([...runs]).toEqual([['a', 1]])
  expect(endpoint.requests).toHaveLength(5)
})

test('reports a Retry-After wait, and stop ends it immediately', { tag: '@F51' }, async ({ lab }) => {
  const { agent, events, endpoint } = await lab.start([
    { status: 429, headers: { 'retry-after': '3600' } },
    { text: 'next' },
  ])
  const turn = agent.send('Go')
  await until(agent, () => events.some(({ type }) => type === 'step-retry'))
  expect(events.find(({ type }) => type === 'step-retry')).toMatchObject({
    attempt: 1,
    delay: 60_000,
    error: { code: 'rate-limited' },
  })
  agent.stop()
  expect(await turn).toMatchObject({ reason: 'stopped' })
  expect(endpoint.requests).toHaveLength(1)
  expect((await agent.send('Next')).text).toBe('next')
})

test('the second request of a turn has fresh headers', { tag: '@F53' }, async ({ lab }) => {
  const reasons: string[] = []
  const { agent, endpoint } = await lab.start(
    [{ status: 401 }, { calls: [{ name: 'buy', arguments: { n: 1 } }] }, { text: 'done' }],
    {
      headers: (reason) => {
        reasons.push(reason)
        return { authorization: `Bearer token-number-${reasons.length}` }
      },
    },
  )
  const runs: Runs = new Map()
  withBuy(agent, runs)
  expect((await agent.send('Go')).text).toBe('done')
  expect(reasons).toEqual(['request', 'unauthorized', 'request'])
  expect(endpoint.requests.map(({ headers }) => headers.authorization)).toEqual(
    [1, 2, 3].map((count) => `Bearer token-number-${count}`),
  )
  expect(runs.size).toBe(1)
})

test('being offline uses no attempt: the turn waits for the network', { tag: '@F69' }, async ({ lab }) => {
  const navigator = Object.getOwnPropertyDescriptor(globalThis, 'navigator')
  const online = new EventTarget()
  Object.defineProperty(globalThis, 'navigator', { value: { onLine: false }, configurable: true })
  const listening = {
    addEventListener: online.addEventListener.bind(online),
    removeEventListener: online.removeEventListener.bind(online),
  }
  Object.assign(globalThis, listening)
  try {
    // More refusals than there are attempts, and then a server that is busy: all attempts are left for that.
    const busy = { status: 503, headers: { 'retry-after-ms': '1' } }
    const { agent, events, endpoint } = await lab.start([
      ...Array.from({ length: 5 }, () => ({ refuse: true as const })),
      busy,
      busy,
      { text: 'online again' },
    ])
    const turn = agent.send('Go')
    for (let count = 1; count <= 5; count++) {
      await until(agent, () => events.filter(({ type }) => type === 'step-retry').length >= count)
      await new Promise((resolve) => {
        setImmediate(resolve)
      })
      online.dispatchEvent(new Event('online'))
    }
    expect((await turn).text).toBe('online again')
    expect(events.flatMap((event) => (event.type === 'step-retry' ? [[event.error.code, event.delay]] : []))).toEqual([
      ...Array.from({ length: 5 }, () => ['offline', 0]),
      ['server', 1],
      ['server', 1],
    ])
    expect(endpoint.requests).toHaveLength(8)
  } finally {
    for (const name of Object.keys(listening)) Reflect.deleteProperty(globalThis, name)
    if (navigator) Object.defineProperty(globalThis, 'navigator', navigator)
    else Reflect.deleteProperty(globalThis, 'navigator')
  }
})

test('chunks that arrive together become one event', { tag: '@F62' }, async ({ lab }) => {
  const many = Array.from({ length: 5_000 }, () => chunk({ content: 'x' })).join('')
  const { agent, events } = await lab.start([{ raw: [many, chunk({}, 'stop'), 'data: [DONE]\n\n'] }])
  expect((await agent.send('Go')).text).toBe('x'.repeat(5_000))
  expect(events.filter(({ type }) => type === 'text-delta').length).toBeLessThan(500)
})
