// Whole turns with the provider `anthropic`: parallel tools after thinking, a reload in the middle of a turn, another
// model or provider in the middle of a session. The server checks that thinking comes back unchanged.
import { isObject, type JsonObject, type JsonValue } from '../../../../../src/core/data/json.js'
import { memoryStore } from '../../../../../src/host/store/memory-store.js'
import type { Agent } from '../../../../../src/page/agent.js'
import type { Handler, Reply } from '../../../../support/lab/endpoint.js'
import { expect, test, until } from '../../../../support/lab/lab.js'

type WireMessage = { readonly role: string; readonly content: readonly JsonObject[] }

const thinking = { type: 'thinking', thinking: 'The user wants two things.\n\n 🫖', signature: 'EqQBCgIYAhIM+sig/==' }
const redacted = { type: 'redacted_thinking', data: 'EmwKAhgBEgy3va3' }
const plan: readonly JsonObject[] = [
  thinking,
  redacted,
  { type: 'text', text: 'I look both up.' },
  { type: 'tool_use', id: 'toolu_01', name: 'find_orders', input: { query: 'teapot' } },
  { type: 'tool_use', id: 'toolu_02', name: 'find_guests', input: { name: 'Ada' } },
]

/** The events of an answer with these blocks, each text in two deltas. */
function streamed(content: readonly JsonObject[], stopReason: string): Reply {
  const halves = (text: unknown) => [String(text).slice(0, 7), String(text).slice(7)]
  const events: JsonObject[] = [
    {
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'm-1',
        content: [],
        usage: { input_tokens: 9 },
      },
    },
  ]
  for (const [index, block] of content.entries()) {
    const delta = (fields: JsonObject) => events.push({ type: 'content_block_delta', index, delta: fields })
    const empty: JsonObject = { text: '', thinking: '', signature: '', input: {} }
    const blank = Object.entries(block).map(([key, value]) => [key, empty[key] ?? value])
    events.push({ type: 'content_block_start', index, content_block: Object.fromEntries(blank) as JsonObject })
    if (block['type'] === 'text') for (const text of halves(block['text'])) delta({ type: 'text_delta', text })
    if (block['type'] === 'thinking') {
      for (const text of halves(block['thinking'])) delta({ type: 'thinking_delta', thinking: text })
      delta({ type: 'signature_delta', signature: block['signature'] })
    }
    if (block['type'] === 'tool_use')
      for (const text of halves(JSON.stringify(block['input']))) delta({ type: 'input_json_delta', partial_json: text })
    events.push({ type: 'content_block_stop', index })
  }
  events.push({ type: 'message_delta', delta: { stop_reason: stopReason }, usage: { output_tokens: 5 } })
  events.push({ type: 'message_stop' })
  return { raw: events.map((event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`).join('') }
}

const says = (text: string): Reply => streamed([{ type: 'text', text }], 'end_turn')
const plans: Reply = streamed(plan, 'tool_use')

function messagesOf(body: JsonObject): readonly WireMessage[] {
  return body['messages'] as unknown as readonly WireMessage[]
}

/** Rules of the API that hold for every request. */
function expectValid(body: JsonObject): void {
  const messages = messagesOf(body)
  expect(messages[0]?.role).toBe('user')
  let expected: unknown[] = []
  for (const [index, { role, content }] of messages.entries()) {
    expect(role, 'roles alternate').toBe(index % 2 === 0 ? 'user' : 'assistant')
    expect(content.length).toBeGreaterThan(0)
    for (const block of content) if (block['type'] === 'text') expect(String(block['text']).trim()).not.toBe('')
    const results = content.filter(({ type }) => type === 'tool_result')
    expect(results.map((block) => block['tool_use_id'])).toEqual(expected)
    expect(content.slice(0, results.length), 'results come first').toEqual(results)
    expected = content.filter(({ type }) => type === 'tool_use').map(({ id }) => id)
  }
  expect(messages.at(-1)?.role).toBe('user')
}

function registerTools(agent: Agent, ran: string[] = []): void {
  for (const name of ['find_orders', 'find_guests']) {
    agent.registerTool({
      name,
      description: `Runs ${name} and returns what was found, for the tests of whole turns`,
      inputSchema: { type: 'object', additionalProperties: true },
      annotations: { readOnlyHint: true },
      execute: (input: JsonObject) => {
        ran.push(`${name} ${JSON.stringify(input)}`)
        return { found: name }
      },
    })
  }
}

/** The blocks of the first assistant message, without the marks for the cache. */
function firstAnswer(body: JsonObject): readonly JsonValue[] {
  return messagesOf(body).find(({ role }) => role === 'assistant')!.content
}

const checked =
  (replies: readonly Reply[]): Handler =>
  (body) => {
    expectValid(body)
    return replies[messagesOf(body).filter(({ role }) => role === 'assistant').length]!
  }

test('two parallel tools after thinking: the next request has the whole answer unchanged', async ({ lab }) => {
  const { agent, endpoint, events } = await lab.start(checked([plans, says('Both found.')]), { provider: 'anthropic' })
  const ran: string[] = []
  registerTools(agent, ran)
  const { text, reason, usage } = await agent.send('Find my teapot and Ada')
  expect([text, reason]).toEqual(['Both found.', 'stop'])
  expect(ran).toEqual(['find_orders {"query":"teapot"}', 'find_guests {"name":"Ada"}'])
  expect(endpoint.requests.map(({ path }) => path)).toEqual(['/v1/messages', '/v1/messages'])
  expect(firstAnswer(endpoint.requests[1]!.body!)).toEqual(plan)
  const results = messagesOf(endpoint.requests[1]!.body!)[2]!.content
  expect(results.map(({ type, tool_use_id: id }) => [type, id])).toEqual([
    ['tool_result', 'toolu_01'],
    ['tool_result', 'toolu_02'],
  ])
  expect(usage).toMatchObject({ inputTokens: 18, outputTokens: 10 })
  expect(events.some((event) => event.type === 'reasoning-delta')).toBe(true)
})

test('a reload after the calls were stored continues with the same thinking', async ({ lab }) => {
  const store = memoryStore()
  for (const killAfter of [2, 3, 4]) {
    const sessionId = `reload-${killAfter}`
    const script = checked([plans, says('Both found.')])
    const first = await lab.start(script, { provider: 'anthropic', sessionId, store, killAfter })
    registerTools(first.agent)
    void first.agent.send('Find my teapot and Ada').catch(() => undefined)
    await first.dead
    const second = await lab.start([], { provider: 'anthropic', sessionId, store, endpointServer: first.endpoint })
    registerTools(second.agent)
    await second.agent.connect()
    await until(second.agent, () => second.agent.status === 'idle')
    const last = second.endpoint.requests.at(-1)!.body!
    expect(firstAnswer(last), sessionId).toEqual(plan)
    expect(second.agent.messages.at(-1), sessionId).toMatchObject({ parts: [{ text: 'Both found.' }] })
  }
})

test('another model gets the session without the thinking of the first one', async ({ lab }) => {
  const { agent, endpoint } = await lab.start(
    checked([plans, says('Both found.'), says('Hello from another model.'), says('Back again.')]),
    { provider: 'anthropic', model: 'claude-one' },
  )
  const options = { endpoint: endpoint.url, provider: 'anthropic', logErrors: false } as const
  registerTools(agent)
  await agent.send('Find my teapot and Ada')
  agent.configure({ ...options, model: 'claude-two' })
  expect((await agent.send('And you?')).text).toBe('Hello from another model.')
  expect(firstAnswer(endpoint.requests[2]!.body!)).toEqual(plan.slice(2))
  agent.configure({ ...options, model: 'claude-one' })
  await agent.send('And you?')
  expect(firstAnswer(endpoint.requests[3]!.body!)).toEqual(plan)
})

test('a session that began with chat completions goes on with this provider, and back', async ({ lab }) => {
  const { agent, endpoint } = await lab.start((body, { path }) => {
    if (path.endsWith('/messages')) {
      expectValid(body)
      return messagesOf(body).length < 6 ? plans : says('Found again.')
    }
    const messages = Array.isArray(body['messages']) ? body['messages'].filter(isObject) : []
    if (messages.some(({ role }) => role === 'tool')) return { text: 'Done.' }
    return { reasoning: 'Hm', calls: [{ id: 'call.1|x', name: 'find_orders', arguments: { query: 'pot' } }] }
  })
  registerTools(agent)
  expect((await agent.send('Find my pot')).text).toBe('Done.')
  agent.configure({ endpoint: endpoint.url, logErrors: false, provider: 'anthropic', model: 'claude-one' })
  expect((await agent.send('And again')).text).toBe('Found again.')
  const [use, done] = firstAnswer(endpoint.requests[2]!.body!) as readonly JsonObject[]
  expect(use).toMatchObject({ type: 'tool_use', name: 'find_orders', input: { query: 'pot' } })
  expect(String(use!['id'])).toMatch(/^[\w-]+$/)
  expect(done).toBeUndefined()
  agent.configure({ endpoint: endpoint.url, logErrors: false, provider: 'openai', model: 'gpt-test' })
  expect((await agent.send('Once more')).text).toBe('Done.')
  const last = JSON.stringify(endpoint.requests.at(-1)!.body)
  for (const own of ['anthropicMessages', 'signature', 'EqQBCgIYAhIM', 'EmwKAhgBEgy3va3'])
    expect(last).not.toContain(own)
})

test('an overloaded server is asked again, and a cut stream runs no call', async ({ lab }) => {
  const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
  const { agent, endpoint } = await lab.start(
    [
      { raw: `event: error\ndata: ${JSON.stringify(overloaded)}\n\n` },
      { status: 529, body: overloaded, headers: { 'retry-after-ms': '1' } },
      says('Hello.'),
    ],
    { provider: 'anthropic' },
  )
  const ran: string[] = []
  registerTools(agent, ran)
  expect((await agent.send('Hi')).text).toBe('Hello.')
  const whole = (plans as { raw: string }).raw
  endpoint.push({ raw: whole.slice(0, whole.indexOf('event: message_delta')) })
  const failed = (error: { turn: { error: { code: string } } }) => error.turn.error.code
  expect(await agent.send('Find both').then(() => 'done', failed)).toBe('stream-cut')
  expect(ran).toEqual([])
})
