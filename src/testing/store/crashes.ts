// What a crash of the process leaves: every commit that had resolved, and no half of any other.
import type { Store } from '../../core/state/store.js'
import type { CaseDefinition, CaseTools } from './case.js'
import { added, answer, Choices, create, equal, fails, question, sessionWith } from './support.js'

export const crashCases: readonly CaseDefinition[] = [
  {
    title: 'after a crash every commit that had resolved is there, whatever was its last',
    needs: 'crash',
    async run([store], tools) {
      const draft = { id: 'd', step: 1, parts: [{ type: 'text', text: 'I' }] } as const
      let session = sessionWith('a', [question(0)])
      await create(store, session)
      let now = await crashed(tools)
      equal(await now.read('a', 99), session, 'after the first commit')
      for (const strict of [true, false]) {
        const { epoch } = await now.claim('a', 0)
        session = { ...session, epoch }
        now = await crashed(tools)
        equal(await now.read('a', 99), session, 'after a claim')
        const message = answer(session.messages.length)
        const result = { callId: `c${epoch}`, value: 'x'.repeat(1_100_000), output: '{}' }
        await now.commit('a', epoch, { ...added(session, message), draft, result, strict })
        session = { ...session, messages: [...session.messages, message], draft }
        now = await crashed(tools)
        equal(await now.read('a', 99), session, `after a commit, strict: ${strict}`)
        equal(await now.result('a', `c${epoch}`), { value: result.value, output: '{}' }, 'its result')
        await now.commit('a', epoch, { draft: null, strict })
        session = { ...sessionWith('a', session.messages), epoch }
        now = await crashed(tools)
        equal(await now.read('a', 99), session, 'after the draft was deleted')
      }
      await now.delete('a')
      now = await crashed(tools)
      equal([await now.read('a', 99), await now.list('me')], [undefined, []], 'after its deletion')
    },
  },
  {
    title: 'a commit that had not resolved is there as a whole or not at all, in 20 orders',
    needs: 'crash',
    async run([store], tools) {
      let now = store
      for (let seed = 0; seed < 20; seed++) {
        const choices = new Choices(seed)
        const id = `half-${seed}`
        const before = sessionWith(id, [question(0)])
        await create(now, before)
        const late = now.commit(id, 1, {
          ...added(before, answer(1)),
          result: { callId: 'c', value: 'long' },
          draft: { id: 'd', step: 0, parts: [] },
        })
        late.catch(() => undefined) // Whether it is told depends on the moment of the crash.
        await choices.pause()
        now = await crashed(tools)
        const [read, result] = [await now.read(id, 9), await now.result(id, 'c')]
        const isThere = read?.draft !== undefined
        equal(read?.messages.length, isThere ? 2 : 1, `the messages, seed ${seed}`)
        equal(result, isThere ? { value: 'long' } : undefined, `the result, seed ${seed}`)
      }
    },
  },
  {
    title: 'a host that comes back after a crash cannot write with the epoch from before another claim',
    needs: 'crash',
    async run([store], tools) {
      await create(store, sessionWith('a', [question(0)]))
      const now = await crashed(tools)
      equal((await now.claim('a', 0)).epoch, 2, 'the epoch')
      await fails('lost-session', now.commit('a', 1, { draft: null }))
    },
  },
]

async function crashed(tools: CaseTools): Promise<Store> {
  await tools.crash()
  return tools.open()
}
