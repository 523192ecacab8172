// A page whose host is a server: the real client and the real server, over sockets that break.
import { expect, test } from 'playwright/test'
import { WebSocketServer } from 'ws'
import type { AddressInfo } from 'node:net'
import type { ModelAdapter, ModelPart, ModelRequest } from '../../../src/core/data/model.js'
import { textOf } from '../../../src/core/data/message.js'
import { guestProtocol } from '../../../src/server/protocol/server-messages.js'
import { ServerSocket } from '../../../src/page/client/remote/server-socket.js'
import type { AgentOptions } from '../../../src/page/options.js'
import { Agent } from '../../../src/page/agent.js'
import { deferred } from '../../support/lab/lab.js'
import { buysOnce } from '../../support/lab/actors.js'
import { anAgent } from '../../support/server/pages.js'
import { aServer, type Disks } from '../../support/server/sockets.js'

const buy = (execute: () => unknown, more: object = {}) => ({
  name: 'buy',
  description: 'Buys what the visitor has in the cart. Returns whether it worked.',
  inputSchema: { type: 'object', properties: {} } as const,
  execute,
  ...more,
})

let sessions = 0
const inSession = (options: AgentOptions = {}): { options: AgentOptions } => ({
  options: { sessionId: `s${++sessions}`, ...options },
})

/** Answers each message with its text, when it may. `asked` has the requests. */
function echo(mayAnswer: () => Promise<unknown> = () => Promise.resolve()) {
  const asked: ModelRequest[] = []
  const model: ModelAdapter = {
    async *stream(request): AsyncIterable<ModelPart> {
      asked.push(request)
      await mayAnswer()
      const last = request.messages.findLast(({ role }) => role === 'user')
      const text =
        JSON.stringify(last?.content)
          .match(/Message \d/g)
          ?.at(-1) ?? ''
      yield { type: 'text-delta', id: '1', delta: `${text}!` }
      yield { type: 'finish', finishReason: { unified: 'stop' } }
    },
  }
  return { model, asked }
}

/** Commits wait for `stored`. `arrived`: the first one does. */
function heldCommits(disks: Disks) {
  const [stored, arrived] = [deferred<void>(), deferred<void>()]
  const get = () => {
    arrived.resolve()
    return stored.promise
  }
  Object.defineProperty(disks, 'held', { get })
  return { stored, arrived }
}

/** A page whose message has reached the server, and whose acknowledgement has not arrived. Set `network` to go on. */
async function unacknowledged({ host, disks, cut }: Awaited<ReturnType<typeof aServer>>) {
  const { agent, network } = anAgent(host, 'anna', inSession())
  await agent.connect()
  const { stored, arrived } = heldCommits(disks)
  const sent = agent.send('Message 1')
  await arrived.promise
  network.isDown = true
  cut()
  await expect.poll(() => agent.error?.code).toBe('network')
  return { agent, network, sent, stored }
}

const textsOf = ({ messages }: Agent) => messages.map((message) => textOf(message))

test('a message is answered by the server, and its tool runs in the page', async () => {
  const asked: ModelRequest[] = []
  const model: ModelAdapter = {
    stream: (request, ...rest) => {
      asked.push(request)
      return buysOnce.stream(request, ...rest)
    },
  }
  const { host, disks, close } = await aServer(model, { instructions: 'Be short.' })
  let runs = 0
  const { agent, said } = anAgent(host, 'anna', inSession({ sessionId: 'one', tools: [buy(() => `yes ${++runs}`)] }))
  expect(await agent.send('Go')).toMatchObject({
    text: 'Bought.',
    reason: 'stop',
    toolExecutions: [{ output: 'yes 1' }],
  })
  expect([agent.host, agent.storage, agent.role, agent.status]).toEqual(['server', 'server', 'driver', 'idle'])
  expect((await disks.forUser('anna').read('one', 9))?.messages).toEqual(agent.messages)
  expect(said.map(({ type }) => type)).toEqual(['open', 'send', 'answer', 'answer', 'answer'])
  // What the model got is the author's and the user's, and what the tool returned is fenced.
  const [first, second] = asked
  expect(first?.tools?.map(({ name }) => name)).toContain('buy')
  expect(JSON.stringify(first)).toContain('Be short.')
  expect(JSON.stringify(second?.messages.at(-1))).toMatch(/untrusted.*yes 1/)
  await agent.close()
  await close()
})

