// A server with real sockets: pages of several users, sockets that break, messages that come twice, and a disk that fails.
import { expect, test } from 'playwright/test'
import { ToolAgentError } from '../../../src/core/data/errors.js'
import { allToolCalls, toolCallsOf } from '../../../src/core/data/message.js'
import type { ModelAdapter, ModelPart } from '../../../src/core/data/model.js'
import type { BeforeTurn } from '../../../src/server/sessions/budget.js'
import { hostConfig } from '../../../src/page/client/host-config.js'
import { SessionServer, type SocketUser } from '../../../src/server/session-server.js'
import { upgradeHandler, type UpgradeSocket } from '../../../src/server/upgrade.js'
import { Budget } from '../../../src/server/sessions/budget.js'
import { Sessions, type Joined } from '../../../src/server/sessions/sessions.js'
import { buysOnce, send } from '../../support/lab/actors.js'
import { deferred } from '../../support/lab/lab.js'
import type { ServerMessage } from '../../../src/server/protocol/server-messages.js'
import { sessionHeadOf } from '../../../src/core/state/store.js'
import { emptySession } from '../../../src/core/data/session.js'
import { scriptedModel } from '../../../src/testing/scripted-model.js'
import { asks, aServer, bought, Disks, Page, runs } from '../../support/server/sockets.js'

const texts = (messages: readonly { role: string; parts?: readonly object[] }[]) =>
  messages.flatMap(({ parts = [] }) => parts.flatMap((part) => ('text' in part ? [part.text] : [])))

test('two pages of a user share a session; another user finds nothing of it', async () => {
  const { server, host, disks, close } = await aServer(buysOnce)
  const [desk, phone, foreign] = [
    new Page(host, 'anna', { answers: asks }),
    new Page(host, 'anna', { answers: asks }),
    new Page(host, 'ben', { answers: asks }),
  ]
  const { mode } = await desk.open('desk', 's')
  expect([mode, (await phone.open('phone', 's')).mode]).toEqual(['drive', 'mirror'])
  desk.send('m1')
  await desk.acknowledged('m1')
  // Acknowledged means committed.
  expect((await disks.forUser('anna').read('s', 9))?.messages[0]?.id).toBe('sent_m1')
  await phone.event('approval-request')
  const before = (await disks.forUser('anna').read('s', 9))?.epoch

  const strange = new Page(host, 'ben')
  const missing = await strange.open('other', 'nobody')
  for (const [at, what] of ['sessions', 'messages', 'rename', 'delete'].entries()) {
    const given = { messages: { before: 9, limit: 9 }, rename: { title: 'Mine' } }[what] ?? {}
    strange.say({ type: 'request', id: at, what, with: what === 'sessions' ? {} : { id: 's', ...given } })
  }
  const replies = () =>
    strange.seen
      .flatMap((message) => (message.type === 'reply' ? [message] : []))
      .toSorted((one, other) => one.id - other.id)
  await expect.poll(() => replies().length).toBe(4)
  const [sessions, messages, rename, deleted] = replies()
  expect([sessions?.value, messages?.value, rename?.error?.code, deleted?.value]).toEqual([
    [],
    [],
    'session-deleted',
    null,
  ])
  const theirs = await foreign.open('desk', 's')
  expect(theirs).toMatchObject({ mode: 'drive', stored: false, session: { id: 's', messages: [] } })
  const { id: _id, createdAt: _at, updatedAt: _to, epoch: _epoch, ...like } = theirs.session
  expect(missing.session).toMatchObject(like)
  foreign.say({ type: 'decide', id: 'd0', callId: 'c1', hash: 'q1', decision: 'approve' })
  await foreign.acknowledged('d0')
  expect((await disks.forUser('anna').read('s', 9))?.epoch).toBe(before)
  expect(desk.seen.filter(({ type }) => type === 'event').at(-1)).toMatchObject({ event: { type: 'approval-request' } })

  phone.say({ type: 'decide', id: 'd1', callId: 'c1', hash: 'q1', decision: 'approve' })
  await phone.acknowledged('d1')
  await phone.event('turn-end')
  // The call ran in the page that had described it; the next step belongs to the page that decided.
  expect([desk.kinds(), phone.kinds(), foreign.kinds()]).toEqual([['prepare', 'check', 'execute'], ['prepare'], []])
  expect(JSON.stringify([...foreign.seen, ...strange.seen])).not.toContain('Bought')

  server.closeUser('anna')
  expect(await Promise.all([desk.untilClosed(), phone.untilClosed()])).toEqual([4401, 4401])
  expect(foreign.closed).toBeUndefined()
  // A conversation that its user deletes ends for its pages, after the reply. The page that did it knows why.
  const foreignPhone = new Page(host, 'ben')
  await foreignPhone.open('phone', 's')
  const seen = foreign.seen.length
  foreign.say({ type: 'request', id: 9, what: 'delete', with: {} })
  expect(await Promise.all([foreign.untilClosed(), foreignPhone.untilClosed()])).toEqual([4404, 4404])
  expect(foreign.seen.slice(seen)).toEqual([{ type: 'reply', id: 9, value: null }])
  expect(foreignPhone.seen.at(-1)).toMatchObject({ type: 'error', error: { code: 'session-deleted' } })
  await close()
})

/** Says half, waits, and says the rest. */
function twoHalves() {
  const more = deferred<void>()
  const model: ModelAdapter = {
    async *stream(): AsyncIterable<ModelPart> {
      yield { type: 'text-delta', id: '1', delta: 'Half' }
      await more.promise
      yield { type: 'text-delta', id: '1', delta: ' and half' }
      yield { type: 'finish', finishReason: { unified: 'stop' } }
    },
  }
  return { more, model }
}

test('a turn goes on without its page, which gets the state when it comes back', async () => {
  const { more, model } = twoHalves()
  const ends: string[] = []
  const hooks = {
    onEnd: ({ user, session, reason }: { user: string; session: string; reason: string }) =>
      ends.push(`${user} ${session} ${reason}`),
  }
  const { host, disks, close } = await aServer(model, { hooks, limits: { pageWait: 0 } })
  const page = new Page(host, 'anna', { answers: runs })
  await page.open('desk', 's')
  page.send('m1')
  await page.event('text-delta')
  page.vanish()
  await page.untilClosed()
  const back = new Page(host, 'anna', { answers: runs })
  expect((await back.open('desk', 's')).session).toMatchObject({
    turn: { id: 'm1' },
    draft: { parts: [{ text: 'Half' }] },
  })
  back.vanish()
  await back.untilClosed()
  more.resolve()
  await expect.poll(() => ends).toEqual(['anna s stop'])
  expect(texts((await disks.forUser('anna').read('s', 9))!.messages)).toEqual(['Go', 'Half and half'])
  const last = new Page(host, 'anna')
  expect(texts((await last.open('phone', 's')).session.messages)).toEqual(['Go', 'Half and half'])
  await close()
})

