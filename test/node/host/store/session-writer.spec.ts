// The session writer, over a store that a test can delay, fill or inspect: posted events are stored, drafts are saved
// as they grow, and the writer falls back from a full disk and returns to it.
import { expect, test } from 'playwright/test'
import { ToolAgentError } from '../../../../src/core/data/errors.js'
import type { AgentEvent } from '../../../../src/core/data/event.js'
import type { Message } from '../../../../src/core/data/message.js'
import { emptySession, type Session, type Turn } from '../../../../src/core/data/session.js'
import { sessionHeadOf, type Store, type StoreChange } from '../../../../src/core/state/store.js'
import { SessionWriter } from '../../../../src/host/session-writer.js'
import { createEpochGuard } from '../../../../src/host/store/epoch-guard.js'
import { memoryStore, type MemoryDisk } from '../../../../src/host/store/memory-store.js'
import { deferred } from '../../../support/lab/lab.js'
import { hurry } from '../../../support/lab/timers.js'

const user = (index: number): Message => ({
  id: `u${index}`,
  role: 'user',
  parts: [{ type: 'text', text: `question ${index}` }],
  at: index,
})
const turn = (first: number): Turn => ({
  id: 't',
  tab: 'tab',
  url: 'http://x/',
  startedAt: 1,
  first,
  resumes: 0,
  lastAt: 1,
  spent: 0,
  mode: 'auto',
  options: {},
  facts: { url: 'http://x/', title: 'X', lang: 'en', timeZone: 'UTC' },
  offered: [],
  counted: first,
})
const began = (session: Session): AgentEvent => {
  const first = session.start + session.messages.length
  return { type: 'turn-start', at: 1, turn: turn(first), message: user(first) as Extract<Message, { role: 'user' }> }
}
const step = { type: 'step-start', at: 1, step: 1, id: 'm' } as const
const delta = (text: string) => ({ type: 'text-delta', delta: text }) as const
const called = (...ids: string[]): AgentEvent => ({
  type: 'step-end',
  at: 1,
  step: 1,
  offered: [],
  message: {
    id: 'm',
    role: 'assistant',
    at: 1,
    parts: ids.map((id) => ({ type: 'tool-call', call: { id, name: 'tool', input: {} } })),
  },
})
const result = (callId: string, whole?: string): AgentEvent => ({
  type: 'tool-result',
  at: 1,
  callId,
  ...(whole ? { whole } : {}),
  result: {
    output: 'short',
    modelOutput: 'short',
    endedAt: 1,
    attempts: 1,
    ...(whole ? { cut: { chars: whole.length } } : {}),
  },
})

/** A writer of a new session, every change it committed, the events it posted, and a clock. */
async function begin(
  given: Partial<Store> = {},
  disk: MemoryDisk = new Map(),
  before: Session = emptySession('s', '', 1),
) {
  const changes: StoreChange[] = []
  const told: AgentEvent[] = []
  const clock = { now: 0 }
  const inner = memoryStore(disk)
  const session = { ...before, epoch: (await inner.claim('s', 0)).epoch }
  const store: Store = {
    ...inner,
    kind: given.kind ?? 'indexeddb',
    async commit(id, epoch, change) {
      await given.commit?.(id, epoch, change)
      await inner.commit(id, epoch, change)
      changes.push(change)
    },
  }
  const writer = new SessionWriter(
    session,
    session.messages.length > 0,
    store,
    () => clock.now,
    (_seq, _path, event) => told.push(event),
  )
  return { writer, changes, told, clock, disk, stored: () => memoryStore(disk).read('s', Infinity) }
}

test('posts an event and resolves emit after the commit', { tag: ['@F3', '@F4', '@R6.1'] }, async () => {
  const disk = deferred()
  const reached = deferred()
  const { writer, told } = await begin({
    commit: () => {
      reached.resolve()
      return disk.promise
    },
  })
  let isDone = false
  const done = writer.emit(began(writer.session)).then(() => {
    isDone = true
  })
  await reached.promise
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
  expect([told.length, isDone, writer.session.messages.length]).toEqual([0, false, 0])
  disk.resolve()
  await done
  expect(told.map(({ type }) => type)).toEqual(['turn-start'])
})

