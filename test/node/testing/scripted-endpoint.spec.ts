// A model server that answers from a script: alone, for an agent, and behind a relay.
import { createServer } from 'node:http'
import { expect, test } from 'playwright/test'
import { Agent } from '../../../src/page/agent.js'
import { createRelay, sessionCookie, signSession, toNodeHandler } from '../../../src/relay.js'
import { scriptedEndpoint, type EndpointStep } from '../../../src/testing/scripted-endpoint.js'

const ask = (endpoint: ReturnType<typeof scriptedEndpoint>, body: object) =>
  endpoint('http://127.0.0.1/v1/chat/completions', { method: 'POST', body: JSON.stringify(body) })

const find = {
  name: 'find',
  description: 'Finds products of the shop by their names.',
  inputSchema: { type: 'object', properties: { query: { type: 'string' } } } as const,
  annotations: { readOnlyHint: true },
  execute: () => ['Assam'],
}

/** Sends a question to a server with this handler. */
async function converse(handler: Parameters<typeof toNodeHandler>[0], path: string, headers = {}) {
  const server = createServer(toNodeHandler(handler))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const agent = new Agent({
    endpoint: `http://127.0.0.1:${port}${path}`,
    model: 'm',
    headers,
    tools: [find],
    logErrors: false,
  })
  try {
    return await agent.send('Find tea')
  } finally {
    await agent.close()
    server.closeAllConnections()
    server.close()
  }
}

const script: EndpointStep[] = [
  { text: 'One moment.', calls: [{ name: 'find', input: { query: 'tea' } }] },
  ({ body }) => `Found ${JSON.stringify((body['messages'] as { content: unknown }[]).at(-1)?.content)}.`,
]

test('an agent gets calls and texts from its address, streamed', async () => {
  const endpoint = scriptedEndpoint(script)
  const { text, toolExecutions } = await converse(endpoint, '/v1')
  expect(text).toContain('Assam')
  expect(toolExecutions.map(({ call }) => call.input)).toEqual([{ query: 'tea' }])
  expect(endpoint.requests.map(({ body }) => body['stream'])).toEqual([true, true])
  endpoint.done()
})

test('behind a relay it gets the key of the server, and nothing of the visitor', async () => {
  const endpoint = scriptedEndpoint(script)
  const secret = 'a secret of at least thirty-two characters'
  const relay = createRelay({
    upstreams: { openai: { protocol: 'openai', endpoint: 'https://models.example/v1', key: 'k-1', models: ['m'] } },
    user: sessionCookie({ secret }),
    origins: ['null'],
    fetch: endpoint,
  })
  const { text } = await converse(
    (request) => {
      const headers = new Headers(request.headers)
      headers.set('origin', 'null')
      return relay(
        new Request(request.url, { method: 'POST', headers, body: request.body, duplex: 'half' } as RequestInit),
      )
    },
    '/models/openai',
    { cookie: `session=${await signSession('ada', { secret })}` },
  )
  expect(text).toContain('Assam')
  expect(endpoint.requests.map(({ url }) => url)).toEqual(Array(2).fill('https://models.example/v1/chat/completions'))
  expect(endpoint.requests[0]?.headers).toMatchObject({ authorization: 'Bearer k-1' })
  expect(JSON.stringify(endpoint.requests)).not.toContain('session=')
  endpoint.done()
})

test('an answer that is not streamed is one object', async () => {
  const endpoint = scriptedEndpoint([{ calls: [{ name: 'find' }] }])
  expect(await (await ask(endpoint, { model: 'm' })).json()).toMatchObject({
    model: 'm',
    choices: [
      {
        message: { tool_calls: [{ id: 'call_1', function: { name: 'find', arguments: '{}' } }] },
        finish_reason: 'tool_calls',
      },
    ],
  })
})

test('a request after the last step, a function that throws and steps that are left are errors of `done`', async () => {
  const none = scriptedEndpoint([])
  expect((await ask(none, { messages: [{ role: 'user', content: 'Hi' }] })).status).toBe(400)
  expect(() => none.done()).toThrow(/scriptedEndpoint: unexpected request 1: .*ends with .*"Hi"/)
  const throws = scriptedEndpoint([
    () => {
      throw new Error('no tea in the request')
    },
  ])
  expect(await (await ask(throws, {})).json()).toMatchObject({ error: { message: 'no tea in the request' } })
  expect(() => throws.done()).toThrow('no tea in the request')
  expect(() => scriptedEndpoint(['Hi']).done()).toThrow(/1 of 1 steps were not used/)
  expect(() => scriptedEndpoint([5 as never])).toThrow(/scriptedEndpoint: step 1: expected a string or an object/)
})

test('a function may answer with a response, such as one of a busy server', async () => {
  const endpoint = scriptedEndpoint([() => new Response(null, { status: 429 })])
  expect((await ask(endpoint, {})).status).toBe(429)
  endpoint.done()
})

test('the session cookie is read from requests of the web and of Node', async () => {
  const secret = 'a secret of at least thirty-two characters'
  const user = sessionCookie({ secret })
  const cookie = `a=1; session=${await signSession('ada', { secret })}`
  expect(await user({ headers: new Headers({ cookie }) })).toBe('ada')
  expect(await user({ headers: { cookie } })).toBe('ada')
  expect(await user({ headers: {} })).toBeUndefined()
})
