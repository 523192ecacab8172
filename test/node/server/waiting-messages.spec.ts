// Messages that wait on a server while the pages come and go: each is sent once, or somebody is told that it was not.
import { expect, test } from 'playwright/test'
import { ToolAgentError } from '../../../src/core/data/errors.js'
import type { ModelAdapter, ModelPart } from '../../../src/core/data/model.js'
import type { ServerMessage } from '../../../src/server/protocol/server-messages.js'
import { Budget } from '../../../src/server/sessions/budget.js'
import { Sessions, type Joined } from '../../../src/server/sessions/sessions.js'
import { deferred } from '../../support/lab/lab.js'
import { hostConfig } from '../../../src/page/client/host-config.js'
import { Disks, runs } from '../../support/server/sockets.js'

/** The sessions of a server without sockets. The first turn waits for `first`, and later ones answer at once. */
function withFirstTurn(pageWait: number) {
  const [begun, first] = [deferred<void>(), deferred<void>()]
  let streams = 0
  const model: ModelAdapter = {
    async *stream(): AsyncIterable<ModelPart> {
      if (streams++ === 0) {
        begun.resolve()
        await first.promise
      }
      yield { type: 'text-delta', id: '1', delta: 'Yes.' }
      yield { type: 'finish', finishReason: { unified: 'stop' } }
    },
  }
  const disks = new Disks()
  const ends: string[] = []
  const sessions = new Sessions({
    model,
    config: hostConfig({}),
    budget: new Budget(),
    pageWait,
    onEnd: ({ reason }) => ends.push(reason),
  })
  /** A page with a socket; `leave` breaks it. */
  const visit = async (tab: string) => {
    const seen: ServerMessage[] = []
    const link = {
      send: (text: string) => {
        const message = JSON.parse(text) as ServerMessage
        seen.push(message)
        if (message.type !== 'ask') return
        const value = runs(message.ask)!
        void joining.then(({ page }) => page.answer({ type: 'answer', id: 'a', ask: message.id, value }))
      },
      close: () => undefined,
    }
    const place = { user: 'anna', id: 's', store: disks.forUser('anna') }
    const joining = sessions.join(place, { tab, page: tab, running: [], outcomes: [] }, link) as Promise<Joined>
    const { session, page } = await joining
    const actor = (await session.actor())!
    const send = (id: string) =>
      new Promise<unknown>((resolve) => {
        const facts = { url: '/', title: 'Shop', lang: 'en', timeZone: 'UTC' }
        void session.send(actor, page, { type: 'send', id, text: id, files: [], facts, whenBusy: 'queue' }, resolve)
      })
    return { seen, actor, send, leave: () => session.leave(page, link) }
  }
  const waiting = async () => ((await disks.forUser('anna').read('s', 9))!.waiting ?? []).map(({ turn }) => turn)
  const fail = () => begun.promise.then(() => first.reject(new ToolAgentError('bad-request', 'No.')))
  return { disks, ends, sessions, visit, waiting, first, fail }
}

test('a message that is not sent while its page is gone is told to the pages that are there', async () => {
  const { ends, sessions, visit, waiting, fail } = withFirstTurn(60_000)
  const [desk, phone] = [await visit('desk'), await visit('phone')]
  expect([await desk.send('m1'), await desk.send('m2')]).toEqual([undefined, undefined])
  desk.leave()
  await fail()
  await expect.poll(() => ends).toEqual(['error'])
  await expect
    .poll(() => phone.seen.filter(({ type }) => type === 'error'))
    .toEqual([
      {
        type: 'error',
        error: { code: 'cancelled', message: 'The previous turn failed, so this message was not sent.' },
      },
    ])
  await expect.poll(waiting).toEqual([])
  await sessions.close()
})

test('a message that is not sent while nobody is there is sent when a page is back, also one that was waited for', async () => {
  const { ends, sessions, visit, waiting, fail } = withFirstTurn(60_000)
  const desk = await visit('desk')
  expect([await desk.send('m1'), await desk.send('m2')]).toEqual([undefined, undefined])
  desk.leave()
  await fail()
  await expect.poll(() => ends).toEqual(['error'])
  expect(await waiting()).toEqual(['m2'])
  await visit('desk')
  await expect.poll(() => ends).toEqual(['error', 'stop'])
  expect(await waiting()).toEqual([])
  await sessions.close()
})

test('a message that was taken out does not come back with the next page, also before that is stored', async () => {
  const { disks, ends, sessions, visit, waiting, first } = withFirstTurn(60_000)
  const desk = await visit('desk')
  expect([await desk.send('m1'), await desk.send('m2')]).toEqual([undefined, undefined])
  const held = deferred<void>()
  disks.held = held.promise
  desk.actor.turns.drop('m2')
  expect(await waiting()).toEqual(['m2'])
  await visit('phone')
  held.resolve()
  first.resolve()
  await expect.poll(() => desk.actor.turns.isBusy).toBe(false)
  expect([ends, await waiting()]).toEqual([['stop'], []])
  await sessions.close()
})