test('queues events during a commit and keeps their order', { tag: '@F4' }, async () => {
  const disk = deferred()
  const { writer, told, changes } = await begin({ commit: () => disk.promise })
  const all = [began(writer.session), step, delta('a'), called('c')].map((event) => writer.emit(event))
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
  disk.resolve()
  await Promise.all(all)
  expect(told.map(({ type }) => type)).toEqual(['turn-start', 'step-start', 'text-delta', 'step-end'])
  expect(changes.map(({ messages }) => messages?.map(({ index }) => index))).toEqual([[0], [1]])
})

test('a commit contains only changed messages', { tag: '@F24' }, async () => {
  const { writer, changes } = await begin()
  for (const event of [began(writer.session), step, called('c'), result('c')]) await writer.emit(event)
  expect(changes.map(({ messages }) => messages?.map(({ index }) => index))).toEqual([[0], [1], [1]])
})

test('commits the start of a non-idempotent call with strict durability', { tag: '@R6.1' }, async () => {
  const { writer, changes } = await begin()
  for (const event of [began(writer.session), step, called('buy', 'look')]) await writer.emit(event)
  for (const [callId, repeatable] of [
    ['buy', false],
    ['look', true],
  ] as const)
    await writer.emit({ type: 'tool-start', at: 1, callId, hash: 'h', input: {}, repeatable })
  await writer.emit(result('buy'))
  expect(changes.map(({ strict }) => strict === true)).toEqual([false, false, true, false, false])
})

test('stores a growing text every 2 KB, and a slow one every half second', { tag: ['@F1', '@R6.3'] }, async () => {
  const { writer, changes, clock } = await begin()
  for (const event of [began(writer.session), step]) await writer.emit(event)
  const drafts = () =>
    changes.flatMap(({ draft }) => (draft?.parts[0] && 'text' in draft.parts[0] ? [draft.parts[0].text.length] : []))
  await writer.emit(delta('x'.repeat(2_000)))
  expect(drafts()).toEqual([])
  await writer.emit(delta('x'.repeat(100)))
  expect(drafts()).toEqual([2_100])
  await writer.emit(delta('slow'))
  expect(drafts()).toEqual([2_100])
  clock.now += 501
  await writer.emit(delta('ly'))
  expect(drafts()).toEqual([2_100, 2_106])
  // A time in which nothing came writes nothing.
  clock.now += 501
  await writer.emit(delta(''))
  expect(drafts()).toEqual([2_100, 2_106])
})

test('checkpoints a long answer less often as it grows', async () => {
  const { writer, changes } = await begin()
  for (const event of [began(writer.session), step]) await writer.emit(event)
  const length = 500_000
  for (let sent = 0; sent < length; sent += 1_000) await writer.emit(delta('x'.repeat(1_000)))
  const drafts = changes.flatMap(({ draft }) =>
    draft?.parts[0] && 'text' in draft.parts[0] ? [draft.parts[0].text.length] : [],
  )
  expect(drafts.at(-1)).toBeGreaterThan(length * 0.8)
  expect(drafts.reduce((sum, one) => sum + one, 0)).toBeLessThan(length * 12)
})

/** Resolves at the next checkpoint. */
function checkpoints() {
  let next = deferred()
  const seen = async (_id: string, _epoch: number, change: StoreChange) => {
    if (!change.draft) return
    next.resolve()
    next = deferred()
  }
  return { commit: seen, next: () => next.promise }
}

test('checkpoints the draft after half a second without new text', { tag: ['@F1', '@R6.3'] }, async () => {
  const timers = hurry(500)
  const kept = checkpoints()
  const { writer, stored } = await begin(kept)
  const said = async () => (await stored())?.draft?.parts
  try {
    for (const event of [began(writer.session), step]) await writer.emit(event)
    for (const text of ['one', 'two']) {
      const written = kept.next()
      await writer.emit(delta(text))
      await written
      await writer.save()
    }
    expect(await said()).toEqual([{ type: 'text', text: 'onetwo' }])
    expect(timers.asked(500)).toBe(2)
  } finally {
    timers.stop()
  }
})

