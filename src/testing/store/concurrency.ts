// What happens at the same time: commits that do not wait for each other, hosts that claim the same session, and
// sessions that are deleted meanwhile. The order is chosen by a seed.
import { sessionHeadOf, type Store } from '../../core/state/store.js'
import type { CaseDefinition } from './case.js'
import {
  added,
  allOf,
  answer,
  Choices,
  claimNew,
  create,
  equal,
  fails,
  messageIds,
  outcomeOf,
  question,
  sessionWith,
} from './support.js'

/** The interleavings that are tried of each kind. */
const seeds = Array.from({ length: 100 }, (_, seed) => seed)

export const concurrencyCases: readonly CaseDefinition[] = [
  {
    title: 'commits that do not wait for each other all arrive, in their order',
    async run([store]) {
      await create(store, sessionWith('a', [question(0)]))
      const order: number[] = []
      await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          store
            .commit('a', 1, {
              messages: [{ index: at + 1, message: question(at + 1) }],
              head: { ...sessionHeadOf(sessionWith('a', [], { title: `${at}` })), length: at + 2 },
              strict: at % 5 === 0,
            })
            .then(() => order.push(at)),
        ),
      )
      const messages = Array.from({ length: 21 }, (_, index) => question(index))
      equal(await store.read('a', 100), sessionWith('a', messages, { title: '19' }), 'read')
      equal(
        order,
        order.toSorted((one, other) => one - other),
        'the order in which they resolved',
      )
    },
  },
  {
    title: 'commits that do not wait for the first one of their session arrive as well',
    async run([store, other]) {
      const given = sessionWith('a', [question(0)])
      const { epoch } = await store.claim('a', 10)
      const late = claimNew(other, 'b').then((first) =>
        other.commit('b', first, allOf(sessionWith('b', [question(0)]))),
      )
      await Promise.all([
        late,
        store.commit('a', epoch, allOf(given)),
        store.commit('a', epoch, added(given, answer(1))),
        store.commit('a', epoch, { result: { callId: 'c', value: 'long' } }),
      ])
      equal(await messageIds(other, 'a'), ['m0', 'm1'], 'the messages')
      equal(await other.result('a', 'c'), { value: 'long' }, 'the result')
    },
  },
  {
    title: 'a reading sees the commits that were asked of its store before it',
    async run([store]) {
      const epoch = await claimNew(store, 'a')
      const first = store.commit('a', epoch, allOf(sessionWith('a', [question(0)])))
      const read = store.read('a', 10)
      const second = store.commit('a', epoch, { result: { callId: 'c', value: 'long' } })
      const rest = Promise.all([store.list('me'), store.result('a', 'c'), store.messages('a', 9, 9)])
      await Promise.all([first, second])
      equal((await read)?.messages, [question(0)], 'read')
      const [list, result, messages] = await rest
      equal([list.length, result, messages.length], [1, { value: 'long' }, 1], 'list, result and messages')
    },
  },
  {
    title: 'claims at the same time all get another epoch, and only the newest may write',
    async run([store, other]) {
      const given = sessionWith('a', [question(0)])
      await create(store, given)
      const stores = Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? store : other))
      const epochs = (await Promise.all(stores.map((one) => one.claim('a', 1)))).map(({ epoch }) => epoch)
      equal(
        epochs.toSorted((one, another) => one - another),
        stores.map((_, at) => at + 2),
        'the epochs',
      )
      for (const [at, epoch] of epochs.entries())
        equal(
          await outcomeOf(stores[at]!.commit('a', epoch, added({ ...given, epoch }, answer(1)))),
          epoch === 11 ? 'resolved' : 'lost-session',
          `the commit of epoch ${epoch}`,
        )
    },
  },
  {
    title: 'one commit that fails does not fail those beside it',
    async run([store, other]) {
      await create(store, sessionWith('a', [question(0)]))
      await create(store, sessionWith('b', [question(0)]))
      await other.claim('b', 0)
      const bad = { callId: 'c', value: (() => 1) as unknown as string }
      const outcomes = [
        store.commit('a', 1, { draft: { id: 'd', step: 0, parts: [] } }),
        store.commit('b', 1, { draft: { id: 'd', step: 0, parts: [] } }),
        store.commit('a', 1, { result: bad, draft: null }),
        store.commit('x', 2, allOf(sessionWith('x', [question(0)]))),
        store.commit('a', 1, { result: { callId: 'c', value: 1 } }),
      ].map(outcomeOf)
      equal(
        await Promise.all(outcomes),
        ['resolved', 'lost-session', 'storage', 'session-deleted', 'resolved'],
        'the outcomes',
      )
      equal((await store.read('a', 1))?.draft, { id: 'd', step: 0, parts: [] }, 'the draft')
      equal(await store.result('a', 'c'), { value: 1 }, 'the result')
    },
  },
  {
    title: 'a host that takes a session over reads every commit of the one before, in 100 orders',
    async run(stores) {
      for (const seed of seeds) await takeOvers(stores, seed)
    },
  },
  {
    title: 'a session that is deleted during commits is gone with all that they wrote, in 100 orders',
    async run(stores) {
      for (const seed of seeds) await deletedMeanwhile(stores, seed)
    },
  },
  {
    title: 'sessions that are written at the same time do not mix, in 100 orders',
    async run(stores) {
      for (const seed of seeds) await sideBySide(stores, seed)
    },
  },
]