test('a message or decision that comes twice runs once, and is acknowledged each time', async () => {
  const { host, disks, close } = await aServer(buysOnce)
  const page = new Page(host, 'anna', { answers: asks })
  await page.open('desk', 's')
  for (const id of ['m1', 'm1']) page.send(id)
  await page.event('approval-request')
  page.send('m1')
  const decision = { type: 'decide', callId: 'c1', hash: 'q1', decision: 'approve' }
  for (const id of ['d1', 'd1', 'd2']) page.say({ ...decision, id })
  await page.event('turn-end')
  // After a broken connection, from the same tab and from another one.
  page.vanish()
  for (const tab of ['desk', 'phone']) {
    const back = new Page(host, 'anna', { answers: asks })
    await back.open(tab, 's')
    back.send('m1')
    back.say({ ...decision, id: 'd1', decision: 'deny' })
    await Promise.all([back.acknowledged('m1'), back.acknowledged('d1')])
  }
  const acknowledged = page.seen.flatMap((one) =>
    one.type === 'acknowledged' && !one.id.startsWith('a') ? [one.id] : [],
  )
  expect(acknowledged.toSorted()).toEqual(['d1', 'd1', 'd2', 'm1', 'm1', 'm1'])
  const { messages } = (await disks.forUser('anna').read('s', 9))!
  expect([texts(messages), messages.flatMap(toolCallsOf).length]).toEqual([['Go', 'Bought.'], 1])
  expect(page.kinds().filter((kind) => kind === 'execute')).toHaveLength(1)
  await close()
})

test('a duplicated tab is a page of its own, and a reloaded one goes on with what it was asked', async () => {
  const { host, close } = await aServer(buysOnce)
  const page = new Page(host, 'anna', { answers: silent })
  await page.open('desk', 's', { page: 'a' })
  page.send('m1')
  await page.until((message) => message.type === 'ask' && message.ask.type === 'execute')
  // The session storage of a tab is copied with it.
  const twin = new Page(host, 'anna', { answers: runs })
  expect((await twin.open('desk', 's', { page: 'b' })).mode).toBe('mirror')
  twin.say({ type: 'ping' })
  await twin.until(({ type }) => type === 'pong')
  expect([page.closed, twin.kinds()]).toEqual([undefined, []])
  // Its socket may still seem to be open when the next document of its tab is there.
  const next = new Page(host, 'anna', { answers: runs })
  await next.open('desk', 's', { page: 'c', after: 'a', outcomes: [bought('c1')] })
  expect(await page.untilClosed()).toBe(4409)
  await next.event('turn-end')
  expect([next.kinds(), twin.kinds(), twin.closed]).toEqual([['prepare'], [], undefined])
  const results = twin.seen.flatMap((one) =>
    one.type === 'event' && one.event.type === 'tool-result' ? [one.event.result.output] : [],
  )
  expect(results).toEqual(['yes'])
  // A page of another tab does not take the place of one.
  const phone = new Page(host, 'anna')
  await phone.open('phone', 's', { page: 'd', after: 'c' })
  phone.say({ type: 'ping' })
  await phone.until(({ type }) => type === 'pong')
  expect(next.closed).toBeUndefined()
  // The older socket of one page may be broken and not know it.
  await new Page(host, 'anna').open('desk', 's', { page: 'c' })
  expect(await next.untilClosed()).toBe(4409)
  await close()
})

test('a tab that has crashed goes on with what its page was asked', async () => {
  const { host, close } = await aServer(buysOnce)
  const page = new Page(host, 'anna')
  await page.open('desk', 's')
  page.send('m1')
  await page.until(({ type }) => type === 'ask')
  page.vanish()
  const back = new Page(host, 'anna', { answers: runs })
  await back.open('desk', 's')
  await back.event('turn-end')
  expect(back.kinds()).toEqual(['prepare', 'check', 'execute', 'prepare'])
  await close()
})

test('the outcome of a call is taken from a page whose socket broke, also by the next server', async () => {
  const silent = (ask: Parameters<typeof runs>[0]) => (ask.type === 'execute' ? undefined : runs(ask))
  const first = await aServer(buysOnce)
  const page = new Page(first.host, 'anna', { answers: silent })
  await page.open('desk', 's')
  page.send('m1')
  await page.until((message) => message.type === 'ask' && message.ask.type === 'execute')
  await first.close()
  expect(await page.untilClosed()).toBe(4503)

  const second = await aServer(buysOnce, { store: first.disks })
  const back = new Page(second.host, 'anna', { answers: silent })
  await back.open('desk', 's', { running: ['c1'] })
  back.say({ type: 'outcome', id: 'o1', outcome: bought('c1') })
  await back.acknowledged('o1')
  await back.event('turn-end')
  const { messages } = (await first.disks.forUser('anna').read('s', 9))!
  expect(messages.flatMap(toolCallsOf)).toMatchObject([{ result: { output: 'yes', untrusted: true } }])
  expect(back.kinds().filter((kind) => kind !== 'prepare')).toEqual([])
  await second.close()
})

test('a store that fails is an error and no second history', async () => {
  const { host, disks, close } = await aServer(twoHalves().model)
  const page = new Page(host, 'anna', { answers: runs })
  await page.open('desk', 's')
  disks.isFull = true
  page.send('m1')
  expect(await page.untilClosed()).toBe(4500)
  expect(page.seen.at(-1)).toMatchObject({ type: 'error', error: { code: 'storage' } })
  expect(page.seen.some(({ type }) => type === 'acknowledged')).toBe(false)
  disks.isFull = false
  const back = new Page(host, 'anna', { answers: runs })
  expect((await back.open('desk', 's')).session.messages).toEqual([])
  back.send('m1')
  await back.acknowledged('m1')
  await close()
})

