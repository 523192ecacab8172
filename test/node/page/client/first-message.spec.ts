// The first message of a page leaves together with the request to open a new session. A session that may be stored is
// opened first.
import { ToolAgentError } from '../../../../src/core/data/errors.js'
import type { Store } from '../../../../src/core/state/store.js'
import { memoryStore } from '../../../../src/host/store/memory-store.js'
import { deferred, expect, test, until, type Bench } from '../../../support/lab/lab.js'
import { later } from '../../../support/lab/slow-store.js'

/** A store that is asked for a session, and answers later. */
function slowToOpen(before: () => Promise<unknown>): Store {
  const inner = memoryStore()
  return {
    ...inner,
    kind: 'indexeddb',
    async claim(id, limit) {
      await before()
      return inner.claim(id, limit)
    },
  }
}
// Each test has a scope, so that its tab has no session of another test.
const posted = ({ sent }: Bench) => sent.map(({ type }) => type)

test('the first messages leave with the request for a new session', { tag: '@R6.2' }, async ({ lab }) => {
  const opened = deferred()
  const bench = await lab.start([{ text: 'one' }, { text: 'two' }], {
    scope: 'new',
    store: slowToOpen(() => opened.promise),
  })
  const { agent } = bench
  const results = [agent.send('Hi'), agent.send('And')]
  await until(agent, () => agent.queue.length === 2)
  await expect.poll(() => posted(bench), 'in order, and nothing that the host knows').toEqual(['open', 'send', 'send'])
  expect(agent.session).toBeUndefined()
  opened.resolve()
  expect((await Promise.all(results)).map(({ text }) => text)).toEqual(['one', 'two'])
  expect(posted(bench)).not.toContain('configure')
  agent.configure({ ...agent.options, instructions: 'Be short.' })
  expect(bench.sent.filter(({ type }) => type === 'configure')).toHaveLength(0)
  await expect.poll(() => posted(bench).filter((type) => type === 'configure')).toHaveLength(1)
})

test('the first message waits for a session that may be stored', { tag: '@R6.2' }, async ({ lab }) => {
  const opened = deferred()
  const bench = await lab.start([{ text: 'ok' }], { sessionId: 'kept', store: slowToOpen(() => opened.promise) })
  const result = bench.agent.send('Hi')
  await expect.poll(() => posted(bench)).toEqual(['open'])
  await later()
  expect(posted(bench)).toEqual(['open'])
  opened.resolve()
  expect((await result).text).toBe('ok')
})

test('a message that left before its session failed to open rejects once, and can be sent again', async ({ lab }) => {
  const failed = deferred()
  let isBroken = true
  const store = slowToOpen(async () => {
    if (!isBroken) return
    await failed.promise
    throw new ToolAgentError('session-deleted', 'Not here')
  })
  const bench = await lab.start([{ text: 'ok' }], { scope: 'broken', store })
  const { agent } = bench
  const errors: unknown[] = []
  const first = agent.send('Hi').catch((error: ToolAgentError) => errors.push(error.code))
  await expect.poll(() => posted(bench)).toEqual(['open', 'send'])
  failed.resolve()
  await first
  expect(errors).toEqual(['session-deleted'])
  isBroken = false
  expect((await agent.send('Again')).text).toBe('ok')
})

test('a stop before the session is open sends nothing', { tag: '@R5.2' }, async ({ lab }) => {
  const opened = deferred()
  const bench = await lab.start([], { scope: 'stopped', store: slowToOpen(() => opened.promise) })
  const { agent, endpoint } = bench
  const result = agent.send('Hi').then(
    ({ reason }) => reason,
    (error: ToolAgentError) => error.code,
  )
  await expect.poll(() => posted(bench)).toEqual(['open', 'send'])
  agent.stop()
  opened.resolve()
  expect(['cancelled', 'stopped']).toContain(await result)
  expect(endpoint.requests).toHaveLength(0)
})

test('a worker that dies before the session is open gets the message again, once', { tag: '@F15' }, async ({ lab }) => {
  const opened = deferred()
  let isFirst = true
  const store = slowToOpen(async () => {
    if (isFirst) await opened.promise
  })
  const bench = await lab.start([{ text: 'ok' }], { scope: 'dead', store, worker: true })
  const result = bench.agent.send('Hi')
  await expect.poll(() => posted(bench)).toEqual(['open', 'send'])
  isFirst = false
  bench.killHost()
  expect((await result).text).toBe('ok')
  expect(bench.agent.messages).toHaveLength(2)
})
