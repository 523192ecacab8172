// A request begins with the bytes of the one before it, in the order in which providers read it, because they cache it.
// The conversations are those in which a request is tempted to change what was sent.
import { keptShare, providerText, type Protocol } from '../../../../bench/support/provider-order.mjs'
import type { JsonObject } from '../../../../src/core/data/json.js'
import type { ModelRequest } from '../../../../src/core/data/model.js'
import { messagesBody } from '../../../../src/host/models/anthropic/messages-request.js'
import { geminiBody } from '../../../../src/host/models/google/gemini-request.js'
import { chatBody } from '../../../../src/host/models/openai/chat-request.js'
import { responsesBody } from '../../../../src/host/models/openai-responses/responses-request.js'
import { agentTool } from '../../../../src/page/tools/agent-tool.js'
import type { AgentOptions } from '../../../../src/page/options.js'
import type { AnyTool } from '../../../../src/page/tools/tool.js'
import type { Reply } from '../../../support/lab/endpoint.js'
import { expect, test, until, type Bench, type LabOptions } from '../../../support/lab/lab.js'
import { toolNames } from '../../../support/lab/requests.js'

const bodies: Record<Protocol, (request: ModelRequest) => JsonObject> = {
  chat: (request) => chatBody(request, { stream: true }),
  anthropic: (request) => messagesBody(request, { stream: true, extra: {} }),
  responses: (request) => responsesBody(request, { stream: true, extra: {} }),
  google: geminiBody,
}

const protocols = Object.entries(bodies) as [Protocol, (request: ModelRequest) => JsonObject][]

const look: AnyTool = {
  name: 'look',
  description: 'Looks at one shelf of the shop and returns what is on it',
  inputSchema: { type: 'object', properties: { shelf: { type: 'number' } } },
  annotations: { readOnlyHint: true, untrustedContentHint: true },
  execute: ({ shelf }: { shelf: number }) => `Shelf ${shelf}: ${'tea and cups, '.repeat(20)}`,
}
const call = (shelf: number): Reply => ({ calls: [{ name: 'look', arguments: { shelf } }] })
const write = (...texts: string[]): Reply => ({
  calls: [
    {
      name: 'todo_write',
      arguments: { items: texts.map((text, index) => ({ text, status: index === 0 ? 'in_progress' : 'pending' })) },
    },
  ],
})

/** Where the visitor is. In Node there is no page. */
function onPage(path: string, title: string): () => void {
  const { document, location, navigator } = globalThis as Record<string, unknown>
  Object.assign(globalThis, {
    document: { title, documentElement: { lang: 'en' }, baseURI: `https://shop.example${path}` },
    location: new URL(`https://shop.example${path}`),
    navigator: { language: 'en' },
  })
  return () => {
    for (const [name, value] of Object.entries({ document, location, navigator }))
      if (value === undefined) Reflect.deleteProperty(globalThis, name)
      else Object.assign(globalThis, { [name]: value })
  }
}

interface Recorder {
  readonly requests: ModelRequest[]
  readonly options: AgentOptions
}

function recorder(more: AgentOptions = {}): Recorder {
  const requests: ModelRequest[] = []
  const beforeModel = (request: ModelRequest) => {
    requests.push(structuredClone(request))
    return request
  }
  return { requests, options: { ...more, hooks: { beforeModel } } }
}

/** The shares of every protocol, smallest first; `except`: indexes of requests that may begin differently. */
function expectStable(requests: readonly ModelRequest[], except: readonly number[] = []): void {
  for (const [protocol, bodyOf] of protocols) {
    for (const [index, request] of requests.entries()) {
      const before = requests[index - 1]
      if (before === undefined || except.includes(index)) continue
      expect(keptShare(protocol, bodyOf(before), bodyOf(request)), `${protocol}, request ${index}`).toBe(1)
    }
  }
}

test('the text of a request has the order of its provider, without marks and sampling fields', () => {
  const request: ModelRequest = {
    model: 'm',
    system: 'SYSTEM',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'WORDS' }] }],
    tools: [{ type: 'function', name: 'look', description: 'TOOL', inputSchema: { type: 'object' } }],
    toolChoice: 'required',
  }
  for (const [protocol, bodyOf] of protocols) {
    const body = bodyOf(request)
    const text = providerText(protocol, { ...body, temperature: 1 })
    expect(text).not.toMatch(/cache_control|temperature|required/)
    const places = ['TOOL', 'SYSTEM', 'WORDS'].map((word) => text.indexOf(word))
    if (protocol === 'chat') expect(places).toEqual([...places].sort((one, other) => one - other))
    expect(Math.min(...places)).toBeGreaterThanOrEqual(0)
    expect(places[2]).toBe(Math.max(...places))
    const changed = { ...request, messages: [{ role: 'user', content: [{ type: 'text', text: 'OTHER' }] }] } as const
    expect(keptShare(protocol, body, bodyOf(request))).toBe(1)
    expect(keptShare(protocol, body, bodyOf(changed))).toBeLessThan(1)
  }
})