test('very many tools of a page are searched in the page', async () => {
  const asked: ModelRequest[] = []
  const calls = [
    { toolName: 'use_tool', input: { name: 'buy', input: {} } },
    { toolName: 'find_tools', input: { query: 'buy order cart' } },
    { toolName: 'use_tool', input: { name: 'buy', input: {} } },
  ]
  const model: ModelAdapter = {
    async *stream(request): AsyncIterable<ModelPart> {
      asked.push(request)
      const next = calls[asked.length - 1]
      if (next) {
        const { toolName, input } = next
        yield { type: 'tool-call', toolCallId: `call-number-${asked.length}`, toolName, input: JSON.stringify(input) }
      } else yield { type: 'text-delta', id: '1', delta: 'Bought.' }
      yield { type: 'finish', finishReason: { unified: next ? 'tool-calls' : 'stop' } }
    },
  }
  const { host, close } = await aServer(model)
  let runs = 0
  // More than a server takes in one offer.
  const others = Array.from({ length: 300 }, (_, at) => ({
    ...buy(() => 'no'),
    name: `other_${at}`,
    description: 'Waits.',
  }))
  const { agent } = anAgent(host, 'anna', inSession({ tools: [...others, buy(() => `yes ${++runs}`)] }))
  const { text, toolExecutions } = await agent.send('Go')
  expect(text).toBe('Bought.')
  expect(toolExecutions.map(({ call, output, error }) => [call.name, error?.code ?? output])).toEqual([
    ['buy', 'unknown-tool'],
    ['find_tools', { found: [{ name: 'buy', hash: expect.any(String) as unknown }], others: [] }],
    ['buy', 'yes 1'],
  ])
  const names = ['todo_write', 'todo_read', 'find_tools', 'use_tool']
  expect(asked.map((request) => request.tools?.map(({ name }) => name))).toEqual([names, names, names, names])
  expect(JSON.stringify(asked[1]?.messages.at(-1))).toMatch(/untrusted.*Read this definition/)
  await agent.close()
  await close()
})

test('a location without a document, as some libraries set in Node, is not the page', async () => {
  Object.assign(globalThis, { location: { origin: 'https://shop.example' } })
  const { host, close } = await aServer(buysOnce)
  const { agent } = anAgent(host, 'anna', inSession({ tools: [buy(() => 'yes')] }))
  try {
    expect((await agent.send('Go')).text).toBe('Bought.')
  } finally {
    Reflect.deleteProperty(globalThis, 'location')
    await agent.close()
    await close()
  }
})

test('a socket that breaks while a tool runs: it runs once, and its outcome counts', async () => {
  for (const isDone of ['before the page is back', 'after it']) {
    const { host, cut, close } = await aServer(buysOnce)
    const [begun, mayEnd] = [deferred<void>(), deferred<void>()]
    let runs = 0
    const execute = async () => {
      runs += 1
      begun.resolve()
      await mayEnd.promise
      return 'yes'
    }
    const { agent, said, sockets, network } = anAgent(host, 'anna', inSession({ tools: [buy(execute)] }))
    const ended = agent.send('Go')
    await begun.promise
    network.isDown = isDone !== 'after it'
    cut()
    if (network.isDown) {
      mayEnd.resolve()
      await expect.poll(() => sockets.length).toBeGreaterThan(2)
      network.isDown = false
    } else {
      await expect.poll(() => said.filter(({ type }) => type === 'open').length).toBe(2)
      mayEnd.resolve()
    }
    const result = await ended
    expect(result, isDone).toMatchObject({ text: 'Bought.', reason: 'stop', toolExecutions: [{ output: 'yes' }] })
    expect(runs).toBe(1)
    expect(said.filter(({ type }) => type === 'send')).toHaveLength(1)
    await agent.close()
    await close()
  }
})