interface Claimed {
  readonly epoch: number
  /** The ids of the messages that it read. */
  readonly read: readonly string[]
  /** The ids of those that it stored. */
  readonly stored: readonly string[]
  /** How its commits ended. */
  readonly outcomes: readonly string[]
}

/** Hosts claim a session one after another, and each one writes on until it notices. */
async function takeOvers(stores: readonly Store[], seed: number): Promise<void> {
  const id = `taken-${seed}`
  const choices = new Choices(seed)
  await create(stores[0]!, sessionWith(id, [question(0)]))
  const host = async (store: Store): Promise<Claimed> => {
    await choices.pause()
    const { epoch, session } = await store.claim(id, Infinity)
    const commits: Promise<string>[] = []
    const ids: string[] = []
    let now = session!
    for (let left = choices.below(6); left > 0; left--) {
      const at = now.messages.length
      const message = { ...answer(at), id: `e${epoch}-${at}` }
      ids.push(message.id)
      commits.push(outcomeOf(store.commit(id, epoch, { ...added(now, message), strict: choices.below(3) === 0 })))
      now = { ...now, messages: [...now.messages, message] }
      await choices.pause()
    }
    const outcomes = await Promise.all(commits)
    const stored = ids.filter((_, at) => outcomes[at] === 'resolved')
    return { epoch, read: session!.messages.map((message) => message.id), stored, outcomes }
  }
  const hosts = await Promise.all(Array.from({ length: 4 }, (_, at) => host(stores[at % stores.length]!)))
  const known = ['m0']
  for (const { epoch, read, stored, outcomes } of hosts.toSorted((one, other) => one.epoch - other.epoch)) {
    equal(read, known, `what epoch ${epoch} read, seed ${seed}`)
    const rest = outcomes.slice(stored.length)
    equal(
      rest,
      rest.map(() => 'lost-session'),
      `the commits of epoch ${epoch} after its last, seed ${seed}`,
    )
    known.push(...stored)
  }
  equal(await messageIds(stores[0]!, id), known, `the messages, seed ${seed}`)
}

/** One host writes while another tab deletes its session. */
async function deletedMeanwhile([store, other]: readonly [Store, Store], seed: number): Promise<void> {
  const id = `deleted-${seed}`
  const choices = new Choices(seed)
  const given = sessionWith(id, [question(0)])
  await create(store, given)
  const deleter = choices.below(2) === 0 ? store : other
  const deleted = choices.pause().then(() => deleter.delete(id))
  const commits: Promise<string>[] = []
  for (let at = 1; at < 6; at++) {
    const change = { ...added(given, answer(1)), result: { callId: `c${at}`, value: 'long' }, draft: null }
    commits.push(outcomeOf(store.commit(id, 1, change)))
    await choices.pause()
  }
  await deleted
  const outcomes = await Promise.all(commits)
  const first = outcomes.indexOf('session-deleted')
  const expected = outcomes.map((_, at) => (first >= 0 && at >= first ? 'session-deleted' : 'resolved'))
  equal(outcomes, expected, `the outcomes, seed ${seed}`)
  await fails('session-deleted', store.commit(id, 1, allOf(given)), `a commit afterwards, seed ${seed}`)
  await claimNew(other, id)
  equal(await other.messages(id, 9, 9), [], `the messages, seed ${seed}`)
  for (let at = 1; at < 6; at++) equal(await other.result(id, `c${at}`), undefined, `result ${at}, seed ${seed}`)
}

/** Several sessions are written through both stores, each in its own order. */
async function sideBySide(stores: readonly Store[], seed: number): Promise<void> {
  const choices = new Choices(seed)
  const write = async (at: number): Promise<void> => {
    const id = `side-${seed}-${at}`
    const scope = `scope-${seed}`
    const store = stores[at % stores.length]!
    const { epoch } = await store.claim(id, 0)
    let session = sessionWith(id, [question(0)], { scope })
    await store.commit(id, epoch, allOf(session))
    const writing: Promise<void>[] = []
    for (let left = choices.below(4); left > 0; left--) {
      const message = answer(session.messages.length, `${id} ${left}`)
      writing.push(store.commit(id, epoch, added(session, message)))
      session = { ...session, messages: [...session.messages, message] }
      await choices.pause()
    }
    await Promise.all(writing)
    equal(await stores[(at + 1) % stores.length]!.read(id, 99), { ...session, epoch }, `session ${at}, seed ${seed}`)
  }
  await Promise.all([0, 1, 2, 3].map(write))
  equal((await stores[0]!.list(`scope-${seed}`)).length, 4, `the list, seed ${seed}`)
}
