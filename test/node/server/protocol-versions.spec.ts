// Page and server of different versions. What the version before said is in test/support/recordings/guest-protocol.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'playwright/test'
import { z } from 'zod'
import type { JsonValue } from '../../../src/core/data/json.js'
import { allToolCalls } from '../../../src/core/data/message.js'
import { Agent } from '../../../src/page/agent.js'
import { connectHost } from '../../../src/page/client/remote/connect-host.js'
import type { AgentOptions } from '../../../src/page/options.js'
import { guestAnswers, guestProgress, type GuestQuery } from '../../../src/server/protocol/answers.js'
import { guestMessages } from '../../../src/server/protocol/guest-messages.js'
import { parseAnswer, parseGuestMessage, parseProgress } from '../../../src/server/protocol/parse-guest.js'
import { guestProtocol, oldestProtocol, type ServerMessage } from '../../../src/server/protocol/server-messages.js'
import { scriptedModel } from '../../../src/testing/scripted-model.js'
import { aServer, Page, runs } from '../../support/server/sockets.js'

/** What was said in a version: each message of a page with all its fields, and all that a server sent to one page. */
interface Recording {
  readonly page: {
    readonly messages: readonly { readonly type: string }[]
    readonly answers: readonly { readonly query: GuestQuery; readonly value: JsonValue }[]
    readonly progress: readonly { readonly query: keyof typeof guestProgress; readonly value: JsonValue }[]
  }
  readonly server: readonly ServerMessage[]
}

const folder = fileURLToPath(new URL('../../support/recordings/guest-protocol', import.meta.url))
const before = JSON.parse(readFileSync(join(folder, `${guestProtocol - 1}.json`), 'utf8')) as Recording
const problemOf = (parsed: { readonly error?: { readonly message: string } }): string | undefined =>
  parsed.error?.message

test('each message that a page of the version before sends is read', () => {
  const { messages, answers, progress } = before.page
  expect([...new Set(messages.map(({ type }) => type))].sort()).toEqual(Object.keys(guestMessages).sort())
  const problems = [
    ...messages.map((message) => problemOf(parseGuestMessage(JSON.stringify(message)))),
    ...answers.map(({ query, value }) => problemOf(parseAnswer(query, value))),
    ...progress.map(({ query, value }) => problemOf(parseProgress(query, value))),
  ]
  expect(problems.filter(Boolean)).toEqual([])
})

/** An agent whose server sends these messages, one after another: after the first, the page has opened its session. */
async function heard(messages: readonly ServerMessage[]) {
  const said: { readonly type: string }[] = []
  let receive: (event: { data: string }) => void = () => undefined
  const options: AgentOptions = { host: 'wss://shop.example/', sessionId: 's' }
  const open = () => ({
    send: (text: string) => {
      const message = JSON.parse(text) as { readonly type: string }
      said.push(message)
      if (message.type === 'open') for (const one of messages.slice(1)) receive({ data: JSON.stringify(one) })
    },
    close: () => undefined,
    addEventListener: (type: string, listener: never) => {
      if (type !== 'message') return
      receive = listener
      queueMicrotask(() => receive({ data: JSON.stringify(messages[0]) }))
    },
  })
  const agent = new Agent(options, () => connectHost(() => options, { page: 'p1', open }))
  await agent.connect()
  return { agent, said }
}

test('a page takes part in a conversation of a server of the version before, and says that version', async () => {
  const { agent, said } = await heard(before.server)
  await expect.poll(() => agent.session?.end?.turn).toBe('m2')
  const calls = allToolCalls(agent.session?.messages ?? []).map(({ part }) => [
    part.call.name,
    part.result?.output ?? part.result?.error?.code,
  ])
  expect(calls).toEqual([
    ['look', 'yes'],
    ['buy', 'yes'],
    ['find_order', 'Order 7'],
    ['buy', 'cancelled'],
  ])
  expect(agent.session?.title).toBe('Cart')
  expect(said[0]).toMatchObject({ type: 'open', protocol: guestProtocol - 1 })
  // It is not asked what it does not know.
  const file = { type: 'file', mediaType: 'image/png', data: '', upload: 'f1' } as const
  await expect(agent.sessions.file(file)).rejects.toMatchObject({ code: 'not-found' })
  await expect(agent.sessions.import({})).rejects.toThrow('imports no conversations')
  expect(said.filter(({ type }) => type === 'request')).toEqual([])
  await agent.close()
})

test('a server takes part with a page of the version before', async () => {
  const { host, close } = await aServer(scriptedModel([{ calls: [{ name: 'buy' }] }, 'Done']))
  const page = new Page(host, 'anna', { answers: runs })
  // As it said it: with the version that both speak.
  expect(await page.until(({ type }) => type === 'ready')).toEqual({
    type: 'ready',
    protocol: guestProtocol - 1,
    newest: guestProtocol,
  })
  await page.open('desk', 's', { protocol: guestProtocol - 1 })
  page.send('m1')
  await page.event('turn-end')
  expect(page.kinds()).toEqual(['prepare', 'check', 'execute', 'prepare'])
  await close()
})

test('a page that is too old or too new for a server is told so, in words, and by the server alone', async () => {
  const { host, close } = await aServer(scriptedModel([]))
  for (const [protocol, words] of [
    [oldestProtocol - 1, `protocol ${oldestProtocol - 1}, which is too old for this server`],
    [guestProtocol + 1, `protocol ${guestProtocol + 1}, which is too new for this server`],
  ] as const) {
    const page = new Page(host, 'anna')
    await page.until(({ type }) => type === 'ready')
    page.say({ type: 'open', protocol, tab: 't', page: 'p', running: [], outcomes: [] })
    expect(await page.until(({ type }) => type === 'refused')).toMatchObject({
      error: { code: 'host-lost', message: expect.stringContaining(words) as unknown as string },
    })
  }
  await close()
})

test('a page uses the newest version that both speak, and no server that is too old or too new', async () => {
  const [, ...others] = before.server
  const opened = async (ready: object) => {
    const { agent, said } = await heard([{ type: 'ready', ...ready } as ServerMessage, ...others])
    await agent.close()
    return (said[0] as { readonly protocol?: number }).protocol
  }
  const [newest, oldest] = [guestProtocol, oldestProtocol]
  expect(await opened({ protocol: oldest, newest })).toBe(newest)
  expect(await opened({ protocol: newest, newest: newest + 1 })).toBe(newest)
  expect(await opened({ protocol: oldest - 1, newest: oldest })).toBe(oldest)
  for (const [ready, words] of [
    [{ protocol: newest + 1, newest: newest + 2 }, 'this page is too old for it'],
    [{ protocol: oldest - 1 }, 'it is too old for this page'],
  ] as const)
    await expect(opened(ready)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(words) as unknown as string,
    })
})

test('the messages of a version do not change', ({}, { config: { updateSnapshots } }) => {
  const shapes = Object.entries({ message: guestMessages, answer: guestAnswers, progress: guestProgress }).flatMap(
    ([kind, schemas]) =>
      Object.entries<z.ZodType>(schemas).map(([name, schema]) => ({
        name: `${kind} ${name}`,
        schema: z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as unknown,
      })),
  )
  const file = join(folder, `${guestProtocol}.schema.json`)
  if (updateSnapshots === 'all' || updateSnapshots === 'changed')
    writeFileSync(file, `[\n${shapes.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`)
  expect(
    shapes,
    'A released version must not change. Give guestProtocol a new one, and record what this one says. Of a version ' +
      'that was not released: --update-snapshots.',
  ).toEqual(JSON.parse(readFileSync(file, 'utf8')))
})
