// Messages between the call of `send` and the turn of the host: they are in the queue, and can be removed there.
import type { Agent } from '../../../src/page/agent.js'
import { deferred, expect, test } from '../../support/lab/lab.js'

test('a message is in the queue from the call of send on, with its parts', async ({ lab }) => {
  const { agent } = await lab.start([{ text: 'Yes' }, { text: 'Yes' }])
  const file = { type: 'file', mediaType: 'text/plain', data: 'aGk=', name: 'hi.txt' } as const
  const sends = [agent.send('One'), agent.send([{ type: 'text', text: 'Two' }, file])]
  expect(agent.queue).toEqual([
    { turn: expect.any(String), text: 'One', parts: [{ type: 'text', text: 'One' }] },
    { turn: expect.any(String), text: 'Two hi.txt', parts: [{ type: 'text', text: 'Two' }, file] },
  ])
  await Promise.all(sends)
  expect(agent.queue).toEqual([])
  expect(agent.messages.filter(({ role }) => role === 'user')).toHaveLength(2)
})

for (const [how, end] of [
  ['stop', (agent: Agent) => agent.stop()],
  ['drop', (agent: Agent) => agent.queue.forEach(({ turn }) => agent.drop(turn))],
] as const)
  test(`${how} before the code of the agent is loaded ends a send, and nothing starts`, async ({ lab }) => {
    let isRead = false
    const { agent, endpoint } = await lab.start([], {
      pageContext: () => {
        isRead = true
        return ''
      },
    })
    const sent = agent.send('One')
    end(agent)
    expect(agent.queue).toEqual([])
    await expect(sent).rejects.toMatchObject({ code: 'cancelled' })
    // The code is loaded now.
    await agent.sessions.list()
    expect([agent.queue, isRead, endpoint.requests]).toEqual([[], false, []])
  })

test('a message that is not valid is never in the queue', async ({ lab }) => {
  const { agent } = await lab.start([])
  const seen: unknown[] = []
  agent.observe(() => seen.push(...agent.queue))
  await expect(agent.send('  ')).rejects.toMatchObject({ code: 'invalid-option' })
  await agent.close()
  await expect(agent.send('Too late')).rejects.toMatchObject({ code: 'closed' })
  expect(seen).toEqual([])
})

test('close ends what waits, also before it is posted', async ({ lab }) => {
  const { agent } = await lab.start([], { pageContext: () => new Promise(() => undefined) })
  await agent.connect()
  const sent = agent.send('One')
  sent.catch(() => undefined)
  await agent.close()
  expect(agent.queue).toEqual([])
  await expect(sent).rejects.toMatchObject({ code: 'closed' })
})

test('a message is in the queue while its context is read, and can be removed or stopped there', async ({ lab }) => {
  const reading = deferred<string>()
  const { agent, endpoint } = await lab.start([{ text: 'Yes' }, { text: 'No' }], { pageContext: () => reading.promise })
  const sends = ['One', 'Two', 'Three'].map((text) => agent.send(text))
  for (const send of sends) send.catch(() => undefined)
  expect(agent.queue.map(({ text }) => text)).toEqual(['One', 'Two', 'Three'])
  agent.drop(agent.queue[1]?.turn ?? '')
  expect(agent.queue.map(({ text }) => text)).toEqual(['One', 'Three'])
  reading.resolve('')
  await expect(sends[1]).rejects.toMatchObject({ code: 'cancelled' })
  await Promise.all([sends[0], sends[2]])
  expect(endpoint.requests).toHaveLength(2)
  expect(agent.queue).toEqual([])
})

test('an aborted send leaves the queue at once, also before it is posted', async ({ lab }) => {
  const reading = deferred<string>()
  const { agent, endpoint } = await lab.start([], { pageContext: () => reading.promise })
  const abort = new AbortController()
  const sent = agent.send('One', { signal: abort.signal })
  sent.catch(() => undefined)
  expect(agent.queue).toHaveLength(1)
  abort.abort(new Error('Not now'))
  expect(agent.queue).toEqual([])
  // Before the context is read.
  await expect(sent).rejects.toThrow('Not now')
  reading.resolve('')
  expect(endpoint.requests).toEqual([])
})

test('stop empties the queue at once, also of what is not posted yet', async ({ lab }) => {
  const reading = deferred<string>()
  const { agent, endpoint } = await lab.start([{ text: 'Yes' }], { pageContext: () => reading.promise })
  const sent = agent.send('One')
  sent.catch(() => undefined)
  await expect.poll(() => agent.session).toBeDefined()
  expect(agent.queue).toHaveLength(1)
  let changes = 0
  agent.observe(({ type }) => (type === 'change' ? changes++ : undefined))
  agent.stop()
  expect([agent.queue, changes]).toEqual([[], 1])
  // Before the context is read.
  await expect(sent).rejects.toMatchObject({ code: 'cancelled', message: 'Stopped before it was sent' })
  reading.resolve('')
  expect((await agent.send('Two')).text).toBe('Yes')
  expect(endpoint.requests).toHaveLength(1)
})
