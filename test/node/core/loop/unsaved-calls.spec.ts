// The disk fills up during a turn, and later the page is lost. Calls that ran while nothing could be stored must not
// run again. The next page finds them in a small record that needs almost no space.
import { ToolAgentError } from '../../../../src/core/data/errors.js'
import { isDurable } from '../../../../src/core/data/event.js'
import { isObject } from '../../../../src/core/data/json.js'
import { allToolCalls } from '../../../../src/core/data/message.js'
import type { MemoryDisk } from '../../../../src/host/store/memory-store.js'
import type { Agent } from '../../../../src/page/agent.js'
import { noteUnsaved, unsavedCalls } from '../../../../src/page/tab/notes.js'
import type { Handler } from '../../../support/lab/endpoint.js'
import { misruns } from '../../../support/lab/invariants.js'
import { deferred, expect, test, until, type Bench, type Lab } from '../../../support/lab/lab.js'
import { FakeOrigin } from '../../../support/lab/tabs.js'

const steps = [
  [
    { id: 'r', name: 'read', arguments: {} },
    { id: 'w', name: 'write', arguments: { n: 1 } },
  ],
  [{ id: 'p', name: 'pay', arguments: { sum: 7 } }],
]
/** Stateless like a model: it continues after the calls that it finds in the request. */
const model: Handler = (body) => {
  const messages = Array.isArray(body['messages']) ? body['messages'].filter(isObject) : []
  if (messages.at(-1)?.['content'] === 'next') return { text: 'next answer' }
  const done = new Set(
    messages.flatMap((message) =>
      Array.isArray(message['tool_calls']) ? message['tool_calls'].filter(isObject).map(({ id }) => String(id)) : [],
    ),
  )
  const calls = steps.find((step) => !step.some(({ id }) => done.has(id)) && !done.has('p'))
  return calls ? { calls } : { text: 'answer' }
}

class Tools {
  readonly runs = { read: 0, write: 0, pay: 0 }
  /** `isLost`: messages that arrive after the page was closed run nothing. */
  register(agent: Agent, isLost = () => false): void {
    const execute = (name: keyof Tools['runs']) =>
      isLost() ? new Promise(() => undefined) : `${name} ${++this.runs[name]}`
    const tool = (name: keyof Tools['runs'], more = {}) => ({
      name,
      description: `Does what is called ${name} on this page`,
      inputSchema: { type: 'object' },
      execute: () => execute(name),
      ...more,
    })
    agent.registerTool([tool('read', { annotations: { readOnlyHint: true } }), tool('write'), tool('pay')])
  }
}

/** Of the undisturbed turn: its begin, three steps, three starts, three results, its end. */
const facts = 11

let number = 0
interface Played {
  readonly disk: MemoryDisk
  readonly tools: Tools
  readonly first: Bench
  readonly second: Bench
  readonly id: string
  readonly isReached: boolean
}

/**
 * The disk accepts `room` commits, and the page is lost after event number `fact`. The next page may find room again.
 */
async function played(lab: Lab, room: number, fact: number, isFreed: boolean): Promise<Played> {
  const id = `full-${++number}`
  const disk: MemoryDisk = new Map()
  const tools = new Tools()
  let isFull = false
  let commits = 0
  const onCommit = () => {
    if (isFull || ++commits > room) throw new ToolAgentError('storage', 'The disk is full')
  }
  const first = await lab.start(model, { sessionId: id, disk, onCommit, worker: true })
  let isLost = false
  tools.register(first.agent, () => isLost)
  const over = deferred<boolean>()
  let facts = 0
  first.agent.subscribe((event) => {
    if (!isDurable(event) || ++facts !== fact) return
    isLost = true
    first.kill()
    over.resolve(true)
  })
  void first.agent.send('Go').then(
    () => over.resolve(false),
    () => undefined,
  )
  const isReached = await over.promise
  isFull = !isFreed
  const second = await lab.start([], {
    sessionId: id,
    disk,
    endpointServer: first.endpoint,
    onCommit: () => {
      if (isFull) throw new ToolAgentError('storage', 'The disk is full')
    },
  })
  tools.register(second.agent)
  await second.agent.connect()
  await until(second.agent, () => second.agent.status === 'idle')
  return { disk, tools, first, second, id, isReached }
}