test('a tool that ends while the page opens its session again: its outcome counts', async () => {
  const { host, cut, close } = await aServer(buysOnce)
  const [begun, mayEnd] = [deferred<void>(), deferred<void>()]
  const execute = async () => {
    begun.resolve()
    await mayEnd.promise
    return 'yes'
  }
  const { agent, said } = anAgent(host, 'anna', inSession({ tools: [buy(execute)] }))
  const ended = agent.send('Go')
  await begun.promise
  const push = said.push.bind(said)
  said.push = (...messages) => {
    if (messages.some(({ type }) => type === 'open')) mayEnd.resolve()
    return push(...messages)
  }
  cut()
  expect(await ended).toMatchObject({ text: 'Bought.', toolExecutions: [{ output: 'yes' }] })
  await agent.close()
  await close()
})

test('a server that starts again takes the outcome of a tool that ran meanwhile', async () => {
  const first = await aServer(buysOnce)
  const [begun, mayEnd] = [deferred<void>(), deferred<void>()]
  let runs = 0
  const execute = async () => {
    runs += 1
    begun.resolve()
    await mayEnd.promise
    return 'yes'
  }
  const { agent, said, network } = anAgent(first.host, 'anna', inSession({ tools: [buy(execute)] }))
  const ended = agent.send('Go')
  await begun.promise
  await first.close()
  const second = await aServer(buysOnce, { store: first.disks })
  network.host = second.host
  await expect.poll(() => said.filter(({ type }) => type === 'open').length).toBe(2)
  mayEnd.resolve()
  expect(await ended).toMatchObject({ text: 'Bought.', toolExecutions: [{ output: 'yes' }] })
  expect(runs).toBe(1)
  await agent.close()
  await second.close()
})

test('what a page did before it crashed counts for the next page of its tab', async () => {
  const { host, close } = await aServer(buysOnce)
  const begun = deferred<void>()
  const mayEnd = deferred<void>()
  const given = inSession({
    tools: [
      buy(async () => {
        begun.resolve()
        await mayEnd.promise
        return 'yes'
      }),
    ],
  })
  const crashed = anAgent(host, 'anna', given)
  void crashed.agent.send('Go').catch(() => undefined)
  await begun.promise
  crashed.network.isDown = true
  crashed.sockets[0]!.terminate()
  mayEnd.resolve()
  await expect.poll(() => crashed.sockets.length).toBeGreaterThan(2)
  const next = anAgent(host, 'anna', inSession({ ...given.options, tools: [buy(() => 'again')] }))
  await next.agent.connect()
  await expect.poll(() => next.agent.status).toBe('idle')
  expect(textsOf(next.agent)).toEqual(['Go', '', 'Bought.'])
  expect(JSON.stringify(next.agent.messages)).toMatch(/"output":"yes"/)
  await Promise.all([next.agent.close(), crashed.agent.close()])
  await close()
})

test('a turn that starts and ends while the socket is broken resolves when the page is back', async () => {
  const mayAnswer = deferred<void>()
  const { model, asked } = echo(() => mayAnswer.promise)
  const over = deferred<void>()
  const { host, cut, close } = await aServer(model, { hooks: { onEnd: () => over.resolve() } })
  const { agent, network } = anAgent(host, 'anna', inSession())
  await agent.connect()
  const ended = agent.send('Message 1')
  await expect.poll(() => asked.length).toBe(1)
  network.isDown = true
  cut()
  await expect.poll(() => agent.error?.code).toBe('network')
  mayAnswer.resolve()
  await over.promise
  network.isDown = false
  expect(await ended).toMatchObject({ text: 'Message 1!', reason: 'stop', steps: 1 })
  expect([agent.queue, agent.error, agent.status]).toEqual([[], null, 'idle'])
  await agent.close()
  await close()
})

