// What comes back: windows of messages, older messages, lists, drafts, and what a commit does not change.
import { sessionHeadOf } from '../../core/state/store.js'
import type { CaseDefinition } from './case.js'
import { allOf, answer, claimNew, create, equal, fails, question, sessionWith } from './support.js'

export const readingCases: readonly CaseDefinition[] = [
  {
    title: 'a commit changes what it names and nothing else',
    async run([store]) {
      const draft = { id: 'd', step: 0, parts: [{ type: 'text', text: 'I' }] } as const
      await create(store, sessionWith('a', [question(0), answer(1)]))
      await store.commit('a', 1, { draft })
      equal(await store.read('a', 10), sessionWith('a', [question(0), answer(1)], { draft }), 'after the draft')
      await store.commit('a', 1, { draft: { ...draft, step: 1, parts: [] } })
      equal((await store.read('a', 10))?.draft, { ...draft, step: 1, parts: [] }, 'the newest draft')
      await store.commit('a', 1, { draft, messages: [{ index: 1, message: question(1) }] })
      equal(await store.read('a', 10), sessionWith('a', [question(0), question(1)], { draft }), 'after the message')
      await store.commit('a', 1, {})
      equal(await store.read('a', 10), sessionWith('a', [question(0), question(1)], { draft }), 'after nothing')
      await store.commit('a', 1, {
        head: sessionHeadOf(sessionWith('a', [question(0), question(1)], { title: 'T' })),
        draft: null,
        strict: true,
      })
      equal(
        await store.read('a', 10),
        sessionWith('a', [question(0), question(1)], { title: 'T' }),
        'after the head and no draft',
      )
      await store.commit('a', 1, { draft: null })
    },
  },
  {
    title: 'the first commit of a session needs a head',
    async run([store]) {
      const epoch = await claimNew(store, 'a')
      await fails('storage', store.commit('a', epoch, { draft: null }))
      await fails('storage', store.commit('a', epoch, { messages: [{ index: 0, message: question(0) }] }))
      equal(await store.messages('a', 10, 10), [], 'the messages')
      await claimNew(store, 'a')
    },
  },
  {
    title: 'a window holds the newest messages and begins at a message of the user',
    async run([store]) {
      const messages = Array.from({ length: 60 }, (_, index) => (index % 30 === 0 ? question(index) : answer(index)))
      await create(store, sessionWith('a', messages))
      const window = async (limit: number): Promise<[number, number]> => {
        const { start, messages: some } = (await store.read('a', limit))!
        equal(some, messages.slice(start), `the messages of a window of ${limit}`)
        return [start, some.length]
      }
      equal(await window(30), [30, 30], 'a window of 30')
      equal(await window(5), [30, 30], 'a window of 5')
      equal(await window(31), [0, 60], 'a window of 31')
      equal(await window(60), [0, 60], 'a window of 60')
      equal(await window(Infinity), [0, 60], 'no limit')
      equal(await window(0), [60, 0], 'no messages')
      equal((await store.claim('a', 3)).session?.start, 30, 'the start of a claim')
      await store.commit('a', 2, {
        messages: [{ index: 60, message: question(60) }],
        head: { ...sessionHeadOf(sessionWith('a', messages)), length: 61 },
      })
      equal((await store.read('a', 1))?.messages, [question(60)], 'a window of the newest question')
    },
  },
  {
    title: 'a window of a session without a message of the user is all of it',
    async run([store]) {
      const messages = Array.from({ length: 45 }, (_, index) => answer(index))
      await create(store, sessionWith('a', messages))
      equal((await store.read('a', 2))?.messages, messages, 'the messages')
    },
  },
  {
    title: 'older messages come in order, at most so many, and none beyond the beginning',
    async run([store]) {
      const messages = Array.from({ length: 12 }, (_, index) => question(index))
      await create(store, sessionWith('a', messages))
      equal(await store.messages('a', 10, 3), messages.slice(7, 10), 'three before the tenth')
      equal(await store.messages('a', 2, 5), messages.slice(0, 2), 'all before the second')
      equal(await store.messages('a', 0, 50), [], 'none before the first')
      equal(await store.messages('a', 5, 0), [], 'none of none')
      equal(await store.messages('a', 99, 2), messages.slice(10), 'the last two')
      equal(await store.messages('a', Infinity, Infinity), messages, 'all')
      equal(await store.messages('nobody', 9, 9), [], 'an unknown session')
    },
  },
  {
    title: 'messages beyond the length of the head are not read, and those that are missing are empty',
    async run([store]) {
      const head = sessionHeadOf(sessionWith('a', []))
      const message = (index: number) => ({ index, message: question(index) })
      const epoch = await claimNew(store, 'a')
      await store.commit('a', epoch, { head: { ...head, length: 4 }, messages: [0, 1, 3, 4].map(message) })
      const read = [question(0), question(1), { id: 'unreadable_2', role: 'assistant', parts: [], at: 0 }, question(3)]
      equal((await store.read('a', 10))?.messages, read, 'read')
      equal(await store.messages('a', Infinity, 3), read.slice(1), 'the messages')
      await store.commit('a', epoch, { head: { ...head, length: 1 } })
      equal((await store.read('a', 10))?.messages, read.slice(0, 1), 'the read of a shorter session')
      equal(await store.messages('a', 4, 9), read.slice(0, 1), 'the messages of a shorter session')
    },
  },
  {
    title: 'a list has the sessions of its scope alone, newest first, and of one time by their ids backwards',
    async run([store, other]) {
      const at = (id: string, updatedAt: number, more = {}) =>
        create(store, sessionWith(id, [question(0)], { updatedAt, ...more }))
      await at('old', 2000)
      await create(store, sessionWith('new', [question(0), answer(1)], { updatedAt: 3000, title: 'Tea' }))
      await at('theirs', 1, { scope: 'you' })
      await at('none', 1, { scope: '' })
      const list = async (scope: string) => (await other.list(scope)).map(({ id }) => id)
      equal(
        await store.list('me'),
        [
          { id: 'new', scope: 'me', title: 'Tea', createdAt: 1000, updatedAt: 3000, messages: 2 },
          { id: 'old', scope: 'me', createdAt: 1000, updatedAt: 2000, messages: 1 },
        ],
        'the list',
      )
      await store.commit('old', 1, {
        head: sessionHeadOf(sessionWith('old', [question(0)], { updatedAt: 4000 })),
      })
      equal(await list('me'), ['old', 'new'], 'the order after a change')
      for (const id of ['b', 'c', 'a']) await at(id, 3500)
      equal(await list('me'), ['old', 'c', 'b', 'a', 'new'], 'the order of one time')
      equal(await list(''), ['none'], 'the empty scope')
      for (const scope of ['m', 'me ', 'ME', 'm%', 'm_']) equal(await list(scope), [], `the scope "${scope}"`)
    },
  },
  {
    title: 'a session that changes its scope is in the list of the new one alone',
    async run([store]) {
      await create(store, sessionWith('a', [question(0)]))
      await store.commit('a', 1, { head: sessionHeadOf(sessionWith('a', [question(0)], { scope: 'you' })) })
      equal(await store.list('me'), [], 'the old scope')
      equal(
        (await store.list('you')).map(({ id }) => id),
        ['a'],
        'the new scope',
      )
    },
  },
  {
    title: 'a store that was closed does not end another one, and what was asked of it before settles',
    async run([store, other], { open }) {
      await create(store, sessionWith('a', [question(0)]))
      const closed = await open()
      const epoch = await claimNew(closed, 'b')
      const [read, late] = [closed.read('a', 10), closed.commit('b', epoch, allOf(sessionWith('b', [question(0)])))]
      closed.close()
      closed.close()
      const settled = await Promise.allSettled([read, late])
      if (settled[0].status === 'fulfilled') equal(settled[0].value?.messages, [question(0)], 'the reading')
      const isThere = (await other.read('b', 1)) !== undefined
      equal(isThere, settled[1].status === 'fulfilled', 'whether the commit is there, as it said')
      await store.commit('a', 1, { draft: null })
    },
  },
]