test(
  'checkpoints fast deltas together and makes no checkpoint after their step',
  { tag: ['@F1', '@R6.3'] },
  async () => {
    const waiting = new Set<() => void>()
    const { setTimeout: set, clearTimeout: clear } = globalThis
    // The half seconds are given by hand.
    globalThis.setTimeout = ((work: () => void, ms?: number) =>
      ms === 500 ? (waiting.add(work), work) : set(work, ms)) as unknown as typeof setTimeout
    globalThis.clearTimeout = ((timer: never) =>
      waiting.delete(timer) ? undefined : clear(timer)) as typeof clearTimeout
    try {
      const { writer, changes } = await begin()
      for (const event of [began(writer.session), step, delta('a'), delta('b'), delta('c')]) await writer.emit(event)
      expect(waiting.size).toBe(1)
      await writer.emit(called('c'))
      expect(waiting.size).toBe(0)
      await writer.save()
      expect(changes.filter(({ draft }) => draft)).toEqual([])
    } finally {
      Object.assign(globalThis, { setTimeout: set, clearTimeout: clear })
    }
  },
)

test('stores the draft when the session is saved on close', { tag: ['@F1', '@R6.3'] }, async () => {
  const { writer, stored } = await begin()
  for (const event of [began(writer.session), step, delta('last words')]) await writer.emit(event)
  await writer.save()
  expect((await stored())?.draft?.parts).toEqual([{ type: 'text', text: 'last words' }])
})

const full = () => {
  throw new ToolAgentError('storage', 'The disk is full')
}

test(
  'a disk that fills up during an answer switches to memory once and keeps streaming',
  { tag: ['@F29', '@R6.1'] },
  async () => {
    let isFull = false
    const { writer, told, disk } = await begin({
      commit: async () => {
        if (isFull) full()
      },
    })
    for (const event of [began(writer.session), step]) await writer.emit(event)
    isFull = true
    for (let piece = 0; piece < 3; piece++) await writer.emit(delta('x'.repeat(3_000)))
    await writer.emit(called('c'))
    expect(told.filter(({ type }) => type === 'storage-change')).toEqual([
      { type: 'storage-change', storage: 'memory', error: { code: 'storage', message: 'The disk is full' } },
    ])
    expect(told.filter(({ type }) => type === 'text-delta')).toHaveLength(3)
    expect([writer.store.kind, writer.session.messages.length]).toEqual(['memory', 2])
    expect((await writer.store.read('s', Infinity))?.messages).toEqual(writer.session.messages)
    expect(disk.get('s')?.messages).toHaveLength(1)
  },
)

test('the store of a server is not replaced by memory: what it does not commit is an error', async () => {
  let isFull = false
  const { writer, told, stored } = await begin({ kind: 'server', commit: async () => (isFull ? full() : undefined) })
  await writer.emit(began(writer.session))
  isFull = true
  await expect(writer.emit(ended)).rejects.toMatchObject({ code: 'storage', message: 'The disk is full' })
  isFull = false
  // Nothing is written after a gap, and nobody is shown what was not committed.
  await expect(writer.emit(ended)).rejects.toMatchObject({ code: 'storage' })
  expect(told.map(({ type }) => type)).toEqual(['turn-start'])
  expect([writer.store.kind, (await stored())?.turn?.id]).toEqual(['server', 't'])
})

/** The error of a browser whose disk has no room. */
const noRoom = () => {
  throw new ToolAgentError('storage', 'The disk is full', { details: { name: 'QuotaExceededError' } })
}
const ended = { type: 'turn-end', at: 1, turn: 't', reason: 'stop' } as const

/** A session of six messages that is stored. The writer has the two newest at hand. */
async function beginStored(commit: () => Promise<void>) {
  const disk: MemoryDisk = new Map()
  const old = Array.from({ length: 6 }, (_, index) => user(index))
  const before = { ...emptySession('s', '', 1), messages: old }
  const first = memoryStore(disk)
  const { epoch } = await first.claim('s', 0)
  await first.commit('s', epoch, {
    head: sessionHeadOf(before),
    messages: old.map((message, index) => ({ index, message })),
  })
  return begin({ commit }, disk, { ...before, start: 4, messages: old.slice(4) })
}