test('who may not connect does not, and what cannot be read is answered in words', async () => {
  const { host, close } = await aServer(buysOnce, { limits: { sockets: 2 } })
  const refused = async (headers: Record<string, string>) => {
    const page = new Page(host, 'anna', { headers })
    await page.untilClosed()
    return page.seen
  }
  // A page of another origin, one without an origin, and a stranger.
  for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, { cookie: '' }])
    expect(await refused(headers)).toEqual([])
  const expired = new Page(host, 'carl', { headers: { cookie: 'user=carl; left=-1' } })
  expect(await expired.untilClosed()).toBe(4401)

  const page = new Page(host, 'anna')
  await page.until(({ type }) => type === 'ready')
  page.send('early')
  page.say('no JSON')
  const opening = { type: 'open', tab: 't', page: 'p', running: [], outcomes: [] }
  page.say({ ...opening, protocol: 1, scope: 'ben' })
  page.say({ ...opening, protocol: 9 })
  await expect.poll(() => page.seen.length).toBe(5)
  const words = page.seen.flatMap((message) => (message.type === 'refused' ? [message.error.message] : []))
  for (const part of ['is not JSON', 'open.scope: this is decided on the server', 'Send `open` first', 'protocol 9'])
    expect(
      words.some((one) => one.includes(part)),
      part,
    ).toBe(true)
  expect(page.seen).toContainEqual(expect.objectContaining({ type: 'refused', id: 'early' }))
  const second = new Page(host, 'anna')
  await second.until(({ type }) => type === 'ready')
  expect(await new Page(host, 'anna').untilClosed()).toBe(4429)
  page.say('x'.repeat(1_048_577))
  expect(await page.untilClosed()).toBe(1009)
  await close()
})

test('a message that waits is stored, and its turn runs once, also on the next server', async () => {
  const first = await aServer(buysOnce)
  const stored = async () => (await first.disks.forUser('anna').read('s', 9))!
  const waiting = async () => ((await stored()).waiting ?? []).map(({ turn }) => turn)
  const page = new Page(first.host, 'anna', { answers: silent })
  await page.open('desk', 's')
  page.send('m1')
  await page.until((message) => message.type === 'ask' && message.ask.type === 'execute')
  for (const id of ['m2', 'm3', 'm2']) page.send(id, `Then ${id}`)
  await Promise.all([page.acknowledged('m2'), page.acknowledged('m3')])
  expect(await waiting()).toEqual(['m2', 'm3'])
  // What is taken out does not come back.
  page.send('m4')
  await page.acknowledged('m4')
  page.say({ type: 'drop', turn: 'm4' })
  await expect.poll(waiting).toEqual(['m2', 'm3'])

  // The first server is killed: it writes nothing more.
  const second = await aServer(buysOnce, { store: first.disks, limits: { pageWait: 0 } })
  const back = new Page(second.host, 'anna', { answers: runs })
  await back.open('phone', 's')
  for (const id of ['m2', 'm3']) back.send(id, `Again ${id}`)
  await Promise.all([back.acknowledged('m2'), back.acknowledged('m3')])
  const ends = () =>
    back.seen.flatMap((one) => (one.type === 'event' && one.event.type === 'turn-end' ? [one.event.turn] : []))
  await expect.poll(ends).toEqual(['m1', 'm2', 'm3'])
  const questions = (await stored()).messages.filter(({ role }) => role === 'user')
  expect(texts(questions)).toEqual(['Go', 'Then m2', 'Then m3'])
  expect(await waiting()).toEqual([])
  await second.close()
  await first.close()
})

test('waiting messages that are stopped or refused are not stored any more', async () => {
  const beforeTurn: BeforeTurn = ({ used }) => (used.turns < 2 ? undefined : 'Enough.')
  const { host, disks, close } = await aServer(buysOnce, { hooks: { beforeTurn } })
  const waiting = async () => ((await disks.forUser('anna').read('s', 9))!.waiting ?? []).map(({ turn }) => turn)
  const page = new Page(host, 'anna', { answers: silent })
  await page.open('desk', 's')
  const untilCalled = (count: number) =>
    expect.poll(() => page.kinds().filter((kind) => kind === 'execute').length).toBe(count)
  const failed = (turn: string) => page.until((one) => one.type === 'error' && one.turn === turn)
  page.send('m1')
  await untilCalled(1)
  page.send('m2')
  await page.acknowledged('m2')
  page.say({ type: 'stop' })
  expect(await failed('m2')).toMatchObject({ error: { code: 'cancelled' } })
  await expect.poll(waiting).toEqual([])
  page.send('m3')
  await untilCalled(2)
  page.send('m4')
  await page.acknowledged('m4')
  expect(await waiting()).toEqual(['m4'])
  page.say({ type: 'answer', id: 'x', ask: page.asked('execute'), value: bought('c1') })
  expect(await failed('m4')).toMatchObject({ error: { code: 'limit', message: 'Enough.' } })
  await expect.poll(waiting).toEqual([])
  await close()
})

test('a waiting message that is refused while nobody is there is tried again when somebody is', async () => {
  const { more, model } = twoHalves()
  const disks = new Disks()
  const allowed = ['m1']
  const ends: string[] = []
  const sessions = new Sessions({
    model,
    config: hostConfig({}),
    budget: new Budget(() => (allowed.pop() ? undefined : 'Enough.')),
    pageWait: 0,
    onEnd: ({ reason }) => ends.push(reason),
  })
  const visit = async () => {
    const link = {
      send: (text: string) => {
        const message = JSON.parse(text) as ServerMessage
        if (message.type !== 'ask') return
        const value = runs(message.ask)!
        void joining.then(({ page }) => page.answer({ type: 'answer', id: 'a', ask: message.id, value }))
      },
      close: () => undefined,
    }
    const place = { user: 'anna', id: 's', store: disks.forUser('anna') }
    const joining = sessions.join(place, { tab: 't', page: 'p', running: [], outcomes: [] }, link) as Promise<Joined>
    const { session, page } = await joining
    return { session, page, actor: (await session.actor())!, leave: () => session.leave(page, link) }
  }
  const { session, page, actor, leave } = await visit()
  const acknowledged = (id: string, text: string) =>
    new Promise<unknown>((resolve) => {
      const facts = { url: '/', title: 'Shop', lang: 'en', timeZone: 'UTC' }
      void session.send(actor, page, { type: 'send', id, text, files: [], facts, whenBusy: 'queue' }, resolve)
    })
  expect([await acknowledged('m1', 'Go'), await acknowledged('m2', 'Then')]).toEqual([undefined, undefined])
  leave()
  await expect.poll(() => actor.hasGuests).toBe(false)
  more.resolve()
  await expect.poll(() => [sessions.size, ends]).toEqual([0, ['stop']])
  const stored = async () => (await disks.forUser('anna').read('s', 9))!
  expect((await stored()).waiting).toMatchObject([{ turn: 'm2' }])
  allowed.push('m2')
  await visit()
  await expect.poll(() => ends).toEqual(['stop', 'stop'])
  const { messages, waiting } = await stored()
  expect([texts(messages.filter(({ role }) => role === 'user')), waiting]).toEqual([['Go', 'Then'], []])
  await sessions.close()
})