test(
  'what the page says about itself is sent when it changes, after what was sent',
  { tag: '@R6.8' },
  async ({ lab }) => {
    const { requests, options } = recorder()
    let order: number | undefined = 4148
    const pageContext = () => order && `The selected order is ${order}`
    const replies = ['one', 'two', 'three', 'four'].map((text) => ({ text }))
    const { agent } = await lab.start(replies, { ...options, pageContext })
    for (order of [4148, 4148, 4149, undefined]) await agent.send('Look')
    expectStable(requests)
    const last = JSON.stringify(requests.at(-1)?.messages)
    expect(last.match(/Page context: (?:none|The selected order is \d+)/g)).toEqual([
      'Page context: The selected order is 4148',
      'Page context: The selected order is 4149',
      'Page context: none',
    ])
  },
)

test('three pages: what changes follows what was sent', { tag: '@R6.8' }, async ({ lab }) => {
  const { requests, options } = recorder()
  const { agent } = await lab.start([call(1), { text: 'one' }, { text: 'two' }, { text: 'three' }], options)
  agent.registerTool(look)
  const pages = [
    ['/tea', 'Tea'],
    ['/cups', 'Cups'],
    ['/cups', 'Cups'],
  ] as const
  for (const [index, [path, title]] of pages.entries()) {
    const leave = onPage(path, title)
    await agent.send(`Message ${index}`).finally(leave)
  }
  expectStable(requests)
  const facts = requests.at(-1)!.messages.flatMap(({ role, content }) => {
    const [first] = content
    return role === 'user' && first?.type === 'text' && content.length > 1 ? [first.text] : []
  })
  // The second page has only what changed, and the third message nothing.
  expect(facts).toHaveLength(2)
  expect(facts[0]).toMatch(/Today: [^]*Page title: Tea\nPage address: https:\/\/shop\.example\/tea\n/)
  expect(facts[1]).toMatch(/^Facts from the page[^\n]*\n<untrusted-\w+>\nPage title: Cups\nPage address: [^\n]+\n</)
})

test('twenty steps with todos and reminders', { tag: ['@R6.8', '@R4.2'] }, async ({ lab }) => {
  const { requests, options } = recorder({ limits: { steps: 30 } })
  const steps = Array.from({ length: 9 }, (_, index) => call(index))
  const { agent } = await lab.start(
    [
      write('a', 'b'),
      ...steps,
      write('b'),
      ...steps,
      { text: 'ok' },
      { calls: [{ name: 'todo_write', arguments: { items: [] } }] },
      { text: 'Bye' },
    ],
    options,
  )
  agent.registerTool(look)
  await agent.send('Go')
  await agent.send('Thanks')
  expect(requests).toHaveLength(23)
  expectStable(requests)
})

test('a turn that was stopped and continues, on another page', { tag: '@R6.8' }, async ({ lab }) => {
  const { requests, options } = recorder({ limits: { steps: 2 } })
  const { agent } = await lab.start([call(1), call(2), call(3), { text: 'one' }, { text: 'two' }], options)
  agent.registerTool(look)
  let leave = onPage('/tea', 'Tea')
  await agent.send('Go').finally(leave)
  leave = onPage('/cups', 'Cups')
  await agent.continue().finally(leave)
  await agent.send('And now?')
  expectStable(requests)
  expect(JSON.stringify(requests[2]?.messages.at(-1))).toMatch(/Page title: Cups[^]*Continue where you stopped\./)
})

test('an answer that was cut and goes on', { tag: '@R6.8' }, async ({ lab }) => {
  const { requests, options } = recorder()
  const { agent } = await lab.start(
    [{ text: 'The first half', finish: 'length' }, { text: ' and the second.' }, { text: 'You are welcome.' }],
    options,
  )
  agent.registerTool(look)
  await agent.send('Tell me')
  await agent.continue()
  await agent.send('Thanks')
  expect(requests).toHaveLength(3)
  expectStable(requests)
})

test(
  'a tool that comes later is the last, and one that comes again has its old place',
  { tag: '@R6.8' },
  async ({ lab }) => {
    const { requests, options } = recorder()
    const { agent, endpoint } = await lab.start(
      [{ text: 'one' }, { text: 'two' }, { text: 'three' }, { text: 'four' }],
      options,
    )
    const remove = agent.registerTool(look)
    agent.registerTool({ ...look, name: 'open' })
    agent.registerToolProvider(() => [{ ...look, name: 'found' }])
    await agent.send('1')
    remove()
    agent.registerTool({ ...look })
    await agent.send('2')
    agent.registerTool({ ...look, name: 'late' })
    await agent.send('3')
    await agent.send('4')
    expectStable(requests, [2])
    const names = endpoint.requests.map(toolNames)
    expect(names[1]).toEqual(['todo_write', 'todo_read', 'look', 'open', 'found'])
    expect(names.slice(2)).toEqual([
      [...names[1]!, 'late'],
      [...names[1]!, 'late'],
    ])
  },
)

