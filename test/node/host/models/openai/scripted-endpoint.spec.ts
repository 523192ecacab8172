// Tests of the scripted endpoint itself, because other specs depend on it.
import { expect, test } from 'playwright/test'
import { startEndpoint, type Endpoint } from '../../../../support/lab/endpoint.js'

const post = (endpoint: Endpoint, body: object, signal?: AbortSignal): Promise<Response> =>
  fetch(`${endpoint.url}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  })

test('streams a scripted answer, or returns it whole if no stream is requested', async () => {
  const reply = { text: 'Hello there', calls: [{ name: 'find', arguments: { query: 'a long enough query' } }] }
  const endpoint = await startEndpoint([reply, reply])
  const streamed = await (await post(endpoint, { stream: true })).text()
  expect(streamed.match(/"arguments":"."?/g)!.length).toBeGreaterThan(2)
  expect(streamed).toContain('"usage":{')
  expect(streamed.endsWith('data: [DONE]\n\n')).toBe(true)
  const whole = (await (await post(endpoint, {})).json()) as {
    choices: { message: { tool_calls: { function: { arguments: string } }[] } }[]
  }
  expect(whole.choices[0]!.message.tool_calls[0]!.function.arguments).toBe('{"query":"a long enough query"}')
  await endpoint.close()
})

test('an unexpected call is a 500, and close reports it', async () => {
  const endpoint = await startEndpoint([])
  expect((await post(endpoint, { stream: true })).status).toBe(500)
  await expect(endpoint.close()).rejects.toThrow('more than its script has')
})

test('close throws if a reply is left over', async () => {
  const endpoint = await startEndpoint([{ text: 'never asked for' }])
  await expect(endpoint.close()).rejects.toThrow('1 replies left over: {"text":"never asked for"}')
})

test('records a client that disconnects during a held reply', async () => {
  const endpoint = await startEndpoint([{ text: 'Hello there', hold: new Promise(() => {}) }])
  const stop = new AbortController()
  const response = await post(endpoint, { stream: true }, stop.signal)
  const reader = response.body!.getReader()
  await reader.read()
  expect(endpoint.requests[0]!.aborted).toBe(false)
  stop.abort()
  await endpoint.requests[0]!.gone
  expect(endpoint.requests[0]!.aborted).toBe(true)
  await endpoint.close()
})