test('the author refuses a turn before it starts, with a text and with nothing lost', async () => {
  const asked: unknown[] = []
  const model: ModelAdapter = {
    async *stream(): AsyncIterable<ModelPart> {
      yield { type: 'text-delta', id: '1', delta: 'Yes.' }
      const usage = { inputTokens: { total: 10 }, outputTokens: { total: 2 } }
      yield { type: 'finish', finishReason: { unified: 'stop' }, usage }
    },
  }
  const beforeTurn: BeforeTurn = async ({ user, session, used }) => {
    asked.push([user, session, used.turns, used.usage.totalTokens])
    if (user === 'ben' && used.turns > 0) throw new Error('No connection to db.internal')
    return used.turns < 2 ? undefined : 'You have asked enough for today.'
  }
  const { host, disks, close } = await aServer(model, { hooks: { beforeTurn } })
  const [anna, ben] = [new Page(host, 'anna', { answers: runs }), new Page(host, 'ben', { answers: runs })]
  await anna.open('desk', 's')
  await ben.open('desk', 's')
  const refused = (page: Page, id: string) =>
    page.until((one) => (one.type === 'refused' && one.id === id) || (one.type === 'error' && one.turn === id))
  // The third one waits for the two before it, and is asked about when they have ended.
  for (const id of ['m1', 'm2', 'm3']) anna.send(id)
  expect(await refused(anna, 'm3')).toMatchObject({
    error: { code: 'limit', message: 'You have asked enough for today.' },
  })
  ben.send('m4')
  await ben.event('turn-end')
  expect(asked).toEqual([
    ['anna', 's', 0, undefined],
    ['anna', 's', 1, 12],
    ['anna', 's', 2, 24],
    ['ben', 's', 0, undefined],
  ])
  const { messages, turn } = (await disks.forUser('anna').read('s', 9))!
  expect([messages.map(({ id }) => id).filter((id) => id.startsWith('sent_')), turn]).toEqual([
    ['sent_m1', 'sent_m2'],
    undefined,
  ])
  // The author is asked again, and a page reads nothing of what the hook throws.
  anna.say({ type: 'continue', id: 'm5', facts: { url: '/', title: 'Shop', lang: 'en', timeZone: 'UTC' } })
  expect(await refused(anna, 'm5')).toMatchObject({ error: { code: 'invalid-option' } })
  anna.send('m6')
  await refused(anna, 'm6')
  ben.send('m7')
  expect(await refused(ben, 'm7')).toMatchObject({ error: { code: 'limit' } })
  expect(JSON.stringify(ben.seen)).not.toContain('db.internal')
  expect(asked.length).toBe(6)
  await close()
})

/** A socket before its upgrade, that notes with what it is refused. */
const noting = (answers: string[]): UpgradeSocket => ({
  end: (text) => answers.push(text.split('\r\n', 1)[0]!),
  destroy: () => undefined,
  on: () => undefined,
  once: () => undefined,
})

test('a socket whose user is closed while the sign-in answers is refused', async () => {
  const server = new SessionServer({ store: new Disks(), model: buysOnce })
  const answers: string[] = []
  const webSockets = { options: { maxPayload: 1_000 }, handleUpgrade: () => answers.push('opened') }
  const signIns: ((user: string) => void)[] = []
  const authenticate = () => new Promise<SocketUser>((resolve) => signIns.push((user) => resolve({ user })))
  const upgrade = upgradeHandler(server, { webSockets, authenticate })
  const headers = { host: 'shop.example', origin: 'https://shop.example' }
  const begin = () => upgrade({ headers, socket: {} }, noting(answers), undefined)
  begin()
  begin()
  server.closeUser('anna')
  begin()
  for (const [at, user] of ['anna', 'ben', 'anna'].entries()) {
    signIns[at]!(user)
    await expect.poll(() => answers.length).toBe(at + 1)
  }
  expect(answers).toEqual(['HTTP/1.1 401 Unauthorized', 'opened', 'opened'])
})

test('a page of another scheme may not connect where the scheme is known', async () => {
  const server = new SessionServer({ store: new Disks(), model: buysOnce })
  const webSockets = { options: { maxPayload: 1_000 }, handleUpgrade: () => answers.push('opened') }
  const answers: string[] = []
  const upgrade = upgradeHandler(server, { webSockets, authenticate: () => ({ user: 'anna' }) })
  const over = async (scheme: string, encrypted?: true, forwarded?: string) => {
    const headers = { host: 'shop.example', origin: `${scheme}://shop.example`, 'x-forwarded-proto': forwarded }
    upgrade({ headers, socket: { encrypted } }, noting(answers), undefined)
    await expect.poll(() => answers.length).toBe(1)
    return answers.pop()
  }
  const no = 'HTTP/1.1 403 Forbidden'
  expect([await over('https', true), await over('http', true), await over('http', true, 'http')]).toEqual([
    'opened',
    no,
    no,
  ])
  expect([await over('https', undefined, 'https'), await over('http', undefined, 'https')]).toEqual(['opened', no])
  expect([await over('http', undefined, 'http'), await over('http', undefined, 'HTTPS, http')]).toEqual(['opened', no])
  expect([await over('https', undefined, 'wss'), await over('http', undefined, 'wss')]).toEqual(['opened', no])
  // Nobody knows: behind a proxy, or on the machine of the author.
  expect([await over('https'), await over('http'), await over('ftp')]).toEqual(['opened', 'opened', no])
})