test('messages that were not acknowledged are said again, stand once and keep their order', async () => {
  const { model, asked } = echo()
  const { host, disks, cut, close } = await aServer(model)
  const { agent, said, network } = anAgent(host, 'anna', inSession())
  await agent.connect()
  // The first has arrived, and its commit waits. The others are sent while there is no network.
  const { stored, arrived } = heldCommits(disks)
  const first = agent.send('Message 1')
  await arrived.promise
  network.isDown = true
  cut()
  await expect.poll(() => agent.error?.code).toBe('network')
  const others = [agent.send('Message 2'), agent.send('Message 3')]
  await expect.poll(() => agent.queue.length).toBe(3)
  network.isDown = false
  await expect.poll(() => said.filter(({ type }) => type === 'send').length).toBe(4)
  stored.resolve()
  const results = await Promise.all([first, ...others])
  expect(results.map(({ text }) => text)).toEqual(['Message 1!', 'Message 2!', 'Message 3!'])
  expect(textsOf(agent)).toEqual(['Message 1', 'Message 1!', 'Message 2', 'Message 2!', 'Message 3', 'Message 3!'])
  expect(asked).toHaveLength(3)
  await agent.close()
  await close()
})

test('a decision without a network counts once the page is back', async () => {
  const { host, cut, close } = await aServer(buysOnce)
  let runs = 0
  const needsApproval = true
  const tools = [buy(() => `yes ${++runs}`, { needsApproval })]
  const { agent, network } = anAgent(host, 'anna', inSession({ tools }))
  const ended = agent.send('Go')
  await expect.poll(() => agent.questions.length).toBe(1)
  network.isDown = true
  cut()
  await expect.poll(() => agent.error?.code).toBe('network')
  await agent.approve('c1')
  expect(agent.questions).toHaveLength(1)
  network.isDown = false
  expect(await ended).toMatchObject({ text: 'Bought.', toolExecutions: [{ output: 'yes 1' }] })
  expect(runs).toBe(1)
  await agent.close()
  await close()
})

test('a stop without a network stops that turn and what waits, and no later turn', async () => {
  const never = deferred<void>()
  const { model, asked } = echo(() => never.promise)
  const { host, cut, close } = await aServer(model)
  const given = inSession()
  const { agent, network } = anAgent(host, 'anna', given)
  const first = agent.send('Message 1')
  await expect.poll(() => asked.length).toBe(1)
  await expect.poll(() => agent.status).toBe('running')
  const second = agent.send('Message 2')
  await expect.poll(() => agent.queue.length).toBe(1)
  network.isDown = true
  cut()
  await expect.poll(() => agent.error?.code).toBe('network')
  const third = agent.send('Message 3')
  await expect.poll(() => agent.queue.length).toBe(2)
  agent.stop()
  await expect(third).rejects.toMatchObject({ code: 'cancelled' })
  network.isDown = false
  await expect(second).rejects.toMatchObject({ code: 'cancelled' })
  expect(await first).toMatchObject({ reason: 'stopped' })
  expect(textsOf(agent)).toEqual(['Message 1'])

  // A turn that has ended while the page could say nothing is not the one that runs now.
  const fourth = agent.send('Message 4')
  await expect.poll(() => asked.length).toBe(2)
  await expect.poll(() => agent.status).toBe('running')
  network.isDown = true
  cut()
  await expect.poll(() => agent.error?.code).toBe('network')
  agent.stop()
  const other = anAgent(host, 'anna', given)
  await other.agent.connect()
  other.agent.stop()
  const fifth = other.agent.send('Message 5')
  await expect.poll(() => asked.length).toBe(3)
  await expect.poll(() => other.agent.status).toBe('running')
  network.isDown = false
  expect(await fourth).toMatchObject({ reason: 'interrupted' })
  await agent.sessions.list()
  expect(agent.status).toBe('running')
  never.resolve()
  expect(await fifth).toMatchObject({ reason: 'stop', text: 'Message 5!' })
  await Promise.all([agent.close(), other.agent.close()])
  await close()
})

