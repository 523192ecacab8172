// The key with which OpenAI finds the machine that knows the beginning of a request. Other servers do not get it.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'playwright/test'
import type { ModelAdapter, ModelRequest } from '../../../../../src/core/data/model.js'
import { chatCompletions } from '../../../../../src/host/models/openai/index.js'
import { promptCacheKey } from '../../../../../src/host/models/request/prompt-cache-key.js'
import { openaiResponses } from '../../../../../src/host/models/openai-responses/index.js'

const asked = (system: string, ...texts: string[]): ModelRequest => ({
  model: 'gpt-test',
  system,
  messages: texts.map((text) => ({ role: 'user', content: [{ type: 'text', text }] })),
  tools: [],
  toolChoice: 'auto',
})
const options = { credentials: 'omit', stream: false, headers: async () => ({}) } as const

/** The bodies that a server gets. */
async function bodiesOf(
  use: (endpoint: string) => ModelAdapter,
  requests: readonly ModelRequest[],
): Promise<Record<string, unknown>[]> {
  const bodies: Record<string, unknown>[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (piece: Buffer) => (text += piece.toString()))
    request.on('end', () => {
      bodies.push(JSON.parse(text))
      response.writeHead(500).end()
    })
  }).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const { port } = server.address() as AddressInfo
  try {
    for (const request of requests) {
      const stream = use(`http://127.0.0.1:${port}/v1`).stream(request, new AbortController().signal)
      await expect(stream[Symbol.asyncIterator]().next()).rejects.toThrow()
    }
  } finally {
    server.close()
  }
  expect(bodies).toHaveLength(requests.length)
  return bodies
}

const conversation = [asked('Be brief.', 'Hello'), asked('Be brief.', 'Hello', 'And?'), asked('Be brief.', 'Bye')]

for (const [name, adapter] of Object.entries({ chatCompletions, openaiResponses })) {
  test(`${name}: a relay gets one key per conversation if it is asked for, other servers none`, async () => {
    const keysOf = async (more: object): Promise<unknown[]> => {
      const use = (endpoint: string) => adapter({ ...options, ...more, endpoint } as never)
      return (await bodiesOf(use, conversation)).map((body) => body['prompt_cache_key'])
    }
    expect(await keysOf({})).toEqual([undefined, undefined, undefined])
    const [first, second, other] = await keysOf({ promptCacheKey: true })
    expect(first).toMatch(/^[\da-f]{16}$/)
    expect(second).toBe(first)
    expect(other).not.toBe(first)
  })
}

test('by default only the servers of OpenAI get it', () => {
  const has = (endpoint: string, more = {}): boolean =>
    'prompt_cache_key' in promptCacheKey({ endpoint, ...more }, asked('', 'Hello'))
  expect(has('https://api.openai.com/v1')).toBe(true)
  expect(has('https://eu.api.openai.com/v1')).toBe(true)
  expect(has('https://api.openai.com/v1', { promptCacheKey: false })).toBe(false)
  for (const other of [
    'https://api.openai.com.example/v1',
    'https://notapi.openai.com/v1',
    '/v1',
    'http://localhost/v1',
  ])
    expect(has(other), other).toBe(false)
})
