// The scripted endpoint is what other specs lean on, so it is held to its own promises first.
import { expect, test } from 'playwright/test'
import { startEndpoint, type Endpoint } from '../../../../support/lab/endpoint.js'

const post = (endpoint: Endpoint, body: object, signal?: AbortSignal): Promise<Response> =>
  fetch(`${endpoint.url}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  })

test('a scripted answer is streamed in deltas, or given whole where no stream was asked for', async () => {
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

test('a call that the script does not expect is a 500, and closing says so', async () => {
  const endpoint = await startEndpoint([])
  expect((await post(endpoint, { stream: true })).status).toBe(500)
  await expect(endpoint.close()).rejects.toThrow('more than its script has')
})

test('a reply left over makes closing throw', async () => {
  const endpoint = await startEndpoint([{ text: 'never asked for' }])
  await expect(endpoint.close()).rejects.toThrow('1 replies left over: {"text":"never asked for"}')
})

test('a client that goes away in the middle of a held reply is recorded', async () => {
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