for (const isFreed of [true, false]) {
  test(
    `runs nothing twice after a full disk and a lost page, with${isFreed ? '' : 'out'} space for the next page`,
    { tag: ['@F28', '@F43', '@R6.5'] },
    async ({ lab }) => {
      test.setTimeout(120_000)
      const points = Array.from({ length: 10 }, (_, room) =>
        Array.from({ length: facts - room }, (_, more) => ({ room, fact: room + 1 + more })),
      ).flat()
      // Side by side: most of their time is waiting.
      const rows = await Promise.all(
        points.map(async ({ room, fact }) => {
          const { disk, tools, first, second, id, isReached } = await played(lab, room, fact, isFreed)
          const { session } = second.agent
          const broken = misruns(session, tools.runs, new Set(['read']))
          if (!isReached) broken.push('the turn has no such fact')
          for (const name of ['write', 'pay'] as const) {
            if (tools.runs[name] > 1) broken.push(`${name} ran ${tools.runs[name]} times`)
            // Without its first event there is no turn, so nothing continues automatically.
            if (
              room > 0 &&
              tools.runs[name] === 1 &&
              !allToolCalls(session?.messages ?? []).some(({ part }) => part.call.name === name && part.result)
            )
              broken.push(`the model is not told of ${name}`)
          }
          if (room > 0 && session?.end?.reason !== 'stop') broken.push(`it rests as ${session?.end?.reason}`)
          if ((await second.agent.send('next').then(({ text }) => text)) !== 'next answer')
            broken.push('the next message has no answer')
          if (isFreed && unsavedCalls(id).length > 0) broken.push('the note is left')
          // The stored session is older than the page's replica.
          disk.clear()
          for (const { agent, kill } of [first, second]) {
            void agent.close()
            kill()
          }
          const codes = allToolCalls(session?.messages ?? []).map(
            ({ part: { call, result } }) => `${call.id}:${result?.error?.code ?? 'ok'}`,
          )
          return `room for ${room}, lost after ${String(fact).padStart(2)}  runs ${Object.values(tools.runs).join('/')}  ${codes.join(' ')}  ${broken.length > 0 ? `BROKEN ${broken.join('; ')}` : 'holds'}`
        }),
      )
      console.log(`runs: read/write/pay\n${rows.join('\n')}`)
      expect(rows.filter((row) => row.includes('BROKEN'))).toEqual([])
    },
  )
}

test(
  'reports an unsaved call to the model as possibly done, with its input',
  { tag: ['@F28', '@R6.5'] },
  async ({ lab }) => {
    // Only turn-start is stored. The page is lost after the start of `write`.
    const { second } = await played(lab, 1, 4, true)
    const { part } = allToolCalls(second.agent.messages).find((one) => one.part.call.id === 'w') ?? {}
    expect(part?.call).toEqual({ id: 'w', name: 'write', input: { n: 1 } })
    expect(part?.result?.error).toMatchObject({
      code: 'interrupted',
      message: expect.stringContaining('may still have happened'),
    })
  },
)

test('records unsaved calls once, with shortened arguments, until they are removed', () => {
  noteUnsaved('s', { id: 'a', name: 'write', input: { text: 'x'.repeat(5_000) } })
  noteUnsaved('s', { id: 'b', name: 'pay', input: { sum: 7 } })
  noteUnsaved('s', { id: 'b', name: 'pay', input: { sum: 7 } })
  expect(unsavedCalls('s')).toEqual([
    { id: 'a', name: 'write', input: {} },
    { id: 'b', name: 'pay', input: { sum: 7 } },
  ])
  noteUnsaved('s')
  expect(unsavedCalls('s')).toEqual([])
})