test('an answer that is written again', { tag: '@R6.8' }, async ({ lab }) => {
  const { requests, options } = recorder()
  const { agent } = await lab.start([{ text: 'one' }, { text: 'two' }, { text: 'other' }, { text: 'three' }], options)
  agent.registerTool(look)
  let leave = onPage('/tea', 'Tea')
  await agent.send('First')
  await agent.send('Second').finally(leave)
  leave = onPage('/cups', 'Cups')
  await agent.regenerate().finally(leave)
  // The facts of the message that is answered again are those that were stored with it.
  expect(requests[2]).toEqual(requests[1])
  await agent.send('Third')
  expectStable(requests)
})

test('a message that was edited has the facts of its page', { tag: '@R6.8' }, async ({ lab }) => {
  const { requests, options } = recorder()
  const { agent } = await lab.start([{ text: 'one' }, { text: 'two' }, { text: 'three' }], options)
  agent.registerTool(look)
  let leave = onPage('/tea', 'Tea')
  await agent.send('First').finally(leave)
  leave = onPage('/cups', 'Cups')
  await agent.editLast('Edited').finally(leave)
  await agent.send('Next')
  expect(JSON.stringify(requests[1]?.messages)).toMatch(/Page title: Cups[^]*Edited/)
  expect(JSON.stringify(requests[1]?.messages)).not.toMatch(/Continue where|Tea/)
  expectStable(requests, [1])
})

test('a reload and another tab', { tag: '@R6.8' }, async ({ lab }) => {
  const { requests, options } = recorder()
  const start = (more: LabOptions = {}): Promise<Bench> =>
    lab.start([], { ...options, ...more, sessionId: 'stable' } as AgentOptions & LabOptions)
  const first = await start()
  const list: Reply = { calls: [{ name: 'todo_write', arguments: { items: [{ text: 'a' }] } }] }
  first.endpoint.push(list, call(1), call(2), call(3), { text: 'ok' })
  first.agent.registerTool(look)
  await first.agent.send('Go')
  await first.agent.close()
  const second = await start({ store: first.store, endpointServer: first.endpoint, tab: 'other' })
  second.agent.registerTool(look)
  first.endpoint.push(call(4), call(5), call(6), { text: 'ok' })
  await second.agent.send('And?')
  expect(requests).toHaveLength(9)
  expectStable(requests)
})

test('old results that are left out, once per batch', { tag: '@R6.8' }, async ({ lab }) => {
  const { requests, options } = recorder({ limits: { steps: 30 }, contextWindow: { tokens: 12_000, clearAt: 1_600 } })
  const { agent, events } = await lab.start(
    [...Array.from({ length: 24 }, (_, index) => call(index)), { text: 'done' }],
    options,
  )
  agent.registerTool(look)
  await agent.send('Look at all shelves')
  const cleared = events.filter(({ type }) => type === 'clear').length
  expect(cleared).toBeGreaterThan(1)
  const changed = requests.filter((request, index) => {
    const before = requests[index - 1]
    return (
      before !== undefined &&
      keptShare('chat', chatBody(before, { stream: true }), chatBody(request, { stream: true })) < 1
    )
  })
  expect(changed).toHaveLength(cleared)
})

test('the agent inside a call', { tag: '@R6.8' }, async ({ lab }) => {
  const { requests, options } = recorder()
  const { agent } = await lab.start(
    [
      { calls: [{ name: 'helper', arguments: { task: 'Look' } }] },
      call(1),
      call(2),
      call(3),
      { text: 'seen' },
      { text: 'done' },
    ],
    options,
  )
  agent.registerTool(
    agentTool({
      name: 'helper',
      description: 'Looks at the shelves and says what is on them',
      instructions: 'You look.',
      tools: [look],
    }),
  )
  await agent.send('Go')
  const inner = requests.filter(({ system }) => system.includes('You look.'))
  expect(inner.length).toBeGreaterThanOrEqual(4)
  expectStable(inner)
  expectStable(requests.filter((request) => !inner.includes(request)))
})

test('a turn that resumes after a crash', { tag: '@R6.8' }, async ({ lab }) => {
  const { requests, options } = recorder({ resume: 'auto' })
  const first = await lab.start([call(1), call(2), { text: 'ok' }, { text: 'fine' }], {
    ...options,
    sessionId: 'crash',
    killAfter: 6,
  })
  first.agent.registerTool(look)
  void first.agent.send('Go').catch(() => undefined)
  await first.dead
  const second = await lab.start([], {
    ...options,
    sessionId: 'crash',
    store: first.store,
    endpointServer: first.endpoint,
  })
  second.agent.registerTool(look)
  await second.agent.connect()
  await until(second.agent, () => second.agent.status === 'idle')
  await second.agent.send('And?')
  expect(requests.length).toBeGreaterThan(2)
  expectStable(requests)
})