test('a call that was stopped before an effect is asked about again, and the second decision counts', async () => {
  let runsOfCall = 0
  const stopped = (ask: Parameters<typeof asks>[0]) => {
    if (ask.type !== 'execute' || runsOfCall++ > 0) return asks(ask)
    const error = { code: 'needs-approval', message: 'It has changed.' }
    return { callId: ask.callId, attempts: 1, startedAt: 1, endedAt: 2, error, stopped: [] }
  }
  const { host, close } = await aServer(buysOnce)
  const page = new Page(host, 'anna', { answers: stopped })
  await page.open('desk', 's')
  page.send('m1')
  const questions = () =>
    page.seen.filter((message) => message.type === 'event' && message.event.type === 'approval-request')
  for (const count of [1, 2]) {
    await expect.poll(() => questions().length).toBe(count)
    page.say({ type: 'decide', id: `d${count}`, callId: 'c1', hash: 'q1', decision: 'approve' })
    await page.acknowledged(`d${count}`)
  }
  await page.event('turn-end')
  expect(runsOfCall).toBe(2)
  await close()
})

test('an answer or an outcome that comes again is acknowledged with its commit', async () => {
  for (const type of ['answer', 'outcome'] as const) {
    const { host, disks, close } = await aServer(buysOnce)
    const page = new Page(host, 'anna', { answers: silent })
    await page.open('desk', 's')
    page.send('m1')
    await page.until((message) => message.type === 'ask' && message.ask.type === 'execute')
    const held = deferred<void>()
    disks.held = held.promise
    const done = type === 'answer' ? { ask: page.asked('execute'), value: bought('c1') } : { outcome: bought('c1') }
    for (const id of ['x1', 'x1', 'x2']) page.say({ type, id, ...done })
    // Messages are handled in their order, so this one is over after the others.
    page.say({ type: 'request', id: 1, what: 'sessions', with: {} })
    await page.until((message) => message.type === 'reply')
    const acknowledged = () =>
      page.seen.flatMap((one) => (one.type === 'acknowledged' && one.id.startsWith('x') ? [one.id] : []))
    expect(acknowledged(), type).toEqual([])
    held.resolve()
    await page.event('turn-end')
    expect(acknowledged(), type).toEqual(['x1', 'x1', 'x2'])
    page.say({ type, id: 'x1', ...done })
    await expect.poll(() => acknowledged().length, type).toBe(4)
    await close()
  }
})

test('a decision is acknowledged with its effect, and not with the question that follows it', async () => {
  const first = await aServer(buysOnce)
  let hash = 'q1'
  const answers = (ask: Parameters<typeof asks>[0]) => {
    const value = asks(ask)
    return ask.type === 'check' ? (value as object[]).map((verdict) => ({ ...verdict, hash })) : value
  }
  const page = new Page(first.host, 'anna', { answers })
  await page.open('desk', 's')
  page.send('m1')
  await page.event('approval-request')
  const decide = (from: Page, id: string, about: string) =>
    from.say({ type: 'decide', id, callId: 'c1', hash: about, decision: 'approve' })
  const refused = (from: Page, id: string) => from.until((one) => one.type === 'refused' && one.id === id)
  const hashes = (from: Page) =>
    from.seen.flatMap((one) =>
      one.type === 'event' && one.event.type === 'approval-request' ? [one.event.approval.hash] : [],
    )
  // It was about something else, so the call is checked again, and the user is asked again.
  hash = 'q2'
  decide(page, 'd1', 'q0')
  expect(await refused(page, 'd1')).toMatchObject({ error: { message: expect.stringContaining('has changed') } })
  await expect.poll(() => hashes(page)).toEqual(['q1', 'q2'])
  await first.close()

  // The turn is resumed, and has not asked again.
  const resumed = async (again: string) => {
    const second = await aServer(buysOnce, { store: first.disks })
    const held = deferred<void>()
    const back = new Page(second.host, 'anna', { answers })
    hash = again
    first.disks.held = held.promise
    await back.open('desk', 's')
    decide(back, 'd2', 'q2')
    back.say({ type: 'ping' })
    await back.until(({ type }) => type === 'pong')
    return { ...second, back, release: () => held.resolve() }
  }
  const other = await resumed('q3')
  other.release()
  await refused(other.back, 'd2')
  expect(hashes(other.back)).toEqual(['q3'])
  decide(other.back, 'd3', 'q2')
  await refused(other.back, 'd3')
  await other.close()

  const same = await resumed('q2')
  first.disks.refuses = ({ messages = [] }) => JSON.stringify(messages).includes('"started"')
  same.release()
  // The question is stored again, and the start of the call is not: the decision has had no effect.
  expect(await same.back.untilClosed()).toBe(4500)
  expect(same.back.seen.filter((one) => one.type === 'acknowledged' && one.id === 'd2')).toEqual([])
  first.disks.refuses = () => false
  const last = new Page(same.host, 'anna', { answers })
  await last.open('desk', 's')
  decide(last, 'd2', 'q2')
  await last.acknowledged('d2')
  await last.event('turn-end')
  await same.close()
})

test('a call that its page cannot hold any longer is checked again', async () => {
  const stopped = [{ effect: 'send', does: 'request', method: 'POST', url: '/orders' }]
  const error = { code: 'needs-approval', message: 'Nobody could be asked.' }
  const held = { callId: 'c1', attempts: 1, startedAt: 1, endedAt: 2, error, stopped, held: true }
  let runsOfCall = 0
  const holds = (ask: Parameters<typeof asks>[0]) => {
    if (ask.type === 'check') return runsOfCall === 0 ? runs(ask) : asks(ask)
    return ask.type === 'execute' && runsOfCall++ === 0 ? held : runs(ask)
  }
  const { host, close } = await aServer(buysOnce)
  const page = new Page(host, 'anna', { answers: holds })
  await page.open('desk', 's')
  page.send('m1')
  await page.event('approval-request')
  const checks = () => page.kinds().filter((kind) => kind === 'check').length
  // Another page does not hold it.
  const other = new Page(host, 'anna')
  await other.open('phone', 's')
  const { held: _held, ...ended } = held
  other.say({ type: 'outcome', id: 'o0', outcome: ended })
  await other.acknowledged('o0')
  expect(checks()).toBe(2)
  for (const id of ['o1', 'o1']) page.say({ type: 'outcome', id, outcome: ended })
  await expect.poll(checks).toBe(3)
  page.say({ type: 'decide', id: 'd1', callId: 'c1', hash: 'q1', decision: 'approve' })
  await page.event('turn-end')
  expect([runsOfCall, checks()]).toEqual([2, 3])
  await close()
})