test('a message that waits is settled when another page ends the queue, also after a restart', async () => {
  const never = deferred<void>()
  const { model, asked } = echo(() => never.promise)
  const before = await aServer(model)
  const given = inSession()
  const { agent, network } = anAgent(before.host, 'anna', given)
  const first = agent.send('Message 1')
  await expect.poll(() => asked.length).toBe(1)
  const second = agent.send('Message 2')
  await expect.poll(() => agent.queue.length).toBe(1)
  // Its acknowledgement has arrived then.
  await agent.sessions.list()
  network.isDown = true
  before.cut()
  await before.close()

  // The page that comes first goes on with both messages, so the server tells it what becomes of them.
  const { host, close } = await aServer(model, { store: before.disks })
  const other = anAgent(host, 'anna', given)
  await other.agent.connect()
  await expect.poll(() => asked.length).toBe(2)
  Object.assign(network, { host, isDown: false })
  await agent.sessions.list()
  await expect.poll(() => agent.status).toBe('running')
  const third = other.agent.send('Message 3', { whenBusy: 'interrupt' })
  await expect(second).rejects.toMatchObject({ code: 'cancelled' })
  expect(await first).toMatchObject({ reason: 'stopped' })
  never.resolve()
  expect(await third).toMatchObject({ text: 'Message 3!' })
  await Promise.all([agent.close(), other.agent.close()])
  await close()
})

test('a message that is said again while its turn runs does not count as one that waits', async () => {
  const mayAnswer = deferred<void>()
  const { model, asked } = echo(() => mayAnswer.promise)
  const server = await aServer(model)
  const { agent, network, sent: first, stored } = await unacknowledged(server)
  stored.resolve()
  await expect.poll(() => asked.length).toBe(1)
  network.isDown = false
  await expect.poll(() => agent.status).toBe('running')
  // Its acknowledgement has arrived then.
  await agent.sessions.list()
  const second = agent.send('Message 2')
  await agent.sessions.list()
  mayAnswer.resolve()
  expect(await first).toMatchObject({ text: 'Message 1!' })
  expect(await second).toMatchObject({ text: 'Message 2!' })
  await agent.close()
  await server.close()
})

test('a stop reaches a message that the server has, and has not acknowledged', async () => {
  const never = deferred<void>()
  const { model, asked } = echo(() => never.promise)
  const server = await aServer(model)
  const { agent, network, sent, stored } = await unacknowledged(server)
  agent.stop()
  stored.resolve()
  await expect.poll(() => asked.length).toBe(1)
  network.isDown = false
  await expect(sent).rejects.toMatchObject({ code: 'cancelled' })
  await expect.poll(() => agent.session?.end?.reason).toBe('stopped')
  await agent.close()
  await server.close()
})

test('a conversation that is created while the socket is broken is the one of the next message', async () => {
  const { host, cut, close } = await aServer(echo().model)
  const { agent, network } = anAgent(host, 'anna', { ...inSession(), times: { untilTold: 50 } })
  await agent.send('Message 1')
  const { id } = agent.session!
  network.isDown = true
  cut()
  const created = agent.sessions.create()
  await expect.poll(() => agent.error?.code).toBe('network')
  network.isDown = false
  expect(await created).not.toBe(id)
  await agent.send('Message 2')
  expect(textsOf(agent)).toEqual(['Message 2', 'Message 2!'])
  await agent.close()
  await close()
})

test('pages of a user show the same, and a question is answered in any of them', async () => {
  const isGo = ({ messages }: ModelRequest) =>
    JSON.stringify(messages.findLast(({ role }) => role === 'user')).includes('Go')
  const model: ModelAdapter = {
    stream: (request, ...rest) => (isGo(request) ? buysOnce : echo().model).stream(request, ...rest),
  }
  const { host, disks, close } = await aServer(model)
  let runs = 0
  const given = inSession({ tools: [buy(() => `yes ${++runs}`, { needsApproval: true })] })
  const desk = anAgent(host, 'anna', given)
  const phone = anAgent(host, 'anna', { options: { sessionId: given.options.sessionId! } })
  await Promise.all([desk.agent.connect(), phone.agent.connect()])
  const ended = desk.agent.send('Go')
  await expect.poll(() => phone.agent.questions.length).toBe(1)
  expect([desk.agent.role, phone.agent.role]).toEqual(['driver', 'mirror'])
  // It has neither the tool nor the address of the page that described the call.
  await phone.agent.approve('c1')
  expect(await ended).toMatchObject({ text: 'Bought.', toolExecutions: [{ output: 'yes 1' }] })
  expect([desk.agent.role, phone.agent.role]).toEqual(['mirror', 'driver'])
  const stored = await disks.forUser('anna').read(given.options.sessionId!, 9)
  expect([desk.agent.messages, phone.agent.messages]).toEqual([stored?.messages, stored?.messages])
  // One who does not drive sends as well.
  expect((await desk.agent.send('Message 1')).text).toBe('Message 1!')
  expect(desk.agent.role).toBe('driver')
  await Promise.all([desk.agent.close(), phone.agent.close()])
  await close()
})