test('stays in memory once the disk was full, also with room again', { tag: ['@F28', '@R6.1'] }, async () => {
  let commits = 0
  let isFull = false
  const { writer, told, stored } = await beginStored(async () => {
    commits++
    if (isFull) noRoom()
  })
  await writer.emit(began(writer.session))
  isFull = true
  for (const event of [step, called('c'), result('c', 'the whole of it'), ended]) await writer.emit(event)
  isFull = false
  const tried = commits
  for (const event of [began(writer.session), ended]) await writer.emit(event)
  await writer.save()
  expect([writer.store.kind, commits]).toEqual(['memory', tried])
  expect(told.filter(({ type }) => type === 'storage-change')).toEqual([
    {
      type: 'storage-change',
      storage: 'memory',
      error: { code: 'storage', message: 'The disk is full', details: { name: 'QuotaExceededError' } },
    },
  ])
  // Memory has everything; the disk has what it had.
  expect((await writer.store.read('s', Infinity))?.messages.map(({ id }) => id)).toEqual([
    'u0',
    'u1',
    'u2',
    'u3',
    'u4',
    'u5',
    'u6',
    'm',
    'u8',
  ])
  expect(await writer.store.result('s', 'c')).toEqual({ value: 'the whole of it' })
  expect((await stored())?.messages.map(({ id }) => id)).toEqual(['u0', 'u1', 'u2', 'u3', 'u4', 'u5', 'u6'])
})

test(
  'a session that left a store for another reason is written to it at the end of the turn, and not before',
  { tag: ['@F34', '@R6.1'] },
  async () => {
    let fails = false
    const { writer, told, stored } = await beginStored(async () => {
      if (fails) full()
    })
    await writer.emit(began(writer.session))
    fails = true
    for (const event of [step, called('c')]) await writer.emit(event)
    fails = false
    await writer.emit(result('c', 'the whole of it'))
    expect([writer.store.kind, (await stored())?.messages.length]).toEqual(['memory', 7])
    await writer.emit(ended)
    expect(writer.store.kind).toBe('indexeddb')
    // Told before the end of the turn, so that who awaits the turn sees where the session is.
    expect(told.map((event) => (event.type === 'storage-change' ? event.storage : event.type))).toEqual([
      'turn-start',
      'step-start',
      'memory',
      'step-end',
      'tool-result',
      'indexeddb',
      'turn-end',
    ])
    expect((await stored())?.messages.map(({ id }) => id)).toEqual(['u0', 'u1', 'u2', 'u3', 'u4', 'u5', 'u6', 'm'])
    expect(await writer.store.result('s', 'c')).toEqual({ value: 'the whole of it' })
  },
)

test('tries to return to a store once', { tag: ['@F34'] }, async () => {
  let commits = 0
  let fails = false
  const { writer } = await beginStored(async () => {
    commits++
    if (fails) full()
  })
  await writer.emit(began(writer.session))
  fails = true
  for (const event of [step, called('c'), result('c'), ended]) await writer.emit(event)
  fails = false
  const tried = commits
  for (const event of [began(writer.session), ended]) await writer.emit(event)
  expect([writer.store.kind, commits]).toEqual(['memory', tried])
})

test('a cleared session is written again at once if no turn runs', { tag: ['@F33', '@R6.1'] }, async () => {
  const guard = createEpochGuard()
  const disk: MemoryDisk = new Map()
  const store: Store = { ...memoryStore(disk, guard), kind: 'indexeddb' }
  const { epoch } = await store.claim('s', 0)
  const told: AgentEvent[] = []
  const session = { ...emptySession('s', '', 1), epoch }
  const writer = new SessionWriter(
    session,
    false,
    store,
    () => 0,
    (_seq, _path, event) => told.push(event),
  )
  for (const event of [began(writer.session), ended]) await writer.emit(event)
  disk.clear()
  guard.cleared()
  await writer.emit(began(writer.session))
  expect([writer.store.kind, told.some(({ type }) => type === 'storage-change')]).toEqual(['indexeddb', false])
  expect((await store.read('s', Infinity))?.messages.map(({ id }) => id)).toEqual(['u0', 'u1'])
})

test('a session that another tab deleted is not written again', { tag: ['@F25'] }, async () => {
  const disk: MemoryDisk = new Map()
  const { writer } = await begin({}, disk)
  for (const event of [began(writer.session), ended]) await writer.emit(event)
  disk.clear()
  await expect(writer.emit(began(writer.session))).rejects.toMatchObject({ code: 'session-deleted' })
  expect(disk.size).toBe(0)
})