test('a page gets the newest messages of a long session, also after all of them were read for the model', async () => {
  const disks = new Disks()
  const store = disks.forUser('anna')
  const { epoch } = await store.claim('s', 0)
  const messages = Array.from({ length: 250 }, (_, at) => ({
    id: `old_${at}`,
    role: 'user' as const,
    parts: [{ type: 'text' as const, text: 'Old' }],
    at,
  }))
  const session = { ...emptySession('s', 'anna', 0), epoch, messages }
  await store.commit('s', epoch, {
    head: sessionHeadOf(session),
    messages: messages.map((message, index) => ({ index, message })),
  })
  const { host, close } = await aServer(buysOnce, { store: disks })
  const page = new Page(host, 'anna', { answers: asks })
  expect((await page.open('desk', 's')).session.start).toBe(50)
  page.send('m1')
  await page.event('approval-request')
  const late = await new Page(host, 'anna').open('phone', 's')
  expect([late.session.start, late.session.messages[0]?.id, late.session.messages.at(-2)?.id]).toEqual([
    50,
    'old_50',
    'sent_m1',
  ])
  await close()
})

/** `buysOnce`, and how often it was called. */
function counted() {
  const count = { calls: 0 }
  const model: ModelAdapter = {
    stream: (...given) => {
      count.calls += 1
      return buysOnce.stream(...given)
    },
  }
  return { count, model }
}

const silent = (ask: Parameters<typeof runs>[0]) => (ask.type === 'execute' ? undefined : runs(ask))

test('a server that closes lets nobody wait for what it still stores', async () => {
  const { server, host, disks, close } = await aServer(buysOnce)
  const [page, idle] = [new Page(host, 'anna', { answers: silent }), new Page(host, 'anna')]
  await idle.until(({ type }) => type === 'ready')
  await page.open('desk', 's')
  page.send('m1')
  await page.until((message) => message.type === 'ask' && message.ask.type === 'execute')
  const held = deferred<void>()
  disks.held = held.promise
  page.say({ type: 'request', id: 1, what: 'rename', with: { title: 'Mine' } })
  page.say({ type: 'ping' })
  await page.until(({ type }) => type === 'pong')
  let isOver = false
  const closing = server.close().then(() => (isOver = true))
  expect(await Promise.all([page.untilClosed(), idle.untilClosed()])).toEqual([4503, 4503])
  expect(isOver).toBe(false)
  held.resolve()
  await closing
  await close()
})

test('no lease begins while the server closes', async () => {
  const disks = new Disks()
  const { more, model } = twoHalves()
  const sessions = new Sessions({ model, config: hostConfig({}), budget: new Budget(), pageWait: 60_000 })
  const place = { user: 'anna', id: 's', store: disks.forUser('anna') }
  const link = { send: () => undefined, close: () => undefined }
  const opening = { tab: 'desk', page: 'p1', running: [], outcomes: [] }
  const { session, page } = (await sessions.join(place, opening, link)) as Joined
  const actor = (await session.actor())!
  actor.turns.send(send('t1', { offer: { number: 1, tools: [] } }), page.guest)
  await expect.poll(() => actor.writer.session.draft?.parts.length).toBe(1)
  const held = deferred<void>()
  disks.held = held.promise
  const closing = sessions.close()
  await expect.poll(() => session.end !== undefined).toBe(true)
  const joined = sessions.join(place, { ...opening, tab: 'phone', page: 'p2' }, { ...link })
  const refused = expect(joined).rejects.toMatchObject({ code: 'host-lost' })
  held.resolve()
  await closing
  await refused
  expect(sessions.size).toBe(0)
  more.resolve()
})

test('a session that waits for its user ends without pages, and asks again when a page opens it', async () => {
  const disks = new Disks()
  const stored = async () => (await disks.forUser('anna').read('s', 9))!
  const questions: string[] = []
  const onQuestion = ({ callId }: { callId: string }) => questions.push(callId)
  const sessions = new Sessions({
    model: buysOnce,
    config: hostConfig({}),
    budget: new Budget(),
    pageWait: 0,
    onQuestion,
  })
  const visit = async () => {
    const [asked, ended] = [deferred<void>(), deferred<void>()]
    const link = {
      send: (text: string) => {
        const message = JSON.parse(text) as ServerMessage
        if (message.type === 'event' && message.event.type === 'approval-request') asked.resolve()
        if (message.type === 'event' && message.event.type === 'turn-end') ended.resolve()
        if (message.type !== 'ask') return
        const value = asks(message.ask)!
        void joining.then(({ page }) => page.answer({ type: 'answer', id: 'a', ask: message.id, value }))
      },
      close: () => undefined,
    }
    const place = { user: 'anna', id: 's', store: disks.forUser('anna') }
    const joining = sessions.join(place, { tab: 't', page: 'p', running: [], outcomes: [] }, link) as Promise<Joined>
    const { session, page } = await joining
    const actor = (await session.actor())!
    return { session, page, actor, asked: asked.promise, ended: ended.promise, leave: () => session.leave(page, link) }
  }
  const first = await visit()
  first.actor.turns.send(send('t1'), first.page.guest)
  await first.asked
  first.leave()
  await expect.poll(() => sessions.size).toBe(0)
  // Each of them asks again. That is no attempt of a step, and no news for the author.
  for (const _visit of [1, 2, 3, 4]) {
    const again = await visit()
    await again.asked
    again.leave()
    await expect.poll(() => sessions.size).toBe(0)
    expect(await stored()).toMatchObject({ status: 'awaiting-approval', turn: { id: 't1', resumes: 0 } })
  }
  const last = await visit()
  const done = deferred<unknown>()
  void last.session.decide(
    last.actor,
    last.page,
    { type: 'decide', id: 'd1', callId: 'c1', hash: 'q1', decision: 'approve' },
    (error) => done.resolve(error),
  )
  expect(await done.promise).toBeUndefined()
  await last.ended
  const { messages, end } = await stored()
  expect([end?.reason, messages.flatMap(toolCallsOf).length, questions]).toEqual(['stop', 1, ['c1']])
  await sessions.close()
})

