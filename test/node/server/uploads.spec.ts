// What an upload that is slow, stopped or refused does to the rest of a page whose host is a server.
import { expect, test } from 'playwright/test'
import { toErrorValue } from '../../../src/core/data/errors.js'
import type { FilePart } from '../../../src/core/data/message.js'
import type { ModelAdapter, ModelPart, ModelRequest } from '../../../src/core/data/model.js'
import { deferred } from '../../support/lab/lab.js'
import { anAgent } from '../../support/server/pages.js'
import { aServer } from '../../support/server/sockets.js'

const bytes = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const png: FilePart = { type: 'file', mediaType: 'image/png', data: bytes.toString('base64'), name: 'roof.png' }
const sessionId = 's'
const stopped = { code: 'cancelled', message: 'Stopped before it was sent' }

/** Says "Seen", if it has not more than one file. */
function oneFile() {
  const counts: number[] = []
  const filesOf = ({ messages }: ModelRequest) =>
    messages.flatMap(({ content }) => (content as readonly { type: string }[]).filter(({ type }) => type === 'file'))
  const model: ModelAdapter = {
    async *stream(request): AsyncIterable<ModelPart> {
      const files = filesOf(request)
      counts.push(files.length)
      if (files.length > 1) throw toErrorValue({ code: 'request-too-large', message: 'Too many bytes' })
      yield { type: 'text-delta', id: '1', delta: 'Seen' }
      yield { type: 'finish', finishReason: { unified: 'stop' } }
    },
  }
  return { model, counts }
}

/** An upload that ends only when it is stopped. */
function endless() {
  const arrived = deferred<void>()
  const send: typeof fetch = (_url, init) =>
    new Promise((_resolve, reject) => {
      const signal = init!.signal!
      signal.addEventListener('abort', () => reject(signal.reason))
      arrived.resolve()
    })
  return { fetch: send, arrived: arrived.promise }
}

/** How a message ended that was not answered. */
const failureOf = (sent: Promise<unknown>) =>
  sent.then(
    () => undefined,
    ({ code, message }: { code: string; message: string }) => ({ code, message }),
  )

test('a conversation whose files a provider refuses goes on without the older ones', async () => {
  const { model, counts } = oneFile()
  const { host, close } = await aServer(model)
  const { agent } = anAgent(host, 'anna', { options: { sessionId } })
  await agent.send([png])
  expect(await agent.send([{ ...png, name: 'new.png' }])).toMatchObject({ reason: 'stop', text: 'Seen' })
  // Refused with both, summarized without, and answered with the new one.
  expect([counts[0], counts[1], counts.at(-1)]).toEqual([1, 2, 1])
  await agent.close()
  await close()
})

/** A page whose file is on its way, and never arrives. */
async function uploading() {
  const upload = endless()
  const { host, close } = await aServer(oneFile().model)
  const { agent } = anAgent(host, 'anna', { options: { sessionId }, fetch: upload.fetch })
  await agent.send('Hello')
  const sent = failureOf(agent.send([png]))
  await upload.arrived
  return { agent, sent, close }
}

test('requests do not wait for an upload, and a stop does not end them', async () => {
  const { agent, sent, close } = await uploading()
  await agent.sessions.rename(sessionId, 'Roofs')
  expect(await agent.sessions.list()).toMatchObject([{ id: sessionId, title: 'Roofs' }])
  const renamed = agent.sessions.rename(sessionId, 'Houses')
  agent.stop()
  await renamed
  expect(await sent).toEqual(stopped)
  expect(await agent.sessions.list()).toMatchObject([{ title: 'Houses' }])
  await agent.close()
  await close()
})

test('a message whose file is on its way is not said to go on when another conversation is opened', async () => {
  const { agent, sent, close } = await uploading()
  await agent.sessions.open('t')
  expect(await sent).toEqual(stopped)
  await agent.close()
  await close()
})

test('a stop ends an upload that waits for a sign-in', async () => {
  const asked = deferred<void>()
  const signIn = () => {
    asked.resolve()
    return new Promise<void>(() => undefined)
  }
  const { host, close } = await aServer(oneFile().model)
  const { agent, network } = anAgent(host, 'anna', { options: { sessionId, hooks: { signIn } } })
  await agent.connect()
  network.cookie = ''
  const sent = failureOf(agent.send([png]))
  await asked.promise
  agent.stop()
  expect(await sent).toEqual(stopped)
  expect((await agent.send('Later')).text).toBe('Seen')
  await agent.close()
  await close()
})

test('a stop while the answer to an upload is read is a stop', async () => {
  const reading = deferred<void>()
  const { host, close } = await aServer(oneFile().model)
  const { agent } = anAgent(host, 'anna', {
    options: { sessionId },
    fetch: async (url, init) => {
      const response = await fetch(url, { ...init, signal: null })
      const body = new ReadableStream({
        start: (stream) => init!.signal!.addEventListener('abort', () => stream.error(init!.signal!.reason)),
        pull: () => reading.resolve(),
      })
      return new Response(body, response)
    },
  })
  await agent.connect()
  const sent = failureOf(agent.send([png]))
  await reading.promise
  agent.stop()
  expect(await sent).toEqual(stopped)
  await agent.close()
  await close()
})
