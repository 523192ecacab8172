// Who may write: epochs, sessions that were deleted, and those that a browser has cleared.
import { sessionHeadOf } from '../../core/state/store.js'
import type { CaseDefinition } from './case.js'
import { added, allOf, answer, claimNew, create, equal, fails, question, sessionWith } from './support.js'

export const claimCases: readonly CaseDefinition[] = [
  {
    title: 'each claim of a session that is not stored gives another epoch, and stores nothing',
    async run([store, other]) {
      const epochs = [await claimNew(store, 'a'), await claimNew(store, 'a'), await claimNew(other, 'a')]
      equal(new Set(epochs).size, 3, 'the number of different epochs')
      equal(await store.read('a', 10), undefined, 'read')
      equal(await store.list('me'), [], 'the list')
    },
  },
  {
    title: 'each claim raises the epoch, and a commit of an older one is lost-session and changes nothing',
    async run([store, other]) {
      const given = sessionWith('a', [question(0)], { draft: { id: 'd', step: 0, parts: [] } })
      await create(store, given)
      equal((await other.claim('a', 10)).epoch, 2, 'the second epoch')
      await fails(
        'lost-session',
        store.commit('a', 1, {
          ...allOf(sessionWith('a', [question(0, 'changed'), question(1)], { title: 'Tea' })),
          result: { callId: 'c', value: 'whole' },
          draft: null,
        }),
      )
      equal(await store.read('a', 10), { ...given, epoch: 2 }, 'read')
      equal(await store.result('a', 'c'), undefined, 'the result')
      await other.commit('a', 2, added({ ...given, epoch: 2 }, answer(1)))
      equal((await store.claim('a', 10)).epoch, 3, 'the third epoch')
      await fails('lost-session', other.commit('a', 2, { draft: null }))
    },
  },
  {
    title: 'of two tabs that claimed a session before it was stored, the first to commit has it',
    async run([store, other]) {
      const [mine, epoch] = [await claimNew(store, 'a'), await claimNew(other, 'a')]
      const theirs = sessionWith('a', [question(0, 'theirs')])
      await other.commit('a', epoch, allOf(theirs))
      await fails('lost-session', store.commit('a', mine, allOf(sessionWith('a', [question(0, 'mine')]))))
      await other.commit('a', epoch, added(theirs, answer(1)))
      equal((await store.read('a', 10))?.messages, [question(0, 'theirs'), answer(1)], 'the messages')
    },
  },
  {
    title: 'a host of a deleted session cannot write into the next one of its name, also through the same store',
    async run([store, other]) {
      for (const [at, next] of [store, other].entries()) {
        const id = `again-${at}`
        const old = await claimNew(store, id)
        const given = sessionWith(id, [question(0, 'old')])
        await store.commit(id, old, allOf(given))
        await next.delete(id)
        const epoch = await claimNew(next, id)
        await fails('session-deleted', store.commit(id, old, allOf(given)), 'before the first commit of the next one')
        await next.commit(id, epoch, allOf(sessionWith(id, [question(0, 'new')])))
        await fails('lost-session', store.commit(id, old, added(given, answer(1))), 'after it')
        equal((await next.read(id, 10))?.messages, [question(0, 'new')], 'the messages')
      }
    },
  },
  {
    title: 'the id and the epoch of the commit are what is stored, whatever the head says',
    async run([store]) {
      const epoch = await claimNew(store, 'a')
      await store.commit('a', epoch, allOf(sessionWith('b', [question(0)], { epoch: 99 })))
      equal(await store.read('a', 10), sessionWith('a', [question(0)], { epoch }), 'read')
      equal(await store.read('b', 10), undefined, 'the session that the head names')
    },
  },
  {
    title: 'an epoch that no claim has given is lost-session',
    async run([store]) {
      await create(store, sessionWith('a', [question(0)]))
      for (const epoch of [0, 2, -1, 1.5, Number.NaN, Infinity])
        await fails('lost-session', store.commit('a', epoch, { draft: null }), `epoch ${epoch}`)
      equal((await store.claim('a', 0)).epoch, 2, 'the next epoch')
    },
  },
  {
    title: 'a commit of a deleted session is session-deleted and does not create it again',
    async run([store, other]) {
      await create(store, sessionWith('a', [question(0)]))
      await other.delete('a')
      const late = allOf(sessionWith('a', [question(0), question(1)], { draft: { id: 'd', step: 0, parts: [] } }))
      await fails('session-deleted', store.commit('a', 1, { ...late, result: { callId: 'c', value: 'whole' } }))
      await fails('session-deleted', store.commit('a', 1, { ...late, whole: true }))
      equal(await other.read('a', 10), undefined, 'read')
      equal(await other.result('a', 'c'), undefined, 'the result')
      await fails('session-deleted', other.commit('a', 2, allOf(sessionWith('a', [question(0)]))))
      // Neither its messages nor its draft were stored.
      const epoch = await claimNew(other, 'a')
      await other.commit('a', epoch, { head: { ...sessionHeadOf(sessionWith('a', [])), length: 5 } })
      equal(await other.read('a', 10), sessionWith('a', [], { epoch }), 'the next session of its name')
    },
  },
  {
    title: 'a deleted session leaves nothing behind for the next of its name',
    async run([store]) {
      await create(store, sessionWith('a', [question(0), answer(1)], { draft: { id: 'd', step: 0, parts: [] } }))
      await store.commit('a', 1, { result: { callId: 'c', value: 'whole' } })
      await create(store, sessionWith('ab', [question(0)]))
      await store.delete('a')
      equal(await store.messages('a', 100, 100), [], 'the messages')
      equal(await store.result('a', 'c'), undefined, 'the result')
      equal(await store.list('me'), [{ ...summary, id: 'ab' }], 'the list')
      await claimNew(store, 'a')
      await create(store, sessionWith('a', [question(0, 'new')]))
      equal(await store.read('a', 10), sessionWith('a', [question(0, 'new')]), 'read')
      equal((await store.read('ab', 10))?.messages, [question(0)], 'the other session')
      await store.delete('a')
      await store.delete('a')
      await store.delete('nobody')
    },
  },
  {
    title: 'a whole change writes a session that was never stored, with the epoch that it has',
    async run([store, other]) {
      // As a session does that memory had while the store could not be used.
      await store.claim('a', 0)
      const given = sessionWith('a', [question(0)], { epoch: 4 })
      await store.commit('a', 4, { ...allOf(given), draft: null, whole: true })
      equal(await other.read('a', 10), given, 'read')
      await store.commit('a', 4, added(given, answer(1)))
      equal((await other.claim('a', 0)).epoch, 5, 'the next epoch')
      await fails('lost-session', store.commit('a', 4, { ...allOf(given), whole: true }))
    },
  },
  {
    title: 'a whole change does not replace a session that another tab has stored meanwhile',
    async run([store, other]) {
      await store.claim('a', 0)
      await create(other, sessionWith('a', [question(0, 'theirs')]))
      await fails(
        'lost-session',
        store.commit('a', 1, { ...allOf(sessionWith('a', [question(0, 'mine')])), whole: true }),
      )
      equal(await store.read('a', 10), sessionWith('a', [question(0, 'theirs')]), 'read')
    },
  },
  {
    title: 'a session that the browser has cleared is written again by a whole change, and by no other',
    needs: 'clear',
    async run([store], { clear }) {
      const given = sessionWith('a', [question(0)])
      await create(store, given)
      await create(store, sessionWith('b', [question(0)]))
      await clear()
      await fails('storage', store.commit('a', 1, { draft: null }))
      await fails('storage', store.commit('a', 1, added(given, answer(1))))
      equal(await store.read('a', 10), undefined, 'read before')
      await store.commit('a', 1, { ...allOf(given), whole: true })
      equal(await store.read('a', 10), given, 'read after')
      await claimNew(store, 'b')
    },
  },
]

const summary = { scope: 'me', createdAt: 1000, updatedAt: 1000, messages: 1 }