test('a server that closes while it settles an earlier turn does not resume that turn', async () => {
  const first = await aServer(buysOnce)
  const { disks } = first
  const page = new Page(first.host, 'anna', { answers: silent })
  await page.open('desk', 's')
  page.send('m1')
  await page.until((message) => message.type === 'ask' && message.ask.type === 'execute')
  await first.close()

  const { count, model } = counted()
  const second = await aServer(model, { store: disks })
  const held = deferred<void>()
  disks.held = held.promise
  const back = new Page(second.host, 'anna', { answers: silent })
  await back.open('desk', 's')
  const closing = second.server.close()
  await back.untilClosed()
  held.resolve()
  await closing
  const stored = async () => {
    const session = (await disks.forUser('anna').read('s', 9))!
    const [call] = session.messages.flatMap(toolCallsOf)
    return { resumes: session.turn?.resumes, code: call?.result?.error?.code }
  }
  expect(await stored()).toEqual({ resumes: 0, code: 'interrupted' })
  // Nothing goes on afterwards.
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect([await stored(), count.calls]).toEqual([{ resumes: 0, code: 'interrupted' }, 0])
  await second.close()
})

test('a message that waits when its session ends is not refused, so its page sends it again', async () => {
  for (const how of ['closes', 'loses'] as const) {
    const { server, host, disks, close } = await aServer(buysOnce)
    const page = new Page(host, 'anna', { answers: silent })
    await page.open('desk', 's')
    page.send('m1')
    page.send('m2')
    await page.until((message) => message.type === 'ask' && message.ask.type === 'execute')
    if (how === 'closes') await server.close()
    else {
      disks.isFull = true
      page.say({ type: 'answer', id: 'a9', ask: page.asked('execute'), value: bought('c1') })
    }
    expect(await page.untilClosed()).toBe(how === 'closes' ? 4503 : 4500)
    expect(page.seen.filter(({ type }) => type === 'refused')).toEqual([])
    await close()
  }
})

test('a message that cannot be stored is not refused, so its page sends it again', async () => {
  const { host, disks, close } = await aServer(buysOnce)
  const page = new Page(host, 'anna', { answers: runs })
  await page.open('desk', 's')
  disks.isFull = true
  page.send('m1')
  expect(await page.untilClosed()).toBe(4500)
  expect(page.seen.filter(({ type }) => type === 'refused')).toEqual([])
  await close()
})

test('a session ends when a request could not write it', async () => {
  const { host, disks, close } = await aServer(buysOnce)
  const [page, other] = [new Page(host, 'anna', { answers: runs }), new Page(host, 'anna')]
  await page.open('desk', 's')
  page.send('m1')
  await page.event('turn-end')
  await other.open('phone', 't')
  disks.isFull = true
  other.say({ type: 'request', id: 1, what: 'rename', with: { id: 's', title: 'Mine' } })
  expect(await page.untilClosed()).toBe(4500)
  await other.until(({ type }) => type === 'reply')
  expect(other.seen.at(-1)).toMatchObject({ type: 'reply', id: 1, error: { code: 'storage' } })
  expect(other.closed).toBeUndefined()
  disks.isFull = false
  const back = new Page(host, 'anna')
  expect((await back.open('desk', 's')).session.end?.reason).toBe('stop')
  back.say({ type: 'request', id: 2, what: 'rename', with: { title: 'Mine' } })
  expect(await back.until(({ type }) => type === 'reply')).toMatchObject({ id: 2, value: null })
  await close()
})

test('a turn that cannot be stored is not resumed without end', async () => {
  const { count, model } = counted()
  const { host, disks, close } = await aServer(model)
  disks.refuses = ({ messages = [] }) => messages.some(({ message }) => message.role === 'assistant')
  let page = new Page(host, 'anna', { answers: runs })
  await page.open('desk', 's')
  page.send('m1')
  for (let again = 0; again < 3; again += 1) {
    expect(await page.untilClosed()).toBe(4500)
    page = new Page(host, 'anna', { answers: runs })
    await page.open('desk', 's')
  }
  expect(await page.untilClosed()).toBe(4500)
  expect(count.calls).toBe(4)
  const last = new Page(host, 'anna', { answers: runs })
  await last.open('desk', 's')
  expect(await last.event('turn-end')).toMatchObject({ event: { reason: 'interrupted' } })
  expect(count.calls).toBe(4)
  await close()
})

test('an outcome of a call that nobody waits for is acknowledged', async () => {
  const { host, close } = await aServer(buysOnce)
  const page = new Page(host, 'anna', { answers: runs })
  await page.open('desk', 's', { running: ['ghost'] })
  page.say({ type: 'outcome', id: 'o1', outcome: bought('ghost') })
  page.say({ type: 'outcome', id: 'o2', outcome: bought('other') })
  await Promise.all([page.acknowledged('o1'), page.acknowledged('o2')])
  await close()

  // A call that an earlier server began, and whose turn the user stops.
  const first = await aServer(buysOnce)
  const before = new Page(first.host, 'anna', { answers: silent })
  await before.open('desk', 's')
  before.send('m1')
  await before.until((message) => message.type === 'ask' && message.ask.type === 'execute')
  await first.close()
  const second = await aServer(buysOnce, { store: first.disks })
  const back = new Page(second.host, 'anna', { answers: silent })
  await back.open('desk', 's', { running: ['c1'] })
  back.say({ type: 'stop' })
  await back.event('turn-end')
  back.say({ type: 'outcome', id: 'o3', outcome: bought('c1') })
  await back.acknowledged('o3')
  await second.close()
})

test('a socket whose time is not a number is closed at once', async () => {
  const { server, close } = await aServer(buysOnce)
  const closed: (number | undefined)[] = []
  server.serveSocket(
    {
      send: () => undefined,
      close: (code) => closed.push(code),
      addEventListener: () => undefined,
      readyState: 1,
    },
    { user: 'anna', expires: NaN },
  )
  await expect.poll(() => closed).toEqual([4401])
  await close()
})

test('a socket that is refused ends nothing when its page sends what cannot be read', async () => {
  const { server, host, close } = await aServer(buysOnce, { limits: { sockets: 0 } })
  const listened: string[] = []
  const bare = { readyState: 1, send: () => undefined, close: () => undefined }
  const socket = { ...bare, addEventListener: (type: string) => void listened.push(type) }
  expect(() => server.serveSocket(socket, { user: '' })).toThrow('expected the id of a user')
  expect(listened).toEqual(['error'])
  const page = new Page(host, 'anna')
  expect(await page.untilClosed()).toBe(4429)
  await close()
})