test('a page whose sign-in has ended renews it and goes on, and says so if it cannot', async () => {
  const { model } = echo()
  const { server, host, close } = await aServer(model)
  let renewals = 0
  const renew = async () => {
    renewals += 1
    renewing.network.cookie = 'user=anna'
  }
  const renewing = anAgent(host, 'anna', inSession({ hooks: { signIn: renew } }))
  expect((await renewing.agent.send('Message 1')).text).toBe('Message 1!')
  renewing.network.cookie = 'user=nobody!'
  server.closeUser('anna')
  expect((await renewing.agent.send('Message 2')).text).toBe('Message 2!')
  expect(renewals).toBe(1)

  for (const hooks of [{}, { signIn: () => Promise.reject(new Error('Nobody is there')) }]) {
    const left = anAgent(host, 'ben', inSession({ hooks }))
    expect((await left.agent.send('Message 3')).text).toBe('Message 3!')
    server.closeUser('ben')
    await expect.poll(() => left.agent.error?.code).toBe('unauthorized')
    expect(left.agent.error?.message).toContain('The sign-in of this user has ended')
    // The next message connects again.
    expect((await left.agent.send('Message 4')).text).toBe('Message 4!')
    await left.agent.close()
  }
  await renewing.agent.close()
  await close()
})

test('a page that cannot renew its sign-in, because there is no network, goes on when there is one', async () => {
  const { host, cut, close } = await aServer(echo().model)
  let renewals = 0
  const signIn = () => Promise.reject(new Error(`Offline ${++renewals}`))
  const { agent, network } = anAgent(host, 'anna', inSession({ hooks: { signIn } }))
  await agent.send('Message 1')
  network.isDown = true
  cut()
  await expect.poll(() => renewals).toBeGreaterThan(1)
  network.isDown = false
  expect((await agent.send('Message 2')).text).toBe('Message 2!')
  expect(agent.error).toBeNull()
  await agent.close()
  await close()
})

test('a page that connects because the network is back, while it renews its sign-in, does so once', async () => {
  const window = new EventTarget()
  Object.assign(globalThis, { window })
  const renewed = deferred<void>()
  const opened: Map<string, (event: object) => void>[] = []
  const socket = new ServerSocket({
    url: 'ws://shop.example/',
    times: { firstWait: 1, longestWait: 1 },
    open: () => {
      const listeners = new Map<string, (event: object) => void>()
      opened.push(listeners)
      return {
        send: () => undefined,
        close: () => undefined,
        addEventListener: (type: string, listener: never) => void listeners.set(type, listener),
      }
    },
    signIn: () => renewed.promise,
    ready: () => undefined,
    receive: () => undefined,
    broken: () => undefined,
    unreachable: () => undefined,
    ended: () => undefined,
  })
  try {
    socket.start()
    opened[0]?.get('message')?.({ data: JSON.stringify({ type: 'ready', protocol: guestProtocol }) })
    opened[0]?.get('close')?.({ code: 1006 })
    await expect.poll(() => opened.length).toBe(2)
    opened[1]?.get('close')?.({ code: 1006 })
    window.dispatchEvent(new Event('online'))
    expect(opened).toHaveLength(3)
    renewed.resolve()
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
    expect(opened).toHaveLength(3)
  } finally {
    socket.close()
    Reflect.deleteProperty(globalThis, 'window')
  }
})