test('a note of this tab does not hide a newer one of another tab', { tag: ['@F28', '@R6.5'] }, () => {
  const storage = (): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> => {
    const values = new Map<string, string>()
    return {
      getItem: (key) => values.get(key) ?? null,
      setItem: (key, value) => void values.set(key, value),
      removeItem: (key) => void values.delete(key),
    }
  }
  const tabs = { one: storage(), other: storage() }
  const inTab = (tab: keyof typeof tabs) =>
    Object.defineProperty(globalThis, 'sessionStorage', { configurable: true, value: tabs[tab] })
  Object.defineProperty(globalThis, 'localStorage', { configurable: true, value: storage() })
  try {
    inTab('one')
    noteUnsaved('s', { id: 'a', name: 'write', input: {} })
    // The other tab takes over and ends the turn. In the next one, nothing can be stored again.
    inTab('other')
    noteUnsaved('s')
    noteUnsaved('s', { id: 'b', name: 'pay', input: {} })
    inTab('one')
    expect(unsavedCalls('s').map(({ id }) => id)).toEqual(['a', 'b'])
  } finally {
    for (const name of ['sessionStorage', 'localStorage']) Reflect.deleteProperty(globalThis, name)
  }
})

test('a tab that takes over from one without disk knows its started calls', { tag: '@R6.6' }, async ({ lab }) => {
  const id = `full-${++number}`
  const disk: MemoryDisk = new Map()
  const tools = new Tools()
  const origin = new FakeOrigin()
  let commits = 0
  const first = await lab.start(model, {
    sessionId: id,
    disk,
    origin,
    worker: true,
    onCommit: () => {
      if (++commits > 1) throw new ToolAgentError('storage', 'The disk is full')
    },
  })
  let isGone = false
  tools.register(first.agent, () => isGone)
  await first.agent.connect()
  const second = await lab.start([], { sessionId: id, disk, origin, endpointServer: first.endpoint })
  tools.register(second.agent)
  await second.agent.connect()
  expect(second.agent.role).toBe('mirror')
  const isLost = deferred()
  first.agent.subscribe((event) => {
    if (event.type !== 'tool-result' || event.callId !== 'p') return
    isGone = true
    first.kill()
    isLost.resolve()
  })
  void first.agent.send('Go').catch(() => undefined)
  await isLost.promise
  await until(second.agent, () => second.agent.status === 'interrupted')
  expect((await second.agent.continue()).reason).toBe('stop')
  expect(tools.runs).toEqual({ read: 1, write: 1, pay: 1 })
  expect(
    allToolCalls(second.agent.messages).map(({ part: { call, result } }) => `${call.id}:${result?.error?.code}`),
  ).toEqual(['w:interrupted', 'p:interrupted'])
})

test(
  'a page that waits for a session knows the calls that start meanwhile',
  { tag: ['@F28', '@R6.5'] },
  async ({ lab }) => {
    const id = `full-${++number}`
    const disk: MemoryDisk = new Map()
    const tools = new Tools()
    const origin = new FakeOrigin()
    let commits = 0
    const first = await lab.start(model, {
      sessionId: id,
      disk,
      origin,
      worker: true,
      // The turn and its first step are stored, the start of `write` is not.
      onCommit: () => {
        if (++commits === 3) throw new ToolAgentError('storage', 'The disk failed once')
      },
    })
    let isGone = false
    tools.register(first.agent, () => isGone)
    await first.agent.connect()
    const second = await lab.start([], { sessionId: id, disk, origin, endpointServer: first.endpoint })
    tools.register(second.agent)
    const opened = second.agent.connect()
    const { locks } = origin.tab()
    await expect.poll(async () => (await locks.query()).pending?.length).toBe(1)
    first.agent.subscribe((event) => {
      if (event.type !== 'tool-result' || event.callId !== 'w') return
      isGone = true
      first.kill()
    })
    void first.agent.send('Go').catch(() => undefined)
    await opened
    await until(second.agent, () => second.agent.status === 'idle')
    expect(second.agent.role).toBe('driver')
    expect(tools.runs).toEqual({ read: 2, write: 1, pay: 1 })
    const write = allToolCalls(second.agent.messages).find(({ part }) => part.call.id === 'w')
    expect(write?.part.result?.error?.message).toContain('may still have happened')
  },
)