test('what the model of a server throws says nothing of the server to a page', async () => {
  const details = { status: 401, retry: false, provider: 'org-7 at http://10.0.0.5:8080' }
  const thrown = new ToolAgentError('unauthorized', 'http://10.0.0.5:8080/v1 returned status 401 for org-7', {
    details,
  })
  const model: ModelAdapter = {
    // oxlint-disable-next-line require-yield
    async *stream(): AsyncIterable<ModelPart> {
      throw thrown
    },
  }
  const { host, disks, close } = await aServer(model)
  const page = new Page(host, 'anna', { answers: runs })
  await page.open('desk', 's')
  page.send('m1')
  const end = await page.event('turn-end')
  const error = { code: 'unauthorized', details: { status: 401, retry: false } }
  expect(end).toMatchObject({ event: { error } })
  const stored = JSON.stringify(await disks.forUser('anna').read('s', 9))
  expect(JSON.stringify(page.seen) + stored).not.toMatch(/10\.0\.0\.5|org-7/)
  await close()
})

test('a message whose turn the author still thinks about is stored as one that waits', async () => {
  const [asked, answer] = [deferred<void>(), deferred<string | undefined>()]
  let turns = 0
  const beforeTurn: BeforeTurn = () => {
    turns += 1
    if (turns === 1) return undefined
    asked.resolve()
    return answer.promise
  }
  const { more, model } = twoHalves()
  const { host, disks, close } = await aServer(model, { hooks: { beforeTurn } })
  const page = new Page(host, 'anna', { answers: runs })
  await page.open('desk', 's')
  page.send('m1')
  await page.acknowledged('m1')
  page.send('m2')
  await page.acknowledged('m2')
  more.resolve()
  await asked.promise
  page.send('m3')
  await page.acknowledged('m3')
  const { waiting } = (await disks.forUser('anna').read('s', 9))!
  expect(waiting?.map(({ messageId }) => messageId)).toEqual(['sent_m2', 'sent_m3'])
  answer.resolve(undefined)
  await close()
})

/** A server that is killed while the page `desk` runs a call, and one after it. */
async function afterRestart(pageWait: number) {
  const first = await aServer(buysOnce)
  const before = new Page(first.host, 'anna', { answers: silent })
  await before.open('desk', 's')
  before.send('m1')
  await before.until((message) => message.type === 'ask' && message.ask.type === 'execute')
  const second = await aServer(buysOnce, { store: first.disks, limits: { pageWait } })
  const phone = new Page(second.host, 'anna', { answers: runs })
  await phone.open('phone', 's')
  const result = async () => {
    await phone.event('turn-end')
    const { messages } = (await first.disks.forUser('anna').read('s', 9))!
    return allToolCalls(messages).map(({ part }) => part.result?.output ?? part.result?.error?.code)
  }
  const close = async () => {
    await second.close()
    await first.close()
  }
  return { host: second.host, phone, result, close }
}

for (const [title, tab, brought] of [
  ['brings its outcome', 'desk', { outcomes: [bought('c1')] }],
  ['still runs it', 'desk', { running: ['c1'] }],
  ['is another one, in which the user had decided', 'tablet', { running: ['c1'] }],
] as const)
  test(`after a restart, a call counts although its page is not the first to come: it ${title}`, async () => {
    const { host, result, close } = await afterRestart(60_000)
    const desk = new Page(host, 'anna', { answers: silent })
    await desk.open(tab, 's', brought)
    if ('running' in brought) desk.say({ type: 'outcome', id: 'o1', outcome: bought('c1') })
    expect(await result()).toEqual(['yes'])
    expect(desk.kinds()).not.toContain('execute')
    await close()
  })

test('after a restart, a call of which its page knows nothing may have happened, at once', async () => {
  const { host, result, close } = await afterRestart(60_000)
  await new Page(host, 'anna', { answers: silent }).open('desk', 's')
  expect(await result()).toEqual(['interrupted'])
  await close()
})

test('after a restart, a call may have happened if its page does not come in time, and a stop does not wait for it', async () => {
  const late = await afterRestart(0)
  expect(await late.result()).toEqual(['interrupted'])
  await late.close()
  const { phone, result, close } = await afterRestart(60_000)
  phone.say({ type: 'stop' })
  expect(await result()).toEqual(['cancelled'])
  await close()
})

/** A server that is killed while `phone` runs a call of a turn that `desk` began, and one after it, with `desk`. */
async function decidedElsewhere(isOld: boolean) {
  const first = await aServer(scriptedModel([{ calls: [{ name: 'buy' }] }, { calls: [{ name: 'buy' }] }]))
  const desk = new Page(first.host, 'anna', { answers: asks })
  const phone = new Page(first.host, 'anna', { answers: silent })
  await desk.open('desk', 's')
  await phone.open('phone', 's')
  desk.send('m1')
  await phone.event('approval-request')
  phone.say({ type: 'decide', id: 'd1', callId: 'call_1', hash: 'q1', decision: 'approve' })
  await phone.until((message) => message.type === 'ask' && message.ask.type === 'execute')
  const store = first.disks.forUser('anna')
  // As the version before has stored it.
  const session = (await store.read('s', 9))!
  expect(allToolCalls(session.messages).map(({ part }) => part.started?.tab)).toEqual(['desk', 'phone'])
  if (isOld) {
    const { epoch } = await store.claim('s', 0)
    const messages = JSON.parse(JSON.stringify(session.messages), (key, value: unknown) =>
      key === 'tab' ? undefined : value,
    ) as typeof session.messages
    await store.commit('s', epoch, { messages: messages.map((message, index) => ({ index, message })) })
  }
  const second = await aServer(scriptedModel(['Done']), { store: first.disks })
  const back = new Page(second.host, 'anna', { answers: runs })
  await back.open('desk', 's')
  const results = async () => {
    await back.event('turn-end')
    const { messages } = (await store.read('s', 9))!
    return allToolCalls(messages).map(({ part }) => part.result?.output ?? part.result?.error?.code)
  }
  const close = async () => {
    await second.close()
    await first.close()
  }
  return { host: second.host, results, close }
}

test('after a restart, a call is waited for in the page that was asked, also if the turn began in another one', async () => {
  const { host, results, close } = await decidedElsewhere(false)
  await new Page(host, 'anna', { answers: silent }).open('phone', 's', { outcomes: [bought('call_2')] })
  expect(await results()).toEqual(['yes', 'yes'])
  await close()
})

test('after a restart, a call that an older version has stored is one of the page in which its turn began', async () => {
  const { results, close } = await decidedElsewhere(true)
  expect(await results()).toEqual(['yes', 'interrupted'])
  await close()
})
