// What every store promises, as plain functions that run anywhere: in Node, and inside a page that imports this file.
// A case throws if the promise is broken. A custom store can be tested in the same way.
import type { Message } from '../../../src/core/data/message.js'
import { emptySession, type Session } from '../../../src/core/data/session.js'
import { sessionHeadOf, type Store, type StoreChange } from '../../../src/core/state/store.js'

/** Two stores over the same data, as two tabs have them, empty at first. */
export type StorePair = readonly [Store, Store]
export interface ContractCase {
  readonly title: string
  run(stores: StorePair): Promise<void>
}

const user = (index: number, text = `question ${index}`): Message => ({
  id: `m${index}`,
  role: 'user',
  parts: [{ type: 'text', text }],
  at: index,
})
const answer = (index: number): Message => ({
  id: `m${index}`,
  role: 'assistant',
  parts: [{ type: 'text', text: `answer ${index}` }],
  at: index,
})

function session(id: string, messages: readonly Message[], fields: Partial<Session> = {}): Session {
  return { ...emptySession(id, 'me', 1000), epoch: 1, messages, ...fields }
}

/** All of a session, as its first commit stores it. */
function whole(given: Session): StoreChange {
  return {
    head: sessionHeadOf(given),
    messages: given.messages.map((message, index) => ({ index, message })),
    ...(given.draft === undefined ? {} : { draft: given.draft }),
  }
}

async function create(store: Store, given: Session): Promise<void> {
  const { epoch } = await store.claim(given.id, 0)
  await store.commit(given.id, epoch, whole(given))
}

function equal(actual: unknown, expected: unknown, what: string): void {
  const [one, other] = [sorted(actual), sorted(expected)]
  if (one !== other) throw new Error(`${what}: expected ${other}, got ${one}`)
}

function sorted(value: unknown): string {
  return (
    JSON.stringify(value, (_key, item: unknown) =>
      typeof item === 'object' && item !== null && !Array.isArray(item)
        ? Object.fromEntries(Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1)))
        : item,
    ) ?? 'undefined'
  )
}

async function fails(code: string, work: () => Promise<unknown>): Promise<void> {
  let thrown: unknown
  try {
    await work()
  } catch (error) {
    thrown = error
  }
  if (thrown === undefined) throw new Error(`expected ${code}, and nothing was thrown`)
  equal((thrown as { code?: unknown }).code, code, `the code of "${String(thrown)}"`)
}