test('a page that no server accepts says why, keeps the message out of the queue, and tries again', async () => {
  const { model } = echo()
  const { host, close } = await aServer(model, { limits: { sockets: 1 } })
  let renewals = 0
  const signIn = async () => {
    renewals += 1
  }
  const { agent, network, sockets } = anAgent(host, 'anna', inSession({ hooks: { signIn } }))
  network.isDown = true
  await expect(agent.send('Message 1')).rejects.toMatchObject({
    code: 'network',
    message: expect.stringMatching(/no socket could be opened to ws:.*connect-src/) as unknown as string,
  })
  // Why a socket was refused is not told, so the sign-in was renewed before the last try.
  expect([renewals, sockets.length, agent.queue, agent.status, agent.host]).toEqual([1, 2, [], 'loading', undefined])
  network.isDown = false
  expect((await agent.send('Message 1')).text).toBe('Message 1!')

  const second = anAgent(host, 'anna', inSession())
  await expect(second.agent.send('Message 2')).rejects.toMatchObject({
    code: 'rate-limited',
    message: expect.stringContaining('more pages open than the server allows') as unknown as string,
  })
  await Promise.all([agent.close(), second.agent.close()])
  await close()
})

/** A server that says it is ready, and no more. */
async function aDumbServer(protocol: number) {
  const webSockets = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise<void>((resolve) => webSockets.once('listening', resolve))
  let opened = 0
  webSockets.on('connection', (socket) => {
    opened += 1
    socket.send(JSON.stringify({ type: 'ready', protocol }))
  })
  const close = () => new Promise((resolve) => webSockets.close(resolve))
  return { host: `127.0.0.1:${(webSockets.address() as AddressInfo).port}`, opened: () => opened, close }
}

test('a server that is silent is asked whether it still exists, and left', async () => {
  const silent = await aDumbServer(guestProtocol)
  const times = { quiet: 5, patience: 5, firstWait: 4 }
  const waiting = anAgent(silent.host, 'anna', { ...inSession(), times })
  const connected = waiting.agent.connect().catch(() => undefined)
  await expect.poll(() => silent.opened()).toBeGreaterThan(1)
  // It was asked before it was left.
  expect(waiting.said.map(({ type }) => type)).toContain('ping')
  await waiting.agent.close()
  await connected
  await silent.close()
})

test('a server of another protocol is not used', async () => {
  const other = await aDumbServer(7)
  const { agent } = anAgent(other.host, 'anna', inSession())
  await expect(agent.send('Message 1')).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(
      /server speaks protocol 7, so this page is too old for it\. Reload the page/,
    ) as unknown as string,
  })
  await agent.close()
  await other.close()
})

test('conversations are listed, renamed, exported, opened and deleted on the server', async () => {
  const { model } = echo()
  const { host, close } = await aServer(model)
  const desk = anAgent(host, 'anna', inSession())
  await desk.agent.send('Message 1')
  const { id } = desk.agent.session!
  await desk.agent.sessions.rename(id, 'Mine')
  const other = await desk.agent.sessions.create()
  expect(desk.agent.messages).toEqual([])
  await desk.agent.send('Message 2')
  const titles = (await desk.agent.sessions.list()).map((one) => [one.id, one.title])
  expect(titles).toEqual([
    [other, 'Message 2'],
    [id, 'Mine'],
  ])
  expect(JSON.stringify(await desk.agent.sessions.export(id))).toContain('Message 1!')
  await desk.agent.sessions.open(id)
  expect(textsOf(desk.agent)).toEqual(['Message 1', 'Message 1!'])

  const phone = anAgent(host, 'anna', { options: { sessionId: id } })
  await phone.agent.connect()
  await desk.agent.sessions.delete(id)
  await expect.poll(() => phone.agent.error?.code).toBe('session-deleted')
  expect((await desk.agent.sessions.list()).map((one) => one.id)).toEqual([other])
  await expect(desk.agent.sessions.create({ toolContext: { user: 1 } })).rejects.toMatchObject({
    message: expect.stringContaining('keeps no tool context') as unknown as string,
  })
  await Promise.all([desk.agent.close(), phone.agent.close()])
  await close()
})

test('a question is edited and answered again, once, also over a broken socket', async () => {
  const { model } = echo()
  const { host, cut, close } = await aServer(model)
  const { agent, network } = anAgent(host, 'anna', inSession())
  await agent.send('Message 1')
  network.isDown = true
  cut()
  await expect.poll(() => agent.error?.code).toBe('network')
  const edited = agent.editLast('Message 2')
  network.isDown = false
  expect((await edited).text).toBe('Message 2!')
  expect((await agent.regenerate()).text).toBe('Message 2!')
  expect(agent.messages.filter(({ replaced }) => !replaced).map((one) => textOf(one))).toEqual([
    'Message 2',
    'Message 2!',
  ])
  await agent.close()
  await close()
})

