// A page whose host is a server: the real client and the real server, over sockets that break.
import { expect, test } from 'playwright/test'
import type { ModelAdapter, ModelPart } from '../../../src/core/data/model.js'
import { deferred } from '../../support/lab/lab.js'
import { buysOnce } from '../../support/lab/actors.js'
import { anAgent } from '../../support/server/pages.js'
import { aServer } from '../../support/server/sockets.js'

const buy = (execute: () => unknown) => ({
  name: 'buy',
  description: 'Buys',
  inputSchema: { type: 'object', properties: {} } as const,
  execute,
})

test('a message is answered by the server, and its tool runs in the page', async () => {
  const { host, disks, close } = await aServer(buysOnce)
  let runs = 0
  const { agent, said } = anAgent(host, 'anna', { options: { sessionId: 'one', tools: [buy(() => `yes ${++runs}`)] } })
  const result = await agent.send('Go')
  expect(result).toMatchObject({ text: 'Bought.', reason: 'stop', toolExecutions: [{ output: 'yes 1' }] })
  expect([agent.host, agent.storage, agent.role, agent.status]).toEqual(['server', 'server', 'driver', 'idle'])
  expect((await disks.forUser('anna').read('one', 9))?.messages).toEqual(agent.messages)
  expect(said.map((text) => (JSON.parse(text) as { type: string }).type)).toEqual([
    'open',
    'send',
    'answer',
    'answer',
    'answer',
  ])
  await agent.close()
  await close()
})

test('a socket that breaks while a tool runs: it runs once, and its outcome counts', async () => {
  const { host, cut, close } = await aServer(buysOnce)
  const [begun, mayEnd] = [deferred<void>(), deferred<void>()]
  let runs = 0
  const execute = async () => {
    runs += 1
    begun.resolve()
    await mayEnd.promise
    return 'yes'
  }
  const { agent, said, sockets } = anAgent(host, 'anna', { options: { sessionId: 'two', tools: [buy(execute)] } })
  const ended = agent.send('Go')
  await begun.promise
  cut()
  // The outcome is there before the next socket, or after it.
  mayEnd.resolve()
  expect(await ended).toMatchObject({ text: 'Bought.', reason: 'stop', toolExecutions: [{ output: 'yes' }] })
  expect([runs, sockets.length]).toEqual([1, 2])
  expect(said.filter((text) => text.includes('"type":"send"'))).toHaveLength(1)
  await agent.close()
  await close()
})

/** Waits before it answers. */
function slowModel() {
  const [asked, mayAnswer] = [deferred<void>(), deferred<void>()]
  const model: ModelAdapter = {
    async *stream(): AsyncIterable<ModelPart> {
      asked.resolve()
      await mayAnswer.promise
      yield { type: 'text-delta', id: '1', delta: 'Done.' }
      yield { type: 'finish', finishReason: { unified: 'stop' } }
    },
  }
  return { model, asked, mayAnswer }
}

test('a turn that ends while the socket is broken resolves when the page is back', async () => {
  const { model, asked, mayAnswer } = slowModel()
  const ends = deferred<void>()
  const { host, cut, close } = await aServer(model, { hooks: { onEnd: () => ends.resolve() } })
  const back = deferred<void>()
  let opened = 0
  const { agent } = anAgent(host, 'anna', { options: { sessionId: 'three' } })
  agent.observe(({ type }) => {
    if (type === 'error') opened += 1
  })
  const ended = agent.send('Go')
  await asked.promise
  cut()
  mayAnswer.resolve()
  await ends.promise
  back.resolve()
  expect(await ended).toMatchObject({ text: 'Done.', reason: 'stop', steps: 1 })
  expect(agent.queue).toEqual([])
  await agent.close()
  await close()
})