export const storeCases: readonly ContractCase[] = [
  {
    title: 'a session that was never stored has epoch 1, and claiming it stores nothing',
    async run([store]) {
      equal(await store.claim('a', 10), { epoch: 1 }, 'the claim')
      equal(await store.claim('a', 10), { epoch: 1 }, 'the second claim')
      equal(await store.read('a', 10), undefined, 'read')
      equal(await store.list('me'), [], 'the list')
    },
  },
  {
    title: 'what was committed comes back whole, to a claim and to a read of another tab',
    async run([store, other]) {
      const given = session('a', [user(0), answer(1)], {
        title: 'Tea',
        updatedAt: 2000,
        todos: [{ id: '1', text: 'pour', status: 'pending' }],
        context: { tenant: 't1', deep: { list: [1, null] } },
        grants: [{ tool: 'add', hash: 'h' }],
        draft: {
          id: 'd',
          step: 1,
          parts: [
            { type: 'text', text: 'I' },
            { type: 'tool-input', id: 'c', name: 'add', text: '{' },
          ],
        },
        end: { turn: 't', reason: 'stop', at: 1900 },
      })
      await create(store, given)
      equal(await other.read('a', 100), given, 'read')
      equal(await other.claim('a', 100), { epoch: 2, session: { ...given, epoch: 2 } }, 'the claim')
    },
  },
  {
    title: 'a running turn and a message with calls, approvals and results come back as they were',
    async run([store]) {
      const calls: Message = {
        id: 'm1',
        role: 'assistant',
        at: 2,
        usage: { totalTokens: 7 },
        parts: [
          { type: 'reasoning', text: 'Hm', metadata: { chatCompletions: { field: 'reasoning_content' } } },
          {
            type: 'tool-call',
            call: { id: 'c1', name: 'add', input: { n: 2 } },
            started: { at: 3, hash: 'h', input: { n: 2 }, repeatable: false },
            result: { output: null, modelOutput: 'Success', endedAt: 4, attempts: 1 },
          },
          {
            type: 'tool-call',
            call: { id: 'c2', name: 'buy', input: {}, raw: '{' },
            approval: { hash: 'h', title: 'Buy', input: {}, at: 5 },
          },
          {
            type: 'tool-call',
            call: { id: 'c3', name: 'pay', input: {} },
            result: { error: { code: 'denied', message: 'no' }, endedAt: 4, attempts: 0 },
          },
        ],
      }
      const given = session('a', [user(0), calls], {
        status: 'awaiting-approval',
        turn: {
          id: 't',
          tab: 'tab',
          url: 'http://x/',
          startedAt: 1,
          first: 0,
          resumes: 1,
          lastAt: 2,
          spent: 3,
          mode: 'auto',
          options: { toolContext: { a: 1 } },
          facts: { url: 'http://x/', title: 'X', lang: 'en', timeZone: 'UTC' },
          offered: ['add'],
          counted: 0,
        },
      })
      await create(store, given)
      equal(await store.read('a', 100), given, 'read')
    },
  },
  {
    title: 'each claim raises the epoch, and a commit of an older one is lost-session and changes nothing',
    async run([store, other]) {
      const given = session('a', [user(0)], { draft: { id: 'd', step: 0, parts: [] } })
      await create(store, given)
      equal((await other.claim('a', 10)).epoch, 2, 'the second epoch')
      await fails('lost-session', () =>
        store.commit('a', 1, {
          messages: [
            { index: 0, message: user(0, 'changed') },
            { index: 1, message: user(1) },
          ],
          head: sessionHeadOf(session('a', [user(0), user(1)], { title: 'Tea' })),
          result: { callId: 'c', value: 'whole' },
          draft: null,
        }),
      )
      equal(await store.read('a', 10), { ...given, epoch: 2 }, 'read')
      equal(await store.result('a', 'c'), undefined, 'the result')
      await other.commit('a', 2, {
        messages: [{ index: 1, message: answer(1) }],
        head: sessionHeadOf(session('a', [user(0), answer(1)], { epoch: 2 })),
      })
      equal((await store.claim('a', 10)).epoch, 3, 'the third epoch')
      await fails('lost-session', () => other.commit('a', 2, { draft: null }))
    },
  },
  {
    title: 'of two tabs that claimed a session before it was stored, the first to commit has it',
    async run([store, other]) {
      equal((await store.claim('a', 10)).epoch, 1, 'the first claim')
      equal((await other.claim('a', 10)).epoch, 1, 'the second claim')
      await other.commit('a', 1, whole(session('a', [user(0, 'theirs')])))
      await fails('lost-session', () => store.commit('a', 1, whole(session('a', [user(0, 'mine')]))))
      await other.commit('a', 1, {
        messages: [{ index: 1, message: answer(1) }],
        head: sessionHeadOf(session('a', [user(0), answer(1)])),
      })
      equal((await store.read('a', 10))?.messages, [user(0, 'theirs'), answer(1)], 'the messages')
    },
  },
  {
    title: 'the epoch of the commit is what is stored, whatever the head says',
    async run([store]) {
      await create(store, session('a', [user(0)], { epoch: 99 }))
      equal((await store.read('a', 10))?.epoch, 1, 'the epoch')
    },
  },
  {
    title: 'a commit of a deleted session is session-deleted and does not create it again',
    async run([store, other]) {
      await create(store, session('a', [user(0)]))
      await other.delete('a')
      const late = whole(session('a', [user(0), user(1)], { draft: { id: 'd', step: 0, parts: [] } }))
      await fails('session-deleted', () => store.commit('a', 1, { ...late, result: { callId: 'c', value: 'whole' } }))
      equal(await other.read('a', 10), undefined, 'read')
      equal(await other.result('a', 'c'), undefined, 'the result')
      await fails('session-deleted', () => other.commit('a', 2, whole(session('a', [user(0)]))))
      // Neither its messages nor its draft were stored.
      const { epoch } = await other.claim('a', 0)
      await other.commit('a', epoch, { head: { ...sessionHeadOf(session('a', [])), length: 5 } })
      equal(await other.read('a', 10), session('a', []), 'the next session of its name')
    },
  },
  {
    title: 'a deleted session leaves nothing behind for the next of its name',
    async run([store]) {
      await create(store, session('a', [user(0), answer(1)], { draft: { id: 'd', step: 0, parts: [] } }))
      await store.commit('a', 1, { result: { callId: 'c', value: 'whole' } })
      await create(store, session('ab', [user(0)]))
      await store.delete('a')
      equal(await store.messages('a', 100, 100), [], 'the messages')
      equal(await store.result('a', 'c'), undefined, 'the result')
      equal(await store.claim('a', 10), { epoch: 1 }, 'the claim')
      await create(store, session('a', [user(0, 'new')]))
      equal(await store.read('a', 10), session('a', [user(0, 'new')]), 'read')
      equal((await store.read('ab', 10))?.messages, [user(0)], 'the other session')
    },
  },
  {
    title: 'a commit changes what it names and nothing else',
    async run([store]) {
      const draft = { id: 'd', step: 0, parts: [{ type: 'text', text: 'I' }] } as const
      await create(store, session('a', [user(0), answer(1)]))
      await store.commit('a', 1, { draft })
      equal(await store.read('a', 10), session('a', [user(0), answer(1)], { draft }), 'after the draft')
      await store.commit('a', 1, { messages: [{ index: 1, message: user(1) }] })
      equal(await store.read('a', 10), session('a', [user(0), user(1)], { draft }), 'after the message')
      await store.commit('a', 1, {
        head: sessionHeadOf(session('a', [user(0), user(1)], { title: 'T' })),
        draft: null,
        strict: true,
      })
      equal(await store.read('a', 10), session('a', [user(0), user(1)], { title: 'T' }), 'after head and no draft')
    },
  },
  {
    title: 'a commit with a value that cannot be stored is a storage error and changes nothing',
    async run([store, other]) {
      await create(store, session('a', [user(0)]))
      const bad = { id: 'm1', role: 'user', parts: [], at: (() => 1) as unknown as number } as Message
      const change = {
        head: sessionHeadOf(session('a', [user(0), bad], { title: 'T' })),
        messages: [{ index: 1, message: bad }],
      }
      await fails('storage', () => store.commit('a', 1, change))
      equal(await store.read('a', 10), session('a', [user(0)]), 'read')
      await other.claim('a', 0)
      await fails('lost-session', () => store.commit('a', 1, change))
      await fails('storage', () => store.commit('b', 1, { draft: null }))
    },
  },
  {
    title: 'a window holds the newest messages and begins at a user message',
    async run([store]) {
      const messages = Array.from({ length: 60 }, (_, index) => (index % 30 === 0 ? user(index) : answer(index)))
      await create(store, session('a', messages))
      const window = async (limit: number): Promise<[number, number]> => {
        const { start, messages: some } = (await store.read('a', limit))!
        equal(some, messages.slice(start), `the messages of a window of ${limit}`)
        return [start, some.length]
      }
      equal(await window(30), [30, 30], 'a window of 30')
      equal(await window(5), [30, 30], 'a window of 5')
      equal(await window(31), [0, 60], 'a window of 31')
      equal(await window(Infinity), [0, 60], 'no limit')
      equal(await window(0), [60, 0], 'no messages')
      equal((await store.claim('a', 3)).session?.start, 30, 'the start of a claim')
      await store.commit('a', 2, {
        messages: [{ index: 60, message: user(60) }],
        head: { ...sessionHeadOf(session('a', messages)), length: 61 },
      })
      equal((await store.read('a', 1))?.messages, [user(60)], 'a window of the newest question')
    },
  },
  {
    title: 'a window of a session without a user message is all of it',
    async run([store]) {
      const messages = Array.from({ length: 45 }, (_, index) => answer(index))
      await create(store, session('a', messages))
      equal((await store.read('a', 2))?.messages, messages, 'the messages')
    },
  },
  {
    title: 'older messages come in order, at most so many, and none beyond the beginning',
    async run([store]) {
      const messages = Array.from({ length: 12 }, (_, index) => user(index))
      await create(store, session('a', messages))
      equal(await store.messages('a', 10, 3), messages.slice(7, 10), 'three before the tenth')
      equal(await store.messages('a', 2, 5), messages.slice(0, 2), 'all before the second')
      equal(await store.messages('a', 0, 50), [], 'none before the first')
      equal(await store.messages('a', 99, 2), messages.slice(10), 'the last two')
      equal(await store.messages('nobody', 9, 9), [], 'an unknown session')
    },
  },
  {
    title: 'a whole result is kept under its call id, also one that looks like a property of objects',
    async run([store]) {
      await create(store, session('__proto__', [user(0)]))
      await store.commit('__proto__', 1, { result: { callId: 'constructor', value: { text: 'long' } } })
      equal(await store.result('__proto__', 'constructor'), { value: { text: 'long' } }, 'the result')
      equal(await store.resultText('__proto__', 'constructor', { from: 0, to: 4 }), undefined, 'not a text')
      equal(await store.result('__proto__', 'toString'), undefined, 'another result')
      equal((await store.read('__proto__', 9))?.id, '__proto__', 'the session')
    },
  },
  {
    title: 'a text of several megabytes comes back whole and in pieces, and the output beside it',
    async run([store, other]) {
      await create(store, session('a', [user(0)]))
      const value = Array.from({ length: 300_000 }, (_, index) => `line ${index}\n`).join('')
      const output = JSON.stringify({ rows: value })
      const result = { callId: 'c', value, output }
      await store.commit('a', 1, { result })
      await store.commit('a', 1, { result: { callId: 'shown', output } })
      await store.commit('a', 1, { result: { callId: 'short', value: '' } })
      const same = async (reading: Store): Promise<void> => {
        const stored = await reading.result('a', 'c')
        if (stored?.value !== value || stored?.output !== output) throw new Error('Not the text and the output')
        const shown = await reading.result('a', 'shown')
        if (shown?.value !== undefined || shown?.output !== output) throw new Error('Not the output alone')
      }
      await same(store)
      await same(other)
      const size = 1_048_576
      for (const [from, to] of [
        [0, 10],
        [size - 5, size + 5],
        [size, size + 5],
        [size - 5, size],
        [size - 5, 2 * size + 5],
        [value.length - 5, value.length],
      ] as const)
        equal(await other.resultText('a', 'c', { from, to }), value.slice(from, to), `${from} to ${to}`)
      equal(await store.resultText('a', 'short', { from: 0, to: 0 }), '', 'an empty text')
      equal(await store.resultText('a', 'shown', { from: 0, to: 9 }), undefined, 'an output is no text')
      equal(await store.resultText('a', 'nothing', { from: 0, to: 9 }), undefined, 'no result')
      await store.delete('a')
      await create(store, session('a', [user(0)]))
      equal(await store.result('a', 'c'), undefined, 'the text of a deleted session')
      equal(await store.result('a', 'shown'), undefined, 'the output of a deleted session')
      equal(await store.resultText('a', 'c', { from: size, to: size + 9 }), undefined, 'a part of a deleted session')
    },
  },
  {
    title: 'a list has the sessions of its scope alone, newest first',
    async run([store]) {
      await create(store, session('old', [user(0)], { updatedAt: 2000 }))
      await create(store, session('new', [user(0), answer(1)], { updatedAt: 3000, title: 'Tea' }))
      await create(store, session('theirs', [user(0)], { scope: 'you' }))
      await create(store, session('none', [user(0)], { scope: '' }))
      equal(
        await store.list('me'),
        [
          { id: 'new', scope: 'me', title: 'Tea', createdAt: 1000, updatedAt: 3000, messages: 2 },
          { id: 'old', scope: 'me', createdAt: 1000, updatedAt: 2000, messages: 1 },
        ],
        'the list',
      )
      await store.commit('old', 1, { head: sessionHeadOf(session('old', [user(0)], { updatedAt: 4000 })) })
      equal(
        (await store.list('me')).map(({ id }) => id),
        ['old', 'new'],
        'the order after a change',
      )
      equal(
        (await store.list('')).map(({ id }) => id),
        ['none'],
        'the empty scope',
      )
      equal(await store.list('m'), [], 'a scope that is the beginning of another')
    },
  },
  {
    title: 'what was given is copied: a later change of it reaches nobody',
    async run([store]) {
      const given = session('a', [user(0)], { context: { list: [1] } })
      await create(store, given)
      ;(given.context['list'] as number[]).push(2)
      equal((await store.read('a', 10))?.context, { list: [1] }, 'the context')
    },
  },
  {
    title: 'commits that do not wait for each other all arrive',
    async run([store]) {
      await create(store, session('a', [user(0)]))
      await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          store.commit('a', 1, {
            messages: [{ index: at + 1, message: user(at + 1) }],
            head: { ...sessionHeadOf(session('a', [])), length: at + 2 },
          }),
        ),
      )
      equal(
        (await store.read('a', 100))?.messages,
        Array.from({ length: 21 }, (_, index) => user(index)),
        'the messages',
      )
    },
  },
]
