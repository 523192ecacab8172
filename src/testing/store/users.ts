// Users of one server: the key of everything is the user and the id, so the session of another user looks like one that
// does not exist.
import type { Store } from '../../core/state/store.js'
import type { CaseDefinition } from './case.js'
import { added, allOf, answer, Choices, claimNew, create, equal, fails, question, sessionWith } from './support.js'

export const userCases: readonly CaseDefinition[] = [
  {
    title: 'the session of another user looks like a missing one to every method',
    needs: 'openAs',
    async run(_, { openAs }) {
      const [owner, other] = [await openAs('owner'), await openAs('other')]
      const given = sessionWith('a', [question(0), answer(1)], { draft: { id: 'd', step: 0, parts: [] } })
      await create(owner, given)
      await owner.commit('a', 1, { result: { callId: 'c', value: 'long' } })
      equal(await other.read('a', 99), undefined, 'read')
      equal(await other.messages('a', 99, 99), [], 'the messages')
      equal(await other.result('a', 'c'), undefined, 'the result')
      equal(await other.resultText('a', 'c', { from: 0, to: 9 }), undefined, 'the text')
      equal(await other.list('me'), [], 'the list')
      for (let at = 0; at < 3; at++) await claimNew(other, 'a')
      await other.delete('a')
      // No epoch was raised, and nothing was deleted.
      await owner.commit('a', 1, { draft: null })
      equal((await owner.read('a', 99))?.messages, given.messages, 'the messages of the owner')
    },
  },
  {
    title: 'a commit to the session of another user is refused as one to a missing session',
    needs: 'openAs',
    async run(_, { openAs }) {
      const [owner, other] = [await openAs('owner'), await openAs('other')]
      const given = sessionWith('a', [question(0)])
      await create(owner, given)
      const { epoch } = await owner.claim('a', 0)
      const change = allOf(sessionWith('a', [question(0, 'forged')]))
      await fails('session-deleted', other.commit('a', epoch, change))
      await fails('session-deleted', other.commit('a', epoch, { result: { callId: 'c', value: 'forged' } }))
      await fails('session-deleted', other.commit('a', 1, { draft: null }))
      equal(await owner.read('a', 99), { ...given, epoch }, 'the session of the owner')
      equal(await owner.result('a', 'c'), undefined, 'the result of the owner')
    },
  },
  {
    title: 'two users may have a session of the same id, and neither notices the other',
    needs: 'openAs',
    async run(_, { openAs }) {
      const [one, other] = [await openAs('one'), await openAs('other')]
      await create(one, sessionWith('a', [question(0, 'mine')]))
      await create(other, sessionWith('a', [question(0, 'theirs')]))
      await one.commit('a', 1, { result: { callId: 'c', value: 'mine' } })
      equal((await one.claim('a', 0)).epoch, 2, 'a claim')
      equal((await other.read('a', 9))?.epoch, 1, 'the epoch of the other')
      await other.commit('a', 1, { whole: true, ...allOf(sessionWith('a', [question(0, 'theirs'), answer(1)])) })
      equal((await one.read('a', 9))?.messages, [question(0, 'mine')], 'the messages of the one')
      await other.delete('a')
      equal(await one.result('a', 'c'), { value: 'mine' }, 'the result of the one')
      equal((await one.list('me')).length, 1, 'the list of the one')
      // Retention deletes what a list names.
      for (const { id } of await one.list('me')) await one.delete(id)
      equal(await other.list('me'), [], 'the list of the other')
    },
  },
  {
    title: 'users with similar names are different users',
    needs: 'openAs',
    async run(_, { openAs }) {
      const names = ['a', 'A', 'a ', 'ab', 'a\0', '%', '_', '\ud800', '\ud801', '\ufffd', '"a"', '__proto__', '1', '01']
      const stores = await Promise.all(names.map((name) => openAs(name)))
      for (const [at, store] of stores.entries()) {
        // A key that joined user and id would mix these up.
        await create(store, sessionWith('a', [question(0, `of ${at}`)]))
        await create(store, sessionWith('ba', [question(0, `of ${at}`)]))
      }
      for (const [at, store] of stores.entries()) {
        const name = JSON.stringify(names[at])
        equal(
          (await store.list('me')).map(({ id }) => id),
          ['ba', 'a'],
          `the list of ${name}`,
        )
        equal((await store.read('a', 9))?.messages, [question(0, `of ${at}`)], `the session of ${name}`)
      }
    },
  },
  {
    title: 'users who write at the same time to the same ids do not mix, in 100 orders',
    needs: 'openAs',
    async run(_, { openAs }) {
      const stores = [await openAs('one'), await openAs('two'), await openAs('three')]
      for (let seed = 0; seed < 100; seed++) {
        const choices = new Choices(seed)
        const id = `both-${seed}`
        const write = async (store: Store, at: number): Promise<void> => {
          await choices.pause()
          const epoch = await claimNew(store, id)
          const given = sessionWith(id, [question(0, `user ${at}`)])
          await store.commit(id, epoch, allOf(given))
          await choices.pause()
          const message = answer(1, `for user ${at}`)
          await store.commit(id, epoch, { ...added(given, message), result: { callId: 'c', value: at } })
          await choices.pause()
          equal((await store.read(id, 9))?.messages, [...given.messages, message], `user ${at}, seed ${seed}`)
          equal(await store.result(id, 'c'), { value: at }, `the result of user ${at}, seed ${seed}`)
          if (choices.below(2) === 0) await store.delete(id)
        }
        await Promise.all(stores.map(write))
      }
    },
  },
]
