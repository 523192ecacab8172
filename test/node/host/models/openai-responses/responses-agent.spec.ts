// Whole turns with the provider `openai-responses`: parallel tools after reasoning, a reload in the middle of a turn, a
// stop, and a session that goes through all four protocols. The server checks that its items come back unchanged.
import type { JsonObject, JsonValue } from '../../../../../src/core/data/json.js'
import { memoryStore } from '../../../../../src/host/store/memory-store.js'
import type { Agent } from '../../../../../src/page/agent.js'
import type { Provider } from '../../../../../src/page/options.js'
import type { Handler, Reply } from '../../../../support/lab/endpoint.js'
import { expect, test, until } from '../../../../support/lab/lab.js'
import { callItem, expectValid, itemsOf, messageItem, streamed } from '../../../../support/lab/responses-streams.js'

const reasoning: JsonObject = {
  id: 'rs_1',
  type: 'reasoning',
  summary: [{ type: 'summary_text', text: 'The user wants two things.\n\n 🫖' }],
  encrypted_content: 'gAAAA-secret-4711',
}
const plan: readonly JsonObject[] = [
  reasoning,
  messageItem('I look both up.'),
  callItem('01', 'find_orders', { query: 'teapot' }),
  callItem('02', 'find_guests', { name: 'Ada' }),
]

const says = (text: string): Reply => streamed([messageItem(text)])
const plans = streamed(plan)

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

/** The items of the answers of the server in a request, without messages of the user and results. */
function answersIn(body: JsonObject): readonly JsonValue[] {
  return itemsOf(body).filter(
    ({ type, role }) => type !== 'function_call_output' && role !== 'user' && role !== 'system',
  )
}

const checked =
  (replies: readonly Reply[]): Handler =>
  (body) => {
    expectValid(body)
    const results = itemsOf(body).filter(({ type }) => type === 'function_call_output').length
    const messages = itemsOf(body).filter(({ role }) => role === 'user').length
    return replies[messages - 1 + (results > 0 ? 1 : 0)]!
  }

test('two parallel tools after reasoning: the next request has all items unchanged', async ({ lab }) => {
  const { agent, endpoint, events } = await lab.start(checked([plans, says('Both found.')]), {
    provider: 'openai-responses',
  })
  const ran: string[] = []
  registerTools(agent, ran)
  const { text, reason, usage } = await agent.send('Find my teapot and Ada')
  expect([text, reason]).toEqual(['Both found.', 'stop'])
  expect(ran).toEqual(['find_orders {"query":"teapot"}', 'find_guests {"name":"Ada"}'])
  expect(endpoint.requests.map(({ path }) => path)).toEqual(['/v1/responses', '/v1/responses'])
  expect(answersIn(endpoint.requests[1]!.body!)).toEqual(plan)
  expect(usage).toMatchObject({ inputTokens: 18, outputTokens: 10 })
  expect(events.some((event) => event.type === 'reasoning-delta')).toBe(true)
})

test('a text that lost a piece on its way is stored and sent back whole', async ({ lab }) => {
  const raw = (says('The capital of France is Paris.') as { raw: string }).raw
  const pieces: string[] = raw.match(/^(?:.+\n)+\n/gm) ?? []
  const lost = pieces.findIndex((piece) => piece.includes('response.output_text.delta'))
  expect(lost).toBeGreaterThan(0)
  const { agent, endpoint } = await lab.start([{ raw: pieces.toSpliced(lost, 1).join('') }, says('It is.')], {
    provider: 'openai-responses',
  })
  expect((await agent.send('Which city?')).text).toBe('The capital of France is Paris.')
  await agent.send('Is it?')
  expect(JSON.stringify(answersIn(endpoint.requests[1]!.body!))).toContain('The capital of France is Paris.')
})

test('a reload after the calls were stored continues with the same items', async ({ lab }) => {
  const store = memoryStore()
  for (const killAfter of [2, 3, 4]) {
    const sessionId = `reload-${killAfter}`
    const options = { provider: 'openai-responses', sessionId, store } as const
    const first = await lab.start(checked([plans, says('Both found.')]), { ...options, killAfter })
    registerTools(first.agent)
    void first.agent.send('Find my teapot and Ada').catch(() => undefined)
    await first.dead
    const second = await lab.start([], { ...options, endpointServer: first.endpoint })
    registerTools(second.agent)
    await second.agent.connect()
    await until(second.agent, () => second.agent.status === 'idle')
    expect(answersIn(second.endpoint.requests.at(-1)!.body!), sessionId).toEqual(plan)
    expect(second.agent.messages.at(-1), sessionId).toMatchObject({ parts: [{ text: 'Both found.' }] })
  }
})