test('a turn goes on when its page opens another conversation', async () => {
  const mayAnswer = deferred<void>()
  const { model, asked } = echo(() => mayAnswer.promise)
  const { host, close } = await aServer(model)
  const { agent } = anAgent(host, 'anna', inSession())
  const left = agent.send('Message 1')
  await expect.poll(() => asked.length).toBe(1)
  const { id } = agent.session!
  await agent.sessions.create()
  await expect(left).rejects.toMatchObject({ code: 'cancelled' })
  mayAnswer.resolve()
  await agent.sessions.open(id)
  await expect.poll(() => textsOf(agent)).toEqual(['Message 1', 'Message 1!'])
  await agent.close()
  await close()
})

test('a result that a server cannot take is shortened, or its failure is told', async () => {
  const deep = Array.from({ length: 80 }).reduce<object>((inner) => ({ inner }), {})
  for (const [output, expected] of [
    ['Ä'.repeat(800_000), /untrusted.*Ä….+The result was too long for the server/],
    [deep, /not-serializable.*its result could not be sent to the server: A message has more than 64 levels/],
  ] as const) {
    const { host, close } = await aServer(buysOnce)
    const { agent } = anAgent(host, 'anna', inSession({ tools: [buy(() => output)] }))
    const { text, toolExecutions } = await agent.send('Go')
    const [call] = toolExecutions
    expect(text).toBe('Bought.')
    expect(expected.test(JSON.stringify(call?.error ?? call?.modelOutput)), String(expected)).toBe(true)
    await agent.close()
    await close()
  }
})

test('a page that sets what the server decides gets an error in words', async () => {
  const address = 'wss://shop.example/assistant'
  const options: AgentOptions = {
    endpoint: '/v1',
    model: 'm',
    provider: 'openai',
    instructions: 'Be short.',
    headers: {},
    credentials: 'include',
    limits: {},
    todo: false,
    contextWindow: {},
    textProtocol: true,
    modelAdapter: buysOnce,
    retention: {},
    stream: false,
    stopWhen: () => false,
    resume: 'ask',
    workerUrl: '/worker.js',
  }
  for (const [name, value] of Object.entries({ ...options, endpoint: 'https://shop.example/v1' }))
    expect(() => new Agent({ host: address, [name]: value }), name).toThrow(
      new RegExp(`^${name}: the server decides this`),
    )
  const fine: AgentOptions = {
    approval: 'always',
    pageContext: 'a',
    hooks: { beforeTool: () => undefined },
    debug: false,
  }
  expect(new Agent({ host: address, ...fine }).hasModel).toBe(true)

  const { host, close } = await aServer(echo().model)
  const hooked = anAgent(host, 'anna', inSession({ hooks: { beforeModel: () => undefined } }))
  await expect(hooked.agent.send('Message 1')).rejects.toThrow(/^hooks\.beforeModel: the server decides this/)
  const { agent, said } = anAgent(host, 'anna', inSession())
  for (const [given, says] of [
    [{ instructions: 'Be rude.' }, /instructions: the server decides this/],
    [{ toolChoice: 'none' }, /toolChoice: the server/],
    [{ toolContext: { user: 1 } }, /toolContext: the server/],
    [{ activeTools: [] }, /activeTools: the server/],
    [{ output: { type: 'object', properties: {} } }, /output: the server/],
  ] as const)
    await expect(agent.send('Message 1', given as never)).rejects.toThrow(says)
  await expect(agent.step('Message 1').next()).rejects.toThrow(/cannot be stepped through/)
  agent.remember('user', 1)
  await expect.poll(() => agent.error?.message).toContain('a server keeps no tool context')
  expect(said.map(({ type }) => type)).toEqual(['open'])
  expect((await agent.send('Message 1')).text).toBe('Message 1!')
  await agent.close()
  await close()
})
