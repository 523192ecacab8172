// One session with several pages, and with none: what each of them gets, and what goes on without them.
import { expect, test } from 'playwright/test'
import type { ModelPart } from '../../../src/core/data/model.js'
import type { HostMessage, PageQuery, QueryKind } from '../../../src/core/data/protocol.js'
import { Guest } from '../../../src/host/guest.js'
import { hostConfig } from '../../../src/page/client/host-config.js'
import { anActor, buysOnce, send, tool } from '../../support/lab/actors.js'
import { deferred } from '../../support/lab/lab.js'

/** A page that asks before each call, and keeps what it receives. */
function aPage(tab: string) {
  const seen: HostMessage[] = []
  const waiting = new Set<() => void>()
  const answers = (ask: PageQuery): unknown => {
    if (ask.type === 'prepare') return { tools: [tool] }
    if (ask.type === 'check')
      return ask.calls.map(({ callId, input }) => ({ callId, do: 'ask', hash: 'q1', input, title: 'Buy' }))
    return { callId: 'c1', attempts: 1, startedAt: 1, endedAt: 2, output: tab, text: tab, untrusted: false }
  }
  const guest: Guest = new Guest({
    post: (message) => {
      seen.push(message)
      for (const look of waiting) look()
      if (message.type === 'ask')
        queueMicrotask(() => guest.queries.answer(message.id, { value: answers(message.ask) }))
    },
    untilPagePresent: () => Promise.resolve(),
  })
  guest.tab = tab
  guest.config = hostConfig({})
  return {
    guest,
    seen,
    asks: (): QueryKind[] => seen.flatMap((message) => (message.type === 'ask' ? [message.ask.type] : [])),
    modes: () => seen.flatMap((message) => (message.type === 'session' ? [message.mode] : [])),
    events: () => seen.filter(({ type }) => type === 'event'),
    until: (type: string): Promise<void> =>
      new Promise((resolve) => {
        const look = () => {
          if (!seen.some((message) => message.type === 'event' && message.event.type === type)) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
  }
}

test('every page gets the events; the one that sent is asked, until another page decides', async () => {
  const [desk, phone] = [aPage('desk'), aPage('phone')]
  const { actor } = await anActor(desk.guest, buysOnce)
  for (const { guest } of [desk, phone]) actor.join(guest, [], [])
  actor.turns.send(send('t1'), desk.guest)
  await phone.until('approval-request')
  expect(phone.asks()).toEqual([])
  actor.turns.decide({ type: 'decide', callId: 'c1', hash: 'q1', decision: 'approve' }, phone.guest)
  await phone.until('turn-end')

  // The call ran in the page that had described it; the step after it offers the tools of the page that decided.
  expect(desk.asks()).toEqual(['prepare', 'check', 'execute'])
  expect(phone.asks()).toEqual(['prepare'])
  expect(phone.events()).toEqual(desk.events())
  expect(actor.writer.session.messages.at(-1)).toMatchObject({ parts: [{ type: 'text', text: 'Bought.' }] })
})

test('one page drives, and is told so; the others mirror', async () => {
  const [desk, phone] = [aPage('desk'), aPage('phone')]
  const { actor } = await anActor(desk.guest, buysOnce)
  for (const { guest } of [desk, phone]) actor.join(guest, [], [])
  expect([desk.modes(), phone.modes()]).toEqual([['drive'], ['mirror']])
  actor.turns.send(send('t1'), desk.guest)
  await desk.until('approval-request')
  actor.turns.decide({ type: 'decide', callId: 'c1', hash: 'q1', decision: 'approve' }, phone.guest)
  expect([desk.modes(), phone.modes()]).toEqual([
    ['drive', 'mirror'],
    ['mirror', 'drive'],
  ])
  await phone.until('turn-end')
  // The page that is told gets the session as it is, and no event of it twice.
  const [snapshot] = phone.seen.filter((message) => message.type === 'session' && message.mode === 'drive')
  const later = phone.seen.slice(phone.seen.indexOf(snapshot!) + 1).find(({ type }) => type === 'event')
  expect(later).toMatchObject({ seq: (snapshot as { seq: number }).seq + 1 })
  actor.leave(phone.guest)
  expect(desk.modes()).toEqual(['drive', 'mirror', 'drive'])
  await actor.end('closed')
})

test('a message that waited makes its page the driver, and its errors go to that page alone', async () => {
  const [desk, phone] = [aPage('desk'), aPage('phone')]
  const { actor } = await anActor(desk.guest, buysOnce)
  for (const { guest } of [desk, phone]) actor.join(guest, [], [])
  actor.turns.send(send('t1'), desk.guest)
  actor.turns.send(send('t2'), phone.guest)
  actor.turns.send(send('t3'), phone.guest)
  actor.turns.drop('t3')
  const errors = ({ seen }: typeof desk) => seen.filter(({ type }) => type === 'error')
  expect(errors(phone)).toMatchObject([{ turn: 't3', error: { code: 'cancelled' } }])
  expect(errors(desk)).toEqual([])

  await desk.until('approval-request')
  actor.turns.drop('t1')
  await phone.until('turn-end')
  await expect.poll(() => phone.asks()).toEqual(['prepare', 'check'])
  expect(actor.writer.session.turn).toMatchObject({ id: 't2', tab: 'phone' })
  await actor.end('closed')
})

test('if the page that drives leaves, another one is asked from the next step on', async () => {
  const [desk, phone] = [aPage('desk'), aPage('phone')]
  const { actor } = await anActor(desk.guest, buysOnce)
  for (const { guest } of [desk, phone]) actor.join(guest, [], [])
  actor.turns.send(send('t1'), desk.guest)
  await phone.until('approval-request')
  actor.leave(desk.guest)
  actor.turns.decide({ type: 'decide', callId: 'c1', hash: 'q1', decision: 'deny' })
  await phone.until('turn-end')
  expect(desk.asks()).toEqual(['prepare', 'check'])
  expect(phone.asks()).toEqual(['prepare'])
})

test('a page that joins after the driver has left is asked from the next step on', async () => {
  const [desk, phone] = [aPage('desk'), aPage('phone')]
  const { actor } = await anActor(desk.guest, buysOnce)
  actor.join(desk.guest, [], [])
  actor.turns.send(send('t1'), desk.guest)
  await desk.until('approval-request')
  actor.leave(desk.guest)
  actor.join(phone.guest, [], [])
  actor.turns.decide({ type: 'decide', callId: 'c1', hash: 'q1', decision: 'deny' })
  await phone.until('turn-end')
  expect(phone.asks()).toEqual(['prepare'])
})

test('a message of a page that has left is run with a page that is there', async () => {
  const [desk, phone] = [aPage('desk'), aPage('phone')]
  const { actor } = await anActor(desk.guest, buysOnce)
  for (const { guest } of [desk, phone]) actor.join(guest, [], [])
  actor.turns.send(send('t1'), desk.guest)
  await desk.until('approval-request')
  actor.turns.send(send('t2'), phone.guest)
  actor.leave(phone.guest)
  actor.turns.drop('t1')
  await expect.poll(() => desk.asks()).toEqual(['prepare', 'check', 'prepare', 'check'])
  expect(phone.asks()).toEqual([])
  await actor.end('closed')
})

test('a turn goes on without any page, and a page that joins later gets the session', async () => {
  const [desk, phone] = [aPage('desk'), aPage('phone')]
  const more = deferred<void>()
  const { actor, store, releases } = await anActor(desk.guest, {
    async *stream(): AsyncIterable<ModelPart> {
      yield { type: 'text-delta', id: '1', delta: 'Half' }
      await more.promise
      yield { type: 'text-delta', id: '1', delta: ' and half' }
      yield { type: 'finish', finishReason: { unified: 'stop' } }
    },
  })
  actor.join(desk.guest, [], [])
  actor.turns.send(send('t1', { offer: { number: 1, tools: [] } }), desk.guest)
  await desk.until('text-delta')
  actor.leave(desk.guest)
  const last = desk.seen.length
  actor.join(phone.guest, [], [])
  expect(phone.seen).toMatchObject([{ type: 'session', session: { draft: {}, turn: { id: 't1' } } }])
  actor.leave(phone.guest)
  more.resolve()
  await expect.poll(async () => (await store.read('s', 9))?.end?.reason).toBe('stop')
  expect((await store.read('s', 9))?.messages.at(-1)).toMatchObject({ parts: [{ text: 'Half and half' }] })
  expect(desk.seen.length).toBe(last)

  // The lease ends once, and only when its owner says so.
  expect(releases()).toBe(0)
  await actor.end('closed')
  expect(releases()).toBe(1)
})