test('a turn that was stopped after the reasoning does not break the next one', async ({ lab }) => {
  const whole = (plans as { raw: string }).raw
  const { agent } = await lab.start(
    [
      { raw: [whole.slice(0, whole.indexOf('function_call'))], end: 'hang' },
      (body) => {
        expectValid(body)
        expect(JSON.stringify(body)).toContain('I look both up.')
        return says('Fine.')
      },
    ],
    { provider: 'openai-responses' },
  )
  registerTools(agent)
  const stopped = agent.send('Find my teapot and Ada')
  await until(agent, () => JSON.stringify(agent.session?.draft ?? '').includes('I look both up.'))
  agent.stop()
  expect((await stopped).reason).toBe('stopped')
  expect((await agent.send('And now?')).text).toBe('Fine.')
})

test('a session goes through all four protocols and back, and items return only to their model', async ({ lab }) => {
  const sse = (events: readonly JsonObject[]): Reply => ({
    raw: events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''),
  })
  const { agent, endpoint } = await lab.start(
    (body, { path }) => {
      const last = JSON.stringify(body).lastIndexOf('Round')
      const isAnswered = /tool_result|functionResponse|"role":"tool"|function_call_output/.test(
        JSON.stringify(body).slice(last),
      )
      if (path.endsWith('/responses')) {
        expectValid(body)
        return isAnswered ? says('Found by responses.') : plans
      }
      if (path.endsWith('/messages')) {
        const block = isAnswered
          ? { type: 'text', text: 'Found by messages.' }
          : { type: 'tool_use', id: `toolu_${last}`, name: 'find_orders', input: { query: 'm' } }
        return {
          json: {
            type: 'message',
            id: 'msg_1',
            role: 'assistant',
            content: [{ type: 'thinking', thinking: 'Hm', signature: 'sig-anthropic' }, block],
            stop_reason: isAnswered ? 'end_turn' : 'tool_use',
          },
        }
      }
      if (path.includes('generateContent') || path.includes('streamGenerateContent'))
        return sse([
          {
            candidates: [
              {
                index: 0,
                finishReason: 'STOP',
                content: {
                  parts: [
                    isAnswered
                      ? { text: 'Found by gemini.' }
                      : { functionCall: { name: 'find_orders', args: { query: 'g' } }, thoughtSignature: 'sig-google' },
                  ],
                },
              },
            ],
          },
        ])
      return isAnswered
        ? { text: 'Found by chat.' }
        : { reasoning: 'Hm', calls: [{ name: 'find_orders', arguments: {} }] }
    },
    { provider: 'openai-responses', model: 'gpt-one' },
  )
  const ran: string[] = []
  registerTools(agent, ran)
  const order: readonly [Provider, string, string][] = [
    ['openai-responses', 'gpt-one', 'responses'],
    ['openai', 'chat-one', 'chat'],
    ['openai-responses', 'gpt-one', 'responses'],
    ['anthropic', 'claude-one', 'messages'],
    ['openai-responses', 'gpt-one', 'responses'],
    ['google', 'gemini-3-one', 'gemini'],
    ['openai-responses', 'gpt-one', 'responses'],
    ['openai-responses', 'gpt-two', 'responses'],
    ['anthropic', 'claude-one', 'messages'],
    ['google', 'gemini-3-one', 'gemini'],
    ['openai', 'chat-one', 'chat'],
  ]
  for (const [index, [provider, model, word]] of order.entries()) {
    agent.configure({ endpoint: endpoint.url, logErrors: false, provider, model })
    expect((await agent.send(`Round ${index}`)).text, `${index} ${provider}`).toBe(`Found by ${word}.`)
    const last = JSON.stringify(endpoint.requests.at(-1)!.body)
    // Each round of a model adds one reasoning item. The items of the other model are left out.
    const rounds = order.slice(0, index + 1).filter((one) => one[1] === model && provider === 'openai-responses')
    expect(last.split('secret-4711').length - 1, `${index} ${model}`).toBe(rounds.length)
    expect(last.includes('sig-anthropic'), `${index} ${model}`).toBe(provider === 'anthropic')
    expect(last.includes('sig-google'), `${index} ${model}`).toBe(provider === 'google')
    expect(last).not.toContain('openaiResponses')
  }
  expect(ran).toHaveLength(5 * 2 + 6)
})

test('a failed response is asked again before its first part, and a cut stream runs no call', async ({ lab }) => {
  const failed = {
    type: 'response.failed',
    response: { status: 'failed', error: { code: 'server_error', message: 'x' } },
  }
  const { agent, endpoint } = await lab.start([{ sse: [failed], done: false }, says('Hello.')], {
    provider: 'openai-responses',
  })
  const ran: string[] = []
  registerTools(agent, ran)
  expect((await agent.send('Hi')).text).toBe('Hello.')
  const whole = (plans as { raw: string }).raw
  endpoint.push({ raw: whole.slice(0, whole.indexOf('event: response.completed')) })
  const codeOf = (error: { turn: { error: { code: string } } }) => error.turn.error.code
  expect(await agent.send('Find both').then(() => 'done', codeOf)).toBe('stream-cut')
  expect(ran).toEqual([])
})
